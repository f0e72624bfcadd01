#!/usr/bin/python3
"""Shows what svc promises: runs the proofs of promises.py, one row each, and writes build/prove/report.json.

prove.py BUILD [--full] [--only R1,R7] [--seed N]     BUILD: the build folder with bin/
A promise without a proof is a red row. Ends with 1 when a row is red that has a proof.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import promises  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITH_PRO = ("pro_test.py", "card_payments_test.py", "license_server.py", "markers.py",
            "field_swaps.py")
SUMMARY = re.compile(r"test cases:\s*(\d+) \|\s*(\d+) passed")


def command_of(proof, database, build, full):
    """What runs it, and how it is called in the report."""
    arguments = proof.full_arguments if full and proof.full_arguments else proof.arguments
    if proof.how.endswith(".py"):
        folder = next(f for f in ("prove", "e2e") if (ROOT / "tests" / f / proof.how).exists())
        more = [str(build / "lib/libsvc-pro.so")] if proof.how in WITH_PRO else []
        return [sys.executable, str(ROOT / "tests" / folder / proof.how), str(build / "bin/svc"), database, *more,
                *arguments]
    if (build / "bin" / proof.how).exists():
        return [str(build / "bin" / proof.how), *([f"--test-case={proof.cases}"] if proof.cases else [])]
    return ["ctest", "--test-dir", str(build), "--no-tests=error", "--output-on-failure", "-R", f"^{proof.how}$"]


def figure_in(output):
    """What the proof said it saw; of tests, how many there were."""
    said = re.findall(r"^figure: (.+)$", output, re.M)
    if said:
        return "; ".join(said)
    if cases := SUMMARY.findall(output):
        return f"{cases[-1][1]} of {cases[-1][0]} cases"
    if ran := re.search(r"^Ran (\d+) tests?", output, re.M):
        return f"{ran[1]} cases"
    return ""


def run(proof, database, build, full, seed, conninfo):
    command = command_of(proof, database, build, full)
    environment = {**os.environ, "SVC_PROOF_SEED": str(seed), "SVC_TEST_POSTGRES_FILE": conninfo}
    began = time.monotonic()
    try:
        done = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=proof.slow * (10 if full else 1), stdin=subprocess.DEVNULL)
        output, ok = done.stdout + done.stderr, done.returncode == 0
    except subprocess.TimeoutExpired as late:
        output, ok = f"{late.stdout or ''}\nnot done after {late.timeout:.0f} s", False
    # doctest is content with a filter that no case fits, and so would be a proof that shows nothing.
    if ok and (cases := SUMMARY.findall(output)) and cases[-1][0] == "0":
        output, ok = f"no case is called {proof.cases}", False
    return {"ok": ok, "figure": figure_in(output) if ok else output.strip()[-400:],
            "seconds": round(time.monotonic() - began, 1)}, output


def rows_of(options, conninfo, logs):
    wanted = set(options.only.split(",")) if options.only else None
    ran = {}  # a binary that shows several promises runs once
    for promise in promises.PROMISES:
        names = set(promise.name.split(", "))
        if wanted and not names & wanted:
            continue
        for proof in promise.proofs:
            if proof.only_full and not options.full:
                continue
            for database in proof.databases:
                key = (proof.how, proof.cases, database, proof.arguments)
                if key not in ran:
                    ran[key] = run(proof, database, options.build, options.full, options.seed, conninfo)
                    (logs / f"{len(ran):03}_{proof.how}_{database or 'all'}.log").write_text(ran[key][1])
                yield {"name": promise.name, "shown_by": proof.how + (f" {proof.cases}" if proof.cases else ""),
                       "database": database or "both", "seed": options.seed, **ran[key][0]}
        if promise.missing:
            yield {"name": promise.name, "shown_by": "", "database": "both", "ok": False, "missing": True,
                   "figure": promise.missing, "seed": options.seed, "seconds": 0}


def commit():
    return subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True,
                          text=True).stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.build = options.build.resolve()
    folder = ROOT / "build/prove"
    logs = folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for old in logs.glob("*.log"):
        old.unlink()
    cluster = [sys.executable, str(ROOT / "tests/support/postgres.py")]
    place = str(folder / "postgres")
    subprocess.run([*cluster, "start", place], check=True)
    rows, began = [], time.monotonic()
    try:
        for row in rows_of(options, place + ".conninfo", logs):
            rows.append(row)
            print(f"{'ok ' if row['ok'] else 'RED'} {row['name']:<10} {row['database']:<8} {row['seconds']:>6} s  "
                  f"{row['shown_by'] or 'missing'}: {' '.join(row['figure'].split())[:150]}", flush=True)
    finally:
        subprocess.run([*cluster, "stop", place], check=False)
        (folder / "report.json").write_text(json.dumps(
            {"commit": commit(), "date": datetime.date.today().isoformat(), "set": "full" if options.full else "quick",
             "seconds": round(time.monotonic() - began), "rows": rows}, indent=1) + "\n")
    red = [row for row in rows if not row["ok"]]
    print(f"{len(rows)} rows, {len(red)} red, {sum('missing' in row for row in red)} of them not built; "
          f"{time.monotonic() - began:.0f} s; {folder / 'report.json'}")
    sys.exit(any("missing" not in row for row in red))


if __name__ == "__main__":
    main()
