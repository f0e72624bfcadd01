"""The operator's tools over real sockets: an import that is killed in the middle and goes on, an export that another program
opens, reports and their rows, logs and caches.

tools_test.py SVC DATABASE
"""
import csv
import datetime
import http.client
import io
import json
import pathlib
import sys
import time
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
ROWS = 5_000


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE).__enter__()
        cls.addClassCleanup(cls.site.__exit__, None, None, None)
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
        cls.trip = cls.site.given_trip()["id"]
        cls.site.given_departure(cls.trip, DAY, 50_000)  # more than a slow import leaves time for
        cls.site.wait_until_all_show(cls.trip)

    def raw(self, method, path, body=None, headers=None):
        """Status, headers and the bytes of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.site.servers[-1].port, timeout=60)
        line.request(method, "/svc/v1" + path, body, {**self.site.staff, **(headers or {})})
        answer = line.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        line.close()
        return found

    def upload(self, path, name, content, **fields):
        parts = [f'--edge\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
                 for key, value in fields.items()]
        parts.append(f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
                     "Content-Type: application/octet-stream\r\n\r\n".encode() + content + b"\r\n--edge--\r\n")
        status, _, text = self.raw("POST", path, b"".join(parts),
                                   {"Content-Type": "multipart/form-data; boundary=edge"})
        self.assertEqual(status, 202, text)
        return json.loads(text)["data"]["job_id"]

    def job(self, key):
        return self.site.as_staff("GET", f"/tools/jobs/{key}", server=len(self.site.servers) - 1).data

    def until(self, key, done):
        for _ in range(2400):
            job = self.job(key)
            if done(job):
                return job
            time.sleep(0.05)
        self.fail(f"the job never got there: {job}")

    def finished(self, key):
        return self.until(key, lambda job: job["status"] in ("completed", "failed", "cancelled"))

    def test_1_an_import_that_is_killed_goes_on_where_it_stood_and_loads_each_row_once(self):
        table = "email,first_name,last_name,city\n" + "".join(
            f"guest{i}@example.org,Guest,Number {i},Köln\n" for i in range(ROWS)) + "nobody,No,Address,Bonn\n"
        began = time.monotonic()
        key = self.upload("/tools/import", "customers.csv", table.encode(), data_types="customers")
        self.until(key, lambda job: job["processed_records"] > 0)
        self.site.kill()
        self.site.start()
        # Whoever asks finds it again, with what it has done.
        found = self.site.as_staff("GET", "/tools/jobs?active=1", server=-1).data
        self.assertEqual([job["id"] for job in found], [key])
        # The dead process's lease has ended; another process goes on.
        job = self.finished(key)
        print(f"{ROWS} rows with a kill in between: {time.monotonic() - began:.1f} s")
        self.assertEqual(job["status"], "completed", job)
        self.assertEqual(job["processed_records"], ROWS + 1)
        self.assertEqual(job["error_count"], 1)
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Köln'"), [[str(ROWS)]])
        status, _, errors = self.raw("GET", f"/tools/jobs/{key}/download?file=errors")
        self.assertEqual(status, 200)
        rows = list(csv.reader(io.StringIO(errors.decode())))
        self.assertEqual(len(rows), 2, rows)
        self.assertEqual(rows[1][0], str(ROWS + 2))

    def test_2_an_export_is_an_archive_that_other_programs_open(self):
        began = time.monotonic()
        key = self.site.as_staff("POST", "/tools/export", {"data_types": ["all"]}, server=-1).data["job_id"]
        self.assertEqual(self.finished(key)["status"], "completed")
        print(f"export of {ROWS} customers: {time.monotonic() - began:.1f} s")
        status, headers, content = self.raw("GET", f"/tools/jobs/{key}/download")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/zip"))
        archive = zipfile.ZipFile(io.BytesIO(content))
        self.assertIsNone(archive.testzip())
        manifest = json.loads(archive.read("manifest.json"))
        self.assertEqual(manifest["counts"]["customers"], ROWS)
        lines = archive.read("customers.jsonl").decode().splitlines()
        self.assertEqual(len(lines), ROWS)
        self.assertEqual(json.loads(lines[0])["city"], "Köln")
        self.assertNotIn("user_id", json.loads(lines[0]))
        again = self.finished(self.upload("/tools/import", "export.zip", content))
        self.assertEqual(again["error_count"], 0, again)
        self.assertEqual(again["import_stats"]["customers"]["skipped"], ROWS)

    def test_3_reports_tell_what_was_sold_and_name_its_rows(self):
        for number in range(3):
            self.assertEqual(self.site.book(self.trip, DAY, name=f"Buyer{number}", server=-1).status, 201)
        report = self.site.as_staff("GET", "/reports?type=overview", server=-1).data
        self.assertEqual(report["booking_stats"]["total"], 3)
        self.assertEqual(report["revenue_stats"]["booked_value"], 120)
        rows = self.site.as_staff("GET", "/reports/rows?figure=booked", server=-1).data
        self.assertEqual((rows["count"], rows["amount"]), (3, 120))
        status, _, sheet = self.raw("GET", "/reports/export?type=bookings&format=xlsx")
        self.assertEqual(status, 200)
        self.assertIn("xl/worksheets/sheet1.xml", zipfile.ZipFile(io.BytesIO(sheet)).namelist())

    def test_4_jobs_by_the_clock_logs_and_caches(self):
        ran = self.site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"}, server=-1)
        self.assertEqual(ran.status, 200, ran)
        self.assertEqual(self.site.as_staff("GET", "/tools/logs", server=-1).status, 200)
        status = self.site.as_staff("GET", "/tools/system-status", server=-1).data
        self.assertEqual(status["requirements"]["schema"]["status"], "pass")
        self.assertEqual(self.site.as_staff("DELETE", "/cache/clear-all", server=-1).status, 200)
        self.assertEqual(self.site.call("GET", "/trips/public", server=-1).status, 200)
        self.assertEqual(status["requirements"]["way in"]["status"], "pass")

    def page(self, path):
        """Status, Cache-Control and body of a page as a browser gets it."""
        line = http.client.HTTPConnection("127.0.0.1", self.site.servers[-1].port, timeout=60)
        line.request("GET", path, headers={"Accept-Encoding": "identity"})
        answer = line.getresponse()
        found = answer.status, answer.getheader("Cache-Control"), answer.read()
        line.close()
        return found

    def test_5_pages_are_the_same_without_caches_and_then_nobody_may_keep_them(self):
        paths = ["/", "/trip/harbour-walk"]
        kept = [self.page(path) for path in paths for _ in range(2)]
        self.assertEqual([status for status, _, _ in kept], [200] * 4)
        caches = {each["name"]: each for each in self.site.as_staff("GET", "/cache/stats", server=-1).data["caches"]}
        self.assertGreater(caches["pages"]["entries"], 0)
        self.assertEqual(self.site.as_staff("PUT", "/cache/disable", server=-1).status, 200)
        bare = [self.page(path) for path in paths for _ in range(2)]
        self.assertEqual([body for _, _, body in bare], [body for _, _, body in kept])
        self.assertEqual({keeping for _, keeping, _ in bare}, {"private, no-store"})
        caches = {each["name"]: each for each in self.site.as_staff("GET", "/cache/stats", server=-1).data["caches"]}
        self.assertEqual(caches["pages"]["entries"], 0)
        self.assertEqual(self.site.as_staff("PUT", "/cache/enable", server=-1).status, 200)

    def test_5_an_import_runs_beside_sales_and_both_are_whole(self):
        table = "email,first_name,last_name,city\n" + "".join(
            f"bonn{i}@example.org,Beside,Number {i},Bonn\n" for i in range(ROWS))
        key = self.upload("/tools/import", "customers.csv", table.encode(), data_types="customers")
        slowest = sold = 0
        while (job := self.job(key))["status"] in ("pending", "running") or sold < 10:
            began = time.monotonic()
            made = self.site.book(self.trip, DAY, name=f"Beside{sold}", server=-1)
            slowest = max(slowest, time.monotonic() - began)
            self.assertEqual(made.status, 201, made)
            sold += 1
        print(f"{sold} sales beside an import of {ROWS} rows, the slowest in {slowest * 1000:.0f} ms")
        self.assertEqual((job["status"], job["error_count"]), ("completed", 0), job)
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn' AND first_name = 'Beside'"),
                         [[str(ROWS)]])
        self.assertEqual(self.site.sql("SELECT SUM(booked_count) FROM svc_departures"),
                         self.site.sql("SELECT SUM(seats) FROM svc_booking_departures WHERE released_at IS NULL"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
