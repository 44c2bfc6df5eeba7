//! Tests of the questions: the fields, the answers in them, and the problems at them.

use serde_json::{Value, json};

use super::super::edited::readable;
use super::super::*;
use super::{ask, asks, event, fields, gate, open, shown};
use reqgate_base::model::Language;
use reqgate_flow::Asking;
use reqgate_prd::ask::{self as asked, FieldProblem, Input, Unclear, in_words, view};
use reqgate_prd::workflow::{PrdAnswer, PrdWorkflow};

/// The answer in a form.
fn typed_answer(question: &Asking<PrdWorkflow>, typed: &Input) -> Result<PrdAnswer, Unclear> {
    asked::answer(question, &with_markdown(typed, &view(question, Language::En)))
}

fn answer(question: &Asking<PrdWorkflow>, typed: &Input) -> Result<Value, Unclear> {
    typed_answer(question, typed).map(|given| given.json())
}

fn document_of(kind: &str) -> String {
    view(&ask(kind), Language::En).document.expect("a document").text.to_owned()
}

/// The kind of a question, the typed fields, and the answer that they make.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], Value);

#[track_caller]
fn answers_fit(cases: &[Case<'_>]) {
    for (kind, typed, expected) in cases {
        let question = ask(kind);
        let given = answer(&question, &fields(typed)).expect(kind);
        assert_eq!(given, *expected, "{kind}");
        assert_eq!(question.check(&given), Ok(()), "{kind}");
    }
}

#[test]
fn the_fields_of_briefs_and_requirements_make_an_answer_that_fits() {
    let document = document_of("brief_review");
    answers_fit(&[
        ("clarification", &[("answer.q1", " UTC ")], json!({ "answers": { "q1": "UTC" } })),
        (
            "brief_review",
            &[("decision", "approve"), ("answer.q1", "Dana"), ("adopt.u1", "Goals"), ("document", &document)],
            json!({ "approved": true, "answers": { "q1": "Dana" }, "adopt": { "u1": "Goals" } }),
        ),
        (
            "brief_review",
            &[("decision", "edit"), ("document", "# New\r\n")],
            json!({ "approved": true, "editedDocument": "# New\n" }),
        ),
        (
            "requirements_review",
            &[
                ("verdict.FR-001", "reject"),
                ("reason.FR-001", "no"),
                ("verdict.FR-002", "modify"),
                ("text.FR-002", "At most 5 rows."),
                ("reason.FR-002", "known"),
                ("added", "It logs.\n\nIt is fast enough: 1 s.\n"),
                ("others", "approve"),
            ],
            json!({ "verdicts": [
                { "id": "FR-001", "verdict": "reject", "reason": "no" },
                { "id": "FR-002", "verdict": "modify", "changes": { "description": "At most 5 rows." }, "reason": "known" },
            ], "added": [{ "description": "It logs." }, { "description": "It is fast enough: 1 s." }], "others": "approve" }),
        ),
        (
            "requirements_review",
            &[
                ("verdict.FR-001", "modify"),
                ("text.FR-001", "It exports."),
                ("criteria.FR-001", "A file of 3 rows.\n\n It is CSV. \n"),
                ("reason.FR-001", "to test it"),
            ],
            json!({ "verdicts": [{ "id": "FR-001", "verdict": "modify", "reason": "to test it",
                "changes": { "acceptanceCriteria": ["A file of 3 rows.", "It is CSV."] } }] }),
        ),
    ]);
}

#[test]
fn the_fields_of_gaps_make_an_answer_that_fits() {
    answers_fit(&[
        ("gap_decision", &[("decision", "score"), ("gap.GAP-001", "")], json!({ "userIterationOverride": null })),
        (
            "gap_decision",
            &[("gap.GAP-001", "dismiss"), ("gap-words.GAP-001", "nobody minds")],
            json!({ "userIterationOverride": null, "gaps": { "GAP-001": { "decision": "dismiss", "reason": "nobody minds" } } }),
        ),
        (
            "gap_decision",
            &[("decision", "go-on"), ("gap.GAP-001", "ask"), ("gap-words.GAP-001", "How many?")],
            json!({ "userIterationOverride": false, "gaps": { "GAP-001": { "decision": "ask", "question": "How many?" } } }),
        ),
        (
            "gap_decision",
            &[("gap.GAP-001", "fix"), ("gap-words.GAP-001", "at most 5")],
            json!({ "userIterationOverride": null, "gaps": { "GAP-001": { "decision": "fix", "how": "at most 5" } } }),
        ),
        (
            "gap_decision",
            &[("gap.GAP-001", "criterion"), ("gap-words.GAP-001", "A sixth row is refused.")],
            json!({ "userIterationOverride": null,
                "gaps": { "GAP-001": { "decision": "fix", "criterion": "A sixth row is refused.", "requirement": "FR-001" } } }),
        ),
    ]);
}

#[test]
fn the_fields_of_approvals_make_an_answer_that_fits() {
    answers_fit(&[
        (
            "prd_review",
            &[("decision", "approve"), ("because", "agreed with Dana")],
            json!({ "prdApproved": true, "gateOverride": "agreed with Dana" }),
        ),
        (
            "prd_review",
            &[("decision", "edit"), ("document", "# Mine\n"), ("because", "agreed with Dana")],
            json!({ "prdApproved": true, "editedDocument": "# Mine\n", "gateOverride": "agreed with Dana" }),
        ),
        (
            "final_approval",
            &[("decision", "edit"), ("document", "# Mine\n"), ("because", "ok")],
            json!({ "approved": true, "editedDocument": "# Mine\n", "because": "ok" }),
        ),
        ("final_approval", &[("decision", "approve"), ("because", "ok")], json!({ "approved": true, "because": "ok" })),
        (
            "outline_approval",
            &[("decision", "change"), ("feedback", "shorter")],
            json!({ "approved": false, "userFeedback": "shorter" }),
        ),
    ]);
}

#[test]
fn an_unclear_answer_is_not_sent() {
    for question in asks() {
        let decides_by_one_field = !matches!(question.kind(), "clarification" | "requirements_review");
        if decides_by_one_field {
            assert_eq!(
                answer(&question, &fields(&[("feedback", "x")])),
                Err(Unclear::Undecided),
                "{}",
                question.kind()
            );
        }
    }
    // A person who edited the document but chose to approve the shown one would lose the changes.
    let edited = fields(&[("decision", "approve"), ("document", "# Mine")]);
    assert_eq!(answer(&ask("prd_review"), &edited), Err(Unclear::EditedButNotChosen));
    // A review without a decision, and a modification without a change.
    assert_eq!(answer(&ask("requirements_review"), &fields(&[("verdict.FR-001", "")])), Err(Unclear::NothingDecided));
    let unchanged = fields(&[("verdict.FR-001", "modify"), ("text.FR-001", "It exports."), ("reason.FR-001", "x")]);
    let id = "FR-001".parse().expect("an id");
    assert_eq!(answer(&ask("requirements_review"), &unchanged), Err(Unclear::NothingChanged(id)));
    // A dismissal without a reason is refused by the check.
    let given = answer(&ask("gap_decision"), &fields(&[("gap.GAP-001", "dismiss")])).expect("an answer");
    assert!(ask("gap_decision").check(&given).is_err());
    // A person who chose the edited text but emptied the field or changed no word has not approved the shown document.
    for kind in ["brief_review", "prd_review", "final_approval"] {
        let document = document_of(kind);
        for text in ["", " \r\n", document.as_str()] {
            let unedited = fields(&[("decision", "edit"), ("document", text)]);
            assert_eq!(answer(&ask(kind), &unedited), Err(Unclear::ChosenButNotEdited), "{kind}: {text:?}");
        }
    }
    // An approval with changes in words is refused by the check that every answer passes.
    let mixed = fields(&[("decision", "approve"), ("feedback", "but shorter")]);
    let given = answer(&ask("brief_review"), &mixed).expect("an answer");
    assert!(ask("brief_review").check(&given).is_err());
}

#[test]
fn a_problem_is_shown_at_its_field_in_the_language_of_the_page() {
    let question = ask("requirements_review");
    let typed = [("verdict.FR-001", "reject"), ("reason.FR-001", " ")];
    let given = typed_answer(&question, &fields(&typed)).expect("an answer");
    let problems = question.check(&given.json()).expect_err("a reason is missing");
    for (language, words) in
        [(Language::En, "FR-001: say why you reject it."), (Language::Zh, "FR-001：请说明驳回的理由。")]
    {
        let problems: Vec<FieldProblem> =
            problems.iter().map(|one| FieldProblem::checked(one, &given, language)).collect();
        assert_eq!(problems[0].field.as_deref(), Some("reason.FR-001"));
        let standing = Standing::Open { typed: fields(&typed), problems, may_answer: true };
        let page = shown(language, &question, standing, &[]);
        assert!(page.contains(&format!("<a href=\"#reason.FR-001\">{words}</a>")), "{page}");
        assert!(page.contains(&format!("id=\"reason.FR-001-fault\">{words}</p>")), "{page}");
        assert!(
            page.contains("id=\"reason.FR-001\" name=\"reason.FR-001\" rows=\"2\" aria-invalid=\"true\""),
            "{page}"
        );
    }
}

#[test]
fn requirements_are_a_table_with_one_choice_a_row() {
    let page = shown(Language::En, &ask("requirements_review"), open(&[], &[]), &[]);
    assert_eq!(page.matches("<select id=\"verdict.FR-").count(), 2, "{page}");
    assert_eq!(page.matches("<textarea id=\"criteria.FR-").count(), 2, "{page}");
    assert!(page.contains("name=\"others\" value=\"approve\">Approve all</button>"), "{page}");
    // A requirement with blanks cannot be approved unchanged.
    let second = page.split_once("<select id=\"verdict.FR-002\"").expect("its choice").1;
    assert!(!second.split_once("</select>").expect("its end").0.contains("value=\"approve\""), "{page}");
}

#[test]
fn an_answer_is_told_in_human_words() {
    let told = |kind: &str, answer: Value| {
        let told = in_words(&ask(kind), &answer, Language::En);
        told.into_iter().map(|(part, words)| format!("{part} = {words}")).collect::<Vec<_>>()
    };
    assert_eq!(
        told(
            "brief_review",
            json!({ "approved": false, "answers": { "q1": { "owner": "Mei" } }, "userFeedback": "shorter" })
        ),
        ["Your decision = Changes requested", "Who? = Owner: Mei", "Comment = shorter"]
    );
    assert_eq!(told("prd_review", json!({ "prdApproved": true })), ["Your decision = approved"]);
    let verdicts =
        json!({ "verdicts": [{ "id": "FR-001", "verdict": "reject", "reason": "no" }], "others": "approve" });
    assert_eq!(told("requirements_review", verdicts), ["FR-001 = rejected\nReason: no", "All others = approved"]);
}

#[test]
fn nothing_is_escaped_twice() {
    let document =
        "# Export\n\n- Copies &lt;b>them&lt;/b>, asks @&#8203;dana. <!-- source: a.md:1 \"the &#34;role&#34;\" -->\n";
    let asked =
        json!({ "kind": "brief_review", "document": document, "path": "b.md", "gate": gate(), "instructions": "" });
    let before = event(
        3,
        json!({ "kind": "asked", "ask": {
        "kind": "brief_review", "document": "# Export\n\n- Copies &lt;i>.\n", "path": "b.md", "gate": gate(), "instructions": "" } }),
    );
    let question = Asking::Workflow(serde_json::from_value(asked).expect("a question"));
    let page = shown(Language::En, &question, open(&[], &[]), &[before]);
    assert!(!page.contains("&amp;") && page.contains("<q>the &quot;role&quot;</q>"), "{page}");
    assert!(page.contains("- Copies &lt;b&gt;them&lt;&#x2f;b&gt;, asks @dana."), "{page}");
    // An unedited document is returned unchanged.
    let field = readable(document);
    let unedited = fields(&[("decision", "approve"), ("document", field.as_str())]);
    assert!(answer(&question, &unedited).is_ok());
    let edited = fields(&[("decision", "edit"), ("document", &format!("{field}\n- More <x>.\n"))]);
    let given = answer(&question, &edited).expect("an answer");
    assert_eq!(given["editedDocument"], format!("{document}\n- More <x>.\n"));
}

#[test]
fn what_was_typed_stays_and_the_reason_is_shown() {
    let typed = [("decision", "change"), ("feedback", "Mine & <b>"), ("answer.q1", "Dana")];
    let page = shown(Language::En, &ask("brief_review"), open(&typed, &["say more"]), &[]);
    assert!(page.contains("Mine &amp; &lt;b&gt;</textarea>") && page.contains("Dana</textarea>"), "{page}");
    assert!(page.contains("value=\"change\" checked") && page.contains("<li>say more</li>"), "{page}");
    let page = shown(
        Language::En,
        &ask("brief_review"),
        Standing::Open { typed: Input::default(), problems: Vec::new(), may_answer: false },
        &[],
    );
    assert!(!page.contains("id=\"answer\"") && page.contains("you need a token with the role"), "{page}");
}
