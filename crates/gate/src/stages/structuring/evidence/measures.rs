//! Measures the form of a text for the signs of the facets, in one pass over blocks and one over sentences.

use crate::stages::structuring::specific::specific_words;
use reqgate_base::model::{Facets, Genre, SectionRole, Span, TicketType};
use reqgate_rules::Measure;
use reqgate_text::content_words::content_words;
use reqgate_text::quantities::quantities;
use reqgate_text::{BlockKind, Cue, Reading};

use super::{KindPoints, amounts, tickable};

/// The number of words at which prose counts in full.
const MANY_WORDS: f64 = 60.0;
/// The number of words at which a title counts in full.
const FULL_TITLE: f64 = 7.0;
/// A text with fewer words than this is short.
const FEW_WORDS: usize = 15;
/// A picture next to fewer words than this is the main content.
const WORDS_BESIDE_A_PICTURE: usize = 45;
/// A section of steps with fewer words than this has almost no content.
const FEWEST_STEP_WORDS: usize = 5;
/// Steps of fewer words than this, without a list and without code, are only a passing mention.
const THIN_STEPS: usize = 16;
/// A code block with fewer characters than this is a name.
const SHORTEST_PROGRAM: usize = 15;
/// Code with more characters than this is long.
const LONG_PROGRAM: usize = 200;
/// The lead in points at which a kind of ticket counts in full.
const FULL_POINTS: f64 = 12.0;
/// The most questions of an author who asks for help.
const MOST_QUESTIONS: usize = 4;
/// Cues of words that leave the outcome to the reader's judgement.
const SAYS_NOTHING: [Cue; 4] = [Cue::Vague, Cue::Elsewhere, Cue::Process, Cue::Empty];
/// A last sentence with at most this many words is a thank-you or a greeting.
const THANKS: usize = 3;
/// The number of bytes of prose and code that are read; it bounds the work on pasted logs.
const LONGEST_READ: usize = 40_000;

/// Counts that do not depend on the facets, so that they are the same for every facet.
#[derive(Debug)]
pub struct Form {
    facts: Facts,
    title: Option<Span>,
    /// The statements that a tester could check, in order.
    pub(in crate::stages::structuring) statements: Vec<Span>,
}

/// The counts of a text, with those that depend on the facets.
#[derive(Debug)]
pub(super) struct Measures {
    facts: Facts,
    title: Option<Span>,
}

#[derive(Debug, Clone, Default)]
struct Facts {
    steps: Option<Span>,
    steps_listed: bool,
    steps_section_empty: bool,
    steps_thin: bool,
    actual: Option<Span>,
    expected: Option<Span>,
    environment: Option<Span>,
    environment_section_empty: bool,
    version: bool,
    actor: Option<Span>,
    need: Option<Span>,
    benefit: Option<Span>,
    criteria: usize,
    first_criterion: Option<Span>,
    hollow: Option<Span>,
    open_point: Option<Span>,
    programs: usize,
    longest_program: usize,
    trace: Option<Span>,
    title_names_code: bool,
    names_of_code: usize,
    inline_code: usize,
    elided: bool,
    reproduction: bool,
    link: bool,
    reference: bool,
    picture: bool,
    title_words: usize,
    words: usize,
    restates: bool,
    items: usize,
    condition: Option<Span>,
    questions: usize,
    first_question: Option<Span>,
    sentences: usize,
    ends_asking: Option<Span>,
    report_sections: usize,
    title_asks: bool,
    hasty: bool,
    empty_fields: usize,
    value: Option<Span>,
    decision: Option<Span>,
    kind: KindPoints,
}

impl Form {
    /// Counts the features of a text in linear time.
    pub(crate) fn read(text: &str, reading: &Reading) -> Self {
        let mut facts = Facts::default();
        facts.take_title(text, reading);
        facts.take_blocks(text, reading);
        let words = facts.take_sentences(text, reading);
        facts.take_sections(reading, &words);
        facts.take_whole(text, reading);
        Self { facts, title: reading.title, statements: tickable::statements(text, reading) }
    }

    /// Adds the counts of the facets that were found and the points for each kind of ticket.
    pub(super) fn with(&self, reading: &Reading, facets: &Facets, kind: KindPoints) -> Measures {
        let mut facts = Facts { kind, ..self.facts.clone() };
        facts.take_facets(reading, facets, &self.statements);
        Measures { facts, title: self.title }
    }
}

impl Measures {
    /// The strength of a measure, 0 to 1, and its place.
    pub(super) fn of(&self, measure: Measure) -> (f64, Option<Span>) {
        let facts = &self.facts;
        let yes = |seen: bool| (f64::from(u8::from(seen)), None);
        let place = |span: Option<Span>| (f64::from(u8::from(span.is_some())), span);
        let part = |count: usize, full: f64| ((count as f64 / full).min(1.0), None);
        let part_of = |points: i32| ((f64::from(points) / FULL_POINTS).clamp(0.0, 1.0), None);
        let in_title = |seen: bool| (f64::from(u8::from(seen)), self.title.filter(|_| seen));
        match measure {
            Measure::StepsFound => place(facts.steps),
            Measure::StepsListed => place(facts.steps.filter(|_| facts.steps_listed)),
            Measure::StepsSectionEmpty => yes(facts.steps_section_empty),
            Measure::StepsThin => yes(facts.steps_thin && !facts.steps_listed && !facts.steps_section_empty),
            Measure::ActualFound => place(facts.actual),
            Measure::ExpectedFound => place(facts.expected),
            Measure::EnvironmentFound => place(facts.environment),
            Measure::EnvironmentSectionEmpty => yes(facts.environment_section_empty),
            Measure::Version => yes(facts.version),
            Measure::ActorFound => place(facts.actor),
            Measure::NeedFound => place(facts.need),
            Measure::BenefitFound => place(facts.benefit),
            Measure::OneCriterion => place(facts.first_criterion.filter(|_| facts.criteria >= 1)),
            Measure::TwoCriteria => place(facts.first_criterion.filter(|_| facts.criteria >= 2)),
            Measure::ThreeCriteria => place(facts.first_criterion.filter(|_| facts.criteria >= 3)),
            Measure::HollowCriteria => place(facts.hollow),
            Measure::OpenPoint => place(facts.open_point),
            Measure::Program => yes(facts.programs > 0),
            Measure::LongProgram => yes(facts.longest_program > LONG_PROGRAM),
            Measure::Trace => place(facts.trace),
            Measure::TraceOnly => {
                place(facts.trace.filter(|_| facts.programs == 0 && facts.items < 2 && facts.steps.is_none()))
            }
            Measure::TitleNamesCode => in_title(facts.title_names_code),
            Measure::NamesCode => part(facts.names_of_code, 4.0),
            Measure::InlineCode => part(facts.inline_code, 3.0),
            Measure::Elided => yes(facts.elided),
            Measure::ReproductionLink => yes(facts.reproduction),
            Measure::Link => yes(facts.link),
            Measure::Reference => yes(facts.reference),
            Measure::Picture => yes(facts.picture),
            Measure::PictureOnly => yes(facts.picture && facts.words < WORDS_BESIDE_A_PICTURE && facts.programs == 0),
            Measure::TitleWords => part(facts.title_words, FULL_TITLE),
            Measure::ShortTitle => in_title(facts.title_words <= 3),
            Measure::Words => {
                let log = |count: f64| (1.0 + count).ln();
                ((log(facts.words as f64) / log(MANY_WORDS)).min(1.0), None)
            }
            Measure::FewWords => yes(facts.words < FEW_WORDS),
            Measure::EmptyBody => yes(facts.words < 3 && facts.programs == 0 && facts.items == 0),
            Measure::RestatesTitle => yes(facts.restates),
            Measure::List => yes(facts.items >= 2),
            Measure::ParticularCondition => place(facts.condition),
            Measure::Questions => (part(facts.questions, 3.0).0, facts.first_question),
            Measure::TitleAsks => in_title(facts.title_asks),
            Measure::BodyAsks => place(facts.first_question),
            Measure::Hasty => yes(facts.hasty),
            Measure::EmptyFields => part(facts.empty_fields, 5.0),
            Measure::Value => place(facts.value),
            Measure::Decision => place(facts.decision),
            Measure::PointsForBug => part_of(facts.kind.bug - facts.kind.feature),
            Measure::PointsForFeature => part_of(facts.kind.feature - facts.kind.bug),
            Measure::PointsForQuestion => part_of(facts.kind.question - facts.kind.feature.max(facts.kind.bug)),
            Measure::PointsForTask => part_of(facts.kind.task - facts.kind.feature.max(facts.kind.bug)),
            Measure::FormSaysBug => yes(facts.kind.form == Some(TicketType::Bug)),
            Measure::FormSaysFeature => yes(facts.kind.form == Some(TicketType::Feature)),
            Measure::FormSaysQuestion => yes(facts.kind.form == Some(TicketType::Question)),
            Measure::ReportSections => yes(facts.report_sections >= 2 && !facts.restates),
            Measure::EndsAsking => place(facts.ends_asking),
            Measure::MostlyAsks => place(facts.first_question.filter(|_| facts.mostly_asks())),
        }
    }
}

impl Facts {
    /// Returns true if most sentences ask. A long list of questions is a document with answers, or meant for a team.
    fn mostly_asks(&self) -> bool {
        self.questions <= MOST_QUESTIONS && 2 * self.questions > self.sentences
    }

    fn take_facets(&mut self, reading: &Reading, facets: &Facets, stated: &[Span]) {
        self.steps = facets.steps.first().copied();
        let in_list = |span: &&Span| {
            let sentence = reading.sentence_at(span.start);
            sentence.is_some_and(|s| reading.blocks[s.block].kind == BlockKind::ListItem)
        };
        self.steps_listed = facets.steps.iter().filter(in_list).count() >= 2;
        self.actual = facets.actual.first().copied();
        self.expected = facets.expected.first().copied();
        self.environment = facets.environment.first().copied();
        self.actor = facets.actor;
        self.need = facets.need;
        self.benefit = facets.benefit;
        let verifiable = facets.criteria.iter().filter(|criterion| criterion.verifiable);
        self.criteria = stated.len().max(verifiable.clone().count());
        self.first_criterion = stated.first().copied().or(verifiable.map(|criterion| criterion.span).next());
        let called = facets.criteria.first().map(|criterion| criterion.span);
        // A criterion that cannot be verified for certain may still be clear to a tester; words like "correctly" or "as
        // agreed" are not.
        let empty = |span: Span| reading.cues_in(span).any(&SAYS_NOTHING);
        let empty = facets.criteria.iter().filter(|criterion| empty(criterion.span)).count();
        let checkable = facets.criteria.iter().any(|criterion| criterion.verifiable);
        self.hollow = called.filter(|_| !checkable && (3 * empty > facets.criteria.len() || self.criteria == 0));
        self.open_point = facets.open_points.iter().find(|point| point.core).map(|point| point.span);
    }

    fn take_title(&mut self, text: &str, reading: &Reading) {
        let Some(title) = reading.title else { return };
        let words = title.slice(text);
        self.title_words = amounts::words(words);
        self.title_names_code = amounts::names_of_code(words) > 0;
        self.title_asks = words.trim_end().ends_with(['?', '？']);
    }

    fn take_blocks(&mut self, text: &str, reading: &Reading) {
        for block in &reading.blocks {
            match block.kind {
                BlockKind::Code | BlockKind::Log => {
                    let code = start(block.text.slice(text));
                    if block.kind == BlockKind::Log || amounts::is_trace(code) {
                        self.trace = self.trace.or(Some(block.span));
                    } else if code.trim().len() > SHORTEST_PROGRAM {
                        self.programs += 1;
                        self.longest_program = self.longest_program.max(code.len());
                    }
                    self.elided |= code.contains("(....") || code.contains("......");
                }
                BlockKind::ListItem if block.checked.is_none() => self.items += 1,
                _ => {}
            }
        }
    }

    /// Counts the sentences, and returns the number of words in each section.
    fn take_sentences(&mut self, text: &str, reading: &Reading) -> Vec<usize> {
        let mut by_section = vec![0; reading.sections.len()];
        let title = reading.title.map(|title| title.slice(text)).unwrap_or_default();
        let mut new_words = 0;
        let known = content_words(title);
        for sentence in reading.sentences.iter().filter(|s| super::is_prose(s)) {
            let words = sentence.span.slice(text);
            self.names_of_code += amounts::names_of_code(words);
            let length = amounts::words(words);
            by_section[sentence.section] += length;
            if sentence.genre == Genre::Title {
                continue;
            }
            self.words += length;
            if length > THANKS {
                self.sentences += 1;
                self.ends_asking = words.ends_with(['?', '？']).then_some(sentence.span);
            }
            self.inline_code += amounts::marks_of_code(words);
            if words.ends_with(['?', '？']) {
                self.questions += 1;
                self.first_question = self.first_question.or(Some(sentence.span));
            }
            if self.condition.is_none() && sentence.cues.has(Cue::Condition) && specific_words(text, sentence) >= 3 {
                self.condition = Some(sentence.span);
            }
            if self.value.is_none() {
                let measured = quantities(text, sentence.span).iter().any(|quantity| quantity.dimension.is_some());
                let quoted = words.matches('"').count() >= 2 || words.contains(['“', '「', '『']);
                self.value = (measured || quoted).then_some(sentence.span);
            }
            if self.decision.is_none() && sentence.cues.has(Cue::Decision) {
                self.decision = Some(sentence.span);
            }
            self.hasty |=
                words.contains(" i ") || words.starts_with("i ") || words.contains("!!") || words.contains("??");
            // A long sentence has its own content, so counting stops there.
            if new_words < 4 {
                new_words += content_words(start(words)).iter().filter(|word| !known.contains(*word)).count();
            }
        }
        self.restates = new_words < 2;
        by_section
    }

    /// Counts the sections in one pass over the blocks; `words` are those of each section.
    fn take_sections(&mut self, reading: &Reading, words: &[usize]) {
        let mut code = vec![false; reading.sections.len()];
        for (block, section) in reading.blocks.iter().zip(&reading.section_of) {
            code[*section] |= block.is_code();
        }
        let filled = |index: usize, least: usize| words[index] >= least || code[index];
        let (mut steps, mut followable, mut environment) = ((false, false), false, (false, false));
        for (index, section) in reading.sections.iter().enumerate().filter(|(_, section)| section.heading.is_some()) {
            match section.role {
                SectionRole::Steps => {
                    steps = (true, steps.1 | filled(index, FEWEST_STEP_WORDS));
                    followable |= filled(index, THIN_STEPS);
                    self.report_sections += 1;
                }
                SectionRole::Expected | SectionRole::Actual => self.report_sections += 1,
                SectionRole::Environment => environment = (true, environment.1 | filled(index, 1)),
                _ => {}
            }
        }
        self.steps_section_empty = steps.0 && !steps.1;
        self.steps_thin = steps.0 && !followable;
        self.environment_section_empty = environment.0 && !environment.1;
    }

    fn take_whole(&mut self, text: &str, reading: &Reading) {
        let text = start(text);
        self.reference = amounts::names_ticket(text);
        for link in amounts::links(text) {
            if amounts::is_picture(link) {
                self.picture = true;
            } else {
                self.link = true;
            }
            self.reproduction |= amounts::is_reproduction(link);
        }
        self.picture |= text.contains("![") || text.contains("<img");
        self.empty_fields = text.matches("_No response_").count();
        let placeholders = reading.sentences.iter().filter(|sentence| sentence.is_placeholder).count();
        self.empty_fields += placeholders;
        let is_end = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
        self.version = text.as_bytes().split(is_end).any(is_version);
    }
}

/// Returns true for `1.2.3`, `v2.1`, `2.4-beta`: numbers with a dot and at least one digit on each side.
fn is_version(word: &[u8]) -> bool {
    if !word.contains(&b'.') {
        return false;
    }
    let mut bare = word;
    while let [b'v' | b'V', rest @ ..] = bare {
        bare = rest;
    }
    while let [b'.', rest @ ..] | [rest @ .., b'.'] = bare {
        bare = rest;
    }
    let mut parts = bare.split(|byte| *byte == b'.');
    let number = |part: Option<&[u8]>| part.is_some_and(|part| part.first().is_some_and(u8::is_ascii_digit));
    number(parts.next()) && number(parts.next())
}

fn start(text: &str) -> &str {
    let end = (0..=text.len().min(LONGEST_READ)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
