//! The normal form of a PRD, in which values can be written and read again, and the problems of a document that came as data.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::fields::{Fields, HasFields};
use super::words::{Label, Sub, is_entry_id};
use super::{FurtherSection, ProductRequirementsDocument};
use crate::names::Names;
use crate::requirements::PrioritySpelling;
use crate::requirements::ids;
use crate::team::sections::{SectionId, sections};
use crate::{RequirementId, RequirementPriority};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, NeverClosed};
use reqgate_docs::values::{self, on_one_line};

/// A problem of a document that came as data, because of which it could not be written as Markdown and read again.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DocumentProblem {
    /// The document has no title.
    #[error("the document has no title")]
    NoTitle,
    /// Two entries have the same id.
    #[error("{0} is the id of two entries: give one of them another id")]
    DuplicateId(String),
    /// A functional requirement has the id of a quality requirement, or the reverse.
    #[error("{0} stands among the wrong requirements: FR- ids are functional, NFR- ids are not")]
    WrongList(RequirementId),
    /// A text is not an id for a story or risk.
    #[error("`{id}` is not an id for a {kind}: write {example}")]
    Id {
        /// The kind of entry: `story` or `risk`.
        kind: &'static str,
        /// The id as written.
        id: String,
        /// An example of a valid id.
        example: &'static str,
    },
    /// A further section has the name of a standard one, or no name.
    #[error("“{0}” cannot be the heading of a further section: its text belongs to the standard section")]
    SectionName(String),
}

impl DocumentProblem {
    /// Describes the problem in a language, on one line.
    pub fn in_words(&self, language: Language) -> String {
        if language == Language::En {
            return clean::one_line(&self.to_string()).into_owned();
        }
        let text = match self {
            Self::NoTitle => "文档没有标题".to_owned(),
            Self::DuplicateId(id) => format!("{id} 是两个条目的编号：请为其中一个换编号"),
            Self::WrongList(id) => format!("{id} 放错了列表：FR- 是功能需求，NFR- 是非功能需求"),
            Self::Id { id, example, .. } => format!("“{id}”不是有效编号：请写 {example}"),
            Self::SectionName(name) => format!("“{name}”不能作为其他章节的标题：其内容属于标准章节"),
        };
        clean::one_line(&text).into_owned()
    }
}

/// Markdown without carriage returns, blanks at the ends of lines and empty lines around; code and comments are closed.
pub(super) fn prose(words: &str) -> String {
    let unix = words.replace('\u{feff}', "").replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = unix.split('\n').map(str::trim_end).collect();
    let mut text = lines.join("\n").trim_matches('\n').to_owned();
    // Closing a fence cannot open a comment, and closing a comment cannot open a fence, so once is enough.
    match lines::lines(&text).1 {
        Some(NeverClosed::Fence(line)) => {
            let opening = text.lines().nth(line as usize - 1).and_then(lines::fence);
            if let Some((mark, length, _)) = opening {
                text.push('\n');
                text.extend(std::iter::repeat_n(mark, length));
            }
        }
        Some(NeverClosed::Comment(_)) => text.push_str("\n-->"),
        None => {}
    }
    text
}

/// Escapes text on a separate line, so that no comment can begin in it; [`unescaped`] reverses this.
pub(super) fn escaped(words: &str) -> String {
    words.replace("<!--", "\\<!--")
}

/// The text that was passed to [`escaped`].
pub(super) fn unescaped(words: &str) -> String {
    words.replace("\\<!--", "<!--")
}

fn flat(words: &mut String) {
    *words = on_one_line(words);
}

fn flat_list(items: &mut Vec<String>) {
    *items = values::items(items.iter());
}

fn flat_prose(words: &mut String) {
    *words = prose(words);
}

/// Brings the values of an entry into their normal form.
struct Normal;

impl Fields for Normal {
    fn heading(&mut self, value: &mut String) {
        flat(value);
    }

    fn prose(&mut self, value: &mut String) {
        flat_prose(value);
    }

    fn line(&mut self, _label: Label, value: &mut String) {
        flat(value);
    }

    fn option(&mut self, _label: Label, value: &mut Option<String>) {
        *value = value.as_deref().map(on_one_line).filter(|words| !words.is_empty());
    }

    fn items(&mut self, _label: Label, value: &mut Vec<String>) {
        flat_list(value);
    }

    fn names(&mut self, _label: Label, value: &mut Vec<String>) {
        *value = value.iter().flat_map(|words| values::names(&on_one_line(words))).collect();
    }

    fn pairs(&mut self, _label: Label, value: &mut BTreeMap<String, String>) {
        // A colon in a name would be read as the end of it, and a tick box as the state of the item.
        let key = |name: &str| lines::without_tick_box(&on_one_line(&name.replace([':', '：'], " "))).to_owned();
        let pairs = value.iter().map(|(name, value)| (key(name), on_one_line(value)));
        *value = pairs.filter(|(name, _)| !name.is_empty()).collect();
    }

    fn priority(&mut self, _value: &mut RequirementPriority) {}

    fn number(&mut self, _label: Label, _value: &mut Option<u32>) {}

    fn word<T: Copy + PartialEq + DeserializeOwned>(&mut self, _label: Label, _of: &Names<T>, _value: &mut Option<T>) {}
}

impl ProductRequirementsDocument {
    /// Returns the document in the form in which it is read back: values on one line, texts without white space
    /// around them, further sections in the order of the text.
    #[must_use]
    pub(crate) fn normalised(&self) -> Self {
        let mut document = self.clone();
        document.normalise_head();
        let texts = [
            &mut document.executive_summary,
            &mut document.problem_statement,
            &mut document.market_opportunity,
            &mut document.competitive_landscape,
        ];
        texts.into_iter().for_each(flat_prose);
        document.section_texts.remove(&SectionId::ExecutiveSummary);
        document.section_texts.remove(&SectionId::ProblemStatement);
        document.section_texts.values_mut().for_each(flat_prose);
        document.section_texts.retain(|_, text| !text.is_empty());
        for sub in Sub::ALL {
            document.list_mut(sub).into_iter().for_each(flat_list);
        }
        document.normalise_entries();
        document.normalise_others();
        document
    }

    fn normalise_head(&mut self) {
        let metadata = &mut self.metadata;
        for words in [&mut metadata.title, &mut metadata.author, &mut metadata.updated] {
            flat(words);
        }
        let front = prose(&metadata.front_matter);
        metadata.front_matter = if front.lines().any(|line| line == "---") { String::new() } else { front };
        let has_priorities = !(self.user_stories.is_empty()
            && self.functional_requirements.is_empty()
            && self.non_functional_requirements.is_empty());
        if !has_priorities {
            self.metadata.priorities = PrioritySpelling::Moscow;
        }
    }

    fn normalise_entries(&mut self) {
        self.target_users.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.user_stories.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.functional_requirements.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.non_functional_requirements.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.success_metrics.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.risks.iter_mut().for_each(|one| one.fields(&mut Normal));
        self.timeline.iter_mut().for_each(|one| one.fields(&mut Normal));
    }

    /// Moves the further sections after existing standard ones, and the text before all sections to the start.
    fn normalise_others(&mut self) {
        let written: Vec<SectionId> = sections().iter().map(|section| section.id).filter(|id| self.has(*id)).collect();
        let mut leading = String::new();
        let mut others = Vec::new();
        for section in std::mem::take(&mut self.other_sections) {
            let (heading, text) = (on_one_line(&section.heading), prose(&section.text));
            if heading.is_empty() {
                leading = format!("{leading}\n\n{text}").trim_matches('\n').to_owned();
                continue;
            }
            let last = section.after.and_then(|after| written.iter().copied().filter(|id| *id <= after).max());
            others.push(FurtherSection { after: last, heading, text });
        }
        others.sort_by_key(|section| section.after);
        if !leading.is_empty() {
            others.insert(0, FurtherSection { after: None, heading: String::new(), text: leading });
        }
        self.other_sections = others;
    }

    /// Returns true if a standard section has content.
    pub(crate) fn has(&self, section: SectionId) -> bool {
        let has_entries = match section {
            SectionId::ProblemStatement => {
                !self.market_opportunity.is_empty() || !self.competitive_landscape.is_empty()
            }
            SectionId::TargetUsers => !self.target_users.is_empty(),
            SectionId::UserStories => !self.user_stories.is_empty(),
            SectionId::FunctionalRequirements => !self.functional_requirements.is_empty(),
            SectionId::NonFunctionalRequirements => !self.non_functional_requirements.is_empty(),
            SectionId::SuccessMetrics => !self.success_metrics.is_empty(),
            SectionId::DependenciesRisks => !self.risks.is_empty(),
            SectionId::Timeline => !self.timeline.is_empty(),
            _ => false,
        };
        let mut subs = Sub::ALL.into_iter().filter(|sub| sub.section() == section);
        let has_items = subs.any(|sub| self.list(sub).is_some_and(|items| !items.is_empty()));
        has_entries || has_items || !self.text(section).is_empty()
    }

    /// Returns the problems of a document that came as data, because of which it cannot be written as Markdown; empty
    /// for one that was parsed without faults.
    pub fn problems(&self) -> Vec<DocumentProblem> {
        let mut out = Vec::new();
        if self.metadata.title.trim().is_empty() {
            out.push(DocumentProblem::NoTitle);
        }
        let functional = self.functional_requirements.iter().map(|one| &one.id).filter(|id| id.is_quality());
        let quality = self.non_functional_requirements.iter().map(|one| &one.id).filter(|id| !id.is_quality());
        out.extend(functional.chain(quality).map(|id| DocumentProblem::WrongList(id.clone())));
        let is_id = |id: &str, letters| {
            ids::leading(id).is_some_and(|(found, rest)| found == id && rest.is_empty() && is_entry_id(id, letters))
        };
        let stories = self.user_stories.iter().map(|one| (&one.id, "story", "US", "US-001"));
        let risks = self.risks.iter().map(|one| (&one.id, "risk", "R", "R-001"));
        for (id, kind, letters, example) in stories.chain(risks) {
            if !is_id(id, letters) {
                out.push(DocumentProblem::Id { kind, id: id.clone(), example });
            }
        }
        let requirements = self.functional_requirements.iter().map(|one| one.id.to_string());
        let quality = self.non_functional_requirements.iter().map(|one| one.id.to_string());
        let others =
            self.user_stories.iter().map(|one| one.id.clone()).chain(self.risks.iter().map(|one| one.id.clone()));
        let mut seen = BTreeSet::new();
        for id in requirements.chain(quality).chain(others) {
            if !seen.insert(id.clone()) {
                out.push(DocumentProblem::DuplicateId(id));
            }
        }
        for section in self.other_sections.iter().filter(|section| !section.heading.is_empty()) {
            if SectionId::named(&section.heading).is_some() || Sub::named_as_section(&section.heading).is_some() {
                out.push(DocumentProblem::SectionName(section.heading.clone()));
            }
        }
        out
    }
}
