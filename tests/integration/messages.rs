//! The sentences of `messages/`: that each is used, and that its key leads from the code to it and back.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The text of every Rust file and template below a folder.
fn read(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("reading {}: {error}", folder.display())) {
        let path = entry.expect("the folder can be listed").path();
        let ends = |ending: &str| path.extension().is_some_and(|it| it == ending);
        if path.is_dir() {
            read(&path, out);
        } else if ends("rs") || ends("j2") {
            out.push_str(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
}

/// The names that follow a point or a colon: fields, methods, paths.
fn names(text: &str) -> BTreeSet<&str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let parts = text.split(['.', ':']).skip(1);
    parts.map(|part| part.split(|c| !is_of_name(c)).next().unwrap_or_default()).collect()
}

#[test]
fn every_sentence_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut code = String::new();
    for folder in ["crates", "src", "lab/src"] {
        read(&root.join(folder), &mut code);
    }
    let used = names(&code);
    let mut unused = Vec::new();
    for entry in fs::read_dir(root.join("messages")).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        let keys = text.lines().filter_map(|line| line.split_once(':').map(|(key, _)| key));
        let keys = keys.filter(|key| key.starts_with(|c: char| c.is_ascii_lowercase()));
        unused.extend(keys.filter(|key| !used.contains(key)).map(|key| format!("{}: {key}", path.display())));
    }
    assert!(unused.is_empty(), "no code uses these sentences: {unused:#?}");
    assert_eq!(names("a.b(c::d); e"), ["b", "", "d"].into());
}
