//! Turns findings into issues: message, suggestion and question in the language of the ticket, quote, position,
//! fingerprint.

use super::Context;
use super::findings::{ABOUT, OWNER};
use reqgate_base::clean::{inner_quotes, whole_words};
use reqgate_base::model::{
    Basis, Category, Disposition, Finding, Fingerprint, GuardrailFinding, LineIndex, ReviewIssue, RuleId, Severity,
    Span,
};
use reqgate_messages as messages;
use reqgate_rules::{ModelQuestion, Rule};
use reqgate_text::html::without_tags;
use reqgate_text::{Cue, display_width};

/// The widest quote inside a sentence of the report, in columns.
const WIDEST_QUOTE: usize = 90;
/// The number of bytes before the words of a finding that are quoted with them.
const BEFORE: usize = 40;
/// The longest separate quote in characters; an ellipsis follows if it was cut.
const LONGEST_QUOTE: usize = 199;

/// Creates an issue from a finding.
pub(crate) fn issue(
    rule: &Rule,
    finding: &Finding,
    severity: Severity,
    disposition: Disposition,
    lines: &LineIndex,
    ctx: Context<'_>,
) -> ReviewIssue {
    let words = rule.wording(ctx.language);
    let sentence = finding.span.map(|span| ctx.reading.sentence_at(span.start).map_or(span, |s| s.span.join(span)));
    let point = finding.span.map(|span| point(span, ctx));
    let shown = |value: &str| match point.and_then(|point| Some((value.find(point.slice(ctx.text))?, point))) {
        Some((at, point)) => around(value, Span::new(0, value.len()), Span::new(at, at + point.len())),
        None => one_line(value, WIDEST_QUOTE),
    };
    let mut values: Vec<(&str, String)> =
        finding.values.iter().map(|(name, value)| (name.as_ref(), shown(value))).collect();
    let quoted = sentence.map(|span| around(ctx.text, span, point.unwrap_or(span)));
    values.push(("quote", quoted.unwrap_or_default()));
    let fill = |template: &str| fill(template, &values);
    let quote = finding.span.zip(point).map(|(span, point)| clip(ctx.text, span, point));
    let has = |hole: &str| finding.values.iter().any(|(name, _)| name == hole);
    let question = match (&words.question_about, &words.question_assigned) {
        (Some(question), _) if has(ABOUT) => question,
        (_, Some(question)) if has(OWNER) => question,
        _ => &words.question,
    };
    ReviewIssue {
        rule_id: finding.rule.clone(),
        severity,
        category: rule.file.category,
        description: fill(&words.message),
        suggestion: fill(&words.fix),
        question: Some(fill(question)),
        span: finding.span,
        against: finding.against,
        position: finding.span.map(|span| lines.position(ctx.text, span.start)),
        quote,
        fingerprint: fingerprint(finding, sentence.unwrap_or(Span::new(0, 0)).slice(ctx.text), ctx),
        points: 0.0,
        disposition,
        basis: if rule.file.fact { Basis::Fact } else { Basis::Estimate },
    }
}

/// Creates an issue from a warning of the guardrail; the value is already masked in the text.
pub(crate) fn guardrail_issue(finding: &GuardrailFinding, lines: &LineIndex, ctx: Context<'_>) -> Option<ReviewIssue> {
    let rule_id = RuleId::new(finding.pattern.replace('_', "-")).ok()?;
    let found = Finding { rule: rule_id.clone(), span: finding.span, against: None, values: Vec::new() };
    Some(ReviewIssue {
        rule_id,
        severity: Severity::Warning,
        category: Category::Security,
        description: finding.message.clone(),
        suggestion: messages::Verdict::of(ctx.language).remove_value.to_owned(),
        question: None,
        span: finding.span,
        against: None,
        position: finding.span.map(|span| lines.position(ctx.text, span.start)),
        quote: None,
        fingerprint: fingerprint(&found, "", ctx),
        points: 0.0,
        disposition: Disposition::Rule,
        basis: Basis::Fact,
    })
}

/// Creates an issue from a model's finding that the text confirms; `reason` is the model's, made safe to show.
pub(crate) fn model_issue(
    question: &ModelQuestion,
    span: Option<Span>,
    reason: &str,
    severity: Severity,
    lines: &LineIndex,
    ctx: Context<'_>,
) -> ReviewIssue {
    let words = question.wording(ctx.language);
    let quoted = span.map(|span| one_line(span.slice(ctx.text), WIDEST_QUOTE)).unwrap_or_default();
    let values = [("reason", reason.to_owned()), ("quote", quoted)];
    let found = Finding { rule: question.file.id.clone(), span, against: None, values: Vec::new() };
    let sentence = span.and_then(|span| ctx.reading.sentence_at(span.start)).map_or(Span::new(0, 0), |s| s.span);
    ReviewIssue {
        rule_id: question.file.id.clone(),
        severity,
        category: question.file.category,
        description: fill(&words.message, &values),
        suggestion: fill(&words.fix, &values),
        // A question that quotes missing words would show an empty quote.
        question: (span.is_some() || !words.question.contains("{quote}")).then(|| fill(&words.question, &values)),
        span,
        against: None,
        position: span.map(|span| lines.position(ctx.text, span.start)),
        quote: span.map(|span| clip(ctx.text, span, span)),
        fingerprint: fingerprint(&found, sentence.slice(ctx.text), ctx),
        points: 0.0,
        disposition: Disposition::Model,
        basis: Basis::Estimate,
    }
}

/// The fingerprint depends only on the rule and the words, so that a finding keeps it when the words move.
fn fingerprint(finding: &Finding, sentence: &str, ctx: Context<'_>) -> Fingerprint {
    let normal =
        |words: &str| words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let term = finding.span.map(|span| normal(span.slice(ctx.text))).unwrap_or_default();
    Fingerprint::of(&[finding.rule.as_str(), &normal(sentence), &term])
}

/// Fills the `{name}` placeholders. One without a value stays empty, and text from the ticket is never read as a
/// template.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    messages::fill_with(template, |name, before| {
        let (_, value) = values.iter().find(|(known, _)| *known == name)?;
        Some(if before.ends_with('“') { inner_quotes(value) } else { value.clone() })
    })
}

/// The words that a quote must keep: in a long place the words that mark something as open, else its beginning.
fn point(place: Span, ctx: Context<'_>) -> Span {
    if display_width(place.slice(ctx.text)) <= WIDEST_QUOTE {
        return place;
    }
    let open = ctx.reading.find_cue(place, Cue::Open);
    open.or_else(|| ctx.reading.placeholders_in(place).first().copied()).unwrap_or(place)
}

/// The part of a sentence around a place, cut at word ends to fit a line.
fn around(text: &str, sentence: Span, place: Span) -> String {
    let whole = one_line(sentence.slice(text), usize::MAX);
    if display_width(&whole) <= WIDEST_QUOTE {
        return whole;
    }
    from(text, sentence, place, BEFORE, |tail| one_line(tail, WIDEST_QUOTE))
}

/// The text of a span, starting at most `most` bytes before the place, preceded by `…` unless it starts with the span.
fn from(text: &str, span: Span, place: Span, most: usize, shown: impl Fn(&str) -> String) -> String {
    let from = place.start.saturating_sub(most).max(span.start);
    let from = (from..=place.start).find(|at| text.is_char_boundary(*at)).unwrap_or(place.start);
    if from == span.start {
        return shown(span.slice(text));
    }
    let tail = Span::new(from, span.end).slice(text);
    let cut = tail.find(char::is_whitespace).filter(|at| from + at < place.start).unwrap_or(0);
    format!("…{}", shown(tail[cut..].trim_start()))
}

/// Joins the words with single spaces, cut at a word end if they are too wide.
fn one_line(words: &str, columns: usize) -> String {
    let line = without_tags(words).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut width = 0;
    for (at, c) in line.char_indices() {
        width += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if width > columns {
            return format!("{}…", whole_words(&line, at));
        }
    }
    line
}

/// The words of a span as written, shortened if necessary but always including those of the place.
fn clip(text: &str, span: Span, place: Span) -> String {
    let head = |words: &str, most: usize| match words.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", whole_words(words, at)),
        None => words.to_owned(),
    };
    let before = Span::new(span.start, place.end.min(span.end).max(span.start)).slice(text);
    match before.chars().count() > LONGEST_QUOTE && place.start > span.start {
        // The mark of the left part counts too.
        true => from(text, span, place, LONGEST_QUOTE / 2, |words| head(words, LONGEST_QUOTE - 1)),
        false => head(span.slice(text), LONGEST_QUOTE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, words: &str) -> Span {
        let start = text.find(words).expect("the words are in the text");
        Span::new(start, start + words.len())
    }

    #[test]
    fn a_shortened_quote_keeps_the_words_of_the_finding_and_cuts_between_words() {
        let text = "The system MUST offer “in 3 hours”, “tomorrow at 9” and a free date of at most so many days, which is [NEEDS CLARIFICATION: 14 or 30 days?].";
        let whole = Span::new(0, text.len());
        let shown = around(text, whole, span(text, "NEEDS CLARIFICATION"));
        assert_eq!(shown, "…of at most so many days, which is [NEEDS CLARIFICATION: 14 or 30 days?].");
        assert_eq!(
            around(text, whole, whole),
            "The system MUST offer “in 3 hours”, “tomorrow at 9” and a free date of at most so many…"
        );
    }

    #[test]
    fn a_long_quote_keeps_the_words_of_the_finding() {
        let text = format!("{}the length is TBD", "words ".repeat(60));
        let whole = Span::new(0, text.len());
        let shown = clip(&text, whole, span(&text, "TBD"));
        assert!(shown.starts_with("…words words") && shown.ends_with("the length is TBD"), "{shown}");
        assert!(clip(&text, whole, whole).ends_with("words…"));
        let chinese = format!("{}期限待定", "导出订单".repeat(60));
        let shown = clip(&chinese, Span::new(0, chinese.len()), span(&chinese, "待定"));
        assert!(
            shown.starts_with('…') && shown.ends_with("期限待定") && shown.chars().count() <= LONGEST_QUOTE + 1,
            "{shown}"
        );
    }
}
