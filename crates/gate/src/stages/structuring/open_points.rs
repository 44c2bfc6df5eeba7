//! Finds points that the author left open, and whether work can start without the answer.

use std::ops::Range;

use reqgate_base::model::{Criterion, Genre, OpenPoint, SectionRole, Span};
use reqgate_rules::Profile;
use reqgate_text::answer::{is_under_answered, leaves_open};
use reqgate_text::deliberation::deliberates;
use reqgate_text::words::brief_answers;
use reqgate_text::words::open_points::{
    ASIDES, ASSUMED_HEADINGS, COMPARISONS, CONTENT_HEADINGS, REVIEW_HEADINGS, STATES,
};
use reqgate_text::{BlockKind, Cue, Hit, Reading, Sentence};

use super::answered_question::left_open;
use super::bug::is_nothing;
use super::listed_question::{self, says_something};
use super::open_statement::{can_be_open, is_marked, says_it_is_open};
use super::owner::owner_of;
use super::story::has_words;
use super::withdrawals;

/// The open points of a feature, a document or a meeting, in order.
pub(crate) fn open_points(text: &str, reading: &Reading, criteria: &[Criterion], profile: Profile) -> Vec<OpenPoint> {
    let mut out = Vec::new();
    let sentences = &reading.sentences;
    let search = Search::new(text, reading, criteria, profile);
    for (index, sentence) in sentences.iter().enumerate() {
        if stands_under_answered(text, reading, sentence) {
            if listed_question::begins_item(reading, index) && !is_content(text, reading, sentence) {
                out.extend(left_open(text, reading, sentence.block));
            }
            continue;
        }
        // An item of a list of questions is one point: its question is followed by the owner, the due date and the
        // default.
        let is_item = listed_question::is_item(reading, sentence);
        if is_item && !listed_question::begins_item(reading, index) {
            continue;
        }
        // "Answer: the first" closes its question; "Answer: TBD" leaves it open, and the question already reports that.
        if sentence.role == SectionRole::OpenQuestions && answers_its_question(text, reading, index) {
            continue;
        }
        let end = if is_item { listed_question::end_of_item(reading, index) } else { index + 1 };
        let candidate = Candidate { sentences: index..end, is_item };
        if search.is_open(&candidate) {
            let span = sentence.span.join(sentences[end - 1].span);
            out.push(OpenPoint { owner: None, span, core: search.is_core(&candidate) });
        }
    }
    out.extend(withdrawals::withdrawn(text, reading, criteria, search.is_talk));
    out.iter_mut().for_each(|point| point.owner = owner_of(text, reading, point.span));
    out
}

/// A sentence or an item that may be an open point.
struct Candidate {
    sentences: Range<usize>,
    /// It is an item of a list of questions.
    is_item: bool,
}

/// The properties of a text on which its open points depend.
struct Search<'t> {
    text: &'t str,
    reading: &'t Reading,
    /// The text is a conversation, a meeting or a mail.
    is_talk: bool,
    /// The unanswered questions in prose, in order.
    questions: Vec<usize>,
    /// The words by which a point is settled, in order.
    agreed: Vec<Span>,
    last_word: LastWord,
}

impl<'t> Search<'t> {
    fn new(text: &'t str, reading: &'t Reading, criteria: &[Criterion], profile: Profile) -> Self {
        let in_mails = || reading.blocks.iter().any(|block| block.kind == BlockKind::MailHeader);
        // A document of requirements may quote the mail that it was made from.
        let is_talk =
            profile == Profile::Meeting || reading.is_conversation || in_mails() && !has_requirements(reading);
        let settles = |hit: &&Hit| usize::from(hit.list.0) == Cue::Settled as usize;
        Self {
            text,
            reading,
            is_talk,
            questions: unanswered_questions(text, reading),
            agreed: reading.hits.iter().filter(settles).map(|hit| hit.span).collect(),
            last_word: LastWord::of(reading, criteria),
        }
    }

    fn is_open(&self, candidate: &Candidate) -> bool {
        let may_be = |at: &usize| can_be_open(&self.reading.sentences[*at]);
        candidate.sentences.clone().filter(may_be).any(|at| self.leaves_open(candidate, at))
    }

    /// Returns true if this sentence of a candidate leaves something open.
    fn leaves_open(&self, candidate: &Candidate, at: usize) -> bool {
        let (text, reading) = (self.text, self.reading);
        let sentence = &reading.sentences[at];
        let words = sentence.span.slice(text);
        let kind = reading.blocks[sentence.block].kind;
        let asks = words.ends_with(['?', '？']);
        let is_marked = || {
            // The heading "Open questions" is not an open point itself; the questions below it are.
            let names_a_list = matches!(kind, BlockKind::Heading(_))
                && (sentence.role == SectionRole::OpenQuestions || REVIEW_HEADINGS.has(&words.trim().to_lowercase()));
            // In a conversation "let's park it" is unambiguous; in a requirement "parked cars" are cars.
            let says_so = || self.is_talk || says_it_is_open(text, reading, sentence);
            // "It is unclear who has the shift" below "Problem" describes the problem, not an open decision.
            let tells_why = sentence.role == SectionRole::Rationale && !self.is_talk && !asks;
            !names_a_list && says_so() && (!tells_why || is_marked(text, reading, sentence))
        };
        let is_listed = || {
            let an_item = match kind {
                BlockKind::Paragraph => asks,
                BlockKind::Heading(_) => asks || stands_under_open(reading, sentence),
                _ => true,
            };
            let is_item = candidate.is_item;
            let says_enough = || has_words(words, if is_item { 2 } else { 3 }) || is_item && asks;
            let lists_nothing = || is_nothing(reading.sentences[candidate.sentences.start].span.slice(text));
            an_item && says_enough() && !lists_nothing()
        };
        sentence.cues.has(Cue::Open) && is_marked()
            || sentence.role == SectionRole::OpenQuestions && is_listed()
            || self.questions.binary_search(&at).is_ok()
    }

    /// Returns true if work cannot start without the answer.
    fn is_core(&self, candidate: &Candidate) -> bool {
        let (text, reading) = (self.text, self.reading);
        let Range { start, end } = candidate.sentences;
        let sentence = &reading.sentences[start];
        let settled = match candidate.is_item {
            true => listed_question::is_settled(text, reading, start..end),
            false => {
                is_settled(reading, start, &self.agreed)
                    || is_about_state(text, sentence)
                    || listed_question::has_outcome(text, reading, start)
            }
        };
        let discussed = reading.is_conversation || sentence.role == SectionRole::Notes;
        let answered = discussed && self.last_word.answers(reading, end - 1);
        let minor = matches!(
            sentence.role,
            SectionRole::Timeline
                | SectionRole::Metadata
                | SectionRole::Actions
                | SectionRole::Implementation
                | SectionRole::Resources
                | SectionRole::OutOfScope
                | SectionRole::Environment
                | SectionRole::Evidence
                | SectionRole::Alternatives
        ) || is_aside(text, reading, sentence);
        !settled && !answered && !minor
    }
}

/// Returns true for "Answered questions", which contain their answers, and "Assumptions", which are valid until a
/// reader objects.
fn stands_under_answered(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let heading = reading.sections.get(sentence.section).and_then(|section| section.heading);
    let is_assumed = |heading: Span| ASSUMED_HEADINGS.are_words_of(&heading.slice(text).to_lowercase());
    is_under_answered(text, reading, sentence.section)
        || is_content(text, reading, sentence)
        || sentence.role != SectionRole::OpenQuestions && heading.is_some_and(is_assumed)
}

/// Returns true below headings such as "Survey": these are questions that the product itself asks.
fn is_content(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let heading = reading.sections.get(sentence.section).and_then(|section| section.heading);
    heading.is_some_and(|heading| CONTENT_HEADINGS.are_words_of(&heading.slice(text).to_lowercase()))
}

/// Returns true for a remark about something else: "By the way, …".
fn is_aside(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let begins = |span: Span| {
        let words = span.slice(text).trim_start_matches(['(', '（', '*', '_', ' ']).to_lowercase();
        ASIDES.begin(&words)
    };
    begins(sentence.span) || reading.sections[sentence.section].heading.is_some_and(begins)
}

/// Returns true for a heading below another one of open questions, but not for the one that names the list.
fn stands_under_open(reading: &Reading, heading: &Sentence) -> bool {
    let above = reading.sections.get(heading.section).and_then(|section| section.parent);
    above.is_some_and(|above| reading.sections[above].role == SectionRole::OpenQuestions)
}

/// Returns true if one of the places, which are in order, is within a span.
fn within(places: &[Span], span: Span) -> bool {
    let from = places.partition_point(|place| place.start < span.start);
    places[from..].iter().take_while(|place| place.start < span.end).any(|place| place.end <= span.end)
}

/// Returns true if an agreed default in the same item, or in an adjacent sentence, makes the point minor.
fn is_settled(reading: &Reading, index: usize, agreed: &[Span]) -> bool {
    let sentence = &reading.sentences[index];
    let block = &reading.blocks[sentence.block];
    let own_block = block.kind != BlockKind::Turn || block.text.len() < 400;
    if sentence.cues.has(Cue::Settled) || own_block && within(agreed, block.text) {
        return true;
    }
    let next = reading
        .sentences
        .get(index + 1)
        .filter(|next| next.section == sentence.section && sentence.block.abs_diff(next.block) <= 1);
    next.is_some_and(|next| next.cues.has(Cue::Settled))
}

/// Returns true if the word names a state of the product: "Orders with status pending are shown".
fn is_about_state(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text).to_lowercase();
    let product_state = STATES.iter().any(|word| {
        [
            format!("\"{word}"),
            format!("“{word}"),
            format!("‘{word}"),
            format!("`{word}"),
            format!("「{word}"),
            format!("状态为{word}"),
            format!("为{word}"),
            format!("'{word}"),
        ]
        .iter()
        .any(|quoted| words.contains(quoted.as_str()))
    });
    product_state && sentence.cues.any(&[Cue::Observable, Cue::Condition])
}

/// The position of the last decision or rule of a conversation. It is computed once, because computing it per question
/// would take quadratic time.
struct LastWord {
    /// The index of the last sentence that decides.
    decided: Option<usize>,
    /// The start of the last verifiable criterion.
    ruled: Option<usize>,
}

impl LastWord {
    fn of(reading: &Reading, criteria: &[Criterion]) -> Self {
        let decides = |s: &Sentence| s.cues.has(Cue::Decision) && !s.cues.any(&[Cue::Open, Cue::Hedge]);
        Self {
            decided: reading.sentences.iter().rposition(decides),
            ruled: criteria.iter().filter(|c| c.verifiable).map(|c| c.span.start).max(),
        }
    }

    /// Returns true if a decision or a rule follows the question. Questions are normal in a conversation, so only those
    /// without one are open.
    fn answers(&self, reading: &Reading, index: usize) -> bool {
        let ruled = self.ruled.is_some_and(|start| start > reading.sentences[index].span.end);
        self.decided.is_some_and(|last| last > index) || ruled && reading.sentences.len() - index > 2
    }
}

/// Returns true for a text with a section of requirements or criteria.
fn has_requirements(reading: &Reading) -> bool {
    let is_one = |s: &Sentence| matches!(s.role, SectionRole::AcceptanceCriteria | SectionRole::Requirements);
    reading.sentences.iter().any(is_one)
}

/// Unanswered questions in prose: at least two, or one in which the author considers the solution.
fn unanswered_questions(text: &str, reading: &Reading) -> Vec<usize> {
    if reading.is_conversation {
        return Vec::new();
    }
    // "Can we add …?" in a wish among colleagues is the wish itself, asked politely.
    let is_formal = has_requirements(reading) || reading.sentences.iter().any(|s| s.cues.has(Cue::StoryRole));
    let asked: Vec<usize> = reading
        .sentences
        .iter()
        .enumerate()
        .filter(|(_, s)| can_be_open(s) && s.genre == Genre::Question && !s.cues.has(Cue::Aside))
        .filter(|(_, s)| {
            matches!(
                s.role,
                SectionRole::Body
                    | SectionRole::Demand
                    | SectionRole::Requirements
                    | SectionRole::AcceptanceCriteria
                    | SectionRole::EdgeCases
                    | SectionRole::Notes
                    | SectionRole::OpenQuestions
                    | SectionRole::Decisions
            )
        })
        .filter(|(_, s)| has_words(s.span.slice(text), 2) && s.span.slice(text).ends_with(['?', '？']))
        .filter(|(_, s)| !begins_answer(s.span.slice(text)))
        .filter(|(_, s)| {
            is_formal || !matches!(s.role, SectionRole::Body | SectionRole::Demand) || deliberates(text, s)
        })
        .filter(|(index, s)| !is_answered_at_once(text, reading, *index, s))
        .map(|(index, _)| index)
        .collect();
    // A single question may be politeness, except among criteria or about the solution.
    let is_meant = |index: &usize| {
        let sentence = &reading.sentences[*index];
        let is_rule = sentence.binds() || sentence.role == SectionRole::EdgeCases;
        is_rule && sentence.span.len() <= LONGEST_QUESTION || deliberates(text, sentence)
    };
    if asked.len() >= 2 { asked } else { asked.into_iter().filter(is_meant).collect() }
}

/// Returns true for a rhetorical question with its answer: "What if the file is empty? Then nothing is written."
fn is_answered_at_once(text: &str, reading: &Reading, index: usize, sentence: &Sentence) -> bool {
    let same_block = |other: &&Sentence| {
        other.block == sentence.block
            || other.block == sentence.block + 1
                && (reading.blocks[other.block].kind == BlockKind::Paragraph || reading.blocks[other.block].quoted)
    };
    // "Q: … A: …": the notation of testers for questions that they asked.
    let words = sentence.span.slice(text);
    if words.starts_with("Q:") || words.contains(" Q: ") {
        let behind = reading.sentences.iter().skip(index + 1).take(4).map(|next| next.span.slice(text));
        let answer = behind.into_iter().find(|words| words.starts_with("A:"));
        return answer.is_some_and(|answer| !answer.contains("ot answered") && !answer.contains("ot Answered"));
    }
    let next = reading.sentences.get(index + 1).filter(same_block);
    next.is_some_and(|next| {
        let answer = next.span.slice(text);
        if begins_answer(answer) {
            return !answer.contains("ot answered") && !answer.contains("ot Answered") && !answer.contains("ot Tested");
        }
        // A choice in a separate paragraph is not answered by the next paragraph.
        let is_beside = next.block == sentence.block || reading.blocks[next.block].quoted;
        !answer.ends_with(['?', '？'])
            && !next.cues.any(&[Cue::Open, Cue::Hedge])
            && !COMPARISONS.are_words_of(&answer.to_lowercase())
            && (is_beside || !deliberates(text, sentence))
            && has_words(answer, if is_beside { 1 } else { 3 })
    })
}

/// Returns true for "A: yes", 答：两次.
fn begins_answer(words: &str) -> bool {
    brief_answers::LABELS.begin(&words.trim_start_matches(['*', ' ']).to_lowercase())
}

/// The spans of all decisions of a meeting that were not withdrawn.
pub(crate) fn decisions(text: &str, reading: &Reading) -> Vec<Span> {
    let listed = reading
        .sentences
        .iter()
        .filter(|s| s.role == SectionRole::Decisions && !matches!(s.genre, Genre::Heading | Genre::Question));
    let mut out: Vec<Span> = listed.map(|s| s.span).collect();
    if out.is_empty() {
        let said = reading.sentences.iter().filter(|s| {
            s.cues.has(Cue::Decision)
                && can_be_open(s)
                && !s.cues.any(&[Cue::Open, Cue::Hedge])
                && has_words(s.span.slice(text), 3)
        });
        out.extend(said.map(|s| s.span));
    }
    out
}

/// The longest question in bytes; longer ones are lists of statements that end with a question.
const LONGEST_QUESTION: usize = 200;

/// The greatest distance of an answer from its question, in sentences.
const FURTHEST_ANSWER: usize = 40;

/// Returns true for a question of a list with an answer below it, and for every sentence of that answer, even if it is
/// blank.
fn answers_its_question(text: &str, reading: &Reading, index: usize) -> bool {
    let sentences = &reading.sentences;
    let words = |at: usize| sentences[at].span.slice(text).trim_start_matches(['*', ' ']);
    let begins_answer = |at: usize| brief_answers::LABELS.begin(&words(at).to_lowercase());
    let begins_item = |at: usize| {
        let block = &reading.blocks[sentences[at].block];
        let is_first = at == 0 || sentences[at - 1].block != sentences[at].block;
        is_first && matches!(block.kind, BlockKind::ListItem | BlockKind::Heading(_)) && !begins_answer(at)
    };
    let earliest = index.saturating_sub(FURTHEST_ANSWER);
    let Some(first) = (earliest..=index).rev().find(|at| begins_item(*at)) else { return false };
    let latest = sentences.len().min(index + FURTHEST_ANSWER);
    let end = (first + 1..latest).find(|at| begins_item(*at)).unwrap_or(latest);
    let Some(answer) = (first..end).find(|at| begins_answer(*at)) else {
        // "[x] Which format? CSV."
        let item = Span::new(sentences[first].span.start, sentences[end - 1].span.end).slice(text);
        let is_ticked = reading.blocks[sentences[first].block].checked == Some(true);
        return is_ticked
            && item.split_once(['?', '？']).is_some_and(|(_, answer)| says_something(answer) && !leaves_open(answer));
    };
    let given = Span::new(sentences[answer].span.start, sentences[end - 1].span.end).slice(text);
    let given = given.split_once([':', '：', '→']).map_or(given, |(_, given)| given);
    let is_open = (answer..end).any(|at| sentences[at].cues.has(Cue::Open));
    index >= answer || says_something(given) && !is_open && !leaves_open(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str) -> Vec<String> {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let reading = reader.read(text, None);
        let points = crate::stages::structuring::structure(text, &reading, Profile::Prd).facets.open_points;
        points.iter().filter(|point| point.core).map(|point| point.span.slice(text).to_owned()).collect()
    }

    #[test]
    fn a_heading_of_open_questions_with_nothing_below_leaves_nothing_open() {
        for heading in
            ["## Open questions", "## 7. Open questions", "## 7.2 Open questions and decisions", "## 七、待解问题"]
        {
            for nothing in ["None.", "无。", "- None"] {
                assert_eq!(
                    open(&format!("# Calendars\n\n{heading}\n\n{nothing}\n")),
                    Vec::<String>::new(),
                    "{heading}"
                );
            }
        }
        let topic = "# Calendars\n\n## 7. Open questions\n\n### Who may see holidays?\n\n### Format of the export\n";
        assert_eq!(open(topic), ["Format of the export"]);
    }

    #[test]
    fn the_account_of_a_problem_leaves_nothing_to_decide() {
        let below = |heading: &str, words: &str| open(&format!("# Shifts\n\n## {heading}\n\n{words}\n"));
        let unclear =
            "It is unclear who has a shift while a swap is being arranged; that is more of a problem than the typing.";
        for heading in ["Problem", "1. Background", "Motivation", "背景"] {
            assert_eq!(below(heading, unclear), Vec::<String>::new(), "{heading}");
        }
        assert_eq!(below("背景", "换班期间不确定由谁值班。"), Vec::<String>::new());
        assert_eq!(below("Requirements", unclear).len(), 1);
        for words in ["The number of swaps a week is TBD.", "The number is to be defined.", "每周换班的次数待定。"]
        {
            assert_eq!(below("Problem", words).len(), 1, "{words}");
        }
    }
}
