//! Puts the questions of the PRD workflow to a person on the terminal.

use reqgate::model::Language;
use reqgate::prd::ask::{AskView, Input, ShownText, filled, view};
use reqgate::prd::brief::BriefSection;
use reqgate::prd::collect::{NotUsed, is_answered_in};
use reqgate::prd::workflow::PrdWorkflow;
use reqgate::text::words::brief_answers::BACKS;
use reqgate::workflow::{AskId, Asking, Question, hash};
use serde_json::{Value, json};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::answers::answer;
use super::deciding::{anew, each_gap, verdicts};
use super::input::{Chosen, Typed, choice, chosen, edit, line, reason, typed};
use super::kept::{Notes, Unsent, ask_again, keep, unsent};
use super::seen::Seen;
use super::shown::{self, plain};
use super::words::{Words, words};

/// A person's decision about a document.
enum DocumentDecision {
    Approve,
    /// The document is approved with the person's edits.
    Edited(String),
    /// The document must be changed, in words.
    Change(String),
    /// The person wants to answer its open questions.
    Questions,
    /// The person wants to decide its requirements again.
    Requirements,
    /// The person wants to go back to the question before.
    Back,
}

/// Asks a person on the terminal; `None` if the person leaves, in which case the answers so far are kept. `has_reader` is true if an
/// author carries out changes that are described in words.
///
/// # Errors
/// Fails if the terminal does.
pub(super) fn on_terminal(
    id: &AskId,
    question: &Asking<PrdWorkflow>,
    language: Language,
    has_reader: bool,
    notes: &Notes<'_>,
) -> Result<Option<Value>, Failure> {
    let said = words(language);
    let view = view(question, language);
    // A single question is asked below, with the place that it is about.
    if !shown::is_single(&view) {
        println!("{}", wrapped(&plain(&view.title)));
    }
    for line in view.context.iter().flat_map(|note| &note.lines) {
        println!("{}", wrapped(&format!("  {}", plain(line))));
    }
    if let Some(review) = view.requirements {
        return verdicts(id, review, notes, said);
    }
    let input = match (view.gaps, view.document) {
        (Some(ask), _) => {
            println!("{}\n", wrapped(shown::looked_at(ask, said)));
            ask.identified_gaps.iter().for_each(|gap| println!("{}", wrapped(&shown::gap(gap, said))));
            print!("{}", wrapped(&shown::noted(&view, said)));
            match choice(said.choose_gaps, "cge", said)? {
                Some('e') => each_gap(&ask.identified_gaps, said)?,
                letter => letter.map(|letter| decision(if letter == 'c' { "close" } else { "go-on" })),
            }
        }
        (None, Some(document)) => {
            return Review { id, question, view: &view, has_reader, notes, said }.answer(document);
        }
        (None, None) if view.questions.is_empty() => {
            let letter = choice(said.choose_interrupt, "te", said)?;
            letter.map(|letter| decision(if letter == 't' { "approve" } else { "change" }))
        }
        (None, None) => {
            answers(id, view.questions, &[], notes, said)?.map(|given| with_words(Input::default(), "answer", &given))
        }
    };
    input.map(|input| answer(question, &input)).transpose()
}

fn decision(value: &str) -> Input {
    Input::of(&[("decision", value)])
}

/// Values with those of entries, by their ids; empty words are left out.
fn with_words(input: Input, field: &str, words: &serde_json::Map<String, Value>) -> Input {
    let said = words.iter().filter_map(|(id, words)| Some((id, words.as_str().filter(|words| !words.is_empty())?)));
    said.fold(input, |input, (id, words)| input.with(format!("{field}.{id}"), words))
}

/// The review of a document on a terminal.
struct Review<'a> {
    id: &'a AskId,
    question: &'a Asking<PrdWorkflow>,
    view: &'a AskView<'a>,
    has_reader: bool,
    notes: &'a Notes<'a>,
    said: &'a Words,
}

impl Review<'_> {
    fn answer(&self, document: ShownText<'_>) -> Result<Option<Value>, Failure> {
        let Self { id, question, view, notes, said, .. } = *self;
        // It contains the answers from before the person left.
        let before = unsent(id, notes);
        let mut known = self.filled(document, &before.answers, &before.adopt);
        let shown = AskView { document: Some(ShownText { text: &known, ..document }), ..view.clone() };
        let shown = shown::reviewed(&shown, &Seen::default(), said);
        println!("{}", wrapped(&format!("{shown}{}", shown::doubts(view.doubts, said))));
        print!("{}", wrapped(&shown::hand_changes(view.by_hand, said)));
        if !view.lists_questions {
            print!("{}", wrapped(&shown::open_questions(view.questions, said)));
        }
        print!("{}", wrapped(&shown::taken_out(view)));
        let Some(adopted) = adopted(id, view.not_used, notes, said)? else { return Ok(None) };
        let sections: Vec<BriefSection> =
            adopted.values().filter_map(|section| BriefSection::named(section.as_str()?)).collect();
        loop {
            let mut given = serde_json::Map::new();
            if view.lists_questions {
                let Some(answers) = answers(id, view.questions, &sections, notes, said)? else { return Ok(None) };
                given = answers;
                let now = self.filled(document, &given, &adopted);
                if now != known {
                    println!("\n{}", wrapped(&shown::document(&now, said.language)));
                    known = now;
                }
            }
            let with_answers = |input| with_words(with_words(input, "answer", &given), "adopt", &adopted);
            let reads = self.has_reader || !view.lists_questions;
            let input = match self.decision(&known, reads)? {
                None => return Ok(None),
                Some(DocumentDecision::Back) if view.lists_questions => {
                    take_back(id, view.questions, notes, said)?;
                    continue;
                }
                Some(DocumentDecision::Back) => {
                    println!("{}", wrapped(said.no_way_back));
                    continue;
                }
                Some(DocumentDecision::Approve) if view.needs_reason => match reason(said.why_override, said)? {
                    Typed::Words(why) => decision("approve").with("because", why),
                    Typed::Nothing | Typed::Back => continue,
                    Typed::Leave => return Ok(None),
                },
                Some(DocumentDecision::Approve) => with_answers(decision("approve")),
                // The answers are in the text that was edited. It is judged again.
                Some(DocumentDecision::Edited(text)) => decision("edit").with("document", text),
                Some(DocumentDecision::Change(words)) => with_answers(decision("change").with("feedback", words)),
                Some(DocumentDecision::Questions) => match answers(id, view.questions, &[], notes, said)? {
                    None => return Ok(None),
                    Some(given) if given.is_empty() => {
                        // Open questions can be asked again.
                        ask_again(id, notes)?;
                        continue;
                    }
                    Some(given) => with_words(decision("change"), "answer", &given),
                },
                Some(DocumentDecision::Requirements) => match anew(id, view.decided, notes, said)? {
                    None => return Ok(None),
                    Some(decided) if decided["verdicts"] == json!([]) && decided["added"] == json!([]) => continue,
                    Some(decided) => {
                        let mut value = answer(question, &decision("change"))?;
                        for part in ["verdicts", "added"] {
                            value[part] = decided[part].clone();
                        }
                        return Ok(Some(value));
                    }
                },
            };
            return answer(question, &input).map(Some);
        }
    }

    /// The ways to decide. A change in words may need an author who carries it out.
    fn letters(&self) -> String {
        let view = self.view;
        let ways = [
            ('a', true),
            ('c', self.has_reader || !view.needs_reader),
            ('o', !view.lists_questions && !view.questions.is_empty()),
            ('r', !view.decided.is_empty()),
            ('e', view.field("document").is_some()),
        ];
        ways.iter().filter(|(_, is_open)| *is_open).map(|(letter, _)| *letter).collect()
    }

    /// The document with these answers and adopted sentences.
    fn filled(
        &self,
        document: ShownText<'_>,
        answers: &serde_json::Map<String, Value>,
        adopt: &serde_json::Map<String, Value>,
    ) -> String {
        let input = with_words(with_words(Input::default(), "answer", answers), "adopt", adopt);
        filled(self.question, &input).unwrap_or_else(|| document.text.to_owned())
    }

    /// Asks for a decision about the document; `None` if the person leaves. Without a reader, a change is a line that names its section.
    fn decision(&self, document: &str, has_reader: bool) -> Result<Option<DocumentDecision>, Failure> {
        let (said, letters) = (self.said, self.letters());
        loop {
            match chosen(said.choose_document, &letters, said)? {
                Chosen::Leave => return Ok(None),
                Chosen::Back => return Ok(Some(DocumentDecision::Back)),
                Chosen::Way('a') => return Ok(Some(DocumentDecision::Approve)),
                Chosen::Way('o') => return Ok(Some(DocumentDecision::Questions)),
                Chosen::Way('r') => return Ok(Some(DocumentDecision::Requirements)),
                Chosen::Way('e') => match self.edited(document)? {
                    Typed::Words(text) => return Ok(Some(DocumentDecision::Edited(text))),
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
                    return Ok(Some(DocumentDecision::Change(text)));
                }
                Typed::Words(text) => match line(said.choose_section, said)? {
                    None => return Ok(None),
                    Some(letter) => match section_of(&letter.to_lowercase()) {
                        Some(section) => {
                            let name = section.heading(said.language);
                            return Ok(Some(DocumentDecision::Change(format!("{name}{}{text}", said.colon))));
                        }
                        None => println!("{}", wrapped(said.not_taken_up)),
                    },
                },
                Typed::Nothing | Typed::Back => {}
            }
        }
    }

    /// The edited document if the person approves it; no words if it was not changed; otherwise the wish to go back or leave. Edits that
    /// were not sent are kept until they are sent or dropped.
    fn edited(&self, document: &str) -> Result<Typed, Failure> {
        let Self { id, notes, said, .. } = *self;
        let own = hash(document.as_bytes());
        let Unsent { edited, edited_from, .. } = unsent(id, notes);
        if edited.is_some() {
            let is_of_this = edited_from.as_deref() == Some(own.as_str());
            println!("{}", wrapped(if is_of_this { said.edit_resumed } else { said.edit_of_earlier_text }));
        }
        let mut text = edited.unwrap_or_else(|| document.to_owned());
        // An edit of an earlier text stays one until it is sent or dropped.
        let from = edited_from.unwrap_or(own);
        let keep_edited = |edited: Option<String>| {
            let edited_from = edited.is_some().then(|| from.clone());
            keep(id, notes, &Unsent { edited, edited_from, ..unsent(id, notes) })
        };
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
                keep_edited(None)?;
                return Ok(Typed::Nothing);
            }
            keep_edited(Some(text.clone()))?;
            println!("\n{}", wrapped(&shown::document(&text, said.language)));
            match choice(said.choose_edited, "aed", said)? {
                None => return Ok(Typed::Leave),
                Some('a') => return Ok(Typed::Words(text)),
                Some('e') => {}
                Some(_) => {
                    keep_edited(None)?;
                    return Ok(Typed::Back);
                }
            }
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

/// Returns true for a line that names its section: "Out of scope: PDF".
fn names_a_section(words: &str) -> bool {
    words.split_once([':', '：']).is_some_and(|(name, _)| BriefSection::named(name).is_some())
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
    // A skipped question stays open: an empty answer does not count.
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
