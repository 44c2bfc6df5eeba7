//! Writes the report for a person at a terminal: the verdict first, then the changes that lead to a pass.
//!
//! A ticket that passes takes one line. The details of a rejection show the author which changes make the ticket pass.

mod blocker;
mod layout;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
pub use layout::wrapped;
pub use layout::{Layout, Row, bar};
use reqgate_messages as messages;
use unicode_width::UnicodeWidthStr;

use super::digest::{
    Digest, demotion, guardrail_sentences, open_questions, packet_words, path_beyond_blockers, penalty_words,
    policy_words, questions, raw_text_words, rubric_words, score_words, secrets, stopped_for_length,
};
use super::found::{explanation, found};
use super::model_review::{explained, model_words, rewrites};
use super::ticket_name::ticket_name;
use super::words::{dimension_name, path_title, verdict_name};
use super::{InputError, ReportOptions, Reporter, Summary};
use crate::points;
use reqgate_base::clean::one_line;
use reqgate_base::model::{
    BlockReason, Language, LineIndex, Outcome, PathToPass, ReviewIssue, TicketScoreReport, Verdict,
};

/// The number of warnings shown unless all are requested.
const SHOWN_WARNINGS: usize = 5;
/// The number of warnings shown with a pass.
const SHOWN_WITH_PASS: usize = 3;
/// The number of blockers shown unless all are requested.
const SHOWN_BLOCKERS: usize = 10;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// Writes the report for a terminal.
pub(super) struct HumanReporter<'a> {
    out: Box<dyn Write + 'a>,
    options: ReportOptions,
    layout: Layout,
    after_details: bool,
    /// No input has been shown yet.
    is_empty: bool,
}

impl<'a> HumanReporter<'a> {
    pub(super) fn new(options: ReportOptions, out: Box<dyn Write + 'a>) -> Self {
        let layout = Layout { colour: options.colour, width: options.width.max(40) };
        Self { out, options, layout, after_details: false, is_empty: true }
    }

    /// Writes the line with the verdict on an input.
    fn headline(&mut self, style: Style, verdict: &str, input: &str, words: &str) -> io::Result<()> {
        let (input, words) = (one_line(input), one_line(words));
        let is_long = self.options.breaks_verdicts
            && format!("{verdict}  {input}  {words}").trim_end().width() > self.layout.width;
        let verdict = self.layout.painted(style, verdict);
        let input = self.layout.painted(BOLD, &input);
        if is_long && !words.trim().is_empty() {
            writeln!(self.out, "{verdict}  {input}")?;
            return self.rows(&[Row::text(words.trim())]);
        }
        writeln!(self.out, "{}", format!("{verdict}  {input}  {words}").trim_end())
    }

    /// Writes an empty line after the details of an input.
    fn gap(&mut self) -> io::Result<()> {
        self.is_empty = false;
        if std::mem::take(&mut self.after_details) { writeln!(self.out) } else { Ok(()) }
    }

    fn section(&mut self, title: &str) -> io::Result<()> {
        writeln!(self.out, "\n  {}", self.layout.painted(BOLD, title))
    }

    fn rows(&mut self, rows: &[Row<'_>]) -> io::Result<()> {
        rows.iter().try_for_each(|row| write!(self.out, "{}", self.layout.row(row)))
    }

    /// Writes the address of the ticket, if its source has one.
    fn address(&mut self, outcome: &Outcome) -> io::Result<()> {
        outcome.packet.url.as_ref().map_or(Ok(()), |url| self.rows(&[Row::text(url)]))
    }

    /// Warns about secrets. A secret is reported for good tickets too, because every reader of the ticket can use it.
    fn secrets(&mut self, words: Option<&str>) -> io::Result<()> {
        words.map_or(Ok(()), |words| self.rows(&[Row::item("!", words)]))
    }

    fn pass(&mut self, outcome: &Outcome, secrets: Option<&str>) -> io::Result<()> {
        let digest = Digest::new(outcome);
        let questions = if outcome.decision.questions_only { open_questions(outcome) } else { Vec::new() };
        let listed = digest.warnings_apart_from(&questions);
        let warnings = listed.len();
        let demoted = listed.iter().filter(|issue| demotion(issue, outcome.language).is_some()).count();
        let fixed = messages::Report::of(outcome.language);
        let mut words = score_words(outcome).unwrap_or_default();
        if warnings > 0 {
            words.push_str(&format!("  {}", fixed.warnings_counted(warnings)));
        }
        if demoted > 0 {
            words.push_str(&fixed.demoted(&demoted));
        }
        self.headline(GOOD, fixed.pass, &ticket_name(outcome), &words)?;
        self.secrets(secrets)?;
        if outcome.decision.questions_only {
            self.open_questions(outcome, &questions)?;
        }
        if !outcome.decision.accepted.is_empty() && !self.options.detail.is_full() {
            self.accepted(outcome, &digest)?;
        }
        let explains = self.options.explain || self.options.explain_model && outcome.model.is_some();
        if self.options.detail.is_full() || explains {
            return self.details(outcome);
        }
        // The warnings themselves, because with a count alone the reader would have to run the command again.
        self.listed(&listed, SHOWN_WITH_PASS, outcome.language)?;
        if outcome.model.as_ref().is_some_and(|model| model.failure().is_some()) {
            // A pass must show that the requested model failed, because the verdict might differ with it.
            let words = model_words(outcome);
            self.rows(&words.iter().map(|words| Row::text(words)).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn reject(&mut self, outcome: &Outcome) -> io::Result<()> {
        let fixed = messages::Report::of(outcome.language);
        let score = score_words(outcome).unwrap_or_default();
        self.headline(BAD, fixed.reject, &ticket_name(outcome), &score)?;
        self.address(outcome)?;
        self.rows(&[Row::text(&outcome.decision.explanation)])?;
        self.blockers(outcome)?;
        if let Some(path) = path_beyond_blockers(outcome) {
            self.path_to_pass(outcome, path)?;
        }
        // The explanation of an estimate already contains the first question.
        let is_named = |words: &&str| outcome.decision.explanation.contains(*words);
        let questions: Vec<&str> = questions(outcome).into_iter().filter(|words| !is_named(words)).collect();
        if !questions.is_empty() {
            self.section(fixed.questions)?;
            let marks: Vec<String> = (1..=questions.len()).map(|number| format!("{number}.")).collect();
            let rows: Vec<Row<'_>> = marks.iter().zip(questions).map(|(mark, words)| Row::item(mark, words)).collect();
            self.rows(&rows)?;
        }
        let rewrites = rewrites(outcome);
        if !rewrites.is_empty() {
            let title = fixed.after_path(&fixed.fill_in(&"____"), &fixed.rewrites);
            self.section(&title)?;
            for rewrite in &rewrites {
                self.rows(&[Row::item(
                    "·",
                    &format!("{}{}{}", fixed.line(&rewrite.line), fixed.colon, rewrite.words),
                )])?;
            }
        }
        self.details(outcome)
    }

    /// Writes the open questions of a pass; the author may still answer them.
    fn open_questions(&mut self, outcome: &Outcome, questions: &[&str]) -> io::Result<()> {
        self.rows(&[Row::text(&outcome.decision.explanation)])?;
        self.rows(&questions.iter().map(|words| Row::item("?", words)).collect::<Vec<_>>())
    }

    /// Writes the findings that a person accepted in the document itself, so that the reader sees the basis of the
    /// pass.
    fn accepted(&mut self, outcome: &Outcome, digest: &Digest<'_>) -> io::Result<()> {
        if !outcome.decision.questions_only {
            self.rows(&[Row::text(&outcome.decision.explanation)])?;
        }
        let accepted: Vec<String> = digest.accepted(outcome).collect();
        self.rows(&accepted.iter().map(|words| Row::item("·", words)).collect::<Vec<_>>())
    }

    fn facets(&mut self, outcome: &Outcome) -> io::Result<()> {
        let fixed = messages::Report::of(outcome.language);
        let Some(structured) = &outcome.structured else { return Ok(()) };
        self.section(fixed.facets)?;
        for evidence in &structured.facets.evidence {
            let likely = (evidence.probability() * 100.0).round();
            self.rows(&[Row::item("·", &format!("{}: {likely} %", evidence.facet))])?;
            for sign in &evidence.signs {
                let weight = format!("{:+.2}", sign.weight);
                self.rows(&[Row { mark: &format!("{weight:>9}"), mark_width: 9, text: &sign.says }])?;
            }
        }
        Ok(())
    }

    fn blockers(&mut self, outcome: &Outcome) -> io::Result<()> {
        let digest = Digest::new(outcome);
        let index = LineIndex::new(&outcome.packet.raw_text);
        let shown = if self.options.detail.is_full() { digest.blockers.len() } else { SHOWN_BLOCKERS };
        for issue in digest.blockers.iter().take(shown) {
            write!(self.out, "\n{}", blocker::block(&self.layout, outcome, &index, issue))?;
        }
        match digest.blockers.len().saturating_sub(shown) {
            0 => Ok(()),
            hidden => {
                let words = messages::Report::of(outcome.language).more_blockers_verbose(&hidden);
                writeln!(self.out, "\n    {}", self.faint(&words))
            }
        }
    }

    fn faint(&self, text: &str) -> String {
        self.layout.painted(FAINT, text)
    }

    fn path_to_pass(&mut self, outcome: &Outcome, path: &PathToPass) -> io::Result<()> {
        let now = outcome.score_report.as_ref().map(|report| format!("{} → ", points(report.total_score)));
        let fixed = messages::Report::of(outcome.language);
        let score = format!("{}{}", now.unwrap_or_default(), points(path.score_after));
        self.section(&path_title(fixed, &outcome.decision, path, &score))?;
        let index = LineIndex::new(&outcome.packet.raw_text);
        for (number, edit) in (1..).zip(&path.edits) {
            let line = edit.span.map(|span| index.position(&outcome.packet.raw_text, span.start).line);
            let place = line.map(|line| fixed.line_start(&line) + fixed.colon).unwrap_or_default();
            let gain = match (edit.points > 0.0, edit.removes_blocker) {
                (true, true) => format!("+{}{}{}", points(edit.points), fixed.comma, fixed.removes_blocker),
                (true, false) => format!("+{}", points(edit.points)),
                (false, true) => fixed.removes_blocker.to_owned(),
                (false, false) => String::new(),
            };
            let gain = if gain.is_empty() { gain } else { format!("  ({gain})") };
            self.rows(&[Row::item(&format!("{number}."), &format!("{place}{}{gain}", edit.instruction))])?;
        }
        Ok(())
    }

    /// The details after the questions of a rejection, or all details of a pass with --verbose.
    fn details(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.after_details = true;
        let digest = Digest::new(outcome);
        let fixed = messages::Report::of(outcome.language);
        self.warnings(&digest.warnings_apart_from(&questions(outcome)), outcome.language)?;
        if !digest.waived.is_empty() {
            self.section(fixed.waived)?;
            for group in digest.waived_by_reason() {
                self.rows(&[Row::item("·", &group.head)])?;
                let rows: Vec<_> =
                    group.findings.iter().map(|words| Row { mark: "  -", mark_width: 3, text: words }).collect();
                self.rows(&rows)?;
            }
        }
        if (self.options.explain_model || self.options.detail.is_full()) && outcome.model.is_some() {
            self.section(fixed.model_did)?;
            for words in explained(outcome) {
                self.rows(&[Row::item("·", &words)])?;
            }
        }
        if self.options.explain {
            self.section(fixed.explained)?;
            for (name, words) in explanation(outcome) {
                let pad = " ".repeat(11_usize.saturating_sub(name.width()));
                self.rows(&[Row { mark: &format!("  {name}{pad}"), mark_width: 13, text: &words }])?;
            }
            self.facets(outcome)?;
        } else if !found(outcome).is_empty() && outcome.decision.verdict == Verdict::Reject {
            self.section(fixed.elements_found)?;
            self.rows(&[Row::text(&found(outcome).join("; "))])?;
        }
        if self.options.detail.is_full() {
            self.structure(outcome)?;
            if let Some(report) = &outcome.score_report {
                self.dimensions(report, outcome.language, fixed)?;
            }
        }
        self.footer(outcome)
    }

    fn warnings(&mut self, warnings: &[&ReviewIssue], language: Language) -> io::Result<()> {
        if warnings.is_empty() {
            return Ok(());
        }
        let fixed = messages::Report::of(language);
        self.section(&fixed.warnings(&warnings.len()))?;
        let shown = if self.options.detail.is_full() { warnings.len() } else { SHOWN_WARNINGS };
        self.listed(warnings, shown, language)
    }

    /// Writes the first warnings, a row for each, and the number of the remaining ones.
    fn listed(&mut self, warnings: &[&ReviewIssue], shown: usize, language: Language) -> io::Result<()> {
        let fixed = messages::Report::of(language);
        for issue in warnings.iter().take(shown) {
            let place = issue.position.map_or_else(|| "-".to_owned(), |at| format!("{}:{}", at.line, at.column));
            let cost = if issue.points > 0.0 { format!(" (−{})", points(issue.points)) } else { String::new() };
            let demotion = demotion(issue, language).map(|note| format!(" [{note}]")).unwrap_or_default();
            let words = format!("{}{}{}{cost}{demotion}", issue.rule_id, fixed.colon, issue.description);
            let suggestion = one_line(&issue.suggestion).into_owned();
            let place = self.layout.painted(DOUBTFUL, &format!("{place:>7}"));
            self.rows(&[Row { mark: &place, mark_width: 7, text: &words }])?;
            if self.options.detail.is_full() && !suggestion.is_empty() {
                self.rows(&[Row { mark: "", mark_width: 7, text: &suggestion }])?;
            }
        }
        let hidden = warnings.len().saturating_sub(shown);
        match hidden {
            0 => Ok(()),
            _ => writeln!(self.out, "    {}", self.faint(&fixed.more_verbose(&hidden))),
        }
    }

    fn structure(&mut self, outcome: &Outcome) -> io::Result<()> {
        if outcome.structure_errors.is_empty() && outcome.structure_warnings.is_empty() {
            return Ok(());
        }
        self.section(messages::Report::of(outcome.language).structure_check)?;
        for words in outcome.structure_errors.iter().chain(&outcome.structure_warnings) {
            self.rows(&[Row::item("·", words)])?;
        }
        Ok(())
    }

    fn dimensions(
        &mut self,
        report: &TicketScoreReport,
        language: Language,
        fixed: &messages::Report,
    ) -> io::Result<()> {
        self.section(fixed.dimensions)?;
        let names = report.dimension_scores.iter().map(|own| one_line(dimension_name(language, &own.id)).into_owned());
        let names: Vec<String> = names.collect();
        let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
        for (dimension, name) in report.dimension_scores.iter().zip(&names) {
            let bar = bar(dimension.score);
            let pad = " ".repeat(width - name.width());
            let weight = fixed.weight(&points(dimension.weight * 100.0));
            writeln!(self.out, "    {name}{pad}  {bar}  {:>5}  {}", points(dimension.score), self.faint(&weight))?;
        }
        Ok(())
    }

    /// Writes the basis of the verdict.
    fn footer(&mut self, outcome: &Outcome) -> io::Result<()> {
        writeln!(self.out)?;
        let sentences =
            penalty_words(outcome).into_iter().chain(guardrail_sentences(outcome)).chain(raw_text_words(outcome));
        for words in sentences {
            self.rows(&[Row::text(&words)])?;
        }
        for words in model_words(outcome) {
            self.rows(&[Row::text(&words)])?;
        }
        let fixed = messages::Report::of(outcome.language);
        let policy = policy_words(outcome).map(|policy| fixed.policy(&policy) + fixed.semicolon);
        let named = if policy.is_some() { messages::Report::rubric_after } else { messages::Report::rubric };
        let rubric = rubric_words(outcome).map(|rubric| named(fixed, &rubric) + fixed.semicolon);
        let (policy, rubric) = (policy.unwrap_or_default(), rubric.unwrap_or_default());
        let words = self.layout.row(&Row::text(&format!("{policy}{rubric}{}", packet_words(outcome))));
        writeln!(self.out, "{}", self.layout.painted(FAINT, words.trim_end()))
    }
}

impl Reporter for HumanReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let verdict = outcome.decision.verdict;
        if self.options.detail.leaves_out(outcome) {
            return Ok(());
        }
        let secrets = secrets(outcome);
        self.gap()?;
        let fixed = messages::Report::of(outcome.language);
        match verdict {
            Verdict::Pass => self.pass(outcome, secrets.as_deref()),
            Verdict::Reject => self.reject(outcome),
            Verdict::NotApplicable => {
                self.headline(
                    FAINT,
                    verdict_name(fixed, verdict),
                    &ticket_name(outcome),
                    &outcome.decision.explanation,
                )?;
                self.secrets(secrets.as_deref())
            }
            Verdict::GuardrailRejected => {
                self.headline(BAD, verdict_name(fixed, verdict), &ticket_name(outcome), "")?;
                self.address(outcome)?;
                // The full text of the first reason includes the remedy.
                if let Some(BlockReason::Guardrail { description }) = outcome.decision.reasons.first() {
                    self.rows(&[Row::text(description)])?;
                }
                if stopped_for_length(outcome).is_some() {
                    return Ok(());
                }
                guardrail_sentences(outcome).iter().try_for_each(|words| self.rows(&[Row::text(words)]))
            }
        }
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.gap()?;
        // Many messages begin with the name of the input, for uses where they appear alone.
        let own = error.message.strip_prefix(&error.input).and_then(|rest| rest.strip_prefix(": "));
        self.headline(BAD, "ERROR", &error.input, own.unwrap_or(&error.message))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        if self.options.detail.counts(summary) {
            let style = if summary.is_pass() { GOOD } else { BAD };
            let gap = if self.is_empty { "" } else { "\n" };
            writeln!(self.out, "{gap}{}", self.layout.painted(style, &summary.sentence()))?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests;
