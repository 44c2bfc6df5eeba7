//! Tests of the intake as a whole: through files, through standard input, and with arbitrary bytes.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;

use reqgate_base::model::SourceType;

use super::*;

fn shown(items: impl Iterator<Item = Result<RawInput, IntakeError>>) -> Vec<String> {
    items
        .map(|item| match item {
            Ok(input) => format!("{}: {}", input.name, input.text.trim_end()),
            Err(error) => format!("ERROR {error}"),
        })
        .collect()
}

fn read_in(root: &Path, arguments: &[&str], standard_input: &str) -> Vec<String> {
    let path_of = |name: &&str| if *name == "-" { (*name).to_owned() } else { root.join(name).display().to_string() };
    let arguments: Vec<String> = arguments.iter().map(path_of).collect();
    let items = inputs_from(&arguments, &IntakeOptions::default(), Cursor::new(standard_input.as_bytes().to_vec()));
    let root = format!("{}/", root.display());
    shown(items).into_iter().map(|line| line.replace(&root, "")).collect()
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(root.path().join(name), text).expect("works in a fresh folder");
    }
    root
}

#[test]
fn bad_inputs_do_not_stop_the_good_ones() {
    let root =
        folder_with(&[("a.md", "Good."), ("b.md", ""), ("c.md", " \n"), ("d.md", "a\0b"), ("e.json", "{\"text\": 1")]);
    let found = read_in(root.path(), &["gone.md", "b.md", "c.md", "d.md", "e.json", "a.md"], "");
    let starts = [
        "ERROR `gone.md` does not exist",
        "ERROR `b.md` is empty",
        "ERROR `c.md` contains only white space",
        "ERROR `d.md` is not text",
        "ERROR `e.json` is not valid JSON: EOF while parsing an object at line 1 column 10",
        "a.md: Good.",
    ];
    assert_eq!(found.len(), starts.len(), "{found:?}");
    for (line, start) in found.iter().zip(starts) {
        let line = line.replace(&root.path().display().to_string(), "");
        assert!(line.starts_with(start), "{line} / {start}");
    }
}

#[test]
fn folder_leaves_out_foreign_json_with_a_note() {
    let root = folder_with(&[("a.md", "Good."), ("package.json", "{\"name\": \"x\"}")]);
    let found = read_in(root.path(), &["."], "");
    assert_eq!(found[0], "./a.md: Good.");
    assert!(found[1].starts_with("ERROR skipped"), "{found:?}");
    assert_eq!(found.len(), 2);
}

#[test]
fn folder_of_a_feature_is_read_by_its_prd() {
    let drafts =
        [("prd_v1.md", "Old."), ("critiques.md", "Grades."), ("outline.md", "Parts."), ("prd_value.md", "Own.")];
    let data = [("prd.md", "Good."), ("prd.json", "{\"schema\": \"x\"}")];
    let root = folder_with(&[&drafts[..], &data[..]].concat());
    let found = read_in(root.path(), &["."], "");
    let read: Vec<&String> = found.iter().filter(|line| !line.starts_with("ERROR")).collect();
    assert_eq!(read, ["./prd.md: Good.", "./prd_value.md: Own."]);
    assert_eq!(found.len(), 5, "the data need no note: {found:?}");
    let alone = folder_with(&drafts);
    assert_eq!(read_in(alone.path(), &["."], "").iter().filter(|line| line.starts_with("ERROR")).count(), 0);
}

#[test]
fn folder_leaves_out_foreign_lines_with_one_note() {
    let lines = "{\"level\": \"info\"}\n".repeat(3);
    let root =
        folder_with(&[("a.md", "Good."), ("log.jsonl", &lines), ("t.jsonl", "{\"text\": \"a\"}\n{\"level\": 1}\n")]);
    let found = read_in(root.path(), &["."], "");
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[1].starts_with("ERROR skipped") && found[1].contains("log.jsonl`"), "{found:?}");
    assert_eq!(found[2], "./t.jsonl:1: a");
    assert!(found[3].contains("t.jsonl:2` holds an object with `level`"), "{found:?}");
    assert_eq!(read_in(root.path(), &["log.jsonl"], "").len(), 3);
}

#[test]
fn folder_of_foreign_json_alone_is_an_error() {
    let root = folder_with(&[("package.json", "{\"name\": \"x\"}")]);
    let found = read_in(root.path(), &["."], "");
    assert_eq!(found.len(), 2);
    assert!(found[1].starts_with("ERROR nothing was read"), "{found:?}");
    assert!(read_in(root.path(), &["package.json"], "")[0].contains("not a known ticket format"));
    assert!(read_in(root.path(), &[], "")[0].starts_with("ERROR nothing was read"));
}

#[test]
fn standard_input_is_read_once_and_as_what_it_is() {
    let root = folder_with(&[]);
    let read = |text: &str| read_in(root.path(), &["-", "-"], text);
    assert_eq!(read("Just text."), ["-: Just text."]);
    assert_eq!(read("[Bug] it fails"), ["-: [Bug] it fails"]);
    assert_eq!(read("{\"title\": \"a\", \"body\": \"b\"}"), ["-: a\n\nb"]);
    assert_eq!(read("[{\"title\": \"a\", \"body\": \"b\"}]"), ["-[0]: a\n\nb"]);
    assert_eq!(read("{\"colour\": \"red\"}"), ["-: {\"colour\": \"red\"}"]);
    assert_eq!(read("{\"text\": \"a\"}\n{\"text\": \"b\"}"), ["-:1: a", "-:2: b"]);
    assert!(read("[]")[0].contains("holds no tickets"));
    assert!(read("")[0].contains("`-` is empty"));
}

#[test]
fn size_limit_holds_for_files_and_streams() {
    let root = folder_with(&[("a.md", "0123456789"), ("b.md", "01234567890")]);
    let options = IntakeOptions { size_limit: 10, ..IntakeOptions::default() };
    let path = |name: &str| root.path().join(name).display().to_string();
    let found = shown(inputs_from(&[path("a.md"), path("b.md"), "-".into()], &options, std::io::repeat(b'x')));
    assert_eq!(found.len(), 3);
    assert!(found[0].ends_with("0123456789"));
    assert!(found[1].contains("b.md` is larger than 10 bytes"), "{found:?}");
    assert!(found[2].contains("`-` is larger than 10 bytes"), "{found:?}");
}

#[test]
fn deeply_nested_json_is_an_error() {
    let deep = "[".repeat(100_000);
    assert!(shown(read_bytes("x.json", deep.as_bytes()).into_iter())[0].contains("recursion limit"));
    let deep = format!("{}1{}", "{\"content\":[".repeat(50_000), "]}".repeat(50_000));
    assert!(shown(read_bytes("x.jsonl", deep.as_bytes()).into_iter())[0].contains("recursion limit"));
}

#[test]
fn very_long_line_is_read() {
    let text = "word ".repeat(400_000);
    let found = read_bytes("x.md", text.as_bytes());
    assert!(matches!(found.as_slice(), [Ok(input)] if input.text == text));
}

#[test]
fn default_reads_lazily() {
    let root = folder_with(&[("a.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n")]);
    let path = root.path().join("a.jsonl").display().to_string();
    let mut items = inputs(&[path], &IntakeOptions::default());
    assert!(matches!(items.next(), Some(Ok(input)) if input.text == "one"));
    assert!(matches!(items.next(), Some(Ok(input)) if input.name.ends_with("a.jsonl:2")));
    assert!(items.next().is_none());
    assert!(items.next().is_none());
}

#[cfg(unix)]
#[test]
fn unreadable_folder_entry_is_reported_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder_with(&[("a.md", "Good."), ("b.md", "Closed.")]);
    fs::set_permissions(root.path().join("b.md"), fs::Permissions::from_mode(0o000)).expect("works in a fresh folder");
    if fs::read(root.path().join("b.md")).is_ok() {
        // Root can read every file, so this case cannot be tested.
        assert_eq!(read_in(root.path(), &["."], "").len(), 2);
        println!("not shown here: root can read every file");
        return;
    }
    let found = read_in(root.path(), &["."], "");
    assert_eq!(found.len(), 2);
    assert!(found[1].contains("ermission"), "{found:?}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_when_named_and_not_inside_folders() {
    let root = folder_with(&[("a.md", "Good.")]);
    std::os::unix::fs::symlink(root.path(), root.path().join("loop")).expect("works in a fresh folder");
    std::os::unix::fs::symlink(root.path().join("a.md"), root.path().join("b.md")).expect("works in a fresh folder");
    assert_eq!(read_in(root.path(), &["."], ""), ["./a.md: Good."]);
    assert_eq!(read_in(root.path(), &["b.md"], ""), ["b.md: Good."]);
}

const NAMES: [&str; 6] = ["-", "x.md", "x.json", "x.jsonl", "x", "x.ndjson"];

fn assert_sound(items: &[Result<RawInput, IntakeError>]) {
    assert!(!items.is_empty());
    for input in items.iter().flatten() {
        if let Some(span) = input.title_span {
            let title = input.text.get(span.start..span.end).expect("a span on character boundaries");
            assert!(!title.is_empty() && title == title.trim());
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), name in prop::sample::select(&NAMES[..])) {
        assert_sound(&read_bytes(name, &bytes));
    }

    #[test]
    fn no_text_with_signs_of_formats_makes_a_reader_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "---\n", "---", "title: ", "\r", "\n", "{", "}", "[", "]", "\"title\":", "\"body\":", "\"text\":", "\"fields\":",
            "\"issues\":", "\"x\"", "null", ",", ":", "*a", "&a ", "文", "\u{FEFF}", "\\u0000", "7",
        ]), 0..40),
        name in prop::sample::select(&NAMES[..]),
    ) {
        assert_sound(&read_bytes(name, pieces.concat().as_bytes()));
    }

    #[test]
    fn title_span_slices_to_the_title(title in "\\PC{0,20}", body in "(?s).{0,30}", is_jira in any::<bool>()) {
        let document = if is_jira {
            serde_json::json!({"fields": {"summary": title, "description": body}})
        } else {
            serde_json::json!({"title": title, "body": body})
        };
        let items = read_bytes("x.json", document.to_string().as_bytes());
        assert_sound(&items);
        if let [Ok(input)] = items.as_slice() {
            let expected = Some(title.trim()).filter(|title| !title.is_empty());
            prop_assert_eq!(input.title_span.map(|span| span.slice(&input.text)), expected);
            prop_assert_eq!(input.tracker.is_some(), true);
        }
    }

    #[test]
    fn front_matter_title_is_found(title in "[a-zA-Z文é][a-zA-Z文é '-]{0,20}[a-z]") {
        let text = format!("---\ntitle: {title}\ntype: bug\n---\nBody.\n");
        let items = read_bytes("x.md", text.as_bytes());
        assert_sound(&items);
        if let [Ok(input)] = items.as_slice() {
            prop_assert_eq!(input.title_span.map(|span| span.slice(&input.text)).unwrap_or(&title), &title);
        }
    }

    #[test]
    fn jira_and_github_say_their_source(number in any::<u32>()) {
        let items = read_bytes("x.json", format!("{{\"number\":{number},\"title\":\"t\"}}").as_bytes());
        prop_assert!(matches!(items.as_slice(), [Ok(input)] if input.tracker == Some(SourceType::GitHubIssue)));
    }
}
