//! Converts the labelled values of an entry.

use super::faults::{Fault, FaultKind, number_fault, word_fault};
use super::parts::{
    FunctionalRequirement, Milestone, NonFunctionalRequirement, Risk, SuccessMetric, UserPersona, UserStory,
};
use super::parts::{MetricCategory, QualityCategory, RiskCategory, RiskLevel};
use super::words::{Kind, Label, Shape, Worded};
use crate::requirements::{PrioritySpelling, priority};
use crate::{RequirementId, RequirementPriority};
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
    fn word<T: Worded>(label: Label, value: &str, language: Language) -> Option<FaultKind> {
        T::read(value).is_none().then(|| word_fault(label, value, T::choices(language), language))
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
        (Kind::Quality, Label::Category) => word::<QualityCategory>(label, value, language),
        (Kind::Metric, Label::Category) => word::<MetricCategory>(label, value, language),
        (Kind::Risk, Label::Category) => word::<RiskCategory>(label, value, language),
        (_, Label::Probability | Label::Impact) => word::<RiskLevel>(label, value, language),
        _ => None,
    }
}

impl Values<'_> {
    fn items(&self, label: Label) -> Vec<String> {
        let fields = self.fields.iter().filter(|field| field.label == label);
        let items = fields.flat_map(|field| field.items.iter().cloned());
        match label.shape() {
            Shape::Ids => items.flat_map(|items| names(&items)).collect(),
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

    /// The value of a label as it is read; one that cannot be read is reported.
    fn read<T>(&mut self, label: Label, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let word = self.option(label)?;
        let value = read(&word);
        if value.is_none()
            && let Some(kind) = fault_of(self.kind, label, &word, self.language)
        {
            self.fault(label, kind);
        }
        value
    }

    fn word<T: Worded>(&mut self, label: Label) -> Option<T> {
        self.read(label, T::read)
    }

    fn priority(&mut self) -> RequirementPriority {
        let Some((priority, spelling)) = self.read(Label::Priority, priority) else {
            return RequirementPriority::default();
        };
        self.spelling.get_or_insert(spelling);
        priority
    }

    fn points(&mut self) -> Option<u32> {
        self.read(Label::Points, |word| word.parse().ok())
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
