#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The HTML page, in a real browser: what it shows, what can be done with it, and that it stays one
# file that asks for nothing.
# shellcheck disable=SC2016 # scripts have dollars of their own

load helpers

# browse PAGE STEP ...: see browser.py; its lines stand in seen.
browse() {
    timeout 240 python3 "$root/tests/e2e/browser.py" "$@" >seen 3>&- 4>&-
}

# line N: of what was seen.
line() {
    sed -n "$1p" seen
}

game() {
    record ALLOCREPORT_OUT=game.alloc "$examples/game" --frames 1500 --keys 20 --fast "$@"
}

page() {
    game
    "$allocreport" html game.alloc -o page.html
}

# data FIELD ...: Python, of the page's data.
data() {
    python3 - "$1" <<'END'
import json, re, sys
text = open("page.html", encoding="ascii").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
run = data["runs"][0]
print(eval(sys.argv[1]))
END
}

@test "the data are what report, polls and sites print as JSON" {
    page
    report game.alloc
    sites game.alloc
    "$allocreport" polls --limit 16 --json game.alloc >polls.json
    python3 - <<'END'
import json, re
page = open("page.html", encoding="ascii").read()
data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
run, = data["runs"]
report, sites, polls = (json.load(open(f"{name}.json")) for name in ("report", "sites", "polls"))

def same(what, seen, wanted):
    """The page leaves out what is nothing."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            if key not in ("stack", "named", "build_id"):
                same(f"{what}.{key}", (seen or {}).get(key), value)
    elif wanted in (0, False, None):
        assert seen in (0, False, None), (what, seen, wanted)
    elif isinstance(wanted, list):
        assert len(seen) == len(wanted), (what, len(seen), len(wanted))
        for a, b in zip(seen, wanted):
            same(what, a, b)
    else:
        assert seen == wanted, (what, seen, wanted)

for key in set(report) - {"top_sites"}:
    same(key, run["report"][key], report[key])
for key in ("worst", "worst_steady", "by_event"):
    same(key, run["polls"][key], polls[key])
for i, bucket in enumerate(polls["timeline"]):
    for key, value in bucket.items():
        assert run["polls"]["timeline"][key][i] == value, (key, i)
for name, histogram in polls["steady"].items():
    columns = run["polls"]["steady"][name]["buckets"]
    rows = [dict(zip(columns, values)) for values in zip(*columns.values())]
    assert rows == histogram["buckets"], name
assert run["left_out"] is None
shown = {site["id"]: site for site in run["sites"]}
assert len(shown) == len(sites["sites"]) > 20
for site in sites["sites"]:
    mine = shown[site["id"]]
    for key in ("bytes", "allocations", "frees", "live_bytes", "temporary", "polls", "most_bytes", "cadence", "where", "phases"):
        same(key, mine.get(key), site[key])
    lines = [run["lines"][number] for number in mine["stack"]]
    assert [line.get("function") for line in lines] == [line["function"] for line in site["stack"]]
    assert mine.get("named", 0) == (site["named"] or 0)
END
}

@test "the first screen shows the numbers of report --json" {
    page
    report game.alloc
    browse page.html 'eval=document.title' \
        'eval=["bytes-per-poll", "polls-per-second", "bytes-per-second", "bytes-per-unit"].map(id => document.getElementById(id).textContent)' \
        'eval=document.querySelector("#summary .equation p").textContent' \
        'eval=[...document.querySelectorAll("#summary .places tbody tr")].map(row => [...row.cells].map(cell => cell.textContent).join(" ")).join("; ")'
    same title "$(line 1)" '"game: what its loop allocates"'
    python3 - <<'END'
import json
report = json.load(open("report.json"))
seen = [json.loads(line) for line in open("seen")]
poll, polls, second, unit = (text.replace(",", "") for text in seen[1])
assert abs(float(poll) / report["per_poll"]["bytes"] - 1) < 1e-5, poll
assert abs(float(polls) / report["polls_per_second"] - 1) < 1e-5, polls
each = report["verdict"]["recurring_bytes"] / report["verdict"]["units"]
assert unit == f"{each:.2f} bytes", (unit, each)
assert second.endswith("B"), second
rate = report["rate"]
assert f"{rate['bytes']:,} bytes, {rate['polls']:,} polls" in seen[2], seen[2]
for name, key in (("startup", "startup"), ("after the last poll", "shutdown"), ("in all", "total")):
    assert f"{name} {report[key]['allocations']:,} {report[key]['bytes']:,}" in seen[3], seen[3]
rows = [row.split(" ") for row in seen[3].replace(",", "").split("; ")]
numbers = [next(int(word) for word in row if word.isdigit()) for row in rows]
assert sum(numbers[:-1]) == numbers[-1] == report["total"]["allocations"], rows
END
}

@test "the table of sites: whole, sorted by its heads, filtered, opened by keys" {
    page
    sites game.alloc
    rows='[...document.querySelectorAll("#sites tbody tr[data-site]")]'
    browse page.html "eval=$rows.length" \
        "eval=$rows.map(row => row.querySelector('code').textContent)" \
        'eval=document.querySelector("#sites .status").textContent' \
        'click=#sites [data-key=allocations]' \
        'eval=document.querySelector("#sites th[aria-sort=descending]").textContent' \
        "eval=${rows}[0].querySelector('code').textContent" \
        'click=#sites [data-key=name]' 'eval=document.activeElement.dataset.key' \
        "eval=$rows.map(row => row.querySelector('code').textContent).every((name, i, all) => i === 0 || all[i - 1].toLowerCase() <= name.toLowerCase())" \
        key=/ 'eval=document.activeElement.id' key=l key=e key=a key=k \
        "eval=$rows.map(row => row.querySelector('code').textContent)" \
        key=Tab key=Tab key=Tab key=Tab key=Tab 'eval=document.activeElement.className + document.activeElement.dataset.key' \
        'eval=document.querySelector("#sites .toggle").focus()' key=Enter \
        'eval=document.querySelector("#sites .toggle").getAttribute("aria-expanded")' \
        'eval=[...document.querySelectorAll("#sites .stack li")].map(line => line.textContent).join("; ")' \
        'eval=(() => { const all = document.querySelectorAll("#sites select"); all[0].value = "all"; all[0].dispatchEvent(new Event("change")); const text = document.querySelector("#sites-filter"); text.value = ""; text.dispatchEvent(new Event("input")); return document.querySelector("#sites .status").textContent; })()' \
        'eval=(() => { const all = document.querySelectorAll("#sites select"); all[1].value = "in_poll"; all[1].dispatchEvent(new Event("change")); return document.querySelector("#sites .status").textContent; })()'
    python3 - <<'END'
import json
sites = json.load(open("sites.json"))["sites"]
seen = [json.loads(line) for line in open("seen")]
steady = [site for site in sites if site["phases"]["steady"]["allocations"] or site["phases"]["steady"]["frees"]]
total = [sum(site["phases"]["steady"][key] for site in steady) for key in ("allocations", "bytes")]
assert seen[0] == len(steady), (seen[0], len(steady))
assert seen[1][0] == "waste_lump" and "waste_each_frame" in seen[1], seen[1]
assert seen[2] == f"{len(steady)} sites: {total[0]:,} allocations, {total[1]:,} bytes", seen[2]
assert seen[3] == "allocs/frame", seen[3]
assert seen[4] == "waste_each_frame", seen[4]
assert seen[5:8] == ["name", True, "sites-filter"], seen[5:8]
assert seen[8] == ["waste_slow_leak"], seen[8]
assert seen[9].startswith("sort"), seen[9]
assert seen[11] == "true", seen[11]
assert "waste_slow_leak" in seen[12] and "game_waste.c:" in seen[12] and "main" in seen[12], seen[12]
whole = [sum(site[key] for site in sites) for key in ("allocations", "bytes")]
assert f"{whole[0]:,} allocations, {whole[1]:,} bytes" in seen[13], seen[13]
polls = [site for site in sites if site["where"] == "in_poll"]
assert f"{sum(site['bytes'] for site in polls):,} bytes" in seen[14], seen[14]
END
}

@test "the flame graph: zooms by click and key, searches, counts what it shows" {
    page
    report game.alloc
    boxes='[...document.querySelectorAll("#flame .box")]'
    names="$boxes.map(box => box.dataset.name)"
    browse page.html "eval=$names" "eval=${boxes}[0].title" \
        'click=#flame .box[data-name=draw_frame]' \
        "eval=[$boxes.find(box => box.dataset.name === 'draw_frame').style.width, $names.includes('update'), document.querySelector('#flame .controls > button').disabled]" \
        'click=#flame .controls > button' "eval=$names.includes('update')" \
        'eval=document.querySelector("#flame .flame").focus()' key=ArrowDown key=ArrowDown \
        'eval=document.getElementById(document.querySelector("#flame .flame").getAttribute("aria-activedescendant")).dataset.name' \
        key=Enter "eval=$boxes.filter(box => box.classList.contains('above')).length" \
        key=Escape "eval=$boxes.filter(box => box.classList.contains('above')).length" \
        'click=#flame-search' key=l key=u key=m key=p \
        "eval=$boxes.filter(box => box.classList.contains('found')).map(box => box.dataset.name)" \
        'eval=document.querySelector("#flame [role=status]").textContent' \
        'click=#flame [data-value=temporary]' "eval=$names" \
        'click=#flame [data-value=live]' "eval=$names" 'click=#flame [data-value=allocations]' "eval=${boxes}[0].title"
    python3 - <<'END'
import json
report = json.load(open("report.json"))
seen = [json.loads(line) for line in open("seen") if line != "null\n"]
assert {"main", "run", "update", "waste_lump", "waste_each_frame"} <= set(seen[0]), seen[0]
assert seen[1] == f"game: {report['verdict']['bytes'] / 1e6:.2f}\u00a0MB, 100\u00a0%", seen[1]
assert seen[2] == ["100%", False, False], seen[2]
assert seen[3] is True
assert seen[4] not in ("game", "main"), seen[4]
assert seen[5] == 2 and seen[6] == 0, seen[5:7]
assert seen[7] == ["waste_lump"], seen[7]
assert seen[8].startswith("1 box: 4.19\u00a0MB"), seen[8]
assert "waste_each_frame" in seen[9] and "waste_lump" not in seen[9], seen[9]
assert "waste_each_frame" not in seen[10], seen[10]
allocations = report["verdict"]["allocations"]
assert f"{allocations:,} allocations" in seen[11], seen[11]
END
}

@test "the time line: zooms by mouse, button and key; its marks lead to the worst polls" {
    page
    report game.alloc
    range='document.querySelector("#time .range").textContent'
    browse page.html "eval=$range" 'drag=.timeline,0.3,0.6' "eval=$range" \
        'eval=document.querySelector(".timeline").focus()' key=Escape "eval=$range" \
        key=ArrowRight key=ArrowRight 'eval=document.querySelector("#time .readout").textContent' \
        'key=+' "eval=$range" key=- "eval=$range" \
        'click=#time [aria-label="zoom in"]' "eval=$range" 'click=#time [aria-label="whole run"]' "eval=$range" \
        'eval=document.querySelectorAll(".spike").length' \
        "eval=document.querySelector('.spike[data-window=\"$(value worst.window)\"]').focus()" key=Enter \
        'eval=document.activeElement.id' 'eval=document.activeElement.getAttribute("aria-expanded")' \
        'eval=document.activeElement.closest("tr").nextSibling.querySelector("code").textContent' \
        'eval=document.activeElement.closest("tr").nextSibling.querySelector("button").click()' \
        'eval=document.activeElement.textContent'
    python3 - <<'END'
import json
report = json.load(open("report.json"))
seen = [json.loads(line) for line in open("seen") if line != "null\n"]
assert seen[0] == "whole run" and " to " in seen[1] and seen[2] == "whole run", seen[:3]
assert "per frame" in seen[3] and "in use" in seen[3], seen[3]
assert " to " in seen[4] and seen[5] == "whole run" and " to " in seen[6] and seen[7] == "whole run", seen[4:8]
assert seen[8] >= 1, seen[8]
assert seen[9] == f"poll-{report['worst']['window']}" and seen[10] == "true", seen[9:11]
assert seen[11] == "waste_lump", seen[11]
assert seen[12].startswith("waste_lump"), seen[12]
END
}

@test "light and dark, on a telephone nothing is wider than the screen, on paper no control" {
    page
    wide='eval=[document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")].filter(node => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".scroll, nav, .skip")).map(node => node.tagName + "." + node.className)]'
    browse page.html 'eval=getComputedStyle(document.body).backgroundColor' dark 'eval=getComputedStyle(document.body).backgroundColor' \
        light width=320 height=640 "$wide" width=1280 "$wide" print 'eval=[...document.querySelectorAll("nav, .controls")].filter(node => getComputedStyle(node).display !== "none").length' \
        pdf=page.pdf
    same light "$(line 1)" '"rgb(252, 252, 250)"'
    same dark "$(line 2)" '"rgb(20, 23, 27)"'
    same "what is too wide at 320" "$(line 3)" '[320]'
    same "what is too wide at 1280" "$(line 4)" '[1280]'
    same "controls on paper" "$(line 5)" 0
    [ "$(head -c 5 page.pdf)" = %PDF- ]
}

@test "two dumps: what compare --json says, new and gone sites, both runs" {
    game --tidy
    mv game.alloc before.alloc
    game --regression
    "$allocreport" compare --json before.alloc game.alloc >compare.json || [ $? = 1 ]
    "$allocreport" html before.alloc game.alloc -o page.html
    browse page.html 'eval=document.querySelector("#compare h1").textContent' \
        'eval=[...document.querySelectorAll("#compare .metrics tbody tr")].map(row => [row.cells[0].textContent, row.cells[4].textContent])' \
        'eval=[...document.querySelectorAll("#compare tr[data-change]")].map(row => [row.dataset.change, row.querySelector("code").textContent])' \
        'eval=[...document.querySelectorAll("#compare .box")].filter(box => box.classList.contains("more")).map(box => box.dataset.name)' \
        'eval=document.querySelector("#bytes-per-unit").textContent' \
        'click=.chosen [data-value="0"]' 'eval=document.querySelector("#verdict").textContent' \
        'click=#compare .flame .box' 'eval=document.querySelector("#compare .readout").textContent'
    python3 - <<'END'
import json
compare = json.load(open("compare.json"))
seen = [json.loads(line) for line in open("seen")]
assert compare["verdict"] == "worse" and seen[0] == "Worse than before", seen[0]
metrics = {metric["name"]: metric for metric in compare["metrics"]}
for name, chip in seen[1]:
    if name in metrics:
        word = metrics[name]["change"]
        assert chip.strip("()") == ("" if word in ("same", "untold") else word), (name, chip, word)
assert {name for name, _ in seen[1]} >= {name for name, metric in metrics.items() if metric["before"]["runs"]}
changed = [(site["change"], site["function"]) for site in compare["sites"] if site["change"] not in ("same", "untold")]
assert sorted(map(tuple, seen[2])) == sorted(changed), (seen[2], changed)
assert ("new", "draw_score") in changed
assert "draw_score" in seen[3], seen[3]
assert "bytes" in seen[4]
assert seen[5].startswith("The steady loop allocates"), seen[5]
assert "before" in seen[6] and "after" in seen[6], seen[6]
END
}

@test "names with markup are text, and nothing of them runs" {
    local name='a<b>&"'"'"'</script><img src=x onerror=document.title=1>'
    cp "$examples/game" "${name//\//_}"
    # A file's name has no slash, but the first argument may have.
    record ALLOCREPORT_OUT=game.alloc bash -c 'exec -a "$1" "$0" --frames 900 --fast' "./${name//\//_}" "$name<!--<script>"
    "$allocreport" html game.alloc -o page.html
    same "scripts" "$(grep -o "</script>" page.html | wc -l)" 2
    same "comments" "$(grep -o "<!--" page.html | wc -l)" 1
    browse page.html 'eval=document.title' 'eval=document.querySelector(".command").textContent' \
        'eval=document.querySelectorAll("img, b > b").length' 'eval=document.querySelector("#flame .box").textContent'
    same title "$(line 1)" "$(python3 -c 'import json, sys; print(json.dumps(sys.argv[1] + ": what its loop allocates"))' "${name//\//_}")"
    grep -qF 'onerror' <(line 2)
    same "made of names" "$(line 3)" 0
    grep -qF '<img src=x' <(line 4)
}

@test "kept and damaged dumps, and a program that never polls, have a page too" {
    local dump
    record ALLOCREPORT_OUT=never.alloc ALLOCREPORT_ALWAYS=1 "$progs/never_polls"
    for dump in "$root"/tests/dumps/{example,damaged,truncated}.alloc never.alloc; do
        "$allocreport" html "$dump" >page.html 2>err
        browse page.html 'eval=document.querySelector("h1").textContent.length > 10'
        same "$dump" "$(line 1)" true
    done
}

@test "more sites than fit are left out, counted, and in no sum forgotten" {
    record ALLOCREPORT_OUT=game.alloc "$progs/survive_scale" paths 13 >out
    "$allocreport" html game.alloc -o page.html
    [ "$(stat -c %s page.html)" -lt 1000000 ]
    report game.alloc
    same "bytes" "$(data 'sum(site.get("bytes", 0) for site in run["sites"]) + run["left_out"]["bytes"]')" "$(value total.bytes)"
    [ "$(data 'run["left_out"]["count"]')" -gt 1000 ]
    browse page.html 'eval=document.querySelector(".warnings").textContent' 'click=#flame .box'
    grep -q 'left out of this page' <(line 1)
}

@test "the file: written anew, never the dump, never a terminal" {
    game
    "$allocreport" html game.alloc >plain.html
    cat plain.html plain.html >page.html
    "$allocreport" html game.alloc -o page.html
    cmp plain.html page.html
    "$allocreport" html game.alloc -o - | cmp - plain.html
    cp game.alloc kept
    run -4 "$allocreport" html game.alloc -o ./game.alloc
    run -4 "$allocreport" html kept game.alloc -o ./game.alloc
    cmp game.alloc kept
    run -4 "$allocreport" html game.alloc -o missing/page.html
    run -2 script -qec "'$allocreport' html game.alloc" /dev/null
    grep -q 'not for a terminal' <<<"$output"
    rm kept
}

@test "the README's pictures are there, and are drawn anew" {
    python3 -B "$root/examples/draw_pictures.py" "$build" drawn
    grep -oE 'examples/pictures/[a-z-]+\.[a-z]+' "$root/README.md" | sed 's|.*/||' | sort >shown
    [ -s shown ]
    diff shown <(cd "$root/examples/pictures" && printf '%s\n' * | sort)
    diff shown <(cd drawn && printf '%s\n' * | sort)
    same "drawn as a picture" "$(head -c 4 drawn/page.png | tail -c 3)" PNG
    python3 -c 'import sys, xml.etree.ElementTree as tree; print("".join(tree.parse("drawn/terminal.svg").getroot().itertext()))' |
        grep -q 'the steady loop allocates'
}
