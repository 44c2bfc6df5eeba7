//! Parts of a team's work outside a thread: an outline from sources, and one revision of a PRD by its critique.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::marks::with_marks;
use super::results::placed;
use super::revision::{Revised, RevisedSections, asked_sections, spliced};
use super::without_reader;
use crate::SourceQuote;
use crate::collect::{BriefFeedback, Collector, UTTERANCE};
use crate::critique::{CritiqueReport, Issue, requests};
use crate::team::PrdOutline;
use crate::team::citations::{ResearchSource, ResearchSources, SourceId};
use crate::team::document::tame;
use crate::team::revised::{NewSection, heading_of, headings};
use crate::team::sections::parts;
use crate::workflow::facts::sources_of;
use crate::workflow::vision::vision_of;
use crate::workflow::{DraftStep, SourceText, WorkOrder};
use reqgate_base::clean::MASK_LABELS;
use reqgate_base::model::Language;
use reqgate_flow::read_value;
use reqgate_gate::pipeline::Pipeline;
use reqgate_orders::{Misquoted, Sources};

/// The most citations of a PRD that are counted.
const MOST_CITED: u32 = 1_000;

/// Creates the order for an outline from these sources.
pub fn outline_order(sources: Vec<SourceText>) -> WorkOrder {
    WorkOrder { sources, ..WorkOrder::of(DraftStep::Outline) }
}

/// Reads the result of [`outline_order`]; quotes get the lines and the exact words of their sources.
///
/// # Errors
/// Fails if the result does not have the expected structure, which its checks detect first.
pub fn outline_of(order: &WorkOrder, result: Value) -> Result<PrdOutline, String> {
    read_value(&placed(result, order))
}

/// The standard outline with the labelled content of the sources, without a reader.
pub fn collected_outline(pipeline: &Pipeline, order: &WorkOrder) -> PrdOutline {
    let wish = order.sources.iter().find(|source| source.name == UTTERANCE).map(|source| source.text.clone());
    let vision = wish.or_else(|| vision_of(&order.sources)).unwrap_or_default();
    let brief = Collector::new(&pipeline.book.reader).brief(&sources_of(&order.sources));
    without_reader::outline(&brief, &vision)
}

/// Creates the order to revise a PRD once, based on its critique and on the request of a person.
pub fn revision_order(
    prd: String,
    report: &CritiqueReport,
    wanted: Option<&str>,
    sources: Vec<SourceText>,
    language: Language,
) -> WorkOrder {
    let issues: Vec<&Issue> = report.critiques.iter().flat_map(|critique| &critique.issues_found).collect();
    let feedback =
        wanted.map(|words| BriefFeedback { user_feedback: Some(words.to_owned()), ..BriefFeedback::default() });
    WorkOrder {
        references: citable(&prd, &sources),
        documents: vec![SourceText { name: "critiques".to_owned(), text: requests(&report.critiques, language) }],
        sections: asked_sections(&prd, &issues, wanted, language),
        sources,
        feedback,
        prd: Some(prd),
        ..WorkOrder::of(DraftStep::TeamRevision)
    }
}

/// The sources that a revision may cite: those that the PRD already cites, followed by the given ones.
fn citable(prd: &str, sources: &[SourceText]) -> ResearchSources {
    static CITED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[src-([1-9]\d{0,3})\]").expect("a constant"));
    let last = CITED.captures_iter(prd).filter_map(|found| found[1].parse::<u32>().ok()).max().unwrap_or(0);
    let known = (1..=last.min(MOST_CITED)).map(|number| format!("src-{number} of the PRD"));
    let mut out = ResearchSources::default();
    for name in known.chain(sources.iter().map(|source| source.name.clone())) {
        let (url, title) = (name.clone(), name);
        let (domain, agent, timestamp) = (String::new(), "user".to_owned(), String::new());
        out.add(ResearchSource { id: SourceId::default(), url, title, domain, agent, timestamp, confidence: None });
    }
    out
}

/// The first quote of a critique that does not occur in the section of its line: then the critique is of another
/// document or version. `masked` is the PRD without personal data.
pub fn foreign_quote<'r>(prd: &str, masked: &str, report: &'r CritiqueReport) -> Option<&'r SourceQuote> {
    let holds = |text: &str, place: &SourceQuote| {
        let parts = parts(text);
        let part = parts.iter().rev().find(|part| part.line <= place.line);
        let words = part.map(|part| format!("{}\n{}", part.heading, part.text)).unwrap_or_default();
        let found = Sources::new([("prd", words.as_str())]).find("prd", &place.quote);
        !matches!(found, Err(Misquoted::NotThere(_)))
    };
    let issues = report.critiques.iter().flat_map(|critique| &critique.issues_found);
    issues.filter_map(|issue| issue.place.as_ref()).find(|place| !holds(prd, place) && !holds(masked, place))
}

/// The PRD with the sections of the result of [`revision_order`]. Citations are shown as `[src-2]`, and all other
/// sections are unchanged to the byte. `masks` are the values that the writer did not see, each with its mask.
///
/// # Errors
/// Fails with the mask and the section if a mask can mean several values.
pub fn refined(
    prd: &str,
    order: &WorkOrder,
    given: &RevisedSections,
    masks: &[(&str, &str)],
) -> Result<Revised, String> {
    let masked = order.prd.as_deref().unwrap_or_default();
    let (own, shown) = (headings(prd), headings(masked));
    let mut new = Vec::new();
    for section in given.new_sections() {
        // An existing heading is kept as it is.
        let at = heading_of(masked, &section.heading).and_then(|known| shown.iter().position(|one| *one == known));
        let heading = at.and_then(|at| own.get(at)).map_or_else(|| tame(&section.heading), |own| (*own).to_owned());
        let replaced = parts(prd).into_iter().find(|part| part.heading == heading).map_or("", |part| part.text);
        let text = unmasked(&with_marks(&tame(&section.text)), replaced, masks)
            .map_err(|mask| format!("“{}”: {mask} may stand for several values, or for one of another section: write this section by hand, or leave it as it is", section.heading))?;
        new.push(NewSection { heading, text });
    }
    Ok(spliced(prd, &order.sections, new))
}

/// A new text in which the masks are replaced by the values of the section.
///
/// # Errors
/// Fails with the first mask that does not match exactly one value of the section.
fn unmasked(text: &str, replaced: &str, masks: &[(&str, &str)]) -> Result<String, &'static str> {
    let mut out = text.to_owned();
    for mask in MASK_LABELS.into_iter().filter(|mask| text.contains(mask)) {
        let values: BTreeSet<&str> = masks.iter().filter(|(own, _)| *own == mask).map(|(_, value)| *value).collect();
        let own: Vec<&str> = values.iter().copied().filter(|value| replaced.contains(value)).collect();
        match own.as_slice() {
            // The mask is literal text, or it hides a value of a source.
            [] if values.is_empty() || replaced.contains(mask) => {}
            // For a value over several lines, the mask replaces only the first line.
            [value] if !replaced.contains(mask) && !value.contains('\n') => out = out.replace(mask, value),
            _ => return Err(mask),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::unmasked;

    #[test]
    fn a_mask_gives_way_to_the_one_value_that_it_hides() {
        let masks = [
            ("[phone]", "+49 170 1234567"),
            ("[email]", "a@b.example"),
            ("[email]", "c@d.example"),
            ("[iban]", "DE89\n3704"),
        ];
        let put = |text, replaced| unmasked(text, replaced, &masks);
        let phone = "Call +49 170 1234567.";
        assert_eq!(put("Call [phone], or [phone].", phone).as_deref(), Ok("Call +49 170 1234567, or +49 170 1234567."));
        assert_eq!(put("Write to [email].", "a@b.example").as_deref(), Ok("Write to a@b.example."));
        assert_eq!(put("Nothing.", phone).as_deref(), Ok("Nothing."));
        assert_eq!(put("See [card].", phone).as_deref(), Ok("See [card]."), "of a source");
        assert_eq!(put("Call [phone].", "Call [phone].").as_deref(), Ok("Call [phone]."), "somebody wrote it");
        for (text, replaced) in [
            ("Write to [email].", "a@b.example, c@d.example"),
            ("Call [phone].", "Nobody is called."),
            ("Call [phone].", "Call +49 170 1234567 or [phone]."),
            ("Pay [iban].", "Pay DE89\n3704."),
        ] {
            assert!(put(text, replaced).is_err(), "{text}");
        }
    }
}
