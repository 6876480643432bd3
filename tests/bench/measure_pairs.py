# SPDX-License-Identifier: MIT
"""The malloc/free pair: what each tool adds, in wall time and in processor time; two threads; and
blocks that one thread allocates and another frees."""

from session import paired

FLOOR = "counting"
TOOLS = ("plain", FLOOR, "allocreport", "heaptrack", "dhat", "jemalloc", "jemalloc-profile")
# heaptrack makes the program wait for its interpreter now and then. The time that passes has these
# pauses in it; without them it is shown too, as what most pairs meet.
KINDS_OF_TIME = (("mean", "wall time of a pair", 12),
                 ("ns", "wall time of a pair, pauses left out", None),
                 ("cpu", "processor time of a pair", 20),
                 ("whole", "processor time of the whole run of 1,000,000 pairs", 20))
FEW = 1000  # pairs of the run that is taken off: start, and what a tool does for a new stack
WHOLE = 1_000_000  # pairs of the runs that are compared whole


def pairs_for(session, name):
    fast, slow = session.pick((2_000_000, 100_000), (4_000_000, 200_000))
    if name == "heaptrack":
        return WHOLE
    return slow if name in ("dhat", "jemalloc-profile") else fast


def once(session, depth):
    def measure(name):
        count = pairs_for(session, name)
        few = session.measure(name, "pairs", depth, FEW, 0)
        many = session.measure(name, "pairs", depth, count, 0)
        cpu = (many.cpu - few.cpu) / (count - FEW) * 1e9
        result = {"ns": many.results["ns"], "mean": many.results["ns_mean"], "cpu": cpu}
        if name in ("plain", "allocreport", "heaptrack"):
            whole = many if count == WHOLE else session.measure(name, "pairs", depth, WHOLE, 0)
            result["whole"] = whole.cpu * 1e3
        return result
    return measure


def ratio_of_added(key):
    """How many times as much the other adds as allocreport does; each over what it stands on."""
    def ratio(plain, own, base_of_other, other):
        return (other[key] - base_of_other[key]) / (own[key] - plain[key])
    return ratio


def add_ratios(session, rounds_of, depth):
    for other, title, base in (("heaptrack", "heaptrack", "plain"), ("dhat", "DHAT", "plain"),
                               ("jemalloc-profile", "jemalloc's full profile", "jemalloc")):
        for key, words, bound in KINDS_OF_TIME:
            if key == "whole" and other != "heaptrack":
                continue
            gated = other == "heaptrack" and depth == 16 and bound is not None
            target = (">=", bound) if gated else None
            samples = paired(rounds_of, ("plain", "allocreport", base, other), ratio_of_added(key))
            session.add_row(f"{other}.{key}.depth{depth}",
                            f"added {words}, {title} : allocreport, depth {depth}", ": 1", target,
                            samples, "" if samples else f"no figure of {title}")


def measure_pairs(session):
    for depth, bound in ((16, 20), (40, 35)):
        rounds_of = session.interleave(f"malloc/free pair at depth {depth}", TOOLS,
                                       session.pick(3, 9), once(session, depth))
        session.add_cells(f"malloc/free pair, depth {depth}", "ns", rounds_of, "ns")
        session.add_cells(f"malloc/free pair, depth {depth}, with all pauses", "ns", rounds_of,
                          "mean")
        session.add_cells(f"malloc/free pair, depth {depth}, processor time", "ns", rounds_of,
                          "cpu")
        session.add_cells(f"{WHOLE:,} pairs at depth {depth}, processor time of the whole run",
                          "ms", {name: results for name, results in rounds_of.items()
                                 if results and "whole" in results[0]}, "whole")
        session.add_row(f"pair.depth{depth}",
                        f"malloc/free pair at depth {depth}, added over a counting interposer",
                        "ns", ("<=", bound),
                        paired(rounds_of, (FLOOR, "allocreport"),
                               lambda floor, own: own["ns"] - floor["ns"]))
        add_ratios(session, rounds_of, depth)


def measure_threads(session):
    count = session.pick(1_000_000, 4_000_000)

    def measure(name):
        runs = {
            "alone": session.measure(name, "pairs", 16, count, 1),
            "two": session.measure(name, "pairs", 16, count, 2),
            "single": session.measure(name, "handover", 16, count // 2, 1),
            "batches": session.measure(name, "handover", 16, count // 2, 500),
        }
        result = {key: run.results["ns"] for key, run in runs.items()}
        result["switches"] = runs["batches"].results["switches"]
        return result

    rounds_of = session.interleave("two threads", ("plain", "allocreport"), session.pick(3, 9),
                                   measure)
    session.add_cells("pair of one thread alone", "ns", rounds_of, "alone")
    session.add_cells("pair of each of two threads at once", "ns", rounds_of, "two")
    session.add_cells("block from thread to thread, one by one", "ns", rounds_of, "single")
    session.add_cells("block from thread to thread, 500 at a time", "ns", rounds_of, "batches")
    session.add_cells("context switches for 1,000 of these", "", rounds_of, "switches")
    for name, suffix, target in (("allocreport", "", ("<=", 1.2)), ("plain", ".plain", None)):
        session.add_row(f"threads.two{suffix}",
                        "the same without the recorder" if suffix else
                        "two threads at once: cost for each, against one alone", "x", target,
                        paired(rounds_of, (name,), lambda one: one["two"] / one["alone"]))
    add_handover(session, rounds_of)


def add_handover(session, rounds_of):
    """glibc's own cost of such a block is several pairs, so the target is for what is added."""
    both = ("plain", "allocreport")
    for key, words in (("single", "one by one"), ("batches", "500 at a time")):
        session.add_row(f"handover.{key}",
                        f"one thread allocates, another frees, {words}: added, of a pair's added",
                        "x", ("<=", 2),
                        paired(rounds_of, both, lambda plain, own, key=key:
                               (own[key] - plain[key]) / (own["alone"] - plain["alone"])))
        session.add_row(f"handover.{key}.whole", "the whole of it, of a whole pair, both recorded",
                        "x", None,
                        paired(rounds_of, both[1:], lambda own, key=key: own[key] / own["alone"]))
        session.add_row(f"handover.{key}.plain", "the same without the recorder", "x", None,
                        paired(rounds_of, both[:1], lambda one, key=key: one[key] / one["alone"]))
