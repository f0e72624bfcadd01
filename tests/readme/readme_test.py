#!/usr/bin/python3
"""Executes the README's marked commands against a fresh server and compares what they print with what it says."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))
from support.server import Server  # noqa: E402

ROOT = PROGRAM = None
MARKED = re.compile(r"<!-- executed by tests/readme/readme_test.py -->\n```sh\n(.*?)```\n", re.S)
PRINTS = re.compile(r"^# prints (.*)$", re.M)
MARK = "@@ so far, for "


def script_of(text):
    """The marked blocks as one script; a `# prints X` comment becomes a mark in the output."""
    body = "\n".join(MARKED.findall(text))
    return "set -euo pipefail\n" + PRINTS.sub(lambda m: f"echo '{MARK}{m[1]}'", body)


def faults_of(output):
    """The output before each mark, where it differs from the mark's."""
    printed = []
    for line in output.splitlines():
        if line.startswith(MARK):
            if printed[-1:] != [line.removeprefix(MARK)]:
                yield f"should print {line.removeprefix(MARK)!r}, printed {printed}"
            printed = []
        else:
            printed.append(line)


class Readme(unittest.TestCase):
    def test_the_booking_goes_as_the_readme_says(self):
        text = (ROOT / "README.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
            first = subprocess.run([PROGRAM, "init", "--samples"], cwd=folder, env=clean, capture_output=True, text=True, check=False)
            self.assertEqual(first.returncode, 0, first.stderr)
            (Path(folder) / "build").mkdir()
            (Path(folder) / "build/release").symlink_to(Path(PROGRAM).parents[1])
            password = re.search(r"export APP_PASSWORD='([^']+)'", first.stdout)[1]
            with Server([PROGRAM, "serve"], folder) as server:
                outcome = subprocess.run(
                    ["bash", "-c", script_of(text)], cwd=folder, capture_output=True, text=True, check=False, timeout=100,
                    env={**clean, "APP_PASSWORD": password, "SVC": f"http://127.0.0.1:{server.port}/svc/v1"})
                said = "\n".join(line for line in server.lines[-20:] if line)
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr + said)
        self.assertEqual(list(faults_of(outcome.stdout)), [], outcome.stderr + said)
        self.assertEqual(outcome.stdout.count(MARK), len(PRINTS.findall(text)))
        self.assertGreater(outcome.stdout.count(MARK), 10)

    def test_make_run_prepares_once_keeps_the_data_and_ends_on_ctrl_c(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "packaging").mkdir()
            (folder / "build").mkdir()
            shutil.copy(ROOT / "packaging/run.sh", folder / "packaging")
            (folder / "build/release").symlink_to(Path(PROGRAM).parents[1])
            first, second = self.run_once(folder), self.run_once(folder)
            self.assertIn("export APP_PASSWORD=", first[1])
            self.assertNotIn("APP_PASSWORD", second[1])  # told once
            self.assertIn("To try Pro for 30 days, run: build/release/bin/svc license evaluate\n", second[1])
            self.assertGreater(first[0], 0)
            self.assertEqual(first[0], second[0])
            self.assertTrue((folder / "var/svc.db").exists())

    def run_once(self, folder):
        """Starts what `make run` starts and presses Ctrl-C: how many trips there were, and what it printed."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        printed = folder / "printed"
        with printed.open("w") as out, subprocess.Popen(
                ["bash", folder / "packaging/run.sh"], env={**clean, "SVC_LISTEN_PORT": "0", "SVC_ADMIN_PORT": "0"},
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True) as server:
            try:
                port = next(found[1] for line in server.stderr
                            if (found := re.search(r"listening on http://[^ ]*?:(\d+)", line)))
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/svc/v1/trips/public", timeout=60) as answer:
                    trips = json.load(answer)["meta"]["total"]
                server.send_signal(signal.SIGINT)
                server.stderr.read()
                self.assertEqual(server.wait(60), 0)
            finally:
                server.kill()
        return trips, printed.read_text()

    def test_a_wrong_output_is_a_fault(self):
        self.assertEqual(list(faults_of(f"1\n2\n{MARK}2\n3\n{MARK}4\n")), ["should print '4', printed ['3']"])

    def test_it_opens_with_the_two_commands(self):
        first_block = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
        self.assertEqual([line.split(" #")[0].strip() for line in first_block.splitlines()], ["make run", "make test"])

    def test_every_relative_link_leads_to_a_file(self):
        for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
                if not target.startswith("http"):
                    with self.subTest(document=document.name, target=target):
                        self.assertTrue((document.parent / target).exists())


if __name__ == "__main__":
    ROOT, PROGRAM = Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
