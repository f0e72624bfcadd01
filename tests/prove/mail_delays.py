"""R4 by time: how long after a booking was made or cancelled its e-mail is taken by the mail server, while clients of two
servers book and cancel; one e-mail of each, in the order of what happened. With KILLS the mail server fails, hangs and
answers late, and that many times the server that is sending is killed and started again: nothing is lost or overtaken.

mail_delays.py SVC DATABASE healthy BOOKINGS | faults BOOKINGS KILLS
"""
import contextlib
import http.client
import json
import pathlib
import subprocess
import sys
import time

from proving import SEED, Buyers, Site, arguments, ask, day, figure, not_limited, references

SVC, DATABASE, (_, COUNT, *MORE) = arguments(3)
KILLS = int(MORE[0]) if MORE else 0
SINK = pathlib.Path(__file__).parent.parent / "support/smtp_sink.py"
# The customer's mails, in this order, and the moments of their causes; both before the commit.
TOLD = {"booking_confirmation": "created_at", "booking_cancelled": "cancelled_at"}
CLIENTS, PATIENCE = 2, 60
AT_A_TIME = 3  # e-mails that one process sends
LATE, PAUSE = 0.4, 0.5  # seconds
FAULTS = ("--fail", "30", "--hang", "1", "--late", str(round(LATE * 1000)), "--seed", str(SEED)) if KILLS else ()


class Cancelling(Buyers):
    """Cancels every other booking at once."""

    def __init__(self, site, trip):
        self.site, self.cancelled = site, 0
        super().__init__(lambda number: site.servers[number % len(site.servers)].port, trip, CLIENTS)

    def _once(self, number, turn):
        if KILLS:
            time.sleep(PAUSE)  # such a mail server takes few
        return super()._once(number, turn)

    def sold(self, number, booking):
        if len(self.acknowledged) % 2:
            try:
                status, answer = ask(self.port_of(number), "PUT", f"/bookings/{booking['booking_id']}/status",
                                     {"status": "cancelled"}, self.site.staff)
            except (OSError, http.client.HTTPException):
                assert KILLS
                return  # a server that was killed: cancelled or not
            assert status == 200, answer
            self.cancelled += 1


@contextlib.contextmanager
def mailing_site():
    with Site(SVC, DATABASE, servers=0) as site, \
            subprocess.Popen(["/usr/bin/python3", str(SINK), str(site.dir / "mails"), *FAULTS], stdout=subprocess.PIPE,
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


def bring_forward(site):
    """Mails that wait for the next try stop waiting."""
    site.sql("UPDATE svc_email_outbox SET next_attempt_at = 0 WHERE status = 'queued' AND attempts > 0")


def kill_who_sends(site):
    """In the middle of it, and starts another in its place; what the killed one held is free again once the mail server has
    done with what it was given, as it would be a minute later."""
    held = "SELECT leased_by FROM svc_email_outbox WHERE status = 'sending' ORDER BY updated_at DESC LIMIT 1"
    for _ in range(600):
        bring_forward(site)
        pid = next((int(name.split(":")[1]) for name, in site.sql(held)), 0)
        place = next((place for place, server in enumerate(site.servers) if server.process.pid == pid), None)
        if place is not None:
            break
        time.sleep(0.1)
    else:
        raise AssertionError(f"no server of ours sends: {site.sql(held)}")
    site.servers[place].process.kill()
    site.servers[place].process.wait()
    site.start()
    site.servers[place] = site.servers.pop()
    time.sleep(2 * LATE)
    for table, owner, until in (("svc_email_outbox", "leased_by", "lease_until"), ("svc_jobs", "locked_by", "locked_until"),
                                ("svc_domain_events", "leased_by", "lease_until")):
        site.sql(f"UPDATE {table} SET {until} = 0 WHERE {owner} LIKE '%:{pid}:%'")


def until_none_waits(site, trip):
    """A booking wakes the queue, which is otherwise checked each quarter of a minute."""
    end = time.monotonic() + 10 * PATIENCE
    open_ones = ("SELECT (SELECT COUNT(*) FROM svc_email_outbox WHERE status IN ('queued', 'sending'))"
                 " + (SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL)")
    while site.sql(open_ones) != [["0"]]:
        assert time.monotonic() < end, site.sql("SELECT template_key, status, attempts, COUNT(*) FROM svc_email_outbox"
                                                " GROUP BY template_key, status, attempts")
        bring_forward(site)
        assert site.book(trip, day(), "Waker").status == 201
        time.sleep(1)
    assert site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE status <> 'sent'") == [["0"]]


def since_when(site):
    """By the number that an e-mail has in its Message-ID: its booking, what it tells, and since when that is so."""
    return {f"{number}.{created}": (booking, key, int(made if key == "booking_confirmation" else gone) / 1e6)
            for number, created, booking, key, made, gone in site.sql(
                "SELECT e.id, e.created_at, e.booking_id, e.template_key, b.created_at, COALESCE(b.cancelled_at, 0)"
                " FROM svc_email_outbox e JOIN svc_bookings b ON b.id = e.booking_id"
                f" WHERE e.template_key IN {tuple(TOLD)}")}


def checked(site, expected):
    """The delays of all that was told, each in order and once, and how often it was told again after a kill."""
    known, delays, order, seen, again = since_when(site), [], {}, set(), 0
    for line in (site.dir / "mails").read_text().splitlines():
        mail = json.loads(line)
        name = mail["id"].removeprefix("<email-").partition("@")[0]
        if name not in known:
            continue
        booking, key, since = known[name]
        if (booking, key) in seen:
            assert KILLS and order[booking][-1] == key, f"booking {booking} was told twice of {key}"
            again += 1
            continue
        seen.add((booking, key))
        order.setdefault(booking, []).append(key)
        delays.append(mail["at"] - since)
    assert len(delays) == expected, f"{expected} e-mails were due, {len(delays)} came"
    for booking, keys in order.items():
        assert keys == list(TOLD)[:len(keys)], f"booking {booking}: {keys}"
    assert min(delays) > 0, min(delays)
    return sorted(delays), again


def main():
    with mailing_site() as site:
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        site.wait_until_all_show(trip)
        began, buyers = time.monotonic(), Cancelling(site, trip)
        try:
            for kill in range(1, KILLS + 1):
                while len(buyers.acknowledged) < int(COUNT) * kill // (KILLS + 1):
                    buyers.wait_for_more(1)
                kill_who_sends(site)
            while len(buyers.acknowledged) < int(COUNT):
                buyers.wait_for_more(1)
        finally:
            buyers.stop()
        took = time.monotonic() - began
        if KILLS:
            until_none_waits(site, trip)
            assert not buyers.missing_of(references(site))
            made, gone = map(int, site.sql("SELECT COUNT(*), COUNT(cancelled_at) FROM svc_bookings")[0])
            assert gone >= buyers.cancelled > 0
            expected = made + gone
        else:
            expected = len(buyers.acknowledged) + buyers.cancelled
            until_all_are_sent(site, expected)
        site.check_invariants()
        delays, again = checked(site, expected)
        half, late, most = (delays[int(len(delays) * part)] for part in (0.5, 0.99, 0.999999))
        told = (f"lost 0, out of order 0; from the request to the mail server's yes: half within {half:.2f} s, p99"
                f" {late:.2f} s, longest {most:.2f} s")
        if not KILLS:
            figure(f"{len(delays)} e-mails at {len(delays) / took:.0f} a second, repeated 0, {told}")
            return
        # No more than what one process has under way.
        assert again <= AT_A_TIME * KILLS, again
        tries, most_tries = map(int, site.sql("SELECT SUM(attempts), MAX(attempts) FROM svc_email_outbox")[0])
        figure(f"a mail server that fails 30 %, hangs 1 % and answers up to {LATE} s late, senders killed {KILLS}:"
               f" {len(delays)} e-mails, {tries} tries, at most {most_tries} of one, repeated {again}"
               f" ({again / KILLS:.2f} a kill), {told}, the waits between tries brought forward")


if __name__ == "__main__":
    sys.exit(main())
