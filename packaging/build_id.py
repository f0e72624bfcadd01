#!/usr/bin/python3
"""Gives stripped ELF files a build id of what they hold: build_id.py FILE...

The linker's is made of the debug information too, and so of the folder that the build ran in; with this one the same
sources give the same bytes wherever they are built.
"""
import hashlib
import re
import subprocess
import sys


def main():
    for path in sys.argv[1:]:
        said = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
        place = re.search(r"\.note\.gnu\.build-id\s+NOTE\s+[0-9a-f]+\s+([0-9a-f]+)\s+([0-9a-f]+)", said)
        if not place:
            raise SystemExit(f"{path}: no build id")
        start, size = int(place[1], 16) + 16, int(place[2], 16) - 16  # behind the note's head: sizes, type, "GNU"
        with open(path, "r+b") as file:
            bytes_of = bytearray(file.read())
            bytes_of[start:start + size] = bytes(size)
            file.seek(start)
            file.write(hashlib.sha256(bytes_of).digest()[:size])


if __name__ == "__main__":
    main()
