import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCanonicalizer, imageOfStateInto, type StrategyName } from '../../engine/group/representative.js';
import {
    familyGroup,
    literalGroups,
    neighborSwaps,
    reflection,
    rotation,
    toSparseGenerators,
    type CellShape,
    type LiteralGroupSample,
} from '../arbitrary/literal-groups.js';
import { allStates, closure, imageOfState, orbitsOfStates } from '../reference/brute-force-group.js';

const STRATEGIES: readonly (StrategyName | undefined)[] = [undefined, 'sort', 'refine', 'list', 'cosets', 'descent'];

/** All states, or the first few thousand where they are too many. */
function someStates(domainSizes: readonly number[]): number[][] {
    const withNoValue = domainSizes.reduce((product, size) => product * (size + 1), 1);
    return allStates(domainSizes, withNoValue <= 3000 ? -1 : 0);
}

/** Checks every promise of a canonicalizer against all images of each state. */
function checkAgainstBruteForce(
    { domainSizes, generators }: LiteralGroupSample,
    force: StrategyName | undefined,
    order: bigint | undefined,
): string {
    const literalCount = domainSizes.reduce((sum, size) => sum + size, 0);
    const elements = closure(generators, literalCount);
    const group = {
        cellCount: domainSizes.length,
        domainSizes,
        generators: toSparseGenerators(generators),
        order: order === undefined ? undefined : BigInt(elements.length),
    };
    const canonicalizer = createCanonicalizer(group, force === undefined ? {} : { force });
    const states = someStates(domainSizes);
    const representatives = new Set<string>();
    const target = new Int32Array(domainSizes.length);
    const image = new Int32Array(domainSizes.length);
    for (const state of states) {
        expect(canonicalizer.canonicalizeInto(target, Int32Array.from(state))).toBe(true);
        representatives.add(target.join());
        const element = canonicalizer.transformation(Int32Array.from(state));
        imageOfStateInto(image, group, Int32Array.from(state), element!);
        expect([...image], 'the transformation maps the state to its representative').toEqual([...target]);
        const images = new Int32Array(literalCount).map((_, i) => i);
        element!.points.forEach((point, i) => (images[point] = element!.images[i]!));
        expect(elements.some(other => other.join() === images.join()), 'the transformation lies in the group').toBe(true);
    }
    if (canonicalizer.strategy.unique) {
        expect(representatives.size).toBe(orbitsOfStates(states, domainSizes, elements).length);
    }
    return canonicalizer.strategy.name;
}

describe('for any small group', () => {
    test.each(STRATEGIES)('one representative for each orbit, in the orbit (strategy %s)', force => {
        fc.assert(
            fc.property(
                literalGroups().filter(({ domainSizes }) => domainSizes.length < 4 || Math.max(...domainSizes) < 3),
                fc.boolean(),
                (sample, isOrderKnown) => {
                    checkAgainstBruteForce(sample, force, isOrderKnown ? 1n : undefined);
                },
            ),
            { numRuns: 60 },
        );
    });

    test('local search stays in the orbit', () => {
        fc.assert(
            fc.property(literalGroups(), sample => {
                checkAgainstBruteForce({ ...sample, domainSizes: sample.domainSizes }, 'local', undefined);
            }),
            { numRuns: 30 },
        );
    });
});

const shapes: Record<string, readonly CellShape[]> = {
    'blocks without index values': [
        { kind: 'array', plainValues: 2, namesElements: false },
        { kind: 'array', plainValues: 2, namesElements: false },
    ],
    'an index value in a cell that stays': [
        { kind: 'array', plainValues: 2, namesElements: false },
        { kind: 'single', plainValues: 1, namesElements: true },
        { kind: 'single', plainValues: 0, namesElements: true },
    ],
    'pointers between elements': [{ kind: 'array', plainValues: 1, namesElements: true }],
    'a matrix over pairs and a cell for each': [
        { kind: 'array', plainValues: 1, namesElements: false },
        { kind: 'pairs', plainValues: 2, namesElements: false },
    ],
};

describe.each(Object.entries(shapes))('the symmetric group on %s', (_, cells) => {
    test.each(STRATEGIES)('has one representative for each orbit (strategy %s)', force => {
        for (const count of [2, 3]) {
            checkAgainstBruteForce(familyGroup(count, cells, neighborSwaps(count)), force, 1n);
        }
    });
});

test('pointers between four elements', () => {
    const sample = familyGroup(4, shapes['pointers between elements']!, neighborSwaps(4));
    expect(checkAgainstBruteForce(sample, 'refine', 1n)).toBe('refine');
    expect(checkAgainstBruteForce(sample, 'descent', 1n)).toBe('descent');
});

test('rings turn and reflect', () => {
    const cells = shapes['an index value in a cell that stays']!;
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4)]), undefined, undefined)).toBe('list');
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4), reflection(4)]), 'cosets', undefined)).toBe('cosets');
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4), reflection(4)]), 'descent', undefined)).toBe('descent');
});

test('the image of a state is that of the definition', () => {
    fc.assert(
        fc.property(literalGroups(), ({ domainSizes, generators }) => {
            const target = new Int32Array(domainSizes.length);
            const group = { cellCount: domainSizes.length, domainSizes };
            for (const state of allStates(domainSizes, -1)) {
                generators.forEach((images, i) => {
                    imageOfStateInto(target, group, Int32Array.from(state), toSparseGenerators(generators)[i]!);
                    expect([...target]).toEqual(imageOfState(state, domainSizes, images));
                });
            }
        }),
        { numRuns: 50 },
    );
});
