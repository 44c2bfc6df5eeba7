//! The question about gaps, and the decision of a person on all of them or on each.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decisions::fingerprint;
use super::state::DecidedReview;
use crate::gaps::{self, is_same_contradiction, is_worded};
use crate::requirements::{AddedRequirement, ExportedRequirement, RequirementChanges, Verdict, VerdictKind};
use crate::{Decided, DecidedGap, Gap, GapChoice, RequirementId, Strength};
use reqgate_base::model::Language;
use reqgate_flow::Problem;
use reqgate_messages as messages;
use reqgate_text::answer::leaves_open;

/// The question about the gaps: close them, or continue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapDecision {
    /// The coverage of the brief by the requirements, 0 to 1.
    pub gap_analysis_score: f64,
    /// The score from which no further round is made.
    pub threshold: f64,
    /// The gaps to decide on.
    pub identified_gaps: Vec<Gap>,
    /// The approved requirements, which a decision may improve; absent in questions of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementId>,
    /// The strengths that the reader found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirement_strengths: Vec<Strength>,
    /// The advice of the reader on the requirements as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<String>,
    /// A summary in one sentence.
    pub summary: String,
    /// A reader has read the requirements for their meaning; false if only their form was checked.
    #[serde(default)]
    pub read_for_meaning: bool,
    /// Instructions for the answer.
    pub instructions: String,
}

/// The decision about the gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapDecisionAnswer {
    /// The wish for another round: true for one, false to continue despite the gaps, null to let the score decide. A
    /// gap that `gaps` marks as to be fixed, without the text that closes it, causes another round; it is about these
    /// gaps alone unless this is true.
    #[serde(alias = "userWantsToContinueDespiteGaps")]
    #[serde(default)]
    pub user_iteration_override: Option<bool>,
    /// Decisions on single gaps, by id: dismissed, made an open question, closed at once, or to be fixed in another round.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gaps: BTreeMap<String, GapChoice>,
    /// The request for the next round, passed on to the writer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
}

/// The requirement that gets a criterion or a new text because of a gap.
fn improved(choice: &GapChoice) -> Option<&RequirementId> {
    match choice {
        GapChoice::Fix { criterion: None, changes: None, .. } => None,
        GapChoice::Fix { requirement, .. } => requirement.as_ref(),
        GapChoice::Dismiss { .. } | GapChoice::Ask { .. } => None,
    }
}

/// The criteria of a text, one per line.
fn criteria(words: &str) -> impl Iterator<Item = String> {
    let marks = ["- ", "* ", "• "];
    let bare = move |line: &str| {
        let line = line.trim();
        marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim().to_owned()
    };
    let lines = words.lines().map(bare);
    lines.filter(|line| !line.is_empty())
}

impl GapDecision {
    /// Checks that every decision refers to a shown gap, that a dismissal has a reason, and that a gap is closed with
    /// a text and, for a criterion or changes, a requirement.
    pub(super) fn check(&self, language: Language, answer: &GapDecisionAnswer) -> Result<(), Vec<Problem>> {
        let said = messages::Prd::of(language);
        let mut problems = Vec::new();
        let mut tell = |path: String, message: &str| problems.push(Problem { path, message: message.to_owned() });
        for (id, choice) in &answer.gaps {
            let Some(gap) = self.identified_gaps.iter().find(|gap| gap.id == *id) else {
                tell(format!("gaps.{id}"), said.gap_unknown);
                continue;
            };
            if let GapChoice::Fix { how, criterion, changes, added, .. } = choice {
                if how.as_deref().is_some_and(|how| !how.trim().is_empty()) && !choice.needs_round() {
                    let message = said.gap_closed_at_once;
                    tell(format!("gaps.{id}.how"), message);
                }
                let is_blank = |words: &str| words.trim().is_empty() || gaps::has_blank(words) || leaves_open(words);
                let has_blank_line = |words: &str| is_blank(words) || criteria(words).any(|line| is_blank(&line));
                if criterion.as_deref().is_some_and(has_blank_line) {
                    let message = said.gap_criterion_blank;
                    tell(format!("gaps.{id}.criterion"), message);
                }
                let is_known = |id: &RequirementId| self.requirements.contains(id) || gap.requirements.contains(id);
                if (criterion.is_some() || changes.is_some()) && !improved(choice).is_some_and(is_known) {
                    let message = said.gap_requirement_missing;
                    tell(format!("gaps.{id}.requirement"), message);
                }
                let says_nothing = |changes: &RequirementChanges| *changes == RequirementChanges::default();
                let has_blank = |changes: &RequirementChanges| {
                    let texts = [&changes.title, &changes.description].into_iter().flatten();
                    texts.chain(changes.acceptance_criteria.iter().flatten()).any(|text| is_blank(text))
                };
                if changes.as_ref().is_some_and(|changes| says_nothing(changes) || has_blank(changes)) {
                    let message = said.gap_change_blank;
                    tell(format!("gaps.{id}.changes"), message);
                }
                for (index, _) in added.iter().enumerate().filter(|(_, one)| is_blank(&one.description)) {
                    let message = said.gap_added_blank;
                    tell(format!("gaps.{id}.added[{index}].description"), message);
                }
            }
            if matches!(choice, GapChoice::Dismiss { reason } if reason.trim().is_empty()) {
                tell(format!("gaps.{id}.reason"), said.reason_missing);
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Converts an answer into the single decisions, and the gaps that are left for the next round or kept.
    pub(super) fn decided(&self, given: GapDecisionAnswer, actor: &str, at: &str) -> GapsDecided {
        let choice = |gap: &Gap| given.gaps.get(&gap.id);
        let fixes = |gap: &Gap| choice(gap).is_some_and(GapChoice::needs_round);
        let is_fixed = self.identified_gaps.iter().any(fixes);
        let all_decided =
            !self.identified_gaps.is_empty() && self.identified_gaps.iter().all(|gap| choice(gap).is_some());
        let decision = match given.user_iteration_override {
            // A gap marked as to be fixed requires another round.
            _ if is_fixed => Some(true),
            None if all_decided => Some(false),
            given => given,
        };
        let goes_on = given.user_iteration_override != Some(true);
        let is_left = |gap: &&Gap| fixes(gap) || choice(gap).is_none() && !(is_fixed && goes_on);
        let gaps: Vec<Gap> = self.identified_gaps.iter().filter(is_left).cloned().collect();
        let how = self.identified_gaps.iter().filter_map(|gap| match choice(gap) {
            Some(choice @ GapChoice::Fix { how: Some(how), .. }) if choice.needs_round() && !how.trim().is_empty() => {
                Some(format!("{}: {how}", gap.id))
            }
            _ => None,
        });
        let feedback: Vec<String> =
            given.user_feedback.iter().filter(|words| !words.trim().is_empty()).cloned().chain(how).collect();
        let decided = self.identified_gaps.iter().filter_map(|gap| {
            let choice = choice(gap)?.clone();
            Some(DecidedGap { gap: gap.clone(), choice, actor: actor.to_owned(), timestamp: at.to_owned() })
        });
        GapsDecided {
            decided: decided.collect(),
            left: gaps,
            iterate: decision,
            feedback: (!feedback.is_empty()).then(|| feedback.join("\n")),
        }
    }
}

impl GapDecisionAnswer {
    /// The criteria for undecided requirements, which are shown in the next review.
    pub(super) fn proposed_criteria(&self, recorded: &[ExportedRequirement]) -> Vec<(RequirementId, String)> {
        let is_pending = |id: &RequirementId| {
            recorded.iter().any(|one| one.requirement.id == *id && one.decision == Decided::Pending)
        };
        let of = |choice: &GapChoice| {
            let GapChoice::Fix { criterion, requirement: Some(id), changes, .. } = choice else { return Vec::new() };
            let changed = changes.iter().filter_map(|changes| changes.acceptance_criteria.as_ref()).flatten();
            let closing = criterion.iter().flat_map(|words| criteria(words));
            let all = closing.chain(changed.map(|words| words.trim().to_owned())).filter(|_| is_pending(id));
            all.map(|words| (id.clone(), words)).collect()
        };
        self.gaps.values().flat_map(of).collect()
    }

    /// The same answer, with criteria and changes only for approved requirements: others are decided in another
    /// round, and these words become the request for it.
    pub(super) fn for_those_that_hold(mut self, asked: &GapDecision, recorded: &[ExportedRequirement]) -> Self {
        let holds = |id: &RequirementId| {
            recorded.iter().any(|one| {
                one.requirement.id == *id && matches!(one.decision, Decided::Approved | Decided::Modified { .. })
            })
        };
        for gap in &asked.identified_gaps {
            let Some(choice) = self.gaps.get_mut(&gap.id) else { continue };
            if improved(choice).is_some_and(|id| !holds(id))
                && let GapChoice::Fix { how, criterion, requirement, changes, .. } = choice
            {
                let criteria = changes.as_mut().and_then(|changes| changes.acceptance_criteria.take());
                let described = changes.take().and_then(|changes| changes.description);
                let words: Vec<String> =
                    described.into_iter().chain(criteria.into_iter().flatten()).chain(criterion.take()).collect();
                (*how, *requirement) = (Some(words.join("\n")), None);
            }
        }
        self
    }
}

/// The review that closes gaps: requirements get criteria and new texts, and others are added; `None` without such changes.
pub(super) fn improving(
    decided: &[DecidedGap],
    recorded: &[ExportedRequirement],
    language: Language,
) -> Option<DecidedReview> {
    let first = decided.first()?;
    let mut verdicts = Vec::new();
    let mut shown = Vec::new();
    for one in recorded {
        let of_this = decided.iter().filter(|gap| improved(&gap.choice) == Some(&one.requirement.id));
        let (mut all, mut further, mut reasons) = (RequirementChanges::default(), Vec::new(), Vec::new());
        for gap in of_this {
            if let GapChoice::Fix { criterion, changes, .. } = &gap.choice {
                let changes = changes.clone().unwrap_or_default();
                all = RequirementChanges {
                    title: changes.title.or(all.title),
                    description: changes.description.or(all.description),
                    priority: changes.priority.or(all.priority),
                    category: changes.category.or(all.category),
                    acceptance_criteria: changes.acceptance_criteria.or(all.acceptance_criteria),
                    waits_for: changes.waits_for.or(all.waits_for),
                };
                further.extend(criterion.iter().flat_map(|words| criteria(words)));
                reasons.push(gap.gap.title.as_str());
            }
        }
        if !reasons.is_empty() {
            if !further.is_empty() {
                let own = all.acceptance_criteria.take();
                let mut criteria = own.unwrap_or_else(|| one.requirement.acceptance_criteria.clone());
                criteria.append(&mut further);
                all.acceptance_criteria = Some(criteria);
            }
            let titles = reasons.iter().map(|title| format!("“{title}”")).collect::<Vec<_>>();
            let reason = match language {
                Language::En => format!("closes the gap {}", titles.join(", ")),
                Language::Zh => format!("补上缺口{}", titles.join("、")),
            };
            let kind = VerdictKind::Modify { changes: all, reason };
            verdicts.push(Verdict { id: one.requirement.id.clone(), kind });
            shown.push((one.requirement.id.clone(), fingerprint(&one.requirement)));
        }
    }
    let of_gap = |one: &DecidedGap| match &one.choice {
        GapChoice::Fix { added, .. } => added.clone(),
        GapChoice::Dismiss { .. } | GapChoice::Ask { .. } => Vec::new(),
    };
    let added: Vec<AddedRequirement> = decided.iter().flat_map(of_gap).collect();
    (!verdicts.is_empty() || !added.is_empty()).then(|| DecidedReview {
        timestamp: first.timestamp.clone(),
        actor: first.actor.clone(),
        verdicts,
        shown,
        added,
        asked: "gap_decision".to_owned(),
        ..DecidedReview::default()
    })
}

pub(super) struct GapsDecided {
    /// The decisions on single gaps.
    pub decided: Vec<DecidedGap>,
    /// The gaps for the next round or, without one, the kept gaps.
    pub left: Vec<Gap>,
    /// Another round or none; `None` to let the score decide.
    pub iterate: Option<bool>,
    /// The request for the next round.
    pub feedback: Option<String>,
}

impl GapsDecided {
    /// The single decisions as text, for the history.
    pub(super) fn note(&self, language: Language) -> String {
        let words = messages::Prd::of(language);
        let one = |decided: &DecidedGap| {
            let (id, title) = (&decided.gap.id, &decided.gap.title);
            match &decided.choice {
                GapChoice::Dismiss { reason } => {
                    format!("{id} {} ({title}): {reason}", words.gap_dismissed)
                }
                GapChoice::Ask { .. } => {
                    format!("{id} {} ({title})", words.gap_is_question)
                }
                choice if choice.needs_round() => {
                    format!("{id} {} ({title})", words.gap_to_fix)
                }
                GapChoice::Fix { .. } => {
                    format!("{id} {} ({title})", words.gap_closed)
                }
            }
        };
        self.decided.iter().map(one).collect::<Vec<_>>().join(words.semicolon)
    }
}

/// The gaps that are not dismissed, made an open question or closed; of several decisions on one gap, the last counts.
pub(super) fn undecided(gaps: Vec<Gap>, decided: &[DecidedGap]) -> Vec<Gap> {
    let last = |gap: &Gap| decided.iter().rev().find(|one| is_same(&one.gap, gap)).map(|one| &one.choice);
    gaps.into_iter().filter(|gap| last(gap).is_none_or(GapChoice::needs_round)).collect()
}

/// Returns true if both are the same gap. Gaps of form have the title of their category and a specific description; a
/// reader describes the same gap in other words each time, and quotes the same two statements of a contradiction.
fn is_same(one: &Gap, other: &Gap) -> bool {
    let quote = |gap: &Gap| gap.place.as_ref().map(|place| place.quote.clone());
    let is_read = || !is_worded(one) && !is_worded(other);
    let is_described =
        || one.description == other.description || is_read() && one.title == other.title && quote(one) == quote(other);
    is_same_contradiction(one, other)
        || one.category == other.category && one.requirements == other.requirements && is_described()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaps::{Input, analyse};
    use crate::requirements::parse_anyway;

    fn decided(gap: &Gap, choice: GapChoice) -> DecidedGap {
        DecidedGap { gap: gap.clone(), choice, actor: "Mei".to_owned(), timestamp: String::new() }
    }

    #[test]
    fn each_line_of_a_criterion_is_one() {
        let read = |words: &str| criteria(words).collect::<Vec<_>>();
        assert_eq!(read("A sixth row is refused.\n\n - It says why. \n"), ["A sixth row is refused.", "It says why."]);
        assert_eq!(read("第六行被拒绝。\r\n说明原因。"), ["第六行被拒绝。", "说明原因。"]);
        assert_eq!(read("-5 degrees are shown in blue."), ["-5 degrees are shown in blue."]);
        let text = "# Requirements: X\n\n## Approved\n\n### FR-001: Export\n\nThe file goes out.\n";
        let recorded: Vec<ExportedRequirement> = parse_anyway(text).0.export().requirements().collect();
        let (document, _) = parse_anyway(text);
        let input = Input { name: "requirements.md", text, document: &document, duplicates: &[], brief: None };
        let gap = analyse(&input).gaps.remove(0);
        let choice = serde_json::from_str(
            r#"{"decision": "fix", "criterion": "A sixth row is refused.\nIt says why.", "requirement": "FR-001"}"#,
        );
        let review =
            improving(&[decided(&gap, choice.expect("a decision"))], &recorded, Language::En).expect("a review");
        let VerdictKind::Modify { changes, .. } = &review.verdicts[0].kind else { panic!("{review:?}") };
        let added = changes.acceptance_criteria.as_deref().unwrap_or_default();
        assert_eq!(added, ["A sixth row is refused.", "It says why."]);
    }

    #[test]
    fn a_decision_is_about_one_gap() {
        let text = "# Requirements: X\n\n## Approved\n\n### FR-001: Export\n\nThe QRX file goes to the ZBL folder.\n\n\
            Acceptance criteria:\n- A file of 3 rows.\n";
        let (document, _) = parse_anyway(text);
        let duplicates = [("FR-001".to_owned(), 9), ("FR-002".to_owned(), 12)];
        let input = Input { name: "requirements.md", text, document: &document, duplicates: &duplicates, brief: None };
        let gaps = analyse(&input).gaps;
        assert_eq!(gaps.len(), 4, "two ids and two abbreviations: {gaps:#?}");
        let dismiss = || GapChoice::Dismiss { reason: "known".to_owned() };
        for gap in &gaps {
            let left = undecided(gaps.clone(), &[decided(gap, dismiss())]);
            assert!(left.len() == 3 && !left.contains(gap), "{left:#?}");
            let both = [
                decided(gap, dismiss()),
                decided(gap, serde_json::from_str(r#"{"decision": "fix"}"#).expect("a decision")),
            ];
            assert_eq!(undecided(gaps.clone(), &both).len(), 4, "the later word holds");
        }
        let read = Gap {
            title: "No time limit".to_owned(),
            description: "Nothing says how fast.".to_owned(),
            ..gaps[0].clone()
        };
        let again = Gap { description: "How fast it is stays open.".to_owned(), ..read.clone() };
        let other = Gap { title: "No owner".to_owned(), ..again.clone() };
        assert_eq!(undecided(vec![again, other.clone()], &[decided(&read, dismiss())]), [other]);
    }
}
