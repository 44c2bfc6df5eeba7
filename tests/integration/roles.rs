//! The role of each sentence of a report, on reports made up for this test.

use reqgate::model::Genre;
use reqgate::rules;
use reqgate::text::roles::{Roles, roles};

fn letters(roles: Roles) -> String {
    let all = [(roles.observed, 'O'), (roles.expected, 'E'), (roles.step, 'S'), (roles.environment, 'V')];
    let told: String = all.iter().filter(|(plays, _)| *plays).map(|(_, letter)| *letter).collect();
    if told.is_empty() { "-".to_owned() } else { told }
}

/// One line per sentence outside headings: the letters of its roles and its words.
fn told(text: &str) -> Vec<String> {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let reading = book.reader.read(text, None);
    let roles = roles(text, &reading);
    let both = reading.sentences.iter().zip(roles).filter(|(sentence, _)| sentence.genre != Genre::Heading);
    both.map(|(sentence, roles)| format!("{} {}", letters(roles), sentence.span.slice(text))).collect()
}

#[test]
fn a_report_under_headings_is_told_apart_sentence_by_sentence() {
    let text = "# Basket forgets the voucher\n\n## Describe the bug\nThe voucher is gone after the second product.\nI think this is caused by the new cache.\n\n\
        ## Steps to reproduce\n1. Open the shop\n2. Enter the voucher SPRING\n3. Add a second product and the voucher disappears\n4. See the full price\n\n\
        ## Expected behaviour\nThe voucher should stay until it is removed.\n\n## Environment\nFirefox 128 on Windows 11\n";
    assert_eq!(
        told(text),
        [
            "O Basket forgets the voucher",
            "O The voucher is gone after the second product.",
            "- I think this is caused by the new cache.",
            "S Open the shop",
            "S Enter the voucher SPRING",
            "S Add a second product and the voucher disappears",
            "O See the full price",
            "E The voucher should stay until it is removed.",
            "V Firefox 128 on Windows 11",
        ]
    );
}

#[test]
fn the_last_instruction_may_tell_what_came_of_it() {
    let text = "Steps to reproduce:\n1. Start a route\n2. Turn the phone, and the map stays blank\n";
    assert_eq!(told(text), ["S Start a route", "OS Turn the phone, and the map stays blank"]);
}

#[test]
fn a_report_without_headings_is_read_by_its_words() {
    let text = "Timer starts twice\n\nWhen I press the start button with wet fingers, the timer starts twice and never stops.\nIt should start once.\nThanks a lot!\n";
    assert_eq!(
        told(text),
        [
            "O Timer starts twice",
            "OS When I press the start button with wet fingers, the timer starts twice and never stops.",
            "E It should start once.",
            "- Thanks a lot!",
        ]
    );
}

#[test]
fn a_chinese_report_is_told_apart_too() {
    let text = "优惠券丢失\n\n复现步骤：\n1. 打开商城\n2. 输入优惠码\n3. 页面空白\n\n预期结果：优惠券应保留到手动删除\n实际结果：优惠券消失了\n";
    assert_eq!(
        told(text),
        ["O 优惠券丢失", "S 打开商城", "S 输入优惠码", "O 页面空白", "E 优惠券应保留到手动删除", "O 优惠券消失了"]
    );
}

#[test]
fn a_step_that_names_a_device_is_no_heading() {
    let text = "## Steps to reproduce\n1. Select the device\n2. Open\n3. Press reset\n";
    assert_eq!(told(text), ["S Select the device", "S Open", "S Press reset"]);
}

#[test]
fn no_text_makes_it_panic() {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    for text in [
        "",
        "在",
        "1.",
        "```",
        "```\n在，",
        "：",
        "0x",
        "[1",
        "在页面，",
        "a\n\n\n\n```\u{3000}\n<!--",
        "步骤：\n1.\n2. ，",
    ] {
        let reading = book.reader.read(text, None);
        assert_eq!(roles(text, &reading).len(), reading.sentences.len());
    }
}
