//! The fields that somebody has filled in → the answer as data. Its check is that of every answer.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::judge::in_form;
use reqgate_flow::{Asking, InterruptAction, interrupt_answer};
use reqgate_prd::brief::decode;
use reqgate_prd::workflow::{GapDecision, PrdAsk, PrdWorkflow, RequirementsReview};
use reqgate_prd::{Requirement, RequirementId, unescaped};

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

    /// The fields with words, in their order.
    pub(super) fn typed(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, value)| !matches!(*name, "csrf" | "lang") && !value.trim().is_empty())
    }

    /// The words of a field; empty if there are none.
    pub(super) fn words(&self, name: &str) -> &str {
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unclear {
    /// No decision was chosen.
    Undecided,
    /// The document was edited, and the decision is not about the edited one.
    EditedButNotChosen,
    /// The edited document was chosen, and the document is empty or as it was shown.
    ChosenButNotEdited,
    /// This requirement is to be changed, and nothing in it was.
    NothingChanged(RequirementId),
    /// The review decides on no requirement.
    NothingDecided,
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
        PrdAsk::RequirementsReview(ask) => requirements(fields, ask),
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
            // The reason holds for the edited text as well, if the gate stops it.
            if matches!(decision, "approve" | "edit") {
                words(&mut answer, "gateOverride", fields.words("because"));
            }
            Ok(Value::Object(answer))
        }
        PrdAsk::Team(ask) => {
            let mut answer = decided(fields, "approved", &ask.document)?;
            if matches!(decision, "approve" | "edit") {
                words(&mut answer, "because", fields.words("because"));
            }
            Ok(Value::Object(answer))
        }
    }
}

/// The decision on a document. What somebody has typed is never lost: an approval with changes in words is refused by the check of
/// the answer, an edited document that is not chosen here.
fn decided(fields: &Fields, name: &str, document: &str) -> Result<Map<String, Value>, Unclear> {
    let edited = fields.get("document").map(|edited| restored(edited, document));
    let edited = edited.as_deref().unwrap_or(document);
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

/// The document with the lines that were not edited as they were: the field shows them without the entities of Markdown.
fn restored(edited: &str, document: &str) -> String {
    let with_entities = document.lines().map(|line| (readable_line(line), line));
    let shown: HashMap<String, &str> =
        with_entities.filter(|(shown, line)| shown != line && !shown.trim().is_empty()).collect();
    let mut out = String::with_capacity(edited.len());
    for line in edited.split_inclusive('\n') {
        let (words, end) = line.strip_suffix('\n').map_or((line, ""), |words| (words, "\n"));
        out.push_str(shown.get(words).copied().unwrap_or(words));
        out.push_str(end);
    }
    out
}

/// The text of a document as people read it: without the entities that keep words from being markup.
pub(super) fn readable(document: &str) -> String {
    document.split('\n').map(readable_line).collect::<Vec<_>>().join("\n")
}

fn readable_line(line: &str) -> String {
    in_form(&unescaped(&decode(line)))
}

fn requirements(fields: &Fields, ask: &RequirementsReview) -> Result<Value, Unclear> {
    let known = || ask.requirements.iter().chain(ask.decided.iter().map(|one| &one.requirement));
    let mut verdicts = Vec::new();
    for (id, verdict) in fields.all("verdict.") {
        let reason = fields.words(&format!("reason.{id}"));
        verdicts.push(match verdict {
            "reject" | "out_of_scope" => json!({ "id": id, "verdict": verdict, "reason": reason }),
            "modify" => {
                let before = known().find(|one| one.id.to_string() == id);
                let changes = changes(fields, id, before);
                if let Some(before) = before.filter(|_| changes.is_empty()) {
                    return Err(Unclear::NothingChanged(before.id.clone()));
                }
                json!({ "id": id, "verdict": verdict, "changes": changes, "reason": reason })
            }
            _ => json!({ "id": id, "verdict": verdict }),
        });
    }
    let added = fields.words("added").lines().map(str::trim).filter(|line| !line.is_empty());
    let added: Vec<Value> = added.map(|line| json!({ "description": line })).collect();
    let says_more = ["others", "enough", "feedback"].iter().any(|name| !fields.words(name).is_empty());
    if verdicts.is_empty() && added.is_empty() && !says_more {
        return Err(Unclear::NothingDecided);
    }
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
    Ok(Value::Object(answer))
}

/// The fields of a requirement that differ from what was shown.
fn changes(fields: &Fields, id: &str, before: Option<&Requirement>) -> Map<String, Value> {
    let mut changes = Map::new();
    let text = fields.words(&format!("text.{id}"));
    if !text.is_empty() && before.is_none_or(|before| in_form(&before.description).trim() != text) {
        changes.insert("description".to_owned(), text.into());
    }
    let criteria: Vec<&str> = lines(fields.words(&format!("criteria.{id}"))).collect();
    let shown = before.map(|before| in_form(&before.acceptance_criteria.join("\n"))).unwrap_or_default();
    if !criteria.is_empty() && !criteria.iter().copied().eq(lines(&shown)) {
        changes.insert("acceptanceCriteria".to_owned(), json!(criteria));
    }
    changes
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
