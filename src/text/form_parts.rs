//! Separates what a form leaves behind from what its writer says: empty answers, and boxes about the rules of a project.

use super::blocks::{Block, BlockKind};
use super::lexicon::is_cjk;

/// Answers by which a form or its writer says that there is nothing to say.
const NOTHING: [&str; 19] = [
    "no response",
    "n a",
    "na",
    "not applicable",
    "none",
    "nil",
    "nothing",
    "nothing to add",
    "no answer",
    "not provided",
    "无",
    "暂无",
    "没有",
    "不适用",
    "不涉及",
    "略",
    "空",
    "未填写",
    "同上",
];

/// True for a whole answer that says nothing: `_No response_`, N/A, 无.
pub fn says_nothing(words: &str) -> bool {
    if words.len() > 40 {
        return false;
    }
    let spaced: String =
        words.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).flat_map(char::to_lowercase).collect();
    let bare = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    bare.is_empty() || NOTHING.contains(&bare.as_str())
}

/// How a box about the rules of a project begins, in lower case.
const VOWS: [&str; 20] = [
    "i have",
    "i've",
    "i am",
    "i'm",
    "i agree",
    "i confirm",
    "i understand",
    "i will",
    "i searched",
    "i checked",
    "i read",
    "i did",
    "i acknowledge",
    "i verified",
    "this is not",
    "this issue is not",
    "this isn't",
    "there is no existing",
    "yes, i",
    "by submitting",
];
/// What such a box is about.
const RULES: [&str; 25] = [
    "issue",
    "duplicate",
    "documentation",
    "the docs",
    "readme",
    "guideline",
    "contributing",
    "conduct",
    "terms",
    "licen",
    "template",
    "latest version",
    "latest release",
    "newest version",
    "search",
    "pull request",
    "faq",
    "policy",
    "question",
    "discussion",
    "support",
    "forum",
    "instructions",
    "checklist",
    "reported",
];
const CHINESE_VOWS: [&str; 13] = [
    "我已",
    "我确认",
    "我同意",
    "我愿意",
    "我搜索",
    "我查看",
    "我阅读",
    "已阅读",
    "已搜索",
    "已查阅",
    "我理解",
    "我保证",
    "本人",
];

/// True for a box that a project's form makes everybody tick: "I have searched the existing issues".
pub fn is_vow(block: &Block, words: &str) -> bool {
    if block.kind != BlockKind::ListItem || block.checked.is_none() || words.len() > 400 {
        return false;
    }
    let bare = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    if bare.starts_with(is_cjk) {
        return CHINESE_VOWS.iter().any(|vow| bare.starts_with(vow));
    }
    let lower = bare.to_lowercase();
    VOWS.iter().any(|vow| lower.starts_with(vow)) && RULES.iter().any(|rule| lower.contains(rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_are_none_are_told_from_answers() {
        assert!(
            ["_No response_", "N/A", "n.a.", "None.", "**无**", "-", "*Not applicable*"].into_iter().all(says_nothing)
        );
        assert!(!["No", "None of the rows is shown", "无法打开", "NaN", "TBD"].into_iter().any(says_nothing));
    }
}
