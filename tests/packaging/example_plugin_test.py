#!/usr/bin/python3
"""The example of the package svc-dev, built against the packaged header and run beside Pro; and libraries that are refused."""
import datetime
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from installation import Site  # noqa: E402

ROOT = BUILD = SVC = PRO = None


def run(*command, **options):
    outcome = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert outcome.returncode == 0, f"{command}: {outcome.stdout}{outcome.stderr}"
    return outcome.stdout


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not below /tmp, which everybody may write: the server opens no library there.
        cls.stage = Path(tempfile.mkdtemp(dir=BUILD, prefix="example-plugin-"))
        cls.addClassCleanup(shutil.rmtree, cls.stage)
        run("cmake", "--install", BUILD, "--component", "dev", "--prefix", cls.stage / "usr")
        example = cls.stage / "usr/share/doc/svc-dev/example"
        run("make", "-C", example, f"CPPFLAGS=-I{cls.stage}/usr/include")
        run("make", "-C", example, "install", f"DESTDIR={cls.stage}", "PLUGINS=/plugins")
        cls.library = cls.stage / "plugins/example.so"

    def folder_with(self, library, digest):
        folder = Path(tempfile.mkdtemp(dir=self.stage, prefix="plugins-"))
        shutil.copy(library, folder / "example.so")
        if digest:
            (folder / "example.so.sha256").write_text(digest)
        return folder

    def site(self, folder, pro="none"):
        return Site(SVC, "sqlite", environment={"SVC_PRO_LIBRARY": str(pro), "SVC_PLUGINS_FOLDER": str(folder)})

    def test_gateway_route_listener_and_page_work_beside_pro_and_without_it(self):
        for pro in ("none", PRO):
            with self.subTest(pro=str(pro)), self.site(self.library.parent, pro) as site:
                discovery = site.call("GET", "/").json
                self.assertEqual(discovery["edition"], "base" if pro == "none" else "pro")
                self.assertIn("/example/bookings", discovery["routes"])
                self.assertEqual(site.call("GET", "/example/bookings").status, 401)
                self.assertEqual(site.as_staff("GET", "/example/bookings").data, {"bookings": 0})
                status = site.as_staff("GET", "/tools/system-status").data["service"]
                self.assertEqual(status["plugins_beside_pro"], ["example 1.0.0"])
                self.book(site)
                deadline = time.monotonic() + 60
                while site.as_staff("GET", "/example/bookings").data != {"bookings": 1}:
                    self.assertLess(time.monotonic(), deadline, "the listener was not called")
                    time.sleep(0.1)
                self.assertIn("Bookings since the start: 1", site.servers[0].ask("/example")[2])
                gateways = site.as_staff("GET", "/payment/gateways/definitions").data["gateways"]
                self.assertEqual(gateways["cash_at_office"]["title"], "Cash at the office")

    def book(self, site):
        trip = site.given_trip()["id"]
        day = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
        site.given_departure(trip, day, 9)
        made = site.book(trip, day)
        self.assertEqual(made.status, 201, made)

    def test_a_library_without_its_digest_with_another_or_with_a_taken_name_is_refused_and_the_base_serves(self):
        digest = hashlib.sha256(self.library.read_bytes()).hexdigest()
        for name, folder, sentence in (
                ("no digest", self.folder_with(self.library, None), "Its digest is not recorded. Run: sha256sum"),
                ("another digest", self.folder_with(self.library, "0" * 64), "was refused"),
                ("Pro's own library", self.folder_with(PRO, hashlib.sha256(Path(PRO).read_bytes()).hexdigest()),
                 "name: expected one that is not taken, got svc-pro")):
            with self.subTest(name), self.site(folder) as site:
                discovery = site.call("GET", "/").json
                self.assertEqual((discovery["edition"], "/example/bookings" in discovery["routes"]), ("base", False))
                site.servers[0].heard(re.escape(sentence))
        twice = self.folder_with(self.library, digest)
        shutil.copy(twice / "example.so", twice / "other.so")
        (twice / "other.so.sha256").write_text(digest + "  other.so\n")
        with self.site(twice) as site:
            self.assertEqual(site.as_staff("GET", "/tools/system-status").data["service"]["plugins_beside_pro"], ["example 1.0.0"])
            site.servers[0].heard("got example")
            told = subprocess.run([site.svc, "doctor"], cwd=site.dir, env={"PATH": os.environ["PATH"], **site.environment},
                                  capture_output=True, text=True, check=False).stdout
            self.assertIn("warning  plugin: refused: name: expected one that is not taken, got example", told)


if __name__ == "__main__":
    ROOT, BUILD, SVC, PRO = (Path(os.path.abspath(word)) for word in sys.argv[1:5])
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
