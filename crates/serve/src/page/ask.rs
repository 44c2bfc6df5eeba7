//! One question with all facts that an answer needs: the document, its changes since the last approval, the verdict of the gate, the
//! findings, and the fields of the answer. Once it is answered: the person and the answer.

use std::io;

use minijinja::context;
use minijinja::value::Serde;
use minijinja::value::Value as Shown;
use serde::Serialize;

use super::edited::readable;
use super::form::{self, Part};
use super::frame::{Contents, Frame, framed, rendered};
use super::words::Words;
use crate::versions::{Version, versions};
use reqgate_base::clean;
use reqgate_base::model::{Language, Verdict};
use reqgate_flow::view::{Line, differences, time_between};
use reqgate_flow::{AskId, Event, Status, ThreadRecord, channel_in};
use reqgate_messages as messages;
use reqgate_prd::ask::{AskView, FieldProblem, Input, Note};
use reqgate_prd::team::export::html_contents;
use reqgate_prd::workflow::{ChangedByHand, Doubted, GapDecision, GateSummary, doubt_in_words};
use reqgate_report::points;

/// The page of a question.
#[derive(Debug)]
pub struct AskPage<'a> {
    /// The question's id.
    pub id: &'a AskId,
    /// The parts of the question.
    pub view: AskView<'a>,
    /// Some text in the question is masked, so its texts cannot be edited on the page.
    pub has_masks: bool,
    /// Its thread.
    pub record: &'a ThreadRecord,
    /// The log of the thread.
    pub events: &'a [Event],
    /// The time, by RFC 3339.
    pub now: &'a str,
    /// The state of the question.
    pub standing: Standing,
}

/// The state of a question.
#[derive(Debug)]
pub enum Standing {
    /// The question waits for an answer.
    Open {
        /// The fields as they were typed.
        typed: Input,
        /// The reasons why it was not taken.
        problems: Vec<FieldProblem>,
        /// The person may answer.
        may_answer: bool,
    },
    /// The question was answered, or its step was undone.
    Closed {
        /// The answer that was taken.
        answered: Option<Answered>,
        /// Words of another person that were sent too late and were not taken.
        not_taken: Input,
        /// The status of the thread now.
        status: Status,
        /// The question that waits now.
        next: Option<(AskId, String)>,
    },
}

/// The answer to a question, from the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// The event.
    pub seq: u64,
    /// The person who gave it.
    pub actor: String,
    /// The channel through which it came.
    pub channel: String,
    /// When.
    pub at: String,
    /// The answer, value by value.
    pub fields: Vec<(String, String)>,
}

impl Answered {
    /// The answer to a question in an event.
    #[cfg_attr(not(feature = "service"), expect(dead_code, reason = "the service shows answers"))]
    pub(crate) fn new(event: &Event, fields: Vec<(String, String)>, channel: &str, language: Language) -> Self {
        Self {
            seq: event.seq,
            actor: clean::words(&event.actor),
            channel: clean::words(channel_in(channel, language)),
            at: clean::words(&event.at),
            fields,
        }
    }
}

/// The changes since an earlier version.
#[derive(Debug, Serialize)]
struct Changes {
    title: String,
    lines: Vec<Line>,
}

/// Findings under a heading.
#[derive(Debug, Default, Serialize)]
struct Section {
    title: String,
    items: Vec<Item>,
}

/// A finding in the list of an element.
#[derive(Debug, Default, Serialize)]
struct Item {
    head: String,
    text: String,
    place: String,
    quote: String,
}

impl Item {
    fn text(text: &str) -> Self {
        Self { text: clean::words(text), ..Self::default() }
    }
}

/// The verdict of the gate.
#[derive(Debug, Serialize)]
struct Gate {
    class: &'static str,
    verdict: String,
    score: Option<String>,
    blockers: Vec<String>,
    warnings: Vec<String>,
}

/// The page.
///
/// # Errors
/// Fails only if a template is broken.
pub fn ask_page(frame: &Frame<'_>, page: &AskPage<'_>) -> io::Result<String> {
    let said = frame.words();
    let view = &page.view;
    let title = clean::one_line(&view.title).into_owned();
    let shown = view.document.map(|document| html_contents(document.text));
    let (open, closed) = match &page.standing {
        Standing::Open { typed, problems, may_answer } => (Some((typed, problems, *may_answer)), None),
        Standing::Closed { answered, not_taken, status, next } => (None, Some((answered, not_taken, status, next))),
    };
    let parts_with =
        |typed: &Input, problems: &[FieldProblem]| form::parts(view, (typed, problems), page.has_masks, said.document);
    let mut parts = open.filter(|(.., may_answer)| *may_answer).map(|(typed, problems, _)| parts_with(typed, problems));
    // The decision on the whole stays in view.
    let decision = parts.as_mut().and_then(|parts| {
        let at = parts.iter().position(|part| matches!(part, Part::Choice(one) if one.name == "decision"))?;
        Some(parts.remove(at))
    });
    let may_answer = parts.is_some();
    let values = context! {
        t => frame.said(),
        csrf => frame.csrf,
        id => page.id.to_string(),
        thread => page.record.id.to_string(),
        thread_title => clean::one_line(&page.record.title),
        title => title.as_str(),
        kind => view.effect,
        has_masks => page.has_masks,
        document_language => view.document.map_or(frame.language, |document| document.language).of("en", "zh"),
        document_title => shown.as_ref().map(|(title, _)| title),
        document => shown.as_ref().map(|(_, html)| html),
        waits => waits(page, said, frame.language),
        changes => view.document.filter(|document| !document.path.is_empty()).map(|_| Shown::from(Serde(changes(page, view, said, frame.language)))),
        gate => view.gate.map(|found| Shown::from(Serde(gate(found, view.open_points(), said)))),
        sections => Shown::from(Serde(sections(view, said, frame.language))),
        is_open => open.is_some(),
        parts => parts.map(|parts| Shown::from(Serde(parts))),
        decision => decision.map(|part| Shown::from(Serde(part))),
        can_approve_all => may_answer && view.field("others").is_some(),
        problems => open.map(|(_, problems, _)| Shown::from(Serde(problems.iter().map(shown_problem).collect::<Vec<_>>()))),
        answered => closed.and_then(|(answered, ..)| answered.clone()).map(|answered| Shown::from(Serde(answered))),
        not_taken => closed.map(|(_, typed, ..)| Shown::from(Serde(with_labels(typed, view)))),
        status => closed.map(|(_, _, status, _)| status.in_words(frame.language)),
        next => closed.and_then(|(.., next)| next.as_ref()).map(|(id, title)| (id.to_string(), clean::words(title))),
    };
    let html = rendered(include_str!("templates/ask.html.j2"), values)?;
    let mut contents = Contents::new(&title, html);
    contents.live = open.map(|_| (page.record.id.as_str(), page.record.head));
    framed(frame, contents)
}

/// A problem for the template: the field that it links to, and the words.
fn shown_problem(problem: &FieldProblem) -> (Option<String>, String) {
    (problem.field.clone(), clean::words(&problem.message))
}

/// Typed words with the labels of their fields.
fn with_labels(typed: &Input, view: &AskView<'_>) -> Vec<(String, String)> {
    let label = |name: &str| match view.inputs().find(|field| field.id == name) {
        Some(field) => clean::words(&field.label),
        None => clean::typed(name),
    };
    let words = typed.all().filter(|(name, value)| !matches!(*name, "csrf" | "lang") && !value.trim().is_empty());
    words.map(|(name, value)| (label(name), clean::typed(value))).collect()
}

/// The time that a question has waited, in words.
fn waits(page: &AskPage<'_>, said: &Words, language: Language) -> String {
    let asked = page.events.iter().find(|event| event.seq == page.id.seq);
    let since = asked.map_or(page.record.updated.as_str(), |event| event.at.as_str());
    match time_between(since, page.now, language) {
        Some(time) => said.waits_for(&time),
        None => said.just_asked.to_owned(),
    }
}

/// The changes of a document since its last approval, and since it was last shown if that is another version.
fn changes(page: &AskPage<'_>, view: &AskView<'_>, said: &Words, language: Language) -> Vec<Changes> {
    let Some(document) = view.document else { return Vec::new() };
    let earlier = versions(&page.record.id, page.events, page.id.seq, document.path);
    let compared = |version: &Version, title: String| Changes {
        title,
        lines: differences(&readable(&version.text), &readable(document.text), language),
    };
    let approved = earlier.iter().rev().find(|version| version.approved.is_some());
    let shown = earlier.last();
    let mut out = Vec::new();
    out.extend(approved.map(|version| compared(version, said.since_approved(&version.seq))));
    if let Some(shown) = shown.filter(|shown| approved.is_none_or(|approved| approved.seq != shown.seq)) {
        out.push(compared(shown, said.since_shown(&shown.seq)));
    }
    out
}

fn gate(found: &GateSummary, open: usize, said: &Words) -> Gate {
    let (class, verdict) = match found.verdict {
        Verdict::Pass => ("pass", said.ready.to_owned()),
        Verdict::Reject if found.only_tells() => ("not-applicable", said.still_missing(open)),
        Verdict::Reject => ("reject", said.not_ready.to_owned()),
        Verdict::NotApplicable => ("not-applicable", said.nothing_to_judge.to_owned()),
        Verdict::GuardrailRejected => ("guardrail", said.stopped.to_owned()),
    };
    let lines = |lines: &[String]| lines.iter().map(|line| clean::words(line)).collect();
    Gate {
        class,
        verdict,
        score: found.score.map(|score| points(score.round())),
        blockers: lines(&found.blockers),
        warnings: lines(&found.warnings),
    }
}

/// The sections next to the document, with the arguments for and against it.
fn sections(view: &AskView<'_>, said: &Words, language: Language) -> Vec<Section> {
    let note = |note: &Note| Section {
        title: clean::words(&note.title),
        items: note.lines.iter().map(|line| Item::text(line)).collect(),
    };
    let mut out: Vec<Section> = view.context.iter().map(note).collect();
    out.push(doubts(view.doubts, said, language));
    out.push(by_hand(view.by_hand, said, language));
    out.extend(view.gaps.into_iter().flat_map(|ask| gaps(ask, said, language)));
    out.push(Section { title: String::new(), items: view.taken_out.iter().map(|text| Item::text(text)).collect() });
    out.extend(view.notes.iter().map(note));
    out.retain(|section| !section.items.is_empty());
    out
}

fn doubts(doubted: &[Doubted], said: &Words, language: Language) -> Section {
    let item = |one: &Doubted| {
        let words: Vec<String> =
            one.doubts.iter().map(|doubt| clean::words(&doubt_in_words(doubt, language))).collect();
        Item {
            head: clean::words(&one.at),
            text: words.join(messages::Pages::of(language).list_comma),
            ..Item::default()
        }
    };
    Section { title: said.not_proven.to_owned(), items: doubted.iter().map(item).collect() }
}

fn by_hand(changes: &[ChangedByHand], said: &Words, language: Language) -> Section {
    let item = |one: &ChangedByHand| Item {
        head: one.id.to_string(),
        text: clean::words(&one.in_words(language)),
        ..Item::default()
    };
    Section { title: said.changed_by_hand.to_owned(), items: changes.iter().map(item).collect() }
}

fn gaps(ask: &GapDecision, said: &Words, language: Language) -> Vec<Section> {
    let item = |gap: &reqgate_prd::Gap| {
        let fix = if gap.fix.is_empty() { &gap.impact } else { &gap.fix };
        let places: Vec<_> = gap.place.iter().chain(&gap.against).collect();
        let severity = gap.severity.words(language);
        Item {
            head: format!("{} {} ({severity})", clean::words(&gap.id), clean::words(&gap.title)),
            text: format!("{} {}", clean::words(&gap.description), clean::words(fix)),
            place: places
                .iter()
                .map(|place| format!("{}:{}", clean::words(&place.source), place.line))
                .collect::<Vec<_>>()
                .join(" ↔ "),
            quote: places.iter().map(|place| clean::words(&place.quote)).collect::<Vec<_>>().join(" ↔ "),
        }
    };
    let read = if ask.read_for_meaning { said.gaps_read } else { said.gaps_form_only };
    vec![
        Section { title: said.how_looked.to_owned(), items: vec![Item::text(read)] },
        Section { title: said.gaps.to_owned(), items: ask.identified_gaps.iter().map(item).collect() },
    ]
}
