//! `reqgate trace`: finds mentions of a feature's requirements in tests, code and commits.

use std::path::{Path, PathBuf};

use reqgate::action::{CommitMessage, GitError, GitRepository};
use reqgate::prd::gaps::Terminal;
use reqgate::prd::trace::{self, Commits, Evidence, Feature, FileSets, Input};

use super::arguments::{ColorWhen, TraceArguments, TraceFormat, TraceRequire};
use super::exit::{self, Failure};
use super::feature_files::{REQUIREMENTS, file, of_feature, requirements_in};
use super::{outputs, terminal};

/// The maximum number of commits that are read.
const MOST_COMMITS: usize = 10_000;

pub(super) fn run(arguments: &TraceArguments, color: ColorWhen) -> Result<u8, Failure> {
    let path = document_of(&arguments.path)?;
    let file = if arguments.path.is_dir() { of_feature(&path)? } else { file(&path)? };
    let document = requirements_in(&file)?.document;
    let (name, text) = (file.name(), file.text());
    let (path, root) = placed(&path)?;
    let sets = FileSets::new(&arguments.tests, &arguments.code).map_err(Failure::usage)?;
    let commits = commits(arguments, &root)?;
    let required: Vec<Evidence> = arguments.require.iter().map(|one| evidence(*one)).collect();
    if let (true, Commits::NotRead(reason)) = (required.contains(&Evidence::Commits), &commits) {
        return Err(Failure::usage(format!("--require commits needs commits, which were not searched: {reason}")));
    }
    let feature = Feature::of(&path, &root);
    let input = Input {
        name,
        text,
        document: &document,
        feature: &feature,
        root: &root,
        sets: &sets,
        commits: &commits,
        required: &required,
    };
    let traced = trace::trace(&input).map_err(|error| Failure::usage(format!("`{name}`: {error}")))?;
    for (flag, globs, files) in [
        ("--tests", &arguments.tests, traced.searched.test_files),
        ("--code", &arguments.code, traced.searched.code_files),
    ] {
        if !globs.is_empty() && files == 0 {
            exit::warn(&format!("no file matches {flag} {}: patterns begin at {}", globs.join(" "), root.display()));
        }
    }
    let text = match arguments.format {
        TraceFormat::Human => {
            let terminal = Terminal { colour: terminal::is_coloured(color), width: terminal::width() };
            trace::human(&traced, terminal, arguments.verbose)
        }
        TraceFormat::Markdown => trace::markdown(&traced),
        TraceFormat::Html => {
            trace::html(&traced).map_err(|error| Failure::World(format!("writing the page: {error}")))?
        }
        TraceFormat::Json => outputs::json("the trace", &traced)?,
    };
    outputs::print(&text)?;
    Ok(if traced.passes() { exit::PASS } else { exit::GATE_SAID_NO })
}

fn evidence(required: TraceRequire) -> Evidence {
    match required {
        TraceRequire::Tests => Evidence::Tests,
        TraceRequire::Code => Evidence::Code,
        TraceRequire::Commits => Evidence::Commits,
    }
}

/// The document with the requirements: the file, or the one in a feature's directory.
fn document_of(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let known = [REQUIREMENTS, "prd.md"].map(|name| path.join(name));
    known.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let name = path.display();
        Failure::usage(format!("`{name}` has neither requirements.md nor prd.md: name the document itself"))
    })
}

/// The absolute paths of the document and of the root of the search: the repository with the document, or else the
/// current directory.
fn placed(document: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let whole = |path: &Path| {
        path.canonicalize().map_err(|error| Failure::usage(format!("reading `{}`: {error}", path.display())))
    };
    let document = whole(document)?;
    let repository = document.ancestors().skip(1).find(|folder| folder.join(".git").exists()).map(Path::to_path_buf);
    let root = match repository {
        Some(root) => root,
        None => whole(Path::new("."))?,
    };
    Ok((document, root))
}

/// The commits, or the reason why they are not searched. A range from the command line must exist.
fn commits(arguments: &TraceArguments, root: &Path) -> Result<Commits, Failure> {
    if arguments.no_commits {
        return Ok(Commits::NotRead("--no-commits".to_owned()));
    }
    // A folder above may be another person's repository.
    if !root.join(".git").exists() {
        return Ok(Commits::NotRead(format!("{} is not a git repository", root.display())));
    }
    let repository = GitRepository::new(root);
    let range = arguments.commits.as_deref().unwrap_or("HEAD");
    match repository.messages(range, MOST_COMMITS + 1) {
        Ok(mut messages) => {
            let cut = if messages.len() > MOST_COMMITS {
                messages.truncate(MOST_COMMITS);
                Some(format!("only the newest {MOST_COMMITS} were read; --commits RANGE selects others"))
            } else if repository.is_shallow() {
                Some("the clone is shallow; fetch the others with `git fetch --unshallow`".to_owned())
            } else {
                None
            };
            let pair = |CommitMessage { commit, text }| (commit, text);
            Ok(Commits::Read { messages: messages.into_iter().map(pair).collect(), cut })
        }
        Err(error @ GitError::Failed { .. }) if arguments.commits.is_some() => {
            Err(Failure::usage(format!("--commits {range}: {error}")))
        }
        Err(error) => Ok(Commits::NotRead(error.to_string())),
    }
}
