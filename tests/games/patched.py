#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs real games under an X server of their own, with motion, keys and clicks from xdotool, each
without the patched poll and with it, and prints a table: what is asked for inside steady polls, and
how many calls of the heap are made there. Fails unless every game asks for something in its steady
polls and, with the patch, calls the heap there not once.

  patched.py [--seconds N] [--work DIR] [NAME ...]   names of games.tsv; eight of them if none

It is not part of `make check`: run.py --install gets the games. Needs `make all`, Xvfb, xdotool.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import run

EIGHT = ("chocolate-doom", "teeworlds", "supertux2", "openttd", "neverball", "mrrescue",
         "pygame-eventlist", "testsprite2")
COLUMNS = ("game", "steady polls", "asked for", "steady polls", "asked for", "served",
           "spilled", "heap calls", "refills", "held most", "ended")


class Player(run.Screen):
    """Somebody at the keyboard: five motions a turn, a key, now and then a click."""

    def move(self, step):
        words = []
        for i in range(5):
            words += ["mousemove", str(200 + (step * 31 + i * 7) % 500), str(150 + (step * 17 + i * 5) % 300)]
        words += ["key", ("Down", "Up", "x", "Left")[step % 4]]
        if step % 10 == 9:
            words += ["click", "1"]
        subprocess.run(["xdotool", *words], env=self.variables, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def play(game, work, patch, seconds):
    """The report of its dump, and how it ended."""
    home = work / f"{game.name}-{patch or 'plain'}"
    variables = {"LD_PRELOAD": ":".join([str(run.BUILD / "liballocreport.so"), *game.behind]),
                 "ALLOCREPORT_OUT": str(home / "%e.%p.alloc"), "ALLOCREPORT_QUIET": "1",
                 "ALLOCREPORT_PATCH": patch}
    status, ended = run.play(game, home, [], variables, seconds)
    best = None
    for dump in home.glob("*.alloc"):
        text = subprocess.run([str(run.BUILD / "allocreport"), "report", "--json", str(dump)],
                              check=False, capture_output=True, text=True).stdout
        report = json.loads(text) if text else None
        if report and (best is None or report["polls"]["count"] > best["polls"]["count"]):
            best = report
    return best, f"{status} {ended}"


def row(game, work, seconds):
    """The cells of its row, and whether it is as it should be."""
    plain, ended = play(game, work, "", seconds)
    patched, ended_patched = play(game, work, "poll", seconds)
    if plain is None or patched is None:
        return [game.name] + ["-"] * (len(COLUMNS) - 2) + ["no dump"], False
    patch = patched["patch"]
    asked = [report["steady"]["in_poll"]["allocations"] for report in (plain, patched)]
    spilled = ", ".join(f"{count} {reason}" for reason, count in patch["spilled"].items() if count)
    cells = [plain["steady"]["polls"], asked[0], patched["steady"]["polls"], asked[1],
             patch["served"], spilled or "0", patch["steady_heap_calls"], patch["refills"],
             f"{patch['held_most_bytes'] / 1e6:.1f} MB"]
    same = ended == ended_patched
    cells.append(ended if same else f"{ended}, patched {ended_patched}")
    return [game.name, *map(str, cells)], \
        min(asked) > 0 and patch["steady_heap_calls"] == 0 and same


def main():
    parser = argparse.ArgumentParser(description="the patched poll in real games")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--work", type=pathlib.Path, default=run.BUILD / "games")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    run.Screen = Player
    rows, good = [], True
    for game in run.games(options.names or EIGHT):
        game.under_x, game.other_user = True, False
        cells, right = row(game, options.work.resolve(), options.seconds)
        rows.append(cells)
        good = good and right
        print(("" if right else "WRONG: ") + " | ".join(cells), file=sys.stderr, flush=True)
    widths = [max(len(cells[i]) for cells in [COLUMNS, *rows]) for i in range(len(COLUMNS))]
    for cells in [COLUMNS, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
