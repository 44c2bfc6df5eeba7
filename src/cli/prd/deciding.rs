//! Has a person on the terminal decide on requirements and on gaps, one at a time.

use reqgate::prd::requirements::Verdict;
use reqgate::prd::workflow::{RequirementsReview, has_blanks};
use reqgate::prd::{Gap, GapCategory, Requirement};
use reqgate::workflow::{AskId, read_value};
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::input::{Typed, choice, needed, typed, words_for};
use super::kept::{Notes, Unsent, keep, unsent};
use super::shown;
use super::words::Words;

/// A decision on each gap; `None` if the person leaves.
pub fn each_gap(gaps: &[Gap], said: &Words) -> Result<Option<Value>, Failure> {
    let mut decided = serde_json::Map::new();
    for gap in gaps {
        println!("\n{}", wrapped(&shown::gap(gap)));
        let choice = match choice(said.choose_gap, "fdok", said)? {
            None => return Ok(None),
            Some('f') => json!({ "decision": "fix" }),
            Some('d') => {
                let Some(why) = needed(said.why, said)? else { return Ok(None) };
                json!({ "decision": "dismiss", "reason": why })
            }
            Some('o') => json!({ "decision": "ask" }),
            Some(_) => continue,
        };
        decided.insert(gap.id.clone(), choice);
    }
    let fixes = decided.values().any(|one| one["decision"] == "fix");
    Ok(Some(json!({ "userIterationOverride": if fixes { Value::Null } else { Value::Bool(false) }, "gaps": decided })))
}

/// What came of a question about a requirement.
enum Asked {
    /// A verdict.
    Verdict(Verdict),
    /// Nothing: it is asked again.
    Nothing,
    /// The person leaves.
    Leave,
}

/// Verdicts on the requirements that are still without one; `None` if the person leaves.
pub fn verdicts(
    id: &AskId,
    review: &RequirementsReview,
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<Value>, Failure> {
    let mut unsent = unsent(id, notes);
    println!("{}", wrapped(&shown::gate(&review.gate, said)));
    let mut all = false;
    let count = review.requirements.len();
    for (number, one) in (1..).zip(&review.requirements) {
        if unsent.verdicts.iter().any(|verdict| verdict.id == one.id) {
            continue;
        }
        let verdict = if all {
            // Blanks are filled in, or the requirement waits.
            let word = if has_blanks(one) { "defer" } else { "approve" };
            read(&json!({ "id": one.id, "verdict": word }))?
        } else {
            print!("\n{number}/{count}\n{}", wrapped(&shown::proposed(one, review, said)));
            match decided(one, review, &mut all, said)? {
                Some(verdict) => verdict,
                None => return Ok(None),
            }
        };
        unsent.verdicts.push(verdict);
        keep(id, notes, &unsent)?;
    }
    if review.requirements.is_empty() && !decided_again(id, review, &mut unsent, notes, said)? {
        return Ok(None);
    }
    loop {
        match words_for(said.add_requirement, said)? {
            None => return Ok(None),
            Some(text) if text.is_empty() => break,
            Some(text) => unsent.added.push(text),
        }
        keep(id, notes, &unsent)?;
    }
    let added: Vec<Value> = unsent.added.iter().map(|text| json!({ "description": text })).collect();
    Ok(Some(json!({ "verdicts": unsent.verdicts, "added": added })))
}

/// Asks about one requirement until it is decided; `None` if the person leaves. `all` is set if all that follow are approved too.
fn decided(
    one: &Requirement,
    review: &RequirementsReview,
    all: &mut bool,
    said: &Words,
) -> Result<Option<Verdict>, Failure> {
    let lacks = |gap: &Gap| gap.category == GapCategory::MissingCriterion && gap.requirements.contains(&one.id);
    if review.gaps.iter().any(lacks) {
        match criterion(one, said)? {
            Asked::Leave => return Ok(None),
            Asked::Verdict(verdict) => return Ok(Some(verdict)),
            Asked::Nothing => {}
        }
    }
    loop {
        let Some(letter) = choice(said.choose_requirement, "amcrodl", said)? else { return Ok(None) };
        *all |= letter == 'l';
        match verdict(one, if letter == 'l' { 'a' } else { letter }, said)? {
            Asked::Leave => return Ok(None),
            Asked::Verdict(verdict) => return Ok(Some(verdict)),
            Asked::Nothing => {}
        }
    }
}

/// An approved PRD was taken up again: what was decided may be decided anew. False if the person leaves.
fn decided_again(
    id: &AskId,
    review: &RequirementsReview,
    unsent: &mut Unsent,
    notes: &Notes<'_>,
    said: &Words,
) -> Result<bool, Failure> {
    let again = || review.decided.iter().map(|one| &one.requirement);
    for one in again() {
        println!("{}", wrapped(&format!("  {} {}", one.id, shown::plain(&one.title))));
    }
    while !review.decided.is_empty() {
        let Some(named) = words_for(said.decide_again, said)? else { return Ok(false) };
        if named.is_empty() {
            break;
        }
        let Some(one) = again().find(|one| one.id.to_string().eq_ignore_ascii_case(&named)) else { continue };
        print!("\n{}", wrapped(&shown::requirement(one, said)));
        let Some(letter) = choice(said.choose_requirement, "amcro", said)? else { return Ok(false) };
        match verdict(one, letter, said)? {
            Asked::Leave => return Ok(false),
            Asked::Nothing => {}
            Asked::Verdict(verdict) => {
                unsent.verdicts.retain(|other| other.id != one.id);
                unsent.verdicts.push(verdict);
                keep(id, notes, unsent)?;
            }
        }
    }
    Ok(true)
}

/// The verdict of a letter, with the words that it needs.
fn verdict(one: &Requirement, letter: char, said: &Words) -> Result<Asked, Failure> {
    let why = || needed(said.why, said);
    let verdict = match letter {
        'a' if has_blanks(one) => {
            let Some(text) = needed(said.fill_blanks, said)? else { return Ok(Asked::Leave) };
            json!({ "id": one.id, "verdict": "modify", "changes": { "description": text }, "reason": said.blanks_filled })
        }
        'a' => json!({ "id": one.id, "verdict": "approve" }),
        'd' => json!({ "id": one.id, "verdict": "defer" }),
        'c' => return criterion(one, said),
        'm' => {
            let Some(text) = needed(said.what_says, said)? else { return Ok(Asked::Leave) };
            let Some(why) = why()? else { return Ok(Asked::Leave) };
            json!({ "id": one.id, "verdict": "modify", "changes": { "description": text }, "reason": why })
        }
        other => {
            let Some(why) = why()? else { return Ok(Asked::Leave) };
            let verdict = if other == 'r' { "reject" } else { "out_of_scope" };
            json!({ "id": one.id, "verdict": verdict, "reason": why })
        }
    };
    read(&verdict).map(Asked::Verdict)
}

/// Asks for a criterion, which is written into the requirement.
fn criterion(one: &Requirement, said: &Words) -> Result<Asked, Failure> {
    let asked = said.criterion_for.replace("{id}", &one.id.to_string());
    let text = match typed(&asked, said.criterion_help, said)? {
        Typed::Leave => return Ok(Asked::Leave),
        Typed::Nothing | Typed::Back => return Ok(Asked::Nothing),
        Typed::Words(text) => text,
    };
    // One that only repeats the requirement is no longer needed.
    let own = one.acceptance_criteria.iter().filter(|criterion| **criterion != one.description);
    let criteria: Vec<&String> = own.chain([&text]).collect();
    let changes = json!({ "acceptanceCriteria": criteria });
    let verdict = json!({ "id": one.id, "verdict": "modify", "changes": changes, "reason": said.criterion_added });
    read(&verdict).map(Asked::Verdict)
}

fn read(verdict: &Value) -> Result<Verdict, Failure> {
    read_value(verdict).map_err(Failure::usage)
}
