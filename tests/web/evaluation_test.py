"""Pro's evaluation in a browser: the button begins it, and each page of the admin says so.

evaluation_test.py SVC FOLDER PRO: FOLDER has node_modules of this folder's lock file; evaluation.mjs runs beside them.
"""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from installation import Site  # noqa: E402

SVC, FOLDER, PRO = sys.argv[1:4]


def main():
    folder = pathlib.Path(FOLDER) / "evaluation"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    for name in ("evaluation.mjs", "support.mjs", "session.mjs"):
        shutil.copy(HERE / name, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Site(SVC, "sqlite", servers=0, environment={"SVC_SITE_URL": f"http://127.0.0.1:{port}",
                                                     "SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        site.start(port)
        users = {"administrator": ["boss", site.password.split()[-1]]}
        password = site.run("user", "add", "desk", "--email", "desk@example.org", "--role", "front_desk", "--generate")
        users["front_desk"] = ["desk", password.split()[-1]]
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{port}", "USERS": json.dumps(users),
                       "STAFF": site.staff["Authorization"]}
        done = subprocess.run(["node", "evaluation.mjs"], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
