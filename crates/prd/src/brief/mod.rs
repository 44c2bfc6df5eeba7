//! Reads and writes a feature brief as Markdown, which people can edit by hand without losing content.
//!
//! Statements are bullets, each with its source in a comment; an open question is a check box with its id, and a blank below it.
//! Every heading, bullet, paragraph and answer that a person adds is read; a section with an unknown name is kept.

mod marks;
mod names;
mod parse;

pub use marks::decode;
pub use names::{BriefSection, still_open};
pub use parse::{is_blank, parse_brief, says_none};
pub use parse::{items, joined};

use super::{FeatureBrief, OpenQuestion, OtherSection, Statement};
pub use names::assigned_labels;
use names::{BLANK, answer_label, title_prefix};
use reqgate_base::model::Language;
use reqgate_gate::stages::intake::feature_part::without_front_matter;
use reqgate_text::answer::read_answer;

/// Renders the brief as Markdown; [`parse_brief`] restores it.
pub fn render_brief(brief: &FeatureBrief) -> String {
    let language = brief.language;
    let title = marks::encode_on_one_line(&brief.title);
    let mut out = format!("# {}{title}\n", title_prefix(language));
    for other in brief.other_sections.iter().filter(|other| other.heading.is_empty()) {
        push_other(other, &mut out);
    }
    // An empty heading would look like an unfilled form; the open questions ask for the missing parts.
    for section in BriefSection::ALL.into_iter().filter(|section| brief.says_something_in(*section)) {
        out.push_str(&format!("\n## {}\n", section.heading(language)));
        if section == BriefSection::OpenQuestions {
            push_questions(&brief.open_questions, language, &mut out);
        } else {
            push_statements(brief.statements(section), &mut out);
        }
    }
    for other in brief.other_sections.iter().filter(|other| !other.heading.is_empty()) {
        push_other(other, &mut out);
    }
    out
}

/// The text of a brief after a change; its front matter stays.
pub fn edited_brief(document: &str, change: impl FnOnce(&mut FeatureBrief)) -> String {
    let front = &document[..document.len() - without_front_matter(document).len()];
    let mut brief = parse_brief(document);
    change(&mut brief);
    format!("{front}{}", render_brief(&brief))
}

fn push_statements(statements: &[Statement], out: &mut String) {
    out.push('\n');
    for statement in statements {
        let sources: String = statement.sources().map(marks::source_comment).collect();
        out.push_str(&format!("- {}{sources}\n", marks::encode(&statement.text)));
    }
}

fn push_questions(questions: &[OpenQuestion], language: Language, out: &mut String) {
    let mut questions = questions.to_vec();
    OpenQuestion::number(&mut questions);
    out.push('\n');
    for question in &questions {
        let tick = if question.answer.is_some() { 'x' } else { ' ' };
        let places = question.source.iter().chain(&question.further_sources).map(marks::source_comment);
        let sources: String = places.chain(question.against.as_ref().map(marks::against_comment)).collect();
        let words = parse::shield_lines(&marks::encode(&question.question));
        let answer = question
            .answer
            .as_deref()
            .map_or_else(|| BLANK.to_owned(), |answer| shown_answer(&question.question, answer));
        let id = question.id.map(|id| format!("{id}: ")).unwrap_or_default();
        out.push_str(&format!("- [{tick}] {id}{words}{sources}\n"));
        let OpenQuestion { owner, due, default, .. } = question;
        for (label, words) in assigned_labels(language).into_iter().zip([owner, due, default]) {
            if let Some(words) = words {
                out.push_str(&format!("  {label}{}\n", marks::encode_on_one_line(words)));
            }
        }
        out.push_str(&format!("  {}{answer}\n", answer_label(language)));
    }
}

/// An answer that leaves something open ("______", "TBD, ask legal") is escaped so that it is still read as an answer.
fn shown_answer(question: &str, answer: &str) -> String {
    let is_answer = |words: &str| read_answer(question, words).open.is_none();
    if answer.is_empty() || is_answer(answer) {
        return marks::encode(answer);
    }
    let words = marks::encode_on_one_line(answer);
    if words.starts_with("&#") { words } else { parse::shield(&words) }
}

fn push_other(other: &OtherSection, out: &mut String) {
    if !other.heading.is_empty() {
        let words = marks::encode_on_one_line(&other.heading);
        let words = if BriefSection::named(&words).is_some() { parse::shield(&words) } else { words };
        out.push_str(&format!("\n## {words}\n"));
    }
    let text = parse::escape_headings(&other.text);
    if !text.is_empty() {
        out.push_str(&format!("\n{text}\n"));
    }
}

impl FeatureBrief {
    /// Returns the statements of a section; empty for the open questions, which are not statements.
    pub(crate) fn statements(&self, section: BriefSection) -> &[Statement] {
        match section {
            BriefSection::Problem => &self.problem,
            BriefSection::Goals => &self.goals,
            BriefSection::Users => &self.users,
            BriefSection::Flows => &self.flows,
            BriefSection::SuccessMeasures => &self.success_measures,
            BriefSection::Constraints => &self.constraints,
            BriefSection::OutOfScope => &self.out_of_scope,
            BriefSection::OpenQuestions => &[],
        }
    }

    fn says_something_in(&self, section: BriefSection) -> bool {
        match section {
            BriefSection::OpenQuestions => !self.open_questions.is_empty(),
            _ => !self.statements(section).is_empty(),
        }
    }

    /// Returns the statements of a section for editing; `None` for the open questions.
    pub(crate) fn statements_mut(&mut self, section: BriefSection) -> Option<&mut Vec<Statement>> {
        Some(match section {
            BriefSection::Problem => &mut self.problem,
            BriefSection::Goals => &mut self.goals,
            BriefSection::Users => &mut self.users,
            BriefSection::Flows => &mut self.flows,
            BriefSection::SuccessMeasures => &mut self.success_measures,
            BriefSection::Constraints => &mut self.constraints,
            BriefSection::OutOfScope => &mut self.out_of_scope,
            BriefSection::OpenQuestions => return None,
        })
    }
}

#[cfg(test)]
mod tests;
