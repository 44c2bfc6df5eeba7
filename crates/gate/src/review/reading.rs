//! A model's reading of a ticket in a run: its weight, its questions among those of the rules, and the report.

use super::asking::Review;
use super::report::RulesAlone;
use crate::orders::{CheckedQuestion, CheckedReading, MOST_QUESTIONS};
use crate::stages::scoring::estimate::Estimate;
use crate::stages::scoring::{Context, Weights, issues};
use reqgate_base::model::{
    Disposition, EvidencePart, FacetEvidence, Facets, FallbackLevel, Finding, LineIndex, ModelReading, ModelReport,
    QuestionCode, ReviewIssue, RuleId, Severity, TicketType,
};
use reqgate_rules::{ByReadiness, CountedReading, ModelCalibration, Rule, RuleBook};

/// The distance that probabilities keep from 0 and 1.
const LEAST_PROBABILITY: f64 = 1e-6;

/// With this readiness or less, a question must be answered before the end of the work.
const NEEDS_AN_ANSWER: u8 = 2;

/// A reading with the resulting estimate.
#[derive(Debug, Clone)]
pub struct WeighedReading {
    /// The reading for the report.
    pub reading: ModelReading,
    /// The estimate of rules and model together.
    pub estimate: Estimate,
    /// The questions of the model, the most serious first.
    pub questions: Vec<CheckedQuestion>,
}

impl WeighedReading {
    /// Counts a reading in addition to the estimate. Evidence counts if it fills a part of the ticket that the rules
    /// looked for and missed, unless they found a fault that no reading overrides.
    pub(crate) fn new(
        checked: CheckedReading,
        alone: &Estimate,
        calibration: &ModelCalibration,
        facets: &Facets,
        found: &[Finding],
    ) -> Self {
        let held_down = found.iter().any(|finding| calibration.final_rules.contains(&finding.rule));
        let evidence: Vec<_> = checked.evidence.into_iter().filter(|(part, _)| is_missed(*part, facets)).collect();
        let said = CountedReading {
            ready: checked.ready,
            must: checked.questions.iter().any(|asked| asked.must),
            questions: checked.questions.len(),
            evidence: if held_down { 0 } else { evidence.len() },
        };
        let weighed = |table: ByReadiness, alone| probability(table.weigh(calibration.evidence, log_odds(alone), said));
        let not_ready = weighed(calibration.not_ready, alone.not_ready);
        let not_actionable = weighed(calibration.not_actionable, alone.not_actionable);
        Self {
            reading: ModelReading {
                calibration: calibration.id.clone(),
                kind: checked.kind,
                ready: checked.ready,
                must: said.must,
                questions: checked.questions.len(),
                rules_not_ready: alone.not_ready,
                rules_not_actionable: alone.not_actionable,
                evidence,
                held_down,
            },
            estimate: alone.with_probabilities(not_ready, not_actionable),
            questions: checked.questions,
        }
    }

    /// Chooses the subjects of questions: those of the reader and, if the rules alone reject or the ticket fails
    /// without a question, those of the estimate. Questions of a reader who would start without an answer are put only
    /// if the policy asks at all. Of 56 tickets about which another reader asked no question, 26 were asked about
    /// without this condition, and 6 with it; the other reader's first question was among those shown for 43 of 55
    /// tickets, instead of 44.
    pub(crate) fn asks_also_of(&mut self, alone: &Estimate, rejected: bool) {
        if self.reading.ready > NEEDS_AN_ANSWER && !self.reading.must && !self.estimate.is_worth_asking() {
            self.questions.clear();
        }
        let own = self.questions.iter().map(|asked| (asked.code, 1.0));
        let others = alone.asked.iter().copied().filter(|_| rejected);
        let mut all: Vec<(QuestionCode, f64)> = Vec::new();
        for (code, probability) in own.chain(others) {
            let likely =
                alone.asked.iter().find(|(other, _)| *other == code).map_or(probability, |(_, likely)| *likely);
            if !all.iter().any(|(other, _)| *other == code) {
                all.push((code, likely));
            }
        }
        self.estimate.asked = all;
    }

    /// The kind of the ticket according to the model, if that kind is not a requirement.
    pub(crate) fn no_requirement(&self) -> Option<TicketType> {
        self.reading
            .kind
            .filter(|kind| matches!(kind, TicketType::Task | TicketType::Question | TicketType::Discussion))
    }

    /// Adds the questions to the issues: in place of a question about the same subject, else as separate issues. With
    /// `below`, the ticket does not pass; then at least one of them blocks, so that the author hears the reason. The
    /// others are only asked.
    pub(crate) fn put_to(
        &self,
        all: &mut Vec<ReviewIssue>,
        weights: &Weights<'_>,
        may_block: impl Fn(&RuleId) -> bool,
        below: bool,
        (lines, ctx): (&LineIndex, Context<'_>),
    ) {
        let book = weights.book;
        let mut added: Vec<ReviewIssue> = Vec::new();
        for (place, asked) in self.questions.iter().enumerate() {
            let blocks = asked.must || below && !self.reading.must && place == 0;
            let (severity, disposition) = match blocks {
                true => (Severity::Blocker, Disposition::Model),
                false => (Severity::Warning, Disposition::Asked),
            };
            let Some(rule) = general(book, asked.code) else { continue };
            let finding = Finding { rule: rule.file.id.clone(), span: asked.span, against: None, values: Vec::new() };
            let own = issues::issue(rule, &finding, severity, disposition, lines, ctx);
            let Some(own) = weights.set(ReviewIssue { question: Some(asked.ask.clone()), ..own }) else { continue };
            all.retain(|issue| issue.rule_id != own.rule_id);
            let can_carry =
                |issue: &ReviewIssue| !blocks || issue.severity == Severity::Blocker && may_block(&issue.rule_id);
            // An issue keeps the question of the reader that it already has.
            let is_taken = |issue: &ReviewIssue| {
                self.questions[..place].iter().any(|earlier| issue.question.as_ref() == Some(&earlier.ask))
            };
            let mut same: Vec<&mut ReviewIssue> =
                all.iter_mut().filter(|issue| !is_taken(issue) && is_about_the_same(book, issue, asked)).collect();
            // Issues about the same words come before those about the same subject, and blockers before warnings.
            same.sort_by_key(|issue| (!can_carry(issue), issue.span.is_none(), issue.severity == Severity::Warning));
            let carrier = same.first().is_some_and(|issue| can_carry(issue));
            // A weaker question about the same subject is not asked; its issue stays.
            same.iter_mut().for_each(|issue| issue.question = None);
            match same.first_mut().filter(|_| carrier) {
                Some(issue) => issue.question = own.question,
                None => added.push(own),
            }
        }
        self.leave_room(book, all);
        all.extend(added);
    }

    /// Removes questions beyond the limit: general ones of the rules first, starting with the least probable.
    fn leave_room(&self, book: &RuleBook, all: &mut Vec<ReviewIssue>) {
        let room = MOST_QUESTIONS.saturating_sub(self.questions.len());
        let rank = |issue: &ReviewIssue| {
            let code = book.rule(&issue.rule_id).filter(|rule| rule.file.is_general())?.file.asks?;
            self.estimate.asked.iter().position(|(other, _)| *other == code)
        };
        let mut ranks: Vec<usize> = all.iter().filter_map(rank).collect();
        ranks.sort_unstable();
        ranks.truncate(room);
        all.retain(|issue| rank(issue).is_none_or(|rank| ranks.contains(&rank)));
    }
}

/// The rule that asks about a subject in general.
fn general(book: &RuleBook, code: QuestionCode) -> Option<&Rule> {
    book.rules.iter().find(|rule| rule.file.is_general() && rule.file.asks == Some(code))
}

/// Returns true for an issue of a rule about the same words, or about the same subject if at least one of them names no words.
fn is_about_the_same(book: &RuleBook, issue: &ReviewIssue, asked: &CheckedQuestion) -> bool {
    let Some(rule) = book.rule(&issue.rule_id).filter(|rule| !rule.file.is_general()) else { return false };
    if issue.disposition == Disposition::FormGap || issue.question.is_none() {
        return false;
    }
    match (issue.span, asked.span) {
        (Some(own), Some(other)) => own.overlaps(other),
        _ => rule.file.asks == Some(asked.code),
    }
}

/// Returns true for a part that the rules look for in this kind of ticket and do not find.
fn is_missed(part: EvidencePart, facets: &Facets) -> bool {
    let mut known = part.facets().iter().filter_map(|facet| facets.evidence_of(facet)).peekable();
    known.peek().is_some() && !known.any(FacetEvidence::is_likely)
}

fn log_odds(probability: f64) -> f64 {
    let held = probability.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
    (held / (1.0 - held)).ln()
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The end of a run with a reading.
pub struct ReadReport<'r> {
    /// The result of the rules alone.
    pub alone: RulesAlone,
    /// The reading, if the model gave one.
    pub heard: Option<&'r WeighedReading>,
    /// The issues of the run.
    pub issues: &'r mut dyn Iterator<Item = &'r ReviewIssue>,
}

impl Review<'_> {
    /// Reports everything that the model added as a reader.
    pub(crate) fn report_of_reading(mut self, run: ReadReport<'_>) -> ModelReport {
        let ReadReport { alone, heard, issues } = run;
        let asked = heard.map(|heard| heard.questions.as_slice()).unwrap_or_default();
        let issues: Vec<&str> = issues.filter_map(|issue| issue.question.as_deref()).collect();
        let unrecorded = self.unrecorded.take();
        let model = self.reviewer.name();
        let (host, steps, discarded) = self.end();
        ModelReport {
            model,
            host,
            questions_hash: None,
            structuring: if alone.on_raw_text { FallbackLevel::RawText } else { FallbackLevel::Rules },
            scoring: if heard.is_some() { FallbackLevel::RulesAndModel } else { FallbackLevel::Rules },
            steps,
            rules_score: alone.score,
            rules_verdict: alone.verdict,
            reading: heard.map(|heard| heard.reading.clone()),
            added_items: Vec::new(),
            lowered: Vec::new(),
            added_findings: 0,
            questions: asked
                .iter()
                .map(|asked| asked.ask.clone())
                .filter(|ask| issues.contains(&ask.as_str()))
                .collect(),
            rewrites: Vec::new(),
            disagreements: Vec::new(),
            discarded,
            unrecorded,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use reqgate_base::model::Span;
    use reqgate_rules::{self as rules, ByReadings, Rejects};

    static BOOK: LazyLock<RuleBook> =
        LazyLock::new(|| rules::load(&rules::shipped_files()).expect("the shipped rules load"));

    /// The estimate of a ticket with these probabilities.
    fn alone(not_ready: f64, not_actionable: f64) -> Estimate {
        let by = ByReadings { rejects: Rejects::NotReady, asks: 0.24, no_requirement: 0.3 };
        Estimate::nothing(by).with_probabilities(not_ready, not_actionable)
    }

    fn facets(likely: [bool; 7]) -> Facets {
        let names = EvidencePart::ALL.iter().flat_map(|part| part.facets());
        let evidence = names.zip(likely).map(|(name, is_likely)| FacetEvidence {
            facet: (*name).to_owned(),
            log_odds: if is_likely { 1.0 } else { -1.0 },
            signs: Vec::new(),
        });
        Facets { evidence: evidence.collect(), ..Facets::default() }
    }

    #[test]
    fn optional_questions_about_a_ready_ticket_are_not_put() {
        let calibration = BOOK.calibration("openai/any").expect("the shipped file holds for every model");
        let put = |not_ready: f64, ready: u8, must: bool| {
            let asked = CheckedQuestion { code: QuestionCode::What, ask: "Which one?".to_owned(), must, span: None };
            let checked = CheckedReading { ready, questions: vec![asked], ..CheckedReading::default() };
            let alone = alone(not_ready, 0.01);
            let mut heard = WeighedReading::new(checked, &alone, calibration, &facets([true; 7]), &[]);
            heard.asks_also_of(&alone, false);
            heard.questions.len()
        };
        assert_eq!([put(0.05, 3, false), put(0.05, 3, true), put(0.05, 2, false), put(0.3, 3, false)], [0, 1, 1, 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_reading_raises_a_ticket_without_words_that_the_rules_missed(
            (not_ready, not_actionable) in (0.001..0.999, 0.001..0.999),
            ready in 0..=4u8,
            musts in prop::collection::vec(any::<bool>(), 0..4),
            quoted in prop::collection::btree_set(0..EvidencePart::ALL.len(), 0..6),
            likely in any::<[bool; 7]>(),
            left_open in any::<bool>(),
        ) {
            let calibration = BOOK.calibration("openai/any").expect("the shipped file holds for every model");
            let asked = |must: &bool| CheckedQuestion {
                code: QuestionCode::What, ask: "Which one?".to_owned(), must: *must, span: None,
            };
            let span = |at: usize| Span::new(at * 10, at * 10 + 5);
            let checked = CheckedReading {
                ready,
                questions: musts.iter().map(asked).collect(),
                evidence: quoted.iter().map(|at| (EvidencePart::ALL[*at], span(*at))).collect(),
                ..CheckedReading::default()
            };
            let found: Vec<Finding> = left_open
                .then(|| Finding::missing(RuleId::new("open-point").expect("it is an id")))
                .into_iter()
                .collect();
            let alone = alone(not_ready, not_actionable);
            let heard = WeighedReading::new(checked, &alone, calibration, &facets(likely), &found);
            let counted = if left_open { 0 } else { heard.reading.evidence.len() };
            for (before, after) in [
                (alone.not_ready, heard.estimate.not_ready),
                (alone.not_actionable, heard.estimate.not_actionable),
            ] {
                let moved = log_odds(after) - log_odds(before);
                prop_assert!(moved >= -calibration.evidence.most - 1e-6, "{moved}");
                prop_assert!(counted > 0 || moved >= -1e-6, "raised by {moved} without a quote");
                prop_assert!(!musts.is_empty() || moved <= 1e-6, "lowered by {moved} without a question");
            }
        }
    }
}
