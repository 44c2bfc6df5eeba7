//! Counts entries and builds the report.

use std::collections::{BTreeMap, BTreeSet};

use super::{Day, Entry, readiness, v1};
use reqgate_base::model::{QuestionCode, RuleId, Verdict};

/// The maximum number of gaps in a report.
const MOST_GAPS: usize = 20;
/// The maximum number of tickets named as examples of a gap.
const MOST_EXAMPLES: usize = 3;
/// The maximum number of tickets named as worth fixing.
const MOST_WORST: usize = 10;
/// The number of days without a change after which the weight of a ticket is halved.
const HALF_LIFE: f64 = 180.0;
/// The number of edits assumed for a ticket without a path to a pass.
const MANY_EDITS: usize = 8;

/// Age groups by their upper bounds in days.
const AGES: [(&str, i64); 5] = [
    ("up to 1 month", 30),
    ("1 to 3 months", 90),
    ("3 to 12 months", 365),
    ("1 to 2 years", 730),
    ("over 2 years", i64::MAX),
];

/// The subject of an audit.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The repository as `owner/name`, or the names of the files.
    pub source: String,
    /// The day on which the audit is made.
    pub today: Day,
    /// Tickets created before this day count as existing ones, which would not be blocked.
    pub since: Option<Day>,
}

/// An audit while its tickets are counted.
#[derive(Debug)]
pub struct Audit {
    subject: Subject,
    entries: Vec<Entry>,
    unreadable: usize,
    pull_requests: usize,
    is_cut: bool,
}

impl Audit {
    /// An audit without tickets.
    pub fn new(subject: Subject) -> Self {
        Self { subject, entries: Vec::new(), unreadable: 0, pull_requests: 0, is_cut: false }
    }

    /// Adds a judged ticket.
    pub fn add(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Counts a ticket that could not be read or judged.
    pub fn add_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Counts a pull request among the issues, which is not judged.
    pub fn add_pull_request(&mut self) {
        self.pull_requests += 1;
    }

    /// Records that the source had more tickets than the limit.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// The number of tickets counted so far, unreadable ones included.
    pub(crate) fn count(&self) -> usize {
        self.entries.len() + self.unreadable
    }

    /// Builds the report. `summary_of` returns the one-line summary of a rule; `earlier` is an audit to compare with.
    pub fn report(&self, summary_of: impl Fn(&RuleId) -> String, earlier: Option<&v1::Report>) -> v1::Report {
        let missing = |code: QuestionCode| match RuleId::new(format!("asks-{}", code.name())) {
            Ok(rule) => summary_of(&rule),
            Err(_) => code.name().to_owned(),
        };
        let questions = readiness::questions(&self.entries, missing);
        let totals = self.totals();
        let scores = self.scores();
        let rubrics = self.rubrics();
        let change = earlier.map(|earlier| v1::Change {
            day: earlier.day.clone(),
            tickets: earlier.totals.tickets,
            ready_share_then: ready_share(&earlier.totals),
            ready_share_now: ready_share(&totals),
            mean_then: earlier.scores.mean,
            is_same_rubric: earlier.rubrics == rubrics,
        });
        v1::Report {
            schema: v1::SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            source: self.subject.source.clone(),
            day: self.subject.today.to_string(),
            since: self.subject.since.map(|day| day.to_string()),
            is_cut: self.is_cut,
            totals,
            scores,
            gaps: self.gaps(summary_of),
            ages: self.ages(),
            worst: self.worst(),
            rubrics,
            policies: self.policies(),
            change,
            readiness: readiness::spread(&self.entries),
            questions,
            open_first: readiness::open_first(&self.entries, |entry| self.weight(entry)),
        }
    }

    fn totals(&self) -> v1::Totals {
        let count = |verdict: Verdict| self.entries.iter().filter(|entry| entry.verdict == verdict).count();
        let is_in_force = |entry: &&Entry| match (self.subject.since, day(entry.created_at.as_deref())) {
            (Some(since), Some(created)) => created >= since,
            // A ticket without a date counts as new, so that leaving out the date does not evade the gate.
            _ => true,
        };
        v1::Totals {
            tickets: self.count(),
            ready: count(Verdict::Pass),
            not_ready: count(Verdict::Reject),
            stopped: count(Verdict::GuardrailRejected),
            not_applicable: count(Verdict::NotApplicable),
            unreadable: self.unreadable,
            pull_requests: self.pull_requests,
            would_block: self.entries.iter().filter(|entry| !entry.verdict.is_pass()).filter(is_in_force).count(),
        }
    }

    fn scores(&self) -> v1::Scores {
        let mut scores: Vec<f64> = self.entries.iter().filter_map(|entry| entry.score).collect();
        scores.sort_by(f64::total_cmp);
        let mut bins = vec![0; 10];
        for score in &scores {
            let bin = (1..10).take_while(|bin| *score >= f64::from(bin * 10)).count();
            bins[bin] += 1;
        }
        let median = match scores.len() {
            0 => None,
            count if count % 2 == 1 => Some(scores[count / 2]),
            count => Some((scores[count / 2 - 1] + scores[count / 2]) / 2.0),
        };
        v1::Scores { count: scores.len(), mean: mean(&scores), median: median.map(one_decimal), bins }
    }

    fn gaps(&self, summary_of: impl Fn(&RuleId) -> String) -> Vec<v1::Gap> {
        let scored = self.entries.iter().filter(|entry| entry.score.is_some()).count().max(1);
        let mut found: BTreeMap<&RuleId, (BTreeSet<usize>, usize)> = BTreeMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            for rule in &entry.blocking {
                let (tickets, blocking) = found.entry(rule).or_default();
                tickets.insert(index);
                *blocking += 1;
            }
            for rule in &entry.costing {
                found.entry(rule).or_default().0.insert(index);
            }
        }
        let gap = |(rule, (tickets, blocking)): (&RuleId, (BTreeSet<usize>, usize))| v1::Gap {
            rule_id: rule.to_string(),
            summary: summary_of(rule),
            tickets: tickets.len(),
            blocking,
            share: three_decimals(tickets.len() as f64 / scored as f64),
            examples: self.examples(rule, &tickets),
        };
        let mut gaps: Vec<v1::Gap> = found.into_iter().map(gap).collect();
        gaps.sort_by(|a, b| (b.tickets, b.blocking, &a.rule_id).cmp(&(a.tickets, a.blocking, &b.rule_id)));
        gaps.truncate(MOST_GAPS);
        gaps
    }

    /// The best examples of a gap: tickets that it blocks first, then open ones, then the most recently changed.
    fn examples(&self, rule: &RuleId, tickets: &BTreeSet<usize>) -> Vec<v1::Example> {
        let mut found: Vec<&Entry> = tickets.iter().filter_map(|index| self.entries.get(*index)).collect();
        let rank = |entry: &Entry| {
            let changed = day(entry.updated_at.as_deref()).or_else(|| day(entry.created_at.as_deref()));
            (entry.blocking.contains(rule), entry.is_open, changed)
        };
        // The sort is stable: equal tickets keep the order of the source.
        found.sort_by_key(|entry| std::cmp::Reverse(rank(entry)));
        let example = |entry: &Entry| v1::Example { id: entry.id.clone(), url: entry.url.clone() };
        found.into_iter().take(MOST_EXAMPLES).map(example).collect()
    }

    fn ages(&self) -> Vec<v1::Age> {
        let age = |entry: &Entry| {
            // A date in the future, from a wrong clock, counts as today.
            day(entry.created_at.as_deref()).map(|created| self.subject.today.days_since(created).max(0))
        };
        let scored: Vec<(Option<i64>, &Entry)> =
            self.entries.iter().filter(|entry| entry.score.is_some()).map(|entry| (age(entry), entry)).collect();
        let row = |label: &str, from: Option<i64>, to: Option<i64>, of: Vec<&Entry>| v1::Age {
            label: label.to_owned(),
            from_days: from,
            to_days: to,
            tickets: of.len(),
            ready: of.iter().filter(|entry| entry.verdict.is_pass()).count(),
            mean: mean(&of.iter().filter_map(|entry| entry.score).collect::<Vec<_>>()),
        };
        let mut rows = Vec::new();
        let mut from = 0;
        for (label, to) in AGES {
            let of = scored.iter().filter(|(days, _)| days.is_some_and(|days| (from..=to).contains(&days)));
            rows.push(row(label, Some(from), (to != i64::MAX).then_some(to), of.map(|(_, entry)| *entry).collect()));
            from = to.saturating_add(1);
        }
        let unknown: Vec<&Entry> = scored.iter().filter(|(days, _)| days.is_none()).map(|(_, entry)| *entry).collect();
        if !unknown.is_empty() {
            rows.push(row("age not known", None, None, unknown));
        }
        rows
    }

    /// Open tickets that are not ready, ordered by the benefit of fixing them.
    ///
    /// A ticket comes first if it misses many points, has comments and reactions, changed lately and needs few edits to
    /// pass. A ticket that has been idle for years comes last, even if it is poor.
    fn worst(&self) -> Vec<v1::Worst> {
        let is_candidate = |entry: &&Entry| entry.is_open && entry.verdict == Verdict::Reject;
        let mut worst: Vec<v1::Worst> =
            self.entries.iter().filter(is_candidate).filter_map(|entry| self.worth_mending(entry)).collect();
        worst.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.id.cmp(&b.id)));
        worst.truncate(MOST_WORST);
        worst
    }

    /// The weight of a ticket by interest and freshness, and the days since its last change.
    fn weight(&self, entry: &Entry) -> (f64, Option<i64>) {
        let changed = day(entry.updated_at.as_deref()).or_else(|| day(entry.created_at.as_deref()));
        let idle_days = changed.map(|changed| self.subject.today.days_since(changed).max(0));
        let interest = 1.0 + (1.0 + entry.interest as f64).ln();
        let freshness = idle_days.map_or(0.5, |days| 0.5_f64.powf(days as f64 / HALF_LIFE));
        (interest * freshness, idle_days)
    }

    fn worth_mending(&self, entry: &Entry) -> Option<v1::Worst> {
        let score = entry.score?;
        let (weight, idle_days) = self.weight(entry);
        let missing = (entry.threshold.unwrap_or(100.0) - score).max(5.0);
        let effort = entry.edits.unwrap_or(MANY_EDITS).max(1) as f64;
        Some(v1::Worst {
            id: entry.id.clone(),
            title: entry.title.clone(),
            url: entry.url.clone(),
            score,
            interest: entry.interest,
            idle_days,
            edits: entry.edits,
            first_edit: entry.first_edit.clone(),
            blocking: entry.blocking.iter().map(ToString::to_string).collect(),
            worth: three_decimals(missing * weight / effort.sqrt()),
        })
    }

    fn policies(&self) -> Vec<v1::Policy> {
        let used = self.entries.iter().filter_map(|entry| entry.policy.as_ref());
        let used: BTreeSet<v1::Policy> =
            used.map(|policy| v1::Policy { id: policy.id.clone(), version: policy.version.clone() }).collect();
        used.into_iter().collect()
    }

    fn rubrics(&self) -> Vec<v1::Rubric> {
        let used = self.entries.iter().filter_map(|entry| entry.rubric.as_ref());
        let used: BTreeSet<v1::Rubric> = used
            .map(|rubric| v1::Rubric {
                id: rubric.id.clone(),
                version: rubric.version.clone(),
                hash: rubric.hash.clone(),
            })
            .collect();
        used.into_iter().collect()
    }
}

/// The share of ready tickets among all that are ready, not ready or stopped.
pub(super) fn ready_share(totals: &v1::Totals) -> Option<f64> {
    let all = totals.ready + totals.not_ready + totals.stopped;
    (all > 0).then(|| three_decimals(totals.ready as f64 / all as f64))
}

fn day(text: Option<&str>) -> Option<Day> {
    text?.parse().ok()
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| one_decimal(numbers.iter().sum::<f64>() / numbers.len() as f64))
}

fn one_decimal(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn three_decimals(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
