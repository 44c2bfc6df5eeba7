//! Finds unsupported parts of statements for review: a missing source, or a number, date or name that occurs in no source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::SourceText;
use crate::brief::{BriefSection, parse_brief};
use crate::{OpenQuestion, Requirement, SourceQuote};
use reqgate_base::model::Language;
use reqgate_docs::values::cut_between_words;
use reqgate_messages as messages;
use reqgate_orders::{Doubt, Sources};

/// The longest beginning of a statement, in characters.
const MOST_SHOWN: usize = 40;

/// The doubts about one requirement, or one statement of a brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Doubted {
    /// The id of the requirement, or the section of the statement with its number and its beginning: `Goals 2 “A link ends…”`.
    pub at: String,
    /// The doubts, at least one.
    pub doubts: Vec<Doubt>,
}

/// The doubts about the statements of a brief.
pub(super) fn in_brief(document: &str, sources: &[SourceText]) -> Vec<Doubted> {
    let brief = parse_brief(document);
    let known = citable(sources);
    let statements = BriefSection::ALL.into_iter().flat_map(|section| {
        brief.statements(section).iter().enumerate().map(move |(at, statement)| (section, at + 1, statement))
    });
    statements
        .filter_map(|(section, number, statement)| {
            let quotes: Vec<&SourceQuote> = statement.sources().collect();
            let mut doubts = doubts(&known, &statement.text, &[], &quotes);
            let question = contested(&brief.open_questions, &quotes)
                .map(|question| cut_between_words(&question.question, MOST_SHOWN));
            doubts.extend(question.map(|question| Doubt::Contested { question }));
            let at = format!(
                "{} {number} “{}”",
                section.heading(brief.language),
                cut_between_words(&statement.text, MOST_SHOWN)
            );
            (!doubts.is_empty()).then_some(Doubted { at, doubts })
        })
        .collect()
}

/// The undecided question about a contradiction that involves one of these quotes.
fn contested<'q>(questions: &'q [OpenQuestion], quotes: &[&SourceQuote]) -> Option<&'q OpenQuestion> {
    let is_side = |side: &SourceQuote| {
        let (own, words) = (side.source.as_str(), side.quote.trim());
        let overlaps = |quote: &str| quote.contains(words) || words.contains(quote);
        !words.is_empty() && quotes.iter().any(|quote| quote.source == own && overlaps(quote.quote.trim()))
    };
    let is_open = |question: &&OpenQuestion| question.answer.is_none() && question.against.is_some();
    let mut open = questions.iter().filter(is_open);
    open.find(|question| question.source.iter().chain(&question.against).any(is_side))
}

/// The doubts about requirements that a person has to decide on.
pub(super) fn in_requirements<'r>(
    requirements: impl IntoIterator<Item = &'r Requirement>,
    sources: &[SourceText],
) -> Vec<Doubted> {
    let known = citable(sources);
    let of = |one: &Requirement| {
        let criteria: Vec<&str> = one.acceptance_criteria.iter().map(String::as_str).collect();
        let doubts = doubts(&known, &one.description, &criteria, &one.sources.iter().collect::<Vec<_>>());
        (!doubts.is_empty()).then(|| Doubted { at: one.id.to_string(), doubts })
    };
    requirements.into_iter().filter_map(of).collect()
}

fn citable(sources: &[SourceText]) -> Sources<'_> {
    Sources::new(sources.iter().map(|source| (source.name.as_str(), source.text.as_str())))
}

/// The doubts about a statement and the criteria below it.
fn doubts(known: &Sources<'_>, statement: &str, criteria: &[&str], quotes: &[&SourceQuote]) -> Vec<Doubt> {
    let is_review =
        |name: &str| ["ask:review", "ask:requirements_review", "ask:prd_review", "ask:gap_decision"].contains(&name);
    let from_sources = quotes.iter().any(|quote| known.has(&quote.source) || is_review(&quote.source));
    let mut doubts = match quotes {
        [] => vec![Doubt::NoSource],
        _ if !from_sources => vec![Doubt::OnlyOwnWords],
        _ => Vec::new(),
    };
    let words: Vec<&str> = quotes.iter().map(|quote| quote.quote.as_str()).collect();
    let in_criteria = criteria.iter().flat_map(|one| known.unproven_in_criterion(one, statement, &words));
    for doubt in known.unproven(statement, &words).into_iter().chain(in_criteria) {
        if !doubts.contains(&doubt) {
            doubts.push(doubt);
        }
    }
    doubts
}

/// Describes a doubt in a language.
pub fn doubt_in_words(doubt: &Doubt, language: Language) -> String {
    let said = messages::Prd::of(language);
    match doubt {
        Doubt::NoSource => said.no_source.to_owned(),
        Doubt::OnlyOwnWords => said.quotes_no_source.to_owned(),
        Doubt::Contested { question } => said.asked_by_question(&question),
        Doubt::Unproven { words, elsewhere: None, .. } => said.in_no_source(&words),
        Doubt::Unproven { words, elsewhere: Some(place), quoted } => {
            let quoted = quoted.as_deref().unwrap_or_default();
            match language {
                _ if quoted.is_empty() => said.in_other_source(&place, &words),
                Language::En => format!("“{words}” is in none of its quotes (“{quoted}”), but in {place}"),
                Language::Zh => format!("“{words}”不在它的引文（“{quoted}”）里，但见于 {place}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Vec<SourceText> {
        vec![SourceText {
            name: "t.md".to_owned(),
            text: "A link is valid for 15 minutes.\nSupport exports.".to_owned(),
        }]
    }

    #[test]
    fn statements_of_a_brief_are_doubted_by_their_place_in_it() {
        let brief = "# Links\n\n## Goals\n\n- Links end. <!-- source: t.md:1 \"A link is valid for 15 minutes.\" -->\n\
                     - Links end after 30 minutes. <!-- source: t.md:1 \"A link is valid for 15 minutes.\" -->\n- More.\n";
        let found = in_brief(brief, &sources());
        let places: Vec<&str> = found.iter().map(|one| one.at.as_str()).collect();
        assert_eq!(places, ["Goals 2 “Links end after 30 minutes.”", "Goals 3 “More.”"]);
        assert_eq!(doubt_in_words(&found[0].doubts[0], Language::En), "“30 minutes” is in no source");
        assert_eq!(found[1].doubts, [Doubt::NoSource]);
    }

    #[test]
    fn a_side_of_an_open_contradiction_is_no_statement() {
        let sources =
            [SourceText { name: "t.md".to_owned(), text: "Kept for 24 months.\nKept for 90 days.".to_owned() }];
        let brief = |answer: &str| {
            format!(
                "# Log\n\n## Constraints\n\n- Kept for 24 months. <!-- source: t.md:1 \"Kept for 24 months.\" -->\n\n\
                 ## Open questions\n\n- [ ] How long is it kept: 24 months or 90 days? <!-- source: t.md:1 \"24 months\" --> <!-- \
                 against: t.md:2 \"Kept for 90 days.\" -->\n  Answer: {answer}\n"
            )
        };
        let open = brief("______");
        assert_eq!(parse_brief(&open).open_questions[0].against.as_ref().map(|side| side.line), Some(2), "{open}");
        let found = in_brief(&open, &sources);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            doubt_in_words(&one.doubts[0], Language::En),
            "whether it holds is asked by “How long is it kept: 24 months or 90…”"
        );
        assert_eq!(in_brief(&brief("24 months."), &sources), []);
    }

    #[test]
    fn a_figure_of_a_statement_stands_in_its_own_quotes() {
        let sources = [SourceText {
            name: "t.md".to_owned(),
            text: "最早可以提前30天约\n30天太长。改成14天。".to_owned(),
        }];
        let brief = "# 功能简介：访客\n\n## 约束\n\n- 最早可以提前30天预约。 <!-- source: t.md:2 \"改成14天。\" -->\n\
                     - 最早可以提前14天预约。 <!-- source: t.md:2 \"改成14天。\" -->\n";
        let found = in_brief(brief, &sources);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(one.at, "约束 1 “最早可以提前30天预约。”");
        assert_eq!(doubt_in_words(&one.doubts[0], Language::Zh), "“30天”不在它的引文（“改成14天。”）里，但见于 t.md:1");
    }

    #[test]
    fn what_quotes_only_the_brief_quotes_no_source() {
        let quote = |source: &str| SourceQuote { source: source.to_owned(), line: 1, quote: "Links end".to_owned() };
        let known = sources();
        let of = |source: &str| doubts(&citable(&known), "Links end.", &[], &[&quote(source)]);
        assert_eq!((of("brief"), of("t.md"), of("ask:review")), (vec![Doubt::OnlyOwnWords], vec![], vec![]));
    }
}
