//! Creates a PDF with an installed program: a browser prints the page of a document, or else Typst typesets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use reqgate::files;
use reqgate::prd::team::export;

use super::exit::{self, Failure};

/// The names of the browsers that can print, in the order of the search.
const BROWSERS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell"];
/// The maximum duration of a program.
const LONGEST_PRINT: Duration = Duration::from_secs(60);
/// Parts of the names of fonts with Chinese characters. Typst has none built in, and omits characters without a font
/// silently.
const CHINESE_FONTS: [&str; 14] = [
    "cjk",
    "han sans",
    "han serif",
    "sans sc",
    "serif sc",
    "hei",
    "song",
    "simsun",
    "kai",
    "fang",
    "ming",
    "wenquanyi",
    "fallback",
    "unifont",
];

/// A program that creates PDFs.
enum Printer {
    Browser(PathBuf),
    Typst(PathBuf),
}

/// Writes the PDF of a document; `name` is its title if it has none.
///
/// # Errors
/// Fails if no program is found, or if it creates no PDF.
pub(super) fn write(text: &str, name: &str, output: &Path, browser: Option<&Path>) -> Result<u8, Failure> {
    let bytes = made(text, name, browser)?;
    files::write(output, &bytes, files::Readers::Everyone)
        .map_err(|error| Failure::writing(&format!("`{}`", output.display()), &error))?;
    Ok(exit::PASS)
}

/// Creates the PDF of a document.
///
/// # Errors
/// As [`write`], apart from writing.
pub(super) fn made(text: &str, name: &str, browser: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let world = |error: io::Error| Failure::World(format!("making the PDF: {error}"));
    let printer = printer(browser)?;
    // Only its owner can read or change the files in it, and it is deleted at the end.
    let folder = files::temporary_folder("reqgate-export-", None).map_err(world)?;
    let made = folder.path().join("prd.pdf");
    let errors = folder.path().join("errors.txt");
    let (program, mut command) = match &printer {
        Printer::Browser(program) => {
            let source = folder.path().join("prd.html");
            let page =
                export::html(text, name).map_err(|error| Failure::World(format!("writing the page: {error}")))?;
            fs::write(&source, page).map_err(world)?;
            (program, browser_command(program, folder.path(), &source, &made))
        }
        Printer::Typst(program) => {
            if export::is_chinese(text) && !has_chinese_font(program)? {
                return Err(Failure::World(
                    "Typst finds no font with Chinese characters: install one, such as Noto Sans CJK".to_owned(),
                ));
            }
            let source = folder.path().join("prd.typ");
            fs::write(&source, export::typst(text, name)).map_err(world)?;
            let mut command = Command::new(program);
            command.arg("compile").arg("--root").arg(folder.path()).args([&source, &made]);
            (program, command)
        }
    };
    finished(&mut command, program, &errors)?;
    let bytes = fs::read(&made).unwrap_or_default();
    if !bytes.starts_with(b"%PDF-") {
        let said = fs::read_to_string(&errors).unwrap_or_default();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("no message");
        return Err(Failure::World(format!("`{}` made no PDF: {last}", program.display())));
    }
    Ok(bytes)
}

fn printer(browser: Option<&Path>) -> Result<Printer, Failure> {
    match browser {
        // A bare name would be searched on the path.
        Some(path) if path.is_file() && path.components().count() == 1 => {
            Ok(Printer::Browser(Path::new(".").join(path)))
        }
        Some(path) if path.is_file() => Ok(Printer::Browser(path.to_owned())),
        Some(path) => Err(Failure::usage(format!("the browser `{}` does not exist", path.display()))),
        None => installed(&BROWSERS)
            .map(Printer::Browser)
            .or_else(|| installed(&["typst"]).map(Printer::Typst))
            .ok_or_else(|| {
                Failure::World(
                    "no browser found to make the PDF, and no Typst: install Chromium, Chrome or Typst, or name a \
                     browser with --chromium PATH; or use --format html and print the page"
                        .to_owned(),
                )
            }),
    }
}

/// The command of a browser with a separate profile and without the network.
fn browser_command(browser: &Path, folder: &Path, source: &Path, made: &Path) -> Command {
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
        .arg(with("--print-to-pdf=", made));
    if is_root() {
        // Chromium refuses to run as root with its sandbox. The page has no script and loads no other file.
        command.arg("--no-sandbox");
    }
    command.arg(source);
    command
}

/// Returns true if Typst finds a font with Chinese characters.
fn has_chinese_font(typst: &Path) -> Result<bool, Failure> {
    let listed = Command::new(typst).arg("fonts").stdin(Stdio::null()).output();
    let listed = listed.map_err(|error| Failure::World(format!("running `{}`: {error}", typst.display())))?;
    let names = String::from_utf8_lossy(&listed.stdout).to_lowercase();
    Ok(CHINESE_FONTS.iter().any(|part| names.contains(part)))
}

/// Runs a program without a shell until it ends.
fn finished(command: &mut Command, program: &Path, errors: &Path) -> Result<(), Failure> {
    let said = |error: io::Error| Failure::World(format!("running `{}`: {error}", program.display()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(errors).map_err(said)?);
    let mut child = command.spawn().map_err(said)?;
    let started = Instant::now();
    while child.try_wait().map_err(said)?.is_none() {
        if started.elapsed() > LONGEST_PRINT {
            let _ = child.kill();
            let _ = child.wait();
            let seconds = LONGEST_PRINT.as_secs();
            return Err(Failure::World(format!("`{}` made no PDF within {seconds} seconds", program.display())));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The first of these programs on the path.
fn installed(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Returns true for the superuser, which is common in containers.
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
