"""R7: what a power cut leaves of the files is rebuilt from a record of writes and syncs: all that was synced, and of
the rest a random half. Each time the database opens whole, keeps every invariant and has every booking acknowledged before
the cut. A disk that syncs nothing, rebuilt in the same way, has to be found out.

power_cuts.py SVC sqlite CUTS
"""
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

from proving import Buyers, Site, arguments, day, figure, invariants, not_limited, random_of

SVC, DATABASE, (CUTS,) = arguments(2)
BOOKINGS = 60
FILES = ("svc.db", "svc.db-wal")
INVARIANTS = invariants()
CALL = re.compile(r'^(?:\d+ +)?(?P<at>\d+\.\d+) (?P<name>\w+)\(\d+<(?P<path>[^>]*)>(?P<rest>.*)\) += '
                  r'(?P<result>-?\d+)')
WRITTEN = re.compile(r', "(?P<bytes>(?:\\x[0-9a-f]{2})*)", \d+, (?P<offset>\d+)')


class Recorder(Buyers):
    """Notes when each acknowledgement came, by the clock that strace writes."""

    def __init__(self, *words, **named):
        self.times = {}
        super().__init__(*words, **named)

    def _once(self, number, turn):
        status, answer = super()._once(number, turn)
        if status == 201:
            self.times[answer["data"]["reference"]] = time.time()
        return status, answer


def events_of(trace):
    """(time, file, offset or None for a sync, bytes or the new length)"""
    unfinished = {}
    for line in trace.read_text(errors="replace").splitlines():
        who = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            unfinished[who] = line.removesuffix(" <unfinished ...>")
            continue
        if resumed := re.search(r"<\.\.\. \w+ resumed>", line):
            line = unfinished.pop(who, "") + line[resumed.end():]
            # When it ended counts for a sync, and when it began for a write: each the worse for us.
        found = CALL.match(line)
        if not found or int(found["result"]) < 0:
            continue
        at = float(found["at"])
        file = bytes.fromhex(found["path"].replace("\\x", "")).decode().rsplit("/", 1)[1]
        if file not in FILES:
            continue
        if found["name"] in ("fdatasync", "fsync"):
            yield at, file, None, None
        elif found["name"] == "ftruncate":
            yield at, file, -1, int(found["rest"].split(",")[1])
        elif written := WRITTEN.search(found["rest"]):
            yield at, file, int(written["offset"]), bytes.fromhex(written["bytes"].replace("\\x", ""))


def apply(content, event):
    _, file, offset, data = event
    whole = content[file]
    if offset == -1:
        del whole[data:]
        whole.extend(bytes(max(0, data - len(whole))))
    else:
        whole.extend(bytes(max(0, offset + len(data) - len(whole))))
        whole[offset:offset + len(data)] = data


def after_cut(base, events, upto, chance):
    """The files as a disk may have them that lost its power before event `upto`."""
    content = {name: bytearray(whole) for name, whole in base.items()}
    synced = {name: max((at for at in range(upto) if events[at][1] == name and events[at][2] is None), default=-1)
              for name in FILES}
    for at in range(upto):
        _, file, offset, _ = events[at]
        if offset is not None and (at < synced[file] or chance.random() < 0.5):
            apply(content, events[at])
    return content


def look(content):
    """The references in a database made of these files; refuses one that is not whole or breaks an invariant."""
    with tempfile.TemporaryDirectory(prefix="svc-cut-") as place:
        for name, whole in content.items():
            if whole or name == FILES[0]:
                (pathlib.Path(place) / name).write_bytes(whole)
        with sqlite3.connect(f"{place}/{FILES[0]}") as database:
            whole = database.execute("PRAGMA integrity_check").fetchall()
            assert whole == [("ok",)], whole[:3]
            for statement in INVARIANTS:
                broken = database.execute(statement).fetchall()
                assert not broken, (statement, broken[:3])
            return {row[0] for row in database.execute("SELECT reference FROM svc_bookings")}


def lost_in_cuts(base, events, times, chance):
    """Of so many cuts: the acknowledged bookings that are not there, and what was wrong with files that are not whole."""
    lost, broken = 0, []
    for _ in range(int(CUTS)):
        upto = chance.randrange(1, len(events))
        at = events[upto][0]
        try:
            there = look(after_cut(base, events, upto, chance))
        except (AssertionError, sqlite3.DatabaseError) as wrong:
            broken.append(str(wrong))
            continue
        lost += sum(told < at and reference not in there for reference, told in times.items())
    return lost, broken


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10_000)
        site.servers[0].process.terminate()
        site.servers[0].process.wait()
        var, kept = site.dir / "var", site.dir / "kept"
        kept.mkdir()
        for name in FILES:
            if (var / name).exists():
                shutil.copy(var / name, kept / name)
        base = {name: (kept / name).read_bytes() if (kept / name).exists() else b"" for name in FILES}
        trace = site.dir / "trace"
        server = site.start(under=("strace", "-f", "-qq", "-ttt", "-y", "-xx", "-s", "1000000", "-o", str(trace), "-e",
                                   "trace=pwrite64,fdatasync,fsync,ftruncate"))
        buyers = Recorder(lambda _: server.port, trip, clients=4)
        buyers.wait_for_more(BOOKINGS, 240)
        buyers.stop()
        traced = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
        os.kill(int(traced), signal.SIGKILL)
        server.process.wait()
        events = [event for event in events_of(trace)]
        names = {file for _, file, _, _ in events}
        assert set(FILES) >= names and FILES[1] in names, names
        lost, broken = lost_in_cuts(base, events, buyers.times, random_of("power"))
        # The check itself is checked: of a disk that takes every sync for done and does nothing, bookings are lost.
        without, gone = lost_in_cuts(base, [event for event in events if event[2] is not None], buyers.times,
                                     random_of("no sync"))
        figure(f"cuts {CUTS} among {len(events)} writes and syncs of {len(buyers.times)} bookings, lost {lost}, not whole"
               f" {len(broken)}; without the syncs lost {without}, not whole {len(gone)}")
        assert not broken, broken[0]
        assert without > lost, "a disk that syncs nothing lost nothing"
        assert lost == 0


if __name__ == "__main__":
    sys.exit(main())
