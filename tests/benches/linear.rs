//! Measures whether time is linear in the size of the text: ten times each hostile text may take at most twelve times
//! as long.
//!
//! `cargo bench --bench linear [-- WORDS IN A NAME]` prints the worst ratios per part of the pipeline and exits with
//! status 1 if one is above the bound. Such a ratio is first measured again on texts ten times as large.

#![allow(unreachable_pub, reason = "several test programs share files")]

#[path = "../texts/mod.rs"]
mod texts;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use reqgate::model::{Outcome, RuleCard, SourceType};
use reqgate::pipeline::Pipeline;
use reqgate::report::{Detail, Format, ReportOptions, Summary, reporter};
use reqgate::stages::guardrail::Guardrail;

use texts::hostile::{HOSTILE, Hostile};
use texts::pipelines::{self, KINDS};

/// The size of the smaller text, in bytes.
const SMALL: usize = 40_000;
/// The ratio of the sizes.
const FACTOR: usize = 10;
/// The highest ratio of times that is accepted as linear.
const BOUND: f64 = 12.0;
/// A part that takes less than this for the larger text is too fast to be measured, and fast enough.
const NEGLIGIBLE: Duration = Duration::from_millis(2);

/// The measured parts: the whole pipeline per kind of document, and the parts that can be run alone.
struct Subject {
    guardrail: Guardrail,
    pipelines: Vec<(&'static str, Pipeline)>,
    cards: Vec<RuleCard>,
}

/// The times of one part for the smaller and the larger text.
struct Measured {
    text: &'static str,
    part: String,
    small: Duration,
    large: Duration,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.large.as_secs_f64() / self.small.as_secs_f64().max(1e-9)
    }

    fn is_too_slow(&self) -> bool {
        self.large > NEGLIGIBLE && self.ratio() > BOUND
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let subject = Subject::new();
    let mut measured: Vec<Measured> = Vec::new();
    for text in HOSTILE.iter().filter(|text| wanted.is_empty() || wanted.iter().any(|part| text.name.contains(part))) {
        eprintln!("{}", text.name);
        measured.extend(subject.measure(text));
    }
    measured.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let bad: Vec<&Measured> = measured.iter().filter(|measured| measured.is_too_slow()).collect();
    let slow_enough = || measured.iter().filter(|measured| measured.large > NEGLIGIBLE);
    println!("{} measurements, {FACTOR} times the text; the highest ratios:", measured.len());
    for measured in slow_enough().take(20) {
        print(measured);
    }
    println!("the slowest:");
    let mut slowest: Vec<&Measured> = measured.iter().collect();
    slowest.sort_by_key(|measured| std::cmp::Reverse(measured.large));
    slowest.iter().take(20).for_each(|measured| print(measured));
    if !bad.is_empty() {
        println!("{} of {} are above {BOUND}", bad.len(), measured.len());
        bad.iter().for_each(|measured| print(measured));
        std::process::exit(1);
    }
    println!("none is above {BOUND}");
}

fn print(measured: &Measured) {
    let Measured { text, part, small, large } = measured;
    println!("{:6.1}  {small:>12.1?}  {large:>12.1?}  {part:<20} {text}", measured.ratio());
}

impl Subject {
    fn new() -> Self {
        let pipelines: Vec<_> = KINDS.iter().map(|(name, kind)| (*name, pipelines::undeterred(Some(*kind)))).collect();
        let cards = pipelines[0].1.book.rules.iter().map(reqgate::rules::Rule::card).collect();
        Self {
            guardrail: pipelines::guardrail(&reqgate::config::guardrail::GuardrailSettings::default()),
            pipelines,
            cards,
        }
    }

    fn measure(&self, hostile: &Hostile) -> Vec<Measured> {
        let (small, large) = (hostile.text(SMALL), hostile.text(SMALL * FACTOR));
        let mut out = Vec::new();
        let mut add = |part: String, run: &dyn Fn(&str)| {
            let mut measured =
                Measured { text: hostile.name, part, small: fastest(run, &small, 3), large: fastest(run, &large, 2) };
            if measured.is_too_slow() && measured.ratio() < 2.0 * BOUND {
                // Memory allocated for the larger text can look like a superlinear time; with two large texts it does
                // not.
                let larger = hostile.text(SMALL * FACTOR * FACTOR);
                measured.small = fastest(run, &large, 3);
                measured.large = fastest(run, &larger, 2);
            }
            out.push(measured);
        };
        let reader = &self.pipelines[0].1.book.reader;
        add("read".to_owned(), &|text| {
            black_box(reader.read(text, None));
        });
        add("screen".to_owned(), &|text| {
            black_box(self.guardrail.screen(text, &[], SourceType::PlainText));
        });
        add("intake".to_owned(), &|text| {
            black_box(reqgate::stages::intake::read_bytes("ticket.md", text.as_bytes()));
        });
        for (name, pipeline) in &self.pipelines {
            add(format!("run {name}"), &|text| {
                let _ = black_box(pipeline.run(pipelines::input(text)));
            });
            // The texts are judged in the first run, which is not the fastest, and kept for the others.
            let judged: RefCell<BTreeMap<usize, Option<Outcome>>> = RefCell::default();
            for format in Format::ALL {
                add(format!("{format} {name}"), &|text| {
                    let mut judged = judged.borrow_mut();
                    let outcome = judged.entry(text.len()).or_insert_with(|| pipeline.run(pipelines::input(text)).ok());
                    if let Some(outcome) = outcome {
                        self.report(format, outcome);
                    }
                });
            }
        }
        out
    }

    fn report(&self, format: Format, outcome: &Outcome) {
        let options = ReportOptions { include_text: true, detail: Detail::Full, ..ReportOptions::default() };
        let sink = Box::new(std::io::sink());
        let mut reporter = reporter(format, &self.cards, options, sink).expect("a sink takes everything");
        reporter.outcome(outcome).expect("a sink takes everything");
        let mut summary = Summary::default();
        summary.add(outcome);
        reporter.finish(&summary).expect("a sink takes everything");
    }
}

/// The shortest time of several runs, because other work of the machine only adds time.
fn fastest(run: &dyn Fn(&str), text: &str, runs: usize) -> Duration {
    let once = || {
        let start = Clock::start();
        run(text);
        start.elapsed()
    };
    let first = once();
    if first > Duration::from_secs(4) {
        return first;
    }
    (1..runs).map(|_| once()).fold(first, Duration::min)
}

/// The processor time of this thread where the kernel reports it (Linux), which other programs do not affect; otherwise
/// the wall-clock time.
enum Clock {
    Processor(Duration),
    Wall(Instant),
}

impl Clock {
    fn start() -> Self {
        processor_time().map_or_else(|| Self::Wall(Instant::now()), Self::Processor)
    }

    fn elapsed(&self) -> Duration {
        match self {
            Self::Processor(start) => processor_time().unwrap_or_default().saturating_sub(*start),
            Self::Wall(start) => start.elapsed(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    // The kernel updates the figure when the thread yields.
    std::thread::yield_now();
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    figures.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
