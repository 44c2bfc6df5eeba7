//! Reads the `spec.md` of GitHub's spec-kit: requirements with ids in "Functional Requirements", and user stories
//! with their title, priority and acceptance scenarios. Edge cases and entities are explanations, not requirements.

use reqgate_docs::unescaped;
use std::sync::LazyLock;

use regex::Regex;

use super::ReadStory;
use super::sentences::{plain, sentence};
use super::titles::title;
use crate::requirements::ids;
use crate::{Requirement, RequirementId, RequirementPriority, SourceQuote};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, LineKind};
use reqgate_messages as messages;
use reqgate_text::content_words::{content_words, shared};

/// The content of a specification.
#[derive(Debug, Default)]
pub(super) struct Specification {
    /// The requirements without numbers, each with the id of the file as an alias.
    pub(super) requirements: Vec<Requirement>,
    /// The stories with their scenarios.
    pub(super) stories: Vec<ReadStory>,
    /// The ids that more than one requirement has, each with the line of the later one.
    pub(super) duplicates: Vec<(String, u32)>,
}

/// The part of a specification that the current line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Outside,
    /// The words of a story, up to its first label in bold.
    Story,
    /// Remarks on a story: the reason for its priority, and its test.
    Remark,
    Scenarios,
    Requirements,
}

/// The title of a specification without the standard prefix.
pub(super) fn bare_title(name: &str) -> &str {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(?:(?:feature specification|功能规格(?:说明)?|特性规格(?:说明)?)\s*[:：]\s*)+")
            .expect("a constant")
    });
    HEAD.find(name).map_or(name, |head| &name[head.end()..])
}

/// Reads a specification that follows the template of spec-kit; `None` for a text without user stories and a list of requirements.
pub(super) fn specification(name: &str, text: &str, language: Language) -> Option<Specification> {
    let mut reader = Reader::new(name, language);
    for (line, number) in lines::lines(text).0.iter().zip(1u32..) {
        if line.kind != LineKind::Text || line.text.trim().is_empty() {
            continue;
        }
        match lines::heading(line.text) {
            Some((_, heading)) => reader.heading(heading),
            None => reader.line(line.text, number),
        }
    }
    reader.finished()
}

/// Reads a specification line by line.
struct Reader<'a> {
    /// The name of the file.
    name: &'a str,
    language: Language,
    read: Specification,
    /// The priority of each story.
    priorities: Vec<RequirementPriority>,
    part: Part,
    has_list: bool,
    /// The indentation of the items of the current list, so that a nested item belongs to the item above.
    level: usize,
    /// The previous line is the title of a story.
    is_titled: bool,
}

impl<'a> Reader<'a> {
    fn new(name: &'a str, language: Language) -> Self {
        Self {
            name,
            language,
            read: Specification::default(),
            priorities: Vec::new(),
            part: Part::Outside,
            has_list: false,
            level: 0,
            is_titled: false,
        }
    }

    /// Begins the part below a heading.
    fn heading(&mut self, heading: &str) {
        static STORY: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(
                r"(?i)^(?:user story|用户故事)\s*(\d+)\s*[-–—:：]\s*(.+?)\s*(?:[(（](?:priority|优先级)\s*[:：]\s*(P\d)\s*[)）].*)?$",
            )
            .expect("a constant")
        });
        static REQUIREMENTS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(
                r"(?i)^(?:(?:non-)?functional requirements|quality requirements|(?:非)?功能(?:性)?需求|质量需求)\b",
            )
            .expect("a constant")
        });
        let story = STORY.captures(heading);
        self.is_titled = story.is_some();
        self.part = match story {
            Some(_) => Part::Story,
            None if REQUIREMENTS.is_match(heading) => Part::Requirements,
            None => Part::Outside,
        };
        self.has_list |= self.part == Part::Requirements;
        if let Some(story) = story {
            self.priorities.push(priority(story.get(3).map_or("", |stated| stated.as_str())));
            self.read.stories.push(ReadStory {
                id: Some(format!("US{}", &story[1])),
                title: plain(&story[2]),
                user: String::new(),
                words: plain(&story[2]),
                criteria: Vec::new(),
                requirement: None,
            });
        }
    }

    /// Adds a line to the current part.
    fn line(&mut self, line: &str, number: u32) {
        static SCENARIOS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?i)^\*\*(?:acceptance scenarios?|验收场景)\s*(?:\*\*\s*[:：]|[:：]\s*\*\*)")
                .expect("a constant")
        });
        let trimmed = line.trim();
        let item = lines::bullet(line).filter(|(indent, _)| *indent <= self.level + 1);
        match self.part {
            Part::Outside => {}
            Part::Story | Part::Remark | Part::Scenarios if line.starts_with("**") => {
                self.part = if SCENARIOS.is_match(trimmed) { Part::Scenarios } else { Part::Remark };
                self.level = 0;
            }
            Part::Story => self.words_of_story(trimmed),
            Part::Remark => {}
            Part::Scenarios => {
                if let Some(story) = self.read.stories.last_mut() {
                    add_line(&mut story.criteria, item.map(|(_, words)| words), trimmed, self.language);
                }
            }
            Part::Requirements => match item {
                Some((indent, words)) => self.item(indent, words, number),
                None => self.below_requirement(line),
            },
        }
    }

    fn words_of_story(&mut self, words: &str) {
        let Some(story) = self.read.stories.last_mut() else { return };
        let said = messages::Prd::of(self.language);
        let between = if self.is_titled { said.colon } else { said.gap };
        self.is_titled = false;
        story.words = format!("{}{between}{}", story.words, plain(words));
    }

    /// Adds an item of the list of requirements, if it has an id.
    fn item(&mut self, indent: usize, words: &str, number: u32) {
        let own = words.trim_start_matches(['*', '_', '`', '[', ' ']);
        let Some((id, rest)) = ids::leading(own) else { return };
        self.level = indent;
        if self.read.requirements.iter().any(|one| one.aliases.iter().any(|known| known == id)) {
            self.read.duplicates.push((id.to_owned(), number));
        }
        let rest = rest.trim_start_matches(['*', '_', '`', ']', ' ', ':', '：', '-', '–', '.']);
        let place = SourceQuote { source: self.name.to_owned(), line: number, quote: words.to_owned() };
        self.read.requirements.push(requirement(id, rest, place, self.language));
    }

    /// Adds a line below a requirement: an item is a criterion, and another line continues the description.
    fn below_requirement(&mut self, line: &str) {
        let Some(one) = self.read.requirements.last_mut() else { return };
        match lines::bullet(line) {
            Some((_, words)) => one.acceptance_criteria.push(plain(words)),
            None if one.acceptance_criteria.is_empty() => {
                one.description = format!("{} {}", one.description, plain(line.trim()));
            }
            None => {}
        }
    }

    /// The specification with the links between its requirements and its stories.
    fn finished(self) -> Option<Specification> {
        let Self { mut read, priorities, has_list, .. } = self;
        if !has_list || read.stories.is_empty() || read.requirements.is_empty() {
            return None;
        }
        for requirement in &mut read.requirements {
            requirement.title = title(&requirement.description);
            requirement.description = sentence(&requirement.description);
            let at = served(requirement, &read.stories);
            requirement.user_stories = read.stories[at].id.iter().cloned().collect();
            requirement.priority = priorities.get(at).copied().unwrap_or_default();
        }
        // A story without a requirement is assigned to the requirement that shares most words with it.
        for story in &read.stories {
            let id = story.id.clone().unwrap_or_default();
            if read.requirements.iter().all(|one| !one.user_stories.contains(&id)) {
                let best = read.requirements.iter_mut().rev().max_by_key(|one| common(one, story));
                best.into_iter().for_each(|one| one.user_stories.push(id.clone()));
            }
        }
        Some(read)
    }
}

/// The number of content words that a requirement and a story with its scenarios share.
fn common(requirement: &Requirement, story: &ReadStory) -> usize {
    let told = format!("{} {}", story.words, story.criteria.join(" "));
    shared(&content_words(&requirement.description), &content_words(&told))
}

/// The index of the story that a requirement belongs to: the one whose number it contains, otherwise the one that
/// shares most words with it. The template has no other link between them.
fn served(requirement: &Requirement, stories: &[ReadStory]) -> usize {
    let lower = requirement.description.to_lowercase();
    let names = |story: &ReadStory| {
        let number = story.id.as_deref().unwrap_or_default().trim_start_matches("US");
        let ends = |at: usize| !lower[at..].starts_with(|c: char| c.is_ascii_digit());
        ["us", "user story ", "用户故事 ", "用户故事"].iter().any(|word| {
            let named = format!("{word}{number}");
            lower.match_indices(&named).any(|(at, _)| ends(at + named.len()))
        })
    };
    if let Some(at) = stories.iter().position(names) {
        return at;
    }
    // Of equals, the first one.
    let best = stories.iter().enumerate().map(|(at, story)| (common(requirement, story), std::cmp::Reverse(at))).max();
    best.map_or(0, |(_, at)| at.0)
}

/// The priority on the scale of spec-kit, where P1 is the most critical.
fn priority(stated: &str) -> RequirementPriority {
    match stated.to_ascii_uppercase().as_str() {
        "P0" | "P1" => RequirementPriority::High,
        "P2" => RequirementPriority::Medium,
        "" => RequirementPriority::Unset,
        _ => RequirementPriority::Low,
    }
}

/// Adds an item to a list, or continues the last one.
fn add_line(list: &mut Vec<String>, item: Option<&str>, line: &str, language: Language) {
    match (item, list.last_mut()) {
        (Some(words), _) => list.push(plain(words)),
        (None, Some(last)) => {
            last.push_str(messages::Prd::of(language).gap);
            last.push_str(&plain(line.trim_start_matches(['-', '*', '+', ' '])));
        }
        (None, None) => {}
    }
}

fn requirement(id: &str, words: &str, place: SourceQuote, language: Language) -> Requirement {
    let is_quality = ["NFR", "QR", "NF"].iter().any(|letters| id.to_ascii_uppercase().starts_with(letters));
    let words = unescaped(&plain(words));
    let category =
        if is_quality { messages::Prd::of(language).quality } else { messages::Prd::of(language).functional };
    Requirement {
        category: category.to_owned(),
        sources: vec![place],
        aliases: vec![id.to_owned()],
        ..Requirement::new(
            if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
            String::new(),
            words,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "# Feature Specification: Snooze a conversation\n\n**Feature Branch**: `001-snooze`\n\n## User Scenarios & Testing \
        *(mandatory)*\n\n### User Story 1 - Snooze until a chosen time (Priority: P1)\n\nA support agent hides a conversation until a time.\n\n\
        **Why this priority**: 37 were forgotten.\n\n**Independent Test**: Snooze one.\n\n**Acceptance Scenarios**:\n\n\
        1. **Given** an open conversation, **When** the agent snoozes it, **Then** it is not in the open list.\n\
        2. **Given** a snoozed conversation, **When** the customer writes,\n   **Then** it is back at once.\n\n\
        ### User Story 2 - End the snooze of another agent (Priority: P2)\n\nA team lead ends it.\n\n**Acceptance Scenarios**:\n\n\
        1. **Given** a snooze, **When** a team lead ends it, **Then** it is in the open list.\n\n### Edge Cases\n\n\
        - What happens when the time is in the past? The snooze is refused.\n\n## Requirements *(mandatory)*\n\n### Functional Requirements\n\n\
        - **FR-001**: The system MUST let agents snooze\n  an open conversation.\n- **FR-002**: The system MUST bring it back.\n  - Within 5 minutes.\n\n\
        ### Key Entities\n\n- **Snooze**: conversation, agent.\n\n## Success Criteria\n\n- **SC-001**: Fewer than 5 a month.\n";

    #[test]
    fn requirements_are_those_with_ids_and_scenarios_belong_to_stories() {
        let read = specification("spec.md", SPEC, Language::En).expect("a specification");
        let [first, second] = read.requirements.as_slice() else { panic!("{read:#?}") };
        assert_eq!(first.description, "The system MUST let agents snooze an open conversation.");
        assert_eq!(
            (second.aliases.as_slice(), second.acceptance_criteria.as_slice()),
            (&["FR-002".to_owned()][..], &["Within 5 minutes.".to_owned()][..])
        );
        let [chosen, other] = read.stories.as_slice() else { panic!("{read:#?}") };
        assert_eq!((chosen.id.as_deref(), chosen.title.as_str()), (Some("US1"), "Snooze until a chosen time"));
        assert_eq!(
            (first.user_stories.as_slice(), first.priority),
            // No requirement names the second story, so it is assigned to the one that shares most words with it.
            (&["US1".to_owned(), "US2".to_owned()][..], RequirementPriority::High)
        );
        assert_eq!(chosen.words, "Snooze until a chosen time: A support agent hides a conversation until a time.");
        assert_eq!(
            chosen.criteria,
            [
                "Given an open conversation, When the agent snoozes it, Then it is not in the open list.",
                "Given a snoozed conversation, When the customer writes, Then it is back at once."
            ]
        );
        assert_eq!(
            (other.words.as_str(), other.criteria.len()),
            ("End the snooze of another agent: A team lead ends it.", 1)
        );
        for story in &read.stories {
            let is_served = |one: &Requirement| story.id.as_ref().is_some_and(|id| one.user_stories.contains(id));
            assert!(read.requirements.iter().any(is_served), "{story:?}");
        }
        assert!(specification("a.md", "# A\n\n## Requirements\n\n- **FR-001**: It prints.\n", Language::En).is_none());
    }

    #[test]
    fn a_chinese_specification_is_read_alike() {
        let text = "# 功能规格：暂缓会话\n\n### 用户故事 1 - 暂缓到指定时间（优先级：P1）\n\n客服把会话隐藏到某个时间。\n\n**验收场景**：\n\n\
            1. **假如** 会话已打开，**当** 客服暂缓它，**那么** 它不在列表中。\n\n### 边界情况\n\n- 时间已过怎么办？拒绝暂缓。\n\n## 需求\n\n### 功能需求\n\n\
            - **FR-001**：系统必须让客服暂缓会话。\n";
        let read = specification("spec.md", text, Language::Zh).expect("a specification");
        assert_eq!(read.requirements.len(), 1);
        assert_eq!(read.requirements[0].description, "系统必须让客服暂缓会话。");
        assert_eq!(read.stories[0].words, "暂缓到指定时间：客服把会话隐藏到某个时间。");
        assert_eq!(read.stories[0].criteria.len(), 1);
    }

    #[test]
    fn a_title_is_without_the_words_of_the_template() {
        for (name, bare) in [
            ("Feature Specification: Snooze", "Snooze"),
            ("Feature Specification: Feature specification: Snooze", "Snooze"),
            ("功能规格：暂缓会话", "暂缓会话"),
            ("Snooze: feature specification", "Snooze: feature specification"),
        ] {
            assert_eq!(bare_title(name), bare);
        }
    }
}
