//! One question with everything that is needed to answer it: the document, what changed since it was last approved, the verdict of
//! the gate, the findings, and the fields of the answer. Or, once it is answered, who did and how.

use std::collections::HashMap;
use std::io;

use minijinja::context;
use minijinja::value::Serde;
use minijinja::value::Value as Shown;
use serde::Serialize;
use serde_json::Value;

use super::answer::{Fields, readable};
use super::form::{Part, fields};
use super::frame::{Contents, Frame, framed, rendered};
use super::given::in_words;
use super::judge::in_form;
use super::problems::FieldProblem;
use super::words::Words;
use crate::versions::{Version, document_of, versions};
use reqgate_base::clean;
use reqgate_base::model::{Language, Verdict};
use reqgate_flow::view::{Line, differences, time_between};
use reqgate_flow::{AskId, Asking, Event, Status, ThreadRecord, channel_in};
use reqgate_messages as messages;
use reqgate_prd::team::export::html_contents;
use reqgate_prd::workflow::{
    ChangedByHand, Doubted, GapDecision, GateSummary, HandChange, PrdAsk, PrdWorkflow, TeamReview, doubt_in_words,
};
use reqgate_report::points;

/// The page of a question.
#[derive(Debug)]
pub struct AskPage<'a> {
    /// The question's id.
    pub id: &'a AskId,
    /// The question.
    pub question: &'a Asking<PrdWorkflow>,
    /// True if something in it is masked, so that its texts are not edited here.
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
    /// It waits for an answer.
    Open {
        /// The fields as they were typed.
        typed: Fields,
        /// The reasons why it was not taken.
        problems: Vec<FieldProblem>,
        /// True if the person may answer.
        may_answer: bool,
    },
    /// It has its answer, or its step was undone.
    Closed {
        /// The answer.
        answered: Option<Answered>,
        /// Words that somebody else wanted to send and that were not taken.
        not_taken: Fields,
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
    /// Who gave it.
    pub actor: String,
    /// Which way it came.
    pub channel: String,
    /// When.
    pub at: String,
    /// The answer, value by value.
    pub fields: Vec<(String, String)>,
}

impl Answered {
    /// The answer to a question in an event.
    pub fn new(
        event: &Event,
        (question, answer): (&Asking<PrdWorkflow>, &Value),
        channel: &str,
        language: Language,
    ) -> Self {
        Self {
            seq: event.seq,
            actor: clean::words(&event.actor),
            channel: clean::words(channel_in(channel, language)),
            at: clean::words(&event.at),
            fields: in_words(question, answer, language),
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

/// A finding.
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
    let title = page.question.title_in(frame.language);
    let title = clean::one_line(&title).into_owned();
    let document = document_of(page.question);
    let language = match page.question {
        Asking::Workflow(ask) => ask.language(),
        Asking::Engine(..) => frame.language,
    };
    let shown = document.map(|(text, _)| html_contents(text));
    let (open, closed) = match &page.standing {
        Standing::Open { typed, problems, may_answer } => (Some((typed, problems, *may_answer)), None),
        Standing::Closed { answered, not_taken, status, next } => (None, Some((answered, not_taken, status, next))),
    };
    let fields = |typed: &Fields, problems: &[FieldProblem]| {
        fields(page.question, (typed, problems), page.has_masks, frame.language)
    };
    let mut parts = open.filter(|(.., may_answer)| *may_answer).map(|(typed, problems, _)| fields(typed, problems));
    // The decision on the whole stays in view.
    let decision = parts.as_mut().and_then(|parts| {
        let at = parts.iter().position(|part| matches!(part, Part::Choice(one) if one.name == "decision"))?;
        Some(parts.remove(at))
    });
    let has_rows = parts.iter().flatten().any(|part| matches!(part, Part::Review { .. }));
    let values = context! {
        t => frame.said(),
        csrf => frame.csrf,
        id => page.id.to_string(),
        thread => page.record.id.to_string(),
        thread_title => clean::one_line(&page.record.title),
        title => title.as_str(),
        kind => kind(page.question, said),
        has_masks => page.has_masks,
        document_language => language.of("en", "zh"),
        document_title => shown.as_ref().map(|(title, _)| title),
        document => shown.as_ref().map(|(_, html)| html),
        waits => waits(page, said, frame.language),
        changes => document.map(|(text, _)| Shown::from(Serde(changes(page, text, said, frame.language)))),
        gate => gate_of(page.question).map(|found| Shown::from(Serde(gate(found, open_points(page.question, found), said)))),
        sections => Shown::from(Serde(sections(page.question, said, frame.language))),
        is_open => open.is_some(),
        parts => parts.map(|parts| Shown::from(Serde(parts))),
        decision => decision.map(|part| Shown::from(Serde(part))),
        can_approve_all => has_rows && is_proposed(page.question),
        problems => open.map(|(_, problems, _)| Shown::from(Serde(problems.iter().map(shown_problem).collect::<Vec<_>>()))),
        answered => closed.and_then(|(answered, ..)| answered.clone()).map(|answered| Shown::from(Serde(answered))),
        not_taken => closed.map(|(_, typed, ..)| Shown::from(Serde(with_labels(typed, &fields(&Fields::default(), &[]))))),
        status => closed.map(|(_, _, status, _)| status.in_words(frame.language)),
        next => closed.and_then(|(.., next)| next.as_ref()).map(|(id, title)| (id.to_string(), clean::words(title))),
    };
    let html = rendered(include_str!("templates/ask.html.j2"), values)?;
    let mut contents = Contents::new(&title, html);
    contents.live = open.map(|_| (page.record.id.as_str(), page.record.head));
    framed(frame, contents)
}

/// The question is about requirements that are not decided yet.
fn is_proposed(question: &Asking<PrdWorkflow>) -> bool {
    matches!(question, Asking::Workflow(PrdAsk::RequirementsReview(ask)) if !ask.requirements.is_empty())
}

/// A problem for the template: the field that it links to, and the words.
fn shown_problem(problem: &FieldProblem) -> (Option<String>, String) {
    (problem.field.clone(), clean::words(&problem.message))
}

/// Typed words with the labels of their fields.
fn with_labels(typed: &Fields, parts: &[Part]) -> Vec<(String, String)> {
    let labels: HashMap<&str, &str> = parts.iter().flat_map(Part::labels).collect();
    let shown = |(name, value): (&str, &str)| (in_form(labels.get(name).copied().unwrap_or(name)), in_form(value));
    typed.typed().map(shown).collect()
}

/// How long a question has waited.
fn waits(page: &AskPage<'_>, said: &Words, language: Language) -> String {
    let asked = page.events.iter().find(|event| event.seq == page.id.seq);
    let since = asked.map_or(page.record.updated.as_str(), |event| event.at.as_str());
    match time_between(since, page.now, language) {
        Some(time) => said.waits_for(&time),
        None => said.just_asked.to_owned(),
    }
}

/// The decision to make, in words.
fn kind(question: &Asking<PrdWorkflow>, said: &Words) -> &'static str {
    match question.kind() {
        "clarification" => said.kinds[0],
        "brief_review" => said.kinds[1],
        "requirements_review" => said.kinds[2],
        "gap_decision" => said.kinds[3],
        "prd_review" => said.kinds[4],
        "outline_approval" => said.kinds[5],
        "draft_approval" => said.kinds[6],
        "revision_approval" => said.kinds[7],
        "final_approval" => said.kinds[8],
        _ => said.kinds[9],
    }
}

fn gate_of(question: &Asking<PrdWorkflow>) -> Option<&GateSummary> {
    match question {
        Asking::Workflow(PrdAsk::BriefReview(ask)) => Some(&ask.gate),
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => Some(&ask.gate),
        Asking::Workflow(PrdAsk::PrdReview(ask)) => Some(&ask.gate),
        Asking::Workflow(PrdAsk::Team(ask)) => ask.gate.as_ref(),
        _ => None,
    }
}

/// The changes of a document since it was last approved, and since it was last shown where that is not the same.
fn changes(page: &AskPage<'_>, document: &str, said: &Words, language: Language) -> Vec<Changes> {
    let earlier = document_of(page.question)
        .map(|(_, path)| versions(&page.record.id, page.events, page.id.seq, path))
        .unwrap_or_default();
    let compared = |version: &Version, title: String| Changes {
        title,
        lines: differences(&readable(&version.text), &readable(document), language),
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

/// The number of open questions or, of a document that asks none, of findings.
fn open_points(question: &Asking<PrdWorkflow>, found: &GateSummary) -> usize {
    match question {
        Asking::Workflow(PrdAsk::BriefReview(ask)) if !ask.open_questions.is_empty() => ask.open_questions.len(),
        _ => found.blockers.len().max(found.remarks().len()).max(1),
    }
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

/// Everything that speaks for or against, beside the document.
fn sections(question: &Asking<PrdWorkflow>, said: &Words, language: Language) -> Vec<Section> {
    let mut out = Vec::new();
    match question {
        Asking::Engine(..) => {
            let ways = question.ways_on(language).unwrap_or_default();
            out.push(Section { title: said.effect_of_decisions.to_owned(), items: vec![Item::text(&ways)] });
        }
        Asking::Workflow(PrdAsk::Clarification(ask)) => {
            out.push(Section {
                title: String::new(),
                items: ask.context.iter().map(|text| Item::text(text)).collect(),
            });
        }
        Asking::Workflow(PrdAsk::BriefReview(ask)) => out.push(doubts(&ask.doubts, said, language)),
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
            out.push(doubts(&ask.doubts, said, language));
            out.push(by_hand(&ask.changed_by_hand, said));
        }
        Asking::Workflow(PrdAsk::GapDecision(ask)) => out.extend(gaps(ask, said, language)),
        Asking::Workflow(PrdAsk::PrdReview(ask)) => {
            out.push(by_hand(&ask.changed_by_hand, said));
            let told = ask.taken_out_in_words(language);
            out.push(Section { title: String::new(), items: told.iter().map(|told| Item::text(told)).collect() });
        }
        Asking::Workflow(PrdAsk::Team(ask)) => out.extend(team(ask, said, language)),
    }
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

fn by_hand(changes: &[ChangedByHand], said: &Words) -> Section {
    let item = |one: &ChangedByHand| {
        let text = match one.change {
            HandChange::Edited => said.hand[0],
            HandChange::Decided => said.hand[1],
            HandChange::Added => said.hand[2],
            HandChange::Deleted => said.hand[3],
        };
        let quote = one.before.as_deref().filter(|_| one.change == HandChange::Edited);
        let quote = quote.map(clean::words).unwrap_or_default();
        Item { head: one.id.to_string(), text: text.to_owned(), quote, ..Item::default() }
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

fn team(ask: &TeamReview, said: &Words, language: Language) -> Vec<Section> {
    let section = |title: &str, lines: &[String]| Section {
        title: title.to_owned(),
        items: lines.iter().filter(|line| !line.trim().is_empty()).map(|line| Item::text(line)).collect(),
    };
    let mut out = vec![section(said.unasked, &ask.unasked)];
    for critic in &ask.critics {
        let score = critic.score.map(|score| format!(" {score}/100")).unwrap_or_default();
        let grade = critic.grade.words(language);
        let title = format!("{}{}{grade}{score}", clean::words(&critic.critic), messages::Pages::of(language).colon);
        let mut told: Vec<String> = critic.second_opinion.iter().chain(&critic.issues).cloned().collect();
        if critic.issues.is_empty() {
            told.push(said.nothing_found.to_owned());
        }
        out.push(section(&title, &told));
    }
    let conflicts: Vec<String> = ask
        .conflicts
        .iter()
        .map(|one| format!("{}: {} | {}: {}", one.critic1, one.suggestion1, one.critic2, one.suggestion2))
        .collect();
    out.push(section(said.conflicts, &conflicts));
    out.push(section(said.research, &ask.research_disagreements));
    out.push(section(said.uncited, &ask.uncited));
    if let Some(reason) = &ask.reason {
        let rounds = ask.summary.iter().flat_map(|summary| summary.lines().map(str::to_owned));
        out.push(section(said.why_ended, &std::iter::once(reason.clone()).chain(rounds).collect::<Vec<_>>()));
    }
    if let Some(steps) = ask.next_steps.as_ref().filter(|_| !ask.critics_approve) {
        out.push(section(said.next_revision, &steps.lines().map(str::to_owned).collect::<Vec<_>>()));
    }
    out
}
