//! Reads the user story of a table row whose columns are its parts: "As a | I want | So that".

use super::sentences::{plain, substance};
use reqgate_base::model::Span;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::stories::{REASON_COLUMNS, ROLE_COLUMNS, STORY_ROLES, WISH_COLUMNS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoryRow {
    /// The story as a sentence.
    pub words: String,
    /// The user of the story.
    pub user: String,
    /// The location of the cell with the wish.
    pub wish: Span,
}

/// The story of a row, by its column headers. A row needs a user and a wish; the reason may be empty.
pub(super) fn story_row(text: &str, heads: &[Span], cells: &[Span]) -> Option<StoryRow> {
    let names: Vec<String> = heads.iter().map(|head| name(head.slice(text))).collect();
    let column = |is: &dyn Fn(&str) -> bool| {
        let at = names.iter().position(|name| is(name))?;
        cells.get(at).copied().filter(|cell| substance(cell.slice(text)) >= 1)
    };
    let (role, wish) = (column(&|name| ROLE_COLUMNS.has(name))?, column(&|name| WISH_COLUMNS.has(name))?);
    let reason = column(&|name| REASON_COLUMNS.has(name));
    let user = without(&plain(role.slice(text)), |lower| STORY_ROLES.behind(lower));
    let wanted = without(&plain(wish.slice(text)), |lower| {
        let signals = WISH_COLUMNS.iter().filter(|signal| !signal.ends_with(" to"));
        signals.filter_map(|signal| lower.strip_prefix(signal)).min_by_key(|rest| rest.len())
    });
    let because = reason.map(|reason| {
        without(&plain(reason.slice(text)), |lower| {
            let signals = REASON_COLUMNS.iter().filter(|signal| !signal.contains(" i"));
            signals.filter_map(|signal| lower.strip_prefix(signal)).min_by_key(|rest| rest.len())
        })
    });
    let words = if wanted.contains(is_cjk) {
        let because = because.map(|reason| format!("，以便{reason}")).unwrap_or_default();
        format!("作为{user}，我想要{wanted}{because}")
    } else {
        let article = if user.to_ascii_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let asks_to = names.iter().any(|name| WISH_COLUMNS.has(name) && name.ends_with(" to"));
        let to = if asks_to && !wanted.starts_with("to ") { "to " } else { "" };
        let can = names.iter().any(|name| REASON_COLUMNS.has(name) && name.ends_with("i can"));
        let because = because.map(|reason| format!(" so that {}{reason}", if can { "I can " } else { "" }));
        format!("As {article} {user}, I want {to}{wanted}{}", because.unwrap_or_default())
    };
    Some(StoryRow { words, user, wish })
}

/// A column header in lower case, without punctuation around it.
fn name(head: &str) -> String {
    plain(head).to_lowercase().trim_matches(|c: char| !c.is_alphanumeric() && c != ')').to_owned()
}

/// The text without a signal word at its beginning and punctuation at its end.
fn without(words: &str, behind: impl Fn(&str) -> Option<&str>) -> String {
    let lower = words.to_ascii_lowercase();
    // A signal must be a whole word: "Personal data" does not begin with "person".
    let is_word = |rest: &&str| {
        let signal = &lower[..lower.len() - rest.len()];
        !signal.is_ascii() || signal.ends_with(' ') || rest.starts_with([' ', ',', '.'])
    };
    let rest = behind(&lower).filter(is_word);
    let bare = rest.and_then(|rest| words.get(words.len() - rest.len()..)).unwrap_or(words);
    let marks = [' ', ',', '，', '.', '。', '…', ';', '；'];
    bare.trim_matches(marks).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(heads: &[&str], cells: &[&str]) -> Option<String> {
        let text = [heads, cells].concat().join("|");
        let mut at = 0;
        let spans: Vec<Span> = [heads, cells]
            .concat()
            .iter()
            .map(|cell| {
                let span = Span::new(at, at + cell.len());
                at = span.end + 1;
                span
            })
            .collect();
        story_row(&text, &spans[..heads.len()], &spans[heads.len()..]).map(|row| row.words)
    }

    #[test]
    fn the_columns_of_a_row_make_a_story() {
        for (heads, cells, expected) in [
            (
                ["ID", "As a", "I want", "So that"],
                ["US-001", "support agent", "to export orders", "I answer faster"],
                "As a support agent, I want to export orders so that I answer faster",
            ),
            (
                ["ID", "Role", "I want to…", "So that I can"],
                ["US-001", "As an agent", "export orders.", "answer faster."],
                "As an agent, I want to export orders so that I can answer faster",
            ),
            (
                ["#", "**As a/an**", "**I want**", "**Benefit**"],
                ["1", "editor", "I want to export orders", "so that I answer faster"],
                "As an editor, I want to export orders so that I answer faster",
            ),
            (
                ["编号", "作为", "我想要", "以便"],
                ["US-001", "客服", "导出订单", "更快答复"],
                "作为客服，我想要导出订单，以便更快答复",
            ),
            (["编号", "角色", "我希望", "价值"], ["US-001", "客服", "导出订单", ""], "作为客服，我想要导出订单"),
        ] {
            assert_eq!(story(&heads, &cells).as_deref(), Some(expected), "{heads:?}");
        }
        for (heads, cells) in [
            (["ID", "Role", "Requirement", "Reason"], ["FR-001", "agent", "exports orders", "speed"]),
            (["ID", "As a", "I want", "So that"], ["US-001", "", "to export orders", "I answer faster"]),
            (["ID", "As a", "I want", "So that"], ["US-001", "agent", "–", "I answer faster"]),
        ] {
            assert_eq!(story(&heads, &cells), None, "{heads:?}");
        }
    }
}
