# SPDX-License-Identifier: MIT
"""The results as text, as markdown, and as JSON."""

import spread


def number(value):
    value = spread.as_shown(value)
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def with_unit(value, unit):
    return f"{number(value)} {unit}".rstrip() if unit != ": 1" else f"{number(value)} : 1"


def target_text(row):
    if row.target is None:
        return ""
    comparison, bound = row.target
    return f"{comparison} " + (f"{bound:g} : 1" if row.unit == ": 1" else f"{bound:g} {row.unit}")


def spread_text(samples):
    if len(samples) < 2:
        return ""
    low, high, _ = spread.interval(samples)
    return f"{number(low)} .. {number(high)}"


def met_text(row):
    if not row.samples:
        return row.note
    return {None: "", True: "yes", False: "NO"}[row.met()]


def row_lines(rows):
    lines = [("figure", "target", "reached", "spread", "met")]
    for row in rows:
        reached = with_unit(row.reached(), row.unit) if row.samples else "-"
        lines.append((row.figure, target_text(row), reached, spread_text(row.samples),
                      met_text(row)))
    return lines


def aligned(lines):
    """The first column to the left, the others to the right but for the last."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        first, *middle, last = line
        cells = [first.ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(middle, widths[1:])]
        yield "  ".join(cells + [last]).rstrip()


def cell_lines(session):
    measure = None
    for cell in session.cells:
        if cell.measure != measure:
            measure = cell.measure
            yield f"{measure}{', ' + cell.unit if cell.unit else ''}"
        yield (f"    {session.contenders[cell.contender].title:<24}"
               f"{number(spread.median(cell.samples)):>10}  {spread_text(cell.samples)}")


def text(session, machine):
    yield f"{machine['processor']}, {machine['cores']} cores, {machine['system']}"
    yield "beside: " + ", ".join(
        f"{one.title} {one.version}" for one in session.contenders.values() if one.version)
    for missing in session.missing:
        yield f"missing: {missing}"
    yield ""
    yield from cell_lines(session)
    yield ""
    yield from aligned(row_lines(session.rows))
    yield ""
    yield ("medians; spread: 95 % order-statistic interval of the median, or the range of fewer "
           "than 6 rounds; differences and ratios are of the same round")
    for note in session.notes:
        yield f"note: {note}"


def markdown(session, machine):
    yield (f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; medians of "
           "interleaved rounds, with the 95 % interval of the median or the range.")
    yield ""
    yield "| figure | target | reached | spread |"
    yield "|---|---|---|---|"
    for figure, target, reached, between, met in row_lines(session.rows):
        if figure != "figure":
            note = f"**{reached}**" if met == "NO" else reached if reached != "-" else met
            yield f"| {figure} | {target} | {note} | {between} |"
    if session.notes:
        yield ""
    for note in session.notes:
        yield f"- {note}"


def document(session, machine):
    return {
        "schema": 1,
        "quick": session.quick,
        "machine": machine,
        "contenders": [{"name": one.name, "title": one.title, "version": one.version}
                       for one in session.contenders.values()],
        "missing": session.missing,
        "notes": session.notes,
        "figures": [figure(row) for row in session.rows],
        "measured": [{"measure": cell.measure, "unit": cell.unit, "contender": cell.contender,
                      **summary(cell.samples)} for cell in session.cells],
    }


def summary(samples):
    if not samples:
        return {"median": None, "low": None, "high": None, "interval": None, "samples": []}
    low, high, kind = spread.interval(samples)
    return {"median": spread.median(samples), "low": low, "high": high, "interval": kind,
            "samples": samples}


def figure(row):
    target = None if row.target is None else {"comparison": row.target[0], "bound": row.target[1]}
    return {"name": row.name, "figure": row.figure, "unit": row.unit, "target": target,
            "met": row.met(), "note": row.note, **summary(row.samples)}
