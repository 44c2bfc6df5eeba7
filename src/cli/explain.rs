//! `reqgate explain`: explains a rule, a policy, a facet, a rubric or a command, by its name alone or after its kind.

mod facet;
mod policy;
mod rubric;
mod rule;

use clap::CommandFactory;
use reqgate::config::Flags;
use reqgate::model::Language;
use reqgate::suggest::did_you_mean;

use super::arguments::{Arguments, ColorWhen, ConfigurationArguments, ExplainArguments, ExplainFormat};
use super::exit::Failure;
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, rule_details, terminal};

pub(super) fn run(arguments: &ExplainArguments, color: ColorWhen) -> Result<u8, Failure> {
    let session = opened(&arguments.configuration)?;
    let Some(what) = arguments.what.as_deref() else {
        outputs::print(&rule::listed(&session, arguments.format, arguments.lang, color)?)?;
        return Ok(0);
    };
    let wanted = slug(what);
    let name = arguments.name.as_deref().map(slug);
    if arguments.format != ExplainFormat::Human {
        let rule = name.as_deref().unwrap_or(&wanted);
        let is_rule = matches!((Kind::named(&wanted), &name), (None, None) | (Some(Kind::Rule), Some(_)));
        if !is_rule || Kind::of(&session, rule).is_some_and(|kind| kind != Kind::Rule) {
            return Err(Failure::usage("only a rule is explained as Markdown or JSON: leave `--format` out"));
        }
        outputs::print(&rule::written(&session, rule, arguments.format, arguments.lang)?)?;
        return Ok(0);
    }
    let mut page = Page::new(color);
    match (Kind::named(&wanted), name) {
        (Some(kind), Some(name)) => explain_named(&mut page, &session, kind, &name, arguments.lang)?,
        (Some(Kind::Policy), None) => policy::list(&mut page, &session, arguments.lang),
        (Some(Kind::Facet), None) => facet::list(&mut page, &session),
        (Some(Kind::Rubric), None) => rubric::list(&mut page, &session),
        (_, None) => {
            let kind = Kind::of(&session, &wanted).ok_or_else(|| unknown(&session, what, &wanted))?;
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

    /// The kind of a name.
    fn of(session: &Session, name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.names(session).iter().any(|known| known == name))
    }

    /// All names of this kind.
    fn names(self, session: &Session) -> Vec<String> {
        let book = &session.book;
        match self {
            Self::Rule => rule_details::ids(session),
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
        Kind::Rule => rule::explain(page, session, name, language),
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
    rule::explain(&mut page, &session, &slug(rule), language)?;
    Ok(page.text)
}

fn opened(configuration: &ConfigurationArguments) -> Result<Session, Failure> {
    let config = session::configuration(configuration, Flags::default())?;
    Session::open(config, terminal::today(), Extent::Teaching)
}

fn slug(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}
