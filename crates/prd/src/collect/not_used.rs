//! Lists the sentences of the sources that no statement quotes, so that no content is lost unnoticed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::conflicts::Passage;
use super::courtesies::courtesies;
use super::statements::Statement;
use super::{Collector, UTTERANCE};
use crate::brief::BriefSection;
use crate::layouts::Source;
use crate::layouts::pieces::Piece;
use crate::layouts::sentences::{plain, substance};
use crate::requirements::{PutAside, Tags};
use crate::{FeatureBrief, OpenQuestion, SourceQuote};
use reqgate_base::model::{LineIndex, Span};
use reqgate_text::content_words::content_words;
use reqgate_text::words::conflicting_demands::NEGATIVE;
use reqgate_text::words::conversations::{COURTESIES_TOLD, LETTER_HEADS, SMALL_TALK};
use reqgate_text::{Cue, CueSet};

/// The most lines that the head of a ticket or a letter can have.
const MOST_LINES_OF_HEAD: usize = 12;

/// A passage of a source that the brief does not use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotUsed {
    /// The id by which an answer refers to it: `u1`, `u2` …
    pub id: String,
    /// The text and its location.
    pub place: SourceQuote,
    /// The passage is a greeting, assent, a name or a date: it is counted, but not listed line by line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_courtesy: bool,
}

impl Collector<'_> {
    /// The sentences, rows and code blocks of the sources that the brief does not quote: first those with a figure, a
    /// negation or a decision, last the courtesies, each in the order of the sources.
    pub fn not_used(&self, sources: &[Source], brief: &FeatureBrief) -> Vec<NotUsed> {
        // A sentence without a label that a question compares with a rule is in no section: it can be adopted.
        let pieces = self.pieces(sources);
        let is_piece = |place: &SourceQuote| pieces.iter().any(|piece| piece.place == *place);
        let is_set_against = |open: &OpenQuestion, place: &SourceQuote| {
            open.against.as_ref() == Some(place) && open.source.iter().any(is_piece) && !is_piece(place)
        };
        let quotes = quotes(brief, is_set_against);
        let mut out: Vec<(Weight, NotUsed)> = Vec::new();
        for source in sources.iter().filter(|source| source.asked.is_none()) {
            let own: Vec<String> = quotes
                .iter()
                .filter(|place| place.source == source.name)
                .map(|place| without_blanks(&plain(&place.quote)))
                .filter(|quote| !quote.is_empty())
                .collect();
            let at_line: Vec<(u32, Vec<String>)> = quotes
                .iter()
                .filter(|place| place.source == source.name)
                .map(|place| (place.line, content_words(&place.quote)))
                .collect();
            let lines = LineIndex::new(&source.text);
            let courtesies = courtesies(&source.text);
            let reading = self.reader.read(&source.text, None);
            for Statement { span, is_bare } in self.statements(&source.text) {
                let words = plain(span.slice(&source.text));
                let is_title = !brief.title.is_empty() && words.to_lowercase().contains(&brief.title.to_lowercase());
                let whole = without_blanks(&words);
                // A quote of a few words does not cover a whole sentence that also decides something else.
                let is_quoted = own.iter().any(|quote| {
                    quote.contains(&whole)
                        || whole.contains(quote)
                            && (3 * quote.len() >= whole.len() || !decides(&whole.replacen(quote, "", 1)))
                });
                // A typed request says more than a title.
                let is_title = is_title && source.name != UTTERANCE;
                if substance(&words) == 0 || is_quoted || is_title && words.len() <= 2 * brief.title.len() {
                    continue;
                }
                let line_at = |at| u32::try_from(lines.position(&source.text, at).line).unwrap_or(u32::MAX);
                let (line, last) = (line_at(span.start), line_at(span.end));
                // A quote may begin or end within a sentence of its lines.
                let said = content_words(&words);
                let here = || at_line.iter().filter(|(at, _)| (line..=last).contains(at));
                let is_said = |word: &&String| here().any(|(_, quoted)| quoted.binary_search(word).is_ok());
                if 3 * said.iter().filter(is_said).count() >= 2 * said.len().max(1) {
                    continue;
                }
                let place =
                    SourceQuote { source: source.name.clone(), line, quote: span.slice(&source.text).to_owned() };
                let cues = reading.cues_in(span);
                let is_courtesy = is_bare
                    || courtesies.contains(&line)
                    || is_of_head(&source.text, span)
                    || is_small_talk(&words, cues);
                let weight = match is_courtesy {
                    true => Weight::Courtesy,
                    false => Weight::of(&words, cues),
                };
                // The rest of a line that is quoted counts as used, unless it decides something.
                if weight == Weight::Other && (line..=last).all(|line| at_line.iter().any(|(at, _)| *at == line)) {
                    continue;
                }
                out.push((weight, NotUsed { id: String::new(), place, is_courtesy }));
            }
        }
        out.sort_by_key(|(weight, _)| *weight);
        let named = |(at, (_, one)): (usize, (Weight, NotUsed))| NotUsed { id: format!("u{}", at + 1), ..one };
        out.into_iter().enumerate().map(named).collect()
    }

    /// The unlabelled sentences of documents.
    pub(super) fn passages(&self, sources: &[Source], pieces: &[Piece]) -> Vec<Passage> {
        let mut out = Vec::new();
        for source in sources.iter().filter(|source| source.asked.is_none() && source.name != UTTERANCE) {
            let lines = LineIndex::new(&source.text);
            let own: Vec<&Piece> = pieces.iter().filter(|piece| piece.place.source == source.name).collect();
            let reading = self.reader.read(&source.text, None);
            let title = reading.title.unwrap_or(Span::new(0, 0));
            let said = self.statements(&source.text).into_iter().map(|said| said.span);
            let is_rejected = |span: &Span| is_rejected(line_around(&source.text, *span));
            for span in said.filter(|span| !span.overlaps(title) && !is_rejected(span)) {
                let words = plain(span.slice(&source.text));
                if own.iter().any(|piece| piece.words.contains(&words) || words.contains(&piece.words)) {
                    continue;
                }
                let line = u32::try_from(lines.position(&source.text, span.start).line).unwrap_or(u32::MAX);
                let place =
                    SourceQuote { source: source.name.clone(), line, quote: span.slice(&source.text).to_owned() };
                let cues = reading.cues_in(span);
                let doubts =
                    words.ends_with(['?', '？']) || [Cue::Open, Cue::Withdrawal].iter().any(|cue| cues.has(*cue));
                out.push(Passage { words, place, doubts });
            }
        }
        out
    }
}

/// The line on which a sentence begins.
fn line_around(text: &str, span: Span) -> &str {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// Returns true for a line tagged as rejected, and for a row with such a cell: neither contradicts another statement.
fn is_rejected(line: &str) -> bool {
    let is = |put_aside: Option<PutAside>| put_aside == Some(PutAside::Rejected);
    is(Tags::of_words(line).put_aside)
        || line.trim_start().starts_with('|') && line.split('|').any(|cell| is(PutAside::named(cell)))
}

/// The importance of an unused sentence, the highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// An obligation, a limit or a decision.
    Rule,
    /// A sentence with a figure.
    Figure,
    /// A sentence with a negation.
    Denying,
    /// A question about an obligation, a figure or a negation: its answer says more.
    Asking,
    Other,
    Courtesy,
}

impl Weight {
    /// The weight of a sentence that is not a courtesy.
    fn of(words: &str, cues: CueSet) -> Self {
        let weight = if binds(cues) || [Cue::Decision, Cue::Withdrawal].into_iter().any(|cue| cues.has(cue)) {
            Self::Rule
        } else if words.contains(|c: char| c.is_ascii_digit()) {
            Self::Figure
        } else if NEGATIVE.stand_in(&words.to_lowercase()) {
            Self::Denying
        } else {
            return Self::Other;
        };
        if words.trim_end().ends_with(['?', '？', '吗', '呢']) { Self::Asking } else { weight }
    }
}

/// Returns true for an obligation or a limit.
fn binds(cues: CueSet) -> bool {
    [Cue::Obligation, Cue::Bound].into_iter().any(|cue| cues.has(cue))
}

/// Returns true for a part of a sentence with a figure or a negation.
fn decides(words: &str) -> bool {
    words.contains(|c: char| c.is_ascii_digit()) || NEGATIVE.stand_in(&words.to_lowercase())
}

/// Returns true for "Hope you are well." and 下次会议：10 月 29 日: sentences about the conversation itself, without an obligation.
fn is_small_talk(words: &str, cues: CueSet) -> bool {
    let lower = words.to_lowercase();
    let has_figure = || words.contains(|c: char| c.is_ascii_digit());
    let names_day = || lower.split_once([':', '：']).is_some_and(|(label, _)| LETTER_HEADS.has(label.trim()));
    (SMALL_TALK.begin(&lower) || COURTESIES_TOLD.stand_in(&lower)) && !binds(cues) && (!has_figure() || names_day())
}

/// Returns true for a line in the head of a ticket or a letter: "Reporter: Nadia Holt", 创建：2026-10-12.
fn is_of_head(text: &str, span: Span) -> bool {
    let start = text[..span.start].rfind('\n').map_or(0, |feed| feed + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let label =
        line.split_once([':', '：']).map(|(label, _)| label.trim_matches(['*', '-', ' ', '>', '|']).to_lowercase());
    // The head ends at the first heading after the title.
    let is_head = text[..start].lines().filter(|line| line.starts_with('#')).count() <= 1
        && text[..start].lines().count() < MOST_LINES_OF_HEAD;
    is_head && label.is_some_and(|label| LETTER_HEADS.has(&label))
}

/// The text without white space, for comparison: a source may have a line break where a quote has none.
fn without_blanks(words: &str) -> String {
    words.split_whitespace().collect()
}

/// All locations that a brief quotes, without those of questions that `is_unused` excludes.
fn quotes(brief: &FeatureBrief, is_unused: impl Fn(&OpenQuestion, &SourceQuote) -> bool) -> Vec<&SourceQuote> {
    let stated = BriefSection::ALL.into_iter().flat_map(|section| brief.statements(section));
    let asked = brief
        .open_questions
        .iter()
        .flat_map(|open| open.sources().map(move |place| (open, place)))
        .filter(|(open, place)| !is_unused(open, place))
        .map(|(_, place)| place);
    stated.flat_map(|statement| statement.sources()).chain(asked).collect()
}
