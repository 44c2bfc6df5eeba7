//! The orders about documents that a folder of the user replaces, each with the checks of its kind.

use std::path::Path;

use crate::plan::WRITE_STORIES;
use crate::workflow::verify_own;
use reqgate_orders::{OrderError, OwnOrders};

/// Reads the orders about documents in a folder.
///
/// # Errors
/// Fails if a file cannot be read, has an unknown name, or is not a valid order of its kind.
pub fn own_orders(folder: &Path) -> Result<OwnOrders, OrderError> {
    OwnOrders::with_folder(folder, verified)
}

/// Checks the text of an order by its name.
fn verified(id: &str, text: &str) -> Result<(), OrderError> {
    verify_own(id, text).unwrap_or_else(|| WRITE_STORIES.verify_own(text))
}

#[cfg(test)]
mod tests {
    use super::{own_orders, verified};
    use reqgate_orders::{DOCUMENT_ORDERS, OrderError};

    fn shipped(id: &str) -> String {
        let path = format!("{}/../../prompts/{id}.yaml", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("it ships")
    }

    #[test]
    fn every_order_about_documents_can_be_replaced() {
        for id in DOCUMENT_ORDERS {
            assert!(verified(id, &shipped(id)).is_ok(), "{id}: {:?}", verified(id, &shipped(id)));
        }
    }

    #[test]
    fn an_own_order_keeps_its_inputs_and_checks() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |text: &str| std::fs::write(folder.path().join("team_draft_v1.yaml"), text).expect("it is written");
        let draft = shipped("team_draft_v1");
        let own = draft.replacen("Write the PRD", "Write the PRD of our house", 1);
        write(&own);
        let orders = own_orders(folder.path()).expect("it is valid");
        assert_eq!(orders.text("team_draft_v1"), Some(own.as_str()));
        assert_eq!(orders.text("team_outline_v1"), None);
        for (from, to, told) in [
            ("inputs: [sources, ", "inputs: [", "`sources` is not among its inputs"),
            ("checks: [ids, ", "checks: [", "its checks are not those that are made"),
            ("id: team_draft_v1", "id: team_draft_v2", "write team_draft_v1"),
        ] {
            write(&draft.replacen(from, to, 1));
            let error = own_orders(folder.path()).expect_err(to);
            assert!(matches!(&error, OrderError::Invalid { .. }) && error.to_string().contains(told), "{error}");
        }
        write(&draft);
        std::fs::write(folder.path().join("team_drafts.yaml"), &draft).expect("it is written");
        assert!(matches!(own_orders(folder.path()), Err(OrderError::UnknownName { .. })));
    }
}
