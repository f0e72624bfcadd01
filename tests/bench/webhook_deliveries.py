"""How long 10,000 deliveries of webhooks to a healthy receiver take beside sales, and what they cost these.

webhook_deliveries.py SVC PRO [sqlite|postgres] [COUNT]: of a release build. The deliveries stand in the database, one of
each booking, as the events of 10,000 bookings leave them; the program finds them by itself. Two buyers book all the
while, and before, alone. Not part of bench.py: one figure of issue 48, the time, is asked for once.
"""
import asyncio
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE.parent / "prove"))
from installation import Site  # noqa: E402
from proving import day  # noqa: E402

BUYERS, QUIET_SECONDS = 2, 8


async def receive():
    """Answers 204 to each request of a connection, and prints the port; in a process of its own."""
    async def serve(reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                at = head.find(b"content-length:")
                if at >= 0:
                    await reader.readexactly(int(head[at + 15:head.index(b"\r", at)]))
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


class Buyers:
    def __init__(self, site, trip):
        self.took, self.over, self.site, self.trip = [], threading.Event(), site, trip
        self.threads = [threading.Thread(target=self._buy, args=(n,)) for n in range(BUYERS)]
        for thread in self.threads:
            thread.start()

    def _buy(self, number):
        while not self.over.is_set():
            began = time.monotonic()
            made = self.site.book(self.trip, day(), name=f"Buyer{number}")
            assert made.status == 201, made
            self.took.append(time.monotonic() - began)

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()
        return f"{len(self.took)} bookings, p50 {statistics.median(self.took) * 1000:.0f} ms"


def fill(site, endpoint, count):
    """Deliveries like the first one, each of a booking of its own."""
    columns = [row[0] for row in site.sql("SELECT name FROM pragma_table_info('svc_webhook_deliveries')"
                                          if site.database == "sqlite" else
                                          "SELECT column_name FROM information_schema.columns"
                                          " WHERE table_name = 'svc_webhook_deliveries'")]
    other = {"id": "n.i + 1000000", "delivery_id": "'bench-' || n.i", "event_uid": "'bench-event-' || n.i",
             "subject_id": "n.i + 1000000", "lane": "n.i % 4", "status": "'queued'", "attempts": "0",
             "next_attempt_at": "source.created_at", "claimed_until": "NULL", "http_status": "NULL",
             "delivered_at": "NULL", "error_message": "NULL"}
    values = ", ".join(other.get(column, f"source.{column}") for column in columns)
    site.sql(f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})"
             f" INSERT INTO svc_webhook_deliveries ({', '.join(columns)}) SELECT {values} FROM n JOIN"
             f" (SELECT * FROM svc_webhook_deliveries WHERE endpoint_id = {endpoint} ORDER BY id LIMIT 1) AS source ON 1 = 1")


def main():
    svc, pro, *more = sys.argv[1:]
    database, count = (more + ["sqlite", "10000"][len(more):])[:2]
    receiver = subprocess.Popen([sys.executable, __file__, "receive"], stdout=subprocess.PIPE, text=True)
    place = f"127.0.0.1:{receiver.stdout.readline().strip()}"
    try:
        with Site(svc, database, servers=0, environment={"SVC_PRO_LIBRARY": os.path.abspath(pro),
                                                         "SVC_OUTBOUND_PRIVATE_HOSTS": place}) as site:
            site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'bench', '', 'active', 'agency', 0, 0)")
            site.start()
            for what in (site.as_staff("POST", "/modules/webhooks/toggle", {"enabled": True}),
                         site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0,
                                                            "staff_rate_limit": 0})):
                assert what.status == 200, what
            trip = site.given_trip()["id"]
            site.given_departure(trip, day(), 100_000)
            site.wait_until_all_show(trip)
            made = site.as_staff("POST", "/webhooks/endpoints", {"name": "Bench", "url": f"http://{place}/ok",
                                                                 "event": "booking.created"})
            assert made.status == 201, made
            endpoint = made.data["id"]
            assert site.book(trip, day()).status == 201
            while site.sql(f"SELECT COUNT(*) FROM svc_webhook_deliveries WHERE endpoint_id = {endpoint}"
                           " AND status = 'delivered'")[0][0] != "1":
                time.sleep(0.1)
            quiet = Buyers(site, trip)
            time.sleep(QUIET_SECONDS)
            alone = quiet.stop()
            buyers = Buyers(site, trip)
            fill(site, endpoint, int(count))
            began = time.monotonic()
            open_ones = "SELECT COUNT(*) FROM svc_webhook_deliveries WHERE status <> 'delivered' AND id > 1000000"
            while site.sql(open_ones)[0][0] != "0":
                assert time.monotonic() - began < 600, "it takes longer than ten minutes"
                time.sleep(0.25)
            took = time.monotonic() - began
            beside = buyers.stop()
            print(f"{count} deliveries in {took:.1f} s ({int(count) / took:.0f} a second) on {database}; beside them"
                  f" {beside}; alone {alone} in {QUIET_SECONDS} s")
    finally:
        receiver.terminate()
        receiver.wait()


if sys.argv[1:] == ["receive"]:
    asyncio.run(receive())
else:
    main()
