//! The fixed words of the comment on a PRD, in both languages.

use super::decision::NotCounted;
use reqgate_base::model::{Language, Verdict};

/// The words of one language.
pub(super) struct Words {
    pub(super) document: &'static str,
    pub(super) commit: &'static str,
    pub(super) gate: &'static str,
    pub(super) still_missing: &'static str,
    pub(super) questions: &'static str,
    pub(super) not_used: &'static str,
    pub(super) unproven: &'static str,
    pub(super) requirements: &'static str,
    pub(super) gaps: &'static str,
    pub(super) more: &'static str,
    pub(super) answer: &'static str,
    pub(super) approve: &'static str,
    pub(super) approve_by_command: &'static str,
    pub(super) approve_stopped: &'static str,
    pub(super) leave_open: &'static str,
    pub(super) change: &'static str,
    pub(super) reject_all: &'static str,
    pub(super) edit: &'static str,
    pub(super) edit_requirements: &'static str,
    pub(super) write_requirements: &'static str,
    pub(super) by_lines: &'static str,
    pub(super) by_json: &'static str,
    pub(super) go_on: &'static str,
    pub(super) again: &'static str,
    pub(super) stop: &'static str,
    pub(super) who: &'static str,
    pub(super) ordering: &'static str,
    pub(super) completed: &'static str,
    pub(super) completed_ways: &'static str,
    pub(super) failed: &'static str,
    pub(super) cancelled: &'static str,
    pub(super) edited: &'static str,
    pub(super) not_counted: &'static str,
    pub(super) refused: &'static str,
    pub(super) refused_way: &'static str,
    pub(super) distrusted: &'static str,
    pub(super) distrusted_way: &'static str,
    pub(super) foreign_way: &'static str,
    pub(super) unsaid_way: &'static str,
    pub(super) confirmed: &'static str,
    pub(super) confirmed_by: &'static str,
    pub(super) no_push: &'static str,
    pub(super) no_pull: &'static str,
    pub(super) compare: &'static str,
    pub(super) pull_body: &'static str,
    verdicts: [&'static str; 4],
    reasons: [&'static str; 10],
}

impl Words {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::Zh => &CHINESE,
        }
    }

    /// A verdict of the gate.
    pub(super) fn verdict(&self, verdict: Verdict) -> &'static str {
        self.verdicts[match verdict {
            Verdict::Pass => 0,
            Verdict::Reject => 1,
            Verdict::NotApplicable => 2,
            Verdict::GuardrailRejected => 3,
        }]
    }

    /// Why something does not count.
    pub(super) fn reason(&self, reason: NotCounted) -> &'static str {
        self.reasons[match reason {
            NotCounted::Bot => 0,
            NotCounted::NoPermission => 1,
            NotCounted::Edited => 2,
            NotCounted::OtherCommit => 3,
            NotCounted::Early => 4,
            NotCounted::NeedsReason => 5,
            NotCounted::NeedsWords => 6,
            NotCounted::NeedsAnswers => 7,
            NotCounted::NeedsVerdicts | NotCounted::Unfit => 8,
            NotCounted::OtherText => 9,
        }]
    }
}

const ENGLISH: Words = Words {
    document: "Document",
    commit: "commit",
    gate: "Gate",
    still_missing: "Still missing (you can approve it anyway; only the PRD must pass the gate)",
    questions: "Questions",
    not_used: "Sentences of the issue that are not in the brief",
    unproven: "Not proven by a quote",
    requirements: "Requirements",
    gaps: "Gaps",
    more: "… and {n} more, in the document",
    answer: "How to answer",
    approve: "Approve: review the pull request at commit {commit} and choose **Approve**",
    approve_by_command: "or comment: `/reqgate approve {ask}`",
    approve_stopped: "The gate stops it. To approve it anyway, comment with the reason: `/reqgate approve {ask} REASON`",
    leave_open: "Leave the questions open: comment `/reqgate approve {ask}`",
    change: "Have it changed: review it with **Request changes** and say what, or comment: `/reqgate reject {ask} WHAT`",
    reject_all: "Reject all of them: comment `/reqgate reject {ask} WHY`",
    edit: "Edit the file on this branch: it is judged and asked about again",
    edit_requirements: "Decide one by one: `approve`, `modify`, `reject`, `out_of_scope` or `defer`, with a reason for a no:",
    write_requirements: "Without a model, people write what the issue does not label. Add requirements under `added`, or edit the \
                         file on this branch.",
    by_lines: "Answer: comment, with one line for each question:",
    by_json: "Or comment with an answer in full:",
    go_on: "Go on in spite of the gaps: comment `/reqgate approve {ask}`",
    again: "Try again: comment `/reqgate approve {ask}`",
    stop: "End the run as failed: comment `/reqgate reject {ask} WHY`",
    who: "Answers count if they come from a person with write access, after the commit that shows the question; the author of the \
          issue may answer questions about it. A comment that was edited does not count.",
    ordering: "The model has to write next. The run that asks it brings the result.",
    completed: "The PRD is approved",
    completed_ways: "Merge the pull request. To take the PRD up again, review it with **Request changes** and say what, or edit \
                     the brief or the requirements on this branch.",
    failed: "The run has failed",
    cancelled: "The run was ended",
    edited: "Edited after the approval, and not reviewed: {files}. Put your words into `requirements.md` or the brief, or restore the \
             file.",
    not_counted: "Did not count",
    refused: "The text of the issue is not taken",
    refused_way: "Edit the issue, then set the label again.",
    distrusted: "The log of this PRD is not trusted",
    foreign_way: "Nothing was changed. If the log was changed by hand, undo that commit. If reqgate was updated since this PRD was begun, \
                  finish the PRD with the version before (put its hash back into the workflow), or close the pull request and \
                  delete the branch to start again.",
    distrusted_way: "Nothing was changed. If the log was changed by hand, undo that commit; or close the pull request and delete \
                     the branch to begin anew.",
    unsaid_way: "Nothing was changed. The answer was deleted, edited or dismissed, or {by} has lost the access that it takes. If it \
                 still holds, somebody with write access confirms it as it stands above: comment `/reqgate confirm {mark}`. If it was \
                 never given, undo the commit that brought it; or close the pull request and delete the branch to begin anew.",
    confirmed: "Confirmed answers",
    confirmed_by: "question {n}: the answer of {by}, confirmed by {confirmer}",
    no_push: "The branch `{branch}` cannot be written: give the job `contents: write`, and let it push to `reqgate/*` if a rule \
              forbids that.",
    no_pull: "The pull request cannot be opened: give the job `pull-requests: write`, and allow GitHub Actions to create pull \
              requests in the settings of the repository; or open it yourself:",
    compare: "compare and open",
    pull_body: "The documents of the PRD of #{issue}, with the log of every decision. One comment here always says what is asked \
                now and how to answer; each answer brings the next commit.",
    verdicts: ["ready", "not ready", "not applicable", "stopped by the guardrail"],
    reasons: [
        "it is from a program",
        "write access is needed",
        "the comment was edited: write a new one",
        "the review is about another commit: review the latest one",
        "it was written before the question was asked: write it again",
        "the gate stops the document: comment with a reason",
        "say what to change",
        "these questions need answers",
        "the answer does not fit the question",
        "it names another text: copy the command from this comment",
    ],
};

const CHINESE: Words = Words {
    document: "文档",
    commit: "提交",
    gate: "质量门",
    still_missing: "还缺（可直接批准，质量门只裁定 PRD）",
    questions: "待澄清问题",
    not_used: "议题中没有写进简介的句子",
    unproven: "没有引文证明",
    requirements: "需求",
    gaps: "缺口",
    more: "……另有 {n} 条，见文档",
    answer: "如何答复",
    approve: "批准：在提交 {commit} 上评审拉取请求，选择 **Approve**",
    approve_by_command: "或评论：`/reqgate approve {ask}`",
    approve_stopped: "质量门未通过。仍要批准，请评论并写明理由：`/reqgate approve {ask} 理由`",
    leave_open: "保留这些问题不答：评论 `/reqgate approve {ask}`",
    change: "要求修改：评审时选择 **Request changes** 并写明改什么，或评论：`/reqgate reject {ask} 改什么`",
    reject_all: "全部驳回：评论 `/reqgate reject {ask} 理由`",
    edit: "直接在本分支编辑文件：会重新检查并再次询问",
    edit_requirements: "逐条决定：`approve`、`modify`、`reject`、`out_of_scope` 或 `defer`；否决须写理由：",
    write_requirements: "没有模型时，议题没有标明的内容由人来写。请在 `added` 中补充需求，或在本分支编辑文件。",
    by_lines: "回答：评论，每个问题一行：",
    by_json: "也可以用评论给出完整答复：",
    go_on: "保留缺口继续：评论 `/reqgate approve {ask}`",
    again: "重试：评论 `/reqgate approve {ask}`",
    stop: "终止并记为失败：评论 `/reqgate reject {ask} 理由`",
    who: "只有具备写权限的人在显示该问题的提交之后给出的答复才算数；议题作者可以回答关于议题的问题。编辑过的评论不算数。",
    ordering: "下一步由模型撰写，调用模型的运行会带来结果。",
    completed: "PRD 已批准",
    completed_ways: "请合并拉取请求。要重新修订，请评审并选择 **Request changes** 写明改什么，或在本分支编辑简介或需求。",
    failed: "运行失败",
    cancelled: "运行已终止",
    edited: "批准之后被改动且未评审：{files}。请把内容写进 `requirements.md` 或简介，或恢复该文件。",
    not_counted: "未计入",
    refused: "议题的文本未被采用",
    refused_way: "请修改议题，然后重新添加标签。",
    distrusted: "这份 PRD 的日志不可信",
    foreign_way: "没有改动任何内容。如果日志被手工改动，请撤销该提交。如果这份 PRD 开始之后 reqgate 升级过，请用之前的版本完成它（把工作流里的哈希改回去），或关闭拉取请求并删除分支，重新开始。",
    distrusted_way: "没有改动任何内容。如果日志被手工改动，请撤销该提交；或关闭拉取请求并删除分支，重新开始。",
    unsaid_way: "没有改动任何内容。该答复已被删除、编辑或驳回，或 {by} 已失去所需权限。如果它仍然有效，请由具备写权限的人按上文原样确认：\
                 评论 `/reqgate confirm {mark}`。如果从未有过这个答复，请撤销带来它的提交；或关闭拉取请求并删除分支，重新开始。",
    confirmed: "已确认的答复",
    confirmed_by: "问题 {n}：{by} 的答复，由 {confirmer} 确认",
    no_push: "无法写入分支 `{branch}`：请给作业 `contents: write` 权限；如有规则禁止，请允许推送到 `reqgate/*`。",
    no_pull: "无法创建拉取请求：请给作业 `pull-requests: write` 权限，并在仓库设置中允许 GitHub Actions 创建拉取请求；或自行创建：",
    compare: "比较并创建",
    pull_body: "#{issue} 的 PRD 文档，以及每个决定的日志。这里始终有一条评论说明当前的问题和答复方法；每个答复带来下一个提交。",
    verdicts: ["就绪", "未就绪", "不适用", "被护栏拦截"],
    reasons: [
        "来自程序",
        "需要写权限",
        "评论被编辑过：请新写一条",
        "评审的是另一个提交：请评审最新的提交",
        "写在提问之前：请重新写",
        "质量门未通过：请用评论写明理由",
        "请写明改什么",
        "这些问题需要回答",
        "答复与问题不符",
        "指的是另一份文本：请从本评论复制命令",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_fill_in_the_same_values() {
        let holes = |text: &str| {
            let mut holes: Vec<String> =
                text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect();
            holes.sort();
            holes
        };
        let (en, zh) = (Words::of(Language::En), Words::of(Language::Zh));
        for (one, other) in [
            (en.approve, zh.approve),
            (en.approve_by_command, zh.approve_by_command),
            (en.approve_stopped, zh.approve_stopped),
            (en.leave_open, zh.leave_open),
            (en.change, zh.change),
            (en.reject_all, zh.reject_all),
            (en.go_on, zh.go_on),
            (en.again, zh.again),
            (en.stop, zh.stop),
            (en.more, zh.more),
            (en.edited, zh.edited),
            (en.no_push, zh.no_push),
            (en.unsaid_way, zh.unsaid_way),
            (en.confirmed_by, zh.confirmed_by),
            (en.pull_body, zh.pull_body),
        ] {
            assert_eq!(holes(one), holes(other), "{one}");
            assert!(!holes(one).is_empty(), "{one}");
        }
    }
}
