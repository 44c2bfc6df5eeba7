//! Recognises scenarios (Given, When, Then; 假如, 当, 那么) by the words that begin their lines.

use super::lexicon::open_with;

const KEYWORDS_EN: [&str; 7] = ["given ", "when ", "then ", "and ", "but ", "scenario", "background:"];
const KEYWORDS_ZH: [&str; 11] = ["假如", "假设", "假定", "当", "那么", "并且", "而且", "但是", "则", "且", "场景"];

/// Keywords, each followed by a colon, before the name of a feature and of a scenario.
const FEATURES: [&str; 4] = ["Feature", "Ability", "Business Need", "功能"];
const SCENARIOS: [&str; 8] =
    ["Scenario", "Scenario Outline", "Scenario Template", "Example", "场景", "场景大纲", "剧本", "剧本大纲"];

/// The head of a feature file: the number of the line that names the feature, and the byte of that line at which the
/// name begins. Above it are only tags and comments, and below it is at least one scenario; such a file has no headings
/// of Markdown.
pub(crate) fn feature_head<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Option<(usize, usize)> {
    let (at, line) = lines.clone().enumerate().find(|(_, line)| !line.is_empty() && !is_tag_or_comment(line))?;
    let name = after_keyword(line, &FEATURES)?;
    let mut below = lines.skip(at + 1);
    let mut has_scenario = false;
    let is_markdown = below.any(|line| {
        has_scenario |= after_keyword(line, &SCENARIOS).is_some();
        line.starts_with("## ")
    });
    (has_scenario && !is_markdown).then_some((at, name))
}

/// Returns true for tags (`@slow @wip`) and comments (`# language: zh-CN`) of a feature file, which are not text.
pub(crate) fn is_tag_or_comment(line: &str) -> bool {
    line.starts_with('#')
        || line.starts_with('@')
            && line.split_whitespace().take_while(|word| *word != "#").all(|word| word.starts_with('@'))
}

/// Returns true for a line that names a scenario: `Scenario: Refund after 14 days`.
pub(crate) fn names_a_scenario(line: &str) -> bool {
    after_keyword(line, &SCENARIOS).is_some()
}

/// The byte at which the words after one of the keywords and its colon begin.
fn after_keyword(line: &str, keywords: &[&str]) -> Option<usize> {
    let colon = line.find(':')?;
    let rest = line[colon..].trim_start_matches([':', ' ']);
    keywords.contains(&line[..colon].trim_end()).then_some(line.len() - rest.len())
}

/// Returns true if a line begins with a keyword of Gherkin.
pub(crate) fn is_gherkin_line(words: &str) -> bool {
    let words = words.trim_start_matches(['*', '_', '-', ' ']);
    // "**WHEN** the …": the stars after the keyword are removed too.
    let bare = words.chars().filter(|c| *c != '*');
    let opens = |keyword: &&str| open_with(bare.clone(), keyword);
    let with_colon = |keyword: &&str| {
        let word = keyword.trim_end();
        open_with(bare.clone(), word) && bare.clone().nth(word.len()) == Some(':')
    };
    KEYWORDS_EN.iter().any(|keyword| opens(keyword) || with_colon(keyword)) || KEYWORDS_ZH.iter().any(opens)
}

/// Returns true if a piece of text is a scenario: it has an outcome (Then, 那么) and a trigger or a state before it.
pub(crate) fn is_gherkin(text: &str) -> bool {
    gherkin_parts(text, false).1
}

/// Returns whether lines hold a trigger (Given, When) and, after one, an outcome; `triggered` if a trigger came before.
pub(crate) fn gherkin_parts(text: &str, triggered: bool) -> (bool, bool) {
    let mut trigger = triggered;
    let mut outcome = false;
    for line in text.lines() {
        let words = line.trim_start_matches(['*', '_', '-', '#', '>', ' ', '\t', '\u{3000}']);
        let opens = |keyword: &&str| open_with(words.chars().filter(|c| *c != '*'), keyword);
        trigger |= ["given", "when ", "假如", "假设", "假定", "当"].iter().any(opens);
        outcome |= trigger && ["then ", "then:", "那么"].iter().any(opens);
    }
    (trigger, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Option<(usize, &str)> {
        let (at, name) = feature_head(text.lines().map(str::trim))?;
        Some((at, &text.lines().nth(at)?.trim()[name..]))
    }

    #[test]
    fn the_name_of_a_feature_stands_below_its_tags_and_comments() {
        assert_eq!(head("@wip @slow\n# language: en\n\nFeature: Refund\n  Scenario: Late\n"), Some((3, "Refund")));
        assert_eq!(head("# language: zh-CN\n功能: 退款\n  场景: 超时\n"), Some((1, "退款")));
        assert_eq!(head("Business Need: Refund\n\n  Example: Late\n"), Some((0, "Refund")));
    }

    #[test]
    fn tickets_that_name_a_feature_are_no_feature_files() {
        for ticket in [
            "Feature: dark mode\n\nIt would be nice.",
            "# Refund\n\nFeature: refund\n\n## Criteria\n\nScenario: late\n",
            "功能：退款\n背景：客服每天手工处理\n",
            "Refund\n\nFeature: refund\nScenario: late\n",
        ] {
            assert_eq!(head(ticket), None, "{ticket}");
        }
    }

    #[test]
    fn tags_and_comments_are_told_from_text() {
        for line in ["@wip", "@wip @slow", "@wip # later", "# language: zh-CN", "#comment"] {
            assert!(is_tag_or_comment(line), "{line}");
        }
        for line in ["@ana please look", "Given a user", ""] {
            assert!(!is_tag_or_comment(line), "{line}");
        }
    }
}
