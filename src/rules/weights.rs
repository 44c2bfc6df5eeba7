//! Weights learned from readings of real tickets: a table of features and what each adds to the log-odds of each target.
//!
//! The file is text: lines of provenance that begin with `#`, a line that names the columns, then one line per feature in
//! byte order: the least and the most of it that counts, then its weights, all in thousandths.

mod team;

pub use team::{FeatureMeasure, TEAM_WEIGHTS_SCHEMA, TeamTarget, TeamWeights, shipped_hash};

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::model::{QuestionCode, TeamReference};

/// Version of the file format; it stands in the first line.
pub const WEIGHTS_SCHEMA: &str = "reqgate/weights/v1";

static SHIPPED: &str = include_str!("../../rubrics/weights/readings.tsv");

/// Something that the weights predict of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A reader needs an answer before the work can be finished: readiness 2 or below.
    NotReady,
    /// A reader cannot start: readiness 1 or below.
    NotActionable,
    /// Not a requirement: a task, a question, a discussion or nothing at all.
    NoRequirement,
    /// A bug rather than a feature.
    Bug,
    /// A task rather than a question.
    Task,
    /// A reader asks about this subject.
    Asks(QuestionCode),
}

impl Target {
    /// Every target, in the order of the columns.
    pub const ALL: [Self; 15] = [
        Self::NotReady,
        Self::NotActionable,
        Self::NoRequirement,
        Self::Bug,
        Self::Task,
        Self::Asks(QuestionCode::Reproduce),
        Self::Asks(QuestionCode::Actual),
        Self::Asks(QuestionCode::Expected),
        Self::Asks(QuestionCode::Environment),
        Self::Asks(QuestionCode::Where),
        Self::Asks(QuestionCode::What),
        Self::Asks(QuestionCode::Done),
        Self::Asks(QuestionCode::Decide),
        Self::Asks(QuestionCode::Scope),
        Self::Asks(QuestionCode::Context),
    ];

    /// The name of its column.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotReady => "not-ready",
            Self::NotActionable => "not-actionable",
            Self::NoRequirement => "no-requirement",
            Self::Bug => "bug",
            Self::Task => "task",
            Self::Asks(code) => code.name(),
        }
    }

    /// True for what is told before the kind of a ticket is known, and so without the facets of its kind.
    pub fn tells_kind(self) -> bool {
        matches!(self, Self::NoRequirement | Self::Bug | Self::Task)
    }

    fn column(self) -> usize {
        Self::ALL.iter().position(|target| *target == self).unwrap_or_default()
    }
}

/// A table of weights. The numbers of a line are read when a ticket first has its feature, as a ticket has few of them.
#[derive(Debug, Clone)]
pub struct Weights {
    text: Cow<'static, str>,
    /// In the order of their features.
    lines: Vec<Line>,
    /// The numbers of each line, once they were needed.
    rows: Vec<OnceLock<Option<Row>>>,
    /// For each hash the number of a line plus one, zero where there is none; collisions stand in the places behind.
    places: Vec<u16>,
    /// The estimate that a team's weights have moved, and what reports say of them.
    team: Option<(TeamTarget, TeamReference)>,
}

/// Where a feature and its numbers stand in the text.
#[derive(Debug, Clone, Copy)]
struct Line {
    start: usize,
    name: usize,
    end: usize,
}

/// The numbers of a feature, in thousandths.
#[derive(Debug, Clone)]
struct Row {
    /// The least and the most of it that counts.
    bounds: [i16; COLUMNS.len()],
    weights: [i16; Target::ALL.len()],
}

/// A file of weights that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Another format or version.
    #[error("not a file of weights: its first line must be `# {WEIGHTS_SCHEMA}`")]
    Schema,
    /// Other columns than this version of the program needs.
    #[error("line {line}: expected the columns `{expected}`; make the file again with `reqgate learn`")]
    Columns {
        /// Number of the line, from 1.
        line: usize,
        /// The columns, separated by spaces.
        expected: String,
    },
    /// A line without a number for each column.
    #[error("line {line}: expected a feature and {columns} whole numbers from -32768 to 32767, separated by tabs")]
    Row {
        /// Number of the line, from 1.
        line: usize,
        /// How many numbers a line has.
        columns: usize,
    },
    /// Features out of order, or one twice.
    #[error("line {line}: features must be in byte order, each once")]
    Order {
        /// Number of the line, from 1.
        line: usize,
    },
}

/// The columns before those of the targets: a value below the first or above the second counts as that bound.
pub const COLUMNS: [&str; 2] = ["least", "most"];

/// The row that is added for every ticket.
pub const BIAS: &str = "(bias)";

/// The words of a ticket count together as much as this many measures.
const WORDS_COUNT: f64 = 4.0;

/// At most so many reasons are kept.
const MOST_REASONS: usize = 6;

/// Weights are written in thousandths.
const THOUSAND: f64 = 1000.0;

impl Weights {
    /// The weights that ship with the program.
    pub fn shipped() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| Self::lines_of(Cow::Borrowed(SHIPPED)).expect("a test reads the shipped file"))
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Fails on the first line that does not fit the format.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let weights = Self::lines_of(Cow::Owned(text.to_owned()))?;
        let columns = COLUMNS.len() + Target::ALL.len();
        let mut before: Option<Line> = None;
        for (at, line) in weights.lines.iter().enumerate() {
            let number = || 1 + weights.text[..line.start].matches('\n').count();
            if weights.name(*line).is_empty() || weights.row_at(at).is_none() {
                return Err(WeightsError::Row { line: number(), columns });
            }
            if before.is_some_and(|before| weights.name(before) >= weights.name(*line)) {
                return Err(WeightsError::Order { line: number() });
            }
            before = Some(*line);
        }
        Ok(weights)
    }

    /// Finds the lines of a file, whose numbers are not looked at.
    fn lines_of(text: Cow<'static, str>) -> Result<Self, WeightsError> {
        if text.lines().next().map(str::trim_end) != Some(&format!("# {WEIGHTS_SCHEMA}")) {
            return Err(WeightsError::Schema);
        }
        let columns = || COLUMNS.into_iter().chain(Target::ALL.map(Target::name));
        let wrong_columns =
            |line: usize| WeightsError::Columns { line, expected: columns().collect::<Vec<_>>().join(" ") };
        let mut lines: Vec<Line> = Vec::with_capacity(text.len() / 64);
        let mut named = false;
        let mut next = 0;
        for (number, line) in (1..).zip(text.split('\n')) {
            let start = next;
            next += line.len() + 1;
            let line = line.trim_end_matches('\r');
            if line.starts_with('#') || line.is_empty() && next > text.len() {
                continue;
            }
            let (name, cells) = line.split_once('\t').unwrap_or((line, ""));
            if !named {
                named = true;
                if name != "feature" || !cells.split('\t').eq(columns()) {
                    return Err(wrong_columns(number));
                }
                continue;
            }
            lines.push(Line { start, name: start + name.len(), end: start + line.len() });
        }
        if !named {
            return Err(wrong_columns(text.lines().count()));
        }
        let rows = vec![OnceLock::new(); lines.len()];
        let mut weights = Self { text, lines, rows, places: Vec::new(), team: None };
        weights.places = weights.index();
        Ok(weights)
    }

    /// The places of all lines; there are at least twice as many places as lines.
    fn index(&self) -> Vec<u16> {
        let mut places = vec![0; (2 * self.lines.len()).next_power_of_two().max(2)];
        for (line, number) in self.lines.iter().zip(1..=u16::MAX) {
            let mut at = place_of(self.name(*line), places.len());
            while places[at] != 0 {
                at = (at + 1) % places.len();
            }
            places[at] = number;
        }
        places
    }

    /// The provenance of the weights, one fact a line.
    pub fn provenance(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim)
    }

    /// The features in order.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| self.name(*line))
    }

    fn name(&self, line: Line) -> &str {
        &self.text[line.start..line.name]
    }

    fn row_at(&self, number: usize) -> Option<&Row> {
        let line = self.lines[number];
        let read = || Row::read(self.text.as_bytes().get(line.name + 1..line.end)?);
        self.rows[number].get_or_init(read).as_ref()
    }

    fn row(&self, feature: &str) -> Option<&Row> {
        self.row_at(self.number(feature)?)
    }

    /// The number of the line of a feature.
    fn number(&self, feature: &str) -> Option<usize> {
        let mut at = place_of(feature, self.places.len());
        while let Some(number) = usize::from(self.places[at]).checked_sub(1) {
            let line = self.lines[number];
            if self.text.as_bytes()[line.start..line.name] == *feature.as_bytes() {
                return Some(number);
            }
            at = (at + 1) % self.places.len();
        }
        None
    }

    /// What the weights say of a ticket with these words and these measures.
    pub fn told<'f>(
        &self,
        words: impl IntoIterator<Item = &'f str>,
        measures: impl IntoIterator<Item = (&'f str, f64)>,
    ) -> Told {
        let mut told = Told { sums: Sums([0.0; Target::ALL.len()]), reasons: Vec::new() };
        let known: Vec<(&str, &Row)> =
            words.into_iter().filter_map(|word| self.row(word).map(|row| (word, row))).collect();
        let scale = word_scale(known.len());
        for (word, row) in known {
            told.add(word, row, scale);
        }
        if let Some(row) = self.row(BIAS) {
            told.sums.add(row, 1.0);
        }
        self.add(&mut told, measures);
        told
    }

    /// Adds what further measures say of a ticket.
    pub fn add<'f>(&self, told: &mut Told, measures: impl IntoIterator<Item = (&'f str, f64)>) {
        for (feature, value) in measures {
            if let Some(row) = self.row(feature) {
                told.add(feature, row, row.held(value));
            }
        }
    }
}

impl Row {
    /// Reads whole numbers with tabs between; nothing where one is missing, too many or too large.
    fn read(cells: &[u8]) -> Option<Self> {
        let mut row = Self { bounds: [0; COLUMNS.len()], weights: [0; Target::ALL.len()] };
        let mut cells = cells.split(|byte| *byte == b'\t').map(whole_number);
        for place in row.bounds.iter_mut().chain(&mut row.weights) {
            *place = cells.next()??;
        }
        cells.next().is_none().then_some(row)
    }

    fn held(&self, value: f64) -> f64 {
        let [least, most] = self.bounds.map(|bound| f64::from(bound) / THOUSAND);
        value.max(least).min(most)
    }

    fn weight(&self, target: Target) -> f64 {
        f64::from(self.weights[target.column()]) / THOUSAND
    }

    /// What a usual ticket has of a feature: the mean of a measure lies in the middle of its bounds, and most tickets lack a
    /// given word and are not found fault with by a given rule.
    fn usual(&self, feature: &str) -> f64 {
        let [least, most] = self.bounds.map(|bound| f64::from(bound) / THOUSAND);
        if ["t:", "b:", "r:"].iter().any(|kind| feature.starts_with(kind)) { 0.0 } else { f64::midpoint(least, most) }
    }
}

fn whole_number(cell: &[u8]) -> Option<i16> {
    let (sign, digits) = match cell {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() || digits.len() > 6 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| 10 * value + i32::from(digit - b'0'));
    i16::try_from(sign * value).ok()
}

/// The place of a feature among so many, by FNV-1a.
fn place_of(feature: &str, places: usize) -> usize {
    let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = feature.bytes().fold(0x811c_9dc5, fold);
    // The lowest bits hardly depend on the first bytes.
    (hash ^ hash >> 15) as usize % places
}

/// What each known word of a ticket counts, so that many words say no more than few.
pub fn word_scale(known: usize) -> f64 {
    WORDS_COUNT / (known.max(1) as f64).sqrt()
}

/// What weights say of a ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Log-odds of every target.
    pub sums: Sums,
    /// What speaks most for or against "not ready", the strongest first.
    pub reasons: Vec<Reason>,
}

/// A feature that speaks for or against "not ready".
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The feature.
    pub feature: String,
    /// What it adds to the log-odds, beside what a usual ticket has of it.
    pub log_odds: f64,
}

impl Told {
    fn add(&mut self, feature: &str, row: &Row, value: f64) {
        self.sums.add(row, value);
        let log_odds = row.weight(Target::NotReady) * (value - row.usual(feature));
        let place = self.reasons.partition_point(|reason| reason.log_odds.abs() >= log_odds.abs());
        if place < MOST_REASONS {
            self.reasons.insert(place, Reason { feature: feature.to_owned(), log_odds });
            self.reasons.truncate(MOST_REASONS);
        }
    }
}

/// Log-odds of every target.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums([f64; Target::ALL.len()]);

impl Sums {
    fn add(&mut self, row: &Row, value: f64) {
        for (sum, weight) in self.0.iter_mut().zip(row.weights) {
            *sum += f64::from(weight) / THOUSAND * value;
        }
    }

    /// Log-odds of a target.
    pub fn log_odds(&self, target: Target) -> f64 {
        self.0[target.column()]
    }

    /// Probability of a target, 0 to 1.
    pub fn probability(&self, target: Target) -> f64 {
        1.0 / (1.0 + (-self.log_odds(target)).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(rows: &str) -> String {
        format!(
            "# {WEIGHTS_SCHEMA}\n# made for a test\nfeature\tleast\tmost\t{}\n{rows}",
            Target::ALL.map(Target::name).join("\t")
        )
    }

    fn row(feature: &str, first: i16) -> String {
        format!("{feature}\t0\t2000\t{first}{}\n", "\t0".repeat(Target::ALL.len() - 1))
    }

    #[test]
    fn the_shipped_file_is_valid_and_small() {
        let parsed = Weights::parse(SHIPPED).expect("the shipped weights are valid");
        assert!(parsed.features().count() > 500);
        assert!(SHIPPED.len() <= 200_000, "{} bytes", SHIPPED.len());
        assert!(parsed.provenance().any(|line| line.contains("sha256")));
    }

    #[test]
    fn a_ticket_gets_the_sum_of_its_features() {
        let weights = Weights::parse(&file(&[row("(bias)", -1000), row("b:err", 500), row("n:words", 250)].concat()))
            .expect("a valid file");
        let told = weights.told(["b:err", "b:unknown"], [("n:words", 1.5), ("n:other", 9.0)]);
        assert!((told.sums.log_odds(Target::NotReady) - (-1.0 + 4.0 * 0.5 + 0.375)).abs() < 1e-9);
        assert!((told.sums.probability(Target::NotActionable) - 0.5).abs() < 1e-9);
        let reasons: Vec<(&str, f64)> = told.reasons.iter().map(|one| (one.feature.as_str(), one.log_odds)).collect();
        assert_eq!(reasons, [("b:err", 2.0), ("n:words", 0.125)], "a measure counts from its mean");
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        assert_eq!(Weights::parse("feature\n").unwrap_err(), WeightsError::Schema);
        assert!(matches!(Weights::parse(&file("b:x\t1\n")), Err(WeightsError::Row { line: 4, .. })));
        let twice = file(&[row("b:x", 1), row("b:x", 2)].concat());
        assert_eq!(Weights::parse(&twice).unwrap_err(), WeightsError::Order { line: 5 });
        let columns = format!("# {WEIGHTS_SCHEMA}\nfeature\tnot-ready\n");
        assert!(matches!(Weights::parse(&columns), Err(WeightsError::Columns { line: 2, .. })));
        assert!(matches!(Weights::parse(&file("b:x\t99999\n")), Err(WeightsError::Row { .. })));
    }
}
