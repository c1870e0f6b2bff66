/**
 * Compares exploration without reduction with Spin's verifier, where spin and gcc are installed (Debian: spin, gcc), on the
 * models of `bench/peers/*.pml`, which describe the same systems.
 *
 *     npm run bench spin [rounds] [-- part of a case's name]
 *
 * First both count the states of each case, and the runner gives up where the numbers differ. Then they take turns, so that a
 * busy machine is unfair to none of them. Of processor seconds: those of the search (`seconds`, code generation included), and
 * those from the command to the verdict (`whole`); for Spin the latter are those of the verifier and of its two compilers,
 * which its user waits for as well. Bytes are those of the tables of states: for Spin what its verifier says, hash table and
 * stack included, for Orbit the pages of the exploration; `peak` is the greatest resident set.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { startExploration } from '../engine/pipeline.js';
import { linearize } from '../engine/sequential/linearize.js';
import { loadModel } from '../language-server/load-model.js';
import {
    benchOptions,
    type Cost,
    formatMegabytes,
    formatSpread,
    head,
    measured,
    modelCaseName,
    modelFile,
    type ModelCase,
    needPrograms,
    orbitCommand,
    report,
    ROOT,
    row,
    type Spread,
    spread,
    withFolder,
} from './measure.js';

interface Case extends ModelCase {
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

/** A search in a process of its own. */
interface Search {
    readonly states: number;
    readonly transitions: number;
    readonly seconds: number;
    readonly bytes: number;
}

/** In a process of its own: explores one case and prints the search. */
async function exploreOnce(name: string): Promise<void> {
    const chosen = CASES.find(each => modelCaseName(each) === name);
    if (chosen === undefined) {
        throw new Error(`there is no case ${name}`);
    }
    const values = Object.entries(chosen.parameters).map(([key, value]): [string, string] => [key, String(value)]);
    const file = modelFile(chosen.model);
    const { model, problems } = await loadModel(readFileSync(file), `file://${file}`, values);
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    const linearized = { model, ...linearize(model) };
    const before = process.cpuUsage();
    const started = startExploration(linearized, { reduction: 'none', continueAfterViolation: true }, UNLIMITED);
    if (started.interpretedBecause !== undefined) {
        throw new Error(`it is interpreted: ${started.interpretedBecause}`);
    }
    started.exploration.advance(UNLIMITED);
    const { user, system } = process.cpuUsage(before);
    const { report: found } = started.exploration.result();
    const search: Search = {
        states: found?.states ?? 0,
        transitions: found?.transitions ?? 0,
        seconds: (user + system) / 1e6,
        bytes: found?.peakBytes ?? 0,
    };
    process.stdout.write(JSON.stringify(search));
}

interface Run extends Search {
    /** From the command to the verdict. */
    readonly whole: Cost;
}

function runOrbit(each: Case, folder: string): Run {
    const self = fileURLToPath(import.meta.url);
    const { output } = measured([process.execPath, self, `--once=${modelCaseName(each)}`], folder);
    const words = ['--reduction', 'none', '--continue', '--workers', '1'];
    const whole = measured(orbitCommand('explore', each, ...words), folder, [0, 1]);
    const { states } = JSON.parse(whole.output) as { states: number };
    const search = JSON.parse(output) as Search;
    if (states !== search.states) {
        throw new Error(`${modelCaseName(each)}: ${states} states by command, ${search.states} in the bench`);
    }
    return { ...search, whole };
}

/** Makes the verifier in a folder. */
function makeVerifier({ model, parameters }: Case, folder: string): Cost {
    const definitions = Object.entries(parameters).map(([name, value]) => `-D${name}=${value}`);
    const text = resolve(ROOT, `bench/peers/${model}.pml`);
    const options = '-O2 -DSAFETY -DNOREDUCE -DVECTORSZ=1024';
    return measured(['sh', '-c', `spin -a ${definitions.join(' ')} ${text} && gcc ${options} -o pan pan.c`], folder);
}

function runVerifier({ depth, tableBits }: Case, folder: string): Search & Cost {
    const { output, ...cost } = measured(['./pan', '-c0', `-m${depth}`, `-w${tableBits}`], folder);
    if (output.includes('max search depth too small')) {
        throw new Error('the depth limit is too small');
    }
    const number = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? NaN);
    return {
        ...cost,
        states: number(/([\d.e+]+) states, stored/),
        transitions: number(/([\d.e+]+) transitions/),
        bytes: number(/([\d.]+)\s+total actual memory usage/) * 2 ** 20,
    };
}

interface Comparison {
    readonly case: string;
    readonly states: number;
    readonly transitions: number;
    readonly rounds: number;
    readonly orbit: Measures;
    readonly spin: Measures;
    /** Spin's seconds over Orbit's, round by round. */
    readonly ratio: Spread;
}

interface Measures {
    readonly seconds: Spread;
    readonly whole: Spread;
    readonly bytesPerState: number;
    readonly peakBytes: number;
}

function compare(each: Case, rounds: number): Comparison {
    return withFolder(folder => {
        const runs = Array.from({ length: rounds }, () => {
            const compile = makeVerifier(each, folder);
            const [orbit, spin] = [runOrbit(each, folder), runVerifier(each, folder)];
            if (orbit.states !== spin.states) {
                throw new Error(`${modelCaseName(each)}: ${orbit.states} states here, ${spin.states} in Spin`);
            }
            return { compile, orbit, spin };
        });
        const [first] = runs;
        if (first === undefined) {
            throw new Error('there is at least one round');
        }
        const { states, transitions } = first.orbit;
        const perState = (bytes: number): number => Math.round((bytes / states) * 10) / 10;
        return {
            case: modelCaseName(each),
            states,
            transitions,
            rounds,
            orbit: {
                seconds: spread(runs.map(({ orbit }) => orbit.seconds)),
                whole: spread(runs.map(({ orbit }) => orbit.whole.seconds)),
                bytesPerState: perState(first.orbit.bytes),
                peakBytes: Math.max(...runs.map(({ orbit }) => orbit.whole.peakBytes)),
            },
            spin: {
                seconds: spread(runs.map(({ spin }) => spin.seconds)),
                whole: spread(runs.map(({ compile, spin }) => compile.seconds + spin.seconds)),
                bytesPerState: perState(first.spin.bytes),
                peakBytes: Math.max(...runs.map(({ spin }) => spin.peakBytes)),
            },
            ratio: spread(runs.map(({ orbit, spin }) => spin.seconds / orbit.seconds)),
        };
    });
}

const options = benchOptions(process.argv.slice(2));
if (options.once !== undefined) {
    await exploreOnce(options.once);
} else {
    needPrograms('spin', 'gcc');
    report(CASES, options, {
        nameOf: modelCaseName,
        measure: each => compare(each, options.rounds),
        head: head(
            'Case',
            'States',
            'Orbit',
            'Spin',
            'Ratio',
            'Orbit, whole',
            'Spin, whole',
            'Bytes per state',
            "Spin's",
            'Memory',
            "Spin's",
        ),
        row: ({ case: name, states, orbit, spin, ratio }) =>
            row(
                name,
                states,
                formatSpread(orbit.seconds),
                formatSpread(spin.seconds),
                formatSpread(ratio, '', 1),
                `${orbit.whole.median.toFixed(2)} s`,
                `${spin.whole.median.toFixed(2)} s`,
                orbit.bytesPerState.toFixed(1),
                spin.bytesPerState.toFixed(1),
                formatMegabytes(orbit.peakBytes),
                formatMegabytes(spin.peakBytes),
            ),
    });
}
