//! The draft to copy: the author's words in order, with a visible blank for each unknown part.
//!
//! Every word is the author's, a heading, or a question in ‹angle quotes›; no other text is added.

use reqgate_base::clean::one_line;
use reqgate_base::model::{Language, Outcome, Span, TicketType};

/// The maximum length of a draft, in characters.
const LONGEST: usize = 12_000;
/// The maximum number of items in one list.
const MOST_ITEMS: usize = 20;
/// The maximum length of an item, in characters.
const LONGEST_ITEM: usize = 400;

/// The draft, as Markdown source; `None` if structuring did not run.
pub(super) fn draft(outcome: &Outcome) -> Option<String> {
    let structured = outcome.structured.as_ref()?;
    let blanks = Blanks::of(outcome.language);
    let text = outcome.packet.raw_text.as_str();
    let list =
        |spans: &[Span]| spans.iter().map(|span| item(span.slice(text))).filter(|item| !item.is_empty()).collect();
    let facets = &structured.facets;
    let sections: Vec<(&str, Vec<String>)> = if outcome.packet.ticket_type.value == TicketType::Bug {
        vec![
            (blanks.steps.0, or_blank(list(&facets.steps), blanks.steps.1)),
            (blanks.expected.0, or_blank(list(&facets.expected), blanks.expected.1)),
            (blanks.actual.0, or_blank(list(&facets.actual), blanks.actual.1)),
            (blanks.environment.0, or_blank(list(&facets.environment), blanks.environment.1)),
        ]
    } else {
        vec![
            (blanks.story, story(outcome, blanks)),
            (blanks.criteria, criteria(outcome, blanks)),
            (blanks.edges.0, or_blank(list(&facets.edge_cases), blanks.edges.1)),
            (blanks.scope.0, or_blank(list(&facets.out_of_scope), blanks.scope.1)),
        ]
    };
    let mut draft = String::new();
    for (heading, items) in sections {
        draft.push_str(&format!("{}## {heading}\n\n", if draft.is_empty() { "" } else { "\n" }));
        for item in items.into_iter().take(MOST_ITEMS) {
            draft.push_str(&format!("- {item}\n"));
        }
    }
    let open: Vec<String> = facets
        .open_points
        .iter()
        .map(|point| item(point.span.slice(text)))
        .filter(|words| !words.is_empty())
        .take(MOST_ITEMS)
        .collect();
    if !open.is_empty() {
        draft.push_str(&format!("\n## {}\n\n", blanks.open.0));
        for words in open {
            draft.push_str(&format!("- {words} {}\n", blanks.open.1));
        }
    }
    Some(match draft.char_indices().nth(LONGEST) {
        Some((at, _)) => {
            let whole_lines = draft[..at].rfind('\n').map_or(0, |end| end + 1);
            format!("{}‹…›\n", &draft[..whole_lines])
        }
        None => draft,
    })
}

/// The story as written, or its parts with a blank for each that is missing.
fn story(outcome: &Outcome, blanks: &Blanks) -> Vec<String> {
    let text = outcome.packet.raw_text.as_str();
    let facets = outcome.structured.as_ref().map(|structured| &structured.facets);
    let (actor, need, benefit) = facets.map_or((None, None, None), |f| (f.actor, f.need, f.benefit));
    if actor.is_some() && need.is_some() && benefit.is_some() {
        let story = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref());
        if let Some(story) = story.map(|draft| item(&draft.user_story)).filter(|story| !story.is_empty()) {
            return vec![story];
        }
    }
    let part = |span: Option<Span>, (label, blank): (&str, &str)| {
        let words = span.map(|span| item(span.slice(text))).filter(|words| !words.is_empty());
        format!("{label}{}", words.unwrap_or_else(|| blank.to_owned()))
    };
    vec![part(actor, blanks.actor), part(need, blanks.need), part(benefit, blanks.benefit)]
}

/// The criteria as written, those that cannot be checked with a blank after them, and blanks for those that are missing.
fn criteria(outcome: &Outcome, blanks: &Blanks) -> Vec<String> {
    let text = outcome.packet.raw_text.as_str();
    let criteria =
        outcome.structured.as_ref().map(|structured| structured.facets.criteria.as_slice()).unwrap_or_default();
    let mut items: Vec<String> = Vec::new();
    for criterion in criteria {
        let words = item(criterion.span.slice(text));
        if !words.is_empty() {
            items.push(if criterion.verifiable { words } else { format!("{words} {}", blanks.unchecked) });
        }
    }
    let checkable = criteria.iter().filter(|criterion| criterion.verifiable).count();
    if checkable < 2 {
        items.push(blanks.criterion.to_owned());
    }
    if !criteria.iter().any(|criterion| criterion.negative) {
        items.push(blanks.negative.to_owned());
    }
    items
}

fn or_blank(items: Vec<String>, blank: &str) -> Vec<String> {
    if items.is_empty() { vec![blank.to_owned()] } else { items }
}

/// Words of the ticket as one item: one line, without the bullet or number of their list.
fn item(words: &str) -> String {
    let line = one_line(words);
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = line.trim_start_matches(['-', '*', '+', '•', '#', '>', ' ']);
    let bare = ["[ ] ", "[x] ", "[X] "].iter().find_map(|sign| bare.strip_prefix(sign)).unwrap_or(bare).trim();
    match bare.char_indices().nth(LONGEST_ITEM) {
        Some((at, _)) => format!("{}…", &bare[..at]),
        None => bare.to_owned(),
    }
}

/// The headings and blanks of one language.
struct Blanks {
    story: &'static str,
    actor: (&'static str, &'static str),
    need: (&'static str, &'static str),
    benefit: (&'static str, &'static str),
    criteria: &'static str,
    criterion: &'static str,
    negative: &'static str,
    unchecked: &'static str,
    edges: (&'static str, &'static str),
    scope: (&'static str, &'static str),
    steps: (&'static str, &'static str),
    expected: (&'static str, &'static str),
    actual: (&'static str, &'static str),
    environment: (&'static str, &'static str),
    open: (&'static str, &'static str),
}

impl Blanks {
    fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::Zh => &CHINESE,
        }
    }
}

static ENGLISH: Blanks = Blanks {
    story: "Story",
    actor: ("Who: ", "‹who needs this?›"),
    need: ("What: ", "‹what should be possible?›"),
    benefit: ("Why: ", "‹what changes for them?›"),
    criteria: "Acceptance criteria",
    criterion: "When ‹what happens›, then ‹what is shown, saved or refused, with exact values›",
    negative: "When ‹something goes wrong: wrong input, nothing found, no permission›, then ‹what happens?›",
    unchecked: "‹which value or text decides?›",
    edges: ("Limits and errors", "‹what is the largest, the smallest, the forbidden case?›"),
    scope: ("Out of scope", "‹what does this not cover?›"),
    steps: ("Steps to reproduce", "‹what did you do, one step per line?›"),
    expected: ("Expected", "‹what should have happened?›"),
    actual: ("Actual", "‹what happened instead, with the exact message?›"),
    environment: ("Environment", "‹which version, device, browser?›"),
    open: ("Still to decide", "→ ‹answer, or who decides by when?›"),
};

static CHINESE: Blanks = Blanks {
    story: "用户故事",
    actor: ("谁：", "‹谁需要？›"),
    need: ("做什么：", "‹希望能做什么？›"),
    benefit: ("为什么：", "‹会带来什么改变？›"),
    criteria: "验收标准",
    criterion: "当‹发生什么›时，‹显示、保存或拒绝什么，写明确切数值›",
    negative: "当‹出错：输入有误、查不到、没有权限›时，‹怎么处理？›",
    unchecked: "‹以哪个数值或文案为准？›",
    edges: ("边界与异常", "‹最大、最小、不允许的情况是什么？›"),
    scope: ("不包含", "‹这次不做什么？›"),
    steps: ("复现步骤", "‹做了什么？每步一行›"),
    expected: ("期望结果", "‹应该怎样？›"),
    actual: ("实际结果", "‹实际怎样？写明确切提示›"),
    environment: ("环境", "‹哪个版本、设备、浏览器？›"),
    open: ("待定", "→ ‹答案，或由谁在何时决定？›"),
};
