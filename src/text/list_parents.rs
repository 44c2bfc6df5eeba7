//! Finds for every item of a list the block that the list stands under.

use super::blocks::{Block, BlockKind};

/// For every block that is an item, the block that its list stands under. One pass.
pub(super) fn leads(blocks: &[Block]) -> Vec<Option<usize>> {
    let mut out = Vec::with_capacity(blocks.len());
    let mut before_list = None;
    // The items around the one at hand, outermost first; depths are few.
    let mut around: Vec<usize> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if block.kind == BlockKind::ListItem {
            while around.last().is_some_and(|outer| blocks[*outer].depth >= block.depth) {
                around.pop();
            }
            out.push(around.last().copied().or(before_list));
            around.push(index);
            continue;
        }
        out.push(None);
        match block.kind {
            BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Turn => {
                before_list = Some(index);
                around.clear();
            }
            // A picture or a snippet between two items parts no list, a hidden comment nothing at all.
            BlockKind::Code | BlockKind::Log | BlockKind::HtmlComment => {}
            _ => {
                before_list = None;
                around.clear();
            }
        }
    }
    out
}
