//! What holds of documents that are drafted from any text: nothing panics, and they are read as they were written.

use reqgate::prd::author::{RulesAuthor, Source};
use reqgate::prd::brief::{parse_brief, render_brief};
use reqgate::prd::feature_id::new_feature_id;
use reqgate::prd::gaps;
use reqgate::prd::requirements::{RequirementsDocument, parse, parse_anyway, render};

/// Drafts a brief and requirements from a text, reads them back, and looks for gaps in them and in the text itself.
pub fn check(author: &RulesAuthor<'_>, text: &str) {
    let sources = [Source { name: "soup.md".to_owned(), text: text.to_owned(), asked: None }];
    let brief = author.brief(&sources);
    assert!(!brief.title.trim().is_empty(), "a document without a name from {text:?}");
    let written = render_brief(&brief);
    assert_eq!(render_brief(&parse_brief(&written)), written, "from {text:?}");
    let requirements = author.requirements(&brief, &sources, &[]);
    for requirement in &requirements {
        assert!(!requirement.title.trim().is_empty() && !requirement.description.trim().is_empty(), "{requirement:?}");
    }
    let feature = new_feature_id(&brief.title, &["007-other"]);
    let document = RequirementsDocument::new(&feature, &brief.title, brief.language);
    let (document, _) = document.with_proposals(&requirements);
    let file = render(&document);
    let again = parse(&file).unwrap_or_else(|faults| panic!("{faults}\n{file}\nfrom {text:?}"));
    assert_eq!(again.requirements().count(), document.requirements().count(), "{file}\nfrom {text:?}");
    // Any text may be opened as a brief or as a file of requirements.
    let (strange, _) = parse_anyway(text);
    assert_eq!(render(&strange), text);
    let strange_brief = parse_brief(text);
    for (brief, words, text, document) in
        [(&brief, &written, &file, &document), (&strange_brief, &written, &text.to_owned(), &strange)]
    {
        let analysis = gaps::analyse(gaps::Input {
            brief: Some(gaps::Named { name: "feature-brief.md", text: words, document: brief }),
            requirements: gaps::Named { name: "requirements.md", text, document },
        });
        assert!((0.0..=1.0).contains(&analysis.score), "{}", analysis.score);
    }
}
