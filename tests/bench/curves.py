#!/usr/bin/python3
"""Draws how costs grow, one picture a kind, from a report of `make bench`: curves.py REPORT FOLDER

Writes FOLDER/growth-KIND.svg and FOLDER/growth.md.
"""
import json
import math
import pathlib
import sys

KINDS = {  # picture: (title, the rows it shows)
    "trips": ("Answers of the catalogue a second by trips", ("trips_public", "trip")),
    "searches": ("Lists, filters and searches of trips, ms at the median, by trips",
                 ("sorted", "filtered", "filtered_type_facets", "filtered_dates", "search_word", "search_words", "search_prefix")),
    "changes": ("A changed trip until it shows, and a start, ms, by trips", ("trip_changed", "snapshot_rebuilt", "start")),
    "bookings": ("Bookings a second by bookings stored", ("bookings_flow",)),
    "lists": ("Staff's list of bookings, ms at the median, by bookings stored",
              ("bookings_list", "bookings_search", "bookings_status", "bookings_payment", "bookings_trip",
               "bookings_days", "bookings_customer")),
    "departures": ("Answers of available-dates by departures", ("departures",)),
    "processes": ("Bookings a second by server processes", ("processes",))}
COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#7a4ea3", "#b8860b", "#333333", "#008b8b", "#8b4513")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 300, 70, 40, 210, 40


def series(report, wanted):
    """(database, name) to its (size, value) pairs, those alone with more than one size."""
    found = {}
    for row in report["rows"]:
        name, _, size = row["name"].partition("@")
        if name in wanted and size.isdigit():
            found.setdefault((row["database"], name), []).append((int(size), row["value"], row["unit"]))
    return {key: sorted(points) for key, points in found.items() if len(points) > 1}


def picture(title, lines):
    sizes = sorted({size for points in lines.values() for size, _, _ in points})
    most = max(value for points in lines.values() for _, value, _ in points) * 1.1
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])

    def place(size, value):
        return (LEFT + (math.log10(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
           f' font-size="11"><rect width="100%" height="100%" fill="white"/>'
           f'<text x="{LEFT}" y="20" font-size="14">{title}</text>']
    for step in range(5):
        _, y = place(sizes[0], most * step / 4)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{most * step / 4:,.4g}</text>')
    for size in sizes:
        x, _ = place(size, 0)
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{size:,}</text>')
    for number, ((database, name), points) in enumerate(sorted(lines.items())):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(size, value) for size, value, _ in points))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 16 * number + 8}" fill="{colour}">{name}, {database}</text>')
    return "".join(out) + "</svg>\n"


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main():
    report, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    page = ["# How costs grow\n", f"Made by `make bench-keep` of the report of `make bench` at commit {report['commit']}, on"
            f" {report['machine']}; what a machine does varies, how the curves run should not.\n"]
    for kind, (title, wanted) in KINDS.items():
        lines = series(report, wanted)
        if not lines:
            continue
        (folder / f"growth-{kind}.svg").write_text(picture(title, lines))
        sizes = sorted({size for points in lines.values() for size, _, _ in points})
        page += [f"## {title}\n", f"![{title}](growth-{kind}.svg)\n",
                 "| row | database | " + " | ".join(f"{size:,}" for size in sizes) + " |"]
        page.append("|" + "---|" * (page[-1].count("|") - 1))
        for (database, name), points in sorted(lines.items()):
            values = {size: shown(value) for size, value, _ in points}
            page.append(f"| {name} ({points[0][2]}) | {database} | "
                        + " | ".join(values.get(size, "") for size in sizes) + " |")
        page.append("")
    (folder / "growth.md").write_text("\n".join(page))


if __name__ == "__main__":
    main()
