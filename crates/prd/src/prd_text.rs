//! Builds `prd.md`: status, request, brief, approved requirements and traceability table, in the language of the brief.

use super::brief::{BriefSection, assigned_labels};
use super::in_words::{category_in_words, place_in_words};
use super::prd_document::{PrdQuestion, SettledConflict, settled_conflicts};
use super::prd_input::{PrdInput, Revision, priority_shown, status_name};
use super::requirements::title_of;
use super::waiting::{Waiting, questions_of};
use super::{
    Decided, DocumentStatus, GapChoice, OpenQuestion, QuestionId, Requirement, RequirementId, SourceQuote, Statement,
};
use reqgate_base::model::Language;
use reqgate_docs::front_matter::body;
use reqgate_docs::table::table;
use reqgate_docs::values::cut;
use reqgate_docs::write::{self, one_line as bare_line};
use reqgate_docs::{Outline, escaped};

/// The longest quote in the table of traces, in characters.
const LONGEST_QUOTE: usize = 121;

/// Renders the PRD as Markdown with the front matter that the gate reads. The same input gives the same bytes.
pub fn render_prd(input: &PrdInput<'_>) -> String {
    let words = Headings::of(input.brief.language);
    let waiting = input.waiting();
    let mut out = front_matter(input);
    push(&mut out, &format!("# {}", one_line(&input.brief.title)));
    push(&mut out, &format!("## {}", words.status));
    let status = input.status;
    let (author, modified) = (one_line(&status.author), one_line(&status.last_modified));
    let row = [author.as_str(), &modified, status_in(status.status, words.language)];
    push(&mut out, &table(&words.status_columns, [row]));
    undecided(input, &waiting, words, &mut out);
    push(&mut out, &format!("## {}", words.utterance));
    push(&mut out, &quoted(input.utterance));
    push(&mut out, &format!("## {}", words.brief));
    brief(input, &waiting, words, &mut out);
    let (quality, functional): (Vec<_>, Vec<_>) =
        input.included().partition(|(requirement, _)| requirement.id.is_quality());
    requirements(words.functional, &functional, &waiting, words, &mut out);
    if !quality.is_empty() {
        requirements(words.quality, &quality, &waiting, words, &mut out);
    }
    let left_open: Vec<String> = input.left_open().iter().map(|words| item(words)).collect();
    if !left_open.is_empty() {
        push(&mut out, &format!("## {}", words.left_open));
        push(&mut out, &left_open.join("\n"));
    }
    notes(input, words, &mut out);
    traces(input, words, &mut out);
    out
}

fn front_matter(input: &PrdInput<'_>) -> String {
    let quoted = |words: &str| serde_json::Value::from(bare_line(words)).to_string();
    let mut out = String::from("---\n");
    if let Some(project) = input.project_id {
        out.push_str(&format!("project_id: {}\n", quoted(project)));
    }
    let status = input.status;
    out.push_str(&format!("feature_id: {}\n", input.feature_id));
    out.push_str(&format!("title: {}\n", quoted(&input.brief.title)));
    out.push_str(&format!("type: feature\nsource: prd\nversion: \"{}\"\n", input.version()));
    out.push_str(&format!("status: {}\n", status_name(status.status)));
    out.push_str(&format!("updated: {}\n", bare_line(&status.last_modified)));
    out.push_str(&format!("owner: {}\n", quoted(&status.author)));
    out.push_str(&format!("language: {}\n---\n", input.brief.language.name()));
    out
}

/// A table of the open questions that block something: ids, and the people and days for the answers.
fn undecided(input: &PrdInput<'_>, waiting: &Waiting, words: &Headings, out: &mut String) {
    let rows: Vec<[String; 4]> = waiting
        .iter()
        .filter_map(|(id, ids)| {
            let question = input.brief.open_questions.iter().find(|question| question.id == Some(*id))?;
            let or_none = |words: &Option<String>| words.as_deref().map_or_else(|| NOTHING.to_owned(), one_line);
            Some([id.to_string(), or_none(&question.owner), or_none(&question.due), listed(ids)])
        })
        .collect();
    if !rows.is_empty() {
        push(out, &table(&words.undecided_columns, rows.iter().map(cells_of)));
    }
}

/// Ids in one cell.
fn listed<I: ToString>(ids: &[I]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn brief(input: &PrdInput<'_>, waiting: &Waiting, words: &Headings, out: &mut String) {
    let brief = input.brief;
    for section in BriefSection::ALL {
        let statements = brief.statements(section);
        let own = |statement: &&Statement| match section {
            BriefSection::Goals | BriefSection::Flows => !input.leaves_out(statement),
            BriefSection::Constraints => !input.leaves_out(statement) && !input.requires(statement),
            _ => true,
        };
        let lines: Vec<String> = match section {
            BriefSection::OutOfScope => input.out_of_scope().iter().map(|text| item(text)).collect(),
            _ => statements.iter().filter(own).map(|statement| item(&statement.text)).collect(),
        };
        if !lines.is_empty() {
            push(out, &format!("### {}", headings::of_section(section, words.language)));
            push(out, &lines.join("\n"));
        }
    }
    let settled = settled_conflicts(&brief.open_questions);
    let settled: Vec<[String; 2]> = settled.iter().map(|conflict| settled_row(conflict, words.language)).collect();
    if !settled.is_empty() {
        push(out, &format!("### {}", words.settled));
        push(out, &table(&words.settled_columns, settled.iter().map(cells_of)));
    }
    let other = brief.open_questions.iter().filter(|question| !question.settles_a_conflict());
    let (answered, open): (Vec<_>, Vec<_>) = other.partition(|question| question.answer.is_some());
    let (with_default, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|question| question.has_default());
    let shown =
        |question: &OpenQuestion| item(&question_shown(&PrdQuestion::waited_for(question, waiting), words.language));
    for (heading, questions) in [(words.answered, answered), (words.open, open), (words.with_default, with_default)] {
        if !questions.is_empty() {
            push(out, &format!("### {heading}"));
            push(out, &questions.into_iter().map(shown).collect::<Vec<_>>().join("\n"));
        }
    }
    for other in brief.other_sections.iter().filter(|other| !other.text.trim().is_empty() && !other.heading.is_empty())
    {
        push(out, &format!("### {}", one_line(&other.heading)));
        push(out, &other.text.trim().lines().map(escaped).collect::<Vec<_>>().join("\n"));
    }
}

fn requirements(
    heading: &str,
    list: &[(&Requirement, Option<&str>)],
    waiting: &Waiting,
    words: &Headings,
    out: &mut String,
) {
    push(out, &format!("## {heading}"));
    let rows: Vec<[String; 7]> =
        list.iter().map(|(requirement, _)| cells(requirement, waiting, words.language)).collect();
    if rows.is_empty() {
        push(out, words.none);
        return;
    }
    // An empty column is left out.
    let is_shown = |column: &usize| {
        ![TITLE, PRIORITY, WAITS_FOR].contains(column) || rows.iter().any(|row| row[*column] != NOTHING)
    };
    let columns: Vec<usize> = (0..words.requirement_columns.len()).filter(is_shown).collect();
    let head: Vec<&str> = columns.iter().map(|column| words.requirement_columns[*column]).collect();
    push(out, &table(&head, rows.iter().map(|row| columns.iter().map(|column| row[*column].as_str()))));
}

/// The columns of the parts of a requirement.
const ID: usize = 0;
const TITLE: usize = 1;
const TEXT: usize = 2;
const CRITERIA: usize = 3;
const PRIORITY: usize = 4;
const CATEGORY: usize = 5;
const WAITS_FOR: usize = 6;
/// The content of an empty cell.
const NOTHING: &str = "–";

/// The cells of a requirement's row.
fn cells(requirement: &Requirement, waiting: &Waiting, language: Language) -> [String; 7] {
    let waits_for = questions_of(waiting, &requirement.id);
    let criteria: Vec<String> = requirement.own_criteria().map(|criterion| one_line(criterion)).collect();
    [
        requirement.id.to_string(),
        title_shown(&requirement.title, &requirement.description),
        one_line(&requirement.description),
        if criteria.is_empty() { NOTHING.to_owned() } else { criteria.join("<br>") },
        priority_shown(requirement.priority).to_owned(),
        one_line(category_in_words(&requirement.category, language)),
        if waits_for.is_empty() { NOTHING.to_owned() } else { listed(&waits_for) },
    ]
}

/// The share of a requirement's text, from its beginning, that makes a title redundant.
const NEARLY_ALL: f64 = 2.0 / 3.0;

/// The title of a requirement, unless the text makes it redundant.
fn title_shown(title: &str, description: &str) -> String {
    let bare = |words: &str| bare_line(words).trim_end_matches(['.', '。', '…']).trim_end().to_lowercase();
    let (own, words) = (bare(title), bare(description));
    let says_nearly_all = words.starts_with(&own) && own.len() as f64 >= NEARLY_ALL * words.len() as f64;
    if says_nearly_all || own == bare(&title_of(description)) { NOTHING.to_owned() } else { one_line(title) }
}

fn notes(input: &PrdInput<'_>, words: &Headings, out: &mut String) {
    let revisions = input.revisions.iter().map(|revision| {
        let Revision { version, reason, actor, on, overridden: before } = revision;
        let before = before.iter().map(|why| item(&overridden(version.saturating_sub(1), why, words.language)));
        let wanted = format!("{version}.0, {}, {}: {}", bare_line(on), bare_line(actor), bare_line(reason));
        before.chain([item(&wanted)]).collect::<Vec<_>>()
    });
    let revisions = revisions.flatten();
    let modified = input
        .included()
        .filter_map(|(requirement, notes)| notes.map(|notes| item(&format!("{}: {notes}", requirement.id))));
    let rejected = input.requirements.iter().filter_map(|(requirement, decided)| {
        let Decided::Rejected { reason } = decided else { return None };
        let Requirement { id, title, .. } = requirement;
        Some(item(&format!("{id} ({}): {}{}", bare_line(title), words.rejected, bare_line(reason))))
    });
    let dismissed = input.gap_decisions.iter().filter_map(|one| {
        let GapChoice::Dismiss { reason } = &one.choice else { return None };
        let ids: Vec<String> = one.gap.requirements.iter().map(ToString::to_string).collect();
        let (ids, title) = (ids.join(words.language.of(", ", "、")), &one.gap.title);
        Some(item(&match (words.language, ids.as_str()) {
            (Language::En, "") => format!("({title}), gap dismissed: {reason}"),
            (Language::En, ids) => format!("{ids} ({title}), gap dismissed: {reason}"),
            (Language::Zh, "") => format!("缺口“{title}”不予处理：{reason}"),
            (Language::Zh, ids) => format!("{ids}：缺口“{title}”不予处理：{reason}"),
        }))
    });
    let notes: Vec<String> = revisions.chain(modified).chain(rejected).chain(dismissed).collect();
    if !notes.is_empty() {
        push(out, &format!("## {}", words.notes));
        push(out, &notes.join("\n"));
    }
}

/// The entry of the change log about a version that the gate did not pass.
pub(super) fn overridden(version: u32, reason: &str, language: Language) -> String {
    let said = language.of("approved although the gate stops it: ", "质量门未通过，仍予批准：");
    format!("{version}.0, {said}{}", bare_line(reason))
}

fn traces(input: &PrdInput<'_>, words: &Headings, out: &mut String) {
    push(out, &format!("## {}", words.traces));
    let rows: Vec<[String; 3]> = input
        .traceability()
        .into_iter()
        .zip(input.included())
        .map(|(row, (requirement, _))| {
            let mut quotes: Vec<String> = Vec::new();
            // A statement from a review is cited only by its location if the requirement has the same words.
            let is_own = |words: &str| {
                let own = [&requirement.description].into_iter().chain(&requirement.acceptance_criteria);
                let mut own = own.map(|text| bare_line(text));
                own.any(|text| text.contains(&bare_line(words)))
            };
            for place in &requirement.sources {
                // The person who passed it on typed it, so it has no quotation marks.
                let shown = match place.source.starts_with("ask:") {
                    true if is_own(&place.quote) => place_in_words(place, words.language),
                    true => {
                        let colon = words.language.of(": ", "：");
                        format!("{}{colon}{}", place_in_words(place, words.language), shortened(&place.quote))
                    }
                    false => place_shown(place, words.language),
                };
                let shown = one_line(&shown);
                if !quotes.contains(&shown) {
                    quotes.push(shown);
                }
            }
            let or_none = |cells: Vec<String>, between| match cells.is_empty() {
                true => "–".to_owned(),
                false => cells.join(between),
            };
            [row.requirement_id.to_string(), or_none(row.criterion_ids, ", "), or_none(quotes, "<br>")]
        })
        .collect();
    push(out, &table(&words.trace_columns, rows.iter().map(cells_of)));
}

/// A question with its answer or owner, and with the quotes if several passages raise it.
pub fn question_shown(question: &PrdQuestion, language: Language) -> String {
    let PrdQuestion { id, question: asked, answer, owner, due, default, blocks, sources } = question;
    let mut out = id.map_or_else(|| asked.clone(), |id| format!("{id}: {asked}"));
    if let Some(answer) = answer {
        out.push_str(&format!(" {answer}"));
    } else {
        let said = assigned_labels(language).into_iter().zip([owner, due, default]);
        let said = said.filter_map(|(label, words)| Some(format!("{}{}", label.to_lowercase(), words.as_ref()?)));
        let said = said.collect::<Vec<_>>().join(language.of("; ", "；"));
        if !said.is_empty() {
            out.push_str(&language.of(format!(" ({said})"), format!("（{said}）")));
        }
    }
    if !blocks.is_empty() {
        out.push_str(&format!("{}{}]", blocks_label(language), listed(blocks)));
    }
    out.push_str(&places_shown(asked, sources, language));
    out
}

/// The beginning of the list of requirements that wait for a question.
fn blocks_label(language: Language) -> &'static str {
    language.of(" [blocks ", " [等待此答复：")
}

/// The id of a question in a document, its words, and the requirements that wait for it, which are listed after them.
fn identified(item: &str) -> (Option<QuestionId>, String, Vec<RequirementId>) {
    let (id, words) = QuestionId::split(item);
    let labels = [Language::En, Language::Zh].map(blocks_label).into_iter();
    let list = labels.filter_map(|label| Some((words.find(label)?, label))).next();
    let list = list.and_then(|(at, label)| Some((at, at + label.len(), at + words[at..].find(']')?)));
    match list {
        Some((start, ids, end)) => {
            let ids = words[ids..end].split([',', '、']).filter_map(|id| id.trim().parse().ok());
            (id, format!("{}{}", &words[..start], &words[end + 1..]), ids.collect())
        }
        None => (id, words.to_owned(), Vec::new()),
    }
}

/// The passages that raise a question, if there are several and the question does not quote them; otherwise empty.
fn places_shown(asked: &str, sources: &[SourceQuote], language: Language) -> String {
    let quotes: Vec<String> = sources
        .iter()
        .filter(|place| !asked.contains(place.quote.trim()))
        .map(|place| place_shown(place, language))
        .collect();
    if sources.len() > 1 && !quotes.is_empty() { format!(" [{}]", quotes.join("; ")) } else { String::new() }
}

/// A location with its quote: `ticket.md:4 “…”`.
fn place_shown(place: &SourceQuote, language: Language) -> String {
    format!("{} “{}”", place_in_words(place, language), shortened(&place.quote))
}

/// The row of a settled conflict: the contradicting passages, and the valid statement. The question is repeated if it
/// has its own wording.
fn settled_row(conflict: &SettledConflict, language: Language) -> [String; 2] {
    let SettledConflict { question, was, now } = conflict;
    let places: Vec<String> = was.iter().map(|place| one_line(&place_shown(place, language))).collect();
    let is_made_of_them = was.iter().filter(|place| question.contains(place.quote.trim())).count() > 1;
    let now = if is_made_of_them { now.clone() } else { format!("{question} {now}") };
    [places.join("<br>"), one_line(&now)]
}

/// The beginning of a quote.
fn shortened(quote: &str) -> String {
    cut(&bare_line(quote), LONGEST_QUOTE)
}

/// The name of the status in this language.
pub(super) fn status_in(status: DocumentStatus, language: Language) -> &'static str {
    match status {
        DocumentStatus::Draft => language.of("draft", "草稿"),
        DocumentStatus::InReview => language.of("in review", "评审中"),
        DocumentStatus::Approved => language.of("approved", "已批准"),
        DocumentStatus::InProgress => language.of("in progress", "实施中"),
        DocumentStatus::Complete => language.of("complete", "已完成"),
    }
}

/// Adds a part after an empty line.
fn push(out: &mut String, part: &str) {
    out.push('\n');
    out.push_str(part);
    out.push('\n');
}

/// The cells of a row, borrowed.
fn cells_of<const N: usize>(row: &[String; N]) -> impl Iterator<Item = &str> {
    row.iter().map(String::as_str)
}

fn item(words: &str) -> String {
    write::item(&one_line(words))
}

/// The text on one line, escaped.
fn one_line(words: &str) -> String {
    escaped(&bare_line(words))
}

fn quoted(words: &str) -> String {
    words
        .trim()
        .lines()
        .map(|line| format!("> {}", escaped(line.trim_end())).trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the PRD for a review: without front matter, change log and traceability table, a third of its words; the
/// last line names the omitted parts.
pub fn reading_copy(prd: &str, language: Language) -> String {
    let headings = headings::both();
    let is_left_out = |heading: &str| headings.iter().any(|words| [words.notes, words.traces].contains(&heading));
    let (mut leaves_out, mut left_out) = (false, Vec::new());
    let (mut out, body) = (String::new(), body(prd));
    for (line, heading) in Outline::of(body).lines() {
        if let Some(heading) = heading.filter(|heading| heading.level == 2) {
            leaves_out = is_left_out(heading.words);
            left_out.extend(leaves_out.then_some(heading.words));
        }
        if !leaves_out {
            out.push_str(&body[line.start..line.end]);
        }
    }
    let names = left_out.join(language.of(", ", "、"));
    let told = language.of(format!("(Left out here: {names}.)"), format!("（此处略去：{names}。）"));
    if left_out.is_empty() { format!("{}\n", out.trim()) } else { format!("{}\n\n{told}\n", out.trim()) }
}

/// Returns true for a section that is generated from decisions, and therefore has no text of an author.
pub fn is_made_from_decisions(heading: &str) -> bool {
    headings::both().iter().any(|words| {
        let made = [words.status, words.functional, words.quality, words.notes, words.traces, words.left_open];
        let asked = [words.settled, words.answered, words.with_default];
        made.iter().chain(&asked).any(|own| own.eq_ignore_ascii_case(heading.trim()))
    })
}

mod answered;
mod data;
mod headings;
mod in_line;
mod questions;
mod standard;
mod table;
#[cfg(test)]
mod tests;
mod traces;

pub use data::followed;
use headings::Headings;
pub use in_line::in_line_with;
pub use questions::{holds_questions, number_questions, questions_in_line, questions_of_text, with_question_ids};
pub use standard::{in_standard_layout, without_brief};
pub use table::TableRequirement;
pub use traces::traces_in_line;
