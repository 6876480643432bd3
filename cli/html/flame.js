/* SPDX-License-Identifier: MIT */
/*
 * The flame graph: who calls what allocates, callers above. A box is as wide as its share. Click or
 * Enter zooms, arrow keys move from box to box, Escape goes back. With a comparison, colours say
 * what became more and what became less.
 */

const ROW = 20;        /* pixels of a row */
const NARROWEST = 0.1; /* per cent of the width: boxes below are not drawn */
const HUES = [28, 208, 152, 268, 338, 190, 88, 232, 300, 48, 128];

/* A hue for each module, the greatest first. */
function huesOf(root) {
    const sums = new Map();
    const visit = at => {
        sums.set(at.module, (sums.get(at.module) || 0) + at.own + 1e-9 * at.value);
        at.children.forEach(visit);
    };
    root.children.forEach(visit);
    const order = [...sums.entries()].sort((a, b) => b[1] - a[1]);
    return new Map(order.map(([module], i) => [module, i < HUES.length ? HUES[i] : null]));
}

function weight(graph, at) {
    return graph.differs ? Math.max(at.value, at.before) : at.value;
}

function paint(graph, box, at) {
    if (!graph.differs) {
        const hue = graph.hues.get(at.module);
        box.style.setProperty('--hue', hue === undefined || hue === null ? 0 : hue);
        box.classList.toggle('grey', hue === undefined || hue === null);
        return;
    }
    const share = (at.value - at.before) / Math.max(at.value, at.before, 1e-12);
    box.classList.add(share > 0.01 ? 'more' : share < -0.01 ? 'less' : 'grey');
    box.style.setProperty('--strength', `${Math.round(Math.abs(share) * 100)}%`);
}

function boxText(graph, at) {
    const whole = weight(graph, graph.root);
    const parts = [at.name];
    if (graph.differs)
        parts.push(`${graph.show(at.before)} before, ${graph.show(at.value)} after (${change(at.before, at.value)})`);
    else
        parts.push(`${graph.show(at.value)}, ${percent(at.value, whole, 1)}`);
    return parts.join(': ');
}

/* Boxes in order: the way down to the focus over the whole width, then all below it. */
function layOut(graph) {
    const boxes = [];
    const above = [];
    for (let at = graph.focus.parent; at; at = at.parent)
        above.unshift(at);
    above.forEach((at, i) => boxes.push({at, left: 0, width: 100, row: i, above: true}));
    const place = (at, left, width, row) => {
        boxes.push({at, left, width, row, above: false});
        const whole = Math.max(weight(graph, at), [...at.children.values()].reduce((sum, child) => sum + weight(graph, child), 0));
        let next = left;
        [...at.children.values()].sort((a, b) => weight(graph, b) - weight(graph, a)).forEach(child => {
            const part = whole > 0 ? width * weight(graph, child) / whole : 0;
            if (part >= NARROWEST)
                place(child, next, part, row + 1);
            next += part;
        });
    };
    place(graph.focus, 0, 100, above.length);
    return boxes;
}

function drawFlame(graph) {
    const boxes = layOut(graph);
    const found = graph.query ? at => at.name.toLowerCase().includes(graph.query) : null;
    graph.nodes = new Map();
    graph.place.replaceChildren(...boxes.map(({at, left, width, row, above}) => {
        const box = el('div.box', {role: 'treeitem', id: `box-${graph.id}-${graph.nodes.size}`, 'aria-level': row + 1,
            'aria-label': boxText(graph, at), title: boxText(graph, at), 'data-name': at.name}, el('span', {}, at.name));
        box.style.left = `${left}%`;
        box.style.width = `${width}%`;
        box.style.top = `${row * ROW}px`;
        paint(graph, box, at);
        box.classList.toggle('above', above);
        box.classList.toggle('found', Boolean(found && found(at)));
        box.addEventListener('click', () => zoomFlame(graph, at));
        box.addEventListener('pointerenter', () => tellBox(graph, at));
        graph.nodes.set(at, box);
        return box;
    }));
    graph.place.style.height = `${(1 + Math.max(0, ...boxes.map(box => box.row))) * ROW}px`;
    graph.reset.disabled = graph.focus === graph.root;
    graph.place.classList.toggle('searched', Boolean(found));
    graph.result.textContent = found ? foundShare(graph, found) : '';
    moveFlame(graph, graph.nodes.has(graph.active) ? graph.active : graph.focus);
}

/* What is below or in boxes that the search found; each byte once. */
function foundShare(graph, found) {
    let sum = 0, boxes = 0;
    const visit = (at, inside) => {
        const here = found(at);
        boxes += here;
        if (here && !inside)
            sum += weight(graph, at);
        at.children.forEach(child => visit(child, inside || here));
    };
    visit(graph.root, false);
    return boxes > 0 ? `${plural(boxes, 'box').replace('boxs', 'boxes')}: ${graph.show(sum)}, ${percent(sum, weight(graph, graph.root), 1)}`
                     : 'nothing found';
}

function tellBox(graph, at) {
    const source = lineSource(at.line);
    graph.readout.replaceChildren(el('code', {}, at.name), ' ',
        el('span.detail', {}, [source, baseName(at.module)].filter(Boolean).join(', ')),
        ` ${boxText(graph, at).slice(at.name.length + 2)}` +
        (at.own > 0 && !graph.differs ? `; ${graph.show(at.own)} by itself` : ''));
}

function zoomFlame(graph, at) {
    graph.focus = at;
    graph.active = at;
    drawFlame(graph);
    tellBox(graph, at);
}

function moveFlame(graph, at) {
    if (!at || !graph.nodes.has(at))
        return;
    const old = graph.nodes.get(graph.active);
    if (old)
        old.classList.remove('active');
    graph.active = at;
    const box = graph.nodes.get(at);
    box.classList.add('active');
    graph.place.setAttribute('aria-activedescendant', box.id);
}

function flameKeys(graph, event) {
    const at = graph.active;
    const beside = step => {
        const list = at.parent ? [...at.parent.children.values()].filter(child => graph.nodes.has(child))
            .sort((a, b) => weight(graph, b) - weight(graph, a)) : [at];
        return list[list.indexOf(at) + step];
    };
    const below = [...at.children.values()].filter(child => graph.nodes.has(child))
        .sort((a, b) => weight(graph, b) - weight(graph, a))[0];
    const moves = {ArrowUp: at.parent, ArrowDown: below, ArrowLeft: beside(-1), ArrowRight: beside(1), Home: graph.focus};
    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (event.key in moves) {
        moveFlame(graph, moves[event.key]);
        tellBox(graph, graph.active);
    } else if (event.key === 'Enter' || event.key === ' ') {
        zoomFlame(graph, at);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
        zoomFlame(graph, event.key === 'Backspace' && graph.focus.parent ? graph.focus.parent : graph.root);
    } else {
        return;
    }
    event.preventDefault();
}

/* A graph without its controls; setFlame gives it a tree. */
function makeFlame(id, label) {
    const graph = {id, nodes: new Map(), query: '', show: bytes, differs: false, active: null};
    graph.place = el('div.flame', {role: 'tree', tabindex: 0, 'aria-label':
        `${label}. Arrow keys move, Enter zooms, Escape shows all`, onkeydown: event => flameKeys(graph, event)});
    graph.readout = el('p.readout', {'aria-live': 'polite'}, 'Point at a box, or move with the arrow keys.');
    graph.result = el('span.range', {role: 'status'});
    graph.reset = el('button', {type: 'button', onclick: () => zoomFlame(graph, graph.root)}, 'show all');
    graph.search = search('Search', `${id}-search`, value => {
        graph.query = value.trim().toLowerCase();
        drawFlame(graph);
    });
    return graph;
}

function setFlame(graph, root, show, differs) {
    Object.assign(graph, {root, focus: root, active: root, show, differs, hues: huesOf(root)});
    drawFlame(graph);
}

function flameLegend(graph) {
    const known = [...graph.hues.entries()].filter(([module, hue]) => hue !== null && module).slice(0, 8);
    return known.map(([module, hue]) => {
        const mark = el('span.key.module', {}, baseName(module));
        mark.style.setProperty('--hue', hue);
        return mark;
    });
}

function flameSection(run) {
    const graph = makeFlame('flame', 'Flame graph');
    const legend = el('p.legend', {});
    const note = el('span.range', {});
    let metric = 'bytes';
    let phase = num(run.report.steady.allocations) > 0 ? 'steady' : 'all';
    const phases = select('Phase', PHASES, phase, value => {
        phase = value;
        draw();
    });
    let where = run.report.verdict.loop === 'allocates' && !run.left_out ? 'loop' : 'all';
    const places = select('Where', [['loop', 'the loop'], ['all', 'everywhere'], ...Object.entries(PLACES)], where, value => {
        where = value;
        draw();
    });
    const draw = () => {
        phases.hidden = !METRICS[metric].phases;
        note.textContent = METRICS[metric].phases ? '' : 'of the whole run';
        setFlame(graph, callTree(run, metric, phase, where), METRICS[metric].show, false);
        legend.replaceChildren(...flameLegend(graph));
    };
    draw();
    return section('flame', 'Flame graph', 'Callers above, what they call below; the width is the share. ' +
        'Live: in use at the end. Temporary: freed in the poll in which it was made.',
        el('div.controls', {}, choice('Figure', Object.entries(METRICS).map(([key, one]) => [key, one.text]), metric, value => {
            metric = value;
            draw();
        }), phases, places, note, graph.search, graph.reset, graph.result),
        graph.place, graph.readout, legend);
}
