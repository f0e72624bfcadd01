#!/usr/bin/python3
"""Fails when a library shows more than its interface: Pro and the press their entry alone, the base what base.hpp
declares.

exported_symbols.py pro|press LIBRARY
exported_symbols.py base LIBRARY base.hpp
"""
import re
import subprocess
import sys
from pathlib import Path

ENTRIES = {"pro": "svc_plugin_entry", "press": "svc_press"}


def exported(library):
    """Demangled names of what the library defines for others."""
    run = subprocess.run(["nm", "-D", "-C", "--defined-only", library], capture_output=True, text=True, check=True)
    return [line.split(" ", 2)[2] for line in run.stdout.splitlines() if len(line.split(" ", 2)) == 3]


def declared(header):
    """Patterns of what base.hpp marks SVC_BASE_API: classes with all of theirs, and functions."""
    text = re.sub(r"//[^\n]*", "", Path(header).read_text())
    for name in re.findall(r"class SVC_BASE_API (\w+)", text):
        yield rf"(vtable for |typeinfo for |typeinfo name for )?svc::{name}(::.*)?"
    for function in re.findall(r"^SVC_BASE_API [^;{]*?\b(\w+)\(", text, re.M):
        yield rf"svc::(\w+::)*{function}(\[abi:\w+\])?\(.*"


def faults(kind, library, header=None):
    names = exported(library)
    allowed = [re.escape(ENTRIES[kind])] if kind in ENTRIES else list(declared(header))
    for name in names:
        if not any(re.fullmatch(pattern, name) for pattern in allowed):
            yield f"{Path(library).name} shows {name}"
    for pattern in allowed:
        if not any(re.fullmatch(pattern, n) for n in names):
            yield f"{Path(library).name} does not show {pattern}"


def main(arguments):
    found = list(faults(*arguments))
    print("\n".join(found) or f"{Path(arguments[1]).name} shows {len(exported(arguments[1]))} names, all of its interface")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
