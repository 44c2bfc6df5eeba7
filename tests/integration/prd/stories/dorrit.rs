//! Dorrit, who comes back after three days, and edits the file by hand between them.

use serde_json::json;

use super::{BRIEF, REQUIREMENTS, Story, has, has_none, modify, out_of_scope, section};

/// The requirement that answers the question of the brief.
const SWAP: &str = "Guides can propose a swap, the office approves it with one click; without an answer within 24 hours it is refused.";
/// The requirement that she adds while she reviews the PRD.
const WEB: &str = "The teacher can see the booking with its code on the web page, too.";
/// Her words for the confirmation.
const MINUTES: &str =
    "A confirmation is sent by mail within 5 minutes; the ticket follows when the office has confirmed the guide.";

#[test]
fn dorrit_comes_back_after_three_days_and_a_hand_edit() {
    let story = Story::begins("15-museum-groups-story", &["notes-workshop.md", "mail-philippa.txt"]);
    // Day 1. The waiting list was not decided on, and the program does not decide it for her.
    story.is_read("15-museum-groups-story");
    answers_questions_of_the_brief(&story);
    let [hours, lift, code, invoice] = reviews_and_edits_by_hand(&story);
    reviews_again(&story, [&hours, &lift, &code, &invoice]);
    reviews_the_prd_twice(&story);
    the_prd_holds_her_decisions(&story);
}

fn answers_questions_of_the_brief(story: &Story) {
    let round = json!({
        "approved": false,
        "answers": {
            story.question("7 days"): "A slot is booked at least 3 days in advance.",
            // The statement that she would have rejected is part of the disputed sentence and is removed with it.
            story.question("25 people"): "A group has at most 20 people in the mine part and 25 elsewhere; the office phones larger ones.",
            story.question("Cancelling"): "Schools cancel free of charge until the day before, everybody else up to 48 hours before.",
            story.question("measure"): "Double bookings go from two a week to zero by the summer season.",
        },
        "modifications": [
            { "section": "Goals", "requestedContent": "+ Double bookings go to zero by the summer season." },
            { "section": "Out of scope", "requestedContent": "+ A waiting list." },
            { "section": "Open questions", "requestedContent": "+ Which payment provider does the city allow?" },
        ],
    });
    story.answers(&round);
    let brief = story.asks("brief_review")["document"].as_str().expect("a brief").to_owned();
    has(section(&brief, "## Open questions"), &["Guides can swap tours", "Answer: ______"]);
    has(section(&brief, "## Goals"), &["zero by the summer season"]);
    story.answers(&json!({ "approved": true }));
}

fn reviews_and_edits_by_hand(story: &Story) -> [String; 4] {
    // Day 2. She has not looked at two requirements.
    let (mail, invoice) = (story.id("A confirmation"), story.id("invoice"));
    let (lift, code) = (story.id("wheelchair"), story.id("one code"));
    let verdicts = [
        modify(&mail, MINUTES, "Anselm sometimes has nobody for French."),
        out_of_scope(&invoice, "The finance department does it in their own system."),
    ];
    // An answer does not become a requirement by itself: she adds the rule.
    let cancelling = "Schools cancel free of charge until the day before, everybody else up to 48 hours before.";
    story.reviews_and_adds(&verdicts, &[lift.clone(), code.clone()], &[cancelling]);
    let hours = story.id_in_file("until the day before");
    has(section(&story.file(REQUIREMENTS), "## Pending Review"), &[&lift, &code]);

    // An edit by hand between the days.
    story.asks("gap_decision");
    story.edits(REQUIREMENTS, "everybody else up to 48 hours before.\n", "everybody else up to 72 hours before.\n");
    story.edits(REQUIREMENTS, "(4 persons, on a good day).\n", "(4 persons, on a good day). approved\n");
    story.answers(&json!({ "userIterationOverride": false }));
    [hours, lift, code, invoice]
}

fn reviews_again(story: &Story, [hours, lift, code, invoice]: [&String; 4]) {
    // Day 3. The edit is shown next to the previous words; writing "approved" by hand does not approve.
    let mut shown = story.shown();
    shown.sort();
    let mut expected = vec![hours.clone(), lift.clone(), code.clone()];
    expected.sort();
    assert_eq!(shown, expected);
    has(&story.asks("requirements_review")["changedByHand"].to_string(), &["up to 48 hours", hours, lift]);
    let back = json!({
        "id": invoice, "verdict": "modify", "reason": "The finance department said no.", "changes": { "priority": "should" },
    });
    let verdicts = json!({
        "verdicts": [
            modify(hours, "Schools cancel free of charge until the day before, everybody else up to 48 hours before.", "Philippa would kill me."),
            modify(lift, "Wheelchair users are asked for at booking because of the small lift, at most 4 per slot.", "The lift takes 4."),
            { "id": code, "verdict": "approve" },
            back,
        ],
        "added": [{ "description": SWAP }],
    });
    story.answers(&verdicts);
    has(&story.block(invoice), &["- Priority: medium", "The finance department said no.", "in their own system"]);
    has(&story.file(REQUIREMENTS), &["ask:requirements_review:1: Guides can propose a swap"]);
    has_none(&story.file(REQUIREMENTS), &["72 hours before.\n\n"]);
}

fn reviews_the_prd_twice(story: &Story) {
    let feedback = "There is no word about what happens if the mail does not arrive.";
    story.answers(&json!({ "prdApproved": false, "userFeedback": feedback, "added": [{ "description": WEB }] }));
    has(section(&story.prd(), "## Functional requirements"), &[WEB]);
    // The director has decided: the requirement answers the question of the brief.
    let brief = story.file(BRIEF);
    let line = brief
        .lines()
        .find(|line| line.starts_with("- [ ] Q-") && line.contains(": Which holds") && line.contains("Guides swapping"))
        .expect("the question");
    story.edits(BRIEF, &format!("{line}\n  Answer: ______"), &format!("{line}\n  Answer: {SWAP}"));
    story.answers(
        &json!({ "prdApproved": true, "gateOverride": "the city has not answered about the payment provider" }),
    );
    story
        .answer(&json!({ "prdApproved": true, "gateOverride": "the city has not answered about the payment provider" }))
        .ends_with(0);
}

fn the_prd_holds_her_decisions(story: &Story) {
    let prd = story.file("prd.md");
    let wanted = section(&prd, "## Functional requirements");
    has(wanted, &["48 hours", SWAP, WEB, "at most 4 per slot", "order number", MINUTES]);
    // Answers are listed with their questions.
    has(&prd, &["3 days", "20 people", "25"]);
    has_none(
        wanted,
        &["split automatically", "Deposit", "boat", "audio", "7 days", "72 hours", "at once", "approved |"],
    );
    has(section(&prd, "### Out of scope"), &["waiting list", "boat"]);
    has(section(&prd, "### Open questions"), &["payment provider"]);
    has(&story.history(), &["the office phones larger ones", "in their own system", "72 hours"]);
    story.sandbox.run(&["prd", "verify", "story"]).ends_with(0);
}
