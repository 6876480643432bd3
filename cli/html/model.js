/* SPDX-License-Identifier: MIT */
/* What the data says, added up as the page asks for it: names, amounts by phase and thread. */

const PHASES = [['steady', 'steady'], ['all', 'whole run'], ['startup', 'startup'],
                ['warm_up', 'warm-up'], ['shutdown', 'shutdown']];
const PLACES = {in_poll: 'in poll', between_polls: 'between polls', other_threads: 'other threads'};

function baseName(path) {
    return path ? path.slice(path.lastIndexOf('/') + 1) : '';
}

function lineName(line) {
    if (!line)
        return '(unknown)';
    if (line.function)
        return line.function;
    const offset = `0x${num(line.offset).toString(16)}`;
    return line.module ? `${baseName(line.module)}+${offset}` : offset;
}

function lineSource(line) {
    if (!line || !line.file)
        return '';
    return line.line ? `${line.file}:${line.line}` : line.file;
}

/* What names a stack: its function, or the innermost one that has a name; and where that is. */
function stackName(run, stack, named) {
    const lines = (stack || []).map(number => run.lines[number]);
    const line = lines[num(named)];
    if (!line)
        return {text: '(unknown)', detail: ''};
    const known = line.function ? line : lines.slice(num(named)).find(other => other.function);
    if (!known)
        return {text: lineName(line), detail: ''};
    if (known !== line)
        return {text: `${known.function} \u203a`, detail: lineName(line)};
    return {text: line.function, detail: line.file ? baseName(lineSource(line)) : baseName(line.module)};
}

/* The dump's numbers of sites are found again; what the page shows of one is worked out once. */
function prepare(run) {
    run.byId = new Map();
    run.sites.forEach(site => {
        run.byId.set(site.id, site);
        site.name = stackName(run, site.stack, site.named);
        site.words = (site.cadence_detail && site.cadence_detail.words) || site.cadence;
        site.searched = site.stack.map(number => run.lines[number])
            .map(line => `${lineName(line)} ${baseName(line.module)} ${line.file || ''}`).join('\n').toLowerCase();
    });
    run.unit = run.report.verdict.unit || 'poll';
    run.units = num(run.report.verdict.units);
    run.threads = new Map(run.report.threads.map(thread => [num(thread.id), thread]));
    return run;
}

function threadName(run, id) {
    const thread = run.threads.get(num(id));
    return thread ? `${thread.name || 'unnamed'} (${num(thread.id)})` : `thread ${num(id)}`;
}

const NOTHING = {};

/* A site's part of a phase ('all': of the run) and of a thread (null: of all). */
function amountOf(site, phase, thread) {
    let part = site;
    if (thread !== null && site.threads)
        part = site.threads.find(other => num(other.thread) === thread) || NOTHING;
    else if (thread !== null && num(site.thread) !== thread)
        part = NOTHING;
    if (phase === 'all')
        return part;
    return (part.phases && part.phases[phase]) || NOTHING;
}

function isIn(site, thread) {
    return thread === null || (site.threads ? site.threads.some(other => num(other.thread) === thread)
                                            : num(site.thread) === thread);
}

function perUnit(run, value) {
    return run.units > 0 ? num(value) / run.units : 0;
}

/* What became of the blocks, over the whole run, in parts that add up to all of them. Frees count as
 * later than the frame what is not known to be earlier. */
function lifetimes(site) {
    const all = num(site.allocations);
    const poll = Math.min(num(site.temporary), all);
    const frame = Math.min(Math.max(num(site.temporary_frame), poll), all);
    const live = Math.min(Math.max(num(site.live_blocks), 0), all - frame);
    return {all, poll, frame: frame - poll, later: all - frame - live, live};
}

/* --- trees of calls --------------------------------------------------------------------------- */

function node(name, module, line) {
    return {name, module, line, value: 0, before: 0, own: 0, children: new Map(), parent: null, depth: 0};
}

/* Adds `value` along a stack of lines, outermost first. `side`: 'value', or 'before'. */
function addStack(root, lines, value, side = 'value') {
    let at = root;
    at[side] += value;
    for (const line of lines) {
        const name = lineName(line);
        const key = `${name}\n${baseName(line.module)}`;
        let next = at.children.get(key);
        if (!next) {
            next = node(name, line.module, line);
            next.parent = at;
            next.depth = at.depth + 1;
            at.children.set(key, next);
        }
        next[side] += value;
        at = next;
    }
    at.own += value;
}

/* Whether they are of the whole run: the dump has no phases of them. */
const METRICS = {
    bytes: {text: 'bytes', of: (site, phase) => num(amountOf(site, phase, null).bytes), show: bytes, phases: true},
    allocations: {text: 'allocations', of: (site, phase) => num(amountOf(site, phase, null).allocations),
                  show: value => plural(value, 'allocation'), phases: true},
    live: {text: 'live', of: site => Math.max(0, num(site.live_bytes)), show: bytes, phases: false},
    temporary: {text: 'temporary', of: site => num(site.temporary_bytes), show: bytes, phases: false},
};

/* `where`: a place, 'loop' for both of the loop's, or 'all'. Of what is left out the place is not
 * known: it is in the tree of all. */
function isAt(site, where) {
    return where === 'all' || (where === 'loop' ? site.where !== 'other_threads' : site.where === where);
}

function callTree(run, metric, phase, where) {
    const root = node(run.report.program.name || 'all', null, null);
    for (const site of run.sites) {
        const value = isAt(site, where) ? METRICS[metric].of(site, phase) : 0;
        if (value > 0)
            addStack(root, site.stack.map(number => run.lines[number]).reverse(), value);
    }
    const left = run.left_out && where === 'all' ? METRICS[metric].of(run.left_out, phase) : 0;
    if (left > 0)
        addStack(root, [{function: `(${plural(run.left_out.count, 'site')} left out of this page)`}], left);
    return root;
}
