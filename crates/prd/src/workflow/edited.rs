//! Documents in answers, as somebody has edited them.

use serde::{Deserialize, Deserializer};

/// Reads a document that somebody has edited. Its lines end as those of every document here.
pub(in crate::workflow) fn edited<'de, D: Deserializer<'de>>(document: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(document)?;
    Ok(text.map(|text| text.replace("\r\n", "\n")))
}
