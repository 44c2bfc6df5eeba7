//! Divides a document into passages, each of which can be a result, and passages into pieces with their lines.

use super::super::result::short;

/// The shortest passage in characters; a shorter paragraph is joined with the next one of its section. A passage of two
/// words would match a query with one of them better than a sentence does.
const LEAST_CHARS: usize = 200;
/// The most lines of a passage; a longer table or list is divided.
const MOST_LINES: u32 = 12;
/// The most characters of a passage.
const MOST_CHARS: usize = 1_500;
/// The most characters of a piece without the end of a sentence.
const MOST_PIECE: usize = 300;

/// A paragraph, or part of a long one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// The headings above it, from the outermost; empty if there are none.
    pub heading: String,
    /// The sentences and lines, never empty.
    pub pieces: Vec<Piece>,
}

/// A sentence, or a line without the end of one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The line on which it begins, from 1.
    pub line: u32,
    pub text: String,
}

impl Passage {
    /// The text around the piece at `best`, with as many preceding and following pieces as fit. The sentence that a
    /// pronoun refers to comes first: "It has no PDF" needs the name.
    pub(super) fn snippet(&self, best: usize, most: usize) -> String {
        let length = |piece: &Piece| piece.text.chars().count() + 1;
        let best = best.min(self.pieces.len() - 1);
        let mut room = most.saturating_sub(length(&self.pieces[best]));
        let (mut from, mut to) = (best, best + 1);
        while from > 0 && refers_back(&self.pieces[from].text) && length(&self.pieces[from - 1]) <= room {
            from -= 1;
            room -= length(&self.pieces[from]);
        }
        while to < self.pieces.len() && length(&self.pieces[to]) <= room {
            room -= length(&self.pieces[to]);
            to += 1;
        }
        while from > 0 && length(&self.pieces[from - 1]) <= room {
            from -= 1;
            room -= length(&self.pieces[from]);
        }
        let mut words = String::new();
        for (at, piece) in self.pieces[from..to].iter().enumerate() {
            if at > 0 && self.pieces[from + at - 1].line != piece.line {
                words.push(' ');
            }
            words.push_str(&piece.text);
        }
        short(&words, most)
    }
}

/// The passages of a document, in its order. `name` decides if it is Markdown, in which `#` begins a heading.
pub(super) fn of(name: &str, text: &str) -> Vec<Passage> {
    let is_markdown = [".md", ".markdown", ".mdx"].iter().any(|ending| name.to_ascii_lowercase().ends_with(ending));
    let mut writer = Writer::default();
    let skipped = if is_markdown { front_matter(text) } else { 0 };
    for (number, line) in (1..).zip(text.lines()).skip(skipped) {
        match heading(line).filter(|_| is_markdown && !writer.is_in_code) {
            Some((level, words)) => writer.begin_section(number, level, words),
            None if line.trim().is_empty() => writer.end_paragraph(),
            None => writer.line(number, line),
        }
    }
    writer.end_section(0);
    writer.passages
}

#[derive(Default)]
struct Writer {
    passages: Vec<Passage>,
    /// The headings above, outermost first, with their levels.
    headings: Vec<(usize, String)>,
    pieces: Vec<Piece>,
    lines: u32,
    chars: usize,
    /// The line of the last heading as long as it has no text below it.
    bare_heading: Option<u32>,
    is_in_code: bool,
}

impl Writer {
    fn begin_section(&mut self, number: u32, level: usize, words: &str) {
        self.end_section(level);
        self.headings.retain(|(other, _)| *other < level);
        self.headings.push((level, words.to_owned()));
        self.bare_heading = Some(number);
    }

    /// Ends a section. A heading without text below it becomes a separate passage; otherwise it is part of each passage
    /// below it. `next` is the level of the heading that ends the section.
    fn end_section(&mut self, next: usize) {
        self.flush();
        if let (Some(line), Some((level, words))) = (self.bare_heading.take(), self.headings.last())
            && next <= *level
        {
            self.pieces.push(Piece { line, text: words.clone() });
            self.flush();
        }
    }

    fn end_paragraph(&mut self) {
        if self.chars >= LEAST_CHARS {
            self.flush();
        }
    }

    fn line(&mut self, number: u32, line: &str) {
        if line.trim_start().starts_with("```") {
            self.is_in_code = !self.is_in_code;
        }
        if self.lines >= MOST_LINES || self.chars >= MOST_CHARS {
            self.flush();
        }
        self.bare_heading = None;
        self.lines += 1;
        for text in sentences(line) {
            let length = text.chars().count();
            if self.chars > 0 && self.chars + length > MOST_CHARS {
                self.flush();
            }
            self.chars += length;
            self.pieces.push(Piece { line: number, text: text.to_owned() });
        }
    }

    fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        (self.lines, self.chars) = (0, 0);
        if !pieces.is_empty() {
            let heading = self.headings.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" › ");
            self.passages.push(Passage { heading, pieces });
        }
    }
}

/// Returns true for a sentence that begins with a pronoun for something named before it.
fn refers_back(sentence: &str) -> bool {
    const PRONOUNS: [&str; 8] = ["it", "its", "they", "their", "he", "she", "these", "this"];
    const CHINESE: [&str; 6] = ["它", "他们", "她", "他", "该", "其"];
    let sentence = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    PRONOUNS.iter().any(|word| first.eq_ignore_ascii_case(word))
        || CHINESE.iter().any(|word| sentence.starts_with(word))
}

/// The number of lines of metadata between two `---` at the top of a Markdown file; they are not text.
fn front_matter(text: &str) -> usize {
    let mut lines = text.lines();
    let begins = lines.next().is_some_and(|line| line.trim_end() == "---");
    let end = lines.take(100).position(|line| line.trim_end() == "---");
    end.filter(|_| begins).map_or(0, |end| end + 2)
}

/// The level and the words of a Markdown heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line.get(level..)?.strip_prefix(' ')?.trim().trim_end_matches('#').trim_end();
    ((1..=6).contains(&level) && !words.is_empty()).then_some((level, words))
}

/// Divides a line after each sentence, and wherever it is too long without one.
fn sentences(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut length = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        length += 1;
        let next = chars.peek().map(|(_, next)| *next);
        let is_end = matches!(c, '。' | '！' | '？' | '；')
            || matches!(c, '.' | '!' | '?') && next.is_some_and(char::is_whitespace)
            || length >= MOST_PIECE;
        if is_end {
            let end = at + c.len_utf8();
            out.push(&line[from..end]);
            (from, length) = (end, 0);
        }
    }
    out.push(&line[from..]);
    out.retain(|piece| !piece.trim().is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, text: &str) -> Vec<String> {
        let one = |passage: &Passage| {
            let pieces: Vec<String> =
                passage.pieces.iter().map(|piece| format!("{}:{}", piece.line, piece.text.trim())).collect();
            format!("{} | {}", passage.heading, pieces.join(" / "))
        };
        of(name, text).iter().map(one).collect()
    }

    #[test]
    fn paragraphs_keep_their_lines_and_headings() {
        let text = "---\ntitle: x\n---\nIntro. Two!\n\n# Market\n\nSize is 4.5 billion. It grows.\nBy 3 %.\n\nShort.\n\n## Asia\n## \
                    EU\n# Users\n## Ana\nClerk\n\n```\n# not one\n```\n";
        assert_eq!(
            shown("a.md", text),
            [
                " | 4:Intro. / 4:Two!",
                "Market | 8:Size is 4.5 billion. / 8:It grows. / 9:By 3 %. / 11:Short.",
                "Market › Asia | 13:Asia",
                "Market › EU | 14:EU",
                "Users › Ana | 17:Clerk / 19:``` / 20:# not one / 21:```",
            ]
        );
        let long = format!("{}\n\nNext.\n", "A sentence. ".repeat(20));
        assert_eq!(of("a.md", &long).len(), 2);
        assert_eq!(shown("a.md", "---\nno end\n"), [" | 1:--- / 2:no end"]);
        assert_eq!(shown("a.txt", "# one\n价格是 5 元。很贵！\n"), [" | 1:# one / 2:价格是 5 元。 / 2:很贵！"]);
        assert!(of("a.md", "\n\n").is_empty());
    }

    #[test]
    fn a_snippet_keeps_the_name_that_a_pronoun_refers_to() {
        let text = "DataPorter sells an export. It has no PDF. Shops buy it. Others do not.\n";
        let passage = &of("a.md", text)[0];
        assert_eq!(passage.snippet(1, 50), "DataPorter sells an export. It has no PDF.");
        assert_eq!(passage.snippet(2, 30), "Shops buy it.");
        let chinese = &of("a.md", "易导提供导出。它没有 PDF。店铺会购买它。\n")[0];
        assert_eq!(chinese.snippet(1, 20), "易导提供导出。它没有 PDF。");
    }

    #[test]
    fn long_tables_and_lines_become_several_passages() {
        let table: String = (0..100).map(|row| format!("{row},x\n")).collect();
        let passages = of("a.csv", &table);
        assert!(passages.len() >= 8 && passages.iter().all(|passage| passage.pieces.len() <= 12), "{}", passages.len());
        assert_eq!(passages[1].pieces[0], Piece { line: 13, text: "12,x".into() });
        let passages = of("a.json", &"x".repeat(100_000));
        assert!(passages.iter().all(|passage| {
            passage.pieces.iter().map(|piece| piece.text.len()).sum::<usize>() <= MOST_CHARS + MOST_PIECE
        }));
        assert_eq!(
            passages.iter().flat_map(|passage| &passage.pieces).map(|piece| piece.text.len()).sum::<usize>(),
            100_000
        );
    }

    #[test]
    fn snippet_stands_around_the_best_piece_and_is_cut() {
        let passage = &of("a.txt", &"One two three four. ".repeat(30))[0];
        let snippet = passage.snippet(20, 100);
        assert!(snippet.chars().count() <= 100 && snippet.starts_with("One two three four."), "{snippet}");
        assert_eq!(of("a.txt", "x")[0].snippet(0, 100), "x");
        assert_eq!(of("a.txt", "x")[0].snippet(9, 100), "x");
    }
}
