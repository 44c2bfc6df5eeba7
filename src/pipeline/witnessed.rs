//! What becomes of a run when a model is asked: a second draft beside the rules', a second score below theirs, better questions.

use super::hearing::Hearing;
use super::{Case, Pipeline, PipelineError, Scored};
use crate::model::{
    Facets, FallbackLevel, Genre, ModelReport, ModelStepEnd, ModelTask, RequirementPacket, ReviewIssue, RuleId,
    Structured, Verdict,
};
use crate::rules::{Detect, Policy, Profile, Rubric, Rule, RuleBook, WitnessStand};
use crate::stages::clarifying;
use crate::stages::scoring::Context;
use crate::stages::scoring::findings::findings_of;
use crate::stages::scoring::score::{self, ScoreInput};
use crate::stages::scoring::witness;
use crate::stages::structuring::assisted::{self, Assisted};
use crate::text::Reading;

/// What the rules alone said, and whether a testimony was heard.
pub struct Testimony {
    rules_score: f64,
    rules_verdict: Verdict,
    findings: usize,
    is_heard: bool,
}

impl Pipeline {
    /// The model's hearing about one text; `None` if no model is to be asked.
    pub(super) fn hearing(
        &self,
        input: &str,
        packet: &RequirementPacket,
        reading: &Reading,
        rubric: &Rubric,
        profile: Profile,
    ) -> Result<Option<Hearing<'_>>, PipelineError> {
        let Some(witness) = &self.witness else { return Ok(None) };
        let stand = self
            .book
            .witness_stand(&rubric.file.id)
            .map_err(|error| PipelineError::Witness { input: input.to_owned(), message: error.to_string() })?;
        Ok(Some(Hearing::new(witness, input, stand, packet, reading, profile)))
    }

    /// The score of the rules, lowered by what a model can prove.
    pub(super) fn heard(
        &self,
        case: Case<'_>,
        hearing: Option<&mut Hearing<'_>>,
        policy: &Policy,
        threshold: f64,
    ) -> (Scored, Option<Testimony>) {
        let scored = self.score(case, None);
        let Some(hearing) = hearing else { return (scored, None) };
        let mut testimony = Testimony {
            rules_score: scored.score.total,
            rules_verdict: self.ruling(policy, &mut scored.clone(), threshold, case.ctx.profile).verdict,
            findings: 0,
            is_heard: false,
        };
        let Some(said) = hearing.testimony() else { return (scored, Some(testimony)) };
        let clean = |words: &str| hearing.clean(words);
        let heard = witness::hear(&hearing.stand, case.rubric, &said, case.ctx, &hearing.quotes, clean);
        hearing.discard(ModelTask::Scoring, heard.discarded.clone());
        let lowered = self.score(case, Some((&hearing.stand, &heard)));
        testimony.is_heard = heard.says_anything();
        testimony.findings = lowered.blocking.len() + lowered.warnings.len();
        testimony.findings -= scored.blocking.len() + scored.warnings.len();
        (lowered, Some(testimony))
    }

    /// Asks for questions and rewrites where the ticket is rejected, and tells everything that the model added.
    pub(super) fn model_report(
        &self,
        mut hearing: Hearing<'_>,
        case: Case<'_>,
        scored: &mut Scored,
        verdict: Verdict,
        assisted: &Option<Assisted>,
        testimony: Option<Testimony>,
    ) -> ModelReport {
        let (mut questions, mut rewrites) = (Vec::new(), Vec::new());
        if verdict == Verdict::Reject {
            let costly = |issue: &&ReviewIssue| issue.points > 0.0;
            let issues = scored.blocking.iter().chain(scored.warnings.iter().filter(costly));
            let summary = |issue: &ReviewIssue| self.summary(issue, &hearing.stand);
            // Each finding of a rule asks the same; one of each is enough to learn what the author should be asked.
            let mut seen: Vec<RuleId> = Vec::new();
            let issues: Vec<ReviewIssue> = issues
                .filter(|issue| {
                    let is_new = !seen.contains(&issue.rule_id);
                    seen.push(issue.rule_id.clone());
                    is_new
                })
                .cloned()
                .collect();
            let summaries: Vec<(RuleId, Option<String>)> =
                issues.iter().map(|issue| (issue.rule_id.clone(), summary(issue))).collect();
            let summary = |issue: &ReviewIssue| {
                summaries.iter().find(|(id, _)| *id == issue.rule_id).and_then(|(_, words)| words.clone())
            };
            let read = (case.ctx.text, case.ctx.reading);
            let flaws = |words: &str, genre| flaws(&self.book, case.ctx.profile, words, genre);
            if let Some((chosen, checked)) = hearing.clarified(issues.iter(), read, summary, flaws) {
                for (position, question) in checked.questions {
                    let Some(about) = chosen.get(position) else { continue };
                    let same = |issue: &&mut ReviewIssue| issue.fingerprint == about.fingerprint;
                    if let Some(issue) = scored.blocking.iter_mut().chain(&mut scored.warnings).find(same) {
                        issue.question = Some(question.clone());
                        questions.push(question);
                    }
                }
                rewrites = checked.rewrites;
                hearing.discard(ModelTask::Clarify, checked.discarded);
            }
        } else {
            hearing.not_asked(ModelTask::Clarify, "the ticket is not rejected");
        }
        let stand = (!hearing.stand.witnesses.is_empty()).then(|| hearing.stand.hash.clone());
        if let Some(assisted) = assisted {
            hearing.discard(ModelTask::Structuring, assisted.discarded.clone());
        }
        let model = self.witness.as_ref().map(|witness| witness.model().settings().model.to_string());
        let (host, steps, mut discarded) = hearing.end();
        discarded.sort_by_key(|discarded| ModelTask::ALL.iter().position(|task| *task == discarded.task));
        let testimony = testimony.unwrap_or(Testimony {
            rules_score: scored.score.total,
            rules_verdict: verdict,
            findings: 0,
            is_heard: false,
        });
        ModelReport {
            model: model.unwrap_or_default(),
            host,
            witness: stand,
            structuring: match (assisted, case.fallback || !self.settings.enable_structuring) {
                (Some(_), _) => FallbackLevel::RulesAndModel,
                (None, false) => FallbackLevel::Rules,
                (None, true) => FallbackLevel::RawText,
            },
            scoring: if testimony.is_heard { FallbackLevel::RulesAndModel } else { FallbackLevel::Rules },
            steps,
            rules_score: testimony.rules_score,
            rules_verdict: testimony.rules_verdict,
            added_items: assisted.as_ref().map(|assisted| assisted.added.clone()).unwrap_or_default(),
            lowered: std::mem::take(&mut scored.lowered),
            added_findings: testimony.findings,
            questions,
            rewrites,
            disagreements: assisted.as_ref().map(|assisted| assisted.disagreements.clone()).unwrap_or_default(),
            discarded,
        }
    }

    /// An issue in words of ours, without any of the ticket.
    fn summary(&self, issue: &ReviewIssue, stand: &WitnessStand) -> Option<String> {
        let of_rule = self.book.rule(&issue.rule_id).map(|rule| rule.file.wording.en.summary.clone());
        of_rule.or_else(|| stand.get(issue.rule_id.as_str()).map(|witness| witness.file.wording.en.summary.clone()))
    }
}

/// How often the word lists of the rules speak of a sentence; what it leaves blank is taken for filled in.
fn flaws(book: &RuleBook, profile: Profile, words: &str, genre: Genre) -> usize {
    let words = words.replace(clarifying::BLANK, "5");
    let mut reading = book.reader.read(&words, None);
    reading.read_as(genre);
    let ctx = Context { text: &words, reading: &reading, facets: &Facets::default(), profile, by_evidence: false };
    let is_about_words = |rule: &&Rule| {
        let detect = &rule.file.detect;
        rule.reads(profile)
            && matches!(detect, Detect::Terms { .. } | Detect::Patterns { .. } | Detect::CheckWords { .. })
    };
    book.rules.iter().filter(is_about_words).map(|rule| findings_of(rule, ctx).len()).sum()
}

/// The model's draft merged with the rules'; `None` if it gave none.
pub fn assisted(
    hearing: &mut Hearing<'_>,
    rules: &Structured,
    text: &str,
    profile: Profile,
    skipped: bool,
) -> Option<Assisted> {
    if skipped {
        hearing.not_asked(ModelTask::Structuring, "structuring is switched off");
        return None;
    }
    let sorted = hearing.sorted()?;
    Some(assisted::merge(rules, &sorted, text, &hearing.quotes, profile))
}

/// Gives each finding of the model its share of what its question took from the total.
pub fn share_costs(
    rubric: &Rubric,
    evidence: &ScoreInput,
    total: f64,
    (stand, hearing): (&WitnessStand, &witness::Hearing),
    testified: &[RuleId],
    issues: &mut [ReviewIssue],
) {
    for id in stand.witnesses.iter().map(|witness| &witness.file.id) {
        let count = testified.iter().filter(|other| *other == id).count();
        if count == 0 {
            continue;
        }
        let mut alone = evidence.clone();
        hearing.lower(stand, rubric, &mut alone.fulfilment, |other| other == id);
        let lost = (total - score::score(rubric, &alone).total).max(0.0);
        let waived =
            |issue: &ReviewIssue| issue.severity_note.as_deref().is_some_and(|note| note.starts_with("waived"));
        for issue in issues.iter_mut().filter(|issue| issue.rule_id == *id && !waived(issue)) {
            issue.points = score::one_decimal(lost / count as f64);
        }
    }
}

/// What the log says of questions without an answer.
pub fn failures(model: &ModelReport) -> Vec<String> {
    let instead = |task| match (task, model.structuring) {
        (ModelTask::Structuring, FallbackLevel::RawText) => "the raw text was scored",
        (ModelTask::Structuring, _) => "the rules' draft stands",
        (ModelTask::Scoring, _) => "the rules' score stands",
        (ModelTask::Clarify, _) => "the rules' questions stand",
    };
    let words = |step: &crate::model::ModelStep| match &step.end {
        ModelStepEnd::Failed { reason } => {
            Some(format!("Model {} failed, {}: {reason}", step.task.name(), instead(step.task)))
        }
        _ => None,
    };
    model.steps.iter().filter_map(words).collect()
}
