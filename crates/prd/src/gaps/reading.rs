//! Checks the gaps that a reader (a model, a coding agent or a person) found: the reader quotes, and code checks the quotes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GapAnalysis;
use crate::requirements::RequirementsDocument;
use crate::{
    Gap, GapCategory, GapSeverity, RequirementId, RequirementPriority, SourceQuote, Strength, SuggestedRequirement,
};
use reqgate_flow::Problem;
use reqgate_orders::{Cited, Doubt, Misquoted, Sources};

/// The most gaps of one reading.
pub(super) const MOST: usize = 12;
/// The most strengths, and the most recommendations, of one reading.
const MOST_REMARKS: usize = 5;
/// The longest sentence of a reader, in characters.
const LONGEST: usize = 400;
/// The documents that a quote can come from.
pub(crate) const BRIEF: &str = "feature-brief.md";
pub(crate) const REQUIREMENTS: &str = "requirements.md";

/// What a reader found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadGaps {
    /// The gaps, the worst first, at most twelve.
    pub gaps: Vec<ReadGap>,
    /// The strengths of the requirements, at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strengths: Vec<ReadStrength>,
    /// Advice on the requirements as a whole, a sentence each, at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<String>,
}

/// A strength, as its reader says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadStrength {
    /// The words of the brief or the requirements that show it.
    pub quote: String,
    /// The strength, in a sentence.
    pub what: String,
}

/// The part of a reading that passes the checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GapReading {
    /// The gaps, without ids.
    pub gaps: Vec<Gap>,
    /// The strengths of the requirements.
    pub strengths: Vec<Strength>,
    /// Advice on the requirements as a whole.
    pub recommendations: Vec<String>,
}

/// A gap, as its reader says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadGap {
    /// The category.
    pub category: GapCategory,
    /// The severity.
    pub severity: GapSeverity,
    /// The ids of the requirements that it is about, as they are written.
    #[serde(default)]
    pub requirements: Vec<String>,
    /// The words of the brief or the requirements that show it.
    pub quote: String,
    /// The words that these contradict or repeat.
    #[serde(default)]
    pub other: Option<String>,
    /// The gap, in a few words.
    pub title: String,
    /// The gap, in a sentence.
    pub what: String,
    /// The consequence if nobody closes it.
    pub impact: String,
    /// What to write, with `[…]` for every blank.
    pub fix: String,
}

/// The documents that a reader's quotes must occur in: those of one feature, of several, or the requirements of a PRD.
pub struct Documents<'t> {
    pub(super) sources: Sources<'t>,
    /// The name and the text of each, in the order in which a quote is searched.
    pub(super) texts: Vec<(&'t str, &'t str)>,
}

impl<'t> Documents<'t> {
    /// Prepares the documents of a feature for searching quotes.
    pub(crate) fn new(brief: &'t str, requirements: &'t str) -> Self {
        Self::named(vec![(REQUIREMENTS, requirements), (BRIEF, brief)])
    }

    /// Prepares documents, each with its name, for searching quotes.
    pub(crate) fn named(texts: Vec<(&'t str, &'t str)>) -> Self {
        Self { sources: Sources::new(texts.iter().copied()), texts }
    }

    /// Returns the problems of a reading, each with its path.
    pub fn problems(&self, read: &ReadGaps) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for (path, count, most) in [
            ("gaps", read.gaps.len(), MOST),
            ("strengths", read.strengths.len(), MOST_REMARKS),
            ("recommendations", read.recommendations.len(), MOST_REMARKS),
        ] {
            if count > most {
                return vec![Problem { path: path.to_owned(), message: format!("{count} {path}: at most {most}") }];
            }
        }
        for (index, gap) in read.gaps.iter().enumerate() {
            let found = self.faults(gap).into_iter();
            problems.extend(found.map(|(field, message)| Problem { path: format!("gaps[{index}].{field}"), message }));
        }
        for (index, strength) in read.strengths.iter().enumerate() {
            let place = |field: &str| format!("strengths[{index}].{field}");
            if let Err(misquoted) = self.find(&strength.quote) {
                problems.push(Problem { path: place("quote"), message: misquoted.to_string() });
            }
            problems.extend(self.fault(&strength.what).map(|message| Problem { path: place("what"), message }));
        }
        for (index, advice) in read.recommendations.iter().enumerate() {
            let path = format!("recommendations[{index}]");
            problems.extend(self.fault(advice).map(|message| Problem { path, message }));
        }
        problems
    }

    /// The fault of a sentence of the reader, if it has one: its length, or a figure that neither document has.
    fn fault(&self, text: &str) -> Option<String> {
        length_fault(text).or_else(|| self.invention(text))
    }

    fn invention(&self, text: &str) -> Option<String> {
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| *text).collect();
        let invented = self.sources.unproven(text, &texts).into_iter().find_map(Doubt::figure);
        invented.map(|words| format!("nobody wrote “{words}”: leave a blank […]"))
    }

    fn faults(&self, gap: &ReadGap) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if is_of_form(gap.category) {
            faults.push(("category", "code finds these: leave them out".to_owned()));
        }
        if let Err(misquoted) = self.find(&gap.quote) {
            faults.push(("quote", misquoted.to_string()));
        }
        match (&gap.other, needs_two(gap.category)) {
            (Some(other), _) => {
                if let Err(misquoted) = self.find(other) {
                    faults.push(("other", misquoted.to_string()));
                }
            }
            (None, true) => faults.push(("other", "quote the other statement too".to_owned())),
            (None, false) => {}
        }
        for id in gap.requirements.iter().filter(|id| !self.is_id(id.trim())) {
            faults.push(("requirements", format!("there is no requirement `{id}`")));
        }
        let worded = [("title", &gap.title), ("what", &gap.what), ("impact", &gap.impact), ("fix", &gap.fix)];
        faults.extend(self.word_faults(worded));
        faults
    }

    /// The faults of the reader's own words, of which the last are the suggested text.
    pub(super) fn word_faults(&self, worded: [(&'static str, &String); 4]) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        for (field, text) in worded {
            faults.extend(length_fault(text).map(|message| (field, message)));
        }
        // A figure without a decision must stay a blank.
        let [.., (field, fix)] = worded;
        faults.extend(self.invention(fix).map(|message| (field, message)));
        faults
    }

    /// Returns true for an id that occurs as a whole word in requirements.
    pub(super) fn is_id(&self, id: &str) -> bool {
        let joined = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_whole = |text: &str, at: usize| {
            let (before, behind) = (&text[..at], &text[at + id.len()..]);
            !joined(before.chars().next_back()) && !joined(behind.chars().next())
        };
        let has = |text: &str| text.match_indices(id).any(|(at, _)| is_whole(text, at));
        let mut texts = self.texts.iter().filter(|(name, _)| !name.ends_with(BRIEF));
        id.contains(|c: char| c.is_ascii_digit()) && texts.any(|(_, text)| has(text))
    }

    /// The first location of a quote in the documents.
    pub(super) fn find(&self, quote: &str) -> Result<SourceQuote, Misquoted> {
        let mut first = None;
        for (name, _) in &self.texts {
            match self.find_in(name, quote) {
                Ok(place) => return Ok(place),
                Err(misquoted) => first = first.or(Some(misquoted)),
            }
        }
        Err(first.unwrap_or(Misquoted::NoSuchSource))
    }

    /// The location of a quote in one document.
    pub(crate) fn find_in(&self, name: &str, quote: &str) -> Result<SourceQuote, Misquoted> {
        let Cited { line, words } = self.sources.find(name, quote)?;
        Ok(SourceQuote { source: name.to_owned(), line, quote: words })
    }

    /// Returns the part of a reading that passes the checks.
    pub fn reading(&self, read: &ReadGaps, document: &RequirementsDocument) -> GapReading {
        let strength = |one: &ReadStrength| {
            let place = self.find(&one.quote).ok().filter(|_| self.fault(&one.what).is_none())?;
            Some(Strength { what: one.what.clone(), place })
        };
        let sound = |advice: &&String| self.fault(advice).is_none();
        GapReading {
            gaps: self.gaps(read, document),
            strengths: read.strengths.iter().filter_map(strength).take(MOST_REMARKS).collect(),
            recommendations: read.recommendations.iter().filter(sound).take(MOST_REMARKS).cloned().collect(),
        }
    }

    fn gaps(&self, read: &ReadGaps, document: &RequirementsDocument) -> Vec<Gap> {
        let passes = |gap: &&ReadGap| self.faults(gap).is_empty();
        let gap = |gap: &ReadGap| {
            let suggested = suggests(gap.category).then(|| SuggestedRequirement {
                title: gap.title.clone(),
                description: gap.fix.clone(),
                priority: RequirementPriority::Unset,
                category: "functional".to_owned(),
            });
            Gap {
                id: String::new(),
                title: gap.title.clone(),
                description: gap.what.clone(),
                severity: gap.severity,
                category: gap.category,
                impact: gap.impact.clone(),
                fix: gap.fix.clone(),
                question: String::new(),
                place: self.find(&gap.quote).ok(),
                against: gap.other.as_deref().and_then(|other| self.find(other).ok()),
                requirements: gap.requirements.iter().filter_map(|written| id_in(document, written)).collect(),
                suggested_requirements: suggested.into_iter().collect(),
            }
        };
        read.gaps.iter().filter(passes).take(MOST).map(gap).collect()
    }
}

fn length_fault(text: &str) -> Option<String> {
    let is_wrong = text.trim().is_empty() || text.chars().nth(LONGEST).is_some();
    is_wrong.then(|| format!("write one sentence of at most {LONGEST} characters"))
}

/// The id of the requirement that is written like this in its document.
pub(super) fn id_in(document: &RequirementsDocument, written: &str) -> Option<RequirementId> {
    let is_it =
        |id: &RequirementId, aliases: &[String]| id.to_string() == written || aliases.iter().any(|one| one == written);
    let mut all = document.requirements().map(|one| &one.requirement);
    all.find(|one| is_it(&one.id, &one.aliases)).map(|one| one.id.clone())
}

/// Combines the gaps of form with those of a reader, the most severe first. A gap that both found is reported in the reader's words.
/// `is_whole` is false if only pairs of statements were read.
pub fn with_reading(form: Vec<Gap>, read: GapReading, is_whole: bool, document: &RequirementsDocument) -> GapAnalysis {
    let GapReading { gaps: read, strengths, recommendations } = read;
    let is_read = |gap: &Gap| {
        let same = |own: &Gap| own.category == gap.category && own.requirements == gap.requirements;
        !gap.requirements.is_empty() && read.iter().any(same)
    };
    let unread: Vec<Gap> = form.into_iter().filter(|gap| !is_read(gap)).collect();
    let analysis = super::analysis_of(unread.into_iter().chain(read).collect(), is_whole, document);
    GapAnalysis { strengths, recommendations, ..analysis }
}

/// Returns true for a category that rules find without a reader.
fn is_of_form(category: GapCategory) -> bool {
    matches!(category, GapCategory::DuplicateId | GapCategory::Blank | GapCategory::DanglingReference)
}

/// Returns true for a category that involves two statements.
fn needs_two(category: GapCategory) -> bool {
    matches!(category, GapCategory::Contradiction | GapCategory::Duplicate | GapCategory::RejectedAgain)
}

/// Returns true if a new requirement could close the gap.
fn suggests(category: GapCategory) -> bool {
    !needs_two(category) && category != GapCategory::MissingCriterion
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::parse_anyway;

    const BRIEF_TEXT: &str = "# Feature brief: Export\n\n## Goals\n\n- Dispatchers plan the tours in ten minutes.\n";
    const REQUIREMENTS_TEXT: &str = "# Requirements: Export\n\n## Approved\n\n### FR-001: Export\n\nThe system shall export the \
        orders of a day.\n\nAcceptance criteria:\n- A file with 3 rows is downloaded.\n\n### FR-002: Export again\n\nThe system \
        shall never export the orders of a day.\n\nAcceptance criteria:\n- No file is downloaded.\n";

    fn gap(category: GapCategory, quote: &str) -> ReadGap {
        ReadGap {
            category,
            severity: GapSeverity::High,
            requirements: vec!["FR-001".to_owned()],
            quote: quote.to_owned(),
            other: None,
            title: "A failed export".to_owned(),
            what: "Nothing says what happens when the export fails.".to_owned(),
            impact: "The dispatcher waits.".to_owned(),
            fix: "If the export fails, the system shall show […].".to_owned(),
        }
    }

    fn strength(quote: &str, what: &str) -> ReadStrength {
        ReadStrength { quote: quote.to_owned(), what: what.to_owned() }
    }

    fn documents() -> Documents<'static> {
        Documents::new(BRIEF_TEXT, REQUIREMENTS_TEXT)
    }

    fn paths(gap: ReadGap) -> Vec<String> {
        documents()
            .problems(&ReadGaps { gaps: vec![gap], ..ReadGaps::default() })
            .into_iter()
            .map(|problem| problem.path)
            .collect()
    }

    #[test]
    fn a_gap_is_shown_by_words_of_either_document_and_invents_nothing() {
        let good = gap(GapCategory::MissingErrorCase, "shall export the orders");
        assert_eq!(paths(good.clone()), Vec::<String>::new());
        assert_eq!(paths(gap(GapCategory::UncoveredGoal, "plan the tours in ten minutes")), Vec::<String>::new());
        assert_eq!(paths(gap(GapCategory::MissingLimit, "shall print the orders")), ["gaps[0].quote"]);
        assert_eq!(paths(gap(GapCategory::Blank, "shall export the orders")), ["gaps[0].category"]);
        assert_eq!(paths(gap(GapCategory::Contradiction, "shall export the orders")), ["gaps[0].other"]);
        assert_eq!(
            paths(ReadGap { requirements: vec!["FR-009".to_owned()], ..good.clone() }),
            ["gaps[0].requirements"]
        );
        assert_eq!(
            paths(ReadGap { fix: "It shall retry after 30 seconds.".to_owned(), ..good.clone() }),
            ["gaps[0].fix"]
        );
        assert_eq!(paths(ReadGap { impact: " ".to_owned(), ..good.clone() }), ["gaps[0].impact"]);
        let many = ReadGaps { gaps: vec![good; MOST + 1], ..ReadGaps::default() };
        assert_eq!(documents().problems(&many).len(), 1);
    }

    #[test]
    fn what_passes_joins_the_gaps_of_form_with_its_place() {
        let (document, _) = parse_anyway(REQUIREMENTS_TEXT);
        let form = super::super::analyse(&super::super::Input {
            name: "requirements.md",
            text: REQUIREMENTS_TEXT,
            document: &document,
            duplicates: &[],
            brief: Some(BRIEF_TEXT),
        });
        assert!(!form.read_for_meaning);
        let read = ReadGaps {
            gaps: vec![
                gap(GapCategory::MissingErrorCase, "shall export the orders"),
                gap(GapCategory::MissingLimit, "words that nobody wrote"),
            ],
            strengths: vec![
                strength("A file with 3 rows is downloaded", "The result can be counted."),
                strength("words that nobody wrote", "The result can be counted."),
                strength("A file with 3 rows is downloaded", "It is downloaded within 9 seconds."),
            ],
            recommendations: vec!["Name the columns once.".to_owned(), "Keep files for 40 days.".to_owned()],
        };
        let paths: Vec<String> = documents().problems(&read).into_iter().map(|problem| problem.path).collect();
        assert_eq!(paths, ["gaps[1].quote", "strengths[1].quote", "strengths[2].what", "recommendations[1]"]);
        let both = with_reading(form.gaps, documents().reading(&read, &document), true, &document);
        assert_eq!(both.recommendations, ["Name the columns once."]);
        let [strength] = both.strengths.as_slice() else { panic!("{both:?}") };
        assert_eq!((strength.what.as_str(), strength.place.line), ("The result can be counted.", 10));
        let [found] = both.gaps.as_slice() else { panic!("{both:?}") };
        assert_eq!((found.id.as_str(), found.category), ("GAP-001", GapCategory::MissingErrorCase));
        assert_eq!(found.place.as_ref().map(|place| (place.source.as_str(), place.line)), Some(("requirements.md", 7)));
        assert!(both.read_for_meaning && (both.score() - 0.5).abs() < 1e-9, "{both:?}");
    }
}
