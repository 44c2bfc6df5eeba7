//! The same text gets the same verdict and score from a file, from standard input, and from an issue saved as JSON.

use std::path::Path;
use std::sync::LazyLock;

use reqgate::model::{Outcome, SourceType, Verdict};
use reqgate::pipeline::Pipeline;
use reqgate::stages::intake::read_bytes;

use crate::texts::{pipelines, tickets};

static PIPELINE: LazyLock<Pipeline> = LazyLock::new(pipelines::shipped);

/// The invented tickets, the fixtures and the labelled development examples.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder is in the repository");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
        paths.sort();
        paths.into_iter().map(|path| std::fs::read_to_string(path).expect("it is a text"))
    };
    let mut texts = vec![tickets::FEATURE.to_owned(), tickets::VAGUE_FEATURE.to_owned()];
    texts.extend(files("fixtures/tickets").chain(files("fixtures/documents")));
    texts.extend(files("gold/development").filter_map(|text| {
        let ticket: serde_json::Value = reqgate::yaml::read(&text).expect("the examples are valid YAML");
        Some(ticket.get("text")?.as_str()?.to_owned())
    }));
    texts
});

fn outcome(name: &str, bytes: &[u8]) -> Outcome {
    let input = read_bytes(name, bytes).into_iter().next().expect("an input").expect("a ticket");
    PIPELINE.run(input).expect("a valid packet")
}

/// The parts of an outcome that must not depend on the kind of input.
fn judged(outcome: &Outcome) -> (Verdict, Option<String>, Option<String>) {
    let score = outcome.score_report.as_ref().map(|report| format!("{:.1}", report.total_score));
    (outcome.decision.verdict, score, outcome.decision.rubric.as_ref().map(|rubric| rubric.id.clone()))
}

/// A GitHub issue with this text. Title and body are separate if the text has a title in its first line and an empty
/// line after it.
fn issue(text: &str, title: Option<&str>) -> String {
    let parts = title.and_then(|title| {
        let (before, body) = text.split_once(title)?;
        (before.trim_matches(['#', ' ', '\n']).is_empty() && body.starts_with("\n\n"))
            .then_some((title, body.trim_start_matches('\n')))
    });
    let (title, body) = parts.unwrap_or(("", text));
    serde_json::json!({ "number": 7, "title": title, "body": body }).to_string()
}

fn title(outcome: &Outcome) -> Option<&str> {
    outcome.packet.title_span.map(|span| span.slice(&outcome.packet.raw_text))
}

/// Headings without words or without content, in Markdown and in the markup of Jira.
const EMPTY_ENDS: [&str; 5] = ["", "\n\n## \n", "\n\n##\n", "\n\n## Notes\n", "\n\n### 备注\n\n"];
const EMPTY_ENDS_OF_JIRA: [&str; 4] = ["", "\n\nh2. \n", "\n\nh3. Notes\n", "\n\nh3. 备注\n\n"];

/// Returns true for a text in the markup of Jira, in which a heading of Markdown is an item of a list.
fn is_in_jira_markup(text: &str, outcome: &Outcome) -> bool {
    let marks = ["{{", "|http", "(/) ", "(x) ", "\n# "];
    outcome.packet.source_type.value == SourceType::JiraTicket || marks.iter().any(|mark| text.contains(mark))
}

#[test]
fn every_door_gives_the_same_verdict() {
    let mut wrong = String::new();
    for text in TEXTS.iter() {
        let file = outcome("ticket.md", text.as_bytes());
        let expected = judged(&file);
        let is_masked = file.packet.raw_text != *text;
        let ends = if is_in_jira_markup(text, &file) { &EMPTY_ENDS_OF_JIRA[..] } else { &EMPTY_ENDS };
        for end in ends {
            let ended = format!("{}{end}", text.trim_end());
            let saved = issue(&ended, title(&file).filter(|_| !is_masked));
            let doors = [("ticket.md", &ended), ("ticket.txt", &ended), ("-", &ended), ("issue.json", &saved)];
            for (name, bytes) in doors.into_iter().filter(|(name, _)| end.is_empty() || *name != "ticket.txt") {
                let found = judged(&outcome(name, bytes.as_bytes()));
                // A heading without words changes the shape of a text; it may change the score but not the verdict.
                let is_same = match end.is_empty() && !text.starts_with("###") {
                    true => found == expected,
                    false => (found.0, &found.2) == (expected.0, &expected.2),
                };
                if !is_same {
                    let first = text.lines().next().unwrap_or_default();
                    wrong.push_str(&format!("{first}: {name} with {end:?} gives {found:?}, not {expected:?}\n"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
