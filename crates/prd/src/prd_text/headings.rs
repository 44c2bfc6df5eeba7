//! The headings and labels of a PRD in both languages.

use crate::brief::BriefSection;
use reqgate_base::model::Language;

/// The headings and labels of the document in a language.
pub(super) struct Headings {
    pub(super) language: Language,
    pub(super) status: &'static str,
    pub(super) utterance: &'static str,
    pub(super) brief: &'static str,
    pub(super) functional: &'static str,
    pub(super) quality: &'static str,
    pub(super) notes: &'static str,
    pub(super) traces: &'static str,
    pub(super) answered: &'static str,
    pub(super) open: &'static str,
    pub(super) with_default: &'static str,
    pub(super) settled: &'static str,
    pub(super) settled_columns: [&'static str; 2],
    pub(super) none: &'static str,
    pub(super) status_columns: [&'static str; 3],
    pub(super) undecided_columns: [&'static str; 4],
    pub(super) requirement_columns: [&'static str; 7],
    pub(super) trace_columns: [&'static str; 3],
    pub(super) rejected: &'static str,
    pub(super) left_open: &'static str,
}

impl Headings {
    pub(super) fn of(language: Language) -> Self {
        match language {
            Language::En => Self {
                language,
                status: "Document status",
                utterance: "Original user utterance",
                brief: "Feature brief",
                functional: "Functional requirements",
                quality: "Non-functional requirements",
                notes: "Change log",
                traces: "Traceability table",
                answered: "Answered questions",
                open: "Open questions",
                with_default: "Questions with a default",
                settled: "Settled conflicts",
                settled_columns: ["Said", "Decided"],
                none: "None approved yet.",
                status_columns: ["Author", "Last modified", "Status"],
                undecided_columns: ["Open question", "Owner", "Due", "Waiting requirements"],
                requirement_columns: [
                    "ID",
                    "Title",
                    "Requirement",
                    "Acceptance criteria",
                    "Priority",
                    "Category",
                    "Waits for",
                ],
                trace_columns: ["Requirement", "Criteria", "Source"],
                rejected: "rejected: ",
                left_open: "Known gaps",
            },
            Language::Zh => Self {
                language,
                status: "文档状态",
                utterance: "用户原话",
                brief: "功能简介",
                functional: "功能需求",
                quality: "非功能需求",
                notes: "变更记录",
                traces: "追溯表",
                answered: "已答复的问题",
                open: "待解问题",
                with_default: "有默认做法的问题",
                settled: "已裁定的冲突",
                settled_columns: ["各处的说法", "裁定"],
                none: "尚无已批准的需求。",
                status_columns: ["作者", "最后修改", "状态"],
                undecided_columns: ["待解问题", "负责人", "期限", "等待的需求"],
                requirement_columns: ["编号", "标题", "需求", "验收标准", "优先级", "类别", "等待"],
                trace_columns: ["需求", "验收标准", "来源"],
                rejected: "已驳回：",
                left_open: "已知缺口",
            },
        }
    }

    pub(super) fn section(&self, section: BriefSection) -> &'static str {
        match (section, self.language) {
            (BriefSection::SuccessMeasures, Language::En) => "Success metrics",
            (BriefSection::Flows, Language::En) => "User journeys",
            (section, language) => section.heading(language),
        }
    }
}
