"""R13: two servers whose clock is steered (libfaketime) through both changes of the operator's clock, hours forward and back
again, a restart in between: every daily job runs once for its day and never twice, sessions end after their minutes, and a
guest's seats are held for hours as they pass, not for those that a wall clock shows.

steered_clock.py SVC DATABASE CHANGES
"""
import collections
import datetime
import os
import re
import sys
import time
import zoneinfo

from proving import Site, arguments, figure, not_limited

SVC, DATABASE, (CHANGES,) = arguments(2)
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


def next_changes():
    """The next two days on which Berlin's clocks change, in their order."""
    first, days = datetime.date.today() + datetime.timedelta(days=2), []
    while len(days) < 2:
        noon = [datetime.datetime.combine(first + datetime.timedelta(days=each), datetime.time(12), ZONE) for each in (0, 1)]
        if noon[0].utcoffset() != noon[1].utcoffset():
            days.append(noon[1].date())
        first += datetime.timedelta(days=1)
    return days


class Clock:
    """The servers' time; every call of theirs reads the file again."""

    def __init__(self, file):
        self.file, self.steps = file, 0

    def set(self, when):
        self.steps += 1
        ahead = when.timestamp() - time.time()
        new = self.file.with_suffix(".new")
        new.write_text(f"{'+' if ahead >= 0 else ''}{ahead:.3f}s\n")
        new.replace(self.file)

    def environment(self):
        assert os.path.exists(LIBRARY), "faketime is not installed (packaging/packages.txt, [prove])"
        # The system's allocators before jemalloc, which asks for the time before libfaketime can tell it.
        return {"LD_PRELOAD": f"{LIBRARY}:libstdc++.so.6:libc.so.6", "FAKETIME_TIMESTAMP_FILE": str(self.file),
                "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def at(day, clock, fold=0):
    """That moment, in UTC: only there are moments in the order in which they pass. An hour left out counts as the next."""
    there = datetime.datetime.combine(day, datetime.time.fromisoformat(clock), ZONE).replace(fold=fold)
    return there.astimezone(datetime.timezone.utc)


class Jobs:
    """The jobs that ran: by the servers' own counts, and by the days in the database."""

    def __init__(self, site):
        self.site, self.of_the_dead = site, collections.Counter()
        listed = site.run("catalogue", "jobs")
        self.daily = {name: clock for name, clock in re.findall(r"^\| `(\w+)` \| daily at (\d\d:\d\d)", listed, re.M)}
        assert len(self.daily) >= 6, listed
        self.before = self.counted()

    def count(self, server):
        text = server.ask("/metrics", admin=True)[2]
        return collections.Counter({name: int(float(number)) for name, number in re.findall(
            r'^svc_job_runs_total\{[^}]*job="(\w+)"[^}]*\} (\S+)', text, re.M)})

    def counted(self):
        total = collections.Counter(self.of_the_dead)
        for server in self.site.servers:
            total += self.count(server)
        return total

    def runs(self):
        return self.counted() - self.before

    def days(self):
        found = collections.defaultdict(list)
        for name, day in self.site.sql("SELECT job_name, local_date FROM svc_job_days ORDER BY local_date"):
            found[name].append(day)
        return found

    def restart(self, server):
        self.of_the_dead += self.count(server)
        server.process.terminate()
        server.process.wait(40)
        self.site.servers.remove(server)
        self.site.start(port=server.port)


class Story:
    def __init__(self, site, clock, day):
        self.site, self.clock, self.people = site, clock, 0
        self.travel = (day + datetime.timedelta(days=50)).isoformat()
        self.jobs, self.expected, self.twice, self.waited = Jobs(site), collections.defaultdict(set), 0, 0.0
        self.trip = site.given_trip()["id"]
        site.given_departure(self.trip, self.travel, 10_000)

    def look(self):
        """A booking's e-mail wakes the jobs of the server that made it; then there is time to do too much."""
        for number in range(len(self.site.servers)):
            self.people += 1
            made = self.site.book(self.trip, self.travel, f"Ada{self.people}", server=number)
            assert made.status == 201, made
        time.sleep(0.7)

    def go(self, when):
        """To that moment; every daily job whose time of that day has come must have run, by then or at once."""
        self.clock.set(when)
        there = when.astimezone(ZONE)
        local, day = there.strftime("%H:%M"), there.date().isoformat()
        self.latest = max(getattr(self, "latest", when), when)
        for name, clock in self.jobs.daily.items():
            if when == self.latest and clock <= local and day > self.first.isoformat():
                self.expected[name].add(day)
        began = time.monotonic()
        while True:
            self.look()
            days, runs = self.jobs.days(), self.jobs.runs()
            # A day is claimed before its run is, so a run may be under way yet.
            if all(set(days[name]) >= self.expected[name] and runs[name] >= len(days[name]) for name in self.jobs.daily):
                break
            assert time.monotonic() - began < 45, (when, {n: (days[n], self.expected[n], runs[n]) for n in self.jobs.daily})
        for name in self.jobs.daily:
            assert len(days[name]) == len(set(days[name])) == runs[name], (str(when), name, days[name], runs[name])
            assert set(days[name]) == self.expected[name], (str(when), name, days[name], self.expected[name])

    def change(self, day):
        """Through one night on which the clocks change."""
        one = datetime.timedelta(days=1)
        self.first = day - one
        self.latest = at(day - one, "23:30")
        self.clock.set(self.latest)
        while not all(self.first.isoformat() in self.jobs.days()[name] for name in self.jobs.daily):
            self.look()  # what the days before left to do is done
        self.jobs.before, self.expected = self.jobs.counted(), collections.defaultdict(set)
        self.site.sql("DELETE FROM svc_job_days")
        for when in (at(day, "00:01"), at(day, "00:30"), at(day, "00:00"), at(day - one, "23:50"), at(day, "00:30"),
                     at(day, "01:59"), at(day, "02:59"), at(day, "02:01", 1), at(day, "02:59", 1), at(day, "03:01"),
                     at(day, "03:30"), at(day, "02:30", 1), at(day, "03:50"), at(day, "08:10"), at(day, "07:50")):
            self.go(when)
        self.jobs.restart(self.site.servers[0])
        for when in (at(day, "08:10"), at(day, "23:59"), at(day + one, "00:30"), at(day, "23:50"), at(day + one, "08:10")):
            self.go(when)
        return {name: len(days) for name, days in self.jobs.days().items()}


def sessions(site, clock, now):
    """Thirty minutes from its last use and a few more, whichever way the clock is set meanwhile."""
    minutes = datetime.timedelta(minutes=1)
    clock.set(now)
    opened = site.call("POST", "/booking/session", {"trip_id": site.trip})
    assert opened.status == 201, opened
    held = {"X-Svc-Session": opened.data["session_id"]}

    def asked(later):
        clock.set(now + later * minutes)
        return site.call("GET", "/booking/session", headers=held).status
    told = [asked(29), asked(19), asked(48), asked(95)]
    assert told == [200, 200, 200, 404], told
    return len(told)


def holds(site, clock, day):
    """A guest who has not proven the address holds seats for 48 hours, two days that have 47 or 49 by the wall."""
    hour = datetime.timedelta(hours=1)
    begin = at(day, "00:40")
    clock.set(begin)
    assert site.as_staff("PUT", "/settings", {"require_guest_email_verification": True}).status == 200
    departure = site.given_departure(site.trip, (day + datetime.timedelta(days=60)).isoformat(), 5)["id"]
    made = site.book(site.trip, (day + datetime.timedelta(days=60)).isoformat(), "Unproven")
    assert made.data["status"] == "pending_verification", made
    assert site.as_staff("PUT", "/settings", {"require_guest_email_verification": False}).status == 200

    def seats(when):
        clock.set(when)
        for turn in range(60):
            site.book(site.trip, (day + datetime.timedelta(days=50)).isoformat(), f"Wakes{day.day}{when.hour}{turn}")
            time.sleep(0.3)
            ran = site.sql("SELECT last_finished_at FROM svc_jobs WHERE name = 'soft_hold_release' AND last_status = 'ok'")
            if ran and ran[0][0] and abs(int(ran[0][0]) / 1e6 - when.timestamp()) < 60:
                break
        return int(site.sql(f"SELECT booked_count FROM svc_departures WHERE id = {departure}")[0][0])
    assert seats(begin + 47.7 * hour) == 1
    assert seats(begin + 48.3 * hour) == 0
    return 2


def through(day, site, clock):
    """That change in an installation of its own, as events are kept for months only; what ran, and the further cases."""
    clock.set(at(day - datetime.timedelta(days=2), "12:00"))
    site.environment |= clock.environment()
    for _ in range(2):
        site.start()
    not_limited(site)
    # With a mail server that nobody is, so that each booking's e-mail wakes the jobs.
    assert site.as_staff("PUT", "/settings", {"timezone": "Europe/Berlin", "smtp_enabled": True, "smtp_host": "127.0.0.1",
                                              "smtp_port": 2, "from_email": "office@example.org"}).status == 200
    time.sleep(1.5)  # the other server follows
    clock.set(at(day - datetime.timedelta(days=1), "20:00"))
    story = Story(site, clock, day)
    site.trip = story.trip
    site.wait_until_all_show(story.trip)
    ran = story.change(day)
    cases = sessions(site, clock, at(day + datetime.timedelta(days=1), "12:00")) + holds(site, clock, day)
    site.check_invariants()
    return ran, cases


def main():
    changes, steps, ran, cases = next_changes()[:int(CHANGES)], 0, [], 0
    for day in changes:
        with Site(SVC, DATABASE, servers=0) as site:
            clock = Clock(site.dir / "clock")
            each, more = through(day, site, clock)
            ran.append(each)
            steps, cases = steps + clock.steps, cases + more
    jobs = sum(sum(each.values()) for each in ran)
    figure(f"days of change {', '.join(map(str, changes))}; {steps} steps of the clock back and forth, daily jobs"
           f" {len(ran[0])}, their days {jobs}, run twice 0, left out 0; sessions and holds {cases} of {cases}")


if __name__ == "__main__":
    sys.exit(main())
