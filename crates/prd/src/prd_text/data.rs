//! Updates the PRD as data from its text: changes that a person made in `prd.md` are copied to `prd.json`.

use std::collections::BTreeSet;

use super::answered::answered_by;
use super::headings;
use super::{
    CATEGORY, CRITERIA, Headings, ID, NOTHING, PRIORITY, TEXT, TITLE, WAITS_FOR, bare_line, cells_of, identified,
    one_line, question_shown, quoted, settled_row, title_shown,
};
use crate::brief::{BriefSection, items, joined, says_none};
use crate::in_words::category_in_words;
use crate::prd_document::{PrdDocument, PrdQuestion, PrdRequirement, SettledConflict};
use crate::prd_input::TraceabilityRow;
use crate::requirements::title_of;
use crate::{OpenQuestion, OtherSection, QuestionId};
use reqgate_base::model::Language;
use reqgate_docs::table::{cells, is_rule, row};
use reqgate_docs::{Outline, front_matter, unescaped};
use reqgate_text::answer::split_assignment;

/// Returns the data with the contents of the text, which may have been edited.
///
/// An unchanged part keeps its data, with its quotes. A rewritten section replaces its field; if it no longer has the form of the list
/// or table, its text is kept verbatim in the other sections, so that approved content is never lost.
pub fn followed(mut data: PrdDocument, text: &str) -> PrdDocument {
    let text = text.replace("\r\n", "\n");
    let (title, sections) = sections(&text);
    if let Some(title) = title.filter(|title| *title != bare_line(&data.frontmatter.title)) {
        data.frontmatter.title = title;
    }
    let list =
        |kind: Kind| -> Vec<String> { sections.iter().filter(|one| one.kind == kind).flat_map(listed).collect() };
    let of_brief = |section: BriefSection| list(Kind::Brief(section));
    let problem = kept(&data.problem_statement.pain_points, of_brief(BriefSection::Problem));
    let goals = kept(&data.goals, of_brief(BriefSection::Goals));
    data.executive_summary = problem.iter().take(2).chain(goals.iter().take(2)).cloned().collect::<Vec<_>>().join(" ");
    data.problem_statement.current_state = problem.first().cloned().unwrap_or_default();
    data.problem_statement.pain_points = problem;
    data.goal = goals.first().cloned().unwrap_or_default();
    data.goals = goals;
    data.users = kept(&data.users, of_brief(BriefSection::Users));
    data.flows = kept(&data.flows, of_brief(BriefSection::Flows));
    data.constraints = kept(&data.constraints, of_brief(BriefSection::Constraints));
    data.scope.out_of_scope = kept(&data.scope.out_of_scope, of_brief(BriefSection::OutOfScope));
    data.success_criteria.metrics = kept(&data.success_criteria.metrics, of_brief(BriefSection::SuccessMeasures));
    data.known_gaps = kept(&data.known_gaps, list(Kind::LeftOpen));
    data.change_log = list(Kind::Notes);
    let settled: Vec<&str> =
        sections.iter().filter(|one| one.kind == Kind::Settled).flat_map(|one| one.lines.iter().copied()).collect();
    let stands = |one: &SettledConflict, said| settled.contains(&row(cells_of(&settled_row(one, said))).as_str());
    data.settled_conflicts.retain(|one| [Language::En, Language::Zh].iter().any(|&said| stands(one, said)));
    let answered = list(Kind::Answered).into_iter().map(|item| question(&data.questions, item, true));
    let open = list(Kind::Open).into_iter().chain(of_brief(BriefSection::OpenQuestions));
    let open = open.filter(|item| !says_none(item)).map(|item| question(&data.questions, item, false));
    let is_settled = |one: &&PrdQuestion| data.settled_conflicts.iter().any(|known| known.question == one.question);
    let settled = data.questions.iter().filter(is_settled).cloned();
    data.questions = in_former_order(&data.questions, settled.chain(answered).chain(open).collect());
    let utterance = quoted(&data.original_user_utterance);
    if let Some(said) = sections.iter().find(|one| one.kind == Kind::Utterance).filter(|one| one.text() != utterance) {
        let lines = said.lines.iter().map(|line| unescaped(line.trim_start_matches('>').trim_start()));
        data.original_user_utterance = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    }
    let tables = |kind: Kind| sections.iter().filter(move |one| one.kind == kind).flat_map(|one| rows(&one.lines));
    let known: Vec<PrdRequirement> = data.requirements().cloned().collect();
    data.functional_requirements = tables(Kind::Functional).filter_map(|row| requirement(&known, row)).collect();
    data.non_functional_requirements = tables(Kind::Quality).filter_map(|row| requirement(&known, row)).collect();
    let all_settled = |one: &Section<'_>| {
        let lines = one.lines.iter().filter(|line| !line.trim().is_empty());
        one.kind == Kind::Settled && lines.count() == data.settled_conflicts.len() + 2
    };
    let other = sections.iter().filter(|one| !one.is_data() && !all_settled(one));
    data.other_sections = other.map(Section::other).collect();
    derived(data)
}

/// Updates the values that are derived from the requirements: their number, the scope, the criteria, the traceability table.
fn derived(mut data: PrdDocument) -> PrdDocument {
    data.scope.in_scope = data.requirements().map(|one| one.title.clone()).collect();
    data.success_criteria.verification =
        data.requirements().flat_map(|one| one.acceptance_criteria.iter().cloned()).collect();
    data.success_criteria.technical =
        data.non_functional_requirements.iter().map(|one| one.requirement.clone()).collect();
    data.requirements_count = data.requirements().count();
    let row = |one: &PrdRequirement| {
        let before = data.traceability_table_rows.iter().find(|row| row.requirement_id == one.id);
        // Earlier versions wrote `TBD` for an empty list.
        let named = |ids: &[String]| ids.iter().filter(|id| *id != "TBD").cloned().collect();
        TraceabilityRow {
            requirement_id: one.id.clone(),
            criterion_ids: (1..=one.acceptance_criteria.len()).map(|number| format!("{}.{number}", one.id)).collect(),
            technical_requirement_ids: before.map_or_else(Vec::new, |row| named(&row.technical_requirement_ids)),
            user_story_ids: before.map_or_else(Vec::new, |row| named(&row.user_story_ids)),
        }
    };
    data.traceability_table_rows = data.requirements().map(row).collect();
    data
}

/// The kind of a section of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Brief(BriefSection),
    /// A section that only groups its subsections.
    Whole,
    Utterance,
    Answered,
    Open,
    Settled,
    Functional,
    Quality,
    LeftOpen,
    Notes,
    /// Generated from other data: the status, the traceability table.
    Made,
    Other,
}

/// A section with the lines below its heading.
pub(super) struct Section<'t> {
    pub(super) kind: Kind,
    level: u8,
    heading: String,
    pub(super) lines: Vec<&'t str>,
    /// The section has subsections, which no field contains.
    has_parts: bool,
}

impl Section<'_> {
    fn text(&self) -> String {
        self.lines.join("\n").trim().to_owned()
    }

    /// Returns true if a field contains the whole content of the section.
    pub(super) fn is_data(&self) -> bool {
        let is_list = || {
            let is_item = |line: &&str| line.trim().is_empty() || line.starts_with("- ") || line.starts_with("  ");
            !self.has_parts && self.lines.iter().all(is_item)
        };
        match self.kind {
            Kind::Other | Kind::Whole | Kind::Settled => self.text().is_empty(),
            Kind::Utterance => true,
            Kind::Made => self.lines.iter().all(|line| line.trim().is_empty() || line.starts_with('|')),
            Kind::Functional | Kind::Quality => {
                let text = self.text();
                let is_none = headings::both().iter().any(|words| words.none == text);
                is_none
                    || !self.has_parts
                        && rows(&self.lines).len() + 2 == text.lines().count()
                        && text.lines().all(|line| line.trim_start().starts_with('|'))
                        && rows(&self.lines).iter().all(|row| row[TEXT].is_some())
            }
            Kind::Brief(_) | Kind::Answered | Kind::Open | Kind::LeftOpen | Kind::Notes => is_list(),
        }
    }

    fn other(&self) -> OtherSection {
        let text = self.text().lines().map(unescaped).collect::<Vec<_>>().join("\n");
        OtherSection { heading: self.heading.clone(), text }
    }
}

/// The title and the sections of a document.
pub(super) fn sections<'t>(text: &'t str) -> (Option<String>, Vec<Section<'t>>) {
    let text = front_matter::body(text);
    let mut title = None;
    let mut seen = BTreeSet::new();
    let mut out: Vec<Section<'t>> = Vec::new();
    for (line, heading) in Outline::of(text).lines() {
        let line = text[line.start..line.end].trim_end_matches('\n');
        let Some((level, heading)) = heading.map(|heading| (heading.level, unescaped(heading.words))) else {
            if out.is_empty() && line.trim().is_empty() {
                continue;
            }
            if out.is_empty() {
                out.push(Section {
                    kind: Kind::Other,
                    level: 6,
                    heading: String::new(),
                    lines: vec![],
                    has_parts: false,
                });
            }
            if let Some(last) = out.last_mut() {
                last.lines.push(line);
            }
            continue;
        };
        if level == 1 && title.is_none() {
            title = Some(heading);
            continue;
        }
        let kind = kind(&heading, level);
        let is_ours = kind != Kind::Other && seen.insert(heading.to_lowercase());
        let kind = if is_ours { kind } else { Kind::Other };
        // A heading below a standard one is part of it, unless it is a standard one itself.
        match out.last_mut().filter(|last| kind == Kind::Other && last.kind != Kind::Whole && last.level < level) {
            Some(last) => {
                last.lines.push(line);
                last.has_parts = true;
            }
            None => out.push(Section { kind, level, heading, lines: Vec::new(), has_parts: false }),
        }
    }
    (title, out)
}

/// The kind of a section with a standard heading at its standard level; any other section is part of a person's section.
pub(super) fn kind(heading: &str, level: u8) -> Kind {
    let own = |words: &Headings| {
        let made = [
            (2, words.brief, Kind::Whole),
            (2, words.utterance, Kind::Utterance),
            (2, words.status, Kind::Made),
            (2, words.traces, Kind::Made),
            (2, words.functional, Kind::Functional),
            (2, words.quality, Kind::Quality),
            (2, words.left_open, Kind::LeftOpen),
            (2, words.notes, Kind::Notes),
            (3, words.answered, Kind::Answered),
            (3, words.open, Kind::Open),
            (3, words.with_default, Kind::Open),
            (3, words.settled, Kind::Settled),
        ];
        let is_own = |(at, own, _): &(u8, &str, Kind)| *at == level && own.eq_ignore_ascii_case(heading);
        made.into_iter().find(is_own).map(|(_, _, kind)| kind)
    };
    let named = || BriefSection::named(heading).filter(|_| level == 3).map(Kind::Brief);
    headings::both().into_iter().find_map(own).or_else(named).unwrap_or(Kind::Other)
}

/// The items of a section: its bullets and paragraphs, without headings.
pub(super) fn listed(section: &Section<'_>) -> Vec<String> {
    let lines: Vec<&str> = section.lines.iter().copied().filter(|line| !line.starts_with('#')).collect();
    items(&lines).iter().map(|item| unescaped(&joined(item))).collect()
}

/// The items, in their previous wording if they differ only in line ends.
fn kept(before: &[String], items: Vec<String>) -> Vec<String> {
    let former = |item: String| before.iter().find(|known| bare_line(known) == item).cloned().unwrap_or(item);
    items.into_iter().map(former).collect()
}

fn question(before: &[PrdQuestion], item: String, is_answered: bool) -> PrdQuestion {
    let (id, words, _) = identified(&item);
    let known = |known: &&PrdQuestion| id.is_some() && known.id == id && !is_answered;
    let blocks = before.iter().find(known).map_or_else(Vec::new, |known| known.blocks.clone());
    PrdQuestion { id, blocks, ..read_question(before, &item, &words, is_answered) }
}

/// The question of an item, which is given whole and without its id.
fn read_question(before: &[PrdQuestion], whole: &str, item: &str, is_answered: bool) -> PrdQuestion {
    let shown = |known: &PrdQuestion| {
        [Language::En, Language::Zh].iter().any(|language| bare_line(&question_shown(known, *language)) == whole)
    };
    let same = |known: &&PrdQuestion| known.answer.is_some() == is_answered && shown(known);
    if let Some(known) = before.iter().find(same) {
        return known.clone();
    }
    let end = item.char_indices().find(|(_, c)| is_answered && matches!(c, '?' | '？'));
    if let Some((question, answer)) = end.map(|(at, mark)| item.split_at(at + mark.len_utf8())) {
        return PrdQuestion::from(&answered_by(question, answer));
    }
    let (words, assigned) = split_assignment(item);
    let mut open = OpenQuestion::new(words, None);
    if let Some(assignment) = assigned {
        open.assign(assignment);
    }
    PrdQuestion::from(&open)
}

/// Questions in their previous order, followed by new ones.
fn in_former_order(before: &[PrdQuestion], mut now: Vec<PrdQuestion>) -> Vec<PrdQuestion> {
    now.sort_by_key(|one| before.iter().position(|known| known == one).unwrap_or(before.len()));
    now
}

/// The cells of a row by column; `None` for a column that the table does not have.
pub(super) type Row = [Option<String>; 7];

/// The rows of the tables in these lines, without their headers.
pub(super) fn rows(lines: &[&str]) -> Vec<Row> {
    let has_id = |row: &[String]| row.first().is_some_and(|id| id.parse::<super::super::RequirementId>().is_ok());
    let mut shown: Vec<Option<usize>> = [ID, TEXT, CRITERIA, PRIORITY, CATEGORY].map(Some).to_vec();
    let mut out = Vec::new();
    let lines = lines.iter().filter(|line| line.trim_start().starts_with('|'));
    let mut table = lines.map(|line| cells(line)).peekable();
    while let Some(row) = table.next() {
        if has_id(&row) {
            let mut named = Row::default();
            for (column, cell) in shown.iter().zip(row).filter_map(|(column, cell)| Some(((*column)?, cell))) {
                named[column] = Some(cell);
            }
            out.push(named);
        } else if table.peek().is_some_and(|next| is_rule(next)) {
            shown = columns(&row);
        }
    }
    out
}

/// The column for each cell of a header. A renamed column is recognised by its position if it is unambiguous.
pub(super) fn columns(head: &[String]) -> Vec<Option<usize>> {
    let words = headings::both().map(|words| words.requirement_columns);
    let named = |cell: &String| words.iter().find_map(|own| own.iter().position(|name| name == cell));
    let named: Vec<Option<usize>> = head.iter().map(named).collect();
    let left_out = [&[][..], &[TITLE], &[PRIORITY], &[TITLE, PRIORITY]];
    let is_stated = |own: &usize| *own != WAITS_FOR || named.contains(&Some(*own));
    let is_shown = |own: &usize, left_out: &[usize]| !left_out.contains(own) && is_stated(own);
    let tables = left_out.map(|left_out| (0..words[0].len()).filter(|own| is_shown(own, left_out)).collect::<Vec<_>>());
    let fits = |table: &&Vec<usize>| {
        table.len() == named.len() && table.iter().zip(&named).all(|(own, name)| name.is_none_or(|name| name == *own))
    };
    let fitting: Vec<&Vec<usize>> = tables.iter().filter(fits).collect();
    let Some(first) = fitting.first() else { return named };
    let is_clear = |at: &usize| fitting.iter().all(|table| table[*at] == first[*at]);
    (0..named.len()).map(|at| named[at].or_else(|| is_clear(&at).then(|| first[at]))).collect()
}

/// A requirement with the values of its row; values that the row did not change are kept.
pub(super) fn requirement(before: &[PrdRequirement], row: Row) -> Option<PrdRequirement> {
    let [id, title, text, criteria, priority, category, waits_for] = row;
    let id = id?.parse().ok()?;
    let words = text.as_deref().map(unescaped);
    let mut one = before.iter().find(|known| known.id == id).cloned().unwrap_or_else(|| PrdRequirement {
        id,
        title: title_of(words.as_deref().unwrap_or_default()),
        requirement: words.clone().unwrap_or_default(),
        priority: String::new(),
        category: String::new(),
        acceptance_criteria: Vec::new(),
        waits_for: Vec::new(),
        modification_notes: None,
        sources: Vec::new(),
    });
    if let Some(title) = title.filter(|title| *title != NOTHING && *title != title_shown(&one.title, &one.requirement))
    {
        one.title = unescaped(&title);
    }
    // A criterion that only repeats the requirement does not count.
    let repeated = one.requirement.clone();
    one.acceptance_criteria.retain(|criterion| *criterion != repeated);
    let own = one.acceptance_criteria.iter();
    let shown = own.map(|criterion| one_line(criterion)).collect::<Vec<_>>().join("<br>");
    let is_new = |criteria: &String| *criteria != shown && !(criteria == NOTHING && shown.is_empty());
    if let Some(criteria) = criteria.filter(is_new) {
        let parts = criteria.split("<br>").map(|part| unescaped(part.trim()));
        one.acceptance_criteria = parts.filter(|part| !part.is_empty() && part != NOTHING).collect();
    }
    let is_new = text.is_some_and(|text| one_line(&one.requirement) != text);
    if let Some(words) = words.filter(|_| is_new) {
        one.requirement = words;
    }
    let is_known = |priority: &String| matches!(priority.as_str(), "P0" | "P1" | "P2" | "P3");
    if let Some(priority) = priority {
        one.priority = Some(priority).filter(is_known).unwrap_or_default();
    }
    let shown = [Language::En, Language::Zh].map(|language| one_line(category_in_words(&one.category, language)));
    if let Some(category) = category.filter(|category| !shown.contains(category)) {
        one.category = unescaped(&category);
    }
    if let Some(cell) = waits_for {
        one.waits_for = QuestionId::all_in(&cell);
    }
    Some(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prd_document::prd_document;
    use crate::prd_text::tests::with_input;

    #[test]
    fn a_text_that_nobody_edited_changes_no_data() {
        with_input(|input, text| {
            let data = prd_document(input);
            let mut now = followed(data.clone(), text);
            assert!(now.change_log.len() == 2 && now.other_sections.is_empty(), "{now:#?}");
            now.change_log.clear();
            assert_eq!(now, data);
        });
    }

    #[test]
    fn a_section_that_was_rewritten_stands_in_the_data() {
        with_input(|input, text| {
            let goals = "### Goals\n\n- Readers pay no fee.\n- <b>Nobody</b> queues.\n\nAnd the desk is calm.\n\n#### Later\n\n- Letters.\n\n";
            let start = text.find("### Goals").expect("goals");
            let end = start + 4 + text[start + 4..].find("### ").expect("the next section");
            let edited = format!("{}{goals}{}\n## Budget\n\n500 EUR\n", &text[..start], &text[end..]);
            let edited =
                edited.replacen("3 days before", "5 days before", 1).replacen("# Loan reminders", "# Reminders", 1);
            let data = followed(prd_document(input), &edited);
            let expected = ["Readers pay no fee.", "<b>Nobody</b> queues.", "And the desk is calm.", "Letters."];
            assert_eq!((data.goals.as_slice(), data.goal.as_str()), (&expected.map(str::to_owned)[..], expected[0]));
            assert!(data.executive_summary.contains("Nobody") && data.frontmatter.title == "Reminders", "{data:#?}");
            let others: Vec<&str> = data.other_sections.iter().map(|one| one.heading.as_str()).collect();
            assert_eq!(others, ["Goals", "Budget"], "what is no list is kept whole");
            assert_eq!(data.other_sections[1].text, "500 EUR");
        });
    }

    #[test]
    fn a_heading_is_ours_only_where_it_is_written_and_once() {
        with_input(|input, text| {
            let goals = "### Goals\n\n";
            let edited = text.replacen(goals, &format!("{goals}#### Open questions\n\n- Which letters?\n\n"), 1);
            let edited = format!("{edited}\n## Appendix\n\n### Goals\n\n- Of the last year.\n\n## Goals\n\n- None.\n");
            let (before, data) = (prd_document(input), followed(prd_document(input), &edited));
            assert_eq!((&data.questions, &data.users), (&before.questions, &before.users));
            assert!(
                !data.goals.iter().any(|goal| goal.contains("last year") || goal.contains("None")),
                "{:#?}",
                data.goals
            );
            let others: Vec<&str> = data.other_sections.iter().map(|one| one.heading.as_str()).collect();
            assert_eq!(others, ["Goals", "Appendix", "Goals"]);
            assert!(data.other_sections[1].text.contains("Of the last year"), "{:#?}", data.other_sections);
        });
    }

    #[test]
    fn rows_that_were_changed_taken_out_or_added_are_followed() {
        with_input(|input, text| {
            let before = prd_document(input);
            let [first, second] = before.functional_requirements.as_slice() else { panic!("{before:#?}") };
            let gone = text.lines().find(|line| line.starts_with("| FR-002 | ")).expect("its row");
            // Without any priority, the table has no such column.
            let new = "| FR-009 | A reader sees a \\| b. | It is shown.<br>Twice. | Functional |";
            let row = |words: &str| format!("| FR-001 | {words}");
            let edited = text.replacen(gone, new, 1);
            let edited = edited.replacen(&row(&first.requirement), &row("It is sent on day 5."), 1);
            let data = followed(before.clone(), &edited);
            let ids: Vec<String> = data.requirements().map(|one| one.id.to_string()).collect();
            assert_eq!(
                (ids.join(" "), data.requirements_count),
                ("FR-001 FR-009".to_owned(), 2),
                "without {}",
                second.id
            );
            let [first, new] = data.functional_requirements.as_slice() else { panic!("{data:#?}") };
            assert_eq!(first.requirement, "It is sent on day 5.");
            assert_eq!((new.requirement.as_str(), new.priority.as_str()), ("A reader sees a | b.", ""));
            assert_eq!(new.category, "Functional");
            assert_eq!(new.acceptance_criteria, ["It is shown.", "Twice."]);
            assert_eq!(data.traceability_table_rows[1].criterion_ids, ["FR-009.1", "FR-009.2"]);
        });
    }

    #[test]
    fn a_table_is_read_by_its_head() {
        let read = |lines: &[&str]| requirement(&[], rows(lines).remove(0)).expect("a requirement");
        let whole = read(&[
            "| ID | Title | Requirement | Acceptance criteria | Priority | Category |",
            "| --- | --- | --- | --- | --- | --- |",
            "| FR-001 | Links | A link ends after 30 days. | – | P1 | functional |",
        ]);
        assert_eq!(
            (whole.title.as_str(), whole.priority.as_str(), whole.category.as_str()),
            ("Links", "P1", "functional")
        );
        let earlier = read(&[
            "| 编号 | 需求 | 验收标准 | 优先级 | 类别 |",
            "| --- | --- | --- | --- | --- |",
            "| FR-001 | 链接 30 天后失效。 | 第 31 天打不开。 | P0 | 功能 |",
        ]);
        assert_eq!((earlier.requirement.as_str(), earlier.priority.as_str()), ("链接 30 天后失效。", "P0"));
        assert_eq!(earlier.acceptance_criteria, ["第 31 天打不开。"]);
    }

    #[test]
    fn a_column_that_was_renamed_keeps_the_words_below_it() {
        with_input(|input, text| {
            let head = "| ID | Requirement | Acceptance criteria | Category |";
            assert!(text.contains(head), "{text}");
            let before = prd_document(input);
            let words = |data: &PrdDocument| data.functional_requirements.clone();
            for new in [
                "| ID | What it does | Acceptance criteria | Category |",
                "| No. | What it does | Tests | Kind |",
                "| ID | Requirement | Tests | Category |",
            ] {
                let data = followed(before.clone(), &text.replacen(head, new, 1));
                assert_eq!((words(&data), data.other_sections.len()), (words(&before), 0), "{new}");
                let row = format!("| FR-001 | {}", before.functional_requirements[0].requirement);
                let edited = text.replacen(head, new, 1).replacen(&row, "| FR-001 | It is sent on day 5.", 1);
                assert_eq!(words(&followed(before.clone(), &edited))[0].requirement, "It is sent on day 5.", "{new}");
            }
            // If a column is ambiguous, the data is unchanged, and the table is kept verbatim.
            let twice = followed(before.clone(), &text.replacen(head, "| ID | Category | Category | Category |", 1));
            assert_eq!(words(&twice)[0].requirement, words(&before)[0].requirement);
            assert!(twice.other_sections[0].text.contains("FR-001"), "{twice:#?}");
        });
        let named = |head: &[&str]| columns(&head.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(named(&["ID", "Name", "What", "Tests", "Kind"]), [Some(0), None, None, None, Some(5)]);
        assert_eq!(named(&["ID", "Name", "What", "Acceptance criteria", "Kind"]), [0, 1, 2, 3, 5].map(Some));
        assert_eq!(named(&["ID", "Requirement", "Owner"]), [Some(0), Some(2), None]);
    }
}
