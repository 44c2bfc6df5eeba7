//! Turns the shipped YAML files into JSON inside the binary: reading them as YAML would take most of the start time.
//!
//! The types stay the same, a test compares both readings, and a rubric keeps the hash of its YAML text.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let made = [
        ("rubrics", "rubrics.rs", 0, Examples::Kept),
        // Half of the text is examples, which no verdict needs.
        ("rubrics", "rubrics-for-judging.rs", 0, Examples::Emptied),
        ("config/guardrail", "guardrail.rs", 0, Examples::Kept),
        // The examples are a second document of the same files.
        ("config/guardrail", "guardrail-examples.rs", 1, Examples::Kept),
    ];
    for (folder, name, document, examples) in made {
        println!("cargo::rerun-if-changed={folder}");
        fs::write(out.join(name), compiled(&root.join(folder), document, examples)?)?;
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// What becomes of the examples in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Examples {
    Kept,
    Emptied,
}

/// A Rust array of (path, JSON, hash of the YAML text), ordered by path.
fn compiled(folder: &Path, document: usize, examples: Examples) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    walk(folder, folder, &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files {
        // Line ends differ between checkouts of the same file.
        let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
        // `off` and `no` are words here.
        let options = serde_saphyr::options! { strict_booleans: true };
        let Some(part) = text.split("\n---\n").nth(document) else { continue };
        let mut value: serde_json::Value = serde_saphyr::from_str_with_options(part, options)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        if let (Examples::Emptied, Some(lists)) =
            (examples, value.get_mut("examples").and_then(serde_json::Value::as_object_mut))
        {
            lists.values_mut().for_each(|list| *list = serde_json::Value::Array(Vec::new()));
        }
        writeln!(code, "({name:?}, {:?}, {:?}),", value.to_string(), hash(&text))?;
    }
    code.push_str("]\n");
    Ok(code)
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push((path.strip_prefix(root)?.to_string_lossy().replace('\\', "/"), path));
        }
    }
    Ok(())
}

/// First 16 hexadecimal digits of the SHA-256.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
