"""The admin in a browser: every list, a clerk's day, every role, accessibility, sizes.

admin_test.py SVC DATABASE FOLDER: FOLDER has node_modules of this folder's lock file; admin.mjs runs beside them.
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

SVC, DATABASE, FOLDER = sys.argv[1:4]
ROLES = ("owner", "manager", "sales_agent", "front_desk", "guide", "accountant", "marketing", "auditor")


def main():
    folder = pathlib.Path(FOLDER) / DATABASE  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "*.json", ".npmrc"), dirs_exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # At its own public address, from which the pictures come.
    with Site(SVC, DATABASE, servers=0, environment={"SVC_SITE_URL": f"http://127.0.0.1:{port}"}) as site:
        site.start(port)
        site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0})
        # Its pictures take their time where the machine is busy.
        loaded = site.servers[0].ask("/svc/v1/sample-data/import", "POST", "{}",
                                     {**site.staff, "Content-Type": "application/json"}, timeout=500)
        assert loaded[0] in (200, 202), loaded
        users = {"administrator": ["boss", site.password.split()[-1]]}
        for role in ROLES if DATABASE == "sqlite" else ("sales_agent",):
            password = site.run("user", "add", role, "--email", f"{role}@example.org", "--role", role, "--generate")
            users[role] = [role, password.split()[-1]]
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{site.servers[0].port}", "USERS": json.dumps(users),
                       "DATABASE": DATABASE, "STAFF": site.staff["Authorization"]}
        done = subprocess.run(["node", "admin.mjs", *sys.argv[4:]], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
