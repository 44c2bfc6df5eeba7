//! Decides whether a draft is revised again, and which draft is delivered.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ConsolidatedFeedback, FLOOR, Grade, PASS_MARK};
use reqgate_base::model::Language;

/// The settings of the revision loop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LoopSettings {
    /// The most revisions of a draft.
    pub max_refinement_iterations: u32,
    /// The average score from which a draft is approved, 0 to 100; a value below 70 counts as 70.
    pub min_approval_score: u8,
    /// Every critic must pass; otherwise more than half of them.
    pub require_unanimous_approval: bool,
    /// The smallest change of the average score, in points, that justifies another revision.
    pub improvement_threshold: f64,
    /// A person may accept a draft that the critics do not approve.
    pub allow_override: bool,
    /// The draft of the last revision is critiqued as well, so that every delivered draft has been read.
    pub final_critique: bool,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self {
            max_refinement_iterations: 3,
            min_approval_score: PASS_MARK,
            require_unanimous_approval: false,
            improvement_threshold: 5.0,
            allow_override: true,
            final_critique: true,
        }
    }
}

impl LoopSettings {
    /// Returns true if the draft of this revision, counted from 1, is critiqued.
    pub(crate) fn critiques(&self, iteration: u32) -> bool {
        self.final_critique || iteration < self.max_refinement_iterations
    }
}

/// A critique of one draft by all critics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Round {
    /// The version of the draft.
    pub draft_version: u32,
    /// The average score of the critics, 0 to 100; `None` if no critic has read the draft.
    pub average_score: Option<f64>,
    /// The critics approved the draft.
    pub is_approved: bool,
}

/// The rounds of critique of one PRD.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LoopState {
    /// The critiques in order, with one revision between two of them.
    pub rounds: Vec<Round>,
    /// A person has accepted the current draft.
    pub human_override: bool,
}

impl LoopState {
    /// Returns the state after another critique.
    #[must_use]
    pub(crate) fn with_round(
        mut self,
        settings: &LoopSettings,
        draft_version: u32,
        feedback: &ConsolidatedFeedback,
    ) -> Self {
        let is_approved = is_approved(settings, feedback);
        self.rounds.push(Round { draft_version, average_score: feedback.average_score, is_approved });
        self
    }

    /// The number of revisions that have been critiqued.
    pub(crate) fn revisions(&self) -> u32 {
        u32::try_from(self.rounds.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The average scores in order.
    pub(crate) fn score_history(&self) -> Vec<f64> {
        self.rounds.iter().filter_map(|round| round.average_score).collect()
    }

    /// The version to deliver: approved versions are preferred, then the best score, then the later version. `None`
    /// before the first critique.
    pub(crate) fn best_version(&self) -> Option<u32> {
        let key = |round: &Round| (round.is_approved, round.average_score.unwrap_or(-1.0));
        let best = self.rounds.iter().reduce(|best, next| {
            let (own, other) = (key(best), key(next));
            if own.0.cmp(&other.0).then(own.1.total_cmp(&other.1)).is_gt() { best } else { next }
        });
        best.map(|round| round.draft_version)
    }
}

/// The reason why revising ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum StopReason {
    /// The maximum number of revisions is reached.
    MaximumIterations {
        /// The maximum number of revisions.
        most: u32,
    },
    /// The critics approve the draft.
    Approved {
        /// The average score of the approved draft.
        score: f64,
    },
    /// The last revision changed the score by less than the threshold.
    Plateau,
    /// A person accepts the draft.
    HumanOverride,
}

/// The decision after a critique.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum LoopDecision {
    /// The draft is revised again.
    GoOn {
        /// The number of the revision, from 1.
        iteration: u32,
    },
    /// Revising ends, and a draft is delivered.
    Stop {
        /// The reason for the end.
        reason: StopReason,
        /// The version of the draft to deliver.
        deliver: u32,
        /// The critics approve the delivered draft.
        is_approved: bool,
    },
}

/// Returns true if the average is high enough and more than half of the critics pass, or all of them if the settings require it.
fn is_approved(settings: &LoopSettings, feedback: &ConsolidatedFeedback) -> bool {
    let enough = match settings.require_unanimous_approval {
        true => feedback.is_unanimous,
        false => feedback.overall_grade == Grade::Pass,
    };
    let mark = f64::from(settings.min_approval_score.max(FLOOR));
    enough && feedback.average_score.is_some_and(|score| score >= mark)
}

/// Decides after the latest critique. The order of the checks is that of the source: limit, approval, plateau,
/// override. Before the first critique, revising goes on.
pub fn control(settings: &LoopSettings, state: &LoopState) -> LoopDecision {
    let iteration = state.revisions() + 1;
    let (Some(last), Some(deliver)) = (state.rounds.last(), state.best_version()) else {
        return LoopDecision::GoOn { iteration };
    };
    let scores = state.score_history();
    let is_flat = match scores.as_slice() {
        [.., before, now] if last.average_score.is_some() => (now - before).abs() < settings.improvement_threshold,
        _ => false,
    };
    let most = settings.max_refinement_iterations;
    let reason = match () {
        () if state.revisions() >= most => StopReason::MaximumIterations { most },
        () if last.is_approved => StopReason::Approved { score: last.average_score.unwrap_or(0.0) },
        () if is_flat => StopReason::Plateau,
        () if settings.allow_override && state.human_override => StopReason::HumanOverride,
        () => return LoopDecision::GoOn { iteration },
    };
    // A person accepts the draft that was shown, which is the latest.
    let deliver = if reason == StopReason::HumanOverride { last.draft_version } else { deliver };
    let is_approved = state.rounds.iter().any(|round| round.draft_version == deliver && round.is_approved);
    LoopDecision::Stop { reason, deliver, is_approved }
}

impl StopReason {
    /// The reason as a sentence, worded as in the source.
    pub(crate) fn words(self, language: Language) -> String {
        match (self, language) {
            (Self::MaximumIterations { most }, Language::En) => format!("Maximum iterations ({most}) reached"),
            (Self::MaximumIterations { most }, Language::Zh) => format!("已达到最大修改轮数（{most}）"),
            (Self::Approved { score }, Language::En) => format!("PRD approved with score {score:.1}"),
            (Self::Approved { score }, Language::Zh) => format!("PRD 已通过评审，得分 {score:.1}"),
            (Self::HumanOverride, Language::En) => "Human override - proceeding with current version".to_owned(),
            (Self::HumanOverride, Language::Zh) => "人工决定：采用当前版本".to_owned(),
            (Self::Plateau, Language::En) => "Score improvement plateaued".to_owned(),
            (Self::Plateau, Language::Zh) => "得分不再提高".to_owned(),
        }
    }
}

/// The grade of the majority, with the reason if the critics do not approve despite it.
fn grade(settings: &LoopSettings, feedback: &ConsolidatedFeedback, language: Language) -> String {
    let grade = feedback.overall_grade.words(language);
    if feedback.overall_grade != Grade::Pass || is_approved(settings, feedback) {
        return grade.to_owned();
    }
    let mark = settings.min_approval_score.max(FLOOR);
    let is_low = feedback.average_score.is_none_or(|score| score < f64::from(mark));
    match (is_low, language) {
        (true, Language::En) => format!("{grade} by most critics, but the average is below {mark}: not approved"),
        (true, Language::Zh) => format!("多数评审{grade}，但平均分低于 {mark}：未批准"),
        (false, Language::En) => format!("{grade} by most critics, but not by all, as is required: not approved"),
        (false, Language::Zh) => format!("多数评审{grade}，但要求全部通过：未批准"),
    }
}

/// The summary of all rounds.
pub fn summary(
    settings: &LoopSettings,
    state: &LoopState,
    feedback: Option<&ConsolidatedFeedback>,
    language: Language,
) -> String {
    let progress: Vec<String> = state.score_history().iter().map(|score| format!("{score:.1}")).collect();
    let none = language.of("not read", "未阅读");
    let score =
        feedback.and_then(|feedback| feedback.average_score).map_or(none.to_owned(), |score| format!("{score:.1}"));
    let grade = feedback
        .map_or_else(|| language.of("pending", "待定").to_owned(), |feedback| grade(settings, feedback, language));
    let progress = if progress.is_empty() { none.to_owned() } else { progress.join(" → ") };
    let total = state.revisions();
    let mut out = match language {
        Language::En => format!(
            "Refinement Summary:\n- Total iterations: {total}\n- Score progression: {progress}\n- Final score: {score}\n- Final grade: {grade}\n"
        ),
        Language::Zh => {
            format!(
                "修改小结：\n- 修改轮数：{total}\n- 得分变化：{progress}\n- 最终得分：{score}\n- 最终结论：{grade}\n"
            )
        }
    };
    let Some(feedback) = feedback else { return out };
    // Writing to a string cannot fail.
    if !feedback.consensus_issues.is_empty() {
        let count = feedback.consensus_issues.len();
        let _ = match language {
            Language::En => writeln!(out, "\nRemaining issues ({count}):"),
            Language::Zh => writeln!(out, "\n剩余问题（{count}）："),
        };
        for issue in feedback.consensus_issues.iter().take(3) {
            let _ = writeln!(out, "  - {}", issue.what);
        }
    }
    if !feedback.unanimous_approvals.is_empty() {
        let _ = writeln!(out, "\n{}", language.of("Strengths identified:", "优点："));
        for approval in &feedback.unanimous_approvals {
            let _ = writeln!(out, "  ✓ {approval}");
        }
    }
    out
}

/// The subject of the next revision.
pub fn next_steps(feedback: Option<&ConsolidatedFeedback>, language: Language) -> String {
    let Some(feedback) = feedback else {
        return language.of("Awaiting initial critic feedback", "等待首轮评审意见").to_owned();
    };
    if feedback.priority_revisions.is_empty() {
        return language.of("General refinement based on feedback", "根据评审意见整体修改").to_owned();
    }
    let points: Vec<String> = feedback.priority_revisions.iter().take(3).map(|point| format!("• {point}")).collect();
    format!("{}\n{}", language.of("Focus areas:", "重点修改："), points.join("\n"))
}
