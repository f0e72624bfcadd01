"""What the proofs have in common: the site, buyers that note what they were promised, a proxy, and the figure."""
import collections
import concurrent.futures
import datetime
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site, filled_in, invariants  # noqa: E402, F401

SEED = int(os.environ.get("SVC_PROOF_SEED", "1"))


def arguments(count=1):
    """The server program, the database, and what else the proof was called with."""
    svc, database, *more = sys.argv[1:]
    assert len(more) >= count - 1, __doc__
    return svc, database, more


def figure(text):
    print(f"figure: {text}", flush=True)


def day(ahead=40):
    return (datetime.date.today() + datetime.timedelta(days=ahead)).isoformat()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answered(port, method, path, body=None, headers=None, timeout=30):
    """One request on a connection of its own: (status, headers by their small names, parsed body or None)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        text = None if body is None else json.dumps(body)
        sent = {**({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
        connection.request(method, "/svc/v1" + path, text, sent)
        answer = connection.getresponse()
        text = answer.read()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, told, json.loads(text) if text.startswith(b"{") else None
    finally:
        connection.close()


def ask(*words, **named):
    """As answered() without the headers: (status, parsed body or None)."""
    status, _, answer = answered(*words, **named)
    return status, answer


def compiled(site, name, source, *libraries):
    """A library of this C++, to be loaded before a server's own; its file."""
    text, made = pathlib.Path(site.dir) / f"{name}.cpp", pathlib.Path(site.dir) / f"{name}.so"
    text.write_text(source)
    subprocess.run(["c++", "-O2", "-std=c++17", "-shared", "-fPIC", "-o", made, text, "-ldl", *libraries], check=True)
    return str(made)


def resident(server):
    """KiB of memory of a server."""
    return int(next(line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS")).split()[1])


def not_limited(site):
    """Clients of a proof share one address."""
    assert site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0}).status == 200


class Buyers:
    """Clients that book until told to stop and keep the reference of each booking they were answered."""

    def __init__(self, port_of, trip, clients=8, days=None):
        self.port_of, self.trip, self.days = port_of, trip, days or [day()]
        self.lock = threading.Condition()
        self.acknowledged, self.refused, self.wrong = [], {}, []
        self.cuts = []  # of each request without an answer: after how many seconds, and what was seen instead
        self.ended = threading.Event()
        self.pool = concurrent.futures.ThreadPoolExecutor(clients)
        self.clients = [self.pool.submit(self._buy, number) for number in range(clients)]

    def _ask(self, port, *words):
        return ask(port, *words)

    def _once(self, number, turn):
        port = self.port_of(number)
        status, session = self._ask(port, "POST", "/booking/session", {"trip_id": self.trip, "travel_date": self.days[number % len(self.days)]})
        if status != 201:
            return status, session
        return self._ask(port, "POST", "/booking/create", filled_in({
            "session_id": session["data"]["session_id"], "contact_last_name": f"Of {number}",
            "contact_email": f"ada{number}.{turn}@example.org"}))

    def sold(self, number, booking):
        """For a proof that follows its bookings; under the lock."""

    def expected(self, number, refusal):
        """Whether the proof expects this refusal and counts it itself; under the lock."""
        return False

    def _buy(self, number):
        turn = 0
        while not self.ended.is_set():
            turn += 1
            began = time.monotonic()
            try:
                status, answer = self._once(number, turn)
            except (OSError, http.client.HTTPException, ValueError) as why:
                with self.lock:
                    self.cuts.append((round(time.monotonic() - began, 2), repr(why)))
                time.sleep(0.02)
                continue
            with self.lock:
                # 200: the proxy asked again, as a server died between its commit and its answer; the booking is the one.
                if status in (200, 201):
                    self.acknowledged.append(answer["data"]["reference"])
                    self.sold(number, answer["data"])
                elif self.expected(number, answer):
                    pass
                elif status in (502, 503, 504):
                    self.refused[status] = self.refused.get(status, 0) + 1
                else:
                    self.wrong.append((status, answer))
                self.lock.notify_all()
            if status != 201:
                time.sleep(0.02)

    def wait_for_more(self, count, seconds=60):
        with self.lock:
            goal = len(self.acknowledged) + count
            assert self.lock.wait_for(lambda: len(self.acknowledged) >= goal or self.wrong, seconds), (
                f"nothing is sold: refused {self.refused}, without an answer {self.cuts[-3:]}")
            assert not self.wrong, self.wrong[:3]

    @property
    def cut_off(self):
        return len(self.cuts)

    def stop(self):
        self.ended.set()
        for client in self.clients:
            client.result()
        assert not self.wrong, self.wrong[:3]

    def missing_of(self, stored):
        known = set(stored)
        return [one for one in self.acknowledged if one not in known]


class Asker:
    """Asks the same without pause, each answer timed."""

    def __init__(self, allowed, *request):
        self.allowed, self.request, self.times, self.statuses, self.ended = allowed, request, [], {}, threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended.wait(0.01):
            began = time.monotonic()
            try:
                status, _ = ask(*self.request)
            except (OSError, http.client.HTTPException, ValueError) as why:
                status = repr(why)
            self.times.append(time.monotonic() - began)
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def stop(self):
        """The 99th part of its times."""
        self.ended.set()
        self.thread.join()
        assert set(self.statuses) <= self.allowed, self.statuses
        return sorted(self.times)[int(len(self.times) * 0.99)]


class Watched(Buyers):
    """Notes of each request: its client, when it was begun and answered, its status, and whether that has a Retry-After."""

    def __init__(self, *words, **named):
        self.asked = []
        super().__init__(*words, **named)

    def _ask(self, port, *words):
        began = time.monotonic()
        status, headers, answer = answered(port, *words)
        note = threading.get_ident(), began, time.monotonic(), status, headers.get("retry-after", "").isdigit()
        with self.lock:
            self.asked.append(note)
        return status, answer

    def refused_since(self, moment):
        """How many requests that were begun since then were refused, by client."""
        with self.lock:
            return collections.Counter(client for client, began, _, status, _ in self.asked
                                       if began >= moment and status == 503)


def unmoved(before, during, what):
    """Three times as long at most, or so little that a busy machine explains it."""
    assert during < max(3 * before, 0.05), f"a page took {during} s {what}, {before} s before"
    return f"p99 of pages from memory {what} {during / before:.1f} of {before * 1000:.0f} ms before"


def small_accounts(site, names):
    """Many accounts with the password of the administrator, the one that we know: made at once, where hashing takes long."""
    site.sql(";\n".join(
        "INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, role_id, created_at, updated_at)"
        f" SELECT '{name}', '{name}', '{name}@example.org', '{name}@example.org', password_hash, role_id, 0, 0"
        " FROM svc_users WHERE login = 'boss'" for name in names))


def references(site):
    return [row[0] for row in site.sql("SELECT reference FROM svc_bookings")]


class Nginx:
    """`with Nginx([ports]) as proxy`: one address in front of several servers, asked in turn. `again`: what it asks the
    next one for; `kept`: connections to the servers that it keeps."""

    def __init__(self, ports, again="error timeout http_503 non_idempotent", kept=32):
        self.ports, self.again, self.kept = ports, again, kept

    def __enter__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="svc-nginx-"))
        self.port = free_port()
        servers = "".join(f"server 127.0.0.1:{port} max_fails=0;" for port in self.ports)
        (self.home / "nginx.conf").write_text(
            "daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log error.log error;\n"
            "events { worker_connections 4096; }\n"
            "http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;\n"
            "uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n"
            f"upstream svc {{ {servers} {f'keepalive {self.kept};' if self.kept else ''} }}\n"
            f"server {{ listen 127.0.0.1:{self.port}; location / {{ proxy_pass http://svc; proxy_http_version 1.1;\n"
            'proxy_set_header Connection ""; proxy_connect_timeout 2s; proxy_next_upstream_tries 4;'
            f" proxy_next_upstream {self.again}; }} }} }}\n")
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-p", f"{self.home}/", "-c", f"{self.home}/nginx.conf"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        raise AssertionError("nginx does not listen")

    def taken_and_lost(self):
        """The complaints of a server, except that of a server that was not running."""
        return [line for line in (self.home / "error.log").read_text().splitlines()
                if "connect() failed (111: Connection refused)" not in line]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def random_of(*words):
    return random.Random(" ".join(map(str, (SEED, *words))))
