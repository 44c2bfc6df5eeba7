//! Determines the kind of a ticket from its signs, unless it is stated.

use reqgate_base::model::{FacetEvidence, Facets, TicketType};
use reqgate_rules::FacetModel;
use reqgate_text::Reading;

use super::{Eyes, Form};

/// Points for each kind of ticket, as intake counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindPoints {
    /// Points for new or changed behaviour.
    pub feature: i32,
    /// Points for a fault.
    pub bug: i32,
    /// Points for work without a verifiable change.
    pub task: i32,
    /// Points for a request for help.
    pub question: i32,
    /// The kind stated in a field of an issue form.
    pub form: Option<TicketType>,
}

/// The kind of a ticket with the evidence for each kind; `None` if no facet distinguishes kinds.
///
/// A text is a kind other than a requirement only if that is likely; otherwise it is a bug or a feature, whichever is
/// more likely.
pub fn told_kind(
    models: &[FacetModel],
    text: &str,
    reading: &Reading,
    form: &Form,
    points: KindPoints,
) -> Option<(TicketType, Vec<FacetEvidence>)> {
    let told = kind_evidence(models, text, reading, form, points);
    let log_odds = |id: &str| told.iter().find(|evidence| evidence.facet == id).map(|evidence| evidence.log_odds);
    let bug = log_odds("kind-bug")?;
    let none = [
        ("kind-question", TicketType::Question),
        ("kind-task", TicketType::Task),
        ("kind-discussion", TicketType::Discussion),
    ];
    let likely = none.into_iter().filter_map(|(id, kind)| Some((log_odds(id).filter(|odds| *odds >= 0.0)?, kind)));
    let best = likely.fold(None, |best: Option<(f64, TicketType)>, (odds, kind)| match best {
        Some((most, _)) if most >= odds => best,
        _ => Some((odds, kind)),
    });
    let requirement = if bug >= 0.0 { TicketType::Bug } else { TicketType::Feature };
    Some((best.map_or(requirement, |(_, kind)| kind), told))
}

/// The evidence for and against each kind of ticket, from the models that distinguish kinds.
pub fn kind_evidence(
    models: &[FacetModel],
    text: &str,
    reading: &Reading,
    form: &Form,
    points: KindPoints,
) -> Vec<FacetEvidence> {
    let measures = form.with(reading, &Facets::default(), points);
    let eyes = Eyes::new(text, reading, &measures);
    models.iter().filter(|model| model.tells_kind()).map(|model| eyes.facet(model)).collect()
}
