//! Every word of the pages: one file per language, with the same names.

mod chinese;
mod english;

use serde::Serialize;

use crate::model::Language;

/// The words of one language; `{name}` is a hole for a value.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    pub lang: &'static str,
    pub other_lang: &'static str,
    pub other_language: &'static str,
    pub skip: &'static str,
    pub navigation: &'static str,
    pub judge: &'static str,
    pub inbox: &'static str,
    pub threads: &'static str,
    pub audit: &'static str,
    pub log_out: &'static str,
    pub log_in: &'static str,
    pub log_in_intro: &'static str,
    pub token: &'static str,
    pub token_wrong: &'static str,
    pub changed: &'static str,
    pub reload: &'static str,
    pub judge_title: &'static str,
    pub judge_intro: &'static str,
    pub your_text: &'static str,
    pub edit_text: &'static str,
    pub placeholder: &'static str,
    pub policy: &'static str,
    pub policy_default: &'static str,
    pub or_file: &'static str,
    pub judge_button: &'static str,
    pub judge_again: &'static str,
    pub nothing_stored: &'static str,
    pub ready: &'static str,
    pub not_ready: &'static str,
    pub still_missing: &'static str,
    pub nothing_to_judge: &'static str,
    pub stopped: &'static str,
    pub of_hundred: &'static str,
    pub of_hundred_needs: &'static str,
    pub since_last: &'static str,
    pub changes: &'static str,
    pub score_change: &'static str,
    pub fixed: &'static str,
    pub new: &'static str,
    pub findings: &'static str,
    pub marked_text: &'static str,
    pub more_lines: &'static str,
    pub inbox_title: &'static str,
    pub inbox_intro: &'static str,
    pub inbox_empty: &'static str,
    pub waits_for: &'static str,
    pub just_asked: &'static str,
    pub document: &'static str,
    pub has_masks: &'static str,
    pub first_version: &'static str,
    pub since_approved: &'static str,
    pub since_shown: &'static str,
    pub no_changes: &'static str,
    pub your_answer: &'static str,
    pub decision: &'static str,
    pub send: &'static str,
    pub send_hint: &'static str,
    pub not_sent: &'static str,
    pub may_not_answer: &'static str,
    pub answered_by: &'static str,
    pub undone: &'static str,
    pub event: &'static str,
    pub thread_now: &'static str,
    pub now_waits: &'static str,
    pub look_at_thread: &'static str,
    pub not_taken: &'static str,
    pub not_taken_hint: &'static str,
    pub gate: &'static str,
    pub warnings: &'static str,
    pub open_questions: &'static str,
    pub not_used_hint: &'static str,
    pub leave_out: &'static str,
    pub approve: &'static str,
    pub approve_anyway: &'static str,
    pub want_changes: &'static str,
    pub approve_edited: &'static str,
    pub edit_next: &'static str,
    pub what_changes: &'static str,
    pub edit_document: &'static str,
    pub because: &'static str,
    pub because_hint: &'static str,
    pub try_again: &'static str,
    pub end_it: &'static str,
    pub added: &'static str,
    pub added_hint: &'static str,
    pub approve_others: &'static str,
    pub enough: &'static str,
    pub comment: &'static str,
    pub close_gaps: &'static str,
    pub leave_gaps: &'static str,
    pub score_decides: &'static str,
    pub next_round: &'static str,
    pub gap_leave: &'static str,
    /// `{id}` is the requirement.
    pub gap_criterion: &'static str,
    pub gap_fix: &'static str,
    pub gap_ask: &'static str,
    pub gap_dismiss: &'static str,
    pub gap_words: &'static str,
    pub gap_words_hint: &'static str,
    pub fill_blanks: &'static str,
    pub modify: &'static str,
    pub reject: &'static str,
    pub out_of_scope: &'static str,
    pub later: &'static str,
    pub keep: &'static str,
    pub undecided_yet: &'static str,
    pub approved: &'static str,
    pub rejected: &'static str,
    pub words_and_reason: &'static str,
    pub new_words: &'static str,
    pub new_words_hint: &'static str,
    pub why: &'static str,
    pub why_hint: &'static str,
    pub effect_of_decisions: &'static str,
    pub not_proven: &'static str,
    pub changed_by_hand: &'static str,
    pub gaps: &'static str,
    pub gaps_read: &'static str,
    pub gaps_form_only: &'static str,
    pub how_looked: &'static str,
    pub nothing_found: &'static str,
    pub conflicts: &'static str,
    pub research: &'static str,
    pub uncited: &'static str,
    pub unasked: &'static str,
    pub why_ended: &'static str,
    pub next_revision: &'static str,
    pub threads_title: &'static str,
    pub threads_empty: &'static str,
    pub thread: &'static str,
    pub status: &'static str,
    pub step: &'static str,
    pub updated: &'static str,
    pub answer_it: &'static str,
    pub next_step: &'static str,
    pub next_person: &'static str,
    pub next_work: &'static str,
    pub next_running: &'static str,
    pub next_interrupted: &'static str,
    pub next_completed: &'static str,
    pub next_failed: &'static str,
    pub next_cancelled: &'static str,
    pub audit_title: &'static str,
    pub audit_file: &'static str,
    pub audit_hint: &'static str,
    pub audit_button: &'static str,
    /// The decision to make, by kind of question.
    pub kinds: [&'static str; 10],
    /// Changes of a requirement in its file: edited, moved, added, deleted.
    pub hand: [&'static str; 4],
}

impl Words {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        language.of(&english::WORDS, &chinese::WORDS)
    }
}

/// Words with their holes filled; a value is never read as a hole.
pub(super) fn filled(words: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(words.len() + 20);
    let mut rest = words;
    while let Some((before, hole)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = hole.split_once('}') else { break };
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}
