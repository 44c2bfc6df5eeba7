//! Combines two readings of one document by one critic: the mean, and the disagreements.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consolidated::is_same;
use super::finding::not_repeated;
use super::perspective::perspective;
use super::{Commendation, Critique, FLOOR, Grade, Issue};
use reqgate_base::model::Language;

/// The largest difference of two grades that agree: the bands of the grading scale are 15 points wide.
pub const MOST_APART: u8 = 15;

/// A second opinion: two independent readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecondOpinion {
    /// The scores of the two readings; the score of the critique is their mean, rounded down.
    pub scores: [u8; 2],
    /// The categories whose grades are more than 15 points apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<Disagreement>,
}

/// A category on which two readings disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Disagreement {
    /// The category of the critic's perspective.
    pub category: String,
    /// The two grades, in the order of the readings.
    pub grades: [u8; 2],
}

fn mean(one: u8, other: u8) -> u8 {
    one.midpoint(other)
}

/// Combines two readings by the same critic. Scores are means, rounded down. An issue that both name is listed once,
/// with the higher severity; an issue that only one of them names is marked. `form` has the issues that code found.
pub fn of_two(one: Critique, other: Critique, pass_mark: u8, form: &Critique) -> Critique {
    let of = |critique: &Critique, category: &str| critique.category_scores.get(category).copied().unwrap_or(0);
    let categories: Vec<&String> = one.category_scores.keys().collect();
    let category_scores: BTreeMap<String, u8> = categories
        .iter()
        .map(|category| ((*category).clone(), mean(of(&one, category), of(&other, category))))
        .collect();
    let disagreements = categories
        .iter()
        .map(|category| Disagreement {
            category: (*category).clone(),
            grades: [of(&one, category), of(&other, category)],
        })
        .filter(|two| two.grades[0].abs_diff(two.grades[1]) > MOST_APART)
        .collect();
    let scores = [one.score.unwrap_or(0), other.score.unwrap_or(0)];
    let score = mean(scores[0], scores[1]);
    let grade = if score >= pass_mark.max(FLOOR) { Grade::Pass } else { Grade::NeedsRevision };
    let issues = issues(&one, &other, form);
    let critique = Critique {
        critic_role: one.critic_role,
        grade,
        score: Some(score),
        category_scores,
        issues_found: Vec::new(),
        suggestions: Vec::new(),
        commendations: commendations(one.commendations, other.commendations),
        priority_changes: Vec::new(),
        advice: one.advice.with(other.advice),
        not_read: Vec::new(),
        keyword_heuristic: form.keyword_heuristic,
        second_opinion: Some(SecondOpinion { scores, disagreements }),
    };
    critique.with_issues(issues)
}

/// The issues of both readings, then those of form that neither repeats.
fn issues(one: &Critique, other: &Critique, form: &Critique) -> Vec<Issue> {
    let read = |critique: &Critique| -> Vec<Issue> {
        critique.issues_found.iter().filter(|issue| !form.issues_found.contains(issue)).cloned().collect()
    };
    let mut second = read(other);
    let mut out: Vec<Issue> = Vec::new();
    for issue in read(one) {
        match second.iter().position(|known| is_same(known, &issue)) {
            Some(at) => {
                let known = second.remove(at);
                out.push(if known.severity < issue.severity { known } else { issue });
            }
            None => out.push(Issue { is_of_one: true, ..issue }),
        }
    }
    out.extend(second.into_iter().map(|issue| Issue { is_of_one: true, ..issue }));
    let proven: Vec<Issue> = not_repeated(&form.issues_found, &out).cloned().collect();
    out.extend(proven);
    out
}

/// The praise: a category if both praise it, and all quotes of the document without duplicates.
fn commendations(one: Vec<Commendation>, other: Vec<Commendation>) -> Vec<Commendation> {
    let mut out: Vec<Commendation> =
        one.into_iter().filter(|praise| praise.place.is_some() || other.contains(praise)).collect();
    for praise in other {
        if praise.place.is_some() && !out.iter().any(|known| known.text == praise.text) {
            out.push(praise);
        }
    }
    out
}

/// The second opinion as lines of text; empty after a single reading.
pub fn opinion_in_lines(critique: &Critique, language: Language) -> Vec<String> {
    let Some(opinion) = &critique.second_opinion else { return Vec::new() };
    let own = perspective(critique.critic_role);
    let [first, second] = opinion.scores;
    let mut lines = vec![match language {
        Language::En => format!("Two readings: {first} and {second}, of which the score is the mean"),
        Language::Zh => format!("两次阅读分别为 {first} 分和 {second} 分，得分取平均"),
    }];
    lines.extend(opinion.disagreements.iter().map(|two| {
        let label = own.category(&two.category).map_or(two.category.as_str(), |category| category.label.of(language));
        let [first, second] = two.grades;
        match language {
            Language::En => {
                format!("They disagree by more than {MOST_APART} points: {label} {first} and {second}")
            }
            Language::Zh => format!("两次相差超过 {MOST_APART} 分：{label} {first} 和 {second}"),
        }
    }));
    lines
}

impl Issue {
    /// The issue in one sentence, with a note if only one of two readers names it.
    pub(crate) fn what_in_words(&self, language: Language) -> String {
        if !self.is_of_one {
            return self.what.clone();
        }
        format!("{}{}", self.what, language.of(" (one of two readings)", "（两次阅读中的一次）"))
    }
}
