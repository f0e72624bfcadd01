"""base/web against the interface: types made from this build's OpenAPI document, then tsc. Nothing of it can be stale.

types.py SVC WEB: WEB is the build's folder with node_modules and the sources as src.
"""
import json
import pathlib
import subprocess
import sys

SVC, WEB = sys.argv[1], pathlib.Path(sys.argv[2])
document = subprocess.run([SVC, "catalogue", "openapi"], stdout=subprocess.PIPE, check=True, cwd=WEB).stdout
made, kept = WEB / "api.d.ts", WEB / "openapi.json"
if not (made.exists() and kept.exists() and kept.read_bytes() == document):
    kept.write_bytes(document)
    subprocess.run(["node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.d.ts"], cwd=WEB, check=True)
(WEB / "tsconfig.json").write_text(json.dumps({
    "extends": "./src/tsconfig.json",
    "compilerOptions": {"paths": {"svc-api": ["./api.d.ts"]}, "rootDir": "."},
    "include": ["src/admin", "src/kit", "src/site"]}))
sys.exit(subprocess.run(["node_modules/.bin/tsc", "-p", "."], cwd=WEB).returncode)
