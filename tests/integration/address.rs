//! The manifest of the workspace states the address of the project; every other file repeats it.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use reqgate::project;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text files that users read or run; tests have addresses of invented projects.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    const ENDINGS: [&str; 13] =
        ["md", "yml", "yaml", "toml", "json", "sh", "ps1", "rb", "py", "rs", "template", "html", "js"];
    const OTHERS: [&str; 6] = ["target", "tests", "node_modules", "fuzz", "rubrics", ".git"];
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !OTHERS.contains(&name.as_str()) {
            files(&path, out);
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) {
            out.push(path);
        }
    }
}

/// The owners of addresses of a project with our name in a text.
fn owners(text: &str, path: &Path) -> Vec<String> {
    let address = Regex::new(r"github\.com[/:]([A-Za-z0-9_.-]+)/reqgate\b").expect("a constant");
    let action = Regex::new(r"\buses: ([A-Za-z0-9_.-]+)/reqgate@").expect("a constant");
    let is_code = path.extension().is_some_and(|ending| ending == "rs" || ending == "py");
    let actions = action.captures_iter(text).filter(|_| !is_code);
    address.captures_iter(text).chain(actions).map(|found| found[1].to_owned()).collect()
}

#[test]
fn every_file_has_the_address_of_the_manifest() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest can be read");
    let stated: Vec<&str> = manifest.lines().filter_map(|line| line.strip_prefix("repository = ")).collect();
    assert_eq!(stated, [format!("\"{}\"", project::ADDRESS)], "the manifest states the address once");
    let (owner, _) = project::repository().split_once('/').expect("an address has an owner and a name");
    let mut paths = Vec::new();
    files(root(), &mut paths);
    let (mut others, mut count) = (Vec::new(), 0);
    for path in paths {
        let found = owners(&fs::read_to_string(&path).unwrap_or_default(), &path);
        count += found.len();
        others.extend(
            found.into_iter().filter(|other| other != owner).map(|other| format!("{}: {other}", path.display())),
        );
    }
    assert!(
        others.is_empty(),
        "other owners than {owner}; `.ci/address OWNER/NAME` sets one everywhere:\n{}",
        others.join("\n")
    );
    assert!(count > 10, "only {count} addresses were found");
}

#[test]
fn another_address_is_found() {
    let document = Path::new("a.md");
    assert_eq!(owners("git clone git@github.com:octo/reqgate.git", document), ["octo"]);
    assert_eq!(owners("      - uses: octo/reqgate@v1", document), ["octo"]);
    assert_eq!(owners("a branch of octo/shop, reqgate@v1", document), Vec::<String>::new());
}

/// The address is a placeholder until the project has an owner; this replaces it, as a maintainer does once.
#[cfg(unix)]
#[test]
fn the_script_replaces_the_address_everywhere() {
    use std::process::Command;
    let sandbox = crate::cli::Sandbox::new();
    sandbox.file("Cargo.toml", "repository = \"https://github.com/OWNER/reqgate\"\n");
    sandbox.file("README.md", "uses: OWNER/reqgate@v1, not OWNER/reqgates\n");
    fs::create_dir(sandbox.path(".ci")).expect("a folder can be made");
    fs::copy(root().join(".ci/address"), sandbox.path(".ci/address")).expect("the script can be copied");
    let in_sandbox = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(sandbox.path(".")).output();
        output.expect("the program starts").status.success()
    };
    fs::remove_dir_all(sandbox.path(".git")).expect("the folder can be deleted");
    assert!(in_sandbox("git", &["init", "-q"]) && in_sandbox("git", &["add", "."]));
    assert!(!in_sandbox(".ci/address", &["https://github.com/octo/gate"]));
    assert!(in_sandbox(".ci/address", &["octo/gate"]));
    assert_eq!(sandbox.read("Cargo.toml"), "repository = \"https://github.com/octo/gate\"\n");
    assert_eq!(sandbox.read("README.md"), "uses: octo/gate@v1, not OWNER/reqgates\n");
}
