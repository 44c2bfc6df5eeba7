//! Writes the report in Markdown, for job summaries and comments: the verdict first.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::digest::{
    Digest, demotion, guardrail_sentences, packet_words, path_beyond_blockers, penalty_words, questions,
    raw_text_words, rubric_words, score_words, secrets,
};
use super::model_review::{explained, model_words, rewrites};
use super::ticket_name::ticket_name;
use super::words::{as_sentence, path_title, verdict_name};
use super::{Detail, InputError, ReportOptions, Reporter, Summary};
use crate::points;
use reqgate_base::clean::one_line;
use reqgate_base::model::{LineIndex, Outcome, PathToPass, ReviewIssue};
use reqgate_messages as messages;

/// The maximum number of blockers: a comment on GitHub holds 65,536 characters.
const MAX_BLOCKERS: usize = 20;
/// The maximum number of warnings unless all are requested.
const MAX_WARNINGS: usize = 20;

/// A finished outcome in a few lines of Markdown: verdict, blockers, path to a pass, questions.
///
/// Text from the ticket is escaped, so that it contains no mentions, references or markup.
pub fn summary_markdown(outcome: &Outcome) -> String {
    let mut text = String::new();
    let score = score_words(outcome).map(|score| format!(" {score}")).unwrap_or_default();
    let verdict = outcome.decision.verdict;
    let words = messages::Report::of(outcome.language);
    let name = verdict_name(words, verdict);
    push(&mut text, format_args!("**{name}**{score}{}{}\n", words.colon, escaped(&outcome.decision.explanation)));
    if !verdict.is_pass() {
        text.push_str(&to_do(outcome));
    }
    text
}

/// A finished outcome in Markdown with all details, for job summaries.
pub fn whole_markdown(outcome: &Outcome) -> String {
    let mut text = summary_markdown(outcome);
    details(&mut text, outcome, ReportOptions { detail: Detail::Full, ..ReportOptions::default() });
    text
}

/// Blockers, path to a pass and questions.
fn to_do(outcome: &Outcome) -> String {
    let mut text = String::new();
    let digest = Digest::new(outcome);
    let words = messages::Report::of(outcome.language);
    blockers(&mut text, &digest.blockers, words);
    if let Some(path) = path_beyond_blockers(outcome) {
        path_to_pass(&mut text, outcome, path);
    }
    let questions = questions(outcome);
    if !questions.is_empty() {
        push(&mut text, format_args!("\n**{}**\n\n", words.questions));
        for question in questions {
            push(&mut text, format_args!("- [ ] {}\n", escaped(question)));
        }
    }
    let rewrites = rewrites(outcome);
    if !rewrites.is_empty() {
        let hint = words.fill_in(&"\\_\\_\\_\\_");
        let title = words.after_path(&hint, &format!("**{}**", words.rewrites));
        push(&mut text, format_args!("\n{title}\n\n"));
        for rewrite in rewrites {
            let line = words.line_start(&rewrite.line);
            push(&mut text, format_args!("- {line}{}{}\n", words.colon, escaped(&rewrite.words)));
        }
    }
    text
}

/// Appends to a string; this cannot fail.
fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words).expect("a string can always be written");
}

fn blockers(text: &mut String, blockers: &[&ReviewIssue], words: &messages::Report) {
    if blockers.is_empty() {
        return;
    }
    push(text, format_args!("\n{}\n| --- | --- | --- | --- |\n", words.table));
    for issue in blockers.iter().take(MAX_BLOCKERS) {
        let wrong = escaped(&issue.description);
        push(
            text,
            format_args!(
                "| `{}` | {} | {wrong} | {} |\n",
                issue.rule_id,
                line(issue, words),
                escaped(&issue.suggestion)
            ),
        );
    }
    if let Some(hidden) = blockers.len().checked_sub(MAX_BLOCKERS).filter(|hidden| *hidden > 0) {
        push(text, format_args!("\n{}\n", words.more_blockers(&hidden)));
    }
}

/// The line of an issue, in words.
pub(super) fn line(issue: &ReviewIssue, words: &messages::Report) -> String {
    issue.position.map_or_else(|| words.whole_text.to_owned(), |place| words.line(&place.line))
}

fn path_to_pass(text: &mut String, outcome: &Outcome, path: &PathToPass) {
    let now = outcome.score_report.as_ref().map(|report| format!("{} → ", points(report.total_score)));
    let words = messages::Report::of(outcome.language);
    let score = format!("{}{}", now.unwrap_or_default(), points(path.score_after));
    push(text, format_args!("\n**{}**\n\n", path_title(words, &outcome.decision, path, &score)));
    let index = LineIndex::new(&outcome.packet.raw_text);
    for (number, edit) in (1..).zip(&path.edits) {
        let line = edit.span.map(|span| index.position(&outcome.packet.raw_text, span.start).line);
        let place = line.map(|line| words.line_start(&line) + words.colon).unwrap_or_default();
        let mut gain = Vec::new();
        if edit.points > 0.0 {
            gain.push(format!("+{}", points(edit.points)));
        }
        if edit.removes_blocker {
            gain.push(words.removes_blocker.to_owned());
        }
        let gain = if gain.is_empty() { String::new() } else { format!(" *({})*", gain.join(words.comma)) };
        push(text, format_args!("{number}. {place}{}{gain}\n", escaped(&edit.instruction)));
    }
}

/// The name of a ticket, as a link if its source has an address.
fn linked(outcome: &Outcome) -> String {
    let name = escaped(&ticket_name(outcome));
    match &outcome.packet.url {
        Some(url) => format!("[{name}](<{}>)", one_line(url).replace(['\\', '>'], "%20")),
        None => name,
    }
}

/// Escapes text so that a Markdown reader shows it literally: on one line, and safe in a cell of a table.
///
/// A zero-width space keeps GitHub from seeing mentions, references and addresses. Unlike a code span, it does not
/// depend on the number of backticks in the text.
pub fn escaped(text: &str) -> String {
    const GAP: &str = "&#8203;";
    let text = one_line(text);
    let mut safe = String::with_capacity(text.len() + text.len() / 8);
    let mut is_start = true;
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '@' => safe.extend(["@", GAP]),
            '#' => safe.extend(["\\#", GAP]),
            ':' if after.starts_with("//") => safe.extend([":", GAP]),
            '-' if ends_with_gh(&safe) => safe.extend(["-", GAP]),
            '.' if ends_with_www(&safe) => safe.extend([GAP, "."]),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '!' | '|' | '~' | '$' | '^' => {
                safe.extend(['\\', c]);
            }
            '-' | '+' | '=' if is_start => safe.extend(['\\', c]),
            '.' if safe.bytes().all(|b| b.is_ascii_digit()) => safe.push_str("\\."),
            _ => safe.push(c),
        }
        is_start = false;
        rest = after;
    }
    safe
}

fn ends_with_gh(text: &str) -> bool {
    text.len() >= 2 && text.as_bytes()[text.len() - 2..].eq_ignore_ascii_case(b"gh")
}

fn ends_with_www(text: &str) -> bool {
    text.len() >= 3 && text.as_bytes()[text.len() - 3..].eq_ignore_ascii_case(b"www")
}

pub(super) struct MarkdownReporter<'a> {
    out: Box<dyn Write + 'a>,
    options: ReportOptions,
    is_empty: bool,
}

impl<'a> MarkdownReporter<'a> {
    pub(super) fn new(options: ReportOptions, out: Box<dyn Write + 'a>) -> Self {
        Self { out, options, is_empty: true }
    }

    /// Writes a part, with an empty line before all but the first.
    fn part(&mut self, text: &str) -> io::Result<()> {
        let gap = if std::mem::replace(&mut self.is_empty, false) { "" } else { "\n" };
        write!(self.out, "{gap}{text}")
    }
}

impl Reporter for MarkdownReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let verdict = outcome.decision.verdict;
        if self.options.detail.leaves_out(outcome) {
            return Ok(());
        }
        let words = messages::Report::of(outcome.language);
        let (name, colon) = (verdict_name(words, verdict), words.colon);
        let input = linked(outcome);
        let score = score_words(outcome).map(|score| format!(" · {score}")).unwrap_or_default();
        let explanation = escaped(&outcome.decision.explanation);
        let explains = self.options.explain_model && outcome.model.is_some();
        if verdict.is_pass() && !self.options.detail.is_full() && !explains {
            let mut text = format!("**{name}** {input}{score}{colon}{explanation}\n");
            if !outcome.decision.accepted.is_empty() {
                let digest = Digest::new(outcome);
                digest.accepted(outcome).for_each(|words| push(&mut text, format_args!("\n- {}", escaped(&words))));
                text.push('\n');
            }
            if let Some(words) = secrets(outcome) {
                push(&mut text, format_args!("\n> {}\n", escaped(&words)));
            }
            return self.part(&text);
        }
        let mut text = format!("### {name}{colon}{input}{score}\n\n{explanation}\n");
        if !verdict.is_pass() {
            text.push_str(&to_do(outcome));
        }
        details(&mut text, outcome, self.options);
        self.part(&text)
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.part(&format!("**ERROR** {}: {}\n", escaped(&error.input), escaped(&error.message)))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        if self.options.detail.counts(summary) {
            self.part(&format!("---\n\n**{}**\n", summary.sentence()))?;
        }
        self.out.flush()
    }
}

/// The folded details below the questions.
fn details(text: &mut String, outcome: &Outcome, options: ReportOptions) {
    let digest = Digest::new(outcome);
    let words = messages::Report::of(outcome.language);
    let verbose = options.detail.is_full();
    let asked = if outcome.decision.verdict.is_pass() { Vec::new() } else { questions(outcome) };
    let warnings = digest.warnings_apart_from(&asked);
    let shown = if verbose { warnings.len() } else { MAX_WARNINGS };
    if !warnings.is_empty() {
        let title = words.warnings(&warnings.len());
        push(text, format_args!("\n<details>\n<summary>{title}</summary>\n\n"));
        for issue in warnings.iter().take(shown) {
            let cost = if issue.points > 0.0 { format!(" (−{})", points(issue.points)) } else { String::new() };
            let wrong = escaped(&as_sentence(words, &issue.description));
            let instead = escaped(&issue.suggestion);
            let demotion =
                demotion(issue, outcome.language).map(|note| format!(" ({})", escaped(&note))).unwrap_or_default();
            let (place, comma, colon) = (line(issue, words), words.comma, words.colon);
            push(text, format_args!("- {place}{comma}`{}`{colon}{wrong} {instead}{cost}{demotion}\n", issue.rule_id));
        }
        if let Some(hidden) = warnings.len().checked_sub(shown).filter(|hidden| *hidden > 0) {
            push(text, format_args!("- {}\n", words.more(&hidden)));
        }
        text.push_str("\n</details>\n");
    }
    for group in digest.waived_by_reason() {
        push(text, format_args!("\n{}{}{}\n\n", words.waived, words.colon, escaped(&group.head)));
        group.findings.iter().for_each(|finding| push(text, format_args!("- {}\n", escaped(finding))));
    }
    let sentences = penalty_words(outcome).into_iter().chain(guardrail_sentences(outcome));
    for words in sentences.chain(raw_text_words(outcome)).chain(model_words(outcome)) {
        push(text, format_args!("\n{}\n", escaped(&words)));
    }
    if (options.explain_model || verbose) && outcome.model.is_some() {
        text.push_str("\n<details>\n<summary>");
        text.push_str(words.model_did);
        text.push_str("</summary>\n\n");
        for words in explained(outcome) {
            push(text, format_args!("- {}\n", escaped(&words)));
        }
        text.push_str("\n</details>\n");
    }
    let rubric = rubric_words(outcome).map(|rubric| words.rubric(&rubric) + words.semicolon);
    let rubric = rubric.unwrap_or_default();
    push(text, format_args!("\n<sub>{}</sub>\n", escaped(&format!("{rubric}{}", packet_words(outcome)))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, samples};

    fn markdown(outcomes: &[Outcome]) -> String {
        samples::render(Format::Markdown, ReportOptions::default(), outcomes, &[samples::unreadable()])
    }

    #[test]
    fn rejection_comes_with_a_table_and_a_check_list() {
        insta::assert_snapshot!("rejected_markdown", markdown(&[samples::rejected(), samples::hostile()]));
    }

    #[test]
    fn batch_ends_with_its_counts() {
        let outcomes = [samples::passed(), samples::waived(), samples::not_applicable(), samples::guardrail_rejected()];
        insta::assert_snapshot!("batch_markdown", markdown(&outcomes));
    }

    #[test]
    fn summary_of_an_outcome_stands_alone() {
        insta::assert_snapshot!("summary_markdown", summary_markdown(&samples::rejected()));
        assert_eq!(
            summary_markdown(&samples::passed()),
            "**PASS** 84/100 (needs 60): nothing blocks it and 84 points are enough\n"
        );
    }

    #[test]
    fn text_of_a_ticket_is_no_markup() {
        for (text, expected) in [
            ("plain words, twice.", "plain words, twice."),
            ("ask @octocat", "ask @&#8203;octocat"),
            ("fixes #12 and GH-7", "fixes \\#&#8203;12 and GH-&#8203;7"),
            ("https://evil.example", "https:&#8203;//evil.example"),
            ("www.evil.example", "www&#8203;.evil.example"),
            ("<img src=x> &amp;", "&lt;img src=x&gt; &amp;amp;"),
            ("a | b\n| c", "a \\| b \\| c"),
            ("```rust", "\\`\\`\\`rust"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("[x](y) ![z]", "\\[x\\](y) \\!\\[z\\]"),
            ("$x^2$", "\\$x\\^2\\$"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }
}
