//! The words of a requirements document in both languages: sections, labels, priorities, states.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Decided, DocumentStatus, RequirementPriority};
use reqgate_base::model::Language;
use reqgate_text::lexicon::is_cjk;

/// The sections for decisions, and the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Approved,
    Modified,
    Rejected,
    OutOfScope,
    Pending,
    History,
}

/// The labels of the lines of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Feature,
    Status,
    Priority,
    Category,
    Aliases,
    Stories,
    WaitsFor,
    Notes,
    Reason,
    Description,
    Criteria,
    Sources,
    Approved,
    Rejected,
    Modified,
}

/// The names of the sections in English and Chinese, then other accepted spellings; lower case.
const SECTIONS: &[(Section, &str, &str, &[&str])] = &[
    (
        Section::Approved,
        "Approved",
        "已批准",
        &["accepted", "agreed", "confirmed", "批准", "已通过", "通过", "已采纳", "已接受", "已确认", "定稿", "已定稿"],
    ),
    (
        Section::Modified,
        "Modified",
        "已修改",
        &["approved with changes", "changed", "modified and approved", "修改", "修改后批准", "修改后通过"],
    ),
    (
        Section::Rejected,
        "Rejected",
        "已拒绝",
        &[
            "declined",
            "dropped",
            "cancelled",
            "canceled",
            "已否决",
            "已驳回",
            "拒绝",
            "驳回",
            "不采纳",
            "未采纳",
            "已取消",
        ],
    ),
    (
        Section::OutOfScope,
        "Out of Scope",
        "范围之外",
        &["scope exclusions", "excluded", "范围外", "不在范围", "不在范围内", "超出范围", "不在本期范围", "本期不做"],
    ),
    (
        Section::Pending,
        "Pending Review",
        "待评审",
        &[
            "pending",
            "to review",
            "proposed",
            "awaiting review",
            "in review",
            "new",
            "suggested",
            "draft",
            "drafts",
            "新提议",
            "新增",
            "提议",
            "草案",
            "待讨论",
            "待审",
            "待审核",
            "待定",
            "待确认",
            "评审中",
        ],
    ),
    (
        Section::History,
        "Review History",
        "评审记录",
        &["history", "reviews", "评审历史", "审核记录", "审核历史", "历史", "历史记录"],
    ),
];

const LABELS: &[(Label, &str, &str, &[&str])] = &[
    (Label::Feature, "Feature", "功能", &["feature id", "功能编号"]),
    (Label::Status, "Status", "状态", &["document status", "文档状态"]),
    (Label::Priority, "Priority", "优先级", &["prio", "优先程度"]),
    (Label::Category, "Category", "类别", &["area", "分类", "领域"]),
    (Label::Aliases, "Also known as", "又名", &["alias", "aliases", "formerly", "别名", "原编号"]),
    (Label::Stories, "User stories", "用户故事", &["user story ids", "stories"]),
    (Label::WaitsFor, "Waits for", "等待", &["waits on", "waiting for", "等待答复", "待答复"]),
    (
        Label::Notes,
        "Modification notes",
        "修改说明",
        &["notes", "note", "modification note", "modification reason", "changes", "修改备注", "修改原因", "备注"],
    ),
    (
        Label::Reason,
        "Reason",
        "理由",
        &[
            "rejection reason",
            "scope exclusion reason",
            "exclusion reason",
            "reasons",
            "why rejected",
            "why not",
            "原因",
            "否决原因",
            "否决理由",
            "不做原因",
            "不采纳原因",
            "拒绝原因",
            "拒绝理由",
            "排除原因",
        ],
    ),
    (Label::Description, "Description", "描述", &["requirement", "需求描述", "说明"]),
    (
        Label::Criteria,
        "Acceptance criteria",
        "验收标准",
        &[
            "criteria",
            "acceptance",
            "acceptance criterion",
            "accepted when",
            "fit criteria",
            "fit criterion",
            "conditions of satisfaction",
            "satisfied when",
            "fulfilled when",
            "it is fulfilled when",
            "done when",
            "definition of done",
            "passes when",
            "verification",
            "verified by",
            "how it is checked",
            "how to check",
            "checks",
            "control points",
            "tests",
            "test cases",
            "scenarios",
            "ac",
            "acs",
            "验收",
            "验收条件",
            "验收准则",
            "验收要点",
            "验收点",
            "通过标准",
            "通过条件",
            "完成标准",
            "完成条件",
            "检验方法",
            "验证",
            "验证方法",
            "测试要点",
        ],
    ),
    (Label::Sources, "Sources", "来源", &["source", "出处"]),
    (Label::Approved, "Approved", "批准", &["approved ids", "已批准", "通过"]),
    (Label::Rejected, "Rejected", "拒绝", &["rejected ids", "已拒绝", "rejected or out of scope"]),
    (Label::Modified, "Modified", "修改", &["modified ids", "已修改"]),
];

/// The longest label, in characters.
const LONGEST_LABEL: usize = 32;

impl Section {
    pub(super) fn heading(self, language: Language) -> &'static str {
        let row = SECTIONS.iter().find(|row| row.0 == self);
        row.map_or("", |row| if language == Language::Zh { row.2 } else { row.1 })
    }

    /// The section that a heading names.
    pub(super) fn named(heading: &str) -> Option<Self> {
        let name = plain(heading);
        let of = |name: &str| SECTIONS.iter().find(|row| is_one_of(name, row.1, row.2, row.3)).map(|row| row.0);
        of(&name).or_else(|| in_two_languages(&name, of))
    }

    /// The section for a decision.
    pub(super) fn of(decided: &Decided) -> Self {
        match decided {
            Decided::Pending => Self::Pending,
            Decided::Approved => Self::Approved,
            Decided::Modified { .. } => Self::Modified,
            Decided::Rejected { .. } => Self::Rejected,
            Decided::OutOfScope { .. } => Self::OutOfScope,
        }
    }

    /// The decision of this section, with its notes or reason.
    pub(super) fn decided(self, words: String) -> Decided {
        match self {
            Self::Approved => Decided::Approved,
            Self::Modified => Decided::Modified { notes: words },
            Self::Rejected => Decided::Rejected { reason: words },
            Self::OutOfScope => Decided::OutOfScope { reason: words },
            Self::Pending | Self::History => Decided::Pending,
        }
    }

    /// The label under which its decisions give notes or a reason.
    pub(super) fn why(self) -> Option<Label> {
        match self {
            Self::Modified => Some(Label::Notes),
            Self::Rejected | Self::OutOfScope => Some(Label::Reason),
            Self::Approved | Self::Pending | Self::History => None,
        }
    }
}

impl Label {
    pub(super) fn name(self, language: Language) -> &'static str {
        let row = LABELS.iter().find(|row| row.0 == self);
        row.map_or("", |row| if language == Language::Zh { row.2 } else { row.1 })
    }

    /// The label that some words are.
    pub(super) fn named(words: &str) -> Option<Self> {
        if words.chars().count() > LONGEST_LABEL {
            return None;
        }
        let name = words.trim().to_lowercase();
        let of = |name: &str| LABELS.iter().find(|row| is_one_of(name, row.1, row.2, row.3)).map(|row| row.0);
        of(&name).or_else(|| in_two_languages(&name, of))
    }
}

/// A column of a table of requirements, or the label of a line below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Priority,
    Stories,
    Status,
    Criteria,
}

impl Column {
    /// The column that a head names.
    pub(crate) fn named(head: &str) -> Option<Self> {
        const DECISIONS: [&str; 4] = ["decision", "state", "决定", "评审结果"];
        let head = head.trim().trim_matches(['*', '_', '`']);
        match Label::named(head) {
            Some(Label::Priority) => Some(Self::Priority),
            Some(Label::Stories) => Some(Self::Stories),
            Some(Label::Status) => Some(Self::Status),
            Some(Label::Criteria) => Some(Self::Criteria),
            _ if DECISIONS.contains(&head.to_lowercase().as_str()) => Some(Self::Status),
            _ => None,
        }
    }
}

/// A decision against a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutAside {
    Rejected,
    OutOfScope,
}

impl PutAside {
    /// The decision that a heading or a cell names.
    pub(crate) fn named(words: &str) -> Option<Self> {
        match Section::named(words) {
            Some(Section::Rejected) => Some(Self::Rejected),
            Some(Section::OutOfScope) => Some(Self::OutOfScope),
            _ => None,
        }
    }

    /// The section of requirements with this decision.
    pub(super) fn section(self) -> Section {
        match self {
            Self::Rejected => Section::Rejected,
            Self::OutOfScope => Section::OutOfScope,
        }
    }
}

fn is_one_of(name: &str, english: &str, chinese: &str, others: &[&str]) -> bool {
    name == chinese || name == english.to_lowercase() || others.contains(&name)
}

/// The name given by "Approved 已批准" or 目标 Goals, if both halves name the same.
pub(crate) fn in_two_languages<N: PartialEq>(name: &str, of: impl Fn(&str) -> Option<N>) -> Option<N> {
    let name = name.trim();
    let is_chinese = |c: char| is_cjk(c);
    let at = if name.starts_with(is_chinese) {
        name.find(|c: char| c.is_ascii_alphabetic())?
    } else {
        name.find(is_chinese)?
    };
    let (first, second) = name.split_at(at);
    let between = |c: char| c.is_whitespace() || matches!(c, '/' | '|' | '-' | '–' | '·');
    let named = of(first.trim_matches(between))?;
    (of(second.trim_matches(between))? == named).then_some(named)
}

/// A heading in lower case without numbers, markup, counts in brackets and the word "requirements".
fn plain(heading: &str) -> String {
    let bare = heading.split(['(', '（', '[']).next().unwrap_or_default();
    let words: String = bare.chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).collect();
    let words = words.to_lowercase();
    let words: Vec<&str> =
        words.split_whitespace().filter(|word| !matches!(*word, "requirements" | "requirement")).collect();
    let name = words.join(" ");
    let short = name.trim_start_matches("需求").trim_end_matches("需求").trim_end_matches('的');
    short.trim().to_owned()
}

/// The spelling of priorities: a document keeps its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spelling {
    /// high, medium, low.
    #[default]
    Words,
    /// must, should, could, won't.
    Moscow,
    /// P0 to P3.
    Numbers,
}

const PRIORITIES: &[(RequirementPriority, Spelling, &str, &str, &[&str])] = &[
    (RequirementPriority::High, Spelling::Words, "high", "高", &["critical", "highest", "最高", "紧急"]),
    (RequirementPriority::Medium, Spelling::Words, "medium", "中", &["normal", "med", "中等", "普通"]),
    (RequirementPriority::Low, Spelling::Words, "low", "低", &["lowest", "最低"]),
    (RequirementPriority::Wont, Spelling::Words, "wont", "不做", &["none"]),
    (RequirementPriority::High, Spelling::Moscow, "must", "必须", &["must have", "must-have", "m", "必须有"]),
    (
        RequirementPriority::Medium,
        Spelling::Moscow,
        "should",
        "应该",
        &["should have", "should-have", "s", "应当", "应有"],
    ),
    (RequirementPriority::Low, Spelling::Moscow, "could", "可以", &["could have", "could-have", "c", "可有"]),
    (
        RequirementPriority::Wont,
        Spelling::Moscow,
        "won't",
        "这次不做",
        &["won’t", "won't have", "will not", "w", "暂不", "本期不做"],
    ),
    (RequirementPriority::High, Spelling::Numbers, "P0", "P0", &["p0"]),
    (RequirementPriority::Medium, Spelling::Numbers, "P1", "P1", &["p1"]),
    (RequirementPriority::Low, Spelling::Numbers, "P2", "P2", &["p2"]),
    (RequirementPriority::Wont, Spelling::Numbers, "P3", "P3", &["p3"]),
    (RequirementPriority::Unset, Spelling::Words, "not set", "未定", &["unset", "tbd", "open", "待定"]),
];

/// Reads a priority in any spelling: `high`, `Must have`, `P1`, 高.
pub(crate) fn priority(words: &str) -> Option<(RequirementPriority, Spelling)> {
    let bare = words.split(['(', '（', ',', '，']).next().unwrap_or_default();
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let fits = |word: &str| word.to_lowercase() == bare;
    let row = PRIORITIES.iter().find(|row| fits(row.2) || fits(row.3) || row.4.contains(&bare.as_str()));
    row.map(|row| (row.0, row.1))
}

pub(crate) fn priority_word(priority: RequirementPriority, spelling: Spelling, language: Language) -> &'static str {
    let row = PRIORITIES.iter().find(|row| row.0 == priority && row.1 == spelling);
    row.map_or("", |row| if language == Language::Zh { row.3 } else { row.2 })
}

const STATES: &[(DocumentStatus, &str, &str, &[&str])] = &[
    (DocumentStatus::Draft, "draft", "草稿", &[]),
    (DocumentStatus::InReview, "in review", "评审中", &["in-review", "待评审"]),
    (DocumentStatus::Approved, "approved", "已批准", &["finalized", "finalised", "final", "已定稿", "已通过"]),
    (DocumentStatus::InProgress, "in progress", "进行中", &["in-progress", "开发中"]),
    (DocumentStatus::Complete, "complete", "已完成", &["completed", "done", "完成"]),
];

/// Reads how far a document is.
pub(crate) fn status(words: &str) -> Option<DocumentStatus> {
    let bare = words.trim().trim_matches(['*', '`', '_', '.', '。']).to_lowercase();
    STATES.iter().find(|row| bare == row.1 || bare == row.2 || row.3.contains(&bare.as_str())).map(|row| row.0)
}

/// Writes how far a document is.
pub(crate) fn status_word(status: DocumentStatus, language: Language) -> &'static str {
    let row = STATES.iter().find(|row| row.0 == status);
    row.map_or("", |row| if language == Language::Zh { row.2 } else { row.1 })
}
