//! Converts the labelled values of an entry.

use super::faults::{Fault, FaultKind, number_fault, word_fault};
use super::normal;
use super::parts::{
    FunctionalRequirement, Milestone, NonFunctionalRequirement, Risk, SuccessMetric, UserPersona, UserStory,
};
use super::words::{Label, Shape, Worded};
use crate::requirements::{PrioritySpelling, priority};
use crate::{RequirementId, RequirementPriority};
use reqgate_base::model::Language;

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
    pub fields: &'r [Field],
    pub language: Language,
    pub faults: &'r mut Vec<Fault>,
    pub spelling: &'r mut Option<PrioritySpelling>,
}

impl Values<'_> {
    fn items(&self, label: Label) -> Vec<String> {
        let fields = self.fields.iter().filter(|field| field.label == label);
        let items = fields.flat_map(|field| field.items.iter().cloned());
        match label.shape() {
            Shape::Ids => items.flat_map(|items| normal::names(&items)).collect(),
            Shape::Line | Shape::Items => items.collect(),
        }
    }

    fn text(&self, label: Label) -> String {
        self.items(label).join("; ")
    }

    fn option(&self, label: Label) -> Option<String> {
        Some(self.text(label)).filter(|text| !text.is_empty())
    }

    fn line(&self, label: Label) -> u32 {
        self.fields.iter().find(|field| field.label == label).map_or(1, |field| field.line)
    }

    fn fault(&mut self, label: Label, kind: FaultKind) {
        let line = self.line(label);
        self.faults.push(Fault { line, kind });
    }

    fn word<T: Worded>(&mut self, label: Label) -> Option<T> {
        let word = self.option(label)?;
        let read = T::read(&word);
        if read.is_none() {
            self.fault(label, word_fault(label, &word, T::choices(self.language), self.language));
        }
        read
    }

    fn priority(&mut self) -> RequirementPriority {
        let Some(word) = self.option(Label::Priority) else { return RequirementPriority::default() };
        if let Some((priority, spelling)) = priority(&word) {
            self.spelling.get_or_insert(spelling);
            return priority;
        }
        let choices = self.language.of(
            "must, should, could or won't; high, medium, low or wont; P0 to P3",
            "必须、应该、可以、这次不做，或高、中、低、不做，或 P0 至 P3",
        );
        self.fault(Label::Priority, word_fault(Label::Priority, &word, choices.to_owned(), self.language));
        RequirementPriority::default()
    }

    fn points(&mut self) -> Option<u32> {
        let word = self.option(Label::Points)?;
        let number = word.parse().ok();
        if number.is_none() {
            self.fault(Label::Points, number_fault(Label::Points, &word, self.language));
        }
        number
    }

    pub(super) fn persona(&self, name: String) -> UserPersona {
        let pair = |words: String| {
            let (name, value) = words.split_once([':', '：']).unwrap_or((&words, ""));
            (name.trim().to_owned(), value.trim().to_owned())
        };
        UserPersona {
            name,
            role: self.text(Label::Role),
            demographics: self.items(Label::Demographics).into_iter().map(pair).collect(),
            goals: self.items(Label::Goals),
            pain_points: self.items(Label::PainPoints),
            use_cases: self.items(Label::UseCases),
            quote: self.option(Label::Quote),
        }
    }

    pub(super) fn story(&mut self, id: String, title: String, story: String) -> UserStory {
        UserStory {
            id,
            title,
            persona: self.text(Label::Persona),
            story,
            acceptance_criteria: self.items(Label::Criteria),
            priority: self.priority(),
            effort_points: self.points(),
        }
    }

    pub(super) fn functional(
        &mut self,
        id: RequirementId,
        title: String,
        description: String,
    ) -> FunctionalRequirement {
        FunctionalRequirement {
            id,
            category: self.text(Label::Category),
            title,
            description,
            user_story_ids: self.items(Label::Stories),
            acceptance_criteria: self.items(Label::Criteria),
            priority: self.priority(),
            dependencies: self.items(Label::DependsOn),
            effort_estimate: self.text(Label::Effort),
        }
    }

    pub(super) fn quality(
        &mut self,
        id: RequirementId,
        title: String,
        description: String,
    ) -> NonFunctionalRequirement {
        NonFunctionalRequirement {
            id,
            category: self.word(Label::Category),
            title,
            description,
            measurement_criteria: self.text(Label::Measurement),
            target_value: self.text(Label::Target),
            priority: self.priority(),
        }
    }

    pub(super) fn metric(&mut self, name: String, description: String) -> SuccessMetric {
        SuccessMetric {
            name,
            category: self.word(Label::Category),
            description,
            measurement_method: self.text(Label::Measurement),
            current_baseline: self.option(Label::Baseline),
            target_value: self.text(Label::Target),
            target_timeframe: self.text(Label::Timeframe),
            tracking_frequency: self.text(Label::Frequency),
        }
    }

    pub(super) fn risk(&mut self, id: String, description: String) -> Risk {
        Risk {
            id,
            category: self.word(Label::Category),
            description,
            probability: self.word(Label::Probability),
            impact: self.word(Label::Impact),
            mitigation_strategy: self.text(Label::Mitigation),
            owner: self.text(Label::Owner),
            contingency_plan: self.option(Label::Contingency),
        }
    }

    pub(super) fn milestone(&self, name: String) -> Milestone {
        Milestone {
            name,
            date: self.text(Label::Date),
            deliverables: self.items(Label::Deliverables),
            success_criteria: self.items(Label::SuccessCriteria),
            dependencies: self.items(Label::Dependencies),
            risks: self.items(Label::Risks),
        }
    }
}
