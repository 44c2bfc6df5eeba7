//! Values next to labels and in lists, cleaned in the same way whether a person or the program wrote them.

use crate::lines::without_tick_box;

/// Words on one line without blanks around them; gaps inside a line stay.
pub fn on_one_line(words: &str) -> String {
    let words = words.replace('\u{feff}', "");
    words.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The items of a list on one line each, without tick boxes and empty ones.
pub fn items<'w>(words: impl IntoIterator<Item = &'w String>) -> Vec<String> {
    let item = |words: &String| without_tick_box(&on_one_line(words)).to_owned();
    words.into_iter().map(item).filter(|words| !words.is_empty()).collect()
}

/// Names on one line, between commas.
pub fn names(words: &str) -> Vec<String> {
    let parts = words.split([',', '，', '、']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// The words if they have at most `most` characters; otherwise their beginning with `…`, as long as that.
pub fn cut(words: &str, most: usize) -> String {
    match (words.char_indices().nth(most.saturating_sub(1)), words.chars().nth(most)) {
        (Some((end, _)), Some(_)) => format!("{}…", words[..end].trim_end()),
        _ => words.to_owned(),
    }
}

/// The words, or of more than `most` characters the whole words among the first ones and `…`.
pub fn cut_between_words(words: &str, most: usize) -> String {
    match words.char_indices().nth(most) {
        Some((end, _)) => {
            let end = words[..end].rfind(' ').unwrap_or(end);
            format!("{}…", words[..end].trim_end_matches([' ', ',', ';', ':']))
        }
        None => words.to_owned(),
    }
}
