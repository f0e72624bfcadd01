"""The program as the unit file confines it, without systemd: whatever calls it refuses end the process here, so that one
of them is not overlooked; writable code, other families of sockets and the doctor's question to the clock, which copes
with that, are refused with the unit's errors. Where this machine mounts, the program sees the unit's files alone.

under_unit.py UNIT SVC TEST [WORD...]: runs that test with the confined program. Group names are read by systemd-analyze.
under_unit.py UNIT STATE -- PROGRAM WORD...: becomes that program, confined; STATE is what it may write to.
"""
import ctypes
import errno
import mmap
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import unit_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EQUAL, MASKED = 4, 7  # libseccomp's comparisons
FAMILIES = 46  # as many as Linux has
SHM_EXEC = 0o100000
CALLS = "UNIT_CALLS"  # the allowed calls, resolved once for the many starts of a test
TELLS_THE_CLOCK = ("import ctypes; libc = ctypes.CDLL(None, use_errno=True);"
                   " assert libc.adjtimex(bytes(512)) == -1 and ctypes.get_errno() == 1")


class Compared(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("how", ctypes.c_int), ("one", ctypes.c_uint64), ("two", ctypes.c_uint64)]


class Filter:
    def __init__(self, otherwise):
        self.library = ctypes.CDLL("libseccomp.so.2")
        self.library.seccomp_init.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.library.seccomp_init(ctypes.c_uint32(otherwise)))

    def add(self, action, name, *compared):
        number = self.library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # another machine's
            return
        done = self.library.seccomp_rule_add_array(self.context, ctypes.c_uint32(action), number, len(compared),
                                                   (Compared * len(compared))(*compared))
        assert done == 0, (name, done)

    def load(self):
        done = self.library.seccomp_load(self.context)
        assert done == 0, done


def directives(unit):
    return re.findall(r"(?m)^(\w+)=(.*)$", pathlib.Path(unit).read_text())


def calls_of(name):
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], check=True, capture_output=True,
                          text=True).stdout.splitlines()[1:]
    return set().union(*(calls_of(word) for line in told if (word := line.strip()) and not word.startswith("#")))


def allowed_calls(lines):
    allowed = calls_of("@default")  # as systemd adds to every list
    for name, value in lines:
        if name == "SystemCallFilter":
            named = set().union(*map(calls_of, value.removeprefix("~").split()))
            allowed = allowed - named if value.startswith("~") else allowed | named
    return allowed


def confine(unit):
    lines = directives(unit)
    known = dict(lines)
    special, calls = Filter(ALLOW), Filter(KILL)
    assert known["MemoryDenyWriteExecute"] == "yes" and known["SystemCallErrorNumber"] == "EPERM", known
    both = mmap.PROT_WRITE | mmap.PROT_EXEC
    special.add(ERRNO | errno.EPERM, "mmap", Compared(2, MASKED, both, both))
    for name in ("mprotect", "pkey_mprotect"):
        special.add(ERRNO | errno.EPERM, name, Compared(2, MASKED, mmap.PROT_EXEC, mmap.PROT_EXEC))
    special.add(ERRNO | errno.EPERM, "shmat", Compared(2, MASKED, SHM_EXEC, SHM_EXEC))
    families = {{"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}[name] for name in known["RestrictAddressFamilies"].split()}
    for family in set(range(FAMILIES)) - families:
        special.add(ERRNO | errno.EAFNOSUPPORT, "socket", Compared(0, EQUAL, family, 0))
    for name in os.environ.get(CALLS, "").split() or sorted(allowed_calls(lines)):
        calls.add(ALLOW, name)
    if os.geteuid() == 0:  # whom the unit runs it as is not: SQLite gives root's files to the database's owner
        calls.add(ERRNO | errno.EPERM, "fchown")
    for name in ("adjtimex", "clock_adjtime"):
        calls.add(ERRNO | errno.EPERM, name)
    special.load()
    calls.load()


def socket_of_postgres():
    """Where the tests' PostgreSQL listens: in a temporary folder, where an installed one does in /run."""
    told = os.environ.get("SVC_TEST_POSTGRES_FILE")
    return [f"{folder}/.s.PGSQL.{port}" for folder, port in
            re.findall(r"host=(/\S+) port=(\d+)", pathlib.Path(told).read_text() if told else "")]


def become(unit, state, words):
    """The program, confined: first its files, then its rights, then its calls, as each needs what the next takes."""
    if state and unit_files.can_mount():
        kept = [ROOT, pathlib.Path(words[0]).resolve().parents[1], *socket_of_postgres()]
        unit_files.confine(dict(directives(unit)), state, kept)
        words = unit_files.without_rights([sys.executable, __file__, unit, "", "--", *words])
    else:
        confine(unit)
    os.execvp(words[0], words)


def ended(unit, state, program):
    """How a program of Python's ended under the unit."""
    return subprocess.run([sys.executable, __file__, unit, state, "--", sys.executable, "-c", program],
                          capture_output=True).returncode


def check_confined(unit, state):
    """That what the unit forbids is refused here, and nothing else: a test under a fence with a hole would show nothing."""
    said = {"import os; os.getpid()": 0, "import os; os.sched_setaffinity(0, [0])": -signal.SIGSYS,
            "import os; os.chroot('/')": -signal.SIGSYS, "import mmap; mmap.mmap(-1, 4096, prot=7)": 1,
            "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)": 1, "import socket; socket.socket()": 0,
            TELLS_THE_CLOCK: 0}
    if unit_files.can_mount():
        said |= {f"open('{state}/made', 'w')": 0, f"open('{state}.made', 'w')": 0,
                 "open('/etc/made', 'w')": 1, f"open('{ROOT}/made', 'w')": 1, "open('/dev/null', 'w')": 0,
                 "import os; assert len(os.listdir('/dev')) > 5": 1,
                 "open('/proc/meminfo')": 1, "open('/proc/self/stat')": 0, "open('/proc/sys/kernel/hostname')": 1,
                 f"import os; assert set(os.listdir('/root') + os.listdir('/home')) - set({ROOT.parts})": 1,
                 "import re; assert re.search('CapBnd:.*[^0\\s]', open('/proc/self/status').read())": 1}
    for program, says in said.items():
        assert ended(unit, state, program) == says, (program, says)
    if unit_files.can_mount():  # the state is the test's too, what lies in /tmp is not
        made = [pathlib.Path(f"{state}/made"), pathlib.Path(f"{state}.made")]
        assert [file.exists() for file in made] == [True, False]
        made[0].unlink()


def main():
    unit, *words = sys.argv[1:]
    if words[1] == "--":
        become(unit, words[0], words[2:])
    svc, *test = words
    with tempfile.TemporaryDirectory(prefix="svc-unit-") as folder:
        state, confined = pathlib.Path(folder) / "state", pathlib.Path(folder) / "svc"
        state.mkdir()
        os.environ[CALLS] = " ".join(sorted(allowed_calls(directives(unit))))
        check_confined(unit, str(state))
        told = os.environ.get("SVC_TEST_POSTGRES_FILE", "")  # which the tests' servers are not told
        confined.write_text(f'#!/bin/sh\nexport SVC_TEST_POSTGRES_FILE="{told}" {CALLS}="{os.environ[CALLS]}"\n'
                            f'exec "{sys.executable}" "{__file__}" "{unit}" "{state}" -- "{svc}" "$@"\n')
        confined.chmod(0o755)
        print(f"under the unit's calls{' and files' if unit_files.can_mount() else ', not its files: nothing is mounted here'}")
        return subprocess.run([sys.executable, test[0], confined, *test[1:]],
                              env={**os.environ, "TMPDIR": str(state)}).returncode


if __name__ == "__main__":
    sys.exit(main())
