//! A question to a model, the criterion of a rubric that its evidence may lower, and the limit.
//!
//! The files are in `rubrics/questions/`, one per question, separate from the rubrics: a rubric and its hash are the
//! same with and without a model. They are read only when a model is asked.

use std::collections::BTreeMap;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rubric::is_version;
use super::rule::{Wording, Wordings};
use reqgate_base::hash::Hash;
use reqgate_base::model::{Category, Language, RuleCard, RuleId, Severity};
use reqgate_base::project::rule_page;

/// The prefix of the ids of question files. Ids of rules do not have it, so the source of a finding is clear.
pub const MODEL_PREFIX: &str = "model-";

/// A question file as written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct QuestionFile {
    /// Id of its findings; begins with `model-`.
    #[garde(custom(begins_with_prefix))]
    pub id: RuleId,
    /// Version of its content.
    #[garde(custom(is_version))]
    #[schemars(regex(pattern = r"^[0-9]+\.[0-9]+\.[0-9]+$"))]
    pub version: String,
    /// The category of its findings.
    #[garde(skip)]
    pub category: Category,
    /// The user wrote it and it replaces no shipped question.
    #[garde(skip)]
    #[serde(skip)]
    pub is_own: bool,
    /// The question that the model is asked, in English; at most 300 characters, because every ticket pays for it.
    #[garde(length(chars, min = 10, max = 300))]
    pub asks: String,
    /// The rubrics for which it is asked, and the effect of its answer on each.
    #[garde(length(min = 1), dive)]
    pub rubrics: BTreeMap<String, Bounds>,
    /// The wording of its findings. `{reason}` is the model's reason, `{quote}` the words of the text.
    #[garde(dive)]
    pub wording: Wordings,
}

/// The effect of an answer on the score of a rubric. It can never add points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// The criterion of the rubric that evidence lowers; without one a finding only warns.
    #[garde(skip)]
    pub lowers: Option<String>,
    /// Share of the points that the rules gave for that criterion which evidence may take, 0 to 1.
    #[garde(range(min = 0.0, max = 1.0))]
    pub bound: f64,
    /// The worst grade, with words of the text as evidence, rejects the ticket.
    #[garde(skip)]
    pub may_block: bool,
}

fn begins_with_prefix(id: &RuleId, _: &()) -> garde::Result {
    match id.as_str().starts_with(MODEL_PREFIX) {
        true => Ok(()),
        false => Err(garde::Error::new(format!("the id of a question begins with `{MODEL_PREFIX}`"))),
    }
}

/// A question to the model under one rubric.
#[derive(Debug, Clone)]
pub struct ModelQuestion {
    /// The question as written.
    pub file: QuestionFile,
    /// The effect of an answer under the rubric.
    pub bounds: Bounds,
}

/// The questions to the model under one rubric, ordered by id.
#[derive(Debug, Clone, Default)]
pub struct ModelQuestions {
    /// The questions to the model.
    pub questions: Vec<ModelQuestion>,
    /// First 16 hexadecimal digits of the SHA-256 over the hashes of their files.
    pub hash: String,
}

impl ModelQuestions {
    /// Picks the files that name a rubric.
    pub(super) fn new(files: &[(QuestionFile, String)], rubric: &str, usual: &str) -> Self {
        let mut hash = Hash::default();
        let mut questions = Vec::new();
        for (file, file_hash) in files {
            if let Some(bounds) = file.rubrics.get(rubric).or_else(|| file.rubrics.get(usual)) {
                hash = hash.and(file_hash);
                questions.push(ModelQuestion { bounds: bounds.clone(), file: file.clone() });
            }
        }
        Self { questions, hash: hash.short() }
    }

    /// The question with an id.
    pub fn get(&self, id: &str) -> Option<&ModelQuestion> {
        self.questions.iter().find(|question| question.file.id.as_str() == id)
    }
}

impl ModelQuestion {
    /// The wording in a language.
    pub fn wording(&self, language: Language) -> &Wording {
        self.file.wording.of(language)
    }
}

impl QuestionFile {
    /// The description of the question for people.
    pub fn card(&self) -> RuleCard {
        let words = &self.wording.en;
        RuleCard {
            id: self.id.clone(),
            category: self.category,
            severity: Severity::Warning,
            summary: words.summary.clone(),
            why: words.why.clone(),
            question: words.question.clone(),
            fix: words.fix.clone(),
            source: Some("a language model, where one is configured".to_owned()),
            bad_example: None,
            good_example: None,
            precision: None,
            page: (!self.is_own).then(|| rule_page(&self.id)),
        }
    }
}
