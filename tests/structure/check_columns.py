#!/usr/bin/python3
"""Fails when base and pro read more columns by their number than the bound, or a feature that has records reads any.

Records (shared/record) read rows by their declaration and shared/store/typed.hpp by C++ types; `row.text(3)` beside the
type string "iittt" is for what neither can read."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

MOST = 20
NONE = ("base/sales/availability", "base/catalog/attributes", "base/catalog/classifications", "base/catalog/downloads",
        "base/catalog/itineraries", "base/catalog/media", "base/catalog/trips", "base/people/customers", "base/sales/discounts",
        "base/people/enquiries", "base/people/reviews", "pro/additional_services")
READ = re.compile(r"\b\w+(?:\.|->)(?:is_null|(?:maybe_)?(?:integer|text|instant|date)|flag)\((?:\w+ \+ )?\d+\)")


def reads(text):
    return [text.count("\n", 0, found.start()) + 1 for found in READ.finditer(text)]


def main(root, most):
    faults, counts = [], {}
    for path in own_files(root):
        name = path.relative_to(root)
        if name.parts[0] not in ("base", "pro") or path.suffix not in (".cpp", ".hpp"):
            continue
        lines = reads(path.read_text())
        if not lines:
            continue
        counts[str(name)] = len(lines)
        if str(name.parent) in NONE:
            faults += [f"{name}:{line}: a column is read by its number; declare it in the feature's record" for line in lines]
    total = sum(counts.values())
    if total > most:
        worst = sorted(counts.items(), key=lambda each: -each[1])
        faults += [f"{total} columns are read by their numbers, {most} are allowed; use shared/record or"
                   " shared/store/typed.hpp:"] + [f"  {count:4} {name}" for name, count in worst]
    print("\n".join(faults) or f"figure: {total} columns read by their numbers, {most} allowed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve(),
                  int(sys.argv[2]) if len(sys.argv) > 2 else MOST))
