//! Keeps only those owners, due days and defaults of open questions that people have written.

use super::work::WorkOrder;
use crate::brief::parse_brief;
use crate::layouts::sentences::plain;
use crate::{FeatureBrief, SourceQuote};
use reqgate_text::answer::{Assignment, assignment, read_answer, split_assignment};
use reqgate_text::lexicon::is_cjk;

/// Clears an owner and a day that no quoted line names, and a default that no quoted line assigns, unless they come from
/// the brief before or from its review. A question with a default does not block, so a writer must not invent one.
pub(super) fn keep_assigned(brief: &mut FeatureBrief, order: &WorkOrder) {
    let before = order.brief.as_deref().map(parse_brief);
    let review = order.feedback.iter().flat_map(|feedback| {
        let wanted = feedback.modifications.iter().map(|change| change.requested_content.as_str());
        feedback.user_feedback.as_deref().into_iter().chain(wanted).flat_map(str::lines)
    });
    let review: Vec<Assignment> = review.filter_map(read).collect();
    for question in &mut brief.open_questions {
        let mut said = review.clone();
        said.extend(question.sources().flat_map(|place| quoted(order, place)));
        let known = before.iter().flat_map(|brief| &brief.open_questions);
        said.extend(known.filter(|known| known.question == question.question).map(|known| Assignment {
            owner: known.owner.clone(),
            due: known.due.clone(),
            default: known.default.clone(),
        }));
        let is_said = |words: &String, of: fn(&Assignment) -> Option<&String>| {
            said.iter().filter_map(of).any(|said| said.to_lowercase() == words.trim().to_lowercase())
        };
        let lines: String = question.sources().map(|place| lines_of(order, place).to_lowercase() + "\n").collect();
        // A line may name the person and the day in running text. The person who reviews the brief sees both.
        let is_named = |words: &String| holds(&lines, &words.trim().to_lowercase());
        question.owner =
            question.owner.take().filter(|words| is_named(words) || is_said(words, |said| said.owner.as_ref()));
        question.due = question.due.take().filter(|words| is_named(words) || is_said(words, |said| said.due.as_ref()));
        question.default = question.default.take().filter(|words| is_said(words, |said| said.default.as_ref()));
    }
}

/// Returns true if whole words of the lines are these; Chinese has no spaces between words.
fn holds(lines: &str, words: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() && !is_cjk(c);
    let joins = |one: Option<char>, other: Option<char>| one.is_some_and(is_word) && other.is_some_and(is_word);
    let is_whole = |at: usize| {
        let (before, after) = (&lines[..at], &lines[at + words.len()..]);
        !joins(before.chars().next_back(), words.chars().next())
            && !joins(words.chars().next_back(), after.chars().next())
    };
    !words.is_empty() && lines.match_indices(words).any(|(at, _)| is_whole(at))
}

/// The assignments in the lines of a quote or, in a table, in its cells.
fn quoted(order: &WorkOrder, place: &SourceQuote) -> Vec<Assignment> {
    let lines = lines_of(order, place);
    let cells = lines.lines().filter(|line| line.trim_start().starts_with('|')).flat_map(|line| line.split('|'));
    let cells = cells.filter(|cell| cell.contains(place.quote.trim()));
    std::iter::once(lines.as_str()).chain(cells).filter_map(read).collect()
}

/// The lines of a source that a quote is in; empty without such a source.
fn lines_of(order: &WorkOrder, place: &SourceQuote) -> String {
    let source = order.sources.iter().find(|source| source.name == place.source);
    let first = usize::try_from(place.line).unwrap_or(1).saturating_sub(1);
    let lines = source.into_iter().flat_map(|source| source.text.lines().skip(first));
    lines.take(place.quote.lines().count().max(1)).collect::<Vec<_>>().join("\n")
}

/// The assignment that a text consists of, ends with, or has after a question: "Who pays? Legal has to say."
fn read(words: &str) -> Option<Assignment> {
    assignment(words).or_else(|| {
        let words = plain(words);
        let (asked, assigned) = split_assignment(&words);
        let mut out = assigned.unwrap_or_default();
        if let Some((at, mark)) = asked.char_indices().find(|(_, c)| matches!(c, '?' | '？')) {
            let (question, rest) = asked.split_at(at + mark.len_utf8());
            let left = read_answer(question, rest).open.filter(|_| !rest.trim().is_empty());
            out.complete(left.unwrap_or_default().assignment);
        }
        (out != Assignment::default()).then_some(out)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenQuestion;
    use crate::collect::BriefFeedback;
    use crate::workflow::{DraftStep, SourceText};
    use reqgate_base::model::Language;

    const TICKET: &str = "Mei likes orders.\n\n- How many links? (owner: Mei, by 12 Dec; default: 5)\n\n| Open |\n|---|\n| Who pays? (Jonas, by Friday) |\n\n- At night? Legal has to say. (default: none)\n";

    fn asking(quote: &str, line: u32, [owner, due, default]: [&str; 3]) -> FeatureBrief {
        let place = SourceQuote { source: "t.md".to_owned(), line, quote: quote.to_owned() };
        let some = |words: &str| Some(words.to_owned()).filter(|words| !words.is_empty());
        let open = OpenQuestion::new("How many links?", Some(place));
        let open = OpenQuestion { owner: some(owner), due: some(due), default: some(default), ..open };
        FeatureBrief { open_questions: vec![open], ..FeatureBrief::new("Links", Language::En) }
    }

    fn kept(mut brief: FeatureBrief, order: &WorkOrder) -> [String; 3] {
        keep_assigned(&mut brief, order);
        let OpenQuestion { owner, due, default, .. } = brief.open_questions.remove(0);
        [owner, due, default].map(Option::unwrap_or_default)
    }

    #[test]
    fn a_writer_names_only_people_and_days_of_quoted_lines_and_assigns_only_their_defaults() {
        let sources = vec![SourceText { name: "t.md".to_owned(), text: TICKET.to_owned() }];
        let order = WorkOrder { sources, ..WorkOrder::of(DraftStep::Brief) };
        let all = ["Mei", "12 Dec", "5"];
        assert_eq!(kept(asking("How many links?", 3, all), &order), all);
        assert_eq!(kept(asking("How many links?", 3, ["Mei", "", "orders"]), &order), ["Mei", "", ""]);
        assert_eq!(kept(asking("Mei likes orders.", 1, ["Mei", "", "orders"]), &order), ["Mei", "", ""]);
        assert_eq!(kept(asking("Mei likes orders.", 1, ["Jonas", "12 Dec", "5"]), &order), [""; 3]);
        assert_eq!(kept(asking("Mei likes orders.", 1, ["ei", "like", ""]), &order), [""; 3]);
        assert_eq!(kept(asking("Who pays?", 7, ["Jonas", "Friday", ""]), &order), ["Jonas", "Friday", ""]);
        assert_eq!(kept(asking("At night?", 9, ["Legal", "", "none"]), &order), ["Legal", "", "none"]);
        assert_eq!(kept(asking("At night?", 9, ["Mei", "", "10"]), &order), [""; 3]);
    }

    #[test]
    fn what_people_assigned_before_or_in_the_review_stays() {
        let before = crate::brief::render_brief(&asking("x", 1, ["Mei", "", "5"]));
        let feedback = BriefFeedback {
            user_feedback: Some("How many links? (owner: Jonas, by 12 Dec)".to_owned()),
            modifications: Vec::new(),
            ..BriefFeedback::default()
        };
        let order =
            WorkOrder { brief: Some(before), feedback: Some(feedback), ..WorkOrder::of(DraftStep::BriefUpdate) };
        assert_eq!(kept(asking("x", 1, ["Mei", "", "5"]), &order), ["Mei", "", "5"]);
        assert_eq!(kept(asking("x", 1, ["Jonas", "12 Dec", "9"]), &order), ["Jonas", "12 Dec", ""]);
    }
}
