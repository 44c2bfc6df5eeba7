//! Exports a plan as files of other tools: spec-kit and OpenSpec. Exports contain only the content of the documents;
//! information that a tool requires and that is missing is marked in the tool's format.

mod openspec;
mod spec_kit;

pub use openspec::openspec;
pub use spec_kit::spec_kit;

use std::collections::BTreeSet;

use thiserror::Error;

use super::document::safe;
use super::{Demand, ExecutionPlan, Story};
use crate::{FeatureBrief, Requirement};
use reqgate_base::clean::one_line;

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// The path in the chosen directory, with `/`.
    pub path: String,
    /// The text of the file.
    pub text: String,
}

/// The reason why a plan cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The tool requires a scenario for each requirement.
    #[error(
        "OpenSpec demands a scenario for each requirement, and {} no acceptance criterion: write one first",
        has_no(.0)
    )]
    NoCriterion(
        /// The requirements without a criterion.
        Vec<String>,
    ),
}

fn has_no(ids: &[String]) -> String {
    format!("{} {}", ids.join(", "), if ids.len() == 1 { "has" } else { "have" })
}

/// The documents that an export is built from.
#[derive(Clone, Copy)]
struct Material<'m> {
    plan: &'m ExecutionPlan,
    demand: Demand<'m>,
    brief: Option<&'m FeatureBrief>,
}

impl<'m> Material<'m> {
    /// The requirements that stories of the plan realise, in the order of the document.
    fn requirements(self) -> impl Iterator<Item = &'m Requirement> {
        let named: BTreeSet<&str> = self.stories().flat_map(|story| &story.requirements).map(|id| id.trim()).collect();
        let is_planned = move |one: &&Requirement| {
            named.contains(one.id.to_string().as_str()) || one.aliases.iter().any(|id| named.contains(id.as_str()))
        };
        self.demand.approved.requirements().filter(is_planned)
    }

    fn stories(self) -> impl Iterator<Item = &'m Story> {
        self.plan.stories.iter().map(|planned| &planned.story)
    }

    /// The number of a story in the order of work, from 1.
    fn number(self, id: &str) -> Option<usize> {
        self.stories().position(|story| story.story_id == id).map(|at| at + 1)
    }

    /// The slug of the feature: `export-orders`.
    fn slug(self) -> String {
        let id = self.plan.frontmatter.feature_id.as_deref().unwrap_or_default();
        let slug = id.split_once('-').map_or("", |(_, slug)| slug);
        if slug.is_empty() { "feature".to_owned() } else { slug.to_owned() }
    }
}

/// The steps of a criterion: GIVEN, WHEN and THEN if it has them in this order, otherwise THEN with the whole text.
fn steps(criterion: &str) -> Vec<(&'static str, String)> {
    const SIGNALS: [(&str, [&str; 2]); 3] =
        [("GIVEN", ["given ", "假如"]), ("WHEN", ["when ", "当"]), ("THEN", ["then ", "那么"])];
    let words = one_line(criterion);
    // Only ASCII is changed, so that offsets stay the same.
    let lower = words.to_ascii_lowercase();
    // The keyword, the start of the signal word, and the start of the text after it.
    let mut found: Vec<(&'static str, usize, usize)> = Vec::new();
    for (keyword, signals) in SIGNALS {
        let from = found.last().map_or(0, |last| last.2);
        let at = signals.iter().find_map(|signal| {
            let begins = |at: &usize| *at == 0 || lower[..*at].trim_end().ends_with([',', '，', ';', '；']);
            lower[from..].match_indices(signal).map(|(at, _)| from + at).find(begins).map(|at| (at, at + signal.len()))
        });
        found.extend(at.map(|(start, end)| (keyword, start, end)));
    }
    let is_scenario =
        found.first().is_some_and(|first| first.1 == 0) && found.last().is_some_and(|last| last.0 == "THEN");
    if !is_scenario || found.len() < 2 {
        return vec![("THEN", safe(&words))];
    }
    let ends = found.iter().skip(1).map(|next| next.1).chain([words.len()]);
    let step = |((keyword, _, start), end): (&(&'static str, usize, usize), usize)| {
        (*keyword, safe(words[*start..end].trim().trim_end_matches([',', '，', ';', '；'])))
    };
    found.iter().zip(ends).map(step).collect()
}

/// The beginning of a text, cut between words.
fn short(words: &str, most: usize) -> String {
    let words = one_line(words);
    let Some((end, _)) = words.char_indices().nth(most) else { return words.into_owned() };
    let cut = words[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", words[..cut].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_becomes_steps_only_where_it_says_them() {
        let told = |criterion: &str| {
            let steps = steps(criterion).into_iter().map(|(keyword, words)| format!("{keyword} {words}"));
            steps.collect::<Vec<_>>().join(" | ")
        };
        for (criterion, expected) in [
            (
                "Given 3 orders, when Export is pressed, then a file comes.",
                "GIVEN 3 orders | WHEN Export is pressed | THEN a file comes.",
            ),
            ("When the clerk asks, then it is shown.", "WHEN the clerk asks | THEN it is shown."),
            ("When a day has no orders, a message is shown.", "THEN When a day has no orders, a message is shown."),
            ("The log shows when, then what.", "THEN The log shows when, then what."),
            ("假如有 3 条订单，当点击导出，那么下载文件。", "GIVEN 有 3 条订单 | WHEN 点击导出 | THEN 下载文件。"),
        ] {
            assert_eq!(told(criterion), expected);
        }
    }
}
