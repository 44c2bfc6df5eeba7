//! Finds further documents in one file of a pull request: a document after the first, or in a code block. They are
//! judged separately, because a ready document must not let an unready one pass the gate.

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_gate::stages::intake::RawInput;
use reqgate_text::{Block, BlockKind, Reader, Reading, names_no_language};

/// Words before a code block that mark it as an example.
const EXAMPLE: [&str; 7] = ["example", "template", "sample", "示例", "样例", "模板", "例如"];

/// A document inside a file.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its heading, which identifies its earlier version.
    pub heading: String,
    /// The file with only this document in it, each line in its original place.
    pub input: RawInput,
}

/// Returns the documents of a file after the first.
pub(crate) fn further(file: &RawInput, reader: &Reader) -> Vec<Document> {
    let text = file.text.as_str();
    let reading = reader.read(text, file.title_span);
    let below = below_the_first(text, &reading).filter(|span| asks_for_something(&reading, *span));
    let fenced = fenced(text, &reading)
        .filter(|span| asks_for_something(&reader.read(span.slice(text), None), Span::new(0, span.end - span.start)));
    let document = |span: Span| {
        let heading = span.slice(text).trim_start().lines().next().unwrap_or_default().trim_matches(['#', ' ']);
        Document { heading: heading.to_owned(), input: RawInput { text: alone(text, span), ..file.clone() } }
    };
    below.chain(fenced).map(document).collect()
}

/// The parts that begin with a heading of the first level, after a part with its own criteria or requirements. Headings
/// of the first level that name the sections of one document ("# Goals", "# Requirements") do not begin a part.
fn below_the_first(text: &str, reading: &Reading) -> impl Iterator<Item = Span> {
    let role = |at: usize| reading.sections[reading.section_of[at]].role;
    let tops: Vec<usize> =
        (0..reading.blocks.len()).filter(|at| reading.blocks[*at].kind == BlockKind::Heading(1)).collect();
    let specifies = |at: usize| {
        let is_below = matches!(reading.blocks[at].kind, BlockKind::Heading(level) if level > 1);
        is_below && matches!(role(at), SectionRole::AcceptanceCriteria | SectionRole::Requirements)
    };
    let mut parts = Vec::new();
    for (number, at) in tops.iter().enumerate().skip(1) {
        let is_named = !matches!(role(*at), SectionRole::Body | SectionRole::Title);
        if is_named || !(tops[0]..*at).any(specifies) {
            continue;
        }
        let end = tops.get(number + 1).map_or(text.len(), |next| reading.blocks[*next].span.start);
        parts.push(Span::new(reading.blocks[*at].span.start, end));
    }
    parts.into_iter()
}

/// The code blocks that contain a document with a heading and are not shown as an example.
fn fenced<'r>(text: &'r str, reading: &'r Reading) -> impl Iterator<Item = Span> + 'r {
    let before = |at: usize| at.checked_sub(1).map(|at| reading.blocks[at].span.slice(text).to_lowercase());
    let is_example = move |at: usize| before(at).is_some_and(|words| EXAMPLE.iter().any(|sign| words.contains(sign)));
    let blocks = reading.blocks.iter().enumerate();
    blocks.filter(move |(at, block)| is_document(text, block) && !is_example(*at)).map(|(_, block)| block.text)
}

fn is_document(text: &str, block: &Block) -> bool {
    let opening = block.span.slice(text).lines().next().unwrap_or_default();
    block.kind == BlockKind::Code
        && opening.starts_with(['`', '~'])
        && names_no_language(opening)
        && block.text.slice(text).trim_start().starts_with('#')
}

/// Returns true for a part that asks for something to be built.
fn asks_for_something(reading: &Reading, span: Span) -> bool {
    let asks =
        |genre| matches!(genre, Genre::UserStory | Genre::AcceptanceCriterion | Genre::ShallStatement | Genre::Demand);
    reading.sentences.iter().any(|sentence| span.contains(sentence.span) && asks(sentence.genre))
}

/// A text with only this part of it, each line in its original place.
fn alone(text: &str, span: Span) -> String {
    let above = text[..span.start].bytes().filter(|byte| *byte == b'\n').count();
    format!("{}{}", "\n".repeat(above), span.slice(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support;

    const FIRST: &str = "# Export\n\nAs a clerk I want to export the list, so that I can mail it.\n\n\
        ## Acceptance criteria\n\n- The button Export downloads a CSV file.\n- An empty list gives the header only.\n";

    fn headings(text: &str) -> Vec<(String, usize)> {
        let pipeline = test_support::pipeline();
        let file = RawInput { text: text.to_owned(), ..RawInput::default() };
        let line = |document: &Document| document.input.text.lines().position(|line| !line.is_empty()).unwrap() + 1;
        let found = further(&file, &pipeline.book.reader);
        found.iter().map(|document| (document.heading.clone(), line(document))).collect()
    }

    #[test]
    fn a_document_below_another_or_in_a_code_block_is_found_on_its_lines() {
        let search = "# Search\n\nThe search should be fast.\n";
        assert_eq!(headings(&format!("{FIRST}\n{search}")), [("Search".to_owned(), 10)]);
        assert_eq!(headings(&format!("{FIRST}\n```markdown\n{search}```\n")), [("Search".to_owned(), 11)]);
        assert_eq!(headings(&format!("{FIRST}\n~~~\n# 搜索\n\n搜索应该很快。\n~~~\n")), [("搜索".to_owned(), 11)]);
    }

    #[test]
    fn sections_code_and_examples_are_no_documents() {
        for more in [
            "# Out of scope\n\nThe import should stay as it is.\n",
            "# Appendix\n\nThe file format is described in RFC 4180.\n",
            "```sh\n# The search should be fast\nls\n```\n",
            "A template for the next one:\n\n```markdown\n# Title\n\nThe system should work.\n```\n",
        ] {
            assert_eq!(headings(&format!("{FIRST}\n{more}")), [], "{more}");
        }
        // One document whose sections are headings of the first level.
        let flat = "# Goals\n\nThe list should be exported.\n\n# Requirements\n\nThe export shall be a CSV file.\n\n# Rollout\n\nIt should be on for all.\n";
        assert_eq!(headings(flat), []);
    }
}
