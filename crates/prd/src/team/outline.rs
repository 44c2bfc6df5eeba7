//! The outline of a PRD: its sections with their questions, the research, and the criteria for success.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::sections::{ResearchArea, SectionId, same_section, sections};
use crate::{RequirementPriority, Statement};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_docs::escaped;
use reqgate_messages as messages;

/// One planned section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdSection {
    /// Its heading; it is a standard section if it names one.
    pub name: String,
    /// Its purpose, in a sentence.
    pub description: String,
    /// The questions that it answers.
    pub key_questions: Vec<String>,
    /// True if facts have to be looked for.
    #[serde(default)]
    pub research_needed: bool,
    /// Its weight: high, medium or low.
    #[serde(default)]
    pub priority: RequirementPriority,
    /// The headings of the sections that have to be written first.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// The data that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<String>,
    /// The people who have to contribute, with their contributions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stakeholders: Vec<String>,
    /// Facts that are already given, with their sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Statement>,
}

/// A question for one researcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResearchQuery {
    /// The researcher.
    pub area: ResearchArea,
    /// The question, in the words of a search.
    pub query: String,
}

/// The outline of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdOutline {
    /// The name of the product or feature.
    pub product_name: String,
    /// The vision, in a sentence or two.
    pub vision_statement: String,
    /// The language of the document.
    pub language: Language,
    /// The sections, in their order.
    pub sections: Vec<PrdSection>,
    /// The questions for the researchers.
    #[serde(default)]
    pub research_queries: Vec<ResearchQuery>,
    /// When the document is good enough.
    #[serde(default)]
    pub success_criteria: Vec<String>,
    /// How long the document takes to write, in words; empty if nobody has said.
    #[serde(default)]
    pub estimated_completion_time: String,
}

/// A fault of an outline.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum OutlineFault {
    /// The product has no name.
    #[error("the product has no name: fill in `product_name`")]
    NoProduct,
    /// The vision is missing.
    #[error("there is no vision: fill in `vision_statement`")]
    NoVision,
    /// A mandatory section is missing, or will not be written.
    #[error("the section “{0}” is missing: every PRD needs it")]
    Missing(&'static str),
    /// A section has no name; sections are counted from 1.
    #[error("section {0} has no name")]
    Unnamed(usize),
    /// Two names refer to the same section.
    #[error("“{0}” and “{1}” are the same section: merge them")]
    Twice(String, String),
    /// A section without a question to answer.
    #[error("the section “{0}” has no key question: write at least one, or leave the section out")]
    NoQuestion(String),
    /// A priority that sections cannot have.
    #[error("the section “{0}” has the priority won't: write high, medium or low, or leave the section out")]
    Wont(String),
    /// A dependency on a section that does not exist.
    #[error("the section “{0}” depends on “{1}”, which is not in the outline")]
    UnknownDependency(String, String),
    /// Sections that depend on each other in a cycle.
    #[error("these sections wait for each other: {0}")]
    Cycle(String),
    /// A query without words; queries are counted from 1.
    #[error("research query {0} is empty")]
    EmptyQuery(usize),
}

impl PrdOutline {
    /// Creates the outline with the twelve standard sections and their questions, without facts about the product.
    pub fn standard(product_name: &str, vision_statement: &str, language: Language) -> Self {
        let planned = sections().iter().map(|section| PrdSection {
            name: section.name(language).to_owned(),
            description: section.purpose(language).to_owned(),
            key_questions: section.questions(language).to_vec(),
            research_needed: !section.research.is_empty(),
            priority: section.priority,
            dependencies: section.dependencies.iter().map(|other| other.name(language).to_owned()).collect(),
            data: section.data(language).to_vec(),
            stakeholders: section.stakeholders(language).to_vec(),
            facts: Vec::new(),
        });
        Self {
            product_name: product_name.to_owned(),
            vision_statement: vision_statement.to_owned(),
            language,
            sections: planned.collect(),
            research_queries: Vec::new(),
            success_criteria: Vec::new(),
            estimated_completion_time: String::new(),
        }
    }

    /// Returns true if a section needs research.
    pub(crate) fn wants_research(&self) -> bool {
        !self.research_queries.is_empty() || self.sections.iter().any(|section| section.research_needed)
    }

    /// Returns the planned section for a standard section, if the outline has one.
    pub(crate) fn section(&self, id: SectionId) -> Option<&PrdSection> {
        self.sections.iter().find(|section| SectionId::named(&section.name) == Some(id))
    }

    /// Returns all faults of the outline; empty for a valid one.
    pub(crate) fn faults(&self) -> Vec<OutlineFault> {
        let mut out = Vec::new();
        if self.product_name.trim().is_empty() {
            out.push(OutlineFault::NoProduct);
        }
        if self.vision_statement.trim().is_empty() {
            out.push(OutlineFault::NoVision);
        }
        let is_missing = |id| self.section(id).is_none();
        let missing = sections().iter().filter(|section| section.mandatory && is_missing(section.id));
        out.extend(missing.map(|section| OutlineFault::Missing(section.name(self.language))));
        for (index, section) in self.sections.iter().enumerate() {
            self.section_faults(index, section, &mut out);
        }
        out.extend(self.cycle().map(OutlineFault::Cycle));
        let empty = self.research_queries.iter().zip(1..).filter(|(query, _)| query.query.trim().is_empty());
        out.extend(empty.map(|(_, number)| OutlineFault::EmptyQuery(number)));
        out
    }

    fn section_faults(&self, index: usize, section: &PrdSection, out: &mut Vec<OutlineFault>) {
        let name = || section.name.clone();
        if section.name.trim().is_empty() {
            return out.push(OutlineFault::Unnamed(index + 1));
        }
        if let Some(same) = self.sections[..index].iter().find(|other| same_section(&other.name, &section.name)) {
            out.push(OutlineFault::Twice(same.name.clone(), name()));
        }
        if section.key_questions.iter().all(|question| question.trim().is_empty()) {
            out.push(OutlineFault::NoQuestion(name()));
        }
        if section.priority == RequirementPriority::Wont {
            out.push(OutlineFault::Wont(name()));
        }
        let unknown = section.dependencies.iter().filter(|other| self.position(other).is_none());
        out.extend(unknown.map(|other| OutlineFault::UnknownDependency(name(), other.clone())));
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|section| same_section(&section.name, name))
    }

    /// The first cycle of dependencies, as a path that ends where it begins.
    fn cycle(&self) -> Option<String> {
        // 0: not visited, 1: on the path, 2: done.
        let mut seen = vec![0_u8; self.sections.len()];
        for start in 0..self.sections.len() {
            // A section and the number of its dependencies that were visited; without recursion, so that any depth works.
            let mut path = vec![(start, 0)];
            while let Some((at, followed)) = path.last_mut() {
                let at = *at;
                seen[at] = seen[at].max(1);
                let next = self.sections[at].dependencies.get(*followed);
                *followed += 1;
                let Some(next) = next else {
                    seen[at] = 2;
                    path.pop();
                    continue;
                };
                let Some(next) = self.position(next) else { continue };
                if seen[next] == 0 {
                    path.push((next, 0));
                } else if seen[next] == 1 {
                    let from = path.iter().position(|(at, _)| *at == next).unwrap_or_default();
                    let around = path[from..].iter().map(|(at, _)| *at).chain([next]);
                    let names: Vec<&str> = around.map(|at| self.sections[at].name.as_str()).collect();
                    return Some(names.join(" → "));
                }
            }
        }
        None
    }

    /// Renders the outline as Markdown for approval. All content is escaped: no tag, link or mention.
    pub fn to_markdown(&self) -> String {
        let said = messages::Prd::of(self.language);
        let words = |text: &str| escaped(&clean::words(text));
        let colon = said.colon;
        let mut out = format!("# {}{colon}{}\n", said.outline, words(&self.product_name));
        paragraph(&mut out, &words(&self.vision_statement));
        if !self.estimated_completion_time.trim().is_empty() {
            let time = words(&self.estimated_completion_time);
            paragraph(&mut out, &format!("{}{colon}{time}", said.time_to_write));
        }
        let criteria = self.success_criteria.iter().map(|text| words(text)).collect();
        list(&mut out, &format!("## {}", said.success_criteria), criteria);
        for (section, number) in self.sections.iter().zip(1..) {
            let _ = write!(out, "\n## {number}. {}\n", words(&section.name));
            paragraph(&mut out, &words(&section.description));
            let mut notes =
                vec![format!("{}{colon}{}", said.priority, said.section_priorities[section.priority as usize])];
            if section.research_needed {
                notes.push(said.needs_research.to_owned());
            }
            if SectionId::named(&section.name).is_some_and(|id| id.section().evidence) {
                notes.push(said.figures_need_source.to_owned());
            }
            if !section.dependencies.is_empty() {
                let names: Vec<String> = section.dependencies.iter().map(|name| words(name)).collect();
                notes.push(format!("{}{colon}{}", said.write_after, names.join(said.list_comma)));
            }
            paragraph(&mut out, &notes.join(said.semicolon));
            let questions = section.key_questions.iter().map(|text| words(text)).collect();
            list(&mut out, said.questions_to_answer, questions);
            let of = |all: &[String]| all.iter().map(|text| words(text)).collect();
            list(&mut out, said.data_needed, of(&section.data));
            list(&mut out, said.stakeholders_needed, of(&section.stakeholders));
            let facts = section.facts.iter().map(|fact| match &fact.source {
                Some(source) => format!("{} ({}:{})", words(&fact.text), words(&source.source), source.line),
                None => words(&fact.text),
            });
            list(&mut out, said.already_known, facts.collect());
        }
        let queries = self
            .research_queries
            .iter()
            .map(|query| format!("{}{colon}{}", query.area.words(self.language), words(&query.query)));
        list(&mut out, &format!("## {}", said.research), queries.collect());
        out
    }
}

fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str(&format!("\n{text}\n"));
    }
}

/// Adds a list below its heading or label, unless it is empty.
fn list(out: &mut String, heading: &str, items: Vec<String>) {
    if !items.is_empty() {
        let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
        out.push_str(&format!("\n{heading}\n\n{items}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceQuote;

    fn planned(name: &str, dependencies: &[&str]) -> PrdSection {
        PrdSection {
            name: name.to_owned(),
            description: String::new(),
            key_questions: vec!["Why?".to_owned()],
            research_needed: false,
            priority: RequirementPriority::High,
            dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
            data: Vec::new(),
            stakeholders: Vec::new(),
            facts: Vec::new(),
        }
    }

    #[test]
    fn the_standard_outline_is_valid_in_both_languages() {
        for language in [Language::En, Language::Zh] {
            let outline = PrdOutline::standard("Order export", "Agents answer in two minutes.", language);
            assert_eq!(outline.faults(), []);
            assert_eq!(outline.sections.len(), 12);
        }
    }

    /// The planner's longer names, numbers and Chinese names satisfy the validator.
    #[test]
    fn mandatory_sections_are_found_by_a_normalised_prefix() {
        let mut outline = PrdOutline::standard("X", "Y", Language::En);
        outline.sections = ["1. Executive Summary", "Problem Statement & Opportunity", "Requirements"]
            .map(|name| planned(name, &[]))
            .to_vec();
        assert_eq!(outline.faults(), []);
        outline.sections = ["一、执行摘要", "问题陈述", "功能需求"].map(|name| planned(name, &[])).to_vec();
        assert_eq!(outline.faults(), []);
        outline.sections.truncate(1);
        let expected = [
            OutlineFault::Missing("Problem Statement & Opportunity"),
            OutlineFault::Missing("Functional Requirements"),
        ];
        assert_eq!(outline.faults(), expected);
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let mut outline = PrdOutline::standard(" ", "", Language::Zh);
        outline.sections = vec![
            planned("Executive Summary", &["Rollout"]),
            planned("执行摘要", &[]),
            planned("Problem", &["Requirements", "Nowhere"]),
            PrdSection { key_questions: vec![String::new()], ..planned("Requirements", &["Timeline"]) },
            PrdSection { priority: RequirementPriority::Wont, ..planned("Timeline", &["问题陈述"]) },
            planned("Rollout", &[]),
            planned("", &[]),
        ];
        outline.research_queries = vec![ResearchQuery { area: ResearchArea::Market, query: " ".to_owned() }];
        let told: Vec<String> = outline.faults().iter().map(OutlineFault::to_string).collect();
        let expected = [
            "the product has no name: fill in `product_name`",
            "there is no vision: fill in `vision_statement`",
            "“Executive Summary” and “执行摘要” are the same section: merge them",
            "the section “Problem” depends on “Nowhere”, which is not in the outline",
            "the section “Requirements” has no key question: write at least one, or leave the section out",
            "the section “Timeline” has the priority won't: write high, medium or low, or leave the section out",
            "section 7 has no name",
            "these sections wait for each other: Problem → Requirements → Timeline → Problem",
            "research query 1 is empty",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn json_has_the_names_and_spellings_of_the_source() {
        let json = r#"{"product_name":"X","vision_statement":"V","language":"en","sections":[{"name":"Executive Summary",
            "description":"d","key_questions":["q"],"priority":"high"}],"research_queries":[{"area":"users","query":"q"}]}"#;
        let outline: PrdOutline = serde_json::from_str(json).expect("an outline");
        assert!(!outline.sections[0].research_needed);
        assert_eq!(outline.sections[0].priority, RequirementPriority::High);
    }

    #[test]
    fn a_person_reads_the_outline_as_markdown() {
        let mut outline = PrdOutline::standard("订单导出", "客服两分钟内答复。", Language::Zh);
        outline.sections.truncate(2);
        outline.sections[1].facts.push(Statement::new(
            "每次需 20 分钟 <img src=x onerror=alert(1)>",
            Some(SourceQuote { source: "ticket.md".to_owned(), line: 3, quote: "20 分钟".to_owned() }),
        ));
        outline
            .research_queries
            .push(ResearchQuery { area: ResearchArea::Competitors, query: "订单 导出 竞品".to_owned() });
        insta::assert_snapshot!("outline_zh", outline.to_markdown());
    }
}
