//! The words that a rewrite adds: all words except function words must come from the text, or be a blank.

use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;

/// The words that a rewrite may add to make a sentence checkable: units, bounds, and verbs for ends and observations.
/// The list has no word that decides a point, such as "refused", and no word for a part of a product.
const JOINTS: &str = "\
    second minute hour day week month percent time byte kilobyte megabyte ms kb mb gb \
    within after before until unless least most more less fewer than between below above over under maximum minimum exactly per each \
    every all any both either only once if then else given while where who whom what whose up out one other same but not no \
    end take show shown see seen display appear return finish complete start message";

/// The same in Chinese, character by character; the list has no figures.
const JOINTS_ZH: &str = "在于内中后前时当则即每个条次秒分钟小天周月年日以上下至少多大最不超过到从由将把被并且或若如果为是有其该此的了和与及\
    显示提返回完成出现结束开始看见可须应必需要会能均都各后者之间同";

/// The fewest letters of a word that an inflected form continues.
const SHORTEST_TRUNK: usize = 4;

/// Returns true if a rewrite has a word that the text does not have, except blanks.
pub(super) fn brings_words(rewrite: &str, text: &str) -> bool {
    let known = content_words(text);
    let joints = content_words(JOINTS);
    let is_known = |word: &String| {
        let goes_on = |other: &String| match word.len() < other.len() {
            true => word.len() >= SHORTEST_TRUNK && other.starts_with(word.as_str()),
            false => other.len() >= SHORTEST_TRUNK && word.starts_with(other.as_str()),
        };
        joints.binary_search(word).is_ok() || known.binary_search(word).is_ok() || known.iter().any(goes_on)
    };
    let is_latin = |word: &&String| !word.chars().any(is_cjk);
    let words = content_words(rewrite);
    let is_new = |c: char| is_cjk(c) && !JOINTS_ZH.contains(c) && !text.contains(c);
    words.iter().filter(is_latin).any(|word| !is_known(word)) || rewrite.chars().any(is_new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_and_words_of_the_text_make_a_rewrite() {
        let text = "Invoices should be approved by the manager.\n订单导出要快，结果给仓库主管看。";
        for rewrite in [
            "If an invoice is over  , then it is approved by the manager within   hours.",
            "The approval of invoices takes at most   days.",
            "订单导出在   秒内完成，并显示结果。",
        ] {
            assert!(!brings_words(rewrite, text), "{rewrite}");
        }
        for rewrite in [
            "Invoices are approved by the director.",
            "Invoices are approved on the login screen.",
            "Invoices without approval are refused.",
            "订单导出在三秒内完成。",
            "订单导出失败时发送邮件。",
        ] {
            assert!(brings_words(rewrite, text), "{rewrite}");
        }
    }
}
