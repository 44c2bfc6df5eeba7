//! The user's own prompts and orders, from the folder that flag, environment or configuration name.

use reqgate::config::ValidModel;
use reqgate::orders::{Orders, OwnOrders};
use reqgate::prd::own_orders;
use reqgate::prompts::Prompts;

use super::exit::Failure;

/// The prompts and orders for a reader of tickets: the shipped ones, or those that a folder replaces.
///
/// # Errors
/// Fails if a file in the folder cannot be used.
pub(super) fn of_tickets(model: &ValidModel) -> Result<(Prompts, Orders), Failure> {
    let (prompts, orders) = match &model.settings.prompts {
        Some(folder) => (Prompts::with_folder(folder), Orders::with_folder(folder)),
        None => (Prompts::shipped(), Orders::shipped()),
    };
    Ok((prompts.map_err(Failure::usage)?, orders.map_err(Failure::usage)?))
}

/// The orders about documents that a folder replaces; the whole folder is checked.
///
/// # Errors
/// Fails if a file in the folder cannot be used.
pub(super) fn of_documents(model: &ValidModel) -> Result<OwnOrders, Failure> {
    let Some(folder) = &model.settings.prompts else { return Ok(OwnOrders::default()) };
    of_tickets(model)?;
    own_orders(folder).map_err(Failure::usage)
}
