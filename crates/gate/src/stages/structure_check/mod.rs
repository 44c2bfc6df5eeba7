//! Hard Check #1 of a draft: enough criteria, a story, a title.
//!
//! It never stops the scoring: a failure costs the rubric's penalty, and the rules about the same content raise the
//! blockers.

use reqgate_base::model::{Language, PrdDraft};
use reqgate_messages as messages;
use reqgate_rules::Profile;
use reqgate_text::{Cue, Reading, display_width};

/// The fewest criteria of a feature.
pub(crate) const FEWEST_CRITERIA: usize = 2;
/// The fewest columns of a story; a Chinese character counts as two.
pub(crate) const SHORTEST_STORY: usize = 20;
/// The allowed width of a title in columns.
pub(crate) const TITLE_COLUMNS: std::ops::RangeInclusive<usize> = 10..=200;

/// The result of the check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructureCheck {
    /// Faults, any of which fails the check.
    pub errors: Vec<String>,
    /// Remarks that do not fail the check.
    pub warnings: Vec<String>,
}

impl StructureCheck {
    /// Returns true if the check found no faults.
    pub(crate) fn passed(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Checks a draft; the messages are in the language of the report.
pub fn check(draft: Option<&PrdDraft>, reading: &Reading, profile: Profile, language: Language) -> StructureCheck {
    let said = messages::Verdict::of(language);
    let mut result = StructureCheck::default();
    let Some(draft) = draft else {
        result.errors.push(said.structuring_failed.to_owned());
        return result;
    };
    let criteria = draft.acceptance_criteria.len();
    let needed = if profile == Profile::Bug { 1 } else { FEWEST_CRITERIA };
    if criteria < needed {
        result.errors.push(said.too_few_criteria(&criteria, &needed));
    }
    let story = display_width(&draft.user_story);
    if story < SHORTEST_STORY {
        result.errors.push(said.story_too_short(&SHORTEST_STORY, &story));
    }
    let title = display_width(&draft.title);
    if title < *TITLE_COLUMNS.start() {
        result.errors.push(said.title_too_short(&TITLE_COLUMNS.start(), &title));
    } else if title > *TITLE_COLUMNS.end() {
        result.errors.push(said.title_too_long(&TITLE_COLUMNS.end(), &title));
    }
    if profile == Profile::Feature && !begins_with_verb(reading) {
        result.warnings.push(said.title_without_verb.to_owned());
    }
    result
}

/// Returns true if the title begins with a verb, possibly after a ticket key or a bracket. Only whole words count, so
/// that "address" is not "add".
fn begins_with_verb(reading: &Reading) -> bool {
    let Some(title) = reading.title else { return false };
    reading.find_cue(title, Cue::TitleVerb).is_some_and(|verb| verb.start <= title.start + 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules as rules;

    const STORY: &str = "As a clerk I want a copy";

    fn checked(title: &str, story: &str, criteria: usize, profile: Profile) -> StructureCheck {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        let reading = book.reader.read(&format!("# {title}\n\n{story}\n"), None);
        let draft = PrdDraft {
            title: title.to_owned(),
            user_story: story.to_owned(),
            acceptance_criteria: vec!["The copy is shown.".to_owned(); criteria],
            edge_cases: Vec::new(),
            resources: Vec::new(),
            missing_info: Vec::new(),
            clarification_questions: Vec::new(),
        };
        check(Some(&draft), &reading, profile, reading.language)
    }

    fn errors(title: &str, story: &str, criteria: usize) -> Vec<String> {
        checked(title, story, criteria, Profile::Feature).errors
    }

    #[test]
    fn title_story_and_criteria_have_their_bounds() {
        assert_eq!(errors("Print copy", STORY, 2), Vec::<String>::new());
        assert_eq!(errors("Print one", STORY, 2), ["Title too short: at least 10 characters, 9 now"]);
        assert_eq!(errors(&format!("Print {}", "x".repeat(194)), STORY, 2), Vec::<String>::new());
        let long = format!("Print {}", "x".repeat(195));
        assert_eq!(errors(&long, STORY, 2), ["Title too long: at most 200 characters, 201 now"]);
        let short = ["User story missing or too short: at least 20 characters, 19 now"];
        assert_eq!(errors("Print copy", "I want to print it.", 2), short);
        assert_eq!(errors("Print copy", "I want to print it!!", 2), Vec::<String>::new());
        assert_eq!(errors("Print copy", STORY, 1), ["Too few acceptance criteria: at least 2 needed, only 1 present"]);
        assert!(checked("Print copy", STORY, 1, Profile::Bug).passed());
    }

    #[test]
    fn chinese_characters_count_two_columns_and_are_answered_in_chinese() {
        assert_eq!(errors("实现用户登录功能", "作为用户我希望可以登录", 2), Vec::<String>::new());
        let told = errors("用户登录", "我希望可以登录", 0);
        assert_eq!(
            told,
            [
                "验收标准不足：至少需要 2 条，现有 0 条",
                "用户故事缺失或过短：至少 20 个字符宽，现有 14 个",
                "标题过短：至少 10 个字符宽，现有 8 个",
            ]
        );
    }

    #[test]
    fn title_without_a_verb_is_remarked_on_and_fails_nothing() {
        for (title, remarks) in [("Add a copy", 0), ("新增夜间限额", 0), ("Address book", 1), ("A copy of the bill", 1)]
        {
            let checked = checked(title, STORY, 2, Profile::Feature);
            assert_eq!((checked.passed(), checked.warnings.len()), (true, remarks), "{title}");
        }
    }

    #[test]
    fn no_draft_is_a_fault_of_its_own() {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        let reading = book.reader.read("Print it", None);
        assert_eq!(
            check(None, &reading, Profile::Feature, Language::En).errors,
            ["Structuring failed, no PRD to check"]
        );
    }
}
