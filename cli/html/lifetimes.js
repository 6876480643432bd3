/* SPDX-License-Identifier: MIT */
/* How long blocks live, counted in polls and frames. */

const LIVES = [['poll', 'freed in the same poll'], ['frame', 'in the same frame'], ['later', 'later'], ['live', 'never, or not yet']];

function lifeBar(life) {
    if (!(life.all > 0))
        return null;
    const text = LIVES.filter(([key]) => life[key] > 0)
        .map(([key, words]) => `${percent(life[key], life.all)} ${words}`).join(', ');
    return el('div.life', {role: 'img', 'aria-label': text, title: text}, LIVES.map(([key]) => {
        const part = el(`i.${key}`, {});
        part.style.flexGrow = life[key];
        return life[key] > 0 && part;
    }));
}

function addLives(sum, life) {
    for (const key of Object.keys(sum))
        sum[key] += life[key];
    return sum;
}

function lifetimesSection(run) {
    const all = [...run.sites, ...(run.left_out ? [run.left_out] : [])].map(lifetimes)
        .reduce(addLives, {all: 0, poll: 0, frame: 0, later: 0, live: 0});
    if (all.all === 0)
        return null;
    const most = run.sites.map(site => ({site, life: lifetimes(site)})).sort((a, b) => b.life.all - a.life.all).slice(0, 10);
    const row = (name, life) => [name, count(life.all), lifeBar(life), percent(life.poll, life.all), percent(life.frame, life.all),
                                 percent(life.later, life.all), percent(life.live, life.all)];
    return section('lifetimes', 'Lifetimes', 'When the blocks of the whole run were freed, in polls and frames after they were made; ' +
        'the ten sites that made most.',
        table('lifetimes', [['site', 'name'], ['blocks', 'number'], ['', 'fill'], ['same poll', 'number poll'],
                            ['same frame', 'number frame'], ['later', 'number later'], ['in use', 'number live']],
            [row(el('b', {}, 'all sites'), all), ...most.map(({site, life}) => row(el('button.link', {
                type: 'button', onclick: () => showSite(site.id)}, el('code', {}, site.name.text)), life))]));
}
