//! A work order as text: everything that it takes to carry it out, and nothing that was shown before.

use std::path::Path;

use reqgate::clean;
use reqgate::model::Language;
use reqgate::prd::collect::{BriefFeedback, BriefModification};
use reqgate::prd::workflow::{OrderDocument, PrdNode, PrdWorkflow, SourceText, WorkOrder, document_on_disk};
use reqgate::workflow::{Event, StateStore, Store, ThreadRecord, position_at};

use super::super::exit::Failure;
use super::shown::plain;
use super::{run_failure, store_failure};

/// The outline of a team.
const OUTLINE: &str = "outline.md";
/// The PRD.
const PRD: &str = "prd.md";
/// Drafts that are looked for on disk.
const MOST_DRAFTS: u32 = 30;

/// Texts of an order that need not be shown with it.
#[derive(Debug, Default)]
pub struct Known {
    /// Names of the sources that the first order showed.
    sources: Vec<String>,
    /// The folder of the project, and that of the documents in it.
    folders: Option<(String, String)>,
}

impl Known {
    /// The texts that whoever carries out the orders of a thread has: the sources of its first order, and the documents on disk.
    pub fn of(store: &StateStore, record: &ThreadRecord, directory: Option<&str>) -> Result<Self, Failure> {
        let events = store.events_after(&record.id, 0).map_err(store_failure)?;
        let mut handed_out = events.iter().filter(|event: &&Event| event.body["kind"] == "handed-out");
        let mut sources = Vec::new();
        for first in handed_out.by_ref() {
            let position = position_at::<PrdWorkflow, _>(store, &record.id, first.seq).map_err(run_failure)?;
            // A critic is given the PRD alone.
            if position.node == PrdNode::Critique {
                continue;
            }
            let given = position.state.user_input.into_iter().map(|source| source.name);
            sources = given.chain(["utterance".to_owned()]).collect();
            break;
        }
        // The first order itself shows them.
        if handed_out.next().is_none() {
            sources.clear();
        }
        Ok(Self { sources, folders: directory.map(|directory| (record.root.clone(), directory.to_owned())) })
    }

    /// Where a document lies with exactly these words, relative to the project.
    pub fn path_of(&self, name: &str, text: &str) -> Option<String> {
        let (root, directory) = self.folders.as_ref()?;
        // A draft of a team lies there under its number.
        let drafts = (1..=MOST_DRAFTS).rev().map(|number| format!("prd_v{number}.md")).filter(|_| name == PRD);
        let mut names = std::iter::once(name.to_owned()).chain(drafts);
        names.find_map(|name| document_on_disk(Path::new(root), directory, &name, text))
    }
}

/// Orders as text, one below the other: what one shows, those below it name.
pub fn texts(documents: &[OrderDocument], known: &Known, language: Language) -> String {
    let text = |at: usize| self::text(&documents[at], &documents[..at], known, language);
    (0..documents.len()).map(text).collect::<Vec<_>>().join("\n")
}

/// The order as text, below others. Texts of strangers stand behind a margin that they cannot leave.
pub fn text(document: &OrderDocument, above: &[OrderDocument], known: &Known, language: Language) -> String {
    let order = &document.inputs;
    let step = serde_json::to_value(document.step).ok();
    let step = step.as_ref().and_then(|step| step.as_str()).unwrap_or_default();
    let attempts = document.attempt + document.attempts_left.saturating_sub(1);
    let mut text = match language {
        Language::En => {
            format!("work order {}: write `{step}`, attempt {} of {attempts}\n", document.id, document.attempt)
        }
        Language::Zh => {
            format!("工作单 {}：撰写 `{step}`，第 {} 次，共 {attempts} 次\n", document.id, document.attempt)
        }
    };
    if order.second_opinion {
        text.push_str(language.of(
            "  second opinion: whoever carries it out must not know the first reading\n",
            "  第二意见：执行者不得知道第一次阅读的结果\n",
        ));
    }
    for problem in &document.problems {
        text.push_str(&format!("  {}\n", plain(&problem.to_string())));
    }
    // What was wrong is news; how to write it was said with the first attempt.
    if document.attempt == 1 || known.sources.is_empty() {
        let same = above.iter().find(|other| other.instructions == document.instructions);
        match same {
            Some(other) => {
                let as_above = language
                    .of("instructions and shape of the result: as in work order {}", "要求和结果格式：同工作单 {}");
                text.push_str(&format!("\n{}\n", as_above.replace("{}", &other.id.to_string())));
            }
            None => text.push_str(&format!("\n{}\n", document.instructions.trim_end())),
        }
        let next = format!("reqgate prd next {}", document.id.thread);
        let above: Vec<&WorkOrder> = above.iter().map(|other| &other.inputs).collect();
        inputs(&mut text, &next, order, &above, known, language);
        if same.is_none() {
            let result = language.of("result, as JSON:", "结果（JSON）：");
            text.push_str(&format!("\n{result}\n{}", order.kind().shape()));
        }
    }
    let submit = language.of("submit with", "提交：");
    let file = document.submit_with.trim_end_matches('-');
    text.push_str(&format!("\n{submit}\n  {file}FILE\n"));
    text
}

/// The inputs: each text, or where it is.
fn inputs(text: &mut String, next: &str, order: &WorkOrder, above: &[&WorkOrder], known: &Known, language: Language) {
    let (mut shown_before, mut shown_above) = (Vec::new(), Vec::new());
    let is_above = |source: &SourceText| {
        above.iter().any(|other| other.sources.contains(source) || other.documents.contains(source))
    };
    let mut whole = String::new();
    for source in order.sources.iter().chain(&order.documents) {
        if known.sources.contains(&source.name) && order.sources.contains(source) {
            shown_before.push(plain(&source.name));
        } else if is_above(source) {
            shown_above.push(plain(&source.name));
        } else if let Some(path) = known
            .path_of(OUTLINE, &source.text)
            .filter(|_| source.name == "outline" && order.documents.contains(source))
        {
            whole.push_str(&format!("\noutline: {path}\n"));
        } else {
            whole.push_str(&format!("\n{}:\n{}", plain(&source.name), behind_a_margin(&source.text)));
        }
    }
    text.push_str(&whole);
    if !shown_above.is_empty() {
        let as_above = language.of("as in the work order above: ", "同上一张工作单：");
        text.push_str(&format!("\n{as_above}{}\n", shown_above.join(", ")));
    }
    if !shown_before.is_empty() {
        let as_before = language.of("sources, as in the first order: ", "来源（同第一张工作单）：");
        let again = language.of("`{}` shows them again", "用 `{}` 可再次查看").replace("{}", next);
        text.push_str(&format!("\n{as_before}{}\n  {again}\n", shown_before.join(", ")));
    }
    let documents = [
        (language.of("brief", "功能简介（brief）"), "feature-brief.md", &order.brief),
        (language.of("requirements", "需求（requirements）"), "requirements.md", &order.requirements),
        (language.of("prd", "PRD（prd）"), PRD, &order.prd),
    ];
    let colon = language.of(":", "：");
    let before = language.of(": ", "：");
    for (name, file, content) in documents {
        let Some(content) = content else { continue };
        if above.iter().any(|other| [&other.brief, &other.requirements, &other.prd].contains(&&Some(content.clone()))) {
            text.push_str(&format!("\n{name}{}\n", language.of(": as in the work order above", "：同上一张工作单")));
            continue;
        }
        match known.path_of(file, content) {
            Some(path) => text.push_str(&format!("\n{name}{before}{path}\n")),
            None => text.push_str(&format!("\n{name}{colon}\n{}", behind_a_margin(content))),
        }
    }
    if !order.sections.is_empty() {
        text.push_str(&format!("\nsections:\n{}", behind_a_margin(&order.sections.join("\n"))));
    }
    if !order.references.is_empty() {
        text.push_str(&format!("\n{}\n", language.of("references:", "参考资料（references）：")));
        for source in &order.references.0 {
            let title = if source.title == source.url { String::new() } else { format!("  {}", plain(&source.title)) };
            text.push_str(&format!("  {}  {}{title}\n", source.id, plain(&source.url)));
        }
    }
    if let Some(critic) = &order.critic
        && let Ok(critic) = serde_json::to_string_pretty(critic)
    {
        text.push_str(&format!("\n{}\n{critic}\n", language.of("critic:", "评审人（critic）：")));
    }
    if !order.gaps.is_empty() {
        text.push_str(&format!("\n{}\n", language.of("gaps:", "缺口（gaps）：")));
        for gap in &order.gaps {
            text.push_str(&super::shown::gap(gap));
        }
    }
    let wanted = order.feedback.as_ref().map(|feedback| in_words(feedback, language)).unwrap_or_default();
    if !wanted.is_empty() {
        let label = language.of("feedback:", "评审意见（feedback）：");
        text.push_str(&format!("\n{label}\n{}", behind_a_margin(&wanted)));
    }
}

/// What a person wants changed, as the person said it.
fn in_words(feedback: &BriefFeedback, language: Language) -> String {
    let colon = language.of(": ", "：");
    let of_section = |change: &BriefModification| {
        let reason = change.modification_reason.trim();
        let reason = if reason.is_empty() {
            String::new()
        } else {
            language.of(format!(" ({reason})"), format!("（{reason}）"))
        };
        format!("{}{colon}{}{reason}", change.section, change.requested_content.trim())
    };
    let whole = feedback.user_feedback.as_deref().map(str::trim).filter(|words| !words.is_empty()).map(str::to_owned);
    whole.into_iter().chain(feedback.modifications.iter().map(of_section)).collect::<Vec<_>>().join("\n")
}

/// Each line with its number and a bar, without what controls a terminal.
fn behind_a_margin(text: &str) -> String {
    let lines = clean::lines(text.trim_end());
    lines.lines().enumerate().map(|(at, line)| format!("{:>4}│ {line}\n", at + 1)).collect()
}
