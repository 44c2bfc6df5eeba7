//! Runs the cases in `tests/cases/cli`.

use super::{case, source};

fn check(file: &str) {
    case::check(&source("cases/cli").join(file));
}

#[test]
fn judging_cases_hold() {
    check("judging.yaml");
}

#[test]
fn cases_of_a_second_reader_hold() {
    check("second-reader.yaml");
}

#[test]
fn bad_input_cases_hold() {
    check("bad-input.yaml");
}

#[test]
fn intake_cases_hold() {
    check("intake.yaml");
}

#[test]
fn cases_of_trackers_and_models_hold() {
    check("trackers.yaml");
}

#[test]
fn cases_of_agents_hold() {
    check("agents.yaml");
}

#[test]
fn cases_of_critique_hold() {
    check("critique.yaml");
}

#[test]
fn cases_of_words_hold() {
    check("words.yaml");
}

#[test]
fn cases_of_gaps_hold() {
    check("gaps.yaml");
}

#[test]
fn cases_of_research_hold() {
    check("research.yaml");
}

#[test]
fn cases_of_trace_hold() {
    check("trace.yaml");
}

#[test]
fn plan() {
    check("plan.yaml");
}

#[test]
fn cases_of_export_hold() {
    check("export.yaml");
}

#[test]
fn broken_files_cases_hold() {
    check("broken-files.yaml");
}

#[test]
fn configuration_cases_hold() {
    check("configuration.yaml");
}

#[test]
fn cases_of_the_other_commands_hold() {
    check("commands.yaml");
}

#[test]
fn cases_of_the_doctor_hold() {
    check("doctor.yaml");
}

#[test]
fn cases_of_facts_hold() {
    check("facts.yaml");
}

#[test]
fn requirements_are_read_wherever_they_stand() {
    check("requirements-anywhere.yaml");
}

#[test]
fn cases_of_the_first_contact_hold() {
    check("contact.yaml");
}
