//! Search queries, built from a product or a competitor with the words of `config/search.yaml`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_base::yaml;

/// The words that are shipped.
const WORDS: &str = include_str!("../../../../config/search.yaml");
/// The longest query in characters: the limit of Brave, which Tavily also recommends.
pub(crate) const LONGEST_QUERY: usize = 400;

/// The question that a query belongs to; its wire names are those of the source document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueryType {
    /// Somebody's own words.
    Search,
    /// How large a market is, and where it goes.
    MarketResearch,
    /// What a competitor offers, and what others say of it.
    CompetitorAnalysis,
    /// What users need.
    UserResearch,
}

/// A query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchQuery {
    /// The question that it belongs to.
    #[serde(rename = "type")]
    pub kind: QueryType,
    /// Its words, at most 400 characters on one line.
    #[serde(rename = "query")]
    pub text: String,
    /// The competitor that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<String>,
}

impl SearchQuery {
    /// Creates a query from a user's own words.
    pub fn plain(text: &str) -> Self {
        Self::new(QueryType::Search, text)
    }

    fn new(kind: QueryType, text: &str) -> Self {
        Self { kind, text: one_line(text, LONGEST_QUERY), target: None }
    }

    /// The key under which two equal queries are the same, regardless of case and white space.
    pub(super) fn key(&self) -> String {
        self.text.to_lowercase()
    }
}

/// The query about the market of `subject`, a product or an idea.
pub fn market(subject: &str, language: Language) -> Vec<SearchQuery> {
    of(QueryType::MarketResearch, &words().queries.market, subject, language)
}

/// The four queries about the competitor `name`.
pub fn competitor(name: &str, language: Language) -> Vec<SearchQuery> {
    let queries = of(QueryType::CompetitorAnalysis, &words().queries.competitor, name, language);
    let target = Some(one_line(name, LONGEST_QUERY));
    queries.into_iter().map(|query| SearchQuery { target: target.clone(), ..query }).collect()
}

/// The query about the users of `subject`.
pub fn users(subject: &str, language: Language) -> Vec<SearchQuery> {
    of(QueryType::UserResearch, &words().queries.users, subject, language)
}

/// Returns true for a lower-case word without information about a document.
pub(super) fn is_small(word: &str) -> bool {
    static SMALL: LazyLock<BTreeSet<&'static str>> =
        LazyLock::new(|| words().small_words.en.iter().chain(&words().small_words.zh).map(String::as_str).collect());
    SMALL.contains(word)
}

/// The Chinese small words, which are not separated from others by spaces.
pub(super) fn small_chinese() -> &'static [String] {
    &words().small_words.zh
}

fn of(kind: QueryType, forms: &ByLanguage, subject: &str, language: Language) -> Vec<SearchQuery> {
    let forms = match language {
        Language::En => &forms.en,
        Language::Zh => &forms.zh,
    };
    let query = |form: &String| {
        // A long subject must not displace the words of the question.
        let room = LONGEST_QUERY.saturating_sub(form.chars().count() - 2);
        SearchQuery::new(kind, &form.replace("{}", &one_line(subject, room)))
    };
    forms.iter().map(query).collect()
}

/// The words of a text on one line, without control characters; the first `most` characters.
fn one_line(text: &str, most: usize) -> String {
    let words = clean::words(text);
    words.chars().take(most).collect::<String>().trim_end().to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    queries: Queries,
    small_words: ByLanguage,
    #[cfg_attr(not(test), expect(dead_code, reason = "its examples are read by a test"))]
    examples: Vec<Example>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Queries {
    market: ByLanguage,
    competitor: ByLanguage,
    users: ByLanguage,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByLanguage {
    en: Vec<String>,
    zh: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "its examples are read by a test"))]
struct Example {
    topic: String,
    language: Language,
    subject: String,
    queries: Vec<String>,
}

fn words() -> &'static Words {
    static READ: LazyLock<Words> = LazyLock::new(|| yaml::read(WORDS).expect("a test reads the shipped file"));
    &READ
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The suffixes of the source document and the four queries for a competitor, in both languages.
    #[test]
    fn every_example_of_the_shipped_words_holds() {
        for example in &words().examples {
            let made = match example.topic.as_str() {
                "market" => market(&example.subject, example.language),
                "competitor" => competitor(&example.subject, example.language),
                "users" => users(&example.subject, example.language),
                other => panic!("{other}"),
            };
            let texts: Vec<&str> = made.iter().map(|query| query.text.as_str()).collect();
            assert_eq!(texts, example.queries);
            let target = (example.topic == "competitor").then(|| example.subject.clone());
            assert!(made.iter().all(|query| query.target == target), "{made:?}");
        }
        assert_eq!(words().examples.len(), 6);
        for forms in [&words().queries.market, &words().queries.competitor, &words().queries.users] {
            assert!(forms.en.iter().chain(&forms.zh).all(|form| form.matches("{}").count() == 1));
        }
    }

    #[test]
    fn query_is_one_short_line_whatever_the_subject_is() {
        let long = "many words ".repeat(500) + "\u{1b}[31m\u{202e}";
        for query in market(&long, Language::En).into_iter().chain(competitor(&long, Language::Zh)) {
            assert!(query.text.chars().count() <= LONGEST_QUERY, "{}", query.text.len());
            assert!(!query.text.chars().any(clean::is_unsafe));
        }
        assert!(market(&long, Language::En)[0].text.ends_with("industry report statistics"));
        let json = serde_json::to_value(&competitor("Nordwind", Language::En)[0]).unwrap();
        assert_eq!(json["type"], "competitor_analysis");
        assert_eq!((&json["query"], &json["target"]), (&"Nordwind features pricing".into(), &"Nordwind".into()));
    }
}
