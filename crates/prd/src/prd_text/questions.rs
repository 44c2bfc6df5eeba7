//! Updates the questions of a brief from the text of the PRD, in which people reword, answer, add and remove questions.

use super::data::{Kind, Section, kind, listed, sections};
use super::{bare_line, identified, places_shown, question_shown};
use crate::brief::{BriefSection, items, joined, says_none};
use crate::prd_document::PrdQuestion;
use crate::{FeatureBrief, OpenQuestion, QuestionId, RequirementId};
use reqgate_base::model::Language;
use reqgate_docs::{Outline, front_matter, unescaped};
use reqgate_text::answer::{read_answer, split_assignment};

/// The lowest share of common letter pairs by which a reworded question is recognised, 0 to 1.
const REWORDED: f64 = 0.5;

/// The questions of a feature, combined from its brief and the text of its PRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionsInLine {
    /// The questions of the brief in their places and in the words of the PRD, with new ones at the end.
    pub questions: Vec<OpenQuestion>,
    /// The open questions that the PRD no longer contains.
    pub taken_out: Vec<String>,
}

/// Returns the questions of a brief as the PRD has them now. Questions that were reworded, answered or assigned in the PRD are updated,
/// and new ones are added; questions that the PRD no longer contains are unchanged, and are listed.
pub fn questions_in_line(brief: &FeatureBrief, prd: &str) -> QuestionsInLine {
    let prd = prd.replace("\r\n", "\n");
    let (_, sections) = sections(&prd);
    let is_asked = |one: &&Section<'_>| asks(one.kind);
    let mut asked: Vec<String> = sections.iter().filter(is_asked).flat_map(listed).collect();
    asked.iter_mut().for_each(|item| *item = item.trim_start_matches("[ ]").trim_start().to_owned());
    asked.retain(|item| !says_none(item));
    let answered = sections.iter().filter(|one| one.kind == Kind::Answered).flat_map(listed);
    let answered: Vec<Item> = answered.map(|item| Item::of(&item)).collect();
    let mut questions = brief.open_questions.clone();
    let mut unknown: Vec<Option<Item>> = asked.iter().map(|item| Some(Item::of(item))).collect();
    let mut missing = Vec::new();
    for (at, question) in questions.iter_mut().enumerate() {
        let best = |item: &Option<Item>| item.as_ref().and_then(|item| asking(question, item));
        let found = (0..unknown.len()).filter_map(|at| Some((best(&unknown[at])?, at))).min();
        match found.and_then(|(_, at)| unknown[at].take()) {
            Some(item) => ask(question, &item),
            None => match answered.iter().find_map(|item| answer_behind(question, item)) {
                // An answer that is rewritten to "not decided" leaves the question open.
                Some(answer) if !answer.is_empty() && read_answer(&question.question, &answer).decided.is_none() => {
                    question.answer = None;
                    question.assign(read_answer(&question.question, &answer).open.unwrap_or_default().assignment);
                }
                _ if reworded_and_answered(question, &answered) => {}
                Some(answer) if !answer.is_empty() && !question.settles_a_conflict() => {
                    let is_new = question.answer.as_deref().is_none_or(|known| bare_line(known) != answer);
                    question.answer = if is_new { Some(answer) } else { question.answer.take() };
                }
                _ if question.answer.is_none() => missing.push(at),
                _ => {}
            },
        }
    }
    // The most similar pair comes first; the same id is more than any likeness.
    while let Some((_, at, item)) = most_alike(&questions, &missing, &unknown).filter(|best| best.0 >= REWORDED) {
        if let Some(item) = unknown[item].take() {
            let (bare, _) = split_assignment(&item.words);
            questions[at].question = bare.to_owned();
            ask(&mut questions[at], &item);
        }
        missing.retain(|other| *other != at);
    }
    let elsewhere: Vec<String> = sections
        .iter()
        .filter(|one| !matches!(one.kind, Kind::Utterance | Kind::Made | Kind::Notes))
        .map(|one| bare_line(&unescaped(&one.lines.join("\n"))))
        .collect();
    let is_asked = |question: &str| elsewhere.iter().any(|text| text.contains(&bare_line(question)));
    let taken_out = missing.into_iter().map(|at| questions[at].question.clone()).filter(|one| !is_asked(one)).collect();
    for item in unknown.into_iter().flatten() {
        let mut question = OpenQuestion { id: item.id, ..OpenQuestion::new(split_assignment(&item.words).0, None) };
        ask(&mut question, &item);
        questions.push(question);
    }
    OpenQuestion::number(&mut questions);
    QuestionsInLine { questions, taken_out }
}

/// A question of the PRD.
#[derive(Debug, Clone)]
struct Item {
    /// The id before it; a question that a person added may have none.
    id: Option<QuestionId>,
    /// The question and the text after it, without the list of requirements that wait for it.
    words: String,
    /// The requirements that wait for it.
    blocks: Vec<RequirementId>,
}

impl Item {
    fn of(item: &str) -> Self {
        let (id, words, blocks) = identified(item);
        Self { id, words, blocks }
    }

    /// Returns true if the ids of an item and a question differ.
    fn is_another(&self, question: &OpenQuestion) -> bool {
        self.id.is_some() && self.id != question.id
    }
}

/// Returns the questions without an answer below headings such as "Open questions" in a document of any layout, with ids, each with the
/// requirements that wait for it by its own words.
pub fn questions_of_text(text: &str) -> Vec<(OpenQuestion, Vec<RequirementId>)> {
    let text = front_matter::body(text).replace("\r\n", "\n");
    let mut sections: Vec<Vec<&str>> = Vec::new();
    let mut asks = false;
    for (line, heading) in Outline::of(&text).lines() {
        match heading {
            Some(heading) => {
                asks = BriefSection::named(heading.words) == Some(BriefSection::OpenQuestions);
                sections.push(Vec::new());
            }
            None if asks => {
                sections.last_mut().into_iter().for_each(|lines| lines.push(text[line.start..line.end].trim_end()));
            }
            None => {}
        }
    }
    let all = sections.iter().flat_map(|lines| items(lines));
    let all = all.map(|item| unescaped(&joined(&item)));
    let open = all.filter(|item| !item.starts_with("[x]") && !says_none(item));
    let (mut questions, blocks): (Vec<OpenQuestion>, Vec<_>) = open
        .map(|item| {
            let item = Item::of(item.trim_start_matches("[ ]").trim_start());
            // The passages that raise it follow in brackets: [ticket.md:4 “…”].
            let places =
                item.words.rfind(" [").filter(|at| item.words[*at..].contains('“') && item.words.ends_with(']'));
            let words = places.map_or(item.words.as_str(), |at| &item.words[..at]);
            let (asked, assigned) = split_assignment(words);
            let mut question = OpenQuestion { id: item.id, ..OpenQuestion::new(asked, None) };
            question.assign(assigned.unwrap_or_default());
            (question, item.blocks)
        })
        .unzip();
    OpenQuestion::number(&mut questions);
    questions.into_iter().zip(blocks).collect()
}

/// The PRD in which every listed question has the id that it has in the brief.
pub fn with_question_ids(prd: &str, questions: &[OpenQuestion]) -> String {
    let front = prd.len() - front_matter::body(prd).len();
    let (head, body) = prd.split_at(front);
    let mut out = head.to_owned();
    let mut lists = false;
    for (line, heading) in Outline::of(body).lines() {
        let text = &body[line.start..line.end];
        if let Some(heading) = heading {
            let kind = kind(&unescaped(heading.words), heading.level);
            lists = asks(kind) || kind == Kind::Answered;
        }
        let item = text.strip_prefix("- ").filter(|_| lists && heading.is_none());
        match item.and_then(|item| Some((item, id_of(item, questions)?))) {
            Some((item, id)) => out.push_str(&format!("- {id}: {}", QuestionId::split(item).1)),
            None => out.push_str(text),
        }
    }
    out
}

/// The id of the question that an item repeats, if the item has another one.
fn id_of(item: &str, questions: &[OpenQuestion]) -> Option<QuestionId> {
    let read = Item::of(&bare_line(&unescaped(item)));
    let repeats = |question: &&OpenQuestion| behind(question, &read.words).is_some();
    if questions.iter().filter(repeats).any(|question| question.id == read.id) {
        return None;
    }
    questions.iter().filter(repeats).max_by_key(|question| question.question.len()).and_then(|question| question.id)
}

/// Gives ids to those items of a list of questions that are open and have none.
pub fn number_questions(items: &mut [String]) {
    let is_open = |item: &String| !item.starts_with("[x]") && !says_none(item);
    let bare = |item: &str| item.trim_start_matches("[ ]").trim_start().to_owned();
    let read = |item: &String| OpenQuestion { id: QuestionId::split(&bare(item)).0, ..OpenQuestion::new("", None) };
    let mut questions: Vec<OpenQuestion> = items.iter().filter(|item| is_open(item)).map(read).collect();
    OpenQuestion::number(&mut questions);
    for (item, question) in items.iter_mut().filter(|item| is_open(item)).zip(questions) {
        if let Some(id) = question.id {
            *item = format!("{id}: {}", QuestionId::split(&bare(item)).1);
        }
    }
}

/// Returns true for a section whose questions come from the brief: changing it changes the brief.
pub fn holds_questions(heading: &str) -> bool {
    let kind = kind(heading.trim_start_matches('#').trim(), 3);
    asks(kind) || kind == Kind::Answered
}

fn asks(kind: Kind) -> bool {
    matches!(kind, Kind::Open | Kind::Brief(BriefSection::OpenQuestions))
}

/// The accuracy with which an item repeats a question, where 0 is the best; `None` if it does not.
fn asking(question: &OpenQuestion, item: &Item) -> Option<usize> {
    // Equal words under another id are a copied line.
    let penalty = if item.is_another(question) { 2 } else { 0 };
    let open = OpenQuestion { id: None, answer: None, ..question.clone() };
    let shown = [Language::En, Language::Zh].map(|one| bare_line(&question_shown(&(&open).into(), one)));
    if shown.contains(&item.words) {
        return Some(penalty);
    }
    let rest = behind(question, &item.words)?;
    (rest.is_empty() || rest.starts_with(['(', '（', '['])).then_some(1 + penalty)
}

/// The text after the words of a question.
fn behind(question: &OpenQuestion, item: &str) -> Option<String> {
    item.strip_prefix(&bare_line(&question.question)).map(|rest| rest.trim().to_owned())
}

/// The answer after the words of a question, without the locations that the PRD adds.
fn answer_behind(question: &OpenQuestion, item: &Item) -> Option<String> {
    let said = behind(question, &item.words).filter(|_| !item.is_another(question))?;
    let asked: PrdQuestion = question.into();
    let places = [Language::En, Language::Zh].map(|one| bare_line(&places_shown(&asked.question, &asked.sources, one)));
    let bare = places.iter().filter(|places| !places.is_empty()).find_map(|places| said.strip_suffix(places.trim()));
    Some(bare.unwrap_or(&said).trim_end().to_owned())
}

/// Takes over a question that was reworded together with its answer, recognised by its id; returns false if there is none.
fn reworded_and_answered(question: &mut OpenQuestion, answered: &[Item]) -> bool {
    let is_it = |item: &&Item| item.id.is_some() && item.id == question.id && behind(question, &item.words).is_none();
    let Some(item) = answered.iter().find(is_it) else { return false };
    let end = item.words.char_indices().find(|(_, c)| matches!(c, '?' | '？'));
    let Some((asked, answer)) = end.map(|(at, mark)| item.words.split_at(at + mark.len_utf8())) else { return false };
    let read = read_answer(asked, answer);
    if question.settles_a_conflict() || answer.trim().is_empty() || read.decided.is_none() {
        return false;
    }
    asked.clone_into(&mut question.question);
    question.answer = Some(answer.trim().to_owned());
    true
}

/// Leaves a question open, with the owner, the day and the default of an item.
fn ask(question: &mut OpenQuestion, item: &Item) {
    question.answer = None;
    if asking(question, item) == Some(0) {
        return;
    }
    let rest = behind(question, &item.words).unwrap_or_default();
    let before_places = rest.find(" [").map_or(rest.as_str(), |at| &rest[..at]);
    if let Some(assignment) = split_assignment(before_places).1 {
        (question.owner, question.due, question.default) = (None, None, None);
        question.assign(assignment);
    }
}

/// The most similar pair of a question that is missing in the PRD and an unknown item.
fn most_alike(questions: &[OpenQuestion], missing: &[usize], unknown: &[Option<Item>]) -> Option<(f64, usize, usize)> {
    let pairs = missing.iter().flat_map(|at| {
        let question = &questions[*at];
        let items = unknown.iter().enumerate().filter_map(|(at, item)| Some((at, item.as_ref()?)));
        let items = items.filter(|(_, item)| !item.is_another(question));
        items.map(|(item, asked)| {
            let is_it = asked.id.is_some() && asked.id == question.id;
            let alike = if is_it { 1.0 } else { likeness(&question.question, split_assignment(&asked.words).0) };
            (alike, *at, item)
        })
    });
    pairs.max_by(|one, other| one.0.total_cmp(&other.0).then((other.1, other.2).cmp(&(one.1, one.2))))
}

/// The share of letter pairs that two texts have in common, 0 to 1.
fn likeness(one: &str, other: &str) -> f64 {
    let pairs = |text: &str| -> Vec<(char, char)> {
        let letters: Vec<char> = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        letters.iter().copied().zip(letters.iter().copied().skip(1)).collect()
    };
    let (one, mut other) = (pairs(one), pairs(other));
    let all = one.len() + other.len();
    let common = one.iter().filter(|pair| {
        let found = other.iter().position(|known| known == *pair);
        found.map(|at| other.swap_remove(at)).is_some()
    });
    if all == 0 { 0.0 } else { 2.0 * common.count() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::parse_brief;

    const BRIEF: &str = "# Feature brief: Links\n\n## Open questions\n\n\
        - [ ] How many links may one album have? <!-- source: ticket.md:31 \"How many\" -->\n  Owner: Mei\n  Answer: ______\n\
        - [ ] Does a guest have to enter a name?\n  Answer: ______\n\
        - [ ] Who pays for the storage?\n  Answer: ______\n\
        - [x] Which colour?\n  Answer: blue\n";

    fn in_line(open: &str, answered: &str) -> QuestionsInLine {
        let prd = format!(
            "# Links\n\n## Original user utterance\n\n> Who pays for the storage?\n\n## Feature brief\n\n### Goals\n\n- Share.\n\n\
             ### Answered questions\n\n- Which colour? blue\n{answered}\n{open}\n## Change log\n\n- 1.0\n"
        );
        questions_in_line(&parse_brief(BRIEF), &prd)
    }

    const UNCHANGED: &str = "### Open questions\n\n- How many links may one album have? (owner: Mei)\n\
        - Does a guest have to enter a name?\n- Who pays for the storage?\n";

    #[test]
    fn an_untouched_text_changes_no_question() {
        let found = in_line(UNCHANGED, "");
        assert_eq!(found, QuestionsInLine { questions: parse_brief(BRIEF).open_questions, taken_out: Vec::new() });
    }

    /// The locations after an answer are not part of it; they used to be added again with every reading.
    #[test]
    fn an_answer_is_without_the_places_behind_it() {
        let brief = parse_brief(
            "# Feature brief: Links\n\n## Open questions\n\n\
             - [x] What holds? <!-- source: a.md:1 \"30 days\" --> <!-- source: b.md:2 \"90 days\" -->\n  Answer: 30 [working] days.\n",
        );
        let asked: PrdQuestion = (&brief.open_questions[0]).into();
        for language in [Language::En, Language::Zh] {
            let item = question_shown(&asked, language);
            assert!(item.ends_with("“90 days”]"), "{item}");
            let changed = item.replace("30 [working] days.", "60 days.");
            let answer = |item: &str| {
                let prd = format!("# Links\n\n## Feature brief\n\n### Answered questions\n\n- {item}\n");
                questions_in_line(&brief, &prd).questions[0].answer.clone()
            };
            assert_eq!(answer(&item).as_deref(), Some("30 [working] days."));
            assert_eq!(answer(&changed).as_deref(), Some("60 days."));
        }
    }

    #[test]
    fn a_question_that_says_none_takes_out_the_others() {
        for none in ["- None.", "- N/A", "None at the moment.", "- 无。", "- 暂无", "- [ ] none", "- –", ""] {
            let found = in_line(&format!("### Open questions\n\n{none}\n"), "");
            assert_eq!(found.taken_out.len(), 3, "{none}");
            assert_eq!(found.questions, parse_brief(BRIEF).open_questions, "{none}");
        }
        assert_eq!(in_line("", "").taken_out.len(), 3, "the section is gone");
        // Under another heading it is still an open question.
        let moved = in_line("### Parking lot\n\nHow many links may one album have?\n", "");
        assert_eq!(moved.taken_out, ["Does a guest have to enter a name?", "Who pays for the storage?"]);
    }

    #[test]
    fn a_question_follows_the_words_of_the_prd() {
        let open = "### Open questions\n\n- How many links may an album have at most? (owner: Mei)\n- Who deletes an album? (owner: Bo)\n\
            - Who pays for the storage? (owner: Ann; due: Friday)\n- Which colour?\n";
        let found = in_line(open, "- Does a guest have to enter a name? Yes, always.\n");
        assert_eq!(found.taken_out, Vec::<String>::new());
        let [links, name, pays, colour, new] = found.questions.as_slice() else { panic!("{found:#?}") };
        assert_eq!(links.question, "How many links may an album have at most?");
        assert!(links.source.is_some() && links.owner.as_deref() == Some("Mei"), "{links:#?}");
        assert_eq!(name.answer.as_deref(), Some("Yes, always."));
        assert_eq!((pays.owner.as_deref(), pays.due.as_deref()), (Some("Ann"), Some("Friday")));
        assert_eq!(colour.answer, None, "it is asked again");
        assert_eq!((new.question.as_str(), new.owner.as_deref()), ("Who deletes an album?", Some("Bo")));
    }

    #[test]
    fn a_question_that_is_reworded_and_answered_at_once_is_known_by_its_id() {
        let found =
            in_line("", "- Q-001: How many links per album at most? 7 | seven\n- Q-003: Who pays? A [member].\n");
        let [links, _, pays, _] = found.questions.as_slice() else { panic!("{found:#?}") };
        assert_eq!(
            (links.question.as_str(), links.answer.as_deref()),
            ("How many links per album at most?", Some("7 | seven"))
        );
        assert_eq!((pays.question.as_str(), pays.answer.as_deref()), ("Who pays?", Some("A [member].")));
        assert_eq!(found.taken_out, ["Does a guest have to enter a name?"]);
    }

    #[test]
    fn a_question_that_was_added_or_copied_gets_its_id_of_the_brief_in_the_prd() {
        let open = UNCHANGED.replace("- Does", "- Q-001: Does").replace("- Who pays", "- Q-003: Who pays")
            + "- Which | languages?\n";
        let prd = format!(
            "---\ntitle: x\n---\n\n# Links\n\n## Feature brief\n\n{open}\n## Change log\n\n- Who pays for the storage?\n"
        );
        let found = questions_in_line(&parse_brief(BRIEF), &prd);
        let now = with_question_ids(&prd, &found.questions);
        assert!(now.contains("- Q-001: How many links") && now.contains("- Q-002: Does a guest"), "{now}");
        assert!(
            now.contains("- Q-005: Which | languages?") && now.contains("\n- Who pays for the storage?\n"),
            "{now}"
        );
        assert_eq!(with_question_ids(&now, &questions_in_line(&parse_brief(BRIEF), &now).questions), now);
    }

    #[test]
    fn questions_of_any_text_are_read_whole() {
        let text = "# Links\n\n## Open questions\n\n- Does the [admin] see FR-001? (owner: Mei)\n- [x] Which colour? Blue.\n- None.\n\
            - Q-007: Who pays? [blocks FR-002, NFR-001] [a.md:3 “Who pays”]\n";
        let shown: Vec<String> = questions_of_text(text)
            .iter()
            .map(|(one, blocks)| {
                format!("{} {} {:?} {}", one.id.expect("an id"), one.question, one.owner, super::super::listed(blocks))
            })
            .collect();
        let admin = "Q-008 Does the [admin] see FR-001? Some(\"Mei\") ";
        assert_eq!(shown, [admin, "Q-007 Who pays? None FR-002, NFR-001"]);
    }

    #[test]
    fn another_question_in_its_place_is_not_the_same_reworded() {
        let open = UNCHANGED.replace("Who pays for the storage?", "Which languages are the mails in?");
        let found = in_line(&open, "");
        assert_eq!(found.taken_out, ["Who pays for the storage?"]);
        assert_eq!(found.questions.last().map(|one| one.question.as_str()), Some("Which languages are the mails in?"));
    }
}
