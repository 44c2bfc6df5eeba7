//! A gap between the documents of a feature, and the decision of a person on it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ids::RequirementId;
use super::model::{OpenQuestion, RequirementPriority, SourceQuote};
use super::requirements::{AddedRequirement, RequirementChanges};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_text::answer::{Assignment, split_assignment};
use reqgate_text::words::open_points::INTERROGATIVES;

/// The severity of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapSeverity {
    /// The feature cannot do what it is for.
    Critical,
    /// Somebody will be stopped or harmed.
    High,
    /// It will come back as a question while it is built.
    Medium,
    /// Worth a thought.
    Low,
}

/// The kind of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapCategory {
    /// No requirement serves a goal of the brief.
    UncoveredGoal,
    /// No requirement serves a user of the brief.
    UncoveredUser,
    /// No requirement serves a flow of the brief.
    UncoveredFlow,
    /// No requirement makes a success measure of the brief measurable.
    UncoveredMeasure,
    /// A requirement has no criterion that somebody can check.
    MissingCriterion,
    /// Nothing says what happens when it fails.
    MissingErrorCase,
    /// An amount, size, rate or time has no limit.
    MissingLimit,
    /// Nothing says who may do it.
    MissingPermission,
    /// Created data is never deleted.
    MissingDeletion,
    /// Nothing records who did what.
    MissingAudit,
    /// Nothing says how long personal data is kept.
    MissingRetention,
    /// Nothing says what happens to existing data.
    MissingMigration,
    /// Nothing says what is shown when there is no data.
    MissingEmptyState,
    /// Nothing says how people with disabilities use it.
    MissingAccessibility,
    /// Nothing says how fast it has to be.
    MissingPerformance,
    /// Two statements cannot both hold.
    Contradiction,
    /// Two requirements say the same.
    Duplicate,
    /// Two requirements have the same id.
    DuplicateId,
    /// A statement has a blank: `[who]`, `TBD`, `____`.
    Blank,
    /// A term is used that nobody explains.
    UndefinedTerm,
    /// A requirement or section is referred to that does not exist.
    DanglingReference,
    /// Something that was rejected or put out of scope has come back.
    RejectedAgain,
}

/// A requirement that would close a gap, with blanks for unknown values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestedRequirement {
    /// The title, in a few words.
    pub title: String,
    /// The required behaviour, with `[…]` for every blank.
    pub description: String,
    /// The suggested priority.
    pub priority: RequirementPriority,
    /// The area of the product, or the quality of ISO 25010.
    pub category: String,
}

/// A part of the brief that the requirements do not cover, or a fault in the requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Gap {
    /// The id of the gap in one analysis: `GAP-001`.
    pub id: String,
    /// The gap, in a few words.
    pub title: String,
    /// The gap, in a sentence.
    pub description: String,
    /// The severity of the gap.
    pub severity: GapSeverity,
    /// The category of the gap.
    pub category: GapCategory,
    /// The consequence of leaving the gap open.
    pub impact: String,
    /// The suggested text, with `[…]` for every blank; empty in records of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// The question to ask about the gap; empty for a gap of a reader, which is asked in the reader's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The passage that shows the gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
    /// The passage that the first one contradicts or repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<SourceQuote>,
    /// The ids of the requirements concerned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementId>,
    /// Requirements that would close the gap.
    #[serde(default)]
    pub suggested_requirements: Vec<SuggestedRequirement>,
}

impl Gap {
    /// The same with personal data and secrets masked.
    pub(crate) fn masked(&self, mask: &dyn Fn(&str) -> String) -> Self {
        let quote = |place: &SourceQuote| SourceQuote { quote: mask(&place.quote), ..place.clone() };
        Self {
            title: mask(&self.title),
            description: mask(&self.description),
            impact: mask(&self.impact),
            fix: mask(&self.fix),
            question: mask(&self.question),
            place: self.place.as_ref().map(quote),
            against: self.against.as_ref().map(quote),
            ..self.clone()
        }
    }
}

/// Something that requirements do well, with the words that show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// The strength, in a sentence.
    pub what: String,
    /// The passage that shows it.
    pub place: SourceQuote,
}

/// The decision on one gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "decision", rename_all = "snake_case", deny_unknown_fields)]
pub enum GapChoice {
    /// The gap is not relevant and is not reported again.
    Dismiss {
        /// The reason for the dismissal.
        reason: String,
    },
    /// The gap becomes an open question of the document.
    Ask {
        /// The question; by default the words of the gap.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<String>,
        /// The person who answers it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// The day by which it must be answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due: Option<String>,
        /// The value that applies until it is answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<String>,
    },
    /// The gap is closed: at once by a criterion, a new text of its requirement or further requirements, otherwise by another round.
    Fix {
        /// The request for the next round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<String>,
        /// The criterion that closes the gap.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        criterion: Option<String>,
        /// The requirement that gets the criterion or the changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requirement: Option<RequirementId>,
        /// The new values of that requirement.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changes: Option<RequirementChanges>,
        /// Requirements that close the gap, as written by the person.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Vec<AddedRequirement>,
    },
}

impl GapChoice {
    /// Returns true if another round has to close the gap; otherwise the decision of the person is final.
    pub(crate) fn needs_round(&self) -> bool {
        matches!(self, Self::Fix { criterion: None, changes: None, added, .. } if added.is_empty())
    }
}

/// A gap with the decision on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecidedGap {
    /// The gap as it was shown.
    pub gap: Gap,
    /// The decision on the gap.
    pub choice: GapChoice,
    /// The name of the person who decided.
    pub actor: String,
    /// The time, by RFC 3339 in UTC.
    pub timestamp: String,
}

/// The gap as a question: its title if that is a question, otherwise a question about the missing part.
fn asked(gap: &Gap, language: Language) -> String {
    let marked = |text: &str| text.ends_with(['?', '？']);
    let title = gap.title.trim().trim_end_matches(['.', '。']);
    let asks = language == Language::Zh && INTERROGATIVES.zh.iter().any(|word| title.contains(word));
    let missing = gap.description.trim().trim_end_matches(['.', '。']);
    match () {
        () if !gap.question.is_empty() => gap.question.clone(),
        () if marked(title) => title.to_owned(),
        () if marked(missing) => missing.to_owned(),
        () if asks => format!("{title}？"),
        () => format!("{missing}{}", messages::Prd::of(language).what_should_it_say),
    }
}

impl DecidedGap {
    /// Returns the open question that the gap became, if any.
    pub(crate) fn question(&self, language: Language) -> Option<OpenQuestion> {
        let GapChoice::Ask { question, owner, due, default } = &self.choice else { return None };
        // An empty field has no meaning.
        let said = |words: &Option<String>| words.clone().filter(|words| !words.trim().is_empty());
        let mut assigned = Assignment { owner: said(owner), due: said(due), default: said(default) };
        let question = match said(question) {
            // "How many? (owner: Petra, by 28 November)"
            Some(typed) => {
                let (question, in_brackets) = split_assignment(&typed);
                assigned.complete(in_brackets.unwrap_or_default());
                question.to_owned()
            }
            None => asked(&self.gap, language),
        };
        let against = self.gap.against.clone();
        let mut open = OpenQuestion { against, ..OpenQuestion::new(question, self.gap.place.clone()) };
        open.assign(assigned);
        Some(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_of_a_gap_names_its_owner_in_brackets() {
        let json = |words: &str| {
            serde_json::json!({
                "gap": { "id": "GAP-001", "title": "No limit", "description": "It has none.", "severity": "medium",
                    "category": "missing-limit", "impact": "", "fix": "", "question": "", "requirements": [] },
                "choice": { "decision": "ask", "question": words },
                "actor": "Mei", "timestamp": "",
            })
        };
        for (words, question, owner, due) in [
            ("How many? (owner: Petra, by 28 November)", "How many?", Some("Petra"), Some("28 November")),
            ("最多几条？（负责人：王强，12 月 5 日前）", "最多几条？", Some("王强"), Some("12 月 5 日")),
            ("Which format (CSV or PDF)?", "Which format (CSV or PDF)?", None, None),
        ] {
            let decided: DecidedGap = serde_json::from_value(json(words)).expect("a decision");
            let open = decided.question(Language::En).expect("a question");
            assert_eq!((open.question.as_str(), open.owner.as_deref(), open.due.as_deref()), (question, owner, due));
        }
    }

    #[test]
    fn a_gap_that_is_asked_is_a_question() {
        let question = |title: &str, description: &str, language: Language| {
            let gap = Gap {
                id: "GAP-001".to_owned(),
                title: title.to_owned(),
                description: description.to_owned(),
                severity: GapSeverity::Medium,
                category: GapCategory::MissingLimit,
                impact: String::new(),
                fix: String::new(),
                question: String::new(),
                place: None,
                against: None,
                requirements: Vec::new(),
                suggested_requirements: Vec::new(),
            };
            asked(&gap, language)
        };
        use Language::{En, Zh};
        assert_eq!(question("登记时间怎么计", "没有写登记时间从哪一步起。", Zh), "登记时间怎么计？");
        assert_eq!(question("没有时限", "没有写多久失效。", Zh), "没有写多久失效：应怎么规定？");
        let described = question("How long a link lives", "No requirement says how long a link lives.", En);
        assert_eq!(described, "No requirement says how long a link lives. What should it say?");
        assert_eq!(question("No limit", "It has none.", En), "It has none. What should it say?");
        assert_eq!(question("How long does a link live?", "It has none.", En), "How long does a link live?");
    }
}
