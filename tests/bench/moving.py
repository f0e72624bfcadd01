"""Times a move of many bookings with `svc export --everything` and `svc import`, to PostgreSQL and back: moving.py BUILD [BOOKINGS].

Each booking has a traveler, a line and a status; a row per command: its seconds and the most memory it had. Ends with 1 when
an export took more than 64 MiB, or when a table differs after the way there and back.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from growth import DAY, add_bookings  # noqa: E402
from installation import Site  # noqa: E402

SVC = str(pathlib.Path(sys.argv[1]) / "bin/svc")
BOOKINGS = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
MOST_MIB = 64
AFRESH = ("svc_trip_texts_due", )  # the words of each trip are found again on the other side


class Empty(Site):
    """A database with the key file of another installation and nothing in it."""

    def __init__(self, other, database):
        super().__init__(SVC, database, sound=False)  # bookings copied by statements have no events
        self.other = other

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="svc-moved-"))
        self.stack.callback(shutil.rmtree, self.dir, ignore_errors=True)
        (self.dir / "var").mkdir()
        shutil.copy(self.other.dir / "var/svc.key", self.dir / "var/svc.key")
        self.environment = {"SVC_DATABASE_URL": self._database_url(), "SVC_FILES_KEY_FILE": str(self.dir / "var/svc.key"),
                            "SVC_FILES_DATA_DIR": str(self.dir / "var")}
        return self


def timed(site, *words):
    """Its MiB."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
    began = time.monotonic()
    done = subprocess.run(["/usr/bin/time", "-v", site.svc, *words], cwd=site.dir, env={**clean, **site.environment},
                          text=True, capture_output=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    mebibytes = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", done.stderr)[1]) / 1024
    print(f"{site.database:<9} svc {words[0]:<7} {time.monotonic() - began:>7.1f} s {mebibytes:>5.0f} MiB", flush=True)
    return mebibytes


def fill(site):
    trip = site.given_trip()["id"]
    site.given_departure(trip, DAY, 100_000)
    first = site.book(trip, DAY).data["booking_id"]
    for server in site.servers:
        server.process.terminate()
        server.process.wait()
    add_bookings(site, first, BOOKINGS)
    columns = ", ".join(row[0] for row in site.sql(
        "SELECT name FROM pragma_table_info('svc_booking_travelers') WHERE name NOT IN ('id', 'booking_id')"))
    site.sql(f"INSERT INTO svc_booking_travelers (booking_id, {columns}) SELECT b.id, t.* FROM svc_bookings b, (SELECT {columns}"
             f" FROM svc_booking_travelers WHERE booking_id = {first}) t WHERE b.id <> {first}")
    site.sql("INSERT INTO svc_booking_lines (booking_id, line_no, kind, label, quantity, unit_minor, amount_minor) SELECT id, 1,"
             f" 'traveler', 'Travelers', 1, total_minor, total_minor FROM svc_bookings WHERE id <> {first}")
    site.sql("INSERT INTO svc_booking_status_log (booking_id, from_status, to_status, actor_kind, at) SELECT id, 'pending',"
             f" 'cancelled', 'system', created_at FROM svc_bookings WHERE id <> {first}")


def main():
    with Site(SVC, "sqlite", sound=False) as site:
        fill(site)
        there = str(site.dir / "there.zip")
        most = timed(site, "export", there, "--everything")
        with Empty(site, "postgres") as moved:
            timed(moved, "import", there)
            back = str(moved.dir / "back.zip")
            most = max(most, timed(moved, "export", back, "--everything"))
            with Empty(site, "sqlite") as again:
                timed(again, "import", back)
            with zipfile.ZipFile(there) as one, zipfile.ZipFile(back) as two:
                counts = json.loads(one.read("manifest.json"))["counts"]
                other = json.loads(two.read("manifest.json"))["counts"]
                assert all(other[name] == count for name, count in counts.items() if name not in AFRESH), "other counts"
                differ = [name for name in counts if name not in AFRESH and one.read(name + ".jsonl") != two.read(name + ".jsonl")]
    print(f"rows {sum(counts.values()):,}, bookings {counts['svc_bookings']:,}; tables that differ: {', '.join(differ) or 'none'}")
    if differ or most > MOST_MIB:
        raise SystemExit(f"differ: {differ}, most memory of an export {most:.0f} MiB")


if __name__ == "__main__":
    main()
