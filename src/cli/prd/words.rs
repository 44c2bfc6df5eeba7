//! The words that the commands of the PRD workflow print, in the language of the documents.

use reqgate::model::Language;

/// The words of one language.
pub struct Words {
    /// Whose words they are.
    pub language: Language,
    /// Between a name and its value.
    pub colon: &'static str,
    /// Between two figures.
    pub comma: &'static str,
    /// Before the result of the gate.
    pub gate: &'static str,
    /// Of a hundred.
    pub of_hundred: &'static str,
    /// Before something that stops a document.
    pub blocks: &'static str,
    /// How far gaps were looked for.
    pub looked_at: &'static str,
    /// The same, where a reader has read them.
    pub was_read: &'static str,
    /// Before a gap in a requirement that its review is to close.
    pub to_fix: &'static str,
    /// Heading above what no source proves.
    pub unproven: &'static str,
    /// Before the ways to answer.
    pub answer_with: &'static str,
    /// The ways to answer questions.
    pub ways_clarification: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a brief.
    pub ways_brief: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a PRD.
    pub ways_prd: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a PRD that the gate stops.
    pub ways_stopped: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a document without questions of its own.
    pub ways_document_plain: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of an outline.
    pub ways_outline: &'static [(&'static str, &'static str)],
    /// The ways to answer the review of a team's document that critics or gate do not approve.
    pub ways_stopped_team: &'static [(&'static str, &'static str)],
    /// Heading above what changed since the draft before.
    pub team_changes: &'static str,
    /// Heading above suggestions that cannot both be followed.
    pub team_conflicts: &'static str,
    /// Heading above statements without a citation.
    pub team_uncited: &'static str,
    /// Heading above the reason why the rounds ended.
    pub team_end: &'static str,
    /// Heading above what the next revision would be about.
    pub team_next: &'static str,
    /// The ways to answer the review of requirements.
    pub ways_requirements: &'static [(&'static str, &'static str)],
    /// The ways to decide about gaps.
    pub ways_gaps: &'static [(&'static str, &'static str)],
    /// The ways to answer when something failed.
    pub ways_interrupt: &'static [(&'static str, &'static str)],
    /// How to leave a question open and how to quit.
    pub leaving: &'static str,
    /// Asks again for words that cannot be left out.
    pub needed: &'static str,
    /// Before the letters that are known.
    pub one_of: &'static str,
    /// Heading above the sentences that were not used.
    pub not_used: &'static str,
    /// How to list the sentences that were not used and are not shown.
    pub more_not_used: &'static str,
    /// Before the ids of greetings, thanks and signatures.
    pub courtesies: &'static str,
    /// Explains the letters for a sentence that was not used.
    pub adopting: &'static str,
    /// Letters for a sentence that was not used.
    pub choose_adopt: &'static str,
    /// Asks for a requirement of the reviewer's own.
    pub add_requirement: &'static str,
    /// Asks for a requirement to be decided again.
    pub decide_again: &'static str,
    /// Letters for a document.
    pub choose_document: &'static str,
    /// Letters for a requirement.
    pub choose_requirement: &'static str,
    /// Letters for the gaps.
    pub choose_gaps: &'static str,
    /// Letters for one gap.
    pub choose_gap: &'static str,
    /// Letters when something failed.
    pub choose_interrupt: &'static str,
    /// Asks for changes.
    pub what_changes: &'static str,
    /// Asks for the new words of a requirement.
    pub what_says: &'static str,
    /// Asks for the words of a requirement that has blanks.
    pub fill_blanks: &'static str,
    /// The reason recorded for such a change.
    pub blanks_filled: &'static str,
    /// Asks for a reason.
    pub why: &'static str,
    /// Asks why a document is approved that the gate stops.
    pub why_override: &'static str,
    /// Before the former words of a requirement that was edited in its file.
    pub hand_edited: &'static str,
    /// Of a requirement that somebody moved to another decision.
    pub hand_decided: &'static str,
    /// Of a requirement that somebody wrote into the file.
    pub hand_added: &'static str,
    /// Of a requirement that somebody took out of the file.
    pub hand_deleted: &'static str,
    /// A thread waits for an answer.
    pub waits: &'static str,
    /// A thread has failed.
    pub has_failed: &'static str,
    /// Between the status of a thread and its step.
    pub at: &'static str,
    /// Before the ids of open orders that were shown before.
    pub also_open: &'static str,
    /// Before the folder of the documents.
    pub documents: &'static str,
    /// An answer was already given.
    pub given_before: &'static str,
    /// The gate stops a PRD.
    pub stopped: &'static str,
    /// There is no such question.
    pub unknown_question: &'static str,
    /// A question is no longer open.
    pub no_longer_open: &'static str,
    /// An answer does not fit.
    pub does_not_fit: &'static str,
    /// Before the shape of an answer.
    pub shape: &'static str,
    /// The log of a thread was not changed.
    pub verified: &'static str,
    /// A thread was forked, and how to continue it.
    pub forked: &'static str,
    /// The log of a thread was not changed since it was imported from an archive.
    pub verified_import: &'static str,
    /// A thread was imported, and how to continue it.
    pub imported: &'static str,
    /// Behind what came from an archive.
    pub imported_mark: &'static str,
    /// Up to which event a thread came from an archive.
    pub imported_until: &'static str,
    /// The files that an import writes at once.
    pub import_state: &'static str,
    /// Before the files that the thread writes later.
    pub import_files: &'static str,
    /// The thread writes no more files.
    pub import_no_files: &'static str,
    /// A file already exists.
    pub import_exists: &'static str,
    /// Before the approvals that an archive claims.
    pub import_claims: &'static str,
    /// An archive claims no approvals.
    pub import_no_claims: &'static str,
    /// An archive gives no name for an approval.
    pub import_nobody: &'static str,
    /// The things to approve: brief, requirements, gaps, PRD, PRD that the gate stops, outline, draft.
    pub approved: [&'static str; 7],
    /// Asks whether to import.
    pub import_ask: &'static str,
    /// Nothing was imported.
    pub import_left: &'static str,
    /// Nothing was imported, and how to import.
    pub import_needs_yes: &'static str,
    /// A thread was deleted.
    pub forgotten: &'static str,
    /// Two threads do not differ.
    pub no_difference: &'static str,
    /// Before the steps in which two threads differ.
    pub same_until: &'static str,
    /// A thread has ended while the other continues.
    pub no_further_step: &'static str,
    /// Names of the verdicts: pass, reject, not applicable, stopped by the guardrail.
    pub verdicts: [&'static str; 4],
    /// Names of the priorities, the highest first.
    pub priorities: [&'static str; 4],
}

/// The words for a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::En => &ENGLISH,
        Language::Zh => &CHINESE,
    }
}

/// How to change a PRD by a file.
const PRD_CHANGES: &str = "change sections, or decide requirements again: {\"prdApproved\": false, \"prdModifications\": [{\"section\": …, \
                           \"modifiedContent\": …, \"modificationReason\": …}], \"verdicts\": […], \"added\": [{\"description\": …}], \
                           \"userFeedback\": …}; every field but the first is optional";
const PRD_CHANGES_ZH: &str = "改某几节，或重新决定需求：{\"prdApproved\": false, \"prdModifications\": [{\"section\": …, \"modifiedContent\": …, \
                              \"modificationReason\": …}], \"verdicts\": […], \"added\": [{\"description\": …}], \"userFeedback\": …}；\
                              除第一项外均可省略";

const ENGLISH: Words = Words {
    language: Language::En,
    colon: ": ",
    comma: ", ",
    gate: "gate",
    of_hundred: "/100",
    blocks: "blocker",
    looked_at: "The requirements were checked for their form; nobody has read them for their meaning.",
    was_read: "The author of the drafts has read the requirements for gaps; every gap quotes the words that show it.",
    to_fix: "to be fixed, by a change here or by a proposal: ",
    unproven: "Not proven:",
    answer_with: "Answer with",
    ways_clarification: &[
        (
            "--json FILE",
            "answer, or say who answers by when, and what holds until then: {\"answers\": {\"q1\": \"…\", \"q2\": {\"owner\": …, \
             \"due\": …, \"default\": …}}}",
        ),
        ("--approve", "leave them open; those that quote a source become open questions of the brief"),
    ],
    ways_brief: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        (
            "--json FILE",
            "also answer its open questions, or say who answers them, and adopt sentences that are not used: {\"approved\": true, \
             \"answers\": {\"q1\": \"…\", \"q2\": {\"owner\": …, \"due\": …, \"default\": …}}, \"adopt\": {\"u1\": \"goals\"}}; to change \
             it: {\"approved\": false, \"userFeedback\": …, \"modifications\": [{\"section\": …, \"requestedContent\": …}]}",
        ),
    ],
    ways_prd: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        ("--json FILE", PRD_CHANGES),
    ],
    ways_stopped: &[
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR and approve the result"),
        ("--json FILE", PRD_CHANGES),
        ("--approve --because \"…\"", "approve it although the gate stops it; the reason is recorded"),
    ],
    ways_document_plain: &[
        ("--approve", "approve it as it is"),
        ("--reject \"…\"", "say what to change"),
        ("--edit", "change it in $EDITOR; what you write is the next draft"),
    ],
    ways_outline: &[("--approve", "approve it as it is"), ("--reject \"…\"", "say what to change")],
    ways_stopped_team: &[
        ("--approve --because \"…\"", "accept this version, and say why; the reason is recorded"),
        ("--json FILE", "have it revised as the critics say: {\"approved\": false}"),
        ("--reject \"…\"", "have it revised, with your guidance"),
        ("--edit", "change it in $EDITOR; the critics read what you write"),
    ],
    team_changes: "Changed since the draft before:",
    team_conflicts: "Suggestions that cannot both be followed; say which one:",
    team_uncited: "Without a citation:",
    team_end: "Why the rounds ended:",
    team_next: "Next:",
    ways_requirements: &[
        ("--approve", "approve all; those with blanks in [brackets] stay undecided"),
        ("--reject \"…\"", "reject all, and say why"),
        (
            "--json FILE",
            "decide one by one: {\"verdicts\": [{\"id\": \"FR-001\", \"verdict\": \"approve\"}, {\"id\": …, \"verdict\": \
             \"reject\" or \"out_of_scope\", \"reason\": …}, {\"id\": …, \"verdict\": \"modify\", \"changes\": \
             {\"title\": …, \"description\": …, \"priority\": …, \"category\": …, \"acceptanceCriteria\": […]}, \"reason\": …}], \"added\": \
             [{\"description\": …}], \"userFeedback\": …}; every field of changes is optional; what is not named stays undecided, unless \
             \"others\": \"approve\"",
        ),
    ],
    ways_gaps: &[
        ("--approve", "continue in spite of the gaps"),
        ("--reject \"…\"", "close the gaps in another round; say what it is to bring"),
        (
            "--json FILE",
            "decide on each: {\"gaps\": {\"GAP-001\": {\"decision\": \"dismiss\", \"reason\": …}, \"GAP-002\": {\"decision\": \
             \"ask\", \"question\": …, \"owner\": …, \"due\": …, \"default\": …}, \"GAP-003\": {\"decision\": \"fix\", \"how\": …}}}; the \
             fields of ask and fix are optional",
        ),
    ],
    ways_interrupt: &[("--approve", "try again"), ("--reject \"…\"", "end the run as failed")],
    leaving: "Press Enter to leave a question open, q to quit; your answers are kept.",
    needed: "Type a few words, or q to quit.",
    one_of: "Type one of ",
    not_used: "Not used:",
    more_not_used: "… and {n} more: `reqgate prd show {thread} --draft not-used` lists them all",
    courtesies: "greetings, assent, names, dates and remarks of a word or two",
    adopting: "No statement uses the sentences below. Give each its section by a letter; Enter leaves it out, . leaves out all that follow.",
    choose_adopt: "[p]roblem, [g]oal, [u]ser, [f]low, [m]easure, [r]ule, [o]ut of scope, [?] open question, [q]uit:",
    add_requirement: "Another requirement? One sentence; Enter goes on.",
    decide_again: "Which one is to be decided again? Its id; Enter goes on.",
    choose_document: "[a]pprove, [c]hange, [e]dit, [q]uit:",
    choose_requirement: "[a]pprove, [m]odify, [r]eject, [o]ut of scope, [d]efer, approve a[l]l the rest, [q]uit:",
    choose_gaps: "[c]lose them in another round, [g]o on without closing them, decide on [e]ach, [q]uit:",
    choose_gap: "[f]ix it, [d]ismiss it, make it an [o]pen question, [k]eep it for now, [q]uit:",
    choose_interrupt: "[t]ry again, [e]nd the run as failed, [q]uit:",
    what_changes: "What should change?",
    what_says: "What should it say?",
    fill_blanks: "It has blanks in [brackets]. What should it say?",
    blanks_filled: "blanks filled in",
    why: "Why?",
    why_override: "The gate stops this PRD. Why do you approve it anyway?",
    hand_edited: "edited by hand in requirements.md; before: ",
    hand_decided: "moved by hand in requirements.md; it counts as decided only if you decide it here",
    hand_added: "written by hand into requirements.md",
    hand_deleted: "deleted by hand from requirements.md: approve to put it back, reject to leave it out",
    waits: "{thread}: waiting; continue with `reqgate prd resume {thread}`",
    has_failed: "{thread}: failed; try again with `reqgate prd resume {thread} --retry`",
    at: ", at ",
    documents: "documents: ",
    given_before: "this answer was already given (event {n}); nothing was changed",
    stopped: "the gate stops this PRD: to approve it anyway, give a reason with --approve --because \"…\"",
    unknown_question: "there is no question `{ask}`: `reqgate inbox` lists the open ones",
    also_open: "still open (`reqgate prd next {thread}` shows them)",
    no_longer_open: "question `{ask}` is no longer open: it already has another answer, or its step was undone",
    does_not_fit: "the answer does not fit the question",
    shape: "an answer has this shape:",
    verified: "{thread}: {n} events, none changed",
    verified_import: "{thread}: {n} events, none changed since the import; events 1 to {k} come from an archive, \
                      and who wrote them cannot be verified",
    forked: "{thread}: continue with `reqgate prd resume {thread}`; a fork writes no files",
    imported: "{thread}: imported; continue with `reqgate prd resume {thread}`",
    imported_mark: " (imported)",
    imported_until: "imported: events 1 to {n}, with the approvals in them, come from an archive and are not verified",
    import_state: "{thread}: {title}\nThis import writes only to {state}.",
    import_files: "The thread writes these files when you continue it:",
    import_no_files: "The thread has ended; it writes no other files.",
    import_exists: " (exists)",
    import_claims: "The archive claims these approvals; nobody has verified them:",
    import_no_claims: "The archive claims no approvals.",
    import_nobody: "no name given",
    approved: [
        "the brief",
        "requirements",
        "continuing in spite of the gaps",
        "the PRD",
        "the PRD, although the gate stops it",
        "the outline",
        "a draft",
    ],
    import_ask: "Import it? [y/N]",
    import_left: "nothing was imported",
    import_needs_yes: "nothing was imported: check the list above, then add --yes to import this archive",
    forgotten: "{thread}: deleted",
    no_difference: "no difference",
    same_until: "the same for {n} steps, then",
    no_further_step: "no further step",
    verdicts: ["PASS", "REJECT", "NOT_APPLICABLE", "GUARDRAIL_REJECTED"],
    priorities: ["high", "medium", "low", "won't"],
};

const CHINESE: Words = Words {
    language: Language::Zh,
    colon: "：",
    comma: "，",
    gate: "质量门",
    of_hundred: "/100",
    blocks: "阻断",
    looked_at: "只检查了需求的形式，还没有人读过其含义。",
    was_read: "起草者已通读需求查找缺口；每个缺口都引用了依据。",
    to_fix: "要补上（在此修改，或由新需求补上）：",
    unproven: "没有依据：",
    answer_with: "作答方式",
    ways_clarification: &[
        (
            "--json FILE",
            "作答，或写明由谁、何时答复、之前怎么做：{\"answers\": {\"q1\": \"…\", \"q2\": {\"owner\": …, \"due\": …, \"default\": …}}}",
        ),
        ("--approve", "先不回答；引用了来源的，作为简介的待解问题保留"),
    ],
    ways_brief: &[
        ("--approve", "内容无误，批准"),
        ("--reject \"…\"", "说明要改什么"),
        ("--edit", "在 $EDITOR 里修改后批准"),
        (
            "--json FILE",
            "连同待解问题的回答或负责人，以及要采用的句子：{\"approved\": true, \"answers\": {\"q1\": \"…\", \"q2\": {\"owner\": …, \
             \"due\": …, \"default\": …}}, \"adopt\": {\"u1\": \"目标\"}}；要求修改：{\"approved\": false, \"userFeedback\": …, \
             \"modifications\": [{\"section\": …, \"requestedContent\": …}]}",
        ),
    ],
    ways_prd: &[
        ("--approve", "内容无误，批准"),
        ("--reject \"…\"", "说明要改什么"),
        ("--edit", "在 $EDITOR 里修改后批准"),
        ("--json FILE", PRD_CHANGES_ZH),
    ],
    ways_stopped: &[
        ("--reject \"…\"", "说明要改什么"),
        ("--edit", "在 $EDITOR 里修改后批准"),
        ("--json FILE", PRD_CHANGES_ZH),
        ("--approve --because \"…\"", "质量门未通过仍然批准，理由会记录在案"),
    ],
    ways_document_plain: &[
        ("--approve", "按现状批准"),
        ("--reject \"…\"", "说明要改什么"),
        ("--edit", "用 $EDITOR 修改，改后的内容就是下一稿"),
    ],
    ways_outline: &[("--approve", "按现状批准"), ("--reject \"…\"", "说明要改什么")],
    ways_stopped_team: &[
        ("--approve --because \"…\"", "采用这一版，并说明理由；理由会被记录"),
        ("--json FILE", "按评审意见继续修改：{\"approved\": false}"),
        ("--reject \"…\"", "按你的指示继续修改"),
        ("--edit", "用 $EDITOR 修改，改后由评审人再读"),
    ],
    team_changes: "与上一稿相比：",
    team_conflicts: "无法同时采纳的建议，请选择：",
    team_uncited: "没有注明来源：",
    team_end: "结束原因：",
    team_next: "下一步：",
    ways_requirements: &[
        ("--approve", "全部批准；方括号里有待填内容的暂不决定"),
        ("--reject \"…\"", "全部驳回，并说明理由"),
        (
            "--json FILE",
            "逐条决定：{\"verdicts\": [{\"id\": \"FR-001\", \"verdict\": \"approve\"}, {\"id\": …, \"verdict\": \"reject\" 或 \
             \"out_of_scope\", \"reason\": …}, {\"id\": …, \"verdict\": \"modify\", \"changes\": {\"title\": …, \
             \"description\": …, \"priority\": …, \"category\": …, \"acceptanceCriteria\": […]}, \"reason\": …}], \"added\": \
             [{\"description\": …}], \"userFeedback\": …}；changes 的字段均可省略；没有提到的保持未定，除非写上 \"others\": \"approve\"",
        ),
    ],
    ways_gaps: &[
        ("--approve", "保留缺口，继续"),
        ("--reject \"…\"", "再来一轮，补上缺口，并说明要补什么"),
        (
            "--json FILE",
            "逐条决定：{\"gaps\": {\"GAP-001\": {\"decision\": \"dismiss\", \"reason\": …}, \"GAP-002\": {\"decision\": \"ask\", \
             \"question\": …, \"owner\": …, \"due\": …, \"default\": …}, \"GAP-003\": {\"decision\": \"fix\", \"how\": …}}}；ask 和 fix \
             的其余字段可省略",
        ),
    ],
    ways_interrupt: &[("--approve", "重试"), ("--reject \"…\"", "终止，记为失败")],
    leaving: "直接回车表示暂不回答；输入 q 退出，已填内容不会丢失。",
    needed: "这里不能留空；输入 q 退出。",
    one_of: "请输入其中一个字母：",
    not_used: "未采用：",
    more_not_used: "……还有 {n} 句：用 `reqgate prd show {thread} --draft not-used` 查看全部",
    courtesies: "问候、应答、人名、日期与只言片语",
    adopting: "下面的句子还没有被采用。用一个字母给它归类；回车表示不采用，输入 . 表示其余都不采用。",
    choose_adopt: "[p] 问题，[g] 目标，[u] 用户，[f] 流程，[m] 成功指标，[r] 规则，[o] 范围之外，[?] 待解问题，[q] 退出：",
    add_requirement: "还有需求要补充吗？写一句话；回车继续。",
    decide_again: "哪一条要重新决定？输入编号；回车继续。",
    choose_document: "[a] 批准，[c] 要求修改，[e] 编辑，[q] 退出：",
    choose_requirement: "[a] 批准，[m] 修改，[r] 驳回，[o] 范围之外，[d] 暂不决定，[l] 其余全部批准，[q] 退出：",
    choose_gaps: "[c] 再来一轮补上缺口，[g] 保留缺口继续，[e] 逐条决定，[q] 退出：",
    choose_gap: "[f] 补上，[d] 不予处理，[o] 列为待解问题，[k] 暂且保留，[q] 退出：",
    choose_interrupt: "[t] 重试，[e] 终止并记为失败，[q] 退出：",
    what_changes: "要改什么？",
    what_says: "应改成什么？",
    fill_blanks: "方括号里还有待填内容。应写成什么？",
    blanks_filled: "补全了待填内容",
    why: "理由是什么？",
    why_override: "质量门未通过这份 PRD，为什么仍要批准？",
    hand_edited: "在 requirements.md 里手工改过，原文：",
    hand_decided: "在 requirements.md 里被手工移动；在这里作答才算决定",
    hand_added: "在 requirements.md 里手工添加",
    hand_deleted: "已从 requirements.md 里手工删除：批准则恢复，驳回则不保留",
    waits: "{thread}：等待答复；用 `reqgate prd resume {thread}` 继续",
    has_failed: "{thread}：已失败；用 `reqgate prd resume {thread} --retry` 重试",
    at: "，步骤 ",
    documents: "文档：",
    given_before: "这个答复之前已经给过（事件 {n}），未做任何改动",
    stopped: "质量门未通过这份 PRD：请用 --approve --because \"…\" 说明理由",
    unknown_question: "没有问题 `{ask}`：用 `reqgate inbox` 查看等待答复的问题",
    also_open: "仍未提交（可用 `reqgate prd next {thread}` 查看）",
    no_longer_open: "问题 `{ask}` 已不再等待答复：已有其他答复，或者该步骤已撤销",
    does_not_fit: "答复与问题不符",
    shape: "答复的格式：",
    verified: "{thread}：共 {n} 个事件，均未被改动",
    verified_import: "{thread}：共 {n} 个事件，导入后均未被改动；事件 1 到 {k} 来自归档，出自何人无法核实",
    forked: "{thread}：用 `reqgate prd resume {thread}` 继续；分支不写文件",
    imported: "{thread}：已导入；用 `reqgate prd resume {thread}` 继续",
    imported_mark: "（导入）",
    imported_until: "导入：事件 1 到 {n} 及其中的批准来自归档，未经核实",
    import_state: "{thread}：{title}\n导入只写入 {state}。",
    import_files: "继续时会写入这些文件：",
    import_no_files: "线程已结束，不再写入其他文件。",
    import_exists: "（已存在）",
    import_claims: "归档称已有这些批准，均未经核实：",
    import_no_claims: "归档里没有批准。",
    import_nobody: "未注明何人",
    approved: ["简介", "需求", "保留缺口继续", "PRD", "未通过质量门的 PRD", "大纲", "草稿"],
    import_ask: "要导入吗？[y/N]",
    import_left: "未导入",
    import_needs_yes: "未导入：请核对上面的内容，然后加 --yes 导入",
    forgotten: "{thread}：已清除",
    no_difference: "没有差别",
    same_until: "前 {n} 步相同，之后",
    no_further_step: "没有下一步",
    verdicts: ["就绪", "未就绪", "不适用", "已拦截"],
    priorities: ["高", "中", "低", "不做"],
};
