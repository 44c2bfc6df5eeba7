"""How the binary arrives: what was named, what is here, what the tag vouches for, what this commit says, or a clear no."""
import hashlib
import http.server
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import threading
import unittest

from base import READY, READY_TITLE, Case
from world import ACTION, BINARY, CLEAN

FAKE = "#!/bin/sh\necho 'reqgate 0.1.0'\n"


class Install(unittest.TestCase):
    """install.sh by itself, with a server of releases of our own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reqgate-install-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.action = self.folder / "action"
        shutil.copytree(f"{ACTION}/action", self.action)
        shutil.copy(f"{ACTION}/Cargo.toml", self.folder)
        (self.folder / "temp").mkdir()
        (self.folder / "releases").mkdir()
        served = self.served = []
        folder = str(self.folder / "releases")

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def log_message(self, *_):
                pass

            def do_GET(self):
                served.append(self.path)
                super().do_GET()

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.base = f"http://127.0.0.1:{server.server_port}"

    def run_it(self, path=None, folder=None, **variables):
        output = self.folder / "output"
        output.unlink(missing_ok=True)
        environment = {"PATH": path or CLEAN["PATH"], "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_OUTPUT": str(output),
                       "RUNNER_TOOL_CACHE": str(self.folder / "cache"), "REQGATE_DOWNLOAD_BASE": self.base,
                       "REQGATE_INSTALL_REPOSITORY": "acme/reqgate", **variables}
        done = subprocess.run(["bash", self.action / "install.sh"], env=environment, capture_output=True, text=True,
                              timeout=120, cwd=folder)
        told = output.read_text().strip() if output.exists() else ""
        return done.returncode, done.stdout + done.stderr, told.removeprefix("bin=")

    def release(self, version="0.1.0"):
        name = f"reqgate-{version}-{os.uname().machine}-unknown-linux-musl.tar.gz"
        place = self.folder / f"releases/acme/reqgate/releases/download/v{version}"
        place.mkdir(parents=True)
        program = self.folder / "reqgate"
        program.write_text(FAKE)
        program.chmod(0o755)
        with tarfile.open(place / name, "w:gz") as archive:
            archive.add(program, "reqgate")
        digest = hashlib.sha256((place / name).read_bytes()).hexdigest()
        with open(self.action / "checksums.txt", "a") as file:
            file.write(f"{digest}  {name}\n")
        return place / name

    def no_cargo(self):
        """A PATH with the tools of any runner and without cargo."""
        folder = self.folder / "bin"
        folder.mkdir()
        for tool in ("bash", "sed", "head", "awk", "cut", "uname", "mktemp", "rm", "mkdir", "cp", "mv", "tar", "gzip", "chmod",
                     "sha256sum", "curl", "cksum", "dirname", "basename", "cat", "sh"):
            (folder / tool).symlink_to(shutil.which(tool))
        return str(folder)

    def test_release_with_the_right_checksum_is_installed_and_the_next_step_needs_no_network(self):
        self.release()
        code, log, told = self.run_it()
        self.assertEqual((code, subprocess.run([told], capture_output=True, text=True).stdout), (0, "reqgate 0.1.0\n"), log)
        self.assertEqual(len(self.served), 1)
        code, log, again = self.run_it()
        self.assertEqual((code, again, len(self.served)), (0, told, 1), log)

    def test_copy_of_an_earlier_job_is_used_after_its_checksum_was_checked(self):
        self.release()
        self.run_it()
        shutil.rmtree(self.folder / "temp")
        (self.folder / "temp").mkdir()
        code, log, told = self.run_it()
        self.assertEqual((code, len(self.served)), (0, 1), log)
        kept, = (self.folder / "cache").rglob("*.tar.gz")
        kept.write_bytes(b"tampered")
        shutil.rmtree(self.folder / "temp")
        (self.folder / "temp").mkdir()
        code, log, told = self.run_it()
        self.assertEqual((code, len(self.served)), (0, 2), log)
        self.assertEqual(pathlib.Path(told).read_text(), FAKE)

    def test_copy_that_an_earlier_step_unpacked_is_not_run_as_it_lies_there(self):
        self.release()
        _, _, told = self.run_it()
        pathlib.Path(told).write_text("#!/bin/sh\necho changed\n")
        code, log, again = self.run_it()
        self.assertEqual((code, again, pathlib.Path(again).read_text(), len(self.served)), (0, told, FAKE, 1), log)

    def test_nothing_is_downloaded_in_the_clear(self):
        self.release()
        code, log, told = self.run_it(REQGATE_DOWNLOAD_BASE="http://releases.example.invalid")
        self.assertEqual((code, told), (1, ""), log)
        # In curl's own words: it did not even look for the host.
        self.assertIn('rotocol "http" ', log)

    def test_tampered_release_is_not_run(self):
        archive = self.release()
        archive.write_bytes(archive.read_bytes() + b"x")
        code, log, told = self.run_it()
        self.assertEqual((code, told), (1, ""))
        self.assertIn("checksum", log)
        self.assertEqual([path for path in (self.folder / "temp").rglob("reqgate*") if path.is_file()], [])

    def test_release_that_cannot_be_had_is_said(self):
        self.release().unlink()
        code, log, told = self.run_it()
        self.assertEqual((code, told), (1, ""))
        self.assertIn("Could not download", log)

    def test_version_that_is_not_vouched_for_is_refused(self):
        code, log, told = self.run_it(REQGATE_INSTALL_VERSION="9.9.9")
        self.assertEqual((code, told, self.served), (1, "", []))
        self.assertIn("vouches for no reqgate 9.9.9", log)

    def test_hostile_version_is_refused(self):
        for version in ("1.0.0;id", "../../1.0.0", "$(id)", "1.0", "latest"):
            code, log, told = self.run_it(REQGATE_INSTALL_VERSION=version)
            self.assertEqual((code, told, self.served), (1, "", []), version)

    def test_named_binary_is_taken_and_a_wrong_name_refused(self):
        code, log, told = self.run_it(REQGATE_INSTALL_BINARY=BINARY)
        self.assertEqual((code, told), (0, BINARY), log)
        code, log, told = self.run_it(REQGATE_INSTALL_BINARY=str(self.folder / "nothing"))
        self.assertEqual((code, told), (1, ""))
        self.assertIn("binary", log)

    def test_without_release_and_cargo_there_is_one_clear_error(self):
        code, log, told = self.run_it(path=self.no_cargo())
        self.assertEqual((code, told), (1, ""), log)
        self.assertEqual(log.count("::error"), 1)
        self.assertIn("no cargo", log)

    def test_build_obeys_no_file_of_the_checkout(self):
        """A stand-in for rustup's cargo: without a named toolchain it starts the one that a file of the working folder names,
        and like cargo it takes the compiler that `.cargo/config.toml` above the working folder names."""
        path = self.no_cargo()
        trap, checkout = self.folder / "trap", self.folder / "checkout"
        (checkout / "evil/bin").mkdir(parents=True)
        (checkout / "rust-toolchain.toml").write_text(f'[toolchain]\npath = "{checkout}/evil"\n')
        (checkout / ".cargo").mkdir()
        (checkout / ".cargo/config.toml").write_text(f'[build]\nrustc = "{checkout}/evil/bin/rustc"\n')
        (self.folder / "reqgate").write_text(FAKE)
        (self.folder / "reqgate").chmod(0o755)
        cargo = pathlib.Path(path) / "cargo"
        cargo.write_text(f"""#!/bin/bash
folder=$PWD
while [[ -n $folder ]]; do
  [[ -z ${{RUSTUP_TOOLCHAIN:-}} && -f $folder/rust-toolchain.toml ]] && echo toolchain >>"{trap}"
  [[ -f $folder/.cargo/config.toml ]] && echo config >>"{trap}"
  folder=${{folder%/*}}
done
while [[ $1 != --root ]]; do shift; done
mkdir -p "$2/bin" && cp "{self.folder}/reqgate" "$2/bin/reqgate"
""")
        cargo.chmod(0o755)
        code, log, told = self.run_it(path=path, folder=checkout)
        self.assertEqual((code, trap.exists()), (0, False), log)
        # What was built is built again where it is not what it was.
        pathlib.Path(told).write_text("#!/bin/sh\necho changed\n")
        code, log, again = self.run_it(path=path, folder=checkout)
        self.assertEqual((code, again, pathlib.Path(again).read_text(), trap.exists()), (0, told, FAKE, False), log)

    def test_without_release_this_commit_is_built(self):
        # A stand-in for cargo, so that the case takes no minutes; FULL=1 builds for true.
        path = self.no_cargo()
        if os.environ.get("FULL") == "1":
            path = CLEAN["PATH"]
            shutil.copytree(ACTION, self.folder / "clone")
            self.action = self.folder / "clone/action"
        else:
            cargo = pathlib.Path(path) / "cargo"
            cargo.write_text('#!/bin/sh\nwhile [ "$1" != --root ]; do case "$1" in --locked) ok=1;; esac; shift; done\n'
                             f'[ "$ok" ] && mkdir -p "$2/bin" && cp "{self.folder}/reqgate" "$2/bin/reqgate"\n')
            cargo.chmod(0o755)
            (self.folder / "reqgate").write_text(FAKE)
            (self.folder / "reqgate").chmod(0o755)
        code, log, told = self.run_it(path=path, HOME=os.environ.get("HOME", ""))
        self.assertEqual(code, 0, log)
        said = subprocess.run([told, "--version"], capture_output=True, text=True).stdout
        self.assertTrue(said.startswith("reqgate 0.1.0"), said)
        self.assertEqual(self.served, [])
        code, log, again = self.run_it(path=path)
        self.assertEqual((code, again, "Build" in log), (0, told, False))


class ThroughTheAction(Case):
    def test_wrong_binary_fails_the_job_with_the_words_of_the_installer(self):
        number, run = self.world.open(READY_TITLE, READY, inputs={"binary": "/nothing/here"})
        self.assertEqual((run.code, run.requests), (1, []))
        self.assertIn("does not name an executable file", run.log)

    def test_version_that_is_not_vouched_for_fails_the_job(self):
        number, run = self.world.open(READY_TITLE, READY, inputs={"binary": None, "version": "9.9.9"})
        self.assertEqual((run.code, run.requests), (1, []))
        self.assertIn("vouches for no reqgate 9.9.9", run.log)
