//! Detects the source type and the ticket type if the author did not state them.

mod form;
mod kind;
mod sign;
mod signs;

pub use kind::Kind;
pub use sign::Sign;
pub use signs::Signs;

use reqgate_base::model::{Detected, SectionRole, SourceType, Span, TicketType};
use reqgate_text::{BlockKind, Cue, Reading, Section, speakers};

use super::RawInput;

/// The kind that a filled-in field of an issue form names near the top of the text.
pub(crate) fn form_says(text: &str) -> Option<TicketType> {
    match form::answer(text) {
        Some(form::Answer::Kind(kind)) => Some(kind),
        Some(form::Answer::Other) | None => None,
    }
}

/// The kind of document: as stated, or detected from speakers, headings and markup. An issue of a tracker may contain
/// minutes or a document.
pub(crate) fn source_type(input: &RawInput, reading: &Reading) -> Detected<SourceType> {
    if let Some(stated) = input.source_type {
        return Detected::stated(stated);
    }
    match (detected_source(&input.text, reading), input.tracker) {
        (found @ (SourceType::PrdDoc | SourceType::MeetingTranscript), _) | (found, None) => Detected::read_off(found),
        (_, Some(tracker)) => Detected::stated(tracker),
    }
}

/// Returns true for minutes that write each turn as a list item: `- Anna: …`.
fn people_speak_in_items(text: &str) -> bool {
    let items: String =
        text.lines().map(|line| line.trim_start_matches([' ', '-', '*', '•']).to_owned() + "\n").collect();
    !speakers(&items, &|_| false).is_empty()
}

/// Returns true if the span contains a word of meetings; "5 minutes" is a time.
fn names_a_meeting(text: &str, reading: &Reading, span: Span) -> bool {
    let is_counted = |at: usize| text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit());
    reading.cues_of(span, Cue::MeetingWord).any(|word| !is_counted(word.start))
}

/// Returns true for the parts of minutes: decisions and actions, or lines such as the date in a text that is titled as
/// minutes or lists the people present. Other documents also have a date and a history.
fn has_parts_of_minutes(text: &str, reading: &Reading, is_titled: bool) -> bool {
    let is_part = |role| matches!(role, SectionRole::Decisions | SectionRole::Actions);
    // "Date: 12 March" below the title. A history under a heading belongs to a document.
    let is_line = |section: &Section| section.role == SectionRole::Metadata && is_titled && section.is_by_a_line();
    reading.sections.iter().any(|section| {
        let names_one = |heading| section.role == SectionRole::Metadata && names_a_meeting(text, reading, heading);
        section.heading.is_some_and(|heading| is_part(section.role) || is_line(section) || names_one(heading))
    })
}

/// Returns true if a bug report states at least two of steps, expected behaviour and actual behaviour.
fn is_report(reading: &Reading) -> bool {
    let parts = [SectionRole::Steps, SectionRole::Expected, SectionRole::Actual];
    parts.iter().filter(|role| reading.has_section(**role)).count() >= 2
}

/// The fewest sentences of a document without headings, regardless of its title.
const SENTENCES_OF_A_DOCUMENT: usize = 8;

fn detected_source(text: &str, reading: &Reading) -> SourceType {
    let start = Span::new(0, floor(text, 600));
    // "# Introduction" is not a document's title, but shows that the text is a document.
    let first = || reading.blocks.iter().find(|block| matches!(block.kind, BlockKind::Heading(_)));
    let title = reading.title.or_else(|| first().map(|block| block.text));
    let title = title.map(|title| reading.cues_in(title)).unwrap_or_default();
    let is_titled = reading.title.is_some_and(|title| names_a_meeting(text, reading, title));
    let criteria = reading.has_section(SectionRole::AcceptanceCriteria);
    // A word alone is not a proof, because products also have meetings, threads, recordings and actions.
    if reading.is_conversation
        || is_titled && !criteria && people_speak_in_items(text)
        || names_a_meeting(text, reading, start) && !criteria && has_parts_of_minutes(text, reading, is_titled)
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
    // A heading without words below it does not count as a section.
    let has = |role: &&SectionRole| reading.has_section(**role) && reading.in_role(**role).next().is_some();
    let sections = document_sections.iter().filter(has).count();
    let labelled = reading
        .blocks
        .iter()
        .filter(|block| block.label.is_some_and(|label| label.slice(text).contains("FR-")))
        .count();
    // Bug reports also have a scope and risks, and may concern goals and requirements.
    let is_fault = || kind(text, reading, SourceType::PlainText).requirement == TicketType::Bug;
    // "Risks of memory" above two sentences is a title: neither a document nor a section of one.
    let has_headings =
        || reading.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading(_))).count() >= 2;
    let is_long = || reading.sentences.len() >= SENTENCES_OF_A_DOCUMENT || has_headings();
    let is_called_so =
        title.has(Cue::DocumentWord) && (sections >= 2 || sections == 1 && has_headings() || is_long() && !is_fault());
    if (is_called_so || sections >= 4 || sections >= 3 && labelled >= 2) && !(is_report(reading) && is_fault()) {
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

/// The detected kind of a ticket, and the kind as which it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectedKind {
    /// The stated kind, or the kind detected from title, headings and sentences.
    pub ticket_type: Detected<TicketType>,
    /// The same kind, unless a question was detected without certainty; see [`Kind::judged_as`].
    pub(crate) judged_as: TicketType,
}

/// Returns the kind of a ticket: as stated, or detected from its text.
pub(crate) fn asked(input: &RawInput, reading: &Reading, source: SourceType) -> DetectedKind {
    if let Some(stated) = input.ticket_type {
        return DetectedKind { ticket_type: Detected::stated(stated), judged_as: stated };
    }
    let kind = kind(&input.text, reading, source);
    DetectedKind { ticket_type: Detected::read_off(kind.best), judged_as: kind.judged_as() }
}

/// Returns the kind of a text that is known to ask for something: as the user states, or else the better of bug and
/// feature.
pub(crate) fn required(input: &RawInput, reading: &Reading, source: SourceType) -> DetectedKind {
    match input.ticket_type {
        Some(_) => asked(input, reading, source),
        None => {
            let requirement = kind(&input.text, reading, source).requirement;
            DetectedKind { ticket_type: Detected::read_off(requirement), judged_as: requirement }
        }
    }
}

/// Detects the kind of a ticket from its text alone, with the distance to the second best.
pub(crate) fn kind(text: &str, reading: &Reading, source: SourceType) -> Kind {
    Kind::of(&Signs::read(text, reading), source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules as rules;

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
    fn documents_with_a_date_and_times_in_minutes_are_not_minutes() {
        for document in [
            "# Goals\n\nRecover a device below 5 minutes.\n\n## Change log\n\n| Date | Author |\n|---|---|\n| 2026-03-02 | Ana |\n",
            "# Archive of threads\n\nOld threads are archived.\n\nDate: 2026-03-02\nStatus: draft\n",
            "# Session ends after 30 minutes\n\nAfter 30 minutes the page asks for the password.\n\nDate: 2026-03-02\n",
            "# 归档讨论\n\n旧帖子自动归档。\n\n## 修订记录\n\n2026-03-02 初稿\n",
        ] {
            assert_ne!(source(document), SourceType::MeetingTranscript, "{document}");
        }
    }

    #[test]
    fn a_report_of_a_fault_is_not_a_document_of_requirements() {
        for report in [
            "PRD export crashes\n\n## Steps to reproduce\n\n1. Export\n\n## Actual\n\nIt crashes.\n",
            "Scope filter crashes with an error\n\nThe page crashes after a click on the filter.\n",
            "Login fails\n\n## Scope\n\nAll.\n\n## Risks\n\nNo work.\n\n## Goals\n\nWork.\n\n## Timeline\n\nNow.\n\n## Expected\n\nThe start page.\n\n## Actual\n\nAn error.\n",
            "需求列表打开时崩溃\n\n## 复现步骤\n\n1. 打开列表\n\n## 实际结果\n\n程序崩溃\n",
        ] {
            assert_ne!(source(report), SourceType::PrdDoc, "{report}");
        }
    }

    #[test]
    fn a_title_alone_makes_no_document_of_a_short_text() {
        for ticket in [
            "# Staged rollout\n\nI see a blank screen since the update to 2.4. In 2.3 it worked.\n",
            "# Table of contents\n\nShow it beside the text.\n",
            "# 内存风险\n\n上传 2GB 文件时进程占用大量内存。建议流式写入临时文件。\n",
            "# 概述页\n\n在首页增加概述页。\n",
        ] {
            assert_ne!(source(ticket), SourceType::PrdDoc, "{ticket}");
        }
        let document = "# Rollout\n\n## Goals\n\nFewer calls.\n";
        assert_eq!(source(document), SourceType::PrdDoc);
    }

    #[test]
    fn an_empty_heading_makes_no_document() {
        let three = "Export\n\n## Goals\n\nFewer calls.\n\n## Risks\n\nNone known.\n\n## Timeline\n\nMay.\n";
        assert_eq!(source(three), source(&format!("{three}\n## Metrics\n")));
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
