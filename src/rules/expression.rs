//! A regular expression of a rule: quick to make, because a process that judges one ticket makes some and uses each once.

use std::ops::Range;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::util::pool::Pool;
use regex_automata::{Input, MatchKind};

/// A compiled expression.
///
/// A general engine also makes a second automaton that runs backwards and searches for literals that may stand in a match,
/// which takes most of the time to make it. Neither is needed here: the words in `near` have shown already that a match is
/// likely, and where one begins is asked only of the few sentences that have one.
#[derive(Debug)]
pub struct Expression {
    /// Tells quickly whether there is a match; `None` where the expression is too much for it.
    is_match: Option<(DFA, Caches<dfa::Cache>)>,
    /// Tells where its groups stand.
    groups: (PikeVM, Caches<pikevm::Cache>),
}

#[cfg(test)]
thread_local! {
    /// How many expressions were compiled by this thread, for the test that none is compiled twice.
    pub(super) static COMPILED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many expressions of rules and rubrics this thread has compiled.
#[cfg(test)]
pub fn compiled_so_far() -> usize {
    COMPILED.with(std::cell::Cell::get)
}

/// The working memory of an engine, one for each thread.
type Caches<C> = Pool<C, Box<dyn Fn() -> C + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>>;

impl Expression {
    /// Compiles an expression; `None` if it is broken.
    ///
    /// `\b`, `\w`, `\d` and `\s` mean ASCII, so that a Latin word ends where Chinese begins; `.` and `[^…]` mean characters.
    pub fn new(pattern: &str) -> Option<Self> {
        #[cfg(test)]
        COMPILED.with(|count| count.set(count.get() + 1));
        let groups = PikeVM::new(&in_ascii(pattern)).ok().or_else(|| PikeVM::new(pattern).ok())?;
        let quick = DFA::builder()
            .configure(DFA::config().match_kind(MatchKind::LeftmostFirst).skip_cache_capacity_check(true))
            .build_from_nfa(groups.get_nfa().clone());
        let is_match = quick.ok().map(|dfa| {
            let own = dfa.clone();
            (dfa, Pool::new(Box::new(move || own.create_cache()) as _))
        });
        let own = groups.clone();
        Some(Self { is_match, groups: (groups, Pool::new(Box::new(move || own.create_cache()) as _)) })
    }

    /// The first match: the group named `term`, or the whole where there is none.
    pub fn term(&self, text: &str) -> Option<Range<usize>> {
        // Most sentences have none, and to find that out is cheaper than to find the groups.
        if !self.is_match(text) {
            return None;
        }
        let (engine, caches) = &self.groups;
        let mut captures = engine.create_captures();
        engine.captures(&mut caches.get(), text, &mut captures);
        let term = captures.get_group_by_name("term").or_else(|| captures.get_match().map(|whole| whole.span()));
        term.map(|span| span.range())
    }

    /// True if it matches somewhere.
    pub fn is_match(&self, text: &str) -> bool {
        let quick = self.is_match.as_ref().map(|(dfa, caches)| {
            let input = Input::new(text).earliest(true);
            dfa.try_search_fwd(&mut caches.get(), &input).map(|end| end.is_some())
        });
        match quick {
            Some(Ok(found)) => found,
            _ => self.groups.0.is_match(&mut self.groups.1.get(), text),
        }
    }
}

/// The same expression with ASCII classes, which take a tenth of the time to compile.
fn in_ascii(pattern: &str) -> String {
    // In an expression with Chinese words only the classes can be narrowed: its literals need Unicode.
    let is_latin = pattern.is_ascii();
    let mut out = String::with_capacity(pattern.len() + 32);
    if is_latin {
        out.push_str("(?-u)");
    }
    let mut class = Class::Outside;
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match (c, class) {
            ('\\', _) => escape(rest.next(), class, is_latin, &mut out),
            ('.', Class::Outside) if is_latin => out.push_str("(?u:.)"),
            ('[', Class::Outside) => {
                class = if is_latin && rest.as_str().starts_with('^') { Class::Negated } else { Class::Positive };
                out.push_str(if class == Class::Negated { "(?u:[" } else { "[" });
            }
            (']', Class::Positive | Class::Negated) => {
                out.push_str(if class == Class::Negated { "])" } else { "]" });
                class = Class::Outside;
            }
            _ => out.push(c),
        }
    }
    out
}

/// Where in an expression a character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Outside,
    Positive,
    Negated,
}

/// Writes what a backslash and the character behind it mean.
fn escape(next: Option<char>, class: Class, is_latin: bool, out: &mut String) {
    match (next, class) {
        (Some('b'), Class::Outside) if !is_latin => out.push_str(r"(?-u:\b)"),
        (Some('w'), Class::Outside) => out.push_str("[0-9A-Za-z_]"),
        (Some('w'), _) => out.push_str("0-9A-Za-z_"),
        (Some('d'), Class::Outside) => out.push_str("[0-9]"),
        (Some('d'), _) => out.push_str("0-9"),
        (Some('s'), Class::Outside) => out.push_str(r"[\t\n\x0B\x0C\r ]"),
        (Some('s'), _) => out.push_str(r"\t\n\x0B\x0C\r "),
        (next, _) => {
            out.push('\\');
            out.extend(next);
        }
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

    #[test]
    fn classes_are_ascii_and_a_dot_is_a_character() {
        let of = |pattern: &str, text: &str| {
            Expression::new(pattern).and_then(|expression| expression.term(text)).map(|at| text[at].to_string())
        };
        assert_eq!(of(r"(?i)\bAPP\b", "打开app后").as_deref(), Some("app"));
        assert_eq!(of(r"打开\w+", "打开app后").as_deref(), Some("打开app"));
        assert_eq!(of(r"^a.b[^,.\d]c$", "a中b文c").as_deref(), Some("a中b文c"));
        assert_eq!(of(r"[-*•\d.\s]+it", "• 1. it").as_deref(), Some("• 1. it"));
        assert_eq!(of(r"\[x\]\.[\]\w]", "[x].]").as_deref(), Some("[x].]"));
        assert_eq!(of(r"(?i)a\S+\W", "aé b").as_deref(), Some("aé "));
    }
}
