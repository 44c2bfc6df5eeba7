//! Puts the questions of the PRD workflow to a person on the terminal.

use reqgate::model::Language;
use reqgate::prd::brief::{BriefSection, is_blank};
use reqgate::prd::collect::{NotUsed, is_answered_in};
use reqgate::prd::workflow::{Checkpoint, PrdAsk, PrdWorkflow};
use reqgate::text::words::brief_answers::BACKS;
use reqgate::workflow::{AskId, Asking, InterruptAction, Question, interrupt_answer};
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::deciding::{each_gap, verdicts};
use super::input::{Typed, choice, edit, line, reason, typed};
use super::kept::{Notes, keep, unsent};
use super::shown::{self, plain};
use super::words::{Words, words};

/// What a person says about a document.
enum Said {
    /// It is right.
    Approve,
    /// It is right as the person has edited it.
    Edited(String),
    /// It is to be changed, in words.
    Change(String),
}

/// Asks a person on the terminal; `None` if the person leaves, in which case the answers so far are kept. `has_reader` tells that
/// somebody carries out changes that are wanted in words.
///
/// # Errors
/// Fails if the terminal does.
pub fn on_terminal(
    id: &AskId,
    question: &Asking<PrdWorkflow>,
    language: Language,
    has_reader: bool,
    notes: &Notes<'_>,
) -> Result<Option<Value>, Failure> {
    let said = words(language);
    // A single question is asked below, with the place that it is about.
    if !matches!(question, Asking::Workflow(PrdAsk::Clarification(ask)) if ask.questions.len() == 1) {
        println!("{}", wrapped(&plain(&question.title_in(language))));
    }
    let ask = match question {
        Asking::Engine(..) => {
            println!("{}", wrapped(&format!("  {}", plain(&question.ways_on(language).unwrap_or_default()))));
            let letter = choice(said.choose_interrupt, "te", said)?;
            return Ok(letter.map(|letter| {
                interrupt_answer(if letter == 't' { InterruptAction::Continue } else { InterruptAction::Abort })
            }));
        }
        Asking::Workflow(ask) => ask,
    };
    match ask {
        PrdAsk::Clarification(ask) => {
            Ok(answers(id, &ask.questions, &[], notes, said)?.map(|answers| json!({ "answers": answers })))
        }
        PrdAsk::RequirementsReview(review) => verdicts(id, review, notes, said),
        PrdAsk::BriefReview(review) => {
            let shown = shown::reviewed(&review.document, &review.gate, said);
            println!("{}", wrapped(&format!("{shown}{}", shown::doubts(&review.doubts, said))));
            let Some(adopted) = adopted(id, &review.not_used, notes, said)? else { return Ok(None) };
            let filled: Vec<BriefSection> =
                adopted.values().filter_map(|section| BriefSection::named(section.as_str()?)).collect();
            let Some(answers) = answers(id, &review.open_questions, &filled, notes, said)? else { return Ok(None) };
            let Some(decided) = about_document(&review.document, "ace", has_reader, said)? else { return Ok(None) };
            let mut answer = match decided {
                Said::Approve => json!({ "approved": true }),
                Said::Edited(text) => json!({ "approved": true, "editedDocument": text }),
                Said::Change(words) => json!({ "approved": false, "userFeedback": words }),
            };
            answer["answers"] = Value::Object(answers);
            answer["adopt"] = Value::Object(adopted);
            Ok(Some(answer))
        }
        PrdAsk::Team(review) => {
            println!("{}", wrapped(&shown::team(review, said)));
            let letters = if review.checkpoint == Checkpoint::OutlineApproval { "ac" } else { "ace" };
            loop {
                return Ok(Some(match about_document(&review.document, letters, true, said)? {
                    None => return Ok(None),
                    Some(Said::Change(words)) => json!({ "approved": false, "userFeedback": words }),
                    Some(Said::Edited(text)) => json!({ "approved": true, "editedDocument": text }),
                    Some(Said::Approve) if review.needs_reason() => match reason(said.why_override, said)? {
                        Typed::Words(why) => json!({ "approved": true, "because": why }),
                        Typed::Nothing | Typed::Back => continue,
                        Typed::Leave => return Ok(None),
                    },
                    Some(Said::Approve) => json!({ "approved": true }),
                }));
            }
        }
        PrdAsk::GapDecision(decision) => {
            println!("{}\n", wrapped(shown::looked_at(decision, said)));
            decision.identified_gaps.iter().for_each(|gap| println!("{}", wrapped(&shown::gap(gap))));
            match choice(said.choose_gaps, "cge", said)? {
                Some('e') => each_gap(&decision.identified_gaps, said),
                letter => Ok(letter.map(|letter| json!({ "userIterationOverride": letter == 'c' }))),
            }
        }
        PrdAsk::PrdReview(review) => {
            println!("{}", wrapped(&shown::reviewed(&review.document, &review.gate, said)));
            print!("{}", wrapped(&shown::hand_changes(&review.changed_by_hand, said)));
            // A change in words takes somebody who carries it out.
            let letters = if has_reader { "ace" } else { "ae" };
            loop {
                return Ok(Some(match about_document(&review.document, letters, has_reader, said)? {
                    None => return Ok(None),
                    Some(Said::Change(words)) => json!({ "prdApproved": false, "userFeedback": words }),
                    // An edited document is judged again.
                    Some(Said::Edited(text)) => json!({ "prdApproved": true, "editedDocument": text }),
                    Some(Said::Approve) if !review.gate.verdict.is_pass() => match reason(said.why_override, said)? {
                        Typed::Words(why) => json!({ "prdApproved": true, "gateOverride": why }),
                        Typed::Nothing | Typed::Back => continue,
                        Typed::Leave => return Ok(None),
                    },
                    Some(Said::Approve) => json!({ "prdApproved": true }),
                }));
            }
        }
    }
}

/// Asks what is to be done with a document; `None` if the person leaves. Without a reader, a change is a line that names its section.
fn about_document(document: &str, letters: &str, has_reader: bool, said: &Words) -> Result<Option<Said>, Failure> {
    loop {
        match choice(said.choose_document, letters, said)? {
            None => return Ok(None),
            Some('a') => return Ok(Some(Said::Approve)),
            Some('e') => match edited(document, said)? {
                Typed::Words(text) => return Ok(Some(Said::Edited(text))),
                Typed::Leave => return Ok(None),
                Typed::Nothing | Typed::Back => continue,
            },
            Some(_) => {}
        }
        if !has_reader {
            println!("{}\n{}", wrapped(said.nobody_rewrites), wrapped(said.lines_for_sections));
        }
        match typed(said.what_changes, said.what_changes, said)? {
            Typed::Leave => return Ok(None),
            Typed::Words(text) if has_reader || names_a_section(&text) => {
                return Ok(Some(Said::Change(text)));
            }
            Typed::Words(_) | Typed::Nothing | Typed::Back => {}
        }
    }
}

/// True for a line that says where it belongs: "Out of scope: PDF".
fn names_a_section(words: &str) -> bool {
    words.split_once([':', '：']).is_some_and(|(name, _)| BriefSection::named(name).is_some())
}

/// The document as somebody has edited it and wants it approved; nothing if it was not changed, or was discarded.
fn edited(document: &str, said: &Words) -> Result<Typed, Failure> {
    let mut text = document.to_owned();
    loop {
        text = match edit(&text, ".md") {
            Ok(text) => text,
            Err(failure) => {
                failure.say();
                return Ok(Typed::Nothing);
            }
        };
        if text.trim() == document.trim() {
            println!("{}", wrapped(said.nothing_edited));
            return Ok(Typed::Nothing);
        }
        println!("\n{}", wrapped(&shown::document(&text)));
        match choice(said.choose_edited, "aed", said)? {
            None => return Ok(Typed::Leave),
            Some('a') => return Ok(Typed::Words(text)),
            Some('e') => {}
            Some(_) => return Ok(Typed::Back),
        }
    }
}

/// Answers to the questions that are still without one; those that one of the sections answers are not asked.
fn answers(
    id: &AskId,
    questions: &[Question],
    filled: &[BriefSection],
    notes: &Notes<'_>,
    said: &Words,
) -> Result<Option<serde_json::Map<String, Value>>, Failure> {
    let mut unsent = unsent(id, notes);
    let is_filled = |one: &Question| filled.iter().any(|section| is_answered_in(&one.question, *section));
    let open: Vec<(usize, &Question)> =
        (1..).zip(questions).filter(|(_, one)| !unsent.answers.contains_key(&one.id) && !is_filled(one)).collect();
    if !open.is_empty() {
        println!("{}", wrapped(said.leaving));
    }
    let (count, mut at) = (questions.len(), 0);
    while let Some((number, question)) = open.get(at) {
        let about = question.about.as_deref().map(|about| format!(" ({})", plain(about))).unwrap_or_default();
        let asked = format!("\n{number}/{count} {}{about}", plain(&question.question));
        let answer = match typed(&asked, said.leaving, said)? {
            Typed::Leave => return Ok(None),
            Typed::Back => {
                at = at.saturating_sub(1);
                continue;
            }
            Typed::Words(text) if is_blank(&text) => {
                println!("{}", said.left_open);
                String::new()
            }
            Typed::Nothing => String::new(),
            Typed::Words(text) => text,
        };
        unsent.answers.insert(question.id.clone(), Value::String(answer));
        keep(id, notes, &unsent)?;
        at += 1;
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
        println!("{}", wrapped(said.adopting));
    }
    let (count, mut at) = (open.len(), 0);
    while let Some(one) = open.get(at) {
        let sentence = shown::not_used(std::slice::from_ref(*one), said);
        print!("\n{}/{count}{}", at + 1, wrapped(&sentence));
        let Some(text) = line(said.choose_adopt, said)?.map(|text| text.to_lowercase()) else { return Ok(None) };
        let section = match text.as_str() {
            "q" => return Ok(None),
            "." => break,
            "" => String::new(),
            word if word == "b" || BACKS.has(word) => {
                at = at.saturating_sub(1);
                continue;
            }
            letter => match section_of(letter) {
                Some(section) => section.heading(Language::En).to_lowercase(),
                None => {
                    println!("{}p, g, u, f, m, r, o, ?, b, q", said.one_of);
                    continue;
                }
            },
        };
        unsent.adopt.insert(one.id.clone(), Value::String(section));
        keep(id, notes, &unsent)?;
        at += 1;
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
