"""How soon one process answers with what another one wrote. Usage: freshness_test.py SVC sqlite|postgres

Two servers on one database. Every change is waited for at the other server; how long it took is printed, not asserted.
"""
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from installation import Site  # noqa: E402

ROUNDS = 20


def seen(site, path, fits, what, server=1):
    """Seconds until the server's answer fits."""
    began = time.monotonic()
    while time.monotonic() < began + 60:
        answer = site.call("GET", path, server=server)
        if fits(answer):
            return time.monotonic() - began
        time.sleep(0.002)
    raise AssertionError(f"{what} was never seen by the other process: {answer}")


def titles(answer):
    return [trip["title"] for trip in answer.data]


def main(svc, database):
    with Site(svc, database, servers=2) as site:
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        trip = site.given_trip(title="Before")
        path = f"/trips/public/{trip['slug']}"
        seen(site, path, lambda a: a.status == 200, "A new trip")

        took = []
        for number in range(ROUNDS):
            title = f"Name {number}"
            written = site.as_staff("PUT", f"/trips/{trip['id']}", {"title": title})
            assert written.status == 200, written
            here = site.call("GET", path)
            assert here.data["title"] == title, "the writer's own next answer"
            took.append(seen(site, path, lambda a: a.data["title"] == title, title))
            assert titles(site.call("GET", f"/trips/public?search=name+{number}", server=1)) == [title]
        took.sort()
        print(f"{database}: another process follows in {took[ROUNDS // 2] * 1000:.0f} ms (median), "
              f"{took[-1] * 1000:.0f} ms at most of {ROUNDS}")

        for base in ("tours", "trip"):
            written = site.as_staff("PUT", "/settings", {"trip_base": base})
            assert written.status == 200, written
            there = f"/{base}/{trip['slug']}"
            here = site.call("GET", path).data["permalink"]
            assert here.endswith(there), f"the writer's own next answer still tells {here}"
            missed = seen(site, path, lambda a: a.data["permalink"].endswith(there), "A new address")
            print(f"{database}: another process tells a trip's new address in {missed * 1000:.0f} ms")

        if database == "postgres":
            # Everybody's sessions are cut, the ones that listen too, and the change comes in the same moment.
            for number in range(3):
                title = f"Missed {number}"
                site.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                         " WHERE datname = current_database() AND pid <> pg_backend_pid()")
                written = site.as_staff("PUT", f"/trips/{trip['id']}", {"title": title})
                assert written.status == 200, written
                missed = seen(site, path, lambda a: a.status == 200 and a.data["title"] == title, title)
                print(f"postgres: with every session cut, {missed * 1000:.0f} ms")
        # A writer whose notice never came: nothing but the counter tells of it.
        site.sql(f"UPDATE svc_trips SET status = 'suspended', row_version = row_version + 1 WHERE id = {trip['id']}")
        assert site.call("GET", path, server=1).status == 200, "nothing has told of it yet"
        site.sql("UPDATE svc_change_counters SET version = version + 1 WHERE channel = 'trips'")
        missed = seen(site, path, lambda a: a.status == 404, "A change without a notice")
        print(f"{database}: without a notice, {missed * 1000:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
