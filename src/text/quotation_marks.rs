//! Tells words between quotation marks: then the text names them and does not say them.

use crate::model::Span;

/// Tells places between quotation marks or backticks of its sentence.
pub fn is_quoted(text: &str, sentence: Span, hit: Span) -> bool {
    let before = Span::new(sentence.start, hit.start).slice(text);
    let after = Span::new(hit.end, sentence.end).slice(text);
    let odd = |mark: char| before.matches(mark).count() % 2 == 1 && after.contains(mark);
    let open = |left: char, right: char| {
        let opened = before.matches(left).count() > before.matches(right).count();
        opened && after.contains(right)
    };
    // An apostrophe is a quotation mark only where it begins or ends a word.
    let single = |opening: char, closing: char| {
        let rest = before.strip_suffix(opening);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)) && after.starts_with(closing)
    };
    odd('"')
        || odd('`')
        || open('“', '”')
        || open('「', '」')
        || open('『', '』')
        || open('‘', '’')
        || open('《', '》')
        || single('\'', '\'')
}
