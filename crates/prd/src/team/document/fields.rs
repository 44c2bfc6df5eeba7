//! The values of each kind of entry, listed once: they are read, written and brought into their normal form along this list.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::parts::{
    FunctionalRequirement, Milestone, NonFunctionalRequirement, Risk, SuccessMetric, UserPersona, UserStory,
};
use super::words::{LEVELS, Label as L, METRICS, QUALITIES, RISKS};
use crate::RequirementPriority;
use crate::names::Names;

/// A pass over the values of an entry, in the order in which they are written.
pub(super) trait Fields {
    /// Words of the heading.
    fn heading(&mut self, _value: &mut String) {}
    /// The text below the heading.
    fn prose(&mut self, _value: &mut String) {}
    /// A value on the line of its label.
    fn line(&mut self, label: L, value: &mut String);
    /// A value on the line of its label that may be absent.
    fn option(&mut self, label: L, value: &mut Option<String>);
    /// Items below a label.
    fn items(&mut self, label: L, value: &mut Vec<String>);
    /// Ids on the line of a label.
    fn names(&mut self, label: L, value: &mut Vec<String>);
    /// Names with their values, as items below a label.
    fn pairs(&mut self, label: L, value: &mut BTreeMap<String, String>);
    /// The priority.
    fn priority(&mut self, value: &mut RequirementPriority);
    /// A number.
    fn number(&mut self, label: L, value: &mut Option<u32>);
    /// A word of a closed set.
    fn word<T: Copy + PartialEq + DeserializeOwned>(&mut self, label: L, of: &Names<T>, value: &mut Option<T>);
}

/// An entry of a PRD.
pub(super) trait HasFields {
    /// Passes over the values.
    fn fields(&mut self, pass: &mut impl Fields);
}

impl HasFields for UserPersona {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.name);
        pass.line(L::Role, &mut self.role);
        pass.pairs(L::Demographics, &mut self.demographics);
        pass.items(L::Goals, &mut self.goals);
        pass.items(L::PainPoints, &mut self.pain_points);
        pass.items(L::UseCases, &mut self.use_cases);
        pass.option(L::Quote, &mut self.quote);
    }
}

impl HasFields for UserStory {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.id);
        pass.heading(&mut self.title);
        pass.prose(&mut self.story);
        pass.line(L::Persona, &mut self.persona);
        pass.priority(&mut self.priority);
        pass.number(L::Points, &mut self.effort_points);
        pass.items(L::Criteria, &mut self.acceptance_criteria);
    }
}

impl HasFields for FunctionalRequirement {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.title);
        pass.prose(&mut self.description);
        pass.priority(&mut self.priority);
        pass.line(L::Category, &mut self.category);
        pass.names(L::Stories, &mut self.user_story_ids);
        pass.names(L::DependsOn, &mut self.dependencies);
        pass.line(L::Effort, &mut self.effort_estimate);
        pass.items(L::Criteria, &mut self.acceptance_criteria);
    }
}

impl HasFields for NonFunctionalRequirement {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.title);
        pass.prose(&mut self.description);
        pass.priority(&mut self.priority);
        pass.word(L::Category, &QUALITIES, &mut self.category);
        pass.line(L::Measurement, &mut self.measurement_criteria);
        pass.line(L::Target, &mut self.target_value);
    }
}

impl HasFields for SuccessMetric {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.name);
        pass.prose(&mut self.description);
        pass.word(L::Category, &METRICS, &mut self.category);
        pass.line(L::Measurement, &mut self.measurement_method);
        pass.option(L::Baseline, &mut self.current_baseline);
        pass.line(L::Target, &mut self.target_value);
        pass.line(L::Timeframe, &mut self.target_timeframe);
        pass.line(L::Frequency, &mut self.tracking_frequency);
    }
}

impl HasFields for Risk {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.id);
        pass.heading(&mut self.description);
        pass.word(L::Category, &RISKS, &mut self.category);
        pass.word(L::Probability, &LEVELS, &mut self.probability);
        pass.word(L::Impact, &LEVELS, &mut self.impact);
        pass.line(L::Owner, &mut self.owner);
        pass.line(L::Mitigation, &mut self.mitigation_strategy);
        pass.option(L::Contingency, &mut self.contingency_plan);
    }
}

impl HasFields for Milestone {
    fn fields(&mut self, pass: &mut impl Fields) {
        pass.heading(&mut self.name);
        pass.line(L::Date, &mut self.date);
        pass.items(L::Deliverables, &mut self.deliverables);
        pass.items(L::SuccessCriteria, &mut self.success_criteria);
        pass.items(L::Dependencies, &mut self.dependencies);
        pass.items(L::Risks, &mut self.risks);
    }
}
