#!/usr/bin/python3
"""Writes docs/PROMISES.md from the report of `make prove`: page.py REPORT > docs/PROMISES.md"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import promises  # noqa: E402

DATABASES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "both": "both"}


def cell(text):
    return " ".join(text.split()).replace("|", "/")


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    says = {promise.name: promise.says for promise in promises.PROMISES}
    red = [row for row in report["rows"] if not row["ok"]]
    print("# What svc promises, and what shows it\n")
    print("Comments in the code name these promises by their number. Made by `make prove`; the proofs lie in `tests/prove`,"
          "\n`tests/e2e` and the tests of the code they are about.\n")
    commits = dict.fromkeys((row.get("date", report["date"]), row.get("commit", report["commit"]))
                            for row in report["rows"])
    stamps = {stamp: number for number, stamp in enumerate(commits, 1)}
    at = ", ".join(f"{date} at commit {commit}" + (f" ({number})" if len(stamps) > 1 else "")
                   for (date, commit), number in stamps.items())
    print(f"The {report['set']} set of {at}: {len(report['rows'])} rows in {report['seconds']} s, {len(red)} red.\n")
    print("| promise | in short | shown by | database | figure | |")
    print("|---|---|---|---|---|---|")
    before = None
    for row in report["rows"]:
        name, text = (row["name"], says[row["name"]]) if row["name"] != before else ("", "")
        before = row["name"]
        stamp = stamps[row.get("date", report["date"]), row.get("commit", report["commit"])]
        state = "kept" if row["ok"] else "not shown" if "missing" in row else "**broken**"
        shown = f"`{row['shown_by']}`" if row["shown_by"] else ""
        figure = cell(row["figure"]) if row["ok"] or "missing" in row else "see the log"
        print(f"| {name} | {cell(text)} | {shown.replace('|', '/')} | {DATABASES[row['database']]} | {figure} | {state}"
              f"{f' ({stamp})' if len(stamps) > 1 else ''} |")


if __name__ == "__main__":
    main()
