"""Pictures of a former WordPress site: fetched from where they are, stored once, bounded, and told of one by one.

legacy_test.py SVC DATABASE
"""
import http.server
import json
import pathlib
import struct
import sys
import threading
import time
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402
from server import Connection  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


def png(red, size=64):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\x00" + bytes([red, 80, 160]) * size for _ in range(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Former(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        answers = {"/a.png": png(10), "/b.png": png(200), "/script.png": b"<html>no picture</html>",
                   "/large.png": b"x" * (30 << 20),
                   **{f"/place{number}.png": png(20 + number) for number in range(4)}}
        if self.path == "/inside.png":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest/meta-data")
            self.end_headers()
        elif body := answers.get(self.path):
            self.send_response(200)
            self.end_headers()
            try:
                self.wfile.write(body)
            except ConnectionError:
                pass  # it asked for less
        else:
            self.send_response(404)
            self.end_headers()

    def log_message(self, *words):
        pass


def meta(key, value):
    return f"<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"


def post(number, kind, title, inside):
    return (f"<item><title>{title}</title><wp:post_id>{number}</wp:post_id><wp:post_name>{title.lower().replace(' ', '-')}"
            f"</wp:post_name><wp:status>publish</wp:status><wp:post_type>{kind}</wp:post_type>{inside}</item>")


class Legacy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.former = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Former)
        threading.Thread(target=cls.former.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.former.shutdown)
        address = f"127.0.0.1:{cls.former.server_address[1]}"
        cls.root = "http://" + address
        cls.site = Site(SVC, DATABASE, environment={"SVC_OUTBOUND_PRIVATE_HOSTS": address}).__enter__()
        cls.addClassCleanup(cls.site.__exit__, None, None, None)
        cls.site.as_staff("PUT", "/settings", {"api_rate_limit": 0})  # it asks often how far a job is

    def upload(self, content):
        body = (b'--edge\r\nContent-Disposition: form-data; name="file"; filename="export.xml"\r\n\r\n' + content.encode()
                + b"\r\n--edge--\r\n")
        line = Connection("127.0.0.1", self.site.servers[0].port, timeout=60)
        line.request("POST", "/svc/v1/migration/upload", body,
                     {**self.site.staff, "Content-Type": "multipart/form-data; boundary=edge"})
        answer = line.getresponse()
        text = answer.read()
        line.close()
        self.assertEqual(answer.status, 200, text)
        return json.loads(text)["data"]["staged"]

    def migrated(self):
        key = self.site.as_staff("POST", "/migration/migrate-all", {}).data["job_id"]
        for _ in range(1200):
            job = self.site.as_staff("GET", f"/tools/jobs/{key}").data
            if job["status"] in ("completed", "failed", "cancelled"):
                return job
            time.sleep(0.05)
        self.fail(f"the migration never ended: {job}")

    def test_pictures_are_fetched_once_within_bounds_and_what_fails_is_named(self):
        names = ["a.png", "b.png", "a.png", "missing.png", "script.png", "large.png", "inside.png"]
        pictures = "".join(post(100 + i, "attachment", f"Picture {i}",
                                f"<wp:attachment_url>{self.root}/{name}</wp:attachment_url>")
                           for i, name in enumerate(names))
        ids = ",".join(str(100 + i) for i in range(len(names)))
        export = ('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" '
                  'xmlns:wp="http://wordpress.org/export/1.2/"><channel>'
                  + post(7, "tour", "Nile cruise", meta("yatra_tour_meta_regular_price", "500")
                         + meta("_thumbnail_id", "101") + meta("yatra_tour_meta_gallery", ids))
                  + pictures + "</channel></rss>")
        self.assertEqual(self.upload(export)["pictures"], 1)
        job = self.migrated()
        self.assertEqual(job["status"], "completed", job)
        self.assertEqual(job["import_stats"]["pictures"]["migrated"], 1, job)
        trip = self.site.call("GET", "/trips/public/nile-cruise").data
        self.assertEqual(len(trip["gallery_images"]), 2, trip["gallery_images"])
        self.assertIsNotNone(trip["featured_image"], trip)
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_media"), [["2"]])
        self.assertEqual(Former.asked.count("/a.png"), 1)
        line = Connection("127.0.0.1", self.site.servers[0].port)
        line.request("GET", f"/svc/v1/tools/jobs/{job['id']}/download?file=errors", headers=self.site.staff)
        errors = line.getresponse().read().decode()
        line.close()
        for name in ("missing.png", "script.png", "large.png", "inside.png"):
            self.assertIn(name, errors)
        asked = len(Former.asked)
        self.assertEqual(self.migrated()["import_stats"]["pictures"]["skipped"], 1)
        self.assertEqual(len(Former.asked), asked)

    def test_pictures_of_places_arrive_whichever_plugin_stored_them(self):
        keys = {"destination": ["destination_image_id", "category-image-id", "wp_travel_trip_type_image_id"],
                "activity": ["activity_image_id"]}
        terms = "".join(
            f"<wp:term><wp:term_id>{number}</wp:term_id><wp:term_taxonomy>{kind}</wp:term_taxonomy>"
            f"<wp:term_slug>place-{number}</wp:term_slug><wp:term_name><![CDATA[Place {number}]]></wp:term_name>"
            f"<wp:termmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{200 + number}]]></wp:meta_value>"
            f"</wp:termmeta></wp:term>"
            + post(200 + number, "attachment", f"Place picture {number}",
                   f"<wp:attachment_url>{self.root}/place{number}.png</wp:attachment_url>")
            for number, (kind, key) in enumerate((kind, key) for kind in keys for key in keys[kind]))
        self.upload('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" '
                    'xmlns:wp="http://wordpress.org/export/1.2/"><channel>' + terms + "</channel></rss>")
        job = self.migrated()
        self.assertEqual(job["import_stats"]["pictures"]["migrated"], 4, job)
        for number, slug in enumerate(["destinations", "destinations", "destinations", "activities"]):
            found = [one for one in self.site.as_staff("GET", f"/{slug}").data if one["slug"] == f"place-{number}"]
            self.assertIsNotNone(found[0]["featured_image"], found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
