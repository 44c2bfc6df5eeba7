//! A regular expression of a rule. It compiles quickly, because a process that judges one ticket compiles some and uses
//! each once.

use std::ops::Range;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::util::pool::Pool;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};

/// A compiled expression.
///
/// A general engine also makes a second automaton that runs backwards, and searches for literals of a match; both take
/// most of its compile time. Neither is needed here: the words in `near` have shown already that a match is likely, and
/// the start of a match is needed only for the few sentences that have one.
#[derive(Debug)]
pub struct Expression {
    /// Decides quickly whether a match exists; `None` if the expression is too large for it.
    is_match: Option<(DFA, Caches<dfa::Cache>)>,
    /// Finds the groups of a match.
    groups: (PikeVM, Caches<pikevm::Cache>),
}

#[cfg(any(test, feature = "counted"))]
thread_local! {
    /// The number of expressions that this thread has compiled, for the test that none is compiled twice.
    pub(super) static COMPILED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The number of expressions of rules and rubrics that this thread has compiled.
#[cfg(any(test, feature = "counted"))]
pub fn compiled_so_far() -> usize {
    COMPILED.with(std::cell::Cell::get)
}

/// The working memory of an engine, one for each thread.
type Caches<C> = Pool<C, Box<dyn Fn() -> C + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>>;

impl Expression {
    /// Compiles an expression; `None` if it is broken.
    ///
    /// `\b`, `\w`, `\d` and `\s` mean ASCII, so that a Latin word ends where Chinese begins; `.` and `[^…]` mean characters.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        #[cfg(any(test, feature = "counted"))]
        COMPILED.with(|count| count.set(count.get() + 1));
        let over_bytes = || {
            let syntax = syntax::Config::new().utf8(false);
            PikeVM::builder().syntax(syntax).build(&in_ascii(pattern, Characters::AsBytes)?).ok()
        };
        let usual = || PikeVM::new(&in_ascii(pattern, Characters::AsClasses)?).ok();
        let groups = over_bytes().or_else(usual).or_else(|| PikeVM::new(pattern).ok())?;
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

    /// The first match: the group named `term`, or the whole match without such a group.
    pub fn term(&self, text: &str) -> Option<Range<usize>> {
        // Most sentences have no match, and the test for one is cheaper than the search for groups.
        if !self.is_match(text) {
            return None;
        }
        let (engine, caches) = &self.groups;
        let mut captures = engine.create_captures();
        engine.captures(&mut caches.get(), text, &mut captures);
        let term = captures.get_group_by_name("term").or_else(|| captures.get_match().map(|whole| whole.span()));
        term.map(|span| span.range())
    }

    /// Returns true if it matches anywhere in the text.
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

/// The form in which `.` and `[^…]` of an expression in Latin letters match whole characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Characters {
    /// As classes of Unicode: the engine allocates a third of a megabyte for them, and takes longest over them.
    AsClasses,
    /// As sequences of bytes.
    AsBytes,
}

/// A character outside ASCII, byte by byte.
const BEYOND_ASCII: &str = r"[\xC0-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF7][\x80-\xBF]{3}";

/// The same expression with ASCII classes, which take a tenth of the time to compile.
///
/// `None` if bytes cannot express it: a part of a character might match.
fn in_ascii(pattern: &str, characters: Characters) -> Option<String> {
    // In an expression with Chinese words only the classes can be narrowed, because its literals need Unicode.
    let is_latin = pattern.is_ascii();
    let as_bytes = characters == Characters::AsBytes;
    if as_bytes && !is_latin {
        return None;
    }
    let mut out = String::with_capacity(pattern.len() + 128);
    if is_latin {
        out.push_str("(?-u)");
    }
    let mut class = Class::Outside;
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if as_bytes && !is_plain(c, rest.as_str(), class) {
            return None;
        }
        match (c, class) {
            ('\\', _) => escape(rest.next(), class, is_latin, &mut out),
            ('.', Class::Outside) if as_bytes => out.push_str(&format!(r"(?:[^\n\x80-\xFF]|{BEYOND_ASCII})")),
            ('.', Class::Outside) if is_latin => out.push_str("(?u:.)"),
            ('[', Class::Outside) => {
                class = if is_latin && rest.as_str().starts_with('^') { Class::Negated } else { Class::Positive };
                out.push_str(match class {
                    Class::Negated if as_bytes => "(?:[",
                    Class::Negated => "(?u:[",
                    _ => "[",
                });
            }
            (']', Class::Positive | Class::Negated) => {
                match class {
                    Class::Negated if as_bytes => out.push_str(&format!(r"\x80-\xFF]|{BEYOND_ASCII})")),
                    Class::Negated => out.push_str("])"),
                    _ => out.push(']'),
                }
                class = Class::Outside;
            }
            _ => out.push(c),
        }
    }
    Some(out)
}

/// Returns true for a character that has the same meaning over bytes; `rest` is the text after it.
fn is_plain(c: char, rest: &str, class: Class) -> bool {
    let is_inside = class != Class::Outside;
    match c {
        // Letters after a backslash may mean characters or classes beyond ASCII.
        '\\' => rest.starts_with(|next: char| !next.is_ascii_alphanumeric() || "bwdsntr".contains(next)),
        // Flags may change the meaning of `.`.
        '(' if !is_inside && rest.starts_with('?') => {
            ["?i)", "?i:", "?:", "?P<", "?<"].iter().any(|known| rest.starts_with(known))
        }
        // Refuses a literal bracket, classes within classes, and operations on two classes.
        '[' => !is_inside && !rest.starts_with([']']) && !rest.starts_with("^]"),
        '&' | '~' => !is_inside,
        '-' => !is_inside || !rest.starts_with(['-', ']']),
        _ => true,
    }
}

/// The part of an expression that contains a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Outside,
    Positive,
    Negated,
}

/// Writes the meaning of a backslash and the character after it.
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

    /// Compiles an expression with one treatment of characters.
    fn compiled(pattern: &str, characters: Characters) -> Option<PikeVM> {
        let syntax = syntax::Config::new().utf8(characters == Characters::AsClasses);
        PikeVM::builder().syntax(syntax).build(&in_ascii(pattern, characters)?).ok()
    }

    #[test]
    fn whole_characters_are_taken_however_they_are_spelt_out() {
        let texts = [
            "a中b文c",
            "é",
            "aé b",
            "at most 5 🎉🎉 people, please.",
            "x\ny",
            "Ünïcödé 12–15 \u{7f}\u{80}\u{7ff}\u{800}",
        ];
        for pattern in [".", "a.b", "(?i)[^,.]{1,3}", "[^,]+?.$", r"\d[^.;]{0,20}(?P<term>.)", r"[-\w]+.", "x.y"] {
            let [bytes, classes] =
                [Characters::AsBytes, Characters::AsClasses].map(|as_| compiled(pattern, as_).unwrap());
            for text in texts {
                let all = |engine: &PikeVM| -> Vec<_> {
                    engine.find_iter(&mut engine.create_cache(), text).map(|found| found.range()).collect()
                };
                assert_eq!(all(&bytes), all(&classes), "{pattern} in {text}");
            }
        }
    }

    #[test]
    fn what_bytes_cannot_say_is_left_to_classes() {
        for pattern in
            [r"\S", r"\xE9", r"\p{L}", "(?s).", "[[:^alpha:]]", "[^]a]", "[^a-]", "[a&&b]", "[a--b]", "中", r"\"]
        {
            assert_eq!(in_ascii(pattern, Characters::AsBytes), None, "{pattern}");
        }
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
