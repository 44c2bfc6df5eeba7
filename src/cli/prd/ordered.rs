//! A work order as text: complete, but without the parts that were shown before.

use std::path::Path;

use reqgate::clean;
use reqgate::model::Language;
use reqgate::prd::collect::{BriefFeedback, BriefModification};
use reqgate::prd::prd_text::is_made_from_decisions;
use reqgate::prd::workflow::{
    DraftSettings, DraftStep, OrderDocument, PrdAsk, PrdNode, PrdWorkflow, SourceText, WorkOrder, Writer,
    document_on_disk, step_in_chinese,
};
use reqgate::workflow::{Body, Event, OrderId, Position, StateStore, Store, ThreadRecord, decode, position_at};

use serde_json::Value;

use super::super::exit::Failure;
use super::changed::changed_lines;
use super::shown::plain;
use super::words::words;
use super::{run_failure, store_failure};
use reqgate_messages as messages;

/// The outline of a team.
const OUTLINE: &str = "outline.md";
const PRD: &str = "prd.md";
const BRIEF: &str = "feature-brief.md";
/// The names of the findings that the orders of the researchers brought.
const FINDINGS: [&str; 6] = [
    "market_research",
    "competitive_analysis",
    "user_research",
    "second_market_research",
    "second_competitive_analysis",
    "second_user_research",
];
/// Number of drafts that are looked for on disk.
const MOST_DRAFTS: u32 = 30;

/// Texts of an order that need not be shown with it.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Names of the sources that earlier orders showed.
    sources: Vec<String>,
    /// The folder of the project, and that of the documents in it.
    folders: Option<(String, String)>,
    /// The orders of single documents that were handed out before those that are open, each kind once.
    earlier: EarlierOrders,
    /// The brief as the agent wrote it last.
    brief: Option<String>,
    /// The agent has submitted the findings of the research.
    has_findings: bool,
}

impl Known {
    /// The texts that the agent of a thread already has: the sources of earlier orders, the instructions of every order, the brief that it
    /// wrote, and the documents on disk.
    pub(super) fn of(store: &StateStore, record: &ThreadRecord, directory: Option<&str>) -> Result<Self, Failure> {
        let events = store.events_after(&record.id, 0).map_err(store_failure)?;
        let handed_out = events.iter().filter(|event: &&Event| event.body["kind"] == "handed-out");
        let handed_out: Vec<&Event> = handed_out.collect();
        // The last order is open: it shows the parts that no other has shown. Among the earlier ones, the first shows the sources, and
        // each order that writes the brief or the requirements shows the added ones.
        let before = handed_out.split_last().map_or(&[][..], |(_, before)| before);
        let mut sources = Vec::new();
        let mut has_research = false;
        for order in before {
            let position = position_at::<PrdWorkflow, _>(store, &record.id, order.seq).map_err(run_failure)?;
            let shows_all = match position.node {
                PrdNode::BriefUpdate | PrdNode::InitialRequirements | PrdNode::GapRequirements => true,
                // A critic is given the PRD alone.
                PrdNode::Critique => false,
                _ => sources.is_empty(),
            };
            has_research |= position.node == PrdNode::Research;
            if shows_all {
                let given = position.state.user_input.into_iter().map(|source| source.name);
                sources = given.chain(["utterance".to_owned()]).collect();
            }
        }
        // The orders of the researchers showed the results of the searches.
        if let Some(open) = handed_out.last().filter(|_| has_research) {
            let position = position_at::<PrdWorkflow, _>(store, &record.id, open.seq).map_err(run_failure)?;
            let found = position.state.team.into_iter().flat_map(|team| team.research_texts);
            sources.extend(found.map(|text| text.name));
        }
        let (earlier, brief) = orders_before(record, &events)?;
        let folders = directory.map(|directory| (record.root.clone(), directory.to_owned()));
        Ok(Self { sources, folders, earlier, brief, has_findings: has_research })
    }

    /// The order before this one that had the same instructions.
    fn same_instructions(&self, order: &OrderDocument) -> Option<&OrderId> {
        let is_other = |id: &OrderId| id.entered < order.id.entered;
        self.earlier.iter().find(|(step, id)| *step == order.step && is_other(id)).map(|(_, id)| id)
    }

    /// The order before this one whose result had the same shape.
    fn same_shape(&self, order: &OrderDocument) -> Option<&OrderId> {
        let shape = order.step.kind().shape();
        let is_same =
            |(step, id): &&(DraftStep, OrderId)| id.entered < order.id.entered && step.kind().shape() == shape;
        self.earlier.iter().find(is_same).map(|(_, id)| id)
    }

    /// The path of a document with exactly these words, relative to the project.
    pub(super) fn path_of(&self, name: &str, text: &str) -> Option<String> {
        let (root, directory) = self.folders.as_ref()?;
        // A draft of a team has its number in the name.
        let drafts = (1..=MOST_DRAFTS).rev().map(|number| format!("prd_v{number}.md")).filter(|_| name == PRD);
        let mut names = std::iter::once(name.to_owned()).chain(drafts);
        names.find_map(|name| document_on_disk(Path::new(root), directory, &name, text))
    }
}

/// The first order of each kind.
type EarlierOrders = Vec<(DraftStep, OrderId)>;

/// The first order of each kind, and the brief as an agent wrote it last. The researchers and critics of a team do not see
/// each other's orders, so each gets its own whole.
fn orders_before(record: &ThreadRecord, events: &[Event]) -> Result<(EarlierOrders, Option<String>), Failure> {
    let mut position = Position::<PrdWorkflow>::default();
    let (mut earlier, mut brief) = (EarlierOrders::new(), None);
    for event in events {
        let body = decode::<PrdWorkflow>(&record.id, event).map_err(run_failure)?;
        match &body {
            Body::HandedOut { index, attempt, .. } => {
                let step =
                    step_of(position.node, *index).filter(|step| !earlier.iter().any(|(known, _)| known == step));
                let id = || OrderId {
                    thread: record.id.clone(),
                    entered: position.entered,
                    index: *index,
                    attempt: *attempt,
                };
                earlier.extend(step.map(|step| (step, id())));
            }
            Body::Asked { ask: PrdAsk::BriefReview(review), .. } => {
                let is_writer = |drafts: &DraftSettings| drafts.author == Writer::Agent;
                let written = position.state.drafts.as_ref().is_some_and(is_writer);
                brief = written.then(|| review.document.clone());
            }
            _ => {}
        }
        position.apply(event.seq, &body).map_err(|error| run_failure(error.into()))?;
    }
    Ok((earlier, brief))
}

/// The last call of the gap analysis before the order for contradictions.
const GAP_READING: u32 = 3;

/// The kind of order that a call of a step hands out, for the steps of a single writer.
fn step_of(node: PrdNode, index: u32) -> Option<DraftStep> {
    match node {
        PrdNode::BriefGeneration => Some(DraftStep::Brief),
        PrdNode::BriefUpdate => Some(DraftStep::BriefUpdate),
        PrdNode::InitialRequirements => Some(DraftStep::Requirements),
        PrdNode::GapAnalysis if index > GAP_READING => Some(DraftStep::Conflicts),
        PrdNode::GapAnalysis => Some(DraftStep::Gaps),
        PrdNode::GapRequirements => Some(DraftStep::GapRequirements),
        PrdNode::PrdUpdate => Some(DraftStep::PrdUpdate),
        PrdNode::Revision => Some(DraftStep::TeamRevision),
        _ => None,
    }
}

/// Orders as text, one below the other; parts that one order shows are only named in those below it.
pub(super) fn texts(documents: &[OrderDocument], known: &Known, language: Language) -> String {
    let text = |at: usize| self::text(&documents[at], &documents[..at], known, language);
    (0..documents.len()).map(text).collect::<Vec<_>>().join("\n")
}

/// The order as text, below others. Texts of strangers have a margin on the left that they cannot leave.
pub(super) fn text(document: &OrderDocument, above: &[OrderDocument], known: &Known, language: Language) -> String {
    let words = messages::WorkOrders::of(language);
    let order = &document.inputs;
    let step = serde_json::to_value(document.step).ok();
    let step = step.as_ref().and_then(|step| step.as_str()).unwrap_or_default();
    let attempts = document.attempt + document.attempts_left.saturating_sub(1);
    let mut text = match language {
        Language::En => {
            format!("work order {}: write `{step}`, attempt {} of {attempts}\n", document.id, document.attempt)
        }
        Language::Zh => {
            let what = step_in_chinese(document.step);
            format!("工作单 {}：{what}（`{step}`），第 {} 次，共 {attempts} 次\n", document.id, document.attempt)
        }
    };
    if order.second_opinion {
        text.push_str(words.second_opinion);
    }
    if let Some(caution) = &document.caution {
        text.push_str(&format!("  {}\n", plain(caution)));
    }
    for problem in &document.problems {
        text.push_str(&format!("  {}\n", plain(&problem.to_string())));
    }
    // The problems of the last attempt are new; the instructions were shown with the first attempt.
    if document.attempt == 1 || known.sources.is_empty() {
        let next = format!("reqgate prd next {}", document.id.thread);
        let shown_above = above.iter().find(|other| other.instructions == document.instructions).map(|other| &other.id);
        let same = shown_above.or_else(|| known.same_instructions(document));
        match same {
            Some(other) => {
                text.push_str(&format!("\n{}\n", words.instructions_as_in(other)));
                if shown_above.is_none() {
                    text.push_str(&format!("  {}\n", again(&next, language)));
                }
            }
            None => text.push_str(&format!("\n{}\n", document.instructions.trim_end())),
        }
        let above: Vec<&WorkOrder> = above.iter().map(|other| &other.inputs).collect();
        text.push_str(&Inputs { order, above: &above, known, next: &next, language }.text());
        match known.same_shape(document).filter(|_| same.is_none()) {
            Some(other) => {
                text.push_str(&format!("\n{}\n", words.result_as_in(other)));
            }
            None if same.is_none() => {
                let result = words.result_heading;
                text.push_str(&format!("\n{result}\n{}", order.kind().shape()));
            }
            None => {}
        }
    }
    let submit = words.submit_with;
    let file = document.submit_with.trim_end_matches('-');
    text.push_str(&format!("\n{submit}\n  {file}FILE\n"));
    text
}

/// The inputs of an order: each text, or where it is.
struct Inputs<'a> {
    order: &'a WorkOrder,
    /// The orders above this one.
    above: &'a [&'a WorkOrder],
    known: &'a Known,
    /// The command that shows the whole order.
    next: &'a str,
    language: Language,
}

impl Inputs<'_> {
    fn text(&self) -> String {
        let mut text = self.sources();
        self.documents(&mut text);
        self.others(&mut text);
        text
    }

    /// The sources, and the names of those that were shown before.
    fn sources(&self) -> String {
        let Self { order, known, .. } = self;
        let said = messages::WorkOrders::of(self.language);
        let (mut shown_before, mut shown_above, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        let is_above = |source: &SourceText| {
            self.above.iter().any(|other| other.sources.contains(source) || other.documents.contains(source))
        };
        let mut text = String::new();
        for source in order.sources.iter().chain(&order.documents) {
            let is_source = known.sources.contains(&source.name) && order.sources.contains(source);
            let is_finding = known.has_findings && FINDINGS.contains(&source.name.as_str());
            if is_source {
                shown_before.push(plain(&source.name));
            } else if is_finding && order.documents.contains(source) {
                findings.push(plain(&source.name));
            } else if is_above(source) {
                shown_above.push(plain(&source.name));
            } else if let Some(path) = known
                .path_of(OUTLINE, &source.text)
                .filter(|_| source.name == "outline" && order.documents.contains(source))
            {
                text.push_str(&format!("\noutline: {path}\n"));
            } else {
                text.push_str(&format!("\n{}:\n{}", plain(&source.name), behind_a_margin(&source.text)));
            }
        }
        if !shown_above.is_empty() {
            text.push_str(&format!("\n{}{}\n", said.as_above, shown_above.join(", ")));
        }
        if !findings.is_empty() {
            text.push_str(&format!("\n{}{}\n", said.findings_as_submitted, findings.join(", ")));
        }
        if !shown_before.is_empty() {
            let (as_before, again) = (said.sources_as_before, again(self.next, self.language));
            text.push_str(&format!("\n{as_before}{}\n  {again}\n", shown_before.join(", ")));
        }
        text
    }

    /// The brief, the requirements and the PRD.
    fn documents(&self, text: &mut String) {
        let Self { order, above, known, language, .. } = *self;
        let said = messages::WorkOrders::of(language);
        let documents = [
            (said.brief, BRIEF, &order.brief),
            (said.requirements, "requirements.md", &order.requirements),
            (said.prd, PRD, &order.prd),
        ];
        let (colon, before) = (said.bare_colon, said.colon);
        let thread = self.next.rsplit(' ').next().unwrap_or_default();
        for (name, file, content) in documents {
            let Some(words) = content else { continue };
            if above.iter().any(|other| [&other.brief, &other.requirements, &other.prd].contains(&content)) {
                text.push_str(&format!("\n{name}{}\n", said.is_as_above));
                continue;
            }
            match known.path_of(file, words) {
                Some(path) => text.push_str(&format!("\n{name}{before}{path}\n")),
                None if file == BRIEF && known.brief.is_some() => {
                    let was = known.brief.as_deref().unwrap_or_default();
                    text.push_str(&format!("\n{name}{before}{}", own_brief(was, words, thread, language)));
                }
                None if file == PRD && known.folders.is_some() => {
                    text.push_str(&format!("\n{name}{colon}\n{}", what_may_change(words, thread, language)));
                }
                None => text.push_str(&format!("\n{name}{colon}\n{}", behind_a_margin(words))),
            }
        }
    }

    /// The sections, the references, the criteria of a critic, the gaps, and the words of the person.
    fn others(&self, text: &mut String) {
        let Self { order, language, .. } = *self;
        let said = messages::WorkOrders::of(language);
        if let Some(today) = &order.today {
            text.push_str(&format!("\n{}{}\n", said.today, plain(today)));
        }
        if !order.sections.is_empty() {
            text.push_str(&format!("\nsections:\n{}", behind_a_margin(&order.sections.join("\n"))));
        }
        if !order.references.is_empty() {
            text.push_str(&format!("\n{}\n", said.references));
            for source in &order.references.0 {
                let title =
                    if source.title == source.url { String::new() } else { format!("  {}", plain(&source.title)) };
                text.push_str(&format!("  {}  {}{title}\n", source.id, plain(&source.url)));
            }
        }
        if let Some(critic) = &order.critic {
            text.push_str(&format!("\n{}{}", said.critic, in_lines(critic)));
        }
        if !order.gaps.is_empty() {
            text.push_str(&format!("\n{}\n", said.gaps));
            for gap in &order.gaps {
                text.push_str(&super::shown::gap(gap, super::words::words(language)));
            }
        }
        if !order.pairs.is_empty() {
            let statements = order.pairs.statements.iter().map(|(id, words)| format!("{id} {words}"));
            let lines: Vec<String> = statements.chain(order.pairs.pairs.iter().cloned()).collect();
            text.push_str(&format!("\n{}\n{}", said.pairs, behind_a_margin(&lines.join("\n"))));
        }
        let wanted = order.feedback.as_ref().map(|feedback| in_words(feedback, language)).unwrap_or_default();
        if !wanted.is_empty() {
            let label = said.feedback;
            text.push_str(&format!("\n{label}\n{}", behind_a_margin(&wanted)));
        }
    }
}

/// A critic with the perspective, and a line for each category with what to look for.
fn in_lines(critic: &Value) -> String {
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut text = format!(" {}, {}\n", words(&critic["role"]), words(&critic["perspective"]));
    for category in critic["categories"].as_array().into_iter().flatten() {
        let wanted: Vec<String> = category["lookFor"].as_array().into_iter().flatten().map(words).collect();
        text.push_str(&format!("  {}: {}\n", words(&category["category"]), wanted.join("; ")));
    }
    text
}

/// The hint that shows earlier parts again.
fn again(next: &str, language: Language) -> String {
    messages::WorkOrders::of(language).shows_again(&next)
}

/// The brief for its own author: only the changes since.
fn own_brief(was: &str, now: &str, thread: &str, language: Language) -> String {
    let changes = changed_lines(was, now, words(language));
    let said = messages::WorkOrders::of(language);
    let since = if changes.is_empty() { said.as_you_wrote_it } else { said.changed_since };
    let whole = said.prints_it(&format_args!("reqgate prd show {thread} --draft brief"));
    format!("{since}\n{changes}  {whole}\n")
}

/// The sections of a PRD that its author may change, with the numbers of their lines; the others are named.
fn what_may_change(prd: &str, thread: &str, language: Language) -> String {
    let (mut shown, mut left_out, mut is_shown) = (String::new(), Vec::new(), false);
    for (line, number) in clean::lines(prd.trim_end()).lines().zip(1..) {
        if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
            is_shown = !is_made_from_decisions(heading);
            if !is_shown {
                left_out.push(heading.to_owned());
            }
        }
        if is_shown && !line.is_empty() {
            shown.push_str(&format!("{number:>4}│ {line}\n"));
        }
    }
    if !left_out.is_empty() {
        let said = messages::WorkOrders::of(language);
        let without = said.left_out(&left_out.join(said.list_comma), &thread);
        shown.push_str(&format!("  {without}\n"));
    }
    shown
}

/// The changes that a person wants, in the person's words.
fn in_words(feedback: &BriefFeedback, language: Language) -> String {
    let colon = messages::WorkOrders::of(language).colon;
    let of_section = |change: &BriefModification| {
        let reason = change.modification_reason.trim();
        let reason =
            if reason.is_empty() { String::new() } else { messages::WorkOrders::of(language).in_brackets(&reason) };
        let before =
            change.original_content.as_deref().map(|words| format!("“{}” → ", words.trim())).unwrap_or_default();
        format!("{}{colon}{before}{}{reason}", change.section, change.requested_content.trim())
    };
    let whole = feedback.user_feedback.as_deref().map(str::trim).filter(|words| !words.is_empty()).map(str::to_owned);
    whole.into_iter().chain(feedback.modifications.iter().map(of_section)).collect::<Vec<_>>().join("\n")
}

/// Each line with its number and a bar, without control characters.
fn behind_a_margin(text: &str) -> String {
    let lines = clean::lines(text.trim_end());
    lines.lines().enumerate().map(|(at, line)| format!("{:>4}│ {line}\n", at + 1)).collect()
}
