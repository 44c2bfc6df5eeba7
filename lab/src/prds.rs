//! Tasks about PRDs: sound ones, and the same with one planted fault, as the critics see them.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::measure::{Counts, Evidence};
use super::observation::{Observed, Run};
use super::prd_task::{PrdAsks, PrdTask};
use super::rows::Row;
use super::suite::ReadAs;
use reqgate_base::files;
use reqgate_base::model::{Category, LineIndex, RuleId, Span};
use reqgate_flow::read_value;
use reqgate_prd::GapSeverity;
use reqgate_prd::critique::{
    CRITIQUE, Critique, CritiqueOrder, Document, FindingCode, PASS_MARK, ReadCritique, Readable, Role, feasibility,
    form, lines_without_a_bound,
};
use reqgate_prd::team::sections::SectionId;
use reqgate_rules::Profile;
use reqgate_text::blocks::BlockKind;

/// The parts that count for the completeness of a PRD: the summary, and those that the checks of form know.
const PARTS: [FindingCode; 4] = [
    FindingCode::MissingProblem,
    FindingCode::MissingRequirements,
    FindingCode::MissingMetrics,
    FindingCode::MissingTimeline,
];

/// The number of changes that a planted fault causes in a critique: its issues, the score of its category, the total
/// score.
const SIGNS: usize = 3;

/// One fault planted in a document: `section` is removed, or `find` is replaced.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Planted {
    #[serde(rename = "id")]
    _id: String,
    document: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(default)]
    section: Option<String>,
    #[serde(default)]
    find: Option<String>,
    #[serde(default)]
    replace: String,
    role: Role,
    category: String,
    /// The finding that the checks of form should make; `None` if only a reader can find the fault.
    #[serde(default)]
    code: Option<FindingCode>,
    /// Findings that follow from the fault.
    #[serde(default)]
    also: Vec<FindingCode>,
}

impl Planted {
    /// The document with the fault.
    fn planted(&self, text: &str) -> Result<String, String> {
        let taken = match (&self.section, &self.find) {
            (Some(heading), None) => {
                section(text, heading).ok_or_else(|| format!("`{}` has no section `{heading}`", self.document))?
            }
            (None, Some(find)) => find,
            _ => return Err("write either `section` or `find`".to_owned()),
        };
        match text.matches(taken).count() {
            1 => Ok(text.replacen(taken, &self.replace, 1)),
            count => Err(format!("the words to replace are {count} times in `{}`, not once", self.document)),
        }
    }
}

/// A section from its heading to the next one of its kind: `## …`, or a line in bold.
fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let start = text.find(&format!("\n{heading}\n"))? + 1;
    let mark: String = heading.chars().take_while(|c| matches!(c, '#' | '*')).collect();
    let next = if mark.starts_with('#') { format!("\n{mark} ") } else { format!("\n{mark}") };
    let rest = &text[start + heading.len()..];
    // `**FR-001** …` begins a paragraph, not a section.
    let ends =
        |at: &usize| mark.starts_with('#') || rest[at + 1..].lines().next().is_some_and(|line| line.ends_with("**"));
    let end = rest.match_indices(&next).map(|(at, _)| at).find(ends);
    Some(&text[start..end.map_or(text.len(), |at| start + heading.len() + at + 1)])
}

/// The observations of a row. Rows without a reading are left out of a task about readings.
pub(crate) fn observe(run: &Run<'_>, row: &Row, task: &PrdTask) -> Result<Observed, String> {
    match task.asks {
        PrdAsks::Sound => {
            let found = by_form(&run.text(row)?.joined());
            Ok(run.one(row, Evidence::Amount(found.len() as f64)))
        }
        PrdAsks::Completeness => Ok(run.one(row, Evidence::Amount(completeness(&run.text(row)?.joined())))),
        PrdAsks::Clarity => {
            let clarity = clarity(run, &run.text(row)?.joined());
            Ok(clarity.map_or_else(Observed::default, |share| run.one(row, Evidence::Amount(share))))
        }
        PrdAsks::Feasibility => {
            let text = run.text(row)?.joined();
            Ok(run.one(row, Evidence::Amount(feasibility(&Document::new("prd.md", &text)))))
        }
        PrdAsks::Form => form_of(run, row, task),
        PrdAsks::Reading => reading_of(run, row, task),
    }
}

/// The share of clear sentences, 0 to 100; `None` for a text without sentences.
fn clarity(run: &Run<'_>, text: &str) -> Option<f64> {
    let book = &run.engine.pipeline.book;
    let reading = book.reader.read(text, None);
    let of_document = ReadAs { genre: None, profile: Profile::Prd };
    let is_ambiguity = |rule: &RuleId| book.rule(rule).is_some_and(|rule| rule.file.category == Category::Ambiguity);
    let findings = run.engine.findings(text, of_document);
    let unclear: Vec<Span> = findings.iter().filter(|one| is_ambiguity(&one.rule)).filter_map(|one| one.span).collect();
    let unbound = lines_without_a_bound(&Document::new("prd.md", text));
    let lines = LineIndex::new(text);
    let is_clear = |sentence: Span| {
        let line = u32::try_from(lines.position(text, sentence.start).line).unwrap_or(u32::MAX);
        !unbound.contains(&line) && !unclear.iter().any(|span| span.overlaps(sentence))
    };
    let is_said = |block: usize| {
        !matches!(
            reading.blocks[block].kind,
            BlockKind::FrontMatter | BlockKind::Heading(_) | BlockKind::TableRow { header: true }
        )
    };
    let said: Vec<Span> = reading.sentences.iter().filter(|one| is_said(one.block)).map(|one| one.span).collect();
    let clear = said.iter().filter(|span| is_clear(**span)).count();
    (!said.is_empty()).then(|| clear as f64 / said.len() as f64 * 100.0)
}

fn completeness(text: &str) -> f64 {
    let found = by_form(text);
    let missing = PARTS.iter().filter(|part| found.iter().any(|(_, code)| *code == part.name())).count();
    let is_summary = |line: &str| {
        let heading = line.trim_matches(['#', '*', ' ']);
        line.starts_with(['#', '*']) && SectionId::named(heading) == Some(SectionId::ExecutiveSummary)
    };
    let has_summary = text.lines().any(is_summary);
    let parts = PARTS.len() + 1;
    (PARTS.len() - missing + usize::from(has_summary)) as f64 / parts as f64 * 100.0
}

/// The findings of every critic by form, without a reader.
fn by_form(text: &str) -> Vec<(Role, String)> {
    let document = Document::new("prd.md", text);
    let all =
        Role::ALL.iter().flat_map(|role| form(&document, *role).issues_found.into_iter().map(|one| (*role, one.code)));
    all.collect()
}

/// The fault of a row, and the document without it and with it.
fn pair(run: &Run<'_>, row: &Row, task: &PrdTask) -> Result<(Planted, [String; 2]), String> {
    let planted: Planted =
        serde_json::from_value(Value::Object(row.fields.clone())).map_err(|error| error.to_string())?;
    let path = run.root.join(&task.documents).join(format!("{}.md", planted.document));
    let sound = read(&path)?.ok_or_else(|| format!("there is no document `{}`", planted.document))?;
    let faulty = planted.planted(&sound)?;
    Ok((planted, [sound, faulty]))
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match files::text(path, files::RECORDS) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("reading {}: {error}", path.display())),
    }
}

fn form_of(run: &Run<'_>, row: &Row, task: &PrdTask) -> Result<Observed, String> {
    let (planted, [sound, faulty]) = pair(run, row, task)?;
    let before = by_form(&sound);
    let new: Vec<(Role, String)> = by_form(&faulty).into_iter().filter(|one| !before.contains(one)).collect();
    let wanted = planted.code.map(|code| (planted.role, code.name()));
    let is_found = wanted.as_ref().is_some_and(|wanted| new.contains(wanted));
    let follows = |code: &str| planted.also.iter().any(|also| also.name() == code);
    let others = new.iter().filter(|one| Some(*one) != wanted.as_ref() && !follows(&one.1)).count();
    let mut counts = Counts::of(wanted.is_some(), is_found);
    counts.fp += others as u64;
    Ok(run.one(row, Evidence::Counts(vec![counts])))
}

fn reading_of(run: &Run<'_>, row: &Row, task: &PrdTask) -> Result<Observed, String> {
    let (planted, texts) = pair(run, row, task)?;
    let mut critiques: Vec<Critique> = Vec::with_capacity(texts.len());
    for (text, which) in texts.iter().zip(["sound", "faulty"]) {
        let order = CritiqueOrder::new(planted.role, run.engine.pipeline.masked(text));
        let read = match (run.critic, &task.readings) {
            // A reading that does not pass the checks counts as finding no fault.
            (Some(critic), _) => match critic(&order)? {
                Some(read) => Some(read),
                None => return Ok(run.one(row, Evidence::Counts(vec![Counts::of(true, false); SIGNS]))),
            },
            (None, Some(folder)) => recorded(&run.root.join(folder).join(format!("{}.{which}.json", row.id)), &order)?,
            (None, None) => None,
        };
        let Some(read) = read else { return Ok(Observed::default()) };
        let document = Document::new("prd.md", order.prd());
        let readable = Readable::new(&document, planted.role);
        critiques.push(readable.critique(&read, PASS_MARK, &form(&document, planted.role)));
    }
    let [sound, faulty] = critiques.as_slice() else { return Ok(Observed::default()) };
    // The issues by severity, the worst first, to compare their number and their severity.
    let issues = |critique: &Critique| {
        let own = critique.issues_found.iter().filter(|issue| issue.category == planted.category);
        let severities: Vec<GapSeverity> = own.map(|issue| issue.severity).collect();
        let severity = [GapSeverity::Critical, GapSeverity::High, GapSeverity::Medium, GapSeverity::Low];
        severity.map(|severity| severities.iter().filter(|own| **own == severity).count())
    };
    let category = |critique: &Critique| critique.category_scores.get(&planted.category).copied();
    let falls: [bool; SIGNS] =
        [issues(faulty) > issues(sound), category(faulty) < category(sound), faulty.score < sound.score];
    Ok(run.one(row, Evidence::Counts(falls.iter().map(|fell| Counts::of(true, *fell)).collect())))
}

/// A recorded reading, checked like every result of its order.
fn recorded(path: &Path, order: &CritiqueOrder) -> Result<Option<ReadCritique>, String> {
    let Some(text) = read(path)? else { return Ok(None) };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    if let Some(problem) = CRITIQUE.problems(order, &value).first() {
        return Err(format!("{name} does not pass the checks: {problem}"));
    }
    read_value(&value).map(Some).map_err(|error| format!("{name}: {error}"))
}
