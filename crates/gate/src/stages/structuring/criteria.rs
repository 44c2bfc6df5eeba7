//! Finds acceptance criteria: list items, scenarios, table rows, decided rules, and rules in plain prose.

use reqgate_base::model::{Criterion, CriterionForm, Genre, SectionRole};
use reqgate_rules::Profile;
use reqgate_text::lexicon::open_with;
use reqgate_text::quantities::quantities;
use reqgate_text::words::conversations::{OWN_AFFAIRS, SMALL_TALK};
use reqgate_text::words::criteria::OPENINGS;
use reqgate_text::{Block, BlockKind, Cue, Reading, Sentence};

use super::statement::{self, ENOUGH_IN_PROSE, ENOUGH_UNDER_A_HEADING};

/// The criteria of a text, in order.
pub(crate) fn criteria(text: &str, reading: &Reading, profile: Profile) -> Vec<Criterion> {
    let mut out = Vec::new();
    let mut at = 0;
    // An author who leaves the section for criteria empty has not written criteria; the rest of the text is not a
    // substitute.
    let left_empty = reading.has_section(SectionRole::AcceptanceCriteria)
        && reading.in_role(SectionRole::AcceptanceCriteria).all(|s| s.is_placeholder);
    while at < reading.sentences.len() {
        let sentence = &reading.sentences[at];
        if sentence.genre == Genre::GherkinStep {
            let end = scenario_end(text, &reading.sentences, at);
            out.extend(scenario(text, reading, &reading.sentences[at..end]));
            at = end;
            continue;
        }
        let end = item_end(reading, at);
        out.extend(item(text, reading, &reading.sentences[at..end], profile, left_empty));
        at = end;
    }
    out
}

/// The end of a scenario: the next Given, When or Scenario that follows an outcome.
pub(super) fn scenario_end(text: &str, sentences: &[Sentence], start: usize) -> usize {
    let mut seen_outcome = false;
    for (offset, sentence) in sentences[start..].iter().enumerate() {
        if sentence.genre != Genre::GherkinStep {
            return start + offset;
        }
        let head = keyword(sentence.span.slice(text));
        let opens =
            ["scenario", "given", "when", "假如", "假设", "假定", "当", "场景"].iter().any(|k| head.starts_with(k));
        if offset > 0 && opens && (seen_outcome || head.starts_with("scenario") || head.starts_with("场景")) {
            return start + offset;
        }
        seen_outcome |= head.starts_with("then") || head.starts_with("那么") || head.starts_with('则');
    }
    sentences.len()
}

fn keyword(words: &str) -> String {
    words.trim_start_matches(['*', '_', '-', ' ']).chars().take(10).flat_map(char::to_lowercase).collect()
}

fn scenario(text: &str, reading: &Reading, steps: &[Sentence]) -> Option<Criterion> {
    let span = steps.first()?.span.join(steps.last()?.span);
    let mut in_outcome = false;
    let mut best: Option<i32> = None;
    let mut negative = false;
    for step in steps {
        let head = keyword(step.span.slice(text));
        let is_outcome = head.starts_with("then") || head.starts_with("那么") || head.starts_with('则');
        in_outcome = is_outcome
            || in_outcome
                && (head.starts_with("and")
                    || head.starts_with("but")
                    || ["并且", "而且", "但是", "且"].iter().any(|k| head.starts_with(k)));
        let weight = statement::weigh(text, reading, step);
        negative |= weight.negative;
        if in_outcome {
            // The keyword itself is a condition and does not count for the outcome.
            best = best.max(Some(weight.score + 1));
        }
    }
    let score = best?;
    Some(Criterion { span, form: CriterionForm::Scenario, verifiable: score >= ENOUGH_UNDER_A_HEADING, negative })
}

/// The end of the sentences that belong together: those of one list item, row or turn. A paragraph is read sentence by
/// sentence.
pub(super) fn item_end(reading: &Reading, start: usize) -> usize {
    let block = reading.sentences[start].block;
    if !matches!(reading.blocks[block].kind, BlockKind::ListItem | BlockKind::TableRow { .. }) {
        return start + 1;
    }
    // Each line of a criteria cell is a separate criterion.
    let own = reading.sections[reading.section_of[block]].role;
    if reading.sentences[start].role != own {
        return start + 1;
    }
    let same = |s: &Sentence| s.block == block && s.genre != Genre::GherkinStep && s.role == own;
    start + reading.sentences[start..].iter().take_while(|s| same(s)).count().max(1)
}

fn item(
    text: &str,
    reading: &Reading,
    sentences: &[Sentence],
    profile: Profile,
    left_empty: bool,
) -> Option<Criterion> {
    let first = sentences.first()?;
    let block = &reading.blocks[first.block];
    let in_talk = block.kind == BlockKind::Turn || profile == Profile::Meeting && first.role == SectionRole::Notes;
    if first.struck || !can_hold(first, block) || in_talk && is_remark(text, first) {
        return None;
    }
    let span = first.span.join(sentences.last()?.span);
    let mut negative = false;
    let weights = sentences.iter().map(|s| (statement::weigh(text, reading, s), s));
    let (weight, sentence) =
        weights.inspect(|(weight, _)| negative |= weight.negative).max_by_key(|(weight, _)| weight.score)?;
    let labelled = is_labelled(first.role, profile) || announces(first.span.slice(text));
    let listed = matches!(block.kind, BlockKind::ListItem | BlockKind::TableRow { .. });
    let form = match block.kind {
        BlockKind::TableRow { .. } => CriterionForm::TableRow,
        BlockKind::Turn => CriterionForm::Decision,
        BlockKind::ListItem if labelled => CriterionForm::ListItem,
        _ if first.role == SectionRole::Decisions => CriterionForm::Decision,
        _ => CriterionForm::Sentence,
    };
    let enough = if left_empty {
        if labelled { ENOUGH_UNDER_A_HEADING + 1 } else { ENOUGH_IN_PROSE + 2 }
    } else if labelled {
        ENOUGH_UNDER_A_HEADING
    } else if block.kind == BlockKind::Turn && profile == Profile::Meeting {
        // Spoken sentences are short; a sentence with a value or a decision is a rule.
        let firm = sentence.cues.any(&[Cue::Decision, Cue::Obligation]) || has_value(text, sentence);
        if firm { ENOUGH_UNDER_A_HEADING } else { ENOUGH_UNDER_A_HEADING + 1 }
    } else if listed {
        ENOUGH_IN_PROSE - 2
    } else {
        ENOUGH_IN_PROSE
    };
    let complains = sentence.cues.has(Cue::Pain) && sentence.cues.has(Cue::Need) && !sentence.cues.has(Cue::Obligation);
    let reports = complains || !labelled && statement::is_report(sentence);
    let verifiable = weight.score >= enough && !reports;
    // Items under the heading are meant as criteria, checkable or not; prose is a criterion only if it is a rule.
    let called = labelled && first.role == SectionRole::AcceptanceCriteria && !first.cues.has(Cue::Placeholder);
    (verifiable || called).then_some(Criterion { span, form, verifiable, negative })
}

/// Returns true for a sentence of a conversation about the conversation, its speaker or current problems, unless it
/// also decides something.
fn is_remark(text: &str, sentence: &Sentence) -> bool {
    let lower = sentence.span.slice(text).trim_start().to_lowercase();
    !sentence.cues.has(Cue::Decision)
        && (SMALL_TALK.begin(&lower) || OWN_AFFAIRS.begin(&lower) || sentence.cues.has(Cue::Pain))
}

/// Returns true for words that announce a criterion, such as "Done when …".
fn announces(words: &str) -> bool {
    OPENINGS.iter().any(|opening| open_with(words.chars(), opening))
}

fn has_value(text: &str, sentence: &Sentence) -> bool {
    quantities(text, sentence.span).iter().any(|quantity| quantity.dimension.is_some())
}

/// Returns true for a section that may contain acceptance criteria.
pub(super) fn may_hold(role: SectionRole) -> bool {
    !matches!(
        role,
        SectionRole::Metadata
            | SectionRole::Environment
            | SectionRole::Evidence
            | SectionRole::Actions
            | SectionRole::Timeline
            | SectionRole::Audience
            | SectionRole::OutOfScope
            | SectionRole::OpenQuestions
            | SectionRole::Alternatives
            | SectionRole::Resources
            | SectionRole::Steps
            | SectionRole::Actual
            | SectionRole::Risks
            | SectionRole::Title
    )
}

fn can_hold(sentence: &Sentence, block: &Block) -> bool {
    let role = may_hold(sentence.role);
    let genre = !matches!(
        sentence.genre,
        Genre::Title
            | Genre::Heading
            | Genre::Code
            | Genre::Quotation
            | Genre::Question
            | Genre::UserStory
            | Genre::Aside
    );
    role && genre && !block.quoted
}

/// Returns true if the section itself says that its content is binding.
fn is_labelled(role: SectionRole, profile: Profile) -> bool {
    matches!(
        role,
        SectionRole::AcceptanceCriteria
            | SectionRole::EdgeCases
            | SectionRole::Requirements
            | SectionRole::NonFunctional
            | SectionRole::Decisions
    ) || role == SectionRole::Expected && profile == Profile::Bug
}
