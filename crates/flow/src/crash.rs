//! The points at which a process can die between two durable facts. Tests end the process at each of them.
//!
//! In builds without debug assertions, such as releases, these points are left out.

/// Marks a place where a process can die between two durable facts.
macro_rules! boundary {
    ($name:literal) => {
        #[cfg(debug_assertions)]
        $crate::crash::reached($name);
    };
}

pub(crate) use boundary;

/// Counts the points that are reached and ends the process at the one with the number `REQGATE_CRASH_AT`. With
/// `REQGATE_CRASH_LOG`, the names of the reached points are appended to that file.
#[cfg(debug_assertions)]
pub(crate) fn reached(name: &str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static COUNT: AtomicU64 = AtomicU64::new(0);
    static AT: OnceLock<Option<u64>> = OnceLock::new();
    static LOG: OnceLock<Option<std::path::PathBuf>> = OnceLock::new();

    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    if let Some(path) = LOG.get_or_init(|| std::env::var_os("REQGATE_CRASH_LOG").map(Into::into))
        && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        use std::io::Write as _;
        // If the log cannot be written, it has no boundaries, and the test that reads it fails.
        let _ = writeln!(file, "{name}");
    }
    let at = AT.get_or_init(|| std::env::var("REQGATE_CRASH_AT").ok().and_then(|number| number.parse().ok()));
    if *at == Some(count) {
        // As with SIGKILL, no destructor runs and no buffer is flushed.
        std::process::abort();
    }
}
