//! Renders a plan for a terminal.

use anstyle::{AnsiColor, Style};

use super::by_story::is_user_story;
use super::{Execution, ExecutionPlan, Flag, PlannedStory};
use crate::RequirementPriority;
use crate::gaps::Terminal;
use crate::prd_input::priority_shown;
use crate::prd_text::question_shown;
use crate::workflow::verdict_in_words;
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Returns the plan as text for a terminal; text of requirements and readers is escaped.
pub fn human(plan: &ExecutionPlan, name: &str, terminal: Terminal) -> String {
    let language = plan.language;
    let words = messages::Plan::of(language);
    let green = AnsiColor::Green.on_default().bold();
    let mut out = format!("{}  {}\n", terminal.painted(BOLD, &one_line(name)), terminal.painted(green, &totals(plan)));
    if plan.summary.critical_path.len() > 1 {
        out.push_str(&terminal.block(2, &critical_path(plan)));
    }
    if !plan.open_questions.is_empty() {
        let count = plan.open_questions.len();
        out.push_str(&format!("\n  {} ({count})\n", terminal.painted(BOLD, words.open_questions)));
        for question in &plan.open_questions {
            out.push_str(&terminal.block(4, &one_line(&question_shown(question, language))));
        }
    }
    for wave in &plan.waves {
        let execution = match (wave.execution, wave.stories.len()) {
            (_, 1) => "",
            (Execution::Parallel, _) => words.row_parallel,
            (Execution::Sequential, _) => words.row_sequential,
        };
        out.push_str(&format!("\n  {}{}\n", terminal.painted(BOLD, &wave.name), terminal.painted(FAINT, execution)));
        for planned in plan.stories.iter().filter(|planned| planned.wave == wave.wave_number) {
            out.push_str(&story(planned, terminal, language));
        }
    }
    if !plan.left_out.is_empty() {
        let heading = words.approved_and_left_out;
        out.push_str(&format!("\n  {} ({})\n", terminal.painted(BOLD, heading), plan.left_out.len()));
        for left in &plan.left_out {
            out.push_str(&terminal.block(4, &format!("{}: {}", left.requirement, left.reason)));
        }
    }
    for note in notes(plan) {
        out.push_str(&format!("\n{}", terminal.block(2, note)));
    }
    out
}

/// The totals in a sentence.
pub(super) fn totals(plan: &ExecutionPlan) -> String {
    let summary = &plan.summary;
    let words = messages::Plan::of(plan.language);
    let without = summary.stories_without_complexity;
    let of_all = words.stories_in_waves(&words.count_stories(summary.total_stories), &words.count_waves(summary.waves));
    match (without, without == summary.total_stories) {
        (0, _) => words.with_complexity(&summary.total_complexity, &of_all),
        (_, true) => words.without_complexity(&of_all, &words.stories_missing(without)),
        _ => words.partly_with_complexity(&summary.total_complexity, &of_all, &words.stories_missing(without)),
    }
}

/// The critical path in a sentence.
pub(super) fn critical_path(plan: &ExecutionPlan) -> String {
    let summary = &plan.summary;
    let way = summary.critical_path.join(" → ");
    let is_guess = summary.stories_without_complexity > 0;
    if summary.stories_without_complexity == summary.total_stories {
        return messages::Plan::of(plan.language).longest_chain(&way);
    }
    let words = messages::Plan::of(plan.language);
    match is_guess {
        false => words.critical_path(&summary.critical_complexity, &way),
        true => words.critical_path_guessed(&summary.critical_complexity, &way),
    }
}

/// The notes on how the plan was made.
pub(super) fn notes(plan: &ExecutionPlan) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if !plan.approved_only {
        notes.push(messages::Plan::of(plan.language).no_decisions);
    }
    let is_of_specification = plan.stories.iter().any(|planned| is_user_story(&planned.story));
    if !plan.written_by_reader && is_of_specification {
        notes.push(messages::Plan::of(plan.language).stories_of_specification);
    } else if !plan.written_by_reader {
        notes.push(messages::Plan::of(plan.language).story_for_each_requirement);
    }
    notes
}

fn story(planned: &PlannedStory, terminal: Terminal, language: Language) -> String {
    let words = messages::Plan::of(language);
    let story = &planned.story;
    let mut out = format!("    {}  {}\n", one_line(&story.story_id), terminal.painted(BOLD, &one_line(&story.title)));
    let between = words.comma;
    let mut facts = vec![story.requirements.join(between)];
    if story.priority != RequirementPriority::Unset {
        facts.push(priority_shown(story.priority).to_owned());
    }
    facts.push(match story.complexity {
        Some(complexity) => format!("{} {complexity}", words.complexity_in_line),
        None => words.complexity_unknown.to_owned(),
    });
    if !story.dependencies.is_empty() {
        facts.push(format!("{} {}", words.needs_in_line, story.dependencies.join(between)));
    }
    if !planned.waits_for.is_empty() {
        facts.push(format!("{} {}", words.waits_for.to_lowercase(), planned.waits_for()));
    }
    if !planned.blocked_by.is_empty() {
        facts.push(words.blocked_by(&planned.blocked_by.join(between)));
    }
    out.push_str(&terminal.block(6, &facts.join(" · ")));
    if let Some(verdict) = &planned.verdict {
        let colour = if verdict.verdict.is_pass() { AnsiColor::Green } else { AnsiColor::Red };
        let name = language.of(verdict.verdict.name(), verdict_in_words(verdict.verdict, Language::Zh));
        let name = terminal.painted(colour.on_default().bold(), name);
        let reason = verdict.reasons.first().map(|reason| format!("  {}", one_line(reason))).unwrap_or_default();
        let more = match verdict.reasons.len() {
            0 | 1 => String::new(),
            count => words.and_more(&(count - 1)),
        };
        out.push_str(&format!("      {name}{reason}{more}\n"));
    }
    for flag in &planned.flags {
        out.push_str(&terminal.block(6, &flag_words(flag, language)));
    }
    out
}

/// Describes a flag in a sentence.
pub(super) fn flag_words(flag: &Flag, language: Language) -> String {
    let sentences = messages::Plan::of(language);
    match flag {
        Flag::Blank { criterion } => sentences.flag_blank(criterion),
        Flag::Figure { criterion, words } => sentences.flag_figure(criterion, words),
    }
}
