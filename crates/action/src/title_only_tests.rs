//! Issues that have only a title.

use super::test_support::edited_under;
use reqgate_net::github::stand_in::StandIn;

/// The comment asks the same question as the report, and never quotes words that the author did not write.
#[test]
fn issue_that_is_only_a_title_is_asked_a_question() {
    for (title, said) in [
        ("Login broken", "### 💬 One question before we can look into this"),
        ("Crash on start", "What should be different afterwards"),
        ("添加任务", "- [ ] "),
        ("Hi", "- [ ] "),
        ("???", "### ⛔ Too short to judge"),
        ("\u{200b}", "### ⛔ Too short to judge"),
    ] {
        for body in ["", "  \n"] {
            let github = StandIn::with_issue(title, body);
            edited_under(&github, "triage");
            let comment = github.own_comments().join("\n");
            assert!(comment.contains(said), "{title}: {comment}");
            let quotes_us = ["nothing is written", "no description", "“-”"].iter().any(|words| comment.contains(words));
            assert!(!quotes_us, "{comment}");
        }
    }
}
