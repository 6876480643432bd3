#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the stacks of a dump with the paths that attack_walks says it took.

  attack_paths.py SITES LINES   fails unless each path's sites have just its allocations and bytes
"""

import collections
import json
import re
import sys


def paths_of_sites(document):
    """{path: [allocations, bytes, live blocks]}, and the sites whose stack is cut or broken."""
    found = collections.defaultdict(lambda: [0, 0, 0])
    broken = 0
    for site in document["sites"]:
        names = [line["function"] or "?" for line in site["stack"] if not line["inlined"]]
        if "leaf_makes" not in names:
            continue
        inner, main = names.index("leaf_makes"), len(names)
        if "main" in names:
            main = names.index("main")
        steps = [name for name in names[inner + 1:main] if name != "walk"]
        if inner != 0 or main == len(names) or not site["stack_complete"]:
            broken += 1
        path = " ".join(reversed(steps))
        for i, key in enumerate(("allocations", "bytes", "live_blocks")):
            found[path][i] += site[key]
    return found, broken


def paths_of_lines(lines, pid):
    wanted = {}
    for line in lines:
        match = re.match(r"path: (\d+) (\d+) (\d+) (.*)", line)
        if match and int(match[1]) == pid:
            wanted[match[4]] = [int(match[2]), int(match[3]), 0]
    return wanted


def main(sites_path, lines_path):
    with open(sites_path, encoding="utf-8") as file:
        document = json.load(file)
    with open(lines_path, encoding="utf-8") as file:
        wanted = paths_of_lines(file, document["program"]["pid"])
    found, broken = paths_of_sites(document)
    wrong = [path for path in wanted.keys() | found.keys()
             if wanted.get(path) != found.get(path)]
    for path in wrong[:20]:
        print(f"{path}: {found.get(path)} in the dump, {wanted.get(path)} made")
    if broken:
        print(f"{broken} stacks do not reach from leaf_makes to main")
    if not wanted:
        print("no path was taken")
    print(f"{len(wanted)} paths, {len(wrong)} wrong")
    return int(bool(wrong or broken or not wanted))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
