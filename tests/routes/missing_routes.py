#!/usr/bin/python3
"""Lists the routes of expected_routes.txt that the build lacks, by group: reads `svc routes` on its input."""
import pathlib
import re
import sys


def nameless(route):
    return re.sub(r"{[^}]*}", "{}", route)


def groups_of(text):
    """Name, heading and routes of each group."""
    groups = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["ours"]:
            break
        if words[:1] == ["group"]:
            groups.append((words[1], " ".join(words[4:]), []))
        elif words and words[0] != "#":
            groups[-1][2].append(f"{words[0]} {words[1]}")
    return groups


def main():
    table = pathlib.Path(__file__).with_name("expected_routes.txt").read_text()
    listing = sys.stdin.read()
    print(listing, end="")
    there = {nameless(" ".join(line.split()[:2])) for line in listing.splitlines()}
    print()
    for name, about, routes in groups_of(table):
        missing = [route for route in routes if nameless(route) not in there]
        print(f"{name:4} {len(routes) - len(missing):3} of {len(routes):3}  {about}")
        for route in missing:
            print(f"       missing: {route}")


if __name__ == "__main__":
    main()
