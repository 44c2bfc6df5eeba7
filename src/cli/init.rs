//! `reqgate init`: writes a commented configuration, with the policy from the command line or from a question.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use reqgate::config::{COMMENTED_DEFAULT, NAMES, Origin, Setting, ValidConfig};
use reqgate::pipeline::InForce;
use reqgate::rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, RuleBook};
use reqgate::suggest::did_you_mean;

use super::arguments::{InitArguments, InitWhat};
use super::exit::Failure;
use super::session::{self, Extent};
use super::terminal::wrapped;
use super::{init_agents, init_github, outputs};

/// The line of the commented default that names a policy.
const POLICY_LINE: &str = "\n# policy: ready\n";
/// The thresholds of the commented default: those of the default policy.
const THRESHOLDS: &str = "thresholds: {}\n#  feature-ready: 60\n#  bug-ready: 60\n#  prd: 60\n#  meeting: 55\n";
/// The number of times that a name is asked for.
const ATTEMPTS: usize = 3;

pub(super) fn run(arguments: &InitArguments) -> Result<u8, Failure> {
    match &arguments.what {
        Some(InitWhat::Agents(agents)) => return init_agents::run(agents),
        Some(InitWhat::Github(github)) => return init_github::run(github),
        None => {}
    }
    let path = Path::new(NAMES[0]);
    if !arguments.force
        && let Some(found) = NAMES.iter().find(|name| Path::new(name).exists())
    {
        return Err(Failure::usage(format!(
            "`{found}` already exists: use --force to write a new `{}`",
            path.display()
        )));
    }
    let book = session::load_rules(std::iter::empty(), Extent::Judging)?;
    let policy = match &arguments.policy {
        Some(name) => Some(known(&book, name).map_err(Failure::usage)?),
        None if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
            asked(&book, &mut std::io::stdin().lock(), &mut std::io::stderr())
        }
        None => None,
    };
    let in_force = in_force(&book, policy.as_deref());
    outputs::write_whole(path, &configuration(policy.as_deref(), &in_force))?;
    let chosen = policy.map(|name| format!(" with the policy `{name}`")).unwrap_or_default();
    let needed = |decides: &InForce| format!("{} {}", decides.profile.plural(), decides.threshold);
    let needed = in_force.iter().map(needed).collect::<Vec<_>>().join(", ");
    outputs::print(&wrapped(&format!(
        "wrote {}{chosen}; score needed to pass: {needed}; `reqgate config` shows what is in force\n",
        path.display()
    )))?;
    Ok(0)
}

/// The rubrics and thresholds under a policy, or under the default one.
fn in_force(book: &RuleBook, policy: Option<&str>) -> Vec<InForce> {
    let policy = Setting::new(Some(policy.unwrap_or(DEFAULT_POLICY).to_owned()), Origin::Default);
    InForce::under(&ValidConfig { policy, ..ValidConfig::defaults() }, book)
}

/// The commented default with the policy, if one is named, and with the thresholds in force.
fn configuration(policy: Option<&str>, in_force: &[InForce]) -> String {
    let thresholds: String =
        in_force.iter().map(|decides| format!("#  {}: {}\n", decides.rubric, decides.threshold)).collect();
    let written = COMMENTED_DEFAULT.replacen(THRESHOLDS, &format!("thresholds: {{}}\n{thresholds}"), 1);
    match policy {
        Some(name) => written.replacen(POLICY_LINE, &format!("\npolicy: {name}\n"), 1),
        None => written,
    }
}

/// The policy with a name, or an error message.
fn known(book: &RuleBook, name: &str) -> Result<String, String> {
    let wanted = name.trim().to_lowercase();
    let ids = || book.policies.iter().map(|policy| policy.file.id.as_str());
    if ids().any(|id| id == wanted) {
        return Ok(wanted);
    }
    let hint = did_you_mean(&wanted, ids());
    let hint = if hint.is_empty() {
        let known = ids().collect::<Vec<_>>().join(", ");
        format!(": choose from {known}; to use your own policy, name it in the configuration")
    } else {
        hint
    };
    Err(format!("there is no policy `{}`{hint}", name.trim()))
}

/// Asks on a terminal for the policy to set; `None` if the answer is empty, so that the default applies.
fn asked(book: &RuleBook, answers: &mut impl BufRead, questions: &mut impl Write) -> Option<String> {
    let mut text = String::from("What should block a ticket?\n");
    for policy in &book.policies {
        text.push_str(&format!("  {:8}  {}\n", policy.file.id, policy.file.question));
    }
    write!(questions, "{text}").ok()?;
    for _ in 0..ATTEMPTS {
        write!(questions, "Policy [{DEFAULT_POLICY}; {DEFAULT_ISSUE_POLICY} for issues on GitHub]: ")
            .and_then(|()| questions.flush())
            .ok()?;
        let mut answer = String::new();
        answers.read_line(&mut answer).ok()?;
        if answer.trim().is_empty() {
            return None;
        }
        match known(book, &answer) {
            Ok(name) => return Some(name),
            Err(problem) => writeln!(questions, "{problem}").ok()?,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_that_was_chosen_stands_in_the_configuration() {
        let book = session::load_rules(std::iter::empty(), Extent::Judging).expect("the shipped rules load");
        let written = |policy: Option<&str>| configuration(policy, &in_force(&book, policy));
        assert!(COMMENTED_DEFAULT.contains(POLICY_LINE) && COMMENTED_DEFAULT.contains(THRESHOLDS));
        assert!(written(Some("triage")).contains("\npolicy: triage\n"));
        // The commented default shows the thresholds of the default policy; another policy has others.
        assert_eq!(written(None), COMMENTED_DEFAULT);
        assert!(written(Some("triage")).contains("#  feature-triage: 80\n"));
        assert!(written(Some("strict")).contains("#  feature: 60\n#  bug: 50\n"));
    }

    #[test]
    fn somebody_at_a_terminal_is_asked_and_may_mistype() {
        let book = session::load_rules(std::iter::empty(), Extent::Judging).expect("the shipped rules load");
        let ask = |typed: &str| {
            let mut shown = Vec::new();
            let chosen = asked(&book, &mut typed.as_bytes(), &mut shown);
            (chosen, String::from_utf8(shown).expect("words"))
        };
        assert_eq!(ask("\n").0, None);
        let (chosen, shown) = ask("triag\nSTRICT\n");
        assert_eq!(chosen.as_deref(), Some("strict"));
        assert!(shown.contains("did you mean `triage`?") && shown.contains("start today"), "{shown}");
        assert_eq!(ask("").0, None);
        assert_eq!(ask("a\nb\nc\nready\n").0, None);
    }
}
