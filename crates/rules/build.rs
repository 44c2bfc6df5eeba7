//! Makes the shipped rules and the patterns of the guardrail a part of the crate.

use reqgate_shipped::{Examples, Table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Examples, which no verdict needs, are apart.
    Table { folder: "rubrics", name: "rubrics.rs", document: 0, examples: Examples::Apart }.write()?;
    Table::whole("config/guardrail", "guardrail.rs").write()?;
    // The examples are a second document of the same files.
    Table { document: 1, ..Table::whole("config/guardrail", "guardrail-examples.rs") }.write()?;
    reqgate_shipped::write_precision("precision.rs")
}
