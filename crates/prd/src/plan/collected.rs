//! Builds stories without a reader: one for each requirement, with only the content of the requirement.

use reqgate_docs::write::one_line;
use std::sync::LazyLock;

use regex::Regex;
use thiserror::Error;

use super::approved::{Approved, NotApproved};
use super::by_story::by_user_story;
use super::order::{OrderError, Task, ordered};
use super::story::{Story, StoryStatus, StoryWords, WrittenStories};
use crate::Requirement;
use crate::layouts::ReadStory;
use crate::team::document::measured_target;
use reqgate_base::model::{Language, Span};
use reqgate_messages as messages;
use reqgate_text::story_parts::story_parts;
use reqgate_text::words::Words;
use reqgate_text::words::dependencies::{BEFORE_AN_ID, BEHIND_AN_ID, BETWEEN_IDS, DENIED_BEFORE};
use reqgate_text::words::stories::{STORY_ROLES, WISHES};

/// The reason why requirements cannot be put into an order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotPlannable {
    /// A requirement depends on one that is not to be built.
    #[error("{from} depends on {on}, which {}", .why.words())]
    Lost {
        /// The id of the dependent requirement, as written.
        from: String,
        /// The id of the requirement that it depends on.
        on: String,
        /// The reason why that requirement is not to be built.
        why: NotApproved,
    },
    /// The requirements depend on each other in a cycle.
    #[error(transparent)]
    Order(#[from] OrderError),
}

/// The most characters before an id that are searched for a dependency; a line may be a megabyte long.
const LONGEST_CUE: usize = 100;

/// Builds one story for each approved requirement. `feature` names the project in their ids, usually the slug of the
/// feature. A requirement that belongs to one of the given user stories gets the words of that story; if the user
/// stories have titles, they are the stories of the plan.
///
/// # Errors
/// Fails with every dependency on a requirement that is not to be built, or with the cycle that requirements form.
pub fn collected(
    approved: Approved<'_>,
    feature: &str,
    told: &[ReadStory],
) -> Result<WrittenStories, Vec<NotPlannable>> {
    let mut lost = Vec::new();
    let mut stories = Vec::new();
    let mut named: Vec<(String, Vec<String>)> = Vec::new();
    for requirement in approved.requirements() {
        let mut dependencies: Vec<&Requirement> = Vec::new();
        for on in named_first(&approved.lines_of(requirement)) {
            match approved.find(&on) {
                Ok(other) if other.id == requirement.id => {}
                Ok(other) if dependencies.contains(&other) => {}
                Ok(other) => dependencies.push(other),
                // An id in another format is a foreign ticket, not a requirement of this document.
                Err(NotApproved::Unknown) if !is_alike(&on, approved) => {}
                Err(why) => lost.push(NotPlannable::Lost { from: written_id(requirement), on, why }),
            }
        }
        let ids = dependencies.iter().map(|one| written_id(one)).collect::<Vec<_>>();
        named.push((written_id(requirement), ids));
        let dependencies = dependencies.iter().map(|one| story_id(one, feature)).collect();
        stories.push((requirement, story(requirement, feature, dependencies, told, approved.language())));
    }
    if !lost.is_empty() {
        return Err(lost);
    }
    // The error shows a cycle with the ids that the authors know.
    ordered(&tasks(&named)).map_err(|cycle| vec![cycle.into()])?;
    // User stories that depend on each other in a cycle are not used.
    let told = by_user_story(&stories, told, &letters(feature), approved.language()).filter(|stories| {
        let named: Vec<_> = stories.iter().map(|one| (one.story_id.clone(), one.dependencies.clone())).collect();
        ordered(&tasks(&named)).is_ok()
    });
    let stories = told.unwrap_or_else(|| stories.into_iter().map(|(_, story)| story).collect());
    Ok(WrittenStories { stories, ..WrittenStories::default() })
}

fn tasks(named: &[(String, Vec<String>)]) -> Vec<Task<'_>> {
    let task = |(id, before)| Task { id, weight: 1, dependencies: before };
    let borrowed = named.iter().map(|(id, before)| (id.as_str(), before.iter().map(String::as_str).collect()));
    borrowed.map(task).collect()
}

/// The criteria of a requirement; a quality requirement without any has its measure with its target.
fn criteria(requirement: &Requirement) -> Vec<String> {
    let own = requirement.acceptance_criteria.clone();
    if own.is_empty() && requirement.id.is_quality() {
        return measured_target(&requirement.description).into_iter().collect();
    }
    own
}

fn story(
    requirement: &Requirement,
    feature: &str,
    dependencies: Vec<String>,
    told: &[ReadStory],
    language: Language,
) -> Story {
    let area = requirement.category.trim();
    let epic = match requirement.id.is_quality() {
        true => messages::Plan::of(language).quality,
        false => messages::Plan::of(language).functional,
    };
    let own_words = story_words(&requirement.description);
    // The developer needs the text of a requirement that is not itself a story.
    let description = Some(requirement.description.clone()).filter(|words| own_words.is_none() && !words.is_empty());
    let served = |story: &&ReadStory| story.id.as_ref().is_some_and(|id| requirement.user_stories.contains(id));
    let user_story = own_words.or_else(|| told.iter().filter(served).find_map(|story| story_words(&story.words)));
    Story {
        story_id: story_id(requirement, feature),
        epic_id: if area.is_empty() { epic.to_owned() } else { area.to_owned() },
        title: requirement.title.clone(),
        status: StoryStatus::Pending,
        dependencies,
        requirements: vec![written_id(requirement)],
        user_story,
        implementation_notes: description,
        acceptance_criteria: criteria(requirement),
        ..Story::default()
    }
}

/// The id of a story: `exp-func-003` for FR-003 of the feature `export-orders`.
fn story_id(requirement: &Requirement, feature: &str) -> String {
    let epic = if requirement.id.is_quality() { "nfr" } else { "func" };
    format!("{}-{epic}-{:03}", letters(feature), requirement.id.number())
}

/// The three letters with which the ids of a feature's stories begin.
fn letters(feature: &str) -> String {
    let letters = feature.chars().filter(char::is_ascii_lowercase).chain("xxx".chars());
    if feature.contains(|c: char| c.is_ascii_lowercase()) { letters.take(3).collect() } else { "prd".to_owned() }
}

/// The id of a requirement as its author wrote it.
pub(super) fn written_id(requirement: &Requirement) -> String {
    requirement.aliases.first().cloned().unwrap_or_else(|| requirement.id.to_string())
}

/// The role, wish and reason, if the text has the form of a story.
fn story_words(description: &str) -> Option<StoryWords> {
    let words = one_line(description);
    let parts = story_parts(&words, Span::new(0, words.len()));
    let bare = |span: Span| span.slice(&words).trim().trim_matches([',', '，', '.', '。', ' ']).to_owned();
    let role = bare(parts.role);
    let lower = role.to_ascii_lowercase();
    let begin = STORY_ROLES.iter().find(|begin| lower.starts_with(*begin))?;
    let as_a = role[begin.len()..].trim().to_owned();
    let wish = bare(parts.wish);
    let signal =
        WISHES.iter().filter(|signal| wish.to_ascii_lowercase().starts_with(*signal)).max_by_key(|one| one.len())?;
    let i_want = wish[signal.len()..].trim().to_owned();
    let is_told = !as_a.is_empty() && !i_want.is_empty();
    is_told.then(|| StoryWords { as_a, i_want, so_that: bare(parts.reason_words) })
}

/// Returns true for an id of the same kind as one in the document: `FR-009` if others begin with `FR-`.
fn is_alike(id: &str, approved: Approved<'_>) -> bool {
    let kind = |id: &str| id.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    ["FR-", "NFR-"].contains(&kind(id).as_str())
        || approved.requirements().flat_map(|one| &one.aliases).any(|alias| kind(alias) == kind(id))
}

/// The ids of the requirements that must be built first, according to these lines.
fn named_first(lines: &[&str]) -> Vec<String> {
    static ID: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u:\b)[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?[0-9]+(?-u:\b)").expect("a constant")
    });
    let mut out = Vec::new();
    for line in lines {
        let window = |at: usize| line[..at].char_indices().rev().nth(LONGEST_CUE).map_or(0, |(start, _)| start);
        // The end of the previous id that must be built first.
        let mut listed: Option<usize> = None;
        for id in ID.find_iter(line) {
            let (before, behind) = (&line[window(id.start())..id.start()], &line[id.end()..]);
            let goes_on = listed
                .is_some_and(|end| BETWEEN_IDS.iter().any(|word| line[end..id.start()].trim_matches(is_mark) == word));
            if goes_on || comes_first(before, behind) {
                out.push(id.as_str().to_owned());
                listed = Some(id.end());
            } else {
                listed = None;
            }
        }
    }
    out
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '`' | '[' | ']' | '(' | ')' | '"' | '“' | '”' | '「' | '」')
}

/// Returns true if the words around an id say that it must be built first.
fn comes_first(before: &str, behind: &str) -> bool {
    // "after FR-002's check" describes a moment, not a dependency.
    if behind.starts_with(['\'', '’']) {
        return false;
    }
    let before = before.to_lowercase();
    let bare = |words: &str| words.trim_end_matches(|c| is_mark(c) || matches!(c, ':' | '：')).to_owned();
    let said = bare(&before);
    let without_noun = ["requirement", "需求"].iter().find_map(|noun| said.strip_suffix(noun)).map(bare);
    for said in [Some(said), without_noun].into_iter().flatten() {
        if let Some(cue) = ending(&said, BEFORE_AN_ID) {
            let rest = said[..said.len() - cue.len()].trim_end();
            return ending(rest, DENIED_BEFORE).is_none();
        }
    }
    let behind: String = behind.trim_start_matches(is_mark).chars().take(LONGEST_CUE).collect();
    BEHIND_AN_ID.begin(&behind.to_lowercase())
}

/// The word of the list with which the text ends, if it is a whole word there.
fn ending(words: &str, list: &Words) -> Option<&'static str> {
    let is_whole = |word: &str| {
        let before = words[..words.len() - word.len()].chars().next_back();
        !word.is_ascii()
            || word.starts_with(['n', '\'']) && word == "n't"
            || before.is_none_or(|c| !c.is_ascii_alphanumeric())
    };
    list.iter().filter(|word| words.ends_with(word) && is_whole(word)).max_by_key(|word| word.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::parse_anyway;

    fn first(line: &str) -> Vec<String> {
        named_first(&[line])
    }

    #[test]
    fn an_id_comes_first_only_where_the_words_say_so() {
        for (line, expected) in [
            ("This depends on FR-003.", &["FR-003"][..]),
            ("- **Depends on**: `FR-003`, FR-004 and NFR-001", &["FR-003", "FR-004", "NFR-001"]),
            ("It is built after FR-002, as FR-009 says.", &["FR-002"]),
            ("Once requirement REQ-12 is live, …", &["REQ-12"]),
            ("本需求依赖 FR-003 和 FR-005。", &["FR-003", "FR-005"]),
            ("FR-002 完成后才能导出", &["FR-002"]),
            ("依赖需求FR-003", &["FR-003"]),
            ("It does not depend on FR-003.", &[]),
            ("It no longer depends on FR-003.", &[]),
            ("不依赖 FR-003", &[]),
            ("The fields are those of FR-003.", &[]),
            ("FR-003 depends on it.", &[]),
            ("The mail is sent after FR-002's check.", &[]),
            ("Thereafter FR-002 holds.", &[]),
        ] {
            assert_eq!(first(line), expected, "{line}");
        }
    }

    const TEXT: &str = "# Requirements: Orders\n\nFeature: 004-export-orders\n\n## Approved\n\n### FR-001: Export\n\nAs a clerk, I want \
        to export the orders of a day so that I can bill them.\n\nAcceptance criteria:\n- A file with 3 rows is downloaded.\n\n### \
        FR-002: Mail\n\nThe system shall mail the file.\n\n- Depends on: FR-001, JIRA-77\n\nSources:\n- notes.md:3: after FR-004 \
        it is mailed\n\n### NFR-001: Speed\n\nThe export takes 5 seconds at most.\n\n## Rejected\n\n### FR-004: Fax\n\nThe system \
        shall fax the file.\n\nReason: nobody has one\n";

    #[test]
    fn a_story_says_what_its_requirement_says_and_no_more() {
        let (document, _) = parse_anyway(TEXT);
        let written = collected(Approved::of(&document), "export-orders", &[]).expect("nothing is lost");
        let [export, mail, speed] = written.stories.as_slice() else { panic!("{written:?}") };
        assert_eq!((export.story_id.as_str(), speed.story_id.as_str()), ("exp-func-001", "exp-nfr-001"));
        let words = export.user_story.clone().expect("it is a story");
        assert_eq!((words.as_a.as_str(), words.i_want.as_str()), ("clerk", "to export the orders of a day"));
        assert_eq!(words.so_that, "I can bill them");
        assert_eq!(export.acceptance_criteria, ["A file with 3 rows is downloaded."]);
        assert_eq!((mail.dependencies.clone(), &mail.user_story), (vec!["exp-func-001".to_owned()], &None));
        assert!(
            mail.implementation_notes
                .as_deref()
                .is_some_and(|notes| notes.starts_with("The system shall mail the file."))
        );
        assert_eq!(export.implementation_notes, None);
        assert!(written.stories.iter().all(|story| story.complexity.is_none()));
    }

    #[test]
    fn a_dependency_on_what_will_not_be_built_is_told() {
        let text = TEXT.replace("FR-001, JIRA-77", "FR-004 and FR-009");
        let (document, _) = parse_anyway(&text);
        let lost = collected(Approved::of(&document), "export-orders", &[]).expect_err("neither is built");
        let told: Vec<String> = lost.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "FR-002 depends on FR-004, which was rejected or put out of scope",
                "FR-002 depends on FR-009, which does not exist"
            ]
        );
    }

    #[test]
    fn requirements_that_wait_for_each_other_are_told_by_their_own_ids() {
        let text = TEXT
            .replace("The export takes", "It comes after FR-002. The export takes")
            .replace("FR-001, JIRA-77", "NFR-001");
        let (document, _) = parse_anyway(&text);
        let cycle = collected(Approved::of(&document), "export-orders", &[]).expect_err("they wait for each other");
        let told: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["a cycle: FR-002 → NFR-001 → FR-002: remove one of these dependencies"]);
    }

    #[test]
    fn a_chinese_story_is_cut_in_the_same_way() {
        let words = story_words("作为店员，我想要打印标签，以便当天发货。").expect("it is a story");
        assert_eq!(
            (words.as_a.as_str(), words.i_want.as_str(), words.so_that.as_str()),
            ("店员", "打印标签", "当天发货")
        );
        assert_eq!(story_words("系统应打印标签。"), None);
    }
}
