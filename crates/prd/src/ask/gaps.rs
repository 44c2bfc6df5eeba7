//! The decision on gaps, on all of them or on each.

use reqgate_base::model::Language;
use reqgate_flow::{Problem, read_reply};
use serde_json::Value;

use super::view::{AskView, Entry, Field, Subject};
use super::{Input, Kind, Unclear};
use crate::workflow::{GapDecision, GapDecisionAnswer, PrdAnswer};
use crate::{Gap, GapChoice};

impl Kind for GapDecision {
    fn view(&self, language: Language) -> AskView<'_> {
        let close = language.of("Fix them in another round", "再来一轮，补上缺口");
        let leave = language.of("Continue without fixing", "保留缺口，继续");
        let score = language.of("Decide automatically", "自动决定");
        let all = language.of("All gaps without their own decision", "没有单独决定的缺口");
        let entries = self.identified_gaps.iter().map(|gap| entry(gap, language)).collect();
        AskView {
            subject: language.of("gaps for a decision", "待决定的缺口"),
            effect: language.of("Decide whether the gaps are fixed first.", "决定是否先补上缺口。"),
            yes_or_no: Some([leave, close]),
            gaps: Some(self),
            fields: vec![
                Field::entries("gaps", "", entries),
                Field::choice("decision", all, &[("close", close), ("go-on", leave), ("score", score)]),
                Field::words("feedback", language.of("What should the next round add?", "下一轮要补什么？"), 3),
            ],
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        let decided = match input.words("decision") {
            "close" | "change" => Some(true),
            "go-on" | "approve" => Some(false),
            "score" => None,
            // Decisions on single gaps are one.
            "" if input.each("gap.").next().is_some() => None,
            _ => return Err(Unclear::Undecided),
        };
        let gaps =
            input.each("gap.").filter_map(|(id, decision)| Some((id.to_owned(), self.choice(input, id, decision)?)));
        Ok(PrdAnswer::GapDecision(GapDecisionAnswer {
            user_iteration_override: decided,
            gaps: gaps.collect(),
            user_feedback: input.said("feedback"),
        }))
    }

    fn read(&self, answer: &Value) -> Result<PrdAnswer, Vec<Problem>> {
        read_reply(answer).map(PrdAnswer::GapDecision)
    }
}

impl GapDecision {
    /// The decision on one gap; its words are a criterion, a reason, a question, or the result that the next round is to bring. The
    /// check of the answer demands them where they are needed.
    fn choice(&self, input: &Input, id: &str, decision: &str) -> Option<GapChoice> {
        let name = format!("gap-words.{id}");
        let said = || input.words(&name).to_owned();
        let fix = |how, criterion, requirement| GapChoice::Fix {
            how,
            criterion,
            requirement,
            changes: None,
            added: Vec::new(),
        };
        Some(match decision {
            "criterion" => {
                let about =
                    self.identified_gaps.iter().find(|gap| gap.id == id).and_then(|gap| gap.requirements.first());
                fix(None, Some(said()), about.cloned())
            }
            "dismiss" => GapChoice::Dismiss { reason: said() },
            "ask" => GapChoice::Ask { question: input.said(&name), owner: None, due: None, default: None },
            "fix" => fix(input.said(&name), None, None),
            _ => return None,
        })
    }
}

/// One gap; without a decision on it, the one on all of them counts.
fn entry(gap: &Gap, language: Language) -> Entry<'_> {
    let mut options = vec![
        ("", language.of("Same as for all gaps", "与全部缺口相同")),
        ("fix", language.of("Fix it in another round", "再来一轮，补上")),
        ("ask", language.of("Make it an open question", "列为待解问题")),
        ("dismiss", language.of("Dismiss (give a reason)", "忽略（说明理由）")),
    ];
    let criterion = gap.requirements.first().map(|id| {
        language.of(
            format!("Close it: add the words below as a criterion of {id}"),
            format!("当场补上：把下面的内容作为 {id} 的验收标准"),
        )
    });
    if let Some(label) = criterion.as_deref().filter(|_| gap.requirements.len() == 1) {
        options.insert(1, ("criterion", label));
    }
    let hint = language.of(
        "One criterion per line. A question may end with its owner and day: (owner: Petra, by 28 November).",
        "验收标准每行一条。问题末尾可写负责人和日期：（负责人：王强，12 月 5 日前）。",
    );
    let words = language.of("Criterion, question or reason", "验收标准、问题或理由");
    let fields = vec![
        Field::choice(format!("gap.{}", gap.id), language.of("Your decision", "您的决定"), &options),
        Field::words(format!("gap-words.{}", gap.id), words, 2).hinted(hint),
    ];
    Entry { subject: Subject::Gap(gap), fields }
}
