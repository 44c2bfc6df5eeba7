//! Selects from an outcome the parts of every report for people: blockers, warnings, waived findings, questions, facts.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::words::kind_name;
use crate::points;
use reqgate_base::clean::{one_line, short_words};
use reqgate_base::model::{
    BlockReason, Disposition, DraftGap, GuardrailAction, GuardrailFinding, GuardrailKind, Language, LineIndex,
    OPEN_POINT, Origin, Outcome, PathToPass, Position, ReviewIssue, SourceType, Verdict, Waiver, WaiverUse,
};
use reqgate_messages as messages;

/// The maximum number of questions that an author is asked at once.
const MAX_QUESTIONS: usize = 5;

/// The issues of an outcome by severity; waived ones are kept apart.
#[derive(Debug)]
pub(super) struct Digest<'a> {
    pub language: Language,
    /// Issues that reject the ticket.
    pub blockers: Vec<&'a ReviewIssue>,
    /// Issues that only cost points.
    pub warnings: Vec<&'a ReviewIssue>,
    /// Issues that a waiver sets aside.
    pub waived: Vec<(&'a ReviewIssue, &'a Waiver)>,
}

impl<'a> Digest<'a> {
    pub(super) fn new(outcome: &'a Outcome) -> Self {
        let (blockers, warnings, waived) = (Vec::new(), Vec::new(), Vec::new());
        let mut digest = Self { language: outcome.language, blockers, warnings, waived };
        let Some(report) = &outcome.score_report else { return digest };
        let blocking = report.blocking_issues.iter().map(|issue| (true, issue));
        let warning = report.non_blocking_issues.iter().map(|issue| (false, issue));
        for (is_blocker, issue) in blocking.chain(warning) {
            match waiver_of(outcome, issue) {
                Some(waiver) => digest.waived.push((issue, waiver)),
                None if is_blocker => digest.blockers.push(issue),
                None => digest.warnings.push(issue),
            }
        }
        digest
    }

    /// The warnings, without those whose questions the report shows already.
    pub(super) fn warnings_apart_from(&self, questions: &[&str]) -> Vec<&'a ReviewIssue> {
        let is_shown = |issue: &ReviewIssue| {
            issue.is_asked() && issue.question.as_deref().is_some_and(|words| questions.contains(&words))
        };
        self.warnings.iter().copied().filter(|issue| !is_shown(issue)).collect()
    }

    /// The findings that a person accepted in the document itself.
    pub(super) fn accepted(&self, outcome: &Outcome) -> impl Iterator<Item = String> {
        let accepted = &outcome.decision.accepted;
        self.waived.iter().filter(|(issue, _)| accepted.contains(&issue.fingerprint)).map(|(issue, _)| told(issue))
    }

    /// The waived findings grouped by reason, because a person often gives one reason for many questions.
    pub(super) fn waived_by_reason(&self) -> Vec<Waived> {
        let mut reasons: Vec<&str> = Vec::new();
        for (_, waiver) in &self.waived {
            if !reasons.contains(&waiver.reason.as_str()) {
                reasons.push(&waiver.reason);
            }
        }
        let words = messages::Report::of(self.language);
        let group = |reason: &str| {
            let issues = || self.waived.iter().filter(|(_, waiver)| waiver.reason == reason).map(|(issue, _)| issue);
            let rules: BTreeSet<&str> = issues().map(|issue| issue.rule_id.as_str()).collect();
            let rules = rules.into_iter().collect::<Vec<_>>().join(words.comma);
            Waived {
                head: format!("{rules}{}{reason}", words.colon),
                findings: issues().map(|issue| short_words(&told(issue), LONGEST_FINDING)).collect(),
            }
        };
        reasons.into_iter().map(group).collect()
    }
}

/// The findings that are waived for one reason.
#[derive(Debug)]
pub(super) struct Waived {
    pub head: String,
    /// Short descriptions of the findings.
    pub findings: Vec<String>,
}

/// The maximum length of a waived finding, in characters.
const LONGEST_FINDING: usize = 120;

/// The words of an open question; the description of any other finding.
fn told(issue: &ReviewIssue) -> String {
    let is_question = issue.rule_id.as_str() == OPEN_POINT;
    issue.quote.clone().filter(|_| is_question).unwrap_or_else(|| issue.description.clone())
}

/// The reason why a blocking rule only warns, if its findings were wrong too often for it to block.
pub(super) fn demotion(issue: &ReviewIssue, language: Language) -> Option<String> {
    issue.disposition.note(language).filter(|_| matches!(issue.disposition, Disposition::Imprecise { .. }))
}

/// The waiver that sets the issue aside, if one exists.
fn waiver_of<'a>(outcome: &'a Outcome, issue: &ReviewIssue) -> Option<&'a Waiver> {
    outcome
        .decision
        .waivers
        .iter()
        .filter(|(_, used)| matches!(used, WaiverUse::Used(count) if *count > 0))
        .map(|(waiver, _)| waiver)
        .find(|waiver| {
            let same_finding = waiver.fingerprint.as_ref().is_none_or(|it| *it == issue.fingerprint);
            waiver.rule == issue.rule_id && same_finding
        })
}

/// The questions to the author: those of the draft, or else those of the issues, most important first.
pub fn questions(outcome: &Outcome) -> Vec<&str> {
    let of_draft = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref());
    let of_draft = of_draft.map(|draft| draft.clarification_questions.as_slice()).unwrap_or_default();
    if !of_draft.is_empty() {
        return of_draft.iter().map(String::as_str).take(MAX_QUESTIONS).collect();
    }
    let digest = Digest::new(outcome);
    let mut questions: Vec<&str> = Vec::new();
    for question in digest.blockers.iter().chain(&digest.warnings).filter_map(|issue| issue.question.as_deref()) {
        if questions.len() < MAX_QUESTIONS && !questions.contains(&question) {
            questions.push(question);
        }
    }
    questions
}

/// The score and the threshold, e.g. `41/100 (needs 60)`; `None` without a score.
pub(super) fn score_words(outcome: &Outcome) -> Option<String> {
    let score = points(outcome.score_report.as_ref()?.total_score);
    Some(match outcome.decision.threshold {
        Some(threshold) => messages::Report::of(outcome.language).needs(&score, &points(threshold)),
        None => format!("{score}/100"),
    })
}

/// The known properties of the input, e.g. `Feature (detected), GitHub issue (stated), English (detected)`.
pub(super) fn packet_words(outcome: &Outcome) -> String {
    let (packet, language) = (&outcome.packet, outcome.language);
    let words = messages::Report::of(language);
    let seen = |what: &str, origin| {
        let origin = match origin {
            Origin::Stated => words.stated,
            Origin::Detected => words.detected,
        };
        words.seen(&origin, &what)
    };
    let other = packet.other_language.map(|other| other.value.words(language));
    // A text that only looks like an issue may be a file or a paste, so a tracker is named only if the text comes from
    // it.
    let source = match (packet.source_type.value, packet.source_type.origin) {
        (SourceType::GitHubIssue, Origin::Detected) => words.ticket_text,
        (source, _) => source.words(language),
    };
    let written_in = other.unwrap_or(packet.language.value.words(language));
    [
        seen(packet.ticket_type.value.words(language), packet.ticket_type.origin),
        seen(source, packet.source_type.origin),
        seen(written_in, packet.language.origin),
    ]
    .join(words.comma)
}

/// The rubric that was applied, e.g. `feature 1.0.0 (3f2a90c417bd55e8)`.
pub(super) fn rubric_words(outcome: &Outcome) -> Option<String> {
    let rubric = outcome.decision.rubric.as_ref()?;
    Some(one_line(&format!("{} {} ({})", rubric.id, rubric.version, rubric.hash)).into_owned())
}

/// The policy, the chance that the text is ready, and the team whose weights took part, e.g.
/// `ready 1.0.0, chance that it is ready: 83 % by the weights of octo/shop (120 tickets)`.
pub(super) fn policy_words(outcome: &Outcome) -> Option<String> {
    let policy = outcome.decision.policy.as_ref()?;
    let words = messages::Report::of(outcome.language);
    let chance = outcome.decision.certainty.map(|ready| (ready * 100.0).round());
    // If readings decide, the score is the chance and the threshold applies to it.
    let decides = outcome.reading.as_ref().and(outcome.score_report.as_ref()).zip(outcome.decision.threshold);
    let chance = match (chance, decides) {
        (None, _) => String::new(),
        (Some(chance), None) => words.chance(&chance),
        (Some(_), Some((report, needed))) => words.chance_needed(&points(report.total_score), &points(needed)),
    };
    let team = outcome.reading.as_ref().and_then(|reading| reading.team.as_ref());
    let team = team.map(|team| words.team(&team.from, &team.tickets));
    Some(one_line(&format!("{} {}{chance}{}", policy.id, policy.version, team.unwrap_or_default())).into_owned())
}

/// The reason why the raw text was scored, and advice on it; `None` if a draft was made.
pub(super) fn raw_text_words(outcome: &Outcome) -> Option<String> {
    let words = messages::Report::of(outcome.language);
    let gaps = outcome.structured.as_ref().map(|structured| DraftGap::list(&structured.failures, outcome.language));
    let gaps = gaps.filter(|gaps| !gaps.is_empty()).unwrap_or_else(|| words.no_draft.to_owned());
    outcome.fallback_activated.then(|| words.raw_text(&gaps))
}

/// The penalties, one sentence each.
pub(super) fn penalty_words(outcome: &Outcome) -> Vec<String> {
    let penalties = outcome.score_report.iter().flat_map(|report| &report.penalties);
    let words = messages::Report::of(outcome.language);
    penalties
        .map(|penalty| {
            let reason = penalty.reason.words(outcome.language);
            words.penalty(&points(penalty.points), &reason)
        })
        .collect()
}

/// The maximum number of questions below a pass.
const MOST_OPEN_QUESTIONS: usize = 3;

/// The edits that lead to a pass, if they say more than the remedies next to the blockers.
pub(super) fn path_beyond_blockers(outcome: &Outcome) -> Option<&PathToPass> {
    outcome.decision.path_to_pass.as_ref().filter(|path| path.edits.iter().any(|edit| edit.points > 0.0))
}

/// The questions of a pass that still has open ones.
pub(super) fn open_questions(outcome: &Outcome) -> Vec<&str> {
    let issues = outcome.score_report.iter().flat_map(|report| &report.non_blocking_issues);
    let asked = issues.filter(|issue| issue.is_asked()).filter_map(|issue| issue.question.as_deref());
    asked.take(MOST_OPEN_QUESTIONS).collect()
}

/// A sentence with one placeholder.
type Sentence = fn(&messages::Report, &dyn Display) -> String;

/// The findings of the guardrail by kind and action, never a value, e.g. `masked: 2 × e-mail address`.
pub(super) fn guardrail_words(outcome: &Outcome) -> Vec<String> {
    let findings = &outcome.guardrail.findings;
    let words = messages::Report::of(outcome.language);
    [
        (GuardrailAction::Reject, messages::Report::found as Sentence),
        (GuardrailAction::Redact, messages::Report::masked),
        (GuardrailAction::Warn, messages::Report::noticed),
    ]
    .into_iter()
    .filter_map(|(action, sentence)| {
        let counts = guardrail_counts(findings.iter().filter(|it| it.action == action), outcome.language);
        (!counts.is_empty()).then(|| sentence(words, &counts.join(words.comma)))
    })
    .collect()
}

/// Keys, tokens and passwords in the text, in order.
fn found_secrets(outcome: &Outcome) -> impl Iterator<Item = &GuardrailFinding> {
    outcome.guardrail.findings.iter().filter(|it| it.kind == GuardrailKind::Secret)
}

fn secret_places(outcome: &Outcome) -> Vec<Position> {
    let (text, index) = (&outcome.packet.raw_text, LineIndex::new(&outcome.packet.raw_text));
    found_secrets(outcome).filter_map(|it| it.span).map(|span| index.position(text, span.start)).collect()
}

/// The position of the first key, token or password in the text.
pub(super) fn first_secret(outcome: &Outcome) -> Option<Position> {
    secret_places(outcome).into_iter().next()
}

/// The warning about keys, tokens and passwords in the text, with their lines but without their values.
pub(super) fn secrets(outcome: &Outcome) -> Option<String> {
    let words = messages::Report::of(outcome.language);
    let message = &found_secrets(outcome).next()?.message;
    let mut lines: Vec<usize> = secret_places(outcome).into_iter().map(|place| place.line).collect();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
    Some(if lines.is_empty() {
        message.clone()
    } else {
        format!("{}{}{message}", words.line(&lines.join(words.comma)), words.colon)
    })
}

/// The findings of the guardrail as whole sentences.
pub(super) fn guardrail_sentences(outcome: &Outcome) -> Vec<String> {
    guardrail_words(outcome).iter().map(|words| messages::Report::of(outcome.language).guardrail(words)).collect()
}

/// The kind of the finding if only its length stops a text.
pub(super) fn stopped_for_length(outcome: &Outcome) -> Option<GuardrailKind> {
    let stops = outcome.guardrail.findings.iter().filter(|it| it.action == GuardrailAction::Reject);
    let mut kinds = stops.map(|it| it.kind);
    let first = kinds.next().filter(|kind| matches!(kind, GuardrailKind::TooShort | GuardrailKind::TooLong))?;
    kinds.all(|kind| kind == first).then_some(first)
}

/// The title over a text that the guardrail stopped.
pub(super) fn stopped_title(outcome: &Outcome) -> &'static str {
    let words = messages::Report::of(outcome.language);
    match stopped_for_length(outcome) {
        Some(GuardrailKind::TooShort) => words.too_short,
        Some(_) => words.too_long,
        None => words.stopped_title,
    }
}

/// The reasons of the guardrail for stopping, and a note that the text was not judged.
pub(super) fn stopped_words(outcome: &Outcome) -> String {
    let words = messages::Report::of(outcome.language);
    words.not_judged(&guardrail_words(outcome).join(words.semicolon))
}

fn guardrail_counts<'a>(findings: impl Iterator<Item = &'a GuardrailFinding>, language: Language) -> Vec<String> {
    let mut counts: Vec<(GuardrailKind, usize)> = Vec::new();
    for finding in findings {
        match counts.iter_mut().find(|(kind, _)| *kind == finding.kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((finding.kind, 1)),
        }
    }
    counts
        .into_iter()
        .map(|(kind, count)| format!("{count} × {}", kind_name(messages::Report::of(language), kind)))
        .collect()
}

/// The rule id of a ticket that is rejected for its score.
pub(super) const BELOW_THRESHOLD: &str = "score-below-threshold";
/// The rule id of a ticket that is rejected because no draft could be made.
pub(super) const STRUCTURING_FAILED: &str = "structuring-failed";

/// The rule id of a ticket that is rejected because its language is not supported.
pub(super) const OTHER_LANGUAGE: &str = "other-language";
/// The rule id of a text that the guardrail stopped.
pub(super) const GUARDRAIL_REJECTED: &str = "guardrail-rejected";
/// The title of a remark on a text that could not be judged.
pub(super) const NOT_JUDGED: &str = "not-judged";

/// The id under which a ticket is rejected as a whole, if no issue gives a reason.
pub(super) fn refused_as_a_whole(outcome: &Outcome) -> Option<&'static str> {
    if outcome.decision.verdict != Verdict::Reject {
        return None;
    }
    let reasons = &outcome.decision.reasons;
    if reasons.iter().any(|reason| matches!(reason, BlockReason::StructuringFailed { .. })) {
        return Some(STRUCTURING_FAILED);
    }
    if reasons.iter().any(|reason| matches!(reason, BlockReason::OtherLanguage { .. })) {
        return Some(OTHER_LANGUAGE);
    }
    (!reasons.iter().any(|reason| matches!(reason, BlockReason::Blocker { .. }))).then_some(BELOW_THRESHOLD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn waived_blocker_is_told_apart() {
        let outcome = samples::waived();
        let digest = Digest::new(&outcome);
        assert_eq!((digest.blockers.len(), digest.waived.len()), (0, 1));
        assert_eq!(digest.waived[0].1.reason, "legal has agreed");
    }

    #[test]
    fn only_a_source_that_is_stated_is_called_an_issue_of_github() {
        let mut outcome = samples::rejected();
        assert!(packet_words(&outcome).contains("GitHub issue (stated)"));
        outcome.packet.source_type.origin = Origin::Detected;
        assert!(packet_words(&outcome).contains("ticket (detected)"), "{}", packet_words(&outcome));
        outcome.language = reqgate_base::model::Language::Zh;
        assert!(packet_words(&outcome).contains("工单（识别）"), "{}", packet_words(&outcome));
    }

    #[test]
    fn questions_come_from_the_issues_where_there_is_no_draft() {
        let mut outcome = samples::rejected();
        assert_eq!(questions(&outcome).len(), 2);
        outcome.structured = None;
        assert_eq!(questions(&outcome)[0], "How will a tester know that it works?");
    }

    #[test]
    fn guardrail_is_told_by_kind_and_count() {
        assert_eq!(
            guardrail_words(&samples::guardrail_rejected()),
            ["found: 2 × key, token or password", "masked: 1 × e-mail address"]
        );
    }
}
