/** Initial states up to symmetry, beside the orbits of all of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InitialStates } from '../../../engine/explore/initial/initial-states.js';
import { createCanonicalizer } from '../../../engine/representative/representative.js';
import {
    familyGroup,
    literalGroups,
    neighborSwaps,
    toSparseGenerators,
    type LiteralGroupSample,
} from '../../arbitrary/literal-groups.js';
import { binary, constant, toyModel, type InitialContent, type Names } from '../../arbitrary/toys.js';
import type { SequentialExpression } from '../../../engine/sequential/sequential-model.js';
import { allStates, closure, orbitsOfStates } from '../../reference/brute-force-group.js';

/** The initial states that are given under the group, in a model that demands nothing but `conditions`. */
function given(
    { domainSizes, generators }: LiteralGroupSample,
    conditions: (names: Names) => readonly SequentialExpression[] = () => [],
    initialContent: (cell: number) => InitialContent = () => 'any',
): number[][] {
    const cells = Object.fromEntries(domainSizes.map((size, cell) => [`c${String(cell)}`, size]));
    const initial = Object.fromEntries(
        Object.keys(cells).map((name, cell): [string, InitialContent] => [name, initialContent(cell)]),
    );
    const model = toyModel({ cells, initial, conditions, rules: () => [] });
    const canonicalizer = createCanonicalizer({
        cellCount: domainSizes.length,
        domainSizes,
        generators: toSparseGenerators(generators),
    });
    const states = new InitialStates(model, (most, cells) => canonicalizer.elements(most, cells));
    const state = new Int32Array(domainSizes.length);
    const found: number[][] = [];
    while (states.nextInto(state)) {
        found.push([...state]);
    }
    return found;
}

test('of each orbit its least state is given, and under a small group no other', () => {
    fc.assert(
        fc.property(literalGroups(), sample => {
            // Few states are not worth reducing: a cell without symmetry makes them more.
            const { domainSizes } = sample;
            const generators = sample.generators.map(images => [
                ...images,
                ...Array.from({ length: 64 }, (_, i) => images.length + i),
            ]);
            const larger = { domainSizes: [...domainSizes, 64], generators };
            const literalCount = larger.domainSizes.reduce((sum, size) => sum + size, 0);
            const small = allStates(domainSizes, 0).map(state => [...state, 0]);
            const orbits = orbitsOfStates(small, larger.domainSizes, closure(generators, literalCount));
            const number = (state: readonly number[]): number =>
                state.reduce((all, code, cell) => all * larger.domainSizes[cell]! + code, 0);
            const least = orbits.map(orbit =>
                orbit.map(key => key.split(',').map(Number)).reduce((a, b) => (number(b) < number(a) ? b : a)),
            );
            const found = given(larger).filter(state => state.at(-1) === 0);
            expect(found.map(state => state.join())).toEqual(
                least.sort((a, b) => number(a) - number(b)).map(state => state.join()),
            );
        }),
        { numRuns: 100 },
    );
});

test('twelve interchangeable bits have thirteen initial states up to symmetry', () => {
    const bits = familyGroup(12, [{ kind: 'array', plainValues: 2, namesElements: false }], neighborSwaps(12));
    expect(given(bits).length).toBe(13);
});

test('cells that have no choice are moved along and not compared', () => {
    const bit = { kind: 'array', plainValues: 2, namesElements: false } as const;
    const pairs = familyGroup(8, [bit, bit, bit], neighborSwaps(8));
    // A bit that is 1, one that is 0 or 1, one that may be 1 only.
    const contents: readonly InitialContent[] = [1, 'any', [1, 1]];
    const found = given(pairs, undefined, cell => contents[Math.floor(cell / 8)]!);
    expect(found.map(state => state.slice(8, 16).join(''))).toEqual(
        Array.from({ length: 9 }, (_, ones) => '1'.repeat(ones).padStart(8, '0')),
    );
    expect(found.every(state => [...state.slice(0, 8), ...state.slice(16)].every(code => code === 1))).toBe(true);
});

test('where there are more symmetries than are used, those that are used concern all families', () => {
    // 1,056 transpositions, of which adjacent ones leave out the same states as all of them.
    const [families, size] = [2, 33];
    const { domainSizes, generators } = familyGroup(
        size,
        [{ kind: 'array', plainValues: 2, namesElements: false }],
        neighborSwaps(size),
    );
    const literals = domainSizes.reduce((sum, each) => sum + each, 0);
    const whole = {
        domainSizes: Array.from({ length: families }, () => domainSizes).flat(),
        generators: Array.from({ length: families }, (_, family) =>
            generators.map(images =>
                Array.from({ length: families * literals }, (__, literal) =>
                    Math.floor(literal / literals) === family
                        ? family * literals + images[literal - family * literals]!
                        : literal,
                ),
            ),
        ).flat(),
    };
    expect(given(whole).length).toBe((size + 1) ** families);
});

test('a bit and an index for each of five elements: one state for each orbit, or a few', () => {
    const sample = familyGroup(5, [{ kind: 'array', plainValues: 2, namesElements: true }], neighborSwaps(5));
    const { domainSizes, generators } = sample;
    const canonicalizer = createCanonicalizer({
        cellCount: 5,
        domainSizes,
        generators: toSparseGenerators(generators),
    });
    const orbitsOf = (states: readonly number[][]): string[] => {
        const target = new Int32Array(5);
        const found = states.map(state => {
            canonicalizer.canonicalizeInto(target, Int32Array.from(state));
            return target.join();
        });
        return [...new Set(found)].sort();
    };
    const found = given(sample);
    const all = allStates(domainSizes, 0);
    expect(orbitsOf(found)).toEqual(orbitsOf(all));
    expect(found.length).toBe(orbitsOf(all).length);
});

test('what is demanded of initial states is demanded of those that are given', () => {
    const bits = familyGroup(8, [{ kind: 'array', plainValues: 2, namesElements: false }], neighborSwaps(8));
    const sum = ({ read }: Names): SequentialExpression =>
        Array.from({ length: 8 }, (_, i) => read(`c${String(i)}`)).reduce((left, right) => binary(left, '+', right));
    expect(given(bits, names => [binary(sum(names), '==', constant(3))])).toEqual([[0, 0, 0, 0, 0, 1, 1, 1]]);
});

test('symmetries that are used where the first state is long in coming leave out none', () => {
    const bits = familyGroup(14, [{ kind: 'array', plainValues: 2, namesElements: false }], neighborSwaps(14));
    const sum = ({ read }: Names): SequentialExpression =>
        Array.from({ length: 14 }, (_, i) => read(`c${String(i)}`)).reduce((left, right) => binary(left, '+', right));
    // Nothing is known of a remainder before all bits are set, so some thousand beginnings come before the first state.
    const rest = (value: number) => (names: Names) => [
        binary(binary(sum(names), 'mod', constant(13)), '==', constant(value)),
    ];
    expect(given(bits, rest(11)).map(state => state.join(''))).toEqual(['00011111111111']);
    expect(given(bits, rest(0)).map(state => state.join(''))).toEqual(['00000000000000', '01111111111111']);
});
