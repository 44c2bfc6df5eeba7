//! The contradictions between the requirements of a draft: the order that looks for them, those that are open, and the
//! question about each in the document. Only a person decides which statement holds.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::marks::{with_marks, without_marks};
use super::state::{Draft, TeamState};
use crate::gaps::{Documents, ReadConflicts, is_same_contradiction};
use crate::team::document::{is_questions_heading, questions_heading};
use crate::team::requirement_texts::{PRD, RequirementText, requirement_texts};
use crate::team::revised::{NewSection, heading_of, with_sections};
use crate::team::sections::{SectionId, parts};
use crate::waiting::names_id;
use crate::workflow::WorkOrder;
use crate::workflow::steps::results::value;
use crate::{DecidedGap, Gap, GapChoice, RequirementId, SourceQuote};
use reqgate_base::model::Language;
use reqgate_docs::write::one_line;
use reqgate_flow::{Answer, NodeError, Problem};
use reqgate_messages as messages;
use reqgate_text::content_words::{content_words, shared};

/// The words that the request of a person shares with a contradiction if it decides it.
const DECIDING_WORDS: usize = 2;

/// The order to compare the requirements of the current draft. `None` without two statements to compare, and for
/// requirements that were compared before.
pub(super) fn order(team: &TeamState) -> Option<WorkOrder> {
    let prd = with_marks(&team.current_draft()?.markdown);
    let compared = team.feedback_rounds.iter().rev().find(|round| round.contradictions.is_some());
    let before = compared.and_then(|round| team.draft(round.draft_version));
    let texts = |prd: &str| -> Vec<(String, String)> {
        let texts = requirement_texts(prd).into_iter();
        texts.map(|one| (one.id.to_owned(), one.text.trim_end().to_owned())).collect()
    };
    if before.is_some_and(|before| texts(&with_marks(&before.markdown)) == texts(&prd)) {
        return None;
    }
    let known = dismissed(team).chain(open_in(team, &prd)).collect();
    WorkOrder::conflicts_in_prd(prd, known)
}

/// The contradictions in the current draft: those of earlier rounds whose statements have not changed, then the new ones.
///
/// # Errors
/// Fails if the result does not have the expected structure.
pub(super) fn in_draft(
    team: &TeamState,
    order: Option<&WorkOrder>,
    read: Option<&&Value>,
) -> Result<Vec<Gap>, NodeError> {
    let prd = team.current_draft().map(|draft| with_marks(&draft.markdown)).unwrap_or_default();
    let mut all = open_in(team, &prd);
    let (Some(order), Some(read)) = (order, read) else { return Ok(all) };
    let read: ReadConflicts = value(Some(read))?;
    let number = |gap: &Gap| gap.id.rsplit('-').next().and_then(|number| number.parse::<u32>().ok());
    let last = team.contradictions().filter_map(number).max().unwrap_or(0);
    for (gap, number) in order.documents().contradictions(&read, &order.gaps, &[]).into_iter().zip(last + 1..) {
        let mut requirements: Vec<RequirementId> = places(&gap).filter_map(|place| place.source.parse().ok()).collect();
        requirements.dedup();
        all.push(Gap { id: format!("GAP-{number:03}"), requirements, ..gap });
    }
    Ok(all)
}

/// Both places of a contradiction. Their source is the id of a requirement, and their line counts from its heading.
fn places(gap: &Gap) -> impl Iterator<Item = &SourceQuote> {
    gap.place.iter().chain(&gap.against)
}

fn dismissed(team: &TeamState) -> impl Iterator<Item = Gap> {
    team.dismissed_contradictions.iter().map(|one| one.gap.clone())
}

/// The contradictions that an answer dismisses, each with its reason.
pub(super) fn dismissed_by(
    team: &TeamState,
    reasons: &BTreeMap<String, String>,
    answer: &Answer<'_>,
) -> Vec<DecidedGap> {
    let gap = |id: &String| team.contradictions().find(|gap| gap.id == *id).cloned();
    let decided = reasons.iter().filter_map(|(id, reason)| {
        let choice = GapChoice::Dismiss { reason: reason.trim().to_owned() };
        let (actor, timestamp) = (answer.actor.to_owned(), answer.at.to_owned());
        Some(DecidedGap { gap: gap(id)?, choice, actor, timestamp })
    });
    decided.collect()
}

impl TeamState {
    /// The contradictions of all rounds, each id once.
    fn contradictions(&self) -> impl Iterator<Item = &Gap> {
        let mut all: Vec<&Gap> = Vec::new();
        for gap in self.feedback_rounds.iter().flat_map(|round| &round.contradictions).flatten() {
            if !all.iter().any(|known| known.id == gap.id) {
                all.push(gap);
            }
        }
        all.into_iter()
    }

    /// The text of a draft, with a question about each open contradiction.
    pub(in crate::workflow) fn text_of(&self, draft: &Draft) -> String {
        with_questions(self, &draft.markdown)
    }
}

/// The known contradictions whose statements are both in this text of a PRD, and which no person has dismissed, each once.
pub(super) fn open_in(team: &TeamState, prd: &str) -> Vec<Gap> {
    let texts = requirement_texts(prd);
    let is_dismissed = |gap: &Gap| dismissed(team).any(|one| is_same_contradiction(&one, gap));
    let mut open: Vec<Gap> = Vec::new();
    for gap in team.contradictions().filter(|gap| holds(gap, &texts) && !is_dismissed(gap)) {
        if !open.iter().any(|one| is_same_contradiction(one, gap)) {
            open.push(gap.clone());
        }
    }
    open
}

/// Returns true if both statements are in these requirements.
fn holds(gap: &Gap, texts: &[RequirementText<'_>]) -> bool {
    missing(gap, texts).next().is_none()
}

/// The statements of a contradiction that their requirements do not have.
fn missing<'g>(gap: &'g Gap, texts: &[RequirementText<'_>]) -> impl Iterator<Item = &'g SourceQuote> {
    let documents = Documents::named(texts.iter().map(|one| (one.id, one.text)).collect());
    places(gap).filter(move |place| documents.find_in(&place.source, &place.quote).is_err())
}

/// The contradictions with the lines of a document, as a person reads them.
pub(super) fn in_lines_of(prd: &str, gaps: Vec<Gap>) -> Vec<Gap> {
    let texts = requirement_texts(prd);
    let located = |place: SourceQuote| match texts.iter().find(|one| one.id == place.source) {
        Some(one) => SourceQuote { source: PRD.to_owned(), line: one.line + place.line.saturating_sub(1), ..place },
        None => place,
    };
    let in_lines = |gap: Gap| Gap { place: gap.place.map(located), against: gap.against.map(located), ..gap };
    gaps.into_iter().map(in_lines).collect()
}

/// A contradiction in one line: its id, what contradicts, and both quotes with the ids of their requirements.
pub(crate) fn in_words(gap: &Gap) -> String {
    let [first, last] = [gap.requirements.first(), gap.requirements.last()];
    let quoted = places(gap).zip([first, last]).map(|(place, id)| {
        let id = id.map_or_else(|| place.source.clone(), ToString::to_string);
        format!("{id} “{}”", one_line(&place.quote))
    });
    format!("{}: {} {}", gap.id, gap.description, quoted.collect::<Vec<_>>().join(" ↔ "))
}

/// The ids of both requirements.
pub(super) fn ids_in_words(gap: &Gap) -> String {
    gap.requirements.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ↔ ")
}

/// The ids of both requirements, and what contradicts in a few words.
pub(super) fn pair_in_words(gap: &Gap) -> String {
    format!("{}: {} {}", gap.id, ids_in_words(gap), gap.title)
}

/// The question about a contradiction, as an open question of the document.
fn question(gap: &Gap, language: Language) -> Option<String> {
    let (one, other) = (gap.place.as_ref()?, gap.against.as_ref()?);
    let [one, other] = [one, other].map(|place| format!("{} “{}”", place.source, one_line(&place.quote)));
    Some(without_marks(&messages::Prd::of(language).which_holds(&one, &other)))
}

/// The draft with a question about each open contradiction, and without the questions about those that are settled; other
/// sections are unchanged to the byte.
pub(super) fn with_questions(team: &TeamState, markdown: &str) -> String {
    let language = team.language();
    let open = open_in(team, &with_marks(markdown));
    let wanted: Vec<String> = open.iter().filter_map(|gap| question(gap, language)).collect();
    let known = team.contradictions().filter_map(|gap| question(gap, language));
    let settled: Vec<String> = known.filter(|one| !wanted.contains(one)).collect();
    let heading = heading_of(markdown, SectionId::OpenQuestions.name(language));
    let text = parts(markdown).into_iter().find(|part| Some(part.heading) == heading).map_or("", |part| part.text);
    let is_settled = |line: &&str| line.starts_with("- ") && settled.iter().any(|one| line.contains(one));
    let mut lines: Vec<&str> = text.lines().filter(|line| !is_settled(line)).collect();
    let new: Vec<String> =
        wanted.iter().filter(|one| !text.contains(one.as_str())).map(|one| format!("- {one}")).collect();
    if new.is_empty() && lines.len() == text.lines().count() {
        return markdown.to_owned();
    }
    let heading = heading.unwrap_or(SectionId::OpenQuestions.name(language));
    let own = format!("### {}", questions_heading(language));
    let of_questions = QuestionList::of(&lines, heading);
    lines.splice(of_questions.lines.clone(), of_questions.with(&lines, &new, &own));
    with_sections(markdown, &[NewSection { heading: heading.to_owned(), text: lines.join("\n") }])
}

/// The lines of a section that list its questions: those of the section itself if it is named so, otherwise those below a
/// heading in it.
struct QuestionList {
    /// The heading in the section and the lines below it; empty, after the text of the section, without a heading.
    lines: Range<usize>,
    /// The list needs a heading.
    needs_heading: bool,
}

impl QuestionList {
    fn of(lines: &[&str], heading: &str) -> Self {
        let next = |from: usize| {
            let below = lines[from..].iter().position(|line| line.starts_with('#'));
            below.map_or(lines.len(), |at| from + at)
        };
        let asks = |line: &str| line.starts_with('#') && is_questions_heading(line.trim_start_matches('#').trim());
        match lines.iter().position(|line| asks(line)) {
            Some(at) => Self { lines: at..next(at + 1), needs_heading: true },
            None if is_questions_heading(heading) => Self { lines: 0..next(0), needs_heading: false },
            None => Self { lines: next(0)..next(0), needs_heading: true },
        }
    }

    /// The list with further questions; without a question, it has no heading.
    fn with<'l>(&self, lines: &[&'l str], new: &'l [String], heading: &'l str) -> Vec<&'l str> {
        let own = &lines[self.lines.clone()];
        let (known, own) = match own.split_first() {
            Some((first, rest)) if first.starts_with('#') => (Some(*first), rest),
            _ => (None, own),
        };
        let listed: Vec<&str> = own.iter().copied().skip_while(|line| line.trim().is_empty()).collect();
        let end = listed.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1);
        let items: Vec<&str> = listed[..end].iter().copied().chain(new.iter().map(String::as_str)).collect();
        if items.is_empty() {
            return Vec::new();
        }
        let head = [known.unwrap_or(heading), ""].into_iter().filter(|_| self.needs_heading);
        let above = self.lines.start.checked_sub(1).map_or("", |at| lines[at]);
        let gap = (!above.trim().is_empty()).then_some("");
        gap.into_iter().chain(head).chain(items).chain([""]).collect()
    }
}

/// The problems of a revision that decides a contradiction in the place of a person.
pub(super) fn decided_silently(order: &WorkOrder, revised: &str) -> Vec<Problem> {
    let texts = requirement_texts(revised);
    let wish = order.feedback.as_ref().and_then(|feedback| feedback.user_feedback.as_deref()).unwrap_or_default();
    let undecided = order.gaps.iter().filter(|gap| !decides(wish, gap));
    let told = undecided.flat_map(|gap| missing(gap, &texts).map(move |place| (gap, place)));
    told.map(|(gap, place)| Problem {
        path: "sections".to_owned(),
        message: format!(
            "“{}” of {} is part of a contradiction ({}), and a person decides which statement holds: leave it as it is",
            one_line(&place.quote),
            place.source,
            gap.id,
        ),
    })
    .collect()
}

/// Returns true if the request of a person speaks of a contradiction: it names its id or a requirement, or has words of
/// its statements.
fn decides(wish: &str, gap: &Gap) -> bool {
    let wished = wish.to_uppercase();
    let names = |id: &str| names_id(&wished, id);
    let own = content_words(&places(gap).map(|place| place.quote.as_str()).collect::<Vec<_>>().join("\n"));
    names(&gap.id)
        || places(gap).any(|place| names(&place.source))
        || shared(&content_words(wish), &own) >= DECIDING_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::BriefFeedback;
    use crate::critique::consolidate;
    use crate::team::document::parse_anyway;
    use crate::team::versions::RevisionHistory;
    use crate::workflow::DraftStep;
    use crate::workflow::team::state::FeedbackRound;
    use crate::{GapCategory, GapSeverity};

    const HEAD: &str = "# PRD: Sheets\n\n## Functional Requirements\n\n### FR-001: Lock\n\nA submitted sheet is locked. [src-1]\n\n\
        ### FR-002: Fill in\n\nThe guide fills in a submitted sheet later.\n";
    const QUESTION: &str =
        "Which holds: FR-001 “A submitted sheet is locked” or FR-002 “The guide fills in a submitted sheet later”?";

    fn gap() -> Gap {
        let place =
            |source: &str, quote: &str| SourceQuote { source: source.to_owned(), line: 3, quote: quote.to_owned() };
        Gap {
            id: "GAP-001".to_owned(),
            title: "A locked sheet is changed".to_owned(),
            description: "It is locked, and the guide fills it in.".to_owned(),
            severity: GapSeverity::High,
            category: GapCategory::Contradiction,
            impact: String::new(),
            fix: "A submitted sheet is […].".to_owned(),
            question: String::new(),
            place: Some(place("FR-001", "A submitted sheet is locked")),
            against: Some(place("FR-002", "The guide fills in a submitted sheet later")),
            requirements: vec!["FR-001".parse().expect("an id"), "FR-002".parse().expect("an id")],
            suggested_requirements: Vec::new(),
        }
    }

    /// A team whose first draft was read and has the contradiction.
    fn team(markdown: &str) -> TeamState {
        let entry = RevisionHistory(Vec::new()).add("2026-11-29", "Ana", (None, None), Language::En);
        let round = FeedbackRound {
            draft_version: entry.version,
            critiques: Vec::new(),
            consolidated: consolidate(&[]),
            resolved_issues: Vec::new(),
            pending_issues: Vec::new(),
            contradictions: Some(vec![gap()]),
        };
        let draft = Draft { entry, markdown: markdown.to_owned(), unasked: Vec::new() };
        TeamState { drafts: vec![draft], feedback_rounds: vec![round], ..TeamState::default() }
    }

    /// After a statement has become shorter, the pair is found again under another id.
    #[test]
    fn a_contradiction_whose_words_changed_is_shown_again() {
        let mut team = team(&HEAD.replace(" later.", "."));
        let mut shorter = Gap { id: "GAP-002".to_owned(), ..gap() };
        shorter.against =
            shorter.against.map(|place| SourceQuote { quote: place.quote.replace(" later", ""), ..place });
        let again = FeedbackRound { contradictions: Some(vec![shorter]), ..team.feedback_rounds[0].clone() };
        team.feedback_rounds.push(again);
        let ids = |text: &str| open_in(&team, text).into_iter().map(|gap| gap.id).collect::<Vec<_>>();
        assert_eq!(ids(&team.drafts[0].markdown), ["GAP-002"]);
        assert_eq!(ids(HEAD), ["GAP-001"], "both hold there, and are one contradiction");
        assert_eq!(team.contradictions().count(), 2, "so that no id is given twice");
    }

    #[test]
    fn the_question_joins_the_open_questions_of_any_layout() {
        let team = team(HEAD);
        for section in [
            "",
            "\n## Open Questions & Assumptions\n\n- Who pays?\n",
            "\n## Open Questions & Assumptions\n\n### Open Questions\n\n- Who pays?\n\n### Assumptions\n\n- It rains.\n",
            "\n## Open Questions & Assumptions\n\n### Assumptions\n\n- It rains.\n",
            "\n## Open Questions\n\n- Who pays?\n",
        ] {
            let before = format!("{HEAD}{section}");
            let asking = with_questions(&team, &before);
            let (document, faults) = parse_anyway(&asking);
            assert!(faults.is_empty() && document.open_questions.contains(&QUESTION.to_owned()), "{asking}");
            assert_eq!(document.assumptions, parse_anyway(&before).0.assumptions, "{asking}");
            assert!(asking.starts_with(HEAD), "{asking}");
            assert_eq!(with_questions(&team, &asking), asking, "it is asked once");
            // One statement has gone, so the question goes.
            let settled =
                with_questions(&team, &asking.replace("The guide fills in a submitted sheet later.\n", "[…]\n"));
            assert!(!settled.contains("Which holds"), "{settled}");
        }
    }

    #[test]
    fn a_dismissed_contradiction_is_not_open_and_has_no_question() {
        let mut team = team(HEAD);
        let asking = with_questions(&team, HEAD);
        assert_eq!(open_in(&team, HEAD).len(), 1);
        let reasons = [("GAP-001".to_owned(), " a copy ".to_owned()), ("GAP-009".to_owned(), "x".to_owned())].into();
        let answer = Answer { value: &Value::Null, actor: "Ana", at: "2026-11-29T10:00:00Z" };
        team.dismissed_contradictions = dismissed_by(&team, &reasons, &answer);
        assert_eq!(team.dismissed_contradictions.len(), 1);
        assert!(open_in(&team, HEAD).is_empty());
        assert!(!with_questions(&team, &asking).contains("Which holds"));
    }

    #[test]
    fn the_lines_of_a_contradiction_are_those_of_the_document() {
        let team = team(HEAD);
        let shown = in_lines_of(HEAD, open_in(&team, HEAD)).remove(0);
        let line = |place: Option<SourceQuote>| place.map(|place| (place.source, place.line));
        assert_eq!(line(shown.place.clone()), Some((PRD.to_owned(), 7)));
        assert_eq!(line(shown.against.clone()), Some((PRD.to_owned(), 11)));
        let words = in_words(&shown);
        assert!(words.contains("FR-001 “A submitted sheet is locked” ↔ FR-002 “The guide fills in"), "{words}");
    }

    #[test]
    fn only_changed_requirements_are_compared_again() {
        let mut team = team(HEAD);
        assert!(order(&team).is_none());
        team.feedback_rounds[0].contradictions = None;
        assert!(order(&team).is_some_and(|order| order.gaps.is_empty()), "no reader has compared them");
        let mut team = self::team(HEAD);
        let next = Draft {
            markdown: format!("{HEAD}\n### FR-003: Print\n\nA submitted sheet is printed.\n"),
            ..team.drafts[0].clone()
        };
        team.drafts.push(Draft {
            entry: RevisionHistory(Vec::new()).add("2026-11-30", "Ana", (None, None), Language::En),
            ..next
        });
        team.drafts[1].entry.version = 2;
        let order = order(&team).expect("a requirement is new");
        assert_eq!(order.gaps.len(), 1, "the known one is not reported again");
        assert_eq!(in_draft(&team, None, None).expect("it reads nothing").len(), 1);
    }

    #[test]
    fn a_writer_may_not_choose_and_a_person_may() {
        let order = |wish: Option<&str>| {
            let wish = wish.map(str::to_owned);
            let feedback = wish.map(|words| BriefFeedback { user_feedback: Some(words), ..BriefFeedback::default() });
            WorkOrder { gaps: vec![gap()], feedback, ..WorkOrder::of(DraftStep::TeamRevision) }
        };
        let chosen = HEAD.replace("The guide fills in", "The guide reads");
        let problems = |wish: Option<&str>, revised: &str| decided_silently(&order(wish), revised).len();
        assert_eq!(problems(None, HEAD), 0);
        assert_eq!(problems(None, &chosen), 1);
        assert_eq!(problems(None, "# PRD: Sheets\n"), 2, "leaving both out decides too");
        assert_eq!(problems(Some("Shorten the summary."), &chosen), 1);
        assert_eq!(problems(Some("NFR-001 is too slow."), &chosen), 1, "another requirement");
        for wish in ["fr-001 holds.", "GAP-001: the first", "Submitted sheets stay locked."] {
            assert_eq!(problems(Some(wish), &chosen), 0, "{wish}");
        }
    }
}
