//! Checks a user's file beyond its schema: names that must exist, expressions that must compile, and holes in wordings
//! that must be known.

use std::collections::BTreeMap;

use regex::Regex;

use super::source_file::{LoadError, SourceFile, folder_of, invalid, parse};
use super::{Detect, Evidence, FacetFile, Policy, PolicyFile, QuestionFile, Rubric, RubricFile, RuleFile, Source};
use reqgate_base::suggest::did_you_mean;
use reqgate_base::yaml::Node;

/// Checks that a user's question file names a criterion that its rubric has.
pub(super) fn check_questions(files: &[SourceFile], rubrics: &[Rubric]) -> Result<(), LoadError> {
    for file in files.iter().filter(|file| file.source == Source::User) {
        let question: QuestionFile = parse(file)?;
        for (rubric, bounds) in &question.rubrics {
            let Some(known) = rubrics.iter().find(|known| known.file.id == *rubric) else {
                return Err(invalid(file, format!("there is no rubric `{rubric}`")));
            };
            let Some(criterion) = &bounds.lowers else { continue };
            let mut criteria = known.file.dimensions.iter().flat_map(|dimension| &dimension.criteria);
            if !criteria.any(|other| other.id == *criterion) {
                return Err(invalid(file, format!("the rubric `{rubric}` has no criterion `{criterion}`")));
            }
        }
    }
    Ok(())
}

/// Checks that a user's rubric counts only on facets that exist.
pub(super) fn check_likely(files: &[SourceFile], rubrics: &[Rubric], facets: &[FacetFile]) -> Result<(), LoadError> {
    for file in files.iter().filter(|file| file.source == Source::User && folder_of(&file.path) == "scorecards") {
        let read: RubricFile = parse(file)?;
        let Some(rubric) = rubrics.iter().find(|rubric| rubric.file.id == read.id) else { continue };
        for criterion in rubric.file.dimensions.iter().flat_map(|dimension| &dimension.criteria) {
            let Evidence::Likely { any, none, full } = &criterion.evidence else { continue };
            if none >= full {
                return Err(invalid(file, format!("criterion `{}`: `full` must be greater than `none`", criterion.id)));
            }
            if let Some(unknown) = any.iter().find(|id| !facets.iter().any(|facet| facet.id == **id)) {
                return Err(invalid(file, format!("criterion `{}`: there is no facet `{unknown}`", criterion.id)));
            }
        }
    }
    Ok(())
}

/// Checks that a user's policy names only rubrics and rules that exist.
pub(super) fn check_policies(
    files: &[SourceFile],
    policies: &[Policy],
    rubrics: &[Rubric],
    rules: &BTreeMap<String, (RuleFile, Source)>,
) -> Result<(), LoadError> {
    for file in files.iter().filter(|file| file.source == Source::User && folder_of(&file.path) == "policies") {
        let read: PolicyFile = parse(file)?;
        for id in policies.iter().filter(|policy| policy.file.id == read.id).flat_map(|p| p.file.rubrics.values()) {
            if !rubrics.iter().any(|rubric| rubric.file.id == *id) {
                let hint = did_you_mean(id, rubrics.iter().map(|rubric| rubric.file.id.as_str()));
                let hint = if hint.is_empty() { ": `reqgate rubric` lists them".to_owned() } else { hint };
                return Err(invalid(file, format!("`rubrics`: there is no rubric `{id}`{hint}")));
            }
        }
        if let Some(unknown) = read.adds.iter().find(|id| !rules.contains_key(id.as_str())) {
            let hint = did_you_mean(unknown.as_str(), rules.keys().map(String::as_str));
            return Err(invalid(file, format!("`adds`: there is no rule `{unknown}`{hint}")));
        }
        if read.decides == super::Decides::ByEvidence && read.readiness.is_empty() {
            return Err(invalid(file, "a policy that decides by evidence needs `readiness`"));
        }
    }
    Ok(())
}

/// Checks that a user's rule has words to look for, and expressions that compile.
pub(super) fn check_rule(file: &SourceFile, rule: &RuleFile) -> Result<(), LoadError> {
    if file.source == Source::Shipped {
        return Ok(());
    }
    let mut values = vec!["term".to_owned(), "quote".to_owned()];
    match &rule.detect {
        Detect::Patterns { expressions, .. } => {
            for (number, pattern) in expressions.iter().enumerate() {
                for (key, expression) in [("find", Some(&pattern.find)), ("unless", pattern.unless.as_ref())] {
                    let Some(expression) = expression else { continue };
                    let number = number.to_string();
                    let keys = ["expressions", "patterns"].map(|list| ["detect", "patterns", list, &number, key]);
                    compiles(file, key, &keys, expression)?;
                }
            }
        }
        Detect::Terms { list, .. } | Detect::CheckWords { list } if list.en.is_empty() && list.zh.is_empty() => {
            return Err(invalid(file, "`detect`: the list has no terms: add words under `en:` or `zh:`"));
        }
        Detect::Missing { .. } => values.extend(["found".to_owned(), "needed".to_owned()]),
        _ => {}
    }
    // A check in code has its own values.
    match rule.detect {
        Detect::Check | Detect::CheckWords { .. } | Detect::Reader => Ok(()),
        _ => holes_can_be_filled(file, rule, &values),
    }
}

/// Checks that the expressions of a scorecard compile.
pub(super) fn check_rubric(file: &SourceFile, rubric: &RubricFile) -> Result<(), LoadError> {
    for criterion in rubric.dimensions.iter().flat_map(|dimension| &dimension.criteria) {
        if let Evidence::Pattern { find } = &criterion.evidence {
            compiles(file, &format!("criterion `{}`: find", criterion.id), &[], find.written())?;
        }
    }
    Ok(())
}

/// Checks that an expression compiles. If one of these keys leads to it, its place is reported.
fn compiles(file: &SourceFile, name: &str, keys: &[[&str; 5]], expression: &str) -> Result<(), LoadError> {
    let Err(error) = Regex::new(expression) else { return Ok(()) };
    let words = error.to_string();
    let last = words.lines().last().unwrap_or_default();
    let why = last.strip_prefix("error: ").unwrap_or(last);
    let tree = Node::parse(&file.text).ok();
    let place = tree.and_then(|tree| keys.iter().find_map(|keys| tree.place_of(keys)));
    let at = place.map(|place| format!("line {}, column {}: ", place.line, place.column)).unwrap_or_default();
    Err(invalid(file, format!("{at}`{name}` is not a valid regular expression: {why}: `{expression}`")))
}

/// Refuses unknown holes: "{trem}" would be shown unchanged.
fn holes_can_be_filled(file: &SourceFile, rule: &RuleFile, values: &[String]) -> Result<(), LoadError> {
    let wordings = [Some(("en", &rule.wording.en)), rule.wording.zh.as_ref().map(|zh| ("zh", zh))];
    for (language, wording) in wordings.into_iter().flatten() {
        for (key, words) in [("message", &wording.message), ("question", &wording.question), ("fix", &wording.fix)] {
            let holes = words.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(hole, _)| hole);
            if let Some(hole) = holes.into_iter().find(|hole| !values.iter().any(|value| value == hole)) {
                let known = values.iter().map(|value| format!("`{{{value}}}`")).collect::<Vec<_>>().join(", ");
                let message =
                    format!("`wording.{language}.{key}` holds `{{{hole}}}`, for which there is no value: use {known}");
                return Err(invalid(file, message));
            }
        }
    }
    Ok(())
}
