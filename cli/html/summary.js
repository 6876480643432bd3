/* SPDX-License-Identifier: MIT */
/* The first screen: whether the loop allocates, how much, and where to look first. */

function commandLine(report) {
    const words = [report.program.name, ...(report.program.arguments || []).slice(1)];
    return words.filter(word => word !== null).map(word => /^[\w@%+=:,.\/-]+$/.test(word) ? word
        : `'${word.replace(/'/g, "'\\''")}'`).join(' ') || '(unknown program)';
}

function verdictOf(run) {
    const {report} = run;
    const verdict = report.verdict;
    const blind = report.blind;
    switch (verdict.loop) {
    case 'no-polls':
        return ['untold', 'No poll was seen', blind ? `${blind.reason}. ${blind.advice}.`
                                                    : 'There is no event loop to tell about.'];
    case 'blind':
        return ['untold', 'Nothing can be told', 'Not one allocation was seen' +
                (blind ? `: ${blind.reason}. ${blind.advice}.` : '.')];
    case 'no-steady-phase':
        return ['untold', 'No steady phase', `${plural(report.polls.count, 'poll')} are too few to tell what the loop allocates.`];
    case 'nothing':
        return ['good', 'The steady loop allocates nothing',
                `0 allocations in ${plural(verdict.polls || report.steady.polls, 'poll')}` +
                (report.steady.allocating_upper_bound > 0
                    ? `: under ${short(100 * report.steady.allocating_upper_bound)} % of all polls, with 95 % confidence.` : '.')];
    default:
        return allocatesOf(run);
    }
}

/* What each frame costs again and again, apart from what comes once or now and then. */
function allocatesOf(run) {
    const {verdict, steady} = run.report;
    const recurring = num(verdict.recurring_sites);
    const rare = num(verdict.allocations) - num(verdict.recurring_allocations);
    const rareSites = num(verdict.sites) - recurring;
    const other = `${plural(rare, 'allocation')}, ${bytes(num(verdict.bytes) - num(verdict.recurring_bytes))}, from ` +
        `${plural(rareSites, 'site')} that ${rareSites === 1 ? 'does' : 'do'} not recur`;
    const share = `${percent(num(steady.allocating_polls), num(steady.polls), 1)} of the ${count(steady.polls)} steady polls allocate.`;
    if (recurring === 0)
        return ['bad', el('span', {}, 'The steady loop allocates ', el('strong', {}, 'now and then')), `${other}. ${share}`];
    return ['bad', el('span', {}, 'The steady loop allocates ',
                el('strong', {id: 'bytes-per-unit'}, `${short(perUnit(run, verdict.recurring_bytes))} bytes`), ` in each ${verdict.unit}`),
            `${short(perUnit(run, verdict.recurring_allocations))} allocations per ${verdict.unit}, from ` +
            `${plural(recurring, 'site')}${rare > 0 ? `; and now and then ${other}` : ''}. ${share}`];
}

function equation(report) {
    if (!num(report.polls.count))
        return null;
    const rate = report.rate;
    const term = (value, unit, id) => el('div.term', {}, el('b', {id}, value), el('span', {}, unit));
    return el('div.equation', {},
        term(precise(report.per_poll.bytes), 'bytes per poll', 'bytes-per-poll'), el('i', {}, '\u00d7'),
        term(precise(report.polls_per_second), 'polls per second', 'polls-per-second'), el('i', {}, '='),
        term(bytes(report.bytes_per_second), 'per second', 'bytes-per-second'),
        el('p', {}, `All polls: ${count(rate.bytes)} bytes, ${count(rate.polls)} polls, `,
            `${fixed(num(rate.nanoseconds) / 1e9, 3)} s of loop time.`));
}

/* In every poll, or periodically. */
function recurs(site) {
    return ['every poll', 'periodic'].includes(site.cadence);
}

/* What recurs is told for each frame, what does not as it came. */
function topSite(run, site, most) {
    const amount = amountOf(site, 'steady', null);
    const life = lifetimes(site);
    const hints = [site.words];
    if (site.where !== 'between_polls')
        hints.push(PLACES[site.where]);
    if (life.poll > 0)
        hints.push(`${percent(life.poll, life.all)} freed in the same poll`);
    if (num(site.growth_bytes) > 0)
        hints.push(`grows by ${bytes(site.growth_bytes)}`);
    return el('li', {}, el('button.top', {type: 'button', onclick: () => showSite(site.id)},
        el('span.name', {}, el('code', {}, site.name.text), ' ', el('span.detail', {}, site.name.detail)),
        recurs(site)
            ? [el('span.figure', {}, cell(perUnit(run, amount.bytes)), el('small', {}, ` B/${run.unit}`)),
               bar(most > 0 ? num(amount.bytes) / most : 0)]
            : el('span.figure', {}, bytes(amount.bytes), el('small', {}, ' in all')),
        el('span.hints', {}, hints.join(' \u00b7 '))));
}

/* The loop's sites, which the verdict counts, those that recur first; those of other threads only where it has none. */
function topSites(run) {
    const all = run.sites.filter(site => num(amountOf(site, 'steady', null).allocations) > 0)
        .sort((a, b) => recurs(b) - recurs(a) || num(amountOf(b, 'steady', null).bytes) - num(amountOf(a, 'steady', null).bytes));
    const others = all.filter(site => site.where === 'other_threads');
    const sites = all.length > others.length ? all.filter(site => site.where !== 'other_threads') : all;
    if (all.length === 0)
        return null;
    const most = Math.max(0, ...sites.filter(recurs).map(site => num(amountOf(site, 'steady', null).bytes)));
    const beside = sites !== all && others.length > 0 && num(run.report.steady.other_threads.bytes) > 0;
    return el('div', {}, el('h3', {}, 'Where to look first'),
        el('ol.tops', {}, sites.slice(0, 5).map(site => topSite(run, site, most))),
        el('p.further', {}, beside && `Beside the loop, other threads allocate ` +
            `${cell(perUnit(run, run.report.steady.other_threads.bytes))} B/${run.unit}. `,
            el('a', {href: '#sites'}, `All ${plural(run.report.steady_sites, 'site')} of the steady phase`)));
}

function keyFacts(run) {
    const {report} = run;
    const polls = report.steady.poll_bytes || {};
    const worst = report.worst;
    const each = num(report.polls.count) / num(report.frames.count);
    return el('div', {}, el('h3', {}, 'The run'), facts([
        [`${report.frames.kind === 'present' ? 'Frames' : 'Drains'}`, num(report.frames.count) > 0 &&
            `${count(report.frames.count)}${report.frames.function ? ` by ${report.frames.function}` : ''}; ` +
            `${short(each)} polls to each`],
        ['Polls', `${count(report.polls.count)}: ${count(report.polls.empty)} empty, ${count(report.polls.events)} with events`],
        ['Bytes in a steady poll', num(polls.count) > 0 &&
            `p50 ${bound(polls.p50, bytes)}, p99 ${bound(polls.p99, bytes)}, max ${bytes(polls.most)}`],
        ['Memory in use', `${bytes(report.memory.live_bytes)} at the end, ${bytes(report.memory.live_peak_bytes)} at most`],
        ['Worst poll', worst && el('a', {href: '#worst'},
            `no. ${count(worst.poll)} at ${duration(worst.end_ns)}: ${bytes(worst.bytes)}`)],
    ]));
}

function placesTable(run) {
    const {report} = run;
    const {steady, shutdown} = report;
    const amount = (name, all) => num(all.allocations) > 0 && [name, count(all.allocations), count(all.bytes), '', ''];
    const place = (name, key) => num(report[key].allocations) > 0 && [name,
        count(num(report[key].allocations) - num(shutdown[key].allocations)), count(num(report[key].bytes) - num(shutdown[key].bytes)),
        cell(perUnit(run, steady[key].allocations)), cell(perUnit(run, steady[key].bytes))];
    return table('places', [['where', ''], ['allocations', 'number'], ['bytes', 'number'],
                            [`steady: allocs/${run.unit}`, 'number'], [`bytes/${run.unit}`, 'number']],
        [amount('startup', report.startup), place('in poll', 'in_poll'), place('between polls', 'between_polls'),
         place('other threads', 'other_threads'), amount('after the last poll', shutdown), amount('in all', report.total)].filter(Boolean));
}

function warnings(run) {
    const notes = (run.report.notes || []).filter(note => note.bad).map(note => note.text);
    const list = [...notes, ...(run.report.incomplete || []).map(one => `${one.reason}: ${one.advice}`)];
    if (run.left_out)
        list.push(`${plural(run.left_out.count, 'site')} with ${bytes(run.left_out.bytes)} in all are left out of this page, ` +
                  'to keep it small; sums include them');
    if (run.report.dump.damaged)
        list.push('the dump is damaged: a part of it is missing');
    return list.length > 0 && el('ul.warnings', {}, list.map(text => el('li', {}, text)));
}

function summarySection(run) {
    const [kind, head, lead] = verdictOf(run);
    return el('section.summary', {id: 'summary', 'aria-labelledby': 'verdict'},
        el(run.compared ? 'h2' : 'h1', {id: 'verdict', class: `verdict ${kind}`}, head),
        el('p.lead', {}, lead),
        warnings(run),
        equation(run.report),
        el('div.columns', {}, topSites(run), keyFacts(run)),
        placesTable(run));
}
