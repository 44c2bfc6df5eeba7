//! Reads the text that people type as the answer to a question: a decision, or that the question stays open, with the
//! person who answers it, the day, and the default until then. Every way of answering (terminal, file, page, comment,
//! tool) and the gate read answers here.

mod assignment;
mod clauses;
mod headings;

pub use assignment::{Assignment, assigned_lines, assignment, split_assignment};
pub use headings::is_under_answered;

use assignment::is_one_name;
use clauses::{Clause, Meaning, Settling, clauses, has_word, meaning, without_contrast};

use super::lexicon::is_cjk;
use super::words::brief_answers::{
    ABOUT_A_DECISION, ASKS_FOR_A_STATE, CONDITIONS, CONTRASTS, DECISIONS, HEDGES, NOT_FOR_NOW, OTHER_INTERROGATIVES,
    OWNERS, STATES, WHO_OR_WHEN, YES_OR_NO,
};

/// The decided and the open part of an answer. Words that are neither count as a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerReading {
    /// The words that state a decision.
    pub decided: Option<String>,
    /// The part that stays open.
    pub open: Option<OpenPart>,
}

/// The part of an answer that leaves the question open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenPart {
    /// The words of this part.
    pub words: String,
    /// The person who answers the question, the day, and the default until then.
    pub assignment: Assignment,
    /// Only a name and a day show that it is open: where a name may be the answer, it is one.
    pub is_name_and_day: bool,
}

impl AnswerReading {
    /// The reading of an answer that decides.
    fn decided(answer: &str) -> Self {
        Self { decided: Some(answer.trim().to_owned()), open: None }
    }
}

/// Reads an answer to a question.
///
/// “Not decided yet, owner: Jonas” is not a decision. “PDF for the pilot, the rest is not decided” decides one half. An
/// owner alone leaves a question open unless the question asks for the owner, and so does a name with a day unless it
/// asks for a person or a day.
pub fn read_answer(question: &str, answer: &str) -> AnswerReading {
    if is_line_to_write_on(answer) {
        return AnswerReading { decided: None, open: Some(OpenPart::default()) };
    }
    let asked = question.to_lowercase();
    if is_not_for_now(&asked, answer) || is_state(&asked, answer) {
        return AnswerReading::decided(answer);
    }
    let clauses = clauses(answer);
    let is_guess = clauses.iter().any(|clause| HEDGES.begin(&clause.words.to_lowercase()));
    let meant = |clause: &Clause<'_>| match meaning(clause.words) {
        // "Support has to confirm" is about the product; "I think 14, but support has to confirm" is not.
        Meaning::Settles { by: Settling::Confirms { is_certain: false }, .. } if !is_guess => Meaning::Says,
        meaning => meaning,
    };
    let parts: Vec<(Clause<'_>, Meaning)> = clauses.iter().map(|clause| (*clause, meant(clause))).collect();
    let is_open =
        |weak: bool| parts.iter().any(|(_, part)| matches!(part, Meaning::Open(open) if open.is_weak == weak));
    let says = parts.iter().any(|(_, part)| *part == Meaning::Says);
    let is_deferred = is_open(false) || is_open(true) && !says || names_an_owner(&asked, &parts);
    let by_name = (!is_deferred).then(|| name_and_day(&asked, answer)).flatten();
    if let Some(assignment) = by_name {
        let open = OpenPart { words: answer.trim().to_owned(), assignment, is_name_and_day: true };
        return AnswerReading { decided: None, open: Some(open) };
    }
    if !is_deferred {
        return AnswerReading::decided(answer);
    }
    let decides = decided_clauses(&parts);
    let joined = |wanted: bool| joined(answer, &parts, |at| decides[at] == wanted);
    let decided = Some(joined(true)).filter(|words| !words.is_empty());
    let open = OpenPart { words: joined(false), assignment: assignment_of(&parts), is_name_and_day: false };
    AnswerReading { decided, open: Some(open) }
}

/// Returns true if the words leave any question open. A blank line to write on has no words.
pub fn leaves_open(answer: &str) -> bool {
    !is_line_to_write_on(answer) && read_answer("", answer).decided.is_none()
}

/// Returns true for a blank such as `______`.
pub fn is_line_to_write_on(answer: &str) -> bool {
    answer.chars().all(|c| c.is_whitespace() || matches!(c, '_' | '.' | '…' | '[' | ']' | '?' | '？' | '-' | '*'))
}

/// "Not yet" means no as an answer to "Is SSO supported?"; as an answer to "Is the format decided?" or "Which format?"
/// it leaves the question open.
fn is_not_for_now(asked: &str, answer: &str) -> bool {
    let bare = asked.trim_start_matches(['*', '_', '-', ' ']);
    let bare = bare.strip_prefix("q:").unwrap_or(bare).trim_start();
    let answer = answer.trim_start_matches(['*', '_', ' ']).to_lowercase();
    NOT_FOR_NOW.begin(&answer) && YES_OR_NO.begin(bare) && !ABOUT_A_DECISION.are_words_of(bare)
}

/// "Pending" is the answer to "Which status does a new order have?".
fn is_state(asked: &str, answer: &str) -> bool {
    let bare = answer.trim().trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    STATES.has(&bare) && ASKS_FOR_A_STATE.stand_in(asked)
}

/// Returns true for an answer that begins with an owner, or refers to a person or a team.
fn names_an_owner(asked: &str, parts: &[(Clause<'_>, Meaning)]) -> bool {
    let asks_for_a_person = asks_who_or_when(asked) && !DECISIONS.stand_in(asked);
    let mut said = parts.iter().filter(|(_, part)| *part != Meaning::Filler).peekable();
    let begins_with_owner = matches!(said.peek(), Some((_, Meaning::Owner(_))));
    let asks_for_the_owner = has_word(asked.trim_end_matches(['?', '？']), OWNERS);
    let first_words = parts.iter().position(|(_, part)| *part == Meaning::Says);
    let is_case = |at: usize| has_word(&parts[at].0.words.to_lowercase(), CONDITIONS);
    let settles = |(at, (clause, part)): (usize, &(Clause<'_>, Meaning))| match part {
        Meaning::Settles { by, .. } => {
            let is_meant = match by {
                Settling::Asked => true,
                Settling::Decides => !asks_for_a_person,
                Settling::Confirms { .. } => !asks_for_a_person || CONTRASTS.begin(&clause.words.to_lowercase()),
            };
            is_meant && first_words.is_none_or(|first| first > at || !is_case(first))
        }
        Meaning::Name(_) => DECISIONS.stand_in(asked) && parts.len() == 1,
        _ => false,
    };
    begins_with_owner && !asks_for_the_owner || parts.iter().enumerate().any(settles)
}

/// A name with a day and no other words: `Mei, by 12 Dec`. If the question asks for the person who decides, every
/// assignment leaves it open; if it asks for a name or a day, no assignment does.
fn name_and_day(asked: &str, answer: &str) -> Option<Assignment> {
    let assigned = assignment(answer)?;
    if DECISIONS.stand_in(asked) {
        return Some(assigned);
    }
    let owner = assigned.owner.as_deref().unwrap_or_default();
    // A name that the question offers is a choice: "CSV or PDF?"
    let is_owner = is_one_name(owner) && !asked.contains(&owner.to_lowercase());
    (is_owner && !asks_who_or_when(asked)).then_some(assigned)
}

/// Returns true for a question that asks for a person or a day first of all.
fn asks_who_or_when(asked: &str) -> bool {
    let first = WHO_OR_WHEN.first_in(asked);
    first.is_some_and(|at| OTHER_INTERROGATIVES.first_in(asked).is_none_or(|other| at <= other))
}

/// The clauses that state a decision although others are open. If a clause says "not decided" about the question
/// itself, no clause does; the rest of its sentence explains it, unless it is a contrast.
fn decided_clauses(parts: &[(Clause<'_>, Meaning)]) -> Vec<bool> {
    let leaves_all_open = !parts.iter().any(|(_, part)| matches!(part, Meaning::Open(_) | Meaning::Settles { .. }))
        || parts.iter().any(|(_, part)| match part {
            Meaning::Open(open) => !open.has_subject && !open.is_weak,
            Meaning::Settles { by, .. } => matches!(by, Settling::Confirms { .. }),
            _ => false,
        });
    let mut open_in = None;
    let mut decides = Vec::with_capacity(parts.len());
    for (clause, part) in parts {
        let is_set_against = CONTRASTS.begin(&clause.words.to_lowercase());
        match part {
            Meaning::Says => {
                if is_set_against {
                    open_in = None;
                }
                decides.push(!leaves_all_open && open_in != Some(clause.sentence));
            }
            Meaning::Open(_) | Meaning::Owner(_) | Meaning::Settles { .. } => {
                open_in = Some(clause.sentence);
                decides.push(false);
            }
            Meaning::Filler | Meaning::Due(_) | Meaning::Default(_) | Meaning::Name(_) => decides.push(false),
        }
    }
    decides
}

/// The words of some clauses, with the text between neighbours.
fn joined(answer: &str, parts: &[(Clause<'_>, Meaning)], wanted: impl Fn(usize) -> bool) -> String {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (at, (clause, _)) in parts.iter().enumerate().filter(|(at, _)| wanted(*at)) {
        match runs.last_mut().filter(|(last, _, _)| last + 1 == at) {
            Some(run) => (run.0, run.2) = (at, clause.end),
            None => runs.push((at, clause.start, clause.end)),
        }
    }
    let separator = if answer.contains(is_cjk) { "；" } else { "; " };
    let words: Vec<&str> = runs.iter().map(|(_, start, end)| without_contrast(answer[*start..*end].trim())).collect();
    words.join(separator)
}

/// Collects the person, the day and the default of all clauses.
fn assignment_of(parts: &[(Clause<'_>, Meaning)]) -> Assignment {
    let mut out = Assignment::default();
    for (_, part) in parts {
        out.complete(match part {
            Meaning::Open(open) => open.assignment.clone(),
            Meaning::Owner(assignment) | Meaning::Settles { assignment, .. } => assignment.clone(),
            Meaning::Due(day) => Assignment { due: Some(day.clone()), ..Assignment::default() },
            Meaning::Default(words) => Assignment { default: Some(words.clone()), ..Assignment::default() },
            Meaning::Name(name) => Assignment::to(name),
            Meaning::Filler | Meaning::Says => Assignment::default(),
        });
    }
    out
}

#[cfg(test)]
mod tests;
