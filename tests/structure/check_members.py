#!/usr/bin/python3
"""Fails on a class with more than 30 member functions: it is several, and is divided by subject. Those that had more when
every class was first counted are listed in MORE with their number, which may only shrink."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

MOST = 30
TEXTS = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
MORE = {
    "base/website/pages/pages.hpp Pages": 32,
    "base/website/views/views.hpp Views": 61,
    "base/platform/events/events.hpp Events": 31,
    "base/admin/reports/writer.hpp Writer": 31,
    "base/people/reviews/feature.hpp Feature": 32,
    "base/settings/values/site_settings.hpp SiteSettings": 34,
    "shared/json/value.hpp Value": 50,
    "shared/record/table.hpp Table": 59,
    "shared/resource/engine.hpp Engine": 31,
    "shell/http/connection.hpp Connection": 49,
}
CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*(?::[^:{;][^{;]*)?\{")
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
    for path in own_files(root, ".hpp", ".cpp"):
        name = str(path.relative_to(root))
        if not name.startswith("tests/"):
            text = TEXTS.sub('""', path.read_text())
            for found in CLASS.finditer(text):
                kind = f"{name} {found[1]}"
                counts[kind] = max(counts.get(kind, 0), functions_of(text[found.end():]))
    faults = [f"{kind} has {count} member functions, {MORE.get(kind, MOST)} are allowed"
              for kind, count in counts.items() if count > MORE.get(kind, MOST)]
    if (root / "tests/structure/check_members.py").exists():
        faults += [f"check_members.py: {kind} has {counts.get(kind, 0)} now, lower its number or take it out"
                   for kind, count in MORE.items() if counts.get(kind, 0) < count]
    print("\n".join(faults) or f"{len(counts)} classes have at most {MOST} functions, but for {len(MORE)}")
    return 1 if faults or not counts else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
