//! Classifies a statement: demand, rule, problem, question, or nothing about the feature.

use std::collections::BTreeSet;

use super::asides;
use super::lexicon::{CuesOfText, Words};
use super::people;
use super::spoken::{People, TurnFacts};
use super::statement::{Kind, Said};
use super::wording::{polite, requested_zh, substance, words_of};
use crate::model::{Genre, SectionRole, Span};
use crate::prd::SourceQuote;
use crate::rules::DraftingCue as D;
use crate::text::quantities::quantities;
use crate::text::words::{drafting_contradictions::REFUSALS, drafting_kinds as lists};
use crate::text::{BlockKind, Cue, CueSet, Reading, Sentence};

/// The known facts about the source of a statement.
#[derive(Clone, Copy)]
pub struct Facts<'t> {
    pub text: &'t str,
    pub reading: &'t Reading,
    pub cues: &'t CuesOfText,
    /// The people who speak or attend, in lower case.
    pub speakers: &'t BTreeSet<String>,
    /// The people who are listed as present, or who speak.
    pub people: &'t People,
    /// Minutes, a transcript, or the words of a person in a list or a comment.
    pub is_talk: bool,
    /// A mail.
    pub is_letter: bool,
    /// The request for the feature.
    pub is_utterance: bool,
    /// True behind the wish of one sentence: "…，能不能发短信，晚上不要发".
    pub in_request: bool,
    /// The turn, if somebody speaks.
    pub turn: Option<TurnFacts>,
    pub words: &'t Words,
}

/// The signs in the words of a statement.
#[derive(Clone, Copy)]
pub struct Signs {
    /// It begins with a wish.
    pub asks: bool,
    /// It obliges or settles.
    pub binds: bool,
    pub is_question: bool,
    /// It holds a figure with a unit.
    pub figures: bool,
    pub cues: CueSet,
    /// It is an item of a list or a row of a table.
    pub is_item: bool,
    /// It says what is to happen, apart from its figures.
    pub says_how: bool,
    /// It says what is to happen, or gives a figure.
    pub stated: bool,
    /// It describes or supposes.
    pub guesses: bool,
    /// It is about the speakers.
    pub is_about_us: bool,
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

/// True for a text that reports a meeting.
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

/// True if a clause begins with words that replace the statement before it.
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
    /// The classified statement.
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
            // "Kasia wants one screen": she is not a user; one screen is the wish.
            words: match asides::wanted_by_colleague(&words, self.people).filter(|_| self.is_talk) {
                Some(wanted) => wanted.to_owned(),
                None => self.without_label(words),
            },
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

    /// The kind of a statement: its place decides first, then speaker and listener, then its words.
    fn kind(&self, sentence: &Sentence, span: Span, words: &str) -> Kind {
        if let Some(kind) = self.by_place(sentence, span, words) {
            return kind;
        }
        let has = |cue| self.cues.has(span, cue);
        let signs = self.signs(sentence, span, words);
        let Signs { asks, binds, is_question, figures, .. } = signs;
        // The name of a document is not a sentence of it.
        if sentence.genre == Genre::Title && self.reading.sentences.len() > 1 && !self.reading.is_conversation {
            return if asks || binds { Kind::Demand } else { Kind::Nothing };
        }
        if has(D::Joke) {
            return Kind::Nothing;
        }
        if let Some(kind) = self.by_section(sentence, span, words) {
            return kind;
        }
        if let Some(kind) = self.between_people(sentence, span, words, &signs) {
            return kind;
        }
        if has(D::OtherProduct) && !binds && !asks || has(D::SmallTalk) && !binds {
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
        self.by_words(sentence, span, words, &signs)
    }

    /// The kind according to the words, if neither place nor speaker has decided.
    fn by_words(&self, sentence: &Sentence, span: Span, words: &str, signs: &Signs) -> Kind {
        let has = |cue| self.cues.has(span, cue);
        let Signs { asks, binds, figures, cues, is_item, stated, .. } = *signs;
        if sentence.genre == Genre::UserStory || asks {
            return Kind::Demand;
        }
        if has(D::Proposal) && !has(D::Decision) && !has(D::PriorityLow) {
            return if self.is_talk { Kind::Proposal } else { Kind::Question };
        }
        if is_item_of_no(words) && has(D::Objection) {
            return Kind::OutOfScope;
        }
        let hurts = has(D::Problem) || cues.has(Cue::Pain) && !figures && !cues.has(Cue::Obligation);
        if hurts && !binds {
            return Kind::Problem;
        }
        if cues.has(Cue::Need) && !cues.has(Cue::Hedge) && substance(words) >= 3 {
            return Kind::Demand;
        }
        match () {
            () if self.turn.is_some() => self.in_turn(span, words, signs),
            () if self.is_talk => self.in_minutes(words, signs),
            () if sentence.genre == Genre::Aside && !stated => Kind::Nothing,
            () if asides::is_conditional(words) && !binds && !is_item => Kind::Problem,
            () if signs.guesses && !is_item => Kind::Problem,
            () if stated || is_item => Kind::Rule,
            () if signs.is_about_us || substance(words) < 3 => Kind::Nothing,
            () => Kind::Problem,
        }
    }

    fn signs(&self, sentence: &Sentence, span: Span, words: &str) -> Signs {
        let cues = self.reading.cues_in(span);
        let binds = self.binds(span);
        let figures = !quantities(self.text, span).is_empty();
        let low = self.cues.has(span, D::PriorityLow);
        let says_how = binds
            || low
            || cues.any(&[Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition, Cue::StepVerb])
            || self.has_quality(span);
        let does = cues.any(&[Cue::Observable, Cue::StepVerb]);
        // "When we ask somebody, the clock stops" is about the clock.
        let main = asides::main_clause(words);
        let comma = span.slice(self.text).find([',', '，']).filter(|_| main.len() < words.len());
        let in_main = comma.map_or(cues, |at| self.reading.cues_in(Span::new(span.start + at, span.end)));
        Signs {
            asks: self.begins_with_wish(words) || self.begins_with_wish(main),
            binds,
            is_question: words.ends_with(['?', '？']),
            figures,
            cues,
            is_item: matches!(
                self.reading.blocks[sentence.block].kind,
                BlockKind::ListItem | BlockKind::TableRow { .. }
            ),
            says_how,
            stated: says_how || figures,
            guesses: (cues.has(Cue::Hedge) || cues.has(Cue::Narrative) && !does) && !binds,
            is_about_us: in_main.has(Cue::FirstPerson) && !binds && !asides::says_what_comes_first(words),
        }
    }

    /// True if the words oblige or settle; quoted output of a program does not count.
    fn binds(&self, span: Span) -> bool {
        let words = span.slice(self.text);
        let quoted = |at: Span| asides::is_quoted(words, at.start - span.start);
        [D::PriorityHigh, D::PriorityMedium, D::Decision]
            .iter()
            .any(|cue| self.cues.find(span, *cue).is_some_and(|at| !quoted(at)))
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
}

/// "No regex": a statement that leaves something out, in note form.
pub(super) fn is_item_of_no(words: &str) -> bool {
    REFUSALS.begin(words) || lists::LEFT_OUT.begin(words)
}

/// True where the section says that its statements hold.
pub(super) fn sentence_binds(sentence: &Sentence) -> bool {
    matches!(
        sentence.role,
        SectionRole::AcceptanceCriteria
            | SectionRole::EdgeCases
            | SectionRole::Requirements
            | SectionRole::NonFunctional
            | SectionRole::Decisions
    )
}
