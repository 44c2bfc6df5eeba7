//! Puts findings into words: message, suggestion and question in the language of the ticket, quote, place, fingerprint.

use super::Context;
use super::findings::ABOUT;
use reqgate_base::model::{
    Basis, Category, Disposition, Finding, Fingerprint, GuardrailFinding, LineIndex, ReviewIssue, RuleId, Severity,
    Span,
};
use reqgate_rules::{ModelQuestion, Rule};
use reqgate_text::display_width;
use reqgate_text::html::without_tags;

/// A quote inside a sentence of ours is at most this wide, in columns.
const WIDEST_QUOTE: usize = 90;
/// A quote on its own is at most this long, in characters, with an ellipsis behind it where it was cut.
const LONGEST_QUOTE: usize = 199;

/// Makes an issue of a finding.
pub fn issue(
    rule: &Rule,
    finding: &Finding,
    severity: Severity,
    disposition: Disposition,
    lines: &LineIndex,
    ctx: Context<'_>,
) -> ReviewIssue {
    let words = rule.wording(ctx.language);
    let sentence = finding.span.map(|span| ctx.reading.sentence_at(span.start).map_or(span, |s| s.span.join(span)));
    let mut values: Vec<(&str, String)> =
        finding.values.iter().map(|(name, value)| (name.as_ref(), one_line(value, WIDEST_QUOTE))).collect();
    let quoted = sentence.map(|span| around(ctx.text, span, finding.span.unwrap_or(span)));
    values.push(("quote", quoted.unwrap_or_default()));
    let fill = |template: &str| fill(template, &values);
    let quote = finding.span.map(|span| clip(span.slice(ctx.text), LONGEST_QUOTE));
    let is_about = finding.values.iter().any(|(name, _)| name == ABOUT);
    let question = words.question_about.as_ref().filter(|_| is_about).unwrap_or(&words.question);
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

/// Makes an issue of what the guardrail warns of; the value is masked in the text already.
pub fn guardrail_issue(finding: &GuardrailFinding, lines: &LineIndex, ctx: Context<'_>) -> Option<ReviewIssue> {
    let rule_id = RuleId::new(finding.pattern.replace('_', "-")).ok()?;
    let found = Finding { rule: rule_id.clone(), span: finding.span, against: None, values: Vec::new() };
    Some(ReviewIssue {
        rule_id,
        severity: Severity::Warning,
        category: Category::Security,
        description: finding.message.clone(),
        suggestion: ctx
            .language
            .of("Remove it from the ticket, or replace it with an invented value.", "请从工单中删除，或改用虚构的值。")
            .to_owned(),
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

/// Makes an issue of what a model found and the text proves; `reason` is the model's, made safe to show.
pub fn model_issue(
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
        // A question about words that are not there would show an empty quote.
        question: (span.is_some() || !words.question.contains("{quote}")).then(|| fill(&words.question, &values)),
        span,
        against: None,
        position: span.map(|span| lines.position(ctx.text, span.start)),
        quote: span.map(|span| clip(span.slice(ctx.text), LONGEST_QUOTE)),
        fingerprint: fingerprint(&found, sentence.slice(ctx.text), ctx),
        points: 0.0,
        disposition: Disposition::Model,
        basis: Basis::Estimate,
    }
}

/// The same rule about the same words is the same finding, wherever the words have moved to.
fn fingerprint(finding: &Finding, sentence: &str, ctx: Context<'_>) -> Fingerprint {
    let normal =
        |words: &str| words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let term = finding.span.map(|span| normal(span.slice(ctx.text))).unwrap_or_default();
    Fingerprint::of(&[finding.rule.as_str(), &normal(sentence), &term])
}

/// Fills `{name}` holes; a hole without a value stays empty, and text from the ticket is never read as a template.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len() + 40);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}') else {
            out.push_str(&rest[open..]);
            return out;
        };
        let name = &rest[open + 1..open + close];
        match values.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[open..=open + close]),
        }
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
    out
}

/// The part of a sentence around a place, cut at word ends to fit a line.
fn around(text: &str, sentence: Span, place: Span) -> String {
    let whole = one_line(sentence.slice(text), usize::MAX);
    if display_width(&whole) <= WIDEST_QUOTE {
        return whole;
    }
    let from = place.start.saturating_sub(40).max(sentence.start);
    let from = (from..=place.start).find(|at| text.is_char_boundary(*at)).unwrap_or(place.start);
    let tail = Span::new(from, sentence.end).slice(text);
    let cut = if from > sentence.start {
        tail.find(char::is_whitespace).filter(|at| from + at < place.start).unwrap_or(0)
    } else {
        0
    };
    let start = if from > sentence.start { "…" } else { "" };
    format!("{start}{}", one_line(tail[cut..].trim_start(), WIDEST_QUOTE))
}

fn one_line(words: &str, columns: usize) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in without_tags(words).split_whitespace() {
        for c in (!out.is_empty()).then_some(' ').into_iter().chain(word.chars()) {
            width += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
            if width > columns {
                out.push('…');
                return out;
            }
            out.push(c);
        }
    }
    out
}

fn clip(words: &str, characters: usize) -> String {
    match words.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words.to_string(),
    }
}
