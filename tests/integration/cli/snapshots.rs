//! Snapshots of the printed help and schemas.

use super::Sandbox;

fn printed(arguments: &[&str]) -> String {
    let ran = Sandbox::new().run(arguments).ends_with(0);
    ran.stdout.replace(env!("CARGO_PKG_VERSION"), "[version]")
}

fn frozen(name: &str, arguments: &[&str]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(super::source("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, printed(arguments)));
}

#[test]
fn help_is_frozen() {
    frozen("help", &["--help"]);
    frozen("help_score", &["score", "--help"]);
    frozen("help_check", &["check", "--help"]);
    for command in ["doctor", "research"] {
        frozen(&format!("help_{command}"), &[command, "--help"]);
    }
    frozen("help_export", &["export", "--help"]);
    frozen("help_github", &["github", "--help"]);
    frozen("help_github_prd", &["github", "prd", "--help"]);
    frozen("help_github_prd_plan", &["github", "prd", "plan", "--help"]);
    frozen("help_github_prd_apply", &["github", "prd", "apply", "--help"]);
    frozen("help_hook_pretool", &["hook", "pretool", "--help"]);
    frozen("help_init", &["init", "--help"]);
}

#[test]
fn schemas_are_frozen() {
    let documents = ["draft", "report", "config", "rubric", "rule", "policy", "facet", "question", "research"];
    let of_a_feature = [
        "requirements",
        "gaps",
        "trace",
        "plan",
        "stories",
        "critique",
        "export",
        "prd",
        "thread",
        "ask",
        "answer",
        "order",
    ];
    for what in documents.into_iter().chain(of_a_feature) {
        frozen(&format!("schema_{what}"), &["schema", what]);
    }
}

#[cfg(feature = "service")]
#[test]
fn the_description_of_the_service_is_frozen() {
    frozen("schema_api", &["schema", "api"]);
    frozen("help_serve", &["serve", "--help"]);
}

#[test]
fn defaults_in_force_are_frozen() {
    frozen("config", &["config"]);
}

#[test]
fn the_written_configuration_satisfies_its_own_schema_and_changes_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.run(&["config", "--format", "json"]).ends_with(0).json();
    sandbox.run(&["init"]).ends_with(0);
    let after = sandbox.run(&["config", "--format", "json"]).ends_with(0).json();
    let values = |config: &serde_json::Value| -> Vec<(String, String)> {
        let settings = config["settings"].as_array().expect("a list").clone();
        settings.iter().map(|row| (row["key"].to_string(), row["value"].to_string())).collect()
    };
    assert_eq!(values(&before), values(&after));
    let schema: serde_json::Value = serde_json::from_str(&printed(&["schema", "config"])).expect("a schema is JSON");
    let written: serde_json::Value = serde_saphyr::from_str(&sandbox.read(".reqgate.yaml")).expect("it is YAML");
    let validator = jsonschema::validator_for(&schema).expect("the schema is well formed");
    let errors: Vec<String> = validator.iter_errors(&written).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn a_policy_that_init_was_told_is_in_force() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init", "--policy", "strict"]).ends_with(0);
    let config = sandbox.run(&["config", "--format", "json"]).ends_with(0).json();
    let settings = config["settings"].as_array().expect("a list");
    let policy = settings.iter().find(|row| row["key"] == "policy").expect("it is shown");
    assert_eq!(policy["value"], "strict", "{policy}");
}
