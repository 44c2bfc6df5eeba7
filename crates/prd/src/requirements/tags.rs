//! Reads the priority of a requirement, its stories, and a decision against it from a tag, a column or a heading.

use super::words::{Column, PutAside, priority};
use crate::RequirementPriority;

/// The attributes of a requirement that are not part of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// The priority; unset if not given.
    pub priority: RequirementPriority,
    /// The ids of the user stories that it belongs to.
    pub stories: Vec<String>,
    /// The decision against the requirement, if there is one.
    pub put_aside: Option<PutAside>,
}

impl Tags {
    /// Reads the tags in brackets at the beginning and the end of a text: `(P1)`, `[must]`, `（已驳回）`.
    pub(crate) fn of_words(words: &str) -> Self {
        let words = words.trim().trim_end_matches(['.', '。', ';', '；']);
        let after_id =
            words.split_once([' ', ':', '：']).map_or(words, |(_, rest)| rest.trim_start_matches([' ', ':', '：']));
        let at_begin = [words, after_id].into_iter().find_map(|words| {
            let inner = words.strip_prefix(['(', '[', '（', '【'])?;
            inner.split([')', ']', '）', '】']).next()
        });
        let at_end =
            words.strip_suffix([')', ']', '）', '】']).and_then(|rest| rest.rsplit(['(', '[', '（', '【']).next());
        let mut out = Self::default();
        for tag in at_begin.into_iter().chain(at_end).flat_map(|tag| tag.split([',', '，', ';', '；'])) {
            let tag = tag.trim();
            let value = tag.split_once([':', '：']).map_or(tag, |(_, value)| value.trim());
            out.put_aside = out.put_aside.or_else(|| PutAside::named(value));
            // A single letter may be the number of a list item.
            if value.len() > 1 && out.priority == RequirementPriority::Unset {
                out.priority = priority(value).map_or(RequirementPriority::Unset, |(priority, _)| priority);
            }
        }
        out
    }

    /// Reads the attributes in the cells of a row, by their column headers.
    pub(crate) fn of_row<'c>(cells: impl Iterator<Item = (&'c str, &'c str)>) -> Self {
        let mut out = Self::default();
        for (head, cell) in cells {
            match Column::named(head) {
                Some(Column::Priority) => {
                    out.priority = priority(cell).map_or(RequirementPriority::Unset, |(priority, _)| priority);
                }
                Some(Column::Stories) => {
                    let names = cell.split([',', '，', '、', ' ', '/']).map(str::trim);
                    let is_id = |name: &&str| name.contains(|c: char| c.is_ascii_digit());
                    out.stories = names.filter(is_id).map(str::to_owned).collect();
                }
                Some(Column::Status) => out.put_aside = out.put_aside.or_else(|| PutAside::named(cell)),
                Some(Column::Criteria) | None => {}
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RequirementPriority as P;

    #[test]
    fn tags_name_a_priority_or_a_decision() {
        for (words, priority, put_aside) in [
            ("A clerk sorts the list. (rejected)", P::Unset, Some(PutAside::Rejected)),
            ("FR-009 [out of scope]: The list is printed.", P::Unset, Some(PutAside::OutOfScope)),
            ("[P0] A clerk sorts the list", P::High, None),
            ("A clerk sorts the list (priority: should)", P::Medium, None),
            ("客服可以打印清单（已驳回）", P::Unset, Some(PutAside::Rejected)),
            ("客服可以打印清单（优先级：高）", P::High, None),
            ("A clerk sorts the list (by name)", P::Unset, None),
            ("(a) A clerk sorts the list", P::Unset, None),
            ("A clerk sorts the list (TBD)", P::Unset, None),
        ] {
            let tags = Tags::of_words(words);
            assert_eq!((tags.priority, tags.put_aside), (priority, put_aside), "{words}");
        }
        let row = [("Priority", "Must"), ("User stories", "US-001, US-002"), ("Status", "approved"), ("Text", "x")];
        let tags = Tags::of_row(row.into_iter());
        assert_eq!((tags.priority, tags.put_aside), (P::High, None));
        assert_eq!(tags.stories, ["US-001", "US-002"]);
        assert_eq!(Tags::of_row([("状态", "已驳回")].into_iter()).put_aside, Some(PutAside::Rejected));
    }
}
