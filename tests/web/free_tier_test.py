"""The base edition alone, without Pro's library: every screen, page and link in a browser, with the sample data.

free_tier_test.py SVC FOLDER: FOLDER has node_modules of this folder's lock file; free_tier.mjs runs beside them.
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

SVC, FOLDER = sys.argv[1:3]


def main():
    folder = pathlib.Path(FOLDER) / "free-tier"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    for name in ("free_tier.mjs", "support.mjs", "session.mjs"):
        shutil.copy(HERE / name, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Site(SVC, "sqlite", servers=0, environment={"SVC_SITE_URL": f"http://127.0.0.1:{port}", "SVC_PRO_LIBRARY": "none"}) as site:
        site.run("samples")
        site.start(port)
        users = {"administrator": ["boss", site.password.split()[-1]]}
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{port}", "USERS": json.dumps(users),
                       "STAFF": site.staff["Authorization"]}
        done = subprocess.run(["node", "free_tier.mjs"], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
