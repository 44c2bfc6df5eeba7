//! The results of a model, on their way from the job that may ask it to the job that may write to the repository.
//!
//! A plan is a cache and not an authority: a result is used only for the exact call it was made for, and is checked there like
//! untrusted input.

use std::cell::RefCell;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use reqgate_flow::{Executor, Order, Performed, Problem, hash};
use reqgate_gate::pipeline::Pipeline;
use reqgate_net::llm::ModelName;
use reqgate_prd::workflow::{Author, DraftSettings, ModelAuthors, PrdCall, PrdExecutor, Writer, masked};

/// The format of plans.
const FORMAT: &str = "reqgate/github-prd-plan/v1";
/// The most results of a plan.
const MOST_RESULTS: usize = 500;
/// The size of the rest of a plan, in bytes.
const FRAME: u64 = 4 * 1024;

/// The results of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the format: `reqgate/github-prd-plan/v1`.
    format: String,
    model: String,
    results: Vec<Planned>,
    /// The size of the results as they will be written.
    #[serde(skip)]
    bytes: u64,
}

/// The result of one attempt at one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Planned {
    /// The hash of the call.
    request: String,
    /// Which attempt, from 1.
    attempt: u32,
    /// The result, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// The reason for a missing result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// A plan that cannot be used.
#[derive(Debug, Error)]
pub enum PlanError {
    /// It is not a plan.
    #[error("the plan cannot be read: {0}")]
    Unreadable(String),
    /// It has another format.
    #[error("the format of the plan is not `{FORMAT}`: use the same version of reqgate in both jobs")]
    Format,
    /// It is too long.
    #[error("the plan has more than {MOST_RESULTS} results")]
    TooLong,
}

impl Plan {
    /// The largest plan that is read, in bytes.
    pub const LARGEST: u64 = 8 * 1024 * 1024;

    /// A plan without results, of this model.
    pub fn of(model: &str) -> Self {
        Self { format: FORMAT.to_owned(), model: model.to_owned(), results: Vec::new(), bytes: FRAME }
    }

    /// Adds a result; false if a plan with it could not be read any more.
    fn keeps(&mut self, result: Planned) -> bool {
        let size = serde_json::to_vec(&result).map_or(u64::MAX, |json| json.len() as u64 + 1);
        let fits = self.results.len() < MOST_RESULTS && self.bytes.saturating_add(size) <= Self::LARGEST;
        if fits {
            self.bytes += size;
            self.results.push(result);
        }
        fits
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// Fails if it is not a plan of this version.
    pub fn read(json: &str) -> Result<Self, PlanError> {
        // The error may quote the plan, which is untrusted.
        let plan: Self = serde_json::from_str(json)
            .map_err(|error| PlanError::Unreadable(format!("{:?} error at line {}", error.classify(), error.line())))?;
        if plan.format != FORMAT || plan.model.parse::<ModelName>().is_err() {
            return Err(PlanError::Format);
        }
        if plan.results.len() > MOST_RESULTS { Err(PlanError::TooLong) } else { Ok(plan) }
    }

    /// The number of results.
    pub fn result_count(&self) -> usize {
        self.results.len()
    }

    fn find(&self, request: &str, attempt: u32) -> Option<&Planned> {
        self.results.iter().find(|one| one.request == request && one.attempt == attempt)
    }
}

/// The source of the drafts.
pub enum Writing<'a> {
    /// Rules collect the parts that the issue labels, and people write the rest.
    Rules,
    /// A model, whose results are recorded.
    Recording(&'a ModelAuthors, &'a RefCell<Plan>),
    /// A model that was asked before.
    Planned(&'a Plan),
}

impl Writing<'_> {
    /// The author as a thread records it.
    pub(super) fn drafts(&self) -> DraftSettings {
        let model = match self {
            Self::Rules => return DraftSettings::default(),
            Self::Recording(_, plan) => plan.borrow().model.clone(),
            Self::Planned(plan) => plan.model.clone(),
        };
        DraftSettings { author: Writer::Model, model: Some(model), ..DraftSettings::default() }
    }
}

/// Carries out the calls of a thread on GitHub.
pub(super) struct GithubExecutor<'a> {
    inner: PrdExecutor<'a>,
    writing: &'a Writing<'a>,
}

impl<'a> GithubExecutor<'a> {
    /// An executor on the documents in `root`.
    pub(super) fn new(
        root: &Path,
        pipeline: &'a Pipeline,
        writing: &'a Writing<'a>,
        today: String,
        owner: String,
    ) -> Self {
        let author = match writing {
            Writing::Rules => Author::Rules,
            Writing::Recording(models, _) => Author::Model(models),
            // Results that are not in the plan wait for the next one.
            Writing::Planned(_) => Author::Agent,
        };
        let inner = PrdExecutor { root: root.to_owned(), pipeline, author, today, owner, search: None };
        Self { inner, writing }
    }
}

impl Executor<PrdCall> for GithubExecutor<'_> {
    fn perform(&mut self, call: &PrdCall, order: &Order) -> Performed {
        if !matches!(call, PrdCall::Draft(_)) {
            return self.inner.perform(call, order);
        }
        let request = hash(&serde_json::to_vec(call).unwrap_or_default());
        let attempt = order.id.attempt;
        match self.writing {
            Writing::Rules => self.inner.perform(call, order),
            // Results that do not fit wait for the next plan.
            Writing::Recording(_, plan) if plan.borrow().results.len() >= MOST_RESULTS => Performed::HandedOut,
            Writing::Recording(_, plan) => {
                // Masked as in the plan, so that both jobs continue with the same words.
                let performed = match self.inner.perform(call, order) {
                    Performed::Done { result, usage } => {
                        Performed::Done { result: masked(result, self.inner.pipeline), usage }
                    }
                    Performed::Failed(reason) => Performed::Failed(self.inner.pipeline.masked(&reason)),
                    Performed::Faulty(problems) => Performed::Faulty(
                        problems.iter().map(|one| Problem::whole(self.inner.pipeline.masked(&one.message))).collect(),
                    ),
                    Performed::HandedOut => Performed::HandedOut,
                };
                let (result, failed) = match &performed {
                    Performed::Done { result, .. } => (Some(result.clone()), None),
                    Performed::Failed(reason) => (None, Some(reason.clone())),
                    // The job that uses the plan asks no model, so that the reason is enough.
                    Performed::Faulty(problems) => {
                        let faults: Vec<&str> = problems.iter().map(|one| one.message.as_str()).collect();
                        (None, Some(faults.join("; ")))
                    }
                    Performed::HandedOut => return performed,
                };
                let is_kept = plan.borrow_mut().keeps(Planned { request, attempt, result, failed });
                if is_kept { performed } else { Performed::HandedOut }
            }
            Writing::Planned(plan) => match plan.find(&request, attempt) {
                Some(Planned { result: Some(result), .. }) => {
                    Performed::Done { result: masked(result.clone(), self.inner.pipeline), usage: Value::Null }
                }
                Some(Planned { failed: Some(reason), .. }) => Performed::Failed(self.inner.pipeline.masked(reason)),
                _ => self.inner.perform(call, order),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_back_and_another_file_is_not() {
        let mut plan = Plan::of("openai/gpt");
        assert!(plan.keeps(Planned { request: "a".into(), attempt: 1, result: Some(Value::Null), failed: None }));
        assert!(plan.keeps(Planned { request: "a".into(), attempt: 2, result: None, failed: Some("no".into()) }));
        let json = serde_json::to_string(&plan).unwrap();
        let read = Plan::read(&json).unwrap();
        assert_eq!(read.find("a", 2), plan.find("a", 2));
        assert!(read.find("a", 3).is_none() && read.find("b", 1).is_none());
        for bad in ["", "{}", "[]", &json.replace("v1", "v2"), &json.replace("openai/gpt", "x; rm -rf")] {
            let error = Plan::read(bad).expect_err(bad).to_string();
            assert!(!error.contains("rm -rf"), "{error}");
        }
        // No more is kept than is read.
        let mut full = plan.clone();
        while full.keeps(plan.results[0].clone()) {}
        assert_eq!(full.result_count(), MOST_RESULTS);
        assert!(Plan::read(&serde_json::to_string(&full).unwrap()).is_ok());
        let mut large = plan.clone();
        let result = Some(Value::from("x".repeat(1024 * 1024)));
        let result = Planned { request: "a".into(), attempt: 3, result, failed: None };
        while large.keeps(result.clone()) {}
        assert_eq!(large.result_count(), 2 + 7);
        assert!((serde_json::to_vec(&large).unwrap().len() as u64) < Plan::LARGEST);
        let long = Plan { results: vec![plan.results[0].clone(); MOST_RESULTS + 1], ..plan };
        assert!(matches!(Plan::read(&serde_json::to_string(&long).unwrap()), Err(PlanError::TooLong)));
    }
}
