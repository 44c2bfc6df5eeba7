//! The cost of a ticket in tokens, compared with the original prompts of the design.

use serde_json::Value;

use reqgate::pipeline::Pipeline;

use super::{Scripted, with_files};
use crate::texts::pipelines;

/// The tokens of the first structuring prompt in addition to the ticket: its text, the schema of the draft and the
/// example, as in the design document (schema and example without white space), by the same estimate.
const FIRST_PROMPT: f64 = 904.0;

/// Estimates tokens: about four characters of Latin script or one Chinese character each. It is accurate to about 15 %
/// for English prose, and the same for both sides.
fn tokens(text: &str) -> f64 {
    let wide = text.chars().filter(|c| *c as u32 > 0x2E80).count();
    wide as f64 + (text.chars().count() - wide) as f64 / 4.0
}

#[test]
fn structuring_takes_about_half_of_what_it_first_took() {
    let scripted = Scripted::new([]);
    let by_the_letter = with_files(&[]).with_reviewer(scripted.reviewer());
    let by_readings = pipelines::shipped().with_reviewer(scripted.reviewer());
    let mut fixtures: Vec<_> = std::fs::read_dir(crate::cli::source("fixtures/tickets"))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    fixtures.sort();
    for path in fixtures {
        let ticket = std::fs::read_to_string(&path).expect("it is text");
        let asked_by = |pipeline: &Pipeline| {
            scripted.say([]);
            pipeline.run(pipelines::input(&ticket)).expect("it can be judged");
            scripted.asked()
        };
        let asked = asked_by(&by_the_letter);
        let all = |request: &reqgate::llm::ChatRequest| {
            let schema: Value = request.schema.clone();
            tokens(&request.instructions) + tokens(&request.data) + tokens(&schema.to_string())
        };
        let name = path.file_name().expect("it is a file").to_string_lossy();
        let ticket = tokens(&ticket);
        let each: Vec<String> =
            asked.iter().map(|request| format!("{} {:.0}", request.question, all(request))).collect();
        let three: f64 = asked.iter().map(all).sum();
        let one: f64 = asked_by(&by_readings).iter().map(all).sum();
        println!("{name}: {three:.0} tokens read in {} requests, {one:.0} in one", asked.len());
        // Output of a model costs several times as much, and there is far less of it, because it does not copy the
        // ticket.
        assert!(one <= three * 0.75, "{name}: {one:.0} of {three:.0}");
        let structuring = all(&asked[0]);
        let overhead = structuring - ticket;
        println!("{name}: ticket {ticket:.0}, first {:.0}, now {}", FIRST_PROMPT + ticket, each.join(", "));
        assert!(overhead <= FIRST_PROMPT * 0.45, "{name}: {overhead:.0} tokens beside the ticket");
    }
}
