#!/usr/bin/env python3
"""A throw-away PostgreSQL cluster for the tests: postgres.py start|start-in-memory|stop|down|up NAME.

NAME is a path without ending. The cluster lives under /tmp, as NAME.place tells, listens on a unix socket and a free
loopback port, has the settings of production, and runs as an ordinary user. `start` first ends what an earlier run
left there, writes the conninfo to NAME.conninfo and returns once the server answers; the server outlives it.
`start-in-memory` keeps the data in /dev/shm where that has room: for tests that make a database each, of a thousand
files, and show nothing about the disk. `down` and `up` end and restart the server and keep its data. Anything that
fails exits with 1.
"""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time

MEMORY = "/dev/shm"


def server_programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: int(p.split("/")[4]))
    if not found:
        sys.exit("postgres.py: no PostgreSQL server is installed")
    return found[-1]


def account():
    """The user that the server runs as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("postgres.py: neither postgres nor nobody exists to run the server as")


def as_account(user):
    if user is None:
        return None

    def become():
        os.setgid(user.pw_gid)
        os.setgroups([])
        os.setuid(user.pw_uid)

    return become


def home_of(directory):
    """The cluster's own directory: under /tmp, since a build tree may be closed to an ordinary user and a socket's
    path may be no longer than 107 characters."""
    pointer = directory + ".place"
    if os.path.exists(pointer):
        with open(pointer) as file:
            return file.read().strip()
    return None


def pid_of(home):
    try:
        with open(os.path.join(home, "data", "postmaster.pid")) as file:
            return int(file.readline())
    except (OSError, ValueError):
        return None


def is_ours(pid, home):
    """The pid may have been given to another process since."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return os.fsencode(home) in file.read()
    except OSError:
        return False


def end(home):
    pid = pid_of(home)
    if pid is None or not is_ours(pid, home):
        return
    os.kill(pid, signal.SIGINT)  # fast shutdown
    for attempt in range(300):
        if not is_ours(pid, home):
            return
        if attempt == 200:
            os.kill(pid, signal.SIGQUIT)
        time.sleep(0.05)
    sys.exit(f"postgres.py: server {pid} did not end")


def stop(directory):
    home = home_of(directory)
    if home and os.path.basename(home).startswith("svc-postgres-"):
        end(home)
        data = os.path.realpath(os.path.join(home, "data"))
        if data.startswith(MEMORY + "/svc-postgres-"):
            shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
    for name in (directory + ".place", directory + ".conninfo"):
        if os.path.exists(name):
            os.remove(name)


def memory_has_room():
    """Containers are often given 64 MiB of it; the log alone may hold a gigabyte."""
    try:
        return shutil.disk_usage(MEMORY).free >= 4 << 30
    except OSError:
        return False


def data_directory(home, user, in_memory):
    """Where initdb makes the cluster: below its home, or in memory with a link there."""
    data = os.path.join(home, "data")
    if in_memory and memory_has_room():
        there = subprocess.run(["mktemp", "-d", f"{MEMORY}/svc-postgres-XXXXXXXX"], check=True, capture_output=True,
                               text=True).stdout.strip()
        if user is not None:
            os.chown(there, user.pw_uid, user.pw_gid)
        os.symlink(there, data)
    return data


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launch(home, user):
    programs = server_programs()
    log = open(os.path.join(home, "log"), "ab")
    # A session of its own and no inherited pipe: ctest waits for neither.
    subprocess.Popen([os.path.join(programs, "postgres"), "-D", os.path.join(home, "data")], stdin=subprocess.DEVNULL,
                     stdout=log, stderr=log, cwd=home, start_new_session=True, preexec_fn=as_account(user))
    ready = [os.path.join(programs, "pg_isready"), "-q", "-h", home]
    with open(os.path.join(home, "port")) as file:
        ready += ["-p", file.read().strip()]
    for _ in range(600):
        if subprocess.run(ready).returncode == 0:
            return
        time.sleep(0.05)
    with open(os.path.join(home, "log"), errors="replace") as file:
        sys.stderr.write(file.read()[-4000:])
    sys.exit("postgres.py: the server did not answer within 30 seconds")


def start_in_memory(directory):
    start(directory, in_memory=True)


def start(directory, in_memory=False):
    stop(directory)
    user = account()
    home = subprocess.run(["mktemp", "-d", "/tmp/svc-postgres-XXXXXXXX"], check=True, capture_output=True,
                          text=True).stdout.strip()
    with open(directory + ".place", "w") as file:
        file.write(home)
    if user is not None:
        os.chown(home, user.pw_uid, user.pw_gid)
    data = data_directory(home, user, in_memory)
    made = subprocess.run([os.path.join(server_programs(), "initdb"), "-D", data, "-U", "svc",
                           "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=home,
                          preexec_fn=as_account(user))
    if made.returncode != 0:
        sys.exit("postgres.py: initdb failed: " + made.stderr)
    port = free_port()
    with open(os.path.join(home, "data", "postgresql.conf"), "a") as file:
        file.write(f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{home}'\n"
                   "max_connections = 200\nfsync = on\nsynchronous_commit = on\nfull_page_writes = on\n")
    with open(os.path.join(home, "port"), "w") as file:
        file.write(str(port))
    launch(home, user)
    with open(directory + ".conninfo", "w") as file:
        file.write(f"host={home} port={port} user=svc dbname=postgres")


def home_or_die(directory):
    home = home_of(directory)
    if home is None:
        sys.exit("postgres.py: there is no cluster")
    return home


def down(directory):
    end(home_or_die(directory))


def up(directory):
    launch(home_or_die(directory), account())


COMMANDS = {"start": start, "start-in-memory": start_in_memory, "stop": stop, "down": down, "up": up}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](os.path.abspath(sys.argv[2]))
