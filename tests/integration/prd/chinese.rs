//! A Chinese feature uses Chinese in all output: lists, questions of the workflow and of the engine, answers, history
//! and page.

use serde_json::json;

use super::{answered, approved, open_ask};
use crate::cli::Sandbox;

const FILE: &str = "docs/prd/001-canteen/requirements.md";

fn canteen() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file(
        "会议.txt",
        "需求：\n- 老人可以用手机订餐，也可以打电话由志愿者代订。\n- 每个人一天最多订 2 份。\n- 字体不小于 20 号。\n- 付款由老人卡扣款。\n",
    );
    sandbox
}

/// Fails if three English words in a row occur; commands, codes, times and names of files are exempt.
#[track_caller]
fn assert_chinese(text: &str) {
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    for line in text.lines().filter(|line| !line.trim_start().starts_with("reqgate ")) {
        // Text in backquotes is a command.
        let spoken: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" | ");
        let words: Vec<&str> = spoken.split(' ').collect();
        assert!(!words.windows(3).any(|three| three.iter().all(is_word)), "{line}");
    }
}

/// The words of a page, without its marks.
fn words_of(page: &str) -> String {
    let body = page.split_once("<body>").expect("a page").1;
    body.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words)).collect::<Vec<_>>().join("\n")
}

#[test]
fn everything_said_about_a_chinese_feature_is_chinese() {
    let sandbox = canteen();
    let start = ["prd", "start", "社区食堂要做订餐", "--from", "会议.txt", "--id", "canteen"];
    assert_chinese(&sandbox.run(&start).ends_with(4).stdout);
    let list = sandbox.run(&["prd", "list"]).ends_with(0).stdout;
    assert!(list.contains("等待答复") && !list.contains("waiting"), "{list}");
    assert_chinese(&sandbox.run(&["prd", "status", "canteen"]).ends_with(0).stdout);
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    let refused = sandbox.run_with(&["answer", &id, "--json", "-"], &[], "{\"approved\": false}").ends_with(2).stderr;
    assert!(refused.contains("答复与问题不符") && refused.contains("请说明要改什么"), "{refused}");
    let brief = sandbox.run(&["answer", &id, "--approve"]).ends_with(4).stdout;
    assert_chinese(&brief);
    let again = sandbox.run(&["answer", &id, "--approve"]);
    assert!(again.stderr.contains("已不再等待答复"), "{again:?}");
    approved(&sandbox).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "gap_decision");

    // The engine also asks in Chinese about a file that cannot be read; the wire form of the question is unchanged.
    let good = sandbox.read(FILE);
    sandbox.file(FILE, good.replacen("### FR-001", "### FR-001：两次\n\n### FR-001", 1));
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    let stopped = sandbox.run(&["answer", &id, "--approve"]).ends_with(4).stdout;
    assert!(
        stopped.contains("无法继续：requirements.md") && stopped.contains("继续：重试；终止：记为失败"),
        "{stopped}"
    );
    assert_chinese(&stopped);
    assert_chinese(&sandbox.run(&["inbox"]).ends_with(0).stdout);
    let wire = open_ask(&sandbox);
    assert!(wire["question"].as_str().is_some_and(|words| words.contains("cannot continue")), "{wire:#}");
    sandbox.file(FILE, &good);
    approved(&sandbox).ends_with(4);
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "先试用一个月" })).ends_with(0);
    assert!(sandbox.run(&["prd", "list"]).ends_with(0).stdout.contains("已完成"));
    let history = sandbox.run(&["prd", "history", "canteen"]).ends_with(0).stdout;
    assert_chinese(&history);
    assert!(history.contains("已答复（命令）") && history.contains("无法继续"), "{history}");
    sandbox.run(&["prd", "view", "canteen", "--output", "page.html"]).ends_with(0);
    let page = sandbox.read("page.html");
    assert!(page.contains("<html lang=\"zh\">") && page.contains("时间线"), "{}", &page[..200]);
    assert_chinese(&words_of(&page));
}

/// A thread that waits for a work order, and one that a person ended.
#[test]
fn work_orders_and_failed_threads_are_told_in_chinese() {
    let sandbox = canteen();
    let start = ["prd", "start", "社区食堂要做订餐", "--from", "会议.txt", "--id", "canteen", "--author", "agent"];
    let order = sandbox.run(&start).ends_with(4).stdout;
    // The instructions are English, like every prompt; the command's other output is Chinese.
    let own = order.lines().filter(|line| !line.contains('│')).filter(|line| line.contains(['：', '，']));
    assert_chinese(&own.collect::<Vec<_>>().join("\n"));
    assert!(
        order.contains("工作单 canteen.6.0.1：撰写") && order.contains("结果（JSON）：") && order.contains("提交："),
        "{order}"
    );
    assert!(sandbox.run(&["prd", "list"]).ends_with(0).stdout.contains("等待提交草稿"));
    sandbox.run(&["prd", "cancel", "canteen", "--reason", "不做了"]).ends_with(0);
    assert!(sandbox.run(&["prd", "history", "canteen"]).ends_with(0).stdout.contains("已取消：不做了"));
    assert!(sandbox.run(&["prd", "list"]).ends_with(0).stdout.contains("已取消"));
}

/// Commands about a thread that has ended, or that is redirected.
#[test]
fn commands_about_a_whole_thread_are_chinese() {
    let sandbox = canteen();
    let start = ["prd", "start", "社区食堂要做订餐", "--from", "会议.txt", "--id", "canteen"];
    sandbox.run(&start).ends_with(4);
    let said = |arguments: &[&str], words: &str| {
        let text = sandbox.run(arguments).ends_with(0).stdout;
        assert!(text.contains(words), "{arguments:?}: {text}");
        assert_chinese(&text);
        text
    };
    said(&["prd", "verify", "canteen"], "均未被改动");
    let sequence = sandbox.run(&["prd", "status", "canteen", "--format", "json"]).ends_with(0).json();
    let sequence = sequence["seq"].as_u64().unwrap_or(1).to_string();
    said(
        &["prd", "fork", "canteen", "--at", &sequence, "--id", "second"],
        "second：用 `reqgate prd resume second` 继续",
    );
    said(&["prd", "diff", "canteen", "canteen"], "没有差别");
    let archive = sandbox.run(&["prd", "export", "canteen"]).ends_with(0).stdout;
    let elsewhere = Sandbox::new();
    elsewhere.file("archive.jsonl", archive);
    let text = elsewhere.run(&["prd", "import", "archive.jsonl", "--yes"]).ends_with(0).stdout;
    assert!(text.contains("导入只写入 .reqgate/state.db。") && text.contains("canteen：已导入；"), "{text}");
    sandbox.run(&["prd", "cancel", "canteen", "--reason", "不做了"]).ends_with(0);
    sandbox.run(&["prd", "cancel", "second", "--reason", "不做了"]).ends_with(0);
    said(&["prd", "diff", "canteen", "second"], "");
    said(&["prd", "prune", "--before", "2999-01-01"], "canteen：已清除");
}

/// Another file exists at the path of the brief.
#[test]
fn a_refused_file_is_told_in_chinese() {
    let sandbox = canteen();
    let start = ["prd", "start", "社区食堂要做订餐", "--from", "会议.txt", "--id", "canteen"];
    sandbox.run(&start).ends_with(4);
    sandbox.file("docs/prd/001-canteen/feature-brief.md", "别人写的\n");
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["answer", &id, "--approve"]).ends_with(4);
    let history = sandbox.run(&["prd", "history", "canteen"]).ends_with(0).stdout;
    assert!(history.contains("文件未写入") && history.contains("已被别人改动"), "{history}");
    assert_chinese(&history);
}
