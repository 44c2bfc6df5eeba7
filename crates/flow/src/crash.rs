//! The places where a process can die between two facts that outlive it, so that tests can let it die at each of them.
//!
//! In builds without debug assertions, which are those that people use, nothing of this is there.

/// Marks a place where a process can die between two durable facts.
macro_rules! boundary {
    ($name:literal) => {
        #[cfg(debug_assertions)]
        $crate::crash::reached($name);
    };
}

pub(crate) use boundary;

/// Counts the places that are reached, and ends the process at the one whose number is in `REQGATE_CRASH_AT`; with
/// `REQGATE_CRASH_LOG`, the names of those reached are appended to that file.
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
        // A log that cannot be written shows as a sweep without boundaries, which its test refuses.
        let _ = writeln!(file, "{name}");
    }
    let at = AT.get_or_init(|| std::env::var("REQGATE_CRASH_AT").ok().and_then(|number| number.parse().ok()));
    if *at == Some(count) {
        // No destructor runs and nothing is flushed, as with SIGKILL.
        std::process::abort();
    }
}
