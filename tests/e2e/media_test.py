"""Files over real sockets: uploaded by one server, fetched from another, backed up, and whole after a kill.

media_test.py SVC DATABASE
"""
import concurrent.futures
import hashlib
import http.client
import json

import pathlib
import random
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402
from server import Connection  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


def pdf(size, seed=1):
    return b"%PDF-1.4\n" + random.Random(seed).randbytes(size - 9)


def ask(server, method, path, body=None, headers=None):
    connection = Connection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def upload(site, name, data, server=0, **fields):
    parts = [f'--edge\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()]
    parts.append(f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + data)
    headers = {**site.staff, "Content-Type": "multipart/form-data; boundary=edge"}
    return ask(site.servers[server], "POST", "/svc/v1/media", b"".join(parts) + b"\r\n--edge--\r\n", headers)


class Media(unittest.TestCase):
    def test_a_file_is_fetched_as_it_was_uploaded_from_any_server(self):
        with Site(SVC, DATABASE, servers=2, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            data = pdf(7_000_000)
            status, headers, text = upload(site, "route.pdf", data)
            self.assertEqual(status, 201, text)
            path = f"/svc/v1/media/{json.loads(text)['data']['id']}/file"
            for server in site.servers:
                status, headers, body = ask(server, "GET", path)
                self.assertEqual((status, hashlib.sha256(body).digest()), (200, hashlib.sha256(data).digest()))
                self.assertEqual(headers["content-disposition"], 'inline; filename="route.pdf"')
                self.assertIn("immutable", headers["cache-control"])
                status, head, body = ask(server, "HEAD", path)
                self.assertEqual((status, body, head["content-length"]), (200, b"", str(len(data))))
                self.assertEqual(ask(server, "GET", path, headers={"If-None-Match": headers["etag"]})[0], 304)
            self.assertEqual(upload(site, "largest.pdf", pdf(20 << 20))[0], 201)
            self.assertEqual(upload(site, "large.pdf", pdf((20 << 20) + 1))[0], 413)
            self.assertEqual(upload(site, "page.pdf", b"<html><script>alert(1)</script></html>")[0], 415)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:  # the same bytes at once are one file
                answers = list(pool.map(lambda n: upload(site, "same.pdf", pdf(300_000, 2), n % 2), range(8)))
            self.assertEqual(sorted(a[0] for a in answers), [200] * 7 + [201])
            self.assertEqual(len({json.loads(a[2])["data"]["id"] for a in answers}), 1)

            copy = site.dir / "backup"
            site.run("backup", str(copy))
            kept = {p.name for p in (site.dir / "backup.media").rglob("*") if p.is_file()}
            self.assertEqual(kept, {hashlib.sha256(each).hexdigest() for each in (data, pdf(20 << 20), pdf(300_000, 2))})

    def test_a_fetch_that_broke_off_goes_on_where_it_was(self):
        with Site(SVC, DATABASE, servers=1, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            data = pdf(3_000_001)
            path = f"/svc/v1/media/{json.loads(upload(site, 'route.pdf', data)[2])['data']['id']}/file"
            connection = Connection("127.0.0.1", site.servers[0].port, timeout=60)
            whole, tag = b"", None
            # Parts of several sizes on one connection, so that each ends where the next answer begins.
            for size in [1, 65_535, 65_537, 1_000_000, len(data)]:
                asked = {"Range": f"bytes={len(whole)}-{len(whole) + size - 1}", **({"If-Range": tag} if tag else {})}
                connection.request("GET", path, headers=asked)
                answer = connection.getresponse()
                part = answer.read()
                last = min(len(whole) + size, len(data)) - 1
                self.assertEqual((answer.status, answer.headers["Content-Range"], answer.headers["Content-Length"]),
                                 (206, f"bytes {len(whole)}-{last}/{len(data)}", str(len(part))))
                whole, tag = whole + part, answer.headers["ETag"]
            self.assertEqual(whole, data)
            connection.request("GET", path, headers={"Range": f"bytes={len(data)}-"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.headers["Content-Range"], answer.read()),
                             (416, f"bytes */{len(data)}", b""))
            connection.request("GET", path, headers={"Range": "bytes=-5", "If-Range": '"another"'})
            self.assertEqual(connection.getresponse().read(), data)
            connection.close()

    def test_a_row_never_outlives_its_file_when_a_server_is_killed(self):
        with Site(SVC, DATABASE, servers=1, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            def store(number):
                try:
                    return upload(site, "k.pdf", pdf(50_000, 100 + number), -1)[0]
                except (OSError, http.client.HTTPException):
                    return None

            for turn in range(3):
                with concurrent.futures.ThreadPoolExecutor(4) as pool:
                    sent = [pool.submit(store, turn * 40 + n) for n in range(40)]
                    concurrent.futures.wait(sent, return_when=concurrent.futures.FIRST_COMPLETED)
                    site.servers[-1].process.send_signal(signal.SIGKILL)
                site.servers[-1].process.wait()
                site.start()
            rows = site.sql("SELECT id, sha256 FROM svc_media")
            self.assertGreater(len(rows), 2)
            for number, sha256 in rows:
                status, _, body = ask(site.servers[-1], "GET", f"/svc/v1/media/{number}/file")
                self.assertEqual((status, hashlib.sha256(body).hexdigest()), (200, sha256))

    def test_pictures_stored_while_no_job_ran_get_their_copies_when_a_server_starts(self):
        with Site(SVC, DATABASE, servers=1, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            site.run("samples")
            site.servers.pop().__exit__()
            site.sql("UPDATE svc_media SET sizes = '', sizes_made_at = NULL, size_tries = 0")
            site.start()
            for _ in range(1200):
                without = site.sql("SELECT COUNT(*) FROM svc_media WHERE sizes = ''")
                if without == [["0"]]:
                    break
                time.sleep(0.05)
            self.assertEqual(without, [["0"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
