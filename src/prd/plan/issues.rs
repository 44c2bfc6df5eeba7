//! One issue on GitHub for each story: opened once, found again by a marker that readers do not see, changed only where the plan
//! has changed. Everything that a person writes outside of the marked block stays as it is.

use std::collections::BTreeMap;

use super::human::flag_words;
use super::verdict::sentence;
use super::{ExecutionPlan, PlannedStory};
use crate::clean::one_line;
use crate::github::{
    AccountKind, Client, Fetched, GithubError, Issue, IssueState, IssuesWanted, Permission, Repository,
};
use crate::hash::Hash;
use crate::report::escaped_markdown;

/// What a marker begins with.
const MARKER: &str = "<!-- reqgate-story ";
/// The end of the block that belongs to reqgate.
const END: &str = "<!-- reqgate-story-end -->";
/// The most pages of issues that are looked through, a hundred issues each.
const MOST_PAGES: usize = 1000;
/// The longest title, in characters; GitHub takes 256.
const LONGEST_TITLE: usize = 240;

/// The change that one story needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IssueChange {
    /// It has no issue yet.
    Open {
        /// The story.
        story: String,
        /// The title of the issue.
        title: String,
    },
    /// Its issue says something else.
    Update {
        /// The story.
        story: String,
        /// The issue.
        number: u64,
        /// The title that it will have.
        title: String,
    },
    /// Its issue says the same.
    Same {
        /// The story.
        story: String,
        /// The issue.
        number: u64,
    },
    /// A person changed the block: it stays as it is.
    EditedByHand {
        /// The story.
        story: String,
        /// The issue.
        number: u64,
    },
    /// Its issue is closed: it stays as it is.
    Closed {
        /// The story.
        story: String,
        /// The issue.
        number: u64,
    },
    /// An issue of this plan whose story the plan no longer has: it stays as it is.
    NotPlanned {
        /// The story that it was for.
        story: String,
        /// The issue.
        number: u64,
    },
}

/// What the plan and the repository need of each other.
#[derive(Debug)]
pub struct IssuePlan {
    /// The changes in the order of work.
    pub changes: Vec<IssueChange>,
    /// The issue of each story that has one.
    issues: BTreeMap<String, Issue>,
}

/// The marker of an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marker {
    plan: String,
    story: String,
    /// The hashes of title and block as they were written.
    title: String,
    block: String,
}

/// Compares a plan with the issues of a repository; changes nothing. A marker counts only in an issue of somebody who may
/// manage issues, or of a program.
///
/// # Errors
/// Fails if GitHub cannot be asked or refuses.
pub fn compared(client: &Client, repository: &Repository, plan: &ExecutionPlan) -> Result<IssuePlan, GithubError> {
    let name = plan_name(plan);
    let mut issues: BTreeMap<String, Issue> = BTreeMap::new();
    let mut trusted: BTreeMap<String, bool> = BTreeMap::new();
    let mut page = Some(client.first_page(repository, &IssuesWanted { closed_too: true, ..IssuesWanted::default() }));
    for _ in 0..MOST_PAGES {
        let Some(address) = page.take() else { break };
        let Fetched::New(found) = client.issues(&address, None)? else { break };
        for issue in found.items.into_iter().filter(|issue| !issue.is_pull_request) {
            let Some(marker) = split(&issue.body).map(|(_, marker, ..)| marker).filter(|marker| marker.plan == name)
            else {
                continue;
            };
            let login = issue.user.login.clone();
            let is_trusted = match (trusted.get(&login), issue.user.kind) {
                (Some(known), _) => *known,
                (None, AccountKind::Bot) => true,
                (None, _) => client.permission(repository, &login)? >= Permission::Triage,
            };
            trusted.insert(login, is_trusted);
            if is_trusted {
                // The oldest come first: a copy of an issue does not take its place.
                issues.entry(marker.story).or_insert(issue);
            }
        }
        page = found.next;
    }
    if page.is_some() {
        // An issue that was not seen would be opened a second time.
        let doing = format!("looking for the issues of the plan in {repository}");
        return Err(GithubError::Malformed { doing, message: format!("more than {} issues", MOST_PAGES * 100) });
    }
    let numbers = numbers(&issues);
    let mut changes: Vec<IssueChange> = plan
        .stories
        .iter()
        .map(|planned| change(plan, planned, issues.get(&planned.story.story_id), &numbers))
        .collect();
    let is_planned = |story: &String| plan.stories.iter().any(|planned| planned.story.story_id == *story);
    let gone = issues.iter().filter(|(story, _)| !is_planned(story));
    changes.extend(gone.map(|(story, issue)| IssueChange::NotPlanned { story: story.clone(), number: issue.number }));
    Ok(IssuePlan { changes, issues })
}

/// Makes the changes, each once, in the order of work. What was done before a failure is found again by the next run.
///
/// # Errors
/// Fails if GitHub cannot be asked or refuses.
pub fn carried_out(
    client: &Client,
    repository: &Repository,
    plan: &ExecutionPlan,
    compared: IssuePlan,
    mut done: impl FnMut(&IssueChange, u64),
) -> Result<(), GithubError> {
    let IssuePlan { changes, issues } = compared;
    let mut numbers = numbers(&issues);
    for change in &changes {
        let (IssueChange::Open { story, .. } | IssueChange::Update { story, .. }) = change else { continue };
        let Some(planned) = plan.stories.iter().find(|planned| planned.story.story_id == *story) else { continue };
        let wanted = wanted(plan, planned, issues.get(story), &numbers);
        let issue = match issues.get(story) {
            Some(issue) => client.update_issue(repository, issue.number, &wanted.title, &wanted.body)?,
            None => client.create_issue(repository, &wanted.title, &wanted.body)?,
        };
        numbers.insert(story.clone(), issue.number);
        done(change, issue.number);
    }
    Ok(())
}

fn numbers(issues: &BTreeMap<String, Issue>) -> BTreeMap<String, u64> {
    issues.iter().map(|(story, issue)| (story.clone(), issue.number)).collect()
}

fn change(
    plan: &ExecutionPlan,
    planned: &PlannedStory,
    issue: Option<&Issue>,
    numbers: &BTreeMap<String, u64>,
) -> IssueChange {
    let story = planned.story.story_id.clone();
    let wanted = wanted(plan, planned, issue, numbers);
    let Some(issue) = issue else { return IssueChange::Open { story, title: wanted.title } };
    let number = issue.number;
    let is_untouched = split(&issue.body).is_some_and(|(_, marker, block, _)| marker.block == block_hash(&block));
    if issue.state == IssueState::Closed {
        IssueChange::Closed { story, number }
    } else if !is_untouched {
        IssueChange::EditedByHand { story, number }
    } else if wanted.body == unix(&issue.body) && wanted.title == issue.title {
        IssueChange::Same { story, number }
    } else {
        IssueChange::Update { story, number, title: wanted.title }
    }
}

struct Wanted {
    title: String,
    body: String,
}

/// Title and body that the issue of a story shall have: the words of people around the block stay, and so do their ticks.
fn wanted(
    plan: &ExecutionPlan,
    planned: &PlannedStory,
    issue: Option<&Issue>,
    numbers: &BTreeMap<String, u64>,
) -> Wanted {
    let own_title: String = one_line(&planned.story.title).chars().take(LONGEST_TITLE).collect();
    let block = block(plan, planned, numbers);
    let marker = |title: &str| Marker {
        plan: plan_name(plan),
        story: planned.story.story_id.clone(),
        title: Hash::of(title).short(),
        block: block_hash(&block),
    };
    let Some((before, old, old_block, after)) = issue.and_then(|issue| split(&issue.body)) else {
        return Wanted { body: format!("{}\n{block}\n{END}\n", marker(&own_title).written()), title: own_title };
    };
    let current = issue.map(|issue| issue.title.clone()).unwrap_or_default();
    // Somebody gave the issue another name.
    let is_renamed = Hash::of(&current).short() != old.title;
    let marker = Marker { title: if is_renamed { old.title } else { marker(&own_title).title }, ..marker(&own_title) };
    let block = ticked(&block, &old_block);
    Wanted {
        title: if is_renamed { current } else { own_title },
        body: format!("{before}{}\n{block}\n{END}{after}", marker.written()),
    }
}

/// The block of a story: everything that reqgate says in the issue.
fn block(plan: &ExecutionPlan, planned: &PlannedStory, numbers: &BTreeMap<String, u64>) -> String {
    let (story, language) = (&planned.story, plan.language);
    let mut out = String::new();
    let told = sentence(story, language);
    if !told.is_empty() {
        out.push_str(&format!("{}\n\n", escaped_markdown(&told)));
    }
    if let Some(notes) = &story.implementation_notes {
        out.push_str(&format!("{}\n\n", escaped_markdown(notes)));
    }
    let colon = language.of(": ", "：");
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            out.push_str(&format!("- **{name}**{colon}{value}\n"));
        }
    };
    fact(
        language.of("Story", "故事"),
        format!("{}, {}", escaped_markdown(&story.story_id), escaped_markdown(&story.epic_id)),
    );
    fact(language.of("Requirements", "需求"), escaped_markdown(&story.requirements.join(", ")));
    fact(language.of("Complexity", "复杂度"), story.complexity.map(|one| one.to_string()).unwrap_or_default());
    let needs = story.dependencies.iter().map(|id| match numbers.get(id) {
        Some(number) => format!("#{number}"),
        None => escaped_markdown(id),
    });
    fact(language.of("Needs", "依赖"), needs.collect::<Vec<_>>().join(", "));
    fact(language.of("Files", "文件"), story.files().map(escaped_markdown).collect::<Vec<_>>().join(", "));
    let mut list = |name: &str, mark: &str, items: Vec<String>| {
        if !items.is_empty() {
            out.push_str(&format!("\n### {name}\n\n"));
            out.extend(items.iter().map(|item| format!("- {mark}{}\n", escaped_markdown(item))));
        }
    };
    list(language.of("Acceptance criteria", "验收标准"), "[ ] ", story.acceptance_criteria.clone());
    list(language.of("Definition of done", "完成定义"), "[ ] ", story.definition_of_done.clone());
    list(
        language.of("To be checked", "待核对"),
        "",
        planned.flags.iter().map(|flag| flag_words(flag, language)).collect(),
    );
    out.trim_end().to_owned()
}

/// A block with the ticks that people have set on the same lines.
fn ticked(block: &str, old: &str) -> String {
    let is_ticked = |line: &str| {
        let words = line.strip_prefix("- [ ] ");
        words.is_some_and(|words| old.lines().any(|old| unticked(old) == line && old.ends_with(words) && old != line))
    };
    let lines =
        block.lines().map(|line| if is_ticked(line) { line.replacen("[ ]", "[x]", 1) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

fn unticked(line: &str) -> String {
    match line.strip_prefix("- [x] ").or_else(|| line.strip_prefix("- [X] ")) {
        Some(words) => format!("- [ ] {words}"),
        None => line.to_owned(),
    }
}

/// The hash of a block, whatever is ticked in it.
fn block_hash(block: &str) -> String {
    let lines: Vec<String> = block.trim().lines().map(|line| unticked(line.trim_end())).collect();
    Hash::of(lines.join("\n")).short()
}

/// GitHub's own editor writes carriage returns.
fn unix(body: &str) -> String {
    body.replace("\r\n", "\n")
}

/// The words before the block, its marker, the block, and the words behind it; `None` without a whole block.
fn split(body: &str) -> Option<(String, Marker, String, String)> {
    let body = unix(body);
    let start = body.match_indices(MARKER).map(|(at, _)| at).find(|at| *at == 0 || body[..*at].ends_with('\n'))?;
    let (line, rest) = body[start..].split_once('\n')?;
    let marker = Marker::read(line)?;
    let end = rest.find(END)?;
    let block = rest[..end].trim_end_matches('\n').to_owned();
    Some((body[..start].to_owned(), marker, block, rest[end + END.len()..].to_owned()))
}

impl Marker {
    fn written(&self) -> String {
        let Self { plan, story, title, block } = self;
        format!("{MARKER}plan={plan} story={story} title={title} block={block} -->")
    }

    fn read(line: &str) -> Option<Self> {
        let words = line.trim().strip_prefix(MARKER)?.strip_suffix("-->")?.trim();
        let value = |name: &str| {
            words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
        };
        Some(Self { plan: value("plan")?, story: value("story")?, title: value("title")?, block: value("block")? })
    }
}

/// The name of a plan in markers: its feature, or a hash of its title.
fn plan_name(plan: &ExecutionPlan) -> String {
    let head = &plan.frontmatter;
    head.feature_id.clone().unwrap_or_else(|| Hash::of(&head.title).short())
}

#[cfg(test)]
mod tests;
