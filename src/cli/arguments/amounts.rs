//! Numbers that flags take.

/// An amount of money.
pub fn amount(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write an amount, e.g. 0.50".to_owned())
}

/// A time that a model may take.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.001..=3600.0).contains(number));
    number.ok_or_else(|| "write seconds, a number from 0.001 to 3600".to_owned())
}
