//! Tests of the search in a folder, on typical documents of a team.

use std::fs;
use std::path::Path;

use super::*;

fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Folder) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let folder = Folder::open(root.path()).unwrap();
    (root, folder)
}

fn places(folder: &Folder, query: &str) -> Vec<String> {
    folder.search(query, 10).unwrap().iter().map(|result| result.place.to_string()).collect()
}

const NOTES: [(&str, &str); 4] = [
    (
        "market/size.md",
        "# Team notes market\n\nAnalysts disagree.\n\n## Size\n\nThe market for shared notes was 2.1 billion euros in 2025.\nIt \
         grows by 9 % a year, says the Nordwind report.\n",
    ),
    (
        "interviews.txt",
        "Ana exports her notes every Friday. She was losing attachments.\n\nBen never exports anything.\n",
    ),
    ("竞品.md", "# 竞品分析\n\n北风笔记的专业版每月 29 元。团队版按人数收费。\n\n# 用户\n\n会员每周导出一次订单。\n"),
    ("prices.csv", "product,price\nNordwind,12\nSüdwind,15\n"),
];

#[test]
fn the_line_and_the_paragraph_are_found_in_english_and_chinese() {
    let (_root, folder) = folder(&NOTES);
    assert_eq!(places(&folder, "how large is the market?")[0], "market/size.md:7");
    let first = &folder.search("market growth: does it grow a year", 3).unwrap()[0];
    assert_eq!(first.place.to_string(), "market/size.md:8");
    assert_eq!(first.title, "Team notes market › Size");
    assert!(first.snippet.contains("9 % a year") && first.snippet.contains("2.1 billion"), "{}", first.snippet);
    assert_eq!((first.rank, &first.domain), (1, &None));
    assert!(first.score.unwrap() > 0.0);
    // Words match by their stem, without accents.
    assert_eq!(places(&folder, "lose an attachment"), ["interviews.txt:1"]);
    assert_eq!(places(&folder, "sudwind"), ["prices.csv:3"]);
    assert_eq!(places(&folder, "专业版的价格")[0], "竞品.md:3");
    assert_eq!(places(&folder, "订单导出"), ["竞品.md:7"]);
    assert_eq!(places(&folder, "元"), ["竞品.md:3"]);
    assert_eq!(places(&folder, "会"), ["竞品.md:7"]);
    assert!(places(&folder, "kubernetes").is_empty());
}

#[test]
fn results_are_ranked_limited_and_the_same_every_time() {
    let texts: Vec<(String, String)> =
        (0..30).map(|n| (format!("n{n:02}.md"), format!("Notes {}", "export ".repeat(n % 3 + 1)))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (_one, first) = folder(&files);
    let (_two, second) = folder(&files);
    let found = first.search("export", 7).unwrap();
    assert_eq!(found.len(), 7);
    assert_eq!(found, second.search("export", 7).unwrap());
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].rank + 1 == pair[1].rank));
}

#[test]
fn hostile_queries_are_words_and_nothing_else() {
    let (_root, folder) = folder(&NOTES);
    for query in [
        "\"",
        "heading : notes",
        "a* OR NEAR(b c, 2)",
        "'; DROP TABLE passages; --",
        "(((((",
        "^x",
        "\u{0}notes",
        "- -",
    ] {
        match folder.search(query, 10) {
            Ok(_) | Err(SearchError::EmptyQuery) => {}
            Err(error) => panic!("{query}: {error}"),
        }
    }
    assert_eq!(folder.search(" ?! ", 10), Err(SearchError::EmptyQuery));
    assert_eq!(places(&folder, &"notes ".repeat(100_000)).len(), places(&folder, "notes").len());
}

#[test]
fn ignored_hidden_binary_and_foreign_files_are_left_out() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = root.path().join("docs").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    fs::write(root.path().join("outside.md"), "secret word").unwrap();
    write("a.md", b"a public word");
    write("drafts/b.md", b"a drafted word");
    write(".gitignore", b"drafts/\n");
    write(".hidden.md", b"a hidden word");
    write("picture.png", b"word");
    write("binary.txt", b"word\0word");
    write("latin.txt", b"w\xf6rd word");
    write("large.txt", &vec![b'w'; (MOST_FILE_BYTES + 1) as usize]);
    #[cfg(unix)]
    for (target, link) in [("../outside.md", "link.md"), ("..", "up")] {
        std::os::unix::fs::symlink(target, root.path().join("docs").join(link)).unwrap();
    }
    let folder = Folder::open(&root.path().join("docs")).unwrap();
    assert_eq!(places(&folder, "word"), ["a.md:1"]);
    let unread: Vec<&str> = folder.unread().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(unread, ["binary.txt", "large.txt", "latin.txt"]);
    assert!(folder.unread()[2].1.contains("save it as UTF-8"));
}

#[test]
fn folder_that_cannot_be_searched_is_told() {
    let root = tempfile::tempdir().unwrap();
    let told = |path: &Path| Folder::open(path).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told(&root.path().join("gone")).contains("it is not a folder"));
    assert!(told(root.path()).contains("it has no document that can be read (.md"));
}
