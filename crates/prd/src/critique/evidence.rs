//! Finds evidence that a record states a figure, a date, an owner, a mitigation or a current value.
//!
//! In doubt the information counts as present, because a finding claims that it is missing.

use std::sync::LazyLock;

use regex::Regex;

use super::blanks::is_left_open;
use super::document::padded;
use super::records::{Record, Table, is_called};
use reqgate_base::model::Span;
use reqgate_text::quantities::{Dimension, quantities};
use reqgate_text::words::{Words, prd_evidence as words};

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant")
}

/// Days, months, quarters and years of the calendar, and names that contain a number.
static CALENDAR: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?ix)
        \b20[2-4]\d \s* [-/.] \s* \d{1,2} (?: \s* [-/.] \s* \d{1,2} )? \b
        | \b\d{1,2} [./-] \d{1,2} [./-] (?:20)?[2-4]\d \b
        | \b\d{0,2}(?:st|nd|rd|th)? \s* \b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?\b \.? \s* (?:\d{1,2}(?:st|nd|rd|th)?\b)? (?:,?\s*20[2-4]\d)?
        | \b[qh][1-4] \s* [-/']? \s* (?:20)?(?:[2-4]\d)? \b
        | 20[2-4]\d \s* 年 (?: \s* \d{1,2} \s* 月 (?: \s* \d{1,2} \s* [日号] )? )? | \b\d{1,2} \s* 月 (?: \s*\d{1,2} \s* [日号] )?
        | \b20[2-4]\d \b
        | \b(?:WCAG|OAuth|TLS|ISO|SOC|HTTP|IPv|PostgreSQL|MySQL|Python|Java|Node|iOS|Android|Windows|macOS|IEC|EN|DIN|GB/T|USB) \s? -? \d[\d.]*",
    )
});

/// A number that is not part of a name such as `FR-12`, `v2`, `p95` or `#4`.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| constant(r"(?:^|[^A-Za-z0-9_.#/\-])[-−]?\d|[０-９]|\d\s*[%％]"));

/// A date, a period, or a number of days or longer units.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?ix)
        \b20[2-4]\d\b | \b[qh][1-4]\b | \b[dwmty]\s?\+\s?\d+\b | \b[dw]\d+\b
        | \b(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b
        | \bmay\s+\d | \d\s+may\b | \d{1,2}[./-]\d{1,2}\b
        | \b(?:days?|weeks?|months?|quarters?|years?|sprints?|fortnights?|half-year|spring|summer|autumn|winter|christmas|easter)\b | \d+\s?(?:d|w|wks?|mos?|yrs?|qtrs?)\b
        | \d\s*[年月日号] | 季度 | [一二三四五六七八九十\d两半几]\s*个?\s*(?:月|周|天|日|年|迭代|工作日|星期|季)
        | [上中下]旬 | 月[底初中末内] | 年[底初中末内] | [今明后]年 | [上下]半年 | [春夏秋冬]季 | 学期 | 双十一 | 春节 | 国庆 | 周[一二三四五六日末]",
    )
});

/// A day, a month or a quarter of the calendar.
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?ix)
        20[2-4]\d \s* [-/.年] \s* \d{1,2}
        | \b\d{1,2} (?:st|nd|rd|th)? \s+ (?:of\s+)? (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec) (?:uary|ruary|ch|il|ust|ember|tember|ober)? \b
        | \b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec) (?:uary|ruary|ch|il|ust|ember|tember|ober)? \.? \s+ (?:\d{1,2} | 20[2-4]\d) \b
        | \d{1,2} \s* 月 (?: \s*\d{1,2} \s* [日号] | [初中底末] | [上中下]旬 ) | \b[qh][1-4]\b",
    )
});

/// A rate, whose unit of time is not a period: `per week`, 每天.
static RATE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?ix)
        (?: \bper | \bevery | \beach | \ba | \ban | / ) \s? (?:calendar\s|working\s|business\s)? (?:day|week|month|quarter|year)s?\b
        | \b(?:daily|weekly|monthly|quarterly|yearly)\b | 每(?:一|个)?(?:工作)?(?:天|日|周|月|年|季度|季) | [日周月]活 | /\s?(?:天|日|周|月|年)",
    )
});

/// A name after `@`, after a dash, or in brackets at the end; it counts as the owner.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"@\w|[(（]\s*(?:[A-Z][\w.]+|\p{Han}{2,4})(?:[ ,/&、和]+(?:[A-Z][\w.]*|\p{Han}{2,4}))*\s*[)）]\s*[.。]?\s*$",
    )
});

/// Returns true for text with a figure that is not a date.
pub(super) fn has_figure(text: &str) -> bool {
    let bare = CALENDAR.replace_all(text, " ");
    let counts = |dimension: Option<Dimension>| {
        matches!(dimension, Some(Dimension::Time | Dimension::Share | Dimension::Money | Dimension::Size))
    };
    FIGURE.is_match(&bare)
        || quantities(&bare, Span::new(0, bare.len())).iter().any(|quantity| counts(quantity.dimension))
        || bare.contains(['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万'])
            && quantities(&bare, Span::new(0, bare.len())).iter().any(|number| number.value >= 2.0)
}

/// Returns true for text with a duration of less than a minute, which states a speed.
pub(super) fn has_speed(text: &str) -> bool {
    const SLOWEST: f64 = 59.0;
    let all = quantities(text, Span::new(0, text.len()));
    all.iter().any(|one| one.dimension == Some(Dimension::Time) && one.value <= SLOWEST)
}

/// Returns true for text with a date or a period of days or more; the unit of a rate does not count.
pub(super) fn has_time(text: &str) -> bool {
    TIME.is_match(&RATE.replace_all(text, " "))
}

/// Returns true for text with a line that states the day, month or quarter of a release.
pub(super) fn has_release_date(text: &str) -> bool {
    text.lines().any(|line| stands(words::GOING_LIVE, line) && DAY.is_match(line))
}

fn stands(list: &Words, text: &str) -> bool {
    list.stand_in(&padded_keeping_marks(text))
}

/// The text in lower case between two spaces, with punctuation, because some lists have it.
fn padded_keeping_marks(text: &str) -> String {
    format!(" {} ", text.to_lowercase())
}

/// Returns true for a cell without content; `dash_counts` if a dash also means that it is empty.
fn is_blank(cell: &str, dash_counts: bool) -> bool {
    let lower = cell.trim().to_lowercase();
    lower.is_empty()
        || words::BLANK_CELLS.has(&lower)
        || lower.starts_with("___")
        || dash_counts && words::DASHES.has(&lower)
}

/// The value in the column, or after the label, of a part; `None` if the record has neither.
fn field<'r>(record: &'r Record, names: &Words) -> Option<&'r str> {
    record.fields.iter().find(|(name, _)| is_called(name, names)).map(|(_, value)| value.as_str())
}

/// Returns true for a part that the author left open on purpose: in its column, after its label, or in a record of plain text.
fn is_open(record: &Record, names: &Words) -> bool {
    match field(record, names) {
        Some(value) => is_left_open(value),
        None => record.fields.is_empty() && is_left_open(&record.text),
    }
}

/// Returns true for a value that is left open, or that fits: the one under a label, or none without it.
fn is_stated(record: &Record, names: &Words, fits: impl Fn(Option<&str>) -> bool) -> bool {
    is_open(record, names) || fits(field(record, names))
}

/// Returns true for a record with a target figure.
pub(super) fn has_target(record: &Record, table: &Table) -> bool {
    let sure = |text: &str| has_figure(text) || stands(words::STEADY, text);
    is_stated(record, words::TARGET_COLUMNS, |value| match value {
        // A column such as “goal” may contain the reason, and another column the figure.
        Some(cell) if is_blank(cell, false) => false,
        Some(cell) => sure(cell) || sure(&record.text_without(&[words::BASELINE_COLUMNS, words::DATE_COLUMNS])),
        None => sure(&record.text) || table.context_has(&|text| has_figure(text)),
    })
}

/// Returns true for a record with the current value of its metric.
pub(super) fn has_baseline(record: &Record, table: &Table) -> bool {
    is_stated(record, words::BASELINE_COLUMNS, |value| match value {
        Some(cell) => !is_blank(cell, false),
        None => stands(words::BASELINE, &record.text) || table.context_has(&|text| stands(words::BASELINE, text)),
    })
}

/// Returns true for a record with the date for its target.
pub(super) fn has_timeframe(record: &Record, table: &Table) -> bool {
    let dated = |text: &str| has_time(text) || stands(words::EVENTS, text);
    is_stated(record, words::DATE_COLUMNS, |value| match value {
        Some(cell) => !is_blank(cell, true),
        None => dated(&record.text) || table.context_has(&dated),
    })
}

/// Returns true for a milestone with a date, or with a sign that it needs none.
pub(super) fn has_date(record: &Record, table: &Table) -> bool {
    let dated = |text: &str| has_time(text) || stands(words::DONE, text);
    is_stated(record, words::DATE_COLUMNS, |value| match value {
        Some(cell) => !is_blank(cell, true) || stands(words::DONE, &record.text),
        None => {
            let is_report = table.header.iter().any(|name| stands(words::REPORT_COLUMNS, name));
            is_report || dated(&record.text) || table.context_has(&|text| has_time(text))
        }
    })
}

/// Returns true for a risk with an owner.
pub(super) fn has_owner(record: &Record, table: &Table) -> bool {
    let text = record.text.trim();
    is_stated(record, words::OWNER_COLUMNS, |value| match value {
        Some(cell) => !is_blank(cell, true),
        None => {
            stands(words::OWNER, text) || NAMED.is_match(text) || table.context_has(&|text| stands(words::OWNER, text))
        }
    })
}

/// Returns true for a risk with a mitigation. Without a label for it, a second clause counts as one.
pub(super) fn has_mitigation(record: &Record, table: &Table) -> bool {
    // If other records have a label for it, its absence is certain.
    let is_labelled = || table.records.iter().any(|other| field(other, words::MITIGATION_COLUMNS).is_some());
    is_stated(record, words::MITIGATION_COLUMNS, |value| match value {
        Some(cell) => !is_blank(cell, true),
        None if !record.is_row && is_labelled() => stands(words::MITIGATION_COLUMNS, &record.text),
        None => {
            let text = record.text.trim().trim_end_matches(['.', '。']);
            let has_clauses =
                text.contains([':', '：', ';', '；', '—', '–', '.', '。', '\n', '(', '（']) || text.contains(" - ");
            let is_long = text.split_whitespace().count() > 18 || text.chars().count() > 110;
            has_clauses
                || is_long
                || stands(words::MITIGATION, text)
                || table.context_has(&|text| stands(words::MITIGATION, text))
        }
    })
}

/// Returns true for text that demands a degree of speed, load or availability without a figure.
pub(super) fn is_degree_without_figure(text: &str) -> bool {
    let lower = padded(text);
    let is_word = |word: &str| {
        lower.contains(&format!(" {word} "))
            || lower.contains(&format!(" {word}."))
            || lower.contains(&format!(" {word};"))
    };
    let degree = words::DEGREES.en.iter().any(is_word) || words::DEGREES.zh.iter().any(|word| lower.contains(word));
    degree
        && !has_figure(text)
        && !is_left_open(text)
        && !["every ", "same day", "每"].iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_or_the_number_of_a_name_is_not_a_figure() {
        for text in [
            "at most 6 minutes",
            "90% of them",
            "10k rows",
            "降到 3 秒",
            "三分钟内",
            "half of the orders in half an hour",
            "≥ 4.5",
        ] {
            assert!(has_figure(text), "{text}");
        }
        for text in [
            "by 30 June 2027",
            "KPI-3 improves",
            "in Q3 2027",
            "v2 is nicer",
            "2027年6月30日前明显改善",
            "WCAG 2.1 AA",
            "p95 falls",
        ] {
            assert!(!has_figure(text), "{text}");
        }
    }

    #[test]
    fn the_day_on_which_something_goes_live_is_told_from_other_days() {
        for text in [
            "- Elmhurst goes live on 14 September, all other sites on 12 October.",
            "- 上海10月20日上线，苏州11月17日上线。",
            "It is released in May 2027.",
            "Launch: Q3",
            "2027年3月发布",
        ] {
            assert!(has_release_date(text), "{text}");
        }
        for text in [
            "It goes live once the audit is over.",
            "上线后第一个完整自然月统计。",
            "上线后 3 个月内达到 90%。",
            "The meeting was on 14 September.\nThe site goes live.",
        ] {
            assert!(!has_release_date(text), "{text}");
        }
    }

    #[test]
    fn a_rate_is_not_a_date() {
        for text in [
            "by 30 June",
            "in Q3",
            "within 6 weeks",
            "2027-03-01",
            "6 月底",
            "三个月内",
            "Week 4",
            "Sprint 3",
            "第一季度",
        ] {
            assert!(has_time(text), "{text}");
        }
        for text in [
            "M3: all clinics",
            "40 calls per week",
            "weekly active users",
            "每天 300 单",
            "within 5 minutes",
            "they may fall",
        ] {
            assert!(!has_time(text), "{text}");
        }
    }

    #[test]
    fn a_degree_needs_a_figure() {
        assert!(is_degree_without_figure("Search results appear quickly."));
        assert!(is_degree_without_figure("系统应支持高并发访问"));
        assert!(!is_degree_without_figure("Search results appear quickly: within 2 seconds."));
        assert!(!is_degree_without_figure("Passwords are hashed."));
    }
}
