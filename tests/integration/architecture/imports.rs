//! Finds the modules that a Rust file names, in `use` trees and paths in the code, as absolute module paths.

/// A token of Rust, in the detail that paths need.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// The separator of a path, `::`.
    Path,
    Mark(char),
}

/// The paths that `text`, the code of `module`, names by `crate::`, `self::`, `super::` or `reqgate::`, from the root
/// of the crate.
///
/// The last parts of a path may be items or modules; the two are not distinguished. Comments and strings are skipped.
pub fn imports(module: &[String], text: &str) -> Vec<Vec<String>> {
    Scan { tokens: tokens(text), at: 0, found: Vec::new() }.run(module)
}

struct Scan {
    tokens: Vec<Token>,
    at: usize,
    found: Vec<Vec<String>>,
}

impl Scan {
    fn run(mut self, file: &[String]) -> Vec<Vec<String>> {
        // The module at the current position, and for each open brace whether it opened a module.
        let mut module = file.to_vec();
        let mut braces: Vec<bool> = Vec::new();
        while let Some(token) = self.tokens.get(self.at).cloned() {
            match token {
                Token::Word(word) if word == "use" => {
                    self.at += 1;
                    self.tree(&module, None);
                    continue;
                }
                Token::Word(word) if word == "mod" && self.opens_module() => {
                    if let Some(Token::Word(name)) = self.tokens.get(self.at + 1).cloned() {
                        module.push(name);
                    }
                    braces.push(true);
                    self.at += 3;
                    continue;
                }
                Token::Word(word) if self.begins_path(&word) => {
                    self.path(&module);
                    continue;
                }
                Token::Mark('{') => braces.push(false),
                Token::Mark('}') => {
                    let closes_module = braces.pop() == Some(true);
                    module.truncate(module.len() - usize::from(closes_module && !module.is_empty()));
                }
                _ => {}
            }
            self.at += 1;
        }
        self.found
    }

    fn opens_module(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token::Word(_)))
            && self.tokens.get(self.at + 2) == Some(&Token::Mark('{'))
    }

    fn begins_path(&self, word: &str) -> bool {
        let is_root = matches!(word, "crate" | "self" | "super" | "reqgate");
        let follows_path = self.at > 0 && self.tokens[self.at - 1] == Token::Path;
        is_root && !follows_path && self.tokens.get(self.at + 1) == Some(&Token::Path)
    }

    /// Reads a path in the code: words joined by `::`.
    fn path(&mut self, module: &[String]) {
        let mut target = None;
        while let Some(Token::Word(word)) = self.tokens.get(self.at) {
            target = step(module, target, word);
            self.at += 1;
            if self.tokens.get(self.at) != Some(&Token::Path) {
                break;
            }
            self.at += 1;
        }
        self.found.extend(target);
    }

    /// Reads a tree of a `use`: a path that may end in `*`, `as name` or braces with further trees.
    fn tree(&mut self, module: &[String], from: Option<Vec<String>>) {
        let mut target = from;
        let mut is_outside = false;
        let mut is_first = target.is_none();
        loop {
            match self.tokens.get(self.at).cloned() {
                Some(Token::Word(word)) if word == "as" => {
                    self.at += 2;
                    break;
                }
                Some(Token::Word(word)) => {
                    // A path that begins with another word names another crate or a child module.
                    is_outside |= is_first && !matches!(word.as_str(), "crate" | "self" | "super" | "reqgate");
                    target = step(module, target, &word);
                }
                Some(Token::Mark('{')) => {
                    self.at += 1;
                    while self.tokens.get(self.at).is_some_and(|token| *token != Token::Mark('}')) {
                        if self.tokens[self.at] == Token::Mark(',') {
                            self.at += 1;
                        } else if is_outside {
                            let found = self.found.len();
                            self.tree(module, Some(Vec::new()));
                            self.found.truncate(found);
                        } else {
                            self.tree(module, target.clone());
                        }
                    }
                    self.at += 1;
                    return;
                }
                Some(Token::Path | Token::Mark('*')) => {}
                _ => break,
            }
            is_first = false;
            self.at += 1;
        }
        if !is_outside {
            self.found.extend(target);
        }
    }
}

/// The path after a further word; `None` before the first.
fn step(module: &[String], target: Option<Vec<String>>, word: &str) -> Option<Vec<String>> {
    Some(match (target, word) {
        (None, "crate" | "reqgate") => Vec::new(),
        (None, "self") => module.to_vec(),
        (None, "super") => parent(module),
        (Some(target), "super") => parent(&target),
        (Some(target), "self") => target,
        (target, name) => {
            let mut target = target.unwrap_or_default();
            target.push(name.to_owned());
            target
        }
    })
}

fn parent(module: &[String]) -> Vec<String> {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// Words, `::` and other characters; comments, strings and character literals are left out.
fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let next_is = |at: usize, wanted: &str| wanted.chars().enumerate().all(|(n, c)| characters.get(at + n) == Some(&c));
    let mut out = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let c = characters[at];
        if next_is(at, "//") {
            at = find(&characters, at, &['\n']);
        } else if next_is(at, "/*") {
            at = comment_end(&characters, at);
        } else if c == '"' {
            at = string_end(&characters, at + 1);
        } else if let Some(end) = raw_string_end(&characters, at) {
            at = end;
        } else if c == '\'' {
            at = character_end(&characters, at);
        } else if c.is_alphanumeric() || c == '_' {
            let end = (at..characters.len())
                .find(|place| !(characters[*place].is_alphanumeric() || characters[*place] == '_'))
                .unwrap_or(characters.len());
            out.push(Token::Word(characters[at..end].iter().collect()));
            at = end;
        } else if next_is(at, "::") {
            out.push(Token::Path);
            at += 2;
        } else {
            if !c.is_whitespace() {
                out.push(Token::Mark(c));
            }
            at += 1;
        }
    }
    out
}

fn find(characters: &[char], from: usize, wanted: &[char]) -> usize {
    (from..characters.len()).find(|at| wanted.contains(&characters[*at])).unwrap_or(characters.len())
}

/// The end of a comment; block comments can be nested.
fn comment_end(characters: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < characters.len() {
        match (characters[at], characters[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    characters.len()
}

fn string_end(characters: &[char], from: usize) -> usize {
    let mut at = from;
    while at < characters.len() {
        match characters[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    characters.len()
}

/// The end of `r"…"`, `r#"…"#` and `br#"…"#` if one begins here.
fn raw_string_end(characters: &[char], start: usize) -> Option<usize> {
    let previous = start.checked_sub(1).map(|before| characters[before]);
    if previous.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let mut at = start + usize::from(characters[start] == 'b');
    if characters.get(at) != Some(&'r') {
        return None;
    }
    at += 1;
    let hashes = characters[at..].iter().take_while(|c| **c == '#').count();
    at += hashes;
    if characters.get(at) != Some(&'"') {
        return None;
    }
    let closes =
        |place: &usize| characters[*place] == '"' && (1..=hashes).all(|n| characters.get(place + n) == Some(&'#'));
    Some((at + 1..characters.len()).find(closes).map_or(characters.len(), |place| place + 1 + hashes))
}

/// The end of a character literal; for a lifetime, only the quotation mark is skipped.
fn character_end(characters: &[char], start: usize) -> usize {
    match (characters.get(start + 1), characters.get(start + 2)) {
        (Some('\\'), _) => find(characters, start + 3, &['\'']) + 1,
        (Some(_), Some('\'')) => start + 3,
        _ => start + 1,
    }
}

#[test]
fn paths_are_resolved_from_every_place() {
    let resolve = |text: &str| -> Vec<String> {
        let module = ["stages".to_owned(), "gate".to_owned()];
        imports(&module, text).into_iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(
        resolve("use crate::a::{b::C, self, d::{e, f as g}, h::*};"),
        ["a::b::C", "a", "a::d::e", "a::d::f", "a::h"]
    );
    assert_eq!(resolve("pub(crate) use super::scoring::{self as s};"), ["stages::scoring"]);
    assert_eq!(
        resolve("use self::path::Repair; use path::Repair; use std::{fmt, io::{self, Write}};"),
        ["stages::gate::path::Repair"]
    );
    assert_eq!(
        resolve("fn f(a: &crate::a::B) -> Result<super::c::D<'_>, reqgate::e::F> {}"),
        ["a::B", "stages::c::D", "e::F"]
    );
    assert_eq!(
        resolve("mod tests { use super::*; fn f() { super::super::x::y() } } fn g() { super::z() }"),
        ["stages::gate", "stages::x::y", "stages::z"]
    );
    assert_eq!(
        resolve(
            "/* use crate::a; /* */ use crate::b; */ // crate::c\nlet a = \"\\\" crate::d\"; let b = r#\"\" crate::e\"#;"
        ),
        [""; 0]
    );
    assert_eq!(
        resolve("let a = '\"'; use crate::a; let b = '\\''; use crate::b; fn f<'a>(x: &'a crate::c) {}"),
        ["a", "b", "c"]
    );
    assert_eq!(resolve("macro_rules! m { () => { $crate::a::b() } }"), ["a::b"]);
}
