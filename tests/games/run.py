#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs real programs, each without the recorder and with it, and prints a table: whether it ended
in the same way, the polls that were seen or why none were, and whether polls and allocations equal
what independent counters saw (tests/progs/count_polls.c, count_preload.c).

  run.py [--install] [--seconds N] [--work DIR] [NAME ...]   names of games.tsv; all if none

It is not part of `make check`: --install installs some four gigabytes of games. Needs `make all
test-programs`, Xvfb, xdotool. Each program has a scratch home below DIR, runs for its seconds, and
is ended by one SIGTERM to all its processes, after five seconds more by SIGKILL.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("ALLOCREPORT_BUILD", ROOT / "build" / "release")).resolve()
POLLS = ("SDL_PollEvent", "SDL_WaitEvent", "SDL_WaitEventTimeout", "SDL_PumpEvents")
TOTALS = ("allocations", "bytes", "reallocations", "frees")
PATIENCE = 5  # seconds from SIGTERM to SIGKILL


class Game:
    def __init__(self, line):
        self.name, self.packages, options, seconds, self.expected, self.command = line.split("\t")
        self.seconds = float(seconds)
        self.options = [] if options == "-" else options.split()
        self.under_x = "x" in self.options
        self.input = "input" in self.options
        self.other_user = "user" in self.options and os.geteuid() == 0
        self.behind = [o.split(":", 1)[1] for o in self.options if o.startswith("behind:")]
        self.variables = dict(o.split("=", 1) for o in self.options if "=" in o)


def games(names):
    with open(HERE / "games.tsv", encoding="utf-8") as file:
        every = [Game(line.rstrip("\n")) for line in file if line.strip() and line[0] != "#"]
    unknown = set(names) - {game.name for game in every}
    if unknown:
        sys.exit(f"run.py: not in games.tsv: {' '.join(sorted(unknown))}")
    return [game for game in every if not names or game.name in names]


def install(chosen):
    packages = sorted({package for game in chosen for package in game.packages.split()})
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "xvfb",
                    "xdotool", *packages], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


# --- what some programs want to find in their home -----------------------------------------------

def make_log(home):
    rng, now = random.Random(1), 1500000000
    with open(home / "log.txt", "w", encoding="ascii") as file:
        for _ in range(4000):
            now += rng.randrange(600, 6000)
            file.write(f"{now}|user{rng.randrange(9)}|{rng.choice('AMMMD')}"
                       f"|/src/d{rng.randrange(20)}/f{rng.randrange(200)}.c\n")


def make_access_log(home):
    rng = random.Random(1)
    with open(home / "access.log", "w", encoding="ascii") as file:
        for i in range(3000):
            second = i // 15
            file.write(f"10.0.{rng.randrange(9)}.{rng.randrange(99)} - - [10/Oct/2020:13:"
                       f"{55 + second // 60:02d}:{second % 60:02d} +0000] "
                       f'"GET /p{rng.randrange(60)}/a.png HTTP/1.0" 200 {rng.randrange(90000)}\n')


def make_rom(home):
    """A cartridge that waits for ever: a branch over its header, then one to itself."""
    head = bytearray(0xC0)
    head[0:4] = struct.pack("<I", 0xEA00002E)
    head[0xB2] = 0x96
    head[0xBD] = (-sum(head[0xA0:0xBD]) - 0x19) & 0xFF
    (home / "loop.gba").write_bytes(bytes(head) + struct.pack("<I", 0xEAFFFFFE) + bytes(65536))


def make_mana_settings(home):
    folder = home / ".config" / "mana" / "mana"
    folder.mkdir(parents=True)
    (home / ".local/share/mana").mkdir(parents=True)
    (folder / "config.xml").write_text('<?xml version="1.0"?>\n<configuration>\n'
                                       ' <option name="opengl" value="0"/>\n'
                                       ' <option name="videodetected" value="1"/>\n'
                                       '</configuration>\n', encoding="ascii")


def copy_unprivileged(home):
    shutil.copy("/usr/games/mirrormagic", home / "mirrormagic")
    (home / "mirrormagic").chmod(0o755)


PREPARE = {"gource": make_log, "logstalgia": make_access_log, "mgba": make_rom,
           "manaplus": make_mana_settings, "mirrormagic-nosgid": copy_unprivileged}


# --- one run ---------------------------------------------------------------------------------------

def environment(game, home):
    kept = {key: os.environ[key] for key in ("TERM", "USER", "LOGNAME") if key in os.environ}
    variables = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "LANG": "C.UTF-8",
                 "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin",
                 "SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null", **kept, **game.variables}
    if game.under_x:
        variables["LIBGL_ALWAYS_SOFTWARE"] = "1"
    else:
        variables["SDL_VIDEODRIVER"] = "dummy"
    return variables


def members(group):
    """Living processes of that process group."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if entry.isdigit() and int(fields[2]) == group and fields[0] != "Z":
            found.append(int(entry))
    return found


def tell(group, spared, number):
    for pid in members(group):
        if pid != spared:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


class Screen:
    """An X server of its own; nothing where the program needs none."""

    def __init__(self, game, variables):
        self.server, self.game, self.variables = None, game, variables
        if not game.under_x:
            return
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
            pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as file:
            variables["DISPLAY"] = ":" + file.readline().strip()

    def move(self, step):
        if self.server is not None and self.game.input:
            subprocess.run(["xdotool", "mousemove", str(300 + step * 7 % 680),
                            str(200 + step * 5 % 320)], env=self.variables, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        if self.server is not None:
            self.server.terminate()
            self.server.wait()


def play(game, home, wrapper, more, seconds):
    """Runs it to its end or for its seconds. Returns its status as a shell has it, and how it
    ended: by itself, by SIGTERM or by SIGKILL."""
    shutil.rmtree(home, ignore_errors=True)
    (home / "run").mkdir(parents=True)
    (home / "run").chmod(0o700)
    for folder in (".config", ".cache", ".local/share"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    if game.name in PREPARE:
        PREPARE[game.name](home)
    variables = {**environment(game, home), **more}
    command = [*wrapper, "sh", "-c", "exec " + game.command]
    if game.other_user:
        subprocess.run(["chown", "-R", "games", str(home)], check=True)
        command = ["setpriv", "--reuid=games", "--regid=games", "--clear-groups", *command]
    screen = Screen(game, variables)
    with open(home / "output", "wb") as output:
        program = subprocess.Popen(command, cwd=home, env=variables, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
    spared = program.pid if wrapper else 0
    ended, end = "itself", time.monotonic() + seconds
    step = 0
    while program.poll() is None and ended != "killed":
        time.sleep(0.2)
        screen.move(step := step + 1)
        if time.monotonic() < end:
            continue
        if ended == "itself":
            ended, end = "SIGTERM", time.monotonic() + PATIENCE
            tell(program.pid, spared, signal.SIGTERM)
        else:
            ended = "killed"
            tell(program.pid, spared, signal.SIGKILL)
    status = program.wait()
    while members(program.pid) and ended == "SIGTERM" and time.monotonic() < end:
        time.sleep(0.1)  # it was a script, and the program behind it is about to end
    tell(program.pid, 0, signal.SIGKILL)
    screen.end()
    return status if status >= 0 else 128 - status, ended


# --- what came of it ------------------------------------------------------------------------------

def read_numbers(path, count):
    try:
        return struct.unpack(f"<{count}Q", path.read_bytes()[:8 * count])
    except (OSError, struct.error):
        return None


def compare(pairs, slack):
    """"equal", or what differs. In a program that was killed each thread may have been between one
    counter and the other: then bytes, which are more than one a call, say nothing."""
    wrong = [f"{name} {seen}/{wanted}" for name, seen, wanted in pairs
             if abs(seen - wanted) > slack and not (name == "bytes" and slack > 0)]
    return ", ".join(wrong) or "equal"


def judge(game, home, report):
    """The words of the table for what was seen, and whether it is what was expected."""
    if report["dump"] is None or report["polls"]["count"] == 0:
        word = report["blind"]["code"]
        return [word, "-", "-", "-"], word == game.expected
    pid = report["program"]["pid"]
    by_function = report["polls"]["by_function"]
    slack = 0 if report["program"]["state"] == "ended" else len(report["threads"])
    # Beneath SDL 1.2 stands an SDL 2 whose calls are not the program's.
    old = (report["sdl"]["version"] or "").startswith("1.")
    polls = None if old else read_numbers(home / f"polls.{pid}", 4)
    # The counter knows malloc alone; another allocator's operator new does not come to it.
    counts = None if game.behind else read_numbers(home / f"count.{pid}", 4)
    polls_equal = counts_equal = "no counter"
    if polls is not None:
        pairs = [("polls", report["polls"]["count"], sum(polls))]
        if report["losses"]["loops"] == 0:  # else it is not known which function they were
            pairs += [(name, by_function.get(name, 0), polls[i]) for i, name in enumerate(POLLS)]
        polls_equal = compare(pairs, slack)
    if counts is not None:
        total = dict(report["total"])
        total["frees"] += report["losses"].get("unknown", 0)
        counts_equal = compare([(name, total[name], counts[i]) for i, name in enumerate(TOTALS)],
                               slack)
    seen = f"{report['polls']['count']} polls"
    frames = f"{report['frames']['count']} {report['frames']['kind'] or ''}s".strip()
    good = game.expected == "polls" and polls_equal in ("equal", "no counter") \
        and counts_equal in ("equal", "no counter")
    return [seen, frames, polls_equal, counts_equal], good


def run(game, work, seconds):
    seconds = seconds or game.seconds
    plain = play(game, work / game.name / "plain", [], behind(game, []), seconds)
    home = work / game.name / "recorded"
    counters = [str(BUILD / "progs" / "count_preload.so")]
    wrapper = [str(BUILD / "allocreport"), "run", "--json", "--report", str(home / "report.json"),
               "-o", str(home / "%e.%p.alloc"), "--"]
    more = {**behind(game, counters), "COUNT_OUT": str(home / "count.%p"),
            "COUNT_POLLS": str(home / "polls.%p"),
            "SDL_DYNAMIC_API": str(BUILD / "progs" / "count_polls.so")}
    recorded = play(game, home, wrapper, more, seconds)
    try:
        report = json.loads((home / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        return [*words(plain, recorded), f"no report: {failure}", "-", "-", "-"], False
    if report["dump"] is not None and report["program"]["state"] == "running":
        report = json.loads(subprocess.run(
            [str(BUILD / "allocreport"), "report", "--json", report["dump"]["path"]],
            check=True, capture_output=True, text=True, cwd=home).stdout)
    seen, good = judge(game, home, report)
    # 4: the program ended well, and nothing was recorded of it.
    same = recorded[0] == plain[0] or (recorded[0] == 4 and report["dump"] is None and plain[0] == 0)
    return [*words(plain, recorded), *seen], good and same


def behind(game, counters):
    preloaded = [*counters, *game.behind]
    return {"LD_PRELOAD": ":".join(preloaded)} if preloaded else {}


def words(plain, recorded):
    return [f"{plain[0]} {plain[1]}", f"{recorded[0]} {recorded[1]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--install", action="store_true", help="install the games' packages first")
    parser.add_argument("--seconds", type=float, help="let each run so long")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "games")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    chosen = games(options.names)
    if options.install:
        install(chosen)
    bad = 0
    print("game\tplain\trecorded\tseen\tframes\tpolls counted\tallocations counted\t", flush=True)
    for game in chosen:
        line, good = run(game, options.work.resolve(), options.seconds)
        bad += not good
        print("\t".join([game.name, *line, "" if good else "<--"]), flush=True)
    print(f"{len(chosen)} games, {bad} not as expected")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
