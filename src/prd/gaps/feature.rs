//! A feature prepared for the analysis: its requirements in force, those set aside, and the statements of the brief,
//! each with its place.

use std::collections::{BTreeMap, BTreeSet};

use super::meaning::Meaning;
use crate::model::Language;
use crate::prd::requirements::RequirementsDocument;
use crate::prd::{Decided, FeatureBrief, RequirementId, SourceQuote, Statement};
use crate::text::words::gaps::ASIDES;

/// A document and the name that it is quoted by.
#[derive(Debug)]
pub struct Named<'a, T> {
    /// The name: a path, usually.
    pub name: &'a str,
    /// Its text, in which places are looked up.
    pub text: &'a str,
    /// The parsed document.
    pub document: &'a T,
}

impl<T> Clone for Named<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Named<'_, T> {}

/// The input of the analysis.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The brief, if there is one.
    pub brief: Option<Named<'a, FeatureBrief>>,
    /// The requirements.
    pub requirements: Named<'a, RequirementsDocument>,
}

/// A requirement that is in force: approved, modified or pending.
#[derive(Debug)]
pub(super) struct Wanted {
    pub id: RequirementId,
    pub title: String,
    pub description: String,
    pub criteria: Vec<String>,
    /// Title and description.
    pub head: String,
    /// All its words.
    pub all: String,
    pub place: SourceQuote,
    /// The meaning of title and description.
    pub meaning: Meaning,
    /// The meaning of all its words.
    pub whole: Meaning,
}

/// Words with a place.
#[derive(Debug)]
pub(super) struct Placed {
    pub words: String,
    pub place: SourceQuote,
    pub meaning: Meaning,
    /// The meaning including its description, if it has one.
    pub whole: Option<Meaning>,
}

/// The parts of a brief that have to be covered.
#[derive(Debug, Default)]
pub(super) struct BriefParts {
    pub goals: Vec<Placed>,
    pub users: Vec<Placed>,
    pub flows: Vec<Placed>,
    pub measures: Vec<Placed>,
}

/// The feature.
#[derive(Debug)]
pub(super) struct Feature {
    pub language: Language,
    pub wanted: Vec<Wanted>,
    /// Rejected or out of scope, by the requirements or by the brief.
    pub put_aside: Vec<Placed>,
    /// Constraints, exclusions and reasons, which can cover usual gaps.
    pub remarks: Vec<String>,
    /// The constraints of the brief, which may show needs of a feature.
    pub constraints: Vec<Placed>,
    pub brief: BriefParts,
    /// All words of the brief and of the requirements in force.
    pub everything: String,
    /// The text of both documents, including glossaries.
    pub texts: String,
    /// The users of the brief; all words if it names none.
    pub people: String,
    /// True if the requirements were extracted from a text without ids: its sections may repeat each other.
    pub is_drawn: bool,
    /// Text in code marks: commands and names, not words.
    pub code: String,
    /// Ids that exist, foreign names among them.
    pub ids: Vec<String>,
    /// The ids that the document writes, where they are not ours.
    written: BTreeMap<RequirementId, String>,
}

impl Feature {
    pub(super) fn new(input: Input<'_>) -> Self {
        let document = input.requirements.document;
        let mut feature = Self {
            language: document.language(),
            wanted: Vec::new(),
            put_aside: Vec::new(),
            remarks: Vec::new(),
            constraints: Vec::new(),
            brief: BriefParts::default(),
            everything: String::new(),
            texts: input.requirements.text.to_owned(),
            is_drawn: true,
            people: String::new(),
            code: String::new(),
            ids: Vec::new(),
            written: BTreeMap::new(),
        };
        // The beginnings of lines: the ids that the document itself defines.
        let leading: BTreeSet<&str> = input
            .requirements
            .text
            .lines()
            .filter_map(|line| {
                let words = line.trim_start_matches(['#', '-', '*', '|', ' ', '[', '`']);
                words.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next()
            })
            .collect();
        for entry in document.requirements() {
            let own = entry.requirement.id.to_string();
            let heads = |id: &str| leading.contains(id);
            if let Some(written) = entry.requirement.aliases.first().filter(|alias| !heads(&own) && heads(alias)) {
                feature.written.insert(entry.requirement.id.clone(), written.clone());
            }
            feature.ids.push(own);
            feature.ids.extend(entry.requirement.aliases.iter().cloned());
            feature.add(input.requirements, entry);
            for words in entry.requirement.acceptance_criteria.iter().chain([&entry.requirement.description]) {
                feature.code.extend(words.split('`').skip(1).step_by(2).flat_map(|code| [code, " "]));
            }
        }
        if let Some(brief) = input.brief {
            feature.texts.push('\n');
            feature.texts.push_str(brief.text);
            feature.add_brief(brief);
        }
        let users: Vec<&str> = feature.brief.users.iter().map(|user| user.words.as_str()).collect();
        feature.people = if users.is_empty() { feature.everything.clone() } else { users.join("\n") };
        feature
    }

    /// A requirement's id as the document writes it.
    pub(super) fn written_id(&self, id: &RequirementId) -> String {
        self.written.get(id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// True if a document has a part of that name: a heading "Appendix C", "7. Rights" or "## 第 7 节", or a line "Appendix C: …".
    pub(super) fn has_part(&self, name: &str) -> bool {
        let bare = |words: &str| -> String {
            words.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '.').collect()
        };
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let name = bare(name);
        let number = name.trim_matches(|c: char| !c.is_ascii_digit());
        let is_numbered = ["section", "chapter", "第"].iter().any(|kind| name.starts_with(kind)) && !number.is_empty();
        self.texts.lines().any(|line| {
            let is_heading = line.trim_start().starts_with('#');
            let words = line.trim_start_matches(['#', ' ', '*', '-']);
            let is_named = bare(words).strip_prefix(&name).is_some_and(|rest| !goes_on(rest));
            let has_number = words.strip_prefix(number).is_some_and(|rest| !goes_on(rest.trim_start_matches('.')));
            is_named && (is_heading || words.contains([':', '：'])) || is_heading && is_numbered && has_number
        })
    }

    fn add(&mut self, named: Named<'_, RequirementsDocument>, entry: &crate::prd::requirements::ReviewedRequirement) {
        let requirement = &entry.requirement;
        // A requirement extracted from this text has a known place; otherwise its place is the start of its block.
        let drawn = requirement.sources.iter().find(|source| source.source == named.name).map(|source| source.line);
        self.is_drawn &= drawn.is_some();
        let line = drawn.or_else(|| named.document.line_of(&requirement.id)).unwrap_or(1);
        let quote = if requirement.description.is_empty() { &requirement.title } else { &requirement.description };
        let place = |quote: &str| SourceQuote { source: named.name.to_owned(), line, quote: clipped(&plain(quote)) };
        match &entry.decided {
            Decided::Rejected { reason } | Decided::OutOfScope { reason } => {
                let words = plain(&format!("{}. {}", requirement.title, requirement.description));
                self.remarks.push(format!("{words} {reason}"));
                let title = plain(&requirement.title);
                self.put_aside.push(Placed {
                    meaning: without_numbers(Meaning::of(&title)),
                    whole: Some(without_numbers(Meaning::of(&words))),
                    words: title,
                    place: place(&words),
                });
            }
            Decided::Pending | Decided::Approved | Decided::Modified { .. } => {
                let (description, listed) = match requirement.acceptance_criteria.as_slice() {
                    [] => with_list(&requirement.description),
                    _ => (requirement.description.as_str(), Vec::new()),
                };
                let (title, description) = (plain(&requirement.title), plain(description));
                let stated = requirement.acceptance_criteria.iter().map(String::as_str).chain(listed);
                let criteria: Vec<String> = stated.map(plain).collect();
                let head =
                    if description.contains(&title) { description.clone() } else { format!("{title}. {description}") };
                let all = format!("{head} {}", criteria.join(" "));
                self.everything.push_str(&all);
                self.everything.push('\n');
                self.wanted.push(Wanted {
                    id: requirement.id.clone(),
                    meaning: Meaning::of(&head),
                    whole: Meaning::of(&all),
                    place: place(quote),
                    title,
                    description,
                    criteria,
                    head,
                    all,
                });
            }
        }
    }

    fn add_brief(&mut self, named: Named<'_, FeatureBrief>) {
        let brief = named.document;
        let placed = |statements: &[Statement]| -> Vec<Placed> {
            let statements = statements
                .iter()
                .map(|statement| plain(&statement.text))
                .filter(|words| !words.is_empty() && !words.starts_with('#'));
            statements
                .map(|words| Placed {
                    meaning: Meaning::of(main_clause(&words)),
                    place: place_of(named, &words),
                    whole: None,
                    words,
                })
                .collect()
        };
        self.brief = BriefParts {
            goals: placed(&brief.goals),
            users: placed(&brief.users),
            flows: placed(&brief.flows),
            measures: placed(&brief.success_measures),
        };
        let remarks = brief.constraints.iter().chain(&brief.out_of_scope).map(|statement| plain(&statement.text));
        self.remarks.extend(remarks);
        self.constraints = placed(&brief.constraints);
        self.put_aside.extend(
            placed(&brief.out_of_scope)
                .into_iter()
                .map(|placed| Placed { meaning: without_numbers(placed.meaning), ..placed }),
        );
        for list in [&brief.goals, &brief.users, &brief.flows, &brief.problem] {
            for statement in list {
                self.everything.push_str(&plain(&statement.text));
                self.everything.push('\n');
            }
        }
    }
}

/// The meaning without figures, by which a requirement that was set aside is recognised.
fn without_numbers(mut meaning: Meaning) -> Meaning {
    meaning.stems.retain(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
    meaning
}

/// The longest label above a list, in characters.
const LONGEST_LABEL: usize = 40;

/// A description, and the list at its end with the checks, with or without a heading.
fn with_list(description: &str) -> (&str, Vec<&str>) {
    let is_item = |line: &str| ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark));
    let mut head = description.trim_end();
    let mut items = Vec::new();
    loop {
        let start = head.rfind('\n').map_or(0, |at| at + 1);
        let line = head[start..].trim();
        if !is_item(line) {
            let is_label = !items.is_empty() && line.ends_with([':', '：']) && line.chars().count() <= LONGEST_LABEL;
            items.reverse();
            return (if is_label { &head[..start] } else { head }, items);
        }
        items.push(line.trim_start_matches(['-', '*', '+', '•', ' ']));
        head = head[..start].trim_end();
        if head.is_empty() {
            items.reverse();
            return (head, items);
        }
    }
}

/// The line that contains the words; the first line if they cannot be found.
fn place_of(named: Named<'_, FeatureBrief>, words: &str) -> SourceQuote {
    let found = (1..).zip(named.text.lines()).find(|(_, line)| line.contains(words));
    let line = found.map_or(1, |(line, _): (u32, &str)| line);
    SourceQuote { source: named.name.to_owned(), line, quote: clipped(words) }
}

/// A statement without the part that it avoids or precedes: "without calling anybody", "before it spoils".
fn main_clause(words: &str) -> &str {
    let end = ASIDES.first_in(words);
    // A clause of a few letters says too little alone.
    end.filter(|end| words[..*end].chars().count() >= 6).map_or(words, |end| &words[..end])
}

/// Words without comments and code marks, on one line.
fn plain(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = behind.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out.replace(['`', '*'], "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A quote of at most 160 characters.
pub(super) fn clipped(words: &str) -> String {
    const LONGEST: usize = 160;
    if words.chars().count() <= LONGEST {
        return words.to_owned();
    }
    let cut: String = words.chars().take(LONGEST - 1).collect();
    format!("{}…", cut.trim_end())
}
