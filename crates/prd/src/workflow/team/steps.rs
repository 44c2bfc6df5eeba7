//! The steps of the team flow: pure functions from the state to the next order, question or decision.

use serde_json::{Value, json};

use super::asks::{Checkpoint, TeamReview, TeamReviewAnswer};
use super::citable::{citable, citable_sources};
use super::comparison::with_comparison;
use super::contradictions::{dismissed_by, with_questions};
use super::critics;
use super::files::{OUTLINE, approved_at, export};
use super::findings::SecondFindings;
use super::marks::{with_marks, without_marks};
use super::orders::order;
use super::results::placed;
use super::reviews::{draft_review, final_review, outline_review, round_review};
use super::revision::{RevisedSections, next_draft};
use super::state::{APPROVED, TeamPatch, TeamState};
use crate::DocumentStatus;
use crate::feature_id::new_feature_id;
use crate::prd_text::question_shown;
use crate::team::document::tame;
use crate::team::sections::ResearchArea;
use crate::team::{PrdOutline, ProductRequirementsDocument};
use crate::workflow::asks::PrdAsk;
use crate::workflow::state::{PrdPatch, PrdState};
use crate::workflow::steps::results::{path_of, sources, value};
use crate::workflow::work::{PrdCall, Today};
use crate::workflow::{DraftStep, JudgedDocument, PrdLabel, PrdNode, PrdWorkflow, WorkOrder};
use reqgate_flow::{Answer, Before, Effect, Enter, NodeError, Outcome, Step, hash};
use reqgate_gate::stages::intake::feature_part::without_front_matter;
use reqgate_net::search::{SearchQuery, query};

/// Returns true for the nodes of the team flow.
pub(in crate::workflow) fn is_ours(node: PrdNode) -> bool {
    matches!(
        node,
        PrdNode::Outline
            | PrdNode::OutlineReview
            | PrdNode::Research
            | PrdNode::TeamDraft
            | PrdNode::TeamDraftReview
            | PrdNode::Critique
            | PrdNode::Revision
            | PrdNode::RevisionReview
            | PrdNode::FinalReview
            | PrdNode::Export
    )
}

/// Enters a node of the team flow.
pub(in crate::workflow) fn enter(node: PrdNode, state: &PrdState) -> Enter<PrdWorkflow> {
    let team = state.team();
    let draft = |step| PrdCall::Draft(Box::new(order(step, state)));
    let skip = || Enter::Done(Outcome::go(PrdLabel::Approved));
    match node {
        PrdNode::Outline => Enter::Call(vec![draft(DraftStep::Outline)]),
        PrdNode::OutlineReview if !team.settings.require_outline_approval => skip(),
        PrdNode::OutlineReview => Enter::Ask(PrdAsk::Team(Box::new(outline_review(state)))),
        PrdNode::Research => Enter::Call(vec![PrdCall::Search { queries: queries(team) }]),
        PrdNode::TeamDraft => Enter::Call(vec![PrdCall::Today]),
        // The rules only fill in headings and collected content; a person writes the draft.
        PrdNode::TeamDraftReview if team.settings.require_draft_approval || !state.has_reader() => {
            Enter::Ask(PrdAsk::Team(Box::new(draft_review(state, Checkpoint::DraftApproval))))
        }
        PrdNode::RevisionReview if team.settings.require_revision_approval || !state.has_reader() => {
            Enter::Ask(PrdAsk::Team(Box::new(draft_review(state, Checkpoint::RevisionApproval))))
        }
        PrdNode::TeamDraftReview | PrdNode::RevisionReview => skip(),
        // The draft of the last revision stays unread if the settings say so.
        PrdNode::Critique if !team.settings.rounds.critiques(rounds(team)) => {
            Enter::Done(Outcome::go(PrdLabel::Proceed))
        }
        PrdNode::Critique if state.has_reader() => Enter::Call(critics::orders(state)),
        PrdNode::Critique => Enter::Done(critics::form_alone(state)),
        PrdNode::Revision if team.awaits_round_decision() => Enter::Ask(PrdAsk::Team(Box::new(round_review(state)))),
        PrdNode::Revision if state.has_reader() => Enter::Call(vec![PrdCall::Today]),
        PrdNode::Revision => Enter::Done(Outcome::go(PrdLabel::Next)),
        PrdNode::FinalReview => {
            let text = team.delivered().map(|draft| with_marks(&team.text_of(draft))).unwrap_or_default();
            let text = without_front_matter(&text).to_owned();
            Enter::Call(vec![PrdCall::Judge { document: JudgedDocument::Prd, text }])
        }
        // The time of a person's approval is known; the day of an approval by the critics alone is today.
        PrdNode::Export if approved_at(team).is_none() => Enter::Call(vec![PrdCall::Today]),
        _ => match export(state, None) {
            Ok(outcome) => Enter::Done(outcome),
            // Every approval has a draft; a thread without one gets an error in `fold`.
            Err(_) => Enter::Call(Vec::new()),
        },
    }
}

/// The number of rounds of critiques so far, which is the number of the next revision.
fn rounds(team: &TeamState) -> u32 {
    u32::try_from(team.refinement.rounds.len()).unwrap_or(u32::MAX)
}

/// Continues a node with the results of its calls.
pub(in crate::workflow) fn fold(
    node: PrdNode,
    state: &PrdState,
    results: &[&Value],
) -> Result<Step<PrdWorkflow>, NodeError> {
    match node {
        PrdNode::Outline => outlined(state, results.first()),
        PrdNode::Research => researched(state, results),
        PrdNode::TeamDraft if results.len() == 1 => ordered_today(DraftStep::TeamDraft, state, results),
        PrdNode::TeamDraft => Ok(Step::Done(drafted(state, results)?)),
        PrdNode::Revision if results.len() == 1 => ordered_today(DraftStep::TeamRevision, state, results),
        PrdNode::Revision => Ok(Step::Done(revised(state, results)?)),
        PrdNode::Critique => critics::read(state, results).map(Step::Done),
        PrdNode::Export => {
            let today = results.first().map(|today| value::<Today>(Some(today))).transpose()?;
            export(state, today.as_ref().map(|today| today.day.as_str())).map(Step::Done)
        }
        _ => final_review(state, results),
    }
}

/// The order for a draft with the day of the order.
fn ordered_today(step: DraftStep, state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let today: Today = value(results.first())?;
    let order = WorkOrder { today: Some(today.day), ..order(step, state) };
    Ok(Step::Call(vec![PrdCall::Draft(Box::new(order))]))
}

/// Continues after the answer to a question.
pub(in crate::workflow) fn answered(
    state: &PrdState,
    asked: &TeamReview,
    given: TeamReviewAnswer,
    answer: &Answer<'_>,
) -> Outcome<PrdWorkflow> {
    let words =
        |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let edited = words(&given.edited_document).filter(|text| *text != asked.document.trim());
    let status = match (given.approved, &edited) {
        (_, Some(_)) => "edited",
        (true, None) => APPROVED,
        (false, None) => "changes requested",
    };
    let decided = TeamPatch::Decided {
        kind: asked.checkpoint,
        actor: answer.actor.to_owned(),
        at: answer.at.to_owned(),
        status: status.to_owned(),
        version: asked.version,
        uncited: asked.uncited_words(),
    };
    let dismissed = dismissed_by(state.team(), &given.dismiss, answer);
    // The document without the question about the contradiction is judged and shown again.
    let only_dismisses =
        !dismissed.is_empty() && !given.approved && edited.is_none() && words(&given.user_feedback).is_none();
    if only_dismisses && asked.checkpoint == Checkpoint::FinalApproval {
        return Outcome::go(PrdLabel::Iterate).patch(PrdPatch::Team(Box::new(TeamPatch::Dismissed(dismissed))));
    }
    let mut patches = vec![decided];
    patches.extend(Some(dismissed).filter(|all| !all.is_empty()).map(TeamPatch::Dismissed));
    if let Some(markdown) = &edited {
        let day = answer.at.get(..10).unwrap_or_default().to_owned();
        let author = answer.actor.to_owned();
        let markdown = format!("{}\n", without_marks(&tame(markdown)));
        patches.push(TeamPatch::Drafted { markdown, author, day, revises: false, unasked: Vec::new() });
    }
    let (feedback, because) = (words(&given.user_feedback), words(&given.because));
    let label = match (asked.checkpoint, given.approved, edited.is_some()) {
        // The critics read an edited document before it is delivered.
        (Checkpoint::FinalApproval, _, true) => PrdLabel::Changed,
        (Checkpoint::OverrideDecision, _, true) if feedback.is_none() => PrdLabel::Next,
        (Checkpoint::OverrideDecision, true, false) => {
            patches.push(TeamPatch::Overridden { because: because.unwrap_or_default() });
            PrdLabel::Enough
        }
        // A request is followed at once, from the edited document if there is one.
        (Checkpoint::OverrideDecision, _, _) => {
            patches.push(TeamPatch::Guided(feedback));
            PrdLabel::Iterate
        }
        (Checkpoint::FinalApproval, true, false) => {
            let version = asked.version.unwrap_or_default();
            let because = because.filter(|_| asked.needs_reason()).or_else(|| asked.override_reason.clone());
            patches.push(TeamPatch::Approved { version, because });
            PrdLabel::Approved
        }
        (_, true, _) => PrdLabel::Approved,
        (_, false, _) => {
            patches.push(TeamPatch::Guided(feedback));
            PrdLabel::Changes
        }
    };
    let mut outcome = Outcome::go(label);
    if let (PrdLabel::Enough, Some(because)) = (label, words(&given.because)) {
        outcome = outcome.note(because);
    }
    if edited.is_some() {
        outcome = outcome.effect(draft_file(state, &patches));
    }
    if let Some(gate) = asked.gate.clone() {
        outcome = outcome.patch(PrdPatch::Judged(gate));
    }
    patches.into_iter().fold(outcome, |outcome, patch| outcome.patch(PrdPatch::Team(Box::new(patch))))
}

/// The file of the draft after these changes.
fn draft_file(state: &PrdState, patches: &[TeamPatch]) -> Effect {
    let mut team = state.team().clone();
    patches.iter().cloned().for_each(|patch| super::state::apply(&mut team, patch));
    let (name, text) =
        team.current_draft().map(|draft| (draft.entry.file_name(), with_marks(&draft.markdown))).unwrap_or_default();
    Effect::File { path: path_of(state, &name).into(), content: text, before: Before::Absent }
}

fn outlined(state: &PrdState, result: Option<&&Value>) -> Result<Step<PrdWorkflow>, NodeError> {
    let given: Value = value(result)?;
    let outline: PrdOutline = value(Some(&&placed(given, &order(DraftStep::Outline, state))))?;
    let slug = state.requested_slug.as_deref().unwrap_or(&outline.product_name);
    let id = state.feature_id.clone().unwrap_or_else(|| new_feature_id(slug, &state.current_feature_ids));
    let directory = format!("{}/{id}", state.prd_workspace_path);
    // The file reserves the folder: of two threads that start at the same time, one gets a question.
    let before = state
        .team()
        .prd_outline
        .as_ref()
        .map_or(Before::Absent, |before| Before::Hash(hash(before.to_markdown().as_bytes())));
    let file = Effect::File { path: format!("{directory}/{OUTLINE}").into(), content: outline.to_markdown(), before };
    Ok(Step::Done(
        Outcome::go(PrdLabel::Next)
            .patch(PrdPatch::Named(id))
            .patch(PrdPatch::Team(Box::new(TeamPatch::Outlined(Box::new(outline)))))
            .effect(Effect::Directory { path: directory.into() })
            .effect(file),
    ))
}

/// Passes an existing draft of a person to the critics.
pub(in crate::workflow) fn brought(state: &PrdState, taken: Vec<String>) -> Outcome<PrdWorkflow> {
    let product = state.team().prd_outline.as_ref().map(|outline| outline.product_name.as_str()).unwrap_or_default();
    let id = new_feature_id(state.requested_slug.as_deref().unwrap_or(product), &taken);
    let directory = format!("{}/{id}", state.prd_workspace_path);
    let named = PrdState { feature_id: Some(id.clone()), ..state.clone() };
    Outcome::go(PrdLabel::Drafted)
        .patch(PrdPatch::Named(id))
        .effect(Effect::Directory { path: directory.into() })
        .effect(draft_file(&named, &[]))
}

/// The search queries: the questions of the outline, by default the market and the users of the product.
fn queries(team: &TeamState) -> Vec<SearchQuery> {
    let Some(outline) = &team.prd_outline else { return Vec::new() };
    let (product, language) = (outline.product_name.as_str(), outline.language);
    if !outline.wants_research() {
        return Vec::new();
    }
    if outline.research_queries.is_empty() {
        return query::market(product, language).into_iter().chain(query::users(product, language)).collect();
    }
    let asked = outline.research_queries.iter();
    asked
        .flat_map(|asked| match asked.area {
            ResearchArea::Market => query::market(&asked.query, language),
            ResearchArea::Competitors => query::competitor(&asked.query, language),
            ResearchArea::Users => query::users(&asked.query, language),
        })
        .collect()
}

const RESEARCHERS: [(ResearchArea, DraftStep); 3] = [
    (ResearchArea::Market, DraftStep::MarketResearch),
    (ResearchArea::Competitors, DraftStep::CompetitorResearch),
    (ResearchArea::Users, DraftStep::UserResearch),
];

/// The research by three researchers, who do not see each other's findings; a researcher with a second opinion has
/// two orders. Without a reader the findings are empty, and the draft has blanks.
fn researched(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let searched: crate::workflow::work::Searched = value(results.first())?;
    let (citable, texts) = citable(state, &searched.found);
    let wanted = state.team().prd_outline.as_ref().is_some_and(PrdOutline::wants_research);
    let reads = state.has_reader() && wanted;
    let twice = &state.team().settings.second_researchers;
    if reads && results.len() == 1 {
        let orders = RESEARCHERS.iter().flat_map(|(area, step)| {
            let mut order = order(*step, state);
            order.sources.extend(texts.iter().cloned());
            critics::once_or_twice(order, twice.contains(area))
        });
        return Ok(Step::Call(orders.collect()));
    }
    let searches = searched.found.iter().map(|found| json!(found)).collect();
    let note = searched.failed.join("; ");
    let read = if reads { sources(state).into_iter().map(|source| source.name).collect() } else { Vec::new() };
    let patch =
        TeamPatch::Searched { searches, texts: texts.clone(), sources: citable, failures: searched.failed, read };
    let mut outcome = Outcome::go(PrdLabel::Next).patch(PrdPatch::Team(Box::new(patch)));
    if !note.is_empty() {
        outcome = outcome.note(note);
    }
    if reads {
        let mut ordered = order(DraftStep::MarketResearch, state);
        ordered.sources.extend(texts.iter().cloned());
        let mut handed_in = results.iter().skip(1);
        let mut next = || -> Result<Value, NodeError> { Ok(placed(value(handed_in.next())?, &ordered)) };
        let mut both = |area| Ok::<_, NodeError>((next()?, if twice.contains(&area) { next()? } else { Value::Null }));
        let (market, again) = both(ResearchArea::Market)?;
        let (competitors, competitors_again) = both(ResearchArea::Competitors)?;
        let (users, users_again) = both(ResearchArea::Users)?;
        let found = (value(Some(&&market))?, value(Some(&&competitors))?, value(Some(&&users))?);
        outcome = outcome.patch(PrdPatch::Team(Box::new(TeamPatch::Found(Box::new(found)))));
        let second = SecondFindings {
            market_research: value(Some(&&again))?,
            competitive_analysis: value(Some(&&competitors_again))?,
            user_research: value(Some(&&users_again))?,
        };
        if !second.is_empty() {
            outcome = outcome.patch(PrdPatch::Team(Box::new(TeamPatch::FoundAgain(Box::new(second)))));
        }
    }
    Ok(Step::Done(outcome))
}

/// Takes a new draft; its head is written by code.
fn drafted(state: &PrdState, results: &[&Value]) -> Result<Outcome<PrdWorkflow>, NodeError> {
    let Today { day, author } = value(results.first())?;
    let mut document: ProductRequirementsDocument = value(results.get(1))?;
    let version = state.team().drafts.last().map_or(1, |draft| draft.entry.version + 1);
    document.metadata.version = Some(version);
    document.metadata.status = Some(DocumentStatus::Draft);
    document.metadata.author.clone_from(&author);
    document.metadata.updated.clone_from(&day);
    document.metadata.language = state.team_language();
    // The gate reads a document according to its head, so only the program may set it.
    document.metadata.front_matter.clear();
    let language = state.team_language();
    let open =
        state.left_open.iter().filter(|one| !document.open_questions.iter().any(|own| own.contains(&one.question)));
    let open: Vec<String> = open.map(|one| question_shown(&one.into(), language)).collect();
    document.open_questions.extend(open);
    let document = with_comparison(document, state.team(), &citable_sources(state));
    // Texts of any author lose markup that could have side effects.
    let markdown = without_marks(&tame(&document.normalised().to_markdown()));
    Ok(with_draft(state, TeamPatch::Drafted { markdown, author, day, revises: false, unasked: Vec::new() }))
}

/// A new draft, with a question about each open contradiction.
fn with_draft(state: &PrdState, mut patch: TeamPatch) -> Outcome<PrdWorkflow> {
    if let TeamPatch::Drafted { markdown, .. } = &mut patch {
        *markdown = with_questions(state.team(), markdown);
    }
    let file = draft_file(state, std::slice::from_ref(&patch));
    Outcome::go(PrdLabel::Next).patch(PrdPatch::Team(Box::new(patch))).effect(file)
}

/// Replaces the sections of the draft by the returned ones.
fn revised(state: &PrdState, results: &[&Value]) -> Result<Outcome<PrdWorkflow>, NodeError> {
    let team = state.team();
    let today: Today = value(results.first())?;
    let given: RevisedSections = value(results.get(1))?;
    let draft = team.revised_draft().ok_or_else(|| NodeError::new("there is no draft"))?;
    let version = team.drafts.last().map_or(1, |draft| draft.entry.version + 1);
    let order = order(DraftStep::TeamRevision, state);
    let patch = next_draft(&draft.markdown, &order, &given, today, version, state.team_language());
    Ok(with_draft(state, patch))
}
