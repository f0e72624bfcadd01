"""R21: every test under the address and undefined-behaviour sanitizers, or under the thread sanitizer, in the build folder
beside the one that is proven; red with what is missing when it is not built of this tree.

sanitizers.py SVC "" asan|tsan
"""
import pathlib
import re
import subprocess
import sys

from proving import arguments, figure

SVC, _, (NAME,) = arguments(2)
BUILD = pathlib.Path(SVC).resolve().parents[1].parent / NAME


def missing():
    """The reason why the tests are not of this tree; empty: they are."""
    if not (BUILD / "build.ninja").exists():
        return f"{BUILD} is not there: make test-{NAME}"
    # Nothing is built here: what ninja would do yet is missing.
    left = subprocess.run(["ninja", "-C", str(BUILD), "-n"], capture_output=True, text=True)
    if left.returncode or "no work to do" not in left.stdout:
        steps = re.findall(r"^\[\d+/(\d+)\] ", left.stdout, re.M)
        return f"{BUILD} is not built of this tree, {steps[-1] if steps else 'unknown'} steps are left: make test-{NAME}"
    return ""


def main():
    if why := missing():
        sys.exit(why)
    done = subprocess.run(["ctest", "--preset", NAME, "--no-tests=error", "-j2"], cwd=BUILD.parents[1],
                          capture_output=True, text=True, errors="replace")
    told = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", done.stdout)
    assert told, done.stdout[-2000:] + done.stderr[-2000:]
    skipped = done.stdout.count("***Skipped")
    reports = len(re.findall(r"ERROR: AddressSanitizer|runtime error:|WARNING: ThreadSanitizer|ERROR: LeakSanitizer", done.stdout))
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}\n{told[0]}, reports {reports}")
    assert not reports, done.stdout[-2000:]
    figure(f"{NAME}: tests {told[3]}, failed {told[2]}, skipped {skipped}, reports {reports}")


if __name__ == "__main__":
    sys.exit(main())
