"""base/web as prettier formats it, and against the interface: types made from this build's OpenAPI document, then tsc.
Nothing of it can be stale.

check_types.py SVC WEB: WEB is the build's folder with node_modules and the sources as src.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SVC, WEB = sys.argv[1], pathlib.Path(sys.argv[2])
document = subprocess.run([SVC, "catalogue", "openapi"], stdout=subprocess.PIPE, check=True, cwd=WEB).stdout
made, kept = WEB / "api.d.ts", WEB / "openapi.json"
if not (made.exists() and kept.exists() and kept.read_bytes() == document):
    kept.write_bytes(document)
    subprocess.run(["node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.d.ts"], cwd=WEB, check=True)
(WEB / "tsconfig.json").write_text(json.dumps({
    "extends": "./src/tsconfig.json",
    "compilerOptions": {"paths": {"svc-api": ["./api.d.ts"]}, "rootDir": "."},
    "include": ["src/admin", "src/docs", "src/kit", "src/website"]}))
subprocess.run(["node_modules/.bin/tsc", "-p", "."], cwd=WEB, check=True)
here = pathlib.Path(__file__).parent
ROOT = here.parents[1]
formatted = [ROOT / folder for folder in ("base/web/**/*.{ts,tsx,mjs,css}", "base/admin/*.css", "base/website/themes/default/*.css")]
if subprocess.run(["node_modules/.bin/prettier", "--config", ROOT / "base/web/.prettierrc.json", "--check", *formatted],
                  cwd=WEB, stdout=subprocess.DEVNULL).returncode:
    sys.exit("Some files are not formatted as prettier formats them: run `make format`.")
# What stores something and throws its promise away would show nothing meanwhile, and store twice by a double click.
THROWN_AWAY = re.compile(r"(?:on(?:Click|Change)=\{|run:)\s*(?:async\s*)?\(?\w*\)?\s*=>\s*\(?\s*"
                         r"void\s+(?:api\s*\.\s*(?:post|put|remove)|json|file)\b")
assert THROWN_AWAY.search("onClick={() =>\n  void api\n    .post('/x')}")
for script in sorted((WEB / "src").glob("*/**/*.tsx")):
    text = script.read_text(encoding="utf-8")
    if (at := THROWN_AWAY.search(text)):
        sys.exit(f"{script}:{text.count(chr(10), 0, at.start()) + 1}: return the promise: the button is busy until it is kept")
# What the server says of a migration is known to the screen that says it in each language.
told = re.findall(r'\{"[\w-]+",\s*((?:"[^"]*"\s*)+)\}', (ROOT / "base/data/wordpress_import/left_out.cpp").read_text(encoding="utf-8"))
known = (ROOT / "base/web/admin/tools/migration.tsx").read_text(encoding="utf-8")
unknown = [one for one in ("".join(re.findall('"([^"]*)"', each)) for each in told) if not re.search(rf":\s+t\(\s*'{re.escape(one)}',?\s*\),", known)]
assert len(told) > 15 and not unknown, unknown
# The export's screen names the kinds of the base, which OpenAPI has in a sentence since modules may add others.
offered = re.findall(r"'(\w+)'", re.search(r"kinds_of_base = \[(.*?)\]", (ROOT / "base/web/admin/tools/export.tsx").read_text(
    encoding="utf-8"), re.S)[1])
described = re.search(rb"One or more of all, ([\w, ]+), and what plugins add\.", document)[1].decode().split(", ")
assert sorted(offered) == sorted(described), (offered, described)
# Two texts of different catalogues with one key end the build: a browser would say one for the other.
with tempfile.TemporaryDirectory() as folder:
    base = pathlib.Path(folder)
    shutil.copytree(WEB / "src/kit", base / "web/kit")
    for domain, text in (("interface", "Word 49254"), ("settings", "Word 106500")):
        (base / "i18n" / domain).mkdir(parents=True)
        kept_texts = (here.parents[1] / "base/i18n" / domain / "texts.pot").read_text(encoding="utf-8")
        (base / "i18n" / domain / "texts.pot").write_text(f'{kept_texts}\nmsgid "{text}"\nmsgstr ""\n', encoding="utf-8")
    ended = subprocess.run(["node", "build.mjs", base / "web", base / "bundle"], cwd=WEB, stderr=subprocess.PIPE, text=True)
    assert ended.returncode and "Two texts have the key" in ended.stderr, ended.stderr
# The interface's texts on generic screens are translated in each language.
subprocess.run([sys.executable, here.parents[1] / "base/i18n/collect.py", "--check-interface", kept], check=True)
