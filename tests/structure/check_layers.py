#!/usr/bin/python3
"""Fails on an include that layers.txt does not allow, on a folder it does not list, on a feature that the assembly does
not, and where the base spells the slug of a Pro module instead of asking by its name in the catalogue of modules."""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])', re.M)
OWN = ("base", "pro", "shared", "shell", "tests", "cmake")
LANGUAGE = re.compile(r"<[a-z_]+>|<std(def|int)\.h>")  # <vector>, <cstdint>; C's own for the plugin's C header
PRIVATE = ("repository.hpp", "routes.hpp")  # a feature's own; base/app and pro/app, which build it, apart
# Wings: their folders are features of their own.
GROUPS = ("base/admin", "base/catalog", "base/data", "base/people", "base/platform", "base/sales")

CATALOGUE = "shared/plugin/pro_modules.hpp"
ASKS_FOR_MODULE = r'(?:\bmodule\w*\s*[=(]\s*|\bslug\s*[!=]=\s*)"({})"'  # .module = "…", module_enabled("…"), slug == "…"


def read_table(path):
    """The rows and their allowances, sets written out."""
    sets, rows = {}, {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words == ["tables:"]:  # see check_sql.py
            break
        if len(words) > 1 and words[1] == "=":
            sets[words[0]] = words[2:]
        elif words:
            rows[words[0]] = [item for word in words[1:] for item in sets.get(word, [word])]
    return rows


def row_of(folder, rows):
    """The row that decides for a folder: its own, else the longest one with /* above it."""
    if folder in rows:
        return folder
    above = [row for row in rows if row.endswith("/*") and (folder + "/").startswith(row[:-1])]
    return max(above, key=len, default=None)


def allows(word, included):
    """Whether a word of a row covers an include as it is written."""
    if included.startswith("<"):
        return word == "<*" or word == included or (word.startswith("<") and included.startswith(word))
    folder = included.rpartition("/")[0]
    return word in (folder, included) or (word.endswith("/*") and (folder + "/").startswith(word[:-1]))


def feature_of(folder):
    """The folder of the feature that a folder is part of."""
    parts = folder.split("/")
    return "/".join(parts[:3 if "/".join(parts[:2]) in GROUPS else 2])


def check_file(path, root, rows):
    folder = path.parent.relative_to(root).as_posix()
    row = row_of(folder, rows)
    if row is None:
        yield f"{path.relative_to(root)}: {folder} is not listed in layers.txt"
        return
    for written in INCLUDE.findall(path.read_text()):
        included = written.strip('"')
        mine = included.rpartition("/")[0] == folder
        if not mine and not LANGUAGE.fullmatch(written) and not any(allows(word, included) for word in rows[row]):
            yield f"{path.relative_to(root)}: {row} may not include {written}"
        if included.rsplit("/", 1)[-1] in PRIVATE and not folder.startswith("tests"):
            if feature_of(included.rpartition("/")[0]) != feature_of(folder) and folder not in ("base/app", "pro/app"):
                yield f"{path.relative_to(root)}: {included} is its feature's own"


def unlisted_features(root):
    """Features of the base that base/app/assembly.hpp does not build."""
    assembly = root / "base/app/assembly.hpp"
    if not assembly.exists():
        return
    listed = INCLUDE.findall(assembly.read_text())
    for path in sorted((root / "base").rglob("feature.hpp")):
        name = path.relative_to(root).as_posix()
        if name != "base/feature/feature.hpp" and f'"{name}"' not in listed:
            yield f"{name}: base/app/assembly.hpp does not list this feature"


def spelled_modules(root):
    """Sources of the base that name a Pro module by hand."""
    catalogue = root / CATALOGUE
    if not catalogue.exists():
        return
    slugs = re.findall(r'[{=]\s*"(\w+)"\s*[,;]', catalogue.read_text())
    asks = re.compile(ASKS_FOR_MODULE.format("|".join(slugs)))
    for path in sorted((root / "base").rglob("*.[ch]pp")):
        yield from (f"{path.relative_to(root)}: the module {slug} is spelled, use plugin::slugs of {CATALOGUE}"
                    for slug in asks.findall(path.read_text()))


def main(root):
    rows = read_table(root / "tests/structure/layers.txt")
    files = [f for top in OWN for f in sorted((root / top).rglob("*")) if f.suffix in (".hpp", ".cpp", ".h", ".c")]
    faults = [fault for path in files for fault in check_file(path, root, rows)]
    faults += unlisted_features(root)
    faults += spelled_modules(root)
    faults += [f"layers.txt: {row} does not exist" for row in rows if not (root / row.removesuffix("/*")).is_dir()]
    print("\n".join(faults) or f"{len(files)} files keep to the layers")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
