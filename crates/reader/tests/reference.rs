//! Compares ids and outputs with reference values.

use reqgate_reader::Reader;

#[test]
fn ids_and_outputs_equal_the_references() {
    let reader = Reader::embedded();
    let rows = std::fs::read_to_string("/work/shared/data/reader/reference.jsonl").unwrap();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let (title, text) = (row["title"].as_str().unwrap(), row["text"].as_str().unwrap());
        let ids: Vec<u32> = row["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect();
        assert_eq!(reader.ids(title, text), ids, "{title}");
        let values: Vec<f32> = row["outputs"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
        for (mine, theirs) in reader.read(title, text).values().iter().zip(values) {
            assert!((mine - theirs).abs() < 1e-3, "{title}: {mine} {theirs}");
        }
    }
}

#[test]
fn speed() {
    let reader = Reader::embedded();
    let text = "The export of the orders fails with an error when the list is empty. ".repeat(80);
    reader.read("x", &text);
    let n = reader.ids("Export", &text).len();
    let start = std::time::Instant::now();
    for _ in 0..20 {
        reader.read("Export", &text);
    }
    eprintln!("{n} ids: {:?}", start.elapsed() / 20);
}
