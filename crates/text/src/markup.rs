//! Reads the first characters of a line: heading, list item, table row, quotation, fence.
//!
//! Tickets mix Markdown, Jira wiki markup and plain habits such as `1、`, `①` or `AC1:` in one text, so the markers of
//! all of them are read; only `#` and `*` depend on the dialect.

/// The meaning of `#` and `*` at the start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `#` is a heading, `*` a bullet.
    Markdown,
    /// `#` is a numbered item, `*` a bullet, `h2.` a heading.
    Jira,
}

/// The marker at the start of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marker {
    /// The bytes of the marker with the white space after it.
    pub length: usize,
    /// The depth that the marker itself states (`**` in Jira, `3.2.1`), else 0.
    pub depth: u8,
    /// The marker is a number or a letter, not a bullet.
    pub ordered: bool,
    /// First and last byte of the part that names the item (`FR-001`, `3.2`), if it has a name.
    pub label: Option<(usize, usize)>,
    /// The state of a box of a task list: `[x]` is `Some(true)`.
    pub checked: Option<bool>,
}

/// Distinguishes Jira wiki markup from Markdown by marks that only one of them has.
pub(crate) fn dialect_of(text: &str) -> Dialect {
    let (mut jira, mut markdown) = (0usize, 0usize);
    let mut after_hash = false;
    let has_jira_mark = ["{{", "|http", "(/) ", "(x) "].iter().any(|mark| text.contains(mark));
    for line in text.lines().map(str::trim_start) {
        let bytes = line.as_bytes();
        // Headings do not follow each other line by line; numbered items of Jira do.
        let hash = line.starts_with("# ");
        jira += usize::from(hash && after_hash) * 2;
        after_hash = hash;
        let is_jira_block = || {
            let marks = ["||", "bq. ", "{code", "{noformat", "{panel", "{quote", "{color"];
            jira_heading(line).is_some() || marks.iter().any(|mark| line.starts_with(mark))
        };
        if matches!(bytes.first(), Some(b'|' | b'b' | b'{' | b'h' | b'H')) && is_jira_block() {
            jira += 2;
        } else if line.starts_with("## ") || line.starts_with("### ") {
            // `##` is also a nested numbered item of Jira, so it counts less than a mark that only Jira has.
            markdown += 1;
        } else if line.starts_with("```") || line.starts_with("**") && bytes.get(2).is_some_and(|b| *b != b' ') {
            markdown += 1;
        } else if !has_jira_mark {
            continue;
        } else if line.contains("{{") || line.contains("|http") || line.contains("(/) ") || line.contains("(x) ") {
            jira += 1;
        }
    }
    if jira > markdown { Dialect::Jira } else { Dialect::Markdown }
}

/// The level of `h1. ` to `h6. `, and the bytes before the title.
pub(crate) fn jira_heading(line: &str) -> Option<(u8, usize)> {
    let bytes = line.as_bytes();
    let level = bytes.get(1).filter(|b| (b'1'..=b'6').contains(b))? - b'0';
    let is_heading = matches!(bytes.first(), Some(b'h' | b'H')) && bytes.get(2) == Some(&b'.');
    match bytes.get(3) {
        None | Some(b' ') => is_heading.then_some((level, 4.min(bytes.len()))),
        // `h5.Steps` is equally frequent.
        Some(next) => (is_heading && (next.is_ascii_uppercase() || !next.is_ascii())).then_some((level, 3)),
    }
}

/// The level of `# ` to `###### `, and the bytes before the title. `#Title` without a space counts if a letter follows.
pub(crate) fn markdown_heading(line: &str) -> Option<(u8, usize)> {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    if level == 0 || level > 6 {
        return None;
    }
    let rest = &line[level..];
    let space = rest.len() - rest.trim_start().len();
    let glued = space == 0 && (level > 1 || rest.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_ascii()));
    (space > 0 || glued).then_some((u8::try_from(level).unwrap_or(6), level + space))
}

/// The marker of a list item at the start of `line`, which has no indentation.
pub(crate) fn list_marker(line: &str, dialect: Dialect) -> Option<Marker> {
    let bullet = bullet(line, dialect).or_else(|| number(line)).or_else(|| circled(line)).or_else(|| named(line))?;
    Some(with_box(line, bullet))
}

fn bullet(line: &str, dialect: Dialect) -> Option<Marker> {
    let first = line.chars().next()?;
    let marker = |length, depth, ordered| Some(Marker { length, depth, ordered, label: None, checked: None });
    if dialect == Dialect::Jira && matches!(first, '#' | '*' | '-') {
        let run = line.bytes().take_while(|b| matches!(b, b'#' | b'*' | b'-')).count();
        let spaces = spaces_after(line, run);
        if run <= 5 && spaces > 0 {
            let ordered = line.as_bytes()[run - 1] == b'#';
            return marker(run + spaces, u8::try_from(run - 1).unwrap_or(4), ordered);
        }
    }
    match first {
        '-' | '*' | '+' | '–' | '—' | '~' => {
            let spaces = spaces_after(line, first.len_utf8());
            let length = first.len_utf8() + spaces;
            let glued = spaces == 0 && first == '-' && line[1..].starts_with(super::lexicon::is_cjk);
            (spaces > 0 || glued).then_some(())?;
            marker(length, 0, false)
        }
        '•' | '·' | '●' | '○' | '▪' | '◦' | '■' | '□' | '◆' | '▶' | '►' | '➤' | '✓' | '✔' | '☐' | '☑' | '✅' | '❌' =>
        {
            let length = first.len_utf8() + spaces_after(line, first.len_utf8());
            let checked = match first {
                '☐' | '□' => Some(false),
                '☑' => Some(true),
                _ => None,
            };
            Some(Marker { length, depth: 0, ordered: false, label: None, checked })
        }
        '(' if ["(/)", "(x)", "(!)", "(i)", "(?)", "(on)", "(*)"].iter().any(|icon| line.starts_with(icon)) => {
            let icon = line.find(')')? + 1;
            marker(icon + spaces_after(line, icon), 0, false)
        }
        _ => None,
    }
}

fn spaces_after(line: &str, at: usize) -> usize {
    line[at..].chars().take_while(|c| matches!(c, ' ' | '\t' | '\u{3000}' | '\u{a0}')).map(char::len_utf8).sum()
}

const CHINESE_NUMERALS: &str = "一二三四五六七八九十";

/// Reads `1.` `2)` `3、` `（4）` `5.1` `a)` `一、` `第三条`.
fn number(line: &str) -> Option<Marker> {
    let open = line.chars().next().filter(|c| matches!(c, '(' | '（')).map_or(0, char::len_utf8);
    let rest = &line[open..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let ordered = |length: usize, depth: usize, label: usize| {
        let depth = u8::try_from(depth.min(6)).unwrap_or(6);
        let label = Some((open, label));
        Some(Marker { length: length + spaces_after(line, length), depth, ordered: true, label, checked: None })
    };
    if digits > 0 && digits <= 3 {
        let mut end = open + digits;
        let mut parts = 0;
        while let Some(more) = line[end..].strip_prefix('.') {
            let next = more.bytes().take_while(u8::is_ascii_digit).count();
            if next == 0 || next > 3 {
                break;
            }
            end += 1 + next;
            parts += 1;
        }
        let after = line[end..].chars().next();
        return match after {
            Some('.' | '．') if parts == 0 || line[end + 1..].starts_with([' ', '\t']) => {
                let length = end + after.map_or(1, char::len_utf8);
                let next = line[length..].chars().next();
                // `1.5 GB` is a quantity and `2024.` a year, not an item.
                let item = next.is_none_or(|c| !c.is_ascii_digit());
                if item { ordered(length, parts, end) } else { None }
            }
            Some(')' | '）' | '、' | '】' | ']') => ordered(end + after.map_or(1, char::len_utf8), parts, end),
            Some(' ' | '\t' | '\u{3000}') if parts > 0 && !is_measured(line) => ordered(end, parts, end),
            Some(c) if parts > 0 && super::lexicon::is_cjk(c) && parts <= 3 && !is_measured(line) => {
                ordered(end, parts, end)
            }
            _ => None,
        };
    }
    let numerals: usize = rest.chars().take_while(|c| CHINESE_NUMERALS.contains(*c)).map(char::len_utf8).sum();
    if numerals > 0 && numerals <= 9 {
        let end = open + numerals;
        let after = line[end..].chars().next()?;
        let closes = if open > 0 { matches!(after, ')' | '）') } else { matches!(after, '、' | '．' | '.') };
        return if closes { ordered(end + after.len_utf8(), 0, end) } else { None };
    }
    if let Some(rest) = line.strip_prefix('第') {
        let numerals: usize =
            rest.chars().take_while(|c| CHINESE_NUMERALS.contains(*c) || c.is_ascii_digit()).map(char::len_utf8).sum();
        let end = '第'.len_utf8() + numerals;
        let unit = line[end..].chars().next().filter(|c| numerals > 0 && matches!(c, '条' | '点' | '步'))?;
        let stop = end + unit.len_utf8();
        let after = line[stop..]
            .chars()
            .next()
            .filter(|c| matches!(c, '：' | ':' | '、' | '，' | ' '))
            .map_or(0, char::len_utf8);
        return ordered(stop + after, 0, stop);
    }
    let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    let after = rest[1..].chars().next()?;
    let closes = matches!(after, ')' | '）')
        || (open == 0 && after == '.' && letter.is_ascii_lowercase() && rest[2..].starts_with(' '));
    if closes { ordered(open + 1 + after.len_utf8(), 0, open + 1) } else { None }
}

/// Returns true if the number at the start of the line has a unit: `1.5 GB`.
fn is_measured(line: &str) -> bool {
    let end = line.char_indices().map(|(at, _)| at).take_while(|at| *at <= 24).last().unwrap_or(0);
    let first = super::quantities::quantities(line, reqgate_base::model::Span::new(0, end));
    first.first().is_some_and(|quantity| quantity.number.start == 0 && quantity.dimension.is_some())
}

/// Reads `①` … `⑳`, `⑴`, `➊`.
fn circled(line: &str) -> Option<Marker> {
    let first = line.chars().next()?;
    let is_circled = matches!(first as u32, 0x2460..=0x2487 | 0x2776..=0x2793 | 0x24EB..=0x24F4);
    let length = first.len_utf8();
    is_circled.then(|| Marker {
        length: length + spaces_after(line, length),
        depth: 0,
        ordered: true,
        label: Some((0, length)),
        checked: None,
    })
}

/// Reads `AC1:` `FR-001` `REQ-12.` `R3 ` `US-4 -`: an item with its own name.
fn named(line: &str) -> Option<Marker> {
    let line_bytes = line.as_bytes();
    let bold = line.bytes().take_while(|b| *b == b'*').count();
    let letters = line_bytes[bold..].iter().take_while(|b| b.is_ascii_uppercase()).count();
    if letters == 0 || letters > 5 || bold > 2 {
        return None;
    }
    let mut end = bold + letters;
    if matches!(line_bytes.get(end), Some(b'-' | b'_' | b'.' | b' ')) {
        // `HTTP 404 …` is prose; a name with a space before its number needs a colon or a dash after it.
        end += 1;
    }
    let digits = line_bytes[end.min(line.len())..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    if digits == 0 || digits > 6 {
        return None;
    }
    end += digits;
    let spaced = line_bytes.get(bold + letters) == Some(&b' ');
    let label = end;
    let stars = line_bytes[end..].iter().take_while(|b| **b == b'*').count();
    end += stars;
    let after = line[end..].chars().next()?;
    let long_name = line_bytes.get(bold + letters) == Some(&b'-') && letters >= 2;
    let mut length = match after {
        ':' | '：' | ')' | '）' | '.' | '、' => end + after.len_utf8(),
        ' ' | '\t' if !spaced && (long_name || letters <= 3) => end,
        _ => return None,
    };
    length += line_bytes[length..].iter().take_while(|b| **b == b'*').count();
    length += spaces_after(line, length);
    if line[length..].starts_with("- ") || line[length..].starts_with("– ") || line[length..].starts_with("— ") {
        length += line[length..].find(' ').map_or(0, |at| at + 1);
    }
    Some(Marker { length, depth: 0, ordered: true, label: Some((bold, label)), checked: None })
}

fn with_box(line: &str, mut marker: Marker) -> Marker {
    let rest = &line[marker.length..];
    let box_and_state = [("[ ]", false), ("[]", false), ("[x]", true), ("[X]", true)];
    if let Some((mark, state)) = box_and_state.iter().find(|(mark, _)| rest.starts_with(mark)) {
        marker.checked = Some(*state);
        marker.length += mark.len();
        marker.length += spaces_after(line, marker.length);
    } else if !marker.ordered {
        // A bullet may have its own name or number: `- **AC1**: …`, `* 1. …`.
        if let Some(inner) = named(rest).or_else(|| number(rest)) {
            marker.label = inner.label.map(|(start, end)| (start + marker.length, end + marker.length));
            marker.length += inner.length;
        }
    }
    marker
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(line: &str) -> Option<&str> {
        list_marker(line, Dialect::Markdown).map(|marker| &line[marker.length..])
    }

    #[test]
    fn list_markers_of_every_habit_are_read() {
        for line in [
            "- x",
            "* x",
            "+ x",
            "• x",
            "1. x",
            "1) x",
            "1、x",
            "（1）x",
            "(2) x",
            "① x",
            "一、x",
            "a) x",
            "AC1: x",
            "FR-001 x",
            "**FR-001**: x",
            "3.2.1 x",
            "- [ ] x",
            "- **AC1**: x",
            "第一条：x",
            "(/) x",
            "□ x",
            "R2. x",
        ] {
            assert_eq!(item(line), Some("x"), "{line}");
        }
    }

    #[test]
    fn quantities_and_prose_are_no_list_items() {
        for line in [
            "1.5 GB is the limit",
            "2024 was good",
            "HTTP 404 is shown",
            "A user logs in",
            "-5 degrees",
            "*bold* word",
            "一起看",
        ] {
            assert_eq!(item(line), None, "{line}");
        }
    }

    #[test]
    fn jira_marks_decide_the_dialect() {
        assert_eq!(dialect_of("h2. Steps\n# one\n# two"), Dialect::Jira);
        assert_eq!(dialect_of("# Title\n\n## Steps\n- one"), Dialect::Markdown);
        let marker = list_marker("## two", Dialect::Jira).unwrap();
        assert_eq!((marker.depth, marker.ordered, marker.length), (1, true, 3));
    }
}
