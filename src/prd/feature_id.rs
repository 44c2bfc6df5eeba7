//! Gives a new feature its id: the next free number and a slug of the words of its title.

use pinyin::ToPinyin;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::FeatureId;
use crate::text::words::feature_names::FILLERS;

/// The longest slug, in bytes; with six digits and a hyphen an id stays well below [`FeatureId::LONGEST`].
const LONGEST_SLUG: usize = 40;

/// The slug of a title without a word that can be spelled in ASCII.
const UNNAMED: &str = "feature";

/// A new id for a feature of this title, different from all existing ones.
///
/// The number is one more than the highest in use, so that the number of a removed feature is not reused. Directories
/// whose names are not feature ids count by their leading digits.
pub fn new_feature_id<S: AsRef<str>>(title: &str, existing: &[S]) -> FeatureId {
    let number = existing.iter().filter_map(|id| leading_number(id.as_ref())).max().unwrap_or(0).saturating_add(1);
    let id = format!("{number:03}-{}", slug(title));
    id.parse().expect("digits, a hyphen and a slug of ASCII words within the length")
}

fn leading_number(id: &str) -> Option<u32> {
    let digits = id.bytes().take_while(u8::is_ascii_digit).count();
    // Longer ones are dates or hashes, not numbers that somebody counted.
    (1..=6).contains(&digits).then(|| id[..digits].parse().ok()).flatten()
}

/// The words of a title, in lower case and joined by hyphens: at most six of them, or eight Chinese syllables.
pub fn slug(title: &str) -> String {
    let plain: String = title.nfkd().filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’')).collect();
    let (lower, is_chinese) = spelled(&plain.to_lowercase());
    let most = if is_chinese { 8 } else { 6 };
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let telling: Vec<&str> = words.iter().copied().filter(|word| !FILLERS.has(word)).collect();
    let mut slug = String::new();
    for word in if telling.is_empty() { words } else { telling }.into_iter().take(most) {
        let word = &word[..word.len().min(LONGEST_SLUG)];
        if slug.len() + 1 + word.len() > LONGEST_SLUG + usize::from(slug.is_empty()) {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    if slug.is_empty() || is_reserved(&slug) { UNNAMED.to_owned() } else { slug }
}

/// The text with Chinese characters as their syllables, and whether there were any.
fn spelled(text: &str) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let mut is_chinese = false;
    for c in text.chars() {
        match c.to_pinyin() {
            Some(syllable) => {
                is_chinese = true;
                out.push_str(&format!(" {} ", syllable.plain().replace('ü', "v")));
            }
            None => out.push(c),
        }
    }
    (out, is_chinese)
}

/// Names with a special meaning to a file system or to this program, with or without a number in front.
fn is_reserved(slug: &str) -> bool {
    let device = slug.strip_prefix("com").or_else(|| slug.strip_prefix("lpt"));
    device.is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
        || ["con", "prn", "aux", "nul", "git", "tmp", "lock"].contains(&slug)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_slug_is_made_of_the_words_that_say_something() {
        assert_eq!(
            new_feature_id("We need an export of orders as CSV", &["003-login"]).as_str(),
            "004-export-orders-csv"
        );
        assert_eq!(new_feature_id("Café menu", &[] as &[&str]).as_str(), "001-cafe-menu");
        assert_eq!(
            new_feature_id("对账导出 Excel 支持", &["012-x", "notes"]).as_str(),
            "013-dui-zhang-dao-chu-excel-zhi-chi"
        );
        assert_eq!(new_feature_id("订单导出", &["001-a"]).as_str(), "002-ding-dan-dao-chu");
        assert_eq!(new_feature_id("!!!", &["001-a"]).as_str(), "002-feature");
        assert_eq!(slug("the"), "the");
        assert_eq!(slug("NUL"), "feature");
    }

    proptest! {
        #[test]
        fn every_title_gets_an_id_that_nobody_has(title in any::<String>(), existing in prop::collection::vec("[0-9]{0,7}-?[a-z]{0,5}", 0..6)) {
            let id = new_feature_id(&title, &existing);
            prop_assert!(!existing.iter().any(|other| other == id.as_str()));
            prop_assert!(id.as_str().len() <= FeatureId::LONGEST);
            prop_assert!(id.as_str().parse::<FeatureId>().is_ok());
        }

        #[test]
        fn one_after_the_other_gets_a_number_of_its_own(titles in prop::collection::vec("[a-zA-Z ]{0,20}", 1..8)) {
            let mut ids: Vec<String> = Vec::new();
            for title in titles {
                let id = new_feature_id(&title, &ids).to_string();
                let number = id.split('-').next().map(str::to_owned);
                prop_assert!(ids.iter().all(|other| other.split('-').next().map(str::to_owned) != number));
                ids.push(id);
            }
        }
    }
}
