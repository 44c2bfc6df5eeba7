//! Reads a slash command from the first line of a comment.

use reqgate_base::model::{RuleId, Span};
use reqgate_text::quantities::quantities;
use reqgate_text::words::command_answers::BEFORE_A_FIGURE;

/// The maximum number of answers in one comment.
const MOST_ANSWERS: usize = 5;
/// The maximum length of a reason or an answer, in characters.
const LONGEST_WORDS: usize = 2_000;

/// A command in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `/reqgate recheck`: judge again.
    Recheck,
    /// `/reqgate override REASON`: let the issue through.
    Override {
        /// The reason of the override.
        reason: String,
    },
    /// `/reqgate waive RULE REASON`: set one rule aside for this issue.
    Waive {
        /// The rule to set aside.
        rule: RuleId,
        /// The reason of the waiver.
        reason: String,
    },
    /// `/reqgate answer 1 … 2 …`: answers to the questions of the comment, by their number.
    Answer(Vec<(usize, String)>),
}

/// The reason why a comment is not a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoCommand {
    /// The comment does not begin with `/reqgate`.
    None,
    /// The word after `/reqgate` is not a known command.
    Unknown,
    /// The command lacks an argument.
    Incomplete(&'static str),
}

/// Reads a command from a comment.
///
/// # Errors
/// Fails with the reason if the comment is not a command.
pub(crate) fn parse(comment: &str) -> Result<Command, NoCommand> {
    let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
    let line = first.trim_end().strip_prefix("/reqgate").ok_or(NoCommand::None)?;
    if !line.starts_with([' ', '\t']) {
        // `/reqgate` alone is an incomplete command; `/reqgates` is not a command.
        return Err(if line.is_empty() { NoCommand::Unknown } else { NoCommand::None });
    }
    let line = line.trim_start();
    let (word, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words = words.trim();
    match word {
        "recheck" => Ok(Command::Recheck),
        "override" if words.is_empty() => Err(NoCommand::Incomplete("override needs a reason")),
        "override" => Ok(Command::Override { reason: clipped(words) }),
        "waive" => {
            let (rule, reason) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            let rule =
                RuleId::new(rule.trim_matches('`')).map_err(|_| NoCommand::Incomplete("waive needs a rule id"))?;
            match reason.trim() {
                "" => Err(NoCommand::Incomplete("waive needs a reason after the rule")),
                reason => Ok(Command::Waive { rule, reason: clipped(reason) }),
            }
        }
        "answer" => {
            let answers = answers(words, rest);
            if answers.is_empty() {
                Err(NoCommand::Incomplete("answer needs the number of a question and the answer"))
            } else {
                Ok(Command::Answer(answers))
            }
        }
        _ => Err(NoCommand::Unknown),
    }
}

fn clipped(words: &str) -> String {
    words.chars().take(LONGEST_WORDS).collect()
}

/// The numbered answers of a comment, starting with the first line.
///
/// A number starts an answer at the beginning of a line. Within a line the next higher number does too, preferably
/// written `2.` or `2)`: if there are such marks, a bare number is part of the answer, and so is a number before a
/// unit.
fn answers(first: &str, rest: &str) -> Vec<(usize, String)> {
    let mut answers: Vec<(usize, String)> = Vec::new();
    for line in std::iter::once(first).chain(rest.lines()) {
        match numbered(line) {
            Some((number, words)) => open(&mut answers, number, words),
            None => match answers.last_mut() {
                Some((_, words)) if !line.trim().is_empty() => {
                    words.push('\n');
                    words.push_str(line.trim());
                }
                _ => {}
            },
        }
    }
    answers.retain(|(_, words)| !words.trim().is_empty());
    answers.truncate(MOST_ANSWERS);
    answers.into_iter().map(|(number, words)| (number, clipped(words.trim()))).collect()
}

/// Opens an answer, and further ones that follow on the same line.
fn open(answers: &mut Vec<(usize, String)>, mut number: usize, mut words: &str) {
    while answers.len() < 2 * MOST_ANSWERS {
        let marked = next_number(words, number + 1, true).or_else(|| next_number(words, number + 1, false));
        let Some((before, after)) = marked else { break };
        answers.push((number, before.trim().to_owned()));
        number += 1;
        words = after;
    }
    answers.push((number, words.trim().to_owned()));
}

/// Splits at the first word that is `number`, marked with `.`, `)` or `:` or bare.
fn next_number(words: &str, number: usize, is_marked: bool) -> Option<(&str, &str)> {
    let digits = number.to_string();
    let mut at = 0;
    for word in words.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let is_it = match bare.strip_prefix(&digits) {
            Some("") => !is_marked,
            Some("." | ")" | ":") => is_marked,
            _ => false,
        };
        if is_it && at > 0 && (is_marked || !measures(words, Span::new(at, at + bare.len()))) {
            return Some((&words[..at], &words[at + word.len()..]));
        }
        at += word.len();
    }
    None
}

/// Returns true if a bare number is a quantity or a name, rather than the number of a question.
fn measures(words: &str, number: Span) -> bool {
    let has_unit = quantities(words, Span::new(0, words.len()))
        .iter()
        .any(|quantity| quantity.dimension.is_some() && quantity.number == number);
    let before = words[..number.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    has_unit || BEFORE_A_FIGURE.has(&before) || before.ends_with(['<', '>', '=', '≤', '≥', '#'])
}

/// The number of a question at the beginning of a line, and the words after it.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: usize = line[..digits].parse().ok().filter(|number| (1..=99).contains(number))?;
    let rest = &line[digits..];
    let rest = rest.strip_prefix(['.', ')', ':', '、', '：']).unwrap_or(rest);
    let is_apart = rest.len() < line.len() - digits || rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_apart.then(|| (number, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_the_first_line_only() {
        let waive =
            |rule: &str, reason: &str| Command::Waive { rule: RuleId::new(rule).unwrap(), reason: reason.to_owned() };
        for (comment, expected) in [
            ("/reqgate recheck", Ok(Command::Recheck)),
            ("/reqgate  recheck  \r\nplease", Ok(Command::Recheck)),
            ("/reqgate override agreed in the call", Ok(Command::Override { reason: "agreed in the call".to_owned() })),
            ("/reqgate override\nbecause", Err(NoCommand::Incomplete("override needs a reason"))),
            ("/reqgate waive vague-term it is a quote", Ok(waive("vague-term", "it is a quote"))),
            ("/reqgate waive `vague-term` it is", Ok(waive("vague-term", "it is"))),
            ("/reqgate waive vague-term", Err(NoCommand::Incomplete("waive needs a reason after the rule"))),
            ("/reqgate waive Vague! x", Err(NoCommand::Incomplete("waive needs a rule id"))),
            ("/reqgate", Err(NoCommand::Unknown)),
            ("/reqgate close", Err(NoCommand::Unknown)),
            ("/reqgates recheck", Err(NoCommand::None)),
            (" /reqgate recheck", Err(NoCommand::None)),
            ("see\n/reqgate recheck", Err(NoCommand::None)),
            ("", Err(NoCommand::None)),
        ] {
            assert_eq!(parse(comment), expected, "{comment:?}");
        }
    }

    #[test]
    fn answers_are_told_apart_by_their_numbers() {
        let read = |comment: &str| match parse(&format!("/reqgate answer {comment}")) {
            Ok(Command::Answer(answers)) => answers.into_iter().map(|(n, words)| format!("{n}={words}")).collect(),
            other => vec![format!("{other:?}")],
        };
        assert_eq!(read("1 CSV 2 ten thousand rows"), ["1=CSV", "2=ten thousand rows"]);
        assert_eq!(read("1. at most 2 files 2. CSV"), ["1=at most 2 files", "2=CSV"]);
        assert_eq!(
            read("1 CSV\n2 rows:\n- ten\n- twenty\n\n3) nobody"),
            ["1=CSV", "2=rows:\n- ten\n- twenty", "3=nobody"]
        );
        assert_eq!(read("\n2 CSV"), ["2=CSV"]);
        assert_eq!(read("1、导出为 CSV\n2：一万行"), ["1=导出为 CSV", "2=一万行"]);
        assert_eq!(read("3 100 rows"), ["3=100 rows"]);
        for whole in [
            "1 shown within 2 seconds of a search",
            "1 at most 2 files",
            "1 it answers in 2 s and tries 2 times",
            "1 as in step 2",
            "1 p95 <= 2 s",
        ] {
            assert_eq!(read(whole), [whole.replacen("1 ", "1=", 1)]);
        }
        assert_eq!(read("1 within 2 seconds 2 nobody"), ["1=within 2 seconds", "2=nobody"]);
        for nothing in ["", "CSV", "1", "1st of May", "100 rows"] {
            assert!(read(nothing)[0].contains("Incomplete"), "{nothing}: {:?}", read(nothing));
        }
    }

    #[test]
    fn any_comment_can_be_read() {
        proptest::proptest!(|(words: String)| {
            let _ = parse(&format!("/reqgate answer 1 {words}"));
            let _ = parse(&format!("/reqgate {words}"));
        });
    }
}
