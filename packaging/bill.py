#!/usr/bin/python3
"""Writes the bill of materials of a package (CycloneDX 1.5, JSON): bill.py BUILD STAGE NAME VERSION DEPENDS > FILE

What is in it is read, not listed by hand: the libraries that the stage's ELF files load, the packages whose headers
were compiled in (ninja's own record), and the packages that the control file depends on (DEPENDS), each with the version
that dpkg has and the source package it was made of, whose name vulnerabilities.py asks for. The same build makes the same
text.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

OURS = {"svc-base": ("base/", "shared/", "shell/"), "svc-pro": ("pro/", "shared/")}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packages_of(paths):
    """Path to (package, version, architecture), by what dpkg says; paths that no package has are left out."""
    found, paths = {}, sorted(paths)
    # A library is installed below /usr, and listed where the file was before /lib and /usr/lib became one.
    names = {name: path for path in paths for name in (path, path.removeprefix("/usr"))}
    for first in range(0, len(names), 500):
        said = subprocess.run(["dpkg-query", "-S", *list(names)[first:first + 500]], capture_output=True, text=True).stdout
        for line in said.splitlines():
            owner, _, path = line.partition(": ")
            if path in names and not owner.startswith("diversion"):
                found.setdefault(names[path], owner.split(",")[0])
    return found


def versions_of(packages):
    fields = ("binary:Package", "Package", "Version", "Architecture", "source:Package", "source:Version")
    lines = output_of("dpkg-query", "-W", "-f", "\t".join(f"${{{field}}}" for field in fields) + "\n", *packages)
    known = {}
    for line in lines.splitlines():
        binary, name, *rest = line.split("\t")
        known[binary] = known[name] = (name, *rest)
    return known


def elf_files(stage):
    for path in sorted(stage.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            yield path


def loaded(stage, path):
    """Every library that the file brings in, itself or through another: where the loader finds it."""
    libraries = os.pathsep.join(str(folder) for folder in {p.parent for p in stage.parent.glob("*/usr/lib/svc/*.so*")})
    said = subprocess.run(["ldd", str(path)], env={**os.environ, "LD_LIBRARY_PATH": libraries}, check=True,
                          capture_output=True, text=True).stdout
    assert "not found" not in said, said
    return {os.path.realpath(match) for match in re.findall(r"(/\S+) \(0x", said)}


def needed(path):
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[([^]]+)\]", output_of("readelf", "-d", str(path))))


def compiled_in(build, folders):
    """Headers from outside that objects of these folders were made with."""
    headers, counts = set(), False
    for line in output_of("ninja", "-C", str(build), "-t", "deps").splitlines():
        if not line.startswith(" "):
            counts = line.startswith(folders)
        elif counts and line.strip().startswith("/usr/"):
            headers.add(os.path.normpath(line.strip()))
    return headers


def main():
    build, stage, name, version, depends = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:6]
    when = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    files = list(elf_files(stage))
    parts, first_hand = {}, set()

    def note(package, part):
        parts.setdefault(package, set()).add(part)

    libraries = set().union(*(loaded(stage, path) for path in files)) if files else set()
    wanted = set().union(*(needed(path) for path in files)) if files else set()
    for path, package in packages_of({path for path in libraries if not path.startswith(str(stage.parent))}).items():
        note(package, "loaded")
        if any(os.path.realpath(path).endswith(one) or os.path.basename(path).startswith(one) for one in wanted):
            first_hand.add(package)
    for package in packages_of(compiled_in(build, OURS[name])).values():
        note(package, "compiled in")
    for alternatives in filter(str.strip, depends.split(",")):
        package = alternatives.split("|")[0].split()[0]  # the first is what apt takes
        if package not in OURS:
            note(package, "depended on")
    known = versions_of([package for package in parts])
    components = {}
    for package, how in parts.items():
        title, its_version, architecture, source, source_version = known[package]
        reference = f"pkg:deb/debian/{title}@{its_version}?arch={architecture}"
        components.setdefault(reference, {"type": "library", "bom-ref": reference, "name": title, "version": its_version,
                                          "purl": reference, "source": f"{source} {source_version}",
                                          "parts": set(), "direct": False})
        components[reference]["parts"] |= how
        components[reference]["direct"] |= package in first_hand or "loaded" not in how
    direct = sorted(reference for reference, one in components.items() if one["direct"])
    listed = []
    for reference in sorted(components):
        one = components[reference]
        del one["direct"]
        one["properties"] = [{"name": "svc:part", "value": part} for part in sorted(one.pop("parts"))]
        one["properties"].append({"name": "svc:source", "value": one.pop("source")})
        listed.append(one)
    listed += [{"type": "file", "bom-ref": f"file:{path.relative_to(stage)}", "name": str(path.relative_to(stage)),
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}]} for path in files]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {
        "timestamp": datetime.datetime.fromtimestamp(when, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "component": {"type": "application", "bom-ref": name, "name": name, "version": version}},
        "components": listed, "dependencies": [{"ref": name, "dependsOn": direct}]}
    content = hashlib.sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    bill = {**bill, "serialNumber": f"urn:uuid:{uuid.UUID(content[:32])}"}
    print(json.dumps(bill, indent=1))


if __name__ == "__main__":
    main()
