//! Reads a source into what is said in it: one statement per sentence or clause, with its kind and its place.

use super::kinds::{self, Facts};
use super::wording::{clauses, readable, words_of};
use super::{RulesAuthor, Source};
use crate::model::{Genre, LineIndex, SectionRole, Span};
use crate::prd::SourceQuote;
use crate::rules::DraftingCue;
use crate::text::{BlockKind, Reading, Sentence};

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing for the feature: small talk, a joke, somebody's task, another product.
    Nothing,
    /// What is wrong today.
    Problem,
    /// Somebody wants something.
    Demand,
    /// What is to be reached, named under a heading that says so.
    Goal,
    /// Who uses it.
    User,
    /// What a user does.
    Flow,
    /// How one will see that it worked.
    Measure,
    /// What holds: a rule, a criterion, a limit, a decision.
    Rule,
    /// Left out on purpose.
    OutOfScope,
    /// Not known yet.
    Question,
    /// Weighed, not settled.
    Proposal,
}

impl Kind {
    /// True for what may become a requirement.
    pub fn demands(self) -> bool {
        matches!(self, Self::Demand | Self::Rule | Self::Flow)
    }
}

/// One statement of a source.
#[derive(Debug, Clone)]
pub struct Said {
    /// What it does.
    pub kind: Kind,
    /// Its words.
    pub words: String,
    /// The sentence that it stands in.
    pub quote: SourceQuote,
    /// True if it was decided.
    pub decided: bool,
    /// True in minutes and transcripts, where what comes later counts.
    pub in_talk: bool,
    /// True if it stands under a heading for criteria.
    pub is_criterion: bool,
    /// It takes back what these words name, or what was said before where there are none.
    pub takes_back: Option<String>,
    /// It replaces what was said before.
    pub replaces: bool,
    /// The words of the heading that it stands under.
    pub heading: Option<String>,
}

/// More statements than this are not read: it is a book, and every pair is compared.
pub const MOST_STATEMENTS: usize = 600;

impl RulesAuthor<'_> {
    /// Everything that a source says, in its order.
    pub(super) fn said(&self, source: &Source) -> Vec<Said> {
        let text = source.text.as_str();
        let reading = self.reader.read(text, None);
        let cues = self.words.in_text(text);
        let lines = LineIndex::new(text);
        let speakers = kinds::speakers(text, &reading);
        let is_talk = reading.is_conversation || kinds::is_minutes(&reading);
        let facts = Facts { text, reading: &reading, cues: &cues, speakers: &speakers, is_talk, words: &self.words };
        let mut out: Vec<Said> = Vec::new();
        for sentence in reading.sentences.iter().filter(|sentence| is_read(sentence, &reading)) {
            for span in pieces(&facts, sentence) {
                let Some(words) = readable(span.slice(text)).map(|words| words_of(&words)) else { continue };
                if words.is_empty() || out.len() >= MOST_STATEMENTS {
                    continue;
                }
                let quote = SourceQuote {
                    source: source.name.clone(),
                    line: u32::try_from(lines.position(text, span.start).line).unwrap_or(u32::MAX),
                    quote: sentence.span.slice(text).to_owned(),
                };
                out.push(facts.said(sentence, span, words, quote));
            }
        }
        out
    }
}

fn is_read(sentence: &Sentence, reading: &Reading) -> bool {
    let block = &reading.blocks[sentence.block];
    !sentence.struck
        && !sentence.is_placeholder
        && !block.quoted
        && !matches!(sentence.genre, Genre::Code | Genre::Heading | Genre::Quotation)
        && !matches!(block.kind, BlockKind::FrontMatter | BlockKind::HtmlComment | BlockKind::MailHeader)
        && !(sentence.genre == Genre::Title && matches!(block.kind, BlockKind::Heading(_)))
        && sentence.role != SectionRole::Metadata
}

/// A sentence is one statement, unless it takes something back or replaces it on its way.
fn pieces(facts: &Facts<'_>, sentence: &Sentence) -> Vec<Span> {
    let text = facts.text;
    let turns = |span: Span| {
        facts.cues.any(span, &[DraftingCue::Retraction, DraftingCue::Joke])
            || kinds::replaces(facts, span)
            || facts.cues.has(span, DraftingCue::Open)
    };
    let clauses = clauses(text, sentence.span);
    // "It is done by hand today, we want a list": what is wrong, then what is wanted.
    if let Some(wish) = facts.later_wish(sentence, &clauses) {
        return vec![
            Span::new(sentence.span.start, wish.start).trimmed(text),
            Span::new(wish.start, sentence.span.end),
        ];
    }
    if clauses.len() < 2 || !clauses.iter().any(|clause| turns(*clause)) || !facts.may_turn(sentence) {
        return vec![sentence.span];
    }
    // Clauses that turn stand alone, those between two of them stay together.
    let mut out: Vec<(Span, bool)> = Vec::new();
    for clause in clauses {
        let alone = turns(clause) && !facts.cues.has(clause, DraftingCue::Joke);
        match out.last_mut() {
            Some((last, false)) if !alone => *last = last.join(clause),
            _ => out.push((clause, alone)),
        }
    }
    out.into_iter().map(|(span, _)| span).collect()
}
