//! Changes that a review asks for: open questions answered, a section replaced, a note added, the status set.

use reqgate_docs::table::table;
use reqgate_docs::{Outline, escaped, is_called, write};
use std::collections::BTreeMap;

use super::answer_checks::reply_to;
use super::facts::{GateSummary, JudgedDocument};
use super::modification::PrdModification;
use super::state::PrdState;
use super::taken_out;
use crate::brief::{BriefSection, edited_brief, parse_brief, render_brief, still_open};
use crate::collect::{BriefFeedback, BriefModification, NotUsed, adopt, answer_question, changed_brief};
use crate::layouts::sentences::plain;
use crate::prd_text::{self, overridden};
use crate::{FeatureBrief, OpenQuestion, SourceQuote};
use reqgate_docs::front_matter;
use reqgate_flow::{Question, Reply};
use reqgate_text::answer::{Assignment, read_answer};
use reqgate_text::language::language_of;

/// The unanswered questions of a brief.
pub(super) fn open_questions(document: &str) -> Vec<Question> {
    let brief = parse_brief(document);
    let open = brief.open_questions.iter().filter(|question| question.answer.is_none());
    let asked = open.enumerate().map(|(index, open)| Question {
        id: format!("q{}", index + 1),
        question: open.question.clone(),
        about: match (open.id, place_of(open)) {
            (Some(id), Some(place)) => Some(format!("{id}, {place}")),
            (Some(id), None) => Some(id.to_string()),
            (None, place) => place,
        },
    });
    asked.collect()
}

/// The source of a question; for a contradiction, both sources with their words.
fn place_of(open: &OpenQuestion) -> Option<String> {
    let source = open.source.as_ref()?;
    let Some(against) = &open.against else { return Some(format!("{}:{}", source.source, source.line)) };
    let shown = |place: &SourceQuote| format!("{}:{} “{}”", place.source, place.line, plain(&place.quote));
    Some(format!("{} ↔ {}", shown(source), shown(against)))
}

/// Records the owner, the day and the default of a question; values that the reply does not give are kept.
fn assign(question: &mut OpenQuestion, reply: &Reply) {
    let [owner, due, default] = reply.assigned().map(|words| words.map(str::to_owned));
    question.assign(Assignment { owner, due, default });
}

/// The words of a reply that decide something; `None` if they leave the question open.
pub(super) fn decided(question: &Question, reply: &Reply) -> Option<String> {
    read_answer(&question.question, reply.answer()?).decided
}

/// The questions about words of the sources that got no answer, or half of one, each with the owner, day and default of its reply.
pub(super) fn left_open(asked: &[Question], answers: &BTreeMap<String, Reply>) -> Vec<OpenQuestion> {
    let open = asked.iter().filter_map(|question| {
        let reply = answers.get(&question.id).filter(|reply| !reply.is_empty());
        let read = reply.and_then(Reply::answer).map(|answer| read_answer(&question.question, answer));
        let (decided, left) = read.map_or((None, None), |read| (read.decided, read.open));
        let words = match (&decided, &left) {
            (Some(_), None) => return None,
            (Some(_), Some(left)) => still_open(&question.question, &left.words, language_of(&question.question)),
            // Required information of every ticket is asked once for the whole brief: another source may contain it.
            (None, _) if reply.is_none() && quoted(&question.question).is_none() => return None,
            (None, _) => question.question.clone(),
        };
        let mut open = OpenQuestion::new(words, None);
        open.assign(left.map(|left| left.assignment).unwrap_or_default());
        if let Some(reply) = reply {
            assign(&mut open, reply);
        }
        Some(open)
    });
    open.collect()
}

/// Adds questions that were left open to a draft that does not raise them. If the draft raises one in its own words, recognised by
/// the quoted words, that question gets the owner, the day and the default; each question of the draft is used once at most.
pub(super) fn add_left_open(brief: &mut FeatureBrief, left_open: &[OpenQuestion]) {
    let mut added: Vec<OpenQuestion> = Vec::new();
    let mut raised: Vec<&mut OpenQuestion> = brief.open_questions.iter_mut().collect();
    for question in left_open {
        let topic = quoted(&question.question);
        let raises = |open: &&mut OpenQuestion| {
            let says =
                |topic: &str| covers(&open.question, topic) || open.sources().any(|place| covers(&place.quote, topic));
            open.question == question.question || topic.is_some_and(says)
        };
        let OpenQuestion { owner, due, default, .. } = question.clone();
        if let Some(at) = raised.iter().position(raises) {
            raised.remove(at).assign(Assignment { owner, due, default });
            continue;
        }
        // “Who pays?”: who decides this, and by when? The question of the source says it shorter.
        let asked = topic.filter(|topic| topic.ends_with(['?', '？'])).unwrap_or(&question.question);
        let open = OpenQuestion { question: asked.to_owned(), ..question.clone() };
        if !added.contains(&open) {
            added.push(open);
        }
    }
    brief.open_questions.append(&mut added);
}

/// The words of a source that a question quotes, with an ellipsis where they are cut.
pub(super) fn quoted(question: &str) -> Option<&str> {
    let (_, rest) = question.split_once('“')?;
    rest.split_once('”').map(|(words, _)| words).filter(|words| words.contains(char::is_alphanumeric))
}

/// Returns true if the words contain a topic as whole sentences: “TBD.” is not contained in “That is TBD.”. After an
/// ellipsis they may continue.
fn covers(words: &str, topic: &str) -> bool {
    let is_mark =
        |c: char| matches!(c, '.' | '?' | '!' | ';' | '。' | '？' | '！' | '；' | '“' | '”' | '「' | '」' | '"');
    let (words, topic) = (plain(words), plain(topic));
    let words = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bare = topic.trim_matches(|c: char| c == '…' || is_mark(c)).trim();
    let is_sentence = |(at, _): (usize, &str)| {
        let before = words[..at].trim_end().chars().next_back();
        let behind = words[at + bare.len()..].trim_start().chars().next();
        (topic.starts_with('…') || before.is_none_or(is_mark))
            && (topic.ends_with('…') || behind.is_none_or(|c| is_mark(c) || matches!(c, '(' | '（')))
    };
    !bare.is_empty() && words.match_indices(bare).any(is_sentence)
}

/// The answers by the words of their questions.
pub(super) fn by_question(asked: &[Question], answers: &BTreeMap<String, Reply>) -> BTreeMap<String, Reply> {
    let of = |question: &Question| {
        let reply = reply_to(question, answers).filter(|reply| !reply.is_empty())?;
        Some((question.question.clone(), reply.clone()))
    };
    asked.iter().filter_map(of).collect()
}

/// The brief, with its front matter, and with answers to its open questions, by the words of the question.
pub(super) fn answered_brief(document: &str, answers: &BTreeMap<String, Reply>) -> String {
    edited_brief(document, |brief| {
        for (question, reply) in answers {
            // The owner is recorded first: an answered question is no longer found.
            let open = brief.open_questions.iter_mut().find(|open| open.question == *question);
            if let Some(open) = open.filter(|open| open.answer.is_none()) {
                assign(open, reply);
            }
            if let Some(answer) = reply.answer() {
                answer_question(brief, question, answer);
            }
        }
    })
}

/// Answers under the words that their questions have in the brief as it is now, where they had others in the one before.
pub(super) fn renamed(answers: &BTreeMap<String, Reply>, before: &str, now: &str) -> BTreeMap<String, Reply> {
    let (before, now) = (parse_brief(before), parse_brief(now));
    let of = |question: &String| {
        let at = before.open_questions.iter().position(|one| one.question == *question);
        at.and_then(|at| now.open_questions.get(at)).map_or_else(|| question.clone(), |one| one.question.clone())
    };
    answers.iter().map(|(question, reply)| (of(question), reply.clone())).collect()
}

/// The brief with the questions that another version of it asks; the same text where they are the same.
pub(super) fn with_questions_of(document: &str, other: &str) -> String {
    let (mut brief, other) = (parse_brief(document), parse_brief(other));
    if brief.open_questions == other.open_questions {
        return document.to_owned();
    }
    brief.open_questions = other.open_questions;
    render_brief(&brief)
}

/// The brief, with its front matter, and with these open questions where it does not ask them yet.
pub(super) fn with_questions(document: &str, questions: &[OpenQuestion]) -> String {
    edited_brief(document, |brief| {
        for question in questions {
            if !brief.open_questions.iter().any(|known| known.question == question.question) {
                brief.open_questions.push(question.clone());
            }
        }
    })
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

/// The brief with the changes to its sections that an approval asks for.
pub(super) fn modified(document: &str, changes: &[BriefModification]) -> String {
    let feedback = BriefFeedback { modifications: changes.to_vec(), ..BriefFeedback::default() };
    render_brief(&changed_brief(&parse_brief(document), &feedback, "ask:review"))
}

/// The headings of the notes of reviews.
const NOTES: [&str; 2] = ["Review notes", "评审意见"];

/// The PRD with the changes that a review asks for: sections replaced, words about the whole added as notes.
pub(super) fn changed_prd(content: &str, changes: &[PrdModification], feedback: Option<&str>) -> String {
    let mut out = content.to_owned();
    let mut notes: Vec<String> =
        feedback.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
    for change in changes {
        match change.applied(&out).or_else(|| change.asked_in(&out)) {
            Some(changed) => out = changed,
            None if change.modified_content.trim().is_empty() => {}
            None => notes.push(format!("{}: {}", change.section, change.modified_content.trim())),
        }
    }
    let bullets: Vec<String> = notes.iter().map(|note| format!("- {}", note.replace('\n', "\n  "))).collect();
    with_notes(&out, &bullets)
}

/// A PRD that was put together again, with the notes of the one before and the changes of earlier reviews. Words of such a change that
/// the one before had and this one has no place for become notes.
pub(super) fn with_changes_of(made: &str, before: &str, changes: &[PrdModification]) -> String {
    let content = changed_prd(&with_notes(made, &[notes_of(before)]), changes, None);
    let lost = changes
        .iter()
        .filter(|change| !change.modified_content.trim().is_empty() && change.is_in(before) && !change.is_in(&content));
    let lost: Vec<String> = lost.map(|change| as_note(&change.section, &change.modified_content)).collect();
    with_notes(&content, &lost)
}

/// Words about a section as an item of the notes.
fn as_note(section: &str, words: &str) -> String {
    format!("- {section}: {}", words.trim().replace('\n', "\n  "))
}

/// The PRD with further notes in the section of its notes, each once; a section without a note is left out.
pub(super) fn with_notes(content: &str, notes: &[String]) -> String {
    let known = format!("\n{}\n", notes_of(content));
    let is_new = |note: &&String| !note.is_empty() && !known.contains(&format!("\n{note}\n"));
    let notes = notes.iter().filter(is_new).cloned().collect::<Vec<_>>().join("\n");
    let zh = content.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let outline = Outline::of(content);
    let own = NOTES.into_iter().find_map(|heading| outline.named(heading));
    match own.map(|at| (at, outline.below(at).slice(content).trim())) {
        Some((at, "")) if notes.is_empty() => outline.without(at),
        Some(_) if notes.is_empty() => content.to_owned(),
        Some((at, before)) => outline.with_text_below(at, &format!("{before}\n{notes}")),
        None if notes.is_empty() => content.to_owned(),
        None => format!("{}\n\n## {}\n\n{notes}\n", content.trim_end(), NOTES[usize::from(zh)]),
    }
}

/// Returns true for a change of the notes themselves.
pub(super) fn is_of_notes(change: &PrdModification) -> bool {
    NOTES.iter().any(|heading| is_called(heading, &change.section))
}

/// The notes of earlier reviews that are not worked in yet.
pub(super) fn notes_of(content: &str) -> String {
    let outline = Outline::of(content);
    NOTES.into_iter().find_map(|heading| outline.text_below(heading)).unwrap_or_default().to_owned()
}

/// The PRD with its status set to approved, in its front matter and the table of its status (the first one of the document), or in
/// JSON, where quoted text cannot look like a field.
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
    let mut text = approved_prd(state.prd_content.as_deref().unwrap_or_default());
    let version = state.revisions.last().map_or(1, |revision| revision.version);
    if let Some(reason) = overriding_reason(state, judged) {
        let known = state.gate.iter().find(|summary| summary.document == JudgedDocument::Prd);
        let accepted = judged.or(known).map_or((&[][..], &[][..]), |gate| (&gate.open_questions, &gate.findings));
        let bare = write::one_line(reason);
        text = with_acceptance(text, state.gate_override_by.as_deref(), &bare, accepted);
        text = with_status(&text, state, &bare);
        text = logged(&text, &overridden(version, reason, state.language()), state);
    }
    if let Some(entry) = taken_out::entry(version, state) {
        text = logged(&text, &entry, state);
    }
    // Questions that a person added to the text get the ids that they have in the brief.
    let brief = parse_brief(state.feature_brief_content.as_deref().unwrap_or_default());
    let text = prd_text::with_question_ids(&text, &prd_text::questions_in_line(&brief, &text).questions);
    // Criteria that a person added to the text get their ids in its traceability table.
    match state.prd_json.as_deref().and_then(|json| serde_json::from_str(json).ok()) {
        Some(data) => prd_text::traces_in_line(&text, &prd_text::followed(data, &text)),
        None => text,
    }
}

/// The PRD with the person who approved it although the gate stops it, and the reason, in the section of its status.
fn with_status(text: &str, state: &PrdState, reason: &str) -> String {
    let (status, by) = (state.said("Document status", "文档状态"), state.gate_override_by.as_deref());
    let outline = Outline::of(text);
    let (Some(at), Some(by)) = (outline.named(status), by) else { return text.to_owned() };
    let head =
        [state.said("Approved although the gate stops it", "质量门未通过，仍由其批准"), state.said("Reason", "理由")];
    let row = [by, reason].map(|words| escaped(&write::one_line(words)));
    let row = table(&head, [row.iter().map(String::as_str)]);
    outline.with_text_below(at, &format!("{}\n\n{row}", outline.below(at).slice(text).trim()))
}

/// The PRD with an entry at the end of its change log.
fn logged(text: &str, entry: &str, state: &PrdState) -> String {
    let entry = write::item(&escaped(entry));
    let (log, traces) = (state.said("Change log", "变更记录"), state.said("Traceability table", "追溯表"));
    let outline = Outline::of(text);
    if let Some(at) = outline.named(log) {
        // The log is in the order of time.
        return outline.with_text_below(at, &format!("{}\n{entry}", outline.below(at).slice(text).trim()));
    }
    let block = format!("{}\n\n{entry}", write::heading(2, log));
    match outline.named(traces) {
        Some(at) => outline.with_block_before(at, &block),
        None => format!("{}\n\n{block}\n", text.trim_end()),
    }
}

/// The PRD with the accepted open questions and other findings in its front matter, where the gate reads them.
pub(super) fn with_acceptance(
    text: String,
    by: Option<&str>,
    reason: &str,
    accepted: (&[String], &[String]),
) -> String {
    let quoted = |words: &str| serde_json::Value::from(words).to_string();
    let list = |key: &str, all: &[String]| {
        let items: String = all.iter().map(|words| format!("\n  - {}", quoted(words))).collect();
        if all.is_empty() { String::new() } else { format!("{key}:{items}\n") }
    };
    let accepted = list("accepted_open_questions", accepted.0) + &list("accepted_findings", accepted.1);
    let (Some(by), false) = (by, accepted.is_empty()) else { return text };
    let Some(front) = front_matter::block(&text) else { return text };
    let (front, rest) = text.split_at(front.end);
    let (by, reason) = (quoted(by), quoted(reason));
    format!("{front}accepted_by: {by}\naccepted_because: {reason}\n{accepted}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tbd(words: &str) -> OpenQuestion {
        let asked = format!("“{words}”: who decides this, and by when? If nobody answers, which default holds?");
        OpenQuestion::new(asked, None)
    }

    fn raised(question: &str, quote: &str) -> OpenQuestion {
        let source = SourceQuote { source: "t.md".to_owned(), line: 3, quote: quote.to_owned() };
        OpenQuestion::new(question, Some(source))
    }

    fn with_left_open(raised: &[OpenQuestion], left: &[OpenQuestion]) -> Vec<OpenQuestion> {
        let mut brief = FeatureBrief { open_questions: raised.to_vec(), ..parse_brief("# Feature brief: Cards\n") };
        add_left_open(&mut brief, left);
        brief.open_questions
    }

    fn bob(question: OpenQuestion) -> OpenQuestion {
        OpenQuestion { owner: Some("Bob".to_owned()), default: Some("we pay".to_owned()), ..question }
    }

    #[test]
    fn every_question_that_was_left_open_keeps_its_own_owner_and_default() {
        let left = [tbd("That is TBD."), bob(tbd("TBD."))];
        assert_eq!(with_left_open(&[], &left), left);
        let draft = [raised("How many cards?", "How many cards may a shopper keep? That is TBD.")];
        let [own] = draft.clone();
        assert_eq!(with_left_open(&draft, &left), [own.clone(), left[1].clone()]);
        assert_eq!(with_left_open(&draft, &left[1..]), [own.clone(), left[1].clone()]);
        let all = with_left_open(&draft, &[bob(left[0].clone()), tbd("How many cards may a shopper keep?")]);
        assert_eq!(all[0], bob(own), "its words, and who answers it");
        assert_eq!(all[1].question, "How many cards may a shopper keep?", "one question stands for one other");
        // The same words in two sources are one question.
        assert_eq!(with_left_open(&[], &[tbd("TBD."), tbd("TBD.")]).len(), 1);
    }

    #[test]
    fn a_draft_raises_a_question_by_the_whole_sentence() {
        let is_raised = |quote: &str, topic: &str| with_left_open(&[raised("Which?", quote)], &[tbd(topic)]).len() == 1;
        for (quote, topic) in [
            ("Who pays?", "Who pays?"),
            ("- **Who pays** (owner: Mei)", "Who pays?"),
            ("谁来付？由法务定。", "谁来付？"),
            ("How many links may one album have at the same time?", "How many links may one…"),
        ] {
            assert!(is_raised(quote, topic), "{quote} / {topic}");
        }
        for (quote, topic) in
            [("link", "How many links may one album have?"), ("The fee is TBD.", "TBD."), ("费用待定", "待定")]
        {
            assert!(!is_raised(quote, topic), "{quote} / {topic}");
        }
    }
}
