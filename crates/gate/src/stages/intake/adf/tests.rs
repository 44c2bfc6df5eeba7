//! Tests of the conversion, node by node.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn node(kind: &str, content: Vec<Value>) -> Value {
    json!({"type": kind, "content": content})
}

fn paragraph(words: &str) -> Value {
    node("paragraph", vec![text(words)])
}

fn markdown(blocks: Vec<Value>) -> String {
    to_markdown(&node("doc", blocks))
}

#[test]
fn headings_and_paragraphs_are_set_apart() {
    let heading = json!({"type": "heading", "attrs": {"level": 2}, "content": [text("Scope")]});
    assert_eq!(markdown(vec![heading, paragraph("One."), paragraph("Two.")]), "## Scope\n\nOne.\n\nTwo.");
}

#[test]
fn lists_nest() {
    let inner =
        node("orderedList", vec![node("listItem", vec![paragraph("b")]), node("listItem", vec![paragraph("c")])]);
    let list =
        node("bulletList", vec![node("listItem", vec![paragraph("a"), inner]), node("listItem", vec![paragraph("d")])]);
    assert_eq!(markdown(vec![paragraph("List:"), list]), "List:\n\n- a\n  1. b\n  2. c\n- d");
}

#[test]
fn ordered_list_starts_where_it_says() {
    let items = vec![node("listItem", vec![paragraph("a")]), node("listItem", vec![])];
    let list = json!({"type": "orderedList", "attrs": {"order": 9}, "content": items});
    assert_eq!(markdown(vec![list]), "9. a\n10.");
}

#[test]
fn item_of_several_blocks_keeps_them_inside() {
    let code = node("codeBlock", vec![text("x = 1\ny = 2")]);
    let list = node(
        "bulletList",
        vec![node("listItem", vec![paragraph("Run"), code]), node("listItem", vec![paragraph("Stop")])],
    );
    assert_eq!(markdown(vec![list]), "- Run\n\n  ```\n  x = 1\n  y = 2\n  ```\n- Stop");
}

#[test]
fn tasks_have_boxes_and_levels() {
    let task =
        |state: &str, words: &str| json!({"type": "taskItem", "attrs": {"state": state}, "content": [text(words)]});
    let list = node("taskList", vec![task("DONE", "a"), node("taskList", vec![task("TODO", "b")]), task("TODO", "c")]);
    assert_eq!(markdown(vec![list]), "- [x] a\n  - [ ] b\n- [ ] c");
}

#[test]
fn decisions_are_items() {
    let item = json!({"type": "decisionItem", "attrs": {"state": "DECIDED"}, "content": [text("Use CSV")]});
    assert_eq!(markdown(vec![node("decisionList", vec![item])]), "- Use CSV");
}

#[test]
fn tables_have_a_head_and_one_line_for_each_row() {
    let header = |words: &str| node("tableHeader", vec![paragraph(words)]);
    let list =
        node("bulletList", vec![node("listItem", vec![paragraph("x|y")]), node("listItem", vec![paragraph("z")])]);
    let wide = json!({"type": "tableCell", "attrs": {"colspan": 2}, "content": [paragraph("wide")]});
    let table = node(
        "table",
        vec![
            node("tableRow", vec![header("Field"), header("Rule")]),
            node("tableRow", vec![node("tableCell", vec![paragraph("Name")]), node("tableCell", vec![list])]),
            node("tableRow", vec![wide]),
        ],
    );
    let expected = "| Field | Rule |\n| --- | --- |\n| Name | - x\\|y<br>- z |\n| wide | |";
    assert_eq!(markdown(vec![table]), expected);
}

#[test]
fn code_has_a_fence_longer_than_its_backticks() {
    let code = json!({"type": "codeBlock", "attrs": {"language": "sh`\n"}, "content": [text("echo ```\n")]});
    assert_eq!(markdown(vec![code]), "````sh\necho ```\n````");
}

#[test]
fn quotations_and_rules_are_marked_and_panels_are_not() {
    let quote = node("blockquote", vec![paragraph("a"), paragraph("b")]);
    let panel = json!({"type": "panel", "attrs": {"panelType": "info"}, "content": [paragraph("Mind this.")]});
    assert_eq!(markdown(vec![quote, json!({"type": "rule"}), panel]), "> a\n>\n> b\n\n---\n\nMind this.");
}

#[test]
fn expand_and_layout_are_opened() {
    let expand = json!({"type": "expand", "attrs": {"title": "Details"}, "content": [paragraph("a")]});
    let layout = node(
        "layoutSection",
        vec![node("layoutColumn", vec![paragraph("b")]), node("layoutColumn", vec![paragraph("c")])],
    );
    assert_eq!(markdown(vec![expand, layout]), "**Details**\n\na\n\nb\n\nc");
}

#[test]
fn inline_nodes_become_words() {
    let paragraph = node(
        "paragraph",
        vec![
            json!({"type": "mention", "attrs": {"id": "1", "text": "@Kim Lee"}}),
            text(" "),
            json!({"type": "status", "attrs": {"text": "READY", "color": "green"}}),
            text(" by "),
            json!({"type": "date", "attrs": {"timestamp": "1795219200000"}}),
            json!({"type": "hardBreak"}),
            json!({"type": "inlineCard", "attrs": {"url": "https://example.org/a"}}),
            text(" "),
            json!({"type": "emoji", "attrs": {"shortName": ":tada:", "text": "🎉"}}),
            json!({"type": "placeholder", "attrs": {"text": "say -- why"}}),
        ],
    );
    let expected = "@Kim Lee READY by 2026-11-21\nhttps://example.org/a 🎉<!-- say - - why -->";
    assert_eq!(markdown(vec![paragraph]), expected);
}

#[test]
fn marks_close_on_words_and_links_show_their_address() {
    let marked = |words: &str, marks: Value| json!({"type": "text", "text": words, "marks": marks});
    let link = json!([{"type": "link", "attrs": {"href": "https://example.org"}}]);
    let paragraph = node(
        "paragraph",
        vec![
            marked("Press ", json!([{"type": "strong"}])),
            marked("Save", json!([{"type": "code"}])),
            marked(" now ", json!([{"type": "em"}, {"type": "strike"}, {"type": "underline"}])),
            marked("docs", link.clone()),
            text(" "),
            marked("https://example.org", link),
        ],
    );
    let expected = "**Press** `Save` *~~now~~* [docs](https://example.org) https://example.org";
    assert_eq!(markdown(vec![paragraph]), expected);
}

#[test]
fn media_and_unknown_nodes_keep_their_words() {
    let media = json!({"type": "mediaSingle", "content": [
        {"type": "media", "attrs": {"id": "f1", "type": "file", "alt": "screen.png"}},
        {"type": "caption", "content": [text("The screen")]}
    ]});
    let future = node("somethingNew", vec![node("innerNew", vec![text("still "), text("read")])]);
    assert_eq!(markdown(vec![media, future]), "![screen.png](f1)\n\nThe screen\n\nstill read");
}

#[test]
fn dates_of_all_ages_are_read() {
    for (timestamp, expected) in [("0", "1970-01-01"), ("951782400000", "2000-02-29"), ("-1", "1969-12-31"), ("x", "")]
    {
        let date = json!({"type": "date", "attrs": {"timestamp": timestamp}});
        assert_eq!(to_markdown(&node("paragraph", vec![date])), expected);
    }
}

#[test]
fn very_deep_nesting_does_not_overflow_the_stack() {
    let kinds = [
        "bulletList",
        "listItem",
        "blockquote",
        "table",
        "tableRow",
        "tableCell",
        "paragraph",
        "panel",
        "odd",
        "taskList",
    ];
    for kind in kinds {
        // Built by hand, because `json!` would copy the tree at every level.
        let deep = (0..100_000).fold(paragraph("core"), |inner, _| {
            let mut object = serde_json::Map::new();
            object.insert("type".to_owned(), Value::from(kind));
            object.insert("content".to_owned(), Value::Array(vec![inner]));
            Value::Object(object)
        });
        to_markdown(&deep);
        // Dropping such a tree overflows the stack in serde_json; no parser would have created it.
        std::mem::forget(deep);
    }
}

fn any_node() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(vec![
        "doc",
        "paragraph",
        "heading",
        "bulletList",
        "orderedList",
        "listItem",
        "taskList",
        "taskItem",
        "table",
        "tableRow",
        "tableCell",
        "codeBlock",
        "blockquote",
        "panel",
        "expand",
        "text",
        "mention",
        "date",
        "status",
        "media",
        "hardBreak",
        "inlineCard",
        "emoji",
        "rule",
        "odd",
    ]);
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let leaf = (kinds.clone(), scalar.clone(), scalar.clone()).prop_map(|(kind, words, other)| {
        let attributes = json!({"text": words, "timestamp": other, "level": other, "order": other, "colspan": other});
        json!({"type": kind, "text": words, "attrs": attributes, "marks": [{"type": "strong"}, {"type": "code"}]})
    });
    prop_oneof![leaf, scalar].prop_recursive(8, 64, 6, move |inner| {
        (kinds.clone(), prop::collection::vec(inner.clone(), 0..6), inner)
            .prop_map(|(kind, content, odd)| json!({"type": kind, "content": content, "attrs": odd, "marks": odd}))
    })
}

proptest! {
    #[test]
    fn no_json_makes_the_conversion_panic(node in any_node()) {
        to_markdown(&node);
    }

    #[test]
    fn words_of_a_nested_paragraph_survive(words in "[a-z]{1,8}", kinds in prop::collection::vec(0usize..6, 0..10)) {
        let names = ["bulletList", "listItem", "blockquote", "panel", "expand", "odd"];
        let tree = kinds.iter().fold(paragraph(&words), |inner, kind| node(names[*kind], vec![inner]));
        prop_assert!(markdown(vec![tree]).contains(&words));
    }
}
