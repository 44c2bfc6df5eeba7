//! The context of a benchmark's run, and the observations of its rows.

use std::path::Path;

use super::engine::Engine;
use super::measure::Evidence;
use super::result::Item;
use super::rows::{Row, Text, language_of};
use super::suite::Benchmark;
use reqgate_base::model::RuleId;
use reqgate_prd::critique::{CritiqueOrder, ReadCritique};

/// Reads a PRD as one critic. `None` if the reading does not pass the checks; an error has the reason for the missing
/// reading.
pub type Critic<'c> = &'c (dyn Fn(&CritiqueOrder) -> Result<Option<ReadCritique>, String> + Sync);

/// The observations of a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// The items; several if a row contains several observations.
    pub items: Vec<Item>,
    /// The rules with a finding, and whether it was right.
    pub votes: Vec<(RuleId, bool)>,
}

/// A benchmark with all data that is the same for every row.
pub(crate) struct Run<'a> {
    /// The engine to measure.
    pub engine: Engine<'a>,
    /// The benchmark to run.
    pub benchmark: &'a Benchmark,
    /// The names of the classes.
    pub classes: &'a [String],
    /// Texts around or next to the rows.
    pub others: &'a [Text],
    /// The seed of the random numbers.
    pub seed: u64,
    /// The folder of the data.
    pub root: &'a Path,
    /// The model that reads PRDs; recorded readings are used if there is none.
    pub critic: Option<Critic<'a>>,
}

impl Run<'_> {
    /// The text of a row.
    pub(crate) fn text(&self, row: &Row) -> Result<Text, String> {
        row.input(&self.benchmark.input)
    }

    /// The index of a class in the list of classes.
    pub(crate) fn class_index(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class == name)
    }

    /// The observation of a single item.
    pub(crate) fn one(&self, row: &Row, evidence: Evidence) -> Observed {
        let slices = self.benchmark.slices.iter().map(|field| self.slice(row, field)).collect();
        // Only verdicts have their origin in the name.
        let is_named = matches!(evidence, Evidence::Judged { .. }) && row.value("origin").is_some();
        let origin = is_named.then(|| row.slice("origin"));
        Observed { items: vec![Item { id: row.id.clone(), origin, slices, evidence }], votes: Vec::new() }
    }

    fn slice(&self, row: &Row, field: &str) -> String {
        if let Some(groups) = self.benchmark.groups.get(field) {
            return row.group(field, groups);
        }
        if field == "language" && row.value(field).is_none() {
            return self.text(row).map_or("-", |text| language_of(&text.joined())).to_owned();
        }
        row.slice(field)
    }
}
