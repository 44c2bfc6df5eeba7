//! The sentences of `messages/` as Rust structs: a field for each key, a method for each key with placeholders.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// A sentence in both languages, English first.
type Both<T> = [T; 2];

/// The value of one key.
#[derive(Debug, PartialEq)]
enum Message {
    /// A text, as it is.
    Text(Both<String>),
    /// A text with placeholders, in alphabetical order.
    Template(Both<String>, Vec<String>),
    /// A text with other words for the number one; the number is its placeholder `n`, which the words need not show.
    Counted(Both<[String; 2]>, Vec<String>),
    /// Texts in a fixed order.
    List(Vec<Both<String>>),
    /// Texts that each belong to a value, e.g. to an option of a command.
    Named(Vec<(String, Both<String>)>),
}

/// The Rust code of every file of the folder.
pub(super) fn compiled(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    super::walk(folder, folder, &mut files)?;
    files.sort();
    let mut code = String::new();
    for (name, path) in files {
        let module =
            module(&name, &fs::read_to_string(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        code.push_str(&module);
    }
    Ok(code)
}

/// The struct of one file, and its values in both languages.
fn module(file: &str, text: &str) -> Result<String, Box<dyn Error>> {
    let options = serde_saphyr::options! { strict_booleans: true };
    let value: Value = serde_saphyr::from_str_with_options(text, options)?;
    let keys = value.as_object().ok_or("a file has keys with `en` and `zh`")?;
    let messages: Vec<(&String, Message)> = keys
        .iter()
        .map(|(key, value)| Ok((key, message(key, value).map_err(|error| format!("`{key}`: {error}"))?)))
        .collect::<Result<_, String>>()?;
    let name = camel(file.trim_end_matches(".yaml"));
    let (mut fields, mut methods, mut values) = (String::new(), String::new(), [String::new(), String::new()]);
    for (key, message) in &messages {
        fields.push_str(&field(key, message));
        methods.push_str(&method(key, message));
        for (language, values) in values.iter_mut().enumerate() {
            writeln!(values, "    {key}: {},", message.code(language))?;
        }
    }
    let upper = name.to_uppercase();
    let [en, zh] = values;
    Ok(format!(
        "/// The sentences of `messages/{file}`.\n#[derive(Debug, Serialize)]\npub struct {name} {{\n    /// The language.\n    pub language: Language,\n{fields}}}\n\n\
         // A sentence takes as many values as it has placeholders.\n#[allow(clippy::too_many_arguments)]\nimpl {name} {{\n    /// The sentences in a language.\n    pub fn of(language: Language) -> &'static Self {{\n        \
         language.of(&{upper}_EN, &{upper}_ZH)\n    }}\n{methods}}}\n\n\
         static {upper}_EN: {name} = {name} {{\n    language: Language::En,\n{en}}};\n\nstatic {upper}_ZH: {name} = {name} {{\n    language: Language::Zh,\n{zh}}};\n\n"
    ))
}

/// `prd-comment` as `PrdComment`.
fn camel(name: &str) -> String {
    let part = |part: &str| part[..1].to_uppercase() + &part[1..];
    name.split('-').filter(|it| !it.is_empty()).map(part).collect()
}

impl Message {
    /// The Rust value in one language.
    fn code(&self, language: usize) -> String {
        match self {
            Self::Text(texts) | Self::Template(texts, _) => format!("{:?}", texts[language]),
            Self::Counted(texts, _) => format!("{:?}", texts[language]),
            Self::List(items) => format!("{:?}", items.iter().map(|item| &item[language]).collect::<Vec<_>>()),
            Self::Named(items) => {
                format!("&{:?}", items.iter().map(|(of, item)| (of, &item[language])).collect::<Vec<_>>())
            }
        }
    }

    /// The English text, for the documentation.
    fn shown(&self) -> String {
        match self {
            Self::Text([english, _]) | Self::Template([english, _], _) => english.clone(),
            Self::Counted([english, _], _) => english.join("\n"),
            Self::List(items) => items.iter().map(|[english, _]| english.as_str()).collect::<Vec<_>>().join("\n"),
            Self::Named(items) => items.iter().map(|(of, _)| of.as_str()).collect::<Vec<_>>().join("\n"),
        }
    }
}

fn documented(message: &Message) -> String {
    format!("    #[doc = {:?}]\n", format!("```text\n{}\n```", message.shown()))
}

fn field(key: &str, message: &Message) -> String {
    let documentation = documented(message);
    match message {
        Message::Text(_) => format!("{documentation}    pub {key}: &'static str,\n"),
        Message::List(items) => format!("{documentation}    pub {key}: [&'static str; {}],\n", items.len()),
        Message::Named(_) => format!("{documentation}    pub {key}: &'static [(&'static str, &'static str)],\n"),
        Message::Template(..) => format!("    #[serde(skip)]\n    {key}: &'static str,\n"),
        Message::Counted(..) => format!("    #[serde(skip)]\n    {key}: [&'static str; 2],\n"),
    }
}

fn method(key: &str, message: &Message) -> String {
    let (names, text, is_counted) = match message {
        Message::Template(_, names) => (names, format!("self.{key}"), false),
        Message::Counted(_, names) => (names, format!("self.{key}[usize::from(n != 1)]"), true),
        _ => return String::new(),
    };
    let arguments: String = names
        .iter()
        .map(|name| match (is_counted, name.as_str()) {
            (true, "n") => ", n: usize".to_owned(),
            _ => format!(", {name}: &dyn Display"),
        })
        .collect();
    let value = |name: &String| {
        let by = if is_counted && name == "n" { "&" } else { "" };
        format!("({name:?}, {by}{name})")
    };
    let values = names.iter().map(value).collect::<Vec<_>>().join(", ");
    let documentation = documented(message);
    format!(
        "\n{documentation}    pub fn {key}(&self{arguments}) -> String {{\n        fill({text}, &[{values}])\n    }}\n"
    )
}

/// Reads the value of a key.
fn message(key: &str, value: &Value) -> Result<Message, String> {
    let is_name = key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_name || !key.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err("a key is a name in the code: lower case with underscores".to_owned());
    }
    let Some(items) = value.as_array() else { return sentence(value) };
    let texts: Vec<Both<String>> = items.iter().map(plain).collect::<Result<_, _>>()?;
    let subjects: Vec<String> = items.iter().filter_map(|item| item.get("for")?.as_str()).map(str::to_owned).collect();
    match subjects.len() {
        0 => Ok(Message::List(texts)),
        count if count == texts.len() => Ok(Message::Named(subjects.into_iter().zip(texts).collect())),
        _ => Err("either every entry of a list has a `for` or none".to_owned()),
    }
}

/// An entry of a list: without placeholders, which a list cannot fill in.
fn plain(item: &Value) -> Result<Both<String>, String> {
    match sentence(item)? {
        Message::Text(texts) => Ok(texts),
        _ => Err("an entry of a list has no placeholders".to_owned()),
    }
}

/// A text in both languages.
fn sentence(value: &Value) -> Result<Message, String> {
    let members = value.as_object().ok_or("it needs `en` and `zh`")?;
    if let Some(other) = members.keys().find(|member| !["en", "zh", "for"].contains(&member.as_str())) {
        return Err(format!("`{other}` is not a language: write `en` and `zh`"));
    }
    let [en, zh] = [wordings(value, "en")?, wordings(value, "zh")?];
    let is_separator = |text: &str| !text.is_empty() && text.trim().is_empty();
    let is_empty = |texts: &[String; 2]| texts.iter().any(|text| text.trim().is_empty());
    let may_be_empty = is_separator(&en[0]) || is_separator(&zh[0]);
    if !may_be_empty && (is_empty(&en) || is_empty(&zh)) {
        return Err("a language is empty".to_owned());
    }
    let names = |[one, many]: &[String; 2]| -> Result<BTreeSet<String>, String> {
        Ok(placeholders(one)?.into_iter().chain(placeholders(many)?).collect())
    };
    let (mut names, chinese) = (names(&en)?, names(&zh)?);
    if names != chinese {
        return Err(format!("the languages have other placeholders: {names:?} and {chinese:?}"));
    }
    let is_counted = en[0] != en[1] || zh[0] != zh[1];
    if is_counted {
        names.insert("n".to_owned());
    }
    let names: Vec<String> = names.into_iter().collect();
    let [[english, many], [chinese, several]] = [en, zh];
    Ok(match (is_counted, names.is_empty()) {
        (true, _) => Message::Counted([[english, many], [chinese, several]], names),
        (false, true) => Message::Text([english, chinese]),
        (false, false) => Message::Template([english, chinese], names),
    })
}

/// The words of a language for one and for several; they are the same unless the file distinguishes them.
fn wordings(value: &Value, language: &str) -> Result<[String; 2], String> {
    let words = value.get(language).ok_or(format!("`{language}` is missing"))?;
    if let Some(text) = words.as_str() {
        return Ok([text.to_owned(), text.to_owned()]);
    }
    let form = |name: &str| words.get(name).and_then(Value::as_str).map(str::to_owned);
    match (form("one"), form("many"), words.as_object().map_or(0, serde_json::Map::len)) {
        (Some(one), Some(many), 2) => Ok([one, many]),
        _ => Err(format!("`{language}` is a text, or has `one` and `many`")),
    }
}

/// The names in `{…}`. Other braces belong to an example in JSON.
fn placeholders(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or_default();
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        if part.contains('}') && !name.is_empty() && name.bytes().all(is_name) {
            names.push(name.to_owned());
        } else if name.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(format!("`{{{name}}}` is not a placeholder: write lower-case letters between braces"));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a file, or none.
    fn refusal(text: &str) -> String {
        module("some-page.yaml", text).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_key_is_a_field_or_a_method() {
        let code = module(
            "some-page.yaml",
            "title: { en: Yes, zh: 好 }\n\
             line: { en: '{b} {a}', zh: '{a}{b}' }\n\
             found: { en: { one: 1 find, many: '{n} finds' }, zh: '{n} 处' }\n\
             days: [{ en: Mon, zh: 一 }, { en: Tue, zh: 二 }]\n\
             ways: [{ for: --yes, en: do it, zh: 做 }]\n",
        )
        .expect("a correct file");
        for line in [
            "pub struct SomePage {",
            "pub title: &'static str,",
            "pub fn line(&self, a: &dyn Display, b: &dyn Display) -> String {",
            "pub fn found(&self, n: usize) -> String {",
            "pub days: [&'static str; 2],",
            "ways: &[(\"--yes\", \"做\")],",
        ] {
            assert!(code.contains(line), "{line} in {code}");
        }
    }

    #[test]
    fn both_languages_say_the_same() {
        for (text, error) in [
            ("a: { en: yes }", "`zh` is missing"),
            ("a: { en: yes, zh: '' }", "a language is empty"),
            ("a: { en: yes, zh: 好, de: ja }", "`de` is not a language"),
            ("a: { en: '{n} files', zh: 文件 }", "other placeholders"),
            ("a: { en: '{N} files', zh: '{N} 文件' }", "not a placeholder"),
            ("a: { en: '{ n } files', zh: '{n} 文件' }", "not a placeholder"),
            ("a: { en: '{} files', zh: '{} 文件' }", "not a placeholder"),
            ("a: { en: '{n', zh: '{n' }", "not a placeholder"),
            ("a: [{ en: '{n}', zh: '{n}' }]", "no placeholders"),
            ("a-b: { en: a, zh: 一 }", "a key is a name"),
            ("a: { en: a, zh: 一 }\na: { en: b, zh: 二 }", "duplicate"),
        ] {
            assert!(refusal(text).contains(error), "{text}: {}", refusal(text));
        }
        assert_eq!(refusal("gap: { en: ' ', zh: '' }"), "");
        assert_eq!(refusal("shape: { en: '{\"id\": {\"x\": …}}', zh: '{\"id\": {\"x\": …}}' }"), "");
    }
}
