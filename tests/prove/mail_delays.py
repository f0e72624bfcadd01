"""R4 by time: how long after a booking was made or cancelled its e-mail is taken by the mail server, while clients of two
servers book and cancel; one e-mail of each, in the order of what happened.

mail_delays.py SVC DATABASE BOOKINGS
"""
import contextlib
import json
import pathlib
import subprocess
import sys
import time

from proving import Buyers, Site, arguments, ask, day, figure, not_limited

SVC, DATABASE, (COUNT,) = arguments(2)
SINK = pathlib.Path(__file__).parent.parent / "support/smtp_sink.py"
# What a customer is told, in this order, and since when it is so; both before the commit.
TOLD = {"booking_confirmation": "created_at", "booking_cancelled": "cancelled_at"}
CLIENTS, PATIENCE = 2, 60


class Cancelling(Buyers):
    """Cancels every other booking at once."""

    def __init__(self, site, trip):
        self.site, self.cancelled = site, 0
        super().__init__(lambda number: site.servers[number % len(site.servers)].port, trip, CLIENTS)

    def sold(self, number, booking):
        if len(self.acknowledged) % 2:
            status, answer = ask(self.site.servers[number % 2].port, "PUT", f"/bookings/{booking['booking_id']}/status",
                                 {"status": "cancelled"}, self.site.staff)
            assert status == 200, answer
            self.cancelled += 1


@contextlib.contextmanager
def mailing_site():
    with Site(SVC, DATABASE, servers=0) as site, \
            subprocess.Popen(["/usr/bin/python3", str(SINK), str(site.dir / "mails")], stdout=subprocess.PIPE,
                             text=True) as sink:
        try:
            port = int(sink.stdout.readline().split()[1])
            site.environment["SVC_OUTBOUND_PRIVATE_HOSTS"] = f"127.0.0.1:{port}"
            for _ in range(2):
                site.start()
            not_limited(site)
            saved = site.as_staff("PUT", "/settings", {
                "from_email": "office@example.org", "admin_email": "", "smtp_enabled": True, "smtp_host": "127.0.0.1",
                "smtp_port": port, "smtp_encryption": "none"})
            assert saved.status == 200 and not saved.data.get("rejected_keys"), saved
            time.sleep(1.5)  # until the other process has heard of it, as promised
            yield site
        finally:
            sink.kill()


def until_all_are_sent(site, expected):
    """However many wait: as long as some more are sent each minute."""
    sent, end = -1, 0
    while sent < expected:
        before, sent = sent, int(site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent' AND template_key IN"
                                          f" {tuple(TOLD)}")[0][0])
        end = time.monotonic() + PATIENCE if sent > before else end
        assert time.monotonic() < end, site.sql("SELECT template_key, status, COUNT(*) FROM svc_email_outbox"
                                                " GROUP BY template_key, status")
        time.sleep(0.1)


def since_when(site):
    """By the number that an e-mail has in its Message-ID: its booking, what it tells, and since when that is so."""
    return {f"{number}.{created}": (booking, key, int(made if key == "booking_confirmation" else gone) / 1e6)
            for number, created, booking, key, made, gone in site.sql(
                "SELECT e.id, e.created_at, e.booking_id, e.template_key, b.created_at, COALESCE(b.cancelled_at, 0)"
                " FROM svc_email_outbox e JOIN svc_bookings b ON b.id = e.booking_id"
                f" WHERE e.template_key IN {tuple(TOLD)}")}


def checked(site, expected):
    """The delays of all that was told, each once and in order."""
    known, delays, order, seen = since_when(site), [], {}, set()
    for line in (site.dir / "mails").read_text().splitlines():
        mail = json.loads(line)
        name = mail["id"].removeprefix("<email-").partition("@")[0]
        if name not in known:
            continue
        booking, key, since = known[name]
        assert (booking, key) not in seen, f"booking {booking} was told twice of {key}"
        seen.add((booking, key))
        order.setdefault(booking, []).append(key)
        delays.append(mail["at"] - since)
    assert len(delays) == expected, f"{expected} e-mails were due, {len(delays)} came"
    for booking, keys in order.items():
        assert keys == list(TOLD)[:len(keys)], f"booking {booking}: {keys}"
    assert min(delays) > 0, min(delays)
    return sorted(delays)


def main():
    with mailing_site() as site:
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        site.wait_until_all_show(trip)
        began, buyers = time.monotonic(), Cancelling(site, trip)
        try:
            while len(buyers.acknowledged) < int(COUNT):
                buyers.wait_for_more(1)
        finally:
            buyers.stop()
        took = time.monotonic() - began
        expected = len(buyers.acknowledged) + buyers.cancelled
        until_all_are_sent(site, expected)
        site.check_invariants()
        delays = checked(site, expected)
        half, late, most = (delays[int(len(delays) * part)] for part in (0.5, 0.99, 0.999999))
        figure(f"{len(delays)} e-mails at {len(delays) / took:.0f} a second, lost 0, repeated 0, out of order 0; from the"
               f" request to the mail server's yes: half within {half:.2f} s, p99 {late:.2f} s, longest {most:.2f} s")


if __name__ == "__main__":
    sys.exit(main())
