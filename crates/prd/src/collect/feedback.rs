//! Applies the changes that a reviewer asks for to a brief: replaces sections, adds statements, keeps the rest as open questions.

use reqgate_docs::write::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blanks::is_answered_in;
use super::push_question;
use crate::brief::BriefSection;
use crate::layouts::sentences::{plain, sentence};
use crate::{FeatureBrief, OpenQuestion, OtherSection, SourceQuote, Statement};
use reqgate_text::answer::split_assignment;

/// A change that a reviewer asks for in one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefModification {
    /// The section, by its heading in either language.
    pub section: String,
    /// The reason for the change.
    #[serde(default)]
    pub modification_reason: String,
    /// The part of one statement or question to replace; if absent, the whole section is replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_content: Option<String>,
    /// The new content of the section, one statement per line; a line that begins with `+` is added to the existing
    /// ones. With `originalContent`, the text that replaces it. A statement that is left empty is removed.
    #[serde(alias = "modifiedContent")]
    pub requested_content: String,
}

impl BriefModification {
    /// The trimmed text to replace, if there is any.
    fn replaced_words(&self) -> Option<&str> {
        self.original_content.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }

    /// Returns true if the text to replace does not occur in the section.
    pub(crate) fn is_misplaced(&self, brief: &FeatureBrief) -> bool {
        let Some(words) = self.replaced_words() else { return false };
        let Some(section) = BriefSection::named(&self.section) else { return true };
        let mut questions = brief.open_questions.iter().filter(|_| section == BriefSection::OpenQuestions);
        !brief.statements(section).iter().any(|one| one.text.contains(words))
            && !questions.any(|one| one.question.contains(words))
    }
}

/// The feedback of a reviewer who asks for changes to a brief.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefFeedback {
    /// Comments on the whole brief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// The changes to single sections.
    #[serde(default)]
    pub modifications: Vec<BriefModification>,
    /// The brief is written again from the sources and this feedback.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub start_over: bool,
}

/// Returns the brief with the requested changes; `source` names the review (`ask:…`).
///
/// A comment on the whole brief that begins with the name of a section ("Goals: …") is added to that section. All
/// others need a reader: they are kept verbatim as open questions.
pub fn changed_brief(brief: &FeatureBrief, feedback: &BriefFeedback, source: &str) -> FeatureBrief {
    let mut brief = brief.clone();
    for change in &feedback.modifications {
        modify(&mut brief, change, source);
    }
    for (line, words) in feedback.user_feedback.iter().flat_map(|words| words.lines()).enumerate() {
        let (words, place) = (words.trim(), place(source, line, words));
        let labelled = words.split_once([':', '：']).map(|(name, rest)| (name, rest.trim()));
        match labelled.filter(|(_, rest)| !rest.is_empty()) {
            Some((name, rest)) if names_the_title(name) => brief.title = rest.to_owned(),
            Some((name, rest)) => match BriefSection::named(name) {
                Some(section) => add(&mut brief, section, rest.to_owned(), place),
                None => add(&mut brief, BriefSection::OpenQuestions, words.to_owned(), place),
            },
            None => add(&mut brief, BriefSection::OpenQuestions, words.to_owned(), place),
        }
    }
    brief
}

/// Adds a sentence of a source to a section of the brief, with its location.
pub fn adopt(brief: &mut FeatureBrief, section: BriefSection, place: &SourceQuote) {
    add(brief, section, plain(&place.quote), place.clone());
}

/// Returns true for the label of the title in either language.
fn names_the_title(label: &str) -> bool {
    ["title", "name", "标题", "名称"].contains(&label.trim().to_lowercase().as_str())
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
    if let Some(words) = change.replaced_words() {
        return replace(brief, section, words, change.requested_content.trim(), source);
    }
    let adds = !lines.is_empty() && lines.iter().all(|(_, line)| line.starts_with('+'));
    if !adds && let Some(statements) = brief.statements_mut(section) {
        statements.clear();
    }
    for (number, line) in lines {
        let words = line.trim_start_matches(['+', '-', '*', '•', ' ']).trim().to_owned();
        let place = place(source, number, &words);
        add(brief, section, words, place);
    }
}

/// Replaces text in a statement or a question, and removes a statement that is left without words.
fn replace(brief: &mut FeatureBrief, section: BriefSection, words: &str, by: &str, source: &str) {
    let replaced = |text: &str| one_line(&text.replacen(words, by, 1));
    let says_nothing = |text: &str| !text.contains(char::is_alphanumeric);
    match brief.statements_mut(section) {
        Some(statements) => {
            if let Some(at) = statements.iter().position(|one| one.text.contains(words)) {
                let one = &mut statements[at];
                one.text = replaced(&one.text);
                if says_nothing(&one.text) {
                    statements.remove(at);
                } else if !by.is_empty() {
                    one.further_sources.push(place(source, 0, by));
                }
            }
        }
        None => {
            if let Some(at) = brief.open_questions.iter().position(|one| one.question.contains(words)) {
                let one = &mut brief.open_questions[at];
                one.question = replaced(&one.question);
                if says_nothing(&one.question) {
                    brief.open_questions.remove(at);
                }
            }
        }
    }
}

/// Handles a section that briefs do not have: the title is replaced, and any other name is kept as an additional section.
fn keep_unknown(brief: &mut FeatureBrief, change: &BriefModification, source: &str) {
    let name = change.section.trim();
    if names_the_title(name) {
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
            statements.push(Statement::new(text, Some(place)));
            // The section now answers the standard question about it.
            let is_open = |open: &OpenQuestion| open.answer.is_none();
            brief.open_questions.retain(|open| !(is_open(open) && is_answered_in(&open.question, section)));
        }
        None => {
            let (question, assigned) = split_assignment(&words);
            let mut question = OpenQuestion::new(question.to_owned(), Some(place));
            question.assign(assigned.unwrap_or_default());
            push_question(&mut brief.open_questions, question);
        }
    }
}
