"""The states of the licence in a browser, with a licence server of our own: each says one sentence and the next step.

licence_test.py SVC FOLDER PRO: PRO believes the key of tests (svc-pro-licensed); FOLDER has node_modules of this folder's
lock file; licence.mjs runs beside them. PICTURES names a folder for pictures of each state.
"""
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from installation import Site  # noqa: E402
from license_stub import LicenseStub  # noqa: E402

SVC, FOLDER, PRO = sys.argv[1:4]


class Control(http.server.BaseHTTPRequestHandler):
    """/sql/{statement}: what only time does to the data. /answer/{json}: what the licence server says from now on; "null"
    is no answer."""

    site = stub = None

    def do_GET(self):
        kind, rest = urllib.parse.unquote(self.path).strip("/").split("/", 1)
        if kind == "sql":
            self.site.sql(rest)
        else:
            self.stub.answer = json.loads(rest)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    folder = pathlib.Path(FOLDER) / "licence"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    for name in ("licence.mjs", "support.mjs", "session.mjs"):
        shutil.copy(HERE / name, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with LicenseStub() as stub, Site(SVC, "sqlite", servers=0, environment={
            **stub.environment, "SVC_SITE_URL": f"http://127.0.0.1:{port}", "SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        site.start(port, under=stub.trusted)
        saved = site.as_staff("PUT", "/settings", {"license_store_url": f"https://{stub.target}/", "staff_rate_limit": 0})
        assert saved.status == 200, saved
        Control.site, Control.stub = site, stub
        control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
        threading.Thread(target=control.serve_forever, daemon=True).start()
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{port}", "DATABASE": "sqlite",
                       "MAILS": f"http://127.0.0.1:{control.server_address[1]}",
                       "USERS": json.dumps({"administrator": ["boss", site.password.split()[-1]]}),
                       "STAFF": site.staff["Authorization"], "REACHED": "1" if stub.trusted else ""}
        done = subprocess.run(["node", "licence.mjs"], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
