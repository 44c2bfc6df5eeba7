//! Writes a PRD as Markdown, in the language of the document.

use super::normal;
use super::parts::{
    FunctionalRequirement, Milestone, NonFunctionalRequirement, Risk, SuccessMetric, UserPersona, UserStory,
};
use super::read::{Place, is_structure};
use super::words::{Kind, Label, Sub, Worded, without_backslash};
use super::{FurtherSection, ProductRequirementsDocument};
use crate::RequirementPriority;
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

struct Entry {
    language: Language,
    heading: String,
    text: String,
    fields: String,
}

impl Entry {
    fn label(&mut self, label: Label, value: &str) {
        let colon = self.language.of(":", "：");
        let gap = if value.is_empty() { "" } else { self.language.of(" ", "") };
        self.fields.push_str(&format!("- {}{colon}{gap}{value}\n", label.name(self.language)));
    }

    fn line(mut self, label: Label, value: &str) -> Self {
        if !value.is_empty() {
            self.label(label, &normal::escaped(value));
        }
        self
    }

    fn word<T: Worded>(self, label: Label, value: Option<T>) -> Self {
        let word = value.map_or("", |value| value.word(self.language));
        self.line(label, word)
    }

    fn names(self, label: Label, names: &[String]) -> Self {
        self.line(label, &names.join(", "))
    }

    fn items(mut self, label: Label, items: &[String]) -> Self {
        if !items.is_empty() {
            self.label(label, "");
            self.fields.extend(items.iter().map(|item| format!("  - {}\n", normal::escaped(item))));
        }
        self
    }

    fn end(self) -> String {
        let gap = if self.fields.is_empty() { "" } else { "\n" };
        format!("\n{}\n{}{gap}{}", heading(3, &self.heading), self.text, self.fields)
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
        let values =
            Entry { language: self.language, heading: String::new(), text: String::new(), fields: String::new() }
                .line(Label::Version, &version)
                .line(Label::Status, status)
                .line(Label::Author, &metadata.author)
                .line(Label::Updated, &metadata.updated);
        let gap = if values.fields.is_empty() { "" } else { "\n" };
        format!("{front}{}\n{gap}{}", title.trim_end(), values.fields)
    }

    fn section(&self, document: &ProductRequirementsDocument, section: SectionId) -> String {
        let text = prose(document.text(section), Place::Section(section));
        let subs: String =
            Sub::ALL.iter().filter(|sub| sub.section() == section).map(|sub| self.sub(document, *sub)).collect();
        let entries: String = match section {
            SectionId::TargetUsers => document.target_users.iter().map(|one| self.persona(one)).collect(),
            SectionId::UserStories => document.user_stories.iter().map(|one| self.story(one)).collect(),
            SectionId::FunctionalRequirements => {
                document.functional_requirements.iter().map(|one| self.functional(one)).collect()
            }
            SectionId::NonFunctionalRequirements => {
                document.non_functional_requirements.iter().map(|one| self.quality(one)).collect()
            }
            SectionId::SuccessMetrics => document.success_metrics.iter().map(|one| self.metric(one)).collect(),
            SectionId::DependenciesRisks => document.risks.iter().map(|one| self.risk(one)).collect(),
            SectionId::Timeline => document.timeline.iter().map(|one| self.milestone(one)).collect(),
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

    /// An entry whose heading begins with its id, or with the word for its kind.
    fn entry(&self, kind: Kind, id: &str, title: &str, text: &str) -> Entry {
        let before = if id.is_empty() { kind.prefix(self.language) } else { id };
        let needs_colon = id.is_empty() || !title.is_empty();
        let colon = if needs_colon { self.colon() } else { "" };
        let heading = format!("{before}{colon}{}", normal::escaped(title)).trim_end().to_owned();
        Entry { language: self.language, heading, text: prose(text, Place::Entry(kind)), fields: String::new() }
    }

    fn priority(&self, priority: RequirementPriority) -> &'static str {
        priority_word(priority, self.spelling, self.language)
    }

    fn persona(&self, persona: &UserPersona) -> String {
        let pair = |(name, value): (&String, &String)| format!("{name}{}{value}", self.colon()).trim_end().to_owned();
        let demographics: Vec<String> = persona.demographics.iter().map(pair).collect();
        self.entry(Kind::Persona, "", &persona.name, "")
            .line(Label::Role, &persona.role)
            .items(Label::Demographics, &demographics)
            .items(Label::Goals, &persona.goals)
            .items(Label::PainPoints, &persona.pain_points)
            .items(Label::UseCases, &persona.use_cases)
            .line(Label::Quote, persona.quote.as_deref().unwrap_or_default())
            .end()
    }

    fn story(&self, story: &UserStory) -> String {
        let points = story.effort_points.map(|points| points.to_string()).unwrap_or_default();
        self.entry(Kind::Story, &story.id, &story.title, &story.story)
            .line(Label::Persona, &story.persona)
            .line(Label::Priority, self.priority(story.priority))
            .line(Label::Points, &points)
            .items(Label::Criteria, &story.acceptance_criteria)
            .end()
    }

    fn functional(&self, requirement: &FunctionalRequirement) -> String {
        self.entry(Kind::Functional, &requirement.id.to_string(), &requirement.title, &requirement.description)
            .line(Label::Priority, self.priority(requirement.priority))
            .line(Label::Category, &requirement.category)
            .names(Label::Stories, &requirement.user_story_ids)
            .names(Label::DependsOn, &requirement.dependencies)
            .line(Label::Effort, &requirement.effort_estimate)
            .items(Label::Criteria, &requirement.acceptance_criteria)
            .end()
    }

    fn quality(&self, requirement: &NonFunctionalRequirement) -> String {
        self.entry(Kind::Quality, &requirement.id.to_string(), &requirement.title, &requirement.description)
            .line(Label::Priority, self.priority(requirement.priority))
            .word(Label::Category, requirement.category)
            .line(Label::Measurement, &requirement.measurement_criteria)
            .line(Label::Target, &requirement.target_value)
            .end()
    }

    fn metric(&self, metric: &SuccessMetric) -> String {
        self.entry(Kind::Metric, "", &metric.name, &metric.description)
            .word(Label::Category, metric.category)
            .line(Label::Measurement, &metric.measurement_method)
            .line(Label::Baseline, metric.current_baseline.as_deref().unwrap_or_default())
            .line(Label::Target, &metric.target_value)
            .line(Label::Timeframe, &metric.target_timeframe)
            .line(Label::Frequency, &metric.tracking_frequency)
            .end()
    }

    fn risk(&self, risk: &Risk) -> String {
        self.entry(Kind::Risk, &risk.id, &risk.description, "")
            .word(Label::Category, risk.category)
            .word(Label::Probability, risk.probability)
            .word(Label::Impact, risk.impact)
            .line(Label::Owner, &risk.owner)
            .line(Label::Mitigation, &risk.mitigation_strategy)
            .line(Label::Contingency, risk.contingency_plan.as_deref().unwrap_or_default())
            .end()
    }

    fn milestone(&self, milestone: &Milestone) -> String {
        self.entry(Kind::Milestone, "", &milestone.name, "")
            .line(Label::Date, &milestone.date)
            .items(Label::Deliverables, &milestone.deliverables)
            .items(Label::SuccessCriteria, &milestone.success_criteria)
            .items(Label::Dependencies, &milestone.dependencies)
            .items(Label::Risks, &milestone.risks)
            .end()
    }
}
