//! The issues of stories in Jira. Labels say which plan and story an issue belongs to, because both Cloud and Server
//! find issues by label immediately; an entity property stores the hash of the text that reqgate wrote. The
//! description has no hidden marker, so reqgate's block in it is recognised by this hash.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ExecutionPlan, Mark, Piece, StoryContent, TrackedIssue, Tracker, plan_name};
use crate::plan::story::is_story_id;
use reqgate_base::clean;
use reqgate_base::hash::Hash;
use reqgate_net::jira::{
    Api, Client, IssueKey, JiraError, LinkEnd, LinkType, NewIssue, ProjectIssue, ProjectKey, words_of,
};
use reqgate_report::{JiraBlock, JiraDocument, JiraInline};

/// The key of the entity property.
pub(super) const PROPERTY: &str = "reqgate.story";
/// The beginning of reqgate's labels.
const LABEL: &str = "reqgate-";
/// The search for new issues ends after this many numbers without an issue. Deleted issues leave gaps.
const GAP: u64 = 3;
/// The most issues that are read because they may not be in the search index yet.
const MOST_UNSEEN: u64 = 200;

/// The project and the type of new issues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JiraTarget {
    /// The key of the project.
    pub project: ProjectKey,
    /// The name of the issue type.
    pub issue_type: String,
}

impl FromStr for JiraTarget {
    type Err = JiraError;

    /// Parses `PAY`, or `PAY:Task` for another type than Story.
    fn from_str(text: &str) -> Result<Self, JiraError> {
        let (project, issue_type) = text.split_once(':').unwrap_or((text, "Story"));
        let issue_type = clean::short_line(issue_type.trim(), 60);
        Ok(Self { project: project.parse()?, issue_type })
    }
}

/// The issues of a project in Jira.
pub struct JiraIssues<'c> {
    client: &'c Client,
    target: &'c JiraTarget,
    /// The link type which says that one issue must be finished before another.
    link: Option<Dependency>,
}

/// A link type for dependencies.
struct Dependency {
    name: String,
    /// The end of the link with the issue that must be finished first.
    first: LinkEnd,
}

/// The content that reqgate writes into an issue, except its title.
#[derive(Debug, PartialEq)]
pub struct JiraBody {
    /// The description, in the format of the site.
    description: Value,
    /// The contents of the entity property; `None` if it was lost.
    memory: Option<Memory>,
    /// The linked issues that must be finished first.
    first: BTreeSet<IssueKey>,
}

/// The contents of the entity property; it has no text of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Memory {
    plan: String,
    story: String,
    /// The hash of the title as it was written.
    title: String,
    /// The hash of the text of the block as it was written.
    block: String,
    /// The number of parts of the block: nodes of a document, or lines of wiki markup.
    parts: usize,
}

impl<'c> JiraIssues<'c> {
    /// Opens the tracker for a project; requests the link types of the site.
    ///
    /// # Errors
    /// Fails without credentials, or if Jira cannot be reached or refuses.
    pub fn open(client: &'c Client, target: &'c JiraTarget) -> Result<Self, JiraError> {
        if !client.site().is_authenticated() {
            return Err(JiraError::NoCredentials);
        }
        let types = client.link_types()?;
        let link = types.iter().find_map(Dependency::of);
        Ok(Self { client, target, link })
    }

    fn tracked(&self, issue: ProjectIssue) -> TrackedIssue<Self> {
        let is_first = |(name, end): (&str, LinkEnd)| self.link.as_ref().is_some_and(|link| link.is(name, end));
        let first = issue.links.into_iter().filter(|(name, end, _)| is_first((name, *end))).map(|(_, _, key)| key);
        let memory = issue.property.and_then(|property| serde_json::from_value(property).ok());
        let body = JiraBody { description: issue.description, memory, first: first.collect() };
        TrackedIssue { id: issue.key, title: issue.summary, is_closed: issue.is_done, body, others: Vec::new() }
    }

    /// The issues that may not be in the search index yet: those after the newest one in the index.
    fn unseen(&self, newest: u64) -> Result<Vec<ProjectIssue>, JiraError> {
        let project = &self.target.project;
        let (mut found, mut missing) = (Vec::new(), 0);
        for number in newest.saturating_add(1)..=newest.saturating_add(MOST_UNSEEN) {
            let key = IssueKey { project: project.clone(), number };
            match self.client.project_issue(&key, PROPERTY)? {
                Some(issue) => {
                    missing = 0;
                    found.push(issue);
                }
                None => missing += 1,
            }
            if missing == GAP {
                return Ok(found);
            }
        }
        // Issues that were not seen would be created a second time.
        Err(JiraError::Malformed {
            doing: format!("looking for new issues in {project}"),
            message: format!("more than {MOST_UNSEEN} are not in its index of searches yet: try again later"),
        })
    }

    fn link_all(
        &self,
        issue: &IssueKey,
        first: &BTreeSet<IssueKey>,
        old: &BTreeSet<IssueKey>,
    ) -> Result<(), JiraError> {
        let Some(link) = &self.link else { return Ok(()) };
        for key in first.difference(old) {
            match link.first {
                LinkEnd::Inward => self.client.link(&link.name, key, issue)?,
                LinkEnd::Outward => self.client.link(&link.name, issue, key)?,
            }
        }
        Ok(())
    }
}

impl Dependency {
    fn of(link: &LinkType) -> Option<Self> {
        let says = |words: &str, name: &str| words.trim().eq_ignore_ascii_case(name);
        let first = match link {
            LinkType { inward, .. } if says(inward, "is blocked by") || says(inward, "depends on") => LinkEnd::Inward,
            LinkType { outward, .. } if says(outward, "depends on") || says(outward, "is blocked by") => {
                LinkEnd::Outward
            }
            // In a translated site, Jira's built-in link type usually keeps its English name.
            LinkType { name, .. } if says(name, "Blocks") => LinkEnd::Inward,
            _ => return None,
        };
        Some(Self { name: link.name.clone(), first })
    }

    fn is(&self, name: &str, end: LinkEnd) -> bool {
        self.name == name && self.first == end
    }
}

impl Tracker for JiraIssues<'_> {
    type Id = IssueKey;
    type Body = JiraBody;
    type Error = JiraError;

    fn issues(&self, plan: &ExecutionPlan) -> Result<BTreeMap<String, TrackedIssue<Self>>, JiraError> {
        let (project, name) = (&self.target.project, plan_name(plan));
        let label = format!("{LABEL}{name}");
        let mut issues: BTreeMap<String, TrackedIssue<Self>> = BTreeMap::new();
        let mut take = |issue: ProjectIssue| {
            let names = issue.labels.iter().filter_map(|label| label.strip_prefix(LABEL));
            // A team may have its own labels with the same beginning.
            let is_planned = |id: &str| plan.stories.iter().any(|planned| planned.story.story_id == id);
            let story = names.clone().find(|id| is_planned(id)).or_else(|| names.clone().find(|id| is_story_id(id)));
            // The index may be out of date, and a moved issue belongs to another project.
            if let (Some(story), true) = (story, issue.labels.contains(&label) && issue.key.project == *project) {
                let (story, mut tracked) = (story.to_owned(), self.tracked(issue));
                let is_own = |memory: &Memory| memory.plan == name && memory.story == story;
                tracked.body.memory = tracked.body.memory.filter(is_own);
                match issues.entry(story) {
                    Entry::Vacant(place) => drop(place.insert(tracked)),
                    // Any user may set a label. Of the issues that reqgate created, the oldest comes first, so a copy
                    // does not replace it.
                    Entry::Occupied(mut place) => {
                        let first = place.get_mut();
                        if first.body.memory.is_none() && tracked.body.memory.is_some() {
                            std::mem::swap(first, &mut tracked);
                            first.others = std::mem::take(&mut tracked.others);
                        }
                        first.others.push(tracked.id);
                    }
                }
            }
        };
        let mut keys = self.client.labelled(project, &label)?;
        keys.sort();
        for key in &keys {
            self.client.project_issue(key, PROPERTY)?.into_iter().for_each(&mut take);
        }
        let newest = self.client.newest(project)?.into_iter().chain(keys).map(|key| key.number).max();
        self.unseen(newest.unwrap_or(0))?.into_iter().for_each(&mut take);
        Ok(issues)
    }

    fn written_title(body: &JiraBody) -> Option<&str> {
        Some(&body.memory.as_ref()?.title)
    }

    fn body(&self, mark: Mark, content: &StoryContent<IssueKey>, existing: Option<&JiraBody>) -> Option<JiraBody> {
        let document = document(content);
        let block = match self.client.site().api {
            Api::Cloud => document.to_adf(),
            Api::Server => Value::String(document.to_wiki()),
        };
        let written = parts(&block);
        let Mark { plan, story, title } = mark;
        let memory = Memory { plan, story, title, block: words_hash(&written), parts: written.len() };
        let mut first: BTreeSet<IssueKey> = match &self.link {
            Some(_) => content.needs.iter().cloned().collect(),
            None => BTreeSet::new(),
        };
        let Some(old) = existing else { return Some(JiraBody { description: block, memory: Some(memory), first }) };
        first.extend(old.first.iter().cloned());
        let known = old.memory.as_ref()?;
        let mut all = parts(&old.description);
        let is_block = |run: &[Value]| words_hash(run) == known.block;
        let at = (1..=all.len()).contains(&known.parts).then(|| all.windows(known.parts).position(is_block))??;
        if known.block == memory.block {
            // Jira may have changed the format of the same text.
            let memory = Some(Memory { parts: known.parts, ..memory });
            return Some(JiraBody { description: old.description.clone(), memory, first });
        }
        all.splice(at..at + known.parts, written);
        Some(JiraBody { description: joined(&old.description, all), memory: Some(memory), first })
    }

    fn open(&self, title: &str, body: &JiraBody) -> Result<IssueKey, JiraError> {
        let Self { client, target, .. } = self;
        let names = body.memory.iter().flat_map(|memory| [&memory.plan, &memory.story]);
        let labels: Vec<String> = names.map(|name| format!("{LABEL}{name}")).collect();
        let new = NewIssue {
            issue_type: &target.issue_type,
            summary: title,
            description: &body.description,
            labels: &labels,
        };
        let key = client.create_issue(&target.project, new, (PROPERTY, &json!(body.memory)))?;
        self.link_all(&key, &body.first, &BTreeSet::new())?;
        Ok(key)
    }

    fn update(&self, issue: &TrackedIssue<Self>, title: &str, body: &JiraBody) -> Result<(), JiraError> {
        let old = &issue.body;
        if title != issue.title || body.description != old.description || body.memory != old.memory {
            self.client.edit_issue(&issue.id, title, &body.description, (PROPERTY, &json!(body.memory)))?;
        }
        self.link_all(&issue.id, &body.first, &old.first)
    }
}

/// The block of a story: the text that reqgate writes into the issue.
fn document(content: &StoryContent<IssueKey>) -> JiraDocument {
    let text = |words: &str| JiraInline::Text(clean::words(words));
    let mut blocks: Vec<JiraBlock> =
        content.paragraphs.iter().map(|words| JiraBlock::Paragraph(vec![text(words)])).collect();
    let fact = |(name, pieces): &(&str, Vec<Piece>)| {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) | Piece::Issue(words) => words.clone(),
        };
        let value = pieces.iter().map(piece).collect::<Vec<_>>().join(", ");
        vec![JiraInline::Strong((*name).to_owned()), text_behind(content.colon, &value)]
    };
    blocks.push(JiraBlock::Bullets(content.facts.iter().map(fact).collect()));
    for list in &content.lists {
        blocks.push(JiraBlock::Heading(vec![text(list.heading)]));
        blocks.push(JiraBlock::Bullets(list.items.iter().map(|item| vec![text(item)]).collect()));
    }
    JiraDocument { blocks }
}

fn text_behind(colon: &str, words: &str) -> JiraInline {
    JiraInline::Text(format!("{colon}{}", clean::words(words)))
}

/// The parts of a description: the nodes of a document, or the lines of wiki markup.
fn parts(description: &Value) -> Vec<Value> {
    match description {
        Value::String(wiki) => wiki.lines().map(|line| Value::from(line.trim_end())).collect(),
        document => document["content"].as_array().cloned().unwrap_or_default(),
    }
}

/// Joins parts into a description of the same format as the old one.
fn joined(old: &Value, parts: Vec<Value>) -> Value {
    match old {
        Value::String(_) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n").into(),
        document => {
            let mut document = document.clone();
            document["content"] = parts.into();
            document
        }
    }
}

/// The hash of the text without white space, which Jira may change.
fn words_hash(parts: &[Value]) -> String {
    let words: String =
        parts.iter().flat_map(|part| words_of(part).chars().collect::<Vec<_>>()).filter(|c| *c != ' ').collect();
    Hash::of(words).short()
}

#[cfg(test)]
mod tests;
