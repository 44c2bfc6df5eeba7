//! Converts the labelled values of an entry.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::faults::{Fault, FaultKind, number_fault, word_fault};
use super::fields::{Fields, HasFields};
use super::words::{Kind, LEVELS, Label, METRICS, QUALITIES, RISKS, Shape, choices, word};
use crate::RequirementPriority;
use crate::names::Names;
use crate::requirements::{PrioritySpelling, priority};
use reqgate_base::model::Language;
use reqgate_docs::values::names;

/// A value of an entry: the line of its label, and its items.
pub(super) struct Field {
    pub label: Label,
    pub line: u32,
    pub items: Vec<String>,
    /// The label is a list item, so its items are indented.
    pub is_item: bool,
}

/// The values of an entry, by label.
pub(super) struct Values<'r> {
    pub kind: Kind,
    pub fields: &'r [Field],
    pub language: Language,
    pub faults: &'r mut Vec<Fault>,
    pub spelling: &'r mut Option<PrioritySpelling>,
}

/// The fault of the value of a label that takes a word of a closed set, or a number.
pub(super) fn fault_of(kind: Kind, label: Label, value: &str, language: Language) -> Option<FaultKind> {
    fn fault<T: Copy + PartialEq + DeserializeOwned>(
        label: Label,
        value: &str,
        of: &Names<T>,
        language: Language,
    ) -> Option<FaultKind> {
        word(of, value).is_none().then(|| word_fault(label, value, choices(of, language), language))
    }
    match (kind, label) {
        _ if value.is_empty() => None,
        (_, Label::Priority) => priority(value).is_none().then(|| {
            let choices = language.of(
                "must, should, could or won't; high, medium, low or wont; P0 to P3",
                "必须、应该、可以、这次不做，或高、中、低、不做，或 P0 至 P3",
            );
            word_fault(label, value, choices.to_owned(), language)
        }),
        (_, Label::Points) => value.parse::<u32>().is_err().then(|| number_fault(label, value, language)),
        (Kind::Quality, Label::Category) => fault(label, value, &QUALITIES, language),
        (Kind::Metric, Label::Category) => fault(label, value, &METRICS, language),
        (Kind::Risk, Label::Category) => fault(label, value, &RISKS, language),
        (_, Label::Probability | Label::Impact) => fault(label, value, &LEVELS, language),
        _ => None,
    }
}

impl Values<'_> {
    fn items_of(&self, label: Label) -> Vec<String> {
        let fields = self.fields.iter().filter(|field| field.label == label);
        let items = fields.flat_map(|field| field.items.iter().cloned());
        match label.shape() {
            Shape::Ids => items.flat_map(|items| names(&items)).collect(),
            Shape::Line | Shape::Items => items.collect(),
        }
    }

    fn text(&self, label: Label) -> String {
        self.items_of(label).join("; ")
    }

    fn option_of(&self, label: Label) -> Option<String> {
        Some(self.text(label)).filter(|text| !text.is_empty())
    }

    fn fault(&mut self, label: Label, kind: FaultKind) {
        let line = self.fields.iter().find(|field| field.label == label).map_or(1, |field| field.line);
        self.faults.push(Fault { line, kind });
    }

    /// The value of a label as it is read; one that cannot be read is reported.
    fn read<T>(&mut self, label: Label, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let word = self.option_of(label)?;
        let value = read(&word);
        if value.is_none()
            && let Some(kind) = fault_of(self.kind, label, &word, self.language)
        {
            self.fault(label, kind);
        }
        value
    }

    /// The entry with its values.
    pub(super) fn filled<E: HasFields>(&mut self, mut entry: E) -> E {
        entry.fields(self);
        entry
    }
}

impl Fields for Values<'_> {
    fn line(&mut self, label: Label, value: &mut String) {
        *value = self.text(label);
    }

    fn option(&mut self, label: Label, value: &mut Option<String>) {
        *value = self.option_of(label);
    }

    fn items(&mut self, label: Label, value: &mut Vec<String>) {
        *value = self.items_of(label);
    }

    fn names(&mut self, label: Label, value: &mut Vec<String>) {
        *value = self.items_of(label);
    }

    fn pairs(&mut self, label: Label, value: &mut BTreeMap<String, String>) {
        let pair = |words: String| {
            let (name, value) = words.split_once([':', '：']).unwrap_or((&words, ""));
            (name.trim().to_owned(), value.trim().to_owned())
        };
        *value = self.items_of(label).into_iter().map(pair).collect();
    }

    fn priority(&mut self, value: &mut RequirementPriority) {
        if let Some((priority, spelling)) = self.read(Label::Priority, priority) {
            self.spelling.get_or_insert(spelling);
            *value = priority;
        }
    }

    fn number(&mut self, label: Label, value: &mut Option<u32>) {
        *value = self.read(label, |word| word.parse().ok());
    }

    fn word<T: Copy + PartialEq + DeserializeOwned>(&mut self, label: Label, of: &Names<T>, value: &mut Option<T>) {
        *value = self.read(label, |words| word(of, words));
    }
}
