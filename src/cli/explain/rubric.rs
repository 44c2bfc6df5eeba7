//! `reqgate explain rubric`: lists the rubrics, or explains one: its threshold, dimensions and criteria, and the policies that use it.

use reqgate::model::Language;
use reqgate::suggest::did_you_mean;

use super::super::exit::Failure;
use super::super::page::Page;
use super::super::session::Session;

pub(super) fn list(page: &mut Page, session: &Session) {
    page.paragraph(
        "A rubric gives points for what a text contains. The policy chooses the rubric for each kind of document.",
    );
    page.line("");
    let rubrics = &session.book.rubrics;
    let widest = rubrics.iter().map(|rubric| rubric.file.id.len()).max().unwrap_or(0);
    for rubric in rubrics {
        let id = page.bold(&format!("{:widest$}", rubric.file.id));
        page.line(&format!("{id}  {}", rubric.file.summary));
    }
    page.line("");
    page.paragraph("`reqgate explain rubric NAME` shows the points of a rubric.");
}

/// Explains one rubric.
///
/// # Errors
/// Fails if a rubric of that name does not exist.
pub(super) fn explain(page: &mut Page, session: &Session, name: &str, language: Language) -> Result<(), Failure> {
    let rubrics = &session.book.rubrics;
    let Some(rubric) = rubrics.iter().find(|rubric| rubric.file.id == name) else {
        let known: Vec<&str> = rubrics.iter().map(|rubric| rubric.file.id.as_str()).collect();
        let hint = did_you_mean(name, known.iter().copied());
        let hint = if hint.is_empty() { format!(": choose from {}", known.join(", ")) } else { hint };
        return Err(Failure::usage(format!("there is no rubric `{name}`{hint}")));
    };
    let file = &rubric.file;
    page.line(&format!("{}  {} · rubric for {}", page.bold(&file.id), file.version, file.profile.plural()));
    page.paragraph(&file.summary);
    let of_policies =
        session.book.policies.iter().filter(|policy| policy.file.rubrics.values().any(|id| *id == file.id));
    let of_policies: Vec<&str> = of_policies.map(|policy| policy.file.id.as_str()).collect();
    if !of_policies.is_empty() {
        page.heading("Policies that score with it");
        page.paragraph(&of_policies.join(", "));
    }
    page.heading("Score needed to pass, where no policy sets another");
    page.paragraph(&file.threshold.to_string());
    for dimension in &file.dimensions {
        page.heading(&format!("{} ({:.0} % of the score)", dimension.id, dimension.weight * 100.0));
        for criterion in &dimension.criteria {
            page.line(&format!("  {:>3} points  {}", criterion.points, criterion.advice_in(language)));
        }
    }
    page.heading("To use it");
    page.line(&format!("  reqgate score ticket.md --rubric {}", file.id));
    Ok(())
}
