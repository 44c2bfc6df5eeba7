//! Says in words what the learned weights go by.

use crate::model::{Language, ReadingReason};
use crate::rules::{Reason, RuleBook};
use crate::text::shape;

/// A reason of the learned weights in the language of a report.
pub(super) fn in_words(book: &RuleBook, reason: &Reason, language: Language) -> ReadingReason {
    let says = feature_words(book, &reason.feature, language).unwrap_or_else(|| reason.feature.clone());
    ReadingReason { says, log_odds: (reason.log_odds * 100.0).round() / 100.0 }
}

/// What a feature of the learned weights is, in words.
fn feature_words(book: &RuleBook, feature: &str, language: Language) -> Option<String> {
    let facet = |id: &str| book.facets.iter().find(|facet| facet.file.id == id);
    let (kind, name) = feature.split_once(':')?;
    let words = match kind {
        "t" => language.of(format!("the title says “{name}”"), format!("标题里有“{name}”")),
        "b" => language.of(format!("the text says “{name}”"), format!("正文里有“{name}”")),
        "n" => shape::says(name, language)?.to_owned(),
        "r" => {
            let wording = &book.rules.iter().find(|rule| rule.file.id.as_str() == name)?.file.wording;
            language.of(
                format!("rule {name}: {}", wording.en.summary),
                format!("规则 {name}：{}", wording.of(language).summary),
            )
        }
        "s" => {
            let (of, sign) = name.split_once('.')?;
            facet(of)?.file.signs.iter().find(|file| file.id == sign)?.says.clone()
        }
        "f" => language.of(format!("how likely it states {name}"), format!("写有 {name} 的可能性")),
        _ => language.of(format!("it is a {name} ticket"), if name == "bug" { "是缺陷" } else { "是功能" }.to_owned()),
    };
    Some(words)
}
