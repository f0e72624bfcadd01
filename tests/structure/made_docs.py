#!/usr/bin/python3
"""The pages of docs/ that the program makes: compared with what it prints now, or written with --write.

made_docs.py SVC [--write]
"""
import os
import pathlib
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = {"configuration.md": ("config", "--markdown"),
         **{f"{kind}.md": ("catalogue", kind)
            for kind in ("hooks", "errors", "settings", "routes", "jobs", "mails", "tags", "transitions")}}


def printed(svc, *words):
    """The program's output, without the caller's configuration."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SVC_")}
    done = subprocess.run([svc, *words], env=clean, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"svc {' '.join(words)}: {done.stderr}")
    return done.stdout


def main(svc, *flags):
    stale = []
    for name, words in PAGES.items():
        text = printed(svc, *words)
        path = DOCS / name
        if "--write" in flags:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(f"docs/{name} is not what svc {' '.join(words)} prints: run make docs")
    if "--write" not in flags and not any("[Pro]" in (DOCS / name).read_text() for name in PAGES):
        stale.append("nothing is marked [Pro]: the Pro library was not there when the pages were made")
    print("\n".join(stale) or f"{len(PAGES)} pages")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
