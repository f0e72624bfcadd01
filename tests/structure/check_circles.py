#!/usr/bin/python3
"""Fails on headers that include each other and on folders that do, directly or through others."""
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

TOPS = ("base", "pro", "shared", "shell", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def includes_of(root):
    """Each file with those that it includes, of the project's own."""
    files = {path.relative_to(root).as_posix(): path for path in own_files(root, ".hpp", ".cpp", ".h", ".c")}
    return {name: [one for one in INCLUDE.findall(path.read_text()) if one in files]
            for name, path in files.items() if name.split("/")[0] in TOPS}


def circles(edges):
    """The sets of nodes that reach each other (Tarjan), each sorted."""
    number, lowest, stack, found = {}, {}, [], []
    for start in sorted(edges):
        if start in number:
            continue
        number[start] = lowest[start] = len(number)
        stack.append(start)
        walk = [(start, iter(sorted(edges[start])))]
        while walk:
            node, rest = walk[-1]
            for other in rest:
                if other not in number:
                    number[other] = lowest[other] = len(number)
                    stack.append(other)
                    walk.append((other, iter(sorted(edges.get(other, ())))))
                    break
                if other in stack:
                    lowest[node] = min(lowest[node], number[other])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    del stack[at:]
    return [circle for circle in found if len(circle) > 1]


def main(root):
    files = includes_of(root)
    folders, examples = defaultdict(set), {}
    for name, included in files.items():
        for one in included:
            pair = name.rpartition("/")[0], one.rpartition("/")[0]
            if pair[0] != pair[1]:
                folders[pair[0]].add(pair[1])
                examples.setdefault(pair, f"{name} includes {one}")
    faults = [f"these headers include each other: {' '.join(circle)}" for circle in circles(files)]
    for circle in circles(folders):
        faults.append(f"these folders include each other: {' '.join(circle)}")
        faults += [f"  {examples[pair]}" for pair in sorted(examples) if set(pair) <= set(circle)]
    print("\n".join(faults) or f"{len(files)} files in {len({name.rpartition('/')[0] for name in files})} folders include"
          " each other in one direction")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()))
