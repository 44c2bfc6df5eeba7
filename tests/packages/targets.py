#!/usr/bin/env python3
"""Packs headers of executables for all targets of the release, and checks that each package says what it is for.

    targets.py REQGATE WORK
"""
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

reqgate, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
root = Path(__file__).resolve().parents[2]
work.mkdir(parents=True)


def elf(machine, segment):
    """A header with one segment; an interpreter is segment 3."""
    header = struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 2, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("<I52x", segment)


EXECUTABLES = {
    "x86_64-unknown-linux-musl": elf(62, 1),
    "aarch64-unknown-linux-musl": elf(183, 1),
    "x86_64-apple-darwin": struct.pack("<II", 0xFEEDFACF, 0x01000007),
    "aarch64-apple-darwin": struct.pack("<II", 0xFEEDFACF, 0x0100000C),
    "x86_64-pc-windows-msvc": b"MZ" + bytes(58) + struct.pack("<I4sH", 64, b"PE\0\0", 0x8664),
}
# Per target: the wheel, the package of npm, the .deb, and the answers of `uname -s` and `uname -m`.
EXPECTED = {
    "x86_64-unknown-linux-musl": ("manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux-x64", "amd64", ("Linux", "x86_64")),
    "aarch64-unknown-linux-musl": ("manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux-arm64", "arm64", ("Linux", "aarch64")),
    "x86_64-apple-darwin": ("macosx_10_12_x86_64", "darwin-x64", None, ("Darwin", "x86_64")),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin-arm64", None, ("Darwin", "arm64")),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32-x64", None, None),
}
released = re.findall(r"\{ target: ([^,]+),", (root / ".github/workflows/release.yml").read_text())
assert set(released) == set(EXPECTED), f"the release builds {released}"


def build(out, *files):
    return subprocess.run([root / "packaging/build", *files, out, "--pages", reqgate], capture_output=True, text=True)


files = []
for target, data in EXECUTABLES.items():
    files.append(work / f"{target}.bin")
    files[-1].write_bytes(data)
out = work / "dist"
for attempt in (out, work / "again"):
    ran = build(attempt, *files)
    assert ran.returncode == 0, ran.stderr
same = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
again = {path.relative_to(work / "again"): path.read_bytes() for path in (work / "again").rglob("*") if path.is_file()}
different = [str(path) for path in same if same[path] != again.get(path)]
assert not different and same.keys() == again.keys(), f"two builds differ in {different}"

version = re.search(r'^version = "(.*)"$', (root / "Cargo.toml").read_text(), re.MULTILINE)[1]
formula = (out / "reqgate.rb").read_text()
with tarfile.open(out / f"npm/reqgate-{version}.tgz") as wrapper:
    chosen = json.load(wrapper.extractfile("package/package.json"))["optionalDependencies"]
fake = work / "fake"
fake.mkdir()
for target, (tag, npm, deb, answers) in EXPECTED.items():
    archive = f"reqgate-{version}-{target}.tar.gz"
    name = "reqgate.exe" if "windows" in target else "reqgate"
    with tarfile.open(out / archive) as packed:
        assert packed.extractfile(name).read() == EXECUTABLES[target], archive
        assert packed.getmember(name).mode == 0o755 and {"man/reqgate.1", "completions/_reqgate", "LICENSE-MIT"} <= set(packed.getnames()), archive
    assert (archive in formula) == ("windows" not in target), f"formula: {target}"
    wheel = out / f"wheels/reqgate-{version}-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel) as packed:
        assert packed.read(f"reqgate-{version}.data/scripts/{name}") == EXECUTABLES[target], wheel.name
    assert chosen.get(f"@reqgate/cli-{npm}") == version, f"npm: {npm}"
    with tarfile.open(out / f"npm/reqgate-cli-{npm}-{version}.tgz") as packed:
        manifest = json.load(packed.extractfile("package/package.json"))
        assert [*manifest["os"], *manifest["cpu"]] == npm.split("-") and "scripts" not in manifest and "libc" not in manifest, npm
    if deb:
        assert (out / f"reqgate_{version}_{deb}.deb").exists() and (out / f"container/{deb}/reqgate").exists(), deb
    if answers:
        # install.sh finds the archive of this system; a header does not run, so it is not installed.
        for tool, answer in (("uname", f'[ "$1" = -s ] && echo {answers[0]} || echo {answers[1]}'), ("sysctl", "exit 1")):
            (fake / tool).write_text(f"#!/bin/sh\n{answer}\n")
            (fake / tool).chmod(0o755)
        environment = {**os.environ, "PATH": f"{fake}:{os.environ['PATH']}", "REQGATE_INSTALL_DIR": str(work / "bin"), "REQGATE_DOWNLOAD_URL": f"file://{out}"}
        ran = subprocess.run(["sh", out / "install.sh"], capture_output=True, text=True, env=environment)
        assert ran.returncode == 1 and f"the binary of {archive} does not run" in ran.stderr and not any((work / "bin").iterdir()), ran.stderr

# Faults that would make wrong packages.
other = work / "other.bin"
other.write_bytes(b"#!/bin/sh\n")
twice = work / "twice.bin"
twice.write_bytes(EXECUTABLES["x86_64-apple-darwin"])
for wrong, words in (((other,), "is not an executable for a target"), ((files[2], twice), "have the same target")):
    ran = build(work / "wrong", *wrong)
    assert ran.returncode == 1 and words in ran.stderr and "Traceback" not in ran.stderr, ran.stderr
ran = subprocess.run([root / "packaging/build", files[0], work / "wrong"], capture_output=True, text=True)
assert ran.returncode == 1 and "name one with --pages" in ran.stderr, ran.stderr
mine = work / "mine"
mine.mkdir()
(mine / "kept").write_text("")
assert "holds other files" in build(mine, files[0]).stderr and (mine / "kept").exists()
