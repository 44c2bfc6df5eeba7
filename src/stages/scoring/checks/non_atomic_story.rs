//! A story that asks for more than one thing: two wishes, or two actions that could be delivered apart.

use super::at;
use crate::model::{Finding, Genre, Span};
use crate::stages::scoring::findings::Context;
use crate::text::lexicon::is_latin_word;
use crate::text::story_parts::story_parts;

/// Verbs that begin an action of a user or a system, in their base form.
const VERBS: &[&str] = &[
    "access",
    "accept",
    "activate",
    "adapt",
    "add",
    "adjust",
    "administer",
    "adopt",
    "alert",
    "allow",
    "analyse",
    "analyze",
    "anticipate",
    "apply",
    "approve",
    "archive",
    "ask",
    "assess",
    "assign",
    "attach",
    "automate",
    "avoid",
    "balance",
    "be",
    "block",
    "book",
    "browse",
    "build",
    "buy",
    "calculate",
    "call",
    "cancel",
    "capture",
    "change",
    "check",
    "choose",
    "classify",
    "clear",
    "close",
    "collaborate",
    "collect",
    "combine",
    "comment",
    "communicate",
    "compare",
    "complete",
    "complies",
    "comply",
    "configure",
    "confirm",
    "connect",
    "consider",
    "contact",
    "continue",
    "contribute",
    "control",
    "convert",
    "copy",
    "correct",
    "create",
    "customise",
    "customize",
    "deactivate",
    "define",
    "delete",
    "deliver",
    "deploy",
    "design",
    "detect",
    "determine",
    "develop",
    "diagnose",
    "disable",
    "discover",
    "dispatch",
    "display",
    "distribute",
    "document",
    "download",
    "drag",
    "edit",
    "email",
    "enable",
    "enforce",
    "enhance",
    "ensure",
    "enter",
    "establish",
    "estimate",
    "evaluate",
    "examine",
    "execute",
    "explain",
    "explore",
    "export",
    "extend",
    "extract",
    "filter",
    "find",
    "fix",
    "follow",
    "forecast",
    "generate",
    "get",
    "give",
    "guide",
    "handle",
    "have",
    "help",
    "hide",
    "highlight",
    "identify",
    "implement",
    "import",
    "improve",
    "include",
    "inform",
    "input",
    "install",
    "integrate",
    "interact",
    "intervene",
    "invite",
    "join",
    "keep",
    "know",
    "learn",
    "link",
    "list",
    "load",
    "log",
    "maintain",
    "make",
    "manage",
    "map",
    "mark",
    "market",
    "measure",
    "merge",
    "mitigate",
    "modify",
    "monitor",
    "move",
    "navigate",
    "notify",
    "obtain",
    "offer",
    "open",
    "operate",
    "optimise",
    "optimize",
    "order",
    "organise",
    "organize",
    "pay",
    "perform",
    "personalise",
    "personalize",
    "plan",
    "play",
    "post",
    "predict",
    "prevent",
    "print",
    "prioritise",
    "prioritize",
    "process",
    "produce",
    "promote",
    "protect",
    "provide",
    "publish",
    "query",
    "rate",
    "read",
    "receive",
    "recognise",
    "recognize",
    "recommend",
    "record",
    "reduce",
    "refine",
    "register",
    "reject",
    "remove",
    "rename",
    "reply",
    "report",
    "request",
    "reserve",
    "reset",
    "respond",
    "restore",
    "restrict",
    "retrieve",
    "return",
    "review",
    "route",
    "run",
    "save",
    "schedule",
    "search",
    "see",
    "select",
    "sell",
    "send",
    "set",
    "share",
    "show",
    "sign",
    "simulate",
    "sort",
    "start",
    "stop",
    "store",
    "streamline",
    "submit",
    "subscribe",
    "suggest",
    "support",
    "switch",
    "sync",
    "tag",
    "tailor",
    "take",
    "test",
    "track",
    "train",
    "transfer",
    "transform",
    "transmit",
    "trigger",
    "understand",
    "undo",
    "unsubscribe",
    "update",
    "upgrade",
    "upload",
    "use",
    "validate",
    "verify",
    "view",
    "visualise",
    "visualize",
    "warn",
    "work",
    "write",
];

/// Pairs that name one action.
const PAIRS: &[(&str, &str)] = &[
    ("search", "filter"),
    ("filter", "search"),
    ("filter", "sort"),
    ("sort", "filter"),
    ("drag", "drop"),
    ("copy", "paste"),
    ("view", "edit"),
    ("read", "write"),
    ("compare", "contrast"),
    ("browse", "search"),
    ("search", "find"),
    ("find", "select"),
    ("track", "trace"),
    ("create", "edit"),
    ("view", "download"),
    ("search", "browse"),
    ("enter", "exit"),
    ("add", "edit"),
    ("add", "remove"),
    ("enable", "disable"),
    ("go", "see"),
    ("try", "see"),
    ("start", "stop"),
    ("show", "hide"),
    ("open", "close"),
    ("save", "load"),
    ("define", "manage"),
    ("find", "view"),
    ("import", "export"),
    ("see", "download"),
    ("see", "understand"),
];

/// Chinese words that join two wishes.
const JOINTS: &[&str] = &[
    "并且",
    "同时还",
    "同时也",
    "同时能",
    "同时可以",
    "以及能",
    "还能",
    "还可以",
    "还要",
    "另外",
    "而且",
    "以及分享",
    "以及导出",
    "以及查看",
    "，以及",
    "，并能",
    "，并可以",
];

/// Findings on stories with more than one wish.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| s.genre == Genre::UserStory && !s.struck) {
        let parts = story_parts(ctx.text, sentence.span);
        if parts.wish.start == sentence.span.start {
            continue;
        }
        if let Some(joint) = joint(ctx.text, parts.wish) {
            found.push(at(sentence.span).with("term", joint.slice(ctx.text)));
        }
    }
    found
}

/// Where a wish goes on to a second one.
fn joint(text: &str, wish: Span) -> Option<Span> {
    let words = wish.slice(text);
    if let Some((at, joint)) = JOINTS.iter().find_map(|joint| words.find(joint).map(|at| (at, joint))) {
        return Some(Span::new(wish.start + at, wish.start + at + joint.len()));
    }
    let tokens = tokens(words);
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| word.as_str());
    for (index, (from, token)) in tokens.iter().enumerate() {
        if !matches!(token.as_str(), "and" | "&") || index < 3 {
            continue;
        }
        // Adverbs and signals may stand before the second verb: "and also to quickly send".
        let mut next = index + 1;
        while matches!(word(next), "to" | "also" | "then" | "i" | "want" | "can" | "be" | "able" | "easily" | "will")
            || word(next).len() > 4 && word(next).ends_with("ly")
        {
            next += 1;
        }
        let second_wish = next > index + 2 && word(index + 1) == "i";
        if second_wish || is_second_action(&tokens, index, next) {
            let end = tokens.get(next).map_or(words.len(), |(at, word)| at + word.len());
            return Some(Span::new(wish.start + from, wish.start + end));
        }
    }
    None
}

fn is_verb(word: &str) -> bool {
    let base = |word: &str| VERBS.contains(&word);
    base(word)
        || word.strip_suffix('s').is_some_and(base)
        || word.strip_suffix("es").is_some_and(base)
        || word.strip_suffix("ies").is_some_and(|stem| base(&format!("{stem}y")))
}

/// True if a verb follows the "and" at `index`, one stands before it, and the two are not one action.
fn is_second_action(tokens: &[(usize, String)], index: usize, next: usize) -> bool {
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| word.as_str());
    let verb = word(next);
    if !is_verb(verb) || !follows_as_verb(word(next + 1)) {
        return false;
    }
    let first = (0..index).rev().find(|at| is_verb(word(*at)) && (*at == 0 || begins_action(word(at - 1))));
    let Some(first) = first else { return false };
    !PAIRS.contains(&(word(first), verb)) && word(first) != verb
}

/// True if an action may begin behind this word.
fn begins_action(before: &str) -> bool {
    matches!(
        before,
        "to" | "can" | "that" | "could" | "will" | "me" | "us" | "help" | "and" | "or" | "should" | "which"
    ) || before.len() > 4 && before.ends_with("ly")
}

/// "report" before "of" or at the end is a noun as often as a verb.
fn follows_as_verb(after: &str) -> bool {
    !matches!(after, "" | "of" | "is" | "are" | "was" | "and" | "or" | "that" | "which" | "has" | "have")
}

fn tokens(words: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut start = None;
    for (index, c) in words.char_indices().chain([(words.len(), ' ')]) {
        let inside = is_latin_word(c) || matches!(c, '-' | '\'' | '’' | '&');
        match (start, inside) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                out.push((from, words[from..index].to_ascii_lowercase()));
                start = None;
            }
            _ => {}
        }
    }
    out
}
