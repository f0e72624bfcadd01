#!/usr/bin/python3
"""Writes the notices of the parts that others made: notices.py LOCK_FILE NODE_MODULES PACKAGES FONT_LICENCE > FILE

Named are the npm packages of the lock file that are bundled, the font of the site, and Debian's libraries, each with
its version. Parts that are copied into our files (npm packages, the font, libraries of headers alone) come with the text
of their licence; for the others Debian ships it beside the library.
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
        elif on and re.fullmatch(r"lib\S+-dev|rapidjson-dev", line.strip()):
            yield line.strip()


def debian_libraries(listing):
    """(in our files with the text of the licence, linked by name alone)"""
    copied, linked = [], []
    for name in sorted(development_packages(listing)):
        said = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", name], capture_output=True, text=True)
        if said.returncode != 0:
            continue  # another system than Debian
        files = subprocess.run(["dpkg-query", "-L", name], capture_output=True, text=True, check=True).stdout
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright")
        if re.search(r"\.so$", files, re.MULTILINE) or not text.exists():
            linked.append(f"{name} {said.stdout.strip()}")
        else:
            copied.append(title(name, said.stdout.strip()) + "\n" + text.read_text(encoding="utf-8").strip())
    return copied, linked


def main():
    lock, modules, listing, font = map(pathlib.Path, sys.argv[1:5])
    copied, linked = debian_libraries(listing)
    parts = [*npm_packages(lock, modules),
             title("Fraunces", "", "SIL Open Font License 1.1").replace("  ", " ") + "\n" + font.read_text().strip(), *copied]
    print("svc contains these parts that others made, each under its own licence.\n")
    print("\n\n\n".join(parts))
    if linked:
        print("\n\n\nDebian's libraries that svc loads; their licences are in /usr/share/doc/NAME/copyright of each:\n")
        print("\n".join(linked))


if __name__ == "__main__":
    main()
