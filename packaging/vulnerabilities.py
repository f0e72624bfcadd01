#!/usr/bin/python3
"""Lists the known vulnerabilities of what a release is made of: vulnerabilities.py BILL... [--tracker URL]

The bills of materials (bill.py) name Debian packages; debsecan looks them up at Debian's security tracker, or at a copy of
it (URL). A line each: CVE, package, and in brackets what is known of it. Ends with 1 when Debian has mended one of them
("fixed"): the release is to be built again with that package; with 2 when the tracker did not answer.
"""
import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile


def stanzas(bills):
    """What dpkg would have in its status file if the packages of the bills were installed, and nothing else."""
    packages = {}
    for bill in bills:
        for part in json.loads(bill.read_text())["components"]:
            if part["type"] == "library":
                source, version = next(p["value"] for p in part["properties"] if p["name"] == "svc:source").split(" ")
                packages[part["name"]] = (f"Package: {part['name']}\nStatus: install ok installed\n"
                                          f"Version: {part['version']}\nSource: {source} ({version})\n")
    assert packages, "no package is named"
    return [packages[name] for name in sorted(packages)]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("bills", nargs="+", type=pathlib.Path)
    options.add_argument("--tracker", default="https://security-tracker.debian.org/tracker/debsecan/release/1/")
    given = options.parse_args()
    installed = stanzas(given.bills)
    with tempfile.NamedTemporaryFile("w", suffix=".status") as status:
        status.write("\n".join(installed))
        status.flush()
        said = subprocess.run(["debsecan", "--suite", platform.freedesktop_os_release()["VERSION_CODENAME"], "--source",
                               given.tracker, "--status", status.name, "--whitelist", "", "--config", "/dev/null"],
                              capture_output=True, text=True)
    if said.returncode:
        print(said.stderr, end="", file=sys.stderr)
        return 2
    found = sorted(set(said.stdout.splitlines()))
    print("".join(f"{line}\n" for line in found), end="")
    mended = [line for line in found if "(fixed" in line]
    print(f"packages {len(installed)}, vulnerabilities {len(found)}, mended by Debian {len(mended)}", file=sys.stderr)
    return 1 if mended else 0


if __name__ == "__main__":
    sys.exit(main())
