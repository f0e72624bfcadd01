"""The operator's tools over real sockets: an import that is killed in the middle and goes on, an export that another program
opens, reports and their rows, logs and caches.

tools_test.py SVC DATABASE
"""
import csv
import datetime
import io
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import unittest
import zipfile

import openpyxl

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402
from server import Connection  # noqa: E402

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
        line = Connection("127.0.0.1", self.site.servers[-1].port, timeout=60)
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
            f"guest{i}@example.org,{'Guest' if i < ROWS // 2 else 'Slow'},Number {i},Köln\n" for i in range(ROWS)) + "nobody,No,Address,Bonn\n"
        began = time.monotonic()
        with self.site.slow_customers("Slow"):  # it is under way until it is killed
            key = self.upload("/tools/import", "customers.csv", table.encode(), data_types="customers")
            self.until(key, lambda job: job["processed_records"] > 0)
            self.site.kill()
        self.site.start()
        # Whoever asks finds it again, with what it has done.
        found = self.site.as_staff("GET", "/tools/jobs?active=1", server=-1).data
        self.assertEqual([job["id"] for job in found], [key])
        # The dead process's lease has ended; another process goes on.
        job = self.finished(key)
        print(f"\nfigure: an import of {ROWS} rows with a kill in between: {time.monotonic() - began:.1f} s")
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
        print(f"\nfigure: an export of {ROWS} customers: {time.monotonic() - began:.1f} s")
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
        # Both files of each report hold the same cells; in XLSX numbers are numbers, so that they can be added up.
        paths = [f"/reports?type={kind}" for kind in ("overview", "bookings", "revenue", "trips", "customers", "payments")]
        paths += [f"/reports/export?type={kind}" for kind in ("revenue", "bookings", "customers", "departures", "payments")]
        for path in [*paths, "/travelers?page=1"]:
            with self.subTest(path=path):
                said, sheet = self.table_and_sheet(path)
                self.assertEqual(said, [[self.as_said(cell) for cell in row] for row in sheet.iter_rows()])
        said, sheet = self.table_and_sheet("/reports/export?type=bookings")
        amounts = [row[said[0].index("amount")] for row in sheet.iter_rows(min_row=2, values_only=True)]
        self.assertEqual((len(amounts), sum(amounts)), (3, 120))
        self.assertEqual(sheet.freeze_panes, "A2")
        booked = [row[said[0].index("booked_at")] for row in sheet.iter_rows(min_row=2, values_only=True)]
        self.assertTrue(all(isinstance(one, datetime.datetime) for one in booked), booked)

    def test_3_lists_are_saved_whole_and_both_files_hold_the_same_cells(self):
        table = "email,first_name\n" + "".join(f"whole{i}@example.org,Whole\n" for i in range(2_500))
        self.finished(self.upload("/tools/import", "customers.csv", table.encode(), data_types="customers"))
        total = self.site.as_staff("GET", "/customers?per_page=1", server=-1).json["meta"]["total"]
        said, sheet = self.table_and_sheet("/customers/export?order=asc")
        self.assertEqual(len(said) - 1, total)
        self.assertEqual(len({row[said[0].index("id")] for row in said[1:]}), total)
        self.assertEqual(said, [[self.as_said(cell) for cell in row] for row in sheet.iter_rows()])
        for path in ("/bookings/export?status=all", "/trips/export?orderby=id", "/departures/export?search=", "/payments/export?page=7"):
            with self.subTest(path=path):
                said, sheet = self.table_and_sheet(path)
                self.assertEqual(said, [[self.as_said(cell) for cell in row] for row in sheet.iter_rows()])

    def test_3_an_upload_beyond_its_bound_is_refused_before_it_is_read(self):
        for path in ("/media", "/tools/import", "/tools/import/preview", "/migration/upload"):
            with self.subTest(path=path):
                line = socket.create_connection(("127.0.0.1", self.site.servers[-1].port), timeout=60)
                size = (200 << 20) + (1 << 20)
                head = (f"POST /svc/v1{path} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\nContent-Type:"
                        " multipart/form-data; boundary=edge\r\n")
                head = (head + "".join(f"{k}: {v}\r\n" for k, v in self.site.staff.items()) + "\r\n").encode()
                line.sendall(head)
                self.assertIn(b" 413 ", line.recv(4096).split(b"\r\n")[0])  # to a client that waits
                line.close()
                line = socket.create_connection(("127.0.0.1", self.site.servers[-1].port), timeout=60)
                line.sendall(head)
                sent, answer = 0, b""
                line.settimeout(0.05)
                while sent < size and not answer:  # as a client that does not wait
                    try:
                        sent += line.send(b"x" * min(1 << 20, size - sent))
                        answer = line.recv(4096)
                    except TimeoutError:
                        pass
                    except (ConnectionResetError, BrokenPipeError):
                        break
                line.close()
                self.assertTrue(not answer or b" 413 " in answer.split(b"\r\n")[0], answer[:200])
                self.assertLess(sent, 64 << 20)

    def table_and_sheet(self, path):
        """The rows of the CSV file, filled up to the same length, and the sheet of the XLSX file."""
        status, _, table = self.raw("GET", path + "&format=csv")
        self.assertEqual(status, 200, table)
        status, _, book = self.raw("GET", path + "&format=xlsx")
        self.assertEqual(status, 200, book)
        rows = list(csv.reader(io.StringIO(table.decode("utf-8-sig"))))
        width = max(map(len, rows))
        return [row + [""] * (width - len(row)) for row in rows], openpyxl.load_workbook(io.BytesIO(book)).active

    @staticmethod
    def as_said(cell):
        """A cell of a sheet as the CSV file writes it: a number with the decimals that its format shows, a text that
        spreadsheet programs would take for a formula with a mark before it."""
        if cell.is_date:
            return cell.value.strftime("%Y-%m-%d" if cell.number_format.endswith("dd") else "%Y-%m-%d %H:%M")
        if cell.data_type == "n" and cell.value is not None:
            return f"{cell.value:.{len(cell.number_format.partition('.')[2])}f}"
        text = "" if cell.value is None else cell.value
        return "'" + text if text.startswith(("=", "+", "-", "@")) else text

    def test_4_a_file_of_travelers_is_corrected_and_goes_back_in(self):
        for name in ("Lovelace", "Hopper"):
            self.assertEqual(self.site.book(self.trip, DAY, name=name, server=-1).status, 201)

        def table():
            status, _, content = self.raw("GET", "/travelers?format=csv&orderby=id&order=asc")
            self.assertEqual(status, 200, content)
            return content.decode("utf-8-sig")

        def imported(rows):
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            return self.finished(self.upload("/tools/import", "travelers.csv", text.getvalue().encode(),
                                             data_types="travelers", mode="update"))

        before = table()
        rows = list(csv.reader(io.StringIO(before)))
        head, last = rows[0], rows[-1]
        same = imported(rows)
        self.assertEqual((same["import_stats"]["travelers"]["skipped"], same["error_count"]), (len(rows) - 1, 0), same)
        self.assertEqual(table(), before)
        last[head.index("first_name")] = "Grace"
        edited = imported(rows)
        self.assertEqual(edited["import_stats"]["travelers"]["updated"], 1, edited)
        self.assertEqual(list(csv.reader(io.StringIO(table()))), rows)
        undo = self.site.as_staff("POST", f"/tools/jobs/{edited['id']}/undo", server=-1).data["job_id"]
        self.assertEqual(self.finished(undo)["status"], "completed")
        self.assertEqual(table(), before)
        last[head.index("traveler_id")], last[head.index("first_name")] = "999999999", "Grace"
        wrong = imported(rows)
        self.assertEqual(wrong["import_stats"]["travelers"]["failed"], 1, wrong)
        self.assertEqual(wrong["failures"][0]["line"], len(rows))
        self.assertTrue(wrong["failures"][0]["problem"].startswith("traveler_id: "), wrong)
        self.assertEqual(table(), before)

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
        line = Connection("127.0.0.1", self.site.servers[-1].port, timeout=60)
        line.request("GET", path, headers={"Accept-Encoding": "identity"})
        answer = line.getresponse()
        found = answer.status, answer.getheader("Cache-Control"), answer.read()
        line.close()
        return found

    def test_4_an_item_is_cleared_in_this_process_or_in_every_one(self):
        other = self.site.start()
        try:
            here, there = len(self.site.servers) - 2, len(self.site.servers) - 1
            dates = f"/trips/{self.trip}/available-dates"
            key = f"dates:{self.trip}"

            def holds(server):
                return bool(self.site.as_staff("GET", f"/cache/view?search={key}", server=server).data["total_items"])

            def filled():
                for server in (here, there):
                    for _ in range(100):
                        self.site.call("GET", dates, server=server)
                        if holds(server):
                            break
                        time.sleep(0.05)
                    self.assertTrue(holds(server))

            filled()
            cleared = self.site.as_staff("DELETE", f"/cache/clear-item?type=memory&key={key}", server=here).data
            self.assertEqual((cleared["cleared"], cleared["type"]), (1, "memory"))
            unknown = self.site.as_staff("DELETE", "/cache/clear-item?type=store&key=nothing:1", server=here).data
            self.assertEqual(unknown["cleared"], 0)
            time.sleep(1.5)  # a process hears of another one's change within a second
            self.assertTrue(holds(there))
            filled()
            cleared = self.site.as_staff("DELETE", f"/cache/clear-item?type=store&key={key}", server=here).data
            self.assertEqual((cleared["cleared"], cleared["type"]), (1, "store"))
            self.assertFalse(holds(here))
            for _ in range(100):
                if not holds(there):
                    break
                time.sleep(0.05)
            self.assertFalse(holds(there))
        finally:
            self.site.servers.remove(other)
            other.__exit__()

    def memory(self):
        """The most that the server ever held, in MiB."""
        status = pathlib.Path(f"/proc/{self.site.servers[-1].process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def refusal_of(self, head, pieces=()):
        """The first line and the body of what answers such a request, and how much of it the server took."""
        line = socket.create_connection(("127.0.0.1", self.site.servers[-1].port), timeout=60)
        taken = 0
        with line:
            line.sendall(head)
            try:
                for piece in pieces:
                    line.sendall(piece)
                    taken += len(piece)
            except OSError:
                pass  # it was refused before it ended
            answer = b""
            try:
                while part := line.recv(65536):
                    answer += part
            except OSError:
                pass
        return answer.split(b"\r\n", 1)[0].decode(), answer.decode(errors="replace"), taken

    def test_6_a_table_of_two_gigabytes_is_refused_before_it_is_taken(self):
        size, before = 2 << 30, self.memory()
        head = "POST /svc/v1/tools/import HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in self.site.staff.items())
        form = "Content-Type: multipart/form-data; boundary=edge\r\n"
        status, answer, _ = self.refusal_of(f"{head}{form}Content-Length: {size}\r\n\r\n".encode())
        self.assertIn(" 413 ", status)
        self.assertIn("svc_payload_too_large", answer)
        self.assertIn("The request is too large.", answer)
        # Without its size beforehand it is refused at the bound; the rest is thrown away for a moment, as it comes.
        piece = b"x" * (1 << 20)
        chunks = (b"100000\r\n" + piece + b"\r\n" for _ in range(size >> 20))
        status, _, taken = self.refusal_of(f"{head}{form}Transfer-Encoding: chunked\r\n\r\n".encode(), chunks)
        self.assertTrue(" 413 " in status or not status, status)
        grown = self.memory() - before
        print(f"\nfigure: a table of 2 GiB refused, the server grew by {grown:.0f} MiB")
        self.assertLess(grown, 128)
        self.assertEqual(self.site.as_staff("GET", "/tools/jobs?active=1", server=-1).data, [])
        # By the command line, of a file with nothing but holes: nothing of it is copied.
        table = self.site.dir / "huge.csv"
        with table.open("wb") as file:
            file.write(b"email,first_name\nhuge@example.org,Huge\n")
            file.truncate(size)
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        began = time.monotonic()
        done = subprocess.run([self.site.svc, "import", str(table), "--kind", "customers"], cwd=self.site.dir,
                              env={**clean, **self.site.environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        print(f"\nfigure: a table of 2 GiB refused by the command line after {time.monotonic() - began:.1f} s")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("larger than 1024 MiB. Split it", done.stderr)
        self.assertEqual(list((self.site.dir / "var").rglob("*.upload")), [])
        table.unlink()

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
        print(f"\nfigure: {sold} sales beside an import of {ROWS} rows, the slowest in {slowest * 1000:.0f} ms")
        self.assertEqual((job["status"], job["error_count"]), ("completed", 0), job)
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn' AND first_name = 'Beside'"),
                         [[str(ROWS)]])
        self.assertEqual(self.site.sql("SELECT SUM(booked_count) FROM svc_departures"),
                         self.site.sql("SELECT SUM(seats) FROM svc_booking_departures WHERE released_at IS NULL"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
