//! Measures the clarity and feasibility of a PRD by its form, as shares of its records.

use std::collections::BTreeSet;

use super::document::Document;
use super::evidence;
use super::finding::FindingCode;
use super::form::{MILESTONES, RISKS, checked, is_of_risks};
use super::records::{self, Record, Table};
use reqgate_text::words::prd_sections as sections;

/// The numbers of the lines with metrics without a target figure and qualities without a measurable degree, from 1.
pub fn lines_without_a_bound(document: &Document<'_>) -> BTreeSet<u32> {
    let is_bound = |code| matches!(code, FindingCode::MetricWithoutTarget | FindingCode::QualityWithoutFigure);
    let found = checked(document).0.into_iter().filter(|found| is_bound(found.code));
    found.flat_map(|found| found.names.into_iter().map(|(_, line)| line)).collect()
}

/// The feasibility of a PRD by its form, 0 to 100: the mean of the share of risks with an owner and a mitigation, the
/// share of milestones with a date, and the presence of dependencies. A missing part counts 0; a part whose layout is
/// not understood counts as complete, so that doubts favour the document.
pub fn feasibility(document: &Document<'_>) -> f64 {
    let risks = records::of(document, RISKS);
    let of_risks = |table: &&Table| is_of_risks(table);
    let risks = share(risks.tables.iter().filter(of_risks), document.is_about(sections::RISKS), |one, table| {
        evidence::has_owner(one, table) && evidence::has_mitigation(one, table)
    });
    let milestones = records::of(document, MILESTONES);
    let is_dated = |one: &Record, table: &Table| evidence::has_date(one, table);
    let has_dates = |table: &&Table| table.records.iter().any(|one| is_dated(one, table));
    let with_dates = milestones.tables.iter().filter(has_dates);
    let is_planned = !checked(document).0.iter().any(|found| found.code == FindingCode::MissingTimeline);
    // If another plan has the dates, a list without dates is not one of milestones.
    let milestones = match milestones.tables.iter().any(|table| has_dates(&table)) {
        true => share(with_dates, is_planned, is_dated),
        false => share(milestones.tables.iter(), is_planned, is_dated),
    };
    let dependencies = f64::from(u8::from(document.is_about(sections::DEPENDENCIES)));
    (risks + milestones + dependencies) / 3.0 * 100.0
}

/// The share of good records; without records, 1 if the part exists, otherwise 0.
fn share<'t>(
    tables: impl Iterator<Item = &'t Table>,
    is_there: bool,
    is_good: impl Fn(&Record, &Table) -> bool,
) -> f64 {
    let (mut good, mut all) = (0_u32, 0_u32);
    for table in tables {
        all += u32::try_from(table.records.len()).unwrap_or(u32::MAX);
        good += table.records.iter().map(|one| u32::from(is_good(one, table))).sum::<u32>();
    }
    if all == 0 { f64::from(u8::from(is_there)) } else { f64::from(good) / f64::from(all) }
}
