//! Counts the text that people wrote: fenced code, pasted logs and the output of tools do not count towards the longest text.

use reqgate_base::model::Span;
use reqgate_text::display_width;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::tool_output::BEGINNINGS;

/// Lines of a stretch that is judged as a whole, and how many of ten must look like output.
const STRETCH: usize = 12;
const MOST_OF_TEN: usize = 6;

/// Characters of a text besides `not_prose` (its code and logs, in order) and stretches of output without a fence.
pub(super) fn of_prose(text: &str, not_prose: &[Span]) -> usize {
    let mut counted = 0;
    let mut place = 0;
    for span in not_prose {
        counted += outside_output(text.get(place..span.start).unwrap_or(""));
        place = span.end.max(place);
    }
    counted + outside_output(text.get(place..).unwrap_or(""))
}

/// A run of letters and digits longer than this is encoded data and no word.
const LONGEST_WORD: usize = 60;

/// Columns of a text, and those of them that are encoded data, such as a picture in base64.
pub(super) fn columns(text: &str) -> (usize, usize) {
    let is_encoded = |word: &&str| {
        word.len() > LONGEST_WORD
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'))
    };
    (display_width(text.trim()), text.split_whitespace().filter(is_encoded).map(str::len).sum())
}

/// Returns true if the plain words of a text fill at least `fewest` columns, which its first words show for nearly every text. If it
/// returns false, the columns must be counted.
pub(super) fn surely_has(text: &str, fewest: usize) -> bool {
    let mut columns = 0;
    text.split_ascii_whitespace().any(|word| {
        let may_be_encoded = word.len() > LONGEST_WORD;
        let width = |c: char| match c {
            '\u{4e00}'..='\u{9fff}' => 2,
            _ => usize::from(!may_be_encoded && c.is_ascii_alphabetic()),
        };
        columns += word.chars().map(width).sum::<usize>();
        columns >= fewest
    })
}

fn outside_output(text: &str) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut counted = 0;
    for stretch in lines.chunks(STRETCH) {
        let written: Vec<&str> = stretch.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        let output = || written.iter().filter(|line| is_output(line)).count();
        if written.len() * 2 < STRETCH || output() * 10 < written.len() * MOST_OF_TEN {
            counted += stretch.iter().map(|line| line.chars().count()).sum::<usize>();
        }
    }
    counted
}

fn begins_with(line: &str, head: &str) -> bool {
    line.as_bytes().get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head.as_bytes()))
}

/// Fewest words of a line that is a sentence although it ends as code does.
const SENTENCE: usize = 4;

/// A line of a build, a trace or a dump: it begins as tools begin lines, names files and places, or is hardly words.
fn is_output(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['[', '(', '*', '!', '|', '#', '^', '~', '-', ' ']);
    if BEGINNINGS.iter().any(|head| begins_with(line, head)) {
        return true;
    }
    if is_unspaced(line) {
        return false;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(first) = words.first() else { return true };
    let is_place = first.contains(['.', '/', '\\']) && first.contains([':', '/', '\\', '(']);
    if is_place {
        return true;
    }
    let is_word = |word: &&&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.is_empty()
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '-'))
            && word.chars().skip(1).all(|c| !c.is_uppercase())
    };
    let plain = words.iter().filter(is_word).count();
    let is_sentence = plain >= SENTENCE && plain * 5 >= words.len() * 4;
    plain * 2 < words.len() || line.ends_with([';', '{', '}', '\\']) && !is_sentence
}

/// Returns true if at least a sixth of a line is in a script without spaces between words, such as Chinese or Thai. A sixth is enough
/// because such a line may contain a link.
fn is_unspaced(line: &str) -> bool {
    let (mut all, mut unspaced) = (0, 0);
    for c in line.chars().filter(|c| !c.is_whitespace()) {
        all += 1;
        unspaced += usize::from(is_cjk(c) || matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}'));
    }
    unspaced * 6 >= all && unspaced > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_data_are_no_words() {
        let data = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO";
        assert_eq!(columns(data), (data.len(), data.len()));
        assert_eq!(columns(&format!("导出订单 {data}")), (data.len() + 9, data.len()));
        let link = "https://example.org/a/very/long/address/of/a/page/with/many/parts?and=a&query=string#anchor";
        assert_eq!(columns(link), (link.len(), 0));
    }

    proptest::proptest! {
        #[test]
        fn what_the_first_words_tell_is_so(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                "a", "word", " ", "\n", "\r\n", "导出", "\u{3000}", "é", "e\u{301}", "👨\u{200d}👩", "#\u{fe0f}", "1", "=", "لا",
                "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4", "\u{200b}", "\t",
            ]), 0..24),
            fewest in 0_usize..80,
        ) {
            let text = pieces.concat();
            let (columns, encoded) = columns(&text);
            proptest::prop_assert!(!surely_has(&text, fewest) || columns.saturating_sub(encoded) >= fewest);
        }
    }

    #[test]
    fn code_does_not_count() {
        assert_eq!(of_prose("abc```de```f", &[Span::new(3, 11)]), 4);
    }

    #[test]
    fn a_build_that_nobody_fenced_does_not_count() {
        let build = "[ 12%] Building CXX object src/core/CMakeFiles/core.dir/ring_buffer.cpp.o\nsrc/core/ring_buffer.cpp:88:14: \
                     error: no member named 'clamp' in namespace 'std'\n  return std::clamp(value, low, high);\n         ~~~~~^\n";
        let told = "The build fails on the new compiler.\n";
        let text = format!("{told}{}", build.repeat(80));
        assert!(of_prose(&text, &[]) < 1_500, "{}", of_prose(&text, &[]));
    }

    #[test]
    fn chinese_counts_whatever_stands_between_its_words() {
        for line in [
            "系统应该支持导出订单，包括：订单编号、金额（含税）、时间；当导出失败时，显示“导出失败”。\n",
            "访问https://shop.example/a/b:8080后，点击“导出”，保存为orders.csv；\n",
            "- 【导出】支持CSV/XLSX：字段顺序固定,编码UTF-8,文件名含日期;\n",
            "注文をエクスポートできること：番号、金額（税込）、日時。\n",
        ] {
            assert_eq!(of_prose(&line.repeat(500), &[]), line.chars().count() * 500, "{line}");
        }
    }

    #[test]
    fn sentences_count_that_end_as_code_does() {
        let list = "- the clerk chooses the period and the warehouse;\n- the file holds one line for each order;\n";
        assert_eq!(of_prose(&list.repeat(100), &[]), list.len() * 100);
        let code = "let total = order.lines().map(Line::price).sum();\nif total > limit {\n}\n";
        assert_eq!(of_prose(&code.repeat(100), &[]), 0);
    }

    #[test]
    fn prose_and_lists_count() {
        let prose = "The dispatcher opens the delivery and sees every driver within ten kilometres, nearest first.\n";
        assert_eq!(of_prose(&prose.repeat(100), &[]), prose.len() * 100);
        let list = "- When the driver refuses, the dispatcher sees the reason.\n";
        assert_eq!(of_prose(&list.repeat(50), &[]), list.len() * 50);
    }
}
