#!/usr/bin/python3
"""Fails on a statement that is pasted together at run time, on one that sets a booking's status outside its lifecycle,
on a step of the schema that takes away what the release before needs without saying so in its name, and on a name of the
base's schema in pro/ but for the views of shared/plugin/CAPABILITIES.md."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
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
WRITES_STATUS = "base/booking/record/lifecycle.cpp"


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


def main(root):
    faults, seen = [], 0
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
            if name.parts[:2] == ("shared", "record"):  # assembles statements at start from declarations, see table.hpp
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


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
