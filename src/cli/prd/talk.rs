//! Puts the questions of the PRD workflow to a person on the terminal.

use reqgate::model::Language;
use reqgate::prd::brief::BriefSection;
use reqgate::prd::collect::{NotUsed, is_answered_in};
use reqgate::prd::workflow::{BriefReview, BriefReviewAnswer, Checkpoint, PrdAsk, PrdWorkflow, filled_brief};
use reqgate::text::words::brief_answers::BACKS;
use reqgate::workflow::{AskId, Asking, InterruptAction, Question, interrupt_answer};
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::deciding::{anew, each_gap, verdicts};
use super::input::{Chosen, Typed, choice, chosen, edit, line, reason, typed};
use super::kept::{Notes, forget, keep, unsent};
use super::seen::Seen;
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
    /// Its open questions are to be answered.
    Questions,
    /// Its requirements are to be decided again.
    Requirements,
    /// The question before is to be asked again.
    Back,
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
            // What was answered before somebody left is in it.
            let before = unsent(id, notes);
            let known = filled(review, before.answers, before.adopt)?;
            let shown = shown::reviewed(&known, &review.gate, said);
            println!("{}", wrapped(&format!("{shown}{}", shown::doubts(&review.doubts, said))));
            let Some(adopted) = adopted(id, &review.not_used, notes, said)? else { return Ok(None) };
            let sections: Vec<BriefSection> =
                adopted.values().filter_map(|section| BriefSection::named(section.as_str()?)).collect();
            let mut known = known;
            loop {
                let asked = answers(id, &review.open_questions, &sections, notes, said)?;
                let Some(answers) = asked else { return Ok(None) };
                let now = filled(review, answers.clone(), adopted.clone())?;
                if now != known {
                    println!("\n{}", wrapped(&shown::document(&now, said.language)));
                    known.clone_from(&now);
                }
                let mut answer = match about_document(&now, "ace", has_reader, said)? {
                    Some(Said::Approve) => json!({ "approved": true }),
                    // The answers are in the text that was edited.
                    Some(Said::Edited(text)) => return Ok(Some(json!({ "approved": true, "editedDocument": text }))),
                    Some(Said::Change(words)) => json!({ "approved": false, "userFeedback": words }),
                    Some(Said::Back) => {
                        take_back(id, &review.open_questions, notes, said)?;
                        continue;
                    }
                    None | Some(Said::Questions | Said::Requirements) => return Ok(None),
                };
                answer["answers"] = Value::Object(answers);
                answer["adopt"] = Value::Object(adopted);
                return Ok(Some(answer));
            }
        }
        PrdAsk::Team(review) => {
            println!("{}", wrapped(&shown::team(review, &Seen::default(), said)));
            let letters = if review.checkpoint == Checkpoint::OutlineApproval { "ac" } else { "ace" };
            loop {
                return Ok(Some(match about_document(&review.document, letters, true, said)? {
                    None | Some(Said::Questions | Said::Requirements) => return Ok(None),
                    Some(Said::Back) => {
                        println!("{}", wrapped(said.no_way_back));
                        continue;
                    }
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
            decision.identified_gaps.iter().for_each(|gap| println!("{}", wrapped(&shown::gap(gap, said))));
            match choice(said.choose_gaps, "cge", said)? {
                Some('e') => each_gap(&decision.identified_gaps, said),
                letter => Ok(letter.map(|letter| json!({ "userIterationOverride": letter == 'c' }))),
            }
        }
        PrdAsk::PrdReview(review) => {
            println!("{}", wrapped(&shown::reviewed(&review.document, &review.gate, said)));
            print!("{}", wrapped(&shown::hand_changes(&review.changed_by_hand, said)));
            print!("{}", wrapped(&shown::open_questions(&review.open_questions, said)));
            print!("{}", wrapped(&shown::taken_out(review, said)));
            // A change in words takes somebody who carries it out.
            let ways = [
                ('a', true),
                ('c', has_reader),
                ('o', !review.open_questions.is_empty()),
                ('r', !review.decided.is_empty()),
                ('e', true),
            ];
            let letters: String = ways.iter().filter(|(_, is_open)| *is_open).map(|(letter, _)| *letter).collect();
            loop {
                return Ok(Some(match about_document(&review.document, &letters, has_reader, said)? {
                    None => return Ok(None),
                    Some(Said::Back) => {
                        println!("{}", wrapped(said.no_way_back));
                        continue;
                    }
                    Some(Said::Questions) => {
                        let Some(given) = answers(id, &review.open_questions, &[], notes, said)? else {
                            return Ok(None);
                        };
                        if given.is_empty() {
                            // What was left open can be asked again.
                            forget(id, notes.folder);
                            continue;
                        }
                        json!({ "prdApproved": false, "answers": given })
                    }
                    Some(Said::Requirements) => match anew(id, &review.decided, notes, said)? {
                        None => return Ok(None),
                        Some(decided) if decided["verdicts"] == json!([]) && decided["added"] == json!([]) => continue,
                        Some(mut decided) => {
                            decided["prdApproved"] = Value::Bool(false);
                            decided
                        }
                    },
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
        match chosen(said.choose_document, letters, said)? {
            Chosen::Leave => return Ok(None),
            Chosen::Back => return Ok(Some(Said::Back)),
            Chosen::Way('a') => return Ok(Some(Said::Approve)),
            Chosen::Way('o') => return Ok(Some(Said::Questions)),
            Chosen::Way('r') => return Ok(Some(Said::Requirements)),
            Chosen::Way('e') => match edited(document, said)? {
                Typed::Words(text) => return Ok(Some(Said::Edited(text))),
                Typed::Leave => return Ok(None),
                Typed::Nothing | Typed::Back => continue,
            },
            Chosen::Way(_) => {}
        }
        if !has_reader {
            println!("{}\n{}", wrapped(said.nobody_rewrites), wrapped(said.lines_for_sections));
        }
        match typed(said.what_changes, said.what_changes, said)? {
            Typed::Leave => return Ok(None),
            Typed::Words(text) if has_reader || names_a_section(&text) => {
                return Ok(Some(Said::Change(text)));
            }
            Typed::Words(text) => match line(said.choose_section, said)? {
                None => return Ok(None),
                Some(letter) => match section_of(&letter.to_lowercase()) {
                    Some(section) => {
                        let name = section.heading(said.language);
                        return Ok(Some(Said::Change(format!("{name}{}{text}", said.colon))));
                    }
                    None => println!("{}", wrapped(said.not_taken_up)),
                },
            },
            Typed::Nothing | Typed::Back => {}
        }
    }
}

/// Forgets the last answer, so that its question is asked again.
fn take_back(id: &AskId, asked: &[Question], notes: &Notes<'_>, said: &Words) -> Result<(), Failure> {
    let mut unsent = unsent(id, notes);
    match asked.iter().rev().find(|one| unsent.answers.contains_key(&one.id)) {
        Some(last) => drop(unsent.answers.remove(&last.id)),
        None => println!("{}", wrapped(said.no_way_back)),
    }
    keep(id, notes, &unsent)
}

/// The brief of a review with these answers and adopted sentences.
fn filled(
    review: &BriefReview,
    answers: serde_json::Map<String, Value>,
    adopt: serde_json::Map<String, Value>,
) -> Result<String, Failure> {
    let adopt: serde_json::Map<String, Value> =
        adopt.into_iter().filter(|(_, section)| section.as_str().is_some_and(|section| !section.is_empty())).collect();
    let given: BriefReviewAnswer =
        serde_json::from_value(json!({ "approved": false, "answers": answers, "adopt": adopt }))
            .map_err(|error| Failure::World(error.to_string()))?;
    Ok(filled_brief(review, &given).unwrap_or_else(|| review.document.clone()))
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
        println!("\n{}", wrapped(&shown::document(&text, said.language)));
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
            Typed::Nothing => String::new(),
            Typed::Words(text) => {
                print!("{}", shown::left_open(&question.question, &text, said));
                text
            }
        };
        unsent.answers.insert(question.id.clone(), Value::String(answer));
        keep(id, notes, &unsent)?;
        at += 1;
    }
    // A question that was skipped stays open: an empty answer is none.
    let said = |answer: &Value| answer.as_str().is_some_and(|words| !words.is_empty());
    Ok(Some(unsent.answers.into_iter().filter(|(_, answer)| said(answer)).collect()))
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
        let sentence = shown::not_used(std::slice::from_ref(*one), true, said);
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
