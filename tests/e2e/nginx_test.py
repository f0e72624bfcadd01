"""The whole site behind nginx, set up by packaging/nginx.conf.example: what visitors and staff open, large uploads, and
what a client that asks too often is answered.

nginx_test.py SVC DATABASE
"""
import http.client
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """`with Proxy(secure, plain) as proxy`: nginx with the example's file, listening for https and http on these ports;
    the nodes are named by `passes_to`."""

    def __init__(self, secure, plain):
        self.secure, self.plain, self.process = secure, plain, None

    def __enter__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="svc-nginx-"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.home / "key.pem", "-out",
                        self.home / "cert.pem"], check=True, capture_output=True)
        self.trust = ssl.create_default_context(cafile=str(self.home / "cert.pem"))
        return self

    def passes_to(self, ports, rate="50r/s", burst=200):
        text = (ROOT / "packaging/nginx.conf.example").read_text()
        nodes = iter(ports)

        def replaced(pattern, new, count=1):
            nonlocal text
            text, done = re.subn(pattern, new, text)
            assert done == count, (pattern, done)
        # Addresses and certificates are an operator's own; all else is as the file has it.
        replaced(r"server 10\.0\.0\.\d+:8080", lambda _: f"server 127.0.0.1:{next(nodes)}", 2)
        replaced(r"listen 443", f"listen 127.0.0.1:{self.secure}")
        replaced(r"listen 80;", f"listen 127.0.0.1:{self.plain};")
        replaced(r"(?m)^\s*listen \[::\].*\n", "", 2)
        replaced(r"/etc/letsencrypt/\S+fullchain\.pem", str(self.home / "cert.pem"))
        replaced(r"/etc/letsencrypt/\S+privkey\.pem", str(self.home / "key.pem"))
        replaced(r"rate=50r/s", f"rate={rate}")
        replaced(r"burst=200", f"burst={burst}")
        (self.home / "nginx.conf").write_text(
            "daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log error.log error;\n"
            "events { worker_connections 512; }\n"
            "http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;\n"
            "uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n" + text + "}\n")
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-e", f"{self.home}/error.log", "-p", f"{self.home}/", "-c",
                                         f"{self.home}/nginx.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            with socket.socket() as probe:
                # From an address of its own: from 127.0.0.1 the probe may be given the very port, and meet itself.
                probe.bind(("127.0.0.2", 0))
                if probe.connect_ex(("127.0.0.1", self.secure)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("nginx ended: " + (self.home / "error.log").read_text())

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def line(self, secure=True):
        if secure:
            return http.client.HTTPSConnection("127.0.0.1", self.secure, timeout=120, context=self.trust)
        return http.client.HTTPConnection("127.0.0.1", self.plain, timeout=120)

    def ask(self, method, target, body=None, headers=None, secure=True):
        line = self.line(secure)
        try:
            line.request(method, target, body, headers or {})
            answer = line.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")
        finally:
            line.close()


class BehindNginx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        secure, plain = free_port(), free_port()
        cls.proxy = cls.enterClassContext(Proxy(secure, plain))
        cls.site = cls.enterClassContext(Site(SVC, DATABASE, servers=0, environment={
            "SVC_SITE_URL": f"https://127.0.0.1:{secure}", "SVC_PRO_LIBRARY": "none"}))
        servers = [cls.site.start() for _ in range(2)]
        cls.proxy.passes_to([server.port for server in servers])
        made = cls.ask_as_staff("POST", "/trips", '{"title": "Harbour walk", "summary": "By the water.",'
                                ' "regular_price": 40, "duration": 1, "status": "publish"}')
        assert made[0] == 201, made

    @classmethod
    def ask_as_staff(cls, method, path, body=None, kind="application/json"):
        return cls.proxy.ask(method, "/svc/v1" + path, body, {**cls.site.staff, "Content-Type": kind})

    def shown(self, target, status=200):
        """An address through the proxy; a node that did not see a trip published shows it within a second."""
        for _ in range(100):
            answer = self.proxy.ask("GET", target)
            if answer[0] == status:
                break
            time.sleep(0.1)
        self.assertEqual(answer[0], status, (target, answer))
        self.assertNotIn("nginx", answer[2].lower() if "html" in answer[1].get("Content-Type", "") else "")
        return answer

    def test_visitors_and_staff_reach_every_part_of_the_site(self):
        home = self.shown("/")[2]
        self.assertIn("<title>", home)
        # All files that the page names on this site.
        files = {found for found in re.findall(r'(?:src|href)="(/[^"#]+\.(?:js|css|svg|png|webp|woff2)[^"]*)"', home)}
        self.assertTrue(files, home[:2000])
        for file in files:
            self.shown(file.replace("&amp;", "&"))
        for _ in range(100):  # a node that did not publish the trip follows within a second
            trip = self.shown("/svc/v1/trips/public")
            if "Harbour walk" in trip[2]:
                break
            time.sleep(0.1)
        permalink = re.search(r'"permalink":"([^"]+)"', trip[2])[1].replace("\\/", "/")
        self.assertEqual(urllib.parse.urlsplit(permalink).port, self.proxy.secure)
        self.assertIn("Harbour walk", self.shown(urllib.parse.urlsplit(permalink).path)[2])
        account = self.proxy.ask("GET", "/account")
        self.assertIn(account[0], (302, 303), account)
        there = urllib.parse.urlsplit(account[1]["Location"])
        self.assertIn("<form", self.shown(there.path + ("?" + there.query if there.query else ""))[2])
        self.assertIn("Sitemap:", self.shown("/robots.txt")[2])
        self.assertIn("<", self.shown("/sitemap.xml")[2])
        self.assertIn("<script", self.shown("/admin")[2])
        self.assertIn(self.proxy.ask("GET", "/docs")[0], (200, 302, 303, 307, 308))
        # What is not there is the site's own page.
        self.shown("/no/such/page", 404)

    def test_the_session_of_a_user_works_over_tls_alone(self):
        password = self.site.password.split()[-1]
        signed = self.proxy.ask("POST", "/svc/v1/auth/login", f'{{"username": "boss", "password": "{password}"}}',
                                {"Content-Type": "application/json"})
        self.assertEqual(signed[0], 200, signed)
        self.assertIn("Secure", signed[1]["Set-Cookie"])
        plain = self.proxy.ask("GET", "/account?a=1", secure=False)
        self.assertEqual((plain[0], plain[1]["Location"]), (301, "https://127.0.0.1/account?a=1"))

    def test_a_large_export_of_wordpress_reaches_a_node(self):
        head = ('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"'
                ' xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Old</title>'
                '<wp:wxr_version>1.2</wp:wxr_version>')
        item = ('<item><title>Old walk</title><wp:post_id>7</wp:post_id><wp:post_type>tour</wp:post_type>'
                '<wp:status>publish</wp:status></item>')
        text = head + item + "<!--" + "x" * (25 << 20) + "-->" + "</channel></rss>"
        mark = "mark-of-the-parts"
        body = (f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="old.xml"\r\n'
                f"Content-Type: text/xml\r\n\r\n{text}\r\n--{mark}--\r\n").encode()
        self.assertGreater(len(body), 25 << 20)
        staged = self.ask_as_staff("POST", "/migration/upload", body, f"multipart/form-data; boundary={mark}")
        self.assertEqual(staged[0], 200, staged)
        self.assertIn('"staged"', staged[2])
        # Elsewhere nginx stops what no route takes.
        refused = self.ask_as_staff("POST", "/media", body, f"multipart/form-data; boundary={mark}")
        self.assertEqual(refused[0], 413, refused)

    def test_who_asks_too_often_is_told_so_and_not_that_the_site_is_down(self):
        with Proxy(free_port(), free_port()) as proxy:
            # Six at once and then one a minute: no machine is too slow to ask too often.
            proxy.passes_to([server.port for server in self.site.servers], rate="1r/m", burst=5)
            seen = [proxy.ask("GET", "/robots.txt")[0] for _ in range(9)]
            self.assertEqual(seen, [200] * 6 + [429] * 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
