//! Writes the diagnostic format of reviewdog, which turns findings into comments of a review.
//!
//! Its columns count the bytes of UTF-8 from 1, and the end of a range is one past its last byte.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::json::{ArrayStream, pretty};
use super::remarks::{Level, Remark, page_of_message, remarks_with_verdict};
use super::{InputError, Reporter, Summary};
use reqgate_base::model::{LineIndex, Outcome, Rewrite, RuleCard, Span};
use reqgate_base::project;

/// The blank in a rewrite, which only the author can fill in.
const BLANK: &str = "____";

/// Writes the report diagnostic by diagnostic.
pub(super) struct RdjsonReporter<'a> {
    out: Box<dyn Write + 'a>,
    /// The pages of the rules.
    pages: HashMap<&'a str, &'a str>,
    diagnostics: ArrayStream,
    /// The most serious level so far.
    worst: Option<Level>,
}

#[derive(Debug, Serialize)]
struct Diagnostic<'r> {
    message: String,
    location: Location<'r>,
    severity: &'static str,
    code: Code<'r>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion<'r>>,
}

#[derive(Debug, Serialize)]
struct Location<'r> {
    path: &'r str,
    /// Absent for a diagnostic about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Debug, Serialize)]
struct Range {
    start: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    line: usize,
    /// Absent for a whole line.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Code<'r> {
    value: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Debug, Serialize)]
struct Suggestion<'r> {
    range: Range,
    text: &'r str,
}

impl<'a> RdjsonReporter<'a> {
    pub(super) fn new(cards: &'a [RuleCard], mut out: Box<dyn Write + 'a>) -> io::Result<Self> {
        let source = json!({ "name": "reqgate", "url": project::ADDRESS });
        write!(out, "{{\n  \"source\": {},\n  \"diagnostics\": [", pretty(&source, 1)?)?;
        let page = |card: &'a RuleCard| Some((card.id.as_str(), card.page.as_deref()?));
        let pages = cards.iter().filter_map(page).collect();
        Ok(Self { out, pages, diagnostics: ArrayStream::new(2), worst: None })
    }

    /// Writes a remark on a text, and takes the rewrites of its words.
    fn diagnostic<'o>(
        &mut self,
        remark: &Remark<'_>,
        text: Option<(&Text<'o>, &mut Vec<&'o Rewrite>)>,
    ) -> io::Result<()> {
        self.worst = self.worst.max(Some(remark.level));
        let line = remark.place.position.map(|position| Range { start: Point::line(position.line), end: None });
        let span = remark.issue.filter(|_| !remark.place.is_record).and_then(|issue| issue.span);
        let (range, suggestions) = match text.zip(span) {
            Some(((text, rewrites), span)) => (Some(text.range(span)), text.suggestions(span, rewrites)),
            None => (line, Vec::new()),
        };
        let page = || self.pages.get(remark.id).map(|page| (*page).to_owned());
        let diagnostic = Diagnostic {
            message: remark.words(),
            location: Location { path: remark.place.file, range },
            severity: severity(remark.level),
            code: Code { value: remark.id, url: page_of_message(remark.id).or_else(page) },
            suggestions,
        };
        self.diagnostics.item(&mut self.out, &diagnostic)
    }
}

impl Reporter for RdjsonReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = Text { outcome, index: LineIndex::new(&outcome.packet.raw_text) };
        let mut rewrites = text.usable_rewrites();
        remarks_with_verdict(outcome)
            .iter()
            .try_for_each(|remark| self.diagnostic(remark, Some((&text, &mut rewrites))))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.diagnostic(&Remark::unreadable(error), None)
    }

    fn finish(&mut self, _summary: &Summary) -> io::Result<()> {
        self.diagnostics.end(&mut self.out)?;
        let severity = severity(self.worst.unwrap_or(Level::Question));
        writeln!(self.out, ",\n  \"severity\": \"{severity}\"\n}}")?;
        self.out.flush()
    }
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Blocker | Level::Error => "ERROR",
        Level::Warning => "WARNING",
        Level::Question => "INFO",
    }
}

impl Point {
    fn line(line: usize) -> Self {
        Self { line, column: None }
    }
}

/// The text of an outcome with its lines.
struct Text<'o> {
    outcome: &'o Outcome,
    index: LineIndex,
}

impl<'o> Text<'o> {
    fn range(&self, span: Span) -> Range {
        let end = (!span.is_empty()).then(|| self.point(span.end));
        Range { start: self.point(span.start), end }
    }

    fn point(&self, offset: usize) -> Point {
        let text = &self.outcome.packet.raw_text;
        let line = self.index.position(text, offset).line;
        Point { line, column: Some(offset - self.index.line_span(text, line).start + 1) }
    }

    /// The rewrites of the model that can be taken as they are: without blanks, and without a masked value in the words that they replace.
    fn usable_rewrites(&self) -> Vec<&'o Rewrite> {
        let masked = |span: Span| {
            let mut findings = self.outcome.guardrail.findings.iter().filter_map(|finding| finding.span);
            findings.any(|masked| masked.overlaps(span))
        };
        let rewrites = self.outcome.model.iter().flat_map(|model| &model.rewrites);
        rewrites.filter(|rewrite| !rewrite.words.contains(BLANK) && !masked(rewrite.span)).collect()
    }

    /// Takes the rewrites that change words of a span: each belongs to the first finding about its sentence.
    fn suggestions(&self, span: Span, rewrites: &mut Vec<&'o Rewrite>) -> Vec<Suggestion<'o>> {
        let own = rewrites.extract_if(.., |rewrite| rewrite.span.overlaps(span));
        own.map(|rewrite| Suggestion { range: self.range(rewrite.span), text: &rewrite.words }).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{Format, ReportOptions, samples};

    fn rdjson(outcomes: &[Outcome], errors: &[InputError]) -> Value {
        let text = samples::render(Format::Rdjson, ReportOptions::default(), outcomes, errors);
        serde_json::from_str(&text).expect("the report is JSON")
    }

    #[test]
    fn report_is_frozen() {
        let outcomes = [samples::asked(), samples::rejected_zh(), samples::guardrail_rejected(), samples::hostile()];
        let text = samples::render(Format::Rdjson, ReportOptions::default(), &outcomes, &[samples::unreadable()]);
        insta::assert_snapshot!("rdjson", text.replace(project::ADDRESS, "[address]"));
    }

    #[test]
    fn report_without_findings_is_well_formed() {
        assert_eq!(rdjson(&[], &[])["diagnostics"], json!([]));
        assert_eq!(rdjson(&[samples::passed()], &[])["severity"], "WARNING");
        assert_eq!(rdjson(&[samples::passed(), samples::rejected()], &[])["severity"], "ERROR");
    }

    /// Cuts the quoted words out of the text by line and byte, as reviewdog does.
    #[test]
    fn columns_count_bytes() {
        for text in ["# 标题😀\r\n\r\n导出😀要快，TBD。\r\n", "要快", "é\n\u{1F468}\u{200D}\u{1F469} 要快\n"]
        {
            for words in ["要快", "要", "快"] {
                let Some(start) = text.find(words) else { continue };
                let outcome = samples::rejected();
                let span = Span::new(start, start + words.len());
                let mut outcome = Outcome { input: "a.md".to_owned(), ..outcome };
                outcome.packet.raw_text = text.to_owned();
                outcome.structured = None;
                let issue = &mut outcome.score_report.as_mut().expect("the sample is scored").blocking_issues[1];
                issue.span = Some(span);
                issue.position = Some(LineIndex::new(text).position(text, start));
                let report = rdjson(&[outcome], &[]);
                let diagnostics = report["diagnostics"].as_array().expect("there are diagnostics");
                let range = &diagnostics[2]["location"]["range"];
                let at = |point: &str, key: &str| range[point][key].as_u64().expect("a number") as usize;
                let line = text.split('\n').nth(at("start", "line") - 1).expect("the line exists");
                assert_eq!(line.get(at("start", "column") - 1..at("end", "column") - 1), Some(words), "{range}");
            }
        }
    }

    #[test]
    fn rewrite_that_can_be_taken_as_it_is_becomes_a_suggestion() {
        let mut outcome = samples::rejected();
        outcome.model = Some(samples::model_that_was_asked());
        let report = outcome.score_report.as_ref().expect("the sample is scored");
        let span = report.blocking_issues[1].span.expect("it has words");
        let texts = |outcome: &Outcome| -> Vec<Value> {
            let report = rdjson(std::slice::from_ref(outcome), &[]);
            let diagnostics = report["diagnostics"].as_array().expect("there are diagnostics").clone();
            diagnostics.iter().filter_map(|one| one.get("suggestions")).map(|all| all[0]["text"].clone()).collect()
        };
        for (words, expected) in [("It must work for 500 lines.", 1), ("It must work for ____ lines.", 0)] {
            let model = outcome.model.as_mut().expect("it was just set");
            model.rewrites = vec![Rewrite { span, words: words.to_owned() }];
            assert_eq!(texts(&outcome), vec![json!(words); expected]);
        }
        let model = outcome.model.as_mut().expect("it was just set");
        let masked = outcome.guardrail.findings[0].span.expect("it has a place");
        model.rewrites = vec![Rewrite { span: Span::new(span.start, masked.end), words: "Contact Ana.".to_owned() }];
        assert_eq!(texts(&outcome), Vec::<Value>::new());
    }
}
