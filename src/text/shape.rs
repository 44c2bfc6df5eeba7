//! Counts words and the shape of a text: the raw material of learned weights.
//!
//! Words are those of English prose, title and body apart; code, addresses and comments of templates are left out. One pass.

use super::blocks::BlockKind;
use super::lexicon::is_cjk;
use super::reading::Reading;
use crate::model::{Language, Span};

/// At most this many words of the body count; the rest of a long text says little new.
const MOST_WORDS: usize = 400;

/// Where there is no title the first sentence stands for one, up to so many bytes.
const LONGEST_TITLE: usize = 120;

const CURLY_APOSTROPHE: char = '’';

/// A measure: its name, and how much of it there is. Counts are on a logarithmic scale, shares are 0 to 1.
pub type Measure = (&'static str, f64);

/// The words and measures of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Lower-case words, `t:` before those of the title and `b:` before those of the body, in order and each once.
    pub words: Vec<String>,
    /// The measures, in a fixed order.
    pub measures: Vec<Measure>,
}

impl Shape {
    /// Measures a text.
    pub fn of(text: &str, reading: &Reading) -> Self {
        let mut tally = Tally::default();
        // People name a ticket first, whether or not they set the name apart.
        let first = || reading.sentences.first().map(|sentence| opening(text, sentence.span));
        let titled = reading.title.or_else(first);
        let title = titled.map(|title| title.slice(text)).unwrap_or_default();
        let mut words = WordSet::default();
        each_word(title, &mut |word| {
            words.add("t:", word);
            true
        });
        let mut counted = 0;
        for block in &reading.blocks {
            let span = behind(block.span, titled);
            let part = span.slice(text);
            match block.kind {
                BlockKind::FrontMatter | BlockKind::HtmlComment | BlockKind::MailHeader => continue,
                BlockKind::Code | BlockKind::Log => {
                    tally.code += part.len();
                    tally.logs += usize::from(block.kind == BlockKind::Log || part.contains("Traceback"));
                    continue;
                }
                // A tracker keeps the title apart, where it is not a heading.
                BlockKind::Heading(_) => tally.headings += usize::from(reading.title != Some(block.text)),
                BlockKind::ListItem => {
                    tally.items += 1;
                    tally.numbered += usize::from(block.ordered);
                    tally.boxes += usize::from(block.checked.is_some());
                }
                BlockKind::TableRow { .. } => tally.rows += 1,
                BlockKind::Paragraph | BlockKind::Turn => {}
            }
            tally.take(part);
            if counted < MOST_WORDS {
                each_word(part, &mut |word| {
                    counted += 1;
                    words.add("b:", word);
                    counted < MOST_WORDS
                });
            }
        }
        // An empty heading and blank lines at the end say nothing.
        tally.end = reading.blocks.last().map_or(0, |last| last.span.end);
        tally.unfilled = reading.sentences.iter().filter(|sentence| sentence.is_placeholder).count();
        Self { words: words.in_order(), measures: tally.measures(text, title) }
    }
}

/// Words while they are gathered: one behind the other in one text, so that only those that are kept take a text of their own.
#[derive(Default)]
struct WordSet {
    text: String,
    /// The first bytes of each word as a number, by which most are told apart, and where it stands.
    words: Vec<(u64, Span)>,
}

impl WordSet {
    fn add(&mut self, mark: &str, word: &str) {
        let start = self.text.len();
        self.text.push_str(mark);
        self.text.push_str(word);
        let span = Span::new(start, self.text.len());
        let mut first = [0; 8];
        first.iter_mut().zip(span.slice(&self.text).bytes()).for_each(|(place, byte)| *place = byte);
        self.words.push((u64::from_be_bytes(first), span));
    }

    /// The words in order and each once.
    fn in_order(self) -> Vec<String> {
        let Self { text, mut words } = self;
        words.sort_unstable_by(|(a, first), (b, second)| {
            a.cmp(b).then_with(|| first.slice(&text).cmp(second.slice(&text)))
        });
        words.dedup_by(|(_, later), (_, earlier)| later.slice(&text) == earlier.slice(&text));
        words.into_iter().map(|(_, span)| span.slice(&text).to_owned()).collect()
    }
}

/// The beginning of a sentence that is short enough for a title: to its last clause, else its last word, that fits.
fn opening(text: &str, sentence: Span) -> Span {
    if sentence.len() <= LONGEST_TITLE {
        return sentence;
    }
    let words = &sentence.slice(text)[..sentence.slice(text).floor_char_boundary(LONGEST_TITLE)];
    let clause = words
        .rfind(['，', '；', '：', '、'])
        .or_else(|| [", ", ": ", "; ", " - "].iter().filter_map(|end| words.rfind(end)).max());
    let end = clause.or_else(|| words.rfind(' ')).filter(|end| *end > 0).unwrap_or(words.len());
    Span::new(sentence.start, sentence.start + end)
}

/// The part of a span behind the title, where the title stands in it.
fn behind(span: Span, title: Option<Span>) -> Span {
    match title {
        Some(title) if span.start <= title.start && title.start < span.end => {
            Span { start: title.end.clamp(span.start, span.end), end: span.end }
        }
        _ => span,
    }
}

/// Calls `take` with each word until it returns false. Words in backticks are `code`, addresses are `url`, long numbers `#`.
fn each_word(text: &str, take: &mut impl FnMut(&str) -> bool) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut word = String::new();
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'`'
            && let Some(length) = bytes[at + 1..].iter().take(200).position(|b| matches!(b, b'`' | b'\n'))
            && bytes[at + 1 + length] == b'`'
        {
            at += length + 2;
            if length > 0 && !take("code") {
                return;
            }
        } else if byte == b'h' && (bytes[at..].starts_with(b"http://") || bytes[at..].starts_with(b"https://")) {
            at += bytes[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - at);
            if !take("url") {
                return;
            }
        } else if byte.is_ascii_alphabetic() {
            word.clear();
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'a'..=b'z' | b'A'..=b'Z' => word.push(char::from(byte.to_ascii_lowercase())),
                    // Left out, as people in a hurry leave it out.
                    b'\'' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {}
                    _ if text[at..].starts_with(CURLY_APOSTROPHE) => at += CURLY_APOSTROPHE.len_utf8() - 1,
                    _ => break,
                }
                at += 1;
            }
            if (2..=24).contains(&word.len()) && !take(&word) {
                return;
            }
        } else if byte.is_ascii_digit() {
            let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = if digits <= 2 { &text[at..at + digits] } else { "#" };
            at += digits;
            if !take(number) {
                return;
            }
        } else {
            at += 1;
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    bytes: usize,
    words: usize,
    lines: usize,
    code: usize,
    logs: usize,
    headings: usize,
    items: usize,
    numbered: usize,
    boxes: usize,
    rows: usize,
    unfilled: usize,
    asks: usize,
    shouts: usize,
    links: usize,
    inline: usize,
    names: usize,
    digits: usize,
    quotes: usize,
    parentheses: usize,
    colons: usize,
    capitals: usize,
    wide: usize,
    ends: usize,
    small_i: bool,
    dots: bool,
    /// Bytes up to the end of the last block.
    end: usize,
}

impl Tally {
    fn take(&mut self, prose: &str) {
        self.bytes += prose.len();
        self.lines += prose.lines().filter(|line| !line.trim().is_empty()).count();
        self.dots |= prose.contains("...") || prose.contains('…');
        for word in prose.split_whitespace() {
            self.words += 1;
            self.small_i |= word == "i";
            if word.as_bytes().contains(&b':') && word.contains("://") {
                self.links += 1;
                continue;
            }
            self.names += usize::from(is_name(word));
            self.capitals += usize::from(word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase()));
            self.ends += usize::from(word.ends_with(['.', '!', '?', '。', '！', '？']));
        }
        let mut ticks = 0;
        for (at, byte) in prose.bytes().enumerate() {
            match byte {
                b'?' => self.asks += 1,
                b'!' => self.shouts += 1,
                b'`' => ticks += 1,
                b'0'..=b'9' => self.digits += 1,
                b'"' => self.quotes += 1,
                b'(' => self.parentheses += 1,
                b':' => self.colons += 1,
                // The first byte of a longer character.
                0xc0.. => self.take_wide(&prose[at..]),
                _ => {}
            }
        }
        self.inline += ticks / 2;
    }

    /// Counts the character with which a stretch begins, one beyond ASCII.
    fn take_wide(&mut self, prose: &str) {
        match prose.chars().next() {
            Some('？') => self.asks += 1,
            Some('！') => self.shouts += 1,
            Some('“' | '「') => self.quotes += 1,
            Some('（') => self.parentheses += 1,
            Some('：') => self.colons += 1,
            Some(c) if is_cjk(c) => self.wide += 1,
            _ => {}
        }
    }

    fn measures(&self, text: &str, title: &str) -> Vec<Measure> {
        let log = |count: usize| (1.0 + count as f64).ln();
        let share = |part: usize, whole: usize| part as f64 / (whole + 1) as f64;
        let yes = |seen: bool| f64::from(u8::from(seen));
        // Two Chinese characters are about one word.
        let words = self.words + self.wide / 2;
        let title_words = title.split_whitespace().count() + title.chars().filter(|c| is_cjk(*c)).count() / 2;
        let picture = ["![", "<img", ".png", ".jpg", ".gif"].iter().any(|mark| text.contains(mark));
        let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let version = text.match_indices('.').any(|(at, _)| at > 0 && digit(at - 1) && digit(at + 1));
        vec![
            ("length", log(self.end)),
            ("prose", log(self.bytes)),
            ("words", log(words)),
            ("lines", log(self.lines)),
            ("code", log(self.code)),
            ("has-code", yes(self.code > 0)),
            ("code-share", share(self.code, self.end)),
            ("logs", yes(self.logs > 0)),
            ("title-length", log(title.len())),
            ("title-words", log(title_words)),
            ("title-asks", yes(title.contains(['?', '？']))),
            ("title-names", yes(title.split_whitespace().any(is_name))),
            ("title-part", yes(title.contains(": ") || title.starts_with('['))),
            ("headings", log(self.headings)),
            ("items", log(self.items)),
            ("numbered", log(self.numbered)),
            ("boxes", log(self.boxes)),
            ("rows", log(self.rows)),
            ("unfilled", log(self.unfilled)),
            ("no-response", log(text.matches("_No response_").count())),
            ("questions", log(self.asks)),
            ("exclamations", log(self.shouts)),
            ("links", log(self.links)),
            ("picture", yes(picture)),
            ("inline-code", log(self.inline)),
            ("names", log(self.names)),
            ("names-share", share(self.names, self.words)),
            ("digits", log(self.digits)),
            ("version", yes(version)),
            ("quotes", log(self.quotes)),
            ("parentheses", log(self.parentheses)),
            ("colons", log(self.colons)),
            ("capitals-share", share(self.capitals, self.words)),
            ("chinese-share", share(self.wide * 3, self.bytes)),
            ("below-3-words", yes(words < 3)),
            ("below-15-words", yes(words < 15)),
            ("below-30-words", yes(words < 30)),
            ("below-60-words", yes(words < 60)),
            ("below-120-words", yes(words < 120)),
            ("dots", yes(self.dots)),
            ("small-i", yes(self.small_i)),
            ("line-length", log(self.bytes / (self.lines + 1))),
            ("sentence-length", log(words / (self.ends + 1))),
        ]
    }
}

/// What each measure is, in English and Chinese.
const SAYS: &[(&str, &str, &str)] = &[
    ("length", "the length of the text", "正文的长度"),
    ("prose", "how much of it is prose", "叙述文字的多少"),
    ("words", "the number of words", "字数"),
    ("lines", "the number of lines", "行数"),
    ("code", "how much code it holds", "代码的多少"),
    ("has-code", "whether it holds code", "有没有代码"),
    ("code-share", "the share of code", "代码所占比例"),
    ("logs", "whether it holds a log", "有没有日志"),
    ("title-length", "the length of the title", "标题的长度"),
    ("title-words", "the number of words in the title", "标题的字数"),
    ("title-asks", "whether the title asks", "标题是不是问句"),
    ("title-names", "whether the title names something in the code", "标题有没有代码里的名称"),
    ("title-part", "whether the title names a part of the product", "标题有没有指明模块"),
    ("headings", "the number of headings", "小标题的个数"),
    ("items", "the number of list items", "列表项的个数"),
    ("numbered", "the number of numbered items", "编号项的个数"),
    ("boxes", "the number of checkboxes", "勾选框的个数"),
    ("rows", "the number of table rows", "表格的行数"),
    ("unfilled", "the number of places that nobody filled in", "没有填写的地方"),
    ("no-response", "the number of fields without an answer", "没有回答的字段"),
    ("questions", "the number of question marks", "问号的个数"),
    ("exclamations", "the number of exclamation marks", "感叹号的个数"),
    ("links", "the number of links", "链接的个数"),
    ("picture", "whether there is a picture", "有没有图片"),
    ("inline-code", "how much is marked as code", "行内代码的多少"),
    ("names", "the number of names of the code", "代码名称的个数"),
    ("names-share", "the share of names of the code", "代码名称所占比例"),
    ("digits", "the number of digits", "数字的多少"),
    ("version", "whether a version is named", "有没有版本号"),
    ("quotes", "how much is quoted", "引用文字的多少"),
    ("parentheses", "the number of asides in parentheses", "括号的个数"),
    ("colons", "the number of colons", "冒号的个数"),
    ("capitals-share", "the share of words in capitals", "全大写单词所占比例"),
    ("chinese-share", "the share of Chinese", "中文所占比例"),
    ("below-3-words", "whether it has fewer than 3 words", "是否不足 3 个词"),
    ("below-15-words", "whether it has fewer than 15 words", "是否不足 15 个词"),
    ("below-30-words", "whether it has fewer than 30 words", "是否不足 30 个词"),
    ("below-60-words", "whether it has fewer than 60 words", "是否不足 60 个词"),
    ("below-120-words", "whether it has fewer than 120 words", "是否不足 120 个词"),
    ("dots", "whether sentences trail off", "有没有省略号"),
    ("small-i", "whether it is written in haste", "是否写得随意"),
    ("line-length", "the length of its lines", "行的长度"),
    ("sentence-length", "the length of its sentences", "句子的长度"),
];

/// What a measure is, in words.
pub fn says(measure: &str, language: Language) -> Option<&'static str> {
    let (_, english, chinese) = SAYS.iter().find(|(name, ..)| *name == measure)?;
    Some(language.of(english, chinese))
}

/// True for a word that is written like a name in code: `a_b`, `aB`, `a()`, `a.b(`, `A::b`.
fn is_name(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != ')');
    let pair_is = |pair: &[u8]| match pair {
        [b'a'..=b'z', b'A'..=b'Z'] => true,
        pair => matches!(pair, b"()" | b"::"),
    };
    word.as_bytes().windows(2).any(pair_is) || word.trim_start_matches('_').contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, &mut |word| {
            words.push(word.to_owned());
            true
        });
        words
    }

    #[test]
    fn code_addresses_and_numbers_become_one_word_each() {
        assert_eq!(words("Don't open `a.b` at https://x.test/y?z now"), ["dont", "open", "code", "at", "url", "now"]);
        assert_eq!(words("12 of 2048, v1.2"), ["12", "of", "#", "1", "2"]);
        assert_eq!(words("an `open tick\nstays"), ["an", "open", "tick", "stays"]);
        assert_eq!(words("按钮 save 失败"), ["save"]);
    }

    #[test]
    fn names_in_code_are_told_from_words() {
        for name in ["fooBar", "foo_bar", "run()", "std::env", "`parseDate`"] {
            assert!(is_name(name), "{name}");
        }
        for word in ["Upload", "API", "e.g.", "_", "and/or"] {
            assert!(!is_name(word), "{word}");
        }
    }
}
