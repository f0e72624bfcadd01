"""The project's own files, without what is built, downloaded or stored; needs no git."""
from pathlib import Path

TOPS = ("base", "cmake", "packaging", "pro", "migrations", "shared", "shell", "tests", "docs", ".ci")


def own_files(root, *suffixes):
    """Files below the project's folders with one of the suffixes, in a fixed order; at the root itself too."""
    found = [f for f in root.iterdir() if f.is_file()]
    for top in TOPS:
        found += (f for f in (root / top).rglob("*") if f.is_file() and "__pycache__" not in f.parts)
    return sorted(f for f in found if not suffixes or f.suffix in suffixes)
