//! Loads the prompts that are sent to a model, `prompts/`: the shipped ones from the binary, the user's from a folder.
//!
//! A prompt has two parts, instructions and data. A file with an unknown hole, or without a required one, is refused.
//! Text of a ticket can only go into the data part, and only inside a fence.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use reqgate_base::clean;
use reqgate_base::files;
use reqgate_base::hash::Hash;
use reqgate_base::model::PromptReference;

/// The kinds of questions to a model; each has its own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Sort the sentences of a ticket.
    Structuring,
    /// Find unclear points, with evidence.
    Scoring,
    /// Questions to the author and rewrites.
    Clarify,
}

/// A named hole in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hole {
    /// The kind of document, in reqgate's words.
    Kind,
    /// The language to answer in, in reqgate's words.
    Language,
    /// The questions of the rubric's question files.
    Criteria,
    /// The text of the ticket, in a fence.
    Ticket,
    /// The findings of the rules, with their quotes fenced.
    Findings,
}

/// Every hole and its name in a file.
const HOLES: [(Hole, &str); 5] = [
    (Hole::Kind, "kind"),
    (Hole::Language, "language"),
    (Hole::Criteria, "criteria"),
    (Hole::Ticket, "ticket"),
    (Hole::Findings, "findings"),
];

/// A shipped prompt, with the part in which each hole belongs.
struct Shipped {
    asking: Asking,
    id: &'static str,
    text: &'static str,
    /// The holes of the instructions.
    instructions: &'static [Hole],
    /// The holes of the data.
    data: &'static [Hole],
}

const SHIPPED: [Shipped; 3] = [
    Shipped {
        asking: Asking::Structuring,
        id: "structuring_v1",
        text: include_str!("../../../prompts/structuring_v1.txt"),
        instructions: &[Hole::Kind],
        data: &[Hole::Ticket],
    },
    Shipped {
        asking: Asking::Scoring,
        id: "scoring_v1",
        text: include_str!("../../../prompts/scoring_v1.txt"),
        instructions: &[Hole::Kind, Hole::Criteria, Hole::Language],
        data: &[Hole::Ticket],
    },
    Shipped {
        asking: Asking::Clarify,
        id: "clarify_v1",
        text: include_str!("../../../prompts/clarify_v1.txt"),
        instructions: &[Hole::Kind, Hole::Language],
        data: &[Hole::Ticket, Hole::Findings],
    },
];

/// The line between instructions and data.
const BETWEEN: &str = "\n---\n";

/// The reason why prompts could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// A folder or file could not be read.
    #[error("reading prompts from {path}: {source}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file name that is not one of the prompts.
    #[error(
        "{path}: unknown prompt: name it structuring_v1.txt, scoring_v1.txt, clarify_v1.txt or read_ticket_v1.yaml"
    )]
    UnknownName {
        /// The path of the file.
        path: PathBuf,
    },
    /// A folder holds no prompt.
    #[error(
        "{path}: no prompts in this folder: add structuring_v1.txt, scoring_v1.txt, clarify_v1.txt or read_ticket_v1.yaml"
    )]
    Empty {
        /// The path of the folder.
        path: PathBuf,
    },
    /// A prompt is not of the form that is needed.
    #[error("prompt {id}: {message}")]
    Invalid {
        /// The id of the prompt.
        id: String,
        /// The fault, with an instruction.
        message: String,
    },
}

/// The prompts in force.
#[derive(Debug, Clone)]
pub struct Prompts(Vec<Prompt>);

/// One prompt, ready to be filled.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Its name with its version, and the hash of its text.
    pub reference: PromptReference,
    asking: Asking,
    template: Template,
}

/// Instructions and data with holes.
#[derive(Debug, Clone)]
pub struct Template {
    instructions: Vec<Piece>,
    data: Vec<Piece>,
}

/// A prompt whose holes are filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The instructions, without any text of the ticket.
    pub instructions: String,
    /// The data, with the text of the ticket in a fence.
    pub data: String,
}

#[derive(Debug, Clone)]
enum Piece {
    Words(String),
    Hole(Hole),
}

impl Prompts {
    /// The shipped prompts.
    ///
    /// # Errors
    /// Never fails with the shipped files; a test reads them.
    pub fn shipped() -> Result<Self, PromptError> {
        SHIPPED.iter().map(|shipped| Prompt::parse(shipped, shipped.text)).collect::<Result<_, _>>().map(Self)
    }

    /// The shipped prompts, replaced by those of a folder.
    ///
    /// # Errors
    /// Fails if a file cannot be read, has an unknown name, an unknown hole, or lacks one.
    pub fn with_folder(folder: &Path) -> Result<Self, PromptError> {
        let mut prompts = Self::shipped()?;
        let read = |source| PromptError::Read { path: folder.to_path_buf(), source };
        let mut found = false;
        for entry in std::fs::read_dir(folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            // `orders` reads the files of orders, and refuses unknown ones.
            found |= path.extension().is_some_and(|extension| extension == "yaml");
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let Some(shipped) = SHIPPED.iter().find(|shipped| shipped.id == stem) else {
                return Err(PromptError::UnknownName { path });
            };
            let text = files::text(&path, files::SETTINGS)
                .map_err(|source| PromptError::Read { path: path.clone(), source })?;
            let hidden = |error| match error {
                PromptError::Invalid { id, .. } if files::is_link_elsewhere(&path) => {
                    PromptError::Invalid { id, message: files::NOT_SHOWN.to_owned() }
                }
                other => other,
            };
            let prompt = Prompt::parse(shipped, &text).map_err(hidden)?;
            prompts.0.retain(|other| other.asking != prompt.asking);
            prompts.0.push(prompt);
            found = true;
        }
        if found { Ok(prompts) } else { Err(PromptError::Empty { path: folder.to_path_buf() }) }
    }

    /// The prompt of a question.
    pub fn of(&self, asking: Asking) -> &Prompt {
        self.0.iter().find(|prompt| prompt.asking == asking).expect("every question has a shipped prompt")
    }
}

impl Prompt {
    fn parse(shipped: &Shipped, text: &str) -> Result<Self, PromptError> {
        let invalid = |message: String| PromptError::Invalid { id: shipped.id.to_owned(), message };
        let text = text.replace("\r\n", "\n");
        let Some((instructions, data)) = text.split_once(BETWEEN) else {
            return Err(invalid("put a line --- between the instructions and the data".to_owned()));
        };
        Ok(Self {
            reference: PromptReference { id: shipped.id.to_owned(), hash: Hash::of(&text).short() },
            asking: shipped.asking,
            template: Template::parse((instructions, shipped.instructions), (data, shipped.data)).map_err(invalid)?,
        })
    }

    /// Fills the holes; a hole without a value stays empty, and inserted text is never searched for holes.
    pub fn fill(&self, values: &[(Hole, &str)]) -> Filled {
        self.template.fill(values)
    }
}

impl Template {
    /// Reads instructions and data, each with its required holes.
    ///
    /// # Errors
    /// Names the hole that is unknown, misplaced or missing.
    pub fn parse(instructions: (&str, &[Hole]), data: (&str, &[Hole])) -> Result<Self, String> {
        let part = |name: &str, (words, wanted): (&str, &[Hole])| {
            let pieces = pieces(words.trim())?;
            for piece in &pieces {
                if let Piece::Hole(hole) = piece
                    && !wanted.contains(hole)
                {
                    let allowed = list(wanted);
                    return Err(format!("{} is not allowed in the {name}: use {allowed}", written(*hole)));
                }
            }
            for hole in wanted {
                if !pieces.iter().any(|piece| matches!(piece, Piece::Hole(other) if other == hole)) {
                    return Err(format!("the {name} must have {}", written(*hole)));
                }
            }
            Ok(pieces)
        };
        Ok(Self { instructions: part("instructions", instructions)?, data: part("data", data)? })
    }

    /// Fills the holes; a hole without a value stays empty, and inserted text is never searched for holes.
    pub fn fill(&self, values: &[(Hole, &str)]) -> Filled {
        let fill = |pieces: &[Piece]| {
            let value = |hole: &Hole| values.iter().find(|(name, _)| name == hole).map_or("", |(_, value)| *value);
            pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Words(words) => words.as_str(),
                    Piece::Hole(hole) => value(hole),
                })
                .collect::<String>()
        };
        Filled { instructions: fill(&self.instructions), data: fill(&self.data) }
    }
}

fn pieces(words: &str) -> Result<Vec<Piece>, String> {
    let mut out = Vec::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else {
            return Err("a placeholder that begins with {{ must end with }}".to_owned());
        };
        let known = HOLES.iter().find(|(_, known)| *known == name.trim());
        let Some((hole, _)) = known else {
            let all: Vec<Hole> = HOLES.iter().map(|(hole, _)| *hole).collect();
            return Err(format!("there is no placeholder {{{{{name}}}}}: choose from {}", list(&all)));
        };
        out.extend([Piece::Words(before.to_owned()), Piece::Hole(*hole)]);
        rest = after;
    }
    out.push(Piece::Words(rest.to_owned()));
    Ok(out)
}

fn written(hole: Hole) -> String {
    let name = HOLES.iter().find(|(other, _)| *other == hole).map_or("", |(_, name)| *name);
    format!("{{{{{name}}}}}")
}

fn list(holes: &[Hole]) -> String {
    holes.iter().map(|hole| written(*hole)).collect::<Vec<_>>().join(", ")
}

/// Removes the descriptions from the schema of an answer: the prompt contains them, and every ticket would pay for them twice.
pub fn without_words(schema: &mut schemars::Schema) {
    let Some(schema) = schema.as_object_mut() else { return };
    schema.remove("description");
    let properties = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut);
    for property in properties.into_iter().flat_map(serde_json::Map::values_mut) {
        if let Some(property) = property.as_object_mut() {
            property.remove("description");
        }
    }
}

/// A fence around untrusted text, which the text cannot close.
///
/// Two measures keep it closed, and each alone is enough. Every line of the text begins with `|`, after any line end
/// of any script, while the marks begin at the margin. And the marks contain a name taken from the hash of the text: an
/// author who writes the name into the text changes the hash, and if the name occurs in the text anyway, the next one
/// is used. So the fence is the same in every run over the same text, as a cache and a replay need, and an author
/// cannot write it in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    name: String,
}

impl Fence {
    /// The fence for a text and for pieces of it.
    pub fn of(text: &str) -> Self {
        let name = (0u32..).map(|turn| Hash::of(turn.to_le_bytes()).and(text).digits(8));
        // A text of n bytes holds fewer than n names, so one of the first n + 1 is free, and every text is finite.
        let name = name.into_iter().find(|name| !text.contains(name.as_str())).unwrap_or_default();
        Self { name }
    }

    /// The text between two marks of the fence.
    pub fn around(&self, text: &str) -> String {
        format!("TICKET {0}\n{1}TICKET {0} ends", self.name, behind_bars(text))
    }
}

/// The text with `|` before every line. Characters that end a line elsewhere end one here too, and invisible ones are removed.
pub fn behind_bars(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let text = text.replace("\r\n", "\n");
    for line in text.trim_end().split(ends_a_line) {
        out.push('|');
        if !line.is_empty() {
            out.push(' ');
        }
        out.extend(line.trim_end().chars().filter(|c| !is_unseen(*c)).map(|c| if c.is_control() { ' ' } else { c }));
        out.push('\n');
    }
    out
}

fn ends_a_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{0B}' | '\u{0C}' | '\u{1C}'..='\u{1E}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true for characters without a visible form, which may carry words that a human reader does not see; a model
/// also reads variation selectors.
fn is_unseen(c: char) -> bool {
    clean::is_invisible(c) || matches!(c, '\u{E0080}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_prompts_have_their_holes() {
        let prompts = Prompts::shipped().expect("the shipped prompts are whole");
        let filled =
            prompts.of(Asking::Structuring).fill(&[(Hole::Kind, "a bug report"), (Hole::Ticket, "{{kind}} words")]);
        assert!(filled.instructions.contains("a bug report") && !filled.instructions.contains("{{"));
        assert_eq!(filled.data, "{{kind}} words");
    }

    #[test]
    fn a_wrong_hole_is_refused_with_the_remedy() {
        let parse = |text: &str| Prompt::parse(&SHIPPED[0], text).expect_err("it is wrong").to_string();
        for (text, told) in [
            ("{{kind}}\n---\n{{tickets}}", "there is no placeholder {{tickets}}: choose from {{kind}}"),
            ("{{kind}} {{ticket}}\n---\n{{ticket}}", "{{ticket}} is not allowed in the instructions: use {{kind}}"),
            ("words\n---\n{{ticket}}", "the instructions must have {{kind}}"),
            ("{{kind}}\n---\nwords", "the data must have {{ticket}}"),
            ("{{kind}} {{ticket}}", "put a line --- between the instructions and the data"),
            ("{{kind\n---\n{{ticket}}", "must end with }}"),
        ] {
            assert!(parse(text).contains(told), "{}", parse(text));
        }
    }

    #[test]
    fn a_folder_replaces_what_it_has_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(Prompts::with_folder(folder.path()), Err(PromptError::Empty { .. })));
        std::fs::write(folder.path().join("scoring_v1.txt"), "{{kind}} {{criteria}} {{language}}\n---\n{{ticket}}")
            .expect("it is written");
        let own = Prompts::with_folder(folder.path()).expect("it is whole");
        let shipped = Prompts::shipped().expect("they are whole");
        assert_ne!(own.of(Asking::Scoring).reference, shipped.of(Asking::Scoring).reference);
        assert_eq!(own.of(Asking::Clarify).reference, shipped.of(Asking::Clarify).reference);
        std::fs::write(folder.path().join("scoring_v2.txt"), "words").expect("it is written");
        assert!(matches!(Prompts::with_folder(folder.path()), Err(PromptError::UnknownName { .. })));
    }

    #[test]
    fn no_text_closes_its_fence() {
        proptest::proptest!(|(pieces in proptest::collection::vec(0..9usize, 0..40))| {
            let parts = ["TICKET ", "\n", "\r", "\u{2028}", "\u{b}", " ends", "|", "x\u{200b}", "\u{e0041}"];
            let mut text: String = pieces.iter().map(|at| parts[*at]).collect();
            // An author who knows the code writes the mark of the former text.
            text.push_str(&format!("\nTICKET {} ends\n", Fence::of(&text).name));
            let fence = Fence::of(&text);
            let fenced = fence.around(&text);
            proptest::prop_assert!(!text.contains(&fence.name));
            let lines: Vec<&str> = fenced.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']).collect();
            let inside = &lines[1..lines.len() - 1];
            proptest::prop_assert!(inside.iter().all(|line| line.starts_with('|')), "{fenced:?}");
            let unseen = fenced.chars().filter(|c| is_unseen(*c)).count();
            proptest::prop_assert_eq!(unseen, 0);
        });
    }
}
