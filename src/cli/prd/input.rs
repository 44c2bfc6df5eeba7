//! Reads the input of a person on the terminal: lines, letters, words, and texts in an editor.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::Command;

use reqgate::text::lexicon::is_cjk;
use reqgate::text::words::brief_answers::{BACKS, HELPS};

use super::super::exit::Failure;
use super::super::terminal::wrapped;
use super::words::Words;

/// The editors that are tried where the environment names none.
const EDITORS: [&str; 3] = ["nano", "vim", "vi"];

/// Opens a text in the user's editor. The `suffix` shows the editor the kind of text, e.g. `.md`.
pub(super) fn edit(text: &str, suffix: &str) -> Result<String, Failure> {
    let editor =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    let editor = editor.or_else(installed).ok_or_else(|| {
        Failure::usage("no editor found: set EDITOR to the program that you write with, such as `export EDITOR=nano`")
    })?;
    let failure = |error: io::Error| Failure::World(format!("{editor}: {error}"));
    let mut file = tempfile::Builder::new().prefix("reqgate-").suffix(suffix).tempfile().map_err(failure)?;
    file.write_all(text.as_bytes()).map_err(failure)?;
    // The variable may hold flags, as in `code --wait`; no shell reads it.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program).args(words).arg(file.path()).status().map_err(failure)?;
    if !status.success() {
        return Err(Failure::World(format!("{editor} failed; nothing was answered")));
    }
    fs::read_to_string(file.path()).map_err(failure)
}

/// The first usual editor on the path.
fn installed() -> Option<String> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let is_there = |name: &&str| folders.iter().any(|folder| folder.join(name).is_file());
    EDITORS.into_iter().find(is_there).map(str::to_owned)
}

/// Asks a question; `None` if the person leaves. A line that is not text is asked for again. Keys that a terminal sends as control
/// sequences, such as the arrows, are ignored.
pub(super) fn line(prompt: &str, said: &Words) -> Result<Option<String>, Failure> {
    let failure = |error: io::Error| Failure::World(format!("the terminal: {error}"));
    loop {
        // A letter stays with its word.
        let prompt = wrapped(&prompt.replace("] ", "]\u{a0}")).replace('\u{a0}', " ");
        print!("{prompt} ");
        io::stdout().flush().map_err(failure)?;
        let mut bytes = Vec::new();
        let count = io::stdin().lock().read_until(b'\n', &mut bytes).map_err(failure)?;
        if count == 0 {
            return Ok(None);
        }
        let Ok(text) = String::from_utf8(bytes) else {
            println!("{}", wrapped(said.not_text));
            continue;
        };
        let text = text.trim();
        let typed = without_keys(text);
        if typed.len() < text.len() {
            println!("{}", wrapped(&format!("{}{typed}", said.keys_left_out)));
        }
        return Ok(Some(typed.trim().to_owned()));
    }
}

/// A line without control sequences and other control characters.
fn without_keys(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // `ESC [ 1 ; 5 D`, `ESC O P`: everything up to the letter that ends it.
            if chars.next_if(|next| matches!(next, '[' | 'O')).is_some() {
                while chars.next_if(|next| next.is_ascii_digit() || *next == ';').is_some() {}
                chars.next();
            }
        } else if !c.is_control() || c == '\t' {
            out.push(c);
        }
    }
    out
}

/// The reply to a question for words.
pub(super) enum Typed {
    /// Enter without any words.
    Nothing,
    Words(String),
    /// The wish to go back to the question before.
    Back,
    /// The wish to leave.
    Leave,
}

/// Asks for words, on a separate line, and explains the question on request.
pub(super) fn typed(prompt: &str, help: &str, said: &Words) -> Result<Typed, Failure> {
    loop {
        let Some(text) = line(&format!("{prompt}\n>"), said)? else { return Ok(Typed::Leave) };
        let lower = text.to_lowercase();
        return Ok(match lower.as_str() {
            "q" => Typed::Leave,
            "" => Typed::Nothing,
            word if HELPS.has(word) => {
                println!("{}", wrapped(help));
                continue;
            }
            word if BACKS.has(word) => Typed::Back,
            _ => Typed::Words(text),
        });
    }
}

/// Asks for words until some are given, or the person goes back or leaves.
pub(super) fn needed(prompt: &str, said: &Words) -> Result<Typed, Failure> {
    let mut given = typed(prompt, said.needed, said)?;
    while matches!(given, Typed::Nothing) {
        given = typed(said.needed, said.needed, said)?;
    }
    Ok(given)
}

/// Asks for a reason in at least a few words, with the option to go back.
pub(super) fn reason(prompt: &str, said: &Words) -> Result<Typed, Failure> {
    loop {
        match typed(&format!("{prompt}\n{}", said.few_words), said.few_words, said)? {
            Typed::Words(text) if !says_why(&text) => {}
            given => return Ok(given),
        }
    }
}

/// The fewest words of a reason, and the fewest characters of a Chinese one.
const FEWEST_WORDS: usize = 3;
const FEWEST_CHARACTERS: usize = 8;

/// Returns true for words that can be a reason: three of them, or eight Chinese characters.
fn says_why(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
    words.count() >= FEWEST_WORDS || text.chars().filter(|c| is_cjk(*c)).count() >= FEWEST_CHARACTERS
}

/// Asks something that is agreed to with `y`.
pub(super) fn agrees(prompt: &str, said: &Words) -> Result<bool, Failure> {
    Ok(line(prompt, said)?.is_some_and(|text| matches!(text.to_lowercase().as_str(), "y" | "yes" | "是")))
}

/// The reply to a choice between several ways.
pub(super) enum Chosen {
    /// The way of a letter.
    Way(char),
    /// The wish to go back to the question before.
    Back,
    /// The wish to leave.
    Leave,
}

/// Asks for one of these letters if the person cannot go back to an earlier question; `None` if the person leaves.
pub(super) fn choice(prompt: &str, letters: &str, said: &Words) -> Result<Option<char>, Failure> {
    loop {
        match chosen(prompt, letters, said)? {
            Chosen::Way(letter) => return Ok(Some(letter)),
            Chosen::Leave => return Ok(None),
            Chosen::Back => println!("{}", wrapped(said.no_way_back)),
        }
    }
}

/// Asks for one of these letters, or the word that a letter begins in the prompt. The ways of other letters are not offered.
pub(super) fn chosen(prompt: &str, letters: &str, said: &Words) -> Result<Chosen, Failure> {
    let prompt = offered(prompt, letters);
    loop {
        let Some(text) = line(&prompt, said)?.map(|text| text.to_lowercase()) else { return Ok(Chosen::Leave) };
        match letter_of(&text, &prompt) {
            Some('q') => return Ok(Chosen::Leave),
            Some(letter) if letters.contains(letter) => return Ok(Chosen::Way(letter)),
            _ if BACKS.has(&text) => return Ok(Chosen::Back),
            _ => {
                let known: Vec<String> = letters.chars().chain(['q']).map(String::from).collect();
                println!("{}{}", said.one_of, known.join(", "));
            }
        }
    }
}

/// A prompt with the ways of these letters alone, and with the way out.
fn offered(prompt: &str, letters: &str) -> String {
    let comma = if prompt.contains('，') { "，" } else { ", " };
    let letter = |way: &str| way.split_once('[').and_then(|(_, rest)| rest.chars().next());
    let is_offered = |way: &&str| letter(way).is_none_or(|letter| letter == 'q' || letters.contains(letter));
    prompt.split(comma).filter(is_offered).collect::<Vec<_>>().join(comma)
}

/// The letter that the person typed, or that of a way typed in full: `approve` for `[a]pprove`.
pub(super) fn letter_of(text: &str, prompt: &str) -> Option<char> {
    let mut chars = text.chars();
    if let (Some(letter), None) = (chars.next(), chars.next()) {
        return Some(letter);
    }
    let mut ways = prompt.split([',', '，']).map(|way| way.trim().trim_end_matches([':', '：']));
    let is_it = |way: &&str| {
        let bare = way.replace(['[', ']'], "");
        bare.trim() == text || way.split_once(']').is_some_and(|(_, words)| words.trim() == text)
    };
    ways.find(is_it)?.split_once('[')?.1.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_terminal_are_not_part_of_the_words() {
        assert_eq!(without_keys("at\u{1b}[D\u{1b}[1;5C most\u{1b}OP 5\u{7}"), "at most 5");
        assert_eq!(without_keys("最多 5 张"), "最多 5 张");
    }

    #[test]
    fn a_letter_or_its_whole_word_is_an_answer_and_other_words_are_not() {
        let prompt = "[a]pprove, [c]hange, approve a[l]l the rest, [q]uit:";
        for (text, letter) in [
            ("a", Some('a')),
            ("change", Some('c')),
            ("approve all the rest", Some('l')),
            ("quit", Some('q')),
            ("agents copy rows", None),
            ("everything is wrong", None),
        ] {
            assert_eq!(letter_of(text, prompt), letter, "{text}");
        }
        assert_eq!(letter_of("批准", "[a] 批准，[q] 退出："), Some('a'));
    }

    #[test]
    fn only_ways_that_can_be_taken_are_offered() {
        let prompt = "[a]pprove, [c]hange, approve a[l]l the rest, [q]uit:";
        assert_eq!(offered(prompt, "acl"), prompt);
        assert_eq!(offered(prompt, "al"), "[a]pprove, approve a[l]l the rest, [q]uit:");
        assert_eq!(offered("[a] 批准，[c] 要求修改，[q] 退出：", "a"), "[a] 批准，[q] 退出：");
    }

    #[test]
    fn a_reason_says_something() {
        assert!(says_why("a pilot first") && says_why("先在两家门店试用看看"));
        assert!(!says_why("e") && !says_why("a pilot") && !says_why("- - -") && !says_why("算了"));
    }
}
