//! Splits a source into units: sentences joined across wrapped lines, and the separate messages of a chat.

use std::sync::LazyLock;

use regex::Regex;

use super::Collector;
use super::courtesies::courtesies;
use crate::layouts::sentences::{plain, substance};
use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::conversations::{ASSENT, ATTENDANCE, RANKS};

/// The fewest content words of a statement without a figure.
const FEWEST_WORDS: usize = 2;
/// The most content words of a remark in brackets that is not a statement.
const MOST_WORDS_ASIDE: usize = 3;

/// The author and time before a message: `Tom 15:01  `, 陈晨 14:02：, `**Ana Ruiz** (mobile) 2026-10-14 08:30`; or the
/// time and author: `[Thu 09:12] Colm: `, 7月14日 09:31 沈律：.
static TURN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^\s*\*{0,2}\p{L}[\p{L}.'’-]*(?:\ \p{L}[\p{L}.'’-]*){0,2}
          (?:\s*[(（][^()（）\n]{1,30}[)）])?\*{0,2}(?:\s*[(（][^()（）\n]{1,30}[)）])?
          \s+(?:(?:\d{4}-)?\d{1,2}[-/]\d{1,2}(?:\s+\d{1,2}:\d{2})?|\d{1,2}:\d{2}(?::\d{2})?)
          (?:\s*[:：]\s*|\s{2,}|\s*$)
        |^\s*[\[【(（]?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+|(?:周|星期).\s*)?
          (?:(?:\d{4}\s*[-/.年]\s*)?\d{1,2}\s*[-/.月]\s*\d{1,2}日?[,，]?\s*)?
          \d{1,2}[:：]\d{2}(?::\d{2})?[\]】)）]?\s*[-–]?\s*\*{0,2}[@\p{L}][\p{L}.'’-]*(?:\ \p{L}[\p{L}.'’-]*){0,2}
          (?:\s*[(（][^()（）\n]{1,30}[)）])?\*{0,2}\s*[:：]\*{0,2}\s*",
    )
    .expect("a constant")
});

/// A numbered heading or item, and its text: `1. Why`, 一、流程.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\d{1,2}[.)、．]|[一二三四五六七八九十]{1,3}[、.．])\s*(\S.*)$").expect("a constant")
});
/// The longest numbered heading: in words and, for Chinese, in characters.
const MOST_WORDS_IN_HEADING: usize = 5;
const MOST_CHARACTERS_IN_HEADING: usize = 14;

/// A name with a role in brackets: `Marta (product)`, 陆嘉（产品）.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}|\p{Han}{2,4})\s*[(（]").expect("a constant")
});

/// A unit of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    /// The location in the text, without the author of the message unless the unit is bare.
    pub(super) span: Span,
    /// The unit is not a statement, but assent, a name, a date or the head of a document.
    pub(super) is_bare: bool,
}

impl Collector<'_> {
    /// Returns the units of a text without its headings: the sentences, and the first line of each block of code or log.
    pub(super) fn statements(&self, text: &str) -> Vec<Statement> {
        let reading = self.reader.read(text, None);
        let mut out: Vec<Statement> = Vec::new();
        let mut block_before = None;
        for sentence in reading.sentences.iter().filter(|sentence| sentence.genre != Genre::Heading) {
            let is_head = sentence.role == SectionRole::Metadata || sentence.genre == Genre::Title;
            for span in turns(text, sentence.span) {
                let goes_on = block_before == Some(sentence.block) && !begins_turn(text, span);
                let joined = out.last_mut().filter(|last| goes_on && is_wrapped(text, last.span, span));
                match joined {
                    Some(last) => last.span.end = span.end,
                    // The first message of a chat looks like a title.
                    None => out.push(Statement { span, is_bare: is_head && !begins_turn(text, span) }),
                }
                block_before = Some(sentence.block);
            }
        }
        let first_line = |span: Span| {
            let line = span.slice(text).lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric));
            line.and_then(|line| {
                let at = span.start + span.slice(text).find(line)?;
                Some(Statement { span: Span::new(at, at + line.len()), is_bare: false })
            })
        };
        let code = reading.blocks.iter().filter(|block| block.is_code());
        out.extend(code.filter_map(|block| first_line(block.text)));
        for said in &mut out {
            let words = without_speaker(text, said.span);
            let said_here = words.slice(text);
            // The first message of a chat is where a title would be.
            let asks_in_turn = begins_turn(text, said.span) && asks(said_here);
            let line = text[..said.span.start].rfind('\n').map_or(0, |feed| feed + 1);
            let is_heading = is_numbered_heading(text, line) && !said.span.slice(text).contains('\n');
            said.is_bare = said.is_bare && !asks_in_turn
                || is_bare(said_here)
                || is_heading
                || names_attendants(said_here)
                || !said_here.contains('\n') && !courtesies(said_here).is_empty();
            // A bare word has a meaning only together with its author.
            said.span = if said.is_bare { said.span } else { words };
        }
        out.sort_by_key(|said| said.span.start);
        out
    }
}

/// The parts of a sentence, cut at each line that begins another message of a chat.
fn turns(text: &str, sentence: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut start = sentence.start;
    for (at, _) in sentence.slice(text).match_indices('\n') {
        let next = sentence.start + at + 1;
        let line = text[..next - 1].rfind('\n').map_or(0, |feed| feed + 1);
        if begins_turn(text, Span::new(next, sentence.end)) || is_numbered_heading(text, line) {
            out.push(Span::new(start, next).trimmed(text));
            start = next;
        }
    }
    out.push(Span::new(start, sentence.end).trimmed(text));
    out.retain(|span| span.start < span.end);
    out
}

/// Returns true if a span begins with an author at the start of its line.
fn begins_turn(text: &str, span: Span) -> bool {
    let begins_line = text[..span.start].trim_end_matches([' ', '\t']).ends_with('\n') || span.start == 0;
    begins_line && TURN.is_match(span.slice(text).lines().next().unwrap_or_default())
}

/// The span without the author before its text; a span that has only the author is kept.
fn without_speaker(text: &str, span: Span) -> Span {
    let first = span.slice(text).lines().next().unwrap_or_default();
    let length = TURN.find(first).filter(|_| begins_turn(text, span)).map_or(0, |found| found.end());
    let rest = Span::new(span.start + length, span.end).trimmed(text);
    if rest.start < rest.end { rest } else { span }
}

/// Returns true for a line such as `2. Cut-off` or 二、提前多久 that begins a part: it is not a sentence, and no item of
/// the same list follows or precedes it.
fn is_numbered_heading(text: &str, line: usize) -> bool {
    let mut lines = text[line..].lines();
    let (heading, next) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let Some(words) = NUMBERED.captures(heading.trim_end()).and_then(|found| found.get(1)) else { return false };
    let words = words.as_str();
    let is_short = match words.contains(is_cjk) {
        true => words.chars().count() <= MOST_CHARACTERS_IN_HEADING,
        false => words.split_whitespace().count() <= MOST_WORDS_IN_HEADING,
    };
    let begins_part = text[..line]
        .strip_suffix('\n')
        .is_none_or(|above| above.rsplit('\n').next().is_none_or(|line| line.trim().is_empty()));
    let goes_on = !next.trim().is_empty() && !next.starts_with([' ', '\t']) && !NUMBERED.is_match(next);
    let ends_sentence = words.ends_with(['.', '。', '?', '？', '!', '！', ':', '：', ',', '，', ';', '；']);
    is_short && begins_part && goes_on && !ends_sentence && !words.contains(|c: char| c.is_ascii_digit())
}

/// Returns true for a list of attendees: "There: Marta (product), Devon (backend)", 参加：陆嘉（产品）、何川（后端）.
fn names_attendants(words: &str) -> bool {
    let Some((label, names)) = words.split_once([':', '：']) else { return false };
    ATTENDANCE.has(&label.trim().to_lowercase()) && NAMED.is_match(names)
}

/// Returns true if a sentence continues in the next line of its block.
fn is_wrapped(text: &str, before: Span, next: Span) -> bool {
    let (Some(last), Some(between)) = (before.slice(text).chars().last(), text.get(before.end..next.start)) else {
        return false;
    };
    let line = text[..before.start].rfind('\n').map_or(0, |feed| feed + 1);
    if is_numbered_heading(text, line) && !before.slice(text).contains('\n') {
        return false;
    }
    (is_cjk(last) || matches!(last, '，' | '、' | '；' | '：'))
        && between.trim().is_empty()
        && between.matches('\n').count() == 1
}

/// Returns true for text without a statement: "OK.", 哈哈哈, "(laughter)", "Ana Ruiz (Product)", `2026-10-14`.
fn is_bare(words: &str) -> bool {
    let words = plain(words);
    let bare =
        words.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | '（' | ')' | '）')).to_lowercase();
    let has_figure = words.contains(|c: char| c.is_ascii_digit());
    let is_aside = bare.starts_with(['(', '（'])
        && bare.ends_with([')', '）'])
        && bare.matches(['(', '（']).count() == 1
        && !has_figure
        && substance(&words) <= MOST_WORDS_ASIDE;
    let is_laughter = !bare.is_empty() && bare.chars().all(|c| matches!(c, '哈' | '呵' | '嘿' | '嗯' | 'h' | 'a'));
    let states_nothing = is_aside
        || is_laughter
        || only_names(&words)
        || TURN.find(&words).is_some_and(|found| found.end() == words.len())
        || substance(&words) < FEWEST_WORDS && !has_figure
        || has_figure && substance(&without_dates(&words)) == 0;
    ASSENT.has(&bare) || states_nothing && !asks(&words)
}

fn asks(words: &str) -> bool {
    words.trim_end().ends_with(['?', '？', '吗', '呢'])
}

/// The text without its dates and times.
fn without_dates(words: &str) -> String {
    static DATES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\d{4}[-/.年]\s*\d{1,2}[-/.月]\s*\d{1,2}日?|\d{1,2}:\d{2}(?::\d{2})?").expect("a constant")
    });
    DATES.replace_all(words, " ").into_owned()
}

/// Returns true for names with roles in brackets: "Ana Ruiz (Product)", 周敏（产品）、李强（门店运营）.
fn only_names(words: &str) -> bool {
    static ROLES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s*[(（][^()（）]{1,40}[)）]").expect("a constant"));
    let without_roles = ROLES.replace_all(words.trim_end_matches(['.', '。']), "");
    // "Excel Export (must), Audit Log (should)" lists requests, not people.
    let mut in_brackets =
        ROLES.find_iter(words).map(|found| found.as_str().trim_matches(|c: char| !c.is_alphanumeric()));
    if in_brackets.any(|role| RANKS.has(&role.to_lowercase())) {
        return false;
    }
    let has_roles = without_roles.len() < words.trim_end_matches(['.', '。']).len();
    let names: Vec<&str> = without_roles.split([',', '，', '、', ';', '；']).map(str::trim).collect();
    let latin = |name: &str| {
        let mut parts = name.split(' ');
        (2..=3).contains(&name.split(' ').count())
            && parts.all(|part| {
                part.starts_with(char::is_uppercase) && part.chars().skip(1).all(|c| c.is_lowercase() || c == '-')
            })
    };
    let chinese = |name: &str| name.chars().all(is_cjk) && (2..=4).contains(&name.chars().count());
    has_roles && names.iter().all(|name| latin(name) || chinese(name))
}

#[cfg(test)]
mod tests {
    use super::is_bare;
    use crate::collect::Collector;

    fn said(text: &str) -> Vec<String> {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let collector = Collector::new(&reader);
        collector.statements(text).into_iter().map(|said| said.span.slice(text).to_owned()).collect()
    }

    #[test]
    fn a_chat_is_read_turn_by_turn() {
        let chat = "Tom 15:01  for the upload: photo = JPEG and HEIC? plus PDF\nPriya 15:02  JPEG, PNG, PDF. HEIC gets converted \
                    by the app\nHannah 15:02  good\n";
        let units = said(chat);
        assert!(units.contains(&"plus PDF".to_owned()), "{units:#?}");
        assert!(units.contains(&"HEIC gets converted by the app".to_owned()), "{units:#?}");
        assert!(units.contains(&"good".to_owned()), "{units:#?}");
        let chinese = said("陈晨 14:02：试点门店的名单有吗\n李强 14:03：12 家改 8 家，有 4 家在装修\n");
        assert_eq!(chinese, ["试点门店的名单有吗", "12 家改 8 家，有 4 家在装修"]);
    }

    #[test]
    fn an_export_of_a_chat_names_the_time_first() {
        let chat = "[Thu 11:17] Marta: push and email. no SMS\n[Thu 11:18] Sunniva: quiet hours?\n";
        assert_eq!(said(chat), ["push and email.", "no SMS", "quiet hours?"]);
        let chinese = "7月14日 09:31 沈律：180天没依据，建议90天\n7月14日 09:33 老邱：90天够\n2026-07-14 09:34 陆嘉：好，保存90天\n";
        assert_eq!(said(chinese), ["180天没依据，建议90天", "90天够", "好，保存90天"]);
    }

    #[test]
    fn headings_attendants_and_thanks_are_bare() {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let collector = Collector::new(&reader);
        let text = "There: Marta (product), Devon (backend)\n\n1. Cut-off of a swap\nManagers need more time.\n\n[Thu 10:03] Joan: thank you Colm\n\n\
                    二、提前多久\n30天太长。改成14天。\n\n参加：陆嘉（产品）、何川（后端）\n";
        let bare = |wanted: bool| -> Vec<String> {
            let found = collector.statements(text).into_iter().filter(|said| said.is_bare == wanted);
            found.map(|said| said.span.slice(text).trim_start_matches("1. ").to_owned()).collect()
        };
        assert_eq!(bare(false), ["Managers need more time.", "30天太长。", "改成14天。"], "{:?}", bare(true));
        let list = "# Share a report\n\n1. Expired links show a message\n2. Owners withdraw their links\n";
        let bare = collector.statements(list).iter().filter(|said| said.is_bare).count();
        assert_eq!(bare, 1, "the title alone: items of a list are no headings");
    }

    #[test]
    fn a_wrapped_sentence_is_whole() {
        let units = said(
            "# 退货\n\n## 背景\n\n现在顾客只能寄回总仓。门店一天平均\n要处理 26 单退货。顾客抱怨退款慢，\n平均要 11 天才到账。\n",
        );
        assert!(units.contains(&"门店一天平均\n要处理 26 单退货。".to_owned()), "{units:#?}");
        assert!(units.contains(&"顾客抱怨退款慢，\n平均要 11 天才到账。".to_owned()), "{units:#?}");
    }

    #[test]
    fn assent_names_and_dates_state_nothing() {
        for words in [
            "OK.",
            "Right.",
            "Agreed.",
            "hm",
            "ty",
            "Good question.",
            "(laughter)",
            "哈哈哈",
            "（众笑）",
            "同意",
            "可以",
            "Hannah Osei (Product, Fleet)",
            "Hannah Osei (PM), Priya Nair (backend)",
            "周敏（产品）、李强（门店运营）",
            "2026-10-12",
            "2026-09-18",
            "**Marcus Bell** 2026-10-13 09:12",
            "先记下来。",
        ] {
            assert!(is_bare(words), "{words}");
        }
        for words in [
            "60 days is too early.",
            "The gateway limit is 12.",
            "York joins in January.",
            "二维码 7 天太短",
            "Marcus to give a clean CSV.",
            "门店打包，每天由物流统一取走。",
            "那 10 天？",
            "Excel export of the list",
            "Export Orders, Import Orders",
            "(Rows older than 10 years are deleted at night.)",
            "(Refunds need a second approval by a supervisor.)",
            "Excel Export (must), Audit Log (should)",
            "导出（必须）、打印（可选）",
            "试点门店的名单有吗",
        ] {
            assert!(!is_bare(words), "{words}");
        }
    }
}
