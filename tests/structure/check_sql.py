#!/usr/bin/python3
"""Fails on a statement that is pasted together at run time, on one that sets a booking's status outside its lifecycle,
on a step of the schema that takes away what the release before needs without saying so in its name, and on a name of the
base's schema in pro/ but for the views of shared/plugin/CAPABILITIES.md. Each table is written and read by the folders
that the section `tables:` of layers.txt lists. With --count it prints the pairs (folder, table) where a feature writes a
table of another one; `--count BEFORE NOW` counts those of an older tree first, by the owners that NOW lists."""
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
from check_layers import feature_of  # noqa: E402
from tree import own_files  # noqa: E402

# Literals that begin or go on as SQL does.
SQL = r'"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|FROM|WHERE|AND|OR|ORDER BY|LIMIT|VALUES|SET|RETURNING)\s[^"\n]+"'
PASTED = re.compile(rf"(?:{SQL})\s*\+(?!\+)|\+=?\s*(?:{SQL})|append\(\s*(?:{SQL})|(?:format|printf)\(\s*(?:{SQL})")
# Steps of the first release: there was none before it.
FIRST_RELEASE = {"base": 78, "pro": 4}
TAKES_AWAY = re.compile(r"\bDROP\s+(?:TABLE|COLUMN)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\b", re.I)


# The tables and views of the base's steps, and the versioned views that plugins may read.
MADE = re.compile(r"\bCREATE\s+(?:VIRTUAL\s+)?(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(svc_\w+)", re.I)
VERSIONED = re.compile(r"\bsvc_\w+_v\d+\b")
CAPABILITY = re.compile(r"^\| `(svc_\w+_v\d+)` \|", re.M)


def names_of_base(root):
    steps = "".join(path.read_text() for path in sorted((root / "migrations/base").glob("*.sql")))
    made = set(MADE.findall(steps))
    page = root / "shared/plugin/CAPABILITIES.md"
    listed = set(CAPABILITY.findall(page.read_text())) if page.exists() else set()
    return made, listed


def foreign_names(text, made, listed):
    """Names of the base that a source of Pro may not have, each with its line."""
    for found in re.finditer(r"\bsvc_\w+", text):
        name = found[0]
        if name not in listed and (name in made or VERSIONED.fullmatch(name)):
            yield text.count("\n", 0, found.start()) + 1, name


# Writers of a booking's status must write its history, seats and events too.
STATUS_OF_BOOKING = re.compile(r"UPDATE\s+svc_bookings\s+SET\b(?:(?!\bWHERE\b)[^;])*?(?<![\w.:])status\s*=")
WRITES_STATUS = "base/sales/booking/record/lifecycle.cpp"


def writes_status(text):
    """Whether a statement sets the status of a booking, literals that stand side by side read as one."""
    return STATUS_OF_BOOKING.search(re.sub(r'"\s*"', "", text)) is not None


def pasted(text):
    return [text.count("\n", 0, found.start()) + 1 for found in PASTED.finditer(text)]


def takes_away(path):
    edition, number = path.parent.name, int(path.name.split("_")[0])
    if number <= FIRST_RELEASE.get(edition, 0) or path.name.endswith("_contract.sql"):
        return False
    lines = (line for line in path.read_text().splitlines() if not re.match(r"\s*-- (?!sqlite:|postgresql:)", line))
    return any(TAKES_AWAY.search(line) for line in lines)


# Tables: who writes and who reads them. Adjacent literals are read as one; statements that are assembled from
# declarations (facts.cpp) belong to the table that declares them.
MADE_TABLE = re.compile(r"\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(svc_\w+)", re.I)
DROPPED = re.compile(r"\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?(svc_\w+)", re.I)
WRITES = re.compile(r'\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM)\s+(svc_\w+)|\bSVC_CLAIM\(\s*"(svc_\w+)"')
READS = re.compile(r"(?<!DELETE )\b(?:FROM|JOIN)\s+(svc_\w+)")
RECORD = re.compile(r'\.table = "(svc_\w+)"')
FACTS = re.compile(r'\.name = "(svc_\w+)"')


def uses_of_tables(root):
    """The folders of features that write and read each table, and those that state its facts."""
    writes, reads, states = defaultdict(set), defaultdict(set), defaultdict(set)
    for path in own_files(root):
        name = path.relative_to(root)
        if name.parts[0] not in ("base", "pro", "shared", "shell") or path.suffix not in (".cpp", ".hpp"):
            continue
        folder = feature_of(name.parent.as_posix())
        text = re.sub(r'"\s*"', "", re.sub(r"^\s*//.*", "", path.read_text(), flags=re.M))
        for found in WRITES.finditer(text):
            writes[found[1] or found[2]].add(folder)
        for found in READS.finditer(text):
            reads[found[1]].add(folder)
        if name.name == "facts.cpp":
            for found in FACTS.finditer(text):
                states[found[1]].add(folder)
        else:
            for found in RECORD.finditer(text):
                reads[found[1]].add(folder)
    return writes, reads, states


def tables_made(root):
    steps = "".join(path.read_text() for path in sorted((root / "migrations").glob("*/*.sql")))
    return set(MADE_TABLE.findall(steps)) - set(DROPPED.findall(steps))


def read_tables(path):
    """Of each table in the section `tables:` of layers.txt: its owner, the other writers, the other readers."""
    rows, inside = {}, False
    for line in path.read_text().splitlines() if path.exists() else ():
        words = line.split("#")[0].split()
        if words == ["tables:"]:
            inside = True
        elif inside and words:
            lists, current = {"writes": set(), "reads": set()}, None
            for word in words[2:]:
                if word in lists:
                    current = lists[word]
                else:
                    current.add(word)
            rows[words[0]] = (words[1], lists["writes"], lists["reads"])
    return rows, inside


def check_tables(root):
    rows, listed = read_tables(root / "tests/structure/layers.txt")
    if not listed:
        return
    made = tables_made(root)
    writes, reads, states = uses_of_tables(root)
    for table in sorted(made - set(rows)):
        yield f"layers.txt: the section tables: does not list {table}"
    for table in sorted(set(rows) - made):
        yield f"layers.txt: no step of the schema makes the table {table}"
    for table in sorted(set(rows) & made):
        owner, writers, readers = rows[table]
        if not (root / owner).is_dir():
            yield f"layers.txt: {owner}, the owner of {table}, does not exist"
        for folder in sorted(writes[table] - writers - {owner}):
            yield f"layers.txt: {folder} may not write {table} of {owner}; call {owner}, or state facts there"
        for folder in sorted(reads[table] - writes[table] - readers - {owner}):
            yield f"layers.txt: {folder} may not read {table} of {owner}"
        for folder in sorted(writers - writes[table]):
            yield f"layers.txt: {folder} does not write {table} any more"
        for folder in sorted(readers - (reads[table] - writes[table])):
            yield f"layers.txt: {folder} does not read {table} any more"
        for folder in sorted(states[table] - {owner}):
            yield f"{folder}/facts.cpp: {table} is of {owner}, which states its facts"


def count_writers(root, owners):
    """The pairs (folder, table) where a feature writes a table of another one."""
    writes = uses_of_tables(root)[0]
    return sorted((folder, table) for table, folders in writes.items() if table in owners
                  for folder in folders if folder != owners[table])


def main(root):
    faults, seen = list(check_tables(root)), 0
    made, listed = names_of_base(root)
    versioned = {name for name in made if VERSIONED.fullmatch(name)}
    faults += [f"shared/plugin/CAPABILITIES.md: no step of migrations/base makes {name}" for name in listed - made]
    faults += [f"migrations/base: {name} has no row in shared/plugin/CAPABILITIES.md" for name in versioned - listed]
    for path in own_files(root):
        name = path.relative_to(root)
        if name.parts[0] in ("base", "pro", "shared", "shell") and path.suffix in (".cpp", ".hpp"):
            seen += 1
            if name.parts[0] == "pro":
                faults += [f"{name}:{line}: {other} is the base's own; Pro reads the views of"
                           " shared/plugin/CAPABILITIES.md" for line, other in foreign_names(path.read_text(), made, listed)]
            if name.as_posix() != WRITES_STATUS and writes_status(path.read_text()):
                faults.append(f"{name}: sets a booking's status; call booking::Lifecycle::change")
            # These assemble statements from declarations, see table.hpp and sealed_columns.hpp.
            if name.parts[:2] == ("shared", "record") or name.as_posix() == "shared/store/sealed_columns.cpp":
                continue
            faults += [f"{name}:{line}: SQL is pasted together here; a value is a parameter, a choice is a whole statement"
                       for line in pasted(path.read_text())]
        if name.parts[0] == "migrations" and path.suffix == ".sql":
            seen += 1
            if takes_away(path):
                faults.append(f"{name}: takes away what an older release may need; name it …_contract.sql, one release"
                              " after the one that no longer needs it")
    print("\n".join(faults) or f"figure: {seen} files, statements pasted together 0, steps that take away unsaid 0")
    return 1 if faults else 0


def count(roots):
    rows, _ = read_tables(roots[-1] / "tests/structure/layers.txt")
    owners = {table: row[0] for table, row in rows.items()}
    for root in roots:
        pairs = count_writers(root, owners)
        print(f"figure: {root}: {len(pairs)} pairs of a folder and a table of another one that it writes")
        print("\n".join(f"  {folder} writes {table} of {owners[table]}" for folder, table in pairs))


if __name__ == "__main__":
    arguments = [Path(each).resolve() for each in sys.argv[1:] if each != "--count"]
    arguments = arguments or [Path(__file__).parents[2].resolve()]
    sys.exit(count(arguments) if "--count" in sys.argv else main(arguments[0]))
