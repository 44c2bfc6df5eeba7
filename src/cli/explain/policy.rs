//! `reqgate explain policy`: lists the policies, or explains one: its question, its way of deciding, the rules that may
//! block, and the certainty that is needed.

use reqgate::config::Origin;
use reqgate::model::{Language, RuleId};
use reqgate::rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Decides, Policy, Profile, Readiness, Rubric};
use reqgate::suggest::did_you_mean;

use super::super::exit::Failure;
use super::super::page::Page;
use super::super::session::Session;

/// The kinds of document, with their names in sentences, in English and in Chinese.
pub(super) const PROFILES: [(Profile, &str, &str); 4] = [
    (Profile::Feature, "features", "功能需求"),
    (Profile::Bug, "bugs", "缺陷"),
    (Profile::Prd, "requirements documents", "需求文档"),
    (Profile::Meeting, "minutes", "会议纪要"),
];

/// Lists the policies and explains the term.
pub fn list(page: &mut Page, session: &Session, language: Language) {
    page.paragraph(language.of(
        "A policy decides what blocks: which question the gate answers, which rules may reject a ticket, and how certain a \
         rejection must be. Everything else becomes a question to the author or a warning. A policy is a file: add or \
         replace one with policies/NAME.yaml in one of your rules_folders.",
        "策略决定什么会阻断：回答哪个问题，哪些规则可以判为未就绪，以及要有多大把握才能这样判。其余的会变成给作者的问题或警告。\
         一个策略就是一个文件：在 rules_folders 的任一文件夹里放入 policies/NAME.yaml，即可新增或替换策略。",
    ));
    for policy in &session.book.policies {
        page.line("");
        page.line(&heading(page, session, policy, language));
        page.paragraph(policy.file.question(language));
        page.paragraph(policy.file.summary(language));
    }
    page.line("");
    page.paragraph(language.of(
        "`reqgate explain policy NAME` shows what may block under a policy, and how certain a rejection must be.",
        "`reqgate explain policy NAME` 显示某个策略下什么可能阻断，以及判为未就绪需要多大把握。",
    ));
    page.paragraph(&match language {
        Language::En => format!(
            "The default is `{DEFAULT_POLICY}`, and `{DEFAULT_ISSUE_POLICY}` for new issues on GitHub. To choose another, use \
             --policy NAME, REQGATE_POLICY, or `policy: NAME` in .reqgate.yaml. To find the one that agrees best with your \
             team, run `reqgate-lab calibrate`."
        ),
        Language::Zh => format!(
            "默认策略是 `{DEFAULT_POLICY}`；GitHub 上新提交的 issue 默认用 `{DEFAULT_ISSUE_POLICY}`。要换一个，用 --policy NAME、\
             REQGATE_POLICY，或在 .reqgate.yaml 里写 `policy: NAME`。要找出与团队判断最一致的策略，运行 `reqgate-lab calibrate`。"
        ),
    });
}

fn heading(page: &Page, session: &Session, policy: &Policy, language: Language) -> String {
    let file = &policy.file;
    let how = match file.decides {
        Decides::ByEvidence => language.of("decides by evidence", "按证据判定"),
        Decides::ByRules => language.of("decides by rules", "按规则判定"),
    };
    let set = &session.config.policy;
    let is_in_force = set.value.as_deref().unwrap_or(DEFAULT_POLICY) == file.id;
    let in_force = match is_in_force {
        false => String::new(),
        true => match language {
            Language::En => format!(" · in force ({})", session.config.words(&set.origin)),
            Language::Zh => format!(" · 当前生效（{}）", origin_in_chinese(session, &set.origin)),
        },
    };
    format!("{}  {} · {how}{in_force}", page.bold(&file.id), file.version)
}

/// The words for an origin in Chinese. Files, variables and flags have names; only the default needs a word.
fn origin_in_chinese(session: &Session, origin: &Origin) -> String {
    if *origin == Origin::Default { "默认".to_owned() } else { session.config.words(origin) }
}

/// Explains one policy.
///
/// # Errors
/// Fails if a policy of that name does not exist.
pub fn explain(page: &mut Page, session: &Session, name: &str, language: Language) -> Result<(), Failure> {
    let Some(policy) = session.book.policy(name) else {
        let known: Vec<&str> = session.book.policies.iter().map(|policy| policy.file.id.as_str()).collect();
        let hint = did_you_mean(name, known.iter().copied());
        let hint = if hint.is_empty() { format!(": choose from {}", known.join(", ")) } else { hint };
        return Err(Failure::usage(format!("there is no policy `{name}`{hint}")));
    };
    let file = &policy.file;
    page.line(&heading(page, session, policy, language));
    page.heading(language.of("The question it answers", "回答的问题"));
    page.paragraph(file.question(language));
    page.heading(language.of("What it is for", "适用场景"));
    page.paragraph(file.summary(language));
    page.heading(language.of("How it decides", "如何判定"));
    page.paragraph(how(policy, language));
    page.heading(if policy.goes_by_evidence() {
        language.of("How certain a rejection must be", "判为未就绪需要多大把握")
    } else {
        language.of("How the stated certainty is derived", "报告中的把握程度从何而来")
    });
    sureness(page, session, policy, language);
    page.heading(language.of("Which rubric it scores with", "使用的评分表"));
    for (profile, english, chinese) in PROFILES {
        if let Some(rubric) = rubric(session, policy, profile) {
            // The summaries of rubrics are written in English only.
            page.paragraph(&match language {
                Language::En => format!("{english}: {} ({})", rubric.file.id, rubric.file.summary),
                Language::Zh => format!("{chinese}：{}", rubric.file.id),
            });
        }
    }
    page.heading(language.of("What may block", "可能阻断的规则"));
    blockers(page, session, policy, language);
    page.heading(language.of("To use it", "如何启用"));
    page.line(&format!("  reqgate score ticket.md --policy {}", file.id));
    page.line(&format!("  policy: {}    # {}", file.id, language.of("in .reqgate.yaml", "写在 .reqgate.yaml 里")));
    if policy.goes_by_evidence() {
        let meaning = language.of("a higher value asks more and blocks less", "值越大，问得越多，阻断越少");
        page.line(&format!("  sure: {}      # {meaning}", file.sure));
    }
    Ok(())
}

fn how(policy: &Policy, language: Language) -> &'static str {
    match policy.file.decides {
        Decides::ByRules => language.of(
            "Any finding of a blocking rule rejects the text. Without one, the score must reach the rubric's threshold. The \
             certainty shown next to the verdict does not affect it.",
            "只要阻断规则有发现，就判为未就绪；此外，得分还要达到评分表的门槛。结论旁显示的把握程度不影响判定。",
        ),
        Decides::ByEvidence if policy.file.readings.is_some() => language.of(
            "Features and bugs: a fact that the text proves and that is listed below rejects. Otherwise an estimate decides. The \
             local reader, a small network that was trained on the judgements of careful people about thousands of real tickets, \
             says how likely the ticket is ready: that is the score, in percent. It also says which elements the text contains, \
             together with the signs in the text (`reqgate explain facet`), and what a reader would ask; what the text contains is \
             not asked for. `reqgate score --explain` shows each step. Minutes and documents are judged by signs in the text and \
             the curve of their score.",
            "功能和缺陷工单：文中能证明的事实，只要列在下面，就判为未就绪；否则由估计决定。本地读者是一个小型网络，\
             学习了细心的人对数千张真实工单的判断，它估计工单有多大可能已就绪，这就是得分（百分比）。它还结合文中的迹象\
             （`reqgate explain facet`）判断写明了哪些要素、读者会问什么；已经写明的不再追问。`reqgate score --explain` 显示每一步。\
             会议纪要和文档按文中的迹象及得分曲线判断。",
        ),
        Decides::ByEvidence => language.of(
            "Signs in the text count for or against each facet, e.g. steps to reproduce (`reqgate explain facet` lists them, \
             `reqgate score --explain` shows them in a ticket). They add up to a score from 0 to 100, and labelled \
             tickets show how likely a text with that score is to be ready. A text is rejected only if it is certain \
             enough that it is not ready, and the findings of the rules below are the reasons. Otherwise it passes as \
             “probably ready”, and findings that would have blocked become questions.",
            "文中的迹象支持或反对每个要素，例如复现步骤（`reqgate explain facet` 列出各要素，`reqgate score --explain` 显示一张\
             工单里的迹象）。它们合成 0 到 100 的得分，再由已标注的工单得出：这样的得分有多大可能是就绪的。只有把握足够大时才判为\
             未就绪，理由是下列规则的发现。把握不够时按“可能就绪”通过，原本会阻断的内容改为问题。",
        ),
    }
}

/// Explains the curve from score to readiness.
fn sureness(page: &mut Page, session: &Session, policy: &Policy, language: Language) {
    let set = session.config.sure.value;
    let sure = set.unwrap_or(policy.file.sure);
    if policy.goes_by_evidence() {
        let (share, origin, most) = (percent(sure), &session.config.sure.origin, policy.file.most_questions);
        page.paragraph(&match language {
            Language::En => {
                let by = set.map_or("set by this policy".to_owned(), |_| format!("set in {}", session.config.words(origin)));
                format!(
                    "A text is rejected if the probability that it is not ready is above {share} % ({by}; change it with \
                     --sure). The author of an issue is asked at most {most} questions."
                )
            }
            Language::Zh => {
                let by = set.map_or("由本策略设置".to_owned(), |_| format!("由 {} 设置", session.config.words(origin)));
                format!("未就绪的概率高于 {share} % 时判为未就绪（{by}，可用 --sure 更改）。一个 issue 最多向作者提 {most} 个问题。")
            }
        });
    }
    for (profile, english, chinese) in PROFILES {
        if policy.by_readings(profile).is_some() {
            let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
            page.paragraph(&match (language, own) {
                (Language::En, Some(own)) => {
                    format!("{english}: the score is the probability; rejected below {own}, set by the configuration.")
                }
                (Language::Zh, Some(own)) => format!("{chinese}：得分即概率；低于 {own} 分判为未就绪，由配置设置。"),
                (Language::En, None) => {
                    format!("{english}: the score is the probability; rejected below {:.1}.", (1.0 - sure) * 100.0)
                }
                (Language::Zh, None) => {
                    format!("{chinese}：得分即概率；低于 {:.1} 分判为未就绪。", (1.0 - sure) * 100.0)
                }
            });
            continue;
        }
        let Some(curve) = policy.readiness(profile) else { continue };
        let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
        let end = match own {
            Some(threshold) => language
                .of("rejected below {}, set by the configuration", "低于 {} 分判为未就绪，由配置设置")
                .replace("{}", &threshold.to_string()),
            None if policy.goes_by_evidence() => language
                .of("rejected below {}", "低于 {} 分判为未就绪")
                .replace("{}", &format!("{:.1}", curve.threshold(sure))),
            None => language.of("the threshold comes from the rubric", "门槛由评分表决定").to_owned(),
        };
        let curve = curve_in_words(curve, language);
        page.paragraph(&match language {
            Language::En => format!("{english}: {curve}; {end}."),
            Language::Zh => format!("{chinese}：{curve}；{end}。"),
        });
    }
}

/// The threshold that the configuration sets for a rubric, if it sets one.
fn threshold_set(session: &Session, rubric: &Rubric) -> Option<f64> {
    let own = session.config.thresholds.get(&rubric.file.id).map(|threshold| threshold.value);
    session.config.threshold.value.or(own)
}

/// A curve in words, e.g. `half of those that score 45 are ready, 88 % of those at 69, 12 % of those at 21`.
fn curve_in_words(curve: Readiness, language: Language) -> String {
    let at = |spreads: f64| curve.midpoint + spreads * curve.spread;
    let others: String = [2.0, -2.0]
        .into_iter()
        .map(|spreads| (at(spreads), percent(curve.probability(at(spreads)))))
        .filter(|(score, _)| (0.0..=100.0).contains(score))
        .map(|(score, share)| match language {
            Language::En => format!(", {share} % of those at {score:.0}"),
            Language::Zh => format!("，{score:.0} 分的有 {share} % 就绪"),
        })
        .collect();
    match language {
        Language::En => format!("half of those that score {:.0} are ready{others}", curve.midpoint),
        Language::Zh => format!("得 {:.0} 分的有一半就绪{others}", curve.midpoint),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// The rubric by which a policy scores a kind of document.
pub(super) fn rubric<'s>(session: &'s Session, policy: &Policy, profile: Profile) -> Option<&'s Rubric> {
    let named = policy.file.rubrics.get(&profile).and_then(|id| session.book.rubric(id));
    named.or_else(|| session.book.rubric_for(profile))
}

fn blockers(page: &mut Page, session: &Session, policy: &Policy, language: Language) {
    let file = &policy.file;
    if file.blocks.is_empty() {
        page.paragraph(language.of(
            "Every rule with the level blocker in `reqgate rules`; a rule that was wrong too often on labelled text only \
             warns.",
            "`reqgate rules` 中级别为 blocker 的所有规则；在已标注文本上错得太多的规则只警告。",
        ));
        return;
    }
    let is_fact = |id: &&RuleId| session.book.rule(id).is_some_and(|rule| rule.file.fact);
    let (facts, others): (Vec<_>, Vec<_>) = file.blocks.iter().partition(is_fact);
    let widest = file.blocks.iter().map(|rule| rule.as_str().len()).max().unwrap_or(0);
    for id in facts {
        blocker(page, session, id, widest, language);
    }
    if !others.is_empty() {
        page.paragraph(language.of(
            "The following prove nothing by themselves. They are reasons of a rejection in minutes and documents, and in features \
             and bugs below the threshold:",
            "以下规则本身不能证明什么；在纪要和文档中，以及在得分低于门槛的功能和缺陷中，才是未就绪的理由：",
        ));
    }
    for id in others {
        blocker(page, session, id, widest, language);
    }
    page.paragraph(language.of(
        "`reqgate explain RULE` explains each. A rule that the configuration sets to blocker may always block.",
        "`reqgate explain RULE` 逐条说明。配置中设为 blocker 的规则始终可以阻断。",
    ));
}

fn blocker(page: &mut Page, session: &Session, id: &RuleId, widest: usize, language: Language) {
    let unknown = language.of("a rule that does not exist", "不存在的规则");
    let summary = session.book.rule(id).map_or(unknown, |rule| &rule.wording(language).summary);
    page.line(&format!("  {:widest$}  {summary}", id.as_str()));
}
