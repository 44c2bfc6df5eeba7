//! Check digits of cards, accounts and identity documents.

/// Luhn (ISO/IEC 7812-1): payment cards and many national numbers. `digits` are values 0–9.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(*digit) * if place % 2 == 1 { 2 } else { 1 };
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// Sum of digits times weights, as far as both go.
pub(super) fn weighted(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum()
}

/// ISO 7064 mod 97-10 over letters and digits, after the first four were moved to the end (ISO 13616).
pub(super) fn iban(characters: &[u8]) -> bool {
    if characters.len() < 5 {
        return false;
    }
    let (head, tail) = characters.split_at(4);
    let rest = tail.iter().chain(head).fold(0_u32, |rest, byte| {
        if byte.is_ascii_digit() {
            (rest * 10 + u32::from(byte - b'0')) % 97
        } else {
            (rest * 100 + u32::from(byte.to_ascii_uppercase() - b'A') + 10) % 97
        }
    });
    rest == 1
}

/// Verhoeff's check over the group of the pentagon, as Indian numbers carry it. `digits` are values 0–9.
pub(super) fn verhoeff(digits: &[u8]) -> bool {
    const TURN: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let turned = |digit: u8, times: usize| (0..times % 8).fold(digit, |digit, _| TURN[usize::from(digit)]);
    let product = |left: u8, right: u8| match (left / 5, right / 5) {
        (0, 0) => (left + right) % 5,
        (0, _) => (left + right) % 5 + 5,
        (_, 0) => (left + 5 - right) % 5 + 5,
        _ => (left + 5 - right % 5) % 5,
    };
    digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| product(sum, turned(*digit, place))) == 0
}

/// The value of decimal digits modulo `modulus`.
pub(super) fn modulo(digits: &[u8], modulus: u32) -> u32 {
    digits.iter().fold(0, |rest, digit| (rest * 10 + u32::from(*digit)) % modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luhn_accepts_a_valid_number_and_refuses_a_changed_one() {
        assert!(luhn(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]));
        assert!(!luhn(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 4]));
    }

    #[test]
    fn iban_check_digits_are_checked() {
        assert!(iban(b"DE89370400440532013000"));
        assert!(!iban(b"DE89370400440532013001"));
    }

    #[test]
    fn verhoeff_sees_a_changed_digit_and_a_swap() {
        assert!(verhoeff(&[2, 3, 6, 3]));
        assert!(!verhoeff(&[2, 3, 6, 4]));
        assert!(!verhoeff(&[3, 2, 6, 3]));
    }

    #[test]
    fn modulo_reads_digits_from_the_left() {
        assert_eq!(modulo(&[1, 2, 3], 10), 3);
        assert_eq!(weighted(&[1, 2, 3], &[3, 2, 1]), 10);
    }
}
