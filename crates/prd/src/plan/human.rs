//! Renders a plan for a terminal.

use anstyle::{AnsiColor, Style};

use super::by_story::is_user_story;
use super::{Execution, ExecutionPlan, Flag, PlannedStory};
use crate::RequirementPriority;
use crate::gaps::Terminal;
use crate::prd_input::priority_shown;
use reqgate_base::clean::one_line;
use reqgate_base::model::{Language, Verdict};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Returns the plan as text for a terminal; text of requirements and readers is escaped.
pub fn human(plan: &ExecutionPlan, name: &str, terminal: Terminal) -> String {
    let language = plan.language;
    let green = AnsiColor::Green.on_default().bold();
    let mut out = format!("{}  {}\n", terminal.painted(BOLD, &one_line(name)), terminal.painted(green, &totals(plan)));
    if plan.summary.waves > 1 {
        out.push_str(&terminal.block(2, &critical_path(plan)));
    }
    for wave in &plan.waves {
        let execution = match (wave.execution, wave.stories.len()) {
            (_, 1) => "",
            (Execution::Parallel, _) => language.of("  parallel", "  可并行"),
            (Execution::Sequential, _) => {
                language.of("  one after the other: they name the same files", "  依次进行：涉及相同文件")
            }
        };
        out.push_str(&format!("\n  {}{}\n", terminal.painted(BOLD, &wave.name), terminal.painted(FAINT, execution)));
        for planned in plan.stories.iter().filter(|planned| planned.wave == wave.wave_number) {
            out.push_str(&story(planned, terminal, language));
        }
    }
    if !plan.left_out.is_empty() {
        let heading = language.of("Approved and left out", "已批准但未列入");
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
    let counted = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let without = summary.stories_without_complexity;
    match plan.language {
        Language::En => {
            let stories = counted(summary.total_stories, "story", "stories");
            let waves = counted(summary.waves, "wave", "waves");
            let missing = counted(without, "story", "stories");
            match (without, without == summary.total_stories) {
                (0, _) => format!("{stories} in {waves}, complexity {}", summary.total_complexity),
                (_, true) => format!("{stories} in {waves}, {missing} without complexity"),
                _ => format!("{stories} in {waves}, complexity {} and {missing} without", summary.total_complexity),
            }
        }
        Language::Zh => {
            let stories = format!("{} 个故事，分 {} 波", summary.total_stories, summary.waves);
            match (without, without == summary.total_stories) {
                (0, _) => format!("{stories}，复杂度合计 {}", summary.total_complexity),
                (_, true) => format!("{stories}，{without} 个没有复杂度"),
                _ => format!("{stories}，复杂度合计 {}，另有 {without} 个没有复杂度", summary.total_complexity),
            }
        }
    }
}

/// The critical path in a sentence.
pub(super) fn critical_path(plan: &ExecutionPlan) -> String {
    let summary = &plan.summary;
    let way = summary.critical_path.join(" → ");
    let is_guess = summary.stories_without_complexity > 0;
    if summary.stories_without_complexity == summary.total_stories {
        return plan.language.of(format!("Longest chain: {way}"), format!("最长依赖链：{way}"));
    }
    match (plan.language, is_guess) {
        (Language::En, false) => format!("Critical path: {way} (complexity {})", summary.critical_complexity),
        (Language::En, true) => {
            format!(
                "Critical path: {way} (complexity {}, where an unknown one counts as 1)",
                summary.critical_complexity
            )
        }
        (Language::Zh, false) => format!("关键路径：{way}（复杂度 {}）", summary.critical_complexity),
        (Language::Zh, true) => format!("关键路径：{way}（复杂度 {}，未知的按 1 计）", summary.critical_complexity),
    }
}

/// The notes on how the plan was made.
pub(super) fn notes(plan: &ExecutionPlan) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if !plan.approved_only {
        notes.push(plan.language.of(
            "The document records no decisions, so all of its requirements are planned.",
            "文档没有记录评审决定，因此计划包含全部需求。",
        ));
    }
    let is_of_specification = plan.stories.iter().any(|planned| is_user_story(&planned.story));
    if !plan.written_by_reader && is_of_specification {
        notes.push(plan.language.of(
            "The stories are those of the specification. A requirement that names none of them is listed with the one with which it \
             shares the most words, and so is a story that no requirement names: check that. Nobody has said how hard they are: `--order` prints the order for a coding agent or a \
             person, and `--stories FILE` takes the result.",
            "故事取自规格说明。没有写明所属故事的需求，归入用词最接近的故事，没有需求的故事也同样处理：请核对。尚未有人评估难度：`--order` 输出给编码代理或人的工作单，`--stories FILE` 读入结果。",
        ));
    } else if !plan.written_by_reader {
        notes.push(plan.language.of(
            "Each story was taken from one requirement, and a dependency only from words such as “depends on FR-003”. Nobody has \
             cut the work into stories or said how hard it is: `--order` prints the order for a coding agent or a person, and \
             `--stories FILE` takes the result.",
            "每条需求对应一个故事，依赖只取自“依赖 FR-003”这类文字。尚未有人拆分工作或评估难度：`--order` 输出给编码代理或人的工作单，`--stories FILE` 读入结果。",
        ));
    }
    notes
}

fn story(planned: &PlannedStory, terminal: Terminal, language: Language) -> String {
    let story = &planned.story;
    let mut out = format!("    {}  {}\n", one_line(&story.story_id), terminal.painted(BOLD, &one_line(&story.title)));
    let between = language.of(", ", "、");
    let mut facts = vec![story.requirements.join(between)];
    if story.priority != RequirementPriority::Unset {
        facts.push(priority_shown(story.priority).to_owned());
    }
    facts.push(match story.complexity {
        Some(complexity) => format!("{} {complexity}", language.of("complexity", "复杂度")),
        None => language.of("complexity unknown", "复杂度未知").to_owned(),
    });
    if !story.dependencies.is_empty() {
        facts.push(format!("{} {}", language.of("needs", "依赖"), story.dependencies.join(between)));
    }
    out.push_str(&terminal.block(6, &facts.join(" · ")));
    if let Some(verdict) = &planned.verdict {
        let colour = if verdict.verdict.is_pass() { AnsiColor::Green } else { AnsiColor::Red };
        let name = language.of(verdict.verdict.name(), verdict_words(verdict.verdict, Language::Zh));
        let name = terminal.painted(colour.on_default().bold(), name);
        let reason = verdict.reasons.first().map(|reason| format!("  {}", one_line(reason))).unwrap_or_default();
        let more = match verdict.reasons.len() {
            0 | 1 => String::new(),
            count => language.of(format!(" (and {} more)", count - 1), format!("（另有 {} 项）", count - 1)),
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
    match (flag, language) {
        (Flag::Blank { criterion }, Language::En) => format!("has a blank: “{criterion}”"),
        (Flag::Blank { criterion }, Language::Zh) => format!("有空白：“{criterion}”"),
        (Flag::Figure { criterion, words }, Language::En) => format!("“{words}” is in no requirement: “{criterion}”"),
        (Flag::Figure { criterion, words }, Language::Zh) => format!("没有任何需求提到“{words}”：“{criterion}”"),
    }
}

/// The verdict in a word.
pub(super) fn verdict_words(verdict: Verdict, language: Language) -> &'static str {
    match verdict {
        Verdict::Pass => language.of("ready", "就绪"),
        Verdict::Reject | Verdict::GuardrailRejected => language.of("not ready", "未就绪"),
        Verdict::NotApplicable => language.of("not applicable", "不适用"),
    }
}
