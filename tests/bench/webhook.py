"""The rows `webhook` and `webhook_statements`: a signed event of a card charge, from its receipt to the payment that
is on disk.

By Pro's gateway `stripe`, which proves an event by its signature alone, so that nothing but this server is measured.
The charges stand in the database beforehand, as their provider would have named them; the events are signed beforehand
and sent by the load tool, one after the other.
"""
import hashlib
import hmac
import http.client
import json
import time

import statements

SECRET = "whsec_bench"
TARGET = "/svc/v1/payment/webhook/stripe"
INTENTS = 1_000_000  # far from the numbers of other rows


def event_of(booking, amount):
    """An event's body and its headers."""
    minor, name = round(amount * 100), f"pi_bench{booking:012}"
    raw = json.dumps({"id": f"evt_bench{booking:012}", "object": "event", "type": "payment_intent.succeeded",
                      "data": {"object": {"id": name, "object": "payment_intent", "amount": minor,
                                          "amount_received": minor, "currency": "usd", "status": "succeeded",
                                          "metadata": {"booking_id": str(booking)}}}})
    at = str(int(time.time()))
    mac = hmac.new(SECRET.encode(), f"{at}.{raw}".encode(), hashlib.sha256).hexdigest()
    return raw, {"Content-Type": "application/json", "Card-Signature": f"t={at},v1={mac}"}


def given_charges(bench, server, trip, day, count):
    """Bookings that are being paid: their ids and what each costs."""
    site, bookings = bench.site, []
    for _ in range(count):
        made = site.book(trip, day, name="Payer", server=site.servers.index(server))
        assert made.status == 201, made
        bookings.append((made.data["booking_id"], made.data["amount_due"]))
    now = int(time.time() * 1e6)
    for booking, amount in bookings:
        site.sql("INSERT INTO svc_payment_intents (id, booking_id, gateway, provider_id, call_key, purpose,"
                 " amount_minor, currency, status, ask_at, expires_at, created_at, updated_at) VALUES"
                 f" ({INTENTS + booking}, {booking}, 'stripe', 'pi_bench{booking:012}', 'bench-{booking}', 'checkout',"
                 f" {round(amount * 100)}, 'USD', 'requires_action', {now + 10**10}, {now + 10**10}, {now}, {now})")
    return bookings


def add_charges(database, booking, count):
    """Charges like that booking's, as it was before it was paid, one for each deed that is done again."""
    def copied(table, source, other):
        columns = database.columns_of(table)
        values = ", ".join(other.get(column, f"source.{column}") for column in columns)
        database.sql(f"WITH RECURSIVE n(i) AS (SELECT {statements.FIRST} UNION ALL SELECT i + 1 FROM n"
                     f" WHERE i < {statements.FIRST + count - 1}) INSERT INTO {table} ({', '.join(columns)})"
                     f" SELECT {values} FROM n JOIN {table} AS source ON source.id = {source}")
    copied("svc_bookings", booking, {"id": "source.id + n.i", "reference": "'BENCH' || n.i", "status": "'pending'",
                                     "payment_status": "'pending'", "amount_paid_minor": "0", "confirmed_at": "NULL"})
    copied("svc_payment_intents", INTENTS + booking, {
        "id": "source.id + n.i", "booking_id": "source.booking_id + n.i", "call_key": "'again-' || n.i",
        "provider_id": "SUBSTR(source.provider_id, 1, LENGTH(source.provider_id) - LENGTH(CAST(n.i AS TEXT))) || n.i",
        "status": "'requires_action'", "reconciliation": "'open'"})


def add_row(bench, trip, day, load, count=300):
    """One client, event after event, over what one thread commits on the bare database."""
    site = bench.site
    library = bench.build / "lib/libsvc-pro.so"
    if not library.exists():
        print("   webhook: no Pro library in this build, no row")
        return
    site.environment["SVC_PRO_LIBRARY"] = str(library)
    server = site.start()
    saved = site.as_staff("POST", "/payment/gateways/stripe/config", {
        "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1",
        "webhook_secret": SECRET}, server=site.servers.index(server))
    assert saved.status == 200, saved
    bookings = given_charges(bench, server, trip, day, count)
    file = site.dir / "events"
    file.write_text("".join("\t".join((TARGET, *(f"{name}: {value}" for name, value in headers.items()), raw)) + "\n"
                            for raw, headers in (event_of(*one) for one in bookings)))
    before = bench.bare_commits(1)
    figures = load(bench.build, server.port, "send", 1, 1, file=file)
    assert figures["good"] == count, figures
    paid = int(site.sql("SELECT COUNT(*) FROM svc_payments WHERE gateway = 'stripe' AND status = 'completed'")[0][0])
    assert paid == count, f"{paid} of {count} events became payments"
    bench.row("webhook", figures["per_second"], "effects/s", (before + bench.bare_commits(1)) / 2, figures)

    # Paid last to first: numbers of bookings that fell while those of new rows rise are not taken for the latter.
    again = given_charges(bench, server, trip, day, 12)[::-1]

    def deed(port, number):
        raw, headers = event_of(*again[number])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", TARGET, raw, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        connection.close()
    statements.add_row(bench, "webhook_statements", lambda: figures["per_second"], "svc_payments", deed,
                       lambda copy, number, deeds: add_charges(copy, again[number][0], deeds))
    server.process.terminate()
    server.process.wait()
    site.servers.remove(server)
