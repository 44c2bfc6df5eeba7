//! Brief + sources → requirements, one for each thing that is demanded.

use super::blanks::Blank;
use super::statement::{Kind, Said};
use super::wording::{says_the_same, sentence, substance, title, topic};
use super::{RulesAuthor, Source};
use crate::model::{Language, Span};
use crate::prd::{FeatureBrief, Requirement, RequirementId, RequirementPriority, SourceQuote, Statement};
use crate::rules::DraftingCue as D;
use crate::text::Cue;
use crate::text::content_words::shared;

/// The qualities of ISO 25010 in the order in which they are looked for.
const QUALITIES: [(D, &str, &str); 6] = [
    (D::Security, "Security", "安全性"),
    (D::InteractionCapability, "Usability and accessibility", "易用性与无障碍"),
    (D::PerformanceEfficiency, "Performance", "性能"),
    (D::Reliability, "Reliability", "可靠性"),
    (D::Compatibility, "Compatibility", "兼容性"),
    (D::Maintainability, "Maintainability", "可维护性"),
];

/// At most so many criteria are taken over from the rules around a demand.
const MOST_CRITERIA: usize = 6;

impl RulesAuthor<'_> {
    /// The requirements that a brief and its sources state, with ids that none of `taken` has.
    ///
    /// A statement that somebody has struck from the brief becomes none; one that is out of scope does not either.
    pub fn requirements(&self, brief: &FeatureBrief, sources: &[Source], taken: &[RequirementId]) -> Vec<Requirement> {
        let said = self.settled(sources);
        let mut out: Vec<Requirement> = Vec::new();
        let demanded = brief.goals.iter().filter(|goal| self.is_demanded(goal, brief, &said));
        let goals = demanded.map(|goal| (goal, true));
        let rules = brief.constraints.iter().chain(&brief.flows).map(|rule| (rule, false));
        for (statement, is_goal) in goals.chain(rules) {
            let left_out = brief.out_of_scope.iter().any(|out| says_the_same(&out.text, &statement.text));
            if left_out || substance(&statement.text) < 2 {
                continue;
            }
            match out.iter_mut().find(|other| says_the_same(&other.description, &statement.text)) {
                Some(other) => merge(other, statement),
                None => out.push(self.requirement(statement, is_goal, brief, &said)),
            }
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

    /// A goal that only names what the business hopes for, or repeats the title above a list of rules, demands nothing itself.
    fn is_demanded(&self, goal: &Statement, brief: &FeatureBrief, said: &[Said]) -> bool {
        let is_title = says_the_same(&goal.text, &brief.title) && brief.goals.len() == 1;
        let origin = goal.source.as_ref().and_then(|source| said.iter().find(|said| said.quote == *source));
        let acts = self
            .reader
            .read(&goal.text, None)
            .find_cue(Span::new(0, goal.text.len()), Cue::TitleVerb)
            .is_some_and(|verb| verb.start == 0);
        let names_the_rules = is_title && !acts && goal.source.is_some() && brief.constraints.len() >= 2;
        let wants = origin.is_some_and(|said| said.kind == Kind::Demand);
        let hopes = origin.is_some_and(|said| said.kind == Kind::Goal) && self.words.has(&goal.text, D::Measure);
        wants || !names_the_rules && !hopes
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
        let acceptance_criteria = if is_goal { self.criteria_of(statement, brief, said) } else { vec![sentence(text)] };
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

    /// The rules of the brief that speak of the same thing; all criteria of the ticket where it wants one thing only.
    fn criteria_of(&self, goal: &Statement, brief: &FeatureBrief, said: &[Said]) -> Vec<String> {
        let about = topic(&goal.text);
        let same_source = |rule: &&Statement| match (&rule.source, &goal.source) {
            (Some(rule), Some(goal)) => rule.source == goal.source,
            _ => true,
        };
        let is_criterion =
            |rule: &&Statement| said.iter().any(|said| said.is_criterion && Some(&said.quote) == rule.source.as_ref());
        let rules: Vec<&Statement> = brief.constraints.iter().filter(same_source).collect();
        let near = rules.iter().copied().filter(|rule| shared(&about, &topic(&rule.text)) >= 2).collect::<Vec<_>>();
        let chosen = if near.is_empty() && brief.goals.len() == 1 {
            rules.iter().copied().filter(is_criterion).collect()
        } else {
            near
        };
        chosen.into_iter().take(MOST_CRITERIA).map(|rule| sentence(&rule.text)).collect()
    }

    /// What is said about how much it matters: in the sentence or in the heading above it.
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

    /// What somebody has answered is a requirement if it says something by itself.
    fn answered(
        &self,
        question: &crate::prd::OpenQuestion,
        brief: &FeatureBrief,
        said: &[Said],
    ) -> Option<Requirement> {
        let answer = question.answer.as_deref()?;
        let says_enough =
            substance(answer) >= 4 && !self.words.has(answer, D::Open) && !self.words.has(answer, D::OutOfScope);
        let is_blank = question.source.is_none() && !asks_for_a_rule(&question.question);
        if !says_enough || is_blank {
            return None;
        }
        let source = SourceQuote { source: format!("ask:{}", question.question), line: 1, quote: answer.to_owned() };
        let statement = Statement { text: sentence(answer), source: Some(source) };
        Some(self.requirement(&statement, false, brief, said))
    }
}

/// Answers to who, why and how one will measure belong into the brief; those to limits and errors are rules.
fn asks_for_a_rule(question: &str) -> bool {
    matches!(Blank::of(question), Some(Blank::Errors | Blank::Limits))
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
