//! The result of reading a ticket, and the checks that it passes whoever wrote it: a model, an agent or a person.
//!
//! Pure. What fails a check is set aside with its reason; what is left has places that were computed from the text.

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;

use reqgate_base::model::{DiscardReason, EvidencePart, Genre, Language, QuestionCode, Span, TicketType};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::{Quotable, Reading, quote};

/// Questions that are taken.
pub const MOST_QUESTIONS: usize = 3;
/// Quotes that are taken as evidence.
pub const MOST_EVIDENCE: usize = 8;
/// A quote of more bytes than this points at nothing.
const LONGEST_QUOTED: usize = 1_000;
/// A question has at most this many characters.
const LONGEST_ASK: usize = 240;
/// Evidence shares at least so many words that carry meaning with nothing but itself.
const LEAST_CONTENT: usize = 2;
/// What a reader writes where the text says nothing.
pub const NOWHERE: &str = "NOWHERE";

/// What a reader hands back. What it rests on stands before the readiness, so that the readiness follows from it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema, Validate)]
// A server is asked for every field; a reply without evidence is understood all the same.
#[schemars(extend("required" = ["kind", "evidence", "questions", "ready"]))]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub struct ReadingAnswer {
    /// Kind of ticket, one of [`KINDS`]; anything else counts as `other`.
    #[garde(skip)]
    #[schemars(extend("enum" = KINDS))]
    pub kind: String,
    /// What the text says.
    #[garde(length(max = 100))]
    #[serde(default)]
    pub evidence: Vec<EvidenceAnswer>,
    /// What the reader would ask, most serious first.
    #[garde(length(max = 100))]
    pub questions: Vec<QuestionAnswer>,
    /// Readiness, 0 to 4.
    #[garde(range(max = 4))]
    pub ready: u8,
}

/// A part of a ticket that the text has.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub struct EvidenceAnswer {
    /// Wire name of an [`EvidencePart`].
    #[schemars(extend("enum" = EvidencePart::ALL.map(EvidencePart::name)))]
    pub part: String,
    /// Words of the text.
    pub quote: String,
}

/// A question to the author.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub struct QuestionAnswer {
    /// Wire name of a [`QuestionCode`]; anything else counts as `other`.
    #[schemars(extend("enum" = QuestionCode::ALL.map(QuestionCode::name)))]
    pub code: String,
    /// Words of the text, or [`NOWHERE`].
    pub quote: String,
    /// The question.
    pub ask: String,
    /// True if the work cannot start without the answer.
    pub must: bool,
}

/// The kinds that an answer may name.
pub const KINDS: [&str; 6] = ["bug", "feature", "task", "question", "discussion", "other"];

/// A reading after every check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedReading {
    /// The kind of ticket; `None` for none of them.
    pub kind: Option<TicketType>,
    /// Readiness, 0 to 4.
    pub ready: u8,
    /// At most [`MOST_QUESTIONS`] questions, the most serious first.
    pub questions: Vec<Asked>,
    /// Parts that the ticket has, with the words that are one; one place for each, and no place twice.
    pub evidence: Vec<(EvidencePart, Span)>,
    /// What was set aside, as the reader said it.
    pub discarded: Vec<(DiscardReason, String)>,
}

/// A question whose place was found and whose words are safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Its subject.
    pub code: QuestionCode,
    /// The question.
    pub ask: String,
    /// True if the work cannot start without the answer.
    pub must: bool,
    /// The words that raise it; `None` where the text says nothing about it.
    pub span: Option<Span>,
}

/// The text that was read.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The text, as it is shown.
    pub text: &'s str,
    /// The same, to look up quotes.
    pub quotes: &'s Quotable,
    /// The same, sentence by sentence.
    pub reading: &'s Reading,
    /// The language of its author.
    pub language: Language,
}

/// Who read the ticket, as far as the checks need to know: how words of theirs are made safe to show.
pub trait Reader {
    /// The words on one line, or why they must not be shown.
    ///
    /// # Errors
    /// They hold an address that the text does not have, an order to a model or personal data, or nothing at all.
    fn clean(&self, words: &str) -> Result<String, DiscardReason>;
}

impl<F: Fn(&str) -> Result<String, DiscardReason>> Reader for F {
    fn clean(&self, words: &str) -> Result<String, DiscardReason> {
        self(words)
    }
}

/// Checks what a reader handed back.
///
/// Readiness of 2 or below without a question that passes is a verdict alone: it is noted as one, and whoever counts the reading
/// finds no question in it.
pub fn check(answer: &ReadingAnswer, source: Source<'_>, reader: &impl Reader) -> CheckedReading {
    let mut checked = CheckedReading { kind: kind(&answer.kind), ready: answer.ready, ..CheckedReading::default() };
    for offered in &answer.questions {
        match question(offered, source, &checked, reader) {
            Ok(asked) => checked.questions.push(asked),
            Err(reason) => checked.discarded.push((reason, format!("{}: {}", offered.quote, offered.ask))),
        }
    }
    for offered in &answer.evidence {
        match evidence(offered, source, &checked) {
            Ok(found) => checked.evidence.push(found),
            Err(reason) => checked.discarded.push((reason, format!("{}: {}", offered.part, offered.quote))),
        }
    }
    if checked.ready <= 2 && checked.questions.is_empty() {
        checked.discarded.push((DiscardReason::NoEvidence, format!("ready: {}", checked.ready)));
    }
    checked
}

fn kind(word: &str) -> Option<TicketType> {
    match word.trim().to_ascii_lowercase().as_str() {
        "bug" => Some(TicketType::Bug),
        "feature" => Some(TicketType::Feature),
        "task" => Some(TicketType::Task),
        "question" => Some(TicketType::Question),
        "discussion" => Some(TicketType::Discussion),
        _ => None,
    }
}

fn question(
    offered: &QuestionAnswer,
    source: Source<'_>,
    so_far: &CheckedReading,
    reader: &impl Reader,
) -> Result<Asked, DiscardReason> {
    if so_far.questions.len() == MOST_QUESTIONS {
        return Err(DiscardReason::TooMany);
    }
    let said = offered.code.trim().to_ascii_lowercase();
    let code = QuestionCode::ALL.into_iter().find(|code| code.name() == said).unwrap_or(QuestionCode::Other);
    let span = match offered.quote.trim() {
        words if words.eq_ignore_ascii_case(NOWHERE) => None,
        words => Some(place(words, source)?),
    };
    let ask = reader.clean(&offered.ask)?;
    if ask.chars().nth(LONGEST_ASK).is_some() || !is_in(&ask, source.language) {
        return Err(DiscardReason::Unusable);
    }
    // A question says something, and something else than the words it is about.
    let words = content_words(&ask);
    let quoted = span.map(|span| content_words(span.slice(source.text))).unwrap_or_default();
    if words.is_empty() || words == quoted {
        return Err(DiscardReason::Unusable);
    }
    let same = |other: &Asked| other.ask == ask || other.code == code && shared_of(&other.ask, &words);
    match so_far.questions.iter().any(same) {
        true => Err(DiscardReason::TooMany),
        false => Ok(Asked { code, ask, must: offered.must, span }),
    }
}

/// True if two questions have three of four words in common.
fn shared_of(other: &str, words: &[String]) -> bool {
    let other = content_words(other);
    shared(words, &other) * 4 >= words.len().max(other.len()) * 3
}

/// Where a quote stands. A piece of a sentence that is shorter than three words points somewhere only if it stands there alone.
fn place(words: &str, source: Source<'_>) -> Result<Span, DiscardReason> {
    let span = source.quotes.find_shortened(words).ok_or(DiscardReason::NotInText)?;
    let points_nowhere = || {
        let found = span.slice(source.text);
        quote::is_scrap(found)
            && source.reading.whole(source.text, span).is_none()
            && source.quotes.stands_again(span, found)
    };
    match span.len() > LONGEST_QUOTED || points_nowhere() {
        true => Err(DiscardReason::Unusable),
        false => Ok(span),
    }
}

fn evidence(
    offered: &EvidenceAnswer,
    source: Source<'_>,
    so_far: &CheckedReading,
) -> Result<(EvidencePart, Span), DiscardReason> {
    let said = offered.part.trim().to_ascii_lowercase();
    let part = EvidencePart::ALL.into_iter().find(|part| part.name() == said).ok_or(DiscardReason::NotAsked)?;
    let span = place(&offered.quote, source)?;
    let words = span.slice(source.text);
    let is_piece = || source.reading.whole(source.text, span).is_none();
    if content_words(words).len() < LEAST_CONTENT || quote::is_scrap(words) && is_piece() {
        return Err(DiscardReason::Unusable);
    }
    // A heading names a part and is not one, and a question leaves it open.
    let is_none = |genre| matches!(genre, Genre::Title | Genre::Heading | Genre::Question | Genre::Aside);
    if source.reading.sentence_at(span.start).is_some_and(|sentence| is_none(sentence.genre)) {
        return Err(DiscardReason::Unusable);
    }
    let is_doubted = so_far.questions.iter().filter_map(|asked| asked.span).any(|other| other.overlaps(span));
    let is_taken = so_far.evidence.iter().any(|(other, place)| *other == part || place.overlaps(span));
    match (is_doubted, is_taken || so_far.evidence.len() == MOST_EVIDENCE) {
        // Who asks about these words does not hold them for an answer.
        (true, _) => Err(DiscardReason::Contradicted),
        (_, true) => Err(DiscardReason::TooMany),
        _ => Ok((part, span)),
    }
}

/// True if words are in the language of the text: a question in another one does not help its author.
pub fn is_in(words: &str, language: Language) -> bool {
    let wide = words.chars().filter(|c| is_cjk(*c)).count();
    match language {
        Language::Zh => wide >= 3,
        Language::En => wide * 3 < words.chars().count(),
    }
}

#[cfg(test)]
mod tests;
