//! Sentences of the audit that depend on its figures.

use super::tally::ready_share;
use super::v1;
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_report::points;

/// The name of a readiness level.
pub(super) fn level(level: &v1::ReadinessLevel, language: Language) -> String {
    let names = messages::Audit::of(language).levels;
    let name = usize::try_from(level.ready).ok().and_then(|ready| names.get(ready));
    name.map_or_else(|| level.label.clone(), |name| (*name).to_owned())
}

/// The name of a range of ages.
pub(super) fn age(age: &v1::Age, language: Language) -> String {
    let names = messages::Audit::of(language).age_names;
    match names.iter().find(|(english, _)| *english == age.label) {
        Some((_, name)) => (*name).to_owned(),
        None => age.label.clone(),
    }
}

/// The result in one sentence.
pub(super) fn sentence(report: &v1::Report, language: Language) -> String {
    let words = messages::Audit::of(language);
    let totals = &report.totals;
    let mut parts = vec![words.ready_of(&(totals.ready + totals.not_ready + totals.stopped), &totals.ready)];
    let mut add = |count: usize, sentence: String| {
        if count > 0 {
            parts.push(sentence);
        }
    };
    add(totals.stopped, words.stopped(&totals.stopped));
    add(totals.not_applicable, words.not_applicable(&totals.not_applicable));
    add(totals.unreadable, words.unreadable(&totals.unreadable));
    if let (Some(mean), Some(median)) = (report.scores.mean, report.scores.median) {
        parts.push(words.mean_and_median(&points(mean), &points(median)));
    }
    if let Some(since) = &report.since {
        parts.push(words.would_be_blocked(&totals.would_block, &one_line(since)));
    }
    parts.join(words.comma)
}

/// The change since an earlier audit in one sentence.
pub(super) fn compared(report: &v1::Report, change: &v1::Change, language: Language) -> String {
    let words = messages::Audit::of(language);
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{} %", points(share * 100.0)));
    let mean = |mean: Option<f64>| mean.map_or("–".to_owned(), points);
    words.since(
        &if change.is_same_rubric { "" } else { words.other_rubrics },
        &one_line(&change.day),
        &mean(report.scores.mean),
        &mean(change.mean_then),
        &percent(ready_share(&report.totals)),
        &percent(change.ready_share_then),
        &report.totals.tickets,
        &change.tickets,
    )
}

/// The number of questions, edits, comments or days, with its noun.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact {
    /// The chance that an answer is needed, in percent.
    NeedsAnswer(u64),
    /// Questions to the author.
    Questions(usize),
    /// Edits until the ticket passes.
    Edits(usize),
    /// Comments and reactions.
    Interest(usize),
    /// Days since the last update.
    IdleDays(usize),
}

impl Fact {
    /// The fact in the words of a language.
    pub(super) fn in_words(self, language: Language) -> String {
        let words = messages::Audit::of(language);
        match self {
            Self::NeedsAnswer(percent) => words.needs_answer(&percent),
            Self::Questions(count) => words.fact_questions(count),
            Self::Edits(count) => words.fact_edits(count),
            Self::Interest(count) => words.fact_interest(count),
            Self::IdleDays(count) => words.fact_idle_days(count),
        }
    }
}
