"""The text files of a release: checksums, installers, Homebrew formula, and the repository of the pre-commit hook."""
import hashlib
import shutil

from .project import ROOT


def filled(name, values):
    text = (ROOT / "packaging" / name).read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def formula_places(project, sums):
    """The archive of each system and processor, in the language of Homebrew."""
    lines = []
    for system, part in (("macos", "-apple-darwin"), ("linux", "-unknown-linux-")):
        places = {"arm": f"aarch64{part}", "intel": f"x86_64{part}"}
        found = {processor: name for processor, place in places.items() for name in sums if place in name}
        if not found:
            continue
        lines.append(f"  on_{system} do")
        for processor, name in found.items():
            lines += [f"    on_{processor} do", f'      url "{project.downloads()}/{name}"', f'      sha256 "{sums[name]}"', "    end"]
        lines += ["  end", ""]
    return "\n".join(lines)


def write(project, archives, debs, out):
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted([*archives, *debs])}
    (out / "checksums.txt").write_text("".join(f"{sum}  {name}\n" for name, sum in sums.items()))
    sums = {name: sum for name, sum in sums.items() if name.endswith(".tar.gz")}
    values = {
        "VERSION": project.version,
        "PYTHON_VERSION": project.python_version,
        "REPOSITORY": project.repository,
        "DOWNLOADS": project.downloads(),
        "CHECKSUMS": "\n".join(f"{sum}  {name}" for name, sum in sums.items()),
        "SUMMARY": project.summary,
        "LICENCES": ", ".join(f'"{licence}"' for licence in project.licence.split(" OR ")),
        "PLACES": formula_places(project, sums),
    }
    for name, target in (("install.sh", "install.sh"), ("install.ps1", "install.ps1"), ("homebrew.rb", "reqgate.rb")):
        (out / target).write_text(filled(name, values))
    (out / "install.sh").chmod(0o755)
    mirror = out / "pre-commit"
    shutil.copytree(ROOT / "packaging/pre-commit", mirror)
    for name in ("pyproject.toml", "README.md"):
        (mirror / name).write_text(filled(f"pre-commit/{name}", values))
