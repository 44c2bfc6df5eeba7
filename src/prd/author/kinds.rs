//! Tells what a statement does: demand, rule, problem, question, or nothing for the feature.

use std::collections::BTreeSet;

use super::asides;
use super::lexicon::{CuesOfText, Words};
use super::people;
use super::spoken::{People, TurnFacts};
use super::statement::{Kind, Said};
use super::wording::{clauses, polite, requested_zh, substance, topic, words_of};
use crate::model::{Genre, SectionRole, Span};
use crate::prd::SourceQuote;
use crate::rules::DraftingCue as D;
use crate::text::lexicon::is_cjk;
use crate::text::quantities::quantities;
use crate::text::words::{drafting_contradictions::REFUSALS, drafting_kinds as lists};
use crate::text::{BlockKind, Cue, Reading, Sentence};

/// What is known of the source that a statement stands in.
#[derive(Clone, Copy)]
pub struct Facts<'t> {
    pub text: &'t str,
    pub reading: &'t Reading,
    pub cues: &'t CuesOfText,
    /// The people who speak or attend, in lower case.
    pub speakers: &'t BTreeSet<String>,
    /// Those who are listed as present, or who speak.
    pub people: &'t People,
    /// Minutes, a transcript, or what somebody says in a list or a comment.
    pub is_talk: bool,
    /// A mail.
    pub is_letter: bool,
    /// What the feature was asked for with.
    pub is_utterance: bool,
    /// True behind the wish of one sentence: "…，能不能发短信，晚上不要发".
    pub in_request: bool,
    /// The turn, where somebody speaks.
    pub turn: Option<TurnFacts>,
    pub words: &'t Words,
}

/// The people who speak or are named as present, in lower case.
pub fn speakers(text: &str, reading: &Reading, people: &People) -> BTreeSet<String> {
    let speaking = reading.blocks.iter().filter_map(|block| block.speaker).map(|span| span.slice(text).to_lowercase());
    let present = reading.sentences.iter().filter(|sentence| sentence.role == SectionRole::Metadata);
    let named = present
        .flat_map(|sentence| sentence.span.slice(text).split([',', '，', '、', ' ', ':', '：']).map(str::to_lowercase));
    speaking
        .chain(named)
        .chain(people.names().cloned())
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// True for a text that tells what was said in a meeting.
pub fn is_minutes(text: &str, reading: &Reading) -> bool {
    let names_people = reading
        .sections
        .iter()
        .filter_map(|section| section.heading)
        .any(|heading| lists::PRESENT.begin(&heading.slice(text).to_lowercase()));
    let title = reading.title.or_else(|| reading.sections.get(1).and_then(|section| section.heading));
    let named = title.is_some_and(|title| reading.cues_in(title).has(Cue::MeetingWord));
    named || names_people || reading.has_section(SectionRole::Decisions) || reading.has_section(SectionRole::Actions)
}

/// True if a clause begins with words that replace what was said before.
pub fn replaces(facts: &Facts<'_>, span: Span) -> bool {
    let words = span.slice(facts.text);
    let lead = words.len() - words_of_start(words);
    let from = Span::new(span.start, span.end);
    facts.cues.find(from, D::Replacement).is_some_and(|hit| hit.start <= span.start + lead + 6)
}

/// Bytes that remain of the words once their opening is taken away.
fn words_of_start(words: &str) -> usize {
    let bare = words_of(words);
    words.find(bare.as_str()).map_or(words.len(), |at| words.len() - at)
}

impl Facts<'_> {
    /// What one statement does.
    pub fn said(&self, sentence: &Sentence, span: Span, words: String, quote: SourceQuote) -> Said {
        let turns = self.may_turn(sentence);
        let takes_back = self.cues.find(span, D::Retraction).filter(|_| turns).map(|cue| {
            let (before, after) = (Span::new(span.start, cue.start), Span::new(cue.end, span.end));
            format!("{} {}", before.slice(self.text), after.slice(self.text))
        });
        let takes_back = takes_back.or_else(|| self.turn.and_then(|_| asides::named_without(&words)));
        let withdraws = asides::withdrawn_item(&words);
        let heading = self.heading(sentence);
        let is_decided_here = heading.is_some_and(|heading| self.cues.has(heading, D::Decision));
        Said {
            kind: self.kind(sentence, span, &words),
            refuses: self.turn.is_some() && asides::refuses(span.slice(self.text)),
            assents: self.turn.is_some() && asides::is_assent(span.slice(self.text)),
            shelves: self.turn.is_some() && asides::shelves(span.slice(self.text)),
            withdraws,
            replaces: turns && takes_back.is_none() && replaces(self, span),
            // "How long do we keep it?" settles nothing.
            decided: !words.ends_with(['?', '？'])
                && (sentence.role == SectionRole::Decisions || is_decided_here || self.cues.has(span, D::Decision)),
            words: self.without_label(words),
            quote,
            in_talk: self.is_talk,
            is_criterion: matches!(sentence.role, SectionRole::AcceptanceCriteria | SectionRole::EdgeCases),
            takes_back,
            heading: heading.map(|heading| heading.slice(self.text).trim().to_owned()),
        }
    }

    /// "Decided: the reception sees …" without what says that it was decided.
    fn without_label(&self, words: String) -> String {
        let labels = [D::Decision, D::PriorityHigh, D::PriorityMedium, D::PriorityLow, D::Measure];
        let label = words.split_once([':', '：']).filter(|(label, rest)| {
            label.len() <= 24
                && substance(rest) >= 2
                && !label.contains(char::is_numeric)
                && labels.iter().any(|cue| self.words.has(&format!("{label}:"), *cue))
        });
        label.map_or_else(|| words.clone(), |(_, rest)| words_of(rest))
    }

    /// In the numbered rules of a document nobody changes his mind halfway.
    pub fn may_turn(&self, sentence: &Sentence) -> bool {
        !matches!(
            sentence.role,
            SectionRole::AcceptanceCriteria
                | SectionRole::EdgeCases
                | SectionRole::Requirements
                | SectionRole::NonFunctional
                | SectionRole::Decisions
                | SectionRole::Steps
        )
    }

    /// The first clause behind another that begins with a wish; a condition before it belongs to it.
    pub fn later_wish(&self, sentence: &Sentence, clauses: &[Span]) -> Option<Span> {
        let first = clauses.first()?;
        let names_me = lists::INTRODUCTIONS.begin(first.slice(self.text));
        let depends = names_me || self.reading.cues_in(*first).any(&[Cue::Condition, Cue::StoryRole]);
        if depends || !self.may_turn(sentence) || sentence.genre == Genre::UserStory {
            return None;
        }
        let wish = clauses.iter().skip(1).find(|clause| {
            let begins = self.cues.find(**clause, D::Wish).is_some_and(|hit| hit.start <= clause.start + 3);
            let words = words_of(clause.slice(self.text));
            let is_polite = polite(&words).is_some() || self.is_utterance && requested_zh(&words).is_some();
            (begins || is_polite) && !self.cues.has(**clause, D::OutOfScope)
        });
        wish.copied().filter(|_| self.cues.find(*first, D::Wish).is_none_or(|hit| hit.start > first.start + 12))
    }

    /// The heading that the sentence stands under.
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

    fn kind(&self, sentence: &Sentence, span: Span, words: &str) -> Kind {
        if let Some(kind) = self.aside(sentence, span, words) {
            return kind;
        }
        if self.is_listed_wish(sentence, span) {
            return Kind::Demand;
        }
        if let Some(kind) = self.by_heading(sentence, span) {
            return kind;
        }
        let has = |cue| self.cues.has(span, cue);
        let block = &self.reading.blocks[sentence.block];
        let is_question = words.ends_with(['?', '？']);
        let reading_cues = self.reading.cues_in(span);
        let binds = self.binds(span);
        let asks = self.begins_with_wish(words) || self.begins_with_wish(asides::main_clause(words));
        // The name of a document is no sentence of it.
        if sentence.genre == Genre::Title && self.reading.sentences.len() > 1 && !self.reading.is_conversation {
            return if asks || binds { Kind::Demand } else { Kind::Nothing };
        }
        if has(D::Joke) {
            return Kind::Nothing;
        }
        if let Some(kind) = self.by_section(sentence, span, words) {
            return kind;
        }
        if self.is_talk && asides::wanted_by_colleague(words, self.people).is_some() {
            return Kind::Demand;
        }
        // "No chatbot please."
        if is_item_of_no(words) && substance(words) <= 3 && has(D::Wish) && !binds {
            return Kind::OutOfScope;
        }
        // "Closed at 10:35" names no matter.
        let answers = self.turn.is_some_and(|turn| turn.answers);
        if self.is_talk && !answers && !binds && !replaces(self, span) && topic(words).len() < 2 && !has(D::Open) {
            let settles = self.cues.any(span, &[D::Decision, D::Retraction]) || is_question;
            if !settles {
                return Kind::Nothing;
            }
        }
        if self.is_personal(span, words) || substance(words) < 2 || asides::refers_to_ticket(words) {
            return Kind::Nothing;
        }
        let settles = has(D::Open) || has(D::Decision) && self.turn.is_some();
        let is_assent = self.turn.is_some() && asides::is_assent(span.slice(self.text));
        if is_assent && substance(words) <= 2 || self.is_talk && asides::is_act_of_meeting(words, self.people) {
            return Kind::Nothing;
        }
        let remarks = asides::is_remark(words, self.is_talk || self.is_letter) && !self.obliges_first(span);
        if !asks && sentence.genre != Genre::UserStory && !settles && remarks {
            return if self.is_talk || self.is_letter { Kind::Nothing } else { Kind::Problem };
        }
        if self.turn.is_some_and(|turn| turn.tells) && !binds && !asks {
            return Kind::Problem;
        }
        if self.is_letter && asides::tells_in_chinese(words) && !binds {
            return Kind::Problem;
        }
        if has(D::OtherProduct) && !binds && !asks {
            return Kind::Nothing;
        }
        if has(D::SmallTalk) && !binds {
            return Kind::Nothing;
        }
        if has(D::Open) {
            return Kind::Question;
        }
        if self.in_request && !is_question && !has(D::PastIncident) {
            return if asks { Kind::Demand } else { Kind::Rule };
        }
        if is_question {
            return match () {
                () if self.is_talk => Kind::Proposal,
                () if asks => Kind::Demand,
                () => Kind::Question,
            };
        }
        if (has(D::PastIncident) || asides::is_past(words)) && !binds && !asks {
            return Kind::Problem;
        }
        if has(D::Objection) && !binds && !is_item_of_no(words) {
            return if self.is_talk { Kind::Nothing } else { Kind::Problem };
        }
        let figures = !quantities(self.text, span).is_empty();
        if has(D::Measure) && (figures || words.chars().any(|c| c.is_ascii_digit())) && !sentence_binds(sentence) {
            return Kind::Measure;
        }
        if has(D::Proposal)
            && sentence.role == SectionRole::Decisions
            && !has(D::Decision)
            && self.reading.blocks[sentence.block].kind == BlockKind::Paragraph
        {
            return Kind::Proposal;
        }
        if let Some(kind) = self.by_role(sentence, words, asks, binds) {
            return kind;
        }
        if sentence.genre == Genre::UserStory || asks {
            return Kind::Demand;
        }
        if has(D::Proposal) && !has(D::Decision) && !has(D::PriorityLow) {
            return if self.is_talk { Kind::Proposal } else { Kind::Question };
        }
        if is_item_of_no(words) && has(D::Objection) {
            return Kind::OutOfScope;
        }
        let hurts = has(D::Problem) || reading_cues.has(Cue::Pain) && !figures && !reading_cues.has(Cue::Obligation);
        if hurts && !binds {
            return Kind::Problem;
        }
        if reading_cues.has(Cue::Need) && !reading_cues.has(Cue::Hedge) && substance(words) >= 3 {
            return Kind::Demand;
        }
        let stated = binds
            || figures
            || has(D::PriorityLow)
            || reading_cues.any(&[Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition, Cue::StepVerb])
            || self.has_quality(span);
        let is_item = matches!(block.kind, BlockKind::ListItem | BlockKind::TableRow { .. });
        let does = reading_cues.any(&[Cue::Observable, Cue::StepVerb]);
        let guesses = (reading_cues.has(Cue::Hedge) || reading_cues.has(Cue::Narrative) && !does) && !binds;
        let main = asides::main_clause(words);
        let main_span = Span::new(span.end - main.len().min(span.len()), span.end);
        let in_main = if main.len() < words.len() { self.reading.cues_in(main_span) } else { reading_cues };
        let about_us = in_main.has(Cue::FirstPerson) && !binds && !asides::says_what_comes_first(words);
        match () {
            () if self.turn.is_some() => {
                if self.supposes(words)
                    || asides::is_assent(span.slice(self.text))
                    || self.names_another_product(words) && !binds
                {
                    return Kind::Nothing;
                }
                let enough = substance(words) >= 3 || words.contains("only") || words.contains('只');
                // "1 of 5 parcels comes without paper" is how it is today; a figure that answers a question binds.
                let cues = [Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition, Cue::StepVerb];
                let says_how = binds || has(D::PriorityLow) || reading_cues.any(&cues) || self.has_quality(span);
                let answers = self.turn.is_some_and(|turn| turn.answers) && figures;
                let is_rule = says_how
                    || answers
                    || figures && (replaces(self, span) || words.chars().any(is_cjk))
                    || (self.turn.is_some_and(|turn| turn.is_noted) || is_item) && stated;
                let tells = asides::tells(words) || asides::tells_in_chinese(words);
                if (tells || asides::speaks_of_colleagues(words, self.people)) && !binds {
                    return Kind::Nothing;
                }
                if is_rule && enough && (figures || !about_us) { Kind::Rule } else { Kind::Nothing }
            }
            () if self.is_talk => {
                // Prose of minutes tells as much as it decides.
                let strong = [Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition];
                let told = asides::tells(words)
                    || asides::tells_in_chinese(words)
                    || asides::speaks_of_colleagues(words, self.people)
                    || about_us
                    || guesses
                    || asides::is_conditional(words);
                let is_rule = binds || figures || reading_cues.any(&strong) || self.has_quality(span);
                let says_enough = substance(words) >= 4;
                if stated && is_item || is_rule && says_enough && (binds || !told) { Kind::Rule } else { Kind::Nothing }
            }
            () if sentence.genre == Genre::Aside && !stated => Kind::Nothing,
            () if asides::is_conditional(words) && !binds && !is_item => Kind::Problem,
            () if guesses && !is_item => Kind::Problem,
            () if stated || is_item => Kind::Rule,
            () if about_us || substance(words) < 3 => Kind::Nothing,
            () => Kind::Problem,
        }
    }

    /// What speaks of something else than the feature: forms, brackets, papers, the work, what a program says.
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

    /// "The new screen must do this:" above a list, whose items say what it must do.
    fn leads_to_list(&self, sentence: &Sentence) -> bool {
        let block = &self.reading.blocks[sentence.block];
        let above_list =
            self.reading.blocks.get(sentence.block + 1).is_some_and(|next| next.kind == BlockKind::ListItem);
        block.kind == BlockKind::Paragraph
            && above_list
            && sentence.span.end >= block.text.end
            && block.text.slice(self.text).trim_end().ends_with([':', '：'])
    }

    /// "As a clerk I want" above a list: its items are what is wanted.
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

    /// "The bookings must show on the board, my people look nowhere else": the first clause binds and is about no speaker.
    fn obliges_first(&self, span: Span) -> bool {
        let clauses = clauses(self.text, span);
        if span.slice(self.text).chars().any(is_cjk) {
            // 助理的事我定一下：助理可以替人发预约 rules in the clauses without 我.
            let cues = [Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition];
            return clauses.iter().flat_map(|clause| parts_of_clause(self.text, *clause)).any(|part| {
                let words = part.slice(self.text);
                let can = lists::LETTING.stand_in(words);
                substance(words) >= 3
                    && (can || self.reading.cues_in(part).any(&cues))
                    && !asides::is_remark(words, self.is_talk)
            });
        }
        let first = clauses.first().copied().unwrap_or(span);
        let words = first.slice(self.text);
        (self.reading.cues_in(first).has(Cue::Obligation) || people::able(&words_of(words)).is_some())
            && !asides::is_remark(&words_of(first.slice(self.text)), self.is_talk)
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

    /// In a list of requirements or criteria the section says what a statement is, whatever its words are.
    fn by_section(&self, sentence: &Sentence, span: Span, words: &str) -> Option<Kind> {
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

    /// "If we forget one of them": a case that somebody imagines.
    fn supposes(&self, words: &str) -> bool {
        lists::SUPPOSING.begin(&words.to_lowercase())
    }

    /// "ShopFox sends three mails": a name that the source does not keep coming back to.
    fn names_another_product(&self, words: &str) -> bool {
        let name = words.split([' ', ',', '\'', '’']).next().unwrap_or_default();
        let mut letters = name.chars();
        let begins = letters.next().is_some_and(|c| c.is_ascii_uppercase());
        let mixed = begins && name.chars().any(|c| c.is_ascii_lowercase()) && letters.any(|c| c.is_ascii_uppercase());
        mixed && name.is_ascii() && self.text.matches(name).count() <= 2
    }

    /// True if the words oblige or settle; what a program says in quotes does not.
    fn binds(&self, span: Span) -> bool {
        let words = span.slice(self.text);
        let quoted = |at: Span| asides::is_quoted(words, at.start - span.start);
        [D::PriorityHigh, D::PriorityMedium, D::Decision]
            .iter()
            .any(|cue| self.cues.find(span, *cue).is_some_and(|at| !quoted(at)))
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
        // Where everybody's words are written down, what they say decides.
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

    fn by_role(&self, sentence: &Sentence, words: &str, asks: bool, binds: bool) -> Option<Kind> {
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

    /// True if the words begin with a wish.
    pub fn begins_with_wish(&self, words: &str) -> bool {
        let cues = self.words.in_text(words);
        let wishes = cues.find(Span::new(0, words.len()), D::Wish).is_some_and(|hit| hit.start <= 12);
        let requests = self.is_utterance && requested_zh(words).is_some();
        wishes || requests || polite(words).is_some() || people::wishing(words).is_some()
    }

    fn has_quality(&self, span: Span) -> bool {
        let qualities = [
            D::PerformanceEfficiency,
            D::Reliability,
            D::Security,
            D::InteractionCapability,
            D::Compatibility,
            D::Maintainability,
        ];
        self.cues.any(span, &qualities)
    }

    /// A person of the team is to do something; a user of the product is not meant.
    fn is_personal(&self, span: Span, words: &str) -> bool {
        let words = self.people.untitled(words);
        let mut begin = words.split(' ');
        let named = begin.next().is_some_and(|name| self.speakers.contains(&name.to_lowercase()));
        // "Marek sends the protocol": who is there does something himself.
        let does = |verb: &str| verb.len() >= 4 && verb.ends_with('s') && !verb.ends_with("'s");
        let intends = begin.next().is_some_and(|word| lists::PLANS.has(word) || does(word));
        let is_present = words.split(' ').next().is_some_and(|name| name.len() >= 2 && self.people.has(name));
        if (self.is_talk && named || is_present) && intends {
            return true;
        }
        let speaker_zh = self.speakers.iter().find(|name| name.chars().all(is_cjk) && words.starts_with(name.as_str()));
        if speaker_zh.is_some_and(|name| name.chars().count() >= 2 && !lists::USES.begin(&words[name.len()..])) {
            return true;
        }
        if asides::is_errand(words) || self.is_talk && asides::is_errand_zh(words, self.people) {
            return true;
        }
        let Some(cue) = self.cues.find(span, D::PersonalAction) else { return false };
        let own = cue.start <= span.start + 12;
        let first = words.split([' ', ',', '，', ':', '：']).next().unwrap_or_default();
        let is_name = first.chars().next().is_some_and(char::is_uppercase)
            && first.chars().count() >= 2
            && !first.ends_with('s')
            && !first.eq_ignore_ascii_case("the")
            && self.reading.find_cue(span, Cue::Actor).is_none_or(|actor| actor.start > span.start + first.len());
        let speaks = self.speakers.contains(&first.to_lowercase()) || first == "I";
        let zh = lists::OPENINGS_OF_TASKS.begin(words);
        let binds = self.cues.has(span, D::Decision);
        !binds && (speaks || is_name || zh || own && self.is_talk && !words.to_lowercase().starts_with("the "))
    }
}

/// A clause, cut at its colons.
fn parts_of_clause(text: &str, clause: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = clause.start;
    for (at, colon) in clause.slice(text).match_indices(['：', ':']) {
        out.push(Span::new(from, clause.start + at));
        from = clause.start + at + colon.len();
    }
    out.push(Span::new(from, clause.end));
    out
}

/// "No regex": what is left out, as notes say it.
fn is_item_of_no(words: &str) -> bool {
    REFUSALS.begin(words) || lists::LEFT_OUT.begin(words)
}

fn sentence_binds(sentence: &Sentence) -> bool {
    matches!(
        sentence.role,
        SectionRole::AcceptanceCriteria
            | SectionRole::EdgeCases
            | SectionRole::Requirements
            | SectionRole::NonFunctional
            | SectionRole::Decisions
    )
}
