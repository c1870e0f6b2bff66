/**
 * Compares exploration with reduction, from the command to the verdict, with Rumur and its scalarset annotations (Debian:
 * rumur, gcc), on the models of `bench/peers/*.m`, which describe the same systems.
 *
 *     npm run bench rumur [rounds]
 *
 * Rumur's user writes the annotations, makes a verifier, compiles it and runs it; Orbit's user gives a command. Both wait
 * for all of that, so all of that is measured: processor time of all processes, and the greatest resident set. Both search
 * with one thread. First
 * both count all states without reduction, and then those with it, and the runner gives up where Orbit stores more than
 * Rumur does with its exhaustive setting (where that ends within a minute; else with its heuristic one, the default, which
 * is the one that is timed as it is the faster one).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
    benchOptions,
    type Cost,
    formatMegabytes,
    formatSpread,
    head,
    measured,
    modelCaseName,
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
    readonly parameters: { readonly N: number };
    /** Whether all states are so many that counting them takes minutes in Rumur. */
    readonly isLarge?: boolean;
}

const CASES: readonly Case[] = [
    { model: 'semaphore-mutex', parameters: { N: 6 } },
    { model: 'semaphore-mutex', parameters: { N: 10 } },
    { model: 'peterson', parameters: { N: 4 } },
    { model: 'peterson', parameters: { N: 6 }, isLarge: true },
    { model: 'peterson', parameters: { N: 7 }, isLarge: true },
    { model: 'german-cache', parameters: { N: 3 } },
    { model: 'german-cache', parameters: { N: 4 } },
    { model: 'german-cache', parameters: { N: 5 }, isLarge: true },
];

type Setting = 'off' | 'heuristic' | 'exhaustive';

interface Comparison {
    readonly case: string;
    readonly rounds: number;
    /** Absent where nobody counted them. */
    readonly states?: number;
    readonly orbits: number;
    /** Of Rumur: by its heuristic setting, and by its exhaustive one where that ended. */
    readonly rumurStates: number;
    readonly rumurLeastStates?: number;
    readonly orbit: Measures;
    readonly rumur: Measures & { readonly compile: Spread };
    /** Rumur's seconds over Orbit's, round by round. */
    readonly ratio: Spread;
}

interface Measures {
    readonly seconds: Spread;
    readonly peakBytes: number;
}

/** Makes a verifier in a folder. */
function makeVerifier({ model, parameters }: Case, setting: Setting, folder: string): Cost {
    const text = readFileSync(join(ROOT, `bench/peers/${model}.m`), 'utf8');
    writeFileSync(join(folder, 'model.m'), text.replace(/^const N: \d+;/m, `const N: ${parameters.N};`));
    const make =
        `rumur --symmetry-reduction ${setting} --threads 1 --deadlock-detection stuck -o verifier.c model.m && ` +
        'gcc -O3 -std=c11 -o verifier verifier.c -lpthread';
    return measured(['sh', '-c', make], folder);
}

function statesOf(output: string): number {
    return Number(/(\d+) states, \d+ rules fired/.exec(output)?.[1] ?? NaN);
}

/** Undefined where a minute is not enough. */
function statesWith(each: Case, setting: Setting): number | undefined {
    return withFolder(folder => {
        makeVerifier(each, setting, folder);
        const { stdout, signal } = spawnSync('./verifier', { cwd: folder, encoding: 'utf8', timeout: 60_000 });
        return signal === null ? statesOf(stdout) : undefined;
    });
}

function runOrbit(each: Case, folder: string, reduction: string): Cost & { readonly states: number } {
    const words = ['--reduction', reduction, '--continue', '--workers', '1'];
    const { output, ...cost } = measured(orbitCommand('explore', each, ...words), folder);
    return { ...cost, states: (JSON.parse(output) as { states: number }).states };
}

function compare(each: Case, rounds: number): Comparison {
    return withFolder(folder => {
        const name = modelCaseName(each);
        const all = each.isLarge === true ? undefined : statesWith(each, 'off');
        const own = all === undefined ? undefined : runOrbit(each, folder, 'none').states;
        if (all !== own) {
            throw new Error(`${name}: ${String(own)} states here, ${String(all)} in Rumur`);
        }
        const least = statesWith(each, 'exhaustive');
        const runs = Array.from({ length: rounds }, () => {
            const compile = makeVerifier(each, 'heuristic', folder);
            const search = measured(['./verifier'], folder);
            return { orbit: runOrbit(each, folder, 'auto'), compile, search };
        });
        const [first] = runs;
        const orbits = first?.orbit.states ?? NaN;
        const rumurStates = statesOf(first?.search.output ?? '');
        if (!(orbits <= (least ?? rumurStates))) {
            throw new Error(`${name}: ${orbits} states stored here, ${least ?? rumurStates} in Rumur`);
        }
        return {
            case: name,
            rounds,
            ...(all !== undefined && { states: all }),
            orbits,
            rumurStates,
            ...(least !== undefined && { rumurLeastStates: least }),
            orbit: {
                seconds: spread(runs.map(({ orbit }) => orbit.seconds)),
                peakBytes: Math.max(...runs.map(({ orbit }) => orbit.peakBytes)),
            },
            rumur: {
                seconds: spread(runs.map(({ compile, search }) => compile.seconds + search.seconds)),
                compile: spread(runs.map(({ compile }) => compile.seconds)),
                peakBytes: Math.max(...runs.map(({ search }) => search.peakBytes)),
            },
            ratio: spread(runs.map(({ orbit, compile, search }) => (compile.seconds + search.seconds) / orbit.seconds)),
        };
    });
}

needPrograms('rumur', 'gcc');
const options = benchOptions(process.argv.slice(2));
report(CASES, options, {
    nameOf: modelCaseName,
    measure: each => compare(each, options.rounds),
    head: head(
        'Case',
        'States',
        'Orbit stores',
        'Rumur stores',
        'Orbit',
        'Rumur',
        'of it compiling',
        'Ratio',
        'Orbit, memory',
        'Rumur',
    ),
    row: ({ case: name, states, orbits, rumurStates, orbit, rumur, ratio }) =>
        row(
            name,
            states ?? '',
            orbits,
            rumurStates,
            formatSpread(orbit.seconds),
            formatSpread(rumur.seconds),
            `${rumur.compile.median.toFixed(2)} s`,
            formatSpread(ratio, '', 1),
            formatMegabytes(orbit.peakBytes),
            formatMegabytes(rumur.peakBytes),
        ),
});
