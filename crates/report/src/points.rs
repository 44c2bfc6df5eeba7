//! Formats scores and points for people.

/// A score or a number of points for people: at most one decimal, none for a whole number.
pub fn points(value: f64) -> String {
    // Adding zero turns negative zero into positive zero.
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_at_most_one_decimal() {
        assert_eq!(points(41.0), "41");
        assert_eq!(points(41.25), "41.3");
        assert_eq!(points(0.0), "0");
        assert_eq!(points(-0.01), "0");
    }
}
