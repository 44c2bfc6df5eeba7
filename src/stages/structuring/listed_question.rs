//! Reads an item of a list of open questions as one point: its question, who answers it, by when, and what holds until then.

use crate::model::SectionRole;
use crate::text::words::brief_answers::{DEFAULTS, OPEN};
use crate::text::{BlockKind, Cue, Reading, Sentence};

/// True for a sentence in an item of a list below a heading of open questions.
pub(super) fn is_item(reading: &Reading, sentence: &Sentence) -> bool {
    sentence.role == SectionRole::OpenQuestions && reading.blocks[sentence.block].kind == BlockKind::ListItem
}

/// True for the first sentence of an item.
pub(super) fn begins_item(reading: &Reading, index: usize) -> bool {
    index == 0 || reading.sentences[index - 1].block != reading.sentences[index].block
}

/// True where the item itself states a default. Words of its question do not: "Is the name optional?" leaves open if it is.
pub(super) fn is_settled(text: &str, reading: &Reading, index: usize) -> bool {
    let block = reading.sentences[index].block;
    let mut sentences = reading.sentences[index..].iter().take_while(|sentence| sentence.block == block);
    let says_so = |sentence: &Sentence| {
        sentence.cues.has(Cue::Settled) && !sentence.span.slice(text).trim_end().ends_with(['?', '？'])
    };
    let default = labelled_default(reading.blocks[block].text.slice(text));
    default.unwrap_or_else(|| sentences.any(says_so))
}

/// "______" is a line to write on.
pub(super) fn says_something(answer: &str) -> bool {
    answer.chars().any(char::is_alphanumeric)
}

/// `(owner: Mei; default: 5)`, 默认：扫码: true if the default says something, false for "default: TBD".
fn labelled_default(words: &str) -> Option<bool> {
    let words = words.to_lowercase();
    DEFAULTS.iter().find_map(|label| {
        words.match_indices(label).find_map(|(at, _)| {
            let begins = words[..at].trim_end().ends_with(|c: char| !c.is_alphanumeric());
            let said = words[at + label.len()..].trim_start().strip_prefix([':', '：']).filter(|_| begins)?;
            let said = said.split([';', '；', ')', '）', ']']).next().unwrap_or_default().trim();
            Some(says_something(said) && !OPEN.has(said))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::Profile;

    fn open(items: &[&str]) -> Vec<String> {
        let reader = crate::rules::load(&crate::rules::shipped_files()).expect("the shipped rules load").reader;
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
}
