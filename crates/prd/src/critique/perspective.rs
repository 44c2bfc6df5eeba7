//! The perspectives of the critics as data: `rubrics/perspectives/`, one file per role, checked when they are loaded.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{FindingCode, Role};
use crate::GapSeverity;
use reqgate_base::model::Language;

/// Path, JSON and hash of every file; made by `build.rs`.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/perspectives.rs"));

/// One text in both languages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both {
    en: String,
    zh: String,
}

impl Both {
    /// The wording in a language.
    pub fn of(&self, language: Language) -> &str {
        language.of(&self.en, &self.zh)
    }
}

/// A critic as data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perspective {
    /// The critic.
    pub role: Role,
    /// The name of the role.
    pub title: Both,
    /// In whose place the reader judges.
    pub perspective: String,
    /// What is graded, with weights.
    pub categories: Vec<Category>,
    /// The framework of the source with its heuristic.
    pub framework: Framework,
    /// The words of the findings of form.
    pub findings: Vec<FindingWords>,
}

/// A category that a critic grades.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Its code: `risk_assessment`.
    pub id: String,
    /// Its weight, above 0; the weights are normalised within the role.
    pub weight: u32,
    /// Its name.
    pub label: Both,
    /// What the reader looks for.
    pub look_for: Vec<String>,
}

/// The framework of the source for one role.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// The weight of the role among the roles: 40, 35, 35, normalised for the weighted score.
    pub weight: u32,
    /// Its criteria.
    pub criteria: Vec<Criterion>,
}

/// A criterion of the source's framework.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its code: `vision_alignment`.
    pub id: String,
    /// The words that the heuristic counts.
    pub keywords: Vec<String>,
}

/// The words of a finding of form.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingWords {
    /// The check.
    pub code: FindingCode,
    /// The category that it belongs to.
    pub category: String,
    /// The severity.
    pub severity: GapSeverity,
    /// The finding where it holds for everything that was checked.
    pub all: Both,
    /// The finding where it holds for a part.
    #[serde(default)]
    pub some: Option<Both>,
    /// What to write.
    pub write: Both,
}

/// Why a perspective cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PerspectiveError {
    /// The file has another shape.
    #[error("perspective: {0}")]
    Shape(#[from] serde_json::Error),
    /// A value is wrong.
    #[error("perspective {role}: {message}")]
    Value {
        /// The role.
        role: Role,
        /// The fault and what to write.
        message: String,
    },
}

impl Perspective {
    /// Reads and checks a perspective.
    ///
    /// # Errors
    /// Fails with the first fault.
    pub fn parse(json: &str) -> Result<Self, PerspectiveError> {
        let read: Self = serde_json::from_str(json)?;
        match read.fault() {
            Some(message) => Err(PerspectiveError::Value { role: read.role, message }),
            None => Ok(read),
        }
    }

    fn fault(&self) -> Option<String> {
        let mut ids = BTreeSet::new();
        if self.categories.is_empty() || self.framework.criteria.is_empty() || self.framework.weight == 0 {
            return Some("name at least one category, one criterion and a weight above 0".to_owned());
        }
        for category in &self.categories {
            if category.weight == 0 || category.look_for.is_empty() || !ids.insert(category.id.as_str()) {
                return Some(format!(
                    "category `{}`: write it once, with a weight above 0 and what to look for",
                    category.id
                ));
            }
        }
        let mut codes = BTreeSet::new();
        for finding in &self.findings {
            if !ids.contains(finding.category.as_str()) {
                return Some(format!("finding {:?}: there is no category `{}`", finding.code, finding.category));
            }
            if !codes.insert(finding.code) {
                return Some(format!("finding {:?}: write it once", finding.code));
            }
        }
        None
    }

    /// The category with a code.
    pub fn category(&self, id: &str) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// The words of a finding, if it is this critic's.
    pub(super) fn finding(&self, code: FindingCode) -> Option<&FindingWords> {
        self.findings.iter().find(|finding| finding.code == code)
    }

    /// The heuristic of the source: 20 points for each keyword up to 60, 20 for a heading of the criterion's name, 20 if
    /// that name stands at least twice in the text; the mean of the criteria, 0 to 100.
    pub fn keyword_heuristic(&self, text: &str) -> u8 {
        let lower = text.to_lowercase();
        let score = |criterion: &Criterion| {
            let hits = criterion.keywords.iter().filter(|keyword| lower.contains(&keyword.to_lowercase())).count();
            let spelled = criterion.id.replace('_', " ");
            let has_heading = lower
                .lines()
                .any(|line| line.strip_prefix("## ").is_some_and(|title| title.trim_start().starts_with(&spelled)));
            let is_repeated = lower.matches(&criterion.id).count() >= 2;
            (hits * 20).min(60) + usize::from(has_heading) * 20 + usize::from(is_repeated) * 20
        };
        let sum: usize = self.framework.criteria.iter().map(score).sum();
        u8::try_from(sum / self.framework.criteria.len()).unwrap_or(100).min(100)
    }
}

/// The shipped perspective of a critic.
pub fn perspective(role: Role) -> &'static Perspective {
    static SHIPPED: LazyLock<Vec<Perspective>> = LazyLock::new(|| {
        let read = FILES.iter().map(|(_, json, _)| Perspective::parse(json));
        read.collect::<Result<_, _>>().expect("a test reads the shipped files")
    });
    SHIPPED.iter().find(|one| one.role == role).expect("a test finds a file for every role")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompts_weights_are_those_of_the_source_and_every_finding_has_one_critic() {
        let mut codes = BTreeSet::new();
        for (role, framework) in Role::ALL.into_iter().zip([40, 35, 35]) {
            let own = perspective(role);
            let weights: Vec<u32> = own.categories.iter().map(|category| category.weight).collect();
            assert_eq!(weights, [30, 25, 20, 15, 10], "{role}");
            assert_eq!((own.framework.weight, own.framework.criteria.len()), (framework, 5), "{role}");
            for finding in &own.findings {
                assert!(codes.insert(finding.code), "{:?} belongs to two critics", finding.code);
            }
        }
        assert_eq!(codes.into_iter().collect::<Vec<_>>(), FindingCode::ALL);
    }

    #[test]
    fn a_broken_perspective_is_refused() {
        let (_, json, _) = FILES[0];
        for (from, to, told) in [
            ("\"weight\":30", "\"weight\":0", "above 0"),
            ("\"id\":\"usability\"", "\"id\":\"accessibility\"", "write it once"),
            ("\"category\":\"user_centricity\"", "\"category\":\"usercentricity\"", "no category `usercentricity`"),
            ("\"code\":\"missing-stories\"", "\"code\":\"missing-users\"", "write it once"),
            ("\"role\":\"design\"", "\"role\":\"designer\"", "designer"),
        ] {
            assert!(json.contains(from), "{from}");
            let error = Perspective::parse(&json.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn the_heuristic_is_that_of_the_source() {
        let director = perspective(Role::Director);
        assert_eq!(director.keyword_heuristic(""), 0);
        // Two keywords of the first criterion: 40 of 100 in one of five.
        assert_eq!(director.keyword_heuristic("Our vision and mission"), 8);
        let full = "## Vision Alignment\nvision strategy mission goals vision_alignment vision_alignment";
        assert_eq!(director.keyword_heuristic(full), 20);
    }
}
