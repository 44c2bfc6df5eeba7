//! The reviews of a team's outline, drafts and document.

use reqgate_base::model::Language;
use reqgate_messages as messages;

use super::document::{decided, fields, next_text, yes_or_no};
use super::view::{AskView, Field, Note, ShownText};
use super::{Input, Kind, Unclear};
use crate::workflow::team::contradictions::in_words;
use crate::workflow::{Checkpoint, PrdAnswer, TeamReview, TeamReviewAnswer};

impl Kind for TeamReview {
    fn view(&self, language: Language) -> AskView<'_> {
        let needs_reason = self.needs_reason();
        let words = messages::Ask::of(language);
        let dismissals = self.contradictions.iter().map(|gap| {
            Field::words(format!("dismiss.{}", gap.id), words.dismiss_contradiction(&gap.id), 2)
                .hinted(words.dismiss_contradiction_hint)
        });
        let edited = (self.checkpoint != Checkpoint::OutlineApproval).then(|| next_text(language));
        AskView {
            subject: messages::Ask::of(language).subject_team,
            effect: effect(self.checkpoint, language),
            yes_or_no: Some(yes_or_no(language)),
            document: Some(ShownText { text: &self.document, path: &self.path, language: self.language }),
            changes: self.changes.as_deref(),
            gate: self.gate.as_ref(),
            notes: notes(self, language),
            takes_reason: true,
            needs_reason,
            fields: fields(&self.document, needs_reason, edited, language).into_iter().chain(dismissals).collect(),
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        let decided = decided(input, &self.document)?;
        Ok(PrdAnswer::TeamReview(TeamReviewAnswer {
            approved: decided.approved,
            user_feedback: decided.feedback,
            edited_document: decided.edited,
            because: decided.because,
            dismiss: input.each("dismiss.").map(|(id, reason)| (id.to_owned(), reason.to_owned())).collect(),
        }))
    }
}

fn effect(checkpoint: Checkpoint, language: Language) -> &'static str {
    match checkpoint {
        Checkpoint::OutlineApproval => messages::Ask::of(language).effect_outline,
        Checkpoint::DraftApproval => messages::Ask::of(language).effect_draft,
        Checkpoint::RevisionApproval => messages::Ask::of(language).effect_revision,
        Checkpoint::OverrideDecision => messages::Ask::of(language).effect_round,
        Checkpoint::FinalApproval => messages::Ask::of(language).effect_prd,
    }
}

/// The critics, and everything that speaks against the document.
fn notes(ask: &TeamReview, language: Language) -> Vec<Note> {
    let words = messages::Ask::of(language);
    let note = |title: &str, lines: &[String]| Note::new(title, lines.iter().cloned());
    let contradictions: Vec<String> = ask.contradictions.iter().map(in_words).collect();
    let mut out: Vec<Note> = note(words.contradictions, &contradictions).into_iter().collect();
    out.extend(note(words.unasked, &ask.unasked));
    for critic in &ask.critics {
        let score = critic.score.map(|score| format!(" {score}/100")).unwrap_or_default();
        let colon = words.colon;
        let title = format!("{}{colon}{}{score}", critic.critic, critic.grade.words(language));
        let found = critic.issues.is_empty().then(|| words.nothing_found.to_owned());
        out.extend(Note::new(
            title,
            critic.second_opinion.iter().chain(&critic.issues).chain(&critic.advice).cloned().chain(found),
        ));
    }
    let conflicts: Vec<String> = ask
        .conflicts
        .iter()
        .map(|one| format!("{}: {} | {}: {}", one.critic1, one.suggestion1, one.critic2, one.suggestion2))
        .collect();
    out.extend(note(words.conflicts, &conflicts));
    let disagreements = &ask.research_disagreements;
    out.extend(note(words.disagreements, disagreements));
    out.extend(note(words.resolved, &ask.resolved));
    out.extend(note(words.pending, &ask.pending));
    out.extend(note(words.research_misses, &ask.research_misses));
    out.extend(note(words.failed_searches, &ask.failed_searches));
    out.extend(note(words.uncited, &ask.uncited));
    if let Some(because) = &ask.override_reason {
        out.extend(note(words.override_reason, std::slice::from_ref(because)));
    }
    let lines = |text: &Option<String>| text.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
    let searches = (ask.searches > 0).then(|| words.searches(&ask.searches));
    let rounds: Vec<String> =
        ask.reason.iter().cloned().chain::<Vec<String>>(lines(&ask.summary)).chain(searches).collect();
    let title = if ask.reason.is_some() { words.why_ended } else { words.rounds_so_far };
    out.extend(note(title, &rounds).filter(|_| ask.reason.is_some() || ask.summary.is_some()));
    if !ask.critics_approve {
        let steps: Vec<String> = lines(&ask.next_steps);
        out.extend(note(words.next_revision, &steps));
    }
    out
}
