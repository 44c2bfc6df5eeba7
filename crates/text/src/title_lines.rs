//! Recognises a title line by its form alone: brackets, bold, a Chinese number before it, a colon after it.

use super::blocks::Block;
use super::lexicon::is_cjk;
use super::words::templates::RECORDS;

/// The longest label or pseudo heading, in bytes (about 40 columns of either language).
pub(super) const LONGEST_LABEL: usize = 64;

/// The widest Chinese title that is the heading of a part ("2.4 场景举例"), in columns; a wider one is about the matter.
pub(super) const WIDEST_CHINESE_TITLE: usize = 14;

/// Returns true for the heading of a record that is filled in after the work: "Dev agent record", 开发记录.
pub(super) fn is_record(heading: &str) -> bool {
    RECORDS.stand_in(&heading.to_lowercase())
}

/// 【title】 or [title] at the start of a line: the title and the byte after it.
pub(super) fn bracketed(words: &str) -> Option<(&str, usize)> {
    let (open, close) =
        [('【', '】'), ('［', '］'), ('[', ']')].into_iter().find(|(open, _)| words.starts_with(*open))?;
    let rest = &words[open.len_utf8()..];
    let end = rest[..rest.floor_char_boundary(LONGEST_LABEL + 4)].find(close)?;
    let after = open.len_utf8() + end + close.len_utf8();
    // `[text](address)`, `[x]` and `[1]` are not titles.
    let other = open == '[' && (words[after..].starts_with(['(', '[']) || rest[..end].contains('|') || end < 4);
    (!other && end <= LONGEST_LABEL).then_some((&rest[..end], after))
}

/// `*Expected* it opens`: the bold words at the start of a line and the byte after them.
pub(super) fn bold_label(words: &str) -> Option<(&str, usize)> {
    let mark = ["**", "__", "*"].into_iter().find(|mark| words.starts_with(mark))?;
    let inner = &words[mark.len()..];
    let end = inner.find(mark).filter(|end| *end > 0 && *end <= LONGEST_LABEL)?;
    let content = mark.len() + end + mark.len();
    (words.len() > content).then_some((&inner[..end], content))
}

/// The line without marks that make all of it bold or underlined, and whether it had any.
pub(super) fn unbold(words: &str) -> (&str, bool) {
    let trimmed = words.trim();
    for mark in ["**", "__", "*", "+"] {
        let Some(inner) = trimmed.strip_prefix(mark) else { continue };
        let inner_without_colon = inner.trim_end_matches([':', '：', ' ']);
        if let Some(title) = inner_without_colon.strip_suffix(mark)
            && !title.contains(mark)
            && !title.trim().is_empty()
        {
            return (title.trim(), true);
        }
    }
    (trimmed, false)
}

/// Returns true for "缺陷描写：…", "Seen by: …": an unknown label ends the field before it.
pub(super) fn looks_like_a_label(words: &str) -> bool {
    let near = &words[..words.floor_char_boundary(LONGEST_LABEL)];
    let Some((title, _)) = near.split_once([':', '：']) else { return false };
    let short =
        if title.chars().any(is_cjk) { title.chars().count() <= 8 } else { title.split_whitespace().count() <= 3 };
    short && title.starts_with(|c: char| c.is_uppercase() || is_cjk(c))
}

/// A numbered line is a chapter title if it is short, without a verb-like end and without punctuation: 一、背景.
pub(super) fn is_chinese_title(bare: &str, block: &Block, text: &str) -> bool {
    let one_line = !block.text.slice(text).trim().contains('\n') || block.text.slice(text).lines().count() > 1;
    let columns = super::display_width(bare);
    bare.chars().any(is_cjk)
        && one_line
        && columns <= 24
        && !bare.contains(['，', ',', '。', '；', '→', '、'])
        && !bare.chars().any(|c| c.is_ascii_digit())
}

/// Returns true if 一、 numbers a chapter; 1、 numbers an item.
pub(super) fn is_chapter(block: &Block, text: &str) -> bool {
    block.label.is_some_and(|label| label.slice(text).chars().any(|c| "一二三四五六七八九十".contains(c)))
}
