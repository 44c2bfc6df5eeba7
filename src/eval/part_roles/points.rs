//! What speaks for each kind of part: points for its shape and its words, set by hand.

use super::lines::Lines;
use crate::model::Span;
use crate::text::cues::Cue;
use crate::text::reading::Reading;
use crate::text::roles::words::{self, Lead, begins};
use crate::text::sentences;
use crate::text::words::sections::{ABSENCES, ANNOUNCEMENTS, DENIALS, EMPTY_ANSWERS, SHORT_WISHES};

/// What a part may be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Actual,
    Expected,
    Steps,
    Environment,
    Other,
}

pub(super) const KINDS: [Kind; 5] = [Kind::Actual, Kind::Expected, Kind::Steps, Kind::Environment, Kind::Other];

/// Points per kind; only their differences mean something.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Points {
    actual: f32,
    expected: f32,
    steps: f32,
    environment: f32,
    other: f32,
}

impl Points {
    pub(super) fn of(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Actual => self.actual,
            Kind::Expected => self.expected,
            Kind::Steps => self.steps,
            Kind::Environment => self.environment,
            Kind::Other => self.other,
        }
    }
}

/// From this many words on, prose says more about a part than the code in it.
const MUCH_PROSE: usize = 12;

/// The points of one part.
pub(super) fn of(text: &str, reading: &Reading, lines: &Lines) -> Points {
    // Expected behaviour and environment are told more rarely than the others.
    let mut points = Points { expected: -0.7, environment: -1.0, ..Points::default() };
    if lines.continues {
        points.other += 3.5;
    }
    if lines.count() == 0 {
        points.other += 1.5;
        points.steps += if lines.fenced && !lines.continues { 2.0 } else { 0.0 };
        return points;
    }
    if lines.is_links {
        points.other += 2.5;
        points.steps += 0.5;
        return points;
    }
    if lines.is_boxes {
        points.other += 4.0;
        return points;
    }
    let prose = Prose::of(text, reading, lines);
    for_shape(lines, &prose, &mut points);
    for_environment(text, reading, lines, &prose, &mut points);
    if prose.count >= 2 && !prose.sentences.is_empty() {
        for_words(text, reading, lines, &prose, &mut points);
    }
    if prose.says_nothing {
        points.other += 0.8;
        points.steps += 0.8;
    }
    points
}

/// The prose of a part.
struct Prose {
    sentences: Vec<Span>,
    /// Words outside links.
    count: usize,
    /// Some sentence has a verb of state or tells of a fault.
    has_verb: bool,
    /// "None", "n/a", "yes".
    says_nothing: bool,
    /// It begins with what to do or what not to see: "Pass the test", "No error on start".
    is_wish: bool,
}

impl Prose {
    fn of(text: &str, reading: &Reading, lines: &Lines) -> Self {
        let cut = lines.prose.iter().flat_map(|line| sentences::sentences(text, without_marker(text, *line)));
        let sentences: Vec<Span> = cut.flat_map(|span| sentences::bounded(text, span)).collect();
        let links = |span: &Span| span.slice(text).split_whitespace().filter(|word| word.contains("://")).count();
        let count =
            lines.prose.iter().map(|line| words::count_words(line.slice(text)).saturating_sub(links(line))).sum();
        let has_verb = sentences
            .iter()
            .any(|span| words::tells_a_state(span.slice(text)) || reading.find_cue(*span, Cue::Fault).is_some());
        let says_nothing = lines.code.is_empty() && lines.log.is_empty() && lines.prose.len() == 1 && {
            let bare: String = lines.prose[0].slice(text).chars().filter(|c| c.is_alphanumeric()).collect();
            bare.is_empty() || EMPTY_ANSWERS.has(&bare.to_lowercase())
        };
        let is_wish = sentences.first().is_some_and(|span| {
            DENIALS.iter().any(|word| words::starts(span.slice(text), word))
                || begins(reading, Cue::TitleVerb, span.start)
                || begins(reading, Cue::Imperative, span.start)
        });
        Self { sentences, count, has_verb, says_nothing, is_wish }
    }
}

/// Code shows how to see it, a log shows what came of it.
fn for_shape(lines: &Lines, prose: &Prose, points: &mut Points) {
    let total = lines.count() as f32;
    let log = lines.log.len() as f32 / total;
    points.other += 3.5 * log;
    points.actual += 1.2 * log;
    let code = lines.code.len() as f32 / total * if prose.count >= MUCH_PROSE { 0.45 } else { 1.0 };
    points.steps += 3.2 * code;
    points.other += 0.8 * code;
    points.actual -= 0.5 * code;
    points.expected -= 0.6 * code;
    if code > 0.0 && log > 0.0 && code < 0.8 {
        points.other += 0.6;
    }
}

/// Names and numbers of versions, one line or a list of them.
fn for_environment(text: &str, reading: &Reading, lines: &Lines, prose: &Prose, points: &mut Points) {
    let prints_version = |line: &Span| {
        ["--version", "-version", "lsb_release", "uname"].iter().any(|command| line.slice(text).contains(command))
    };
    if lines.code.iter().chain(&lines.log).any(prints_version) {
        points.environment += 2.0;
    }
    if lines.fenced {
        return;
    }
    let names = |line: &Span| reading.find_cue(*line, Cue::Platform).is_some();
    let digits = |line: &Span| line.slice(text).bytes().any(|b| b.is_ascii_digit());
    let only_line = lines.prose.len() == 1 && lines.code.is_empty() && lines.log.is_empty();
    if only_line && prose.count <= 8 && !prose.has_verb {
        let line = lines.prose[0];
        if names(&line) || words::has_version(line.slice(text)) {
            points.environment += 3.5;
        } else if prose.count <= 4 && !prose.is_wish {
            points.other += 2.5;
        }
        return;
    }
    let named = lines.prose.iter().filter(|line| names(line) || words::has_version(line.slice(text))).count();
    let keyed = lines.prose.iter().filter(|line| names(line) && is_keyed(line.slice(text))).count();
    if keyed >= 2 && keyed * 2 >= lines.prose.len() {
        points.environment += 4.0;
    } else if named * 3 >= lines.prose.len() * 2
        && named > 0
        && prose.count <= 30
        && !prose.has_verb
        && lines.prose.iter().any(digits)
    {
        points.environment += 2.5;
    }
}

/// What the sentences say: what fails, what is wanted, what to do.
fn for_words(text: &str, reading: &Reading, lines: &Lines, prose: &Prose, points: &mut Points) {
    let sentences = &prose.sentences;
    let has = |span: &Span, cue: Cue| reading.find_cue(*span, cue).is_some();
    let opening = &sentences[..sentences.len().min(3)];
    let first = sentences[0];
    let wants = has(&first, Cue::Wanted);
    if wants {
        points.expected += 2.6;
        points.actual -= 0.5;
    } else if opening.iter().any(|span| has(span, Cue::Wanted)) {
        points.expected += 1.5;
    } else if sentences.iter().any(|span| has(span, Cue::Wanted)) {
        points.expected += 0.5;
    }
    // "No crash", "closes without an error": what is denied did not happen.
    let denied = prose.count <= 12
        && (DENIALS.iter().any(|word| words::starts(first.slice(text), word))
            || ABSENCES.iter().any(|part| first.slice(text).contains(part)));
    points.expected += if denied { 1.2 } else { 0.0 };
    let fails = has(&first, Cue::Fault) && !denied;
    let fails_somewhere = fails || sentences[1..].iter().any(|span| has(span, Cue::Fault));
    if fails && !wants {
        points.actual += 1.8;
    } else if !wants && opening.iter().any(|span| has(span, Cue::Fault)) {
        points.actual += 1.2;
    } else if fails_somewhere {
        points.actual += 0.6;
    }
    if prose.count >= 8 && prose.has_verb && !lines.continues {
        points.actual += 0.8;
    }
    if prose.count <= 25 && prose.has_verb && !fails_somewhere {
        points.expected += 0.8;
    }
    let asks = |span: &Span| span.slice(text).ends_with(['?', '？']);
    points.actual += if asks(&first) || sentences.last().is_some_and(asks) { 0.5 } else { 0.0 };
    points.actual += if opening.iter().any(|span| has(span, Cue::Asking)) { 0.4 } else { 0.0 };
    points.actual += if begins(reading, Cue::FirstPerson, first.start) { 0.4 } else { 0.0 };
    points.actual += if echoes_title(text, reading, opening) { 0.5 } else { 0.0 };
    points.expected += if has(&first, Cue::Need) { 0.8 } else { 0.0 };
    let words = first.slice(text);
    let short = SHORT_WISHES.en;
    if prose.count <= 12 && !fails && short.iter().any(|start| words::starts(words, start)) {
        points.expected += 0.6;
    }
    for_instructions(text, reading, lines, sentences, points);
    // An instruction alone is a wish: "Publish it as a module, too."
    let alone = count_items(text, lines) < 2 && prose.is_wish && !fails_somewhere;
    points.expected += if alone { 1.4 } else { 0.0 };
}

/// How many lines of a part are items of a list.
fn count_items(text: &str, lines: &Lines) -> usize {
    lines.prose.iter().filter(|line| without_marker(text, **line).start != line.start).count()
}

/// Lists of what to do, and the words by which people announce them.
fn for_instructions(text: &str, reading: &Reading, lines: &Lines, sentences: &[Span], points: &mut Points) {
    let acts = |span: Span| Lead::of(text, span).acts(text, reading);
    let items: Vec<Span> =
        lines.prose.iter().copied().filter(|line| without_marker(text, *line).start != line.start).collect();
    let acting = items.iter().filter(|item| acts(without_marker(text, **item))).count();
    let numbered = items.iter().filter(|item| item.slice(text).starts_with(|c: char| c.is_ascii_digit())).count();
    let first = sentences[0];
    if acting >= 2 && acting * 2 >= items.len() {
        points.steps += 3.2;
    } else if numbered >= 2 && acting >= 1 {
        points.steps += 2.0;
    } else if acts(first) {
        points.steps += 1.2;
    }
    let announced =
        sentences.iter().take(3).any(|span| ANNOUNCEMENTS.iter().any(|mark| span.slice(text).contains(mark)));
    points.steps += if announced { 1.3 } else { 0.0 };
}

/// A line without the bullet or number before it.
fn without_marker(text: &str, line: Span) -> Span {
    let words = line.slice(text);
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match words.as_bytes() {
        [b'-' | b'*' | b'+', b' ', ..] => 2,
        _ if digits > 0 && words[digits..].starts_with(['.', ')']) => digits + 1,
        _ if digits > 0 && words[digits..].starts_with('、') => digits + '、'.len_utf8(),
        _ => 0,
    };
    Span::new(line.start + marker, line.end).trimmed(text)
}

/// "Device: …", "Which version: …".
fn is_keyed(line: &str) -> bool {
    line.find([':', '?', '：', '？']).is_some_and(|at| (2..=90).contains(&at))
}

/// A third of the longer words of the title come again.
fn echoes_title(text: &str, reading: &Reading, sentences: &[Span]) -> bool {
    let Some(title) = reading.title else { return false };
    let long = |span: Span| {
        let words = span.slice(text).split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| word.chars().count() >= 4).map(str::to_lowercase).collect::<Vec<_>>()
    };
    // A title is short; a pasted one is not looked at further.
    let named: Vec<String> = long(title).into_iter().take(40).collect();
    let told: Vec<String> = sentences.iter().flat_map(|span| long(*span)).collect();
    let again = named.iter().filter(|word| told.contains(word)).count();
    !named.is_empty() && again * 3 >= named.len()
}
