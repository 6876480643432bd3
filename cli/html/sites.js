/* SPDX-License-Identifier: MIT */
/* The table of sites: sorted by its heads, filtered, each row opens to the whole stack. */

const ROWS = 40; /* that are shown before more are asked for */

/* key, head, class, value to sort by, what is shown. `unit`: only of the steady phase. */
function siteColumns(run) {
    const each = (value, filter) => filter.phase === 'steady' ? perUnit(run, value) : num(value);
    return [
        {key: 'name', head: () => 'site', kind: 'name', of: row => row.site.name.text.toLowerCase()},
        {key: 'bytes', head: filter => filter.phase === 'steady' ? `B/${run.unit}` : 'bytes', kind: 'number',
         of: row => num(row.amount.bytes), show: (row, filter) => filter.phase === 'steady'
             ? cell(each(row.amount.bytes, filter)) : bytes(row.amount.bytes)},
        {key: 'allocations', head: filter => filter.phase === 'steady' ? `allocs/${run.unit}` : 'allocs', kind: 'number',
         of: row => num(row.amount.allocations), show: (row, filter) => filter.phase === 'steady'
             ? cell(each(row.amount.allocations, filter)) : count(row.amount.allocations)},
        {key: 'cadence', head: () => 'cadence', kind: 'minor', of: row => row.site.words, show: row => row.site.words},
        {key: 'temporary', head: () => 'temporary', kind: 'number minor', of: row => num(row.site.temporary) / Math.max(1, num(row.site.allocations)),
         show: row => percent(num(row.site.temporary), num(row.site.allocations))},
        {key: 'live', head: () => 'live', kind: 'number minor', of: row => num(row.site.live_bytes), show: row => bytes(row.site.live_bytes)},
        {key: 'growth', head: () => 'growth', kind: 'number minor', of: row => num(row.site.growth_bytes),
         show: row => num(row.site.growth_bytes) === 0 ? '0' : signedBytes(row.site.growth_bytes)},
        {key: 'most', head: () => 'largest poll', kind: 'number minor', of: row => num(row.site.most_bytes), show: row => bytes(row.site.most_bytes)},
        {key: 'where', head: () => 'where', kind: 'minor', of: row => row.site.where, show: row => PLACES[row.site.where]},
    ];
}

function filtered(list) {
    const {run, filter} = list;
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    return run.sites.filter(site => isAt(site, filter.where) && isIn(site, filter.thread) &&
            words.every(word => site.searched.includes(word)))
        .map(site => ({site, amount: amountOf(site, filter.phase, filter.thread)}))
        .filter(row => num(row.amount.allocations) > 0 || num(row.amount.frees) > 0);
}

function sorted(list, rows) {
    const column = list.columns.find(one => one.key === list.sort);
    const sign = list.descending ? -1 : 1;
    return rows.sort((a, b) => {
        const left = column.of(a), right = column.of(b);
        const order = left < right ? -1 : left > right ? 1 : 0;
        return order !== 0 ? sign * order : num(b.amount.bytes) - num(a.amount.bytes) || num(a.site.id) - num(b.site.id);
    });
}

/* A stack, innermost first, with the lines that source and debugging information give. */
function stackList(run, site) {
    return el('ol.stack', {}, site.stack.map((number, i) => {
        const line = run.lines[number];
        return el('li', {class: i === num(site.named) ? 'named' : null},
            el('code', {title: line.signature || lineName(line)}, lineName(line)),
            line.inlined ? el('span.chip', {}, 'inlined') : '', ' ',
            el('span.detail', {}, [lineSource(line), baseName(line.module)].filter(Boolean).join(' \u00b7 ')));
    }), site.stack_complete ? null : el('li.detail', {}, '(the stack goes on, or is not whole)'));
}

function siteDetail(run, site) {
    const phases = PHASES.filter(([key]) => key !== 'all' && num(amountOf(site, key, null).allocations) > 0)
        .map(([key, text]) => [text, count(amountOf(site, key, null).allocations), count(amountOf(site, key, null).bytes)]);
    const detail = site.cadence_detail || {};
    const threads = site.threads ? site.threads.filter(part => num(part.allocations) > 0)
        .map(part => `${threadName(run, part.thread)}: ${bytes(part.bytes)}`).join(', ') : threadName(run, site.thread);
    return el('div.inside.columns', {},
        el('div', {}, el('h4', {}, 'Stack, innermost first'), stackList(run, site)),
        el('div', {}, el('h4', {}, 'Lifetimes'), lifeBar(lifetimes(site)),
            facts([
                ['Polls', `allocates in ${count(site.polls)}` +
                    (num(run.report.steady.polls) > 0 ? `, ${count(detail.polls_steady)} of ${count(run.report.steady.polls)} steady ones` : '')],
                ['First and last', num(detail.first_window) > 0 && `poll window ${count(detail.first_window)} to ${count(detail.last_window)}`],
                ['Reallocations', num(site.reallocations) > 0 && count(site.reallocations)],
                ['Thread', threads], ['Site', `no. ${count(site.id)}`],
            ]),
            table('phases', [['phase', ''], ['allocations', 'number'], ['bytes', 'number']],
                [...phases, ['whole run', count(site.allocations), count(site.bytes)]])));
}

function siteRow(list, row) {
    const {site} = row;
    const inside = el('tr.opened', {hidden: true});
    const toggle = el('button.toggle', {
        type: 'button', 'aria-expanded': 'false', id: `site-${num(site.id)}`,
        onclick() {
            if (inside.childNodes.length === 0)
                inside.append(el('td', {colspan: list.columns.length}, siteDetail(list.run, site)));
            inside.hidden = !inside.hidden;
            this.setAttribute('aria-expanded', String(!inside.hidden));
        },
    }, el('code', {}, site.name.text), ' ', el('span.detail', {}, site.name.detail));
    return [el('tr', {'data-site': num(site.id)}, list.columns.map((column, i) => i === 0
        ? el('th', {class: column.kind, scope: 'row'}, toggle)
        : el('td', {class: column.kind}, column.show(row, list.filter)))), inside];
}

function drawHeads(list) {
    list.head.replaceChildren(el('tr', {}, list.columns.map(column => {
        const chosen = column.key === list.sort;
        return el('th', {scope: 'col', class: column.kind, 'aria-sort': chosen ? (list.descending ? 'descending' : 'ascending') : 'none'},
            el('button.sort', {
                type: 'button', 'data-key': column.key,
                onclick() {
                    list.descending = chosen ? !list.descending : !['name', 'cadence', 'where'].includes(column.key);
                    list.sort = column.key;
                    drawSites(list);
                    list.head.querySelector(`[data-key=${column.key}]`).focus();
                },
            }, column.head(list.filter)));
    })));
}

function drawSites(list) {
    const rows = sorted(list, filtered(list));
    const sum = rows.reduce((so, row) => [so[0] + num(row.amount.bytes), so[1] + num(row.amount.allocations)], [0, 0]);
    drawHeads(list);
    list.rows = rows;
    list.body.replaceChildren(...rows.slice(0, list.limit).flatMap(row => siteRow(list, row)));
    list.more.hidden = rows.length <= list.limit;
    list.more.textContent = `Show ${count(Math.min(200, rows.length - list.limit))} more of ${count(rows.length)}`;
    list.status.textContent = rows.length > 0 ? `${plural(rows.length, 'site')}: ${plural(sum[1], 'allocation')}, ${count(sum[0])} bytes`
                                              : 'No site matches.';
}

/* The list that is on the page, for what leads to one of its sites. */
let shownSites = null;

/* Opens a site in the table and goes there, past the filter if that hides it. */
function showSite(id) {
    const list = shownSites;
    let at = list.rows.findIndex(row => row.site.id === id);
    if (at < 0) {
        Object.assign(list.filter, {text: '', phase: 'all', thread: null, where: 'all'});
        list.controls.querySelectorAll('input').forEach(input => { input.value = ''; });
        list.controls.querySelectorAll('select').forEach(one => { one.value = 'all'; });
        drawSites(list);
        at = list.rows.findIndex(row => row.site.id === id);
    }
    if (at >= list.limit) {
        list.limit = at + 1;
        drawSites(list);
    }
    const toggle = document.getElementById(`site-${num(id)}`);
    if (!toggle)
        return;
    if (toggle.getAttribute('aria-expanded') === 'false')
        toggle.click();
    toggle.scrollIntoView({block: 'center'});
    toggle.focus({preventScroll: true});
}

function siteControls(list) {
    const {run, filter} = list;
    const set = (key, value) => {
        filter[key] = value;
        list.limit = ROWS;
        drawSites(list);
    };
    const threads = [...run.threads.keys()].filter(id => run.sites.some(site => isIn(site, id)));
    return el('div.controls', {},
        search('Filter', 'sites-filter', value => set('text', value)),
        select('Phase', PHASES, filter.phase, value => set('phase', value)),
        select('Where', [['all', 'everywhere'], ['loop', 'the loop'], ...Object.entries(PLACES)], filter.where, value => set('where', value)),
        threads.length > 1 && select('Thread', [['all', 'all threads'], ...threads.map(id => [String(id), threadName(run, id)])],
            'all', value => set('thread', value === 'all' ? null : Number(value))));
}

function sitesSection(run) {
    const steady = run.sites.some(site => num(amountOf(site, 'steady', null).allocations) > 0);
    const list = {run, columns: siteColumns(run), sort: 'bytes', descending: true, limit: ROWS,
                  filter: {text: '', phase: steady ? 'steady' : 'all', thread: null, where: 'all'},
                  head: el('thead', {}), body: el('tbody', {}), status: el('p.status', {role: 'status'})};
    list.more = el('button.more', {type: 'button', onclick() {
        list.limit += 200;
        drawSites(list);
    }}, '');
    list.controls = siteControls(list);
    shownSites = list;
    drawSites(list);
    return section('sites', 'Sites', 'Each call stack that allocates. A head sorts, a row opens to its stack. ' +
        'Temporary, live, growth and largest poll are of the whole run.',
        list.controls, list.status, el('div.scroll', {}, el('table.sites', {}, list.head, list.body)), list.more);
}
