//! Converts citations between the mark of writers and the form for readers, `[src-2]`.

use std::sync::LazyLock;

use regex::Regex;

use crate::team::citations::OPENING;

/// Replaces every `<cite:src-2>` by `[src-2]`, with a space before it.
pub(super) fn with_marks(text: &str) -> String {
    static CITE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\S?)[ \t]*<cite:(src-[1-9]\d*)>").expect("a constant"));
    let spaced = |found: &regex::Captures<'_>| {
        let before = &found[1];
        let gap = if before.is_empty() || before.ends_with(OPENING) { "" } else { " " };
        format!("{before}{gap}[{}]", &found[2])
    };
    CITE.replace_all(text, spaced).into_owned()
}

/// Restores the marks of writers in an edited text.
pub(super) fn without_marks(text: &str) -> String {
    static SHOWN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\\?\[(src-[1-9]\d*)\\?\]").expect("a constant"));
    SHOWN.replace_all(text, "<cite:$1>").into_owned()
}

#[cfg(test)]
mod tests {
    use super::{with_marks, without_marks};

    #[test]
    fn marks_stand_apart_and_come_back() {
        let text =
            "It takes 20 minutes.<cite:src-2> Half ask <cite:src-3><cite:src-1>, 今天<cite:src-12>。\n<cite:src-4>";
        let shown = with_marks(text);
        assert_eq!(shown, "It takes 20 minutes. [src-2] Half ask [src-3][src-1], 今天 [src-12]。\n[src-4]");
        assert_eq!(with_marks(&without_marks(&shown)), shown);
        assert_eq!(with_marks("20 minutes (<cite:src-2>), （<cite:src-1>）"), "20 minutes ([src-2]), （[src-1]）");
    }
}
