"""The packages of npm: one for each platform, and `reqgate`, which starts the one that npm has chosen."""
import json

from .archive import tar_gz
from .project import ROOT

# The names of Node for system and processor.
SYSTEMS = {"linux": "linux", "darwin": "darwin", "windows": "win32"}
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}


def platform(binary):
    processor, _, system = binary.target.split("-")[:3]
    return SYSTEMS[system], PROCESSORS[processor]


def write(project, binaries, out):
    common = {
        "version": project.version,
        "description": project.description,
        "license": project.licence,
        # The provenance is only accepted from this repository.
        "repository": {"type": "git", "url": f"git+{project.repository}.git"},
        "homepage": project.repository,
    }
    licences = {name: (text, False) for name, text in project.licences().items()}

    def pack(name, manifest, files):
        manifest = json.dumps({"name": name, **common, **manifest}, indent=2) + "\n"
        files = {"package.json": (manifest.encode(), False), **licences, **files}
        file = name.removeprefix("@").replace("/", "-") + f"-{project.version}.tgz"
        tar_gz(out / file, {f"package/{place}": content for place, content in files.items()})

    platforms = {}
    for binary in binaries:
        system, processor = platform(binary)
        name = f"@reqgate/cli-{system}-{processor}"
        platforms[name] = project.version
        readme = f"The reqgate binary for {system} on {processor}. Install the package `reqgate` instead.\n"
        files = {binary.name: (binary.data, True), "README.md": (readme.encode(), False)}
        # A package for one libc must not be taken for the other; a static binary serves both.
        libc = {"libc": ["glibc"]} if binary.target.endswith("gnu") else {}
        pack(name, {"os": [system], "cpu": [processor], **libc, "preferUnplugged": True}, files)
    launcher = (ROOT / "packaging/npm/reqgate.js").read_bytes()
    manifest = {
        "keywords": list(project.keywords),
        "bin": {"reqgate": "bin/reqgate.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": dict(sorted(platforms.items())),
    }
    pack("reqgate", manifest, {"bin/reqgate.js": (launcher, True), "README.md": (project.readme().encode(), False)})
