#!/usr/bin/python3
"""Fails on fields of schemas that are written by position: {"id", id(), "", true}. With --fix their members are named:
{.name = "id", .type = id(), .required = true}."""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

MEMBERS = (".name", ".type", ".help", ".required", ".also", ".otherwise", ".ignored")  # of api::Field, in their order
# What a member is where it is left out.
LEFT_OUT = {".help": ('""', "{}"), ".required": ("false", "{}"), ".also": ("{}",), ".otherwise": ("{}", "std::nullopt"),
            ".ignored": ("false", "{}")}
TYPES = ("boolean|integer|id|page_sum|decimal|money|percent|text|raw_text|email|date|time|instant|choice|list|object|map|"
         "anything")  # of shared/api/schema.hpp
NAMES = set(TYPES.split("|"))
TYPE = re.compile(rf"(?:api::)?(?:object\(|(?:{TYPES})\((?!\"))")
RETURNS_TYPE = re.compile(r"^(?:static |inline |\[\[nodiscard\]\] |    |const )*(?:api::)?Type&? (\w+)\(", re.M)
VARIABLE = re.compile(r"\bType&? (\w+)\b")
ASSIGNED = re.compile(r"(?:\bauto|,) (\w+) = (?:\w+::)*(\w+)\((?=\)|[-\d{]|(\w))")
TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'|[{}()\[\],;]',
                   re.S)
PAIRS = re.compile(r"\b(?:pair|map)<[^;>]*\bapi::Type>")  # a file with lists of names and types that are no fields
JSON = re.compile(r"(?:Value::(?:object|array)|Value|emit|apply|Error|with|log::\w+)$")
LIKELY = re.compile(r'\{\s*(?:"\w+"|[\w.]+),\s*(?:\w+::)*\w+')


def in_json(text, stack):
    for kind, start, _ in reversed(stack):
        if kind == "(":
            return JSON.search(text, max(0, start - 40), start) is not None
        if kind != "{":
            return False
    return False


def lists(text):
    """The lists in braces, apart from those of JSON: the places of each part."""
    stack, found = [], []
    for token in TOKEN.finditer(text):
        piece = token.group(0)
        if piece in "([{":
            stack.append([piece, token.start(), [token.end()]])
        elif piece in ")]}" and stack:
            kind, _, cuts = stack.pop()
            if kind == "{" and piece == "}" and not in_json(text, stack):
                found.append(list(zip(cuts, [cut - 1 for cut in cuts[1:]] + [token.start()])))
        elif piece == "," and stack:
            stack[-1][2].append(token.end())
        elif piece == ";" and stack and stack[-1][0] == "{":
            stack[-1][0] = "block"  # of statements
    return found


def is_type(part, variables, functions, has_help):
    if TYPE.match(part) or (has_help and re.match(r"\w+\.(?:type|answer)$", part)):
        return True
    if named := re.match(r"(?:std::move\()?(\w+)(?:\.or_null\(\)|\))?$", part):
        return named.group(1) in variables
    called = re.match(r"(?!Value::)(?:\w+::)*(\w+)\(", part)
    return called is not None and called.group(1) in functions - NAMES


def is_field(parts, variables, functions):
    if len(parts) < 2 or not re.match(r'(?:"\w+"|[a-z_]\w*(?:\.\w+)*|std::string\(\w+\))$', parts[0]):
        return False
    has_help = len(parts) > 2 and (parts[2].startswith('"') or parts[2].endswith(".help"))
    if not parts[0].startswith('"') and not TYPE.match(parts[1]) and not has_help:
        return False  # of two variables: anything
    # Other structs begin with a name and a type too, but have no sentence in the third place.
    if len(parts) > 2 and re.match(r"true|false|\d|json::|Value\b|\[", parts[2]):
        return False
    return not (len(parts) > 3 and parts[3].startswith('"')) and is_type(parts[1], variables, functions, has_help)


def fields(text, functions):
    """The fields that are written by position, as the places of their parts."""
    if not LIKELY.search(text):
        return []
    functions = functions | set(RETURNS_TYPE.findall(text))
    variables = set(VARIABLE.findall(text))
    variables |= {name for name, called, given in ASSIGNED.findall(text)
                  if called in functions and not (given and called in NAMES)}
    shortest = 3 if PAIRS.search(text) else 2
    return [places for places in lists(text) if len(places) >= shortest and
            is_field([text[a:b].strip() for a, b in places], variables, functions)]


def with_names(text, functions):
    edits = []
    for places in fields(text, functions):
        if not text[places[-1][0]:places[-1][1]].strip():
            places = places[:-1]  # a comma at the end
        for at, (a, b) in enumerate(places):
            value = text[a:b].strip()
            if value in LEFT_OUT.get(MEMBERS[at], ()):
                edits.append((a - 1, b, ""))
            else:
                begin = a + len(text[a:b]) - len(text[a:b].lstrip())
                edits.append((begin, begin, f"{MEMBERS[at]} = "))
    for a, b, new in sorted(edits, reverse=True):
        text = text[:a] + new + text[b:]
    return text


def main(root, fix):
    sources = {path: path.read_text() for path in own_files(root, ".cpp", ".hpp")}
    functions = set(NAMES)
    for path, text in sources.items():
        if path.suffix == ".hpp":
            functions |= set(RETURNS_TYPE.findall(text))
    faults, changed = [], []
    for path, text in sources.items():
        found = fields(text, functions)
        if found and fix:
            while (new := with_names(text, functions)) != text:  # those inside of others, too
                text = new
            path.write_text(text)
            changed.append(path)
        elif found:
            faults += [f"{path.relative_to(root)}:{text.count(chr(10), 0, places[0][0]) + 1}: name the members of the"
                       f" field {text[places[0][0]:places[0][1]].strip()}" for places in found]
    if changed:
        subprocess.run(["clang-format", "-i", *changed], check=True)
    print("\n".join(sorted(faults)) or (f"{len(changed)} files changed" if fix else "fields of schemas name their members"))
    return 1 if faults or not sources else 0


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--fix"]
    sys.exit(main(Path(given[0] if given else Path(__file__).parents[2]).resolve(), "--fix" in sys.argv))
