"""The wheel of a target, written from the built binary.

maturin would compile the program a second time to pack it; a wheel with one binary is a ZIP file with three text files besides.
"""
import base64
import hashlib
import zipfile

from .binary import Fault

# A static binary runs with glibc and with musl. `linux_x86_64` is for tries on this machine: PyPI refuses it.
TAGS = {
    "x86_64-unknown-linux-musl": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "x86_64-apple-darwin": "macosx_10_12_x86_64",
    "x86_64-pc-windows-msvc": "win_amd64",
    "x86_64-unknown-linux-gnu": "linux_x86_64",
    "aarch64-unknown-linux-gnu": "linux_aarch64",
}


def metadata(project, licences):
    lines = [
        "Metadata-Version: 2.4",
        "Name: reqgate",
        f"Version: {project.python_version}",
        f"Summary: {project.description}",
        f"Keywords: {','.join(project.keywords)}",
        f"License-Expression: {project.licence}",
        *(f"License-File: {name}" for name in sorted(licences)),
        f"Project-URL: Repository, {project.repository}",
        f"Project-URL: Changelog, {project.repository}/blob/v{project.version}/CHANGELOG.md",
        f"Project-URL: Issues, {project.repository}/issues",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + project.readme()


def write(project, binary, pages, bill, out):
    if binary.target not in TAGS:
        raise Fault(f"no platform tag of a wheel is known for {binary.target}")
    name, tags = f"reqgate-{project.python_version}", TAGS[binary.target]
    licences = project.licences()
    info, data = f"{name}.dist-info", f"{name}.data"
    wheel = "Wheel-Version: 1.0\nGenerator: packaging/build\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    files = {f"{data}/scripts/{binary.name}": binary.data}
    # Windows has no such places.
    if "windows" not in binary.target:
        files |= {f"{data}/data/share/{place}": page for place, page in pages.in_share().items()}
    files |= {f"{info}/licenses/{licence}": text for licence, text in licences.items()}
    files |= {f"{info}/sboms/reqgate.cyclonedx.json": bill, f"{info}/WHEEL": wheel.encode()}
    files |= {f"{info}/METADATA": metadata(project, licences).encode()}

    def digest(content):
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    record = "".join(f"{place},sha256={digest(content)},{len(content)}\n" for place, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(out / f"{name}-py3-none-{tags}.whl", "w") as packed:
        for place, content in files.items():
            entry = zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if "/scripts/" in place else 0o100644) << 16
            packed.writestr(entry, content, zipfile.ZIP_DEFLATED, 6)
