//! Reads the rows of a benchmark, from JSON lines or a folder of YAML files, and the text of each row.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::suite::{Data, Input};
use reqgate_base::clean::short_line;
use reqgate_base::files;
use reqgate_base::yaml;

/// One labelled object of the data.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The field `id`, or else the position in the data.
    pub id: String,
    /// The fields of the object.
    pub fields: Map<String, Value>,
}

/// The reason why rows could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    /// The file or folder does not exist.
    #[error("absent: {0}")]
    Absent(PathBuf),
    /// The file or folder cannot be read.
    #[error("reading {path}: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The cause of the error.
        source: io::Error,
    },
    /// A row is not valid.
    #[error("{path}, {place}: {message}")]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The line or the file in which it is.
        place: String,
        /// The problem with the row.
        message: String,
    },
    /// The file has no row, or none that passes the filter.
    #[error("{path} has no row{which}", which = if *.filtered { " that matches `where`" } else { "" })]
    Empty {
        /// The file or folder.
        path: PathBuf,
        /// The filter left out rows.
        filtered: bool,
    },
}

/// The text of a row, with a separate title if the row has one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    /// The title; empty if the row has none.
    pub title: String,
    /// The body of the text.
    pub body: String,
}

impl Text {
    /// Title, empty line and body as one text.
    pub(crate) fn joined(&self) -> String {
        if self.title.is_empty() { self.body.clone() } else { format!("{}\n\n{}", self.title, self.body) }
    }
}

impl Row {
    /// The value at a path of keys separated by `/`.
    pub(crate) fn value(&self, field: &str) -> Option<&Value> {
        let mut keys = field.split('/');
        let first = self.fields.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    /// The text at a path.
    ///
    /// # Errors
    /// Names the field if it does not exist or has another type.
    pub(crate) fn text(&self, field: &str) -> Result<&str, String> {
        match self.value(field) {
            Some(Value::String(text)) => Ok(text),
            Some(Value::Null) => Ok(""),
            Some(_) => Err(format!("the field `{field}` is not a text")),
            None => Err(format!("there is no field `{field}`")),
        }
    }

    /// The objects of a list at a path.
    ///
    /// # Errors
    /// Names the field if it does not exist or has another type.
    pub(crate) fn objects(&self, field: &str) -> Result<Vec<Row>, String> {
        let Some(Value::Array(items)) = self.value(field) else {
            return Err(format!("there is no list `{field}`"));
        };
        let row = |(index, item): (usize, &Value)| match item {
            Value::Object(fields) => Ok(Row { id: format!("{}/{index}", self.id), fields: fields.clone() }),
            _ => Err(format!("`{field}` contains something other than an object")),
        };
        items.iter().enumerate().map(row).collect()
    }

    /// The texts of a list at a path; empty if it is absent.
    pub(crate) fn texts(&self, field: &str) -> Vec<&str> {
        match self.value(field) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text],
            _ => Vec::new(),
        }
    }

    /// The text of a row.
    ///
    /// # Errors
    /// Names the field that does not have the form that the suite states.
    pub(crate) fn input(&self, input: &Input) -> Result<Text, String> {
        let body = |body: String| Text { title: String::new(), body };
        Ok(match input {
            Input::Field(field) => body(self.text(field)?.to_owned()),
            Input::Base64(field) => {
                let bytes = STANDARD.decode(self.text(field)?).map_err(|_| format!("`{field}` is not base64"))?;
                body(String::from_utf8_lossy(&bytes).into_owned())
            }
            Input::TitleBody(title, rest) => {
                Text { title: self.text(title)?.trim().to_owned(), body: self.text(rest)?.to_owned() }
            }
            Input::Records(field) => body(records(&self.objects(field)?)),
        })
    }

    /// Returns true if every field has one of its values.
    pub(crate) fn fits(&self, filter: &BTreeMap<String, Vec<Value>>) -> bool {
        filter.iter().all(|(field, values)| {
            self.value(field).is_some_and(|found| values.iter().any(|value| is_same(found, value)))
        })
    }

    /// The value of a field as a word for a slice.
    pub(crate) fn slice(&self, field: &str) -> String {
        let words = match self.value(field) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => "-".to_owned(),
            Some(other) => other.to_string(),
        };
        // Slices are shown in tables, so the value must be one short line.
        short_line(&words, 60)
    }

    /// The group of a field's value for a slice: that of the longest matching prefix.
    pub(crate) fn group(&self, field: &str, groups: &BTreeMap<String, String>) -> String {
        let value = self.slice(field);
        let rest = |beginning: &str| match beginning.strip_suffix('*') {
            Some(beginning) => value.strip_prefix(beginning),
            None => (value == beginning).then_some(""),
        };
        let fitting = groups.iter().filter_map(|(beginning, name)| Some((beginning.len(), rest(beginning)?, name)));
        match fitting.max_by_key(|(length, ..)| *length) {
            Some((_, rest, name)) => name.replace('*', rest.split_whitespace().next().unwrap_or("")),
            None => "other".to_owned(),
        }
    }
}

/// The language of a text by its script, for rows that do not state it: Chinese if a fifth of the letters are Chinese
/// characters.
pub(crate) fn language_of(text: &str) -> &'static str {
    let (mut letters, mut han) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        han += usize::from(('\u{4e00}'..='\u{9fff}').contains(&c));
    }
    if han * 5 >= letters && han > 0 { "zh" } else { "en" }
}

/// Returns true if a value is the wanted one; a wanted text that ends in `*` is a prefix, and `1` equals `1.0`.
pub(crate) fn is_same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::String(found), Value::String(wanted)) => match wanted.strip_suffix('*') {
            Some(beginning) => found.starts_with(beginning),
            None => found == wanted,
        },
        (Value::Number(found), Value::Number(wanted)) => found.as_f64() == wanted.as_f64(),
        _ => found == wanted,
    }
}

/// Every key and value of every object, one line each, an empty line between objects.
fn records(objects: &[Row]) -> String {
    let mut text = String::new();
    for object in objects {
        for (key, value) in &object.fields {
            match value {
                Value::String(words) if words.contains('\n') => text.push_str(&format!("{key}：\n{words}\n")),
                Value::String(words) => text.push_str(&format!("{key}：{words}\n")),
                Value::Null => {}
                other => text.push_str(&format!("{key}：{other}\n")),
            }
        }
        text.push('\n');
    }
    text
}

/// The rows of a file or folder below `root` that pass a filter.
///
/// # Errors
/// Fails if it is absent, unreadable, not valid or empty.
pub(crate) fn rows(root: &Path, data: &Data, filter: &BTreeMap<String, Vec<Value>>) -> Result<Vec<Row>, RowError> {
    let path = root.join(data.path());
    let all = match data {
        Data::File(_) => read_lines(&path)?,
        Data::Folder(_) => read_folder(&path)?,
        Data::List(_) => read_list(&path)?,
        Data::Documents(_) => read_documents(&path)?,
    };
    let filtered = !all.is_empty();
    let rows: Vec<Row> = all.into_iter().filter(|row| row.fits(filter)).collect();
    if rows.is_empty() { Err(RowError::Empty { path, filtered }) } else { Ok(rows) }
}

fn read_text(path: &Path) -> Result<String, RowError> {
    files::text(path, files::DATASETS).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => RowError::Absent(path.to_path_buf()),
        _ => RowError::Read { path: path.to_path_buf(), source },
    })
}

fn read_lines(path: &Path) -> Result<Vec<Row>, RowError> {
    let text = read_text(path)?;
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(index, line): (usize, &str)| {
        let place = format!("line {}", index + 1);
        let broken = |message: String| RowError::Broken { path: path.to_path_buf(), place: place.clone(), message };
        let fields = serde_json::from_str::<Map<String, Value>>(line).map_err(|error| broken(error.to_string()))?;
        Ok(Row { id: id_of(&fields, &place), fields })
    };
    lines.map(row).collect()
}

fn read_list(path: &Path) -> Result<Vec<Row>, RowError> {
    let all = yaml::read::<Vec<Map<String, Value>>>(&read_text(path)?).map_err(|error| RowError::Broken {
        path: path.to_path_buf(),
        place: "the list".to_owned(),
        message: error.to_string(),
    })?;
    let row = |(index, fields): (usize, Map<String, Value>)| Row {
        id: id_of(&fields, &format!("entry {}", index + 1)),
        fields,
    };
    Ok(all.into_iter().enumerate().map(row).collect())
}

fn read_documents(path: &Path) -> Result<Vec<Row>, RowError> {
    let row = |file: PathBuf| {
        let id = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let fields = Map::from_iter([("text".to_owned(), Value::String(read_text(&file)?))]);
        Ok(Row { id, fields })
    };
    files_in(path, &["md"])?.into_iter().map(row).collect()
}

/// The files of a folder with one of these extensions, in order.
fn files_in(path: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, RowError> {
    let entries = fs::read_dir(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => RowError::Absent(path.to_path_buf()),
        _ => RowError::Read { path: path.to_path_buf(), source },
    })?;
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|own| extensions.iter().any(|one| own == *one));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_wanted).collect();
    files.sort();
    Ok(files)
}

fn read_folder(path: &Path) -> Result<Vec<Row>, RowError> {
    let row = |file: PathBuf| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = read_text(&file)?;
        let fields = yaml::read::<Map<String, Value>>(&text).map_err(|error| RowError::Broken {
            path: path.to_path_buf(),
            place: name.clone(),
            message: error.to_string(),
        })?;
        Ok(Row { id: id_of(&fields, &name), fields })
    };
    files_in(path, &["yaml", "yml"])?.into_iter().map(row).collect()
}

fn id_of(fields: &Map<String, Value>, place: &str) -> String {
    match fields.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(fields: Value) -> Row {
        Row { id: "r".to_owned(), fields: fields.as_object().expect("an object").clone() }
    }

    #[test]
    fn a_row_is_found_by_its_fields_and_gives_its_text() {
        let row = row(json!({"source": "alpha-1", "n": 1, "labels": {"kind": "x"}, "t": "T ", "b": null, "c": "aGk="}));
        let filter = |pairs: &[(&str, Value)]| {
            pairs.iter().map(|(field, value)| ((*field).to_owned(), vec![value.clone()])).collect::<BTreeMap<_, _>>()
        };
        assert!(row.fits(&filter(&[("source", json!("alpha*")), ("n", json!(1.0)), ("labels/kind", json!("x"))])));
        assert!(!row.fits(&filter(&[("source", json!("alpha"))])));
        assert!(!row.fits(&filter(&[("gone", json!("x"))])));
        let input = |input: Input| row.input(&input).map(|text| text.joined());
        assert_eq!(input(Input::TitleBody("t".into(), "b".into())), Ok("T\n\n".to_owned()));
        assert_eq!(input(Input::Base64("c".into())), Ok("hi".to_owned()));
        assert_eq!(input(Input::Base64("t".into())), Err("`t` is not base64".to_owned()));
        assert_eq!(input(Input::Field("gone".into())), Err("there is no field `gone`".to_owned()));
        assert_eq!(input(Input::Field("n".into())), Err("the field `n` is not a text".to_owned()));
    }

    #[test]
    fn values_of_a_slice_are_put_together_by_their_beginning() {
        let row = row(json!({"origin": "tracker alpha A-17"}));
        let group = |pairs: &[(&str, &str)]| {
            let groups = pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
            row.group("origin", &groups)
        };
        assert_eq!(group(&[("t*", "any"), ("tracker *", "team *")]), "team alpha");
        assert_eq!(group(&[("tracker", "exactly")]), "other");
        assert_eq!(
            (language_of("a 导出 API"), language_of("export 中 everything else"), language_of("")),
            ("zh", "en", "en")
        );
    }

    #[test]
    fn absent_broken_and_empty_data_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |content: Option<&str>| {
            let path = folder.path().join("rows.jsonl");
            let _ = fs::remove_file(&path);
            if let Some(content) = content {
                fs::write(&path, content).expect("writable");
            }
            rows(folder.path(), &Data::File("rows.jsonl".into()), &BTreeMap::new())
        };
        assert!(matches!(read(None), Err(RowError::Absent(_))));
        assert!(matches!(read(Some("\n")), Err(RowError::Empty { filtered: false, .. })));
        let error = read(Some("{\"id\": 7}\n{nonsense\n")).expect_err("broken").to_string();
        assert!(error.contains("rows.jsonl, line 2:"), "{error}");
        assert_eq!(read(Some("{\"id\": 7}\n\n{\"a\": 1}")).expect("rows").len(), 2);
    }
}
