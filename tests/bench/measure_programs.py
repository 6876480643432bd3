# SPDX-License-Identifier: MIT
"""Real programs: how many frames a second they draw, or how long they take, beside plain runs."""

import dataclasses
import os
import shutil
import subprocess

from session import Failed, paired

WAD = "/usr/share/games/doom/freedoom1.wad"


@dataclasses.dataclass
class Program:
    """A command that ends by itself. frames_preload: frames.so counts its frames; else, if it has
    frames, it tells them itself. `files` must be there."""

    name: str
    title: str
    packages: str
    files: tuple
    command: list
    env: dict
    bound: float = 97.0
    frames: bool = True
    frames_preload: bool = True
    polls: bool = True
    quick: bool = True  # measured in quick mode, too


def demo(name, title, path, packages, quick=True):
    return Program(name, title, packages, (path, WAD),
                   [path, "-iwad", WAD, "-window", "-timedemo", "demo1"], {}, quick=quick)


def python_with_pygame():
    for python in ("/usr/bin/python3", shutil.which("python3")):
        if python and subprocess.run([python, "-c", "import pygame"], stdin=subprocess.DEVNULL,
                                     capture_output=True, check=False).returncode == 0:
            return python
    return None


def programs(session):
    testwm = "/usr/libexec/installed-tests/SDL2/testwm2"
    crawl = "/usr/games/crawl-tiles"
    python = python_with_pygame() or "/no python3 with pygame"
    loop = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pygame_loop.py")
    return (
        demo("woof", "woof's timed demo", "/usr/games/woof", "woof-doom freedoom"),
        demo("chocolate-doom", "chocolate-doom's timed demo", "/usr/games/chocolate-doom",
             "chocolate-doom freedoom", quick=False),
        Program("testwm2", "testwm2, 120 allocations a frame", "libsdl2-tests", (testwm,), [testwm],
                {"BENCH_FRAMES": str(session.pick(2500, 10000))}),
        Program("pygame", "a pygame loop with PYTHONMALLOC=malloc", "python3-pygame", (python,),
                [python, "-B", loop, session.pick(2000, 12000)], {"PYTHONMALLOC": "malloc"},
                bound=90.0, frames_preload=False),
        Program("crawl", "crawl-tiles -builddb, 19 million allocations", "crawl-tiles", (crawl,),
                [crawl, "-builddb"], {}, frames=False, frames_preload=False, polls=False,
                quick=False),
    )


def once(session, program):
    home = os.path.join(session.scratch, "home")

    def measure(name):
        shutil.rmtree(home, ignore_errors=True)
        os.mkdir(home)
        done = session.run(name, program.command, {"HOME": home, **program.env},
                           session.program("frames.so") if program.frames_preload else "", home,
                           record=program.polls or name != "allocreport")
        if not program.frames:
            if done.status != 0:
                raise Failed(f"ended with status {done.status}")
            return {"rate": 1 / done.wall, "cpu_rate": 1 / done.cpu, "seconds": done.wall}
        if "frames" not in done.results:
            raise Failed(f"told no frames, status {done.status}")
        frames = done.results["frames"]
        return {"rate": frames / done.results["seconds"],
                "cpu_rate": frames / done.results["cpu_seconds"]}

    return measure


def percent(key):
    return lambda plain, other: 100 * other[key] / plain[key]


def measure_program(session, program):
    what = f"{program.title}, of the plain run"
    if session.quick and not program.quick:
        session.add_row(f"program.{program.name}", what, "%", (">=", program.bound), [],
                        "not in quick mode")
        return
    absent = [path for path in program.files if not os.path.exists(path)]
    if absent:
        session.add_row(f"program.{program.name}", what, "%", (">=", program.bound), [],
                        f"needs {program.packages}")
        session.missing.append(f"{program.title} (packages {program.packages})")
        return
    rounds_of = session.interleave(program.title, ("plain", "allocreport", "heaptrack"),
                                   session.pick(2, 9), once(session, program))
    if program.frames:
        session.add_cells(program.title, "frames/s", rounds_of, "rate")
        session.add_cells(f"{program.title}, by the processor's time", "frames/s", rounds_of,
                          "cpu_rate")
    else:
        session.add_cells(program.title, "s", rounds_of, "seconds")
    both = ("plain", "allocreport")
    session.add_row(f"program.{program.name}", what, "%", (">=", program.bound),
                    paired(rounds_of, both, percent("rate")))
    session.add_row(f"program.{program.name}.cpu", "the same by the process's processor time", "%",
                    None, paired(rounds_of, both, percent("cpu_rate")))
    session.add_row(f"program.{program.name}.heaptrack", "the same, heaptrack in its place", "%",
                    None, paired(rounds_of, ("plain", "heaptrack"), percent("rate")),
                    "" if rounds_of.get("heaptrack") else "no figure of heaptrack")


def measure_programs(session):
    for program in programs(session):
        measure_program(session, program)
