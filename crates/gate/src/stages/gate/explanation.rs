//! The one sentence that states the verdict and its main reason, in the language of the report.

use super::Facts;
use super::baseline::Excused;
use reqgate_base::clean::ended;
use reqgate_base::model::{Acceptance, Basis, BlockReason, DraftGap, Language, OPEN_POINT, TicketType};
use reqgate_rules::Profile;
use reqgate_text::other_files::OtherFile;

/// The explanation of the verdict on a scored text.
pub(super) fn of(
    reasons: &[BlockReason],
    facts: &Facts<'_>,
    (first, questions): (Option<&str>, usize),
    excused: Excused,
) -> String {
    let mut words = match facts.language {
        Language::En => english(reasons, facts, (first, questions), excused),
        Language::Zh => chinese(reasons, facts, (first, questions), excused),
    };
    if let Some(accepted) = facts.accepted {
        let (questions, others): (Vec<_>, Vec<_>) = facts.accepted().partition(|it| it.rule.as_str() == OPEN_POINT);
        words.push_str(&acceptance(accepted, (questions.len(), others.len()), facts.language));
    }
    if facts.reads_like_a_question {
        words.push_str(reads_like_a_question(facts.profile, facts.language));
    }
    words
}

fn english(
    reasons: &[BlockReason],
    facts: &Facts<'_>,
    (first, questions): (Option<&str>, usize),
    excused: Excused,
) -> String {
    let figures = figures(facts);
    match reasons.first() {
        None if excused.anything() => nothing_new(excused),
        None if questions == 1 => format!("Probably ready: {figures}; one question."),
        None if questions > 1 => format!("Probably ready: {figures}; {questions} questions."),
        None => format!("Ready: {figures}, nothing blocks."),
        Some(BlockReason::Blocker { description, basis: Basis::Estimate, .. }) if facts.is_estimated => {
            format!(
                "Probably not ready: {figures}. {}",
                first.map_or(ended(description, "."), |ask| format!("First: {ask}"))
            )
        }
        Some(BlockReason::Blocker { description, .. }) => match blockers(reasons) - 1 {
            0 => format!("Not ready: {}", ended(description, ".")),
            1 => format!("Not ready: {description} (and 1 more blocker)."),
            more => format!("Not ready: {description} (and {more} more blockers)."),
        },
        Some(_) if facts.known.has_score() => "Not ready: the score is lower than in the baseline.".to_owned(),
        Some(_) if facts.is_estimated => format!("Probably not ready: {figures}."),
        Some(_) => format!("Not ready: {figures}."),
    }
}

fn chinese(
    reasons: &[BlockReason],
    facts: &Facts<'_>,
    (first, questions): (Option<&str>, usize),
    excused: Excused,
) -> String {
    let figures = figures(facts);
    match reasons.first() {
        None if excused.anything() => {
            let low = if excused.low_score { "，低分也已在基线中" } else { "" };
            match excused.findings {
                0 => "没有新问题：低分已在基线中。".to_owned(),
                count => format!("没有新问题：{count} 个问题已在基线中{low}。"),
            }
        }
        None if questions > 0 => format!("大致就绪：{figures}；{questions} 个待澄清问题。"),
        None => format!("就绪：{figures}，没有阻断项。"),
        Some(BlockReason::Blocker { description, basis: Basis::Estimate, .. }) if facts.is_estimated => {
            format!("可能未就绪：{figures}。先请回答：{}", first.map_or(ended(description, "。"), str::to_owned))
        }
        Some(BlockReason::Blocker { description, .. }) => {
            let description = description.trim_end_matches('。');
            match blockers(reasons) - 1 {
                0 => format!("未就绪：{}", ended(description, "。")),
                more => format!("未就绪：{description}（另有 {more} 个阻断项）。"),
            }
        }
        Some(_) if facts.known.has_score() => "未就绪：得分低于基线中的得分。".to_owned(),
        Some(_) if facts.is_estimated => format!("可能未就绪：{figures}。"),
        Some(_) => format!("未就绪：{figures}。"),
    }
}

/// The score and the score needed. An estimate is shown as the chance that the text is ready.
fn figures(facts: &Facts<'_>) -> String {
    let Facts { score, threshold, .. } = facts;
    match (facts.is_estimated, facts.language) {
        (true, Language::En) => format!("the chance that it is ready is {score} %, {threshold} % needed"),
        (true, Language::Zh) => format!("就绪的可能性 {score} %，需要 {threshold} %"),
        (false, Language::En) => format!("{score}/100, {threshold} needed"),
        (false, Language::Zh) => format!("{score}/100，需要 {threshold}"),
    }
}

fn blockers(reasons: &[BlockReason]) -> usize {
    reasons.iter().filter(|reason| matches!(reason, BlockReason::Blocker { .. })).count()
}

fn reads_like_a_question(profile: Profile, language: Language) -> &'static str {
    match profile {
        Profile::Bug => language.of(
            " Judged as a bug. If it is only a question, use `--type question`.",
            "已按缺陷评审；如果只是提问，请用 `--type question`。",
        ),
        _ => language.of(
            " Judged as a request for a change. If it is only a question, use `--type question`.",
            "已按需求评审；如果只是提问，请用 `--type question`。",
        ),
    }
}

fn acceptance(accepted: &Acceptance, (questions, others): (usize, usize), language: Language) -> String {
    let Acceptance { by, reason, .. } = accepted;
    let stop = if reason.ends_with(['.', '!', '?', '。', '！', '？']) { "" } else { language.of(".", "。") };
    let of = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(one.to_owned()),
        count => Some(format!("{count} {several}")),
    };
    let parts = match language {
        Language::En => {
            let blocker = if questions == 0 { "One blocker" } else { "one blocker" };
            [of(questions, "One open question", "open questions"), of(others, blocker, "blockers")]
        }
        Language::Zh => [of(questions, "1 个未答复的问题", "个未答复的问题"), of(others, "1 个阻断项", "个阻断项")],
    };
    let what = parts.into_iter().flatten().collect::<Vec<_>>().join(language.of(" and ", "和 "));
    match (language, questions + others) {
        (_, 0) => String::new(),
        (Language::En, 1) => format!(" {what} was accepted by {by}: {reason}{stop}"),
        (Language::En, _) => format!(" {what} were accepted by {by}: {reason}{stop}"),
        (Language::Zh, _) => format!("{by}接受了 {what}：{reason}{stop}"),
    }
}

fn nothing_new(excused: Excused) -> String {
    let low = if excused.low_score { " and the low score" } else { "" };
    match excused.findings {
        0 => "Nothing new: the low score is in the baseline.".to_owned(),
        1 => format!("Nothing new: 1 finding{low} in the baseline."),
        count => format!("Nothing new: {count} findings{low} in the baseline."),
    }
}

/// The explanation for a text that the guardrail stopped, for its length alone or for its content.
pub(super) fn stopped(reasons: &[BlockReason], is_length: bool, language: Language) -> String {
    let description = reasons.iter().find_map(|reason| match reason {
        BlockReason::Guardrail { description } => Some(description.as_str()),
        _ => None,
    });
    let description = description.unwrap_or(language.of("the input cannot be judged", "无法评审该输入"));
    if is_length {
        return description.to_owned();
    }
    language.of(format!("Stopped by the guardrail: {description}"), format!("已被护栏拦截：{description}"))
}

/// The explanation for a text that is not a requirement.
pub(super) fn not_applicable(ticket_type: TicketType, language: Language) -> String {
    if ticket_type == TicketType::FeaturePart {
        let (english, chinese) = (
            "Not applicable: this file belongs to a feature; the gate judges the feature's prd.md.",
            "不适用：这个文件属于一个功能，质量门评审该功能的 prd.md。",
        );
        return language.of(english, chinese).to_owned();
    }
    let what = match ticket_type {
        TicketType::Question => language.of("a question, not a requirement", "这是提问，不是需求"),
        TicketType::Discussion => language.of(
            "a discussion, not a requirement; write one ticket for each change that was agreed",
            "这是讨论，不是需求；请为每项已达成一致的改动各写一张工单",
        ),
        _ => language.of("a task, not a requirement", "这是任务，不是需求"),
    };
    language.of(format!("Not applicable: this is {what}."), format!("不适用：{what}。"))
}

/// The language of a text that cannot be judged, as part of a sentence.
pub(super) fn another_language(name: &str, judged: &str, language: Language) -> String {
    language.of(
        format!("this is written in {name}, and only {judged} can be judged"),
        format!("正文是{name}，目前只能评审{judged}"),
    )
}

/// The kind of a file that is not a ticket, as part of a sentence.
pub(super) fn other_file(file: OtherFile, language: Language) -> &'static str {
    let (en, zh) = match file {
        OtherFile::ForPrograms => (
            "this is not a ticket but a file for programs (data, a configuration, a log or source code)",
            "这不是工单，而是给程序用的文件（数据、配置、日志或源代码）",
        ),
        OtherFile::Licence => ("this is not a ticket but a licence", "这不是工单，而是许可证"),
        OtherFile::ChangeLog => ("this is not a ticket but a change log", "这不是工单，而是变更日志"),
        OtherFile::CodeOfConduct => ("this is not a ticket but a code of conduct", "这不是工单，而是行为准则"),
        OtherFile::ContributingGuide => {
            ("this is not a ticket but a guide for contributors", "这不是工单，而是贡献指南")
        }
        OtherFile::Instructions => {
            ("this is not a ticket but instructions for coding agents", "这不是工单，而是给编码代理的说明")
        }
        OtherFile::Readme => ("this is not a ticket but the description of a project", "这不是工单，而是项目说明"),
    };
    language.of(en, zh)
}

/// The explanation for a text that cannot be judged.
pub(super) fn unread(why: &str, fails: bool, language: Language) -> String {
    match fails {
        true => language.of(format!("Not ready: {}", ended(why, ".")), format!("未就绪：{}", ended(why, "。"))),
        false => language.of(format!("Not applicable: {}", ended(why, ".")), format!("不适用：{}", ended(why, "。"))),
    }
}

/// The explanation for a text without a draft when scoring of raw text is switched off.
pub(super) fn not_structured(gaps: &[DraftGap], language: Language) -> String {
    let gaps = DraftGap::list(gaps, language);
    language.of(
        format!("Not ready: no draft could be made from the text ({gaps}), and scoring the raw text is switched off."),
        format!("未就绪：无法整理成草稿（{gaps}），并且按原文评分已关闭。"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acceptance_is_a_sentence_of_its_own() {
        let said = |by: &str, reason: &str, count, language| {
            let accepted = Acceptance { by: by.to_owned(), reason: reason.to_owned(), ..Acceptance::default() };
            acceptance(&accepted, count, language)
        };
        assert_eq!(said("Ann", "it waits", (1, 0), Language::En), " One open question was accepted by Ann: it waits.");
        assert_eq!(said("Ann", "Why not?", (2, 0), Language::En), " 2 open questions were accepted by Ann: Why not?");
        assert_eq!(said("王芳", "先试点", (2, 0), Language::Zh), "王芳接受了 2 个未答复的问题：先试点。");
        assert_eq!(
            said("Ann", "no", (2, 1), Language::En),
            " 2 open questions and one blocker were accepted by Ann: no."
        );
        assert_eq!(said("Ann", "no", (0, 1), Language::En), " One blocker was accepted by Ann: no.");
        assert_eq!(said("王芳", "先试点", (1, 2), Language::Zh), "王芳接受了 1 个未答复的问题和 2 个阻断项：先试点。");
        assert_eq!(said("王芳", "先试点", (0, 0), Language::Zh), "");
    }
}
