#!/usr/bin/python3
"""Fails on a built program or library that lacks a protection of docs/operating.md, read from its ELF headers."""
import json
import re
import subprocess
import sys
from pathlib import Path

# Flags that leave no certain mark in a binary (the C runtime of Debian carries no CET note, and a program may have
# nothing to fortify) are looked for in every compile command of what ships instead.
FLAGS = ("-fstack-protector-strong", "-fstack-clash-protection", "-fcf-protection=full", "-ftrivial-auto-var-init=zero")
RELEASE_FLAGS = ("-D_FORTIFY_SOURCE=3", "-O2")


def readelf(path):
    return subprocess.run(["readelf", "-hldW", "--dyn-syms", path], capture_output=True, text=True, check=True).stdout


def faults_of_binary(path):
    text = readelf(path)
    kind = re.search(r"Type:\s+(\w+)", text)
    if not kind or kind[1] != "DYN":
        yield f"{path.name}: not position independent"
    if "GNU_RELRO" not in text:
        yield f"{path.name}: no RELRO"
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_NOW|NOW)\b", text):
        yield f"{path.name}: symbols are bound late"
    stack = re.search(r"GNU_STACK\s+(?:0x\w+\s+){5}([RWE ]+?)\s+0x", text)
    if not stack or "E" in stack[1]:
        yield f"{path.name}: executable stack"
    if re.search(r"^\s+LOAD\s.*\sRWE\s", text, re.M):
        yield f"{path.name}: a segment is writable and executable"
    if "__stack_chk_fail" not in text:
        yield f"{path.name}: no stack canary"
    if re.search(r"\((RPATH|RUNPATH)\).*\[(?!/|\$ORIGIN)", text):
        yield f"{path.name}: a relative library path"


def faults_of_commands(path, release):
    for entry in json.loads(path.read_text()):
        if "/tests/" in entry["file"] or " -o tests/" in entry["command"]:
            continue  # test code is not shipped
        name = Path(entry["file"]).name
        for flag in FLAGS + (RELEASE_FLAGS if release else ()):
            if flag not in entry["command"].split():
                yield f"{name}: compiled without {flag}"


def main(build, release):
    binaries = [f for folder in ("bin", "lib") for f in sorted((build / folder).glob("*"))
                if f.is_file() and f.read_bytes()[:4] == b"\x7fELF"]
    faults = [fault for binary in binaries for fault in faults_of_binary(binary)]
    faults += faults_of_commands(build / "compile_commands.json", release)
    print("\n".join(faults) or f"figure: {len(binaries)} binaries are hardened")
    return 1 if faults or not binaries else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), "--release" in sys.argv))
