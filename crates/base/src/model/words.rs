//! The names of the model's values in reports, in English and in Chinese.

use super::{
    DiscardReason, Disposition, DraftGap, DraftPart, EvidencePart, FallbackLevel, Language, ModelTask, PenaltyReason,
    SkipReason, SourceType, TicketType,
};

impl Language {
    /// Chooses the wording in this language.
    pub fn of<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::En => english,
            Self::Zh => chinese,
        }
    }

    /// The name of the language, in `language`.
    pub fn words(self, language: Self) -> &'static str {
        match self {
            Self::En => language.of("English", "英文"),
            Self::Zh => language.of("Chinese", "中文"),
        }
    }
}

impl SourceType {
    /// The name of the kind of document, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::JiraTicket => language.of("Jira ticket", "Jira 工单"),
            Self::PrdDoc => language.of("PRD", "产品需求文档"),
            Self::MeetingTranscript => language.of("meeting notes", "会议纪要"),
            Self::GitHubIssue => language.of("GitHub issue", "GitHub 议题"),
            Self::PlainText => language.of("plain text", "纯文本"),
        }
    }
}

impl TicketType {
    /// The name of the type, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Feature => language.of("Feature", "功能"),
            Self::Bug => language.of("Bug", "缺陷"),
            Self::Task => language.of("Task", "任务"),
            Self::Question => language.of("Question", "提问"),
            Self::Discussion => language.of("Discussion", "讨论"),
            Self::FeaturePart => language.of("Part of a feature", "功能的组成文件"),
        }
    }
}

impl DraftGap {
    /// The missing part, as a clause.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Title => language.of("no title could be found", "没有标题"),
            Self::Need => language.of("nothing says who needs what", "没有写谁需要什么"),
            Self::Fault => language.of("nothing says what goes wrong", "没有写出了什么问题"),
            Self::Criteria => language.of("no acceptance criterion could be found", "没有验收标准"),
            Self::Expected => language.of("nothing says what should happen instead", "没有写期望结果"),
        }
    }

    /// Several gaps as one part of a sentence.
    pub fn list(gaps: &[Self], language: Language) -> String {
        let words: Vec<&str> = gaps.iter().map(|gap| gap.words(language)).collect();
        words.join(language.of("; ", "；"))
    }
}

impl PenaltyReason {
    /// The reason for the penalty.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::RawText => language.of("the text could not be structured", "无法整理成草稿"),
            Self::StructureCheck => language.of("the structure check failed", "结构检查未通过"),
        }
    }
}

impl Disposition {
    /// The note shown with the issue; `None` if no note is needed.
    pub fn note(&self, language: Language) -> Option<String> {
        let fixed = |english: &str, chinese: &str| language.of(english, chinese).to_owned();
        Some(match self {
            Self::Rule | Self::FormGap => return None,
            Self::Configuration => fixed("set by the configuration", "由配置指定"),
            Self::Rubric { id } => language.of(format!("set by the rubric `{id}`"), format!("由评分表 `{id}` 指定")),
            Self::Imprecise { measured, floor } => language.of(
                format!("demoted from BLOCKER: measured precision {measured} is below the floor {floor:.2}"),
                format!("由阻断项降级：实测准确率 {measured}，低于下限 {floor:.2}"),
            ),
            Self::Waived { reason } => language.of(format!("waived: {reason}"), format!("已豁免：{reason}")),
            Self::Asked => fixed("asked as a question, not certain enough to block", "把握不足以阻断，改为提问"),
            Self::Policy => fixed("does not block under this policy", "按当前策略不阻断"),
            Self::Baseline => fixed("already in the baseline", "已在基线中"),
            Self::Model => fixed("found by the model; its quote is in the text", "由模型发现，引文已在原文中核对"),
        })
    }
}

impl FallbackLevel {
    /// The level, as people see it.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::RulesAndModel => language.of("rules and model", "规则与模型"),
            Self::Rules => language.of("rules alone", "仅规则"),
            Self::RawText => language.of("raw text", "原文"),
        }
    }
}

impl ModelTask {
    /// The name of the task.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Structuring => language.of(self.name(), "整理"),
            Self::Scoring => language.of(self.name(), "评分"),
            Self::Clarify => language.of(self.name(), "提问"),
            Self::Reading => language.of(self.name(), "阅读"),
        }
    }
}

impl SkipReason {
    /// The reason why the model was not asked.
    pub fn words(self, language: Language) -> String {
        let fixed = |english: &str, chinese: &str| language.of(english, chinese).to_owned();
        match self {
            Self::Withheld => fixed(
                "the text was not sent to the model, which might take some of its words for orders",
                "原文中有些文字可能被模型当作指令，因此没有发送给模型",
            ),
            Self::TooLong { limit } => {
                language.of(format!("the text has more than {limit} characters"), format!("原文超过 {limit} 个字符"))
            }
            Self::NoQuestion => fixed("the rubric has no question for a model", "评分表没有给模型的问题"),
            Self::NothingToAsk => fixed("there is nothing to ask about", "没有需要询问的内容"),
            Self::DryRun => fixed("this is a dry run", "这是试运行"),
            Self::Outage => fixed("the model did not answer the previous question", "模型没有回答上一个问题"),
            Self::StructuringOff => fixed("structuring is switched off", "结构化已关闭"),
            Self::NotRejected => fixed("the ticket is not rejected", "工单没有被退回"),
        }
    }
}

impl DraftPart {
    /// The name of the part.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Title => language.of("title", "标题"),
            Self::Story => language.of("story", "用户故事"),
            Self::AcceptanceCriterion => language.of("acceptance criterion", "验收标准"),
            Self::EdgeCase => language.of("edge case", "边界情况"),
            Self::Resource => language.of("resource", "相关资料"),
            Self::OpenPoint => language.of("open point", "待定项"),
        }
    }
}

impl EvidencePart {
    /// The name of the part.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Criterion => language.of("criterion", "验收标准"),
            Self::Step => language.of("step", "复现步骤"),
            Self::Expected => language.of("expected behaviour", "预期结果"),
            Self::Actual => language.of("actual behaviour", "实际结果"),
            Self::Environment => language.of("environment", "环境"),
        }
    }
}

impl DiscardReason {
    /// The reason why the statement was discarded.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::NotInText => language.of("not in the text", "原文中没有"),
            Self::Contradicted => language.of("the rules found what it calls missing", "规则已找到它认为缺少的内容"),
            Self::NotAsked => language.of("not asked for", "没有问到"),
            Self::NoEvidence => language.of("a grade without evidence", "评分没有依据"),
            Self::ChangesFacts => language.of("changes or invents a fact", "改动或编造了事实"),
            Self::Unsafe => language.of("not safe to show", "不宜显示"),
            Self::Unusable => language.of("not usable", "无法使用"),
            Self::TooMany => language.of("more than was asked for", "超出所问数量"),
        }
    }
}
