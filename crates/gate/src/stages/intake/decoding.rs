//! Decodes the bytes of a bounded source as text: UTF-8 with or without its mark, UTF-16 with its mark. Refuses other
//! content.
//!
//! Line ends are kept as written.

use std::io::Read;

use super::{IntakeError, RawInput};
use reqgate_base::model::Span;

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
const UTF16_LITTLE_MARK: [u8; 2] = [0xFF, 0xFE];
const UTF16_BIG_MARK: [u8; 2] = [0xFE, 0xFF];

/// All bytes of a source, or an error if they exceed the limit; an endless source is not read further.
pub(super) fn read_all(name: &str, reader: impl Read, limit: usize) -> Result<Vec<u8>, IntakeError> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let unreadable = |source| IntakeError::Unreadable { name: name.to_owned(), source };
    reader.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > limit { Err(IntakeError::too_large(name, limit)) } else { Ok(bytes) }
}

/// Returns true if the bytes begin with the mark of UTF-16, which Windows tools write.
pub(super) fn starts_as_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&UTF16_LITTLE_MARK) || bytes.starts_with(&UTF16_BIG_MARK)
}

/// Decodes the bytes as text, without a byte order mark.
pub(super) fn decode(name: &str, mut bytes: Vec<u8>) -> Result<String, IntakeError> {
    if bytes.is_empty() {
        return Err(IntakeError::Empty { name: name.to_owned() });
    }
    refuse_other_formats(name, &bytes)?;
    let text = if starts_as_utf16(&bytes) {
        decode_utf16(name, &bytes)?
    } else {
        refuse_mostly_nul(name, bytes.iter().filter(|byte| **byte == 0).count(), bytes.len())?;
        let mark = if bytes.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
        bytes.drain(..mark);
        refuse_control_characters(name, &bytes)?;
        String::from_utf8(bytes).map_err(|error| IntakeError::Encoding {
            name: name.to_owned(),
            encoding: "UTF-8",
            offset: mark + error.utf8_error().valid_up_to(),
            likely: likely_encoding(error.as_bytes()),
        })?
    };
    refuse_mostly_nul(name, text.matches('\0').count(), text.chars().count())?;
    let text = readable(text);
    refuse_unreadable(name, &text)?;
    Ok(text)
}

/// The first bytes of files that are mistaken for texts, with their formats.
const OTHER_FORMATS: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "it is a Word, Excel or ZIP file"),
    (b"\xd0\xcf\x11\xe0", "it is an old Word or Excel file"),
    (b"%PDF-", "it is a PDF"),
    (b"\x89PNG", "it is a picture"),
    (b"\xff\xd8\xff", "it is a picture"),
    (b"GIF8", "it is a picture"),
    (b"\x1f\x8b", "it is a compressed file"),
];

/// The extensions of such files, for those whose first bytes are not listed.
const OTHER_ENDINGS: [(&[&str], &str); 3] = [
    (&["doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt"], "it is an office document"),
    (&["png", "jpg", "jpeg", "gif", "webp", "bmp", "heic"], "it is a picture"),
    (&["pdf"], "it is a PDF"),
];

/// Refuses a file in another format by name, because advice about encodings would be misleading.
fn refuse_other_formats(name: &str, bytes: &[u8]) -> Result<(), IntakeError> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    // A ticket about pictures may begin with the word GIF89.
    if starts_as_utf16(bytes) || !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        return Ok(());
    }
    let by_beginning = OTHER_FORMATS.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, reason)| *reason);
    let by_ending = || OTHER_ENDINGS.iter().find(|(all, _)| all.contains(&ending.as_str())).map(|(_, reason)| *reason);
    match by_beginning.or_else(by_ending) {
        Some(reason) => Err(IntakeError::Binary { name: name.to_owned(), reason }),
        None => Ok(()),
    }
}

/// Accepts an input unless its text is blank, and replaces every NUL (which JSON can contain as an escape).
pub(super) fn accept(mut input: RawInput) -> Result<RawInput, IntakeError> {
    refuse_unreadable(&input.name, &input.text).map_err(|error| match &input.facts.id {
        Some(ticket) => IntakeError::EmptyTicket { name: input.name.clone(), ticket: ticket.clone() },
        None => error,
    })?;
    if let Some(title) = &mut input.title_span {
        let added = title.slice(&input.text).matches('\0').count() * (UNREADABLE.len_utf8() - 1);
        *title = Span::new(title.start, title.end + added);
    }
    input.text = readable(input.text);
    Ok(input)
}

/// The replacement for an unreadable character, as in CommonMark.
const UNREADABLE: char = '\u{FFFD}';

fn readable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', UNREADABLE.encode_utf8(&mut [0; 4])) } else { text }
}

/// A single NUL is an accident of copying; many of them show that a file is not text.
fn refuse_mostly_nul(name: &str, count: usize, length: usize) -> Result<(), IntakeError> {
    if count * 20 > length {
        return Err(IntakeError::Binary { name: name.to_owned(), reason: "it holds NUL bytes" });
    }
    Ok(())
}

fn refuse_unreadable(name: &str, text: &str) -> Result<(), IntakeError> {
    if text.is_empty() {
        return Err(IntakeError::Empty { name: name.to_owned() });
    }
    if text.chars().all(|c| is_blank(c) || c == '\0') {
        return Err(IntakeError::Blank { name: name.to_owned() });
    }
    Ok(())
}

/// Returns true for white space and the invisible characters that remain after a paste.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

/// Refuses bytes of which more than three in ten are control characters other than tabs and line ends.
fn refuse_control_characters(name: &str, bytes: &[u8]) -> Result<(), IntakeError> {
    let is_control = |byte: &&u8| (**byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0C)) || **byte == 0x7F;
    let controls = bytes.iter().filter(is_control).count();
    if controls > bytes.len() / 10 * 3 + 2 {
        return Err(IntakeError::Binary { name: name.to_owned(), reason: "most of it is control characters" });
    }
    Ok(())
}

/// The probable encoding of a text that is not UTF-8: in Chinese texts high bytes come in pairs, in Western ones most
/// are single.
fn likely_encoding(bytes: &[u8]) -> &'static str {
    let runs = bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let (mut pairs, mut single) = (0, 0);
    for run in runs {
        if run.len() >= 2 { pairs += run.len() / 2 } else { single += 1 }
    }
    if pairs > single { "GBK" } else { "WINDOWS-1252" }
}

fn decode_utf16(name: &str, bytes: &[u8]) -> Result<String, IntakeError> {
    let little = bytes.starts_with(&UTF16_LITTLE_MARK);
    let encoding = if little { "UTF-16LE" } else { "UTF-16BE" };
    let wrong_at = |offset| IntakeError::Encoding { name: name.to_owned(), encoding, offset, likely: encoding };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
    let mut text = String::with_capacity(bytes.len());
    let mut offset = UTF16_LITTLE_MARK.len();
    for decoded in char::decode_utf16(pairs.iter().skip(1).map(unit)) {
        let character = decoded.map_err(|_| wrong_at(offset))?;
        offset += 2 * character.len_utf16();
        text.push(character);
    }
    if rest.is_empty() { Ok(text) } else { Err(wrong_at(offset)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        decode("x.md", bytes.to_vec()).map_or_else(|error| error.to_string(), |text| format!("text {text:?}"))
    }

    #[test]
    fn byte_order_mark_is_dropped_and_line_ends_stay() {
        assert_eq!(message(b"\xEF\xBB\xBFone\r\ntwo\rthree"), "text \"one\\r\\ntwo\\rthree\"");
    }

    #[test]
    fn utf16_of_either_order_is_read() {
        assert_eq!(message(b"\xFF\xFEh\0i\0\x3D\xD8\x00\xDE"), "text \"hi😀\"");
        assert_eq!(message(b"\xFE\xFF\0h\0i"), "text \"hi\"");
    }

    #[test]
    fn broken_utf16_names_the_byte() {
        assert!(message(b"\xFF\xFEh\0\x3D\xD8i\0").contains("UTF-16LE at byte 4"));
        assert!(message(b"\xFF\xFEh\0i").contains("at byte 4"));
    }

    #[test]
    fn a_file_of_another_format_is_named_and_a_text_about_one_is_read() {
        assert!(message(b"PK\x03\x04\x14\0\x06\0\xA4").contains("is not text: it is a Word, Excel or ZIP file"));
        assert!(message(b"\x89PNG\r\n\x1a\n").contains("is not text: it is a picture"));
        let of = |name: &str| decode(name, b"\x90\xeb\xc6".to_vec()).map_err(|error| error.to_string());
        assert!(of("spec.docx").is_err_and(|told| told.contains("it is an office document")));
        assert!(of("notes.md").is_err_and(|told| told.contains("iconv")));
        assert!(message(b"GIF89 files are refused").starts_with("text"));
    }

    #[test]
    fn broken_utf8_names_the_byte() {
        assert!(message(b"caf\xE9 au lait").contains("not valid UTF-8 at byte 3"));
        assert!(message(b"\xEF\xBB\xBFcaf\xE9").contains("at byte 6"));
    }

    #[test]
    fn the_advice_names_the_encoding_that_the_bytes_look_like() {
        for western in [&b"\x93Delivery\x94 is shown"[..], b"Stra\xDFe und Gr\xF6\xDFe, f\xFCr 5 \x80", b"caf\xE9"] {
            assert!(message(western).ends_with("(iconv -f WINDOWS-1252 -t UTF-8)"), "{}", message(western));
        }
        // 订单列表 between other words.
        let chinese = b"# PRD \xB6\xA9\xB5\xA5\xC1\xD0\xB1\xED, v2";
        assert!(message(chinese).ends_with("(iconv -f GBK -t UTF-8)"), "{}", message(chinese));
        assert!(message(b"\xFF\xFEh\0i").ends_with("(iconv -f UTF-16LE -t UTF-8)"));
    }

    #[test]
    fn a_stray_nul_is_read_as_a_character_that_cannot_be_read() {
        assert_eq!(message(b"As a user I want \0 more"), "text \"As a user I want \u{fffd} more\"");
        let input = RawInput { title_span: Some(Span::new(0, 3)), ..RawInput::plain("x", "a\0b\n\nc\0".to_owned()) };
        let input = accept(input).unwrap();
        assert_eq!(input.text, "a\u{fffd}b\n\nc\u{fffd}");
        assert_eq!(input.title_span.unwrap().slice(&input.text), "a\u{fffd}b");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(message(b"%PDF\0\0").contains("NUL"));
        assert!(message(b"\x01\x02\x03\x04\x05ab").contains("control characters"));
        assert!(message(b"\xFF\xFEh\0\0\0").contains("NUL"));
        assert!(message(b"").contains("is empty"));
        assert!(message(b"\xEF\xBB\xBF").contains("is empty"));
        assert!(message(b" \r\n\t\xE2\x80\x8B").contains("white space"));
    }
}
