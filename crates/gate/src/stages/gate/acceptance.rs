//! Sets aside the findings that a person accepted, as recorded in the document itself.

use reqgate_base::model::{
    Acceptance, Disposition, Language, OPEN_POINT, ReviewIssue, Severity, Span, Waiver, WaiverUse,
};
use reqgate_messages as messages;

/// Sets aside the findings that the document's acceptance names, each by a waiver of that one finding. Questions that
/// were added or reworded since then, and findings whose words have changed, are not set aside.
pub fn set_aside_accepted(
    accepted: &Acceptance,
    text: &str,
    issues: &mut [ReviewIssue],
    language: Language,
) -> Vec<(Waiver, WaiverUse)> {
    let questions = accepted.questions.iter().map(|question| (OPEN_POINT, words(question)));
    let findings = accepted.findings.iter().map(|finding| (finding.rule.as_str(), words(&finding.words)));
    let named: Vec<(&str, String)> = questions.chain(findings).collect();
    let is_accepted = |issue: &ReviewIssue| {
        let quoted = words(issue.span.map_or("", |span| span.slice(text)));
        let is_named =
            || named.iter().any(|(rule, words)| *rule == issue.rule_id.as_str() && is_named(rule, words, &quoted));
        issue.span.is_some_and(|span| repeats_reason(accepted, text, span)) || is_named()
    };
    let reason = reason(accepted, language);
    let standing = issues.iter_mut().filter(|issue| !issue.disposition.is_waived());
    standing
        .filter(|issue| is_accepted(issue))
        .map(|issue| {
            issue.severity = Severity::Warning;
            issue.disposition = Disposition::Waived { reason: reason.clone() };
            let waiver = Waiver {
                rule: issue.rule_id.clone(),
                reason: reason.clone(),
                fingerprint: Some(issue.fingerprint.clone()),
                input: None,
                expires: None,
            };
            (waiver, WaiverUse::Used(1))
        })
        .collect()
}

/// Returns true for a place in the line in which the document itself repeats the reason, which may say that something is
/// open: the row of the person in the status of a PRD, or the item in the approval of a team.
fn repeats_reason(accepted: &Acceptance, text: &str, span: Span) -> bool {
    let because = words(&accepted.reason);
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[span.start..].find('\n').map_or(text.len(), |end| span.start + end);
    let line = words(&text[start..end]);
    let bare = |words: &str| words.trim_matches(['|', '-', '*', ' ']).to_owned();
    let labels = [Language::En, Language::Zh].map(|language| messages::Prd::of(language).override_reason.trim());
    !because.is_empty()
        && line.split_once(because.as_str()).is_some_and(|(before, after)| {
            let (before, after) = (bare(before), bare(after));
            after.is_empty() && (before == bare(&accepted.by) || labels.contains(&before.as_str()))
        })
}

/// The fewest characters that identify a whole question by its beginning.
const SHORTEST_BEGINNING: usize = 12;

/// Returns true if the quoted words are the accepted ones. Earlier versions recorded only the beginning of a long
/// question, followed by an ellipsis.
fn is_named(rule: &str, accepted: &str, quoted: &str) -> bool {
    let begins = |beginning: &str| {
        let beginning = beginning.trim_end();
        beginning.chars().count() >= SHORTEST_BEGINNING && quoted.starts_with(beginning)
    };
    accepted == quoted || rule == OPEN_POINT && accepted.strip_suffix('…').is_some_and(begins)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The waivers that come from the document's acceptance.
pub(super) fn accepted<'w>(
    accepted: &Acceptance,
    waivers: &'w [(Waiver, WaiverUse)],
    language: Language,
) -> impl Iterator<Item = &'w Waiver> + use<'w> {
    let reason = reason(accepted, language);
    waivers.iter().map(|(waiver, _)| waiver).filter(move |waiver| waiver.reason == reason)
}

fn reason(Acceptance { by, reason, .. }: &Acceptance, language: Language) -> String {
    messages::Verdict::of(language).accepted_by(&by, &reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_accepted_only_where_the_document_repeats_it() {
        let accepted = Acceptance {
            by: "Ana".to_owned(),
            reason: "The limit is not decided yet.".to_owned(),
            ..Acceptance::default()
        };
        let text = "| Ana | The limit is not decided yet. |\n\n- The limit is not decided yet.\n\n\
                    - Critics or gate do not approve; the reason: The limit is not decided yet.\n";
        let repeats: Vec<bool> = text
            .match_indices("not decided")
            .map(|(at, words)| repeats_reason(&accepted, text, Span::new(at, at + words.len())))
            .collect();
        assert_eq!(repeats, [true, false, true]);
        assert!(!repeats_reason(&Acceptance::default(), text, Span::new(0, 1)), "no reason");
    }

    #[test]
    fn the_beginning_of_a_question_stands_for_it() {
        let whole = "Who pays for the storage of a guest who was invited by two owners?";
        for (accepted, is_it) in [
            (whole, true),
            ("Who pays for the storage of a guest…", true),
            ("Who pays for the storage of a guest …", true),
            ("Who pays for the storage of a guest", false),
            ("Who pays for the mails of a guest…", false),
            ("Who…", false),
            ("…", false),
        ] {
            assert_eq!(is_named(OPEN_POINT, accepted, whole), is_it, "{accepted}");
        }
        assert!(is_named(
            OPEN_POINT,
            "访客由两位所有者邀请时，存储费用由…",
            "访客由两位所有者邀请时，存储费用由谁承担？"
        ));
        assert!(!is_named("conflicting-values", "Who pays for the storage of a guest…", whole));
    }
}
