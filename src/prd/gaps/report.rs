//! An analysis of gaps in words: for a terminal, and as Markdown.

use anstyle::{AnsiColor, Style};

use super::{Completeness, GapAnalysis};
use crate::clean::one_line;
use crate::model::Language;
use crate::prd::{Gap, GapSeverity};
use crate::report::wrapped;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How a terminal shows it.
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

/// Both languages' fixed words.
struct Fixed {
    impact: &'static str,
    suggestion: &'static str,
    strengths: &'static str,
    severities: [&'static str; 4],
    words: [&'static str; 4],
    title: &'static str,
}

const EN: Fixed = Fixed {
    impact: "Impact: ",
    suggestion: "Write: ",
    strengths: "What is there",
    severities: ["critical", "high", "medium", "low"],
    words: ["Excellent", "Good", "Fair", "Poor"],
    title: "Gap analysis",
};

const ZH: Fixed = Fixed {
    impact: "影响：",
    suggestion: "建议：",
    strengths: "已具备",
    severities: ["严重", "高", "中", "低"],
    words: ["优", "良", "中", "差"],
    title: "缺口分析",
};

fn fixed(language: Language) -> &'static Fixed {
    if language == Language::Zh { &ZH } else { &EN }
}

impl Fixed {
    fn severity(&self, severity: GapSeverity) -> &'static str {
        self.severities[match severity {
            GapSeverity::Critical => 0,
            GapSeverity::High => 1,
            GapSeverity::Medium => 2,
            GapSeverity::Low => 3,
        }]
    }

    fn word(&self, word: Completeness) -> &'static str {
        self.words[match word {
            Completeness::Excellent => 0,
            Completeness::Good => 1,
            Completeness::Fair => 2,
            Completeness::Poor => 3,
        }]
    }
}

/// The category as it is written in files: `missing-audit`.
fn code(gap: &Gap) -> String {
    serde_json::to_value(gap.category).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn place(gap: &Gap) -> String {
    gap.place.as_ref().map(|place| format!("{}:{}", place.source, place.line)).unwrap_or_default()
}

/// The analysis for a terminal; words of the document are made safe.
pub fn human(analysis: &GapAnalysis, name: &str, terminal: Terminal) -> String {
    let fixed = fixed(analysis.language);
    let good = analysis.gaps.is_empty();
    let colour = if good { AnsiColor::Green } else { AnsiColor::Yellow };
    let head =
        terminal.painted(colour.on_default().bold(), &format!("{:.2} {}", analysis.score, fixed.word(analysis.word)));
    let mut out = format!("{head}  {}  {}\n", terminal.painted(BOLD, &one_line(name)), analysis.summary);
    for gap in &analysis.gaps {
        let style = match gap.severity {
            GapSeverity::Critical | GapSeverity::High => AnsiColor::Red.on_default().bold(),
            GapSeverity::Medium | GapSeverity::Low => AnsiColor::Yellow.on_default(),
        };
        let severity = terminal.painted(style, fixed.severity(gap.severity));
        let title = terminal.painted(BOLD, &one_line(&gap.title));
        let category = terminal.painted(FAINT, &code(gap));
        out.push_str(&format!("\n  {severity}  {title}  {category}\n"));
        out.push_str(&format!("    {}\n", terminal.painted(FAINT, &one_line(&place(gap)))));
        out.push_str(&terminal.block(4, &gap.description));
        out.push_str(&terminal.block(4, &format!("{}{}", fixed.impact, gap.impact)));
        for suggested in &gap.suggested_requirements {
            out.push_str(&terminal.block(4, &format!("{}{}", fixed.suggestion, suggested.description)));
        }
    }
    if !analysis.strengths.is_empty() {
        out.push_str(&format!("\n  {}\n", terminal.painted(BOLD, fixed.strengths)));
        for strength in &analysis.strengths {
            out.push_str(&terminal.block(4, strength));
        }
    }
    out
}

/// The analysis as Markdown.
pub fn markdown(analysis: &GapAnalysis, name: &str) -> String {
    let fixed = fixed(analysis.language);
    let mut out = format!("# {}: {}\n\n", fixed.title, safe(name));
    out.push_str(&format!("**{:.2} {}.** {}\n", analysis.score, fixed.word(analysis.word), analysis.summary));
    for gap in &analysis.gaps {
        let severity = fixed.severity(gap.severity);
        out.push_str(&format!("\n## {} {} ({severity}, `{}`)\n\n", gap.id, safe(&gap.title), code(gap)));
        out.push_str(&format!("{} *{}*\n\n", safe(&gap.description), safe(&place(gap))));
        out.push_str(&format!("- {}{}\n", fixed.impact, safe(&gap.impact)));
        for suggested in &gap.suggested_requirements {
            out.push_str(&format!("- {}{}\n", fixed.suggestion, safe(&suggested.description)));
        }
    }
    if !analysis.strengths.is_empty() {
        out.push_str(&format!("\n## {}\n\n", fixed.strengths));
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
