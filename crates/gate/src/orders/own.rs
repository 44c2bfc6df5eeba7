//! The orders about documents that a folder of the user replaces.

use std::collections::BTreeMap;
use std::path::Path;

use super::order::{DOCUMENT_ORDERS, OrderError, files_of_orders, not_shown, read_order};

/// The texts of the orders that replace shipped ones, by name; empty without a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnOrders(BTreeMap<&'static str, String>);

impl OwnOrders {
    /// The orders about documents in a folder. `check` checks the text of an order with this name.
    ///
    /// # Errors
    /// Fails if a file cannot be read, has an unknown name or does not pass its check.
    pub fn with_folder(
        folder: &Path,
        check: impl Fn(&'static str, &str) -> Result<(), OrderError>,
    ) -> Result<Self, OrderError> {
        let mut own = Self::default();
        for (path, id) in files_of_orders(folder)? {
            if DOCUMENT_ORDERS.contains(&id) {
                let text = read_order(&path)?;
                check(id, &text).map_err(|error| not_shown(error, &path))?;
                own.0.insert(id, text);
            }
        }
        Ok(own)
    }

    /// The text of an order, if it replaces the shipped one.
    pub fn text(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}
