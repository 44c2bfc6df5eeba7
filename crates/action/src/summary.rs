//! The job summary, within GitHub's limit, with a visible remark if it is cut.

/// The maximum length of a summary, in bytes; GitHub drops one of more than 1 MiB without a message.
pub const LONGEST_SUMMARY: usize = 1_000_000;

/// Returns the text, cut at the end of a line if it is too long, with a remark about the cut.
pub fn bounded_summary(text: &str) -> String {
    if text.len() <= LONGEST_SUMMARY {
        return text.to_owned();
    }
    let note = "\n\n… truncated: a job summary is limited to 1 MiB. The report file is complete.\n";
    let mut end = LONGEST_SUMMARY - note.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!("{}{note}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_summary_is_cut_visibly() {
        assert_eq!(bounded_summary("short\n"), "short\n");
        for long in ["需求行\n".repeat(200_000), "需".repeat(400_000)] {
            let cut = bounded_summary(&long);
            assert!(cut.len() <= LONGEST_SUMMARY && cut.contains("… truncated"));
        }
    }
}
