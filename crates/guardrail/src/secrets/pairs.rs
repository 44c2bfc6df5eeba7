//! Values next to their name in another field: `name="password" value="X"`, `{"key": "password", "value": "X"}`.

use super::super::nearby;

/// Longest element, and longest way from a name to its value, in bytes.
const LONGEST_TAG: usize = 300;
const LONGEST_GAP: usize = 60;
/// Elements that hold a setting and never a label that people read.
const SETTINGS: [&str; 9] = ["property", "entry", "add", "param", "parameter", "setting", "env", "prop", "variable"];

/// A value in another field than its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paired<'t> {
    pub(super) value: &'t str,
    /// Only the value of a setting can be at this place, so that even a plain word is one.
    pub(super) is_certain: bool,
    /// The value is in a form field of a page.
    pub(super) is_form: bool,
}

impl<'t> Paired<'t> {
    fn plain(value: &'t str) -> Self {
        Self { value, is_certain: false, is_form: false }
    }
}

/// The value next to the name that is, as the whole of a field or its end, from `start` to `end`.
pub(super) fn beside(text: &str, start: usize, end: usize) -> Option<Paired<'_>> {
    let rest = nearby::after(text, end, LONGEST_TAG);
    if let Some(closed) = rest.strip_prefix("</") {
        return next_element(closed).map(Paired::plain);
    }
    let behind = rest.strip_prefix(['"', '\'']);
    let in_tag = behind.and_then(|behind| in_tag(text, start, behind));
    in_tag.or_else(|| next_field(behind.unwrap_or(rest)).map(Paired::plain))
}

/// `<property name="password" value="X"/>`, with the value before or after, or as the content of the element.
fn in_tag<'t>(text: &'t str, start: usize, behind: &'t str) -> Option<Paired<'t>> {
    let head = nearby::before(text, start, LONGEST_TAG);
    let head = &head[head.rfind('<')? + 1..];
    if head.contains('>') {
        return None;
    }
    let tag = head.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(head);
    let is_certain = SETTINGS.iter().any(|known| tag.eq_ignore_ascii_case(known));
    let (inside, content) = behind.split_once('>')?;
    let content = || content.split_once("</").map(|(content, _)| content.trim());
    let is_open = !inside.ends_with('/');
    let value = attribute(inside).or_else(|| attribute(head)).or_else(|| content().filter(|_| is_open))?;
    let is_form = ["input", "meta"].iter().any(|known| tag.eq_ignore_ascii_case(known));
    Some(Paired { value, is_certain, is_form })
}

/// The value of the attribute `value` among others.
fn attribute(attributes: &str) -> Option<&str> {
    let at =
        attributes.find("value=").filter(|at| !attributes[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))?;
    quoted(&attributes[at + 6..])
}

/// The words in quotation marks with which a text begins.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text[1..].split_once(quote).map(|(words, _)| words)
}

/// `<key>password</key><string>X</string>`: the content of the element after the one that holds the name.
fn next_element(closed: &str) -> Option<&str> {
    let (name, rest) = closed.split_once('>')?;
    if !["key", "name"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return None;
    }
    let (tag, content) = rest.trim_start().strip_prefix('<')?.split_once('>')?;
    let is_value = tag.bytes().all(|byte| byte.is_ascii_alphabetic());
    content.split_once("</").filter(|_| is_value).map(|(content, _)| content)
}

/// `"password", "value": "X"`, and in YAML `value: X` on the next line.
fn next_field(behind: &str) -> Option<&str> {
    let behind = nearby::after(behind, 0, LONGEST_GAP + 100);
    let mark = |c: char| matches!(c, ',' | ' ' | '\n' | '\r' | '\t');
    let key = behind.trim_start_matches(mark);
    let gap = behind.len() - key.len();
    if gap == 0 || gap > LONGEST_GAP {
        return None;
    }
    let key = key.trim_start_matches(['"', '\'']);
    let sign = key.get(..5).filter(|word| word.eq_ignore_ascii_case("value")).map(|_| &key[5..])?;
    let value = sign.trim_start_matches(['"', '\'', ' ']).strip_prefix([':', '='])?.trim_start_matches(' ');
    let bare = || value.split(|c: char| c.is_whitespace() || matches!(c, ',' | '}')).next();
    quoted(value).or_else(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_beside_their_name() {
        for (text, expected) in [
            ("<property name=\"password\" value=\"x1\"/>", Some(("x1", true))),
            ("<property value='x1' name='password'/>", Some(("x1", true))),
            ("<entry key=\"password\">x1</entry>", Some(("x1", true))),
            ("<string name=\"password\">x1</string>", Some(("x1", false))),
            ("<key>password</key>\n  <string>x1</string>", Some(("x1", false))),
            ("{\"key\": \"password\", \"value\": \"x1\"}", Some(("x1", false))),
            ("- name: password\n  value: x1\n", Some(("x1", false))),
            ("<input name=\"password\"/> text </b>", None),
            ("<label>password</label><b>x1</b>", None),
            ("the password value is", None),
        ] {
            let start = text.find("password").unwrap();
            let found = beside(text, start, start + 8).map(|paired| (paired.value, paired.is_certain));
            assert_eq!(found, expected, "{text}");
        }
    }
}
