//! Random documents of every structure, with text that would be structure in another place.

use proptest::prelude::*;

use super::super::*;
use crate::{RequirementId, RequirementPriority};

/// Text that would be structure in another place.
fn line() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "Owner",
        ": ",
        "：",
        "- ",
        "# ",
        "## Timeline",
        "### R-001: x",
        "### FR-002",
        "### Integration Requirements",
        "#### Edge Cases",
        "#### Details",
        "Priority: must",
        "[ ] ",
        "<!-- ",
        "-->",
        "\\",
        "```",
        "**",
        "目标",
        "角色：甲",
        " ",
        "a",
        "b, c",
        "—",
        "|",
        "<cite:src-1>",
        "1. ",
        "Metric: x",
        "\u{feff}",
    ]);
    prop_oneof![
        3 => "[a-zA-Z0-9 .,%]{0,20}",
        1 => prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,12}",
    ]
}

pub(super) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..5).prop_map(|lines| lines.join("\n"))
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(line(), 0..3)
}

fn priority() -> impl Strategy<Value = RequirementPriority> {
    use RequirementPriority as P;
    prop::sample::select(vec![P::High, P::Medium, P::Low, P::Wont])
}

fn persona() -> impl Strategy<Value = UserPersona> {
    let pairs = prop::collection::btree_map(line(), line(), 0..3);
    (line(), line(), pairs, lines(), lines(), lines(), prop::option::of(line())).prop_map(
        |(name, role, demographics, goals, pain_points, use_cases, quote)| UserPersona {
            name,
            role,
            demographics,
            goals,
            pain_points,
            use_cases,
            quote,
        },
    )
}

fn story() -> impl Strategy<Value = UserStory> {
    (line(), line(), text(), lines(), priority(), prop::option::of(0_u32..100)).prop_map(
        |(title, persona, story, acceptance_criteria, priority, effort_points)| UserStory {
            id: String::new(),
            title,
            persona,
            story,
            acceptance_criteria,
            priority,
            effort_points,
        },
    )
}

fn functional() -> impl Strategy<Value = FunctionalRequirement> {
    (line(), line(), text(), lines(), lines(), priority(), lines(), line()).prop_map(
        |(
            category,
            title,
            description,
            user_story_ids,
            acceptance_criteria,
            priority,
            dependencies,
            effort_estimate,
        )| {
            FunctionalRequirement {
                id: RequirementId::functional(1),
                category,
                title,
                description,
                user_story_ids,
                acceptance_criteria,
                priority,
                dependencies,
                effort_estimate,
            }
        },
    )
}

fn quality() -> impl Strategy<Value = NonFunctionalRequirement> {
    let category =
        prop::option::of(prop::sample::select(vec![QualityCategory::Performance, QualityCategory::Compliance]));
    (category, line(), text(), line(), line(), priority()).prop_map(
        |(category, title, description, measurement_criteria, target_value, priority)| NonFunctionalRequirement {
            id: RequirementId::quality(1),
            category,
            title,
            description,
            measurement_criteria,
            target_value,
            priority,
        },
    )
}

fn metric() -> impl Strategy<Value = SuccessMetric> {
    let category = prop::option::of(prop::sample::select(vec![MetricCategory::User, MetricCategory::Operational]));
    (line(), category, text(), line(), prop::option::of(line()), line(), line(), line()).prop_map(
        |(name, category, description, measurement_method, current_baseline, target_value, timeframe, frequency)| {
            SuccessMetric {
                name,
                category,
                description,
                measurement_method,
                current_baseline,
                target_value,
                target_timeframe: timeframe,
                tracking_frequency: frequency,
            }
        },
    )
}

fn risk() -> impl Strategy<Value = Risk> {
    let level = || prop::option::of(prop::sample::select(vec![RiskLevel::Low, RiskLevel::Medium, RiskLevel::High]));
    (line(), level(), level(), line(), line(), prop::option::of(line())).prop_map(
        |(description, probability, impact, mitigation_strategy, owner, contingency_plan)| Risk {
            id: String::new(),
            category: Some(RiskCategory::Security),
            description,
            probability,
            impact,
            mitigation_strategy,
            owner,
            contingency_plan,
        },
    )
}

fn milestone() -> impl Strategy<Value = Milestone> {
    (line(), line(), lines(), lines(), lines(), lines()).prop_map(
        |(name, date, deliverables, success_criteria, dependencies, risks)| Milestone {
            name,
            date,
            deliverables,
            success_criteria,
            dependencies,
            risks,
        },
    )
}

fn metadata() -> impl Strategy<Value = PrdMetadata> {
    let language = prop::sample::select(vec![Language::En, Language::Zh]);
    use PrioritySpelling as S;
    let spelling = prop::sample::select(vec![S::Words, S::Moscow, S::Numbers]);
    let status = prop::option::of(prop::sample::select(vec![DocumentStatus::Draft, DocumentStatus::InReview]));
    (line(), language, prop::option::of(1_u32..50), status, line(), line(), text(), spelling).prop_map(
        |(title, language, version, status, author, updated, front_matter, priorities)| PrdMetadata {
            title,
            language,
            version,
            status,
            author,
            updated,
            front_matter,
            priorities,
        },
    )
}

pub(super) fn document() -> impl Strategy<Value = ProductRequirementsDocument> {
    let few = || 0..3;
    let texts = [text().boxed(), text().boxed(), text().boxed(), text().boxed()];
    let others = (
        prop::option::of(prop::sample::select(vec![SectionId::Timeline, SectionId::UserStories])),
        "[a-c]{0,3}",
        text(),
    );
    let others = others.prop_map(|(after, name, text)| {
        let heading = if name.is_empty() { name } else { format!("Appendix {name}") };
        FurtherSection { after, heading, text }
    });
    let section = prop::sample::select(vec![
        SectionId::TargetUsers,
        SectionId::GoToMarket,
        SectionId::SuccessMetrics,
        SectionId::Timeline,
    ]);
    let prose = (
        texts,
        std::array::from_fn::<_, 7, _>(|_| lines().boxed()),
        prop::collection::btree_map(section, text(), few()),
    );
    let users = (prop::collection::vec(persona(), few()), prop::collection::vec(story(), few()));
    let requirements = (prop::collection::vec(functional(), few()), prop::collection::vec(quality(), few()));
    let rest = (
        prop::collection::vec(metric(), few()),
        prop::collection::vec(risk(), few()),
        prop::collection::vec(milestone(), few()),
        prop::collection::vec(others, few()),
    );
    (metadata(), prose, users, requirements, rest).prop_map(
        |(metadata, (texts, lists, section_texts), (target_users, user_stories), (functional, quality), rest)| {
            let [executive_summary, problem_statement, market_opportunity, competitive_landscape] = texts;
            let [dependencies, assumptions, open_questions, journeys, edge_cases, interface, integration] = lists;
            let (success_metrics, risks, timeline, other_sections) = rest;
            let mut document = ProductRequirementsDocument {
                metadata,
                executive_summary,
                problem_statement,
                market_opportunity,
                competitive_landscape,
                target_users,
                user_journeys: journeys,
                user_stories,
                edge_cases,
                functional_requirements: functional,
                interface_requirements: interface,
                integration_requirements: integration,
                non_functional_requirements: quality,
                success_metrics,
                risks,
                timeline,
                dependencies,
                assumptions,
                open_questions,
                section_texts,
                other_sections,
            };
            number(&mut document);
            document
        },
    )
}

/// Gives every entry a unique id.
fn number(document: &mut ProductRequirementsDocument) {
    for (one, number) in document.user_stories.iter_mut().zip(1..) {
        one.id = format!("US-{number:03}");
    }
    for (one, number) in document.functional_requirements.iter_mut().zip(1..) {
        one.id = RequirementId::functional(number);
    }
    for (one, number) in document.non_functional_requirements.iter_mut().zip(1..) {
        one.id = RequirementId::quality(number);
    }
    for (one, number) in document.risks.iter_mut().zip(1..) {
        one.id = format!("R-{number:03}");
    }
}
