/**
 * The order of independent steps beside Spin's own reduction of it, where spin and gcc are installed (Debian: spin, gcc), on
 * the models of `bench/peers/*.pml`.
 *
 *     npm run bench spin-order [rounds] [-- part of a case's name]
 *
 * States stored by Spin without and with its reduction, which looks at single statements: those that touch what only one
 * process uses. Then by Orbit with `--por shortest` alone and together with symmetries. Seconds are processor seconds from the
 * command to the verdict, for Spin those of its compilers included.
 */
import { resolve } from 'node:path';
import {
    benchOptions,
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
    readonly parameters: Readonly<Record<string, number>>;
    /** For Spin's verifier: a depth limit that is enough. */
    readonly depth: number;
}

const CASES: readonly Case[] = [
    { model: 'dining-philosophers', parameters: { N: 10 }, depth: 500_000 },
    { model: 'peterson', parameters: { N: 5 }, depth: 500_000 },
    { model: 'bounded-buffer', parameters: { P: 4, C: 4, K: 4 }, depth: 500_000 },
];

interface Run {
    readonly states: number;
    readonly seconds: number;
}

interface Comparison {
    readonly case: string;
    readonly states: Readonly<Record<'all' | 'spin' | 'shortest' | 'orbits', number>>;
    readonly seconds: Readonly<Record<'spin' | 'shortest' | 'orbits', Spread>>;
}

function runSpin({ model, parameters, depth }: Case, folder: string, options: string): Run {
    const definitions = Object.entries(parameters).map(([name, value]) => `-D${name}=${value}`);
    const text = resolve(ROOT, `bench/peers/${model}.pml`);
    const compile = `gcc -O2 -DSAFETY -DVECTORSZ=1024 ${options} -o pan pan.c`;
    const made = measured(['sh', '-c', `spin -a ${definitions.join(' ')} ${text} && ${compile}`], folder);
    const { output, seconds } = measured(['./pan', '-c0', `-m${depth}`, '-w20'], folder);
    if (output.includes('max search depth too small')) {
        throw new Error('the depth limit is too small');
    }
    const states = Number(/([\d.e+]+) states, stored/.exec(output)?.[1] ?? NaN);
    return { states, seconds: made.seconds + seconds };
}

function runOrbit(each: Case, folder: string, reduction: string): Run {
    const words = ['--por', 'shortest', '--reduction', reduction, '--continue', '--workers', '1'];
    const { output, seconds } = measured(orbitCommand('explore', each, ...words), folder, [0, 1]);
    return { states: (JSON.parse(output) as { readonly states: number }).states, seconds };
}

function compare(each: Case, rounds: number): Comparison {
    return withFolder(folder => {
        const all = runSpin(each, folder, '-DNOREDUCE');
        const runs = Array.from({ length: rounds }, () => ({
            spin: runSpin(each, folder, ''),
            shortest: runOrbit(each, folder, 'none'),
            orbits: runOrbit(each, folder, 'unique'),
        }));
        const of = (way: 'spin' | 'shortest' | 'orbits') => runs.map(run => run[way]);
        const statesOf = (way: 'spin' | 'shortest' | 'orbits'): number => of(way)[0]?.states ?? NaN;
        const secondsOf = (way: 'spin' | 'shortest' | 'orbits'): Spread => spread(of(way).map(run => run.seconds));
        return {
            case: modelCaseName(each),
            states: {
                all: all.states,
                spin: statesOf('spin'),
                shortest: statesOf('shortest'),
                orbits: statesOf('orbits'),
            },
            seconds: { spin: secondsOf('spin'), shortest: secondsOf('shortest'), orbits: secondsOf('orbits') },
        };
    });
}

const options = benchOptions(process.argv.slice(2));
needPrograms('spin', 'gcc');
report(CASES, options, {
    nameOf: modelCaseName,
    measure: each => compare(each, options.rounds),
    head: head(
        'Case',
        'States',
        "Spin's reduction",
        '`shortest`',
        'with symmetries',
        `Spin, median of ${options.rounds} rounds (least - most)`,
        '`shortest`',
        'both',
    ),
    row: ({ case: name, states, seconds }) =>
        row(
            name,
            states.all,
            states.spin,
            states.shortest,
            states.orbits,
            formatSpread(seconds.spin),
            formatSpread(seconds.shortest),
            formatSpread(seconds.orbits),
        ),
});
