#!/usr/bin/python3
"""The interface that a release promises, one line for each part of it, and what a later build took away.

interface.py print SVC [OPTION...]         prints the lines of this build: routes, fields, hooks, settings, merge tags
interface.py compare OLD SVC [OPTION...]   lists what OLD (lines of a release, or its .gz) has and this build lacks without
                                           having deprecated it in a release before; exit code 1 if there is any
                                           (OPTION: of svc, as --pro-library none for the base alone)

A line of a route or field that this build marks as deprecated ends in " (deprecated)", and so does each line of what is in
it: only such a line may be missing later.
The mark has to be released once: what is removed in the build that would first announce it is refused.
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

DEPRECATED = " (deprecated)"
DEPTH = 12  # of nested objects; records refer to themselves (children of a class)


def printed(svc, *words):
    """The program's output, without the caller's configuration."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SVC_")}
    done = subprocess.run([svc, *words], env=clean, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"svc {' '.join(words)}: {done.stderr}")
    return done.stdout


def mark_of(part):
    return DEPRECATED if part.get("deprecated") else ""


class Interface:
    """Lines of an OpenAPI document: each route, parameter and field with its type."""

    def __init__(self, document):
        self.document, self.lines = document, set()
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    self.operation(f"{method.upper()} {path}", operation)

    def resolved(self, schema):
        for _ in range(20):
            if "$ref" not in schema:
                break
            at = self.document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                at = at[step.replace("~1", "/").replace("~0", "~")]
            schema = at
        return schema

    def operation(self, name, operation):
        mark = mark_of(operation)
        self.lines.add(f"route {name}{mark}")
        for parameter in map(self.resolved, operation.get("parameters", [])):
            if parameter["in"] != "path":
                self.lines.add(f"parameter {name} {parameter['in']}:{parameter['name']}{mark or mark_of(parameter)}")
        body = self.resolved(operation.get("requestBody", {})).get("content", {})
        for kind, content in body.items():
            self.fields(f"request {name} {kind}", content.get("schema", {}), mark, DEPTH, ())
        for status, answer in operation.get("responses", {}).items():
            if status.startswith("2"):
                for kind, content in self.resolved(answer).get("content", {}).items():
                    self.fields(f"answer {name} {status} {kind}", content.get("schema", {}), mark, DEPTH, ())

    def fields(self, place, schema, mark, depth, seen):
        reference = schema.get("$ref")
        if reference in seen or depth == 0:
            return
        seen, schema = (*seen, reference) if reference else seen, self.resolved(schema)
        for part in (*schema.get("allOf", []), *schema.get("anyOf", []), *schema.get("oneOf", [])):
            self.fields(place, part, mark, depth, seen)
        for value in schema.get("enum", []):
            if isinstance(value, str):
                self.lines.add(f"{place} = {json.dumps(value)}{mark}")
        if "items" in schema:
            self.fields(place + "[]", schema["items"], mark, depth - 1, seen)
        for key, field in schema.get("properties", {}).items():
            shape = self.resolved(field)
            kinds = shape.get("type", "any")
            kinds = "|".join(sorted(kinds)) if isinstance(kinds, list) else kinds
            marked = mark or mark_of({**shape, **field})
            if place.startswith("request") and key not in schema.get("required", []):
                self.lines.add(f"may be left out: {place} .{key}{marked}")
            self.lines.add(f"{place} .{key} {kinds}{marked}")
            self.fields(f"{place} .{key}", field, marked, depth - 1, seen)


def rows(markdown):
    """The rows of the tables of a page of the catalogue, as lists of cells."""
    for line in markdown.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def parts_of(kind, cells):
    """What is promised of a row: arguments of a hook in their order, a setting's kind or choices. Bounds may widen."""
    if kind == "hooks":
        return [f" {at}: {name}" for at, name in enumerate(re.findall(r"`([^`]+)`", cells[-1]), 1)]
    if kind == "settings":
        choices = [f" = {choice}" for choice in re.findall(r"`([^`]*)`", cells[1])]
        return choices or [" " + re.match(r".*?(?= of | from | \d|$)", cells[1])[0]]
    return []


def lines_of(svc, *options):
    lines = Interface(json.loads(printed(svc, "catalogue", "openapi", *options))).lines
    for kind in ("hooks", "settings", "tags"):
        found = list(rows(printed(svc, "catalogue", kind, *options)))
        assert found, f"svc catalogue {kind} lists nothing"
        for cells in found:
            name = re.search(r"`([^`]+)`", cells[0])[1]
            mark = DEPRECATED if "eprecated" in " ".join(cells[1:]) else ""
            lines |= {f"{kind[:-1]} {name}{part}{mark}" for part in ("", *parts_of(kind, cells))}
    return sorted(lines)


def missing(old, new):
    """Lines of a release that a build lacks, without those that the release announced as going."""
    present = {line.removesuffix(DEPRECATED) for line in new}
    return [line for line in old if not line.endswith(DEPRECATED) and line not in present]


def main(command, *arguments):
    if command == "print":
        print("\n".join(lines_of(*arguments)))
        return 0
    old = pathlib.Path(arguments[0]).read_bytes()
    old = (gzip.decompress(old) if arguments[0].endswith(".gz") else old).decode().splitlines()
    gone = missing(old, lines_of(*arguments[1:]))
    for line in gone:
        print(f"gone without having been deprecated in a release before: {line}")
    return bool(gone)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("print", "compare"):
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
