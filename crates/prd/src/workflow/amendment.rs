//! Changes to a thread that do not belong to a step: another author, further sources, reopening an approved PRD, late answers.

use super::PrdNode;
use super::by_hand::changed_by_hand;
use super::document_files::{BRIEF_FILE, PRD_FILE, REQUIREMENTS_FILE};
use super::facts::SourceText;
use super::revision::{final_prd, overriding_reason};
use super::settings::{DraftSettings, Writer};
use super::state::{PrdPatch, PrdState};
use super::team::TeamPatch;
use crate::brief::{parse_brief, render_brief};
use crate::collect::{BriefFeedback, answer_question};
use crate::prd_document::PrdQuestion;
use crate::prd_text;
use crate::requirements::{parse, parse_anyway};
use crate::team::document::parse_anyway as team_document;
use crate::waiting::waiting;
use crate::{OpenQuestion, QuestionId, Requirement, RequirementId, Revision, open_questions};
use reqgate_base::model::Language;
use reqgate_gate::stages::intake::feature_part::without_front_matter;
use reqgate_messages as messages;
use reqgate_text::answer::read_answer;

/// A change to record in a thread.
#[derive(Debug, Clone)]
pub struct Amendment {
    /// The reason, or a description of the change.
    pub reason: String,
    /// The changes of the state.
    pub patches: Vec<PrdPatch>,
    /// The node at which the thread continues; `None` for the current one.
    pub to: Option<PrdNode>,
}

/// The person who amends a thread, with the reason and the day.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// The name of the person.
    pub actor: &'a str,
    /// The reason for the amendment.
    pub reason: &'a str,
    /// The day of the amendment, `YYYY-MM-DD`.
    pub on: &'a str,
}

/// The documents of a feature as they are on disk; `None` for a missing one.
#[derive(Debug, Clone, Copy, Default)]
pub struct OnDisk<'a> {
    /// The text of the brief.
    pub brief: Option<&'a str>,
    /// The text of the requirements.
    pub requirements: Option<&'a str>,
    /// The text of the PRD.
    pub prd: Option<&'a str>,
}

/// Sets another author; returns `None` if the thread already has this one. A waiting order is created again at its node.
pub fn other_author(state: &PrdState, wanted: &DraftSettings, ordered_at: Option<PrdNode>) -> Option<Amendment> {
    let now = state.drafts.clone().unwrap_or_default();
    let is_other = now.author != wanted.author || now.model != wanted.model || now.server != wanted.server;
    is_other.then(|| Amendment {
        reason: format!("author: {} → {}", now.words(), wanted.words()),
        patches: vec![PrdPatch::Drafts(wanted.clone())],
        to: ordered_at,
    })
}

/// Adds further sources. Existing drafts are reviewed again: after an update of the brief if a reader writes,
/// otherwise with the sentences of the new sources listed as not used.
///
/// # Errors
/// Fails if the thread already has these sources.
pub fn further_sources(
    state: &PrdState,
    node: PrdNode,
    sources: Vec<SourceText>,
    author: Writer,
    by: By<'_>,
    disk: OnDisk<'_>,
) -> Result<Amendment, String> {
    let is_unfinished = state.requirements_review.is_some()
        || state.prd_user_feedback.as_deref().is_some_and(|words| !words.trim().is_empty())
        || !state.prd_modifications.is_empty();
    if is_unfinished {
        return Err(messages::Prd::of(state.language()).amend_unfinished.to_owned());
    }
    refuse_edited_prd(state, disk)?;
    let is_known = |source: &SourceText| state.user_input.iter().any(|known| known.text == source.text);
    let mut new: Vec<SourceText> = sources.into_iter().filter(|source| !is_known(source)).collect();
    if new.is_empty() {
        return Err(messages::Prd::of(state.language()).amend_nothing_new.to_owned());
    }
    for source in &mut new {
        let taken = |name: &str| state.user_input.iter().any(|known| known.name == name);
        // The same file with a changed text gets another name, because both versions may be quoted.
        if taken(&source.name) {
            let mut names = (2..).map(|number: u32| format!("{} ({number})", source.name));
            source.name = names.find(|name| !taken(name)).unwrap_or_default();
        }
    }
    let names: Vec<String> = new.iter().map(|source| source.name.clone()).collect();
    let taken_up = match state.language() {
        Language::En => format!("Take up what these new sources say, and what they change: {}", names.join(", ")),
        Language::Zh => format!("请写入这些新来源的内容，以及它们改变了什么：{}", names.join("、")),
    };
    let reason = format!("{}: {}", by.reason, names.join(", "));
    let mut patches = vec![PrdPatch::Answered(new)];
    if state.team().current_draft().is_some() {
        patches.push(PrdPatch::Team(Box::new(TeamPatch::Guided(Some(taken_up)))));
        return Ok(Amendment { reason, patches, to: Some(PrdNode::Revision) });
    }
    if node == PrdNode::OutlineReview && author != Writer::Rules {
        // The outline does not know the new sources: it is ordered again.
        patches.push(PrdPatch::Team(Box::new(TeamPatch::Guided(Some(taken_up)))));
        return Ok(Amendment { reason, patches, to: Some(PrdNode::Outline) });
    }
    if state.feature_brief_content.is_none() {
        // Without a draft, the current step uses the sources, and an order that was handed out is created again.
        return Ok(Amendment { reason, patches, to: Some(node) });
    }
    patches.extend(reopened(state, By { reason: &reason, ..by }, disk));
    let reads = author != Writer::Rules;
    if reads {
        // The feedback of the last review still applies.
        let before = state.feature_brief_user_feedback.clone().unwrap_or_default();
        let all = [before.user_feedback, Some(taken_up)].into_iter().flatten().collect::<Vec<_>>().join("\n");
        let feedback = BriefFeedback { user_feedback: Some(all), ..before };
        patches.push(PrdPatch::BriefFeedback(feedback));
    }
    Ok(Amendment { reason, patches, to: Some(if reads { PrdNode::BriefUpdate } else { PrdNode::BriefReview }) })
}

/// Reopens an approved PRD at the review of its requirements.
///
/// # Errors
/// Fails if the PRD is not approved.
pub fn revision(state: &PrdState, by: By<'_>, disk: OnDisk<'_>) -> Result<Amendment, String> {
    if state.team().approved_version.is_some() {
        let guided = TeamPatch::Guided(Some(by.reason.to_owned()));
        let patches = vec![revised(state, by), PrdPatch::Team(Box::new(guided))];
        return Ok(Amendment { reason: by.reason.to_owned(), patches, to: Some(PrdNode::Revision) });
    }
    if !state.is_prd_approved {
        return Err(messages::Prd::of(state.language()).amend_not_approved.to_owned());
    }
    refuse_edited_prd(state, disk)?;
    let patches = reopened(state, by, disk);
    // A brief that was edited by hand is reviewed before it is used.
    let is_new = patches.iter().any(|patch| matches!(patch, PrdPatch::BriefContent(_)));
    let to = if is_new { PrdNode::BriefReview } else { PrdNode::RequirementsReview };
    Ok(Amendment { reason: by.reason.to_owned(), patches, to: Some(to) })
}

/// An answer to an open question of an approved PRD, and its effect.
#[derive(Debug, Clone)]
pub struct AnsweredLater {
    /// The change to record.
    pub amendment: Amendment,
    /// The question, in its words.
    pub question: String,
    /// The requirements that waited for the answer, which are reviewed again.
    pub waited: Vec<RequirementId>,
}

/// Answers an open question of an approved PRD, and reopens the PRD: with a reader, the brief is updated by the answer; then brief,
/// requirements and PRD are reviewed.
///
/// # Errors
/// Fails if the PRD is not approved or was edited by hand, if it has no such open question, or if the answer leaves it open.
pub fn answered_later(
    state: &PrdState,
    (id, answer): (QuestionId, &str),
    author: Writer,
    by: By<'_>,
    disk: OnDisk<'_>,
) -> Result<AnsweredLater, String> {
    let said = messages::Prd::of(state.language());
    if state.team().approved_version.is_some() {
        if author == Writer::Rules {
            return Err(said.amend_needs_reader.to_owned());
        }
        return answered_in_team(state, (id, answer), by);
    }
    if !state.is_prd_approved {
        return Err(said.amend_not_approved.to_owned());
    }
    refuse_edited_prd(state, disk)?;
    let known = || state.feature_brief_content.as_deref().unwrap_or_default();
    let mut brief = parse_brief(without_front_matter(disk.brief.unwrap_or_else(known)));
    let is_open = |question: &&OpenQuestion| question.answer.is_none();
    let Some(open) = brief.open_questions.iter().filter(is_open).find(|one| one.id == Some(id)).cloned() else {
        return Err(not_open(state, id, brief.open_questions.iter().filter(is_open).filter_map(|one| one.id)));
    };
    if read_answer(&open.question, answer).decided.is_none() {
        return Err(said.amend_leaves_open(&answer, &id));
    }
    let requirements = disk.requirements.map(|text| parse_anyway(text).0);
    let requirements: Vec<&Requirement> =
        requirements.iter().flat_map(|document| document.requirements()).map(|one| &one.requirement).collect();
    let asked = OpenQuestion { default: None, ..open.clone() };
    let waited = waiting(&[asked], &requirements, &state.gap_decisions).remove(&id).unwrap_or_default();
    answer_question(&mut brief, &open.question, answer);
    let answered = OpenQuestion { answer: Some(answer.to_owned()), ..open.clone() };
    // The answer to a question about a missing part goes into its section. The question stays, so that its id does too.
    if !brief.open_questions.iter().any(|one| one.id == Some(id)) {
        brief.open_questions.push(answered.clone());
    }
    let mut patches = reopened(state, by, disk);
    patches.retain(|patch| !matches!(patch, PrdPatch::BriefContent(_)));
    patches.push(PrdPatch::BriefContent(render_brief(&brief)));
    let later = PrdQuestion { blocks: waited.clone(), ..PrdQuestion::from(&answered) };
    patches.push(PrdPatch::AnsweredLater(vec![later]));
    let reads = author != Writer::Rules;
    if reads {
        let wanted = match state.language() {
            Language::En => {
                format!("{id} is answered. Change every part of the brief that the answer changes: {answer}")
            }
            Language::Zh => format!("{id} 已答复。请修改因此改变的每一处：{answer}"),
        };
        patches
            .push(PrdPatch::BriefFeedback(BriefFeedback { user_feedback: Some(wanted), ..BriefFeedback::default() }));
    }
    let to = Some(if reads { PrdNode::BriefUpdate } else { PrdNode::BriefReview });
    let amendment = Amendment { reason: by.reason.to_owned(), patches, to };
    Ok(AnsweredLater { amendment, question: open.question, waited })
}

/// Has a team revise its approved PRD by the answer to a question.
fn answered_in_team(state: &PrdState, (id, answer): (QuestionId, &str), by: By<'_>) -> Result<AnsweredLater, String> {
    let asked = asked_at_approval(state);
    let Some(question) = asked.iter().find(|one| one.id == Some(id)) else {
        return Err(not_open(state, id, asked.iter().filter_map(|one| one.id)));
    };
    if read_answer(&question.question, answer).decided.is_none() {
        return Err(messages::Prd::of(state.language()).amend_leaves_open(&answer, &id));
    }
    let guided = TeamPatch::Guided(Some(format!("{}: {}", by.reason, question.question)));
    let patches = vec![revised(state, by), PrdPatch::Team(Box::new(guided))];
    let amendment = Amendment { reason: by.reason.to_owned(), patches, to: Some(PrdNode::Revision) };
    Ok(AnsweredLater { amendment, question: question.question.clone(), waited: Vec::new() })
}

/// The refusal of an answer to a question that is not open.
fn not_open(state: &PrdState, id: QuestionId, open: impl Iterator<Item = QuestionId>) -> String {
    let said = messages::Prd::of(state.language());
    match open.map(|id| id.to_string()).collect::<Vec<_>>().as_slice() {
        [] => said.amend_none_open(&id),
        ids => said.amend_not_open(&id, &ids.join(said.list_comma)),
    }
}

/// The questions with which a PRD was approved.
pub fn asked_at_approval(state: &PrdState) -> Vec<PrdQuestion> {
    let team = state.team();
    let approved = team.approved_version.and_then(|version| team.draft(version));
    if let Some(draft) = approved {
        let mut document = team_document(&team.text_of(draft)).0;
        prd_text::number_questions(&mut document.open_questions);
        return open_questions(None, ("", &document.to_markdown()), &parse_anyway("").0);
    }
    let drafted = state.prd_json.as_deref().and_then(|json| serde_json::from_str(json).ok());
    // Edits of the text may have answered some.
    let approved = drafted.map(|data| prd_text::followed(data, &final_prd(state, None)));
    let prd = approved.and_then(|data| serde_json::to_value(data).ok());
    let brief = state.feature_brief_content.as_deref().unwrap_or_default();
    // The data of the PRD names the requirements that wait.
    open_questions(prd.as_ref(), (brief, ""), &parse_anyway("").0)
}

/// Refuses if the PRD was edited by hand, because the next version would overwrite the edits.
fn refuse_edited_prd(state: &PrdState, disk: OnDisk<'_>) -> Result<(), String> {
    match edited_since_approval(state, disk).contains(&PRD_FILE) {
        true => Err(messages::Prd::of(state.language()).amend_edited(&PRD_FILE)),
        false => Ok(()),
    }
}

/// The changes that reopen the documents with the texts on disk, including edits by hand.
fn reopened(state: &PrdState, by: By<'_>, disk: OnDisk<'_>) -> Vec<PrdPatch> {
    let mut patches = Vec::new();
    let brief = disk.brief.filter(|_| state.is_feature_brief_approved).map(without_front_matter);
    if let Some(brief) =
        brief.filter(|brief| state.feature_brief_content.as_deref().map(str::trim) != Some(brief.trim()))
    {
        patches.push(PrdPatch::BriefContent(brief.trim_start().to_owned()));
    }
    if state.is_prd_approved {
        patches.push(revised(state, by));
    }
    patches
}

/// The entry of a new version of an approved PRD.
fn revised(state: &PrdState, by: By<'_>) -> PrdPatch {
    let team = state.team.as_ref().and_then(|team| team.human_override.as_deref());
    PrdPatch::Revised(Revision {
        version: u32::try_from(state.revisions.len()).unwrap_or(u32::MAX).saturating_add(2),
        reason: by.reason.to_owned(),
        actor: by.actor.to_owned(),
        on: by.on.to_owned(),
        overridden: team.or(overriding_reason(state, None)).map(str::to_owned),
    })
}

/// The file names of the documents that were edited after their approval.
pub fn edited_since_approval(state: &PrdState, disk: OnDisk<'_>) -> Vec<&'static str> {
    if !state.is_prd_approved {
        return Vec::new();
    }
    let differs = |text: Option<&str>, approved: Option<&str>| text.is_some_and(|text| approved != Some(text.trim()));
    let prd = state.prd_content.is_some().then(|| final_prd(state, None));
    let requirements = disk.requirements.and_then(|text| parse(text).ok());
    let by_hand = requirements
        .is_some_and(|document| !changed_by_hand(state.recorded_requirements.as_deref(), &document).is_empty());
    let brief = differs(
        disk.brief.map(without_front_matter),
        state.feature_brief_content.as_deref().map(|brief| without_front_matter(brief).trim()),
    );
    let files = [
        (BRIEF_FILE, brief),
        (REQUIREMENTS_FILE, by_hand),
        (PRD_FILE, differs(disk.prd, prd.as_deref().map(str::trim))),
    ];
    files.into_iter().filter_map(|(file, edited)| edited.then_some(file)).collect()
}
