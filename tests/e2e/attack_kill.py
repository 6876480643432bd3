#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills attack_killed at random instants and looks at what it left.

  attack_kill.py BUILD TIMES SEED   BUILD holds the recorder, the reporter and progs/attack_killed

Each dump must open and hold what the program says it had done: no count is below what was done or
above what was begun. It must add up but for what was in flight: one operation for each thread.
"""

import glob
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time

MAKERS = 4
SIZE_MOST = 512
LONGEST = 0.25  # seconds until the kill


def read_counts(path):
    """None: the program had not begun."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return None
    with open(path, "rb") as file:
        pairs = list(struct.iter_unpack("<QQ", file.read(16 * (2 + 3 * MAKERS))))
    makers = [dict(zip(("allocations", "bytes", "frees"), pairs[2 + 3 * i:5 + 3 * i]))
              for i in range(MAKERS)]
    return {"polls": pairs[0], "threads": pairs[1], "makers": makers}


def kill_one(build, number, delay):
    counts = f"counts.{number}"
    environment = dict(os.environ, LD_PRELOAD=f"{build}/liballocreport.so", ALLOCREPORT_QUIET="1",
                       ALLOCREPORT_OUT=f"killed.{number}.alloc", SDL_VIDEODRIVER="dummy")
    with subprocess.Popen([f"{build}/progs/attack_killed", counts, str(number)], env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as program:
        time.sleep(delay)
        program.send_signal(signal.SIGKILL)
        said = program.stdout.read()
    if program.returncode != -signal.SIGKILL or said:
        return f"the program ended by itself: {program.returncode} {said}"
    return None


def ask(build, command, dump):
    """The document; `info` exits with 4 where sums do not agree."""
    done = subprocess.run([f"{build}/allocreport", command, "--json", dump], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 and not (command == "info" and done.returncode == 4):
        raise ValueError(f"{command}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def between(what, seen, pair):
    if pair[1] <= seen <= pair[0]:
        return []
    return [f"{what}: {seen} in the dump, {pair[1]} done, {pair[0]} begun"]


def check_counts(counts, report, sites):
    wrong = between("polls", report["polls"]["count"], counts["polls"])
    for number, maker in enumerate(counts["makers"]):
        mine = [site for site in sites["sites"]
                if any(line["function"] == f"maker_{number}" for line in site["stack"])]
        for key in ("allocations", "bytes", "frees"):
            wrong += between(f"maker_{number} {key}", sum(site[key] for site in mine), maker[key])
    wrong += [f"loss {key} is {lost}" for key, lost in report["losses"].items() if lost]
    return wrong


def check_health(info):
    """What was in flight: a poll's window or one operation of each thread."""
    wrong = []
    threads = MAKERS + 1
    for line in info["health"]["wrong"]:
        match = re.search(r": (\d+), expected (\d+)$", line)
        most = 6 * threads
        if "bytes" in line or line.startswith("sum of"):
            most *= SIZE_MOST
        if "time" in line:
            most = 10**9
        if not match or abs(int(match[1]) - int(match[2])) > most:
            wrong.append(line)
    return wrong


def main(build, times, seed):
    choices = random.Random(int(seed))
    failed, dumps = 0, 0
    for number in range(int(times)):
        delay = choices.random() ** 2 * LONGEST
        wrong = kill_one(build, number, delay)
        wrong = [wrong] if wrong else []
        found = glob.glob(f"killed.{number}.alloc")
        if not wrong:
            counts = read_counts(f"counts.{number}")
            polled = counts is not None and counts["polls"][1] > 0
            if not found:
                wrong = ["no dump though it polled"] if polled else []
            elif polled:
                dumps += 1
                try:
                    wrong = check_counts(counts, ask(build, "report", found[0]),
                                         ask(build, "sites", found[0]))
                    wrong += check_health(ask(build, "info", found[0]))
                except ValueError as error:
                    wrong = [str(error)]
        for line in wrong:
            print(f"kill {number} after {delay:.4f} s: {line}")
        failed += bool(wrong)
        for path in [] if wrong else found + [f"counts.{number}"]:
            if os.path.exists(path):
                os.remove(path)
    print(f"{times} kills, {dumps} dumps, {failed} wrong")
    return int(failed > 0 or dumps < int(times) // 2)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
