//! The audit for a terminal, with bars, columns and lists in place of Markdown.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::text::{SHOWN_GAPS, basis, has_ages};
use super::v1;
use super::words::{compared, sentence};
use reqgate_base::clean::{one_line, short_words};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_report::points;
use reqgate_report::{Layout, Row, bar};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// The width of a count at the start of a row, in columns.
const COUNT: usize = 6;
/// The maximum length of a title, in characters.
const LONGEST_TITLE: usize = 100;

/// The audit as a report of `width` columns. Text from tickets is made safe for a terminal.
pub fn text_for_terminal(report: &v1::Report, width: usize, colour: bool) -> String {
    let mut page = Page { out: String::new(), layout: Layout { colour, width: width.max(40) } };
    page.row(BOLD, &format!("Audit of {}", report.source));
    page.text(&sentence(report, Language::En));
    let basis = basis(report, Language::En);
    if !basis.is_empty() {
        page.text(&basis);
    }
    if let Some(change) = &report.change {
        page.text(&compared(report, change, Language::En));
    }
    if report.is_cut {
        page.text(messages::Audit::of(Language::En).cut);
    }
    page.readiness(report);
    page.questions(report);
    page.gaps(report);
    page.ages(report);
    page.tickets(report);
    page.out
}

/// A report while it is being written.
struct Page {
    out: String,
    layout: Layout,
}

impl Page {
    fn row(&mut self, style: Style, words: &str) {
        let words = self.layout.painted(style, &one_line(words));
        self.out.push_str(&format!("{words}\n"));
    }

    fn section(&mut self, title: &str) {
        let title = self.layout.painted(BOLD, title);
        self.out.push_str(&format!("\n  {title}\n"));
    }

    fn text(&mut self, words: &str) {
        self.out.push_str(&self.layout.row(&Row::text(words)));
    }

    /// Writes a row that starts with a count.
    fn counted(&mut self, count: &str, words: &str) {
        let mark = format!("{count:>COUNT$}");
        self.out.push_str(&self.layout.row(&Row::item(&mark, words)));
    }

    /// Writes a line below the words of a row whose mark has this many columns.
    fn below(&mut self, mark: usize, words: &str) {
        for line in self.layout.row(&Row { mark: "", mark_width: mark, text: words }).lines() {
            let line = self.layout.painted(FAINT, line);
            self.out.push_str(&format!("{line}\n"));
        }
    }

    fn readiness(&mut self, report: &v1::Report) {
        let Some(readiness) = &report.readiness else { return };
        self.section(&format!(
            "{} ({} tickets, estimated)",
            messages::Audit::of(Language::En).readiness,
            readiness.tickets
        ));
        let widest = readiness.levels.iter().map(|level| level.label.width()).max().unwrap_or(0);
        for level in &readiness.levels {
            let gap = " ".repeat(widest - level.label.width());
            let (share, expected) = ((level.share * 100.0).round(), level.expected.round());
            let bar = bar(level.share * 100.0);
            self.out
                .push_str(&format!("    {}  {}{gap}  {bar} {expected:>5}  {share:>3} %\n", level.ready, level.label));
        }
    }

    fn questions(&mut self, report: &v1::Report) {
        if report.questions.is_empty() {
            return;
        }
        self.section(messages::Audit::of(Language::En).questions);
        for question in &report.questions {
            self.counted(&question.tickets.to_string(), &question.summary);
            self.below(COUNT, &named(question.examples.iter().map(|ticket| ticket.id.as_str())));
        }
    }

    fn gaps(&mut self, report: &v1::Report) {
        if report.gaps.is_empty() {
            return;
        }
        self.section(messages::Audit::of(Language::En).gaps);
        for gap in report.gaps.iter().take(SHOWN_GAPS) {
            let share = points(gap.share * 100.0);
            let blocks = if gap.blocking > 0 {
                format!(", {} {}", messages::Audit::of(Language::En).blocks, gap.blocking)
            } else {
                String::new()
            };
            self.counted(&gap.tickets.to_string(), &format!("{} ({share} %{blocks})", gap.summary));
            let ids = named(gap.examples.iter().map(|example| example.id.as_str()));
            self.below(COUNT, format!("{}  {ids}", gap.rule_id).trim_end());
        }
    }

    fn ages(&mut self, report: &v1::Report) {
        if !has_ages(report) {
            return;
        }
        let words = messages::Audit::of(Language::En);
        self.section(words.ages);
        let ages: Vec<&v1::Age> = report.ages.iter().filter(|age| age.tickets > 0).collect();
        let widest = ages.iter().map(|age| age.label.width()).max().unwrap_or(0).max(words.age.len());
        let (age, tickets, ready, mean) = (words.age, words.tickets, words.ready, words.mean);
        let head = format!("    {age:widest$}  {tickets:>8}  {ready:>8}  {mean:>11}");
        let head = self.layout.painted(FAINT, &head);
        self.out.push_str(&format!("{head}\n"));
        for age in ages {
            let gap = " ".repeat(widest - age.label.width());
            let mean = age.mean.map(points).unwrap_or_default();
            self.out.push_str(&format!("    {}{gap}  {:>8}  {:>8}  {mean:>11}\n", age.label, age.tickets, age.ready));
        }
    }

    /// Writes the tickets to open or to fix first, each with its address and the first thing to do.
    fn tickets(&mut self, report: &v1::Report) {
        if !report.open_first.is_empty() {
            self.section(messages::Audit::of(Language::En).open_first);
            for (number, ticket) in (1..).zip(&report.open_first) {
                let likely = points((ticket.not_ready * 100.0).round());
                let fact = messages::Audit::of(Language::En).needs_answer(&likely);
                self.ticket(number, (&ticket.id, &ticket.title, ticket.url.as_deref()), &fact, Some(&ticket.question));
            }
        } else if !report.worst.is_empty() {
            self.section(messages::Audit::of(Language::En).worst);
            for (number, ticket) in (1..).zip(&report.worst) {
                let fact = format!("{}/100", points(ticket.score));
                let first = ticket.first_edit.as_deref();
                self.ticket(number, (&ticket.id, &ticket.title, ticket.url.as_deref()), &fact, first);
            }
        }
    }

    fn ticket(&mut self, number: usize, ticket: (&str, &str, Option<&str>), fact: &str, to_do: Option<&str>) {
        let (id, title, url) = ticket;
        let mark = format!("{number:>2}.");
        let words = format!("{id} {} ({fact})", short_words(title, LONGEST_TITLE));
        self.out.push_str(&self.layout.row(&Row::item(&mark, &words)));
        if let Some(to_do) = to_do {
            self.out.push_str(&self.layout.row(&Row { mark: "", mark_width: mark.len(), text: to_do }));
        }
        if let Some(url) = url {
            self.below(mark.len(), url);
        }
    }
}

/// The ids of tickets, separated by commas.
fn named<'i>(ids: impl Iterator<Item = &'i str>) -> String {
    ids.collect::<Vec<_>>().join(", ")
}
