//! The words of the audit's page, in English and Chinese.

use serde::Serialize;

use super::{text, v1, words};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_report::points;

/// The fixed words of the page in one language; `{n}` is a number.
#[derive(Debug, Serialize)]
pub(super) struct PageWords {
    pub lang: &'static str,
    pub title: &'static str,
    pub cut: &'static str,
    pub readiness: &'static str,
    pub expected: &'static str,
    pub questions: &'static str,
    pub missing: &'static str,
    pub likely: &'static str,
    pub open_first: &'static str,
    pub scores: &'static str,
    pub gaps: &'static str,
    pub gap: &'static str,
    pub tickets: &'static str,
    pub blocks: &'static str,
    pub examples: &'static str,
    pub share: &'static str,
    pub ages: &'static str,
    pub age: &'static str,
    pub ready: &'static str,
    pub mean: &'static str,
    pub worst: &'static str,
    pub comma: &'static str,
}

static ENGLISH: PageWords = PageWords {
    lang: "en",
    title: "Audit of",
    cut: words::CUT,
    readiness: "How ready the tickets are",
    expected: "Expected numbers: the sum of the probabilities for each of {n} features and bug reports.",
    questions: "What authors would be asked",
    missing: words::GAP,
    likely: "most likely for",
    open_first: "Worth opening first",
    scores: words::SCORES,
    gaps: words::GAPS,
    gap: words::GAP,
    tickets: words::TICKETS,
    blocks: words::BLOCKS,
    examples: words::EXAMPLES,
    share: words::SHARE,
    ages: words::AGES,
    age: words::AGE,
    ready: words::READY,
    mean: words::MEAN,
    worst: words::WORST,
    comma: ", ",
};

static CHINESE: PageWords = PageWords {
    lang: "zh-Hans",
    title: "体检报告：",
    cut: "工单数超过上限；以下数字只包括已读取的工单。",
    readiness: "就绪程度",
    expected: "预期数量：{n} 个需求和缺陷报告各自概率之和。",
    questions: "会向作者提出的问题",
    missing: "缺少的内容",
    likely: "最可能涉及",
    open_first: "优先打开",
    scores: "得分分布",
    gaps: "最常缺少的内容",
    gap: "缺少的内容",
    tickets: "工单数",
    blocks: "拦截",
    examples: "例如",
    share: "占比",
    ages: "时间与得分",
    age: "创建时间",
    ready: "就绪",
    mean: "平均分",
    worst: "优先修改",
    comma: "，",
};

impl PageWords {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        language.of(&ENGLISH, &CHINESE)
    }
}

/// The name of a readiness level.
pub(super) fn level(level: &v1::ReadinessLevel, language: Language) -> String {
    const LEVELS: [&str; 5] =
        ["看不出要做什么", "须先答复才能开始", "须答复才能完成", "作一点假设即可开始", "可以直接开始"];
    let chinese = usize::try_from(level.ready).ok().and_then(|ready| LEVELS.get(ready));
    match (language, chinese) {
        (Language::Zh, Some(label)) => (*label).to_owned(),
        _ => level.label.clone(),
    }
}

/// The name of a range of ages.
pub(super) fn age(age: &v1::Age, language: Language) -> String {
    if language == Language::En {
        return age.label.clone();
    }
    match (age.from_days, age.to_days) {
        (None, _) => "时间不明",
        (_, Some(30)) => "1 个月以内",
        (_, Some(90)) => "1 至 3 个月",
        (_, Some(365)) => "3 至 12 个月",
        (_, Some(730)) => "1 至 2 年",
        (_, None) => "2 年以上",
        (_, Some(_)) => age.label.as_str(),
    }
    .to_owned()
}

/// The result in one sentence.
pub(super) fn sentence(report: &v1::Report, language: Language) -> String {
    if language == Language::En {
        return text::sentence(report);
    }
    let totals = &report.totals;
    let mut parts =
        vec![format!("{} 个工单中 {} 个就绪", totals.ready + totals.not_ready + totals.stopped, totals.ready)];
    let counts = [("被护栏拦截", totals.stopped), ("不适用", totals.not_applicable), ("无法读取", totals.unreadable)];
    parts.extend(counts.into_iter().filter(|(_, count)| *count > 0).map(|(words, count)| format!("{count} 个{words}")));
    if let (Some(mean), Some(median)) = (report.scores.mean, report.scores.median) {
        parts.push(format!("平均分 {}，中位数 {}", points(mean), points(median)));
    }
    if let Some(since) = &report.since {
        parts.push(format!("{} 之后创建的 {} 个会被拦截", one_line(since), totals.would_block));
    }
    parts.join("，")
}

/// The change since an earlier audit in one sentence.
pub(super) fn compared(report: &v1::Report, change: &v1::Change, language: Language) -> String {
    if language == Language::En {
        return text::compared(report, change);
    }
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{} %", points(share * 100.0)));
    let mean = |mean: Option<f64>| mean.map_or("–".to_owned(), points);
    let caution = if change.is_same_rubric { "" } else { "（评审标准不同）" };
    format!(
        "自 {} 以来：就绪 {} → {}，平均分 {} → {}，工单 {} → {}{caution}。",
        one_line(&change.day),
        percent(change.ready_share_then),
        percent(change.ready_share_now),
        mean(change.mean_then),
        mean(report.scores.mean),
        change.tickets,
        report.totals.tickets
    )
}

/// The number of questions, edits, comments or days, with its noun.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact {
    /// The chance that an answer is needed, in percent.
    NeedsAnswer(u64),
    /// Questions to the author.
    Questions(u64),
    /// Edits until the ticket passes.
    Edits(u64),
    /// Comments and reactions.
    Interest(u64),
    /// Days since the last update.
    IdleDays(u64),
}

impl Fact {
    /// The fact in the words of a language.
    pub(super) fn in_words(self, language: Language) -> String {
        let (count, [one, many, chinese]) = match self {
            Self::NeedsAnswer(percent) => {
                return language.of(format!("needs an answer: {percent} %"), format!("需要答复：{percent} %"));
            }
            Self::Questions(count) => (count, ["1 question", "questions", "个问题"]),
            Self::Edits(count) => (count, ["1 edit to a pass", "edits to a pass", "处修改即可通过"]),
            Self::Interest(count) => (count, ["1 comment or reaction", "comments and reactions", "条评论和回应"]),
            Self::IdleDays(count) => {
                (count, ["1 day since the last update", "days since the last update", "天没有更新"])
            }
        };
        match language {
            Language::En if count == 1 => one.to_owned(),
            Language::En => format!("{count} {many}"),
            Language::Zh => format!("{count} {chinese}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::readiness;
    use super::*;

    #[test]
    fn every_level_has_chinese_words() {
        for (ready, label) in (0..).zip(readiness::LEVELS) {
            let one = v1::ReadinessLevel { ready, label: label.to_owned(), expected: 0.0, share: 0.0 };
            assert_eq!(level(&one, Language::En), label);
            assert!(!level(&one, Language::Zh).is_ascii(), "{label}");
        }
    }
}
