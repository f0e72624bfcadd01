"""R14: two servers behind nginx are restarted one after the other while clients book: every request gets its answer.

rolling_restart.py SVC DATABASE RESTARTS
"""
import signal
import sys
import time

from proving import Buyers, Nginx, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, (RESTARTS,) = arguments(2)


def restarted(site, server):
    """The same server anew on its port, as behind a proxy's list; and how long the old one took to end."""
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(40)
    took = time.monotonic() - began
    return site.start(port=server.port), took


def main():
    with Site(SVC, DATABASE, servers=2) as site:
        not_limited(site)
        time.sleep(1.5)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        site.wait_until_all_show(trip)
        nodes, drains = list(site.servers), []
        with Nginx([node.port for node in nodes]) as proxy:
            buyers = Buyers(lambda _: proxy.port, trip, clients=6)
            try:
                for turn in range(int(RESTARTS)):
                    buyers.wait_for_more(20)
                    nodes[turn % 2], took = restarted(site, nodes[turn % 2])
                    drains.append(took)
                    time.sleep(1.2)  # nginx asks a server again a second after it failed
                buyers.wait_for_more(20)
            finally:
                buyers.stop()
        assert buyers.cut_off == 0, f"{buyers.cut_off} requests without an answer"
        assert not buyers.refused, buyers.refused
        assert not buyers.missing_of(references(site))
        site.check_invariants()
        figure(f"restarts {len(drains)}, bookings {len(buyers.acknowledged)}, failed requests 0, longest drain"
               f" {max(drains):.1f} s")


if __name__ == "__main__":
    sys.exit(main())
