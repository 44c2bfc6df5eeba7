//! Requirements out of any document: what its sections of requirements and criteria say, each as a pending requirement.

use crate::model::{SectionRole, Span};
use crate::prd::requirements::RequirementsDocument;
use crate::prd::{FeatureId, Requirement, RequirementId, RequirementPriority, SourceQuote};
use crate::text::{BlockKind, Reading};

/// The maximum number of requirements to read.
const MOST: usize = 400;

/// The requirements of a document without requirement ids; each records its line.
pub fn requirements_of(text: &str, name: &str, reading: &Reading, feature: &FeatureId) -> RequirementsDocument {
    let title = reading.title.map(|span| span.slice(text)).unwrap_or_default();
    let mut found: Vec<Requirement> = Vec::new();
    for (block, section) in reading.blocks.iter().zip(&reading.section_of) {
        let role = reading.sections[*section].role;
        let words = block.text.slice(text).trim();
        let is_statement =
            matches!(block.kind, BlockKind::ListItem | BlockKind::Paragraph | BlockKind::TableRow { header: false });
        if !is_statement || words.is_empty() || found.len() >= MOST {
            continue;
        }
        match role {
            SectionRole::Requirements | SectionRole::NonFunctional | SectionRole::Demand | SectionRole::EdgeCases => {
                // Text indented below a requirement says how to check it.
                let is_below = block.kind == BlockKind::ListItem && block.depth > 0;
                match found.last_mut().filter(|_| is_below) {
                    Some(last) => last.acceptance_criteria.push(words.to_owned()),
                    None => found.push(requirement(text, name, block.text, found.len())),
                }
            }
            SectionRole::AcceptanceCriteria => match found.last_mut() {
                Some(last) => last.acceptance_criteria.push(words.to_owned()),
                // A ticket is one requirement: its title, its criteria.
                None => {
                    let mut whole = requirement(text, name, block.text, 0);
                    whole.title = title.to_owned();
                    whole.description = title.to_owned();
                    whole.acceptance_criteria.push(words.to_owned());
                    found.push(whole);
                }
            },
            _ => {}
        }
    }
    RequirementsDocument::new(feature, title, reading.language).with_proposals(&found).0
}

fn requirement(text: &str, name: &str, span: Span, index: usize) -> Requirement {
    let words = span.slice(text).trim();
    let line = text[..span.start].matches('\n').count() + 1;
    let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
    Requirement {
        id: RequirementId::functional(number),
        title: words.chars().take(60).collect(),
        description: words.to_owned(),
        priority: RequirementPriority::Medium,
        category: String::new(),
        acceptance_criteria: Vec::new(),
        sources: vec![SourceQuote {
            source: name.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            quote: words.to_owned(),
        }],
        aliases: Vec::new(),
        user_stories: Vec::new(),
    }
}
