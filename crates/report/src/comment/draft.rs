//! The draft to copy: the author's words in order, with a visible blank for each unknown part.
//!
//! Every word is the author's, a heading, or a question in ‹angle quotes›; no other text is added.

use reqgate_base::clean::one_line;
use reqgate_base::model::{Outcome, Span, TicketType};
use reqgate_messages as messages;

/// The maximum length of a draft, in characters.
const LONGEST: usize = 12_000;
/// The maximum number of items in one list.
const MOST_ITEMS: usize = 20;
/// The maximum length of an item, in characters.
const LONGEST_ITEM: usize = 400;

/// The draft, as Markdown source; `None` if structuring did not run.
pub(super) fn draft(outcome: &Outcome) -> Option<String> {
    let structured = outcome.structured.as_ref()?;
    let words = messages::Comment::of(outcome.language);
    let text = outcome.packet.raw_text.as_str();
    let list =
        |spans: &[Span]| spans.iter().map(|span| item(span.slice(text))).filter(|item| !item.is_empty()).collect();
    let facets = &structured.facets;
    let sections: Vec<(&str, Vec<String>)> = if outcome.packet.ticket_type.value == TicketType::Bug {
        vec![
            (words.draft_steps, or_blank(list(&facets.steps), words.draft_steps_blank)),
            (words.draft_expected, or_blank(list(&facets.expected), words.draft_expected_blank)),
            (words.draft_actual, or_blank(list(&facets.actual), words.draft_actual_blank)),
            (words.draft_environment, or_blank(list(&facets.environment), words.draft_environment_blank)),
        ]
    } else {
        vec![
            (words.draft_story, story(outcome, words)),
            (words.draft_criteria, criteria(outcome, words)),
            (words.draft_edges, or_blank(list(&facets.edge_cases), words.draft_edges_blank)),
            (words.draft_scope, or_blank(list(&facets.out_of_scope), words.draft_scope_blank)),
        ]
    };
    let mut draft = String::new();
    for (heading, items) in sections {
        draft.push_str(&format!("{}## {heading}\n\n", if draft.is_empty() { "" } else { "\n" }));
        for item in items.into_iter().take(MOST_ITEMS) {
            draft.push_str(&format!("- {item}\n"));
        }
    }
    let open: Vec<String> = facets
        .open_points
        .iter()
        .map(|point| item(point.span.slice(text)))
        .filter(|words| !words.is_empty())
        .take(MOST_ITEMS)
        .collect();
    if !open.is_empty() {
        draft.push_str(&format!("\n## {}\n\n", words.draft_open));
        for point in open {
            draft.push_str(&format!("- {point} {}\n", words.draft_open_blank));
        }
    }
    Some(match draft.char_indices().nth(LONGEST) {
        Some((at, _)) => {
            let whole_lines = draft[..at].rfind('\n').map_or(0, |end| end + 1);
            format!("{}‹…›\n", &draft[..whole_lines])
        }
        None => draft,
    })
}

/// The story as written, or its parts with a blank for each that is missing.
fn story(outcome: &Outcome, words: &messages::Comment) -> Vec<String> {
    let text = outcome.packet.raw_text.as_str();
    let facets = outcome.structured.as_ref().map(|structured| &structured.facets);
    let (actor, need, benefit) = facets.map_or((None, None, None), |f| (f.actor, f.need, f.benefit));
    if actor.is_some() && need.is_some() && benefit.is_some() {
        let story = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref());
        if let Some(story) = story.map(|draft| item(&draft.user_story)).filter(|story| !story.is_empty()) {
            return vec![story];
        }
    }
    let part = |span: Option<Span>, label: &str, blank: &str| {
        let words = span.map(|span| item(span.slice(text))).filter(|words| !words.is_empty());
        format!("{label}{}", words.unwrap_or_else(|| blank.to_owned()))
    };
    vec![
        part(actor, words.draft_actor, words.draft_actor_blank),
        part(need, words.draft_need, words.draft_need_blank),
        part(benefit, words.draft_benefit, words.draft_benefit_blank),
    ]
}

/// The criteria as written, those that cannot be checked with a blank after them, and blanks for those that are missing.
fn criteria(outcome: &Outcome, words: &messages::Comment) -> Vec<String> {
    let text = outcome.packet.raw_text.as_str();
    let criteria =
        outcome.structured.as_ref().map(|structured| structured.facets.criteria.as_slice()).unwrap_or_default();
    let mut items: Vec<String> = Vec::new();
    for criterion in criteria {
        let item = item(criterion.span.slice(text));
        if !item.is_empty() {
            items.push(if criterion.verifiable { item } else { format!("{item} {}", words.draft_unchecked) });
        }
    }
    let checkable = criteria.iter().filter(|criterion| criterion.verifiable).count();
    if checkable < 2 {
        items.push(words.draft_criterion.to_owned());
    }
    if !criteria.iter().any(|criterion| criterion.negative) {
        items.push(words.draft_negative.to_owned());
    }
    items
}

fn or_blank(items: Vec<String>, blank: &str) -> Vec<String> {
    if items.is_empty() { vec![blank.to_owned()] } else { items }
}

/// Words of the ticket as one item: one line, without the bullet or number of their list.
fn item(words: &str) -> String {
    let line = one_line(words);
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = line.trim_start_matches(['-', '*', '+', '•', '#', '>', ' ']);
    let bare = ["[ ] ", "[x] ", "[X] "].iter().find_map(|sign| bare.strip_prefix(sign)).unwrap_or(bare).trim();
    match bare.char_indices().nth(LONGEST_ITEM) {
        Some((at, _)) => format!("{}…", &bare[..at]),
        None => bare.to_owned(),
    }
}
