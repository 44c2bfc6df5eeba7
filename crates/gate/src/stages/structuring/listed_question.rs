//! Reads an item of a list of open questions as one point: the question, its owner, the due date and the default.

use std::ops::Range;

use reqgate_base::model::{SectionRole, Span};
use reqgate_text::answer::leaves_open;
use reqgate_text::words::Words;
use reqgate_text::words::brief_answers::DEFAULTS;
use reqgate_text::words::open_points::{INTERROGATIVES, OUTCOMES};
use reqgate_text::{BlockKind, Cue, Reading, Sentence};

use super::open_statement::says_it_is_open;

/// Returns true for a sentence in a list item below a heading of open questions.
pub(super) fn is_item(reading: &Reading, sentence: &Sentence) -> bool {
    sentence.role == SectionRole::OpenQuestions && reading.blocks[sentence.block].kind == BlockKind::ListItem
}

/// Returns true for the first sentence of an item.
pub(super) fn begins_item(reading: &Reading, index: usize) -> bool {
    index == 0 || reading.sentences[index - 1].block != reading.sentences[index].block
}

/// The index after the last sentence of the item that begins here.
pub(super) fn end_of_item(reading: &Reading, index: usize) -> usize {
    let block = reading.sentences[index].block;
    reading.sentences[index..].iter().take_while(|sentence| sentence.block == block).count() + index
}

/// Returns true if the item states a default after each of its questions and has no open point after the last one.
/// Words within a question are not a default: "Is the name optional?" leaves the answer open.
pub(super) fn is_settled(text: &str, reading: &Reading, item: Range<usize>) -> bool {
    let whole = reading.sentences[item.start].span.join(reading.sentences[item.end - 1].span);
    let ends = whole.slice(text).match_indices(['?', '？']).map(|(at, mark)| whole.start + at + mark.len());
    let mut from = whole.start;
    let mut asks = false;
    for end in ends {
        let between = Span::new(from, end);
        // "5 minutes? 10?" is not a separate question.
        if INTERROGATIVES.are_words_of(&between.slice(text).to_lowercase()) {
            if asks && default_in(text, reading, between).is_none() {
                return false;
            }
            asks = true;
        }
        from = end;
    }
    let is_open = |sentence: &Sentence| sentence.cues.has(Cue::Open) && says_it_is_open(text, reading, sentence);
    default_in(text, reading, Span::new(from, whole.end))
        .is_some_and(|at| !reading.sentences[item].iter().any(|sentence| sentence.span.start > at && is_open(sentence)))
}

/// Returns false for a line to write on: "______".
pub(super) fn says_something(answer: &str) -> bool {
    answer.chars().any(char::is_alphanumeric)
}

/// The position of a default with content: `(owner: Mei; default: 5)`, 默认：扫码, or words like "until then we use …".
/// "default: TBD" is not a default.
fn default_in(text: &str, reading: &Reading, span: Span) -> Option<usize> {
    match labelled(text, span, DEFAULTS) {
        Some(at) => says_what_holds(text, reading, at, span.end).then_some(at),
        None => reading.find_cue(span, Cue::Settled).map(|hit| hit.start),
    }
}

/// Returns true for words that a label in their block settles: "Decided: CSV", "Assumption: the rate stays", 结论：用短信.
pub(super) fn has_outcome(text: &str, reading: &Reading, index: usize) -> bool {
    let sentence = &reading.sentences[index];
    let block = &reading.blocks[sentence.block];
    let within = if block.kind == BlockKind::Turn { sentence.span } else { block.text.join(sentence.span) };
    labelled(text, within, OUTCOMES).is_some_and(|at| says_what_holds(text, reading, at, within.end))
}

/// The start of the words after one of these labels.
fn labelled(text: &str, span: Span, labels: &Words) -> Option<usize> {
    let words = span.slice(text).to_ascii_lowercase();
    labels.iter().find_map(|label| {
        words.match_indices(label).find_map(|(at, _)| {
            let begins = words[..at].trim_end().ends_with(|c: char| !c.is_alphanumeric());
            let said = words[at + label.len()..].trim_start_matches(['*', '_', ' ']);
            let said = said.strip_prefix([':', '：']).filter(|_| begins || at == 0)?;
            Some(span.start + words.len() - said.trim_start_matches(['*', '_', ' ', '\t', '\r', '\n']).len())
        })
    })
}

/// Returns true for words with content that do not say that the point is open.
fn says_what_holds(text: &str, reading: &Reading, at: usize, end: usize) -> bool {
    let said = Span::new(at, end).slice(text);
    let said = said.split([';', '；', ')', '）', ']']).next().unwrap_or_default().trim_end();
    let defers = reading.find_cue(Span::new(at, at + said.len()), Cue::Open).is_some_and(|hit| hit.start == at);
    says_something(said) && !leaves_open(said) && !defers
}

#[cfg(test)]
mod tests {
    use reqgate_rules::Profile;

    fn open(items: &[&str]) -> Vec<String> {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let list: String = items.iter().map(|item| format!("- {item}\n")).collect();
        let text = format!("# Order links\n\nGuests open a link.\n\n## Open questions\n\n{list}");
        let reading = reader.read(&text, None);
        let points = crate::stages::structuring::structure(&text, &reading, Profile::Prd).facets.open_points;
        points.iter().filter(|point| point.core).map(|point| point.span.slice(&text).to_owned()).collect()
    }

    #[test]
    fn an_item_is_one_open_point_however_many_sentences_it_has() {
        assert_eq!(open(&["Which languages are the mails in? (owner: Hannah, by 12 Dec)"]).len(), 1);
        assert_eq!(open(&["组合支付的订单怎么退？（负责人：王芳；期限：2026-10-10）"]).len(), 1);
        assert_eq!(open(&["Which colour? It is TBD."]).len(), 1);
        assert_eq!(open(&["Who pays?"]).len(), 1);
    }

    #[test]
    fn an_item_hides_no_other_one() {
        let told = "Do we have to tell the regulator each time we block a driver?";
        let gap = "Not settled: Nothing says what happens with a row that has no valid date. (owner: Marcus Bell)";
        assert_eq!(open(&[told]), [told]);
        assert_eq!(open(&[told, gap]).len(), 2);
        assert_eq!(open(&[gap]).len(), 1);
        assert_eq!(open(&[told, "The icon is TBD; until then we use the existing one."]), [told]);
        assert_eq!(open(&["Is the phone number optional?"]).len(), 1);
    }

    #[test]
    fn a_default_settles_its_item() {
        for item in [
            "Which languages are the mails in? (owner: Hannah, by 12 Dec; default: English)",
            "Who can lift a block by hand? (default: no)",
            "What happens at midnight? Until decided, the trip goes on.",
            "组合支付的订单怎么退？（负责人：王芳；期限：2026-10-10；默认：退到礼品卡）",
            "组合支付的订单怎么退？（默认：退到礼品卡）",
        ] {
            assert_eq!(open(&[item]), Vec::<String>::new(), "{item}");
        }
        for item in [
            "Who can lift a block by hand? (default: TBD)",
            "怎么退？（默认：待定）",
            "How many, by default: how many?",
        ] {
            assert_eq!(open(&[item]).len(), 1, "{item}");
        }
    }

    #[test]
    fn an_item_is_open_whichever_of_its_sentences_says_so() {
        for item in [
            "Payments. The provider is TBD.",
            "Payment flow. The provider is TBD, nobody knows who pays.",
            "Provider. TBD, Mei decides by Friday.",
            "Refunds. Which payment provider do we use?",
            "支付。支付渠道待定。",
        ] {
            assert_eq!(open(&[item]), [item]);
        }
        assert_eq!(open(&["None. All of them were answered by Mei last week."]), Vec::<String>::new());
    }

    #[test]
    fn a_default_settles_no_other_question_and_no_other_statement() {
        for item in [
            "Which provider do we use? (default: ask legal)",
            "Which provider do we use? (default: nobody knows)",
            "用哪家支付渠道？（默认：问法务）",
            "Which provider do we use? By default: see below. Also the refund flow is TBD.",
            "The default: 5 is wrong. Which limit do we use?",
            "We use the existing one for mails; until then keep it. Which provider do we use for refunds? It is TBD.",
            "Which provider do we use? And who pays? (default: Stripe)",
            "用哪家支付渠道？谁付费？（默认：支付宝）",
        ] {
            assert_eq!(open(&[item]), [item]);
        }
        for item in [
            "Which provider do we use? (default: Stripe) And who pays? (default: the shop)",
            "How long does the lock hold? 5 minutes? 10? (default: 5 minutes)",
            "The provider is TBD. Until then we use the existing one.",
        ] {
            assert_eq!(open(&[item]), Vec::<String>::new(), "{item}");
        }
    }
}
