//! Hard Check #1 over a draft: enough criteria, a story, a title (C-050 … C-055, X-43 … X-46).
//!
//! It never stops the scoring: a failure costs the rubric's penalty, and the rules of the same content raise the blockers.

use crate::model::{Language, PrdDraft};
use crate::rules::Profile;
use crate::text::{Cue, Reading, display_width};

/// Criteria that a feature needs (C-051).
pub const FEWEST_CRITERIA: usize = 2;
/// Columns that a story needs (C-051, X-44: a Chinese character counts two).
pub const SHORTEST_STORY: usize = 20;
/// Columns that a title may have (C-010).
pub const TITLE_COLUMNS: std::ops::RangeInclusive<usize> = 10..=200;

/// What the check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructureCheck {
    /// Faults; any of them fails the check.
    pub errors: Vec<String>,
    /// Remarks that fail nothing.
    pub warnings: Vec<String>,
}

impl StructureCheck {
    /// True if there is no fault.
    pub fn passed(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Checks a draft; the messages are in the language of the report (C-053).
pub fn check(draft: Option<&PrdDraft>, reading: &Reading, profile: Profile, language: Language) -> StructureCheck {
    let say = |english: String, chinese: String| language.of(english, chinese);
    let mut result = StructureCheck::default();
    let Some(draft) = draft else {
        result.errors.push(say("Structuring failed, no PRD to check".into(), "结构化失败，没有可检查的 PRD".into()));
        return result;
    };
    let criteria = draft.acceptance_criteria.len();
    let needed = if profile == Profile::Bug { 1 } else { FEWEST_CRITERIA };
    if criteria < needed {
        result.errors.push(say(
            format!("Too few acceptance criteria: at least {needed} needed, only {criteria} present"),
            format!("AC 数量不足：需要至少 {needed} 条，当前只有 {criteria} 条"),
        ));
    }
    let story = display_width(&draft.user_story);
    if story < SHORTEST_STORY {
        result.errors.push(say(
            format!("User story missing or too short: at least {SHORTEST_STORY} columns, {story} now"),
            format!("User Story 缺失或过短：需要至少 {SHORTEST_STORY} 字符，当前 {story} 字符"),
        ));
    }
    let title = display_width(&draft.title);
    if title < *TITLE_COLUMNS.start() {
        result.errors.push(say(
            format!("Title too short: at least {} columns, {title} now", TITLE_COLUMNS.start()),
            format!("Title 过短：需要至少 {} 字符，当前 {title} 字符", TITLE_COLUMNS.start()),
        ));
    } else if title > *TITLE_COLUMNS.end() {
        result.errors.push(say(
            format!("Title too long: at most {} columns, {title} now", TITLE_COLUMNS.end()),
            format!("Title 过长：最多 {} 字符，当前 {title} 字符", TITLE_COLUMNS.end()),
        ));
    }
    if profile == Profile::Feature && !begins_with_verb(reading) {
        result.warnings.push(say(
            "Title should preferably begin with a verb (implement, add, fix …)".into(),
            "Title 建议以动词开头（如：实现、添加、修复等）".into(),
        ));
    }
    result
}

/// at a word boundary, so that "address" is not "add"; behind a ticket key or a bracket.
fn begins_with_verb(reading: &Reading) -> bool {
    let Some(title) = reading.title else { return false };
    reading.find_cue(title, Cue::TitleVerb).is_some_and(|verb| verb.start <= title.start + 16)
}
