#!/usr/bin/python3
"""Fails on a script for Node that uses what Debian 12's Node lacks: 18.20.4, whose fetch comes from undici 5.15."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

# What Node 20 or later, or a later undici, brought.
LATER = {
    "Headers.getSetCookie (use tests/web/session.mjs)": r"\.getSetCookie\b",
    "arrays copied by toSorted, toReversed, toSpliced, with": r"\.to(Sorted|Reversed|Spliced)\(|\]\.with\(",
    "Object.groupBy, Map.groupBy": r"\b(Object|Map)\.groupBy\b",
    "Array.fromAsync": r"\bArray\.fromAsync\b",
    "Promise.withResolvers, Promise.try": r"\bPromise\.(withResolvers|try)\b",
    "AbortSignal.any": r"\bAbortSignal\.any\b",
    "import.meta.dirname, import.meta.filename": r"\bimport\.meta\.(dirname|filename)\b",
    "texts' isWellFormed, toWellFormed": r"\.(is|to)WellFormed\(",
    "sets' union, intersection, difference": r"\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf)\(",
    "global crypto, File, CustomEvent, WebSocket, navigator of Node": r"\bglobalThis\.(crypto|File|CustomEvent|WebSocket|navigator)\b",
    "import attributes": r"\bimport\b[^;\n]*\bwith\s*\{",
    "node:sqlite, node:sea": r"['\"]node:(sqlite|sea)['\"]",
    "fs.glob": r"\b(fs|promises)\.glob(Sync)?\(",
}


def main(root):
    scripts = [f for f in own_files(root, ".mjs") if "node_modules" not in f.parts]
    faults = [f"{path.relative_to(root)}:{number}: Debian 12's Node has no {what}"
              for path in scripts for number, line in enumerate(path.read_text().splitlines(), 1)
              for what, pattern in LATER.items() if re.search(pattern, line)]
    print("\n".join(faults) or f"{len(scripts)} scripts use what Debian 12's Node has")
    return 1 if faults or not scripts else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
