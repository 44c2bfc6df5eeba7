//! Finds out what the author did not say: source type and ticket type.

mod form;
mod kind;
mod sign;
mod signs;

pub use kind::Kind;
pub use sign::Sign;
pub use signs::Signs;

use crate::model::{Detected, SectionRole, SourceType, Span, TicketType};
use crate::text::{BlockKind, Cue, Reading, speakers};

use super::RawInput;

/// The kind that the filled field of an issue form names, near the top of the text.
pub fn form_says(text: &str) -> Option<TicketType> {
    match form::answer(text) {
        Some(form::Answer::Kind(kind)) => Some(kind),
        Some(form::Answer::Other) | None => None,
    }
}

/// What kind of document this is: as stated, else by speakers, headings and markup.
pub fn source_type(input: &RawInput, reading: &Reading) -> Detected<SourceType> {
    if let Some(stated) = input.source_type {
        return Detected::stated(stated);
    }
    Detected::read_off(detected_source(&input.text, reading))
}

/// True for minutes that give each turn an item of a list: `- Anna: …`.
fn people_speak_in_items(text: &str) -> bool {
    let items: String =
        text.lines().map(|line| line.trim_start_matches([' ', '-', '*', '•']).to_owned() + "\n").collect();
    !speakers(&items, &|_| false).is_empty()
}

fn detected_source(text: &str, reading: &Reading) -> SourceType {
    let start = Span::new(0, floor(text, 600));
    let opening = reading.cues_in(start);
    let has = |role| reading.has_section(role);
    let meeting_sections =
        [SectionRole::Decisions, SectionRole::Actions, SectionRole::Metadata].iter().filter(|role| has(**role)).count();
    let title = reading.title.map(|title| reading.cues_in(title)).unwrap_or_default();
    let criteria = has(SectionRole::AcceptanceCriteria);
    // A word alone proves nothing: products have meetings, threads, recordings and actions too.
    if reading.is_conversation
        || title.has(Cue::MeetingWord) && !criteria && people_speak_in_items(text)
        || opening.has(Cue::MeetingWord) && meeting_sections >= 1 && !criteria
    {
        return SourceType::MeetingTranscript;
    }
    let document_sections = [
        SectionRole::Requirements,
        SectionRole::NonFunctional,
        SectionRole::Goals,
        SectionRole::Metrics,
        SectionRole::OutOfScope,
        SectionRole::Scope,
        SectionRole::Audience,
        SectionRole::Risks,
        SectionRole::Timeline,
    ];
    let sections = document_sections.iter().filter(|role| has(**role)).count();
    let labelled = reading
        .blocks
        .iter()
        .filter(|block| block.label.is_some_and(|label| label.slice(text).contains("FR-")))
        .count();
    if title.has(Cue::DocumentWord) || sections >= 4 || sections >= 3 && labelled >= 2 {
        return SourceType::PrdDoc;
    }
    let jira = text.contains("{code")
        || text.contains("{noformat}")
        || text.lines().any(|line| line.starts_with("h2. ") || line.starts_with("h3. ") || line.starts_with("||"));
    if jira {
        return SourceType::JiraTicket;
    }
    let markdown = reading.blocks.iter().any(|b| matches!(b.kind, BlockKind::Heading(2..=4))) && text.contains("## ")
        || text.contains("_No response_");
    if markdown { SourceType::GitHubIssue } else { SourceType::PlainText }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// What the ticket asks for, and what it is judged as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// As stated, else by the words of its title, headings and sentences.
    pub ticket_type: Detected<TicketType>,
    /// The same, unless a question was detected and not surely; see [`Kind::judged_as`].
    pub judged_as: TicketType,
}

/// What the ticket asks for: as stated, else as its text shows it.
pub fn asked(input: &RawInput, reading: &Reading, source: SourceType) -> Asked {
    if let Some(stated) = input.ticket_type {
        return Asked { ticket_type: Detected::stated(stated), judged_as: stated };
    }
    let kind = kind(&input.text, reading, source);
    Asked { ticket_type: Detected::read_off(kind.best), judged_as: kind.judged_as() }
}

/// What a text asks for of which it is known that it asks for something: as the user states, else the better of bug and feature.
pub fn required(input: &RawInput, reading: &Reading, source: SourceType) -> Asked {
    match input.ticket_type {
        Some(_) => asked(input, reading, source),
        None => {
            let requirement = kind(&input.text, reading, source).requirement;
            Asked { ticket_type: Detected::read_off(requirement), judged_as: requirement }
        }
    }
}

/// The kind of a ticket as its text shows it, whatever anybody states, with the distance to the second best.
pub fn kind(text: &str, reading: &Reading, source: SourceType) -> Kind {
    Kind::of(&Signs::read(text, reading), source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn source(text: &str) -> SourceType {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        let line = text.find('\n').unwrap_or(text.len());
        detected_source(text, &book.reader.read(text, Some(Span::new(0, line))))
    }

    #[test]
    fn a_title_with_a_word_of_meetings_makes_no_minutes() {
        for ticket in [
            "Bulk actions wizard sorts wrongly\n\nThe jobs should stand below their chain, not at the bottom.",
            "Worker thread hangs in the sync task\n\nPlans that were deleted come back after the nightly run.",
            "Mute button in the recording view\n\nA click on it does nothing while a meeting is recorded.",
            "讨论区的帖子无法删除\n\n点击删除后帖子仍然显示在列表中。",
        ] {
            assert_ne!(source(ticket), SourceType::MeetingTranscript, "{ticket}");
        }
    }

    #[test]
    fn people_who_speak_or_what_was_decided_make_minutes() {
        for minutes in [
            "Sync, export\n\n- Ana: the file is CSV.\n- Ben: ok, with a header.\n- Ana: yes.\n- Ben: Then that is it.",
            "Export huddle\n\nAttendees: Ana, Ben\n\n## Decisions\n\nThe file is CSV.",
            "会议纪要：导出\n\n决议：\n- 文件格式为 CSV\n\n待办：\n- 小李补充表头",
        ] {
            assert_eq!(source(minutes), SourceType::MeetingTranscript, "{minutes}");
        }
    }
}
