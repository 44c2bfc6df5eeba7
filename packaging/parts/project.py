"""The facts about the project that every package states, read from Cargo.toml."""
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from .binary import Fault

ROOT = Path(__file__).resolve().parents[2]
# In every package, as the licences ask for it.
LICENCES = ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE")


@dataclass(frozen=True)
class Project:
    version: str
    description: str
    licence: str
    repository: str
    keywords: tuple[str, ...]

    @classmethod
    def read(cls):
        manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
        common, package = manifest["workspace"]["package"], manifest["package"]

        def field(name):
            own = package.get(name)
            value = common.get(name) if own is None or isinstance(own, dict) else own
            if value is None:
                raise Fault(f"Cargo.toml has no `{name}` in [package] or [workspace.package]")
            return value

        return cls(field("version"), field("description"), field("license"), field("repository").rstrip("/"), tuple(field("keywords")))

    @property
    def owner(self):
        return self.repository.split("/")[-2]

    @property
    def summary(self):
        """The first part of the description, as package lists show it."""
        words = self.description.split(":")[0].removeprefix("The ")
        return words[0].upper() + words[1:]

    @property
    def python_version(self):
        """The version as PEP 440 spells it: 1.0.0-rc.1 is 1.0.0rc1."""
        number, _, early = self.version.partition("-")
        if not early:
            return number
        match = re.fullmatch(r"(alpha|beta|rc)\.(\d+)", early)
        if not match:
            raise Fault(f"the version {self.version} has no form on PyPI: use -alpha.N, -beta.N or -rc.N")
        return number + {"alpha": "a", "beta": "b", "rc": "rc"}[match[1]] + match[2]

    def downloads(self):
        return f"{self.repository}/releases/download/v{self.version}"

    def readme(self):
        """README.md for a page outside the repository: its links lead to this version."""
        text = (ROOT / "README.md").read_text()
        return re.sub(r"\]\((?![a-z]+:|#)", f"]({self.repository}/blob/v{self.version}/", text)

    def licences(self):
        return {name: (ROOT / name).read_bytes() for name in LICENCES}
