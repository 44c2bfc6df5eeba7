"""The .deb packages of the Linux targets, packed by dpkg-deb."""
import gzip
import os
import shutil
import subprocess
import tempfile
import textwrap
import time
from pathlib import Path

from .archive import EPOCH

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def files(project, binary, pages):
    """The files by their paths. Pages and changelogs are compressed, as Debian's policy asks."""

    def packed(data):
        return gzip.compress(data, 9, mtime=0)

    found = {"usr/bin/reqgate": binary.data, "usr/share/doc/reqgate/changelog.gz": packed(changelog(project).encode())}
    for place, page in pages.in_share().items():
        place = place.replace("zsh/site-functions", "zsh/vendor-completions")
        found["usr/share/" + (place + ".gz" if place.startswith("man/") else place)] = packed(page) if place.startswith("man/") else page
    mit, notice = (project.licences()[name].decode() for name in ("LICENSE-MIT", "NOTICE"))
    copyright = f"Source: {project.repository}\nLicence: {project.licence}\nThe text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n\n{mit}\n{notice}"
    found["usr/share/doc/reqgate/copyright"] = copyright.encode()
    if binary.is_static_linux:
        found["usr/share/lintian/overrides/reqgate"] = b"# One static binary runs on every release of Debian and Ubuntu.\nreqgate: statically-linked-binary\n"
    return found


def maintainer(project):
    return f"{project.owner} <{project.owner}@users.noreply.github.com>"


def changelog(project):
    """In Debian's form, which refers to the changelog of the project."""
    day = time.strftime("%a, %d %b %Y 00:00:00 +0000", time.gmtime(EPOCH))
    return f"reqgate ({debian_version(project)}) stable; urgency=medium\n\n  * {project.repository}/blob/v{project.version}/CHANGELOG.md\n\n -- {maintainer(project)}  {day}\n"


def debian_version(project):
    return project.version.replace("-", "~")


def control(project, binary, size):
    text = textwrap.fill(project.description, 78, initial_indent=" ", subsequent_indent=" ")
    depends = "" if binary.is_static_linux else "Depends: libc6, libgcc-s1\n"
    return (
        f"Package: reqgate\nVersion: {debian_version(project)}\nArchitecture: {ARCHITECTURES[binary.target.split('-')[0]]}\n"
        f"Maintainer: {maintainer(project)}\n{depends}Installed-Size: {size // 1024}\n"
        f"Section: text\nPriority: optional\nHomepage: {project.repository}\n"
        f"Description: {project.summary.lower()}\n{text}\n"
    )


def write(project, binaries, pages, out):
    linux = [binary for binary in binaries if "linux" in binary.target]
    if linux and not shutil.which("dpkg-deb"):
        print("no .deb is made: there is no dpkg-deb here")
        return []
    made = []
    for binary in linux:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder, "root")
            content = files(project, binary, pages)
            content["DEBIAN/control"] = control(project, binary, sum(map(len, content.values()))).encode()
            for place, data in content.items():
                path = root / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            for path in [root, *root.rglob("*")]:
                path.chmod(0o755 if path.is_dir() or path.name == "reqgate" and path.parent.name == "bin" else 0o644)
                os.utime(path, (EPOCH, EPOCH))
            architecture = ARCHITECTURES[binary.target.split("-")[0]]
            path = out / f"reqgate_{project.version}_{architecture}.deb"
            environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
            subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", root, path], check=True, stdout=subprocess.DEVNULL, env=environment)
            made.append(path)
    return made
