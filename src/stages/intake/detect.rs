//! Finds out what the author did not say: source type and ticket type.
//!
//! Each sign of a type counts some points and the most points win; the figures were set by hand on public issue trackers
//! (measured by `reqgate eval`), and a text that gives no sign is a feature, the kind whose rules ask for the least context.

use crate::model::{Detected, Genre, SectionRole, SourceType, TicketType};
use crate::text::{BlockKind, Cue, Reading};

use super::RawInput;

/// What kind of document this is: as stated, else by speakers, headings and markup.
pub fn source_type(input: &RawInput, reading: &Reading) -> Detected<SourceType> {
    if let Some(stated) = input.source_type {
        return Detected::stated(stated);
    }
    Detected::read_off(detected_source(&input.text, reading))
}

fn detected_source(text: &str, reading: &Reading) -> SourceType {
    let start = crate::model::Span::new(0, floor(text, 600));
    let opening = reading.cues_in(start);
    let has = |role| reading.has_section(role);
    let meeting_sections =
        [SectionRole::Decisions, SectionRole::Actions, SectionRole::Metadata].iter().filter(|role| has(**role)).count();
    let title = reading.title.map(|title| reading.cues_in(title)).unwrap_or_default();
    let criteria = has(SectionRole::AcceptanceCriteria);
    if reading.is_conversation
        || title.has(Cue::MeetingWord) && !criteria
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

/// What the ticket asks for: as stated, else by the words of its title, headings and sentences.
pub fn ticket_type(input: &RawInput, reading: &Reading, source: SourceType) -> Detected<TicketType> {
    if let Some(stated) = input.ticket_type {
        return Detected::stated(stated);
    }
    Detected::read_off(detected_type(&input.text, reading, source))
}

/// Points for each type, in the order of `TicketType::ALL`.
#[derive(Debug, Clone, Copy, Default)]
struct Points {
    feature: i32,
    bug: i32,
    task: i32,
    question: i32,
}

fn detected_type(text: &str, reading: &Reading, source: SourceType) -> TicketType {
    let mut points = Points::default();
    points.add_title(text, reading);
    points.add_sections(reading);
    points.add_sentences(text, reading, source);
    if source == SourceType::PrdDoc {
        points.feature += 8;
    }
    if source == SourceType::MeetingTranscript {
        // In a talk everybody asks questions; only steps and faults make it a bug.
        points.feature += 4;
        points.question = 0;
        points.task = 0;
    }
    let best = points.feature.max(points.bug).max(points.task).max(points.question);
    if points.bug == best && best > 0 {
        TicketType::Bug
    } else if points.feature == best {
        TicketType::Feature
    } else if points.question == best {
        TicketType::Question
    } else {
        TicketType::Task
    }
}

impl Points {
    fn add_title(&mut self, text: &str, reading: &Reading) {
        let Some(title) = reading.title else { return };
        let words = title.slice(text);
        let lower = words.to_lowercase();
        let cues = reading.cues_in(title);
        let starts = |terms: &[&str]| {
            let bare = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
            terms.iter().any(|term| bare.starts_with(term))
        };
        if starts(&["bug", "[bug", "defect", "缺陷", "crash", "regression"]) {
            self.bug += 6;
        }
        if starts(&["feature", "feat", "enhancement", "suggestion", "proposal", "idea", "rfe", "需求", "建议", "wish"])
        {
            self.feature += 6;
        }
        if starts(&[
            "question",
            "咨询",
            "求助",
            "请教",
            "how to",
            "how do",
            "how can",
            "请问",
            "如何",
            "怎么",
            "what is",
            "why ",
            "help",
            "is it possible",
            "is there",
            "can i",
            "should i",
            "does ",
            "question:",
            "提问",
            "疑问",
        ]) {
            self.question += 6;
        }
        if starts(&[
            "chore",
            "task",
            "任务",
            "bump",
            "upgrade",
            "refactor",
            "migrate",
            "clean",
            "rotate",
            "renew",
            "rename",
            "remove unused",
            "spike",
            "investigate",
            "update dependencies",
            "docs",
            "[docs",
            "[chore",
            "[task",
            "升级",
            "清理",
            "重构",
            "迁移",
            "续期",
            "更换",
            "调研",
            "ci:",
            "build:",
            "deps",
        ]) {
            self.task += 5;
        }
        self.bug += if cues.has(Cue::BugWord) { 2 } else { 0 };
        self.task += if cues.has(Cue::Chore) { 3 } else { 0 };
        self.feature += if cues.any(&[Cue::FeatureWord, Cue::TitleVerb]) { 2 } else { 0 };
        self.question += if cues.has(Cue::Asking) { 2 } else { 0 };
        self.question +=
            if words.trim_end().ends_with(['?', '？']) { 1 + 2 * i32::from(cues.has(Cue::Asking)) } else { 0 };
    }

    fn add_sections(&mut self, reading: &Reading) {
        let filled = |role| {
            reading.in_role(role).next().is_some()
                || reading
                    .blocks
                    .iter()
                    .zip(&reading.section_of)
                    .any(|(b, s)| b.is_code() && reading.sections[*s].role == role)
        };
        for (role, points) in [
            (SectionRole::Steps, 6),
            (SectionRole::Expected, 4),
            (SectionRole::Actual, 4),
            (SectionRole::Environment, 2),
            (SectionRole::Evidence, 1),
        ] {
            self.bug += if reading.has_section(role) { points / 2 } else { 0 };
            self.bug += if filled(role) { points / 2 } else { 0 };
        }
        for (role, points) in [
            (SectionRole::AcceptanceCriteria, 7),
            (SectionRole::Story, 5),
            (SectionRole::Requirements, 4),
            (SectionRole::Alternatives, 3),
            (SectionRole::Goals, 2),
            (SectionRole::OutOfScope, 2),
            (SectionRole::EdgeCases, 2),
            (SectionRole::Demand, 1),
        ] {
            self.feature += if reading.has_section(role) { points } else { 0 };
        }
    }

    fn add_sentences(&mut self, text: &str, reading: &Reading, source: SourceType) {
        let body = || {
            reading
                .sentences
                .iter()
                .filter(|s| !matches!(s.genre, Genre::Title | Genre::Heading | Genre::Code | Genre::Quotation))
        };
        let count = |cue: Cue| i32::try_from(body().filter(|s| s.cues.has(cue)).count().min(6)).unwrap_or(6);
        let sentences = i32::try_from(body().count().max(1)).unwrap_or(i32::MAX);
        let asked =
            i32::try_from(body().filter(|s| s.span.slice(text).ends_with(['?', '？'])).count().min(6)).unwrap_or(6);
        if body().any(|s| s.genre == Genre::UserStory) {
            self.feature += 7;
        }
        if body().any(|s| s.genre == Genre::GherkinStep) {
            self.feature += 4;
        }
        // "Add a checkbox …" asks for something as much as "I want a checkbox".
        let orders = |s: &crate::text::Sentence| {
            let verb = reading.find_cue(s.span, Cue::TitleVerb).is_some_and(|verb| verb.start == s.span.start);
            verb && s.role != SectionRole::Steps && reading.blocks[s.block].kind == BlockKind::Paragraph
        };
        let wants = |s: &crate::text::Sentence| s.cues.has(Cue::Need) || orders(s);
        let needs = reading
            .sentences
            .iter()
            .any(|s| s.genre != Genre::Code && wants(s) && !s.span.slice(text).ends_with(['?', '？']));
        let titled_bug = reading.title.is_some_and(|title| reading.cues_in(title).has(Cue::BugWord));
        let reported = [SectionRole::Steps, SectionRole::Expected, SectionRole::Actual]
            .iter()
            .any(|role| reading.has_section(*role));
        if (needs || reading.in_role(SectionRole::Demand).next().is_some()) && !titled_bug && !reported {
            // Who asks for something describes today's faults as his reason.
            self.bug -= 4;
            self.feature += 1;
        }
        // Told in one breath: what was done, what came of it, what should have, and where.
        let acted = body().any(|s| reading.count_cue(s.span, Cue::StepVerb) >= 2);
        let located =
            body().any(|s| s.cues.has(Cue::Platform) && s.span.slice(text).chars().any(|c| c.is_ascii_digit()));
        if source != SourceType::MeetingTranscript
            && acted
            && located
            && body().any(|s| s.cues.has(Cue::Expectation))
            && !needs
        {
            self.bug += 5;
        }
        let dump = |b: &&crate::text::Block| {
            b.is_code()
                && ["Exception", "Error:", "Traceback", "panicked", "\tat ", "    at "]
                    .iter()
                    .any(|mark| b.text.slice(text).contains(mark))
        };
        if reading.blocks.iter().any(|b| dump(&b)) {
            self.bug += 3;
        }
        self.feature += count(Cue::Need).min(3) + count(Cue::FeatureWord).min(4) / 2;
        self.bug += count(Cue::Symptom).min(3) + count(Cue::BugWord).min(4) / 2;
        self.bug += count(Cue::Frequency).min(1);
        self.bug += i32::from(reading.blocks.iter().any(|b| b.kind == BlockKind::Log)) * 2;
        self.task += count(Cue::Chore).min(4);
        self.question += count(Cue::Asking).min(3) + asked.min(3);
        if asked * 3 >= sentences {
            self.question += 2;
        }
        if needs {
            self.question -= 3;
        }
    }
}
