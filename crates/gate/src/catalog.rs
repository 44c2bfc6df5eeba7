//! Every rule of every kind as one list: used by `rules`, `explain` and SARIF, and to check the ids in a configuration.

use crate::stages::gate::Waivers;
use reqgate_base::model::{Category, GuardrailKind, Language, RuleCard, RuleId, Severity};
use reqgate_base::project::{document, rule_page};
use reqgate_base::suggest::did_you_mean;
use reqgate_rules::RuleBook;
use reqgate_rules::config::guardrail::GuardrailPatterns;
use reqgate_rules::config::{Problem, ValidConfig};

/// The cards of all rules: those that score, ordered by id, then the patterns of the guardrail, ordered by id.
pub fn cards(book: &RuleBook, patterns: &GuardrailPatterns) -> Vec<RuleCard> {
    let mut cards: Vec<RuleCard> = book.rules.iter().map(reqgate_rules::Rule::card).collect();
    cards.extend(guardrail_cards(patterns));
    cards
}

/// The cards of the questions to a model, ordered by id; empty if the files cannot be read.
pub fn question_cards(book: &RuleBook) -> Vec<RuleCard> {
    let files = book.question_files().unwrap_or_default();
    files.iter().map(reqgate_rules::QuestionFile::card).collect()
}

/// Returns true for the ids of findings that come from a model.
pub fn is_of_a_model(id: &RuleId) -> bool {
    id.as_str().starts_with(reqgate_rules::MODEL_PREFIX)
}

/// Returns true if a rule, an issue form of the repository or a model can report this id.
pub fn is_known(book: &RuleBook, id: &RuleId) -> bool {
    // The question files are read only for an id with the prefix of a model's findings.
    book.rule(id).is_some()
        || FORM_RULES.iter().any(|rule| rule.id == id.as_str())
        || is_of_a_model(id) && question_cards(book).iter().any(|card| card.id == *id)
}

/// The one-line description of a rule, taken from these cards; its id if none of them matches.
pub fn summary_of(cards: &[RuleCard], rule: &RuleId) -> String {
    cards.iter().find(|card| card.id == *rule).map_or_else(|| rule.to_string(), |card| card.summary.clone())
}

/// The one-line description of a rule; `None` for an unknown rule.
pub fn summary(book: &RuleBook, id: &RuleId, language: Language) -> Option<String> {
    if let Some(rule) = book.rule(id) {
        return Some(rule.wording(language).summary.clone());
    }
    if let Some(rule) = FORM_RULES.iter().find(|rule| rule.id == id.as_str()) {
        return Some(match language {
            Language::En => rule.summary.to_owned(),
            Language::Zh => rule.summary_zh.to_owned(),
        });
    }
    let files = if is_of_a_model(id) { book.question_files().unwrap_or_default() } else { Vec::new() };
    files.into_iter().find(|file| file.id == *id).map(|file| file.wording.of(language).summary.clone())
}

/// A rule about the answers to an issue form; the form itself has the question.
struct FormRule {
    id: &'static str,
    summary: &'static str,
    summary_zh: &'static str,
    fix: &'static str,
}

/// GitHub enforces none of these rules in a private repository.
const FORM_RULES: [FormRule; 4] = [
    FormRule {
        id: "unanswered-form-field",
        summary: "A field that the form requires is not filled in.",
        summary_zh: "表单要求填写的内容没有回答。",
        fix: "Fill the field in.",
    },
    FormRule {
        id: "unfilled-form-field",
        summary: "A field still contains the form's own text.",
        summary_zh: "字段里还是表单的原文。",
        fix: "Replace the form's text with your own.",
    },
    FormRule {
        id: "unfit-form-answer",
        summary: "An answer is too short, too long or does not have the required format.",
        summary_zh: "回答太短、太长或格式不符合要求。",
        fix: "Write it as `forms` in the configuration asks for.",
    },
    FormRule {
        id: "unticked-form-box",
        summary: "A box that the form requires is not ticked.",
        summary_zh: "表单要求勾选的选项没有勾选。",
        fix: "Tick it, if it is true.",
    },
];

/// The cards of the rules about issue forms, ordered by id.
pub fn form_cards() -> Vec<RuleCard> {
    let card = |rule: &FormRule| {
        let id = RuleId::new(rule.id).ok()?;
        Some(RuleCard {
            page: Some(rule_page(&id)),
            id,
            category: Category::MissingField,
            severity: Severity::Blocker,
            summary: rule.summary.to_owned(),
            why: "The author of the form knows what the work needs, but a private repository accepts the issue without it."
                .to_owned(),
            question: "What belongs in this field?".to_owned(),
            fix: rule.fix.to_owned(),
            source: Some(".github/ISSUE_TEMPLATE".to_owned()),
            bad_example: None,
            good_example: None,
            precision: None,
        })
    };
    FORM_RULES.iter().filter_map(card).collect()
}

/// The cards of the guardrail's patterns, ordered by id.
pub fn guardrail_cards(patterns: &GuardrailPatterns) -> Vec<RuleCard> {
    let examples = GuardrailPatterns::shipped_examples().unwrap_or_default();
    // The examples of secrets have holes in place of the secret, so that the binary contains no secrets.
    let shown = |id: &String, kind| if kind == GuardrailKind::Secret { None } else { examples.get(id) };
    let personal = patterns.personal_data.iter().map(|check| (&check.id, check.kind));
    let secrets = patterns.secrets.iter().map(|secret| (&secret.id, GuardrailKind::Secret));
    let forms = patterns.forms.iter().map(|form| (&form.id, GuardrailKind::PromptInjection));
    let card = |(id, kind): (&String, GuardrailKind)| {
        let words = Words::of(kind);
        let own = shown(id, kind);
        let is_shipped = examples.contains_key(id);
        let id = RuleId::new(id.replace('_', "-")).ok()?;
        Some(RuleCard {
            page: is_shipped.then(|| document("docs/verdicts.md")),
            id,
            category: Category::Security,
            severity: Severity::Warning,
            summary: words.summary.to_owned(),
            why: words.why.to_owned(),
            question: words.question.to_owned(),
            fix: words.fix.to_owned(),
            source: Some("guardrail".to_owned()),
            bad_example: own.and_then(|own| own.fires.first().cloned()),
            good_example: own.and_then(|own| own.silent.first().cloned()),
            precision: None,
        })
    };
    let mut cards: Vec<RuleCard> = personal.chain(secrets).chain(forms).filter_map(card).collect();
    cards.sort_by(|a, b| a.id.cmp(&b.id));
    cards.dedup_by(|a, b| a.id == b.id);
    cards
}

/// Names in a configuration that do not exist, and waivers that cannot be applied; in the order of the file.
pub fn problems(config: &ValidConfig, book: &RuleBook, today: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let rule_ids = || book.rules.iter().map(|rule| rule.file.id.as_str());
    let rubric_ids = || book.rubrics.iter().map(|rubric| rubric.file.id.as_str());
    let no_rule = |id: &RuleId| {
        let hint = did_you_mean(id.as_str(), rule_ids());
        let hint = if hint.is_empty() { ": run `reqgate rules` to list them".to_owned() } else { hint };
        format!("there is no rule `{id}`{hint}")
    };
    let no_rubric = |id: &str| {
        let known = rubric_ids().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        format!("there is no rubric `{id}`: choose from {known}")
    };
    for (id, severity) in &config.severities {
        if !is_known(book, id) {
            problems.push(config.problem(&severity.origin, no_rule(id)));
        }
    }
    for (id, threshold) in &config.thresholds {
        if book.rubric(id).is_none() {
            problems.push(config.problem(&threshold.origin, no_rubric(id)));
        }
    }
    if let Some(id) = config.rubric.value.as_deref().filter(|id| book.rubric(id).is_none()) {
        problems.push(config.problem(&config.rubric.origin, no_rubric(id)));
    }
    let policy_ids = || book.policies.iter().map(|policy| policy.file.id.as_str());
    if let Some(id) = config.policy.value.as_deref().filter(|id| book.policy(id).is_none()) {
        let hint = did_you_mean(id, policy_ids());
        let known = || policy_ids().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        let hint = if hint.is_empty() { format!(": choose from {}", known()) } else { hint };
        problems.push(config.problem(&config.policy.origin, format!("there is no policy `{id}`{hint}")));
    }
    for policy in &book.policies {
        for id in policy.file.blocks.iter().filter(|id| !is_known(book, id)) {
            let source = format!("the policy `{}`", policy.file.id);
            problems.push(Problem::new(source, format!("`blocks`: {}", no_rule(id))));
        }
    }
    for waiver in &config.waivers {
        if !is_known(book, &waiver.value.rule) {
            problems.push(config.problem(&waiver.origin, no_rule(&waiver.value.rule)));
        }
        if let Err(error) = Waivers::new(std::slice::from_ref(&waiver.value), today) {
            problems.push(config.problem(&waiver.origin, error.to_string()));
        }
    }
    problems.sort_by_key(|problem| problem.place);
    problems
}

struct Words {
    summary: &'static str,
    why: &'static str,
    question: &'static str,
    fix: &'static str,
}

impl Words {
    fn of(kind: GuardrailKind) -> Self {
        match kind {
            GuardrailKind::Secret => Self {
                summary: "The text contains a key, token or password.",
                why: "Anybody who reads the ticket can use it, and it stays in the edit history.",
                question: "Has it been revoked?",
                fix: "Revoke it, remove it from the text, and say where the new one is kept.",
            },
            GuardrailKind::PromptInjection => Self {
                summary: "The text gives orders to a language model or to the reviewer.",
                why: "A tool that reads the ticket with a model may obey them, and a requirement does not need them.",
                question: "Why does the ticket address a model?",
                fix: "Remove the orders, or quote them if you are writing about them.",
            },
            GuardrailKind::TooShort | GuardrailKind::TooLong => Self {
                summary: "The text has the wrong length.",
                why: "A text this short says nothing; one this long is several requirements.",
                question: "What belongs in this ticket?",
                fix: "Write what is needed, or split it.",
            },
            _ => Self {
                summary: "The text contains personal data.",
                why: "Tickets are copied, exported and kept for years; nobody needs the real value to do the work.",
                question: "Does the work need the real value?",
                fix: "Remove it, or replace it with an invented value.",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules as rules;

    #[test]
    fn every_rule_has_exactly_one_card() {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        let patterns = GuardrailPatterns::shipped().expect("the shipped patterns load");
        let cards = cards(&book, &patterns);
        let ids: std::collections::BTreeSet<_> = cards.iter().map(|card| card.id.clone()).collect();
        assert_eq!(ids.len(), cards.len(), "two cards have the same id");
        assert!(cards.len() > book.rules.len());
    }
}
