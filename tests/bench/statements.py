"""The floor `statements`: what a deed asks of the database, written down a few times and then done by the database's C
interface alone: one connection, one statement after the other, on a copy of the database.

Of two deeds that asked the same, what differs is told apart: rows that the deed itself made, texts and numbers of its own.
What other threads do after the answer (events, jobs) is left out, which makes the floor higher. The same database, the
same statements, the same syncs; no HTTP, no JSON, no prices.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

Line = collections.namedtuple("Line", "kind what arguments")
REQUEST = re.compile(r" /\* request [\w-]+ \*/$")  # each deed is another one
SYNCHRONOUS = "PRAGMA synchronous"
FIRST = 10_000_000  # the number of the first deed that is done again, in the replayers too


class NotReplayed(Exception):
    """A recorded statement cannot be repeated."""


def recorded(bench, deed, count=12):
    """The statements of some deeds in the database, transaction after transaction in the order of their ends."""
    site = bench.site
    file = site.dir / "recorded"
    file.unlink(missing_ok=True)
    kept = dict(site.environment)
    site.environment |= {"LD_PRELOAD": str(bench.build / f"bin/record_{site.database}.so"), "SVC_BENCH_RECORD": str(file)}
    server = site.start()
    site.environment = kept
    # So that the number of what comes first is not that of what follows from it.
    for _ in range(7):
        site.call("POST", "/booking/session", {}, server=site.servers.index(server))
    if site.database == "postgres":
        site.sql("SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, COALESCE(last_value, 0)"
                 " + 1000 * row_number() OVER (ORDER BY sequencename)) FROM pg_sequences WHERE schemaname = 'public'")
    try:
        for number in range(count):
            with file.open("a") as log:
                log.write("- begin\n")
            deed(server.port, number)
            with file.open("a") as log:
                log.write("- answered\n")
            time.sleep(0.3)
    finally:
        server.process.terminate()
        server.process.wait()
        site.servers.remove(server)
    flows, reader = [], Reader()
    for line in file.read_text().splitlines():
        database, kind, *rest = line.split(" ")
        if database != "-":
            reader.read(database, kind, rest)
            continue
        if kind == "answered":
            flows.append(reader.lines)
        reader.begin()
    return flows


class Reader:
    """Puts the lines of several connections into those of one."""

    def __init__(self):
        self.open, self.durability = {}, {}
        self.begin()

    def begin(self):
        self.lines, self.said = [], None

    def read(self, database, kind, rest):
        if kind == "R":
            (self.open.get(database) or self.lines or [None]).append(Line("R", rest[0], ()))
            return
        text = REQUEST.sub("", bytes.fromhex(rest[0]).decode())
        rest[0] = text.encode().hex()
        if text.startswith(SYNCHRONOUS):  # of a connection, for what it commits from now on
            self.durability[database] = rest[0]
            return
        if text.startswith("BEGIN"):
            self.open[database] = []
        mine = self.open.get(database, self.lines)
        mine.append(Line("S", rest[0], tuple(rest[1:])))
        if text.startswith(("COMMIT", "ROLLBACK")):
            wanted = self.durability.get(database)
            if wanted != self.said:
                self.lines.append(Line("S", wanted, ()))
                self.said = wanted
            self.lines += self.open.pop(database)


def alike(one, other):
    shapes = [[(line.kind, line.kind == "S" and line.what, len(line.arguments)) for line in flow] for flow in (one, other)]
    return shapes[0] == shapes[1]


def script_of(one, other):
    """The first flow's statements, with what the second has otherwise marked as its own."""
    rows = [], []
    lines = []
    for mine, theirs in zip(one, other):
        if mine.kind == "R":
            for known, line in zip(rows, (mine, theirs)):
                known.append(line.what)
            continue
        arguments = []
        for this, that in zip(mine.arguments, theirs.arguments):
            made = [at for at, pair in enumerate(zip(*rows)) if pair == (this[1:], that[1:]) and this[0] == "i"]
            if made and this != that:
                this = f"r{made[0]}"
            elif this != that:
                this = {"i": "v", "t": "u"}[this[0]] + this[1:]
            arguments.append(this)
        lines.append(" ".join((mine.what, *arguments)))
    return "\n".join(lines) + "\n"


def scripted(bench, deed):
    """The statements of such a deed for the replayers, their number, and the deed's number."""
    flows = list(enumerate(recorded(bench, deed)))[2:]  # the first ones prepare what is kept
    pair, number = next((((one, other), number) for at, (number, one) in enumerate(flows)
                         for _, other in flows[at + 1:] if alike(one, other)), (None, None))
    if pair is None:
        raise SystemExit("no two of the recorded asked the same of the database")
    return script_of(*pair), sum(line.kind == "S" for line in pair[0]), number


def per_second(bench, asks, number, table, prepare=None, count=1000, connections=1):
    """Deeds a second without the server; each makes a row of `table`, if one is named.

    `prepare(copy, number, count)` adds what the deeds need that are like the one of that number."""
    with tempfile.TemporaryDirectory(prefix="svc-bench-") as folder:
        script = pathlib.Path(folder) / "script"
        script.write_text(asks)
        with COPIES[bench.site.database](bench.site, pathlib.Path(folder)) as copy:
            if prepare:
                prepare(copy, number, count)
            before = copy.rows_of(table) if table else 0
            words = [bench.build / f"bin/replay_{bench.site.database}", copy.address, script, str(count)]
            with concurrent.futures.ThreadPoolExecutor(connections) as pool:
                runs = list(pool.map(lambda _: subprocess.run(words, capture_output=True, text=True), range(connections)))
            for done in runs:
                if done.returncode:
                    raise NotReplayed(" ".join((done.stdout + done.stderr).split()))
            assert not table or copy.rows_of(table) == before + count * connections, \
                f"what was replayed made no rows of {table}"
        return sum(json.loads(done.stdout)["per_second"] for done in runs)


class SqliteCopy:
    def __init__(self, site, folder):
        self.address = folder / "svc.db"
        subprocess.run(["sqlite3", site.dir / "var/svc.db", f".backup {self.address}"], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def sql(self, statement):
        done = subprocess.run(["sqlite3", self.address, statement], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def columns_of(self, table):
        return self.sql(f"SELECT name FROM pragma_table_info('{table}')")

    def rows_of(self, table):
        return int(self.sql(f"SELECT COUNT(*) FROM {table}")[0])


class PostgresCopy(SqliteCopy):
    """A database of its own in the same cluster."""

    def __init__(self, site, _):
        source = site.environment["SVC_DATABASE_URL"].removeprefix("postgresql:")
        self.name = f"svc_bench_copy_{os.getpid()}"
        self.maintenance = re.sub(r"dbname=\S+", "dbname=postgres", source)
        self.address = re.sub(r"dbname=\S+", f"dbname={self.name}", source)
        assert self.address != source, f"no dbname= in {source}"
        self.told(["psql", self.maintenance, "-qc", f"CREATE DATABASE {self.name}"])
        dumped = subprocess.run(["pg_dump", "--no-owner", "-d", source], check=True, capture_output=True)
        subprocess.run(["psql", self.address, "-qX", "-v", "ON_ERROR_STOP=1"], input=dumped.stdout, check=True,
                       capture_output=True)
        self.told(["psql", self.address, "-qc", "ANALYZE"])

    def __exit__(self, *_):
        self.told(["psql", self.maintenance, "-qc", f"DROP DATABASE {self.name}"])

    @staticmethod
    def told(words):
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def sql(self, statement):
        return self.told(["psql", self.address, "-AtqF|", "-c", statement]).splitlines()

    def columns_of(self, table):
        return self.sql(f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
                        " AND table_schema = 'public' ORDER BY ordinal_position")


COPIES = {"sqlite": SqliteCopy, "postgres": PostgresCopy}


def add_row(bench, name, subject, table, deed, prepare=None, turns=1):
    """What one client does a second, as `subject()` tells, over the same statements without a server: both in turns, so
    that what else a machine does meets both, and the median of the turns' ratios."""
    asks, count, number = scripted(bench, deed)
    try:
        pairs = [(subject(), per_second(bench, asks, number, table, prepare)) for _ in range(turns)]
    except NotReplayed as why:
        # Two numbers of different things were the same by chance, and what was told apart by them is not.
        print(f"   {name}: no row, as the statements could not be done again: {why}")
        return
    print(f"   {name}: {count} statements each")
    value, floor = sorted(pairs, key=lambda pair: pair[0] / pair[1])[turns // 2]
    bench.row(name, value, "a second", floor)


def add_bound(bench, name, constant, deed, clients=4, turns=3):
    """What the database alone does of a reading deed over as many connections as there are clients, and over it the
    constant answer, as `constant()` tells: no server that asks the database for each answer comes nearer to it."""
    asks, _, number = scripted(bench, deed)
    pairs = [(per_second(bench, asks, number, None, count=20_000, connections=clients), constant()) for _ in range(turns)]
    value, floor = sorted(pairs, key=lambda pair: pair[0] / pair[1])[turns // 2]
    bench.row(name, value, "a second", floor)
