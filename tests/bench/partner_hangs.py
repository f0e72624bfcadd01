#!/usr/bin/python3
"""Bookings of a site whose partners accept every connection and never answer, against the same site without them.

partner_hangs.py BUILD [--database sqlite|postgres] [--bookings 300] [--runs 5] [--p50 1.1] [--p99 1.5]

Two sites of one program run beside each other. One has the modules of partners off; the other has all that this build has
on, each connected to a server that takes what it is sent and says nothing. In each run both take the same number of
bookings (session, summary, create), one buyer after the other, in blocks in turn, so that whatever else the machine does
meets both. Prints each run's p50 and p99 of `create` and of the whole booking, and the median of the runs' ratios; fails
when a median of the whole booking is beyond the bounds. PostgreSQL is the server of SVC_TEST_POSTGRES_FILE.
"""
import argparse
import datetime
import http.client
import json
import pathlib
import socket
import statistics
import sys
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import google_stub  # noqa: E402
from installation import Site, filled_in  # noqa: E402

DAY = (datetime.date.today() + datetime.timedelta(days=60)).isoformat()
CONSENT = {"analytics": True, "marketing": True, "ga_client_id": "1234567890.1700000000",
           "fbp": "fb.1.1700000000000.1234567890"}
BLOCK = 25  # bookings of one site before the other takes its turn


class Silent:
    """Accepts, reads and never answers anything but HEAD; keeps count of what it was sent."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.place = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.url = f"http://{self.place}"
        self.lines, self.held, self.google = [], [], google_stub.Google()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            line, _ = self.listening.accept()
            self.held.append(line)
            threading.Thread(target=self.listen, args=(line,), daemon=True).start()

    def listen(self, line):
        try:
            while got := line.recv(65536):
                if got.startswith(b"HEAD "):  # whether anybody is there, when an endpoint is made
                    line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                elif b" HTTP/1.1\r\n" in got:
                    self.lines.append(got.split(b"\r\n", 1)[0].decode(errors="replace"))
        except OSError:
            pass  # the other side gave up


def connect_mailchimp(site, silent):
    # Its audience is believed while Mailchimp does not answer.
    return site.as_staff("PUT", "/mailchimp/settings", {"api_key": "0123456789abcdef0123456789abcdef-us19",
                                                        "list_id": "a1b2c3d4e5", "sync_on_payment": True})


def connect_webhooks(site, silent):
    return site.as_staff("POST", "/webhooks/endpoints", {"name": "Silent", "url": silent.url + "/hook", "event": "*"})


def connect_analytics(site, silent):
    return site.as_staff("PUT", "/google-analytics/settings", {"measurement_id": "G-ABCDEF1234", "api_secret": "secret-of-ga4",
                                                               "server_side": True})


def connect_pixel(site, silent):
    return site.as_staff("PUT", "/facebook-pixel/settings", {"pixel_id": "123456789012345", "access_token": "EAAsecret",
                                                             "server_side": True})


def connect_calendar(site, silent):
    """Google answers until the calendar is connected, and nothing from then on."""
    google = silent.google
    set_up = site.as_staff("PUT", "/google-calendar/settings", {
        "client_id": google.client_id, "client_secret": google.client_secret, "auto_sync": True, "sync_departures": True,
        "sync_bookings": True})
    assert set_up.status == 200, set_up
    begun = site.as_staff("POST", "/google-calendar/connect", {"calendar": "own"})
    state, code = google.consent(begun.data["auth_url"])
    came = site.call("GET", "/google-calendar/callback?" + urllib.parse.urlencode({"state": state, "code": code}),
                     headers={"Cookie": begun.headers["set-cookie"].split(";")[0]})
    assert came.status == 302, came
    google.fault_for = lambda path: "hang"
    return site.as_staff("GET", "/google-calendar/settings")


# How each module's partner is connected; of the build's modules those that are there.
PARTNERS = {"mailchimp": connect_mailchimp, "webhooks": connect_webhooks, "google_analytics": connect_analytics,
            "facebook_pixel": connect_pixel, "google_calendar": connect_calendar}


class Shop:
    """A site that limits nobody; `silent`: with its partners, which say nothing."""

    def __init__(self, build, database, silent=None):
        environment = {"SVC_PRO_LIBRARY": str(build / "lib/libsvc-pro.so"), "SVC_LISTEN_WORKERS": "4"}
        if silent:
            environment["SVC_OUTBOUND_PRIVATE_HOSTS"] = f"{silent.place},{silent.google.place}"
            environment["SVC_PAYMENT_API_BASES"] = ",".join(
                [f"google_calendar={silent.google.url}", *(f"{name}={silent.url}" for name in ("mailchimp", "google", "meta"))])
        self.site = Site(build / "bin/svc", database, environment=environment).__enter__()
        self.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                      " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        self.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0,
                                                "staff_rate_limit": 0, "auto_confirm_mode": "all"})
        self.modules, self.booked = [], 0
        for slug, connect in PARTNERS.items() if silent else ():
            if self.site.as_staff("POST", f"/modules/{slug}/toggle", {"enabled": True}).status != 200:
                continue  # this build lacks it
            connected = connect(self.site, silent)
            assert connected.status in (200, 201), (slug, connected)
            self.modules.append(slug)
        self.trip = self.site.given_trip(regular_price=80)["id"]
        self.site.given_departure(self.trip, DAY, 100_000)
        self.site.wait_until_all_show(self.trip)
        self.line = http.client.HTTPConnection("127.0.0.1", self.site.servers[0].port, timeout=120)

    def ask(self, method, path, body=None, headers=None):
        sent = {**({"Content-Type": "application/json"} if body else {}), **(headers or {})}
        self.line.request(method, "/svc/v1/booking/" + path, json.dumps(body) if body else None, sent)
        answer = self.line.getresponse()
        text = answer.read()
        assert answer.status in (200, 201), text[:300]
        return json.loads(text)["data"]

    def book(self, count):
        """Milliseconds of each booking and of its create."""
        whole, create = [], []
        for _ in range(count):
            self.booked += 1
            began = time.perf_counter()
            held = {"X-Svc-Session": self.ask("POST", "session", {"trip_id": self.trip, "travel_date": DAY,
                                                                  "travelers_count": 1})["session_id"]}
            self.ask("GET", "summary", None, held)
            asked = time.perf_counter()
            self.ask("POST", "create", filled_in({"contact_last_name": f"Buyer {self.booked}",
                                                  "contact_email": f"buyer{self.booked}@example.org",
                                                  "subscribe_newsletter": True, "payment_gateway": "pay_later",
                                                  "tracking_consent": CONSENT}), held)
            ended = time.perf_counter()
            whole.append((ended - began) * 1000)
            create.append((ended - asked) * 1000)
        return whole, create

    def close(self):
        self.site.check_invariants()
        self.site.__exit__(None, None, None)


def points(times):
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


def run(without, hanging, bookings, turn):
    """p50 and p99 of both sites: whole bookings and creates."""
    times = {without: ([], []), hanging: ([], [])}
    for block in range(bookings // BLOCK):
        for shop in (without, hanging) if (block + turn) % 2 else (hanging, without):
            for kept, more in zip(times[shop], shop.book(BLOCK)):
                kept.extend(more)
    return [[points(part) for part in times[shop]] for shop in (without, hanging)]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    words.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    words.add_argument("--bookings", type=int, default=300)
    words.add_argument("--runs", type=int, default=5)
    words.add_argument("--p50", type=float, default=1.1)
    words.add_argument("--p99", type=float, default=1.5)
    options = words.parse_args()
    silent = Silent()
    without, hanging = Shop(options.build, options.database), Shop(options.build, options.database, silent)
    print(f"{options.database}, partners that hang: {', '.join(hanging.modules)}", flush=True)
    for shop in (without, hanging):
        shop.book(100)  # warm
    ratios, asked = [], len(silent.lines)
    for turn in range(options.runs):
        (whole, create), (whole_hung, create_hung) = run(without, hanging, options.bookings, turn)
        ratios.append([whole_hung[0] / whole[0], whole_hung[1] / whole[1], create_hung[0] / create[0],
                       create_hung[1] / create[1]])
        print(f"run {turn + 1}: booking p50 {whole[0]:6.2f} -> {whole_hung[0]:6.2f} ms ({ratios[-1][0]:.3f}),"
              f" p99 {whole[1]:6.2f} -> {whole_hung[1]:6.2f} ms ({ratios[-1][1]:.3f});"
              f" create p50 {create[0]:6.2f} -> {create_hung[0]:6.2f} ms ({ratios[-1][2]:.3f}),"
              f" p99 {create[1]:6.2f} -> {create_hung[1]:6.2f} ms ({ratios[-1][3]:.3f})", flush=True)
    p50, p99, of_create, of_create_99 = (statistics.median(column) for column in zip(*ratios))
    print(f"median: booking p50 {p50:.3f}, p99 {p99:.3f}; create p50 {of_create:.3f}, p99 {of_create_99:.3f}")
    places = sorted({line.split()[1].split("?")[0].rsplit("/", 1)[0] for line in silent.lines})
    print(f"unanswered requests: {len(silent.lines)}, {len(silent.lines) - asked} of them meanwhile, to {places};"
          f" of the calendar {sum(method != 'GET' for method, _ in silent.google.calls)}")
    for shop in (without, hanging):
        shop.close()
    assert len(silent.lines) > 0, "no partner was ever asked"
    if p50 > options.p50 or p99 > options.p99:
        raise SystemExit(f"beyond the bounds: p50 {options.p50}, p99 {options.p99}")


if __name__ == "__main__":
    main()
