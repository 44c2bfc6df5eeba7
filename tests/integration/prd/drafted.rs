//! Properties of documents that are collected from any text: no panic, and reading a written document gives the same document.

use reqgate::prd::brief::{parse_brief, render_brief};
use reqgate::prd::collect::Collector;
use reqgate::prd::feature_id::new_feature_id;
use reqgate::prd::gaps;
use reqgate::prd::layouts::Source;
use reqgate::prd::requirements::{RequirementsDocument, parse, parse_anyway, render};

/// Collects a brief and requirements from a text, reads them back, and checks their form and that of the text itself.
/// Every unused sentence must be listed with words of the text.
pub fn check(author: &Collector<'_>, text: &str) {
    let sources = [Source { name: "soup.md".to_owned(), text: text.to_owned(), asked: None }];
    let brief = author.brief(&sources);
    assert!(!brief.title.trim().is_empty(), "a document without a name from {text:?}");
    let written = render_brief(&brief);
    assert_eq!(render_brief(&parse_brief(&written)), written, "from {text:?}");
    for one in author.not_used(&sources, &brief) {
        assert!(text.contains(&one.place.quote), "{one:?} from {text:?}");
    }
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
    assert!(!parse_brief(text).title.contains('\n'));
    for (text, document) in [(file.as_str(), &document), (text, &strange)] {
        let brief = Some(written.as_str());
        let analysis = gaps::analyse(&gaps::Input { name: "requirements.md", text, document, duplicates: &[], brief });
        assert!((0.0..=1.0).contains(&analysis.score()), "{}", analysis.score());
    }
}
