/* SPDX-License-Identifier: MIT */
/* The rest: loops, events, threads, the process, what was lost. */

function loopsTable(run) {
    const {loops} = run.report;
    return loops.length > 0 && [el('h3', {}, 'Loops'), table('loops',
        [['place that polls', 'name'], ['polls', 'number'], ['bytes/poll', 'number'], ['polls/s', 'number'], ['allocating', 'number']],
        loops.map(loop => {
            const name = stackName(run, loop.stack, loop.named);
            return [[el('code', {}, name.text), ' ', el('span.detail', {}, name.detail)], count(loop.polls), short(num(loop.bytes_per_poll)),
                    short(num(loop.polls_per_second)), percent(num(loop.allocating), num(loop.polls))];
        })), run.report.loops_left_out && el('p.small', {}, `${plural(run.report.loops_left_out, 'loop')} left out`)];
}

function eventsTable(run) {
    const events = run.polls.by_event;
    return events && events.length > 0 && [el('h3', {}, 'By event'),
        el('p.small', {}, 'What drains allocated in their polls, by the types of event that they brought; alone: of drains that brought nothing else.'),
        table('events', [['event', ''], ['events', 'number'], ['drains', 'number'], ['bytes', 'number'], ['alone: drains', 'number minor'],
                         ['bytes', 'number minor']],
            events.map(event => [event.event, count(event.events), count(event.drains), bytes(event.bytes),
                                 count(event.alone_drains), bytes(event.alone_bytes)]))];
}

function threadsTable(run) {
    return [el('h3', {}, 'Threads'), table('threads',
        [['thread', ''], ['polls', 'number'], ['allocations', 'number'], ['bytes', 'number'], ['steady bytes', 'number minor'], ['in use', 'number minor']],
        run.report.threads.map(thread => [
            [el('code', {}, thread.name || 'unnamed'), ' ', el('span.detail', {}, num(thread.threads) > 1 ? `${count(thread.threads)} threads` : `tid ${num(thread.tid)}`)],
            count(thread.polls), count(thread.allocations), bytes(thread.bytes), bytes((thread.steady || NOTHING).bytes), bytes(thread.live_bytes)])),
        run.report.threads_left_out && el('p.small', {}, `${plural(run.report.threads_left_out, 'thread')} left out`)];
}

function patchFacts(patch) {
    return patch && [el('h3', {}, 'Patched poll'), facts([
        ['Asked for in polls', plural(patch.requests, 'allocation')], ['Served without the heap', count(patch.served)],
        ['Heap calls in steady polls', count(patch.steady_heap_calls)],
    ])];
}

function factsSection(run) {
    const {report} = run;
    const losses = Object.entries(report.losses || {}).filter(([, value]) => num(value) > 0)
        .map(([key, value]) => `${key} ${count(value)}`).join(', ');
    return section('run', 'The program', null,
        loopsTable(run), eventsTable(run), threadsTable(run), patchFacts(report.patch),
        el('h3', {}, 'Recording'), facts([
            ['Command', el('code', {}, commandLine(report))], ['Directory', report.program.directory && el('code', {}, report.program.directory)],
            ['Process', `${count(report.program.pid).replace(/,/g, '')}, ${report.program.state}`],
            ['SDL', [report.sdl.version, report.sdl.video_driver && `video ${report.sdl.video_driver}`,
                     report.sdl.audio_driver && `audio ${report.sdl.audio_driver}`].filter(Boolean).join(', ')],
            ['Heap', `${plural(report.memory.heap_growths, 'growth')}, ${plural(report.memory.mapped_blocks, 'mapping')}, ` +
                `${plural(num(report.memory.minor_faults) + num(report.memory.major_faults), 'page fault')}`],
            ['Dump', el('code', {}, report.dump.path)],
            ['Recorder', `${report.dump.recorder || 'unknown'}, dump format ${num(report.dump.version)}; page by allocreport ${report.allocreport}`],
            ['Lost', losses || 'nothing'],
        ]),
        (report.notes || []).length > 0 && el('ul.notes', {}, report.notes.map(note => el('li', {}, note.text))));
}
