//! Counts the statements of a text, in any form, that a tester could check as done or not done.
//!
//! Statements of intended behaviour count by default. Exceptions are statements that are vague, open, a wish for
//! effort, a report of the current state, or a repetition of the title.

use crate::stages::structuring::criteria::{item_end, may_hold, scenario_end};
use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::words::forms::CONFIRMATIONS;
use reqgate_text::{BlockKind, Cue, Reading, Sentence};

use super::amounts;

/// The points that a verifiable statement needs.
const ENOUGH: i32 = 2;
/// The largest number of statements to count.
const MOST: usize = 12;

/// The verifiable statements, in order, at most twelve.
pub(super) fn statements(text: &str, reading: &Reading) -> Vec<Span> {
    let title = reading.title.map(|title| content_words(title.slice(text))).unwrap_or_default();
    let mut found = Vec::new();
    let mut said: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    while at < reading.sentences.len() && found.len() < MOST {
        let sentence = &reading.sentences[at];
        if sentence.genre == Genre::GherkinStep {
            let end = scenario_end(text, &reading.sentences, at);
            found.push(sentence.span.join(reading.sentences[end - 1].span));
            at = end;
            continue;
        }
        let end = item_end(reading, at);
        let item = &reading.sentences[at..end];
        let best = item.iter().map(|s| points(text, reading, s, &title)).max().unwrap_or(0);
        let span = item[0].span.join(item[item.len() - 1].span);
        if best >= ENOUGH {
            let words = content_words(span.slice(text));
            if !said.iter().any(|earlier| repeats(&words, earlier)) {
                said.push(words);
                found.push(span);
            }
        }
        at = end;
    }
    found
}

fn points(text: &str, reading: &Reading, sentence: &Sentence, title: &[String]) -> i32 {
    let block = &reading.blocks[sentence.block];
    let role = role(reading, sentence);
    if sentence.struck || sentence.is_placeholder || block.quoted || !can_hold(role, sentence.genre) {
        return 0;
    }
    let words = sentence.span.slice(text);
    let trimmed = words.trim();
    if trimmed.ends_with(['?', '？']) || trimmed.starts_with("![") || amounts::words(words) < 3 {
        return 0;
    }
    let cues = sentence.cues;
    let listed = matches!(block.kind, BlockKind::ListItem | BlockKind::TableRow { .. });
    let mut points = match role {
        SectionRole::AcceptanceCriteria | SectionRole::Requirements => 3,
        SectionRole::Expected | SectionRole::EdgeCases | SectionRole::NonFunctional | SectionRole::Decisions => 2,
        SectionRole::Demand | SectionRole::Story | SectionRole::Scope => 1,
        _ => 0,
    };
    if listed {
        // A list below a wish names its parts, and checkboxes are meant to be checked.
        points += if is_own_confirmation(words) { -4 } else { 2 + i32::from(block.checked.is_some()) };
    }
    for (any, value) in [
        (&[Cue::Obligation, Cue::Wanted, Cue::Need, Cue::Wish][..], 1),
        (&[Cue::Observable], 1),
        (&[Cue::Condition], 1),
        (&[Cue::Bound], 1),
        (&[Cue::Failure], 1),
        (&[Cue::Hedge], -1),
        (&[Cue::Proposal], -1),
        (&[Cue::Open], -3),
        (&[Cue::Process], -2),
        (&[Cue::Placeholder], -3),
        (&[Cue::Elsewhere], -2),
        (&[Cue::Empty], -3),
        (&[Cue::Narrative], -1),
        (&[Cue::Pain], -1),
        (&[Cue::Explanation], -1),
        (&[Cue::Aside], -2),
    ] {
        points += if cues.any(any) { value } else { 0 };
    }
    points += i32::from(cues.has(Cue::Obligation) && cues.has(Cue::Observable));
    points += i32::from(has_value(words) || amounts::names_of_code(words) > 0);
    points += i32::from(orders(reading, sentence));
    if cues.any(&[Cue::Vague, Cue::Improve]) && !has_value(words) {
        points -= if cues.has(Cue::Observable) { 1 } else { 3 };
    }
    // Comparing with the title is expensive and matters only for statements that would count.
    points - if points >= ENOUGH && !listed && restates(words, title) { 2 } else { 0 }
}

/// Returns true for a checkbox of the form, not of the change: "I have searched the open issues".
fn is_own_confirmation(words: &str) -> bool {
    let start: String = words.trim_start_matches(|c: char| !c.is_alphanumeric()).chars().take(9).collect();
    CONFIRMATIONS.en.iter().any(|own| start.starts_with(own)) || start.starts_with("我")
}

/// Returns true if an earlier statement contains most words of this one.
fn repeats(own: &[String], earlier: &[String]) -> bool {
    !own.is_empty() && shared(own, earlier) * 4 >= own.len() * 3
}

/// Returns true for words with a number or quotation marks.
fn has_value(words: &str) -> bool {
    words.bytes().any(|b| b.is_ascii_digit())
        || words.matches('"').count() >= 2
        || words.contains(['“', '「', '『', '《'])
}

/// Returns true if an order begins the sentence: "Add a button …", "Rename it to …".
fn orders(reading: &Reading, sentence: &Sentence) -> bool {
    [Cue::TitleVerb, Cue::Imperative].iter().any(|cue| {
        let first = reading.find_cue(sentence.span, *cue);
        first.is_some_and(|verb| verb.start <= sentence.span.start + 2)
    })
}

/// Returns true if the sentence contains almost no word that is not in the title.
fn restates(words: &str, title: &[String]) -> bool {
    !title.is_empty() && content_words(words).iter().filter(|word| !title.contains(word)).count() < 2
}

/// The role of the sentence's section; below a heading that contains a story, it is part of the story.
fn role(reading: &Reading, sentence: &Sentence) -> SectionRole {
    let heading = reading.sections[sentence.section].heading;
    let tells_story = heading.is_some_and(|heading| reading.cues_in(heading).has(Cue::StoryRole));
    if tells_story { SectionRole::Story } else { sentence.role }
}

fn can_hold(role: SectionRole, genre: Genre) -> bool {
    let by_genre = match genre {
        Genre::Title | Genre::Heading | Genre::Code | Genre::Quotation | Genre::Question | Genre::UserStory => false,
        // A sentence below a story heading is an aside only because of that heading.
        Genre::Aside => role == SectionRole::Story,
        _ => true,
    };
    may_hold(role) && by_genre
}
