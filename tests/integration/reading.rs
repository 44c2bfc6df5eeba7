//! Reads texts made up for this test: line breaks that trackers lost, forms, fences, footers, labels.

use reqgate::model::{Genre, SectionRole, Span};
use reqgate::rules::{self, RuleBook};
use reqgate::stages::structuring::bug::{self, BugElements};
use reqgate::text::{BlockKind, Reading};

fn book() -> RuleBook {
    rules::load(&rules::shipped_files()).expect("the shipped rules load")
}

fn read(text: &str) -> Reading {
    book().reader.read(text, None)
}

fn elements(text: &str) -> BugElements {
    bug::elements(text, &read(text))
}

fn words(text: &str, spans: &[Span]) -> Vec<String> {
    spans.iter().map(|span| span.slice(text).to_owned()).collect()
}

/// One line per block: its kind, the role of its section, and its words.
fn told(text: &str) -> Vec<String> {
    let reading = read(text);
    let blocks = reading.blocks.iter().zip(&reading.section_of);
    blocks
        .map(|(block, section)| {
            let kind = match block.kind {
                BlockKind::Heading(_) => "heading".to_owned(),
                other => format!("{other:?}"),
            };
            let words: Vec<&str> = block.text.slice(text).split_whitespace().collect();
            format!("{kind} {:?} {}", reading.sections[*section].role, words.join(" "))
        })
        .collect()
}

const JIRA: &str = "The price of a basket is wrong.\r\n\r\nh3. Steps to reproduce\r\n# Open the shop as {{guest}}\r\n# Add two pens\r\n\
    ## one of them in red\r\n# Open the basket\r\n\r\n*Expected result:*\r\n\r\nThe price is the sum of both.\r\n\r\n\
    *Actual result:*\r\n\r\nOnly one pen is counted, see [the log|http://log.example/7].\r\n\r\n{code:java}\r\nint sum = 0;\r\nsum += price;\r\n{code}\r\n\r\n\
    Acceptance criteria:\r\n* The sum is right\r\n* The red pen is counted\r\n";

#[test]
fn a_ticket_whose_line_breaks_became_spaces_reads_as_before() {
    let flattened = JIRA.replace(['\r', '\n'], " ");
    assert_eq!(flattened.len(), JIRA.len());
    assert_eq!(told(&flattened), told(JIRA));
}

#[test]
fn lists_headings_and_labels_in_one_line_are_read() {
    let text =
        "Acceptance criteria: * The badge is shown in the list * The badge is gone after a click # A reload keeps it";
    assert_eq!(
        told(text),
        [
            "heading AcceptanceCriteria Acceptance criteria:",
            "ListItem AcceptanceCriteria The badge is shown in the list",
            "ListItem AcceptanceCriteria The badge is gone after a click",
            "ListItem AcceptanceCriteria A reload keeps it",
        ]
    );
    let text = "日历不刷新\n\n前置条件：已登录。操作步骤：1.打开日历2.新建日程3.返回列表。预期结果：日程立即出现。实际结果：列表没有变化。";
    let found = elements(text);
    assert_eq!(words(text, &found.expected), ["日程立即出现。"]);
    assert_eq!(words(text, &found.actual), ["列表没有变化。"]);
    assert!(found.steps.len() >= 3, "{:?}", words(text, &found.steps));
}

#[test]
fn a_scenario_in_one_line_is_read_step_by_step() {
    let text =
        "Lock orders\n\nGIVEN a closed order WHEN the clerk opens it THEN the fields are locked AND no mail is sent";
    let reading = read(text);
    let steps = reading.sentences.iter().filter(|sentence| sentence.genre == Genre::GherkinStep).count();
    assert_eq!(steps, 4);
}

#[test]
fn spans_stay_true_where_line_breaks_were_put_back() {
    let text = JIRA.replace(['\r', '\n'], " ");
    let reading = read(&text);
    assert!(reading.sentences.iter().all(|sentence| text.get(sentence.span.start..sentence.span.end).is_some()));
    assert!(reading.lost_breaks.iter().all(|at| text.as_bytes()[*at] == b' '));
}

const FORM: &str = "The clock rings twice\n\n## Actual behaviour\n\nIt rings twice.\n\n## Expected behaviour\n\n";

#[test]
fn a_question_of_the_form_does_not_open_the_expectation() {
    let text = format!("{FORM}It should ring once.\nDid this work in previous versions?\nNo\n");
    assert_eq!(words(&text, &elements(&text).expected), ["It should ring once."]);
    let text = format!("{FORM}Should it ring once or not at all?\n");
    assert!(elements(&text).expected.is_empty());
    let text = format!("{FORM}Should it ring once? Somebody has to tell us.\n");
    assert!(elements(&text).expected.is_empty());
}

#[test]
fn labels_that_come_back_are_no_speakers() {
    for text in [
        "Export fails\n\nCase 1\nSteps: save the list\nExpected: a file\nActual: nothing\n\nCase 2\nSteps: print the list\nExpected: a page\nActual: nothing\n",
        "导出失败\n\n用例一\n步骤：保存列表\n预期结果：生成文件\n实际结果：没有反应\n\n用例二\n步骤：打印列表\n预期结果：出现页面\n实际结果：没有反应\n",
    ] {
        assert!(!read(text).is_conversation, "{text}");
        assert_eq!(elements(text).expected.len(), 2, "{text}");
    }
}

#[test]
fn a_ticket_in_a_fence_is_a_ticket() {
    let ticket = "The clock rings twice\n\nSteps to reproduce:\n1. Open the clock\n2. Set it to five past nine\n\nExpected: it rings once\nActual: it rings twice\n";
    for text in [
        format!("```\n{ticket}```\n"),
        format!("```\n{ticket}"),
        format!("# Clock\n\n{{noformat}}\n{ticket}{{noformat}}\n"),
    ] {
        let found = elements(&text);
        assert_eq!(words(&text, &found.expected), ["it rings once"], "{text}");
        assert_eq!(found.steps.len(), 2, "{text}");
    }
    let code =
        "The clock rings twice.\n\n```\n// Expected: rings once\nring(once);\nring(twice);\nif (a) { b(); }\n```\n";
    assert_eq!(read(code).code().len(), 1);
    let open = "The clock rings twice.\n\n```\n$ ring 1\nring ring\n\n## Expected behaviour\n\nIt rings once.\n";
    assert_eq!(words(open, &elements(open).expected), ["It rings once."]);
}

#[test]
fn a_list_of_instructions_is_steps_as_a_whole() {
    let text = "The task is lost\n\n1. Open the app\n2. Log in as a guest\n3. Click on Add Task\n4. Enter a name\n5. Save\n6. Rotate the phone\n\nThe task is gone from the list.\n";
    assert_eq!(elements(text).steps.len(), 6);
    let list = "Colours\n\n1. Red is the colour of errors\n2. Green is the colour of success\n3. The list shows both\n";
    assert!(elements(list).steps.is_empty());
}

#[test]
fn where_a_report_came_from_is_no_observation() {
    let text = "The clock rings twice\n\nThe clock rings twice at nine and does not stop.\n\n_Original issue reported on old.example by anna on 3 May 2014 12:00_\nSent from my iPhone\n";
    assert_eq!(words(text, &elements(text).actual), ["The clock rings twice at nine and does not stop."]);
}

#[test]
fn headings_of_popular_forms_are_known() {
    for (heading, role) in [
        ("**What is the expected behavior?**", SectionRole::Expected),
        ("### What did you expect to happen?", SectionRole::Expected),
        ("**What is the current behavior?**", SectionRole::Actual),
        ("## Current Behaviour?", SectionRole::Actual),
        ("### Repro steps", SectionRole::Steps),
        ("### Standalone code to reproduce the issue", SectionRole::Steps),
        ("**Minimal reproduction**", SectionRole::Steps),
        ("**Describe the solution you'd like**", SectionRole::Demand),
        ("## Motivation", SectionRole::Rationale),
        ("**Is your feature request related to a problem? Please describe.**", SectionRole::Rationale),
        ("## Definition of Done", SectionRole::AcceptanceCriteria),
        ("## Deliverables", SectionRole::Requirements),
        ("### Search before asking", SectionRole::Metadata),
        ("## 功能描述", SectionRole::Requirements),
        ("【前置条件】", SectionRole::Notes),
        ("[期望]", SectionRole::Expected),
        ("**描述你想要的解决方案**", SectionRole::Demand),
        ("### 实际的结果是什么？", SectionRole::Actual),
    ] {
        let text = format!("The clock\n\n{heading}\n\nsome words of mine here\n");
        let reading = read(&text);
        let last = reading.section_of.last().map(|section| reading.sections[*section].role);
        assert_eq!(last, Some(role), "{heading}");
    }
}

#[test]
fn what_a_form_leaves_behind_is_nothing() {
    let text = "The clock\n\n### What happened?\n\nThe clock rings twice. <!-- tell us more,\n1. in steps -->\n\n### Anything else?\n\n_No response_\n\n\
        ### Before you go on\n- [x] I have searched the existing issues\n- [ ] I agree to follow the code of conduct\n- [ ] The list is sorted by date\n";
    let reading = read(text);
    let said: Vec<&str> = reading
        .sentences
        .iter()
        .filter(|sentence| !matches!(sentence.genre, Genre::Heading | Genre::Title))
        .filter(|sentence| sentence.role != SectionRole::Metadata)
        .map(|sentence| sentence.span.slice(text))
        .collect();
    assert_eq!(said, ["The clock rings twice.", "The list is sorted by date"]);
}

#[test]
fn panels_of_jira_are_parts() {
    let text =
        "The clock\n\n{panel:title=Steps to reproduce|bgColor=#eee} # Open the clock # Set it to nine {panel} Thanks";
    let found: Vec<String> = told(text).into_iter().skip(1).collect();
    assert_eq!(
        found,
        [
            "heading Steps Steps to reproduce",
            "ListItem Steps Open the clock",
            "ListItem Steps Set it to nine",
            "Paragraph Steps Thanks"
        ]
    );
}

#[test]
fn items_and_data_are_no_headings() {
    let text = "修改权限\n\n1. 管理员点击权限下拉框\n2. 管理员选择一个权限\n3. 浏览器弹出设置成功提示\n";
    let reading = read(text);
    assert!(reading.sections.iter().all(|section| section.role == SectionRole::Body));
    let data = "Folders\n\nThe tree is as follows\n\ntasks/\nroles/\n\n- name: Start the service\n";
    assert!(read(data).sections.iter().all(|section| section.role == SectionRole::Body));
}

#[test]
fn a_heading_mark_with_nothing_behind_it_is_no_title() {
    for text in ["h1. ## Acceptance criteria\n\nI want to export the report ", "# \n\nI want to export the report"] {
        let named = read(text).title.map(|title| title.slice(text).trim().to_owned());
        assert!(named.is_none_or(|title| !title.is_empty()), "{text}");
    }
}
