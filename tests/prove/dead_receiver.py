"""R5: very many e-mails due at once to a mail server that refuses, then to one that takes the connection and says nothing:
pages and bookings are answered all the same, few tries are made, each e-mail's keep their distance and end, and what was
given up is listed.

dead_receiver.py SVC DATABASE EMAILS SECONDS
"""
import contextlib
import socket
import sys
import time

from proving import Site, arguments, day, figure, free_port, not_limited

SVC, DATABASE, (COUNT, SECONDS) = arguments(3)
MINUTES = (1, 5, 15, 60, 240)  # between the tries of one e-mail, a fifth more or less
IN_A_RUN = 3  # failures, then the server is left alone
FAR = 10**17  # microseconds


def given_server(site, port):
    saved = site.as_staff("PUT", "/settings", {
        "from_email": "office@example.org", "admin_email": "", "smtp_enabled": True, "smtp_host": "127.0.0.1",
        "smtp_port": port, "smtp_encryption": "none"})
    assert saved.status == 200 and not saved.data["rejected_keys"], saved


def given_emails(site, count):
    """Of no booking, so that none waits for another."""
    site.sql("INSERT INTO svc_email_outbox (template_key, event_key, locale, to_email, cc, bcc, from_email, from_name,"
             " reply_to, subject, body_html, body_text, dedupe_key, status, next_attempt_at, created_at, updated_at)"
             " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + str(count) + ")"
             " SELECT 'booking_confirmation', '', '', 'ada@example.org', '', '', 'office@example.org', '', '', 'due',"
             " '<p>due</p>', 'due', 'dead:' || i, 'queued', 0, 0, 0 FROM n")


def tries(site):
    return int(site.sql("SELECT COALESCE(SUM(attempts), 0) FROM svc_email_outbox")[0][0])


def processor_seconds(server):
    words = open(f"/proc/{server.process.pid}/stat").read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100


def kept_distance(site):
    """Of each that waits for its next try."""
    for number, wait in site.sql("SELECT attempts, next_attempt_at - updated_at FROM svc_email_outbox WHERE status = 'queued'"
                                 f" AND attempts > 0 AND next_attempt_at BETWEEN 1 AND {FAR - 1}"):
        minutes = int(wait) / 60e6 / MINUTES[int(number) - 1]
        assert 0.79 < minutes < 1.21, (number, wait)


def goes_on(site, trip, what):
    """Pages and bookings, each of which wakes the queue: the tries meanwhile are few, and nothing spins."""
    before, began, spent = tries(site), time.monotonic(), processor_seconds(site.servers[0])
    took, booked = [], 0
    while time.monotonic() - began < float(SECONDS):
        at = time.monotonic()
        assert site.call("GET", f"/trips/{trip}/available-dates").status == 200
        took.append(time.monotonic() - at)
        assert site.book(trip, day()).status == 201
        booked += 1
        time.sleep(0.2)
    kept_distance(site)
    made = tries(site) - before
    # A run for each that wakes the queue, and one each minute.
    assert 0 < made <= IN_A_RUN * (2 * booked + 1 + float(SECONDS) / 60), (made, booked)
    spent = processor_seconds(site.servers[0]) - spent
    rested = processor_seconds(site.servers[0])
    time.sleep(2)  # nobody asks
    rested = processor_seconds(site.servers[0]) - rested
    assert rested < 1, f"{rested} s of processor time in 2 s in which nobody asked"
    figure(f"{what}: {booked} bookings and pages beside, the longest page {max(took) * 1000:.0f} ms; {made} tries,"
           f" {spent:.2f} s of processor time in {SECONDS} s, then {rested:.2f} s in 2 s of rest")


def ends(site, trip):
    """The clock of three e-mails brought forward until they are given up: their tries, and that they are told of."""
    site.sql(f"UPDATE svc_email_outbox SET next_attempt_at = {FAR} WHERE status = 'queued'")
    chosen = [one for one, in site.sql("SELECT id FROM svc_email_outbox WHERE dedupe_key LIKE 'dead:%' AND attempts = 0"
                                       f" ORDER BY id DESC LIMIT {IN_A_RUN}")]
    ids = ", ".join(chosen)
    for number in range(1, len(MINUTES) + 2):
        site.sql(f"UPDATE svc_email_outbox SET next_attempt_at = 0 WHERE status = 'queued' AND id IN ({ids})")
        for _ in range(300):
            assert site.book(trip, day()).status == 201
            if site.sql(f"SELECT COUNT(*) FROM svc_email_outbox WHERE id IN ({ids}) AND attempts = {number}"
                        " AND status <> 'sending'") == [[str(len(chosen))]]:
                break
            time.sleep(0.1)
        else:
            raise AssertionError(site.sql(f"SELECT id, status, attempts, error FROM svc_email_outbox WHERE id IN ({ids})"))
        kept_distance(site)
    states = site.sql(f"SELECT DISTINCT status, attempts FROM svc_email_outbox WHERE id IN ({ids})")
    assert states == [["failed", str(len(MINUTES) + 1)]], states
    told = site.run("failed")
    assert all(f"mail {one} " in " ".join(told.split()) for one in chosen), told
    site.sql(f"UPDATE svc_email_outbox SET next_attempt_at = 0 WHERE id IN ({ids})")
    assert site.book(trip, day()).status == 201
    time.sleep(1)
    assert site.sql(f"SELECT DISTINCT attempts FROM svc_email_outbox WHERE id IN ({ids})") == [
        [str(len(MINUTES) + 1)]]
    figure(f"given up after {len(MINUTES) + 1} tries, {', '.join(map(str, MINUTES))} minutes apart, and listed")


def main():
    port = free_port()
    with Site(SVC, DATABASE, environment={"SVC_OUTBOUND_PRIVATE_HOSTS": f"127.0.0.1:{port}"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        site.wait_until_all_show(trip)
        given_emails(site, COUNT)
        given_server(site, port)
        goes_on(site, trip, f"{COUNT} e-mails due, a mail server that refuses")
        ends(site, trip)
        site.sql("UPDATE svc_email_outbox SET next_attempt_at = 0 WHERE status = 'queued'")
        with contextlib.closing(socket.create_server(("127.0.0.1", port), backlog=64)):
            goes_on(site, trip, "one that says nothing")


if __name__ == "__main__":
    sys.exit(main())
