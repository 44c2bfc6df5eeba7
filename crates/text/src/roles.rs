//! Finds the role of every sentence of a bug report: observed behaviour, expected behaviour, a step, the environment.
//!
//! The elements are those of Chaparro et al. A sentence may have several roles at once: "Press Save and it crashes".
//! The section is the main evidence; inside it the words decide: the wish, the fault, the person who acts, and the
//! position of the sentence in a list. The roles are computed only on request.

mod place;
pub(crate) mod words;

use super::blocks::BlockKind;
use super::cues::Cue;
use super::reading::{Reading, Sentence};
use crate::words::roles::POINTERS;
use place::Place;
use reqgate_base::model::{Genre, Language, SectionRole};
use words::{Lead, begins, starts};

/// The roles of one sentence; all false if it has none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles {
    /// It reports what happened (OB).
    pub observed: bool,
    /// It states what should have happened (EB).
    pub expected: bool,
    /// It is a step to reproduce the fault (S2R).
    pub step: bool,
    /// It names the environment: device, system, version.
    pub environment: bool,
}

impl Roles {
    const NONE: Self = Self { observed: false, expected: false, step: false, environment: false };
    const OBSERVED: Self = Self { observed: true, ..Self::NONE };
    const EXPECTED: Self = Self { expected: true, ..Self::NONE };
    const STEP: Self = Self { step: true, ..Self::NONE };
    const ENVIRONMENT: Self = Self { environment: true, ..Self::NONE };

    fn and_observed(self, observed: bool) -> Self {
        Self { observed: self.observed || observed, ..self }
    }
}

/// The roles of every sentence of a reading, in the order of `reading.sentences`. The time is linear in the text.
pub fn roles(text: &str, reading: &Reading) -> Vec<Roles> {
    let facts: Vec<Facts<'_>> = reading.sentences.iter().map(|sentence| Facts::of(text, reading, sentence)).collect();
    let place = place::places(text, reading, &facts);
    let report = Report { facts: &facts, place: &place, has_steps_section: reading.has_section(SectionRole::Steps) };
    (0..facts.len()).map(|index| report.roles(index)).collect()
}

/// The most words of a line that names a device or a version.
const LONGEST_ENVIRONMENT: usize = 14;

/// The evidence in the words of a sentence.
struct Facts<'t> {
    sentence: &'t Sentence,
    words: &'t str,
    /// The number of words; two Chinese characters count as one.
    count: usize,
    is_item: bool,
    is_ordered: bool,
    is_question: bool,
    /// It begins with an instruction.
    acts: bool,
    /// It begins with an observation.
    observes: bool,
    /// It begins with when or if.
    conditional: bool,
    /// It begins like the title of a piece of work: "Add …".
    begins_as_work: bool,
    /// It begins with I or we.
    first_person: bool,
    /// It is code, a trace or an address, and not a sentence.
    is_data: bool,
    /// It names a device or a version and little else.
    names_environment: bool,
}

impl<'t> Facts<'t> {
    fn of(text: &'t str, reading: &Reading, sentence: &'t Sentence) -> Self {
        let words = sentence.span.slice(text);
        let block = &reading.blocks[sentence.block];
        let lead = Lead::of(text, sentence.span);
        let count = words::count_words(words);
        Self {
            sentence,
            words,
            count,
            is_item: block.kind == BlockKind::ListItem,
            is_ordered: block.kind == BlockKind::ListItem && block.ordered,
            is_question: words.ends_with(['?', '？']),
            acts: lead.acts(text, reading)
                || words.starts_with(['`', '$']) && sentence.role == SectionRole::Steps
                || block.kind == BlockKind::ListItem && words::commands(&text[lead.start..sentence.span.end]),
            observes: begins(reading, Cue::Observing, sentence.span.start)
                || begins(reading, Cue::Observing, lead.start),
            conditional: lead.is_conditional(text, reading),
            begins_as_work: begins(reading, Cue::TitleVerb, sentence.span.start),
            first_person: begins(reading, Cue::FirstPerson, sentence.span.start),
            is_data: words::is_data(words),
            names_environment: count <= LONGEST_ENVIRONMENT && words::names_environment(text, reading, sentence, count),
        }
    }

    fn has(&self, cue: Cue) -> bool {
        self.sentence.cues.has(cue)
    }

    fn wants(&self) -> bool {
        self.has(Cue::Wanted)
    }

    fn is_faulty(&self) -> bool {
        self.has(Cue::Fault)
    }

    /// Returns true for a title or a heading, which belong to no paragraph.
    fn is_apart(&self) -> bool {
        matches!(self.sentence.genre, Genre::Heading | Genre::Title)
    }
}

/// The sentences of a report with their places.
struct Report<'t> {
    facts: &'t [Facts<'t>],
    place: &'t [Place],
    has_steps_section: bool,
}

impl Report<'_> {
    fn roles(&self, index: usize) -> Roles {
        let facts = &self.facts[index];
        let sentence = facts.sentence;
        if facts.sentence.genre == Genre::Heading || sentence.struck || self.is_unfilled(facts) {
            return Roles::NONE;
        }
        if sentence.genre == Genre::Title {
            return title(facts);
        }
        if facts.is_data || facts.count <= 2 && facts.has(Cue::Aside) && !facts.is_faulty() {
            return Roles::NONE;
        }
        match sentence.role {
            SectionRole::Environment => return Roles::ENVIRONMENT,
            SectionRole::Evidence
            | SectionRole::Metadata
            | SectionRole::Resources
            | SectionRole::OutOfScope
            | SectionRole::Title => return Roles::NONE,
            SectionRole::Steps | SectionRole::Expected => {}
            _ if facts.names_environment => return Roles::ENVIRONMENT,
            _ => {}
        }
        if facts.is_question && !facts.wants() {
            return Roles::NONE;
        }
        let may_act = !matches!(
            sentence.role,
            SectionRole::Steps | SectionRole::Expected | SectionRole::AcceptanceCriteria | SectionRole::Requirements
        );
        if self.place[index].in_list && may_act {
            return self.in_list(index);
        }
        match sentence.role {
            SectionRole::Steps => self.in_steps(index),
            SectionRole::Expected => self.in_expected(index),
            SectionRole::Actual | SectionRole::Demand => self.in_actual(index),
            _ => self.in_prose(index),
        }
    }

    /// Returns true for the unfilled text of a form, "Click on '...'". "Fill in the name" as a step is the writer's,
    /// although forms say so too.
    fn is_unfilled(&self, facts: &Facts<'_>) -> bool {
        let is_step = facts.sentence.role == SectionRole::Steps && facts.is_ordered && facts.acts;
        facts.sentence.is_placeholder && !(is_step && !facts.words.contains(['…', '<']) && !facts.words.contains("..."))
    }

    /// Below "Expected", all sentences are expected behaviour. If one of them states a wish outright, the others are background.
    fn in_expected(&self, index: usize) -> Roles {
        let (facts, place) = (&self.facts[index], self.place[index]);
        // "However, it still says …" turns from the expected to the actual behaviour.
        if !place.is_first && !facts.wants() && words::turns(facts.words) {
            return Roles::NONE.and_observed(facts.count >= 4);
        }
        let background = place.somebody_wants && !facts.wants() && !facts.is_item;
        let aside = words::is_pleasant(facts.words) && !facts.wants();
        if background || aside { Roles::NONE } else { Roles::EXPECTED }
    }

    /// Below "Actual", "Describe the bug" or "Summary", all sentences are observed behaviour, except explanations and asides.
    fn in_actual(&self, index: usize) -> Roles {
        let (facts, place) = (&self.facts[index], self.place[index]);
        if facts.wants() {
            return Roles::EXPECTED.and_observed(words::contrasts(facts.words) && !facts.has(Cue::Explanation));
        }
        let one_word = facts.count <= 1 && !place.is_first;
        let muses = facts.first_person && words::muses(facts.words) && !words::tells_what_was_met(facts.words);
        let asks = starts(facts.words, "please ") || starts(facts.words, "[ ") || starts(facts.words, "[x");
        if facts.has(Cue::Explanation) || words::is_pleasant(facts.words) || one_word || muses || asks {
            return Roles::NONE;
        }
        if !facts.is_faulty() {
            let announces = facts.words.ends_with([':', '：']) && facts.count <= 6;
            let fragment = facts.count <= 2 && !place.is_first;
            let points = POINTERS.en.iter().any(|start| starts(facts.words, start));
            let of_himself = facts.first_person && !words::tells_what_was_met(facts.words);
            if announces || fragment || points || of_himself || facts.words.contains("://") {
                return Roles::NONE;
            }
        }
        let told = facts.is_faulty() && facts.conditional && facts.has(Cue::StepVerb);
        Roles { step: told && !self.has_steps_section, ..Roles::OBSERVED }
    }

    /// In a list of instructions, under any heading, each item is a step, except observations and wishes.
    fn in_list(&self, index: usize) -> Roles {
        let facts = &self.facts[index];
        if facts.observes {
            return Roles::OBSERVED;
        }
        if facts.acts {
            return Roles::STEP.and_observed(words::ends_in_a_fault(facts));
        }
        if facts.wants() {
            return Roles::EXPECTED;
        }
        if facts.is_faulty() { Roles::OBSERVED } else { Roles::STEP }
    }

    /// Sentences under a heading without a role.
    fn in_prose(&self, index: usize) -> Roles {
        let facts = &self.facts[index];
        if facts.wants() {
            return Roles::EXPECTED;
        }
        if facts.has(Cue::Explanation) {
            return Roles::NONE;
        }
        if facts.is_ordered && facts.acts {
            return Roles::STEP;
        }
        if self.place[index].in_run {
            let seen = facts.observes || facts.is_faulty() && !facts.acts;
            return if seen { Roles::OBSERVED } else { Roles::STEP };
        }
        let asks = starts(facts.words, "please ");
        if words::is_pleasant(facts.words) || facts.sentence.role == SectionRole::Notes || asks {
            return Roles::NONE;
        }
        let symptom = facts.has(Cue::Symptom);
        let fault = facts.is_faulty() && facts.count >= 3 && (symptom || facts.count >= 4 && !facts.first_person);
        // An opening sentence about a state is a report, even without words for a fault.
        let opens = self.place[index].is_first
            && facts.count >= 5
            && !facts.first_person
            && !facts.acts
            && !facts.sentence.cues.any(&[Cue::Need, Cue::Wish, Cue::Aside, Cue::StoryRole])
            && words::tells_a_state(facts.words)
            && !words::tells_a_good_case(facts.words);
        let told = facts.conditional && facts.count >= 8 && !words::tells_a_good_case(facts.words);
        Roles {
            observed: fault || opens || told && facts.words.contains([',', '，']),
            step: told && facts.has(Cue::StepVerb) && words::names_somebody(facts.words),
            ..Roles::NONE
        }
    }

    /// Below "Steps", all sentences are steps, except an observation at the end.
    fn in_steps(&self, index: usize) -> Roles {
        let (facts, place) = (&self.facts[index], self.place[index]);
        let announces = facts.words.ends_with([':', '：']) && (facts.count <= 4 || words::announces_steps(facts.words));
        if announces || facts.names_environment && !facts.acts && facts.count <= 8 {
            return Roles::NONE;
        }
        let detached = place.after_list || place.later_paragraph && !facts.acts && !facts.conditional;
        if detached {
            // After the list the writer comments; only plain words of a fault or a wish count.
            let fault = facts.is_faulty() && facts.count >= 5 && !facts.has(Cue::Explanation) && !facts.first_person;
            return if facts.wants() { Roles::EXPECTED } else { Roles::NONE.and_observed(fault) };
        }
        if place.before_list && !facts.acts && facts.count <= 5 {
            return Roles::NONE;
        }
        if facts.observes {
            return Roles::OBSERVED;
        }
        if facts.acts {
            return Roles::STEP.and_observed(place.is_last && words::ends_in_a_fault(facts));
        }
        if words::is_path(facts.words) {
            return Roles::STEP;
        }
        if facts.conditional {
            return Roles::STEP.and_observed(facts.is_faulty());
        }
        if facts.wants() {
            return Roles::EXPECTED;
        }
        let caption = !place.has_list && facts.count <= 4 && !facts.is_faulty() && !place.is_first;
        if caption {
            return Roles::NONE;
        }
        // A Chinese step may begin with the place: 购物车加两件.
        let acts_inside = facts.is_item && facts.sentence.language == Language::Zh && facts.has(Cue::Imperative);
        let ends = place.is_last && (facts.is_faulty() || words::tells_a_state(facts.words) && !acts_inside);
        // A sentence about a state after the items is their result.
        let states = place.has_list && !facts.is_item && !facts.first_person && words::tells_a_state(facts.words);
        if ends || states || facts.is_faulty() && !facts.is_item { Roles::OBSERVED } else { Roles::STEP }
    }
}

/// The title of a report mostly names an observation; one that begins with an instruction or says "should" is a wish.
fn title(facts: &Facts<'_>) -> Roles {
    if facts.wants() && !words::contrasts(facts.words) {
        return Roles::EXPECTED;
    }
    let asks = facts.begins_as_work && !facts.is_faulty();
    if asks { Roles::EXPECTED } else { Roles::NONE.and_observed(facts.count >= 2) }
}
