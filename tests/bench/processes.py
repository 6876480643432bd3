# SPDX-License-Identifier: MIT
"""Runs one command to its end, with all processes that came of it, and says what they took."""

import ctypes
import dataclasses
import os
import signal
import subprocess
import tempfile
import threading
import time

PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass
class Run:
    """wall: seconds until the command ended; cpu: user and system seconds of all its processes;
    status: as the shell says it; results: the numbers it told; text: all it wrote."""

    wall: float
    cpu: float
    status: int
    results: dict
    text: str
    timed_out: bool


def adopt_orphans():
    """Helpers that outlive the command, such as heaptrack's interpreter, become this process's
    children, so that their processor time is seen."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(command, env, output, directory, priority=0):
    """`priority` as nice(1) has it; below 0 takes the right to it."""
    nice = ["nice", "-n", str(priority)] if priority else []
    return subprocess.Popen(
        nice + command, env=env, cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.STDOUT, start_new_session=True)


def stop(process):
    """Ends a process that `start` made, and its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def parse_results(text):
    results = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == "result":
            results[words[1]] = float(words[2])
    return results


def wait_for_all(process, begin):
    """Waits for the whole process group: (wall, cpu, status) of it."""
    wall, cpu, status = 0.0, 0.0, 0
    while True:
        try:
            pid, ended, usage = os.wait4(-process.pid, 0)
        except ChildProcessError:
            return wall, cpu, status
        cpu += usage.ru_utime + usage.ru_stime
        if pid == process.pid:
            wall = time.monotonic() - begin
            status = os.waitstatus_to_exitcode(ended)
            process.returncode = status


def run(command, env, directory, timeout, priority):
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = start(command, env, output, directory, priority)
        late = threading.Event()

        def end_it():
            late.set()
            stop(process)

        timer = threading.Timer(timeout, end_it)
        timer.start()
        try:
            wall, cpu, status = wait_for_all(process, begin)
        except BaseException:  # an interrupt: nothing is left running
            stop(process)
            raise
        finally:
            timer.cancel()
        output.seek(0)
        text = output.read().decode(errors="replace")
    return Run(wall, cpu, status if status >= 0 else 128 - status, parse_results(text), text,
               late.is_set())
