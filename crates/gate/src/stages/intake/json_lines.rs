//! Streams a `.jsonl` or `.ndjson` file: one ticket per line, one line in memory at a time.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use super::json::{MOST_BROKEN_IN_A_ROW, Unknown};
use super::{IntakeError, RawInput, decoding, document, json};

type Lines<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// The tickets on the lines of a source.
pub(super) struct JsonLines<R> {
    name: String,
    limit: usize,
    /// The treatment of the whole source if its first line is not a ticket.
    unknown: Unknown,
    source: Source<R>,
    /// The number of the line read last, counted from 1.
    line: usize,
    broken_in_a_row: usize,
    is_empty: bool,
    /// The note about unnamed fields was already reported; every line of an export may have it.
    is_noted: bool,
    waiting: std::vec::IntoIter<Result<RawInput, IntakeError>>,
}

enum Source<R> {
    Unopened(R),
    Open(Lines<R>),
    Done,
}

impl<R: Read> JsonLines<R> {
    /// Creates a reader that has not read anything yet.
    pub(super) fn new(name: &str, source: R, limit: usize, unknown: Unknown) -> Self {
        let source = Source::Unopened(source);
        let waiting = Vec::new().into_iter();
        Self {
            name: name.to_owned(),
            limit,
            unknown,
            source,
            line: 0,
            broken_in_a_row: 0,
            is_empty: true,
            is_noted: false,
            waiting,
        }
    }

    /// Opens the lines of the source. UTF-16 is decoded as a whole, because its lines cannot be separated earlier.
    fn open(&self, mut source: R) -> Result<Lines<R>, IntakeError> {
        let unreadable = |source| IntakeError::Unreadable { name: self.name.clone(), source };
        let mut head = Vec::new();
        source.by_ref().take(2).read_to_end(&mut head).map_err(unreadable)?;
        if decoding::starts_as_utf16(&head) {
            let bytes = decoding::read_all(&self.name, Cursor::new(head).chain(source.by_ref()), self.limit)?;
            head = decoding::decode(&self.name, bytes)?.into_bytes();
        }
        Ok(BufReader::new(Cursor::new(head).chain(source)))
    }

    /// The next line without its line end, cut off if it exceeds the limit; `None` at the end of the source.
    fn next_line(lines: &mut Lines<R>, limit: usize) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(2);
        if lines.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > limit {
            skip_line(lines)?;
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(Some(line))
    }

    fn read_line(&self, line: Vec<u8>, unknown: Unknown) -> Vec<Result<RawInput, IntakeError>> {
        let name = format!("{}:{}", self.name, self.line);
        if line.len() > self.limit {
            return vec![Err(IntakeError::too_large(&name, self.limit))];
        }
        let parsed = decoding::decode(&name, line).and_then(|text| document(&name, &text));
        match parsed {
            Ok(value) => json::read(&name, &value, unknown, usize::MAX),
            Err(error) => vec![Err(error)],
        }
    }

    /// Ends the reading; returns an error if the source was empty.
    fn finish(&mut self) -> Option<Result<RawInput, IntakeError>> {
        self.source = Source::Done;
        self.is_empty.then(|| Err(IntakeError::Empty { name: self.name.clone() }))
    }

    fn stop(&mut self, error: IntakeError) -> Option<Result<RawInput, IntakeError>> {
        self.source = Source::Done;
        Some(Err(error))
    }
}

impl<R: Read> Iterator for JsonLines<R> {
    type Item = Result<RawInput, IntakeError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.waiting.next() {
                return Some(item);
            }
            let mut lines = match std::mem::replace(&mut self.source, Source::Done) {
                Source::Unopened(source) => match self.open(source) {
                    Ok(lines) => lines,
                    Err(error) => return self.stop(error),
                },
                Source::Open(lines) => lines,
                Source::Done => return None,
            };
            let line = match Self::next_line(&mut lines, self.limit) {
                Ok(Some(line)) => line,
                Ok(None) => return self.finish(),
                Err(source) => return self.stop(IntakeError::Unreadable { name: self.name.clone(), source }),
            };
            self.source = Source::Open(lines);
            self.line += 1;
            let is_mark = self.line == 1 && line == b"\xEF\xBB\xBF";
            if is_mark || line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            // Only the first line decides whether the whole file is foreign; a foreign line among tickets is an error.
            let is_first = std::mem::take(&mut self.is_empty);
            let mut items = self.read_line(line, if is_first { self.unknown } else { Unknown::Refuse });
            let is_remark = |item: &Result<_, _>| matches!(item, Err(IntakeError::UnnamedFields { .. }));
            if self.is_noted {
                items.retain(|item| !is_remark(item));
            }
            self.is_noted |= items.iter().any(is_remark);
            if let [Err(IntakeError::LeftOut { found, .. })] = items.as_slice() {
                let error = IntakeError::LeftOut { name: self.name.clone(), found: found.clone() };
                return self.stop(error);
            }
            let is_broken = items.iter().all(Result::is_err);
            self.broken_in_a_row = if is_broken { self.broken_in_a_row + 1 } else { 0 };
            if self.broken_in_a_row > MOST_BROKEN_IN_A_ROW {
                return self.stop(IntakeError::GaveUp { name: self.name.clone(), count: MOST_BROKEN_IN_A_ROW });
            }
            self.waiting = items.into_iter();
        }
    }
}

/// Reads to the end of the line without keeping it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(length);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &[u8], limit: usize) -> Vec<String> {
        JsonLines::new("x.jsonl", source, limit, Unknown::Refuse)
            .map(|item| match item {
                Ok(input) => format!("{} {}", input.name, input.text),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn each_line_is_one_input_named_by_its_number() {
        let source = b"\xEF\xBB\xBF{\"text\":\"one\"}\r\n\n{\"id\":7,\"title\":\"two\",\"body\":\"three\"}";
        assert_eq!(read(source, 100), ["x.jsonl:1 one", "x.jsonl:3 two\n\nthree"]);
    }

    #[test]
    fn broken_line_does_not_stop_the_others() {
        let found = read(b"{\"text\":\"one\"}\n{oops\n\xFF\n{\"text\":\"four\"}\n", 100);
        assert_eq!(found.len(), 4);
        assert!(found[1].contains("`x.jsonl:2` is not valid JSON"), "{found:?}");
        assert!(found[2].contains("`x.jsonl:3` is not valid UTF-8 at byte 0"), "{found:?}");
        assert_eq!(found[3], "x.jsonl:4 four");
    }

    #[test]
    fn line_over_the_limit_is_skipped() {
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(50_000));
        let found = read(format!("{long}\n{{\"text\":\"two\"}}\n{long}").as_bytes(), 20);
        assert_eq!(found.len(), 3);
        assert!(found[0].contains("`x.jsonl:1` is larger than 20 bytes"), "{found:?}");
        assert_eq!(found[1], "x.jsonl:2 two");
        assert!(found[2].contains("`x.jsonl:3` is larger"), "{found:?}");
    }

    #[test]
    fn line_as_long_as_the_limit_is_read() {
        let line = "{\"text\":\"abc\"}";
        assert_eq!(read(format!("{line}\r\n{line}").as_bytes(), line.len()), ["x.jsonl:1 abc", "x.jsonl:2 abc"]);
    }

    #[test]
    fn fields_without_names_are_reported_once() {
        let line = "{\"key\":\"A-1\",\"fields\":{\"summary\":\"One\",\"customfield_7\":\"When it is late, the badge is red.\"}}\n";
        let found = read(line.repeat(3).as_bytes(), 1000);
        assert_eq!(found.iter().filter(|words| words.contains("customfield_7")).count(), 1, "{found:?}");
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn utf16_lines_are_read() {
        let units = "{\"text\":\"一二\"}\n{\"text\":\"b\"}\n".encode_utf16().flat_map(u16::to_le_bytes);
        let source: Vec<u8> = [0xFF, 0xFE].into_iter().chain(units).collect();
        assert_eq!(read(&source, 100), ["x.jsonl:1 一二", "x.jsonl:2 b"]);
    }

    #[test]
    fn file_without_a_line_is_empty_and_one_without_json_is_given_up() {
        assert!(read(b"\n\n", 100)[0].contains("is empty"));
        let found = read("no json\n".repeat(500).as_bytes(), 100);
        assert_eq!(found.len(), MOST_BROKEN_IN_A_ROW + 1);
        assert!(found.last().expect("a last one").contains("gave up"), "{found:?}");
    }
}
