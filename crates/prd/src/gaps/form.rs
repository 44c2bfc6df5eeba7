//! The checks of form: blanks, duplicate and dangling ids, requirements without a criterion, unexplained
//! abbreviations, and requirements that were rejected before.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{RequirementId, SourceQuote};
use crate::brief::parse_brief;
use crate::layouts::sentences::says_the_same;
use crate::requirements::{RequirementsDocument, ReviewedRequirement};
use crate::{Decided, GapCategory, QuestionId, Requirement};
use reqgate_base::model::Span;
use reqgate_gate::stages::scoring::{is_explained_acronym, is_known_acronym, is_measure};
use reqgate_text::content_words::content_words;
use reqgate_text::quotation_marks::is_quoted;

/// The requirements to check.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The name of the document, usually a path.
    pub name: &'a str,
    /// The text of the document.
    pub text: &'a str,
    /// The requirements that were read from the text.
    pub document: &'a RequirementsDocument,
    /// The ids that more than one requirement has, each with the line of the second one.
    pub duplicates: &'a [(String, u32)],
    /// The brief of the feature, which may explain abbreviations.
    pub brief: Option<&'a str>,
}

/// A gap without its wording.
#[derive(Debug)]
pub(super) struct FormGap {
    pub category: GapCategory,
    /// The requirements concerned, and their ids as written in the document.
    pub requirements: Vec<RequirementId>,
    pub written: Vec<String>,
    /// The passage that shows the gap.
    pub words: String,
    /// The id or abbreviation that the gap is about.
    pub other: String,
    pub place: SourceQuote,
    /// The passage that the first one repeats.
    pub against: Option<SourceQuote>,
}

/// Returns true for a requirement that is neither rejected nor out of scope.
pub(super) fn is_wanted(one: &ReviewedRequirement) -> bool {
    matches!(one.decided, Decided::Pending | Decided::Approved | Decided::Modified { .. })
}

/// The requirements that are neither rejected nor out of scope.
pub(super) fn wanted(document: &RequirementsDocument) -> impl Iterator<Item = &ReviewedRequirement> {
    document.requirements().filter(|one| is_wanted(one))
}

/// Returns all gaps of form.
pub(super) fn found(input: &Input<'_>) -> Vec<FormGap> {
    let wanted: Vec<&Requirement> = wanted(input.document).map(|one| &one.requirement).collect();
    let mut out = Vec::new();
    for (id, line) in input.duplicates {
        let place = SourceQuote { source: input.name.to_owned(), line: *line, quote: id.clone() };
        let (category, words) = (GapCategory::DuplicateId, String::new());
        out.push(FormGap {
            category,
            requirements: vec![],
            written: vec![],
            words,
            other: id.clone(),
            place,
            against: None,
        });
    }
    out.extend(without_criterion(input, &wanted));
    for requirement in &wanted {
        if let Some(words) = blank(requirement) {
            out.push(on(input, GapCategory::Blank, requirement, words, ""));
        }
    }
    out.extend(dangling(input, &wanted));
    out.extend(unexplained(input, &wanted));
    out.extend(rejected_again(input, &wanted));
    out
}

fn on(input: &Input<'_>, category: GapCategory, requirement: &Requirement, words: &str, other: &str) -> FormGap {
    // A requirement that was read from this text has its own line; otherwise the line of its block is used.
    let own = requirement.sources.iter().find(|source| source.source == input.name).map(|source| source.line);
    let line = own.or_else(|| input.document.line_of(&requirement.id));
    let quote = if words.is_empty() { &requirement.title } else { words };
    let place = SourceQuote { source: input.name.to_owned(), line: line.unwrap_or(1), quote: quote.to_owned() };
    FormGap {
        category,
        requirements: vec![requirement.id.clone()],
        written: vec![written_id(input, requirement)],
        words: words.to_owned(),
        other: other.to_owned(),
        place,
        against: None,
    }
}

/// The id as written in the document.
fn written_id(input: &Input<'_>, requirement: &Requirement) -> String {
    let own = requirement.id.to_string();
    let alias = requirement.aliases.iter().find(|alias| input.text.contains(alias.as_str()));
    match alias {
        Some(alias) if !input.text.contains(&own) => alias.clone(),
        _ => own,
    }
}

fn parts(requirement: &Requirement) -> impl Iterator<Item = &str> {
    let head = [requirement.title.as_str(), requirement.description.as_str()];
    head.into_iter().chain(requirement.acceptance_criteria.iter().map(String::as_str))
}

/// Requirements without a criterion. If no requirement has one, the gap is reported once.
fn without_criterion(input: &Input<'_>, wanted: &[&Requirement]) -> Vec<FormGap> {
    let repeats = |requirement: &Requirement, criterion: &str| {
        repeats(criterion, &requirement.description) || repeats(criterion, &requirement.title)
    };
    let is_checked = |requirement: &Requirement| {
        let criteria = &requirement.acceptance_criteria;
        criteria.iter().any(|criterion| !repeats(requirement, criterion))
            || has_list(&requirement.description)
            || is_scenario(&requirement.description)
    };
    // A section of criteria for the whole document may contain those of any requirement; only a reader can tell.
    let has_section = has_section_of_criteria(input.text);
    let may_be_there = |requirement: &Requirement| has_section && requirement.acceptance_criteria.is_empty();
    // The criteria of a requirement that waits follow from the answer.
    let asked = input.brief.map(|brief| parse_brief(brief).open_questions).unwrap_or_default();
    let open: Vec<QuestionId> =
        asked.iter().filter(|question| question.answer.is_none()).filter_map(|question| question.id).collect();
    let waits = |one: &Requirement| one.waits_for.iter().any(|id| open.contains(id));
    let is_unchecked = |one: &&&Requirement| !is_checked(one) && !may_be_there(one) && !waits(one);
    let unchecked: Vec<&&Requirement> = wanted.iter().filter(is_unchecked).collect();
    let mut all = unchecked.iter().map(|one| on(input, GapCategory::MissingCriterion, one, "", ""));
    if unchecked.len() < wanted.len() || wanted.len() < 2 {
        return all.collect();
    }
    // Criteria outside the requirements may belong to them; only a reader can tell.
    if names_criteria_elsewhere(input, wanted) {
        return Vec::new();
    }
    let Some(mut whole) = all.next() else { return Vec::new() };
    for one in all {
        whole.requirements.extend(one.requirements);
        whole.written.extend(one.written);
    }
    vec![whole]
}

/// Returns true for a criterion that says the same as the text and adds no content word: no figure, case or "not".
fn repeats(criterion: &str, text: &str) -> bool {
    let known = content_words(text);
    let adds = content_words(criterion).iter().any(|word| known.binary_search(word).is_err());
    !adds && says_the_same(criterion, text)
}

/// Returns true for a requirement in the form given, when, then, which already says how it is checked. 当前 does not
/// open a condition, and 规则 and 否则 do not open a consequence.
fn is_scenario(description: &str) -> bool {
    static SCENARIO: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?is)^\W*(?:given|when)\b.+\bthen\b|^\W*(?:假如|假设|给定|当(?:[^前天月年下初局代晚即然地日时]|前[端置台缀]|天[数气]|月[份数]|年[龄份度]|下[单载发达拉一]|初[始次]|代[码理收付]|地[址点图区理]|日[期志程]|时[间长段刻])).+(?:那么|[^规否原准法守细通总附实]则)\w",
        )
        .expect("a constant")
    });
    SCENARIO.is_match(description)
}

/// Returns true for a description that ends in a list, which says how it is checked.
fn has_list(description: &str) -> bool {
    let last = description.trim_end().lines().next_back().unwrap_or_default().trim_start();
    description.lines().count() > 1 && ["- ", "* ", "+ ", "• ", "1"].iter().any(|mark| last.starts_with(mark))
}

/// Returns true if a main heading of the document is about acceptance.
fn has_section_of_criteria(text: &str) -> bool {
    static HEADING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?im)^#{1,2}\s+[\d.\s]*(?:\w+ )?acceptance (?:criteria|tests?|scenarios?)\W*$|^#{1,2}\s+[\d.、\s]*[^\n]{0,8}验收(?:标准|场景|条件|测试)?\W*$",
        )
        .expect("a constant")
    });
    HEADING.is_match(text)
}

/// Returns true if a part of the document outside the requirements is about acceptance.
fn names_criteria_elsewhere(input: &Input<'_>, wanted: &[&Requirement]) -> bool {
    static CRITERIA: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?im)^\W*(?:acceptance|criteria|given |test cases?)|^\W*AC[- ]?\d|验收").expect("a constant")
    });
    // The label above the criteria of a requirement, and the column with them, belong to the requirement.
    let have_criteria = wanted.iter().any(|one| !one.acceptance_criteria.is_empty());
    let is_label = |line: &str, below: &str| {
        let is_rule = below.contains("---") && below.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '));
        is_rule || have_criteria && line.trim_end().ends_with([':', '：'])
    };
    let is_own = |line: &str| {
        let words = line.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end();
        wanted.iter().any(|one| parts(one).any(|part| part.contains(words)))
    };
    CRITERIA.find_iter(input.text).any(|found| {
        let mut lines = input.text[found.start()..].trim_start().lines();
        let line = lines.next().unwrap_or_default();
        !is_own(line) && !is_label(line, lines.next().unwrap_or_default())
    })
}

/// The first line of a requirement that has a blank.
fn blank(requirement: &Requirement) -> Option<&str> {
    parts(requirement).flat_map(str::lines).find(|line| has_blank(line)).map(str::trim)
}

/// Returns true for text with a blank: `____`, `TBD`, `[…]`, spec-kit's `[NEEDS CLARIFICATION: …]`, 待定.
pub fn has_blank(words: &str) -> bool {
    static BLANK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:TBD|TBC|TODO|FIXME)\b|_{3,}|\[(?:…|\.{3})\]|\?{3,}|\[NEEDS CLARIFICATION\b|待定|待补充|待填")
            .expect("a constant")
    });
    BLANK.is_match(words)
}

/// References to ids that no requirement of the document has, among the kinds of ids that it uses.
fn dangling(input: &Input<'_>, wanted: &[&Requirement]) -> Vec<FormGap> {
    static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b([A-Z][A-Z0-9]*-)\d+\b").expect("a constant"));
    let ids: BTreeSet<String> = input
        .document
        .requirements()
        .flat_map(|one| std::iter::once(one.requirement.id.to_string()).chain(one.requirement.aliases.iter().cloned()))
        .collect();
    let own: BTreeSet<&str> = ids.iter().filter_map(|id| Some(&id[..=id.rfind('-')?])).collect();
    // An id at the beginning of a line is a definition, even if it is not one of a requirement.
    let begins_a_line = |id: &str| {
        input.text.lines().any(|line| line.trim_start_matches(['#', '-', '*', '|', ' ', '[', '`', '_']).starts_with(id))
    };
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for requirement in wanted {
        for line in parts(requirement).flat_map(str::lines) {
            for found in ID.captures_iter(line).filter(|found| own.contains(&found[1])) {
                let id = &found[0];
                if !ids.contains(id) && !begins_a_line(id) && seen.insert(id.to_owned()) {
                    out.push(on(input, GapCategory::DanglingReference, requirement, line.trim(), id));
                }
            }
        }
    }
    out
}

/// The most words in capitals in a requirement; with more, they are names of columns, states or keys.
const MOST_CAPITALS: usize = 6;

/// Abbreviations without an explanation that not every reader knows.
fn unexplained(input: &Input<'_>, wanted: &[&Requirement]) -> Vec<FormGap> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_/.`-]+").expect("a constant"));
    let is_upper = |word: &str| (3..=6).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for requirement in wanted {
        let words = || {
            parts(requirement).flat_map(str::lines).flat_map(|line| {
                WORD.find_iter(line).map(move |word| (line, word.as_str().trim_end_matches('.'), word.start()))
            })
        };
        if words().filter(|(_, word, _)| is_upper(word)).count() > MOST_CAPITALS {
            continue;
        }
        for (line, word, start) in words().filter(|(_, word, _)| is_upper(word)) {
            // Quoted labels of a screen and markers of blanks are not abbreviations.
            let is_label = is_quoted(line, Span::new(0, line.len()), Span::new(start, start + word.len()))
                || is_measure(line, start..start + word.len())
                || line[..start].ends_with("[NEEDS ")
                || line[start..].starts_with("NEEDS CLARIFICATION");
            let is_explained =
                || std::iter::once(input.text).chain(input.brief).any(|text| is_explained_acronym(text, word));
            if !is_label && !is_known_acronym(word) && !is_explained() && seen.insert(word.to_owned()) {
                out.push(on(input, GapCategory::UndefinedTerm, requirement, line.trim(), word));
            }
        }
    }
    out
}

/// Requirements that repeat a rejected or out-of-scope one. A requirement that was rejected as a copy of another one
/// does not count against that other one.
fn rejected_again(input: &Input<'_>, wanted: &[&Requirement]) -> Vec<FormGap> {
    let aside: Vec<(&Requirement, &str)> = input
        .document
        .requirements()
        .filter_map(|one| match &one.decided {
            Decided::Rejected { reason } | Decided::OutOfScope { reason } => Some((&one.requirement, reason.as_str())),
            _ => None,
        })
        .collect();
    let again = |requirement: &&Requirement| {
        let id = requirement.id.to_string();
        let same = |(other, reason): &&(&Requirement, &str)| {
            !reason.contains(&id) && says_the_same(&other.description, &requirement.description)
        };
        let (other, _) = aside.iter().find(same)?;
        let mut found = on(input, GapCategory::RejectedAgain, requirement, &requirement.description, "");
        found.against = Some(SourceQuote {
            source: input.name.to_owned(),
            line: input.document.line_of(&other.id).unwrap_or(1),
            quote: other.description.clone(),
        });
        found.written.push(written_id(input, other));
        Some(found)
    };
    wanted.iter().filter_map(again).collect()
}
