//! `reqgate explain`: explains a rule, a policy, a facet, a rubric or a command, by its name alone or after its kind.

mod facet;
mod policy;
mod rubric;

use clap::CommandFactory;
use reqgate::catalog;
use reqgate::config::{Flags, RuleLevel};
use reqgate::model::{Language, RuleCard, without_holes};
use reqgate::rules::Rule;
use reqgate::suggest::did_you_mean;

use super::arguments::{Arguments, ColorWhen, ConfigurationArguments, ExplainArguments};
use super::exit::Failure;
use super::page::Page;
use super::rules::{by_origin, code, in_force, is_demoted, languages, measured};
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// The headings of the parts, in one language.
struct Labels {
    why: &'static str,
    question: &'static str,
    fix: &'static str,
    fires: &'static str,
    silent: &'static str,
    one_language: &'static str,
    source: &'static str,
    precision: &'static str,
    right: &'static str,
    wrong: &'static str,
    demoted: &'static str,
    only_asks: &'static str,
    switch: &'static str,
    guardrail: &'static str,
}

const ENGLISH: Labels = Labels {
    why: "Why it matters",
    question: "Question to the author",
    fix: "What to write instead",
    fires: "Fires on",
    silent: "Does not fire on",
    one_language: "One language only",
    source: "Source",
    precision: "How often it was right on labelled text (95 % interval)",
    right: "right",
    wrong: "wrong",
    demoted: "Warns instead of blocking, because this is below the precision floor of",
    only_asks: "A blocker that only asks, because `blocks` does not name it, under the policies",
    switch: "To switch it off or change its level, in .reqgate.yaml",
    guardrail: "To change the action, set guardrail.actions in .reqgate.yaml",
};

const CHINESE: Labels = Labels {
    why: "为什么重要",
    question: "要问作者的问题",
    fix: "应该怎么写",
    fires: "会报告的例子",
    silent: "不会报告的例子",
    one_language: "只支持一种语言",
    source: "来源",
    precision: "在已标注文本上的准确率（95% 置信区间）",
    right: "对",
    wrong: "错",
    demoted: "本应阻断，但准确率低于下限，因此只警告：下限为",
    only_asks: "在以下策略下不阻断、只提问，因为它们的 blocks 没有列出此规则：",
    switch: "在 .reqgate.yaml 中关闭它或调整级别",
    guardrail: "在 .reqgate.yaml 的 guardrail.actions 中调整处理方式",
};

pub(super) fn run(arguments: &ExplainArguments, color: ColorWhen) -> Result<u8, Failure> {
    let session = opened(&arguments.configuration)?;
    let wanted = slug(&arguments.what);
    let name = arguments.name.as_deref().map(slug);
    let mut page = Page::new(color);
    match (Kind::named(&wanted), name) {
        (Some(kind), Some(name)) => explain_named(&mut page, &session, kind, &name, arguments.lang)?,
        (Some(Kind::Policy), None) => policy::list(&mut page, &session, arguments.lang),
        (Some(Kind::Facet), None) => facet::list(&mut page, &session),
        (Some(Kind::Rubric), None) => rubric::list(&mut page, &session),
        (_, None) => {
            let kind = Kind::ALL.into_iter().find(|kind| kind.names(&session).contains(&wanted));
            let kind = kind.ok_or_else(|| unknown(&session, &arguments.what, &wanted))?;
            explain_named(&mut page, &session, kind, &wanted, arguments.lang)?;
        }
        (None, Some(_)) => {
            return Err(Failure::usage(
                "too many names: use `reqgate explain NAME`, or its kind first, e.g. `explain policy NAME`",
            ));
        }
    }
    outputs::print(&page.text)?;
    Ok(0)
}

/// The kinds of names that can be explained. If two kinds share a name, the first one is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rule,
    Policy,
    Facet,
    Rubric,
    Command,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Rule, Self::Policy, Self::Facet, Self::Rubric, Self::Command];

    /// The kind for a word such as `rule` or `policy`.
    fn named(name: &str) -> Option<Self> {
        match name {
            "rule" => Some(Self::Rule),
            "policy" => Some(Self::Policy),
            "facet" => Some(Self::Facet),
            "rubric" => Some(Self::Rubric),
            "command" => Some(Self::Command),
            _ => None,
        }
    }

    /// All names of this kind.
    fn names(self, session: &Session) -> Vec<String> {
        let book = &session.book;
        match self {
            Self::Rule => {
                let rules = book.rules.iter().map(|rule| rule.file.id.to_string());
                rules.chain(cards(session).into_iter().map(|card| card.id.to_string())).collect()
            }
            Self::Policy => book.policies.iter().map(|policy| policy.file.id.clone()).collect(),
            Self::Facet => book.facets.iter().map(|facet| facet.file.id.clone()).collect(),
            Self::Rubric => book.rubrics.iter().map(|rubric| rubric.file.id.clone()).collect(),
            Self::Command => Arguments::command().get_subcommands().map(|it| it.get_name().to_owned()).collect(),
        }
    }
}

fn explain_named(
    page: &mut Page,
    session: &Session,
    kind: Kind,
    name: &str,
    language: Language,
) -> Result<(), Failure> {
    match kind {
        Kind::Rule => explain_rule(page, session, name, language),
        Kind::Policy => policy::explain(page, session, name, language),
        Kind::Facet => facet::explain(page, session, name),
        Kind::Rubric => rubric::explain(page, session, name, language),
        Kind::Command => {
            let mut root = Arguments::command();
            root.build();
            let command = root.find_subcommand_mut(name);
            let command = command.ok_or_else(|| Failure::usage(format!("there is no command `{name}`")))?;
            page.line(&command.render_long_help().to_string());
            Ok(())
        }
    }
}

/// The error for an unknown name.
fn unknown(session: &Session, what: &str, wanted: &str) -> Failure {
    let known: Vec<String> = Kind::ALL.into_iter().flat_map(|kind| kind.names(session)).collect();
    let hint = did_you_mean(wanted, known.iter().map(String::as_str));
    let hint = if hint.is_empty() {
        ": `reqgate rules` lists the rules, `reqgate explain policy`, `facet` and `rubric` the others".to_owned()
    } else {
        hint
    };
    Failure::usage(format!("there is no rule, policy, facet, rubric or command `{what}`{hint}"))
}

/// The cards of findings without a rule file: from the guardrail, a model or an issue form.
fn cards(session: &Session) -> Vec<RuleCard> {
    let mut cards = catalog::cards(&session.book, &session.patterns);
    cards.extend(catalog::question_cards(&session.book));
    cards.extend(catalog::form_cards());
    cards
}

/// The explanation of a rule as plain text.
///
/// # Errors
/// Fails if a rule of that name does not exist.
pub(super) fn explained(
    configuration: &ConfigurationArguments,
    rule: &str,
    language: Language,
) -> Result<String, Failure> {
    let session = opened(configuration)?;
    let mut page = Page::new(ColorWhen::Never);
    explain_rule(&mut page, &session, rule, language)?;
    Ok(page.text)
}

fn opened(configuration: &ConfigurationArguments) -> Result<Session, Failure> {
    let config = session::configuration(configuration, Flags::default())?;
    Session::open(config, terminal::today(), Extent::Teaching)
}

fn slug(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}

/// Explains a rule of any kind.
fn explain_rule(page: &mut Page, session: &Session, what: &str, language: Language) -> Result<(), Failure> {
    let labels = match language {
        Language::En => &ENGLISH,
        Language::Zh => &CHINESE,
    };
    let wanted = slug(what);
    if let Some(rule) = session.book.rules.iter().find(|rule| rule.file.id.as_str() == wanted) {
        explain(page, session, rule, language, labels);
        return Ok(());
    }
    let cards = cards(session);
    let Some(card) = cards.iter().find(|card| card.id.as_str() == wanted) else {
        let hint = did_you_mean(&wanted, cards.iter().map(|card| card.id.as_str()));
        let hint = if hint.is_empty() { ": run `reqgate rules` to list them".to_owned() } else { hint };
        return Err(Failure::usage(format!("there is no rule `{what}`{hint}")));
    };
    explain_card(page, card, labels);
    Ok(())
}

fn explain(page: &mut Page, session: &Session, rule: &Rule, language: Language, labels: &Labels) {
    let words = rule.wording(language);
    let (severity, _) = in_force(session, rule);
    let level = RuleLevel::name_of(severity);
    let id = page.bold(rule.file.id.as_str());
    page.line(&format!("{id}  {level} · {} · {}", rule.file.category.name(), languages(rule).map(code).join(", ")));
    page.paragraph(&words.summary);
    let is_set = session.config.severities.contains_key(&rule.file.id);
    let silent: Vec<&str> = session.book.policies_that_only_ask(&rule.file).filter(|_| !is_set).collect();
    if !silent.is_empty() {
        page.paragraph(&format!("{} {}", labels.only_asks, silent.join(", ")));
    }
    for (label, text) in [(labels.why, &words.why), (labels.question, &words.question), (labels.fix, &words.fix)] {
        page.heading(label);
        page.paragraph(&without_holes(text));
    }
    for (label, examples) in [(labels.fires, &rule.file.examples.fires), (labels.silent, &rule.file.examples.silent)] {
        // An example in the language of the reader is clearer.
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        let fits = |text: &str| is_chinese(text) == (language == Language::Zh);
        let example = examples.iter().find(|example| fits(&example.text)).or_else(|| examples.first());
        if let Some(example) = example {
            page.heading(label);
            page.quotation(&example.text);
        }
    }
    if let Some(reason) = &rule.file.one_language {
        page.heading(labels.one_language);
        page.paragraph(reason);
    }
    if let Some(measured) = measured(session, rule) {
        page.heading(labels.precision);
        page.paragraph(&measured.words());
        for (origin, tally) in by_origin(session, rule) {
            page.line(&format!("    {origin}: {} {}, {} {}", tally.right, labels.right, tally.wrong, labels.wrong));
        }
        if is_demoted(session, rule) {
            page.paragraph(&format!("{} {:.2}", labels.demoted, session.config.precision_floor.value));
        }
    }
    if let Some(source) = &rule.file.source {
        page.heading(labels.source);
        page.paragraph(source);
    }
    page.heading(labels.switch);
    page.line("  rules:");
    page.line(&format!("    {}: off    # off, warning, blocker", rule.file.id));
}

fn explain_card(page: &mut Page, card: &RuleCard, labels: &Labels) {
    let id = page.bold(card.id.as_str());
    let of_model = catalog::is_of_a_model(&card.id);
    page.line(&format!("{id}  {} · {}", if of_model { "model" } else { "guardrail" }, card.category.name()));
    page.paragraph(&card.summary);
    for (label, text) in [(labels.why, &card.why), (labels.question, &card.question), (labels.fix, &card.fix)] {
        page.heading(label);
        page.paragraph(&without_holes(text));
    }
    for (label, text) in [(labels.fires, &card.bad_example), (labels.silent, &card.good_example)] {
        if let Some(text) = text {
            page.heading(label);
            page.quotation(text);
        }
    }
    if of_model {
        page.heading(labels.switch);
        page.line("  rules:");
        page.line(&format!("    {}: off    # off, warning", card.id));
        return;
    }
    page.heading(labels.guardrail);
}
