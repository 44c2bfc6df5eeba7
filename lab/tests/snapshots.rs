//! The printed help texts and schemas.

use super::sandbox::Sandbox;

fn frozen(name: &str, arguments: &[&str]) {
    let printed = Sandbox::new().run(arguments).ends_with(0).stdout;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(super::root("lab/tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, printed.replace(env!("CARGO_PKG_VERSION"), "[version]")));
}

#[test]
fn help_and_schemas_are_frozen() {
    frozen("help", &["--help"]);
    for command in ["eval", "calibrate", "learn", "dispute", "canaries"] {
        frozen(&format!("help_{command}"), &[command, "--help"]);
    }
    frozen("help_rubric_diff", &["rubric", "diff", "--help"]);
    for of in ["suite", "eval"] {
        frozen(&format!("schema_{of}"), &["schema", of]);
    }
}
