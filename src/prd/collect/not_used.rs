//! The sentences of the sources that no statement quotes, so that nothing is dropped without a trace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::conflicts::Passage;
use super::courtesies::courtesies;
use super::pieces::Piece;
use super::sentences::{plain, substance};
use super::{Collector, Source, UTTERANCE};
use crate::model::{Genre, LineIndex, Span};
use crate::prd::brief::BriefSection;
use crate::prd::{FeatureBrief, SourceQuote};
use crate::text::content_words::content_words;

/// Words of a source that the brief does not use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotUsed {
    /// Names it in an answer: `u1`, `u2` …
    pub id: String,
    /// The words and where they stand.
    pub place: SourceQuote,
    /// True for a greeting, thanks, a signature: counted, and not shown line by line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_courtesy: bool,
}

impl Collector<'_> {
    /// The sentences, rows and code blocks of the sources that nothing in the brief quotes, in order.
    pub fn not_used(&self, sources: &[Source], brief: &FeatureBrief) -> Vec<NotUsed> {
        let quotes = quotes(brief);
        let mut out: Vec<NotUsed> = Vec::new();
        for source in sources.iter().filter(|source| source.asked.is_none()) {
            let own: Vec<String> = quotes
                .iter()
                .filter(|place| place.source == source.name)
                .map(|place| plain(&place.quote))
                .filter(|quote| !quote.is_empty())
                .collect();
            let at_line: Vec<(u32, Vec<String>)> = quotes
                .iter()
                .filter(|place| place.source == source.name)
                .map(|place| (place.line, content_words(&place.quote)))
                .collect();
            let lines = LineIndex::new(&source.text);
            let courtesies = courtesies(&source.text);
            for span in self.said(&source.text) {
                let words = plain(span.slice(&source.text));
                let is_title = !brief.title.is_empty() && words.to_lowercase().contains(&brief.title.to_lowercase());
                let is_quoted = own.iter().any(|quote| quote.contains(&words) || words.contains(quote));
                // What somebody typed as the wish says more than a title.
                let is_title = is_title && source.name != UTTERANCE;
                if substance(&words) == 0 || is_quoted || is_title && words.len() <= 2 * brief.title.len() {
                    continue;
                }
                let line = u32::try_from(lines.position(&source.text, span.start).line).unwrap_or(u32::MAX);
                // A quote may begin or end within a sentence of its line.
                let said = content_words(&words);
                let shared = |quoted: &[String]| said.iter().filter(|word| quoted.binary_search(word).is_ok()).count();
                if at_line.iter().any(|(at, quoted)| *at == line && 3 * shared(quoted) >= 2 * said.len().max(1)) {
                    continue;
                }
                let place =
                    SourceQuote { source: source.name.clone(), line, quote: span.slice(&source.text).to_owned() };
                let is_courtesy = courtesies.contains(&line);
                out.push(NotUsed { id: format!("u{}", out.len() + 1), place, is_courtesy });
            }
        }
        out
    }

    /// The sentences of documents that no piece labels.
    pub(super) fn passages(&self, sources: &[Source], pieces: &[Piece]) -> Vec<Passage> {
        let mut out = Vec::new();
        for source in sources.iter().filter(|source| source.asked.is_none() && source.name != UTTERANCE) {
            let lines = LineIndex::new(&source.text);
            let own: Vec<&Piece> = pieces.iter().filter(|piece| piece.place.source == source.name).collect();
            let reading = self.reader.read(&source.text, None);
            let title = reading.title.unwrap_or(Span::new(0, 0));
            for span in self.said(&source.text).into_iter().filter(|span| !span.overlaps(title)) {
                let words = plain(span.slice(&source.text));
                if own.iter().any(|piece| piece.words.contains(&words) || words.contains(&piece.words)) {
                    continue;
                }
                let line = u32::try_from(lines.position(&source.text, span.start).line).unwrap_or(u32::MAX);
                let place =
                    SourceQuote { source: source.name.clone(), line, quote: span.slice(&source.text).to_owned() };
                out.push(Passage { words, place });
            }
        }
        out
    }

    /// Everything that a text says, headings left out: sentences as they were read, and each block of code or log by its
    /// first line.
    fn said(&self, text: &str) -> Vec<Span> {
        let reading = self.reader.read(text, None);
        let sentences = reading.sentences.iter().filter(|sentence| sentence.genre != Genre::Heading);
        let mut spans: Vec<Span> = sentences.map(|sentence| sentence.span).collect();
        let first_line = |span: Span| {
            let line = span.slice(text).lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric));
            line.and_then(|line| {
                let at = span.start + span.slice(text).find(line)?;
                Some(Span::new(at, at + line.len()))
            })
        };
        let code = reading.blocks.iter().filter(|block| block.is_code());
        spans.extend(code.filter_map(|block| first_line(block.text)));
        spans.sort_by_key(|span| span.start);
        spans
    }
}

/// Every place that a brief quotes.
fn quotes(brief: &FeatureBrief) -> Vec<&SourceQuote> {
    let stated = BriefSection::ALL.into_iter().flat_map(|section| brief.statements(section));
    let asked = brief.open_questions.iter().flat_map(|question| question.sources());
    stated.flat_map(|statement| statement.sources()).chain(asked).collect()
}
