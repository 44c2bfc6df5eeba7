//! Briefs and requirements are collected from bytes, written, read back and checked for their form.
#![no_main]

#[path = "../../tests/integration/prd/drafted.rs"]
mod drafted;
#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reqgate::pipeline::Pipeline;
use reqgate::prd::collect::Collector;

static SHIPPED: LazyLock<Pipeline> = LazyLock::new(pipelines::shipped);
static COLLECTOR: LazyLock<Collector<'static>> = LazyLock::new(|| Collector::new(&SHIPPED.book.reader));

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drafted::check(&COLLECTOR, text);
    }
});
