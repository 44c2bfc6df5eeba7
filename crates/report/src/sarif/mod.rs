//! Writes SARIF 2.1.0, for code scanning and editors, result by result.

mod shape;
mod uri;

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;
use shape::{
    Artifact, Driver, Fingerprints, Invocation, Location, Message, Notification, PhysicalLocation, Region, ResultItem,
    Rule, Suppression,
};

use super::digest::{
    BELOW_THRESHOLD, Digest, GUARDRAIL_REJECTED, OTHER_LANGUAGE, STRUCTURING_FAILED, refused_as_a_whole, stopped_words,
};
use super::json::{ArrayStream, pretty};
use super::place::{Place, message, place, sentence};
use super::remarks::page_of_message;
use super::{InputError, Reporter, Summary};
use reqgate_base::clean::one_line;
use reqgate_base::model::{
    Disposition, LineIndex, Outcome, ReviewIssue, RuleCard, Severity, Verdict, Waiver, without_holes,
};
use reqgate_base::project;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes SARIF. Inputs that could not be read are collected until the end, because they belong to the invocation.
pub(super) struct SarifReporter<'a> {
    out: Box<dyn Write + 'a>,
    rule_indexes: HashMap<&'a str, usize>,
    results: ArrayStream,
    notifications: Vec<Notification>,
}

impl<'a> SarifReporter<'a> {
    /// Writes the head with all rules.
    pub(super) fn new(cards: &'a [RuleCard], mut out: Box<dyn Write + 'a>) -> io::Result<Self> {
        let mut rules: Vec<Rule> = cards.iter().map(rule).collect();
        let mut rule_indexes: HashMap<&str, usize> =
            cards.iter().enumerate().map(|(index, card)| (card.id.as_str(), index)).collect();
        for own in [
            own_rule(GUARDRAIL_REJECTED, "The guardrail stopped the run.", "Fix what the message names."),
            own_rule(
                STRUCTURING_FAILED,
                "No draft could be made from the text.",
                "Say who needs what and how a tester can see that it is done, or allow the fallback to the raw text.",
            ),
            own_rule(
                OTHER_LANGUAGE,
                "The text is in a language that is not judged.",
                "Write it in a language that the configuration names, or let `languages` report such texts.",
            ),
            own_rule(
                BELOW_THRESHOLD,
                "The score is below the threshold.",
                "Fix the warnings, starting with those that cost most points.",
            ),
        ] {
            rule_indexes.insert(own.id, rules.len());
            rules.push(own.rule);
        }
        let driver = Driver {
            name: "reqgate",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: project::ADDRESS,
            rules,
        };
        writeln!(out, "{{\n  \"$schema\": \"{SCHEMA}\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {{")?;
        writeln!(out, "      \"tool\": {},", pretty(&json!({ "driver": driver }), 3)?)?;
        writeln!(out, "      \"columnKind\": \"unicodeCodePoints\",")?;
        write!(out, "      \"results\": [")?;
        Ok(Self { out, rule_indexes, results: ArrayStream::new(4), notifications: Vec::new() })
    }

    fn result(&mut self, item: ResultItem) -> io::Result<()> {
        self.results.item(&mut self.out, &item)
    }

    fn issue(&mut self, ctx: &Context<'_>, issue: &ReviewIssue, waiver: Option<&Waiver>) -> io::Result<()> {
        let place = place(&ctx.outcome.input, issue.position);
        let item = ResultItem {
            rule_id: issue.rule_id.to_string(),
            rule_index: self.rule_indexes.get(issue.rule_id.as_str()).copied(),
            level: level(issue.severity),
            message: Message::new(&message(&place, ctx.outcome, issue)),
            locations: vec![location(&place, ctx.region(&place, issue))],
            partial_fingerprints: Some(Fingerprints {
                reqgate: issue.fingerprint.0.clone(),
                // GitHub reads only this fingerprint.
                primary_location_line_hash: issue.fingerprint.0.clone(),
            }),
            suppressions: suppression(ctx.outcome, issue, waiver).into_iter().collect(),
            properties: json!({ "category": issue.category.name(), "points": issue.points, "question": issue.question, "basis": issue.basis }),
        };
        self.result(item)
    }

    /// A result about an input as a whole.
    fn whole(&mut self, outcome: &Outcome, rule_id: &str, words: &str) -> io::Result<()> {
        let place = place(&outcome.input, None);
        let region = place.position.map(|position| Region::line(position.line));
        let item = ResultItem {
            rule_id: rule_id.to_owned(),
            rule_index: self.rule_indexes.get(rule_id).copied(),
            level: "error",
            message: Message::new(&one_line(&sentence(&place, outcome, words))),
            locations: vec![location(&place, region)],
            partial_fingerprints: None,
            suppressions: Vec::new(),
            properties: json!({ "verdict": outcome.decision.verdict.name() }),
        };
        self.result(item)
    }
}

impl Reporter for SarifReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        match outcome.decision.verdict {
            Verdict::NotApplicable => return Ok(()),
            Verdict::GuardrailRejected => {
                return self.whole(outcome, GUARDRAIL_REJECTED, &stopped_words(outcome));
            }
            Verdict::Pass | Verdict::Reject => {}
        }
        if let Some(id) = refused_as_a_whole(outcome) {
            self.whole(outcome, id, &outcome.decision.explanation)?;
        }
        let ctx = Context { outcome, index: LineIndex::new(&outcome.packet.raw_text) };
        let digest = Digest::new(outcome);
        for issue in digest.blockers.iter().chain(&digest.warnings) {
            self.issue(&ctx, issue, None)?;
        }
        digest.waived.iter().try_for_each(|(issue, waiver)| self.issue(&ctx, issue, Some(waiver)))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.notifications.push(Notification {
            level: "error",
            message: Message::new(&one_line(&error.message)),
            locations: vec![location(&place(&error.input, None), None)],
        });
        Ok(())
    }

    fn finish(&mut self, _summary: &Summary) -> io::Result<()> {
        self.results.end(&mut self.out)?;
        let notifications = std::mem::take(&mut self.notifications);
        let invocation =
            Invocation { execution_successful: notifications.is_empty(), tool_execution_notifications: notifications };
        writeln!(self.out, ",\n      \"invocations\": {}", pretty(&[invocation], 3)?)?;
        writeln!(self.out, "    }}\n  ]\n}}")?;
        self.out.flush()
    }
}

/// The reason why a finding does not count: its waiver, or the baseline that it was known to.
fn suppression(outcome: &Outcome, issue: &ReviewIssue, waiver: Option<&Waiver>) -> Option<Suppression> {
    let known = || issue.disposition.note(outcome.language).filter(|_| issue.disposition == Disposition::Baseline);
    let reason = waiver.map(|waiver| waiver.reason.clone()).or_else(known)?;
    Some(Suppression::new(&one_line(&reason)))
}

/// The parts of an outcome that locate its issues.
struct Context<'a> {
    outcome: &'a Outcome,
    index: LineIndex,
}

impl Context<'_> {
    fn region(&self, place: &Place<'_>, issue: &ReviewIssue) -> Option<Region> {
        let start = place.position?;
        let text = &self.outcome.packet.raw_text;
        match issue.span {
            Some(span) if !place.is_record && !span.is_empty() => {
                let end = self.index.position(text, span.end);
                Some(Region {
                    start_line: start.line,
                    start_column: Some(start.column),
                    end_line: Some(end.line),
                    end_column: Some(end.column),
                })
            }
            _ => Some(Region::line(start.line)),
        }
    }
}

fn location(place: &Place<'_>, region: Option<Region>) -> Location {
    Location {
        physical_location: PhysicalLocation { artifact_location: Artifact { uri: uri::of_file(place.file) }, region },
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Blocker => "error",
        Severity::Warning => "warning",
    }
}

fn rule(card: &RuleCard) -> Rule {
    let mut help = format!("{} {}", card.why, without_holes(&card.fix));
    // The headings do not say "before" and "after", because the good example is not a rewrite of the bad one.
    for (words, example) in [("Fires on", &card.bad_example), ("Does not fire on", &card.good_example)] {
        if let Some(example) = example {
            let indented: Vec<String> = example.trim_end().lines().map(|line| format!("    {line}")).collect();
            help.push_str(&format!("\n\n{words}:\n\n{}", indented.join("\n")));
        }
    }
    Rule {
        id: card.id.to_string(),
        help_uri: card.page.clone(),
        short_description: Message::new(&card.summary),
        full_description: Message::new(&card.why),
        help: Message::new(&help),
        default_configuration: json!({ "level": level(card.severity) }),
        properties: json!({
            "category": card.category.name(),
            "tags": ["requirements", card.category.name()],
            "question": without_holes(&card.question),
            "source": card.source,
        }),
    }
}

struct OwnRule {
    id: &'static str,
    rule: Rule,
}

/// The rule for a message of the gate itself.
fn own_rule(id: &'static str, summary: &str, fix: &str) -> OwnRule {
    let rule = Rule {
        id: id.to_owned(),
        help_uri: page_of_message(id),
        short_description: Message::new(summary),
        full_description: Message::new(summary),
        help: Message::new(fix),
        default_configuration: json!({ "level": "error" }),
        properties: json!({ "tags": ["requirements"] }),
    };
    OwnRule { id, rule }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReportOptions, samples};
    use reqgate_base::model::RuleId;

    fn sarif(outcomes: &[Outcome], errors: &[InputError]) -> serde_json::Value {
        let text = samples::render(Format::Sarif, ReportOptions::default(), outcomes, errors);
        serde_json::from_str(&text).expect("the report is JSON")
    }

    #[test]
    fn each_finding_is_a_result_with_its_rule_and_place() {
        let report = sarif(&samples::all(), &[samples::unreadable()]);
        let run = &report["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("there are rules");
        let results = run["results"].as_array().expect("there are results");
        assert_eq!(results.len(), 8 + 2 + 2 + 1 + 2 + 1 + 1);
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("every rule is listed") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
            assert!(uri.is_some_and(|uri| !uri.contains([' ', '<', '#'])), "{uri:?}");
        }
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn help_shows_examples_as_examples_and_no_holes() {
        let card = RuleCard {
            id: RuleId::new("open-list").expect("an id"),
            category: reqgate_base::model::Category::Ambiguity,
            severity: Severity::Warning,
            summary: "A list is open.".to_owned(),
            why: "Nobody can test it.".to_owned(),
            question: "What does “{term}” stand for?".to_owned(),
            fix: "Drop “{term}”.".to_owned(),
            source: None,
            bad_example: Some("Title\n\nName, date etc.".to_owned()),
            good_example: Some("Upgrade to 1.2.3.4".to_owned()),
            precision: None,
            page: None,
        };
        let rule = serde_json::to_value(rule(&card)).expect("it is data");
        assert_eq!(
            rule["help"]["text"],
            "Nobody can test it. Drop “…”.\n\nFires on:\n\n    Title\n    \n    Name, date etc.\n\nDoes not fire on:\n\n    Upgrade to 1.2.3.4"
        );
        assert_eq!(rule["properties"]["question"], "What does “…” stand for?");
        assert!(rule.get("helpUri").is_none(), "a rule of the user's own has no page");
    }

    #[test]
    fn waived_finding_is_suppressed() {
        let report = sarif(&[samples::waived()], &[]);
        let suppressions: Vec<_> = report["runs"][0]["results"]
            .as_array()
            .expect("there are results")
            .iter()
            .map(|result| result["suppressions"][0]["justification"].as_str())
            .collect();
        assert_eq!(suppressions, [None, Some("legal has agreed")]);
    }

    #[test]
    fn finding_of_a_baseline_is_suppressed() {
        let mut outcome = samples::passed();
        let report = outcome.score_report.as_mut().expect("the sample is scored");
        report.non_blocking_issues[0].disposition = Disposition::Baseline;
        let report = sarif(&[outcome], &[]);
        let suppression = &report["runs"][0]["results"][0]["suppressions"][0];
        assert_eq!((&suppression["kind"], &suppression["status"]), (&json!("external"), &json!("accepted")));
        assert!(
            suppression["justification"].as_str().is_some_and(|reason| reason.contains("baseline")),
            "{suppression}"
        );
    }

    #[test]
    fn every_rule_has_the_address_of_its_page() {
        let report = sarif(&[], &[]);
        let driver = &report["runs"][0]["tool"]["driver"];
        assert_eq!(driver["informationUri"], project::ADDRESS);
        for rule in driver["rules"].as_array().expect("there are rules") {
            assert!(rule["helpUri"].as_str().is_some_and(|page| page.starts_with(project::ADDRESS)), "{rule}");
        }
    }

    #[test]
    fn report_is_frozen() {
        let outcomes = [samples::rejected_zh(), samples::guardrail_rejected(), samples::hostile()];
        let text = samples::render(Format::Sarif, ReportOptions::default(), &outcomes, &[samples::unreadable()]);
        insta::assert_snapshot!("sarif", text.replacen(env!("CARGO_PKG_VERSION"), "[version]", 1));
    }

    #[test]
    fn report_without_findings_is_well_formed() {
        assert_eq!(sarif(&[], &[])["runs"][0]["results"], json!([]));
    }
}
