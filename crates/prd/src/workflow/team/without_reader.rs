//! The standard outline of a team without a reader, and a draft with the labelled content of the sources and blanks for the rest.

use crate::team::document::{FunctionalRequirement, Risk, SuccessMetric, UserPersona};
use crate::team::sections::{SectionId, sections};
use crate::team::{PrdOutline, ProductRequirementsDocument};
use crate::{FeatureBrief, Requirement, RequirementId, RequirementPriority, Statement};
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// A blank for a person to fill in.
const BLANK: &str = "[…]";

/// The standard outline, with labelled content of the sources as facts of its sections.
pub(in crate::workflow) fn outline(brief: &FeatureBrief, vision: &str) -> PrdOutline {
    let vision = if vision.trim().is_empty() { BLANK } else { vision.trim() };
    let mut outline = PrdOutline::standard(&brief.title, vision, brief.language);
    let facts = [
        (SectionId::ProblemStatement, &brief.problem),
        (SectionId::TargetUsers, &brief.users),
        (SectionId::UserStories, &brief.flows),
        (SectionId::SuccessMetrics, &brief.success_measures),
        (SectionId::DependenciesRisks, &brief.constraints),
    ];
    for (id, statements) in facts {
        let section = outline.sections.iter_mut().find(|section| SectionId::named(&section.name) == Some(id));
        if let Some(section) = section {
            section.facts = statements.iter().filter(|statement| statement.source.is_some()).cloned().collect();
        }
    }
    outline
}

/// A draft for a person to complete: labelled content is in its section, and the questions of each section are blanks.
pub(in crate::workflow) fn draft(brief: &FeatureBrief, requirements: &[Requirement]) -> ProductRequirementsDocument {
    let language = brief.language;
    let mut document = ProductRequirementsDocument::new(&brief.title, language);
    let texts = |statements: &[Statement]| {
        statements.iter().map(|statement| format!("- {}", statement.text)).collect::<Vec<_>>().join("\n")
    };
    document.problem_statement = texts(&brief.problem);
    document.executive_summary = texts(&brief.goals);
    document.target_users =
        brief.users.iter().map(|user| UserPersona { name: user.text.clone(), ..UserPersona::default() }).collect();
    document.functional_requirements = requirements
        .iter()
        .filter(|one| !one.id.is_quality())
        .map(|one| FunctionalRequirement {
            acceptance_criteria: one.acceptance_criteria.clone(),
            priority: one.priority,
            ..FunctionalRequirement::new(one.id.clone(), one.title.clone(), one.description.clone())
        })
        .collect();
    document.success_metrics = brief
        .success_measures
        .iter()
        .map(|measure| SuccessMetric { name: measure.text.clone(), ..SuccessMetric::default() })
        .collect();
    document.dependencies = brief.constraints.iter().map(|one| one.text.clone()).collect();
    document.open_questions = brief.open_questions.iter().map(|one| one.question.clone()).collect();
    for section in sections() {
        if !document.has(section.id) {
            let asked = section.questions(language).iter().map(|question| blank(question, language));
            document.fill(section.id, &asked.collect::<Vec<_>>().join("\n"));
        }
    }
    with_blank_entries(document, language)
}

/// The document with a blank entry for each part that every draft needs and the sources do not label.
fn with_blank_entries(mut document: ProductRequirementsDocument, language: Language) -> ProductRequirementsDocument {
    let blank = || BLANK.to_owned();
    if document.functional_requirements.is_empty() {
        let requirement = FunctionalRequirement::new(RequirementId::functional(1), blank(), blank());
        document.functional_requirements.push(requirement);
    }
    for one in document.functional_requirements.iter_mut().filter(|one| one.acceptance_criteria.is_empty()) {
        one.acceptance_criteria.push(blank());
    }
    if document.functional_requirements.iter().any(|one| one.priority == RequirementPriority::Unset) {
        document.open_questions.push(messages::Prd::of(language).which_priorities.to_owned());
    }
    if document.success_metrics.is_empty() {
        document.success_metrics.push(SuccessMetric { name: blank(), ..SuccessMetric::default() });
    }
    if document.risks.is_empty() {
        document.risks.push(Risk { id: "R-001".to_owned(), description: blank(), ..Risk::default() });
    }
    document
}

fn blank(question: &str, language: Language) -> String {
    format!("- {question}{}{BLANK}", messages::Prd::of(language).gap)
}
