#!/usr/bin/python3
"""The processor time of a booking (session, summary, create) of two checkouts, in turns: cpu_booking.py OLD NEW [TURNS]

Each checkout has its program in build/release and answers by its own bench.py. SQLite on the disk of TMPDIR, one buyer.
Prints the microseconds of all threads of both servers by turn, and the median of the turns' ratios.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

BOOKINGS = 200  # of a turn


def threads_time(pid):
    """What the scheduler gave all threads of a process, in microseconds."""
    total = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((thread / "schedstat").read_text().split()[0])
        except FileNotFoundError:  # it has just ended
            pass
    return total / 1000


def serve(checkout):
    """Books as many as each line of the input says; answers each with the microseconds of a booking."""
    os.chdir(checkout)
    sys.path[:0] = [f"{checkout}/tests/bench", f"{checkout}/tests/support"]
    import bench
    measured = bench.Bench(argparse.Namespace(build=f"{checkout}/build/release", callgrind=False, seconds=1, only=[]))
    with measured.installed("sqlite") as site:
        trip = site.given_trip(regular_price=80)["id"]
        site.given_departure(trip, bench.DAY, 100_000)
        server, booked = site.servers[0], 0
        print("ready", flush=True)
        for line in sys.stdin:
            before = threads_time(server.process.pid)
            measured.book_many(server.port, trip, int(line), first=booked)
            booked += int(line)
            time.sleep(0.5)  # what a booking leaves to be done afterwards counts too
            print((threads_time(server.process.pid) - before) / int(line), flush=True)


class Checkout:
    def __init__(self, path):
        self.child = subprocess.Popen([sys.executable, __file__, "--serve", str(pathlib.Path(path).resolve())],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while (line := self.child.stdout.readline()).strip() != "ready":
            if not line:
                raise SystemExit(f"{path}: the server did not start; is build/release built?")

    def turn(self, bookings):
        self.child.stdin.write(f"{bookings}\n")
        self.child.stdin.flush()
        return float(self.child.stdout.readline())


def main():
    old, new = Checkout(sys.argv[1]), Checkout(sys.argv[2])
    for each in (old, new):
        each.turn(100)
    ratios = []
    for turn in range(int(sys.argv[3]) if len(sys.argv) > 3 else 10):
        first, second = (old, new) if turn % 2 else (new, old)
        took = {first: first.turn(BOOKINGS), second: second.turn(BOOKINGS)}
        ratios.append(took[new] / took[old])
        print(f"old {took[old]:7.1f} us  new {took[new]:7.1f} us  {ratios[-1]:.3f}", flush=True)
    print(f"median {statistics.median(ratios):.3f}")
    for each in (old, new):
        each.child.stdin.close()
        each.child.wait()


if __name__ == "__main__":
    serve(sys.argv[2]) if sys.argv[1] == "--serve" else main()
