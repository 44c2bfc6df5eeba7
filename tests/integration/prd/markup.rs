//! Markup in sources is shown as text in the documents, without active tags, images, links or mentions.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{ANSWERS, project, started};

/// A ticket with markup in every field that could become active.
const LIVELY: &str = "\
# Export orders as CSV <script>alert(1)</script>

Support agents copy orders by hand from the list ![x](https://e.example/p.png) into a spreadsheet, 20 minutes each time.

As a support agent, I want to export the orders of one customer as CSV <img src=x onerror=alert(1)>, so that I can answer in
two minutes.

## Acceptance criteria

- Given a customer with 3 orders, when the agent clicks [Export](javascript:alert(1)), then a file orders.csv with 3 rows is downloaded.
- If a customer has no orders, the button is greyed out and @alice sees \"No orders\".
- Above 5,000 orders the agent sees \\\\<b>Narrow the period</b> and no file is written.

[period]: javascript:alert(2)
";

#[test]
fn nothing_of_a_source_comes_to_life() {
    let sandbox = project();
    sandbox.file("ticket.md", LIVELY).file("answers.yaml", ANSWERS);
    let ran = started(&sandbox, &["--answers", "answers.yaml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for file in ["feature-brief.md", "requirements.md", "prd.md"] {
        let text = sandbox.read(&format!("docs/prd/001-export/{file}"));
        let body = text.splitn(3, "---\n").nth(2).expect("front matter");
        for event in Parser::new_ext(body, Options::ENABLE_TABLES) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    let ours = html.trim() == "<br>" || html.trim_start().starts_with("<!-- ");
                    assert!(ours, "{file}: {html}\n{text}");
                }
                Event::Start(tag @ (Tag::Link { .. } | Tag::Image { .. })) => panic!("{file}: {tag:?}\n{text}"),
                _ => {}
            }
        }
        let visible: String =
            text.split("<!-- source:").map(|part| part.rsplit("-->").next().unwrap_or(part)).collect();
        assert!(!visible.contains("@alice"), "{file}: {text}");
    }
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("&lt;img src=x") && requirements.contains("]&#40;javascript:"), "{requirements}");
    // Reading a document restores the original words.
    let export =
        sandbox.run(&["prd", "show", "export", "--draft", "requirements", "--format", "json"]).ends_with(0).stdout;
    assert!(
        export.contains("<img src=x onerror=alert(1)>") && export.contains("[Export](javascript:alert(1))"),
        "{export}"
    );
}
