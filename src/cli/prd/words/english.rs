//! The words of the dialogue in English.

use reqgate::model::Language;

use super::Words;

/// How to change a PRD by a file.
const PRD_CHANGES: &str = "change sections, answer its open questions, or decide requirements again: {\"prdApproved\": false, \
                           \"answers\": {\"q1\": \"…\"}, \"prdModifications\": [{\"section\": …, \"originalContent\": …, \
                           \"modifiedContent\": …, \"modificationReason\": …}], \"verdicts\": […], \"added\": [{\"title\": …, \"description\": …, \"acceptanceCriteria\": […]}], \
                           \"userFeedback\": …}; every field but the first is optional; userFeedback is an order for whoever \
                           writes, in another round; true approves the PRD with all of them, if the gate passes it then";

pub(super) const ENGLISH: Words = Words {
    language: Language::En,
    colon: ": ",
    assigned: ["owner: ", "due: ", "default: "],
    comma: ", ",
    gate: "gate",
    still_missing: "still missing (you can approve it anyway; only the PRD must pass the gate)",
    blocks: "blocker",
    looked_at: "Only the form was checked, not the content.",
    was_read: "The author of the drafts has read the requirements for gaps; every gap quotes the words that show it.",
    to_fix: "to be fixed, by a change here or by a proposal: ",
    document_is: "{path} ({size} kB, {n} lines); show this file to the person who decides",
    draft_is: "{file} is the draft of {path} ({size} kB, {n} lines); show this file to the person who decides",
    changed: "changed since it was last shown: ",
    unchanged: "unchanged since it was last shown",
    reading_copy: " (without change log and traceability table)",
    recorded: "recorded – ",
    answered: "answered: {n}, still open: {m}",
    check_it: "Check it from now on with `reqgate check {path}`.",
    whole_requirements: "The full text of those shown by title is in {file}; show this file to the person who decides.",
    decisions: ["Not decided", "Approved", "Approved with changes", "Rejected or out of scope"],
    reason: "reason",
    answer_here: "Open questions, which can be answered here (o on a terminal, `answers` in JSON):",
    unproven: "Not proven:",
    more_changed: "… and {n} more lines",
    answer_with: "Answer with (add --actor NAME to enter another person's decision)",
    ways_clarification: &[
        (
            "--json FILE",
            "answer, or say who answers by when, and what holds until then: {\"answers\": {\"q1\": \"…\", \"q2\": {\"owner\": …, \
             \"due\": …, \"default\": …}}}",
        ),
        ("--approve", "leave them open; those that quote a source become open questions of the brief"),
    ],
    ways_brief: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        (
            "--json FILE",
            "also answer its open questions, or say who answers them, adopt sentences that are not used,  add a statement to a section \
             (+ before the line), or replace words of one (sections: problem, goals, users, flows, success measures, constraints, out \
             of scope, open questions): {\"approved\": true, \"answers\": {\"q1\": \"…\", \"q2\": \
             {\"owner\": …, \"due\": …, \"default\": …}}, \"adopt\": {\"u1\": \"goals\"}, \"modifications\": [{\"section\": \
             \"constraints\", \"requestedContent\": \"+ …\"}, {\"section\": …, \"originalContent\": …, \"requestedContent\": …}]}; to have it changed: {\"approved\": false, \"userFeedback\": …}",
        ),
    ],
    ways_prd: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        ("--json FILE", PRD_CHANGES),
    ],
    ways_stopped: &[
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        ("--json FILE", PRD_CHANGES),
        ("--approve --because \"…\"", "approve it although the gate stops it; the reason is recorded"),
    ],
    ways_document_plain: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR; what you write is the next draft"),
    ],
    ways_outline: &[("--approve", "approve it as it is"), ("--reject \"…\"", "say what to change")],
    ways_stopped_team: &[
        ("--approve --because \"…\"", "accept this version, and say why; the reason is recorded"),
        ("--json FILE", "have it revised as the critics say: {\"approved\": false}"),
        ("--reject \"…\"", "have it revised, with your guidance"),
        ("--edit", "change it in $EDITOR; the critics read what you write"),
    ],
    team_changes: "Changed since the draft before:",
    ways_requirements: &[
        ("--approve", "approve all; those with blanks in [brackets] stay undecided"),
        ("--reject \"…\"", "reject all, and say why"),
        (
            "--json FILE",
            "decide one by one: {\"verdicts\": [{\"id\": \"FR-001\", \"verdict\": \"approve\"}, {\"id\": …, \"verdict\": \
             \"reject\" or \"out_of_scope\", \"reason\": …}, {\"id\": …, \"verdict\": \"modify\", \"changes\": \
             {\"title\": …, \"description\": …, \"priority\": …, \"category\": …, \"acceptanceCriteria\": […]}, \"reason\": …}], \"added\": \
             [{\"description\": …}], \"userFeedback\": …}; every field of changes is optional; what is not named stays undecided, unless \
             \"others\": \"approve\"",
        ),
    ],
    ways_gaps: &[
        ("--approve", "continue in spite of the gaps"),
        ("--reject \"…\"", "close the gaps in another round; say what it is to bring"),
        (
            "--json FILE",
            "decide on each: {\"gaps\": {\"GAP-001\": {\"decision\": \"dismiss\", \"reason\": …}, \"GAP-002\": {\"decision\": \
             \"ask\", \"question\": …, \"owner\": …, \"due\": …, \"default\": …}, \"GAP-003\": {\"decision\": \"fix\", \"criterion\": …, \
             \"requirement\": \"FR-001\"}, \"GAP-004\": {\"decision\": \"fix\", \"requirement\": \"FR-002\", \"changes\": {\"description\": \
             …, \"acceptanceCriteria\": […]}}, \"GAP-005\": {\"decision\": \"fix\", \"added\": [{\"title\": …, \"description\": …, \
             \"acceptanceCriteria\": […]}]}, \"GAP-006\": {\"decision\": \"fix\", \"how\": …}}}; a criterion, changes and added close a gap at \
             once, how makes another round; the other fields of ask and fix are optional",
        ),
    ],
    ways_interrupt: &[("--approve", "try again"), ("--reject \"…\"", "end the run as failed")],
    leaving: "Press Enter to leave a question open, q to quit; your answers are kept. `back` asks the question before again.",
    needed: "Type a few words, or q to quit.",
    taken_back: "The requirement that you added last is left out.",
    no_way_back: "There is no question before this one.",
    one_of: "Type one of ",
    no_questions: "no open questions\n",
    no_threads: "no threads: start one with `reqgate prd start`\n",
    how_to_answer: "Answer one at the terminal with `reqgate prd resume {thread}`, or with `reqgate answer {ask}`, which lists the ways.",
    not_text: "That line was not text (UTF-8). Type it again.",
    keys_left_out: "Keys such as the arrows are not part of an answer. Taken as: ",
    few_words: "At least three words; Enter goes back.",
    left_open: "The question stays open.",
    nobody_rewrites: "Nobody is there to rewrite it as you say: that takes --author model or agent.",
    lines_for_sections: "A line that begins with the name of a section is added to it, such as “Out of scope: PDF”. Enter goes back.",
    choose_section: "That names no section. Add it to [p]roblem, [g]oal, [u]ser, [f]low, [m]easure, [r]ule, [o]ut of scope, [?] open question; Enter leaves it out:",
    not_taken_up: "It was not taken into the brief.",
    nothing_edited: "Nothing was changed.",
    choose_edited: "[a]pprove this text, [e]dit it again, [d]iscard what was edited, [q]uit:",
    criterion_for: "Criterion for {id}? Enter leaves it out.",
    criterion_help: "How will somebody check it? Given [situation], when [action], then [what is seen, with a value].",
    criterion_added: "criterion added",
    not_used: "Not used:",
    more_not_used: "… and {n} more: `reqgate prd show {thread} --draft not-used` lists them all",
    courtesies: "{n} greetings, names, dates and remarks of a word or two",
    with_full: " (--full lists them)",
    adopting: "No statement uses the sentences below. Give each its section by a letter; Enter leaves it out, . leaves out all that follow.",
    choose_adopt: "[p]roblem, [g]oal, [u]ser, [f]low, [m]easure, [r]ule, [o]ut of scope, [?] open question, [b]ack, [q]uit:",
    add_requirement: "Another requirement? One sentence; Enter goes on.",
    decide_again: "Which one is to be decided again? Its id; Enter goes on.",
    choose_document: "[a]pprove, [c]hange, [o]pen questions, [r]equirements, [e]dit, [q]uit:",
    choose_requirement: "[a]pprove, [m]odify, [c]riterion, [r]eject, [o]ut of scope, [d]efer, approve a[l]l the rest, [q]uit:",
    choose_gaps: "[c]lose them in another round, [g]o on without closing them, decide on [e]ach, [q]uit:",
    choose_gap: "[f]ix it, [d]ismiss it, make it an [o]pen question, [k]eep it for now, [q]uit:",
    choose_interrupt: "[t]ry again, [e]nd the run as failed, [q]uit:",
    what_changes: "What should change?",
    what_says: "What should it say?",
    fill_blanks: "It has blanks in [brackets]. What should it say?",
    blanks_filled: "blanks filled in",
    why: "Why?",
    why_override: "The gate stops this PRD. Why do you approve it anyway?",
    hand_edited: "edited by hand in requirements.md; before: ",
    hand_decided: "moved by hand in requirements.md; it counts as decided only if you decide it here",
    hand_added: "written by hand into requirements.md",
    hand_deleted: "deleted by hand from requirements.md: approve to put it back, reject to leave it out",
    waits: "{thread}: waiting; continue with `reqgate prd resume {thread}`",
    has_failed: "{thread}: failed; try again with `reqgate prd resume {thread} --retry`",
    at: ", at ",
    documents: "documents: ",
    written_by: "drafts: {model}, texts go to {place}",
    own_server: "the provider's own server",
    this_machine: "a program on this machine",
    given_before: "this answer was already given (event {n}); nothing was changed",
    stopped: "the gate stops this PRD: to approve it anyway, give a reason with --approve --because \"…\"",
    unknown_question: "there is no question `{ask}`: `reqgate inbox` lists the open ones",
    also_open: "still open (`reqgate prd next {thread}` shows them)",
    no_longer_open: "question `{ask}` is no longer open: it already has another answer, or its step was undone",
    does_not_fit: "the answer does not fit the question",
    shape: "an answer has this shape:",
    verified: "{thread}: {n} events, none changed",
    verified_import: "{thread}: {n} events, none changed since the import; events 1 to {k} come from an archive, \
                      and who wrote them cannot be verified",
    forked: "{thread}: begins after event {n} of {parent}, so what was answered after it is asked again; continue with `reqgate prd \
             resume {thread}`; a fork writes no files",
    fork_ended: "a fork writes no files; read its PRD with `reqgate prd show {thread} --draft prd`",
    imported: "{thread}: imported; continue with `reqgate prd resume {thread}`",
    imported_mark: " (imported)",
    imported_until: "imported: events 1 to {n}, with the approvals in them, come from an archive and are not verified",
    import_state: "{thread}: {title}\nThis import writes only to {state}.",
    import_files: "The thread writes these files when you continue it:",
    import_folder: "When you continue it, the thread makes a folder for its documents in {folder}.",
    import_fork: "A fork writes no files.",
    import_no_files: "The thread has ended; it writes no other files.",
    import_exists: " (exists)",
    import_claims: "The archive claims these approvals; nobody has verified them:",
    import_no_claims: "The archive claims no approvals.",
    import_nobody: "no name given",
    approved: [
        "the brief",
        "requirements",
        "continuing in spite of the gaps",
        "the PRD",
        "the PRD, although the gate stops it",
        "the outline",
        "a draft",
    ],
    import_ask: "Import it? [y/N]",
    import_left: "nothing was imported",
    import_needs_yes: "nothing was imported: check the list above, then add --yes to import this archive",
    forgotten: "{thread}: deleted",
    no_difference: "no difference",
    same_until: "the same for {n} steps, then",
    no_further_step: "no further step",
    verdicts: ["PASS", "REJECT", "NOT_APPLICABLE", "GUARDRAIL_REJECTED"],
    priorities: ["high", "medium", "low", "won't"],
};
