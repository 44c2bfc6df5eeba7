//! The standard sections of a PRD (`rubrics/sections/`), and the headings that name them.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RequirementPriority;
use reqgate_base::model::{Language, Span};
use reqgate_docs::Outline;
use reqgate_messages as messages;
use reqgate_text::lexicon::is_cjk;

/// Path, JSON and hash of every file; made by `build.rs`.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// A standard section of a PRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionId {
    /// The whole on one page.
    ExecutiveSummary,
    /// The problem and the opportunity.
    ProblemStatement,
    /// Users and personas.
    TargetUsers,
    /// User stories and use cases.
    UserStories,
    /// Functional requirements.
    FunctionalRequirements,
    /// Quality requirements.
    NonFunctionalRequirements,
    /// Success metrics.
    SuccessMetrics,
    /// Dependencies and risks.
    DependenciesRisks,
    /// Timeline and milestones.
    Timeline,
    /// Technical architecture, where it applies.
    TechnicalArchitecture,
    /// Go-to-market strategy.
    GoToMarket,
    /// Open questions and assumptions.
    OpenQuestions,
}

/// An area of research, carried out by one researcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResearchArea {
    /// Size, growth and dynamics of the market.
    Market,
    /// Competitors and alternatives.
    Competitors,
    /// Users: their goals, pains and habits.
    Users,
}

impl ResearchArea {
    /// Every area, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Market, Self::Competitors, Self::Users];

    /// The name in files and arguments: `market`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Market => "market",
            Self::Competitors => "competitors",
            Self::Users => "users",
        }
    }

    /// The area in words.
    pub fn words(self, language: Language) -> &'static str {
        let said = messages::Prd::of(language);
        match self {
            Self::Market => said.research_market,
            Self::Competitors => said.research_competitors,
            Self::Users => said.research_users,
        }
    }
}

/// The same in both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both<T> {
    en: T,
    zh: T,
}

/// A standard section as `rubrics/sections/` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandardSection {
    /// Names it.
    pub id: SectionId,
    name: Both<String>,
    /// Other headings that name it, in either language.
    also: Vec<String>,
    purpose: Both<String>,
    questions: Both<Vec<String>>,
    data: Both<Vec<String>>,
    stakeholders: Both<Vec<String>>,
    /// Its weight in an outline, unless the outline says otherwise.
    pub priority: RequirementPriority,
    /// The sections that have to be written first.
    #[serde(default)]
    pub dependencies: Vec<SectionId>,
    /// The research that it needs; none for most.
    #[serde(default)]
    pub research: Vec<ResearchArea>,
    /// True if figures and competitors in it need a citation.
    #[serde(default)]
    pub evidence: bool,
    /// True if an outline without it is refused.
    #[serde(default)]
    pub mandatory: bool,
    /// True if its progress is shown while a draft is written.
    #[serde(default)]
    pub tracked: bool,
    #[allow(dead_code, reason = "the tests read them")]
    examples: Examples,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the tests read them")]
struct Examples {
    /// Headings that name the section.
    names: Vec<String>,
    /// Headings that do not.
    others: Vec<String>,
}

impl StandardSection {
    /// Its heading.
    pub fn name(&self, language: Language) -> &str {
        language.of(&self.name.en, &self.name.zh)
    }

    /// Its purpose, in a sentence.
    pub fn purpose(&self, language: Language) -> &str {
        language.of(&self.purpose.en, &self.purpose.zh)
    }

    /// The questions that it answers.
    pub fn questions(&self, language: Language) -> &[String] {
        language.of(&self.questions.en, &self.questions.zh)
    }

    /// The data that it needs.
    pub fn data(&self, language: Language) -> &[String] {
        language.of(&self.data.en, &self.data.zh)
    }

    /// The people whose word it needs.
    pub fn stakeholders(&self, language: Language) -> &[String] {
        language.of(&self.stakeholders.en, &self.stakeholders.zh)
    }
}

static SECTIONS: LazyLock<Vec<StandardSection>> = LazyLock::new(|| {
    let read = |(_, json, _): &(&str, &str, &str)| serde_json::from_str::<Vec<StandardSection>>(json);
    let files: Result<Vec<_>, _> = FILES.iter().map(read).collect();
    files.expect("a test reads the shipped files").into_iter().flatten().collect()
});

/// Every name with its tokens and its section, longest first, so that the most specific name wins.
static NAMES: LazyLock<Vec<(Vec<String>, SectionId)>> = LazyLock::new(|| {
    let names = |section: &'static StandardSection| {
        let own = [&section.name.en, &section.name.zh].into_iter().chain(&section.also);
        own.map(move |name| (tokens(name), section.id))
    };
    let mut all: Vec<_> = sections().iter().flat_map(names).collect();
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    all
});

/// The standard sections in their order.
pub fn sections() -> &'static [StandardSection] {
    &SECTIONS
}

impl SectionId {
    /// Its description.
    pub fn section(self) -> &'static StandardSection {
        sections().iter().find(|section| section.id == self).expect("a test finds every section in the data")
    }

    /// Its heading.
    pub fn name(self, language: Language) -> &'static str {
        self.section().name(language)
    }

    /// The section that a heading names, in either language, whatever its number, case and marks.
    ///
    /// A heading names a section if it begins with one of its names; a name of one word has to be all of it, or stand
    /// before a conjunction, a bracket or the name in the other language.
    pub fn named(heading: &str) -> Option<Self> {
        let written = tokens(heading);
        NAMES.iter().find(|(name, _)| begins(&written, name)).map(|(_, section)| *section)
    }
}

/// True if two headings name the same section, or are the same apart from number, case and marks.
pub fn same_section(one: &str, other: &str) -> bool {
    match (SectionId::named(one), SectionId::named(other)) {
        (None, None) => same_words(one, other),
        (one, other) => one == other,
    }
}

/// True if two headings are the same apart from number, case and marks.
pub(super) fn same_words(one: &str, other: &str) -> bool {
    tokens(one) == tokens(other)
}

/// The token for `&`, `/`, `and` and their Chinese equivalents.
const AND: &str = "&";
/// The token for any other mark.
const MARK: &str = "|";

fn begins(heading: &[String], name: &[String]) -> bool {
    if name.is_empty() || !heading.starts_with(name) {
        return false;
    }
    let is_chinese = |token: &String| token.starts_with(is_cjk);
    let is_short = if name.iter().all(is_chinese) { name.len() < 4 } else { name.len() < 2 };
    heading.get(name.len()).is_none_or(|next| {
        let other_script = is_chinese(next) != name.last().is_some_and(is_chinese);
        !is_short || next == AND || next == MARK || other_script
    })
}

/// The words of a heading in lower case, each Chinese character by itself, without number and marks around.
fn tokens(heading: &str) -> Vec<String> {
    let heading =
        without_number(heading.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '`')));
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut Vec<String>| {
        match word.as_str() {
            "" => {}
            "and" => out.push(AND.to_owned()),
            _ => out.push(word.clone()),
        }
        word.clear();
    };
    for c in heading.chars() {
        match c {
            _ if is_cjk(c) => {
                flush(&mut word, &mut out);
                out.push(if matches!(c, '与' | '和' | '及') { AND.to_owned() } else { c.to_string() });
            }
            _ if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            // Part of a word: "Go-to-Market", "Users'".
            '-' | '\'' | '’' => flush(&mut word, &mut out),
            '*' | '_' | '`' => {}
            _ if c.is_whitespace() => flush(&mut word, &mut out),
            _ => {
                flush(&mut word, &mut out);
                let mark = if matches!(c, '&' | '/' | '+' | '＆' | '、') { AND } else { MARK };
                out.push(mark.to_owned());
            }
        }
    }
    flush(&mut word, &mut out);
    while out.last().is_some_and(|token| token == MARK) {
        out.pop();
    }
    out
}

/// A heading without `3.`, `2.1)`, 第三章, 三、 at its beginning.
fn without_number(heading: &str) -> &str {
    const CHINESE: &str = "一二三四五六七八九十零〇百";
    const BEHIND: [char; 8] = ['.', ')', '、', '．', '）', ':', '：', ' '];
    let words = heading.trim_start_matches(['(', '（', '第', '§']);
    let rest = words.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || CHINESE.contains(c));
    if rest.len() == words.len() || rest.is_empty() {
        return heading;
    }
    let rest = rest.trim_start_matches(['章', '节', '部', '分']);
    let bare = rest.trim_start_matches(BEHIND).trim_start_matches(['*', '_', ' ']);
    // "2FA" and 三方 begin with a number and are words.
    let is_number = rest.starts_with(BEHIND) || words[..words.len() - rest.len()].ends_with(['.', '章', '节', '分']);
    if is_number && !bare.is_empty() { bare } else { heading }
}

/// A part of a Markdown document: a heading of the second level (or a further one of the first) and the text below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'t> {
    /// The heading without its marks; empty for the text before the first one.
    pub heading: &'t str,
    /// The standard section that it names.
    pub section: Option<SectionId>,
    /// The line of the heading, from 1; 1 for the text before the first one.
    pub line: u32,
    /// The line on which the text begins.
    pub first_line: u32,
    /// The text below the heading.
    pub text: &'t str,
    /// Its place: the heading and the text below it.
    pub span: Span,
}

/// The parts of a Markdown document, in their order. The title and what stands below it make the first part, if they
/// are there.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let outline = Outline::of(text);
    let mut out: Vec<Part<'_>> = Vec::new();
    let mut open = Part { heading: "", section: None, line: 1, first_line: 1, text: "", span: Span::new(0, 0) };
    let mut start = 0;
    let mut has_title = false;
    for heading in outline.headings().iter().filter(|heading| heading.level <= 2) {
        let section = SectionId::named(heading.words);
        let is_first = heading.level == 1 && !std::mem::replace(&mut has_title, true);
        if is_first && out.is_empty() && open.heading.is_empty() && section.is_none() {
            continue;
        }
        let end = heading.span.start;
        out.push(Part { text: &text[start..end], span: Span::new(open.span.start, end), ..open });
        let (line, first_line) = (heading.line, heading.line + 1);
        open = Part { heading: heading.words, section, line, first_line, text: "", span: heading.span };
        start = heading.span.end;
    }
    out.push(Part { text: &text[start..], span: Span::new(open.span.start, text.len()), ..open });
    out.retain(|part| !part.heading.is_empty() || !part.text.trim().is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_the_sections_of_their_examples() {
        for section in sections() {
            for heading in &section.examples.names {
                assert_eq!(SectionId::named(heading), Some(section.id), "{heading}");
            }
            for heading in &section.examples.others {
                assert_ne!(SectionId::named(heading), Some(section.id), "{heading}");
            }
        }
    }

    /// There are twelve sections; nine are tracked, three required.
    #[test]
    fn the_data_has_the_sections_of_the_source() {
        assert_eq!(sections().len(), 12);
        assert_eq!(sections().iter().filter(|section| section.tracked).count(), 9);
        let mandatory: Vec<_> =
            sections().iter().filter(|section| section.mandatory).map(|section| section.id).collect();
        use SectionId as S;
        assert_eq!(mandatory, [S::ExecutiveSummary, S::ProblemStatement, S::FunctionalRequirements]);
        assert!(sections().windows(2).all(|pair| pair[0].id < pair[1].id), "in the order of the ids");
        for section in sections() {
            assert_eq!(section.questions.en.len(), section.questions.zh.len(), "{:?}", section.id);
            assert!(section.dependencies.iter().all(|other| *other < section.id), "{:?}", section.id);
        }
    }

    #[test]
    fn no_two_sections_have_the_same_name() {
        let mut names: Vec<_> = NAMES.iter().map(|(name, _)| name).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn numbers_before_a_heading_are_not_part_of_it() {
        for heading in
            ["3. Timeline", "2.1 Timeline", "(3) Timeline", "第九章 时间线", "九、时间线", "9．时间线", "§9 Timeline"]
        {
            assert_eq!(SectionId::named(heading), Some(SectionId::Timeline), "{heading}");
        }
        assert_eq!(without_number("2FA"), "2FA");
        assert_eq!(without_number("三方对账"), "三方对账");
        assert!(same_section("2. Rollout", "rollout") && !same_section("Rollout", "Roll back"));
    }

    #[test]
    fn a_document_falls_into_parts() {
        let text =
            "# PRD: X\n\n- Version: 1\n\n## Problem\n\nA\n```\n## not a heading\n```\n## Rollout\nB\n# Timeline\nC\n";
        let found: Vec<_> = parts(text).iter().map(|part| (part.heading, part.section, part.line)).collect();
        let expected = [
            ("", None, 1),
            ("Problem", Some(SectionId::ProblemStatement), 5),
            ("Rollout", None, 11),
            ("Timeline", Some(SectionId::Timeline), 13),
        ];
        assert_eq!(found, expected);
        assert!(parts("").is_empty());
    }
}
