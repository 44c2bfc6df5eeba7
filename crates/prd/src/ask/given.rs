//! An answer that was given, part by part, in the words of a person.

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::view::values;
use reqgate_flow::{Asking, InterruptAction, Reply};
use reqgate_messages as messages;
use serde_json::{Value, json};

use super::view::{FieldKind, Subject};
use super::{AskView, Reviewed, read, view};
use crate::GapChoice;
use crate::brief::BriefSection;
use crate::requirements::{AddedRequirement, RequirementChanges, Verdict, VerdictKind};
use crate::workflow::{Others, PrdAnswer, PrdWorkflow};

/// The parts of an answer: the question or the kind of decision, and the words. One that does not read is shown value by value.
pub fn in_words(question: &Asking<PrdWorkflow>, answer: &Value, language: Language) -> Vec<(String, String)> {
    let Ok(given) = read(question, answer) else { return values(answer, language) };
    let mut told = AnswerParts { view: view(question, language), language, parts: Vec::new() };
    told.add(&given);
    told.parts.retain(|(_, words)| !words.is_empty());
    told.parts
}

struct AnswerParts<'a> {
    view: AskView<'a>,
    language: Language,
    parts: Vec<(String, String)>,
}

impl AnswerParts<'_> {
    fn add(&mut self, given: &PrdAnswer) {
        let language = self.language;
        let approved = messages::Ask::of(language).approved;
        if let Some(Reviewed { approved: is_approved, .. }) = given.reviewed() {
            self.decision(if is_approved { approved } else { messages::Ask::of(language).changes_requested });
        }
        for (id, reply) in given.replies().into_iter().flatten() {
            self.push(&self.name(id), self.reply(reply));
        }
        match given {
            PrdAnswer::Clarification(_) => {}
            PrdAnswer::Interrupt(given) => {
                let [again, end] = self.view.yes_or_no.unwrap_or_default();
                self.decision(if given.action == InterruptAction::Continue { again } else { end });
            }
            PrdAnswer::BriefReview(given) => {
                for (id, section) in &given.adopt {
                    let heading = BriefSection::named(section).map(|section| section.heading(language));
                    self.push(&self.name(id), heading.unwrap_or(section).to_owned());
                }
                self.words(&given.user_feedback, "", &given.edited_document);
                self.rest(json!({ "modifications": given.modifications, "reviewSummary": given.review_summary }));
            }
            PrdAnswer::TeamReview(given) => {
                self.words(&given.user_feedback, given.because.as_deref().unwrap_or_default(), &given.edited_document);
                for (id, reason) in &given.dismiss {
                    self.push(&messages::Ask::of(language).dismiss_contradiction(id), clean::lines(reason));
                }
            }
            PrdAnswer::PrdReview(given) => {
                self.verdicts(&given.verdicts, &given.added);
                let because = given.gate_override.as_deref().unwrap_or_default();
                self.words(&given.user_feedback, because, &given.edited_document);
                self.rest(
                    json!({ "prdModifications": given.prd_modifications, "reviewSummary": given.review_summary }),
                );
            }
            PrdAnswer::RequirementsReview(given) => {
                self.verdicts(&given.verdicts, &given.added);
                self.words(&given.user_feedback, "", &None);
                if given.user_iteration_preference == Some(true) {
                    let skip = messages::Ask::of(language).skip_gaps;
                    self.push(messages::Ask::of(language).gaps_skipped, skip.to_owned());
                }
                if let Some(others) = given.others {
                    let words = match others {
                        Others::Approve => approved,
                        Others::Defer => messages::Ask::of(language).later,
                    };
                    self.push(messages::Ask::of(language).all_others, words.to_owned());
                }
                self.rest(json!({ "reviewSummary": given.review_summary }));
            }
            PrdAnswer::GapDecision(given) => {
                let value = match given.user_iteration_override {
                    Some(true) => "close",
                    Some(false) => "go-on",
                    None => "score",
                };
                let label = self.chosen("decision", value);
                self.decision(&label);
                for (id, choice) in &given.gaps {
                    self.push(&self.name(id), self.choice(id, choice));
                }
                self.words(&given.user_feedback, "", &None);
            }
        }
    }

    fn push(&mut self, label: &str, words: String) {
        self.parts.push((clean::words(label), words));
    }

    fn decision(&mut self, decided: &str) {
        self.push(messages::Ask::of(self.language).your_decision, decided.to_owned());
    }

    fn words(&mut self, feedback: &Option<String>, because: &str, edited: &Option<String>) {
        let language = self.language;
        let lines = |words: &Option<String>| words.as_deref().map(clean::lines).unwrap_or_default();
        self.push(messages::Ask::of(language).comment, lines(feedback));
        self.push(messages::Ask::of(language).reason, clean::lines(because));
        self.push(messages::Ask::of(language).edited_document, lines(edited));
    }

    fn verdicts(&mut self, verdicts: &[Verdict], added: &[AddedRequirement]) {
        for verdict in verdicts {
            self.push(&verdict.id.to_string(), self.verdict(&verdict.kind));
        }
        for one in added {
            self.push(messages::Ask::of(self.language).added_requirement, clean::words(&one.description));
        }
    }

    /// Parts that only programs send.
    fn rest(&mut self, parts: Value) {
        self.parts.extend(values(&parts, self.language).into_iter().map(|(path, words)| (clean::words(&path), words)));
    }

    /// The thing with this id, as the question shows it.
    fn name(&self, id: &str) -> String {
        let name = |subject: Subject<'_>| match subject {
            Subject::Question(one) => (one.id == id).then(|| one.question.clone()),
            Subject::Sentence(one) => (one.id == id).then(|| one.place.quote.clone()),
            Subject::Gap(one) => (one.id == id).then(|| format!("{id} {}", one.title)),
            Subject::Requirement(_) => None,
        };
        self.view.entries().map(|entry| entry.subject).find_map(name).unwrap_or_else(|| id.to_owned())
    }

    /// The name of a value that was chosen in a field.
    fn chosen(&self, field: &str, value: &str) -> String {
        let field = self.view.inputs().find(|one| one.id == field);
        let label = field.and_then(|field| match &field.kind {
            FieldKind::Choice(options) => options.iter().find(|one| one.value == value).map(|one| one.label.clone()),
            _ => None,
        });
        label.unwrap_or_else(|| value.to_owned())
    }

    fn labelled(&self, label: &str, words: &str) -> Option<String> {
        let colon = messages::Ask::of(self.language).colon;
        (!words.trim().is_empty()).then(|| format!("{label}{colon}{words}"))
    }

    fn reply(&self, reply: &Reply) -> String {
        let language = self.language;
        let words = messages::Ask::of(language);
        let labels = [words.owner, words.due, words.until_then];
        let assigned = labels.into_iter().zip(reply.assigned());
        let assigned = assigned.filter_map(|(label, words)| self.labelled(label, &clean::words(words?)));
        let assigned: Vec<String> = assigned.collect();
        match (reply.answer(), assigned.is_empty()) {
            (Some(answer), true) => clean::lines(answer),
            (answer, _) => {
                let all: Vec<String> = answer.map(clean::words).into_iter().chain(assigned).collect();
                all.join(messages::Ask::of(language).semicolon)
            }
        }
    }

    fn verdict(&self, kind: &VerdictKind) -> String {
        let words = messages::Ask::of(self.language);
        let (decided, reason, changes) = match kind {
            VerdictKind::Approve => (words.approved, "", None),
            VerdictKind::Reject { reason } => (words.rejected, reason.as_str(), None),
            VerdictKind::OutOfScope { reason } => (words.out_of_scope, reason.as_str(), None),
            VerdictKind::Modify { changes, reason } => (words.modify, reason.as_str(), Some(changes)),
            VerdictKind::Defer => (words.later, "", None),
        };
        let mut lines = vec![decided.to_owned()];
        lines.extend(changes.into_iter().flat_map(|changes| self.changes(changes)));
        lines.extend(self.labelled(words.reason, &clean::words(reason)));
        lines.join("\n")
    }

    fn changes(&self, changes: &RequirementChanges) -> Vec<String> {
        let words = messages::Ask::of(self.language);
        let RequirementChanges { title, description, priority, category, acceptance_criteria, waits_for } = changes;
        let criteria = acceptance_criteria.as_deref().unwrap_or_default();
        let criteria: String = criteria.iter().map(|one| format!("\n– {}", clean::words(one))).collect();
        let text = description.as_deref().unwrap_or_default();
        let mut lines: Vec<String> = self.labelled(words.new_text, &clean::words(text)).into_iter().collect();
        lines.extend(self.labelled(words.acceptance_criteria, &criteria));
        lines.extend(
            self.others(json!({ "title": title, "priority": priority, "category": category, "waitsFor": waits_for })),
        );
        lines
    }

    /// Parts that only programs send, one line each.
    fn others(&self, parts: Value) -> Vec<String> {
        let parts = values(&parts, self.language).into_iter();
        parts.filter_map(|(path, words)| self.labelled(&clean::words(&path), &words)).collect()
    }

    fn choice(&self, id: &str, choice: &GapChoice) -> String {
        let of = |value: &str| self.chosen(&format!("gap.{id}"), value);
        let words = messages::Ask::of(self.language);
        let said = |words: &Option<String>| words.as_deref().map(clean::lines).filter(|words| !words.trim().is_empty());
        let assigned = |label, words: &Option<String>| self.labelled(label, &clean::words(words.as_deref()?));
        let lines: Vec<String> = match choice {
            GapChoice::Dismiss { reason } => [of("dismiss")].into_iter().chain(said(&Some(reason.clone()))).collect(),
            GapChoice::Ask { question, owner, due, default } => {
                let assigned =
                    [assigned(words.owner, owner), assigned(words.due, due), assigned(words.until_then, default)];
                [of("ask")].into_iter().chain(said(question)).chain(assigned.into_iter().flatten()).collect()
            }
            GapChoice::Fix { how, criterion, requirement, changes, added } => {
                let decided = if criterion.is_some() { words.acceptance_criteria.to_owned() } else { of("fix") };
                let mut lines = vec![decided];
                lines.extend(said(criterion).or_else(|| said(how)));
                lines.extend(requirement.iter().filter(|_| changes.is_some()).map(ToString::to_string));
                lines.extend(changes.iter().flat_map(|changes| self.changes(changes)));
                let added = added.iter().map(|one| clean::words(&one.description));
                lines.extend(added.filter_map(|text| self.labelled(words.added_requirement, &text)));
                lines
            }
        };
        lines.join("\n")
    }
}
