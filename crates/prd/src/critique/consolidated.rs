//! Combines the critiques of several critics: grade, mean, consensus, contradictions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::perspective::perspective;
use super::{Critique, Grade, Issue, Role};
use crate::{GapSeverity, SourceQuote};
use reqgate_text::content_words::{content_words, shared};

/// The most revisions that are listed as urgent.
const MOST_REVISIONS: usize = 5;
/// Opposing demands, in English and Chinese.
const OPPOSING: [(&str, &str); 9] = [
    ("increase", "decrease"),
    ("add", "remove"),
    ("expand", "simplify"),
    ("more detail", "less detail"),
    ("增加", "减少"),
    ("增加", "删除"),
    ("添加", "删除"),
    ("扩展", "简化"),
    ("更详细", "更简短"),
];

/// The combined feedback of all critics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsolidatedFeedback {
    /// `pass` if more than half of the critics pass; `not_read` if none of them has read the document.
    pub overall_grade: Grade,
    /// Every critic grades the document with `pass`.
    pub is_unanimous: bool,
    /// The mean of the scores from 0 to 100; `None` if no critic has read the document.
    pub average_score: Option<f64>,
    /// The mean weighted by role, with the weights normalised to 1; `None` if no critic has read the document.
    pub weighted_score: Option<f64>,
    /// Issues that two or more critics name, the most severe first.
    pub consensus_issues: Vec<ConsensusIssue>,
    /// The first five of the consensus issues.
    pub priority_revisions: Vec<String>,
    /// The suggestions of the director of product.
    pub strategic_changes: Vec<String>,
    /// The suggestions of the head of design.
    pub design_changes: Vec<String>,
    /// The suggestions of the head of engineering.
    pub technical_changes: Vec<String>,
    /// The commendations that all critics share, if there are at least two critics.
    pub unanimous_approvals: Vec<String>,
    /// Suggestions that contradict each other: a person must choose.
    pub conflicting_feedback: Vec<Conflict>,
}

/// An issue on which critics agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsensusIssue {
    /// The issue, in the words of the critic who considers it most severe.
    pub what: String,
    /// The suggested text, in the words of the same critic.
    pub suggestion: String,
    /// The highest severity that a critic gives.
    pub severity: GapSeverity,
    /// The critics who name the issue.
    pub critics: Vec<Role>,
    /// The passage that shows the issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
}

/// Two suggestions that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conflict {
    /// The role of the first critic.
    pub critic1: Role,
    /// The suggestion of the first critic.
    pub suggestion1: String,
    /// The role of the second critic.
    pub critic2: Role,
    /// The suggestion of the second critic.
    pub suggestion2: String,
}

/// Combines the critiques of several critics; their order does not matter.
pub fn consolidate(critiques: &[Critique]) -> ConsolidatedFeedback {
    let mut critiques: Vec<&Critique> = critiques.iter().collect();
    critiques.sort_by_key(|critique| critique.critic_role);
    let passes = critiques.iter().filter(|critique| critique.grade == Grade::Pass).count();
    let scores: Vec<(Role, f64)> =
        critiques.iter().filter_map(|critique| Some((critique.critic_role, f64::from(critique.score?)))).collect();
    let mean = |weight: &dyn Fn(Role) -> f64| {
        let weights: f64 = scores.iter().map(|(role, _)| weight(*role)).sum();
        let sum: f64 = scores.iter().map(|(role, score)| weight(*role) * score).sum();
        (weights > 0.0).then(|| (sum / weights).clamp(0.0, 100.0))
    };
    let overall_grade = match () {
        () if scores.is_empty() => Grade::NotRead,
        () if passes * 2 > critiques.len() => Grade::Pass,
        () => Grade::NeedsRevision,
    };
    let consensus_issues = consensus(&critiques);
    let suggestions = |role: Role| {
        let own = critiques.iter().filter(|critique| critique.critic_role == role);
        own.flat_map(|critique| critique.suggestions.clone()).collect()
    };
    ConsolidatedFeedback {
        overall_grade,
        is_unanimous: !critiques.is_empty() && passes == critiques.len(),
        average_score: mean(&|_| 1.0),
        weighted_score: mean(&|role| f64::from(perspective(role).framework.weight)),
        priority_revisions: consensus_issues.iter().take(MOST_REVISIONS).map(|issue| issue.what.clone()).collect(),
        consensus_issues,
        strategic_changes: suggestions(Role::Director),
        design_changes: suggestions(Role::Design),
        technical_changes: suggestions(Role::Engineering),
        unanimous_approvals: approvals(&critiques),
        conflicting_feedback: conflicts(&critiques),
    }
}

/// Returns true if two issues are the same: the same text, the same words, or the same code with the same line or at
/// least half of the words of the shorter one.
pub(crate) fn is_same(one: &Issue, other: &Issue) -> bool {
    let (own, others) = (content_words(&one.what), content_words(&other.what));
    let line = |issue: &Issue| issue.place.as_ref().map(|place| (place.source.clone(), place.line));
    let same_line = line(one).is_some() && line(one) == line(other);
    let half = shared(&own, &others) * 2 >= own.len().min(others.len()).max(1);
    one.what == other.what || !own.is_empty() && own == others || one.code == other.code && (same_line || half)
}

fn consensus(critiques: &[&Critique]) -> Vec<ConsensusIssue> {
    let all: Vec<(Role, &Issue)> = critiques
        .iter()
        .flat_map(|critique| critique.issues_found.iter().map(move |issue| (critique.critic_role, issue)))
        .collect();
    // An issue joins each group with a matching issue, and the joined groups become one.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in 0..all.len() {
        let meets = |group: &Vec<usize>| {
            group.iter().any(|other| all[*other].0 != all[at].0 && is_same(all[*other].1, all[at].1))
        };
        let (met, rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(meets);
        groups = rest;
        groups.push(met.into_iter().flatten().chain([at]).collect());
    }
    let mut out: Vec<ConsensusIssue> = groups
        .into_iter()
        .filter_map(|group| {
            let mut critics: Vec<Role> = group.iter().map(|at| all[*at].0).collect();
            critics.sort();
            critics.dedup();
            let worst = group.iter().map(|at| all[*at]).min_by_key(|(role, issue)| (issue.severity, *role))?.1;
            let place = worst.place.clone().or_else(|| group.iter().find_map(|at| all[*at].1.place.clone()));
            (critics.len() >= 2).then(|| ConsensusIssue {
                what: worst.what.clone(),
                suggestion: worst.suggestion.clone(),
                severity: worst.severity,
                critics,
                place,
            })
        })
        .collect();
    out.sort_by(|one, other| {
        let key = |issue: &ConsensusIssue| (issue.severity, std::cmp::Reverse(issue.critics.len()));
        key(one).cmp(&key(other)).then_with(|| one.what.cmp(&other.what))
    });
    out
}

/// The commendations that every critic has in the same words.
fn approvals(critiques: &[&Critique]) -> Vec<String> {
    let Some((first, others)) = critiques.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let has = |critique: &Critique, text: &str| {
        let words = content_words(text);
        critique
            .commendations
            .iter()
            .any(|own| own.text == text || !words.is_empty() && content_words(&own.text) == words)
    };
    let shared = first.commendations.iter().filter(|own| others.iter().all(|other| has(other, &own.text)));
    shared.map(|own| own.text.clone()).collect()
}

/// Pairs of suggestions by two critics with opposing demands, in any case and order. Unlike in the source, only whole
/// words count: `address` does not contain `add`.
pub(super) fn conflicts(critiques: &[&Critique]) -> Vec<Conflict> {
    let mut out = Vec::new();
    for (at, one) in critiques.iter().enumerate() {
        for other in &critiques[at + 1..] {
            for suggestion1 in &one.suggestions {
                for suggestion2 in other.suggestions.iter().filter(|other| is_opposed(suggestion1, other)) {
                    out.push(Conflict {
                        critic1: one.critic_role,
                        suggestion1: suggestion1.clone(),
                        critic2: other.critic_role,
                        suggestion2: suggestion2.clone(),
                    });
                }
            }
        }
    }
    out
}

fn is_opposed(one: &str, other: &str) -> bool {
    let has = |text: &str, term: &str| {
        let lower = text.to_lowercase();
        let edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let wide = !term.is_ascii();
        let mut places = lower.match_indices(term);
        places.any(|(at, _)| {
            wide || edge(lower[..at].chars().next_back()) && edge(lower[at + term.len()..].chars().next())
        })
    };
    // “Add a section” and “remove the table” contradict each other only if they have the same subject.
    let about_one_thing = || shared(&subject(one), &subject(other)) > 0;
    let opposing =
        |(first, second): &(&str, &str)| has(one, first) && has(other, second) || has(one, second) && has(other, first);
    OPPOSING.iter().any(opposing) && about_one_thing()
}

/// The words of a suggestion except the demands themselves.
fn subject(text: &str) -> Vec<String> {
    let mut lower = text.to_lowercase();
    for term in OPPOSING.iter().flat_map(|(one, other)| [one, other]) {
        lower = lower.replace(term, " ");
    }
    content_words(&lower)
}
