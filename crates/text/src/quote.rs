//! Finds words that somebody claims to quote, and tells where they really stand in a text.
//!
//! White space, case, full-width forms, kinds of quotation marks, single or double, kinds of dashes, Markdown emphasis and
//! characters that cannot be seen make no difference; every letter and figure does. An ellipsis may stand for a few words left
//! out. What is found is shown as the text has it, never as it was claimed.

use unicode_normalization::UnicodeNormalization;

use super::lexicon::is_cjk;
use reqgate_base::model::Span;

/// A quote of more characters than this is no quote.
const LONGEST_QUOTE: usize = 2_000;

/// An ellipsis in a quote leaves out at most so many bytes of the text.
const LONGEST_OMISSION: usize = 400;
/// A quote with more full stops and ellipses than this is no quote.
const MOST_MARKS: usize = 40;

/// A text in which quotes can be looked up.
#[derive(Debug)]
pub struct Quotable {
    normal: String,
    /// For each byte of `normal`: where its character begins and ends in the text.
    places: Vec<(usize, usize)>,
}

impl Quotable {
    /// Reads a text once.
    pub fn new(text: &str) -> Self {
        let mut normal = Normal::default();
        for (at, c) in text.char_indices() {
            normal.push(c, at, at + c.len_utf8());
        }
        Self { normal: normal.text, places: normal.places }
    }

    /// Where the quoted words stand, as whole words; `None` where they do not, or where they say nothing.
    pub fn find(&self, quote: &str) -> Option<Span> {
        self.find_after(0, quote)
    }

    /// The same for words that somebody was shown with `|` before each line, and may have shortened with an ellipsis: the words
    /// before and after it stand in the text in this order, close to each other. The span covers what was left out.
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

    /// True if the words of a place stand at another place too.
    pub fn stands_again(&self, place: Span, words: &str) -> bool {
        self.find(words).is_some_and(|first| first.start < place.start) || self.find_after(place.end, words).is_some()
    }

    /// The first place at or after a byte of the text where the quoted words stand.
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

    /// True if the words occur anywhere, even inside other words.
    pub fn mentions(&self, words: &str) -> bool {
        bare(words).is_some_and(|wanted| self.normal.contains(wanted.as_str()))
    }

    /// "fast" does not stand in "breakfast".
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

/// A character that belongs together with its neighbours; Chinese has no gaps between words.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

/// True for fewer than three words, or four Chinese characters: so little may stand anywhere and points at nothing.
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

/// Three letters or figures, or two Chinese characters: less stands anywhere.
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
                // Whether there is a gap between Chinese and its neighbours is a matter of taste.
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

/// Emphasis of Markdown, and what takes no room.
fn is_ignored(c: char) -> bool {
    matches!(c,
        '*' | '`' | '_' | '~' | '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// One form for marks that people and models write in many.
fn plain(c: char) -> impl Iterator<Item = char> {
    let one = match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' => '"',
        // A model that writes JSON likes single marks where the text has double ones: those need no escape.
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
