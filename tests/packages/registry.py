#!/usr/bin/env python3
"""A registry of npm on this machine that offers the packages of a folder, while a command runs.

    registry.py FOLDER COMMAND...

The command gets the address in npm_config_registry. `os`, `cpu` and `optionalDependencies` count as in the real registry.
"""
import base64
import hashlib
import http.server
import json
import os
import subprocess
import sys
import tarfile
import threading
import urllib.parse
from pathlib import Path

folder = Path(sys.argv[1])
packages = {}
for path in folder.glob("*.tgz"):
    with tarfile.open(path) as packed:
        manifest = json.load(packed.extractfile("package/package.json"))
    packages[manifest["name"]] = (manifest, path)


class Registry(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path[1:])
        file = folder / Path(name).name
        if name in packages:
            manifest, path = packages[name]
            digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
            entry = {**manifest, "dist": {"tarball": f"{address}/files/{path.name}", "integrity": f"sha512-{digest}"}}
            version = manifest["version"]
            body = json.dumps({"name": name, "dist-tags": {"latest": version}, "versions": {version: entry}}).encode()
        elif name.startswith("files/") and file.exists():
            body = file.read_bytes()
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
address = f"http://127.0.0.1:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[2:], env={**os.environ, "npm_config_registry": address}).returncode)
