#!/usr/bin/python3
"""exported_symbols.py lets an interface pass and refuses one name too many and one too few."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
HEADER = """#define SVC_BASE_API __attribute__((visibility("default")))
namespace svc {
class SVC_BASE_API Base {
  public:
    virtual ~Base();
    static int open();
};
namespace commands {
SVC_BASE_API int migrate(int how);
}
}
"""
SOURCE = """#include "base.hpp"
namespace svc {
Base::~Base() = default;
int Base::open() { return 1; }
namespace commands { int migrate(int how) { return how; } }
}
"""


class Symbols(unittest.TestCase):
    def outcome(self, kind, source):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "base.hpp").write_text(HEADER)
            Path(folder, "it.cpp").write_text(source)
            library = f"{folder}/libit.so"
            subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", "-fvisibility=hidden", f"{folder}/it.cpp", "-o", library],
                           check=True)
            arguments = [kind, library] + ([f"{folder}/base.hpp"] if kind == "base" else [])
            run = subprocess.run([sys.executable, HERE / "exported_symbols.py", *arguments], capture_output=True, text=True,
                                 check=False)
            return run.returncode, run.stdout + run.stderr

    ENTRY = 'extern "C" __attribute__((visibility("default"))) int svc_plugin_entry() { return 1; }\n'

    def test_pro_shows_its_entry_alone(self):
        self.assertEqual(self.outcome("pro", self.ENTRY)[0], 0)
        code, text = self.outcome("pro", self.ENTRY + "__attribute__((visibility(\"default\"))) int more() { return 2; }\n")
        self.assertEqual((code, "more" in text), (1, True), text)
        code, text = self.outcome("pro", "int hidden() { return 2; }\n")
        self.assertEqual((code, "svc_plugin_entry" in text), (1, True), text)

    def test_the_base_shows_what_its_header_declares(self):
        code, text = self.outcome("base", SOURCE)
        self.assertEqual(code, 0, text)
        code, text = self.outcome("base", SOURCE + "namespace svc { SVC_BASE_API int helper() { return 1; } }\n")
        self.assertEqual((code, "svc::helper()" in text), (1, True), text)
        code, text = self.outcome("base", SOURCE.replace("int migrate", "static int other"))
        self.assertEqual((code, "migrate" in text), (1, True), text)


if __name__ == "__main__":
    unittest.main()
