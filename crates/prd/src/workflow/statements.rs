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
        if was != is && follow(&mut read, section, &was, &is) {
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

/// Makes the changes of one list; returns false, without a change, if a removed item is not a statement of the section.
fn follow(brief: &mut FeatureBrief, section: BriefSection, was: &[String], is: &[String]) -> bool {
    let bare = |words: &String| one_line(words);
    let removed: Vec<&String> = was.iter().filter(|one| !is.iter().any(|now| bare(now) == bare(one))).collect();
    let mut added = is.iter().filter(|one| !was.iter().any(|before| bare(before) == bare(one)));
    let Some(statements) = brief.statements_mut(section) else { return false };
    let at = |words: &String| statements.iter().position(|statement| one_line(&statement.text) == bare(words));
    let Some(mut places) = removed.into_iter().map(at).collect::<Option<Vec<usize>>>() else { return false };
    places.sort_unstable();
    let mut gone = Vec::new();
    for place in places {
        match added.next() {
            Some(words) => statements[place] = typed(words),
            None => gone.push(place),
        }
    }
    for place in gone.into_iter().rev() {
        statements.remove(place);
    }
    statements.extend(added.map(typed));
    true
}

fn typed(words: &String) -> Statement {
    let source = SourceQuote { source: TYPED.to_owned(), line: 1, quote: words.clone() };
    Statement::new(words.clone(), Some(source))
}
