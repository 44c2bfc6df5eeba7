//! The reviews of a team's outline, drafts and document.

use reqgate_base::model::Language;
use reqgate_flow::{Problem, read_reply};
use serde_json::Value;

use super::document::{decided, fields, next_text, yes_or_no};
use super::view::{AskView, Note, ShownText};
use super::{Input, Kind, Unclear};
use crate::workflow::{Checkpoint, PrdAnswer, TeamReview, TeamReviewAnswer};

impl Kind for TeamReview {
    fn view(&self, language: Language) -> AskView<'_> {
        let needs_reason = self.needs_reason();
        let edited = (self.checkpoint != Checkpoint::OutlineApproval).then(|| next_text(language));
        AskView {
            subject: language.of("draft for review", "待评审的草稿"),
            effect: effect(self.checkpoint, language),
            yes_or_no: Some(yes_or_no(language)),
            document: Some(ShownText { text: &self.document, path: &self.path, language: self.language }),
            changes: self.changes.as_deref(),
            gate: self.gate.as_ref(),
            notes: notes(self, language),
            takes_reason: true,
            needs_reason,
            fields: fields(&self.document, needs_reason, edited, language),
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
        }))
    }

    fn read(&self, answer: &Value) -> Result<PrdAnswer, Vec<Problem>> {
        read_reply(answer).map(PrdAnswer::TeamReview)
    }
}

fn effect(checkpoint: Checkpoint, language: Language) -> &'static str {
    match checkpoint {
        Checkpoint::OutlineApproval => {
            language.of("Approve the outline before the research begins.", "批准大纲，之后开始调研。")
        }
        Checkpoint::DraftApproval => {
            language.of("Approve the first draft before the critics read it.", "批准初稿，之后由评审人阅读。")
        }
        Checkpoint::RevisionApproval => {
            language.of("Approve the revision before the critics read it.", "批准修改稿，之后由评审人阅读。")
        }
        Checkpoint::FinalApproval => language.of("Approving saves it as prd.md.", "批准后保存为 prd.md。"),
    }
}

/// The critics, and everything that speaks against the document.
fn notes(ask: &TeamReview, language: Language) -> Vec<Note> {
    let note = |english, chinese, lines: &[String]| Note::new(language.of(english, chinese), lines.iter().cloned());
    let mut out: Vec<Note> =
        note("Changed without a request", "没有要求修改却改动的章节", &ask.unasked).into_iter().collect();
    for critic in &ask.critics {
        let score = critic.score.map(|score| format!(" {score}/100")).unwrap_or_default();
        let colon = language.of(": ", "：");
        let title = format!("{}{colon}{}{score}", critic.critic, critic.grade.words(language));
        let found = critic.issues.is_empty().then(|| language.of("No findings", "没有发现问题").to_owned());
        out.extend(Note::new(title, critic.second_opinion.iter().chain(&critic.issues).cloned().chain(found)));
    }
    let conflicts: Vec<String> = ask
        .conflicts
        .iter()
        .map(|one| format!("{}: {} | {}: {}", one.critic1, one.suggestion1, one.critic2, one.suggestion2))
        .collect();
    out.extend(note("Suggestions that cannot both be followed", "无法同时采纳的建议", &conflicts));
    let disagreements = &ask.research_disagreements;
    out.extend(note("Two readings of the sources disagree", "对来源的两次阅读不一致", disagreements));
    out.extend(note("Without a citation", "没有注明来源", &ask.uncited));
    let lines = |text: &Option<String>| text.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
    if let Some(reason) = &ask.reason {
        let rounds: Vec<String> = std::iter::once(reason.clone()).chain::<Vec<String>>(lines(&ask.summary)).collect();
        out.extend(note("Why the rounds ended", "结束原因", &rounds));
    }
    if !ask.critics_approve {
        let steps: Vec<String> = lines(&ask.next_steps);
        out.extend(note("What the next revision would be about", "下一次修改的内容", &steps));
    }
    out
}
