//! An order, checked when it is loaded: the shipped ones from the binary, the user's from a folder.

use std::path::{Path, PathBuf};

use garde::Validate;
use serde::Deserialize;

use reqgate_base::files;
use reqgate_base::hash::Hash;
use reqgate_base::model::PromptReference;
use reqgate_base::yaml;
use reqgate_rules::prompts::{Filled, Hole, Template};

/// An order as written.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderFile {
    /// The name with its version, which is also the name of the file.
    #[garde(length(min = 1))]
    pub id: String,
    /// The perspective from which the reader judges.
    #[garde(length(min = 8))]
    pub perspective: String,
    /// The inputs of the reader.
    #[garde(length(min = 1))]
    pub inputs: Vec<Hole>,
    /// The result that the reader returns.
    #[garde(skip)]
    pub result: ResultKind,
    /// The checks of the result.
    #[garde(length(min = 1))]
    pub checks: Vec<Check>,
    /// The instructions to the reader, without any text of a ticket.
    #[garde(length(min = 8))]
    pub instructions: String,
    /// The data; untrusted text is only here.
    #[garde(length(min = 1))]
    pub data: String,
}

/// The shape of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// Kind, readiness, evidence and questions: [`super::ReadingAnswer`].
    Reading,
}

/// A check of a result, for every author of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// A quote is in the text, ignoring case, quotation marks, ellipses and line breaks; its place is computed.
    Quotes,
    /// A quote and a question must have content: "ok" is not evidence, and a repeated quote is not a question.
    ContentWords,
    /// Sentences are in the language of the text.
    Language,
    /// A sentence is one line without an address that the text does not have, an order or personal data.
    SafeWords,
    /// Numbers of items and lengths are within their bounds.
    Sizes,
    /// Ids are known, and each occurs once.
    Ids,
    /// A figure is in one of the texts; an undecided one is a blank.
    Figures,
    /// Required fields are filled in.
    Filled,
    /// A changed section exists, and its text stays below its heading.
    Sections,
}

impl Check {
    /// The check in words for the reader who carries out an order.
    pub fn words(self) -> &'static str {
        match self {
            Self::Quotes => "every quote stands in the text that it names, and its line is computed",
            Self::ContentWords => "quotes and questions have words with a meaning",
            Self::Language => "sentences are in the language of the text",
            Self::SafeWords => "sentences hold no address, order or personal data",
            Self::Sizes => "sentences are short and lists within their limit",
            Self::Ids => "ids exist and are unique",
            Self::Figures => "no figure stands there that no text has: leave a blank […]",
            Self::Filled => "required texts are not empty",
            Self::Sections => "a changed section exists, and its text has no heading above its own",
        }
    }
}

impl ResultKind {
    /// The checks without which such a result is not safe to use.
    fn checks(self) -> &'static [Check] {
        match self {
            Self::Reading => &[Check::Quotes, Check::ContentWords, Check::Language, Check::SafeWords, Check::Sizes],
        }
    }
}

/// The reason why an order cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// A folder or file cannot be read.
    #[error("reading orders from {path}: {source}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The name of a file is not that of an order.
    #[error(
        "{path}: unknown order: name it read_ticket_v1.yaml, read_story_v1.yaml or as an order about documents is named"
    )]
    UnknownName {
        /// The path of the file.
        path: PathBuf,
    },
    /// A file is not a valid order.
    #[error("order {id}: {message}")]
    Invalid {
        /// The id of the order.
        id: String,
        /// The problem, and the text to write.
        message: String,
    },
}

/// An order, ready to be filled.
#[derive(Debug, Clone)]
pub struct Order {
    /// The name with its version, and the hash of its text.
    pub reference: PromptReference,
    /// The result that the reader returns.
    pub result: ResultKind,
    template: Template,
}

/// The orders in force.
#[derive(Debug, Clone)]
pub struct Orders {
    /// All orders, in the order of [`SHIPPED`].
    all: Vec<Order>,
}

/// The shipped orders to read a ticket, each from its own perspective; the first is used if a policy names none.
const SHIPPED: [(&str, &str); 2] = [
    ("read_ticket_v1", include_str!("../../../../prompts/read_ticket_v1.yaml")),
    ("read_story_v1", include_str!("../../../../prompts/read_story_v1.yaml")),
];

/// The names of the orders about documents: those of the PRD workflow, and the stories of a plan. The crate that uses an
/// order has its checks.
pub const DOCUMENT_ORDERS: [&str; 15] = [
    "critique_prd_v1",
    "prd_brief_update_v1",
    "prd_brief_v1",
    "prd_conflicts_v1",
    "prd_gap_requirements_v1",
    "prd_gaps_v1",
    "prd_requirements_v1",
    "prd_update_v1",
    "team_competitors_v1",
    "team_draft_v1",
    "team_market_v1",
    "team_outline_v1",
    "team_revision_v2",
    "team_users_v1",
    "write_stories_v1",
];

impl Orders {
    /// The shipped orders.
    ///
    /// # Errors
    /// Never fails with the shipped files; a test reads them.
    pub fn shipped() -> Result<Self, OrderError> {
        let all: Result<_, _> = SHIPPED.into_iter().map(|(id, text)| Order::parse(id, text)).collect();
        Ok(Self { all: all? })
    }

    /// The shipped orders, except those that a folder replaces.
    ///
    /// # Errors
    /// Fails if a file cannot be read, has an unknown name or is not a valid order.
    pub fn with_folder(folder: &Path) -> Result<Self, OrderError> {
        let mut orders = Self::shipped()?;
        for (path, id) in files_of_orders(folder)? {
            let Some(at) = SHIPPED.into_iter().position(|(shipped, _)| shipped == id) else { continue };
            orders.all[at] = Order::parse(id, &read_order(&path)?).map_err(|error| not_shown(error, &path))?;
        }
        Ok(orders)
    }

    /// The order to read a ticket and list the necessary questions, from the perspective that a policy names; without a
    /// known name, that of developer and tester.
    pub fn reading(&self, id: Option<&str>) -> &Order {
        let named = id.and_then(|id| self.all.iter().find(|order| order.reference.id == id));
        named.unwrap_or(&self.all[0])
    }
}

/// The files of a folder that replace orders, each with the name of its order.
///
/// # Errors
/// Fails if the folder cannot be read, or if a YAML file in it has the name of no order.
pub(super) fn files_of_orders(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, OrderError> {
    let read = |source| OrderError::Read { path: folder.to_path_buf(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let mut known = SHIPPED.into_iter().map(|(id, _)| id).chain(DOCUMENT_ORDERS);
        match known.find(|id| path.file_stem().is_some_and(|stem| stem == *id)) {
            Some(id) => found.push((path, id)),
            None => return Err(OrderError::UnknownName { path }),
        }
    }
    Ok(found)
}

/// The text of the file of an order.
///
/// # Errors
/// Fails if it cannot be read.
pub(super) fn read_order(path: &Path) -> Result<String, OrderError> {
    let text = files::text(path, files::SETTINGS);
    let text = text.map_err(|source| OrderError::Read { path: path.to_path_buf(), source })?;
    Ok(text.replace("\r\n", "\n"))
}

/// The error without words of the file, if the file is a link that leads out of its folder.
pub(super) fn not_shown(error: OrderError, path: &Path) -> OrderError {
    match error {
        OrderError::Invalid { id, .. } if files::is_link_elsewhere(path) => {
            OrderError::Invalid { id, message: files::NOT_SHOWN.to_owned() }
        }
        other => other,
    }
}

impl Order {
    fn parse(id: &str, text: &str) -> Result<Self, OrderError> {
        let invalid = |message: String| OrderError::Invalid { id: id.to_owned(), message };
        let file: OrderFile = yaml::read_valid(text).map_err(|error| invalid(error.to_string()))?;
        if file.id != id {
            return Err(invalid(format!("its id is `{}`: write {id}", file.id)));
        }
        if let Some(check) = file.result.checks().iter().find(|check| !file.checks.contains(check)) {
            return Err(invalid(format!(
                "its result is not safe to use without the check {check:?}: add it to `checks`"
            )));
        }
        let is_data = |input: &&Hole| matches!(input, Hole::Ticket | Hole::Findings);
        let (data, instructions): (Vec<&Hole>, Vec<&Hole>) = file.inputs.iter().partition(is_data);
        let (data, instructions): (Vec<Hole>, Vec<Hole>) =
            (data.into_iter().copied().collect(), instructions.into_iter().copied().collect());
        let template = Template::parse((&file.instructions, &instructions), (&file.data, &data)).map_err(invalid)?;
        Ok(Self {
            reference: PromptReference { id: id.to_owned(), hash: Hash::of(text).short() },
            result: file.result,
            template,
        })
    }

    /// Fills in the inputs; inserted text is never searched for holes.
    pub(crate) fn fill(&self, values: &[(Hole, &str)]) -> Filled {
        self.template.fill(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_order_is_whole() {
        let orders = Orders::shipped().expect("the shipped orders are valid");
        let filled = orders.reading(None).fill(&[(Hole::Language, "English"), (Hole::Ticket, "{{language}} words")]);
        assert!(filled.instructions.contains("words of English") && !filled.instructions.contains("{{"));
        assert_eq!(filled.data, "{{language}} words", "what a ticket says is never read for holes");
    }

    #[test]
    fn a_broken_order_is_refused_with_the_remedy() {
        let shipped = SHIPPED[0].1;
        for (from, to, told) in [
            ("id: read_ticket_v1", "id: read_ticket_v2", "write read_ticket_v1"),
            ("checks: [quotes, ", "checks: [", "without the check Quotes"),
            ("{{language}}", "{{ticket}}", "{{ticket}} is not allowed in the instructions"),
            ("  {{ticket}}\n", "  nothing\n", "the data must have {{ticket}}"),
            ("result: reading", "result: verdict", "verdict"),
            ("perspective:", "role:", "role"),
        ] {
            assert!(shipped.contains(from), "{from}");
            let error = Order::parse(SHIPPED[0].0, &shipped.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_folder_replaces_the_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = SHIPPED[0].1.replace("this ticket tomorrow. You", "this ticket today. You");
        std::fs::write(folder.path().join("read_ticket_v1.yaml"), own).expect("it is written");
        let orders = Orders::with_folder(folder.path()).expect("it is valid");
        let shipped = Orders::shipped().expect("it is valid");
        assert_ne!(orders.reading(None).reference, shipped.reading(None).reference);
        let story = orders.reading(Some("read_story_v1"));
        assert_eq!(story.reference, shipped.reading(Some("read_story_v1")).reference);
        assert_eq!(story.reference.id, "read_story_v1");
        // An order about documents is read where it is used.
        std::fs::write(folder.path().join("prd_brief_v1.yaml"), "id: x\n").expect("it is written");
        assert!(Orders::with_folder(folder.path()).is_ok());
        std::fs::write(folder.path().join("read_prd_v1.yaml"), "id: x\n").expect("it is written");
        assert!(matches!(Orders::with_folder(folder.path()), Err(OrderError::UnknownName { .. })));
    }
}
