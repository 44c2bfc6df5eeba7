//! First steps of a new user: `init github`, and pull requests whose files hide a document that is not ready.

use super::github::Checkout;
use super::{READY, Sandbox};

const ISSUES: &str = ".github/workflows/reqgate-issues.yml";

#[test]
fn the_workflows_that_are_written_are_the_linted_examples_and_stay_as_people_pin_them() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init", "github"]).ends_with(0);
    for (written, example) in [
        ("issues", "issues.yml"),
        ("pull-requests", "pull-request.yml"),
        ("commands", "commands.yml"),
        ("audit", "audit.yml"),
    ] {
        let linted = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("action/examples").join(example);
        let linted = std::fs::read_to_string(linted).expect("the example is there");
        assert_eq!(sandbox.read(&format!(".github/workflows/reqgate-{written}.yml")), linted);
    }
    let again = sandbox.run(&["init", "github"]).ends_with(0);
    assert!(again.stdout.contains(&format!("unchanged  {ISSUES}")), "{}", again.stdout);
    // The hash that a person inserted does not count as a difference.
    let pinned = sandbox.read(ISSUES).replace("OWNER/reqgate@0000", "octo/reqgate@1234");
    sandbox.file(ISSUES, &pinned);
    sandbox.run(&["init", "github"]).ends_with(0);
    assert_eq!(sandbox.read(ISSUES), pinned);
    // A change of another line does, and is overwritten only on request.
    sandbox.file(ISSUES, pinned.replace("timeout-minutes: 10", "timeout-minutes: 5"));
    sandbox.run(&["init", "github"]).ends_with(2);
    assert!(sandbox.read(ISSUES).contains("timeout-minutes: 5"));
    let action = "octo/reqgate@0123456789abcdef0123456789abcdef01234567";
    sandbox.run(&["init", "github", "--force", "--action", action]).ends_with(0);
    let forced = sandbox.read(ISSUES);
    assert!(forced.contains(&format!("- uses: {action}\n")) && forced.contains("timeout-minutes: 10"), "{forced}");
}

const PATH: &str = "docs/prd/export.md";
const POOR: &str = "# Search\n\nThe search should be fast and user-friendly. The order of the hits is TBD.\n";

/// Adds or changes the only document of a pull request, and judges it.
fn judged(before: Option<&str>, now: &str, more: &[(&str, &str)]) -> (Checkout, super::Ran) {
    let base: Vec<(&str, &str)> = before.map(|text| (PATH, text)).into_iter().collect();
    let checkout = Checkout::new(&[&[("a.txt", "x")][..], &base].concat());
    checkout.request(&[(PATH, now)]);
    let ran = checkout.judge(more);
    (checkout, ran)
}

#[test]
fn an_unready_document_below_a_ready_one_blocks_a_request_on_its_own_lines() {
    let (_, ran) = judged(None, READY, &[]);
    ran.ends_with(0);
    let now = format!("{READY}\n{POOR}");
    let (checkout, ran) = judged(None, &now, &[]);
    let ran = ran.ends_with(1);
    let line = now.lines().position(|line| line.contains("TBD")).expect("it is there") + 1;
    assert!(ran.stdout.contains(&format!("::error file={PATH},line={line},")), "{}", ran.stdout);
    assert_eq!(checkout.output("verdict"), "blocked");
    // A document that existed before and is unchanged does not block.
    let (_, ran) = judged(Some(&now), &now.replace("5,000", "6,000"), &[]);
    ran.ends_with(0);
    let (_, ran) = judged(Some(&now), &now.replace("5,000", "6,000"), &[("REQGATE_CHANGED_ONLY", "false")]);
    ran.ends_with(1);
}

#[test]
fn an_unready_document_in_a_code_block_blocks_a_request_and_an_example_does_not() {
    let (_, ran) = judged(None, &format!("{READY}\n```markdown\n{POOR}```\n"), &[]);
    ran.ends_with(1);
    let (_, ran) = judged(None, &format!("{READY}\n~~~\n# 搜索\n\n搜索应该很快，界面要友好。排序待定。\n~~~\n"), &[]);
    ran.ends_with(1);
    let (_, ran) =
        judged(None, &format!("{READY}\nAn example of what we do not want:\n\n```markdown\n{POOR}```\n"), &[]);
    ran.ends_with(0);
}

#[test]
fn a_wish_without_a_criterion_blocks_a_request_whatever_the_estimate_says() {
    let wish = "# Export\n\nIt should be possible to export the list of the orders as a file from the orders page.\n";
    let (checkout, ran) = judged(None, wish, &[]);
    let ran = ran.ends_with(1);
    assert!(ran.stdout.contains("title=missing-acceptance-criteria"), "{}", ran.stdout);
    assert!(checkout.sandbox.read("summary.md").contains("0 found"));
    let with_one = format!(
        "{wish}\n## Acceptance criteria\n\n- The button Export downloads orders.csv with the columns id and date.\n"
    );
    let (_, ran) = judged(None, &with_one, &[]);
    ran.ends_with(0);
    // The finding existed before.
    let (_, ran) = judged(Some(wish), &wish.replace("orders page", "page of orders"), &[]);
    ran.ends_with(0);
}

#[test]
fn a_document_in_a_language_that_is_not_judged_is_named_and_fails_where_warnings_do() {
    let german = "# Suche\n\nDie Suche soll schneller werden und bessere Treffer zeigen. Das Format ist noch offen, bitte bald umsetzen.\n";
    let spanish = "# Buscador\n\nEl buscador debe ser más rápido y mostrar mejores resultados. El formato todavía está pendiente de decidir.\n";
    for text in [german, spanish] {
        let (checkout, ran) = judged(None, text, &[]);
        let ran = ran.ends_with(0);
        assert!(ran.stdout.contains(&format!("::warning file={PATH},title=not-judged::")), "{}", ran.stdout);
        assert_eq!(checkout.output("verdict"), "skipped");
        let (_, ran) = judged(None, text, &[("REQGATE_FAIL_ON", "warning")]);
        ran.ends_with(1);
    }
}
