//! Checks that rule files cannot express, one file each; the file's name is the rule's id.

mod action_without_owner;
mod agent_names_no_check;
mod agent_names_no_limits;
mod agent_names_no_place;
mod agent_only_elsewhere;
mod agent_too_large;
mod broken_cross_reference;
mod circular_benefit;
mod conflicting_demands;
mod conflicting_values;
mod criterion_restates_title;
mod criterion_without_outcome;
mod dangling_list;
mod duplicate_criterion;
mod duplicate_requirement_id;
mod empty_description;
mod empty_section;
mod expected_equals_actual;
mod happy_path_only;
mod intermittent_without_rate;
mod missing_user_story;
mod non_atomic_story;
mod not_minimal_story;
mod nothing_filled_in;
mod only_discussed;
mod open_point;
mod open_question;
mod oversized_ticket;
mod passive_without_actor;
mod quality_without_measure;
mod requirements_without_criteria;
mod screenshot_only_evidence;
mod sensitive_action_without_permission;
mod timer_without_expiry;
mod undecided_topic;
mod undefined_acronym;
mod unfilled_template;
mod unhandled_failure;
mod unmeasured_metric;
mod unreadable_log;
mod unreplaced_placeholder;
mod vague_demand;
mod withdrawn_decision;

pub use undefined_acronym::{is_explained_acronym, is_known_acronym, is_measure};

use super::Context;
use super::claims::Claim;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::Hit;

/// Checks a whole text. The caller knows the rule.
type Check = fn(Context<'_>) -> Vec<Match>;

/// Every check of a whole text with its rule, ordered by id; a test compares the list with the rule files.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("action-without-owner", action_without_owner::check),
    ("agent-names-no-check", agent_names_no_check::check),
    ("agent-names-no-limits", agent_names_no_limits::check),
    ("agent-names-no-place", agent_names_no_place::check),
    ("agent-only-elsewhere", agent_only_elsewhere::check),
    ("agent-too-large", agent_too_large::check),
    ("broken-cross-reference", broken_cross_reference::check),
    ("circular-benefit", circular_benefit::check),
    ("criterion-restates-title", criterion_restates_title::check),
    ("criterion-without-outcome", criterion_without_outcome::check),
    ("dangling-list", dangling_list::check),
    ("duplicate-criterion", duplicate_criterion::check),
    ("duplicate-requirement-id", duplicate_requirement_id::check),
    ("empty-description", empty_description::check),
    ("empty-section", empty_section::check),
    ("expected-equals-actual", expected_equals_actual::check),
    ("happy-path-only", happy_path_only::check),
    ("missing-user-story", missing_user_story::check),
    ("non-atomic-story", non_atomic_story::check),
    ("not-minimal-story", not_minimal_story::check),
    ("nothing-filled-in", nothing_filled_in::check),
    ("only-discussed", only_discussed::check),
    ("open-point", open_point::check),
    ("open-question", open_question::check),
    ("oversized-ticket", oversized_ticket::check),
    ("passive-without-actor", passive_without_actor::check),
    ("quality-without-measure", quality_without_measure::check),
    ("requirements-without-criteria", requirements_without_criteria::check),
    ("screenshot-only-evidence", screenshot_only_evidence::check),
    ("undecided-topic", undecided_topic::check),
    ("undefined-acronym", undefined_acronym::check),
    ("unfilled-template", unfilled_template::check),
    ("unmeasured-metric", unmeasured_metric::check),
    ("unreadable-log", unreadable_log::check),
    ("unreplaced-placeholder", unreplaced_placeholder::check),
    ("vague-demand", vague_demand::check),
    ("withdrawn-decision", withdrawn_decision::check),
];

/// Checks the figures in the rules of a text, which are read once for all of these checks.
type FigureCheck = fn(Context<'_>, &[Claim]) -> Vec<Match>;

/// Every check of figures, ordered by id.
pub(crate) const OF_FIGURES: &[(&str, FigureCheck)] =
    &[("conflicting-demands", conflicting_demands::check), ("conflicting-values", conflicting_values::check)];

/// Checks the places in which the words of its rule occur.
type PlaceCheck = fn(Context<'_>, &[Hit]) -> Vec<Match>;

/// Every check of places, ordered by id.
pub(crate) const AT_WORDS: &[(&str, PlaceCheck)] = &[
    ("intermittent-without-rate", intermittent_without_rate::check),
    ("sensitive-action-without-permission", sensitive_action_without_permission::check),
    ("timer-without-expiry", timer_without_expiry::check),
    ("unhandled-failure", unhandled_failure::check),
];

pub use open_point::reports as reports_as_open;

/// Runs the check of a rule; `None` if it does not exist. `claims` is called only if the check needs figures.
pub fn run<'c>(id: &str, ctx: Context<'_>, claims: impl FnOnce() -> &'c [Claim]) -> Option<Vec<Match>> {
    if let Ok(at) = ALL.binary_search_by(|(name, _)| (*name).cmp(id)) {
        return Some(ALL[at].1(ctx));
    }
    OF_FIGURES.iter().find(|(name, _)| *name == id).map(|(_, check)| check(ctx, claims()))
}

/// Runs the check of a rule at the places of its words; `None` if it does not exist.
pub(crate) fn run_at(id: &str, ctx: Context<'_>, places: &[Hit]) -> Option<Vec<Match>> {
    AT_WORDS.iter().find(|(name, _)| *name == id).map(|(_, check)| check(ctx, places))
}

/// The first of the places that is in a sentence of these genres.
fn first_in(ctx: Context<'_>, places: &[Hit], genres: &[Genre]) -> Option<Span> {
    let reads = |hit: &&Hit| {
        let sentence = ctx.reading.sentence_at(hit.span.start);
        sentence.is_some_and(|sentence| !sentence.struck && genres.contains(&sentence.genre))
    };
    places.iter().find(reads).map(|hit| hit.span)
}
