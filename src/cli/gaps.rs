//! `reqgate gaps`: reports faults in the form of requirements, and gaps and contradictions that a reader finds in them.

use reqgate::prd::gaps::{
    self, GapAnalysis, GapReading, Input, ReadConflicts, ReadGaps, Terminal, with_contradictions,
};
use reqgate::prd::layouts::AnyRequirements;
use reqgate::prd::requirements::RequirementsDocument;
use reqgate::prd::workflow::WorkOrder;
use reqgate::prd::{FeatureDocument, Gap, GapCategory};

use super::arguments::{ColorWhen, GapsArguments, GapsFormat, GapsOrder};
use super::exit::{self, Failure};
use super::gap_readings::{model_reading, placed, reading};
use super::{feature_files, gaps_across, outputs, prd, session, terminal};

pub(super) fn run(arguments: &GapsArguments, color: ColorWhen) -> Result<u8, Failure> {
    let features = feature_files::features_in(&arguments.path);
    if let Some(order) = arguments.order {
        let order = match order {
            GapsOrder::Conflicts if !features.is_empty() => gaps_across::order(arguments, &features)?,
            GapsOrder::Gaps if !features.is_empty() => return Err(gaps_across::several(arguments, &features)),
            order => of_feature(arguments, order)?,
        };
        return order.map_or(Ok(exit::PASS), |order| print_order(arguments, &order));
    }
    let analysis = match features.is_empty() {
        true => analysed(arguments)?,
        false => gaps_across::analysed(arguments, &features)?,
    };
    let name = arguments.path.display().to_string();
    let text = match arguments.format {
        GapsFormat::Human => {
            let terminal = Terminal { colour: terminal::is_coloured(color), width: terminal::width() };
            terminal::wrapped(&gaps::human(&analysis, &name, terminal))
        }
        GapsFormat::Markdown => gaps::markdown(&analysis, &name),
        GapsFormat::Json => outputs::json("the analysis", &analysis)?,
    };
    outputs::print(&text)?;
    let is_below = arguments.fail_under.is_some_and(|least| analysis.score() < least);
    Ok(if is_below { exit::GATE_SAID_NO } else { exit::PASS })
}

/// The texts of a feature.
struct FeatureTexts {
    file: FeatureDocument,
    /// The name and the text of the brief.
    brief: Option<(String, String)>,
}

impl FeatureTexts {
    fn read(arguments: &GapsArguments) -> Result<Self, Failure> {
        let (file, brief) = feature_files::requirements(&arguments.path, arguments.brief.as_deref())?;
        let brief = brief.map(|path| feature_files::read(&path)).transpose()?;
        Ok(Self { file, brief })
    }

    fn brief(&self) -> Option<&str> {
        self.brief.as_ref().map(|(_, text)| text.as_str())
    }

    /// The order to read the documents, with personal data and secrets masked; `None` for conflicts without a pair.
    /// `known` are the gaps that are not reported again.
    fn order(
        &self,
        arguments: &GapsArguments,
        order: GapsOrder,
        known: Vec<Gap>,
    ) -> Result<Option<WorkOrder>, Failure> {
        let pipeline = session::judging(&arguments.configuration)?;
        let (brief, text) = (pipeline.masked(self.brief().unwrap_or_default()), pipeline.masked(self.file.text()));
        match order {
            GapsOrder::Gaps => Ok(Some(WorkOrder::gaps(brief, text))),
            GapsOrder::Conflicts => {
                let masked = FeatureDocument::new(feature_files::REQUIREMENTS.to_owned(), text.clone());
                let document = masked.requirements().map(|(any, _)| any.document);
                Ok(document.and_then(|document| WorkOrder::conflicts(brief, text, &document, known)))
            }
        }
    }
}

fn analysed(arguments: &GapsArguments) -> Result<GapAnalysis, Failure> {
    let texts = FeatureTexts::read(arguments)?;
    let AnyRequirements { document, duplicates, .. } = feature_files::requirements_in(&texts.file)?;
    let (name, text) = (texts.file.name(), texts.file.text());
    let form = gaps::analyse(&Input { name, text, document: &document, duplicates: &duplicates, brief: texts.brief() });
    let reading = read_for_gaps(arguments, &texts, &document)?;
    let known = reading.as_ref().map_or(&[][..], |reading| &reading.gaps);
    let contradictions = read_for_conflicts(arguments, &texts, &document, known)?;
    if reading.is_none() && contradictions.is_none() {
        return Ok(placed(form, &texts.file));
    }
    if reading.is_none() {
        exit::note("only pairs of statements were read: `--order` prints the order to find other gaps");
    }
    let is_whole = reading.is_some();
    let mut found = with_contradictions(reading.unwrap_or_default(), contradictions.unwrap_or_default());
    in_files(&mut found, name, texts.brief.as_ref().map(|(name, _)| name.as_str()));
    Ok(placed(gaps::with_reading(form.gaps, found, is_whole, &document), &texts.file))
}

/// The gaps that a reader found: in a file, a model now, or the reader of the thread of these requirements.
fn read_for_gaps(
    arguments: &GapsArguments,
    texts: &FeatureTexts,
    document: &RequirementsDocument,
) -> Result<Option<GapReading>, Failure> {
    let order = || texts.order(arguments, GapsOrder::Gaps, Vec::new());
    let (order, read): (_, ReadGaps) = match (&arguments.reading, &arguments.model.model, order) {
        (None, None, _) => {
            let Some((thread, found)) = prd::reading_of(&arguments.path, document) else { return Ok(None) };
            exit::note(&format!("these requirements were read for gaps in the thread `{thread}`"));
            return Ok(Some(found));
        }
        (Some(path), _, order) => {
            let Some(order) = order()? else { return Ok(None) };
            let read = reading(path, |read| order.documents().problems(read))?;
            (order, read)
        }
        (None, Some(_), order) => {
            let Some(order) = order()? else { return Ok(None) };
            let read = model_reading(arguments, &order)?;
            (order, read)
        }
    };
    Ok(Some(order.documents().reading(&read, document)))
}

/// The contradictions that a reader found, in a file or a model now.
fn read_for_conflicts(
    arguments: &GapsArguments,
    texts: &FeatureTexts,
    document: &RequirementsDocument,
    known: &[Gap],
) -> Result<Option<Vec<Gap>>, Failure> {
    if arguments.conflicts.is_none() && arguments.model.model.is_none() {
        return Ok(None);
    }
    let known = known.iter().filter(|gap| gap.category == GapCategory::Contradiction).cloned().collect();
    let order = texts.order(arguments, GapsOrder::Conflicts, known)?;
    match (&arguments.conflicts, order) {
        (Some(path), _) => {
            // A file may repeat gaps of another reading, which its order did not contain; its quotes are checked in the
            // same documents even without a pair.
            let Some(order) = texts.order(arguments, GapsOrder::Gaps, Vec::new())? else { return Ok(None) };
            let documents = order.documents();
            let read = reading(path, |read| documents.conflict_problems(read, &[]))?;
            Ok(Some(documents.contradictions(&read, &[], &[document])))
        }
        (None, Some(order)) => {
            let read: ReadConflicts = model_reading(arguments, &order)?;
            Ok(Some(order.documents().contradictions(&read, &order.gaps, &[document])))
        }
        (None, None) => Ok(Some(Vec::new())),
    }
}

/// Names the files of a feature in the places of a reading.
fn in_files(found: &mut GapReading, requirements: &str, brief: Option<&str>) {
    let of_gaps = found.gaps.iter_mut().flat_map(|gap| gap.place.iter_mut().chain(gap.against.as_mut()));
    for place in of_gaps.chain(found.strengths.iter_mut().map(|strength| &mut strength.place)) {
        let file = if place.source == feature_files::REQUIREMENTS { Some(requirements) } else { brief };
        file.unwrap_or(requirements).clone_into(&mut place.source);
    }
}

/// The order for the reader of one feature.
fn of_feature(arguments: &GapsArguments, order: GapsOrder) -> Result<Option<WorkOrder>, Failure> {
    let order = FeatureTexts::read(arguments)?.order(arguments, order, Vec::new())?;
    if order.is_none() {
        exit::note("no two statements have words in common: there is nothing to compare");
    }
    Ok(order)
}

/// Prints the order for a reader.
fn print_order(arguments: &GapsArguments, order: &WorkOrder) -> Result<u8, Failure> {
    let pipeline = session::judging(&arguments.configuration)?;
    let path = arguments.path.display();
    let brief = arguments.brief.as_ref().map(|brief| format!(" --brief {}", brief.display())).unwrap_or_default();
    let option = if order.pairs.is_empty() { "--reading" } else { "--conflicts" };
    let document = serde_json::json!({
        "step": order.step,
        "caution": pipeline.caution(order),
        "instructions": order.kind().instructions(pipeline.orders()),
        "inputs": order,
        "result_schema": order.kind().schema(),
        "submit_with": format!("reqgate gaps {path}{brief} {option} FILE"),
    });
    outputs::print(&format!("{document:#}\n"))?;
    Ok(exit::PASS)
}
