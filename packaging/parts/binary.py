"""A built binary: its target, read from its header, and the pages that it prints about itself."""
import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path


class Fault(Exception):
    """A fault that the person who builds can mend."""


# The header of each format, as (processor, target).
ELF = {62: "x86_64-unknown-linux", 183: "aarch64-unknown-linux"}
MACH = {0x01000007: "x86_64-apple-darwin", 0x0100000C: "aarch64-apple-darwin"}
PE = {0x8664: "x86_64-pc-windows-msvc"}
INTERPRETER = 3


def target_of(data, name):
    """The Rust target of an executable. An ELF file without an interpreter is static, as those for musl are."""
    target = None
    if data[:5] == b"\x7fELF\x02":
        (machine,) = struct.unpack_from("<H", data, 18)
        (table,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        segments = {struct.unpack_from("<I", data, table + size * index)[0] for index in range(count)}
        libc = "gnu" if INTERPRETER in segments else "musl"
        target = machine in ELF and f"{ELF[machine]}-{libc}"
    elif data[:4] == b"\xcf\xfa\xed\xfe":
        target = MACH.get(struct.unpack_from("<I", data, 4)[0])
    elif data[:2] == b"MZ":
        (header,) = struct.unpack_from("<I", data, 60)
        target = PE.get(struct.unpack_from("<H", data, header + 4)[0])
    if not target:
        raise Fault(f"{name} is not an executable for a target that is packaged")
    return target


@dataclass(frozen=True)
class Binary:
    target: str
    data: bytes

    @classmethod
    def read(cls, path):
        data = Path(path).read_bytes()
        return cls(target_of(data, path), data)

    @property
    def name(self):
        return "reqgate.exe" if "windows" in self.target else "reqgate"

    @property
    def is_static_linux(self):
        return self.target.endswith("-linux-musl")


@dataclass(frozen=True)
class Pages:
    """The man pages, by their file names, and the completions, by the shell."""

    man: dict[str, bytes]
    completions: dict[str, bytes]

    @classmethod
    def printed_by(cls, paths, version):
        for path in paths:
            path = Path(path).resolve()
            try:
                own = subprocess.run([path, "--version"], capture_output=True, check=True).stdout.decode().strip()
            except (OSError, subprocess.CalledProcessError):
                continue
            if own != f"reqgate {version}":
                raise Fault(f"{path} is `{own}`, but Cargo.toml has the version {version}")

            def printed(*words):
                return subprocess.run([path, *words], capture_output=True, check=True).stdout

            commands = re.findall(rb"^reqgate\\-(\w+)\(1\)", printed("man"), re.MULTILINE)
            man = {f"reqgate-{name}.1": printed("man", name) for name in map(bytes.decode, commands) if name != "help"}
            if not man:
                raise Fault(f"the man page of {path} names no commands")
            return cls({"reqgate.1": printed("man"), **man}, {shell: printed("completions", shell) for shell in ("bash", "fish", "zsh", "powershell")})
        raise Fault("this machine can run none of the binaries: name one with --pages that prints the man pages and the completions")

    def in_share(self):
        """The files by their places under `share/` of a prefix."""
        return {
            **{f"man/man1/{name}": page for name, page in self.man.items()},
            "bash-completion/completions/reqgate": self.completions["bash"],
            "zsh/site-functions/_reqgate": self.completions["zsh"],
            "fish/vendor_completions.d/reqgate.fish": self.completions["fish"],
        }
