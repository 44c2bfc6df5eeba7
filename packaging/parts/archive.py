"""The archive of a target, and reproducible .tar.gz files in general."""
import gzip
import io
import tarfile

# The first day of ZIP files, as the time of every packed file.
EPOCH = 315532800


def tar_gz(path, files):
    """Writes files, given as {name: (bytes, is executable)}, without names of users and without times."""
    with path.open("wb") as out, gzip.GzipFile("", "wb", 6, out, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, (data, executable) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), EPOCH, 0o755 if executable else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return path


def write(project, binary, pages, out):
    """The binary is in the root, where the Action, the installers and cargo-binstall expect it."""
    files = {binary.name: (binary.data, True), "README.md": (project.readme().encode(), False)}
    files |= {f"man/{name}": (page, False) for name, page in pages.man.items()}
    files |= {name: (data, False) for name, data in project.licences().items()}
    names = {"bash": "reqgate.bash", "fish": "reqgate.fish", "zsh": "_reqgate", "powershell": "reqgate.ps1"}
    files |= {f"completions/{names[shell]}": (data, False) for shell, data in pages.completions.items()}
    return tar_gz(out / f"reqgate-{project.version}-{binary.target}.tar.gz", files)
