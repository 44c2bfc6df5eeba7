//! Parses the names of tickets in files with several tickets: `issues.json[2]`, `backlog.csv:12`.

/// The file that an input came from, and its line there if it is a record of a file (`backlog.jsonl:12`).
pub(super) fn split_record(input: &str) -> (&str, Option<usize>) {
    let record = input.rsplit_once(':').and_then(|(file, line)| {
        let is_file = file.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.'));
        let is_number = line.bytes().all(|b| b.is_ascii_digit());
        (is_file && is_number).then(|| line.parse().ok()).flatten().filter(|line| *line > 0).map(|line| (file, line))
    });
    record.map_or((input, None), |(file, line)| (file, Some(line)))
}

/// The JSON file that an input came from (`issues.json`, `issues.json[2]`). Lines of a ticket's text are not lines of
/// it.
pub(super) fn json_file(input: &str) -> Option<&str> {
    let file = input.split_once('[').filter(|_| input.ends_with(']')).map_or(input, |(file, _)| file);
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json")).then_some(file)
}

/// Returns true for the name of a ticket in a file with several: `issues.json[2]`, `backlog.csv:12`.
pub(super) fn is_record(input: &str) -> bool {
    split_record(input).1.is_some() || json_file(input).is_some_and(|file| file.len() < input.len())
}
