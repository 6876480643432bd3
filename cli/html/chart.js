/* SPDX-License-Identifier: MIT */
/* Scales and axes of the charts. */

/* Round numbers from 0 to at most `most`, about `wanted` of them. */
function ticks(most, wanted) {
    if (!(most > 0))
        return [0];
    const raw = most / wanted;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= raw);
    const list = [];
    for (let i = 0; i * step <= most * 1.0001; i++)
        list.push(i * step);
    return list;
}

/* Values to 0..1: linear, or by their logarithms so that one great value does not hide the others. */
function scaleOf(most, logarithmic) {
    const top = Math.max(most, 1e-9);
    if (!logarithmic)
        return {at: value => value / top, ticks: ticks(top, 3)};
    const list = [0];
    const decades = Math.max(1, Math.floor(Math.log10(top)));
    const step = Math.max(1, Math.ceil(decades / 3));
    for (let power = step; power <= Math.log10(top) + 1e-9; power += step)
        list.push(10 ** power);
    if (list.length === 1)
        list.push(top);
    return {at: value => Math.log10(1 + value) / Math.log10(1 + top), ticks: list};
}

/* Round times in [from, to], in nanoseconds. */
function timeTicks(from, to, wanted) {
    const step = ticks((to - from), wanted)[1] || to - from;
    const list = [];
    for (let at = Math.ceil(from / step) * step; at <= to && list.length < 50; at += step)
        list.push(at);
    return list;
}

/* "1.25 s": with as many decimals as the step between two ticks needs. */
function timeLabel(ns, step) {
    const [size, unit] = step >= 1e7 ? [1e9, 's'] : step >= 1e4 ? [1e6, 'ms'] : [1e3, '\u00b5s'];
    const decimals = Math.max(0, Math.min(4, Math.ceil(-Math.log10(step / size) - 1e-9)));
    return `${fixed(ns / size, decimals)}\u00a0${unit}`;
}

/* A path of steps: parts are [x begin, x end, y], in order; `floor`: closes it down to there. */
function stepPath(parts, floor) {
    let path = '';
    let last = null;
    for (const [from, to, y] of parts) {
        const begin = from.toFixed(1);
        if (floor !== null)
            path += `M${begin} ${floor}V${y.toFixed(1)}H${to.toFixed(1)}V${floor}Z`;
        else
            path += `${last === begin ? 'V' + y.toFixed(1) : `M${begin} ${y.toFixed(1)}`}H${to.toFixed(1)}`;
        last = to.toFixed(1);
    }
    return path;
}

/* The frame of one panel: title, lines at its ticks, their labels. */
function panelFrame(box, title, scale, show) {
    const y = value => box.top + box.height * (1 - scale.at(value));
    return svg('g', {},
        svg('text.title', {x: box.left, y: box.top - 8}, title),
        scale.ticks.map(tick => svg('g', {},
            svg('line.grid', {x1: box.left, x2: box.left + box.width, y1: y(tick), y2: y(tick)}),
            svg('text.tick', {x: box.left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, show(tick)))));
}
