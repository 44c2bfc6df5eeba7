//! The Chinese names of the workflow's identifiers: kinds of requirements, and answers as sources.

use super::SourceQuote;
use reqgate_base::model::Language;

/// The kinds of requirements, in English and Chinese.
const CATEGORIES: [(&str, &str); 25] = [
    ("functional", "功能"),
    ("non-functional", "非功能"),
    ("performance", "性能"),
    ("security", "安全"),
    ("privacy", "隐私"),
    ("usability", "易用性"),
    ("accessibility", "无障碍"),
    ("reliability", "可靠性"),
    ("availability", "可用性"),
    ("compatibility", "兼容性"),
    ("maintainability", "可维护性"),
    ("portability", "可移植性"),
    ("compliance", "合规"),
    ("scalability", "可扩展性"),
    ("audit", "审计"),
    ("logging", "日志"),
    ("notification", "通知"),
    ("permissions", "权限"),
    ("permission", "权限"),
    ("data", "数据"),
    ("errors", "异常处理"),
    ("reporting", "统计"),
    ("operations", "运维"),
    ("rollout", "上线"),
    ("legal", "法务"),
];

/// The names of answers as sources, in English and Chinese; any other source of this kind is an answer to a question about the sources.
const ANSWERS: [(&str, &str, &str); 4] = [
    ("review", "answer in the review of the brief", "简介评审中的答复"),
    ("requirements_review", "answer in the review of the requirements", "需求评审中的答复"),
    ("gap_decision", "decision about a gap", "对缺口的决定"),
    ("prd_review", "answer in the review of the PRD", "PRD 评审中的答复"),
];

/// Returns the name of a kind of requirement: in a Chinese document, `functional` is 功能. An unknown kind is returned as it is.
pub(crate) fn category_in_words(category: &str, language: Language) -> &str {
    let known = || CATEGORIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(category.trim()));
    match language {
        Language::En => category,
        Language::Zh => known().map_or(category, |(_, chinese)| chinese),
    }
}

/// Returns the location of a quote: `ticket.md:4`, or the name of the review for an answer.
pub fn place_in_words(place: &SourceQuote, language: Language) -> String {
    let Some(asked) = place.source.strip_prefix("ask:") else { return format!("{}:{}", place.source, place.line) };
    let known = ANSWERS.iter().find(|(name, ..)| *name == asked);
    let (english, chinese) = known
        .map_or(("answer to a question about the sources", "对来源问题的答复"), |&(_, english, chinese)| {
            (english, chinese)
        });
    language.of(english, chinese).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_without_machine_words() {
        assert_eq!(category_in_words("Functional", Language::Zh), "功能");
        assert_eq!(category_in_words("functional", Language::En), "functional");
        assert_eq!(category_in_words("预订", Language::Zh), "预订");
        let place = |source: &str| SourceQuote { source: source.to_owned(), line: 1, quote: "x".to_owned() };
        assert_eq!(place_in_words(&place("ask:prd_review"), Language::Zh), "PRD 评审中的答复");
        assert_eq!(place_in_words(&place("ask:q1"), Language::Zh), "对来源问题的答复");
        assert_eq!(place_in_words(&place("ask:prd_review"), Language::En), "answer in the review of the PRD");
        assert_eq!(place_in_words(&place("ticket.md"), Language::Zh), "ticket.md:1");
    }
}
