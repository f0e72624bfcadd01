"""The row `webhook`: a signed event of a card charge, from its receipt to the payment that is on disk.

By Pro's gateway `stripe`, which proves an event by its signature alone, so that nothing but this server is measured.
The charges stand in the database beforehand, as their provider would have named them.
"""
import hashlib
import hmac
import http.client
import json
import time

SECRET = "whsec_bench"


def add_row(bench, trip, day, count=300):
    """One client, event after event, over what one thread commits on the bare database."""
    site = bench.site
    library = bench.build / "lib/libsvc-pro.so"
    if not library.exists():
        print("   webhook: no Pro library in this build, no row")
        return
    site.environment["SVC_PRO_LIBRARY"] = str(library)
    server = site.start()
    number = site.servers.index(server)
    saved = site.as_staff("POST", "/payment/gateways/stripe/config", {
        "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1",
        "webhook_secret": SECRET}, server=number)
    assert saved.status == 200, saved
    bookings = []
    for n in range(count):
        made = site.book(trip, day, name=f"Payer{n}", server=number)
        assert made.status == 201, made
        bookings.append((made.data["booking_id"], made.data["amount_due"]))
    now = int(time.time() * 1e6)
    for booking, amount in bookings:
        site.sql("INSERT INTO svc_payment_intents (booking_id, gateway, provider_id, call_key, purpose, amount_minor,"
                 " currency, status, ask_at, expires_at, created_at, updated_at) VALUES"
                 f" ({booking}, 'stripe', 'pi_bench{booking}', 'bench-{booking}', 'checkout', {round(amount * 100)},"
                 f" 'USD', 'requires_action', {now + 10**10}, {now + 10**10}, {now}, {now})")
    before = bench.bare_commits(1)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    times = []
    began = time.monotonic()
    for booking, amount in bookings:
        raw = json.dumps({"id": f"evt_bench{booking}", "object": "event", "type": "payment_intent.succeeded",
                          "data": {"object": {"id": f"pi_bench{booking}", "object": "payment_intent",
                                              "amount": round(amount * 100), "amount_received": round(amount * 100),
                                              "currency": "usd", "status": "succeeded",
                                              "metadata": {"booking_id": str(booking)}}}}).encode()
        at = str(int(time.time()))
        mac = hmac.new(SECRET.encode(), at.encode() + b"." + raw, hashlib.sha256).hexdigest()
        one = time.monotonic()
        connection.request("POST", "/svc/v1/payment/webhook/stripe", raw,
                           {"Content-Type": "application/json", "Card-Signature": f"t={at},v1={mac}"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        times.append((time.monotonic() - one) * 1000)
    per_second = count / (time.monotonic() - began)
    connection.close()
    paid = int(site.sql("SELECT COUNT(*) FROM svc_payments WHERE gateway = 'stripe' AND status = 'completed'")[0][0])
    assert paid == count, f"{paid} of {count} events became payments"
    times.sort()
    figures = {"p50_ms": times[count // 2], "p99_ms": times[count * 99 // 100]}
    bench.row("webhook", per_second, "effects/s", (before + bench.bare_commits(1)) / 2, figures)
    server.process.terminate()
    server.process.wait()
    site.servers.remove(server)
