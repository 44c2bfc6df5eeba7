//! The fields that somebody has filled in → the answer as data. Its check is that of every answer.

use serde_json::{Map, Value, json};

use super::judge::in_form;
use crate::prd::workflow::{GapDecision, PrdAsk, PrdWorkflow};
use crate::workflow::{Asking, InterruptAction, interrupt_answer};

/// The fields of a form, in their order; of two with one name the first counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Fields as a browser sends them. Line ends become those of this system.
    pub fn new(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name, value.replace("\r\n", "\n"))).collect())
    }

    /// The value of a field; `None` if it was not sent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// True if nothing was sent.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words that somebody has typed, field by field.
    pub(super) fn typed_words(&self) -> Vec<(String, String)> {
        let is_typed =
            |(name, value): &&(String, String)| !matches!(name.as_str(), "csrf" | "lang") && !value.trim().is_empty();
        self.0.iter().filter(is_typed).map(|(name, value)| (in_form(name), in_form(value))).collect()
    }

    /// The words of a field; empty if there are none.
    fn words(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default().trim()
    }

    /// The fields with words whose names begin so, by the rest of their names.
    fn all<'f>(&'f self, prefix: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let rest = move |name: &'f str| name.strip_prefix(prefix);
        self.0
            .iter()
            .filter_map(move |(name, value)| Some((rest(name)?, value.trim())))
            .filter(|(_, value)| !value.is_empty())
    }

    /// Such fields as an object.
    fn object(&self, prefix: &str) -> Value {
        Value::Object(self.all(prefix).map(|(name, value)| (name.to_owned(), value.into())).collect())
    }
}

/// Why fields are not an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unclear {
    /// No decision was chosen.
    Undecided,
    /// The document was edited, and the decision is not about the edited one.
    EditedButNotChosen,
    /// The edited document was chosen, and the document is empty or as it was shown.
    ChosenButNotEdited,
}

/// The answer in the fields.
///
/// # Errors
/// Fails if the fields do not say which decision is meant.
pub fn answer(question: &Asking<PrdWorkflow>, fields: &Fields) -> Result<Value, Unclear> {
    let decision = fields.words("decision");
    let ask = match question {
        Asking::Engine(..) => {
            return match decision {
                "continue" => Ok(interrupt_answer(InterruptAction::Continue)),
                "abort" => Ok(interrupt_answer(InterruptAction::Abort)),
                _ => Err(Unclear::Undecided),
            };
        }
        Asking::Workflow(ask) => ask,
    };
    match ask {
        PrdAsk::Clarification(_) => Ok(json!({ "answers": fields.object("answer.") })),
        PrdAsk::BriefReview(ask) => {
            let mut answer = decided(fields, "approved", &ask.document)?;
            answer.insert("answers".to_owned(), fields.object("answer."));
            answer.insert("adopt".to_owned(), fields.object("adopt."));
            Ok(Value::Object(answer))
        }
        PrdAsk::RequirementsReview(_) => Ok(requirements(fields)),
        PrdAsk::GapDecision(ask) => {
            let decided = match decision {
                "close" => Value::Bool(true),
                "go-on" => Value::Bool(false),
                "score" => Value::Null,
                // Decisions on single gaps are one.
                "" if fields.all("gap.").next().is_some() => Value::Null,
                _ => return Err(Unclear::Undecided),
            };
            let mut answer = Map::new();
            answer.insert("userIterationOverride".to_owned(), decided);
            let gaps: Map<String, Value> =
                fields.all("gap.").map(|(id, decision)| gap(fields, ask, id, decision)).collect();
            if !gaps.is_empty() {
                answer.insert("gaps".to_owned(), gaps.into());
            }
            words(&mut answer, "userFeedback", fields.words("feedback"));
            Ok(Value::Object(answer))
        }
        PrdAsk::PrdReview(ask) => {
            let mut answer = decided(fields, "prdApproved", &ask.document)?;
            if !ask.open_questions.is_empty() {
                answer.insert("answers".to_owned(), fields.object("answer."));
            }
            if decision == "approve" {
                words(&mut answer, "gateOverride", fields.words("because"));
            }
            Ok(Value::Object(answer))
        }
        PrdAsk::Team(ask) => {
            let mut answer = decided(fields, "approved", &ask.document)?;
            if decision == "approve" {
                words(&mut answer, "because", fields.words("because"));
            }
            Ok(Value::Object(answer))
        }
    }
}

/// The decision on a document. What somebody has typed is never lost: an approval with changes in words is refused by the check of
/// the answer, an edited document that is not chosen here.
fn decided(fields: &Fields, name: &str, document: &str) -> Result<Map<String, Value>, Unclear> {
    let edited = fields.get("document").unwrap_or(document);
    let is_edited = !edited.trim().is_empty() && in_form(edited).trim() != in_form(document).trim();
    let decision = fields.words("decision");
    let is_approved = match decision {
        "approve" | "change" if is_edited => return Err(Unclear::EditedButNotChosen),
        // Otherwise the shown document would be approved in place of one that nobody has written.
        "edit" if !is_edited => return Err(Unclear::ChosenButNotEdited),
        "approve" | "edit" => true,
        "change" => false,
        _ => return Err(Unclear::Undecided),
    };
    let mut answer = Map::new();
    answer.insert(name.to_owned(), is_approved.into());
    words(&mut answer, "userFeedback", fields.words("feedback"));
    if decision == "edit" {
        words(&mut answer, "editedDocument", edited);
    }
    Ok(answer)
}

fn words(answer: &mut Map<String, Value>, name: &str, words: &str) {
    if !words.trim().is_empty() {
        answer.insert(name.to_owned(), words.into());
    }
}

/// The decision on a gap; the words beside it are a reason, a question, or what the next round is to bring.
fn gap(fields: &Fields, ask: &GapDecision, id: &str, decision: &str) -> (String, Value) {
    let said = fields.words(&format!("gap-words.{id}"));
    let mut choice = Map::new();
    let is_criterion = decision == "criterion";
    choice.insert("decision".to_owned(), if is_criterion { "fix" } else { decision }.into());
    match decision {
        // Their checks demand words.
        "criterion" => {
            let about = ask.identified_gaps.iter().find(|gap| gap.id == id).and_then(|gap| gap.requirements.first());
            choice.insert("requirement".to_owned(), json!(about));
            choice.insert("criterion".to_owned(), said.into());
        }
        "dismiss" => _ = choice.insert("reason".to_owned(), said.into()),
        "ask" => words(&mut choice, "question", said),
        _ => words(&mut choice, "how", said),
    }
    (id.to_owned(), choice.into())
}

fn requirements(fields: &Fields) -> Value {
    let verdict = |(id, verdict): (&str, &str)| {
        let reason = fields.words(&format!("reason.{id}"));
        match verdict {
            "reject" | "out_of_scope" => json!({ "id": id, "verdict": verdict, "reason": reason }),
            "modify" => {
                let text = fields.words(&format!("text.{id}"));
                json!({ "id": id, "verdict": verdict, "changes": { "description": text }, "reason": reason })
            }
            _ => json!({ "id": id, "verdict": verdict }),
        }
    };
    let verdicts: Vec<Value> = fields.all("verdict.").map(verdict).collect();
    let added = fields.words("added").lines().map(str::trim).filter(|line| !line.is_empty());
    let added: Vec<Value> = added.map(|line| json!({ "description": line })).collect();
    let mut answer = Map::new();
    answer.insert("verdicts".to_owned(), verdicts.into());
    answer.insert("added".to_owned(), added.into());
    words(&mut answer, "userFeedback", fields.words("feedback"));
    if fields.get("others").is_some() {
        answer.insert("others".to_owned(), "approve".into());
    }
    if fields.get("enough").is_some() {
        answer.insert("userIterationPreference".to_owned(), true.into());
    }
    Value::Object(answer)
}
