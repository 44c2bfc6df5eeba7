//! Writes a run as one self-contained page with a plot for every figure, without scripts and external files.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::result::{Bin, Evaluation, Figure, Measured, State, number};
use reqgate_base::page::Page;

const TEMPLATE: &str = include_str!("page.html.j2");
const STYLE: &str = include_str!("page.css");

/// Left end and length of the axis of a plot, in units of its view box.
const AXIS: (f64, f64) = (10.0, 300.0);

#[derive(Serialize)]
struct Section {
    id: String,
    title: String,
    data: String,
    n: u64,
    problem: Option<String>,
    from: String,
    to: String,
    figures: Vec<Line>,
    classes: Vec<Vec<String>>,
    slices: Vec<Vec<String>>,
    reliability: Vec<Column>,
    worst: Vec<Vec<String>>,
}

/// A bin of the reliability diagram: positions in the view box of 240 by 240, and labels.
#[derive(Serialize)]
struct Column {
    cells: Vec<String>,
    x: f64,
    y: f64,
    height: f64,
    whisker: Option<(f64, f64)>,
    mean: Option<(f64, f64)>,
}

#[derive(Serialize)]
struct Line {
    title: String,
    words: String,
    class: &'static str,
    n: String,
    target: String,
    peers: String,
    plot: Option<Plot>,
}

#[derive(Serialize)]
struct Plot {
    value: f64,
    low: f64,
    high: f64,
    target: Option<f64>,
    peers: Vec<f64>,
}

/// Renders the page.
///
/// # Errors
/// Fails if the template is broken; a test renders it.
pub fn page(evaluation: &Evaluation, summary: &str) -> Result<String, minijinja::Error> {
    let benchmarks: Vec<Section> = evaluation.benchmarks.iter().map(section).collect();
    Page::new(TEMPLATE, STYLE)?.render(context! {
        suite => evaluation.suite.clone(),
        summary,
        benchmarks => Value::from(Serde(benchmarks)),
    })
}

fn section(benchmark: &Measured) -> Section {
    let problem = match &benchmark.state {
        State::Measured => None,
        State::Absent { file } => Some(format!("absent: {file}")),
        State::Failed { message } => Some(format!("failed: {message}")),
    };
    let (from, to) = range(&benchmark.figures);
    Section {
        id: benchmark.id.clone(),
        title: benchmark.title.clone(),
        data: benchmark.data.clone(),
        n: benchmark.n,
        problem,
        from: number(from),
        to: number(to),
        figures: benchmark.figures.iter().map(|figure| line(figure, from, to)).collect(),
        classes: classes(benchmark),
        slices: slices(benchmark),
        reliability: benchmark.reliability.iter().map(column).collect(),
        worst: benchmark.worst.iter().map(|wrong| wrong.cells().to_vec()).collect(),
    }
}

/// Side of the reliability diagram and the margin at its left and bottom, in units of its view box.
const DIAGRAM: (f64, f64) = (200.0, 30.0);

fn column(bin: &Bin) -> Column {
    let (side, margin) = DIAGRAM;
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let x = |value: f64| tenth(margin + value * side);
    let y = |value: f64| tenth(10.0 + (1.0 - value) * side);
    let right = bin.right.value.unwrap_or(0.0);
    Column {
        cells: bin.cells().to_vec(),
        x: x(bin.from) + 1.0,
        y: y(right),
        height: tenth(right * side),
        whisker: bin.right.low.zip(bin.right.high).map(|(low, high)| (y(low), y(high))),
        mean: bin.certainty.zip(bin.right.value).map(|(certainty, right)| (x(certainty), y(right))),
    }
}

/// The range of all plots of a benchmark: 0 to 1, or as far as the values extend.
fn range(figures: &[Figure]) -> (f64, f64) {
    let all = figures.iter().flat_map(|figure| {
        let result = &figure.result;
        [result.low, result.high, result.value, figure.at_least, figure.at_most].into_iter().flatten()
    });
    all.filter(|value| value.is_finite())
        .fold((0.0, 1.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)))
}

fn line(figure: &Figure, from: f64, to: f64) -> Line {
    let x = |value: f64| {
        let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
        ((AXIS.0 + share * AXIS.1) * 10.0).round() / 10.0
    };
    let result = &figure.result;
    let plot = result.value.map(|value| Plot {
        value: x(value),
        low: x(result.low.unwrap_or(value)),
        high: x(result.high.unwrap_or(value)),
        target: figure.at_least.or(figure.at_most).map(x),
        peers: figure.peers.iter().map(|peer| x(peer.value)).collect(),
    });
    let peers: Vec<String> = figure
        .peers
        .iter()
        .map(|peer| {
            let note = peer.note.as_ref().map(|note| format!(", {note}")).unwrap_or_default();
            format!("{} {}{note}", number(peer.value), peer.name)
        })
        .collect();
    Line {
        title: figure.title.clone(),
        words: result.words(),
        class: match figure.met {
            Some(true) => "good met",
            Some(false) => "bad missed",
            None => "",
        },
        n: result.hits.map_or_else(|| result.n.to_string(), |hits| format!("{hits} of {}", result.n)),
        target: figure.target(),
        peers: peers.join("; "),
        plot,
    }
}

fn classes(benchmark: &Measured) -> Vec<Vec<String>> {
    if benchmark.counts.len() < 2 {
        return Vec::new();
    }
    let share = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let row = |(name, counts): (&String, &super::Counts)| {
        let [right, wrong, missed] = [counts.tp, counts.fp, counts.missed].map(|count| count.to_string());
        let shares = [share(counts.precision()), share(counts.recall()), share(counts.f(1.0))];
        [name.clone(), right, wrong, missed].into_iter().chain(shares).collect()
    };
    benchmark.classes.iter().zip(&benchmark.counts).map(row).collect()
}

fn slices(benchmark: &Measured) -> Vec<Vec<String>> {
    let rows = benchmark.figures.iter().flat_map(|figure| {
        figure.slices.iter().map(move |slice| {
            vec![
                figure.title.clone(),
                slice.field.clone(),
                slice.value.clone(),
                slice.result.words(),
                slice.result.n.to_string(),
            ]
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::result::{EVAL_SCHEMA, Estimate, Interval, PeerFigure, Slice, Wrong};
    use super::super::{Counts, Measure};
    use super::*;
    use reqgate_base::model::Verdict;

    fn hostile() -> Evaluation {
        let words = "<script>alert(1)</script>\"'";
        let result = Estimate {
            value: Some(0.7),
            low: Some(0.6),
            high: Some(1.8),
            interval: Interval::Wilson,
            n: 10,
            hits: Some(7),
        };
        let figure = Figure {
            measure: Measure::Recall,
            title: words.into(),
            class: None,
            result,
            at_least: Some(0.8),
            at_most: None,
            met: Some(false),
            peers: vec![PeerFigure { name: words.into(), value: f64::NAN, note: Some(words.into()) }],
            slices: vec![Slice { field: words.into(), value: words.into(), result }],
        };
        let measured = Measured {
            id: "b".into(),
            title: words.into(),
            data: words.into(),
            state: State::Measured,
            n: 10,
            figures: vec![figure],
            classes: vec![words.into(), "b".into()],
            counts: vec![Counts::default(); 2],
            rules: BTreeMap::new(),
            items: Vec::new(),
            reliability: vec![Bin { from: 0.7, to: 0.8, certainty: Some(0.75), right: result }],
            worst: vec![Wrong {
                id: words.into(),
                origin: Some(words.into()),
                label: Verdict::Pass,
                given: Verdict::Reject,
                certainty: Some(0.75),
            }],
        };
        let absent = Measured { state: State::Absent { file: words.into() }, figures: Vec::new(), ..measured.clone() };
        Evaluation {
            schema: EVAL_SCHEMA.into(),
            reqgate: "0".into(),
            suite: words.into(),
            seed: 1,
            benchmarks: vec![measured, absent],
        }
    }

    #[test]
    fn the_page_is_whole_loads_nothing_and_lets_no_markup_through() {
        let page = page(&hostile(), "<b>").expect("the template is whole");
        assert!(page.ends_with("</html>\n") || page.ends_with("</html>"));
        assert!(page.contains("absent: ") && page.contains("<svg"));
        assert!(page.contains("class=\"bar\"") && page.contains(".750") && page.contains("PASS"), "{page}");
        for forbidden in ["<script", "http:", "https:", "url(", "src=", "@import", " style=", "<b>"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
    }
}
