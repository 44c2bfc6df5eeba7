//! Questions to people as the flat forms that clients can show, and the answers in them.
//!
//! A form shows everything that is decided. What is too long for one, or needs more than a yes or a few words (a document that the gate
//! stops, requirements that somebody changed by hand), is answered at the command line.

use serde_json::{Map, Value, json};

use reqgate_base::clean;
use reqgate_base::model::{Language, Verdict};
use reqgate_flow::{Asking, Question};
use reqgate_prd::workflow::{Doubted, GateSummary, PrdAsk, PrdWorkflow, doubt_in_words};

/// The longest text of a form, in characters.
const LONGEST: usize = 8_000;
/// The most questions of a form.
const MOST_QUESTIONS: usize = 10;
/// The field with the decision, and its values.
const DECISION: &str = "decision";
const APPROVE: &str = "approve";
const CHANGE: &str = "change";
const CONTINUE: &str = "continue";
/// The field with the changes that are wanted.
const CHANGES: &str = "changes";

/// The parameters of a form: message and schema; `None` for what a form cannot hold.
pub fn form(question: &Asking<PrdWorkflow>, language: Language, mask: &dyn Fn(&str) -> String) -> Option<Value> {
    let Asking::Workflow(ask) = question else { return None };
    let mut lines = vec![question.title_in(language)];
    let mut fields = Map::new();
    let mut required = vec![DECISION];
    match ask {
        PrdAsk::Clarification(ask) => {
            required.clear();
            lines.extend(ask.context.clone());
            lines.push(language.of("Leave empty what you cannot say.", "不清楚的请留空。").to_owned());
            questions(&ask.questions, &mut fields, mask)?;
        }
        PrdAsk::BriefReview(ask) => {
            lines.extend(gate_line(&ask.gate, language));
            lines.extend(doubt_lines(&ask.doubts, language));
            let unused = ask.not_used.len();
            lines.extend((unused > 0).then(|| match language {
                Language::En => format!("Sentences of the sources that it does not use: {unused}"),
                Language::Zh => format!("未采用的来源句子：{unused}"),
            }));
            lines.extend([String::new(), ask.document.clone()]);
            decision([APPROVE, CHANGE], language, &mut fields);
            questions(&ask.open_questions, &mut fields, mask)?;
        }
        PrdAsk::RequirementsReview(ask) if ask.changed_by_hand.is_empty() && !ask.requirements.is_empty() => {
            lines.extend(gate_line(&ask.gate, language));
            lines.extend(doubt_lines(&ask.doubts, language));
            for one in &ask.requirements {
                lines.push(format!("\n{} {}: {}", one.id, one.title, one.description));
                lines.extend(one.acceptance_criteria.iter().map(|criterion| format!("- {criterion}")));
            }
            decision([APPROVE, CHANGE], language, &mut fields);
        }
        PrdAsk::GapDecision(ask) => {
            lines.push(ask.summary.clone());
            lines.extend(ask.identified_gaps.iter().map(|gap| format!("{}: {}", gap.title, gap.description)));
            decision([CONTINUE, CHANGE], language, &mut fields);
        }
        PrdAsk::PrdReview(ask) if ask.gate.verdict.is_pass() && ask.changed_by_hand.is_empty() => {
            lines.extend(gate_line(&ask.gate, language));
            lines.extend(ask.taken_out_in_words(language));
            lines.extend([String::new(), ask.document.clone()]);
            decision([APPROVE, CHANGE], language, &mut fields);
        }
        PrdAsk::Team(ask) if !ask.needs_reason() => {
            lines.extend(ask.gate.as_ref().and_then(|gate| gate_line(gate, language)));
            lines.extend(ask.reason.iter().chain(&ask.summary).chain(&ask.next_steps).cloned());
            lines.extend(
                ask.conflicts
                    .iter()
                    .map(|one| format!("{}: {} | {}: {}", one.critic1, one.suggestion1, one.critic2, one.suggestion2)),
            );
            lines.extend(ask.research_disagreements.iter().chain(&ask.uncited).cloned());
            lines.extend((!ask.unasked.is_empty()).then(|| {
                let lead = language.of("Changed although nobody asked for it: ", "没有要求修改却改动的章节：");
                format!("{lead}{}", ask.unasked.join(language.of(", ", "、")))
            }));
            lines.extend(
                ask.critics
                    .iter()
                    .flat_map(|critic| critic.second_opinion.iter().map(|line| format!("{}: {line}", critic.critic))),
            );
            lines.extend([String::new(), ask.document.clone()]);
            decision([APPROVE, CHANGE], language, &mut fields);
        }
        PrdAsk::RequirementsReview(_) | PrdAsk::PrdReview(_) | PrdAsk::Team(_) => return None,
    }
    let message = clean::lines(&mask(&lines.join("\n")));
    if message.chars().count() > LONGEST || fields.is_empty() {
        return None;
    }
    let mut schema = json!({ "type": "object", "properties": fields });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    Some(json!({ "mode": "form", "message": message, "requestedSchema": schema }))
}

/// The answer that a filled form gives; `None` if nothing was decided or said in it.
pub fn answer(question: &Asking<PrdWorkflow>, content: &Map<String, Value>) -> Option<Value> {
    let Asking::Workflow(ask) = question else { return None };
    let said = |key: &str| content.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let answers = |asked: &[Question]| -> Map<String, Value> {
        let one = |(number, question): (usize, &Question)| Some((question.id.clone(), said(&field(number))?.into()));
        asked.iter().enumerate().filter_map(one).collect()
    };
    let decided = || said(DECISION).filter(|decision| [APPROVE, CHANGE, CONTINUE].contains(decision));
    let mut answer = match ask {
        PrdAsk::Clarification(ask) => {
            let answers = answers(&ask.questions);
            return (!answers.is_empty()).then(|| json!({ "answers": answers }));
        }
        PrdAsk::BriefReview(ask) => {
            json!({ "approved": decided()? == APPROVE, "answers": answers(&ask.open_questions) })
        }
        PrdAsk::RequirementsReview(_) => {
            json!({ "verdicts": [], "others": if decided()? == APPROVE { "approve" } else { "defer" } })
        }
        PrdAsk::GapDecision(_) => json!({ "userIterationOverride": decided()? == CHANGE }),
        PrdAsk::PrdReview(_) => json!({ "prdApproved": decided()? == APPROVE }),
        PrdAsk::Team(_) => json!({ "approved": decided()? == APPROVE }),
    };
    if let Some(changes) = said(CHANGES) {
        answer["userFeedback"] = changes.into();
    }
    Some(answer)
}

fn field(number: usize) -> String {
    format!("answer_{}", number + 1)
}

/// A field for each question; `None` if there are too many.
fn questions(asked: &[Question], fields: &mut Map<String, Value>, mask: &dyn Fn(&str) -> String) -> Option<()> {
    if asked.len() > MOST_QUESTIONS {
        return None;
    }
    for (number, one) in asked.iter().enumerate() {
        let mut shape = json!({ "type": "string", "title": clean::short_line(&mask(&one.question), 300) });
        if let Some(about) = &one.about {
            shape["description"] = clean::short_line(&mask(about), 300).into();
        }
        fields.insert(field(number), shape);
    }
    Some(())
}

fn decision(values: [&str; 2], language: Language, fields: &mut Map<String, Value>) {
    let title = language.of("Your decision", "您的决定");
    let name = |value: &str| match value {
        APPROVE => language.of("Approve", "批准"),
        CONTINUE => language.of("Go on as it is", "按现状继续"),
        _ => language.of("Ask for changes", "要求修改"),
    };
    let names = values.map(name);
    let shape = json!({ "type": "string", "title": title, "enum": values, "enumNames": names });
    fields.insert(DECISION.to_owned(), shape);
    let title = language.of("What is to change", "要改什么");
    fields.insert(CHANGES.to_owned(), json!({ "type": "string", "title": title }));
}

fn gate_line(gate: &GateSummary, language: Language) -> Option<String> {
    let verdict = match gate.verdict {
        Verdict::Pass => language.of("ready", "就绪"),
        Verdict::Reject => language.of("not ready", "未就绪"),
        Verdict::NotApplicable => language.of("not applicable", "不适用"),
        Verdict::GuardrailRejected => language.of("stopped by the guardrail", "被护栏拦下"),
    };
    let blockers = gate.blockers.join(" ");
    if gate.only_tells() {
        let lead = language.of(
            "Still missing (you can approve it anyway; only the PRD must pass the gate): ",
            "还缺（可直接批准，质量门只裁定 PRD）：",
        );
        return Some(format!("{lead}{blockers}").trim_end().to_owned());
    }
    Some(format!("{}{verdict} {blockers}", language.of("Gate: ", "质量门：")).trim_end().to_owned())
}

fn doubt_lines(doubted: &[Doubted], language: Language) -> Vec<String> {
    let words = |one: &Doubted| {
        let doubts: Vec<String> = one.doubts.iter().map(|doubt| doubt_in_words(doubt, language)).collect();
        format!("{}: {}", one.at, doubts.join("; "))
    };
    doubted.iter().map(words).collect()
}
