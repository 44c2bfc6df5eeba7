//! Splits a source into statements: one per sentence or clause, with its kind and its place.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::asides;
use super::kinds::{self, Facts};
use super::layouts::layout;
use super::marks::plain;
use super::spoken::{self, People, TurnFacts};
use super::statement::{Kind, Said};
use super::wording::{clauses, readable, substance, words_of};
use super::{RulesAuthor, Source};
use crate::model::{Genre, LineIndex, SectionRole, Span};
use crate::prd::SourceQuote;
use crate::rules::DraftingCue;
use crate::text::lexicon::is_cjk;
use crate::text::words::drafting_sources::{FIELDS, MAIL_HEADERS};
use crate::text::{BlockKind, Reading, Sentence};

/// The minimum number of content words with which an answer can be understood without its question.
const LONGEST_ANSWER: usize = 6;

/// More statements than this are not read: it is a book, and every pair is compared.
pub const MOST_STATEMENTS: usize = 400;

impl RulesAuthor<'_> {
    /// Everything that a source says, in its order.
    pub(super) fn said(&self, source: &Source) -> Vec<Said> {
        let layout = layout(&source.text);
        let text = &*layout.text;
        let reading = self.reader.read(&neutral_speakers(text), None);
        let cues = self.words.in_text(text);
        let lines_index = LineIndex::new(text);
        let mut people = People::of(text, self.reader);
        people.add(&layout.names);
        let speakers = kinds::speakers(text, &reading, &people);
        let is_talk = reading.is_conversation || kinds::is_minutes(text, &reading);
        let is_letter = is_letter(text);
        let end = if is_letter { signature(text) } else { text.len() };
        let whole = Facts {
            text,
            reading: &reading,
            cues: &cues,
            speakers: &speakers,
            people: &people,
            words: &self.words,
            is_talk,
            is_letter,
            is_utterance: source.name == "utterance",
            in_request: false,
            turn: None,
        };
        let mut turn: Option<TurnFacts> = None;
        let mut ends = layout.ends.iter().peekable();
        let mut out: Vec<Said> = Vec::new();
        for sentence in
            reading.sentences.iter().filter(|sentence| is_read(sentence, &reading) && sentence.span.start < end)
        {
            if out.len() >= MOST_STATEMENTS {
                break;
            }
            let line = line_of(text, sentence.span.start);
            if lists_people(line) || is_field(text, sentence.span.start, line) || is_signed(line, &people) {
                continue;
            }
            if is_narrated(text, &reading, sentence) || is_talk && is_caption(text, line, sentence.span) {
                continue;
            }
            if caption_above(text, sentence.span.start)
                .and_then(|caption| self.reader.headings().role_of(caption))
                .is_some_and(|(role, _)| role == SectionRole::Actions)
            {
                continue;
            }
            for line in lines(text, sentence.span, &people) {
                // The words after a struck-out part give the reason for it.
                if plain(line.slice(text)).is_struck {
                    continue;
                }
                let mut span = line;
                turn = match people.turn(line.slice(text)) {
                    Some(begun) => {
                        span.start += begun.said;
                        Some(TurnFacts::new(sentence.block, begun.name))
                    }
                    None => {
                        span.start += spoken::clock(line.slice(text));
                        let is_turn = reading.blocks[sentence.block].kind == BlockKind::Turn;
                        let goes_on = turn.filter(|turn| turn.block == sentence.block);
                        goes_on.or_else(|| is_turn.then(|| TurnFacts::new(sentence.block, "")))
                    }
                };
                // The words of another begin behind the name of one.
                let changes = std::iter::from_fn(|| ends.next_if(|end| **end <= span.start)).count() > 0;
                let block_end = reading.blocks[sentence.block].span.end;
                let line_end = text[block_end..].find('\n').map_or(text.len(), |at| block_end + at);
                let is_told = ends.peek().is_some_and(|end| (span.start..=line_end).contains(*end));
                if is_told && (changes || turn.is_none_or(|turn| turn.block != sentence.block)) {
                    turn = Some(TurnFacts { is_noted: true, ..TurnFacts::new(sentence.block, "") });
                }
                let mut facts = Facts { turn, is_talk: is_talk || turn.is_some(), in_request: false, ..whole };
                for span in pieces(&facts, sentence, span) {
                    let bare = plain(span.slice(text));
                    let Some(words) = readable(&bare.words).map(|words| words_of(&words)) else { continue };
                    if words.is_empty() || bare.is_struck {
                        continue;
                    }
                    let quote = SourceQuote {
                        source: source.name.clone(),
                        line: u32::try_from(lines_index.position(text, span.start).line).unwrap_or(u32::MAX),
                        quote: sentence.span.slice(&source.text).trim().to_owned(),
                    };
                    let asks = facts.is_utterance && facts.begins_with_wish(&words);
                    let asked = out.last().filter(|last: &&Said| last.words.ends_with(['?', '？']));
                    if let (Some(turn), Some(asked)) = (facts.turn.as_mut(), asked) {
                        turn.answers = !turn.has_asked;
                        turn.tells |= turn.answers && self.words.has(&asked.words, DraftingCue::Problem);
                    }
                    let mut now = facts.said(sentence, span, words, quote);
                    // "How long? – Twelve months": the answer alone says too little.
                    if let Some(asked) = asked
                        && facts.turn.is_some_and(|turn| turn.answers)
                        && now.kind == Kind::Rule
                        && substance(&now.words) <= LONGEST_ANSWER
                    {
                        now.words = format!("{} {}", asked.words, now.words);
                    }
                    out.push(now);
                    facts.in_request |= asks && out.last().is_some_and(|said| said.kind.demands());
                    if let (Some(turn), Some(told)) = (turn.as_mut(), facts.turn) {
                        turn.tells = told.tells;
                    }
                    let is_question = span.slice(text).trim_end().ends_with(['?', '？']);
                    if let Some(turn) = turn.as_mut() {
                        turn.has_asked |= is_question;
                    }
                    facts.turn = turn;
                }
            }
        }
        out
    }
}

/// True for a mail: it names who wrote it to whom.
pub(super) fn is_letter(text: &str) -> bool {
    let begins = |line: &&str| MAIL_HEADERS.begin(&line.to_lowercase());
    text.lines().take(8).filter(begins).count() >= 2
}

/// The start of the signature of a mail.
fn signature(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if matches!(line.trim_end(), "--" | "---" | "___") {
            return at;
        }
        at += line.len();
    }
    text.len()
}

/// "14:20 Ann leaves early": minutes that report an action of a person, without a colon.
fn is_narrated(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let block = &reading.blocks[sentence.block];
    let begins = block.kind == BlockKind::Turn && sentence.span.start == block.text.start;
    let before = text[..sentence.span.start].trim_end_matches([' ', '*', '_', '\t']);
    begins && !before.ends_with([':', '：', '>', ']', '】', '\n']) && asides::is_narrated(sentence.span.slice(text))
}

/// Marks before the captions of summaries that meeting tools write.
const CAPTION_MARKS: [char; 8] = ['▍', '▸', '■', '◆', '●', '▌', '▶', '【'];

/// "▍Decisions", or the first line of minutes: a caption, no sentence.
fn is_caption(text: &str, line: &str, sentence: Span) -> bool {
    let bare = line.trim();
    let ends = bare.ends_with(['.', '。', '!', '！', '?', '？', ':', '：', ';', '；']);
    let is_first = text[..sentence.start].trim_matches(|c: char| c.is_whitespace() || c == '#').is_empty();
    let is_marked = bare.starts_with(CAPTION_MARKS) && bare.chars().count() <= 40;
    let is_strip = bare.matches(['｜', '|']).count() >= 2 && !bare.starts_with('|');
    !ends && text.contains('\n') && (is_first || is_marked) || is_strip
}

/// The words of the last caption above a place.
fn caption_above(text: &str, at: usize) -> Option<&str> {
    let caption = text[..at].lines().rev().find(|line| line.trim_start().starts_with(CAPTION_MARKS))?;
    Some(caption.trim_matches(|c: char| !c.is_alphanumeric()))
}

fn line_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// "Present: Ann, Bo (QA)".
fn lists_people(line: &str) -> bool {
    spoken::present(line).is_some_and(|list| spoken::names_in(list).len() >= 2)
}

/// The maximum distance of fields from the beginning, in bytes.
const HEAD_OF_FILE: usize = 800;

/// "Priority: high", before the text itself begins.
fn is_field(text: &str, at: usize, line: &str) -> bool {
    let bare = line.trim().trim_start_matches(['-', '*', '#', '|', ' ', '_']);
    let label = bare.split_once([':', '：', '|']).map(|(label, _)| label.trim_matches(['*', '_', ' ']).to_lowercase());
    at <= HEAD_OF_FILE && text.contains('\n') && label.is_some_and(|label| FIELDS.has(&label))
}

/// "Protocol: Bohdan": the author, anywhere in the text.
fn is_signed(line: &str, people: &People) -> bool {
    let bare = line.trim().trim_start_matches(['-', '*', '#', '|', ' ', '_']);
    bare.split_once([':', '：']).is_some_and(|(label, rest)| {
        let label = label.trim_matches(['*', '_', ' ']).to_lowercase();
        FIELDS.has(&label) && people.known_at_start(people.untitled(rest.trim_start())).is_some()
    })
}

/// A sentence, cut before the lines where another person begins to speak.
fn lines(text: &str, sentence: Span, people: &People) -> Vec<Span> {
    let words = sentence.slice(text);
    let breaks = words.match_indices('\n').map(|(at, _)| at + 1);
    let mut cuts: Vec<usize> = breaks.filter(|at| people.turn(&words[*at..]).is_some()).collect();
    cuts.push(words.len());
    let mut from = 0;
    cuts.into_iter()
        .map(|at| {
            let span = Span::new(sentence.start + from, sentence.start + at).trimmed(text);
            from = at;
            span
        })
        .filter(|span| span.start < span.end)
        .collect()
}

/// The maximum length of a speaker's name, in characters.
const LONGEST_NAME: usize = 12;

/// The text with speakers whose name is a label of minutes ("主持人：", "QA:") renamed to something that is not a label, of
/// the same length in bytes, if most lines are statements of speakers.
fn neutral_speakers(text: &str) -> Cow<'_, str> {
    let label = |line: &str| {
        let at = line.find([':', '：'])?;
        let name = &line[..at];
        let is_name = (1..=LONGEST_NAME).contains(&name.chars().count())
            && name.chars().all(char::is_alphanumeric)
            && !name.chars().all(char::is_numeric);
        is_name.then(|| name.to_owned())
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for name in lines.iter().filter_map(|line| label(line)) {
        *said.entry(name).or_default() += 1;
    }
    said.retain(|_, times| *times >= 2);
    let turns: usize = said.values().sum();
    if said.len() < 2 || turns * 10 < lines.len() * 7 {
        return Cow::Borrowed(text);
    }
    let names: Vec<&String> = said.keys().collect();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let name = label(line).filter(|name| said.contains_key(name));
        let number = name.as_ref().and_then(|name| names.iter().position(|other| *other == name)).unwrap_or_default();
        let length = name.as_ref().map_or(0, String::len);
        // Letters of a name that no heading has: 甲, 乙 … for Chinese, Xa, Xb … for the rest.
        let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
        let neutral: String = match name.as_deref() {
            Some(name) if name.chars().all(is_cjk) => {
                let own = ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛"][number % 8];
                own.chars().cycle().take(name.chars().count()).collect()
            }
            Some(name) if name.is_ascii() => "X".chars().chain(std::iter::repeat(letter)).take(length).collect(),
            Some(name) => name.to_owned(),
            None => String::new(),
        };
        out.push_str(&neutral);
        out.push_str(&line[length..]);
    }
    Cow::Owned(out)
}

fn is_read(sentence: &Sentence, reading: &Reading) -> bool {
    let block = &reading.blocks[sentence.block];
    let is_title = sentence.genre == Genre::Title && matches!(block.kind, BlockKind::Heading(_));
    let is_set_aside = sentence.struck || sentence.is_placeholder || block.quoted || is_title;
    !is_set_aside
        && !matches!(sentence.genre, Genre::Code | Genre::Heading | Genre::Quotation)
        && !matches!(
            block.kind,
            BlockKind::FrontMatter
                | BlockKind::HtmlComment
                | BlockKind::MailHeader
                | BlockKind::TableRow { header: true }
        )
        && sentence.role != SectionRole::Metadata
}

/// A sentence is one statement, unless it takes something back or replaces it on its way.
fn pieces(facts: &Facts<'_>, sentence: &Sentence, said: Span) -> Vec<Span> {
    let text = facts.text;
    if matches!(facts.reading.blocks[sentence.block].kind, BlockKind::TableRow { .. }) {
        return vec![stating_cells(facts, sentence, said)];
    }
    let turns = |span: Span| {
        facts.cues.any(span, &[DraftingCue::Retraction, DraftingCue::Joke])
            || kinds::replaces(facts, span)
            || facts.cues.has(span, DraftingCue::Open)
            || facts.cues.has(span, DraftingCue::OutOfScope) && sentence.role != SectionRole::OutOfScope
            || facts.is_utterance && facts.cues.has(span, DraftingCue::Papers)
    };
    let clauses = clauses(text, said);
    // "It is done by hand today, we want a list": the problem, then the wish.
    let mut out: Vec<(Span, bool)> = Vec::new();
    let mut rest = clauses.as_slice();
    if let Some(wish) = facts.later_wish(sentence, &clauses) {
        out.push((Span::new(said.start, wish.start).trimmed(text), true));
        let at = clauses.iter().position(|clause| clause.start == wish.start).unwrap_or_default();
        rest = &clauses[at..];
    }
    let requests = facts.is_utterance
        && rest.first().is_some_and(|first| {
            let words = words_of(first.slice(text));
            words.chars().any(is_cjk) && facts.begins_with_wish(&words)
        });
    if rest.len() < 2 || !requests && !rest.iter().any(|clause| turns(*clause)) || !facts.may_turn(sentence) {
        let start = rest.first().map_or(said.start, |first| if out.is_empty() { said.start } else { first.start });
        out.push((Span::new(start, said.end), true));
        return out.into_iter().map(|(span, _)| span).collect();
    }
    // The clauses after a request in one Chinese sentence are its rules, one by one. Clauses that change direction
    // stand alone; those between two of them stay together.
    for clause in rest {
        let is_rule = requests && substance(clause.slice(text)) >= 3;
        let alone = is_rule || turns(*clause) && !facts.cues.has(*clause, DraftingCue::Joke);
        let leaves_out = |span: Span| facts.cues.has(span, DraftingCue::OutOfScope);
        match out.last_mut() {
            // "Not now, only the list": a word or two belong to what was left out before them.
            Some((last, true)) if leaves_out(*last) && (leaves_out(*clause) || substance(clause.slice(text)) <= 2) => {
                *last = last.join(*clause);
            }
            Some((last, true)) if kinds::replaces(facts, *last) && substance(clause.slice(text)) <= 2 => {
                *last = last.join(*clause);
            }
            Some((last, false)) if !alone => *last = last.join(*clause),
            _ => out.push((*clause, alone)),
        }
    }
    out.into_iter().map(|(span, _)| span).collect()
}

/// The cells of a row that state something, without the number before them and the name behind them.
fn stating_cells(facts: &Facts<'_>, sentence: &Sentence, row: Span) -> Span {
    let block = &facts.reading.blocks[sentence.block];
    let above = facts.reading.blocks[..sentence.block].iter().rev();
    let header = above.clone().find(|block| block.kind == BlockKind::TableRow { header: true });
    let is_remark = |at: usize| {
        let name = header.and_then(|header| header.cells.get(at));
        name.is_some_and(|name| asides::is_remark_column(name.slice(facts.text)))
    };
    let cells = block.cells.iter().enumerate().filter(|(at, _)| !is_remark(*at)).map(|(_, cell)| cell);
    let mut stating = cells.clone().filter(|cell| substance(cell.slice(facts.text)) >= 4);
    let Some(first) = stating.next() else {
        let longest = cells.max_by_key(|cell| substance(cell.slice(facts.text)));
        return longest.filter(|_| header.is_some()).copied().unwrap_or(row);
    };
    Span::new(first.start, stating.next_back().unwrap_or(first).end)
}
