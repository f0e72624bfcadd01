#!/usr/bin/python3
"""Fails on a file that does not open with a sentence of purpose, on one that has grown past 400 lines, and on a source,
a step of the schema or a page's template that no list of the build names, which would lie there and do nothing."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

LONGEST = 400
# Opening lines, by kind of file; a shebang may stand before it.
OPENINGS = {
    **dict.fromkeys((".hpp", ".cpp"), r"// \S.*"),
    **dict.fromkeys((".h", ".c"), r"(//|/\*) \S.*"),
    ".py": r'"""\S.*',
    **dict.fromkeys((".sh", ".cmake", ".txt", ".bash"), r"# \S.*"),
    ".sql": r"-- \S.*",
}
LIMITED = {".hpp", ".cpp", ".h", ".c", ".py", ".sh", ".cmake"}


def faults_of(path, root):
    lines = path.read_text().splitlines()
    name = path.relative_to(root)
    start = 1 if lines and lines[0].startswith("#!") else 0
    if len(lines) <= start or not re.match(OPENINGS[path.suffix], lines[start]):
        yield f"{name}: does not open with a sentence of purpose"
    if path.suffix in LIMITED and name.parts[0] != "tests" and len(lines) > LONGEST:
        yield f"{name}: {len(lines)} lines, {LONGEST} are allowed"


def unnamed(files, root):
    lists = {top: (root / top / "CMakeLists.txt") for top in ("base", "shared", "shell")}
    texts = {top: path.read_text().split() for top, path in lists.items() if path.exists()}
    for path in files:
        name = path.relative_to(root)
        top = name.parts[1] if name.parts[0] == "migrations" else name.parts[0]
        if path.suffix == ".cpp" and top == "pro" and len(name.parts) != 3:
            yield f"{name}: pro/CMakeLists.txt finds the files of pro/MODULE alone"
        if path.suffix not in (".cpp", ".sql") or top not in texts:
            continue
        named = str(name) if path.suffix == ".sql" else str(name.relative_to(top))
        if not any(word.rstrip(")") == named for word in texts[top]):
            yield f"{name}: {top}/CMakeLists.txt does not name it"


def unnamed_templates(root):
    """A template without its place in the list is not in the program, and each page that includes it fails."""
    listed, folder = root / "base/website/themes.cmake", root / "base/website/themes/default"
    names = listed.read_text().split() if listed.exists() else []
    for path in sorted(folder.glob("*.html")):
        if f"${{theme}}/{path.name}" not in names:
            yield f"{path.relative_to(root)}: base/website/themes.cmake does not name it"


def unattached_steps(root):
    """A step of Pro that no module has is in the library and never run."""
    sources = "".join(path.read_text() for path in sorted((root / "pro").rglob("*.cpp")))
    for path in sorted((root / "migrations/pro").glob("*.sql")):
        if f'step("{path.name}")' not in sources:
            yield f"{path.relative_to(root)}: no module of pro/ has it"


def main(root):
    files = own_files(root, *OPENINGS)
    faults = [fault for path in files for fault in faults_of(path, root)] + list(unnamed(files, root))
    faults += [*unnamed_templates(root), *unattached_steps(root)]
    print("\n".join(faults) or f"{len(files)} files open with their purpose, are short enough and are built")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
