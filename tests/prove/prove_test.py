"""The list of promises is whole, and what it calls exists: prove_test.py BUILD"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import promises  # noqa: E402
import prove  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()


class Promises(unittest.TestCase):
    def test_each_number_is_promised_once(self):
        names = [name for promise in promises.PROMISES for name in promise.name.split(", ")]
        wanted = [f"R{n}" for n in range(1, 24)] + [f"S{n}" for n in range(1, 27)] + ["Nodes"]
        self.assertEqual(sorted(names), sorted(wanted))

    def test_what_is_called_is_there(self):
        listed = subprocess.run(["ctest", "--test-dir", str(BUILD), "-N"], check=True, capture_output=True,
                                text=True).stdout
        for promise in promises.PROMISES:
            self.assertTrue(promise.proofs or promise.missing, promise.name)
            for proof in promise.proofs:
                with self.subTest(promise=promise.name, proof=proof.how):
                    command = prove.command_of(proof, proof.databases[0], BUILD, False)
                    if command[0] == "ctest":
                        self.assertIn(f": {proof.how}\n", listed)
                    else:
                        self.assertTrue(pathlib.Path(command[1 if command[0] == sys.executable else 0]).exists())


class Report(unittest.TestCase):
    def test_a_part_that_is_run_again_takes_its_rows_places(self):
        def row(name, ok, **more):
            return {"name": name, "shown_by": "x.py", "database": "sqlite", "ok": ok, **more}
        before = {"commit": "aaa", "date": "2026-01-01", "set": "full", "seconds": 50,
                  "rows": [row("R1", True), row("R2", False), row("R3", True)]}
        part = {"commit": "bbb", "date": "2026-01-02", "set": "full", "seconds": 5,
                "rows": [row("R2", True, commit="bbb", date="2026-01-02")]}
        whole = prove.merged(before, part)
        self.assertEqual([(r["name"], r["ok"], r["commit"]) for r in whole["rows"]],
                         [("R1", True, "aaa"), ("R2", True, "bbb"), ("R3", True, "aaa")])
        self.assertEqual((whole["commit"], whole["seconds"]), ("bbb", 55))
        self.assertEqual(prove.merged({**before, "set": "quick"}, part), part)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
