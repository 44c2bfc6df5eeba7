//! Test support: the shipped rules and a fake GitHub.

use super::conclusion::Kept;
use super::event::Trigger;
use super::forms::Form;
use super::issue::{IssueFlow, Judged, Request};
use super::options::Options;
use super::skip::Skip;
use reqgate_base::model::Outcome;
use reqgate_gate::pipeline::{Pipeline, Settings, Stated};
use reqgate_gate::stages::intake::RawInput;
use reqgate_guardrail::Guardrail;
use reqgate_net::github::stand_in::StandIn;
use reqgate_rules as rules;
use reqgate_rules::config::ValidConfig;
use reqgate_rules::config::guardrail::GuardrailPatterns;

/// A pipeline with the shipped rules.
pub(crate) fn pipeline() -> Pipeline {
    let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load");
    let config = ValidConfig::defaults();
    let patterns = GuardrailPatterns::shipped().expect("the shipped patterns load");
    let guardrail = Guardrail::new(&config.guardrail.value, &patterns).expect("the guardrail is built");
    let settings = Settings::from_config(&config, Stated::default(), "2026-11-22").expect("the defaults are valid");
    Pipeline::new(book, guardrail, settings)
}

/// Judges an issue with the default settings.
pub(crate) fn judged(title: &str, body: &str) -> Outcome {
    pipeline().run(RawInput::github_issue("github:octo/shop#7", title, body, &[])).expect("it can be judged")
}

/// The results of a run.
pub(crate) struct Run {
    pub(crate) judged: Result<Judged, Skip>,
    pub(crate) kept: Kept,
    /// `METHOD path` of the requests of this run.
    pub(crate) requests: Vec<String>,
}

/// Runs once for issue 7 of the fake.
pub(crate) fn serve(github: &StandIn, request: &Request, options: &Options) -> Run {
    with_forms(github, request, options, &[])
}

/// Runs once in a repository with issue forms.
pub(crate) fn with_forms(github: &StandIn, request: &Request, options: &Options, forms: &[Form]) -> Run {
    with_pipeline(github, request, options, forms, pipeline())
}

/// Serves an edit with the default inputs, judged under a policy.
pub(crate) fn edited_under(github: &StandIn, policy: &str) -> Run {
    let mut pipeline = pipeline();
    pipeline.judge_under(Some(policy.to_owned()), None);
    let options = Options::read(|_| None).expect("the defaults are valid");
    with_pipeline(github, &Request::Trigger(Trigger::Text), &options, &[], pipeline)
}

fn with_pipeline(
    github: &StandIn,
    request: &Request,
    options: &Options,
    forms: &[Form],
    mut pipeline: Pipeline,
) -> Run {
    let client = github.client();
    let repository = "octo/shop".parse().expect("a repository");
    let seen = github.lines().len();
    let flow = IssueFlow { client: &client, repository: &repository, options, forms, today: "2026-11-22" };
    let mut judged = flow.judge(&mut pipeline, 7, request).expect("GitHub answers");
    let kept = judged.as_mut().map(|judged| flow.keep(judged)).unwrap_or_default();
    Run { judged, kept, requests: github.lines().split_off(seen) }
}

/// Serves an edit with the default inputs.
pub(crate) fn edited(github: &StandIn) -> Run {
    serve(github, &Request::Trigger(Trigger::Text), &Options::read(|_| None).expect("the defaults are valid"))
}
