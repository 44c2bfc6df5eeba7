//! The suites in the repository, and the table of precision that is made from them.

use reqgate::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use reqgate::pipeline::{Pipeline, Settings};
use reqgate::prd::critique::{Advice, Category, CategoryGrade, CritiqueOrder, ReadCritique, perspective};
use reqgate::rules::{self, PrecisionFile};
use reqgate::stages::guardrail::Guardrail;
use reqgate_lab::{Suite, evaluate, precision};

use super::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}")).replace("\r\n", "\n")
}

fn suite(name: &str) -> Suite {
    let path = format!("tests/suites/{name}");
    Suite::parse(&path, &read(&path)).unwrap_or_else(|error| panic!("{error}"))
}

fn pipeline() -> Pipeline {
    let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load");
    let patterns = GuardrailPatterns::shipped().expect("the shipped patterns load");
    let guardrail = Guardrail::new(&GuardrailSettings::default(), &patterns).expect("the shipped patterns compile");
    Pipeline::new(book, guardrail, Settings::default())
}

#[test]
fn the_table_of_precision_is_what_the_gold_tickets_say() {
    let suite = suite("gold.yaml");
    let counting: Vec<String> =
        suite.benchmarks.iter().filter(|own| own.counts_for_precision).map(|own| own.id.clone()).collect();
    let evaluation = evaluate(&suite, &root("tests/suites"), &mut pipeline(), &counting, None, |_| {});
    assert_eq!(evaluation.measured().count(), counting.len(), "{:?}", evaluation.benchmarks[0].state);
    let written = read("rubrics/precision.yaml");
    let made = precision::merged(&written, &suite, &evaluation).expect("the table is whole");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(root("rubrics/precision.yaml"), &made).expect("the table can be written");
    }
    assert_eq!(
        made, written,
        "the rules speak otherwise than before: run `UPDATE=1 cargo test precision` and read the difference"
    );
}

#[test]
fn the_table_of_precision_names_rules_that_exist() {
    let file: PrecisionFile = reqgate::yaml::read_valid(&read("rubrics/precision.yaml")).expect("it is valid");
    let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load");
    let gone: Vec<_> = file.rules.keys().filter(|rule| book.rule(rule).is_none()).collect();
    assert!(gone.is_empty(), "{gone:?}");
    assert!(file.rules.len() > 20, "only {} rules were measured", file.rules.len());
}

#[test]
fn every_suite_names_rules_that_exist_and_fits_its_schema() {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let schema = serde_json::to_value(generator.into_root_schema_for::<Suite>()).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is well formed");
    let known = read("rubrics/precision.yaml");
    for name in ["gold.yaml", "shared-data.yaml", "real-tickets.yaml", "prd.yaml"] {
        let suite = suite(name);
        assert!(suite.benchmarks.len() > 3, "{name}");
        let written: serde_json::Value =
            serde_saphyr::from_str(&read(&format!("tests/suites/{name}"))).expect("it is YAML");
        let errors: Vec<String> = validator.iter_errors(&written).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        // The numbers of a suite in the table come from a benchmark of that suite.
        let origins = known.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
        for origin in origins.filter_map(|origin| origin.strip_prefix(&format!("{}/", suite.name))) {
            assert!(suite.benchmarks.iter().any(|own| own.id == origin), "{name}: {origin}");
        }
    }
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let suite = suite("gold.yaml");
    let only = ["development-facets".to_owned()];
    let mut pipeline = pipeline();
    let mut run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        pool.install(|| evaluate(&suite, &root("tests/suites"), &mut pipeline, &only, None, |_| {}))
    };
    assert_eq!(run(1), run(3));
}

/// Sound PRDs get no finding. A fault in the form is found by its critic only, and with careful readers the score falls
/// where a fault was planted.
#[test]
fn critics_find_what_was_planted_and_nothing_in_sound_prds() {
    let evaluation = evaluate(&suite("prd.yaml"), &root("tests/suites"), &mut pipeline(), &[], None, |_| {});
    let sizes: Vec<(&str, u64)> = evaluation.benchmarks.iter().map(|one| (one.id.as_str(), one.n)).collect();
    let documents = ["prd-sound", "prd-completeness", "prd-clarity", "prd-feasibility"].map(|id| (id, 8));
    assert_eq!(sizes, [&documents[..], &[("prd-form", 62), ("prd-reading", 15)]].concat());
    let missed: Vec<_> = evaluation.misses().map(|(own, figure)| (&own.id, &figure.title)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// A PRD without figures is less clear, and one without risks, dependencies and milestones less feasible. Other grades
/// do not change.
#[test]
fn a_blurred_prd_is_less_clear_and_one_without_plan_less_feasible() {
    let sound = read("tests/gold/prd/cycle-count.md");
    let blurred = sound
        .replace("within 1 second after the scan in 99 % of scans", "quickly after the scan in most cases")
        .replace("Buttons at least 12 mm high, readable at 300 lux", "Buttons are user-friendly and easily readable")
        .replace("99.8 % during shifts", "The service is reliable during shifts");
    assert_ne!(sound, blurred);
    let is_plan =
        |heading: &str| ["Risk", "Depend", "Timeline", "Milestone", "Plan"].iter().any(|word| heading.contains(word));
    let sections: Vec<&str> =
        sound.split("\n## ").filter(|section| !is_plan(section.lines().next().unwrap_or_default())).collect();
    let unplanned = sections.join("\n## ");
    assert!(unplanned.len() < sound.len());
    let measured = |text: &str| -> [f64; 2] {
        let folder = tempfile::tempdir().expect("a folder");
        for below in ["suites", "gold/prd"] {
            std::fs::create_dir_all(folder.path().join(below)).expect("it can be made");
        }
        std::fs::write(folder.path().join("gold/prd/prd.md"), text).expect("it can be written");
        let ids = ["prd-clarity", "prd-feasibility"].map(str::to_owned);
        let root = folder.path().join("suites");
        let evaluation = evaluate(&suite("prd.yaml"), &root, &mut pipeline(), &ids, None, |_| {});
        let mean = |at: usize| evaluation.benchmarks[at].figures[0].result.value.expect("a figure");
        [mean(0), mean(1)]
    };
    let [clarity, feasibility] = measured(&sound);
    let [blurred, still_feasible] = measured(&blurred);
    let [_, unplanned] = measured(&unplanned);
    assert!(
        blurred < clarity - 2.0 && still_feasible == feasibility,
        "{clarity} → {blurred}, {feasibility} → {still_feasible}"
    );
    assert!(feasibility > 70.0 && unplanned == 0.0, "{feasibility} → {unplanned}");
}

/// A reader that is asked replaces recorded ones; one that sees no difference does not rank the PRDs.
#[test]
fn a_reader_who_grades_everything_alike_ranks_nothing() {
    let alike = |order: &CritiqueOrder| {
        let title = order.prd().lines().find(|line| line.starts_with('#')).unwrap_or_default();
        let quotes = vec![title.trim_start_matches('#').trim().to_owned()];
        let grade = |one: &Category| CategoryGrade {
            category: one.id.clone(),
            grade: 80,
            quotes: quotes.clone(),
            absent: None,
        };
        let grades = perspective(order.role()).categories.iter().map(grade).collect();
        Ok(Some(ReadCritique {
            role: order.role(),
            grades,
            issues: Vec::new(),
            commendations: Vec::new(),
            advice: Advice::default(),
        }))
    };
    let only = ["prd-reading".to_owned()];
    let evaluation = evaluate(&suite("prd.yaml"), &root("tests/suites"), &mut pipeline(), &only, Some(&alike), |_| {});
    let falls = evaluation.benchmarks[0].figures.iter().find(|figure| figure.class.as_deref() == Some("score-falls"));
    let result = &falls.expect("the figure").result;
    assert_eq!((result.hits, result.n), (Some(0), 62));
}
