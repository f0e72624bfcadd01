"""S13: libFuzzer with sanitizers on what reads bytes from outside: JSON, HTTP, markup. Corpora lie in tests/fuzz.

fuzz.py SVC "" TARGET SECONDS
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from proving import SEED, arguments, figure

SVC, _, (TARGET, SECONDS) = arguments(3)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {
    "json": ["shared/json/parse.cpp", "shared/json/value.cpp", "shared/core/text.cpp", "shared/core/money.cpp",
             "shared/core/date.cpp", "shared/core/zone.cpp"],
    "http": ["shell/http/gate.cpp", "shell/http/parser.cpp"],
    "html": ["base/platform/html/html.cpp", "base/platform/html/tree.cpp", "shared/core/text.cpp"]}
LIBRARIES = {"json": ["-licuuc", "-licui18n", "-ldate-tz"], "http": [], "html": ["-lgumbo", "-licuuc"]}


def main():
    clang = shutil.which("clang++") or shutil.which("clang++-14")
    assert clang, "clang++ is not installed (packaging/packages.txt, [prove])"
    with tempfile.TemporaryDirectory(prefix="svc-fuzz-") as place:
        program = f"{place}/{TARGET}"
        # RapidJSON adds to the null pointer of an empty stack, which no build minds.
        subprocess.run([clang, "-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address,undefined",
                        "-fno-sanitize-recover=undefined", "-fno-sanitize=pointer-overflow", "-DBOOST_ALL_NO_LIB", "-I",
                        ROOT, ROOT / f"tests/fuzz/{TARGET}_fuzz.cpp", *(ROOT / source for source in SOURCES[TARGET]),
                        *LIBRARIES[TARGET], "-o", program], check=True)
        found = f"{place}/corpus"
        pathlib.Path(found).mkdir()
        done = subprocess.run([program, f"-seed={SEED}", f"-max_total_time={SECONDS}", "-timeout=10", "-rss_limit_mb=2048",
                               f"-artifact_prefix={ROOT}/build/prove/{TARGET}-", found,
                               str(ROOT / "tests/fuzz/corpus" / TARGET)], capture_output=True, text=True,
                              errors="replace")
        runs = re.search(r"Done (\d+) runs", done.stderr)
        assert done.returncode == 0 and runs, done.stderr[-2000:]
        figure(f"{TARGET}: {int(runs[1]):,} inputs, {len(list(pathlib.Path(found).iterdir()))} of new coverage, crashes 0")


if __name__ == "__main__":
    sys.exit(main())
