//! Tests of the checks on a reading, one by one.

use super::*;
use reqgate_rules as rules;

const TEXT: &str = "\
Upload fails

The upload of a **large**
file stops at 90 % and “Server error” is shown.
Choose a file of 2 GB, press Upload and wait.
Some colleagues see it as well, see the picture.
The log says 502.
";

fn checked(answer: &ReadingAnswer) -> CheckedReading {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let reading = book.reader.read(TEXT, None);
    let quotes = Quotable::new(TEXT);
    let source = Source { text: TEXT, quotes: &quotes, reading: &reading, language: Language::En };
    let clean = |words: &str| match words.contains("http") {
        true => Err(DiscardReason::Unsafe),
        false => Ok(words.trim().to_owned()),
    };
    check(answer, source, &clean)
}

fn asks(code: &str, quote: &str, ask: &str) -> QuestionAnswer {
    QuestionAnswer { code: code.to_owned(), quote: quote.to_owned(), ask: ask.to_owned(), must: true }
}

fn says(part: &str, quote: &str) -> EvidenceAnswer {
    EvidenceAnswer { part: part.to_owned(), quote: quote.to_owned() }
}

fn one(question: QuestionAnswer) -> Result<CheckedQuestion, DiscardReason> {
    let checked = checked(&ReadingAnswer { questions: vec![question], ready: 3, ..ReadingAnswer::default() });
    match (checked.questions.first(), checked.discarded.first()) {
        (Some(asked), None) => Ok(asked.clone()),
        (None, Some((reason, _))) => Err(*reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_place_of_a_question_is_computed_from_its_quote() {
    let found = |quote: &str| one(asks("context", quote, "Which picture do you mean?")).map(|asked| asked.span);
    let place = |words: &str| {
        Some(Span::new(TEXT.find(words).expect("it is there"), TEXT.find(words).expect("so") + words.len()))
    };
    assert_eq!(found("SEE THE PICTURE"), Ok(place("see the picture")));
    assert_eq!(found("a large file stops at 90 %"), Ok(place("a **large**\nfile stops at 90 %")));
    assert_eq!(found("and \"Server error\" is shown"), Ok(place("and “Server error” is shown")));
    assert_eq!(
        found("Some colleagues … see the picture."),
        Ok(place("Some colleagues see it as well, see the picture"))
    );
    assert_eq!(found("nowhere"), Ok(None));
    assert_eq!(found("see the video"), Err(DiscardReason::NotInText));
    assert_eq!(found("502"), Ok(place("502")), "short, but there is only one");
    assert_eq!(found("file"), Err(DiscardReason::Unusable), "which of them?");
}

#[test]
fn a_question_is_in_the_language_of_the_ticket_safe_short_and_new() {
    let ask = |words: &str| one(asks("what", "NOWHERE", words)).map(|asked| asked.ask);
    assert!(ask("Which file type is it?").is_ok());
    assert_eq!(ask("这是哪种文件？"), Err(DiscardReason::Unusable));
    assert_eq!(ask("See http://x.example?"), Err(DiscardReason::Unsafe));
    assert_eq!(ask("?"), Err(DiscardReason::Unusable));
    assert_eq!(ask(&"Which file? ".repeat(40)), Err(DiscardReason::Unusable));
    assert_eq!(one(asks("what", "Choose a file of 2 GB", "Choose a file of 2 GB?")), Err(DiscardReason::Unusable));
    let questions = vec![
        asks("environment", "NOWHERE", "Which browser and version is it?"),
        asks("environment", "NOWHERE", "Which version of the browser?"),
        asks("colour", "NOWHERE", "Which proxy is between them?"),
        asks("where", "The log says", "Whose server writes this log?"),
        asks("done", "NOWHERE", "Up to which size must it work?"),
    ];
    let checked = checked(&ReadingAnswer { questions, ready: 1, kind: "Bug".to_owned(), ..ReadingAnswer::default() });
    let codes: Vec<QuestionCode> = checked.questions.iter().map(|asked| asked.code).collect();
    assert_eq!(codes, [QuestionCode::Environment, QuestionCode::Other, QuestionCode::Where]);
    assert_eq!(checked.discarded.iter().map(|(reason, _)| *reason).collect::<Vec<_>>(), [DiscardReason::TooMany; 2]);
    assert_eq!(checked.kind, Some(TicketType::Bug));
}

#[test]
fn a_verdict_without_a_question_is_noted_as_one() {
    let checked = checked(&ReadingAnswer { kind: "spam".to_owned(), ready: 1, ..ReadingAnswer::default() });
    assert_eq!((checked.kind, checked.discarded[0].0), (None, DiscardReason::NoEvidence));
}

#[test]
fn evidence_says_something_stands_in_a_sentence_and_is_not_in_doubt() {
    let evidence = vec![
        says("step", "Choose a file of 2 GB, press Upload and wait."),
        says("actual", "press Upload and wait"),
        says("actual", "“Server error” is shown"),
        says("actual", "The log says 502"),
        says("expected", "Upload fails"),
        says("criterion", "the upload succeeds"),
        says("environment", "see it as well, see the picture"),
        says("verdict", "The log says 502"),
        says("environment", "it as"),
    ];
    let questions = vec![asks("context", "see the picture", "Which picture do you mean?")];
    let checked = checked(&ReadingAnswer { evidence, questions, ready: 3, ..ReadingAnswer::default() });
    let parts: Vec<EvidencePart> = checked.evidence.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, [EvidencePart::Step, EvidencePart::Actual]);
    use DiscardReason::{Contradicted, NotAsked, NotInText, TooMany, Unusable};
    let reasons: Vec<DiscardReason> = checked.discarded.iter().map(|(reason, _)| *reason).collect();
    assert_eq!(reasons, [TooMany, TooMany, Unusable, NotInText, Contradicted, NotAsked, Unusable]);
}

#[test]
fn the_schema_is_small_and_names_every_word_that_may_be_said() {
    let schema = schemars::schema_for!(ReadingAnswer).to_value().to_string();
    for word in ["discussion", "criterion", "reproduce", "context"] {
        assert!(schema.contains(word), "{schema}");
    }
    assert!(!schema.contains("description"), "{schema}");
}
