"""The rows `beside_slow_gateway …`: the p99 of other routes while a gateway's provider takes five seconds an answer.

Sixteen callers keep the gateway busy, four times as many as have threads of their own for it; the same routes are
measured without them, in turn, in the same run.
"""
import concurrent.futures
import threading

import provider_stub

SECONDS_AN_ANSWER = 5
CALLERS = 16


class SlowStripe(provider_stub.Stripe):
    def answer(self, handler, method, text):
        self.over.wait(SECONDS_AN_ANSWER)
        super().answer(handler, method, text)


def add_rows(bench, booking, load):
    site = bench.site
    library = bench.build / "lib/libsvc-pro.so"
    if not library.exists():
        print("   beside_slow_gateway: no Pro library in this build, no rows")
        return
    stripe = SlowStripe("sk_test_1")
    kept = dict(site.environment)
    site.environment |= {"SVC_PRO_LIBRARY": str(library), "SVC_OUTBOUND_PRIVATE_HOSTS": stripe.place,
                         "SVC_PAYMENT_API_BASES": f"stripe={stripe.url}"}
    server = site.start()
    number = site.servers.index(server)
    site.environment.clear()
    site.environment.update(kept)
    saved = site.as_staff("POST", "/payment/gateways/stripe/config", {
        "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1"}, server=number)
    assert saved.status == 200, saved
    token = [f"X-Svc-Booking-Token: {booking['booking_token']}"]
    routes = (("trips_public", {"target": "/svc/v1/trips/public"}),
              ("payment_status", {"target": f"/svc/v1/payment/status/{booking['booking_id']}", "header": token}))
    over, answers = threading.Event(), []

    def keep_busy():
        while not over.is_set():
            status, _, _ = server.ask("/svc/v1/payment/gateways/stripe/test", "POST", None, site.staff)
            answers.append(status)
            if status == 503:  # the lane is full: as it should be
                over.wait(0.2)
    quiet = {name: [] for name, _ in routes}
    beside = {name: [] for name, _ in routes}
    with concurrent.futures.ThreadPoolExecutor(CALLERS) as callers:
        for _ in range(3):
            for name, what in routes:
                quiet[name].append(load(bench.build, server.port, "get", bench.options.seconds, **what))
            over.clear()
            busy = [callers.submit(keep_busy) for _ in range(CALLERS)]
            over.wait(1)
            for name, what in routes:
                beside[name].append(load(bench.build, server.port, "get", bench.options.seconds, **what))
            over.set()
            for one in busy:
                one.result()
    assert 200 in answers, f"the gateway was never asked: {set(answers)}"
    for name, _ in routes:
        before, with_it = (sorted(runs[name], key=lambda f: f["p99_ms"])[1] for runs in (quiet, beside))
        assert with_it["bad"] == 0, with_it
        bench.row(f"beside_slow_gateway {name}", with_it["p99_ms"], "ms p99", before["p99_ms"], with_it)
    server.process.terminate()
    server.process.wait()
    site.servers.remove(server)
    stripe.close()
