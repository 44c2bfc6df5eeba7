//! The guardrail's words about a finding, in English and in Chinese; never a value.

use reqgate_base::model::{GuardrailAction, GuardrailKind, Language, SourceType};

/// A text of too few columns, besides those that are encoded data.
pub(super) fn too_short(columns: usize, encoded: usize, least: usize, language: Language) -> String {
    if encoded > 0 {
        return language.of(
            format!("Too short to judge ({encoded} of {columns} characters are encoded data; at least {least} others)."),
            format!("正文过短，无法评审（{columns} 个字符宽中有 {encoded} 个是编码数据，此外至少 {least} 个；一个汉字算两个）。"),
        );
    }
    language.of(
        format!("Too short to judge ({columns} characters; at least {least})."),
        format!("正文过短，无法评审（{columns} 个字符宽，至少 {least} 个；一个汉字算两个）。"),
    )
}

/// A text of too many characters, of a source that is stated or unknown.
pub(super) fn too_long(counted: usize, most: usize, source: Option<SourceType>, language: Language) -> String {
    let source = source.map_or_else(|| language.of("a document", "文档"), |source| source.words(language));
    language.of(
        format!("Too long to judge ({counted} characters without code and logs; at most {most} for {source})."),
        format!("正文过长，无法评审（不计代码和日志有 {counted} 个字符，{source}最多 {most} 个）。"),
    )
}

/// The words for a kind of find.
pub(super) struct Wording {
    /// The mask that replaces its values.
    pub(super) mask: &'static str,
    english: &'static str,
    chinese: &'static str,
}

pub(super) fn of(kind: GuardrailKind) -> Wording {
    let (mask, english, chinese) = match kind {
        GuardrailKind::TooShort | GuardrailKind::TooLong => ("", "The text has the wrong length", "正文长度不合要求"),
        GuardrailKind::Email => ("[email]", "This is a person's e-mail address", "这是个人的电子邮箱地址"),
        GuardrailKind::Phone => ("[phone]", "This is a telephone number", "这是电话号码"),
        GuardrailKind::PaymentCard => ("[card]", "This is a payment card number", "这是支付卡号"),
        GuardrailKind::Iban => ("[iban]", "This is a bank account number", "这是银行账号"),
        GuardrailKind::NationalId => ("[id]", "This is the number of an identity document", "这是身份证件号码"),
        GuardrailKind::BirthDate => ("[birth]", "This is a date of birth", "这是出生日期"),
        GuardrailKind::IpAddress => ("[ip]", "This is a public network address", "这是公网地址"),
        GuardrailKind::Secret => ("[secret]", "This looks like a key, token or password", "这看起来是密钥、令牌或密码"),
        GuardrailKind::PromptInjection => (
            "[order]",
            "These words give orders to a language model or to the reviewer",
            "这些文字在向语言模型或评审者下命令",
        ),
    };
    Wording { mask, english, chinese }
}

/// A value or an order that was found, and what was done about it.
pub(super) fn found(kind: GuardrailKind, action: GuardrailAction, language: Language) -> String {
    let Wording { english, chinese, .. } = of(kind);
    match language {
        Language::En => format!("{english} {}", consequence(kind, action)),
        Language::Zh => format!("{chinese}，{}", consequence_chinese(kind, action)),
    }
}

fn consequence(kind: GuardrailKind, action: GuardrailAction) -> &'static str {
    match (kind, action) {
        (GuardrailKind::PromptInjection, GuardrailAction::Reject) => {
            "and stop the run; remove them, or quote them if you are writing about them."
        }
        (GuardrailKind::PromptInjection, GuardrailAction::Redact) => "and are masked.",
        (GuardrailKind::PromptInjection, _) => "and are left as they are.",
        (GuardrailKind::Secret, GuardrailAction::Reject) => "and stops the run; revoke it and remove it.",
        (GuardrailKind::Secret, _) => "and is masked wherever the text is shown; revoke it and remove it.",
        (_, GuardrailAction::Reject) => "and stops the run; remove it.",
        (_, _) => "and is masked wherever the text is shown.",
    }
}

fn consequence_chinese(kind: GuardrailKind, action: GuardrailAction) -> &'static str {
    match (kind, action) {
        (GuardrailKind::PromptInjection, GuardrailAction::Reject) => "评审已停止；请删除，如果是在讨论它们，请加引号。",
        (GuardrailKind::PromptInjection, GuardrailAction::Redact) => "已遮盖。",
        (GuardrailKind::PromptInjection, _) => "已原样保留。",
        (GuardrailKind::Secret, GuardrailAction::Reject) => "评审已停止；请吊销并删除。",
        (GuardrailKind::Secret, _) => "显示时一律遮盖；请吊销并删除。",
        (_, GuardrailAction::Reject) => "评审已停止；请删除。",
        (_, _) => "显示时一律遮盖。",
    }
}
