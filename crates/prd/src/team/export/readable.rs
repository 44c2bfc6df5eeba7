//! Formats a Markdown document for readers: table rows of requirements get headings, and the steps of a scenario get separate lines.

use crate::prd_text::TableRequirement;
use reqgate_base::model::Language;
use reqgate_docs::lines::LineKind;
use reqgate_docs::{Outline, write};
use reqgate_messages as messages;
use reqgate_text::scenario_steps::steps;

/// Returns the document with each requirement of a table under its own heading, and with each step of a scenario on its own line.
pub(super) fn readable(markdown: &str, language: Language) -> String {
    let outline = Outline::of(markdown);
    let lines: Vec<(&str, Option<u8>, LineKind)> = outline
        .lines()
        .map(|(line, heading)| {
            let words = markdown[line.start..line.end].trim_end_matches(['\r', '\n']);
            (words, heading.map(|heading| heading.level), line.kind)
        })
        .collect();
    let mut out = String::with_capacity(markdown.len() + 200);
    let (mut at, mut level) = (0, 1);
    while at < lines.len() {
        let (line, heading, kind) = lines[at];
        if kind == LineKind::Code {
            push(&mut out, line);
            at += 1;
            continue;
        }
        level = heading.unwrap_or(level);
        let rows: Vec<&str> =
            lines[at..].iter().map(|line| line.0).take_while(|line| line.trim_start().starts_with('|')).collect();
        match TableRequirement::all(&rows) {
            Some(requirements) => {
                for one in requirements {
                    entry(&mut out, &one, (level + 1).min(6), language);
                }
                at += rows.len();
            }
            None => {
                let others = if rows.is_empty() { vec![line] } else { rows };
                others.iter().for_each(|line| push(&mut out, &on_lines(line)));
                at += others.len();
            }
        }
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// A requirement under its heading.
fn entry(out: &mut String, one: &TableRequirement, level: u8, language: Language) {
    let colon = messages::Prd::of(language).colon;
    let heading = if one.title.is_empty() { one.id.to_string() } else { format!("{}{colon}{}", one.id, one.title) };
    push(out, &(write::heading(level, &heading) + "\n"));
    if one.text != one.title {
        push(out, &format!("{}\n", broken(&one.text)));
    }
    let facts: Vec<String> = one.facts.iter().map(|(label, value)| format!("{}{colon}{value}", label.trim())).collect();
    if !facts.is_empty() {
        push(out, &format!("{}\n", facts.join(" · ")));
    }
    if !one.criteria.is_empty() {
        push(out, &format!("**{}**\n", messages::Prd::of(language).acceptance_criteria));
        for criterion in &one.criteria {
            push(out, &format!("- {}", broken(criterion)));
        }
        out.push('\n');
    }
}

/// A line with each step of a scenario on its own line. A comment after it is unchanged.
fn on_lines(line: &str) -> String {
    let (words, comment) = line.find("<!--").map_or((line, ""), |at| line.split_at(at));
    if words.trim_start().starts_with('|') {
        let cells = words.split('|').map(|cell| cell.split("<br>").map(broken).collect::<Vec<_>>().join("<br>"));
        return cells.collect::<Vec<_>>().join("|") + comment;
    }
    let mark = words.len() - words.trim_start_matches([' ', '-', '*', '+', '>']).len();
    format!("{}{}{comment}", &words[..mark], broken(&words[mark..]))
}

/// The text with a line break before each further step.
fn broken(words: &str) -> String {
    match steps(words).as_slice() {
        [_] => words.to_owned(),
        steps => steps.join("<br>") + &" ".repeat(words.len() - words.trim_end().len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_of_a_table_get_headings_and_scenarios_lines() {
        let text = "## Functional requirements\n\n| ID | Requirement | Acceptance criteria | Category |\n| --- | --- | --- | --- |\n\
            | FR-001 | It exports orders as CSV. | Given 0 orders, when it runs, then the file is empty.<br>It takes 10 s. | Functional |\n\
            | FR-002 | It \\| logs. | – | Functional |\n\n## Next\n\n- Given a, when b, then c. <!-- source: a.md:1 \"Given a, when b, then c.\" -->\n\n\
            ```\nGiven a, when b, then c.\n```\n";
        let expected = "## Functional requirements\n\n### FR-001: It exports orders as CSV\n\nCategory: Functional\n\n**Acceptance criteria**\n\n\
            - Given 0 orders,<br>when it runs,<br>then the file is empty.\n- It takes 10 s.\n\n\
            ### FR-002: It | logs\n\nCategory: Functional\n\n\n## Next\n\n\
            - Given a,<br>when b,<br>then c. <!-- source: a.md:1 \"Given a, when b, then c.\" -->\n\n```\nGiven a, when b, then c.\n```\n";
        assert_eq!(readable(text, Language::En), expected);
        let chinese = readable(
            "## 功能需求\n\n| 编号 | 标题 | 需求 | 验收标准 | 优先级 | 类别 |\n|-|-|-|-|-|-|\n| FR-001 | 导出 | 可以导出订单。 | 不超过 10 秒 | P1 | 功能 |\n",
            Language::Zh,
        );
        assert!(
            chinese.contains(
                "### FR-001：导出\n\n可以导出订单。\n\n优先级：P1 · 类别：功能\n\n**验收标准**\n\n- 不超过 10 秒\n"
            ),
            "{chinese}"
        );
    }

    #[test]
    fn other_tables_stay_tables() {
        let traces = "| Requirement | Criteria | Source |\n| --- | --- | --- |\n| FR-001 | FR-001.1 | notes.md:4 |\n";
        assert_eq!(readable(traces, Language::En), traces);
        let limits = "| ID | Limit |\n|---|---|\n| a | 3 |\n";
        assert_eq!(readable(limits, Language::En), limits);
    }
}
