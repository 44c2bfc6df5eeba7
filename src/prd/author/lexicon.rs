//! The compiled words for drafting, and their occurrences in a text.

use crate::model::Span;
use crate::rules::DraftingCue;
use crate::text::cues::WordListFile;
use crate::text::lexicon::{Hit, Lexicon, LexiconError, TermList};

/// The lists of all cues in one index.
#[derive(Debug)]
pub struct Words {
    lexicon: Lexicon,
}

impl Words {
    /// Compiles the lists; a cue with several lists has the terms of all.
    pub fn new(lists: &[(DraftingCue, WordListFile)]) -> Result<Self, LexiconError> {
        let lists: Vec<TermList> = DraftingCue::ALL.iter().map(|cue| terms(lists, *cue)).collect();
        Ok(Self { lexicon: Lexicon::new(&lists)? })
    }

    /// The occurrences in a text.
    pub fn in_text(&self, text: &str) -> CuesOfText {
        CuesOfText { hits: self.lexicon.hits(text) }
    }

    /// True if the cue occurs in these words.
    pub fn has(&self, words: &str, cue: DraftingCue) -> bool {
        self.in_text(words).find(Span::new(0, words.len()), cue).is_some()
    }

    /// The words without the terms of a cue.
    pub fn without(&self, words: &str, cue: DraftingCue) -> String {
        let mut rest = String::with_capacity(words.len());
        let mut from = 0;
        for hit in self.lexicon.hits(words).iter().filter(|hit| usize::from(hit.list.0) == cue as usize) {
            rest.push_str(words.get(from..hit.span.start).unwrap_or_default());
            rest.push(' ');
            from = from.max(hit.span.end);
        }
        rest.push_str(words.get(from..).unwrap_or_default());
        rest
    }
}

fn terms(lists: &[(DraftingCue, WordListFile)], cue: DraftingCue) -> TermList {
    let mut all = TermList::default();
    for (_, list) in lists.iter().filter(|(own, _)| *own == cue) {
        all.add(list.clone().terms());
    }
    all
}

/// The cues of a text with their places.
#[derive(Debug)]
pub struct CuesOfText {
    hits: Vec<Hit>,
}

impl CuesOfText {
    /// The first place of a cue that lies wholly within a span.
    pub fn find(&self, within: Span, cue: DraftingCue) -> Option<Span> {
        let from = self.hits.partition_point(|hit| hit.span.start < within.start);
        let inside = self.hits[from..].iter().take_while(|hit| hit.span.start < within.end);
        let mut inside = inside.filter(|hit| usize::from(hit.list.0) == cue as usize && hit.span.end <= within.end);
        inside.next().map(|hit| hit.span)
    }

    /// True if the cue occurs in a span.
    pub fn has(&self, within: Span, cue: DraftingCue) -> bool {
        self.find(within, cue).is_some()
    }

    /// True if any of the cues occurs in a span.
    pub fn any(&self, within: Span, cues: &[DraftingCue]) -> bool {
        cues.iter().any(|cue| self.has(within, *cue))
    }
}
