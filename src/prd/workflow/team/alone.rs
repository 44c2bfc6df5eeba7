//! Parts of a team's work outside a thread: an outline from sources, and one revision of a PRD by its critique.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::marks::with_marks;
use super::results::placed;
use super::revision::{Revised, RevisedSections, asked_sections, spliced};
use super::without_reader;
use crate::model::Language;
use crate::pipeline::Pipeline;
use crate::prd::collect::{BriefFeedback, Collector, UTTERANCE};
use crate::prd::critique::{CritiqueReport, Issue, markdown};
use crate::prd::team::PrdOutline;
use crate::prd::team::citations::{ResearchSource, ResearchSources, SourceId};
use crate::prd::team::document::tame;
use crate::prd::team::revised::{NewSection, heading_of};
use crate::prd::workflow::facts::sources_of;
use crate::prd::workflow::{DraftStep, SourceText, WorkOrder};
use crate::workflow::read_value;

/// The most citations of a PRD that are counted.
const MOST_CITED: u32 = 1_000;

/// The order for the outline of what these sources describe.
pub fn outline_order(sources: Vec<SourceText>) -> WorkOrder {
    WorkOrder { sources, ..WorkOrder::of(DraftStep::Outline) }
}

/// The outline that a result of [`outline_order`] is; quotes get the lines and the words of their sources.
///
/// # Errors
/// Fails if the result does not have its shape, which its checks find first.
pub fn outline_of(order: &WorkOrder, result: Value) -> Result<PrdOutline, String> {
    read_value(&placed(result, order))
}

/// The standard outline with what the sources label, where nobody reads.
pub fn collected_outline(pipeline: &Pipeline, order: &WorkOrder) -> PrdOutline {
    let vision = order.sources.iter().find(|source| source.name == UTTERANCE);
    let vision = vision.map(|source| source.text.as_str()).unwrap_or_default();
    let brief = Collector::new(&pipeline.book.reader).brief(&sources_of(&order.sources));
    without_reader::outline(&brief, vision)
}

/// The order to revise a PRD once, by a critique of it and by what a person wants.
pub fn revision_order(
    prd: String,
    report: &CritiqueReport,
    wanted: Option<&str>,
    sources: Vec<SourceText>,
    language: Language,
) -> WorkOrder {
    let issues: Vec<&Issue> = report.critiques.iter().flat_map(|critique| &critique.issues_found).collect();
    let feedback =
        wanted.map(|words| BriefFeedback { user_feedback: Some(words.to_owned()), modifications: Vec::new() });
    WorkOrder {
        references: citable(&prd, &sources),
        documents: vec![SourceText { name: "critiques".to_owned(), text: markdown(report) }],
        sections: asked_sections(&prd, &issues, wanted, language),
        sources,
        feedback,
        prd: Some(prd),
        ..WorkOrder::of(DraftStep::TeamRevision)
    }
}

/// What a revision may cite: what the PRD cites already, whose list stands in it, and behind that the sources that were given.
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

/// The PRD with the sections that came back for [`revision_order`], as a person reads it: citations are `[src-2]`, and every section
/// that did not come back is the same to the byte.
pub fn refined(prd: &str, order: &WorkOrder, given: &RevisedSections) -> Revised {
    let shown = |section: NewSection| NewSection {
        // A heading that the PRD has stays as it is.
        heading: heading_of(prd, &section.heading).map_or_else(|| tame(&section.heading), str::to_owned),
        text: with_marks(&tame(&section.text)),
    };
    spliced(prd, &order.sections, given.new_sections().into_iter().map(shown).collect())
}
