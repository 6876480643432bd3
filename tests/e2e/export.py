#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What exports say, compared with the reporter's JSON of the same dump.

  export.py pprof RAW SITES REPORT       RAW: what `go tool pprof -raw` read from the file
  export.py collapsed FILE SITES KEY     KEY: of the sites, as in `sites --json`
  export.py speedscope FILE SCHEMA SITES REPORT
  export.py trace FILE REPORT POLLS
  export.py dhat-page FILE VIEW          a page that loads the file in the viewer's own script
  export.py dhat DOM SITES               DOM: of that page, when the viewer has shown the file
  export.py csv FILE SITES REPORT
  export.py markdown HTML SITES REPORT   HTML: what a Markdown reader made of it

Each fails unless the sums, names and stacks are those of the JSON.
"""

import base64
import collections
import csv
import html.parser
import json
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_json(path):
    return json.loads(read(path))


def same(what, seen, wanted):
    if seen != wanted:
        raise SystemExit(f"{what}: {seen!r}, should be {wanted!r}")


def name_of(frame):
    if frame["function"]:
        return frame["function"]
    module = frame["module"].rsplit("/", 1)[-1] if frame["module"] else None
    return f"{module}+0x{frame['offset']:x}" if module else f"0x{frame['offset']:x}"


def names(site):
    return [name_of(frame) for frame in site["stack"]]


def steady(site):
    return site["phases"]["steady"]["bytes"]


def frames_of(report):
    return report["frames"]["steady"]


def check_pprof(raw, sites, report):
    samples, locations, mappings, part, key = [], {}, [], None, None
    for line in read(raw).splitlines():
        if line in ("Samples:", "Locations", "Mappings"):
            part = line
        elif part == "Samples:" and key is None:
            key = line.split()
        elif part == "Samples:" and re.match(r" *-?\d.*:", line):
            values, ids = line.split(":", 1)
            samples.append(([int(v) for v in values.split()], [int(i) for i in ids.split()]))
        elif part == "Locations":
            found = re.match(r" *(\d+): 0x([0-9a-f]+) (M=\d+ )?(.*)", line)
            if found:
                last = int(found[1])
                locations[last] = []
                line = found[4]
            function = re.match(r" *(\S.*?) (\S*):(\d+):?\d* s=\d+", line + " ")
            if function:
                locations[last].append(function[1])
        elif part == "Mappings":
            mappings.append(line)
    same("types", key, ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes",
                        "steady_objects/count", "steady_space/bytes[dflt]"])
    wanted = [([s["allocations"], s["bytes"], s["live_blocks"], s["live_bytes"],
                s["phases"]["steady"]["allocations"], steady(s)], names(s)) for s in sites]
    same("samples", len(samples), len(wanted))
    for (values, ids), (right, stack) in zip(samples, wanted):
        same("values", values, right)
        same("stack", [n for i in ids for n in locations[i]], stack)
    ids = {f["build_id"] for s in sites for f in s["stack"] if f["build_id"]}
    same("build-ids", {b for b in ids if any(b in m for m in mappings)}, ids)
    same("first mapping", report["program"]["path"] in mappings[0], True)


def check_collapsed(path, sites, key):
    seen, lines = collections.Counter(), read(path).splitlines()
    for line in lines:
        stack, number = line.rsplit(" ", 1)
        seen[stack] += int(number)
    wanted = collections.Counter()
    for site in sites:
        if site[key] > 0:
            wanted[";".join(n.replace(";", ",") for n in reversed(names(site)))] += site[key]
    same("stacks", seen, wanted)
    same("lines", lines, sorted(set(lines)))
    same("distinct stacks", len(lines), len(seen))


def check_speedscope(path, schema, sites, report):
    import jsonschema
    data = read_json(path)
    jsonschema.validate(data, read_json(schema))
    frames = data["shared"]["frames"]
    keys = [lambda s: s["bytes"], lambda s: s["allocations"], lambda s: s["live_bytes"],
            lambda s: s["temporary_bytes"], steady]
    same("profiles", len(data["profiles"]), len(keys))
    for profile, key in zip(data["profiles"], keys):
        same("samples", len(profile["samples"]), len(profile["weights"]))
        same("end", profile["endValue"], sum(profile["weights"]))
        seen = [([frames[i]["name"] for i in stack], weight)
                for stack, weight in zip(profile["samples"], profile["weights"])]
        same(profile["name"], seen, [(names(s)[::-1], key(s)) for s in sites if key(s) > 0])
    same("frames", f"(frames: {frames_of(report)})" in data["profiles"][-1]["name"], True)
    same("first shown", data["activeProfileIndex"], len(keys) - 1)


def check_trace(path, report, polls):
    events = read_json(path)["traceEvents"]
    for event in events:
        same("fields", {"ph", "pid", "tid", "ts", "name"} - set(event), set())
        same("process", event["pid"], report["program"]["pid"])
    counters, slices = collections.defaultdict(list), []
    for event in events:
        if event["ph"] == "C":
            counters[event["name"]].append((event["ts"], event["args"]["value"]))
        if event["ph"] == "X":
            slices.append(event)
    same("counters", set(counters), {"bytes per frame", "frame time, ms", "time in polls per frame, ms",
                                     "bytes in use", "bytes of the largest poll"})
    for name, values in counters.items():
        same(f"order of {name}", [t for t, _ in values], sorted(t for t, _ in values))
    buckets = polls["timeline"]
    # Frames are whole, so that what a counter stands for can be had back and added up again.
    values = counters["bytes per frame"]
    begins = [round(ts * 1000) for ts, _ in values] + [2**64]
    total = 0
    for (_, value), begin, end in zip(values, begins, begins[1:]):
        total += round(value * sum(b["frames"] for b in buckets if begin <= b["begin_ns"] < end))
    last = max(i for i, b in enumerate(buckets) if b["frames"] > 0)
    same("bytes", total, sum(b["in_poll_bytes"] + b["between_bytes"] for b in buckets[:last + 1]))
    worst = {w["poll"]: w for w in polls["worst"] + polls["worst_steady"]}
    shown = [s for s in slices if s["name"] != "in the poll"]
    same("worst polls", sorted(s["args"]["poll"] for s in shown), sorted(worst))
    for s in shown:
        same("bytes of a poll", s["args"]["bytes"], worst[s["args"]["poll"]]["bytes"])
        same("its end", round((s["ts"] + s["dur"]) * 1000), worst[s["args"]["poll"]]["end_ns"])
    stack = []
    for s in sorted(slices, key=lambda s: (s["ts"], -s["dur"])):
        while stack and stack[-1] <= s["ts"] + 0.0005:
            stack.pop()
        if stack:
            same("nested", s["ts"] + s["dur"] <= stack[-1] + 0.0005, True)
        stack.append(s["ts"] + s["dur"])


def dhat_page(path, view):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    print(f"""<!DOCTYPE html><html><head><meta charset="utf-8"><script>{read(view)}</script></head><body><script>
(() => {{ onLoad();
const bytes = Uint8Array.from(atob("{data}"), c => c.charCodeAt(0));
const list = new DataTransfer(); list.items.add(new File([bytes], "dhat.json")); gInput.files = list.files;
gInput.dispatchEvent(new Event("change")); }})();
</script></body></html>""")


def check_dhat(path, sites):
    text = read(path)
    text = re.sub(r"<[^>]*>", "", text[text.rindex("</script>"):])
    total = re.search(r"Total:\s*([\d,]+) bytes \(100%[^)]*\) in ([\d,]+) blocks", text)
    if not total:
        raise SystemExit(f"the viewer shows: {text[:400]}")
    same("bytes", int(total[1].replace(",", "")), sum(s["bytes"] for s in sites))
    same("blocks", int(total[2].replace(",", "")), sum(s["allocations"] for s in sites))
    top = max(sites, key=lambda s: s["allocations"])
    same("its name", re.search(r"0x[0-9A-F]+: " + re.escape(names(top)[0]) + " ", text) is not None, True)


def check_csv(path, sites, report):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    same("rows", len(rows), len(sites))
    for row, site in zip(rows, sites):
        same("columns", None in row or None in row.values(), False)
        for key in ("bytes", "allocations", "frees", "live_bytes", "growth_bytes", "temporary", "polls", "most_bytes"):
            same(key, int(row[key]), site[key])
        same("site", int(row["site"]), site["id"])
        same("steady bytes", int(row["steady_bytes"]), steady(site))
        same("frames", int(row["frames"]), frames_of(report))
        same("bytes per frame", float(row["bytes_per_frame"]), steady(site) / frames_of(report))
        same("stack", row["stack"], " < ".join(names(site)))


class Tables(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tables, self.cell, self.text = [], False, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        self.cell = self.cell and tag not in ("td", "th")

    def handle_data(self, data):
        self.text += data
        if self.cell:
            self.tables[-1][-1][-1] += data


def check_markdown(path, sites, report):
    page = Tables(read(path))
    same("tables", len(page.tables), 2)
    rows = page.tables[1][1:]
    same("rows", len(rows), min(20, len(sites)))
    for row, site in zip(rows, sites):
        same("columns", len(row), 6)
        same("bytes", row[1], f"{site['bytes']:,}")
        same("allocations", row[2], f"{site['allocations']:,}")
    rate = report["rate"]
    for text in (f"{rate['bytes']:,} bytes and {rate['polls']:,} polls", "per frame"):
        same(f"'{text}'", text in page.text, True)


def main(what, *arguments):
    if what == "dhat-page":
        return dhat_page(*arguments)
    check = {"pprof": check_pprof, "collapsed": check_collapsed, "speedscope": check_speedscope,
             "trace": check_trace, "dhat": check_dhat, "csv": check_csv, "markdown": check_markdown}[what]
    values = [read_json(a) if a in ("report.json", "polls.json") else
              read_json(a)["sites"] if a == "sites.json" else a for a in arguments]
    return check(*values)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
