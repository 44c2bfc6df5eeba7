//! The members of a team who may read twice.

use reqgate::prd::workflow::SecondReader;

/// Reads the name of a critic or of an area.
///
/// # Errors
/// The message lists the valid names.
pub(super) fn parse(text: &str) -> Result<SecondReader, String> {
    serde_json::from_value(text.to_ascii_lowercase().into())
        .map_err(|_| "write director, design, engineering, market, competitors or users".to_owned())
}
