"""The bill of materials: each crate in the binary with version, licence, address and checksum, as CycloneDX 1.5.

It is made of `cargo tree` and Cargo.lock, so the release needs no further tool. Crates of all packaged targets are listed.
"""
import json
import re
import subprocess
import tomllib
import uuid

from .binary import Fault
from .project import ROOT


def crates(target):
    command = ["cargo", "tree", "--locked", "--package", "reqgate", "--edges", "normal", "--prefix", "none", "--target", target, "--format", "{p}\t{l}"]
    try:
        printed = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, text=True).stdout
    except FileNotFoundError:
        raise Fault("there is no cargo here, which lists the dependencies for the SBOM") from None
    except subprocess.CalledProcessError as fault:
        raise Fault(f"cargo cannot list the dependencies for the SBOM: {fault.stderr.strip()}") from None
    for line in printed.splitlines():
        # A line that appeared before ends with (*).
        package, licence = line.removesuffix(" (*)").split("\t")
        name, version = package.split(" ")[:2]
        yield name, version.removeprefix("v"), licence.removesuffix(" (*)")


def write(project, binaries, out):
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    components = []
    for name, version, licence in sorted({crate for binary in binaries for crate in crates(binary.target)}):
        if name == "reqgate":
            continue
        part = {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version}
        if sums[name, version]:
            part |= {"purl": f"pkg:cargo/{name}@{version}", "hashes": [{"alg": "SHA-256", "content": sums[name, version]}]}
        if licence:
            part["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", licence)}]
        components.append(part)
    itself = {
        "type": "application",
        "bom-ref": "reqgate",
        "name": "reqgate",
        "version": project.version,
        "licenses": [{"expression": project.licence}],
        "externalReferences": [{"type": "vcs", "url": project.repository}],
    }
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": itself}, "components": components}
    # Its number follows from its content, so that the same input gives the same bytes.
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill))}"
    text = (json.dumps(bill, indent=1) + "\n").encode()
    (out / f"reqgate-{project.version}.cdx.json").write_bytes(text)
    return text
