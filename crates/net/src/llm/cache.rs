//! Cached answers, so that each is paid for once: one file per answer, named by the hash of the request, bounded in
//! size.
//!
//! A damaged, foreign or truncated file counts as absent. Files contain the parsed answer, never the prompt. The folder
//! can be shared through the cache of a CI service, because its content does not depend on the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Usage;
use reqgate_base::files::{self, Readers, UNFINISHED};
use reqgate_base::hash::Hash;

/// The age at which an unfinished file counts as abandoned.
const STALE: Duration = Duration::from_secs(3_600);
/// The longest entry that is read, in bytes.
const LONGEST: u64 = 16_000_000;

/// A folder of answers with a size limit.
pub(super) struct Cache {
    folder: PathBuf,
    most: u64,
    /// The number of bytes in the folder; counted when the first answer is written.
    size: Mutex<Option<u64>>,
}

/// A stored answer with its check sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    version: u32,
    hash: String,
    /// The SHA-256 over hash and answer; a damaged file counts as absent.
    check: String,
    /// The name that the model itself reported.
    pub model: String,
    /// The tokens that the answer used.
    pub usage: Usage,
    pub answer: Value,
}

impl Entry {
    /// Creates an entry for the answer to the request with this hash.
    pub(super) fn new(hash: &str, model: &str, usage: Usage, answer: Value) -> Self {
        let check = Hash::of_parts([hash, &answer.to_string()]).hex();
        Self { version: 1, hash: hash.to_string(), check, model: model.to_string(), usage, answer }
    }
}

impl Cache {
    /// A cache in `folder` with at most `most` bytes; the folder is not accessed yet.
    pub(super) fn new(folder: &Path, most: u64) -> Self {
        Self { folder: folder.join("answers"), most, size: Mutex::new(None) }
    }

    /// The answer to the request with this hash.
    pub(super) fn get(&self, hash: &str) -> Option<Entry> {
        let path = self.path(hash);
        let entry: Entry = serde_json::from_slice(&files::read(&path, LONGEST).ok()?).ok()?;
        let whole = entry.version == 1
            && entry.hash == hash
            && entry.check == Hash::of_parts([hash, &entry.answer.to_string()]).hex();
        if whole {
            // Used entries are kept longest. If the time cannot be set, this entry is only removed earlier.
            let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        whole.then_some(entry)
    }

    /// Stores an answer. A failure is ignored, because the question can be asked again.
    pub(super) fn put(&self, entry: &Entry) {
        let Ok(text) = serde_json::to_vec(entry) else { return };
        if text.len() as u64 > self.most.min(LONGEST)
            || files::write(&self.path(&entry.hash), &text, Readers::Owner).is_err()
        {
            return;
        }
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        let now = match *size {
            Some(before) => before.saturating_add(text.len() as u64),
            None => self.files().iter().map(|file| file.bytes).sum(),
        };
        *size = Some(if now > self.most { self.shrink() } else { now });
    }

    /// The path has two levels, so that no folder contains too many files.
    fn path(&self, hash: &str) -> PathBuf {
        self.folder.join(hash.get(..2).unwrap_or("__")).join(format!("{hash}.json"))
    }

    /// Removes the least recently used entries until a tenth is free; returns the number of remaining bytes.
    fn shrink(&self) -> u64 {
        let mut files = self.files();
        files.sort_by_key(|file| file.used);
        let mut size: u64 = files.iter().map(|file| file.bytes).sum();
        for file in files {
            if size <= self.most / 10 * 9 {
                break;
            }
            if fs::remove_file(&file.path).is_ok() {
                size = size.saturating_sub(file.bytes);
            }
        }
        size
    }

    fn files(&self) -> Vec<Kept> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        entries.filter_map(|entry| kept(&entry)).collect()
    }
}

struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// A finished file. An unfinished one whose writer was killed is removed.
fn kept(entry: &fs::DirEntry) -> Option<Kept> {
    let about = entry.metadata().ok()?;
    let used = about.modified().ok()?;
    if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
        if used.elapsed().is_ok_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path());
        }
        return None;
    }
    about.is_file().then(|| Kept { path: entry.path(), bytes: about.len(), used })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(question: &str, words: usize) -> Entry {
        let hash = Hash::of_parts([question]).hex();
        Entry::new(&hash, "m", Usage { input_tokens: 1, output_tokens: 2 }, json!({"text": "word ".repeat(words)}))
    }

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), 1_000_000);
        let one = entry("one", 3);
        cache.put(&one);
        assert_eq!(cache.get(&one.hash), Some(one));
        assert_eq!(cache.get(&Hash::of_parts(["two"]).hex()), None);
    }

    #[test]
    fn every_damaged_entry_is_a_miss() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), 1_000_000);
        let one = entry("one", 3);
        cache.put(&one);
        let path = cache.path(&one.hash);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.get(&one.hash), None, "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(&path, &flipped).unwrap();
            let found = cache.get(&one.hash);
            assert!(found.is_none_or(|found| found.answer == one.answer), "flipped at {at}");
        }
    }

    #[test]
    fn it_stays_within_its_size_and_forgets_what_was_used_longest_ago() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), 20_000);
        let old = entry("old", 100);
        cache.put(&old);
        let past = SystemTime::now() - Duration::from_secs(1_000);
        fs::File::options().append(true).open(cache.path(&old.hash)).unwrap().set_modified(past).unwrap();
        (0..60).for_each(|number| cache.put(&entry(&number.to_string(), 100)));
        let size: u64 = cache.files().iter().map(|file| file.bytes).sum();
        assert!(size <= 20_000, "{size}");
        assert!(size > 10_000, "{size}");
        assert_eq!(cache.get(&old.hash), None);
        assert!(cache.get(&Hash::of_parts(["59"]).hex()).is_some());
        cache.put(&entry("too large", 10_000));
        assert_eq!(cache.get(&Hash::of_parts(["too large"]).hex()), None);
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_after_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), 1_000_000);
        let one = entry("one", 3);
        cache.put(&one);
        let left = cache.path(&one.hash).with_file_name(".unfinished-1-1");
        fs::write(&left, b"{").unwrap();
        let past = SystemTime::now() - STALE - Duration::from_secs(1);
        fs::File::options().append(true).open(&left).unwrap().set_modified(past).unwrap();
        Cache::new(folder.path(), 1_000_000).put(&one);
        assert!(!left.exists());
    }
}
