//! Finds the signs of each kind in a text, in one pass over its sentences and one over its blocks.

use reqgate_base::model::{Genre, SectionRole, Span, TicketType};
use reqgate_text::words::Words;
use reqgate_text::words::kinds::{
    ASKING_STARTS, BUG_STARTS, CHORE_STARTS, FEATURE_HEADINGS, FEATURE_STARTS, GREETINGS, MENDING_WORDS,
    ORDERING_WORDS, QUESTION_WORDS, SELF_WORDS, TROUBLE_WORDS,
};
use reqgate_text::{Block, BlockKind, Cue, Reading, Sentence};

use super::form::{self, Answer};
use super::sign::Sign;

/// The number of occurrences of each sign in a text.
#[derive(Debug, Clone)]
pub struct Signs {
    counts: [u8; Sign::ALL.len()],
}

impl Signs {
    /// The number of occurrences of a sign, at most `Sign::most`.
    pub(crate) fn count(&self, sign: Sign) -> u8 {
        self.counts[sign as usize]
    }

    /// Reads the signs of a text in linear time.
    pub(crate) fn read(text: &str, reading: &Reading) -> Self {
        let mut signs = Self { counts: [0; Sign::ALL.len()] };
        signs.read_title(text, reading);
        signs.read_form(text, reading);
        signs.read_sections(text, reading);
        let needs = needs(text, reading);
        signs.read_sentences(text, reading, needs);
        signs.read_demands(reading, needs);
        signs.read_writer(text, reading);
        signs.read_blocks(text, reading);
        signs
    }

    fn add(&mut self, sign: Sign, times: usize) {
        let sum = usize::from(self.counts[sign as usize]) + times;
        self.counts[sign as usize] = u8::try_from(sum).unwrap_or(u8::MAX).min(sign.most());
    }

    fn set(&mut self, sign: Sign, is_seen: bool) {
        self.add(sign, usize::from(is_seen));
    }

    fn read_title(&mut self, text: &str, reading: &Reading) {
        let Some(title) = reading.title else { return };
        let words = title.slice(text);
        let lower = words.to_lowercase();
        let bare = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
        let starts = |terms: &Words| terms.iter().any(|term| bare.starts_with(term));
        let cues = reading.cues_in(title);
        let asks = starts(ASKING_STARTS);
        self.set(Sign::TitleSaysBug, starts(BUG_STARTS) || tagged(bare, "bug"));
        self.set(Sign::TitleSaysFeature, starts(FEATURE_STARTS) || tagged(bare, "feature"));
        self.set(Sign::TitleAsks, asks);
        self.set(Sign::TitleOpensAsQuestion, !asks && first_word_is(bare, QUESTION_WORDS));
        self.set(Sign::TitleSaysChore, starts(CHORE_STARTS));
        self.set(Sign::TitleBugWord, cues.has(Cue::BugWord));
        self.set(Sign::TitleMalfunction, cues.has(Cue::Malfunction));
        self.set(Sign::TitleTrouble, TROUBLE_WORDS.iter().any(|word| lower.contains(word)));
        self.set(Sign::TitleChore, cues.has(Cue::Chore));
        self.set(Sign::TitleFeatureWord, cues.any(&[Cue::FeatureWord, Cue::TitleVerb]));
        self.set(
            Sign::TitleHelpSeeking,
            cues.any(&[Cue::HelpSeeking, Cue::OwnWork]) || words_of(&lower).any(|word| SELF_WORDS.has(word)),
        );
        self.set(Sign::TitleAsking, cues.has(Cue::Asking));
        let marked = words.trim_end().ends_with(['?', '？']);
        self.set(Sign::TitleQuestionMark, marked);
        self.set(Sign::TitleFullQuestion, marked && cues.has(Cue::Asking));
        let task = without_part(bare);
        self.set(Sign::TitleNamesPart, task.len() < bare.len() || words.starts_with('['));
        let mends = first_word_is(task, MENDING_WORDS);
        let start = title.start + words.len() - task.len().min(words.len());
        let verb = reading.find_cue(title, Cue::TitleVerb).is_some_and(|verb| verb.start.abs_diff(start) <= 1);
        self.set(Sign::TitleMends, mends);
        self.set(Sign::TitleOrders, !mends && (verb || first_word_is(task, ORDERING_WORDS)));
        self.set(Sign::TitleIsShort, words.is_ascii() && words.split_whitespace().count() <= 3);
        self.set(Sign::TitleNamesCode, ["`", "()", "::", "_"].iter().any(|mark| words.contains(mark)));
    }

    fn read_form(&mut self, text: &str, reading: &Reading) {
        let body = reading.title.map_or(text, |title| text.get(title.end..).unwrap_or(""));
        let sign = match form::answer(body) {
            Some(Answer::Kind(TicketType::Bug)) => Sign::FormSaysBug,
            Some(Answer::Kind(TicketType::Feature)) => Sign::FormSaysFeature,
            Some(Answer::Kind(TicketType::Question)) => Sign::FormSaysQuestion,
            Some(Answer::Kind(TicketType::Task)) => Sign::FormSaysTask,
            Some(Answer::Kind(TicketType::Discussion | TicketType::FeaturePart)) | None => return,
            Some(Answer::Other) => Sign::FormSaysOther,
        };
        self.set(sign, true);
    }

    fn read_sections(&mut self, text: &str, reading: &Reading) {
        let filled = |role| {
            let code = reading.blocks.iter().zip(&reading.section_of);
            reading.in_role(role).next().is_some()
                || code.filter(|(block, _)| block.is_code()).any(|(_, s)| reading.sections[*s].role == role)
        };
        for (role, sign, weight) in REPORT_SECTIONS {
            if reading.has_section(role) {
                self.add(sign, weight + if filled(role) { weight } else { 0 });
            }
        }
        for (role, sign) in DEMAND_SECTIONS {
            self.set(sign, reading.has_section(role));
        }
        let headings = reading.sections.iter().filter_map(|section| section.heading);
        let asks_for_feature = headings.filter(|heading| {
            let lower = heading.slice(text).to_lowercase();
            FEATURE_HEADINGS.iter().any(|word| lower.contains(word)) && !lower.contains("bug")
        });
        self.add(Sign::FeatureForm, asks_for_feature.count());
    }

    fn read_sentences(&mut self, text: &str, reading: &Reading, needs: bool) {
        let mut counts = [0_usize; SENTENCE_CUES.len()];
        let (mut sentences, mut asked, mut frequency) = (0_usize, 0_usize, 0_usize);
        let (mut platform, mut expectation, mut acted) = (false, false, false);
        for sentence in body(reading) {
            let words = sentence.span.slice(text);
            sentences += 1;
            asked += usize::from(words.ends_with(['?', '？']));
            for (count, (cue, ..)) in counts.iter_mut().zip(SENTENCE_CUES) {
                *count += usize::from(sentence.cues.has(cue));
            }
            frequency += usize::from(sentence.cues.has(Cue::Frequency));
            self.set(Sign::Story, sentence.genre == Genre::UserStory);
            self.set(Sign::Scenario, sentence.genre == Genre::GherkinStep);
            platform |= sentence.cues.has(Cue::Platform) && words.bytes().any(|b| b.is_ascii_digit());
            expectation |= sentence.cues.has(Cue::Expectation);
            acted |= sentence.cues.has(Cue::StepVerb) && reading.count_cue(sentence.span, Cue::StepVerb) >= 2;
        }
        for (count, (_, sign, per_point)) in counts.iter().zip(SENTENCE_CUES) {
            self.add(sign, count / per_point);
        }
        self.set(Sign::Frequency, frequency > 0);
        self.add(Sign::Questions, asked);
        self.set(Sign::MostlyQuestions, asked * 3 >= sentences.max(1));
        self.set(Sign::ToldReport, platform && expectation && acted && !needs);
    }

    fn read_demands(&mut self, reading: &Reading, needs: bool) {
        let titled_bug = reading.title.is_some_and(|title| reading.cues_in(title).has(Cue::BugWord));
        let reported = [SectionRole::Steps, SectionRole::Expected, SectionRole::Actual];
        let reported = reported.iter().any(|role| reading.has_section(*role));
        let demanded = needs || reading.in_role(SectionRole::Demand).next().is_some();
        self.set(Sign::Asks, demanded && !titled_bug && !reported);
        self.set(Sign::Needs, needs);
    }

    /// Reads the signs of the writer: a user in need, or a person who knows the program from inside.
    fn read_writer(&mut self, text: &str, reading: &Reading) {
        let body = reading.title.map_or(text, |title| text.get(title.end..).unwrap_or("")).trim_start();
        let opens = |word: &str| body.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        self.set(Sign::Greeting, GREETINGS.iter().any(opens));
        let prose = reading.sentences.iter().filter(|s| !matches!(s.genre, Genre::Heading | Genre::Code));
        self.add(Sign::Hasty, prose.filter(|s| is_hasty(s.span.slice(text))).take(2).count());
        let after_title = Span::new(text.len() - body.len(), text.len());
        self.add(Sign::Insider, reading.count_cue(after_title, Cue::Insider));
        self.set(Sign::Reference, names_ticket(body));
        self.set(Sign::Link, body.contains("http"));
        self.set(Sign::Picture, body.contains("![") || body.contains("<img"));
        self.set(Sign::FormComments, body.contains("<!--"));
    }

    fn read_blocks(&mut self, text: &str, reading: &Reading) {
        let (mut numbered, mut code) = (0, 0);
        for block in &reading.blocks {
            match block.kind {
                BlockKind::Code => code += 1,
                BlockKind::Log => self.set(Sign::Log, true),
                BlockKind::ListItem => {
                    numbered += usize::from(block.ordered);
                    self.set(Sign::Checklist, block.checked == Some(true));
                }
                _ => {}
            }
            self.set(Sign::Dump, block.is_code() && is_dump(text, block));
            self.add(Sign::UnfilledFields, usize::from(is_unfilled(text, block)));
        }
        self.add(Sign::Code, code);
        self.set(Sign::NumberedSteps, numbered >= 2);
    }
}

/// The sentences below the title.
fn body(reading: &Reading) -> impl Iterator<Item = &Sentence> {
    let told = |s: &&Sentence| !matches!(s.genre, Genre::Title | Genre::Heading | Genre::Code | Genre::Quotation);
    reading.sentences.iter().filter(told)
}

/// Returns true if the text asks for something; "Add a checkbox …" counts like "I want a checkbox".
fn needs(text: &str, reading: &Reading) -> bool {
    let orders = |s: &Sentence| {
        let verb = reading.find_cue(s.span, Cue::TitleVerb).is_some_and(|verb| verb.start == s.span.start);
        verb && s.role != SectionRole::Steps && reading.blocks[s.block].kind == BlockKind::Paragraph
    };
    let wants = |s: &&Sentence| s.genre != Genre::Code && (s.cues.has(Cue::Need) || orders(s));
    reading.sentences.iter().filter(wants).any(|s| !s.span.slice(text).ends_with(['?', '？']))
}

/// Returns true if the word ends a tag: `[editor bug]: …`, `UI bug: …`.
fn tagged(bare: &str, word: &str) -> bool {
    let tag = bare.split([':', ']', '：', '】']).next().unwrap_or("");
    tag.len() < bare.len() && tag.len() <= 24 && words_of(tag).any(|known| known == word)
}

/// The title without the name of a part: `rpc: add …`, `[editor] add …`.
fn without_part(bare: &str) -> &str {
    let ends = [':', ']', '：', '】'];
    let Some((part, rest)) = bare.split_once(ends) else { return bare };
    // `std::sort` and `C:\` are not parts.
    let is_part = part.len() <= 24 && (rest.starts_with(' ') || !bare[part.len()..].starts_with(':'));
    let rest = rest.trim_start_matches(ends).trim_start_matches([' ', '-']);
    if is_part && !rest.is_empty() { rest } else { bare }
}

fn first_word_is(lower: &str, words: &Words) -> bool {
    let end = lower.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(lower.len());
    words.has(&lower[..end])
}

fn words_of(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'')
}

/// Returns true for a lower-case `i`, `??`, `!`.
fn is_hasty(words: &str) -> bool {
    let bytes = words.as_bytes();
    words.starts_with("i ")
        || words.ends_with('!')
        || bytes.windows(2).any(|pair| matches!(pair, b"??" | b"!!"))
        || bytes.windows(3).any(|three| three == b" i ")
}

/// Returns true for `#1234` as a word.
fn names_ticket(body: &str) -> bool {
    let bytes = body.as_bytes();
    body.match_indices('#').any(|(at, _)| {
        bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count() >= 3
            && (at == 0 || bytes[at - 1].is_ascii_whitespace() || bytes[at - 1] == b'(')
    }) || body.contains("/issues/")
}

fn is_dump(text: &str, block: &Block) -> bool {
    let words = block.text.slice(text);
    ["Exception", "Error:", "Traceback", "panicked", "\tat ", "    at "].iter().any(|mark| words.contains(mark))
}

/// Returns true for a line of a form that ends in a colon, or a number without text.
fn is_unfilled(text: &str, block: &Block) -> bool {
    if block.kind != BlockKind::ListItem {
        return false;
    }
    let words = block.text.slice(text).trim();
    words.is_empty() || words.len() <= 60 && words.ends_with([':', '：'])
}

/// A cue, its sign and the number of sentences that count as one.
const SENTENCE_CUES: [(Cue, Sign, usize); 11] = [
    (Cue::Need, Sign::Need, 1),
    (Cue::FeatureWord, Sign::FeatureWords, 2),
    (Cue::Wish, Sign::Wish, 1),
    (Cue::Symptom, Sign::Symptom, 1),
    (Cue::BugWord, Sign::BugWords, 2),
    (Cue::Malfunction, Sign::Malfunction, 1),
    (Cue::ChangedSince, Sign::ChangedSince, 1),
    (Cue::Chore, Sign::Chore, 1),
    (Cue::Asking, Sign::Asking, 1),
    (Cue::HelpSeeking, Sign::HelpSeeking, 1),
    (Cue::OwnWork, Sign::OwnWork, 1),
];

const REPORT_SECTIONS: [(SectionRole, Sign, usize); 5] = [
    (SectionRole::Steps, Sign::ReportSections, 3),
    (SectionRole::Expected, Sign::ReportSections, 2),
    (SectionRole::Actual, Sign::ReportSections, 2),
    (SectionRole::Environment, Sign::EnvironmentSection, 1),
    (SectionRole::Evidence, Sign::EvidenceSection, 1),
];

const DEMAND_SECTIONS: [(SectionRole, Sign); 8] = [
    (SectionRole::AcceptanceCriteria, Sign::CriteriaSection),
    (SectionRole::Story, Sign::StorySection),
    (SectionRole::Requirements, Sign::RequirementsSection),
    (SectionRole::Alternatives, Sign::AlternativesSection),
    (SectionRole::Goals, Sign::GoalsSection),
    (SectionRole::OutOfScope, Sign::ScopeLimitSection),
    (SectionRole::EdgeCases, Sign::EdgeCasesSection),
    (SectionRole::Demand, Sign::DemandSection),
];
