#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program on a terminal of its own, types on it, and looks at what stands on the screen.

  terminal.py [--rows N] [--columns N] [--raw FILE] PROGRAM [ARGUMENT ...] <STEPS

STEPS are lines, done in turn:
  send TEXT      types it; as in Python's strings, \\x03 is Control-C
  see REGEX      waits until a line of the screen, or one that scrolled off, matches
  bottom REGEX   waits until the last row matches
  gone REGEX     waits until no line of the screen matches
  resize R C     gives the terminal another size
  end            waits for the program's end
At the end prints all lines, those that scrolled off first, then "exit STATUS". Fails, having shown
the screen, when it waits in vain. It knows the control sequences that allocreport uses.
"""

import argparse
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 60  # seconds; only a failure takes so long


class Screen:
    """What a terminal shows: rows of text, a cursor, a scrolling region."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [""] * rows
        self.gone = []  # scrolled off
        self.row = self.column = 0
        self.top, self.bottom = 0, rows - 1
        self.saved = (0, 0)
        self.rest = ""

    def put(self, character):
        if self.column >= self.columns:  # only now: a full line alone wraps nothing
            self.column = 0
            self.line_feed()
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
        self.column += 1

    def line_feed(self):
        if self.row == self.bottom:
            line = self.lines.pop(self.top)
            if self.top == 0:
                self.gone.append(line)
            self.lines.insert(self.bottom, "")
        elif self.row + 1 < self.rows:
            self.row += 1

    def resize(self, rows, columns):
        while len(self.lines) > rows:
            self.gone.append(self.lines.pop(0))
            self.row = max(0, self.row - 1)
        self.lines += [""] * (rows - len(self.lines))
        self.rows, self.columns, self.top, self.bottom = rows, columns, 0, rows - 1

    def control(self, numbers, letter):
        first = numbers[0] if numbers and numbers[0] else 0
        if letter == "H":
            self.row = min(self.rows, max(1, first)) - 1
            self.column = (numbers[1] if len(numbers) > 1 else 1) - 1
        elif letter == "A":
            self.row = max(0, self.row - max(1, first))
        elif letter == "K":
            self.lines[self.row] = "" if first == 2 else self.lines[self.row][:self.column]
        elif letter == "r":
            self.top = max(1, first) - 1
            self.bottom = (numbers[1] if len(numbers) > 1 else self.rows) - 1
            self.row = self.column = 0
        elif letter == "h" and first == 1049:  # the second screen, and back
            self.first = (self.lines, self.row, self.column)
            self.lines, self.row, self.column = [""] * self.rows, 0, 0
        elif letter == "l" and first == 1049:
            self.lines, self.row, self.column = self.first
            self.resize(self.rows, self.columns)
        elif letter not in "mhl":
            raise ValueError(f"control sequence {numbers} {letter} is not known")

    def feed(self, text):
        self.rest += text
        while self.rest:
            match = re.match(r"\x1b\[\??([0-9;]*)([A-Za-z])", self.rest)
            if match:
                numbers = [int(n or 0) for n in match[1].split(";")] if match[1] else []
                self.control(numbers, match[2])
                self.rest = self.rest[match.end():]
                continue
            if self.rest[0] == "\x1b":
                if len(self.rest) < 2 or re.fullmatch(r"\x1b\[\??[0-9;]*", self.rest):
                    return  # the rest of it is still to come
                if self.rest[1] == "7":
                    self.saved = (self.row, self.column)
                elif self.rest[1] == "8":
                    self.row, self.column = self.saved
                self.rest = self.rest[2:]
                continue
            character, self.rest = self.rest[0], self.rest[1:]
            if character == "\n":
                self.line_feed()
            elif character == "\r":
                self.column = 0
            elif character == "\b":
                self.column = max(0, self.column - 1)
            elif character >= " ":
                self.put(character)

    def all_lines(self):
        return [line.rstrip() for line in self.gone + self.lines]


class Session:
    def __init__(self, arguments):
        self.screen = Screen(arguments.rows, arguments.columns)
        self.raw = open(arguments.raw, "wb") if arguments.raw else None
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.status = None
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            self.set_size(0, arguments.rows, arguments.columns)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored, where a background job tests
            signal.signal(signal.SIGQUIT, signal.SIG_DFL)
            os.execvp(arguments.program[0], arguments.program)
        self.set_size(self.descriptor, arguments.rows, arguments.columns)

    @staticmethod
    def set_size(descriptor, rows, columns):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def pump(self):
        """Takes in what has come; False when the program has ended and all is read."""
        if not select.select([self.descriptor], [], [], 0.05)[0]:
            return True
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            data = b""
        if self.raw:
            self.raw.write(data)
        self.screen.feed(self.decoder.decode(data))
        return bool(data)

    def wait(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if not self.pump() and not condition():
                self.fail(f"the program ended before: {what}")
            if time.monotonic() > end:
                self.fail(f"waited in vain: {what}")

    def fail(self, message):
        print("\n".join(self.screen.all_lines()))
        print(f"terminal.py: {message}", file=sys.stderr)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(1)

    def finish(self):
        end = time.monotonic() + PATIENCE
        while self.pump():
            if time.monotonic() > end:
                self.fail("waited in vain for the end")
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def step(self, line):
        word, _, rest = line.partition(" ")
        screen = self.screen
        if word == "send":
            os.write(self.descriptor, codecs.decode(rest, "unicode_escape").encode("latin-1"))
        elif word == "see":
            self.wait(line, lambda: any(re.search(rest, text) for text in screen.all_lines()))
        elif word == "bottom":
            self.wait(line, lambda: re.search(rest, screen.lines[-1]))
        elif word == "gone":
            self.wait(line, lambda: not any(re.search(rest, text) for text in screen.lines))
        elif word == "resize":
            rows, columns = map(int, rest.split())
            screen.resize(rows, columns)
            self.set_size(self.descriptor, rows, columns)
        elif word == "end":
            self.finish()
        else:
            self.fail(f"no step: {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--raw")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    session = Session(parser.parse_args())
    for line in sys.stdin.read().splitlines():
        session.step(line)
    if session.status is None:
        session.finish()
    while session.screen.lines and not session.screen.lines[-1].strip():
        session.screen.lines.pop()
    print("\n".join(session.screen.all_lines()))
    print(f"exit {session.status}")


if __name__ == "__main__":
    main()
