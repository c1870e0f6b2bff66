/**
 * What a user waits for on the models of `models/`: detection of the symmetries, and exploration of everything without
 * reduction and with it, each from the start of the command to its end.
 *
 *     npm run bench models [rounds]
 *
 * Processor time and the greatest resident set of the whole process, with one thread for the search. The three commands
 * take turns, so that a busy machine is unfair to none of them.
 */
import {
    benchOptions,
    formatMegabytes,
    formatSpread,
    head,
    measured,
    modelCaseName,
    type ModelCase,
    needPrograms,
    orbitCommand,
    report,
    row,
    type Spread,
    spread,
    withFolder,
} from './measure.js';

const CASES: readonly ModelCase[] = [
    { model: 'alternating-bit', parameters: {} },
    { model: 'bakery', parameters: { N: 3 } },
    { model: 'bounded-buffer', parameters: { P: 4, C: 4, K: 4 } },
    { model: 'chang-roberts', parameters: { N: 6 } },
    { model: 'dining-philosophers', parameters: { N: 10 } },
    { model: 'dining-philosophers', parameters: { N: 12 } },
    { model: 'german-cache', parameters: { N: 4 } },
    { model: 'hanoi', parameters: { N: 6 } },
    { model: 'hypercube', parameters: { D: 5 } },
    { model: 'leader-election-complete', parameters: { N: 6 } },
    { model: 'mcs-lock', parameters: { N: 4 } },
    { model: 'msi-bus', parameters: { N: 5 } },
    { model: 'paxos-single', parameters: {} },
    { model: 'peterson', parameters: { N: 5 } },
    { model: 'peterson', parameters: { N: 6 } },
    { model: 'raft-election', parameters: {} },
    { model: 'resource-allocator', parameters: {} },
    { model: 'semaphore-mutex', parameters: { N: 16 } },
    { model: 'szymanski', parameters: { N: 4 } },
    { model: 'three-tier', parameters: { clients: [3, 3, 3] } },
    { model: 'three-tier', parameters: { clients: [4, 4, 3] } },
    { model: 'three-tier-rendezvous', parameters: { clients: [3, 3, 3] } },
    { model: 'token-ring', parameters: { N: 6 } },
    { model: 'two-hop-coloring', parameters: { N: 4 } },
    { model: 'two-phase-commit', parameters: { N: 7 } },
];

interface Result {
    readonly case: string;
    readonly rounds: number;
    readonly order: string;
    readonly structure: string;
    readonly states: number;
    /** States stored with reduction, and whether there is one for each orbit. */
    readonly stored: number;
    readonly isUnique: boolean;
    readonly detection: Measures;
    readonly full: Measures;
    readonly reduced: Measures;
}

interface Measures {
    readonly seconds: Spread;
    readonly peakBytes: number;
}

interface Exploration {
    readonly states: number;
    readonly verdict: string;
    readonly reduction: { readonly unique: boolean };
}

function measure(each: ModelCase, rounds: number): Result {
    return withFolder(folder => {
        const run = (command: string, ...words: string[]) => {
            // Violated is 1.
            const { output, ...cost } = measured(orbitCommand(command, each, ...words), folder, [0, 1]);
            return { ...cost, document: JSON.parse(output) as object };
        };
        const runs = Array.from({ length: rounds }, () => ({
            detection: run('symmetry'),
            full: run('explore', '--continue', '--workers', '1', '--reduction', 'none'),
            reduced: run('explore', '--continue', '--workers', '1'),
        }));
        const [first] = runs;
        if (first === undefined) {
            throw new Error('there is at least one round');
        }
        const group = first.detection.document as { readonly order: string; readonly structure: string };
        const [full, reduced] = [first.full.document as Exploration, first.reduced.document as Exploration];
        if (full.verdict !== reduced.verdict || reduced.states > full.states) {
            throw new Error(
                `${modelCaseName(each)}: ${full.verdict}, ${full.states} states without reduction, ` +
                    `${reduced.verdict}, ${reduced.states} with it`,
            );
        }
        const measuresOf = (part: 'detection' | 'full' | 'reduced'): Measures => ({
            seconds: spread(runs.map(each => each[part].seconds)),
            peakBytes: Math.max(...runs.map(each => each[part].peakBytes)),
        });
        return {
            case: modelCaseName(each),
            rounds,
            order: group.order,
            structure: group.structure,
            states: full.states,
            stored: reduced.states,
            isUnique: reduced.reduction.unique,
            detection: measuresOf('detection'),
            full: measuresOf('full'),
            reduced: measuresOf('reduced'),
        };
    });
}

needPrograms();
const options = benchOptions(process.argv.slice(2));
report(CASES, options, {
    nameOf: modelCaseName,
    measure: each => measure(each, options.rounds),
    head: head(
        'Case',
        'Group',
        'States',
        'Stored',
        'Detection',
        'Explored without',
        'with reduction',
        'Memory without',
        'with',
    ),
    row: ({ case: name, structure, states, stored, isUnique, detection, full, reduced }) =>
        row(
            name,
            structure,
            states,
            `${stored.toLocaleString('en')}${isUnique ? '' : ' *'}`,
            formatSpread(detection.seconds),
            formatSpread(full.seconds),
            formatSpread(reduced.seconds),
            formatMegabytes(full.peakBytes),
            formatMegabytes(reduced.peakBytes),
        ),
});
