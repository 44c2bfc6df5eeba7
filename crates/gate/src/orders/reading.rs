//! The result of reading a ticket, and its checks, which are the same for a model, an agent and a person.
//!
//! The code is pure. A part that fails a check is set aside with the reason; the other parts have places computed from the text.

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;

use reqgate_base::model::{DiscardReason, EvidencePart, Genre, Language, QuestionCode, Span, TicketType};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::{Quotable, Reading, quote};

/// The most questions that are accepted.
pub const MOST_QUESTIONS: usize = 3;
/// The most quotes that are accepted as evidence.
pub const MOST_EVIDENCE: usize = 8;
/// The most bytes of a quote; a longer one does not identify a place.
const LONGEST_QUOTED: usize = 1_000;
/// The most characters of a question.
const LONGEST_ASK: usize = 240;
/// The fewest content words of a piece of evidence.
const LEAST_CONTENT: usize = 2;
/// The quote that a reader writes if the text does not mention the subject.
pub const NOWHERE: &str = "NOWHERE";

/// The result that a reader returns. The evidence comes before the readiness, so that the readiness follows from it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema, Validate)]
// A server must send every field; a reply without evidence is accepted anyway.
#[schemars(extend("required" = ["kind", "evidence", "questions", "ready"]))]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub struct ReadingAnswer {
    /// The kind of ticket, one of [`KINDS`]; any other word counts as `other`.
    #[garde(skip)]
    #[schemars(extend("enum" = KINDS))]
    pub kind: String,
    /// The parts of a ticket that the text has.
    #[garde(length(max = 100))]
    #[serde(default)]
    pub evidence: Vec<EvidenceAnswer>,
    /// The questions of the reader, most serious first.
    #[garde(length(max = 100))]
    pub questions: Vec<QuestionAnswer>,
    /// The readiness, 0 to 4.
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
    /// The words of the text.
    pub quote: String,
}

/// A question to the author.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub struct QuestionAnswer {
    /// Wire name of a [`QuestionCode`]; any other word counts as `other`.
    #[schemars(extend("enum" = QuestionCode::ALL.map(QuestionCode::name)))]
    pub code: String,
    /// The words of the text, or [`NOWHERE`].
    pub quote: String,
    /// The question to the author.
    pub ask: String,
    /// The work cannot start without the answer.
    pub must: bool,
}

/// The kinds that an answer may name.
pub const KINDS: [&str; 6] = ["bug", "feature", "task", "question", "discussion", "other"];

/// A reading after every check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedReading {
    /// The kind of ticket; `None` for none of the known ones.
    pub kind: Option<TicketType>,
    /// The readiness, 0 to 4.
    pub ready: u8,
    /// At most [`MOST_QUESTIONS`] questions, the most serious first.
    pub questions: Vec<CheckedQuestion>,
    /// Parts that the ticket has, with their words; one place for each part, and each place only once.
    pub evidence: Vec<(EvidencePart, Span)>,
    /// The parts that were set aside, in the reader's words.
    pub discarded: Vec<(DiscardReason, String)>,
}

/// A question whose place was found and whose words are safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedQuestion {
    /// The subject of the question.
    pub code: QuestionCode,
    /// The question to the author.
    pub ask: String,
    /// The work cannot start without the answer.
    pub must: bool,
    /// The words that raise it; `None` if the text does not mention its subject.
    pub span: Option<Span>,
}

/// The text that was read.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The text as it is shown.
    pub text: &'s str,
    /// The same text, for looking up quotes.
    pub quotes: &'s Quotable,
    /// The same text, sentence by sentence.
    pub reading: &'s Reading,
    /// The language of its author.
    pub language: Language,
}

/// The reader of a ticket, as far as the checks need it: makes the reader's words safe to show.
pub trait Reader {
    /// Returns the words on one line, or the reason why they must not be shown.
    ///
    /// # Errors
    /// Fails if they hold an address that the text does not have, an order to a model or personal data, or no words at all.
    fn clean(&self, words: &str) -> Result<String, DiscardReason>;
}

impl<F: Fn(&str) -> Result<String, DiscardReason>> Reader for F {
    fn clean(&self, words: &str) -> Result<String, DiscardReason> {
        self(words)
    }
}

/// Checks a returned reading.
///
/// Readiness of 2 or below without an accepted question is a verdict alone: it is recorded as one, and the code that
/// counts the reading finds no question in it.
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
) -> Result<CheckedQuestion, DiscardReason> {
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
    // A question must have content beyond the words that it is about.
    let words = content_words(&ask);
    let quoted = span.map(|span| content_words(span.slice(source.text))).unwrap_or_default();
    if words.is_empty() || words == quoted {
        return Err(DiscardReason::Unusable);
    }
    let same = |other: &CheckedQuestion| other.ask == ask || other.code == code && shared_of(&other.ask, &words);
    match so_far.questions.iter().any(same) {
        true => Err(DiscardReason::TooMany),
        false => Ok(CheckedQuestion { code, ask, must: offered.must, span }),
    }
}

/// Returns true if two questions have three of four words in common.
fn shared_of(other: &str, words: &[String]) -> bool {
    let other = content_words(other);
    shared(words, &other) * 4 >= words.len().max(other.len()) * 3
}

/// The place of a quote. A piece of a sentence with fewer than three words identifies a place only if it occurs once.
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
    // A heading names a part and is not the part itself, and a question leaves it open.
    let is_none = |genre| matches!(genre, Genre::Title | Genre::Heading | Genre::Question | Genre::Aside);
    if source.reading.sentence_at(span.start).is_some_and(|sentence| is_none(sentence.genre)) {
        return Err(DiscardReason::Unusable);
    }
    let is_doubted = so_far.questions.iter().filter_map(|asked| asked.span).any(|other| other.overlaps(span));
    let is_taken = so_far.evidence.iter().any(|(other, place)| *other == part || place.overlaps(span));
    match (is_doubted, is_taken || so_far.evidence.len() == MOST_EVIDENCE) {
        // A reader who asks about these words does not consider them an answer.
        (true, _) => Err(DiscardReason::Contradicted),
        (_, true) => Err(DiscardReason::TooMany),
        _ => Ok((part, span)),
    }
}

/// Returns true if words are in the language of the text: a question in another one does not help its author.
pub fn is_in(words: &str, language: Language) -> bool {
    let wide = words.chars().filter(|c| is_cjk(*c)).count();
    match language {
        Language::Zh => wide >= 3,
        Language::En => wide * 3 < words.chars().count(),
    }
}

#[cfg(test)]
mod tests;
