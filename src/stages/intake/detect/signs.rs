//! The signs by which the kind of a ticket is told, what each counts, and how they are read off a text.
//!
//! The points are whole numbers set by hand, each for a reason that its description gives, and checked on the issues of five
//! public projects: what counts must help, or not hurt, in each. A problem alone speaks for a bug and a question alike; what
//! tells them apart is who writes: a user stuck with his own program, or somebody who shows what the product does wrong.

use crate::model::{Genre, SectionRole, TicketType};
use crate::text::{Block, BlockKind, Cue, Reading, Sentence};

use super::form::{self, Answer};

macro_rules! signs {
    ($($(#[doc = $doc:literal])+ $name:ident: $most:literal, [$feature:literal, $bug:literal, $task:literal, $question:literal];)+) => {
        /// Something in a text that speaks for one kind of ticket or against another.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Sign {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Sign {
            /// Every sign, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name, e.g. `TitleAsks`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// It counts at most this often.
            pub fn most(self) -> u8 {
                match self { $(Self::$name => $most,)+ }
            }

            /// Points for each time it is seen, in the order of `TicketType::ALL`: feature, bug, task, question.
            pub fn points(self) -> [i32; 4] {
                match self { $(Self::$name => [$feature, $bug, $task, $question],)+ }
            }
        }
    };
}

signs! {
    /// The title opens with bug, crash, 缺陷.
    TitleSaysBug: 1, [-2, 6, 0, -2];
    /// The title opens with feature request, proposal, 需求.
    TitleSaysFeature: 1, [6, -2, 0, -2];
    /// The title opens with how, why, is it possible, 如何.
    TitleAsks: 1, [0, -1, 0, 5];
    /// The title opens with chore, bump, 升级.
    TitleSaysChore: 1, [0, 0, 6, 0];
    /// The title opens with another question word: is, can, what, does.
    TitleOpensAsQuestion: 1, [0, 0, 0, 1];
    /// The title names a fault.
    TitleBugWord: 1, [-2, 3, 0, 1];
    /// The title names damage: a crash, a leak, something incorrect.
    TitleMalfunction: 1, [-3, 5, 0, -1];
    /// The title speaks of an error or a problem, which questions do as well.
    TitleTrouble: 1, [-2, 1, 0, 2];
    /// The title names a chore.
    TitleChore: 1, [0, 0, 4, 0];
    /// The title holds a word that asks for something new.
    TitleFeatureWord: 1, [1, 0, 0, -1];
    /// The title begins with a verb in the imperative, behind the name of a part if there is one.
    TitleOrders: 1, [5, -2, 0, -3];
    /// The title begins with fix, avoid, prevent, don't.
    TitleMends: 1, [-3, 4, 0, -1];
    /// The title begins with the name of a part: `rpc: …`, `[editor] …`.
    TitleNamesPart: 1, [0, 1, 0, -1];
    /// The title has three words or fewer.
    TitleIsShort: 1, [0, -2, 0, 2];
    /// The title names something of the program: `code`, `a::b`, `f()`.
    TitleNamesCode: 1, [0, 1, 0, -1];
    /// The title holds words of help seeking.
    TitleHelpSeeking: 1, [0, -2, 0, 2];
    /// The title asks, wherever the asking stands.
    TitleAsking: 1, [0, -2, 0, 3];
    /// The title ends in a question mark.
    TitleQuestionMark: 1, [0, -2, 0, 3];
    /// The title ends in a question mark and asks.
    TitleFullQuestion: 1, [0, 0, 0, 2];

    /// The form says bug.
    FormSaysBug: 1, [-2, 2, 0, 0];
    /// The form says feature.
    FormSaysFeature: 1, [5, -2, 0, -2];
    /// The form says question or support.
    FormSaysQuestion: 1, [0, -2, 0, 8];
    /// The form says task.
    FormSaysTask: 1, [0, 0, 6, 0];
    /// The form says something else: build, installation, performance.
    FormSaysOther: 1, [1, -1, 0, 1];

    /// Sections for steps, expected or actual behaviour (3, 2 and 2, once for the heading and once for words below it).
    /// At most 4, because the forms of most projects hold them and questions are asked in the same forms.
    ReportSections: 4, [0, 1, 0, 0];
    /// A section for the environment, likewise.
    EnvironmentSection: 2, [0, 1, 0, 1];
    /// A section for logs or screenshots.
    EvidenceSection: 1, [0, 1, 0, 1];
    /// A section for acceptance criteria.
    CriteriaSection: 1, [7, 0, 0, 0];
    /// A section for a story.
    StorySection: 1, [5, 0, 0, 0];
    /// A section for requirements.
    RequirementsSection: 1, [4, 0, 0, 0];
    /// A section for alternatives.
    AlternativesSection: 1, [3, 0, 0, 0];
    /// A section for goals.
    GoalsSection: 1, [2, 0, 0, 0];
    /// A section for what is out of scope.
    ScopeLimitSection: 1, [2, 0, 0, 0];
    /// A section for edge cases.
    EdgeCasesSection: 1, [2, 0, 0, 0];
    /// A section for the demand.
    DemandSection: 1, [2, -1, 0, -1];
    /// Headings of a form for features: motivation, use case, describe the feature.
    FeatureForm: 2, [4, -3, 0, -1];

    /// A user story.
    Story: 1, [7, 0, 0, 0];
    /// A scenario.
    Scenario: 1, [4, 0, 0, 0];
    /// Somebody asks for something, no title says fault and no section reports one: today's faults are his reason.
    Asks: 1, [2, -3, 0, -2];
    /// Somebody asks for something.
    Needs: 1, [0, -1, 0, 0];
    /// Steps, expectation and place told in one breath.
    ToldReport: 1, [0, 4, 0, 0];
    /// A trace or an exception in code.
    Dump: 1, [0, 3, 0, 0];
    /// Pasted log lines outside code.
    Log: 1, [0, 1, 0, 1];
    /// Sentences that want something.
    Need: 3, [2, -2, 0, 1];
    /// Pairs of sentences with words that ask for something new.
    FeatureWords: 2, [1, -1, 0, 1];
    /// Sentences that propose a change or say what it would bring.
    Wish: 3, [4, -1, 0, -3];
    /// Sentences that show a symptom.
    Symptom: 3, [0, 1, 0, 1];
    /// Pairs of sentences with words about faults.
    BugWords: 2, [0, 1, 0, 1];
    /// Sentences with words that only a report of a fault uses.
    Malfunction: 3, [-1, 1, 0, 0];
    /// It worked before, elsewhere or in another version.
    ChangedSince: 2, [0, 1, 0, -1];
    /// A sentence on how often it happens.
    Frequency: 1, [0, 1, 0, 0];
    /// Sentences about chores.
    Chore: 4, [0, 0, 1, 0];
    /// Sentences that ask for information.
    Asking: 3, [0, -1, 0, 2];
    /// Sentences that end in a question mark.
    Questions: 3, [0, -2, 0, 3];
    /// A third of the sentences or more are questions.
    MostlyQuestions: 1, [-1, 0, 0, 3];
    /// Sentences of somebody who is stuck and asks for help.
    HelpSeeking: 3, [-1, -1, 0, 3];
    /// Sentences about the writer's own program, machine or data.
    OwnWork: 2, [0, -1, 0, 1];
    /// A greeting opens the body.
    Greeting: 1, [0, -1, 0, 1];
    /// Written in haste: a lower-case i, several signs in a row, an exclamation.
    Hasty: 2, [-1, -1, 0, 2];
    /// Somebody who knows the code writes: links into the source, a change under review, people called in.
    Insider: 2, [2, 1, 0, -3];
    /// Other tickets are named.
    Reference: 1, [0, 2, 0, -3];
    /// A link.
    Link: 1, [0, 1, 0, -1];
    /// Code in the body.
    Code: 2, [0, 1, 0, 0];
    /// A picture.
    Picture: 1, [-1, 2, 0, -1];
    /// Numbered steps outside any section for them.
    NumberedSteps: 1, [0, 1, 0, 0];
    /// Boxes of a checklist that the author ticked.
    Checklist: 1, [0, 1, 0, -1];
    /// The form's own instructions are still there: the writer took no care of it, as those in need of help do.
    FormComments: 1, [-1, -3, 0, 4];
    /// Fields of the form that nobody filled in, other than by saying so.
    UnfilledFields: 2, [0, -1, 0, 2];
}

/// How often each sign was seen in a text.
#[derive(Debug, Clone)]
pub struct Signs {
    counts: [u8; Sign::ALL.len()],
}

impl Signs {
    /// How often a sign was seen, at most `Sign::most` times.
    pub fn count(&self, sign: Sign) -> u8 {
        self.counts[sign as usize]
    }

    /// Reads the signs off a text. Linear in its length.
    pub fn read(text: &str, reading: &Reading) -> Self {
        let mut signs = Self { counts: [0; Sign::ALL.len()] };
        signs.read_title(text, reading);
        signs.read_form(text, reading);
        signs.read_sections(text, reading);
        signs.read_sentences(text, reading);
        signs.read_demands(text, reading);
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
        let starts = |terms: &[&str]| terms.iter().any(|term| bare.starts_with(term));
        let cues = reading.cues_in(title);
        let asks = starts(&ASKING_STARTS);
        self.set(Sign::TitleSaysBug, starts(&BUG_STARTS) || tagged(bare, "bug"));
        self.set(Sign::TitleSaysFeature, starts(&FEATURE_STARTS) || tagged(bare, "feature"));
        self.set(Sign::TitleAsks, asks);
        self.set(Sign::TitleOpensAsQuestion, !asks && first_word_is(bare, &QUESTION_WORDS));
        self.set(Sign::TitleSaysChore, starts(&CHORE_STARTS));
        self.set(Sign::TitleBugWord, cues.has(Cue::BugWord));
        self.set(Sign::TitleMalfunction, cues.has(Cue::Malfunction));
        self.set(Sign::TitleTrouble, TROUBLE_WORDS.iter().any(|word| lower.contains(word)));
        self.set(Sign::TitleChore, cues.has(Cue::Chore));
        self.set(Sign::TitleFeatureWord, cues.any(&[Cue::FeatureWord, Cue::TitleVerb]));
        self.set(Sign::TitleHelpSeeking, cues.any(&[Cue::HelpSeeking, Cue::OwnWork]) || has_word(&lower, &SELF_WORDS));
        self.set(Sign::TitleAsking, cues.has(Cue::Asking));
        let marked = words.trim_end().ends_with(['?', '？']);
        self.set(Sign::TitleQuestionMark, marked);
        self.set(Sign::TitleFullQuestion, marked && cues.has(Cue::Asking));
        let task = without_part(bare);
        self.set(Sign::TitleNamesPart, task.len() < bare.len() || words.starts_with('['));
        let mends = first_word_is(task, &MENDING_WORDS);
        let start = title.start + words.len() - task.len().min(words.len());
        let verb = reading.find_cue(title, Cue::TitleVerb).is_some_and(|verb| verb.start.abs_diff(start) <= 1);
        self.set(Sign::TitleMends, mends);
        self.set(Sign::TitleOrders, !mends && (verb || first_word_is(task, &ORDERING_WORDS)));
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
            Some(Answer::Other) => Sign::FormSaysOther,
            None => return,
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

    fn read_sentences(&mut self, text: &str, reading: &Reading) {
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
        self.set(Sign::ToldReport, platform && expectation && acted && !needs(text, reading));
    }

    fn read_demands(&mut self, text: &str, reading: &Reading) {
        let needs = needs(text, reading);
        let titled_bug = reading.title.is_some_and(|title| reading.cues_in(title).has(Cue::BugWord));
        let reported = [SectionRole::Steps, SectionRole::Expected, SectionRole::Actual];
        let reported = reported.iter().any(|role| reading.has_section(*role));
        let demanded = needs || reading.in_role(SectionRole::Demand).next().is_some();
        self.set(Sign::Asks, demanded && !titled_bug && !reported);
        self.set(Sign::Needs, needs);
    }

    /// Who writes: a user in need, or somebody who knows the program from inside.
    fn read_writer(&mut self, text: &str, reading: &Reading) {
        let body = reading.title.map_or(text, |title| text.get(title.end..).unwrap_or("")).trim_start();
        let opens = |word: &&str| body.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        self.set(Sign::Greeting, GREETINGS.iter().any(opens));
        let prose = reading.sentences.iter().filter(|s| !matches!(s.genre, Genre::Heading | Genre::Code));
        self.add(Sign::Hasty, prose.filter(|s| is_hasty(s.span.slice(text))).take(2).count());
        self.add(Sign::Insider, INSIDER_MARKS.iter().filter(|mark| body.contains(**mark)).count());
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

/// What the sentences below the title say.
fn body(reading: &Reading) -> impl Iterator<Item = &Sentence> {
    let told = |s: &&Sentence| !matches!(s.genre, Genre::Title | Genre::Heading | Genre::Code | Genre::Quotation);
    reading.sentences.iter().filter(told)
}

/// True if somebody asks for something; "Add a checkbox …" does as much as "I want a checkbox".
fn needs(text: &str, reading: &Reading) -> bool {
    let orders = |s: &Sentence| {
        let verb = reading.find_cue(s.span, Cue::TitleVerb).is_some_and(|verb| verb.start == s.span.start);
        verb && s.role != SectionRole::Steps && reading.blocks[s.block].kind == BlockKind::Paragraph
    };
    let wants = |s: &&Sentence| s.genre != Genre::Code && (s.cues.has(Cue::Need) || orders(s));
    reading.sentences.iter().filter(wants).any(|s| !s.span.slice(text).ends_with(['?', '？']))
}

/// `[editor bug]: …`, `UI bug: …`: the word ends a tag.
fn tagged(bare: &str, word: &str) -> bool {
    let tag = bare.split([':', ']', '：', '】']).next().unwrap_or("");
    tag.len() < bare.len() && tag.len() <= 24 && has_word(tag, &[word])
}

/// The title behind the name of a part: `rpc: add …`, `[editor] add …`.
fn without_part(bare: &str) -> &str {
    let ends = [':', ']', '：', '】'];
    let Some((part, rest)) = bare.split_once(ends) else { return bare };
    // `std::sort` and `C:\` are no parts.
    let is_part = part.len() <= 24 && (rest.starts_with(' ') || !bare[part.len()..].starts_with(':'));
    let rest = rest.trim_start_matches(ends).trim_start_matches([' ', '-']);
    if is_part && !rest.is_empty() { rest } else { bare }
}

fn first_word_is(lower: &str, words: &[&str]) -> bool {
    let end = lower.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(lower.len());
    words.contains(&&lower[..end])
}

fn has_word(lower: &str, words: &[&str]) -> bool {
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| words.contains(&word))
}

/// `i` for I, `??`, `!`.
fn is_hasty(words: &str) -> bool {
    words.starts_with("i ")
        || words.contains(" i ")
        || words.contains("??")
        || words.ends_with('!')
        || words.contains("!!")
}

/// `#1234` as a word.
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

/// A line of a form that ends in a colon, or a number with nothing behind it.
fn is_unfilled(text: &str, block: &Block) -> bool {
    if block.kind != BlockKind::ListItem {
        return false;
    }
    let words = block.text.slice(text).trim();
    words.is_empty() || words.len() <= 60 && words.ends_with([':', '：'])
}

/// A cue, its sign and how many sentences count once.
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

/// Words in the headings of forms that ask for a feature.
const FEATURE_HEADINGS: [&str; 14] = [
    "feature",
    "motivation",
    "use case",
    "alternative",
    "proposal",
    "proposed",
    "benefit",
    "rationale",
    "solution you",
    "功能",
    "动机",
    "场景",
    "收益",
    "建议",
];

/// Words of a title that names a fault first.
const BUG_STARTS: [&str; 6] = ["bug", "defect", "缺陷", "crash", "regression", "故障"];

const FEATURE_STARTS: [&str; 13] = [
    "feature",
    "feat",
    "enhancement",
    "suggestion",
    "proposal",
    "idea",
    "rfe",
    "rfc",
    "需求",
    "建议",
    "wish",
    "request",
    "新功能",
];

const ASKING_STARTS: [&str; 23] = [
    "question",
    "咨询",
    "求助",
    "请教",
    "how to",
    "how do",
    "how can",
    "how should",
    "how is",
    "how does",
    "请问",
    "如何",
    "怎么",
    "what is",
    "why ",
    "help",
    "is it possible",
    "is there",
    "can i",
    "should i",
    "提问",
    "疑问",
    "为什么",
];

/// Words that open a question where none of the fuller forms does.
const QUESTION_WORDS: [&str; 26] = [
    "how",
    "why",
    "what",
    "what's",
    "when",
    "where",
    "which",
    "who",
    "is",
    "are",
    "am",
    "can",
    "could",
    "may",
    "should",
    "does",
    "do",
    "did",
    "will",
    "would",
    "has",
    "have",
    "any",
    "anyone",
    "q",
    "difference",
];

const CHORE_STARTS: [&str; 29] = [
    "chore",
    "task",
    "任务",
    "bump",
    "upgrade",
    "refactor",
    "migrate",
    "clean",
    "rotate",
    "renew",
    "rename",
    "remove unused",
    "spike",
    "investigate",
    "update dependencies",
    "docs",
    "[docs",
    "[chore",
    "[task",
    "升级",
    "清理",
    "重构",
    "迁移",
    "续期",
    "更换",
    "调研",
    "ci:",
    "build:",
    "deps",
];

const MENDING_WORDS: [&str; 14] = [
    "fix", "fixes", "fixed", "fixing", "resolve", "resolves", "correct", "avoid", "prevent", "don't", "dont", "修复",
    "解决", "避免",
];

/// Orders that are no verbs of a title elsewhere.
const ORDERING_WORDS: [&str; 24] = [
    "adding",
    "consider",
    "ability",
    "option",
    "better",
    "more",
    "new",
    "automatically",
    "generalize",
    "generalise",
    "deprecate",
    "explore",
    "enhance",
    "prefer",
    "adopt",
    "please",
    "have",
    "支持",
    "新增",
    "增加",
    "希望",
    "optional",
    "provide",
    "use",
];

/// Trouble that a report and a cry for help share.
const TROUBLE_WORDS: [&str; 18] = [
    "error",
    "exception",
    "fail",
    "problem",
    "issue",
    "trouble",
    "unable",
    "can't",
    "cannot",
    "can not",
    "not working",
    "doesn't work",
    "not found",
    "undefined",
    "报错",
    "错误",
    "失败",
    "无法",
];

/// The writer speaks of himself in the title.
const SELF_WORDS: [&str; 12] =
    ["i", "i'm", "my", "me", "help", "please", "getting", "got", "need", "want", "using", "trying"];

const GREETINGS: [&str; 13] =
    ["hi ", "hi,", "hi!", "hi\n", "hello", "hey ", "hey,", "dear ", "good morning", "你好", "您好", "大家好", "各位"];

/// What only somebody who works on the program itself writes.
const INSIDER_MARKS: [&str; 12] = [
    "/blob/",
    "/commit/",
    "/pull/",
    "#L",
    "cc @",
    "this PR",
    "this patch",
    "pull request",
    "Pull Request",
    "backport",
    "follow-up to",
    "upstream",
];
