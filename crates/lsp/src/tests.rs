//! Conversations with the server over pipes in memory, with the shipped rules.

mod client;

use std::io::Write;

use serde_json::{Value, json};

use client::Client;

const VAGUE: &str = "# 😀 Export of orders\n\nAs a clerk I want to export orders, so that I can file them.\n\n\
                     - 导出 The format is TBD.\n- The export is fast.\n";
const ZH: &str = "# 导出订单\n\n作为财务，我想导出订单，以便月底对账。\n\n- 导出格式待定\n";

fn of_rule<'v>(list: &'v Value, rule: &str) -> &'v Value {
    let list = list.as_array().expect("a list");
    list.iter().find(|one| one["code"] == rule).unwrap_or_else(|| panic!("{rule} is not in {list:#?}"))
}

#[test]
fn findings_say_their_ground_and_have_the_columns_of_the_client() {
    for (encodings, column) in [(json!(["utf-16"]), 23), (json!(["utf-8", "utf-16"]), 27)] {
        let mut client = Client::started(json!({ "general": { "positionEncodings": encodings } }));
        client.open("a.md", VAGUE);
        let published = client.published();
        assert_eq!(published["version"], 1);
        let verdict = &published["diagnostics"][0];
        assert_eq!((&verdict["severity"], &verdict["range"]["start"]["line"]), (&json!(3), &json!(0)), "{verdict}");
        let message = verdict["message"].as_str().unwrap();
        assert!(message.starts_with("REJECT") && message.contains("\n1. "), "{message}");
        let open = of_rule(&published["diagnostics"], "open-point");
        assert!(open["message"].as_str().unwrap().starts_with("fact: left open"), "{open}");
        assert_eq!((&open["severity"], &open["source"]), (&json!(1), &json!("reqgate")));
        assert_eq!(open["codeDescription"]["href"], "https://rules.test/open-point");
        assert_eq!(
            (&open["range"]["end"]["line"], &open["range"]["end"]["character"]),
            (&json!(4), &json!(column)),
            "{open}"
        );
        assert_eq!(client.ended(), 1);
    }
}

#[test]
fn chinese_texts_have_chinese_words() {
    let mut client = Client::started(json!({}));
    client.open("a.md", ZH);
    let list = client.published()["diagnostics"].clone();
    assert!(list[0]["message"].as_str().unwrap().starts_with("未就绪"), "{list}");
    assert!(of_rule(&list, "open-point")["message"].as_str().unwrap().starts_with("事实：尚未确定"), "{list}");
    let hover = client.about("textDocument/hover", "a.md", 4, 4);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**为什么重要**\n\nwhy zh"), "{hover}");
}

#[test]
fn only_the_last_version_is_shown() {
    let mut client = Client::started(json!({}));
    client.open("a.md", VAGUE);
    assert_eq!(client.published()["version"], 1);
    for version in 2..30 {
        client.change("a.md", version, &VAGUE.replace("TBD", "CSV"));
    }
    let published = client.published();
    assert_eq!(published["version"], 29);
    assert!(!published.to_string().contains("open-point"), "{published}");
    let uri = client.uri("a.md");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.published()["diagnostics"], json!([]));
}

#[test]
fn a_client_that_asks_for_diagnostics_gets_them_once_judged() {
    let mut client = Client::started(json!({ "textDocument": { "diagnostic": {} } }));
    client.open("a.md", VAGUE);
    let uri = client.uri("a.md");
    let document = json!({ "textDocument": { "uri": uri } });
    let report = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(report["result"]["kind"], "full");
    of_rule(&report["result"]["items"], "open-point");
    client.change("a.md", 2, "# Other text\n");
    let asked = client.send("textDocument/diagnostic", document.clone());
    client.notify("$/cancelRequest", json!({ "id": asked }));
    assert_eq!(client.response(asked)["error"]["code"], -32800);
    let gone = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": "file:///gone.md" } }));
    assert_eq!(gone["result"]["items"], json!([]));
}

/// The text after the edits of an action, and the name of the edited file.
fn applied(client: &Client, action: &Value, text: &str) -> (String, String) {
    let (uri, edits) = match action["edit"]["changes"].as_object() {
        Some(changes) => {
            let (uri, edits) = changes.iter().next().expect("an edit");
            (uri.clone(), edits.clone())
        }
        None => {
            let operations = &action["edit"]["documentChanges"];
            assert_eq!(operations[0]["kind"], "create");
            (operations[1]["textDocument"]["uri"].as_str().unwrap().to_owned(), operations[1]["edits"].clone())
        }
    };
    assert!(action["command"].is_null() && edits.as_array().is_some_and(|edits| edits.len() == 1));
    let range = serde_json::from_value(edits[0]["range"].clone()).unwrap();
    let span = crate::positions::Positions::new(text, crate::positions::Encoding::Utf16).span(range);
    let new = edits[0]["newText"].as_str().unwrap();
    let name = uri.replace(&client.uri(""), "");
    (name, format!("{}{new}{}", &text[..span.start], &text[span.end..]))
}

fn action<'v>(actions: &'v Value, title: &str) -> &'v Value {
    let list = actions.as_array().expect("a list");
    list.iter()
        .find(|one| one["title"].as_str().is_some_and(|own| own.contains(title)))
        .unwrap_or_else(|| panic!("{title} is not in {list:#?}"))
}

#[test]
fn edits_are_plain_and_have_to_be_filled_in() {
    let creating = json!({ "workspace": { "workspaceEdit": { "resourceOperations": ["create"] } } });
    for (text, default) in [(VAGUE, "TBD. Until decided: ‹the default›.\n"), (ZH, "待定。决定之前默认：‹默认做法›。\n")]
    {
        let mut client = Client::started(creating.clone());
        client.open("a.md", text);
        client.published();
        let here = client.about("textDocument/codeAction", "a.md", 4, 5);
        let title = if text == ZH { "豁免 open-point" } else { "Waive open-point" };
        let (name, changed) = applied(&client, action(&here, title), "");
        assert_eq!(name, ".reqgate.yaml");
        assert_eq!(changed, "waivers:\n  - rule: open-point\n    reason: \"\"  # required\n    input: \"a.md\"\n");
        std::fs::write(client.folder.join(".reqgate.yaml"), "sure: 0.5\n").unwrap();
        let here = client.about("textDocument/codeAction", "a.md", 4, 5);
        let title = if text == ZH { "关闭 open-point" } else { "Switch open-point off" };
        let (_, changed) = applied(&client, action(&here, title), "sure: 0.5\n");
        assert_eq!(changed, "sure: 0.5\nrules:\n  open-point: off  # reason: \n");

        let title = if text == ZH { "默认做法" } else { "Add a default" };
        let (name, changed) = applied(&client, action(&here, title), text);
        assert!(name == "a.md" && changed.contains(default), "{changed}");
        client.change("a.md", 2, &changed);
        let list = client.published()["diagnostics"].clone();
        let codes: Vec<&Value> = list.as_array().unwrap().iter().map(|one| &one["code"]).collect();
        assert!(codes.iter().any(|code| **code == "unreplaced-placeholder" || **code == "open-point"), "{list:#}");
    }
}

#[test]
fn criteria_are_added_at_the_end_and_have_to_be_filled_in() {
    let mut client = Client::started(json!({}));
    for (name, text, title, criteria) in [
        (
            "a.md",
            "# Export\n\nAs a clerk I want an export of orders, so that I can file them.\n",
            "Add acceptance criteria",
            "file them.\n\n## Acceptance criteria\n\n- When ‹",
        ),
        ("b.md", "# 导出\n\n作为财务，我想导出订单，以便月底对账。", "添加", "对账。\n\n## 验收标准\n\n- 当‹"),
    ] {
        client.open(name, text);
        client.published();
        let actions = client.about("textDocument/codeAction", name, 0, 0);
        let (_, changed) = applied(&client, action(&actions, title), text);
        assert!(changed.contains(criteria), "{changed}");
        client.change(name, 2, &changed);
        let list = client.published()["diagnostics"].clone();
        of_rule(&list, "unreplaced-placeholder");
    }
}

#[test]
fn a_client_that_cannot_create_files_edits_only_existing_ones() {
    let mut client = Client::started(json!({}));
    client.open("a.md", VAGUE);
    client.published();
    let titles = client.about("textDocument/codeAction", "a.md", 4, 5).to_string();
    assert!(titles.contains("Add a default") && !titles.contains("Waive"), "{titles}");
    std::fs::write(client.folder.join(".reqgate.yaml"), "sure: 0.5\n").unwrap();
    let actions = client.about("textDocument/codeAction", "a.md", 4, 5);
    action(&actions, "Waive open-point for this file in .reqgate.yaml");
    // The text in the editor counts, not the one on disk.
    client.open(".reqgate.yaml", "sure: 0.6\n");
    client.published();
    let actions = client.about("textDocument/codeAction", "a.md", 4, 5);
    let (_, changed) = applied(&client, action(&actions, "Waive open-point"), "sure: 0.6\n");
    assert!(changed.starts_with("sure: 0.6\nwaivers:\n"), "{changed}");
}

#[test]
fn criteria_are_added_below_their_heading() {
    let mut client = Client::started(json!({}));
    let text = "# Export\r\n\r\nAs a clerk I want an export of orders, so that I can file them.\r\n\r\n## Acceptance criteria\r\n\r\n## Notes\r\n\r\nSee the old one.\r\n";
    client.open("a.md", text);
    client.published();
    let actions = client.about("textDocument/codeAction", "a.md", 0, 1);
    let (_, changed) = applied(&client, action(&actions, "Add acceptance criteria"), text);
    assert!(changed.contains("## Acceptance criteria\r\n\r\n- When ‹"), "{changed}");
    assert_eq!(changed.matches("## Acceptance criteria").count(), 1);
}

#[test]
fn outline_is_the_draft_and_headings_are_completed() {
    for nested in [true, false] {
        let support = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": nested } } });
        let mut client = Client::started(support);
        client.open("a.md", VAGUE);
        let symbols = client.about("textDocument/documentSymbol", "a.md", 0, 0);
        let names: Vec<&str> = symbols.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert!(names.contains(&"😀 Export of orders") && names.contains(&"Open points"), "{symbols:#}");
        assert_eq!(symbols[0].get("location").is_none(), nested);
        let text = format!("{VAGUE}\n## ");
        client.change("a.md", 2, &text);
        client.published();
        let items = client.about("textDocument/completion", "a.md", 7, 3);
        let own = items
            .as_array()
            .unwrap()
            .iter()
            .find(|item| item["label"] == "Acceptance criteria")
            .expect("it is offered");
        assert_eq!(own["textEdit"]["newText"], "## Acceptance criteria");
        assert_eq!(own["textEdit"]["range"]["start"], json!({ "line": 7, "character": 0 }));
        assert_eq!(client.about("textDocument/completion", "a.md", 2, 4), json!([]));
    }
}

#[test]
fn patterns_and_front_matter_say_what_is_judged() {
    let mut client = Client::with(json!({}), Some(&["docs-*.md"]));
    for (name, text, judged) in [
        ("docs-a.md", VAGUE.to_owned(), true),
        ("other.md", VAGUE.to_owned(), false),
        ("stated.md", format!("---\ntype: feature\n---\n{VAGUE}"), true),
        ("docs-b.json", "{}".to_owned(), false),
    ] {
        client.open(name, &text);
        assert_eq!(client.published()["diagnostics"] != json!([]), judged, "{name}");
    }
    let mut client = Client::started(json!({}));
    for (name, judged) in [("a.md", true), (".hidden.md", false), ("code.rs", false), ("table.csv", false)] {
        client.open(name, VAGUE);
        assert_eq!(client.published()["diagnostics"] != json!([]), judged, "{name}");
    }
    let document = json!({ "uri": "untitled:Untitled-1", "languageId": "markdown", "version": 1, "text": VAGUE });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    assert_eq!(client.published()["diagnostics"], json!([]));
}

#[test]
fn a_broken_configuration_is_one_error_and_a_mended_one_is_read_again() {
    let mut client = Client::started(json!({}));
    std::fs::write(client.folder.join(".reqgate.yaml"), "broken").unwrap();
    client.open("a.md", VAGUE);
    let list = client.published()["diagnostics"].clone();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert!(list[0]["message"].as_str().unwrap().contains("is broken"), "{list}");
    std::fs::write(client.folder.join(".reqgate.yaml"), "sure: 0.5\n").unwrap();
    let uri = client.uri(".reqgate.yaml");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    of_rule(&client.published()["diagnostics"], "open-point");
}

#[test]
fn a_text_of_any_shape_is_judged() {
    let mut client = Client::started(json!({}));
    for (number, text) in [
        "",
        "\n",
        "x",
        "# 标题",
        "\r\n\r\n\t# a\r\n",
        "---\ntype: bug\n---\n",
        "\u{feff}# Export is slow\n\nTBD",
        "😀",
        "a\0b",
    ]
    .into_iter()
    .enumerate()
    {
        client.open(&format!("{number}.md"), text);
        assert!(client.published()["diagnostics"].is_array(), "{text:?}");
        for method in ["hover", "completion", "codeAction", "documentSymbol"] {
            client.about(&format!("textDocument/{method}"), &format!("{number}.md"), u32::MAX, u32::MAX);
        }
    }
}

#[test]
fn a_text_that_is_too_large_gets_one_message_and_many_findings_are_cut() {
    let mut client = Client::started(json!({}));
    client.open("large.md", &"The export is fast. ".repeat(500_000));
    let list = client.published()["diagnostics"].clone();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert!(list[0]["message"].as_str().unwrap().contains("larger than 1 MiB"), "{list}");
    assert_eq!(client.about("textDocument/hover", "large.md", 0, 5), Value::Null);
    let vague: String = (0..60)
        .map(|n| format!("- The {n}. export is fast, easy, flexible, user-friendly, simple, modern and/or better.\n"))
        .collect();
    client.open("many.md", &format!("# Export\n\nAs a clerk I want exports.\n\n{vague}"));
    let list = client.published()["diagnostics"].clone();
    let count = list.as_array().map_or(0, Vec::len);
    assert!(count <= 102, "{count}");
    if count == 102 {
        assert!(list[101]["message"].as_str().unwrap().contains("more finding"), "{}", list[101]);
    }
}

#[test]
fn mistakes_of_a_client_are_answered() {
    let mut client = Client::unstarted(None);
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32002);
    assert_eq!(client.request("initialize", json!({ "rootUri": "file:///gone" }))["error"]["code"], -32803);
    let result = client.request("initialize", json!({ "capabilities": null, "processId": 1, "rootUri": null }));
    assert_eq!(result["result"]["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(client.request("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(client.request("workspace/unknown", json!({}))["error"]["code"], -32601);
    for method in ["hover", "completion", "codeAction", "documentSymbol", "diagnostic"] {
        let params = json!({ "textDocument": { "uri": "not a uri" }, "position": { "line": -1, "character": 0 } });
        assert_eq!(client.request(&format!("textDocument/{method}"), params)["error"]["code"], -32602, "{method}");
    }
    client.notify("unknown/notification", json!({}));
    client.notify("textDocument/didOpen", json!({ "textDocument": 3 }));
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///x.md", "version": 9 }, "contentChanges": [] }),
    );
    client.raw("{ not json");
    assert!(client.next()["broken"].is_string());
    assert_eq!(client.request("shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.server.join().unwrap().unwrap(), 0);
}

#[test]
fn the_server_ends_with_its_client() {
    let client = Client::started(json!({}));
    assert_eq!(client.ended(), 1);
    let mut client = Client::started(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.server.join().unwrap().unwrap(), 1);
    // The client no longer reads.
    let mut client = Client::started(json!({}));
    client.open("a.md", VAGUE);
    let Client { input, output, server, .. } = client;
    drop(output);
    assert_eq!(server.join().unwrap().unwrap(), 1);
    drop(input);
    let mut client = Client::unstarted(None);
    client.input.as_mut().unwrap().write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    drop(client.input.take());
    assert!(client.server.join().unwrap().is_err());
}
