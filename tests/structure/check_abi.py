#!/usr/bin/python3
"""Fails when svc_plugin.h no longer fits a released layout: tables may only grow, nothing moves, changes or goes.

check_abi.py [ROOT]           compares the header with shared/plugin/released/*.txt, and with *.abi by abidiff
check_abi.py --release ROOT   writes the layout of the present ABI number, when a release is made
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = "shared/plugin/svc_plugin.h"
# What abidiff says of anything but a table that gained members at its end. Why no suppression file: abidiff 2.2 takes
# has_data_member_inserted_at for true of types in which nothing was inserted, and then hides every change.
BREAKS = re.compile(r"[1-9]\d* Removed|data member changes?:|deletion|offset changed|entity changed|enumerator")


def bare_text(header):
    text = header.read_text()
    while (whole := re.sub(r'^#include "(\w+\.h)".*$', lambda m: (header.parent / m[1]).read_text(), text, flags=re.M)) != text:
        text = whole
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"\\\n", " ", text)


def split_outside(text, separator):
    """Splits at separators that stand in no parenthesis."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == separator and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p for p in (*parts, part) if p.strip()]


def type_text(declaration):
    """The declaration without the names of members and parameters, which are no part of the ABI."""
    text = " ".join(declaration.split())
    text = re.sub(r"(?<=[\s*])\w+(?=\s*[,)])", "", text)
    return re.sub(r"\s*([*,()])\s*", r"\1", text).strip()


def members_of(body):
    for declaration in split_outside(body, ";"):
        declaration = " ".join(declaration.split())
        function = re.match(r"(.*?)\(\*\s*(\w+)\)\s*(\(.*\))$", declaration)
        if function:
            yield function[2], type_text(f"{function[1]}(*){function[3]}")
            continue
        first, *more = split_outside(declaration, ",")
        plain = re.match(r"(.*?)(\w+)\s*(\[\w+\])?$", first)
        for name in (plain[2], *(m.strip() for m in more)):
            yield name, type_text(plain[1] + (plain[3] or ""))


def tables_of(text):
    return {m[1]: list(members_of(m[2])) for m in re.finditer(r"typedef struct (\w+) \{(.*?)\}\s*\1;", text, re.S)}


def constants_of(text):
    for body in re.findall(r"typedef enum \w+ \{(.*?)\}", text, re.S):
        yield from re.findall(r"(SVC_\w+)\s*=", body)
    yield from (n for n in re.findall(r"^#define (SVC_\w+) +[0-9]\w*\s*$", text, re.M) if not n.startswith("SVC_ABI_"))


def layout_of(header):
    """The lines of a layout: abi, id, value and member lines, in the header's order."""
    text = bare_text(header)
    lines = [f'printf("abi %d %d\\n", SVC_ABI_MAJOR, SVC_ABI_MINOR);']
    lines += [f'printf("id {n} %s\\n", {n});' for n in re.findall(r'^#define (SVC_\w+) +"', text, re.M)]
    lines += [f'printf("value {n} %lld\\n", (long long)({n}));' for n in constants_of(text)]
    for table, members in tables_of(text).items():
        for name, kind in members:
            lines.append(f'printf("{table} {name} %zu %zu {kind}\\n", offsetof({table}, {name}), '
                         f'sizeof((({table}*)0)->{name}));')
    program = f'#include "{header}"\n#include <stdio.h>\nint main(void) {{\n' + "\n".join(lines) + "\nreturn 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "layout.c").write_text(program)
        subprocess.run(["cc", "-std=c11", "-o", f"{folder}/layout", f"{folder}/layout.c"], check=True)
        return subprocess.run([f"{folder}/layout"], capture_output=True, text=True, check=True).stdout.splitlines()


class Layout:
    def __init__(self, lines):
        self.abi, self.facts, self.members, self.ends, self.sized = None, {}, {}, {}, set()
        for line in lines:
            first, rest = line.split(" ", 1)
            if first == "abi":
                self.abi = tuple(int(n) for n in rest.split())
            elif first in ("id", "value"):
                self.facts[(first, rest.split()[0])] = line
            else:
                name, offset, size, _ = rest.split(" ", 3)
                self.members[(first, name)] = line
                self.ends[first] = max(self.ends.get(first, 0), int(offset) + int(size))
                if name == "size" and offset == "0" and first != "svc_text":
                    self.sized.add(first)

    def offset(self, key):
        return int(self.members[key].split()[2])


def faults_of(now, was, name):
    if now.abi[0] != was.abi[0]:
        return  # another major is refused at the door
    for key, line in {**was.facts, **was.members}.items():
        present = now.facts.get(key) or now.members.get(key)
        if present != line:
            yield f"{name}: released as `{line}`, now `{present or 'gone'}`"
    grown = [key for key in now.members if key not in was.members]
    for table, member in grown:
        if table in was.ends and table not in was.sized:
            yield f"{name}: {table} crosses without its size and gained {member}"
        elif table in was.ends and now.offset((table, member)) < was.ends[table]:
            yield f"{name}: {table}.{member} is not at the table's end"
    if (grown or any(key not in was.facts for key in now.facts)) and now.abi[1] <= was.abi[1]:
        yield f"{name}: the header has grown, SVC_ABI_MINOR must be above {was.abi[1]}"


def write_abi(header, output):
    """The types as the debug information tells them, by abidw."""
    with tempfile.TemporaryDirectory() as folder:
        uses = "".join(f"void uses_{t}(const {t}* t);\nvoid uses_{t}(const {t}* t) {{ (void)t; }}\n"
                       for t in tables_of(bare_text(header)))
        Path(folder, "types.c").write_text(f'#include "{header}"\n{uses}')
        subprocess.run(["cc", "-std=c11", "-g", "-shared", "-fPIC", "-o", f"{folder}/types.so", f"{folder}/types.c"],
                       check=True)
        subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file", output,
                        f"{folder}/types.so"], check=True)


def faults_by_abidiff(header, released):
    stored = sorted(released.glob("*.abi"))
    if not stored:
        return
    if subprocess.run(["which", "abidiff"], capture_output=True, check=False).returncode != 0:
        print("abidiff is not installed (abigail-tools): the stored .abi files were not compared")
        return
    major = re.search(r"#define SVC_ABI_MAJOR (\d+)", header.read_text())[1]
    with tempfile.TemporaryDirectory() as folder:
        write_abi(header, f"{folder}/now.abi")
        for file in stored:
            if not file.name.startswith(f"{major}."):
                continue
            run = subprocess.run(["abidiff", file, f"{folder}/now.abi"], capture_output=True, text=True, check=False)
            if run.returncode & 3 or BREAKS.search(run.stdout):
                yield f"{file.name}: {run.stdout or run.stderr}"


def release(root):
    lines = layout_of(root / HEADER)
    number = ".".join(lines[0].split()[1:])
    folder = root / "shared/plugin/released"
    folder.mkdir(exist_ok=True)
    path = folder / f"{number}.txt"
    text = "# The tables of the waist as released: table, member, offset, size, type.\n" + "\n".join(lines) + "\n"
    if path.exists() and path.read_text() != text:
        print(f"{path} is released and cannot change; raise SVC_ABI_MINOR")
        return 1
    path.write_text(text)
    write_abi(root / HEADER, folder / f"{number}.abi")
    print(f"wrote {path}")
    return 0


def main(arguments):
    given = [a for a in arguments if a != "--release"]
    root = Path(given[0] if given else Path(__file__).parents[2]).resolve()
    if "--release" in arguments:
        return release(root)
    released = root / "shared/plugin/released"
    files = sorted(released.glob("*.txt"))
    now = Layout(layout_of(root / HEADER))
    faults = []
    for file in files:
        was = Layout(line for line in file.read_text().splitlines() if not line.startswith("#"))
        faults += faults_of(now, was, file.name)
    faults += faults_by_abidiff(root / HEADER, released)
    print("\n".join(faults) or f"{len(now.ends)} tables with {len(now.members)} members fit {len(files)} releases")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
