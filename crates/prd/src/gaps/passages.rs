//! Reads the statements that are compared with each other: those of a brief, and the sentences and criteria of each
//! requirement.

use std::cell::OnceCell;

use super::form::is_wanted;
use crate::brief::{BriefSection, items, parse_brief};
use crate::requirements::RequirementsDocument;
use crate::{FeatureBrief, Requirement, RequirementId, SourceQuote};
use reqgate_base::model::Span;
use reqgate_text::quote::Quotable;
use reqgate_text::sentences::sentences;

/// The most sentences of one requirement or statement that are compared.
const MOST_SENTENCES: usize = 24;

/// The documents of a feature whose statements are compared.
#[derive(Debug, Clone, Copy)]
pub struct ComparedFeature<'t> {
    /// The name and the text of the document with the requirements.
    pub requirements: (&'t str, &'t str),
    /// The requirements that were read from that text.
    pub document: &'t RequirementsDocument,
    /// The name and the text of the brief, if there is one.
    pub brief: Option<(&'t str, &'t str)>,
}

/// A document in which sentences are located.
#[derive(Debug)]
struct LocatedDocument<'t> {
    name: &'t str,
    text: &'t str,
    /// The text for a tolerant search; prepared if an exact search fails.
    quotable: OnceCell<Quotable>,
}

/// A requirement or a statement of a brief, with its sentences.
#[derive(Debug)]
pub(super) struct Passage {
    /// The index of its feature.
    pub feature: usize,
    /// The id of the requirement as written in its document; `None` for a statement of the brief.
    pub id: Option<String>,
    /// The title of the requirement, or the question that the statement answers.
    pub topic: String,
    /// Its sentences and criteria.
    pub sentences: Vec<String>,
    /// The weight of its pairs: statements of some sections of a brief seldom contradict a requirement.
    pub weight: f64,
    /// The index of its document, and the line on which it begins, from 1.
    document: usize,
    line: u32,
}

/// The passages of all compared features.
#[derive(Debug)]
pub(super) struct Passages<'t> {
    pub all: Vec<Passage>,
    documents: Vec<LocatedDocument<'t>>,
}

impl<'t> Passages<'t> {
    /// Reads the passages of the features, in the order of the documents.
    pub(super) fn of(features: &[ComparedFeature<'t>]) -> Self {
        let mut out = Self { all: Vec::new(), documents: Vec::new() };
        for (number, feature) in features.iter().enumerate() {
            let document = out.add_document(feature.requirements);
            let lines: Vec<&str> = feature.requirements.1.lines().collect();
            for (requirement, line) in placed(feature) {
                let first = lines.get(line.saturating_sub(1) as usize).copied().unwrap_or_default();
                let passage = of_requirement(requirement, first, feature.requirements.1);
                out.all.push(Passage { feature: number, document, line, ..passage });
            }
            if let Some(brief) = feature.brief {
                let document = out.add_document(brief);
                let statements = of_brief(&parse_brief(brief.1)).into_iter();
                out.all.extend(statements.map(|BriefStatement { topic, words, weight }| Passage {
                    feature: number,
                    id: None,
                    topic,
                    sentences: sentences_of(&words),
                    weight,
                    document,
                    line: 1,
                }));
            }
        }
        out.all.retain(|passage| !passage.sentences.is_empty());
        out
    }

    fn add_document(&mut self, (name, text): (&'t str, &'t str)) -> usize {
        self.documents.push(LocatedDocument { name, text, quotable: OnceCell::new() });
        self.documents.len() - 1
    }

    /// Locates a sentence of a passage in its document; `None` if the document has it in other words.
    pub(super) fn locate(&self, passage: &Passage, sentence: &str) -> Option<SourceQuote> {
        let document = self.documents.get(passage.document)?;
        let (text, from) = (document.text, offset_of(document.text, passage.line));
        let exact = text[from..].find(sentence).map(|at| Span::new(from + at, from + at + sentence.len()));
        let span = exact.or_else(|| document.quotable.get_or_init(|| Quotable::new(text)).find_shortened(sentence))?;
        let line = text[..span.start].matches('\n').count() + 1;
        Some(SourceQuote {
            source: document.name.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            quote: span.slice(text).to_owned(),
        })
    }
}

/// The byte at which a line begins.
fn offset_of(text: &str, line: u32) -> usize {
    let before = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    text.split_inclusive('\n').take(before).map(str::len).sum()
}

/// The requirements of a feature that are neither rejected nor out of scope, each with its first line. A requirement in
/// another layout has the line in its source.
fn placed<'r>(feature: &ComparedFeature<'r>) -> impl Iterator<Item = (&'r Requirement, u32)> {
    let name = feature.requirements.0;
    let wanted = feature.document.with_lines().filter(|(one, _)| is_wanted(one));
    wanted.map(move |(one, line)| {
        let own = one.requirement.sources.iter().find(|source| source.source == name);
        (&one.requirement, own.map_or(line, |source| source.line))
    })
}

/// The requirement that contains a line of its document.
pub(super) fn requirement_at<'r>(feature: &ComparedFeature<'r>, line: u32) -> Option<&'r RequirementId> {
    let before = placed(feature).filter(|(_, first)| *first <= line);
    before.max_by_key(|(_, first)| *first).map(|(requirement, _)| &requirement.id)
}

/// The passage of a requirement with this first line in a text, without its place.
fn of_requirement(requirement: &Requirement, first: &str, text: &str) -> Passage {
    let id = requirement.id.to_string();
    let alias_in = |text: &str| {
        let alias = requirement.aliases.iter().find(|alias| text.contains(alias.as_str()));
        alias.filter(|_| !text.contains(&id)).cloned()
    };
    // The whole text is searched only if the first line has neither.
    let written = if first.contains(&id) { None } else { alias_in(first).or_else(|| alias_in(text)) };
    let criteria = requirement.own_criteria().map(String::as_str);
    let all = std::iter::once(requirement.description.as_str()).chain(criteria).flat_map(sentences_of);
    Passage {
        feature: 0,
        id: Some(written.unwrap_or(id)),
        topic: requirement.title.clone(),
        sentences: all.take(MOST_SENTENCES).collect(),
        weight: 1.0,
        document: 0,
        line: 1,
    }
}

/// A statement of a brief.
struct BriefStatement {
    topic: String,
    words: String,
    weight: f64,
}

/// The weight of rules and decisions, of flows, and of background; measured on the cases of `tests/gaps/README.md`.
const RULE: f64 = 1.2;
const FLOW: f64 = 0.6;
const BACKGROUND: f64 = 0.4;

/// The statements of a brief, each with its topic; a question counts with its answer or default.
fn of_brief(brief: &FeatureBrief) -> Vec<BriefStatement> {
    let statements = BriefSection::ALL.into_iter().flat_map(|section| {
        let weight = match section {
            BriefSection::Constraints | BriefSection::OutOfScope => RULE,
            BriefSection::Flows => FLOW,
            _ => BACKGROUND,
        };
        let of = move |words: &str| BriefStatement { topic: String::new(), words: words.to_owned(), weight };
        brief.statements(section).iter().map(move |statement| of(&statement.text))
    });
    let decided = brief.open_questions.iter().filter_map(|question| {
        let words = question.answer.clone().or_else(|| question.default.clone())?;
        Some(BriefStatement { topic: question.question.clone(), words, weight: RULE })
    });
    let others = brief.other_sections.iter().flat_map(|section| {
        let lines: Vec<&str> = section.text.lines().collect();
        let texts: Vec<String> = items(&lines).into_iter().map(|item| item.join("\n")).collect();
        texts.into_iter().map(|words| BriefStatement { topic: section.heading.clone(), words, weight: BACKGROUND })
    });
    statements.chain(decided).chain(others).collect()
}

/// The sentences of a text, without the bullets before them.
fn sentences_of(text: &str) -> Vec<String> {
    let marks = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '+' | '•' | '|');
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '；' | ';' | '\n' | '\r');
    // Most criteria are one sentence, which needs no reading.
    let is_one = !text.trim_end().trim_end_matches(ends).contains(ends);
    let all = Span::new(0, text.len());
    let spans = if is_one { vec![all] } else { sentences(text, all) };
    let bare = spans.into_iter().map(|span| span.slice(text).trim_start_matches(marks).trim_end());
    bare.filter(|sentence| sentence.contains(char::is_alphanumeric)).take(MOST_SENTENCES).map(str::to_owned).collect()
}
