/* SPDX-License-Identifier: MIT */
/*
 * The time line: bytes of each frame, frame times and bytes in use over the whole run. Zoomed by
 * dragging, by buttons, or by keys; the worst polls are marked and lead to their sites.
 */

const LEFT = 64, RIGHT = 10;
const PANELS = [{key: 'bytes', top: 24, height: 150}, {key: 'time', top: 214, height: 80}, {key: 'live', top: 334, height: 70}];
const CHART_HEIGHT = 434;

/* One object for each bucket of the dump's time line in which polls ended: the time in which none did
 * belongs to the poll that ended next, and that without a frame to the next frame. */
function bucketsOf(run) {
    const columns = run.polls.timeline;
    const units = {frame: 'frames', drain: 'drains', poll: 'polls'}[run.unit] || 'polls';
    const buckets = [];
    let last = null, framed = null;
    (columns.begin_ns || []).forEach((begin, i) => {
        const all = num(columns.in_poll_bytes[i]) + num(columns.between_bytes[i]);
        const polls = num(columns.polls[i]), made = num(columns[units][i]), to = num(columns.end_ns[i]);
        if (polls === 0 && all === 0)
            return;
        buckets.push({from: last ?? num(begin), to, units: made, polls, all, bytes: all / Math.max(1, made),
                      most: num(columns.most_bytes[i]), live: num(columns.live_bytes[i]),
                      time: made > 0 ? (to - (framed ?? num(begin))) / made : 0, poll: num(columns.poll_ns[i]) / Math.max(1, made)});
        last = to;
        framed = made > 0 ? to : framed ?? num(begin);
    });
    return buckets;
}

/* Each worst poll once, in order of time. */
function spikesOf(run) {
    const spikes = new Map();
    for (const list of [run.polls.worst_steady, run.polls.worst])
        for (const worst of list || [])
            if (!spikes.has(num(worst.window)))
                spikes.set(num(worst.window), worst);
    return [...spikes.values()].sort((a, b) => num(a.end_ns) - num(b.end_ns));
}

/* What stands out of these: twice as much as most steady polls allocate. */
function isHigh(run, spike) {
    const typical = run.polls.steady.poll_bytes;
    return num(spike.bytes) > 2 * num(typical.count && typical.p50[1]);
}

/* The chart of what is between chart.from and chart.to. */
function drawTimeline(chart) {
    const {root, buckets} = chart;
    const shown = buckets.filter(bucket => bucket.to > chart.from && bucket.from < chart.to);
    const width = chart.width - LEFT - RIGHT;
    const x = ns => LEFT + width * Math.max(0, Math.min(1, (ns - chart.from) / (chart.to - chart.from)));
    const most = key => shown.reduce((so, bucket) => Math.max(so, bucket[key]), 0);
    const boxes = PANELS.map(panel => ({...panel, left: LEFT, width}));
    const scales = [scaleOf(Math.max(most('bytes'), most('most')), chart.logarithmic),
                    scaleOf(Math.max(most('time'), most('poll')), false), scaleOf(most('live'), false)];
    const y = (panel, value) => boxes[panel].top + boxes[panel].height * (1 - scales[panel].at(value));
    const steps = (panel, key, floor) => stepPath(shown.filter(bucket => bucket.units > 0 || key === 'live' || bucket[key] > 0)
        .map(bucket => [x(bucket.from), x(bucket.to), y(panel, bucket[key])]), floor);
    const floor = panel => boxes[panel].top + boxes[panel].height;
    const wanted = Math.max(2, Math.floor(width / 80));
    const times = timeTicks(chart.from, chart.to, wanted);
    const step = times.length > 1 ? times[1] - times[0] : chart.to - chart.from;

    root.setAttribute('viewBox', `0 0 ${chart.width} ${CHART_HEIGHT}`);
    root.replaceChildren();
    make(root, {}, [
        panelFrame(boxes[0], `bytes per ${chart.run.unit}`, scales[0], bytes),
        panelFrame(boxes[1], `${chart.run.unit} time`, scales[1], duration),
        panelFrame(boxes[2], 'bytes in use', scales[2], bytes),
        svg('path.most', {d: steps(0, 'most', null)}), svg('path.bytes', {d: steps(0, 'bytes', floor(0))}),
        svg('path.time', {d: steps(1, 'time', null)}), svg('path.poll', {d: steps(1, 'poll', floor(1))}),
        svg('path.live', {d: steps(2, 'live', floor(2))}),
        times.map(at => svg('text.tick', {x: x(at), y: CHART_HEIGHT - 8,
            'text-anchor': x(at) < LEFT + 24 ? 'start' : x(at) > LEFT + width - 24 ? 'end' : 'middle'}, timeLabel(at, step))),
        chart.cursorLine = svg('line.cursor', {y1: PANELS[0].top, y2: floor(2), visibility: 'hidden'}),
        chart.selection = svg('rect.selection', {y: PANELS[0].top, height: floor(2) - PANELS[0].top, width: 0}),
        chart.spikes.filter(spike => num(spike.end_ns) >= chart.from && num(spike.end_ns) <= chart.to)
            .map(spike => drawSpike(spike, x(num(spike.end_ns)), y(0, Math.min(num(spike.bytes), most('most') || num(spike.bytes))))),
    ]);
    chart.x = x;
    chart.time = px => chart.from + (chart.to - chart.from) * Math.max(0, Math.min(1, (px - LEFT) / width));
}


function drawSpike(spike, x, y) {
    const open = event => {
        event.stopPropagation();
        showWorst(num(spike.window));
    };
    return svg('g.spike', {
        role: 'button', tabindex: 0, 'data-window': num(spike.window),
        'aria-label': `Poll ${count(spike.poll)} at ${duration(spike.end_ns)}: ${bytes(spike.bytes)}. Show its sites`,
        onclick: open, onpointerdown: event => event.stopPropagation(),
        onkeydown: event => ['Enter', ' '].includes(event.key) && (event.preventDefault(), open(event)),
    }, svg('title', {}, `poll ${count(spike.poll)} at ${duration(spike.end_ns)}: ${bytes(spike.bytes)}`),
       svg('circle.hit', {cx: x, cy: y, r: 12}), svg('circle.dot', {cx: x, cy: y, r: 4.5}));
}

function zoomTimeline(chart, from, to) {
    const least = 4 * num(chart.run.polls.timeline.end_ns[0] - chart.run.polls.timeline.begin_ns[0]);
    const length = Math.min(chart.end - chart.begin, Math.max(to - from, Math.min(least, chart.end - chart.begin)));
    const middle = (from + to) / 2;
    chart.from = Math.max(chart.begin, Math.min(middle - length / 2, chart.end - length));
    chart.to = chart.from + length;
    chart.range.textContent = chart.from <= chart.begin && chart.to >= chart.end ? 'whole run'
        : `${duration(chart.from)} to ${duration(chart.to)}`;
    drawTimeline(chart);
}

/* Zooms by a factor around the cursor, or the middle. */
function zoomBy(chart, factor) {
    const bucket = chart.buckets[chart.cursor];
    const inside = bucket && bucket.from >= chart.from && bucket.to <= chart.to;
    const middle = inside ? (bucket.from + bucket.to) / 2 : (chart.from + chart.to) / 2;
    const half = (chart.to - chart.from) * factor / 2;
    zoomTimeline(chart, middle - half, middle + half);
}

function moveBy(chart, share) {
    const length = (chart.to - chart.from) * share;
    zoomTimeline(chart, chart.from + length, chart.to + length);
}

/* Says what is at a bucket. */
function readBucket(chart, index) {
    const bucket = chart.buckets[index];
    if (!bucket)
        return;
    chart.cursor = index;
    const at = chart.x((bucket.from + bucket.to) / 2);
    chart.cursorLine.setAttribute('x1', at);
    chart.cursorLine.setAttribute('x2', at);
    chart.cursorLine.setAttribute('visibility', 'visible');
    const unit = chart.run.unit;
    chart.readout.replaceChildren(el('b', {}, duration(bucket.from)), ` \u2013 ${duration(bucket.to)}: `,
        el('b', {}, `${bytes(bucket.bytes)} per ${unit}`), ` in ${plural(bucket.units, unit)}` +
        `, largest poll ${bytes(bucket.most)}; ${unit} time ${duration(bucket.time)}, of it in polls ${duration(bucket.poll)}; ` +
        `${bytes(bucket.live)} in use`);
}

function timelineKeys(chart, event) {
    const move = step => {
        const next = Math.max(0, Math.min(chart.buckets.length - 1, (chart.cursor ?? -1) + step));
        const bucket = chart.buckets[next];
        if (bucket.from < chart.from || bucket.to > chart.to)
            moveBy(chart, (bucket.from < chart.from ? -1 : 1) * 0.5);
        readBucket(chart, next);
    };
    const keys = {
        ArrowLeft: () => move(-1), ArrowRight: () => move(1), Home: () => move(-Infinity), End: () => move(Infinity),
        '+': () => zoomBy(chart, 0.5), '=': () => zoomBy(chart, 0.5), '-': () => zoomBy(chart, 2),
        Escape: () => zoomTimeline(chart, chart.begin, chart.end),
    };
    if (event.target !== chart.root || !keys[event.key] || event.ctrlKey || event.metaKey)
        return;
    event.preventDefault();
    keys[event.key]();
}

/* Dragging selects a part of the time and zooms to it. */
function timelinePointer(chart) {
    const {root} = chart;
    const px = event => (event.clientX - root.getBoundingClientRect().left) * chart.width / root.getBoundingClientRect().width;
    let begin = null;
    root.addEventListener('pointerdown', event => {
        if (event.button === 0)
            begin = px(event);
    });
    root.addEventListener('pointermove', event => {
        const time = chart.time(px(event));
        const index = chart.buckets.findIndex(bucket => time < bucket.to);
        readBucket(chart, index < 0 ? chart.buckets.length - 1 : index);
        if (begin === null)
            return;
        const [left, right] = [begin, px(event)].sort((a, b) => a - b);
        chart.selection.setAttribute('x', Math.max(LEFT, left));
        chart.selection.setAttribute('width', Math.max(0, right - Math.max(LEFT, left)));
    });
    const end = event => {
        const from = begin;
        begin = null;
        chart.selection.setAttribute('width', 0);
        if (from !== null && event.type === 'pointerup' && Math.abs(px(event) - from) > 5)
            zoomTimeline(chart, ...[chart.time(from), chart.time(px(event))].sort((a, b) => a - b));
    };
    root.addEventListener('pointerup', end);
    root.addEventListener('pointercancel', end);
    root.addEventListener('pointerleave', end);
    root.addEventListener('dblclick', () => zoomTimeline(chart, chart.begin, chart.end));
    root.addEventListener('wheel', event => {
        if (!event.ctrlKey)
            return;
        event.preventDefault();
        zoomBy(chart, event.deltaY > 0 ? 1.25 : 0.8);
    }, {passive: false});
    root.addEventListener('keydown', event => timelineKeys(chart, event));
}

function timelineSection(run) {
    const buckets = bucketsOf(run);
    if (buckets.length === 0)
        return null;
    const begin = buckets[0].from, end = buckets[buckets.length - 1].to;
    const typical = buckets.map(bucket => bucket.bytes).sort((a, b) => a - b)[buckets.length >> 1];
    const most = Math.max(...buckets.map(bucket => bucket.most));
    const chart = {run, buckets, spikes: spikesOf(run).filter(spike => isHigh(run, spike)), begin, end, from: begin, to: end, width: 900, cursor: null,
                   logarithmic: most > 20 * Math.max(1, typical)};
    chart.root = svg('svg.timeline', {tabindex: 0, role: 'group', 'aria-label':
        'Time line. Arrow keys move, plus and minus zoom, Escape shows the whole run'});
    chart.readout = el('p.readout', {'aria-live': 'polite'}, 'Point at the chart, or move through it with the arrow keys.');
    chart.range = el('span.range', {}, 'whole run');
    timelinePointer(chart);
    whenResized(chart.root, width => {
        chart.width = Math.max(280, width);
        drawTimeline(chart);
    });
    const button = (text, label, act) => el('button', {type: 'button', 'aria-label': label, title: label, onclick: act}, text);
    return section('time', 'Over time', `What each ${run.unit} allocated, its time, and the bytes in use. ` +
        'Circles mark the worst polls: each leads to the sites that allocated in it.',
        el('div.controls', {},
            choice('Scale', [['log', 'log'], ['linear', 'linear']], chart.logarithmic ? 'log' : 'linear', value => {
                chart.logarithmic = value === 'log';
                drawTimeline(chart);
            }),
            el('div.choice', {role: 'group', 'aria-label': 'Zoom'}, button('+', 'zoom in', () => zoomBy(chart, 0.5)),
                button('\u2212', 'zoom out', () => zoomBy(chart, 2)),
                button('\u25c2', 'earlier', () => moveBy(chart, -0.5)), button('\u25b8', 'later', () => moveBy(chart, 0.5)),
                button('whole run', 'whole run', () => zoomTimeline(chart, begin, end))),
            chart.range),
        chart.root,
        el('p.legend', {}, el('span.key.bytes', {}, `bytes per ${run.unit}, mean`), el('span.key.most', {}, 'largest single poll'),
            el('span.key.time', {}, `${run.unit} time, mean`), el('span.key.poll', {}, 'of it in polls'), el('span.key.live', {}, 'bytes in use')),
        chart.readout);
}
