/**
 * Searches over `orbit expand` beside the engine: docs/scale/sort.sh and docs/scale/dask.py with 1, 2 and 7 parts, and the
 * filter alone on all states at once. Counts of states, transitions and levels must be those of `orbit explore`.
 *
 *     npm run bench scale 1 [-- 'dining-philosophers N=12, sort'] [-- --write]
 *
 * Needs Python with Dask's `distributed` (Debian package python3-distributed), and two cores. Processor time is that of all
 * processes together, the start of each filter included; for the filter alone it is per state, without the start.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
    benchOptions,
    COMMAND_LINE,
    formatSpread,
    head,
    measured,
    modelCaseName,
    needPrograms,
    orbitCommand,
    report,
    ROOT,
    row,
    spread,
    withFolder,
    type ModelCase,
    type Spread,
} from './measure.js';

interface Case extends ModelCase {
    readonly options: readonly string[];
}

const DINING: ModelCase = { model: 'dining-philosophers', parameters: { N: 12 } };
const MODELS: readonly Case[] = [
    { ...DINING, options: [] },
    { model: 'german-cache', parameters: { N: 4 }, options: [] },
    { model: 'three-tier', parameters: { clients: [4, 4, 3] }, options: [] },
    // Its other property is about runs.
    { model: 'hypercube', parameters: { D: 6 }, options: ['--property', 'oneMessage'] },
    { ...DINING, options: ['--reduction', 'none'] },
];
const PARTS = [1, 2, 7] as const;

type Driver = 'sort' | 'dask' | 'filter' | 'filter, records';

interface Run extends Case {
    readonly driver: Driver;
    readonly parts: number;
}

const RUNS: readonly Run[] = MODELS.flatMap(each => [
    { ...each, driver: 'filter' as const, parts: 1 },
    { ...each, driver: 'filter, records' as const, parts: 1 },
    ...(['sort', 'dask'] as const).flatMap(driver => PARTS.map(parts => ({ ...each, driver, parts }))),
]);

interface Result {
    readonly case: string;
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    /** Of the filter alone microseconds for each state, else seconds. */
    readonly processor: Spread;
    readonly wallSeconds: Spread;
    /** Processor seconds of a filter that reads nothing. */
    readonly startSeconds?: Spread;
}

/** Finds the Python that has Dask. */
function python(): string {
    const candidates = ['python3', '/usr/bin/python3'];
    const found = candidates.find(each => spawnSync(each, ['-c', 'import distributed']).status === 0);
    if (found === undefined) {
        throw new Error('needed: distributed (on Debian: apt-get install python3-distributed)');
    }
    return found;
}

function nameOf({ driver, parts, options, ...model }: Run): string {
    const all = options.includes('none') ? ', all states' : '';
    const way = driver.startsWith('filter') ? driver : `${driver}, ${parts} ${parts === 1 ? 'part' : 'parts'}`;
    return `${modelCaseName(model)}${all}, ${way}`;
}

interface Counts {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
}

/** The engine's own; once for each model. */
const known = new Map<Case['options'], Counts>();

function countsOfEngine(each: Case, folder: string): Counts {
    const found = known.get(each.options);
    if (found !== undefined) {
        return found;
    }
    const reduction = each.options.includes('--reduction') ? [] : ['--reduction', 'unique'];
    const words = orbitCommand('explore', each, ...each.options, ...reduction, '--continue', '--passes', 'none');
    const { output } = measured(words, folder, [0, 1]);
    const { states, transitions, depth } = JSON.parse(output) as Counts;
    known.set(each.options, { states, transitions, depth });
    return { states, transitions, depth };
}

/** The words of `orbit expand` on a case, without `--json`; with the certificate unless there is no reduction. */
function expandWords(each: Case, folder: string): string[] {
    const certificate = join(folder, 'certificate.json');
    const words = orbitCommand('expand', each, ...each.options).slice(1, -1);
    if (each.options.includes('none')) {
        return words;
    }
    measured(orbitCommand('verify', each, '--output', certificate), folder);
    return [...words, '--certificate', certificate];
}

/** What a driver prints: `140536 states, 1077078 transitions, depth 44`. */
function runDriver({ driver, parts, ...each }: Run, folder: string, round: number) {
    const [, , model = '', ...options] = expandWords(each, folder);
    const states = join(folder, `states-${round}`);
    const script = join(ROOT, `docs/scale/${driver === 'sort' ? 'sort.sh' : 'dask.py'}`);
    const words =
        driver === 'sort'
            ? ['sh', script, '--jobs', `${parts}`, '--continue', states, model, ...options]
            : [python(), script, '--workers', '2', '--partitions', `${parts}`, '--continue', states, model, ...options];
    process.env['ORBIT'] = `${process.execPath} ${COMMAND_LINE}`;
    const run = measured(words, folder, [0, 1]);
    const [, found = '', transitions = '', depth = ''] =
        /^(\d+) states, (\d+) transitions, depth (\d+)\n/.exec(run.output) ?? [];
    // The deadlock of the philosophers, with a run that was replayed.
    const hasRun = run.output.includes('violated: deadlock after 12 steps');
    if (each.model === DINING.model && !hasRun) {
        throw new Error(`${driver}: no run to the deadlock`);
    }
    return {
        ...run,
        counts: { states: Number(found), transitions: Number(transitions), depth: Number(depth) },
        states,
    };
}

/** The filter alone on all states, which `sort.sh` finds before. */
function runFilter(run: Run, folder: string, rounds: number): Result {
    const { states, counts } = runDriver({ ...run, driver: 'sort', parts: 1 }, folder, 0);
    const levels = readdirSync(states).filter(name => name.startsWith('level-'));
    const lines = levels.map(name => readFileSync(join(states, name), 'latin1')).join('');
    const isRecords = run.driver !== 'filter';
    const digits = lines.indexOf('\n');
    const padded = digits % 2 === 0 ? lines : lines.replaceAll('\n', '0\n');
    const input = join(folder, 'input');
    writeFileSync(input, isRecords ? Buffer.from(padded.replaceAll('\n', ''), 'hex') : lines);
    const words = [
        ...expandWords(run, folder),
        '--verdicts',
        join(folder, 'verdicts'),
        ...(isRecords ? ['--binary'] : []),
    ];
    const seconds = (file: string): number => {
        const descriptor = openSync(file, 'r');
        const output = openSync(join(folder, 'output'), 'w');
        const cost = join(folder, 'cost.txt');
        const call = ['-q', '-f', '%U %S', '-o', cost, process.execPath, ...words];
        const { status } = spawnSync('/usr/bin/time', call, { stdio: [descriptor, output, 'inherit'] });
        [descriptor, output].forEach(closeSync);
        if (status !== 0) {
            throw new Error(`the filter has ended with ${status}`);
        }
        return readFileSync(cost, 'utf8')
            .trim()
            .split(' ')
            .reduce((sum, part) => sum + Number(part), 0);
    };
    const pairs = Array.from({ length: Math.max(3, rounds) }, () => [seconds('/dev/null'), seconds(input)] as const);
    const [, read = ''] = /^# (\d+) read/m.exec(readFileSync(join(folder, 'verdicts'), 'utf8')) ?? [];
    if (Number(read) !== counts.states) {
        throw new Error(`${read} of ${counts.states} states were read`);
    }
    return {
        case: nameOf(run),
        ...counts,
        processor: spread(pairs.map(([start, whole]) => ((whole - start) * 1e6) / counts.states)),
        wallSeconds: spread([0]),
        startSeconds: spread(pairs.map(([start]) => start)),
    };
}

function measure(run: Run, rounds: number): Result {
    return withFolder(folder => {
        const expected = countsOfEngine(run, folder);
        const result = run.driver.startsWith('filter') ? runFilter(run, folder, rounds) : resultOf(run, folder, rounds);
        for (const name of ['states', 'transitions', 'depth'] as const) {
            if (result[name] !== expected[name]) {
                throw new Error(`${result.case}: ${result[name]} ${name}, the engine ${expected[name]}`);
            }
        }
        return result;
    });
}

function resultOf(run: Run, folder: string, rounds: number): Result {
    const runs = Array.from({ length: rounds }, (_, round) => runDriver(run, folder, round));
    const [first] = runs;
    if (first === undefined) {
        throw new Error('there is at least one round');
    }
    return {
        case: nameOf(run),
        ...first.counts,
        processor: spread(runs.map(({ seconds }) => seconds)),
        wallSeconds: spread(runs.map(({ wallSeconds }) => wallSeconds)),
    };
}

const options = benchOptions(process.argv.slice(2), 1);
needPrograms('sort', 'comm', 'awk');
report(RUNS, options, {
    nameOf,
    measure: each => measure(each, options.rounds),
    head: head('Case', 'States', 'Transitions', 'Depth', 'Processor time', 'By the clock', 'Start'),
    row: ({ case: name, states, transitions, depth, processor, wallSeconds, startSeconds }) =>
        row(
            name,
            states,
            transitions,
            depth,
            startSeconds === undefined ? formatSpread(processor) : `${formatSpread(processor, ' µs', 1)} a state`,
            startSeconds === undefined ? formatSpread(wallSeconds, ' s', 0) : '',
            startSeconds === undefined ? '' : formatSpread(startSeconds),
        ),
});
