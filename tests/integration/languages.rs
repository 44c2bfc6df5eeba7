//! Texts in a language that the rules do not support are reported; English and Chinese texts never are.

use std::path::Path;

use reqgate::model::{Language, NotJudged, OtherLanguages, Outcome, Verdict};
use reqgate::pipeline::{Pipeline, Settings, Stated};
use reqgate::stages::intake::{self, RawInput};

use super::texts::pipelines;

#[derive(serde::Deserialize)]
struct Ticket {
    language: String,
    text: String,
}

const GERMAN: &str = "Anmeldung schlägt fehl\n\nNach dem Update auf 2.4 kann ich mich nicht mehr anmelden. Es kommt nur \
                      eine leere Seite, und das Format ist noch offen.";

fn pipeline(settings: Settings) -> Pipeline {
    Pipeline::new(pipelines::book(), pipelines::guardrail(&Default::default()), settings)
}

fn language_of(outcome: &Outcome) -> &'static str {
    outcome.packet.other_language.map_or(outcome.packet.language.value.name(), |other| other.value.code())
}

#[test]
fn languages_of_short_tickets_are_told() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts/languages.yaml");
    let text = std::fs::read_to_string(path).expect("the tickets are in the repository");
    let tickets: Vec<Ticket> = reqgate::yaml::read(&text).expect("valid YAML");
    let pipeline = pipelines::shipped();
    let mut wrong = Vec::new();
    for ticket in &tickets {
        let outcome = pipeline.run(pipelines::input(&ticket.text)).expect("it is a valid packet");
        let got = language_of(&outcome);
        let is_read = matches!(got, "en" | "zh");
        let is_reported = outcome.decision.not_judged == Some(NotJudged::OtherLanguage);
        if got != ticket.language || is_read == is_reported {
            wrong.push(format!("{} → {got}, {:?}: {}", ticket.language, outcome.decision.not_judged, ticket.text));
        }
        assert!(is_read || outcome.decision.verdict == Verdict::NotApplicable, "{}", ticket.text);
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tickets.len(), wrong.join("\n"));
}

#[test]
fn explanation_names_the_language_in_the_language_of_the_report() {
    let told = |text: &str, report_language| {
        let stated = Stated { report_language, ..Stated::default() };
        let pipeline = pipeline(Settings { stated, ..Settings::default() });
        pipeline.run(pipelines::input(text)).expect("it is a valid packet").decision.explanation
    };
    assert_eq!(
        told(GERMAN, None),
        "Not applicable: this is written in German, and only English and Chinese can be judged."
    );
    assert_eq!(told(GERMAN, Some(Language::Zh)), "不适用：正文是德文，目前只能评审英文和中文。");
    let finnish = "Tilausten vienti\n\nHaluan viedä tilaukset tiedostoon, jotta voin käsitellä ne, mutta muoto ei ole vielä päätetty.";
    assert!(told(finnish, None).contains("in another language,"), "{}", told(finnish, None));
}

#[test]
fn configuration_decides_what_becomes_of_other_languages() {
    let decided = |judged_languages: &[Language], other_languages, text: &str| {
        let judged_languages = judged_languages.to_vec();
        let pipeline = pipeline(Settings { judged_languages, other_languages, ..Settings::default() });
        let decision = pipeline.run(pipelines::input(text)).expect("it is a valid packet").decision;
        (decision.verdict, decision.not_judged, decision.explanation)
    };
    let both = [Language::En, Language::Zh];
    let (verdict, why, _) = decided(&both, OtherLanguages::Skip, GERMAN);
    assert_eq!((verdict, why), (Verdict::NotApplicable, None));
    let (verdict, why, words) = decided(&both, OtherLanguages::Fail, GERMAN);
    assert_eq!((verdict, why), (Verdict::Reject, Some(NotJudged::OtherLanguage)));
    assert!(words.starts_with("Not ready: this is written in German"), "{words}");
    let chinese = "导出订单列表为 CSV\n\n作为店员，我想导出订单列表，以便月底对账。";
    let (verdict, why, _) = decided(&[Language::En], OtherLanguages::Report, chinese);
    assert_eq!((verdict, why), (Verdict::NotApplicable, Some(NotJudged::OtherLanguage)));
    let (_, why, _) = decided(&[Language::Zh], OtherLanguages::Report, chinese);
    assert_eq!(why, None);
}

#[test]
fn stated_language_is_obeyed_but_not_where_the_author_must_not_decide() {
    let front_matter = |language: &str, text: &str| {
        let text = format!("---\nlanguage: {language}\n---\n\n{text}");
        intake::read_bytes("a.md", text.as_bytes()).remove(0).expect("a readable text")
    };
    let english = "Export fails\n\nWhen I export 25 orders, the file that is saved holds only 24 of them.";
    let run = |stated: Stated, input: RawInput| {
        let outcome = pipeline(Settings { stated, ..Settings::default() }).run(input).expect("a valid packet");
        language_of(&outcome)
    };
    let nothing = Stated::default();
    assert_eq!(run(nothing, front_matter("en", GERMAN)), "en");
    assert_eq!(run(nothing, front_matter("de", english)), "de");
    assert_eq!(run(nothing, front_matter("python", english)), "en");
    assert_eq!(run(Stated { language: Some(Language::En), ..nothing }, pipelines::input(GERMAN)), "en");
    // The document of a pull request cannot exempt itself from judgement, and does not pass unread.
    let required = Stated { is_requirement: true, ..nothing };
    assert_eq!(run(required, front_matter("en", GERMAN)), "de");
    assert_eq!(run(required, front_matter("de", english)), "en");
}
