//! Writes one self-contained page: it has no script, loads no other files, and is readable in light, dark and on paper.
//!
//! Cards are written as they come. The summary is known only at the end; the style sheet shows it at the top.

mod card;
mod chart;
mod marks;

use std::io::{self, Write};

use minijinja::value::Serde;
use minijinja::{Value, context};

use card::card;
use chart::Histogram;

use super::{Detail, InputError, ReportOptions, Reporter, Summary};
use reqgate_base::clean::one_line;
use reqgate_base::model::{Language, Outcome};
use reqgate_base::page::Page;
use reqgate_messages as messages;

pub use marks::{MarkedText, marked};

const TEMPLATE: &str = include_str!("page.html.j2");
/// The style sheet of the page and of single cards.
pub const STYLE: &str = include_str!("page.css");

/// The card of an outcome for a page that also shows its text: each finding has an id and links to its [`marked`]
/// words.
///
/// # Errors
/// Fails only if the template is broken.
pub fn card_beside_text(outcome: &Outcome) -> io::Result<String> {
    let card = Value::from(Serde(card::card_beside_text(outcome)));
    Page::new(TEMPLATE, STYLE).and_then(|page| page.render(context! { part => "card", card })).map_err(io::Error::other)
}

pub(super) struct HtmlReporter<'a> {
    out: Box<dyn Write + 'a>,
    page: Page,
    detail: Detail,
    has_head: bool,
    scores: Histogram,
}

impl<'a> HtmlReporter<'a> {
    pub(super) fn new(options: ReportOptions, out: Box<dyn Write + 'a>) -> io::Result<Self> {
        let page = Page::new(TEMPLATE, STYLE).map_err(io::Error::other)?;
        Ok(Self { out, page, detail: options.detail, has_head: false, scores: Histogram::default() })
    }

    /// Writes the head of the page once; the first input decides the language of the page.
    fn head(&mut self, language: Language) -> io::Result<()> {
        if std::mem::replace(&mut self.has_head, true) {
            return Ok(());
        }
        let words = messages::Report::of(language);
        self.part(context! {
            part => "head", language => card::tag(language),
            title => words.report_title, show => words.show, all => words.show_all,
            stopped => words.show_stopped, passed => words.show_passed,
            left_out => self.detail.leaves_out_passes().then_some(words.passes_left_out),
        })
    }

    fn part(&mut self, ctx: Value) -> io::Result<()> {
        self.page.write(ctx, &mut self.out).map_err(io::Error::other)
    }
}

impl Reporter for HtmlReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if let Some(report) = &outcome.score_report {
            self.scores.add(report.total_score);
        }
        if self.detail.leaves_out(outcome) {
            return Ok(());
        }
        self.head(outcome.language)?;
        self.part(context! { part => "card", card => Value::from(Serde(card(outcome))) })
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.head(Language::En)?;
        self.part(context! { part => "error", word => messages::Report::of(Language::En).error, input => one_line(&error.input), message => one_line(&error.message) })
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.head(summary.language())?;
        let words = messages::Report::of(summary.language());
        let title = words.inputs(&summary.inputs);
        let caption = words.scores_of(&self.scores.count());
        let sentence = summary.sentence();
        let verdicts = Value::from(Serde(chart::shares(summary)));
        let bins = Value::from(Serde(self.scores.bars()));
        self.part(context! {
            part => "tail", inputs => summary.inputs, sentence, verdicts, bins, scored => self.scores.count(),
            title, caption, overview => words.summary, spread => words.spread,
        })?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, samples};

    fn html(outcomes: &[Outcome]) -> String {
        samples::render(Format::Html, ReportOptions::default(), outcomes, &[samples::unreadable()])
    }

    #[test]
    fn rejection_is_a_card() {
        let page = html(&[samples::rejected(), samples::passed()]);
        let body = page.split_once("</style>").expect("the page has a style sheet").1;
        insta::assert_snapshot!("rejected_html", body.replacen(env!("CARGO_PKG_VERSION"), "[version]", 1));
    }

    #[test]
    fn hostile_ticket_brings_no_markup() {
        let page = html(&samples::all());
        assert!(!page.contains("<script") && !page.contains("<b>.md"));
        assert!(page.contains("&lt;script&gt;"));
        assert!(!page.chars().any(|c| c != '\n' && reqgate_base::clean::is_unsafe(c)));
    }

    #[test]
    fn a_page_without_passes_offers_no_filter_for_them() {
        let quiet = ReportOptions { detail: Detail::Quiet, ..ReportOptions::default() };
        let page = samples::render(Format::Html, quiet, &[samples::rejected(), samples::passed()], &[]);
        let body = page.split_once("</style>").expect("the page has a style sheet").1;
        assert!(
            !body.contains("show-passed") && body.contains(messages::Report::of(Language::En).passes_left_out),
            "{body}"
        );
        assert!(html(&[samples::passed()]).contains("id=\"show-passed\""));
    }

    #[test]
    fn page_loads_nothing() {
        let page = html(&samples::all());
        for address in ["http:", "https:", "url(", "src=", "@import"] {
            assert!(!page.contains(address), "{address}");
        }
        assert!(!page.contains(" style="), "the policy forbids inline styles");
    }

    #[test]
    fn page_without_inputs_is_whole() {
        let page = samples::render(Format::Html, ReportOptions::default(), &[], &[]);
        assert!(page.contains("0 inputs") && page.ends_with("</html>\n"));
    }
}
