//! Reads the files of `rubrics/`: the shipped ones from the binary, the user's from a folder. Every error names file and place.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::source_file::{LoadError, Source, SourceFile, folder_of, invalid, parse, parse_valid};
use super::validate::{check_likely, check_policies, check_questions, check_rubric, check_rule};
use super::{
    FacetFile, ModelCalibration, Policy, PolicyFile, PrecisionFile, QuestionFile, Rubric, RubricFile, RuleBook,
    RuleFile, Tally,
};
use reqgate_base::model::{PolicyReference, RubricReference, RuleId};
use reqgate_base::suggest::did_you_mean;
use reqgate_text::Vocabulary;
use reqgate_text::cues::{Cue, WordListFile};
use reqgate_text::headings::HeadingTerms;

/// Every shipped file; made by `build.rs`, because YAML takes ten times as long to read.
static SHIPPED: &[ShippedFile] = include!(concat!(env!("OUT_DIR"), "/rubrics.rs"));

/// The file of a rules folder with the measured precision of its rules; the shipped figures are a separate table.
const PRECISION: &str = "precision.yaml";

/// The path, the JSON with empty lists of examples, the hash of the YAML text, the byte range of those lists, and the examples.
type ShippedFile = (&'static str, &'static str, &'static str, Range<usize>, &'static str);

/// The files in the binary, in the order of their paths.
pub fn shipped_files() -> Vec<SourceFile> {
    let with_examples = |file: &ShippedFile| {
        let (_, json, _, place, examples) = file;
        let text = [&json[..place.start], examples, &json[place.end..]].concat();
        SourceFile { text: Cow::Owned(text), ..source_file(file) }
    };
    SHIPPED.iter().map(with_examples).collect()
}

/// The same without the examples of the rules, which no verdict needs: they load faster.
pub fn shipped_files_for_judging() -> Vec<SourceFile> {
    SHIPPED.iter().map(source_file).collect()
}

fn source_file((path, json, hash, ..): &ShippedFile) -> SourceFile {
    SourceFile {
        path: (*path).to_owned(),
        text: Cow::Borrowed(json),
        hash: Cow::Borrowed(hash),
        source: Source::Shipped,
        is_hidden: false,
    }
}

/// Reads and compiles files. A user's file replaces a shipped one with the same id; a word list is added to that of the same cue.
///
/// # Errors
/// Fails on the first broken file, with its name and the place.
pub fn load(files: &[SourceFile]) -> Result<RuleBook, LoadError> {
    let mut contents = Contents::default();
    for file in files {
        contents.add(file)?;
    }
    contents.book(files)
}

/// The contents of files by their kind, before they are compiled.
#[derive(Default)]
struct Contents {
    rules: ById<RuleFile>,
    rubrics: ById<Rubric>,
    policies: ById<Policy>,
    facets: ById<FacetFile>,
    calibrations: ById<ModelCalibration>,
    vocabulary: Vocabulary,
    headings: Vec<HeadingTerms>,
    precision: BTreeMap<RuleId, BTreeMap<String, Tally>>,
    questions: Vec<SourceFile>,
}

/// Values of one kind, each with the source of its file.
type ById<T> = BTreeMap<String, (T, Source)>;

impl Contents {
    /// Reads and checks a file of any kind.
    fn add(&mut self, file: &SourceFile) -> Result<(), LoadError> {
        match folder_of(&file.path) {
            "rules" => {
                let mut rule: RuleFile = parse_valid(file)?;
                check_rule(file, &rule)?;
                rule.is_own = file.source == Source::User && !self.rules.contains_key(&rule.id.to_string());
                insert(file, rule.id.to_string(), rule, &mut self.rules)
            }
            "scorecards" => self.add_rubric(file),
            "policies" => self.add_policy(file),
            "facets" => {
                let facet: FacetFile = parse_valid(file)?;
                insert(file, facet.id.clone(), facet, &mut self.facets)
            }
            "models" => {
                let calibration: ModelCalibration = parse_valid(file)?;
                check_calibration(file, &calibration)?;
                insert(file, calibration.id.clone(), calibration, &mut self.calibrations)
            }
            "questions" => {
                if file.source == Source::User {
                    parse_valid::<QuestionFile>(file)?;
                }
                self.questions.push(file.clone());
                Ok(())
            }
            "vocabulary" => {
                let list: WordListFile = parse(file)?;
                self.vocabulary.add(cue_of(file, &list, &Cue::ALL, Cue::name)?, list);
                Ok(())
            }
            // The program has these as constants; a copy of the shipped folder may hold them.
            "words" => parse::<Vec<WordListFile>>(file).map(drop),
            // Other crates read these files, for drafting, the gap analysis and the critics; no verdict depends on them.
            "gaps" | "names" | "perspectives" | "reader" | "sections" => Ok(()),
            "" if file.path == PRECISION => {
                for (rule, origins) in parse_valid::<PrecisionFile>(file)?.rules {
                    self.precision.entry(rule).or_default().extend(origins);
                }
                Ok(())
            }
            "" if file.path.starts_with("headings.") => self.add_headings(file),
            _ => Err(LoadError::Misplaced { path: file.path.clone() }),
        }
    }

    fn add_rubric(&mut self, file: &SourceFile) -> Result<(), LoadError> {
        let rubric: RubricFile = parse_valid(file)?;
        check_rubric(file, &rubric)?;
        let (id, version) = (rubric.id.clone(), rubric.version.clone());
        let reference = RubricReference { id: id.clone(), version, hash: file.hash.to_string() };
        insert(file, id, Rubric { file: rubric, reference }, &mut self.rubrics)
    }

    fn add_policy(&mut self, file: &SourceFile) -> Result<(), LoadError> {
        let policy: PolicyFile = parse_valid(file)?;
        let reference = PolicyReference {
            most_questions: policy.most_questions,
            id: policy.id.clone(),
            version: policy.version.clone(),
            hash: file.hash.to_string(),
        };
        insert(file, policy.id.clone(), Policy { file: policy, reference }, &mut self.policies)
    }

    /// Adds terms of headings. The user's terms come first, so that they win.
    fn add_headings(&mut self, file: &SourceFile) -> Result<(), LoadError> {
        let mut terms: Vec<HeadingTerms> = parse(file)?;
        if file.source == Source::User {
            std::mem::swap(&mut terms, &mut self.headings);
        }
        self.headings.append(&mut terms);
        Ok(())
    }

    /// Checks the files against each other, and compiles them.
    fn book(self, files: &[SourceFile]) -> Result<RuleBook, LoadError> {
        let Self { rules, vocabulary, headings, questions, .. } = self;
        let rubrics: Vec<Rubric> = values(self.rubrics);
        check_questions(&questions, &rubrics)?;
        let facets: Vec<FacetFile> = values(self.facets);
        check_likely(files, &rubrics, &facets)?;
        let policies: Vec<Policy> = values(self.policies);
        check_policies(files, &policies, &rubrics, &rules)?;
        let mut book = RuleBook::new(values(rules), rubrics, policies, facets, &vocabulary, &headings, questions)?;
        book.own_precision = self.precision;
        book.calibrations = values(self.calibrations);
        Ok(book)
    }
}

fn values<T>(by_id: ById<T>) -> Vec<T> {
    by_id.into_values().map(|(value, _)| value).collect()
}

/// Reads the questions to a model, with the hash of each file, ordered by id.
pub(super) fn questions(files: &[SourceFile]) -> Result<Vec<(QuestionFile, String)>, LoadError> {
    let mut found = ById::new();
    for file in files {
        let mut question: QuestionFile = parse(file)?;
        question.is_own = file.source == Source::User && !found.contains_key(question.id.as_str());
        insert(file, question.id.to_string(), (question, file.hash.to_string()), &mut found)?;
    }
    Ok(values(found))
}

/// Checks that the default calibration still applies to every model.
fn check_calibration(file: &SourceFile, calibration: &ModelCalibration) -> Result<(), LoadError> {
    let is_for_all = calibration.models.iter().any(|name| name == "*");
    match calibration.id == DEFAULT_CALIBRATION && !is_for_all {
        true => {
            Err(invalid(file, "the calibration `default` holds for every model: keep `*` among its models".to_owned()))
        }
        false => Ok(()),
    }
}

/// The calibration of models that no other file names.
const DEFAULT_CALIBRATION: &str = "default";

fn insert<T>(file: &SourceFile, id: String, value: T, into: &mut ById<T>) -> Result<(), LoadError> {
    if into.get(&id).is_some_and(|(_, source)| *source == file.source) {
        return Err(LoadError::Duplicate { path: file.path.clone(), id });
    }
    into.insert(id, (value, file.source.clone()));
    Ok(())
}

/// Finds the cue of a word list by its id.
fn cue_of<C: Copy>(
    file: &SourceFile,
    list: &WordListFile,
    all: &[C],
    name: fn(C) -> &'static str,
) -> Result<C, LoadError> {
    if list.matching.is_some() {
        return Err(invalid(file, "`match` belongs to lists in words/; the words of a cue are terms"));
    }
    let is_empty = |term: &&String| term.trim_matches(|c: char| c.is_whitespace() || matches!(c, '~' | '*')).is_empty();
    if let Some(term) = list.en.iter().chain(&list.zh).chain(&list.except).find(is_empty) {
        return Err(invalid(file, format!("the term `{term}` has no letter: write a word before the sign")));
    }
    all.iter().copied().find(|cue| name(*cue) == list.id).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|cue| name(*cue)).collect();
        let hint = did_you_mean(&list.id, names.iter().copied());
        let hint = if hint.is_empty() { format!("; the cues are {}", names.join(", ")) } else { hint };
        invalid(file, format!("`id`: there is no cue `{}`{hint}", list.id))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::de::DeserializeOwned;

    use super::super::Detect;
    use super::super::folder::user_files;
    use super::*;
    use reqgate_base::yaml;

    /// The JSON that `build.rs` makes must equal the YAML: `- 404` in a list of words is a number in JSON.
    #[test]
    fn the_shipped_json_says_what_the_yaml_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rubrics");
        let mut written = user_files(&folder).expect("the folder can be read");
        // Other crates read the words of the gap analysis, of the critics and of the program.
        let is_apart = |file: &SourceFile| {
            matches!(folder_of(&file.path), "words" | "gaps" | "names" | "perspectives" | "reader" | "sections")
        };
        written.retain(|file| file.path != PRECISION && !is_apart(file));
        let compiled = shipped_files();
        let names =
            |files: &[SourceFile]| files.iter().map(|file| (file.path.clone(), file.hash.clone())).collect::<Vec<_>>();
        assert_eq!(names(&written), names(&compiled));
        for (yaml, json) in written.iter().zip(&compiled) {
            match folder_of(&yaml.path) {
                "rules" => same::<RuleFile>(yaml, json),
                "scorecards" => same::<RubricFile>(yaml, json),
                "questions" => same::<QuestionFile>(yaml, json),
                "policies" => same::<PolicyFile>(yaml, json),
                "facets" => same::<FacetFile>(yaml, json),
                "models" => same::<ModelCalibration>(yaml, json),
                "vocabulary" => same::<WordListFile>(yaml, json),
                _ => same::<Vec<HeadingTerms>>(yaml, json),
            }
        }
    }

    fn same<T: DeserializeOwned + std::fmt::Debug>(yaml: &SourceFile, json: &SourceFile) {
        let yaml: T = parse(yaml).expect("the YAML is read");
        let json: T = parse(json).unwrap_or_else(|error| panic!("quote what is no text in YAML: {error}"));
        assert_eq!(format!("{yaml:?}"), format!("{json:?}"));
    }

    #[test]
    fn rules_for_judging_lack_nothing_but_their_examples() {
        let without_examples = |files: &[SourceFile]| {
            let mut book = load(files).expect("the shipped rules load");
            for rule in &mut book.rules {
                rule.file.examples.fires.clear();
                rule.file.examples.silent.clear();
            }
            let files: Vec<String> = book.rules.iter().map(|rule| format!("{:?}", rule.file)).collect();
            (files, format!("{:?}", book.rubrics))
        };
        assert_eq!(without_examples(&shipped_files()), without_examples(&shipped_files_for_judging()));
    }

    #[test]
    fn a_list_for_no_cue_is_an_error_that_names_the_cues() {
        let load_own = |path: &str, text: &str| load(&[SourceFile::user(path.to_owned(), text.to_owned())]);
        let no_cue = load_own("vocabulary/x.yaml", "id: wishes\npurpose: none\nen: [maybe]\n");
        let message = no_cue.expect_err("there is no such cue").to_string();
        assert!(message.contains("there is no cue `wishes`: did you mean `wish`?"), "{message}");
        let compared = load_own("vocabulary/x.yaml", "id: wish\npurpose: none\nmatch: start\nen: [maybe]\n");
        assert!(compared.is_err());
        let far = load_own("vocabulary/x.yaml", "id: xylophone\npurpose: none\nen: [maybe]\n");
        assert!(far.expect_err("there is no such cue").to_string().contains("wish, malfunction"));
    }

    #[test]
    fn the_names_of_earlier_versions_are_still_read() {
        let cue: WordListFile = yaml::read("cue: wish\npurpose: p\nexamples: {hit: [a], miss: [b]}\n").expect("a cue");
        assert_eq!((cue.id.as_str(), cue.examples.fires.len(), cue.examples.silent.len()), ("wish", 1, 1));
        let examples: crate::FacetExamples = yaml::read("{there: [a], absent: [b]}").expect("examples");
        assert_eq!((examples.fires.len(), examples.silent.len()), (1, 1));
        let patterns: Detect =
            yaml::read("patterns: {patterns: [{find: a, near: [a]}], genres: [demand]}").expect("expressions");
        assert!(matches!(patterns, Detect::Patterns { expressions, .. } if expressions.len() == 1));
    }

    #[test]
    fn shipped_rules_and_rubrics_are_valid() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rubrics");
        let mut files = user_files(&folder).expect("the folder can be read");
        files
            .retain(|file| !matches!(folder_of(&file.path), "gaps" | "names" | "perspectives" | "reader" | "sections"));
        load(&files).expect("read as a user's files they are checked");
    }
}
