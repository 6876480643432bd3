#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What waiting for events costs, plain and with the patched wait: how often the thread wakes up in two
seconds in which nothing happens, and how long an event of another thread waits.

    waits.py BUILD

Under the dummy driver. Runs take turns, and each figure is the median of its runs."""
import os
import statistics
import subprocess
import sys

RUNS = 5
WAYS = {"SDL alone": None, "recorded": "", "patched wait": "wait"}


def run(build, patch, *arguments):
    environment = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy",
                       ALLOCREPORT_QUIET="1", ALLOCREPORT_OUT="/dev/null/%p")
    if patch is not None:
        environment["LD_PRELOAD"] = os.path.join(build, "liballocreport.so")
        environment["ALLOCREPORT_PATCH"] = patch
    program = os.path.join(build, "progs", "waits")
    output = subprocess.run([program, *arguments], env=environment, check=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [int(word) for word in output.split()]


def main():
    build = os.path.abspath(sys.argv[1])
    idle = {way: [] for way in WAYS}
    latency = {way: [] for way in WAYS}
    for _ in range(RUNS):
        for way, patch in WAYS.items():
            idle[way].append(run(build, patch, "idle", "2000")[0])
            latency[way].append(run(build, patch, "latency", "100"))
    print(f"{'':14} {'wake-ups in 2 s':>16} {'push to return':>16} {'wake-ups, 100 events':>22}")
    for way in WAYS:
        wakeups = statistics.median(idle[way])
        events, took = (statistics.median(column) for column in zip(*latency[way]))
        print(f"{way:14} {wakeups:16.0f} {took / 1000:13.1f} us {events:22.0f}")


main()
