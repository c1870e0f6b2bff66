/**
 * Compares exploration without reduction with Spin's verifier, where spin and gcc are installed (Debian: spin, gcc), on the
 * models of `bench/peers/`, which describe the same systems.
 *
 *     npx esbuild bench/exploration.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/exploration.mjs
 *     node out/bench/exploration.mjs [--rounds=5] [--table] [part of a case's name]
 *
 * First both count the states of each case, and the runner gives up where the numbers differ. Then they take turns, so that a
 * busy machine is unfair to none of them. Writes one line of JSON for each case: of processor seconds the median, the least
 * and the greatest; of Orbit's, also those from the start of the process to the verdict (`whole`), and of Spin's those of its
 * two compilers (`compile`), which its user waits for as well. Bytes are those of the tables of states: for Spin what its
 * verifier says, hash table and stack included, for Orbit the pages of the exploration. `--table` writes a table for
 * docs/benchmarks.md instead.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSearchOf } from '../engine/codegen/compiled-search.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { Exploration } from '../engine/explore/search.js';
import { linearize } from '../engine/sequential/linearize.js';
import { loadModel } from '../language-server/load-model.js';

interface Case {
    /** Of the files in `models/` and `bench/peers/`. */
    readonly model: string;
    readonly parameters: Readonly<Record<string, number>>;
    /** For Spin's verifier: the least depth limit that is enough, and the size of the hash table, as a power of two. */
    readonly depth: number;
    readonly tableBits: number;
}

const CASES: readonly Case[] = [
    { model: 'dining-philosophers', parameters: { N: 12 }, depth: 1_500_000, tableBits: 21 },
    { model: 'peterson', parameters: { N: 6 }, depth: 850_000, tableBits: 23 },
    { model: 'bounded-buffer', parameters: { P: 5, C: 5, K: 5 }, depth: 1_000_000, tableBits: 22 },
];

interface Run {
    readonly states: number;
    readonly transitions: number;
    /** Processor seconds of the search, and of the whole process. */
    readonly seconds: number;
    readonly wholeSeconds: number;
    readonly bytes: number;
}

interface Spread {
    readonly median: number;
    readonly least: number;
    readonly greatest: number;
}

const nameOf = ({ model, parameters }: Case): string =>
    `${model} ${Object.entries(parameters)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(',')}`;

/** In a process of its own: explores one case and prints the run. */
async function exploreOnce(name: string): Promise<void> {
    const chosen = CASES.find(each => nameOf(each) === name);
    if (chosen === undefined) {
        throw new Error(`there is no case ${name}`);
    }
    const values = Object.entries(chosen.parameters).map(([key, value]): [string, string] => [key, String(value)]);
    const file = `models/${chosen.model}.orbit`;
    const { model, problems } = await loadModel(readFileSync(file), `file:///${file}`, values);
    const { sequential } = model === undefined ? {} : linearize(model);
    if (sequential === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    const before = process.cpuUsage();
    const code = compileSearchOf(sequential);
    if (code.kind === 'interpreted') {
        throw new Error(`it is interpreted: ${code.reason}`);
    }
    const exploration = new Exploration(sequential, { continueAfterViolation: true, search: code.search });
    exploration.advance(UNLIMITED);
    const { user, system } = process.cpuUsage(before);
    const { report } = exploration.result();
    const whole = process.cpuUsage();
    const run: Run = {
        states: report?.states ?? 0,
        transitions: report?.transitions ?? 0,
        seconds: (user + system) / 1e6,
        wholeSeconds: (whole.user + whole.system) / 1e6,
        bytes: report?.peakBytes ?? 0,
    };
    process.stdout.write(JSON.stringify(run));
}

function runOrbit(each: Case): Run {
    const self = fileURLToPath(import.meta.url);
    return JSON.parse(execFileSync(process.execPath, [self, `--once=${nameOf(each)}`], { encoding: 'utf8' })) as Run;
}

/** The processor seconds of the children of a shell, which it prints at its end. */
function timed(command: string, folder: string): { readonly output: string; readonly seconds: number } {
    const { stdout, status, stderr } = spawnSync('sh', ['-c', `${command}\ntimes`], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) {
        throw new Error(`${command}: ${stderr}`);
    }
    const lines = stdout.trimEnd().split('\n');
    const times = [...(lines.at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    return {
        output: lines.slice(0, -2).join('\n'),
        seconds: times.reduce((total, [, minutes, seconds]) => total + Number(minutes) * 60 + Number(seconds), 0),
    };
}

/** Makes the verifier in a folder; the processor seconds that takes. */
function makeVerifier({ model, parameters }: Case, folder: string): number {
    const definitions = Object.entries(parameters).map(([name, value]) => `-D${name}=${String(value)}`);
    const text = resolve(`bench/peers/${model}.pml`);
    const options = '-O2 -DSAFETY -DNOREDUCE -DVECTORSZ=1024';
    return timed(`spin -a ${definitions.join(' ')} ${text} && gcc ${options} -o pan pan.c`, folder).seconds;
}

function runVerifier({ depth, tableBits }: Case, folder: string): Run {
    const { output, seconds } = timed(`./pan -c0 -m${String(depth)} -w${String(tableBits)}`, folder);
    if (output.includes('max search depth too small')) {
        throw new Error('the depth limit is too small');
    }
    const number = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? NaN);
    return {
        states: number(/([\d.e+]+) states, stored/),
        transitions: number(/([\d.e+]+) transitions/),
        seconds,
        wholeSeconds: seconds,
        bytes: number(/([\d.]+)\s+total actual memory usage/) * 2 ** 20,
    };
}

function spread(values: readonly number[]): Spread {
    const sorted = [...values].sort((first, second) => first - second);
    const middle = (sorted.length - 1) / 2;
    const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
    return { median, least: sorted[0] ?? NaN, greatest: sorted.at(-1) ?? NaN };
}

interface Comparison {
    readonly case: string;
    readonly states: number;
    readonly transitions: number;
    readonly rounds: number;
    readonly orbit: { readonly seconds: Spread; readonly whole: Spread; readonly bytesPerState: number };
    readonly spin: { readonly seconds: Spread; readonly compile: number; readonly bytesPerState: number };
    /** Spin's seconds over Orbit's, round by round. */
    readonly ratio: Spread;
}

function compare(each: Case, rounds: number): Comparison {
    const folder = mkdtempSync(join(tmpdir(), 'orbit-bench-'));
    try {
        const compile = makeVerifier(each, folder);
        const first = { orbit: runOrbit(each), spin: runVerifier(each, folder) };
        if (first.orbit.states !== first.spin.states) {
            const { orbit, spin } = first;
            throw new Error(`${nameOf(each)}: ${String(orbit.states)} states here, ${String(spin.states)} in Spin`);
        }
        const runs = Array.from({ length: rounds }, () => ({
            orbit: runOrbit(each),
            spin: runVerifier(each, folder),
        }));
        const { states, transitions } = first.orbit;
        const bytes = (run: Run): number => Math.round((run.bytes / states) * 10) / 10;
        return {
            case: nameOf(each),
            states,
            transitions,
            rounds,
            orbit: {
                seconds: spread(runs.map(({ orbit }) => orbit.seconds)),
                whole: spread(runs.map(({ orbit }) => orbit.wholeSeconds)),
                bytesPerState: bytes(first.orbit),
            },
            spin: {
                seconds: spread(runs.map(({ spin }) => spin.seconds)),
                compile,
                bytesPerState: bytes(first.spin),
            },
            ratio: spread(runs.map(({ orbit, spin }) => spin.seconds / orbit.seconds)),
        };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

function toRow({ case: name, states, orbit, spin, ratio }: Comparison): string {
    const seconds = ({ median, least, greatest }: Spread): string =>
        `${median.toFixed(2)} s (${least.toFixed(2)} - ${greatest.toFixed(2)})`;
    return [
        '',
        name,
        states.toLocaleString('en'),
        seconds(orbit.seconds),
        seconds(spin.seconds),
        `${ratio.median.toFixed(1)} (${ratio.least.toFixed(1)} - ${ratio.greatest.toFixed(1)})`,
        `${orbit.whole.median.toFixed(2)} s`,
        `${(spin.seconds.median + spin.compile).toFixed(2)} s`,
        orbit.bytesPerState.toFixed(1),
        spin.bytesPerState.toFixed(1),
        '',
    ]
        .join(' | ')
        .trim();
}

const TABLE_HEAD = `| Case | States | Orbit | Spin | Ratio | Orbit, whole | Spin, whole | Bytes per state | Spin's |
|---|---:|---:|---:|---:|---:|---:|---:|---:|`;

async function main(): Promise<void> {
    const options = process.argv.slice(2);
    const valueOf = (name: string): string | undefined =>
        options.find(option => option.startsWith(`--${name}=`))?.slice(name.length + 3);
    const once = valueOf('once');
    if (once !== undefined) {
        await exploreOnce(once);
        return;
    }
    if (['/usr/bin/spin', '/usr/bin/gcc'].some(program => !existsSync(program))) {
        throw new Error('spin and gcc are needed (Debian: apt-get install spin gcc)');
    }
    const rounds = Number(valueOf('rounds') ?? 5);
    const part = options.find(option => !option.startsWith('--')) ?? '';
    const isTable = options.includes('--table');
    if (isTable) {
        process.stdout.write(`${TABLE_HEAD}\n`);
    }
    for (const each of CASES.filter(candidate => nameOf(candidate).includes(part))) {
        const comparison = compare(each, rounds);
        process.stdout.write(`${isTable ? toRow(comparison) : JSON.stringify(comparison)}\n`);
    }
}

await main();
