/* SPDX-License-Identifier: MIT */
/* The polls that allocated most, with their sites. */

function worstSites(run, worst) {
    const most = Math.max(1, ...(worst.sites || []).map(part => num(part.bytes)));
    const sites = worst.sites || [];
    const more = num(worst.all_sites) - sites.length;
    return el('div.inside', {},
        el('ol.tops', {}, sites.map(part => {
            const name = stackName(run, part.stack, part.named);
            const known = run.byId.has(part.site);
            return el('li', {}, el(known ? 'button.top' : 'div.top', known ? {type: 'button', onclick: () => showSite(part.site)} : {},
                el('span.name', {}, el('code', {}, name.text), ' ', el('span.detail', {}, name.detail)),
                el('span.figure', {}, bytes(part.bytes)), bar(num(part.bytes) / most),
                el('span.hints', {}, plural(part.allocations, 'allocation'))));
        })),
        more > 0 && el('p.small', {}, `and ${plural(more, 'site')} with less`));
}

const WORST_ROWS = 10; /* that are shown before all are asked for */

function worstRows(run, list) {
    return list.map((worst, i) => {
        const window = num(worst.window);
        const first = worst.sites && worst.sites[0];
        const name = first ? stackName(run, first.stack, first.named).text : '';
        const inside = el('tr.opened', {hidden: true}, el('td', {colspan: 6}, worstSites(run, worst)));
        const toggle = el('button.toggle', {
            type: 'button', 'aria-expanded': 'false', 'data-window': window, id: `poll-${window}`,
            onclick() {
                inside.hidden = !inside.hidden;
                this.setAttribute('aria-expanded', String(!inside.hidden));
            },
        }, count(worst.poll));
        return [el('tr', {hidden: i >= WORST_ROWS}, el('td.number', {}, toggle), el('td.number', {}, duration(worst.end_ns)),
            el('td.number', {}, bytes(worst.bytes)), el('td.number.minor', {}, count(worst.allocations)),
            el('td.number.minor', {}, duration(num(worst.interval_ns) + num(worst.poll_ns))), el('td', {}, el('code', {}, name),
                worst.steady ? '' : el('span.chip', {}, 'not steady'))), inside];
    });
}

/* Opens a poll of the list and goes there. */
function showWorst(window) {
    const toggle = document.getElementById(`poll-${window}`);
    if (!toggle)
        return;
    toggle.closest('tr').hidden = false;
    if (toggle.getAttribute('aria-expanded') === 'false')
        toggle.click();
    toggle.scrollIntoView({block: 'center'});
    toggle.focus({preventScroll: true});
}

function worstSection(run) {
    const list = spikesOf(run).sort((a, b) => num(b.bytes) - num(a.bytes));
    if (list.length === 0)
        return null;
    const body = el('tbody', {}, worstRows(run, list));
    return section('worst', 'Worst polls', 'The polls that allocated most, of the steady ones and of all. Each opens to its sites.',
        el('div.scroll', {}, el('table.worst', {},
            el('thead', {}, el('tr', {}, [['poll', 'number'], ['at', 'number'], ['bytes', 'number'], ['allocations', 'number minor'],
                ['time', 'number minor'], ['most at', '']].map(([text, kind]) => el('th', {scope: 'col', class: kind}, text)))),
            body)), list.length > WORST_ROWS && el('button.more', {type: 'button', onclick() {
            body.querySelectorAll('tr:not(.opened)').forEach(row => { row.hidden = false; });
            this.hidden = true;
        }}, `Show all ${count(list.length)}`));
}
