//! Tests of the statements that pass the checks, and of their effect on criteria.

use super::*;
use reqgate_base::model::Facets;
use reqgate_rules::{self as rules, Profile, RuleBook};

const TEXT: &str = "\
# Close old refunds

As a clerk I want refunds to close by themselves after 7 days, because I close 120 of them by hand each week.

## Acceptance criteria

- When a refund is 7 days old, then its state is \"Closed\".
- When a refund is closed, then the buyer gets a mail within 5 minutes.
- Mail fails: retry.
- 邮件发送失败时，系统每 10 分钟重试一次，最多 3 次。
";

fn problem(quote: &str, reason: &str) -> Problem {
    Problem { quote: quote.to_owned(), reason: reason.to_owned() }
}

fn statement(id: &str, grade: Grade, problems: &[(&str, &str)]) -> Statement {
    let problems = problems.iter().map(|(quote, reason)| problem(quote, reason)).collect();
    Statement { id: id.to_owned(), problems, grade }
}

fn clean(words: &str) -> Result<String, DiscardReason> {
    Ok(words.trim().to_owned())
}

/// The number of accepted problems under the rubric for features, the criteria that they lower, and the reasons why the
/// others were discarded.
fn accepted(criteria: Vec<Statement>) -> (usize, Vec<String>, Vec<DiscardReason>) {
    let book: RuleBook = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let rubric = book.rubrics.iter().find(|rubric| rubric.file.id == "feature").expect("it ships");
    let questions = book.model_questions("feature").expect("its files are valid");
    let reading = book.reader.read(TEXT, None);
    let facets = Facets::default();
    let ctx = Context {
        text: TEXT,
        reading: &reading,
        language: reading.language,
        facets: &facets,
        profile: Profile::Feature,
        by_evidence: false,
        has_empty_description: false,
    };
    let evidence = check(&questions, rubric, &Statements { criteria }, ctx, &Quotable::new(TEXT), clean);
    let issues = evidence.issues(|_| None, &LineIndex::new(TEXT), ctx);
    let row = |count: usize| vec![1.0; count];
    let mut fulfilment: Vec<Vec<Fulfilment>> =
        rubric.file.dimensions.iter().map(|dimension| row(dimension.criteria.len())).collect();
    let lowered = evidence.lower(rubric, &mut fulfilment, &|_| true);
    let lowered = lowered.into_iter().map(|lowered| lowered.criterion).collect();
    (issues.len(), lowered, evidence.discarded.into_iter().map(|(reason, _)| reason).collect())
}

const DAYS: &str = "When a refund is 7 days old, then its state is \"Closed\".";

#[test]
fn problems_of_a_text_that_is_clear_are_none() {
    let said =
        statement("model-unclear-outcome", Grade::Clear, &[(DAYS, "this is well said"), ("nowhere", "so is this")]);
    assert_eq!(accepted(vec![said]), (0, vec![], vec![DiscardReason::Unusable, DiscardReason::Unusable]));
    let said = statement("model-unclear-outcome", Grade::Partly, &[(DAYS, "the hour of the day is open")]);
    assert_eq!(accepted(vec![said]), (1, vec!["outcomes-checkable".to_owned()], vec![]));
}

#[test]
fn a_reason_that_repeats_the_text_is_none_and_counts_once() {
    let said = |id: &str, quote: &str, reason: &str| statement(id, Grade::Unclear, &[(quote, reason)]);
    let mail = "the buyer gets a mail within 5 minutes";
    for (quote, reason) in
        [(DAYS, DAYS), (mail, "When a refund is 7 days old, then its state is “Closed”."), (mail, "")]
    {
        let reasons = vec![DiscardReason::Unusable, DiscardReason::NoEvidence];
        assert_eq!(accepted(vec![said("model-unclear-outcome", quote, reason)]), (0, vec![], reasons), "{reason}");
    }
    let open = "the hour of the day is open";
    let again = vec![said("model-unclear-outcome", DAYS, open), said("model-unclear-need", mail, open)];
    let reasons = vec![DiscardReason::TooMany, DiscardReason::NoEvidence];
    assert_eq!(accepted(again), (1, vec!["outcomes-checkable".to_owned()], reasons));
}

#[test]
fn a_place_lowers_one_criterion_and_further_findings_about_it_cost_nothing() {
    let said = |id: &str, quote: &str, reason: &str| statement(id, Grade::Unclear, &[(quote, reason)]);
    let criteria = vec![
        // This question may not lower a criterion, so the place is still free.
        said("model-contradiction", DAYS, "another rule says ten days"),
        said("model-unclear-outcome", DAYS, "the hour of the day is open"),
        said("model-unclear-need", "a refund is 7 days old", "from order or from request?"),
        said("model-missing-case", "the buyer gets a mail within 5 minutes", "a buyer without an address"),
    ];
    let lowered = vec!["outcomes-checkable".to_owned(), "other-cases-covered".to_owned()];
    assert_eq!(accepted(criteria), (4, lowered, vec![]));
}

#[test]
fn a_quote_has_three_words_or_is_a_whole_sentence() {
    for (quote, is_heard) in [
        ("old refunds", false),
        ("a mail", false),
        ("7 days old", true),
        ("Close old refunds", true),
        ("Acceptance criteria", true),
        ("Mail fails: retry", true),
        ("重试一次", true),
        ("重试", false),
    ] {
        let (findings, _, discarded) = accepted(vec![statement(
            "model-unclear-outcome",
            Grade::Unclear,
            &[(quote, "nobody can tell what counts")],
        )]);
        let expected = if is_heard { vec![] } else { vec![DiscardReason::Unusable, DiscardReason::NoEvidence] };
        assert_eq!((findings, discarded), (usize::from(is_heard), expected), "{quote}");
    }
}
