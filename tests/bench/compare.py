#!/usr/bin/python3
"""Prints how the last report of `make bench` stands to the committed one: compare.py NEW COMMITTED

Machines differ, so ratios to a floor of the same run are compared with each other, and absolute figures only where a
row has no floor.
"""
import json
import pathlib
import sys


def rows(path):
    return {(row["database"], row["name"]): row for row in json.loads(pathlib.Path(path).read_text())["rows"]}


def main():
    if not pathlib.Path(sys.argv[2]).exists():
        print("nothing to compare with: make bench-keep keeps a report")
        return
    new, old = rows(sys.argv[1]), rows(sys.argv[2])
    print(f"{'database':9} {'row':28} {'now':>12} {'committed':>12} {'now/then':>9}")
    for key, row in new.items():
        before = old.get(key)
        by = "ratio" if row["ratio"] is not None else "value"
        then = before and before[by]
        change = f"{row[by] / then:9.2f}" if then else "      new"
        print(f"{key[0]:9} {key[1]:28} {row[by]:12.3f} {then if then is not None else '-':>12} {change}")
    for key in sorted(old.keys() - new.keys()):
        print(f"{key[0]:9} {key[1]:28} {'not run':>12}")


if __name__ == "__main__":
    main()
