"""The folder from which the container image is built: the Dockerfile, and the static binary of each processor."""
import shutil

from .deb import ARCHITECTURES
from .project import ROOT


def write(binaries, out):
    static = [binary for binary in binaries if binary.is_static_linux]
    for binary in static:
        path = out / ARCHITECTURES[binary.target.split("-")[0]] / "reqgate"
        path.parent.mkdir(parents=True)
        path.write_bytes(binary.data)
        path.chmod(0o755)
    if static:
        shutil.copy(ROOT / "packaging/container/Dockerfile", out)
