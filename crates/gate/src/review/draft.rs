//! Checks a model's sorting of the sentences of a text, and merges it with the draft of the rules by place.
//!
//! The model only copies. A copy that is not in the text is dropped and listed. The facets, which rules and rubric
//! count, are not changed: additions of the model are shown and earn no points.

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::stages::structuring::filled_in;
use reqgate_base::model::{Disagreement, DiscardReason, DraftPart, Grounding, Span, Structured};
use reqgate_rules::Profile;
use reqgate_text::Quotable;

/// The most items of one part that are read.
pub(super) const MOST_ITEMS: usize = 60;
/// The most bytes of an item; a longer one is neither a sentence nor a list item.
const LONGEST_ITEM: usize = 1_500;

/// The answer of a model: pieces of the text, sorted.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema, Validate)]
#[serde(default)]
// A server must send every field; a reply without one is accepted anyway.
#[schemars(extend("required" = ["title", "story", "acceptance_criteria", "edge_cases", "resources", "open_points"]))]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(crate) struct Sorted {
    /// The name of the requirement.
    #[garde(skip)]
    pub title: String,
    /// The person, the need and the reason; for a fault, the wrong behaviour.
    #[garde(length(max = 500))]
    pub story: Vec<String>,
    /// Conditions that a tester can check.
    #[garde(length(max = 500))]
    pub acceptance_criteria: Vec<String>,
    /// Errors, limits and refusals.
    #[garde(length(max = 500))]
    pub edge_cases: Vec<String>,
    /// Links, tickets, documents and systems.
    #[garde(length(max = 500))]
    pub resources: Vec<String>,
    /// Points that the text leaves undecided.
    #[garde(length(max = 500))]
    pub open_points: Vec<String>,
}

/// The draft of the rules and the model's items together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assisted {
    /// Draft, places and facets; the facets are those of the rules.
    pub structured: Structured,
    /// Items that only the model saw.
    pub added: Vec<(DraftPart, Span)>,
    /// Places that the two read differently.
    pub disagreements: Vec<Disagreement>,
    /// The dropped items, in the model's words.
    pub discarded: Vec<(DiscardReason, String)>,
}

/// Merges the model's items into the draft of the rules. The same answer gives the same draft.
pub(super) fn merge(rules: &Structured, sorted: &Sorted, text: &str, quotes: &Quotable, profile: Profile) -> Assisted {
    let mut assisted = Assisted::default();
    let claims = grounded(sorted, quotes, &mut assisted.discarded);
    let known = parts_of(rules);
    for (part, span) in &claims {
        let there: Vec<DraftPart> =
            known.iter().filter(|(_, own)| own.overlaps(*span)).map(|(part, _)| *part).collect();
        match there.first() {
            _ if there.iter().any(|own| agree(*own, *part)) => {}
            Some(own) => {
                assisted.disagreements.push(Disagreement { span: *span, rules: Some(*own), model: Some(*part) });
            }
            None if assisted.added.iter().any(|(other, seen)| other == part && seen.overlaps(*span)) => {}
            None => assisted.added.push((*part, *span)),
        }
    }
    // A criterion that the model does not sort at all deserves a second look; one that it sorts elsewhere was reported above.
    let unseen = |span: &Span| !claims.iter().any(|(_, claim)| claim.overlaps(*span));
    for span in rules.grounding.acceptance_criteria.iter().filter(|span| unseen(span)) {
        let rules = Some(DraftPart::AcceptanceCriterion);
        assisted.disagreements.push(Disagreement { span: *span, rules, model: None });
    }
    assisted.disagreements.sort_by_key(|disagreement| disagreement.span);
    assisted.added.sort_by_key(|(part, span)| (*part, *span));
    assisted.structured = with_added(rules, &assisted.added, text, profile);
    assisted
}

/// Every item with its place; items without a place are discarded.
fn grounded(
    sorted: &Sorted,
    quotes: &Quotable,
    discarded: &mut Vec<(DiscardReason, String)>,
) -> Vec<(DraftPart, Span)> {
    let title = std::slice::from_ref(&sorted.title);
    let lists: [(DraftPart, &[String]); 6] = [
        (DraftPart::Title, title),
        (DraftPart::Story, &sorted.story),
        (DraftPart::AcceptanceCriterion, &sorted.acceptance_criteria),
        (DraftPart::EdgeCase, &sorted.edge_cases),
        (DraftPart::Resource, &sorted.resources),
        (DraftPart::OpenPoint, &sorted.open_points),
    ];
    let mut out = Vec::new();
    for (part, items) in lists {
        for (number, item) in items.iter().filter(|item| !item.trim().is_empty()).enumerate() {
            let reason = match quotes.find(item) {
                _ if number >= MOST_ITEMS => DiscardReason::TooMany,
                None => DiscardReason::NotInText,
                Some(span) if span.len() > LONGEST_ITEM => DiscardReason::Unusable,
                Some(span) => {
                    out.push((part, span));
                    continue;
                }
            };
            discarded.push((reason, item.clone()));
        }
    }
    out
}

/// The part to which the rules assign each place.
fn parts_of(rules: &Structured) -> Vec<(DraftPart, Span)> {
    let Grounding { title, user_story, acceptance_criteria, edge_cases, resources } = &rules.grounding;
    let all = |part: DraftPart, spans: &[Span]| spans.iter().map(|span| (part, *span)).collect::<Vec<_>>();
    let open: Vec<Span> = rules.facets.open_points.iter().map(|point| point.span).collect();
    let benefit: Vec<Span> = rules.facets.benefit.into_iter().collect();
    let mut out = all(DraftPart::AcceptanceCriterion, acceptance_criteria);
    out.extend(all(DraftPart::EdgeCase, edge_cases));
    out.extend(all(DraftPart::Story, user_story));
    out.extend(all(DraftPart::Story, &benefit));
    out.extend(all(DraftPart::Resource, resources));
    out.extend(all(DraftPart::OpenPoint, &open));
    out.extend(all(DraftPart::Title, title.as_slice()));
    out
}

/// Returns true for parts that do not contradict each other: a refusal is a criterion and an edge case at once, a story
/// may be the title, and a system may be named anywhere.
fn agree(rules: DraftPart, model: DraftPart) -> bool {
    use DraftPart::{AcceptanceCriterion, EdgeCase, Resource, Story, Title};
    rules == model
        || matches!((rules, model), (AcceptanceCriterion, EdgeCase) | (EdgeCase, AcceptanceCriterion))
        || matches!((rules, model), (Title, Story) | (Story, Title) | (_, Resource))
}

fn with_added(rules: &Structured, added: &[(DraftPart, Span)], text: &str, profile: Profile) -> Structured {
    let of = |part: DraftPart| added.iter().filter(move |(other, _)| *other == part).map(|(_, span)| *span);
    let with = |spans: &[Span], part: DraftPart| {
        let mut all: Vec<Span> = spans.iter().copied().chain(of(part)).collect();
        all.sort();
        all
    };
    let own = &rules.grounding;
    let grounding = Grounding {
        title: own.title.or_else(|| of(DraftPart::Title).next()),
        user_story: match own.user_story.is_empty() {
            true => with(&[], DraftPart::Story),
            false => own.user_story.clone(),
        },
        acceptance_criteria: with(&own.acceptance_criteria, DraftPart::AcceptanceCriterion),
        edge_cases: with(&own.edge_cases, DraftPart::EdgeCase),
        resources: with(&own.resources, DraftPart::Resource),
    };
    let (draft, failures) = filled_in(text, &grounding, profile);
    Structured { draft, grounding, facets: rules.facets.clone(), failures }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::structuring::structure;
    use reqgate_rules as rules;

    const TICKET: &str = "\
Lock the counter drawer after hours

As a shop manager I want the drawer locked at night, because coins went missing twice in May.

Acceptance criteria
- Given a closed shop, when a clerk presses Open, then the message \"Shop closed\" is shown.

The lamp turns red while the drawer is locked. Please ask Mira about the colour.
";

    fn merged(sorted: &Sorted) -> Assisted {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        let reading = book.reader.read(TICKET, None);
        let own = structure(TICKET, &reading, Profile::Feature);
        let assisted = merge(&own, sorted, TICKET, &Quotable::new(TICKET), Profile::Feature);
        assert_eq!(assisted.structured.facets, own.facets, "the model changed what the rules count");
        assert_eq!(assisted, merge(&own, sorted, TICKET, &Quotable::new(TICKET), Profile::Feature));
        assisted
    }

    #[test]
    fn an_item_that_only_the_model_sees_is_added_word_for_word() {
        let seen = Sorted {
            title: "lock the counter drawer after hours".to_owned(),
            acceptance_criteria: vec![
                "Given a closed shop, when a clerk presses Open, then the message “Shop closed” is shown".to_owned(),
                "the lamp  turns red while the drawer is locked".to_owned(),
            ],
            ..Sorted::default()
        };
        let assisted = merged(&seen);
        let words: Vec<&str> = assisted.added.iter().map(|(_, span)| span.slice(TICKET)).collect();
        assert!(words.is_empty() || words == ["The lamp turns red while the drawer is locked"], "{words:?}");
        let draft = assisted.structured.draft.expect("there is a draft");
        assert!(draft.acceptance_criteria.iter().any(|words| words.starts_with("The lamp turns red")));
        assert!(assisted.discarded.is_empty());
    }

    #[test]
    fn what_does_not_stand_in_the_text_is_dropped_and_listed() {
        let invented = "Given a fire, when the alarm rings, then the drawer opens".to_owned();
        let assisted = merged(&Sorted { acceptance_criteria: vec![invented.clone()], ..Sorted::default() });
        assert_eq!(assisted.discarded, [(DiscardReason::NotInText, invented.clone())]);
        let draft = assisted.structured.draft.expect("the rules have a draft");
        assert!(!draft.acceptance_criteria.contains(&invented));
    }

    #[test]
    fn another_reading_of_the_same_place_is_told_and_changes_nothing() {
        let other = "Given a closed shop, when a clerk presses Open".to_owned();
        let assisted = merged(&Sorted { open_points: vec![other], ..Sorted::default() });
        let told = &assisted.disagreements[0];
        assert_eq!((told.rules, told.model), (Some(DraftPart::AcceptanceCriterion), Some(DraftPart::OpenPoint)));
        assert!(assisted.added.is_empty());
    }
}
