//! Applies a review to a brief: replaces sections, adds statements, and turns the rest into questions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RulesAuthor;
use super::brief::push_question;
use super::wording::{sentence, substance, words_of};
use crate::prd::brief::BriefSection;
use crate::prd::{FeatureBrief, OpenQuestion, OtherSection, SourceQuote, Statement};
use crate::rules::DraftingCue;

/// A change that a person asks for in one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefModification {
    /// The section, by its heading in either language.
    pub section: String,
    /// Why.
    #[serde(default)]
    pub modification_reason: String,
    /// The new content of the section, one statement per line; lines that start with `+` are added to it.
    pub requested_content: String,
}

/// The feedback of a person who does not approve a brief.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefFeedback {
    /// Words about the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// Changes by section.
    #[serde(default)]
    pub modifications: Vec<BriefModification>,
}

impl RulesAuthor<'_> {
    /// The brief with the changes that a review asks for; `source` names the review (`ask:…`).
    ///
    /// Feedback that names no section becomes a constraint where it states a rule, and a question where it does not.
    pub fn update_brief(&self, brief: &FeatureBrief, feedback: &BriefFeedback, source: &str) -> FeatureBrief {
        let mut brief = brief.clone();
        for change in &feedback.modifications {
            modify(&mut brief, change, source);
        }
        for (line, words) in feedback.user_feedback.iter().flat_map(|words| words.lines()).enumerate() {
            self.take_in(&mut brief, words, place(source, line, words));
        }
        brief
    }

    fn take_in(&self, brief: &mut FeatureBrief, words: &str, place: SourceQuote) {
        let bare = words_of(words);
        if bare.is_empty() {
            return;
        }
        let named = words
            .split_once([':', '：'])
            .and_then(|(name, rest)| BriefSection::named(name).map(|section| (section, rest)));
        if let Some((section, rest)) = named {
            add(brief, section, words_of(rest), place);
            return;
        }
        let said = self.said(&super::Source { name: place.source.clone(), text: words.to_owned(), asked: None });
        let leaves_out =
            said.iter().any(|said| said.kind == super::statement::Kind::OutOfScope || said.takes_back.is_some());
        let demands = said.iter().any(|said| said.kind.demands()) && !self.words.has(words, DraftingCue::Open);
        let section = match () {
            () if leaves_out => BriefSection::OutOfScope,
            () if demands && substance(&bare) >= 3 => BriefSection::Constraints,
            () => BriefSection::OpenQuestions,
        };
        add(brief, section, bare, place);
    }
}

fn place(source: &str, line: usize, words: &str) -> SourceQuote {
    SourceQuote {
        source: source.to_owned(),
        line: u32::try_from(line + 1).unwrap_or(u32::MAX),
        quote: words.to_owned(),
    }
}

fn modify(brief: &mut FeatureBrief, change: &BriefModification, source: &str) {
    let lines = change.requested_content.lines().map(str::trim).enumerate();
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
    let Some(section) = BriefSection::named(&change.section) else {
        return keep_unknown(brief, change, source);
    };
    let adds = !lines.is_empty() && lines.iter().all(|(_, line)| line.starts_with('+'));
    if !adds && let Some(statements) = brief.statements_mut(section) {
        statements.clear();
    }
    for (number, line) in lines {
        let words = line.trim_start_matches(['+', '-', '*', '•', ' ']).trim().to_owned();
        add(brief, section, words, place(source, number, line));
    }
}

/// The title is not a section, and an unknown section of the reader is kept.
fn keep_unknown(brief: &mut FeatureBrief, change: &BriefModification, source: &str) {
    let name = change.section.trim();
    if ["title", "标题", "名称", "name"].contains(&name.to_lowercase().as_str()) {
        brief.title = change.requested_content.trim().lines().next().unwrap_or_default().to_owned();
        return;
    }
    let text = change.requested_content.trim_matches('\n').replace('\r', "");
    match brief.other_sections.iter_mut().find(|other| !name.is_empty() && other.heading.eq_ignore_ascii_case(name)) {
        Some(other) => other.text = text,
        None if !name.is_empty() => brief.other_sections.push(OtherSection { heading: name.to_owned(), text }),
        None => {
            let words = change.requested_content.trim();
            add(brief, BriefSection::OpenQuestions, words.to_owned(), place(source, 0, words));
        }
    }
}

fn add(brief: &mut FeatureBrief, section: BriefSection, words: String, place: SourceQuote) {
    if words.is_empty() {
        return;
    }
    match brief.statements_mut(section) {
        Some(statements) if statements.iter().any(|other| other.text == words) => {}
        Some(statements) => {
            let text = if section == BriefSection::Users { words } else { sentence(&words) };
            statements.push(Statement { text, source: Some(place) });
        }
        None => push_question(
            &mut brief.open_questions,
            OpenQuestion { question: words, source: Some(place), answer: None },
        ),
    }
}
