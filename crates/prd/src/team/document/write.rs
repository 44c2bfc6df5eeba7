//! Writes a PRD as Markdown, in the language of the document.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::fields::{Fields, HasFields};
use super::normal;
use super::read::{Place, is_structure};
use super::words::{Kind, Label, Sub, without_backslash};
use super::{FurtherSection, ProductRequirementsDocument};
use crate::RequirementPriority;
use crate::names::Names;
use crate::requirements::{PrioritySpelling, priority_word, status_word};
use crate::team::sections::{SectionId, sections};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, LineKind};
use reqgate_docs::write::heading;

/// Renders the document as Markdown, without empty sections.
pub(super) fn render(document: &ProductRequirementsDocument) -> String {
    let document = document.normalised();
    let writer = Writer { language: document.metadata.language, spelling: document.metadata.priorities };
    let mut out = writer.head(&document);
    let mut others = document.other_sections.iter().peekable();
    let mut further = |out: &mut String, after: Option<SectionId>| {
        while let Some(section) = others.next_if(|section| section.after == after) {
            out.push_str(&further_section(section));
        }
    };
    further(&mut out, None);
    for section in sections() {
        let body = writer.section(&document, section.id);
        if !body.is_empty() {
            out.push_str(&format!("\n{}\n{body}", heading(2, section.name(writer.language))));
        }
        further(&mut out, Some(section.id));
    }
    out
}

fn further_section(section: &FurtherSection) -> String {
    let (heading, place) = match section.heading.as_str() {
        "" => (String::new(), Place::Head),
        words => (format!("\n{}\n", heading(2, &normal::escaped(words))), Place::Other),
    };
    heading + &prose(&section.text, place)
}

/// The text after an empty line; lines that would be read as structure get a backslash.
fn prose(text: &str, place: Place) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n");
    let (all, _) = lines::lines(text);
    for (line, number) in all.iter().zip(1..) {
        let body = line.text.trim_start();
        let white = &line.text[..line.text.len() - body.len()];
        let is_marked =
            line.kind == LineKind::Text && is_structure(&without_backslash(line.text), place, &all[number..]);
        let mark = if is_marked { "\\" } else { "" };
        out.push_str(&format!("{white}{mark}{body}\n"));
    }
    out
}

/// An entry while it is written.
struct Written {
    language: Language,
    spelling: PrioritySpelling,
    heading: String,
    text: String,
    fields: String,
}

impl Written {
    /// Writes a label and a value; a label without one is followed by items.
    fn label(&mut self, label: Label, value: &str) {
        let colon = self.language.of(":", "：");
        let gap = if value.is_empty() { "" } else { self.language.of(" ", "") };
        self.fields.push_str(&format!("- {}{colon}{gap}{value}\n", label.name(self.language)));
    }

    fn value(&mut self, label: Label, value: &str) {
        if !value.is_empty() {
            self.label(label, &normal::escaped(value));
        }
    }

    fn end(self) -> String {
        let gap = if self.fields.is_empty() { "" } else { "\n" };
        format!("\n{}\n{}{gap}{}", heading(3, &self.heading), self.text, self.fields)
    }
}

impl Fields for Written {
    fn line(&mut self, label: Label, value: &mut String) {
        self.value(label, value);
    }

    fn option(&mut self, label: Label, value: &mut Option<String>) {
        self.value(label, value.as_deref().unwrap_or_default());
    }

    fn items(&mut self, label: Label, value: &mut Vec<String>) {
        if !value.is_empty() {
            self.label(label, "");
            self.fields.extend(value.iter().map(|item| format!("  - {}\n", normal::escaped(item))));
        }
    }

    fn names(&mut self, label: Label, value: &mut Vec<String>) {
        self.value(label, &value.join(", "));
    }

    fn pairs(&mut self, label: Label, value: &mut BTreeMap<String, String>) {
        let colon = self.language.of(": ", "：");
        let pair = |(name, value): (&String, &String)| format!("{name}{colon}{value}").trim_end().to_owned();
        self.items(label, &mut value.iter().map(pair).collect());
    }

    fn priority(&mut self, value: &mut RequirementPriority) {
        self.value(Label::Priority, priority_word(*value, self.spelling, self.language));
    }

    fn number(&mut self, label: Label, value: &mut Option<u32>) {
        self.value(label, &value.map(|number| number.to_string()).unwrap_or_default());
    }

    fn word<T: Copy + PartialEq + DeserializeOwned>(&mut self, label: Label, of: &Names<T>, value: &mut Option<T>) {
        self.value(label, value.map_or("", |value| of.name(value, self.language)));
    }
}

struct Writer {
    language: Language,
    spelling: PrioritySpelling,
}

impl Writer {
    fn colon(&self) -> &'static str {
        self.language.of(": ", "：")
    }

    fn head(&self, document: &ProductRequirementsDocument) -> String {
        let metadata = &document.metadata;
        let front = match metadata.front_matter.as_str() {
            "" => String::new(),
            yaml => format!("---\n{yaml}\n---\n\n"),
        };
        let kind = self.language.of("PRD", "产品需求文档");
        let title = heading(1, &format!("{kind}{}{}", self.colon(), normal::escaped(&metadata.title)));
        let version = metadata.version.map(|version| version.to_string()).unwrap_or_default();
        let status = metadata.status.map_or("", |status| status_word(status, self.language));
        let mut values = self.written(String::new(), String::new());
        values.value(Label::Version, &version);
        values.value(Label::Status, status);
        values.value(Label::Author, &metadata.author);
        values.value(Label::Updated, &metadata.updated);
        let gap = if values.fields.is_empty() { "" } else { "\n" };
        format!("{front}{}\n{gap}{}", title.trim_end(), values.fields)
    }

    fn section(&self, document: &ProductRequirementsDocument, section: SectionId) -> String {
        let text = prose(document.text(section), Place::Section(section));
        let subs: String =
            Sub::ALL.iter().filter(|sub| sub.section() == section).map(|sub| self.sub(document, *sub)).collect();
        let entries = match section {
            SectionId::TargetUsers => {
                self.entries(Kind::Persona, &document.target_users, |one| (String::new(), &one.name, ""))
            }
            SectionId::UserStories => {
                self.entries(Kind::Story, &document.user_stories, |one| (one.id.clone(), &one.title, &one.story))
            }
            SectionId::FunctionalRequirements => {
                self.entries(Kind::Functional, &document.functional_requirements, |one| {
                    (one.id.to_string(), &one.title, &one.description)
                })
            }
            SectionId::NonFunctionalRequirements => {
                self.entries(Kind::Quality, &document.non_functional_requirements, |one| {
                    (one.id.to_string(), &one.title, &one.description)
                })
            }
            SectionId::SuccessMetrics => self
                .entries(Kind::Metric, &document.success_metrics, |one| (String::new(), &one.name, &one.description)),
            SectionId::DependenciesRisks => {
                self.entries(Kind::Risk, &document.risks, |one| (one.id.clone(), &one.description, ""))
            }
            SectionId::Timeline => {
                self.entries(Kind::Milestone, &document.timeline, |one| (String::new(), &one.name, ""))
            }
            _ => String::new(),
        };
        text + &subs + &entries
    }

    fn sub(&self, document: &ProductRequirementsDocument, sub: Sub) -> String {
        let list =
            |items: &Vec<String>| items.iter().map(|item| format!("- {}\n", normal::escaped(item))).collect::<String>();
        let place = Place::Section(sub.section());
        let body = match sub {
            Sub::Market => prose(&document.market_opportunity, place),
            Sub::Competition => prose(&document.competitive_landscape, place),
            _ => document.list(sub).map(list).unwrap_or_default(),
        };
        let gap = if sub.is_list() { "\n" } else { "" };
        if body.is_empty() { body } else { format!("\n{}\n{gap}{body}", heading(3, sub.heading(self.language))) }
    }

    /// Entries with their ids, titles and texts. The heading of one begins with its id, or with the word for its kind.
    fn entries<E: HasFields + Clone>(
        &self,
        kind: Kind,
        entries: &[E],
        head: impl Fn(&E) -> (String, &str, &str),
    ) -> String {
        let write = |entry: &E| {
            let (id, title, text) = head(entry);
            let before = if id.is_empty() { kind.prefix(self.language) } else { &id };
            let colon = if id.is_empty() || !title.is_empty() { self.colon() } else { "" };
            let heading = format!("{before}{colon}{}", normal::escaped(title)).trim_end().to_owned();
            let mut written = self.written(heading, prose(text, Place::Entry(kind)));
            entry.clone().fields(&mut written);
            written.end()
        };
        entries.iter().map(write).collect()
    }

    fn written(&self, heading: String, text: String) -> Written {
        Written { language: self.language, spelling: self.spelling, heading, text, fields: String::new() }
    }
}
