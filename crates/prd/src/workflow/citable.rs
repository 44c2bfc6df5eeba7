//! The texts that the result of an order may quote: its sources, the answers of people, and the earlier drafts.

use super::work::{DraftStep, WorkOrder};
use crate::brief::{BriefSection, decode, parse_brief};
use crate::{FeatureBrief, SourceQuote, Statement};
use reqgate_docs::write::one_line;
use reqgate_flow::Problem;
use reqgate_orders::{Cited, Misquoted, Sources};
use reqgate_text::quote::Quotable;
use reqgate_text::words::brief_answers::LABELS;

/// The source name for statements of a person in the review of a brief.
const REVIEW: &str = "ask:review";

/// The texts that the result of an order may quote, prepared for searching.
pub(super) struct Citable<'o> {
    order: &'o WorkOrder,
    sources: Sources<'o>,
    /// The earlier draft and the feedback, which have their own source names.
    drafts: Vec<Quotable>,
    /// The statements of people in reviews of the brief: answers to its open questions, and added statements.
    said: Vec<Quotable>,
}

impl<'o> Citable<'o> {
    /// Prepares the sources, the drafts and the answers of an order.
    pub(super) fn new(order: &'o WorkOrder) -> Self {
        let sources = Sources::new(order.sources.iter().map(|source| (source.name.as_str(), source.text.as_str())));
        let feedback = order.feedback.as_ref().and_then(|feedback| serde_json::to_string(feedback).ok());
        let drafts = [order.brief.as_deref(), order.requirements.as_deref(), feedback.as_deref()];
        // The first brief has no earlier draft.
        let drafts = drafts.into_iter().flatten().filter(|_| order.step != DraftStep::Brief);
        let brief = order.brief.as_deref().map(parse_brief);
        // The default of a question comes from a person or from the source that the question quotes.
        let questions = brief.iter().flat_map(|brief| &brief.open_questions);
        let answers = questions.flat_map(|question| [&question.answer, &question.default]).flatten();
        let of_review = |place: &&SourceQuote| place.source.starts_with("ask:");
        let statements =
            |brief| BriefSection::ALL.into_iter().flat_map(move |section| FeatureBrief::statements(brief, section));
        let statements = brief.iter().flat_map(statements).flat_map(Statement::sources);
        let said = answers.chain(statements.filter(of_review).map(|place| &place.quote));
        Self {
            order,
            sources,
            drafts: drafts.map(|draft| Quotable::new(&decode(draft))).collect(),
            said: said.map(|words| Quotable::new(&decode(words))).collect(),
        }
    }

    /// Checks that a quote occurs in the source that it names.
    pub(super) fn check(&self, path: &str, quote: Option<&SourceQuote>, problems: &mut Vec<Problem>) {
        let Some(quote) = quote else { return };
        let Err(misquoted) = self.cited(quote) else { return };
        let message = match misquoted {
            Misquoted::NoSuchSource => {
                let names: Vec<&str> = self.order.sources.iter().map(|source| source.name.as_str()).collect();
                format!("there is no source `{}`: quote word for word from {}", quote.source, names.join(", "))
            }
            misquoted => format!("`{}`: {misquoted}", quote.source),
        };
        problems.push(Problem { path: path.to_owned(), message });
    }

    /// Checks that every quote occurs in the source that it names.
    pub(super) fn check_all(
        &self,
        place: &str,
        first: Option<&SourceQuote>,
        further: &[SourceQuote],
        problems: &mut Vec<Problem>,
    ) {
        self.check(&format!("{place}.source"), first, problems);
        for (number, quote) in further.iter().enumerate() {
            self.check(&format!("{place}.further_sources[{number}]"), Some(quote), problems);
        }
    }

    /// The quote as written in its source, with its line. If its source is not one of the order's, the quote may come
    /// from a review of the brief, which is a source, or from a gap, the earlier draft or the feedback; then it is
    /// kept as it is.
    fn cited(&self, quote: &SourceQuote) -> Result<SourceQuote, Misquoted> {
        let wanted = decode(&quote.quote);
        match self.sources.find(&quote.source, &wanted) {
            Ok(Cited { line, words }) => Ok(SourceQuote { line, quote: words, ..quote.clone() }),
            Err(Misquoted::NoSuchSource) if self.is_said(&wanted) => {
                Ok(SourceQuote { source: REVIEW.to_owned(), line: 1, quote: wanted })
            }
            // These words come only from the author of the draft, so they are not a proof.
            Err(Misquoted::NoSuchSource)
                if quote.source == REVIEW && self.is_drafted(&wanted) && !self.is_wanted(&wanted) =>
            {
                Ok(SourceQuote { source: "brief".to_owned(), quote: wanted, ..quote.clone() })
            }
            Err(Misquoted::NoSuchSource) if self.is_own(&quote.source, &wanted) => {
                Ok(SourceQuote { quote: wanted, ..quote.clone() })
            }
            Err(misquoted) => Err(misquoted),
        }
    }

    /// Returns true for words of a person in a review of the brief.
    fn is_said(&self, wanted: &str) -> bool {
        // The brief shows an answer after its label.
        let lower = wanted.to_lowercase();
        let behind = LABELS.behind(&lower).and_then(|rest| wanted.get(wanted.len().checked_sub(rest.len())?..));
        let wanted = behind.unwrap_or(wanted);
        self.said.iter().any(|words| words.find_shortened(wanted).is_some())
    }

    /// Returns true for words that were written in this workflow.
    fn is_own(&self, name: &str, wanted: &str) -> bool {
        let gap = name.strip_prefix("gap:").and_then(|id| self.order.gaps.iter().find(|gap| gap.id == id));
        if let Some(gap) = gap {
            let in_gap = |text: &str| Quotable::new(text).find_shortened(wanted).is_some();
            return in_gap(&gap.title) || in_gap(&gap.description);
        }
        name.starts_with("ask:") && self.is_wanted(wanted) || self.is_drafted(wanted)
    }

    /// Returns true for words of this order's review. They become a source of any length.
    fn is_wanted(&self, wanted: &str) -> bool {
        let feedback = self.order.feedback.iter().flat_map(|feedback| {
            let wanted = feedback.modifications.iter().map(|change| change.requested_content.as_str());
            feedback.user_feedback.as_deref().into_iter().chain(wanted)
        });
        feedback.map(one_line).any(|text| text.contains(&one_line(wanted)))
    }

    /// Returns true for words of the earlier drafts.
    fn is_drafted(&self, wanted: &str) -> bool {
        self.drafts.iter().any(|draft| draft.find_shortened(wanted).is_some())
    }

    /// Sets the line of a quote, and the name of the answer that it comes from.
    pub(super) fn place(&self, quote: &mut SourceQuote) {
        match self.cited(quote) {
            Ok(cited) => *quote = cited,
            // Results are checked before; only a thread of an older version may have one that passed other checks.
            Err(_) => quote.quote = decode(&quote.quote),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::revision::modified;
    use super::*;
    use crate::collect::BriefModification;

    #[test]
    fn what_somebody_answered_in_the_brief_is_a_source() {
        let brief = "# Export\n\n## Goals\n\n- Support exports.\n\n## Open questions\n\n- [x] How often?\n  Answer: Every 7 days.\n\
            - [ ] Until when?\n  Owner: Dana\n  Default: for 60 days\n  Answer: ______\n";
        let added = BriefModification {
            section: "constraints".to_owned(),
            original_content: None,
            modification_reason: String::new(),
            requested_content: "+ Only finance may export.".to_owned(),
        };
        let brief = modified(brief, &[added]);
        let requirements = WorkOrder { brief: Some(brief), ..WorkOrder::of(DraftStep::Requirements) };
        let named = |name: &str, quote: &str| {
            let source = json!({ "source": name, "line": 10, "quote": quote });
            let mut source: SourceQuote = serde_json::from_value(source).expect("a quote");
            Citable::new(&requirements).place(&mut source);
            (source.source, source.line)
        };
        let placed = |quote: &str| named("brief", quote);
        assert_eq!(placed("every 7 days"), ("ask:review".to_owned(), 1));
        assert_eq!(placed("Answer: Every 7 days."), ("ask:review".to_owned(), 1), "with its label");
        assert_eq!(placed("for 60 days"), ("ask:review".to_owned(), 1), "what holds until then");
        assert_eq!(placed("only finance may export"), ("ask:review".to_owned(), 1), "added with the approval");
        assert_eq!(placed("Support exports."), ("brief".to_owned(), 10), "the author's own words");
        assert_eq!(named(REVIEW, "Support exports."), ("brief".to_owned(), 10), "and no name makes them a person's");
        assert_eq!(named(REVIEW, "every 7 days"), (REVIEW.to_owned(), 1));
    }
}
