/**
 * Explores the systems of the published tables on reduced exploration (S. J. Zhang et al., ASE 2013, tables II and III), and
 * a few others, with one state for each orbit and with all states; one thread.
 *
 *     npm run bench tables [rounds] [-- part of a case's name]
 *
 * The counts are known: from the tables, or where the tables have none or cannot be right, from programs that enumerate
 * states without anything of this project. The runner gives up where they differ. Both ways take turns. Two things are
 * measured of the command as it ships: the exploration by the clock, from the group to the verdict, with finding a
 * strategy, generated code and traces; and the processor seconds of the whole, with reading the model and finding the
 * group, which exploring all states does without.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reduction } from '../engine/pipeline.js';
import type { ExploreDocument } from '../language-server/document-schema.js';
import {
    benchOptions,
    COMMAND_LINE,
    head,
    measured,
    modelCaseName,
    modelFile,
    type ModelCase,
    report,
    row,
    type Spread,
    spread,
    withFolder,
} from './measure.js';

interface Case extends ModelCase {
    readonly orbits: number;
    /** Absent where there are too many to be explored here. */
    readonly states?: number;
    /** Text that is added to the model, and why. */
    readonly addition?: string;
}

/**
 * In a ring of even length the colors of every other agent can be exchanged on their own. A property of all colors at once
 * leaves only the exchanges of colors everywhere: the group of order 24 N that the tables are about.
 */
const ALL_COLORS = '\ninvariant severalColors = exists u, v in Agent: color[u] != color[v]\n';

const CASES: readonly Case[] = [
    { model: 'dining-philosophers', parameters: { N: 10 }, states: 154_450, orbits: 15_489 },
    { model: 'dining-philosophers', parameters: { N: 12 }, states: 1_684_801, orbits: 140_536 },
    { model: 'dining-philosophers', parameters: { N: 14 }, states: 18_378_370, orbits: 1_313_052 },
    { model: 'three-tier', parameters: { clients: [3, 3, 2] }, states: 7_840, orbits: 462 },
    { model: 'three-tier', parameters: { clients: [3, 3, 3] }, states: 21_952, orbits: 286 },
    { model: 'three-tier', parameters: { clients: [4, 4, 3] }, states: 188_272, orbits: 1_496 },
    { model: 'two-hop-coloring', parameters: { N: 3 }, addition: ALL_COLORS, states: 13_824, orbits: 233 },
    { model: 'two-hop-coloring', parameters: { N: 4 }, addition: ALL_COLORS, states: 331_776, orbits: 3_924 },
    { model: 'two-hop-coloring', parameters: { N: 5 }, addition: ALL_COLORS, states: 7_962_624, orbits: 67_246 },
    // The whole group of the model, of order 576.
    { model: 'two-hop-coloring', parameters: { N: 4 }, states: 331_776, orbits: 850 },
    { model: 'peterson', parameters: { N: 7 }, orbits: 60_375 },
    { model: 'two-phase-commit', parameters: { N: 6 }, states: 50_816, orbits: 553 },
    { model: 'semaphore-mutex', parameters: { N: 64 }, orbits: 129 },
    { model: 'three-tier-rendezvous', parameters: { clients: [3, 3, 2] }, states: 553, orbits: 33 },
    { model: 'three-tier-rendezvous', parameters: { clients: [3, 3, 3] }, states: 784, orbits: 16 },
    { model: 'three-tier-rendezvous', parameters: { clients: [4, 4, 3] }, states: 1_314, orbits: 33 },
];

interface Run {
    readonly strategy: string;
    /** Of the exploration, by the clock. */
    readonly seconds: number;
    /** Processor seconds of the command. */
    readonly wholeSeconds: number;
}

interface Comparison {
    readonly case: string;
    readonly rounds: number;
    readonly states?: number;
    readonly orbits: number;
    readonly strategy: string;
    readonly reduced: Measures;
    readonly unreduced?: Measures;
}

interface Measures {
    readonly exploration: Spread;
    readonly whole: Spread;
}

const nameOf = (each: Case): string =>
    `${modelCaseName(each)}${each.addition === undefined ? '' : ' (24 N symmetries)'}`;

function textOf({ model, addition = '' }: Case): string {
    return readFileSync(modelFile(model), 'utf8') + addition;
}

function compare(each: Case, rounds: number): Comparison {
    const name = nameOf(each);
    const kinds: readonly Reduction[] = each.states === undefined ? ['unique'] : ['unique', 'none'];
    return withFolder(folder => {
        const file = join(folder, 'model.orbit');
        writeFileSync(file, textOf(each));
        const values = Object.entries(each.parameters).flatMap(([key, value]) => [
            '--param',
            `${key}=${JSON.stringify(value)}`,
        ]);
        const run = (reduction: Reduction): Run => {
            const words = ['--reduction', reduction, '--continue', '--workers', '1', '--json'];
            const whole = measured(
                [process.execPath, COMMAND_LINE, 'explore', file, ...values, ...words],
                folder,
                [0, 1],
            );
            const { states, seconds, reduction: used } = JSON.parse(whole.output) as ExploreDocument;
            const expected = reduction === 'none' ? each.states : each.orbits;
            if (states !== expected || (reduction === 'unique' && !used.unique)) {
                throw new Error(`${name}: ${states} states with reduction ${reduction}, not ${String(expected)}`);
            }
            return { strategy: used.strategy, seconds, wholeSeconds: whole.seconds };
        };
        const runs = Array.from({ length: rounds }, () => kinds.map(run));
        const measures = (kind: number): Measures => ({
            exploration: spread(
                runs.map(both => both[kind]?.seconds ?? NaN),
                10_000,
            ),
            whole: spread(runs.map(both => both[kind]?.wholeSeconds ?? NaN)),
        });
        return {
            case: name,
            rounds,
            orbits: each.orbits,
            ...(each.states !== undefined && { states: each.states, unreduced: measures(1) }),
            strategy: runs[0]?.[0]?.strategy ?? '',
            reduced: measures(0),
        };
    });
}

/** Seconds as `9.91 ms (8.54 - 12.6)`, for they lie far from each other. */
function formatMilliseconds({ median, least, greatest }: Spread): string {
    const [middle, from, to] = [median, least, greatest].map(seconds =>
        (1000 * seconds).toLocaleString('en', { maximumSignificantDigits: 3 }),
    );
    return `${middle} ms (${from} - ${to})`;
}

/** One number over another one, `12.3`. */
function quotient(numerator: number | undefined, denominator: number): string {
    return numerator === undefined ? '' : (numerator / denominator).toFixed(1);
}

const options = benchOptions(process.argv.slice(2));
report(CASES, options, {
    nameOf,
    measure: each => compare(each, options.rounds),
    head: head(
        'Case',
        'States',
        'Orbits',
        'States / orbits',
        'Strategy',
        'All states',
        'One for each orbit',
        'Faster',
        'Whole, all',
        'Whole, reduced',
    ),
    row: ({ case: name, states, orbits, strategy, reduced, unreduced }) =>
        row(
            name,
            states ?? '',
            orbits,
            quotient(states, orbits),
            strategy,
            unreduced === undefined ? '' : formatMilliseconds(unreduced.exploration),
            formatMilliseconds(reduced.exploration),
            quotient(unreduced?.exploration.median, reduced.exploration.median),
            unreduced === undefined ? '' : `${unreduced.whole.median.toFixed(2)} s`,
            `${reduced.whole.median.toFixed(2)} s`,
        ),
});
