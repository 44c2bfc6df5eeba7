//! Writes the sections of the comment in order.

use std::fmt::Display;

use super::{CommentParts, CommentState, FindingReference, Override, Proposal, draft, kinds_of};
use crate::digest::{Digest, questions, stopped_for_length, stopped_title};
use crate::found::found;
use crate::markdown::escaped;
use crate::points;
use crate::words::{kind_name, verdict_name};
use reqgate_base::clean::one_line;
use reqgate_base::clean::short_line;
use reqgate_base::model::{GuardrailAction, GuardrailKind, Language, ReviewIssue, Stamp, Verdict};
use reqgate_messages as messages;

/// The maximum number of rows of the table.
const MOST_ROWS: usize = 20;
/// The maximum number of hints below the fold.
const MOST_HINTS: usize = 15;
/// The maximum number of questions if the policy sets none.
const MOST_QUESTIONS: usize = 5;
/// A policy that asks at most this many questions gets a plain comment: no table, no count of missing parts.
const FEW_QUESTIONS: usize = 3;
/// The maximum length of a proposal that is shown whole, in characters.
const LONGEST_PROPOSAL: usize = 20_000;

/// A comment while it is being written.
pub(super) struct Page<'a> {
    pub(super) parts: &'a CommentParts<'a>,
    pub(super) words: &'static messages::Comment,
    pub(super) sections: Vec<String>,
}

impl Page<'_> {
    pub(super) fn section(&mut self, text: String) {
        self.sections.push(text);
    }

    fn language(&self) -> Language {
        self.parts.outcome.language
    }

    fn most_questions(&self) -> usize {
        self.parts.outcome.decision.policy.as_ref().map_or(MOST_QUESTIONS, |policy| policy.most_questions)
    }

    /// A short comment for a reporter: a few questions, without points.
    fn asked_kindly(&mut self, digest: &Digest<'_>, now: &CommentState) -> Vec<FindingReference> {
        let words = self.words;
        let start = self.sections.len();
        let questions = self.questions("", digest, now);
        let of_report = if questions.is_empty() { self.questions_of_report("", now) } else { 0 };
        let count = questions.len() + of_report;
        let counted = count.checked_sub(1).and_then(|index| words.few_questions.get(index));
        let mut head = vec![format!("### 💬 {}\n", counted.unwrap_or(&words.not_ready))];
        if now.asks_for_a_person() {
            head.push(format!("{}\n", words.person(&now.rejections)));
        }
        if count > 0 {
            head.push(format!("{}\n", words.thanks));
        }
        self.sections.splice(start..start, head);
        self.proposal();
        self.found();
        questions
    }

    /// The elements found in the text, folded, so that the author sees how it was read.
    fn found(&mut self) {
        let found = found(self.parts.outcome);
        if !found.is_empty() {
            let items: String = found.iter().map(|words| format!("- {}\n", escaped(words))).collect();
            let title = messages::Report::of(self.language()).elements_found;
            self.section(format!("<details><summary>{title}</summary>\n\n{items}\n</details>\n"));
        }
    }

    /// Writes the comment of a rejection; returns the questions that it asks.
    pub(super) fn rejected(&mut self, now: &CommentState) -> Vec<FindingReference> {
        let digest = Digest::new(self.parts.outcome);
        let is_asked = digest.blockers.iter().any(|issue| issue.question.is_some());
        let is_title_only =
            || digest.blockers.is_empty() && !has_cost(&digest) && !questions(self.parts.outcome).is_empty();
        if self.most_questions() <= FEW_QUESTIONS && (is_asked || is_title_only()) {
            return self.asked_kindly(&digest, now);
        }
        let words = self.words;
        let hints: Vec<&ReviewIssue> = digest.warnings.iter().filter(|issue| issue.points > 0.0).copied().collect();
        let mut counts = Vec::new();
        if !digest.blockers.is_empty() {
            counts.push(words.blockers(digest.blockers.len()));
        }
        if !hints.is_empty() {
            counts.push(words.hints(hints.len()));
        }
        if digest.blockers.is_empty() {
            counts.insert(0, self.scored(messages::Comment::low_score));
        }
        self.section(format!("### 🚫 {} · {}\n", words.not_ready, counts.join(words.comma)));
        if now.asks_for_a_person() {
            self.section(format!("{}\n", words.person(&now.rejections)));
        }
        self.progress(now);
        // If there are few blockers, hints fill the table: they show the missing parts if only the score is too low.
        let shown: Vec<(bool, &ReviewIssue)> = digest.blockers.iter().map(|issue| (true, *issue)).collect();
        let rest: Vec<(bool, &ReviewIssue)> = hints.iter().map(|issue| (false, *issue)).collect();
        let room = if shown.is_empty() { MOST_ROWS } else { 5_usize.saturating_sub(shown.len()) };
        let (in_table, below) = rest.split_at(room.min(rest.len()));
        self.table(&[shown, in_table.to_vec()].concat(), now);
        let title = format!("**{}**\n\n", words.questions);
        let questions = self.questions(&title, &digest, now);
        if questions.is_empty() {
            self.questions_of_report(&title, now);
        }
        self.draft();
        self.proposal();
        self.found();
        if !below.is_empty() {
            let mut text = format!("<details><summary>{} ({})</summary>\n\n", words.more_hints, below.len());
            for (_, issue) in below.iter().take(MOST_HINTS) {
                text.push_str(&format!(
                    "- {}: {} (`{}`)\n",
                    self.place(issue),
                    sentence(&issue.description),
                    issue.rule_id
                ));
            }
            self.more(&mut text, below.len(), MOST_HINTS);
            text.push_str("\n</details>\n");
            self.section(text);
        }
        questions
    }

    fn more(&self, text: &mut String, count: usize, shown: usize) {
        if count > shown {
            text.push_str(&format!("\n{}\n", self.words.and_more(&(count - shown))));
        }
    }

    /// A sentence with the score and the threshold.
    fn scored(&self, sentence: fn(&messages::Comment, &dyn Display, &dyn Display) -> String) -> String {
        let score = self.parts.outcome.score_report.as_ref().map(|report| points(report.total_score));
        let threshold = self.parts.outcome.decision.threshold.map(points);
        sentence(self.words, &score.as_deref().unwrap_or("–"), &threshold.as_deref().unwrap_or("–"))
    }

    /// The line of an issue. GitHub shows the title apart from the body, so lines are counted within the body.
    fn place(&self, issue: &ReviewIssue) -> String {
        let packet = &self.parts.outcome.packet;
        let title = packet.title_span.filter(|title| title.start == 0).map(|title| title.slice(&packet.raw_text));
        // Intake writes the title, an empty line and the body in this order.
        let above = title.map_or(0, |title| title.lines().count() + 1);
        match issue.position {
            Some(position) if position.line <= above => self.words.title.to_owned(),
            Some(position) => self.words.line(&(position.line - above)),
            None => self.words.whole_issue.to_owned(),
        }
    }

    /// The changes since the text of the previous comment.
    fn progress(&mut self, now: &CommentState) {
        if now.fixed.is_empty() && now.new.is_empty() {
            return;
        }
        let line = self.words.since(&now.fixed.len(), &now.new.len(), &now.open.len().saturating_sub(now.new.len()));
        let mut text = format!("{line}\n");
        let fixed = grouped(now.fixed.iter());
        if !fixed.is_empty() {
            text.push('\n');
        }
        for (reference, count) in fixed.into_iter().take(10) {
            text.push_str(&format!("- ✔ {}: {}\n", self.words.fixed, self.named(reference, count)));
        }
        self.section(text);
    }

    /// A finding that may no longer be in the text, named by the description of its rule.
    fn named(&self, reference: &FindingReference, count: usize) -> String {
        let times = if count > 1 { format!(" × {count}") } else { String::new() };
        format!("{} (`{}`){times}", sentence(&(self.parts.summary)(&reference.rule)), reference.rule)
    }

    fn table(&mut self, rows: &[(bool, &ReviewIssue)], now: &CommentState) {
        if rows.is_empty() {
            return;
        }
        let words = self.words;
        let mut text = format!("| | {} | {} |\n|-|-|-|\n", words.missing, words.place);
        for (is_blocker, issue) in rows.iter().take(MOST_ROWS) {
            let reference = FindingReference { rule: issue.rule_id.clone(), fingerprint: issue.fingerprint.clone() };
            let new = if now.new.contains(&reference) { format!(" · {}", words.new) } else { String::new() };
            let sign = if *is_blocker { "🚫" } else { "⚠️" };
            let wrong = sentence(&issue.description);
            text.push_str(&format!("| {sign} | {wrong} (`{}`) | {}{new} |\n", issue.rule_id, self.place(issue)));
        }
        self.more(&mut text, rows.len(), MOST_ROWS);
        self.section(text);
    }

    /// The check list of questions, as many as the policy allows; answered questions are not asked again.
    fn questions(&mut self, title: &str, digest: &Digest<'_>, now: &CommentState) -> Vec<FindingReference> {
        let mut asked: Vec<FindingReference> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        let mut text = String::new();
        let worth = digest.warnings.iter().filter(|issue| issue.points > 0.0);
        for issue in digest.blockers.iter().chain(worth) {
            let Some(question) = issue.question.as_deref().filter(|question| !seen.contains(question)) else {
                continue;
            };
            let reference = FindingReference { rule: issue.rule_id.clone(), fingerprint: issue.fingerprint.clone() };
            if now.answered.contains(&reference) {
                continue;
            }
            seen.push(question);
            asked.push(reference);
            text.push_str(&format!("- [ ] {}\\. {}\n", asked.len(), escaped(question)));
            if asked.len() == self.most_questions() {
                break;
            }
        }
        if !asked.is_empty() {
            self.section(format!("{title}{text}"));
        }
        asked
    }

    /// Writes questions without a finding, such as those about an issue that is only a title; returns their number.
    /// They are not numbered, since `/reqgate answer` has no line to put their answers into.
    fn questions_of_report(&mut self, title: &str, now: &CommentState) -> usize {
        if !now.answered.is_empty() {
            return 0;
        }
        let questions: Vec<&str> = questions(self.parts.outcome).into_iter().take(self.most_questions()).collect();
        if !questions.is_empty() {
            let items: String = questions.iter().map(|words| format!("- [ ] {}\n", escaped(words))).collect();
            self.section(format!("{title}{items}"));
        }
        questions.len()
    }

    fn draft(&mut self) {
        if let Some(draft) = draft::draft(self.parts.outcome) {
            let fence = fence(&draft);
            let summary = self.words.draft;
            self.section(format!(
                "<details><summary>{summary}</summary>\n\n{fence}markdown\n{draft}{fence}\n\n</details>\n"
            ));
        }
    }

    fn proposal(&mut self) {
        let words = self.words;
        match self.parts.proposal {
            None => {}
            Some(Proposal::Stopped(kinds)) => {
                let kinds = self.kinds(kinds);
                self.section(format!("{}\n", words.proposal_stopped(&kinds)));
            }
            Some(Proposal::Shown { changes, body, score, verdict }) => {
                let mut diff = String::new();
                for (line, removed, added) in changes {
                    diff.push_str(&format!("@@ {} @@\n", words.line(&line)));
                    diff.extend(removed.iter().map(|line| format!("- {}\n", one_line(line))));
                    diff.extend(added.iter().map(|line| format!("+ {}\n", one_line(line))));
                }
                let body: String = body.lines().map(|line| format!("{}\n", one_line(line))).collect();
                let diff_fence = fence(&diff);
                let scored = words.proposal_scored(
                    &score.map_or_else(|| "–".to_owned(), points),
                    &verdict_name(messages::Report::of(self.language()), *verdict),
                );
                self.section(format!("**{}**\n\n{diff_fence}diff\n{diff}{diff_fence}\n\n{scored}\n", words.proposal));
                if body.chars().count() <= LONGEST_PROPOSAL {
                    let fence = fence(&body);
                    let body = body.trim_end();
                    let summary = words.proposal_whole;
                    self.section(format!(
                        "<details><summary>{summary}</summary>\n\n{fence}markdown\n{body}\n{fence}\n\n</details>\n"
                    ));
                }
            }
        }
    }

    pub(super) fn passed(&mut self) {
        let words = self.words;
        self.section(format!("### ✅ {}\n\n{}\n", words.ready, self.scored(messages::Comment::all_hold)));
    }

    pub(super) fn stopped(&mut self) {
        let words = self.words;
        let findings = &self.parts.outcome.guardrail.findings;
        let kinds =
            kinds_of(findings.iter().filter(|finding| finding.action == GuardrailAction::Reject).map(|f| f.kind));
        let is_any = |wanted: &[GuardrailKind]| kinds.iter().any(|(kind, _)| wanted.contains(kind));
        let title = stopped_title(self.parts.outcome);
        if stopped_for_length(self.parts.outcome).is_some() {
            let why = escaped(&self.parts.outcome.decision.explanation);
            self.section(format!("### ⛔ {title}\n\n{why}\n\n{}\n", words.length_to_do));
            return;
        }
        let to_do = if is_any(&[GuardrailKind::PromptInjection]) { words.injection_to_do } else { words.stopped_to_do };
        let found = words.stopped_for(&self.kinds(&kinds));
        self.section(format!("### ⛔ {}\n\n{found}{}{}\n\n{to_do}\n", title, words.gap, words.stopped_sent));
    }

    fn kinds(&self, kinds: &[(GuardrailKind, usize)]) -> String {
        let words = messages::Report::of(self.language());
        let named = kinds.iter().map(|(kind, count)| format!("{count} × {}", kind_name(words, *kind)));
        named.collect::<Vec<_>>().join(self.words.comma)
    }

    pub(super) fn overridden(&mut self, decision: &Override) {
        let words = self.words;
        let mut text = format!("### ✅ {}\n\n", words.overridden);
        text.push_str(&words.overridden_by(&escaped(&decision.by)));
        if !decision.reason.is_empty() {
            text.push_str(&format!("{}{}", words.gap, words.reason(&escaped(&decision.reason))));
        }
        text.push('\n');
        self.section(text);
        if self.parts.outcome.decision.verdict == Verdict::Reject {
            let digest = Digest::new(self.parts.outcome);
            let mut text = format!("<details><summary>{}</summary>\n\n", words.would_be);
            for issue in digest.blockers.iter().take(MOST_ROWS) {
                text.push_str(&format!(
                    "- 🚫 {}: {} (`{}`)\n",
                    self.place(issue),
                    sentence(&issue.description),
                    issue.rule_id
                ));
            }
            if digest.blockers.is_empty() {
                text.push_str(&format!("{}\n", self.scored(messages::Comment::low_score)));
            }
            text.push_str("\n</details>\n");
            self.section(text);
        }
    }

    /// Settled questions and waived rules, so that every question stays visible.
    pub(super) fn history(&mut self, now: &CommentState) {
        let words = self.words;
        for waived in &now.waived {
            let line =
                words.waived(&escaped(&waived.decision.by), &escaped(&waived.decision.reason), &waived.rule.as_str());
            self.section(format!("{line}\n"));
        }
        if self.parts.outcome.decision.verdict == Verdict::GuardrailRejected {
            return;
        }
        let is_answered =
            |reference: &FindingReference| now.answered.contains(reference) && now.open.contains(reference);
        let is_gone = |reference: &FindingReference| !now.open.contains(reference);
        let gone = grouped(now.asked.iter().filter(|reference| is_gone(reference)));
        let answered = grouped(now.asked.iter().filter(|reference| is_answered(reference)));
        let count = gone.iter().chain(&answered).map(|(_, count)| count).sum::<usize>();
        if count == 0 {
            return;
        }
        let mut text = format!("<details><summary>{} ({count})</summary>\n\n", words.asked);
        for (reference, count) in gone {
            text.push_str(&format!("- [x] {}\n", self.named(reference, count)));
        }
        for (reference, count) in answered {
            text.push_str(&format!("- [x] {} – {}\n", self.named(reference, count), words.answered_apart));
        }
        text.push_str("\n</details>\n");
        self.section(text);
    }

    pub(super) fn footer(&mut self) {
        let words = self.words;
        let model = match self.parts.outcome.model.as_ref().filter(|model| model.was_asked()) {
            Some(used) => {
                let safe = |text: &str| short_line(&text.replace('`', ""), 100);
                words.model(&safe(used.host.as_deref().unwrap_or("?")), &safe(&used.model))
            }
            None => words.no_model.to_owned(),
        };
        let is_done = self.parts.now.overridden.is_some() || self.parts.outcome.decision.verdict.is_pass();
        let gap = words.gap;
        let help = match (is_done, self.parts.outcome.decision.verdict) {
            (true, _) => String::new(),
            (false, Verdict::GuardrailRejected) => format!("{}{gap}", words.footer_wrong),
            (false, _) => format!("{}{gap}{}{gap}", words.footer_edit, words.footer_wrong),
        };
        let stamp = Stamp::of(self.parts.outcome).map(|stamp| format!("{gap}`{stamp}`")).unwrap_or_default();
        self.section(format!("<sub>{help}{model}{stamp}</sub>\n"));
    }
}

/// Returns true if a warning costs points.
fn has_cost(digest: &Digest<'_>) -> bool {
    digest.warnings.iter().any(|issue| issue.points > 0.0)
}

/// Findings grouped by rule, with their counts, in the order of their first occurrence.
fn grouped<'n>(reference: impl Iterator<Item = &'n FindingReference>) -> Vec<(&'n FindingReference, usize)> {
    let mut groups: Vec<(&FindingReference, usize)> = Vec::new();
    for reference in reference {
        match groups.iter_mut().find(|(first, _)| first.rule == reference.rule) {
            Some((_, count)) => *count += 1,
            None => groups.push((reference, 1)),
        }
    }
    groups
}

/// The words as a sentence: escaped, with a capital letter.
fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut rest = words.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    escaped(&format!("{first}{}", rest.as_str()))
}

/// A fence longer than any run of backticks in the text, so that the text cannot end the block.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(3) + 1)
}
