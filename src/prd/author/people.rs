//! Finds the users of a feature: the people who want it, may do something in it, or whom it is for; not everybody who
//! is mentioned.

use super::wording::capitalised;
use crate::model::Span;
use crate::text::lexicon::is_cjk;
use crate::text::words::drafting_people as lists;
use crate::text::words::small_words::LEADING_ON;
use crate::text::{Cue, Reader};

/// The person who wishes in "Support wants to export orders".
pub fn wishing(words: &str) -> Option<&str> {
    let at = lists::WISHING.first_in(words)?;
    let who = words[..at].trim();
    // Of the same length, because it says where to cut.
    let lower = who.to_ascii_lowercase();
    let bare = lists::BEFORE_A_WISHER.behind(&lower).unwrap_or(&lower);
    let counted = bare.split(' ').count();
    let nobody = |word: &str| lists::PRONOUNS.has(word) || lists::NOT_WISHERS.has(word);
    let plain = !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\''));
    let joined = bare.split(' ').any(|word| lists::JOINTS.has(word));
    (plain && counted <= 3 && !joined && !bare.split(' ').any(nobody)).then(|| &who[who.len() - bare.len()..])
}

/// "Bakers can order by phone": who can do what only people do.
pub fn able(words: &str) -> Option<&str> {
    let (at, verb) = lists::ABILITIES.iter().filter_map(|verb| words.find(verb).map(|at| (at, *verb))).min()?;
    let who = words[..at].trim();
    // Of the same length, because it says where to cut.
    let lower = who.to_ascii_lowercase();
    let bare =
        lower.split_once(' ').filter(|(first, _)| lists::ARTICLES.has(first)).map_or(lower.as_str(), |(_, rest)| rest);
    let doing = words[at + verb.len()..].split([' ', ',', '.']).next().unwrap_or_default();
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let is_name = !bare.is_empty()
        && bare.split(' ').count() <= 2
        && bare.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '-'));
    let somebody = !lists::THINGS.has(last) && !lists::PRONOUNS.has(last) && last != "anybody";
    (is_name && lists::DOINGS.has(doing) && somebody).then(|| &who[who.len() - bare.len()..])
}

/// The people who act in a statement, or for whom something is, in their order.
pub fn acting(reader: &Reader, words: &str) -> Vec<String> {
    let mut out: Vec<String> = wishing(words).map(capitalised).into_iter().collect();
    let wishes = !out.is_empty();
    out.extend(able(words).filter(|_| !wishes).map(capitalised));
    let reading = reader.read(words, None);
    let hits = reading.hits_in(Span::new(0, words.len()));
    for hit in hits.iter().filter(|hit| usize::from(hit.list.0) == Cue::Actor as usize) {
        let name = hit.span.slice(words);
        let span = if name.chars().any(is_cjk) { hit.span } else { whole_name(words, hit.span) };
        let known = out.iter().any(|other: &String| other.eq_ignore_ascii_case(span.slice(words)));
        if !known && acts(words, span, wishes) {
            out.push(capitalised(span.slice(words)));
        }
    }
    out
}

/// True if a name says who somebody is.
pub fn is_somebody(name: &str) -> bool {
    !lists::UNSPECIFIC.has(&name.to_lowercase())
}

/// The name with the word before or behind it that belongs to it.
fn whole_name(words: &str, hit: Span) -> Span {
    let mut span = hit;
    let behind = &words[hit.end..];
    if let Some(next) = behind.strip_prefix(' ').and_then(|rest| rest.split([' ', ',', '.', ';', '?', ':']).next())
        && lists::HEADS.has(next)
    {
        span.end += 1 + next.len();
    }
    let before = words[..hit.start].trim_end();
    if let Some(last) = before.rsplit(' ').next().filter(|last| before.len() + 1 == hit.start && !last.is_empty()) {
        let at = before.len() - last.len();
        let earlier = words[..at].trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
        let opens = |word: &str| LEADING_ON.has(word) || lists::BEFORE_A_ROLE.has(word);
        let stands_free = at == 0 || opens(&earlier);
        let is_word = last.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        if stands_free && is_word && !opens(&last.to_lowercase()) && last.len() >= 3 {
            span.start = at;
        }
    }
    span
}

/// True if somebody does something, or something is for that person.
fn acts(words: &str, span: Span, somebody_wishes: bool) -> bool {
    let before = words[..span.start].trim_end().to_lowercase();
    let behind = words[span.end..].trim_start();
    if span.slice(words).chars().any(is_cjk) {
        let opens = before.is_empty()
            || before.ends_with(['，', '。', '；', '、', '：'])
            || lists::BEFORE_AN_ACTOR.end(&before);
        return opens || lists::ACTS.begin(behind);
    }
    // In "customers' orders" the orders are worked on, not the customers.
    if behind.starts_with(['\'', '’']) {
        return false;
    }
    let last = before.rsplit(' ').next().unwrap_or_default();
    let next = behind.split([' ', ',', '.', ';']).next().unwrap_or_default().to_lowercase();
    let opens = before.is_empty()
        || lists::ARTICLES.has(&before)
        || lists::OTHER_ARTICLES.has(&before)
        || before.ends_with([',', ';', ':']);
    !somebody_wishes && (opens || lists::SERVED.has(last)) || lists::ACTING.has(&next) && !lists::HELPED.has(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_it_is_not_whom_it_is_about() {
        let book = crate::rules::load(&crate::rules::shipped_files()).expect("the shipped rules load");
        let of = |words: &str| acting(&book.reader, words);
        assert_eq!(of("Accounting wants to print the reminders of customers"), ["Accounting"]);
        assert_eq!(of("A weekly digest for team leads"), ["Team leads"]);
        assert_eq!(of("Only branch managers can close a till"), ["Branch managers"]);
        assert_eq!(of("The list shows the customers' names"), Vec::<String>::new());
        assert_eq!(of("司机可以查看当天的排班"), ["司机"]);
    }
}
