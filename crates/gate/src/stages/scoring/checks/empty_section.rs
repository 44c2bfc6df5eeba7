//! Reports scenarios, stories and requirements that a heading names and that have no text below it.

use crate::stages::scoring::Context;
use reqgate_base::model::{Language, Match, SectionRole, Span};
use reqgate_text::words::templates::{NAMED_PARTS, SCENARIOS};
use reqgate_text::{Block, BlockKind, Cue, display_width};

/// The most parts that the message names.
const NAMED: usize = 3;

/// The widest name in columns; a wider one states the case itself.
const WIDEST_NAME: usize = 60;

/// The longest label of a part, in bytes.
const LONGEST_LABEL: usize = 40;

/// Returns at most one match, at the first empty part, which names the others.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let empty = empty_parts(ctx);
    let Some(first) = empty.first() else { return Vec::new() };
    let names: Vec<String> =
        empty.iter().take(NAMED).map(|part| format!("“{}”", part.name.slice(ctx.text).trim())).collect();
    let more = empty.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" (+{more})") } else { String::new() };
    let count = empty.len();
    let kind_of = |part: &Part| match part.kind == part.name {
        true => ctx.language.of("section".to_owned(), "部分".to_owned()),
        false => part.kind.slice(ctx.text).trim().to_lowercase(),
    };
    let kind = kind_of(first);
    let same = empty.iter().all(|part| kind_of(part) == kind);
    let kind = if same { kind } else { ctx.language.of("part".to_owned(), "部分".to_owned()) };
    let count = match ctx.language {
        Language::En if count == 1 => format!("1 {kind} is empty"),
        Language::En => format!("{count} {} are empty", plural(&kind)),
        Language::Zh => format!("有 {count} 个{kind}是空的"),
    };
    let term = format!("{}{more}", names.join(ctx.language.of(", ", "、")));
    vec![Match::at(first.name).with("count", count).with("term", term)]
}

fn plural(kind: &str) -> String {
    match kind.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{kind}s"),
    }
}

/// A part of the document: the word for its kind, and its name.
struct Part {
    kind: Span,
    name: Span,
}

/// The empty parts, found in one pass over headings and scenario lines in plain text.
fn empty_parts(ctx: Context<'_>) -> Vec<Part> {
    let mut out = Vec::new();
    let mut open: Option<(Part, u8)> = None;
    for block in ctx.reading.blocks.iter().filter(|block| block.kind != BlockKind::FrontMatter) {
        if block.kind == BlockKind::HtmlComment {
            continue;
        }
        let level = match block.kind {
            BlockKind::Heading(level) => level,
            BlockKind::Paragraph if !block.quoted => u8::MAX,
            _ => {
                open = None;
                continue;
            }
        };
        let mut start = block.text.start;
        for line in block.text.slice(ctx.text).split_inclusive('\n') {
            let span = with_label(ctx.text, Span::new(start, start + line.len()).trimmed(ctx.text));
            start += line.len();
            let words = span.slice(ctx.text);
            if words.is_empty() || words.starts_with(['@', '#']) {
                continue;
            }
            // "Story: Export" may be the title of a ticket, and only scenarios are plain lines.
            let part = named_part(ctx, span).filter(|part| {
                let is_title = ctx.reading.title.is_some_and(|title| title.overlaps(part.name));
                let is_scenario = SCENARIOS.begin(&part.kind.slice(ctx.text).to_lowercase());
                !is_title && (level != u8::MAX || is_scenario)
            });
            let is_heading = level != u8::MAX || part.is_some();
            // A heading one level down is content of the part.
            if let Some((empty, own)) = open.take()
                && is_heading
                && level <= own
            {
                out.push(empty);
            }
            open = part.map(|part| (part, level));
        }
    }
    out.extend(open.map(|(part, _)| part));
    // Empty scenarios below a heading of criteria are reported instead of that heading.
    if out.is_empty() {
        out.extend(empty_criteria(ctx));
    }
    out
}

/// A heading of criteria without content, in a text that has no criteria elsewhere.
fn empty_criteria(ctx: Context<'_>) -> Option<Part> {
    let reading = ctx.reading;
    // A list or code may also specify the work; the heading is then left over from a form.
    let lists = |block: &Block| block.kind == BlockKind::ListItem || block.is_code();
    if !ctx.facets.criteria.is_empty() || !ctx.facets.requirements.is_empty() || reading.blocks.iter().any(lists) {
        return None;
    }
    let of_criteria = |section: &usize| {
        let section = &reading.sections[*section];
        section.role == SectionRole::AcceptanceCriteria && section.heading.is_some()
    };
    let is_filled = |section: usize| {
        let says = |block: &Block| !matches!(block.kind, BlockKind::Heading(_) | BlockKind::HtmlComment);
        let blocks = reading.blocks.iter().zip(&reading.section_of);
        blocks.into_iter().any(|(block, own)| *own == section && says(block))
            || reading.sections.iter().any(|other| other.parent == Some(section))
    };
    let named: Vec<usize> = (0..reading.sections.len()).filter(of_criteria).collect();
    let first = named.first().filter(|_| !named.iter().any(|section| is_filled(*section)))?;
    let name = reading.sections[*first].heading?;
    Some(Part { kind: name, name })
}

/// The line including the label before the block, such as "Scenario: ".
fn with_label(text: &str, line: Span) -> Span {
    let start = text[..line.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let before = text[start..line.start].trim_start_matches([' ', '\t', '#']);
    let is_label = before.trim_end().ends_with([':', '：']) && before.len() <= LONGEST_LABEL;
    if is_label { Span::new(line.start - before.len(), line.end) } else { line }
}

/// The part that a heading such as "Scenario: Invoice voided" names: a word for the kind, a colon or a number, and no
/// statement.
fn named_part(ctx: Context<'_>, line: Span) -> Option<Part> {
    let words = line.slice(ctx.text);
    let bare = words.trim_start_matches(['*', '_', ' ']);
    let from = line.start + words.len() - bare.len();
    let colon = bare.find([':', '：'])?;
    let head = bare[..colon].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '*' | '_' | '-'));
    let kind = NAMED_PARTS.has(&head.to_lowercase()).then(|| Span::new(from, from + head.len()))?;
    let name = Span::new(from + colon, line.end);
    let name = Span::new(name.start + if bare[colon..].starts_with(':') { 1 } else { '：'.len_utf8() }, name.end);
    let title = name.slice(ctx.text);
    let says_itself = display_width(title) > WIDEST_NAME || ctx.reading.cues_in(name).has(Cue::Obligation);
    let is_named = title.chars().any(char::is_alphanumeric);
    (is_named && !says_itself).then(|| Part { kind, name: name.trimmed(ctx.text) })
}
