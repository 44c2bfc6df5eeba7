//! Separates the remains of a form from the words of its writer: empty answers, and boxes about the rules of a project.

use super::blocks::{Block, BlockKind};
use super::lexicon::is_cjk;
use crate::words::forms::{DESCRIPTIONS, ENTRIES, ENTRY_PLACES, NOTHING, RULES, VOWS};

/// Returns true for a whole answer without content: `_No response_`, N/A, 无.
pub(crate) fn says_nothing(words: &str) -> bool {
    if words.len() > 40 {
        return false;
    }
    let spaced: String =
        words.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).flat_map(char::to_lowercase).collect();
    let bare = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    bare.is_empty() || NOTHING.has(bare.as_str())
}

/// Returns true for an unreplaced instruction of a template in capitals: PLEASE DESCRIBE THE PROBLEM.
///
/// People shout wishes as well ("ADD DARK MODE"), so capitals alone are not enough.
pub fn is_shouted_instruction(words: &str) -> bool {
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    let is_shouted = words.len() > 8 && !words.bytes().any(|byte| byte.is_ascii_lowercase());
    if !is_shouted || !words.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let lower = words.to_lowercase();
    let order = lower.strip_prefix("please ").unwrap_or(&lower).trim_start();
    let mut named = order.split(|c: char| !c.is_alphanumeric());
    DESCRIPTIONS.begin(order)
        || ENTRIES.has(named.next().unwrap_or_default()) && named.any(|word| ENTRY_PLACES.has(word))
}

/// Returns true for a box that a project's form makes every author tick: "I have searched the existing issues".
pub(crate) fn is_vow(block: &Block, words: &str) -> bool {
    if block.kind != BlockKind::ListItem || block.checked.is_none() || words.len() > 400 {
        return false;
    }
    let bare = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    if bare.starts_with(is_cjk) {
        return VOWS.zh.iter().any(|vow| bare.starts_with(vow));
    }
    let lower = bare.to_lowercase();
    VOWS.en.iter().any(|vow| lower.starts_with(vow)) && RULES.en.iter().any(|rule| lower.contains(rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_in_capitals_are_told_from_shouted_wishes() {
        for left in
            ["PLEASE DESCRIBE THE PROBLEM IN DETAIL.", "**INSERT YOUR VERSION HERE**", "ADD ISSUE DESCRIPTION HERE"]
        {
            assert!(is_shouted_instruction(left), "{left}");
        }
        for said in
            ["ADD DARK MODE", "THE EXPORT IS BROKEN", "Please describe the problem", "LIST ALL ORDERS", "描述问题"]
        {
            assert!(!is_shouted_instruction(said), "{said}");
        }
    }

    #[test]
    fn answers_that_are_none_are_told_from_answers() {
        assert!(
            ["_No response_", "N/A", "n.a.", "None.", "**无**", "-", "*Not applicable*"].into_iter().all(says_nothing)
        );
        assert!(!["No", "None of the rows is shown", "无法打开", "NaN", "TBD"].into_iter().any(says_nothing));
    }
}
