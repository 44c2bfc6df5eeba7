//! Renders an analysis of gaps for a terminal and as Markdown.

use anstyle::{AnsiColor, Style};

use super::GapAnalysis;
use crate::{Gap, GapSeverity, SourceQuote, Strength};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_report::wrapped;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The settings of a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    /// Colours are written as ANSI sequences.
    pub colour: bool,
    /// The width in columns.
    pub width: usize,
}

impl Terminal {
    pub(crate) fn painted(self, style: Style, words: &str) -> String {
        if self.colour { format!("{style}{words}{style:#}") } else { words.to_owned() }
    }

    /// The words wrapped into lines with an indent.
    pub(crate) fn block(self, indent: usize, words: &str) -> String {
        let lines = wrapped(&one_line(words), self.width.saturating_sub(indent));
        lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
    }
}

impl GapSeverity {
    /// The name of the severity in this language.
    pub fn words(self, language: Language) -> &'static str {
        messages::Prd::of(language).severities[self as usize]
    }
}

fn impact(language: Language) -> &'static str {
    messages::Prd::of(language).gap_impact
}

fn suggestion(language: Language) -> &'static str {
    messages::Prd::of(language).gap_write
}

/// The note that only the form was checked, with the ways to have the meaning checked.
fn not_read(language: Language) -> &'static str {
    messages::Prd::of(language).gaps_form_only
}

/// The category as written in files: `missing-audit`.
fn code(gap: &Gap) -> String {
    serde_json::to_value(gap.category).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn place(gap: &Gap) -> String {
    gap.place.as_ref().map(|place| format!("{}:{}", place.source, place.line)).unwrap_or_default()
}

/// Returns the two passages that contradict or repeat each other, each with its quote; empty for a gap with one passage.
pub fn both_quotes(gap: &Gap) -> impl Iterator<Item = String> {
    let places = gap.against.as_ref().and_then(|against| Some([gap.place.as_ref()?, against]));
    places.into_iter().flatten().map(|place| format!("{}:{} “{}”", place.source, place.line, place.quote))
}

/// The strengths and the recommendations, each with its heading; without those that the reader left empty.
fn remarks(analysis: &GapAnalysis) -> Vec<(&'static str, Vec<String>)> {
    let said = messages::Prd::of(analysis.language);
    let strengths = analysis.strengths.iter().map(Strength::in_words).collect();
    let mut out = vec![(said.gap_strengths, strengths), (said.gap_recommendations, analysis.recommendations.clone())];
    out.retain(|(_, lines)| !lines.is_empty());
    out
}

impl Strength {
    /// The strength with its quote and place, in one line.
    pub(crate) fn in_words(&self) -> String {
        let SourceQuote { source, line, quote } = &self.place;
        format!("{} {source}:{line} “{quote}”", self.what)
    }
}

/// Renders the analysis for a terminal; text from documents is escaped.
pub fn human(analysis: &GapAnalysis, name: &str, terminal: Terminal) -> String {
    let language = analysis.language;
    let good = analysis.gaps.is_empty();
    let colour = if good { AnsiColor::Green } else { AnsiColor::Yellow };
    let summary = terminal.painted(colour.on_default().bold(), &analysis.summary);
    let mut out = format!("{}  {summary}\n", terminal.painted(BOLD, &one_line(name)));
    for gap in &analysis.gaps {
        let style = match gap.severity {
            GapSeverity::Critical | GapSeverity::High => AnsiColor::Red.on_default().bold(),
            GapSeverity::Medium | GapSeverity::Low => AnsiColor::Yellow.on_default(),
        };
        let severity = terminal.painted(style, gap.severity.words(language));
        let title = terminal.painted(BOLD, &one_line(&gap.title));
        let category = terminal.painted(FAINT, &code(gap));
        out.push_str(&format!("\n  {severity}  {title}  {category}\n"));
        out.push_str(&format!("    {}\n", terminal.painted(FAINT, &one_line(&place(gap)))));
        out.push_str(&terminal.block(4, &gap.description));
        for quote in both_quotes(gap) {
            out.push_str(&terminal.block(4, &quote));
        }
        out.push_str(&terminal.block(4, &format!("{}{}", impact(language), gap.impact)));
        if !gap.fix.is_empty() {
            out.push_str(&terminal.block(4, &format!("{}{}", suggestion(language), gap.fix)));
        }
        for suggested in gap.suggested_requirements.iter().filter(|suggested| suggested.description != gap.fix) {
            out.push_str(&terminal.block(4, &format!("{}{}", suggestion(language), suggested.description)));
        }
    }
    for (title, lines) in remarks(analysis) {
        out.push_str(&format!("\n  {}\n", terminal.painted(BOLD, title)));
        lines.iter().for_each(|line| out.push_str(&terminal.block(4, line)));
    }
    if !analysis.read_for_meaning {
        out.push_str(&format!("\n{}", terminal.block(2, not_read(language))));
    }
    out
}

/// Renders the analysis as Markdown.
pub fn markdown(analysis: &GapAnalysis, name: &str) -> String {
    let language = analysis.language;
    let mut out = format!("# {}: {}\n\n", messages::Prd::of(language).gap_analysis, safe(name));
    out.push_str(&format!("{}\n", analysis.summary));
    for gap in &analysis.gaps {
        let severity = gap.severity.words(language);
        out.push_str(&format!("\n## {} {} ({severity}, `{}`)\n\n", gap.id, safe(&gap.title), code(gap)));
        out.push_str(&format!("{} *{}*\n\n", safe(&gap.description), safe(&place(gap))));
        out.extend(both_quotes(gap).map(|quote| format!("- {}\n", safe(&quote))));
        out.push_str(&format!("- {}{}\n", impact(language), safe(&gap.impact)));
        if !gap.fix.is_empty() {
            out.push_str(&format!("- {}{}\n", suggestion(language), safe(&gap.fix)));
        }
        for suggested in gap.suggested_requirements.iter().filter(|suggested| suggested.description != gap.fix) {
            out.push_str(&format!("- {}{}\n", suggestion(language), safe(&suggested.description)));
        }
    }
    for (title, lines) in remarks(analysis) {
        out.push_str(&format!("\n## {title}\n\n"));
        out.extend(lines.iter().map(|line| format!("- {}\n", safe(line))));
    }
    if !analysis.read_for_meaning {
        out.push_str(&format!("\n{}\n", not_read(language)));
    }
    out
}

/// Text of a document, escaped for Markdown: no HTML, links or mentions.
pub fn safe(words: &str) -> String {
    let mut out = String::new();
    for c in one_line(words).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("@\u{200b}"),
            '[' | ']' | '`' | '*' | '_' | '!' | '|' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
