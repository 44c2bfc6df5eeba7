//! A story that asks for more than one thing: two wishes, or two actions that could be delivered apart.

use crate::model::{Genre, Match, Span};
use crate::stages::scoring::Context;
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
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| s.genre == Genre::UserStory && !s.struck) {
        let parts = story_parts(ctx.text, sentence.span);
        if parts.wish.start == sentence.span.start {
            continue;
        }
        if let Some(joint) = joint(ctx.text, parts.wish) {
            found.push(Match::at(sentence.span).with("term", joint.slice(ctx.text)));
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
    let mut in_brackets = false;
    for (index, (from, token)) in tokens.iter().enumerate() {
        in_brackets = token == "(" || in_brackets && token != ")";
        if !matches!(token.as_str(), "and" | "&") || index < 3 || in_brackets {
            continue;
        }
        // Adverbs and signals may stand before the second verb: "and also to quickly send".
        let mut next = index + 1;
        while matches!(word(next), "to" | "also" | "then" | "i" | "want" | "can" | "be" | "able" | "will")
            || word(next).len() > 4 && word(next).ends_with("ly")
        {
            next += 1;
        }
        let two = if is_verb(word(next)) && follows_as_verb(word(next + 1)) {
            word(index + 1) == "i" || is_second_action(&tokens, index, next)
        } else {
            is_second_object(&tokens, index)
        };
        if two {
            // Shown from the word before, "labels and orders", so that the two things stand side by side.
            let start = tokens.get(index - 1).map_or(*from, |(start, _)| *start);
            let end = tokens.get(next).map_or(words.len(), |(at, word)| at + word.len());
            return Some(Span::new(wish.start + start, wish.start + end));
        }
    }
    None
}

/// Words behind which a pair of things only describes one: "between A and B", "a list with A and B".
const PREPOSITIONS: &[&str] = &[
    "of",
    "with",
    "in",
    "on",
    "for",
    "from",
    "between",
    "across",
    "about",
    "by",
    "into",
    "at",
    "during",
    "like",
    "as",
    "including",
    "over",
    "within",
    "among",
    "against",
    "using",
    "both",
    "through",
    "via",
    "per",
    "under",
    "where",
    "when",
    "until",
    "after",
    "before",
    "if",
    "near",
];

/// True if the "and" at `index` joins two things that are wished for directly: "I want to see prices and routes".
fn is_second_object(tokens: &[(usize, String)], index: usize) -> bool {
    let before = &tokens[..index];
    // A purpose ("to …" late in the wish) and a list of three are one thing with parts.
    let purpose = before.iter().skip(5).any(|(_, word)| word == "to");
    let listed = before.iter().any(|(_, word)| word == ",");
    let opener = before.iter().rev().map(|(_, word)| word.as_str()).find(|word| {
        PREPOSITIONS.contains(word) || matches!(*word, "to" | "want" | "need" | "that" | "like" | "can" | "have")
    });
    !purpose && !listed && opener.is_some_and(|word| !PREPOSITIONS.contains(&word)) && tokens.len() > index + 1
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

/// The words with their places, lower case; commas and brackets are words of their own.
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
        if matches!(c, ',' | '(' | ')') {
            out.push((index, c.to_string()));
        }
    }
    out
}
