//! The words of the engine about a thread, in the thread's language: statuses, events, interrupts.

use super::ask::AskModel;
use super::definition::Workflow;
use super::event::{Because, Body, FILES_KEEP_CHANGING};
use super::graph::{Name, To};
use super::position::Asking;
use super::thread::Status;
use reqgate_base::model::Language;

impl Status {
    /// The status in the words of a language.
    pub fn in_words(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::En, _) => self.name(),
            (Language::Zh, Self::Running) => "运行中",
            (Language::Zh, Self::Interrupted) => "已中断，可继续",
            (Language::Zh, Self::WaitingForPerson) => "等待答复",
            (Language::Zh, Self::WaitingForWork) => "等待提交草稿",
            (Language::Zh, Self::Completed) => "已完成",
            (Language::Zh, Self::Failed) => "已失败",
            (Language::Zh, Self::Cancelled) => "已取消",
        }
    }
}

impl<W: Workflow> Asking<W> {
    /// The question in one line, in this language where its words are the program's.
    pub fn title_in(&self, language: Language) -> String {
        match (language, self) {
            (Language::Zh, Self::Engine(because, ask)) => {
                let node = ask.state.get("node").map(String::as_str).unwrap_or_default();
                match because {
                    Because::Budget { from, label } => {
                        let budget = W::graph().edge(*from, *label).and_then(|edge| edge.budget).unwrap_or_default();
                        format!("{} 已经按“{}”往返 {budget} 次", from.name(), label.name())
                    }
                    Because::NodeFailed { messages } => format!(
                        "{node} 无法继续：{}",
                        messages.iter().map(|message| message_in_chinese(message)).collect::<Vec<_>>().join("；")
                    ),
                }
            }
            (_, Self::Workflow(ask)) => ask.title_in(language),
            (Language::En, Self::Engine(..)) => self.title(),
        }
    }

    /// The effect of each answer to an interrupt; `None` for a question of the workflow.
    pub fn ways_on(&self, language: Language) -> Option<String> {
        match (language, self) {
            (_, Self::Workflow(_)) => None,
            (Language::En, Self::Engine(_, ask)) => Some(ask.resume_instructions.clone()),
            (Language::Zh, Self::Engine(Because::Budget { from, label }, _)) => {
                let budget = W::graph().edge(*from, *label).and_then(|edge| edge.budget).unwrap_or_default();
                Some(format!("继续：再往返 {budget} 次；终止：记为失败"))
            }
            (Language::Zh, Self::Engine(Because::NodeFailed { .. }, _)) => {
                Some("继续：重试；终止：记为失败".to_owned())
            }
        }
    }
}

impl<W: Workflow> Body<W> {
    /// The event in one line for a timeline, in the words of a language. Names of steps and labels are codes.
    pub fn headline_in(&self, language: Language) -> String {
        match language {
            Language::En => self.headline(),
            Language::Zh => self.headline_in_chinese(),
        }
    }

    fn headline_in_chinese(&self) -> String {
        match self {
            Self::Started { title, .. } => format!("开始：{title}"),
            Self::Forked { from, at, .. } => format!("从 {from} 的第 {at} 个事件分出"),
            Self::HandedOut { index, attempt, .. } => format!("工作单 {} 已发出，第 {attempt} 次", index + 1),
            Self::CallDone { index, attempt, .. } => format!("调用 {} 完成，第 {attempt} 次", index + 1),
            Self::CallFailed { index, attempt, problems, .. } => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                format!("调用 {} 失败，第 {attempt} 次：{first}", index + 1)
            }
            Self::Stepped { node, label, note, .. } => {
                let to = match W::graph().edge(*node, *label).map(|edge| edge.to) {
                    Some(To::Node(to)) => to.name(),
                    Some(To::End) => "结束",
                    None => "?",
                };
                let note = note.as_deref().map(|note| format!("：{note}")).unwrap_or_default();
                format!("{} → {to}（{}）{note}", node.name(), label.name())
            }
            Self::Asked { ask } => format!("提问（{}）：{}", ask.kind(), ask.title()),
            Self::Interrupted { because, ask } => {
                let question = Asking::<W>::Engine(because.clone(), ask.clone());
                format!("提问（interrupt）：{}", question.title_in(Language::Zh))
            }
            Self::Answered { ask, channel, .. } => {
                format!("问题 {ask} 已答复（{}）", channel_in(channel, Language::Zh))
            }
            Self::EffectDone { receipt, .. } => {
                let done = match receipt.as_str() {
                    "written" => "已写入",
                    "unchanged" => "无变化",
                    "dry-run" => "分支不写文件",
                    other => other,
                };
                format!("文件：{done}")
            }
            Self::EffectRefused { reason, .. } => format!("文件未写入：{}", refusal_in_chinese(reason)),
            Self::Reopened => "重新继续".to_owned(),
            Self::Amended { reason, to: None, .. } => format!("更改：{reason}"),
            Self::Amended { reason, to: Some(to), .. } => format!("更改，从 {} 继续：{reason}", to.name()),
            Self::Migrated { version, .. } => format!("由版本 {version} 迁移"),
            Self::Cancelled { reason } => format!("已取消：{reason}"),
            Self::Imported => "导入：在此之前的内容都来自归档".to_owned(),
            Self::Ended => "结束".to_owned(),
        }
    }
}

/// A message of the engine in Chinese; messages of a workflow are already in the language of their thread.
fn message_in_chinese(message: &str) -> &str {
    if message == FILES_KEEP_CHANGING { "这一步的文件一再被别人改动" } else { message }
}

/// The reason why a file was not written, as recorded in the log, in Chinese.
fn refusal_in_chinese(reason: &str) -> String {
    const ENDS: [(&str, &str); 6] = [
        (" has a part that starts with a dot or is not a portable name", "含有以点开头或不通用的名称"),
        (" is not a document of this feature", "不是这个功能的文档"),
        (" was changed by somebody else", "已被别人改动"),
        (" was deleted by somebody else", "已被别人删除"),
        (" is outside the directory of the run", "超出了运行目录"),
        (" is a symbolic link", "是符号链接"),
    ];
    let told = ENDS.iter().find_map(|(english, chinese)| Some(format!("{} {chinese}", reason.strip_suffix(english)?)));
    told.unwrap_or_else(|| reason.to_owned())
}

/// The way that an answer came, in words.
pub fn channel_in(channel: &str, language: Language) -> &str {
    match (language, channel) {
        (Language::Zh, "terminal") => "终端",
        (Language::Zh, "command") => "命令",
        (Language::Zh, "file") => "答复文件",
        (Language::Zh, "page") => "网页",
        _ => channel,
    }
}
