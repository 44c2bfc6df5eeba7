//! The explanations of the findings at a position.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use reqgate_messages as messages;

use crate::diagnostics::found;
use crate::documents::Document;
use crate::positions::{Encoding, Positions};
use crate::{Explanation, Installation};

/// The maximum number of rules that are explained at once; most remarks about the whole text are at the title.
const MOST_RULES: usize = 5;

/// The explanation of the rules whose findings cover a position.
pub(crate) fn at(
    document: &Document,
    position: Position,
    encoding: Encoding,
    installation: &dyn Installation,
) -> Option<Hover> {
    let (judged, text) = document.judged()?;
    let positions = Positions::new(text, encoding);
    let offset = positions.offset(position);
    let (found, _) = found(judged, text);
    let here: Vec<_> = found.iter().filter(|found| found.span.start <= offset && offset <= found.span.end).collect();
    let mut rules: Vec<&str> = Vec::new();
    for rule in here.iter().filter_map(|found| found.remark.rule.as_deref()) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    let language = judged.outcome.language;
    let words = messages::Lsp::of(language);
    let explained = rules.iter().take(MOST_RULES).filter_map(|rule| {
        Some(markdown(rule, &installation.explanation(rule, language)?, installation.page(rule).as_deref(), words))
    });
    let value = explained.collect::<Vec<_>>().join("\n\n---\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    let first = here.iter().find(|found| found.remark.rule.is_some())?;
    Some(Hover { contents, range: Some(positions.range(first.span)) })
}

fn markdown(rule: &str, explanation: &Explanation, page: Option<&str>, words: &messages::Lsp) -> String {
    let name = page.map_or_else(|| format!("**{rule}**"), |page| format!("[**{rule}**]({page})"));
    let mut out = format!("{name}\n\n{}", plain(&explanation.summary));
    for (label, text) in
        [(words.why, &explanation.why), (words.question, &explanation.question), (words.fix, &explanation.fix)]
    {
        out.push_str(&format!("\n\n**{label}**\n\n{}", plain(text)));
    }
    for (label, example) in [(words.fires, &explanation.fires), (words.silent, &explanation.silent)] {
        if let Some(example) = example {
            let fence = fence(example);
            out.push_str(&format!("\n\n**{label}**\n\n{fence}text\n{}\n{fence}", example.trim_end()));
        }
    }
    out
}

/// A text that Markdown shows as it is written.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A fence that is longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

#[cfg(test)]
mod tests {
    use reqgate_base::model::Language;

    use super::*;

    #[test]
    fn examples_with_fences_stay_inside_their_own() {
        let explanation = Explanation {
            summary: "A <b> in *words*.".to_owned(),
            why: "why".to_owned(),
            question: "question".to_owned(),
            fix: "fix".to_owned(),
            fires: Some("````\ncode\n````\n".to_owned()),
            silent: None,
        };
        let text = markdown("a-rule", &explanation, Some("https://x.test/a"), messages::Lsp::of(Language::En));
        assert!(text.starts_with("[**a-rule**](https://x.test/a)\n\nA \\<b\\> in \\*words\\*.\n\n**Reason**\n\nwhy"));
        assert!(text.ends_with("**Reported**\n\n`````text\n````\ncode\n````\n`````"), "{text}");
    }
}
