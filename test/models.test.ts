/** Models load at the ends of their parameters' ranges, and have the counts and symmetries of models/README.md. */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { invariant } from '../engine/common/assert.js';
import { remembered } from '../engine/common/list-map.js';
import type { Model } from '../engine/model/model.js';
import { analyze, startExploration, type Analysis, type Reduction } from '../engine/pipeline.js';
import { loadModel } from '../language-server/load-model.js';

type ParameterValue = number | readonly number[];
type Parameters = Readonly<Record<string, ParameterValue>>;

async function load(name: string, parameters: Parameters = {}, folder = 'models'): Promise<Model> {
    const values = Object.entries(parameters).map(([key, value]): [string, string] => [key, JSON.stringify(value)]);
    const { model, problems } = await loadModel(
        readFileSync(`${folder}/${name}.orbit`),
        `file:///${folder}/${name}.orbit`,
        values,
    );
    expect(problems.filter(problem => problem.code !== 'process/no-instance')).toEqual([]);
    invariant(model !== undefined, 'a model without problems is there');
    return model;
}

const SEARCH = { now: () => 0, workLimit: UNLIMITED, explain: false };

/** What is compared of an exploration. */
interface Explored {
    readonly states: number;
    readonly violations: readonly string[];
}

interface Found {
    readonly order: bigint;
    readonly none: Explored;
    readonly unique: Explored;
}

const found = new Map<string, Found>();

/** Each model is explored once for its counts and for its verdicts, without reduction and with it. */
async function foundIn(name: string, parameters: Parameters, folder = 'models'): Promise<Found> {
    const model = await load(name, parameters, folder);
    return remembered(found, `${folder}/${name} ${JSON.stringify(model.parameters)}`, () => {
        const analysis = analyze(model, SEARCH);
        const order = BigInt(analysis.symmetry?.report.order ?? 0);
        return { order, none: explore(analysis, 'none'), unique: explore(analysis, 'unique') };
    });
}

function explore(analysis: Analysis, reduction: Reduction): Explored {
    // Properties of runs have a test of their own.
    const properties = analysis.symmetry?.constraints.properties.map(({ name }) => name) ?? [];
    const options = { reduction, properties, continueAfterViolation: true };
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return { states: report.states, violations: report.violations.map(({ kind }) => kind) };
}

const names = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => file.replace('.orbit', ''));

const arrayEnds: Readonly<Record<string, readonly (readonly number[])[]>> = {
    clients: [
        [0, 1],
        [8, 8, 8, 8, 8, 8, 8, 8],
    ],
    neighbors: [[0], Array.from({ length: 10 }, () => 1023)],
    parent: [[0], Array.from({ length: 64 }, (_, agent) => Math.max(0, agent - 1))],
};

describe('every model', () => {
    test.each(names)('%s loads with its defaults', async name => {
        const model = await load(name);
        expect(model.documentation).toContain('Source: ');
        expect(model.processes.length).toBeGreaterThan(0);
    });

    test.each(names)('%s loads with the least and the greatest parameters', async name => {
        const declared = [
            ...readFileSync(`models/${name}.orbit`, 'utf8').matchAll(/^param (\w+): (\d+) \.\. (\d+)(\[\*\])? = /gm),
        ];
        expect(declared.map(([, parameter]) => parameter)).toEqual((await load(name)).parameters.map(p => p.name));
        for (const end of [2, 3]) {
            const values = declared.map(([, parameter = '', ...rest]): [string, ParameterValue] => {
                const value = Number(rest[end - 2]);
                return [parameter, rest[2] === undefined ? value : (arrayEnds[parameter]?.[end - 2] ?? [value])];
            });
            await load(name, Object.fromEntries(values));
        }
    });

    test('is in the table', () => {
        const table = readFileSync('models/README.md', 'utf8');
        expect([...table.matchAll(/^\| \[(.*?)\]/gm)].map(match => match[1]).sort()).toEqual([...names].sort());
    });
});

/** The parents in a tree in which agent `i` has the children `2 * i + 1` and `2 * i + 2`. */
const heap = (agents: number): number[] => Array.from({ length: agents }, (_, agent) => Math.max(0, (agent - 1) >> 1));

/** Where the numbers come from stands in models/README.md, unless a comment here says otherwise. */
// prettier-ignore
const COUNTS: readonly { name: string; parameters: Parameters; states: number; orbits: number; order: bigint }[] = [
    // 8^N states; orbits under rotations and the exchange of labels by Burnside's lemma.
    { name: 'token-ring', parameters: { N: 3 }, states: 512, orbits: 88, order: 6n },
    { name: 'token-ring', parameters: { N: 4 }, states: 4096, orbits: 532, order: 8n },
    { name: 'dining-philosophers', parameters: { N: 10 }, states: 154450, orbits: 15489, order: 10n },
    // 2^N + N·2^(N-1) states, 2N + 1 orbits.
    { name: 'semaphore-mutex', parameters: { N: 1 }, states: 3, orbits: 3, order: 1n },
    { name: 'semaphore-mutex', parameters: { N: 10 }, states: 6144, orbits: 21, order: 3628800n },
    { name: 'readers-writers', parameters: { R: 2, W: 1 }, states: 22, orbits: 15, order: 2n },
    // 3^N states; under all exchanges of pegs, wherever the tower stands at first, (3^N + 3) / 6 orbits (Burnside).
    { name: 'hanoi', parameters: { N: 3 }, states: 27, orbits: 5, order: 2n },
    { name: 'hanoi', parameters: { N: 6 }, states: 729, orbits: 122, order: 2n },
    // 2^(N+2) states; an orbit is how many leaders there are, with the two bits of the detector.
    { name: 'leader-election-complete', parameters: { N: 4 }, states: 64, orbits: 20, order: 24n },
    // 2^(N+2) states. Up to symmetry a subtree of 1, 3 agents has 2, 2·3 = 6 states, so the tree has 4·2·(6·7/2) = 168.
    { name: 'leader-election-tree', parameters: { parent: heap(7) }, states: 512, orbits: 168, order: 8n },
    // 4·8^N states; necklaces of 8 colors: (8^4 + 8^2 + 2·8) / 4 = 1044, four times.
    { name: 'leader-election-ring', parameters: { N: 4 }, states: 16384, orbits: 4176, order: 4n },
    { name: 'two-hop-coloring', parameters: { N: 3 }, states: 13824, orbits: 233, order: 72n },
    { name: 'milner-scheduler', parameters: { N: 2 }, states: 10, orbits: 10, order: 1n },
    { name: 'milner-scheduler', parameters: { N: 8 }, states: 2944, orbits: 2944, order: 1n },
    // 3N·2^(N-1) states, 3·2^(N-1) orbits.
    { name: 'token-mutex', parameters: { N: 2 }, states: 12, orbits: 6, order: 2n },
    { name: 'token-mutex', parameters: { N: 8 }, states: 3072, orbits: 384, order: 8n },
    { name: 'dekker', parameters: {}, states: 106, orbits: 53, order: 2n },
    { name: 'szymanski', parameters: { N: 2 }, states: 79, orbits: 79, order: 1n },
    { name: 'szymanski', parameters: { N: 3 }, states: 637, orbits: 637, order: 1n },
    { name: 'bakery', parameters: { N: 2, limit: 4 }, states: 488, orbits: 488, order: 1n },
    { name: 'bakery', parameters: { N: 2, limit: 1 }, states: 60, orbits: 60, order: 1n },
    { name: 'two-phase-commit', parameters: { N: 2 }, states: 56, orbits: 34, order: 2n },
    { name: 'two-phase-commit', parameters: { N: 3 }, states: 288, orbits: 80, order: 6n },
    { name: 'two-phase-commit', parameters: { N: 4 }, states: 1568, orbits: 166, order: 24n },
    { name: 'two-phase-commit', parameters: { N: 5 }, states: 8832, orbits: 314, order: 120n },
    // 2^N + N states: the line is modified in one cache, or in none; N + 2 orbits.
    { name: 'msi-bus', parameters: { N: 1 }, states: 3, orbits: 3, order: 1n },
    { name: 'msi-bus', parameters: { N: 6 }, states: 70, orbits: 8, order: 720n },
    // The buffer holds up to K items of P producers; the next mark of each producer and the consumers are free. Exchanging
    // the marks everywhere, which moves the start, leaves no state where it is: 93 orbits without it, of which the 3 that
    // it leaves where they are stay and the others come in pairs.
    { name: 'bounded-buffer', parameters: { P: 1, C: 1, K: 1 }, states: 8, orbits: 4, order: 1n },
    { name: 'bounded-buffer', parameters: { P: 2, C: 2, K: 3 }, states: 240, orbits: 48, order: 4n },
    { name: 'chang-roberts', parameters: { N: 2, K: 1 }, states: 13, orbits: 13, order: 1n },
    { name: 'chang-roberts', parameters: { N: 6, K: 1 }, states: 444, orbits: 444, order: 1n },
    { name: 'chang-roberts', parameters: { N: 4, K: 2 }, states: 83, orbits: 83, order: 1n },
    { name: 'resource-allocator', parameters: { clients: [1, 1] }, states: 20, orbits: 20, order: 1n },
    { name: 'resource-allocator', parameters: { clients: [2, 2, 3] }, states: 1920, orbits: 336, order: 24n },
    // Products of 3^a + 1 over the servers.
    { name: 'three-tier', parameters: { clients: [3, 3, 2] }, states: 7840, orbits: 462, order: 144n },
    { name: 'three-tier', parameters: { clients: [3, 3, 3] }, states: 21952, orbits: 286, order: 1296n },
    { name: 'three-tier', parameters: { clients: [4, 4, 3] }, states: 188272, orbits: 1496, order: 6912n },
    { name: 'three-tier-rendezvous', parameters: { clients: [3, 3, 2] }, states: 553, orbits: 33, order: 144n },
    { name: 'three-tier-rendezvous', parameters: { clients: [3, 3, 3] }, states: 784, orbits: 16, order: 1296n },
    { name: 'three-tier-rendezvous', parameters: { clients: [4, 4, 3] }, states: 1314, orbits: 33, order: 6912n },
    // 2 · 2^D · (2^D - 1) states: on a link or at a node, and where to. An orbit is the distance, held or not.
    { name: 'hypercube', parameters: { D: 1 }, states: 4, orbits: 2, order: 2n },
    { name: 'hypercube', parameters: { D: 3 }, states: 112, orbits: 6, order: 48n },
    { name: 'hypercube', parameters: { D: 4 }, states: 480, orbits: 8, order: 384n },
    // In groups of two the two entries of each of the 6 pairs can be exchanged: 2^6 · 4!.
    { name: 'social-golfer', parameters: { G: 2, S: 2, W: 3 }, states: 39, orbits: 10, order: 1536n },
    { name: 'social-golfer', parameters: { G: 2, S: 3, W: 2 }, states: 41, orbits: 4, order: 1440n },
    { name: 'alternating-bit', parameters: { M: 1, K: 1 }, states: 56, orbits: 28, order: 2n },
    { name: 'alternating-bit', parameters: { M: 3, K: 2 }, states: 672, orbits: 99, order: 12n },
    { name: 'german-cache', parameters: { N: 2 }, states: 1644, orbits: 828, order: 2n },
    { name: 'paxos-single', parameters: { N: 2, B: 2, V: 2 }, states: 145, orbits: 56, order: 4n },
    { name: 'paxos-single', parameters: { N: 3, B: 2, V: 2 }, states: 3921, orbits: 443, order: 12n },
    // The manifest of the TLA+ Examples.
    { name: 'paxos-commit', parameters: { R: 2, N: 3, B: 1 }, states: 1321761, orbits: 45056, order: 72n },
    // The states are of the manifest; the orbits are those of a port with arrays.
    { name: 'tcp-connection', parameters: {}, states: 1182, orbits: 598, order: 2n },
    // By a search of its own, in another language.
    { name: 'chain-replication', parameters: { N: 4, V: 2 }, states: 603, orbits: 309, order: 2n },
    { name: 'chain-replication', parameters: { N: 3, V: 3 }, states: 1444, orbits: 260, order: 6n },
    { name: 'ricart-agrawala', parameters: { N: 2, T: 4 }, states: 87, orbits: 87, order: 1n },
    { name: 'ricart-agrawala', parameters: { N: 3, T: 3 }, states: 4899, orbits: 4899, order: 1n },
    { name: 'raft-election', parameters: { N: 2, T: 2 }, states: 41, orbits: 22, order: 2n },
    { name: 'raft-election', parameters: { N: 3, T: 2 }, states: 1203, orbits: 212, order: 6n },
    { name: 'mcs-lock', parameters: { N: 1 }, states: 5, orbits: 5, order: 1n },
    { name: 'mcs-lock', parameters: { N: 3 }, states: 1055, orbits: 186, order: 6n },
    { name: 'treiber-stack', parameters: { N: 2, K: 1, V: 1 }, states: 46, orbits: 25, order: 2n },
    { name: 'treiber-stack', parameters: { N: 2, K: 2, V: 1 }, states: 7155, orbits: 1869, order: 4n },
    // Half of the 5246 orbits that Rumur has without the rotation of versions, which leaves no state where it is.
    { name: 'treiber-stack', parameters: { N: 2, K: 2, V: 2 }, states: 20334, orbits: 2623, order: 8n },
    { name: 'kessels', parameters: {}, states: 88, orbits: 22, order: 4n },
    // 3^4 and 4^8 states: each node points at one of its neighbors or at none. Orbits by Burnside's lemma.
    { name: 'stabilizing-matching', parameters: { neighbors: [10, 5, 10, 5] }, states: 81, orbits: 15, order: 8n },
    { name: 'stabilizing-matching', parameters: { neighbors: [22, 41, 73, 134, 97, 146, 148, 104] }, states: 65536, orbits: 1474, order: 48n },
    // Classes of numbers without end.
    { name: 'ticket-lock', parameters: { N: 2 }, states: 9, orbits: 5, order: 2n },
    { name: 'ticket-lock', parameters: { N: 3 }, states: 31, orbits: 7, order: 6n },
    { name: 'fencing-tokens', parameters: { N: 2 }, states: 34, orbits: 18, order: 2n },
    { name: 'fencing-tokens', parameters: { N: 3 }, states: 182, orbits: 36, order: 6n },
    { name: 'treiber-versions', parameters: { N: 2 }, states: 360, orbits: 93, order: 4n },
    { name: 'raft-election-endless', parameters: { N: 2 }, states: 16, orbits: 9, order: 2n },
    { name: 'raft-election-endless', parameters: { N: 3 }, states: 440, orbits: 80, order: 6n },
    { name: 'paxos-endless', parameters: { P: 2, N: 2, V: 2 }, states: 10849, orbits: 1444, order: 8n },
    { name: 'bakery-endless', parameters: { N: 2 }, states: 136, orbits: 136, order: 1n },
    { name: 'bakery-endless', parameters: { N: 3 }, states: 3848, orbits: 3848, order: 1n },
    // No state is its own image: the direction is always another one.
    { name: 'elevator', parameters: { N: 2 }, states: 24, orbits: 12, order: 2n },
    { name: 'elevator', parameters: { N: 5 }, states: 480, orbits: 240, order: 2n },
];

/** Larger instances of models that are above. */
const LONG_COUNTS: typeof COUNTS = [
    { name: 'hypercube', parameters: { D: 5 }, states: 1984, orbits: 10, order: 3840n },
];

const PLAIN_TEXTS = readdirSync('bench/plain-texts');

describe('the published numbers', () => {
    describe.each([
        { rows: COUNTS, tags: [] },
        { rows: LONG_COUNTS, tags: ['thorough'] },
    ])('counts', ({ rows, tags }) => {
        test.each([
            ...rows.map(row => ({ ...row, folder: 'models' })),
            ...rows
                .filter(({ name }) => PLAIN_TEXTS.includes(`${name}.orbit`))
                .map(row => ({ ...row, folder: 'bench/plain-texts' })),
        ])('$folder/$name $parameters', { tags }, async ({ name, parameters, folder, states, orbits, order }) => {
            const { order: group, none, unique } = await foundIn(name, parameters, folder);
            expect([group, none.states, unique.states]).toEqual([order, states, orbits]);
        });
    });

    /** Table I of Zhang et al.; models/README.md says where it is wrong. */
    const orders: [string, Parameters, bigint][] = [
        ['readers-writers', { R: 3, W: 2 }, 12n],
        ['peterson', { N: 9 }, 362880n],
        ['leader-election-complete', { N: 12 }, 479001600n],
        ['resource-allocator', { clients: [3, 3, 4] }, 864n],
        ['leader-election-tree', { parent: heap(15) }, 128n],
        // The paper has 16 for a tree of 15 agents: this one has four places at which two equal subtrees hang.
        ['leader-election-tree', { parent: [...heap(13), 11, 11] }, 16n],
        ['leader-election-tree', { parent: heap(19) }, 128n],
        ['leader-election-ring', { N: 9 }, 9n],
        ['dining-philosophers', { N: 20 }, 20n],
        ['milner-scheduler', { N: 10 }, 1n],
        ['two-hop-coloring', { N: 4 }, 576n],
        ['two-hop-coloring', { N: 5 }, 120n],
        ['two-hop-coloring', { N: 9 }, 216n],
    ];
    const longOrders: typeof orders = [
        ['peterson', { N: 12 }, 479001600n],
        ['leader-election-complete', { N: 15 }, 1307674368000n],
        ['leader-election-ring', { N: 12 }, 12n],
        ['two-hop-coloring', { N: 12 }, 1728n],
        ['social-golfer', { G: 3, S: 3, W: 4 }, 725760n],
    ];

    // Long ones are larger instances of models that are above, or have counts.
    describe.each([
        { rows: orders, tags: [] },
        { rows: longOrders, tags: ['thorough'] },
    ])('orders', ({ rows, tags }) => {
        test.each(rows)('%s %o has %s symmetries', { tags }, async (name, parameters, order) => {
            const { symmetry } = analyze(await load(name, parameters), SEARCH);
            expect(BigInt(symmetry?.report.order ?? 0)).toBe(order);
        });
    });
});

describe('what the models state', () => {
    const verdicts: [string, Parameters, string[]][] = [
        ['token-ring', { N: 3 }, []],
        ['dining-philosophers', { N: 4 }, ['deadlock']],
        ['peterson', { N: 3 }, []],
        ['semaphore-mutex', { N: 3 }, []],
        ['readers-writers', { R: 2, W: 2 }, []],
        ['hanoi', { N: 3 }, []],
        ['leader-election-complete', { N: 2 }, []],
        ['leader-election-tree', { parent: heap(3) }, []],
        ['leader-election-ring', { N: 3 }, []],
        ['milner-scheduler', { N: 5 }, []],
        ['token-mutex', { N: 3 }, []],
        ['dekker', {}, []],
        ['szymanski', { N: 3 }, []],
        ['bakery', { N: 2 }, []],
        ['two-phase-commit', { N: 3 }, []],
        ['msi-bus', { N: 3 }, []],
        ['bounded-buffer', {}, []],
        ['chang-roberts', {}, []],
        ['elevator', { N: 3 }, []],
        ['resource-allocator', { clients: [1, 2] }, []],
        ['three-tier', { clients: [2, 1] }, []],
        ['three-tier-rendezvous', {}, []],
        ['hypercube', {}, []],
        ['social-golfer', {}, []],
        ['alternating-bit', {}, []],
        ['german-cache', { N: 2 }, []],
        ['paxos-single', { B: 1 }, []],
        ['paxos-commit', { R: 1, N: 2 }, []],
        ['tcp-connection', {}, []],
        ['raft-election', { T: 1 }, []],
        ['chain-replication', {}, []],
        ['ricart-agrawala', { N: 2 }, []],
        ['ticket-lock', { N: 3 }, []],
        ['fencing-tokens', { N: 2 }, []],
        ['challenge-response', {}, []],
        ['treiber-versions', { N: 2 }, []],
        ['raft-election-endless', { N: 3 }, []],
        ['paxos-endless', { V: 1 }, []],
        ['bakery-endless', {}, []],
        ['mcs-lock', {}, []],
        ['treiber-stack', {}, ['invariant']],
        ['treiber-stack', { K: 1 }, []],
        ['kessels', {}, []],
        ['stabilizing-matching', { neighbors: [2, 5, 2] }, []],
    ];

    test.each(verdicts)('%s %o', async (name, parameters, violations) => {
        const { none, unique } = await foundIn(name, parameters);
        expect([none.violations, unique.violations]).toEqual([violations, violations]);
    });
});
