/* SPDX-License-Identifier: MIT */
/* Two runs: what became worse or better, which sites are new or gone, and a differential flame graph. */

const CHANGES = ['new', 'worse', 'better', 'gone'];

function metricText(metric, side) {
    const value = num(metric[side].median.value);
    if (metric.unit === 'share')
        return `${fixed(100 * value, 2)}\u00a0%`;
    if (num(metric[side].median.whole) === 1)
        return count(value);
    return cell(metric.unit === 'bytes_per_ns' ? value * 1e9 : value);
}

function timeText(time, side) {
    const value = num(time[side].median);
    return time.key.includes('_ns_') ? duration(value) : short(value);
}

function changeChip(word, counts = true) {
    return word === 'same' || word === 'untold' ? '' : el('span.chip', {class: `chip ${word}`}, counts ? word : `(${word})`);
}

function compareHead(compare) {
    const unit = compare.metrics.find(metric => metric.key === 'bytes_per_unit');
    const words = {worse: 'Worse than before', better: 'Better than before', same: 'The same as before',
                   unknown: 'The runs cannot be compared'};
    const kind = {worse: 'bad', better: 'good', same: 'good', unknown: 'untold'}[compare.verdict];
    const changes = CHANGES.filter(word => num(compare.changes[word]) > 0).map(word => `${count(compare.changes[word])} ${word}`);
    return [
        el('h1', {id: 'compare-title', class: `verdict ${kind}`}, words[compare.verdict]),
        el('p.lead', {}, compare.reason ? `${compare.reason}.` : [
            unit && `${metricText(unit, 'before')} \u2192 ${metricText(unit, 'after')} bytes per ${compare.unit} in the steady phase ` +
                `(${change(num(unit.before.median.value), num(unit.after.median.value))}). `,
            changes.length > 0 ? `Sites: ${changes.join(', ')}.` : 'No site is new, gone, worse or better.']),
    ];
}

function metricsTable(compare) {
    const rows = compare.metrics.filter(metric => metric.before.runs.length > 0 || metric.after.runs.length > 0).map(metric => [
        metric.name, metricText(metric, 'before'), metricText(metric, 'after'),
        change(num(metric.before.median.value), num(metric.after.median.value)), changeChip(metric.change, metric.counts)]);
    const times = compare.times.map(time => [time.name, timeText(time, 'before'), timeText(time, 'after'),
        change(num(time.before.median), num(time.after.median)), changeChip(time.change, time.counts)]);
    return table('metrics', [['', ''], ['before', 'number'], ['after', 'number'], ['change', 'number'], ['', '']], [...rows, ...times]);
}

function changedRow(compare, site) {
    const value = key => num(site[key].median.value);
    const inside = el('tr.opened', {hidden: true}, el('td', {colspan: 6}, el('div.inside', {}, el('ol.stack', {}, site.stack.map(number => {
        const line = compare.lines[number];
        return el('li', {}, el('code', {}, line.function || '(unknown)'), ' ', el('span.detail', {}, line.module));
    })))));
    const toggle = el('button.toggle', {type: 'button', 'aria-expanded': 'false', onclick() {
        inside.hidden = !inside.hidden;
        this.setAttribute('aria-expanded', String(!inside.hidden));
    }}, el('code', {}, site.function || '(unknown)'), ' ', el('span.detail', {}, site.module));
    return [el('tr', {'data-change': site.change},
        el('td.chips', {}, changeChip(site.change, site.counts)), el('th.name', {scope: 'row'}, toggle),
        el('td.number', {}, cell(value('bytes_before'))), el('td.number', {}, cell(value('bytes_after'))),
        el('td.number.minor', {}, cell(value('allocations_before'))), el('td.number.minor', {}, cell(value('allocations_after')))), inside];
}

function changedSites(compare) {
    let shown = 'all';
    const body = el('tbody', {});
    const all = CHANGES.reduce((sum, word) => sum + num(compare.changes[word]), 0);
    const draw = () => body.replaceChildren(...compare.sites.filter(site => shown === 'all' || site.change === shown)
        .flatMap(site => changedRow(compare, site)));
    if (compare.sites.length === 0)
        return null;
    draw();
    return el('div', {}, el('h3', {}, 'Sites that changed'),
        el('div.controls', {}, choice('Change', [['all', 'all'], ...CHANGES.filter(word => num(compare.changes[word]) > 0)
            .map(word => [word, `${word} ${count(compare.changes[word])}`])], shown, value => {
            shown = value;
            draw();
        })),
        el('div.scroll', {}, el('table.changed', {}, el('thead', {}, el('tr', {},
            [['', ''], ['site', 'name'], [`B/${compare.unit}`, 'number'], ['after', 'number'], ['allocs', 'number minor'], ['after', 'number minor']]
                .map(([text, kind]) => el('th', {scope: 'col', class: kind}, text)))), body)),
        all > compare.sites.length && el('p.small', {}, `${count(compare.sites.length)} of ${count(all)} are shown.`));
}

/* Both runs in one tree, each value for one frame (drain, poll) of its run. */
function bothTrees(runs, metric) {
    const root = node('all', null, null);
    runs.forEach((run, i) => run.sites.forEach(site => {
        const value = METRICS[metric].of(site, 'steady') / Math.max(1, METRICS[metric].phases ? run.units : 1);
        if (value > 0)
            addStack(root, site.stack.map(number => run.lines[number]).reverse(), value, i === 0 ? 'before' : 'value');
    }));
    return root;
}

function differentialFlame(runs, compare) {
    const graph = makeFlame('both', 'Differential flame graph');
    let metric = 'bytes';
    const show = value => metric === 'allocations' ? `${short(value)} allocations/${compare.unit}`
        : METRICS[metric].phases ? `${short(value)} B/${compare.unit}` : bytes(value);
    const draw = () => setFlame(graph, bothTrees(runs, metric), show, true);
    draw();
    return el('div', {}, el('h3', {}, 'What became more, what less'),
        el('div.controls', {}, choice('Figure', Object.entries(METRICS).map(([key, one]) => [key, one.text]), metric, value => {
            metric = value;
            draw();
        }), graph.search, graph.reset, graph.result),
        graph.place, graph.readout,
        el('p.legend', {}, el('span.key.more', {}, 'more than before'), el('span.key.less', {}, 'less'), el('span.key.same', {}, 'the same')));
}

function compareSection(data) {
    const {compare, runs} = data;
    const names = ['before', 'after'].map((side, i) => [side, `${runs[i].report.dump.path}: ` +
        `${count(compare[side][0].steady_polls)} steady polls, ${count(compare[side][0].steady_frames)} steady frames`]);
    return el('section', {id: 'compare', 'aria-labelledby': 'compare-title'}, compareHead(compare),
        compare.notes.length > 0 && el('ul.notes', {}, compare.notes.map(note => el('li', {}, note))),
        facts(names),
        !compare.reason && [metricsTable(compare), changedSites(compare), differentialFlame(runs, compare)]);
}
