//! Classifies pasted code: the user's actions, or the program's output.

use reqgate_text::{Block, BlockKind};

/// Returns true for a pasted shell session, a script or a small program, which shows the steps; a trace shows only the
/// result.
pub(crate) fn is_session(text: &str, block: &Block) -> bool {
    if block.kind != BlockKind::Code {
        return false;
    }
    let body = block.text.slice(text);
    let trace =
        ["Exception", "Traceback", "\tat ", "    at ", "panicked", "stack", "core dumped", "ERROR", "INFO", "WARN"];
    if body.lines().filter(|line| !line.trim().is_empty()).count() >= 2 && !trace.iter().any(|mark| body.contains(mark))
    {
        return true;
    }
    let prompts = body
        .lines()
        .filter(|line| {
            matches!(line.trim_start().as_bytes(), [b'$' | b'>' | b'%', b' ', ..])
                || line.trim_start().starts_with(">>> ")
        })
        .count();
    prompts >= 1
}

/// Returns true for code that contains a trace or the words of a failed program.
pub(crate) fn tells_a_failure(code: &str) -> bool {
    let marks = [
        "Error:",
        "error:",
        "ERROR",
        "Exception",
        "Traceback",
        "panicked",
        "FAILED",
        "fatal:",
        "Fatal",
        "not found",
        "失败",
    ];
    code.lines().take(400).any(|line| marks.iter().any(|mark| line.contains(mark)) && !line.contains("throw "))
}
