//! The decision on gaps, on all of them or on each.

use reqgate_base::model::Language;
use reqgate_messages as messages;

use super::view::{AskView, Entry, Field, Note, Subject};
use super::{Input, Kind, Unclear};
use crate::workflow::{GapDecision, GapDecisionAnswer, PrdAnswer};
use crate::{Gap, GapChoice, Strength};

impl Kind for GapDecision {
    fn view(&self, language: Language) -> AskView<'_> {
        let close = messages::Ask::of(language).close_gaps;
        let leave = messages::Ask::of(language).leave_gaps;
        let score = messages::Ask::of(language).score_decides;
        let all = messages::Ask::of(language).all_gaps;
        let entries = self.identified_gaps.iter().map(|gap| entry(gap, language)).collect();
        AskView {
            subject: messages::Ask::of(language).subject_gaps,
            effect: messages::Ask::of(language).effect_gaps,
            yes_or_no: Some([leave, close]),
            context: Some(Note { title: String::new(), lines: vec![self.score_in_words(language)] }),
            gaps: Some(self),
            notes: self.remarks(language),
            fields: vec![
                Field::entries("gaps", "", entries),
                Field::choice("decision", all, &[("close", close), ("go-on", leave), ("score", score)]),
                Field::words("feedback", messages::Ask::of(language).next_round, 3),
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
}

impl GapDecision {
    /// The share of requirements without a gap, and the share below which another round is recommended.
    fn score_in_words(&self, language: Language) -> String {
        let percent = |share: f64| format!("{:.0}", 100.0 * share);
        messages::Ask::of(language).gap_score(&percent(self.gap_analysis_score), &percent(self.threshold))
    }

    /// The strengths and the recommendations.
    fn remarks(&self, language: Language) -> Vec<Note> {
        let said = messages::Prd::of(language);
        let strengths = Note::new(said.gap_strengths, self.requirement_strengths.iter().map(Strength::in_words));
        let advice = Note::new(said.gap_recommendations, self.recommendations.iter().cloned());
        strengths.into_iter().chain(advice).collect()
    }

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
        ("", messages::Ask::of(language).gap_leave),
        ("fix", messages::Ask::of(language).gap_fix),
        ("ask", messages::Ask::of(language).gap_ask),
        ("dismiss", messages::Ask::of(language).gap_dismiss),
    ];
    let criterion = gap.requirements.first().map(|id| messages::Ask::of(language).gap_criterion(id));
    if let Some(label) = criterion.as_deref().filter(|_| gap.requirements.len() == 1) {
        options.insert(1, ("criterion", label));
    }
    let hint = messages::Ask::of(language).gap_hint;
    let words = messages::Ask::of(language).gap_words;
    let fields = vec![
        Field::choice(format!("gap.{}", gap.id), messages::Ask::of(language).your_decision, &options),
        Field::words(format!("gap-words.{}", gap.id), words, 2).hinted(hint),
    ];
    Entry { subject: Subject::Gap(gap), fields }
}
