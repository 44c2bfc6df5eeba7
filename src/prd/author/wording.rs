//! Light grammar: clauses, what stands before the matter, short titles, and whether two statements say the same.

use crate::model::Span;
use crate::text::content_words::{content_words, shared};
use crate::text::display_width;
use crate::text::lexicon::is_cjk;

/// Words that open a turn and say nothing.
const LEAD_INS: [&str; 51] = [
    "okay",
    "ok",
    "yes",
    "yeah",
    "yep",
    "right",
    "fine",
    "so",
    "and",
    "also",
    "but",
    "well",
    "then",
    "now",
    "oh",
    "hmm",
    "um",
    "uh",
    "sure",
    "great",
    "good",
    "anyway",
    "plus",
    "no",
    "nope",
    "alright",
    "exactly",
    "hey",
    "hi",
    "hello",
    "please note that",
    "note that",
    "note",
    "好的",
    "好",
    "对",
    "嗯",
    "是的",
    "行",
    "然后",
    "另外",
    "还有",
    "那么",
    "那就",
    "那",
    "而且",
    "并且",
    "但是",
    "不过",
    "所以",
    "哦",
];

/// The words without tags and pictures; `None` where an address is all that is left.
pub fn readable(words: &str) -> Option<String> {
    let plain = words.replace("**", "").replace("&nbsp;", " ").replace("&emsp;", " ");
    let row = plain
        .trim()
        .strip_prefix('|')
        .map(|row| row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" – "));
    let plain = row.unwrap_or(plain);
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some(at) = rest.find(['<', '!']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let tag = from.strip_prefix('<').filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/'));
        let end = match tag {
            Some(_) => from.find('>').map(|end| end + 1),
            None => from.strip_prefix("![").and_then(|picture| picture.find(')')).map(|end| end + 3),
        };
        match end.filter(|end| *end <= 300) {
            Some(end) => rest = &from[end..],
            None => {
                out.push_str(&from[..1]);
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    let said: Vec<&str> = out.split_whitespace().filter(|word| !word.contains("://")).collect();
    (substance(&said.join(" ")) >= 1).then(|| out.trim().to_owned())
}

/// The words of a statement without the marks and the openings that say nothing.
pub fn words_of(words: &str) -> String {
    let mut rest = trimmed(words);
    'again: loop {
        for lead in LEAD_INS {
            let begins = rest.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead));
            let after = rest.get(lead.len()..).unwrap_or_default();
            // "No invoice is sent" begins with its matter; "No, …" does not.
            let pause = after.starts_with([',', '，', '.', '。', '!', '！', ':', '：', '、', '…']);
            let joins = matches!(lead, "and" | "also" | "but" | "so" | "plus" | "then") && after.starts_with(' ');
            let joins_zh = matches!(lead, "另外" | "还有" | "而且" | "并且" | "然后" | "但是" | "不过" | "所以");
            if begins && (pause || joins || joins_zh || after.is_empty()) {
                rest = trimmed(after);
                continue 'again;
            }
        }
        return rest.to_owned();
    }
}

fn trimmed(words: &str) -> &str {
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | '，' | '、' | '。' | ';' | '；' | '…' | '*' | '_' | '-' | '–' | '—' | '!' | '！')
    };
    words
        .trim_start_matches(|c| marks(c) || matches!(c, '.' | ':' | '：'))
        .trim_end_matches(marks)
        .trim_end_matches(['.', ':', '：'])
}

/// The clauses of a sentence, each with the mark that ends it; figures with a comma stay whole.
pub fn clauses(text: &str, sentence: Span) -> Vec<Span> {
    let words = sentence.slice(text);
    let mut out = Vec::new();
    let mut start = sentence.start;
    for (at, c) in words.char_indices() {
        let after = words[at + c.len_utf8()..].chars().next();
        let ends = match c {
            '，' | '；' | '。' | '！' | '？' | '、' if c != '、' => true,
            ',' | ';' | '.' | '!' | '?' | '–' | '—' => {
                after.is_none_or(char::is_whitespace) || after.is_some_and(is_cjk)
            }
            _ => false,
        };
        if ends {
            let end = sentence.start + at + c.len_utf8();
            out.push(Span::new(start, end).trimmed(text));
            start = end;
        }
    }
    out.push(Span::new(start, sentence.end).trimmed(text));
    out.retain(|span| span.slice(text).chars().any(char::is_alphanumeric));
    out
}

/// How much a statement says: its words with meaning; two Chinese characters are about one.
pub fn substance(words: &str) -> usize {
    content_words(words).len()
}

/// Words with meaning that are no figures.
pub fn topic(words: &str) -> Vec<String> {
    let mut words = content_words(words);
    words.retain(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words
}

/// True if two statements say the same in other words or one says all that the other says.
pub fn says_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (content_words(one), content_words(other));
    let (less, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let common = shared(&less, &more);
    !less.is_empty() && common * 10 >= more.len() * 8
        || less.len() >= 4 && common == less.len() && common * 10 >= more.len() * 6
}

/// The widest title, in columns.
const WIDEST_TITLE: usize = 64;

/// A name of a few words: the beginning of a statement, cut at a clause or a word.
pub fn title(words: &str) -> String {
    let words = trimmed(words.lines().next().unwrap_or_default());
    let first = words.split(['，', '；', '。']).next().unwrap_or(words);
    let first = first.split(", ").next().filter(|first| substance(first) >= 3).unwrap_or(first);
    let words = if substance(first) >= 2 && !is_condition(first) { first } else { words };
    let mut out = String::new();
    for piece in words.split_inclusive(|c: char| c == ' ' || is_cjk(c)) {
        if display_width(&out) + display_width(piece.trim_end()) > WIDEST_TITLE {
            break;
        }
        out.push_str(piece);
    }
    let out = if out.is_empty() { words.chars().take(WIDEST_TITLE / 2).collect() } else { out };
    capitalised(trimmed(&out))
}

/// "If the depot is full", 任务完成后: half of a sentence that names nothing.
fn is_condition(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    let begins = [
        "if ",
        "when ",
        "after ",
        "once ",
        "before ",
        "unless ",
        "while ",
        "as soon as ",
        "如果",
        "若",
        "当",
        "假如",
        "一旦",
    ];
    let ends = ["后", "时", "时候", "前", "的话", "之后", "之前"];
    begins.iter().any(|begin| lower.starts_with(begin)) || ends.iter().any(|end| lower.ends_with(end))
}

/// The words with a capital at the beginning; names of code and addresses keep their letters.
pub fn capitalised(words: &str) -> String {
    let first = words.split_whitespace().next().unwrap_or_default();
    let inner = first.trim_end_matches([',', '.', ':', ';', '!', '?']);
    if inner.chars().any(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | '_' | '(' | ':' | '<'))
        || inner.chars().skip(1).any(char::is_uppercase)
    {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The words as a sentence; a polite question is one too.
pub fn sentence(words: &str) -> String {
    let words = capitalised(words.trim().trim_end_matches(['?', '？']).trim_end());
    let ended = words.ends_with(['.', '。', '!', '！', '?', '？', ':', '：', '”', '"']);
    let mark = if words.chars().any(is_cjk) { "。" } else { "." };
    if ended || words.is_empty() { words } else { format!("{words}{mark}") }
}
