/**
 * Protocols with numbers without end, from the command to the verdict: processor seconds and memory of the command line as it
 * ships. The numbers of classes and steps are checked.
 *
 *     npm run bench numbers-times [rounds] [-- part of a case's name] [--table]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LARGE_ROWS, LARGEST_ROW } from '../test/numbers/large-texts.js';
import { PROTOCOL_ROWS } from '../test/numbers/protocol-texts.js';
import { ROWS } from '../test/numbers/texts.js';
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
    readonly counts: readonly [number, number];
}

const CASES: readonly Case[] = [
    ...[...ROWS, ...PROTOCOL_ROWS, ...LARGE_ROWS].flatMap(
        ({ name, text, parameters = {}, all, reduced }): readonly Case[] => [
            { name, text, parameters, reduction: 'none', counts: all },
            ...(reduced === undefined
                ? []
                : [{ name, text, parameters, reduction: 'unique', counts: reduced } as const]),
        ],
    ),
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
    const { text, parameters, reduction, counts } = each;
    return withFolder(folder => {
        const file = join(folder, 'model.orbit');
        writeFileSync(file, text);
        const values = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
        const options = [...values, '--reduction', reduction, '--json'];
        const costs = Array.from({ length: rounds }, () =>
            measured([process.execPath, COMMAND_LINE, 'explore', file, ...options], folder),
        );
        costs.forEach(({ output }) => {
            const { verdict, states, transitions } = JSON.parse(output) as Readonly<Record<string, unknown>>;
            if (verdict !== 'holds' || states !== counts[0] || transitions !== counts[1]) {
                throw new Error(`${nameOf(each)}: ${String(verdict)}, ${String(states)}, ${String(transitions)}`);
            }
        });
        return {
            case: nameOf(each),
            classes: counts[0],
            steps: counts[1],
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
