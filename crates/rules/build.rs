//! Compiles the shipped rules and the patterns of the guardrail into the crate.

use reqgate_shipped::{Examples, Table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // No verdict needs the examples, so they are kept apart.
    Table { folder: "rubrics", name: "rubrics.rs", document: 0, examples: Examples::Apart }.write()?;
    Table::whole("config/guardrail", "guardrail.rs").write()?;
    // The examples are a second document of the same files.
    Table { document: 1, ..Table::whole("config/guardrail", "guardrail-examples.rs") }.write()?;
    reqgate_shipped::write_precision("precision.rs")
}
