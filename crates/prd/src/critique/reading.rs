//! Checks a critic's reading of a PRD: grades, issues and praise, each with a quote. The reader quotes; code checks and computes.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finding::not_repeated;
use super::perspective::{Perspective, perspective};
use super::{Advice, Commendation, Critique, Document, FLOOR, Grade, Issue, Role};
use crate::gaps::has_blank;
use crate::{GapSeverity, SourceQuote};
use reqgate_base::model::Language;
use reqgate_flow::Problem;
use reqgate_orders::{Cited, Doubt, Misquoted, NOWHERE, Sources};
use reqgate_text::content_words::content_words;

/// The most issues of one reading.
const MOST_ISSUES: usize = 12;
/// The most quotes of a grade.
const MOST_QUOTES: usize = 3;
/// The most commendations of one reading.
const MOST_COMMENDATIONS: usize = 5;
/// The longest sentence of a reader, in characters.
const LONGEST: usize = 400;
/// The codes of issues, which all critics share, so that two issues with the same subject can be recognised.
const CODES: [&str; 16] = [
    "problem",
    "market",
    "business",
    "user",
    "story",
    "requirement",
    "scope",
    "interface",
    "accessibility",
    "performance",
    "security",
    "data",
    "metric",
    "risk",
    "timeline",
    "contradiction",
];

/// What a critic hands back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadCritique {
    /// The critic.
    pub role: Role,
    /// One grade for each category of the perspective, each category once.
    pub grades: Vec<CategoryGrade>,
    /// What is wrong, the worst first, at most twelve.
    pub issues: Vec<ReadIssue>,
    /// What is good, at most five.
    #[serde(default)]
    pub commendations: Vec<ReadCommendation>,
    /// From the head of engineering only: other ways, the timeline, the tests.
    #[serde(default)]
    pub advice: Advice,
}

/// The grade of a category and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CategoryGrade {
    /// The category.
    pub category: String,
    /// 0 to 100. Below 70, an issue of this category says why.
    #[schemars(range(max = 100))]
    pub grade: u8,
    /// One to three quotes of the document, or `NOWHERE` alone.
    pub quotes: Vec<String>,
    /// With `NOWHERE`: what the document does not say.
    #[serde(default)]
    pub absent: Option<String>,
}

/// An issue, as its reader says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadIssue {
    /// The category of the perspective.
    pub category: String,
    /// What it is about.
    #[schemars(extend("enum" = CODES))]
    pub code: String,
    /// The severity.
    pub severity: GapSeverity,
    /// The words of the document that show it, or `NOWHERE`.
    pub quote: String,
    /// The issue, in a sentence.
    pub what: String,
    /// What to write, with `[…]` for every figure, name or choice that nobody has made.
    pub suggestion: String,
}

/// Praise, as its reader says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadCommendation {
    /// The words of the document that are good.
    pub quote: String,
}

/// A document for a critic, with the texts that quotes must occur in.
pub struct Readable<'t> {
    document: &'t Document<'t>,
    sources: Sources<'t>,
    own: &'static Perspective,
}

impl<'t> Readable<'t> {
    /// Prepares the document for searching quotes.
    pub fn new(document: &'t Document<'t>, role: Role) -> Self {
        let sources = Sources::new([(document.name, document.text)]);
        Self { document, sources, own: perspective(role) }
    }

    /// Returns the problems of a reading, each with its path.
    pub fn problems(&self, read: &ReadCritique) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut tell = |path: String, message: String| problems.push(Problem { path, message });
        if read.role != self.own.role {
            tell("role".to_owned(), format!("this order is for `{}`", self.own.role));
        }
        for (field, count, most) in [
            ("issues", read.issues.len(), MOST_ISSUES),
            ("commendations", read.commendations.len(), MOST_COMMENDATIONS),
            ("grades", read.grades.len(), self.own.categories.len()),
        ] {
            if count > most {
                tell(field.to_owned(), format!("{count} {field}: at most {most}"));
            }
        }
        self.grades(read, &mut tell);
        for (index, issue) in read.issues.iter().take(MOST_ISSUES).enumerate() {
            for (field, message) in self.faults(issue) {
                tell(format!("issues[{index}].{field}"), message);
            }
        }
        for (index, praise) in read.commendations.iter().take(MOST_COMMENDATIONS).enumerate() {
            if let Err(misquoted) = self.find(&praise.quote) {
                tell(format!("commendations[{index}].quote"), misquoted.to_string());
            }
        }
        self.advice(&read.advice, &mut tell);
        problems
    }

    fn advice(&self, advice: &Advice, tell: &mut dyn FnMut(String, String)) {
        if !advice.is_empty() && self.own.role != Role::Engineering {
            tell("advice".to_owned(), "only the head of engineering gives it: leave it out".to_owned());
        }
        for name in advice.too_long() {
            tell(format!("advice.{name}"), "at most 5 sentences".to_owned());
        }
        for (name, list) in advice.lists() {
            for (number, text) in list.iter().enumerate() {
                for message in self.proposal_faults(text) {
                    tell(format!("advice.{name}[{number}]"), message);
                }
            }
        }
    }

    /// The faults of a sentence that proposes something: its form, and a figure without a decision, which must stay a blank.
    fn proposal_faults(&self, text: &str) -> Vec<String> {
        let invented = self.sources.unproven(text, &[self.document.text]).into_iter().find_map(Doubt::figure);
        let invented = invented.map(|words| format!("nobody wrote “{words}”: leave a blank […]"));
        self.sentence(text).into_iter().chain(invented).collect()
    }

    fn grades(&self, read: &ReadCritique, tell: &mut dyn FnMut(String, String)) {
        let mut graded = BTreeSet::new();
        for (index, grade) in read.grades.iter().take(self.own.categories.len()).enumerate() {
            let place = |field: &str| format!("grades[{index}].{field}");
            let id = grade.category.as_str();
            if self.own.category(id).is_none() {
                tell(place("category"), self.no_such_category(id));
            } else if !graded.insert(id) {
                tell(place("category"), format!("`{id}` is graded twice"));
            }
            if grade.grade > 100 {
                tell(place("grade"), "write a number from 0 to 100".to_owned());
            }
            let has_issue = read.issues.iter().any(|issue| issue.category == id);
            if grade.grade < FLOOR && !has_issue {
                tell(place("grade"), format!("below {FLOOR}: name an issue of the category `{id}`, or grade higher"));
            }
            if grade.quotes.is_empty() || grade.quotes.len() > MOST_QUOTES {
                tell(
                    place("quotes"),
                    format!("quote one to {MOST_QUOTES} places, or write {NOWHERE} and what is absent"),
                );
            }
            let is_nowhere = grade.quotes.iter().any(|quote| quote.trim() == NOWHERE);
            if is_nowhere && grade.quotes.len() > 1 {
                tell(place("quotes"), format!("write {NOWHERE} alone, or only quotes"));
            }
            match (is_nowhere, &grade.absent) {
                (true, None) => tell(place("absent"), format!("with {NOWHERE}, say what the document does not say")),
                (_, Some(absent)) => {
                    if let Some(message) = self.sentence(absent) {
                        tell(place("absent"), message);
                    }
                }
                (false, None) => {}
            }
            for (number, quote) in
                grade.quotes.iter().take(MOST_QUOTES).enumerate().filter(|(_, quote)| quote.trim() != NOWHERE)
            {
                if let Err(misquoted) = self.find(quote) {
                    tell(place(&format!("quotes[{number}]")), misquoted.to_string());
                }
            }
        }
        for category in self.own.categories.iter().filter(|category| !graded.contains(category.id.as_str())) {
            tell("grades".to_owned(), format!("`{}` is not graded", category.id));
        }
    }

    fn faults(&self, issue: &ReadIssue) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.own.category(&issue.category).is_none() {
            faults.push(("category", self.no_such_category(&issue.category)));
        }
        if !CODES.contains(&issue.code.as_str()) {
            faults.push(("code", format!("`{}` is not a code: write one of {}", issue.code, CODES.join(", "))));
        }
        if issue.quote.trim() != NOWHERE
            && let Err(misquoted) = self.find(&issue.quote)
        {
            faults.push(("quote", misquoted.to_string()));
        }
        faults.extend(self.sentence(&issue.what).map(|message| ("what", message)));
        faults.extend(self.proposal_faults(&issue.suggestion).into_iter().map(|message| ("suggestion", message)));
        faults
    }

    /// Returns the reading without the issues and the praise that fail the checks. Grades stay, even faulty ones.
    #[must_use]
    pub fn without_faulty(&self, read: &ReadCritique) -> ReadCritique {
        let passes = |issue: &&ReadIssue| self.faults(issue).is_empty();
        let stands = |praise: &&ReadCommendation| self.find(&praise.quote).is_ok();
        ReadCritique {
            role: read.role,
            grades: read.grades.clone(),
            issues: read.issues.iter().filter(passes).take(MOST_ISSUES).cloned().collect(),
            commendations: read.commendations.iter().filter(stands).take(MOST_COMMENDATIONS).cloned().collect(),
            advice: self.sound_advice(read),
        }
    }

    /// The advice that passes the checks; only the head of engineering gives any.
    fn sound_advice(&self, read: &ReadCritique) -> Advice {
        let may_give = self.own.role == Role::Engineering;
        read.advice.only(|text| may_give && self.proposal_faults(text).is_empty())
    }

    fn no_such_category(&self, id: &str) -> String {
        let known: Vec<&str> = self.own.categories.iter().map(|category| category.id.as_str()).collect();
        format!("there is no category `{id}`: write one of {}", known.join(", "))
    }

    /// The fault of a sentence that a reader wrote, if there is one.
    fn sentence(&self, text: &str) -> Option<String> {
        let is_link = |word: &str| word.contains("://") || word.starts_with("www.");
        let foreign = text.split_whitespace().find(|word| is_link(word) && !self.document.text.contains(word));
        match () {
            () if text.trim().contains('\n') || text.chars().nth(LONGEST).is_some() => {
                Some(format!("write one sentence of at most {LONGEST} characters"))
            }
            // A blank is content that another person has to provide.
            () if content_words(text).len() < 2 && !has_blank(text) => {
                Some("write a sentence that says something".to_owned())
            }
            () if foreign.is_some() => Some("leave out the address: the document does not have it".to_owned()),
            () => None,
        }
    }

    fn find(&self, quote: &str) -> Result<SourceQuote, Misquoted> {
        let Cited { line, words } = self.sources.find(self.document.name, quote)?;
        let (file, line) = self.document.place(line);
        Ok(SourceQuote { source: file.to_owned(), line, quote: words })
    }

    /// Computes the critique from a reading: the score from the grades by the weights of the perspective, and the
    /// grade from the score. The issues are those of the reading that pass the checks, then those of `form` that the
    /// reading does not repeat. A category without a grade counts 0, so that omitting one cannot
    /// lead to a pass.
    ///
    /// The pass mark is `pass_mark`, but at least [`FLOOR`].
    pub fn critique(&self, read: &ReadCritique, pass_mark: u8, form: &Critique) -> Critique {
        let grade_of = |id: &str| {
            let own = read.grades.iter().find(|grade| grade.category == id);
            own.map_or(0, |grade| grade.grade.min(100))
        };
        let category_scores: BTreeMap<String, u8> =
            self.own.categories.iter().map(|category| (category.id.clone(), grade_of(&category.id))).collect();
        let score = self.score(&category_scores);
        let issues: Vec<Issue> = read
            .issues
            .iter()
            .take(MOST_ISSUES)
            .filter(|issue| self.faults(issue).is_empty())
            .map(|issue| Issue {
                category: issue.category.clone(),
                code: issue.code.clone(),
                severity: issue.severity,
                place: (issue.quote.trim() != NOWHERE).then(|| self.find(&issue.quote).ok()).flatten(),
                what: issue.what.trim().to_owned(),
                suggestion: issue.suggestion.trim().to_owned(),
                is_of_one: false,
            })
            .collect();
        let provable: Vec<Issue> = not_repeated(&form.issues_found, &issues).cloned().collect();
        let critique = Critique {
            critic_role: self.own.role,
            grade: if score >= pass_mark.max(FLOOR) { Grade::Pass } else { Grade::NeedsRevision },
            score: Some(score),
            commendations: self.commendations(read, &category_scores),
            category_scores,
            issues_found: Vec::new(),
            suggestions: Vec::new(),
            priority_changes: Vec::new(),
            advice: self.sound_advice(read),
            not_read: Vec::new(),
            keyword_heuristic: form.keyword_heuristic,
            second_opinion: None,
        };
        critique.with_issues(issues.into_iter().chain(provable).collect())
    }

    /// The weighted mean, rounded down as in the source.
    fn score(&self, scores: &BTreeMap<String, u8>) -> u8 {
        let (mut sum, mut weights) = (0, 0);
        for category in &self.own.categories {
            sum += category.weight * u32::from(scores.get(&category.id).copied().unwrap_or(0));
            weights += category.weight;
        }
        u8::try_from(sum / weights.max(1)).unwrap_or(100)
    }

    /// The praise: categories from 85 are excellent, from 75 good; then the quotes of the reader.
    fn commendations(&self, read: &ReadCritique, scores: &BTreeMap<String, u8>) -> Vec<Commendation> {
        let language = self.document.language;
        let praised = self.own.categories.iter().filter_map(|category| {
            let word = match scores.get(&category.id).copied().unwrap_or(0) {
                85.. => language.of("Excellent", "优秀"),
                75.. => language.of("Good", "良好"),
                _ => return None,
            };
            let text = match language {
                Language::En => format!("{word} {}", category.label.of(language).to_lowercase()),
                Language::Zh => format!("{}{word}", category.label.of(language)),
            };
            Some(Commendation { text, place: None })
        });
        let quoted = read.commendations.iter().take(MOST_COMMENDATIONS).filter_map(|praise| {
            let place = self.find(&praise.quote).ok()?;
            Some(Commendation { text: place.quote.clone(), place: Some(place) })
        });
        praised.chain(quoted).collect()
    }
}
