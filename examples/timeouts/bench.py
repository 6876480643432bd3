# SPDX-License-Identifier: MIT
"""bench.py [--quick] [--cases A,B] [--ways A,B] BUILD: what timeouts cost, and whether they are right.

Times are measured without the recorder, in rounds in which the ways take turns. Allocations are
counted by the recorder, each operation between two marks; system calls by strace, as the difference
of two runs. Times are shown, never judged: the exit status is 1 only when a count is not what the
project's own ways promise."""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/bench"))
import spread
import tables

REFERENCE = "thread"
FREE = ("pool", "event", "futex", "loop")  # these promise to allocate nothing in an operation
PROMISED = FREE + ("thread", "detached")  # these promise that nothing is late, early or moved
TARGETS = (("event", "wontTimeout", 100), ("pool", "wontTimeout", 25), ("event", "willTimeout", 1))
SECONDS = 0.03  # of the largest batch, about
MOST = {"sdl": 4000}  # operations: its thread walks past each cancelled timer, and is waited for at the end
WALL = {"externalException": 0.01, "nestedTimeouts": 0.1}  # operations that mostly wait


class Failed(Exception):
    """A run that did not give what it should."""


class Bench:
    def __init__(self, build, quick, scratch):
        self.build = build
        self.quick = quick
        self.scratch = scratch
        self.program = os.path.join(build, "examples/timeouts/timeouts")
        self.wrong = []

    def run(self, *words, wrapper=(), env=None, limit=60):
        """Runs the program and returns its lines as {word: [numbers]}, and the batches apart."""
        environment = {name: value for name, value in os.environ.items()
                       if name != "LD_PRELOAD" and not name.startswith("ALLOCREPORT_")}
        environment.update(LC_ALL="C.UTF-8", SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy",
                           **(env or {}))
        command = [*wrapper, self.program, *(str(word) for word in words)]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True,
                                  timeout=limit, cwd=self.scratch)
        except subprocess.TimeoutExpired as reason:
            raise Failed(f"not over after {limit} s") from reason
        seen = {"batch": []}
        for line in done.stdout.splitlines():
            name, *numbers = line.split()
            if name == "batch":
                seen["batch"].append([int(number) for number in numbers])
            else:
                seen[name] = [int(number) for number in numbers]
        if "pending" not in seen:
            raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else
                         f"status {done.returncode}")
        if seen["pending"] != [0]:
            self.wrong.append(f"{' '.join(command[-3:])}: {seen['pending'][0]} still pending")
        return seen

    def list(self, kind):
        done = subprocess.run([self.program, "list"], capture_output=True, text=True, check=True)
        return [line.split()[1] for line in done.stdout.splitlines() if line.startswith(kind + " ")]

    def batches(self, case, way):
        """Sizes, so that time on size can be fitted; the largest takes about SECONDS."""
        if case in WALL:
            return [1, 2] if self.quick or WALL[case] > 0.05 else [1, 2, 3, 4]
        count, nanoseconds, _ = self.run("time", case, way, 10, 50)["batch"][-1]
        most = int(SECONDS / (1 if not self.quick else 3) * 1e9 * count / nanoseconds)
        most = max(4, min(most, MOST.get(way, most)))
        return [most // 4, most // 2, most * 3 // 4, most] * (1 if self.quick else 3)

    def recorded(self, case, way):
        """(allocations, bytes) of an operation, of all threads: in the steady phase where there is
        one, since the first operations may make what the later ones use."""
        dump = os.path.join(self.scratch, "dump.alloc")
        count = 2 if case in WALL else 100 if case == "willTimeout" else 1000
        try:
            self.run("count", case, way, count, env={
                "LD_PRELOAD": os.path.join(self.build, "liballocreport.so"),
                "ALLOCREPORT_OUT": dump, "ALLOCREPORT_QUIET": "1"})
            done = subprocess.run([os.path.join(self.build, "allocreport"), "report", "--json", dump],
                                  capture_output=True, text=True, check=True)
        finally:
            if os.path.exists(dump):
                os.remove(dump)
        report = json.loads(done.stdout)
        steady = report["steady"]
        if steady["polls"] > 0:
            return steady["allocations"] / steady["polls"], steady["bytes"] / steady["polls"]
        return report["in_poll"]["allocations"] / count, report["in_poll"]["bytes"] / count

    def traced(self, case, way, count):
        path = os.path.join(self.scratch, "calls")
        self.run("time", case, way, count, wrapper=("strace", "-f", "-qq", "-c", "-o", path))
        with open(path, encoding="utf-8") as file:
            total = re.search(r"^\s*100\.00\s.*\stotal$", file.read(), re.MULTILINE)
        return int(total.group(0).split()[3])

    def system_calls(self, case, way):
        count = 2 if case in WALL else 100
        few, many = self.traced(case, way, count), self.traced(case, way, 3 * count)
        return max(0, many - few) / (2 * count)


def fit(points):
    """R2 of the least squares of time on operations."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    xx = sum((x - mean_x) ** 2 for x, _ in points)
    yy = sum((y - mean_y) ** 2 for _, y in points)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return xy * xy / (xx * yy) if xx > 0 and yy > 0 else None


def measure(bench, cases, ways, rounds):
    """{(case, way): [what a round gave]}; who cannot run a case is left out, with the reason."""
    sizes, results, reasons = {}, {}, {}
    for case in cases:
        for way in ways:
            try:
                sizes[case, way] = bench.batches(case, way)
                results[case, way] = []
            except Failed as reason:
                reasons[case, way] = str(reason)
    for number in range(rounds):
        print(f"timeouts: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for case, way in list(results):
            try:
                seen = bench.run("time", case, way, *sizes[case, way])
            except Failed as reason:
                reasons[case, way] = str(reason)
                del results[case, way]
                continue
            for what in ("wrong", "early"):
                if seen[what] != [0]:
                    bench.wrong.append(f"{case} {way}: {seen[what][0]} {what}")
            results[case, way].append(seen)
    return results, reasons


def per_operation(seen):
    """Nanoseconds: the median of a round's batches."""
    return spread.median([nanoseconds / count for count, nanoseconds, _ in seen["batch"]])


def processor_time(seen):
    return sum(batch[2] for batch in seen["batch"]) / sum(batch[0] for batch in seen["batch"])


def ratios(results, case, way):
    """How many times faster than REFERENCE, of each round."""
    base = results.get((case, REFERENCE), [])
    return [per_operation(one) / per_operation(other)
            for one, other in zip(base, results.get((case, way), []))]


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(nanoseconds) >= size:
            return f"{tables.number(nanoseconds / size)} {unit}"
    return f"{tables.number(nanoseconds)} ns"


def exact(value):
    """Counts are no measurements: all their digits, as far as three places."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def row(bench, results, case, way):
    rounds = results[case, way]
    times = [per_operation(one) for one in rounds]
    low, high, _ = spread.interval(times)
    deviation = statistics.stdev(times) if len(times) > 1 else 0
    r2 = fit([tuple(point[:2]) for one in rounds for point in one["batch"]])
    times_faster = ratios(results, case, way)
    allocations, size = bench.recorded(case, way)
    late = [one["lateness"] for one in rounds if "lateness" in one]
    if way in FREE and (allocations, size) != (0, 0):
        bench.wrong.append(f"{case} {way}: {exact(allocations)} allocations an operation")
    return (f"{case}/{way}", duration(spread.median(times)),
            f"{tables.number(spread.median(times_faster))} x" if times_faster else "",
            f"{duration(low)} .. {duration(high)}", duration(deviation),
            f"{r2:.4f}" if r2 is not None else "n/a",
            duration(spread.median([processor_time(one) for one in rounds])), exact(allocations), exact(size),
            exact(bench.system_calls(case, way)),
            duration(spread.median([one[1] for one in late])) if late else "-",
            duration(spread.median([one[2] for one in late])) if late else "-",
            str(sum(one["early"][0] for one in rounds)))


HEAD = ("case/way", "time", "ratio", "interval", "sd", "R2", "cpu", "allocs", "bytes", "syscalls",
        "late p50", "late p99", "early")


def promises(bench, ways):
    """Near misses, and a clock that jumps."""
    yield ("way", "near misses", "fired", "after cancel", "early", "moved by the clock",
           "kept back: late", "early")
    for way in ways:
        misses = 20000 if way in ("thread", "detached", "pool") else 100000
        near = bench.run("near", way, misses // (10 if bench.quick else 1))
        jumps = bench.run("time", "clockJumps", way, 10, env={
            "LD_PRELOAD": os.path.join(bench.build, "examples/timeouts/jumping_clock.so")})
        moved, operations = jumps["wrong"][0], jumps["operations"][0]
        if way in PROMISED and (near["stale"] != [0] or near["early"] != [0] or moved):
            bench.wrong.append(f"{way}: {near['stale'][0]} after cancel, {near['early'][0]} early, "
                               f"{moved} moved by the clock")
        early, late = near.get("faults", ["-", "-"])
        yield (way, f"{near['near'][0]:,}", f"{near['near'][1] / near['near'][0]:.0%}",
               f"{near['stale'][0]:,}", f"{near['early'][0]:,}", f"{moved} of {operations}",
               str(late), str(early))


def print_targets(results):
    for way, case, bound in TARGETS:
        seen = ratios(results, case, way)
        if seen:
            ratio = spread.median(seen)
            word = "reached" if ratio >= bound else "NOT reached"
            print(f"{way} against {REFERENCE}, {case}: {tables.number(ratio)} x, "
                  f"{bound} x {word}")


def print_tables(bench, cases, ways, results, reasons):
    lines = [HEAD]
    for case in cases:
        for way in ways:
            if (case, way) in results:
                lines.append(row(bench, results, case, way))
            else:
                lines.append((f"{case}/{way}", "-") + ("",) * (len(HEAD) - 2))
    print("\n".join(tables.aligned(lines)))
    for (case, way), reason in reasons.items():
        print(f"{case}/{way}: {reason}")
    print(f"\ntime: median of the rounds, with its interval: 95 %, or the range of fewer than 6 rounds; "
          f"ratio: {REFERENCE}'s time\nby this one's; R2: of time on operations; allocs, bytes, "
          "syscalls: of one operation, of all threads, and so is cpu,\nthe processor time; late: from the deadline until the body went on\n")
    print("\n".join(tables.aligned(list(promises(bench, ways)))))
    print("\nkept back: calls of a library that began or still ran after its cancel had returned, or came "
          "before the\ndeadline, which its file here keeps from the caller and counts; moved by the clock: "
          "limits missed while\nthe system's time jumped\n")
    print_targets(results)


def main():
    parser = argparse.ArgumentParser(prog="bench.py", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cases")
    parser.add_argument("--ways")
    parser.add_argument("build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(os.path.abspath(options.build), options.quick, scratch)
        cases = [case for case in bench.list("case") if case != "clockJumps"]
        ways = bench.list("way")
        for chosen, known in ((options.cases, cases), (options.ways, ways)):
            if chosen is not None:
                unknown = set(chosen.split(",")) - set(known)
                if unknown:
                    parser.error(f"no such case or way: {', '.join(sorted(unknown))}")
                known[:] = [name for name in known if name in chosen.split(",")]
        results, reasons = measure(bench, cases, ways, 3 if options.quick else 7)
        print_tables(bench, cases, ways, results, reasons)
    for what in bench.wrong:
        print(f"WRONG: {what}")
    sys.exit(1 if bench.wrong else 0)


main()
