//! How random a value looks, and whether it is only a stand-in.

/// Shannon entropy of the bytes, in bits per byte.
pub(super) fn shannon(value: &str) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let total = value.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f32 / total)
        .map(|share| -share * share.log2())
        .sum()
}

/// True for values that somebody has already covered or that are printed in a manual.
pub(super) fn is_masked(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    ["xxxx", "****", "....", "example", "your_", "your-", "abcdefghijkl"].iter().any(|part| lower.contains(part))
}

/// True if the value contains one of the parts by which a stand-in is known, or repeats itself.
pub(super) fn is_stand_in(value: &str, parts: &[String]) -> bool {
    let lower = value.to_lowercase();
    let first = value.bytes().next();
    is_masked(value)
        || value.bytes().all(|byte| Some(byte) == first)
        || parts.iter().any(|part| lower.contains(part.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_values_have_more_entropy_than_words() {
        assert!(shannon("q8Zr2LmN5tVx9KwB") > 3.9);
        assert!(shannon("aaaaaaaa") < 0.1);
    }

    #[test]
    fn stand_ins_are_recognised() {
        assert!(is_stand_in("my-changeme-1", &["changeme".to_owned()]));
        assert!(is_stand_in("00000000", &[]));
        assert!(!is_stand_in("q8Zr2LmN", &["changeme".to_owned()]));
    }
}
