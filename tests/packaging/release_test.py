#!/usr/bin/python3
"""Rehearses a release of each edition, takes one apart, and serves the packages from a signed apt repository."""
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = BUILD = None
VERSIONS = {}


def outcome_of(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def run(*command, **options):
    outcome = outcome_of(*command, **options)
    assert outcome.returncode == 0, f"{command}: {outcome.stdout}{outcome.stderr}"
    return outcome.stdout


class Releases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = {}
        for edition, version in VERSIONS.items():
            run(ROOT / "packaging/release", edition, "--rehearse", BUILD)
            cls.out[edition] = ROOT / f"build/release-{edition}-{version}"

    @classmethod
    def tearDownClass(cls):
        for folder in cls.out.values():
            shutil.rmtree(folder)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="svc-release-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def keyring(self):
        """A gpg home of its own, short enough for gpg-agent's socket."""
        home = Path(tempfile.mkdtemp(prefix="gpg-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, home, True)
        self.addCleanup(lambda: outcome_of("gpgconf", "--homedir", home, "--kill", "all"))
        home.chmod(0o700)
        return {**os.environ, "GNUPGHOME": str(home)}

    def test_a_release_holds_its_package_bill_changes_layouts_and_signed_sums(self):
        for edition, folder in self.out.items():
            with self.subTest(edition):
                version = VERSIONS[edition]
                names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
                wanted = {f"svc-{edition}.cdx.json", "CHANGES.md", "SHA256SUMS", "SHA256SUMS.asc", "key.asc",
                          f"frozen/{edition}-{version}.interface.gz", f"frozen/{edition}-{version}.abilities.md",
                          "frozen/svc_plugin.h"}
                self.assertEqual(wanted - names, set())
                packages = {name.split("_")[0] for name in names if name.endswith(".deb")}
                self.assertEqual(packages, {"svc-base", "svc-dev"} if edition == "base" else {"svc-pro"})
                sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
                self.assertEqual(set(sums), names - {"SHA256SUMS", "SHA256SUMS.asc"})
                for name, value in sums.items():
                    self.assertEqual(hashlib.sha256((folder / name).read_bytes()).hexdigest(), value, name)
                environment = self.keyring()
                run("gpg", "--batch", "--import", folder / "key.asc", env=environment)
                run("gpg", "--batch", "--verify", folder / "SHA256SUMS.asc", folder / "SHA256SUMS", env=environment)
                (self.folder / "SHA256SUMS").write_text((folder / "SHA256SUMS").read_text() + "\n")
                self.assertNotEqual(outcome_of("gpg", "--batch", "--verify", folder / "SHA256SUMS.asc",
                                               self.folder / "SHA256SUMS", env=environment).returncode, 0)

    def test_each_edition_has_its_own_section_of_the_change_log(self):
        base, pro = ((self.out[edition] / "CHANGES.md").read_text() for edition in ("base", "pro"))
        self.assertIn("- ", base)
        self.assertIn("- ", pro)
        self.assertEqual(set(base.splitlines()) & set(pro.splitlines()) - {""}, set())

    def test_a_release_is_refused_from_a_tree_with_changes_and_without_a_key(self):
        copy = self.folder / "tree"
        for name in ("packaging/release", "base/VERSION", "pro/VERSION", "CHANGELOG.md"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
        run("git", "init", "-q", copy)
        run("git", "-C", copy, "add", ".")
        run("git", "-C", copy, "-c", "user.name=x", "-c", "user.email=x@svc.invalid", "commit", "-qm", "x")
        (copy / "unfinished").touch()
        for arguments, sentence in ((("base", "--key", "none"), "the tree has changes that are not committed"),
                                    (("base",), "say by which key the release is signed"),
                                    (("both", "--rehearse"), "name the edition")):
            refused = outcome_of(copy / "packaging/release", *arguments)
            self.assertEqual(refused.returncode, 1, refused.stdout)
            self.assertIn(sentence, refused.stderr)
        self.assertFalse((copy / "build").exists())

    def test_the_sources_of_a_release_build_their_bundles_without_npm(self):
        source = next(self.out["base"].glob("svc-*.tar.xz"))
        run("tar", "-xf", source, "-C", self.folder)
        tree = self.folder / source.name.removesuffix(".tar.xz")
        self.assertFalse((tree / "build").exists())
        # As a machine without npm and Node: both names lead nowhere.
        run("cmake", "-S", tree, "-B", self.folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSVC_TESTS=OFF",
            "-DSVC_NPM=SVC_NPM-NOTFOUND", "-DSVC_NODE=SVC_NODE-NOTFOUND", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON")
        run("ninja", "-C", self.folder / "build", "web/bundled")
        made, fresh = self.folder / "build/web/bundle", BUILD / "web/bundle"
        files = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
        self.assertGreater(len(files), 20)
        self.assertEqual({path.relative_to(made) for path in made.rglob("*") if path.is_file()}, files)
        self.assertTrue((self.folder / "build/third-party.txt").stat().st_size > 10_000)

    def frozen(self, edition):
        path = self.out[edition] / f"frozen/{edition}-{VERSIONS[edition]}.interface.gz"
        return gzip.decompress(path.read_bytes()).decode().splitlines()

    def compared(self, edition, lines):
        old = self.folder / "old"
        old.write_text("\n".join(lines) + "\n")
        options = ("--pro-library", "none") if edition == "base" else ()
        return outcome_of(ROOT / "packaging/interface.py", "compare", old, BUILD / "bin/svc", *options)

    def test_what_a_release_promised_may_go_only_after_it_was_deprecated_in_a_release(self):
        lines = self.frozen("base")
        for kind in ("route GET /trips", "answer GET /trips 200", "parameter GET /trips query:", "request POST /bookings ",
                     "may be left out: request POST ", "hook svc_booking_created", "setting currency", "tag customer_name"):
            self.assertTrue(any(line.startswith(kind) for line in lines), kind)
        self.assertEqual(self.compared("base", lines).returncode, 0)
        gone = ["route GET /trips/old", "answer GET /trips 200 application/json .data[] .old_title string",
                "hook svc_old_hook `id`", "setting old_setting true or false", "tag old_tag"]
        refused = self.compared("base", [*lines, *gone])
        self.assertEqual(refused.returncode, 1)
        self.assertEqual(sorted(line.removeprefix("gone without having been deprecated in a release before: ")
                                for line in refused.stdout.splitlines()), sorted(gone))
        self.assertEqual(self.compared("base", [*lines, *(line + " (deprecated)" for line in gone)]).returncode, 0)

    def test_with_a_deprecated_route_or_field_goes_all_that_is_in_it(self):
        sys.path.insert(0, str(ROOT / "packaging"))
        import interface

        def lines(**more):
            def schema(**parts):
                return {"content": {"application/json": {"schema": {"properties": parts}}}}
            kind = {"type": "string", "enum": ["a"]}
            old = {"type": "object", "properties": {"kind": kind}, **more}
            route = {"parameters": [{"in": "query", "name": "page"}], "requestBody": schema(kind=kind),
                     "responses": {"200": schema(kind=kind)}}
            return interface.Interface({"paths": {
                "/old": {"post": {**route, **more}}, "/trips": {"put": {"requestBody": schema(old=old)}}}}).lines
        self.assertEqual(interface.parts_of("settings", ["", "integer 1 to 90"]), interface.parts_of("settings", ["", "integer 1 to 99"]))
        self.assertEqual(interface.parts_of("settings", ["", "`a`, `b`"]), [" = a", " = b"])
        self.assertEqual(interface.parts_of("hooks", ["", "", "`id`, `by`"]), [" 1: id", " 2: by"])
        now = {"route PUT /trips"}
        self.assertEqual(len(interface.missing(lines(), now)), 12)
        self.assertEqual(interface.missing(lines(deprecated=True), now), [])
        self.assertEqual(interface.missing(lines(), lines(deprecated=True)), [])

    def test_this_build_keeps_what_the_last_release_of_each_edition_promised(self):
        for edition in VERSIONS:
            released = sorted((ROOT / "packaging/released").glob(f"{edition}-*.interface.gz"),
                              key=lambda path: [int(part) for part in path.name.split("-")[1].split(".")[:3]])
            lines = gzip.decompress(released[-1].read_bytes()).decode().splitlines() if released else self.frozen(edition)
            kept = self.compared(edition, lines)
            self.assertEqual(kept.returncode, 0, kept.stdout)

    def test_the_base_alone_promises_nothing_of_pro(self):
        base, pro = set(self.frozen("base")), set(self.frozen("pro"))
        self.assertIn("route GET /trips", base & pro)
        self.assertIn("route GET /webhooks/endpoints", pro - base)

    def test_apt_takes_the_packages_from_a_signed_repository_and_refuses_another_signature(self):
        environment = self.keyring()
        for name in ("release@svc.invalid", "stranger@svc.invalid"):
            run("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never", env=environment)
        packages = [next(folder.glob(f"svc-{edition}_*.deb")) for edition, folder in self.out.items()]
        repository = self.folder / "repository"
        run(ROOT / "packaging/apt-repository", repository, "--key", "release@svc.invalid", *packages, env=environment)
        apt = self.folder / "apt"
        for part in ("state/lists/partial", "cache/archives/partial", "etc/preferences.d", "etc/apt.conf.d"):
            (apt / part).mkdir(parents=True)
        (apt / "state/status").touch()
        options = [f"-oDir::{name}={apt}/{value}" for name, value in (("State", "state"), ("Cache", "cache"), ("Etc", "etc"))]
        options += [f"-oDir::State::status={apt}/state/status", "-oAPT::Sandbox::User=root", "-oDir::Bin::Methods=/usr/lib/apt/methods",
                    "-oAPT::Update::Error-Mode=any"]

        def updated(key):
            run("gpg", "--batch", "--yes", "--armor", "--output", self.folder / "key.asc", "--export", key, env=environment)
            (apt / "etc/sources.list").write_text(f"deb [signed-by={self.folder}/key.asc] file://{repository} stable main\n")
            return outcome_of("apt-get", *options, "update")
        done = updated("release@svc.invalid")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        policy = run("apt-cache", *options, "policy", "svc-base", "svc-pro")
        for version in VERSIONS.values():
            self.assertIn(f"Candidate: {version}~evaluation", policy)
        self.assertNotEqual(updated("stranger@svc.invalid").returncode, 0)
        other = self.folder / packages[0].name
        other.write_bytes(packages[1].read_bytes())
        refused = outcome_of(ROOT / "packaging/apt-repository", repository, "--key", "release@svc.invalid", other, env=environment)
        self.assertIn("raise the version", refused.stderr)


if __name__ == "__main__":
    ROOT, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    VERSIONS = {"base": sys.argv[3], "pro": sys.argv[4]}
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
