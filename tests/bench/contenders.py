# SPDX-License-Identifier: MIT
"""What is measured side by side: the program alone, the recorder, and the peers that are installed.

A contender puts something in front of a command and variables into its environment."""

import ctypes.util
import dataclasses
import os
import shutil
import subprocess


@dataclasses.dataclass
class Contender:
    name: str  # in results
    title: str  # in tables
    wrapper: list = dataclasses.field(default_factory=list)
    preload: str = ""
    env: dict = dataclasses.field(default_factory=dict)
    version: str = ""
    record: str = ""  # pattern of the file that a run must leave, to be believed


def output_of(*command, env=None):
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.strip()


def heaptrack(scratch):
    found = shutil.which("heaptrack")
    if not found:
        return None
    wrapper = [found]
    if "--record-only" in output_of(found, "--help"):
        wrapper.append("--record-only")
    version = output_of(found, "--version").removeprefix("heaptrack ")
    return Contender("heaptrack", "heaptrack", wrapper + ["-o", os.path.join(scratch, "heaptrack")],
                     version=version, record="heaptrack.*")


def dhat(scratch):
    found = shutil.which("valgrind")
    if not found:
        return None
    out = os.path.join(scratch, "dhat.%p")
    return Contender("dhat", "DHAT", [found, "-q", "--tool=dhat", "--dhat-out-file=" + out],
                     version=output_of(found, "--version"), record="dhat.*")


def jemalloc_library():
    return ctypes.util.find_library("jemalloc")


def jemalloc():
    library = jemalloc_library()
    if not library:
        return None
    return Contender("jemalloc", "jemalloc, no profile", preload=library, version=library)


def jemalloc_profile():
    library = jemalloc_library()
    conf = "prof:true,prof_active:true,lg_prof_sample:0"
    if not library or output_of("true", env={"LD_PRELOAD": library, "MALLOC_CONF": conf,
                                             "PATH": os.environ["PATH"]}):
        return None
    return Contender("jemalloc-profile", "jemalloc, full profile", preload=library,
                     env={"MALLOC_CONF": conf}, version=library)


def find(build, library, scratch):
    """(contenders by name, what is missing with its reason)."""
    own = {"ALLOCREPORT_OUT": os.path.join(scratch, "%e.%p.alloc"), "ALLOCREPORT_QUIET": "1"}
    found = {
        "plain": Contender("plain", "glibc alone"),
        "counting": Contender("counting", "counting interposer",
                              preload=os.path.join(build, "bench", "counting.so")),
        "allocreport": Contender("allocreport", "allocreport", preload=library, env=own,
                                 record="*.alloc"),
    }
    missing = []
    for contender, name, package in (
            (heaptrack(scratch), "heaptrack", "heaptrack"),
            (dhat(scratch), "DHAT", "valgrind"),
            (jemalloc(), "jemalloc", "libjemalloc2"),
            (jemalloc_profile(), "jemalloc's profile", "libjemalloc2, built with profiling")):
        if contender is None:
            missing.append(f"{name} (package {package})")
        else:
            found[contender.name] = contender
    return found, missing
