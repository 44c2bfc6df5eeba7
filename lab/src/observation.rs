//! What a benchmark is run with, and what its rows come to.

use std::path::Path;

use super::engine::Engine;
use super::measure::Evidence;
use super::result::Item;
use super::rows::{Row, Text, language_of};
use super::suite::Benchmark;
use reqgate_base::model::RuleId;
use reqgate_prd::critique::{CritiqueOrder, ReadCritique};

/// Reads a PRD as one critic. `None` where the reading does not pass the checks; the error says why there is none at all.
pub type Critic<'c> = &'c (dyn Fn(&CritiqueOrder) -> Result<Option<ReadCritique>, String> + Sync);

/// What a row came to.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// The items; several where a row holds several things.
    pub items: Vec<Item>,
    /// Rules that spoke, and whether they were right to.
    pub votes: Vec<(RuleId, bool)>,
}

/// A benchmark with everything that does not change from row to row.
pub struct Run<'a> {
    /// The engine.
    pub engine: Engine<'a>,
    /// The benchmark.
    pub benchmark: &'a Benchmark,
    /// The names of the classes.
    pub classes: &'a [String],
    /// Texts around or beside the rows.
    pub others: &'a [Text],
    /// What chance is made of.
    pub seed: u64,
    /// The folder of the data.
    pub root: &'a Path,
    /// Who reads PRDs, if somebody does; recorded readings otherwise.
    pub critic: Option<Critic<'a>>,
}

impl Run<'_> {
    /// The text of a row.
    pub fn text(&self, row: &Row) -> Result<Text, String> {
        row.input(&self.benchmark.input)
    }

    /// The place of a class in the list of classes.
    pub fn class_index(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class == name)
    }

    /// A single item.
    pub fn one(&self, row: &Row, evidence: Evidence) -> Observed {
        let slices = self.benchmark.slices.iter().map(|field| self.slice(row, field)).collect();
        // Only verdicts are named with their origin.
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
