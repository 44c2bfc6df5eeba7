#!/usr/bin/env python3
"""Mutants of the safety checks: each must be killed by the case that was written for it.

A mutant is one text in one file of a scratch clone replaced by another; the product itself has no switch that would turn a
check off. A mutant whose text is not found has to be mended, and counts as a failure, like one that lives.

    mutants.py              all
    mutants.py escape       those whose names hold a word
    mutants.py case_prd     those that a group of cases kills
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(os.environ["E2E_ROOT"])
SCRATCH = ROOT / "target/e2e/mutant"
BINARY = ROOT / "target/e2e/reqgate-mutant"


@dataclass
class Mutant:
    name: str
    file: str
    old: str
    new: str
    killer: str


MUTANTS = [
    Mutant("no author check on the marker", "crates/action/src/sticky_comment.rs",
           "CommentState::is_marked(&comment.body) && comment.user.login.eq_ignore_ascii_case(self.author)",
           "CommentState::is_marked(&comment.body)",
           "case_issues.Issues.test_marker_written_by_somebody_else_first_is_left_alone"),
    Mutant("POST for PATCH", "crates/net/src/github/client.rs",
           "Request::new(Method::Patch, address, Some(comment_body(body)))",
           "Request::new(Method::Post, address, Some(comment_body(body)))",
           "case_issues.Issues.test_life_of_an_issue_from_a_rejection_to_a_pass"),
    Mutant("no second page of comments", "crates/action/src/sticky_comment.rs",
           "if comments.next.is_none() || page >= 50 {", "if page >= 1 {",
           "case_issues.Issues.test_comment_on_the_second_page_is_found"),
    Mutant("no escape of what is echoed", "crates/report/src/markdown.rs",
           "    let text = one_line(text);\n    let mut safe = String::with_capacity(text.len() + text.len() / 8);",
           "    return text.to_owned();\n    #[allow(unreachable_code)]\n    let text = one_line(text);\n"
           "    let mut safe = String::with_capacity(text.len() + text.len() / 8);",
           "case_issues.Issues.test_echoed_words_bring_no_markup"),
    Mutant("no second look after a comment was made", "crates/action/src/sticky_comment.rs",
           "filter(|first| first.id < made.id)", "filter(|first| first.id < made.id && first.id == 0)",
           "case_faults.Faults.test_two_runs_at_once_leave_one_comment_five_times_of_five"),
    Mutant("no look after a lost answer", "crates/net/src/sticky_comment.rs",
           "Ok(Some(own)) => return adopted(store, own),", "Ok(Some(_)) => store.create_again(error)?,",
           "case_faults.Faults.test_502_after_the_comment_landed_makes_no_second_one"),
    Mutant("permission guessed", "crates/action/src/issue.rs",
           "Ok(self.client.permission(self.repository, login)? >= Permission::Write)",
           "Ok(!login.is_empty())",
           "case_commands.Commands.test_association_written_in_the_comment_gives_no_right"),
    Mutant("redaction off", "crates/guardrail/src/mask.rs",
           "        *byte = b'*';", "        *byte = *byte;",
           "case_issues.Issues.test_personal_data_and_secrets_go_nowhere"),
    Mutant("no waiting for limits", "crates/net/src/github/rate_limit.rs",
           "if reply.status != 403 && reply.status != 429 {", "if reply.status != 0 {",
           "case_faults.Faults.test_429_is_waited_for_as_long_as_retry_after_says"),
    Mutant("text of an issue in a script", "action.yml",
           """run: '"$REQGATE_BIN" github'""", """run: 'true "${{ github.event.issue.title }}"; "$REQGATE_BIN" github'""",
           "case_issues.Issues.test_title_and_body_run_nothing_and_command_nothing"),
    Mutant("checksum not compared", "action/install.sh",
           """[[ $(sha256 "$archive") == "$sum" ]] ||\n      fail""", """true ||\n      fail""",
           "case_install.Install.test_tampered_release_is_not_run"),
    Mutant("copy on the runner taken as it is", "action/install.sh",
           """  rm -rf "$place"\n  mv "$made/unpacked" "$place" ||""", """  [[ -d $place ]] || mv "$made/unpacked" "$place" ||""",
           "case_install.Install.test_copy_that_an_earlier_step_unpacked_is_not_run_as_it_lies_there"),
    Mutant("download in the clear", "action/install.sh",
           """    protocols="=https"\n""", """    protocols="=http,https"\n""",
           "case_install.Install.test_nothing_is_downloaded_in_the_clear"),
    Mutant("build in the checkout", "action/install.sh",
           """  cd "$here/.." &&\n""", """  true &&\n""",
           "case_install.Install.test_build_obeys_no_file_of_the_checkout"),
    Mutant("toolchain of the checkout", "action/install.sh",
           """  cd "$here/.." &&\n    RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-stable} \\\n      cargo install --quiet --locked --path .""",
           """    cargo install --quiet --locked --path "$here/..\"""",
           "case_install.Install.test_build_obeys_no_file_of_the_checkout"),
    Mutant("policy of the checkout", "crates/action/src/pull_request.rs",
           "    found.ok_or_else(|| outside(name, path))", "    Ok(found.unwrap_or_else(|| path.to_path_buf()))",
           "case_pull_requests.PullRequests.test_policy_of_the_change_is_not_obeyed_however_its_path_is_written"),
    Mutant("any merge commit is GitHub's", "crates/action/src/git.rs",
           "let is_its_head = second.is_some() && (named.head.is_none() || second == named.head);",
           "let is_its_head = second.is_some();",
           "case_pull_requests.PullRequests.test_merge_commit_made_by_the_author_hides_nothing"),
    Mutant("a checkout without changes is fine", "crates/action/src/pull_request.rs",
           "if differences.is_empty() && said > 0 {", "if differences.is_empty() && said > 1_000 {",
           "case_pull_requests.PullRequests.test_checkout_without_the_change_is_an_error"),
    Mutant("a document says what it is", "crates/action/src/files.rs",
           "Stated { is_requirement: true, ..Stated::default() }", "Stated::default()",
           "case_pull_requests.PullRequests.test_document_does_not_excuse_itself"),
    Mutant("override by whoever may set labels", "crates/action/src/issue.rs",
           "return Ok((!self.may_write(by)?).then_some(", "return Ok((self.may_write(by)? && false).then_some(",
           "case_issues.Issues.test_override_by_label_takes_write_access"),
    Mutant("review of whatever commit", "crates/action/src/prd/decision.rs",
           "Way::Review { commit, .. } if commit != asked.commit =>", "Way::Review { commit, .. } if commit.is_empty() =>",
           "case_prd_approvals.Approvals.test_review_counts_for_its_own_commit_only"),
    Mutant("approval by anybody", "crates/action/src/prd/decision.rs",
           "Ok(if is_author || may_write(&by.login)? {", "Ok(if is_author || may_write(&by.login)? || !by.login.is_empty() {",
           "case_prd_approvals.Approvals.test_approval_takes_write_access_which_is_asked_of_github"),
    Mutant("approval of whatever text", "crates/action/src/prd/decision.rs",
           "_ if ask.hash != mark.hash =>", "_ if ask.hash.is_empty() =>",
           "case_prd_approvals.Approvals.test_approval_takes_write_access_which_is_asked_of_github"),
    Mutant("approval in a comment that was edited", "crates/action/src/prd/decision.rs",
           "Way::Comment { is_edited: true } => return Err(NotCounted::Edited),", "Way::Comment { is_edited: true } => {}",
           "case_prd_approvals.Approvals.test_comment_that_was_edited_is_no_approval"),
    Mutant("permission not asked again", "crates/action/src/prd/trust.rs",
           "if is_author || (self.may_write)(&said.by.login).map_err(ActionError::from)? {", "if is_author || !said.by.login.is_empty() {",
           "case_prd_approvals.Approvals.test_permission_is_asked_again_in_each_run"),
    Mutant("log believed", "crates/action/src/prd/trust.rs",
           "if !is_new || !witness.is_said(asked, &open.question, &given, position)? {", "if !is_new {",
           "case_prd_approvals.Approvals.test_dismissed_approval_stops_the_thread_unless_a_push_dismissed_it"),
    Mutant("branch forced", "crates/net/src/github/branch.rs",
           """"force": false""", """"force": true""",
           "case_prd_faults.Faults.test_commit_that_a_person_pushes_meanwhile_is_not_lost"),
    Mutant("comment of anybody is ours", "crates/action/src/prd/comment.rs",
           "seq_of(&one.body).is_some() && one.user.login.eq_ignore_ascii_case(self.author)", "seq_of(&one.body).is_some()",
           "case_prd_faults.Faults.test_marker_written_by_somebody_else_is_left_alone"),
    Mutant("no second look for a pull request", "crates/action/src/prd/flow.rs",
           "Err(error) => open()?.ok_or(error),", "Err(error) => Err(error),",
           "case_prd_faults.Faults.test_two_runs_at_once_make_one_pull_request_five_times_of_five"),
]
# Where two lines guard the same, both go: the label alone would hide the value, and a path is looked at twice.
ALSO = {
    "redaction off": ("place[..label.len()].copy_from_slice(label.as_bytes());", "let _ = (&place, label);"),
    "policy of the checkout": ("""let inner = inside(path).ok_or_else(|| outside("the configuration", path))?;""",
                               "let Some(inner) = inside(path) else { continue };"),
}


def clone():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", SCRATCH], check=True)


def build():
    # The packages that reqgate needs are shared with the build of the product; only reqgate itself is compiled again.
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--target-dir", ROOT / "target"], cwd=SCRATCH, check=True)
    shutil.copy(ROOT / "target/debug/reqgate", BINARY)


def case(name, binary):
    environment = {**os.environ, "E2E_BINARY": str(binary), "E2E_ACTION": str(SCRATCH)}
    done = subprocess.run([sys.executable, "-B", "-m", "unittest", name], env=environment, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def is_killed(mutant):
    source = SCRATCH / mutant.file
    if not source.exists():
        return False, f"{mutant.file} is gone: mend this mutant"
    before = source.read_text()
    after = before
    for old, new in [(mutant.old, mutant.new), ALSO.get(mutant.name)] if mutant.name in ALSO else [(mutant.old, mutant.new)]:
        if after.count(old) != 1:
            return False, f"its text is found {after.count(old)} times in {mutant.file}: mend this mutant"
        after = after.replace(old, new)
    source.write_text(after)
    try:
        if mutant.file.startswith("src/"):
            build()
        else:
            # The clone is what act takes: what is not committed there would not be seen.
            subprocess.run(["git", "-c", "user.name=m", "-c", "user.email=m@example.invalid", "commit", "--quiet", "-am", "mutant"],
                           cwd=SCRATCH, check=True)
        binary = BINARY if mutant.file.startswith("src/") else os.environ["E2E_BINARY"]
        code, log = case(mutant.killer, binary)
    finally:
        source.write_text(before)
    failed = re.search(r"FAILED \(failures=\d+\)", log)
    if code != 0 and not failed:
        return False, "its case broke instead of failing:\n" + log[-800:]
    return code != 0, ""


def main(words):
    chosen = [mutant for mutant in MUTANTS if all(word in f"{mutant.name} {mutant.killer}" for word in words)]
    clone()
    alive = []
    for killer in sorted({mutant.killer for mutant in chosen}):
        code, log = case(killer, os.environ["E2E_BINARY"])
        if code != 0:
            alive.append(f"{killer} fails without any mutant:\n{log[-800:]}")
    for mutant in [] if alive else chosen:
        killed, why = is_killed(mutant)
        print(f"{'killed' if killed else 'ALIVE '}  {mutant.name}  ({mutant.killer.rsplit('.', 1)[1]})", flush=True)
        if not killed:
            alive.append(f"{mutant.name}: {why or 'its case passes'}")
    if alive:
        sys.exit("\n".join(["", *alive]))
    print(f"{len(chosen)} mutants, all killed")


main(sys.argv[1:])
