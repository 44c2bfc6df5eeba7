//! Makes the sentences a part of the crate, and refuses a file in which a language or a placeholder is missing.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    reqgate_shipped::write_messages("messages.rs")
}
