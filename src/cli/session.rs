//! Combines configuration, rules and guardrail. All commands build their pipeline here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use reqgate::catalog;
use reqgate::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use reqgate::config::{self, Consent, Environment, Flags, Origin, ValidConfig};
use reqgate::files;
use reqgate::local_reader::{LocalReader, TeamWeights};
use reqgate::model::{GuardrailMode, RuleId};
use reqgate::pipeline::{self, Pipeline, Settings, Stated};
use reqgate::rules::{self, LoadError, RuleBook, SourceFile, Tally, dispute};
use reqgate::stages::guardrail::Guardrail;

use super::arguments::ConfigurationArguments;
use super::exit::{self, Failure};
use super::{own_orders, terminal};

/// The configuration and rules of a run.
pub struct Session {
    pub config: ValidConfig,
    pub book: RuleBook,
    pub patterns: GuardrailPatterns,
    guardrail: Guardrail,
    /// The precision of rules according to the recorded disputes.
    pub recorded: BTreeMap<RuleId, Tally>,
    pub reader: LocalReader,
    /// The learned weights of the user's team.
    pub team: Option<TeamWeights>,
    today: String,
}

/// The part of the shipped rules to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The part that is needed for a verdict.
    Judging,
    /// Also the examples and explanations.
    Teaching,
}

impl Session {
    /// Reads the rules that a configuration names.
    ///
    /// # Errors
    /// Fails if a rule file is not valid, and if a file or name in the configuration does not exist.
    pub fn open(config: ValidConfig, today: String, extent: Extent) -> Result<Self, Failure> {
        // The two are independent, and each takes about half of the time to start.
        let (book, patterns) = std::thread::scope(|scope| {
            let guardrail = &config.guardrail.value;
            let screen = scope.spawn(|| {
                let patterns = GuardrailPatterns::with_folders(&guardrail.pattern_folders).map_err(with_sources)?;
                let screen = Guardrail::new(guardrail, &patterns).map_err(Failure::usage)?;
                Ok::<_, Failure>((patterns, screen))
            });
            let folders = config.rules_folders.iter().map(|folder| {
                let is_chosen = config.model.takes_questions || !matches!(folder.origin, Origin::File(_));
                (folder.value.as_path(), if is_chosen { Questions::Read } else { Questions::LeftOut })
            });
            let book = load_rules(folders, extent);
            (book, screen.join())
        });
        let book = book?;
        let (patterns, guardrail) = patterns.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let problems = catalog::problems(&config, &book, &today);
        if !problems.is_empty() {
            return Err(Failure::usage(config::ConfigError(problems)));
        }
        let recorded = recorded(&config)?;
        let reader = local_reader(config.reader.as_deref())?;
        let team = team_weights(&config)?;
        Ok(Self { config, book, patterns, guardrail, recorded, reader, team, today })
    }

    /// Builds the pipeline.
    ///
    /// # Errors
    /// Fails if a waiver has no reason, an invalid date or an invalid pattern.
    pub fn pipeline(self, stated: Stated) -> Result<Pipeline, Failure> {
        let mut settings = Settings::from_config(&self.config, stated, &self.today).map_err(Failure::usage)?;
        settings.recorded = self.recorded;
        settings.reader = self.reader;
        settings.team = self.team;
        Ok(Pipeline::new(self.book, self.guardrail, settings).with_clock(seconds))
    }

    /// Warns about settings without effect, and names the ones that have it.
    pub(crate) fn warn_of_no_effect(&self) {
        for problem in self.without_effect() {
            exit::warn(&problem.to_string());
        }
    }

    /// The settings that have no effect under the policies in force.
    pub fn without_effect(&self) -> Vec<config::Problem> {
        let recorded = |id: &RuleId| self.recorded.get(id).copied().unwrap_or_default();
        pipeline::without_effect(&self.config, &self.book, recorded)
    }

    /// The guardrail for text sent to a model: it masks, regardless of the installation's own guardrail.
    ///
    /// # Errors
    /// Fails if the guardrail's patterns contradict each other.
    pub fn screen(&self) -> Result<Guardrail, Failure> {
        let settings = GuardrailSettings {
            enabled: true,
            mode: GuardrailMode::Lenient,
            actions: BTreeMap::new(),
            ..self.config.guardrail.value.clone()
        };
        Guardrail::new(&settings, &self.patterns).map_err(Failure::usage)
    }
}

/// The gate from a configuration, with the user's own orders about documents.
///
/// # Errors
/// Fails if the configuration, a rule, a waiver or an own order is not valid.
pub(crate) fn judging(arguments: &ConfigurationArguments) -> Result<Pipeline, Failure> {
    let config = configuration(arguments, Flags::default())?;
    let own = own_orders::of_documents(&config.model)?;
    Ok(Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?.with_orders(own))
}

/// The requested local reader: the built-in one, none, or other weights from a file.
fn local_reader(choice: Option<&Path>) -> Result<LocalReader, Failure> {
    let Some(path) = choice else { return Ok(LocalReader::Embedded) };
    if path == Path::new("off") {
        return Ok(LocalReader::Off);
    }
    let named = |problem: String| Failure::usage(format!("the reader `{}`: {problem}", path.display()));
    let weights = files::read(path, files::RECORDS).map_err(|error| named(error.to_string()))?;
    LocalReader::with_weights(&weights).map_err(|error| named(error.to_string()))
}

/// The weights of the user's team, if the configuration names a file of them.
///
/// # Errors
/// Fails if the file cannot be read or is not valid.
pub fn team_weights(config: &ValidConfig) -> Result<Option<TeamWeights>, Failure> {
    let Some(setting) = &config.team_weights else { return Ok(None) };
    let path = &setting.value;
    let problem = |message: String| Failure::usage(config.problem(&setting.origin, message).to_string());
    let text = files::text(path, files::SETTINGS)
        .map_err(|error| problem(format!("the team weights `{}` cannot be read: {error}", path.display())))?;
    if text.contains("reqgate/team-weights/v1") {
        let words = "is of an older version of reqgate: make it again with `reqgate-lab learn`";
        return Err(problem(format!("the file of team weights `{}` {words}", path.display())));
    }
    let team = TeamWeights::parse(&text).map_err(|error| {
        let error = if files::is_link_elsewhere(path) { error.without_content() } else { error };
        problem(format!("the team weights `{}`: {error}", path.display()))
    })?;
    if !team.fits_shipped() {
        exit::warn(&format!(
            "the team weights `{}` were learned with another local reader: make them again with `reqgate-lab learn`",
            path.display()
        ));
    }
    Ok(Some(team))
}

/// The precision of rules according to the recorded disputes; empty if the file does not exist.
///
/// # Errors
/// Fails if the file is not valid.
fn recorded(config: &ValidConfig) -> Result<BTreeMap<RuleId, Tally>, Failure> {
    let path = &config.disputes.value;
    let shown = path.display();
    match files::text(path, files::RECORDS) {
        Ok(text) => {
            let rows = dispute::read(&text).map_err(|error| {
                let hidden = || format!("`{shown}`: {}", files::NOT_SHOWN);
                let is_hidden = files::is_link_elsewhere(path);
                Failure::usage(if is_hidden { hidden() } else { format!("`{shown}`, {error}") })
            })?;
            Ok(dispute::tallies(&rows))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(Failure::usage(format!("reading the disputes `{shown}`: {error}"))),
    }
}

/// Resolves the configuration in force: flags take precedence over the environment, the environment over the file, the
/// file over the defaults.
///
/// # Errors
/// Fails with every problem in it.
pub fn configuration(arguments: &ConfigurationArguments, mut flags: Flags) -> Result<ValidConfig, Failure> {
    let environment =
        Environment::read(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
            .map_err(|problems| Failure::usage(config::ConfigError(problems)))?;
    flags.rules_folders.extend(arguments.rules.iter().cloned());
    flags.reader.clone_from(&arguments.reader);
    let file = file_in_force(arguments, &environment);
    flags.consent = match &file {
        Some(file) if file.is_own => Consent::to_all(),
        _ => consent()?,
    };
    let file = file.map(|file| file.path);
    let config = ValidConfig::resolve(file.as_deref(), &environment, &flags).map_err(Failure::usage)?;
    for withheld in &config.model.withheld {
        exit::warn(&format!("{}: {}", config.words(&withheld.origin), withheld.kind.words()));
    }
    Ok(config)
}

/// The consent in the user's own configuration.
fn consent() -> Result<Consent, Failure> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || folder("HOME").map(|home| home.join(".config"));
    let own = folder("XDG_CONFIG_HOME").or_else(|| folder("APPDATA")).or_else(home);
    own.map_or(Ok(Consent::default()), |own| config::consent(&own.join("reqgate/reqgate.yaml")).map_err(Failure::usage))
}

/// A configuration file and its trust level.
struct InForce {
    path: PathBuf,
    /// The user named it, and it is outside the repository.
    is_own: bool,
}

fn file_in_force(arguments: &ConfigurationArguments, environment: &Environment) -> Option<InForce> {
    if arguments.no_config {
        return None;
    }
    let folder = std::env::current_dir().ok()?;
    if let Some(path) = arguments.config.clone().or_else(|| environment.config.clone()) {
        let is_own = config::leads_out(&folder.join(config::NAMES[0]), &path);
        return Some(InForce { path, is_own });
    }
    let found = config::find(&folder);
    for path in &found.foreign {
        exit::warn(&format!(
            "`{}` belongs to another user and is ignored; to use it, name it with --config",
            path.display()
        ));
    }
    let path = found.file?;
    // Shown in the form in which people would type it.
    let path = path.strip_prefix(&folder).map(Path::to_path_buf).unwrap_or(path);
    Some(InForce { path, is_own: false })
}

/// The use of the model questions in a folder with rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Questions {
    /// They are asked, like the shipped ones.
    Read,
    /// They are not asked: the repository's configuration names the folder, so they are untrusted instructions.
    LeftOut,
}

/// Loads the shipped rules together with those of the folders.
///
/// # Errors
/// Fails on the first file that is not valid.
pub(crate) fn load_rules<'f>(
    folders: impl Iterator<Item = (&'f Path, Questions)>,
    extent: Extent,
) -> Result<RuleBook, Failure> {
    let mut files = match extent {
        Extent::Judging => rules::shipped_files_for_judging(),
        Extent::Teaching => rules::shipped_files(),
    };
    let mut read = Vec::new();
    for (folder, questions) in folders {
        if !folder.is_dir() {
            return Err(Failure::usage(format!(
                "the rules folder `{}` is not a folder: check its name",
                folder.display()
            )));
        }
        let own = rules::user_files(folder).map_err(with_sources)?;
        let is_read = |file: &SourceFile| questions == Questions::Read || !file.path.starts_with("questions/");
        files.extend(own.into_iter().filter(is_read));
        read.push(folder);
    }
    rules::load(&files).map_err(|error| placed(error, &read))
}

/// The error for a file that is not valid, with its complete path instead of the one inside its folder.
fn placed(error: LoadError, folders: &[&Path]) -> Failure {
    let path = match &error {
        LoadError::Invalid { path, .. } | LoadError::Misplaced { path } | LoadError::Duplicate { path, .. } => path,
        LoadError::Read { .. } | LoadError::Lexicon(_) => return with_sources(error),
    };
    let folder = folders.iter().find(|folder| folder.join(path).is_file());
    Failure::usage(match folder {
        Some(folder) => format!("in the rules folder `{}`: {error}", folder.display()),
        None => error.to_string(),
    })
}

fn with_sources(error: impl std::error::Error) -> Failure {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let words = cause.to_string();
        if !message.contains(&words) {
            message.push_str(&format!(": {words}"));
        }
        source = cause.source();
    }
    Failure::Usage(message)
}

/// Warns about settings without effect.
pub fn warn_of_unused(config: &ValidConfig, today: &str) {
    for waiver in &config.waivers {
        if let Some(last_day) = waiver.value.expires.as_deref().filter(|last_day| *last_day < today) {
            let words = config.words(&waiver.origin);
            exit::warn(&format!(
                "{words}: the waiver of `{}` expired on {last_day} and has no effect",
                waiver.value.rule
            ));
        }
    }
}

/// Seconds since the first call.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}
