//! Sources → brief: their statements, each with its place, and every unknown as a question.

use super::blanks::Blank;
use super::contradictions::contradictions;
use super::people;
use super::settle::settle;
use super::statement::{Kind, Said};
use super::titles::title;
use super::which_holds::contradiction;
use super::wording::{capitalised, polite, requested_zh, says_the_same, sentence, substance, words_of};
use super::{RulesAuthor, Source};
use crate::model::{Language, Span};
use crate::prd::{FeatureBrief, OpenQuestion, Statement};
use crate::rules::DraftingCue;
use crate::text::language::language_of;
use crate::text::story_parts::story_parts;
use crate::text::words::drafting_kinds::{DOCUMENTS, KINDS_OF_TICKETS, STORY_ROLES};
use crate::text::{Cue, quantities};

impl RulesAuthor<'_> {
    /// Writes a brief from the sources. Their order matters: the first one is the request for the feature.
    pub fn brief(&self, sources: &[Source]) -> FeatureBrief {
        let mut said = self.settled(sources);
        let all: String = sources.iter().map(|source| source.text.as_str()).collect::<Vec<_>>().join("\n");
        let language = language_of(&all);
        // Every document needs a name, even that of a text without a word.
        let unnamed = if language == Language::Zh { "功能" } else { "Feature" };
        let title = self.title(sources, &said).filter(|title| !title.trim().is_empty());
        let mut brief = FeatureBrief::new(title.unwrap_or_else(|| unnamed.to_owned()), language);
        settle_open_points(sources, &mut said);
        let pairs = contradictions(&mut said);
        for (one, other) in &pairs {
            push_question(&mut brief.open_questions, contradiction(&said[*one], &said[*other], language));
        }
        for (one, other) in pairs {
            said[one].kind = Kind::Nothing;
            said[other].kind = Kind::Nothing;
        }
        for said in &said {
            self.add(said, &mut brief);
        }
        self.name_the_goal(sources, &mut brief);
        self.name_users(&said, &mut brief);
        self.ask_for_blanks(&mut brief);
        brief
    }

    /// The statements of all sources, settled within each source.
    pub(super) fn settled(&self, sources: &[Source]) -> Vec<Said> {
        let mut all = Vec::new();
        for source in sources {
            let mut said = self.said(source);
            settle(&mut said, &self.words);
            all.extend(said);
        }
        all
    }

    fn add(&self, said: &Said, brief: &mut FeatureBrief) {
        let statement = |text: String| Statement { text, source: Some(said.quote.clone()) };
        match said.kind {
            Kind::Nothing | Kind::Proposal => {}
            Kind::Problem => push(&mut brief.problem, statement(sentence(&said.words))),
            Kind::Goal => push(&mut brief.goals, statement(sentence(&said.words))),
            Kind::Demand => {
                let (user, wish) = self.wish(&said.words);
                if let Some(user) = user {
                    push(&mut brief.users, statement(user));
                }
                push(&mut brief.goals, statement(sentence(&wish)));
            }
            Kind::User => push(&mut brief.users, statement(said.words.clone())),
            Kind::Flow => push(&mut brief.flows, statement(sentence(&said.words))),
            Kind::Measure => push(&mut brief.success_measures, statement(sentence(&said.words))),
            Kind::Rule => push(&mut brief.constraints, statement(sentence(&said.words))),
            Kind::OutOfScope => push(&mut brief.out_of_scope, statement(sentence(&said.words))),
            Kind::Question => push_question(
                &mut brief.open_questions,
                OpenQuestion {
                    question: as_question(&said.words, brief.language),
                    source: Some(said.quote.clone()),
                    answer: None,
                },
            ),
        }
    }

    /// The person who wants it, if a story names one, and the wish without words such as "want".
    pub(super) fn wish(&self, words: &str) -> (Option<String>, String) {
        let parts = story_parts(words, Span::new(0, words.len()));
        let role = parts.role.slice(words);
        let user = story_role(role);
        if user.is_none()
            && let Some(name) = people::wishing(words)
        {
            return (Some(capitalised(name)), words.to_owned());
        }
        let wanted = if user.is_some() { &words[parts.wish.start..] } else { words };
        (user, self.without_wish(wanted))
    }

    fn without_wish(&self, words: &str) -> String {
        let mut rest = words_of(words);
        if let Some(wanted) = polite(&rest).or_else(|| requested_zh(&rest).map(str::to_owned)) {
            return wanted;
        }
        for _ in 0..3 {
            let cues = self.words.in_text(&rest);
            let hit = cues.find(Span::new(0, rest.len()), DraftingCue::Wish).filter(|hit| hit.start <= 3);
            let Some(hit) = hit else { break };
            let after = words_of(&rest[hit.end..]);
            let after = after.strip_prefix("to ").map_or(after.clone(), str::to_owned);
            if substance(&after) < 1 {
                break;
            }
            rest = after;
        }
        rest
    }

    /// The title of the ticket, else the demand, else the beginning of the minutes.
    fn title(&self, sources: &[Source], said: &[Said]) -> Option<String> {
        let names: Vec<(String, bool)> = sources.iter().filter_map(|source| self.name_of(source)).collect();
        let demand = || {
            let asked_for = |said: &&Said| said.kind.demands() && said.quote.source == "utterance";
            let first = said
                .iter()
                .find(asked_for)
                .or_else(|| said.iter().find(|said| said.kind == Kind::Demand))
                .or_else(|| said.iter().find(|said| said.kind.demands()));
            first.map(|said| title(&self.wish(&said.words).1))
        };
        let ordered = || sources.iter().find_map(|source| ordered_document(&source.text)).map(title);
        let first_line =
            || sources.iter().flat_map(|source| source.text.lines()).find(|line| substance(line) >= 1).map(title);
        let of = |dated: bool| names.iter().find(|(_, is_dated)| *is_dated == dated).map(|(name, _)| title(name));
        of(false).or_else(ordered).or_else(demand).or_else(|| of(true)).or_else(first_line)
    }

    /// The heading of a file without its key, and whether it names a meeting rather than a matter.
    fn name_of(&self, source: &Source) -> Option<(String, bool)> {
        let reading = self.reader.read(&source.text, None);
        let named = reading.title?;
        let words = words_of(without_key(named.slice(&source.text)));
        let is_dated = reading.is_conversation
            || super::said::is_letter(&source.text)
            || reading.cues_in(named).has(Cue::MeetingWord);
        let is_line = named.slice(&source.text).len() + 1 < source.text.trim().len();
        let is_name = is_line
            && substance(&words) >= 1
            && !self.words.has(&words, DraftingCue::SmallTalk)
            && !self.words.has(&words, DraftingCue::AboutTheWork)
            && super::spoken::present(named.slice(&source.text)).is_none();
        is_name.then_some((words, is_dated))
    }

    /// If a ticket states no wish explicitly, its title is the wish.
    fn name_the_goal(&self, sources: &[Source], brief: &mut FeatureBrief) {
        if !brief.goals.is_empty() {
            return;
        }
        // The request may be a sentence without a title, next to the ticket that has one.
        let ticket = sources.iter().find(|source| self.name_of(source).is_some_and(|(_, is_dated)| !is_dated));
        let Some(source) = ticket.or(sources.first()) else { return };
        let reading = self.reader.read(&source.text, None);
        let Some(named) = reading.title.filter(|_| !reading.is_conversation) else { return };
        let (user, words) = self.wish(&words_of(without_key(named.slice(&source.text))));
        let is_dated = reading.cues_in(named).has(Cue::MeetingWord)
            || self.words.has(&words, DraftingCue::SmallTalk)
            || source.name == "utterance" && self.words.has(&words, DraftingCue::Papers);
        if substance(&words) >= 2 && !is_dated {
            let line = crate::model::LineIndex::new(&source.text).position(&source.text, named.start).line;
            let quote = named.slice(&source.text).to_owned();
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let place = crate::prd::SourceQuote { source: source.name.clone(), line, quote };
            if let Some(user) = user {
                push(&mut brief.users, Statement { text: user, source: Some(place.clone()) });
            }
            brief.goals.push(Statement { text: sentence(&words), source: Some(place) });
        }
    }

    /// The people who act in the demands and rules, where nobody lists them.
    fn name_users(&self, said: &[Said], brief: &mut FeatureBrief) {
        const MOST: usize = 6;
        for said in said.iter().filter(|said| said.kind.demands()) {
            for name in people::acting(self.reader, &said.words) {
                if !people::is_somebody(&name) || name.chars().count() < 2 {
                    continue;
                }
                let known = brief.users.iter().position(|user| same_people(&user.text, &name));
                match known {
                    // "Owners" and then "Project owners" are the same, said better.
                    Some(at) if name.len() > brief.users[at].text.len() && !brief.users[at].text.contains(' ') => {
                        brief.users[at].text = name;
                    }
                    Some(_) => {}
                    None if brief.users.len() < MOST => {
                        brief.users.push(Statement { text: name, source: Some(said.quote.clone()) });
                    }
                    None => {}
                }
            }
        }
    }

    /// Asks for everything that a feature needs and nobody has said.
    fn ask_for_blanks(&self, brief: &mut FeatureBrief) {
        let stated = || brief.goals.iter().chain(&brief.constraints).chain(&brief.flows);
        let fails = stated().any(|statement| {
            let reading = self.reader.read(&statement.text, None);
            reading.cues_in(Span::new(0, statement.text.len())).any(&[Cue::Failure])
        });
        let limited = stated()
            .chain(&brief.success_measures)
            .any(|statement| !quantities::quantities(&statement.text, Span::new(0, statement.text.len())).is_empty());
        let blanks = [
            (brief.users.is_empty(), Blank::Users),
            (brief.goals.is_empty(), Blank::Goal),
            (brief.problem.is_empty(), Blank::Problem),
            (brief.success_measures.is_empty(), Blank::Measure),
            (!fails, Blank::Errors),
            (!limited, Blank::Limits),
            (brief.out_of_scope.is_empty(), Blank::OutOfScope),
        ];
        for (_, blank) in blanks.into_iter().filter(|(missing, _)| *missing) {
            let question = blank.question(brief.language).to_owned();
            push_question(&mut brief.open_questions, OpenQuestion { question, source: None, answer: None });
        }
    }
}

/// "“The separator is TBD”: who decides this?", and the answer is there: the point is open no longer, and the answer holds.
fn settle_open_points(sources: &[Source], said: &mut [Said]) {
    for source in sources {
        let Some(point) = source.asked.as_deref().and_then(quoted) else { continue };
        let answer: Vec<usize> = (0..said.len()).filter(|at| said[*at].quote.source == source.name).collect();
        // "We do not know yet" does not settle anything.
        let holds = answer.iter().all(|at| said[*at].kind != Kind::Question && !said[*at].words.ends_with(['?', '？']));
        let is_it = |said: &Said| {
            said.kind == Kind::Question
                && said.quote.source != source.name
                && (said.quote.quote.starts_with(point) || said.words.starts_with(point))
        };
        if !holds || answer.is_empty() || !said.iter().any(is_it) {
            continue;
        }
        for at in answer {
            if matches!(said[at].kind, Kind::Nothing | Kind::Problem) && substance(&said[at].words) >= 2 {
                said[at].kind = Kind::Rule;
            }
        }
        for open in said.iter_mut().filter(|said| is_it(said)) {
            open.kind = Kind::Nothing;
        }
    }
}

/// The text between quotation marks, without the part that was cut off.
fn quoted(question: &str) -> Option<&str> {
    let inner = question.split_once('“')?.1.split_once('”')?.0;
    let whole = inner.trim_end_matches('…').trim();
    (substance(whole) >= 2).then_some(whole)
}

/// "As a clerk," → "Clerk".
fn story_role(role: &str) -> Option<String> {
    let bare = role.trim().trim_end_matches([',', '，', ' ']).trim_start_matches(['*', '_', '"']);
    let lower = bare.to_lowercase();
    let begins = STORY_ROLES.iter().find(|begin| lower.starts_with(**begin))?;
    let name =
        bare.get(begins.len()..)?.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | ',' | '，'));
    (!name.is_empty()).then(|| capitalised(name))
}

/// `[SHOP-12] Returns by post` → `Returns by post`.
fn without_key(name: &str) -> &str {
    let bare = name.trim().trim_start_matches('#').trim();
    let bare = bare
        .strip_prefix('h')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .map_or(bare, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' '));
    // "Ticket PAY-31: export of invoices".
    let kind = bare.split_once(' ').filter(|(kind, _)| KINDS_OF_TICKETS.has(&kind.to_lowercase()));
    let inner = kind.map_or(bare, |(_, rest)| rest).trim_start_matches(['[', '(']);
    let key = inner
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_')))
        .unwrap_or(inner.len());
    let is_key = inner[..key].contains('-')
        && inner[..key].ends_with(|c: char| c.is_ascii_digit())
        && inner.starts_with(|c: char| c.is_ascii_uppercase());
    if is_key { inner[key..].trim_start_matches([']', ')', ':', '：', ' ', '-', '–', '\u{3000}']) } else { bare }
}

/// "PRD for returns by post, please" → "returns by post".
fn ordered_document(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let at = DOCUMENTS.iter().filter_map(|begin| lower.find(begin).map(|at| at + begin.len())).min()?;
    let rest = &text[at..];
    let end = rest.find([',', '.', ';', '!', '?', '\n']).unwrap_or(rest.len());
    Some(rest[..end].trim()).filter(|words| substance(words) >= 2)
}

fn same_people(one: &str, other: &str) -> bool {
    let bare = |name: &str| {
        let lower = name.to_lowercase();
        lower.strip_suffix('s').map_or(lower.clone(), str::to_owned)
    };
    let (one, other) = (bare(one), bare(other));
    one.contains(&other) || other.contains(&one)
}

fn push(list: &mut Vec<Statement>, statement: Statement) {
    if !list.iter().any(|other| other.text == statement.text || says_the_same(&other.text, &statement.text)) {
        list.push(statement);
    }
}

pub(super) fn push_question(list: &mut Vec<OpenQuestion>, question: OpenQuestion) {
    if !list.iter().any(|other| other.question == question.question) {
        list.push(question);
    }
}

fn as_question(words: &str, language: Language) -> String {
    let words = words.trim();
    if words.ends_with(['?', '？']) {
        return words.to_owned();
    }
    match language {
        Language::En => format!("Not settled yet: “{words}”. What holds?"),
        Language::Zh => format!("尚未确定：“{words}”。以什么为准？"),
    }
}
