//! Sorts the lines of a part into prose, code and log, whatever stands inside a fence: people paste prose into code fields.

use crate::model::Span;
use crate::text::lexicon::is_cjk;
use crate::text::line_shapes::is_log_line;

/// The lines of one part.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) prose: Vec<Span>,
    pub(super) code: Vec<Span>,
    pub(super) log: Vec<Span>,
    /// It begins inside a fence that an earlier part opened.
    pub(super) continues: bool,
    /// Some of it stands inside a fence.
    pub(super) fenced: bool,
    /// It holds nothing but links and pictures.
    pub(super) is_links: bool,
    /// It holds nothing but the boxes of a task list, as forms have them.
    pub(super) is_boxes: bool,
    /// It is one short line.
    pub(super) is_single: bool,
}

/// Words of a line that is read as a name or a value and never as code.
const SINGLE_LINE: usize = 12;

impl Lines {
    /// Sorts the lines of a part; `in_fence` goes on from part to part.
    pub(super) fn of(text: &str, part: Span, in_fence: &mut bool) -> Self {
        let words = part.slice(text);
        let filled = || words.lines().filter(|line| !line.trim().is_empty());
        let fenced = *in_fence || words.contains("```");
        let is_single =
            !fenced && filled().count() == 1 && filled().all(|line| line.split_whitespace().count() <= SINGLE_LINE);
        let is_box =
            |line: &str| ["- [x]", "- [X]", "- [ ]", "* [x]", "* [ ]"].iter().any(|mark| line.starts_with(mark));
        let mut out = Self {
            continues: *in_fence,
            fenced,
            is_single,
            is_links: is_links(words),
            is_boxes: filled().next().is_some() && filled().all(|line| is_box(line.trim())),
            ..Self::default()
        };
        let mut in_comment = false;
        let mut ended = false;
        let mut start = part.start;
        for line in words.split_inclusive('\n') {
            let span = Span::new(start, start + line.len()).trimmed(text);
            start += line.len();
            let line = span.slice(text);
            if line.starts_with("```") {
                *in_fence = !*in_fence;
                continue;
            }
            in_comment |= line.starts_with("<!--");
            let skipped = in_comment || ended || is_empty(line);
            in_comment &= !line.contains("-->");
            if skipped {
                continue;
            }
            // A bold line behind content is the next heading of the form.
            let told = !(out.prose.is_empty() && out.code.is_empty() && out.log.is_empty());
            if told && line.len() > 6 && line.starts_with("**") && line.ends_with("**") {
                ended = true;
                continue;
            }
            out.sort(line, span, *in_fence);
        }
        out
    }

    fn sort(&mut self, line: &str, span: Span, in_fence: bool) {
        if self.is_single {
            self.prose.push(span);
        } else if is_log(line) {
            self.log.push(span);
        } else if !is_prose(line) && (in_fence || is_code(line)) {
            self.code.push(span);
        } else {
            self.prose.push(span);
        }
    }

    /// Number of all lines.
    pub(super) fn count(&self) -> usize {
        self.prose.len() + self.code.len() + self.log.len()
    }
}

/// Rules, the mark of an empty form field, markup around a fold.
fn is_empty(line: &str) -> bool {
    let bare = line.trim_matches(['-', '*', '_', ' ']);
    bare.is_empty()
        || bare.eq_ignore_ascii_case("no response")
        || (line.starts_with("<details") || line.starts_with("</details") || line.starts_with("<summary"))
}

/// At least four words, or six Chinese characters, and few brackets.
fn is_prose(line: &str) -> bool {
    let words = line
        .split(|c: char| !(c.is_ascii_alphabetic() || c == '\''))
        .filter(|word| word.len() >= 2 && word.bytes().skip(1).all(|b| b.is_ascii_lowercase() || b == b'\''))
        .count();
    let chinese = line.chars().filter(|c| is_cjk(*c)).count();
    let marks = line.bytes().filter(|b| b"(){}[]=;_<>".contains(b)).count();
    (words >= 4 || chinese >= 6) && marks * 12 < line.len()
}

fn is_log(line: &str) -> bool {
    const INSIDE: [&str; 9] = [
        "Traceback",
        "core dumped",
        "DeprecationWarning",
        "error:",
        "warning:",
        "<ipython-input",
        "site-packages",
        "failed with",
        "exited with",
    ];
    const LEVELS: [&str; 5] = ["INFO", "WARNING", "ERROR", "FATAL", "WARN"];
    const STARTS: [&str; 6] = ["File \"", "^^", "|", "│", "In [", "at "];
    let starts = STARTS.iter().any(|mark| line.starts_with(mark) && (*mark != "at " || line.contains('(')));
    let levelled = || line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| LEVELS.contains(&word));
    let raised = ["Error:", "Exception:"].iter().any(|mark| line.contains(mark))
        || line.ends_with("Error")
        || line.ends_with("Exception");
    starts
        || INSIDE.iter().any(|mark| line.contains(mark))
        || raised
        || is_dated(line)
        || has_address(line)
        || is_log_line(line)
        || levelled()
}

/// `2024-05-`, `12:30`, `[1234`.
fn is_dated(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let two_follow = bytes.len() > digits + 2 && bytes[digits + 1..digits + 3].iter().all(u8::is_ascii_digit);
    (2..=4).contains(&digits) && matches!(bytes.get(digits), Some(b'-' | b'/' | b':')) && two_follow
        || bytes.first() == Some(&b'[') && bytes.get(1).is_some_and(u8::is_ascii_digit)
}

/// A memory address of at least six digits.
fn has_address(line: &str) -> bool {
    line.find("0x").is_some_and(|at| {
        line.as_bytes()[at + 2..].iter().take_while(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).count() >= 6
    })
}

fn is_code(line: &str) -> bool {
    const STARTS: [&str; 50] = [
        "import ",
        "from ",
        "def ",
        "class ",
        "return",
        "for ",
        "if ",
        "else:",
        "try:",
        "with ",
        "print(",
        "@",
        "#include",
        "const ",
        "let ",
        "var ",
        "function ",
        "export ",
        "public ",
        "private ",
        "$ ",
        ">>> ",
        "%",
        "!pip",
        "pip ",
        "git ",
        "npm ",
        "yarn ",
        "bazel ",
        "cd ",
        "docker ",
        "sudo ",
        "python ",
        "python3 ",
        "curl ",
        "</",
        "//",
        "/*",
        "}",
        ")",
        "]",
        "using ",
        "std::",
        "cargo ",
        "go ",
        "kubectl ",
        "fn ",
        "pub ",
        "select ",
        "SELECT ",
    ];
    let keyword = STARTS.iter().any(|start| line.starts_with(start));
    let tag = line.starts_with('<') && line[1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let ends = line.ends_with([';', '{', '(', '[', ',', ')']) || line.contains("=>");
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let name = line.find(|c: char| !is_name(c)).unwrap_or(0);
    let call = name > 0 && line[name..].starts_with('(');
    let assigned = line.find('=').is_some_and(|at| {
        let left = line[..at].trim_end_matches(['+', '*', '/', '-']);
        at + 1 < line.len() && at > 0 && left.chars().all(|c| is_name(c) || matches!(c, '[' | ']' | ',' | ' '))
    });
    let key = name > 0 && &line[name..] == ":";
    (keyword && !line.ends_with(['.', '?'])) || tag || ends || call || assigned || key
}

/// True if nothing is left but marks once links, pictures and "link to code example" are taken away.
fn is_links(words: &str) -> bool {
    if !words.contains("://") && !words.contains("![") {
        return false;
    }
    let mut rest = String::with_capacity(words.len());
    for token in words.split_whitespace() {
        let is_link = token.contains("://") || token.starts_with("![");
        if !is_link {
            rest.push_str(&token.to_lowercase());
            rest.push(' ');
        }
    }
    let rest = rest.replace("link to code example", "").replace("link to code", "").replace("```shell", "");
    let image = rest.contains("<img") || rest.contains("alt=\"");
    !rest.chars().any(char::is_alphanumeric)
        || image && words.trim_start().starts_with("<img") && !words.trim().contains('\n')
}
