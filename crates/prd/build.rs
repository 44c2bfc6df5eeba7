//! Makes the names and sections of documents, the perspectives of critics and the questions about gaps a part of the crate.

use reqgate_shipped::Table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Table::whole("rubrics/gaps", "gaps.rs").write()?;
    Table::whole("rubrics/names", "names.rs").write()?;
    Table::whole("rubrics/sections", "sections.rs").write()?;
    Table::whole("rubrics/perspectives", "perspectives.rs").write()
}
