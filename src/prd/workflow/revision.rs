//! Changes that a review asks for: open questions answered, a section replaced, a note added, the status set.

use std::collections::BTreeMap;

use super::asks::PrdModification;
use super::facts::{GateSummary, JudgedDocument};
use super::state::PrdState;
use crate::prd::brief::{BriefSection, parse_brief, render_brief};
use crate::prd::collect::{NotUsed, adopt, answer_question};
use crate::prd::prd_text::overridden;
use crate::prd::{OpenQuestion, markup};
use crate::stages::intake::feature_part::without_front_matter;
use crate::workflow::Question;

/// The questions of a brief that nobody has answered.
pub(super) fn open_questions(document: &str) -> Vec<Question> {
    let brief = parse_brief(document);
    let open = brief.open_questions.iter().filter(|question| question.answer.is_none());
    let asked = open.enumerate().map(|(index, open)| Question {
        id: format!("q{}", index + 1),
        question: open.question.clone(),
        about: open.source.as_ref().map(|source| format!("{}:{}", source.source, source.line)),
    });
    asked.collect()
}

/// The brief with answers to its open questions.
pub(super) fn answered_brief(document: &str, asked: &[Question], answers: &BTreeMap<String, String>) -> String {
    let mut brief = parse_brief(document);
    for question in asked {
        if let Some(answer) = answers.get(&question.id) {
            answer_question(&mut brief, &question.question, answer);
        }
    }
    render_brief(&brief)
}

/// The brief, with its front matter, and with these open questions where it does not ask them yet.
pub(super) fn with_questions(document: &str, questions: &[OpenQuestion]) -> String {
    let body = without_front_matter(document);
    let front = &document[..document.len() - body.len()];
    let mut brief = parse_brief(body);
    for question in questions {
        if !brief.open_questions.iter().any(|known| known.question == question.question) {
            brief.open_questions.push(question.clone());
        }
    }
    format!("{front}{}", render_brief(&brief))
}

/// The brief with sentences of the sources that a person has adopted, each in the section that was named for it.
pub(super) fn adopted(document: &str, not_used: &[NotUsed], chosen: &BTreeMap<String, String>) -> String {
    let mut brief = parse_brief(document);
    for sentence in not_used {
        if let Some(section) = chosen.get(&sentence.id).and_then(|name| BriefSection::named(name)) {
            adopt(&mut brief, section, &sentence.place);
        }
    }
    render_brief(&brief)
}

/// The PRD with the changes that a review asks for: sections replaced, words about the whole added as notes.
pub(super) fn changed_prd(content: &str, changes: &[PrdModification], feedback: Option<&str>) -> String {
    let mut out = content.to_owned();
    let mut notes: Vec<String> =
        feedback.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
    for change in changes {
        match replaced_section(&out, &change.section, &change.modified_content) {
            Some(changed) => out = changed,
            None => notes.push(format!("{}: {}", change.section, change.modified_content.trim())),
        }
    }
    if !notes.is_empty() {
        let zh = content.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        let heading = if zh { "## 评审意见" } else { "## Review notes" };
        if !out.contains(heading) {
            out = format!("{}\n\n{heading}\n", out.trim_end());
        }
        let bullets: Vec<String> = notes.iter().map(|note| format!("- {}", note.replace('\n', "\n  "))).collect();
        out = format!("{}\n{}\n", out.trim_end(), bullets.join("\n"));
    }
    out
}

/// The document with another text under this heading; `None` if there is no such heading.
pub(super) fn replaced_section(content: &str, section: &str, text: &str) -> Option<String> {
    let level = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        (marks > 0 && line[marks..].starts_with(' ')).then_some(marks)
    };
    let wanted = section.trim_start_matches('#').trim();
    let lines: Vec<&str> = content.lines().collect();
    let start = lines
        .iter()
        .position(|line| level(line).is_some_and(|marks| line[marks..].trim().eq_ignore_ascii_case(wanted)))?;
    let marks = level(lines[start])?;
    let end = lines[start + 1..]
        .iter()
        .position(|line| level(line).is_some_and(|other| other <= marks))
        .map_or(lines.len(), |offset| start + 1 + offset);
    let before = lines[..=start].join("\n");
    let after = lines[end..].join("\n");
    let tail = if after.is_empty() { String::new() } else { format!("\n\n{after}") };
    Some(format!("{before}\n\n{}{tail}\n", text.trim()))
}

/// The PRD with its status set to approved, in its front matter and the table of its status, the first of the document, or as
/// JSON, where a text of somebody cannot look like a field.
pub(super) fn approved_prd(content: &str) -> String {
    const FIELD: &str = "\"status\": \"draft\"";
    if content.trim_start().starts_with('{') {
        return content.replace(FIELD, "\"status\": \"approved\"");
    }
    let statuses =
        [("status: draft", "status: approved"), (" | draft |\n", " | approved |\n"), (" | 草稿 |\n", " | 已批准 |\n")];
    statuses.into_iter().fold(content.to_owned(), |text, (draft, approved)| text.replacen(draft, approved, 1))
}

/// The reason for approving a PRD that the gate stops; `judged` is its newest result.
pub(super) fn overriding_reason<'s>(state: &'s PrdState, judged: Option<&GateSummary>) -> Option<&'s str> {
    let known = state.gate.iter().find(|summary| summary.document == JudgedDocument::Prd);
    let is_stopped = judged.or(known).is_some_and(|gate| !gate.verdict.is_pass());
    state.gate_override.as_deref().map(str::trim).filter(|reason| !reason.is_empty() && is_stopped)
}

/// The PRD as it is written once it is approved: with the reason, where the gate stops it. `judged` is its newest result.
pub(super) fn final_prd(state: &PrdState, judged: Option<&GateSummary>) -> String {
    let text = approved_prd(state.prd_content.as_deref().unwrap_or_default());
    let Some(reason) = overriding_reason(state, judged) else { return text };
    let version = state.revisions.last().map_or(1, |revision| revision.version);
    let entry = format!("- {}\n", markup::escaped(&overridden(version, reason, state.language())));
    let (log, traces) = (
        state.said("\n## Change log\n\n", "\n## 变更记录\n\n"),
        state.said("\n## Traceability table\n", "\n## 追溯表\n"),
    );
    let added = format!("{log}{entry}");
    match (text.find(log), text.find(traces)) {
        (Some(_), _) => text.replacen(log, &added, 1),
        (None, Some(at)) => format!("{}{added}{}", &text[..at], &text[at..]),
        (None, None) => format!("{}\n{added}", text.trim_end()),
    }
}
