"""The rows of bench.py that tell what an import of a table costs, and what it costs others.

import_rows: rows a second, of an idle server. Beside reads and sales of the same server: import_rows_beside, reads_beside_import
(p99; its floor is the idle p99, measured before and after) and sale_beside_import (the slowest of the sales; its floor is the
slowest of as many without the import, so that the difference is what a sale waited for).
"""
import concurrent.futures
import datetime
import http.client
import json
import time

from installation import Site

DAY = (datetime.date.today() + datetime.timedelta(days=60)).isoformat()
IDLE_ROWS, ROWS_A_SECOND, SALES = 20_000, 4_000, 40


def table(first, count):
    return ("email,first_name,last_name,city,phone\n" + "".join(
        f"guest{first + i}@example.org,Guest,Number {first + i},Köln,+49 221 {first + i:07}\n" for i in range(count))).encode()


def started(site, content):
    body = (b'--edge\r\nContent-Disposition: form-data; name="data_types"\r\n\r\ncustomers\r\n'
            b'--edge\r\nContent-Disposition: form-data; name="file"; filename="t.csv"\r\n'
            b"Content-Type: text/csv\r\n\r\n" + content + b"\r\n--edge--\r\n")
    line = http.client.HTTPConnection("127.0.0.1", site.servers[0].port, timeout=60)
    line.request("POST", "/svc/v1/tools/import", body,
                 {**site.staff, "Content-Type": "multipart/form-data; boundary=edge"})
    answer = line.getresponse()
    text = answer.read()
    assert answer.status == 202, text
    line.close()
    return json.loads(text)["data"]["job_id"]


def finished(site, key):
    """The job once it is over; its own times are those of the work alone."""
    while True:
        job = site.as_staff("GET", f"/tools/jobs/{key}").data
        if job["status"] in ("completed", "failed", "cancelled"):
            assert job["status"] == "completed" and job["error_count"] == 0, job
            return job
        time.sleep(0.1)


def seconds_of(job):
    moments = [datetime.datetime.fromisoformat(job[name].replace("Z", "+00:00")) for name in ("started_at", "completed_at")]
    return max((moments[1] - moments[0]).total_seconds(), 0.001)


def sales(site, trip):
    slowest = 0
    for number in range(SALES):
        session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY})
        assert session.status == 201, session
        began = time.monotonic()
        made = site.book(trip, DAY, name=f"Buyer{number}x{time.monotonic_ns()}")
        slowest = max(slowest, time.monotonic() - began)
        assert made.status == 201, made
    return slowest * 1000


def add_rows(bench, database, load):
    with Site(bench.build / "bin/svc", database, environment={"SVC_LISTEN_WORKERS": "4"}, log="server.log") as site:
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        trip = site.given_trip()["id"]
        site.given_departure(trip, DAY, 100_000)
        site.wait_until_all_show(trip)
        rate = IDLE_ROWS / seconds_of(finished(site, started(site, table(0, IDLE_ROWS))))
        bench.row("import_rows", rate, "rows/s")
        port, seconds = site.servers[0].port, max(bench.options.seconds * 2, 4)

        def reads():
            return load(bench.build, port, "get", seconds, 2, target="/svc/v1/trips/public?per_page=10")

        reads()
        before, sold_before = reads(), sales(site, trip)
        rows = int(ROWS_A_SECOND * seconds * 4)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            key = started(site, table(1_000_000, rows))
            while site.as_staff("GET", f"/tools/jobs/{key}").data["processed_records"] == 0:
                time.sleep(0.02)
            reading = pool.submit(reads)
            beside = reading.result()
            sold = sales(site, trip)
            still = site.as_staff("GET", f"/tools/jobs/{key}").data["status"]
            job = finished(site, key)
        after, sold_after = reads(), sales(site, trip)
        print(f"  the import was {still} when the sales ended")
        bench.row("import_rows_beside", rows / seconds_of(job), "rows/s")
        bench.row("reads_beside_import", beside["p99_ms"], "ms p99", max(before["p99_ms"], after["p99_ms"]), beside)
        bench.row("sale_beside_import", sold, "ms", max(sold_before, sold_after))
