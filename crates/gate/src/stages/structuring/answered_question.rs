//! Finds questions below a heading of answered ones whose answer leaves them open: "Which format? Not decided yet,
//! owner: Mei".

use reqgate_base::model::{OpenPoint, Span};
use reqgate_text::answer::{assignment, leaves_open, read_answer};
use reqgate_text::words::brief_answers::{DUES, LABELS, OWNERS};
use reqgate_text::words::open_points::{OPEN_HEADINGS, OUTCOMES};
use reqgate_text::{Block, BlockKind, Reading};

use super::bug::is_nothing;
use super::listed_question::says_something;

/// The most blocks below a question to search for its answer.
const FURTHEST_ANSWER: usize = 10;

/// The open point of the question in this block, if its answer leaves it open. A default makes it a minor one.
pub(super) fn left_open(text: &str, reading: &Reading, at: usize) -> Option<OpenPoint> {
    let block = reading.blocks.get(at)?;
    let (question, answer) = match block.kind {
        BlockKind::TableRow { header: false } => of_row(text, reading, at)?,
        BlockKind::ListItem | BlockKind::Paragraph | BlockKind::Heading(_) => match of_item(text, reading, at) {
            Some(parts) => parts,
            None => {
                return is_labelled_open(text, reading, at).then_some(OpenPoint {
                    owner: None,
                    span: block.text,
                    core: true,
                });
            }
        },
        _ => return None,
    };
    let said = without_places(answer.slice(text));
    if !says_something(said) {
        return None;
    }
    let read = read_answer(question.slice(text), said);
    let open = read.open.filter(|_| read.decided.is_none())?;
    Some(OpenPoint { owner: None, span: question.join(answer), core: open.assignment.default.is_none() })
}

/// The question and the answer of a list item, a paragraph or a heading, whose answer may be in the blocks below.
fn of_item(text: &str, reading: &Reading, at: usize) -> Option<(Span, Span)> {
    let block = &reading.blocks[at];
    let Some(end) = end_of_question(text, block.text) else {
        return of_statement(text, reading, at);
    };
    let question = Span::new(block.text.start, end);
    let behind = Span::new(end, block.text.end).trimmed(text);
    let answer = if says_something(behind.slice(text)) { behind } else { below(text, reading, at)? };
    Some((question, labelled(text, answer).unwrap_or(answer)))
}

/// The topic and the words that leave it open, without a question mark: "Limit: not decided yet". Such words below a
/// question are its answer.
fn of_statement(text: &str, reading: &Reading, at: usize) -> Option<(Span, Span)> {
    let block = &reading.blocks[at];
    let asked = (0..at)
        .rev()
        .take_while(|other| is_in_section_of(reading, at, *other))
        .take(FURTHEST_ANSWER)
        .find(|other| end_of_question(text, reading.blocks[*other].text).is_some());
    let belongs = asked.is_some_and(|asked| is_answer_of(text, &reading.blocks[asked], block));
    let words = block.text.slice(text);
    let is_heading = matches!(block.kind, BlockKind::Heading(_));
    let is_open = !belongs && !is_heading && !is_nothing(words) && leaves_open(words) && assignment(words).is_none();
    is_open.then(|| (Span::new(block.text.start, block.text.start), block.text))
}

/// Returns true for an unanswered question whose label says that it is open: "Still open: which format?".
fn is_labelled_open(text: &str, reading: &Reading, at: usize) -> bool {
    end_of_question(text, reading.blocks[at].text).is_some()
        && inline_label(text, reading, at).is_some_and(|label| OPEN_HEADINGS.stand_in(&label))
}

/// The cells of the question and the answer in a row.
fn of_row(text: &str, reading: &Reading, at: usize) -> Option<(Span, Span)> {
    let cells = &reading.blocks[at].cells;
    let blocks = reading.blocks[..at].iter().rev();
    let mut rows = blocks.take_while(|block| matches!(block.kind, BlockKind::TableRow { .. }));
    let head = rows.find(|block| block.kind == BlockKind::TableRow { header: true });
    let column = head
        .and_then(|head| head.cells.iter().position(|cell| OUTCOMES.are_words_of(&cell.slice(text).to_lowercase())));
    let asked = cells.iter().position(|cell| end_of_question(text, *cell).is_some());
    let asked = asked.or_else(|| column.map(|_| 0))?;
    let answer = match column {
        Some(column) => cells.get(column),
        None => cells.iter().skip(asked + 1).find(|cell| says_something(cell.slice(text))),
    };
    Some((*cells.get(asked)?, *answer?)).filter(|(asked, answer)| asked.start < answer.start)
}

/// The answer in the blocks below a question.
fn below(text: &str, reading: &Reading, at: usize) -> Option<Span> {
    let question = &reading.blocks[at];
    // The person who answered and the due date are not the answer.
    let is_assigned = |at: usize| {
        let label = inline_label(text, reading, at).unwrap_or_default();
        OWNERS.has(&label) || DUES.has(&label) || assignment(reading.blocks[at].text.slice(text)).is_some()
    };
    let belongs = |at: usize| is_assigned(at) || is_answer_of(text, question, &reading.blocks[at]);
    let blocks = (at + 1..reading.blocks.len()).take(FURTHEST_ANSWER);
    let spans: Vec<Span> = blocks
        .take_while(|below| is_in_section_of(reading, at, *below) && belongs(*below))
        .filter(|below| !is_assigned(*below))
        .map(|below| reading.blocks[below].text)
        .collect();
    let said = spans.iter().find_map(|span| labelled(text, *span));
    said.or_else(|| spans.first().zip(spans.last()).map(|(first, last)| first.join(*last)))
}

/// Returns true if two blocks are below one heading; a label such as "Owner:" is not a heading.
fn is_in_section_of(reading: &Reading, one: usize, other: usize) -> bool {
    let heading_of = |at: usize| {
        let mut section = *reading.section_of.get(at)?;
        while let Some(parent) = reading.sections[section].parent
            && (reading.sections[section].inline || reading.sections[section].heading.is_none())
        {
            section = parent;
        }
        Some(section)
    };
    heading_of(one) == heading_of(other)
}

/// The label before a block, in lower case: "owner" for "Owner: Mei".
pub(super) fn inline_label(text: &str, reading: &Reading, at: usize) -> Option<String> {
    let section = &reading.sections[*reading.section_of.get(at)?];
    let heading = section.heading.filter(|_| section.inline)?;
    Some(heading.slice(text).trim_matches([':', '：', '*', ' ']).to_lowercase())
}

/// Returns true for a block below a question that can be its answer: a paragraph, a deeper item, or one with an answer
/// label.
fn is_answer_of(text: &str, question: &Block, block: &Block) -> bool {
    let is_text = match block.kind {
        BlockKind::Paragraph => true,
        BlockKind::ListItem => question.kind != BlockKind::ListItem || block.depth > question.depth,
        _ => false,
    };
    let is_labelled = || block.kind == BlockKind::ListItem && labelled(text, block.text).is_some();
    (is_text || is_labelled()) && end_of_question(text, block.text).is_none()
}

/// The words after an answer label at the beginning of a line: "Answer: CSV", 答：CSV.
fn labelled(text: &str, span: Span) -> Option<Span> {
    let mut at = span.start;
    for line in span.slice(text).split_inclusive('\n') {
        let bare = line.trim_start_matches([' ', '\t', '-', '*', '_']);
        let lower = bare.to_ascii_lowercase();
        if let Some(rest) = LABELS.behind(&lower) {
            return Some(Span::new(at + line.len() - rest.len(), span.end).trimmed(text));
        }
        at += line.len();
    }
    None
}

/// The byte after the first question mark.
fn end_of_question(text: &str, span: Span) -> Option<usize> {
    let (at, mark) = span.slice(text).char_indices().find(|(_, c)| matches!(c, '?' | '？'))?;
    Some(span.start + at + mark.len_utf8())
}

/// An answer without the places in brackets that raised its question.
fn without_places(answer: &str) -> &str {
    answer.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")).map_or(answer, |(words, _)| words)
}

#[cfg(test)]
mod tests {
    use reqgate_rules::Profile;

    fn open(below: &str) -> Vec<String> {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let text = format!("# Export\n\n## Requirements\n\n- FR-001 A CSV file is downloaded.\n\n{below}");
        let reading = reader.read(&text, None);
        let points = crate::stages::structuring::structure(&text, &reading, Profile::Prd).facets.open_points;
        points.iter().filter(|point| point.core).map(|point| point.span.slice(&text).to_owned()).collect()
    }

    #[test]
    fn an_answer_that_decides_nothing_leaves_its_question_open() {
        for (heading, item) in [
            ("### Answered questions", "- Which format does the file have? TBD, ask legal"),
            ("### Answered questions", "- Which format does the file have? Not decided yet, owner: Jonas"),
            ("## Resolved questions", "- [x] Which format does the file have? Still open (owner: the legal team)"),
            ("## Answered questions", "- Which format does the file have?\n  - Answer: not decided yet"),
            ("## Answered questions", "- Which format does the file have?\n  Owner: Mei\n  Answer: we don't know yet"),
            ("## Answered questions", "Which format does the file have?\n\nNot decided yet, owner: Mei"),
            ("## Answered questions", "### Which format does the file have?\n\nNobody has decided it yet. TBD."),
            (
                "## Answered questions",
                "| Question | Owner | Answer |\n|---|---|---|\n| Which format? | Mei | not decided yet |",
            ),
            ("## Answered questions", "- Limit of a file: not decided yet"),
            ("## Answered questions", "- Still open: which format does the file have?"),
            ("## Answered questions", "- Who signs the file? Not decided yet"),
            ("### 已答复的问题", "- 文件用什么格式？还没定，负责人：李雷"),
            ("### 已回答的问题", "- 文件用什么格式？\n  - 答：待法务确认"),
            ("### 已答复的问题", "| 问题 | 答复 |\n|---|---|\n| 文件用什么格式？ | 还没定，负责人：李雷 |"),
            ("### 已答复的问题", "- 文件上限：还没定"),
        ] {
            let found = open(&format!("{heading}\n\n{item}\n"));
            assert_eq!(found.len(), 1, "{heading} {item}: {found:?}");
        }
        let found = open("### Answered questions\n\n- Which format? TBD, owner: Jonas\n- Which limit? 5,000 rows.\n");
        assert_eq!(found, ["Which format? TBD, owner: Jonas"]);
    }

    #[test]
    fn an_answer_that_decides_leaves_nothing_open() {
        for (heading, item) in [
            ("## Answered questions", "- Which format does the file have? CSV."),
            ("## Answered questions", "- Which format does the file have? (default: CSV) TBD, default: CSV"),
            ("## Answered questions", "- Which format does the file have?\n  Owner: Mei\n  Answer: CSV"),
            ("## Answered questions", "- Which format does the file have? CSV.\n  - Owner: Mei"),
            ("## Answered questions", "- Which format does the file have? CSV.\n- Which limit holds? 5,000 rows."),
            ("## Answered questions", "### Which format does the file have?\n\nCSV, because Excel reads it."),
            ("## Answered questions", "| Question | Owner | Answer |\n|---|---|---|\n| Which format? | Mei | CSV |"),
            ("## Answered questions", "- Is a PDF needed? No"),
            (
                "## Answered questions",
                "- Still open: “the format is not decided yet” Which format does the file have? CSV",
            ),
            ("## Answered questions", "None yet."),
            ("## Survey", "- How often do you travel? Not sure"),
            ("## 问卷", "- 您多久出行一次？不确定"),
            ("## Answered questions", "- Who decides the format? Mei, by Friday"),
            ("## Answered questions", "- Which orders are left out? Those that are not decided yet"),
            ("### 已答复的问题", "- 文件用什么格式？CSV。"),
            ("### 已答复的问题", "暂无"),
            ("### 已答复的问题", "- 哪些订单不导出？待确认的订单"),
        ] {
            let found = open(&format!("{heading}\n\n{item}\n"));
            assert_eq!(found, Vec::<String>::new(), "{heading} {item}");
        }
        // A list of open questions below it is open.
        assert_eq!(
            open("## Answered questions\n\n### Open questions\n\n- Which format does the file have?\n").len(),
            1
        );
    }
}
