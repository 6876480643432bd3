/* SPDX-License-Identifier: MIT */
/* Puts the page together, of the one run or of the one that is chosen of two. */

const PARTS = [['summary', 'Summary', summarySection], ['time', 'Over time', timelineSection], ['sites', 'Sites', sitesSection],
               ['flame', 'Flame graph', flameSection], ['worst', 'Worst polls', worstSection], ['polls', 'Polls', histogramSection],
               ['lifetimes', 'Lifetimes', lifetimesSection], ['run', 'Program', factsSection]];

function masthead(data) {
    const run = data.runs[data.runs.length - 1];
    const {report} = run;
    const about = [`ran ${duration(num(report.run_seconds) * 1e9)}, ${report.program.state}`, report.sdl.version && `SDL ${report.sdl.version}`,
                   report.sdl.video_driver && `video ${report.sdl.video_driver}`].filter(Boolean).join(' \u00b7 ');
    return el('header.masthead', {}, el('p.product', {}, 'allocreport'),
        el('p.command', {}, el('code', {}, commandLine(report))), el('p.about', {}, about));
}

/* Which of two runs is shown below it. */
function runChoice(data, main) {
    const name = el('code', {}, '');
    const draw = index => {
        name.textContent = data.runs[index].report.dump.path;
        drawRun(data, main, index);
    };
    draw(1);
    return el('div.chosen', {}, el('div.controls', {}, el('b', {}, 'The run'),
        choice('Run', [[0, 'before'], [1, 'after']], 1, draw)), name);
}

function drawRun(data, main, index) {
    const run = data.runs[index];
    const parts = PARTS.map(([id, text, draw]) => [id, text, draw(run)]).filter(([, , part]) => part);
    main.replaceChildren(...parts.map(([, , part]) => part));
    const links = data.compare ? [['compare', 'Comparison'], ...parts] : parts;
    document.querySelector('nav').replaceChildren(...links.map(([id, text]) => el('a', {href: `#${id}`}, text)));
}

/* The part that is on the screen is marked above. */
function followScrolling() {
    const mark = () => {
        const links = [...document.querySelectorAll('nav a')];
        const parts = links.map(link => document.querySelector(link.getAttribute('href')));
        let at = parts.findLastIndex(part => part && part.getBoundingClientRect().top < innerHeight / 3);
        if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2)
            at = links.length - 1;
        links.forEach((link, i) => i === Math.max(0, at) ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current'));
    };
    addEventListener('scroll', mark, {passive: true});
    mark();
}

/* '/' searches, as people are used to. */
function searchKey(event) {
    const input = document.getElementById('sites-filter');
    if (event.key !== '/' || /^(input|select|textarea)$/i.test(event.target.tagName) || event.ctrlKey || event.metaKey || !input)
        return;
    event.preventDefault();
    input.scrollIntoView({block: 'center'});
    input.focus({preventScroll: true});
}

function start() {
    /* Characters that hide, or change the direction of writing, are shown as such in no name. */
    const data = JSON.parse(document.getElementById('data').textContent, (key, value) => typeof value === 'string'
        ? value.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd') : value);
    const main = el('main', {id: 'main'});
    data.runs.forEach(run => {
        prepare(run).compared = data.runs.length > 1;
    });
    document.body.append(el('a.skip', {href: '#main'}, 'To the report'), masthead(data), el('nav', {'aria-label': 'Parts of the report'}),
        data.compare && data.runs.length > 1 ? el('div.compared', {}, compareSection(data)) : '', main,
        el('footer', {}, 'B, kB and MB are decimal; a tilde stands before a value that is the least of its bucket. ' +
            'Steady: all polls after the warm-up. Temporary: freed in the poll in which it was made.'));
    if (data.runs.length > 1)
        main.before(runChoice(data, main));
    else
        drawRun(data, main, 0);
    followScrolling();
    document.addEventListener('keydown', searchKey);
    document.documentElement.dataset.ready = 'true';
}

start();
