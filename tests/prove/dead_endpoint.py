"""R5: very many messages due at once to an endpoint of webhooks that takes no connection: another endpoint gets its own as
soon as before, few tries are made, each message's keep their distance and end, what was given up is listed, and what waited
behind it goes on.

dead_endpoint.py SVC DATABASE PRO MESSAGES SECONDS
"""
import os
import sys
import time

from proving import Site, arguments, day, figure, not_limited  # it adds the folder of the next one

import hook_receiver

SVC, DATABASE, (PRO, COUNT, SECONDS) = arguments(4)
WAITS = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)  # seconds between the tries of one message, a tenth more at most
AT_ONCE, REST = 4, 5  # requests to one endpoint; seconds that it is left alone when it did not answer
FAR = 10**17  # microseconds
FIRST = 10**9  # subjects that no booking has


def microseconds():
    return time.time_ns() // 1000


class Hooks:
    """A site with an endpoint that answers, one that is pinged to wake the job, and one that has gone."""

    def __init__(self, site, alive, dead):
        self.site, self.alive = site, alive
        site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                 " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        assert site.as_staff("POST", "/modules/webhooks/toggle", {"enabled": True}).status == 200
        not_limited(site)
        self.trip = site.given_trip()["id"]
        site.given_departure(self.trip, day(), 100_000)
        site.wait_until_all_show(self.trip)
        self.endpoint(alive.url + "/ok/beside", "booking.created")
        self.waker = self.endpoint(alive.url + "/ok/waker", "booking.expired")
        self.dead = self.endpoint(dead.url + "/ok", "booking.expired")
        dead.close()

    def endpoint(self, url, event):
        made = self.site.as_staff("POST", "/webhooks/endpoints", {"name": url, "url": url, "event": event})
        assert made.status == 201, made
        return made.data["id"]

    def wake(self):
        assert self.site.as_staff("POST", f"/webhooks/endpoints/{self.waker}/ping", {}).status == 200

    def given_messages(self, count, first=FIRST):
        self.site.sql(
            "INSERT INTO svc_webhook_deliveries (endpoint_id, delivery_id, event_uid, event_key, subject_type, subject_id, lane,"
            f" payload, status, next_attempt_at, created_at) WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n"
            f" WHERE i < {first + int(count) - 1}) SELECT {self.dead}, 'dead-' || i, 'evt-' || i, 'booking.expired', 'booking',"
            f" i, i % {AT_ONCE}, '{{}}', 'queued', 0, {microseconds()} FROM n")

    def tries(self):
        return int(self.site.sql("SELECT COALESCE(SUM(attempts), 0) FROM svc_webhook_deliveries"
                                 f" WHERE endpoint_id = {self.dead}")[0][0])

    def delays(self, seconds):
        """From the answer to a booking to its message, while one books."""
        answered, began = {}, time.monotonic()
        while time.monotonic() - began < seconds:
            made = self.site.book(self.trip, day(), headers=self.site.staff)
            assert made.status == 201, made
            answered[made.data["booking_id"]] = time.monotonic()
            time.sleep(0.2)
        for _ in range(600):
            got = {message["data"]["booking"]["id"]: one["at"] for message, one in
                   zip(self.alive.messages("/ok/beside"), self.alive.at("/ok/beside"))}
            if set(answered) <= set(got):
                return sorted(max(0.0, got[booking] - at) for booking, at in answered.items())
            time.sleep(0.1)
        raise AssertionError(f"{len(set(answered) - set(got))} of {len(answered)} messages never came")


def stays_polite(hooks):
    seconds = float(SECONDS)
    before = hooks.delays(min(seconds, 10))
    hooks.given_messages(COUNT)
    began = time.monotonic()
    beside = hooks.delays(seconds)
    made, took = hooks.tries(), time.monotonic() - began
    assert 0 < made <= AT_ONCE + took / REST + 1, (made, took)
    assert beside[-1] < max(3 * before[-1], 5), f"{beside[-1]} s, {before[-1]} s before"
    figure(f"{COUNT} messages due to an endpoint that takes no connection: {made} tries in {took:.0f} s; a booking's message to"
           f" another one after {before[len(before) // 2]:.2f} s before, {beside[len(beside) // 2]:.2f} s meanwhile, at most"
           f" {beside[-1]:.2f} s")


def brought_forward(hooks, ids, number):
    """The clock of these messages, until each had that many tries."""
    listed, began, seen = ", ".join(ids), microseconds(), {}
    hooks.site.sql(f"UPDATE svc_webhook_deliveries SET next_attempt_at = 0 WHERE id IN ({listed})")
    for _ in range(600):
        hooks.site.sql(f"UPDATE svc_webhook_endpoints SET resume_at = NULL WHERE id = {hooks.dead}")
        hooks.wake()
        time.sleep(0.1)
        for one, attempts, status, due in hooks.site.sql(
                "SELECT id, attempts, status, COALESCE(next_attempt_at, 0) FROM svc_webhook_deliveries"
                f" WHERE id IN ({listed}) AND status <> 'delivering' AND attempts = {number}"):
            seen.setdefault(one, (began, microseconds(), status, int(due)))
        if len(seen) == len(ids):
            return seen
    raise AssertionError(hooks.site.sql(f"SELECT id, status, attempts FROM svc_webhook_deliveries WHERE id IN ({listed})"))


def ends(hooks):
    hooks.site.sql(f"UPDATE svc_webhook_deliveries SET next_attempt_at = {FAR} WHERE endpoint_id = {hooks.dead}")
    hooks.given_messages(3, FIRST + 10**8)
    ids = [one for one, in hooks.site.sql("SELECT id FROM svc_webhook_deliveries WHERE endpoint_id ="
                                          f" {hooks.dead} AND subject_id >= {FIRST + 10**8} ORDER BY id")]
    hooks.site.sql(  # of the same booking as the last of them, and due all the time
        "INSERT INTO svc_webhook_deliveries (endpoint_id, delivery_id, event_uid, event_key, subject_type, subject_id, lane, payload,"
        " status, next_attempt_at, created_at) SELECT endpoint_id, 'behind', 'behind', event_key, subject_type, subject_id, lane,"
        f" payload, 'queued', 0, created_at FROM svc_webhook_deliveries WHERE id = {ids[-1]}")

    def behind():
        return int(hooks.site.sql("SELECT attempts FROM svc_webhook_deliveries WHERE delivery_id = 'behind'")[0][0])
    for number in range(1, len(WAITS) + 2):
        assert behind() == 0, f"sent before the message ahead of it had ended, after {number - 1} tries of that"
        seen = brought_forward(hooks, ids, number)
        for began, noticed, status, due in seen.values():
            if number > len(WAITS):
                assert status == "permanent_failure", seen
                continue
            wait = WAITS[number - 1] * 10**6
            assert status == "failed" and began + wait <= due <= noticed + wait * 1.1, (number, seen)
    for _ in range(300):
        hooks.site.sql(f"UPDATE svc_webhook_endpoints SET resume_at = NULL WHERE id = {hooks.dead}")
        hooks.wake()
        if behind() > 0:
            break
        time.sleep(0.1)
    assert behind() > 0, "what waited behind it did not go on"
    told = hooks.site.as_staff("GET", "/webhooks/deliveries/dead-letter").data
    assert told["total"] == len(ids) and {str(one["id"]) for one in told["recent"]} == set(ids), told
    assert hooks.site.sql("SELECT DISTINCT attempts FROM svc_webhook_deliveries WHERE status = 'permanent_failure'") == [
        [str(len(WAITS) + 1)]]
    figure(f"given up after {len(WAITS) + 1} tries, {', '.join(map(str, WAITS))} seconds apart, and listed; the next message of the"
           " same booking follows then")


def main():
    alive, dead = hook_receiver.Receiver(), hook_receiver.Receiver()
    try:
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                              "SVC_OUTBOUND_PRIVATE_HOSTS": f"{alive.place},{dead.place}"}) as site:
            hooks = Hooks(site, alive, dead)
            stays_polite(hooks)
            ends(hooks)
    finally:
        alive.close()


if __name__ == "__main__":
    sys.exit(main())
