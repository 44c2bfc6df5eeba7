//! The collector: takes over labelled and listed content from sources, each piece with its location, and shows the
//! content that it did not use.
//!
//! It reads labels, not prose: a heading, a field of a form, an id, the form of a user story. Sentences without a
//! label need a reader (a model, a coding agent or a person); until then they are listed as not used.
//!
//! | function | result |
//! |---|---|
//! | [`sources_of`] | a file or an utterance as sources, read and screened by the stages of the gate; or the reason for refusing it |
//! | [`Collector::brief`] | a brief from the labelled parts of the sources, with a question for each missing piece of information |
//! | [`Collector::not_used`] | the sentences of the sources that no statement of the brief quotes |
//! | [`Collector::requirements`] | requirements from the rules and criteria of the brief |
//! | [`changed_brief`] | the brief with the changes that a review asks for |
//! | [`requirements_for_gaps`] | the requirements that gaps suggest |
//!
//! All of them are pure: the same sources and rules give the same documents.

mod blanks;
mod conflicts;
mod courtesies;
mod feedback;
mod for_gaps;
mod not_used;
mod requirements;
mod screening;
mod statements;
#[cfg(test)]
mod tests;

pub use blanks::{answer_question, is_answered_in, read_reply};
pub use feedback::{BriefFeedback, BriefModification, adopt, changed_brief};
pub use for_gaps::{ForGaps, requirements_for_gaps};
pub use not_used::NotUsed;
pub use screening::{Refused, sources_of};

use crate::brief::BriefSection;
use crate::layouts::Source;
use crate::layouts::labels::Label;
use crate::layouts::pieces::{self, Piece};
use crate::layouts::sentences::{says_just_the_same, sentence, substance};
use crate::layouts::titles::{title, without_key};
use crate::{FeatureBrief, OpenQuestion, SourceQuote, Statement};
use blanks::Blank;
use courtesies::courtesies;
use reqgate_base::model::{Language, Span};
use reqgate_messages as messages;
use reqgate_text::Reader;
use reqgate_text::answer::{AnswerReading, Assignment, read_answer, split_assignment};
use reqgate_text::language::language_of;
use reqgate_text::quantities::quantities;

/// The name of the source for a typed request.
pub const UTTERANCE: &str = "utterance";

/// Collects the labelled content of sources.
#[derive(Debug, Clone, Copy)]
pub struct Collector<'b> {
    reader: &'b Reader,
}

impl<'b> Collector<'b> {
    /// Creates a collector that finds headings and labels with this reader.
    pub fn new(reader: &'b Reader) -> Self {
        Self { reader }
    }

    /// Builds a brief from the labelled content, with a question for each necessary piece of information that no label provides.
    pub fn brief(&self, sources: &[Source]) -> FeatureBrief {
        self.brief_in(sources, None)
    }

    /// Builds a brief in the given language, by default the language of the sources.
    pub(crate) fn brief_in(&self, sources: &[Source], language: Option<Language>) -> FeatureBrief {
        let all = || sources.iter().map(|source| source.text.as_str()).collect::<Vec<_>>().join("\n");
        let language = language.unwrap_or_else(|| language_of(&all()));
        let mut brief = FeatureBrief::new(self.title(sources, language), language);
        let pieces = self.pieces(sources);
        let conflicts = conflicts::conflicts(&pieces, &self.passages(sources, &pieces));
        for conflict in &conflicts {
            let question = conflicts::question(&pieces[conflict.piece], conflict, language);
            push_question(&mut brief.open_questions, question);
        }
        let is_asked = |at: usize| conflicts.iter().any(|one| one.piece == at || one.other == Some(at));
        for (_, piece) in pieces.iter().enumerate().filter(|(at, _)| !is_asked(*at)) {
            add(piece, &mut brief);
        }
        self.add_wish(sources, &mut brief);
        for source in sources {
            add_answer(source, &mut brief);
        }
        ask_for_blanks(self.reader, &mut brief);
        brief
    }

    /// The labelled pieces of all sources, in order. Answers are left out: their label is the question.
    fn pieces(&self, sources: &[Source]) -> Vec<Piece> {
        let documents = sources.iter().filter(|source| source.asked.is_none());
        let of = |source: &Source| {
            let courtesies = courtesies(&source.text);
            let mut pieces = pieces::pieces(self.reader, source);
            pieces.retain(|piece| !courtesies.contains(&piece.place.line));
            pieces
        };
        documents.flat_map(of).collect()
    }

    /// The title of the first ticket or document, otherwise the beginning of the typed request.
    fn title(&self, sources: &[Source], language: Language) -> String {
        let documents = || sources.iter().filter(|source| source.asked.is_none());
        let named = documents().filter(|source| source.name != UTTERANCE).find_map(|source| {
            let reading = self.reader.read(&source.text, None);
            let name = reading.title.filter(|_| !reading.is_conversation)?;
            let words = title(without_key(name.slice(&source.text)));
            (substance(&words) >= 1).then_some(words)
        });
        let first_line = || {
            let lines = documents().flat_map(|source| source.text.lines());
            lines.map(|line| title(without_key(line))).find(|line| substance(line) >= 1)
        };
        let unnamed = if language == Language::Zh { "功能" } else { "Feature" };
        named.or_else(first_line).unwrap_or_else(|| unnamed.to_owned())
    }

    /// Uses a typed request of one sentence as the goal.
    fn add_wish(&self, sources: &[Source], brief: &mut FeatureBrief) {
        let Some(typed) = sources.iter().find(|source| source.name == UTTERANCE) else { return };
        let words = typed.text.trim();
        let reading = self.reader.read(&typed.text, None);
        if reading.sentences.len() == 1 && substance(words) >= 2 && brief.goals.is_empty() {
            let source = SourceQuote { source: UTTERANCE.to_owned(), line: 1, quote: words.to_owned() };
            brief.goals.push(Statement::new(sentence(words), Some(source)));
        }
    }
}

/// Adds a piece to the section that its label names.
fn add(piece: &Piece, brief: &mut FeatureBrief) {
    let statement = |text: String| Statement::new(text, Some(piece.place.clone()));
    let section = match piece.label {
        Label::Story => {
            if let Some(user) = &piece.user {
                push(&mut brief.users, statement(user.clone()));
            }
            BriefSection::Goals
        }
        Label::Problem => BriefSection::Problem,
        Label::Goal => BriefSection::Goals,
        Label::User => BriefSection::Users,
        Label::Flow => BriefSection::Flows,
        Label::Measure => BriefSection::SuccessMeasures,
        Label::Rule | Label::Quality | Label::Criterion => BriefSection::Constraints,
        Label::OutOfScope => BriefSection::OutOfScope,
        Label::Question => BriefSection::OpenQuestions,
    };
    match brief.statements_mut(section) {
        Some(statements) if section == BriefSection::Users => push(statements, statement(piece.words.clone())),
        Some(statements) => push(statements, statement(sentence(&piece.words))),
        None => {
            let (words, assigned) = asked(&piece.words, brief.language);
            let mut question = OpenQuestion::new(words, Some(piece.place.clone()));
            question.assign(assigned);
            push_question(&mut brief.open_questions, question);
        }
    }
}

/// Keeps an answer with its question; an answer that settles an open point of a source replaces that point.
fn add_answer(source: &Source, brief: &mut FeatureBrief) {
    let Some(asked) = &source.asked else { return };
    let answer = source.text.trim();
    let place = SourceQuote { source: source.name.clone(), line: 1, quote: answer.to_owned() };
    let blank = Blank::of(asked);
    let is_open_point = |open: &OpenQuestion| {
        let quote = open.source.as_ref().filter(|place| place.source != source.name);
        open.answer.is_none() && quote.is_some_and(|place| asked.contains(&format!("“{}", place.quote.trim())))
    };
    // An answer that only names an owner or a day assigns the open point and leaves it open.
    if let Some(left) = read_answer(asked, answer).open.filter(|_| blank.is_none())
        && let Some(open) = brief.open_questions.iter_mut().find(|open| is_open_point(open))
    {
        open.assign(left.assignment);
        return further(&open.source, &mut open.further_sources, Some(place));
    }
    push_question(&mut brief.open_questions, OpenQuestion::new(asked.clone(), Some(place)));
    answer_question(brief, asked, answer);
    if blank.is_none() {
        brief.open_questions.retain(|open| !is_open_point(open));
    }
}

/// Adds the standard questions that no labelled content answers.
fn ask_for_blanks(reader: &Reader, brief: &mut FeatureBrief) {
    let stated = || brief.goals.iter().chain(&brief.constraints).chain(&brief.flows);
    let fails = stated().any(|statement| {
        let reading = reader.read(&statement.text, None);
        reading.cues_in(Span::new(0, statement.text.len())).has(reqgate_text::Cue::Failure)
    });
    let limited = stated()
        .chain(&brief.success_measures)
        .any(|statement| !quantities(&statement.text, Span::new(0, statement.text.len())).is_empty());
    let blanks = [
        (brief.users.is_empty(), Blank::Users),
        (brief.goals.is_empty(), Blank::Goal),
        (brief.problem.is_empty(), Blank::Problem),
        (brief.success_measures.is_empty(), Blank::Measure),
        (!fails, Blank::Errors),
        (!limited, Blank::Limits),
        (brief.out_of_scope.is_empty(), Blank::OutOfScope),
    ];
    for (_, blank) in blanks.into_iter().filter(|(missing, _)| *missing) {
        let question = blank.question(brief.language).to_owned();
        push_question(&mut brief.open_questions, OpenQuestion::new(question, None));
    }
}

fn push(list: &mut Vec<Statement>, statement: Statement) {
    // A statement with the same words, including every "not", gets the later location as a further source.
    match list.iter_mut().find(|other| says_just_the_same(&other.text, &statement.text)) {
        Some(other) => further(&other.source, &mut other.further_sources, statement.source),
        None => list.push(statement),
    }
}

fn push_question(list: &mut Vec<OpenQuestion>, question: OpenQuestion) {
    match list.iter_mut().find(|other| other.question == question.question) {
        Some(other) => further(&other.source, &mut other.further_sources, question.source),
        None => list.push(question),
    }
}

/// Adds a location unless it is already known.
fn further(first: &Option<SourceQuote>, others: &mut Vec<SourceQuote>, place: Option<SourceQuote>) {
    if let Some(place) = place.filter(|place| first.as_ref() != Some(place) && !others.contains(place)) {
        others.push(place);
    }
}

/// Splits an open point into its question and the owner, the day and the default that it names.
fn asked(words: &str, language: Language) -> (String, Assignment) {
    let (words, assigned) = split_assignment(words.trim());
    let mut assigned = assigned.unwrap_or_default();
    // "Which columns? TBD, ask legal"
    if let Some((at, mark)) = words.char_indices().find(|(_, c)| matches!(c, '?' | '？')) {
        let (question, rest) = words.split_at(at + mark.len_utf8());
        match read_answer(question, rest) {
            _ if rest.is_empty() || rest.ends_with(mark) => return (words.to_owned(), assigned),
            AnswerReading { decided: None, open: Some(left) } => {
                assigned.complete(left.assignment);
                return (question.to_owned(), assigned);
            }
            _ => {}
        }
    }
    let question = messages::Prd::of(language).what_is_decided(&words);
    (question, assigned)
}
