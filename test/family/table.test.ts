import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries } from '../../engine/pipeline.js';
import { loadModel, type ParameterTexts } from '../../language-server/load-model.js';
import { inferSorts } from '../../family/infer-sorts.js';
import { reportUniform } from '../../family/sort-report.js';
import { checkByRunning, instanceOf, orderOf } from './runs.js';

const MODELS = new URL('../../models/', import.meta.url);

/**
 * What is proved of each published model: the proved groups, and sizes at which they are compared with a search, with
 * whether they are the whole group there. The groups are those that the models state in their own text.
 */
const TABLE: readonly (readonly [
    model: string,
    groups: readonly string[],
    sizes: readonly (readonly [string, 'whole' | 'part'])[],
])[] = [
    [
        'alternating-bit',
        ['C_2', 'S_M'],
        [
            ['M=2 K=2', 'whole'],
            ['M=3 K=1', 'whole'],
        ],
    ],
    [
        'bounded-buffer',
        ['S_P', 'S_C'],
        [
            ['P=2 C=2', 'whole'],
            ['P=3 C=2', 'whole'],
        ],
    ],
    ['dekker', ['C_2'], [['', 'whole']]],
    [
        'dining-philosophers',
        ['C_N'],
        [
            ['N=3', 'whole'],
            ['N=5', 'whole'],
        ],
    ],
    [
        'german-cache',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    [
        'hanoi',
        ['S_2'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    [
        'leader-election-complete',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=4', 'whole'],
        ],
    ],
    [
        'leader-election-ring',
        ['C_N'],
        [
            ['N=3', 'whole'],
            ['N=4', 'whole'],
        ],
    ],
    [
        'mcs-lock',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    [
        'msi-bus',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=4', 'whole'],
        ],
    ],
    [
        'paxos-single',
        ['S_N', 'S_V'],
        [
            ['N=3 V=2', 'whole'],
            ['N=3 V=3', 'whole'],
        ],
    ],
    ['chain-replication', [], [['', 'part']]],
    ['paxos-commit', ['S_N', 'S_R'], [['R=1 N=2', 'whole']]],
    ['tcp-connection', [], [['', 'part']]],
    [
        'peterson',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    [
        'raft-election',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    [
        'readers-writers',
        ['S_R x S_W'],
        [
            ['R=2 W=1', 'whole'],
            ['R=3 W=2', 'whole'],
            ['R=0 W=2', 'whole'],
        ],
    ],
    [
        'resource-allocator',
        ['S_k for each entry k of clients'],
        [
            ['clients=[2,2,3]', 'whole'],
            ['clients=[1,3]', 'whole'],
        ],
    ],
    [
        'semaphore-mutex',
        ['S_N'],
        [
            ['N=1', 'whole'],
            ['N=4', 'whole'],
        ],
    ],
    [
        'three-tier',
        ['S_k wr S_n for each n equal entries k of clients'],
        [
            ['clients=[3,3,2]', 'whole'],
            ['clients=[2,2,2]', 'whole'],
        ],
    ],
    [
        'three-tier-rendezvous',
        ['S_k wr S_n for each n equal entries k of clients'],
        [
            ['clients=[3,3,2]', 'whole'],
            ['clients=[2,1,2]', 'whole'],
        ],
    ],
    [
        'token-mutex',
        ['C_N'],
        [
            ['N=3', 'whole'],
            ['N=4', 'whole'],
        ],
    ],
    [
        'token-ring',
        ['C_N', 'C_2'],
        [
            ['N=3', 'whole'],
            ['N=5', 'whole'],
        ],
    ],
    [
        'treiber-stack',
        ['S_K', 'C_V', 'S_N'],
        [
            ['N=2 K=2', 'whole'],
            ['N=2 K=3 V=2', 'whole'],
        ],
    ],
    [
        'two-phase-commit',
        ['S_N'],
        [
            ['N=2', 'whole'],
            ['N=3', 'whole'],
        ],
    ],
    ['social-golfer', ['S_(G * S)'], [['', 'part']]],
    [
        'two-hop-coloring',
        ['D_N', 'S_3', 'C_2'],
        [
            ['N=3', 'whole'],
            ['N=4', 'part'],
            ['N=5', 'whole'],
        ],
    ],
    ['elevator', [], [['', 'part']]],
    ['hypercube', [], [['D=2', 'part']]],
    ['kessels', [], [['', 'part']]],
    ['leader-election-tree', [], [['', 'part']]],
    ['stabilizing-matching', [], [['', 'part']]],
    // The group is trivial.
    ['bakery', [], [['', 'whole']]],
    ['chang-roberts', [], [['', 'whole']]],
    ['milner-scheduler', [], [['', 'whole']]],
    ['ricart-agrawala', [], [['', 'whole']]],
    ['szymanski', [], [['', 'whole']]],
    // Instances are created: exchanges of them are no part of what is proved.
    ['fork-join', [], [['', 'part']]],
    ['requests', [], [['', 'part']]],
    ['sessions', ['S_N'], [['', 'part']]],
    ['work-stealing', ['S_N'], [['', 'part']]],
    ['siblings', ['S_N'], [['N=2', 'part']]],
    ['supervisor', ['S_A', 'S_2'], [['', 'part']]],
    ['token-ring-grows', [], [['', 'part']]],
    // Nothing is proved for all sizes of what has numbers without end.
    ['bakery-endless', [], []],
    ['challenge-response', [], []],
    ['fencing-tokens', [], []],
    ['paxos-endless', [], []],
    ['raft-election-endless', [], []],
    ['ticket-lock', [], []],
    ['treiber-versions', [], []],
];

function read(model: string): string {
    return readFileSync(new URL(`${model}.orbit`, MODELS), 'utf8');
}

function parametersOf(size: string): ParameterTexts {
    return size === '' ? [] : size.split(' ').map(each => each.split('=') as [string, string]);
}

describe('of the published models', () => {
    test('the table has each one', () => {
        const files = readdirSync(MODELS).filter(file => file.endsWith('.orbit'));
        expect(TABLE.map(([model]) => `${model}.orbit`).sort()).toEqual(files.sort());
    });

    test.each(TABLE)('%s has the groups %j for every size', async (model, groups) => {
        const { checked } = await loadModel(read(model), 'file:///model.orbit');
        const { proved } = reportUniform(inferSorts(checked!.model));
        expect(proved.map(({ group }) => group).sort()).toEqual([...groups].sort());
    });

    const cases = TABLE.flatMap(([model, , sizes]) => sizes.map(([size, part]) => ({ model, size, part })));
    test.each(cases)(
        '$model $size: the proved group is the $part of what a search finds',
        async ({ model, size, part }) => {
            const instance = (await instanceOf(read(model), parametersOf(size)))!;
            const { symmetry } = findSymmetries(instance.model, { now: () => 0, workLimit: UNLIMITED });
            const [proved, found] = [orderOf(instance), symmetry!.group.order];
            expect(symmetry!.group.complete).toBe(true);
            expect(found % proved).toBe(0n);
            expect(proved === found).toBe(part === 'whole');
            expect(checkByRunning(instance, 40).kind).toBe('agrees');
        },
    );
});
