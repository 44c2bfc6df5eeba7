//! The texts under `tests/drafting/`, the examples of the words, and hostile input.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::model::Language;
use crate::prd::brief::{parse_brief, render_brief};
use crate::prd::{Decided, Gap, GapCategory, GapSeverity, Requirement, RequirementPriority, SuggestedRequirement};
use crate::rules::load;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    sources: Vec<CaseSource>,
    draw: Vec<Vec<String>>,
    #[serde(default)]
    fine: Vec<Vec<String>>,
    never: Vec<String>,
    ask: Vec<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct CaseSource {
    name: String,
    text: String,
}

fn cases(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drafting").join(name);
    let text = fs::read_to_string(&path).expect("the file is there");
    serde_saphyr::from_str(&text).expect("the file is well formed")
}

fn hold(words: &[String], text: &str) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(&word.to_lowercase()))
}

/// A criterion says what its requirement says, so its words count as well.
fn whole(requirement: &Requirement) -> String {
    let criteria = requirement.acceptance_criteria.join("\n");
    format!("{}\n{}\n{criteria}", requirement.title, requirement.description)
}

#[derive(Debug, Default)]
struct Figures {
    wanted: usize,
    drawn: usize,
    right: usize,
    of_those_drawn: usize,
    never: usize,
    broken: usize,
    asked: usize,
    to_ask: usize,
}

fn measure(name: &str, show: bool) -> Figures {
    let book = load(&shipped_files()).expect("the shipped rules load");
    let author = RulesAuthor::new(&book).expect("the shipped words compile");
    let mut sum = Figures::default();
    for case in cases(name) {
        let sources: Vec<Source> = case
            .sources
            .iter()
            .map(|source| Source { name: source.name.clone(), text: source.text.clone(), asked: None })
            .collect();
        let brief = author.brief(&sources);
        let drawn = author.requirements(&brief, &sources, &[]);
        let texts: Vec<String> = drawn.iter().map(whole).collect();
        let missed: Vec<_> = case.draw.iter().filter(|words| !texts.iter().any(|text| hold(words, text))).collect();
        let right = |text: &&String| case.draw.iter().chain(&case.fine).any(|words| hold(words, text));
        let wrong: Vec<_> = texts.iter().filter(|text| !right(text)).collect();
        let broken: Vec<_> =
            case.never.iter().filter(|word| texts.iter().any(|text| hold(std::slice::from_ref(word), text))).collect();
        let unasked: Vec<_> = case
            .ask
            .iter()
            .filter(|words| !brief.open_questions.iter().any(|open| hold(words, &open.question)))
            .collect();
        sum.wanted += case.draw.len();
        sum.drawn += case.draw.len() - missed.len();
        sum.of_those_drawn += texts.len();
        sum.right += texts.len() - wrong.len();
        sum.never += case.never.len();
        sum.broken += broken.len();
        sum.to_ask += case.ask.len();
        sum.asked += case.ask.len() - unasked.len();
        if show && (!missed.is_empty() || !wrong.is_empty() || !broken.is_empty() || !unasked.is_empty()) {
            println!(
                "== {}\n   missed {missed:?}\n   wrong {wrong:#?}\n   broken {broken:?}\n   unasked {unasked:?}",
                case.id
            );
        }
    }
    println!(
        "{name}: recall {}/{}, precision {}/{}, never broken {}/{}, asked {}/{}",
        sum.drawn, sum.wanted, sum.right, sum.of_those_drawn, sum.broken, sum.never, sum.asked, sum.to_ask
    );
    sum
}

#[test]
fn what_the_development_texts_demand_is_drawn_and_nothing_else() {
    let figures = measure("development.yaml", true);
    assert_eq!((figures.drawn, figures.broken, figures.asked), (figures.wanted, 0, figures.to_ask));
    assert!(figures.right * 100 >= figures.of_those_drawn * 95, "{figures:?}");
}

#[test]
fn the_held_out_texts_are_drawn_from_as_well() {
    let figures = measure("heldout.yaml", false);
    assert!(figures.drawn * 100 >= figures.wanted * 95 && figures.asked == figures.to_ask, "{figures:?}");
    assert!(
        figures.right * 100 >= figures.of_those_drawn * 85 && figures.broken * 100 <= figures.never * 15,
        "{figures:?}"
    );
}

#[test]
fn the_examples_of_the_words_hold() {
    for file in drafting_files(&shipped_files()).expect("the shipped words are read") {
        let words = Words::new(std::slice::from_ref(&file)).expect("they compile");
        let (cue, list) = &file;
        for hit in &list.examples.fires {
            assert!(words.has(hit, *cue), "{cue:?} must be found in: {hit}");
        }
        for miss in &list.examples.silent {
            assert!(!words.has(miss, *cue), "{cue:?} must not be found in: {miss}");
        }
    }
}

fn author_of<R>(run: impl FnOnce(&RulesAuthor<'_>) -> R) -> R {
    let book = load(&shipped_files()).expect("the shipped rules load");
    run(&RulesAuthor::new(&book).expect("the shipped words compile"))
}

fn one(text: &str) -> Vec<Source> {
    vec![Source { name: "utterance".to_owned(), text: text.to_owned(), asked: None }]
}

/// Every quote is in its source, and a brief survives being written and read.
#[test]
fn nothing_is_invented_and_any_text_is_drafted_from() {
    author_of(|author| {
        let pieces = prop::sample::select(vec![
            "We need ",
            "a list of orders",
            ". ",
            ", ",
            "\n",
            "\n- ",
            "# ",
            "Scratch that",
            "actually no",
            "算了",
            "改成 30 秒",
            "最长 60 秒",
            "Anna: ",
            "Bob: ",
            "decided",
            "must not ",
            "5 days",
            "；",
            "！[",
            "<!--",
            "```",
            "just kidding",
            "作为",
            "，我希望",
            "?",
            "\u{0}",
            "| a | b |",
        ]);
        let texts = prop_oneof![prop::collection::vec(pieces, 0..30).prop_map(|parts| parts.concat()), any::<String>()];
        proptest!(ProptestConfig::with_cases(192), |(text in texts)| {
            let sources = one(&text);
            let brief = author.brief(&sources);
            let lists = [&brief.problem, &brief.goals, &brief.users, &brief.flows, &brief.constraints, &brief.out_of_scope];
            for statement in lists.into_iter().flatten() {
                let source = statement.source.as_ref().expect("it names its source");
                prop_assert!(text.contains(&source.quote));
            }
            let requirements = author.requirements(&brief, &sources, &[]);
            prop_assert!(requirements.iter().enumerate().all(|(at, one)| requirements[at + 1..].iter().all(|other| other.id != one.id)));
            prop_assert_eq!(parse_brief(&render_brief(&brief)), brief);
        });
    });
}

/// Statements are compared with each other, so there is a bound on how many are read.
#[test]
fn of_a_whole_book_only_the_beginning_is_read() {
    author_of(|author| {
        let lines = (0..1_000).map(|number| format!("- The list of room {number} must show {number} names.\n"));
        let said = author.said(&one(&lines.collect::<String>())[0]);
        assert_eq!(said.len(), said::MOST_STATEMENTS);
    });
}

/// A section is replaced, a line with a plus is added, feedback without a section is seen.
#[test]
fn what_a_review_asks_for_is_in_the_next_brief() {
    author_of(|author| {
        let brief = author.brief(&one("We need an export of orders as CSV."));
        let change = |section: &str, requested_content: &str| BriefModification {
            section: section.to_owned(),
            modification_reason: String::new(),
            requested_content: requested_content.to_owned(),
        };
        let feedback = BriefFeedback {
            user_feedback: Some("No printing.\nThe file must be ready within 10 seconds.\nOut of scope: invoices\nWhat about the archive?".to_owned()),
            modifications: vec![change("Users", "- Accountants\n- Auditors"), change("目标", "+ 导出退款"), change("Rollout", "In May")],
        };
        let next = author.update_brief(&brief, &feedback, "ask:3");
        let texts: Vec<_> = next.users.iter().map(|user| user.text.as_str()).collect();
        assert_eq!(texts, ["Accountants", "Auditors"]);
        assert_eq!(next.goals.len(), brief.goals.len() + 1);
        assert!(next.constraints.iter().any(|rule| rule.text.contains("within 10 seconds")), "{next:#?}");
        assert!(next.out_of_scope.iter().any(|out| out.text == "Invoices."), "{next:#?}");
        assert!(next.open_questions.iter().any(|open| open.question.contains("archive")), "{next:#?}");
        assert!(next.other_sections.iter().any(|other| other.heading == "Rollout" && other.text == "In May"));
        assert!(next.users.iter().all(|user| user.source.as_ref().is_some_and(|source| source.source == "ask:3")));
    });
}

/// Existing requirements are not duplicated in any state; urgent ones come first; severity sets the priority.
#[test]
fn gaps_become_requirements_once() {
    let suggested = |title: &str, description: &str, category: &str| SuggestedRequirement {
        title: title.to_owned(),
        description: description.to_owned(),
        priority: RequirementPriority::Medium,
        category: category.to_owned(),
    };
    let gap = |id: &str, severity, suggested_requirements| Gap {
        id: id.to_owned(),
        title: "Missing".to_owned(),
        description: String::new(),
        severity,
        category: GapCategory::MissingLimit,
        impact: String::new(),
        place: None,
        requirements: Vec::new(),
        suggested_requirements,
    };
    let limit = suggested("Limit of rows", "The export shall hold at most […] rows.", "Functional");
    let speed = suggested("Time to export", "The export shall finish within […] seconds.", "Performance");
    let print = suggested("Printing", "The user shall print the list on paper.", "Functional");
    let gaps = [
        gap("GAP-001", GapSeverity::Low, vec![limit.clone(), print.clone()]),
        gap("GAP-002", GapSeverity::High, vec![speed.clone(), limit.clone()]),
        gap("GAP-003", GapSeverity::High, vec![print]),
    ];
    let rejected = author_of(|author| {
        let sources = one("The user shall print the list on paper.");
        author.requirements(&author.brief(&sources), &sources, &[]).remove(0)
    });
    let done =
        requirements_for_gaps(&gaps, &[(rejected, Decided::Rejected { reason: "no paper".to_owned() })], Language::En);
    let ids: Vec<String> = done.functional_requirements.iter().map(|one| format!("{} {}", one.id, one.title)).collect();
    assert_eq!(ids, ["NFR-001 Time to export", "FR-002 Limit of rows"]);
    assert!(done.functional_requirements.iter().all(|one| one.priority == RequirementPriority::High));
    assert_eq!(done.gaps_addressed, ["GAP-002", "GAP-001"]);
}

/// A person who was asked about an open point of a ticket settles it, but not by saying that they do not know.
#[test]
fn an_answer_settles_the_point_that_was_asked_about() {
    let ticket = "# Ticket PAY-31: export of invoices\n\nAccountants export the invoices of a month as CSV, the separator is TBD with finance.\n\n\
                  ## Acceptance criteria\n- The file has one line per invoice.\n";
    let asked = "“Accountants export the invoices of a month as CSV, the separator is TBD with finance.”: who decides this, and by when?";
    let brief_with = |answer: &str| {
        let sources = [
            Source { name: "ticket.md".to_owned(), text: ticket.to_owned(), asked: None },
            Source { name: "ask:q1".to_owned(), text: answer.to_owned(), asked: Some(asked.to_owned()) },
        ];
        author_of(|author| author.brief(&sources))
    };
    let is_open =
        |brief: &crate::prd::FeatureBrief| brief.open_questions.iter().any(|open| open.question.contains("TBD"));
    let settled = brief_with("The separator is a semicolon.");
    assert_eq!(settled.title, "Export of invoices");
    assert!(settled.constraints.iter().any(|rule| rule.text == "The separator is a semicolon."), "{settled:?}");
    assert!(!is_open(&settled));
    assert!(is_open(&brief_with("We don't know yet, maybe a semicolon?")));
}

/// A rule is its own criterion until it has others.
#[test]
fn a_rule_with_criteria_is_not_repeated_among_them() {
    let ticket = "# Export\n\nAccountants must be able to export the invoices of a month as CSV.\n\n\
                  ## Acceptance criteria\n- The file has one line per invoice.\n";
    let sources = one(ticket);
    let drawn = author_of(|author| author.requirements(&author.brief(&sources), &sources, &[]));
    let [requirement] = drawn.as_slice() else { panic!("{drawn:?}") };
    assert_eq!(requirement.acceptance_criteria, ["The file has one line per invoice."]);
}
