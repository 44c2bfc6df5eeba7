//! The terms of a text for the index: words in lower case, Chinese as pairs of characters.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::super::query::{is_small, small_chinese};

/// The most terms of a query that are searched.
const MOST_TERMS: usize = 64;

/// A run of letters and digits, or of Chinese characters.
enum Run {
    Word(String),
    Han(Vec<char>),
}

/// The terms of a text, in its order, separated by spaces.
pub(super) fn indexed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for run in runs(text) {
        match run {
            Run::Word(word) => push(&mut out, &word),
            Run::Han(run) => {
                run.windows(2).for_each(|pair| push(&mut out, &pair.iter().collect::<String>()));
                // A term begins at every character, and a single character is found as the beginning of a term.
                run.last().into_iter().for_each(|last| push(&mut out, &last.to_string()));
            }
        }
    }
    out
}

/// A query in the language of the index: any of its terms, without small words if there are others. `None` without a
/// term.
pub(super) fn query(text: &str) -> Option<String> {
    let without_small = small_chinese().iter().fold(text.to_owned(), |text, small| text.replace(small.as_str(), " "));
    let terms = terms(&without_small, |word| !is_small(word));
    let terms = if terms.is_empty() { self::terms(text, |_| true) } else { terms };
    // Terms consist of letters and digits, so none can end its quotation marks.
    (!terms.is_empty()).then(|| terms.join(" OR "))
}

fn terms(text: &str, is_kept: impl Fn(&str) -> bool) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for run in runs(text) {
        let terms = match run {
            Run::Word(word) => {
                vec![word].into_iter().filter(|word| is_kept(word)).map(|word| format!("\"{word}\"")).collect()
            }
            Run::Han(run) if run.len() == 1 => vec![format!("\"{}\"*", run[0])],
            Run::Han(run) => run.windows(2).map(|pair| format!("\"{}{}\"", pair[0], pair[1])).collect::<Vec<_>>(),
        };
        out.extend(terms.into_iter().filter(|term| seen.insert(term.clone())));
    }
    out.truncate(MOST_TERMS);
    out
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut is_open = false;
    // Full-width letters and digits become plain ones.
    for c in text.nfkc() {
        if !c.is_alphanumeric() {
            is_open = false;
            continue;
        }
        match (runs.last_mut().filter(|_| is_open), is_han(c)) {
            (Some(Run::Han(run)), true) => run.push(c),
            (Some(Run::Word(word)), false) => word.extend(c.to_lowercase()),
            (_, true) => runs.push(Run::Han(vec![c])),
            (_, false) => runs.push(Run::Word(c.to_lowercase().collect())),
        }
        is_open = true;
    }
    runs
}

/// Returns true for Chinese characters: the blocks in use (Unicode, "CJK Unified Ideographs" and its extensions).
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

fn push(out: &mut String, term: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(term);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_pairs_and_words_are_lower_case() {
        assert_eq!(indexed("市场规模：2026年 TAM"), "市场 场规 规模 模 2026 年 tam");
        assert_eq!(indexed("ＡＰＩ—v2\u{0}"), "api v2");
        assert_eq!(indexed(" …!"), "");
    }

    #[test]
    fn query_has_no_syntax_of_its_own_and_no_small_words() {
        let said = |text: &str| query(text).unwrap_or_default();
        assert_eq!(said("How large is the market?"), "\"large\" OR \"market\"");
        assert_eq!(said("the of"), "\"the\" OR \"of\"");
        assert_eq!(said("如何导出订单"), "\"导出\" OR \"出订\" OR \"订单\"");
        assert_eq!(said("价"), "\"价\"*");
        assert_eq!(said("a\" OR heading:* NEAR(x) -b"), "\"heading\" OR \"near\" OR \"x\" OR \"b\"");
        assert_eq!(query("  ?!\u{0}\u{1b}"), None);
        assert_eq!(said(&"w1 w2 w3 ".repeat(100)).matches("OR").count(), 2);
        assert_eq!(said(&(0..500).map(|n| format!("n{n} ")).collect::<String>()).matches("OR").count(), MOST_TERMS - 1);
    }
}
