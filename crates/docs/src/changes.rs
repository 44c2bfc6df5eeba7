//! The differences of two texts, line by line.

use std::fmt::Write;

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

use reqgate_base::clean;

/// Lines around a change that are shown.
const CONTEXT: usize = 2;
/// Lines that are compared; the time that takes grows with their product.
const MOST_COMPARED: usize = 2_000;

/// The lines that were taken out (`-`) and put in (`+`), with two lines around them.
///
/// # Errors
/// Returns the number of lines of either text if they are too many to be compared.
pub fn changed_lines(old: &str, new: &str) -> Result<String, (usize, usize)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.trim().lines().collect(), new.trim().lines().collect());
    if old.len().max(new.len()) > MOST_COMPARED {
        return Err((old.len(), new.len()));
    }
    let mut out = String::new();
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    for (index, group) in group_diff_ops(ops, CONTEXT).iter().enumerate() {
        if index > 0 {
            out.push_str("  …\n");
        }
        for op in group {
            let (tag, before, after) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                lines(&mut out, " ", &new[after]);
                continue;
            }
            lines(&mut out, "-", &old[before]);
            lines(&mut out, "+", &new[after]);
        }
    }
    Ok(out)
}

fn lines(out: &mut String, sign: &str, lines: &[&str]) {
    for line in lines {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{}", format!("{sign} {}", clean::one_line(line)).trim_end());
    }
}
