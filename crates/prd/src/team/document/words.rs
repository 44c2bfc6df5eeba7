//! The words of a PRD in both languages: labels, kinds of entries, lists, values.

use super::parts::{MetricCategory, QualityCategory, RiskCategory, RiskLevel};
use crate::RequirementId;
use crate::requirements::ids;
use crate::requirements::in_two_languages;
use crate::team::sections::{SectionId, same_words};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, Line, LineKind};

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Persona,
    Story,
    Functional,
    Quality,
    Metric,
    Risk,
    Milestone,
}

/// The label of a value of an entry, or of the head of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Version,
    Status,
    Author,
    Updated,
    Role,
    Demographics,
    Goals,
    PainPoints,
    UseCases,
    Quote,
    Persona,
    Priority,
    Points,
    Criteria,
    Category,
    Stories,
    DependsOn,
    Effort,
    Measurement,
    Target,
    Baseline,
    Timeframe,
    Frequency,
    Probability,
    Impact,
    Mitigation,
    Owner,
    Contingency,
    Date,
    Deliverables,
    SuccessCriteria,
    Dependencies,
    Risks,
}

/// Label, English, Chinese, other spellings in lower case.
const LABELS: &[(Label, &str, &str, &[&str])] = &[
    (Label::Version, "Version", "版本", &["版本号"]),
    (Label::Status, "Status", "状态", &["文档状态"]),
    (Label::Author, "Author", "作者", &["owner", "负责人", "撰写人"]),
    (Label::Updated, "Updated", "更新日期", &["date", "last updated", "日期", "更新时间"]),
    (Label::Role, "Role", "角色", &["job", "职位", "岗位"]),
    (Label::Demographics, "Demographics", "人口特征", &["基本信息"]),
    (Label::Goals, "Goals", "目标", &["goal"]),
    (Label::PainPoints, "Pain points", "痛点", &["pains", "frustrations", "困扰"]),
    (Label::UseCases, "Use cases", "使用场景", &["uses", "场景"]),
    (Label::Quote, "Quote", "原话", &["in their words", "引语"]),
    (Label::Persona, "Persona", "用户角色", &["user", "角色"]),
    (Label::Priority, "Priority", "优先级", &["prio"]),
    (Label::Points, "Effort points", "故事点", &["story points", "points", "effort", "工作量"]),
    (Label::Criteria, "Acceptance criteria", "验收标准", &["acceptance criterion", "criteria", "验收条件"]),
    (Label::Category, "Category", "类别", &["area", "type", "分类"]),
    (Label::Stories, "User stories", "用户故事", &["stories", "user story", "serves", "对应故事"]),
    (Label::DependsOn, "Depends on", "依赖", &["dependencies", "requires", "依赖项"]),
    (Label::Effort, "Effort", "工作量", &["effort estimate", "estimate", "估算"]),
    (
        Label::Measurement,
        "Measured by",
        "测量方法",
        &["measurement", "measurement method", "measurement criteria", "how it is measured", "衡量方式", "测量方式"],
    ),
    (Label::Target, "Target", "目标值", &["target value", "目标"]),
    (Label::Baseline, "Baseline", "现值", &["current baseline", "today", "基线", "当前值"]),
    (Label::Timeframe, "By", "期限", &["timeframe", "target timeframe", "due", "完成时间", "时间范围"]),
    (Label::Frequency, "Tracked", "跟踪频率", &["tracking", "tracking frequency", "frequency", "频率"]),
    (Label::Probability, "Probability", "可能性", &["likelihood", "概率"]),
    (Label::Impact, "Impact", "影响", &["影响程度"]),
    (Label::Mitigation, "Mitigation", "应对措施", &["mitigation strategy", "缓解措施", "预防措施"]),
    (Label::Owner, "Owner", "负责人", &["responsible", "责任人"]),
    (Label::Contingency, "Contingency plan", "应急预案", &["contingency", "plan b", "应急方案"]),
    (Label::Date, "Date", "日期", &["due", "when", "时间"]),
    (Label::Deliverables, "Deliverables", "交付物", &["deliverable", "交付内容"]),
    (Label::SuccessCriteria, "Success criteria", "完成条件", &["done when", "exit criteria", "成功标准"]),
    (Label::Dependencies, "Dependencies", "依赖", &["depends on", "依赖项"]),
    (Label::Risks, "Risks", "风险", &["risk"]),
];

/// The position of the value of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// On the line of the label.
    Line,
    /// As items below it.
    Items,
    /// Ids on the line of the label, separated by commas.
    Ids,
}

impl Label {
    /// The label in a language.
    pub(super) fn name(self, language: Language) -> &'static str {
        LABELS.iter().find(|row| row.0 == self).map_or("", |row| language.of(row.1, row.2))
    }

    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Stories | Self::DependsOn => Shape::Ids,
            Self::Demographics | Self::Goals | Self::PainPoints | Self::UseCases | Self::Criteria => Shape::Items,
            Self::Deliverables | Self::SuccessCriteria | Self::Dependencies | Self::Risks => Shape::Items,
            _ => Shape::Line,
        }
    }

    /// The label among `known` that some words are, in either language or both.
    fn named(words: &str, known: &[Self]) -> Option<Self> {
        let name = words.trim().to_lowercase();
        let of = |name: &str| {
            let rows = || LABELS.iter().filter(|row| known.contains(&row.0));
            let own = rows().find(|row| name == row.2 || name == row.1.to_lowercase());
            own.or_else(|| rows().find(|row| row.3.contains(&name))).map(|row| row.0)
        };
        of(&name).or_else(|| in_two_languages(&name, of))
    }
}

/// The labels of the head of a document.
pub(super) const HEAD: &[Label] = &[Label::Version, Label::Status, Label::Author, Label::Updated];

/// A label of `known` that begins a line, and the text after it. A line indented by two columns belongs to the one above.
pub(super) fn labelled<'l>(line: &'l str, known: &[Label]) -> Option<(Label, &'l str)> {
    if indent(line) >= 2 {
        return None;
    }
    lines::labelled_by(line, |name| Label::named(name, known))
}

/// The columns before the first word of a line.
pub(super) fn indent(line: &str) -> usize {
    let white = &line[..line.len() - line.trim_start().len()];
    white.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

impl Kind {
    /// The labels of its entries, in the order in which they are written.
    pub(super) fn labels(self) -> &'static [Label] {
        use Label as L;
        match self {
            Self::Persona => &[L::Role, L::Demographics, L::Goals, L::PainPoints, L::UseCases, L::Quote],
            Self::Story => &[L::Persona, L::Priority, L::Points, L::Criteria],
            Self::Functional => &[L::Priority, L::Category, L::Stories, L::DependsOn, L::Effort, L::Criteria],
            Self::Quality => &[L::Priority, L::Category, L::Measurement, L::Target],
            Self::Metric => &[L::Category, L::Measurement, L::Baseline, L::Target, L::Timeframe, L::Frequency],
            Self::Risk => &[L::Category, L::Probability, L::Impact, L::Owner, L::Mitigation, L::Contingency],
            Self::Milestone => &[L::Date, L::Deliverables, L::SuccessCriteria, L::Dependencies, L::Risks],
        }
    }

    /// The section in which its entries are written.
    pub(super) fn section(self) -> SectionId {
        match self {
            Self::Persona => SectionId::TargetUsers,
            Self::Story => SectionId::UserStories,
            Self::Functional => SectionId::FunctionalRequirements,
            Self::Quality => SectionId::NonFunctionalRequirements,
            Self::Metric => SectionId::SuccessMetrics,
            Self::Risk => SectionId::DependenciesRisks,
            Self::Milestone => SectionId::Timeline,
        }
    }

    /// The kinds of entries that a section holds.
    fn of(section: SectionId) -> &'static [Self] {
        match section {
            SectionId::TargetUsers => &[Self::Persona],
            SectionId::UserStories => &[Self::Story],
            // Many documents have one section for both.
            SectionId::FunctionalRequirements | SectionId::NonFunctionalRequirements => {
                &[Self::Functional, Self::Quality]
            }
            SectionId::SuccessMetrics => &[Self::Metric],
            SectionId::DependenciesRisks => &[Self::Risk],
            SectionId::Timeline => &[Self::Milestone],
            _ => &[],
        }
    }

    /// Returns true if its entries have ids.
    pub(super) fn has_id(self) -> bool {
        !matches!(self, Self::Persona | Self::Metric | Self::Milestone)
    }

    /// The word before the name of an entry that has no id.
    pub(super) fn prefix(self, language: Language) -> &'static str {
        match self {
            Self::Persona => language.of("Persona", "角色"),
            Self::Metric => language.of("Metric", "指标"),
            Self::Milestone => language.of("Milestone", "里程碑"),
            _ => "",
        }
    }

    /// Name or id and title of the entry that a heading begins.
    fn begun(self, heading: &str) -> Option<(&str, &str)> {
        let requirement = || ids::leading(heading).filter(|(id, _)| id.parse::<RequirementId>().is_ok());
        match self {
            Self::Persona | Self::Metric | Self::Milestone => {
                let (prefix, name) = heading.split_once([':', '：'])?;
                let is_own = [Language::En, Language::Zh].iter().any(|of| same_words(prefix, self.prefix(*of)));
                is_own.then(|| (name.trim(), ""))
            }
            Self::Functional => requirement().filter(|(id, _)| !id.starts_with("NFR")),
            Self::Quality => requirement().filter(|(id, _)| id.starts_with("NFR")),
            Self::Story => ids::leading(heading).filter(|(id, _)| is_entry_id(id, "US")),
            Self::Risk => ids::leading(heading).filter(|(id, _)| is_entry_id(id, "R")),
        }
    }
}

/// Returns true for `US-001` and `R7`; a word with a number such as `Q3` is an id only if it has a hyphen or the usual letters.
pub(super) fn is_entry_id(id: &str, letters: &str) -> bool {
    id.contains('-') || id.strip_prefix(letters).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// A part of a section with its own heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sub {
    Market,
    Competition,
    Journeys,
    EdgeCases,
    Interface,
    Integration,
    Dependencies,
    Questions,
    Assumptions,
}

impl Sub {
    pub(super) const ALL: [Self; 9] = [
        Self::Market,
        Self::Competition,
        Self::Journeys,
        Self::EdgeCases,
        Self::Interface,
        Self::Integration,
        Self::Dependencies,
        Self::Questions,
        Self::Assumptions,
    ];

    pub(super) fn section(self) -> SectionId {
        match self {
            Self::Market | Self::Competition => SectionId::ProblemStatement,
            Self::Journeys => SectionId::TargetUsers,
            Self::EdgeCases => SectionId::UserStories,
            Self::Interface | Self::Integration => SectionId::FunctionalRequirements,
            Self::Dependencies => SectionId::DependenciesRisks,
            Self::Questions | Self::Assumptions => SectionId::OpenQuestions,
        }
    }

    pub(super) fn is_list(self) -> bool {
        !matches!(self, Self::Market | Self::Competition)
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Market => &["Market Opportunity", "市场机会", "Market analysis", "市场分析"],
            Self::Competition => {
                &["Competitive Landscape", "竞争格局", "Competitive analysis", "Competitors", "竞品分析"]
            }
            Self::Journeys => &["User Journeys", "用户旅程", "User journey", "User journey map", "用户旅程图"],
            Self::EdgeCases => &["Edge Cases", "边界情况", "边缘情况"],
            Self::Interface => {
                &["User Interface Requirements", "界面需求", "Interface requirements", "UI requirements"]
            }
            Self::Integration => &["Integration Requirements", "集成需求", "集成要求"],
            Self::Dependencies => &["Dependencies", "依赖", "依赖项"],
            Self::Questions => &["Open Questions", "待解问题", "开放问题", "待确认问题"],
            Self::Assumptions => &["Assumptions", "假设", "前提假设"],
        }
    }

    pub(super) fn heading(self, language: Language) -> &'static str {
        let names = self.names();
        language.of(names[0], names[1])
    }

    /// The piece that a heading of the second level names: it may be a section in documents of people.
    pub(super) fn named_as_section(heading: &str) -> Option<Self> {
        Self::named(heading).filter(|sub| !sub.may_be_text())
    }

    /// Returns true for a piece that people also write as text: only a flat list below its heading is one of its items.
    pub(super) fn may_be_text(self) -> bool {
        matches!(self, Self::Journeys | Self::EdgeCases | Self::Interface | Self::Integration)
    }

    /// The piece that a heading names.
    pub(super) fn named(heading: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sub| sub.names().iter().any(|name| same_words(name, heading)))
    }
}

/// The meaning of a heading below that of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'h> {
    Sub(Sub),
    /// The kind, its id or name, its title.
    Entry(Kind, &'h str, &'h str),
}

/// The meaning of a heading that is part of a section; `None` for plain text.
pub(super) fn mark(section: SectionId, heading: &str) -> Option<Mark<'_>> {
    if let Some(sub) = Sub::named(heading).filter(|sub| sub.section() == section) {
        return Some(Mark::Sub(sub));
    }
    let begun = |kind: &Kind| kind.begun(heading).map(|(name, title)| Mark::Entry(*kind, name, title));
    Kind::of(section).iter().find_map(begun)
}

/// The meaning of a heading with its level, given the lines below it; `None` for plain text.
pub(super) fn mark_above<'h>(section: SectionId, heading: (u8, &'h str), below: &[Line<'_>]) -> Option<Mark<'h>> {
    let (level, words) = heading;
    let is_text = |mark: &Mark<'_>| match mark {
        Mark::Sub(sub) => sub.may_be_text() && !begins_with_a_list(section, level, below),
        Mark::Entry(..) => false,
    };
    mark(section, words).filter(|mark| !is_text(mark))
}

/// Returns true if a flat list is all that is below a heading of this level.
fn begins_with_a_list(section: SectionId, level: u8, below: &[Line<'_>]) -> bool {
    let mut has_items = false;
    for line in below.iter().filter(|line| !line.text.trim().is_empty()) {
        let bare = without_backslash(line.text);
        match lines::heading(&bare).filter(|_| line.kind == LineKind::Text) {
            Some((next, words)) if next <= level || mark(section, words).is_some() => break,
            None if line.kind == LineKind::Text && is_plain_item(line.text) => has_items = true,
            _ => return false,
        }
    }
    has_items
}

/// Returns true for an item that is neither indented nor numbered, and has words but no tick box.
fn is_plain_item(line: &str) -> bool {
    let words = line.trim_start().strip_prefix(['-', '*', '+', '•']).map(str::trim).filter(|words| !words.is_empty());
    indent(line) < 2 && words.is_some() && lines::bullet(line).map(|(_, words)| words) == words
}

/// A line without the backslashes at the start of its words.
pub(super) fn without_backslash(line: &str) -> String {
    let body = line.trim_start();
    format!("{}{}", &line[..line.len() - body.len()], body.trim_start_matches('\\'))
}

/// The id of a requirement in a heading that is not written as ours are: it begins no entry.
pub(super) fn foreign_id(section: SectionId, heading: &str) -> Option<&str> {
    let holds_them = Kind::of(section).contains(&Kind::Functional);
    let (id, _) = ids::leading(heading).filter(|(id, _)| holds_them && ids::is_of_a_requirement(id))?;
    id.parse::<RequirementId>().is_err().then_some(id)
}

/// A value of a closed set, with its words in both languages and other spellings in lower case.
pub(super) trait Worded: Copy + PartialEq + 'static {
    const WORDS: &'static [(Self, &'static str, &'static str, &'static [&'static str])];

    fn word(self, language: Language) -> &'static str {
        Self::WORDS.iter().find(|row| row.0 == self).map_or("", |row| language.of(row.1, row.2))
    }

    fn read(words: &str) -> Option<Self> {
        let bare = words.trim().trim_matches(['*', '_', '`', '.', '。']).to_lowercase();
        let is = |row: &&(Self, &str, &str, &[&str])| bare == row.1 || bare == row.2 || row.3.contains(&bare.as_str());
        Self::WORDS.iter().find(is).map(|row| row.0)
    }

    /// The words to choose from, for a message.
    fn choices(language: Language) -> String {
        let words: Vec<&str> = Self::WORDS.iter().map(|row| language.of(row.1, row.2)).collect();
        words.join(language.of(", ", "、"))
    }
}

impl Worded for QualityCategory {
    const WORDS: &'static [(Self, &'static str, &'static str, &'static [&'static str])] = &[
        (Self::Performance, "performance", "性能", &["speed", "efficiency"]),
        (Self::Security, "security", "安全", &["privacy", "安全性"]),
        (Self::Usability, "usability", "易用性", &["accessibility", "可用性", "易用"]),
        (Self::Reliability, "reliability", "可靠性", &["availability", "可靠"]),
        (Self::Scalability, "scalability", "可扩展性", &["扩展性"]),
        (Self::Compliance, "compliance", "合规", &["legal", "合规性"]),
    ];
}

impl Worded for MetricCategory {
    const WORDS: &'static [(Self, &'static str, &'static str, &'static [&'static str])] = &[
        (Self::Business, "business", "业务", &["商业"]),
        (Self::User, "user", "用户", &["users"]),
        (Self::Technical, "technical", "技术", &[]),
        (Self::Operational, "operational", "运营", &["operations", "运维"]),
    ];
}

impl Worded for RiskCategory {
    const WORDS: &'static [(Self, &'static str, &'static str, &'static [&'static str])] = &[
        (Self::Technical, "technical", "技术", &["technology"]),
        (Self::Business, "business", "业务", &["commercial", "market", "商业"]),
        (Self::Operational, "operational", "运营", &["operations", "运维"]),
        (Self::Compliance, "compliance", "合规", &["legal", "regulatory"]),
        (Self::Security, "security", "安全", &["privacy"]),
    ];
}

impl Worded for RiskLevel {
    const WORDS: &'static [(Self, &'static str, &'static str, &'static [&'static str])] = &[
        (Self::Low, "low", "低", &["l"]),
        (Self::Medium, "medium", "中", &["m", "med", "中等"]),
        (Self::High, "high", "高", &["h"]),
    ];
}
