/** The check that runs the model: it refutes what is no symmetry and lets pass what is one. */
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { encode } from '../../engine/constraints/encode.js';
import { checkGenerators, type CertificateResult, type RunnableModel } from '../../engine/symmetry/certify.js';
import { literalPoints } from '../../engine/symmetry/model-symmetry.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';
import { runnableByDefinition } from '../reference/literal-symmetries.js';

/** Two bits that are set, and may be a fault once they are; the point of x=0 is 0, of x=1 is 1, of y=0 is 2. */
const TWO_BITS: Toy = {
    cells: { x: 2, y: 2 },
    initial: { x: 0, y: 0 },
    rules: ({ is, set }) => ['x', 'y'].map(name => ({ when: [is(name, 0)], then: [set(name, 1)] })),
};

const EXCHANGE: SparsePermutation = { points: Int32Array.of(0, 1, 2, 3), images: Int32Array.of(2, 3, 0, 1) };
const FLIP_X: SparsePermutation = { points: Int32Array.of(0, 1), images: Int32Array.of(1, 0) };

function check(toy: Toy, generators: readonly SparsePermutation[], workLimit: WorkLimit): CertificateResult {
    const model = toyModel(toy);
    const points = literalPoints(encode(model, UNLIMITED));
    return checkGenerators(runnableByDefinition(model), points, generators, {
        workLimit,
        states: 16,
        random: createRandom(1),
    });
}

test('a symmetry agrees with the model', () => {
    expect(check(TWO_BITS, [EXCHANGE], UNLIMITED)).toEqual({ kind: 'agrees' });
});

test.each<[string, Toy]>([
    ['an initial state', TWO_BITS],
    ['a transition', { ...TWO_BITS, initial: {} }],
])('a permutation that does not keep %s is refuted with a state', (_, toy) => {
    const result = check(toy, [EXCHANGE, FLIP_X], UNLIMITED);
    expect(result).toMatchObject({ kind: 'refuted', permutation: FLIP_X });
});

test('a permutation that does not keep the kind of a fault is refuted', () => {
    const toy: Toy = {
        ...TWO_BITS,
        rules: names => [
            ...TWO_BITS.rules(names),
            ...(['division', 'index'] as const).map((fault, index) => ({
                when: [names.is(['x', 'y'][index]!, 1), { kind: 'fault' as const, fault, range: NOWHERE }],
                then: [],
            })),
        ],
    };
    expect(check(toy, [EXCHANGE], UNLIMITED)).toMatchObject({ kind: 'refuted', permutation: EXCHANGE });
});

test('a permutation of values agrees where a step changes each into the other, unless only one of them is initial', () => {
    const toggle: Toy = {
        cells: { x: 2, y: 2 },
        rules: ({ read, set }) => [{ when: [], then: [set('x', binary(constant(1), '-', read('x')))] }],
    };
    expect(check(toggle, [FLIP_X], UNLIMITED)).toEqual({ kind: 'agrees' });
    expect(check({ ...toggle, initial: { x: 0 } }, [FLIP_X], UNLIMITED)).toMatchObject({ kind: 'refuted' });
});

test('a symmetry agrees with a model that has faults', () => {
    const toy: Toy = {
        ...TWO_BITS,
        rules: names => [
            ...TWO_BITS.rules(names),
            ...['x', 'y'].map(name => ({
                when: [names.is(name, 1), { kind: 'fault' as const, fault: 'division' as const, range: NOWHERE }],
                then: [],
            })),
        ],
    };
    expect(check(toy, [EXCHANGE], UNLIMITED)).toEqual({ kind: 'agrees' });
});

test('one wrong permutation among many is refuted by their products', () => {
    const many = Array.from({ length: 100 }, (_, index) => (index === 57 ? FLIP_X : EXCHANGE));
    expect(check({ ...TWO_BITS, initial: {} }, many, UNLIMITED).kind).toBe('refuted');
});

test('a check that does not end says so', () => {
    expect(check(TWO_BITS, [EXCHANGE], { isExhausted: () => true })).toEqual({ kind: 'stopped' });
});

test('a check that has found no state says so', () => {
    const model: RunnableModel = {
        forEachOutcome: () => undefined,
        initialStates: () => ({ states: [], complete: false }),
    };
    const points = {
        cellCount: 0,
        codes: [],
        domainSizes: new Int32Array(0),
        firstPoint: new Int32Array(1),
        cellOfPoint: new Int32Array(0),
    };
    const options = { workLimit: UNLIMITED, states: 4, random: createRandom(1) };
    expect(checkGenerators(model, points, [EXCHANGE], options)).toEqual({ kind: 'stopped' });
});
