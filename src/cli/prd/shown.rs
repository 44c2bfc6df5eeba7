//! Questions of the PRD workflow as text for a terminal.

use reqgate::clean;
use reqgate::model::{Language, Verdict};
use reqgate::prd::ask::{AskView, view};
use reqgate::prd::brief::decode;
use reqgate::prd::collect::NotUsed;
use reqgate::prd::gaps::both_quotes;
use reqgate::prd::in_words::place_in_words;
use reqgate::prd::requirements::{ExportedRequirement, RequirementsExport};
use reqgate::prd::workflow::{
    ChangedByHand, Checkpoint, Doubted, GapDecision, GateSummary, PrdAsk, PrdWorkflow, RequirementsReview,
    doubt_in_words,
};
use reqgate::prd::{Decided, Gap, Requirement, RequirementPriority, SourceQuote};
use reqgate::text::answer::{Assignment, read_answer};
use reqgate::workflow::{AskId, Asking, Question};

use super::seen::Seen;
use super::words::{Words, words};

/// The most sentences that were not used in a question.
const MOST_NOT_USED: usize = 10;
/// The longest beginning of a question that is shown to its own author, in characters.
const LONGEST_BEGINNING: usize = 40;

/// A question with all facts that an answer needs, and the ways to answer. Parts that were seen before are shortened to a few
/// lines.
pub(super) fn question(id: &AskId, question: &Asking<PrdWorkflow>, seen: &Seen, language: Language) -> String {
    let said = words(language);
    // A single question is its own title.
    let view = view(question, language);
    let title = plain(&view.title);
    let mut text = if is_single(&view) { String::new() } else { format!("{title}\n") };
    text.push_str(&body(id, &view, seen, said));
    let ways = match question {
        Asking::Engine(..) => said.ways_interrupt,
        Asking::Workflow(ask) => ways(ask, said),
    };
    let width = ways.iter().map(|(flag, _)| flag.len()).max().unwrap_or_default();
    text.push_str(&format!("\n{}\n", said.answer_with));
    for (flag, what) in ways {
        text.push_str(&format!("  reqgate answer {id} {flag:width$}  {what}\n"));
    }
    text
}

/// Returns true for a single question, which is its own title.
pub(super) fn is_single(view: &AskView<'_>) -> bool {
    view.document.is_none() && view.questions.len() == 1
}

fn body(id: &AskId, view: &AskView<'_>, seen: &Seen, said: &Words) -> String {
    let mut text: String =
        view.context.iter().flat_map(|note| &note.lines).map(|line| format!("  {}\n", plain(line))).collect();
    if view.document.is_none() {
        text.extend(view.questions.iter().map(question_line));
    }
    if let Some(ask) = view.requirements {
        let list: String = in_order(&ask.requirements).into_iter().map(|one| proposed(one, ask, seen, said)).collect();
        let short = ask.requirements.iter().any(|one| seen.has(one));
        let more = said.whole_requirements(&plain(&seen.requirements_file));
        let more = if short { format!("  {more}\n") } else { String::new() };
        text.push_str(&format!("{}\n{list}{more}{}", noted(view, said), gate(&ask.gate, said)));
    }
    if let Some(ask) = view.gaps {
        let list: String = ask.identified_gaps.iter().map(|one| gap(one, said)).collect();
        text.push_str(&format!("  {}\n\n{list}{}", looked_at(ask, said), noted(view, said)));
    }
    let Some(_) = view.document else { return text };
    text.push_str(&reviewed(view, seen, said));
    text.push_str(&doubts(view.doubts, said));
    text.push_str(&hand_changes(view.by_hand, said));
    // If the document is not shown, a person who answers by id still needs the ids.
    if !view.lists_questions {
        text.push_str(&open_questions(view.questions, said));
    } else if seen.document.is_some() {
        text.push_str(&open_questions(&view.questions.iter().map(begun).collect::<Vec<_>>(), said));
    }
    text.push_str(&taken_out(view));
    let listed = most_telling(view.not_used, id, said);
    if !listed.is_empty() {
        text.push_str(&format!("\n{}\n{listed}", said.not_used));
    }
    text
}

fn ways<'w>(ask: &PrdAsk, said: &'w Words) -> &'w [(&'static str, &'static str)] {
    match ask {
        PrdAsk::Clarification(_) => said.ways_clarification,
        PrdAsk::PrdReview(ask) if !ask.gate.verdict.is_pass() => said.ways_stopped,
        PrdAsk::Team(ask) if ask.needs_reason() => said.ways_stopped_team,
        PrdAsk::Team(ask) if ask.checkpoint == Checkpoint::OutlineApproval => said.ways_outline,
        PrdAsk::BriefReview(_) => said.ways_brief,
        PrdAsk::PrdReview(_) => said.ways_prd,
        PrdAsk::Team(_) => said.ways_document_plain,
        PrdAsk::RequirementsReview(_) => said.ways_requirements,
        PrdAsk::GapDecision(_) => said.ways_gaps,
    }
}

/// A question with its id and its place.
fn question_line(one: &Question) -> String {
    let about = one.about.as_deref().map(|about| format!(" ({})", plain(about))).unwrap_or_default();
    format!("  {}: {}{about}\n", plain(&one.id), plain(&one.question))
}

/// A line that reports that an answer leaves its question or a part of it open, and with whom; empty if it decides everything.
pub(super) fn left_open(question: &str, answer: &str, said: &Words) -> String {
    let Some(left) = read_answer(question, answer).open else { return String::new() };
    let Assignment { owner, due, default } = left.assignment;
    let labelled = said.assigned.into_iter().zip([owner, due, default]);
    let all: Vec<String> = labelled.filter_map(|(label, words)| Some(format!("{label}{}", plain(&words?)))).collect();
    let all = if all.is_empty() { String::new() } else { format!(" ({})", all.join(said.comma)) };
    format!("{}{all}\n", said.left_open)
}

/// A question by its beginning, without its place.
fn begun(one: &Question) -> Question {
    let question = match one.question.char_indices().nth(LONGEST_BEGINNING) {
        Some((end, _)) => format!("{}…", one.question[..end].trim_end()),
        None => one.question.clone(),
    };
    Question { question, about: None, ..one.clone() }
}

/// The open questions of a document under review, one per line.
pub(super) fn open_questions(questions: &[Question], said: &Words) -> String {
    let lines: String = questions.iter().map(question_line).collect();
    if lines.is_empty() { lines } else { format!("\n{}\n{lines}", said.answer_here) }
}

/// The questions that an edit took out of the document under review, on a line; empty where it took out none.
pub(super) fn taken_out(view: &AskView<'_>) -> String {
    view.taken_out.as_ref().map(|told| format!("\n{}\n", plain(told))).unwrap_or_default()
}

/// A document under review, all objections to it, and the result of the gate.
pub(super) fn reviewed(view: &AskView<'_>, seen: &Seen, said: &Words) -> String {
    let shown = view.document.map(|shown| document(shown.text, said.language)).unwrap_or_default();
    let mut text = format!("\n{}", seen.document.as_ref().unwrap_or(&shown));
    let mut lines = |heading: &str, lines: &mut dyn Iterator<Item = &str>| {
        text.push_str(&format!("\n{heading}\n"));
        lines.for_each(|line| text.push_str(&format!("  {}\n", plain(line))));
    };
    if let Some(changes) = view.changes {
        lines(said.team_changes, &mut changes.trim_end().lines());
    }
    text.push_str(&noted(view, said));
    if let Some(found) = view.gate {
        text.push_str(&format!("\n{}", gate(found, said)));
    }
    text
}

/// The other findings of a question, each list under its heading.
pub(super) fn noted(view: &AskView<'_>, said: &Words) -> String {
    let mut text = String::new();
    for note in &view.notes {
        text.push_str(&format!("\n{}{}\n", plain(&note.title), said.colon.trim_end()));
        text.extend(note.lines.iter().map(|line| format!("  {}\n", plain(line))));
    }
    text
}

/// The first sentences that were not used, which say most, and how to see the others.
fn most_telling(sentences: &[NotUsed], id: &AskId, said: &Words) -> String {
    let shown: Vec<&NotUsed> = sentences.iter().filter(|one| !one.is_courtesy).take(MOST_NOT_USED).collect();
    let mut list: String = shown.iter().map(|one| not_used_line(one)).collect();
    let more = sentences.iter().filter(|one| !one.is_courtesy).count() - shown.len();
    if more > 0 {
        let thread = id.thread.to_string();
        list.push_str(&format!("  {}\n", said.more_not_used(&more, &thread)));
    }
    list
}

fn not_used_line(one: &NotUsed) -> String {
    format!("  {}  {}:{}  {}\n", plain(&one.id), plain(&one.place.source), one.place.line, plain(&one.place.quote))
}

/// Sentences that were not used, a line each; greetings and the like are counted, and listed where all is wanted.
pub(super) fn not_used(sentences: &[NotUsed], all: bool, said: &Words) -> String {
    let (courtesies, sentences): (Vec<_>, Vec<_>) = sentences.iter().partition(|one| one.is_courtesy);
    let mut list: String = sentences.into_iter().map(not_used_line).collect();
    if !courtesies.is_empty() {
        let heading = said.courtesies(&courtesies.len());
        list.push_str(&format!("{heading}{}\n", if all { said.colon.trim_end() } else { said.with_full }));
        list.extend(courtesies.into_iter().filter(|_| all).map(not_used_line));
    }
    list
}

/// The result of the gate, in lines.
pub(super) fn gate(found: &GateSummary, said: &Words) -> String {
    // A score next to the blockers does not explain the verdict, so the blockers are listed.
    let verdict = match found.verdict {
        Verdict::Pass => 0,
        Verdict::Reject => 1,
        Verdict::NotApplicable => 2,
        Verdict::GuardrailRejected => 3,
    };
    let only_tells = found.only_tells();
    let mut text = match only_tells {
        true => format!("  {}{}\n", said.still_missing, said.colon.trim_end()),
        false => format!("  {}{}{}\n", said.gate, said.colon, said.verdicts[verdict]),
    };
    for blocker in &found.blockers {
        let lead = if only_tells { "- ".to_owned() } else { format!("{}{}", said.blocks, said.colon) };
        text.push_str(&format!("    {lead}{}\n", plain(blocker)));
    }
    for warning in found.remarks() {
        text.push_str(&format!("    {}\n", plain(warning)));
    }
    text
}

/// One line, without control characters and invisible characters.
pub(super) fn plain(text: &str) -> String {
    clean::one_line(text).into_owned()
}

/// A document without control sequences, and with short places instead of the quotes after its statements. If two places
/// contradict each other, both quotes are shown, because a person must choose.
pub(super) fn document(text: &str, language: Language) -> String {
    let lines = text.trim_end().lines();
    let mut out: String = lines.map(|line| format!("{}\n", with_places(line, language))).collect();
    if out.is_empty() {
        out.push('\n');
    }
    clean::lines(&out)
}

/// A line of a document with places instead of the quotes after its statements.
pub(super) fn with_places(line: &str, language: Language) -> String {
    const BEGINS: [&str; 2] = ["<!-- source: ", "<!-- against: "];
    let is_conflict = line.contains(BEGINS[1]);
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        let found = BEGINS.iter().filter_map(|begin| Some((rest.find(begin)?, *begin))).min();
        let Some((at, begin)) = found else { break };
        let Some((comment, behind)) = rest[at + begin.len()..].split_once("-->") else { break };
        let (place, quote) = comment.split_once(" \"").unwrap_or((comment, ""));
        let quote = decode(quote.trim_end().trim_end_matches('"'));
        out.push_str(&rest[..at]);
        let place = match place.trim().rsplit_once(':').map(|(source, line)| (source, line.parse())) {
            Some((source, Ok(line))) => {
                place_in_words(&SourceQuote { source: source.to_owned(), line, quote: String::new() }, language)
            }
            _ => place.trim().to_owned(),
        };
        match is_conflict && !quote.is_empty() {
            true => out.push_str(&format!("({place} “{}”)", plain(&quote))),
            false => out.push_str(&format!("({place})")),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The id, title and priority of a requirement.
fn title_line(one: &Requirement, said: &Words) -> String {
    let priority = match one.priority {
        RequirementPriority::High => Some(said.priorities[0]),
        RequirementPriority::Medium => Some(said.priorities[1]),
        RequirementPriority::Low => Some(said.priorities[2]),
        RequirementPriority::Wont => Some(said.priorities[3]),
        RequirementPriority::Unset => None,
    };
    let priority = priority.map(|priority| format!(" ({priority})")).unwrap_or_default();
    format!("  {} {}{priority}\n", one.id, plain(&one.title))
}

/// One requirement, without parts that only repeat its title.
pub(super) fn requirement(one: &Requirement, said: &Words) -> String {
    let bare = |text: &str| text.trim().trim_end_matches(['.', '。']).to_lowercase();
    let mut text = title_line(one, said);
    if bare(&one.description) != bare(&one.title) {
        text.push_str(&format!("    {}\n", plain(&one.description)));
    }
    for criterion in one.acceptance_criteria.iter().filter(|criterion| bare(criterion) != bare(&one.description)) {
        text.push_str(&format!("    - {}\n", plain(criterion)));
    }
    if let Some(waits) = one.waits_in_words(said.language) {
        text.push_str(&format!("    {waits}\n"));
    }
    text
}

/// Requirements by kind and number, functional ones first, however they were handed in.
pub(super) fn in_order(requirements: &[Requirement]) -> Vec<&Requirement> {
    let mut ordered: Vec<&Requirement> = requirements.iter().collect();
    ordered.sort_by_key(|one| (one.id.is_quality(), one.id.clone()));
    ordered
}

/// Requirements below the decision on them, each with its places; functional ones first.
pub(super) fn requirements(export: RequirementsExport, said: &Words) -> String {
    let groups = [
        export.pending_requirements,
        export.approved_requirements,
        export.modified_requirements,
        export.rejected_requirements,
    ];
    let mut text = format!("{}\n", plain(&export.title));
    for (heading, mut group) in said.decisions.iter().zip(groups) {
        if group.is_empty() {
            continue;
        }
        group.sort_by_key(|one| (one.requirement.id.is_quality(), one.requirement.id.clone()));
        text.push_str(&format!("\n{heading}\n"));
        for ExportedRequirement { requirement: one, decision } in &group {
            text.push_str(&requirement(one, said));
            let places: Vec<String> =
                one.sources.iter().map(|place| plain(&place_in_words(place, said.language))).collect();
            if !places.is_empty() {
                text.push_str(&format!("    ({})\n", places.join(said.comma)));
            }
            if let Decided::Modified { notes: why }
            | Decided::Rejected { reason: why }
            | Decided::OutOfScope { reason: why } = decision
            {
                text.push_str(&format!("    {}{}{}\n", said.reason, said.colon, plain(why)));
            }
        }
    }
    text
}

/// The statements of a brief that no source proves, one per line.
pub(super) fn doubts(doubted: &[Doubted], said: &Words) -> String {
    let lines = doubted.iter().map(|one| format!("  {}{}{}\n", plain(&one.at), said.colon, in_words(one, said)));
    let list: String = lines.collect();
    if list.is_empty() { list } else { format!("\n{}\n{list}", said.unproven) }
}

fn in_words(doubted: &Doubted, said: &Words) -> String {
    let words = doubted.doubts.iter().map(|doubt| plain(&doubt_in_words(doubt, said.language)));
    words.collect::<Vec<_>>().join(said.comma)
}

/// One requirement with its unproven statements and the changes made to it by hand.
pub(super) fn proposed(one: &Requirement, review: &RequirementsReview, seen: &Seen, said: &Words) -> String {
    let mut text = if seen.has(one) { title_line(one, said) } else { requirement(one, said) };
    if let Some(doubted) = review.doubts.iter().find(|doubted| doubted.at == one.id.to_string()) {
        let gap = said.language.of(" ", "");
        text.push_str(&format!("    {}{gap}{}\n", said.unproven, in_words(doubted, said)));
    }
    // A gap of several requirements is shown with the first of them.
    let first = |gap: &Gap| {
        let ids = review.requirements.iter().map(|one| &one.id).filter(|id| gap.requirements.contains(id));
        ids.min_by_key(|id| (id.is_quality(), *id))
    };
    for gap in review.gaps.iter().filter(|gap| first(gap) == Some(&one.id)) {
        let (title, fix) = (plain(&gap.title), plain(if gap.fix.is_empty() { &gap.description } else { &gap.fix }));
        text.push_str(&format!("    {}{} {title}{}{fix}\n", said.to_fix, plain(&gap.id), said.colon));
    }
    if let Some(change) = review.changed_by_hand.iter().find(|change| change.id == one.id) {
        text.push_str(&format!("    {}\n", plain(&change.in_words(said.language))));
    }
    text
}

/// The changes made by hand to requirements in their file, one line each.
pub(super) fn hand_changes(changes: &[ChangedByHand], said: &Words) -> String {
    let line = |change: &ChangedByHand| format!("  {} {}\n", change.id, plain(&change.in_words(said.language)));
    changes.iter().map(line).collect()
}

/// The sentence about how gaps were looked for: by form or by meaning.
pub(super) fn looked_at<'w>(ask: &GapDecision, said: &'w Words) -> &'w str {
    if ask.read_for_meaning { said.was_read } else { said.looked_at }
}

/// One gap: with both quotes where two places contradict each other.
pub(super) fn gap(gap: &Gap, said: &Words) -> String {
    let fix = if gap.fix.is_empty() { &gap.impact } else { &gap.fix };
    let ids: Vec<String> = gap.requirements.iter().map(ToString::to_string).collect();
    let both: Vec<String> = both_quotes(gap).collect();
    let place = gap.place.as_ref().map(|place| format!("{}:{} “{}”", place.source, place.line, place.quote));
    let places = if both.is_empty() { place.into_iter().collect() } else { both };
    let lines = Some(ids.join(", ")).filter(|ids| !ids.is_empty()).into_iter().chain(places);
    let shown: Vec<String> = lines.map(|words| plain(&words)).collect();
    let shown = if gap.against.is_some() { shown.join("\n    ") } else { shown.join("  ") };
    format!(
        "  {} {}  {}\n    {shown}\n    {}\n    {}\n",
        plain(&gap.id),
        plain(&gap.title),
        gap.severity.words(said.language),
        plain(&gap.description),
        plain(fix)
    )
}

#[cfg(test)]
mod tests {
    use reqgate::model::Language;

    use super::{document, plain};

    #[test]
    fn quotes_behind_statements_become_places() {
        let text = "- It exports. <!-- source: t.md:5 \"it \u{1b}[31mexports\" -->\n- Plain <!-- source: broken\n";
        assert_eq!(document(text, Language::En), "- It exports. (t.md:5)\n- Plain <!-- source: broken\n");
    }

    #[test]
    fn both_quotes_of_a_contradiction_are_shown() {
        let text =
            "- [ ] How long? <!-- source: t.md:5 \"60 days\" --> <!-- against: m.md:9 \"say &#34;30&#34;\" -->\n";
        assert_eq!(document(text, Language::En), "- [ ] How long? (t.md:5 “60 days”) (m.md:9 “say \"30\"”)\n");
    }

    #[test]
    fn nothing_invisible_is_shown() {
        let hostile = "a\u{2066}b\u{2067}c\u{2068}d\u{2069}e\u{200f}f\u{feff}g\u{202e}h\u{1b}[31mi";
        assert_eq!(plain(hostile), "abcdefghi");
        assert_eq!(document(&format!("# {hostile}\n\n- {hostile}\n"), Language::En), "# abcdefghi\n\n- abcdefghi\n");
    }
}
