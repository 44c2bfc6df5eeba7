//! Asks a person on the terminal for decisions on requirements and on gaps, one at a time.

use reqgate::prd::ask::Input;
use reqgate::prd::brief::is_blank;
use reqgate::prd::gaps::has_blank;
use reqgate::prd::requirements::{ExportedRequirement, RequirementChanges, Verdict, VerdictKind};
use reqgate::prd::workflow::{RequirementsReview, has_blanks};
use reqgate::prd::{Gap, GapCategory, Requirement, RequirementId};
use reqgate::workflow::AskId;
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::input::{Chosen, Typed, choice, chosen, letter_of, needed, typed};
use super::kept::{Notes, Unsent, keep, unsent};
use super::seen::Seen;
use super::shown;
use super::words::Words;

/// A decision on each gap; `None` if the person leaves.
pub(super) fn each_gap(gaps: &[Gap], said: &Words) -> Result<Option<Input>, Failure> {
    let mut decided = Input::default();
    let mut needs_round = false;
    for gap in gaps {
        println!("\n{}", wrapped(&shown::gap(gap, said)));
        let (decision, words) = loop {
            break match choice(said.choose_gap, "fdok", said)? {
                None => return Ok(None),
                // A criterion closes a gap in a requirement at once.
                Some('f') => match gap.requirements.as_slice() {
                    [one] => match criterion(one, said)? {
                        Typed::Words(words) => ("criterion", words),
                        Typed::Nothing => ("fix", String::new()),
                        Typed::Leave => return Ok(None),
                        Typed::Back => continue,
                    },
                    _ => ("fix", String::new()),
                },
                Some('d') => match needed(said.why, said)? {
                    Typed::Words(why) => ("dismiss", why),
                    Typed::Leave => return Ok(None),
                    Typed::Nothing | Typed::Back => continue,
                },
                Some('o') => ("ask", String::new()),
                Some(_) => ("", String::new()),
            };
        };
        needs_round |= decision == "fix";
        decided = decided.with(format!("gap.{}", gap.id), decision).with(format!("gap-words.{}", gap.id), words);
    }
    Ok(Some(decided.with("decision", if needs_round { "score" } else { "go-on" })))
}

/// The result of a question about a requirement.
enum VerdictReply {
    Verdict(Verdict),
    /// No decision: the question is asked again.
    Nothing,
    Leave,
}

/// Verdicts on the requirements that are still without one; `None` if the person leaves.
pub(super) fn verdicts(
    id: &AskId,
    review: &RequirementsReview,
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<Value>, Failure> {
    let mut unsent = unsent(id, notes);
    println!("{}", wrapped(&shown::gate(&review.gate, said)));
    let mut all = false;
    let count = review.requirements.len();
    while let Some((number, one)) = (1..)
        .zip(shown::in_order(&review.requirements))
        .find(|(_, one)| !unsent.verdicts.iter().any(|verdict| verdict.id == one.id))
    {
        let verdict = if all {
            // Blanks are filled in, or the requirement waits.
            let kind = if has_blanks(one) { VerdictKind::Defer } else { VerdictKind::Approve };
            Verdict { id: one.id.clone(), kind }
        } else {
            print!("\n{number}/{count}\n{}", wrapped(&shown::proposed(one, review, &Seen::default(), said)));
            match decided(one, review, &mut all, said)? {
                VerdictReply::Verdict(verdict) => verdict,
                VerdictReply::Leave => return Ok(None),
                // The one before is decided again.
                VerdictReply::Nothing => {
                    if unsent.verdicts.pop().is_none() {
                        println!("{}", wrapped(said.no_way_back));
                    }
                    continue;
                }
            }
        };
        unsent.verdicts.push(verdict);
        keep(id, notes, &unsent)?;
    }
    if review.requirements.is_empty() && !decided_again(id, &review.decided, &mut unsent, notes, said)? {
        return Ok(None);
    }
    with_additions(id, unsent, notes, said)
}

/// Verdicts on requirements that were decided before, and further ones; `None` if the person leaves.
pub(super) fn anew(
    id: &AskId,
    decided: &[ExportedRequirement],
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<Value>, Failure> {
    let mut unsent = unsent(id, notes);
    match decided_again(id, decided, &mut unsent, notes, said)? {
        true => with_additions(id, unsent, notes, said),
        false => Ok(None),
    }
}

/// The verdicts, with requirements in the reviewer's own words; `None` if the person leaves.
fn with_additions(id: &AskId, mut unsent: Unsent, notes: &Notes<'_>, said: &Words) -> Result<Option<Value>, Failure> {
    loop {
        match typed(said.add_requirement, said.add_requirement, said)? {
            Typed::Leave => return Ok(None),
            Typed::Nothing => break,
            Typed::Words(text) if is_blank(&text) => break,
            Typed::Back => {
                let taken = unsent.added.pop();
                println!("{}", wrapped(taken.as_deref().map_or(said.no_way_back, |_| said.taken_back)));
            }
            Typed::Words(text) if has_blank(&text) => println!("{}", wrapped(said.blanks_in_addition)),
            Typed::Words(text) => unsent.added.push(text),
        }
        keep(id, notes, &unsent)?;
    }
    let added: Vec<Value> = unsent.added.iter().map(|text| json!({ "description": text })).collect();
    Ok(Some(json!({ "verdicts": unsent.verdicts, "added": added })))
}

/// Asks about one requirement until it is decided, or the person goes back. `all` is set if all that follow are approved too.
fn decided(
    one: &Requirement,
    review: &RequirementsReview,
    all: &mut bool,
    said: &Words,
) -> Result<VerdictReply, Failure> {
    let lacks = |gap: &Gap| gap.category == GapCategory::MissingCriterion && gap.requirements.contains(&one.id);
    let mut criteria = Vec::new();
    if review.gaps.iter().any(lacks) {
        match criterion(&one.id, said)? {
            Typed::Leave => return Ok(VerdictReply::Leave),
            Typed::Words(text) => criteria.push(text),
            Typed::Nothing | Typed::Back => {}
        }
    }
    loop {
        let letter = match chosen(said.choose_requirement, "amcrodl", said)? {
            Chosen::Way(letter) => letter,
            Chosen::Back => return Ok(VerdictReply::Nothing),
            Chosen::Leave => return Ok(VerdictReply::Leave),
        };
        *all |= letter == 'l';
        match verdict(one, if letter == 'l' { 'a' } else { letter }, &criteria, said)? {
            VerdictReply::Nothing => {}
            asked => return Ok(asked),
        }
    }
}

/// Lets the person change the decisions on a PRD that was reopened after its approval. Returns false if the person leaves.
fn decided_again(
    id: &AskId,
    decided: &[ExportedRequirement],
    unsent: &mut Unsent,
    notes: &Notes<'_>,
    said: &Words,
) -> Result<bool, Failure> {
    let again = || decided.iter().map(|one| &one.requirement);
    for one in again() {
        println!("{}", wrapped(&format!("  {} {}", one.id, shown::plain(&one.title))));
    }
    while !decided.is_empty() {
        let named = match typed(said.decide_again, said.decide_again, said)? {
            Typed::Leave => return Ok(false),
            Typed::Nothing => break,
            Typed::Back => continue,
            Typed::Words(named) => named,
        };
        let Some(one) = again().find(|one| one.id.to_string().eq_ignore_ascii_case(&named)) else { continue };
        print!("\n{}", wrapped(&shown::requirement(one, said)));
        let Some(letter) = choice(said.choose_requirement, "amcrod", said)? else { return Ok(false) };
        match verdict(one, letter, &[], said)? {
            VerdictReply::Leave => return Ok(false),
            VerdictReply::Nothing => {}
            VerdictReply::Verdict(verdict) => {
                unsent.verdicts.retain(|other| other.id != one.id);
                unsent.verdicts.push(verdict);
                keep(id, notes, unsent)?;
            }
        }
    }
    Ok(true)
}

/// The verdict of a letter, with the words that it needs. `given` are criteria from before it was chosen.
fn verdict(one: &Requirement, letter: char, given: &[String], said: &Words) -> Result<VerdictReply, Failure> {
    let mut changes = RequirementChanges::default();
    let mut criteria = given.to_vec();
    let mut reason = said.criterion_added.to_owned();
    let asked: &[&str] = match letter {
        'm' => &[said.what_says, said.why],
        'r' | 'o' => &[said.why],
        'a' if has_blanks(one) => &[said.fill_blanks],
        _ => &[],
    };
    let decided = |kind| VerdictReply::Verdict(Verdict { id: one.id.clone(), kind });
    let mut words = Vec::new();
    for prompt in asked {
        match needed(prompt, said)? {
            Typed::Words(text) => words.push(text),
            Typed::Leave => return Ok(VerdictReply::Leave),
            Typed::Nothing | Typed::Back => return Ok(VerdictReply::Nothing),
        }
    }
    match (letter, words.as_slice()) {
        ('d', _) => return Ok(decided(VerdictKind::Defer)),
        ('r', [why]) => return Ok(decided(VerdictKind::Reject { reason: why.clone() })),
        ('o', [why]) => return Ok(decided(VerdictKind::OutOfScope { reason: why.clone() })),
        ('c', _) => match criterion(&one.id, said)? {
            Typed::Words(text) => criteria.push(text),
            Typed::Leave => return Ok(VerdictReply::Leave),
            Typed::Nothing | Typed::Back => return Ok(VerdictReply::Nothing),
        },
        (_, [description, rest @ ..]) => {
            changes.description = Some(description.clone());
            reason = rest.first().map_or(said.blanks_filled, String::as_str).to_owned();
        }
        _ => {}
    }
    if !criteria.is_empty() {
        // A criterion that only repeats the requirement is not needed any more.
        let own = one.acceptance_criteria.iter().filter(|criterion| **criterion != one.description);
        changes.acceptance_criteria = Some(own.chain(&criteria).cloned().collect());
    }
    Ok(decided(match changes == RequirementChanges::default() {
        true => VerdictKind::Approve,
        false => VerdictKind::Modify { changes, reason },
    }))
}

/// Asks for a criterion, which is written into the requirement. Placeholders and decisions do not count as one.
fn criterion(id: &RequirementId, said: &Words) -> Result<Typed, Failure> {
    let asked = said.criterion_for(&id);
    Ok(match typed(&asked, said.criterion_help, said)? {
        Typed::Words(text) if is_blank(&text) || has_blank(&text) => Typed::Nothing,
        Typed::Words(text) if letter_of(&text.to_lowercase(), said.choose_requirement).is_some() => Typed::Nothing,
        given => given,
    })
}
