#!/usr/bin/python3
"""Writes the notices of the parts that others made: notices.py LOCK_FILE NODE_MODULES PACKAGES FONT_LICENCE > FILE

Named are the npm packages of the lock file that are bundled, the font of the site, and Debian's libraries, each with
its version and the text of its licence.
"""
import json
import pathlib
import re
import subprocess
import sys


def title(name, version, licence=""):
    line = f"{name} {version}" + (f" ({licence})" if licence else "")
    return f"{line}\n{'=' * len(line)}\n"


def licence_of(folder):
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if re.match(r"(licen[cs]e|copying)(\.|$)", path.name, re.IGNORECASE):
            return path.read_text(encoding="utf-8").strip()
    raise SystemExit(f"{folder} has no licence file. Its text must be shipped: add it, or choose another package.")


def npm_packages(lock, modules):
    for path, one in sorted(json.loads(lock.read_text())["packages"].items()):
        if path and not one.get("dev") and not one.get("peer"):
            name = path.removeprefix("node_modules/")
            yield title(name, one["version"], one.get("license", "")) + "\n" + licence_of(modules / name)


def development_packages(listing):
    on = False
    for line in listing.read_text().splitlines():
        if line.startswith("["):
            on = line == "[build]"
        elif on and line.endswith("-dev"):
            yield line


def debian_libraries(listing):
    """Linked, or compiled in from their headers: dpkg does not say which, and the texts of all are short."""
    for name in sorted(development_packages(listing)):
        said = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", name], capture_output=True, text=True)
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright")
        if said.returncode == 0 and text.exists():  # on a Debian system
            yield title(name, said.stdout.strip()) + "\n" + text.read_text(encoding="utf-8").strip()


def main():
    lock, modules, listing, font = map(pathlib.Path, sys.argv[1:5])
    parts = [*npm_packages(lock, modules),
             title("Fraunces", "", "SIL Open Font License 1.1").replace("  ", " ") + "\n" + font.read_text().strip(),
             *debian_libraries(listing)]
    print("svc contains these parts that others made, each under its own licence.\n")
    print("\n\n\n".join(parts))


if __name__ == "__main__":
    main()
