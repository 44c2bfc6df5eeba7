//! Checks the questions and rewrites that a model offers to the author of a text that is not ready.
//!
//! The code is pure. A question must be single, short, about one of the given findings and about the text. A rewrite
//! replaces a whole sentence, keeps its facts, adds no word that the text does not have, and leaves fewer flaws for the
//! rules. Other answers are discarded and counted.

mod about;
mod additions;
mod facts;

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::orders::is_in;
use reqgate_base::model::{DiscardReason, Genre, Language, ReviewIssue, Rewrite, Span};
use reqgate_text::{BlockKind, Quotable, Reading, Sentence};

use facts::Facts;

/// The most findings that the model gets.
pub(super) const MOST_FINDINGS: usize = 8;
/// The most questions that are accepted.
pub(super) const MOST_QUESTIONS: usize = 5;
/// The most rewrites that are accepted.
pub(super) const MOST_REWRITES: usize = 3;
/// The most bytes of a sentence to rewrite.
const LONGEST_ORIGINAL: usize = 1_000;
/// The blank for every unknown value.
pub(super) const BLANK: &str = "____";

/// The answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema, Validate)]
#[serde(default)]
#[schemars(extend("required" = ["questions", "rewrites"]))]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(super) struct Clarified {
    /// Questions to the author.
    #[garde(length(max = 100))]
    pub questions: Vec<Question>,
    /// Other wordings of sentences.
    #[garde(length(max = 100))]
    pub rewrites: Vec<Rewording>,
}

/// A question about one finding.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(super) struct Question {
    /// The number of the finding, from 1.
    pub about: i64,
    /// The question to the author.
    pub question: String,
}

/// Another wording of a sentence.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(super) struct Rewording {
    /// The sentence, word for word.
    pub original: String,
    /// The same, made checkable.
    pub rewrite: String,
}

/// The parts of an answer that passed every check.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Checked {
    /// Questions by the position of their finding, from 0; one for each finding.
    pub questions: Vec<(usize, String)>,
    /// Other wordings, in the order of the text.
    pub rewrites: Vec<Rewrite>,
    /// The discarded statements, in the model's words.
    pub discarded: Vec<(DiscardReason, String)>,
}

/// The findings as a numbered list: our words, and below each the words of the text after bars.
///
/// `summary` describes the fault in our words; an issue without a summary is left out. Returns the list, and the issues in it.
pub(super) fn listed<'i>(
    issues: impl Iterator<Item = &'i ReviewIssue>,
    text: &str,
    summary: impl Fn(&ReviewIssue) -> Option<String>,
    behind_bars: impl Fn(&str) -> String,
) -> (String, Vec<&'i ReviewIssue>) {
    let mut list = String::new();
    let mut chosen: Vec<&ReviewIssue> = Vec::new();
    for issue in issues {
        let Some(words) = summary(issue) else { continue };
        if chosen.len() == MOST_FINDINGS {
            break;
        }
        chosen.push(issue);
        let place = match issue.span {
            Some(_) => "",
            None => " (missing from the whole text)",
        };
        list.push_str(&format!("{}. {words}{place}\n", chosen.len()));
        if let Some(span) = issue.span {
            list.push_str(&behind_bars(&short(span.slice(text))));
        }
    }
    (list, chosen)
}

/// The first words of a place.
fn short(words: &str) -> String {
    words.chars().take(200).collect()
}

/// The request and its text, with which an answer is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClarifyContext<'a> {
    /// The text of the ticket.
    pub text: &'a str,
    /// The reading of the text.
    pub reading: &'a Reading,
    /// The same text, for looking up quotes.
    pub quotes: &'a Quotable,
    /// The language of its author.
    pub language: Language,
    /// The number of findings that the model got.
    pub findings: usize,
    /// Our words that the model was shown, without any of the ticket.
    pub ours: &'a str,
}

/// Checks an answer. `clean` makes words safe to show, or returns the reason why they are not; `flaws` counts the
/// findings of the rules in a sentence of a genre.
pub(super) fn check(
    answer: &Clarified,
    asked: ClarifyContext<'_>,
    clean: impl Fn(&str) -> Result<String, DiscardReason>,
    flaws: impl Fn(&str, Genre) -> usize,
) -> Checked {
    let mut checked = Checked::default();
    for offered in &answer.questions {
        match question(offered, asked, &checked, &clean) {
            Ok(question) => checked.questions.push(question),
            Err(reason) => checked.discarded.push((reason, offered.question.clone())),
        }
    }
    let known = Facts::of(asked.text);
    for offered in &answer.rewrites {
        let rewrite = match checked.rewrites.len() < MOST_REWRITES {
            true => rewrite(offered, asked, &known, &clean, &flaws),
            false => Err(DiscardReason::TooMany),
        };
        match rewrite {
            Ok(rewrite) if checked.rewrites.iter().any(|other| other.span.overlaps(rewrite.span)) => {
                checked.discarded.push((DiscardReason::TooMany, offered.rewrite.clone()));
            }
            Ok(rewrite) => checked.rewrites.push(rewrite),
            Err(reason) => checked.discarded.push((reason, offered.rewrite.clone())),
        }
    }
    checked.rewrites.sort_by_key(|rewrite| rewrite.span);
    checked
}

fn question(
    offered: &Question,
    asked: ClarifyContext<'_>,
    so_far: &Checked,
    clean: &impl Fn(&str) -> Result<String, DiscardReason>,
) -> Result<(usize, String), DiscardReason> {
    if so_far.questions.len() == MOST_QUESTIONS {
        return Err(DiscardReason::TooMany);
    }
    let position = usize::try_from(offered.about).ok().and_then(|about| about.checked_sub(1));
    let position = position.filter(|position| *position < asked.findings).ok_or(DiscardReason::NotAsked)?;
    let words = clean(&offered.question)?;
    if !words.ends_with(['?', '？']) || !is_in(&words, asked.language) {
        return Err(DiscardReason::Unusable);
    }
    // The question would replace that of the rules, which is at least about the words of the text.
    if !about::is_about(&words, asked.text) || about::is_parroted(&words, asked.ours) {
        return Err(DiscardReason::Unusable);
    }
    let again = so_far.questions.iter().any(|(other, question)| *other == position || *question == words);
    if again { Err(DiscardReason::TooMany) } else { Ok((position, words)) }
}

fn rewrite(
    offered: &Rewording,
    asked: ClarifyContext<'_>,
    known: &Facts,
    clean: &impl Fn(&str) -> Result<String, DiscardReason>,
    flaws: &impl Fn(&str, Genre) -> usize,
) -> Result<Rewrite, DiscardReason> {
    let span = asked.quotes.find(&offered.original).ok_or(DiscardReason::NotInText)?;
    let span = with_marks(span, asked.text);
    let original = span.slice(asked.text);
    let sentence = whole(span, asked).filter(|_| span.len() <= LONGEST_ORIGINAL).ok_or(DiscardReason::Unusable)?;
    let words = clean(&offered.rewrite)?;
    if Quotable::new(original).mentions(&words) {
        return Err(DiscardReason::Unusable);
    }
    let said = words.replace(BLANK, " ");
    let (before, after) = (Facts::of(original), Facts::of(&said));
    if !before.all_in(&after) || !after.all_in(known) || before.denies != after.denies {
        return Err(DiscardReason::ChangesFacts);
    }
    if additions::brings_words(&said, asked.text) {
        return Err(DiscardReason::ChangesFacts);
    }
    match (flaws(original, sentence.genre), flaws(&words, sentence.genre)) {
        (before, after) if after < before => Ok(Rewrite { span, words }),
        // The rules see no flaw in either; a blank at least asks for a value.
        (0, 0) if words.contains(BLANK) => Ok(Rewrite { span, words }),
        _ => Err(DiscardReason::Unusable),
    }
}

/// The sentence that the words cover, or the first one of a list item; `None` for pieces, paragraphs and headings.
fn whole(span: Span, asked: ClarifyContext<'_>) -> Option<&Sentence> {
    let sentence = asked.reading.whole(asked.text, span)?;
    let ends_inside = |other: &&Sentence| {
        let ends = other.span.slice(asked.text).ends_with(['.', '!', '?', '。', '！', '？']);
        other.span.overlaps(span) && other.span.end < span.end && ends
    };
    let is_item = asked.reading.blocks[sentence.block].kind == BlockKind::ListItem;
    let is_one = is_item || !asked.reading.sentences.iter().any(|other| ends_inside(&other));
    Some(sentence).filter(|sentence| is_one && !matches!(sentence.genre, Genre::Heading | Genre::Title))
}

/// Extends the quoted words by the marks after them that belong to a number or a name.
fn with_marks(span: Span, text: &str) -> Span {
    let more = text.get(span.end..).unwrap_or("").chars().take_while(|c| matches!(c, '"' | '”' | '」' | '`' | '%'));
    Span::new(span.start, span.end + more.map(char::len_utf8).sum::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules as rules;

    const TEXT: &str = "\
# Ledger

The export of the ledger to SAP is fast.
It must not run while Mira Okoye closes the books; then \"Locked\" is shown for 15 minutes.

- books can be closed twice a year
";

    fn clean(words: &str) -> Result<String, DiscardReason> {
        Ok(words.trim().to_owned())
    }

    fn checked(answer: &Clarified, findings: usize) -> Checked {
        let quotes = Quotable::new(TEXT);
        let ours = "Ask for the value. 1. a word that says nothing of the export";
        let reading = rules::load(&rules::shipped_files()).expect("the shipped rules load").reader.read(TEXT, None);
        let asked =
            ClarifyContext { text: TEXT, reading: &reading, quotes: &quotes, language: Language::En, findings, ours };
        let flaws =
            |words: &str, _| ["fast", "must not", "easy", "simple"].iter().filter(|flaw| words.contains(*flaw)).count();
        check(answer, asked, clean, flaws)
    }

    fn rewritten(original: &str, rewrite: &str) -> Result<String, DiscardReason> {
        let offered = Rewording { original: original.to_owned(), rewrite: rewrite.to_owned() };
        let answer = Clarified { rewrites: vec![offered], ..Clarified::default() };
        let checked = checked(&answer, 1);
        match (checked.rewrites.first(), checked.discarded.first()) {
            (Some(rewrite), None) => Ok(rewrite.words.clone()),
            (None, Some((reason, _))) => Err(*reason),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_rewrite_keeps_the_facts_and_brings_none() {
        let first = "The export of the ledger to SAP is fast.";
        assert!(rewritten(first, "The export of the ledger to SAP ends within ____ seconds.").is_ok());
        for wrong in [
            "The export of the ledger ends within ____ seconds.",
            "The export of the ledger to SAP ends within 3 seconds.",
            "The export of the ledger to SAP and to Oracle ends within ____ seconds.",
            "The export of the ledger to SAP shows “Done” within ____ seconds.",
            "The export of the ledger to SAP must not take ____ seconds.",
        ] {
            assert_eq!(rewritten(first, wrong), Err(DiscardReason::ChangesFacts), "{wrong}");
        }
        let second = "It must not run while Mira Okoye closes the books; then \"Locked\" is shown for 15 minutes.";
        let good = "While Mira Okoye closes the books it does not run, and “Locked” is shown for 15 minutes to ____.";
        assert!(rewritten(second, good).is_ok());
        assert_eq!(rewritten(second, &good.replace("15", "5")), Err(DiscardReason::ChangesFacts));
        assert_eq!(rewritten(second, &good.replace("Okoye", "Okoya")), Err(DiscardReason::ChangesFacts));
        assert_eq!(rewritten("The import is slow.", "The import ends in ____ s."), Err(DiscardReason::NotInText));
        assert_eq!(rewritten(first, first), Err(DiscardReason::Unusable));
    }

    #[test]
    fn a_rewrite_stands_for_a_sentence_and_is_better_in_words_of_the_text() {
        let first = "The export of the ledger to SAP is fast.";
        for (original, rewrite, reason) in [
            ("The export of the ledger", "Every export of the ledger by ____", DiscardReason::Unusable),
            ("Ledger", "Each export of the ledger", DiscardReason::Unusable),
            (first, "The export of the ledger to SAP should be as fast.", DiscardReason::Unusable),
            (first, "The export of the ledger to SAP shows the homepage and ends.", DiscardReason::ChangesFacts),
            (first, "The export of the ledger to SAP is refused within ____ seconds.", DiscardReason::ChangesFacts),
        ] {
            assert_eq!(rewritten(original, rewrite), Err(reason), "{rewrite}");
        }
        let item = "books can be closed twice a year";
        assert!(rewritten(item, "books can be closed ____ times a year").is_ok(), "a list item is whole");
    }

    #[test]
    fn a_question_is_one_and_about_a_finding() {
        let asked = |about, question: &str| Question { about, question: question.to_owned() };
        let answer = Clarified {
            questions: vec![
                asked(1, "Within how many seconds must the export end?"),
                asked(1, "And how fast is fast?"),
                asked(3, "Who is Mira?"),
                asked(0, "Why?"),
                asked(2, "Tell me more."),
                asked(2, "谁来决定锁定多长时间？"),
                asked(2, "What says nothing of the value?"),
                asked(2, "What is missing from the whole text?"),
                asked(2, "Who may unlock the books?"),
            ],
            ..Clarified::default()
        };
        let checked = checked(&answer, 2);
        let positions: Vec<usize> = checked.questions.iter().map(|(position, _)| *position).collect();
        assert_eq!((positions, checked.discarded.len()), (vec![0, 1], 7));
    }
}
