//! Tests that written briefs are read back unchanged, and that edits by people are read.

use proptest::prelude::*;

use super::*;
use crate::SourceQuote;

fn words() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", " ", "\n", "\\", "&#10;", "&#", "<!--", "-->", "source:", "against:", "empty", "\"", ":", "- ", "[x]",
        "# ", "## Goals", "```", "~~~", "Answer: ", "答：", "______", "TBD", "?", "？", "用户", "\t", "\r", "\u{2028}",
        "\u{3000}", "1. ", "> ", "|", "*", "_", "</b>", "\u{0}", "\u{feff}", "x y", "12", "；", "--", "\u{200b}",
    ]);
    prop_oneof![prop::collection::vec(pieces, 0..8).prop_map(|parts| parts.concat()), any::<String>()]
}

fn source() -> impl Strategy<Value = Option<SourceQuote>> {
    prop::option::of((words(), any::<u32>(), words()).prop_map(|(source, line, quote)| SourceQuote {
        source,
        line,
        quote,
    }))
}

/// A first source and further ones; there are further ones only if there is a first one.
fn sources() -> impl Strategy<Value = (Option<SourceQuote>, Vec<SourceQuote>)> {
    prop::collection::vec(source(), 0..3).prop_map(|all| {
        let mut all = all.into_iter().flatten();
        (all.next(), all.collect())
    })
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let statement =
        (words(), sources()).prop_map(|(text, (source, further_sources))| Statement { text, source, further_sources });
    prop::collection::vec(statement, 0..4)
}

fn brief() -> impl Strategy<Value = FeatureBrief> {
    let said = || prop::option::of(words().prop_filter("a blank is none", |words| !super::parse::is_blank(words)));
    let question = (words(), sources(), source(), prop::option::of(words()), (said(), said(), said())).prop_map(
        |(question, (source, further_sources), against, answer, (owner, due, default))| OpenQuestion {
            id: None,
            question,
            source,
            further_sources,
            against,
            owner,
            due,
            default,
            answer,
        },
    );
    let normal = |text: String| text.replace('\r', "").trim_matches('\n').to_owned();
    let other = (words().prop_filter("a heading", |words| !words.is_empty()), words())
        .prop_map(move |(heading, text)| OtherSection { heading, text: normal(text) });
    let lists = prop::array::uniform7(statements());
    let rest = (prop::collection::vec(question, 0..4), prop::option::of(words()), prop::collection::vec(other, 0..3));
    (words(), any::<bool>(), lists, rest).prop_map(move |(title, zh, lists, (open_questions, before, others))| {
        let mut brief = FeatureBrief::new(title, if zh { Language::Zh } else { Language::En });
        for (section, list) in BriefSection::ALL.into_iter().zip(lists) {
            *brief.statements_mut(section).expect("the first seven hold statements") = list;
        }
        brief.open_questions = open_questions;
        OpenQuestion::number(&mut brief.open_questions);
        let before = before.map(normal).filter(|text| !text.is_empty());
        brief.other_sections =
            before.map(|text| OtherSection { heading: String::new(), text }).into_iter().chain(others).collect();
        brief
    })
}

proptest! {
    #[test]
    fn what_is_rendered_is_read_back(brief in brief()) {
        let text = render_brief(&brief);
        prop_assert_eq!(parse_brief(&text), brief, "{}", text);
    }

    #[test]
    fn any_text_is_read_and_then_stands_still(text in prop_oneof![any::<String>(), words(), prop::collection::vec(words(), 0..12).prop_map(|lines| lines.join("\n"))]) {
        let once = parse_brief(&text);
        prop_assert_eq!(parse_brief(&render_brief(&once)), once);
    }
}

const EDITED: &str = "\
---
owner: Ana
---
# Feature brief: Export of orders

Draft, please comment.

## 1. Problem statement

The accountants copy every order by hand,
which takes them two days a month.

## Goals
* Accountants download the orders of a month <!-- source: notes/may.md:4 \"download the \\ orders\" -->
  in one go
+ No copying

- Figures agree with the ledger:
  - totals
  - tax

---

## Status

draft

```
## not a heading
```

## Open Questions (to be answered)
- [ ] Who may export?
  Answer: ______
- [x] Which format? CSV.
- [x] How many orders? <!-- source: utterance:1 \"many orders\" -->
  **Answer:** up to 5,000
  a month
- [ ] Until when are files kept?
  - 30 days
- And taxes?
";

#[test]
fn edits_of_people_are_read() {
    let brief = parse_brief(EDITED);
    assert_eq!(brief.title, "Export of orders");
    assert_eq!(brief.language, Language::En);
    let texts = |list: &[Statement]| list.iter().map(|statement| statement.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&brief.problem), ["The accountants copy every order by hand, which takes them two days a month."]);
    assert_eq!(
        texts(&brief.goals),
        [
            "Accountants download the orders of a month in one go",
            "No copying",
            "Figures agree with the ledger:\n- totals\n- tax"
        ]
    );
    let source = brief.goals[0].source.as_ref().expect("it names one");
    assert_eq!(
        (source.source.as_str(), source.line, source.quote.as_str()),
        ("notes/may.md", 4, "download the \\ orders")
    );
    let answers: Vec<_> =
        brief.open_questions.iter().map(|open| (open.question.as_str(), open.answer.as_deref())).collect();
    assert_eq!(
        answers,
        [
            ("Who may export?", None),
            ("Which format?", Some("CSV.")),
            ("How many orders?", Some("up to 5,000 a month")),
            ("Until when are files kept?", Some("30 days")),
            ("And taxes?", None),
        ]
    );
    let kept: Vec<_> = brief.other_sections.iter().map(|other| other.heading.as_str()).collect();
    assert_eq!(kept, ["", "Status"]);
    assert!(
        brief.other_sections[0].text.contains("owner: Ana") && brief.other_sections[0].text.contains("please comment")
    );
    assert!(brief.other_sections[1].text.contains("## not a heading"));
    assert_eq!(parse_brief(&render_brief(&brief)), brief);
}

#[test]
fn a_chinese_brief_is_read_with_either_colon_and_other_names() {
    for title in ["# 功能简介：批量导出", "# 功能简介: 批量导出"] {
        let text = format!(
            "{title}\n\n## 背景\n- 手工对账太慢\n\n## 不做\n1. 打印\n\n## 待确认\n- [ ] 谁可以导出？\n  回答：财务\n"
        );
        let brief = parse_brief(&text);
        assert_eq!((brief.title.as_str(), brief.language), ("批量导出", Language::Zh));
        assert_eq!(brief.problem[0].text, "手工对账太慢");
        assert_eq!(brief.out_of_scope[0].text, "打印");
        assert_eq!(brief.open_questions[0].answer.as_deref(), Some("财务"));
    }
}

#[test]
fn a_blank_is_seen_and_is_no_answer() {
    let mut brief = FeatureBrief::new("Export", Language::En);
    brief.open_questions.push(OpenQuestion::new("Who?", None));
    let text = render_brief(&brief);
    assert!(text.contains("- [ ] Q-001: Who?\n  Answer: ______\n"), "{text}");
    assert_eq!(
        parse_brief(&text.replace("______", "the clerks")).open_questions[0].answer.as_deref(),
        Some("the clerks")
    );
    assert_eq!(parse_brief(&text.replace("______", "TBD")).open_questions[0].answer, None);
}

#[test]
fn an_answer_of_underscores_on_its_second_line_stays_one() {
    let mut brief = FeatureBrief::new("", Language::En);
    let answer = Some("\n______".to_owned());
    brief.open_questions.push(OpenQuestion { answer, ..OpenQuestion::new("", None) });
    OpenQuestion::number(&mut brief.open_questions);
    assert_eq!(parse_brief(&render_brief(&brief)), brief);
}

/// An id stays with its question; a copy of it and a question without one get the next free ids.
#[test]
fn every_question_has_an_id_that_stays() {
    let text = "# Feature brief: Links\n\n## Open questions\n\n- [ ] Who pays?\n- [ ] Q-003: Which colour?\n- [x] Q-003: When?\n  Answer: \
        on Monday\n- [ ] Q-3: no id\n";
    let brief = parse_brief(text);
    let shown = |brief: &FeatureBrief| {
        let all = brief.open_questions.iter().map(|one| format!("{}: {}", one.id.expect("an id"), one.question));
        all.collect::<Vec<_>>()
    };
    assert_eq!(shown(&brief), ["Q-004: Who pays?", "Q-003: Which colour?", "Q-005: When?", "Q-006: Q-3: no id"]);
    let moved = render_brief(&brief).replace("- [ ] Q-004: Who pays?\n  Answer: ______\n", "");
    assert_eq!(shown(&parse_brief(&moved)), ["Q-003: Which colour?", "Q-005: When?", "Q-006: Q-3: no id"]);
}

/// A heading in two languages names a section if both halves name the same one.
#[test]
fn a_heading_may_be_in_two_languages() {
    assert_eq!(BriefSection::named("目标 Goals"), Some(BriefSection::Goals));
    assert_eq!(BriefSection::named("Users / 用户"), Some(BriefSection::Users));
    assert_eq!(BriefSection::named("a用户"), None);
    assert_eq!(BriefSection::named("Goals 用户"), None);
}
