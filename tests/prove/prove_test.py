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
        wanted = [f"R{n}" for n in range(1, 24)] + [f"S{n}" for n in range(1, 27)] + ["Nodes", "Documents"]
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


    def test_each_part_of_a_filter_finds_cases(self):
        for how, cases in sorted({(proof.how, proof.cases) for promise in promises.PROMISES for proof in promise.proofs
                                  if proof.cases and (BUILD / "bin" / proof.how).exists()}):
            for part in cases.split(","):
                with self.subTest(binary=how, part=part):
                    listed = subprocess.run([str(BUILD / "bin" / how), "--list-test-cases", f"--test-case={part}"],
                                            check=True, capture_output=True, text=True).stdout
                    self.assertRegex(listed, r"passing the current filters: [1-9]")


class Seen(unittest.TestCase):
    """The report from the words of a proof."""

    def fault(self, output, proof=promises.unit("x_tests", "*y*"), database=""):
        return prove.fault_of(proof, database, output)

    def test_a_figure_is_told_by_itself_by_doctest_by_unittest_or_through_ctest(self):
        self.assertEqual(prove.figure_in("figure: lost 0\nmore\nfigure: kills 3\n"), "lost 0; kills 3")
        self.assertEqual(prove.figure_in("[doctest] test cases:  4 |  4 passed | 0 failed | 38 skipped\n"), "4 of 4 cases")
        self.assertEqual(prove.figure_in("7: figure: lost 0\n7: Ran 12 tests in 3.1s\n7: \n7: OK\n"), "lost 0; 12 cases")
        self.assertEqual(prove.figure_in("all is well\n"), "")

    def test_who_shows_nothing_is_red(self):
        self.assertIsNone(self.fault("figure: lost 0\n"))
        self.assertIn("no figure", self.fault("all is well\n"))
        self.assertIn("*y*", self.fault("[doctest] test cases: 0 | 0 passed | 0 failed | 9 skipped\n"))

    def test_what_is_skipped_is_not_counted_and_red_unless_it_is_named(self):
        (test, database), (reason, *_) = next(iter(promises.SKIPPED.items()))
        proof = promises.Proof(test)
        ran = "test_a (__main__.A.test_a) ... skipped {!r}\nRan 12 tests in 2s\n\nOK (skipped=1)\n"
        self.assertEqual(prove.figure_in(ran.format(reason)), "11 cases")
        self.assertIsNone(self.fault(ran.format(reason), proof, database))
        self.assertIn("skipped", self.fault(ran.format("it rains"), proof, database))
        self.assertIn("skipped", self.fault(ran.format(reason), promises.Proof("other_test.py"), database))
        self.assertIn("skipped", self.fault("Ran 12 tests in 2s\n\nOK (skipped=1)\n", proof, database))


class Report(unittest.TestCase):
    def places(self):
        return [(promise.name, prove.shown_of(proof), database or "both") for promise in promises.PROMISES
                for proof in promise.proofs for database in proof.databases]

    def test_no_two_rows_of_a_report_have_one_place(self):
        self.assertEqual(sorted(self.places()), sorted(set(self.places())))

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

    def test_rows_stand_in_the_order_of_the_promises_whichever_part_was_run_again(self):
        places = self.places()

        def report(rows):
            return {"commit": "aaa", "date": "2026-01-01", "set": "full", "seconds": 1,
                    "rows": [{"name": name, "shown_by": shown, "database": database, "ok": True}
                             for name, shown, database in rows]}
        whole = prove.merged(report(places[::3] + places[1::3]), report(places[2::3] + places[:2]))
        self.assertEqual([prove.place_of(row) for row in whole["rows"]], places)
        gone = prove.merged(report([("R1", "gone.py", "sqlite"), *places]), report(places[-1:]))
        self.assertEqual([row["shown_by"] for row in gone["rows"] if row["name"] == "R1"][-1], "gone.py")
        self.assertEqual(prove.merged(report([("No", "x.py", "both")]), report(places[:1]))["rows"][-1]["name"], "No")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
