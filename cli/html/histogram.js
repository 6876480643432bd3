/* SPDX-License-Identifier: MIT */
/* How many polls allocated how much, or took how long. */

const SERIES = [['poll_bytes', 'bytes per poll'], ['poll_allocations', 'allocations per poll'],
                ['in_poll_bytes', 'bytes in the poll'], ['interval_ns', 'time from poll to poll'], ['in_poll_ns', 'time in the poll']];

function unitOf(series) {
    return series.endsWith('_ns') ? duration : series === 'poll_allocations' ? count : bytes;
}

/* The dump's narrow buckets in rows that are twice as great from one to the next; zero has its own. */
function binsOf(histogram) {
    const {least = [], most = [], count: counts = []} = histogram.buckets || {};
    const bins = new Map();
    least.forEach((from, i) => {
        const key = num(from) === 0 ? 0 : 2 ** Math.floor(Math.log2(num(from)));
        const bin = bins.get(key) || {from: num(from), to: 0, count: 0};
        bin.to = Math.min(num(most[i]), num(histogram.most));
        bin.count += num(counts[i]);
        bins.set(key, bin);
    });
    return [...bins.values()];
}

function histogramTable(run, series, which) {
    const histogram = run.polls[which][series];
    const show = unitOf(series);
    const bins = binsOf(histogram);
    const all = num(histogram.count);
    const most = Math.max(1, ...bins.map(bin => bin.count));
    const marks = bin => ['p50', 'p90', 'p99', 'p999'].filter(name => {
        const value = num(histogram[name][0]);
        return value >= bin.from && value <= bin.to;
    }).map(name => el('span.chip', {title: bound(histogram[name], show)}, name === 'p999' ? 'p99.9' : name));
    if (all === 0)
        return el('p.empty', {}, 'Nothing was counted.');
    return el('div', {},
        table('histogram', [['from', 'number'], ['to', 'number'], ['polls', 'number'], ['share', 'number'], ['', 'fill']],
            bins.map(bin => [show(bin.from), bin.to > bin.from ? show(bin.to) : '', count(bin.count),
                             percent(bin.count, all, 1), el('span.barline', {}, bar(bin.count / most), marks(bin))])),
        el('p.small', {}, `${plural(all, 'poll')}, mean ${show === count ? short(histogram.mean) : show(histogram.mean)}, ` +
            `p50 ${bound(histogram.p50, show)}, p90 ${bound(histogram.p90, show)}, p99 ${bound(histogram.p99, show)}, ` +
            `max ${show(histogram.most)}; ${count(histogram.zeros)} of them zero.`));
}

function histogramSection(run) {
    if (!num(run.report.polls.count))
        return null;
    let series = 'poll_bytes';
    let which = num(run.polls.steady.poll_bytes.count) > 0 ? 'steady' : 'all';
    const place = el('div', {});
    const draw = () => place.replaceChildren(histogramTable(run, series, which));
    draw();
    return section('polls', 'Poll by poll', 'How many polls allocated how much: in the poll and since the one before it.',
        el('div.controls', {},
            choice('Polls', [['steady', 'steady'], ['all', 'whole run']], which, value => {
                which = value;
                draw();
            }),
            select('Figure', SERIES, series, value => {
                series = value;
                draw();
            })), place);
}
