//! Placeholders of a template that are left in a text, and signs that only look like them.

use reqgate::rules::{self, RuleBook};

fn book() -> RuleBook {
    rules::load(&rules::shipped_files()).expect("the shipped rules load")
}

fn left(book: &RuleBook, text: &str) -> Vec<String> {
    book.reader.read(text, None).placeholders.iter().map(|span| span.slice(text).to_owned()).collect()
}

#[test]
fn slots_of_every_convention_are_found() {
    let book = book();
    for (open, close) in [("{", "}"), ("{{", "}}"), ("${", "}"), ("‹", "›"), ("<", ">"), ("[", "]"), ("___", "___")]
    {
        let slot = |words: &str| format!("{open}{words}{close}");
        let (role, goal, state) = (slot("role"), slot("goal"), slot("initial state"));
        let text =
            format!("# Export\n\nAs a {role}, I want {goal}.\n\n- Given {state}, when a clerk saves, it is kept.\n");
        assert_eq!(left(&book, &text), [role, goal, state]);
    }
    for (open, close) in [("[", "]"), ("【", "】"), ("‹", "›"), ("{", "}")] {
        let (role, goal) = (format!("{open}角色{close}"), format!("{open}具体功能{close}"));
        assert_eq!(left(&book, &format!("# 导出\n\n作为{role}，我想要{goal}，以便对账。\n")), [role, goal]);
    }
}

#[test]
fn instructions_examples_and_blanks_are_found() {
    let book = book();
    for (text, found) in [
        ("# Export\n\n[Describe the journey of the user]\n", "[Describe the journey of the user]"),
        ("# Export\n\n- OS: [e.g. iOS]\n", "[e.g. iOS]"),
        ("# Export\n\n- Browser [e.g. chrome, safari]\n", "[e.g. chrome, safari]"),
        ("# Export\n\n- The page opens within ____ seconds.\n", "____"),
        ("# Export\n\n1. Go to '...'\n", "'...'"),
        ("# Export\n\n- Placement: ??\n", "??"),
        ("# 导出\n\n- 验收标准：（填写验收标准）\n", "（填写验收标准）"),
        ("# 导出\n\n【请填写复现步骤】\n", "【请填写复现步骤】"),
        ("# Export\n\n| Field | Value |\n|---|---|\n| Limit | [the limit] |\n| Owner | [your name] |\n", "[your name]"),
    ] {
        assert!(left(&book, text).iter().any(|one| one == found), "{text}: {:?}", left(&book, text));
    }
}

#[test]
fn signs_that_mean_something_else_are_left_alone() {
    let book = book();
    for words in [
        "`{id}` and `[name]` are written, see [the manual](https://example.org) and [the plan][1].",
        "The route /orders/{id}/lines returns {name: 3}, and ${HOME}/x is read.",
        "The mail says \"Hello {first name}\".",
        "Click on [Save]; [Cancel] is grey [1].",
        "Usage: label [options] <file> [name]",
        "Map<String, Date> and <b>bold</b> and <kbd>Enter</kbd>",
        "[x] done",
        "[WIP] the header is sticky",
        "The cell shows \"...\" while it loads ...",
        "Create a project with {{app new}} and build it with {{app run -p}}.",
        "点击【导出】后下载，【背景】不变。",
        "When [Save] is clicked, then [Cancel] is hidden.",
        "What is kept?",
    ] {
        assert_eq!(left(&book, &format!("# Orders\n\n- {words}\n")), Vec::<String>::new());
    }
    assert!(left(&book, "# Mail templates\n\nAs a shop, I want {first name} and {order number} in them.\n").is_empty());
    assert!(
        left(&book, "Feature: A\n  Scenario Outline: b\n    Given <age>\n    Then <text>\n\n    Examples:\n")
            .is_empty()
    );
}
