//! Updates the traceability table in the text of a PRD from its tables of requirements, which a person may have edited.

use super::{NOTHING, headings};
use crate::RequirementId;
use crate::prd_document::PrdDocument;
use crate::prd_input::TraceabilityRow;
use reqgate_docs::table::{self, cells};

/// Returns the text with the criteria of the data in its traceability table: a row for each requirement, with the ids
/// of its criteria. Sources are unchanged. Without such a table, or with one in another form, the text is unchanged.
pub fn traces_in_line(text: &str, data: &PrdDocument) -> String {
    let words = headings::both();
    let lines: Vec<&str> = text.split('\n').collect();
    let is_heading = |line: &&str| words.iter().any(|own| **line == format!("## {}", own.traces));
    let Some(heading) = lines.iter().position(|line| is_heading(&line.trim_end())) else { return text.to_owned() };
    let is_row = |line: &&&str| line.starts_with('|');
    let Some(head) = (heading..lines.len()).find(|at| is_row(&&lines[*at])) else { return text.to_owned() };
    let is_ours = words.iter().any(|own| cells(lines[head]) == own.trace_columns);
    let first = head + 2;
    let count = lines.get(first..).unwrap_or_default().iter().take_while(is_row).count();
    if !is_ours {
        return text.to_owned();
    }
    let known: Vec<(RequirementId, &str)> = lines[first..first + count]
        .iter()
        .filter_map(|line| Some((cells(line).first()?.parse().ok()?, *line)))
        .collect();
    if known.len() != count {
        return text.to_owned();
    }
    let row = |traced: &TraceabilityRow| {
        let before = known.iter().find(|(id, _)| *id == traced.requirement_id).map(|(_, line)| cells(line));
        let ids = traced.criterion_ids.join(", ");
        let ids = if ids.is_empty() { NOTHING.to_owned() } else { ids };
        let source = before.and_then(|cells| cells.get(2).cloned()).unwrap_or_else(|| NOTHING.to_owned());
        table::row([traced.requirement_id.to_string().as_str(), &ids, &source])
    };
    let rows: Vec<String> = data.traceability_table_rows.iter().map(row).collect();
    let rest = &lines[first + count..];
    let all = lines[..first].iter().copied().chain(rows.iter().map(String::as_str)).chain(rest.iter().copied());
    all.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prd_document::prd_document;
    use crate::prd_text::followed;
    use crate::prd_text::tests::with_input;

    #[test]
    fn a_criterion_that_somebody_adds_to_the_text_has_its_id_in_both() {
        with_input(|input, text| {
            let data = prd_document(input);
            assert_eq!(traces_in_line(text, &data), text, "nothing was edited");
            let row = text.lines().find(|line| line.starts_with("| FR-001 | ")).expect("its row");
            let mut parts = cells(row);
            parts[2] = "It is sent.<br>It names the reader.".to_owned();
            let edited = text.replacen(row, &table::row(parts.iter().map(String::as_str)), 1);
            let data = followed(data, &edited);
            assert_eq!(data.traceability_table_rows[0].criterion_ids, ["FR-001.1", "FR-001.2"]);
            let now = traces_in_line(&edited, &data);
            assert!(now.contains("| FR-001 | FR-001.1, FR-001.2 | "), "{now}");
            assert_eq!(traces_in_line(&now, &data), now);
        });
    }
}
