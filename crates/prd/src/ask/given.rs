//! An answer that was given, part by part, in the words of a person.

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::view::values;
use reqgate_flow::{Asking, InterruptAction, Reply};
use serde_json::{Value, json};

use super::view::{FieldKind, Subject};
use super::{AskView, Reviewed, read, view};
use crate::GapChoice;
use crate::brief::BriefSection;
use crate::requirements::{AddedRequirement, Verdict, VerdictKind};
use crate::workflow::{Others, PrdAnswer, PrdWorkflow};

/// The parts of an answer: the question or the kind of decision, and the words. One that does not read is shown value by value.
pub fn in_words(question: &Asking<PrdWorkflow>, answer: &Value, language: Language) -> Vec<(String, String)> {
    let Ok(given) = read(question, answer) else { return values(answer, language) };
    let mut told = Told { view: view(question, language), language, parts: Vec::new() };
    told.add(&given);
    told.parts.retain(|(_, words)| !words.is_empty());
    told.parts
}

struct Told<'a> {
    view: AskView<'a>,
    language: Language,
    parts: Vec<(String, String)>,
}

impl Told<'_> {
    fn add(&mut self, given: &PrdAnswer) {
        let language = self.language;
        let approved = language.of("approved", "已批准");
        if let Some(Reviewed { approved: is_approved, .. }) = given.reviewed() {
            self.decision(if is_approved { approved } else { language.of("Changes requested", "要求修改") });
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
                    let skip = language.of("Skip the check for gaps after this review", "本次评审后不再查找缺口");
                    self.push(language.of("No further check for gaps", "不再查找缺口"), skip.to_owned());
                }
                if given.others == Some(Others::Approve) {
                    self.push(language.of("All others", "其余"), approved.to_owned());
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
        self.push(self.language.of("Your decision", "您的决定"), decided.to_owned());
    }

    fn words(&mut self, feedback: &Option<String>, because: &str, edited: &Option<String>) {
        let language = self.language;
        let lines = |words: &Option<String>| words.as_deref().map(clean::lines).unwrap_or_default();
        self.push(language.of("Comment", "意见"), lines(feedback));
        self.push(language.of("Reason", "理由"), clean::lines(because));
        self.push(language.of("Edited document", "修改后的文档"), lines(edited));
    }

    fn verdicts(&mut self, verdicts: &[Verdict], added: &[AddedRequirement]) {
        for verdict in verdicts {
            self.push(&verdict.id.to_string(), self.verdict(&verdict.kind));
        }
        for one in added {
            self.push(self.language.of("Added requirement", "补充需求"), clean::words(&one.description));
        }
    }

    /// Parts that only programs send.
    fn rest(&mut self, parts: Value) {
        self.parts.extend(values(&parts, self.language).into_iter().map(|(path, words)| (clean::words(&path), words)));
    }

    /// The thing with this id, as the question shows it.
    fn name(&self, id: &str) -> String {
        let entries = self.view.fields.iter().flat_map(|field| match &field.kind {
            FieldKind::Entries(entries) => entries.as_slice(),
            _ => &[],
        });
        let name = |subject: Subject<'_>| match subject {
            Subject::Question(one) => (one.id == id).then(|| one.question.clone()),
            Subject::Sentence(one) => (one.id == id).then(|| one.place.quote.clone()),
            Subject::Gap(one) => (one.id == id).then(|| format!("{id} {}", one.title)),
            Subject::Requirement(_) => None,
        };
        entries.map(|entry| entry.subject).find_map(name).unwrap_or_else(|| id.to_owned())
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
        let colon = self.language.of(": ", "：");
        (!words.trim().is_empty()).then(|| format!("{label}{colon}{words}"))
    }

    fn reply(&self, reply: &Reply) -> String {
        let language = self.language;
        let labels = [("Owner", "负责人"), ("Due", "期限"), ("Until then", "在此之前")];
        let assigned = labels.into_iter().zip(reply.assigned()).filter_map(|((english, chinese), words)| {
            self.labelled(language.of(english, chinese), &clean::words(words?))
        });
        let assigned: Vec<String> = assigned.collect();
        match (reply.answer(), assigned.is_empty()) {
            (Some(answer), true) => clean::lines(answer),
            (answer, _) => {
                let all: Vec<String> = answer.map(clean::words).into_iter().chain(assigned).collect();
                all.join(language.of("; ", "；"))
            }
        }
    }

    fn verdict(&self, kind: &VerdictKind) -> String {
        let said = |english, chinese| self.language.of(english, chinese);
        let (decided, reason, changes) = match kind {
            VerdictKind::Approve => (said("approved", "已批准"), "", None),
            VerdictKind::Reject { reason } => (said("rejected", "已驳回"), reason.as_str(), None),
            VerdictKind::OutOfScope { reason } => (said("Out of scope", "范围之外"), reason.as_str(), None),
            VerdictKind::Modify { changes, reason } => {
                (said("Approve with changes", "修改后批准"), reason.as_str(), Some(changes))
            }
            VerdictKind::Defer => (said("Not decided yet", "暂不决定"), "", None),
        };
        let text = changes.and_then(|changes| changes.description.as_deref()).unwrap_or_default();
        let criteria = changes.and_then(|changes| changes.acceptance_criteria.as_deref()).unwrap_or_default();
        let criteria: String = criteria.iter().map(|one| format!("\n– {}", clean::words(one))).collect();
        let parts = [
            self.labelled(said("New text", "新的文字"), &clean::words(text)),
            self.labelled(said("Acceptance criteria", "验收标准"), &criteria),
            self.labelled(said("Reason", "理由"), &clean::words(reason)),
        ];
        std::iter::once(decided.to_owned()).chain(parts.into_iter().flatten()).collect::<Vec<_>>().join("\n")
    }

    fn choice(&self, id: &str, choice: &GapChoice) -> String {
        let of = |value: &str| self.chosen(&format!("gap.{id}"), value);
        let (decided, words) = match choice {
            GapChoice::Dismiss { reason } => (of("dismiss"), Some(reason)),
            GapChoice::Ask { question, .. } => (of("ask"), question.as_ref()),
            GapChoice::Fix { criterion: Some(criterion), .. } => {
                (self.language.of("Acceptance criteria", "验收标准").to_owned(), Some(criterion))
            }
            GapChoice::Fix { how, .. } => (of("fix"), how.as_ref()),
        };
        let words = words.map(|words| clean::lines(words)).filter(|words| !words.trim().is_empty());
        std::iter::once(decided).chain(words).collect::<Vec<_>>().join("\n")
    }
}
