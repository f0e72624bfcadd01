"""The program as the unit file confines it, without systemd: whatever calls it refuses end the process here, so that one
of them is not overlooked; writable code, other families of sockets and the doctor's question to the clock, which copes
with that, are refused with the unit's errors.

under_unit.py UNIT SVC TEST [WORD...]: runs that test with the confined program. Group names are read by systemd-analyze.
under_unit.py UNIT -- COMMAND...: becomes that command, confined.
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

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EQUAL, MASKED = 4, 7  # libseccomp's comparisons
FAMILIES = 46  # as many as Linux has
SHM_EXEC = 0o100000
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
    for name in sorted(allowed_calls(lines)):
        calls.add(ALLOW, name)
    if os.geteuid() == 0:  # whom the unit runs it as is not: SQLite gives root's files to the database's owner
        calls.add(ERRNO | errno.EPERM, "fchown")
    for name in ("adjtimex", "clock_adjtime"):
        calls.add(ERRNO | errno.EPERM, name)
    special.load()
    calls.load()


def ended(unit, program):
    """How a program of Python's ended under the unit."""
    return subprocess.run([sys.executable, __file__, unit, "--", sys.executable, "-c", program],
                          capture_output=True).returncode


def main():
    unit, svc, *words = sys.argv[1:]
    if svc == "--":
        confine(unit)
        os.execvp(words[0], words)
    for program, says in (("import os; os.getpid()", 0), ("import os; os.sched_setaffinity(0, [0])", -signal.SIGSYS),
                          ("import os; os.chroot('/')", -signal.SIGSYS), ("import mmap; mmap.mmap(-1, 4096, prot=7)", 1),
                          ("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", 1),
                          ("import socket; socket.socket()", 0), (TELLS_THE_CLOCK, 0)):
        assert ended(unit, program) == says, program
    with tempfile.TemporaryDirectory(prefix="svc-unit-") as folder:
        confined = pathlib.Path(folder) / "svc"
        confined.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "{unit}" -- "{svc}" "$@"\n')
        confined.chmod(0o755)
        return subprocess.run([sys.executable, words[0], confined, *words[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
