"""Unit tests of the admin's kit, in Node, without a browser and without a server: what OpenAPI says of fields, texts with
their values, numbers, calls, and amounts and days by the vectors that the C++ code is held to.

check_kit.py WEB: WEB is the build's folder with node_modules and the sources as src.
"""
import os
import pathlib
import shutil
import subprocess
import sys

WEB = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
tests = WEB / "kit-tests"  # Node looks for packages beside the script
shutil.rmtree(tests, ignore_errors=True)
shutil.copytree(here / "kit", tests)
units = sorted(tests.glob("*.test.mjs"))
assert len(units) > 5, units
subprocess.run(["node", "--test", *units], cwd=WEB, check=True, env={**os.environ, "VECTORS": str(here / "vectors.json")})
