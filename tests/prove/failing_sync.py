"""R11: while every tenth sync of the database fails, what is acknowledged is there after a restart.

failing_sync.py SVC sqlite BOOKINGS
"""
import subprocess
import sys
import time

from proving import Buyers, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, (GOAL,) = arguments(2)


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        server = site.servers[-1]
        tracer = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", f"{site.dir}/trace", "-p", str(server.process.pid), "-e",
             "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:error=EIO:when=5+10"])
        time.sleep(1)
        buyers = Buyers(lambda _: server.port, trip, clients=4)
        try:
            buyers.wait_for_more(int(GOAL), 240)
        finally:
            buyers.stop()
            tracer.terminate()
            tracer.wait()
        failed = open(f"{site.dir}/trace").read().count("(INJECTED)")
        server.process.kill()
        server.process.wait()
        site.start()
        missing = buyers.missing_of(references(site))
        site.check_invariants()
        assert failed > 0, "no sync was made to fail"
        assert not missing, missing[:5]
        figure(f"syncs failed {failed}, acknowledged {len(buyers.acknowledged)}, refused"
               f" {sum(buyers.refused.values())}, missing {len(missing)}")


if __name__ == "__main__":
    sys.exit(main())
