# SPDX-License-Identifier: MIT
"""One run of the bench: how it is done, and what came of it.

Cells are what was measured: samples for each measure and contender. Rows are the figures with
targets, made of cells of the same round."""

import dataclasses
import glob
import os
import shutil
import sys
import time

import contenders
import processes
import spread


class Failed(Exception):
    """A contender could not be measured; the message says why."""


@dataclasses.dataclass
class Cell:
    measure: str
    unit: str
    contender: str
    samples: list


@dataclasses.dataclass
class Row:
    """A figure: `target` is (comparison, bound), or None where it is only shown. No samples: it
    could not be measured, and `note` says why."""

    name: str
    figure: str
    unit: str
    target: tuple
    samples: list
    note: str = ""

    def reached(self):
        return spread.median(self.samples) if self.samples else None

    def met(self):
        if self.target is None or not self.samples:
            return None
        comparison, bound = self.target
        value = spread.as_shown(self.reached())
        return value <= bound if comparison == "<=" else value >= bound


class Session:
    def __init__(self, build, quick, priority):
        self.build = build
        self.quick = quick
        self.priority = priority
        self.cells = []
        self.rows = []
        self.notes = []
        self.begin = time.monotonic()
        self.scratch = os.path.join(build, "bench", "work")
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        # a copy: the library may be built anew meanwhile
        library = os.path.join(self.scratch, "liballocreport.so")
        shutil.copy(os.path.join(build, "liballocreport.so"), library)
        self.contenders, self.missing = contenders.find(build, library, self.scratch)

    def pick(self, quick, full):
        return quick if self.quick else full

    def program(self, name):
        """The path of one of the bench's own programs or preloads."""
        return os.path.join(self.build, "bench", name)

    def say(self, text):
        print(f"bench: {time.monotonic() - self.begin:4.0f} s: {text}", file=sys.stderr, flush=True)

    def environment(self, contender, extra, preload):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith("ALLOCREPORT_") and
               name not in ("LD_PRELOAD", "DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS")}
        env.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", LC_ALL="C.UTF-8")
        env.update(extra)
        env.update(contender.env)
        preloads = " ".join(library for library in (contender.preload, preload) if library)
        if preloads:
            env["LD_PRELOAD"] = preloads
        return env

    def records(self, contender):
        return glob.glob(os.path.join(self.scratch, contender.record)) if contender.record else []

    def run(self, name, command, env=None, preload="", directory=None, timeout=120, record=True,
            keep=False):
        """Runs the command under a contender; Failed if it did not give what it should: a run that
        left no record was not recorded. The record is removed unless `keep`."""
        contender = self.contenders[name]
        done = processes.run(contender.wrapper + [str(word) for word in command],
                             self.environment(contender, env or {}, preload),
                             directory or self.scratch, timeout, self.priority)
        left = self.records(contender)
        if not keep:
            for path in left:
                os.remove(path)
        if done.timed_out:
            raise Failed(f"not over after {timeout} s")
        if record and contender.record and not left:
            raise Failed(f"nothing recorded, status {done.status}")
        return done

    def measure(self, name, program, *arguments, keep=False):
        """Runs one of the bench's own programs."""
        done = self.run(name, [self.program(program), *arguments], keep=keep)
        if done.status != 0:
            raise Failed(f"{program} ended with status {done.status}")
        return done

    def interleave(self, what, names, rounds, once):
        """Calls once(contender's name), which returns numbers by name, for A B C A B C ... and
        returns {contender: [numbers of each round]}. Who fails is noted and left out."""
        names = [name for name in names if name in self.contenders]
        rounds_of = {name: [] for name in names}
        for number in range(rounds):
            self.say(f"{what}: round {number + 1} of {rounds}")
            for name in list(rounds_of):
                try:
                    rounds_of[name].append(once(name))
                except Failed as reason:
                    self.notes.append(f"{what}, {self.contenders[name].title}: {reason}")
                    del rounds_of[name]
        return rounds_of

    def add_cells(self, measure, unit, rounds_of, key, scale=1.0):
        for name, results in rounds_of.items():
            self.cells.append(Cell(measure, unit, name, [one[key] * scale for one in results]))

    def add_row(self, name, figure, unit, target, samples, note=""):
        self.rows.append(Row(name, figure, unit, target, samples, note))


def paired(rounds_of, names, function):
    """function(results of each of names in one round), for each round; [] where one is missing."""
    if any(name not in rounds_of for name in names):
        return []
    return [function(*results) for results in zip(*(rounds_of[name] for name in names))]
