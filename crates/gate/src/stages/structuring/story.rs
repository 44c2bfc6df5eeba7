//! Finds the actor, the need and the benefit, in the story form or in other words.

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::words::List;
use reqgate_text::words::stories::{REASONS_BEHIND_A_WISH, WISHES_BEHIND_A_ROLE};
use reqgate_text::{Cue, Reading, Sentence};

/// The parts of a story, each with its position in the text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Story {
    /// The person or role with the need.
    pub actor: Option<Span>,
    /// The behaviour that is wanted.
    pub need: Option<Span>,
    /// The reason for the need.
    pub benefit: Option<Span>,
    /// The whole sentence, if it has the story form.
    pub sentence: Option<Span>,
}

/// Reads the story of a text.
pub(crate) fn story(text: &str, reading: &Reading) -> Story {
    let usable = |s: &&Sentence| !s.struck && !matches!(s.genre, Genre::Code | Genre::Heading);
    let formal = reading.sentences.iter().filter(usable).find_map(|s| formal_story(text, reading, s));
    let mut story = formal.unwrap_or_default();
    let sentences: Vec<&Sentence> = reading.sentences.iter().filter(usable).filter(|s| !is_metadata(s)).collect();
    if story.actor.is_none() {
        story.actor = actor(reading, &sentences);
    }
    if story.need.is_none() {
        story.need = need(text, reading, &sentences);
    }
    if story.benefit.is_none() {
        story.benefit = benefit(text, reading, &sentences);
    }
    story
}

fn is_metadata(sentence: &Sentence) -> bool {
    matches!(sentence.role, SectionRole::Metadata | SectionRole::Actions | SectionRole::Timeline)
}

/// Reads "As a …, I want …, so that …" and 作为…，我想要…，以便….
fn formal_story(text: &str, reading: &Reading, sentence: &Sentence) -> Option<Story> {
    let role = reading.find_cue(sentence.span, Cue::StoryRole)?;
    let words = sentence.span.slice(text);
    let offset = role.start - sentence.span.start;
    // The role begins the sentence or its clause.
    let before = words[..offset].trim_end_matches(['*', '_', ' ', '"', '“', '(']);
    if !(before.is_empty() || before.ends_with([',', '，', ':', '：', '-', '.', '。', '、', ')', '）', '|'])) {
        return None;
    }
    let lower = ascii_lower(words);
    let after_role = role.end - sentence.span.start;
    let chinese = words[offset..].starts_with(['作', '身', '做']);
    let (means_terms, ends_terms) = if chinese {
        (WISHES_BEHIND_A_ROLE.zh, REASONS_BEHIND_A_WISH.zh)
    } else {
        (WISHES_BEHIND_A_ROLE.en, REASONS_BEHIND_A_WISH.en)
    };
    let find =
        |terms: List, from: usize| terms.iter().filter_map(|t| lower.get(from..)?.find(t).map(|at| from + at)).min();
    let means = find(means_terms, after_role)?;
    let ends = find(ends_terms, means + 1);
    let at = |from: usize, to: usize| {
        let span = Span::new(sentence.span.start + from, sentence.span.start + to);
        let cut = span.slice(text).trim_end_matches([',', '，', ' ', '*', '_', '.', '。', '\n', '\r', ';', '；']).len();
        Some(Span::new(span.start, span.start + cut)).filter(|span| !span.is_empty())
    };
    Some(Story {
        actor: at(offset, means),
        need: at(means, ends.unwrap_or(words.len())),
        benefit: ends.and_then(|ends| at(ends, words.len())),
        sentence: Some(sentence.span),
    })
}

/// Lowers only ASCII letters, so that byte offsets remain valid.
fn ascii_lower(words: &str) -> String {
    words.to_ascii_lowercase()
}

fn actor(reading: &Reading, sentences: &[&Sentence]) -> Option<Span> {
    let in_sentence = |s: &&&Sentence| s.cues.has(Cue::Actor);
    let audience = sentences.iter().find(|s| s.role == SectionRole::Audience).map(|s| s.span);
    let wanting = sentences.iter().filter(in_sentence).find(|s| s.cues.any(&[Cue::Need, Cue::Pain]));
    let any = sentences.iter().find(in_sentence);
    let speaker = || {
        let first = sentences.iter().find(|s| s.cues.has(Cue::FirstPerson) && s.cues.any(&[Cue::Need, Cue::Pain]));
        first.and_then(|s| reading.find_cue(s.span, Cue::FirstPerson))
    };
    let named = wanting.or(any).and_then(|s| reading.find_cue(s.span, Cue::Actor));
    named.or(audience).or_else(speaker)
}

fn need(text: &str, reading: &Reading, sentences: &[&Sentence]) -> Option<Span> {
    let is_statement = |s: &&&Sentence| s.genre != Genre::Title && !s.span.slice(text).ends_with(['?', '？']);
    let wanting = sentences.iter().filter(is_statement).find(|s| s.cues.has(Cue::Need));
    let demand =
        || sentences.iter().filter(is_statement).find(|s| s.role == SectionRole::Demand && has_substance(text, s));
    let binding =
        || sentences.iter().filter(is_statement).find(|s| s.cues.has(Cue::Obligation) && s.cues.has(Cue::Observable));
    let titled = || {
        let title = reading.title?;
        let cues = reading.cues_in(title);
        (cues.any(&[Cue::Need, Cue::FeatureWord, Cue::TitleVerb, Cue::Improve]) || has_words(title.slice(text), 3))
            .then_some(title)
    };
    wanting.or_else(demand).or_else(binding).map(|s| s.span).or_else(titled)
}

fn benefit(text: &str, reading: &Reading, sentences: &[&Sentence]) -> Option<Span> {
    let rationale = sentences.iter().find(|s| {
        matches!(s.role, SectionRole::Rationale | SectionRole::Goals)
            && has_substance(text, s)
            && !s.cues.has(Cue::Placeholder)
    });
    if let Some(sentence) = rationale {
        return Some(sentence.span);
    }
    let reason = sentences
        .iter()
        .find(|s| s.cues.has(Cue::Benefit) && !matches!(s.role, SectionRole::AcceptanceCriteria | SectionRole::Steps));
    if let Some(sentence) = reason {
        let from = reading.find_cue(sentence.span, Cue::Benefit).map_or(sentence.span.start, |cue| cue.start);
        return Some(Span::new(from, sentence.span.end));
    }
    let hurting = sentences.iter().find(|s| {
        s.cues.has(Cue::Pain) && !matches!(s.role, SectionRole::AcceptanceCriteria | SectionRole::Requirements)
    });
    hurting.or_else(|| sentences.iter().find(|s| s.cues.has(Cue::Pain))).map(|s| s.span)
}

/// Returns true for a sentence with content: four words, or eight Chinese characters.
pub(crate) fn has_substance(text: &str, sentence: &Sentence) -> bool {
    has_words(sentence.span.slice(text), 4)
}

/// Returns true for at least this many words; two Chinese characters count as one.
pub(crate) fn has_words(words: &str, at_least: usize) -> bool {
    let latin = words
        .split(|c: char| !c.is_alphanumeric() || reqgate_text::lexicon::is_cjk(c))
        .filter(|w| !w.is_empty())
        .count();
    let chinese = words.chars().filter(|c| reqgate_text::lexicon::is_cjk(*c)).count();
    latin + chinese / 2 >= at_least
}

/// The spans that form the story in the draft: the sentence in story form, or the sentences of actor, need and benefit.
pub(crate) fn spans(story: &Story, reading: &Reading) -> Vec<Span> {
    if let Some(sentence) = story.sentence {
        let mut out = vec![sentence];
        out.extend(story.benefit.filter(|benefit| !sentence.overlaps(*benefit)));
        return out;
    }
    let sentence_of = |span: Span| reading.sentence_at(span.start).map_or(span, |s| s.span);
    let mut out: Vec<Span> = Vec::new();
    for span in [story.actor, story.need, story.benefit].into_iter().flatten().map(sentence_of) {
        if !out.iter().any(|seen| seen.overlaps(span)) {
            out.push(span);
        }
    }
    out.sort();
    out
}
