//! Reads what people type below a question: a decision, or that the question stays open, with who answers it by when and what
//! holds until then. Every way of answering (terminal, file, page, comment, tool) and the gate read an answer here.

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

/// The two halves of an answer. Words that say neither are a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerReading {
    /// The words that decide something.
    pub decided: Option<String>,
    /// The part that stays open.
    pub open: Option<OpenPart>,
}

/// The part of an answer that decides nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenPart {
    /// Its words.
    pub words: String,
    /// Who answers the question, by when, and what holds until then.
    pub assignment: Assignment,
    /// Only a name and a day say so: where a name may be the answer, it is one.
    pub is_name_and_day: bool,
}

impl AnswerReading {
    /// The reading of words that decide.
    fn decided(answer: &str) -> Self {
        Self { decided: Some(answer.trim().to_owned()), open: None }
    }
}

/// Reads an answer to a question.
///
/// “Not decided yet, owner: Jonas” decides nothing. “PDF for the pilot, the rest is not decided” decides one half. An owner alone
/// leaves a question open unless the question asks for the owner, and so does a name with a day unless it asks who or when.
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
        // "Support has to confirm" is the product's, "I think 14, but support has to confirm" is not.
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

/// True where words leave a question open, whatever the question is. A line to write on has no words.
pub fn leaves_open(answer: &str) -> bool {
    !is_line_to_write_on(answer) && read_answer("", answer).decided.is_none()
}

/// True for a blank such as `______`.
pub fn is_line_to_write_on(answer: &str) -> bool {
    answer.chars().all(|c| c.is_whitespace() || matches!(c, '_' | '.' | '…' | '[' | ']' | '?' | '？' | '-' | '*'))
}

/// "Not yet" says no to "Is SSO supported?"; to "Is the format decided?" and to "Which format?" it says that nobody knows.
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

/// True for an answer that begins with an owner, or sends somebody to a person or a team.
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

/// A name with a day, and nothing else: `Mei, by 12 Dec`. To the question who decides, every assignment says so; where a question
/// asks for a name or a day, none does.
fn name_and_day(asked: &str, answer: &str) -> Option<Assignment> {
    let assigned = assignment(answer)?;
    if DECISIONS.stand_in(asked) {
        return Some(assigned);
    }
    let owner = assigned.owner.as_deref().unwrap_or_default();
    // What the question offers is a choice: "CSV or PDF?"
    let is_owner = is_one_name(owner) && !asked.contains(&owner.to_lowercase());
    (is_owner && !asks_who_or_when(asked)).then_some(assigned)
}

/// True for a question that asks for a person or a day first of all.
fn asks_who_or_when(asked: &str) -> bool {
    let first = WHO_OR_WHEN.first_in(asked);
    first.is_some_and(|at| OTHER_INTERROGATIVES.first_in(asked).is_none_or(|other| at <= other))
}

/// The clauses that decide something although others are open. Where a clause says "not decided" of the question itself, none does;
/// what follows it in its sentence explains it, unless it is set against it.
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

/// The words of some clauses, with what is between neighbours.
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

/// Everything that the clauses say about who answers, by when, and what holds until then.
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
