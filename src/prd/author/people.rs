//! Who uses a feature: those who want it, may do something in it, or whom it is for; not everybody who is mentioned.

use super::wording::capitalised;
use crate::model::Span;
use crate::text::lexicon::is_cjk;
use crate::text::{Cue, Reader};

/// Verbs of wishing behind the one who wishes.
const WISHING: [&str; 10] = [
    " wants to ",
    " want to ",
    " would like to ",
    " would like ",
    " needs to ",
    " need to ",
    " wants ",
    " want ",
    " needs ",
    " asks for ",
];

/// Words before a role that belong to no name.
const DETERMINERS: [&str; 30] = [
    "the", "a", "an", "each", "every", "any", "all", "only", "our", "their", "its", "for", "by", "to", "and", "or",
    "that", "which", "when", "if", "as", "with", "of", "no", "other", "some", "let", "allow", "lets", "because",
];

/// Words behind a role with which it is one: "team leads".
const HEADS: [&str; 26] = [
    "lead",
    "leads",
    "leader",
    "leaders",
    "owner",
    "owners",
    "manager",
    "managers",
    "admin",
    "admins",
    "desk",
    "desks",
    "staff",
    "team",
    "teams",
    "company",
    "companies",
    "member",
    "members",
    "agent",
    "agents",
    "clerk",
    "clerks",
    "officer",
    "officers",
    "workers",
];

/// Verbs behind somebody who acts.
const ACTING: [&str; 24] = [
    "can", "may", "must", "shall", "should", "will", "cannot", "see", "sees", "get", "gets", "choose", "chooses",
    "receive", "receives", "want", "wants", "need", "needs", "only", "to", "who", "is", "are",
];

/// Roles that say nothing about who somebody is.
const NOBODY: [&str; 10] =
    ["people", "person", "users", "user", "team", "host", "lab", "children", "kids", "department"];

/// Who wishes in "Support wants to export orders".
pub fn wishing(words: &str) -> Option<&str> {
    let at = WISHING.iter().filter_map(|verb| words.find(verb)).min()?;
    let who = words[..at].trim();
    // Of the same length, because it says where to cut.
    let lower = who.to_ascii_lowercase();
    let bare = lower.strip_prefix("the ").or_else(|| lower.strip_prefix("our ")).unwrap_or(&lower);
    let counted = bare.split(' ').count();
    let nobody =
        ["i", "we", "you", "it", "they", "he", "she", "who", "nobody", "somebody", "everybody", "this", "that"];
    let plain = !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\''));
    let joined =
        bare.split(' ').any(|word| ["if", "when", "and", "that", "which", "because", "as", "where"].contains(&word));
    (plain && counted <= 3 && !joined && !bare.split(' ').any(|word| nobody.contains(&word)))
        .then(|| &who[who.len() - bare.len()..])
}

/// What only people do.
const DOINGS: [&str; 44] = [
    "search",
    "book",
    "swap",
    "choose",
    "select",
    "pick",
    "decide",
    "browse",
    "upload",
    "enter",
    "maintain",
    "edit",
    "approve",
    "confirm",
    "cancel",
    "order",
    "pay",
    "sign",
    "register",
    "request",
    "reserve",
    "download",
    "view",
    "see",
    "read",
    "create",
    "delete",
    "add",
    "revoke",
    "extend",
    "export",
    "import",
    "comment",
    "rate",
    "invite",
    "assign",
    "propose",
    "report",
    "subscribe",
    "withdraw",
    "correct",
    "look",
    "filter",
    "sort",
];

/// Things that do what people do.
const THINGS: [&str; 24] = [
    "system",
    "app",
    "application",
    "server",
    "service",
    "tool",
    "software",
    "site",
    "website",
    "page",
    "api",
    "product",
    "platform",
    "module",
    "bot",
    "device",
    "box",
    "list",
    "job",
    "script",
    "it",
    "this",
    "that",
    "which",
];

/// "Bakers can order by phone": who can do what only people do.
fn able(words: &str) -> Option<&str> {
    let (at, verb) = [" can ", " may ", " must be able to ", " should be able to "]
        .iter()
        .filter_map(|verb| words.find(verb).map(|at| (at, *verb)))
        .min()?;
    let who = words[..at].trim();
    // Of the same length, because it says where to cut.
    let lower = who.to_ascii_lowercase();
    let bare = ["the ", "a ", "an ", "each ", "every ", "only ", "all "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(&lower);
    let doing = words[at + verb.len()..].split([' ', ',', '.']).next().unwrap_or_default();
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let is_name = !bare.is_empty()
        && bare.split(' ').count() <= 2
        && bare.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '-'));
    let nobody = ["i", "we", "you", "they", "he", "she", "nobody", "anybody", "everybody", "who"];
    (is_name && DOINGS.contains(&doing) && !THINGS.contains(&last) && !nobody.contains(&last))
        .then(|| &who[who.len() - bare.len()..])
}

/// The people who act in a statement, or for whom something is, in their order.
pub fn acting(reader: &Reader, words: &str) -> Vec<String> {
    let mut out: Vec<String> = wishing(words).map(capitalised).into_iter().collect();
    let wishes = !out.is_empty();
    out.extend(able(words).filter(|_| !wishes).map(capitalised));
    let reading = reader.read(words, None);
    let hits = reading.hits_in(Span::new(0, words.len()));
    for hit in hits.iter().filter(|hit| usize::from(hit.list.0) == Cue::Actor as usize) {
        let name = hit.span.slice(words);
        let span = if name.chars().any(is_cjk) { hit.span } else { whole_name(words, hit.span) };
        let known = out.iter().any(|other: &String| other.eq_ignore_ascii_case(span.slice(words)));
        if !known && acts(words, span, wishes) {
            out.push(capitalised(span.slice(words)));
        }
    }
    out
}

/// True if a name says who somebody is.
pub fn is_somebody(name: &str) -> bool {
    !NOBODY.contains(&name.to_lowercase().as_str())
}

/// The name with the word before or behind it that belongs to it.
fn whole_name(words: &str, hit: Span) -> Span {
    let mut span = hit;
    let behind = &words[hit.end..];
    if let Some(next) = behind.strip_prefix(' ').and_then(|rest| rest.split([' ', ',', '.', ';', '?', ':']).next())
        && HEADS.contains(&next)
    {
        span.end += 1 + next.len();
    }
    let before = words[..hit.start].trim_end();
    if let Some(last) = before.rsplit(' ').next().filter(|last| before.len() + 1 == hit.start && !last.is_empty()) {
        let at = before.len() - last.len();
        let earlier = words[..at].trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
        let stands_free = at == 0 || DETERMINERS.contains(&earlier.as_str());
        let is_word = last.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        if stands_free && is_word && !DETERMINERS.contains(&last.to_lowercase().as_str()) && last.len() >= 3 {
            span.start = at;
        }
    }
    span
}

/// True where somebody does something, or something is for him.
fn acts(words: &str, span: Span, somebody_wishes: bool) -> bool {
    let before = words[..span.start].trim_end().to_lowercase();
    let behind = words[span.end..].trim_start();
    if span.slice(words).chars().any(is_cjk) {
        let opens = before.is_empty()
            || before.ends_with(['，', '。', '；', '、', '：', '让', '给', '由', '只', '有', '是', '使', '时']);
        let does = ["可", "能", "在", "要", "需", "必须", "看", "收", "提交", "登记", "选", "查", "用", "应"];
        return opens || does.iter().any(|verb| behind.starts_with(verb));
    }
    // "customers' orders" are what is worked on.
    if behind.starts_with(['\'', '’']) {
        return false;
    }
    let last = before.rsplit(' ').next().unwrap_or_default();
    let next = behind.split([' ', ',', '.', ';']).next().unwrap_or_default().to_lowercase();
    let opens = before.is_empty()
        || ["the", "a", "an", "each", "every", "any", "all", "only", "our"].contains(&before.as_str())
        || before.ends_with([',', ';', ':']);
    let is_served = ["for", "only", "by", "let", "lets", "allow", "enable", "to only", "show"].contains(&last);
    !somebody_wishes && (opens || is_served) || ACTING.contains(&next.as_str()) && !["help", "helping"].contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_it_is_not_whom_it_is_about() {
        let book = crate::rules::load(&crate::rules::shipped_files()).expect("the shipped rules load");
        let of = |words: &str| acting(&book.reader, words);
        assert_eq!(of("Accounting wants to print the reminders of customers"), ["Accounting"]);
        assert_eq!(of("A weekly digest for team leads"), ["Team leads"]);
        assert_eq!(of("Only branch managers can close a till"), ["Branch managers"]);
        assert_eq!(of("The list shows the customers' names"), Vec::<String>::new());
        assert_eq!(of("司机可以查看当天的排班"), ["司机"]);
    }
}
