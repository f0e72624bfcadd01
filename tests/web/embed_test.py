"""A trip in a frame on another site, in a browser.

embed_test.py SVC FOLDER: FOLDER has node_modules of this folder's lock file; embed.mjs runs beside them.
"""
import datetime
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from installation import Site  # noqa: E402

SVC, FOLDER = sys.argv[1:3]


def main():
    folder = pathlib.Path(FOLDER) / "embed"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    shutil.copy(HERE / "embed.mjs", folder)
    with Site(SVC, "sqlite") as site:
        # Once more at its own public address, which forms and links begin with.
        first = site.servers.pop()
        first.process.terminate()
        first.process.wait()
        site.environment["SVC_SITE_URL"] = f"http://127.0.0.1:{first.port}"
        site.start(first.port)
        trip = site.given_trip(title="Nile cruise", summary="Five days on the river.", regular_price=200)
        site.given_departure(trip["id"], (datetime.date.today() + datetime.timedelta(days=40)).isoformat(), 10)
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{site.servers[0].port}", "SLUG": trip["slug"],
                       "STAFF": site.staff["Authorization"]}
        done = subprocess.run(["node", "embed.mjs"], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
