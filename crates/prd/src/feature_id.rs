//! Gives a new feature its id: the next free number and a slug of the words of its title.

use pinyin::ToPinyin;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::FeatureId;
use reqgate_text::words::feature_names::FILLERS;

/// The longest slug, in bytes; with six digits and a hyphen an id stays well below [`FeatureId::LONGEST`].
const LONGEST_SLUG: usize = 40;

/// The most Chinese syllables of a slug.
const MOST_SYLLABLES: usize = 8;

/// The slug of a title without words that can be written in ASCII.
const UNNAMED: &str = "feature";

/// Creates the id of a new feature, different from all existing ones.
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
    // Longer numbers are dates or hashes.
    (1..=6).contains(&digits).then(|| id[..digits].parse().ok()).flatten()
}

/// The words of a title in lower case, joined by hyphens: at most six words or eight Chinese syllables, which end
/// with a complete part of the title if possible.
pub fn slug(title: &str) -> String {
    let plain: String = title.nfkd().filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’')).collect();
    // The number of a ticket only has a meaning with its project key: CAN-52.
    let of_key = if begins_with_key(&plain) { 2 } else { 0 };
    let (lower, is_chinese) = spelled(&plain.to_lowercase());
    let lower = if is_chinese { spelled(&whole_parts(&plain).to_lowercase()).0 } else { lower };
    let most = if is_chinese { MOST_SYLLABLES } else { 6 };
    let words: Vec<&str> = words_of(&lower).collect();
    let tells = |(at, word): &(usize, &str)| *at < of_key || !FILLERS.has(word);
    let telling: Vec<&str> = words.iter().copied().enumerate().filter(tells).map(|(_, word)| word).collect();
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

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns true for a title that begins with the key of a ticket: `CAN-52`.
fn begins_with_key(title: &str) -> bool {
    let first = title.split_whitespace().next().unwrap_or_default();
    first.split_once('-').is_some_and(|(project, number)| {
        let number = number.trim_end_matches(|c: char| !c.is_alphanumeric());
        project.len() > 1
            && project.chars().all(|c| c.is_ascii_uppercase())
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// The first parts of a Chinese title that fit into a slug; the whole title if the first part does not fit.
fn whole_parts(title: &str) -> &str {
    let marks = |c: char| !c.is_alphanumeric() && !c.is_whitespace() && c != '-' && c != '_';
    let mut ends = title.match_indices(marks).map(|(at, _)| at).filter(|at| *at > 0);
    let fits = |end: &usize| words_of(&spelled(&title[..*end].to_lowercase()).0).count() <= MOST_SYLLABLES;
    let is_short = fits(&title.len());
    ends.rfind(fits).filter(|_| !is_short).map_or(title, |end| &title[..end])
}

/// The text with Chinese characters replaced by syllables, and true if there were any.
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

/// Returns true for names with a special meaning to a file system or to this program.
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
        assert_eq!(slug("CAN-52 食堂预订：员工提前订午餐"), "can-52-shi-tang-yu-ding");
        assert_eq!(slug("食堂预订：员工提前订午餐"), "shi-tang-yu-ding", "it ends with a part of the title");
        assert_eq!(slug("CAN-52 Lunch can be booked"), "can-52-lunch-booked");
        assert_eq!(slug("（导出）"), "dao-chu");
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
