"""The doctor under the unit's filter: it ends, and what it says of the clock is true there.

doctor_test.py SVC DATABASE; SVC as tests/packaging/under_unit.py confines it.
"""
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
# On one machine the kernel would have to be asked, which the filter refuses; another server's clock is there to compare.
SAYS = {"sqlite": r"(?m)^warning +clock: whether it is synchronised cannot be read",
        "postgres": r"(?m)^good +clock: [0-2] s from the database's$"}


class Doctor(unittest.TestCase):
    def test_the_doctor_ends_under_the_unit_and_says_what_it_knows_of_the_clock(self):
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            clean = {name: value for name, value in os.environ.items() if not name.startswith("SVC_")}
            said = subprocess.run([SVC, "doctor"], cwd=site.dir, env={**clean, **site.environment}, capture_output=True,
                                  text=True)
            self.assertEqual((said.returncode, said.stderr), (0, ""), said)
            self.assertRegex(said.stdout, SAYS[DATABASE])
            self.assertNotIn("not synchronised", said.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
