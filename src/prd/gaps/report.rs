//! An analysis of gaps in words: for a terminal, and as Markdown.

use anstyle::{AnsiColor, Style};

use super::{Completeness, GapAnalysis};
use crate::clean::one_line;
use crate::model::Language;
use crate::prd::{Gap, GapSeverity};
use crate::report::wrapped;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The settings of a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    /// Write ANSI colours.
    pub colour: bool,
    /// Columns to fit into.
    pub width: usize,
}

impl Terminal {
    fn painted(self, style: Style, words: &str) -> String {
        if self.colour { format!("{style}{words}{style:#}") } else { words.to_owned() }
    }

    /// Words below each other from a column on.
    fn block(self, indent: usize, words: &str) -> String {
        let lines = wrapped(&one_line(words), self.width.saturating_sub(indent));
        lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
    }
}

impl GapSeverity {
    fn words(self, language: Language) -> &'static str {
        match self {
            Self::Critical => language.of("critical", "严重"),
            Self::High => language.of("high", "高"),
            Self::Medium => language.of("medium", "中"),
            Self::Low => language.of("low", "低"),
        }
    }
}

impl Completeness {
    fn words(self, language: Language) -> &'static str {
        match self {
            Self::Excellent => language.of("Excellent", "优"),
            Self::Good => language.of("Good", "良"),
            Self::Fair => language.of("Fair", "中"),
            Self::Poor => language.of("Poor", "差"),
        }
    }
}

fn impact(language: Language) -> &'static str {
    language.of("Impact: ", "影响：")
}

fn suggestion(language: Language) -> &'static str {
    language.of("Write: ", "建议：")
}

fn strengths(language: Language) -> &'static str {
    language.of("What is there", "已具备")
}

/// The category as written in files: `missing-audit`.
fn code(gap: &Gap) -> String {
    serde_json::to_value(gap.category).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn place(gap: &Gap) -> String {
    gap.place.as_ref().map(|place| format!("{}:{}", place.source, place.line)).unwrap_or_default()
}

/// The analysis for a terminal; words of the document are made safe.
pub fn human(analysis: &GapAnalysis, name: &str, terminal: Terminal) -> String {
    let language = analysis.language;
    let good = analysis.gaps.is_empty();
    let colour = if good { AnsiColor::Green } else { AnsiColor::Yellow };
    let head = terminal
        .painted(colour.on_default().bold(), &format!("{:.2} {}", analysis.score, analysis.word.words(language)));
    let mut out = format!("{head}  {}  {}\n", terminal.painted(BOLD, &one_line(name)), analysis.summary);
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
        out.push_str(&terminal.block(4, &format!("{}{}", impact(language), gap.impact)));
        for suggested in &gap.suggested_requirements {
            out.push_str(&terminal.block(4, &format!("{}{}", suggestion(language), suggested.description)));
        }
    }
    if !analysis.strengths.is_empty() {
        out.push_str(&format!("\n  {}\n", terminal.painted(BOLD, strengths(language))));
        for strength in &analysis.strengths {
            out.push_str(&terminal.block(4, strength));
        }
    }
    out
}

/// The analysis as Markdown.
pub fn markdown(analysis: &GapAnalysis, name: &str) -> String {
    let language = analysis.language;
    let mut out = format!("# {}: {}\n\n", language.of("Gap analysis", "缺口分析"), safe(name));
    out.push_str(&format!("**{:.2} {}.** {}\n", analysis.score, analysis.word.words(language), analysis.summary));
    for gap in &analysis.gaps {
        let severity = gap.severity.words(language);
        out.push_str(&format!("\n## {} {} ({severity}, `{}`)\n\n", gap.id, safe(&gap.title), code(gap)));
        out.push_str(&format!("{} *{}*\n\n", safe(&gap.description), safe(&place(gap))));
        out.push_str(&format!("- {}{}\n", impact(language), safe(&gap.impact)));
        for suggested in &gap.suggested_requirements {
            out.push_str(&format!("- {}{}\n", suggestion(language), safe(&suggested.description)));
        }
    }
    if !analysis.strengths.is_empty() {
        out.push_str(&format!("\n## {}\n\n", strengths(language)));
        for strength in &analysis.strengths {
            out.push_str(&format!("- {strength}\n"));
        }
    }
    out
}

/// Words of a document in Markdown: no HTML, no links, no mentions of their own.
fn safe(words: &str) -> String {
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
