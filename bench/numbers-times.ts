/**
 * Protocols with numbers and values without end, from the command to the verdict: processor seconds and memory of the
 * command line as it ships. The numbers of classes and steps are checked.
 *
 *     npm run bench numbers-times [rounds] [-- part of a case's name] [--table]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHALLENGE, SAFES } from '../test/names/texts.js';
import { LARGE_ROWS, LARGEST_ROW } from '../test/numbers/large-texts.js';
import { PROTOCOL_ROWS } from '../test/numbers/protocol-texts.js';
import { BAKERY_ONE_BY_ONE, ROWS } from '../test/numbers/texts.js';
import {
    benchOptions,
    COMMAND_LINE,
    formatMegabytes,
    formatSpread,
    head,
    measured,
    needPrograms,
    report,
    row,
    type Spread,
    spread,
    withFolder,
} from './measure.js';

interface Case {
    readonly name: string;
    readonly text: string;
    readonly parameters: Readonly<Record<string, number>>;
    readonly reduction: 'none' | 'unique';
    /** Classes and steps; without steps where the source of the numbers has none. */
    readonly counts: readonly [number, number?];
    /** Distances that are kept at least. */
    readonly leastDistances?: number;
}

const CASES: readonly Case[] = [
    ...[...ROWS, ...PROTOCOL_ROWS, ...LARGE_ROWS].flatMap(
        ({ all, reduced, parameters = {}, ...each }): readonly Case[] => [
            { ...each, parameters, reduction: 'none', counts: all },
            ...(reduced === undefined ? [] : [{ ...each, parameters, reduction: 'unique', counts: reduced } as const]),
        ],
    ),
    {
        name: 'bakery, numbers read one by one',
        text: BAKERY_ONE_BY_ONE,
        parameters: { N: 4 },
        reduction: 'none',
        counts: [180_013],
    },
    { name: 'challenge and response', text: CHALLENGE, parameters: { N: 1 }, reduction: 'unique', counts: [27] },
    { name: 'challenge and response', text: CHALLENGE, parameters: { N: 2 }, reduction: 'unique', counts: [83] },
    { name: 'keys', text: SAFES, parameters: { N: 2 }, reduction: 'unique', counts: [15] },
    { name: 'keys', text: SAFES, parameters: { N: 3 }, reduction: 'unique', counts: [35] },
    { name: 'Paxos', ...LARGEST_ROW, reduction: 'unique', counts: LARGEST_ROW.reduced },
];

interface Result {
    readonly case: string;
    readonly classes: number;
    readonly steps: number;
    readonly rounds: number;
    readonly seconds: Spread;
    readonly peakBytes: number;
}

const nameOf = ({ name, parameters, reduction }: Case): string =>
    [
        name,
        ...Object.entries(parameters).map(([parameter, value]) => `${parameter}=${value}`),
        reduction === 'none' ? 'all classes' : 'orbits',
    ].join(' ');

function measure(each: Case, rounds: number): Result {
    const { text, parameters, reduction, counts, leastDistances } = each;
    return withFolder(folder => {
        const file = join(folder, 'model.orbit');
        writeFileSync(file, text);
        const values = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
        const distances = leastDistances === undefined ? [] : ['--distances', `${leastDistances}`];
        const options = [...values, ...distances, '--reduction', reduction, '--json'];
        const costs = Array.from({ length: rounds }, () =>
            measured([process.execPath, COMMAND_LINE, 'explore', file, ...options], folder),
        );
        const steps = costs.map(({ output }) => {
            const { verdict, states, transitions } = JSON.parse(output) as Readonly<Record<string, unknown>>;
            const isRight = verdict === 'holds' && states === counts[0] && transitions === (counts[1] ?? transitions);
            if (!isRight) {
                throw new Error(`${nameOf(each)}: ${String(verdict)}, ${String(states)}, ${String(transitions)}`);
            }
            return Number(transitions);
        });
        return {
            case: nameOf(each),
            classes: counts[0],
            steps: steps[0] ?? NaN,
            rounds,
            seconds: spread(costs.map(({ seconds }) => seconds)),
            peakBytes: Math.max(...costs.map(({ peakBytes }) => peakBytes)),
        };
    });
}

needPrograms();
const options = benchOptions(process.argv.slice(2), 3);
report(CASES, options, {
    nameOf,
    measure: each => measure(each, options.rounds),
    head: head('Case', 'Classes', 'Steps', 'Processor time', 'Memory'),
    row: ({ case: name, classes, steps, seconds, peakBytes }) =>
        row(name, classes, steps, formatSpread(seconds), formatMegabytes(peakBytes)),
});
