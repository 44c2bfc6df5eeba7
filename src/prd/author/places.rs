//! Classifies a statement by its place: its heading, its list, its section, the lines around it.

use super::asides;
use super::kinds::{Facts, replaces, sentence_binds};
use super::statement::Kind;
use super::wording::substance;
use crate::model::{Genre, SectionRole, Span};
use crate::rules::DraftingCue as D;
use crate::text::{BlockKind, Sentence};

impl Facts<'_> {
    /// The kind decided by the place, regardless of the words.
    pub(super) fn by_place(&self, sentence: &Sentence, span: Span, words: &str) -> Option<Kind> {
        let wish = || self.is_listed_wish(sentence, span).then_some(Kind::Demand);
        self.aside(sentence, span, words).or_else(wish).or_else(|| self.by_heading(sentence, span))
    }

    /// In the numbered rules of a document nobody changes his mind halfway.
    pub fn may_turn(&self, sentence: &Sentence) -> bool {
        !sentence_binds(sentence) && sentence.role != SectionRole::Steps
    }

    /// The heading above the sentence.
    pub fn heading(&self, sentence: &Sentence) -> Option<Span> {
        let mut section = self.reading.sections.get(sentence.section);
        while let Some(at) = section {
            if let Some(heading) = at.heading {
                return Some(heading);
            }
            section = at.parent.and_then(|parent| self.reading.sections.get(parent));
        }
        None
    }

    /// A statement about something other than the feature: forms, brackets, papers, the work, output of a program.
    fn aside(&self, sentence: &Sentence, span: Span, words: &str) -> Option<Kind> {
        let raw = sentence.span.slice(self.text);
        let heading = self.heading(sentence);
        let about_the_work = self.cues.has(span, D::AboutTheWork)
            || heading.is_some_and(|heading| self.cues.has(heading, D::AboutTheWork));
        let binds = self.cues.any(span, &[D::PriorityHigh, D::PriorityMedium, D::Decision]);
        let is_machine = self.turn.is_some_and(|turn| turn.is_machine);
        if (self.is_talk || self.turn.is_some()) && asides::is_for_somebody(words) || self.leads_to_list(sentence) {
            return Some(Kind::Nothing);
        }
        let is_paper = self.is_utterance && self.cues.has(span, D::Papers);
        if about_the_work || is_machine || is_paper || asides::is_form(raw) || asides::is_todo(words) {
            return Some(Kind::Nothing);
        }
        if asides::is_reason(words) || self.turn.is_some() && asides::is_narrated(words) {
            return Some(Kind::Nothing);
        }
        let notes_assent = substance(words) <= 4 && self.cues.has(span, D::Decision);
        if asides::is_in_brackets(raw) && notes_assent {
            return Some(Kind::Nothing);
        }
        if !binds && (asides::is_in_brackets(raw) || self.leads_in(sentence, words)) {
            return Some(Kind::Nothing);
        }
        let gives_reasons = self.turn.is_some_and(|turn| turn.has_asked);
        let is_question = words.ends_with(['?', '？']);
        let settles = self.cues.any(span, &[D::Decision, D::Open, D::Retraction]) || replaces(self, span);
        (gives_reasons && !is_question && !settles && !self.begins_with_wish(words)).then_some(Kind::Nothing)
    }

    /// "The new screen must do this:" above a list whose items are the demands.
    fn leads_to_list(&self, sentence: &Sentence) -> bool {
        let block = &self.reading.blocks[sentence.block];
        let above_list =
            self.reading.blocks.get(sentence.block + 1).is_some_and(|next| next.kind == BlockKind::ListItem);
        block.kind == BlockKind::Paragraph
            && above_list
            && sentence.span.end >= block.text.end
            && block.text.slice(self.text).trim_end().ends_with([':', '：'])
    }

    /// "As a clerk I want" above a list: its items are the wishes.
    fn is_listed_wish(&self, sentence: &Sentence, span: Span) -> bool {
        let block = &self.reading.blocks[sentence.block];
        if block.kind != BlockKind::ListItem || self.cues.has(span, D::OutOfScope) {
            return false;
        }
        let above = self.reading.blocks[..sentence.block].iter().rev().find(|block| block.kind != BlockKind::ListItem);
        above.filter(|above| above.kind == BlockKind::Paragraph).is_some_and(|above| {
            let words = above.text.slice(self.text).trim_end();
            let last = words.rsplit(['.', '。', '\n']).next().unwrap_or_default();
            let tail = Span::new(above.text.start + words.len() - last.len(), above.text.start + words.len());
            let wishes = self.cues.find(tail, D::Wish).is_some();
            wishes
                && !words.ends_with(['.', '。', '!', '！', '?', '？'])
                && substance(last) <= 8
                && !self.cues.any(tail, &[D::OutOfScope, D::AboutTheWork, D::Papers])
        })
    }

    /// "Some remarks:" above a list.
    fn leads_in(&self, sentence: &Sentence, words: &str) -> bool {
        let block = &self.reading.blocks[sentence.block];
        let above_list =
            self.reading.blocks.get(sentence.block + 1).is_some_and(|next| next.kind == BlockKind::ListItem);
        let raw = sentence.span.slice(self.text).trim_end();
        block.kind == BlockKind::Paragraph
            && above_list
            && sentence.span.end >= block.text.end
            && !raw.ends_with(['.', '。', '!', '！', '?', '？'])
            && substance(words) <= 6
    }

    /// In a list of requirements or criteria the section decides the kind of a statement, regardless of its words.
    pub(super) fn by_section(&self, sentence: &Sentence, span: Span, words: &str) -> Option<Kind> {
        let is_item = !matches!(self.reading.blocks[sentence.block].kind, BlockKind::Paragraph | BlockKind::Turn);
        let decides = match sentence.role {
            SectionRole::AcceptanceCriteria | SectionRole::EdgeCases => true,
            SectionRole::Requirements | SectionRole::NonFunctional => is_item,
            _ => false,
        };
        if !decides || self.turn.is_some() || substance(words) < 2 {
            return None;
        }
        if self.cues.has(span, D::Open) || words.ends_with(['?', '？']) {
            return Some(Kind::Question);
        }
        Some(if sentence.genre == Genre::UserStory { Kind::Demand } else { Kind::Rule })
    }

    fn by_heading(&self, sentence: &Sentence, span: Span) -> Option<Kind> {
        match sentence.role {
            SectionRole::Actions
            | SectionRole::Timeline
            | SectionRole::Resources
            | SectionRole::Evidence
            | SectionRole::Environment
            | SectionRole::Alternatives
            | SectionRole::Risks => return Some(Kind::Nothing),
            SectionRole::OutOfScope => return Some(Kind::OutOfScope),
            SectionRole::OpenQuestions => return Some(Kind::Question),
            _ => {}
        }
        if self.cues.has(span, D::OutOfScope) {
            return Some(Kind::OutOfScope);
        }
        let heading = self.heading(sentence).filter(|_| sentence.role != SectionRole::Decisions)?;
        if self.cues.has(heading, D::OutOfScope) {
            return Some(Kind::OutOfScope);
        }
        let weighs = self.cues.any(heading, &[D::Discussion, D::Open]) && !self.cues.has(heading, D::Decision);
        // In a transcript the words decide.
        let weighs = weighs && self.turn.is_none();
        let is_prose = self.reading.blocks[sentence.block].kind == BlockKind::Paragraph;
        let hurts = is_prose && self.cues.has(heading, D::Problem) && !self.begins_with_wish(span.slice(self.text));
        if hurts && !self.cues.any(span, &[D::PriorityHigh, D::PriorityMedium, D::Decision]) {
            return Some(Kind::Problem);
        }
        if weighs && !self.cues.has(span, D::Decision) {
            return Some(if self.cues.has(span, D::PastIncident) { Kind::Problem } else { Kind::Proposal });
        }
        None
    }

    pub(super) fn by_role(&self, sentence: &Sentence, words: &str, asks: bool, binds: bool) -> Option<Kind> {
        let heading_flows = self.heading(sentence).is_some_and(|heading| self.cues.has(heading, D::Flow));
        match sentence.role {
            SectionRole::Metrics => Some(Kind::Measure),
            SectionRole::Goals => Some(Kind::Goal),
            // A role is named in a few words; a sentence says what people do.
            SectionRole::Audience => (substance(words) <= 6 && !binds).then_some(Kind::User),
            SectionRole::Rationale if !asks => Some(Kind::Problem),
            SectionRole::Story => Some(Kind::Demand),
            SectionRole::AcceptanceCriteria
            | SectionRole::EdgeCases
            | SectionRole::Requirements
            | SectionRole::NonFunctional
            | SectionRole::Decisions => {
                Some(if sentence.genre == Genre::UserStory { Kind::Demand } else { Kind::Rule })
            }
            SectionRole::Steps => Some(Kind::Flow),
            _ if heading_flows => Some(Kind::Flow),
            _ => None,
        }
    }
}
