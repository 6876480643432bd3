# SPDX-License-Identifier: MIT
"""The worst that one poll or allocation takes while the disk on which the dump lies is busy."""

import contextlib
import os
import subprocess

import processes
from session import paired

LOAD = """
while :; do
    dd if=/dev/zero of=load bs=1M count=256 conv=notrunc 2>/dev/null
    sync
done
"""
KINDS = (("poll", "poll"), ("block", "malloc or free"), ("new_stack", "malloc from a new stack"))
TARGET = ("<=", 0.2)


@contextlib.contextmanager
def busy_disk(directory, env):
    load = processes.start(["sh", "-c", LOAD], env, subprocess.DEVNULL, directory)
    try:
        yield
    finally:
        processes.stop(load)
        load.wait()
        processes.wait_for_all(load, 0)
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(directory, "load"))


def file_system(path):
    done = subprocess.run(["stat", "-f", "-c", "%T", path], stdout=subprocess.PIPE, text=True,
                          check=False)
    return done.stdout.strip()


def measure_stall(session):
    seconds, rounds = session.pick((5, 1), (20, 3))
    kind = file_system(session.scratch)
    if kind in ("tmpfs", "ramfs"):
        session.add_row("stall", "worst stall on a busy disk, beyond the plain run's", "ms", TARGET,
                        [], f"the build directory is on {kind}, no disk")
        return

    def measure(name):
        return session.measure(name, "stall", seconds).results

    with busy_disk(session.scratch, dict(os.environ)):
        rounds_of = session.interleave(f"stalls on a busy disk ({kind})", ("plain", "allocreport"),
                                       rounds, measure)
    for key, words in KINDS:
        for part, name in (("_p9999", "p99.99"), ("_most", "worst")):
            session.add_cells(f"{words} on a busy disk, {name}", "us", rounds_of, key + part, 1e-3)
    session.add_cells("first poll on a busy disk, which makes the dump", "us", rounds_of,
                      "first_poll", 1e-3)
    if any(one["realtime"] == 0 for results in rounds_of.values() for one in results):
        session.notes.append("stalls: no real-time priority here, so other processes' turns count")
    for key, words in KINDS:
        add_row(session, rounds_of, key, words, seconds * rounds)
    session.add_row("stall.first", "first poll on a busy disk, which makes the dump, added", "ms",
                    None, paired(rounds_of, ("plain", "allocreport"), lambda plain, own:
                                 (own["first_poll"] - plain["first_poll"]) / 1e6))


def add_row(session, rounds_of, key, words, seconds):
    """The worst of all rounds, since the worst of one run is no sample of anything."""
    worst = {name: max(one[key + "_most"] for one in results)
             for name, results in rounds_of.items() if results}
    beyond = []
    if len(worst) == 2:
        beyond = [(worst["allocreport"] - worst["plain"]) / 1e6]
    session.add_row(f"stall.{key}",
                    f"worst {words} in {seconds} s on a busy disk, beyond the plain run's", "ms",
                    TARGET, beyond, "" if beyond else "not measured")
