//! Turns the rows of a benchmark into items: the label, the answer of the engine, and the comparison of the two.

use std::collections::BTreeMap;

use serde_json::Value;

use super::engine::shared;
use super::measure::{Counts, Evidence, VERDICTS};
use super::observation::{Observed, Run};
use super::result::Item;
use super::rows::{Row, Text, is_same};
use super::statistics::Random;
use super::suite::{Benchmark, Label, Others, Place, ReadAs, Task};
use super::{parts, prds, tickets};
use reqgate_base::model::{Finding, GuardrailFinding, GuardrailKind, RuleId, Span, Verdict};

/// The names of the classes of a task, in a fixed order, followed by labels that the task does not know.
pub(crate) fn classes(benchmark: &Benchmark, rows: &[Row]) -> Vec<String> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut classes = match &benchmark.task {
        Task::Spans { kinds, .. } => {
            let mut names: Vec<String> = kinds.values().map(|kind| kind_name(*kind)).collect();
            names.sort();
            names.dedup();
            names
        }
        Task::RuleClasses { classes, .. } => classes.keys().cloned().collect(),
        Task::Sentences { .. } => owned(&["OB", "EB", "S2R"]),
        Task::Sections { .. } => owned(&["OB", "EB", "S2R", "ENV", "OTHER"]),
        Task::Verdict {} | Task::AskedBack { .. } | Task::Estimated {} => owned(&VERDICTS.map(Verdict::name)),
        Task::RealTickets { asks, .. } => owned(tickets::classes(*asks)),
        Task::TicketType {} => owned(&["Feature", "Bug", "Task", "Question", "Discussion"]),
        Task::Facets {} => owned(&parts::FACETS),
        Task::Prd(task) => owned(task.asks.classes()),
        _ => owned(&["yes"]),
    };
    if let Label::Class { .. } = &benchmark.label {
        let mut more: Vec<String> = rows.iter().filter_map(|row| class_of(row, &benchmark.label)).collect();
        more.retain(|name| !classes.contains(name));
        more.sort();
        more.dedup();
        classes.extend(more);
        classes.push("none".to_owned());
    }
    classes
}

/// The texts that a task needs in addition to its rows.
pub(crate) fn others(task: &Task) -> Option<&Others> {
    match task {
        Task::Guardrail { against, .. } => against.as_ref(),
        Task::Inserted { hosts, .. } => Some(hosts),
        _ => None,
    }
}

fn kind_name(kind: GuardrailKind) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The class that the label names.
fn class_of(row: &Row, label: &Label) -> Option<String> {
    let Label::Class { field, names } = label else { return None };
    let written = row.value(field).map(|_| row.slice(field))?;
    Some(names.get(&written).cloned().unwrap_or(written))
}

/// Returns true if the label of a row is positive.
fn is_positive(row: &Row, label: &Label) -> Result<bool, String> {
    match label {
        Label::Always(positive) => Ok(*positive),
        Label::Positive { field, values } => {
            let found = row.value(field).ok_or_else(|| format!("there is no field `{field}`"))?;
            let is_it = |found: &Value| values.iter().any(|value| is_same(found, value));
            Ok(match found {
                Value::Array(items) => items.iter().any(is_it),
                one => is_it(one),
            })
        }
        Label::Class { .. } | Label::Number { .. } => Err("this task needs a label of yes or no".to_owned()),
    }
}

impl Run<'_> {
    /// The observations of a row.
    ///
    /// # Errors
    /// Names the field that does not have the form that the suite states.
    pub(crate) fn observe(&self, row: &Row) -> Result<Observed, String> {
        match &self.benchmark.task {
            Task::Guardrail { kinds, against } => self.guardrail(row, kinds, against.is_some()),
            Task::Inserted { kinds, places, .. } => self.inserted(row, kinds, places),
            Task::Spans { field, kinds, overlap } => self.spans(row, field, kinds, *overlap),
            Task::Rules { rules, reading } => self.rules(row, rules, *reading),
            Task::RuleClasses { field, classes, reading } => self.rule_classes(row, field, classes, *reading),
            Task::Passive {} => {
                let found = self.engine.has_passive(&self.text(row)?.joined());
                self.yes_or_no(row, found)
            }
            Task::Alerts { reading } => {
                let found = self.engine.findings(&self.text(row)?.joined(), *reading);
                let amount = found.iter().filter(|finding| finding.span.is_some()).count();
                Ok(self.one(row, Evidence::Amount(amount as f64)))
            }
            Task::Verdict {} => {
                let judged = self.engine.judge(&row.id, &self.text(row)?, None);
                self.class(row, judged.map_or("none", |outcome| outcome.decision.verdict.name()))
            }
            Task::TicketType {} => {
                let judged = self.engine.judge(&row.id, &self.text(row)?, None);
                self.class(row, judged.map_or("none", |outcome| outcome.packet.ticket_type.value.name()))
            }
            Task::Score { ticket_type } => {
                let Label::Number { field } = &self.benchmark.label else {
                    return Err("`score` needs a label that is a number".to_owned());
                };
                let number = row.value(field).and_then(Value::as_f64).filter(|number| number.is_finite());
                let label = number.ok_or_else(|| format!("`{field}` is not a number"))?;
                let judged = self.engine.judge(&row.id, &self.text(row)?, *ticket_type);
                let report = judged.ok().and_then(|outcome| outcome.score_report);
                let given = report.map_or(0.0, |report| report.total_score);
                Ok(self.one(row, Evidence::Pair { label, given }))
            }
            Task::Parses { source_type } => {
                let judged = self.engine.judge(&row.id, &self.text(row)?, None);
                let fits = judged.is_ok_and(|outcome| {
                    source_type.is_none_or(|wanted| outcome.packet.source_type.value == wanted)
                        && outcome.score_report.is_some()
                });
                self.yes_or_no(row, fits)
            }
            Task::Sentences { field } => parts::sentences(self, row, field),
            Task::MissingPart { field, part, facet, rule } => {
                parts::missing_part(self, row, field, part, *facet, rule.as_ref())
            }
            Task::Sections { field } => parts::sections(self, row, field),
            Task::Scenarios { statement, field } => parts::scenarios(self, row, statement, field),
            Task::Facets {} => parts::facets(self, row),
            Task::Findings {} => parts::must_and_must_not(self, row),
            Task::RealTickets { readers, asks } => tickets::compared(self, row, readers, *asks),
            Task::AskedBack { field } => tickets::asked_back(self, row, field),
            Task::Estimated {} => tickets::judged(self, row, Verdict::Pass, false),
            Task::Prd(task) => prds::observe(self, row, task),
        }
    }

    /// The observation of a text next to the rows: a false alarm or none.
    pub(crate) fn observe_other(&self, index: usize, text: &Text) -> Option<Item> {
        let Task::Guardrail { kinds, .. } = &self.benchmark.task else { return None };
        let flagged = self.engine.screen(&text.joined()).iter().any(|finding| kinds.contains(&finding.kind));
        let evidence = Evidence::Pair { label: 0.0, given: f64::from(u8::from(flagged)) };
        Some(Item { id: format!("against/{index}"), origin: None, slices: Vec::new(), evidence })
    }

    fn yes_or_no(&self, row: &Row, found: bool) -> Result<Observed, String> {
        let label = is_positive(row, &self.benchmark.label)?;
        Ok(self.one(row, Evidence::Counts(vec![Counts::of(label, found)])))
    }

    fn class(&self, row: &Row, given: &str) -> Result<Observed, String> {
        let label = class_of(row, &self.benchmark.label).ok_or("this task needs a label that is a class")?;
        let index = |name: &str| self.class_index(name).unwrap_or(self.classes.len().saturating_sub(1));
        Ok(self.one(row, Evidence::Class { label: index(&label), given: index(given) }))
    }

    fn guardrail(&self, row: &Row, kinds: &[GuardrailKind], is_against: bool) -> Result<Observed, String> {
        let found = self.engine.screen(&self.text(row)?.joined());
        let flagged = found.iter().any(|finding| kinds.contains(&finding.kind));
        if is_against {
            let evidence = Evidence::Pair { label: 1.0, given: f64::from(u8::from(flagged)) };
            return Ok(self.one(row, evidence));
        }
        self.yes_or_no(row, flagged)
    }

    fn inserted(&self, row: &Row, kinds: &[GuardrailKind], places: &[Place]) -> Result<Observed, String> {
        let mut random = Random::new(self.seed, &row.id);
        let host = self.others.get(random.below(self.others.len())).ok_or("there is no text to insert it into")?;
        let place = places.get(random.below(places.len())).copied().unwrap_or(Place::End);
        let (text, inserted) = insert(&host.joined(), &self.text(row)?.joined(), place);
        let is_hit = |finding: &GuardrailFinding| {
            kinds.contains(&finding.kind) && finding.span.is_some_and(|span| span.overlaps(inserted))
        };
        // A match elsewhere in the host is not a match of the attack.
        let hit = self.engine.screen(&text).iter().any(is_hit);
        let mut observed = self.yes_or_no(row, hit)?;
        for item in &mut observed.items {
            item.slices.push(place.name().to_owned());
        }
        Ok(observed)
    }

    fn spans(
        &self,
        row: &Row,
        field: &str,
        kinds: &BTreeMap<String, GuardrailKind>,
        overlap: f64,
    ) -> Result<Observed, String> {
        let text = self.text(row)?.joined();
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let byte = |object: &Row, key: &str| {
            let at = object.value(key).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
            at.and_then(|at| offsets.get(at))
                .copied()
                .ok_or_else(|| format!("`{field}/{key}` is not a place in the text"))
        };
        let mut wanted: Vec<(GuardrailKind, Span)> = Vec::new();
        for object in row.objects(field)? {
            if let Some(kind) = kinds.get(object.text("type")?) {
                wanted.push((*kind, Span::new(byte(&object, "start")?, byte(&object, "end")?)));
            }
        }
        let mut counts = vec![Counts::default(); self.classes.len()];
        let mut count = |kind: GuardrailKind, add: Counts| {
            if let Some(class) = self.class_index(&kind_name(kind)).and_then(|at| counts.get_mut(at)) {
                class.add(add);
            }
        };
        let mut found: Vec<(GuardrailKind, Span)> =
            self.engine.screen(&text).iter().filter_map(|finding| Some((finding.kind, finding.span?))).collect();
        found.retain(|(kind, _)| kinds.values().any(|known| known == kind));
        for (kind, span) in wanted {
            let fits = |(other, at): &(GuardrailKind, Span)| {
                let common = shared(*at, span) as f64;
                *other == kind && common / (at.join(span).len().max(1) as f64) >= overlap
            };
            match found.iter().position(fits) {
                Some(at) => {
                    found.swap_remove(at);
                    count(kind, Counts { tp: 1, ..Counts::default() });
                }
                None => count(kind, Counts { missed: 1, ..Counts::default() }),
            }
        }
        for (kind, _) in found {
            count(kind, Counts { fp: 1, ..Counts::default() });
        }
        Ok(self.one(row, Evidence::Counts(counts)))
    }

    fn rules(&self, row: &Row, rules: &[RuleId], reading: ReadAs) -> Result<Observed, String> {
        let label = is_positive(row, &self.benchmark.label)?;
        let found = self.engine.findings(&self.text(row)?.joined(), reading);
        let spoke = speakers(&found, rules);
        let mut observed = self.one(row, Evidence::Counts(vec![Counts::of(label, !spoke.is_empty())]));
        observed.votes = spoke.into_iter().map(|rule| (rule, label)).collect();
        Ok(observed)
    }

    fn rule_classes(
        &self,
        row: &Row,
        field: &str,
        classes: &BTreeMap<String, Vec<RuleId>>,
        reading: ReadAs,
    ) -> Result<Observed, String> {
        let found = self.engine.findings(&self.text(row)?.joined(), reading);
        let mut counts = Vec::with_capacity(classes.len());
        let mut votes = Vec::new();
        for (class, rules) in classes {
            let known = row.value(&format!("{field}/{class}"));
            let label = match known {
                Some(Value::Array(items)) => !items.is_empty(),
                Some(Value::Bool(label)) => *label,
                _ => return Err(format!("there is no list `{field}/{class}`")),
            };
            let spoke = speakers(&found, rules);
            counts.push(Counts::of(label, !spoke.is_empty()));
            votes.extend(spoke.into_iter().map(|rule| (rule, label)));
        }
        let mut observed = self.one(row, Evidence::Counts(counts));
        observed.votes = votes;
        Ok(observed)
    }
}

/// The rules with a finding.
fn speakers(found: &[Finding], rules: &[RuleId]) -> Vec<RuleId> {
    rules.iter().filter(|rule| found.iter().any(|finding| finding.rule == **rule)).cloned().collect()
}

/// A text with another one inserted as a separate paragraph, and the span of the paragraph.
fn insert(host: &str, paragraph: &str, place: Place) -> (String, Span) {
    let breaks: Vec<usize> = host.match_indices("\n\n").map(|(at, _)| at).collect();
    let at = match place {
        Place::Start => 0,
        Place::Middle => breaks.get(breaks.len() / 2).map_or(host.len(), |at| at + 2),
        Place::End => host.len(),
    };
    let (before, after) = host.split_at(at);
    let lead = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n\n" };
    let start = before.len() + lead.len();
    let text = format!("{before}{lead}{paragraph}\n\n{after}");
    (text, Span::new(start, start + paragraph.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_stands_where_it_was_put() {
        for (place, wanted) in [
            (Place::Start, "new\n\none\n\ntwo\n\n三"),
            (Place::Middle, "one\n\ntwo\n\nnew\n\n三"),
            (Place::End, "one\n\ntwo\n\n三\n\nnew\n\n"),
        ] {
            let (text, span) = insert("one\n\ntwo\n\n三", "new", place);
            assert_eq!(text, wanted);
            assert_eq!(span.slice(&text), "new");
        }
        assert_eq!(insert("", "new", Place::Middle).0, "new\n\n");
    }
}
