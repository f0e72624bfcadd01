#!/usr/bin/python3
"""check_abi.py lets tables grow and refuses every other change: each is made to a copy of the header."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import check_abi  # noqa: E402

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# The header is ahead of the last release, or at it: what has grown since needs a minor above the released one.
RELEASED = max(int(path.stem.split(".")[1]) for path in (ROOT / "shared/plugin/released").glob("1.*.txt"))
NOW = re.search(r"#define SVC_ABI_MINOR \d+", (ROOT / "shared/plugin/svc_plugin.h").read_text())[0]
RAISED = (NOW, f"#define SVC_ABI_MINOR {RELEASED + 1}")
AS_RELEASED = (NOW, f"#define SVC_ABI_MINOR {RELEASED}")


class Abi(unittest.TestCase):
    def outcome(self, *changes):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "shared/plugin", f"{folder}/shared/plugin")
            header = Path(folder, "shared/plugin/svc_plugin.h")
            text = header.read_text()
            for old, new in changes:
                self.assertEqual(text.count(old), 1, old)
                text = text.replace(old, new)
            header.write_text(text)
            run = subprocess.run([sys.executable, HERE / "check_abi.py", folder], capture_output=True, text=True,
                                 check=False)
            return run.returncode, run.stdout + run.stderr

    def passes(self, *changes):
        code, text = self.outcome(*changes)
        self.assertEqual(code, 0, text)

    def refuses(self, named, *changes):
        code, text = self.outcome(*changes)
        self.assertEqual(code, 1, text)
        self.assertIn(named, text)

    def test_the_header_as_it_is_passes(self):
        self.passes()

    def test_a_table_may_grow_at_its_end_with_a_higher_minor(self):
        end = "} svc_routes_1;"
        grown = (end, "svc_status (*remove)(void* self, svc_text path);\n" + end)
        self.passes(RAISED, grown)
        self.refuses("SVC_ABI_MINOR", AS_RELEASED, grown)

    def test_a_service_may_be_added_with_a_higher_minor(self):
        before = '#define SVC_LOG_1 "svc.log/1"'
        added = (before, '#define SVC_NEW_1 "svc.new/1"\ntypedef struct svc_new_1 {\nuint32_t size;\nvoid* self;\n} '
                         "svc_new_1;\n" + before)
        self.passes(RAISED, added)
        self.refuses("SVC_ABI_MINOR", AS_RELEASED, added)

    def test_a_member_in_the_middle_moves_the_others(self):
        self.refuses("svc_log_1 write", RAISED, ("    void (*write)(void* self, uint32_t level",
                                                 "    void* new_one;\n    void (*write)(void* self, uint32_t level"))

    def test_a_member_cannot_go(self):
        self.refuses("svc_jobs_1 wake", ("    void (*wake)(void* self, svc_text name);", "    "))

    def test_members_cannot_change_places(self):
        self.refuses("svc_host version", ("    svc_text version; /* \"3.0.16\"", "    void* self;\n    svc_text version; /*"),
                     ("    void* self;\n    const void* (*service)", "    const void* (*service)"))

    def test_a_parameter_cannot_change(self):
        self.refuses("svc_jobs_1 wake", RAISED,
                     ("(*wake)(void* self, svc_text name)", "(*wake)(void* self, const char* name)"))

    def test_a_parameters_name_may(self):
        self.passes(("(*wake)(void* self, svc_text name)", "(*wake)(void* self, svc_text job)"))

    def test_ids_and_values_cannot_change(self):
        self.refuses("SVC_LOG_1", ('"svc.log/1"', '"svc.log/2"'))
        self.refuses("SVC_REFUSED", ("SVC_REFUSED = 2", "SVC_REFUSED = 4"))
        self.refuses("SVC_LOG_ERROR", ("#define SVC_LOG_ERROR 3u", "#define SVC_LOG_ERROR 4u"))

    def test_what_crosses_without_a_size_cannot_grow(self):
        self.refuses("svc_step", RAISED, ("} svc_step;", "svc_text more;\n} svc_step;"))

    def test_another_major_is_not_compared_with_what_it_left(self):
        self.passes(("#define SVC_ABI_MAJOR 1", "#define SVC_ABI_MAJOR 2"),
                    ("    void (*wake)(void* self, svc_text name);", "    "))

    def test_without_any_release_there_is_nothing_to_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "shared/plugin", f"{folder}/shared/plugin")
            shutil.rmtree(f"{folder}/shared/plugin/released")
            run = subprocess.run([sys.executable, HERE / "check_abi.py", folder], capture_output=True, check=False)
            self.assertEqual(run.returncode, 1)


@unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed")
class ByAbidiff(unittest.TestCase):
    """abidiff alone, from the debug information of the stored types."""

    def faults(self, old, new):
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder, "svc_plugin.h")
            text = (ROOT / check_abi.HEADER).read_text()
            self.assertEqual(text.count(old), 1, old)
            header.write_text(text.replace(old, new))
            for part in (ROOT / "shared/plugin").glob("svc_*.h"):
                if part.name != header.name:
                    shutil.copy(part, folder)
            return list(check_abi.faults_by_abidiff(header, ROOT / "shared/plugin/released"))

    def test_growth_passes(self):
        self.assertEqual(self.faults("} svc_jobs_1;", "void* more;\n} svc_jobs_1;"), [])

    def test_what_breaks_is_seen(self):
        for old, new in (("    void (*wake)(void* self, svc_text name);", "    "),
                         ("(*wake)(void* self, svc_text name)", "(*wake)(void* self, const char* name)"),
                         ("svc_gateway_1 {\n    uint32_t size;\n    void* context;",
                          "svc_gateway_1 {\n    void* context;\n    uint32_t size;"),
                         ("SVC_REFUSED = 2", "SVC_REFUSED = 4")):
            with self.subTest(new=new):
                self.assertNotEqual(self.faults(old, new), [])


if __name__ == "__main__":
    unittest.main()
