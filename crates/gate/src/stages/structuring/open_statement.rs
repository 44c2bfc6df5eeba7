//! Recognises words that leave a point open. The same words can have another meaning: "the limit is to be defined" is
//! open, "roles are to be defined through a file" describes the design.

use reqgate_base::model::{Genre, Span};
use reqgate_text::clauses::{before_in_clause, is_case_of_the_product, is_past, is_value_of_the_product};
use reqgate_text::quotation_marks::{is_quoted, is_struck_out};
use reqgate_text::words::open_points::{
    ACTIVE, ACTS, AUTHORS, MARKS, OBLIGED, PAST, PAST_TIMES, PERMITS, PLAIN, PUT_OFF, TAILS, TALKS, UNKNOWN,
    UNSPECIFIED,
};
use reqgate_text::{Cue, Hit, Reading, Sentence};

/// Returns true if one of the cue's words says that a point of the requirement is open. Ambiguous words do not count.
pub(super) fn says_it_is_open(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    // "If the size is not specified, the list is empty" describes behaviour.
    let is_of_data = |term: Span| {
        let is = |hit: &Hit, cue: Cue| usize::from(hit.list.0) == cue as usize;
        // "Is not" belongs to the words themselves, and "the number of retries" names the open point.
        let mut others = reading.hits_in(sentence.span).iter().filter(|hit| !hit.span.overlaps(term));
        UNSPECIFIED.has(&term.slice(text).to_lowercase())
            && others.any(|hit| {
                let follows = hit.span.start >= term.end;
                is(hit, Cue::Condition) || follows && (is(hit, Cue::Obligation) || is(hit, Cue::Observable))
            })
    };
    open_words(reading, sentence).any(|term| is_open(text, sentence.span, term) && !is_of_data(term))
}

/// Returns true if a mark such as TBD, or equivalent words, postpones something.
pub(super) fn is_marked(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    open_words(reading, sentence).any(|term| {
        let words = term.slice(text).to_lowercase();
        (MARKS.has(&words) || PUT_OFF.begin(&words))
            && is_open(text, sentence.span, term)
            && !counts_past_things(&Span::new(sentence.span.start, term.start).slice(text).to_lowercase())
    })
}

/// Returns true if a mark such as TBD in this part of a text postpones something.
pub fn has_mark(text: &str, reading: &Reading, span: Span) -> bool {
    reading.sentences.iter().filter(|sentence| sentence.span.overlaps(span)).any(|one| is_marked(text, reading, one))
}

fn open_words<'r>(reading: &'r Reading, sentence: &Sentence) -> impl Iterator<Item = Span> + use<'r> {
    let hits = reading.hits_in(sentence.span).iter();
    hits.filter(|hit| usize::from(hit.list.0) == Cue::Open as usize).map(|hit| hit.span)
}

fn is_open(text: &str, sentence: Span, term: Span) -> bool {
    if is_quoted(text, sentence, term) || is_struck_out(text, sentence, term) {
        return false;
    }
    let words = term.slice(text).to_lowercase();
    if MARKS.has(&words) {
        return !is_value_of_the_product(text, sentence, term);
    }
    let before = &before_in_clause(text, sentence, term);
    let behind = Span::new(term.end, sentence.end.max(term.end)).slice(text).to_lowercase();
    let authors_decide = ACTIVE.end(&words) && (AUTHORS.are_words_of(before) || AUTHORS.are_words_of(&words));
    PLAIN.begin(&words)
        && (authors_decide || ends_the_statement(&words, behind.trim_start()))
        && !is_a_demand(&words, before, behind.trim_start())
        && !(UNKNOWN.begin(&words) && is_past(text, sentence, term))
        && !is_case_of_the_product(text, sentence, term)
}

/// Returns true if no following word makes the phrase part of another statement.
fn ends_the_statement(words: &str, behind: &str) -> bool {
    let asks = TAILS.iter().any(|tail| words.ends_with(tail.trim_end()) && words.contains(' '));
    let ends = !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | '"' | '“' | '‘' | '「' | '/'));
    asks || ends || TAILS.begin(behind) || TALKS.end(words) && behind.starts_with("with ")
}

/// Returns true if a user of the program performs the action: "allow roles to be defined", "the order has to be
/// confirmed", "the buyer must decide".
fn is_a_demand(words: &str, before: &str, behind: &str) -> bool {
    let is_infinitive = words.starts_with("to be ");
    (is_infinitive || words.starts_with("left ")) && PERMITS.are_words_of(before)
        || is_infinitive
            && ACTS.end(words)
            && OBLIGED.end(before)
            && (behind.starts_with("when ") || !TAILS.begin(behind))
        || ACTIVE.end(words) && !AUTHORS.are_words_of(before) && !AUTHORS.are_words_of(words)
}

/// Returns true for a count of things in that state, such as "in 2025 there were 300 orders" and 2025 年有 300 单 before
/// "to be confirmed" and 待确认.
fn counts_past_things(said: &str) -> bool {
    let names_a_year = said
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")));
    let is_past = names_a_year || PAST.are_words_of(said) || PAST_TIMES.are_words_of(said);
    let Some(at) = said.rfind(|c: char| c.is_ascii_digit()) else { return false };
    let start = said[..at].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let before = said.get(..start).unwrap_or_default().trim_end();
    let counted = said[at + 1..].trim();
    let is_short = !counted.is_empty() && counted.split_whitespace().count() <= 4 && counted.chars().count() <= 40;
    let is_count = match counted.is_ascii() {
        true => before.ends_with("there were") || counted.ends_with(" were"),
        false => before.ends_with(['有', '共']),
    };
    is_past && is_short && is_count
}

/// Returns true for a sentence that may leave a point open: the author's own words, not struck out.
pub(super) fn can_be_open(sentence: &Sentence) -> bool {
    !sentence.struck
        && !sentence.is_placeholder
        && !matches!(sentence.genre, Genre::Code | Genre::Quotation | Genre::GherkinStep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(sentence: &str) -> bool {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
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
            "Session timeout duration not specified.",
            "The retention period is unspecified.",
            "The wording of the mail is left open.",
            "The number of retries is not defined.",
            "上限未说明。",
            "通知方式还没决定。",
            "渠道待敲定。",
            "失败次数未明确。",
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
            "The message “To be announced. Come back later.” is shown while no date is set.",
            "The spec gets the line `TBD - written by NAME. Fill it in later.` until it is released.",
            "The badge reads 'TBD' while the order has no date.",
            "If the size is not specified, the list has 20 rows.",
            "A row that is not specified must be refused.",
            "Fields not specified in the file keep their value.",
            "Only one node needs to be specified when the client is created.",
            "未说明原因时提示“请填写原因”。",
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
