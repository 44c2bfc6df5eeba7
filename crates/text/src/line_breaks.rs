//! Restores the line breaks of a text that a tracker flattened, without moving a byte.
//!
//! Exports of trackers replace a line break by spaces, or remove it. The marks of lists, headings,
//! labels, code and scenarios show where a line began. White space before such a place becomes a line feed in a copy of
//! the same length, so every span of the copy is valid in the original; a place without white space is a cut. This
//! takes a few passes.

mod fields;
mod line;
mod lists;
mod scenario;

use std::borrow::Cow;

use super::line_shapes::is_log_line;
use line::Line;

/// A text with its line breaks restored.
#[derive(Debug)]
pub struct Restored<'t> {
    /// The text, of the same length, with line feeds for some of its spaces.
    pub text: Cow<'t, str>,
    /// The bytes, in order, at which a line begins without white space before it.
    pub cuts: Vec<usize>,
    /// The bytes of the inserted line feeds, in order.
    pub feeds: Vec<usize>,
    /// `#` began items in the middle of a line, as it does in Jira.
    pub is_jira: bool,
}

/// The fewest bytes of a line that can hold two.
const SHORTEST: usize = 12;
/// A text with more filled lines than this has kept its line breaks, unless one line is most of it.
const FEW_LINES: usize = 3;

/// Restores line breaks; `is_field` knows the headings of parts of a ticket ("Steps to reproduce").
pub(crate) fn restored<'t>(text: &'t str, is_field: &dyn Fn(&str) -> bool) -> Restored<'t> {
    // The exact number of further lines makes no difference.
    let filled = text.lines().filter(|line| !line.trim().is_empty()).take(FEW_LINES + 1).count();
    let mut breaks: Vec<usize> = Vec::new();
    let mut fence: Option<&'static str> = None;
    let (mut start, mut is_jira) = (0, false);
    for line in lines(text) {
        let words = line.trim();
        if let Some(close) = fence {
            if words.contains(close) {
                fence = None;
            }
        } else if let Some(close) = opened(words) {
            fence = Some(close);
        } else if is_prose(line, filled) {
            let flattened = filled <= FEW_LINES || line.len() * 2 > text.len();
            if flattened || has_marks(words) {
                let offset = start + (line.len() - line.trim_start().len());
                let (found, with_hashes) = lines_in(Line::new(words, flattened), is_field);
                is_jira |= with_hashes;
                breaks.extend(found.into_iter().map(|at| offset + at));
            }
        }
        start += line.len();
    }
    Restored { is_jira, ..written(text, &breaks) }
}

/// Returns true if a character in a line may begin another line: a bullet, a number, a colon, a block of code, a step
/// of a scenario. Most lines of prose hold none and need not be cut into words. All non-ASCII characters count.
fn has_marks(line: &str) -> bool {
    let bytes = line.as_bytes();
    let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
    let is_mark = |(place, byte): (usize, &u8)| match byte {
        b'a'..=b'm' | b'o'..=b'z' | b' ' => false,
        b'*' | b'#' | b'{' | b'<' => true,
        b':' => at(place + 1) != b'/' || place > 0 && matches!(bytes[place - 1], b'0'..=b'9' | b'*'),
        b'-' => matches!(at(place + 1), b'\t'..=b'\r' | b' ' | b'-' | 0x80..),
        b'0'..=b'9' => matches!(at(place + 1), b'.' | b')' | 0x80..),
        // The last letters of given, when and then.
        b'n' => bytes[..place].ends_with(b"he") || bytes[..place].ends_with(b"ive"),
        b'N' => bytes[..place].ends_with(b"HE") || bytes[..place].ends_with(b"IVE"),
        byte => !byte.is_ascii(),
    };
    bytes.iter().enumerate().any(is_mark)
}

/// The lines of a text, each with the byte that ends it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.bytes().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// The starts of the lines inside one line, and whether `#` numbers some of them.
fn lines_in(mut line: Line<'_>, is_field: &dyn Fn(&str) -> bool) -> (Vec<usize>, bool) {
    line.wide_gaps();
    fields::find(&mut line, is_field);
    lists::find(&mut line);
    scenario::find(&mut line);
    fields::close_headings(&mut line, is_field);
    let with_hashes = line.numbers_with_hashes;
    (line.settled(), with_hashes)
}

/// The mark that closes the code block which a line opens and does not close.
fn opened(words: &str) -> Option<&'static str> {
    if !words.starts_with(['`', '~', '{', '<']) {
        return None;
    }
    let marks = [("```", "```"), ("~~~", "~~~"), ("{code", "{code}"), ("{noformat", "{noformat}"), ("<pre", "</pre>")];
    let (open, close) = marks.into_iter().find(|(open, _)| words.starts_with(open))?;
    (!words[open.len()..].contains(close)).then_some(close)
}

/// Returns false for tables, indented code and the lines of a log, which have kept their lines.
fn is_prose(line: &str, filled: usize) -> bool {
    let words = line.trim();
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let kept = filled > FEW_LINES;
    words.len() >= SHORTEST && !(kept && (indented || words.starts_with('|') || is_log_line(words)))
}

/// The copy with line feeds at the breaks, which must be in order.
fn written<'t>(text: &'t str, breaks: &[usize]) -> Restored<'t> {
    if breaks.is_empty() {
        return Restored { text: Cow::Borrowed(text), cuts: Vec::new(), feeds: Vec::new(), is_jira: false };
    }
    let (mut cuts, mut feeds) = (Vec::new(), Vec::new());
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in breaks {
        let (at, before) = (*at, &text[from..*at]);
        let kept = before.trim_end();
        let gap = before.len() - kept.len();
        out.push_str(kept);
        match gap {
            0 => cuts.push(at),
            // Four spaces are two line breaks, but a line that continues in lower case follows at once.
            4.. if !text[at..].starts_with(char::is_lowercase) => {
                out.extend(std::iter::repeat_n(' ', gap - 2));
                out.push_str("\n\n");
                feeds.extend([at - 2, at - 1]);
            }
            _ => {
                out.extend(std::iter::repeat_n(' ', gap - 1));
                out.push('\n');
                feeds.push(at - 1);
            }
        }
        from = at;
    }
    out.push_str(&text[from..]);
    Restored { text: Cow::Owned(out), cuts, feeds, is_jira: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let is_field = |words: &str| {
            let fields = ["steps to reproduce", "expected result", "actual result", "acceptance criteria", "预期结果"];
            fields.contains(&words.trim_matches(['*', ' ', ':']).to_lowercase().as_str())
        };
        let restored = restored(text, &is_field);
        assert_eq!(restored.text.len(), text.len());
        let mut cut = String::new();
        let mut from = 0;
        for at in restored.cuts {
            cut.push_str(&restored.text[from..at]);
            cut.push('\n');
            from = at;
        }
        cut.push_str(&restored.text[from..]);
        cut.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn bullets_in_one_line_are_lines_again() {
        assert_eq!(
            lines("Acceptance criteria: * The badge is red * The badge is gone after a click # Reload keeps it"),
            ["Acceptance criteria:", "* The badge is red", "* The badge is gone after a click", "# Reload keeps it"]
        );
        assert_eq!(
            lines("Scope  * first part  ** its detail  * second part - with a remark"),
            ["Scope", "* first part", "** its detail", "* second part - with a remark"]
        );
        assert_eq!(
            lines("COS - the lane has a name - the lane is hidden while empty - no search box is shown").len(),
            4
        );
    }

    #[test]
    fn numbers_and_names_in_one_line_are_items_again() {
        assert_eq!(
            lines("Do this: 1. open it 2. press on 3. wait"),
            ["Do this:", "1. open it", "2. press on", "3. wait"]
        );
        assert_eq!(
            lines("To see it: 1) Open the till 2) Close the till"),
            ["To see it:", "1) Open the till", "2) Close the till"]
        );
        assert_eq!(lines("AC1: the mail is sent AC2: the row is grey AC3: nothing else changes").len(), 3);
        assert_eq!(lines("步骤：1.打开页面2.点击保存3.查看列表"), ["步骤：", "1.打开页面", "2.点击保存", "3.查看列表"]);
    }

    #[test]
    fn headings_labels_and_code_begin_lines() {
        assert_eq!(
            lines("It hangs. h3. Steps to reproduce # Open the map # Turn the phone"),
            ["It hangs.", "h3. Steps to reproduce", "# Open the map", "# Turn the phone"]
        );
        assert_eq!(
            lines("*Steps to reproduce:*  # open  # press  *Actual result:* nothing *Expected result:* a tone"),
            ["*Steps to reproduce:*", "# open", "# press", "*Actual result:* nothing", "*Expected result:* a tone"]
        );
        assert_eq!(
            lines("The call fails: {code:java}  int a = 1;  run(a);{code}  Why is not known."),
            ["The call fails:", "{code:java}", "int a = 1;", "run(a);", "{code}", "Why is not known."]
        );
        assert_eq!(lines("列表没有刷新。预期结果：立即出现"), ["列表没有刷新。", "预期结果：立即出现"]);
    }

    #[test]
    fn scenarios_in_one_line_are_steps_again() {
        assert_eq!(
            lines("GIVEN an empty cart WHEN I pay THEN I see a hint AND no mail is sent"),
            ["GIVEN an empty cart", "WHEN I pay", "THEN I see a hint", "AND no mail is sent"]
        );
        assert_eq!(
            lines("Given an empty cart, when I pay, then I see a hint."),
            ["Given an empty cart,", "when I pay,", "then I see a hint."]
        );
    }

    #[test]
    fn prose_stays_whole() {
        for text in [
            "We compile C# and F# with the same tool, and 2 * 3 stays 6 in both of them.",
            "Since version 1. 2 of them are slow, e.g. 1. and the other one too, see issue # 12 and # 13.",
            "The value is 1. Then it is 2. Then nobody knows what it is in the end.",
            "The export - if there is one - takes long, and the import - mostly - does not.",
            "- the first page - the one with the map - is blank",
            "When I press save then the page crashes and the list is empty.",
            "We use the {{a * b}} form and `1. x 2. y` as a text, with width * height * depth as the size.",
            "He was given a list and when asked he then said no to all of it.",
            "Do you want a *feature* or an *expected result* or more of the *Expected result* than that?",
            "-   **Expected result**: it opens at once and for all of them",
            "Either (1) we keep it or (2) we drop it, and nobody minds.",
            "Settings - Display - Night mode is where the switch is found by most people.",
        ] {
            assert_eq!(lines(text), [text], "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_line_without_marks_holds_no_other(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                " ", "  ", "Steps", "steps to", "a", "Given", "When", "then", "THEN", "GIVEN", "-", "--", "- ", "*", "#", "1",
                "12", ".", ")", ":", "://", "：", "、", "h3", "h3.", "AC", "`", "[", "]", "{", "}", "{code}", "<!--", "-->", "é",
                "步骤", "•", "(", ",", "x.",
            ]), 0..24)
        ) {
            let line = pieces.concat();
            let line = line.trim();
            let found = lines_in(Line::new(line, false), &|words| words.trim_matches(['*', ':', ' ']).starts_with("Steps"));
            proptest::prop_assert!(has_marks(line) || found == (Vec::new(), false), "{line}");
        }
    }

    #[test]
    fn a_text_that_kept_its_lines_keeps_its_spaces() {
        let text = "First line  Of it\nsecond line\n\nthird line\nfourth  Line\n";
        assert_eq!(restored(text, &|_| false).text, text);
        let code = "Do:\n```\nfoo  Bar  Baz  1. a 2. b 3. c\n```\n";
        assert_eq!(restored(code, &|_| false).text, code);
    }

    #[test]
    fn a_heading_of_jira_ends_where_its_words_do() {
        let breaks = |text: &str| lines_in(Line::new(text, true), &|words| words.eq_ignore_ascii_case("steps")).0;
        assert_eq!(breaks("It fails. h3. Steps Open the map and look."), [10, 20]);
        assert_eq!(breaks("Done.h3. Steps  Open it"), [5, 16]);
        assert_eq!(breaks("It fails. h5.Steps Open the map"), [10, 19]);
        assert!(breaks(&format!("It fails. h3. {}", "word ".repeat(60))).is_empty());
    }
}
