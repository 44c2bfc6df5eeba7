//! Words that only refer to another place: another document, a file.

use reqgate_text::words::pointers::REFERENCES;

/// Returns true for a reference such as "See the test plan" or 见测试环境, which does not name the place of the fault.
pub(super) fn refers(words: &str) -> bool {
    let words = words.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '（' | '('));
    let opens = |sign: &str| words.get(..sign.len()).is_some_and(|start| start.eq_ignore_ascii_case(sign));
    REFERENCES.iter().any(opens)
}

/// Returns true for file names: the figures in the name of a picture or a log (`Screenshot_2024.06.18.png`) are not a
/// version.
pub(crate) fn names_file(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["png", "jpg", "jpeg", "gif", "bmp", "webp", "mp4", "mov", "txt", "log", "pdf", "doc", "docx", "xls", "xlsx", "csv"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointing_elsewhere_is_no_environment() {
        assert!(["见测试环境", " see the test plan", "同上"].iter().all(|words| refers(words)));
        assert!(!["Firefox on a tablet", "Seen on Linux", "安卓平板"].iter().any(|words| refers(words)));
    }

    #[test]
    fn figures_in_file_names_are_told_apart_from_versions() {
        assert!(names_file("Screenshot_2024.06.18_09.59.png") && names_file("app-2.1.0.LOG"));
        assert!(!names_file("2.1.0") && !names_file("v4.2"));
    }
}
