//! The comment that shows the state of a PRD: the question, the ways to answer, the words that did not count. Text from people or a
//! model is escaped; documents are linked, not repeated.

use super::command::Mark;
use super::copy::{Stand, Worked};
use super::error::CopyError;
use super::trust::Distrust;
use super::words::reason_name;
use reqgate_base::clean::short_words;
use reqgate_base::model::Language;
use reqgate_flow::{Asking, Phase};
use reqgate_messages as messages;
use reqgate_prd::ask::{self, AskView};
use reqgate_prd::workflow::{GateSummary, PrdWorkflow, doubt_in_words, verdict_in_words};
use reqgate_report::escaped_markdown;

/// The most entries of one list.
const MOST_LISTED: usize = 20;
/// The longest entry, in characters.
const LONGEST_ENTRY: usize = 300;
/// The longest answer that is to be confirmed, in characters.
const LONGEST_ANSWER: usize = 4_000;
/// The longest document that a comment repeats where it cannot be pushed, in characters.
const LONGEST_DOCUMENT: usize = 40_000;
/// The first words of our comment.
const MARK: &str = "<!-- reqgate:prd ";

/// The place of a PRD on GitHub.
pub(super) struct Place<'a> {
    /// Its address for people.
    pub(super) site: &'a str,
    pub(super) branch: &'a str,
    /// The branch that it is for.
    pub(super) base: &'a str,
    /// The commit at its head.
    pub(super) commit: &'a str,
}

impl Place<'_> {
    fn short(&self) -> String {
        self.commit.chars().take(7).collect()
    }

    /// The link to compare and open a pull request.
    pub(super) fn compare(&self) -> String {
        format!("{}/compare/{}...{}?expand=1", self.site, in_address(self.base), in_address(self.branch))
    }
}

/// A path as part of an address for people.
fn in_address(path: &str) -> String {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'/');
    path.bytes().map(|byte| if fine(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The first line of our comment: the end of the log that it is about.
pub(super) fn head_line(seq: u64) -> String {
    format!("{MARK}{seq} -->\n")
}

/// The end of the log that a comment is about; `None` if the comment is not one of ours.
pub(super) fn seq_of(comment: &str) -> Option<u64> {
    comment.strip_prefix(MARK)?.split_once(" -->")?.0.parse().ok()
}

fn entry(text: &str) -> String {
    escaped_markdown(&short_words(text, LONGEST_ENTRY))
}

/// The comment on a thread.
pub(super) fn comment(place: &Place<'_>, worked: &Worked) -> String {
    let language = worked.state.language();
    let words = messages::PrdComment::of(language);
    let mut page = Page { words, language, text: head_line(worked.head) };
    match &worked.stand {
        Stand::Asking(id, question) => page.asking(place, worked, id, question),
        Stand::Ordering => page.line(&format!("### {}", words.ordering)),
        Stand::Ended(Phase::Completed) => {
            page.line(&format!("### {}\n\n{}", words.completed, words.completed_ways));
            if !worked.edited.is_empty() {
                let files: Vec<String> = worked.edited.iter().map(|file| format!("`{file}`")).collect();
                page.line(&words.edited(&files.join(", ")));
            }
        }
        Stand::Ended(Phase::Failed) => {
            page.line(&format!("### {}", words.failed));
            page.list(
                "",
                worked.state.prd_workflow_fatal_error_messages.iter().map(|message| entry(message)).collect(),
            );
        }
        Stand::Ended(_) => page.line(&format!("### {}", words.cancelled)),
    }
    let confirmed =
        worked.confirmed.iter().map(|one| words.confirmed_by(&entry(&one.by), &entry(&one.confirmer), &one.ask));
    page.list(words.confirmed, confirmed.collect());
    let not_counted = &worked.not_counted.not_counted;
    let line = |(by, reason): &(String, super::decision::NotCounted)| {
        format!("{}: {}", entry(by), reason_name(words, *reason))
    };
    page.list(words.not_counted, not_counted.iter().rev().take(5).map(line).collect());
    format!("{}\n", page.text.trim_end())
}

/// The comment on an issue whose text or log is not taken.
pub(super) fn stopped(language: Language, error: &CopyError) -> String {
    let words = messages::PrdComment::of(language);
    let (title, way) = match error {
        CopyError::Refused(_) => (words.refused, words.refused_way.to_owned()),
        CopyError::Distrust(Distrust::NotSaid(unsaid)) => {
            let value = escaped_markdown(&short_words(&unsaid.value, LONGEST_ANSWER));
            let way = words.unsaid_way(&entry(&unsaid.by), &unsaid.mark);
            (words.distrusted, format!("> {value}\n\n{way}"))
        }
        CopyError::Distrust(Distrust::Foreign(_)) => (words.distrusted, words.foreign_way.to_owned()),
        _ => (words.distrusted, words.distrusted_way.to_owned()),
    };
    format!("{}### {title}\n\n{}\n\n{way}\n", head_line(0), entry(&error.to_string()))
}

/// The comment on the issue where the branch cannot be written or the pull request not be opened.
pub(super) fn forbidden(place: &Place<'_>, worked: &Worked, is_pushed: bool, refusal: &str) -> String {
    let words = messages::PrdComment::of(worked.state.language());
    let mut text = head_line(worked.head);
    match is_pushed {
        true => text.push_str(&format!("{} [{}]({})\n", words.no_pull, words.compare, place.compare())),
        false => text.push_str(&format!("{}\n", words.no_push(&place.branch))),
    }
    text.push_str(&format!("\n{}\n", entry(refusal)));
    if let Some(shown) = &worked.shown {
        let document: String = reqgate_base::clean::lines(&shown.text).chars().take(LONGEST_DOCUMENT).collect();
        // A fence longer than all runs of backticks in the document.
        let longest = document.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(3) + 1);
        text.push_str(&format!("\n{fence}markdown\n{}\n{fence}\n", document.trim_end()));
    }
    text
}

/// The title of the pull request; no word of it comes from the issue.
pub(super) fn pull_title(issue: u64) -> String {
    format!("PRD of issue {issue}")
}

/// The body of the pull request.
pub(super) fn pull_body(language: Language, issue: u64) -> String {
    messages::PrdComment::of(language).pull_body(&issue)
}

/// The headline of the next commit.
pub(super) fn headline(issue: u64, stand: &Stand) -> String {
    let what = match stand {
        Stand::Asking(_, question) => ask::view(question, Language::En).subject,
        Stand::Ordering => "waiting for the model",
        Stand::Ended(Phase::Completed) => "PRD approved",
        Stand::Ended(_) => "ended",
    };
    format!("PRD of issue {issue}: {what}")
}

struct Page {
    words: &'static messages::PrdComment,
    language: Language,
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push_str("\n\n");
    }

    /// A list of escaped entries under a heading; left out if there are none.
    fn list(&mut self, heading: &str, entries: Vec<String>) {
        if entries.is_empty() {
            return;
        }
        if !heading.is_empty() {
            self.line(&format!("**{heading}**"));
        }
        for entry in entries.iter().take(MOST_LISTED) {
            self.text.push_str(&format!("- {entry}\n"));
        }
        if let Some(more) = entries.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
            self.text.push_str(&format!("- {}\n", self.words.more(&more)));
        }
        self.text.push('\n');
    }

    fn asking(&mut self, place: &Place<'_>, worked: &Worked, id: &Mark, question: &Asking<PrdWorkflow>) {
        let words = self.words;
        let view = ask::view(question, self.language);
        self.line(&format!("### {}", entry(&view.title)));
        if let Some(shown) = &worked.shown {
            let link = format!("{}/blob/{}/{}", place.site, in_address(place.branch), in_address(&shown.path));
            let path = entry(&shown.path);
            self.line(&format!("{}: [{path}]({link}) · {} `{}`", words.document, words.commit, place.short()));
        }
        self.body(&view);
        self.line(&format!("**{}**", words.answer));
        for way in self.ways(place, id, question, &view) {
            self.text.push_str(&format!("- {way}\n"));
        }
        self.text.push_str(&format!("\n<sub>{}</sub>\n\n", words.who));
    }

    fn body(&mut self, view: &AskView<'_>) {
        let words = self.words;
        view.gate.iter().for_each(|gate| self.gate(gate));
        if let Some(context) = &view.context {
            self.list(&entry(&context.title), context.lines.iter().map(|line| entry(line)).collect());
        }
        self.questions(view.questions);
        let doubts = view.doubts.iter().map(|one| {
            let doubts: Vec<String> = one.doubts.iter().map(|doubt| doubt_in_words(doubt, self.language)).collect();
            format!("{}: {}", entry(&one.at), entry(&doubts.join("; ")))
        });
        self.list(words.unproven, doubts.collect());
        let by_hand = view.by_hand.iter().map(|one| format!("{}: {}", one.id, entry(&one.in_words(self.language))));
        self.list(words.changed_by_hand, by_hand.collect());
        let not_used = view.not_used.iter().map(|one| format!("{}: {}", entry(&one.id), entry(&one.place.quote)));
        self.list(words.not_used, not_used.collect());
        let requirements = view.requirements.into_iter().flat_map(|ask| &ask.requirements);
        let requirements = requirements.map(|one| format!("{}: {}", one.id, entry(&one.title)));
        self.list(words.requirements, requirements.collect());
        let gaps = view.gaps.into_iter().flat_map(|ask| &ask.identified_gaps);
        let gaps = gaps.map(|gap| format!("{}: {}", entry(&gap.title), entry(&gap.description)));
        self.list(words.gaps, gaps.collect());
        if let Some(taken_out) = &view.taken_out {
            self.line(&entry(taken_out));
        }
        for note in &view.notes {
            self.list(&entry(&note.title), note.lines.iter().map(|line| entry(line)).collect());
        }
    }

    fn questions(&mut self, questions: &[reqgate_flow::Question]) {
        let one = |one: &reqgate_flow::Question| format!("`{}` {}", one.id.replace('`', ""), entry(&one.question));
        self.list(self.words.questions, questions.iter().map(one).collect());
    }

    fn gate(&mut self, gate: &GateSummary) {
        if gate.only_tells() {
            return self.list(self.words.still_missing, gate.blockers.iter().map(|blocker| entry(blocker)).collect());
        }
        let score = gate.score.map(|score| format!(" {score:.0}/100")).unwrap_or_default();
        self.line(&format!("{}: {}{score}", self.words.gate, verdict_in_words(gate.verdict, self.language)));
        self.list("", gate.blockers.iter().chain(gate.remarks()).map(|told| entry(told)).collect());
    }

    /// The ways to answer, by the parts of the question.
    fn ways(&self, place: &Place<'_>, id: &Mark, question: &Asking<PrdWorkflow>, view: &AskView<'_>) -> Vec<String> {
        let words = self.words;
        let (commit, ask) = (place.short(), id.to_string());
        let approve = format!("{}, {}", words.approve(&commit), words.approve_by_command(&ask));
        let approve = if view.needs_reason { words.approve_stopped(&ask) } else { approve };
        let fenced = |first: &str, json: &str| format!("{first}\n\n  ````text\n  {json}\n  ````");
        let json = |json: &str| format!("/reqgate answer {ask}\n  ```json\n  {json}\n  ```");
        let lines = view.questions.first().map(|one| {
            let id = one.id.replace('`', "");
            fenced(words.by_lines, &format!("/reqgate answer {ask}\n  {id}: …"))
        });
        if matches!(question, Asking::Engine(..)) {
            return vec![words.again(&ask), words.stop(&ask)];
        }
        if let Some(asked) = view.requirements {
            let id = asked.requirements.first().map_or_else(|| "FR-001".to_owned(), |one| one.id.to_string());
            let verdicts = format!(
                r#"{{"verdicts": [{{"id": "{id}", "verdict": "reject", "reason": "…"}}], "others": "approve"}}"#
            );
            let added = r#"{"verdicts": [], "added": [{"description": "…"}], "others": "approve"}"#;
            return vec![
                approve,
                fenced(words.edit_requirements, &json(&verdicts)),
                fenced(words.write_requirements, &json(added)),
                words.reject_all(&ask),
            ];
        }
        let mut ways = match (view.document, view.yes_or_no) {
            (Some(_), _) => vec![approve, words.change(&ask), words.edit.to_owned()],
            (None, Some(_)) => vec![words.go_on(&ask), words.change(&ask)],
            (None, None) => Vec::new(),
        };
        ways.extend(lines);
        if view.yes_or_no.is_none() {
            ways.push(words.leave_open(&ask));
        }
        if !view.not_used.is_empty() {
            let example = r#"{"approved": false, "adopt": {"u1": "constraints"}}"#;
            ways.push(fenced(words.by_json, &json(example)));
        }
        ways
    }
}
