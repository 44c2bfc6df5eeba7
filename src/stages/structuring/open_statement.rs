//! Tells words that say of something that it is open from the same words in another statement: "the limit is to be defined" is
//! open, "roles are to be defined through a file" says how it works.

use crate::model::Span;
use crate::text::quotation_marks::is_quoted;
use crate::text::words::Words;
use crate::text::words::open_points::{
    ACTIVE, ACTS, AUTHORS, BECOMES, MARKS, OBLIGED, PAST, PERMITS, PLAIN, PUT_OFF, STILL, TAILS, TALKS, UNKNOWN,
};
use crate::text::{Cue, Reading, Sentence};

/// True where one of the words of the cue says that a point of the requirement is open. What may be read otherwise is not.
pub(super) fn says_it_is_open(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    open_words(reading, sentence).any(|term| is_open(text, sentence.span, term))
}

/// True where a mark such as TBD, or words in its place, say that something is put off.
pub(super) fn is_marked(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    open_words(reading, sentence).any(|term| {
        let words = term.slice(text).to_lowercase();
        (MARKS.has(&words) || PUT_OFF.begin(&words)) && is_open(text, sentence.span, term)
    })
}

/// True where a mark such as TBD in this part of a text says that something is put off.
pub fn has_mark(text: &str, reading: &Reading, span: Span) -> bool {
    reading.sentences.iter().filter(|sentence| sentence.span.overlaps(span)).any(|one| is_marked(text, reading, one))
}

fn open_words<'r>(reading: &'r Reading, sentence: &Sentence) -> impl Iterator<Item = Span> + use<'r> {
    let hits = reading.hits_in(sentence.span).iter();
    hits.filter(|hit| usize::from(hit.list.0) == Cue::Open as usize).map(|hit| hit.span)
}

fn is_open(text: &str, sentence: Span, term: Span) -> bool {
    if is_quoted(text, sentence, term) {
        return false;
    }
    let words = term.slice(text).to_lowercase();
    if MARKS.has(&words) {
        return true;
    }
    let said = Span::new(sentence.start, term.start).slice(text).to_lowercase();
    let before = said.rsplit([',', '，', ';', '；', ':', '：', '。']).next().unwrap_or(&said).trim_end();
    let behind = Span::new(term.end, sentence.end.max(term.end)).slice(text).to_lowercase();
    let authors_decide = ACTIVE.end(&words) && (says(before, AUTHORS) || says(&words, AUTHORS));
    PLAIN.begin(&words)
        && (authors_decide || ends_the_statement(&words, behind.trim_start()))
        && !is_a_demand(&words, before, behind.trim_start())
        && !is_past(&words, &said, &behind)
        && !BECOMES.end(before)
}

/// Nothing behind the words makes them part of something else.
fn ends_the_statement(words: &str, behind: &str) -> bool {
    let asks = TAILS.iter().any(|tail| words.ends_with(tail.trim_end()) && words.contains(' '));
    let ends = !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | '"' | '“' | '‘' | '「' | '/'));
    asks || ends || TAILS.begin(behind) || TALKS.end(words) && behind.starts_with("with ")
}

/// "Allow roles to be defined", "the order has to be confirmed", "the buyer must decide": somebody else does it, with the program.
fn is_a_demand(words: &str, before: &str, behind: &str) -> bool {
    let is_infinitive = words.starts_with("to be ");
    is_infinitive && says(before, PERMITS)
        || is_infinitive && ACTS.end(words) && OBLIGED.end(before) && !TAILS.begin(behind)
        || ACTIVE.end(words) && !says(before, AUTHORS) && !says(words, AUTHORS)
}

/// "It was unclear which button saves" tells of the past, "it was and is still unclear" does not.
fn is_past(words: &str, said: &str, behind: &str) -> bool {
    UNKNOWN.begin(words) && says(said, PAST) && ![said, words, behind].iter().any(|part| says(part, STILL))
}

/// True if a word of the list stands in the text, which is in lower case: English ones as whole words.
pub(super) fn says(text: &str, list: &Words) -> bool {
    let is_whole = |at: usize, word: &str| {
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !joins(text[..at].chars().next_back()) && !joins(text[at + word.len()..].chars().next())
    };
    list.en.iter().any(|word| text.match_indices(word).any(|(at, _)| is_whole(at, word)))
        || list.zh.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(sentence: &str) -> bool {
        let reader = crate::rules::load(&crate::rules::shipped_files()).expect("the shipped rules load").reader;
        let text = format!("Orders\n\n## Acceptance criteria\n- {sentence}\n");
        let reading = reader.read(&text, None);
        reading.sentences.iter().any(|sentence| says_it_is_open(&text, &reading, sentence))
    }

    #[test]
    fn plain_words_for_something_open_are_found() {
        let open_ones = [
            "The limit is to be defined.",
            "Colours to be decided in the next sprint.",
            "The wording is to be discussed with legal.",
            "The limit (TBD) is shown.",
            "It is still unclear who pays.",
            "It was and still is unclear who pays.",
            "It is not decided which format is used.",
            "The limits have to be specified later.",
            "*To be defined further*",
            "We need to decide on the colour before the release.",
            "It is unclear which fields are exported.",
            "限额待定。",
            "导出格式还没定。",
            "颜色不确定。",
            "不明确是否需要审批。",
        ];
        let missed: Vec<&str> = open_ones.into_iter().filter(|words| !open(words)).collect();
        assert!(missed.is_empty(), "not taken for open: {missed:#?}");
    }

    #[test]
    fn the_same_words_in_another_statement_leave_nothing_open() {
        let closed = [
            "Allow additional roles to be defined through `roles.yaml`.",
            "The timeout needs to be specified by the environment variable IMPORT_TIMEOUT.",
            "Custom fields are to be defined via the settings page.",
            "Bookings have to be confirmed by the guest within 24 hours.",
            "The box has to be checked before the button is enabled.",
            "Allow the colour to be defined per user.",
            "The buyer must decide between two slots.",
            "Parked cars are shown in blue.",
            "The message “To be announced” is shown while no date is set.",
            "The page lists open points of sale.",
            "Until now it was unclear which button saves, so it is green.",
            "\"Next\" becomes \"Save\", as it had been unclear whether it saves.",
            "主要问题显示在列表上方。",
            "用户提交前需要确认。",
            "支持短信、邮件等通知方式。",
            "图片加载前显示占位图。",
            "列表显示未定价的商品。",
            "不确定的用户可以跳过。",
            "以前不确定哪个按钮保存，所以保存按钮为绿色。",
            "提交后订单变为待评估。",
        ];
        let wrong: Vec<&str> = closed.into_iter().filter(|words| open(words)).collect();
        assert!(wrong.is_empty(), "taken for open: {wrong:#?}");
    }
}
