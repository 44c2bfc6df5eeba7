//! Every word of the pages.

pub(super) use reqgate_messages::Pages as Words;
