//! Reports where a run stopped, as text or as JSON, and how to continue.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use reqgate::files::{self, Readers};
use reqgate::pipeline::Pipeline;
use reqgate::prd::Requirement;
use reqgate::prd::ask::{ShownText, shown_document, view};
use reqgate::prd::prd_text::reading_copy;
use reqgate::prd::team::revised::changed_sections;
use reqgate::prd::workflow::{
    AskDocument, OpenOrder, OrderDocument, PrdAsk, PrdState, PrdWorkflow, ThreadDocument, Writer, documents_of,
};
use reqgate::workflow::{AskId, Asking, Event, Order, OrderId, Phase, Run, StateStore, Status, Stop, Store, ThreadId};

use super::super::arguments::prd::{DrivingArguments, PrdFormat, StateArguments};
use super::super::exit::{self, Failure};
use super::super::{outputs, terminal};
use super::changed::changed_lines;
use super::edits::Documents;
use super::ordered::Known;
use super::seen::Seen;
use super::shown::plain;
use super::words::words;
use super::{from_here, local_folder, ordered, print_json, shown, store_failure, without_links};

/// Reports where a run stopped and how to continue.
pub(super) fn stopped(
    run: &Run<'_, PrdWorkflow, StateStore>,
    stop: &Stop<PrdWorkflow>,
    since: Option<u64>,
    store: &StateStore,
    pipeline: &Pipeline,
    driving: &DrivingArguments,
) -> Result<u8, Failure> {
    let directory = ThreadDocument::new(run.record(), Status::of(run.position().phase, true), run.position()).directory;
    let known = Known::of(store, run.record(), directory.as_deref())?;
    let events = since.map(|since| store.events_after(&run.record().id, since)).transpose().map_err(store_failure)?;
    let new = events.map(|events| {
        let is_new = |order: &Order| {
            let mut handed_out = events.iter().filter(|event: &&Event| event.body["kind"] == "handed-out");
            handed_out.any(|event| event.body["index"] == order.id.index)
        };
        run.open_orders().into_iter().filter(|(order, _)| is_new(order)).map(|(order, _)| order.id).collect()
    });
    let drafts = drafts_of(&driving.state, &run.record().id);
    if matches!(stop, Stop::Ended(_)) {
        // Approved documents are already saved in their own place.
        let _ = fs::remove_dir_all(&drafts);
    }
    // A terminal shows a person the whole of it.
    let seen = match stop {
        Stop::Asking(id, question) if since.is_some() && !std::io::stdout().is_terminal() => {
            if driving.full {
                Seen::default()
            } else {
                seen_before(run, store, &known, id, question, &drafts, pipeline)?
            }
        }
        _ => Seen::default(),
    };
    reported(run, stop, &Shown { format: driving.state.format, known, seen, new, pipeline }, |_| {})
}

/// The parts of a question that an agent wrote itself, or that the thread has asked about before. Hidden parts that are not on
/// disk yet are written into the folder of drafts, for the person who decides.
fn seen_before(
    run: &Run<'_, PrdWorkflow, StateStore>,
    store: &StateStore,
    known: &Known,
    id: &AskId,
    question: &Asking<PrdWorkflow>,
    drafts: &Path,
    pipeline: &Pipeline,
) -> Result<Seen, Failure> {
    let Asking::Workflow(ask) = question else { return Ok(Seen::default()) };
    let state = &run.position().state;
    let is_writer = state.drafts.as_ref().is_some_and(|drafts| drafts.author == Writer::Agent);
    let events = store.events_after(&run.record().id, 0).map_err(store_failure)?;
    let now = serde_json::to_value(ask).map_err(|error| Failure::World(error.to_string()))?;
    let mut before = events.iter().filter(|event: &&Event| {
        let asked = &event.body["ask"];
        let is_same = asked["kind"] == now["kind"] && asked["checkpoint"] == now["checkpoint"];
        event.seq < id.seq && event.body["kind"] == "asked" && is_same
    });
    if let PrdAsk::RequirementsReview(ask) = ask {
        let was_shown = |one: &Requirement| {
            let value = serde_json::to_value(one).unwrap_or_default();
            let mut asked = before.clone().filter_map(|event| event.body["ask"]["requirements"].as_array());
            asked.any(|shown| shown.contains(&value))
        };
        let requirements: Vec<Requirement> =
            ask.requirements.iter().filter(|one| is_writer || was_shown(one)).cloned().collect();
        if requirements.is_empty() {
            return Ok(Seen::default());
        }
        let on_disk = Documents::of(run).requirements;
        let (requirements_file, _) = draft_file(drafts, question, state, on_disk.as_deref(), pipeline)?;
        return Ok(Seen { document: None, requirements, requirements_file });
    }
    let Some(ShownText { text, path, .. }) = view(question, state.language()).document else {
        return Ok(Seen::default());
    };
    let is_of_team = matches!(ask, PrdAsk::Team(_));
    let last = before.next_back().and_then(|event| event.body["ask"]["document"].as_str());
    let file = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let on_disk = known.path_of(file, text);
    if last.is_none() && !is_writer || on_disk.is_none() && is_of_team {
        return Ok(Seen::default());
    }
    let said = words(state.language());
    let place = match on_disk {
        None => {
            let (file, copy) = draft_file(drafts, question, state, None, pipeline)?;
            let place = said.draft_is(&plain(&file), &lines_of(&copy), &plain(path), &kilobytes(&copy));
            let is_copy = matches!(ask, PrdAsk::PrdReview(_));
            if is_copy { place + said.reading_copy } else { place }
        }
        Some(path) => {
            let path = from_here(run.record(), Path::new(&path)).display().to_string();
            said.document_is(&lines_of(text), &plain(&path), &kilobytes(text))
        }
    };
    let changed = last.map(|last| match changed_sections(last, text) {
        changed if changed.is_empty() => format!("  {}\n", said.unchanged),
        changed => {
            let headings: Vec<String> = changed.iter().map(|heading| plain(heading)).collect();
            // A team's review already lists its changes.
            let lines = if is_of_team { String::new() } else { changed_lines(last, text, said) };
            format!("  {}{}\n{lines}", said.changed, headings.join(said.comma))
        }
    });
    let document = Some(format!("  {place}\n{}", changed.unwrap_or_default()));
    Ok(Seen { document, ..Seen::default() })
}

/// The folder of the drafts of a thread that are under review.
pub(super) fn drafts_of(state: &StateArguments, thread: &ThreadId) -> PathBuf {
    local_folder(state).join("drafts").join(thread.as_str())
}

/// The size of a text, in kilobytes.
fn kilobytes(text: &str) -> String {
    format!("{:.1}", text.len() as f64 / 1000.0)
}

/// The number of lines of a text.
fn lines_of(text: &str) -> usize {
    text.lines().count()
}

/// Writes the document of a question, with places instead of the quotes after its statements, and returns its path and text. For a
/// PRD this is the reading copy, on which the person decides.
fn draft_file(
    drafts: &Path,
    question: &Asking<PrdWorkflow>,
    state: &PrdState,
    requirements: Option<&str>,
    pipeline: &Pipeline,
) -> Result<(String, String), Failure> {
    let Some(shown) = shown_document(question, state, requirements) else { return Ok(Default::default()) };
    without_links(drafts)?;
    let path = drafts.join(Path::new(&shown.path).file_name().unwrap_or_default());
    let text = match question {
        Asking::Workflow(PrdAsk::PrdReview(_)) => reading_copy(&shown.text, state.language()),
        _ => shown.text,
    };
    // The requirements on disk may contain personal data that a person typed.
    let text = shown::document(&pipeline.masked(&text), state.language());
    files::write(&path, text.as_bytes(), Readers::Owner).map_err(|error| Failure::writing("the draft", &error))?;
    Ok((path.display().to_string(), text))
}

/// The settings for the report of a stop.
pub(super) struct Shown<'a> {
    /// As text or as JSON.
    pub format: PrdFormat,
    /// Texts that need not be shown with an order.
    pub known: Known,
    /// The parts of a question that need not be shown.
    pub seen: Seen,
    /// The new orders; `None` shows every open one.
    pub new: Option<Vec<OrderId>>,
    /// Masks the text that people have written into the documents.
    pub pipeline: &'a Pipeline,
}

/// Reports a stop, after a change to the document that is printed as JSON.
pub(super) fn reported(
    run: &Run<'_, PrdWorkflow, StateStore>,
    stop: &Stop<PrdWorkflow>,
    settings: &Shown<'_>,
    shorten: impl FnOnce(&mut ThreadDocument),
) -> Result<u8, Failure> {
    let (format, thread) = (settings.format, &run.record().id);
    let status = Status::of(run.position().phase, true);
    let language = run.position().state.language();
    let said = words(language);
    let colon = said.colon;
    let mut report = ThreadDocument::new(run.record(), status, run.position());
    let (code, text) = match stop {
        Stop::Asking(id, question) => {
            report.ask = Some(AskDocument::new(id, question, run.record()));
            (exit::WAITING, shown::question(id, question, &settings.seen, language))
        }
        Stop::Ordering(..) => (exit::WAITING, orders(run, settings, &mut report)),
        Stop::Ended(Phase::Completed) if run.record().parent.is_some() => {
            let told = said.fork_ended(&thread);
            (exit::PASS, format!("{thread}{colon}{}\n  {told}\n", status.in_words(language)))
        }
        Stop::Ended(Phase::Completed) => {
            let documents = written_documents(run);
            (exit::PASS, format!("{thread}{colon}{}\n{documents}", status.in_words(language)))
        }
        Stop::Ended(Phase::Failed) => {
            if format == PrdFormat::Human {
                report.messages.iter().for_each(|message| exit::error(message));
            }
            (exit::WORLD, format!("{}\n", said.has_failed(&thread)))
        }
        Stop::Ended(_) => (exit::PASS, format!("{thread}{colon}{}\n", status.in_words(language))),
    };
    shorten(&mut report);
    match format {
        // An agent pays for every byte of an order.
        PrdFormat::Json if report.order.is_some() => {
            let json = serde_json::to_string(&report).map_err(|error| Failure::World(error.to_string()))?;
            outputs::print(&format!("{json}\n"))?;
        }
        PrdFormat::Json => print_json(&report)?,
        PrdFormat::Human => outputs::print(&format!("{}\n", terminal::wrapped(&text).trim_end()))?,
    }
    Ok(code)
}

/// The open orders as text; the new ones are whole, and the report gets them as data.
fn orders(run: &Run<'_, PrdWorkflow, StateStore>, settings: &Shown<'_>, report: &mut ThreadDocument) -> String {
    let Shown { known, new, pipeline, .. } = settings;
    let thread = &run.record().id;
    let language = run.position().state.language();
    let said = words(language);
    let open: Vec<OrderDocument> =
        run.open_orders().iter().filter_map(|(order, call)| OrderDocument::new(order, call, pipeline)).collect();
    if open.len() > 1 {
        let in_a_line = |order: &OrderDocument| OpenOrder {
            id: order.id.clone(),
            step: order.step,
            second_opinion: order.inputs.second_opinion,
        };
        report.open_orders = open.iter().map(in_a_line).collect();
    }
    let (mut shown, mut known_ones): (Vec<_>, Vec<_>) =
        open.into_iter().partition(|order| new.as_ref().is_none_or(|new| new.contains(&order.id)));
    let mut text = ordered::texts(&shown, known, language);
    if shown.len() > 1 {
        text.push_str(&format!("\n{}\n", said.together));
    }
    if !known_ones.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let ids: Vec<String> = known_ones.iter().map(|order| order.id.to_string()).collect();
        let open = said.also_open(&thread);
        text.push_str(&format!("{gap}{open}{}{}\n", said.colon, ids.join(said.comma)));
    }
    // A program always gets an order that it can carry out.
    if shown.is_empty() && !known_ones.is_empty() {
        shown.push(known_ones.remove(0));
    }
    let mut shown = shown.into_iter();
    report.order = shown.next();
    report.other_orders = shown.collect();
    text
}

/// The documents of a completed thread that are on disk, and the command that checks its PRD.
fn written_documents(run: &Run<'_, PrdWorkflow, StateStore>) -> String {
    let state = &run.position().state;
    let root = Path::new(&run.record().root);
    let written = |file: &PathBuf| root.join(file).is_file();
    let files: Vec<PathBuf> = documents_of(state).into_iter().filter(written).collect();
    let named = |file: &Path| plain(&from_here(run.record(), file).display().to_string());
    let files: String = files.iter().rev().map(|file| format!("  {}\n", named(file))).collect();
    let prd = state.prd_path.as_deref().filter(|path| root.join(path).is_file());
    let next = prd.map(|path| format!("{}\n", words(state.language()).check_it(&named(Path::new(path)))));
    format!("{files}{}", next.unwrap_or_default())
}
