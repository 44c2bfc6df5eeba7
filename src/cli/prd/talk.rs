//! Puts the questions of the PRD workflow to a person on the terminal.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Command;

use reqgate::files::{self, Readers};
use reqgate::model::Language;
use reqgate::prd::brief::BriefSection;
use reqgate::prd::collect::NotUsed;
use reqgate::prd::requirements::Verdict;
use reqgate::prd::workflow::{Checkpoint, PrdAsk, PrdWorkflow, RequirementsReview, has_blanks};
use reqgate::prd::{Gap, Requirement};
use reqgate::workflow::{AskId, Asking, InterruptAction, Question, interrupt_answer, read_value};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::shown::{self, plain};
use super::words::{Words, words};

/// Opens a text in the user's editor.
/// `suffix` tells the editor the kind of text, e.g. `.md`.
pub fn edit(text: &str, suffix: &str) -> Result<String, Failure> {
    let editor =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    let editor = editor.ok_or_else(|| Failure::usage("no editor is set: set EDITOR"))?;
    let failure = |error: io::Error| Failure::World(format!("{editor}: {error}"));
    let mut file = tempfile::Builder::new().prefix("reqgate-").suffix(suffix).tempfile().map_err(failure)?;
    file.write_all(text.as_bytes()).map_err(failure)?;
    // The variable may hold flags, as in `code --wait`; no shell reads it.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program).args(words).arg(file.path()).status().map_err(failure)?;
    if !status.success() {
        return Err(Failure::World(format!("{editor} failed; nothing was answered")));
    }
    fs::read_to_string(file.path()).map_err(failure)
}

/// Asks a question; `None` if the person leaves.
fn line(prompt: &str) -> Result<Option<String>, Failure> {
    let failure = |error: io::Error| Failure::World(format!("the terminal: {error}"));
    let mut out = io::stdout().lock();
    write!(out, "{prompt} ").and_then(|()| out.flush()).map_err(failure)?;
    let mut text = String::new();
    let count = io::stdin().lock().read_line(&mut text).map_err(failure)?;
    Ok((count > 0).then(|| text.trim().to_owned()))
}

/// Asks something that is agreed to with `y`.
pub fn agrees(prompt: &str) -> Result<bool, Failure> {
    Ok(line(prompt)?.is_some_and(|text| matches!(text.to_lowercase().as_str(), "y" | "yes" | "是")))
}

/// Asks for words, on a separate line; `None` if the person leaves.
fn words_for(prompt: &str) -> Result<Option<String>, Failure> {
    Ok(line(&format!("{prompt}\n>"))?.filter(|text| text != "q"))
}

/// Asks for words until some are given; `None` if the person leaves.
fn needed(prompt: &str, said: &Words) -> Result<Option<String>, Failure> {
    let mut text = words_for(prompt)?;
    while text.as_deref() == Some("") {
        text = words_for(said.needed)?;
    }
    Ok(text)
}

/// Asks for one of these letters; `None` if the person leaves.
fn choice(prompt: &str, letters: &str, said: &Words) -> Result<Option<char>, Failure> {
    loop {
        match line(prompt)?.as_deref() {
            None | Some("q") => return Ok(None),
            Some(text) => {
                if let Some(letter) = text.chars().next().filter(|letter| letters.contains(*letter)) {
                    return Ok(Some(letter));
                }
                let known: Vec<String> = letters.chars().chain(['q']).map(String::from).collect();
                println!("{}{}", said.one_of, known.join(", "));
            }
        }
    }
}

/// The decisions made before somebody left, so that nothing is asked twice.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Unsent {
    #[serde(default)]
    answers: serde_json::Map<String, Value>,
    #[serde(default)]
    verdicts: Vec<Verdict>,
    /// Sections of sentences that were not used; an empty one for a sentence that was left out.
    #[serde(default)]
    adopt: serde_json::Map<String, Value>,
    /// Requirements in the reviewer's own words.
    #[serde(default)]
    added: Vec<String>,
}

/// The place where answers are kept until they are sent, without personal data and secrets.
pub struct Notes<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Masks an answer before it is kept.
    pub masked: &'a dyn Fn(Value) -> Value,
}

fn unsent(id: &AskId, notes: &Notes<'_>) -> Unsent {
    let text = fs::read_to_string(notes.folder.join(format!("{id}.json"))).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn keep(id: &AskId, notes: &Notes<'_>, unsent: &Unsent) -> Result<(), Failure> {
    let value = serde_json::to_value(unsent).map_err(|error| Failure::World(error.to_string()))?;
    let text = (notes.masked)(value).to_string();
    let path = notes.folder.join(format!("{id}.json"));
    files::write(&path, text.as_bytes(), Readers::Owner).map_err(|error| Failure::writing("the unsent answers", &error))
}

/// Deletes the answers kept for a question that is now answered.
pub fn forget(id: &AskId, notes: &Path) {
    // The file exists only if somebody left before answering.
    let _ = fs::remove_file(notes.join(format!("{id}.json")));
}

/// Asks a person on the terminal; `None` if the person leaves, in which case the answers so far are kept.
///
/// # Errors
/// Fails if the terminal does.
pub fn on_terminal(
    id: &AskId,
    question: &Asking<PrdWorkflow>,
    language: Language,
    notes: &Notes<'_>,
) -> Result<Option<Value>, Failure> {
    let said = words(language);
    // A single question is asked below, with the place that it is about.
    if !matches!(question, Asking::Workflow(PrdAsk::Clarification(ask)) if ask.questions.len() == 1) {
        println!("{}", plain(&question.title_in(language)));
    }
    let ask = match question {
        Asking::Engine(..) => {
            println!("  {}", plain(&question.ways_on(language).unwrap_or_default()));
            let letter = choice(said.choose_interrupt, "te", said)?;
            return Ok(letter.map(|letter| {
                interrupt_answer(if letter == 't' { InterruptAction::Continue } else { InterruptAction::Abort })
            }));
        }
        Asking::Workflow(ask) => ask,
    };
    match ask {
        PrdAsk::Clarification(ask) => {
            Ok(answers(id, &ask.questions, notes, said)?.map(|answers| json!({ "answers": answers })))
        }
        PrdAsk::RequirementsReview(review) => verdicts(id, review, notes, said),
        PrdAsk::BriefReview(review) => {
            println!(
                "{}{}",
                shown::reviewed(&review.document, &review.gate, said),
                shown::doubts(&review.doubts, said)
            );
            let Some(adopted) = adopted(id, &review.not_used, notes, said)? else { return Ok(None) };
            let Some(answers) = answers(id, &review.open_questions, notes, said)? else { return Ok(None) };
            let with_answers = |mut answer: Value| {
                answer["answers"] = Value::Object(answers.clone());
                answer["adopt"] = Value::Object(adopted.clone());
                answer
            };
            Ok(match choice(said.choose_document, "ace", said)? {
                Some('a') => Some(with_answers(json!({ "approved": true }))),
                Some('e') => {
                    Some(with_answers(json!({ "approved": true, "editedDocument": edit(&review.document, ".md")? })))
                }
                Some(_) => needed(said.what_changes, said)?
                    .map(|text| with_answers(json!({ "approved": false, "userFeedback": text }))),
                None => None,
            })
        }
        PrdAsk::Team(review) => {
            println!("{}", shown::team(review, said));
            let letters = if review.checkpoint == Checkpoint::OutlineApproval { "ac" } else { "ace" };
            let Some(letter) = choice(said.choose_document, letters, said)? else { return Ok(None) };
            if letter == 'c' {
                return Ok(
                    needed(said.what_changes, said)?.map(|text| json!({ "approved": false, "userFeedback": text }))
                );
            }
            let mut answer = json!({ "approved": true });
            if letter == 'e' {
                answer["editedDocument"] = edit(&review.document, ".md")?.into();
            }
            if letter == 'a' && review.needs_reason() {
                let Some(why) = needed(said.why_override, said)? else { return Ok(None) };
                answer["because"] = why.into();
            }
            Ok(Some(answer))
        }
        PrdAsk::GapDecision(decision) => {
            println!("{}\n", shown::looked_at(decision, said));
            decision.identified_gaps.iter().for_each(|gap| println!("{}", shown::gap(gap)));
            match choice(said.choose_gaps, "cge", said)? {
                Some('e') => each_gap(&decision.identified_gaps, said),
                letter => Ok(letter.map(|letter| json!({ "userIterationOverride": letter == 'c' }))),
            }
        }
        PrdAsk::PrdReview(review) => {
            println!("{}", shown::reviewed(&review.document, &review.gate, said));
            print!("{}", shown::hand_changes(&review.changed_by_hand, said));
            let Some(letter) = choice(said.choose_document, "ace", said)? else { return Ok(None) };
            if letter == 'c' {
                return Ok(
                    needed(said.what_changes, said)?.map(|text| json!({ "prdApproved": false, "userFeedback": text }))
                );
            }
            let mut answer = json!({ "prdApproved": true });
            if letter == 'e' {
                answer["editedDocument"] = edit(&review.document, ".md")?.into();
            }
            // An edited document is judged again.
            if letter == 'a' && !review.gate.verdict.is_pass() {
                let Some(why) = needed(said.why_override, said)? else { return Ok(None) };
                answer["gateOverride"] = why.into();
            }
            Ok(Some(answer))
        }
    }
}

/// A decision on each gap; `None` if the person leaves.
fn each_gap(gaps: &[Gap], said: &Words) -> Result<Option<Value>, Failure> {
    let mut decided = serde_json::Map::new();
    for gap in gaps {
        println!("\n{}", shown::gap(gap));
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

/// Answers to the questions that are still without one.
fn answers(
    id: &AskId,
    questions: &[Question],
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<serde_json::Map<String, Value>>, Failure> {
    let mut unsent = unsent(id, notes);
    if !questions.is_empty() {
        println!("{}", said.leaving);
    }
    let count = questions.len();
    for (number, question) in (1..).zip(questions) {
        if unsent.answers.contains_key(&question.id) {
            continue;
        }
        let about = question.about.as_deref().map(|about| format!(" ({})", plain(about))).unwrap_or_default();
        match words_for(&format!("\n{number}/{count} {}{about}", plain(&question.question)))? {
            None => return Ok(None),
            Some(text) => unsent.answers.insert(question.id.clone(), Value::String(text)),
        };
        keep(id, notes, &unsent)?;
    }
    Ok(Some(unsent.answers))
}

/// The sections of sentences that were not used, as a person gives them, one letter each.
fn adopted(
    id: &AskId,
    not_used: &[NotUsed],
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<serde_json::Map<String, Value>>, Failure> {
    let mut unsent = unsent(id, notes);
    let open: Vec<&NotUsed> =
        not_used.iter().filter(|one| !one.is_courtesy && !unsent.adopt.contains_key(&one.id)).collect();
    if !open.is_empty() {
        println!("{}", said.adopting);
    }
    for one in open {
        print!("\n{}", shown::not_used(std::slice::from_ref(one), said));
        let section = loop {
            let Some(text) = line(said.choose_adopt)?.filter(|text| text != "q") else { return Ok(None) };
            match text.as_str() {
                "" => break String::new(),
                "." => break ".".to_owned(),
                letter => match section_of(letter) {
                    Some(section) => break section.heading(Language::En).to_lowercase(),
                    None => println!("{}p, g, u, f, m, r, o, ?, q", said.one_of),
                },
            }
        };
        if section == "." {
            break;
        }
        unsent.adopt.insert(one.id.clone(), Value::String(section));
        keep(id, notes, &unsent)?;
    }
    unsent.adopt.retain(|_, section| section.as_str().is_some_and(|section| !section.is_empty()));
    Ok(Some(unsent.adopt))
}

fn section_of(letter: &str) -> Option<BriefSection> {
    Some(match letter {
        "p" => BriefSection::Problem,
        "g" => BriefSection::Goals,
        "u" => BriefSection::Users,
        "f" => BriefSection::Flows,
        "m" => BriefSection::SuccessMeasures,
        "r" => BriefSection::Constraints,
        "o" => BriefSection::OutOfScope,
        "?" | "？" => BriefSection::OpenQuestions,
        _ => return None,
    })
}

/// Verdicts on the requirements that are still without one.
fn verdicts(
    id: &AskId,
    review: &RequirementsReview,
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<Value>, Failure> {
    let mut unsent = unsent(id, notes);
    println!("{}", shown::gate(&review.gate, said));
    let mut all = false;
    let count = review.requirements.len();
    for (number, one) in (1..).zip(&review.requirements) {
        if unsent.verdicts.iter().any(|verdict| verdict.id == one.id) {
            continue;
        }
        let letter = if all {
            'a'
        } else {
            print!("\n{number}/{count}\n{}", shown::proposed(one, review, said));
            match choice(said.choose_requirement, "amrodl", said)? {
                None => return Ok(None),
                Some('l') => {
                    all = true;
                    'a'
                }
                Some(letter) => letter,
            }
        };
        // Blanks are filled in, or the requirement waits.
        let letter = if all && has_blanks(one) { 'd' } else { letter };
        let Some(verdict) = verdict(one, letter, said)? else { return Ok(None) };
        unsent.verdicts.push(verdict);
        keep(id, notes, &unsent)?;
    }
    // An approved PRD was taken up again: what was decided may be decided anew.
    let again = if review.requirements.is_empty() { review.decided.as_slice() } else { &[] };
    for one in again.iter().map(|one| &one.requirement) {
        println!("  {} {}", one.id, shown::plain(&one.title));
    }
    while !again.is_empty() {
        let Some(named) = words_for(said.decide_again)? else { return Ok(None) };
        if named.is_empty() {
            break;
        }
        let found =
            again.iter().map(|one| &one.requirement).find(|one| one.id.to_string().eq_ignore_ascii_case(&named));
        let Some(one) = found else { continue };
        print!("\n{}", shown::requirement(one, said));
        let Some(letter) = choice(said.choose_requirement, "amro", said)? else { return Ok(None) };
        let Some(verdict) = verdict(one, letter, said)? else { return Ok(None) };
        unsent.verdicts.retain(|other| other.id != one.id);
        unsent.verdicts.push(verdict);
        keep(id, notes, &unsent)?;
    }
    loop {
        match words_for(said.add_requirement)? {
            None => return Ok(None),
            Some(text) if text.is_empty() => break,
            Some(text) => unsent.added.push(text),
        }
        keep(id, notes, &unsent)?;
    }
    let added: Vec<Value> = unsent.added.iter().map(|text| json!({ "description": text })).collect();
    Ok(Some(json!({ "verdicts": unsent.verdicts, "added": added })))
}

/// The verdict of a letter, with the words that it needs; `None` if the person leaves.
fn verdict(one: &Requirement, letter: char, said: &Words) -> Result<Option<Verdict>, Failure> {
    let verdict = match letter {
        'a' if has_blanks(one) => {
            let Some(text) = needed(said.fill_blanks, said)? else { return Ok(None) };
            json!({ "id": one.id, "verdict": "modify", "changes": { "description": text }, "reason": said.blanks_filled })
        }
        'a' => json!({ "id": one.id, "verdict": "approve" }),
        'd' => json!({ "id": one.id, "verdict": "defer" }),
        'm' => {
            let Some(text) = needed(said.what_says, said)? else { return Ok(None) };
            let Some(why) = needed(said.why, said)? else { return Ok(None) };
            json!({ "id": one.id, "verdict": "modify", "changes": { "description": text }, "reason": why })
        }
        other => {
            let Some(why) = needed(said.why, said)? else { return Ok(None) };
            let verdict = if other == 'r' { "reject" } else { "out_of_scope" };
            json!({ "id": one.id, "verdict": verdict, "reason": why })
        }
    };
    read_value(&verdict).map(Some).map_err(Failure::usage)
}
