//! Brief + sources → requirements, one for each thing that is demanded.

use super::blanks::Blank;
use super::statement::{Kind, Said};
use super::titles::title;
use super::which_holds::{Held, answered_with};
use super::wording::{says_the_same, sentence, substance, topic};
use super::{RulesAuthor, Source};
use crate::model::{Language, Span};
use crate::prd::{FeatureBrief, OpenQuestion, Requirement, RequirementId, RequirementPriority, Statement};
use crate::rules::DraftingCue as D;
use crate::text::Cue;
use crate::text::content_words::shared;
use crate::text::quantities::quantities;

/// The qualities of ISO 25010 in the order in which they are looked for.
const QUALITIES: [(D, &str, &str); 6] = [
    (D::Security, "Security", "安全性"),
    (D::InteractionCapability, "Usability and accessibility", "易用性与无障碍"),
    (D::PerformanceEfficiency, "Performance", "性能"),
    (D::Reliability, "Reliability", "可靠性"),
    (D::Compatibility, "Compatibility", "兼容性"),
    (D::Maintainability, "Maintainability", "可维护性"),
];

/// The maximum number of criteria for one requirement.
const MOST_CRITERIA: usize = 20;

impl RulesAuthor<'_> {
    /// The requirements that a brief and its sources state, with ids that are not in `taken`.
    ///
    /// A statement that a person has deleted from the brief, or that is out of scope, does not become a requirement.
    pub fn requirements(&self, brief: &FeatureBrief, sources: &[Source], taken: &[RequirementId]) -> Vec<Requirement> {
        let said = self.settled(sources);
        let mut out: Vec<Requirement> = Vec::new();
        let demanded = brief.goals.iter().filter(|goal| self.is_demanded(goal, brief, &said));
        let goals = demanded.map(|goal| (goal, true));
        let rules = brief.constraints.iter().chain(&brief.flows);
        let (criteria, rules): (Vec<&Statement>, Vec<&Statement>) = rules.partition(|rule| is_criterion(rule, &said));
        let elsewhere = brief.constraints.iter().chain(&brief.flows).chain(&brief.goals);
        let settled = self.settled_by_answers(brief, &said);
        let has_files = elsewhere.filter(|statement| !is_uttered(statement)).count() >= 3;
        let stated = |statement: &Statement| {
            substance(&statement.text) >= 2
                && !(has_files && is_uttered(statement) && self.only_names(&statement.text))
                && !brief.out_of_scope.iter().any(|out| says_the_same(&out.text, &statement.text))
                && settled.out.iter().all(|out| sentence(out) != sentence(&statement.text))
        };
        let draw = |out: &mut Vec<Requirement>, statement: &Statement, is_goal: bool| match out
            .iter_mut()
            .find(|other| says_the_same(&other.description, &statement.text))
        {
            Some(other) => merge(other, statement),
            None => out.push(self.requirement(statement, is_goal, brief, &said)),
        };
        for (statement, is_goal) in goals.chain(rules.into_iter().map(|rule| (rule, false))) {
            if stated(statement) {
                draw(&mut out, statement, is_goal);
            }
        }
        let before = out.len();
        for criterion in criteria.into_iter().filter(|criterion| stated(criterion)) {
            match self.owner(criterion, &out[..before]) {
                Some(owner) => attach(&mut out[owner], criterion),
                None => draw(&mut out, criterion, false),
            }
        }
        for held in &settled.holds {
            draw_held(&mut out, self.held(held, brief, &said), held);
        }
        let answers = brief.open_questions.iter().filter_map(|question| self.answered(question, brief, &said));
        for requirement in answers.collect::<Vec<_>>() {
            if !out.iter().any(|other| says_the_same(&other.description, &requirement.description)) {
                out.push(requirement);
            }
        }
        number(&mut out, taken);
        out
    }

    /// A goal that only names a business hope, or repeats the title above a list of rules, is not a demand.
    fn is_demanded(&self, goal: &Statement, brief: &FeatureBrief, said: &[Said]) -> bool {
        let is_title = says_the_same(&goal.text, &brief.title) && brief.goals.len() == 1;
        // One sentence may hold several statements.
        let stands_as = |kind: Kind| {
            goal.source
                .as_ref()
                .is_some_and(|source| said.iter().any(|said| said.quote == *source && said.kind == kind))
        };
        // Above rules the title is only their name; above criteria it is the thing they check.
        let rules = said.iter().filter(|said| said.kind == Kind::Rule && !said.is_criterion).count();
        let names_the_rules = is_title && goal.source.is_some() && rules >= 2;
        let wants = stands_as(Kind::Demand);
        let hopes = stands_as(Kind::Goal) && self.words.has(&goal.text, D::Measure);
        // "We need better reports", while the rules are in the accompanying files.
        let only_names = substance(&goal.text) <= 5
            && goal.source.as_ref().is_some_and(|place| place.source == "utterance")
            && brief.constraints.iter().any(|rule| {
                rule.source
                    .as_ref()
                    .is_some_and(|place| place.source != "utterance" && !place.source.starts_with("ask:"))
            });
        !only_names && (wants || !names_the_rules && !hopes)
    }

    /// "We'd like to build the tracker properly this time", next to files with the demands: a name, not a demand.
    fn only_names(&self, words: &str) -> bool {
        let reading = self.reader.read(words, None);
        let whole = Span::new(0, words.len());
        quantities(words, whole).is_empty()
            && !reading.cues_in(whole).any(&[Cue::Obligation, Cue::Bound, Cue::Condition])
    }

    fn requirement(&self, statement: &Statement, is_goal: bool, brief: &FeatureBrief, said: &[Said]) -> Requirement {
        let text = statement.text.as_str();
        let quality = QUALITIES.iter().find(|(cue, _, _)| !is_goal && self.words.has(text, *cue));
        let origin = statement.source.as_ref().and_then(|source| said.iter().find(|said| said.quote == *source));
        let zh = brief.language == Language::Zh;
        let category = match quality {
            Some((_, en, zh_name)) => if zh { zh_name } else { en }.to_string(),
            None => if zh { "功能" } else { "Functional" }.to_owned(),
        };
        // The criteria of a goal say how to check it; a rule can be checked directly.
        let acceptance_criteria = if is_goal { Vec::new() } else { vec![sentence(text)] };
        Requirement {
            // Numbered once all are known.
            id: if quality.is_some() { RequirementId::quality(0) } else { RequirementId::functional(0) },
            title: title(text),
            description: sentence(text),
            priority: self.priority(text, origin),
            category,
            acceptance_criteria,
            sources: statement.source.iter().cloned().collect(),
            aliases: Vec::new(),
            user_stories: Vec::new(),
        }
    }

    /// The requirement that a criterion belongs to: the only one of its source, or the one that it refers to. A
    /// criterion about a quality becomes a separate requirement.
    fn owner(&self, criterion: &Statement, drawn: &[Requirement]) -> Option<usize> {
        if QUALITIES.iter().any(|(cue, _, _)| self.words.has(&criterion.text, *cue)) {
            return None;
        }
        let origin = criterion.source.as_ref().map(|place| place.source.as_str());
        let same_source = |requirement: &Requirement| {
            origin.is_none_or(|origin| requirement.sources.iter().any(|place| place.source == origin))
        };
        let near: Vec<usize> = (0..drawn.len()).filter(|at| same_source(&drawn[*at])).collect();
        if let [only] = near.as_slice() {
            return Some(*only);
        }
        let about = topic(&criterion.text);
        let common = |at: &usize| shared(&about, &topic(&drawn[*at].description));
        near.into_iter().rev().filter(|at| common(at) >= 2).max_by_key(common)
    }

    /// The stated importance: in the sentence or in the heading above it.
    fn priority(&self, text: &str, origin: Option<&Said>) -> RequirementPriority {
        let quote = origin.map_or(text, |said| said.quote.quote.as_str());
        let heading = origin.and_then(|said| said.heading.as_deref()).unwrap_or_default();
        for words in [quote, text, heading] {
            let cues = self.words.in_text(words);
            let whole = Span::new(0, words.len());
            let stated = [
                (D::PriorityLow, RequirementPriority::Low),
                (D::PriorityHigh, RequirementPriority::High),
                (D::PriorityMedium, RequirementPriority::Medium),
            ];
            if let Some((_, priority)) = stated.into_iter().find(|(cue, _)| cues.has(whole, *cue)) {
                return priority;
            }
        }
        RequirementPriority::Medium
    }

    /// A statement that was asked about and holds: extracted like any other, with the answer as an additional source.
    fn held(&self, held: &Held, brief: &FeatureBrief, said: &[Said]) -> Requirement {
        let is_demand = said.iter().any(|said| said.quote == held.quote && said.kind == Kind::Demand);
        let words = if is_demand { self.wish(&held.words).1 } else { held.words.clone() };
        let statement = Statement { text: sentence(&words), source: Some(held.quote.clone()) };
        let mut requirement = self.requirement(&statement, false, brief, said);
        requirement.sources.push(held.answer.clone());
        requirement
    }

    /// The answer of a person becomes a requirement if it is meaningful by itself.
    fn answered(&self, question: &OpenQuestion, brief: &FeatureBrief, said: &[Said]) -> Option<Requirement> {
        let is_blank = question.source.is_none() && !asks_for_a_rule(&question.question);
        let words = self.own_answer(question, said).filter(|_| !is_blank)?;
        let source = answered_with(question, question.answer.as_deref().unwrap_or(&words));
        let statement = Statement { text: sentence(&words), source: Some(source) };
        Some(self.requirement(&statement, false, brief, said))
    }
}

/// Adds what holds by an answer. What another paper says in the same words has one more place.
fn draw_held(out: &mut Vec<Requirement>, requirement: Requirement, held: &Held) {
    match out.iter_mut().find(|other| other.description == requirement.description) {
        Some(other) => {
            for place in [&held.quote, &held.answer] {
                if !other.sources.contains(place) {
                    other.sources.push(place.clone());
                }
            }
        }
        None => out.push(requirement),
    }
}

/// True for the request for the feature.
fn is_uttered(statement: &Statement) -> bool {
    statement.source.as_ref().is_some_and(|place| place.source == "utterance")
}

/// Answers to who, why and how one will measure belong into the brief; those to limits and errors are rules.
fn asks_for_a_rule(question: &str) -> bool {
    matches!(Blank::of(question), Some(Blank::Errors | Blank::Limits))
}

/// True for a statement under a heading for criteria.
fn is_criterion(rule: &Statement, said: &[Said]) -> bool {
    said.iter().any(|said| said.is_criterion && Some(&said.quote) == rule.source.as_ref())
}

/// Adds a criterion with its place.
fn attach(requirement: &mut Requirement, criterion: &Statement) {
    let words = sentence(&criterion.text);
    // The single criterion says nothing more if there are explicit criteria.
    let Requirement { acceptance_criteria, description, .. } = requirement;
    acceptance_criteria.retain(|own| own != description);
    if requirement.acceptance_criteria.len() < MOST_CRITERIA && !requirement.acceptance_criteria.contains(&words) {
        requirement.acceptance_criteria.push(words);
        if let Some(place) = criterion.source.as_ref().filter(|place| !requirement.sources.contains(place)) {
            requirement.sources.push(place.clone());
        }
    }
}

fn merge(requirement: &mut Requirement, statement: &Statement) {
    if let Some(source) = statement.source.as_ref().filter(|source| !requirement.sources.contains(source)) {
        requirement.sources.push(source.clone());
    }
    let criterion = sentence(&statement.text);
    if requirement.acceptance_criteria.len() < MOST_CRITERIA && !requirement.acceptance_criteria.contains(&criterion) {
        requirement.acceptance_criteria.push(criterion);
    }
}

/// Gives each its id, functional and quality apart, above all that are taken.
pub(super) fn number(requirements: &mut [Requirement], taken: &[RequirementId]) {
    let highest = |quality: bool| {
        taken.iter().filter(|id| id.is_quality() == quality).map(RequirementId::number).max().unwrap_or(0)
    };
    let (mut functional, mut quality) = (highest(false), highest(true));
    for requirement in requirements {
        requirement.id = if requirement.id.is_quality() {
            quality = quality.saturating_add(1);
            RequirementId::quality(quality)
        } else {
            functional = functional.saturating_add(1);
            RequirementId::functional(functional)
        };
    }
}
