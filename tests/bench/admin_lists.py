"""Times from a click to a rendered list in the admin, in Chromium, with 100,000 bookings: admin_lists.py SVC DATABASE
FOLDER [BOOKINGS]. FOLDER has node_modules of tests/web. A row per list: the first opening, with its script, and the
middle and longest of five more, in milliseconds.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE, FOLDER = sys.argv[1:4]
BOOKINGS = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
sys.argv[3:] = [str(BOOKINGS)]  # which it reads, too
from reports import fill  # noqa: E402

SCRIPT = pathlib.Path(__file__).with_name("admin_lists.mjs")


def main():
    folder = pathlib.Path(FOLDER)
    shutil.copy(SCRIPT, folder)  # Node looks for packages in the folders above the script
    with Site(SVC, DATABASE, sound=False) as site:
        site.as_staff("PUT", "/settings", {"api_rate_limit": 0})
        fill(site)
        done = subprocess.run(["node", SCRIPT.name], cwd=folder, env={
            **os.environ, "BASE": f"http://127.0.0.1:{site.servers[0].port}", "PASSWORD": site.password.split()[-1],
            "TITLE": f"{BOOKINGS} bookings, {DATABASE}"})
    sys.exit(done.returncode)


main()
