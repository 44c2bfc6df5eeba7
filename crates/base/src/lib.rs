//! Plain data that every crate shares (packets, drafts, findings, decisions and spans), with cleaning, hashing, YAML and files.

pub mod ask;
pub mod bounded_json;
pub mod clean;
pub mod files;
pub mod hash;
pub mod model;
mod named;
pub mod page;
pub mod project;
pub mod suggest;
pub mod width;
pub mod yaml;
