//! Distinguishes the writers' own attempts from demands: "we tried cookies, tokens etc." is not a demand.

use reqgate_text::words::reports::{PERFECT, TRIED, WRITERS};

/// Returns true for a sentence anywhere in the text that describes an action of the writers.
pub(super) fn tells_what_was_tried(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    if TRIED.zh.iter().any(|word| lower.contains(word)) {
        return true;
    }
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).peekable();
    let begins_so = words.clone().find(|word| !PERFECT.has(word)).is_some_and(|word| TRIED.has(word));
    // "We have already looked at …" is an attempt; "we need …" is a demand.
    let mut did = false;
    while let Some(word) = words.next() {
        if WRITERS.has(word) {
            while words.peek().is_some_and(|next| PERFECT.has(next)) {
                words.next();
            }
            did |= words.peek().is_some_and(|next| next.len() > 4 && (next.ends_with("ed") && *next != "need"));
        }
    }
    begins_so || did
}

#[cfg(test)]
mod tests {
    use super::tells_what_was_tried;

    #[test]
    fn an_account_is_told_from_a_demand() {
        let accounts = [
            "We already tried sticky sessions, Redis, longer timeouts etc. and none helped.",
            "- I've looked at the logs, the traces and so on.",
            "Already tried: cache, cookies, etc.",
            "我们已经试过清缓存、换浏览器、重启等等，都没有用。",
        ];
        let demands = [
            "We need filters for status, owner etc.",
            "The request is tried again after 3 seconds, 5 seconds etc.",
            "We want name, date and so on.",
            "支持按状态、负责人等筛选。",
        ];
        assert!(accounts.into_iter().all(tells_what_was_tried));
        assert!(!demands.into_iter().any(tells_what_was_tried));
    }
}
