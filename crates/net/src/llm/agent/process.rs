//! Runs a program with a deadline and an output limit, and ends all of its processes.
//!
//! The program leads a separate process group. If it does not end by itself, its group receives TERM. When it has
//! ended, at the latest two seconds later, the rest of the group is ended by KILL. If this process itself is killed, a
//! watch process does the same. A process that leaves its group escapes both.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time between TERM and KILL.
const GRACE: Duration = Duration::from_secs(2);
/// The longest interval between two checks of a running program.
const LOOK: Duration = Duration::from_millis(20);
/// The most bytes of the error output that are read, from its end.
const MOST_COMPLAINT: u64 = 4_096;

/// The outcome of a program.
#[derive(Debug)]
pub(super) enum Ended {
    /// The program ended by itself.
    Exited {
        /// The exit code; `None` if a signal ended it.
        code: Option<i32>,
        /// The standard output of the program.
        output: Vec<u8>,
        /// The end of its error output.
        complaint: String,
    },
    /// The program reached its deadline.
    TooLong,
    /// The program exceeded its output limit.
    TooMuch,
}

/// Runs a program until it ends, `until` is reached, or it has printed more than `most` bytes.
///
/// Its input is a file and not a pipe, because some programs wait for the end of a pipe forever. Its outputs are files,
/// too, because a process that the program leaves running could hold a pipe open.
///
/// # Errors
/// Returns an error if the program cannot be started.
pub(super) fn run(mut command: Command, input: Option<&str>, until: Instant, most: u64) -> io::Result<Ended> {
    let stdin = match input {
        Some(text) => {
            let mut file = tempfile::tempfile()?;
            file.write_all(text.as_bytes())?;
            file.seek(SeekFrom::Start(0))?;
            Stdio::from(file)
        }
        None => Stdio::null(),
    };
    let (output, complaint) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(stdin).stdout(output.try_clone()?).stderr(complaint.try_clone()?);
    let mut group = Group::start(&mut command)?;
    let mut wait = Duration::from_millis(1);
    loop {
        let is_over = group.is_over();
        if output.metadata()?.len() > most || complaint.metadata()?.len() > most {
            return Ok(Ended::TooMuch);
        }
        if is_over {
            let code = group.end()?;
            let output = bytes_from(&output, 0, most)?;
            let start = complaint.metadata()?.len().saturating_sub(MOST_COMPLAINT);
            let complaint = String::from_utf8_lossy(&bytes_from(&complaint, start, MOST_COMPLAINT)?).into_owned();
            return Ok(Ended::Exited { code, output, complaint });
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Ended::TooLong);
        }
        std::thread::sleep(wait.min(left));
        wait = (wait * 2).min(LOOK);
    }
}

/// Reads the bytes of a file from `start`, because the program has moved the file's position.
fn bytes_from(mut file: &File, start: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A started program with its process group, which is ended when this value is dropped.
struct Group {
    child: Child,
    watch: Option<Child>,
    code: Option<Option<i32>>,
}

impl Group {
    /// Ends the group and returns the exit code of the program.
    fn end(mut self) -> io::Result<Option<i32>> {
        self.stop();
        Ok(self.code.flatten())
    }

    fn stop(&mut self) {
        if self.code.is_some() {
            return;
        }
        self.signal_all();
        // The watch is ended first: after the program is reaped, the number of the group may belong to another process.
        if let Some(watch) = &mut self.watch {
            let _ = watch.kill();
            let _ = watch.wait();
        }
        let status = self.child.wait();
        self.code = Some(status.ok().and_then(|status| status.code()));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::process::CommandExt;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use super::*;

    /// Waits for the end of this process, which closes the input, and then ends the group.
    const WATCH: &str = "read -r _; kill -s TERM -- \"-$1\"; sleep 2; kill -s KILL -- \"-$1\"";

    impl Group {
        pub(super) fn start(command: &mut Command) -> io::Result<Self> {
            let child = command.process_group(0).spawn()?;
            let mut watch = Command::new("/bin/sh");
            watch.args(["-c", WATCH, "reqgate", &child.id().to_string()]).env_clear().env("PATH", "/usr/bin:/bin");
            watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
            // Systems without a shell have no watch.
            Ok(Self { watch: watch.spawn().ok(), child, code: None })
        }

        /// Returns true if the program has ended. It is not reaped, so that its number remains that of the group.
        pub(super) fn is_over(&mut self) -> bool {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
        }

        /// Ends every process of the group.
        pub(super) fn signal_all(&mut self) {
            let group = Pid::from_child(&self.child);
            if !self.is_over() {
                // An error means that no process is left.
                let _ = kill_process_group(group, Signal::TERM);
                let until = Instant::now() + GRACE;
                while !self.is_over() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
impl Group {
    fn start(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.spawn()?, watch: None, code: None })
    }

    fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends only the program, because its child processes are unknown on this system.
    fn signal_all(&mut self) {
        let _ = self.child.kill();
    }
}
