//! A user and a password that are given together: `login anna / X`, `账号：anna / X`.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::told_values as lists;

use super::super::nearby;
use super::{entropy, value};

/// Longest stretch that is read after the word, in bytes.
const LONGEST: usize = 160;

/// The password after the word for a login at `hit`.
pub(super) fn find(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let rest = nearby::after(text, hit.1, LONGEST);
    if text.is_char_boundary(hit.0) && text[..hit.0].ends_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let rest = rest.split('\n').next().unwrap_or(rest);
    let named = rest.trim_start_matches(['s', '密', '码', '口', '令']);
    let lead = named.trim_start_matches([' ', '*', '`', '"', '(']);
    let purpose = nearby::behind_word(lead, lists::PURPOSES).and_then(|whose| whose.find(':').map(|at| &whose[at..]));
    let lead = purpose.unwrap_or(lead);
    let told = lead.trim_start_matches([':', '：', '=']);
    let is_told = told.len() < lead.len();
    let told = told.trim_start_matches(' ');
    let being = nearby::behind_word(told, lists::BEING).or_else(|| nearby::behind_word(told, lists::WITH));
    let told = being.unwrap_or(told).trim_start_matches([' ', '*', '`', '"', '\'']);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '@' | '+');
    let behind = told.trim_start_matches(is_name);
    let name = &told[..told.len() - behind.len()];
    let sign = behind.trim_start_matches(['`', '"', '\'', '*', ' ']);
    let word = sign.strip_prefix(['/', '|', '／'])?;
    let is_spaced = behind.starts_with(' ') && word.starts_with(' ');
    let word = word.trim_start_matches([' ', '`', '"', '\'', '*']);
    let length =
        word.find(|c: char| !c.is_ascii_graphic() || matches!(c, '`' | '"' | '\'' | '|')).unwrap_or(word.len());
    let password = word[..length].trim_end_matches([',', '.', ';', ':', ')', '*']);
    // In words without a sign, "the login page / page2" names two things.
    let is_user =
        is_told || being.is_some() || is_spaced && !(is_described(text, hit.0) && value::is_numbered(password));
    let looks_secret =
        value::has_marks(password) || value::is_password_like(password) && is_user && !is_release(password);
    let is_secret = !name.is_empty()
        && looks_secret
        && !password.contains('/')
        && !value::is_code(password, None)
        && !entropy::is_stand_in(password, placeholders);
    is_secret.then(|| nearby::place_of(text, password))
}

/// Returns true after `the login`: the next words may describe a thing.
fn is_described(text: &str, at: usize) -> bool {
    let head = nearby::before(text, at, 16).to_ascii_lowercase();
    head.strip_suffix(' ').is_some_and(|head| nearby::ends_with_word(head, lists::ARTICLES))
}

/// A capital name with its release: `SAML2.0`, `OAuth2`.
fn is_release(word: &str) -> bool {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    name.bytes().filter(u8::is_ascii_uppercase).count() >= 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}
