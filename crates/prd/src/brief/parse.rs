//! Reads a brief that may have been edited by hand.

use super::marks::{decode, is_empty, push_entity, split_against, split_source};
use super::names::{BriefSection, assigned_labels, still_open, title_prefix};
use crate::{FeatureBrief, OpenQuestion, OtherSection, QuestionId, SourceQuote, Statement};
use reqgate_base::model::Language;
use reqgate_gate::stages::intake::feature_part::without_front_matter;
use reqgate_text::answer::{is_line_to_write_on, leaves_open, read_answer};
use reqgate_text::language::language_of;
use reqgate_text::words::brief_answers::LABELS;
use reqgate_text::words::prd_sections::NO_QUESTIONS;

/// Reads a brief. Every text is a valid brief: sections with unknown headings are kept unchanged.
pub fn parse_brief(text: &str) -> FeatureBrief {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let text = without_front_matter(&text);
    let lines: Vec<&str> = text.split('\n').collect();
    let fenced = fenced_lines(&lines);
    let mut brief = FeatureBrief::new("", language_of(text));
    let mut titled = false;
    let mut section = Part::Other(String::new());
    let mut body: Vec<&str> = Vec::new();
    for (line, fenced) in lines.iter().zip(fenced) {
        if !fenced && let Some(heading) = heading(line, 2) {
            close(&mut brief, &section, &body);
            body.clear();
            section = Part::of(heading);
            titled = true;
        } else if !fenced
            && !titled
            && let Some(words) = heading(line, 1)
        {
            titled = true;
            let (title, language) = title(words);
            brief.title = title;
            brief.language = language.unwrap_or(brief.language);
        } else {
            body.push(line);
        }
    }
    close(&mut brief, &section, &body);
    OpenQuestion::number(&mut brief.open_questions);
    brief
}

/// The part of the brief that the current lines belong to.
enum Part {
    Ours(BriefSection),
    Other(String),
}

impl Part {
    fn of(heading: &str) -> Self {
        BriefSection::named(heading).map_or_else(|| Self::Other(decode(heading)), Self::Ours)
    }
}

/// The text of a heading of this level; two levels deeper it is plain text.
fn heading(line: &str, level: usize) -> Option<&str> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line.get(marks..)?;
    (marks == level && (words.is_empty() || words.starts_with([' ', '\t']))).then(|| words.trim())
}

fn title(words: &str) -> (String, Option<Language>) {
    for language in [Language::En, Language::Zh] {
        let prefix = title_prefix(language).trim_end();
        // An English colon after the Chinese words is also accepted.
        let bare = prefix.trim_end_matches([':', '：']);
        let begins = words.get(..bare.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(bare));
        if begins && let Some(title) = words[bare.len()..].trim_start().strip_prefix([':', '：']) {
            return (decode(title.trim()), Some(language));
        }
    }
    (decode(words), None)
}

fn close(brief: &mut FeatureBrief, part: &Part, lines: &[&str]) {
    match part {
        Part::Ours(BriefSection::OpenQuestions) => {
            let asks = |item: &&Vec<&str>| item.len() > 1 || item[0].starts_with('[') || !says_none(item[0]);
            let language = brief.language;
            brief.open_questions.extend(items(lines).iter().filter(asks).flat_map(|item| questions(item, language)));
        }
        Part::Ours(section) => {
            let statements = items(lines).into_iter().map(|item| statement(&item));
            if let Some(list) = brief.statements_mut(*section) {
                list.extend(statements);
            }
        }
        Part::Other(heading) => {
            let text = unescape_headings(lines);
            if !heading.is_empty() || !text.is_empty() {
                brief.other_sections.push(OtherSection { heading: heading.clone(), text });
            }
        }
    }
}

/// The bullets and paragraphs of a section, each as its lines without the bullet.
pub fn items<'t>(lines: &[&'t str]) -> Vec<Vec<&'t str>> {
    let mut items: Vec<Vec<&str>> = Vec::new();
    let mut open = false;
    for line in lines {
        if line.trim().is_empty() {
            open = false;
        } else if let Some(words) = bullet(line) {
            items.push(vec![words]);
            open = true;
        } else if let Some(last) = items.last_mut().filter(|_| open || line.starts_with([' ', '\t'])) {
            last.push(line.trim());
            open = true;
        } else if line.chars().any(char::is_alphanumeric) {
            items.push(vec![line.trim()]);
            open = true;
        }
    }
    // An empty bullet is ignored.
    items.retain(|item| item.iter().any(|line| !line.is_empty()));
    items
}

/// The text after a bullet or a number at the beginning of a line.
fn bullet(line: &str) -> Option<&str> {
    let marked = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits).then(|| line[digits..].strip_prefix(['.', ')', '、'])).flatten()
    })?;
    let spaced = marked.is_empty() || marked.starts_with([' ', '\t']) || line.starts_with('•');
    spaced.then(|| marked.trim())
}

/// Joins the lines of an item into one text: wrapped lines are joined, and nested lists keep their lines.
pub fn joined(lines: &[&str]) -> String {
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            let broken = out.strip_suffix('\\').map(str::to_owned);
            let structured = line.starts_with(['|', '>']) || line.starts_with("```") || bullet(line).is_some();
            let goes_on = !structured && broken.is_none();
            out = broken.unwrap_or(out);
            out.push_str(if goes_on { " " } else { "\n" });
        }
        out.push_str(line);
    }
    out
}

fn statement(lines: &[&str]) -> Statement {
    let (words, source, further_sources) = split_sources(joined(lines));
    Statement { text: decode(&words), source, further_sources }
}

/// The question of an item, and a second question for the part of its answer that leaves something open.
fn questions(lines: &[&str], language: Language) -> Vec<OpenQuestion> {
    let (mut question, answer) = question(lines);
    let Some(answer) = answer else { return vec![question] };
    // Text in the program's encoding is always an answer.
    if answer.starts_with("&#") || is_empty(&answer) {
        question.answer = Some(decode(&answer));
        return vec![question];
    }
    let answer = decode(&answer);
    let read = read_answer(&question.question, &answer);
    let Some(left) = read.open else {
        question.answer = Some(answer);
        return vec![question];
    };
    question.answer = read.decided;
    if question.answer.is_none() {
        question.assign(left.assignment);
        return vec![question];
    }
    let mut open = OpenQuestion::new(still_open(&question.question, &left.words, language), None);
    open.assign(left.assignment);
    vec![question, open]
}

/// The question of an item, and its answer as written.
fn question(lines: &[&str]) -> (OpenQuestion, Option<String>) {
    let (ticked, first) = unticked(lines.first().copied().unwrap_or_default());
    let (id, first) = QuestionId::split(first);
    let mut assigned = [None, None, None];
    let mut is_answer = false;
    let rest = lines.iter().skip(1).copied().filter(|line| {
        is_answer |= answer_begins(line).is_some();
        let label = (!is_answer).then(|| assigned_by(line)).flatten();
        if let Some((at, words)) = label {
            assigned[at] = Some(decode(words)).filter(|words| !is_blank(words));
        }
        label.is_none()
    });
    let asked: Vec<&str> = std::iter::once(first).chain(rest).collect();
    let [owner, due, default] = assigned;
    let own = asked.iter().skip(1).position(|line| answer_begins(line).is_some()).map_or(asked.len(), |at| at + 1);
    let (words, source, further_sources) = split_sources(joined(&asked[..own]));
    let (mut words, against) = split_against(&words);
    let mut answer = asked.get(own..).filter(|lines| !lines.is_empty()).map(|lines| {
        let first = answer_begins(lines[0]).unwrap_or(lines[0]);
        joined(&std::iter::once(first).chain(lines[1..].iter().copied()).collect::<Vec<_>>())
    });
    // "[x] Who? The clerks." has no line for the answer: the answer follows the question.
    if ticked
        && answer.is_none()
        && let Some((at, mark)) = words.char_indices().find(|(_, c)| matches!(c, '?' | '？'))
    {
        let behind = words.split_off(at + mark.len_utf8());
        answer = Some(behind.trim().to_owned());
    }
    let question = decode(&words);
    let asked = OpenQuestion::new(question, source);
    (OpenQuestion { id, further_sources, against, owner, due, default, ..asked }, answer)
}

/// The text after the label of an owner, a day or a default, and the index of the label.
fn assigned_by(line: &str) -> Option<(usize, &str)> {
    [Language::En, Language::Zh].into_iter().find_map(|language| {
        assigned_labels(language).into_iter().enumerate().find_map(|(at, label)| {
            let name = label.trim_end().trim_end_matches([':', '：']);
            let begins = line.get(..name.len())?.eq_ignore_ascii_case(name);
            let words = line.get(name.len()..).filter(|_| begins)?.strip_prefix([':', '：'])?;
            Some((at, words.trim()))
        })
    })
}

/// Splits a text into its words without source comments, the first source, and the others.
fn split_sources(words: String) -> (String, Option<SourceQuote>, Vec<SourceQuote>) {
    let (mut words, first) = split_source(&words);
    let mut others = Vec::new();
    while let (rest, Some(next)) = split_source(&words) {
        words = rest;
        others.push(next);
    }
    (words, first, others)
}

fn unticked(words: &str) -> (bool, &str) {
    for (mark, ticked) in [("[ ]", false), ("[]", false), ("[x]", true), ("[X]", true), ("[✓]", true)] {
        if let Some(rest) = words.strip_prefix(mark) {
            return (ticked, rest.trim());
        }
    }
    (false, words)
}

/// The text after the label of an answer; a bullet below a question is also an answer.
fn answer_begins(line: &str) -> Option<&str> {
    let words = bullet(line).unwrap_or(line);
    let bare = words.trim_start_matches('*');
    let stars = words.len() > bare.len();
    let labelled = LABELS.iter().find_map(|label| {
        let begins = bare.get(..label.len())?.eq_ignore_ascii_case(label);
        begins.then(|| bare[label.len()..].trim_start_matches(|c| c == ' ' || stars && c == '*'))
    });
    labelled.or_else(|| bullet(line))
}

/// Returns true for an item that states the absence of questions: "None.", 暂无.
pub fn says_none(item: &str) -> bool {
    let bare = item.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty() || NO_QUESTIONS.has(&bare.to_lowercase())
}

/// Returns true for a blank answer: a line to write on, or words that leave it open.
pub fn is_blank(answer: &str) -> bool {
    is_line_to_write_on(answer) || leaves_open(answer)
}

/// Encodes the first letter as an entity, so that the words have no special meaning.
pub(super) fn shield(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 6);
    let mut chars = words.chars();
    if let Some(first) = chars.next() {
        push_entity(first, &mut out);
    }
    out.push_str(chars.as_str());
    out
}

/// Encodes the first letter of every line except the first one, which is not an answer.
pub(super) fn shield_lines(words: &str) -> String {
    let shielded = |(number, line): (usize, &str)| match line.strip_prefix("  ") {
        Some(inner) if number > 0 && !inner.starts_with("&#") && inner != "\\" => format!("  {}", shield(inner)),
        _ => line.to_owned(),
    };
    words.split('\n').enumerate().map(shielded).collect::<Vec<_>>().join("\n")
}

/// For each line whether it belongs to a fence that is closed further down, its first and last line included.
fn fenced_lines(lines: &[&str]) -> Vec<bool> {
    let mut fenced = vec![false; lines.len()];
    // The last fence of each kind is computed once, so that unclosed fences do not cause repeated searches.
    let last = FENCES.map(|mark| lines.iter().rposition(|line| line.trim_end() == mark));
    let mut open: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        let begins = FENCES.iter().position(|mark| line.starts_with(mark));
        if let Some(kind) = open {
            fenced[at] = true;
            open = (line.trim_end() != FENCES[kind]).then_some(kind);
        } else if let Some(kind) = begins.filter(|kind| last[*kind].is_some_and(|end| end > at)) {
            fenced[at] = true;
            open = Some(kind);
        }
    }
    fenced
}

const FENCES: [&str; 2] = ["```", "~~~"];

/// Returns true for a line with a meaning in a brief, even after backslashes.
fn is_special(line: &str) -> bool {
    let bare = line.trim_start_matches('\\');
    heading(bare, 2).is_some() || FENCES.iter().any(|mark| bare.starts_with(mark))
}

/// Escapes a text of a person so that no line of it begins a section of the brief.
pub(super) fn escape_headings(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let fenced = fenced_lines(&lines);
    let escaped = lines.iter().zip(fenced).map(|(line, fenced)| match line {
        line if !fenced && is_special(line) => format!("\\{line}"),
        line => (*line).to_owned(),
    });
    escaped.collect::<Vec<_>>().join("\n")
}

fn unescape_headings(lines: &[&str]) -> String {
    let fenced = fenced_lines(lines);
    let kept = lines.iter().zip(fenced).map(|(line, fenced)| match line.strip_prefix('\\') {
        Some(bare) if !fenced && is_special(bare) => bare,
        _ => line,
    });
    kept.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}
