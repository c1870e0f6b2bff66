/**
 * The drivers in docs/scale, with the command as it ships: the counts of a model that were made by hand, a run to a
 * violation, and the same after a process was lost. bench/scale.ts has large models.
 */
// @module-tag long
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provideCommand } from '../cli/command.js';

/** Each starts the command dozens of times. */
const THOROUGH = { tags: 'thorough', timeout: 120_000 };

const folder = mkdtempSync(join(tmpdir(), 'orbit-scale-'));
const model = join(folder, 'a lock.orbit');
const command = `${process.execPath} ${join(folder, 'cli.cjs')}`;
const scripts = resolve('docs/scale');

/** Orbits are told apart by how many of the processes are in the middle, up to where the invariant is violated twice. */
const LOCK = `
model Lock
param N: 1 .. 9 = 3
type Id = 1 .. N
process P[i: Id] { loop { enter: skip; leave: skip } }
invariant alone = count(i in Id: P[i] at leave) <= N - 2
`;

/** Only the last cell can become false with the first step, and an orbit is stored with the first one. */
const MOVED_START = `
var x: bool[0 .. 3] = true
var z: 0 .. 3 = 3
process P { loop { choose i in 0 .. 3 { when z != i { z := i } } or { when x[z] { x[z] := false } } } }
process Q {
    loop {
        choose { assert x[0] } or { assert x[1] } or { assert x[2] }
        or { assert x[3] }
    }
}
`;
/** Of the last assertion. */
const PLACE_OF_RUN = '8:14';

/** N + 1 orbits, N firings of each. */
const COUNTS = '4 states, 12 transitions, depth 3';
/** Without reduction: the subsets of three processes. */
const ALL_COUNTS = '8 states, 24 transitions, depth 3';
/** The first level with two of them in the middle is not the last. */
const COUNTS_TO_VIOLATION = '4 states, 9 transitions, depth 3';

beforeAll(async () => {
    await provideCommand(folder);
    writeFileSync(model, LOCK);
}, 120_000);

afterAll(() => {
    rmSync(folder, { recursive: true });
});

interface Ended {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Ended {
    const { FORCE_COLOR: _, ...inherited } = process.env;
    const [program = '', ...rest] = words;
    const env = { ...inherited, ORBIT: command, ...environment };
    const { status, stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8', env, timeout: 100_000 });
    return { exitCode: status, stdout, stderr };
}

/** A command that does as `orbit` does, but the first time that `condition` of the shell holds it is ended in its midst. */
function endedOnce(name: string, condition: string, end: string): string {
    const path = join(folder, name);
    const lines = [
        '#!/bin/sh',
        `if ${condition} && mkdir "${path}-was-here" 2> /dev/null; then`,
        // It has answered one line, and goes before the others.
        `    sed 1q | ${command} "$@"`,
        `    ${end}`,
        'fi',
        `exec ${command} "$@"`,
    ];
    writeFileSync(path, `${lines.join('\n')}\n`);
    chmodSync(path, 0o755);
    return path;
}

/** Calls that read states, which have their words in no fixed place. */
const READS_STATES = 'case " $* " in *--initial*|*--identity*|*--run*) false ;; esac';

/** What a crash of the machine may leave of a file. */
const LOSSES: readonly ((bytes: Buffer) => Buffer)[] = [
    () => Buffer.alloc(0),
    bytes => bytes.subarray(0, bytes.length / 2),
    bytes => bytes.subarray(bytes.indexOf('\n') + 1),
    bytes => Buffer.alloc(bytes.length),
];

/** Goes on with a search that has lost something of a file, and with one that has lost nothing. */
function expectLossesTold(name: string, file: string, goOn: (name: string) => Ended): void {
    for (const [number, lose] of LOSSES.entries()) {
        const lossy = `${name}-${number}`;
        cpSync(join(folder, name), join(folder, lossy), { recursive: true });
        const path = join(folder, lossy, file);
        writeFileSync(path, lose(readFileSync(path)));
        expect(goOn(lossy)).toMatchObject({
            exitCode: 2,
            stdout: '',
            stderr: expect.stringContaining(path) as string,
        });
    }
    expect(goOn(name)).toMatchObject({ exitCode: 0 });
}

/** What a driver prints with a violation: the counts, the verdict with its state, the run. */
function expectRun({ exitCode, stdout }: Ended, counts: string): void {
    expect(stdout.split('\n').slice(0, 2)).toEqual([counts, expect.stringMatching(/^! invariant alone [0-9a-f]+$/)]);
    expect(stdout).toContain('violated: invariant alone after 2 steps');
    // Each step is one of the model, by a process that has not entered yet.
    expect(new Set(stdout.match(/P\[\d\] enter {2}line/g)).size).toBe(2);
    expect(exitCode).toBe(1);
}

/** The version before told the place in the stored state, which no run of this length shows. */
function expectPlaceOfRun({ exitCode, stdout }: Ended): void {
    const [, verdict, , headline] = stdout.split('\n');
    expect(verdict).toMatch(new RegExp(`^! fault assert ${PLACE_OF_RUN} [0-9a-f]+$`));
    expect(headline).toMatch(new RegExp(`^violated: fault assert after 2 steps .*:${PLACE_OF_RUN}$`));
    expect(exitCode).toBe(1);
}

describe('sort.sh', () => {
    const sort = (
        [jobs, name, options]: readonly [number, string, string],
        environment?: Readonly<Record<string, string>>,
    ): Ended => {
        const rest = options.split(' ').filter(word => word !== '');
        const own = rest.filter(word => word === '--continue');
        const others = rest.filter(word => word !== '--continue');
        const words = ['--jobs', String(jobs), ...own, join(folder, name), model, ...others];
        return run(['sh', join(scripts, 'sort.sh'), ...words], environment);
    };

    test('with seven parts of each level counts all states, and prints a run', { timeout: 120_000 }, () => {
        expectRun(sort([7, 'all', '--continue --reduction none']), ALL_COUNTS);
        const levels = readdirSync(join(folder, 'all')).filter(name => name.startsWith('level'));
        const text = levels.map(name => readFileSync(join(folder, 'all', name), 'utf8'));
        expect(text.map(states => states.split('\n').length - 1)).toEqual([1, 3, 3, 1, 0]);
        text.forEach(states => {
            expect(states.split('\n').slice(0, -1)).toEqual([...new Set(states.split('\n').slice(0, -1))].sort());
        });
        const other = sort([1, 'all', '--continue --reduction none --param N=4']);
        expect(other).toMatchObject({ exitCode: 2, stdout: '' });
        expect(other.stderr).toContain('these states are of another expansion');
    });

    test('tells the place of its run where the start is not symmetric', THOROUGH, () => {
        const path = join(folder, 'moved.orbit');
        writeFileSync(path, MOVED_START);
        expectPlaceOfRun(run(['sh', join(scripts, 'sort.sh'), join(folder, 'moved'), path]));
    });

    // The version before added its transitions: 15.
    test('counts no level that is not of this search', THOROUGH, () => {
        expect(sort([1, 'stray', '--continue']).stdout).toContain(COUNTS);
        cpSync(join(folder, 'stray/verdicts-000002'), join(folder, 'stray/verdicts-000019'));
        expect(sort([1, 'stray', '--continue']).stdout).toContain(COUNTS);
    });

    test('ends with 2 if a filter was ended, and then goes on from the last whole level', THOROUGH, () => {
        const killed = endedOnce('killed', `[ -e "${folder}/first/verdicts-000000" ] && ${READS_STATES}`, 'kill -9 $$');
        const first = sort([1, 'first', ''], { ORBIT: killed });
        expect(first.exitCode).toBe(137);
        expect(readdirSync(join(folder, 'first'))).toEqual([
            'identity',
            'level-000000',
            'level-000001',
            'sum-level-000000',
            'sum-level-000001',
            'sum-verdicts-000000',
            'verdicts-000000',
        ]);
        expectRun(sort([2, 'first', '']), COUNTS_TO_VIOLATION);
    });

    // The version before went on without the states: exit code 0, and fewer states.
    test.each(['level-000000', 'level-000002', 'level-000003', 'verdicts-000001'])(
        'ends with 2 and the name of %s if that has lost something',
        THOROUGH,
        file => {
            const name = `lossy-${file}`;
            const goOn = (each: string): Ended => sort([1, each, '--continue --reduction none --property deadlock']);
            expect(goOn(name)).toMatchObject({ exitCode: 0, stdout: `${ALL_COUNTS}\n` });
            expectLossesTold(name, file, goOn);
        },
    );
});

/** A Python with a module, if there is one. */
function pythonWith(module: string): string | undefined {
    const candidates = ['python3', '/usr/bin/python3'];
    return candidates.find(python => spawnSync(python, ['-c', `import ${module}`]).status === 0);
}

const withDask = pythonWith('distributed');

describe.runIf(withDask !== undefined)('dask.py', { tags: 'thorough' }, () => {
    const dask = (name: string, options: string, environment?: Readonly<Record<string, string>>): Ended =>
        run(
            [
                withDask ?? '',
                join(scripts, 'dask.py'),
                '--workers',
                '2',
                join(folder, name),
                model,
                ...options.split(' '),
            ],
            environment,
        );

    test('with one partition counts all states, and prints a run', { timeout: 120_000 }, () => {
        expectRun(dask('dask-1', '--continue --partitions 1 --reduction none'), ALL_COUNTS);
    });

    test(
        'with two counts the same if a worker is lost, and goes on, with states of this model alone',
        { timeout: 120_000 },
        () => {
            // The filter is a child of the worker.
            const kills = endedOnce('kills', READS_STATES, 'kill -9 $PPID');
            expectRun(dask('dask-2', '--partitions 2', { ORBIT: kills }), COUNTS_TO_VIOLATION);
            expect(existsSync(`${kills}-was-here`)).toBe(true);
            expectRun(dask('dask-2', '--continue'), COUNTS);
            expect(dask('dask-2', '--param N=4')).toMatchObject({
                exitCode: 2,
                stdout: '',
                stderr: expect.stringContaining('these states are of another expansion') as string,
            });
        },
    );

    test.each(['level-000000/0', 'level-000003/0', 'manifest.json'])(
        'ends with 2 and the name of %s if that has lost something',
        { timeout: 120_000 },
        file => {
            const name = `lossy-dask-${file.slice(0, 12)}`;
            const goOn = (each: string): Ended =>
                dask(each, '--partitions 1 --continue --reduction none --property deadlock');
            expect(goOn(name)).toMatchObject({ exitCode: 0, stdout: `${ALL_COUNTS}\n` });
            expectLossesTold(name, file, goOn);
        },
    );

    test('with seven counts the same if a task fails once and runs again', { timeout: 120_000 }, () => {
        const fails = endedOnce('fails', READS_STATES, 'exit 1');
        expectRun(dask('dask-7', '--partitions 7', { ORBIT: fails }), COUNTS_TO_VIOLATION);
    });
});

const withoutSpark = pythonWith('argparse');

/** Spark itself is too large for a test; the stand-in does what its documentation says of what is used. */
describe.runIf(withoutSpark !== undefined)('spark.py, on a stand-in', { tags: 'thorough' }, () => {
    const spark = (
        name: string,
        options: string,
        environment?: Readonly<Record<string, string>>,
        path: string = model,
    ): Ended =>
        run([withoutSpark ?? '', join(scripts, 'spark.py'), join(folder, name), path, ...options.split(' ')], {
            PYTHONPATH: resolve('test/scale/stand-in'),
            ...environment,
        });

    test('tells the place of its run where the start is not symmetric', { timeout: 120_000 }, () => {
        const path = join(folder, 'moved-spark.orbit');
        writeFileSync(path, MOVED_START);
        expectPlaceOfRun(spark('spark-moved', '--partitions 2', {}, path));
    });

    test('counts the states and prints a run, also if a task fails once', { timeout: 120_000 }, () => {
        const fails = endedOnce('spark-fails', READS_STATES, 'exit 1');
        expectRun(spark('spark-failed', '--partitions 2', { ORBIT: fails }), COUNTS_TO_VIOLATION);
        expect(existsSync(`${fails}-was-here`)).toBe(true);
    });
});
