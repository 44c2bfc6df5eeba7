//! How clear and how feasible a PRD is by its form, for measurements: shares of what it lists.

use std::collections::BTreeSet;

use super::document::Document;
use super::evidence::{self, Said};
use super::finding::FindingCode;
use super::form::{MILESTONES, RISKS, checked, is_of_risks};
use super::records::{self, Record, Table};
use reqgate_text::words::prd_sections as sections;

/// The lines of the metrics without a target figure and of the qualities that demand a degree without one, from 1.
pub fn lines_without_a_bound(document: &Document<'_>) -> BTreeSet<u32> {
    let is_bound = |code| matches!(code, FindingCode::MetricWithoutTarget | FindingCode::QualityWithoutFigure);
    let found = checked(document).0.into_iter().filter(|found| is_bound(found.code));
    found.flat_map(|found| found.names.into_iter().map(|(_, line)| line)).collect()
}

/// How feasible a PRD is by its form, 0 to 100: the mean of the share of its risks with an owner and a mitigation, the share of its
/// milestones with a date, and whether it names what it depends on. A part that is missing counts 0, one whose layout is not
/// understood counts as complete: every doubt is for the document.
pub fn feasibility(document: &Document<'_>) -> f64 {
    let risks = records::of(document, RISKS);
    let of_risks = |table: &&Table| is_of_risks(table);
    let risks = share(risks.tables.iter().filter(of_risks), document.is_about(sections::RISKS), |one, table| {
        evidence::owner(one, table) != Said::No && evidence::mitigation(one, table) != Said::No
    });
    let milestones = records::of(document, MILESTONES);
    let is_dated = |one: &Record, table: &Table| evidence::date(one, table) != Said::No;
    let has_dates = |table: &&Table| table.records.iter().any(|one| is_dated(one, table));
    let with_dates = milestones.tables.iter().filter(has_dates);
    let is_planned = !checked(document).0.iter().any(|found| found.code == FindingCode::MissingTimeline);
    // Where another plan has the dates, a list without any says something else about the milestones.
    let milestones = match milestones.tables.iter().any(|table| has_dates(&table)) {
        true => share(with_dates, is_planned, is_dated),
        false => share(milestones.tables.iter(), is_planned, is_dated),
    };
    let dependencies = f64::from(u8::from(document.is_about(sections::DEPENDENCIES)));
    (risks + milestones + dependencies) / 3.0 * 100.0
}

/// The share of the records that are good; where there are none, whether the part is there.
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
