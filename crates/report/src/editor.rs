//! The report for an editor: a verdict, and a remark for each finding, with the words of the text to which it belongs.

use super::digest::{Digest, demotion, score_words};
use super::words::{as_sentence, path_title, verdict_name};
use crate::points;
use reqgate_base::clean::{lines, one_line};
use reqgate_base::model::{
    Basis, GuardrailAction, GuardrailFinding, GuardrailKind, Language, LineIndex, Outcome, PathToPass, ReviewIssue,
    Span, Verdict,
};
use reqgate_messages as messages;

/// The weight of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditorRemarkKind {
    /// The verdict on the text, with the path to a pass.
    Verdict,
    /// The text is not a requirement, and was not judged.
    NotApplicable,
    /// The finding rejects the text.
    Blocker,
    /// The finding only costs points.
    Warning,
    /// The finding is a question, which does not block.
    Question,
}

/// A remark on a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorRemark {
    /// The weight.
    pub kind: EditorRemarkKind,
    /// The id of the rule; `None` for the verdict.
    pub rule: Option<String>,
    /// The place; `None` for a remark about the whole text.
    pub span: Option<Span>,
    /// The words for the author. Those of a finding begin with its ground: fact or estimate.
    pub words: String,
}

/// The remarks on a judged text: the verdict, then blockers, secrets, warnings and questions.
pub fn editor_remarks(outcome: &Outcome) -> Vec<EditorRemark> {
    let digest = Digest::new(outcome);
    let blocks = |finding: &&GuardrailFinding| finding.action == GuardrailAction::Reject;
    let is_secret = |finding: &&GuardrailFinding| finding.kind == GuardrailKind::Secret;
    let findings = &outcome.guardrail.findings;
    let mut remarks = vec![verdict(outcome)];
    remarks.extend(digest.blockers.iter().map(|issue| remark(outcome, EditorRemarkKind::Blocker, issue)));
    let stops =
        findings.iter().filter(blocks).map(|finding| guarded(outcome.language, EditorRemarkKind::Blocker, finding));
    remarks.extend(stops);
    let shown = findings.iter().filter(|finding| is_secret(finding) && !blocks(finding));
    remarks.extend(shown.map(|finding| guarded(outcome.language, EditorRemarkKind::Warning, finding)));
    remarks.extend(digest.warnings.iter().map(|issue| {
        let kind = if issue.is_asked() { EditorRemarkKind::Question } else { EditorRemarkKind::Warning };
        remark(outcome, kind, issue)
    }));
    remarks
}

fn verdict(outcome: &Outcome) -> EditorRemark {
    let words = messages::Report::of(outcome.language);
    let decision = &outcome.decision;
    let score = score_words(outcome).map(|score| format!(" {score}")).unwrap_or_default();
    let name = verdict_name(words, decision.verdict);
    let mut text = format!("{name}{score}{}{}", words.colon, one_line(&decision.explanation));
    if let Some(path) = &decision.path_to_pass {
        text.push_str(&path_to_pass(outcome, path));
    }
    let kind = match decision.verdict {
        Verdict::NotApplicable => EditorRemarkKind::NotApplicable,
        _ => EditorRemarkKind::Verdict,
    };
    EditorRemark { kind, rule: None, span: None, words: lines(&text) }
}

/// The edits that lead to a pass, one per line.
fn path_to_pass(outcome: &Outcome, path: &PathToPass) -> String {
    let words = messages::Report::of(outcome.language);
    let text = &outcome.packet.raw_text;
    let index = LineIndex::new(text);
    let now = outcome.score_report.as_ref().map(|report| format!("{} → ", points(report.total_score)));
    let score = format!("{}{}", now.unwrap_or_default(), points(path.score_after));
    let mut list = format!("\n{}{}", path_title(words, &outcome.decision, path, &score), words.colon.trim_end());
    for (number, edit) in (1..).zip(&path.edits) {
        let line = edit.span.map(|span| words.line_start(&index.position(text, span.start).line) + words.colon);
        list.push_str(&format!("\n{number}. {}{}", line.unwrap_or_default(), one_line(&edit.instruction)));
    }
    list
}

fn remark(outcome: &Outcome, kind: EditorRemarkKind, issue: &ReviewIssue) -> EditorRemark {
    let language = outcome.language;
    let words = messages::Report::of(language);
    let ground = match issue.basis {
        Basis::Fact => words.fact,
        Basis::Estimate => words.estimate,
    };
    let question = issue.question.as_deref().filter(|_| issue.is_asked());
    let advice = question.unwrap_or(&issue.suggestion);
    let note = demotion(issue, language).map(|note| as_sentence(words, &note));
    let sentences = [Some(as_sentence(words, &issue.description)), Some(advice.to_owned()), note];
    let sentences: Vec<String> = sentences.into_iter().flatten().filter(|sentence| !sentence.is_empty()).collect();
    // Chinese has no space between sentences.
    let text = format!("{ground}{}{}", words.colon, sentences.join(language.of(" ", "")));
    let text = one_line(&text).into_owned();
    EditorRemark { kind, rule: Some(issue.rule_id.to_string()), span: issue.span, words: text }
}

/// A finding of the guardrail, which rests on words of the text.
fn guarded(language: Language, kind: EditorRemarkKind, finding: &GuardrailFinding) -> EditorRemark {
    let words = messages::Report::of(language);
    let text = format!("{}{}{}", words.fact, words.colon, finding.message);
    let rule = finding.pattern.replace('_', "-");
    EditorRemark { kind, rule: Some(rule), span: finding.span, words: one_line(&text).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn shown(outcome: &Outcome) -> String {
        let line = |remark: &EditorRemark| {
            let rule = remark.rule.as_deref().unwrap_or("-");
            let place = remark.span.map_or_else(String::new, |span| format!("{}..{} ", span.start, span.end));
            format!("{:?} {rule} {place}{}\n", remark.kind, remark.words)
        };
        editor_remarks(outcome).iter().map(line).collect()
    }

    #[test]
    fn remarks_name_their_ground_and_the_verdict_comes_first() {
        insta::assert_snapshot!("rejected_editor", shown(&samples::rejected()));
        insta::assert_snapshot!("rejected_zh_editor", shown(&samples::rejected_zh()));
    }

    #[test]
    fn a_stopped_text_shows_its_findings_and_a_pass_is_one_remark_or_more() {
        let stopped = editor_remarks(&samples::guardrail_rejected());
        assert_eq!(stopped[0].kind, EditorRemarkKind::Verdict);
        assert!(stopped.len() > 1 && stopped[1..].iter().all(|remark| remark.kind != EditorRemarkKind::Question));
        assert_eq!(editor_remarks(&samples::not_applicable())[0].kind, EditorRemarkKind::NotApplicable);
        assert_eq!(editor_remarks(&samples::passed())[0].kind, EditorRemarkKind::Verdict);
    }

    #[test]
    fn hostile_words_are_harmless() {
        for remark in editor_remarks(&samples::hostile()) {
            assert!(!remark.words.chars().any(|c| c != '\n' && reqgate_base::clean::is_unsafe(c)), "{remark:?}");
        }
    }
}
