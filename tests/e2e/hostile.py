#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes dumps that lie, and looks at what the reporter says of them.

  hostile.py ALLOCREPORT DUMP WHAT SHARE   WHAT: names, numbers or claims

SHARE: one in so many of the dumps is made, and each is asked for in one in so many ways.

Every command in each of its formats must end by itself, with a status of its own, in a gigabyte of
memory, and what it prints must be what it should: text without anything that commands a terminal,
JSON, XML, Markdown and GitHub's commands without anything that a dump has slipped in.
"""

import gzip
import html.parser
import itertools
import json
import re
import resource
import struct
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

HEADER = 4096
CHUNK = struct.Struct("<IIQIIQQ24x")  # magic, type, size, record_size, owner, count, filled
MEMORY = 1 << 30

# Each as long as "/usr/games/example", in whose place it stands.
NAMES = [
    b"/a/\x1b[31m<b>\"&'|\n%,",
    b"/a/]]>\r::error::x`",
    b"/a/\xc2\x9b\xe2\x80\xae\xff\xc0\x80\xe2\x80\xa8\x7f\x08\x07$",
    b"/a/</td></script> ",
    b"/a/\\u0000\\\"\\n{}[],",
    b"/a/\n\n# head\n- [x](",
]
SHORT = [b"\x1b]0;x\x07<", b"\"'&<>|\n", b"::error", b"\x9b31m\xff`*", b"</a>\t\r_", b"]]>\\u00"]

COMMANDS = [
    ("text", ["report"]), ("text", ["sites", "--stacks", "--all"]), ("text", ["info"]),
    ("text", ["polls", "--by-event"]), ("text", ["dump"]), ("text", ["check"]),
    ("json", ["report", "--json"]), ("json", ["sites", "--json"]), ("json", ["info", "--json"]),
    ("json", ["polls", "--json"]), ("json", ["dump", "--json"]), ("json", ["check", "--json"]),
    ("xml", ["check", "--format", "junit"]), ("github", ["check", "--format", "github"]),
    ("markdown", ["check", "--format", "markdown"]),
    ("text", ["sites", "--annotate", "--all"]), ("json", ["sites", "--annotate", "--json"]),
    ("markdown", ["export", "markdown"]), ("text", ["export", "collapsed"]),
    ("text", ["export", "csv"]), ("json", ["export", "speedscope"]), ("json", ["export", "trace"]),
    ("json", ["export", "dhat"]), ("gzip", ["export", "pprof"]),
    ("html", ["html"]),
]
COMPARISONS = [("text", ["compare", "--all", "--stacks"]), ("json", ["compare", "--json"]),
               ("markdown", ["compare", "--all", "--markdown"]), ("html", ["html"])]
STATUSES = {0, 1, 3, 4}


def chunks(dump):
    """(offset, fields) of each."""
    at = HEADER
    used = struct.unpack_from("<Q", dump, find_used(dump))[0]
    while at + CHUNK.size <= used:
        fields = CHUNK.unpack_from(dump, at)
        yield at, fields
        at += fields[2]


def find_used(dump):
    """Offset of header.used, which is the file's size but for padding."""
    for at in range(0, 256, 8):
        value = struct.unpack_from("<Q", dump, at)[0]
        if len(dump) - 4096 < value <= len(dump):
            return at
    raise ValueError("no size in the header")


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def is_safe(character):
    return character in "\n\t" or unicodedata.category(character) not in (
        "Cc", "Cf", "Zl", "Zp", "Cs")


def check_text(text, _):
    bad = {hex(ord(c)) for c in text if not is_safe(c)}
    return [f"characters {sorted(bad)}"] if bad else []


def check_json(text, _):
    json.loads(text)
    return []


def check_xml(text, _):
    xml.etree.ElementTree.fromstring(text)
    return []


def check_github(text, names):
    wrong = check_text(text, names)
    for line in text.splitlines():
        if line.startswith("::") and not re.match(r"::(error|warning|notice)( [^:]*)?::", line):
            wrong.append(f"a command: {line}")
        if line.startswith("::error::x"):
            wrong.append(f"a command of the dump's: {line}")
    return wrong


def check_markdown(text, names):
    wrong = check_text(text, names)
    if re.search(r"<(b|/td|/script|/a)>", text):
        wrong.append("markup")
    if re.search(r"^# head", text, re.MULTILINE):
        wrong.append("a heading")
    return wrong


def check_gzip(data, _):
    return [] if gzip.decompress(data) else ["nothing"]


class Page(html.parser.HTMLParser):
    """The page as a browser takes it apart: its tags, and the text of its scripts."""

    TAGS = ["html", "head", "meta", "meta", "meta", "meta", "meta", "title", "link", "style", "body", "noscript", "main",
            "p", "pre", "script", "script"]

    def __init__(self):
        super().__init__()
        self.tags, self.scripts = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        if self.tags[-1:] == ["script"]:
            self.scripts.append(data)


def check_html(text, names):
    page = Page()
    page.feed(text)
    wrong = check_text(text, names)
    if page.tags != Page.TAGS:
        wrong.append(f"tags {page.tags}")
    if len(text.encode()) >= 1000000:
        wrong.append(f"{len(text.encode())} bytes")
    json.loads(page.scripts[0])
    return wrong


CHECKS = {"gzip": check_gzip, "html": check_html, "text": check_text, "json": check_json, "xml": check_xml, "github": check_github,
          "markdown": check_markdown}


def ask(program, kind, command, files):
    """What is wrong with what it says."""
    done = subprocess.run([program, *command, *files], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, preexec_fn=limit_memory)
    wrong = []
    if done.returncode not in STATUSES:
        wrong.append(f"status {done.returncode}")
    try:
        if done.returncode != 3:
            out = done.stdout
            wrong += CHECKS[kind](out if kind == "gzip" else out.decode("utf-8"), None)
        wrong += check_text(done.stderr.decode("utf-8"), None)
    except (EOFError, OSError, ValueError, xml.etree.ElementTree.ParseError) as error:
        wrong.append(str(error))
    return [f"{' '.join(command)}: {line}" for line in wrong]


def all_ways():
    """(kind, command, files)"""
    hostile, honest = "hostile.alloc", "honest.alloc"
    ways = [(kind, command, [hostile]) for kind, command in COMMANDS]
    for kind, command in COMPARISONS:
        ways += [(kind, command, [honest, hostile]), (kind, command, [hostile, honest])]
    return ways


def ask_some(program, dump, name, ways):
    with open("hostile.alloc", "wb") as file:
        file.write(dump)
    wrong = []
    for kind, command, files in ways:
        wrong += ask(program, kind, command, files)
    return [f"{name}: {line}" for line in wrong]


def with_names(dump):
    long, short = b"/usr/games/example", b"example"
    for number, (name, other) in enumerate(zip(NAMES, SHORT)):
        assert len(name) == len(long) and len(other) == len(short), (name, other)
        changed = dump.replace(long, name)
        assert changed.count(name) >= 2
        yield f"name {number}", changed.replace(short, other)


def with_numbers(dump):
    """Each word of each kind of record is as large as it can be, or nearly so."""
    most = 40
    for (at, fields), value in itertools.product(chunks(dump), (2**64 - 1, 2**63, 2**32)):
        begin, end = at + CHUNK.size, at + CHUNK.size + fields[6]
        words = range(begin, end, 8)
        for step in range(max(1, min(len(words), most))):
            changed = bytearray(dump)
            for word in words[step::most]:
                struct.pack_into("<Q", changed, word, value)
            if step % 8 == 0 or step < 4:
                yield f"chunk {at} of type {fields[1]}, words {step}, {step + most} ... are {value}", changed


def with_claims(dump):
    used = find_used(dump)
    for value in (2**32, 2**62, 2**64 - 1):
        changed = bytearray(dump)
        struct.pack_into("<Q", changed, used, value)
        yield f"{value} bytes used", changed
    for at, fields in chunks(dump):
        for place, value in itertools.product((2, 3, 5, 6), (2**32 - 64, 2**62, 2**64 - 1)):
            lies = list(fields)
            lies[place] = value if place != 3 else value & 0xffffffff
            changed = bytearray(dump)
            CHUNK.pack_into(changed, at, *lies)
            yield f"chunk {at}: field {place} is {value}", changed


def main(program, path, what, share):
    share = int(share)
    with open(path, "rb") as file:
        dump = file.read()
    with open("honest.alloc", "wb") as file:
        file.write(dump)
    makers = {"names": with_names, "numbers": with_numbers, "claims": with_claims}
    wrong, count = [], 0
    for number, (name, changed) in enumerate(makers[what](dump)):
        if number % share == 0:
            ways = all_ways()[count % share::share]
            wrong += ask_some(program, bytes(changed), name, ways)
            count += 1
    for line in wrong[:40]:
        print(line)
    print(f"{count} dumps, {len(wrong)} wrong")
    return int(bool(wrong) or count == 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
