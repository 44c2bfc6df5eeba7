//! Reports a part of a bug report that contains a picture and no words.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole, Span};

/// Returns a match for each section for steps, actual or expected behaviour whose only content is a picture.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let reading = ctx.reading;
    let mut found = Vec::new();
    for (number, section) in reading.sections.iter().enumerate() {
        let told = matches!(section.role, SectionRole::Steps | SectionRole::Actual | SectionRole::Expected);
        let Some(heading) = section.heading.filter(|_| told) else { continue };
        // The whole text up to the next section, because a picture alone may not be a block of prose.
        let next = reading.sections.get(number + 1).and_then(|next| next.heading);
        let end = next.map_or(ctx.text.len(), |next| next.start);
        let content = Span::new(heading.end, end).slice(ctx.text);
        if let Some(picture) = only_picture(content) {
            let start = heading.end + picture.start;
            let name = heading.trimmed(ctx.text).slice(ctx.text).trim_matches(|c: char| !c.is_alphanumeric());
            found.push(Match::at(Span::new(start, start + picture.len())).with("term", name));
        }
    }
    found
}

/// The span of the first picture, if the content has pictures and no other words.
fn only_picture(content: &str) -> Option<Span> {
    let first = ["![", "<img", "!image", "user-images.githubusercontent.com", "github.com/user-attachments"]
        .iter()
        .filter_map(|sign| content.find(sign))
        .min()?;
    let mut words = 0;
    let mut rest = content;
    while !rest.is_empty() {
        let picture = if rest.starts_with("![") {
            rest.find(')').map(|end| end + 1)
        } else if rest.starts_with("<img") {
            rest.find('>').map(|end| end + 1)
        } else if rest.starts_with("http") {
            Some(rest.find(char::is_whitespace).unwrap_or(rest.len()))
        } else {
            None
        };
        let step = picture.unwrap_or_else(|| {
            let c = rest.chars().next().unwrap_or(' ');
            words += usize::from(c.is_alphanumeric());
            c.len_utf8()
        });
        rest = rest.get(step..).unwrap_or("");
    }
    let end = content[first..].find('\n').map_or(content.len(), |at| first + at);
    (words < 4).then(|| Span::new(first, end))
}
