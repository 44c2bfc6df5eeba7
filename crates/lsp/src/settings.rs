//! Edits of the configuration file: waives a rule for a file, or switches it off. The content of the file is kept, and a result that
//! is not a valid configuration is not offered.

use reqgate_base::model::Span;
use reqgate_base::yaml;
use reqgate_rules::config::{Config, RuleLevel};
use serde_json::Value;

/// A replacement in the text of the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The bytes that are replaced.
    pub span: Span,
    /// The words in their place.
    pub text: String,
}

impl Edit {
    fn applied(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.span.start], self.text, &text[self.span.end..])
    }
}

/// An edit that waives a rule for the inputs of this name; its reason is empty, for the author to fill in.
pub(crate) fn waiver(text: &str, rule: &str, input: &str) -> Option<Edit> {
    let input = Value::from(globset::escape(input)).to_string();
    let before = waivers(text);
    let entry = Entry {
        key: "waivers",
        lines: &[&format!("- rule: {rule}"), "  reason: \"\"  # required", &format!("  input: {input}")],
        flow: &format!("{{ rule: {rule}, reason: \"\", input: {input} }}"),
    };
    entry.edit(text).filter(|edit| waivers(&edit.applied(text)) == before + 1)
}

/// An edit that switches a rule off; the reason is a comment, for the author to fill in.
pub(crate) fn rule_off(text: &str, rule: &str) -> Option<Edit> {
    let line = format!("{rule}: off  # reason: ");
    let entry = Entry { key: "rules", lines: &[&line], flow: &format!("{rule}: off") };
    let edit = level_of(text, rule).or_else(|| entry.edit(text))?;
    let is_off = |text: &str| {
        let config = yaml::read::<Config>(text).ok()?;
        config.rules.into_iter().find(|(id, _)| id.as_str() == rule).map(|(_, level)| level)
    };
    Some(edit).filter(|edit| is_off(&edit.applied(text)) == Some(RuleLevel::Off))
}

/// The number of waivers in a configuration; 0 if it cannot be read.
fn waivers(text: &str) -> usize {
    yaml::read::<Config>(text).map_or(0, |config| config.waivers.len())
}

/// A new entry below a key of the file.
struct Entry<'a> {
    key: &'a str,
    /// The entry as whole lines.
    lines: &'a [&'a str],
    /// The entry inside brackets.
    flow: &'a str,
}

impl Entry<'_> {
    /// The edit that adds the entry as the first below its key, or the key with the entry at the end of the file.
    fn edit(&self, text: &str) -> Option<Edit> {
        let end = line_end(text);
        let Some(line) = lines(text).find(|line| value_after(line.slice(text), self.key).is_some()) else {
            let gap = if text.is_empty() || text.ends_with(['\n', '\r']) { "" } else { end };
            let text_at_end = format!("{gap}{}:{end}{}", self.key, self.block("  ", end));
            return Some(Edit { span: Span::new(text.len(), text.len()), text: text_at_end });
        };
        let words = line.slice(text);
        let value = value_after(words, self.key)?;
        let (at, value) = (line.start + words.len() - value.len(), without_comment(value));
        match value {
            "" => {
                let after = after_line(text, line);
                let gap = if after == line.end { end } else { "" };
                let block = self.block(&indent_below(text, after), end);
                Some(Edit { span: Span::new(after, after), text: format!("{gap}{block}") })
            }
            "[]" | "{}" => {
                let block = format!("{end}{}", self.block("  ", end));
                Some(Edit { span: Span::new(at, at + 2), text: block.trim_end_matches(['\r', '\n']).to_owned() })
            }
            value if value.starts_with(['[', '{']) => {
                Some(Edit { span: Span::new(at + 1, at + 1), text: format!("{}, ", self.flow) })
            }
            _ => None,
        }
    }

    fn block(&self, indent: &str, end: &str) -> String {
        self.lines.iter().map(|line| format!("{indent}{line}{end}")).collect()
    }
}

/// The edit of the level of a rule that the file sets already.
fn level_of(text: &str, rule: &str) -> Option<Edit> {
    let mut below = lines(text).skip_while(|line| value_after(line.slice(text), "rules").is_none()).skip(1);
    let of_rule = |line: &Span| value_after(line.slice(text).trim_start(), rule).is_some();
    let line = below.by_ref().take_while(|line| !begins_key(line.slice(text))).find(of_rule)?;
    let words = line.slice(text);
    let value = value_after(words.trim_start(), rule)?;
    let at = line.start + words.len() - value.len();
    Some(Edit { span: Span::new(at, at + without_comment(value).len()), text: RuleLevel::name_of(None).to_owned() })
}

/// The value after a key at the start of a line, with the blanks before it removed.
fn value_after<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(key)?.trim_start_matches(' ').strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
}

/// Returns true for a line that begins a key of the file itself.
fn begins_key(line: &str) -> bool {
    !line.is_empty() && !line.starts_with([' ', '\t', '#', '-'])
}

fn without_comment(value: &str) -> &str {
    let end = if value.starts_with('#') { 0 } else { value.find(" #").unwrap_or(value.len()) };
    value[..end].trim_end()
}

/// The indent of the entries after an offset; two blanks if no entry follows.
fn indent_below(text: &str, offset: usize) -> String {
    let rest = &text[offset..];
    let is_entry = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = rest.lines().find(is_entry).filter(|line| !begins_key(line));
    first.map_or_else(|| "  ".to_owned(), |line| line[..line.len() - line.trim_start().len()].to_owned())
}

/// The lines of the text, without their line ends.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches(['\r', '\n']).len());
        start += line.len();
        span
    })
}

/// The start of the line after this one.
fn after_line(text: &str, line: Span) -> usize {
    text[line.end..].find('\n').map_or(text.len(), |at| line.end + at + 1)
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use reqgate_rules::config::COMMENTED_DEFAULT;

    use super::*;

    fn waived(text: &str) -> String {
        waiver(text, "vague-term", "docs/a.md").map(|edit| edit.applied(text)).unwrap_or_default()
    }

    fn off(text: &str) -> String {
        rule_off(text, "vague-term").map(|edit| edit.applied(text)).unwrap_or_default()
    }

    const ENTRY: &str = "  - rule: vague-term\n    reason: \"\"  # required\n    input: \"docs/a.md\"\n";

    #[test]
    fn waiver_is_added_in_the_form_of_the_file() {
        for (before, after) in [
            ("", format!("waivers:\n{ENTRY}")),
            ("# only a comment\n", format!("# only a comment\nwaivers:\n{ENTRY}")),
            ("policy: ready", format!("policy: ready\nwaivers:\n{ENTRY}")),
            ("waivers: []  # none\nsure: 0.5\n", format!("waivers:{}\n{}  # none\nsure: 0.5\n", " ", ENTRY.trim_end())),
            ("waivers:\nsure: 0.5\n", format!("waivers:\n{ENTRY}sure: 0.5\n")),
            ("waivers:", format!("waivers:\n{ENTRY}")),
            (
                "waivers: # all\n  # why\n  - rule: and-or\n    reason: x\n",
                format!("waivers: # all\n{ENTRY}  # why\n  - rule: and-or\n    reason: x\n"),
            ),
            (
                "waivers:\n- rule: and-or\n  reason: x\n",
                "waivers:\n- rule: vague-term\n  reason: \"\"  # required\n  input: \"docs/a.md\"\n- rule: and-or\n  reason: x\n"
                    .to_owned(),
            ),
            (
                "waivers: [{rule: and-or, reason: x}]\n",
                "waivers: [{ rule: vague-term, reason: \"\", input: \"docs/a.md\" }, {rule: and-or, reason: x}]\n".to_owned(),
            ),
        ] {
            assert_eq!(waived(before), after, "{before:?}");
        }
        assert_eq!(
            waived("policy: ready\r\n"),
            format!("policy: ready\r\nwaivers:\n{ENTRY}").replace("\r\n", "\n").replace('\n', "\r\n")
        );
    }

    #[test]
    fn rule_is_switched_off_in_the_form_of_the_file() {
        for (before, after) in [
            ("", "rules:\n  vague-term: off  # reason: \n"),
            ("rules: {}\nsure: 0.5\n", "rules: \n  vague-term: off  # reason: \nsure: 0.5\n"),
            ("rules:\n    and-or: off\n", "rules:\n    vague-term: off  # reason: \n    and-or: off\n"),
            ("rules: {and-or: off}\n", "rules: {vague-term: off, and-or: off}\n"),
            (
                "rules:\n  and-or: off\n  vague-term: blocker # strict\n",
                "rules:\n  and-or: off\n  vague-term: off # strict\n",
            ),
        ] {
            assert_eq!(off(before), after, "{before:?}");
        }
    }

    #[test]
    fn a_result_that_is_not_valid_is_not_offered() {
        for text in ["waivers: 3\nrules: x\n", "not: a: configuration\n", "rules: {\n", "- a\n", "unknown_key: 1\n"] {
            assert_eq!((waived(text), off(text)), (String::new(), String::new()), "{text:?}");
        }
        // A rule that the braces set already would be a duplicate key.
        assert_eq!(off("rules: {vague-term: warning}\n"), "");
    }

    #[test]
    fn the_commented_default_can_be_edited_again_and_again() {
        let mut text = COMMENTED_DEFAULT.to_owned();
        for rule in ["vague-term", "and-or"] {
            text = waiver(&text, rule, "a [draft]*.md").expect("it can be edited").applied(&text);
            text = rule_off(&text, rule).expect("it can be edited").applied(&text);
        }
        let config: Config = yaml::read(&text).expect("it is valid");
        assert_eq!((config.waivers.len(), config.rules.len()), (2, 2));
        let glob = globset::Glob::new(config.waivers[0].input.as_deref().unwrap()).unwrap().compile_matcher();
        assert!(glob.is_match("a [draft]*.md") && !glob.is_match("a d.md"));
    }
}
