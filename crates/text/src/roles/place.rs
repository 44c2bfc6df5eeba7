//! The position of a sentence among its neighbours: first or last of its section, after a list, in a run of instructions.

use super::Facts;
use crate::reading::Reading;

/// The longest line of a run of instructions, in bytes.
const LONGEST_INSTRUCTION: usize = 160;

/// The position of a sentence in its section.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) is_first: bool,
    /// The last sentence of the list, or of a section without a list.
    pub(super) is_last: bool,
    /// The section holds a list.
    pub(super) has_list: bool,
    pub(super) before_list: bool,
    /// In a separate paragraph after the list.
    pub(super) after_list: bool,
    /// In a later paragraph than the first of a section without a list.
    pub(super) later_paragraph: bool,
    /// A sentence of the section states a wish.
    pub(super) somebody_wants: bool,
    /// In a run of lines that are mostly instructions, from the first instruction on.
    pub(super) in_run: bool,
    /// In a list whose items are mostly instructions; then all of them are.
    pub(super) in_list: bool,
}

/// The place of every sentence. Three passes take linear time.
pub(super) fn places(text: &str, reading: &Reading, facts: &[Facts<'_>]) -> Vec<Place> {
    let paragraph = paragraphs(text, reading, facts);
    let mut out = vec![Place::default(); facts.len()];
    let mut start = 0;
    while start < facts.len() {
        let section = facts[start].sentence.section;
        let length = facts[start..].iter().take_while(|f| f.sentence.section == section && !f.is_apart()).count();
        if length == 0 {
            start += 1;
            continue;
        }
        let end = start + length;
        in_section(&facts[start..end], &paragraph[start..end], &mut out[start..end]);
        runs(&facts[start..end], &paragraph[start..end], &mut out[start..end]);
        lists(&facts[start..end], &mut out[start..end]);
        start = end;
    }
    out
}

/// The number of the paragraph of each sentence: a blank line or a heading begins a new one.
fn paragraphs(text: &str, reading: &Reading, facts: &[Facts<'_>]) -> Vec<usize> {
    let mut number = 0;
    let mut end = None;
    let mut out = Vec::with_capacity(facts.len());
    for fact in facts {
        let span = fact.sentence.span;
        let is_new = end.is_none_or(|end: usize| reading.breaks_between(text, end, span.start) >= 2);
        number += usize::from(is_new || fact.is_apart());
        out.push(number);
        end = Some(span.end);
    }
    out
}

fn in_section(facts: &[Facts<'_>], paragraph: &[usize], out: &mut [Place]) {
    let first_item = facts.iter().position(|f| f.is_item);
    let last_item = facts.iter().rposition(|f| f.is_item);
    let last = last_item.unwrap_or(facts.len() - 1);
    let somebody_wants = facts.iter().any(Facts::wants);
    for (index, place) in out.iter_mut().enumerate() {
        *place = Place {
            is_first: index == 0,
            is_last: index == last,
            has_list: first_item.is_some(),
            before_list: first_item.is_some_and(|first| index < first),
            after_list: last_item.is_some_and(|item| index > item && paragraph[index] != paragraph[item]),
            later_paragraph: first_item.is_none() && paragraph[index] != paragraph[0],
            somebody_wants,
            in_run: false,
            in_list: false,
        };
    }
}

/// Marks the runs: lines of one paragraph, at least two and at least half of them instructions.
fn runs(facts: &[Facts<'_>], paragraph: &[usize], out: &mut [Place]) {
    let mut start = 0;
    while start < facts.len() {
        let short = |fact: &Facts<'_>| fact.words.len() <= LONGEST_INSTRUCTION;
        let same = facts[start..].iter().zip(&paragraph[start..]);
        let length = same.take_while(|(f, p)| **p == paragraph[start] && short(f)).count();
        let lines = &facts[start..start + length];
        let instructs = |fact: &Facts<'_>| fact.acts && !fact.is_question;
        let acting = lines.iter().filter(|fact| instructs(fact)).count();
        if acting >= 2 && acting * 2 >= length {
            let first = lines.iter().position(instructs).unwrap_or(0);
            out[start + first..start + length].iter_mut().for_each(|place| place.in_run = true);
        }
        start += length.max(1);
    }
}

/// Marks the lists of consecutive items, at least two and at least half of them instructions. Blank lines between the
/// items and second sentences within them do not divide a list.
fn lists(facts: &[Facts<'_>], out: &mut [Place]) {
    let mut start = 0;
    while start < facts.len() {
        let first = &facts[start];
        let length = facts[start..].iter().take_while(|f| f.is_item && f.is_ordered == first.is_ordered).count();
        let list = &facts[start..start + length];
        let opens = |index: &usize| *index == 0 || list[index - 1].sentence.block != list[*index].sentence.block;
        let heads: Vec<&Facts<'_>> = (0..length).filter(opens).map(|index| &list[index]).collect();
        let acting = heads.iter().filter(|fact| fact.acts && !fact.is_question && !fact.wants()).count();
        // Numbers show an order, so half of the items are enough; bullets need two thirds.
        let enough = if first.is_ordered { acting * 2 >= heads.len() } else { acting * 3 >= heads.len() * 2 };
        if acting >= 2 && enough {
            out[start..start + length].iter_mut().for_each(|place| place.in_list = true);
        }
        start += length.max(1);
    }
}
