#!/usr/bin/python3
"""R8 on the release itself: `svc migrate` of both editions is killed at seeded moments and run again; the schema and the
ledger are those of a run that nobody disturbed. Four processes started on an empty database at once reach it too.

killed_migrations.py SVC DATABASE PRO KILLS
"""
import random
import subprocess
import sys
import time

from proving import SEED, Site, arguments, figure

SCHEMA = {
    "sqlite": ["SELECT type, name, tbl_name, replace(coalesce(sql, ''), char(10), ' ') FROM sqlite_master"
               " WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"],
    "postgres": ["SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, '')"
                 " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
                 "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
                 "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
                 " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
                 "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2"],
}
LEDGER = "SELECT edition, name, checksum FROM svc_migrations ORDER BY edition, name"


class Fresh(Site):
    """A database of its own that nothing has been done to."""

    def run(self, *words):
        return "none\n" if words[0] in ("migrate", "user", "password") else super().run(*words)

    def migrating(self):
        return subprocess.Popen([self.svc, "migrate"], cwd=self.dir, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def migrate(self):
        process = self.migrating()
        _, said = process.communicate()
        assert process.returncode == 0, said

    def state(self):
        return [self.sql(question) for question in (*SCHEMA[self.database], LEDGER)]

    def applied(self):
        """How many steps stand in the ledger."""
        try:
            return len(self.sql(LEDGER))
        except subprocess.CalledProcessError:
            return 0


def main():
    svc, database, more = arguments(3)
    pro, kills = more[0], int(more[1])

    def fresh():
        return Fresh(svc, database, servers=0, environment={"SVC_PRO_LIBRARY": pro})

    with fresh() as site:
        began = time.monotonic()
        site.migrate()
        seconds, expected, steps = time.monotonic() - began, site.state(), site.applied()
    assert steps > 50 and any(row[0] != "base" for row in expected[-1]), steps
    chance, killed, within = random.Random(SEED), 0, 0
    for _ in range(kills):
        with fresh() as site:
            while True:
                process = site.migrating()
                time.sleep(chance.uniform(0, seconds))
                process.kill()
                process.communicate()
                if process.returncode == 0:
                    break
                killed += 1
                within += 0 < site.applied() < steps
                if chance.random() < 0.5:  # else it is killed once more, from where it is
                    break
            site.migrate()
            assert site.state() == expected, "another schema than undisturbed"
    with fresh() as site:
        together = [site.migrating() for _ in range(4)]
        assert [process.communicate() and process.returncode for process in together] == [0] * 4
        assert site.state() == expected
    assert within > 0 or kills < 3, "no kill came between two steps"
    figure(f"steps {steps}, kills {killed}, between steps {within}, other schemas 0, processes at once 4")


if __name__ == "__main__":
    sys.exit(main())
