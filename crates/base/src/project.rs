//! The address of the project and of its pages, as the manifest of the workspace states it.

use crate::model::RuleId;

/// The address of the repository.
pub const ADDRESS: &str = env!("CARGO_PKG_REPOSITORY");

/// The owner and the name of the repository, e.g. `octo/reqgate`.
pub fn repository() -> &'static str {
    ADDRESS.strip_prefix("https://github.com/").unwrap_or(ADDRESS)
}

/// The address of a document of the repository, e.g. of `docs/verdicts.md`.
pub fn document(path: &str) -> String {
    format!("{ADDRESS}/blob/HEAD/{path}")
}

/// The address of the page about a rule of the program.
pub fn rule_page(id: &RuleId) -> String {
    document(&format!("docs/rule-reference.md#{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_of_a_rule_is_below_the_address_of_the_project() {
        let page = rule_page(&RuleId::new("vague-term").expect("an id"));
        assert!(page.starts_with("https://") && page.ends_with("/docs/rule-reference.md#vague-term"), "{page}");
        assert_eq!(repository().split('/').count(), 2, "{}", repository());
    }
}
