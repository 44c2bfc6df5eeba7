//! Every word of the pages: one file per language, with the same names.

mod chinese;
mod english;

use serde::Serialize;

use reqgate_base::model::Language;

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
    pub example: &'static str,
    pub example_text: &'static str,
    pub ticket_kind: &'static str,
    pub kind_detect: &'static str,
    /// In the order of `TicketType::ALL`.
    pub ticket_kinds: [&'static str; 5],
    pub judge_as: &'static str,
    pub policy: &'static str,
    /// `{policy}` is the configured policy.
    pub policy_default: &'static str,
    pub or_file: &'static str,
    pub judge_button: &'static str,
    pub judge_again: &'static str,
    pub nothing_stored: &'static str,
    pub ready: &'static str,
    pub not_ready: &'static str,
    /// `{n}` is a number.
    pub still_missing: &'static str,
    pub still_missing_one: &'static str,
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
    pub approve_others: &'static str,
    pub approve_others_hint: &'static str,
    pub criteria: &'static str,
    pub requirement: &'static str,
    pub not_proven: &'static str,
    pub changed_by_hand: &'static str,
    pub gaps: &'static str,
    pub gaps_read: &'static str,
    pub gaps_form_only: &'static str,
    pub how_looked: &'static str,
    pub threads_title: &'static str,
    pub threads_empty: &'static str,
    pub start: &'static str,
    pub start_intro: &'static str,
    pub feature_name: &'static str,
    pub feature_name_hint: &'static str,
    pub sources: &'static str,
    pub sources_hint: &'static str,
    pub source_files: &'static str,
    pub source_files_hint: &'static str,
    pub document_language: &'static str,
    pub as_sources: &'static str,
    pub start_button: &'static str,
    pub start_refused: &'static str,
    pub name_missing: &'static str,
    pub may_not_start: &'static str,
    pub steps: [&'static str; 6],
    pub team_steps: [&'static str; 6],
    pub steps_label: &'static str,
    pub here: &'static str,
    pub finished: &'static str,
    pub documents: &'static str,
    pub no_documents: &'static str,
    pub open_it: &'static str,
    pub open_prd: &'static str,
    pub download: &'static str,
    pub no_pdf: &'static str,
    pub decisions: &'static str,
    pub no_decisions: &'static str,
    pub details: &'static str,
    /// By file: brief, requirements, PRD, outline, critiques, data.
    pub document_names: [&'static str; 6],
    pub thread: &'static str,
    pub status: &'static str,
    pub step: &'static str,
    /// Running, interrupted, waiting for a person, waiting for a draft, completed, failed, cancelled.
    pub statuses: [&'static str; 7],
    pub page_missing: &'static str,
    pub start_page: &'static str,
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
