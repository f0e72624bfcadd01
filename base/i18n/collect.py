#!/usr/bin/python3
"""Keeps the catalogues of base/i18n in step with the texts of the code (docs/texts.md).

Without arguments it writes {domain}/texts.pot and adds new texts to each catalogue, with empty translations; what is no
longer used is removed. --check changes nothing and fails when a text is missing, unused, untranslated, or translated
with other arguments. Needs msgmerge (gettext).
"""
import json
import re
import subprocess
import sys
from pathlib import Path

I18N = Path(__file__).resolve().parent
BASE = I18N.parent
LANGUAGES = ("de", "es", "fr")
# Where the texts of a domain are: folders below base/, and what their files are.
DOMAINS = {
    "mail": ("messaging",),
    "document": ("sales/documents", "sales/booking/cancellation", "sales/booking/record", "sales/payment/gateways"),
    "site": ("website", "web/website", "../pro/pages"),
    "admin": ("admin", "web/admin", "web/kit"),
    "error": (".", "../shared", "../pro", "../shell"),
}
ANY_SUFFIX = (".html", ".txt", ".subject", ".cpp", ".hpp", ".ts", ".tsx")
SUFFIXES = {"error": (".cpp", ".hpp")}
# What docs/settings.md adds to a setting's description.
MORE_OF_SETTINGS = r" (Secret: encrypted at rest, masked in answers|Also read as [^.]*|Can be changed while the module [^.]*)\."
IN_TEMPLATE = re.compile(r"\{\{#\s*t\s*\}\}(.*?)\{\{/t\}\}", re.S)
CPP_STRINGS = r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)'
# say(locale, "mail", "…") and, where the domain is the file's own, say_text("…") and known_text("…").
IN_CPP = re.compile(r'\bsay\([^"();]*(?:\([^()]*\)[^"();]*)*"(\w+)",\s*' + CPP_STRINGS + r"|\b(?:say|known)_text\(\s*" + CPP_STRINGS)
# default_text("…"), wherever it is: what pages say in their language while the operator has not replaced it.
DEFAULT = re.compile(r"\bdefault_text\(\s*" + CPP_STRINGS)
# "…"_sentence, and the sentence of an error's code.
SENTENCE = re.compile(CPP_STRINGS + "_sentence")
OF_CODE = re.compile(r'(?:\bX\(\w+|\bErrorCode \w+\{)\s*,?\s*"\w+",\s*\d+,\s*(?:\\\s*)?' + CPP_STRINGS + r"[)}]")
# Nouns of records, which sentences take as values.
NOUN = re.compile(r'(?<=[{\s])\.(?:noun|one|many) = ("[a-z][^"]*")')
VALUE = re.compile(r'\s*\.\s*with(?:_decimal)?\(\s*"(\w+)"')
IN_SCRIPT = re.compile(r"""(?<![\w.$])t\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)""")


def joined(strings):
    parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', strings)
    return unescaped("".join(parts))


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def texts_of(file, domain):
    """The texts in a file, with their lines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix in (".html", ".txt", ".subject"):
        for m in IN_TEMPLATE.finditer(text):
            yield " ".join(m[1].split()), text.count("\n", 0, m.start()) + 1
    elif domain == "error":
        for m in (*SENTENCE.finditer(text), *OF_CODE.finditer(text), *NOUN.finditer(text)):
            if not joined(m[1]):
                continue  # the declaration of the ending itself
            yield joined(m[1]), text.count("\n", 0, m.start()) + 1
    elif file.suffix in (".cpp", ".hpp"):
        for m in IN_CPP.finditer(text):
            if m[3] or m[1] == domain:
                yield joined(m[3] or m[2]), text.count("\n", 0, m.start()) + 1
    else:
        for m in IN_SCRIPT.finditer(text):
            yield unescaped(m[1][1:-1]), text.count("\n", 0, m.start()) + 1


def used(domain):
    """Each text of a domain with the places that use it."""
    found = {}
    for folder in DOMAINS[domain]:
        for file in sorted((BASE / folder).rglob("*")):
            if file.suffix in SUFFIXES.get(domain, ANY_SUFFIX) and "node_modules" not in file.parts:
                for text, line in texts_of(file, domain):
                    found.setdefault(text, []).append(place_of(file, domain))
    if domain == "site":
        for file in cpp_files():
            for m in DEFAULT.finditer(file.read_text(encoding="utf-8")):
                found.setdefault(joined(m[1]), []).append("defaults")
    return found


def cpp_files():
    for folder in DOMAINS["error"]:
        for file in sorted((BASE / folder).rglob("*")):
            if file.suffix in SUFFIXES["error"] and "node_modules" not in file.parts:
                yield file


def place_of(file, domain):
    """Sentences move with their code: their folder tells enough."""
    return str(file.resolve().relative_to(BASE.parent).parts[0] if domain == "error" else file.relative_to(BASE))


def end_of_call(text, at):
    """Behind the parenthesis that closes the one at `at`."""
    depth = 0
    for m in re.compile(r'"(?:[^"\\\n]|\\.)*"|[()]').finditer(text, at):
        depth += (m[0] == "(") - (m[0] == ")")
        if depth == 0:
            return m.end()
    return len(text)


def values_after(text, at):
    """The places that are given values right behind a sentence: .with("least", 1).with("most", 5)."""
    names = set()
    while m := VALUE.match(text, at):
        names.add(m[1])
        at = end_of_call(text, text.index("(", m.start()))
    return names


def sentences_without_values():
    """Sentences whose places do not get their values, or which get others."""
    faults = []
    for file in cpp_files():
        text = file.read_text(encoding="utf-8")
        for m in SENTENCE.finditer(text):
            sentence = joined(m[1])
            places, depth = arguments(sentence)
            given = values_after(text, m.end())
            # One that is chosen first gets its values where it is used, in the same file.
            later = not given and all(re.search(rf'with(?:_decimal)?\(\s*"{place}"', text) for place in places)
            if re.search(r"(?<!')'\{", sentence):
                faults.append(f"{file.name}: an apostrophe before a brace makes it text; write it twice: {sentence}")
            if depth or not (places == given or later):
                faults.append(f"{file.name}: values {sorted(given)} for places {sorted(places)}: {sentence}")
    return faults


def words(name):
    """As kit/format.ts shows a name: "payment_status" is "Payment status"."""
    text = re.sub(r"[_-]+", " ", name).strip()
    return text[:1].upper() + text[1:]


def repeats(description, name):
    """Whether a field's label says as much, so that kit/form.tsx leaves its description out."""
    said = re.sub(r"^(is|has)_", "", re.sub(r"_ids?$", "", name)).replace("_", " ")
    return len(description) < 45 and said in description.lower() and not re.search(r"\d|;|:", description)


def is_for_programs(description):
    """Whether it names fields, routes or rights, which have no other names than those of the interface."""
    return bool(re.search(r"[_`/<>{}\[\]]", description))


def of_settings():
    """Names, groups, choices and descriptions of the settings: from docs/settings.md, which is made of the code."""
    found = set()
    for line in (BASE.parent / "docs/settings.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            found.add(words(line[3:]))
        row = re.match(r"\| `(\w+)` \| (.*?) \| .*? \| (.*) \|$", line)
        if row and not re.match("email_t(pl|emplate)_", row[1]):
            found.update((words(row[1]), re.sub(MORE_OF_SETTINGS, "", row[3].replace("\\|", "|"))))
            found.update(words(one) for one in re.findall("`([^`]+)`", row[2]))
    # The words of modules are loaded while one is on.
    template = (I18N / "interface/texts.pot").read_text(encoding="utf-8")
    of_modules = {json.loads(text) for text in re.findall(r'^#: module\nmsgid (".+")$', template, re.M)}
    known = (set(read_po(I18N / "interface/texts.pot")[0]) - of_modules) | of_terms()
    return {text: ["settings"] for text in found if re.search("[A-Za-z]{2}", text) and text not in known}


def of_terms():
    """What every screen has: the catalogue's words of the server."""
    return {text for text, _ in texts_of(BASE / "web/kit/terms.ts", "admin")}


def of_interface(document):
    """The texts of an OpenAPI document that generic screens show, without those that every screen has anyway."""
    places = {}

    def pointed(value):
        while "$ref" in value:
            at = document
            for part in value["$ref"][2:].split("/"):
                at = at[part]
            value = at
        return value

    def walk(found, schema, asked, depth=0):
        schema = pointed(schema)
        if depth > 8:
            return
        for kind in ("allOf", "anyOf", "oneOf"):
            for one in schema.get(kind, ()):
                walk(found, one, asked, depth + 1)
        found.update(words(one) for one in schema.get("enum", ()) if isinstance(one, str))
        for name, inner in schema.get("properties", {}).items():
            found.add(words(re.sub(r"^(is|has)_", "", re.sub(r"_ids?$", "", name))) if asked else words(name))
            if asked == "with help":
                found.update(one["description"] for one in (inner, pointed(inner))
                             if "description" in one and not repeats(one["description"], name)
                             and not is_for_programs(one["description"]))
            walk(found, inner, asked, depth + 1)
        if "items" in schema:
            walk(found, schema["items"], asked, depth + 1)

    for operations in document["paths"].values():
        for method, one in operations.items():
            found = places.setdefault("module" if "x-module" in one else "openapi", set())
            if method not in ("get", "post", "put", "delete") or one.get("deprecated") or one["x-permission"].startswith("the "):
                continue
            found.add(one["summary"])
            asked = "with help" if one["x-permission"] not in ("everyone", "signed in") else "without"
            found.update(words(tag) for tag in one.get("tags", ()))
            for parameter in map(pointed, one.get("parameters", ())):
                if parameter["in"] in ("path", "query") and parameter["name"] not in ("page", "per_page"):
                    found.add(words(re.sub(r"_ids?$", "", parameter["name"])))
                    said = parameter.get("description", "")
                    if asked == "with help" and not repeats(said, parameter["name"]) and not is_for_programs(said):
                        found.add(said)
                    walk(found, parameter["schema"], asked)
            body = pointed(one.get("requestBody", {})).get("content", {}).get("application/json")
            if body:
                walk(found, body["schema"], asked)
            if method == "get" and one["x-permission"] != "everyone":
                for status in ("200", "201"):
                    answer = pointed(one["responses"].get(status, {})).get("content", {}).get("application/json")
                    if answer:
                        walk(found, answer["schema"], "")
    known = of_terms()
    place = {text: ["module"] for text in places.get("module", ())} | {text: ["openapi"] for text in places["openapi"]}
    return {text: at for text, at in place.items() if re.search("[A-Za-z]{2}", text) and text not in known}


def read_document(option):
    """The document in the file that an option names; log lines may stand before it."""
    text = Path(sys.argv[sys.argv.index(option) + 1]).read_text(encoding="utf-8")
    return json.JSONDecoder().raw_decode(text[text.index('{"openapi"'):])[0]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def pot(texts):
    out = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"',
           '"Content-Transfer-Encoding: 8bit\\n"', ""]
    for text in sorted(texts):
        out += [f"#: {place}" for place in sorted(set(texts[text]))] + [f"msgid {quoted(text)}", 'msgstr ""', ""]
    return "\n".join(out)


def read_po(file):
    """(translations by text, fuzzy texts) of a .po file."""
    entries, fuzzy, key, into, is_fuzzy = {}, set(), None, None, False
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        line = line.strip()
        if line.startswith("#,"):
            is_fuzzy = "fuzzy" in line
        elif line.startswith("msgid "):
            key, into, line = "", "key", line[6:]
        elif line.startswith("msgstr "):
            into, line = "text", line[7:]
            entries[key] = ""
            if is_fuzzy:
                fuzzy.add(key)
            is_fuzzy = False
        if line.startswith('"') and into == "key":
            key += unescaped(line[1:-1])
        elif line.startswith('"') and into == "text":
            entries[key] += unescaped(line[1:-1])
    entries.pop("", None)
    return entries, fuzzy


def arguments(text):
    """The names that a MessageFormat text asks for, without the words of its plurals and choices."""
    names, depth = set(), 0
    for m in re.finditer(r"[{}]|\{?", text):
        if m[0] == "{":
            if depth % 2 == 0:
                named = re.match(r"\s*([\w]+)", text[m.end():])
                if named:
                    names.add(named[1])
            depth += 1
        elif m[0] == "}":
            depth -= 1
    return names, depth


def check(domain, texts):
    faults = []
    for language in LANGUAGES:
        file = I18N / domain / f"{language}.po"
        entries, fuzzy = read_po(file)
        for text in sorted(texts):
            translation = entries.get(text)
            if translation is None:
                faults.append(f"{file.relative_to(BASE)}: missing: {text}")
            elif not translation or text in fuzzy:
                faults.append(f"{file.relative_to(BASE)}: without a translation: {text}")
            elif arguments(text) != arguments(translation):
                faults.append(f"{file.relative_to(BASE)}: other arguments than: {text}")
        faults += [f"{file.relative_to(BASE)}: no longer used: {text}" for text in entries if text not in texts]
    return faults


def main():
    faults = []
    if "--check-interface" in sys.argv:
        texts = of_interface(read_document("--check-interface"))
        missing = sorted(set(texts) - set(read_po(I18N / "interface/texts.pot")[0]))
        print(f"interface: {len(missing)} of {len(texts)} texts are not in the catalogues", *missing, sep="\n  ")
        return 1 if len(missing) * 50 > len(texts) else 0
    for domain in (*DOMAINS, "interface", "settings"):
        if domain == "settings":
            texts = of_settings()
        elif domain != "interface":
            texts = used(domain)
        elif "--interface" in sys.argv:
            texts = of_interface(read_document("--interface"))
        else:
            texts = {text: [] for text in read_po(I18N / "interface/texts.pot")[0]}
            if "--check" not in sys.argv:
                continue  # its places are known with the document alone
        if not texts:
            continue
        folder = I18N / domain
        if "--check" in sys.argv:
            faults += check(domain, texts)
            continue
        folder.mkdir(exist_ok=True)
        template = folder / "texts.pot"
        template.write_text(pot(texts), encoding="utf-8")
        for language in LANGUAGES:
            file = folder / f"{language}.po"
            if not file.exists():
                file.write_text(pot({}).replace("8bit\\n\"\n", f"8bit\\n\"\n\"Language: {language}\\n\"\n"), encoding="utf-8")
            subprocess.run(["msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", "--no-wrap",
                            "--no-location", file, template], check=True)
            subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "-o", file, file], check=True)
            print(f"{domain}/{language}: {sum(1 for t in read_po(file)[0].values() if not t)} of {len(texts)} without"
                  " a translation")
    faults += sentences_without_values()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
