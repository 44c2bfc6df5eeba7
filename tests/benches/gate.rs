//! Measures the parts of the gate: cold parts, one ticket, guardrail, every report, batches on one core and two.
//!
//! The texts are invented. With `REQGATE_BENCH_DATA=FOLDER`, every `.jsonl` file of saved issues in the folder is
//! judged too.

#![allow(unreachable_pub, reason = "several test programs share files")]

#[path = "../texts/mod.rs"]
mod texts;
mod words;

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::model::{Outcome, RuleCard, SourceType};
use reqgate::pipeline::Pipeline;
use reqgate::report::{Format, ReportOptions, Summary, reporter};
use reqgate::rules::{self, Profile};
use reqgate::stages::intake::{RawInput, read_bytes};
use reqgate::stages::structuring;

use texts::{pipelines, tickets};

/// The number of inputs in a batch: large enough that the start of threads is negligible.
const BATCH: usize = 1_000;

fn cold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cold");
    group.bench_function("load the rules", |bencher| bencher.iter(|| black_box(rules::load(&rules::shipped_files()))));
    let settings = GuardrailSettings::default();
    group.bench_function("build the guardrail", |bencher| bencher.iter(|| black_box(pipelines::guardrail(&settings))));
    group.bench_function("build the pipeline and judge one ticket", |bencher| {
        bencher.iter(|| black_box(pipelines::shipped().run(pipelines::input(tickets::LONG_FEATURE))));
    });
    group.finish();
}

fn one_ticket(criterion: &mut Criterion) {
    let pipeline = pipelines::shipped();
    let text = tickets::LONG_FEATURE;
    let mut group = criterion.benchmark_group("one ticket of 2 kB");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("intake", |bencher| bencher.iter(|| black_box(read_bytes("a.md", text.as_bytes()))));
    let reader = &pipeline.book.reader;
    group.bench_function("read", |bencher| bencher.iter(|| black_box(reader.read(text, None))));
    let guardrail = pipelines::guardrail(&GuardrailSettings::default());
    group.bench_function("guardrail", |bencher| {
        bencher.iter(|| black_box(guardrail.screen(text, &[], SourceType::GitHubIssue)));
    });
    let reading = reader.read(text, None);
    group.bench_function("structure", |bencher| {
        bencher.iter(|| black_box(structuring::structure(text, &reading, Profile::Feature)));
    });
    group.bench_function("whole", |bencher| {
        bencher.iter_batched(|| pipelines::input(text), |input| black_box(pipeline.run(input)), BatchSize::SmallInput);
    });
    group.finish();
}

fn guardrail(criterion: &mut Criterion) {
    let guardrail = pipelines::guardrail(&GuardrailSettings::default());
    let mut group = criterion.benchmark_group("guardrail on 10,000 characters");
    for (name, text) in
        [("clean", tickets::LONG_FEATURE), ("Chinese", tickets::CHINESE_FEATURE), ("hostile", tickets::HOSTILE_TICKET)]
    {
        let long: String = text.chars().cycle().take(10_000).collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(guardrail.screen(&long, &[], SourceType::PlainText)));
        });
    }
    group.finish();
}

fn reports(criterion: &mut Criterion) {
    let pipeline = pipelines::shipped();
    let cards: Vec<RuleCard> = pipeline.book.rules.iter().map(rules::Rule::card).collect();
    let outcome = pipeline.run(pipelines::input(tickets::VAGUE_FEATURE)).expect("it can be judged");
    let mut group = criterion.benchmark_group("report");
    for format in Format::ALL {
        group.bench_function(format.name(), |bencher| bencher.iter(|| report(format, &cards, &outcome)));
    }
    group.finish();
}

fn report(format: Format, cards: &[RuleCard], outcome: &Outcome) {
    let sink = Box::new(std::io::sink());
    let mut reporter = reporter(format, cards, ReportOptions::default(), sink).expect("a sink takes everything");
    reporter.outcome(black_box(outcome)).expect("a sink takes everything");
    let mut summary = Summary::default();
    summary.add(outcome);
    reporter.finish(&summary).expect("a sink takes everything");
}

fn batches(criterion: &mut Criterion) {
    let pipeline = pipelines::shipped();
    let kinds = tickets::FILES.iter().flat_map(|(name, text)| read_bytes(name, text.as_bytes())).flatten();
    let kinds: Vec<RawInput> = kinds.collect();
    let invented: Vec<RawInput> = kinds.iter().cycle().take(BATCH).cloned().collect();
    batch(criterion, &pipeline, "1,000 invented tickets", &invented);
    match std::env::var_os("REQGATE_BENCH_DATA").map(PathBuf::from) {
        None => println!("REQGATE_BENCH_DATA is not set: no saved issues are judged"),
        Some(folder) => {
            let files = saved_issues(&folder);
            if files.is_empty() {
                println!("{}: no .jsonl file, so no saved issues are judged", folder.display());
            }
            for (name, inputs) in files {
                batch(criterion, &pipeline, &format!("{name} ({} inputs)", inputs.len()), &inputs);
            }
        }
    }
}

/// The issues in each `.jsonl` file of a folder; empty for a folder that cannot be read.
fn saved_issues(folder: &Path) -> Vec<(String, Vec<RawInput>)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).ok()?;
        Some((name.clone(), read_bytes(&name, &bytes).into_iter().flatten().collect()))
    };
    paths.into_iter().filter_map(read).collect()
}

fn batch(criterion: &mut Criterion, pipeline: &Pipeline, name: &str, inputs: &[RawInput]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.throughput(Throughput::Elements(inputs.len() as u64));
    let floor = words::automaton();
    group.bench_function("floor: bare search for the same words on one core", |bencher| {
        bencher.iter(|| inputs.iter().map(|input| floor.find_overlapping_iter(&input.text).count()).sum::<usize>());
    });
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let cores = if threads == 1 { "one core" } else { "two cores" };
        group.bench_function(cores, |bencher| {
            bencher.iter_batched(
                || inputs.to_vec(),
                |inputs| {
                    pool.install(|| inputs.into_par_iter().filter(|input| pipeline.run(input.clone()).is_ok()).count())
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, cold, one_ticket, guardrail, reports, batches);
criterion_main!(benches);
