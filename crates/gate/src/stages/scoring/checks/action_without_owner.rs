//! Reports tasks from a meeting without an owner.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole};
use reqgate_text::words::checks::OWNERS;
use reqgate_text::words::people::ACTS_OF_A_NAME;
use reqgate_text::{BlockKind, Cue};

/// Characters that can begin a Chinese name: family names, and forms of address for colleagues.
const SURNAMES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文小老阿";

/// Returns a match for each list item under "Action items" that names no person or role.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let reading = ctx.reading;
    let mut found = Vec::new();
    for (index, block) in reading.blocks.iter().enumerate() {
        let role = reading.section_of.get(index).and_then(|at| reading.sections.get(*at)).map(|section| section.role);
        if role != Some(SectionRole::Actions) || block.kind != BlockKind::ListItem || block.depth > 0 {
            continue;
        }
        let words = block.text.slice(ctx.text).trim();
        let long_enough = words.chars().filter(|c| c.is_alphanumeric()).count() >= 6;
        let has_children = reading.blocks.get(index + 1).is_some_and(|next| next.depth > 0);
        let names_somebody = reading.cues_in(block.text).any(&[Cue::Actor, Cue::FirstPerson]) || names_person(words);
        if long_enough && !has_children && !names_somebody && block.label.is_none() {
            found.push(Match::at(block.text).with("term", words));
        }
    }
    found
}

/// Returns true for "@ann", "Ann: …", "… (Ben)", "Ann will …", "小王跟进…", "由张伟…", "责任人".
fn names_person(words: &str) -> bool {
    let marks = ["@", "：", ": ", "——", " - ", "→"];
    let lower = words.to_lowercase();
    let capital = |word: &&str| {
        let mut chars = word.trim_matches(|c: char| !c.is_alphanumeric()).chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
    };
    let first_is_name = words.split_whitespace().nth(1).is_some_and(|second| {
        ACTS_OF_A_NAME.has(second) && words.split_whitespace().next().is_some_and(|word| capital(&word))
    });
    OWNERS.stand_in(&lower)
        || marks.iter().any(|mark| words.contains(mark))
        || first_is_name
        || words.split_whitespace().skip(1).any(|word| capital(&word))
        || words.chars().next().is_some_and(|c| SURNAMES.contains(c))
        || words.ends_with([')', '）'])
}
