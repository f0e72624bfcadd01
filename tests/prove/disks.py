"""Small disks of their own for the proofs, where the machine mounts: for SQLite's file, and for PostgreSQL's data."""
import contextlib
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from proving import Site

CLUSTER = [sys.executable, str(pathlib.Path(__file__).parent.parent / "support/postgres.py")]


class Disk:
    """A small file system of its own; `fill` leaves no room on it, `empty` gives it back."""

    def __init__(self, place, size):
        self.fills, self.made = pathlib.Path(place) / "fill", subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)], capture_output=True).returncode == 0

    def fill(self, but=0):
        """Until no more than so many bytes are left."""
        try:
            with open(self.fills, "ab", buffering=0) as file:
                while self.left() > but or not but:
                    file.write(bytes(4096))
        except OSError as full:
            assert full.errno == errno.ENOSPC, full

    def left(self):
        room = os.statvfs(self.fills.parent)
        return room.f_bavail * room.f_frsize

    def is_full(self):
        return self.left() == 0

    def empty(self):
        self.fills.unlink()


class OnDisk(Site):
    """SQLite's file is on the small disk, of so many MiB: its log takes 16 of them before it begins anew."""

    def __init__(self, *words, room=64, **named):
        self.room = room
        super().__init__(*words, **named)

    def _database_url(self):
        if self.database != "sqlite":
            return super()._database_url()
        place = self.dir / "disk"
        place.mkdir()
        self.disk = Disk(place, f"{self.room}m")
        if self.disk.made:
            self.stack.callback(subprocess.run, ["umount", "-l", str(place)], check=True)
        return f"sqlite:{place}/svc.db"


@contextlib.contextmanager
def cluster_on_a_small_disk(room=96, log_size=None):
    """A PostgreSQL whose data, but for the write-ahead log, is on a disk of so many MiB: the disk, that of the log where it
    has one of its own of that size, and where the cluster is."""
    with tempfile.TemporaryDirectory(prefix="svc-full-") as folder:
        place = f"{folder}/cluster"
        subprocess.run([*CLUSTER, "start", place], check=True)
        home = pathlib.Path(pathlib.Path(place + ".place").read_text())
        data, log, mounted = home / "data", home / "pg_wal", []
        try:
            subprocess.run([*CLUSTER, "down", place], check=True)
            data.rename(home / "kept")
            data.mkdir()
            log.mkdir()
            disks = {}
            for place_of, size in ((data, f"{room}m"), (log, log_size)):
                if size:
                    disks[place_of] = Disk(place_of, size)
                    assert disks[place_of].made, "this machine mounts nothing: PostgreSQL gets no disk of its own"
                    mounted.append(place_of)
            if log_size:  # or it keeps the segments of one full disk for later, until there is no room to start in
                with (home / "kept/postgresql.conf").open("a") as settings:
                    settings.write("min_wal_size = 32MB\nmax_wal_size = 64MB\n")
            subprocess.run(["cp", "-a", f"{home}/kept/pg_wal/.", str(log)], check=True)
            shutil.rmtree(home / "kept/pg_wal")
            (home / "kept/pg_wal").symlink_to(log)
            subprocess.run(["cp", "-a", f"{home}/kept/.", str(data)], check=True)
            shutil.rmtree(home / "kept")
            subprocess.run([*CLUSTER, "up", place], check=True)
            os.environ["SVC_TEST_POSTGRES"] = pathlib.Path(place + ".conninfo").read_text()
            yield disks[data], disks.get(log), place
        finally:
            subprocess.run([*CLUSTER, "down", place], check=True)
            for place_of in mounted:
                subprocess.run(["umount", "-l", str(place_of)], check=True)
            subprocess.run([*CLUSTER, "stop", place], check=True)
