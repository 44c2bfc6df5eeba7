//! `reqgate gaps` on a folder of several features: contradictions between statements of different features.

use std::path::{Path, PathBuf};

use reqgate::pipeline::Pipeline;
use reqgate::prd::FeatureDocument;
use reqgate::prd::gaps::{self, ComparedFeature, GapAnalysis, ReadConflicts};
use reqgate::prd::layouts::AnyRequirements;
use reqgate::prd::requirements::RequirementsDocument;
use reqgate::prd::workflow::{SourceText, WorkOrder};

use super::arguments::GapsArguments;
use super::exit::{self, Failure};
use super::gap_readings::{model_reading, placed, reading};
use super::{feature_files, session};

/// The documents of a feature, with personal data and secrets masked.
struct MaskedFeature {
    file: FeatureDocument,
    document: RequirementsDocument,
    /// The name and the text of the brief.
    brief: Option<(String, String)>,
}

impl MaskedFeature {
    fn read(folder: &Path, pipeline: &Pipeline) -> Result<Self, Failure> {
        let (file, brief) = feature_files::requirements(folder, None)?;
        let brief = brief.map(|path| feature_files::read(&path)).transpose()?;
        let file = file.with_text(&pipeline.masked(file.text()));
        let AnyRequirements { document, .. } = feature_files::requirements_in(&file)?;
        let brief = brief.map(|(name, text)| (name, pipeline.masked(&text)));
        Ok(Self { file, document, brief })
    }

    fn compared(&self) -> ComparedFeature<'_> {
        ComparedFeature {
            requirements: (self.file.name(), self.file.text()),
            document: &self.document,
            brief: self.brief.as_ref().map(|(name, text)| (name.as_str(), text.as_str())),
        }
    }

    fn texts(&self) -> impl Iterator<Item = SourceText> {
        let own = (self.file.name().to_owned(), self.file.text().to_owned());
        let all = std::iter::once(own).chain(self.brief.clone());
        all.map(|(name, text)| SourceText { name, text })
    }
}

/// Reads every feature; one that has no recognisable requirement is reported and left out.
fn read(arguments: &GapsArguments, folders: &[PathBuf]) -> Result<Vec<MaskedFeature>, Failure> {
    if arguments.reading.is_some() || arguments.brief.is_some() {
        let folder = arguments.path.display();
        return Err(Failure::usage(format!("`{folder}` holds several features: --reading and --brief are for one")));
    }
    let pipeline = session::judging(&arguments.configuration)?;
    let mut features = Vec::new();
    for folder in folders {
        match MaskedFeature::read(folder, &pipeline) {
            Ok(feature) => features.push(feature),
            Err(failure) => exit::warn(&format!("left out: {}", failure.message())),
        }
    }
    Ok(features)
}

fn order_of(features: &[MaskedFeature]) -> Option<WorkOrder> {
    let compared: Vec<ComparedFeature<'_>> = features.iter().map(MaskedFeature::compared).collect();
    WorkOrder::conflicts_across(features.iter().flat_map(MaskedFeature::texts).collect(), &compared)
}

/// The order to compare the statements of different features; `None` without a pair.
pub(super) fn order(arguments: &GapsArguments, folders: &[PathBuf]) -> Result<Option<WorkOrder>, Failure> {
    let order = order_of(&read(arguments, folders)?);
    if order.is_none() {
        exit::note("no two features have statements with words in common: there is nothing to compare");
    }
    Ok(order)
}

/// The refusal to read several features as one.
pub(super) fn several(arguments: &GapsArguments, folders: &[PathBuf]) -> Failure {
    let (folder, one) = (arguments.path.display(), folders.first().unwrap_or(&arguments.path).display());
    Failure::usage(format!(
        "`{folder}` holds several features: name one of them, such as `{one}`, or have them compared with \
         `--order conflicts` and `--conflicts FILE`, or with --model"
    ))
}

/// The contradictions that a reader found between features, in a file or a model now.
pub(super) fn analysed(arguments: &GapsArguments, folders: &[PathBuf]) -> Result<GapAnalysis, Failure> {
    if arguments.conflicts.is_none() && arguments.model.model.is_none() {
        return Err(several(arguments, folders));
    }
    let features = read(arguments, folders)?;
    let order = order_of(&features);
    let documents: Vec<&RequirementsDocument> = features.iter().map(|feature| &feature.document).collect();
    let found = match (&arguments.conflicts, &order) {
        (_, None) => Vec::new(),
        (Some(path), Some(order)) => {
            let read: ReadConflicts = reading(path, |read| order.documents().conflict_problems(read, &[]))?;
            order.documents().contradictions(&read, &[], &documents)
        }
        (None, Some(order)) => {
            let read: ReadConflicts = model_reading(arguments, order)?;
            order.documents().contradictions(&read, &[], &documents)
        }
    };
    let compared: Vec<ComparedFeature<'_>> = features.iter().map(MaskedFeature::compared).collect();
    let analysis = gaps::across(found, &compared);
    Ok(features.iter().fold(analysis, |analysis, feature| placed(analysis, &feature.file)))
}
