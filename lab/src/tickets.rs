//! Tasks about real tickets: the labels of careful readers, maintainers and teams, compared with the gate.

use serde_json::Value;

use super::measure::Evidence;
use super::observation::{Observed, Run};
use super::rows::Row;
use super::suite::Asks;
use reqgate_base::model::{Outcome, SourceType, TicketType, Verdict};
use reqgate_rules::{Measure, Seen};

/// The last class of every comparison: the gate has no answer, because it did not read the text.
const NONE: &str = "none";

/// The classes of a comparison.
pub(crate) fn classes(asks: Asks) -> &'static [&'static str] {
    match asks {
        Asks::Ready | Asks::Triage => &["PASS", "REJECT", "NOT_APPLICABLE", "GUARDRAIL_REJECTED"],
        Asks::Kind => &["feature", "bug", "task", "question", "discussion", NONE],
        Asks::Criteria => &["two or more", "fewer", NONE],
        Asks::Steps => &["there", "absent", NONE],
        Asks::Expected => &["stated", "implied", "absent", NONE],
        Asks::Environment => &["stated", "not-needed", "absent", NONE],
    }
}

/// Compares the label of the readers with the answer of the gate; empty if the readers disagree or were not asked.
pub(crate) fn compared(run: &Run<'_>, row: &Row, readers: &str, asks: Asks) -> Result<Observed, String> {
    let readers = row.objects(readers)?;
    let Some(label) = agreed(&readers, |reader| said(reader, asks)) else { return Ok(Observed::default()) };
    if let Asks::Ready | Asks::Triage = asks {
        let verdict = match label.as_str() {
            "PASS" => Verdict::Pass,
            "REJECT" => Verdict::Reject,
            "NA" => Verdict::NotApplicable,
            other => return Err(format!("`{other}` is not a verdict: use PASS, REJECT or NA")),
        };
        let clear = readers.iter().all(|reader| reader.text("confidence") == Ok("clear"));
        return judged(run, row, verdict, clear);
    }
    let stated = match asks {
        Asks::Kind => None,
        Asks::Criteria => Some(TicketType::Feature),
        _ => Some(TicketType::Bug),
    };
    let outcome = run.engine.judge(&row.id, &run.text(row)?, stated).ok();
    let given = outcome.as_ref().and_then(|outcome| found(run, outcome, asks)).unwrap_or(NONE);
    let label = run.class_index(&label).ok_or_else(|| format!("`{label}` is not a valid label here"))?;
    let given = run.class_index(given).unwrap_or(run.classes.len().saturating_sub(1));
    Ok(run.one(row, Evidence::Class { label, given }))
}

/// The common label, if all readers agree.
fn agreed(readers: &[Row], said: impl Fn(&Row) -> Option<String>) -> Option<String> {
    let (first, others) = readers.split_first()?;
    let first = said(first)?;
    others.iter().all(|other| said(other).as_ref() == Some(&first)).then_some(first)
}

/// The label of one reader as a class; `None` if the reader was not asked.
fn said(reader: &Row, asks: Asks) -> Option<String> {
    let word = |field: &str| reader.value(field).and_then(Value::as_str).map(str::to_owned);
    let word = match asks {
        Asks::Ready => word("ready")?,
        Asks::Triage => word("triage")?,
        Asks::Expected => word("expected")?,
        Asks::Environment => word("environment")?,
        // A document that asks for features counts as a feature.
        Asks::Kind => word("kind").map(|kind| if kind == "prd" { "feature".to_owned() } else { kind })?,
        Asks::Criteria => {
            let enough = reader.value("criteria").and_then(Value::as_u64)? >= 2;
            (if enough { "two or more" } else { "fewer" }).to_owned()
        }
        Asks::Steps => word("steps").map(|steps| if steps == "absent" { steps } else { "there".to_owned() })?,
    };
    Some(word)
}

/// The answer of the gate; `None` if it has none.
fn found(run: &Run<'_>, outcome: &Outcome, asks: Asks) -> Option<&'static str> {
    if asks == Asks::Kind {
        return Some(kind(outcome));
    }
    let facets = &outcome.structured.as_ref()?.facets;
    let likely = |facet: &str| facets.evidence_of(facet).map(reqgate_base::model::FacetEvidence::is_likely);
    let first = |first: &str, word: &'static str, second: &str, other: &'static str| {
        Some(match (likely(first)?, likely(second)?) {
            (true, _) => word,
            (false, true) => other,
            _ => "absent",
        })
    };
    match asks {
        Asks::Criteria => Some(match facets.evidence_of("criteria") {
            Some(evidence) if two_criteria(run, evidence) => "two or more",
            None if facets.criteria.len() >= 2 => "two or more",
            _ => "fewer",
        }),
        Asks::Steps => Some(if likely("steps")? { "there" } else { "absent" }),
        Asks::Expected => first("expected-stated", "stated", "expected-implied", "implied"),
        Asks::Environment => first("environment-stated", "stated", "environment-not-needed", "not-needed"),
        Asks::Kind | Asks::Ready | Asks::Triage => None,
    }
}

/// Returns true if two checkable statements were counted.
fn two_criteria(run: &Run<'_>, evidence: &reqgate_base::model::FacetEvidence) -> bool {
    let facets = &run.engine.pipeline.book.facets;
    let signs = facets.iter().filter(|facet| facet.file.id == evidence.facet).flat_map(|facet| &facet.file.signs);
    let mut counting = signs.filter(|sign| matches!(sign.seen, Seen::Measure(Measure::TwoCriteria)));
    counting.any(|sign| evidence.signs.iter().any(|seen| seen.id == sign.id))
}

fn kind(outcome: &Outcome) -> &'static str {
    if outcome.packet.source_type.value == SourceType::PrdDoc {
        return "feature";
    }
    match outcome.packet.ticket_type.value {
        TicketType::Feature => "feature",
        TicketType::Bug => "bug",
        TicketType::Task => "task",
        TicketType::Question => "question",
        TicketType::Discussion => "discussion",
        TicketType::FeaturePart => "part",
    }
}

/// Compares whether the author was asked back with the verdict; a ready ticket needs no question.
pub(crate) fn asked_back(run: &Run<'_>, row: &Row, field: &str) -> Result<Observed, String> {
    match row.text(field)? {
        "no" => judged(run, row, Verdict::Pass, false),
        "yes" => judged(run, row, Verdict::Reject, false),
        _ => Ok(Observed::default()),
    }
}

/// The verdict of the gate on a ticket for which people gave the right one.
pub(crate) fn judged(run: &Run<'_>, row: &Row, label: Verdict, clear: bool) -> Result<Observed, String> {
    // The guardrail stops an invalid input.
    let outcome = run.engine.judge(&row.id, &run.text(row)?, None).ok();
    let evidence = Evidence::Judged {
        label,
        given: outcome.as_ref().map_or(Verdict::GuardrailRejected, |outcome| outcome.decision.verdict),
        clear,
        score: outcome.as_ref().and_then(|outcome| Some(outcome.score_report.as_ref()?.total_score)),
        certainty: outcome.as_ref().and_then(|outcome| {
            let ready = outcome.decision.certainty?;
            Some(if outcome.decision.verdict == Verdict::Reject { 1.0 - ready } else { ready })
        }),
    };
    Ok(run.one(row, evidence))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reader(fields: &Value) -> Row {
        Row { id: "r".to_owned(), fields: fields.as_object().expect("an object").clone() }
    }

    #[test]
    fn readers_count_where_they_agree_and_were_asked() {
        let rows = |values: &[Value]| values.iter().map(reader).collect::<Vec<_>>();
        let label = |values: &[Value], asks| agreed(&rows(values), |reader| said(reader, asks));
        let two = [
            json!({"ready": "PASS", "criteria": 3, "kind": "prd"}),
            json!({"ready": "PASS", "criteria": 2, "kind": "feature"}),
        ];
        assert_eq!(label(&two, Asks::Ready).as_deref(), Some("PASS"));
        assert_eq!(label(&two, Asks::Criteria).as_deref(), Some("two or more"));
        assert_eq!(label(&two, Asks::Kind).as_deref(), Some("feature"));
        assert_eq!(label(&two, Asks::Steps), None);
        assert_eq!(label(&[json!({"steps": "trivial"})], Asks::Steps).as_deref(), Some("there"));
        assert_eq!(label(&[json!({"criteria": 1}), json!({"criteria": 2})], Asks::Criteria), None);
        assert_eq!(label(&[], Asks::Ready), None);
    }
}
