//! Overwrites finds with a mask of the same length in bytes; reports show a shorter form (`clean::short_masks`).

use reqgate_base::model::Span;

use super::{Find, words};

/// Masks every find in `text`; spans that do not fit the text are left out.
pub(super) fn apply<'a>(text: &mut String, finds: impl Iterator<Item = &'a Find>) {
    let mut bytes = std::mem::take(text).into_bytes();
    for find in finds {
        overwrite(&mut bytes, find.span, words::mask(find.kind));
    }
    // Whole characters were replaced by ASCII, so the text is always valid and the lossy conversion never applies.
    *text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
}

fn overwrite(bytes: &mut [u8], span: Span, label: &str) {
    let Some(place) = bytes.get_mut(span.start..span.end) else { return };
    let first_line = place.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(place.len());
    for byte in place.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        *byte = b'*';
    }
    if let Some(label) = [label, SHORT].into_iter().find(|label| label.len() <= first_line) {
        place[..label.len()].copy_from_slice(label.as_bytes());
    }
}

/// The label of a value that is shorter than the name of its kind.
const SHORT: &str = "[*]";

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::GuardrailKind;

    fn masked(text: &str, start: usize, end: usize) -> String {
        let mut text = text.to_owned();
        let find = Find { kind: GuardrailKind::Secret, pattern: String::new(), span: Span::new(start, end) };
        apply(&mut text, std::iter::once(&find));
        text
    }

    #[test]
    fn a_mask_is_as_long_as_the_value() {
        assert_eq!(masked("key abcdefghijkl!", 4, 16), "key [secret]****!");
    }

    #[test]
    fn a_short_value_has_a_short_label() {
        assert_eq!(masked("pin 1234.", 4, 8), "pin [*]*.");
        assert_eq!(masked("pin 12.", 4, 6), "pin **.");
    }

    #[test]
    fn every_label_is_known_to_whoever_shortens_masks() {
        let kinds = [
            GuardrailKind::Email,
            GuardrailKind::Phone,
            GuardrailKind::PaymentCard,
            GuardrailKind::Iban,
            GuardrailKind::NationalId,
            GuardrailKind::BirthDate,
            GuardrailKind::IpAddress,
            GuardrailKind::Secret,
            GuardrailKind::PromptInjection,
        ];
        assert!(kinds.iter().all(|kind| reqgate_base::clean::MASK_LABELS.contains(&words::mask(*kind))));
        assert!(reqgate_base::clean::MASK_LABELS.contains(&SHORT));
    }

    #[test]
    fn line_breaks_stay() {
        assert_eq!(masked("abcdefghij\r\nklm", 0, 15), "[secret]**\r\n***");
    }

    #[test]
    fn wide_characters_are_overwritten_byte_by_byte() {
        assert_eq!(masked("密码密码", 0, 12), "[secret]****");
    }
}
