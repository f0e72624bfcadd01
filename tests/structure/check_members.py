#!/usr/bin/python3
"""Fails on a service or repository with more than 30 member functions: it is several, and is divided by subject."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

MOST = 30
TEXTS = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
CLASS = re.compile(r"\b(?:class|struct)\s+(\w*(?:Service|Repository))(?:\s+final)?\s*(?::[^{;]*)?\{")
BODY = re.compile(r"\)\s*(?:(?:const|noexcept|override|final)\s*)*(?::.*)?$", re.S)


def is_function(declaration):
    """Whether a member that ends here is a function that somebody wrote."""
    text = re.sub(r"\b(?:public|private|protected)\s*:", "", declaration).strip()
    if text.startswith(("using", "friend", "static_assert")) or re.search(r"=\s*(?:delete|default)$", text):
        return False
    while (plainer := re.sub(r"<[^<>]*>", "", text)) != text:
        text = plainer
    return re.search(r"^[^=]*\b\w+\s*\(|\boperator\b", text) is not None


def functions_of(text):
    """How many functions are declared at the top of the class whose body begins here."""
    depth, count, member = 1, 0, ""
    for letter in text:
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return count
            if depth == 1 and BODY.search(member.strip()):
                count += is_function(member)
                member = ""
        elif depth == 1 and letter == ";":
            count += is_function(member)
            member = ""
        elif depth == 1:
            member += letter
    return count


def main(root):
    counts = {}
    for path in own_files(root, ".hpp"):
        name = str(path.relative_to(root))
        if not name.startswith("tests/"):
            text = TEXTS.sub('""', path.read_text())
            counts.update({(name, found[1]): functions_of(text[found.end():]) for found in CLASS.finditer(text)})
    faults = [f"{name}: {kind} has {count} member functions, {MOST} are allowed"
              for (name, kind), count in counts.items() if count > MOST]
    print("\n".join(faults) or f"{len(counts)} services and repositories have at most {MOST} functions")
    return 1 if faults or not counts else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
