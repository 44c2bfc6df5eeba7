//! `reqgate explain facet`: lists the facets, or explains one: its signs, their weights, and its uses.

use reqgate::model::Language;
use reqgate::rules::{Detect, Evidence, FacetFile, Place, Seen, SignFile};
use reqgate::suggest::did_you_mean;
use serde::Serialize;

use super::super::exit::Failure;
use super::super::page::Page;
use super::super::session::Session;
use super::policy::{PROFILES, profile_name};
use reqgate_messages as messages;

/// The maximum number of words of a sign that are shown; the file has all of them.
const WORDS_SHOWN: usize = 6;

/// Lists the facets and explains the term.
pub(super) fn list(page: &mut Page, session: &Session) {
    page.paragraph(
        "A facet is something that a text may state, e.g. a need, steps, or the expected result. No single word decides: each \
         facet has weighted signs for and against it, which together give the probability that it is present.",
    );
    let facets = &session.book.facets;
    let widest = facets.iter().map(|facet| facet.file.id.len()).max().unwrap_or(0);
    page.line("");
    for facet in facets {
        let id = page.bold(&format!("{:widest$}", facet.file.id));
        page.line(&format!("{id}  {}", facet.file.summary));
    }
    page.line("");
    page.paragraph(
        "`reqgate explain facet NAME` shows the signs of a facet; `reqgate score ticket.md --explain` shows those \
         found in a ticket.",
    );
}

/// Explains one facet.
///
/// # Errors
/// Fails if a facet of that name does not exist.
pub(super) fn explain(page: &mut Page, session: &Session, name: &str) -> Result<(), Failure> {
    let facets = &session.book.facets;
    let Some(facet) = facets.iter().find(|facet| facet.file.id == name) else {
        let known: Vec<&str> = facets.iter().map(|facet| facet.file.id.as_str()).collect();
        let hint = did_you_mean(name, known.iter().copied());
        let hint = if hint.is_empty() { format!(": choose from {}", known.join(", ")) } else { hint };
        return Err(Failure::usage(format!("there is no facet `{name}`{hint}")));
    };
    let file = &facet.file;
    page.line(&format!("{}  {}", page.bold(&file.id), read_in(file)));
    page.paragraph(&file.summary);
    page.heading("How it is detected");
    let start = 1.0 / (1.0 + (-file.bias).exp());
    page.paragraph(&format!(
        "The probability starts at {:.0} %. Each sign found in the text adds its weight, and the facet counts as present from \
         50 %. A weight of 1 multiplies the odds by 2.7, a weight of 2 by 7.4, and a weight of -1 divides them by 2.7.",
        start * 100.0
    ));
    signs(page, "Signs for it", file.signs.iter().filter(|sign| sign.weight >= 0.0).collect());
    signs(page, "Signs against it", file.signs.iter().filter(|sign| sign.weight < 0.0).collect());
    let counts = where_it_counts(session, &file.id);
    if !counts.is_empty() {
        page.heading("Where it is used");
        for line in counts {
            page.line(&format!("  {line}"));
        }
    }
    for (title, examples) in [("Example with it", &file.examples.fires), ("Example without it", &file.examples.silent)]
    {
        if let Some(example) = examples.first() {
            page.heading(title);
            for line in example.trim_end().lines() {
                page.line(&format!("  {line}"));
            }
        }
    }
    page.heading("In a ticket");
    page.line("  reqgate score ticket.md --explain");
    Ok(())
}

fn read_in(file: &FacetFile) -> String {
    if file.profiles.is_empty() {
        return "decides the kind of ticket".to_owned();
    }
    let words = messages::ExplainPolicy::of(Language::En);
    let named =
        PROFILES.into_iter().filter(|profile| file.profiles.contains(profile)).map(|it| profile_name(it, words));
    format!("looked for in {}", named.collect::<Vec<_>>().join(", "))
}

/// The signs, the heaviest first.
fn signs(page: &mut Page, title: &str, mut signs: Vec<&SignFile>) {
    if signs.is_empty() {
        return;
    }
    page.heading(title);
    signs.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    for sign in signs {
        page.line(&format!("  {:+5.1}  {}  {}", sign.weight, sign.says, page.faint(&seen(&sign.seen))));
    }
}

fn seen(seen: &Seen) -> String {
    match seen {
        Seen::Measure(measure) => format!("(counted: {})", name_of(measure)),
        Seen::Cue { any, places, .. } => {
            let lists: Vec<String> = any.iter().map(name_of).collect();
            format!("(words of {} in {})", lists.join(", "), in_places(places))
        }
        Seen::Terms { list, places, .. } => {
            let all: Vec<&str> = list.en.iter().chain(&list.zh).map(String::as_str).collect();
            let shown = all.iter().take(WORDS_SHOWN).copied().collect::<Vec<_>>().join(", ");
            let more =
                if all.len() > WORDS_SHOWN { format!(" and {} more", all.len() - WORDS_SHOWN) } else { String::new() };
            format!("({shown}{more}, in {})", in_places(places))
        }
    }
}

fn in_places(places: &[Place]) -> String {
    let word = |place: &Place| match place {
        Place::Title => "the title",
        Place::TitleStart => "the first words of the title",
        Place::Prose => "the text",
    };
    places.iter().map(word).collect::<Vec<_>>().join(" or ")
}

/// The name of a value in a file.
fn name_of(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The rules that are silent if the facet is present, and the criteria of rubrics that it earns.
fn where_it_counts(session: &Session, id: &str) -> Vec<String> {
    let asks = |ids: &[String]| ids.iter().any(|other| other == id);
    let mut lines = Vec::new();
    for rule in &session.book.rules {
        if let Detect::Missing { unless_likely, .. } = &rule.file.detect
            && asks(unless_likely)
        {
            lines.push(format!("rule {}: does not fire if it is present", rule.file.id));
        }
    }
    for rubric in &session.book.rubrics {
        for dimension in &rubric.file.dimensions {
            for criterion in &dimension.criteria {
                if matches!(&criterion.evidence, Evidence::Likely { any, .. } if asks(any)) {
                    lines.push(format!(
                        "rubric {}: up to {} points of {} for {}",
                        rubric.file.id, criterion.points, dimension.id, criterion.id
                    ));
                }
            }
        }
    }
    lines
}
