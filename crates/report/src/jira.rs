//! Writes the comment on a Jira issue: missing parts, suggestions, questions.

mod document;

pub use document::{Block, Inline, JiraDocument};

use super::digest::{Digest, path_beyond_blockers, questions, score_words, stopped_title, stopped_words};
use super::words::{as_sentence, path_title};
use crate::points;
use reqgate_base::model::{Outcome, Verdict};
use reqgate_messages as messages;

/// The maximum number of blockers in the comment.
const MAX_BLOCKERS: usize = 10;
/// The maximum number of edits of the path to a pass in the comment.
const MAX_EDITS: usize = 8;

/// The comment on a Jira issue. For a rejection by the guardrail it names only kinds and counts.
pub fn jira_comment(outcome: &Outcome) -> JiraDocument {
    let text = |words: &str| Inline::Text(words.to_owned());
    let fixed = messages::Report::of(outcome.language);
    let score = score_words(outcome).map(|score| format!(" {score}")).unwrap_or_default();
    let mut blocks = Vec::new();
    match outcome.decision.verdict {
        Verdict::Pass => blocks.push(Block::Heading(vec![text(&format!("{}{score}", fixed.ready_to_work))])),
        Verdict::NotApplicable => {
            let why = match outcome.decision.not_judged {
                Some(_) => &outcome.decision.explanation,
                None => fixed.nothing_to_judge,
            };
            blocks.push(Block::Heading(vec![text(why)]));
        }
        Verdict::GuardrailRejected => {
            blocks.push(Block::Heading(vec![text(stopped_title(outcome))]));
            blocks.push(Block::Paragraph(vec![text(&stopped_words(outcome))]));
        }
        Verdict::Reject => {
            blocks.push(Block::Heading(vec![text(&format!("{}{score}", fixed.not_ready_yet))]));
            blocks.extend(to_do(outcome));
        }
    }
    blocks.push(Block::Paragraph(vec![text(fixed.footer)]));
    JiraDocument { blocks }
}

fn to_do(outcome: &Outcome) -> Vec<Block> {
    let text = |words: String| Inline::Text(words);
    let title = |words: &str| Block::Paragraph(vec![Inline::Strong(words.to_owned())]);
    let fixed = messages::Report::of(outcome.language);
    let mut blocks = Vec::new();
    let digest = Digest::new(outcome);
    if !digest.blockers.is_empty() {
        let item = |issue: &&reqgate_base::model::ReviewIssue| {
            let place = issue.position.map(|place| fixed.in_line(&place.line)).unwrap_or_default();
            vec![
                Inline::Code(issue.rule_id.to_string()),
                text(format!(
                    " {} {}",
                    match place.is_empty() {
                        true => as_sentence(fixed, &issue.description),
                        false => format!("{}{place}{}", issue.description.trim_end_matches(['.', '。']), fixed.stop),
                    },
                    issue.suggestion
                )),
            ]
        };
        blocks.push(title(fixed.what_is_missing));
        blocks.push(Block::Bullets(digest.blockers.iter().take(MAX_BLOCKERS).map(item).collect()));
    }
    let questions = questions(outcome);
    if !questions.is_empty() {
        blocks.push(title(fixed.questions));
        blocks.push(Block::Numbers(questions.iter().map(|words| vec![text((*words).to_owned())]).collect()));
    }
    if let Some(path) = path_beyond_blockers(outcome) {
        let score = fixed.points_after(&points(path.score_after));
        blocks.push(title(&path_title(fixed, &outcome.decision, path, &score)));
        let edits = path.edits.iter().take(MAX_EDITS).map(|edit| vec![text(edit.instruction.clone())]);
        blocks.push(Block::Numbers(edits.collect()));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn rejection_says_what_is_missing_and_asks() {
        let wiki = jira_comment(&samples::rejected()).to_wiki();
        insta::assert_snapshot!("rejected_jira_wiki", wiki);
        insta::assert_json_snapshot!("rejected_jira_adf", jira_comment(&samples::rejected()).to_adf());
    }

    #[test]
    fn guardrail_rejection_names_kinds_and_counts_only() {
        let outcome = samples::guardrail_rejected();
        let wiki = jira_comment(&outcome).to_wiki();
        assert!(wiki.contains("2 × key, token or password"), "{wiki}");
        assert!(!wiki.contains(outcome.packet.raw_text.trim()), "{wiki}");
    }

    #[test]
    fn every_outcome_makes_a_comment() {
        for outcome in samples::all() {
            assert!(jira_comment(&outcome).to_wiki().contains("reqgate"));
        }
    }
}
