//! The names of the model's values in reports.

use super::{
    DiscardReason, Disposition, DraftGap, DraftPart, EvidencePart, FallbackLevel, Language, ModelTask, PenaltyReason,
    SkipReason, SourceType, TicketType,
};
use reqgate_messages as messages;

impl SourceType {
    /// The name of the kind of document, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::JiraTicket => names.source_jira_ticket,
            Self::PrdDoc => names.source_prd_doc,
            Self::MeetingTranscript => names.source_meeting_transcript,
            Self::GitHubIssue => names.source_github_issue,
            Self::PlainText => names.source_plain_text,
        }
    }
}

impl TicketType {
    /// The name of the type, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::Feature => names.ticket_feature,
            Self::Bug => names.ticket_bug,
            Self::Task => names.ticket_task,
            Self::Question => names.ticket_question,
            Self::Discussion => names.ticket_discussion,
            Self::FeaturePart => names.ticket_feature_part,
        }
    }
}

impl DraftGap {
    /// The missing part, as a clause.
    pub(crate) fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::Title => names.gap_title,
            Self::Need => names.gap_need,
            Self::Fault => names.gap_fault,
            Self::Criteria => names.gap_criteria,
            Self::Expected => names.gap_expected,
        }
    }

    /// Several gaps as one part of a sentence.
    pub fn list(gaps: &[Self], language: Language) -> String {
        let names = messages::Names::of(language);
        let words: Vec<&str> = gaps.iter().map(|gap| gap.words(language)).collect();
        words.join(names.gap_separator)
    }
}

impl PenaltyReason {
    /// The reason for the penalty.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::RawText => names.penalty_raw_text,
            Self::StructureCheck => names.penalty_structure_check,
        }
    }
}

impl Disposition {
    /// The note shown with the issue; `None` if no note is needed.
    pub fn note(&self, language: Language) -> Option<String> {
        let names = messages::Names::of(language);
        Some(match self {
            Self::Rule | Self::FormGap => return None,
            Self::Configuration => names.disposition_configuration.to_owned(),
            Self::Rubric { id } => names.disposition_rubric(&id),
            Self::Imprecise { measured, floor } => names.disposition_imprecise(&format_args!("{floor:.2}"), &measured),
            Self::Waived { reason } => names.disposition_waived(&reason),
            Self::Asked => names.disposition_asked.to_owned(),
            Self::Policy => names.disposition_policy.to_owned(),
            Self::Baseline => names.disposition_baseline.to_owned(),
            Self::Model => names.disposition_model.to_owned(),
        })
    }
}

impl FallbackLevel {
    /// The level, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::RulesAndModel => names.by_rules_and_model,
            Self::Rules => names.by_rules,
            Self::RawText => names.by_raw_text,
        }
    }
}

impl ModelTask {
    /// The name of the task.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::Structuring => names.task_structuring,
            Self::Scoring => names.task_scoring,
            Self::Clarify => names.task_clarify,
            Self::Reading => names.task_reading,
        }
    }
}

impl SkipReason {
    /// The reason why the model was not asked.
    pub fn words(self, language: Language) -> String {
        let names = messages::Names::of(language);
        match self {
            Self::Withheld => names.skipped_withheld.to_owned(),
            Self::TooLong { limit } => names.skipped_too_long(&limit),
            Self::NoQuestion => names.skipped_no_question.to_owned(),
            Self::NothingToAsk => names.skipped_nothing_to_ask.to_owned(),
            Self::DryRun => names.skipped_dry_run.to_owned(),
            Self::Outage => names.skipped_outage.to_owned(),
            Self::StructuringOff => names.skipped_structuring_off.to_owned(),
            Self::NotRejected => names.skipped_not_rejected.to_owned(),
        }
    }
}

impl DraftPart {
    /// The name of the part.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::Title => names.part_title,
            Self::Story => names.part_story,
            Self::AcceptanceCriterion => names.part_acceptance_criterion,
            Self::EdgeCase => names.part_edge_case,
            Self::Resource => names.part_resource,
            Self::OpenPoint => names.part_open_point,
        }
    }
}

impl EvidencePart {
    /// The name of the part.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::Criterion => names.evidence_criterion,
            Self::Step => names.evidence_step,
            Self::Expected => names.evidence_expected,
            Self::Actual => names.evidence_actual,
            Self::Environment => names.evidence_environment,
        }
    }
}

impl DiscardReason {
    /// The reason why the statement was discarded.
    pub fn words(self, language: Language) -> &'static str {
        let names = messages::Names::of(language);
        match self {
            Self::NotInText => names.discarded_not_in_text,
            Self::Contradicted => names.discarded_contradicted,
            Self::NotAsked => names.discarded_not_asked,
            Self::NoEvidence => names.discarded_no_evidence,
            Self::ChangesFacts => names.discarded_changes_facts,
            Self::Unsafe => names.discarded_unsafe,
            Self::Unusable => names.discarded_unusable,
            Self::TooMany => names.discarded_too_many,
        }
    }
}
