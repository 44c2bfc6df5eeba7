//! The draft of a document as its outline: title, story, criteria, edge cases, resources and open points.

use lsp_types::{DocumentSymbol, Location, Range, SymbolInformation, SymbolKind, Uri};
use reqgate_base::clean::short_words;
use reqgate_base::model::Span;
use reqgate_messages as messages;

use crate::documents::Document;
use crate::judge::Judged;
use crate::positions::{Encoding, Positions};

/// The longest name of a symbol, in characters.
const LONGEST_NAME: usize = 80;

/// The parts of a document.
pub(crate) fn of(document: &Document, encoding: Encoding) -> Vec<DocumentSymbol> {
    let Some((judged, text)) = document.judged() else { return Vec::new() };
    let Some(structured) = &judged.outcome.structured else { return Vec::new() };
    let words = messages::Lsp::of(judged.outcome.language);
    let outline = Outline { judged, text, positions: Positions::new(text, encoding) };
    let grounding = &structured.grounding;
    let open: Vec<Span> = structured.facets.open_points.iter().map(|point| point.span).collect();
    let title = grounding.title.map(|title| outline.symbol(title, SymbolKind::FILE, None));
    let groups = [
        (words.story, SymbolKind::CLASS, &grounding.user_story),
        (words.criteria_heading, SymbolKind::ENUM, &grounding.acceptance_criteria),
        (words.edge_cases, SymbolKind::ENUM, &grounding.edge_cases),
        (words.resources, SymbolKind::MODULE, &grounding.resources),
        (words.open_points, SymbolKind::EVENT, &open),
    ];
    title
        .into_iter()
        .chain(groups.into_iter().filter_map(|(name, kind, spans)| outline.group(name, kind, spans)))
        .collect()
}

/// The same without nesting, for clients that know no other form.
pub(crate) fn flat(symbols: Vec<DocumentSymbol>, uri: &Uri) -> Vec<SymbolInformation> {
    let mut out = Vec::new();
    for symbol in symbols {
        let (name, children) = (symbol.name.clone(), symbol.children.clone().unwrap_or_default());
        out.push(information(symbol, uri, None));
        out.extend(children.into_iter().map(|child| information(child, uri, Some(name.clone()))));
    }
    out
}

#[allow(deprecated, reason = "the protocol's old form has a field that must be named")]
fn information(symbol: DocumentSymbol, uri: &Uri, container_name: Option<String>) -> SymbolInformation {
    let location = Location { uri: uri.clone(), range: symbol.range };
    SymbolInformation { name: symbol.name, kind: symbol.kind, tags: None, deprecated: None, location, container_name }
}

struct Outline<'d> {
    judged: &'d Judged,
    text: &'d str,
    positions: Positions<'d>,
}

impl Outline<'_> {
    /// A part with its items; `None` if the text does not have it.
    fn group(&self, name: &str, kind: SymbolKind, spans: &[Span]) -> Option<DocumentSymbol> {
        let whole = spans.iter().copied().reduce(Span::join)?;
        let children = spans.iter().map(|span| self.symbol(*span, SymbolKind::STRING, None)).collect();
        Some(DocumentSymbol { name: name.to_owned(), ..self.symbol(whole, kind, Some(children)) })
    }

    #[allow(deprecated, reason = "the protocol has a field that must be named")]
    fn symbol(&self, span: Span, kind: SymbolKind, children: Option<Vec<DocumentSymbol>>) -> DocumentSymbol {
        let span = self.judged.placed(span);
        let range: Range = self.positions.range(span);
        let name = short_words(span.slice(self.text), LONGEST_NAME);
        // A name must not be empty.
        let name = if name.trim().is_empty() { "–".to_owned() } else { name };
        DocumentSymbol {
            name,
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range,
            selection_range: range,
            children,
        }
    }
}
