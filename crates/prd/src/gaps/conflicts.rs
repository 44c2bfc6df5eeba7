//! Checks the contradictions that a reader found between two statements: both quotes must occur in different passages.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::has_blank;
use super::pairs::{SentencePair, pairs};
use super::passages::ComparedFeature;
use super::reading::{Documents, GapReading, MOST, id_in};
use crate::requirements::RequirementsDocument;
use crate::{Gap, GapCategory, GapSeverity, RequirementId, SourceQuote};
use reqgate_base::clean::one_line;
use reqgate_docs::values::cut_between_words;
use reqgate_flow::Problem;
use reqgate_orders::Misquoted;

/// The longest statement in an order, in characters; the document contains the rest.
const LONGEST_SHOWN: usize = 160;

/// The pairs of statements that a reader compares.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedStatements {
    /// The statements by their id (`S01`): requirement, document with line, and words.
    pub statements: BTreeMap<String, String>,
    /// The pairs, each as two ids: `S01 S04`.
    pub pairs: Vec<String>,
}

impl ComparedStatements {
    /// Chooses the pairs of one feature, or of several; those of several features are always from different ones.
    pub fn of(features: &[ComparedFeature<'_>]) -> Self {
        let mut out = Self::default();
        let mut known: BTreeMap<(String, String), String> = BTreeMap::new();
        for SentencePair { one, other } in pairs(features) {
            let ids = [one, other].map(|sentence| {
                let place = sentence.place;
                let at = match &sentence.id {
                    Some(id) => format!("{id}, {}:{}", place.source, place.line),
                    None => format!("{}:{}", place.source, place.line),
                };
                let words = cut_between_words(&one_line(&place.quote), LONGEST_SHOWN);
                let next = format!("S{:02}", known.len() + 1);
                let id = known.entry((at.clone(), words.clone())).or_insert(next).clone();
                out.statements.entry(id.clone()).or_insert_with(|| format!("{at}: {words}"));
                id
            });
            out.pairs.push(ids.join(" "));
        }
        out
    }

    /// Returns true without a pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The same with personal data and secrets masked.
    pub(crate) fn masked(&self, mask: &dyn Fn(&str) -> String) -> Self {
        let statements = self.statements.iter().map(|(id, words)| (id.clone(), mask(words)));
        Self { statements: statements.collect(), pairs: self.pairs.clone() }
    }
}

/// The contradictions that a reader found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadConflicts {
    /// The contradictions, the worst first, at most twelve.
    pub conflicts: Vec<ReadConflict>,
}

/// The kind of a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// Both statements cannot hold at the same time.
    CannotBothHold,
    /// One case is decided in two ways.
    DecidedDifferently,
}

/// A contradiction, as its reader says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadConflict {
    /// The kind.
    pub kind: ConflictKind,
    /// The words of one statement.
    pub quote: String,
    /// The words of the other statement.
    pub other: String,
    /// The ids of the requirements that contain the quotes, as they are written.
    #[serde(default)]
    pub requirements: Vec<String>,
    /// The contradiction, in a few words.
    pub title: String,
    /// The contradiction, in a sentence.
    pub what: String,
    /// The consequence of an open contradiction.
    pub impact: String,
    /// The text to write, with `[…]` for every open decision.
    pub fix: String,
}

/// The reason why two quotes are not two places.
enum Misplaced {
    Quote(Misquoted),
    Other(Misquoted),
    SamePassage,
    SameFeature,
}

impl Documents<'_> {
    /// Returns the problems of contradictions, each with its path; those of `decided` must not be reported again.
    pub fn conflict_problems(&self, read: &ReadConflicts, decided: &[Gap]) -> Vec<Problem> {
        if read.conflicts.len() > MOST {
            let message = format!("{} contradictions: name the {MOST} worst", read.conflicts.len());
            return vec![Problem { path: "conflicts".to_owned(), message }];
        }
        let of = |(index, one): (usize, &ReadConflict)| {
            let faults = self.conflict_faults(one, decided).into_iter();
            faults.map(move |(field, message)| Problem { path: format!("conflicts[{index}].{field}"), message })
        };
        read.conflicts.iter().enumerate().flat_map(of).collect()
    }

    fn conflict_faults(&self, one: &ReadConflict, decided: &[Gap]) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        match self.two_places(one) {
            Ok((place, against)) => {
                let requirements = one.requirements.iter().filter_map(|id| id.trim().parse().ok()).collect();
                let found = Gap { place: Some(place), against: Some(against), requirements, ..as_gap(one) };
                if decided.iter().any(|gap| is_same_contradiction(gap, &found)) {
                    faults.push(("quote", "these two statements are among the known gaps: leave them out".to_owned()));
                }
            }
            Err(Misplaced::Quote(misquoted)) => {
                faults.push(("quote", misquoted.to_string()));
                if let Err(misquoted) = self.find(&one.other) {
                    faults.push(("other", misquoted.to_string()));
                }
            }
            Err(Misplaced::Other(misquoted)) => faults.push(("other", misquoted.to_string())),
            Err(Misplaced::SamePassage) => {
                faults.push(("other", "both quotes are from one passage: quote the other statement".to_owned()));
            }
            Err(Misplaced::SameFeature) => {
                let what = if self.are_requirements() { "requirement" } else { "feature" };
                faults.push(("other", format!("both quotes are from one {what}: quote another {what}")));
            }
        }
        for id in one.requirements.iter().filter(|id| !self.is_id(id.trim())) {
            faults.push(("requirements", format!("`{id}` is not the id of a requirement here")));
        }
        faults.extend(self.word_faults([
            ("title", &one.title),
            ("what", &one.what),
            ("impact", &one.impact),
            ("fix", &one.fix),
        ]));
        if !has_blank(&one.fix) {
            faults.push(("fix", "leave the decision to a person: write a blank […] for it".to_owned()));
        }
        faults
    }

    /// Returns true if each text is that of one requirement.
    fn are_requirements(&self) -> bool {
        self.texts.iter().all(|(name, _)| name.parse::<RequirementId>().is_ok())
    }

    /// The places of both quotes: different passages, and of several features or requirements two different ones. A quote may occur more
    /// than once; the first combination that fits counts.
    fn two_places(&self, one: &ReadConflict) -> Result<(SourceQuote, SourceQuote), Misplaced> {
        let all = |quote: &str| -> Vec<SourceQuote> {
            self.texts.iter().filter_map(|(name, _)| self.find_in(name, quote).ok()).collect()
        };
        self.find(&one.quote).map_err(Misplaced::Quote)?;
        self.find(&one.other).map_err(Misplaced::Other)?;
        let others = all(&one.other);
        let combined = all(&one.quote)
            .into_iter()
            .flat_map(|place| others.iter().map(move |other| (place.clone(), other.clone())).collect::<Vec<_>>());
        let (apart, _): (Vec<_>, Vec<_>) = combined.partition(|(place, other)| !is_one_passage(place, other));
        if apart.is_empty() {
            return Err(Misplaced::SamePassage);
        }
        let is_across = |(place, other): &(SourceQuote, SourceQuote)| folder(&place.source) != folder(&other.source);
        let is_of_one = self.texts.iter().all(|(name, _)| folder(name) == folder(self.texts[0].0));
        apart.into_iter().find(|both| is_of_one || is_across(both)).ok_or(Misplaced::SameFeature)
    }

    /// Returns the contradictions that pass the checks, as gaps of an analysis without ids.
    /// The ids are those of the first of these documents that has them.
    pub fn contradictions(
        &self,
        read: &ReadConflicts,
        decided: &[Gap],
        documents: &[&RequirementsDocument],
    ) -> Vec<Gap> {
        let passes = |one: &&ReadConflict| self.conflict_faults(one, decided).is_empty();
        let gap = |one: &ReadConflict| {
            let (place, against) = self.two_places(one).ok()?;
            let known = |id: &String| documents.iter().find_map(|document| id_in(document, id.trim()));
            let requirements = one.requirements.iter().filter_map(known).collect();
            Some(Gap { place: Some(place), against: Some(against), requirements, ..as_gap(one) })
        };
        read.conflicts.iter().filter(passes).take(MOST).filter_map(gap).collect()
    }
}

fn as_gap(one: &ReadConflict) -> Gap {
    Gap {
        id: String::new(),
        title: one.title.clone(),
        description: one.what.clone(),
        severity: match one.kind {
            ConflictKind::CannotBothHold => GapSeverity::High,
            ConflictKind::DecidedDifferently => GapSeverity::Medium,
        },
        category: GapCategory::Contradiction,
        impact: one.impact.clone(),
        fix: one.fix.clone(),
        question: String::new(),
        place: None,
        against: None,
        requirements: Vec::new(),
        suggested_requirements: Vec::new(),
    }
}

/// The folder of a document, which is that of its feature; several files as one document have the name of their folder.
fn folder(name: &str) -> &str {
    match name.rfind(['/', '\\']) {
        Some(end) if name.ends_with(".md") => &name[..end],
        None if name.ends_with(".md") => "",
        _ => name,
    }
}

/// The letters and figures of a quote, by which two quotes of one passage are recognised.
fn letters(quote: &str) -> String {
    quote.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns true if one quote contains the other.
fn is_in_one(one: &SourceQuote, other: &SourceQuote) -> bool {
    let (one, other) = (letters(&one.quote), letters(&other.quote));
    one.contains(&other) || other.contains(&one)
}

/// Returns true for two quotes of the same words at the same place.
fn is_one_passage(one: &SourceQuote, other: &SourceQuote) -> bool {
    one.source == other.source && one.line == other.line && is_in_one(one, other)
}

/// Returns true if two contradictions are about the same two statements, in any order and in any wording of the reader.
pub(crate) fn is_same_contradiction(one: &Gap, other: &Gap) -> bool {
    let both = |gap: &Gap| Some((gap.place.clone()?, gap.against.clone()?));
    let is_contradiction = |gap: &Gap| gap.category == GapCategory::Contradiction;
    let (Some((here, there)), Some((place, against))) = (both(one), both(other)) else { return false };
    // Lines may have moved since, so the requirements tell equal words in two places apart.
    let is_elsewhere = !one.requirements.is_empty()
        && !other.requirements.is_empty()
        && !one.requirements.iter().any(|id| other.requirements.contains(id));
    let meets = |one: &SourceQuote, other: &SourceQuote| {
        one.source == other.source && is_in_one(one, other) && (one.line == other.line || !is_elsewhere)
    };
    is_contradiction(one)
        && is_contradiction(other)
        && (meets(&here, &place) && meets(&there, &against) || meets(&here, &against) && meets(&there, &place))
}

/// Adds contradictions to the gaps of another reading, except those that it has already.
pub fn with_contradictions(mut read: GapReading, contradictions: Vec<Gap>) -> GapReading {
    let is_new = |one: &Gap| !read.gaps.iter().any(|gap| is_same_contradiction(gap, one));
    let new: Vec<Gap> = contradictions.into_iter().filter(is_new).collect();
    read.gaps.extend(new);
    read
}
