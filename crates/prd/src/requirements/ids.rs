//! Ids in headings and bullets, native and foreign ones (`REQ-12`), and the choice of unused ids.

use std::collections::BTreeSet;

use crate::RequirementId;

/// The longest foreign id, in bytes.
const LONGEST: usize = 32;

/// The id at the beginning of a heading or bullet, and the text after it; markup around the id is skipped.
pub(crate) fn leading(words: &str) -> Option<(&str, &str)> {
    let open = ['*', '_', '`', '[', '(', '【', '（', ' '];
    let bare = words.trim_start_matches(open);
    let marked = bare.len() < words.trim_start().len();
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(bare.len());
    let (id, rest) = bare.split_at(end);
    if !is_id(id) {
        return None;
    }
    // In the native format, the text after the colon is the title, including markup.
    if !marked && let Some(title) = rest.strip_prefix(": ").or_else(|| rest.strip_prefix('：')) {
        return Some((id, title.trim()));
    }
    let close = ['*', '_', '`', ']', ')', '】', '）', ' '];
    let rest = rest.trim_start_matches(close);
    let rest = rest.strip_prefix([':', '：', '-', '–', '—', '.', '|', '、']).unwrap_or(rest);
    let rest = rest.trim_start_matches(close);
    let rest = if marked { rest.trim_end_matches(close) } else { rest };
    Some((id, rest.trim()))
}

/// Returns true for `FR-001`, `REQ-12`, `REQ-AUTH-3`, `R7`: capitals, followed by a number.
fn is_id(word: &str) -> bool {
    let digits = word.len() - word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let letters = word[..word.len() - digits].trim_end_matches(['-', '_']);
    (1..=9).contains(&digits)
        && word.len() <= LONGEST
        && !letters.is_empty()
        && letters.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_'))
        && letters.as_bytes()[0].is_ascii_uppercase()
}

/// Returns true for ids that only requirements have, anywhere in a text.
pub(crate) fn is_of_a_requirement(id: &str) -> bool {
    ["FR-", "NFR-", "REQ-", "FR", "NFR", "REQ"].iter().any(|prefix| {
        id.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()))
    })
}

/// The id, if it is in the native format.
pub(crate) fn native(id: &str) -> Option<RequirementId> {
    id.parse::<RequirementId>().ok().filter(|parsed| parsed.to_string() == id)
}

/// All requirement ids that occur in a text; they are not assigned to new requirements.
pub(crate) fn named_in(text: &str) -> BTreeSet<RequirementId> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Assigns an id to a requirement with a foreign one: the same number if it is unused, otherwise the next one.
pub(crate) fn mapped(id: &str, taken: &mut BTreeSet<RequirementId>) -> RequirementId {
    let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits = digits.rsplit(['-', '_']).next().unwrap_or(digits);
    let quality = id.starts_with("NFR");
    let kept = digits.parse().ok().filter(|number| *number > 0).map(|number| of(quality, number));
    let new = kept.filter(|kept| !taken.contains(kept)).unwrap_or_else(|| next(quality, taken));
    taken.insert(new.clone());
    new
}

/// The first id after all that are taken.
pub(crate) fn next(quality: bool, taken: &BTreeSet<RequirementId>) -> RequirementId {
    let highest = taken.iter().filter(|id| id.is_quality() == quality).map(RequirementId::number).max();
    let after = highest.unwrap_or(0).checked_add(1);
    // If the highest possible number is taken, the first unused one.
    let number = after.or_else(|| (1..u32::MAX).find(|number| !taken.contains(&of(quality, *number))));
    of(quality, number.unwrap_or(u32::MAX))
}

fn of(quality: bool, number: u32) -> RequirementId {
    if quality { RequirementId::quality(number) } else { RequirementId::functional(number) }
}
