//! Copies changes of the PRD's sections to the brief that they come from: goals, users, constraints and the like.

use reqgate_gate::stages::intake::feature_part::without_front_matter;

use crate::brief::{BriefSection, parse_brief, render_brief};
use crate::prd_document::PrdDocument;
use crate::{FeatureBrief, SourceQuote, Statement};
use reqgate_docs::write::one_line;

/// The sections whose statements are lists of the PRD.
const SECTIONS: [BriefSection; 7] = [
    BriefSection::Problem,
    BriefSection::Goals,
    BriefSection::Users,
    BriefSection::Flows,
    BriefSection::SuccessMeasures,
    BriefSection::Constraints,
    BriefSection::OutOfScope,
];

/// The source of words that a person typed into the PRD.
const TYPED: &str = "ask:prd_review";

/// The brief after the changes of a PRD.
pub(super) struct Carried {
    /// The brief, with its front matter.
    pub(super) brief: String,
    /// The data of the generated PRD with the changes that the brief has now.
    pub(super) made: PrdDocument,
}

/// Copies the differences between a generated PRD and its approved text to the brief. A statement that was reworded, removed or added
/// is so in the brief; everything else stays, including the sources of other statements.
pub(super) fn carried(brief: &str, made: &PrdDocument, approved: &PrdDocument) -> Carried {
    let body = without_front_matter(brief);
    let front = &brief[..brief.len() - body.len()];
    let (mut read, mut made) = (parse_brief(body), made.clone());
    let before = read.clone();
    for section in SECTIONS {
        let (was, is) = (list(&mut made, section).clone(), list(&mut approved.clone(), section).clone());
        let is_text = approved.other_sections.iter().any(|other| BriefSection::named(&other.heading) == Some(section));
        if was != is && !is_text && follow(&mut read, section, &was, &is) {
            *list(&mut made, section) = is;
        }
    }
    made.goal.clone_from(&approved.goal);
    made.executive_summary.clone_from(&approved.executive_summary);
    made.problem_statement.current_state.clone_from(&approved.problem_statement.current_state);
    if made.frontmatter.title != approved.frontmatter.title {
        read.title.clone_from(&approved.frontmatter.title);
        made.frontmatter.title.clone_from(&approved.frontmatter.title);
    }
    let brief = if read == before { brief.to_owned() } else { format!("{front}{}", render_brief(&read)) };
    Carried { brief, made }
}

/// The list of a PRD for a section of the brief.
fn list(data: &mut PrdDocument, section: BriefSection) -> &mut Vec<String> {
    match section {
        BriefSection::Problem => &mut data.problem_statement.pain_points,
        BriefSection::Goals => &mut data.goals,
        BriefSection::Users => &mut data.users,
        BriefSection::Flows => &mut data.flows,
        BriefSection::SuccessMeasures => &mut data.success_criteria.metrics,
        BriefSection::Constraints => &mut data.constraints,
        BriefSection::OutOfScope | BriefSection::OpenQuestions => &mut data.scope.out_of_scope,
    }
}

/// Makes the changes of one list, in the order of the PRD; returns false, without a change, if a removed item is not a statement of the
/// section, or if the list may be gone or have another form.
fn follow(brief: &mut FeatureBrief, section: BriefSection, was: &[String], is: &[String]) -> bool {
    let Some(statements) = brief.statements_mut(section) else { return false };
    let is_text = |words: &String| !words.contains('\n') && !words.starts_with('|');
    if is.is_empty() || !is.iter().all(is_text) {
        return false;
    }
    // The PRD does not show every statement, and shows exclusions that are not in the brief.
    let mut shown: Vec<Option<usize>> = Vec::new();
    for words in was {
        let own = (0..statements.len())
            .find(|at| !shown.contains(&Some(*at)) && one_line(&statements[*at].text) == one_line(words));
        shown.push(own);
    }
    let mut left: Vec<(&String, Option<usize>)> = was.iter().zip(shown.iter().copied()).collect();
    let mut new: Vec<Result<Statement, &String>> = Vec::new();
    for words in is {
        let same = left.iter().position(|(before, _)| one_line(before) == one_line(words));
        match same.map(|at| left.remove(at)) {
            Some((_, Some(at))) => new.push(Ok(statements[at].clone())),
            Some((_, None)) => {}
            None => new.push(Err(words)),
        }
    }
    if left.iter().any(|(_, at)| at.is_none()) {
        return false;
    }
    let mut gone = left.into_iter().filter_map(|(_, at)| at);
    let new = new.into_iter().map(|known| {
        known.unwrap_or_else(|words| {
            let further_sources = gone.next().into_iter().flat_map(|at| statements[at].sources().cloned()).collect();
            Statement { further_sources, ..typed(words) }
        })
    });
    let mut new = new.collect::<Vec<_>>().into_iter();
    let mut merged = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        match shown.contains(&Some(at)) {
            true => merged.extend(new.next()),
            false => merged.push(statement.clone()),
        }
    }
    merged.extend(new);
    *statements = merged;
    true
}

fn typed(words: &str) -> Statement {
    let source = SourceQuote { source: TYPED.to_owned(), line: 1, quote: words.to_owned() };
    Statement::new(words, Some(source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::Language;

    fn followed(own: &[&str], was: &[&str], is: &[&str]) -> Option<String> {
        let list = |words: &[&str]| words.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let mut brief = FeatureBrief::new("Links", Language::En);
        brief.flows = own.iter().map(|words| Statement::new(*words, None)).collect();
        let is_done = follow(&mut brief, BriefSection::Flows, &list(was), &list(is));
        is_done.then(|| brief.flows.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_list_follows_the_order_and_the_words_of_the_prd_and_keeps_what_the_prd_does_not_show() {
        for (own, was, is, expected) in [
            (&["1", "2"][..], &["1", "2"][..], &["1", "x", "2"][..], "1 x 2"),
            (&["A", "B", "C"], &["A", "B", "C"], &["B", "D"], "B D"),
            (&["A", "B", "C"], &["A", "B", "C"], &["C", "A"], "C A"),
            (&["A", "B", "A"], &["A", "B", "A"], &["B"], "B"),
            (&["A", "B", "A"], &["A", "B", "A"], &["X", "B", "Y"], "X B Y"),
            (&["A", "hidden", "B"], &["A", "B"], &["A2", "B"], "A2 hidden B"),
            (&["A"], &["A", "decided"], &["A", "decided", "new"], "A new"),
        ] {
            assert_eq!(followed(own, was, is).as_deref(), Some(expected), "{own:?} {was:?} {is:?}");
        }
        assert_eq!(followed(&["A"], &["A", "decided"], &["A"]), None, "it is not in the brief");
        assert_eq!(followed(&["A"], &["A"], &[]), None, "the heading may have been renamed");
        assert_eq!(followed(&["A"], &["A"], &["| a | table |"]), None);
    }
}
