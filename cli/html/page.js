/* SPDX-License-Identifier: MIT */
/*
 * What all parts of the page are made with. Names come from dumps: they become text nodes and
 * attributes' values, never markup.
 */

/* el('td.number', {title: 'x', onclick: f}, child, ...): children are nodes, texts, lists, or nothing. */
function make(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value === undefined || value === null || value === false)
            continue;
        if (name.startsWith('on'))
            node.addEventListener(name.slice(2), value);
        else
            node.setAttribute(name, value === true ? '' : value);
    }
    for (const child of children.flat(Infinity))
        if (child !== undefined && child !== null && child !== false)
            node.append(child);
    return node;
}

function el(name, attributes, ...children) {
    const [tag, ...classes] = name.split('.');
    const node = document.createElement(tag);
    if (classes.length > 0)
        node.className = classes.join(' ');
    return make(node, attributes, children);
}

function svg(name, attributes, ...children) {
    const [tag, ...classes] = name.split('.');
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    if (classes.length > 0)
        node.setAttribute('class', classes.join(' '));
    return make(node, attributes, children);
}

/* A part of the page with a heading, and a line under it that says what it shows. */
function section(id, title, lead, ...children) {
    return el('section', {id, 'aria-labelledby': `${id}-title`},
        el('h2', {id: `${id}-title`}, title), lead && el('p.lead', {}, lead), children);
}

/* Buttons of which one is chosen: [[value, text], ...]. */
function choice(label, values, chosen, choose) {
    const buttons = values.map(([value, text]) => el('button', {
        type: 'button', 'data-value': value, 'aria-pressed': String(value === chosen),
        onclick() {
            buttons.forEach(button => button.setAttribute('aria-pressed', String(button === this)));
            choose(value);
        },
    }, text));
    return el('div.choice', {role: 'group', 'aria-label': label}, buttons);
}

function select(label, values, chosen, choose) {
    return el('label.field', {}, el('span', {}, label),
        el('select', {onchange() { choose(this.value); }}, values.map(([value, text]) =>
            el('option', {value, selected: value === chosen}, text))));
}

function search(label, id, input) {
    return el('label.field.search', {}, el('span', {}, label),
        el('input', {id, type: 'search', spellcheck: 'false', autocomplete: 'off', oninput() { input(this.value); }}));
}

/* columns: [[text, class], ...]; a row is a list of cells, a cell a node, a text or nothing. */
function table(name, columns, rows) {
    return el('div.scroll', {}, el(`table.${name}`, {},
        el('thead', {}, el('tr', {}, columns.map(([text, kind]) => el('th', {scope: 'col', class: kind}, text)))),
        el('tbody', {}, rows.map(row => el('tr', {}, row.map((value, i) =>
            el('td', {class: columns[i][1]}, value)))))));
}

/* Terms and what they are: [[term, value], ...]; without those that have none. */
function facts(list) {
    return el('dl.facts', {}, list.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))));
}

function bar(share, kind = '') {
    const inner = el('i', {});
    inner.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
    return el('span.bar', {class: `bar ${kind}`, 'aria-hidden': 'true'}, inner);
}

/* Draws again when the place that it draws in becomes wider or narrower. */
function whenResized(node, draw) {
    let width = 0;
    new ResizeObserver(() => {
        if (node.clientWidth !== width && node.clientWidth > 0) {
            width = node.clientWidth;
            draw(width);
        }
    }).observe(node);
}

function goTo(id) {
    const node = document.getElementById(id);
    if (node)
        node.scrollIntoView({block: 'start'});
    return node;
}
