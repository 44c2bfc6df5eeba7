//! Turns the verdict on a document into the diagnostics of the protocol.

use std::str::FromStr;

use lsp_types::{CodeDescription, Diagnostic, DiagnosticSeverity, NumberOrString, Range, Uri};
use reqgate_base::model::Span;
use reqgate_messages as messages;
use reqgate_report::{EditorRemark, EditorRemarkKind, editor_remarks};

use crate::Installation;
use crate::documents::{Document, LARGEST, first_line};
use crate::judge::{Judged, Judgement};
use crate::positions::{Encoding, Positions};

/// The maximum number of findings shown in a document.
const MOST_FINDINGS: usize = 100;

/// A remark with its place in the document; that of a remark about the whole text is the title.
pub(crate) struct Found {
    pub remark: EditorRemark,
    pub span: Span,
}

/// The remarks on a document, the verdict first, and the number of those that are left out.
pub(crate) fn found(judged: &Judged, text: &str) -> (Vec<Found>, usize) {
    let title = judged.title(text);
    let all = editor_remarks(&judged.outcome);
    let hidden = all.len().saturating_sub(1 + MOST_FINDINGS);
    let place = |remark: EditorRemark| {
        let span = remark.span.map_or(title, |span| judged.placed(span));
        Found { remark, span }
    };
    (all.into_iter().take(1 + MOST_FINDINGS).map(place).collect(), hidden)
}

/// The diagnostics of a document; `None` while it is not judged.
pub(crate) fn of(document: &Document, encoding: Encoding, installation: &dyn Installation) -> Option<Vec<Diagnostic>> {
    let words = messages::Lsp::of(document.language);
    let Some(text) = &document.text else {
        let limit = format!("{} MiB", LARGEST / (1024 * 1024));
        return Some(vec![plain(Range::default(), DiagnosticSeverity::INFORMATION, words.too_large(&limit))]);
    };
    let positions = Positions::new(text, encoding);
    match document.result()? {
        Judgement::OutOfScope => Some(Vec::new()),
        Judgement::Failed(reason) => {
            let range = positions.range(first_line(text));
            Some(vec![plain(range, DiagnosticSeverity::ERROR, words.not_judged(reason))])
        }
        Judgement::Judged(judged) => {
            let (found, hidden) = found(judged, text);
            let mut list: Vec<Diagnostic> =
                found.iter().map(|found| diagnostic(found, &positions, installation)).collect();
            if hidden > 0 {
                let words = messages::Lsp::of(judged.outcome.language);
                let range = positions.range(judged.title(text));
                list.push(plain(range, DiagnosticSeverity::INFORMATION, words.more_findings(hidden)));
            }
            Some(list)
        }
    }
}

/// The diagnostic for a remark.
pub(crate) fn diagnostic(found: &Found, positions: &Positions<'_>, installation: &dyn Installation) -> Diagnostic {
    let EditorRemark { kind, rule, words, .. } = &found.remark;
    let severity = match kind {
        EditorRemarkKind::Blocker => DiagnosticSeverity::ERROR,
        EditorRemarkKind::Warning => DiagnosticSeverity::WARNING,
        EditorRemarkKind::Question | EditorRemarkKind::Verdict => DiagnosticSeverity::INFORMATION,
        EditorRemarkKind::NotApplicable => DiagnosticSeverity::HINT,
    };
    let page = rule.as_deref().and_then(|rule| installation.page(rule)).and_then(|page| Uri::from_str(&page).ok());
    Diagnostic {
        code: rule.clone().map(NumberOrString::String),
        code_description: page.map(|href| CodeDescription { href }),
        ..plain(positions.range(found.span), severity, words.clone())
    }
}

fn plain(range: Range, severity: DiagnosticSeverity, message: String) -> Diagnostic {
    Diagnostic { range, severity: Some(severity), source: Some("reqgate".to_owned()), message, ..Diagnostic::default() }
}
