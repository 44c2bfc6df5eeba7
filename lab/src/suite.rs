//! The suite file: benchmarks, each with its data, the input of a row, the task, the measures and the targets.

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
    /// The version of this shape; 1.
    #[garde(range(min = 1, max = 1))]
    pub version: u32,
    /// The name of the suite.
    #[garde(length(min = 1))]
    pub name: String,
    /// The purpose of the suite, in a sentence or two.
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
    /// The name in kebab case.
    #[garde(custom(is_kebab_case))]
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub id: String,
    /// The subject of the measurement, in one line.
    #[garde(length(min = 1))]
    pub title: String,
    /// The location of the rows.
    #[garde(skip)]
    pub data: Data,
    /// The rows to measure: each field must have one of its values; a text ending in `*` is a prefix. All rows if empty.
    #[garde(skip)]
    #[serde(default, rename = "where")]
    pub filter: BTreeMap<String, Vec<Value>>,
    /// Fields by whose values the figures are split.
    #[garde(skip)]
    #[serde(default)]
    pub slices: Vec<String>,
    /// For a slice: the groups of its values. The key is a prefix followed by `*`, the value is the name of the group;
    /// a `*` in the name means the word that follows the prefix. Values without a matching prefix are `other`.
    #[garde(skip)]
    #[serde(default)]
    pub groups: BTreeMap<String, BTreeMap<String, String>>,
    /// The policy under which the texts are judged; that of the configuration if absent.
    #[garde(skip)]
    #[serde(default)]
    pub policy: Option<String>,
    /// The part of a row that is the text. Default: the field `text`.
    #[garde(skip)]
    #[serde(default)]
    pub input: Input,
    /// The task of the engine.
    #[garde(skip)]
    pub task: Task,
    /// The right answer. Default: every row is positive.
    #[garde(skip)]
    #[serde(default)]
    pub label: Label,
    /// Findings count for the measured precision of their rules.
    #[garde(skip)]
    #[serde(default)]
    pub counts_for_precision: bool,
    /// The measures to compute.
    #[garde(length(min = 1), dive)]
    pub measures: Vec<Goal>,
}

/// The location of rows, relative to the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Data {
    /// A JSON-lines file: one object per line.
    File(PathBuf),
    /// A folder of YAML files: one object per file.
    Folder(PathBuf),
    /// A YAML file with a list of objects.
    List(PathBuf),
    /// A folder of Markdown files; each is the `text` of a row that has the name of the file.
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

/// The part of a row that is the text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// The field with the text.
    Field(String),
    /// The field with the text in base64.
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

/// The right answer for a row.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Label {
    /// Every row is positive, or none is positive.
    Always(bool),
    /// A row is positive if a field has one of these values.
    Positive {
        /// The name of the field; `/` leads into an object.
        field: String,
        /// The values of positive rows.
        values: Vec<Value>,
    },
    /// The row is of the class that a field names.
    Class {
        /// The name of the field.
        field: String,
        /// The classes of its values; any other value is a class by itself.
        #[serde(default)]
        names: BTreeMap<String, String>,
    },
    /// The field is a number for ranking.
    Number {
        /// The name of the field.
        field: String,
    },
}

impl Default for Label {
    fn default() -> Self {
        Self::Always(true)
    }
}

/// The position of an inserted paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Before the first paragraph.
    Start,
    /// Between two paragraphs in the middle.
    Middle,
    /// After the last paragraph.
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

/// Texts into which rows are inserted, or with which they are compared.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Others {
    /// The JSON-lines file, relative to the data folder.
    pub file: PathBuf,
    /// The part of a row that is the text.
    #[serde(default)]
    pub input: Input,
}

/// The task of the engine for each row.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Does the guardrail find one of these kinds?
    Guardrail {
        /// The kinds that count.
        kinds: Vec<GuardrailKind>,
        /// Texts that should not be flagged; their share is the false-alarm rate of `detection-at`.
        #[serde(default)]
        against: Option<Others>,
    },
    /// The text is inserted into another as a separate paragraph: does the guardrail find one of these kinds in it?
    Inserted {
        /// The kinds that count.
        kinds: Vec<GuardrailKind>,
        /// The texts around it, one chosen by the seed for each row.
        hosts: Others,
        /// The positions, one chosen by the seed for each row.
        places: Vec<Place>,
    },
    /// Does the guardrail find these spans of these kinds? A match counts if it overlaps enough.
    Spans {
        /// The field with objects of `type`, `start` and `end` (characters).
        field: String,
        /// The types that count, and the kind that each should be found as.
        kinds: BTreeMap<String, GuardrailKind>,
        /// The minimum intersection over union. Default .5.
        #[serde(default = "half")]
        overlap: f64,
    },
    /// Does one of these rules have a finding?
    Rules {
        /// The rules that count.
        rules: Vec<RuleId>,
        /// The kind of document as which the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// Does the text have a passive form? This measures the sentence reader of `passive-without-actor`; the rule itself
    /// has a finding only if an actor matters.
    Passive {},
    /// Do the rules of these classes have findings, compared with a field that has a list for every class?
    RuleClasses {
        /// The field with an object from class to list, which is empty if the class is absent.
        field: String,
        /// The rules of every class.
        classes: BTreeMap<String, Vec<RuleId>>,
        /// The kind of document as which the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// The number of findings with a place in the text.
    Alerts {
        /// The kind of document as which the text is read.
        #[serde(default)]
        reading: ReadAs,
    },
    /// The verdict of the gate, compared with a label that is a class: `PASS`, `REJECT`, …
    Verdict {},
    /// The detected type of the ticket, compared with a label that is a class.
    TicketType {},
    /// The score of the rubric, compared with a label that is a number.
    Score {
        /// The type of the ticket; detected if absent.
        #[serde(default)]
        ticket_type: Option<TicketType>,
    },
    /// Does the engine find the sentences of a bug report with the actual behaviour, the expected behaviour and the steps?
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
        /// The facet that the engine should not find in that case.
        facet: Facet,
        /// The rule whose precision is measured.
        #[serde(default)]
        rule: Option<RuleId>,
    },
    /// The role of each section in an issue whose headings were removed.
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
    /// Are the scenarios below a requirement found as criteria if their headings are removed?
    Scenarios {
        /// The field with the requirement.
        statement: String,
        /// The field with the list of scenarios, each an object of `text`.
        field: String,
    },
    /// Are the facets of a gold ticket found in the right place?
    Facets {},
    /// Do the rules have the findings that they must have, and none that they must not have (`findings` of a gold ticket)?
    Findings {},
    /// The labels of careful readers for a real ticket, compared with the gate. Rows with different labels are left out.
    RealTickets {
        /// The field with the list of readers, each an object.
        #[serde(default = "readers")]
        readers: String,
        /// The subject of the comparison.
        asks: Asks,
    },
    /// Did the author have to be asked back? A ticket without such a question should pass.
    AskedBack {
        /// The field with `yes` or `no`; rows with another value are left out.
        field: String,
    },
    /// Tickets that a team estimated and took in: all should pass.
    Estimated {},
    /// The findings of the critics in a PRD, or in one with a planted fault.
    Prd(PrdTask),
}

/// The subject of a comparison with the readers of a real ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// The verdict `ready` of the readers and of the gate.
    Ready,
    /// The verdict `triage` of the readers and of the gate.
    Triage,
    /// The kind of the ticket, which is not stated to the gate.
    Kind,
    /// At least two checkable statements; the kind is given.
    Criteria,
    /// Steps present or absent; the kind is given.
    Steps,
    /// Expected behaviour stated, implied or absent; the kind is given.
    Expected,
    /// Environment stated, not needed or absent; the kind is given.
    Environment,
}

fn readers() -> String {
    "readers".to_owned()
}

/// The kind as which a text is read.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReadAs {
    /// The genre of every sentence; detected if absent.
    pub genre: Option<Genre>,
    /// The kind of document.
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
    /// The measure to compute.
    #[garde(skip)]
    pub measure: Measure,
    /// The title in the table; the name of the measure if absent.
    #[garde(skip)]
    #[serde(default)]
    pub title: Option<String>,
    /// The class that it is limited to; all classes if absent.
    #[garde(skip)]
    #[serde(default)]
    pub class: Option<String>,
    /// For `detection-at`: the maximum share of false alarms.
    #[garde(range(min = 0.0, max = 1.0))]
    #[serde(default)]
    pub bound: Option<f64>,
    /// Only tickets that all readers called clear count.
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
    /// The value that must not be exceeded.
    #[garde(custom(is_finite))]
    #[serde(default)]
    pub at_most: Option<f64>,
    /// The best known figures of other tools or of people.
    #[garde(dive)]
    #[serde(default)]
    pub peers: Vec<Peer>,
}

/// The figure of another tool or of a person.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// The name of the tool or person.
    #[garde(length(min = 1))]
    pub name: String,
    /// The value of the figure.
    #[garde(custom(is_a_number))]
    pub value: f64,
    /// The differences in the measurement, if there are any: other data, another bound.
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

/// The reason why a suite cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the suite `{name}` cannot be read: {message}")]
pub struct SuiteError {
    /// The name of the file.
    pub name: String,
    /// The problem, with its place.
    pub message: String,
}

impl Suite {
    /// Reads a suite; `name` is used in errors.
    ///
    /// # Errors
    /// Fails if the text is not YAML, has another shape, or requests a measure that the task does not support.
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
