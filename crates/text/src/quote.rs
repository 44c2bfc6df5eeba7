//! Finds quoted words and their real place in a text.
//!
//! White space, case, full-width forms, kinds of quotation marks, kinds of dashes, Markdown emphasis and invisible
//! characters make no difference; every letter and figure does. An ellipsis may replace a few words. The words are
//! always shown as the text has them, not as they were quoted.

use unicode_normalization::UnicodeNormalization;

use super::lexicon::is_cjk;
use reqgate_base::model::Span;

/// The most characters of a quote.
const LONGEST_QUOTE: usize = 2_000;

/// The most bytes of the text that an ellipsis in a quote may replace.
const LONGEST_OMISSION: usize = 400;
/// The most full stops and ellipses of a quote.
const MOST_MARKS: usize = 40;

/// A text in which quotes can be looked up.
#[derive(Debug)]
pub struct Quotable {
    normal: String,
    /// For each byte of `normal`, the start and the end of its character in the text.
    places: Vec<(usize, usize)>,
}

impl Quotable {
    /// Prepares a text for look-ups.
    pub fn new(text: &str) -> Self {
        let mut normal = Normal::default();
        for (at, c) in text.char_indices() {
            normal.push(c, at, at + c.len_utf8());
        }
        Self { normal: normal.text, places: normal.places }
    }

    /// The place of the quoted words, as whole words; `None` if they do not occur or are too short to mean anything.
    pub fn find(&self, quote: &str) -> Option<Span> {
        self.find_after(0, quote)
    }

    /// The same for words that the reader saw with `|` before each line and may have shortened with an ellipsis. The
    /// words before and after it must occur in this order, close to each other. The span includes the omitted part.
    pub fn find_shortened(&self, quote: &str) -> Option<Span> {
        let quote = quote.replace("\n|", "\n");
        if let Some(span) = self.find(&quote) {
            return Some(span);
        }
        if quote.chars().nth(LONGEST_QUOTE).is_some() || quote.matches(['…', '.']).count() > MOST_MARKS {
            return None;
        }
        let quote = quote.replace("...", "…").replace("[…]", "…");
        let mut pieces = quote.split('…').filter(|piece| piece.chars().any(char::is_alphanumeric));
        let mut span = self.find(pieces.next()?)?;
        for piece in pieces {
            let next = self.find_after(span.end, piece).filter(|next| next.start - span.end <= LONGEST_OMISSION)?;
            span = span.join(next);
        }
        Some(span)
    }

    /// Returns true if the words of a place also occur at another place.
    pub fn stands_again(&self, place: Span, words: &str) -> bool {
        self.find(words).is_some_and(|first| first.start < place.start) || self.find_after(place.end, words).is_some()
    }

    /// The first place of the quoted words at or after a byte of the text.
    fn find_after(&self, from: usize, quote: &str) -> Option<Span> {
        let wanted = bare(quote)?;
        if !says_something(&wanted) {
            return None;
        }
        let first = self.places.partition_point(|(start, _)| *start < from);
        let first =
            (first..self.normal.len()).find(|at| self.normal.is_char_boundary(*at)).unwrap_or(self.normal.len());
        let found = self.normal[first..].match_indices(wanted.as_str()).map(|(at, _)| first + at);
        let at = found.into_iter().find(|at| self.is_whole(*at, at + wanted.len()))?;
        let (start, _) = *self.places.get(at)?;
        let (_, end) = *self.places.get(at + wanted.len() - 1)?;
        Some(Span::new(start, end))
    }

    /// Returns true if the words occur anywhere, even inside other words.
    pub fn mentions(&self, words: &str) -> bool {
        bare(words).is_some_and(|wanted| self.normal.contains(wanted.as_str()))
    }

    /// Returns false if "fast" is part of "breakfast".
    fn is_whole(&self, start: usize, end: usize) -> bool {
        let (before, inside) = (self.normal.get(..start), self.normal.get(start..end));
        let (Some(before), Some(inside), Some(after)) = (before, inside, self.normal.get(end..)) else { return false };
        let joined = |left: Option<char>, right: Option<char>| match (left, right) {
            (Some(left), Some(right)) => is_word(left) && is_word(right),
            _ => false,
        };
        !joined(before.chars().next_back(), inside.chars().next())
            && !joined(inside.chars().next_back(), after.chars().next())
    }
}

/// Returns true for a character that belongs to the same word as its neighbours; Chinese has no gaps between words.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

/// Returns true for fewer than three words, or four Chinese characters: so few may occur anywhere and do not identify a place.
pub fn is_scrap(quote: &str) -> bool {
    let wide = quote.chars().filter(|c| is_cjk(*c)).count();
    let words = quote.split(|c: char| !c.is_alphanumeric() || is_cjk(c)).filter(|word| !word.is_empty()).count();
    words * 4 + wide * 3 < 12
}

/// The quote in its normal form, without the marks that people put around one; `None` if it is far too long.
fn bare(quote: &str) -> Option<String> {
    let quote = quote.trim().trim_matches('|');
    if quote.chars().nth(LONGEST_QUOTE).is_some() {
        return None;
    }
    let mut normal = Normal::default();
    for c in quote.chars() {
        normal.push(c, 0, 0);
    }
    let marks: &[char] = &['"', '.', ',', ';', ':', '-', ' '];
    Some(normal.text.trim_matches(marks).to_owned())
}

/// Returns true for at least three letters or figures, or two Chinese characters; less occurs anywhere.
fn says_something(normal: &str) -> bool {
    let mut weight = 0;
    for c in normal.chars().filter(|c| c.is_alphanumeric()) {
        weight += if is_cjk(c) { 2 } else { 1 };
        if weight >= 3 {
            return true;
        }
    }
    false
}

#[derive(Default)]
struct Normal {
    text: String,
    places: Vec<(usize, usize)>,
    gap: Option<(usize, usize)>,
}

impl Normal {
    fn push(&mut self, c: char, start: usize, end: usize) {
        if is_ignored(c) {
            return;
        }
        for c in std::iter::once(c).nfkd().flat_map(plain).flat_map(char::to_lowercase) {
            if c.is_whitespace() {
                self.gap = self.gap.or(Some((start, end)));
                continue;
            }
            if let Some(gap) = self.gap.take() {
                // A gap between Chinese and its neighbours is a matter of taste.
                let wide = |c: char| is_cjk(c) || matches!(c, '\u{3000}'..='\u{303F}');
                let last = self.text.chars().next_back();
                if last.is_some_and(|last| !wide(last)) && !wide(c) {
                    self.write(' ', gap);
                }
            }
            self.write(c, (start, end));
        }
    }

    fn write(&mut self, c: char, place: (usize, usize)) {
        self.text.push(c);
        self.places.resize(self.text.len(), place);
    }
}

/// Returns true for Markdown emphasis and characters without width.
fn is_ignored(c: char) -> bool {
    matches!(c,
        '*' | '`' | '_' | '~' | '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// Maps marks with many forms to one.
fn plain(c: char) -> impl Iterator<Item = char> {
    let one = match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' => '"',
        // Models that write JSON prefer single marks, which need no escape, even if the text has double ones.
        '\'' | '‘' | '’' | '‚' | '‛' | '′' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '。' => '.',
        '、' => ',',
        other => other,
    };
    std::iter::once(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, quote: &str) -> Option<&'t str> {
        Quotable::new(text).find(quote).map(|span| span.slice(text))
    }

    #[test]
    fn a_quote_is_found_whatever_its_spaces_marks_and_widths() {
        let text = "The **export** must\n  finish in “3 s”.\n在 ３ 秒内返回，否则提示“超时”。Café";
        for (quote, expected) in [
            ("the export must finish", "export** must\n  finish"),
            ("“finish in \"3 s\".”", "finish in “3 s"),
            ("在3秒内返回,否则提示「超时」", "在 ３ 秒内返回，否则提示“超时"),
            ("| - finish in", "finish in"),
            ("must finish in '3 s'", "must\n  finish in “3 s"),
            ("cafe\u{301}", "Café"),
            ("fin\u{200b}ish", "finish"),
        ] {
            assert!(
                found(text, quote).is_some_and(|words| words.ends_with(expected)),
                "{quote}: {:?}",
                found(text, quote)
            );
        }
    }

    #[test]
    fn an_ellipsis_leaves_out_a_few_words_and_no_more() {
        let text = "The export starts at noon,\nas every day, and ends with an error. A mail follows.";
        let found = |quote: &str| Quotable::new(text).find_shortened(quote).map(|span| span.slice(text));
        assert_eq!(found("The export … ends with an error"), Some(&text[..text.len() - 17]));
        assert_eq!(found("starts at noon,\n| as every day"), Some("starts at noon,\nas every day"));
        assert_eq!(found("...ends with an error..."), Some("ends with an error"));
        assert_eq!(found("ends with an error … The export"), None, "in another order");
        assert_eq!(found("The export … ends well"), None);
        let far = format!("The export starts. {} It ends.", "x ".repeat(LONGEST_OMISSION));
        assert_eq!(Quotable::new(&far).find_shortened("The export … It ends"), None);
        assert_eq!(Quotable::new(&far).find_shortened("…"), None);
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let text = "Breakfast is served at 7. The list shows 20 rows.";
        for quote in ["fast", "fast is", "20 row", "shows 200 rows", "", "...", "7", "is served at 8", "NOWHERE"] {
            assert_eq!(found(text, quote), None, "{quote}");
        }
        assert_eq!(found(text, &"a".repeat(5_000)), None);
    }

    #[test]
    fn three_words_or_four_characters_are_no_scrap() {
        for quote in ["Dark mode", "性能", "支持 PDF", "", "- fast."] {
            assert!(is_scrap(quote), "{quote}");
        }
        for quote in ["in dark mode", "性能良好", "导出为 PDF", "3 of 5"] {
            assert!(!is_scrap(quote), "{quote}");
        }
    }

    #[test]
    fn every_piece_of_a_text_is_found_as_it_is_or_says_nothing() {
        proptest::proptest!(|(text in "[ab中文 \n“”Ａ１é*_0-9.,]{0,60}", from in 0..60usize, length in 0..60usize)| {
            let cut: String = text.chars().skip(from).take(length).collect();
            if let Some(span) = Quotable::new(&text).find(&cut) {
                let again = Quotable::new(&cut);
                proptest::prop_assert!(again.mentions(span.slice(&text)));
            }
        });
    }

    #[test]
    fn looking_up_takes_time_in_line_with_the_text() {
        let text = "aa ".repeat(50_000);
        assert_eq!(found(&text, &format!("{}b", "aa ".repeat(600))), None);
    }
}
