//! The issues of stories on GitHub. Reqgate's block in the body begins with an HTML comment, which is not visible on the page.

use std::collections::BTreeMap;
use std::fmt;

use super::{ExecutionPlan, Mark, Piece, StoryContent, TrackedIssue, Tracker, plan_name};
use reqgate_base::hash::Hash;
use reqgate_net::github::{
    AccountKind, Client, Fetched, GithubError, IssueState, IssuesWanted, Permission, Repository,
};
use reqgate_report::escaped_markdown;

/// The beginning of the marker comment.
const MARKER: &str = "<!-- reqgate-story ";
/// The end of the block that belongs to reqgate.
const END: &str = "<!-- reqgate-story-end -->";
/// The most pages of issues that are searched, with a hundred issues each.
const MOST_PAGES: usize = 1000;

/// The issues of a repository.
pub struct GithubIssues<'c> {
    client: &'c Client,
    repository: &'c Repository,
}

/// The number of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueNumber(u64);

impl fmt::Display for IssueNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The body of an issue that contains reqgate's block.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkedBody {
    /// The text before the block.
    before: String,
    marker: Marker,
    block: String,
    /// The text after the block.
    after: String,
}

/// The marker of an issue: the story it belongs to, and the hash of the block as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marker {
    mark: Mark,
    block: String,
}

impl<'c> GithubIssues<'c> {
    /// Creates the tracker for a repository and a client.
    pub fn new(client: &'c Client, repository: &'c Repository) -> Self {
        Self { client, repository }
    }
}

impl Tracker for GithubIssues<'_> {
    type Id = IssueNumber;
    type Body = MarkedBody;
    type Error = GithubError;

    fn issues(&self, plan: &ExecutionPlan) -> Result<BTreeMap<String, TrackedIssue<Self>>, GithubError> {
        let Self { client, repository } = self;
        let name = plan_name(plan);
        let mut issues = BTreeMap::new();
        let mut trusted: BTreeMap<String, bool> = BTreeMap::new();
        let all = IssuesWanted { closed_too: true, ..IssuesWanted::default() };
        let mut page = Some(client.first_page(repository, &all));
        for _ in 0..MOST_PAGES {
            let Some(address) = page.take() else { break };
            let Fetched::New(found) = client.issues(&address, None)? else { break };
            for issue in found.items.into_iter().filter(|issue| !issue.is_pull_request) {
                let Some(body) = MarkedBody::read(&issue.body).filter(|body| body.marker.mark.plan == name) else {
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
                    let tracked: TrackedIssue<Self> = TrackedIssue {
                        others: Vec::new(),
                        id: IssueNumber(issue.number),
                        title: issue.title,
                        is_closed: issue.state == IssueState::Closed,
                        body,
                    };
                    // The oldest issue comes first, so a copy does not replace it.
                    issues.entry(tracked.body.marker.mark.story.clone()).or_insert(tracked);
                }
            }
            page = found.next;
        }
        if page.is_some() {
            // Issues that were not seen would be opened a second time.
            let doing = format!("looking for the issues of the plan in {repository}");
            return Err(GithubError::Malformed { doing, message: format!("more than {} issues", MOST_PAGES * 100) });
        }
        Ok(issues)
    }

    fn written_title(body: &MarkedBody) -> Option<&str> {
        Some(&body.marker.mark.title)
    }

    fn body(
        &self,
        mark: Mark,
        content: &StoryContent<IssueNumber>,
        existing: Option<&MarkedBody>,
    ) -> Option<MarkedBody> {
        let block = block(content);
        let marker = Marker { mark, block: block_hash(&block) };
        Some(match existing {
            None => MarkedBody { before: String::new(), marker, block, after: "\n".to_owned() },
            Some(old) if old.marker.block != block_hash(&old.block) => return None,
            Some(old) => MarkedBody {
                before: old.before.clone(),
                marker,
                block: ticked(&block, &old.block),
                after: old.after.clone(),
            },
        })
    }

    fn open(&self, title: &str, body: &MarkedBody) -> Result<IssueNumber, GithubError> {
        let issue = self.client.create_issue(self.repository, title, &body.written())?;
        Ok(IssueNumber(issue.number))
    }

    fn update(&self, issue: &TrackedIssue<Self>, title: &str, body: &MarkedBody) -> Result<(), GithubError> {
        self.client.update_issue(self.repository, issue.id.0, title, &body.written()).map(drop)
    }
}

/// The block of a story: the text that reqgate writes into the issue.
fn block(content: &StoryContent<IssueNumber>) -> String {
    let mut out = String::new();
    for words in &content.paragraphs {
        out.push_str(&format!("{}\n\n", escaped_markdown(words)));
    }
    for (name, pieces) in &content.facts {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => escaped_markdown(words),
            Piece::Issue(name) => name.clone(),
        };
        let value = pieces.iter().map(piece).collect::<Vec<_>>().join(", ");
        out.push_str(&format!("- **{name}**{}{value}\n", content.colon));
    }
    for list in &content.lists {
        let mark = if list.is_checklist { "[ ] " } else { "" };
        out.push_str(&format!("\n### {}\n\n", list.heading));
        out.extend(list.items.iter().map(|item| format!("- {mark}{}\n", escaped_markdown(item))));
    }
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

/// The hash of a block, independent of its ticks.
fn block_hash(block: &str) -> String {
    let lines: Vec<String> = block.trim().lines().map(|line| unticked(line.trim_end())).collect();
    Hash::of(lines.join("\n")).short()
}

impl MarkedBody {
    /// Splits the body of an issue; returns `None` without a complete block.
    fn read(body: &str) -> Option<Self> {
        // GitHub's editor writes carriage returns.
        let body = body.replace("\r\n", "\n");
        let start = body.match_indices(MARKER).map(|(at, _)| at).find(|at| *at == 0 || body[..*at].ends_with('\n'))?;
        let (line, rest) = body[start..].split_once('\n')?;
        let marker = Marker::read(line)?;
        let end = rest.find(END)?;
        let block = rest[..end].trim_end_matches('\n').to_owned();
        Some(Self { before: body[..start].to_owned(), marker, block, after: rest[end + END.len()..].to_owned() })
    }

    fn written(&self) -> String {
        let Self { before, marker, block, after } = self;
        format!("{before}{}\n{block}\n{END}{after}", marker.written())
    }
}

impl Marker {
    fn written(&self) -> String {
        let Self { mark: Mark { plan, story, title }, block } = self;
        format!("{MARKER}plan={plan} story={story} title={title} block={block} -->")
    }

    fn read(line: &str) -> Option<Self> {
        let words = line.trim().strip_prefix(MARKER)?.strip_suffix("-->")?.trim();
        let value = |name: &str| {
            words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
        };
        let mark = Mark { plan: value("plan")?, story: value("story")?, title: value("title")? };
        Some(Self { mark, block: value("block")? })
    }
}

#[cfg(test)]
mod tests;
