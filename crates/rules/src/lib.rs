//! Loads, checks and compiles the definition of quality: rules, rubrics, vocabulary and headings, both shipped and the
//! user's own.
//!
//! All of it is data under `rubrics/`. The shipped copy is in the binary; a user's folder adds to it or replaces parts by id.

mod calibration;
pub mod config;
pub mod dispute;
mod expression;
mod facet;
mod folder;
mod load;
mod policy;
mod precision;
pub mod prompts;
mod question;
mod rubric;
mod rule;
mod source_file;
mod validate;

pub use calibration::{ByReadiness, CountedReading, DEGREES, EvidenceBounds, ModelCalibration};
pub use expression::Expression;
#[cfg(any(test, feature = "counted"))]
pub use expression::compiled_so_far;
pub use facet::{FacetExamples, FacetFile, FacetModel, Measure, Place, Seen, SignFile};
pub use folder::user_files;
pub use load::{load, shipped_files, shipped_files_for_judging};
pub use policy::{
    ByReadings, DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Decides, Policy, PolicyExample, PolicyExamples, PolicyFile,
    Readiness, Rejects,
};
pub use precision::{PrecisionFile, Tally};
pub use question::{Bounds, MODEL_PREFIX, ModelQuestion, ModelQuestions, QuestionFile};
pub use rubric::{
    Deductions, Dimension, Evidence, Facet, Profile, ProseExpression, Rubric, RubricCriterion, RubricFile,
    RubricPenalties,
};
pub use rule::{Detect, Example, Examples, Exemption, PatternRule, Rule, RuleFile, Wording, Wordings};
pub use source_file::{LoadError, Source, SourceFile};

use std::borrow::Cow;
use std::collections::BTreeMap;

use reqgate_base::model::RuleId;
use reqgate_text::headings::HeadingTerms;
use reqgate_text::{Headings, Reader, TermList, Vocabulary, lexicon::LexiconError};

/// All loaded rules and other data, in a fixed order.
#[derive(Debug)]
pub struct RuleBook {
    /// The rules, ordered by id.
    pub rules: Vec<Rule>,
    /// The rubrics, ordered by id.
    pub rubrics: Vec<Rubric>,
    /// The policies, ordered by id.
    pub policies: Vec<Policy>,
    /// The facets and their signs, ordered by id.
    pub facets: Vec<FacetModel>,
    /// Reads texts with the vocabulary and with every term list of the rules.
    pub reader: Reader,
    /// The numbers of right and wrong findings on the labels of the user's folders, by rule and origin; the shipped
    /// figures are separate.
    pub own_precision: BTreeMap<RuleId, BTreeMap<String, Tally>>,
    /// The calibrations for the readings of models, ordered by id.
    pub calibrations: Vec<ModelCalibration>,
    /// The files with questions to a model. They are parsed on demand, because most runs ask no model.
    question_files: Vec<SourceFile>,
}

impl RuleBook {
    fn new(
        mut rules: Vec<RuleFile>,
        mut rubrics: Vec<Rubric>,
        mut policies: Vec<Policy>,
        facets: Vec<FacetFile>,
        vocabulary: &Vocabulary,
        headings: &[HeadingTerms],
        question_files: Vec<SourceFile>,
    ) -> Result<Self, LexiconError> {
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        rubrics.sort_by(|a, b| a.file.id.cmp(&b.file.id));
        let mut lists: Vec<Cow<'_, TermList>> = Vec::new();
        let mut ids = Vec::with_capacity(rules.len());
        for file in &rules {
            let mut add = |terms| {
                lists.push(terms);
                Reader::list(lists.len() - 1)
            };
            let list = file.detect.terms().map(|terms| add(Cow::Borrowed(terms)));
            let near: Vec<_> = file.detect.near().map(|terms| add(Cow::Owned(terms))).collect();
            ids.push((list, near));
        }
        let facets = facets.into_iter().map(|file| compiled(file, &mut lists)).collect();
        policies.sort_by(|a, b| a.file.id.cmp(&b.file.id));
        let reader = Reader::new(vocabulary, Headings::new(headings), lists.iter().map(Cow::as_ref))?;
        drop(lists);
        let rules = rules.into_iter().zip(ids).map(|(file, (list, near))| Rule::new(file, list, near)).collect();
        let own_precision = BTreeMap::new();
        let calibrations = Vec::new();
        Ok(Self { rules, rubrics, policies, facets, reader, own_precision, calibrations, question_files })
    }

    /// The questions to a model, ordered by id; a user's file replaces a shipped one with the same id.
    ///
    /// # Errors
    /// Fails if a file is broken; those of the user were checked when they were loaded.
    pub fn question_files(&self) -> Result<Vec<QuestionFile>, LoadError> {
        Ok(load::questions(&self.question_files)?.into_iter().map(|(file, _)| file).collect())
    }

    /// The questions to a model under a rubric. If a file does not name the rubric, its bounds for the rubric of the
    /// same kind of document apply.
    ///
    /// # Errors
    /// Fails if a file is broken.
    pub fn model_questions(&self, rubric: &str) -> Result<ModelQuestions, LoadError> {
        let kind = self.rubric(rubric).and_then(|rubric| self.rubric_for(rubric.file.profile));
        let usual = kind.map_or(rubric, |kind| kind.file.id.as_str());
        Ok(ModelQuestions::new(&load::questions(&self.question_files)?, rubric, usual))
    }

    /// The rule with an id.
    pub fn rule(&self, id: &RuleId) -> Option<&Rule> {
        self.rules.binary_search_by(|rule| rule.file.id.cmp(id)).ok().map(|at| &self.rules[at])
    }

    /// The numbers of right and wrong findings of a rule, by the origin of the labels: the shipped figures, then those
    /// of the user's folders.
    pub fn precision_of(&self, id: &RuleId) -> Vec<(String, Tally)> {
        let own = self.own_precision.get(id).into_iter().flatten().map(|(origin, tally)| (origin.clone(), *tally));
        precision::shipped(id).map(|(origin, tally)| (origin.to_owned(), tally)).chain(own).collect()
    }

    /// The calibration for the readings of a model; `None` only in a book without the shipped file, which applies to every model.
    pub fn calibration(&self, model: &str) -> Option<&ModelCalibration> {
        let fitting = self.calibrations.iter().filter_map(|own| Some((own.fits(model)?, own)));
        fitting.max_by_key(|(length, _)| *length).map(|(_, own)| own)
    }

    /// The policies under which a blocker does not block, because their `blocks` does not name it.
    pub fn policies_that_only_ask<'b>(&'b self, rule: &'b RuleFile) -> impl Iterator<Item = &'b str> {
        let is_blocker = rule.severity == reqgate_base::model::Severity::Blocker;
        let runs = |policy: &Policy| !rule.only_by_name || policy.file.adds.contains(&rule.id);
        let asks = move |policy: &&Policy| is_blocker && runs(policy) && !policy.may_block(&rule.id);
        self.policies.iter().filter(asks).map(|policy| policy.file.id.as_str())
    }

    /// The policy with an id.
    pub fn policy(&self, id: &str) -> Option<&Policy> {
        self.policies.iter().find(|policy| policy.file.id == id)
    }

    /// The rubric with an id.
    pub fn rubric(&self, id: &str) -> Option<&Rubric> {
        self.rubrics.iter().find(|rubric| rubric.file.id == id)
    }

    /// The rubric for a profile; the first by id if several exist.
    pub fn rubric_for(&self, profile: Profile) -> Option<&Rubric> {
        self.rubrics.iter().find(|rubric| rubric.file.profile == profile && !rubric.file.only_by_name)
    }
}

/// Makes a facet and adds the word lists of its signs to those of the run.
fn compiled(file: FacetFile, lists: &mut Vec<Cow<'_, TermList>>) -> FacetModel {
    let mut add = |list: &TermList| {
        lists.push(Cow::Owned(list.clone()));
        Reader::list(lists.len() - 1)
    };
    let ids = file.signs.iter().map(|sign| match &sign.seen {
        Seen::Terms { list, .. } => Some(add(list)),
        Seen::Measure(_) | Seen::Cue { .. } => None,
    });
    let lists = ids.collect();
    FacetModel { file, lists }
}
