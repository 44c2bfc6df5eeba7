//! Reads the fields of issue forms (`.github/ISSUE_TEMPLATE/*.yml`) and finds the ones that an issue leaves open.
//!
//! GitHub does not enforce `required` in private repositories, checks neither length nor pattern, and allows later
//! edits of the text, so the current text is checked here. Length and pattern of a field come from the configuration.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;
use serde::Deserialize;

use reqgate_base::files::{NOT_SHOWN, is_link_elsewhere};
use reqgate_base::yaml;
use reqgate_docs::Outline;
use reqgate_docs::write::one_line;
use reqgate_rules::config::FormFieldConfig;

/// The maximum number of files read from one folder.
const MOST_FORMS: usize = 50;
/// The maximum size of a file, in bytes.
const LARGEST_FORM: u64 = 256 * 1024;
/// The text that GitHub inserts for a field without an answer.
const NO_RESPONSE: &str = "_No response_";

/// A form as its file describes it.
#[derive(Debug, Clone)]
pub struct Form {
    fields: Vec<Field>,
}

#[derive(Debug, Clone)]
struct Field {
    label: String,
    kind: Kind,
    is_required: bool,
    placeholder: String,
    value: String,
    boxes: Vec<String>,
    least: Option<usize>,
    most: Option<usize>,
    pattern: Option<Regex>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Choice,
    Boxes,
}

/// A form that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("reading the issue form {path}: {message}")]
pub struct FormError {
    path: String,
    message: String,
}

/// A field that an issue leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gap {
    /// The label of the field or of the box.
    pub(super) label: String,
    /// The kind of fault.
    pub(super) kind: GapKind,
    /// The line of the body, counted from 0, with the heading of the field.
    pub(super) line: usize,
}

/// The fault of a field's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GapKind {
    /// The field has no answer.
    Empty,
    /// It is the placeholder or the template.
    Placeholder,
    /// A required box is not ticked.
    Unticked,
    /// It has fewer characters than required.
    TooShort(usize),
    /// It has more characters than allowed.
    TooLong(usize),
    /// It does not match the pattern.
    Mismatch,
}

#[derive(Deserialize)]
struct FormFile {
    #[serde(default)]
    body: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    attributes: Attributes,
    #[serde(default)]
    validations: Validations,
}

#[derive(Default, Deserialize)]
struct Attributes {
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    placeholder: Option<String>,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    options: Vec<Choice>,
}

#[derive(Default, Deserialize)]
struct Validations {
    #[serde(default)]
    required: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Choice {
    Box {
        label: String,
        #[serde(default, deserialize_with = "switch")]
        required: bool,
    },
    Other(serde::de::IgnoredAny),
}

/// Reads a boolean. GitHub's YAML accepts `yes` for true, and a value that is tried as several shapes has lost its type
/// by then.
fn switch<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Switch {
        Set(bool),
        Word(String),
    }
    Ok(match Switch::deserialize(deserializer)? {
        Switch::Set(set) => set,
        Switch::Word(word) => matches!(word.to_ascii_lowercase().as_str(), "yes" | "on" | "true"),
    })
}

/// Reads the forms in a folder, sorted by name; a missing folder has none.
///
/// A file that is not a form is reported and skipped, because a broken form must not stop the gate.
pub fn forms_in(folder: &Path, fields: &BTreeMap<String, FormFieldConfig>) -> (Vec<Form>, Vec<FormError>) {
    let Ok(entries) = fs::read_dir(folder) else { return (Vec::new(), Vec::new()) };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|end| end == "yml" || end == "yaml")
            && path.file_stem().is_none_or(|name| name != "config")
    });
    paths.sort();
    let (mut forms, mut errors) = (Vec::new(), Vec::new());
    for path in paths.into_iter().take(MOST_FORMS) {
        let shown = || path.display().to_string();
        let is_small = fs::metadata(&path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST_FORM);
        let text = if is_small {
            fs::read_to_string(&path).map_err(|error| error.to_string())
        } else {
            Err(format!("it is not a file of at most {} KiB", LARGEST_FORM / 1024))
        };
        let parse = |text: String| match Form::parse(&text, fields) {
            Err(_) if is_link_elsewhere(&path) => Err(NOT_SHOWN.to_owned()),
            parsed => parsed,
        };
        match text.and_then(parse) {
            Ok(form) => forms.push(form),
            Err(message) => errors.push(FormError { path: shown(), message }),
        }
    }
    (forms, errors)
}

/// The form that a body was written with: all its labels are headings of the body; if several fit, the one with the
/// most labels.
pub(super) fn form_of<'f>(forms: &'f [Form], body: &str) -> Option<&'f Form> {
    let sections = sections(body);
    let has = |label: &str| sections.iter().any(|section| section.label == label);
    forms
        .iter()
        .filter(|form| !form.fields.is_empty() && form.fields.iter().all(|field| has(&field.label)))
        .max_by_key(|form| form.fields.len())
}

impl Form {
    pub(super) fn parse(text: &str, policies: &BTreeMap<String, FormFieldConfig>) -> Result<Self, String> {
        let file: FormFile = yaml::read(text).map_err(|error| error.to_string())?;
        let mut fields = Vec::new();
        for element in file.body {
            let kind = match element.kind.as_str() {
                "input" | "textarea" => Kind::Text,
                "dropdown" => Kind::Choice,
                "checkboxes" => Kind::Boxes,
                // Explanations add no text to the issue; field types that are not known yet are not judged.
                _ => continue,
            };
            let Some(label) = element.attributes.label.map(|label| one_line(&label)).filter(|label| !label.is_empty())
            else {
                continue;
            };
            let policy = element.id.as_ref().and_then(|id| policies.get(id)).or_else(|| policies.get(&label));
            let boxes = element.attributes.options.into_iter().filter_map(|choice| match choice {
                Choice::Box { label, required } => required.then(|| one_line(&label)),
                Choice::Other(_) => None,
            });
            fields.push(Field {
                kind,
                is_required: policy.and_then(|policy| policy.required).unwrap_or(element.validations.required),
                placeholder: one_line(element.attributes.placeholder.as_deref().unwrap_or("")),
                value: one_line(element.attributes.value.as_deref().unwrap_or("")),
                boxes: boxes.collect(),
                least: policy.and_then(|policy| policy.min_length),
                most: policy.and_then(|policy| policy.max_length),
                pattern: policy
                    .and_then(|policy| policy.pattern.as_deref())
                    .map(Regex::new)
                    .transpose()
                    .map_err(|_| format!("the configured pattern of `{label}` is not a valid regular expression"))?,
                label,
            });
        }
        Ok(Self { fields })
    }

    /// The fields of this form that a body leaves open, in the order of the form.
    pub(super) fn gaps(&self, body: &str) -> Vec<Gap> {
        let sections = sections(body);
        let mut gaps = Vec::new();
        for field in &self.fields {
            let Some(section) = sections.iter().find(|section| section.label == field.label) else { continue };
            let gap = |label: &str, kind| Gap { label: label.to_owned(), kind, line: section.line };
            if field.kind == Kind::Boxes {
                let open = field.boxes.iter().filter(|label| !section.is_ticked(label));
                gaps.extend(open.map(|label| gap(label, GapKind::Unticked)));
                continue;
            }
            gaps.extend(field.objection(&section.answer).map(|kind| gap(&field.label, kind)));
        }
        gaps
    }
}

impl Field {
    fn objection(&self, answer: &str) -> Option<GapKind> {
        let words = one_line(answer);
        let is_empty = words.is_empty() || words == NO_RESPONSE || (self.kind == Kind::Choice && words == "None");
        let is_placeholder = !is_empty
            && self.kind == Kind::Text
            && [&self.placeholder, &self.value].iter().any(|given| !given.is_empty() && **given == words);
        match (is_empty, is_placeholder, self.is_required) {
            (true, _, true) => return Some(GapKind::Empty),
            (_, true, true) => return Some(GapKind::Placeholder),
            // An optional field may be left alone; then its length and pattern are not checked.
            (true, _, false) | (_, true, false) => return None,
            (false, false, _) => {}
        }
        let length = answer.trim().chars().count();
        if let Some(least) = self.least.filter(|least| length < *least) {
            return Some(GapKind::TooShort(least));
        }
        if let Some(most) = self.most.filter(|most| length > *most) {
            return Some(GapKind::TooLong(most));
        }
        let fits = |pattern: &Regex| pattern.is_match(answer.trim());
        self.pattern.as_ref().is_some_and(|pattern| !fits(pattern)).then_some(GapKind::Mismatch)
    }
}

struct Section {
    label: String,
    answer: String,
    line: usize,
}

impl Section {
    fn is_ticked(&self, label: &str) -> bool {
        self.answer.lines().any(|line| {
            let line = line.trim();
            let ticked = line.strip_prefix("- [x]").or_else(|| line.strip_prefix("- [X]"));
            ticked.is_some_and(|words| one_line(words) == label)
        })
    }
}

/// The parts of a body between headings of the third level, which GitHub creates from the fields.
fn sections(body: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for ((line, heading), number) in Outline::of(body).lines().zip(0..) {
        if let Some(label) = heading.filter(|heading| heading.level == 3) {
            sections.push(Section { label: one_line(label.words), answer: String::new(), line: number });
        } else if let Some(section) = sections.last_mut() {
            section.answer.push_str(body[line.start..line.end].trim_end_matches(['\r', '\n']));
            section.answer.push('\n');
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "\
name: Bug
description: Something is wrong
body:
  - type: markdown
    attributes: {value: Thanks!}
  - type: input
    id: version
    attributes: {label: Version, placeholder: e.g. 1.2.3}
    validations: {required: true}
  - type: textarea
    id: steps
    attributes:
      label: Steps to reproduce
      value: |
        1.
        2.
    validations: {required: yes}
  - type: dropdown
    attributes: {label: Browser, options: [Firefox, Chrome]}
  - type: checkboxes
    attributes:
      label: Before you send
      options:
        - {label: I have searched for it, required: yes}
        - {label: I would help}
";

    fn policies(pattern: &str) -> BTreeMap<String, FormFieldConfig> {
        let policy = FormFieldConfig {
            min_length: Some(3),
            max_length: Some(8),
            pattern: Some(pattern.to_owned()),
            required: None,
        };
        BTreeMap::from([("version".to_owned(), policy)])
    }

    fn gaps(version: &str, steps: &str, ticked: &str) -> Vec<(String, GapKind)> {
        let forms = [Form::parse(FORM, &policies("^[0-9.]+$")).expect("it is a form")];
        let body = format!(
            "### Version\n\n{version}\n\n### Steps to reproduce\n\n{steps}\n\n### Browser\n\n_No response_\n\n\
             ### Before you send\n\n- [{ticked}] I have searched for it\n- [ ] I would help\n"
        );
        let form = form_of(&forms, &body).expect("it was written with the form");
        form.gaps(&body).into_iter().map(|gap| (gap.label, gap.kind)).collect()
    }

    #[test]
    fn answered_form_has_no_gaps() {
        assert_eq!(gaps("1.2.3", "1. open it", "X"), []);
    }

    #[test]
    fn gaps_of_every_kind_are_found() {
        let of = |label: &str, kind| vec![(label.to_owned(), kind)];
        assert_eq!(gaps("_No response_", "1. a", "x"), of("Version", GapKind::Empty));
        assert_eq!(gaps("", "1. a", "x"), of("Version", GapKind::Empty));
        assert_eq!(gaps("e.g. 1.2.3", "1. a", "x"), of("Version", GapKind::Placeholder));
        assert_eq!(gaps("1.2", "1.\n2.", "x"), of("Steps to reproduce", GapKind::Placeholder));
        assert_eq!(gaps("1", "1. a", "x"), of("Version", GapKind::TooShort(3)));
        assert_eq!(gaps("1.2.3.4.5.6", "1. a", "x"), of("Version", GapKind::TooLong(8)));
        assert_eq!(gaps("latest", "1. a", "x"), of("Version", GapKind::Mismatch));
        assert_eq!(gaps("1.2", "1. a", " "), of("I have searched for it", GapKind::Unticked));
    }

    #[test]
    fn body_without_the_headings_is_of_no_form() {
        let forms = [Form::parse(FORM, &BTreeMap::new()).expect("it is a form")];
        assert!(form_of(&forms, "### Version\n\n1.2").is_none());
        assert!(
            form_of(&forms, "```\n### Version\n### Steps to reproduce\n### Browser\n### Before you send\n```")
                .is_none()
        );
    }

    #[test]
    fn broken_forms_are_told_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.yml"), FORM).unwrap();
        std::fs::write(folder.path().join("b.yaml"), "body: [1, {").unwrap();
        std::fs::write(folder.path().join("config.yml"), "blank_issues_enabled: false").unwrap();
        std::fs::write(folder.path().join("old.md"), "---\nname: x\n---").unwrap();
        let (forms, errors) = forms_in(folder.path(), &BTreeMap::new());
        assert_eq!((forms.len(), errors.len()), (1, 1));
        assert!(forms_in(&folder.path().join("none"), &BTreeMap::new()).0.is_empty());
    }
}
