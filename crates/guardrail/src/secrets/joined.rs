//! Strings that are written in several parts, such as `"abc" + "def"`, read as one string.

use reqgate_base::model::Span;

/// Shortest part that may be one of a key, and longest joint between two, in bytes.
const SHORTEST_PART: usize = 4;
const LONGEST_JOINT: usize = 60;

/// A text without the joints between the parts of its strings, with a map to the text with them.
pub(super) struct Joined {
    pub(super) text: String,
    /// The places in `text` where a joint was, and the bytes that were left out up to its end.
    joints: Vec<(usize, usize)>,
}

impl Joined {
    /// The text read so, or `None` if no string of it is written in parts.
    pub(super) fn new(source: &str) -> Option<Self> {
        let bytes = source.as_bytes();
        let mut text = String::new();
        let mut joints: Vec<(usize, usize)> = Vec::new();
        let mut copied = 0;
        let mut at = 0;
        while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\'')) {
            let quote = at + found;
            at = quote + 1;
            let Some(end) = joint(bytes, quote).filter(|_| is_part(bytes, quote)) else { continue };
            text.push_str(&source[copied..quote]);
            joints.push((text.len(), end - quote));
            copied = end;
            at = end;
        }
        if joints.is_empty() {
            return None;
        }
        text.push_str(&source[copied..]);
        let mut left_out = 0;
        for joint in &mut joints {
            left_out += joint.1;
            joint.1 = left_out;
        }
        Some(Self { text, joints })
    }

    /// The span of the source, if a joint is within that of the joined text.
    pub(super) fn original(&self, span: Span) -> Option<Span> {
        let first = self.joints.partition_point(|(at, _)| *at <= span.start);
        let last = self.joints.partition_point(|(at, _)| *at < span.end);
        let left_out = |joints: usize| joints.checked_sub(1).map_or(0, |joint| self.joints[joint].1);
        (last > first).then(|| Span::new(span.start + left_out(first), span.end + left_out(last)))
    }
}

/// Returns true if the text before the quotation mark is a run of letters and digits, as keys are.
fn is_part(bytes: &[u8], quote: usize) -> bool {
    let part = bytes[..quote].iter().rev().take(SHORTEST_PART);
    part.len() == SHORTEST_PART && part.copied().all(is_key)
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.')
}

/// The start of the next part of a string that ends with the quotation mark at `quote`.
fn joint(bytes: &[u8], quote: usize) -> Option<usize> {
    let rest = &bytes[quote + 1..bytes.len().min(quote + 1 + LONGEST_JOINT)];
    let blanks = |from: usize| from + rest[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let sign = blanks(0);
    let signs = rest[sign..].iter().take_while(|byte| matches!(byte, b'+' | b'.' | b'&' | b'|' | b'\\' | b'~')).count();
    let next = blanks(sign + signs);
    // Without a sign, parts follow each other on lines of their own.
    let is_joint = (1..=2).contains(&signs) || signs == 0 && rest[..next].contains(&b'\n');
    let is_open = rest.get(next) == Some(&bytes[quote]);
    let goes_on = rest.get(next + 1).is_some_and(|byte| is_key(*byte));
    (is_joint && is_open && goes_on).then_some(quote + 1 + next + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_string_are_joined_and_lead_back() {
        for text in [
            "key = \"abcd1234\" + \"efgh5678\";",
            "key = 'abcd1234' .\n      'efgh5678'",
            "key = (\"abcd1234\"\n  \"efgh5678\")",
            "key = \"abcd1234\" \\\n\"efgh5678\"",
            "\"aaaa\" + \"bbbb\"; key = \"abcd1234\" & \"efgh5678\"",
        ] {
            let joined = Joined::new(text).unwrap();
            let start = joined.text.find("abcd1234efgh5678").expect(text);
            let span = joined.original(Span::new(start, start + 16)).unwrap();
            let written = span.slice(text);
            assert!(written.starts_with("abcd") && written.ends_with("5678"), "{written}");
            assert_eq!(joined.original(Span::new(start, start + 4)), None);
        }
    }

    #[test]
    fn strings_side_by_side_stay_apart() {
        for text in ["f(\"abcd\", \"efgh\")", "\"abcd\" \"efgh\"", "a = \"x\" + y + \"z\"", "[\n\"abcd\",\n\"efgh\"\n]"]
        {
            assert!(Joined::new(text).is_none(), "{text}");
        }
    }
}
