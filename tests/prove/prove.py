#!/usr/bin/python3
"""Shows what svc promises: runs the proofs of promises.py, one row each, and writes build/prove/report.json.

prove.py BUILD [--full] [--only R1,R7] [--shown-by NAME] [--seed N] [--side-by-side N]     BUILD: the build folder with bin/
A part (--only promises, --shown-by one proof of them) takes its place among the rows of a report of the same set; each row tells its commit and date. A promise
without a proof is a red row. Ends with 1 when a row is red that has a proof. Rows run side by side, as most of them
wait most of the time; those that others would spoil run by themselves, after the others.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import promises  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/prove"
# Proofs of servers have a database that syncs to the disk; unit tests make one each case, and show nothing of disks.
CLUSTERS = ("postgres", "start"), ("postgres_in_memory", "start-in-memory")
WITH_PRO = ("pro_test.py", "card_payments_test.py", "scheduled_payments_test.py", "webhooks_test.py",
            "abandoned_bookings_test.py", "license_server.py", "markers.py",
            "field_swaps.py", "injections.py", "canaries.py", "killed_migrations.py", "broken_database.py",
            "turning_names.py", "dead_endpoint.py", "one_client.py")
SUMMARY = re.compile(r"test cases:\s*(\d+) \|\s*(\d+) passed")
# By ctest each line comes behind the number of its test, and unittest's words before it may not have ended.
FIGURE = re.compile(r"^(?:\d+: )?(?:test_.* \.\.\. )?figure: (.+)$", re.M)
RAN = re.compile(r"^(?:\d+: )?Ran (\d+) tests? in", re.M)
SKIPPED = re.compile(r"^(?:\d+: )?(?:OK|FAILED) \(.*?skipped=(\d+)", re.M)
REASON = re.compile(r" \.\.\. skipped (['\"])(.*)\1$", re.M)


def command_of(proof, database, build, full):
    """The command that runs it, and its name in the report."""
    arguments = proof.full_arguments if full and proof.full_arguments else proof.arguments
    if proof.how.endswith(".py"):
        folder = next(f for f in ("prove", "e2e") if (ROOT / "tests" / f / proof.how).exists())
        more = [str(build / "lib/libsvc-pro.so")] if proof.how in WITH_PRO else []
        return [sys.executable, str(ROOT / "tests" / folder / proof.how), str(build / "bin/svc"), database, *more,
                *([proof.part] if proof.part else []), *arguments]
    if (build / "bin" / proof.how).exists():
        return [str(build / "bin" / proof.how), *([f"--test-case={proof.cases}"] if proof.cases else [])]
    return ["ctest", "--test-dir", str(build), "--no-tests=error", "--verbose", "-R", f"^{proof.how}$"]


# ctest keeps one log a build folder, and starts the tests' database as it needs it: one at a time.
BY_CTEST = threading.Lock()


def figure_in(output):
    """The proof's own summary, and the number of its tests."""
    said = FIGURE.findall(output)
    if cases := SUMMARY.findall(output):
        said.append(f"{cases[-1][1]} of {cases[-1][0]} cases")
    elif ran := RAN.search(output):
        said.append(f"{int(ran[1]) - skipped_in(output)} cases")
    return "; ".join(said)


def skipped_in(output):
    return sum(map(int, SKIPPED.findall(output)))


def fault_of(proof, database, output):
    """Why a proof that ended well shows nothing, or less than it says; None: it shows it."""
    # doctest is content with a filter that no case fits.
    if (cases := SUMMARY.findall(output)) and cases[-1][0] == "0":
        return f"no case is called {proof.cases}"
    reasons = [reason for _, reason in REASON.findall(output)]
    expected = promises.SKIPPED.get((proof.how, database), ())
    if skipped_in(output) != len(reasons) or not set(reasons) <= set(expected):
        return f"{skipped_in(output)} tests were skipped: {reasons}"
    if not figure_in(output):
        return "it told no figure"
    return None


def run(proof, database, options):
    command = command_of(proof, database, options.build, options.full)
    if command[0] == "ctest":
        with BY_CTEST:
            return run_command(command, proof, database, options)
    return run_command(command, proof, database, options)


def run_command(command, proof, database, options):
    cluster = CLUSTERS[1 if (options.build / "bin" / proof.how).exists() else 0][0]
    environment = {**os.environ, "SVC_PROOF_SEED": str(options.seed),
                   "SVC_TEST_POSTGRES_FILE": str(FOLDER / f"{cluster}.conninfo")}
    began = time.monotonic()
    try:
        done = subprocess.run(command, cwd=options.build, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=proof.slow * (10 if options.full else 1), stdin=subprocess.DEVNULL)
        output, ok = done.stdout + done.stderr, done.returncode == 0
    except subprocess.TimeoutExpired as late:
        output, ok = f"{late.stdout or ''}\nnot done after {late.timeout:.0f} s", False
    if ok and (fault := fault_of(proof, database, output)):
        output, ok = f"{output}\n{fault}", False
    return {"ok": ok, "figure": figure_in(output) if ok else output.strip()[-400:],
            "seconds": round(time.monotonic() - began, 1)}, output


def wanted_rows(options):
    """(promise, proof or None for what is missing, database), in the list's order."""
    wanted = set(options.only.split(",")) if options.only else None
    for promise in promises.PROMISES:
        if wanted and not set(promise.name.split(", ")) & wanted:
            continue
        for proof in promise.proofs:
            if (not proof.only_full or options.full) and options.shown_by in (None, proof.how):
                yield from ((promise, proof, database) for database in proof.databases)
        if promise.missing and not options.shown_by:
            yield promise, None, ""


def key_of(proof, database):
    """A test that shows several promises runs once."""
    return proof.how, proof.cases, database, proof.part, proof.arguments


def rows_of(options, logs, told):
    """Every row, in the list's order; `told` hears of each as it is done."""
    listed, rows = list(wanted_rows(options)), {}

    def row(promise, proof, database, seen):
        return {"name": promise.name, "shown_by": shown_of(proof), "database": database or "both", "seed": options.seed, **seen}

    def done(key, result, output):
        (logs / f"{len(ran):03}_{key[0]}_{key[2] or 'all'}.log").write_text(output)
        for place, (promise, proof, database) in enumerate(listed):
            if proof and key_of(proof, database) == key:
                rows[place] = row(promise, proof, database, result)
                told(rows[place])
    for place, (promise, proof, _) in enumerate(listed):
        if not proof:
            rows[place] = {"name": promise.name, "shown_by": "", "database": "both", "ok": False, "missing": True,
                           "figure": promise.missing, "seed": options.seed, "seconds": 0}
            told(rows[place])
    each, ran = {key_of(proof, database): (proof, database) for _, proof, database in listed if proof}, []
    together = [key for key, (proof, _) in each.items() if not proof.alone and options.side_by_side > 1]
    with concurrent.futures.ThreadPoolExecutor(max(1, options.side_by_side)) as pool:
        running = {pool.submit(run, *each[key], options): key for key in together}
        for future in concurrent.futures.as_completed(running):
            ran.append(running[future])
            done(running[future], *future.result())
    for key in each:
        if key not in together:
            ran.append(key)
            done(key, *run(*each[key], options))
    return [rows[place] for place in range(len(listed))]


def commit():
    return subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True,
                          text=True).stdout.strip() or "unknown"


def place_of(row):
    return row["name"], row["shown_by"], row["database"]


def shown_of(proof):
    """How a proof is called in a report."""
    return " ".join(word for word in (proof.how, proof.cases, proof.part) if word)


def in_order(rows):
    """As the list of promises has them; what it does not name (any more) stands behind what its promise has."""
    names = [promise.name for promise in promises.PROMISES]
    places = [(promise.name, shown_of(proof), database or "both") for promise in promises.PROMISES for proof in promise.proofs
              for database in proof.databases]

    def key(row):
        place = place_of(row)
        return (names.index(row["name"]) if row["name"] in names else len(names),
                places.index(place) if place in places else len(places))
    return sorted(rows, key=key)


def merged(before, part):
    """The report that stands, with the rows of a part that was run again, all in the order of the promises."""
    if not before or before["set"] != part["set"]:
        return part
    again = {place_of(row): row for row in part["rows"]}
    stand = [{"commit": before["commit"], "date": before["date"], **row} for row in before["rows"]]
    rows = [again.pop(place_of(row), row) for row in stand] + list(again.values())
    return {**part, "seconds": before["seconds"] + part["seconds"], "rows": in_order(rows)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--shown-by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--side-by-side", type=int, default=4)
    options = parser.parse_args()
    options.build = options.build.resolve()
    logs = FOLDER / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for old in logs.glob("*.log"):
        old.unlink()
    cluster = [sys.executable, str(ROOT / "tests/support/postgres.py")]
    for name, start in CLUSTERS:
        subprocess.run([*cluster, start, str(FOLDER / name)], check=True)
    rows, began = [], time.monotonic()

    def told(row):
        rows.append(row)
        print(f"{'ok ' if row['ok'] else 'RED'} {row['name']:<10} {row['database']:<8} {row['seconds']:>6} s  seed {row['seed']}  "
              f"{row['shown_by'] or 'missing'}: {' '.join(row['figure'].split())[:150]}", flush=True)
    try:
        rows = rows_of(options, logs, told)
    finally:
        for name, _ in CLUSTERS:
            subprocess.run([*cluster, "stop", str(FOLDER / name)], check=False)
        now = {"commit": commit(), "date": datetime.date.today().isoformat()}
        report = {**now, "set": "full" if options.full else "quick", "seconds": round(time.monotonic() - began),
                  "rows": [{**now, **row} for row in rows]}
        file = FOLDER / "report.json"
        if (options.only or options.shown_by) and file.exists():
            report = merged(json.loads(file.read_text()), report)
        file.write_text(json.dumps(report, indent=1) + "\n")
    red = [row for row in rows if not row["ok"]]
    print(f"{len(rows)} rows, {len(red)} red, {sum('missing' in row for row in red)} of them not built; "
          f"{time.monotonic() - began:.0f} s; {FOLDER / 'report.json'}")
    sys.exit(any("missing" not in row for row in red))


if __name__ == "__main__":
    main()
