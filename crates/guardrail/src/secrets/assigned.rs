//! Secrets known by the name before them: values of settings, passwords in sentences.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::told_values as lists;

use super::super::nearby;
use super::sign::{self, Sign};
use super::value::{has_marks, is_code, is_in_place, is_key_like, is_numbered, is_password_like, is_varied, is_word};
use super::{calls, entropy, pairs};

/// Longest value that is read, in bytes.
pub(super) const LONGEST: usize = 400;

/// The value of the setting whose name is at `hit`, or ends there.
pub(super) fn find(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    value(text, hit, placeholders).or_else(|| value_before(text, hit, placeholders))
}

fn value(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let bytes = text.as_bytes();
    let name = text.get(hit.0..hit.1)?.to_lowercase();
    let suffix = match bytes.get(hit.1) {
        Some(b'_' | b'-') | Some(b'0'..=b'9') => bytes[hit.1..]
            .iter()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count(),
        _ => 0,
    };
    if lists::ABOUT_VALUES.stand_in(&text[hit.1..hit.1 + suffix].to_ascii_lowercase()) {
        return None;
    }
    let name = Name {
        text,
        place: Span::new(hit.0, hit.1),
        end: hit.1 + suffix,
        is_password: !lists::KEYS.stand_in(&name),
        is_short: lists::SHORT_NAMES.has(&name),
        placeholders,
    };
    name.beside().unwrap_or_else(|| name.assigned())
}

/// The name of a setting, or the end of it.
struct Name<'t> {
    text: &'t str,
    place: Span,
    /// The end of the whole name: that of `password_2` is two bytes later.
    end: usize,
    /// False if it names a key or token, which is more random than a password.
    is_password: bool,
    /// The name is a short word that also has other meanings.
    is_short: bool,
    placeholders: &'t Placeholders,
}

impl Name<'_> {
    fn looks_alike(&self, value: &str) -> bool {
        if self.is_password { is_password_like(value) } else { is_key_like(value) }
    }

    /// The value in a field next to the name, or among the arguments of a call. The outer `None` means that it has no such value.
    fn beside(&self) -> Option<Option<Span>> {
        let (value, is_certain, is_argument) = match pairs::beside(self.text, self.place.start, self.end) {
            // Pages carry tokens of their own in hidden fields.
            Some(paired) if paired.is_form && !self.is_password => return Some(None),
            Some(paired) => (paired.value, paired.is_certain && self.is_password && self.end == self.place.end, false),
            None => match calls::only_argument(self.text, self.place.start, self.place.end) {
                Some(argument) => (argument, false, true),
                None => (calls::next_string(self.text, self.place.end)?, false, false),
            },
        };
        let is_word =
            self.is_password && is_argument && is_word(value) && !value.bytes().any(|c| c.is_ascii_uppercase());
        let looks_secret = self.looks_alike(value) || is_word || is_certain && is_in_place(value, self.placeholders);
        let is_secret = looks_secret && !is_code(value, Some(b'"')) && !entropy::is_stand_in(value, self.placeholders);
        Some(is_secret.then(|| nearby::place_of(self.text, value)))
    }

    /// The value after a sign or a verb.
    fn assigned(&self) -> Option<Span> {
        let sign = sign::after_name(self.text, self.place.start, self.end)?;
        // `getPassword("shop")` asks for a password by something else.
        let is_call = self.text.as_bytes().get(self.end) == Some(&b'(');
        if is_call && sign.is_weak || self.is_short && (sign.is_weak || !self.is_whole()) {
            return None;
        }
        let is_assigned = self.text.as_bytes().get(self.place.end) == Some(&b'=');
        let is_parameter = is_assigned && self.is_parameter();
        let end = match value_end(self.text, &sign, self.is_password) {
            end if is_parameter => self.text[sign.value..end].find(['&', '#']).map_or(end, |at| sign.value + at),
            end => end,
        };
        let value = self.text.get(sign.value..end)?;
        let looks_secret = match (self.is_password, sign.is_weak) {
            (true, false) if self.is_short => {
                is_password_like(value) && (sign.quote.is_some() || is_assigned || is_varied(value))
            }
            (_, false) => self.looks_alike(value),
            (true, true) => self.is_told(&sign, value, end),
            (false, true) => is_key_like(value) && value.len() >= 16,
        };
        let looks_secret =
            looks_secret || self.is_in_place(value, is_assigned, is_parameter) || self.is_word(&sign, value, end);
        if !looks_secret || is_code(value, sign.quote) || entropy::is_stand_in(value, self.placeholders) {
            return None;
        }
        let end = if self.is_password || sign.quote.is_some() { end } else { with_next_line(self.text, end) };
        Some(Span::new(sign.value, end))
    }

    /// Returns true for the value of an option or of a parameter of an address, which may look less like a secret than other
    /// values.
    fn is_in_place(&self, value: &str, is_assigned: bool, is_parameter: bool) -> bool {
        if !self.is_password {
            return is_parameter && is_short_key(value);
        }
        let is_option = self.is_option();
        let is_certain = is_parameter && value.len() >= SHORTEST_PARAMETER || is_assigned && is_option;
        is_certain && is_in_place(value, self.placeholders) || is_option && is_password_like(value)
    }

    /// Returns true for a quoted word after an assignment sign, and for a word that is assigned to an environment variable.
    fn is_word(&self, sign: &Sign, value: &str, end: usize) -> bool {
        let is_variable = self.place.slice(self.text).bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
            && self.text.as_bytes().get(self.place.end) == Some(&b'=');
        let is_plain = is_word(value) && value.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_whole = self.is_password && self.end == self.place.end && !sign.is_weak && is_plain;
        is_whole && (sign.is_closed(self.text, end) || is_variable && sign.quote.is_none())
    }

    /// Returns true for a password after words that announce it: `the password is …`, `with the password …`.
    fn is_told(&self, sign: &Sign, value: &str, end: usize) -> bool {
        if value.len() >= 8 && is_varied(value) && is_password_like(value) || has_marks(value) {
            return true;
        }
        let is_closed = sign.is_closed(self.text, end);
        if sign.is_told && is_closed && is_word(value) {
            return true;
        }
        // A word before further words describes the password: "the password is sha256 hashed".
        let rest = nearby::after(self.text, end, 16).trim_start_matches(['"', '\'', '`', '*', '_']);
        let ends = rest.trim_start_matches(['.', ',', ';', ')', '!', '?']);
        let is_last = ends.len() < rest.len() && !ends.starts_with(|c: char| c.is_ascii_alphanumeric());
        let next = rest.trim_start_matches(' ');
        let is_last = is_last || !next.starts_with(|c: char| c.is_ascii()) || rest.starts_with('\n');
        let stands_alone = is_closed || is_last || nearby::behind_word(next, lists::AFTER_A_VALUE).is_some();
        // "Password step2" is not one; a name with one digit must be used as a password.
        let is_name = is_numbered(value) || value.contains(['.', '/', ':']);
        let is_value = sign.is_told || !is_name || self.is_used();
        // "Reset your password today!" ends with the mark of the sentence.
        let value = if sign.is_told || is_closed { value } else { value.trim_end_matches(['!', '?']) };
        is_password_like(value) && stands_alone && is_value
    }

    /// Returns true after words for using the password: `with the password`.
    fn is_used(&self) -> bool {
        let head = nearby::before(self.text, self.place.start, 24).to_ascii_lowercase();
        let head = head.trim_end_matches(' ');
        let head = nearby::before_word(head, lists::ARTICLES).unwrap_or(head);
        nearby::ends_with_word(head, lists::USING)
    }

    /// Returns true if the name begins here: not after a letter or digit, except at a hump of camel case.
    fn is_whole(&self) -> bool {
        let bytes = self.text.as_bytes();
        let before = nearby::byte_before(bytes, self.place.start);
        let is_hump = before.is_some_and(|byte| byte.is_ascii_lowercase());
        is_hump && bytes[self.place.start].is_ascii_uppercase()
            || !before.is_some_and(|byte| byte.is_ascii_alphanumeric())
    }

    /// Returns true for the name of an option: `--password`, `--db-password`.
    fn is_option(&self) -> bool {
        let head = nearby::before(self.text, self.place.start, 40);
        let option = head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
        head[option.len()..].starts_with("--")
    }

    /// Returns true for the name of a parameter of an address: `?token=`, `&password=`.
    fn is_parameter(&self) -> bool {
        matches!(nearby::byte_before(self.text.as_bytes(), self.place.start), Some(b'?' | b'&'))
    }
}

/// Shortest password among the parameters of an address, in bytes: shared folders have codes of four letters in their links.
const SHORTEST_PARAMETER: usize = 6;

/// Letters and digits as of a short-lived token.
fn is_short_key(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    value.len() >= 8 && digits >= 2 && letters >= 2 && entropy::shannon(value) >= 2.5
}

/// The end of a key that begins before `end` and continues as the whole of the next line.
fn with_next_line(text: &str, end: usize) -> usize {
    let rest = nearby::after(text, end, LONGEST);
    let Some(next) = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) else { return end };
    let line = next.split(['\r', '\n']).next().unwrap_or(next);
    let key = line.trim_start_matches([' ', '>', '\t', '+']).trim_end();
    let is_key = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=".contains(&byte));
    let goes_on = is_key && key.len() >= 8 && is_key_like(&format!("{key}{key}")) && is_varied(key);
    if goes_on { nearby::place_of(text, key).end } else { end }
}

/// The end of the value after a sign.
pub(super) fn value_end(text: &str, sign: &Sign, is_password: bool) -> usize {
    let rest = nearby::after(text, sign.value, LONGEST);
    let word = rest.split(|c: char| c.is_whitespace() || c == '|' || !c.is_ascii()).next().unwrap_or(rest);
    let length = match sign.quote {
        Some(b'<') => word.find('<').unwrap_or(word.len()),
        Some(quote) => word.find([char::from(quote), '\\']).unwrap_or(word.len()),
        None => {
            let word = &word[..word.find(['"', '\'', '`']).unwrap_or(word.len())];
            let first = word.char_indices().skip(1).find(|(_, c)| matches!(c, ',' | ';' | '&' | '}' | ']' | ')'));
            match first {
                // A mark may belong to a password; the text before it may be one already.
                Some((at, _)) if !is_password || is_password_like(&word[..at]) => at,
                _ => word.trim_end_matches([',', ';', ')', ']', '}', '.', ':']).len(),
            }
        }
    };
    let value = &word[..length];
    // Emphasis is closed as it was opened.
    let value = if sign.is_emphasised { value.trim_end_matches(['*', '_']) } else { value };
    sign.value + value.len()
}

/// The value before the name that the text gives it: `s4l!mAndern is the password`.
fn value_before(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let head = nearby::before(text, hit.0, LONGEST);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '`' | '"');
    // 是数据库的密码: Chinese words before the name, up to the one that joins.
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c) && !matches!(c, '是' | '为');
    let name_start = head.trim_end_matches(is_name).trim_end_matches(is_chinese);
    let told = name_start.trim_end_matches(' ');
    let article = nearby::before_word(told, lists::ARTICLES).or_else(|| nearby::before_word(told, lists::NEW));
    let told = article.unwrap_or(told).trim_end_matches(' ');
    let being = nearby::before_word(told, lists::BEING).or_else(|| nearby::before_word(told, lists::SERVING));
    let rest = being.or_else(|| told.strip_suffix(" ="))?;
    let rest = rest.trim_end_matches([' ', '*', '_', '`', '"', '\'', '”', '’', '」']);
    let start = rest.rfind(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '|') || !c.is_ascii());
    let word = &rest[start.map_or(0, |at| rest.ceil_char_boundary(at + 1))..];
    let value = word.trim_start_matches(['*', '_', '\'', '(']);
    let looks_secret = value.len() >= 8 && is_varied(value) && is_password_like(value)
        || value.len() >= 16 && is_key_like(value) && value.bytes().any(|byte| byte.is_ascii_digit());
    let end = hit.0 - (head.len() - rest.len());
    (looks_secret && !is_code(value, None) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(end - value.len(), end))
}
