//! Counts the words of a sentence that are particular to it, so that filler is not taken for content.

use super::statement;
use crate::model::Span;
use crate::text::Sentence;
use crate::text::lexicon::is_cjk;

/// How many words of a sentence are particular to it: not step verbs, not filler; quotes, numbers and code always are.
pub fn specific_words(text: &str, sentence: &Sentence) -> usize {
    specific(text, sentence.span)
}

/// Words that carry no meaning of their own in either language.
const STOP_WORDS: &str = " a an the to of in on at and or for with from by is are was were be been it its this that these those i we you he she they me my our your as if when then than but not no do does did has have had will can could should would may just also very there here so up out off into over under again still all any some each his her their them us after before while because about which who what how go get got one two any it's i'm the app application system page module feature function button screen user users use using used normal normally usual usually manner way issue problem bug error see observe notice check look happen happens something anything stuff thing things work works correctly properly fine fast well expected intended designed should sometimes occasionally occurs occur regularly often usually open opened click clicked press pressed select selected enter start run daily current latest version ";

const GENERIC_CHINESE: [&str; 52] = [
    "打开",
    "点击",
    "进入",
    "使用",
    "操作",
    "正常",
    "一段时间",
    "随便",
    "随意",
    "任意",
    "系统",
    "应用",
    "程序",
    "软件",
    "页面",
    "功能",
    "模块",
    "问题",
    "观察",
    "查看",
    "出现",
    "发生",
    "复现",
    "重现",
    "现象",
    "步骤",
    "如题",
    "见标题",
    "见截图",
    "同上",
    "如图",
    "异常",
    "各种",
    "最新",
    "当前",
    "版本",
    "情况",
    "相关",
    "流程",
    "选择",
    "输入",
    "登录",
    "然后",
    "之后",
    "就会",
    "一下",
    "可以",
    "会",
    "了",
    "的",
    "后",
    "即可",
];

/// How many words of a span are particular to it.
pub fn specific(text: &str, span: Span) -> usize {
    let words = span.slice(text);
    let literal = usize::from(statement::has_literal(words)) * 2;
    let mut latin = 0;
    for (index, word) in words
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '\'' | '_' | '-' | '.')))
        .filter(|w| !w.is_empty())
        .enumerate()
    {
        let lower = format!(" {} ", word.to_ascii_lowercase().trim_matches(|c: char| !c.is_alphanumeric()));
        let named = index > 0 && word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
        latin += usize::from(
            word.bytes().any(|b| b.is_ascii_digit()) || named || (word.len() > 2 && !STOP_WORDS.contains(&lower)),
        );
    }
    let mut rest = words.to_string();
    if words.chars().any(is_cjk) {
        for term in GENERIC_CHINESE {
            if rest.contains(term) {
                rest = rest.replace(term, " ");
            }
        }
    }
    let chinese = rest.chars().filter(|c| is_cjk(*c)).count() / 2;
    latin + chinese + literal
}
