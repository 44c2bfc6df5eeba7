//! The edits that are offered for findings. Each is a plain `WorkspaceEdit`, so that every client can apply it.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

use lsp_types::{
    CodeAction, CodeActionKind, CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use reqgate_base::files;
use reqgate_base::model::{MISSING_CRITERIA, OPEN_POINT, Span, Verdict};
use reqgate_messages as messages;

use crate::Installation;
use crate::addresses::address_of;
use crate::diagnostics::{Found, diagnostic, found};
use crate::documents::{Document, Documents};
use crate::judge::Judged;
use crate::positions::{Encoding, Positions};
use crate::settings::{self, Edit};

/// The rules about criteria that are missing.
const ABOUT_CRITERIA: [&str; 2] = [MISSING_CRITERIA, "asks-done"];
/// The rules about points that a default settles.
const ABOUT_OPEN_POINTS: [&str; 4] = [OPEN_POINT, "open-question", "pending-input", "undecided-topic"];
/// The maximum number of rules that are offered to be waived or switched off at once.
const MOST_RULES: usize = 5;

/// The answer to a request for edits at a range.
pub(crate) struct Request<'a> {
    pub document: &'a Document,
    pub documents: &'a Documents,
    pub range: Range,
    pub encoding: Encoding,
    /// The client can create files as part of an edit.
    pub creates_files: bool,
    pub installation: &'a dyn Installation,
    /// The name of the document, as waivers use it.
    pub name: &'a str,
}

impl Request<'_> {
    /// The edits for the findings that the range touches.
    pub(crate) fn actions(&self) -> Vec<CodeAction> {
        let Some((judged, text)) = self.document.judged() else { return Vec::new() };
        let positions = Positions::new(text, self.encoding);
        let wanted = positions.span(self.range);
        let (found, _) = found(judged, text);
        let touches = |span: Span| span.start <= wanted.end && wanted.start <= span.end;
        let here: Vec<&Found> =
            found.iter().filter(|found| found.remark.rule.is_some() && touches(found.span)).collect();
        let of = |rules: &[&str]| {
            let rule = |found: &&&Found| found.remark.rule.as_deref().is_some_and(|rule| rules.contains(&rule));
            here.iter().filter(rule).copied().collect::<Vec<_>>()
        };
        let mut actions = Vec::new();
        let about_criteria = of(&ABOUT_CRITERIA);
        if !about_criteria.is_empty() || touches(judged.title(text)) && lacks_criteria(judged) {
            actions.push(self.criteria(judged, &positions, &about_criteria));
        }
        for finding in of(&ABOUT_OPEN_POINTS).iter().filter(|found| found.remark.span.is_some()) {
            actions.push(self.default(judged, text, &positions, finding));
        }
        actions.extend(self.of_settings(judged, &positions, &here));
        actions
    }

    /// Criteria to fill in: below their heading if the text has it, else with a heading at the end of the text.
    fn criteria(&self, judged: &Judged, positions: &Positions<'_>, found: &[&Found]) -> CodeAction {
        let words = messages::Lsp::of(judged.outcome.packet.language.value);
        let end = positions.line_end();
        let list: Vec<String> = words.criteria.iter().map(|line| format!("- {line}")).collect();
        let list = list.join(end);
        let last = positions.lines().last().copied().unwrap_or(Span::new(0, 0));
        let (at, text) = match judged.criteria {
            Some(at) => (at, format!("{end}{end}{list}")),
            None => {
                let gap = if last.is_empty() { end.to_owned() } else { end.repeat(2) };
                (last.end, format!("{gap}## {}{end}{end}{list}{end}", words.criteria_heading))
            }
        };
        let title = messages::Lsp::of(judged.outcome.language).add_criteria;
        self.action(title.to_owned(), found, positions, self.insertion(positions, at, text))
    }

    /// A default after an open point.
    fn default(&self, judged: &Judged, text: &str, positions: &Positions<'_>, finding: &Found) -> CodeAction {
        let language = judged.outcome.packet.language.value;
        let before = finding.span.slice(text);
        let is_ended = before.ends_with(['.', '!', '?', '。', '！', '？']);
        let stop = if is_ended { "" } else { language.of(".", "。") };
        // Chinese has no space between sentences.
        let gap = language.of(" ", "");
        let words = format!("{stop}{gap}{}", messages::Lsp::of(language).default);
        let title = messages::Lsp::of(judged.outcome.language).add_default;
        self.action(title.to_owned(), &[finding], positions, self.insertion(positions, finding.span.end, words))
    }

    /// The edits of the configuration file, two for each rule.
    fn of_settings(&self, judged: &Judged, positions: &Positions<'_>, here: &[&Found]) -> Vec<CodeAction> {
        let path = self.installation.settings();
        let Some(file) = SettingsFile::read(&path, self.documents) else { return Vec::new() };
        if !file.exists && !self.creates_files {
            return Vec::new();
        }
        let words = messages::Lsp::of(judged.outcome.language);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut rules: Vec<&str> = Vec::new();
        for rule in here.iter().filter_map(|found| found.remark.rule.as_deref()) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        let mut actions = Vec::new();
        for rule in rules.into_iter().take(MOST_RULES) {
            let of_rule: Vec<&Found> =
                here.iter().copied().filter(|found| found.remark.rule.as_deref() == Some(rule)).collect();
            let offers = [
                (words.waive(&rule, &name), settings::waiver(&file.text, rule, self.name)),
                (words.switch_off(&rule, &name), settings::rule_off(&file.text, rule)),
            ];
            for (title, edit) in offers {
                if let Some(edit) = edit.and_then(|edit| file.workspace_edit(edit, self.encoding)) {
                    actions.push(self.action(title, &of_rule, positions, edit));
                }
            }
        }
        actions
    }

    fn action(&self, title: String, found: &[&Found], positions: &Positions<'_>, edit: WorkspaceEdit) -> CodeAction {
        let diagnostics = found.iter().map(|found| diagnostic(found, positions, self.installation)).collect();
        CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(diagnostics),
            edit: Some(edit),
            ..CodeAction::default()
        }
    }

    fn insertion(&self, positions: &Positions<'_>, at: usize, new_text: String) -> WorkspaceEdit {
        let at = positions.position(at);
        changes(self.document.uri.clone(), TextEdit { range: Range { start: at, end: at }, new_text })
    }
}

/// Returns true for a requirement of which the draft has no acceptance criteria.
fn lacks_criteria(judged: &Judged) -> bool {
    let structured = judged.outcome.structured.as_ref();
    judged.outcome.decision.verdict != Verdict::NotApplicable
        && structured.is_some_and(|structured| structured.grounding.acceptance_criteria.is_empty())
}

#[allow(clippy::mutable_key_type, reason = "the address is not changed while it is a key")]
fn changes(uri: Uri, edit: TextEdit) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(HashMap::from([(uri, vec![edit])])), ..WorkspaceEdit::default() }
}

/// The configuration file, as the client shows it.
struct SettingsFile {
    uri: Uri,
    text: String,
    exists: bool,
}

impl SettingsFile {
    /// The open document or the file on disk; `None` if it cannot be read.
    fn read(path: &Path, documents: &Documents) -> Option<Self> {
        if let Some((uri, text)) = documents.text_at(path) {
            return Some(Self { uri: uri.clone(), text: text.to_string(), exists: true });
        }
        let uri = Uri::from_str(&address_of(path)).ok()?;
        match files::text(path, files::SETTINGS) {
            Ok(text) => Some(Self { uri, text, exists: true }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Some(Self { uri, text: String::new(), exists: false })
            }
            Err(_) => None,
        }
    }

    fn workspace_edit(&self, edit: Edit, encoding: Encoding) -> Option<WorkspaceEdit> {
        let range = Positions::new(&self.text, encoding).range(edit.span);
        let edit = TextEdit { range, new_text: edit.text };
        if self.exists {
            return Some(changes(self.uri.clone(), edit));
        }
        let options = CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) };
        let create = CreateFile { uri: self.uri.clone(), options: Some(options), annotation_id: None };
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: self.uri.clone(), version: None };
        let operations = vec![
            DocumentChangeOperation::Op(ResourceOp::Create(create)),
            DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] }),
        ];
        Some(WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(operations)),
            ..WorkspaceEdit::default()
        })
    }
}
