//! The local reader's result for one ticket: probabilities in place of outputs, and its share in the evidence.

use reqgate_reader::{Code, Element, Kind, Outputs};

use super::calibration::{Line, ReaderCalibration};
use reqgate_base::model::{FacetEvidence, Language, QuestionCode, SignSeen, TicketType};

/// An element of a ticket, by its name in reports, with the facets whose signs are evidence for it. The network
/// estimates the first facet; the others replace it ("needs no environment").
#[derive(Debug, Clone, Copy)]
pub struct TicketElement {
    /// The name, as readers write it.
    pub name: &'static str,
    /// The facets of the element.
    pub facets: &'static [&'static str],
    /// The subject of the question about it, if it has one.
    pub asked_as: Option<QuestionCode>,
    element: Element,
}

/// Every element but the open points, in the order of a report.
pub const ELEMENTS: [TicketElement; 9] = [
    TicketElement { name: "need", facets: &["need"], asked_as: None, element: Element::Need },
    TicketElement {
        name: "actual",
        facets: &["actual"],
        asked_as: Some(QuestionCode::Actual),
        element: Element::Actual,
    },
    TicketElement {
        name: "expected",
        facets: &["expected-stated", "expected-implied"],
        asked_as: Some(QuestionCode::Expected),
        element: Element::Expected,
    },
    TicketElement {
        name: "steps",
        facets: &["steps"],
        asked_as: Some(QuestionCode::Reproduce),
        element: Element::Steps,
    },
    TicketElement {
        name: "environment",
        facets: &["environment-stated", "environment-not-needed"],
        asked_as: Some(QuestionCode::Environment),
        element: Element::Environment,
    },
    TicketElement { name: "where", facets: &[], asked_as: Some(QuestionCode::Where), element: Element::Where },
    TicketElement {
        name: "criterion",
        facets: &["criteria"],
        asked_as: Some(QuestionCode::Done),
        element: Element::Criterion,
    },
    TicketElement { name: "why", facets: &["why"], asked_as: Some(QuestionCode::Why), element: Element::Why },
    TicketElement { name: "who", facets: &["who"], asked_as: None, element: Element::Who },
];

/// Subjects that readers ask about only if a feature is to be built: of 136 bug reports, three readers asked for the
/// change, and none asked for the test that shows that it is done.
const OF_FEATURES: [QuestionCode; 2] = [QuestionCode::What, QuestionCode::Done];

/// Subjects that readers ask about only after a fault: of 219 features, two were asked for steps or a symptom, none for
/// a version.
const OF_BUGS: [QuestionCode; 3] = [QuestionCode::Environment, QuestionCode::Reproduce, QuestionCode::Actual];

/// The id of the network's estimate among the signs of the rubric.
const SIGN: &str = "local-reader";

/// The local reader's result for one ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    outputs: Outputs,
    language: Language,
}

/// The kind of a text, by network and signs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReadKind {
    /// The probability that it asks for no work that could be ready or not, 0 to 1.
    pub no_requirement: f64,
    /// The kind if it asks for no work: a task, a question or a discussion.
    pub otherwise: TicketType,
    /// The kind if it asks for work: a bug or a feature.
    pub requirement: TicketType,
}

impl Read {
    pub(super) fn new(outputs: Outputs, language: Language) -> Self {
        Self { outputs, language }
    }

    /// The log-odds that a reader has to ask before the work can be finished.
    pub(crate) fn not_ready(&self) -> f64 {
        let lines = &ReaderCalibration::shipped().not_ready;
        lines.get(&self.language).copied().unwrap_or(Line::SAME).at(self.outputs.must_ask().into())
    }

    /// The log-odds that the work cannot be started.
    pub(crate) fn not_actionable(&self) -> f64 {
        let lines = &ReaderCalibration::shipped().not_actionable;
        lines.get(&self.language).copied().unwrap_or(Line::SAME).at(self.outputs.cannot_start().into())
    }

    /// The log-odds that a reader asks about a subject, without regard to the evidence.
    pub fn asks(&self, code: QuestionCode) -> f64 {
        self.outputs.asks(code_of(code)).into()
    }

    /// The subjects that a reader would ask about and that the evidence does not settle, with probabilities from 0 to
    /// 1, the most probable first, at most `most`; empty unless `asks`. A decision that the author leaves open is among
    /// them if the network is sure of it.
    pub(crate) fn asked(
        &self,
        evidence: &[FacetEvidence],
        is_bug: bool,
        asks: bool,
        most: usize,
    ) -> Vec<(QuestionCode, f64)> {
        let ReaderCalibration { asked: least, open, never, .. } = ReaderCalibration::shipped();
        let open_to_ask = |code: &QuestionCode| {
            let of_others: &[QuestionCode] = if is_bug { &OF_FEATURES } else { &OF_BUGS };
            !(never.contains(code) || self.is_answered(*code, evidence) || of_others.contains(code))
        };
        let likely = |code: QuestionCode| (code, probability(self.asks(code)));
        let mut all: Vec<(QuestionCode, f64)> = QuestionCode::ALL.into_iter().filter(open_to_ask).map(likely).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        let first = all.first().copied().filter(|_| !is_bug);
        all.retain(|one| asks && (Some(*one) == first || one.1 >= *least));
        all.truncate(most);
        let left_open = probability(self.outputs.says(Element::Open).into());
        if left_open >= *open && !all.iter().any(|(code, _)| *code == QuestionCode::Decide) {
            all.truncate(most.saturating_sub(1));
            all.push((QuestionCode::Decide, likely(QuestionCode::Decide).1));
        }
        all
    }

    /// The subject of a bug report that a reader would probably ask about and that the text settles least; with the
    /// probability that it is asked about, 0 to 1.
    pub(crate) fn least_settled(&self, evidence: &[FacetEvidence]) -> Option<(QuestionCode, f64)> {
        let subjects = ELEMENTS.iter().filter_map(|element| Some((element.asked_as?, element)));
        let open = |(code, element): (QuestionCode, &TicketElement)| {
            let asked = probability(self.asks(code));
            ((code, asked), asked * (1.0 - self.says(element, evidence)))
        };
        let of_bugs = subjects.filter(|(code, _)| OF_BUGS.contains(code));
        of_bugs.map(open).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(subject, _)| subject)
    }

    /// Returns true for a subject whose element is in the text; only the element itself settles a question about it.
    fn is_answered(&self, code: QuestionCode, evidence: &[FacetEvidence]) -> bool {
        let element = ELEMENTS.iter().find(|element| element.asked_as == Some(code));
        element.is_some_and(|element| Self::is_evident(element, self.says(element, evidence)))
    }

    /// Returns true for the probability of an element that is evident, so that it is not asked for.
    pub(crate) fn is_evident(element: &TicketElement, probability: f64) -> bool {
        let ReaderCalibration { evident, evident_criterion, .. } = ReaderCalibration::shipped();
        probability >= if element.asked_as == Some(QuestionCode::Done) { *evident_criterion } else { *evident }
    }

    /// The probability that an element is in the text, 0 to 1, by evidence in which the network has its share.
    pub(crate) fn says(&self, element: &TicketElement, evidence: &[FacetEvidence]) -> f64 {
        let of = |facet: &&str| evidence.iter().find(|own| own.facet == *facet).map(|own| own.log_odds);
        let weighed = element
            .facets
            .iter()
            .filter_map(of)
            .fold(None, |most: Option<f64>, odds| Some(most.map_or(odds, |most| most.max(odds))));
        // If no sign of it is looked for in this kind of ticket, the network decides alone.
        probability(weighed.unwrap_or_else(|| self.outputs.says(element.element).into()))
    }

    /// The kind of the text; `kinds` are the signs of each kind.
    pub(crate) fn kind(&self, kinds: &[FacetEvidence]) -> ReadKind {
        let signs = ReaderCalibration::shipped().signs;
        let odds = |id: &str| kinds.iter().find(|kind| kind.facet == id).map(|kind| kind.log_odds);
        let [bug, feature] = [Kind::Bug, Kind::Feature].map(|kind| f64::from(self.outputs.is(kind)));
        let none = ["kind-question", "kind-task", "kind-discussion"].into_iter().filter_map(odds);
        let none = none.fold(None, |most: Option<f64>, odds| Some(most.map_or(odds, |most| most.max(odds))));
        let others = [
            (Kind::Question, TicketType::Question),
            (Kind::Task, TicketType::Task),
            (Kind::Discussion, TicketType::Discussion),
        ];
        let most_likely = others.into_iter().max_by(|a, b| self.outputs.is(a.0).total_cmp(&self.outputs.is(b.0)));
        let is_bug = log_odds(bug / (bug + feature)) + signs.bug * odds("kind-bug").unwrap_or_default() > 0.0;
        ReadKind {
            no_requirement: probability(
                log_odds(1.0 - bug - feature) + signs.no_requirement * none.unwrap_or_default(),
            ),
            otherwise: most_likely.map_or(TicketType::Question, |(_, kind)| kind),
            requirement: if is_bug { TicketType::Bug } else { TicketType::Feature },
        }
    }

    /// Adds the network's estimate to the signs of each facet.
    pub(crate) fn add_to(&self, evidence: &mut [FacetEvidence]) {
        let ReaderCalibration { signs, .. } = ReaderCalibration::shipped();
        for own in evidence {
            let of_facet = |element: &&TicketElement| element.facets.first() == Some(&own.facet.as_str());
            let Some(element) = ELEMENTS.iter().find(of_facet) else { continue };
            let said = hundredths(self.outputs.says(element.element).into());
            own.signs.iter_mut().for_each(|sign| sign.weight = hundredths(sign.weight * signs.element));
            own.log_odds = hundredths(own.log_odds * signs.element + said);
            own.signs.push(SignSeen {
                id: SIGN.to_owned(),
                says: "the local reader finds it in the text".to_owned(),
                weight: said,
                span: None,
            });
        }
    }
}

impl Line {
    const SAME: Self = Self { add: 0.0, times: 1.0 };
}

fn code_of(code: QuestionCode) -> Code {
    match code {
        QuestionCode::What => Code::What,
        QuestionCode::Environment => Code::Environment,
        QuestionCode::Reproduce => Code::Reproduce,
        QuestionCode::Actual => Code::Actual,
        QuestionCode::Decide => Code::Decide,
        QuestionCode::Done => Code::Done,
        QuestionCode::Where => Code::Where,
        QuestionCode::Scope => Code::Scope,
        QuestionCode::Context => Code::Context,
        QuestionCode::Expected => Code::Expected,
        QuestionCode::Why => Code::Why,
        QuestionCode::Other => Code::Other,
    }
}

/// The distance that probabilities keep from 0 and 1.
const LEAST: f64 = 1e-6;

fn log_odds(probability: f64) -> f64 {
    let held = probability.clamp(LEAST, 1.0 - LEAST);
    (held / (1.0 - held)).ln()
}

/// Converts log-odds to a probability, 0 to 1.
fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
