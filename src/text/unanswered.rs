//! Tells an answer by which somebody says that there is none yet, whatever courtesies and fillers stand around it.

use super::words::brief_answers::{FILLERS, OPEN};

/// True for "I don't know yet, sorry" and 我也不太清楚: each of its clauses says that there is no answer, or says nothing.
pub fn is_unanswered(answer: &str) -> bool {
    let lower = answer.to_lowercase().replace('’', "'");
    let mut says_so = false;
    for clause in lower.split(['.', '。', ',', '，', ';', '；', '!', '！', '?', '？', '…', '\n']) {
        let words: Vec<&str> = clause
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter(|word| !word.is_empty())
            .collect();
        let words = words.join(" ");
        let bare = without_fillers(&words);
        match OPEN.has(&words) || OPEN.has(&bare) {
            true => says_so = true,
            false if bare.is_empty() => {}
            false => return false,
        }
    }
    says_so
}

/// The words without those that add nothing, the longest first.
fn without_fillers(words: &str) -> String {
    let mut fillers: Vec<&str> = FILLERS.iter().collect();
    fillers.sort_by_key(|filler| std::cmp::Reverse(filler.len()));
    let mut out = format!(" {words} ");
    for filler in fillers {
        if filler.is_ascii() {
            let whole = format!(" {filler} ");
            while out.contains(&whole) {
                out = out.replace(&whole, " ");
            }
        } else {
            out = out.replace(filler, "");
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::is_unanswered;

    #[test]
    fn not_knowing_is_told_in_many_words() {
        for answer in [
            "idk",
            "IDK.",
            "I'm not sure yet",
            "I’m not sure",
            "I don't know yet",
            "No idea, sorry",
            "I have no idea about that",
            "Sorry, we still don't know.",
            "TBD",
            "to be confirmed",
            "我也不清楚",
            "我也不知道",
            "不太清楚",
            "待确认",
            "待补充",
            "说不好",
            "暂无",
            "目前还没想好，抱歉",
            "再说吧",
        ] {
            assert!(is_unanswered(answer), "{answer}");
        }
    }

    #[test]
    fn an_answer_that_has_such_words_is_one() {
        for answer in [
            "",
            "Sorry",
            "No",
            "None",
            "n/a",
            "无",
            "没有",
            "Nobody knows the password, so it is reset",
            "Unknown users see the login page",
            "Later, by e-mail",
            "I don't know the day, but in June",
            "不清楚的订单进入人工审核",
            "待确认的订单保留 30 分钟",
            "暂无库存时显示灰色",
        ] {
            assert!(!is_unanswered(answer), "{answer}");
        }
    }
}
