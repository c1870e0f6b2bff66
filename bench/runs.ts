/**
 * Compares temporal properties under weak fairness with Spin's verifier (`-a -f`), where spin and gcc are installed (Debian:
 * spin, gcc): the same property of the same system, `bench/peers/runs/*.pml`, from the command to the verdict.
 *
 *     npm run bench spin-runs [rounds] [-- part of a case's name]
 *
 * Both take turns; verdicts must be equal. Times are processor seconds, for Spin with its two compilers, for which its user
 * waits as well. Spin is asked about one process, which is enough where they are interchangeable, as Orbit finds out.
 */
import { join, resolve } from 'node:path';
import {
    benchOptions,
    COMMAND_LINE,
    formatSpread,
    head,
    measured,
    needPrograms,
    report,
    ROOT,
    row,
    type Spread,
    spread,
    withFolder,
} from './measure.js';

interface Case {
    readonly name: string;
    readonly orbit: string;
    readonly spin: string;
    readonly processes?: number;
}

const CASES: readonly Case[] = [
    { name: 'lock N=6', orbit: 'bench/peers/runs/lock.orbit', spin: 'lock', processes: 6 },
    { name: 'peterson N=4', orbit: 'bench/peers/runs/peterson.orbit', spin: 'peterson', processes: 4 },
    { name: 'token-mutex N=6', orbit: 'models/token-mutex.orbit', spin: 'token-mutex', processes: 6 },
    { name: 'dekker', orbit: 'models/dekker.orbit', spin: 'dekker' },
    { name: 'szymanski N=3', orbit: 'models/szymanski.orbit', spin: 'szymanski', processes: 3 },
];

/** Deep enough for all cases. */
const DEPTH = 1_000_000;

interface Run {
    readonly verdict: string;
    readonly states: number;
    readonly seconds: number;
}

function runOrbit({ orbit, processes }: Case, folder: string): Run {
    const parameters = processes === undefined ? [] : ['--param', `N=${processes}`];
    const words = ['explore', join(ROOT, orbit), ...parameters, '--property', 'served', '--json'];
    const { output, seconds } = measured([process.execPath, COMMAND_LINE, ...words], folder, [0, 1]);
    const { verdict, states } = JSON.parse(output) as { verdict: string; states: number };
    return { verdict, states, seconds };
}

function runSpin({ spin, processes }: Case, folder: string): Run {
    const text = resolve(ROOT, `bench/peers/runs/${spin}.pml`);
    const size = processes === undefined ? '' : `-DN=${processes} `;
    const make = `spin ${size}-a ${text} && gcc -O2 -DNFAIR=3 -o pan pan.c`;
    const compilation = measured(['sh', '-c', make], folder);
    const { output, seconds } = measured(['./pan', '-a', '-f', `-m${DEPTH}`, '-n'], folder);
    const errors = /errors: (\d+)/.exec(output)?.[1];
    if (errors === undefined || output.includes('max search depth too small')) {
        throw new Error(`no verdict: ${output}`);
    }
    return {
        verdict: errors === '0' ? 'holds' : 'violated',
        states: Number(/([\d.e+]+) states, stored/.exec(output)?.[1] ?? NaN),
        seconds: compilation.seconds + seconds,
    };
}

interface Comparison {
    readonly case: string;
    readonly verdict: string;
    readonly rounds: number;
    readonly orbitStates: number;
    readonly spinStates: number;
    readonly orbit: Spread;
    readonly spin: Spread;
    /** Spin's seconds over Orbit's, round by round. */
    readonly ratio: Spread;
}

function compare(each: Case, rounds: number): Comparison {
    return withFolder(folder => {
        const runs = Array.from({ length: rounds }, () => ({
            orbit: runOrbit(each, folder),
            spin: runSpin(each, folder),
        }));
        const [first] = runs;
        if (first === undefined) {
            throw new Error('there is at least one round');
        }
        const differing = runs.find(({ orbit, spin }) => orbit.verdict !== spin.verdict);
        if (differing !== undefined) {
            throw new Error(`${each.name}: ${differing.orbit.verdict} here, ${differing.spin.verdict} in Spin`);
        }
        return {
            case: each.name,
            verdict: first.orbit.verdict,
            rounds,
            orbitStates: first.orbit.states,
            spinStates: first.spin.states,
            orbit: spread(runs.map(({ orbit }) => orbit.seconds)),
            spin: spread(runs.map(({ spin }) => spin.seconds)),
            ratio: spread(runs.map(({ orbit, spin }) => spin.seconds / orbit.seconds)),
        };
    });
}

const options = benchOptions(process.argv.slice(2));
needPrograms('spin', 'gcc');
report(CASES, options, {
    nameOf: ({ name }) => name,
    measure: each => compare(each, options.rounds),
    head: head('Case', 'Verdict', 'Orbit', 'Spin', 'Ratio', 'States', "Spin's"),
    row: ({ case: name, verdict, orbit, spin, ratio, orbitStates, spinStates }) =>
        row(
            name,
            verdict,
            formatSpread(orbit),
            formatSpread(spin),
            formatSpread(ratio, '', 1),
            orbitStates,
            spinStates,
        ),
});
