//! Measures the overhead of asking a model: a ticket judged by rules, with a model that answers at once over HTTP on
//! this machine, and with its answer from the cache. There is one request per ticket; the difference to the first line
//! is the overhead.

#![allow(unreachable_pub, reason = "several test programs share files")]

#[path = "../integration/model/server.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod server;
#[path = "../texts/mod.rs"]
mod texts;

use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::llm::{ApiKey, Model, ModelSettings};
use reqgate::model::{Outcome, Verdict};
use reqgate::orders::Orders;
use reqgate::pipeline::Pipeline;
use reqgate::prompts::Prompts;
use reqgate::review::ModelReviewer;
use server::{Behaviour, Server};
use texts::pipelines;

const TICKET: &str = "\
# Make the dashboard faster

As a manager I want the dashboard to load faster so that I lose less time in the morning meeting.

## Acceptance criteria

- The dashboard loads faster than today.
- The format of the figures is TBD.
";

const READING: &str = r#"{"kind": "feature", "evidence": [], "ready": 1, "questions": [{"code": "done", "must": true,
    "quote": "The dashboard loads faster than today.", "ask": "Within how many seconds must the dashboard load?"}]}"#;

fn pipeline(url: &str, cache: Option<&Path>) -> Pipeline {
    let mut settings = ModelSettings::new("openai/small".parse().expect("it is a name"));
    settings.base_url = Some(url.to_owned());
    settings.api_key = Some(ApiKey::new("none").expect("it is a key"));
    settings.cache = cache.map(Path::to_path_buf);
    let model = Model::new(settings).expect("the settings are whole");
    let prompts = Prompts::shipped().expect("the shipped prompts are whole");
    let screen = pipelines::guardrail(&GuardrailSettings::default());
    pipelines::shipped().with_reviewer(ModelReviewer::new(
        model,
        prompts,
        Orders::shipped().expect("the shipped orders are valid"),
        screen,
    ))
}

fn judged(pipeline: &Pipeline) -> Outcome {
    let outcome = pipeline.run(pipelines::input(TICKET)).expect("it can be judged");
    assert_eq!(outcome.decision.verdict, Verdict::Reject);
    outcome
}

fn questions(outcome: &Outcome) -> (usize, bool) {
    let model = outcome.model.as_ref().expect("a model was asked");
    assert_eq!(model.failure(), None);
    (model.steps.iter().filter(|step| step.attempts > 0).count(), model.usage().input_tokens == 0)
}

fn model(criterion: &mut Criterion) {
    let says = |text: &str| Behaviour::Says(text.to_owned());
    let server = Server::new([("read_ticket_v1", says(READING))]);
    let folder = tempfile::tempdir().expect("a folder");
    let rules = pipelines::shipped();
    let live = pipeline(&server.url, None);
    let kept = pipeline(&server.url, Some(folder.path()));
    assert_eq!(questions(&judged(&live)).0, 1);
    judged(&kept);
    assert_eq!(questions(&judged(&kept)), (1, true), "the second time nothing is asked");

    let mut group = criterion.benchmark_group("a ticket, one request");
    for (name, pipeline) in
        [("by rules", &rules), ("model over HTTP, no thinking", &live), ("model from the cache", &kept)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || pipelines::input(TICKET),
                |input| black_box(pipeline.run(input)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, model);
criterion_main!(benches);
