//! Turns a ticket into ids: cut, normalise, split into words and pieces, join title and text.

use crate::normalisation::{Normalisation, SPACE};
use crate::vocabulary::{UNKNOWN, Vocabulary};
use crate::{MOST_IDS, MOST_TITLE_IDS};

const BEGIN: u32 = 0;
const END: u32 = 2;

/// The most characters of a title that are read.
const TITLE: usize = 300;
/// The most characters of a text that is read whole; of a longer one, the first and the last are read.
const WHOLE: usize = 4_000;
const FIRST: usize = 3_000;
const LAST: usize = 1_000;

/// The ids of title and text with their separators, at most [`MOST_IDS`].
pub(crate) fn ticket_ids(vocabulary: &Vocabulary, normalisation: &Normalisation, title: &str, text: &str) -> Vec<u32> {
    let ids = |text: &str| tokens(vocabulary, &normalisation.apply(text));
    let mut head = ids(&prefix(title, TITLE));
    head.truncate(MOST_TITLE_IDS);
    let body = ids(&shortened(text));
    let room = MOST_IDS - 3 - head.len();
    let mut out = Vec::with_capacity(MOST_IDS);
    out.push(BEGIN);
    out.extend(head);
    out.push(END);
    if body.len() > room {
        let first = room * 3 / 4;
        out.extend(&body[..first]);
        out.extend(&body[body.len() - (room - first)..]);
    } else {
        out.extend(body);
    }
    out.push(END);
    out
}

fn prefix(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= WHOLE {
        return text.to_owned();
    }
    let last: String = text.chars().skip(count - LAST).collect();
    format!("{}\n…\n{last}", prefix(text, FIRST))
}

fn tokens(vocabulary: &Vocabulary, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.char_indices().skip(1).find(|(_, c)| *c == SPACE).map_or(rest.len(), |(at, _)| at);
        vocabulary.split(&rest[..word], &mut ids);
        rest = &rest[word..];
    }
    ids.dedup_by(|next, before| *next == UNKNOWN && *before == UNKNOWN);
    ids
}
