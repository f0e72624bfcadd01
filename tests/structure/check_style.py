#!/usr/bin/python3
"""Fails on C++ that clang-format would change; with --fix it is changed."""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402


def main(arguments):
    fix = "--fix" in arguments
    given = [a for a in arguments if a != "--fix"]
    root = Path(given[0] if given else Path(__file__).parents[2]).resolve()
    files = own_files(root, ".hpp", ".cpp", ".h", ".c")
    how = ["-i"] if fix else ["--dry-run", "--Werror"]
    outcome = subprocess.run(["clang-format", *how, *files], cwd=root, check=False)
    if outcome.returncode == 0:
        print(f"{len(files)} files are formatted")
    return outcome.returncode if files else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
