//! Compares the users that a PRD describes with the roles of its stories.

use super::document::{Document, Part, bold_lead, label, padded};
use super::finding::{CheckFinding, FindingCode};
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::{prd_evidence as words, prd_sections as sections, stories as story_words};

/// The role and the line of a story.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Story {
    pub role: String,
    pub line: u32,
}

/// The stories of a document: `As a …, I want …`, 作为……，我想要……, and tables with such columns.
pub(super) fn stories(document: &Document<'_>) -> Vec<Story> {
    let mut out = Vec::new();
    for section in document.sections.iter().filter(|section| !section.is_aside) {
        out.extend(story(&section.title, section.line));
        for part in &section.parts {
            match part {
                Part::Prose(entry) => out.extend(in_lines(&entry.text, entry.line)),
                Part::List(entries) => {
                    for entry in entries {
                        out.extend(in_lines(&entry.text, entry.line));
                        for below in &entry.below {
                            out.extend(in_lines(&below.text, below.line));
                        }
                    }
                }
                Part::Table(table) => {
                    for row in &table.rows {
                        let in_cells: Vec<Story> = row.cells.iter().filter_map(|cell| story(cell, row.line)).collect();
                        // “As a” and “I want” may be separate columns.
                        let in_row = || story(&row.cells.join(", "), row.line);
                        if in_cells.is_empty() { out.extend(in_row()) } else { out.extend(in_cells) }
                    }
                }
            }
        }
    }
    out
}

fn in_lines(text: &str, line: u32) -> impl Iterator<Item = Story> {
    // If a story is wrapped, its line is the first line of the paragraph, which is at most a few lines above.
    let lines = text.lines().zip(line..);
    let joined = text.replace('\n', " ");
    let mut found: Vec<Story> = lines.filter_map(|(words, line)| story(words, line)).collect();
    if found.is_empty() {
        found.extend(story(&joined, line));
    }
    found.into_iter()
}

/// The story at the beginning of a line, which may have a label such as `US-1:`.
fn story(words: &str, line: u32) -> Option<Story> {
    let words = words.trim_start_matches(['"', '“', '「', '>', ' ', '-', '*']);
    let lower = words.to_lowercase();
    let at = [0]
        .into_iter()
        .chain(lower.match_indices([':', '：', '.', '—', '–', ' ', ')', ']']).map(|(at, mark)| at + mark.len()).take(4))
        .find(|at| {
            let rest = lower.get(*at..).unwrap_or_default().trim_start();
            ["as a ", "as an ", "as the ", "作为"].iter().any(|opening| rest.starts_with(opening))
        })?;
    let rest = lower.get(at..)?.trim_start();
    let behind = story_words::STORY_ROLES.behind(rest)?;
    let wish = story_words::WISHES_BEHIND_A_ROLE.first_in(behind)?;
    let before = &behind[..wish];
    let role =
        before.split([',', '，', '；', ';']).next().unwrap_or(before).trim().trim_end_matches(['我', '的']).trim();
    let is_short = !role.is_empty() && role.chars().count() <= 50 && wish <= 120;
    is_short
        .then(|| Story {
            role: role.trim_matches(['[', ']', '<', '>', '"', '“', '”', '「', '」']).to_owned(), line
        })
}

/// The stories whose roles are not described in any section about users.
pub(super) fn undefined(document: &Document<'_>) -> Option<CheckFinding> {
    let described = described(document)?;
    let known = content_words(&described);
    let mut names: Vec<(String, u32)> = Vec::new();
    let stories = stories(document);
    for story in &stories {
        if !is_known(&story.role, &known) && !names.iter().any(|(name, _)| *name == story.role) {
            names.push((story.role.clone(), story.line));
        }
    }
    let line = names.first()?.1;
    Some(CheckFinding {
        code: FindingCode::PersonaUndefined,
        line: Some(line),
        section: String::new(),
        of: stories.len(),
        names,
    })
}

/// The text about users, if a section describes them.
fn described(document: &Document<'_>) -> Option<String> {
    let all = document.sections.iter().enumerate();
    let has_users = |lower: &str| sections::PERSONA_HEADINGS.stand_in(lower) && !has_stories(lower);
    if !all.clone().any(|(_, one)| has_users(&one.lower) && !one.is_title) {
        return None;
    }
    let about = |lower: &str| {
        (has_users(lower) || sections::ROLE_HEADINGS.stand_in(lower) || sections::USERS.stand_in(lower))
            && !has_stories(lower)
    };
    let texts = all.filter(|(_, one)| about(&one.lower) && !one.is_title).map(|(at, _)| document.words_of(at));
    Some(texts.collect::<Vec<_>>().join("\n"))
}

fn has_stories(lower: &str) -> bool {
    [" stor", "故事", " requirement", "需求", " flow", "流程", " interface", "界面"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Returns true for a role with a known word, and for a generic one that every product has.
fn is_known(role: &str, known: &[String]) -> bool {
    let lower = padded(role);
    let is_generic = words::GENERIC_PEOPLE.en.iter().any(|word| lower.contains(&format!(" {word} ")))
        || words::GENERIC_PEOPLE.zh.iter().any(|word| lower.contains(word));
    let own = content_words(role);
    is_generic || own.is_empty() || own.iter().any(|word| shares_a_stem(word, known))
}

/// Returns true if a word has the same beginning as one of the others: `admin` and `administrator`.
fn shares_a_stem(word: &str, others: &[String]) -> bool {
    const STEM: usize = 4;
    let is_wide = word.chars().any(is_cjk);
    others.iter().any(|other| {
        other == word
            || !is_wide
                && word.len() >= STEM
                && other.len() >= STEM
                && (other.starts_with(word) || word.starts_with(other.as_str()))
    })
}

/// The described users who do not occur in the rest of a document with stories.
pub(super) fn unused(document: &Document<'_>) -> Option<CheckFinding> {
    if stories(document).len() < 2 {
        return None;
    }
    let at = document.sections.iter().position(|one| {
        sections::PERSONA_HEADINGS.stand_in(&one.lower) && !sections::NOT_USERS.stand_in(&one.lower) && !one.is_title
    })?;
    let inside: Vec<usize> =
        (0..document.sections.len()).filter(|other| document.path(*other).any(|above| above == at)).collect();
    let outside = document.sections.iter().enumerate().filter(|(other, _)| !inside.contains(other));
    let elsewhere = content_words(&outside.map(|(_, one)| one.words()).collect::<Vec<_>>().join("\n"));
    let all = named(document, at);
    // If most of the names do not occur, the document refers to these users by other names.
    let names: Vec<(String, u32)> = all.iter().filter(|(name, _)| !is_known(name, &elsewhere)).cloned().collect();
    if names.is_empty() || names.len() * 2 > all.len() {
        return None;
    }
    let section = document.sections[at].title.clone();
    Some(CheckFinding { code: FindingCode::PersonaUnused, line: Some(names[0].1), section, of: all.len(), names })
}

/// The users that a section describes, by name: its subsections, its rows, or its items with a name in bold or before a colon.
fn named(document: &Document<'_>, at: usize) -> Vec<(String, u32)> {
    let below: Vec<usize> =
        document.below(at).filter(|one| !sections::NOT_USERS.stand_in(&document.sections[*one].lower)).collect();
    let is_field = |name: &str| words::FIELD_LABELS.stand_in(&padded(name).to_lowercase());
    if !below.is_empty() {
        let names = below.iter().map(|one| (document.sections[*one].title.clone(), document.sections[*one].line));
        return names
            .filter(|(name, _)| !sections::PERSONA_HEADINGS.stand_in(&padded(name)) || label(name).is_some())
            .collect();
    }
    let mut out = Vec::new();
    for part in &document.sections[at].parts {
        match part {
            Part::List(entries) => {
                for entry in entries {
                    let lead =
                        bold_lead(&entry.written).or_else(|| label(&entry.text).map(|(label, _)| label.to_owned()));
                    out.extend(lead.filter(|name| !is_field(name)).map(|name| (name, entry.line)));
                }
            }
            Part::Table(table) => {
                let rows = table.rows.iter().filter_map(|row| Some((row.cells.first()?.clone(), row.line)));
                out.extend(rows.filter(|(name, _)| !name.is_empty() && !is_field(name)));
            }
            Part::Prose(_) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_begins_with_its_teller() {
        for (words, role) in [
            ("As a ward nurse, I want to see it", "ward nurse"),
            ("US-1: As an admin I want to see it", "admin"),
            ("作为值班护士，我希望看到它", "值班护士"),
            ("US-01 作为护士长，我想要查看", "护士长"),
        ] {
            assert_eq!(story(words, 1).map(|story| story.role).as_deref(), Some(role), "{words}");
        }
        for words in ["As a result, the system is slow", "作为补偿，系统会退款", "The nurse sees it"] {
            assert_eq!(story(words, 1), None, "{words}");
        }
    }

    #[test]
    fn a_teller_is_known_by_a_word() {
        let known = content_words("Administrators\nWard nurse: works nights\n系统管理员");
        assert!(is_known("admin", &known) && is_known("night nurse", &known) && is_known("registered user", &known));
        assert!(is_known("管理员", &known) && !is_known("采购员", &known));
        assert!(!is_known("pharmacist", &known));
    }
}
