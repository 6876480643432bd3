# SPDX-License-Identifier: MIT
"""Polls, memory, and the stacks and threads that are not the usual ones."""

from session import paired

MIB = 1024 * 1024
BOTH = ("plain", "allocreport")


def added(key):
    return lambda plain, own: own[key] - plain[key]


def measure_polls(session):
    count = session.pick(1_000_000, 4_000_000)

    def measure(name):
        polls = session.measure(name, "polls", count)
        return {"ns": polls.results["ns"], "resident": polls.results["resident"] / MIB}

    rounds_of = session.interleave("empty polls", BOTH + ("heaptrack",), session.pick(3, 9),
                                   measure)
    session.add_cells("empty poll", "ns", rounds_of, "ns")
    session.add_cells("resident memory of a program that polls", "MiB", rounds_of, "resident")
    session.add_row("poll", "an empty poll, added", "ns", ("<=", 40),
                    paired(rounds_of, BOTH, added("ns")))
    session.add_row("memory.fixed", "resident memory added: fixed part", "MiB", ("<=", 8),
                    paired(rounds_of, BOTH, added("resident")))


def measure_blocks(session):
    def measure(name):
        blocks = session.measure(name, "blocks", 1_000_000, 24)
        return {"bytes": blocks.results["bytes"]}

    rounds_of = session.interleave("live blocks", BOTH + ("heaptrack",), session.pick(2, 6),
                                   measure)
    session.add_cells("resident memory for each of 1,000,000 live blocks of 24 bytes", "bytes",
                      rounds_of, "bytes")
    session.add_row("memory.block", "resident memory added for each 32 bytes of heap", "bytes",
                    ("<=", 16),
                    paired(rounds_of, BOTH, lambda plain, own:
                           (own["bytes"] - plain["bytes"]) / plain["bytes"] * 32))


def measure_stacks(session):
    new = session.pick(10_000, 20_000)

    def measure(name):
        programs = {
            "new": ["stacks", "new", new],
            "back": ["stacks", "back", 4096],
            "far": ["stacks", "back", 8192],
            "depth": ["stacks", "depth", new],
            "code": ["new_code", 400],
            "thread": ["first_malloc", 100],
        }
        result = {}
        for key, (program, *arguments) in programs.items():
            done = session.measure(name, program, *arguments)
            for part in ("ns", "ns_mean", "ns_p99", "ns_most"):
                result[key + part.removeprefix("ns")] = done.results[part]
        return result

    rounds_of = session.interleave("stacks", BOTH, session.pick(3, 9), measure)
    for key, words in (("new", "malloc from a stack never seen before"),
                       ("code", "malloc from a new stack of nine new functions"),
                       ("back", "malloc from one of 4,096 known stacks"),
                       ("far", "malloc from one of 8,192 known stacks"),
                       ("depth", "malloc from a recursion of changing depth"),
                       ("thread", "first malloc of a thread")):
        for part, name in (("", "median"), ("_mean", "mean"), ("_p99", "p99"), ("_most", "most")):
            session.add_cells(f"{words}, {name}", "ns", rounds_of, key + part)
    session.add_row("stack.new", "a stack never seen before, mean, added", "us", ("<=", 10),
                    paired(rounds_of, BOTH, lambda plain, own: added("new_mean")(plain, own) / 1e3))
    session.add_row("stack.code", "the same, nine of its functions never run before, median, added",
                    "us", None,
                    paired(rounds_of, BOTH, lambda plain, own: added("code")(plain, own) / 1e3))
    session.add_row("stack.back", "known stacks that miss the memo, depth 12 to 20, added", "ns",
                    ("<=", 300), paired(rounds_of, BOTH, added("back")))
    session.add_row("stack.far", "the same of 8,192 stacks instead of 4,096", "ns", None,
                    paired(rounds_of, BOTH, added("far")))
    session.add_row("stack.depth", "a recursion at 12 to 20 in turn, added", "ns", ("<=", 300),
                    paired(rounds_of, BOTH, added("depth")))
    session.add_row("thread.first", "first malloc of a new thread, with the recorder", "us",
                    ("<=", 20),
                    paired(rounds_of, ("allocreport",), lambda own: own["thread"] / 1e3))
    session.add_row("thread.first.plain", "the same without it", "us", None,
                    paired(rounds_of, ("plain",), lambda plain: plain["thread"] / 1e3))
