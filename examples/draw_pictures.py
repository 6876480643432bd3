#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the README's pictures: what the reporter shows of the example game.

  draw_pictures.py BUILD TARGET    BUILD: build/release; TARGET: the directory of the pictures

The terminal's is an SVG of text, the page's are chromium's.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parent.parent
FRAMES = ["--frames", "3000", "--keys", "20", "--fast"]
WIDTH, HEIGHT = 1120, 800  # of the page's pictures

# The terminal's: pixels of a character, and the colours that the text outputs ask for.
ACROSS, DOWN, MARGIN, SIZE = 7.8, 18, 18, 13
COLOURS = {"31": "#f08a70", "32": "#6fce96", "33": "#e3b457", "36": "#5fbfba"}
SGR = re.compile(r"\x1b\[([0-9;]*)m")


def run(command, **options):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **options)


def record(build, scratch):
    environment = {**os.environ, "HOME": str(scratch), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy",
                   "LD_PRELOAD": str(build / "liballocreport.so"), "ALLOCREPORT_OUT": "game.alloc", "ALLOCREPORT_QUIET": "1"}
    run([build / "examples/game", *FRAMES], env=environment, cwd=scratch)


def spans(line):
    """The parts of a line, each with the style that it has on a terminal."""
    style, at = [], 0
    for code in SGR.finditer(line):
        if code.start() > at:
            yield style, line[at:code.start()]
        at = code.end()
        for part in (code[1] or "0").split(";"):
            if part == "1":
                style = [*style, 'font-weight="bold"']
            elif part == "2":
                style = [*style, 'fill-opacity="0.65"']
            elif part in COLOURS:
                style = [*style, f'fill="{COLOURS[part]}"']
            else:
                style = []
    if at < len(line):
        yield style, line[at:]


def draw_terminal(text, path):
    """Each line is as wide as it is on a terminal, whatever the viewer's font."""
    lines = text.rstrip("\n").split("\n")
    columns = max(len(SGR.sub("", line)) for line in lines)
    width, height = round(columns * ACROSS + 2 * MARGIN), round(len(lines) * DOWN + 2 * MARGIN)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
           "<!-- SPDX-License-Identifier: MIT; drawn by examples/draw_pictures.py -->",
           f'<rect width="{width}" height="{height}" rx="8" fill="#14171b"/>',
           f'<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{SIZE}" fill="#e4e7ea">']
    for number, line in enumerate(lines):
        plain = SGR.sub("", line)
        if not plain.strip():
            continue
        parts = "".join(f"<tspan {' '.join(style)}>{xml.sax.saxutils.escape(part)}</tspan>" if style
                        else xml.sax.saxutils.escape(part) for style, part in spans(line))
        out.append(f'<text x="{MARGIN}" y="{MARGIN + (number + 0.75) * DOWN:.1f}" xml:space="preserve" '
                   f'textLength="{len(plain) * ACROSS:.1f}" lengthAdjust="spacingAndGlyphs">{parts}</text>')
    path.write_text("\n".join([*out, "</g>", "</svg>", ""]), encoding="utf-8")


def reduce(path):
    """The same picture with 256 colours: a third of the size."""
    small = path.with_suffix(".small.png")
    run(["ffmpeg", "-v", "error", "-y", "-i", path, "-filter_complex",
         "split[all][some];[some]palettegen=reserve_transparent=0[palette];[all][palette]paletteuse=dither=none", small])
    small.replace(path)


def draw_page(page, target):
    run([sys.executable, ROOT / "tests/e2e/browser.py", page, f"width={WIDTH}", f"height={HEIGHT}",
         f"shot={target}/page.png", "dark", f"shot={target}/page-dark.png",
         'eval=document.querySelector("#time").scrollIntoView()', f"shot={target}/time-dark.png",
         "light", f"shot={target}/time.png"], stdout=subprocess.DEVNULL)
    for name in ("page", "page-dark", "time", "time-dark"):
        reduce(target / f"{name}.png")


def main(build, target):
    build, target = pathlib.Path(build).resolve(), pathlib.Path(target).resolve()
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pictures-") as scratch:
        record(build, scratch)
        report = run([build / "allocreport", "report", "--color=always", "game.alloc"], cwd=scratch, capture_output=True,
                     text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        draw_terminal("\x1b[2m$\x1b[0m allocreport game.alloc\n" + report.stdout, target / "terminal.svg")
        run([build / "allocreport", "html", "game.alloc", "-o", "page.html"], cwd=scratch)
        draw_page(f"{scratch}/page.html", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
