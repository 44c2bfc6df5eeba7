//! An answer that was given, part by part, in the words of the page.

use serde_json::Value;

use super::words::Words;
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::Asking;
use reqgate_flow::view::values;
use reqgate_messages as messages;
use reqgate_prd::brief::BriefSection;
use reqgate_prd::workflow::{PrdAsk, PrdWorkflow};

/// The parts of an answer: the question or the kind of decision, and the words.
pub(super) fn in_words(question: &Asking<PrdWorkflow>, answer: &Value, language: Language) -> Vec<(String, String)> {
    let Value::Object(parts) = answer else { return values(answer, language) };
    let given = Given { said: Words::of(language), question, language };
    let mut out = Vec::new();
    for (name, value) in parts {
        given.add(name, value, &mut out);
    }
    out.retain(|(_, words)| !words.is_empty());
    out
}

struct Given<'a> {
    said: &'static Words,
    question: &'a Asking<PrdWorkflow>,
    language: Language,
}

impl Given<'_> {
    fn add(&self, name: &str, value: &Value, out: &mut Vec<(String, String)>) {
        let said = self.said;
        let [changes_wanted, comment, reason, edited, added, others, enough, ..] = said.given;
        let text = || value.as_str().map(clean::lines).unwrap_or_default();
        let mut push = |label: &str, words: String| out.push((clean::words(label), words));
        match (name, value) {
            ("approved" | "prdApproved", Value::Bool(is_approved)) => {
                push(said.decision, if *is_approved { said.approved } else { changes_wanted }.to_owned());
            }
            ("userIterationOverride", _) => {
                let decided = match value.as_bool() {
                    Some(true) => said.close_gaps,
                    Some(false) => said.leave_gaps,
                    None => said.score_decides,
                };
                push(said.decision, decided.to_owned());
            }
            ("action", Value::String(action)) => {
                push(said.decision, if action == "continue" { said.try_again } else { said.end_it }.to_owned());
            }
            ("userFeedback", Value::String(_)) => push(comment, text()),
            ("gateOverride" | "because", Value::String(_)) => push(reason, text()),
            ("editedDocument", Value::String(_)) => push(edited, text()),
            ("others", Value::String(_)) => push(others, said.approved.to_owned()),
            ("userIterationPreference", Value::Bool(true)) => push(enough, said.enough.to_owned()),
            ("answers", Value::Object(answers)) => {
                for (id, reply) in answers {
                    push(&self.asked(id), self.reply(reply));
                }
            }
            ("adopt", Value::Object(adopted)) => {
                for (id, section) in adopted {
                    let section = section.as_str().unwrap_or_default();
                    let heading = BriefSection::named(section).map(|section| section.heading(self.language));
                    push(&self.sentence(id), heading.unwrap_or(section).to_owned());
                }
            }
            ("verdicts", Value::Array(verdicts)) => {
                for verdict in verdicts {
                    push(verdict["id"].as_str().unwrap_or_default(), self.verdict(verdict));
                }
            }
            ("added", Value::Array(all)) => {
                for one in all {
                    push(added, one["description"].as_str().map(clean::words).unwrap_or_default());
                }
            }
            ("gaps", Value::Object(gaps)) => {
                for (id, choice) in gaps {
                    push(&self.gap(id), self.choice(choice));
                }
            }
            _ => {
                let rest = values(&serde_json::json!({ name: value }), self.language);
                out.extend(rest.into_iter().map(|(path, words)| (clean::words(&path), words)));
            }
        }
    }

    /// The question of this id.
    fn asked(&self, id: &str) -> String {
        let questions = match self.question {
            Asking::Workflow(PrdAsk::Clarification(ask)) => ask.questions.as_slice(),
            Asking::Workflow(PrdAsk::BriefReview(ask)) => &ask.open_questions,
            Asking::Workflow(PrdAsk::PrdReview(ask)) => &ask.open_questions,
            _ => &[],
        };
        questions.iter().find(|one| one.id == id).map_or_else(|| id.to_owned(), |one| one.question.clone())
    }

    /// The sentence of this id that the brief did not use.
    fn sentence(&self, id: &str) -> String {
        let Asking::Workflow(PrdAsk::BriefReview(ask)) = self.question else { return id.to_owned() };
        ask.not_used.iter().find(|one| one.id == id).map_or_else(|| id.to_owned(), |one| one.place.quote.clone())
    }

    fn gap(&self, id: &str) -> String {
        let Asking::Workflow(PrdAsk::GapDecision(ask)) = self.question else { return id.to_owned() };
        let gap = ask.identified_gaps.iter().find(|gap| gap.id == id);
        gap.map_or_else(|| id.to_owned(), |gap| format!("{id} {}", gap.title))
    }

    fn reply(&self, reply: &Value) -> String {
        let [.., owner, due, default] = self.said.given;
        let colon = messages::Pages::of(self.language).colon;
        match reply {
            Value::Object(parts) => {
                let labels = [("answer", ""), ("owner", owner), ("due", due), ("default", default)];
                let part = |(name, label): (&str, &str)| {
                    let words = clean::words(parts.get(name)?.as_str()?);
                    Some(if label.is_empty() { words } else { format!("{label}{colon}{words}") })
                };
                labels
                    .into_iter()
                    .filter_map(part)
                    .collect::<Vec<_>>()
                    .join(messages::Pages::of(self.language).semicolon)
            }
            other => other.as_str().map(clean::lines).unwrap_or_default(),
        }
    }

    fn verdict(&self, verdict: &Value) -> String {
        let said = self.said;
        let colon = messages::Pages::of(self.language).colon;
        let decided = match verdict["verdict"].as_str().unwrap_or_default() {
            "approve" => said.approved,
            "reject" => said.rejected,
            "modify" => said.modify,
            "out_of_scope" => said.out_of_scope,
            _ => said.later,
        };
        let changes = &verdict["changes"];
        let criteria = changes["acceptanceCriteria"].as_array().map(|criteria| {
            criteria.iter().filter_map(Value::as_str).map(clean::words).collect::<Vec<_>>().join("\n– ")
        });
        let parts = [
            (said.new_words, changes["description"].as_str().map(clean::words)),
            (said.criteria, criteria.map(|criteria| format!("\n– {criteria}"))),
            (said.why, verdict["reason"].as_str().map(clean::words)),
        ];
        let parts = parts.into_iter().filter_map(|(label, words)| {
            Some(format!("{label}{colon}{}", words.filter(|words| !words.trim().is_empty())?))
        });
        std::iter::once(decided.to_owned()).chain(parts).collect::<Vec<_>>().join("\n")
    }

    fn choice(&self, choice: &Value) -> String {
        let said = self.said;
        let text = |name: &str| choice[name].as_str().map(clean::words).filter(|words| !words.is_empty());
        let decided = match choice["decision"].as_str().unwrap_or_default() {
            "dismiss" => said.gap_dismiss,
            "ask" => said.gap_ask,
            _ if text("criterion").is_some() => said.criteria,
            _ => said.gap_fix,
        };
        let criteria = choice["criterion"].as_str().map(clean::lines).filter(|words| !words.trim().is_empty());
        let words = criteria.or_else(|| ["reason", "question", "how"].into_iter().find_map(text));
        std::iter::once(decided.to_owned()).chain(words).collect::<Vec<_>>().join("\n")
    }
}
