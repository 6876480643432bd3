#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the recorder costs, beside its peers, in one run: `make bench`.

Everything is repeated in turns (A B C A B C ...), so that a change of the machine's mood meets all
alike. Prints what was measured and the figures with their targets; writes bench.json and bench.md
beside the build. It asserts nothing: its status is 0 whatever the times are."""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys

import measure_pairs
import measure_programs
import measure_rest
import measure_stall
import processes
import tables
from session import Failed, Session

GROUPS = {
    "pairs": measure_pairs.measure_pairs,
    "threads": measure_pairs.measure_threads,
    "polls": measure_rest.measure_polls,
    "programs": measure_programs.measure_programs,
    "blocks": measure_rest.measure_blocks,
    "stacks": measure_rest.measure_stacks,
    "stall": measure_stall.measure_stall,
}
CHECKED = 10_000  # pairs


def describe_machine(priority):
    processor = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    return {"processor": processor, "cores": os.cpu_count(),
            "system": f"Linux {platform.release()}, {' '.join(platform.libc_ver())}",
            "load": os.getloadavg()[0], "priority": priority}


def check_recorder(session):
    """What is measured must be what is meant: all pairs counted, with the whole stack."""
    session.measure("allocreport", "pairs", 16, CHECKED, 0, keep=True)
    (dump,) = session.records(session.contenders["allocreport"])
    done = subprocess.run([os.path.join(session.build, "allocreport"), "sites", "--json", dump],
                          stdout=subprocess.PIPE, check=True)
    os.remove(dump)
    site = max(json.loads(done.stdout)["sites"], key=lambda one: one["allocations"])
    if site["allocations"] != CHECKED or len(site["stack"]) != 16:
        raise Failed(f"{site['allocations']} allocations in {len(site['stack'])} frames were "
                     f"recorded, {CHECKED} in 16 were made")


def main():
    parser = argparse.ArgumentParser(description="Measures what the recorder costs.")
    parser.add_argument("--quick", action="store_true", help="about a minute")
    parser.add_argument("--only", metavar="GROUPS", default=",".join(GROUPS),
                        help="of " + ",".join(GROUPS))
    parser.add_argument("--priority", type=int, default=0, metavar="N",
                        help="nice value of what is measured, such as -10 on a busy machine")
    parser.add_argument("build", help="the directory with liballocreport.so and allocreport")
    options = parser.parse_args()
    chosen = options.only.split(",")
    unknown = [name for name in chosen if name not in GROUPS]
    if unknown:
        parser.error(f"no such group: {', '.join(unknown)}")

    processes.adopt_orphans()
    machine = describe_machine(options.priority)
    session = Session(options.build, options.quick, options.priority)
    try:
        check_recorder(session)
    except Failed as reason:
        print(f"bench: the recorder does not record: {reason}", file=sys.stderr)
        return 1
    for name in chosen:
        GROUPS[name](session)
    print("\n".join(tables.text(session, machine)))
    where = os.path.dirname(os.path.abspath(options.build))
    with open(os.path.join(where, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(tables.document(session, machine), file, indent=1)
        file.write("\n")
    with open(os.path.join(where, "bench.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(tables.markdown(session, machine)) + "\n")
    shutil.rmtree(session.scratch)
    return 0


sys.exit(main())
