//! Pull requests that must not pass: texts that cannot be judged, copies of old findings, and prose hidden in a fence.

use super::READY;
use super::github::{Checkout, with_open_point};

const SPANISH: &str = "\
# PRD: notificaciones

## Objetivo

Los usuarios deben recibir un aviso cuando cambia el estado de su pedido.

## Requisitos

- El sistema debe enviar el aviso en menos de un minuto.
- El canal está pendiente de decisión.
";

#[test]
fn a_document_in_another_language_is_warned_of_and_is_not_ready() {
    let checkout = Checkout::new(&[("README.md", "x")]);
    checkout.request(&[("docs/prd/avisos.md", SPANISH), ("docs/prd/export.md", READY)]);
    let ran = checkout.judge(&[]).ends_with(0);
    assert!(ran.stdout.contains("::warning file=docs/prd/avisos.md,title=not-judged"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Spanish"), "{}", ran.stdout);
    assert_eq!((checkout.output("verdict"), checkout.output("ready")), ("skipped".to_owned(), "false".to_owned()));
    assert!(checkout.output("skip-reason").contains("language"), "{}", checkout.output("skip-reason"));
    checkout.judge(&[("REQGATE_FAIL_ON", "warning")]).ends_with(1);
    // A language stated in the pull request does not exempt a text.
    let checkout = Checkout::new(&[("README.md", "x")]);
    checkout.request(&[("docs/prd/avisos.md", &format!("---\nlanguage: en\n---\n\n{SPANISH}"))]);
    let ran = checkout.judge(&[]).ends_with(0);
    assert!(ran.stdout.contains("title=not-judged"), "{}", ran.stdout);
}

#[test]
fn the_base_decides_what_becomes_of_other_languages() {
    for (others, code, warned) in [("skip", 0, false), ("fail", 1, false)] {
        let checkout = Checkout::new(&[(".reqgate.yaml", &format!("version: 1\nlanguages: {{others: {others}}}\n"))]);
        checkout.request(&[("docs/prd/avisos.md", SPANISH)]);
        let ran = checkout.judge(&[]).ends_with(code);
        assert_eq!(ran.stdout.contains("title=not-judged"), warned, "{others}: {}", ran.stdout);
        assert_eq!(ran.stdout.contains("::error file=docs/prd/avisos.md"), code == 1, "{others}: {}", ran.stdout);
    }
}

#[test]
fn a_file_for_programs_is_warned_of() {
    let rows: String = (1..9).map(|row| format!("{row},2026-01-0{row},Anna Smith,12.50\n")).collect();
    let checkout = Checkout::new(&[("README.md", "x")]);
    checkout.request(&[("docs/prd/orders.md", &format!("number,date,customer,total\n{rows}"))]);
    let ran = checkout.judge(&[]).ends_with(0);
    assert!(ran.stdout.contains("::warning file=docs/prd/orders.md,title=not-judged"), "{}", ran.stdout);
    assert_eq!(checkout.output("ready"), "false");
}

#[test]
fn copies_of_an_old_open_point_are_new() {
    let old = with_open_point(READY);
    let checkout = Checkout::new(&[("docs/prd/export.md", &old)]);
    checkout.request(&[("docs/prd/export.md", &format!("{old}{}", "- The file name is TBD.\n".repeat(20)))]);
    let ran = checkout.judge(&[]).ends_with(1);
    assert!(ran.stdout.contains("open-point"), "{}", ran.stdout);
    // The finding is moved, with one copy fewer than before, so it is not new.
    let three = format!("{old}{}", "- The file name is TBD.\n".repeat(2));
    let checkout = Checkout::new(&[("docs/prd/export.md", &three)]);
    checkout.request(&[("docs/prd/export.md", &format!("{old}- The file name is TBD.\n\nThe menu has icons.\n"))]);
    checkout.judge(&[]).ends_with(0);
}

#[test]
fn prose_in_a_fence_counts_in_a_document() {
    for mark in ["```", "```js", "~~~"] {
        let hidden = format!("{mark}\nThe import must be fast and easy to use.\nThe format is TBD.\n{}\n", &mark[..3]);
        let goals =
            "## Goals\n\nClerks save 30 minutes a day.\n\n## Requirements\n\n- FR-1: The list has a button “Export”.\n";
        let checkout = Checkout::new(&[("README.md", "x")]);
        checkout.request(&[("docs/prd/new.md", &format!("# PRD: Import\n\n{goals}\n{hidden}"))]);
        let ran = checkout.judge(&[]).ends_with(1);
        assert!(ran.stdout.contains("title=open-point"), "{mark}: {}", ran.stdout);
    }
}

#[test]
fn a_reason_that_repeats_the_wish_is_told() {
    let story = "\
# Export orders

As a clerk, I want to export the orders, so that the orders can be exported by me.

## Acceptance criteria

- When the user clicks the button, then the action is performed successfully.
- When an error occurs, then an error message is shown.
";
    let checkout = Checkout::new(&[("README.md", "x")]);
    checkout.request(&[("docs/prd/export.md", story)]);
    let ran = checkout.judge(&[]);
    assert!(ran.stdout.contains("title=circular-benefit"), "{}", ran.stdout);
}
