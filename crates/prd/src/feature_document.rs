//! A document of a feature by any author: the workflow, a team of writers, another tool, a person. Gaps, plan, critique, trace and
//! export take this one type; only this module knows which layouts exist.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::critique::Document;
use crate::layouts::{AnyRequirements, ReadStory, Source, requirements_of};
use crate::prd_text::{in_standard_layout, without_brief};
use crate::requirements::{self, RequirementsDocument};
use crate::team::SectionId;
use crate::team::document::{Fault, ProductRequirementsDocument, UserStory, parse_anyway};
use crate::{FeatureId, Requirement, RequirementId};
use reqgate_docs::Outline;
use reqgate_text::language::language_of;

/// A document as it was read: one file, or the capabilities of a change of OpenSpec one after the other.
#[derive(Debug, Clone)]
pub struct FeatureDocument {
    name: String,
    text: String,
    /// The files that it consists of: the line on which each begins, from 1, and its name.
    files: Vec<(u32, String)>,
    /// Its requirements as a document of any layout has them.
    any: OnceCell<AnyRequirements>,
}

impl FeatureDocument {
    /// One file.
    pub fn new(name: String, text: String) -> Self {
        Self { files: vec![(1, name.clone())], name, text, any: OnceCell::new() }
    }

    /// Several files, each with its name, as one document.
    ///
    /// # Errors
    /// Fails with the name of a file whose end would swallow the files after it, and its fault.
    pub fn joined(name: String, files: Vec<(String, String)>) -> Result<Self, (String, requirements::Fault)> {
        let mut out = Self { name, text: String::new(), files: Vec::new(), any: OnceCell::new() };
        for (name, text) in files {
            let (_, faults) = requirements::parse_anyway(&text);
            if let Some(fault) = faults.into_iter().find(|fault| fault.kind.is_never_closed()) {
                return Err((name, fault));
            }
            let line = out.text.lines().count() + 1;
            out.files.push((u32::try_from(line).unwrap_or(u32::MAX), name));
            out.text.push_str(text.trim_start_matches('\u{feff}').trim_end());
            out.text.push_str("\n\n");
        }
        Ok(out)
    }

    /// The same document with another text, in which every line has its place, such as a masked one.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        let (name, files) = (self.name.clone(), self.files.clone());
        Self { name, text: text.to_owned(), files, any: OnceCell::new() }
    }

    /// Its name as it was typed, or that of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file in which a line of the text is, and its number there; both numbers from 1.
    pub fn place(&self, line: u32) -> (&str, u32) {
        let at = self.files.iter().rev().find(|(start, _)| *start <= line);
        at.map_or((&self.name, line), |(start, name)| (name, line - start + 1))
    }

    /// Its sections with their lists and tables, as critics see them.
    pub fn layout(&self) -> Document<'_> {
        Document::new(&self.name, &self.text).of_files(&self.files)
    }

    /// Its requirements and stories with the faults of their form; `None` if its form shows no requirement.
    pub fn requirements(&self) -> Option<(AnyRequirements, Vec<requirements::Fault>)> {
        let (document, faults) = requirements::parse_anyway(&self.text);
        let count = document.requirements().count();
        if count == 0 {
            let any = self.in_any_layout();
            return any.document.requirements().next().is_some().then(|| (any.clone(), Vec::new()));
        }
        if !document.has_blocks() {
            // Next to a table of requirements, a document may have more of them as single lines, or stories with titles.
            let any = self.in_any_layout();
            if any.document.requirements().count() > count || any.stories.iter().any(|story| !story.title.is_empty()) {
                return Some((any.clone(), Vec::new()));
            }
        }
        let document = self.with_quality_tables(document);
        let (twice, faults): (Vec<_>, Vec<_>) =
            faults.into_iter().partition(|fault| matches!(fault.kind, requirements::FaultKind::DuplicateId(_)));
        let duplicates = twice.iter().filter_map(|fault| match &fault.kind {
            requirements::FaultKind::DuplicateId(id) => Some((id.to_string(), fault.line)),
            _ => None,
        });
        let serve_stories = document.requirements().any(|one| !one.requirement.user_stories.is_empty());
        let stories = if serve_stories { self.in_any_layout().stories.clone() } else { Vec::new() };
        let stories = stories.into_iter().map(|story| ReadStory { requirement: None, ..story }).collect();
        Some((AnyRequirements { duplicates: duplicates.collect(), document, stories }, faults))
    }

    /// The document in the sections of a PRD, with the values in it that stay text because they cannot be read.
    ///
    /// # Errors
    /// Fails with everything that is wrong in it if a part of it would be lost.
    pub fn in_sections(&self) -> Result<(ProductRequirementsDocument, Vec<Fault>), Vec<Fault>> {
        let text = in_standard_layout(&self.text).map_or(Cow::Borrowed(self.text.as_str()), Cow::Owned);
        let (document, faults) = parse_anyway(&text);
        if faults.iter().any(|fault| fault.kind.loses_text()) { Err(faults) } else { Ok((document, faults)) }
    }

    /// The same with an entry for every requirement and story, also for those that the sections have in another layout.
    ///
    /// # Errors
    /// Fails with everything that is wrong in it if a part of it would be lost.
    pub fn in_entries(&self) -> Result<(ProductRequirementsDocument, Vec<Fault>), Vec<Fault>> {
        let (mut document, faults) = self.in_sections()?;
        let (no_functional, no_quality) =
            (document.functional_requirements.is_empty(), document.non_functional_requirements.is_empty());
        let read = self.requirements().filter(|_| no_functional || no_quality);
        if let Some((read, _)) = read {
            let is_story = |id: &RequirementId| read.stories.iter().any(|story| story.requirement.as_ref() == Some(id));
            let requirements = read.document.requirements().map(|one| &one.requirement);
            let (quality, functional): (Vec<_>, Vec<_>) =
                requirements.filter(|one| !is_story(&one.id)).partition(|one| one.id.is_quality());
            if no_quality {
                document.non_functional_requirements = quality.into_iter().map(|one| one.clone().into()).collect();
            }
            if no_functional {
                document.functional_requirements = functional.into_iter().map(|one| one.clone().into()).collect();
            }
            if no_functional && document.user_stories.is_empty() {
                document.user_stories = self.in_any_layout().stories.iter().zip(1..).map(as_story).collect();
            }
        }
        Ok((document, faults))
    }

    /// The requirements of a document in another layout than ours.
    fn in_any_layout(&self) -> &AnyRequirements {
        self.any.get_or_init(|| {
            let book = reqgate_rules::load(&reqgate_rules::shipped_files_for_judging());
            let book = book.expect("a test loads the shipped rules");
            let feature: FeatureId = "000-document".parse().expect("three digits and a slug");
            let matter = without_brief(&self.text).unwrap_or_else(|| self.text.clone());
            let source = Source { name: self.name.clone(), text: matter, asked: None };
            requirements_of(&book.reader, &source, &feature, language_of(&self.text))
        })
    }

    /// Requirements in our layout, and the rows of a section for qualities next to them, as in a PRD whose requirements are sections.
    fn with_quality_tables(&self, document: RequirementsDocument) -> RequirementsDocument {
        let outline = Outline::of(&self.text);
        let mut sections = outline.headings().iter().filter(|heading| heading.level == 2);
        if !sections.any(|heading| SectionId::named(heading.words) == Some(SectionId::NonFunctionalRequirements)) {
            return document;
        }
        let lines: Vec<&str> = self.text.lines().collect();
        let is_row = |line: u32| lines.get(line as usize - 1).is_some_and(|line| line.trim_start().starts_with('|'));
        let is_new = |one: &&Requirement| {
            one.id.is_quality()
                && document.requirement(&one.id).is_none()
                && one.sources.iter().any(|source| is_row(source.line))
        };
        let all = self.in_any_layout().document.requirements().map(|one| &one.requirement);
        let others: Vec<Requirement> = all.filter(is_new).cloned().collect();
        document.with_restored(&others)
    }
}

fn as_story((story, number): (&ReadStory, u32)) -> UserStory {
    UserStory {
        id: story.id.clone().unwrap_or_else(|| format!("US-{number:03}")),
        persona: story.user.clone(),
        story: story.words.clone(),
        acceptance_criteria: story.criteria.clone(),
        ..UserStory::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> FeatureDocument {
        FeatureDocument::new("prd.md".to_owned(), text.to_owned())
    }

    #[test]
    fn a_document_in_another_layout_is_read_and_keeps_its_words() {
        let read = document(
            "# PRD 0042 – Limits\n\n## Functional requirements\n\n### FR-1 Limits per key\n\nEach key has a limit.\n\n\
             ## Risks\n\n### R-1: Jobs break\n\n- Impact: huge\n",
        );
        let (sections, faults) = read.in_sections().expect("nothing is lost");
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [5, 13]);
        let written = sections.to_markdown();
        assert!(written.contains("\n### FR-1 Limits per key\n\nEach key has a limit.\n"), "{written}");
        assert!(sections.risks[0].description.contains("Impact: huge"), "{sections:?}");
        let (entries, _) = read.in_entries().expect("nothing is lost");
        assert_eq!(entries.functional_requirements[0].id.to_string(), "FR-001");
        let (found, _) = read.requirements().expect("it has a requirement");
        assert_eq!(found.document.requirements().count(), 1);
        assert_eq!(read.layout().language, reqgate_base::model::Language::En);
    }

    #[test]
    fn a_document_of_which_a_part_would_be_lost_is_refused_with_all_of_its_faults() {
        let read = document("# PRD: x\n\n## Risks\n\n### R-1: a\n\n- Impact: huge\n\n### R-1: b\n\n```\n");
        let faults = read.in_sections().expect_err("a risk would be lost");
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [7, 9, 11]);
    }

    #[test]
    fn files_are_joined_unless_one_would_swallow_the_next() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let joined =
            FeatureDocument::joined("specs".to_owned(), vec![file("a.md", "# A\n"), file("b.md", "# B\n\nb\n")]);
        let joined = joined.expect("both are closed");
        assert_eq!((joined.place(1), joined.place(5)), (("a.md", 1), ("b.md", 3)));
        let broken = FeatureDocument::joined("specs".to_owned(), vec![file("a.md", "```\n"), file("b.md", "# B\n")]);
        assert_eq!(broken.expect_err("it is never closed").0, "a.md");
    }
}
