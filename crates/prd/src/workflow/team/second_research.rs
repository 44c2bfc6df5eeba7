//! Compares two independent readings of the sources by researchers. Neither reading is preferred.

use serde::Serialize;
use serde_json::{Value, json};

use super::results::{invented, visit};
use super::state::TeamState;
use crate::Statement;
use crate::team::sections::ResearchArea;
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_orders::Sources;
use reqgate_text::content_words::{content_words, shared};

/// The kind of a disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Difference {
    /// Each has a figure that the other does not have.
    Figure,
    /// The same statement has different sources.
    Source,
    /// A competitor has a feature according to only one of them.
    Feature,
    /// Only one of them has the statement.
    OnlyOne,
}

/// A statement on which two readings disagree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Disagreement {
    area: ResearchArea,
    difference: Difference,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Statement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Statement>,
}

impl TeamState {
    /// The disagreements by area, in the order of the first reading.
    pub(super) fn disagreements(&self) -> Vec<Disagreement> {
        let (first, second) = (self, &self.second_findings);
        let areas = [
            (ResearchArea::Market, json!(first.market_research), json!(second.market_research)),
            (ResearchArea::Competitors, json!(first.competitive_analysis), json!(second.competitive_analysis)),
            (ResearchArea::Users, json!(first.user_research), json!(second.user_research)),
        ];
        let twice = areas.iter().filter(|(_, _, second)| !second.is_null());
        twice.flat_map(|(area, first, second)| compared(*area, first, second)).collect()
    }

    /// The disagreements as lines of text.
    pub(super) fn disagreements_in_lines(&self, language: Language) -> Vec<String> {
        self.disagreements().iter().map(|one| one.in_words(language)).collect()
    }

    /// The disagreements for the writer; `None` if the readings agree.
    pub(super) fn disagreements_for_the_writer(&self, language: Language) -> Option<String> {
        let items: String = self.disagreements_in_lines(language).iter().map(|line| format!("- {line}\n")).collect();
        let open = messages::Prd::of(language).research_disagrees;
        (!items.is_empty()).then(|| format!("{open}\n\n{items}"))
    }
}

/// A statement of one reading.
struct Claim {
    /// The path of the field, without positions in lists and with the name of the competitor.
    field: String,
    /// The field has exactly one statement.
    is_single: bool,
    statement: Statement,
}

fn claims(found: &Value) -> Vec<Claim> {
    let mut out = Vec::new();
    visit(found, String::new(), &mut |path, statement| {
        let Ok(statement) = serde_json::from_value::<Statement>(statement.clone()) else { return };
        let (of, rest) = match competitor(found, &path) {
            Some((name, rest)) => (name, rest),
            None => (String::new(), path.as_str()),
        };
        let is_single = !rest.contains('[');
        let names: Vec<&str> = rest.split('.').map(|part| part.split('[').next().unwrap_or(part)).collect();
        out.push(Claim { field: format!("{of}:{}", names.join(".")), is_single, statement });
    });
    out
}

/// The competitor of a field, in lower case, and the field in its profile.
fn competitor<'p>(found: &Value, path: &'p str) -> Option<(String, &'p str)> {
    let list = ["direct", "indirect"].into_iter().find(|list| path.starts_with(&format!("{list}[")))?;
    let (at, rest) = path[list.len() + 1..].split_once("].")?;
    let name = found[list][at.parse::<usize>().ok()?]["name"].as_str()?;
    Some((name.trim().to_lowercase(), rest))
}

impl Claim {
    fn source(&self) -> Option<(&str, u32)> {
        self.statement.source.as_ref().map(|quote| (quote.source.as_str(), quote.line))
    }

    /// The similarity of two statements on one subject; `None` if they are about different ones.
    fn likeness(&self, other: &Self) -> Option<usize> {
        let is_same_field = self.field == other.field;
        if self.is_single || other.is_single {
            return is_same_field.then_some(usize::MAX);
        }
        let (own, others) = (content_words(&self.statement.text), content_words(&other.statement.text));
        let common = shared(&own, &others);
        let is_alike = common > 0 && common * 2 >= own.len().min(others.len());
        let is_same_line = is_same_field && self.source().is_some() && self.source() == other.source();
        let is_of_one = self.field.split_once(':').map(|of| of.0) == other.field.split_once(':').map(|of| of.0);
        (is_of_one && (is_alike || is_same_line)).then_some(common)
    }

    fn difference(&self, other: &Self) -> Option<Difference> {
        // Two sentences may name the same competitor.
        if self.field.ends_with(":named_in") {
            return None;
        }
        let none = Sources::new([]);
        let lacks = |one: &Self, other: &Self| invented(&none, &one.statement.text, &[&other.statement.text]).is_some();
        let source = |claim: &Self| claim.source().map(|(name, _)| name.to_owned());
        if lacks(self, other) && lacks(other, self) {
            Some(Difference::Figure)
        } else {
            (source(self) != source(other)).then_some(Difference::Source)
        }
    }
}

fn compared(area: ResearchArea, first: &Value, second: &Value) -> Vec<Disagreement> {
    let told = |difference, first: Option<Statement>, second: Option<Statement>| Disagreement {
        area,
        difference,
        first,
        second,
    };
    let mut others = claims(second);
    let mut out = Vec::new();
    for one in claims(first) {
        let alike = others.iter().enumerate().filter_map(|(at, other)| Some((at, one.likeness(other)?)));
        // Of several equally similar ones, the earliest is used.
        match alike.rev().max_by_key(|(_, likeness)| *likeness) {
            Some((at, _)) => {
                let other = others.remove(at);
                let difference = one.difference(&other);
                out.extend(difference.map(|how| told(how, Some(one.statement), Some(other.statement))));
            }
            None => out.push(told(Difference::OnlyOne, Some(one.statement), None)),
        }
    }
    out.extend(others.into_iter().map(|other| told(Difference::OnlyOne, None, Some(other.statement))));
    let features = |found: &Value| found["feature_comparison_matrix"].as_object().cloned().unwrap_or_default();
    let seconds = features(second);
    for (name, has) in features(first) {
        for (feature, has) in has.as_object().into_iter().flatten() {
            let other = seconds.get(&name).and_then(|other| other.get(feature)).filter(|other| *other != has);
            let cell = |has: &Value| {
                Statement::new(format!("{name}: {feature} {}", if *has == json!(true) { "✓" } else { "✗" }), None)
            };
            out.extend(other.map(|other| told(Difference::Feature, Some(cell(has)), Some(cell(other)))));
        }
    }
    out
}

impl Disagreement {
    fn in_words(&self, language: Language) -> String {
        let said = messages::Prd::of(language);
        let shown = |statement: &Statement| {
            let source = statement.source.as_ref().map(|quote| format!("{}:{}", quote.source, quote.line));
            let (open, close) = language.of((" (", ")"), ("（", "）"));
            let source = source.map(|source| format!("{open}{source}{close}")).unwrap_or_default();
            format!("“{}”{source}", statement.text)
        };
        let how = match (self.difference, &self.first) {
            (Difference::Figure, _) => said.other_figure,
            (Difference::Source, _) => said.other_source,
            (Difference::Feature, _) => said.other_answer,
            (Difference::OnlyOne, Some(_)) => said.only_first,
            (Difference::OnlyOne, None) => said.only_second,
        };
        let both: Vec<String> = self.first.iter().chain(&self.second).map(shown).collect();
        let area = self.area.words(language);
        let (colon, between) = language.of((": ", " – "), ("：", "；"));
        format!("{area}{colon}{how}{colon}{}", both.join(between))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, source: &str, line: u32) -> Value {
        json!({ "text": text, "source": { "source": source, "line": line, "quote": text } })
    }

    fn lines(area: ResearchArea, first: &Value, second: &Value, language: Language) -> Vec<String> {
        compared(area, first, second).iter().map(|one| one.in_words(language)).collect()
    }

    #[test]
    fn another_figure_another_source_and_what_only_one_says_are_told() {
        let first = json!({
            "tam": statement("The market was 2.1 billion euros in 2025.", "src-1", 7),
            "key_trends": [statement("Teams move their notes to the cloud.", "src-1", 9), statement("Prices fall.", "src-2", 1)],
        });
        let second = json!({
            "tam": statement("The market was 3 billion euros.", "src-2", 4),
            "threats": [statement("Notes of teams move to the cloud.", "src-3", 2)],
            "opportunities": [statement("Nobody exports to CSV.", "src-3", 8)],
        });
        assert_eq!(
            lines(ResearchArea::Market, &first, &second, Language::En),
            [
                "Market: another figure: “The market was 2.1 billion euros in 2025.” (src-1:7) – “The market was 3 billion \
                 euros.” (src-2:4)",
                "Market: another source: “Teams move their notes to the cloud.” (src-1:9) – “Notes of teams move to the \
                 cloud.” (src-3:2)",
                "Market: only the first reading: “Prices fall.” (src-2:1)",
                "Market: only the second reading: “Nobody exports to CSV.” (src-3:8)",
            ]
        );
        assert_eq!(lines(ResearchArea::Market, &first, &first, Language::En), [""; 0]);
        let (first, second) = (
            json!({ "sam": statement("市场为 20 亿元", "src-1", 1) }),
            json!({ "sam": statement("市场为 30 亿元", "src-1", 2) }),
        );
        assert_eq!(
            lines(ResearchArea::Market, &first, &second, Language::Zh),
            ["市场：数字不同：“市场为 20 亿元”（src-1:1）；“市场为 30 亿元”（src-1:2）"]
        );
    }

    #[test]
    fn a_competitor_is_compared_with_itself_wherever_it_stands() {
        let named = statement("Acme and Bolt sell exports.", "src-1", 1);
        let acme = |share: &str, named: &Value| json!({ "name": "Acme", "named_in": named, "market_share": statement(share, "src-1", 2) });
        let first = json!({
            "direct": [acme("It has 20 % of the market.", &named), { "name": "Bolt", "named_in": named }],
            "feature_comparison_matrix": { "Acme": { "CSV": true, "PDF": true } },
        });
        let second = json!({
            "indirect": [acme("It has 30 % of the market.", &statement("Acme is known.", "src-2", 1))],
            "feature_comparison_matrix": { "Acme": { "CSV": false } },
        });
        assert_eq!(
            lines(ResearchArea::Competitors, &first, &second, Language::En),
            [
                "Competitors: another figure: “It has 20 % of the market.” (src-1:2) – “It has 30 % of the market.” (src-1:2)",
                "Competitors: only the first reading: “Acme and Bolt sell exports.” (src-1:1)",
                "Competitors: another answer: “Acme: CSV ✓” – “Acme: CSV ✗”",
            ]
        );
    }
}
