"""S13: libFuzzer with sanitizers on what reads bytes from outside: JSON, HTTP, markup. The corpus kept in
tests/fuzz/corpus is replayed first; with `keep`, what was found is merged into it: small inputs, within a bound.

fuzz.py SVC "" TARGET SECONDS [keep]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from proving import SEED, arguments, figure

SVC, _, (TARGET, SECONDS, *KEEP) = arguments(3)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {
    "json": ["shared/json/parse.cpp", "shared/json/value.cpp", "shared/core/text.cpp", "shared/core/money.cpp",
             "shared/core/date.cpp", "shared/core/zone.cpp"],
    "http": ["shell/http/gate.cpp", "shell/http/parser.cpp"],
    "html": ["base/platform/html/html.cpp", "base/platform/html/tree.cpp", "shared/core/text.cpp"]}
LIBRARIES = {"json": ["-licuuc", "-licui18n", "-ldate-tz"], "http": [], "html": ["-lgumbo", "-licuuc"]}
SANITIZED = ["-fsanitize=fuzzer,address,undefined"]
KEPT = ROOT / "tests/fuzz/corpus" / TARGET
LONGEST, MOST = 512, 120_000  # bytes of one input that is kept, and of all of a target


def run(program, *words):
    """libFuzzer's own words; any crash is ours."""
    done = subprocess.run([program, f"-seed={SEED}", "-timeout=10", "-rss_limit_mb=2048",
                           f"-artifact_prefix={ROOT}/build/prove/{TARGET}-", *map(str, words)], capture_output=True,
                          text=True, errors="replace")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stderr


def inputs(folder):
    return sorted(folder.iterdir(), key=lambda file: (file.stat().st_size, file.name))


def keep(program, found):
    """Adds to the kept corpus what reaches more than it does, the shortest inputs first; the longest go when it is full."""
    run(program, "-merge=1", f"-max_len={LONGEST}", KEPT, found)
    kept = inputs(KEPT)
    while sum(file.stat().st_size for file in kept) > MOST:
        kept.pop().unlink()


def build(clang, place, program):
    """Each file by itself: what was compiled before comes from the cache, if ccache is there."""
    cache = [found] if (found := shutil.which("ccache")) else []
    objects = []
    for source in (f"tests/fuzz/{TARGET}_fuzz.cpp", *SOURCES[TARGET]):
        objects.append(f"{place}/{source.replace('/', '_')}.o")
        # RapidJSON adds to the null pointer of an empty stack, which no build minds.
        subprocess.run([*cache, clang, "-std=c++20", "-O1", "-g", *SANITIZED, "-fno-sanitize-recover=undefined",
                        "-fno-sanitize=pointer-overflow", "-DBOOST_ALL_NO_LIB", "-I", ".", "-c", source, "-o",
                        objects[-1]], check=True, cwd=ROOT)
    subprocess.run([clang, *SANITIZED, *objects, *LIBRARIES[TARGET], "-o", program], check=True)


def main():
    clang = shutil.which("clang++") or shutil.which("clang++-14")
    assert clang, "clang++ is not installed (packaging/packages.txt, [prove])"
    (ROOT / "build/prove").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="svc-fuzz-") as place:
        program = f"{place}/{TARGET}"
        build(clang, place, program)
        before = inputs(KEPT)
        size = sum(file.stat().st_size for file in before)
        replayed = run(program, "-runs=0", KEPT)
        reached = re.findall(r"cov: (\d+)", replayed)
        assert reached and len(before) > 1, replayed[-2000:]
        found = pathlib.Path(place) / "corpus"
        found.mkdir()
        said = run(program, f"-max_total_time={SECONDS}", found, KEPT)
        runs = re.search(r"Done (\d+) runs", said)
        assert runs, said[-2000:]
        figure(f"{TARGET}: kept corpus of {len(before)} inputs ({size / 1000:.1f} kB) replayed, edges reached {reached[-1]};"
               f" {int(runs[1]):,} inputs more, {len(inputs(found))} of new coverage, crashes 0")
        if KEEP:
            keep(program, found)
            after = inputs(KEPT)
            figure(f"{TARGET}: kept now {len(after)} inputs ({sum(file.stat().st_size for file in after) / 1000:.1f} kB)")


if __name__ == "__main__":
    sys.exit(main())
