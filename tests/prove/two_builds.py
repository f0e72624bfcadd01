"""S23: the same sources built in two folders, without a cache, are the same bytes as they ship: stripped, and with a build
id of what they hold. `part`: one library of the base and what it is linked with; `all`: everything that is packaged, and
the packages themselves.

two_builds.py SVC "" part|all
"""
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from proving import arguments, figure

SVC, _, (WHAT,) = arguments(2)
KEY = "A" * 43 + "="  # of a licence server that nobody runs: packages are built for releases alone
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Money, dates, texts and JSON: templates, tables and a precompiled header, in a quarter of a minute.
PART = [f"shared/CMakeFiles/svc-shared.dir/{name}.cpp.o" for name in ("core/money", "core/date_format", "json/parse",
                                                                      "plugin/codec")]


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {(done.stdout + done.stderr)[-2000:]}"
    return done.stdout


def sources():
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return [name for name in listed if name and (ROOT / name).is_file() and not name.startswith("tests/")]


def built(folder, jobs):
    """A copy of the sources, built; file to digest of what would ship."""
    for name in sources():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place)
    environment = {**os.environ, "CCACHE_DISABLE": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    build = folder / "build/release"
    run("cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSVC_TESTS=OFF",
        f"-DSVC_LICENSE_PUBLIC_KEY={KEY}", env=environment)
    if WHAT == "part":
        run("ninja", "-C", build, f"-j{jobs}", *PART, env=environment)
        files = [build / name for name in PART]
        run("strip", "--strip-debug", *files)
        return {str(file.relative_to(folder)): file for file in files}
    run("ninja", "-C", build, f"-j{jobs}", "program", env=environment)
    run("bash", folder / "packaging/build-packages.sh", build, cwd=folder, env=environment)
    out = folder / "build/packages"
    return {str(file.relative_to(folder)): file for file in out.rglob("*") if file.is_file() and not file.is_symlink()}


def digests(files):
    return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}


def main():
    with tempfile.TemporaryDirectory(prefix="svc-builds-") as place:
        folders = [pathlib.Path(place) / name for name in ("a", "another/folder/with_a_longer_name")]
        jobs = max(1, (os.cpu_count() or 2) // 2)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            first, second = (digests(files) for files in pool.map(lambda folder: built(folder, jobs), folders))
        assert first.keys() == second.keys() and len(first) >= len(PART)
        differing = [name for name in first if first[name] != second[name]]
        assert not differing, differing[:10]
        figure(f"builds 2, files compared {len(first)}, differing 0")


if __name__ == "__main__":
    sys.exit(main())
