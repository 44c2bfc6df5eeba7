//! Two papers contradict each other: what holds by the answer becomes a requirement with its source, the other statement none.

use reqgate::prd::author::{Source, answer_question};
use reqgate::prd::brief::{parse_brief, render_brief};
use reqgate::prd::{FeatureBrief, Requirement};

use super::AUTHOR;

const ENGLISH: [(&str, &str); 2] = [
    (
        "ticket.md",
        "# Export files\n\n- Exported files are deleted after 30 days.\n- The agent sees the name of the file.\n",
    ),
    ("legal.md", "# Legal notes\n\n- Exported files are deleted after 90 days.\n- Only team leads may export.\n"),
];

const CHINESE: [(&str, &str); 2] = [
    ("工单.md", "# 导出文件\n\n- 导出的文件保留 30 天后删除。\n- 客服可以看到文件名。\n"),
    ("法务.md", "# 法务意见\n\n- 导出的文件保留 90 天后删除。\n- 只有组长可以导出。\n"),
];

/// The brief with this answer to its only contradiction, and the requirements drawn from it.
fn drawn(texts: &[(&str, &str)], answer: &str) -> (FeatureBrief, Vec<Requirement>) {
    let source =
        |(name, text): &(&str, &str)| Source { name: (*name).to_owned(), text: (*text).to_owned(), asked: None };
    let sources: Vec<Source> = texts.iter().map(source).collect();
    let mut brief = AUTHOR.brief(&sources);
    let asked: Vec<String> = brief.open_questions.iter().map(|open| open.question.clone()).collect();
    let question = asked.iter().find(|asked| {
        asked.contains(&format!("({}:3)", texts[0].0)) || asked.contains(&format!("（{}:3）", texts[0].0))
    });
    let question = question.unwrap_or_else(|| panic!("no contradiction in {asked:#?}"));
    answer_question(&mut brief, question, answer);
    // As the workflow does: through the document.
    let brief = parse_brief(&render_brief(&brief));
    let requirements = AUTHOR.requirements(&brief, &sources, &[]);
    (brief, requirements)
}

/// What the requirements say about how long files are kept.
#[track_caller]
fn assert_holds(texts: &[(&str, &str)], answer: &str, expected: &[(&str, &str)]) {
    let (_, requirements) = drawn(texts, answer);
    let about = |one: &&Requirement| ["30", "60", "90"].iter().any(|days| one.description.contains(days));
    let found: Vec<(&str, &str)> = requirements
        .iter()
        .filter(about)
        .map(|one| (one.description.as_str(), one.sources[0].source.as_str()))
        .collect();
    assert_eq!(found, expected, "“{answer}”");
    // What nobody contradicts is drawn whatever is answered.
    assert_eq!(requirements.len(), expected.len() + 2, "{requirements:#?}");
    for one in requirements.iter().filter(about) {
        let last = one.sources.last().expect("a source");
        assert!(last.source.starts_with("ask:") && last.quote == answer, "{one:#?}");
    }
}

#[test]
fn the_statement_that_holds_becomes_a_requirement_and_the_other_none() {
    let first = [("Exported files are deleted after 30 days.", "ticket.md")];
    let second = [("Exported files are deleted after 90 days.", "legal.md")];
    for answer in ["the first", "The first one, the contract says so.", "ticket.md", "30 days"] {
        assert_holds(&ENGLISH, answer, &first);
    }
    for answer in ["the second", "the latter", "Exported files are deleted after 90 days", "90 days."] {
        assert_holds(&ENGLISH, answer, &second);
    }
    let first = [("导出的文件保留 30 天后删除。", "工单.md")];
    let second = [("导出的文件保留 90 天后删除。", "法务.md")];
    for answer in ["第一种", "以前者为准", "30 天"] {
        assert_holds(&CHINESE, answer, &first);
    }
    for answer in ["后者", "第二种，法务要求", "导出的文件保留 90 天后删除"] {
        assert_holds(&CHINESE, answer, &second);
    }
}

#[test]
fn something_else_may_hold() {
    let own = "Exported files are deleted after 60 days, nothing is kept longer.";
    let (brief, requirements) = drawn(&ENGLISH, own);
    assert_eq!(brief.open_questions.iter().filter(|open| open.answer.is_some()).count(), 1);
    let about: Vec<&Requirement> = requirements.iter().filter(|one| one.description.contains("days")).collect();
    assert_eq!(about.len(), 1, "{about:#?}");
    assert!(about[0].description == own && about[0].sources[0].source.starts_with("ask:"), "{about:#?}");
    let zh = "导出的文件保留 60 天，管理员可以延长。";
    let (_, requirements) = drawn(&CHINESE, zh);
    let about: Vec<&str> =
        requirements.iter().map(|one| one.description.as_str()).filter(|words| words.contains("天")).collect();
    assert_eq!(about, [zh]);
    // A figure alone stands in the words of the statements.
    let (_, requirements) = drawn(&ENGLISH, "60 days");
    assert!(requirements.iter().any(|one| one.description == "Exported files are deleted after 60 days."));
}

#[test]
fn where_nobody_has_decided_neither_is_drawn() {
    for answer in ["", "We still have to ask.", "neither"] {
        assert_holds(&ENGLISH, answer, &[]);
    }
    for answer in ["", "待确认", "都不对"] {
        assert_holds(&CHINESE, answer, &[]);
    }
}
