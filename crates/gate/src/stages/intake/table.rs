//! Reads a table with a ticket in each row (CSV), as Jira and other trackers export it for spreadsheets.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value, json};

use super::decoding::accept;
use super::json::{MOST_BROKEN_IN_A_ROW, Unknown};
use super::{IntakeError, RawInput, jira_issue, row, vocabulary};
use reqgate_base::clean::short_line;
use reqgate_text::words::Words;
use reqgate_text::words::issue_forms::FIELDS_THAT_BELONG;
use reqgate_text::words::table_columns::{
    ATTACHMENTS, BODIES, CHANGE_DATES, CLOSED_STATES, CREATION_DATES, ENVIRONMENTS, IDS, JIRA_KEYS, KINDS, LABELS,
    LINKS, PRIORITIES, STATES, TITLES,
};

/// Returns true for the file extension of a table, in lower case.
pub(super) fn is_table(ending: &str) -> bool {
    matches!(ending, "csv" | "tsv")
}

/// The most columns of a table: Jira exports a few hundred.
const MOST_COLUMNS: usize = 5_000;

/// The tickets in the rows of a table, at most `most` of them, each named by the line at which its row begins.
pub(super) fn read(name: &str, text: &str, unknown: Unknown, most: usize) -> Vec<Result<RawInput, IntakeError>> {
    let mut table = Table::open(text);
    let Some(columns) = table.header().and_then(|header| Columns::of(&header)) else {
        let header = table.header.as_ref().map(shown_columns).unwrap_or_default();
        return vec![Err(match unknown {
            Unknown::Refuse => IntakeError::NoTitleColumn { name: name.to_owned(), columns: header },
            Unknown::LeaveOut => {
                IntakeError::LeftOut { name: name.to_owned(), found: "a table without a column for titles".to_owned() }
            }
        })];
    };
    let mut found = Vec::new();
    let mut broken_in_a_row = 0;
    while found.len() < most
        && let Some((line, record)) = table.next_row()
    {
        let row = format!("{name}:{line}");
        let item = match record {
            Ok(record) if record.iter().all(|cell| cell.trim().is_empty()) => continue,
            Ok(record) => accept(columns.ticket(&row, &record)),
            Err(reason) => Err(IntakeError::BrokenRow { name: row, reason }),
        };
        broken_in_a_row = if item.is_err() { broken_in_a_row + 1 } else { 0 };
        found.push(item);
        if broken_in_a_row >= MOST_BROKEN_IN_A_ROW {
            found.push(Err(IntakeError::GaveUp { name: name.to_owned(), count: broken_in_a_row }));
            break;
        }
    }
    if found.is_empty() {
        found.push(Err(IntakeError::NoIssues { name: name.to_owned() }));
    }
    found
}

/// Returns true for a text that begins with the header of a table of tickets: a title, and a key or a text.
pub(super) fn is_one(text: &str) -> bool {
    let mut table = Table::open(text);
    let columns = table.header().and_then(|header| Columns::of(&header));
    columns.is_some_and(|columns| columns.has(JIRA_KEYS) || columns.has(BODIES))
}

/// The columns of a header for a message.
fn shown_columns(header: &StringRecord) -> String {
    let shown: Vec<String> = header.iter().take(8).map(|name| format!("`{}`", short_line(name, 30))).collect();
    let more = if header.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The rows of a text whose cells are separated by a comma, a semicolon or a tab.
struct Table<'t> {
    text: &'t str,
    rows: csv::Reader<&'t [u8]>,
    header: Option<StringRecord>,
    /// The line number at the byte up to which lines were counted.
    line: usize,
    counted: usize,
}

impl<'t> Table<'t> {
    fn open(text: &'t str) -> Self {
        // Excel writes the separator on a separate first line.
        let first = text.lines().next().unwrap_or_default();
        let stated = first.strip_prefix("sep=").filter(|sign| sign.len() == 1).and_then(|sign| sign.bytes().next());
        let rest = match stated {
            Some(_) => text.split_once('\n').map_or("", |(_, rest)| rest),
            None => text,
        };
        let delimiter = stated.unwrap_or_else(|| likely_delimiter(rest));
        let rows =
            ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(rest.as_bytes());
        Self { text: rest, rows, header: None, line: 1 + usize::from(stated.is_some()), counted: 0 }
    }

    fn header(&mut self) -> Option<StringRecord> {
        self.header = self.next_row().and_then(|(_, record)| record.ok());
        self.header.clone()
    }

    /// The next row and the line at which it begins.
    fn next_row(&mut self) -> Option<(usize, Result<StringRecord, String>)> {
        let line = self.line_at(self.rows.position().byte());
        let mut record = StringRecord::new();
        match self.rows.read_record(&mut record) {
            Ok(true) => Some((line, Ok(record))),
            Ok(false) => None,
            Err(error) => Some((line, Err(error.to_string()))),
        }
    }

    /// The line of the first words after a byte; line ends before them belong to the row above.
    fn line_at(&mut self, byte: u64) -> usize {
        let from = usize::try_from(byte).unwrap_or(usize::MAX).clamp(self.counted, self.text.len());
        let bytes = self.text.as_bytes();
        let to = from + bytes[from..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.line += bytes[self.counted..to].iter().filter(|byte| **byte == b'\n').count();
        self.counted = to;
        self.line
    }
}

/// The most frequent separator in the first line, outside quotation marks.
fn likely_delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let outside: String = first.split('"').step_by(2).collect();
    let count = |sign: u8| outside.bytes().filter(|byte| *byte == sign).count();
    // The last of several equal counts wins.
    [b'\t', b';', b','].into_iter().max_by_key(|sign| count(*sign)).unwrap_or(b',')
}

/// The columns of a table of tickets.
struct Columns {
    /// The name of each column in lower-case words.
    names: Vec<String>,
    /// The columns whose text belongs to the requirement, with their headings.
    fields: Vec<(usize, String)>,
    is_jira: bool,
}

impl Columns {
    /// Reads the header; `None` without a column for titles.
    fn of(header: &StringRecord) -> Option<Self> {
        if header.len() > MOST_COLUMNS {
            return None;
        }
        let names: Vec<String> = header.iter().map(vocabulary::phrase).collect();
        let fields = header.iter().enumerate().filter_map(|(at, name)| Some((at, field_name(name)?))).collect();
        let is_jira = names.iter().any(|name| JIRA_KEYS.has(name));
        let columns = Self { names, fields, is_jira };
        columns.has(TITLES).then_some(columns)
    }

    /// Returns true if the name of a column is in the list.
    fn has(&self, list: &Words) -> bool {
        self.names.iter().any(|name| list.has(name))
    }

    /// The filled-in cells of the columns whose names are in the list; trackers repeat a column with several values.
    fn cells<'r>(&self, list: &'static Words, record: &'r StringRecord) -> impl Iterator<Item = &'r str> {
        let named = self.names.iter().zip(record).filter(move |(name, _)| list.has(name));
        named.map(|(_, cell)| cell).filter(|cell| !cell.trim().is_empty())
    }

    fn ticket(&self, name: &str, record: &StringRecord) -> RawInput {
        let first = |list| self.cells(list, record).next();
        let title = first(TITLES).unwrap_or_default();
        let body = first(BODIES).unwrap_or_default();
        let is_closed = self.cells(STATES, record).any(|state| CLOSED_STATES.has(&state.trim().to_lowercase()));
        let labels: Vec<&str> =
            self.cells(LABELS, record).flat_map(|cell| cell.split([',', ';'])).map(str::trim).collect();
        let fields = self.fields.iter().filter_map(|(at, field)| Some((field.as_str(), record.get(*at)?)));
        let fields = fields.filter(|(_, text)| !text.trim().is_empty());
        let input = if self.is_jira {
            let mut issue = json!({
                "summary": title, "description": body, "labels": labels,
                "issuetype": first(KINDS), "priority": first(PRIORITIES), "environment": first(ENVIRONMENTS),
                "created": first(CREATION_DATES), "updated": first(CHANGE_DATES),
                "attachment": self.cells(ATTACHMENTS, record).map(file_name).collect::<Vec<_>>(),
                "status": { "statusCategory": { "key": if is_closed { "done" } else { "new" } } },
            });
            let mut names = Map::new();
            for (number, (field, text)) in fields.enumerate() {
                let key = format!("customfield_{number}");
                issue[&key] = Value::from(text);
                names.insert(key, Value::from(field));
            }
            let issue = json!({ "key": first(JIRA_KEYS), "fields": issue });
            issue.as_object().map(|issue| jira_issue::read(name, issue, Some(&names)))
        } else {
            let environment = first(ENVIRONMENTS).map(|text| ("Environment", text));
            let parts = environment.into_iter().chain(fields).map(|(field, text)| format!("\n\n## {field}\n\n{text}"));
            let row = json!({
                "title": title, "body": body.to_owned() + &parts.collect::<String>(), "labels": labels,
                "type": first(KINDS), "priority": first(PRIORITIES), "url": first(LINKS),
                "created_at": first(CREATION_DATES), "updated_at": first(CHANGE_DATES),
                "attachments": self.cells(ATTACHMENTS, record).map(file_name).collect::<Vec<_>>(),
                "state": if is_closed { "closed" } else { "open" },
            });
            row.as_object().map(|row| row::read(name, row))
        };
        let mut input = input.unwrap_or_default();
        if !self.is_jira {
            input.facts.id = first(IDS).map(|id| number_or_key(id.trim()));
        }
        input
    }
}

/// Returns `#12` for a number, and a key unchanged.
fn number_or_key(id: &str) -> String {
    let short = short_line(id, 40);
    if short.bytes().all(|byte| byte.is_ascii_digit()) { format!("#{short}") } else { short }
}

/// The heading for a column whose text belongs to the requirement: `Custom field (Acceptance Criteria)`, `Repro Steps`.
fn field_name(column: &str) -> Option<String> {
    let inside = column.split_once(['(', '（']).map(|(_, inside)| inside.trim_end_matches([')', '）']));
    let name = inside.unwrap_or(column).trim();
    let lower = name.to_lowercase();
    FIELDS_THAT_BELONG.iter().any(|words| lower.contains(words)).then(|| short_line(name, 80))
}

/// The name of an attached file: Jira writes `time;author;name;address` into the cell.
fn file_name(cell: &str) -> &str {
    cell.split(';').nth(2).unwrap_or(cell).trim()
}

#[cfg(test)]
mod tests {
    use reqgate_base::model::{SourceType, TicketType};

    use super::*;

    fn tickets(text: &str) -> Vec<RawInput> {
        read("b.csv", text, Unknown::Refuse, usize::MAX).into_iter().map(|item| item.expect("a ticket")).collect()
    }

    fn messages(text: &str, unknown: Unknown) -> Vec<String> {
        let items = read("b.csv", text, unknown, usize::MAX).into_iter();
        items.map(|item| item.map_or_else(|error| error.to_string(), |input| input.text)).collect()
    }

    #[test]
    fn export_of_jira_is_read_with_repeated_columns_and_lines_in_quotation_marks() {
        let text = "Summary,Issue key,Issue id,Issue Type,Status,Project key,Priority,Created,Labels,Labels,Description,Attachment,Custom field (Acceptance Criteria),Custom field (Rank)\r\n\
                    Export orders,SHOP-7,10007,Story,To Do,SHOP,Highest,2026-03-01 10:00,csv,orders,\"As a clerk, I want \"\"CSV\"\".\n\nh3. Scope\n* all orders\",01/Mar/26;ana;list.png;https://jira.example/list.png,* The file has one line per order,0|abc:\r\n\
                    Login fails,SHOP-8,10008,Bug,Done,SHOP,Low,2026-03-02 10:00,,,It fails.,,,0|abd:\r\n";
        let [story, bug] = tickets(text).try_into().expect("two tickets");
        assert_eq!(
            story.text,
            "Export orders\n\nAs a clerk, I want \"CSV\".\n\nh3. Scope\n* all orders\n\nh2. Acceptance Criteria\n\n* The file has one line per order"
        );
        assert_eq!((story.name.as_str(), bug.name.as_str()), ("b.csv:2", "b.csv:6"));
        assert_eq!((story.tracker, story.ticket_type), (Some(SourceType::JiraTicket), Some(TicketType::Feature)));
        assert_eq!(
            (story.facts.id.as_deref(), story.labels.as_slice()),
            (Some("SHOP-7"), &["csv".to_owned(), "orders".to_owned()][..])
        );
        assert_eq!(story.attachments[0].name, "list.png");
        assert_eq!((story.facts.is_open, bug.facts.is_open), (Some(true), Some(false)));
        assert_eq!((bug.ticket_type, bug.text.as_str()), (Some(TicketType::Bug), "Login fails\n\nIt fails."));
    }

    #[test]
    fn semicolons_tabs_and_chinese_columns_are_read() {
        let german = "sep=;\nSummary;Issue key;Description\nExport, sorted;A-1;\"Line; one\"\n";
        assert_eq!(tickets(german)[0].text, "Export, sorted\n\nLine; one");
        assert_eq!(tickets(german)[0].name, "b.csv:3");
        let tabs = "Title\tID\tDescription\tState\nExport\t12\tAll orders\tclosed\n";
        let [row] = tickets(tabs).try_into().expect("one ticket");
        assert_eq!(
            (row.text.as_str(), row.facts.id.as_deref(), row.facts.is_open),
            ("Export\n\nAll orders", Some("#12"), Some(false))
        );
        let chinese =
            "概要,问题关键字,问题类型,描述,自定义字段 (验收标准)\n导出订单,SHOP-9,故事,客服导出订单,每个订单一行\n";
        let [row] = tickets(chinese).try_into().expect("one ticket");
        assert_eq!(row.text, "导出订单\n\n客服导出订单\n\nh2. 验收标准\n\n每个订单一行");
        assert_eq!((row.facts.id.as_deref(), row.ticket_type), (Some("SHOP-9"), Some(TicketType::Feature)));
    }

    #[test]
    fn table_without_tickets_is_a_clear_error() {
        let text = "Name,Price\nmug,3\n";
        assert!(
            messages(text, Unknown::Refuse)[0]
                .starts_with("`b.csv` has no column for titles (Summary, Title or 概要), only `Name`, `Price`")
        );
        assert!(
            messages(text, Unknown::LeaveOut)[0]
                .starts_with("skipped `b.csv`: it holds a table without a column for titles")
        );
        assert!(messages("Summary,Issue key\n,\n", Unknown::Refuse)[0].starts_with("`b.csv` holds no tickets"));
    }

    #[test]
    fn row_without_words_is_an_error_and_the_others_are_read() {
        let found = messages("Summary,Issue key,Description\n,A-1,\nExport,A-2,All\n", Unknown::Refuse);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("the ticket A-1 (b.csv:2) is empty"), "{found:?}");
        assert_eq!(found[1], "Export\n\nAll");
    }

    #[test]
    fn only_the_header_of_tickets_makes_a_stream_a_table() {
        assert!(is_one("Summary,Issue key\nExport,A-1\n"));
        assert!(is_one("title;body\nExport;All\n"));
        for text in
            ["Summary\n\nExport of orders", "Export, sorted\n\nAs a clerk I want it.", "Name,Price\nmug,3\n", ""]
        {
            assert!(!is_one(text), "{text}");
        }
    }
}
