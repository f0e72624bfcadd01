#!/usr/bin/python3
"""Builds the Debian packages, installs them into a root of their own, serves from there, and removes them."""
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))
from support.server import Server  # noqa: E402

ROOT = BUILD = VERSION = PRO_VERSION = None


def run(*command, **options):
    outcome = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert outcome.returncode == 0, f"{command}: {outcome.stdout}{outcome.stderr}"
    return outcome.stdout


def trusted_folder():
    """Where a library may lie that the server opens: no folder above it may be written by others, as /tmp is."""
    def trusted(folder):
        status = folder.stat()
        return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022
    return next((f for f in (BUILD, Path.home()) if all(map(trusted, (f.resolve(), *f.resolve().parents)))), BUILD)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The tests' build has no licence server's key, so its packages are none of a release.
        run(ROOT / "packaging/build-packages.sh", "--evaluation", BUILD)
        cls.base, cls.pro = (next((ROOT / "build/packages").glob(f"svc-{edition}_{version}~evaluation_*.deb"))
                             for edition, version in (("base", VERSION), ("pro", PRO_VERSION)))

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=trusted_folder(), prefix="svc-package-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "root"
        (self.root / "var/lib/dpkg/info").mkdir(parents=True)
        (self.root / "var/lib/dpkg/updates").mkdir()
        (self.root / "var/lib/dpkg/status").touch()
        (self.root / "data").mkdir()

    def dpkg(self, *arguments):
        # The root holds none of the packages depended on, and no shell to change root into.
        run("fakeroot", "dpkg", f"--root={self.root}", f"--log={self.root}/dpkg.log", "--force-depends",
            "--force-script-chrootless", *arguments)

    def files(self):
        return {str(f.relative_to(self.root)) for f in self.root.rglob("*")
                if f.is_file() and not f.is_relative_to(self.root / "var") and f.name != "dpkg.log"}

    def svc(self, *arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SVC_", "LD_"))}
        return run(self.root / "usr/bin/svc", *arguments, cwd=self.root / "data", env=environment)

    def test_installed_it_serves_from_its_root_and_leaves_nothing_behind(self):
        self.dpkg("--install", self.base)
        self.svc("migrate")
        with Server([self.root / "usr/bin/svc", "serve"], self.root / "data") as server:
            maps = Path(f"/proc/{server.process.pid}/maps").read_text()
            self.assertIn(f"{self.root}/usr/lib/svc/libsvc-base.so", maps)
            self.assertNotIn("libsvc-pro.so", maps)
            self.assertNotIn("libsvc-press.so", maps, "opened with the first document, not at the start")
            self.assertTrue(self.comes_below_half(server, "libsvc-base.so"), "what only the start read was given back")
            self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
            status, _, text = server.ask("/svc/v1/")
            document = json.loads(text)
            self.assertEqual((status, document["version"], document["edition"]), (200, VERSION, "base"))
            server.process.terminate()
            self.assertEqual(server.process.wait(120), 0)
        self.dpkg("--purge", "svc-base")
        self.assertEqual({f for f in self.files() if not f.startswith("data/")}, set())

    def comes_below_half(self, server, library):
        """Whether less than half of the library lies in memory soon after the start."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            lying, half = self.lying_in_memory(server, library)
            if lying < half:
                return True
            time.sleep(0.1)
        return False

    def lying_in_memory(self, server, library):
        """KiB of the library that lie in memory, and half of what is mapped of it."""
        mapped = lying = 0
        inside = False
        for line in Path(f"/proc/{server.process.pid}/smaps").read_text().splitlines():
            name, _, value = line.partition(":")
            if "-" in line.split()[0]:
                inside = line.endswith("/" + library)
            elif inside and name == "Size":
                mapped += int(value.split()[0])
            elif inside and name == "Rss":
                lying += int(value.split()[0])
        return lying, mapped // 2

    def test_a_base_that_lacks_its_press_says_so_at_the_start(self):
        self.dpkg("--install", self.base)
        self.svc("migrate")
        (self.root / "usr/lib/svc/libsvc-press.so").unlink()
        refused = subprocess.run([self.root / "usr/bin/svc", "serve"], cwd=self.root / "data", capture_output=True,
                                 text=True, timeout=60, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("libsvc-press.so cannot be read", refused.stderr)

    def test_pro_is_found_beside_the_base_and_leaves_it_serving(self):
        self.dpkg("--install", self.base, self.pro)
        self.svc("migrate")
        for pro in (True, False):
            with Server([self.root / "usr/bin/svc", "serve"], self.root / "data") as server:
                document = json.loads(server.ask("/svc/v1/")[2])
                self.assertEqual(document["edition"], "pro" if pro else "base", server.lines)
            if pro:
                self.dpkg("--remove", "svc-pro")

    def test_both_packages_ship_the_licences_of_what_others_made(self):
        self.dpkg("--install", self.base, self.pro)
        lock = json.loads((ROOT / "base/web/package-lock.json").read_text())["packages"]
        bundled = {path.removeprefix("node_modules/"): one["version"] for path, one in lock.items()
                   if path and not one.get("dev") and not one.get("peer")}
        self.assertGreater(len(bundled), 8)
        for name in ("svc-base", "svc-pro"):
            text = (self.root / f"usr/share/doc/{name}/copyright").read_text()
            for part, version in bundled.items():
                self.assertIn(f"{part} {version} (", text)
            for part in ("SIL OPEN FONT LICENSE", "rapidjson-dev ", "libhowardhinnant-date-dev ", "Permission is hereby granted"):
                self.assertIn(part, text)

    def test_an_edited_configuration_survives_an_upgrade(self):
        self.dpkg("--install", self.base)
        config = self.root / "etc/svc/svc.toml"
        self.assertIn('url = "sqlite:/var/lib/svc/svc.db"', self.svc("--config", config, "config"))
        config.write_text(config.read_text() + "\n# edited\n")
        self.dpkg("--force-confold", "--install", self.base)
        self.assertTrue(config.read_text().endswith("# edited\n"))

    def test_the_version_is_the_one_of_the_build(self):
        for package, version in ((self.base, VERSION), (self.pro, PRO_VERSION)):
            self.assertEqual(run("dpkg-deb", "--field", package, "Version").strip(), f"{version}~evaluation")
        run("dpkg", "--compare-versions", f"{VERSION}~evaluation", "lt", VERSION)
        self.dpkg("--install", self.base)
        self.assertEqual(self.svc("--version"), f"svc {VERSION}\n")
        self.dpkg("--install", self.pro)
        self.assertEqual(self.svc("--version"), f"svc {VERSION}\nsvc-pro {PRO_VERSION}\n")

    def test_a_build_that_can_be_evaluated_is_no_release(self):
        before = self.base.read_bytes()
        refused = subprocess.run([ROOT / "packaging/build-packages.sh", BUILD], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("has no licence server's key", refused.stderr)
        self.assertIn("cmake -DSVC_LICENSE_PUBLIC_KEY=", refused.stderr)
        self.assertEqual(self.base.read_bytes(), before)

    def test_every_library_needed_is_depended_on(self):
        base = run("dpkg-deb", "--field", self.base, "Depends")
        for library in ("libc6", "libpistache0", "libsoci-core4.0", "libsodium23", "libcurl4", "libpq5", "ca-certificates"):
            self.assertRegex(base, rf"(^|, ){re.escape(library)}\b")
        pro = run("dpkg-deb", "--field", self.pro, "Depends")
        self.assertIn("svc-base", pro)
        self.assertNotRegex(pro, "pistache|soci|libpq")

    def test_the_bill_of_materials_names_every_library_with_the_version_that_is_there(self):
        self.dpkg("--install", self.base, self.pro)
        for name in ("svc-base", "svc-pro"):
            with self.subTest(name):
                bill = json.loads((self.root / f"usr/share/doc/{name}/{name}.cdx.json").read_text())
                self.assertEqual((bill["bomFormat"], bill["metadata"]["component"]["version"]), ("CycloneDX", f"{VERSION if name == 'svc-base' else PRO_VERSION}~evaluation"))
                told = {part["name"]: part["version"] for part in bill["components"] if part["type"] == "library"}
                files = [self.root / part["name"] for part in bill["components"] if part["type"] == "file"]
                self.assertTrue(files)
                for part in bill["components"]:
                    if part["type"] == "file":
                        content = (self.root / part["name"]).read_bytes()
                        self.assertEqual(part["hashes"][0]["content"], hashlib.sha256(content).hexdigest())
                needed = re.findall(r"=> (/\S+) \(0x", "".join(run("ldd", file) for file in files))
                for library in {os.path.realpath(path) for path in needed if not path.startswith(str(self.root))}:
                    owner = subprocess.run(["dpkg-query", "-S", library, library.removeprefix("/usr")],
                                           capture_output=True, text=True).stdout.split(":")[0]
                    version = run("dpkg-query", "-W", "-f", "${Version}\n", owner).split()[0]
                    self.assertEqual(told.get(owner), version, library)
                self.assertIn("rapidjson-dev", told)  # nothing but headers: no link shows it

    def test_the_known_vulnerabilities_of_what_a_release_is_made_of_are_listed_the_mended_ones_as_red(self):
        bills = [ROOT / f"build/packages/{name}.cdx.json" for name in ("svc-base", "svc-pro")]
        version = {part["name"]: part["version"] for part in json.loads(bills[0].read_text())["components"]
                   if part["type"] == "library"}
        tracker = self.root / platform.freedesktop_os_release()["VERSION_CODENAME"]
        # In the tracker's form: names; package, number of the name, kind, version of the fix elsewhere, those mended here.
        unmended = "openssl,0,SHR ,,"
        mended = ["rapidjson,1,S ?F,,", "curl,2,SM F,,99:1"]
        others = [f"sqlite3,3,S  F,,{version['libsqlite3-0']}", "none-of-ours,4,SHRF,,"]

        def listed():
            return subprocess.run([ROOT / "packaging/vulnerabilities.py", *bills, "--tracker", f"file://{self.root}"],
                                  capture_output=True, text=True)

        def asked(*vulnerabilities):
            names = [f"CVE-2026-000{number},,A fault" for number in range(5)]
            data = "\n".join(["VERSION 1", *names, "", *vulnerabilities, "", ""])
            tracker.write_bytes(zlib.compress(data.encode()))
            return listed()
        said = asked(*others)
        self.assertEqual((said.returncode, said.stdout), (0, ""), said.stderr)
        said = asked(unmended, *others)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("CVE-2026-0000 libssl3 (remotely exploitable, high urgency)\n", said.stdout)
        said = asked(unmended, *mended, *others)
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertRegex(said.stdout, r"(?m)^CVE-2026-0001 rapidjson-dev \(fixed")
        self.assertRegex(said.stdout, r"(?m)^CVE-2026-0002 libcurl4 \(fixed, medium urgency")
        self.assertNotRegex(said.stdout, "CVE-2026-000[34]")
        tracker.unlink()
        said = listed()
        self.assertEqual((said.returncode, said.stdout), (2, ""))

    def test_a_package_built_twice_is_the_same_to_the_byte(self):
        before = {file.name: file.read_bytes() for file in (self.base, self.pro)}
        run(ROOT / "packaging/build-packages.sh", "--evaluation", BUILD)
        for file in (self.base, self.pro):
            self.assertTrue(before[file.name] == file.read_bytes(), file.name)

    def test_the_configuration_is_not_for_everybody_to_read(self):
        self.assertRegex(run("dpkg-deb", "--contents", self.base), r"-rw-r----- root/root .* \./etc/svc/svc\.toml")

    def test_the_unit_is_sandboxed(self):
        run("systemd-analyze", "security", "--offline=true", "--threshold=20", ROOT / "packaging/svc.service")


if __name__ == "__main__":
    ROOT, BUILD, VERSION, PRO_VERSION = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:5]
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
