//! Judges the documents of a pull request or of the checkout, and builds the report of the run.

use std::collections::BTreeMap;
use std::path::Path;

use super::ActionError;
use super::base_policy::base_policy;
use super::conclusion::{Conclusion, Outputs};
use super::documents::{self, Document};
use super::git::{Named, Repository};
use super::options::Options;
use super::pull_request::{Change, Changes, changes};
use super::skip::Skip;
use reqgate_base::model::{Outcome, Verdict};
use reqgate_gate::pipeline::{Pipeline, PipelineError, Stated};
use reqgate_gate::stages::gate::{Baseline, BaselineUse};
use reqgate_gate::stages::intake::{IntakeError, RawInput};
use reqgate_report::InputError;
use reqgate_rules::config::ValidConfig;

/// The exit code of a run in which a file could not be read.
const UNREADABLE: u8 = 2;

/// A judged file, or the reason why it could not be judged.
pub type JudgedFile = Result<Outcome, InputError>;

/// Judges a pull request. It needs no token and calls no API: all data comes from the checkout.
pub struct PullRequestFlow<'a> {
    /// The checkout of the repository.
    pub git: &'a Repository,
    /// The commits that the event names.
    pub named: &'a Named,
    /// The number of changed files according to GitHub.
    pub said: u64,
    /// The request comes from another repository.
    pub is_from_fork: bool,
    /// The inputs of the Action.
    pub options: &'a Options,
    /// A folder of this run for the policy of the base.
    pub folder: &'a Path,
}

impl PullRequestFlow<'_> {
    /// Judges the files changed by the request under the policy of its base; `open` makes a pipeline from that policy.
    /// Only new findings block, unless the inputs say otherwise. A run without files to judge is skipped.
    ///
    /// # Errors
    /// Fails if git fails, if the policy is broken, or if the changes cannot be determined.
    pub fn judge<E: From<ActionError>>(
        &self,
        variable: impl Fn(&str) -> Option<String> + Copy,
        mut warn: impl FnMut(String),
        open: impl FnOnce(ValidConfig, Stated) -> Result<Pipeline, E>,
    ) -> Result<Result<Vec<JudgedFile>, Skip>, E> {
        let base = self.git.base(self.named).map_err(ActionError::from)?;
        let config = base_policy(self.git, &base.policy, self.folder, variable, &mut warn)?;
        let stated = Stated { is_requirement: true, ..Stated::default() };
        let mut pipeline = open(config, stated)?;
        let Changes { files, hidden, left_out } =
            changes(self.git, &base.changed, &self.options.paths, (self.said, self.is_from_fork))
                .map_err(ActionError::from)?;
        for path in left_out {
            warn(format!("`{path}` is a symbolic link or a submodule and was not judged"));
        }
        if files.is_empty() && hidden.is_empty() {
            return Ok(Err(Skip::NoFiles));
        }
        let mut judged: Vec<JudgedFile> = hidden.into_iter().map(|path| Err(hidden_by_a_link(path))).collect();
        for Change { now, before } in files {
            let before = before.into_iter().filter(|_| self.options.changed_only).collect();
            judged.extend(judge_change(&mut pipeline, now, before));
        }
        Ok(Ok(judged))
    }
}

/// Judges a changed file; the findings of its earlier version do not block. A file that passes is rejected if a further
/// document in it does not pass.
fn judge_change(
    pipeline: &mut Pipeline,
    now: Vec<Result<RawInput, IntakeError>>,
    before: Vec<RawInput>,
) -> Vec<JudgedFile> {
    let mut known_of: BTreeMap<String, Baseline> = BTreeMap::new();
    let mut known = Baseline::default();
    // All earlier findings are known, with their number.
    pipeline.use_baseline(BaselineUse::Write);
    for input in before {
        for document in documents::further(&input, &pipeline.book.reader) {
            if let Ok(outcome) = pipeline.run(document.input) {
                known_of.entry(document.heading).or_default().record(&outcome);
            }
        }
        // A file that cannot be judged has no known findings.
        if let Ok(outcome) = pipeline.run(input) {
            known.record(&outcome);
        }
    }
    let further = now.iter().flatten().flat_map(|input| documents::further(input, &pipeline.book.reader));
    let further: Vec<Document> = further.collect();
    pipeline.use_baseline(BaselineUse::Hold(known));
    let mut judged = judge_files(pipeline, now.into_iter());
    for Document { heading, input } in further {
        let passed = |item: &&mut JudgedFile| {
            item.as_ref().is_ok_and(|outcome| outcome.input == input.name && outcome.decision.verdict == Verdict::Pass)
        };
        let Some(passed) = judged.iter_mut().find(passed) else { continue };
        pipeline.use_baseline(BaselineUse::Hold(known_of.remove(&heading).unwrap_or_default()));
        if let Ok(outcome) = pipeline.run(input)
            && !outcome.decision.verdict.is_pass()
        {
            *passed = Ok(outcome);
        }
    }
    judged
}

/// The error for a file that was replaced by a link. The targets of links are not judged, and a file that was judged
/// before must not pass unread.
fn hidden_by_a_link(path: String) -> InputError {
    let message = "a symbolic link or a submodule is in the place of requirements and cannot be judged: commit the files \
                   themselves";
    InputError { input: path, message: message.to_owned() }
}

/// Judges the files of the checkout.
pub fn judge_files(
    pipeline: &Pipeline,
    inputs: impl Iterator<Item = Result<RawInput, IntakeError>>,
) -> Vec<JudgedFile> {
    let judge = |input: Result<RawInput, IntakeError>| match input {
        Ok(input) => {
            let name = input.name.clone();
            let told = |error: PipelineError| InputError { input: name, message: pipeline.masked(&error.to_string()) };
            Some(pipeline.run(input).map_err(told))
        }
        Err(error) if error.is_note() => None,
        Err(error) => {
            let input = error.input().unwrap_or_default().to_owned();
            Some(Err(InputError { input, message: pipeline.masked(&error.to_string()) }))
        }
    };
    inputs.filter_map(judge).collect()
}

/// The result of a run over files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesRun {
    /// The worst conclusion of all files.
    pub conclusion: Conclusion,
    /// The outputs for later steps.
    pub outputs: Outputs,
    /// The exit code of the step.
    pub code: u8,
}

impl FilesRun {
    /// The result of a run over these files.
    pub fn of(judged: &[JudgedFile], options: &Options) -> Self {
        let conclusion = judged.iter().fold(Conclusion::Skipped, |worst, item| {
            worst.worse(item.as_ref().map_or(Conclusion::Error, Conclusion::of))
        });
        let code = match conclusion {
            Conclusion::Error => UNREADABLE,
            _ => conclusion.exit_code(options.fail_on, false),
        };
        let outcomes: Vec<&Outcome> = judged.iter().filter_map(|item| item.as_ref().ok()).collect();
        let mut outputs = Outputs::judged(conclusion, &outcomes, options, false);
        outputs.set("exit-code", code.to_string());
        outputs.report_file(options);
        Self { conclusion, outputs, code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support;

    fn options(pairs: &[(&str, &str)]) -> Options {
        Options::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())).unwrap()
    }

    #[test]
    fn run_over_files_ends_with_the_worst_of_them() {
        let poor = || Ok(test_support::judged("Faster export", "The export should be fast. The format is TBD."));
        let unread = || Err(InputError { input: "b.md".into(), message: "it cannot be read".into() });
        let plain = options(&[]);
        for (judged, options, verdict, code) in [
            (vec![], &plain, "skipped", 0),
            (vec![poor()], &plain, "blocked", 1),
            (vec![poor()], &options(&[("REQGATE_FAIL_ON", "never")]), "blocked", 0),
            (vec![unread(), poor()], &plain, "error", 2),
        ] {
            let run = FilesRun::of(&judged, options);
            assert_eq!((run.outputs.get("verdict"), run.code), (Some(verdict), code));
            assert_eq!(run.outputs.get("exit-code"), Some(code.to_string().as_str()));
        }
        let told = FilesRun::of(&[poor()], &options(&[("REQGATE_REPORT_FILE", "out.json")])).outputs;
        assert_eq!(told.get("report-file"), Some("out.json"));
    }

    #[test]
    fn file_that_is_none_is_an_error_of_its_own_and_the_others_are_judged() {
        let pipeline = test_support::pipeline();
        let read = |name: &str, bytes: &[u8]| reqgate_gate::stages::intake::read_bytes(name, bytes);
        let inputs = read("a.md", b"# Export\n\nThe export should be fast.").into_iter();
        let judged = judge_files(&pipeline, inputs.chain(read("b.json", b"{")));
        assert!(judged.len() == 2 && judged[0].is_ok(), "{judged:?}");
        assert!(judged[1].as_ref().is_err_and(|error| !error.message.is_empty()), "{judged:?}");
    }
}
