//! Detects words that the text names or strikes out: those between quotation marks, in code, in `~~…~~`.

use reqgate_base::model::Span;

/// Pairs of signs around words that are struck out.
const STRIKES: [(&str, &str); 4] = [("~~", "~~"), ("<del>", "</del>"), ("<s>", "</s>"), ("<strike>", "</strike>")];

/// Returns true for a place that is struck out in its sentence: "~~TBD~~ 30 days", and Jira's "-TBD- 30 days".
pub fn is_struck_out(text: &str, sentence: Span, hit: Span) -> bool {
    let before = Span::new(sentence.start, hit.start).slice(text);
    let after = Span::new(hit.end, sentence.end).slice(text);
    let within = |(opening, closing): &(&str, &str)| match opening == closing {
        true => before.matches(opening).count() % 2 == 1 && after.contains(closing),
        false => before.matches(opening).count() > before.matches(closing).count() && after.contains(closing),
    };
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    let by_hyphens = || {
        let before = before.strip_suffix('-')?;
        let after = after.strip_prefix('-')?;
        Some(is_apart(before.chars().next_back()) && is_apart(after.chars().next()))
    };
    STRIKES.iter().any(within) || by_hyphens() == Some(true)
}

/// Returns true for a place between quotation marks or backticks of its sentence.
pub fn is_quoted(text: &str, sentence: Span, hit: Span) -> bool {
    let before = Span::new(sentence.start, hit.start).slice(text);
    let after = Span::new(hit.end, sentence.end).slice(text);
    let odd = |mark: char| before.matches(mark).count() % 2 == 1 && after.contains(mark);
    let open = |left: char, right: char| {
        let opened = before.matches(left).count() > before.matches(right).count();
        opened && after.contains(right)
    };
    // An apostrophe is a quotation mark only if it begins or ends a word.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_struck_out_are_not_said() {
        let struck = |text: &str| {
            let at = text.find("TBD").expect("it is in the text");
            is_struck_out(text, Span::new(0, text.len()), Span::new(at, at + 3))
        };
        for text in
            ["The limit is ~~TBD~~ 3.", "-TBD- 30 days", "<del>TBD, ask Ines</del> 30 days", "~~The limit is TBD.~~ 3"]
        {
            assert!(struck(text), "{text}");
        }
        for text in ["~~3~~ TBD", "limit - TBD - 3", "the-TBD-list", "TBD"] {
            assert!(!struck(text), "{text}");
        }
    }
}
