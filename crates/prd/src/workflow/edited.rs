//! Reads documents in answers that a person has edited.

use serde::{Deserialize, Deserializer};

/// Reads an edited document, with line ends as in all documents of the workflow.
pub(in crate::workflow) fn edited<'de, D: Deserializer<'de>>(document: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(document)?;
    Ok(text.map(|text| text.replace("\r\n", "\n")))
}
