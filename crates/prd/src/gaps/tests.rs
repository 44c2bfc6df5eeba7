//! Tests of the gaps that the checks find, and of requirements without gaps.

use super::{GapAnalysis, Input, analyse};
use crate::GapCategory as C;
use crate::requirements::{FaultKind, parse_anyway};

fn analysed(text: &str, brief: Option<&str>) -> GapAnalysis {
    let (document, faults) = parse_anyway(text);
    let twice = faults.iter().filter_map(|fault| match &fault.kind {
        FaultKind::DuplicateId(id) => Some((id.to_string(), fault.line)),
        _ => None,
    });
    let duplicates: Vec<(String, u32)> = twice.collect();
    analyse(&Input { name: "requirements.md", text, document: &document, duplicates: &duplicates, brief })
}

fn categories(text: &str) -> Vec<C> {
    analysed(text, None).gaps.iter().map(|gap| gap.category).collect()
}

const GOOD: &str = "\
# Requirements: Returns

## Approved

### FR-001: Print a return label

A customer can print a return label for 30 days after delivery.

Acceptance criteria:
- On day 31 the button is gone and the page says \"Too late\".

### FR-002: Announce the return

Once the label is printed, the order shows \"Return announced\" (see FR-001).

Acceptance criteria:
- Given a printed label, when the clerk opens the order, then \"Return announced\" is shown.

## Rejected

### FR-003: Call the customer

Clerks call every customer who returns a parcel.
";

#[test]
fn complete_requirements_have_no_gap_and_are_said_to_be_unread() {
    let analysis = analysed(GOOD, None);
    assert_eq!((analysis.requirements, analysis.without_gaps, analysis.gaps.len()), (2, 2, 0), "{:#?}", analysis.gaps);
    assert!(!analysis.read_for_meaning);
    assert!((analysis.score() - 1.0).abs() < 1e-9);
}

#[test]
fn each_fault_of_form_is_found_where_it_stands() {
    let changed = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replacen(from, to, 1)
    };
    let repeated = "- A customer can print a return label for 30 days after delivery.";
    for (text, category) in [
        (changed("- On day 31 the button is gone and the page says \"Too late\".\n", ""), C::MissingCriterion),
        (changed("- On day 31 the button is gone and the page says \"Too late\".", repeated), C::MissingCriterion),
        (changed("for 30 days", "for ____ days"), C::Blank),
        (changed("for 30 days", "for TBD days"), C::Blank),
        (changed("see FR-001", "see FR-009"), C::DanglingReference),
        (changed("### FR-002:", "### FR-001:"), C::DuplicateId),
        (changed("the clerk opens", "the KLX clerk opens"), C::UndefinedTerm),
        (
            changed(
                "A customer can print a return label for 30 days after delivery.",
                "Clerks call every customer who returns a parcel.",
            ),
            C::RejectedAgain,
        ),
    ] {
        let found = categories(&text);
        assert!(found.contains(&category), "{category:?}: {found:?} in\n{text}");
    }
    let analysis = analysed(&changed("for 30 days", "for ____ days"), None);
    let place = analysis.gaps[0].place.as_ref().expect("a place");
    assert_eq!((place.source.as_str(), place.line), ("requirements.md", 5));
    assert!(place.quote.contains("____"), "{place:?}");
    assert!((analysis.score() - 0.5).abs() < 1e-9);
}

#[test]
fn criteria_in_a_section_of_their_own_may_be_those_of_any_requirement() {
    let without = GOOD.replacen("- On day 31 the button is gone and the page says \"Too late\".\n", "", 1);
    assert_eq!(categories(&without), [C::MissingCriterion]);
    for heading in ["## Acceptance criteria", "# 7. Acceptance Criteria", "## 14. MVP 验收场景"] {
        assert_eq!(categories(&format!("{without}\n{heading}\n\nThe label scans.\n")), [], "{heading}");
    }
}

#[test]
fn a_chinese_requirement_is_a_case_only_with_a_condition_and_a_consequence() {
    let with = |description: &str| {
        categories(&format!(
            "# 需求：库存\n\n## 已批准\n\n### FR-001：盘点\n\n{description}\n\n### FR-002：置灰\n\n没有商品时按钮置灰。\n\n\
             验收标准：\n- 打开没有商品的仓库，按钮为灰色，点击没有反应。\n"
        ))
    };
    for case in [
        "当库存为 0，则商品页显示“缺货”。",
        "当订单超时则取消订单。",
        "当时间超过 10 分钟，那么系统释放会议室。",
        "假如用户未登录，则跳转到登录页。",
    ] {
        assert_eq!(with(case), [], "{case}");
    }
    for statement in [
        "当前库存按照仓库的规则显示给店长。",
        "当前订单必须可以导出，否则店长无法对账。",
        "当地门店按先进先出原则发货给顾客。",
        "当店长盘点商品时，系统按盘点规则记录差异。",
    ] {
        assert_eq!(with(statement), [C::MissingCriterion], "{statement}");
    }
}

/// A criterion that adds a figure, a case or a "not" to nearly the same words can be checked.
#[test]
fn a_criterion_that_adds_something_does_not_repeat_its_requirement() {
    let own = "- On day 31 the button is gone and the page says \"Too late\".";
    for criterion in [
        "- A customer can print a return label for 30 days after delivery, also for a second parcel.",
        "- A customer cannot print a return label later than 30 days after delivery.",
        "- A customer can print a return label on day 30 after delivery, not on day 31.",
    ] {
        assert_eq!(categories(&GOOD.replacen(own, criterion, 1)), [], "{criterion}");
    }
    let chinese = |criterion: &str| {
        format!(
            "# 需求：导出\n\n## 已批准\n\n### FR-001：导出订单\n\n客服可以把一个客户的订单导出为 CSV 文件。\n\n验收标准：\n- {criterion}\n\n\
             ### FR-002：没有订单\n\n客户没有订单时按钮置灰。\n\n验收标准：\n- 打开没有订单的客户，按钮为灰色，点击没有反应。\n"
        )
    };
    assert_eq!(categories(&chinese("客服可以把一个客户的 5000 条订单导出为 CSV 文件。")), []);
    assert_eq!(categories(&chinese("客服不可以把一个客户的订单导出为 CSV 文件两次。")), []);
    assert_eq!(categories(&chinese("客服可以把一个客户的订单导出为 CSV 文件。")), [C::MissingCriterion]);
}

#[test]
fn an_abbreviation_that_the_brief_explains_is_known() {
    let text = GOOD.replacen("the clerk opens", "the KLX clerk opens", 1);
    assert_eq!(analysed(&text, Some("KLX (the warehouse at Kiel)")).gaps, []);
}

#[test]
fn what_the_screen_says_in_capitals_is_no_abbreviation() {
    let text = GOOD.replacen("the clerk opens", "the banner says \"CLOSED - USE RADIO\" when the clerk opens", 1);
    assert_eq!(analysed(&text, None).gaps, []);
}

#[test]
fn what_only_a_reader_could_say_is_not_said() {
    let text = GOOD.replacen("for 30 days after delivery", "fast and without any error at any time", 1);
    assert_eq!(categories(&text), []);
}

/// A feature of `tests/gaps`: a complete one, and variants with a known fault.
#[derive(serde::Deserialize)]
struct Case {
    name: String,
    brief: String,
    requirements: String,
    variants: Vec<Variant>,
}

#[derive(serde::Deserialize)]
struct Variant {
    #[serde(default)]
    without: Vec<String>,
    #[serde(default)]
    adding: String,
    gaps: std::collections::BTreeSet<C>,
}

/// Removes lines: the heading of a requirement, named by its id, with its content.
fn taken_out(text: &str, words: &[String]) -> String {
    let is_id = |words: &str| !words.contains(' ') && words.ends_with(|c: char| c.is_ascii_digit());
    let mut out = String::new();
    let mut skips = false;
    for line in text.lines() {
        let is_out = words.iter().any(|words| match is_id(words) {
            true => line.starts_with(&format!("### {words}")),
            false => line.contains(words.as_str()),
        });
        if line.starts_with("##") {
            skips = is_out && line.starts_with("###");
        }
        if !skips && !is_out {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// At least nine of ten findings must be right on features by people who did not know the program.
#[test]
fn gaps_of_form_are_right_on_features_of_others() {
    let ours =
        [C::MissingCriterion, C::Blank, C::DanglingReference, C::DuplicateId, C::UndefinedTerm, C::RejectedAgain];
    let (mut right, mut wrong, mut missed) = (0, Vec::new(), 0);
    for half in ["development", "heldout"].map(str::to_owned).into_iter().chain((1..=8).map(|n| format!("others-{n}")))
    {
        let path = format!("{}/../../tests/gaps/{half}.yaml", env!("CARGO_MANIFEST_DIR"));
        let cases: Vec<Case> = serde_saphyr::from_str(&std::fs::read_to_string(path).expect("the cases are there"))
            .expect("they are valid");
        for case in cases {
            let complete = Variant { without: vec![], adding: String::new(), gaps: Default::default() };
            for variant in std::iter::once(&complete).chain(&case.variants) {
                let added = match variant.adding.is_empty() {
                    true => String::new(),
                    false => format!("## Pending Review\n{}", variant.adding),
                };
                let text = taken_out(&case.requirements, &variant.without) + &added;
                let analysis = analysed(&text, Some(&case.brief));
                let got: std::collections::BTreeSet<C> = analysis.gaps.iter().map(|gap| gap.category).collect();
                let (true_ones, false_ones): (Vec<_>, Vec<_>) = got.iter().partition(|one| variant.gaps.contains(one));
                right += true_ones.len();
                let told =
                    |one: &&C| analysis.gaps.iter().find(|gap| gap.category == **one).map(|gap| &gap.description);
                wrong.extend(false_ones.iter().map(|one| format!("{half}, {}: {one:?} {:?}", case.name, told(one))));
                missed += variant.gaps.iter().filter(|one| ours.contains(one) && !got.contains(one)).count();
            }
        }
    }
    println!("{right} right, {} wrong, {missed} missed\n{}", wrong.len(), wrong.join("\n"));
    assert!(right * 10 >= (right + wrong.len()) * 9, "{right} right, {} wrong", wrong.len());
}
