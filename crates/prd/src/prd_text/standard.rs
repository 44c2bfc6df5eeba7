//! Converts a PRD of the workflow to the standard sections of PRDs, so that its export has each part in its field.

use super::data::{self, Kind, kind};
use super::headings;
use super::{CATEGORY, CRITERIA, NOTHING, PRIORITY, TEXT, TITLE};
use crate::RequirementId;
use crate::brief::BriefSection;
use crate::requirements::title_of;
use reqgate_base::model::Language;
use reqgate_docs::lines::LineKind;
use reqgate_docs::table::cells;
use reqgate_docs::{Outline, front_matter, unescaped, write};
use reqgate_text::language::language_of;

/// Returns the document with the sections of the brief at the top level, and an entry for each user, metric and
/// requirement; `None` for a text that is not a PRD of the workflow.
pub fn in_standard_layout(text: &str) -> Option<String> {
    let outline = outline_of_ours(text)?;
    let language = language_of(text);
    let (mut out, mut in_brief, mut at, mut columns) = (Vec::new(), false, Kind::Other, Vec::new());
    for (line, heading) in outline.lines() {
        match heading.map(|heading| (heading.level, heading.words)) {
            Some((2, name)) => {
                (in_brief, at) = (is_brief(name), kind(name, 2));
                columns.clear();
                if in_brief {
                    continue;
                }
            }
            Some((3, name)) if in_brief => {
                at = kind(name, 3);
                out.push(write::heading(2, name));
                continue;
            }
            _ => {}
        }
        let whole = text[line.start..line.end].trim_end_matches(['\r', '\n']);
        match (at, whole.strip_prefix("- ")) {
            _ if line.kind == LineKind::Code => out.push(whole.to_owned()),
            (Kind::Brief(BriefSection::Users), Some(user)) => out.push(named("Persona", user)),
            (Kind::Brief(BriefSection::SuccessMeasures), Some(metric)) => out.push(named("Metric", metric)),
            (Kind::Functional | Kind::Quality, _) if whole.starts_with('|') => {
                let row = cells(whole);
                match row.first().and_then(|id| id.parse::<RequirementId>().ok()) {
                    Some(id) => out.push(entry(&id, &columns, &row, language)),
                    // The line below the column names has no id.
                    None if columns.is_empty() => columns = data::columns(&row),
                    None => {}
                }
            }
            _ => out.push(whole.to_owned()),
        }
    }
    Some(out.join("\n") + "\n")
}

/// A heading of an entry with its kind or id before it, and the empty line below.
fn named(label: &str, words: &str) -> String {
    write::heading(3, &format!("{label}: {words}")) + "\n"
}

/// Returns the document with empty lines in place of its brief, whose rules are not requirements themselves, and of its
/// status, whose table names requirements; `None` for a text that is not a PRD of the workflow.
pub fn without_brief(text: &str) -> Option<String> {
    let outline = outline_of_ours(text)?;
    let mut is_left_out = false;
    let kept = outline.lines().map(|(line, heading)| {
        if let Some(heading) = heading.filter(|heading| heading.level == 2) {
            is_left_out = is_brief(heading.words) || is_status(heading.words);
        }
        let whole = text[line.start..line.end].trim_end_matches(['\r', '\n']);
        if is_left_out { "\n".to_owned() } else { format!("{whole}\n") }
    });
    Some(kept.collect())
}

/// The outline of a text that begins as the workflow begins its documents, and has a brief.
fn outline_of_ours(text: &str) -> Option<Outline<'_>> {
    let front = front_matter::block(text)?.slice(text);
    let outline = front.lines().any(|line| line.starts_with("feature_id:")).then(|| Outline::of(text))?;
    let has_brief = outline.headings().iter().any(|heading| heading.level == 2 && is_brief(heading.words));
    has_brief.then_some(outline)
}

/// Returns true for the heading of the status.
fn is_status(heading: &str) -> bool {
    headings::both().map(|words| words.status).contains(&heading)
}

/// Returns true for the heading of the brief.
fn is_brief(heading: &str) -> bool {
    headings::both().map(|words| words.brief).contains(&heading)
}

/// The entry for a requirement of a table, with a heading.
fn entry(id: &RequirementId, columns: &[Option<usize>], row: &[String], language: Language) -> String {
    let of = |at: usize| {
        let cell = columns.iter().position(|column| *column == Some(at)).and_then(|column| row.get(column))?;
        Some(cell.as_str()).filter(|words| !words.is_empty() && *words != NOTHING)
    };
    let requirement = of(TEXT).unwrap_or_default();
    let title = of(TITLE).map_or_else(|| title_of(&unescaped(requirement)), str::to_owned);
    let mut out = format!("{}\n{requirement}\n", named(&id.to_string(), &title));
    for (label, value) in
        [(language.of("Priority", "优先级"), of(PRIORITY)), (language.of("Category", "类别"), of(CATEGORY))]
    {
        if let Some(value) = value.filter(|_| !id.is_quality()) {
            out.push_str(&format!("\n- {label}: {value}"));
        }
    }
    let criteria: Vec<&str> = of(CRITERIA).into_iter().flat_map(|cell| cell.split("<br>")).map(str::trim).collect();
    if !criteria.is_empty() {
        let label = language.of("Acceptance criteria", "验收标准");
        out.push_str(&format!("\n- {label}:\n  - {}", criteria.join("\n  - ")));
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prd_text::tests::with_input;
    use crate::team::document::parse;

    #[test]
    fn a_prd_of_the_workflow_has_every_part_in_its_field() {
        with_input(|input, text| {
            let laid_out = in_standard_layout(text).expect("it is one of ours");
            let read = parse(&laid_out).unwrap_or_else(|faults| panic!("{faults:?}\n{laid_out}"));
            let ids: Vec<String> = read.functional_requirements.iter().map(|one| one.id.to_string()).collect();
            let own = input.included().filter(|(one, _)| !one.id.is_quality()).map(|(one, _)| one.id.to_string());
            assert_eq!(ids, own.collect::<Vec<_>>(), "{laid_out}");
            assert_eq!(read.target_users.len(), input.brief.users.len(), "{laid_out}");
            assert_eq!(read.success_metrics.len(), input.brief.success_measures.len(), "{laid_out}");
            assert_eq!(in_standard_layout("# PRD: Cards\n\n## Feature brief\n"), None);
            let rest = without_brief(text).expect("it is one of ours");
            assert!(rest.contains("| FR-001 |") && !rest.contains("### "), "{rest}");
            assert_eq!(rest.lines().count(), text.lines().count(), "every line keeps its number");
        });
    }
}
