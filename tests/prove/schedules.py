"""R22: schedules of several actors, faults and clock steps, made of seeds: each keeps every promise, and is the same again.

schedules.py SVC DATABASE SEEDS

The schedules run inside one program, tests/schedules, which tells how to run a seed that failed by itself.
"""
import os
import pathlib
import subprocess
import sys

from proving import arguments

SVC, DATABASE, (SEEDS,) = arguments(2)
NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
# Files that are gone with the program need no disk; what a disk does is shown elsewhere.
IN_MEMORY = pathlib.Path("/dev/shm")


def main():
    environment = {**os.environ, "SVC_SCHEDULES": SEEDS, "SVC_SCHEDULE_DATABASE": NAMES[DATABASE]}
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK):
        environment["TMPDIR"] = str(IN_MEMORY)
    program = pathlib.Path(SVC).resolve().parent / "schedule_tests"
    # The server's log lines about faults are expected.
    done = subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False)
    print(done.stdout, end="", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
