"""Starts a server on free ports, reads from its own words where it listens, and ends it by its id."""
import contextlib
import http.client
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time

start_seconds = 600  # with many trips under callgrind it takes minutes; a server that ends is noticed at once


class Connection(http.client.HTTPConnection):
    """One that is closed by a reset: the side that closes in the ordinary way keeps its port for a minute, and tests that
    make thousands of connections would leave none to servers that ask the system for a free one."""

    def connect(self):
        super().connect()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Server:
    """`with Server([...command...], cwd=...) as server`: listening inside, gone afterwards."""

    def __init__(self, command, cwd, environment=None, log=None, port=0, has_children=False):
        """`log`: a file that takes standard error instead of this process, which reads it no further than the start:
        for measuring, where a reader would take the server's processor time. `has_children`: the command runs the
        server, and both end together."""
        self.lines = []
        self._log = log
        self._heard = threading.Condition()
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        self.process = subprocess.Popen(
            [*map(str, command), "--listen-port", str(port), "--admin-port", "0"], cwd=cwd,
            env={**clean, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(log, "w") if log else subprocess.PIPE, text=True, errors="replace",
            process_group=0 if has_children else None)
        self._has_children = has_children
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        try:
            self.port = int(self.heard(r"listening on http://[^ ]*?:(\d+)", start_seconds)[1])
            self.admin_port = int(self.heard(r"metrics on http://[^ ]*?:(\d+)")[1])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._has_children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stderr:
            self.process.stderr.close()

    def _until_listening(self):
        with open(self._log, errors="replace") as file:
            while self.process.poll() is None:
                if line := file.readline():
                    yield line
                    if "listening on" in line:
                        return
                else:
                    time.sleep(0.01)

    def _read(self):
        for line in self._until_listening() if self._log else self.process.stderr:
            with self._heard:
                self.lines.append(line.rstrip("\n"))
                self._heard.notify_all()
        with self._heard:
            self.lines.append(None)
            self._heard.notify_all()

    def heard(self, pattern, seconds=60):
        """Waits until a line on standard error matches; the match."""
        def look():
            return next((m for line in self.lines if line and (m := re.search(pattern, line))), None)
        with self._heard:
            self._heard.wait_for(lambda: look() or None in self.lines, seconds)
            found = look()
        assert found, f"never said {pattern!r}:\n" + "\n".join(line or "(end)" for line in self.lines)
        return found

    def ask(self, target, method="GET", body=None, headers=None, admin=False, timeout=60):
        """One request on a connection of its own: (status, headers, body text)."""
        connection = Connection("127.0.0.1", self.admin_port if admin else self.port, timeout=timeout)
        try:
            connection.request(method, target, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()
