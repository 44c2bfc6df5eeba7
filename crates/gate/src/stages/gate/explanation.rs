//! The one sentence that states the verdict and its main reason, in the language of the report.

use super::Facts;
use super::baseline::Excused;
use reqgate_base::clean::{ended, name_in_chinese};
use reqgate_base::model::{Acceptance, Basis, BlockReason, DraftGap, Language, OPEN_POINT, TicketType};
use reqgate_messages as messages;
use reqgate_rules::Profile;
use reqgate_text::other_files::OtherFile;

/// The explanation of the verdict on a scored text.
pub(super) fn of(
    reasons: &[BlockReason],
    facts: &Facts<'_>,
    (first, questions): (Option<&str>, usize),
    excused: Excused,
) -> String {
    let mut words = main_reason(reasons, facts, (first, questions), excused);
    if let Some(accepted) = facts.accepted {
        let (questions, others): (Vec<_>, Vec<_>) = facts.accepted().partition(|it| it.rule.as_str() == OPEN_POINT);
        words.push_str(&acceptance(accepted, (questions.len(), others.len()), facts.language));
    }
    if facts.reads_like_a_question {
        words.push_str(reads_like_a_question(facts.profile, facts.language));
    }
    words
}

fn main_reason(
    reasons: &[BlockReason],
    facts: &Facts<'_>,
    (first, questions): (Option<&str>, usize),
    excused: Excused,
) -> String {
    let words = messages::Verdict::of(facts.language);
    let figures = figures(facts);
    match reasons.first() {
        None if excused.anything() => nothing_new(excused, words),
        None if questions > 0 => words.probably_ready(&figures, questions),
        None => words.ready(&figures),
        Some(BlockReason::Blocker { description, basis: Basis::Estimate, .. }) if facts.is_estimated => match first {
            Some(question) => words.first_question(&figures, &question),
            None => words.first_description(&ended(description, words.stop), &figures),
        },
        Some(BlockReason::Blocker { description, .. }) => match blockers(reasons) - 1 {
            0 => words.not_ready(&ended(description, words.stop)),
            more => words.and_more_blockers(&description.trim_end_matches('。'), more),
        },
        Some(_) if facts.known.has_score() => words.below_baseline.to_owned(),
        Some(_) if facts.is_estimated => words.probably_not_ready(&figures),
        Some(_) => words.score_too_low(&figures),
    }
}

/// The score and the score needed. An estimate is shown as the chance that the text is ready.
fn figures(facts: &Facts<'_>) -> String {
    let words = messages::Verdict::of(facts.language);
    let Facts { score, threshold, .. } = facts;
    if facts.is_estimated { words.the_chance(score, threshold) } else { words.the_score(score, threshold) }
}

fn blockers(reasons: &[BlockReason]) -> usize {
    reasons.iter().filter(|reason| matches!(reason, BlockReason::Blocker { .. })).count()
}

fn reads_like_a_question(profile: Profile, language: Language) -> &'static str {
    let words = messages::Verdict::of(language);
    match profile {
        Profile::Bug => words.judged_as_bug,
        _ => words.judged_as_change,
    }
}

fn acceptance(accepted: &Acceptance, (questions, others): (usize, usize), language: Language) -> String {
    if questions + others == 0 {
        return String::new();
    }
    let words = messages::Verdict::of(language);
    let Acceptance { by, reason, .. } = accepted;
    let stop = if reason.ends_with(['.', '!', '?', '。', '！', '？']) { "" } else { words.stop };
    let mut parts = Vec::new();
    if questions > 0 {
        parts.push(words.open_questions(questions));
    }
    if others > 0 {
        parts.push(if questions > 0 { words.blockers_after(others) } else { words.blockers_first(others) });
    }
    let by = match language {
        Language::En => by.clone(),
        Language::Zh => name_in_chinese(by).trim_start().to_owned(),
    };
    words.accepted(&by, questions + others, reason, &stop, &parts.join(words.and))
}

fn nothing_new(excused: Excused, words: &messages::Verdict) -> String {
    let low = if excused.low_score { words.and_low_score } else { "" };
    match excused.findings {
        0 => words.low_score_known.to_owned(),
        count => words.findings_known(&low, count),
    }
}

/// The explanation for a text that the guardrail stopped, for its length alone or for its content.
pub(super) fn stopped(reasons: &[BlockReason], is_length: bool, language: Language) -> String {
    let description = reasons.iter().find_map(|reason| match reason {
        BlockReason::Guardrail { description } => Some(description.as_str()),
        _ => None,
    });
    let words = messages::Verdict::of(language);
    let description = description.unwrap_or(words.cannot_be_judged);
    if is_length {
        return description.to_owned();
    }
    words.stopped(&description)
}

/// The explanation for a text that is not a requirement.
pub(super) fn not_applicable(ticket_type: TicketType, language: Language) -> String {
    let words = messages::Verdict::of(language);
    if ticket_type == TicketType::FeaturePart {
        return words.feature_part.to_owned();
    }
    let what = match ticket_type {
        TicketType::Question => words.is_question,
        TicketType::Discussion => words.is_discussion,
        _ => words.is_task,
    };
    words.not_applicable_is(&what)
}

/// The language of a text that cannot be judged, as part of a sentence.
pub(super) fn another_language(name: &str, judged: &str, language: Language) -> String {
    messages::Verdict::of(language).another_language(&judged, &name)
}

/// The kind of a file that is not a ticket, as part of a sentence.
pub(super) fn other_file(file: OtherFile, language: Language) -> &'static str {
    let words = messages::Verdict::of(language);
    match file {
        OtherFile::ForPrograms => words.file_for_programs,
        OtherFile::Licence => words.file_licence,
        OtherFile::ChangeLog => words.file_change_log,
        OtherFile::CodeOfConduct => words.file_code_of_conduct,
        OtherFile::ContributingGuide => words.file_contributing_guide,
        OtherFile::Instructions => words.file_instructions,
        OtherFile::Readme => words.file_readme,
    }
}

/// The explanation for a text that cannot be judged.
pub(super) fn unread(why: &str, fails: bool, language: Language) -> String {
    let words = messages::Verdict::of(language);
    let why = ended(why, words.stop);
    if fails { words.not_ready(&why) } else { words.not_applicable(&why) }
}

/// The explanation for a text without a draft when scoring of raw text is switched off.
pub(super) fn not_structured(gaps: &[DraftGap], language: Language) -> String {
    let gaps = DraftGap::list(gaps, language);
    messages::Verdict::of(language).not_structured(&gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acceptance_is_a_sentence_of_its_own() {
        let said = |by: &str, reason: &str, count, language| {
            let accepted = Acceptance { by: by.to_owned(), reason: reason.to_owned(), ..Acceptance::default() };
            acceptance(&accepted, count, language)
        };
        assert_eq!(said("Ann", "it waits", (1, 0), Language::En), " One open question was accepted by Ann: it waits.");
        assert_eq!(said("Ann", "Why not?", (2, 0), Language::En), " 2 open questions were accepted by Ann: Why not?");
        assert_eq!(said("王芳", "先试点", (2, 0), Language::Zh), "王芳接受了 2 个未答复的问题：先试点。");
        assert_eq!(
            said("Ann", "no", (2, 1), Language::En),
            " 2 open questions and one blocker were accepted by Ann: no."
        );
        assert_eq!(said("Ann", "no", (0, 1), Language::En), " One blocker was accepted by Ann: no.");
        assert_eq!(said("王芳", "先试点", (1, 2), Language::Zh), "王芳接受了 1 个未答复的问题和 2 个阻断项：先试点。");
        assert_eq!(said("Ana", "先试点", (2, 0), Language::Zh), "Ana 接受了 2 个未答复的问题：先试点。");
        assert_eq!(said("王芳", "先试点", (0, 0), Language::Zh), "");
    }
}
