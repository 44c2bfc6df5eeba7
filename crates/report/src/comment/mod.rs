//! The one comment on an issue: missing parts with their lines, questions, a draft to copy, and the history of
//! questions.
//!
//! Pure: the same outcome and the same state give the same bytes. Text from the ticket or from people is escaped, so
//! that it contains no mentions, references or markup.

mod draft;
mod page;
mod state;

use reqgate_base::model::{GuardrailKind, Outcome, RuleId, Verdict};

use page::Page;
use reqgate_messages as messages;
pub use state::{CommentState, FindingReference, MARKER, Override, WaivedRule};

/// The maximum length of a comment, in characters; GitHub accepts 65,536.
pub const LONGEST_COMMENT: usize = 60_000;
/// The input from which [`comment`] writes a comment.
pub struct CommentParts<'a> {
    /// The outcome that the comment reports.
    pub outcome: &'a Outcome,
    /// The state after this run; [`comment`] adds the questions that it asks.
    pub now: CommentState,
    /// The text of the issue with the answers that were given in a comment.
    pub proposal: Option<&'a Proposal>,
    /// Returns the one-line description of a rule, in the language of the ticket.
    pub summary: &'a dyn Fn(&RuleId) -> String,
}

/// A changed line of a body; line numbers start at 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The first added line, in the new body.
    pub line: usize,
    /// The replaced line, in the old body.
    pub removed: Option<usize>,
    /// The number of added lines.
    pub added: usize,
}

/// Answers put into the text of the issue, as a proposal; the issue on GitHub is not changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposal {
    /// The changes and the whole body, with its new verdict.
    Shown {
        /// Each change: the number of its first line in the new body, the replaced line, and the added lines. Masked.
        changes: Vec<(usize, Option<String>, Vec<String>)>,
        /// The whole new body, masked.
        body: String,
        /// The score of the new body, if it was scored.
        score: Option<f64>,
        /// The verdict on the new body.
        verdict: Verdict,
    },
    /// The guardrail stopped the new body; its kinds of findings with their counts.
    Stopped(Vec<(GuardrailKind, usize)>),
}

/// A finished comment and the state that it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentText {
    /// The whole text, which starts with the marker and the state.
    pub text: String,
    /// The state that the text contains.
    pub state: CommentState,
}

impl CommentText {
    /// The part of a comment that people see: its text without marker and state.
    pub fn visible(text: &str) -> &str {
        if !CommentState::is_marked(text) {
            return text;
        }
        let mut rest = text;
        for _ in 0..2 {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        rest
    }

    /// Returns true if `other`, a comment as GitHub returns it, already has the same text.
    pub fn is_said_by(&self, other: &str) -> bool {
        // GitHub may return line ends as CRLF, and without trailing blanks.
        let normal = |text: &str| Self::visible(&text.replace("\r\n", "\n")).trim().to_owned();
        CommentState::read(other).is_some_and(|state| state.says_the_same(&self.state))
            && normal(&self.text) == normal(other)
    }
}

/// Writes the comment from its parts.
pub fn comment(parts: CommentParts<'_>) -> CommentText {
    let words = messages::Comment::of(parts.outcome.language);
    let mut now = parts.now.clone();
    let mut page = Page { parts: &parts, words, sections: Vec::new() };
    match (&now.overridden, parts.outcome.decision.verdict) {
        (Some(decision), _) => {
            let decision = decision.clone();
            now.questions.clear();
            page.overridden(&decision);
        }
        (None, Verdict::GuardrailRejected) => page.stopped(),
        (None, Verdict::NotApplicable) => {
            now.questions.clear();
            let decision = &parts.outcome.decision;
            let why = if decision.not_judged.is_some() { &decision.explanation } else { words.not_applicable_why };
            page.section(format!("### ➖ {}\n\n{why}\n", words.not_applicable));
        }
        (None, Verdict::Pass) => {
            now.questions.clear();
            page.passed();
        }
        (None, Verdict::Reject) => {
            let asked = page.rejected(&now);
            now.ask(asked);
        }
    }
    page.history(&now);
    page.footer();
    let text = assembled(&now.head(), &page.sections, words.cut);
    CommentText { text, state: now }
}

/// The head and as many sections as fit; the last section, the footer, is always included.
fn assembled(head: &str, sections: &[String], cut: &str) -> String {
    let size = |text: &str| text.chars().count();
    let (footer, sections) = sections.split_last().map_or(("", sections), |(footer, rest)| (footer.as_str(), rest));
    let mut left = LONGEST_COMMENT.saturating_sub(size(head) + size(footer) + size(cut) + 8);
    let mut text = head.to_owned();
    for (index, section) in sections.iter().enumerate() {
        let needed = size(section) + 1;
        if needed > left {
            text.push_str(&format!("{}{cut}\n", if index > 0 { "\n" } else { "" }));
            break;
        }
        left -= needed;
        if index > 0 {
            text.push('\n');
        }
        text.push_str(section);
    }
    format!("{text}\n{footer}")
}

/// Kinds with their counts, in the order of their first occurrence.
pub fn kinds_of(kinds: impl Iterator<Item = GuardrailKind>) -> Vec<(GuardrailKind, usize)> {
    let mut counts: Vec<(GuardrailKind, usize)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(seen, _)| *seen == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts
}

#[cfg(test)]
mod tests;
