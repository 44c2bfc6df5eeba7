//! The critics over whole documents.
