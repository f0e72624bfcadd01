"""The files as the unit shows them to the program: all read-only but its state, and /tmp, homes, devices and /proc its own.

Mounts of this process and its children alone; needs the right to mount, which containers may refuse.
"""
import contextlib
import ctypes
import os
import pathlib
import stat
import subprocess

NEW_MOUNTS = 0x20000
READ_ONLY, RECURSIVE, HERE = 1, 0x8000, -100  # of mount_setattr(2)
MOUNT_SETATTR = 442  # on every machine
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# The check of each directive, and the value for which it applies.
DIRECTIVES = {"ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "PrivateDevices": "yes",
              "ProtectProc": "invisible", "ProcSubset": "pid", "CapabilityBoundingSet": ""}

LIBC = ctypes.CDLL(None, use_errno=True)


def checked(done):
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def read_only(place, yes):
    attributes = (ctypes.c_uint64 * 4)(*((READ_ONLY, 0) if yes else (0, READ_ONLY)), 0, 0)
    checked(LIBC.syscall(MOUNT_SETATTR, HERE, os.fsencode(place), RECURSIVE, attributes, ctypes.sizeof(attributes)))


class Kept:
    """A file or folder that is put back where it was once something else lies over it."""

    def __init__(self, place):
        self.place, self.file = pathlib.Path(place), os.open(place, os.O_PATH)

    def put_back(self):
        if not self.place.exists():
            self.place.parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path.mkdir if stat.S_ISDIR(os.fstat(self.file).st_mode) else pathlib.Path.touch)(self.place)
        mount("--no-canonicalize", "--rbind", f"/proc/{os.getpid()}/fd/{self.file}", self.place)
        os.close(self.file)


def can_mount():
    """Whether this machine lets its root mount."""
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"], capture_output=True).returncode == 0


def confine(directives, state, kept):
    """This process sees `state` to write to and the folders and files `kept` to read from, wherever they lie."""
    for name, value in DIRECTIVES.items():
        assert directives[name] == value, (name, directives[name])
    checked(LIBC.unshare(NEW_MOUNTS))
    mount("--make-rslave", "/")  # as systemd does: disks mounted later are seen
    back = [Kept(place) for place in (*kept, state, *DEVICES)]
    for covered in ("/tmp", "/var/tmp", "/home", "/root", "/run/user", "/dev"):
        with contextlib.suppress(FileNotFoundError):
            mount("-t", "tmpfs", "none", pathlib.Path(covered).resolve(strict=True))
    for one in back:
        one.put_back()
    mount("-t", "proc", "-o", "subset=pid,hidepid=invisible", "proc", "/proc")
    read_only("/", True)
    # With all that is mounted below them: what is kept may lie there, and the state in what is kept.
    for place, yes in (("/tmp", False), ("/var/tmp", False), *((one, True) for one in kept), (state, False)):
        read_only(place, yes)


def without_rights(words):
    """The command that runs these words as nobody special, as the empty CapabilityBoundingSet does."""
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", *words]
