//! Tests of the pairs of statements that are compared, and of the contradictions that a reader reports.

use super::pairs::{MOST_PAIRS, PairedSentence, SentencePair, pairs};
use super::*;
use crate::requirements::parse_anyway;
use crate::workflow::WorkOrder;
use crate::{GapCategory, GapSeverity};

const BRIEF_TEXT: &str = "# Feature brief: Route sheets\n\n## Goals\n\n- Guides hand in fewer paper sheets.\n\n## Constraints\n\n\
    - A submitted sheet is locked for every role.\n\n## Open questions\n\n- [x] Who approves a sheet?\n  Answer: The owner alone \
    approves a sheet.\n- [ ] Which printer?\n  Answer: ______\n";

const REQUIREMENTS_TEXT: &str = "# Requirements: Route sheets\n\n## Approved\n\n### FR-001: Submit\n\nA guide hands in the route of \
    a tour.\n\nAcceptance criteria:\n- Missing values of a submitted sheet are filled in by the guide later.\n\n### FR-002: Approve\n\n\
    The owner or the deputy approves a sheet.\n\nAcceptance criteria:\n- An approved sheet shows the name.\n\n### FR-003: Weather\n\n\
    The forecast comes from the weather service.\n\nAcceptance criteria:\n- Without a forecast a dash is shown.\n\n## Rejected\n\n\
    ### FR-004: Fax\n\nA submitted sheet is faxed, locked or not.\n";

fn compared<'t>(document: &'t RequirementsDocument, text: &'t str, brief: Option<&'t str>) -> ComparedFeature<'t> {
    ComparedFeature { requirements: (REQUIREMENTS, text), document, brief: brief.map(|brief| (BRIEF, brief)) }
}

fn pairs_of(text: &str, brief: Option<&str>) -> Vec<SentencePair> {
    let (document, _) = parse_anyway(text);
    pairs(&[compared(&document, text, brief)])
}

fn is_pair(pair: &SentencePair, here: &str, there: &str) -> bool {
    let quotes = |words: &PairedSentence, quote: &str| words.place.quote.contains(quote);
    quotes(&pair.one, here) && quotes(&pair.other, there) || quotes(&pair.one, there) && quotes(&pair.other, here)
}

#[test]
fn statements_about_one_thing_are_compared_with_their_places() {
    let found = pairs_of(REQUIREMENTS_TEXT, Some(BRIEF_TEXT));
    let locked = found.iter().find(|pair| is_pair(pair, "locked for every role", "Missing values")).expect("a pair");
    let place = |sentence: &PairedSentence| (sentence.id.clone(), sentence.place.source.clone(), sentence.place.line);
    assert_eq!(place(&locked.one), (Some("FR-001".to_owned()), REQUIREMENTS.to_owned(), 10));
    assert_eq!(place(&locked.other), (None, BRIEF.to_owned(), 9));
    assert!(found.iter().any(|pair| is_pair(pair, "owner alone", "owner or the deputy")), "{found:#?}");
    let words = format!("{found:?}");
    for left_out in ["Which printer", "______", "faxed"] {
        assert!(!words.contains(left_out), "{left_out}: {words}");
    }
    assert!(!found.iter().any(|pair| pair.one.id.is_none() && pair.other.id.is_none()), "two statements of one brief");
    assert!(!found.iter().any(|pair| pair.one.id == pair.other.id), "two sentences of one requirement");
    assert_eq!(found, pairs_of(REQUIREMENTS_TEXT, Some(BRIEF_TEXT)), "the same each time");
}

#[test]
fn statements_in_chinese_are_compared() {
    let text = "# 需求：路线单\n\n## 已批准\n\n### FR-001：提交\n\n导游提交路线单。\n\n验收标准：\n- 已提交的路线单，导游以后补填缺失的数值。\n\n\
                ### FR-002：审批\n\n负责人或副手审批路线单。\n\n### FR-003：天气\n\n预报来自气象服务。\n";
    let brief =
        "# 功能简介：路线单\n\n## 约束\n\n- 路线单提交后对所有角色锁定，数值不得改动。\n- 路线单只由负责人审批。\n";
    let found = pairs_of(text, Some(brief));
    assert!(found.iter().any(|pair| is_pair(pair, "锁定", "补填")), "{found:#?}");
    assert!(found.iter().any(|pair| is_pair(pair, "只由负责人", "负责人或副手")), "{found:#?}");
    assert!(!found.iter().any(|pair| is_pair(pair, "气象", "负责人")), "{found:#?}");
}

#[test]
fn the_same_sentence_twice_is_no_pair() {
    let twice = "# Requirements: X\n\n## Approved\n\n### FR-001: A\n\nThe sheet is locked.\n\n### FR-002: B\n\nThe sheet is locked.\n";
    assert_eq!(pairs_of(twice, None), []);
    let denied = twice.replacen("is locked", "is not locked", 1);
    assert_eq!(pairs_of(&denied, None).len(), 1, "a denial is another statement");
}

#[test]
fn of_several_features_only_statements_of_different_ones_are_compared() {
    let (first, second) =
        (REQUIREMENTS_TEXT, "# Requirements: Tours\n\n### FR-001: Edit\n\nA guide edits a submitted sheet.\n");
    let (one, other) = (parse_anyway(first).0, parse_anyway(second).0);
    let feature = |name, text, document| ComparedFeature { requirements: (name, text), document, brief: None };
    let features = [feature("a/requirements.md", first, &one), feature("b/requirements.md", second, &other)];
    let found = pairs(&features);
    assert!(
        !found.is_empty() && found.iter().all(|pair| pair.one.place.source != pair.other.place.source),
        "{found:#?}"
    );
    let statements = ComparedStatements::of(&features);
    let first = statements.statements.values().next().expect("a statement");
    assert!(first.starts_with("FR-00") && first.contains("/requirements.md:"), "{first}");
}

#[test]
fn hostile_and_huge_documents_have_few_pairs() {
    for text in [
        "",
        "\0",
        "### FR-001: \0\n\n\0\0\n",
        "\u{feff}### FR-001：锁 lock\n\n路线单 sheet 锁定 locked。\n\n### FR-002: a\n\nsheet 锁定\n",
    ] {
        assert!(pairs_of(text, Some(text)).len() < 10, "{text:?}");
    }
    let one = |number: usize| {
        let of = number % 17;
        format!(
            "### FR-{number:04}: Sheet {of}\n\nThe sheet of tour {number} is locked for role {of}.\n\nAcceptance criteria:\n\
             - Guide {of} fills in value {number} before hour {of}.\n\n"
        )
    };
    let text = format!("# Requirements: X\n\n## Approved\n\n{}", (1..=2_000).map(one).collect::<String>());
    let (document, _) = parse_anyway(&text);
    let found = pairs(&[compared(&document, &text, Some(BRIEF_TEXT))]);
    assert_eq!(found.len(), MOST_PAIRS);
}

fn conflict(quote: &str, other: &str) -> ReadConflict {
    ReadConflict {
        kind: ConflictKind::CannotBothHold,
        quote: quote.to_owned(),
        other: other.to_owned(),
        requirements: vec!["FR-001".to_owned()],
        title: "A locked sheet is changed".to_owned(),
        what: "A submitted sheet is locked, and the guide fills in values.".to_owned(),
        impact: "The guide cannot save.".to_owned(),
        fix: "After submission, a sheet is […].".to_owned(),
    }
}

fn paths(one: ReadConflict, decided: &[Gap]) -> Vec<String> {
    let documents = Documents::new(BRIEF_TEXT, REQUIREMENTS_TEXT);
    let problems = documents.conflict_problems(&ReadConflicts { conflicts: vec![one] }, decided);
    problems.into_iter().map(|problem| problem.path).collect()
}

const LOCKED: &str = "A submitted sheet is locked for every role";
const FILLED: &str = "Missing values of a submitted sheet are filled in by the guide later";

#[test]
fn a_contradiction_has_two_quotes_and_leaves_the_decision_open() {
    let good = conflict(LOCKED, FILLED);
    assert_eq!(paths(good.clone(), &[]), Vec::<String>::new());
    assert_eq!(paths(conflict("words that no document has", FILLED), &[]), ["conflicts[0].quote"]);
    assert_eq!(paths(conflict(LOCKED, "Missing values are filled in"), &[]), ["conflicts[0].other"]);
    assert_eq!(paths(conflict(LOCKED, "sheet is locked for every role"), &[]), ["conflicts[0].other"]);
    let with = |change: fn(&mut ReadConflict)| {
        let mut one = good.clone();
        change(&mut one);
        paths(one, &[])
    };
    assert_eq!(with(|one| one.requirements.push("FR-009".to_owned())), ["conflicts[0].requirements"]);
    assert_eq!(with(|one| one.fix = "A submitted sheet stays locked.".to_owned()), ["conflicts[0].fix"]);
    assert_eq!(with(|one| one.fix = "It is locked after 30 minutes, by […].".to_owned()), ["conflicts[0].fix"]);
    assert_eq!(with(|one| one.what = " ".to_owned()), ["conflicts[0].what"]);
    assert_eq!(with(|one| one.title = "x".repeat(500)), ["conflicts[0].title"]);
    let documents = Documents::new(BRIEF_TEXT, REQUIREMENTS_TEXT);
    assert_eq!(documents.conflict_problems(&ReadConflicts { conflicts: vec![good; 13] }, &[]).len(), 1);
}

#[test]
fn a_decided_contradiction_is_recognised_by_its_quotes() {
    let (document, _) = parse_anyway(REQUIREMENTS_TEXT);
    let documents = Documents::new(BRIEF_TEXT, REQUIREMENTS_TEXT);
    let gaps = |one: ReadConflict, decided: &[Gap]| {
        documents.contradictions(&ReadConflicts { conflicts: vec![one] }, decided, &[&document])
    };
    let found = gaps(conflict(LOCKED, FILLED), &[]);
    let [gap] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((gap.category, gap.severity), (GapCategory::Contradiction, GapSeverity::High));
    assert_eq!(gap.requirements, [document.requirements().next().expect("one").requirement.id.clone()]);
    let line = |place: &Option<SourceQuote>| place.as_ref().map(|place| (place.source.clone(), place.line));
    assert_eq!(line(&gap.place), Some((BRIEF.to_owned(), 9)));
    assert_eq!(line(&gap.against), Some((REQUIREMENTS.to_owned(), 10)));

    // The reader names the same two statements in another order, with other words.
    let mut again = conflict(FILLED, "sheet is locked for every role");
    (again.title, again.requirements) = ("Lock against filling in".to_owned(), Vec::new());
    assert_eq!(paths(again.clone(), &found), ["conflicts[0].quote"]);
    assert_eq!(gaps(again.clone(), &found), []);
    let again = gaps(again, &[]);
    let reading = |gaps: &[Gap]| GapReading { gaps: gaps.to_vec(), ..GapReading::default() };
    assert_eq!(with_contradictions(reading(&found), again).gaps, found);
    let other = gaps(conflict("The owner alone approves a sheet", "The owner or the deputy approves a sheet"), &found);
    assert_eq!(with_contradictions(reading(&found), other).gaps.len(), 2);
}

/// Short quotes may occur in two places: a known contradiction of other requirements is not this one.
#[test]
fn the_same_words_of_other_requirements_are_another_contradiction() {
    let text = "# Requirements: Photos\n\n### FR-001: Links\n\nLinks end after 30 days.\n\n### FR-002: Old links\n\nOld links end after 90 days.\n\n\
        ### FR-003: Photos\n\nPhotos are deleted after 30 days.\n\n### FR-004: Old photos\n\nOld photos are deleted after 90 days.\n";
    let (document, _) = parse_anyway(text);
    let documents = Documents::new("", text);
    let found = |one: ReadConflict, known: &[Gap]| {
        documents.contradictions(&ReadConflicts { conflicts: vec![one] }, known, &[&document])
    };
    let of = |ids: [&str; 2], quote: &str, other: &str| ReadConflict {
        requirements: ids.map(str::to_owned).to_vec(),
        ..conflict(quote, other)
    };
    let known = found(of(["FR-001", "FR-002"], "after 30 days", "after 90 days"), &[]);
    assert_eq!(known.len(), 1);
    let other = of(["FR-003", "FR-004"], "Photos are deleted after 30 days", "Old photos are deleted after 90 days");
    assert_eq!(found(other, &known).len(), 1);
    assert_eq!(found(of(["FR-001", "FR-002"], "Links end after 30 days", "after 90 days"), &known), []);
}

#[test]
fn a_quote_that_two_features_have_counts_for_the_other_feature() {
    let texts =
        vec![("a/requirements.md", "Sheets are locked after submission."), ("b/requirements.md", REQUIREMENTS_TEXT)];
    let same = vec![("a/requirements.md", REQUIREMENTS_TEXT), ("b/requirements.md", REQUIREMENTS_TEXT)];
    let places = |texts: Vec<(&'static str, &'static str)>, one: ReadConflict| {
        let read = ReadConflicts { conflicts: vec![one] };
        let problems = Documents::named(texts.clone()).conflict_problems(&read, &[]);
        let found = Documents::named(texts).contradictions(&read, &[], &[]);
        let place = |place: &Option<SourceQuote>| place.as_ref().map(|place| place.source.clone()).unwrap_or_default();
        (problems.len(), found.iter().map(|gap| (place(&gap.place), place(&gap.against))).collect::<Vec<_>>())
    };
    let across = ("a/requirements.md".to_owned(), "b/requirements.md".to_owned());
    assert_eq!(places(texts.clone(), conflict("Sheets are locked", FILLED)), (0, vec![across.clone()]));
    assert_eq!(places(texts, conflict(FILLED, "The owner or the deputy approves")), (1, Vec::new()));
    assert_eq!(places(same, conflict("A guide hands in the route", FILLED)), (0, vec![across]));
}

#[test]
fn the_order_is_small_and_exists_only_with_a_pair() {
    let (document, _) = parse_anyway(REQUIREMENTS_TEXT);
    let order = |text: &str| WorkOrder::conflicts(BRIEF_TEXT.to_owned(), text.to_owned(), &document, Vec::new());
    let order = order(REQUIREMENTS_TEXT).expect("it has pairs");
    let first = order.pairs.pairs.first().and_then(|pair| pair.split_once(' ')).expect("two ids");
    assert!(order.pairs.statements.contains_key(first.0) && order.pairs.statements.contains_key(first.1));
    assert!(order.kind().instructions(&Default::default()).len() < 4_000);
    let (lonely, _) = parse_anyway("### FR-001: Weather\n\nThe forecast is shown.\n");
    assert!(WorkOrder::conflicts(String::new(), "x".to_owned(), &lonely, Vec::new()).is_none());
}
