//! The additions of a review to a run: a second draft next to that of the rules, evidence that may lower their score,
//! better questions.

use super::asking::Review;
use super::clarify;
use super::draft::{self, Assisted};
use super::evidence::{self, ModelEvidence};
use crate::stages::scoring::Context;
use crate::stages::scoring::findings::findings_of;
use reqgate_base::model::{
    Facets, FallbackLevel, Genre, Lowered, ModelReport, ModelStepEnd, ModelTask, ReviewIssue, RuleId, SkipReason,
    Structured, Verdict,
};
use reqgate_rules::{Detect, ModelQuestions, Profile, Rubric, Rule, RuleBook};

/// The result of the rules alone for a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RulesAlone {
    /// The score of the rules, 0 to 100.
    pub score: f64,
    /// The verdict of the rules.
    pub verdict: Verdict,
    /// The number of their issues.
    pub issues: usize,
    /// The raw text is scored, because it gave no draft or structuring is off.
    pub on_raw_text: bool,
}

/// The end of a reviewed run.
pub struct Reviewed<'r> {
    /// The rules and their wordings.
    pub book: &'r RuleBook,
    /// The text with its reading and facets.
    pub ctx: Context<'r>,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// The result of the rules alone.
    pub alone: RulesAlone,
    /// The draft with the model's items, if it gave any.
    pub assisted: Option<&'r Assisted>,
    /// The evidence, if the model gave any.
    pub evidence: Option<&'r ModelEvidence>,
    /// The criteria that the evidence lowered.
    pub lowered: Vec<Lowered>,
}

impl Review<'_> {
    /// The model's draft merged with the rules'; `None` if it gave none.
    pub(crate) fn draft(
        &mut self,
        rules: &Structured,
        text: &str,
        profile: Profile,
        skipped: bool,
    ) -> Option<Assisted> {
        if skipped {
            self.not_asked(ModelTask::Structuring, SkipReason::StructuringOff);
            return None;
        }
        let sorted = self.sorted()?;
        Some(draft::merge(rules, &sorted, text, &self.quotes, profile))
    }

    /// The points that the model finds unclear, as far as the text proves them; `None` without an answer.
    pub(crate) fn evidence(&mut self, rubric: &Rubric, ctx: Context<'_>) -> Option<ModelEvidence> {
        let said = self.statements()?;
        let clean = |words: &str| self.clean(words);
        let checked = evidence::check(&self.questions, rubric, &said, ctx, &self.quotes, clean);
        self.discard(ModelTask::Scoring, checked.discarded.clone());
        Some(checked)
    }

    /// Asks for questions and rewrites if the ticket is rejected, adds the questions to their issues, and reports
    /// everything that the model added.
    pub(crate) fn report(
        mut self,
        run: Reviewed<'_>,
        blocking: &mut [ReviewIssue],
        warnings: &mut [ReviewIssue],
    ) -> ModelReport {
        let mut report = ModelReport {
            model: self.reviewer.name(),
            host: None,
            questions_hash: (!self.questions.questions.is_empty()).then(|| self.questions.hash.clone()),
            structuring: match (run.assisted, run.alone.on_raw_text) {
                (Some(_), _) => FallbackLevel::RulesAndModel,
                (None, false) => FallbackLevel::Rules,
                (None, true) => FallbackLevel::RawText,
            },
            scoring: match run.evidence.is_some_and(ModelEvidence::says_anything) {
                true => FallbackLevel::RulesAndModel,
                false => FallbackLevel::Rules,
            },
            steps: Vec::new(),
            rules_score: run.alone.score,
            rules_verdict: run.alone.verdict,
            reading: None,
            added_items: run.assisted.map(|assisted| assisted.added.clone()).unwrap_or_default(),
            lowered: run.lowered,
            added_findings: (blocking.len() + warnings.len()).saturating_sub(run.alone.issues),
            questions: Vec::new(),
            rewrites: Vec::new(),
            disagreements: run.assisted.map(|assisted| assisted.disagreements.clone()).unwrap_or_default(),
            discarded: Vec::new(),
            unrecorded: None,
        };
        if run.verdict == Verdict::Reject {
            let asked_about = one_of_each(blocking, warnings);
            let summaries: Vec<(RuleId, Option<String>)> = asked_about
                .iter()
                .map(|issue| (issue.rule_id.clone(), summary(run.book, &self.questions, issue)))
                .collect();
            let summary = |issue: &ReviewIssue| {
                summaries.iter().find(|(id, _)| *id == issue.rule_id).and_then(|(_, words)| words.clone())
            };
            let read = (run.ctx.text, run.ctx.reading);
            let flaws = |words: &str, genre| flaws(run.book, run.ctx.profile, words, genre);
            if let Some((chosen, checked)) = self.clarified(asked_about.iter(), read, summary, flaws) {
                for (position, question) in checked.questions {
                    let Some(about) = chosen.get(position) else { continue };
                    let same = |issue: &&mut ReviewIssue| issue.fingerprint == about.fingerprint;
                    if let Some(issue) = blocking.iter_mut().chain(warnings.iter_mut()).find(same) {
                        issue.question = Some(question.clone());
                        report.questions.push(question);
                    }
                }
                report.rewrites = checked.rewrites;
                self.discard(ModelTask::Clarify, checked.discarded);
            }
        } else {
            self.not_asked(ModelTask::Clarify, SkipReason::NotRejected);
        }
        if let Some(assisted) = run.assisted {
            self.discard(ModelTask::Structuring, assisted.discarded.clone());
        }
        report.unrecorded = self.unrecorded.take();
        (report.host, report.steps, report.discarded) = self.end();
        report.discarded.sort_by_key(|discarded| ModelTask::ALL.iter().position(|task| *task == discarded.task));
        report
    }
}

/// The first issue of each rule that blocks or takes points. All findings of a rule ask the same question, so one of
/// each is enough to determine the questions.
fn one_of_each(blocking: &[ReviewIssue], warnings: &[ReviewIssue]) -> Vec<ReviewIssue> {
    let mut seen: Vec<&RuleId> = Vec::new();
    let issues = blocking.iter().chain(warnings.iter().filter(|issue| issue.points > 0.0));
    let first = issues.filter(|issue| {
        let is_new = !seen.contains(&&issue.rule_id);
        seen.push(&issue.rule_id);
        is_new
    });
    first.cloned().collect()
}

/// An issue in our words, without any of the ticket.
fn summary(book: &RuleBook, questions: &ModelQuestions, issue: &ReviewIssue) -> Option<String> {
    let of_rule = book.rule(&issue.rule_id).map(|rule| rule.file.wording.en.summary.clone());
    of_rule.or_else(|| questions.get(issue.rule_id.as_str()).map(|question| question.file.wording.en.summary.clone()))
}

/// The number of hits of the rules' word lists in a sentence; blanks count as filled in.
fn flaws(book: &RuleBook, profile: Profile, words: &str, genre: Genre) -> usize {
    let words = words.replace(clarify::BLANK, "5");
    let mut reading = book.reader.read(&words, None);
    reading.read_as(genre);
    let ctx = Context {
        text: &words,
        reading: &reading,
        language: reading.language,
        facets: &Facets::default(),
        profile,
        by_evidence: false,
        has_empty_description: false,
    };
    let is_about_words = |rule: &&Rule| {
        let detect = &rule.file.detect;
        rule.reads(profile)
            && matches!(detect, Detect::Terms { .. } | Detect::Patterns { .. } | Detect::CheckWords { .. })
    };
    book.rules.iter().filter(is_about_words).map(|rule| findings_of(rule, ctx).len()).sum()
}

/// The messages of the log about questions without an answer.
pub fn failures(model: &ModelReport) -> Vec<String> {
    let instead = |task| match (task, model.structuring) {
        (ModelTask::Structuring, FallbackLevel::RawText) => "the raw text was scored",
        (ModelTask::Structuring, _) => "the rules' draft stands",
        (ModelTask::Scoring, _) => "the rules' score stands",
        (ModelTask::Clarify, _) => "the rules' questions stand",
        (ModelTask::Reading, _) => "the rules' estimate stands",
    };
    let words = |step: &reqgate_base::model::ModelStep| match &step.end {
        ModelStepEnd::Failed { reason } => {
            Some(format!("Model {} failed, {}: {reason}", step.task.name(), instead(step.task)))
        }
        _ => None,
    };
    model.steps.iter().filter_map(words).collect()
}
