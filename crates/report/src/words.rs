//! The fixed words of the reports for people, in English and in Chinese.

use std::fmt::Display;

use reqgate_base::clean::ended;
use reqgate_base::model::{ELEMENT_NAMES, GateDecision, GuardrailKind, Language, PathToPass, ReviewIssue, Verdict};

/// The words of one language; `{name}` is a placeholder that [`fill`] replaces.
pub(super) struct Words {
    pub(super) pass: &'static str,
    pub(super) reject: &'static str,
    pub(super) guardrail_rejected: &'static str,
    pub(super) not_applicable: &'static str,
    pub(super) error: &'static str,
    pub(super) comma: &'static str,
    pub(super) stop: &'static str,
    pub(super) semicolon: &'static str,
    pub(super) colon: &'static str,
    pub(super) needs: &'static str,
    pub(super) one_warning: &'static str,
    pub(super) many_warnings: &'static str,
    pub(super) demoted: &'static str,
    pub(super) blocker: &'static str,
    pub(super) place: &'static str,
    pub(super) write: &'static str,
    pub(super) note: &'static str,
    pub(super) missing: &'static str,
    /// The same of an estimate, which proves nothing.
    pub(super) not_found: &'static str,
    pub(super) one_more_line: &'static str,
    pub(super) more_lines: &'static str,
    pub(super) line: &'static str,
    pub(super) line_start: &'static str,
    pub(super) whole_text: &'static str,
    pub(super) more: &'static str,
    pub(super) more_verbose: &'static str,
    pub(super) more_blockers: &'static str,
    pub(super) more_blockers_verbose: &'static str,
    pub(super) path_to_pass: &'static str,
    /// The same where the edits do not reach the threshold.
    pub(super) path_short_of_pass: &'static str,
    pub(super) after_path: &'static str,
    pub(super) removes_blocker: &'static str,
    pub(super) questions: &'static str,
    pub(super) rewrites: &'static str,
    pub(super) fill_in: &'static str,
    pub(super) warnings: &'static str,
    pub(super) waived: &'static str,
    pub(super) model_did: &'static str,
    pub(super) facets: &'static str,
    pub(super) elements_found: &'static str,
    /// The names of the elements of a ticket, in the order of [`ELEMENT_NAMES`].
    elements: [&'static str; ELEMENT_NAMES.len()],
    pub(super) explained: &'static str,
    pub(super) fact: &'static str,
    pub(super) evidence: &'static str,
    pub(super) estimate: &'static str,
    pub(super) estimated: &'static str,
    pub(super) asks_nothing: &'static str,
    pub(super) threshold: &'static str,
    pub(super) threshold_of: &'static str,
    pub(super) decision: &'static str,
    pub(super) blocks: &'static str,
    pub(super) does_not_block: &'static str,
    pub(super) structure_check: &'static str,
    pub(super) dimensions: &'static str,
    pub(super) weight: &'static str,
    pub(super) penalty: &'static str,
    pub(super) guardrail: &'static str,
    pub(super) found: &'static str,
    pub(super) masked: &'static str,
    pub(super) noticed: &'static str,
    pub(super) raw_text: &'static str,
    pub(super) no_draft: &'static str,
    pub(super) policy: &'static str,
    pub(super) rubric: &'static str,
    pub(super) rubric_after: &'static str,
    /// The probability that a text is ready.
    pub(super) chance: &'static str,
    /// The same where a threshold decides about it.
    pub(super) chance_needed: &'static str,
    pub(super) team: &'static str,
    pub(super) seen: &'static str,
    pub(super) stated: &'static str,
    pub(super) detected: &'static str,
    /// A text that looks like an issue, of which no tracker is known.
    pub(super) ticket_text: &'static str,
    pub(super) table: &'static str,
    pub(super) score: &'static str,
    pub(super) no_inputs: &'static str,
    pub(super) one_input: &'static str,
    pub(super) many_inputs: &'static str,
    pub(super) inputs: &'static str,
    pub(super) passed: &'static str,
    pub(super) rejected: &'static str,
    pub(super) stopped: &'static str,
    pub(super) inapplicable: &'static str,
    pub(super) unreadable: &'static str,
    pub(super) counted: &'static str,
    pub(super) report_title: &'static str,
    pub(super) show: &'static str,
    pub(super) show_all: &'static str,
    pub(super) show_stopped: &'static str,
    pub(super) show_passed: &'static str,
    pub(super) passes_left_out: &'static str,
    pub(super) needs_short: &'static str,
    pub(super) what_blocks: &'static str,
    pub(super) write_title: &'static str,
    pub(super) summary: &'static str,
    pub(super) spread: &'static str,
    pub(super) scores_of: &'static str,
    pub(super) ready_to_work: &'static str,
    pub(super) nothing_to_judge: &'static str,
    pub(super) stopped_title: &'static str,
    /// Titles where only the length stops a text.
    pub(super) wrong_length: (&'static str, &'static str),
    pub(super) not_judged: &'static str,
    pub(super) not_ready_yet: &'static str,
    pub(super) what_is_missing: &'static str,
    pub(super) points_after: &'static str,
    pub(super) in_line: &'static str,
    pub(super) footer: &'static str,
}

/// Dimensions of the shipped scorecards as a Chinese report calls them.
const DIMENSIONS: [(&str, &str); 9] = [
    ("clarity", "清晰度"),
    ("completeness", "完整性"),
    ("decidedness", "决定是否明确"),
    ("dependencies", "依赖"),
    ("environment", "环境"),
    ("expected_behaviour", "期望行为"),
    ("logic_closure", "逻辑闭环"),
    ("reproduction", "可复现性"),
    ("testability", "可测试性"),
];

/// The name of a dimension in a report; one of the user's own scorecard keeps its id.
pub(super) fn dimension_name(language: Language, id: &str) -> &str {
    let known = DIMENSIONS.iter().find(|(own, _)| *own == id).filter(|_| language == Language::Zh);
    known.map_or(id, |(_, name)| name)
}

impl Words {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        language.of(&ENGLISH, &CHINESE)
    }

    /// The title of the edits that lead to a pass, or towards one. `score` gives the points of it where the edits change them.
    pub(super) fn path_title(&self, decision: &GateDecision, path: &PathToPass, score: &str) -> String {
        let is_short = decision.threshold.is_some_and(|threshold| path.score_after < threshold);
        let title = if is_short { self.path_short_of_pass } else { self.path_to_pass };
        fill(self.after_path, &[("title", &title), ("score", &score)])
    }

    /// The name of an element of a ticket.
    pub(super) fn element(&self, name: &str) -> &'static str {
        ELEMENT_NAMES.iter().zip(self.elements).find(|(element, _)| **element == name).map_or("", |(_, words)| words)
    }

    /// The place of an issue without one.
    pub(super) fn nowhere(&self, issue: &ReviewIssue) -> &'static str {
        if issue.is_estimate() { self.not_found } else { self.missing }
    }

    /// The name of a verdict, as people read it.
    pub(super) fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Reject => self.reject,
            Verdict::GuardrailRejected => self.guardrail_rejected,
            Verdict::NotApplicable => self.not_applicable,
        }
    }

    /// A text as a sentence that another one can follow.
    pub(super) fn sentence(&self, text: &str) -> String {
        ended(text, self.stop)
    }

    /// The number of warnings in words.
    pub(super) fn warnings_counted(&self, count: usize) -> String {
        if count == 1 { self.one_warning.to_owned() } else { fill(self.many_warnings, &[("n", &count)]) }
    }
}

/// A template with its values put in; a value is never read as a template.
pub(super) fn fill(template: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut out = String::with_capacity(template.len() + 20);
    let mut rest = template;
    while let Some((before, hole)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = hole.split_once('}') else { break };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            out.push_str(&value.to_string());
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The name of a kind of guardrail finding.
pub(super) fn kind(kind: GuardrailKind, language: Language) -> &'static str {
    match kind {
        GuardrailKind::TooShort => language.of("text too short", "正文过短"),
        GuardrailKind::TooLong => language.of("text too long", "正文过长"),
        GuardrailKind::Email => language.of("e-mail address", "电子邮箱地址"),
        GuardrailKind::Phone => language.of("telephone number", "电话号码"),
        GuardrailKind::PaymentCard => language.of("payment card number", "支付卡号"),
        GuardrailKind::Iban => language.of("bank account number", "银行账号"),
        GuardrailKind::NationalId => language.of("national identity number", "身份证件号码"),
        GuardrailKind::BirthDate => language.of("date of birth", "出生日期"),
        GuardrailKind::IpAddress => language.of("IP address", "网络地址"),
        GuardrailKind::Secret => language.of("key, token or password", "密钥、令牌或密码"),
        GuardrailKind::PromptInjection => language.of("prompt injection", "提示词注入"),
    }
}

static ENGLISH: Words = Words {
    pass: "PASS",
    reject: "REJECT",
    guardrail_rejected: "GUARDRAIL_REJECTED",
    not_applicable: "NOT_APPLICABLE",
    error: "ERROR",
    comma: ", ",
    stop: ".",
    semicolon: "; ",
    colon: ": ",
    needs: "{score}/100 (needs {threshold})",
    one_warning: "1 warning",
    many_warnings: "{n} warnings",
    demoted: ", {n} demoted from BLOCKER",
    blocker: "blocker",
    place: "where",
    write: "write",
    note: "note",
    missing: "missing from the whole text",
    not_found: "we could not find this; is it there?",
    one_more_line: "and 1 more line",
    more_lines: "and {n} more lines",
    line: "line {n}",
    line_start: "Line {n}",
    whole_text: "whole text",
    more: "… and {n} more",
    more_verbose: "… and {n} more, --verbose shows them",
    more_blockers: "… and {n} more blockers",
    more_blockers_verbose: "… and {n} more blockers, --verbose shows them",
    path_to_pass: "To pass",
    path_short_of_pass: "These edits help, but are not enough to pass",
    after_path: "{title} ({score})",
    removes_blocker: "removes a blocker",
    questions: "Questions to the author",
    rewrites: "Rewrites suggested by the model",
    fill_in: "fill in the {blank}",
    warnings: "Warnings ({n})",
    waived: "Waived",
    model_did: "What the model did",
    facets: "Facets and their signs (log-odds)",
    elements_found: "Found in the text",
    elements: [
        "need",
        "actual result",
        "expected result",
        "steps",
        "environment",
        "place",
        "criterion",
        "reason",
        "user",
    ],
    explained: "Why",
    fact: "fact",
    evidence: "evidence",
    estimate: "estimate",
    estimated: "a reader needs an answer {answer}, cannot start {start}; would ask: {asked}",
    asks_nothing: "nothing",
    threshold: "threshold",
    threshold_of: "{n} (policy {policy})",
    decision: "decision",
    blocks: "blocks",
    does_not_block: "does not block",
    structure_check: "Structure check",
    dimensions: "Score by dimension",
    weight: "weight {n}",
    penalty: "Penalty −{points}: {reason}",
    guardrail: "Guardrail {words}",
    found: "found: {kinds}",
    masked: "masked: {kinds}",
    noticed: "noticed: {kinds}",
    raw_text: "Scored from the raw text, because it could not be structured ({gaps}). Add what is missing to get a full score.",
    no_draft: "no draft",
    policy: "Policy {policy}",
    rubric: "Rubric {rubric}",
    rubric_after: "rubric {rubric}",
    chance: ", chance that it is ready: {n} %",
    chance_needed: ", chance that it is ready: {n} % ({needed} % needed)",
    team: " by the weights of {from} ({n} tickets)",
    seen: "{what} ({origin})",
    stated: "stated",
    detected: "detected",
    ticket_text: "ticket",
    table: "| Blocker | Place | What is wrong | What to write instead |",
    score: "score {score}",
    no_inputs: "no inputs",
    one_input: "1 input: {parts}",
    many_inputs: "{n} inputs: {parts}",
    inputs: "{n} inputs",
    passed: "passed",
    rejected: "rejected",
    stopped: "stopped by the guardrail",
    inapplicable: "not applicable",
    unreadable: "could not be read",
    counted: "{n} {what}",
    report_title: "reqgate report",
    show: "Show",
    show_all: "all",
    show_stopped: "stopped",
    show_passed: "passed",
    passes_left_out: "Inputs that pass are counted, not listed",
    needs_short: "/100, needs {n}",
    what_blocks: "What blocks it",
    write_title: "Write",
    summary: "Summary",
    spread: "Distribution of the scores",
    scores_of: "Scores of {n} inputs",
    ready_to_work: "Ready to work on",
    nothing_to_judge: "Nothing to judge: a task or a question, not a requirement",
    stopped_title: "Stopped by the guardrail",
    wrong_length: ("Too short to judge", "Too long to judge"),
    not_judged: "The guardrail {words}. The text was not judged.",
    not_ready_yet: "Not ready yet",
    what_is_missing: "What is missing",
    points_after: "{n} points after it",
    in_line: " (line {n})",
    footer: "Edit the issue and run reqgate again to update this comment. The text was not sent anywhere.",
};

static CHINESE: Words = Words {
    pass: "就绪",
    reject: "未就绪",
    guardrail_rejected: "已拦截",
    not_applicable: "不适用",
    error: "错误",
    comma: "，",
    stop: "。",
    semicolon: "；",
    colon: "：",
    needs: "{score}/100（需要 {threshold}）",
    one_warning: "1 条警告",
    many_warnings: "{n} 条警告",
    demoted: "，其中 {n} 条由阻断项降级",
    blocker: "阻断项",
    place: "位置",
    write: "写法",
    note: "说明",
    missing: "全文中没有",
    not_found: "没有找到相关内容，文中写了吗？",
    one_more_line: "另有 1 行",
    more_lines: "另有 {n} 行",
    line: "第 {n} 行",
    line_start: "第 {n} 行",
    whole_text: "全文",
    more: "…… 另有 {n} 项",
    more_verbose: "…… 另有 {n} 项，用 --verbose 查看",
    more_blockers: "…… 另有 {n} 个阻断项",
    more_blockers_verbose: "…… 另有 {n} 个阻断项，用 --verbose 查看",
    path_to_pass: "通过所需修改",
    path_short_of_pass: "先做这些修改，还不足以通过",
    after_path: "{title}（{score}）",
    removes_blocker: "消除一个阻断项",
    questions: "待澄清问题",
    rewrites: "模型建议的改写",
    fill_in: "请填写 {blank}",
    warnings: "警告（{n}）",
    waived: "已豁免",
    model_did: "模型的作用",
    facets: "要素及其依据（对数几率）",
    elements_found: "文中已写明",
    elements: ["需求", "实际结果", "预期结果", "步骤", "环境", "位置", "验收标准", "原因", "用户"],
    explained: "判断依据",
    fact: "事实",
    evidence: "已写明",
    estimate: "估计",
    estimated: "需要先问 {answer}，无法开工 {start}；会问：{asked}",
    asks_nothing: "没有",
    threshold: "门槛",
    threshold_of: "{n}（策略 {policy}）",
    decision: "结论",
    blocks: "阻断",
    does_not_block: "不阻断",
    structure_check: "结构检查",
    dimensions: "各维度得分",
    weight: "权重 {n}",
    penalty: "扣分 −{points}：{reason}",
    guardrail: "护栏{words}",
    found: "发现：{kinds}",
    masked: "已遮盖：{kinds}",
    noticed: "提醒：{kinds}",
    raw_text: "无法整理成草稿（{gaps}），因此按原文评分。请补充缺少的内容。",
    no_draft: "没有草稿",
    policy: "策略 {policy}",
    rubric: "评分表 {rubric}",
    rubric_after: "评分表 {rubric}",
    chance: "，就绪的可能性 {n} %",
    chance_needed: "，就绪的可能性 {n} %（需要 {needed} %）",
    team: "，采用 {from} 的团队权重（{n} 个工单）",
    seen: "{what}（{origin}）",
    stated: "指定",
    detected: "识别",
    ticket_text: "工单",
    table: "| 阻断项 | 位置 | 问题 | 应该怎么写 |",
    score: "得分 {score}",
    no_inputs: "没有输入",
    one_input: "1 个输入：{parts}",
    many_inputs: "{n} 个输入：{parts}",
    inputs: "{n} 个输入",
    passed: "就绪",
    rejected: "未就绪",
    stopped: "被护栏拦截",
    inapplicable: "不适用",
    unreadable: "无法读取",
    counted: "{n} 个{what}",
    report_title: "reqgate 报告",
    show: "显示",
    show_all: "全部",
    show_stopped: "未通过",
    show_passed: "已通过",
    passes_left_out: "通过的输入只计数，不列出",
    needs_short: "/100，需要 {n}",
    what_blocks: "阻断项",
    write_title: "写法",
    summary: "汇总",
    spread: "得分分布",
    scores_of: "{n} 个输入的得分",
    ready_to_work: "已就绪",
    nothing_to_judge: "无需评审：这是任务或提问，不是需求",
    stopped_title: "已被护栏拦截",
    wrong_length: ("正文过短，无法评审", "正文过长，无法评审"),
    not_judged: "护栏{words}。正文未被评审。",
    not_ready_yet: "未就绪",
    what_is_missing: "缺少什么",
    points_after: "完成后 {n} 分",
    in_line: "（第 {n} 行）",
    footer: "修改工单后再次运行 reqgate，即可更新本评论。正文没有发送到任何地方。",
};
