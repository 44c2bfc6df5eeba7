//! Makes the word lists a part of the crate.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    reqgate_shipped::write_words("words.rs")
}
