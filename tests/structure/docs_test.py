#!/usr/bin/python3
"""What README.md and docs/ name is there: routes, commands, make targets, variables, settings, files, other names.

docs_test.py SVC
"""
import re
import sys
import unittest
from pathlib import Path

from made_docs import PAGES, printed

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [p for p in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
           if p.name not in PAGES]
TOPS = ("base", "cmake", "docs", "migrations", "packaging", "pro", "shared", "shell", "tests")
SUFFIXES = ("hpp", "cpp", "h", "py", "md", "sql", "so", "json", "txt", "toml")
SVC = None


class Facts:
    """The names that exist, from the program and the tree."""

    def __init__(self, svc):
        config, self.help = printed(svc, "config", "--markdown"), printed(svc, "--help")
        self.variables = set(re.findall(r"`(SVC_[A-Z0-9_]+)`", config)) | set(re.findall(r"SVC_[A-Z0-9_]+", self.help))
        self.sections = {}
        for part in config.split("\n## [")[1:]:
            self.sections[part[:part.index("]")]] = set(re.findall(r"(?m)^\| `(\w+)`", part))
        self.settings = set(re.findall(r"(?m)^\| `(\w+)`", printed(svc, "catalogue", "settings")))
        self.routes = {path for path in re.findall(r"(?m)^\| `[A-Z]+ (/[^`]*)`", printed(svc, "catalogue", "routes"))}
        self.commands = set(re.findall(r"(?m)^  ([a-z]+) ", self.help))
        self.targets = set(re.findall(r"(?m)^([a-z][a-z -]*):", (ROOT / "Makefile").read_text()))
        self.targets = {word for target in self.targets for word in target.split()}
        sources = "".join(p.read_text(errors="replace") for top in ("base", "pro", "shared", "shell", "migrations", "packaging")
                          for p in (ROOT / top).rglob("*") if p.is_file())
        self.words = set(re.findall(r"\w+", sources))
        self.words |= {p.stem for top in TOPS for p in (ROOT / top).rglob("*")}
        self.words |= set(re.findall(r"\b(?:NAME|svc_test\() *(\w+)", "".join(
            p.read_text() for p in (ROOT / "tests").rglob("CMakeLists.txt"))))
        # Some tests' names are put together there; that what the promises call exists is held by prove_test.py.
        self.words |= set(re.findall(r'"(\w+)"', (ROOT / "tests/prove/promises.py").read_text()))

    def has_route(self, path):
        asked = path.strip("/").split("/")
        return any(len(asked) == len(known) and all(a == k or k.startswith("{") for a, k in zip(asked, known))
                   for known in (route.strip("/").split("/") for route in self.routes))


def fenced(text):
    return "\n".join(re.findall(r"(?ms)^```[^\n]*\n(.*?)^```", text))


def spans(text):
    """The texts in backticks outside fenced blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text))


def wrong_routes(text, facts):
    asked = re.findall(r"(?:\$SVC|/svc/v1)(/[A-Za-z0-9/$_{}.-]*)", fenced(text) + "\n" + "\n".join(spans(text)))
    return [path for path in asked if not facts.has_route(path)]


def wrong_variables(text, facts):
    return [name for name in re.findall(r"\bSVC_[A-Z0-9_]+[A-Z0-9]\b", text)
            if name not in facts.variables and name not in facts.words]


def wrong_configuration(text, facts):
    named = [re.fullmatch(r"([a-z]+)\.([a-z0-9_]+)(?: = .*)?", span) for span in spans(text)]
    return [m[0] for m in named if m and m[1] in facts.sections and m[2] not in SUFFIXES
            and m[2] not in facts.sections[m[1]]]


def wrong_settings(text, facts):
    lists = re.findall(r"\bsettings?\s((?:`\w+`(?:,\s|\sand\s)?)+)", text)
    return [name for each in lists for name in re.findall(r"`(\w+)`", each) if name not in facts.settings]


def wrong_commands(text, facts):
    asked = re.findall(r"(?m)(?<!-u )\bsvc ([a-z]+)", fenced(text)) + \
        [m[1] for span in spans(text) if (m := re.match(r"svc ([a-z]+)", span))]
    made = re.findall(r"(?m)^make ([a-z-]+)", fenced(text)) + \
        [m[1] for span in spans(text) if (m := re.match(r"make ([a-z-]+)", span))]
    return [f"svc {word}" for word in asked if word not in facts.commands] + \
        [f"make {word}" for word in made if word not in facts.targets]


def wrong_files(text, folder):
    paths = [span for span in spans(text) if re.fullmatch(rf"({'|'.join(TOPS)})/[\w./*-]*", span)]
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    return [p for p in paths if not any(ROOT.glob(p.rstrip("/")))] + [p for p in links if not (folder / p).exists()]


def wrong_names(text, facts):
    """Names with an underscore: fields, codes, hooks, jobs, metrics, statuses are words of the sources."""
    return [span for span in spans(text) if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", span) and span not in facts.words]


# What operators must find, by file and heading: a lost paragraph leaves somebody at night without the next step.
PROMISED = {
    ("docs/operating.md", "## Users"): [
        "svc user list", "svc user add LOGIN --email ADDRESS --role ROLE", "svc user role", "svc user password",
        "svc user disable", "svc password add", "administrator, owner, manager, sales_agent, front_desk, guide, accountant",
        "If an administrator's password is lost, run `svc user password admin`"],
    ("docs/operating.md", "## Install"): ["createuser"],
    ("docs/operating.md", "## Mail"): [
        "smtp_host", "smtp_port", "smtp_encryption", "smtp_enabled", "send a test", "outbound.private_hosts", "host:port"],
    ("docs/operating.md", "## The log"): ["journal", "log.level"],
    ("docs/operating.md", "## Back up and restore"): [
        "stop, put the key file back, `svc restore /backups/svc.db`, `svc migrate`, start", "OnCalendar=",
        "-mtime +14", "systemctl enable --now svc-backup.timer", "The first command that opens an empty",
        "Back it up too, separately", "If the key is lost", "--any-key", "Rehearse the restore"],
    ("docs/operating.md", "## Health and metrics"): [
        "alert: SvcDown", "alert: SvcErrors", "alert: SvcMailWaits", "alert: SvcEventsWait", "alert: SvcGivenUp",
        "alert: SvcJobFails", "`svc_outbox_open`", "`svc_trips_refresh_seconds`"],
    ("docs/operating.md", "## Payment gateways"): ["Watching payments", "webhook_secret", "payment_reconciliation"],
    ("docs/operating.md", "## Several nodes"): [
        "`database.sessions` must be at least `listen.workers`", "Nodes share the counts of [rate limits]",
        "wrong\n  secrets together"],
    ("docs/operating.md", "## Move data"): [
        "WHERE p.post_type = 'yatra-payment'", "m.meta_key = 'paid_amount'", "p.post_status AS status"],
    ("docs/operating.md", "## Proxy"): ["210 MB", "429", "Strict-Transport-Security: max-age=31536000", "X-Forwarded-For"],
    ("docs/rules.md", "## Rate limits"): [
        "All nodes together count exactly, in the database: failed sign-ins", "shares its counts once a second"],
    ("docs/rules.md", "## Payments"): [
        "| `all` | yes | yes | yes |", "Under `all`, a booking with an offline gateway is\nconfirmed as it is made"],
    ("docs/rules.md", "## Reports"): [
        "Fully refunded bookings stay booked with a value of 0, and count in the average"],
    ("docs/settings.md", "## booking"): [
        "all: any payment, and a booking that is to be paid later is confirmed at once, with nothing paid"],
    ("docs/configuration.md", "## [outbound]"): ["host:port"],
    ("docs/configuration.md", "## [database]"): ["svc doctor warns of fewer than listen.workers"],
    ("packaging/nginx.conf.example", ""): [
        "proxy_next_upstream error timeout;", "proxy_next_upstream_timeout 10s;", "proxy_next_upstream_tries 2;",
        "limit_req_status 429;", "client_max_body_size 210m;"],
}


def section(text, heading):
    """From the heading to the next one of its level or above; the whole text without a heading."""
    if not heading:
        return text
    level = len(heading.split()[0])
    begin = re.search(rf"(?m)^{re.escape(heading)}[^\n]*$", text)
    if not begin:
        return ""
    end = re.compile(rf"(?m)^#{{1,{level}}} ").search(re.sub(r"(?ms)^```.*?^```", lambda m: " " * len(m[0]), text),
                                                     begin.end())
    return text[begin.start():end.start() if end else len(text)]


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.facts = Facts(SVC)

    def none_wrong(self, check):
        for path in WRITTEN:
            with self.subTest(path=path.name):
                self.assertEqual(check(path.read_text(), self.facts), [])

    def test_every_path_of_an_example_is_a_route(self):
        self.assertEqual(wrong_routes("```sh\ncurl $SVC/trips/$TRIP/boats\n```", self.facts), ["/trips/$TRIP/boats"])
        self.none_wrong(wrong_routes)

    def test_every_variable_exists(self):
        self.assertEqual(wrong_variables("Set `SVC_SITE_MAST`.", self.facts), ["SVC_SITE_MAST"])
        self.none_wrong(wrong_variables)

    def test_every_key_of_the_configuration_exists(self):
        self.assertEqual(wrong_configuration("`site.url` and `site.mast`", self.facts), ["site.mast"])
        self.none_wrong(wrong_configuration)

    def test_every_setting_of_the_site_exists(self):
        self.assertEqual(wrong_settings("the settings `timezone` and `mast_height`", self.facts), ["mast_height"])
        self.none_wrong(wrong_settings)

    def test_every_command_and_make_target_exists(self):
        self.assertEqual(wrong_commands("`svc sail` and `make haste`", self.facts), ["svc sail", "make haste"])
        self.none_wrong(wrong_commands)

    def test_every_file_and_folder_exists(self):
        self.assertEqual(wrong_files("`base/app/boat.cpp` [x](gone.md) `base/app/base.hpp`", ROOT),
                         ["base/app/boat.cpp", "gone.md"])
        for path in WRITTEN:
            with self.subTest(path=path.name):
                self.assertEqual(wrong_files(path.read_text(), path.parent), [])

    def test_every_other_name_is_in_the_sources(self):
        self.assertEqual(wrong_names("`amount_due` is `mast_colour`", self.facts), ["mast_colour"])
        self.none_wrong(wrong_names)

    def test_what_operators_were_promised_stands_under_its_heading(self):
        self.assertEqual(section("# A\nx\n## B\ny\n```\n# z\n```\n## C\nw", "## B"), "## B\ny\n```\n# z\n```\n")
        for (file, heading), texts in PROMISED.items():
            there = section((ROOT / file).read_text(), heading)
            for text in texts:
                with self.subTest(file=file, heading=heading, text=text):
                    self.assertIn(text, there)

    def test_no_subject_has_two_sections(self):
        for file in ("docs/operating.md", "docs/rules.md"):
            headings = [heading.lower() for heading in re.findall(
                r"(?m)^## (.*)$", re.sub(r"(?ms)^```.*?^```", "", (ROOT / file).read_text()))]
            for one in headings:
                twins = [other for other in headings if other.endswith(" " + one)] + [one] * (headings.count(one) - 1)
                self.assertEqual(twins, [], f"{file}: {one}")  # "Payment gateways" and "Gateways"


if __name__ == "__main__":
    SVC = sys.argv.pop()
    unittest.main()
