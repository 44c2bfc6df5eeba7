//! The review of requirements, one by one.

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_messages as messages;

use super::document::yes_or_no;
use super::view::{AskView, Entry, Field, FieldKind, Note, Subject};
use super::{Input, Kind, Unclear};
use crate::prd_document::PrdQuestion;
use crate::prd_text::question_shown;
use crate::requirements::{AddedRequirement, ExportedRequirement, RequirementChanges, Verdict, VerdictKind};
use crate::workflow::{Others, PrdAnswer, RequirementsReview, RequirementsReviewAnswer, has_blanks};
use crate::{Decided, Requirement, RequirementId};

impl Kind for RequirementsReview {
    fn view(&self, language: Language) -> AskView<'_> {
        let effect = messages::Ask::of(language).effect_requirements;
        // An approved PRD was taken up again: each decision can be changed.
        let entries = match self.requirements.as_slice() {
            [] => self.decided.iter().map(|one| again(one, language)).collect(),
            proposed => proposed.iter().map(|one| open(one, language)).collect(),
        };
        let mut fields = vec![
            Field::entries("verdicts", "", entries),
            Field::words("added", messages::Ask::of(language).added, 2).hinted(messages::Ask::of(language).added_hint),
            tick("enough", messages::Ask::of(language).skip_gaps),
            Field::words("feedback", messages::Ask::of(language).comment_on_all, 2),
        ];
        let is_open = !self.requirements.is_empty();
        fields.extend(is_open.then(|| tick("others", messages::Ask::of(language).approve_all)));
        AskView {
            subject: messages::Ask::of(language).subject_requirements,
            effect,
            yes_or_no: is_open.then(|| yes_or_no(language)),
            gate: Some(&self.gate),
            doubts: &self.doubts,
            by_hand: &self.changed_by_hand,
            decided: &self.decided,
            notes: self.answers(language).into_iter().chain(self.request(language)).collect(),
            requirements: Some(self),
            fields,
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        let verdicts = input.each("verdict.").filter_map(|(id, verdict)| self.verdict(input, id, verdict).transpose());
        let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
        let (decision, is_open) = (input.words("decision"), !self.requirements.is_empty());
        let others = match decision {
            "approve" if is_open => Some(Others::Approve),
            "change" if is_open => Some(Others::Defer),
            _ => input.get("others").map(|_| Others::Approve),
        };
        let added: Vec<AddedRequirement> = lines(input.words("added")).map(AddedRequirement::new).collect();
        let given = RequirementsReviewAnswer {
            verdicts,
            added,
            user_feedback: input.said("feedback"),
            user_iteration_preference: input.get("enough").map(|_| true),
            others,
            ..RequirementsReviewAnswer::default()
        };
        match decision.is_empty() && given.decides_nothing() {
            true => Err(Unclear::NothingDecided),
            false => Ok(PrdAnswer::RequirementsReview(given)),
        }
    }

    /// Requirements that still have blanks stay undecided.
    fn approval(&self) -> Input {
        let word = |one: &Requirement| if has_blanks(one) { "defer" } else { "approve" };
        let verdicts = self.requirements.iter();
        let start = if self.requirements.is_empty() { Input::of(&[("decision", "approve")]) } else { Input::default() };
        verdicts.fold(start, |all, one| all.with(format!("verdict.{}", one.id), word(one)))
    }

    fn rejection(&self, why: &str) -> Option<Input> {
        let ids = self.requirements.iter().map(|one| &one.id);
        let input = ids.fold(Input::default(), |all, id| {
            all.with(format!("verdict.{id}"), "reject").with(format!("reason.{id}"), why)
        });
        Some(input.with("feedback", why))
    }
}

impl RequirementsReview {
    /// The request for this round, so that it is not forgotten.
    fn request(&self, language: Language) -> Option<Note> {
        let lines = lines(self.requested.as_deref().unwrap_or_default()).map(str::to_owned);
        Note::new(messages::Ask::of(language).requested, lines)
    }

    /// The answers given after the approval, with the requirements that waited for them.
    fn answers(&self, language: Language) -> Option<Note> {
        let line = |question: &PrdQuestion| {
            let ids: Vec<String> = question.blocks.iter().map(ToString::to_string).collect();
            let shown = question_shown(&PrdQuestion { blocks: Vec::new(), ..question.clone() }, language);
            if ids.is_empty() { shown } else { format!("{shown} → {}", ids.join(", ")) }
        };
        let lines: Vec<String> = self.answered_later.iter().map(|question| clean::words(&line(question))).collect();
        let title = messages::Ask::of(language).answered_later.to_owned();
        (!lines.is_empty()).then_some(Note { title, lines })
    }

    /// The decision on the requirement of this id; `None` if it is not an id.
    fn verdict(&self, input: &Input, id: &str, verdict: &str) -> Result<Option<Verdict>, Unclear> {
        let Ok(id) = id.parse::<RequirementId>() else { return Ok(None) };
        let reason = input.words(&format!("reason.{id}")).to_owned();
        let kind = match verdict {
            "approve" => VerdictKind::Approve,
            "reject" => VerdictKind::Reject { reason },
            "out_of_scope" => VerdictKind::OutOfScope { reason },
            "modify" => {
                let mut known = self.requirements.iter().chain(self.decided.iter().map(|one| &one.requirement));
                let changes = changes(input, &id, known.find(|one| one.id == id));
                if changes == RequirementChanges::default() {
                    return Err(Unclear::NothingChanged(id));
                }
                VerdictKind::Modify { changes, reason }
            }
            _ => VerdictKind::Defer,
        };
        Ok(Some(Verdict { id, kind }))
    }
}

fn tick<'a>(id: &str, label: &str) -> Field<'a> {
    Field { id: id.to_owned(), label: label.to_owned(), hint: None, kind: FieldKind::Tick }
}

/// A requirement that is not decided yet. One with blanks cannot be approved as it is.
fn open(one: &Requirement, language: Language) -> Entry<'_> {
    let later = ("", messages::Ask::of(language).later);
    let first = match has_blanks(one) {
        true => vec![later, ("modify", messages::Ask::of(language).fill_blanks)],
        false => vec![later, ("approve", yes_or_no(language)[0]), modify(language)],
    };
    entry(one, first, language)
}

/// A requirement that is decided already.
fn again(one: &ExportedRequirement, language: Language) -> Entry<'_> {
    let now = match &one.decision {
        Decided::Pending => messages::Ask::of(language).undecided_yet,
        Decided::Approved | Decided::Modified { .. } => messages::Ask::of(language).approved,
        Decided::Rejected { .. } => messages::Ask::of(language).rejected,
        Decided::OutOfScope { .. } => out_of_scope(language).1,
    };
    let keep = format!("{} ({now})", messages::Ask::of(language).keep_it);
    entry(&one.requirement, vec![("", &keep), ("approve", yes_or_no(language)[0]), modify(language)], language)
}

fn modify(language: Language) -> (&'static str, &'static str) {
    ("modify", messages::Ask::of(language).modify)
}

fn out_of_scope(language: Language) -> (&'static str, &'static str) {
    ("out_of_scope", messages::Ask::of(language).out_of_scope)
}

fn entry<'r>(one: &'r Requirement, mut options: Vec<(&'static str, &str)>, language: Language) -> Entry<'r> {
    let id = &one.id;
    options.extend([("reject", messages::Ask::of(language).reject), out_of_scope(language)]);
    let label = messages::Ask::of(language).decision_on(&id);
    let hint = messages::Ask::of(language).why_hint;
    let fields = vec![
        Field::choice(format!("verdict.{id}"), label, &options),
        Field::words(format!("text.{id}"), messages::Ask::of(language).new_text, 3).starting(&one.description),
        Field::words(format!("criteria.{id}"), messages::Ask::of(language).acceptance_criteria, 3)
            .hinted(messages::Ask::of(language).criteria_hint)
            .starting(&one.acceptance_criteria.join("\n")),
        Field::words(format!("reason.{id}"), messages::Ask::of(language).reason, 2).hinted(hint),
    ];
    Entry { subject: Subject::Requirement(one), fields }
}

/// The text and the criteria that differ from those that were shown.
fn changes(input: &Input, id: &RequirementId, before: Option<&Requirement>) -> RequirementChanges {
    let text = input.said(&format!("text.{id}"));
    let criteria: Vec<&str> = lines(input.words(&format!("criteria.{id}"))).collect();
    let shown = before.map(|before| clean::typed(&before.acceptance_criteria.join("\n"))).unwrap_or_default();
    let is_changed = !criteria.is_empty() && !criteria.iter().copied().eq(lines(&shown));
    RequirementChanges {
        description: text.filter(|text| before.is_none_or(|before| clean::typed(&before.description).trim() != text)),
        acceptance_criteria: is_changed.then(|| criteria.into_iter().map(str::to_owned).collect()),
        ..RequirementChanges::default()
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
