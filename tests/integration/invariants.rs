//! Properties of every outcome of any text, checked on invented, random and hostile texts alike.

use reqgate::model::{
    BlockReason, Facets, GuardrailAction, GuardrailKind, Outcome, PrdDraft, ReviewIssue, Severity, Span, Stage,
    Structured, TicketScoreReport, Verdict,
};

/// Fails with a sentence if a property does not hold for the outcome of `text`.
pub fn check(text: &str, outcome: &Outcome) {
    masks_keep_the_length(text, outcome);
    spans_fit(outcome);
    stages_are_timed_in_order(outcome);
    comes_back(outcome);
    fallback_means_no_draft(outcome);
    if let Some(structured) = &outcome.structured {
        draft_is_grounded(structured, &outcome.packet.raw_text);
    }
    required_fields_are_there(outcome);
    verdict_follows_from_the_report(outcome);
}

/// The outcome as text, without the parts that differ from run to run.
pub fn repeatable(outcome: &Outcome) -> String {
    format!("{:?}", Outcome { execution_times: Vec::new(), ..outcome.clone() })
}

fn masks_keep_the_length(text: &str, outcome: &Outcome) {
    let screened = &outcome.packet.raw_text;
    assert_eq!(screened.len(), text.len(), "the screened text has another length");
    // Line ends are kept, so that lines and columns are those of the author's text; text without findings is kept too.
    let line_ends = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    assert_eq!(line_ends(screened), line_ends(text), "the screened text has other lines");
    let masked: Vec<Span> = outcome
        .guardrail
        .findings
        .iter()
        .filter(|finding| finding.kind != GuardrailKind::PromptInjection || finding.action == GuardrailAction::Redact)
        .filter_map(|finding| finding.span)
        .collect();
    let changed = text.bytes().zip(screened.bytes()).enumerate().filter(|(_, (before, after))| before != after);
    for (at, _) in changed {
        assert!(masked.iter().any(|span| span.start <= at && at < span.end), "byte {at} is masked without a finding");
    }
}

fn spans_fit(outcome: &Outcome) {
    let text = &outcome.packet.raw_text;
    for (what, span) in spans(outcome) {
        assert!(text.get(span.start..span.end).is_some(), "the span of {what}, {span:?}, does not fit the text");
    }
}

fn spans(outcome: &Outcome) -> Vec<(&'static str, Span)> {
    let mut out: Vec<(&'static str, Span)> = Vec::new();
    let mut add = |what, spans: &mut dyn Iterator<Item = Span>| out.extend(spans.map(|span| (what, span)));
    add("the title", &mut outcome.packet.title_span.into_iter());
    add("a guardrail finding", &mut outcome.guardrail.findings.iter().filter_map(|finding| finding.span));
    let structured = outcome.structured.iter();
    for structured in structured {
        let grounding = &structured.grounding;
        add("the draft's title", &mut grounding.title.into_iter());
        add("the draft's story", &mut grounding.user_story.iter().copied());
        add("a criterion of the draft", &mut grounding.acceptance_criteria.iter().copied());
        add("an edge case of the draft", &mut grounding.edge_cases.iter().copied());
        add("a resource of the draft", &mut grounding.resources.iter().copied());
        add("a facet", &mut facet_spans(&structured.facets).into_iter());
    }
    add("an issue", &mut outcome.score_report.iter().flat_map(issues).filter_map(|issue| issue.span));
    add(
        "the other place of an issue",
        &mut outcome.score_report.iter().flat_map(issues).filter_map(|issue| issue.against),
    );
    let edits = outcome.decision.path_to_pass.iter().flat_map(|path| &path.edits);
    add("an edit", &mut edits.filter_map(|edit| edit.span));
    out
}

fn facet_spans(facets: &Facets) -> Vec<Span> {
    let mut out: Vec<Span> = [facets.actor, facets.need, facets.benefit].into_iter().flatten().collect();
    out.extend(facets.criteria.iter().map(|criterion| criterion.span));
    out.extend(facets.open_points.iter().map(|point| point.span));
    out.extend(facets.requirements.iter().map(|requirement| requirement.span));
    let lists = [
        &facets.edge_cases,
        &facets.steps,
        &facets.expected,
        &facets.actual,
        &facets.environment,
        &facets.resources,
        &facets.decisions,
        &facets.goals,
        &facets.out_of_scope,
        &facets.metrics,
    ];
    out.extend(lists.into_iter().flatten());
    out
}

fn issues(report: &TicketScoreReport) -> impl Iterator<Item = &ReviewIssue> {
    report.blocking_issues.iter().chain(&report.non_blocking_issues)
}

/// A judged run has times for all seven stages, in order.
fn stages_are_timed_in_order(outcome: &Outcome) {
    let timed: Vec<Stage> = outcome.execution_times.iter().map(|(stage, _)| *stage).collect();
    assert!(outcome.execution_times.iter().all(|(_, seconds)| seconds.is_finite() && *seconds >= 0.0));
    match outcome.decision.verdict {
        _ if is_unscored(outcome) => assert_eq!(timed, Stage::ALL[..4]),
        Verdict::Pass | Verdict::Reject if !outcome.structuring_skipped => assert_eq!(timed, Stage::ALL),
        _ => assert!(timed.is_sorted(), "{timed:?}"),
    }
}

/// A workflow stores outcomes, so writing and reading must give the same outcome.
fn comes_back(outcome: &Outcome) {
    let written = serde_json::to_string(outcome).expect("an outcome can be written");
    let read: Outcome = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(read, *outcome);
}

/// Returns true if the text has no draft and the fallback is switched off.
fn is_unscored(outcome: &Outcome) -> bool {
    outcome.decision.reasons.iter().any(|reason| matches!(reason, BlockReason::StructuringFailed { .. }))
}

/// The fallback is used exactly if it is allowed and structuring was tried without producing a draft.
fn fallback_means_no_draft(outcome: &Outcome) {
    let attempted = !outcome.structuring_skipped;
    let draft = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref());
    assert_eq!(outcome.fallback_activated || is_unscored(outcome), attempted && draft.is_none());
    assert_eq!(outcome.structured.is_some(), attempted);
    assert_eq!(outcome.structure_check_passed.is_some(), attempted);
    if let Some(structured) = &outcome.structured {
        // A gap in a draft is also reported.
        assert!(structured.draft.is_some() || !structured.failures.is_empty(), "a failure is named");
    }
}

/// Every text of a draft occurs verbatim at its position.
fn draft_is_grounded(structured: &Structured, text: &str) {
    let Some(draft) = &structured.draft else { return };
    let grounding = &structured.grounding;
    let words = |span: &Span| span.slice(text).trim().to_owned();
    let all = |spans: &[Span]| spans.iter().map(words).collect::<Vec<_>>();
    assert_eq!(draft.title, grounding.title.as_ref().map(words).unwrap_or_default());
    assert_eq!(draft.user_story, all(&grounding.user_story).join("\n"));
    assert_eq!(draft.acceptance_criteria, all(&grounding.acceptance_criteria));
    assert_eq!(draft.edge_cases, all(&grounding.edge_cases));
    assert_eq!(draft.resources, all(&grounding.resources));
}

/// The fields that a reader relies on are present and filled.
fn required_fields_are_there(outcome: &Outcome) {
    assert!(!outcome.decision.explanation.is_empty());
    let judged = matches!(outcome.decision.verdict, Verdict::Pass | Verdict::Reject) && !is_unscored(outcome);
    assert_eq!(outcome.score_report.is_some(), judged);
    assert_eq!(outcome.decision.threshold.is_some(), judged);
    assert_eq!(outcome.decision.rubric.is_some(), judged);
    if let Some((draft, holes)) = outcome.structured.as_ref().and_then(|s| Some((s.draft.as_ref()?, &s.failures))) {
        let PrdDraft { title, user_story, acceptance_criteria, clarification_questions, .. } = draft;
        let missing = [title.is_empty(), user_story.is_empty(), acceptance_criteria.is_empty()]
            .iter()
            .filter(|missing| **missing)
            .count();
        assert_eq!(missing, holes.len(), "each hole is named once: {holes:?}");
        assert!(acceptance_criteria.iter().all(|criterion| !criterion.is_empty()), "an empty criterion");
        assert!(clarification_questions.len() <= 5);
    }
    let Some(report) = &outcome.score_report else { return };
    assert!((0.0..=100.0).contains(&report.total_score), "a score of {}", report.total_score);
    assert!(!reqgate::report::summary_markdown(outcome).is_empty());
    assert!(!report.dimension_scores.is_empty());
    for dimension in &report.dimension_scores {
        assert!((0.0..=100.0).contains(&dimension.score), "{} has {}", dimension.id, dimension.score);
    }
    for issue in issues(report) {
        assert!(!issue.description.is_empty() && !issue.suggestion.is_empty(), "{} says nothing", issue.rule_id);
        assert!(issue.points >= 0.0 && issue.points.is_finite(), "{} costs {}", issue.rule_id, issue.points);
        assert_eq!(issue.span.is_some(), issue.position.is_some(), "{}", issue.rule_id);
        assert!(issue.quote.as_ref().is_none_or(|quote| quote.chars().count() <= 200), "{}", issue.rule_id);
    }
    assert!(report.blocking_issues.iter().all(|issue| issue.severity == Severity::Blocker));
    assert!(report.non_blocking_issues.iter().all(|issue| issue.severity == Severity::Warning));
}

/// The verdict is PASS exactly if the threshold is reached without a blocker; the score never falls on the path to a
/// pass.
fn verdict_follows_from_the_report(outcome: &Outcome) {
    let decision = &outcome.decision;
    assert_eq!(decision.reasons.is_empty(), decision.verdict.is_pass(), "reasons and verdict disagree");
    let stopped = outcome.guardrail.findings.iter().any(|finding| finding.action == GuardrailAction::Reject);
    assert_eq!(decision.verdict == Verdict::GuardrailRejected, stopped, "the guardrail and the verdict disagree");
    assert_eq!(decision.path_to_pass.is_some(), decision.verdict == Verdict::Reject && !is_unscored(outcome));
    let (Some(report), Some(threshold)) = (&outcome.score_report, decision.threshold) else { return };
    let ready = report.blocking_issues.is_empty() && report.total_score >= threshold;
    assert_eq!(decision.verdict == Verdict::Pass, ready, "the report and the verdict disagree");
    assert_eq!(report.ready_for_review, ready);
    if let Some(path) = &decision.path_to_pass {
        let after = path.score_after;
        assert!(after >= report.total_score, "the path to a pass leads from {} to {after}", report.total_score);
        let removed = path.edits.iter().filter(|edit| edit.removes_blocker).count();
        // No edit is certain to change an estimate.
        let proven = report.blocking_issues.iter().filter(|issue| !issue.is_estimate()).count();
        assert_eq!(removed, proven, "the path to a pass leaves blockers");
    }
}
