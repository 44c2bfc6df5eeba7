//! The checked configuration: file, environment and flags merged, every value with its origin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::consent::Consent;
use super::guardrail::GuardrailSettings;
use super::model::{ModelFlags, ValidModel};
use super::search::{SearchConfig, ValidSearch};
use super::setting::{Origin, Setting};
use super::{Config, ConfigError, Environment, FormFieldConfig, Problem};
use reqgate_base::files;
use reqgate_base::model::{Language, OtherLanguages, RuleId, Severity, Waiver};
use reqgate_base::yaml::{Node, ReadError, bounds_in_words};

/// The precision below which a rule only warns.
pub const DEFAULT_PRECISION_FLOOR: f64 = 0.8;
/// The name of the file with disputed findings, in the folder of the configuration.
const DISPUTES: &str = "reqgate-disputes.jsonl";

/// The settings on the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--threshold`: the score that is needed.
    pub threshold: Option<f64>,
    /// `--rubric`: the rubric for every document.
    pub rubric: Option<String>,
    /// `--policy`: the name of the policy.
    pub policy: Option<String>,
    /// `--sure`: the certainty that a rejection needs, 0 to 1.
    pub sure: Option<f64>,
    /// `--rules`: folders with rules, relative to the current folder.
    pub rules_folders: Vec<PathBuf>,
    /// `--format`: the format on standard output.
    pub format: Option<String>,
    /// `--reader`: the file with weights of the local reader.
    pub reader: Option<PathBuf>,
    /// The settings of the model.
    pub model: ModelFlags,
    /// The settings of the search.
    pub search: SearchConfig,
    /// The consent given outside the repository.
    pub consent: Consent,
}

/// The configuration in force.
#[derive(Debug, Clone)]
pub struct ValidConfig {
    /// The configuration file, if one was found.
    pub file: Option<PathBuf>,
    /// Severities that differ from the rules' own; `None` switches a rule off.
    pub severities: BTreeMap<RuleId, Setting<Option<Severity>>>,
    /// Thresholds by rubric id.
    pub thresholds: BTreeMap<String, Setting<f64>>,
    /// One threshold for all rubrics.
    pub threshold: Setting<Option<f64>>,
    /// One rubric for all documents.
    pub rubric: Setting<Option<String>>,
    /// The name of the policy; `None` if it was not set.
    pub policy: Setting<Option<String>>,
    /// The certainty that a rejection needs.
    pub sure: Setting<Option<f64>>,
    /// Weights of the local reader instead of those in the program; `off` for none.
    pub reader: Option<PathBuf>,
    /// The languages that are judged.
    pub judged_languages: Setting<Vec<Language>>,
    /// The treatment of texts in other languages.
    pub other_languages: Setting<OtherLanguages>,
    /// Folders with the user's rules, in the order in which they are read.
    pub rules_folders: Vec<Setting<PathBuf>>,
    /// Findings that are set aside.
    pub waivers: Vec<Setting<Waiver>>,
    /// Precision below which a rule may not block.
    pub precision_floor: Setting<f64>,
    /// File with weights of the user's own team, if one is named.
    pub team_weights: Option<Setting<PathBuf>>,
    /// The file with disputed findings; it need not exist.
    pub disputes: Setting<PathBuf>,
    /// Requirements for answers in issue forms, by id or label of the field.
    pub forms: BTreeMap<String, FormFieldConfig>,
    /// The settings of the guardrail.
    pub guardrail: Setting<GuardrailSettings>,
    /// The origin of the guardrail's main switch.
    pub guardrail_enabled: Origin,
    /// The origin of the guardrail's mode.
    pub guardrail_mode: Origin,
    /// Structuring runs before the score.
    pub enable_structuring: Setting<bool>,
    /// The raw text is scored if structuring fails.
    pub enable_fallback: Setting<bool>,
    /// Format on standard output, unchecked.
    pub format: Setting<Option<String>>,
    /// Patterns of the files that the language server judges; `None` for those that `check` takes.
    pub lsp_files: Setting<Option<Vec<String>>>,
    /// The model that is asked, if one is.
    pub model: ValidModel,
    /// The provider that is searched for sources.
    pub search: ValidSearch,
    /// Environment variables of a model that are set and not used.
    pub unused_variables: Vec<&'static str>,
}

/// A configuration file that was read.
#[derive(Debug, Clone)]
pub(super) struct Written {
    /// The content of the file.
    pub(super) config: Config,
    tree: Node,
    pub(super) path: PathBuf,
}

impl Written {
    pub(super) fn origin(&self, path: &[&str]) -> Option<Origin> {
        self.tree.place_of(path).map(Origin::File)
    }

    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

impl ValidConfig {
    /// Merges the file at `file` (or the defaults), the environment and the flags.
    ///
    /// # Errors
    /// Reports all problems of the file; a file that cannot be read is an error too.
    pub fn resolve(file: Option<&Path>, environment: &Environment, flags: &Flags) -> Result<Self, ConfigError> {
        let written = file.map(read_file).transpose()?;
        let mut valid = Self::defaults();
        if let Some(written) = &written {
            valid.take_file(written);
        }
        valid.take_environment(environment)?;
        valid.take_flags(flags);
        valid.take_model(written.as_ref(), environment, flags)?;
        valid.take_search(written.as_ref(), environment, flags)?;
        if let Some(written) = written.as_ref().filter(|_| !flags.consent.folders) {
            valid.stay_inside(written)?;
        }
        Ok(valid)
    }

    /// The configuration without a file, environment and flags.
    pub fn defaults() -> Self {
        Self {
            file: None,
            severities: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            threshold: Setting::default(),
            rubric: Setting::default(),
            policy: Setting::default(),
            sure: Setting::default(),
            reader: None,
            judged_languages: Setting::new(vec![Language::En, Language::Zh], Origin::Default),
            other_languages: Setting::new(OtherLanguages::Report, Origin::Default),
            rules_folders: Vec::new(),
            waivers: Vec::new(),
            precision_floor: Setting::new(DEFAULT_PRECISION_FLOOR, Origin::Default),
            team_weights: None,
            disputes: Setting::new(PathBuf::from(DISPUTES), Origin::Default),
            forms: BTreeMap::new(),
            guardrail: Setting::new(GuardrailSettings::default(), Origin::Default),
            guardrail_enabled: Origin::Default,
            guardrail_mode: Origin::Default,
            enable_structuring: Setting::new(true, Origin::Default),
            enable_fallback: Setting::new(true, Origin::Default),
            format: Setting::default(),
            lsp_files: Setting::default(),
            model: ValidModel::defaults(),
            search: ValidSearch::default(),
            unused_variables: Vec::new(),
        }
    }

    fn take_file(&mut self, written: &Written) {
        let config = &written.config;
        let at = |path: &[&str]| written.origin(path).unwrap_or(Origin::Default);
        self.file = Some(written.path.clone());
        let severity = |(id, level): (&RuleId, &super::RuleLevel)| {
            (id.clone(), Setting::new(level.severity(), at(&["rules", id.as_str()])))
        };
        self.severities = config.rules.iter().map(severity).collect();
        let threshold = |(id, value): (&String, &f64)| (id.clone(), Setting::new(*value, at(&["thresholds", id])));
        self.thresholds = config.thresholds.iter().map(threshold).collect();
        self.rubric.take_stated(config.rubric.clone(), at(&["rubric"]));
        self.policy.take_stated(config.policy.clone(), at(&["policy"]));
        self.sure.take_stated(config.sure, at(&["sure"]));
        self.judged_languages.take(config.languages.judge.clone(), at(&["languages", "judge"]));
        self.other_languages.take(config.languages.others, at(&["languages", "others"]));
        for (index, folder) in config.rules_folders.iter().enumerate() {
            let origin = at(&["rules_folders", &index.to_string()]);
            self.rules_folders.push(Setting::new(written.folder().join(folder), origin));
        }
        for (index, waiver) in config.waivers.iter().enumerate() {
            self.waivers.push(Setting::new(waiver.clone(), at(&["waivers", &index.to_string()])));
        }
        self.precision_floor.take(config.precision_floor, at(&["precision_floor"]));
        self.team_weights =
            config.team_weights.as_ref().map(|path| Setting::new(written.folder().join(path), at(&["team_weights"])));
        self.disputes.value = written.folder().join(DISPUTES);
        self.disputes.take(config.disputes.as_ref().map(|path| written.folder().join(path)), at(&["disputes"]));
        self.forms = config.forms.clone();
        let mut guardrail = config.guardrail.clone();
        for folder in &mut guardrail.pattern_folders {
            *folder = written.folder().join(&folder);
        }
        self.guardrail = Setting::new(guardrail, at(&["guardrail"]));
        self.guardrail_enabled = at(&["guardrail", "enabled"]);
        self.guardrail_mode = written
            .origin(&["guardrail", "mode"])
            .or_else(|| written.origin(&["guardrail", "pii_detection", "mode"]))
            .unwrap_or(Origin::Default);
        self.enable_structuring.take(config.structuring.enabled, at(&["structuring", "enabled"]));
        self.enable_fallback.take(config.structuring.fallback, at(&["structuring", "fallback"]));
        self.format.take_stated(config.output.format.clone(), at(&["output", "format"]));
        self.lsp_files.take_stated(config.lsp.files.clone(), at(&["lsp", "files"]));
    }

    fn take_environment(&mut self, environment: &Environment) -> Result<(), ConfigError> {
        if let Some(path) = &environment.guardrail_config {
            let origin = Origin::Environment("GUARDRAIL_CONFIG_PATH");
            self.guardrail = Setting::new(read_guardrail(path)?, origin.clone());
            self.guardrail_enabled = origin.clone();
            self.guardrail_mode = origin;
        }
        if let Some(enabled) = environment.enable_guardrail {
            self.guardrail.value.enabled = enabled;
            self.guardrail_enabled = Origin::Environment("ENABLE_GUARDRAIL");
        }
        if let Some(mode) = environment.guardrail_mode {
            self.guardrail.value.mode = mode;
            self.guardrail_mode = Origin::Environment("GUARDRAIL_MODE");
        }
        self.enable_structuring.take(environment.enable_structuring, Origin::Environment("ENABLE_STRUCTURING"));
        self.enable_fallback.take(environment.enable_fallback, Origin::Environment("ENABLE_FALLBACK"));
        self.threshold.take_stated(environment.threshold, Origin::Environment("REQGATE_THRESHOLD"));
        self.policy.take_stated(environment.policy.clone(), Origin::Environment("REQGATE_POLICY"));
        self.format.take_stated(environment.format.clone(), Origin::Environment("REQGATE_FORMAT"));
        self.unused_variables = environment.unused.clone();
        Ok(())
    }

    fn take_flags(&mut self, flags: &Flags) {
        self.threshold.take_stated(flags.threshold, Origin::Flag("--threshold"));
        self.rubric.take_stated(flags.rubric.clone(), Origin::Flag("--rubric"));
        self.policy.take_stated(flags.policy.clone(), Origin::Flag("--policy"));
        self.sure.take_stated(flags.sure, Origin::Flag("--sure"));
        self.reader.clone_from(&flags.reader);
        for folder in &flags.rules_folders {
            self.rules_folders.push(Setting::new(folder.clone(), Origin::Flag("--rules")));
        }
        self.format.take_stated(flags.format.clone(), Origin::Flag("--format"));
    }

    fn take_model(
        &mut self,
        written: Option<&Written>,
        environment: &Environment,
        flags: &Flags,
    ) -> Result<(), ConfigError> {
        let mut file = written.map(|written| written.config.model.clone()).unwrap_or_default();
        if let Some(written) = written {
            file.prompts = file.prompts.map(|folder| written.folder().join(folder));
            let inside = |folder: String| written.folder().join(folder).to_string_lossy().into_owned();
            file.cache = file.cache.map(|folder| if folder == "off" { folder } else { inside(folder) });
        }
        let at = |path: &[&str]| written.and_then(|written| written.origin(path)).unwrap_or(Origin::Default);
        self.model = ValidModel::resolve(&file, at, &environment.model, &flags.model, &flags.consent)
            .map_err(|(origin, message)| ConfigError(vec![self.problem(&origin, message)]))?;
        if self.model.asked().is_some() {
            self.unused_variables.clear();
        }
        Ok(())
    }

    fn take_search(
        &mut self,
        written: Option<&Written>,
        environment: &Environment,
        flags: &Flags,
    ) -> Result<(), ConfigError> {
        let mut file = written.map(|written| written.config.search.clone()).unwrap_or_default();
        file.path = file.path.zip(written).map(|(path, written)| written.folder().join(path));
        let at = |path: &[&str]| written.and_then(|written| written.origin(path)).unwrap_or(Origin::Default);
        let consent = &flags.consent;
        self.search =
            ValidSearch::resolve(&file, at, &environment.search, &flags.search, &consent.search, consent.services)
                .map_err(|(origin, message)| ConfigError(vec![self.problem(&origin, message)]))?;
        Ok(())
    }

    /// Makes a problem at the place that set the value.
    pub fn problem(&self, origin: &Origin, message: impl Into<String>) -> Problem {
        let place = if let Origin::File(place) = origin { Some(*place) } else { None };
        Problem { source: self.source(origin), place, message: message.into() }
    }

    fn source(&self, origin: &Origin) -> String {
        match (origin, &self.file) {
            (Origin::File(_), Some(file)) => file.display().to_string(),
            (Origin::Own, _) => "your own configuration".to_owned(),
            (Origin::Environment(name), _) => format!("environment variable {name}"),
            (Origin::Flag(name), _) => (*name).to_owned(),
            _ => "default".to_owned(),
        }
    }

    /// An origin in words, e.g. `.reqgate.yaml:12`.
    pub fn words(&self, origin: &Origin) -> String {
        match origin {
            Origin::File(place) => format!("{}:{}", self.source(origin), place.line),
            _ => self.source(origin),
        }
    }
}

fn read_text(path: &Path) -> Result<String, ConfigError> {
    let name = path.display().to_string();
    let text = files::read(path, files::SETTINGS).map_err(|source| {
        let message = match source.kind() {
            std::io::ErrorKind::NotFound => "the file does not exist: check the name".to_owned(),
            _ => format!("the file cannot be read: {source}"),
        };
        ConfigError(vec![Problem::new(name.clone(), message)])
    })?;
    let text = String::from_utf8(text)
        .map_err(|_| ConfigError(vec![Problem::new(name, "the file is not UTF-8: save it as UTF-8")]))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Reads and checks a file. If it is a link to another folder, only the first place is reported.
pub(super) fn read_file(path: &Path) -> Result<Written, ConfigError> {
    let text = read_text(path)?;
    check_file(path, &text).map_err(|mut error| {
        if files::is_link_elsewhere(path) {
            error.0.truncate(1);
            error.0.iter_mut().for_each(|problem| files::NOT_SHOWN.clone_into(&mut problem.message));
        }
        error
    })
}

fn check_file(path: &Path, text: &str) -> Result<Written, ConfigError> {
    let source = path.display().to_string();
    let tree = Node::parse(text).map_err(|error| {
        let problem = Problem { source: source.clone(), place: error.place, message: error.message };
        ConfigError(vec![problem])
    })?;
    let (config, errors) = tree.clone().read::<Config>();
    let told = |error: ReadError| Problem { source: source.clone(), place: error.place, message: error.message };
    let mut problems: Vec<Problem> = errors.into_iter().map(told).collect();
    if let Some(config) = &config {
        let mut add = |path: &[&str], message: String| {
            let place = tree.place_of(path).or_else(|| tree.place_of(&path[..1]));
            problems.push(Problem { source: source.clone(), place, message });
        };
        if let Some(version) = config.version.filter(|version| *version != 1) {
            add(&["version"], format!("version {version} is not supported: this reqgate reads version 1"));
        }
        for (id, value) in config.thresholds.iter().filter(|(_, value)| !(0.0..=100.0).contains(*value)) {
            add(&["thresholds", id], format!("the threshold {value} is out of range: write a number from 0 to 100"));
        }
        if let Some(floor) = config.precision_floor.filter(|floor| !(0.0..=1.0).contains(floor)) {
            add(
                &["precision_floor"],
                format!("the precision floor {floor} is out of range: write a number from 0 to 1"),
            );
        }
        if config.languages.judge.as_ref().is_some_and(Vec::is_empty) {
            add(&["languages", "judge"], "no language would be judged: name `en`, `zh` or both".to_owned());
        }
        if let Some(sure) = config.sure.filter(|sure| !(0.01..=0.99).contains(sure)) {
            add(&["sure"], format!("the certainty {sure} is out of range: write a number from 0.01 to 0.99"));
        }
        for (field, form) in &config.forms {
            if let Some(error) = form.pattern.as_deref().and_then(|pattern| regex::Regex::new(pattern).err()) {
                let words = error.to_string();
                let last = words.lines().last().unwrap_or_default();
                let why = last.strip_prefix("error: ").unwrap_or(last);
                add(
                    &["forms", field, "pattern"],
                    format!("`forms.{field}.pattern` is not a valid regular expression: {why}"),
                );
            }
        }
        let of_search = super::search::problems(&config.search);
        for (path, message) in super::model::problems(&config.model).into_iter().chain(of_search) {
            add(path, format!("`{}`: {message}", path.join(".")));
        }
        if let Err(report) = garde::Validate::validate(&config.guardrail) {
            for (path, error) in report.iter() {
                let path = path.to_string();
                let keys: Vec<&str> = std::iter::once("guardrail").chain(path.split('.')).collect();
                add(&keys, format!("`guardrail.{path}` {}", bounds_in_words(&error.to_string())));
            }
        }
    }
    problems.sort_by_key(|problem| problem.place);
    match config {
        Some(config) if problems.is_empty() => Ok(Written { config, tree, path: path.to_path_buf() }),
        _ => Err(ConfigError(problems)),
    }
}

/// Reads the guardrail's settings from a separate file; folders in it are relative to it.
fn read_guardrail(path: &Path) -> Result<GuardrailSettings, ConfigError> {
    let text = read_text(path)?;
    let problem = |error: super::guardrail::SettingsError| {
        let message = if files::is_link_elsewhere(path) { files::NOT_SHOWN.to_owned() } else { error.to_string() };
        ConfigError(vec![Problem::new(format!("{} (GUARDRAIL_CONFIG_PATH)", path.display()), message)])
    };
    let mut settings = GuardrailSettings::from_yaml(&text).map_err(problem)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for patterns in &mut settings.pattern_folders {
        *patterns = folder.join(&patterns);
    }
    Ok(settings)
}
