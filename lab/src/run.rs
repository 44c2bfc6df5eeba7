//! Runs a suite: reads the data, observes the engine on every row, computes figures and intervals.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::engine::Engine;
use super::measure::{self, Counts, Evidence, Measure, Scope};
use super::observation::{Critic, Observed, Run};
use super::result::Votes;
use super::result::{EVAL_SCHEMA, Estimate, Evaluation, Figure, Interval, Item, Measured, PeerFigure, Slice, State};
use super::rows::{self, Row, RowError, Text};
use super::statistics::{Random, bootstrap, wilson};
use super::suite::{Benchmark, Data, Goal, Others, Suite, Task};
use super::{tasks, verdicts};
use reqgate_base::model::RuleId;
use reqgate_gate::pipeline::Pipeline;

/// The seed of the random numbers, which is fixed so that runs can be compared.
pub const SEED: u64 = 20_261_122;

/// The maximum number of slices; a field with more values is left out.
const MOST_SLICES: usize = 24;

/// Returns true if a requested name is the id of a benchmark, or a prefix of it up to a hyphen.
pub fn is_named(id: &str, wanted: &str) -> bool {
    id.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Runs the benchmarks of a suite that `wanted` names (all if it is empty) on the data below `root`, each under its
/// policy.
///
/// `critic` reads PRDs for a task that needs a reader; without one, the recorded readings of the suite are used. `step`
/// is called with the title of each benchmark before it starts. Rows are judged on the current thread pool; the result
/// does not depend on its size.
pub fn evaluate(
    suite: &Suite,
    root: &Path,
    pipeline: &mut Pipeline,
    wanted: &[String],
    critic: Option<Critic<'_>>,
    mut step: impl FnMut(&str),
) -> Evaluation {
    let is_wanted =
        |benchmark: &&Benchmark| wanted.is_empty() || wanted.iter().any(|wanted| is_named(&benchmark.id, wanted));
    let benchmarks = suite.benchmarks.iter().filter(is_wanted).map(|benchmark| {
        step(&benchmark.title);
        let (policy, sure) = (pipeline.settings().policy.clone(), pipeline.settings().sure);
        if benchmark.policy.is_some() {
            pipeline.judge_under(benchmark.policy.clone(), sure);
        }
        let measured = measured(Engine { pipeline: &*pipeline }, benchmark, root, critic);
        pipeline.judge_under(policy, sure);
        measured
    });
    Evaluation {
        schema: EVAL_SCHEMA.to_owned(),
        reqgate: env!("CARGO_PKG_VERSION").to_owned(),
        suite: suite.name.clone(),
        seed: SEED,
        benchmarks: benchmarks.collect(),
    }
}

fn measured(engine: Engine<'_>, benchmark: &Benchmark, root: &Path, critic: Option<Critic<'_>>) -> Measured {
    let mut result = Measured {
        id: benchmark.id.clone(),
        title: benchmark.title.clone(),
        data: benchmark.data.path().display().to_string(),
        state: State::Measured,
        n: 0,
        figures: Vec::new(),
        classes: Vec::new(),
        counts: Vec::new(),
        rules: BTreeMap::new(),
        items: Vec::new(),
        reliability: Vec::new(),
        worst: Vec::new(),
    };
    if let Some(name) = benchmark.policy.as_deref().filter(|name| engine.pipeline.book.policy(name).is_none()) {
        result.state = State::Failed { message: format!("there is no policy `{name}`") };
        return result;
    }
    match observed(engine, benchmark, root, critic) {
        Ok((classes, observed)) => fill(&mut result, benchmark, classes, observed),
        Err(RowError::Absent(path)) => {
            let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            result.state = State::Absent { file };
        }
        Err(error) => {
            // The path of the folder is private and is removed from the message.
            let message = error.to_string().replace(&format!("{}/", root.display()), "");
            result.state = State::Failed { message };
        }
    }
    result
}

type Everything = (Vec<String>, Vec<Observed>);

fn observed(
    engine: Engine<'_>,
    benchmark: &Benchmark,
    root: &Path,
    critic: Option<Critic<'_>>,
) -> Result<Everything, RowError> {
    let rows = rows::rows(root, &benchmark.data, &benchmark.filter)?;
    let others =
        tasks::others(&benchmark.task).map(|others| read_others(root, others)).transpose()?.unwrap_or_default();
    let classes = tasks::classes(benchmark, &rows);
    let run = Run { engine, benchmark, classes: &classes, others: &others, seed: SEED, root, critic };
    let observe = |row: &Row| {
        run.observe(row).map_err(|message| RowError::Broken {
            path: root.join(benchmark.data.path()),
            place: format!("row `{}`", row.id),
            message,
        })
    };
    let mut observed: Vec<Observed> = rows.par_iter().map(observe).collect::<Result<_, _>>()?;
    let numbered: Vec<(usize, &Text)> = others.iter().enumerate().collect();
    let alarms: Vec<Item> = numbered.par_iter().filter_map(|(index, text)| run.observe_other(*index, text)).collect();
    observed.push(Observed { items: alarms, votes: Vec::new() });
    Ok((classes, observed))
}

fn read_others(root: &Path, others: &Others) -> Result<Vec<Text>, RowError> {
    let data = Data::File(others.file.clone());
    let text = |row: Row| {
        row.input(&others.input).map_err(|message| RowError::Broken {
            path: root.join(&others.file),
            place: format!("row `{}`", row.id),
            message,
        })
    };
    rows::rows(root, &data, &BTreeMap::new())?.into_iter().map(text).collect()
}

fn fill(result: &mut Measured, benchmark: &Benchmark, classes: Vec<String>, observed: Vec<Observed>) {
    let mut votes: BTreeMap<RuleId, Votes> = BTreeMap::new();
    for (rule, is_right) in observed.iter().flat_map(|observed| &observed.votes) {
        let votes = votes.entry(rule.clone()).or_default();
        if *is_right { votes.right += 1 } else { votes.wrong += 1 }
    }
    let items: Vec<Item> = observed.into_iter().flat_map(|observed| observed.items).collect();
    let counts = measure::by_class(classes.len(), items.iter().map(|item| &item.evidence));
    let is_counted = counts.iter().any(|counts| *counts != Counts::default());
    // A class without a labelled item, for example one that only the engine knows, stays in the list.
    result.n = items.len() as u64;
    result.classes = if is_counted { classes } else { Vec::new() };
    result.counts = if is_counted { counts } else { Vec::new() };
    result.rules = votes;
    let figures = benchmark.measures.iter().map(|goal| figure(benchmark, goal, result, &items));
    result.figures = figures.collect();
    result.reliability = verdicts::reliability(&items);
    result.worst = verdicts::worst(&items);
    result.items = items;
}

/// The parameters of a measure; classes by their indexes.
pub(crate) fn scope(goal: &Goal, classes: &[String]) -> Scope {
    let index = |name: &String| classes.iter().position(|class| class == name);
    Scope {
        classes: classes.len(),
        // For an unknown class no item counts, rather than all.
        class: goal.class.as_ref().map(|name| index(name).unwrap_or(usize::MAX)),
        bound: goal.bound.unwrap_or(0.0),
        clear: goal.clear,
        of: goal.of.iter().filter_map(index).collect(),
        given: goal.given.iter().filter_map(index).collect(),
    }
}

fn figure(benchmark: &Benchmark, goal: &Goal, measured: &Measured, items: &[Item]) -> Figure {
    let scope = scope(goal, &measured.classes);
    let evidence: Vec<&Evidence> = items.iter().map(|item| &item.evidence).collect();
    let result = estimate(goal.measure, &scope, &evidence, &benchmark.id);
    let met = result.value.and_then(|value| match (goal.at_least, goal.at_most) {
        (Some(least), _) => Some(value >= least),
        (_, Some(most)) => Some(value <= most),
        _ => None,
    });
    Figure {
        measure: goal.measure,
        title: goal.title.clone().unwrap_or_else(|| default_title(goal)),
        class: goal.class.clone(),
        result,
        at_least: goal.at_least,
        at_most: goal.at_most,
        met,
        peers: goal.peers.iter().map(PeerFigure::from).collect(),
        slices: slices(benchmark, goal.measure, &scope, items),
    }
}

fn default_title(goal: &Goal) -> String {
    match &goal.class {
        Some(class) => format!("{} {class}", goal.measure.name()),
        None => goal.measure.name().to_owned(),
    }
}

fn slices(benchmark: &Benchmark, measure: Measure, scope: &Scope, items: &[Item]) -> Vec<Slice> {
    let mut fields = benchmark.slices.clone();
    if matches!(benchmark.task, Task::Inserted { .. }) {
        fields.push("place".to_owned());
    }
    let mut slices = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let mut parts: BTreeMap<&str, Vec<&Evidence>> = BTreeMap::new();
        for item in items {
            // Texts next to the rows belong to no slice of the fields.
            if let Some(value) = item.slices.get(at) {
                parts.entry(value).or_default().push(&item.evidence);
            }
        }
        if measure == Measure::DetectionAt {
            let others: Vec<&Evidence> =
                items.iter().filter(|item| item.slices.is_empty()).map(|item| &item.evidence).collect();
            parts.values_mut().for_each(|part| part.extend(&others));
        }
        if parts.len() > MOST_SLICES {
            continue;
        }
        slices.extend(parts.into_iter().map(|(value, part)| Slice {
            field: field.clone(),
            value: value.to_owned(),
            result: estimate(measure, scope, &part, &benchmark.id),
        }));
    }
    slices
}

/// The value of a measure with its interval.
pub(crate) fn estimate(measure: Measure, scope: &Scope, items: &[&Evidence], purpose: &str) -> Estimate {
    let all = || items.iter().copied();
    if measure.is_share() {
        let (hits, n) = measure::shares(measure, scope, all()).unwrap_or_default();
        let value = (n > 0).then(|| hits as f64 / n as f64);
        let interval = value.map(|_| wilson(hits, n));
        return Estimate {
            value,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            interval: Interval::Wilson,
            n,
            hits: Some(hits),
        };
    }
    let value = measure::value(measure, scope, all());
    let random = Random::new(SEED, purpose);
    let resampled = |picks: &[usize]| measure::value(measure, scope, picks.iter().map(|at| items[*at]));
    let interval = value.and_then(|_| bootstrap(items.len(), random, resampled));
    Estimate {
        value,
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        interval: Interval::Bootstrap,
        n: measure::looked_at(measure, scope, all()) as u64,
        hits: None,
    }
}

/// The benchmarks for a folder of gold tickets.
///
/// # Errors
/// Fails only if the built-in suite is not valid; a test reads it.
pub fn folder_suite(name: &str) -> Result<Suite, super::suite::SuiteError> {
    let mut suite = Suite::parse("folder.yaml", include_str!("folder.yaml"))?;
    suite.name = name.to_owned();
    Ok(suite)
}
