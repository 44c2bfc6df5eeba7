//! Shows threads without changing them: lists, states, drafts, histories, differences and the graph.

use std::io::IsTerminal;
use std::path::Path;

use reqgate::files;
use reqgate::llm::ModelName;
use reqgate::model::Language;
use reqgate::prd::brief::parse_brief;
use reqgate::prd::gaps::{GapReading, is_worded};
use reqgate::prd::requirements::{ExportedRequirement, RequirementsDocument, RequirementsExport, parse_anyway};
use reqgate::prd::workflow::{
    AskDocument, DraftSettings, Effort, PrdAsk, PrdState, PrdWorkflow, ThreadDocument, Writer, current_prd, drafts_of,
    node_in_words,
};
use reqgate::text::{display_width, language};
use reqgate::workflow::effects::inside;
use reqgate::workflow::trace::{seconds_at_work, spans, write};
use reqgate::workflow::view::page_in;
use reqgate::workflow::{
    Asking, Difference, Event, Phase, Position, StateStore, Status, Store, StoreError, ThreadId, ThreadRecord,
    Workflow, current, decode, difference, imported_until, position_at,
};
use serde_json::{Value, json};

use super::super::arguments::prd::{
    DiffArguments, DraftChoice, GraphArguments, HistoryArguments, PrdFormat, ShowArguments, StateArguments,
    StatusArguments, ViewArguments,
};
use super::super::exit::{self, Failure};
use super::super::terminal::wrapped;
use super::super::{outputs, terminal};
use super::shown::{self, plain};
use super::words::{Words, words};
use super::{existing_store, from_here, print_json, run_failure, store_failure, store_here, store_of};

/// The status of a thread, from its log and from whether another program is working on it.
fn status_of(store: &StateStore, record: &ThreadRecord) -> Result<Status, Failure> {
    let claimed = record.phase == Phase::Running && store.is_claimed(&record.id).map_err(store_failure)?;
    Ok(Status::of(record.phase, claimed))
}

pub(super) fn position(store: &StateStore, record: &ThreadRecord) -> Result<Position<PrdWorkflow>, Failure> {
    current(store, record).map_err(run_failure)
}

/// The language of a thread. For a thread of another version only the title is known.
fn language_of(store: &StateStore, record: &ThreadRecord) -> Language {
    match position(store, record) {
        Ok(position) => position.state.language(),
        Err(_) => language::language_of(&record.title),
    }
}

/// The thread in which a reader has read these requirements for gaps, and its reading with the gaps that are left; `None` if they were changed since.
pub(crate) fn reading_of(path: &Path, document: &RequirementsDocument) -> Option<(ThreadId, GapReading)> {
    let store = store_here()?;
    let file = path.canonicalize().ok()?;
    let folder = if file.is_dir() { file.as_path() } else { file.parent()? };
    let now: Vec<ExportedRequirement> = document.export().requirements().collect();
    let records = store.records().ok()?.into_iter().filter(|record| record.workflow == PrdWorkflow::NAME);
    let mut read = records.filter_map(|record| {
        let state = position(&store, &record).ok()?.state;
        let own = Path::new(&state.prd_workspace_path).join(state.feature_id.as_ref()?.as_str());
        let was_read = state.has_reader() && state.gap_analysis_score.is_some();
        let is_same = was_read && folder.ends_with(&own) && state.recorded_requirements.as_ref() == Some(&now);
        is_same.then_some((record.id, state))
    });
    let (thread, state) = read.next()?;
    let reading = GapReading {
        gaps: state.identified_gaps.into_iter().filter(|gap| !is_worded(gap)).collect(),
        strengths: state.requirement_strengths,
        recommendations: state.gap_analysis_recommendations,
    };
    Some((thread, reading))
}

/// The PRD of the thread with this name: the file of an approved one, otherwise the draft under review; `None` without such a
/// thread or a draft.
pub(crate) fn prd_of(name: &Path) -> Option<String> {
    let thread: ThreadId = name.to_str()?.parse().ok()?;
    let store = store_here()?;
    let record = record(&store, &thread).ok().filter(|record| record.workflow == PrdWorkflow::NAME)?;
    let state = position(&store, &record).ok()?.state;
    let own = Path::new(&state.prd_workspace_path).join(state.feature_id.as_ref()?.as_str()).join("prd.md");
    let path = Path::new(&record.root).join(own);
    let is_approved = record.phase == Phase::Completed;
    let file = is_approved.then(|| files::text(&path, files::RECORDS).ok()).flatten();
    file.or_else(|| current_prd(&state))
}

/// The words in which a thread is spoken of.
pub(super) fn words_of(store: &StateStore, thread: &ThreadId) -> Result<&'static Words, Failure> {
    let record = store.record(thread).map_err(store_failure)?;
    Ok(words(record.map_or(Language::En, |record| language_of(store, &record))))
}

/// The only thread that has not ended.
///
/// # Errors
/// Fails if there is none or more than one, and names them.
pub(super) fn only_open_thread(state: &StateArguments) -> Result<ThreadId, Failure> {
    let records = match existing_store(state)? {
        Some(store) => store.records().map_err(store_failure)?,
        None => Vec::new(),
    };
    let is_open = |record: &&ThreadRecord| record.workflow == PrdWorkflow::NAME && !record.phase.is_terminal();
    let open: Vec<&ThreadRecord> = records.iter().filter(is_open).collect();
    match open.as_slice() {
        [only] => Ok(only.id.clone()),
        [] => Err(Failure::usage("no thread is open: start one with `reqgate prd start`, or name the one to continue")),
        several => {
            let ids: Vec<&str> = several.iter().map(|record| record.id.as_str()).collect();
            Err(Failure::usage(format!("several threads are open: name one of {}", ids.join(", "))))
        }
    }
}

/// Lists the threads.
pub(super) fn list(state: &StateArguments) -> Result<u8, Failure> {
    let Some(store) = existing_store(state)? else {
        match state.format {
            PrdFormat::Json => outputs::print("[]\n")?,
            PrdFormat::Human => outputs::print(words(terminal::language()).no_threads)?,
        }
        return Ok(exit::PASS);
    };
    let mut threads = Vec::new();
    for record in store.records().map_err(store_failure)? {
        threads.push((status_of(&store, &record)?, record));
    }
    match state.format {
        PrdFormat::Json => {
            let list: Vec<ThreadDocument> = threads
                .iter()
                .map(|(status, record)| {
                    // A thread of another version is listed without the parts that only that version can read.
                    let position = position(&store, record).unwrap_or_default();
                    ThreadDocument::new(record, *status, &position)
                })
                .collect();
            print_json(&list)?;
        }
        PrdFormat::Human if threads.is_empty() => outputs::print(words(terminal::language()).no_threads)?,
        PrdFormat::Human => {
            let width = threads.iter().map(|(_, record)| record.id.as_str().len()).max().unwrap_or_default();
            let lines: String = threads
                .iter()
                .map(|(status, record)| {
                    let language = language_of(&store, record);
                    let status = status.in_words(language);
                    let is_imported = position(&store, record).is_ok_and(|position| position.imported.is_some());
                    let mark = if is_imported { words(language).imported_mark } else { "" };
                    // A Chinese character takes two columns.
                    let room = " ".repeat(22usize.saturating_sub(display_width(status)));
                    format!("{:width$}  {status}{room}  {}{mark}\n", record.id.as_str(), plain(&record.title))
                })
                .collect();
            outputs::print(&wrapped(&lines))?;
        }
    }
    Ok(exit::PASS)
}

/// Shows how far a thread is; without one, all threads.
pub(super) fn status(arguments: &StatusArguments) -> Result<u8, Failure> {
    let Some(thread) = &arguments.thread else { return list(&arguments.state) };
    let store = store_of(&arguments.state, thread)?;
    let record = record(&store, thread)?;
    let status = status_of(&store, &record)?;
    let position = position(&store, &record)?;
    let mut report = ThreadDocument::new(&record, status, &position);
    report.drafts.clone_from(&position.state.drafts);
    report.effort = effort(&store, &record, &position.state)?;
    if let (Some(id), Some(open)) = (&record.ask, &position.open) {
        report.ask = Some(AskDocument::new(id, &open.question, &record));
    }
    match arguments.state.format {
        PrdFormat::Json => print_json(&report)?,
        PrdFormat::Human => {
            let language = position.state.language();
            let said = words(language);
            let colon = said.colon;
            let mut text = format!(
                "{}{colon}{}{}{}\n  {}\n",
                record.id,
                status.in_words(language),
                said.at,
                node_in_words(&record.node, language),
                plain(&record.title)
            );
            if let Some(directory) = &report.directory {
                let directory = from_here(&record, Path::new(directory)).display().to_string();
                text.push_str(&format!("  {}{}/\n", said.documents, plain(&directory)));
            }
            if let Some(drafts) = report.drafts.as_ref().filter(|drafts| drafts.author == Writer::Model) {
                text.push_str(&format!("  {}\n", plain(&written_by(drafts, said))));
            }
            if let Some(Effort { seconds, searches, rounds }) = report.effort {
                text.push_str(&format!("  {}\n", said.effort(&(seconds / 60), &rounds, &searches, &(seconds % 60))));
            }
            if let Some(events) = report.imported {
                text.push_str(&format!("  {}\n", said.imported_until(&events)));
            }
            if let (Some(ask), Some(open)) = (&report.ask, &position.open) {
                text.push_str(&format!("  {}{colon}{}\n", ask.id, plain(&open.question.title_in(language))));
            }
            for message in &report.messages {
                text.push_str(&format!("  {}\n", plain(message)));
            }
            outputs::print(&text)?;
        }
    }
    Ok(exit::PASS)
}

/// The model that writes the drafts, and the place that their texts are sent to.
fn written_by(drafts: &DraftSettings, said: &Words) -> String {
    let model = drafts.model.as_deref().unwrap_or("–");
    let is_program = model.parse::<ModelName>().is_ok_and(|model| model.provider().is_program());
    let server = drafts.server.as_deref().unwrap_or(said.own_server);
    let place = if is_program { said.this_machine } else { server };
    said.written_by(&model, &place)
}

/// The effort of a team so far; `None` in the flow of documents.
fn effort(store: &StateStore, record: &ThreadRecord, state: &PrdState) -> Result<Option<Effort>, Failure> {
    let Some(team) = &state.team else { return Ok(None) };
    let seconds = seconds_at_work(&store.events_after(&record.id, 0).map_err(store_failure)?);
    Ok(Some(Effort { seconds, searches: team.research_searches.len(), rounds: team.feedback_rounds.len() }))
}

fn record(store: &StateStore, thread: &ThreadId) -> Result<ThreadRecord, Failure> {
    let record = store.record(thread).map_err(store_failure)?;
    record.ok_or_else(|| store_failure(StoreError::Unknown(thread.clone())))
}

/// The state of a thread, now or after an event.
pub(super) fn state_of(store: &StateStore, thread: &ThreadId, at: Option<u64>) -> Result<PrdState, Failure> {
    match at {
        Some(at) => Ok(position_at::<PrdWorkflow, _>(store, thread, at).map_err(run_failure)?.state),
        None => Ok(position(store, &record(store, thread)?)?.state),
    }
}

/// Shows a draft, or the state.
pub(super) fn show(arguments: &ShowArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let state = state_of(&store, &arguments.thread, arguments.at)?;
    let draft = match arguments.draft {
        Some(DraftChoice::Brief) => state.feature_brief_content,
        Some(DraftChoice::Prd) => current_prd(&state),
        Some(DraftChoice::NotUsed) => return not_used(&store, &arguments.thread, arguments.full),
        Some(DraftChoice::Requirements) => {
            let export = requirements(&record(&store, &arguments.thread)?, &state)?;
            match arguments.state.format {
                PrdFormat::Json => print_json(&export)?,
                PrdFormat::Human => {
                    outputs::print(&wrapped(&shown::requirements(export, words(state.language()))))?;
                }
            }
            return Ok(exit::PASS);
        }
        None if std::io::stdout().is_terminal() && arguments.state.format == PrdFormat::Human => {
            let thread = &arguments.thread;
            return Err(Failure::usage(format!(
                "the whole state is for programs: use --draft brief, --draft prd, `reqgate prd status {thread}`, or --format json"
            )));
        }
        None => {
            print_json(&json!(state))?;
            return Ok(exit::PASS);
        }
    };
    match draft {
        // A file gets the draft unchanged; a terminal would execute control sequences in it.
        Some(text) if std::io::stdout().is_terminal() => outputs::print(&reqgate::clean::lines(&text))?,
        Some(text) => outputs::print(&text)?,
        None => return Err(Failure::usage(format!("thread `{}` has no such draft yet", arguments.thread))),
    }
    Ok(exit::PASS)
}

/// Lists the sentences of the sources that the brief under review does not use.
fn not_used(store: &StateStore, thread: &ThreadId, all: bool) -> Result<u8, Failure> {
    let position = position(store, &record(store, thread)?)?;
    let Some(Asking::Workflow(PrdAsk::BriefReview(review))) = position.open.as_ref().map(|open| &open.question) else {
        return Err(Failure::usage(format!("thread `{thread}` has no brief under review")));
    };
    outputs::print(&shown::not_used(&review.not_used, all, words(position.state.language())))?;
    Ok(exit::PASS)
}

/// The requirements grouped by decision: those in the file, and the proposals that are not in it yet.
fn requirements(record: &ThreadRecord, state: &PrdState) -> Result<RequirementsExport, Failure> {
    let none = || Failure::usage(format!("thread `{}` has no requirements yet", record.id));
    let feature = state.feature_id.as_ref().ok_or_else(none)?;
    let path = Path::new(&state.prd_workspace_path).join(feature.as_str()).join("requirements.md");
    let path = inside(Path::new(&record.root), &path).map_err(Failure::World)?;
    let document = match files::text(&path, files::RECORDS) {
        Ok(text) => parse_anyway(&text).0,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let brief = parse_brief(state.feature_brief_content.as_deref().unwrap_or_default());
            RequirementsDocument::new(feature, &brief.title, brief.language)
        }
        Err(error) => return Err(Failure::World(format!("{}: {error}", path.display()))),
    };
    Ok(document.with_proposals(&state.functional_requirements).0.export())
}

/// Prints the history of a thread.
pub(super) fn history(arguments: &HistoryArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let record = record(&store, &arguments.thread)?;
    let events = store.events_after(&arguments.thread, 0).map_err(store_failure)?;
    if arguments.spans {
        let mut lines = Vec::new();
        let spans = spans::<PrdWorkflow>(&record, &events, false).map_err(run_failure)?;
        write(&spans, &mut lines).map_err(|error| Failure::writing("the spans", &error))?;
        outputs::print(&String::from_utf8_lossy(&lines))?;
        return Ok(exit::PASS);
    }
    let imported = imported_until::<PrdWorkflow>(&arguments.thread, &events).map_err(run_failure)?;
    if arguments.state.format == PrdFormat::Json {
        let marked = |event: &Event| {
            let mut value = json!(event);
            if event.seq <= imported {
                value["imported"] = true.into();
            }
            value
        };
        print_json(&events.iter().map(marked).collect::<Vec<Value>>())?;
        return Ok(exit::PASS);
    }
    let language = language_of(&store, &record);
    let mark = |event: &Event| if event.seq <= imported { words(language).imported_mark } else { "" };
    let mut text = String::new();
    for event in &events {
        let body = decode::<PrdWorkflow>(&arguments.thread, event).map_err(run_failure)?;
        let line = plain(&body.headline_in(language));
        text.push_str(&format!(
            "{:4}  {}  {:10}  {line}{}\n",
            event.seq,
            plain(&event.at),
            plain(&event.actor),
            mark(event)
        ));
    }
    outputs::print(&text)?;
    Ok(exit::PASS)
}

/// Shows how two threads differ.
pub(super) fn diff(arguments: &DiffArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.one)?;
    let differences = difference::<PrdWorkflow, _>(&store, &arguments.one, &arguments.other).map_err(run_failure)?;
    if arguments.state.format == PrdFormat::Json {
        print_json(&json!(differences))?;
        return Ok(exit::PASS);
    }
    let said = words_of(&store, &arguments.one)?;
    let mut text = String::new();
    let short = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let short: String = plain(&text).chars().take(100).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    };
    for difference in &differences {
        match difference {
            Difference::Path { steps, one, other } => {
                let step = |step: &Option<String>| step.clone().unwrap_or_else(|| said.no_further_step.to_owned());
                let until = said.same_until(&steps);
                text.push_str(&format!("{until}\n  - {}\n  + {}\n", step(one), step(other)));
            }
            Difference::State { path, one, other } => {
                text.push_str(&format!("{path}\n  - {}\n  + {}\n", short(one), short(other)));
            }
        }
    }
    if text.is_empty() {
        text = format!("{}\n", said.no_difference);
    }
    outputs::print(&text)?;
    Ok(exit::PASS)
}

/// Writes a thread as one page: the graph with the way it took, the questions, the drafts.
pub(super) fn view(arguments: &ViewArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let record = record(&store, &arguments.thread)?;
    let status = status_of(&store, &record)?;
    let events = store.events_after(&arguments.thread, 0).map_err(store_failure)?;
    if arguments.output.is_none() && std::io::stdout().is_terminal() {
        let name = format!("{}.html", arguments.thread);
        return Err(Failure::usage(format!("the page is HTML: write it to a file with --output {name}")));
    }
    let page = page_in::<PrdWorkflow>(language_of(&store, &record), &record, status, &events, &drafts_of)
        .map_err(|error| Failure::World(format!("drawing the page: {error}")))?;
    match &arguments.output {
        Some(path) if path.as_os_str() != "-" => outputs::write_whole(path, &page)?,
        _ => outputs::print(&page)?,
    }
    Ok(exit::PASS)
}

/// Shows the steps of the workflow.
pub(super) fn graph(arguments: &GraphArguments) -> Result<u8, Failure> {
    let graph = PrdWorkflow::graph();
    match arguments.json {
        true => print_json(&graph.json())?,
        false => outputs::print(&graph.mermaid())?,
    }
    Ok(exit::PASS)
}
