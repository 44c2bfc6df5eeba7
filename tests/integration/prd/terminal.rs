//! The dialogue on a real pseudo-terminal: one thing is asked at a time, and no answer is lost.

use std::process::Stdio;

use rexpect::session::{PtySession, spawn_command};
use serde_json::json;

use super::{answered, approved_until, project, started, with_gaps};
use crate::cli::Sandbox;

/// The time limit of each step, in milliseconds.
const LIMIT: u64 = 30_000;

/// The words as the session takes them: one character per byte.
fn bytes(words: &str) -> String {
    words.bytes().map(char::from).collect()
}

/// The words that a session read, decoded.
fn text(read: &str) -> String {
    let bytes: Vec<u8> = read.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A person at the terminal of a project.
struct Person {
    session: PtySession,
}

impl Person {
    fn sits_down(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command();
        command.args(arguments).stdin(Stdio::inherit());
        Self { session: spawn_command(command, Some(LIMIT)).expect("a terminal") }
    }

    /// Waits for these words; returns the text before them.
    #[track_caller]
    fn reads(&mut self, words: &str) -> String {
        text(
            &self
                .session
                .exp_string(&bytes(words))
                .unwrap_or_else(|error| panic!("{words}: {}", text(&error.to_string()))),
        )
    }

    /// Types a line when the program waits after the words `behind`.
    #[track_caller]
    fn types(&mut self, behind: &str, line: &str) -> String {
        let before = self.reads(behind);
        self.session.send_line(line).expect("a line");
        before
    }

    /// Approves every further question until the PRD is written.
    fn approves_the_rest(&mut self) {
        loop {
            let asked = r"(a\[l\]l the rest|decide on \[e\]ach|\[e\]dit), \[q\]uit: |goes back\.\r\n> |goes on\.\r\n> |/prd\.md";
            let (_, found) = self.session.exp_regex(asked).expect("a question");
            let line = match found.as_str() {
                "/prd.md" => break,
                words if words.contains("goes on") => "",
                words if words.contains("[l]") => "l",
                words if words.contains("[e]ach") => "g",
                words if words.contains("goes back") => "a pilot in two shops",
                _ => "a",
            };
            self.session.send_line(line).expect("a line");
        }
    }

    /// The output until the program ends, which must have this exit code.
    #[track_caller]
    fn leaves(mut self, code: i32) -> String {
        let rest = text(&self.session.exp_eof().expect("the end"));
        let status = self.session.process().wait().expect("a status");
        assert!(format!("{status:?}").ends_with(&format!(", {code})")), "{status:?}: {rest}");
        rest
    }
}

const VERDICT: &str = "approve a[l]l the rest, [q]uit: ";

#[test]
fn a_person_is_asked_one_thing_at_a_time_and_can_leave_in_the_middle() {
    let sandbox = project();
    let mut person = Person::sits_down(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"]);
    let brief = person.reads("Press Enter to leave a question open, q to quit; your answers are kept.");
    assert!(
        brief.contains("# Feature brief: Export orders as CSV") && brief.contains("- 2 open questions have no answer"),
        "{brief}"
    );
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", "The median time falls from 20 to 2 minutes by June.");
    person.reads("2/2 What is not part of it?");
    person.types("> ", "q");
    assert!(person.leaves(4).contains("continue with `reqgate prd resume export`"));

    // Answered questions are not asked again; skipped ones stay open.
    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    let asked = person.reads("2/2 What is not part of it?");
    assert!(!asked.contains("1/2") && asked.contains("falls from 20 to 2 minutes"), "{asked}");
    person.types("> ", "PDF exports.");
    // The document to be approved is shown with its answers, and answers can be changed.
    let filled = person.types("[q]uit: ", "x");
    assert!(filled.contains("falls from 20 to 2 minutes") && filled.contains("- PDF exports."), "{filled}");
    person.types("Type one of a, c, e, q", "back");
    person.reads("2/2 What is not part of it?");
    person.types("> ", "");
    person.types("[q]uit: ", "a");
    let mut asked = String::new();
    asked.push_str(&person.reads("1/"));
    assert!(asked.contains("Review the requirement") || asked.contains("Review the"), "{asked}");
    // Ctrl-C in the middle of a decision: the decision is not recorded, and the thread is intact.
    person.types(VERDICT, "r");
    person.reads("Why?");
    person.session.send_control('c').expect("a signal");
    drop(person);
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    assert_eq!(super::open_ask(&sandbox)["kind"], "requirements_review");

    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    // A rejection without a reason is asked for one.
    person.types(VERDICT, "m");
    person.types("What should it say?\r\n> ", "");
    person.types("Type a few words, or q to quit.\r\n> ", "An agent exports the orders of one customer as CSV.");
    person.types("Why?\r\n> ", "shorter");
    person.approves_the_rest();
    person.leaves(0);
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(
        prd.contains("status: approved") && prd.contains("An agent exports the orders of one customer as CSV."),
        "{prd}"
    );
    assert!(prd.contains("from 20 to 2 minutes"), "{prd}");
}

#[test]
fn a_requirement_of_an_approved_prd_is_decided_again_by_its_id() {
    let sandbox = project();
    super::started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let mut person = Person::sits_down(&sandbox, &["prd", "revise", "export", "--because", "no limit after all"]);
    let listed = person.types("Which one is to be decided again? Its id; Enter goes on.\r\n> ", "FR-99");
    assert!(listed.contains("What should change in the requirements?") && listed.contains("FR-001"), "{listed}");
    // An unknown id is asked for again.
    person.types("Enter goes on.\r\n> ", "fr-001");
    person.types("[q]uit: ", "r");
    person.types("Why?\r\n> ", "nobody needs it");
    person.types("Its id; Enter goes on.\r\n> ", "");
    person.types("One sentence; Enter goes on.\r\n> ", "q");
    person.leaves(4);
    // Decisions are kept although the person left.
    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    person.approves_the_rest();
    person.leaves(0);
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("nobody needs it"), "{requirements}");
    assert!(sandbox.read("docs/prd/001-export/prd.md").contains("version: \"2.0\""));
}

#[test]
fn the_dialogue_about_a_chinese_feature_is_chinese() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "会议.txt",
        "规则：\n- 老人可以用手机订餐，也可以打电话由志愿者代订。\n- 每个人一天最多订 2 份。\n- 字体不小于 20 号。\n",
    );
    let mut person =
        Person::sits_down(&sandbox, &["prd", "start", "社区食堂要做订餐", "--from", "会议.txt", "--id", "canteen"]);
    let brief = person.reads("直接回车表示暂不回答；输入 q 退出，已填内容不会丢失。");
    assert!(brief.contains("评审功能简介"), "{brief}");
    person.types("> ", "剩饭每天不超过 5 份。");
    for _ in 0..3 {
        person.types("> ", "");
    }
    person.types("[q] 退出：", "z");
    person.reads("请输入其中一个字母：a, c, e, q");
    person.types("[q] 退出：", "a");
    person.types("[l] 其余全部批准，[q] 退出：", "r");
    person.types("理由是什么？\r\n> ", "q");
    let rest = person.leaves(4);
    assert!(!rest.chars().any(|c| c.is_ascii_uppercase()), "{rest}");
    assert_eq!(super::open_ask(&sandbox)["kind"], "requirements_review");
}

#[test]
fn an_answer_that_waits_to_be_sent_is_kept_without_secrets() {
    let sandbox = project();
    let mut person = Person::sits_down(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"]);
    let secret = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", &format!("Ask jane.doe@kessler-logistik.de, the token is {secret}."));
    person.reads("2/2 What is not part of it?");
    person.types("> ", "q");
    person.leaves(4);
    let kept: String =
        sandbox.names(".reqgate/unsent").iter().map(|name| sandbox.read(&format!(".reqgate/unsent/{name}"))).collect();
    assert!(kept.contains("the token is"), "{kept}");
    assert!(!kept.contains(&secret) && !kept.contains("jane.doe"), "{kept}");
}

#[test]
fn an_import_is_asked_about_on_a_terminal() {
    let sandbox = project();
    super::started(&sandbox, &[]).ends_with(4);
    let archive = sandbox.run(&["prd", "export", "export"]).ends_with(0).stdout;
    let other = project();
    other.file("thread.jsonl", archive);
    let mut person = Person::sits_down(&other, &["prd", "import", "thread.jsonl"]);
    let shown = person.types("Import it? [y/N] ", "");
    assert!(shown.contains("docs/prd/001-export/prd.md") && shown.contains("claims no approvals"), "{shown}");
    assert!(person.leaves(0).contains("nothing was imported"));
    assert!(!other.path(".reqgate").exists());
    let mut person = Person::sits_down(&other, &["prd", "import", "thread.jsonl"]);
    person.types("Import it? [y/N] ", "y");
    assert!(person.leaves(0).contains("export: imported"));
    assert!(other.run(&["prd", "status", "export"]).ends_with(0).stdout.contains("not verified"));
}

#[test]
fn a_page_is_not_printed_on_a_terminal() {
    let sandbox = project();
    super::started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let said = Person::sits_down(&sandbox, &["prd", "view", "export"]).leaves(2);
    assert!(said.contains("--output export.html") && !said.contains("<html"), "{said}");
    let page = sandbox.run(&["prd", "view", "export"]).ends_with(0).stdout;
    assert!(page.contains("<html"), "a program gets the page");
}

#[test]
fn words_that_answer_nothing_leave_a_question_open_and_back_goes_back() {
    let sandbox = project();
    let mut person = Person::sits_down(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"]);
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", "I don't know");
    person.reads("The question stays open.");
    person.reads("2/2 What is not part of it?");
    person.types("> ", "back");
    person.reads("1/2 How will you measure that it worked");
    // Keys that the terminal sends as control sequences are not part of the answer.
    person.types("> ", "From 20 to 2\u{1b}[D minutes by June.");
    person.reads("Taken as: From 20 to 2 minutes by June.");
    person.reads("2/2 What is not part of it?");
    person.types("> ", "?");
    person.reads("Press Enter to leave a question open");
    person.types("> ", "later");
    // Without a model, changes described in words cannot be carried out.
    person.types("[q]uit: ", "c");
    person.reads("Nobody is there to rewrite it as you say: that takes --author model or agent.\r\n");
    person.types("What should change?\r\n> ", "Guests can export too");
    // Words without a section are assigned to one, or left out with a message.
    person.types("Enter leaves it out: ", "");
    person.reads("It was not taken into the brief.");
    person.types("[q]uit: ", "c");
    person.types("What should change?\r\n> ", "Guests can export too");
    person.types("Enter leaves it out: ", "g");
    let changed = person.reads("1/1 What is not part of it?");
    assert!(changed.contains("- Guests can export too"), "{changed}");
    person.types("> ", "");
    person.types("[q]uit: ", "a");
    let proposed = person.types(VERDICT, "c");
    assert!(proposed.contains("FR-001"), "{proposed}");
    person.types(
        "Criterion for FR-001? Enter leaves it out.\r\n> ",
        "Given 5 orders, when I export, then 5 rows are saved.",
    );
    person.approves_the_rest();
    person.leaves(0);
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("- Given 5 orders, when I export, then 5 rows are saved."), "{requirements}");
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(
        prd.contains("From 20 to 2 minutes by June.") && !prd.contains("don't know") && !prd.contains("later"),
        "{prd}"
    );
    assert!(prd.contains("a pilot in two shops"), "{prd}");
    // The PRD and its folder contain the same requirements.
    let said = |name: &str| {
        sandbox
            .run(&["gaps", name])
            .ends_with(0)
            .stdout
            .lines()
            .next()
            .map(|line| line.split_once("  ").map(|(_, said)| said.to_owned()))
    };
    assert_eq!(said("docs/prd/001-export/prd.md"), said("docs/prd/001-export"));
    sandbox.run(&["plan", "docs/prd/001-export/prd.md"]).ends_with(0);
}

#[test]
fn an_override_needs_a_reason_in_words_and_one_can_go_back() {
    let sandbox = project();
    let mut person = Person::sits_down(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"]);
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", "");
    person.types("> ", "");
    person.types("[q]uit: ", "a");
    person.types(VERDICT, "l");
    person.types("Enter goes on.\r\n> ", "");
    loop {
        let (_, asked) =
            person.session.exp_regex(r"decide on \[e\]ach, \[q\]uit: |\[e\]dit, \[q\]uit: ").expect("a question");
        let is_gaps = asked.contains("[e]ach");
        person.session.send_line(if is_gaps { "g" } else { "a" }).expect("a line");
        if !is_gaps {
            break;
        }
    }
    person.types("Enter goes back.\r\n> ", "e");
    person.types("Enter goes back.\r\n> ", "");
    // Without an author, changes in words are not offered.
    person.types("[a]pprove, [o]pen questions, [r]equirements, [e]dit, [q]uit: ", "c");
    person.types("Type one of a, o, r, e, q", "");
    // Open questions are answered here, and the PRD is assembled again.
    person.types("[e]dit, [q]uit: ", "o");
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", "From 20 to 2 minutes by June.");
    person.types("> ", "PDF exports.");
    let again = person.types("[e]dit, [q]uit: ", "r");
    assert!(again.contains("From 20 to 2 minutes by June.") && !again.contains("no answer"), "{again}");
    person.types("Its id; Enter goes on.\r\n> ", "FR-001");
    person.types("[q]uit: ", "o");
    person.types("Why?\r\n> ", "next year");
    person.types("Its id; Enter goes on.\r\n> ", "");
    person.types("One sentence; Enter goes on.\r\n> ", "");
    let again = person.types("[e]dit, [q]uit: ", "q");
    assert!(again.contains("next year"), "{again}");
    person.leaves(4);
    // The id may be left out if only one thread is open.
    let mut person = Person::sits_down(&sandbox, &["prd", "resume"]);
    person.types("[e]dit, [q]uit: ", "q");
    person.leaves(4);
}

#[test]
fn a_criterion_is_words_and_its_requirement_is_decided_all_the_same() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved_until(&sandbox, "gap_decision");
    answered(&sandbox, &json!({ "userIterationOverride": true })).ends_with(4);
    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    let first = "Criterion for FR-001? Enter leaves it out.\r\n> ";
    person.types(first, "I don't know");
    person.types(VERDICT, "c");
    // A decision in place of a criterion is asked for again.
    person.types(first, "Reject");
    person.types(VERDICT, "r");
    person.types("Why?\r\n> ", "back");
    person.types(VERDICT, "m");
    person.types("\r\n> ", "Q");
    person.leaves(4);
    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    person.types(first, "Given 5 orders, when I export, then 5 rows are saved.");
    person.types(VERDICT, "a");
    person.types("Criterion for FR-002? Enter leaves it out.\r\n> ", "");
    person.types(VERDICT, "back");
    person.types(first, "Given 5 orders, when I export, then 5 rows are saved.");
    person.types(VERDICT, "a");
    person.types("Criterion for FR-002? Enter leaves it out.\r\n> ", "");
    person.types(VERDICT, "d");
    person.types("Enter goes on.\r\n> ", "");
    person.types("decide on [e]ach, [q]uit: ", "q");
    person.leaves(4);
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("- Given 5 orders, when I export, then 5 rows are saved."), "{requirements}");
    assert!(!requirements.contains("don't know") && !requirements.contains("Reject"), "{requirements}");
    let pending = requirements.split("## Pending Review").nth(1).expect("a section");
    assert!(pending.contains("### FR-002"), "what was put off is no longer approved: {requirements}");
}

#[test]
fn a_criterion_closes_a_gap_where_it_is_shown() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved_until(&sandbox, "gap_decision");
    let mut person = Person::sits_down(&sandbox, &["prd", "resume", "export"]);
    person.types("decide on [e]ach, [q]uit: ", "e");
    let letters = "[k]eep it for now, [q]uit: ";
    person.types(letters, "f");
    person.types(
        "Criterion for FR-001? Enter leaves it out.\r\n> ",
        "Given 5 orders, when I export, then 5 rows are saved.",
    );
    person.types(letters, "k");
    person.types("", "q");
    person.leaves(4);
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("- Given 5 orders, when I export, then 5 rows are saved."), "{requirements}");
}

#[test]
fn a_refined_prd_steers_no_terminal() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", "# PRD: Export\n\n## Success Metrics & KPIs\n\n- Lost time falls\n");
    let text = "- Lost time \u{1b}]0;owned\u{7}falls to […]";
    let result = json!({ "sections": [{ "heading": "Success Metrics & KPIs", "text": text }] });
    sandbox.file("result.json", result.to_string());
    let refine = ["prd", "refine", "prd.md", "--reading", "result.json"];
    let shown = Person::sits_down(&sandbox, &refine).leaves(0);
    assert!(shown.contains("- Lost time falls to […]") && !shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn an_owner_typed_as_an_answer_is_recorded_and_the_question_stays_open() {
    let sandbox = project();
    let mut person = Person::sits_down(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"]);
    person.reads("1/2 How will you measure that it worked");
    person.types("> ", "not decided yet, owner: Jonas, by 12 Dec");
    person.reads("The question stays open. (owner: Jonas, due: 12 Dec)");
    person.reads("2/2 What is not part of it?");
    person.types("> ", "PDF exports; the archive is not decided yet");
    person.reads("The question stays open.");
    let brief = person.types("[q]uit: ", "a");
    for words in ["Owner: Jonas", "Due: 12 Dec", "- PDF exports.", "Still open: “the archive is not decided yet”"] {
        assert!(brief.contains(words), "{words}: {brief}");
    }
    person.approves_the_rest();
    person.leaves(0);
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("(owner: Jonas; due: 12 Dec)") && prd.contains("accepted_open_questions"), "{prd}");
}
