//! The parts that every review of a document has: the decision, a reason, changes in words, the edited document.

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_messages as messages;

use super::view::{Field, FieldKind};
use super::{Input, Unclear};

/// The decision on the whole.
pub(super) fn decision<'a>(options: &[(&'static str, &str)], language: Language) -> Field<'a> {
    Field::choice("decision", messages::Ask::of(language).your_decision, options)
}

/// The names of approval and of changes.
pub(super) fn yes_or_no(language: Language) -> [&'static str; 2] {
    [messages::Ask::of(language).approve, messages::Ask::of(language).want_changes]
}

/// The fields of a review of a document: `edited` is the name of the decision for the edited one, where it can be edited.
pub(super) fn fields<'a>(
    document: &'a str,
    needs_reason: bool,
    edited: Option<&'static str>,
    language: Language,
) -> Vec<Field<'a>> {
    let [approve, change] = yes_or_no(language);
    let anyway = messages::Ask::of(language).approve_anyway;
    let mut options = vec![("approve", if needs_reason { anyway } else { approve }), ("change", change)];
    options.extend(edited.map(|label| ("edit", label)));
    let mut fields = vec![decision(&options, language)];
    if needs_reason {
        let label = messages::Ask::of(language).because;
        let hint = messages::Ask::of(language).because_hint;
        fields.push(Field::words("because", label, 2).hinted(hint));
    }
    fields.push(Field::words("feedback", messages::Ask::of(language).feedback, 3));
    fields.extend(edited.map(|_| Field {
        id: "document".to_owned(),
        label: messages::Ask::of(language).edit_document.to_owned(),
        hint: None,
        kind: FieldKind::Edited(document),
    }));
    fields
}

/// The name of the decision for a text that is judged again.
pub(super) fn next_text(language: Language) -> &'static str {
    messages::Ask::of(language).edit_next
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
    let is_edited = !edited.trim().is_empty() && clean::typed(edited).trim() != clean::typed(document).trim();
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
