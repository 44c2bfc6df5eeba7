//! Finds the elements of a bug report: steps, expected and actual behaviour, environment (Chaparro et al.).

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::roles::{self, Roles};
use reqgate_text::words::reports::{CHOICES, EMPTY_ANSWERS, EXPECTATION_REMARKS, NO_STEPS, OPEN_QUESTIONS};
use reqgate_text::{Block, BlockKind, Cue, Reading, Sentence};

use super::pointers::{names_file, refers};
use super::program_output::{is_session, tells_a_failure};
use super::specific::{specific, specific_words};
use super::story::has_words;

/// The elements of a bug report.
#[derive(Debug, Clone, Default)]
pub struct BugElements {
    /// The steps that a reader can follow.
    pub steps: Vec<Span>,
    /// The behaviour that should have happened.
    pub expected: Vec<Span>,
    /// The behaviour that happened.
    pub actual: Vec<Span>,
    /// The environment in which it happened.
    pub environment: Vec<Span>,
}

/// Reads the elements of a bug report.
pub fn elements(text: &str, reading: &Reading) -> BugElements {
    let roles = roles::roles(text, reading);
    BugElements {
        steps: steps(text, reading, &roles),
        expected: expected(text, reading, &roles),
        actual: actual(text, reading, &roles),
        environment: environment(text, reading),
    }
}

/// The sentences that play a role, except the title, which names the fault without describing it.
fn playing<'r>(
    reading: &'r Reading,
    roles: &'r [Roles],
    plays: fn(&Roles) -> bool,
) -> impl Iterator<Item = &'r Sentence> + 'r {
    let both = reading.sentences.iter().zip(roles);
    both.filter(move |(sentence, roles)| plays(roles) && sentence.genre != Genre::Title).map(|(sentence, _)| sentence)
}

fn prose<'r>(reading: &'r Reading) -> impl Iterator<Item = &'r Sentence> + 'r {
    reading.sentences.iter().filter(|s| !s.struck && !matches!(s.genre, Genre::Heading | Genre::Code))
}

fn is_filled(text: &str, sentence: &Sentence) -> bool {
    !sentence.is_placeholder && !is_nothing(sentence.span.slice(text))
}

/// Returns true for an empty answer: "None", "n/a", "-", 无.
pub(crate) fn is_nothing(words: &str) -> bool {
    // The longest of these answers is much shorter than the examined text.
    let bare = words.chars().filter(|c| c.is_alphanumeric()).take(40).flat_map(char::to_lowercase);
    let bare: String = bare.collect();
    bare.is_empty() || EMPTY_ANSWERS.has(&bare)
}

fn steps(text: &str, reading: &Reading, roles: &[Roles]) -> Vec<Span> {
    let labelled: Vec<&Sentence> =
        prose(reading).filter(|s| s.role == SectionRole::Steps && is_filled(text, s)).collect();
    let code_under = reading.blocks.iter().zip(&reading.section_of).filter(|(block, section)| {
        block.kind == BlockKind::Code
            && reading.sections[**section].role == SectionRole::Steps
            && has_words(block.text.slice(text), 3)
    });
    let code: Vec<Span> = code_under.map(|(block, _)| block.span).collect();
    let mut found: Vec<Span> = Vec::new();
    if labelled.iter().take(2).any(|s| denies(s.span.slice(text))) {
        // An author who writes under "Steps" that there are none is believed.
        return Vec::new();
    }
    if is_followable(text, reading, &labelled) {
        found.extend(labelled.iter().map(|s| s.span));
    }
    found.extend(code);
    if !found.is_empty() {
        return found;
    }
    let listed = listed_steps(text, reading, roles);
    if !listed.is_empty() {
        return listed;
    }
    let instructions: Vec<&Sentence> = playing(reading, roles, |roles| roles.step).collect();
    if instructions.len() >= 2 && is_followable(text, reading, &instructions) {
        return instructions.iter().map(|s| s.span).collect();
    }
    let told: Vec<Span> = prose(reading).filter(|s| tells_a_step(text, reading, s)).map(|s| s.span).collect();
    if !told.is_empty() {
        return told;
    }
    reading.blocks.iter().filter(|block| is_session(text, block)).map(|block| block.span).collect()
}

/// Returns true if the steps together contain enough words specific to this fault to be followed.
fn is_followable(text: &str, reading: &Reading, steps: &[&Sentence]) -> bool {
    let says_how = steps.iter().filter(|s| !s.cues.any(&[Cue::Elsewhere, Cue::Open])).collect::<Vec<_>>();
    let specific: usize = says_how.iter().map(|s| specific_words(text, s)).sum();
    let denied = steps.iter().any(|s| denies(s.span.slice(text)));
    let acts = says_how
        .iter()
        .any(|s| s.cues.any(&[Cue::StepVerb, Cue::Condition]) || reading.blocks[s.block].kind == BlockKind::ListItem);
    specific >= 2 && acts && !(denied && specific < 12)
}

/// Returns true if the author says that steps are unknown.
fn denies(words: &str) -> bool {
    let lower = words.to_lowercase();
    NO_STEPS.stand_in(&lower)
}

/// An ordered list, or bullets, whose items describe actions.
fn listed_steps(text: &str, reading: &Reading, roles: &[Roles]) -> Vec<Span> {
    let mut run: Vec<(&Sentence, Roles)> = Vec::new();
    let mut best: Vec<Span> = Vec::new();
    let mut last_block = usize::MAX;
    let both = reading.sentences.iter().zip(roles.iter().copied());
    let items = both.filter(|(s, _)| {
        !s.struck
            && !matches!(s.genre, Genre::Heading | Genre::Code)
            && reading.blocks[s.block].kind == BlockKind::ListItem
            && !matches!(
                s.role,
                SectionRole::Expected
                    | SectionRole::Actual
                    | SectionRole::Environment
                    | SectionRole::AcceptanceCriteria
                    | SectionRole::Metadata
                    | SectionRole::Resources
            )
    });
    for (sentence, plays) in items {
        let follows = last_block == sentence.block || last_block.checked_add(1) == Some(sentence.block);
        if !follows && !run.is_empty() {
            best = better(text, reading, best, &run);
            run.clear();
        }
        run.push((sentence, plays));
        last_block = sentence.block;
    }
    better(text, reading, best, &run)
}

fn better(text: &str, reading: &Reading, best: Vec<Span>, run: &[(&Sentence, Roles)]) -> Vec<Span> {
    let acting = run.iter().filter(|(s, plays)| plays.step || s.cues.has(Cue::StepVerb)).count();
    let sentences: Vec<&Sentence> = run.iter().map(|(sentence, _)| *sentence).collect();
    if acting >= 2 && acting * 2 >= run.len() && best.is_empty() && is_followable(text, reading, &sentences) {
        return sentences.iter().map(|s| s.span).collect();
    }
    best
}

/// Returns true for "When I press Save with an empty list, …", 打单软件 → 待打印 → 打印.
fn tells_a_step(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    if sentence.genre == Genre::Title {
        return false;
    }
    let words = sentence.span.slice(text);
    let arrows = words.matches(['→', '⇒']).count()
        + words.matches("->").count()
        + words.matches(" > ").count()
        + words.matches("=>").count()
        + words.matches(">>").count();
    if arrows >= 2 {
        return true;
    }
    if matches!(
        sentence.role,
        SectionRole::Expected | SectionRole::Environment | SectionRole::Metadata | SectionRole::OutOfScope
    ) {
        return false;
    }
    let acts = reading.count_cue(sentence.span, Cue::StepVerb);
    let told = sentence.cues.any(&[Cue::Condition, Cue::FirstPerson, Cue::Frequency]);
    acts >= 1
        && told
        && specific_words(text, sentence) >= 4
        && !sentence.cues.any(&[Cue::Elsewhere, Cue::Need])
        && !words.ends_with(['?', '？'])
}

fn expected(text: &str, reading: &Reading, roles: &[Roles]) -> Vec<Span> {
    let asides = asked_beside(text, reading);
    let is_aside = |s: &Sentence| asides.binary_search(&s.span.start).is_ok();
    let labelled = filled(text, reading, SectionRole::Expected, |s| !is_aside(s));
    if !labelled.is_empty() {
        // An expectation that depends on a decision is not yet an expectation.
        let is_open = |s: &Sentence| {
            s.role == SectionRole::Expected
                && !is_aside(s)
                && (s.cues.has(Cue::Open) || is_open_question(text, s) && !proposes(text, s))
        };
        // "Should work as designed" next to "does not work as designed" does not describe the correct behaviour.
        let says_nothing = |s: &Sentence| s.cues.any(&[Cue::Empty, Cue::Generic]) && specific_words(text, s) < 2;
        let empty = |role| prose(reading).filter(|s| s.role == role).all(says_nothing);
        let hollow = empty(SectionRole::Expected) && empty(SectionRole::Actual) && reading.code().is_empty();
        return if hollow || prose(reading).any(is_open) { Vec::new() } else { labelled };
    }
    let is_told = |s: &Sentence| !s.cues.any(&[Cue::Open, Cue::Asking]) && has_words(s.span.slice(text), 3);
    let said: Vec<Span> =
        playing(reading, roles, |roles| roles.expected).filter(|s| is_told(s)).map(|s| s.span).collect();
    if !said.is_empty() {
        return said;
    }
    // The earlier behaviour, or the behaviour elsewhere, also shows the expectation.
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.cues.has(Cue::Expectation)
                && !matches!(
                    s.role,
                    SectionRole::Environment
                        | SectionRole::Metadata
                        | SectionRole::Implementation
                        | SectionRole::Expected
                )
        })
        .filter(|s| is_told(s) && !is_open_question(text, s))
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    // A remark in a pasted session: `# expected: b.txt`.
    let remark = |line: &str| {
        let line = line.trim_start_matches(['$', '>', ' ']);
        let lower = line.to_lowercase();
        (line.starts_with('#') || line.starts_with("//")) && EXPECTATION_REMARKS.stand_in(&lower)
    };
    let code = reading.blocks.iter().filter(|b| b.kind == BlockKind::Code);
    code.filter(|b| b.text.slice(text).lines().any(remark)).map(|b| b.text).collect()
}

/// The most words of an answer to a question of the form: "Yes", "No, never", "Not sure".
const LONGEST_ANSWER: usize = 5;

/// Starts of the sentences below "Expected" that ask or answer something else: "Did this work before? No". If the
/// section opens with a question, or has no other sentence, the question is the expectation, and it is open.
fn asked_beside(text: &str, reading: &Reading) -> Vec<usize> {
    let mut out = Vec::new();
    let told: Vec<&Sentence> =
        prose(reading).filter(|s| s.role == SectionRole::Expected && is_filled(text, s)).collect();
    for section in told.chunk_by(|a, b| a.section == b.section) {
        let asks = |s: &Sentence| is_open_question(text, s) && !proposes(text, s);
        let mut answers = false;
        let mut beside = Vec::new();
        let mut says = false;
        for (index, sentence) in section.iter().enumerate() {
            let words = sentence.span.slice(text);
            let is_question = asks(sentence);
            let is_answer =
                answers && words.split_whitespace().count() <= LONGEST_ANSWER && !sentence.cues.has(Cue::Wanted);
            if is_question || is_answer {
                beside.push(sentence.span.start);
            } else {
                says |= index == 0 || sentence.cues.any(&[Cue::Wanted, Cue::Expectation]);
            }
            answers = is_question;
        }
        if says {
            out.extend(beside);
        }
    }
    out
}

/// Returns true if a question proposes one answer, such as "Maybe it should stay empty?". "Should it stay empty?" and
/// "A or B?" leave the answer open.
fn proposes(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text).to_lowercase();
    let asks = OPEN_QUESTIONS.en;
    sentence.cues.has(Cue::Wanted)
        && !asks.iter().any(|start| words.starts_with(start))
        && !words.contains(" or ")
        && !CHOICES.stand_in(&words)
}

fn is_open_question(text: &str, sentence: &Sentence) -> bool {
    sentence.span.slice(text).ends_with(['?', '？'])
}

fn actual(text: &str, reading: &Reading, roles: &[Roles]) -> Vec<Span> {
    let labelled = filled(text, reading, SectionRole::Actual, |_| true);
    if !labelled.is_empty() {
        return labelled;
    }
    let seen: Vec<Span> = playing(reading, roles, |roles| roles.observed)
        .filter(|s| has_words(s.span.slice(text), 3) && !only_points_elsewhere(text, s))
        .map(|s| s.span)
        .collect();
    if !seen.is_empty() {
        return seen;
    }
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.cues.has(Cue::Symptom)
                && !matches!(s.role, SectionRole::Expected | SectionRole::Environment | SectionRole::Metadata)
        })
        .filter(|s| has_words(s.span.slice(text), 3))
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    // Program output is actual behaviour, fenced or not.
    let printed =
        |b: &&Block| b.kind == BlockKind::Log || b.kind == BlockKind::Code && tells_a_failure(b.text.slice(text));
    reading.blocks.iter().filter(printed).map(|b| b.span).collect()
}

fn environment(text: &str, reading: &Reading) -> Vec<Span> {
    let says_where = |s: &Sentence| {
        let words = s.span.slice(text);
        let digits = words.chars().any(|c| c.is_ascii_digit());
        let names = s.cues.has(Cue::Platform) && specific_words(text, s) >= 1 && !refers(words);
        digits || names && !s.cues.any(&[Cue::Hedge, Cue::Open])
    };
    let labelled = filled(text, reading, SectionRole::Environment, says_where);
    if !labelled.is_empty() {
        return labelled;
    }
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.role != SectionRole::Environment
                && (s.cues.has(Cue::Platform) && near_digit(text, reading, s) || has_version(s.span.slice(text)))
        })
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    let code = reading.blocks.iter().filter(|b| b.is_code());
    code.filter(|b| b.text.slice(text).lines().take(200).any(|l| has_version(l) || l.contains("--version")))
        .map(|b| b.text)
        .collect()
}

/// Returns true for a platform word next to a number: "Windows 11", "firmware 3.6", 固件 3.6, 9.1.0 版本.
fn near_digit(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let near = |span: Span| {
        let from = floor(text, span.start.saturating_sub(16).max(sentence.span.start));
        let to = floor(text, (span.end + 24).min(sentence.span.end));
        Span::new(from, to).slice(text).chars().any(|c| c.is_ascii_digit())
    };
    reading
        .hits_in(sentence.span)
        .iter()
        .filter(|hit| usize::from(hit.list.0) == Cue::Platform as usize)
        .any(|hit| near(hit.span))
}

fn floor(text: &str, mut at: usize) -> usize {
    while at > 0 && !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns true for `1.2.3`, `v2.1`, `2024.3`: digits, a dot and digits that are not a quantity with a unit or a
/// decimal in prose.
fn has_version(words: &str) -> bool {
    words
        .split(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '(' | ')' | '，' | '（' | '）' | '、' | '：' | ':' | '/' | '"' | '`')
        })
        .filter(|word| !names_file(word))
        .any(|word| {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let bare = word.trim_start_matches(['v', 'V', 'r']);
            let parts: Vec<&str> = bare.split(['.', '-', '_']).collect();
            let numbers = parts.iter().take_while(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit())).count();
            bare.contains('.') && (numbers >= 3 || numbers >= 2 && bare.len() < word.len())
        })
}

fn filled(text: &str, reading: &Reading, role: SectionRole, accept: impl Fn(&Sentence) -> bool) -> Vec<Span> {
    let cells = column(text, reading, role);
    if !cells.is_empty() {
        return cells;
    }
    let mut spans: Vec<Span> = prose(reading)
        .filter(|s| s.role == role && is_filled(text, s) && accept(s) && !only_points_elsewhere(text, s))
        .map(|s| s.span)
        .collect();
    let code = reading.blocks.iter().zip(&reading.section_of);
    spans.extend(
        code.filter(|(b, section)| {
            b.is_code() && reading.sections[**section].role == role && !b.text.slice(text).trim().is_empty()
        })
        .map(|(b, _)| b.span),
    );
    spans.sort();
    spans
}

/// The cells of a table column with this role, such as the columns "expected" and "actual" of a test run.
fn column(text: &str, reading: &Reading, role: SectionRole) -> Vec<Span> {
    let rows = reading.blocks.iter().filter(|block| matches!(block.kind, BlockKind::TableRow { header: false }));
    let cells = rows
        .flat_map(|row| row.cells.iter().zip(&row.cell_roles))
        .filter(|(_, of)| **of == Some(role))
        .map(|(cell, _)| *cell);
    cells
        .filter(|cell| {
            !is_nothing(cell.slice(text)) && specific(text, *cell) + cell.slice(text).split_whitespace().count() >= 2
        })
        .collect()
}

/// Returns true for a sentence without content, such as "See screenshot".
fn only_points_elsewhere(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text);
    sentence.cues.has(Cue::Elsewhere) && specific_words(text, sentence) < 5 || is_image(words)
}

fn is_image(words: &str) -> bool {
    let words = words.trim();
    words.starts_with("![") && words.ends_with(')')
        || words.starts_with("<img")
        || words.starts_with('!') && words.ends_with('!') && words.len() > 4
}
