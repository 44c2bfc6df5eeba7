//! The Chinese names of the steps of the workflow and of the ordered drafts.

use super::{DraftStep, PrdNode};
use reqgate_base::model::Language;
use reqgate_flow::Name;

/// The name of a step: in Chinese a description, otherwise the identifier.
pub fn node_in_words(name: &str, language: Language) -> &str {
    let node = PrdNode::ALL.iter().find(|node| node.name() == name).filter(|_| language == Language::Zh);
    node.map_or(name, |node| match node {
        PrdNode::Initialization => "开始",
        PrdNode::Clarification => "澄清来源",
        PrdNode::BriefGeneration => "撰写简介",
        PrdNode::BriefReview => "评审简介",
        PrdNode::BriefUpdate => "修改简介",
        PrdNode::BriefFinalization => "写入简介",
        PrdNode::InitialRequirements => "撰写需求",
        PrdNode::RequirementsReview => "评审需求",
        PrdNode::RequirementsUpdate => "记录对需求的决定",
        PrdNode::GapAnalysis => "查找缺口",
        PrdNode::IterationControl => "决定是否再来一轮",
        PrdNode::GapRequirements => "补上缺口",
        PrdNode::RequirementsFinalization => "写入需求",
        PrdNode::PrdGeneration => "汇总 PRD",
        PrdNode::PrdReview => "评审 PRD",
        PrdNode::PrdUpdate => "修改 PRD",
        PrdNode::PrdFinalization => "写入 PRD",
        PrdNode::Outline => "撰写大纲",
        PrdNode::OutlineReview => "评审大纲",
        PrdNode::Research => "调研",
        PrdNode::TeamDraft => "撰写初稿",
        PrdNode::TeamDraftReview => "评审初稿",
        PrdNode::Critique => "评审人阅读",
        PrdNode::Revision => "修订",
        PrdNode::RevisionReview => "评审修订稿",
        PrdNode::FinalReview => "最终评审",
        PrdNode::Export => "写入文档",
        PrdNode::Finalization => "结束",
        PrdNode::Failure => "失败",
    })
}

/// The Chinese name of an ordered draft.
pub fn step_in_chinese(step: DraftStep) -> &'static str {
    match step {
        DraftStep::Brief => "撰写功能简介",
        DraftStep::BriefUpdate => "修改功能简介",
        DraftStep::Requirements => "撰写需求",
        DraftStep::GapRequirements => "撰写补上缺口的需求",
        DraftStep::Gaps => "通读需求，查找缺口",
        DraftStep::Conflicts => "对照各条说法，查找矛盾",
        DraftStep::PrdUpdate => "修改 PRD",
        DraftStep::Outline => "撰写大纲",
        DraftStep::MarketResearch => "调研市场",
        DraftStep::CompetitorResearch => "调研竞品",
        DraftStep::UserResearch => "调研用户",
        DraftStep::TeamDraft => "撰写初稿",
        DraftStep::TeamRevision => "修订",
        DraftStep::DirectorCritique => "以产品总监的视角评审",
        DraftStep::DesignCritique => "以设计负责人的视角评审",
        DraftStep::EngineeringCritique => "以技术负责人的视角评审",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_called_by_its_name_in_english_and_by_what_happens_in_chinese() {
        assert_eq!(node_in_words("finalization", Language::Zh), "结束");
        assert_eq!(node_in_words("finalization", Language::En), "finalization");
        assert_eq!(node_in_words("of-another-version", Language::Zh), "of-another-version");
    }
}
