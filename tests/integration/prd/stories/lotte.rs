//! Lotte, who rejects a requirement, changes her mind twice and edits files by hand.

use serde_json::json;

use super::{BRIEF, REQUIREMENTS, Story, has, has_none, modify, out_of_scope, reject, section};

/// Her reason against the search by photo.
const OILY: &str = "Nobody takes a clean photo of an oily gasket, and we have pictures of only a third of the parts.";
/// The words that she adds to a requirement by hand.
const OWN: &str = "If there is no successor, the search says so and shows the phone number of the desk.";

#[test]
fn lotte_rejects_changes_her_mind_and_edits_by_hand() {
    let story = Story::begins("13-parts-search-story", &["ticket-PARTS-55.md"]);
    story.is_read("13-parts-search-story");
    answers_questions_of_the_brief(&story);
    let [photo, successor, weekly] = reviews_requirements(&story);
    edits_requirements_by_hand(&story, &successor, &weekly);
    changes_her_mind(&story, &photo);
    closes_the_gap_in_the_brief(&story);
    the_prd_holds_her_decisions(&story);
}

fn answers_questions_of_the_brief(story: &Story) {
    // The first round of the brief, while questions are asked: she does not know yet how to measure success.
    let round = json!({
        "approved": false,
        "answers": {
            story.question("how many languages"): "German and English.",
            story.question("type Danish"): "Out of scope this time.",
            story.question("German and English names"): "That holds.",
            story.question("not part of it"): "Danish: there are no Danish names in the data.",
        },
        "modifications": [{ "section": "Users", "requestedContent": "Mechanics and dealers' staff\nParts desk" }],
    });
    // Words about the whole brief are for its author; an approval would lose them.
    let mut both = round.clone();
    both["approved"] = true.into();
    both["userFeedback"] = "Shorter, please.".into();
    assert!(story.answer(&both).ends_with(2).stderr.contains("say false"));
    story.answers(&round);
    let second = story.asks("brief_review");
    has(
        second["document"].as_str().expect("a brief"),
        &["- Mechanics and dealers' staff", "by when?\n  Answer: ______"],
    );
    story.answers(&json!({ "approved": true }));
}

/// Reviews the requirements, and returns the ids of those that matter later.
fn reviews_requirements(story: &Story) -> [String; 3] {
    let (photo, typos, successor) = (story.id("by photo"), story.id("typos"), story.id("successor"));
    let (weekly, others, speed) = (story.id("weekly"), story.id("other people bought"), story.id("1 second"));
    let one_letter = "One wrong letter is tolerated in words of up to 5 letters, two in longer words; part numbers are never corrected.";
    let verdicts = [
        reject(&photo, OILY),
        modify(&typos, one_letter, "A wrong part number must not silently become another part."),
        modify(
            &speed,
            "Results appear within 2 seconds, measured for 95 of 100 searches.",
            "2 is what the contract says.",
        ),
        reject(&story.id("As long as"), "A remark."),
        out_of_scope(&others, "Ruben may have it next year."),
    ];
    story.reviews(&verdicts, &[]);
    has_none(&story.block(&speed), &["1 second\n\n- Priority", "- Results have to appear"]);
    [photo, successor, weekly]
}

fn edits_requirements_by_hand(story: &Story, successor: &str, weekly: &str) {
    // An edit by hand in the file, before the next review.
    story.asks("gap_decision");
    story.edits(REQUIREMENTS, "at them weekly.\n", "at them every Monday, as a list sorted by frequency.\n");
    let successor_now = "If a part is discontinued the search shows its successor.\n";
    story.edits(REQUIREMENTS, successor_now, &format!("{successor_now}{OWN}\n"));
    story.answers(&json!({ "userIterationOverride": false }));
    // Both edits are detected and kept; requirements that she did not change are not asked again.
    let request = story.asks("requirements_review");
    assert_eq!(story.shown(), [successor, weekly]);
    let changed = request["changedByHand"].to_string();
    has(&changed, &["edited", "look at them weekly."]);
    let terminal = story.sandbox.run(&["prd", "resume", "story"]).ends_with(4).stdout;
    has(&terminal, &["edited by hand in requirements.md; before: Zero-hit searches are logged", OWN]);
    story.reviews(&[], &[]);
    let block = story.block(successor);
    let of_ticket = block.lines().find(|line| line.starts_with("- ticket-PARTS-55.md")).expect("a source");
    assert!(block.contains(&format!(": {OWN}")) && !of_ticket.contains("phone number"), "{block}");
    has(&block, &["- requirements.md:"]);
    has_none(
        &story.block(weekly),
        &["- Zero-hit searches are logged so that the desk can look at them weekly.\n\nSources"],
    );
}

/// She lets the photo in, and takes it out again a minute later.
fn changes_her_mind(story: &Story, photo: &str) {
    let prd = story.prd();
    has_none(prd.split("## Change log").next().expect("a part"), &["by photo"]);
    let could = json!({
        "id": photo, "verdict": "modify", "reason": "Ruben insists. But only as could.",
        "changes": { "description": "Mechanics can search by photo, only for parts that have a picture.", "priority": "could" },
    });
    // The gate also stops the resulting PRD, so it is shown again despite the approval.
    story.answers(&json!({ "prdApproved": true, "verdicts": [could] }));
    has(
        &story.prd(),
        &[
            &format!(
                "| {photo} | Mechanics can search by photo | Mechanics can search by photo, only for parts that have a picture."
            ),
            "| P2 |",
        ],
    );
    has(&story.block(photo), &[OILY, "Ruben insists."]);
    story.answers(
        &json!({ "prdApproved": false, "verdicts": [reject(photo, "No. Leave it rejected. I talked to him.")] }),
    );
    has_none(story.prd().split("## Change log").next().expect("a part"), &["by photo"]);
    has(&story.history(), &[OILY, "Ruben insists.", "I talked to him."]);
    has(section(&story.file(REQUIREMENTS), "## Rejected"), &[photo, "I talked to him."]);
}

fn closes_the_gap_in_the_brief(story: &Story) {
    let zero = "Zero hits below 15 % of searches three months after the start, today it is 40 %.";
    has(section(&story.prd(), "### Open questions"), &["How will you measure"]);
    story.edits(BRIEF, "by when?\n  Answer: ______", &format!("by when?\n  Answer: {zero}"));
    story.answers(&json!({ "prdApproved": true, "gateOverride": "with gloves or not, nobody knows" }));
    has(&story.prd(), &[zero]);
    // The question about gloves is not answered: it stays open, and she approves the PRD by naming it.
    story.answer(&json!({ "prdApproved": true })).ends_with(2);
    story.answer(&json!({ "prdApproved": true, "gateOverride": "with gloves or not, nobody knows" })).ends_with(0);
}

fn the_prd_holds_her_decisions(story: &Story) {
    let prd = story.file("prd.md");
    has(
        section(&prd, "### Out of scope"),
        &["Danish", "other people bought, like Kettenmax does (Ruben may have it next year)."],
    );
    has(section(&prd, "### Open questions"), &["with gloves?"]);
    let wanted = section(&prd, "## Functional requirements");
    has(wanted, &["within 2 seconds", "every Monday", OWN, "never corrected"]);
    has_none(wanted, &["by photo", "Kettenmax", "1 second", "voice", "weekly", "one or two letters"]);
    // The gate names the one question that she accepted, with her reason.
    let checked = story.sandbox.run(&["check", &Story::path("prd.md")]).ends_with(0).stdout;
    has(&checked, &["One open question was accepted by", "nobody knows", "with gloves"]);
}
