//! Features are drafted from bytes, written, read back and searched for gaps.
#![no_main]

#[path = "../../tests/integration/prd/drafted.rs"]
mod drafted;
#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reqgate::pipeline::Pipeline;
use reqgate::prd::author::RulesAuthor;

static SHIPPED: LazyLock<Pipeline> = LazyLock::new(pipelines::shipped);
static AUTHOR: LazyLock<RulesAuthor<'static>> =
    LazyLock::new(|| RulesAuthor::new(&SHIPPED.book).expect("the shipped words"));

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drafted::check(&AUTHOR, text);
    }
});
