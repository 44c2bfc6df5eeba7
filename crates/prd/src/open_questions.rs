//! Finds the unanswered questions of a feature, in whichever of its documents they are.

use crate::Requirement;
use crate::brief::parse_brief;
use crate::prd_document::PrdQuestion;
use crate::prd_text::questions_of_text;
use crate::requirements::RequirementsDocument;
use crate::waiting::waiting;

/// The questions of a feature that have no answer, with the requirements that wait for them: from the data of its PRD, otherwise from
/// its brief, otherwise from the text of its requirements.
pub fn open_questions(
    prd: Option<&serde_json::Value>,
    (brief, text): (&str, &str),
    requirements: &RequirementsDocument,
) -> Vec<PrdQuestion> {
    let of_prd = prd.and_then(|prd| serde_json::from_value::<Vec<PrdQuestion>>(prd.get("questions")?.clone()).ok());
    let of_brief = || {
        let questions = match brief.trim().is_empty() {
            true => questions_of_text(text),
            false => parse_brief(brief).open_questions.into_iter().map(|question| (question, Vec::new())).collect(),
        };
        let (questions, listed): (Vec<_>, Vec<_>) = questions.into_iter().unzip();
        let requirements: Vec<&Requirement> = requirements.requirements().map(|one| &one.requirement).collect();
        let waiting = waiting(&questions, &requirements, &[]);
        let asked = questions.iter().zip(listed).map(|(question, listed)| {
            let mut asked = PrdQuestion::waited_for(question, &waiting);
            asked.blocks.extend(listed);
            asked.blocks.sort();
            asked.blocks.dedup();
            asked
        });
        asked.collect()
    };
    let mut questions = of_prd.unwrap_or_else(of_brief);
    questions.retain(|one| one.answer.is_none());
    questions
}
