//! Short titles: the subject of a statement in a few words.

use super::sentences::{capitalised, substance, trimmed};
use reqgate_text::display_width;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::small_words::LEADING_ON;
use reqgate_text::words::titles as lists;

/// The widest title, in columns.
const WIDEST: usize = 64;

/// Returns a short title: the statement without its condition and its reason, cut at a suitable word.
pub(crate) fn title(words: &str) -> String {
    let words = trimmed(words.lines().next().unwrap_or_default());
    let words = without_reason(outcome(words));
    if display_width(words) <= WIDEST && !words.contains(['，', '；', '。']) {
        return capitalised(trimmed(closed(words)));
    }
    let clause = first_clause(words);
    let mut out = String::new();
    for piece in clause.split_inclusive(|c: char| c == ' ' || is_cjk(c)) {
        if display_width(&out) + display_width(piece.trim_end()) > WIDEST {
            break;
        }
        out.push_str(piece);
    }
    let out = if out.is_empty() { clause.chars().take(WIDEST / 2).collect() } else { out };
    let is_cut = out.trim_end().len() < clause.trim_end().len();
    let out = trimmed(closed(&out));
    capitalised(trimmed(if is_cut { ended(out) } else { out }))
}

/// Returns a title without the key of its ticket: `[SHOP-12] Returns by post` → `Returns by post`.
pub(crate) fn without_key(name: &str) -> &str {
    let bare = name.trim().trim_start_matches('#').trim();
    let inner = bare.trim_start_matches(['[', '(']);
    let end = inner
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_')))
        .unwrap_or(inner.len());
    let is_key = inner[..end].contains('-')
        && inner[..end].ends_with(|c: char| c.is_ascii_digit())
        && inner.starts_with(|c: char| c.is_ascii_uppercase());
    if is_key { inner[end..].trim_start_matches([']', ')', ':', '：', ' ', '-', '–', '\u{3000}']) } else { bare }
}

/// The part after "then": in "Given …, when …, then the list is empty", the outcome is the subject.
fn outcome(words: &str) -> &str {
    let lower = words.to_ascii_lowercase();
    let opens = lists::OPENINGS_OF_A_CASE.begin(&lower);
    let then = lists::OUTCOMES.iter().filter_map(|then| lower.find(then).map(|at| at + then.len())).min();
    match then.filter(|_| opens).map(|at| trimmed(&words[at..])) {
        Some(outcome) if substance(outcome) >= 2 => outcome,
        _ => words,
    }
}

fn without_reason(words: &str) -> &str {
    let lower = words.to_ascii_lowercase();
    lists::REASONS
        .first_in(&lower)
        .map(|end| trimmed(&words[..end]))
        .filter(|front| substance(front) >= 2)
        .unwrap_or(words)
}

/// The first clause with enough content that is not a condition.
fn first_clause(words: &str) -> &str {
    let mut ends: Vec<usize> = words
        .match_indices(['，', '；', '。', ';'])
        .map(|(at, _)| at)
        .chain([", ", " - ", " – ", ": "].iter().flat_map(|mark| words.match_indices(mark)).map(|(at, _)| at))
        .collect();
    ends.sort_unstable();
    let long_enough = |end: &&usize| {
        let front = &words[..**end];
        let least = if front.chars().any(is_cjk) { 2 } else { 3 };
        // A separator inside brackets does not end a clause: `[NEEDS CLARIFICATION: …]`.
        let is_inside = |(open, close): &(char, char)| front.matches(*open).count() > front.matches(*close).count();
        substance(front) >= least && !is_condition(front) && !BRACKETS.iter().any(is_inside)
    };
    ends.iter().find(long_enough).map_or(words, |end| &words[..*end])
}

const BRACKETS: [(char, char); 3] = [('(', ')'), ('（', '）'), ('[', ']')];

/// The text without an unclosed bracket or quote.
fn closed(words: &str) -> &str {
    let mut words = words;
    for (open, close) in BRACKETS.into_iter().chain([('“', '”')]) {
        if let Some(at) = words.rfind(open).filter(|at| !words[*at..].contains(close) && *at > 0) {
            words = words[..at].trim_end();
        }
    }
    words
}

/// The text without trailing words that need a continuation.
fn ended(words: &str) -> &str {
    let mut rest = words;
    while let Some((front, last)) = rest.rsplit_once(' ') {
        let bare = last.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let leads_on = bare.is_empty() || LEADING_ON.has(&bare) || lists::DANGLING.has(&bare);
        if substance(front) < 2 || !leads_on {
            break;
        }
        rest = front.trim_end();
    }
    rest
}

/// Returns true for a condition: "If the depot is full", 任务完成后.
fn is_condition(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    lists::CONDITIONS.begin(&lower) || lists::ENDS_OF_CONDITIONS.end(&lower)
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_names_the_matter() {
        for (words, expected) in [
            (
                "Given a basket with 2 books, when I pay, then the receipt lists both books.",
                "The receipt lists both books",
            ),
            (
                "Riders see the next three buses so that they can decide whether to walk.",
                "Riders see the next three buses",
            ),
            (
                "The librarian can lend a book to a reader who has no card and whose name they know from before",
                "The librarian can lend a book to a reader who has no card",
            ),
            ("司机可以查看当天的排班，以便提前准备", "司机可以查看当天的排班"),
            (
                "The ferry list (with every cabin, every deck and every single passenger on board of the ship) opens",
                "The ferry list",
            ),
            (
                "The clerk sees the price in [NEEDS CLARIFICATION: which currency, euro or the one of the reader?]",
                "The clerk sees the price",
            ),
            (
                "Parcels above [NEEDS CLARIFICATION: weight] are not taken, and the clerk names the next depot instead",
                "Parcels above [NEEDS CLARIFICATION: weight] are not taken",
            ),
            ("If the ferry is full, the button is grey", "If the ferry is full, the button is grey"),
        ] {
            assert_eq!(title(words), expected);
        }
    }
}
