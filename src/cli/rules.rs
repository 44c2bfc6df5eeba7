//! `reqgate rules`: lists the rules in force.

use reqgate::catalog;
use reqgate::config::{Flags, RuleLevel};
use reqgate::model::Severity;
use serde_json::json;

use super::arguments::{ColorWhen, RulesArguments, RulesCommand, TextOrJson};
use super::exit::Failure;
use super::page::Page;
use super::rule_details::{Kind, RuleDetails, code, in_force, is_demoted, languages, measured};
use super::session::{self, Extent, Session};
use super::{new_rule, outputs, rule_examples, terminal};

pub(super) fn run(arguments: &RulesArguments, color: ColorWhen) -> Result<u8, Failure> {
    match &arguments.command {
        Some(RulesCommand::Test { folder }) => return rule_examples::run(folder),
        Some(RulesCommand::New(new)) => return new_rule::run(new),
        None => {}
    }
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let session = Session::open(config, terminal::today(), Extent::Teaching)?;
    let text = match arguments.format {
        TextOrJson::Human => human(&session, arguments.guardrail, color),
        TextOrJson::Json => json(&session, arguments.guardrail)?,
    };
    outputs::print(&text)?;
    Ok(0)
}

fn human(session: &Session, with_guardrail: bool, color: ColorWhen) -> String {
    let mut page = Page::new(color);
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let ids = widest(&mut session.book.rules.iter().map(|rule| rule.file.id.as_str().len()));
    for rule in &session.book.rules {
        let (severity, origin) = in_force(session, rule);
        let demoted = is_demoted(session, rule);
        let severity = if demoted { Some(Severity::Warning) } else { severity };
        let level = if demoted { "demoted" } else { RuleLevel::name_of(severity) };
        let id = page.bold(&format!("{:ids$}", rule.file.id.as_str()));
        let level = match severity {
            Some(Severity::Blocker) => page.red(&format!("{level:8}")),
            Some(Severity::Warning) => page.yellow(&format!("{level:8}")),
            None => page.faint(&format!("{level:8}")),
        };
        let languages = languages(rule).map(code).join(" ");
        let category = rule.file.category.name();
        let summary = &rule.file.wording.en.summary;
        let right = measured(session, rule).map(|measured| format!("  right {}", measured.words())).unwrap_or_default();
        let set = origin.map(|origin| format!("  ({origin})")).unwrap_or_default();
        page.line(&format!("{id}  {level} {category:13}  {languages:5}  {summary}{set}{}", page.faint(&right)));
    }
    let count = session.book.rules.len();
    if with_guardrail {
        page.line("");
        for card in catalog::guardrail_cards(&session.patterns) {
            let id = page.bold(&format!("{:ids$}", card.id.as_str()));
            page.line(&format!("{id}  {:8} {:13}  {:5}  {}", "guard", card.category.name(), "", card.summary));
        }
    } else {
        page.line(&format!(
            "\n{count} rules; `reqgate explain RULE` explains one, --guardrail also lists the guardrail's patterns"
        ));
    }
    page.text
}

fn json(session: &Session, with_guardrail: bool) -> Result<String, Failure> {
    let mut listed: Vec<RuleDetails> = session.book.rules.iter().map(|rule| RuleDetails::of(session, rule)).collect();
    if with_guardrail {
        listed.extend(
            catalog::guardrail_cards(&session.patterns).iter().map(|card| RuleDetails::of_card(card, Kind::Guardrail)),
        );
    }
    outputs::json("the rules", &json!({ "rules": listed }))
}
