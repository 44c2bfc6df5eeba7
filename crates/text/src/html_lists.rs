//! Lays out lists, headings and tables that are written in HTML as Markdown, without moving a byte.
//!
//! Each tag becomes as many bytes of line feeds, marks and spaces, so every span of the copy is valid in the original.
//! Code keeps its tags. This takes one pass.

use std::borrow::Cow;

/// Tags that begin a text in HTML; a text without them is left unchanged.
const OPENERS: [&str; 8] = ["<li", "<h1", "<h2", "<h3", "<h4", "<tr", "<br", "<p>"];

/// The copy with marks of Markdown in place of the tags; the text itself if it has no tags.
pub(super) fn laid_out(text: &str) -> Cow<'_, str> {
    let has_tags = text.contains('<') && OPENERS.iter().any(|tag| contains_in_any_case(text, tag));
    if !has_tags {
        return Cow::Borrowed(text);
    }
    let out = String::with_capacity(text.len());
    let mut layout = Layout { text, out, is_ordered: Vec::new(), in_row: false, line: Line::Blank };
    layout.run();
    Cow::Owned(layout.out)
}

fn contains_in_any_case(text: &str, tag: &str) -> bool {
    text.as_bytes().windows(tag.len()).any(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}

struct Layout<'t> {
    text: &'t str,
    out: String,
    /// The open lists; true for numbered ones.
    is_ordered: Vec<bool>,
    in_row: bool,
    line: Line,
}

/// The state of the line that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    /// It begins with the bar of a table.
    Row,
    Words,
}

/// The longest tag, in bytes; a longer one is other text.
const LONGEST_TAG: usize = 300;

impl Layout<'_> {
    fn run(&mut self) {
        let mut at = 0;
        let mut fence: Option<&str> = None;
        while at < self.text.len() {
            let rest = &self.text[at..];
            let begins_line = at == 0 || self.text[..at].ends_with('\n');
            if begins_line {
                let line = rest.lines().next().unwrap_or_default().trim_start();
                let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
                match (fence, mark) {
                    (None, Some(mark)) if !line[mark.len()..].contains(mark) => fence = Some(mark),
                    (Some(open), Some(mark)) if open == mark => {
                        fence = None;
                        at = self.keep(at, line_length(rest));
                        continue;
                    }
                    _ => {}
                }
                if fence.is_some() {
                    at = self.keep(at, line_length(rest));
                    continue;
                }
            }
            let length = match rest.bytes().next() {
                Some(b'`') => code_length(rest),
                Some(b'<') => untouched(rest).unwrap_or(0),
                _ => rest.find(['<', '`', '\n']).map_or(rest.len(), |next| next.max(1)),
            };
            at = match (length, rest.as_bytes()[0]) {
                (0, _) => self.tag(at),
                (_, b'\n') if self.in_row && !rest.starts_with("\n\n") => {
                    self.write(" ");
                    at + 1
                }
                (length, b'\n') => {
                    self.in_row = false;
                    self.keep(at, length)
                }
                (length, _) => self.keep(at, length),
            };
        }
    }

    fn keep(&mut self, at: usize, length: usize) -> usize {
        self.write(&self.text[at..at + length]);
        at + length
    }

    fn write(&mut self, words: &str) {
        self.out.push_str(words);
        let last = match words.rfind('\n') {
            Some(end) => {
                self.line = Line::Blank;
                &words[end..]
            }
            None => words,
        };
        if self.line == Line::Blank {
            match last.trim_start().chars().next() {
                None => {}
                Some('|') => self.line = Line::Row,
                Some(_) => self.line = Line::Words,
            }
        }
    }

    /// Writes the layout of a tag; a sign that does not open one is kept.
    fn tag(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let near = &rest[..rest.floor_char_boundary(LONGEST_TAG)];
        let Some(length) = near.find('>').map(|end| end + 1) else { return self.keep(at, 1) };
        let inner = &near[1..length - 1];
        let closes = inner.starts_with('/');
        let name = inner.trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        let is_in_cell = self.in_row || self.line == Line::Row;
        let feed = if self.line == Line::Blank { "" } else { "\n" };
        let mark = match (name.as_str(), closes) {
            ("li", false) if is_in_cell => "<br>".to_owned(),
            ("br" | "p", _) if is_in_cell => return self.keep(at, length),
            ("ul" | "ol" | "li" | "p", _) if is_in_cell => String::new(),
            ("ul" | "ol", false) => {
                self.is_ordered.push(name == "ol");
                feed.to_owned()
            }
            ("ul" | "ol", true) => {
                self.is_ordered.pop();
                "\n\n".to_owned()
            }
            ("li", false) => format!("{feed}{}", if self.is_ordered.last() == Some(&true) { "1. " } else { "- " }),
            ("li", true) => String::new(),
            ("br", _) => "\n".to_owned(),
            ("p", _) => format!("{feed}\n"),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                let level = usize::from(name.as_bytes()[1] - b'0').min(3);
                format!("{feed}{} ", "#".repeat(level))
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", true) => "\n\n".to_owned(),
            ("table" | "thead" | "tbody" | "tfoot", _) => feed.to_owned(),
            ("tr", false) => {
                self.in_row = true;
                feed.to_owned()
            }
            ("tr", true) => {
                self.in_row = false;
                " |\n".to_owned()
            }
            ("td", false) => "|".to_owned(),
            ("th", false) => "||".to_owned(),
            ("td" | "th", true) => String::new(),
            _ => return self.keep(at, length),
        };
        let mark = if mark.len() <= length { mark.as_str() } else { &mark[..length] };
        self.write(&format!("{mark:<length$}"));
        at + length
    }
}

/// The longest code span that is looked for, in bytes.
const LONGEST_CODE: usize = 4_000;

fn line_length(rest: &str) -> usize {
    rest.find('\n').map_or(rest.len(), |end| end + 1)
}

/// The length of a code span, or of marks that do not open one.
fn code_length(rest: &str) -> usize {
    let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let line = rest[..rest.floor_char_boundary(LONGEST_CODE)].split('\n').next().unwrap_or_default();
    line.get(marks..).unwrap_or_default().find(&rest[..marks]).map_or(marks, |end| marks + end + marks)
}

/// The length of a comment or of preformatted code, which keep their tags.
fn untouched(rest: &str) -> Option<usize> {
    let pairs = [("<!--", "-->"), ("<pre", "</pre>"), ("<code", "</code>")];
    let (_, close) = pairs.into_iter().find(|(open, _)| rest.starts_with(open))?;
    Some(rest.find(close).map_or(rest.len(), |end| end + close.len()))
}

#[cfg(test)]
mod tests {
    use super::laid_out;

    fn lines(text: &str) -> Vec<String> {
        let out = laid_out(text);
        assert_eq!(out.len(), text.len());
        out.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|line| !line.is_empty())
            .collect()
    }

    #[test]
    fn lists_and_headings_are_lines() {
        assert_eq!(
            lines("<h2>Criteria</h2><ul><li>One is shown.</li>\n<li class=\"x\">Two.</li></ul>After<br>all"),
            ["## Criteria", "- One is shown.", "- Two.", "After", "all"]
        );
        assert_eq!(lines("Steps: <ol><li>Open</li><li>Save</li></ol>"), ["Steps:", "1. Open", "1. Save"]);
        assert_eq!(lines("<H3>标题</H3>\n<p>一</p><p>二</p>"), ["### 标题", "一", "二"]);
    }

    #[test]
    fn tables_are_rows() {
        let table =
            "<table>\n<tr><th>ID</th><th>Criteria</th></tr>\n<tr>\n<td>A</td>\n<td>One<br>Two</td>\n</tr>\n</table>";
        assert_eq!(lines(table), ["|| ID || Criteria |", "| A | One<br>Two |"]);
        assert_eq!(lines("| A | <ul><li>One</li><li>Two</li></ul> |"), ["| A | <br>One <br>Two |"]);
    }

    #[test]
    fn code_and_other_tags_stay() {
        for text in [
            "Use `<li>` for items and `<br>` for breaks.",
            "```html\n<li>One</li>\n<br>\n```\n",
            "<pre><li>One</li></pre> <br",
            "a < b and c > d <li",
            "<!-- <li>hidden</li> -->",
            "<details><summary>More</summary>",
        ] {
            assert_eq!(laid_out(text), text);
        }
    }
}
