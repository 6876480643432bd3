#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs real programs, each without the recorder and with it, and prints a table of what came of it.

  run.py [--install] [--seconds N] [--work DIR] [NAME ...]   names of games.tsv; all if none

It is not part of `make check`: --install installs some four gigabytes of games. `make games` runs
all, `make games GAMES="blobby ffplay"` some. Needs `make all test-programs`, Xvfb, xdotool. Each
program has a scratch home below DIR (build/games), runs for its seconds, and is ended by one SIGTERM
to all its processes, after five seconds more by SIGKILL. What it printed, its dumps and its report
stay in DIR/NAME/recorded, a plain run's in DIR/NAME/plain.

The columns, of which the last one marks a row where any of them is not as it should be:
  game         its name in games.tsv, which says how it is run and what is known of it
  plain        how it ended without the recorder: its status as a shell has it (128 + n: by signal
               n), and whether by itself, after SIGTERM or only by SIGKILL
  recorded     the same with the recorder. It must be the same, or, of a program that does not end
               in one way only, one of those that games.tsv has
  seen, frames those of the dump; where there is none, the word of allocreport-blind(7) for it
  functions    "as known": it polled by the functions that games.tsv has. Else "without" those that
               are missing and "more" that were not known
  polls counted, allocations counted
               "equal": the dump has what independent counters saw (tests/progs/count_polls.c,
               count_preload.c). Else seen/counted of what differs
  losses       "none", "known": of those kinds that games.tsv has, or the others with their numbers
  sums         "agree": the reporter's own check of the dump, and tests/e2e/look.py's
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
COLUMNS = ("game", "plain", "recorded", "seen", "frames", "functions", "polls counted",
           "allocations counted", "losses", "sums", "")
PATIENCE = 5  # seconds from SIGTERM to SIGKILL


class Game:
    def __init__(self, line):
        self.name, self.packages, options, seconds, self.expected, self.command = line.split("\t")
        self.seconds = float(seconds)
        self.options = [] if options == "-" else options.split()
        self.under_x = "x" in self.options
        self.input = "input" in self.options
        self.other_user = "user" in self.options and os.geteuid() == 0
        self.behind = self.values("behind")
        self.losses = self.values("loses")
        self.statuses = [int(status) for status in self.values("ends")]
        self.variables = dict(o.split("=", 1) for o in self.options if "=" in o)
        self.functions = self.expected.split(",") if "SDL_" in self.expected else []

    def values(self, option):
        given = [o.split(":", 1)[1] for o in self.options if o.startswith(option + ":")]
        return [value for values in given for value in values.split(",")]


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

class Outcome:
    """What is seen in one dump, and whether all of it is as it should be."""

    def __init__(self, game, home, report):
        self.game, self.home, self.report = game, home, report
        self.losses, self.good = report.get("losses", {}), True
        # Of a program that was killed, each thread may have been between one counter and the other.
        ended = report.get("program", {}).get("state") == "ended"
        self.slack = 0 if ended else len(report.get("threads", []))

    def expect(self, right, word, otherwise=""):
        self.good = self.good and right
        return word if right else otherwise or word

    def read_numbers(self, name, count):
        try:
            path = self.home / f"{name}.{self.report['program']['pid']}"
            return struct.unpack(f"<{count}Q", path.read_bytes()[:8 * count])
        except (OSError, struct.error):
            return None

    def compare(self, pairs):
        """"equal", or what differs. Bytes are more than one a call: with slack they say nothing."""
        wrong = [f"{name} {seen}/{wanted}" for name, seen, wanted in pairs
                 if abs(seen - wanted) > self.slack and not (name == "bytes" and self.slack > 0)]
        return self.expect(not wrong, "equal", ", ".join(wrong))

    def functions(self):
        """A function of games.tsv that ends in "?" is one that it does not always use."""
        polls = self.report["polls"]
        used = {*polls["by_function"], *(["SDL_PeepEvents"] if polls["peeps"] > 0 else [])}
        missing = {f for f in self.game.functions if f[-1] != "?"} - used
        more = used - {f.rstrip("?") for f in self.game.functions}
        words = ["without " + ",".join(sorted(missing))] if missing else []
        words += ["more " + ",".join(sorted(more))] if more else []
        return self.expect(not words, "as known", " ".join(words))

    def polls(self):
        counted = self.read_numbers("polls", 5)
        # Beneath SDL 1.2 stands an SDL 2 whose calls are not the program's.
        if counted is None or (self.report["sdl"]["version"] or "").startswith("1."):
            return "no counter"
        polls = self.report["polls"]
        pairs = [("polls", polls["count"], sum(counted[:4])), ("peeps", polls["peeps"], counted[4])]
        if self.losses["loops"] == 0:  # else it is not known which function they were
            pairs += [(name, polls["by_function"].get(name, 0), counted[i])
                      for i, name in enumerate(POLLS)]
        return self.compare(pairs)

    def allocations(self):
        # The counter knows malloc alone; another allocator's operator new does not come to it.
        counted = None if self.game.behind else self.read_numbers("count", 4)
        if counted is None:
            return "no counter"
        total = dict(self.report["total"])
        total["frees"] += self.losses["unknown"]
        names = TOTALS
        if self.losses["nested"] > 0:  # made while the recorder was at work: counted as such alone
            total["allocations"] += self.losses["nested"]
            names = ("allocations",)
        return self.compare([(name, total[name], counted[TOTALS.index(name)]) for name in names])

    def lost(self):
        lost = [kind for kind, count in self.losses.items() if count > 0]
        if not lost:
            return "none"
        more = [f"{kind} {self.losses[kind]}" for kind in lost if kind not in self.game.losses]
        return self.expect(not more, "known", ", ".join(more))

    def sums(self):
        dump = self.report["dump"]["path"]
        health = read_json(self.home, "info", dump, "info.json")["health"]
        read_json(self.home, "sites", dump, "sites.json")
        (self.home / "sums.json").write_text(json.dumps(self.report), encoding="utf-8")
        look = subprocess.run([sys.executable, "-B", str(ROOT / "tests" / "e2e" / "look.py"), "sums",
                               "sums.json", "sites.json"], cwd=self.home, check=False,
                              capture_output=True, text=True)
        wrong = health["wrong"] + look.stdout.splitlines()
        if look.returncode != 0 and not wrong:
            wrong = look.stderr.splitlines()[-1:]
        return self.expect(not wrong, "agree", "; ".join(wrong[:3]))

    def words(self):
        if self.report["dump"] is None or self.report["polls"]["count"] == 0:
            word = (self.report["blind"] or {"code": "no reason"})["code"]
            return [self.expect(word == self.game.expected, word)] + ["-"] * 6
        self.expect(bool(self.game.functions), "")
        frames = self.report["frames"]
        return [f"{self.report['polls']['count']} polls",
                f"{frames['count']} {frames['kind'] or ''}s".strip(), self.functions(),
                self.polls(), self.allocations(), self.lost(), self.sums()]


def read_json(home, command, dump, name):
    """What the reporter says of a dump; it stays in a file of that name."""
    with open(home / name, "wb") as file:
        subprocess.run([str(BUILD / "allocreport"), command, "--json", dump], check=True,
                       stdout=file, cwd=home)
    return json.loads((home / name).read_text(encoding="utf-8"))


def ended_alike(game, plain, recorded, report):
    # 4: the program ended well, and nothing was recorded of it.
    status = 0 if recorded[0] == 4 and report["dump"] is None else recorded[0]
    return ({status, plain[0]} <= set(game.statuses) if game.statuses
            else (status, recorded[1]) == plain)


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
    ways = [f"{plain[0]} {plain[1]}", f"{recorded[0]} {recorded[1]}"]
    try:
        report = json.loads((home / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        return [*ways, f"no report: {failure}"] + ["-"] * 6, False
    if report["dump"] is not None and report["program"]["state"] == "running":
        report = read_json(home, "report", report["dump"]["path"], "after.json")
    outcome = Outcome(game, home, report)
    seen = outcome.words()
    return [*ways, *seen], outcome.good and ended_alike(game, plain, recorded, report)


def behind(game, counters):
    preloaded = [*counters, *game.behind]
    return {"LD_PRELOAD": ":".join(preloaded)} if preloaded else {}


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
    print("\t".join(COLUMNS), flush=True)
    bad = 0
    for game in chosen:
        line, good = run(game, options.work.resolve(), options.seconds)
        bad += not good
        print("\t".join([game.name, *line, "" if good else "<--"]), flush=True)
    print(f"{len(chosen)} games, {bad} not as expected")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
