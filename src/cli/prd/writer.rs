//! The author of a thread's drafts, with the model and the server: from the flags, else from the thread.

use reqgate::config::Flags;
use reqgate::llm::ModelName;
use reqgate::net::is_loopback;
use reqgate::orders::ModelAuthor;
use reqgate::prd::workflow::{Agent, DraftSettings, ModelAuthors, Writer};
use reqgate::workflow::ThreadRecord;

use super::super::arguments::prd::{AuthorChoice, DrivingArguments};
use super::super::exit::{self, Failure};
use super::super::session::{self, Extent, Session};
use super::super::{reviewer, terminal};
use super::agreed::{Agreed, Choice};
use super::team::named_model;

/// The author of the drafts of a run.
pub(super) struct Writing {
    /// The settings, for the thread to keep.
    pub drafts: DraftSettings,
    /// The models, where models write.
    pub models: Option<ModelAuthors>,
}

/// The kind of author: as the flag says, else as the thread has it.
pub(super) fn author_of(driving: &DrivingArguments, known: Option<&DraftSettings>) -> Writer {
    match (driving.author, known) {
        (None, Some(known)) => known.author,
        (Some(AuthorChoice::Rules) | None, _) => Writer::Rules,
        (Some(AuthorChoice::Model), _) => Writer::Model,
        (Some(AuthorChoice::Agent), _) => Writer::Agent,
    }
}

/// The author of a new thread.
///
/// # Errors
/// Fails if a model is to write and cannot be used.
pub(super) fn of_new_thread(driving: &DrivingArguments) -> Result<Writing, Failure> {
    writing(driving, None)
}

/// The author of a thread that is continued.
///
/// # Errors
/// Fails if a model is the author and cannot be used, and if the thread names one that the user has not chosen for it.
pub(super) fn of_thread(
    driving: &DrivingArguments,
    record: &ThreadRecord,
    known: Option<&DraftSettings>,
) -> Result<Writing, Failure> {
    are_chosen(driving, record, known)?;
    let writing = writing(driving, known)?;
    if let (Writer::Model, Some(known)) = (writing.drafts.author, known) {
        let (before, now) = (known.server.as_deref(), writing.drafts.server.as_deref());
        told_of_variable(driving, record, known);
        if before != now {
            let not = before.map(|before| format!(", not to {before}")).unwrap_or_default();
            let now = now.unwrap_or("of the provider");
            exit::warn(&format!("thread `{}`: from now on its texts go to the model server {now}{not}", record.id));
        }
    }
    remember(record, &writing.drafts);
    Ok(writing)
}

/// Remembers the model and the server of a thread as the user's choice.
pub(super) fn remember(record: &ThreadRecord, drafts: &DraftSettings) {
    if drafts.author == Writer::Model {
        let agreed = Agreed::of_the_user();
        choices(drafts).for_each(|choice| agreed.remember(record, choice));
    }
}

/// Passes the choices of a thread on to its fork.
pub(super) fn remember_for_fork(parent: &ThreadRecord, fork: &ThreadRecord, drafts: &DraftSettings) {
    let agreed = Agreed::of_the_user();
    let made = choices(drafts).filter(|choice| agreed.has(parent, *choice));
    made.for_each(|choice| agreed.remember(fork, choice));
}

fn choices(drafts: &DraftSettings) -> impl Iterator<Item = Choice<'_>> {
    let model = drafts.model.as_deref().map(Choice::Model);
    model.into_iter().chain(drafts.server.as_deref().map(Choice::Server))
}

/// The value of the environment variable that corresponds to a flag.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Checks that the user has chosen the model and the server that are taken from the thread: they get the user's key, or run as the
/// user.
///
/// # Errors
/// Fails if the user has not, and says how to choose them.
pub(super) fn are_chosen(
    driving: &DrivingArguments,
    record: &ThreadRecord,
    known: Option<&DraftSettings>,
) -> Result<(), Failure> {
    let is_asked = driving.model.replay.is_none() && author_of(driving, known) == Writer::Model;
    let Some(known) = known.filter(|_| is_asked) else { return Ok(()) };
    let agreed = Agreed::of_the_user();
    let is_here =
        |server: &str| server.parse::<http::Uri>().is_ok_and(|address| address.host().is_some_and(is_loopback));
    let is_program = |model: &str| model.parse::<ModelName>().is_ok_and(|model| model.provider().is_program());
    // If choices cannot be remembered, a server on this machine needs no confirmation, because no key leaves it.
    let stays_here = !agreed.can_remember()
        && known.server.as_deref().is_some_and(is_here)
        && !known.model.as_deref().is_some_and(is_program);
    let is_named = |choice: &Choice<'_>| match choice {
        Choice::Model(model) => driving.model.model.is_some() || variable("REQGATE_MODEL").as_deref() == Some(model),
        Choice::Server(server) => {
            driving.model.base_url.is_some() || variable("REQGATE_BASE_URL").as_deref() == Some(server)
        }
    };
    let mut taken = choices(known).filter(|choice| !is_named(choice));
    if stays_here || taken.all(|choice| agreed.has(record, choice)) {
        return Ok(());
    }
    let flag = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!(" {name} {value}"));
    let flags = [flag("--model", &known.model), flag("--base-url", &known.server)];
    let flags: String = flags.into_iter().flatten().collect();
    Err(Failure::usage(format!(
        "thread `{}` names a model or a server that you have not chosen on this machine; to use them, add --author model{flags}",
        record.id
    )))
}

/// Says that a variable names another server than the thread, which keeps its own.
fn told_of_variable(driving: &DrivingArguments, record: &ThreadRecord, known: &DraftSettings) {
    let (Some(own), Some(other)) = (&known.server, variable("REQGATE_BASE_URL")) else { return };
    if driving.model.base_url.is_none() && *own != other {
        exit::warn(&format!(
            "thread `{}` goes on with its model server {own}; to use that of REQGATE_BASE_URL, add --base-url {other}",
            record.id
        ));
    }
}

fn writing(driving: &DrivingArguments, known: Option<&DraftSettings>) -> Result<Writing, Failure> {
    let author = author_of(driving, known);
    let actor = driving.actor.clone().or_else(|| known.and_then(|known| known.actor.clone()));
    // Kept while others write: a thread that comes back to its model comes back to its server.
    let server = known.and_then(|known| known.server.clone());
    if author != Writer::Model {
        return Ok(Writing { drafts: DraftSettings { author, model: None, server, actor }, models: None });
    }
    let server = driving.model.base_url.clone().or(server);
    let kept = known.filter(|known| known.author == Writer::Model).and_then(|known| known.model.clone());
    let (usual, drafts) = model(driving, driving.model.model.clone().or(kept), server)?;
    let named = |agents: &[(Agent, &str)]| -> Result<Vec<(Agent, ModelAuthor)>, Failure> {
        let named = agents.iter().filter_map(|(agent, variable)| Some((*agent, named_model(variable)?)));
        named.map(|(agent, name)| Ok((agent, model(driving, Some(name), drafts.server.clone())?.0))).collect()
    };
    let models = ModelAuthors { usual, of_agents: named(&Agent::ALL)?, second: named(&Agent::SECOND)? };
    Ok(Writing { drafts: DraftSettings { actor, ..drafts }, models: Some(models) })
}

/// A model of this name at this server, and the settings that were in force for it in the end.
fn model(
    driving: &DrivingArguments,
    name: Option<String>,
    server: Option<String>,
) -> Result<(ModelAuthor, DraftSettings), Failure> {
    let mut arguments = driving.model.as_review();
    (arguments.model, arguments.base_url) = (name, server);
    let flags = Flags { model: reviewer::flags(&arguments), ..Flags::default() };
    let config = session::configuration(&driving.configuration, flags)?;
    let drafts = DraftSettings {
        author: Writer::Model,
        model: config.model.asked().map(str::to_owned),
        server: config.model.base_url.clone(),
        actor: None,
    };
    let session = Session::open(config, terminal::today(), Extent::Judging)?;
    Ok((reviewer::author(&session, &arguments)?, drafts))
}
