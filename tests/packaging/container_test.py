#!/usr/bin/python3
"""The image's start and health check, run as the image runs them: one writable folder, the settings of the Containerfile."""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = SVC = None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Container(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="svc-container-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.container = ROOT / "packaging/container"
        text = (self.container / "Containerfile").read_text()
        stated = dict(pair.split("=", 1) for line in re.findall(r"^ENV (.+)$", text, re.M) for pair in line.split())
        self.assertEqual(set(stated), {"SVC_CONFIG", "SVC_LISTEN_ADDRESS"})
        config = self.folder / "svc.toml"
        config.write_text(f'[database]\nurl = "sqlite:{self.folder}/svc.db"\n[files]\ndata_dir = "{self.folder}"\n'
                          f'key_file = "{self.folder}/svc.key"\n')
        self.port, self.admin_port = free_port(), free_port()
        self.environment = {"PATH": f"{SVC.parent}:/usr/bin:/bin", **stated, "SVC_CONFIG": str(config),
                            "SVC_LISTEN_PORT": str(self.port), "SVC_ADMIN_PORT": str(self.admin_port)}

    def is_healthy(self):
        return subprocess.run([self.container / "healthy"], env=self.environment, capture_output=True, check=False).returncode == 0

    def start(self):
        process = subprocess.Popen([self.container / "start"], env=self.environment, cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 100
        while not self.is_healthy():
            self.assertIsNone(process.poll(), process.stdout.read() if process.poll() is not None else "")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        return process

    def test_the_first_start_prepares_the_installation_and_later_ones_go_on_with_it(self):
        self.assertFalse(self.is_healthy())
        for is_first in (True, False):
            process = self.start()
            with socket.create_connection(("127.0.0.1", self.port)):
                pass
            process.send_signal(signal.SIGTERM)
            said = process.communicate(timeout=100)[0]
            self.assertEqual(process.returncode, 0, said)
            self.assertEqual("assword" in said, is_first, said)
            self.assertFalse(self.is_healthy())

    def test_the_image_holds_what_it_names_and_runs_as_no_root(self):
        text = (self.container / "Containerfile").read_text()
        named = re.findall(r"container/([\w.-]+)", re.sub(r"^#.*$", "", text, flags=re.M))
        for name in set(named) - {"Containerfile"}:
            self.assertTrue((self.container / name).is_file(), name)
        number = re.search(r"^u svc (\d+):(\d+) ", (self.container / "sysusers.conf").read_text(), re.M)
        self.assertEqual(re.findall(r"^USER (\S+)$", text, re.M)[-1], f"{number[1]}:{number[2]}")

    def test_the_compose_file_names_settings_that_exist_and_a_read_only_file_system(self):
        text = (self.container / "compose.yaml").read_text()
        known = subprocess.run([SVC, "config", "--markdown"], capture_output=True, text=True, check=True,
                               env={"PATH": "/usr/bin"}).stdout
        named = re.findall(r"^ {6}(SVC_\w+):", text, re.M)
        self.assertGreater(len(named), 2)
        for name in named:
            self.assertIn(f"`{name}`", known)
        self.assertIn("read_only: true", text)


if __name__ == "__main__":
    ROOT, SVC = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
