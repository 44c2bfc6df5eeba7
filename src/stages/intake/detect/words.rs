//! The words that show the kind of a ticket in titles and headings, lower case; the words of sentences are lists of the vocabulary.

/// Words in the headings of forms that ask for a feature.
pub const FEATURE_HEADINGS: [&str; 14] = [
    "feature",
    "motivation",
    "use case",
    "alternative",
    "proposal",
    "proposed",
    "benefit",
    "rationale",
    "solution you",
    "功能",
    "动机",
    "场景",
    "收益",
    "建议",
];

pub const BUG_STARTS: [&str; 6] = ["bug", "defect", "缺陷", "crash", "regression", "故障"];

/// A title that opens so asks for something new.
pub const FEATURE_STARTS: [&str; 13] = [
    "feature",
    "feat",
    "enhancement",
    "suggestion",
    "proposal",
    "idea",
    "rfe",
    "rfc",
    "需求",
    "建议",
    "wish",
    "request",
    "新功能",
];

/// A title that opens so asks.
pub const ASKING_STARTS: [&str; 23] = [
    "question",
    "咨询",
    "求助",
    "请教",
    "how to",
    "how do",
    "how can",
    "how should",
    "how is",
    "how does",
    "请问",
    "如何",
    "怎么",
    "what is",
    "why ",
    "help",
    "is it possible",
    "is there",
    "can i",
    "should i",
    "提问",
    "疑问",
    "为什么",
];

/// Words that open a question where none of the fuller forms does.
pub const QUESTION_WORDS: [&str; 26] = [
    "how",
    "why",
    "what",
    "what's",
    "when",
    "where",
    "which",
    "who",
    "is",
    "are",
    "am",
    "can",
    "could",
    "may",
    "should",
    "does",
    "do",
    "did",
    "will",
    "would",
    "has",
    "have",
    "any",
    "anyone",
    "q",
    "difference",
];

/// A title that opens so is a chore.
pub const CHORE_STARTS: [&str; 29] = [
    "chore",
    "task",
    "任务",
    "bump",
    "upgrade",
    "refactor",
    "migrate",
    "clean",
    "rotate",
    "renew",
    "rename",
    "remove unused",
    "spike",
    "investigate",
    "update dependencies",
    "docs",
    "[docs",
    "[chore",
    "[task",
    "升级",
    "清理",
    "重构",
    "迁移",
    "续期",
    "更换",
    "调研",
    "ci:",
    "build:",
    "deps",
];

/// A title that opens so mends a fault.
pub const MENDING_WORDS: [&str; 14] = [
    "fix", "fixes", "fixed", "fixing", "resolve", "resolves", "correct", "avoid", "prevent", "don't", "dont", "修复",
    "解决", "避免",
];

/// Orders that are no verbs of a title elsewhere.
pub const ORDERING_WORDS: [&str; 24] = [
    "adding",
    "consider",
    "ability",
    "option",
    "better",
    "more",
    "new",
    "automatically",
    "generalize",
    "generalise",
    "deprecate",
    "explore",
    "enhance",
    "prefer",
    "adopt",
    "please",
    "have",
    "支持",
    "新增",
    "增加",
    "希望",
    "optional",
    "provide",
    "use",
];

/// Trouble that a report and a cry for help share.
pub const TROUBLE_WORDS: [&str; 18] = [
    "error",
    "exception",
    "fail",
    "problem",
    "issue",
    "trouble",
    "unable",
    "can't",
    "cannot",
    "can not",
    "not working",
    "doesn't work",
    "not found",
    "undefined",
    "报错",
    "错误",
    "失败",
    "无法",
];

/// The writer speaks of himself in the title.
pub const SELF_WORDS: [&str; 12] =
    ["i", "i'm", "my", "me", "help", "please", "getting", "got", "need", "want", "using", "trying"];

/// How a letter opens.
pub const GREETINGS: [&str; 13] =
    ["hi ", "hi,", "hi!", "hi\n", "hello", "hey ", "hey,", "dear ", "good morning", "你好", "您好", "大家好", "各位"];
