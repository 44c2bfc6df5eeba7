//! Decides pass or reject: blocking facts first, then the estimate. No other module writes a verdict.
//!
//! The decision uses no model, clock or files. Expired waivers are ignored.

mod acceptance;
mod baseline;
mod explanation;
mod path;
mod waivers;

use std::collections::BTreeMap;

pub use acceptance::set_aside_accepted;
pub use baseline::{BASELINE_SCHEMA, Baseline, BaselineUse, Known, KnownBefore};
pub use path::{Repair, path_to_pass};
pub use waivers::{WaiverError, Waivers};

use baseline::Excused;
use reqgate_base::model::{
    Acceptance, Basis, BlockReason, Disposition, DraftGap, GateDecision, GuardrailAction, GuardrailKind,
    GuardrailReport, Language, NotJudged, OtherLanguages, PathToPass, ReviewIssue, RubricReference, RuleId, Severity,
    TicketType, Verdict, Waiver, WaiverUse,
};
use reqgate_rules::{Policy, Profile};
use reqgate_text::other_files::OtherFile;

/// Everything that decides a verdict, apart from the issues.
pub(crate) struct Facts<'f> {
    /// The score of the text, 0 to 100.
    pub score: f64,
    /// The score needed, 0 to 100.
    pub threshold: f64,
    /// The kind of document.
    pub profile: Profile,
    /// The language of the explanation.
    pub language: Language,
    /// The policy that decides.
    pub policy: &'f Policy,
    /// The rubric that was applied.
    pub rubric: &'f RubricReference,
    /// The severities set in the configuration; a rule that it makes a blocker blocks under every policy.
    pub severities: &'f BTreeMap<RuleId, Option<Severity>>,
    /// The findings that were known before and do not block.
    pub known: KnownBefore<'f>,
    /// The waivers in force and their effects.
    pub waivers: &'f [(Waiver, WaiverUse)],
    /// The acceptance by a person, as recorded in the document itself.
    pub accepted: Option<&'f Acceptance>,
    /// The text reads like a question but was judged anyway.
    pub(crate) reads_like_a_question: bool,
    /// The probability that the text is ready, 0 to 1, if the score is a probability or implies one.
    pub ready: Option<f64>,
    /// The score is this probability, in percent.
    pub(crate) is_estimated: bool,
    /// Returns true if the text proves the finding in a place where it binds. Such a finding blocks under a policy that
    /// names its rule.
    pub proves: &'f dyn Fn(&ReviewIssue) -> bool,
    /// Returns true if a reader would probably ask about the finding. It then blocks if the score is below the
    /// threshold.
    pub asks: &'f dyn Fn(&ReviewIssue) -> bool,
}

/// The issues, divided into those that block and those that do not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Issues {
    /// The issues that block.
    pub blocking: Vec<ReviewIssue>,
    /// The issues that do not block.
    pub warnings: Vec<ReviewIssue>,
}

/// Decides the verdict from issues and score, for every kind of text and policy.
///
/// A text is rejected for a fact that blocks under the policy, or for an estimate below the threshold; in the second
/// case the questions that a reader would ask block, too. Other findings that would block become questions, and known
/// findings do not block. `path` returns the way to a pass from blocking and other issues; it is called only if the
/// text is rejected.
pub(crate) fn decide(
    issues: Issues,
    facts: &Facts<'_>,
    path: impl FnOnce(&Issues) -> PathToPass,
) -> (GateDecision, Issues) {
    let is_below = facts.score < facts.threshold;
    let mut excused = Excused { low_score: is_below && facts.known.excuses_score(facts.score), findings: 0 };
    let mut parted = Issues { blocking: Vec::new(), warnings: issues.warnings };
    let mut known = facts.known.allowance();
    for mut issue in issues.blocking {
        let is_fact = facts.blocks(&issue);
        if is_fact {
            issue.basis = Basis::Fact;
        }
        let blocks = is_fact || is_below && (facts.asks)(&issue);
        let disposition = if !blocks {
            match facts.policy.goes_by_evidence() {
                true => Disposition::Asked,
                false => Disposition::Policy,
            }
        } else if known.takes(&issue.fingerprint) {
            excused.findings += 1;
            Disposition::Baseline
        } else {
            parted.blocking.push(issue);
            continue;
        };
        issue.severity = Severity::Warning;
        issue.disposition = disposition;
        parted.warnings.push(issue);
    }
    // Facts come before estimates, because the text itself states them.
    parted.blocking.sort_by_key(|issue| issue.basis != Basis::Fact);
    parted.warnings.sort_by_key(ReviewIssue::importance);
    let mut reasons: Vec<BlockReason> = parted.blocking.iter().map(reason).collect();
    if is_below && !excused.low_score {
        reasons.push(BlockReason::BelowThreshold { score: facts.score, threshold: facts.threshold });
    }
    let verdict = if reasons.is_empty() { Verdict::Pass } else { Verdict::Reject };
    let questions = parted.warnings.iter().filter(|issue| issue.disposition == Disposition::Asked).count();
    let first = parted.blocking.iter().find_map(|issue| issue.question.as_deref());
    // A rejection for facts alone does not depend on the estimate, so no certainty is given.
    let by_facts = verdict == Verdict::Reject && !is_below;
    let certainty = facts.ready.filter(|_| !by_facts).map(|ready| (ready * 100.0).round() / 100.0);
    let decision = GateDecision {
        verdict,
        explanation: explanation::of(&reasons, facts, (first, questions), excused),
        not_judged: None,
        reasons,
        threshold: Some(facts.threshold),
        rubric: Some(facts.rubric.clone()),
        policy: Some(facts.policy.reference.clone()),
        certainty,
        questions_only: verdict == Verdict::Pass && questions > 0,
        waivers: facts.waivers.to_vec(),
        accepted: facts.accepted().filter_map(|waiver| waiver.fingerprint.clone()).collect(),
        path_to_pass: (verdict == Verdict::Reject).then(|| path(&parted)),
    };
    (decision, parted)
}

impl Facts<'_> {
    /// The waivers that come from a person's acceptance.
    fn accepted(&self) -> impl Iterator<Item = &Waiver> {
        self.accepted.into_iter().flat_map(|accepted| acceptance::accepted(accepted, self.waivers, self.language))
    }

    /// Returns true if the issue is a fact that blocks under the policy or the configuration.
    fn blocks(&self, issue: &ReviewIssue) -> bool {
        let is_set = self.severities.get(&issue.rule_id) == Some(&Some(Severity::Blocker));
        // A form asks for its fields by name, so its required fields are required under every policy.
        is_set
            || issue.disposition == Disposition::FormGap
            || self.policy.may_block(&issue.rule_id) && (self.proves)(issue)
    }
}

fn reason(issue: &ReviewIssue) -> BlockReason {
    BlockReason::Blocker {
        rule_id: issue.rule_id.clone(),
        fingerprint: issue.fingerprint.clone(),
        description: issue.description.clone(),
        basis: issue.basis,
    }
}

/// The decision on a text that the guardrail stopped.
pub(crate) fn stopped(guardrail: &GuardrailReport, language: Language) -> GateDecision {
    let rejecting = guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Reject);
    let is_length = |kind| matches!(kind, GuardrailKind::TooShort | GuardrailKind::TooLong);
    let is_length = rejecting.clone().all(|finding| is_length(finding.kind));
    let reasons: Vec<BlockReason> =
        rejecting.map(|finding| BlockReason::Guardrail { description: finding.message.clone() }).collect();
    unscored(Verdict::GuardrailRejected, explanation::stopped(&reasons, is_length, language), reasons)
}

/// The decision on a text that is not a requirement.
pub(crate) fn not_applicable(ticket_type: TicketType, language: Language) -> GateDecision {
    unscored(Verdict::NotApplicable, explanation::not_applicable(ticket_type, language), Vec::new())
}

/// The decision on a text in a language that is not judged; `name` and `judged` are in the language of the report.
pub(crate) fn in_another_language(name: &str, judged: &str, rule: OtherLanguages, language: Language) -> GateDecision {
    let description = explanation::another_language(name, judged, language);
    let fails = rule == OtherLanguages::Fail;
    let explanation = explanation::unread(&description, fails, language);
    let (verdict, reasons) = match fails {
        true => (Verdict::Reject, vec![BlockReason::OtherLanguage { description }]),
        false => (Verdict::NotApplicable, Vec::new()),
    };
    let not_judged = (rule != OtherLanguages::Skip).then_some(NotJudged::OtherLanguage);
    GateDecision { not_judged, ..unscored(verdict, explanation, reasons) }
}

/// The decision on a file that is not a ticket.
pub(crate) fn not_a_ticket(file: OtherFile, language: Language) -> GateDecision {
    let explanation = explanation::unread(explanation::other_file(file, language), false, language);
    let not_judged = match file {
        OtherFile::ForPrograms => NotJudged::NoProse,
        _ => NotJudged::OtherFile,
    };
    GateDecision { not_judged: Some(not_judged), ..unscored(Verdict::NotApplicable, explanation, Vec::new()) }
}

/// The decision on a text without a draft when scoring of raw text is switched off.
pub(crate) fn not_structured(gaps: &[DraftGap], language: Language) -> GateDecision {
    let description = DraftGap::list(gaps, language);
    let explanation = explanation::not_structured(gaps, language);
    unscored(Verdict::Reject, explanation, vec![BlockReason::StructuringFailed { description }])
}

fn unscored(verdict: Verdict, explanation: String, reasons: Vec<BlockReason>) -> GateDecision {
    GateDecision {
        verdict,
        explanation,
        reasons,
        not_judged: None,
        threshold: None,
        rubric: None,
        policy: None,
        certainty: None,
        questions_only: false,
        waivers: Vec::new(),
        accepted: Vec::new(),
        path_to_pass: None,
    }
}
