"""R2: payments told of by every door at once. Each is confirmed, brought by the provider's event, by the browser on its
way back and recorded and edited by staff, dozens of times over several servers; meanwhile one of these is killed and
started again. At the end each payment took effect once: one completed record, one event, one mail of each kind, and
the sums of the provider, of the payments and of the bookings are the same.

payment_storm.py SVC DATABASE ROUNDS CALLS    CALLS: of each of the payments of a round
"""
import collections
import concurrent.futures
import http.client
import itertools
import json
import sys
import threading
import time

from proving import Site, answered, arguments, day, figure, not_limited, random_of
from paypal_stub import PayPalStub

SVC, DATABASE, (ROUNDS, CALLS) = arguments(3)
SERVERS = 4 if DATABASE == "postgres" else 3
TOGETHER, CLIENTS, PRICE = 6, 12, 80  # payments of a round
MORE = 20  # rounds at most, until both staff and provider told of one first
ALLOWED = {"confirm": {200}, "event": {200}, "return": {302}, "record": {201, 409}, "edit": {200, 409}, "note": {200}}


class Payment:
    def __init__(self, site, paypal, number, trip):
        made = site.book(trip, day(), f"Ada{number}", server=number % len(site.servers))
        assert made.status == 201, made
        self.booking, self.token, self.number = made.data["booking_id"], made.data["booking_token"], number
        self.address = {"X-Forwarded-For": f"198.51.{number // 250}.{1 + number % 250}"}
        begun = site.call("POST", "/payment/create-intent", {"gateway": "paypal", "booking_id": self.booking}, self.address)
        assert begun.status == 200, begun
        self.order = begun.data["payment_id"]
        self.key = site.sql(f"SELECT call_key FROM svc_payment_intents WHERE provider_id = '{self.order}'")[0][0]
        paypal.approve(self.order)
        if number % 2:  # the provider takes the money by itself: whoever tells of it may be the first
            with paypal.lock:
                paypal.known[self.key + "-capture"] = paypal.capture(paypal.orders[self.order])


class Storm:
    """The possible faults of a payment, and its results."""

    def __init__(self, site, paypal, trip, chance):
        self.site, self.paypal, self.trip, self.chance = site, paypal, trip, chance
        self.seen, self.wrong, self.done = collections.Counter(), [], 0
        self.changed = threading.Condition()

    def ask(self, server, method, path, body=None, headers=None):
        """Status and data; None: no answer, as the server was killed."""
        for _ in range(40):
            try:
                status, told, answer = answered(self.site.servers[server].port, method, path, body, headers)
            except (OSError, http.client.HTTPException, ValueError):
                return None, None
            if status != 503:
                return status, (answer or {}).get("data")
            time.sleep(0.1)
        return status, None

    def captured(self, payment):
        with self.paypal.lock:
            captures = self.paypal.orders[payment.order]["purchase_units"][0]["payments"].get("captures")
            return json.loads(json.dumps(captures[0])) if captures else None

    def confirm(self, payment, server):
        return self.ask(server, "POST", "/payment/confirm", {"gateway": "paypal", "booking_id": payment.booking,
                                                             "transaction_id": payment.order},
                        {"X-Svc-Booking-Token": payment.token})

    def returning(self, payment, server):
        return self.ask(server, "GET", f"/payment/callback/paypal?intent={payment.key}&token={payment.order}", None,
                        {"X-Forwarded-For": f"198.52.{payment.number % 250}.{self.chance.randrange(250)}"})

    def event(self, payment, server, capture):
        kind = self.chance.choice(["", f"-{self.chance.randrange(10)}"])  # the same again, or another of the same money
        raw, genuine = self.paypal.event("PAYMENT.CAPTURE.COMPLETED", capture, f"WH-{payment.order}{kind}")
        return self.ask(server, "POST", "/payment/webhook/paypal", json.loads(raw), genuine)

    def record(self, payment, server, capture):
        body = {"booking_id": payment.booking, "amount": PRICE, "gateway": "paypal", "transaction_id": capture["id"],
                "status": self.chance.choice(["completed", "pending"])}
        return self.ask(server, "POST", "/payments", body, self.site.staff)

    def edit(self, payment, server):
        """Staff open the record and save it as they found it, a note more, or as completed."""
        status, rows = self.ask(server, "GET", f"/bookings/{payment.booking}/payments", None, self.site.staff)
        if status != 200 or not rows:
            return status, rows
        row = self.chance.choice(rows)
        body = self.chance.choice([{"status": "completed"}, {"notes": f"seen by server {server}"},
                                   {"amount": PRICE, "status": "completed", "notes": "it came"},
                                   {"transaction_id": row["transaction_id"], "status": row["status"]}])
        return self.ask(server, "PUT", f"/payments/{row['id']}", body, self.site.staff)

    def act(self, payment, server, name):
        capture = self.captured(payment)
        if name in ("event", "record") and not capture:
            name = "confirm"
        if name == "event":
            return name, *self.event(payment, server, capture)
        if name == "record":
            return name, *self.record(payment, server, capture)
        if name == "edit":
            return name, *self.edit(payment, server)
        if name == "note":
            return name, *self.ask(server, "PUT", f"/bookings/{payment.booking}", {"internal_notes": "x"}, self.site.staff)
        return name, *(self.returning if name == "return" else self.confirm)(payment, server)

    def call(self, payment, server, name):
        """A client without an answer asks the next server."""
        for more in range(len(self.site.servers)):
            said, status, data = self.act(payment, (server + more) % len(self.site.servers), name)
            with self.changed:
                self.done += 1
                self.seen[said if status else "unanswered"] += 1
                if status and status not in ALLOWED[said]:
                    self.wrong.append((said, status, data, payment.booking))
                self.changed.notify_all()
            if status:
                return

    def kill_one(self, at):
        """One server is killed when so many calls were answered, and started again."""
        with self.changed:
            self.changed.wait_for(lambda: self.done >= at)
        victim = self.chance.randrange(len(self.site.servers))
        server = self.site.servers[victim]
        server.process.kill()
        server.process.wait()
        self.site.start(port=server.port)
        self.site.servers[victim] = self.site.servers.pop()

    def round(self, payments):
        self.call(payments[1], 0, "record")  # staff are the first here
        names = ["confirm"] * 4 + ["event", "return", "record", "edit"] * 2 + ["note"]
        calls = [(payment, self.chance.randrange(len(self.site.servers)), self.chance.choice(names))
                 for payment in payments for _ in range(int(CALLS))]
        self.chance.shuffle(calls)
        killer = threading.Thread(target=self.kill_one,
                                  args=(self.done + len(calls) // 10 + self.chance.randrange(len(calls) // 2),))
        killer.start()
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            for future in [pool.submit(self.call, *call) for call in calls]:
                future.result()
        killer.join()
        for payment in payments:  # the money is there in the end, whatever staff noted last
            self.call(payment, self.chance.randrange(len(self.site.servers)), "confirm")


def counted(site):
    """Of each booking: completed payments, events of these, mails of each kind, what is paid."""
    rows = {int(row[0]): {"paid": int(row[1]), "status": row[2], "mails": collections.Counter(), "events": 0}
            for row in site.sql("SELECT id, amount_paid_minor, status FROM svc_bookings")}
    for row in site.sql("SELECT booking_id, COUNT(*), SUM(amount_minor) FROM svc_payments WHERE status = 'completed'"
                        " GROUP BY booking_id"):
        rows[int(row[0])].update(effects=int(row[1]), taken=int(row[2]))
    for (told,) in site.sql("SELECT arguments FROM svc_domain_events WHERE name = 'svc_payment_completed'"):
        rows[json.loads(told)[0]["booking_id"]]["events"] += 1
    for booking, template, count in site.sql("SELECT booking_id, template_key, COUNT(*) FROM svc_email_outbox"
                                             " WHERE booking_id IS NOT NULL GROUP BY booking_id, template_key"):
        rows[int(booking)]["mails"][template] = int(count)
    return rows


def amiss(rows):
    mails = ("payment_received", "booking_confirmed")
    return {booking: row for booking, row in rows.items()
            if (row.get("effects"), row.get("taken"), row["paid"], row["status"], row["events"]) !=
            (1, PRICE * 100, PRICE * 100, "confirmed", 1) or [row["mails"][mail] for mail in mails] != [1, 1]
            or any(count != 1 for count in row["mails"].values())}


def settled(site):
    """All events are dispatched: those of the dead are taken over at once, by a server that starts then."""
    for server in site.servers:
        server.process.kill()
        server.process.wait()
    site.sql("UPDATE svc_domain_events SET lease_until = 1 WHERE dispatched_at IS NULL")
    site.start()
    until = time.monotonic() + 120
    while site.sql("SELECT id FROM svc_domain_events WHERE dispatched_at IS NULL") and time.monotonic() < until:
        time.sleep(0.1)
    return counted(site)


def main():
    chance = random_of("payments", DATABASE)
    with PayPalStub() as paypal, Site(SVC, DATABASE, servers=SERVERS, environment={
            "SVC_PRO_LIBRARY": "none", **paypal.environment}) as site:
        not_limited(site)
        # Whoever tells of the payment first, it confirms: the mails are the same then.
        assert site.as_staff("PUT", "/settings", {"auto_confirm_mode": "all"}).status == 200
        saved = site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": PayPalStub.CLIENT, "client_secret": PayPalStub.SECRET,
            "webhook_id": PayPalStub.WEBHOOK})
        assert saved.status == 200, saved
        trip = site.given_trip(regular_price=PRICE)["id"]
        site.given_departure(trip, day(), 10_000)
        site.wait_until_all_show(trip)
        time.sleep(1.5)
        storm = Storm(site, paypal, trip, chance)
        for number in itertools.count():
            by_hand = int(site.sql("SELECT COUNT(*) FROM svc_payments WHERE source = 'manual'")[0][0])
            # A few payments may all be told by the provider first, or all by staff: then there are more of them.
            if number >= int(ROUNDS) and (0 < by_hand < number * TOGETHER or number == int(ROUNDS) + MORE):
                break
            storm.round([Payment(site, paypal, number * TOGETHER + one, trip) for one in range(TOGETHER)])
            assert not storm.wrong, storm.wrong[:5]
        rows = settled(site)
        wrong, payments = amiss(rows), number * TOGETHER
        assert not wrong and len(rows) == payments, list(wrong.items())[:3]
        captures = sum(round(float(capture["amount"]["value"]) * 100) for capture in paypal.captures.values())
        assert captures == sum(row["taken"] for row in rows.values()) == payments * PRICE * 100, captures
        assert len(paypal.captures) == payments and 0 < by_hand < payments, (len(paypal.captures), by_hand)
        assert all(storm.seen[name] for name in ALLOWED) and storm.seen["unanswered"], storm.seen
        effects, events = (sum(row[what] for row in rows.values()) / payments for what in ("effects", "events"))
        mails = sum((row["mails"] for row in rows.values()), collections.Counter())
        twice = next(iter(rows))  # what would be seen if one had taken effect twice
        rows[twice]["events"] += 1
        assert list(amiss(rows)) == [twice]
        figure(f"payments {payments} over {SERVERS} servers, killed {number} times; calls {dict(sorted(storm.seen.items()))};"
               f" first told by staff {by_hand}; effects per payment {effects:.3f}, svc_payment_completed {events:.3f},"
               f" mails {', '.join(f'{kind} {count / payments:.3f}' for kind, count in sorted(mails.items()))};"
               f" provider, payments and bookings {captures / 100:.2f} each")


if __name__ == "__main__":
    sys.exit(main())
