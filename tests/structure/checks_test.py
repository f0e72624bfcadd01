#!/usr/bin/python3
"""The structure checks refuse what they are there to refuse: each is run on a small tree with one fault."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LAYERS = """
kernel = shared/core
shared/core <date/
base/sales/booking kernel
base/sales/payment kernel base/sales/booking
base/app base/*
pro/* kernel pro/*
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def outcome(self, check, *arguments):
        run = subprocess.run([sys.executable, HERE / check, *(arguments or [self.root])], capture_output=True, text=True,
                             check=False)
        return run.returncode, run.stdout + run.stderr

    def compile(self, name, *flags, source="#include <stdio.h>\nint main(int c, char** v) {"
                                           "char b[64]; return sprintf(b, \"%s\", v[c - 1]) + b[0]; }\n"):
        path = self.write(name + ".c", source)
        (self.root / "bin").mkdir(exist_ok=True)
        subprocess.run(["gcc", *flags, path, "-o", self.root / "bin" / name], check=True)
        path.unlink()
        self.write("compile_commands.json", "[]")


class Layers(Case):
    def refused(self, name, include, table=LAYERS):
        for folder in ("shared/core", "base/sales/booking", "base/sales/payment", "base/app", "pro/gateways"):
            self.write(f"{folder}/it.hpp", "// It.\n")
        self.write("tests/structure/layers.txt", table)
        self.write(name, f"// A file.\n#include {include}\n")
        code, text = self.outcome("check_layers.py")
        self.assertEqual(code, 1 if name in text or "does not exist" in text else 0, text)
        return name in text

    def test_what_the_table_allows_passes(self):
        for name, include in (("base/sales/payment/a.cpp", '"base/sales/booking/it.hpp"'), ("shared/core/a.cpp", "<date/tz.h>"),
                              ("base/sales/booking/a.cpp", '"shared/core/it.hpp"'), ("base/app/a.cpp", '"base/sales/payment/it.hpp"'),
                              ("base/sales/booking/a.cpp", '"base/sales/booking/it.hpp"'), ("base/sales/booking/a.cpp", "<vector>"),
                              ("base/app/a.cpp", '"base/sales/booking/repository.hpp"'),
                              ("pro/gateways/a.cpp", '"pro/gateways/it.hpp"')):
            with self.subTest(name=name, include=include):
                self.assertFalse(self.refused(name, include))

    def test_an_include_upwards_or_outwards_is_refused(self):
        for name, include in (("base/sales/booking/a.cpp", '"base/sales/payment/it.hpp"'), ("shared/core/a.cpp", '"base/app/it.hpp"'),
                              ("pro/gateways/a.cpp", '"base/sales/booking/it.hpp"'), ("base/sales/booking/b.hpp", "<date/date.h>"),
                              ("base/sales/payment/a.cpp", "<unistd.h>"), ("base/sales/payment/a.cpp", '"it.hpp"'),
                              ("base/sales/payment/a.cpp", '"../booking/it.hpp"')):
            with self.subTest(name=name, include=include):
                self.assertTrue(self.refused(name, include))

    def test_a_pro_module_is_asked_for_by_its_name_in_the_catalogue(self):
        for folder in ("shared/core", "base/sales/booking", "base/sales/payment", "base/app", "pro/gateways"):
            self.write(f"{folder}/it.hpp", "// It.\n")
        self.write("tests/structure/layers.txt", LAYERS + "shared/plugin kernel\n")
        self.write("shared/plugin/pro_modules.hpp", '// Modules.\nconst char *extras = "extras", *late = "late";\n'
                                                    'rows[] = {{extras, "Extras"}, {"hooks", "Webhooks"}};\n')
        for line, refused in (('spec.module = "hooks";', True), ('if (module_enabled("late"))', True),
                              ('return slug == "extras";', True), ('detail.set("extras", 1);', False),
                              ('spec.module = "free";', False), ("spec.module = slugs::extras;", False)):
            with self.subTest(line=line):
                self.write("base/sales/booking/a.cpp", f"// A.\n{line}\n")
                code, text = self.outcome("check_layers.py")
                self.assertEqual((code, "is spelled" in text), (int(refused), refused), text)

    def test_a_features_repository_and_routes_are_its_own(self):
        self.assertTrue(self.refused("base/sales/payment/a.cpp", '"base/sales/booking/repository.hpp"'))
        self.assertTrue(self.refused("base/sales/payment/a.cpp", '"base/sales/booking/routes.hpp"'))
        self.assertFalse(self.refused("base/sales/payment/a.cpp", '"base/sales/booking/routes_of.hpp"'))

    def test_a_features_folders_share_its_repository(self):
        table = LAYERS + "base/sales/booking/* kernel base/sales/booking/*\n"
        self.write("base/sales/booking/record/it.hpp", "// It.\n")
        self.assertFalse(self.refused("base/sales/booking/desk/a.cpp", '"base/sales/booking/record/repository.hpp"', table))
        self.assertTrue(self.refused("base/sales/payment/a.cpp", '"base/sales/booking/record/repository.hpp"',
                                     table.replace("base/sales/payment kernel", "base/sales/payment kernel base/sales/booking/*")))

    def test_a_folder_that_is_not_listed_is_refused(self):
        self.assertTrue(self.refused("base/people/reviews/a.cpp", "<vector>"))
        self.assertTrue(self.refused("base/sales/booking/deeper/a.cpp", "<vector>"))

    def test_a_row_without_its_folder_is_refused(self):
        self.refused("base/app/a.cpp", "<vector>", LAYERS + "base/gone kernel\n")
        self.assertIn("base/gone does not exist", self.outcome("check_layers.py")[1])

    def test_a_feature_that_the_assembly_does_not_list_is_refused(self):
        self.write("base/sales/booking/feature.hpp", "// Bookings.\n")
        self.write("base/app/assembly.hpp", "// All.\n")
        self.assertTrue(self.refused("base/sales/booking/feature.hpp", '"base/sales/booking/it.hpp"'))
        self.write("base/app/assembly.hpp", '// All.\n#include "base/sales/booking/feature.hpp"\n')
        self.assertFalse(self.refused("base/sales/booking/feature.hpp", '"base/sales/booking/it.hpp"'))


class Circles(Case):
    def refused(self, *includes):
        for name, included in includes:
            self.write(name, f'// A file.\n#include "{included}"\n')
        code, text = self.outcome("check_circles.py")
        self.assertEqual(code, 1 if "include each other:" in text else 0, text)
        return text.splitlines()[0] if code else ""

    def test_headers_that_include_each_other_are_refused(self):
        self.assertEqual(self.refused(("base/a/one.hpp", "base/a/two.hpp"), ("base/a/two.hpp", "base/b/it.hpp"),
                                      ("base/b/it.hpp", "vector")), "")
        self.assertEqual(self.refused(("base/a/two.hpp", "base/a/one.hpp")),
                         "these headers include each other: base/a/one.hpp base/a/two.hpp")

    def test_folders_that_include_each_other_through_others_are_refused(self):
        chain = (("pro/a/one.cpp", "pro/b/it.hpp"), ("pro/b/it.hpp", "pro/c/it.hpp"), ("pro/c/it.hpp", "vector"))
        self.assertEqual(self.refused(*chain, ("pro/c/other.cpp", "pro/c/it.hpp"), ("pro/a/it.hpp", "vector")), "")
        self.assertEqual(self.refused(*chain, ("pro/c/other.cpp", "pro/a/it.hpp")),
                         "these folders include each other: pro/a pro/b pro/c")


class Members(Case):
    def test_a_class_of_31_functions_is_refused(self):
        def shop(kind, functions):
            members = "".join(f"    [[nodiscard]] std::map<int, int> f{n}(int a = 1) const;\n" for n in range(functions))
            return (f"// It.\nenum class Kind {{ a }};\n{kind} Shop final : public base::Base {{\n  public:\n"
                    "    Shop(int a) : a_(a) {}\n    Shop(const Shop&) = delete;\n    struct Part {\n        void inner();\n    };\n"
                    + members + "    using Call = std::function<void(int)>;\n    std::function<void()> wake_ = [] {};\n"
                    "    int a_ = 0;  // f(x);\n};\n")
        for name, kind in (("base/a/shop.hpp", "class"), ("pro/a/shop.cpp", "struct")):
            for functions, code in ((29, 0), (30, 1)):  # and its constructor
                path = self.write(name, shop(kind, functions))
                self.assertEqual(self.outcome("check_members.py")[0], code)
                path.unlink()

    def test_a_class_may_not_grow_past_its_number_in_the_list(self):
        self.write("shell/http/connection.hpp", "// It.\nclass Connection {\n" + "    void f();\n" * 50 + "};\n")
        self.assertIn("Connection has 50 member functions, 49 are allowed", self.outcome("check_members.py")[1])


class Functions(Case):
    HEAD = "// It.\nnamespace a {\nstruct Shop {\n    int a_ = {3};\n};\n"

    def refused(self, text):
        self.write("base/a/shop.cpp", self.HEAD + text)
        code, told = self.outcome("check_functions.py")
        self.assertEqual(code, 1 if "lines, 60 are allowed" in told else 0, told)
        return told if code else ""

    def test_a_function_of_61_lines_is_refused(self):
        step = "    if (a())\n        b();\n"
        for head in ("int Shop::open(int a)", "Shop::Shop(int a) : a_(a), b_{a}", "Shop& Shop::operator=(Shop&& other) noexcept",
                     "template <class T>\nauto open(T a, std::function<void()> b = [] {}) -> int"):
            with self.subTest(head=head):
                lines = 58 - head.count("\n")  # between the name and the closing brace
                body = step * (lines // 2) + "    // one more\n" * (lines % 2)
                self.assertEqual(self.refused(f"{head} {{\n{body}}}\n"), "")
                self.assertIn("61 lines", self.refused(f"{head} {{\n{body}    // and one\n}}\n"))

    def test_a_table_may_be_long(self):
        rows = '    table.add({"a{", 1,\n               2});\n'
        self.assertEqual(self.refused("void add(Table& table) {\n" + rows * 40 + "}\n"), "")
        self.assertIn("add has", self.refused("void add(Table& table) {\n" + rows * 40 + "    if (a)\n        b();\n" * 9 + "}\n"))


class Files(Case):
    def test_a_file_opens_with_its_purpose(self):
        for name, text in (("shell/a.cpp", "#include <vector>\n"), ("shell/a.hpp", ""), ("tests/a.py", "import os\n"),
                           ("packaging/a.sh", "#!/bin/bash\nset -e\n"), ("migrations/a.sql", "CREATE TABLE a (b);\n")):
            with self.subTest(name=name):
                path = self.write(name, text)
                self.assertEqual(self.outcome("check_files.py")[0], 1)
                path.unlink()

    def test_a_file_of_401_lines_is_too_long_outside_tests(self):
        self.write("tests/a.cpp", "// A.\n" * 401)
        self.write("shell/a.cpp", "// A.\n" * 400)
        self.assertEqual(self.outcome("check_files.py")[0], 0)
        self.write("shell/a.cpp", "// A.\n" * 401)
        code, text = self.outcome("check_files.py")
        self.assertEqual((code, "shell/a.cpp: 401 lines" in text), (1, True))

    def test_a_source_or_a_step_that_is_not_built_is_refused(self):
        self.write("base/CMakeLists.txt", "# Base.\nadd_library(base app/one.cpp)\nembed(base migrations/base/0001_a.sql)\n")
        self.write("base/app/one.cpp", "// One.\n")
        self.write("migrations/base/0001_a.sql", "-- A.\n")
        self.assertEqual(self.outcome("check_files.py")[0], 0)
        for name, text in (("base/app/two.cpp", "// Two.\n"), ("migrations/base/0002_b.sql", "-- B.\n")):
            path = self.write(name, text)
            code, told = self.outcome("check_files.py")
            self.assertEqual((code, f"{name}: base/CMakeLists.txt does not name it" in told), (1, True))
            path.unlink()

    def test_a_template_that_is_not_in_the_program_is_refused(self):
        self.write("base/website/themes.cmake", "# Themes.\nembed(\n  ${theme}/page.html\n  )\n")
        self.write("base/website/themes/default/page.html", "<p>{{> part}}")
        self.assertEqual(self.outcome("check_files.py")[0], 0)
        self.write("base/website/themes/default/part.html", "<b>Part</b>")
        code, told = self.outcome("check_files.py")
        self.assertEqual((code, "default/part.html: base/website/themes.cmake does not name it" in told), (1, True))

    def test_a_step_of_pro_that_no_module_has_is_refused(self):
        self.write("pro/CMakeLists.txt", "# Pro.\nadd_library(pro app/pro.cpp)\nembed(pro migrations/pro/0001_a.sql\n  migrations/pro/0002_b.sql)\n")
        self.write("pro/app/pro.cpp", '// Pro.\nauto a = step("0001_a.sql");\n')
        self.write("migrations/pro/0001_a.sql", "-- A.\n")
        self.assertEqual(self.outcome("check_files.py")[0], 0)
        self.write("migrations/pro/0002_b.sql", "-- B.\n")
        code, told = self.outcome("check_files.py")
        self.assertEqual((code, "migrations/pro/0002_b.sql: no module of pro/ has it" in told), (1, True))


class Node(Case):
    def test_a_script_that_needs_a_newer_node_than_debians_is_refused(self):
        self.write("tests/web/a.mjs", "const one = [3, 1].sort();\n")
        self.assertEqual(self.outcome("check_node.py")[0], 0)
        for line in ("answer.headers.getSetCookie()", "[3, 1].toSorted()", "Object.groupBy(rows, (one) => one.kind)",
                     "import words from './words.json' with { type: 'json' };", "import.meta.dirname"):
            with self.subTest(line=line):
                self.write("tests/web/b.mjs", line + "\n")
                code, text = self.outcome("check_node.py")
                self.assertEqual((code, "tests/web/b.mjs:1: Debian 12's Node has no" in text), (1, True))


class Sql(Case):
    def refused(self, name, text):
        path = self.write(name, text)
        code, told = self.outcome("check_sql.py")
        path.unlink()
        self.assertEqual(code, 1 if name in told else 0, told)
        return name in told

    def test_a_statement_that_is_pasted_together_is_refused(self):
        for line in ('tx.run("SELECT id FROM t WHERE name = \'" + name + "\'", {});', 'sql += " AND id = 5";',
                     'sql.append(" WHERE id = 5");', 'auto s = std::format("DELETE FROM {}", table);',
                     'std::string s = head + " ORDER BY name";'):
            with self.subTest(line=line):
                self.assertTrue(self.refused("base/app/a.cpp", f"// A.\n{line}\n"))
        for line in ('tx.run("SELECT id FROM t WHERE name = :name", {{"name", name}});', 'says += " or " + name;',
                     '#define SVC_LIST(order) SVC_SELECT " ORDER BY " order'):
            with self.subTest(line=line):
                self.assertFalse(self.refused("base/app/a.cpp", f"// A.\n{line}\n"))

    def test_only_the_lifecycle_sets_a_bookings_status(self):
        write = 'tx.run("UPDATE svc_bookings SET updated_at = :now,"\n       " status = :status WHERE id = :id", {});'
        self.assertTrue(self.refused("base/sales/booking/desk/a.cpp", f"// A.\n{write}\n"))
        self.assertTrue(self.refused("pro/app/a.cpp", f"// A.\n{write}\n"))
        self.assertFalse(self.refused("base/sales/booking/record/lifecycle.cpp", f"// A.\n{write}\n"))
        other = 'tx.run("UPDATE svc_bookings SET payment_status = :paid WHERE status = :status", {});'
        self.assertFalse(self.refused("base/sales/booking/desk/a.cpp", f"// A.\n{other}\n"))

    def test_a_step_that_takes_away_says_so_in_its_name(self):
        step = "-- A.\nALTER TABLE svc_trips DROP COLUMN title;\n"
        self.assertTrue(self.refused("migrations/base/0900_titles.sql", step))
        self.assertFalse(self.refused("migrations/base/0900_titles_contract.sql", step))
        self.assertFalse(self.refused("migrations/base/0900_titles.sql", "-- Does not DROP TABLE anything.\nALTER TABLE t ADD COLUMN a TEXT;\n"))
        self.assertTrue(self.refused("migrations/pro/0900_a.sql", "-- A.\n-- postgresql: ALTER TABLE t ALTER COLUMN a SET NOT NULL;\n"))


    def test_pro_names_views_alone(self):
        self.write("migrations/base/0001_a.sql", "-- A.\nCREATE TABLE svc_trips (id);\nCREATE VIEW svc_trip_v1 AS SELECT id FROM svc_trips;\n")
        self.write("shared/plugin/CAPABILITIES.md", "| `svc_trip_v1` | 3.0.0 | id |\n")
        for line in ('"SELECT id FROM svc_trips"', '"SELECT t.id FROM svc_trip_v2 t"'):
            with self.subTest(line=line):
                self.assertTrue(self.refused("pro/a/a.cpp", f"// A.\nauto sql = {line};\n"))
                self.assertFalse(self.refused("base/a/a.cpp", f"// A.\nauto sql = {line};\n"))
        for line in ('"SELECT t.id FROM svc_trip_v1 t"', '"svc_trip_created"', '"SELECT id FROM svc_license"'):
            with self.subTest(line=line):
                self.assertFalse(self.refused("pro/a/a.cpp", f"// A.\nauto sql = {line};\n"))

    def test_a_table_is_written_and_read_as_listed(self):
        self.write("migrations/base/0001_a.sql", "-- A.\nCREATE TABLE svc_trips (id);\nCREATE TABLE svc_old (id);\nDROP TABLE svc_old;\n")
        (self.root / "base/trips").mkdir(parents=True)
        listed = self.write("tests/structure/layers.txt", "tables:\nsvc_trips base/trips reads base/reads writes base/writes\n")
        self.write("base/reads/a.cpp", '// A.\nauto sql = "SELECT id FROM"\n " svc_trips";\n')
        self.write("base/writes/a.cpp", '// A.\nauto sql = "DELETE FROM svc_trips";\n')
        self.assertEqual(self.outcome("check_sql.py")[0], 0)
        for name, text, fault in (
                ("base/other/a.cpp", 'auto sql = "UPDATE "\n "svc_trips SET id = 1";', "base/other may not write svc_trips"),
                ("base/other/a.cpp", 'auto sql = "SELECT 1 FROM a JOIN svc_trips t";', "base/other may not read svc_trips"),
                ("base/reads/a.cpp", 'auto sql = "INSERT INTO svc_trips";', "base/reads may not write svc_trips"),
                ("base/other/facts.cpp", '{.name = "svc_trips"}', "svc_trips is of base/trips"),
                ("migrations/base/0002_b.sql", "CREATE TABLE svc_new (id);", "does not list svc_new")):
            with self.subTest(fault=fault):
                path = self.root / name
                before = path.read_text() if path.exists() else None
                self.write(name, f"{'--' if name.endswith('.sql') else '//'} A.\n{text}\n")
                code, told = self.outcome("check_sql.py")
                self.assertEqual((code, fault in told), (1, True), told)
                path.unlink() if before is None else path.write_text(before)
        listed.write_text("tables:\nsvc_trips base/trips reads base/reads base/gone writes base/writes\nsvc_old base/trips\n")
        told = self.outcome("check_sql.py")[1]
        self.assertIn("base/gone does not read svc_trips any more", told)
        self.assertIn("no step of the schema makes the table svc_old", told)

    def test_the_pairs_of_foreign_writers_are_counted(self):
        self.write("tests/structure/layers.txt", "tables:\nsvc_trips base/trips writes base/writes\n")
        for folder in ("trips", "writes"):
            self.write(f"base/{folder}/a.cpp", '// A.\nauto sql = "DELETE FROM svc_trips";\n')
        code, told = self.outcome("check_sql.py", "--count", self.root)
        self.assertIn("1 pairs", told)
        self.assertIn("base/writes writes svc_trips of base/trips", told)

    def test_a_view_for_plugins_has_its_row(self):
        self.write("shared/plugin/CAPABILITIES.md", "| `svc_trip_v1` | 3.0.0 | id |\n")
        code, told = self.outcome("check_sql.py")
        self.assertEqual(code, 1, told)
        self.write("migrations/base/0001_a.sql", "-- A.\nCREATE VIEW svc_trip_v1 AS SELECT 1;\nCREATE VIEW svc_trip_v2 AS SELECT 1;\n")
        code, told = self.outcome("check_sql.py")
        self.assertIn("svc_trip_v2 has no row", told)


class Door(Case):
    ROUTE = "// A route.\nvoid add(api::RouteTable& r) {\n    r.add({.handle = [](const api::Request& q) { return %s; }});\n}\n"

    def test_a_route_that_reads_a_booking_without_its_caller_is_refused(self):
        for read, passes in (("bookings.find(q.path_id())", False), ("staff.records.find(q.path_id())", False),
                             ("booking::Service::read(session, 1)", False),
                             ("staff.records.seen(q.path_id(), q.caller)", True)):
            with self.subTest(read=read):
                self.write("base/new/routes.cpp", self.ROUTE % read)
                text = self.outcome("check_door.py")[1]
                self.assertEqual("base/new/routes.cpp" in text, not passes, text)

    def test_a_listener_reads_whatever_its_event_names(self):
        self.write("base/new/mails.cpp", "// E-mails.\nvoid on() { bookings.find(1); }\n")
        self.assertNotIn("base/new/mails.cpp", self.outcome("check_door.py")[1])

    def test_a_listed_file_that_reads_none_is_named(self):
        self.assertIn("reads no booking any more", self.outcome("check_door.py")[1])


class Columns(Case):
    def refused(self, name, text, most=1):
        path = self.write(name, text)
        code, told = self.outcome("check_columns.py", self.root, str(most))
        path.unlink()
        self.assertEqual(code, 1 if name in told else 0, told)
        return name in told

    def test_reads_by_column_number_are_bounded_and_forbidden_where_records_are(self):
        two = "// A.\nauto a = row.text(0) + each.maybe_text(first + 12);\n"
        self.assertTrue(self.refused("base/sales/booking/a.cpp", two))
        self.assertFalse(self.refused("base/sales/booking/a.cpp", two, most=2))
        self.assertTrue(self.refused("base/sales/discounts/a.cpp", two, most=2))
        self.assertFalse(self.refused("base/sales/discounts/a.cpp", '// A.\nauto a = body.text("name") + row.text(at);\n', 0))


class Fields(Case):
    def told(self, line, *more):
        self.write("base/a.cpp", "// A.\n" + "api::Type status_answer();\n" + line + "\n")
        return self.outcome("check_fields.py", self.root, *more)

    def test_a_field_by_position_is_refused(self):
        for line in ('api::Schema a{{"id", id()}};', 'api::Schema a{{"id", api::text(5), "", true},\n};',
                     'api::Schema a{{"id", status_answer()}};', 'const Type row = x; api::Schema a{{name, row, "A."}};',
                     'a.push_back({one, list(object({{.name = "x", .type = y}}), 5).or_null()});'):
            with self.subTest(line=line):
                code, text = self.told(line)
                self.assertEqual((code, "base/a.cpp:" in text), (1, True), text)

    def test_what_is_no_field_by_position_passes(self):
        for line in ('api::Schema a{{.name = "id", .type = id()}};', 'a = Value::object({{"date", date(x)}});',
                     'hooks.emit(tx, created, {{"id", id(x)}});', '// {"id", id()}', 'a = "{\\"id\\", id()}";',
                     'add({"percent", decimal(0), 5, "Of the price."});', 'trip.taxed({{"VAT", percent("7.5")}});', 'std::pair<int, int> a{first, second};'):
            with self.subTest(line=line):
                self.assertEqual(self.told(line), (0, "fields of schemas name their members\n"))

    def test_a_check_of_no_file_at_all_fails(self):
        for check in ("check_fields.py", "check_members.py", "check_functions.py", "check_circles.py"):
            with self.subTest(check):
                self.assertEqual(self.outcome(check)[0], 1)

    def test_the_members_are_named_on_demand(self):
        self.write(".clang-format", (ROOT / ".clang-format").read_text())
        code, text = self.told('api::Schema a{{"id", api::id(), "", true}, {"b", list(object({{"c", text(5), "C."}}))}};',
                               "--fix")
        self.assertEqual(code, 0, text)
        self.assertIn('a{{.name = "id", .type = api::id(), .required = true},',
                      " ".join((self.root / "base/a.cpp").read_text().split()))
        self.assertIn('{{.name = "c", .type = text(5), .help = "C."}}', (self.root / "base/a.cpp").read_text())
        self.assertEqual(self.outcome("check_fields.py")[0], 0)


class Style(Case):
    def test_what_the_formatter_would_change_is_refused(self):
        self.write(".clang-format", (ROOT / ".clang-format").read_text())
        self.write("shell/a.cpp", "int  a;\n")
        self.assertEqual(self.outcome("check_style.py")[0], 1)
        self.write("shell/a.cpp", "int a;\n")
        self.assertEqual(self.outcome("check_style.py")[0], 0)


class Hardening(Case):
    GOOD = ("-O2", "-fPIE", "-pie", "-fstack-protector-strong", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack")

    def test_a_hardened_program_passes(self):
        self.compile("good", *self.GOOD)
        self.assertEqual(self.outcome("check_hardening.py")[0], 0)

    def test_each_protection_is_missed(self):
        for weak, flags in (("position independent", ("-no-pie", "-fno-pie")), ("RELRO", ("-Wl,-z,norelro",)),
                            ("bound late", ("-Wl,-z,lazy",)), ("executable stack", ("-Wl,-z,execstack",)),
                            ("canary", ("-fno-stack-protector",)), ("library path", ("-Wl,-rpath,lib",))):
            with self.subTest(weak=weak):
                self.compile("weak", *self.GOOD, *flags)
                code, text = self.outcome("check_hardening.py")
                self.assertEqual((code, weak in text), (1, True), text)

    def test_a_source_compiled_without_a_flag_is_named(self):
        self.compile("good", *self.GOOD)
        self.write("compile_commands.json", '[{"file": "/x/weak.cpp", "command": "g++ -O2 -c weak.cpp"}]')
        code, text = self.outcome("check_hardening.py")
        self.assertEqual((code, "weak.cpp: compiled without -fcf-protection=full" in text), (1, True))


if __name__ == "__main__":
    unittest.main()
