//! Files below the current folder, and the documents of threads as resources.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::error::{ToolError, shortened};
use super::masking::masked_words;
use super::protocol::{Fault, INTERNAL_ERROR, INVALID_PARAMS};
use super::site::Site;
use crate::Installation;
use crate::work::{documents_on_disk, is_of_this_project, threads_of};
use reqgate_base::files;
use reqgate_flow::effects::inside;
use reqgate_flow::{StateStore, Store, ThreadRecord};

/// The prefix of a document's address.
const SCHEME: &str = "reqgate://threads/";
/// The maximum number of threads whose documents are listed, the last changed ones.
const MOST_THREADS: usize = 50;
/// The maximum size of a document that is read, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// A document of a thread on disk.
pub(super) struct OnDisk {
    /// Its address as a resource.
    pub uri: String,
    /// Its path, relative to the project.
    pub path: String,
    whole: PathBuf,
}

/// The name and the bytes of a file below the current folder, which an agent names with a relative or an absolute path.
///
/// # Errors
/// Fails for a path that leaves the folder or leads into a hidden part of it, and for a file that cannot be read.
pub(super) fn file_below(site: &Site<'_>, named: &str, most: u64) -> Result<(String, Vec<u8>), ToolError> {
    if !site.caller.shares_folder {
        let what = "files are named only on the machine of the service";
        return Err(ToolError::new("bad_path", what, "send the text"));
    }
    let root = site.installation.root().map_err(ToolError::installation)?;
    let path = Path::new(named);
    let relative = path.strip_prefix(&root).unwrap_or(path);
    let refused =
        |reason: String| ToolError::new("bad_path", reason, "name a file below the current folder, or send its text");
    let whole = inside(&root, relative).map_err(refused)?;
    let bytes = files::read(&whole, most).map_err(|error| refused(format!("{}: {error}", shortened(named))))?;
    Ok((relative.to_string_lossy().into_owned(), bytes))
}

/// The documents of a thread on disk.
///
/// # Errors
/// Fails if the log of the thread cannot be read.
pub(super) fn of_thread(
    installation: &dyn Installation,
    thread: (&StateStore, &ThreadRecord),
    root: &Path,
) -> Result<Vec<OnDisk>, String> {
    let documents = documents_on_disk(installation, thread, root).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for (path, whole) in documents {
        let Some(name) = path.file_name() else { continue };
        let uri = format!("{SCHEME}{}/{}", thread.1.id, name.to_string_lossy());
        found.push(OnDisk { uri, path: path.to_string_lossy().into_owned(), whole });
    }
    Ok(found)
}

/// The documents of the threads that changed last, as resources.
///
/// # Errors
/// Fails if the store cannot be read.
pub(super) fn list(installation: &dyn Installation) -> Result<Vec<Value>, Fault> {
    let Some((store, records)) = threads_of(installation).map_err(internal)? else { return Ok(Vec::new()) };
    let root = installation.root().map_err(internal)?;
    let mut resources = Vec::new();
    for record in records.iter().take(MOST_THREADS) {
        // Only that version can read the documents of a thread of another version.
        for document in of_thread(installation, (&store, record), &root).unwrap_or_default() {
            resources.push(json!({
                "uri": document.uri,
                "name": document.path,
                "mimeType": mime_type(&document.path),
            }));
        }
    }
    Ok(resources)
}

/// The templates of the addresses.
pub(super) fn templates() -> Value {
    json!([{
        "uriTemplate": format!("{SCHEME}{{thread}}/{{document}}"),
        "name": "document",
        "description": "A document of a thread: feature-brief.md, requirements.md, prd.md, prd.json",
    }])
}

/// The text of a document, with personal data and secrets masked.
///
/// # Errors
/// Fails if there is no such document.
pub(super) fn read(installation: &dyn Installation, params: &Map<String, Value>) -> Result<Value, Fault> {
    let Some(uri) = params.get("uri").and_then(Value::as_str) else {
        return Err(Fault::new(INVALID_PARAMS, "resources/read needs the uri of a resource"));
    };
    let unknown = || {
        let message = format!("there is no resource `{}`: resources/list lists them", shortened(uri));
        Fault { code: INVALID_PARAMS, message, data: Some(Box::new(json!({ "uri": shortened(uri) }))) }
    };
    let (thread, _) = uri.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')).ok_or_else(unknown)?;
    let thread = thread.parse().map_err(|_| unknown())?;
    let (root, store) = opened(installation)?.ok_or_else(unknown)?;
    let record =
        store.record(&thread).map_err(internal)?.filter(|record| is_of_this_project(installation, record, &root));
    let record = record.ok_or_else(unknown)?;
    let documents = of_thread(installation, (&store, &record), &root).map_err(internal)?;
    let document = documents.into_iter().find(|document| document.uri == uri).ok_or_else(unknown)?;
    let text = files::text(&document.whole, LONGEST).map_err(internal)?;
    let screen = installation.gate(None).map_err(internal)?.screen;
    Ok(json!({
        "contents": [{ "uri": document.uri, "mimeType": mime_type(&document.path), "text": masked_words(&text, &screen) }],
    }))
}

fn opened(installation: &dyn Installation) -> Result<Option<(PathBuf, StateStore)>, Fault> {
    let root = installation.root().map_err(internal)?;
    Ok(installation.existing_store().map_err(internal)?.map(|store| (root, store)))
}

fn mime_type(path: &str) -> &'static str {
    if path.ends_with(".json") { "application/json" } else { "text/markdown" }
}

fn internal(error: impl ToString) -> Fault {
    Fault::new(INTERNAL_ERROR, error.to_string())
}
