//! Success measures: a requirement covers one if it reaches its figure or counts its subject.

use std::sync::LazyLock;

use regex::Regex;

use super::feature::{Feature, Placed, Wanted};
use super::meaning::{Meaning, Rarity};

/// This share of the measure's weight must be in a requirement that has its figure.
const WITH_FIGURE: f64 = 0.15;
/// This share in one that counts or reports.
const WITH_COUNT: f64 = 0.3;
/// This share in any other.
const ALONE: f64 = 0.7;

/// Words of a requirement that measures something.
fn counts(words: &str) -> bool {
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?i)\b(count|report|statistic|share of|share is|rate\b|ratio|percentage|metric|measur|dashboard|analytic|log(s|ged)?\b|",
            r"track|record|survey|rating|number of|monitor|telemetry|event is (sent|written)|average|median|trend)|",
            "统计|报表|指标|比例|占比|比率|率|计数|埋点|监控|看板|平均|走势|次数|评分|问卷|记录.{0,8}(次数|时间|时长)"
        ))
        .expect("a constant")
    });
    COUNTS.is_match(words)
}

/// The figures that are aimed at: percentages, or times, or what there is.
fn targets(words: &str) -> Vec<String> {
    static PERCENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\d[\d.,]*)\s*(?:%|％|percent|per cent)").expect("a constant"));
    static TIME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(\d[\d.,]*)\s*(?:ms\b|milliseconds?|s\b|sec|min|hours?\b|h\b|days?\b|毫秒|秒|分钟|小时|天)|(\d{1,2}:\d\d)").expect("a constant")
    });
    static ANY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\d[\d.,]*)").expect("a constant"));
    for kind in [&PERCENT, &TIME, &ANY] {
        let found: Vec<String> = kind
            .captures_iter(words)
            .filter_map(|found| found.get(1).or_else(|| found.get(2)))
            .map(|number| plain(number.as_str()))
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn plain(number: &str) -> String {
    number.trim_end_matches(['.', ',']).replace(',', "")
}

/// True if a requirement reaches the measure's figure, counts its subject, or says nearly the same.
pub(super) fn is_covered(feature: &Feature, rarity: &Rarity, measure: &Placed) -> bool {
    let targets = targets(&measure.words);
    let mut matter = measure.meaning.clone();
    matter.stems.retain(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
    feature.wanted.iter().any(|wanted| {
        let share = rarity.share(&matter, &wanted.whole).0;
        has_figure(wanted, &targets) && share >= WITH_FIGURE
            || counts(&wanted.all) && share >= WITH_COUNT && !is_a_time(&measure.words)
            || share >= ALONE && targets.is_empty()
    }) || matter.stems.is_empty()
        || targets.is_empty() && rarity.share(&matter, &together(feature)).0 >= ALONE
}

/// A measure of speed is not met by counting.
fn is_a_time(words: &str) -> bool {
    let percent = words.contains(['%', '％']) || words.contains("percent");
    static SPEED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\d\s*(ms\b|milliseconds?|s\b|seconds?|毫秒|秒)|\d:\d\d").expect("a constant")
    });
    !percent && SPEED.is_match(words)
}

fn has_figure(wanted: &Wanted, targets: &[String]) -> bool {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d{1,2}:\d\d|\d[\d.,]*").expect("a constant"));
    let mut numbers = NUMBER.find_iter(&wanted.all).map(|found| plain(found.as_str()));
    numbers.any(|number| targets.contains(&number))
}

fn together(feature: &Feature) -> Meaning {
    let mut stems: Vec<String> = feature.wanted.iter().flat_map(|wanted| wanted.whole.stems.clone()).collect();
    stems.sort();
    stems.dedup();
    Meaning { stems }
}
