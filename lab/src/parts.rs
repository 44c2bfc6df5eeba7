//! Tasks about the parts of a text: sentences and sections of bug reports, scenarios, and the labels of gold tickets.

use super::engine::{plays, shared};
use super::measure::{Counts, Evidence};
use super::observation::{Observed, Run};
use super::rows::{Row, Text};
use reqgate_base::model::{Facets, RuleId, Span};
use reqgate_rules::{Facet, Profile};
use reqgate_text::roles::Roles;

/// The facets of a gold ticket that are compared.
pub(crate) const FACETS: [&str; 9] =
    ["actor", "need", "benefit", "criteria", "edge_cases", "steps", "expected", "actual", "environment"];

/// A text assembled from parts, and the span of each part.
struct Assembled {
    text: String,
    spans: Vec<Span>,
    title: Option<Span>,
}

/// The text of a list of sentences: a line each, an empty line where the number before the dot of `sid` changes.
fn assemble_sentences(sentences: &[Row]) -> Result<Assembled, String> {
    let mut assembled = Assembled { text: String::new(), spans: Vec::new(), title: None };
    let mut last = String::new();
    for sentence in sentences {
        let number = sentence.text("sid").unwrap_or("").split('.').next().unwrap_or("").to_owned();
        if !assembled.text.is_empty() {
            assembled.text.push_str(if number == last { "\n" } else { "\n\n" });
        }
        let words = sentence.text("text")?.trim();
        let span = Span::new(assembled.text.len(), assembled.text.len() + words.len());
        assembled.text.push_str(words);
        if number == "0" && assembled.spans.is_empty() {
            assembled.title = Some(span);
        }
        assembled.spans.push(span);
        last = number;
    }
    Ok(assembled)
}

/// Roles of sentences; one item per report, because sentences of one report are not independent.
pub(crate) fn sentences(run: &Run<'_>, row: &Row, field: &str) -> Result<Observed, String> {
    let sentences = row.objects(field)?;
    let assembled = assemble_sentences(&sentences)?;
    let roles = run.engine.roles(&assembled.text, assembled.title);
    let mut counts = vec![Counts::default(); run.classes.len()];
    for (sentence, span) in sentences.iter().zip(&assembled.spans) {
        let labels = sentence.texts("labels");
        for (class, sum) in run.classes.iter().zip(&mut counts) {
            sum.add(Counts::of(labels.contains(&class.as_str()), plays(&roles, class, *span)));
        }
    }
    Ok(run.one(row, Evidence::Counts(counts)))
}

/// Reports whether a part is missing from a report, and whether the engine finds it missing.
pub(crate) fn missing_part(
    run: &Run<'_>,
    row: &Row,
    field: &str,
    part: &str,
    facet: Facet,
    rule: Option<&RuleId>,
) -> Result<Observed, String> {
    let sentences = row.objects(field)?;
    let assembled = assemble_sentences(&sentences)?;
    let is_missing = !sentences.iter().any(|sentence| sentence.texts("labels").contains(&part));
    let says_so = !run.engine.structure(&assembled.text, assembled.title, Profile::Bug).has(facet);
    let mut observed = run.one(row, Evidence::Counts(vec![Counts::of(is_missing, says_so)]));
    observed.votes = rule.filter(|_| says_so).map(|rule| (rule.clone(), is_missing)).into_iter().collect();
    Ok(observed)
}

/// Roles of sections whose headings were removed; one item per issue.
pub(crate) fn sections(run: &Run<'_>, row: &Row, field: &str) -> Result<Observed, String> {
    let sections = row.objects(field)?;
    let title = row.text("title").unwrap_or("").trim().to_owned();
    let mut text = title.clone();
    let mut spans = Vec::new();
    for section in &sections {
        let words = section.text("text")?.trim();
        if words.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        // An empty field stays in the text, but gives no information on the purpose of the section.
        if section.fields.get("empty") != Some(&true.into()) {
            spans.push((section.text("label")?.to_owned(), Span::new(text.len(), text.len() + words.len())));
        }
        text.push_str(words);
    }
    let title = (!title.is_empty()).then(|| Span::new(0, title.len()));
    let roles = run.engine.roles(&text, title);
    let mut counts = vec![Counts::default(); run.classes.len()];
    for (label, span) in spans {
        let given = most_of(&roles, span);
        for (class, sum) in run.classes.iter().zip(&mut counts) {
            sum.add(Counts::of(*class == label, class == given));
        }
    }
    Ok(run.one(row, Evidence::Counts(counts)))
}

/// The role of most of a section, by the length of its sentences.
fn most_of(roles: &[(Span, Roles)], section: Span) -> &'static str {
    let bytes = |name: &str| -> usize {
        let playing = roles.iter().filter(|(span, _)| shared(*span, section) > 0 && plays(roles, name, *span));
        playing.map(|(span, _)| shared(*span, section)).sum()
    };
    let most =
        ["OB", "EB", "S2R", "ENV"].map(|name| (bytes(name), name)).into_iter().rev().max_by_key(|(bytes, _)| *bytes);
    most.filter(|(bytes, _)| *bytes > 0).map_or("OTHER", |(_, name)| name)
}

/// Scenarios below a requirement that are found as criteria.
pub(crate) fn scenarios(run: &Run<'_>, row: &Row, statement: &str, field: &str) -> Result<Observed, String> {
    let mut text = row.text(statement)?.to_owned();
    let mut spans = Vec::new();
    for scenario in row.objects(field)? {
        let words = scenario.text("text")?.trim().to_owned();
        text.push_str("\n\n");
        spans.push(Span::new(text.len(), text.len() + words.len()));
        text.push_str(&words);
    }
    let facets = run.engine.structure(&text, None, Profile::Feature).facets;
    let mut counts = Counts::default();
    for span in spans {
        counts.add(Counts::of(true, facets.criteria.iter().any(|criterion| shared(criterion.span, span) > 0)));
    }
    Ok(run.one(row, Evidence::Counts(vec![counts])))
}

fn spans_of(facets: &Facets, name: &str) -> Vec<Span> {
    match name {
        "actor" => facets.actor.into_iter().collect(),
        "need" => facets.need.into_iter().collect(),
        "benefit" => facets.benefit.into_iter().collect(),
        "criteria" => facets.criteria.iter().map(|criterion| criterion.span).collect(),
        "edge_cases" => facets.edge_cases.clone(),
        "steps" => facets.steps.clone(),
        "expected" => facets.expected.clone(),
        "actual" => facets.actual.clone(),
        "environment" => facets.environment.clone(),
        _ => Vec::new(),
    }
}

/// Facets of a gold ticket; facets without a label are not compared.
pub(crate) fn facets(run: &Run<'_>, row: &Row) -> Result<Observed, String> {
    let text = run.text(row)?;
    let judged = run.engine.judge(&row.id, &text, None).map_err(|error| error.to_string())?;
    let found = judged.structured.map(|structured| structured.facets).unwrap_or_default();
    let whole = text.joined();
    let mut counts = vec![Counts::default(); run.classes.len()];
    for (class, sum) in run.classes.iter().zip(&mut counts) {
        let wanted: Vec<Span> = row
            .texts(&format!("facets/{class}"))
            .into_iter()
            .filter_map(|words| whole.find(words).map(|at| Span::new(at, at + words.len())))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let found = spans_of(&found, class);
        let same = |a: Span, b: Span| shared(a, b) * 2 >= a.len().min(b.len()).max(1);
        for span in &wanted {
            sum.add(Counts::of(true, found.iter().any(|other| same(*other, *span))));
        }
        for span in &found {
            if !wanted.iter().any(|other| same(*other, *span)) {
                sum.add(Counts::of(false, true));
            }
        }
    }
    Ok(run.one(row, Evidence::Counts(counts)))
}

/// Rules that must and must not have a finding in a gold ticket, judged as a user would judge it.
pub(crate) fn must_and_must_not(run: &Run<'_>, row: &Row) -> Result<Observed, String> {
    let text: Text = run.text(row)?;
    let judged = run.engine.judge(&row.id, &text, None).map_err(|error| error.to_string())?;
    let report = judged.score_report;
    let spoke = |rule: &str| {
        report.as_ref().is_some_and(|report| {
            report.blocking_issues.iter().chain(&report.non_blocking_issues).any(|issue| issue.rule_id.as_str() == rule)
        })
    };
    let mut counts = Counts::default();
    let mut votes = Vec::new();
    for (field, must) in [("findings/must", true), ("findings/must_not", false)] {
        for name in row.texts(field) {
            let spoke = spoke(name);
            counts.add(Counts::of(must, spoke));
            if spoke {
                votes.push((RuleId::new(name).map_err(|error| error.to_string())?, must));
            }
        }
    }
    let mut observed = run.one(row, Evidence::Counts(vec![counts]));
    observed.votes = votes;
    Ok(observed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sentences_are_put_together_by_paragraphs() {
        let row = Row {
            id: "r".to_owned(),
            fields: json!({"s": [{"sid": "0", "text": "Title"}, {"sid": "1.1", "text": "A"}, {"sid": "1.2", "text": "b 中"}]})
                .as_object()
                .expect("an object")
                .clone(),
        };
        let assembled = assemble_sentences(&row.objects("s").expect("a list")).expect("whole");
        assert_eq!(assembled.text, "Title\n\nA\nb 中");
        assert_eq!(assembled.title, Some(Span::new(0, 5)));
        let words: Vec<&str> = assembled.spans.iter().map(|span| span.slice(&assembled.text)).collect();
        assert_eq!(words, ["Title", "A", "b 中"]);
    }

    #[test]
    fn a_section_has_the_role_that_most_of_it_plays() {
        let step = Roles { step: true, ..Roles::default() };
        let observed = Roles { observed: true, ..Roles::default() };
        let roles = [(Span::new(0, 10), step), (Span::new(11, 40), observed), (Span::new(41, 60), Roles::default())];
        assert_eq!(most_of(&roles, Span::new(0, 40)), "OB");
        assert_eq!(most_of(&roles, Span::new(0, 10)), "S2R");
        assert_eq!(most_of(&roles, Span::new(41, 60)), "OTHER");
    }
}
