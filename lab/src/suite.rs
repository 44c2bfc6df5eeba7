//! What a suite file says: benchmarks, each with its data, how a row is read, the task, the measures and the targets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::measure::Measure;
use super::prd_task::PrdTask;
use reqgate_base::model::{Genre, GuardrailKind, RuleId, SourceType, TicketType};
use reqgate_base::yaml;
use reqgate_rules::{Facet, Profile};

/// A suite of benchmarks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schemars(title = "reqgate suite of benchmarks, version 1")]
pub struct Suite {
    /// Version of this shape; 1.
    #[garde(range(min = 1, max = 1))]
    pub version: u32,
    /// Name of the suite.
    #[garde(length(min = 1))]
    pub name: String,
    /// What it measures, in a sentence or two.
    #[garde(skip)]
    #[serde(default)]
    pub summary: String,
    /// The benchmarks, in the order in which they are shown.
    #[garde(length(min = 1), dive, custom(ids_differ))]
    pub benchmarks: Vec<Benchmark>,
}

/// One benchmark: one task on one set of rows.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// Kebab-case name.
    #[garde(custom(is_kebab_case))]
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub id: String,
    /// What is measured, in a line.
    #[garde(length(min = 1))]
    pub title: String,
    /// Where the rows are.
    #[garde(skip)]
    pub data: Data,
    /// Rows to measure: each field must hold one of its values; a text ending in `*` is a beginning. All rows if empty.
    #[garde(skip)]
    #[serde(default, rename = "where")]
    pub filter: BTreeMap<String, Vec<Value>>,
    /// Fields by whose values the figures are told apart.
    #[garde(skip)]
    #[serde(default)]
    pub slices: Vec<String>,
    /// For a slice: which of its values belong together. A beginning with `*` behind it, and the name of the group; a `*` in
    /// the name is the word that follows. What fits no beginning is `other`.
    #[garde(skip)]
    #[serde(default)]
    pub groups: BTreeMap<String, BTreeMap<String, String>>,
    /// The policy under which the texts are judged; that of the configuration if absent.
    #[garde(skip)]
    #[serde(default)]
    pub policy: Option<String>,
    /// Which part of a row is the text. Default: the field `text`.
    #[garde(skip)]
    #[serde(default)]
    pub input: Input,
    /// What the engine is asked.
    #[garde(skip)]
    pub task: Task,
    /// What is right. Default: every row is positive.
    #[garde(skip)]
    #[serde(default)]
    pub label: Label,
    /// True if the rules that fired are counted into their own precision.
    #[garde(skip)]
    #[serde(default)]
    pub counts_for_precision: bool,
    /// What is computed.
    #[garde(length(min = 1), dive)]
    pub measures: Vec<Goal>,
}

/// Where rows are, relative to the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Data {
    /// A JSON-lines file: one object a line.
    File(PathBuf),
    /// A folder of YAML files: one object each.
    Folder(PathBuf),
    /// A YAML file with a list of objects.
    List(PathBuf),
    /// A folder of Markdown files, each the `text` of a row that is named after it.
    Documents(PathBuf),
}

impl Data {
    /// The path, relative to the data folder.
    pub fn path(&self) -> &PathBuf {
        match self {
            Self::File(path) | Self::Folder(path) | Self::List(path) | Self::Documents(path) => path,
        }
    }
}

/// Which part of a row is the text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// A field.
    Field(String),
    /// A field in base64.
    Base64(String),
    /// The field with the title and the field with the body of an issue.
    TitleBody(String, String),
    /// A field with a list of objects: every key and value of every object, one line each.
    Records(String),
}

impl Default for Input {
    fn default() -> Self {
        Self::Field("text".to_owned())
    }
}

/// What is right about a row.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Label {
    /// Every row is positive, or none is.
    Always(bool),
    /// A row is positive if a field holds one of these values.
    Positive {
        /// The field; `/` leads into an object.
        field: String,
        /// The values that mean yes.
        values: Vec<Value>,
    },
    /// The row is of the class that a field names.
    Class {
        /// The field.
        field: String,
        /// Its values as classes; a value that is not here is a class of its own.
        #[serde(default)]
        names: BTreeMap<String, String>,
    },
    /// The field is a number to be ranked by.
    Number {
        /// The field.
        field: String,
    },
}

impl Default for Label {
    fn default() -> Self {
        Self::Always(true)
    }
}

/// Places of an inserted paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Before the first paragraph.
    Start,
    /// Between two paragraphs half-way.
    Middle,
    /// Behind the last paragraph.
    End,
}

impl Place {
    /// The name in a slice.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// Texts that others are put into, or measured against.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Others {
    /// The JSON-lines file, relative to the data folder.
    pub file: PathBuf,
    /// Which part of a row is the text.
    #[serde(default)]
    pub input: Input,
}

/// What the engine is asked about each row.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Does the guardrail find one of these kinds?
    Guardrail {
        /// The kinds.
        kinds: Vec<GuardrailKind>,
        /// Texts that should not be flagged; their share is the false-alarm rate of `detection-at`.
        #[serde(default)]
        against: Option<Others>,
    },
    /// The text is put into another as a paragraph of its own: does the guardrail find one of these kinds in it?
    Inserted {
        /// The kinds.
        kinds: Vec<GuardrailKind>,
        /// The texts that are put around it, one chosen by the seed for each row.
        hosts: Others,
        /// The places, one chosen by the seed for each row.
        places: Vec<Place>,
    },
    /// Which spans of which kind does the guardrail find? A find counts if it overlaps enough.
    Spans {
        /// The field with objects of `type`, `start` and `end` (characters).
        field: String,
        /// The types that count, and the kind that each should be found as.
        kinds: BTreeMap<String, GuardrailKind>,
        /// Least intersection over union. Default .5.
        #[serde(default = "half")]
        overlap: f64,
    },
    /// Does one of these rules speak?
    Rules {
        /// The rules.
        rules: Vec<RuleId>,
        /// How the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// Is there a passive form? Asks the reader of sentences that `passive-without-actor` rests on; the rule itself speaks only
    /// where an actor matters.
    Passive {},
    /// Which classes of rules speak, against a field that holds a list for every class?
    RuleClasses {
        /// The field with an object: class → list, empty where the class is absent.
        field: String,
        /// The rules of every class.
        classes: BTreeMap<String, Vec<RuleId>>,
        /// How the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// How many findings with a place does the text get?
    Alerts {
        /// How the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// What does the gate say? Compared with a label that is a class: `PASS`, `REJECT`, …
    Verdict {},
    /// Which type does the ticket get if nobody states it? Compared with a label that is a class.
    TicketType {},
    /// Which score does the rubric give? Compared with a label that is a number.
    Score {
        /// What the ticket is taken for; found out if absent.
        #[serde(default)]
        ticket_type: Option<TicketType>,
    },
    /// Which sentences of a bug report tell what happened, what was expected, and how to get there?
    Sentences {
        /// The field with the list of sentences, each an object of `text` and `labels`.
        field: String,
    },
    /// Is a part of a bug report missing? Positive if no sentence is labelled with it.
    MissingPart {
        /// The field with the list of sentences.
        field: String,
        /// The label of the part, e.g. `EB`.
        part: String,
        /// The facet that the engine should not find then.
        facet: Facet,
        /// The rule whose precision this is about.
        #[serde(default)]
        rule: Option<RuleId>,
    },
    /// Which role has each section of an issue whose headings were taken out?
    Sections {
        /// The field with the list of sections, each an object of `text` and `label`.
        field: String,
    },
    /// Can the text be read and judged as this kind of document?
    Parses {
        /// The kind of document that must be detected; any if absent.
        #[serde(default)]
        source_type: Option<SourceType>,
    },
    /// Are the scenarios below a requirement found as criteria when their headings are taken out?
    Scenarios {
        /// The field with the requirement.
        statement: String,
        /// The field with the list of scenarios, each an object of `text`.
        field: String,
    },
    /// Are the facets of a gold ticket found where they stand?
    Facets {},
    /// Do the rules speak that must, and keep silent that must not (`findings` of a gold ticket)?
    Findings {},
    /// What do careful readers say of a real ticket, and what does the gate? Rows whose readers differ are left out.
    RealTickets {
        /// The field with the list of readers, each an object.
        #[serde(default = "readers")]
        readers: String,
        /// What is compared.
        asks: Asks,
    },
    /// Did somebody have to ask the author back? A ticket about which nobody did should pass.
    AskedBack {
        /// The field that says `yes` or `no`; rows with another value are left out.
        field: String,
    },
    /// Tickets that a team estimated and took in: all should pass.
    Estimated {},
    /// What do the critics say of a PRD, or of one with a planted fault?
    Prd(PrdTask),
}

/// What the readers of a real ticket are compared in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// Their verdict `ready` with that of the gate.
    Ready,
    /// Their verdict `triage` with that of the gate.
    Triage,
    /// What kind of ticket it is, if nobody states it.
    Kind,
    /// Two statements or more that can be ticked off, the kind being told.
    Criteria,
    /// Steps there or absent, the kind being told.
    Steps,
    /// Expected behaviour stated, implied or absent, the kind being told.
    Expected,
    /// Environment stated, not needed or absent, the kind being told.
    Environment,
}

fn readers() -> String {
    "readers".to_owned()
}

/// How a text is read whose kind is known.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReadAs {
    /// Genre of every sentence; found out if absent.
    pub genre: Option<Genre>,
    /// Kind of document.
    pub profile: Profile,
}

impl Default for ReadAs {
    fn default() -> Self {
        Self { genre: None, profile: Profile::Feature }
    }
}

fn half() -> f64 {
    0.5
}

/// One measure with its target.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// What is computed.
    #[garde(skip)]
    pub measure: Measure,
    /// What it is called in the table; the name of the measure if absent.
    #[garde(skip)]
    #[serde(default)]
    pub title: Option<String>,
    /// The class that it is about; all classes if absent.
    #[garde(skip)]
    #[serde(default)]
    pub class: Option<String>,
    /// For `detection-at`: the highest share of false alarms.
    #[garde(range(min = 0.0, max = 1.0))]
    #[serde(default)]
    pub bound: Option<f64>,
    /// Count only what all who judged it called clear.
    #[garde(skip)]
    #[serde(default)]
    pub clear: bool,
    /// For `wrong-as` and `given-as`: the classes that the rows should have.
    #[garde(skip)]
    #[serde(default)]
    pub of: Vec<String>,
    /// For `wrong-as` and `given-as`: the classes that are counted.
    #[garde(skip)]
    #[serde(default)]
    pub given: Vec<String>,
    /// The value to reach or exceed.
    #[garde(custom(is_finite))]
    #[serde(default)]
    pub at_least: Option<f64>,
    /// The value not to exceed.
    #[garde(custom(is_finite))]
    #[serde(default)]
    pub at_most: Option<f64>,
    /// The best figures known of others.
    #[garde(dive)]
    #[serde(default)]
    pub peers: Vec<Peer>,
}

/// The figure of another tool or of a person.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Whose.
    #[garde(length(min = 1))]
    pub name: String,
    /// The figure.
    #[garde(custom(is_a_number))]
    pub value: f64,
    /// What is different about it, if anything: other data, another bound.
    #[garde(skip)]
    #[serde(default)]
    pub note: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "garde passes references")]
fn is_a_number(value: &f64, _: &()) -> garde::Result {
    if value.is_finite() { Ok(()) } else { Err(garde::Error::new("not a number")) }
}

fn is_finite(value: &Option<f64>, _: &()) -> garde::Result {
    value.as_ref().map_or(Ok(()), |value| is_a_number(value, &()))
}

fn is_kebab_case(id: &str, _: &()) -> garde::Result {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    match id.split('-').all(is_word) {
        true => Ok(()),
        false => Err(garde::Error::new("an id is words in lower case joined by hyphens")),
    }
}

fn ids_differ(benchmarks: &[Benchmark], _: &()) -> garde::Result {
    let mut seen = BTreeSet::new();
    match benchmarks.iter().find(|benchmark| !seen.insert(&benchmark.id)) {
        Some(twice) => Err(garde::Error::new(format!("two benchmarks have the id `{}`", twice.id))),
        None => Ok(()),
    }
}

/// Why a suite cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the suite `{name}` cannot be read: {message}")]
pub struct SuiteError {
    /// Name of the file.
    pub name: String,
    /// What is wrong, with its place.
    pub message: String,
}

impl Suite {
    /// Reads a suite; `name` is told in errors.
    ///
    /// # Errors
    /// Fails where the text is no YAML, does not fit, or asks a task for a measure that it cannot give.
    pub fn parse(name: &str, yaml: &str) -> Result<Self, SuiteError> {
        let error = |message: String| SuiteError { name: name.to_owned(), message };
        let suite: Self = yaml::read_valid(yaml).map_err(|problem| error(problem.to_string()))?;
        for benchmark in &suite.benchmarks {
            for goal in &benchmark.measures {
                if let Some(problem) = goal.problem() {
                    return Err(error(format!("benchmark `{}`: {problem}", benchmark.id)));
                }
            }
        }
        Ok(suite)
    }
}

impl Goal {
    fn problem(&self) -> Option<String> {
        match self.measure {
            Measure::DetectionAt if self.bound.is_none() => {
                Some("`detection-at` needs a `bound`, the highest share of false alarms".to_owned())
            }
            Measure::WrongAs | Measure::GivenAs if self.of.is_empty() || self.given.is_empty() => {
                Some(format!("`{}` needs the classes `of` and `given`", self.measure.name()))
            }
            _ if self.at_least.is_some() && self.at_most.is_some() => {
                Some("a measure has `at_least` or `at_most`, not both".to_owned())
            }
            _ => None,
        }
    }
}
