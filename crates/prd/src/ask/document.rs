//! The parts that every review of a document has: the decision, a reason, changes in words, the edited document.

use reqgate_base::clean;
use reqgate_base::model::Language;

use super::view::{Field, FieldKind};
use super::{Input, Unclear};

/// The decision on the whole.
pub(super) fn decision<'a>(options: &[(&'static str, &str)], language: Language) -> Field<'a> {
    Field::choice("decision", language.of("Your decision", "您的决定"), options)
}

/// The names of approval and of changes.
pub(super) fn yes_or_no(language: Language) -> [&'static str; 2] {
    [language.of("Approve", "批准"), language.of("Ask for changes", "要求修改")]
}

/// The fields of a review of a document: `edited` is the name of the decision for the edited one, where it can be edited.
pub(super) fn fields<'a>(
    document: &'a str,
    needs_reason: bool,
    edited: Option<&'static str>,
    language: Language,
) -> Vec<Field<'a>> {
    let [approve, change] = yes_or_no(language);
    let anyway = language.of("Approve anyway (give a reason)", "仍然批准（说明理由）");
    let mut options = vec![("approve", if needs_reason { anyway } else { approve }), ("change", change)];
    options.extend(edited.map(|label| ("edit", label)));
    let mut fields = vec![decision(&options, language)];
    if needs_reason {
        let label = language.of("Why approve it anyway?", "为什么仍要批准？");
        let hint = language.of(
            "The gate or the critics do not approve; the reason is recorded.",
            "质量门或评审人未通过；理由会被记录。",
        );
        fields.push(Field::words("because", label, 2).hinted(hint));
    }
    fields.push(Field::words("feedback", language.of("What should change?", "要改什么？"), 3));
    fields.extend(edited.map(|_| Field {
        id: "document".to_owned(),
        label: language.of("Edit the document yourself", "自己修改文档").to_owned(),
        hint: None,
        kind: FieldKind::Edited(document),
    }));
    fields
}

/// The name of the decision for a text that is judged again.
pub(super) fn next_text(language: Language) -> &'static str {
    language.of("Use my edited text", "采用我修改后的文本")
}

/// A decision on a document.
pub(super) struct Decided {
    /// The document is approved.
    pub(super) approved: bool,
    /// The changes in words.
    pub(super) feedback: Option<String>,
    /// The edited document, if that one was chosen.
    pub(super) edited: Option<String>,
    /// The reason for an approval.
    pub(super) because: Option<String>,
}

/// The decision on a document. The text that a person typed is never lost: an approval with requested changes is refused by the
/// check of the answer, and an edited document that was not chosen is refused here.
pub(super) fn decided(input: &Input, document: &str) -> Result<Decided, Unclear> {
    let edited = input.get("document").unwrap_or(document);
    let is_edited = !edited.trim().is_empty() && typed(edited).trim() != typed(document).trim();
    let decision = input.words("decision");
    let approved = match decision {
        "approve" | "change" if is_edited => return Err(Unclear::EditedButNotChosen),
        // Without an edit, the shown document would be approved as if a person had edited it.
        "edit" if !is_edited => return Err(Unclear::ChosenButNotEdited),
        "approve" | "edit" => true,
        "change" => false,
        _ => return Err(Unclear::Undecided),
    };
    Ok(Decided {
        approved,
        feedback: input.said("feedback"),
        edited: (decision == "edit").then(|| edited.to_owned()),
        // The reason holds for the edited text as well, if the gate stops it.
        because: input.said("because").filter(|_| approved),
    })
}

/// A text as a person types it: tabs and line ends stay, other control characters do not.
pub(super) fn typed(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !clean::is_unsafe(*c)).collect()
}
