//! The words that the commands of the PRD workflow print, in the language of the documents.

mod chinese;
mod english;

use reqgate::model::Language;

use chinese::CHINESE;
use english::ENGLISH;

/// The words of one language.
pub struct Words {
    /// Whose words they are.
    pub language: Language,
    /// Between a name and its value.
    pub colon: &'static str,
    /// Before the owner of a question, the day until which it is answered, and what holds until then.
    pub assigned: [&'static str; 3],
    /// Between two figures.
    pub comma: &'static str,
    /// Before the result of the gate.
    pub gate: &'static str,
    /// Before what is still missing in a document that can be approved all the same.
    pub still_missing: &'static str,
    /// Before something that stops a document.
    pub blocks: &'static str,
    /// How far gaps were looked for.
    pub looked_at: &'static str,
    /// The same, where a reader has read them.
    pub was_read: &'static str,
    /// Before a gap in a requirement that its review is to close.
    pub to_fix: &'static str,
    /// A document that lies on disk.
    pub document_is: &'static str,
    /// A draft that nobody has approved yet.
    pub draft_is: &'static str,
    /// Before the headings that changed since a document was shown.
    pub changed: &'static str,
    /// Nothing changed since a document was shown.
    pub unchanged: &'static str,
    /// What the file of a PRD under review leaves out.
    pub reading_copy: &'static str,
    /// The parts of an answer, as it was recorded.
    pub recorded: &'static str,
    /// The number of questions that an answer closes, and of those that it leaves open.
    pub answered: &'static str,
    /// What checks the approved PRD from now on.
    pub check_it: &'static str,
    /// How requirements are read whole.
    pub whole_requirements: &'static str,
    /// Headings above requirements that are not decided, approved, approved with changes, and turned down.
    pub decisions: [&'static str; 4],
    /// Before the reason of a decision.
    pub reason: &'static str,
    /// Heading above the open questions of a PRD under review.
    pub answer_here: &'static str,
    /// Heading above what no source proves.
    pub unproven: &'static str,
    /// Below the changed lines that are shown.
    pub more_changed: &'static str,
    /// Before the ways to answer.
    pub answer_with: &'static str,
    /// The ways to answer questions.
    pub ways_clarification: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a brief.
    pub ways_brief: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a PRD.
    pub ways_prd: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a PRD that the gate stops.
    pub ways_stopped: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a document without questions of its own.
    pub ways_document_plain: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of an outline.
    pub ways_outline: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a team's document that critics or gate do not approve.
    pub ways_stopped_team: &'static [(&'static str, &'static str)],
    /// Heading above what changed since the draft before.
    pub team_changes: &'static str,
    /// The ways to answer the review of requirements.
    pub ways_requirements: &'static [(&'static str, &'static str)],
    /// The ways to decide about gaps.
    pub ways_gaps: &'static [(&'static str, &'static str)],
    /// The ways to answer when something failed.
    pub ways_interrupt: &'static [(&'static str, &'static str)],
    /// How to leave a question open and how to quit.
    pub leaving: &'static str,
    /// Asks again for words that cannot be left out.
    pub needed: &'static str,
    /// The requirement that was added last is left out again.
    pub taken_back: &'static str,
    /// There is no question before this one.
    pub no_way_back: &'static str,
    /// Before the letters that are known.
    pub one_of: &'static str,
    /// Nothing waits for a person.
    pub no_questions: &'static str,
    /// There are no threads.
    pub no_threads: &'static str,
    /// How a question of the inbox is answered.
    pub how_to_answer: &'static str,
    /// A line that is no text.
    pub not_text: &'static str,
    /// Before a line from which keys were left out.
    pub keys_left_out: &'static str,
    /// How long a reason is, and how to go back.
    pub few_words: &'static str,
    /// An answer was none.
    pub left_open: &'static str,
    /// Nobody carries out a change that is wanted in words.
    pub nobody_rewrites: &'static str,
    /// How a line goes to a section of the brief.
    pub lines_for_sections: &'static str,
    /// Letters for the section of words that name none.
    pub choose_section: &'static str,
    /// Words that were not taken into the document.
    pub not_taken_up: &'static str,
    /// Nothing was changed in the editor.
    pub nothing_edited: &'static str,
    /// Letters for an edited document.
    pub choose_edited: &'static str,
    /// Asks for a criterion of a requirement.
    pub criterion_for: &'static str,
    /// What a criterion looks like.
    pub criterion_help: &'static str,
    /// The reason recorded for such a change.
    pub criterion_added: &'static str,
    /// Heading above the sentences that were not used.
    pub not_used: &'static str,
    /// How to list the sentences that were not used and are not shown.
    pub more_not_used: &'static str,
    /// Before the ids of greetings, thanks and signatures.
    pub courtesies: &'static str,
    /// Behind what is only counted.
    pub with_full: &'static str,
    /// Explains the letters for a sentence that was not used.
    pub adopting: &'static str,
    /// Letters for a sentence that was not used.
    pub choose_adopt: &'static str,
    /// Asks for a requirement of the reviewer's own.
    pub add_requirement: &'static str,
    /// Asks for a requirement to be decided again.
    pub decide_again: &'static str,
    /// Letters for a document.
    pub choose_document: &'static str,
    /// Letters for a requirement.
    pub choose_requirement: &'static str,
    /// Letters for the gaps.
    pub choose_gaps: &'static str,
    /// Letters for one gap.
    pub choose_gap: &'static str,
    /// Letters when something failed.
    pub choose_interrupt: &'static str,
    /// Asks for changes.
    pub what_changes: &'static str,
    /// Asks for the new words of a requirement.
    pub what_says: &'static str,
    /// Asks for the words of a requirement that has blanks.
    pub fill_blanks: &'static str,
    /// The reason recorded for such a change.
    pub blanks_filled: &'static str,
    /// Asks for a reason.
    pub why: &'static str,
    /// Asks why a document is approved that the gate stops.
    pub why_override: &'static str,
    /// Before the former words of a requirement that was edited in its file.
    pub hand_edited: &'static str,
    /// Of a requirement that somebody moved to another decision.
    pub hand_decided: &'static str,
    /// Of a requirement that somebody wrote into the file.
    pub hand_added: &'static str,
    /// Of a requirement that somebody took out of the file.
    pub hand_deleted: &'static str,
    /// A thread waits for an answer.
    pub waits: &'static str,
    /// A thread has failed.
    pub has_failed: &'static str,
    /// Between the status of a thread and its step.
    pub at: &'static str,
    /// Before the ids of open orders that were shown before.
    pub also_open: &'static str,
    /// Before the folder of the documents.
    pub documents: &'static str,
    /// The model that writes the drafts, and the place that their texts go to.
    pub written_by: &'static str,
    /// The server of the provider, where no other is named.
    pub own_server: &'static str,
    /// The place of a program that writes.
    pub this_machine: &'static str,
    /// An answer was already given.
    pub given_before: &'static str,
    /// The gate stops a PRD.
    pub stopped: &'static str,
    /// There is no such question.
    pub unknown_question: &'static str,
    /// A question is no longer open.
    pub no_longer_open: &'static str,
    /// An answer does not fit.
    pub does_not_fit: &'static str,
    /// Before the shape of an answer.
    pub shape: &'static str,
    /// The log of a thread was not changed.
    pub verified: &'static str,
    /// A thread was forked, and how to continue it.
    pub forked: &'static str,
    /// A fork has ended: it wrote nothing, and how to read its PRD.
    pub fork_ended: &'static str,
    /// The log of a thread was not changed since it was imported from an archive.
    pub verified_import: &'static str,
    /// A thread was imported, and how to continue it.
    pub imported: &'static str,
    /// Behind what came from an archive.
    pub imported_mark: &'static str,
    /// Up to which event a thread came from an archive.
    pub imported_until: &'static str,
    /// The files that an import writes at once.
    pub import_state: &'static str,
    /// Before the files that the thread writes later.
    pub import_files: &'static str,
    /// Before it is known which documents the thread writes; names the folder.
    pub import_folder: &'static str,
    /// The archive is a fork, which writes no files.
    pub import_fork: &'static str,
    /// The thread writes no more files.
    pub import_no_files: &'static str,
    /// A file already exists.
    pub import_exists: &'static str,
    /// Before the approvals that an archive claims.
    pub import_claims: &'static str,
    /// An archive claims no approvals.
    pub import_no_claims: &'static str,
    /// An archive gives no name for an approval.
    pub import_nobody: &'static str,
    /// The things to approve: brief, requirements, gaps, PRD, PRD that the gate stops, outline, draft.
    pub approved: [&'static str; 7],
    /// Asks whether to import.
    pub import_ask: &'static str,
    /// Nothing was imported.
    pub import_left: &'static str,
    /// Nothing was imported, and how to import.
    pub import_needs_yes: &'static str,
    /// A thread was deleted.
    pub forgotten: &'static str,
    /// Two threads do not differ.
    pub no_difference: &'static str,
    /// Before the steps in which two threads differ.
    pub same_until: &'static str,
    /// A thread has ended while the other continues.
    pub no_further_step: &'static str,
    /// Names of the verdicts: pass, reject, not applicable, stopped by the guardrail.
    pub verdicts: [&'static str; 4],
    /// Names of the priorities, the highest first.
    pub priorities: [&'static str; 4],
}

/// The words for a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::En => &ENGLISH,
        Language::Zh => &CHINESE,
    }
}
