//! Reads the requirements of a table in a document, for a layout without tables.

use super::data::columns;
use super::{CATEGORY, CRITERIA, ID, NOTHING, PRIORITY, TEXT, TITLE, WAITS_FOR, headings};
use crate::RequirementId;
use crate::requirements::title_of;
use reqgate_docs::table::{cells, is_rule};
use reqgate_docs::{escaped, unescaped};

/// A requirement of a table, in Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRequirement {
    /// The id of the requirement.
    pub id: RequirementId,
    /// The title, or the beginning of the text; a short text is used as a whole, without its full stop.
    pub title: String,
    /// The text; equal to the title if the title is complete.
    pub text: String,
    /// The criteria, one per item.
    pub criteria: Vec<String>,
    /// The other cells with their column names.
    pub facts: Vec<(String, String)>,
}

impl TableRequirement {
    /// Reads the requirements of a table; `None` for any other table.
    pub(crate) fn all(lines: &[&str]) -> Option<Vec<Self>> {
        let [head, rule, rows @ ..] = lines else { return None };
        let names = cells(head);
        let own = headings::both().map(|words| words.requirement_columns);
        let has = |column: usize| own.iter().any(|own| names.iter().any(|name| name == own[column]));
        if !is_rule(&cells(rule)) || rows.is_empty() || !has(ID) || !has(TEXT) || !has(CRITERIA) {
            return None;
        }
        let columns = columns(&names);
        rows.iter().map(|row| Self::of(&names, &columns, &cells(row))).collect()
    }

    fn of(names: &[String], columns: &[Option<usize>], row: &[String]) -> Option<Self> {
        let cell = |column: usize| {
            let at = columns.iter().position(|known| *known == Some(column))?;
            row.get(at).filter(|words| !words.is_empty() && *words != NOTHING)
        };
        let id = cell(ID)?.parse().ok()?;
        let text = cell(TEXT).cloned().unwrap_or_default();
        let beginning = title_of(&unescaped(&text));
        let (title, text) = match cell(TITLE) {
            Some(title) => (title.clone(), text),
            None if beginning == unescaped(text.trim_end_matches(['.', '。'])) => {
                let title = text.trim_end_matches(['.', '。']).to_owned();
                (title.clone(), title)
            }
            None => (escaped(&beginning), text),
        };
        let criteria = cell(CRITERIA).map(|cell| cell.split("<br>").map(|one| one.trim().to_owned()).collect());
        let fact = |column: usize| {
            let at = columns.iter().position(|known| *known == Some(column))?;
            Some((names.get(at)?.clone(), cell(column)?.clone()))
        };
        let facts = [PRIORITY, CATEGORY, WAITS_FOR].into_iter().filter_map(fact).collect();
        Some(Self { id, title, text, criteria: criteria.unwrap_or_default(), facts })
    }
}
