#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the tests look at in the reporter's JSON and in the counting preload's files.

  look.py field FILE PATH         prints one value: polls.count, sites.0.stack.0.function
  look.py counts COUNTS KEY       prints one of the preload's counts
  look.py counted REPORT COUNTS   fails unless REPORT's totals equal the preload's counts
  look.py expected SITES LINES    fails unless the sites are what the program's `expect:` lines say
  look.py sums REPORT SITES       fails unless the sums add up
  look.py value EXPRESSION        prints it, with report and sites of the files here, and stands()
  look.py named SITES COUNT       fails unless the names in the top sites' stacks are those that the
                                  modules' symbol tables have, as readelf shows them
"""

import json
import struct
import subprocess
import sys

COUNTS = ("allocations", "bytes", "reallocations", "frees", "failures", "bootstrap")
WORDS = {"cadence"}


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_counts(path):
    with open(path, "rb") as file:
        return dict(zip(COUNTS, struct.unpack("<6Q", file.read(48))))


def show_field(path, field):
    value = read_json(path)
    for key in field.split("."):
        if isinstance(value, list):
            value = len(value) if key == "length" else value[int(key)]
        else:
            value = value[key]
    if isinstance(value, bool) or value is None or isinstance(value, (list, dict)):
        value = json.dumps(value)
    print(value)
    return 0


def show_count(path, key):
    print(read_counts(path)[key])
    return 0


def counted(report_path, counts_path):
    report, counts = read_json(report_path), read_counts(counts_path)
    wrong = 0
    for key in ("allocations", "bytes", "reallocations", "frees"):
        seen = report["total"][key]
        if key == "frees":
            seen += report["losses"]["unknown"]
        if seen != counts[key]:
            print(f"{key}: {seen} in the report, {counts[key]} counted independently")
            wrong = 1
    if counts["allocations"] == 0:
        print("nothing was counted")
        wrong = 1
    return wrong


def stands_in(function, site):
    return any(line["function"] == function for line in site["stack"])


def expected(sites_path, lines_path):
    document = read_json(sites_path)
    pid, lines, wrong = document["program"]["pid"], 0, 0
    with open(lines_path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) < 4 or words[0] != "expect:" or int(words[1]) != pid:
                continue
            lines += 1
            sites = [site for site in document["sites"] if stands_in(words[2], site)]
            for word in words[3:]:
                key, value = word.split("=")
                if key in WORDS:
                    seen = ",".join(sorted({site[key] for site in sites})).replace(" ", "_")
                else:
                    seen = str(sum(site[key] for site in sites))
                if seen != value:
                    print(f"{words[2]}: {key} is {seen}, should be {value}")
                    wrong = 1
    if lines == 0:
        print(f"no line says what is expected of process {pid}")
        wrong = 1
    return wrong


def differ(what, one, other):
    if one != other:
        print(f"{what}: {one} and {other}")
    return one != other


def sums(report_path, sites_path):
    report, sites = read_json(report_path), read_json(sites_path)["sites"]
    losses = report["losses"]
    total, wrong = report["total"], False
    for key in ("bytes", "allocations", "reallocations", "frees"):
        parts = sum(report[part][key] for part in
                    ("startup", "in_poll", "between_polls", "other_threads"))
        wrong |= differ(f"total {key} and the sum of its places", total[key], parts)
        if losses["counters"] == 0 and losses["threads"] == 0 and key != "reallocations":
            part = sum(site[key] for site in sites)
            wrong |= differ(f"total {key} and the sum of the sites", total[key], part)
    wrong |= differ("live bytes and the sum of the sites", total["live_bytes"],
                    sum(site["live_bytes"] for site in sites))
    product = report["per_poll"]["bytes"] * report["polls_per_second"]
    if abs(product - report["bytes_per_second"]) > 1e-9 * max(1.0, product):
        wrong |= differ("bytes/poll x polls/s and bytes/s", product, report["bytes_per_second"])
    return int(wrong)


def show_value(expression):
    names = {"stands": stands_in, "sum": sum, "sorted": sorted, "len": len}
    for name in ("report", "sites"):
        try:
            names[name] = read_json(name + ".json")
        except FileNotFoundError:
            pass
    names["sites"] = names.get("sites", {}).get("sites", [])
    print(eval(expression, names))  # pylint: disable=eval-used
    return 0


def demangled(symbols):
    text = subprocess.run(["c++filt", "-p"], input="\n".join(symbols), capture_output=True, text=True,
                          check=True).stdout
    return text.split("\n")[:len(symbols)]


def functions_of(module):
    """[(address, size, name, short name)] of the functions in a module's symbol tables."""
    text = subprocess.run(["readelf", "--wide", "--symbols", "--dyn-syms", module],
                          capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 8 and words[3] in ("FUNC", "IFUNC", "NOTYPE") and words[6] != "UND":
            found.append((int(words[1], 16), int(words[2], 0), words[7].split("@")[0]))
    short = demangled([symbol[2] for symbol in found])
    return [symbol + (name,) for symbol, name in zip(found, short)]


def named(sites_path, count):
    tables, right, wrong = {}, 0, 0
    for site in read_json(sites_path)["sites"][:int(count)]:
        for line in site["stack"]:
            module, function = line["module"], line["function"]
            if not module or not module.startswith("/") or line["file"]:
                continue
            if module not in tables:
                tables[module] = functions_of(module)
            at = line["offset"] - 1
            here = [symbol for symbol in tables[module] if symbol[0] <= at < symbol[0] + symbol[1]]
            if function is None and not here:
                continue
            if function and any(function in symbol[2:] for symbol in here):
                right += 1
                continue
            print(f"{module}+{line['offset']:#x} is {function}, "
                  f"the symbol table has {[symbol[2] for symbol in here]}")
            wrong = 1
    if right == 0:
        print("no name could be compared")
        wrong = 1
    return wrong


COMMANDS = {"field": show_field, "counts": show_count, "counted": counted, "expected": expected, "sums": sums,
            "value": show_value, "named": named}

if __name__ == "__main__":
    sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
