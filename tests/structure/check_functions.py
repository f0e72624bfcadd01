#!/usr/bin/python3
"""Fails on a function of more than 60 lines, from its name to its closing brace. Tables are exempt: a function that declares
fields, routes or rows and hardly decides anything. Longer ones that stood when this was first counted are listed in LONG
with their length, which may only shrink; an entry that is no longer needed fails too."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

MOST = 60
LONG = {
    "base/website/feature.cpp Feature::add_routes": 77,
    "base/website/pages/theme.cpp Theme::files": 75,
    "base/website/views/booking_pay.cpp Views::book_pay_submit": 87,
    "base/website/views/booking_pay.cpp pay_page": 63,
    "base/website/views/checkout_form.cpp field_json": 65,
    "base/website/views/checkout_form.cpp sections_json": 64,
    "base/website/views/compare.cpp Views::compare": 68,
    "base/website/views/confirmation.cpp booked_json": 73,
    "base/website/views/listing.cpp list_trips": 127,
    "base/website/views/trip.cpp Views::trip": 108,
}
TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
SCOPE = re.compile(r"\b(?:namespace|extern)\b[^()]*$|\b(?:class|struct|union|enum)\b[^()=]*$")
HEAD = re.compile(r"\)[^=]*$|\)[^=]*\boperator\b", re.S)
MEMBERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")  # the members that a constructor sets
BRANCH = re.compile(r"\b(?:if|for|while|do|catch)\b")
NAME = re.compile(r"([\w~]+(?:::[\w~]+)*|operator\W+)\s*\(")


def blank(text):
    """Without comments, texts and directives, on the same lines."""
    text = TEXTS.sub(lambda found: ("" if found[0][:2] in ("//", "/*") else '""') + "\n" * found[0].count("\n"), text)
    return DIRECTIVE.sub(lambda found: "\n" * found[0].count("\n"), text)


def is_table(body):
    """Whether a function's body declares: without branches, or with few, and few statements among many lines."""
    lines, branches = body.count("\n") + 1, len(BRANCH.findall(body))
    return branches == 0 or (lines >= 20 * branches and lines >= 3 * body.count(";"))


def functions_of(text):
    """The name, the first line, the number of lines and whether it is a table, of each function that is defined here."""
    text = blank(text)
    start, parens, depth, body, head = 0, 0, [], None, ""
    for at, letter in enumerate(text):
        if body is not None:
            depth[-1] += (letter == "{") - (letter == "}")
            if depth[-1] == 0:
                begin = start + len(text[start:body]) - len(text[start:body].lstrip())
                name = NAME.search(text[begin:body])
                yield (name[1] if name else "?", text.count("\n", 0, begin) + 1, text.count("\n", begin, at) + 1,
                       is_table(text[body:at]))
                depth.pop()
                body, start = None, at + 1
        elif letter in "()":
            parens += 1 if letter == "(" else -1
        elif letter == "{" and parens == 0:
            head = text[start:at].strip()
            if SCOPE.search(head):
                start = at + 1
            elif HEAD.search(head) and not (MEMBERS.search(head) and re.search(r"[\w>]$", head)):
                body = at
                depth.append(1)
            else:
                depth.append(0)  # the value of a variable or a member
        elif letter == "}" and parens == 0:
            if depth:
                depth.pop()
            else:
                start = at + 1
        elif letter == ";" and parens == 0 and not depth:
            start = at + 1


def main(root):
    seen, long, faults = 0, {}, []
    for path in own_files(root, ".cpp", ".hpp"):
        name = path.relative_to(root).as_posix()
        if name.startswith("tests/"):
            continue
        for function, line, lines, table in functions_of(path.read_text()):
            seen += 1
            if lines > MOST and not table:
                long[f"{name} {function}"] = lines
                if lines > LONG.get(f"{name} {function}", MOST):
                    faults.append(f"{name}:{line}: {function} has {lines} lines, {LONG.get(f'{name} {function}', MOST)} are allowed")
    if (root / "tests/structure/check_functions.py").exists():
        faults += [f"check_functions.py: {entry} has {long.get(entry, 0)} lines now, lower its number or take it out"
                   for entry, lines in LONG.items() if long.get(entry, 0) < lines]
    print("\n".join(faults) or f"figure: {seen} functions, {len(long)} longer than {MOST} lines")
    return 1 if faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
