//! A regular expression of a rule: quick to make, because a process that judges one ticket makes some and uses each once.

use std::ops::Range;

use regex_automata::meta;

/// A compiled expression.
///
/// The search for literals that may stand in a match is left out: it takes most of the time to make an expression, and
/// the words in `near` have shown already that a match is likely.
#[derive(Debug)]
pub struct Expression(meta::Regex);

impl Expression {
    /// Compiles an expression; `None` if it is broken.
    pub fn new(pattern: &str) -> Option<Self> {
        let config = meta::Config::new().auto_prefilter(false).onepass(false).dfa(false);
        meta::Builder::new().configure(config).build(pattern).ok().map(Self)
    }

    /// The first match: the group named `term`, or the whole where there is none.
    pub fn term(&self, text: &str) -> Option<Range<usize>> {
        // Most sentences have none, and to find that out is cheaper than to find the groups.
        self.0.find(text)?;
        let mut captures = self.0.create_captures();
        self.0.captures(text, &mut captures);
        let term = captures.get_group_by_name("term").or_else(|| captures.get_match().map(|whole| whole.span()));
        term.map(|span| span.range())
    }

    /// True if it matches somewhere.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_named_term_is_found_or_else_the_whole() {
        let text = "The list opens within 3 Sekunden, übrigens.";
        let of =
            |pattern: &str| Expression::new(pattern).and_then(|expression| expression.term(text)).map(|at| &text[at]);
        assert_eq!(of(r"(?i)WITHIN (?P<term>\d+)"), Some("3"));
        assert_eq!(of(r"within \d+"), Some("within 3"));
        assert_eq!(of(r"(?P<term>zebra)|übrigens"), Some("übrigens"));
        assert_eq!(of("zebra"), None);
        assert!(Expression::new("(").is_none());
    }
}
