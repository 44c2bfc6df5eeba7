//! `reqgate export`: a PRD in Markdown as a page, as a PDF, as data, or in the standard layout.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use reqgate::files;
use reqgate::prd::prd_text::in_standard_layout;
use reqgate::prd::team::document::{self, Fault};
use reqgate::prd::team::export;

use super::arguments::{ExportArguments, ExportFormat};
use super::exit::{self, Failure};
use super::outputs;

/// The largest document that is read, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The names of the browsers that print, in the order in which they are looked for.
const BROWSERS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell"];
/// The time that a browser may take.
const LONGEST_PRINT: Duration = Duration::from_secs(60);

/// Runs the command.
pub fn run(arguments: &ExportArguments) -> Result<u8, Failure> {
    let name = arguments.path.display().to_string();
    let text = if arguments.path == Path::new("-") { standard_input()? } else { read(&arguments.path, &name)? };
    let output = arguments.output.as_deref();
    if let Some(output) = output.filter(|output| is_same_file(output, &arguments.path)) {
        return Err(outputs::read_and_written(output));
    }
    let written = match format(arguments)? {
        ExportFormat::Html => page(&text, &arguments.path)?,
        ExportFormat::Json => {
            let exported = export::export(&standard(&text)).map_err(|faults| refused(&name, &faults))?;
            let json = serde_json::to_string_pretty(&exported);
            json.map_err(|error| Failure::World(format!("writing the document: {error}")))? + "\n"
        }
        ExportFormat::Markdown => {
            let read = document::parse(&standard(&text)).map_err(|faults| refused(&name, &faults.0))?;
            document::render(&read)
        }
        ExportFormat::Pdf => {
            let output = output.ok_or_else(|| Failure::usage("a PDF needs a file: add --output prd.pdf"))?;
            return pdf(&page(&text, &arguments.path)?, output, arguments.chromium.as_deref());
        }
    };
    match output {
        Some(path) => outputs::write_whole(path, &written)?,
        None => outputs::print(&written)?,
    }
    Ok(exit::PASS)
}

/// A PRD of `reqgate prd` in the standard layout; any other text as it is.
fn standard(text: &str) -> Cow<'_, str> {
    in_standard_layout(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The format that was asked for or that the file's name ends in. A page is nothing to read on a terminal.
fn format(arguments: &ExportArguments) -> Result<ExportFormat, Failure> {
    let ending = arguments.output.as_deref().and_then(ExportFormat::of_ending);
    match (arguments.format, ending) {
        (Some(asked), Some(ending))
            if asked != ending && (asked == ExportFormat::Pdf || ending == ExportFormat::Pdf) =>
        {
            let output = arguments.output.as_deref().unwrap_or(Path::new("")).display();
            Err(Failure::usage(format!(
                "`{output}` does not end as --format says: leave --format out, or rename the file"
            )))
        }
        (None | Some(ExportFormat::Html), None) if arguments.output.is_none() && io::stdout().is_terminal() => Err(
            Failure::usage("a page is not for a terminal: add --output prd.html, or --format markdown to read it here"),
        ),
        (asked, ending) => Ok(asked.or(ending).unwrap_or(ExportFormat::Html)),
    }
}

fn read(path: &Path, name: &str) -> Result<String, Failure> {
    files::text(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("`{name}` does not exist")),
        _ if path.is_dir() => {
            Failure::usage(format!("`{name}` is a folder: name the PRD in it, such as {name}/prd.md"))
        }
        _ => Failure::usage(format!("reading `{name}`: {error}")),
    })
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_string(&mut text);
    match read {
        Ok(length) if length as u64 > MOST_BYTES => Err(Failure::usage("standard input is longer than 8 MB")),
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::usage(format!("reading standard input: {error}"))),
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The message that a document has faults, each with its line.
fn refused(name: &str, faults: &[Fault]) -> Failure {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{name}:{}: {}", fault.line, fault.kind)).collect();
    Failure::usage(lines.join("\n"))
}

fn page(text: &str, path: &Path) -> Result<String, Failure> {
    let name = path.file_name().unwrap_or(OsStr::new("PRD")).to_string_lossy();
    export::html(text, &name).map_err(|error| Failure::World(format!("writing the page: {error}")))
}

/// Prints a page into a file, with a browser that is installed.
fn pdf(page: &str, output: &Path, browser: Option<&Path>) -> Result<u8, Failure> {
    let browser = match browser {
        // A bare name would be looked for on the path.
        Some(path) if path.is_file() && path.components().count() == 1 => Path::new(".").join(path),
        Some(path) if path.is_file() => path.to_owned(),
        Some(path) => return Err(Failure::usage(format!("the browser `{}` does not exist", path.display()))),
        None => installed().ok_or_else(|| {
            Failure::World(
                "no browser found to make the PDF: install Chromium or Chrome, or name one with --chromium PATH; or use \
                 --format html and print the page"
                    .to_owned(),
            )
        })?,
    };
    let world = |error: io::Error| Failure::World(format!("making the PDF: {error}"));
    // Only its owner can read or change what lies there, and it is deleted at the end.
    let folder = tempfile::Builder::new().prefix("reqgate-export-").tempdir().map_err(world)?;
    let (source, made) = (folder.path().join("prd.html"), folder.path().join("prd.pdf"));
    fs::write(&source, page).map_err(world)?;
    let errors = folder.path().join("errors.txt");
    print_with(&browser, folder.path(), &source, &made, &errors)?;
    let bytes = fs::read(&made).unwrap_or_default();
    if !bytes.starts_with(b"%PDF-") {
        let said = fs::read_to_string(&errors).unwrap_or_default();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("no message");
        return Err(Failure::World(format!("`{}` made no PDF: {last}", browser.display())));
    }
    files::write(output, &bytes, files::Readers::Everyone)
        .map_err(|error| Failure::writing(&format!("`{}`", output.display()), &error))?;
    Ok(exit::PASS)
}

/// Runs the browser on the page, without a shell, with a profile of its own and without the network.
fn print_with(browser: &Path, folder: &Path, source: &Path, made: &Path, errors: &Path) -> Result<(), Failure> {
    let said = |error: io::Error| Failure::World(format!("running `{}`: {error}", browser.display()));
    let with = |flag: &str, path: &Path| {
        let mut argument = std::ffi::OsString::from(flag);
        argument.push(path);
        argument
    };
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--disable-gpu", "--disable-extensions", "--no-first-run", "--no-pdf-header-footer"])
        .args(["--disable-background-networking", "--proxy-server=127.0.0.1:9"])
        .arg(with("--user-data-dir=", &folder.join("profile")))
        .arg(with("--print-to-pdf=", made))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(errors).map_err(said)?);
    if is_root() {
        // Chromium refuses to run as root with its sandbox. The page has no script and loads nothing.
        command.arg("--no-sandbox");
    }
    let mut child = command.arg(source).spawn().map_err(said)?;
    let started = Instant::now();
    while child.try_wait().map_err(said)?.is_none() {
        if started.elapsed() > LONGEST_PRINT {
            let _ = child.kill();
            let _ = child.wait();
            let seconds = LONGEST_PRINT.as_secs();
            return Err(Failure::World(format!("`{}` made no PDF within {seconds} seconds", browser.display())));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The first browser on the path.
fn installed() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let places = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// True for the superuser, as often in containers.
fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(unix))]
    {
        false
    }
}
