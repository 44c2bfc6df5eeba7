//! Finds personal data: one pass over the bytes that tries, wherever a value could begin, the patterns that begin so.
//!
//! The patterns are data: shapes with a check of their digits, or the name of a reader here, and the words near them that decide.

mod checksum;
mod email;
mod labelled;
mod network;
mod payment;
mod phone;
mod place;
mod spelled_email;

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{Context, GuardrailPatterns, PersonalDataPattern, Placeholders};

use super::{Find, GuardrailError, nearby, without_overlaps};
use checksum::Check;
use labelled::Labels;
use place::Place;

/// Looks for every kind of personal data.
#[derive(Debug)]
pub(super) struct PersonalDataScreen {
    patterns: Vec<PersonalDataPattern>,
    /// By the byte that a value begins with: the ways to find it, in the order of the patterns.
    starting: Vec<Vec<Way>>,
    labels: Labels,
    placeholders: Placeholders,
}

/// A way to find a value that begins at a place.
#[derive(Debug, Clone)]
struct Way {
    /// Number of its pattern.
    pattern: usize,
    /// The character of a shape that it begins with, and the fewest digits there.
    first: u8,
    digits: usize,
    finder: Finder,
}

#[derive(Debug, Clone)]
enum Finder {
    Reader(fn(&Place<'_>) -> Option<Span>),
    Shape { shape: String, check: Option<Check>, context: Context },
}

/// A reader by its name in the pattern files, with the characters that its values begin with, as a shape has them.
type Reader = (&'static str, &'static str, fn(&Place<'_>) -> Option<Span>);

const READERS: [Reader; 5] = [
    ("email", "@([", email::find),
    ("iban", "a", payment::iban),
    ("network-address", "da:", network::find),
    ("payment-card", "d", payment::card),
    ("phone", "d+(", phone::find),
];

impl PersonalDataScreen {
    pub(super) fn new(patterns: &GuardrailPatterns) -> Result<Self, GuardrailError> {
        let mut starting = vec![Vec::new(); 256];
        for (number, pattern) in patterns.personal_data.iter().enumerate() {
            for way in ways(number, pattern)? {
                let bytes = (0..=u8::MAX).filter(|byte| fits(*byte, way.first));
                bytes.for_each(|byte| starting[usize::from(byte)].push(way.clone()));
            }
        }
        let (patterns, placeholders) = (patterns.personal_data.clone(), patterns.placeholders.clone());
        Ok(Self { patterns, starting, labels: Labels::new(), placeholders })
    }

    /// Every find, without overlaps.
    pub(super) fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let spelled = spelled_email::find(text, &self.placeholders).into_iter().map(|span| ("email-address", span));
        let apart = self.labels.find(text).into_iter().chain(spelled).filter_map(|(id, span)| {
            let pattern = self.patterns.iter().find(|pattern| pattern.id == id)?;
            Some(found(pattern, span))
        });
        without_overlaps(self.shaped(text, not_prose), apart.collect())
    }

    /// All finds whose shape identifies them without a label, in order and without overlaps.
    fn shaped(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let bytes = text.as_bytes();
        let mut finds: Vec<Find> = Vec::new();
        let mut free_from = 0;
        let mut code = not_prose;
        let mut at = 0;
        // Every value has one of these marks within its first bytes, and most words have none near.
        let mut mark = next_mark(bytes, 0);
        while at < bytes.len() {
            if mark < at {
                mark = next_mark(bytes, at);
            }
            if at + MARK_WITHIN < mark {
                at = (mark - MARK_WITHIN).min(bytes.len());
                continue;
            }
            if self.starting[usize::from(bytes[at])].is_empty() || !may_begin(bytes, at) {
                at += 1;
                continue;
            }
            while let Some((_, later)) = code.split_first().filter(|(span, _)| span.end <= at) {
                code = later;
            }
            let in_prose = code.first().is_none_or(|span| at < span.start);
            match self.found_at(text, at, in_prose) {
                Some(find) if find.span.start >= free_from => {
                    free_from = find.span.end;
                    at = find.span.end.max(at + 1);
                    finds.push(find);
                }
                _ => at += 1,
            }
        }
        finds
    }

    fn found_at(&self, text: &str, at: usize, in_prose: bool) -> Option<Find> {
        let bytes = text.as_bytes();
        let starts_word = place::starts_word(bytes, at);
        let digits = bytes[at..].iter().take(MOST_DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
        // Most numbers of a text are too short for most shapes.
        let mut ways = self.starting[usize::from(bytes[at])].iter().filter(|way| way.digits <= digits);
        ways.find_map(|way| {
            let pattern = &self.patterns[way.pattern];
            let place = Place { text, bytes, at, starts_word, in_prose, pattern, placeholders: &self.placeholders };
            let span = match &way.finder {
                Finder::Reader(read) => read(&place),
                Finder::Shape { shape, check, context } => place.shaped(shape, *check, *context),
            };
            span.map(|span| found(pattern, span))
        })
    }
}

/// Most digits at the beginning of a shape that are looked at before the shape is.
const MOST_DIGITS: usize = 20;

fn found(pattern: &PersonalDataPattern, span: Span) -> Find {
    Find { kind: pattern.kind, pattern: pattern.id.clone(), span }
}

fn ways(number: usize, pattern: &PersonalDataPattern) -> Result<Vec<Way>, GuardrailError> {
    let unknown = |name: &str| GuardrailError::UnknownCode { pattern: pattern.id.clone(), name: name.to_owned() };
    let mut ways = Vec::new();
    if let Some(name) = &pattern.reader {
        let (_, begins, read) = READERS.iter().find(|(known, ..)| known == name).ok_or_else(|| unknown(name))?;
        let finder = Finder::Reader(*read);
        ways.extend(begins.bytes().map(|first| Way { pattern: number, first, digits: 0, finder: finder.clone() }));
    }
    for form in &pattern.numbers {
        let named = |name: &String| checksum::named(name).ok_or_else(|| unknown(name));
        let check = form.check.as_ref().map(named).transpose()?;
        for shape in &*form.shapes {
            let first = shape.bytes().next().unwrap_or_default();
            let digits = shape.bytes().take(MOST_DIGITS).take_while(|byte| *byte == b'd').count();
            let finder = Finder::Shape { shape: shape.clone(), check, context: form.context };
            ways.push(Way { pattern: number, first, digits, finder });
        }
    }
    Ok(ways)
}

/// Returns true if a shape allows this byte at a character.
fn fits(byte: u8, wanted: u8) -> bool {
    match wanted {
        b'd' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        b'a' => byte.is_ascii_alphabetic(),
        b'*' => byte.is_ascii_alphanumeric(),
        _ => byte == wanted,
    }
}

/// Most bytes of letters before the first mark of a value that begins with letters.
const MARK_WITHIN: usize = 8;

/// The place of the next digit, colon, `@`, `+` or bracket; the end of the text if it has no more.
fn next_mark(bytes: &[u8], from: usize) -> usize {
    let is_mark = |byte: &u8| matches!(byte, b'0'..=b':' | b'@' | b'+' | b'(' | b'[');
    bytes[from..].iter().position(is_mark).map_or(bytes.len(), |at| from + at)
}

/// Returns true unless the byte is a letter within a word, or a letter without a digit or colon shortly after it.
fn may_begin(bytes: &[u8], at: usize) -> bool {
    let near = |length: usize| &bytes[at..bytes.len().min(at + length)];
    !bytes[at].is_ascii_alphabetic()
        || place::starts_word(bytes, at) && (near(8).iter().any(u8::is_ascii_digit) || near(7).contains(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the examples of every shipped check.
    #[test]
    fn every_example_of_a_check_behaves_as_stated() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        let screen = PersonalDataScreen::new(&patterns).unwrap();
        let mut wrong = Vec::new();
        let examples = GuardrailPatterns::shipped_examples().unwrap();
        for check in &patterns.personal_data {
            let own = &examples[&check.id];
            let hit = |text: &String| screen.find(text, &[]).iter().any(|find| find.pattern == check.id);
            wrong.extend(own.fires.iter().filter(|text| !hit(text)).map(|text| format!("{} misses {text}", check.id)));
            wrong.extend(own.silent.iter().filter(|text| hit(text)).map(|text| format!("{} hits {text}", check.id)));
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn hostile_runs_are_read_without_panic() {
        let screen = PersonalDataScreen::new(&GuardrailPatterns::shipped().unwrap()).unwrap();
        for unit in ["@", "a.", "1", "1 ", "1.", "+1", "(", ":", "a:", "f:", "é@é.é ", "1-", "a@a.", "٣"] {
            screen.find(&unit.repeat(20_000), &[]);
        }
    }

    #[test]
    fn addresses_in_code_are_told_from_versions() {
        let screen = PersonalDataScreen::new(&GuardrailPatterns::shipped().unwrap()).unwrap();
        for text in [
            "host 91.198.174.192",
            "client_ip: \"91.198.174.192\"",
            "2026-03-04 10:11:12 INFO ip=2a00:1450:4001:81b::200e",
            "2026-03-04 10:11:12 INFO request from 91.198.174.192",
            "curl http://41.73.9.26/orders",
        ] {
            assert_eq!(screen.find(text, &[]).len(), 1, "{text}");
            assert_eq!(screen.find(text, &[Span::new(0, text.len())]).len(), 1, "{text}");
        }
        for text in ["server 4.18.0.25", "version 3.1.101.201", "lib-3.1.101.201.so", "host 10.0.0.12"] {
            assert_eq!(screen.find(text, &[Span::new(0, text.len())]).len(), 0, "{text}");
        }
    }

    #[test]
    fn an_installation_adds_a_number_and_gives_other_words_to_a_shipped_one() {
        let mut patterns = GuardrailPatterns::shipped().unwrap();
        let own = "personal_data:\n  - {id: member-number, kind: national_id, numbers: [Ad-ddd | luhn | announced 20], near: member}\n  \
                   - {id: pl-pesel, kind: national_id, near: own word}\n";
        patterns.add("own", own).unwrap();
        let screen = PersonalDataScreen::new(&patterns).unwrap();
        let ids = |text: &str| screen.find(text, &[]).into_iter().map(|find| find.pattern).collect::<Vec<_>>();
        assert_eq!(ids("member M1-230 and own word 44051401359"), ["member-number", "pl-pesel"]);
        assert!(ids("part M1-230, member M1-231, pesel: 44051401359").is_empty());
    }

    #[test]
    fn code_that_does_not_exist_is_refused() {
        for own in ["numbers: [ddd | lun]", "reader: phones"] {
            let mut patterns = GuardrailPatterns::default();
            patterns.add("own", &format!("personal_data: [{{id: own, kind: phone, {own}}}]")).unwrap();
            assert!(matches!(PersonalDataScreen::new(&patterns), Err(GuardrailError::UnknownCode { .. })), "{own}");
        }
    }
}
