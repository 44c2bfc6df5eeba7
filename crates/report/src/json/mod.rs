//! Writes the JSON report, schema `reqgate/outcome/v1`, outcome by outcome.

mod convert;
mod stream;
pub mod v1;

use std::io::{self, Write};

use schemars::generate::SchemaSettings;

pub(super) use stream::{ArrayStream, pretty};

use super::{InputError, ReportOptions, Reporter, Summary};
use reqgate_base::model::Outcome;

/// The JSON Schema (2020-12) of the whole report.
pub fn outcome_schema() -> schemars::Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<v1::Report>()
}

/// The report on one outcome, as a value instead of a stream.
pub fn report(outcome: &Outcome) -> v1::Report {
    let mut summary = Summary::default();
    summary.add(outcome);
    v1::Report {
        schema: v1::SCHEMA,
        tool: v1::Tool { name: "reqgate", version: env!("CARGO_PKG_VERSION") },
        outcomes: vec![convert::outcome(outcome, convert::Shown { text: false, facets: false })],
        errors: Vec::new(),
        summary,
    }
}

/// Writes the JSON report. Errors are collected until the end, because they form a separate array.
pub(super) struct JsonReporter<'a> {
    out: Box<dyn Write + 'a>,
    shown: convert::Shown,
    outcomes: ArrayStream,
    errors: Vec<InputError>,
}

impl<'a> JsonReporter<'a> {
    pub(super) fn new(options: ReportOptions, mut out: Box<dyn Write + 'a>) -> io::Result<Self> {
        let tool = v1::Tool { name: "reqgate", version: env!("CARGO_PKG_VERSION") };
        writeln!(out, "{{\n  \"schema\": \"{}\",\n  \"tool\": {},", v1::SCHEMA, pretty(&tool, 1)?)?;
        write!(out, "  \"outcomes\": [")?;
        Ok(Self {
            out,
            shown: convert::Shown { text: options.include_text, facets: options.explain },
            outcomes: ArrayStream::new(2),
            errors: Vec::new(),
        })
    }
}

impl Reporter for JsonReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.outcomes.item(&mut self.out, &convert::outcome(outcome, self.shown))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.errors.push(error.clone());
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.outcomes.end(&mut self.out)?;
        writeln!(self.out, ",\n  \"errors\": {},", pretty(&self.errors, 1)?)?;
        writeln!(self.out, "  \"summary\": {}\n}}", pretty(summary, 1)?)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, samples};

    fn json(outcomes: &[Outcome], errors: &[InputError], include_text: bool) -> serde_json::Value {
        let options = ReportOptions { include_text, ..ReportOptions::default() };
        let text = samples::render(Format::Json, options, outcomes, errors);
        assert!(text.ends_with("}\n"));
        assert!(!text.chars().any(|c| c != '\n' && reqgate_base::clean::is_unsafe(c)), "{text:?}");
        serde_json::from_str(&text).expect("the report is JSON")
    }

    #[test]
    fn every_report_satisfies_its_schema() {
        let schema = serde_json::to_value(outcome_schema()).expect("a schema is JSON");
        let validator = jsonschema::validator_for(&schema).expect("the schema is well formed");
        for report in [
            json(&[], &[], false),
            json(&samples::all(), &[samples::unreadable()], false),
            json(&samples::all(), &[], true),
        ] {
            let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
        let mut broken = json(&samples::all(), &[], false);
        broken["outcomes"][0]["decision"]["verdict"] = "MAYBE".into();
        assert!(!validator.is_valid(&broken));
    }

    #[test]
    fn schema_is_frozen() {
        insta::assert_json_snapshot!("outcome_v1_schema", outcome_schema());
    }

    #[test]
    fn shape_of_a_rejection_is_frozen() {
        let text = samples::render(Format::Json, ReportOptions::default(), &[samples::rejected()], &[]);
        insta::assert_snapshot!("rejected_json", text.replacen(env!("CARGO_PKG_VERSION"), "[version]", 1));
    }

    #[test]
    fn text_is_in_the_report_only_on_request() {
        let report = json(&[samples::rejected()], &[], false);
        assert!(report["outcomes"][0]["packet"].get("raw_text").is_none());
        let report = json(&[samples::hostile()], &[], true);
        assert_eq!(report["outcomes"][0]["packet"]["raw_text"], samples::hostile().packet.raw_text.as_str());
    }

    #[test]
    fn draft_has_exactly_its_seven_fields() {
        let report = json(&[samples::rejected()], &[], false);
        let draft = report["outcomes"][0]["structured_prd"].as_object().expect("there is a draft");
        assert_eq!(draft.len(), 7);
    }

    #[test]
    fn number_that_is_none_does_not_break_the_report() {
        let mut outcome = samples::passed();
        outcome.score_report.as_mut().expect("the sample is scored").total_score = f64::NAN;
        assert_eq!(json(&[outcome], &[], false)["outcomes"][0]["score_report"]["total_score"], 0.0);
    }
}
