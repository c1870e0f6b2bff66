// @module-tag long
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { StrategyName } from '../../engine/representative/strategy.js';
import { needsNoSearch } from '../../engine/representative/representative-plan.js';
import {
    callerGroup,
    familyGroup,
    graphGroup,
    literalGroups,
    neighborSwaps,
    reflection,
    rotation,
    treeGroup,
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
        canonicalizer.imageInto(image, Int32Array.from(state), element!);
        expect([...image], 'the transformation maps the state to its representative').toEqual([...target]);
        const images = new Int32Array(literalCount).map((_, i) => i);
        element!.points.forEach((point, i) => (images[point] = element!.images[i]!));
        expect(
            elements.some(other => other.join() === images.join()),
            'the transformation lies in the group',
        ).toBe(true);
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
            { numRuns: 40 },
        );
    });

    test('a cheap strategy has one representative for each orbit of the group that it says it uses', () => {
        fc.assert(
            fc.property(literalGroups(), ({ domainSizes, generators }) => {
                const literalCount = domainSizes.reduce((sum, size) => sum + size, 0);
                const cellCount = domainSizes.length;
                const canonicalizer = createCanonicalizer({
                    cellCount,
                    domainSizes,
                    generators: toSparseGenerators(generators),
                }).cheaper();
                fc.pre(canonicalizer !== undefined);
                expect(canonicalizer.plan()?.every(needsNoSearch)).toBe(true);
                const used = canonicalizer.group.generators.map(({ points, images }) => {
                    const all = Array.from({ length: literalCount }, (_, literal) => literal);
                    points.forEach((point, i) => (all[point] = images[i]!));
                    return all;
                });
                const elements = closure(used, literalCount);
                const whole = closure(generators, literalCount).map(each => each.join());
                expect(elements.every(each => whole.includes(each.join()))).toBe(true);
                const states = someStates(domainSizes);
                const target = new Int32Array(cellCount);
                const representatives = new Set<string>();
                for (const state of states) {
                    canonicalizer.canonicalizeInto(target, Int32Array.from(state));
                    representatives.add(target.join());
                }
                expect(representatives.size).toBe(orbitsOfStates(states, domainSizes, elements).length);
            }),
            { numRuns: 25 },
        );
    });

    test('the elements of a group that is listed make the whole orbit of each state', () => {
        fc.assert(
            fc.property(literalGroups(), ({ domainSizes, generators }) => {
                const cellCount = domainSizes.length;
                const canonicalizer = createCanonicalizer({
                    cellCount,
                    domainSizes,
                    generators: toSparseGenerators(generators),
                });
                const { name, factors } = canonicalizer.strategy;
                fc.pre(name === 'list' && factors.length === 1);
                const states = someStates(domainSizes);
                const images = canonicalizer.elements(1024, [...domainSizes.keys()]);
                const literalCount = domainSizes.reduce((sum, size) => sum + size, 0);
                expect(images.length).toBe(closure(generators, literalCount).length - 1);
                const orbitOf = (state: readonly number[]): string[] => {
                    const others = images.map(image => {
                        const after = [...state];
                        for (const { source, target, held, becomes } of image) {
                            after[target] = becomes[held.indexOf(state[source]!)]!;
                        }
                        return after.join();
                    });
                    return [...new Set([state.join(), ...others])].sort();
                };
                const orbits = new Set(states.map(state => orbitOf(Array.from(state)).join(';')));
                expect(orbits.size).toBe(orbitsOfStates(states, domainSizes, closure(generators, literalCount)).length);
            }),
            { numRuns: 25 },
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

test('functions and their callers, which are exchanged together', () => {
    expect(checkAgainstBruteForce(callerGroup(2, 2), 'refine', 1n)).toBe('refine');
    expect(checkAgainstBruteForce(callerGroup(3, 2), 'refine', 1n)).toBe('refine');
});

test('graphs with four vertices', () => {
    expect(checkAgainstBruteForce(graphGroup(4), 'refine', 1n)).toBe('refine');
});

test('rings turn and reflect', () => {
    const cells = shapes['an index value in a cell that stays']!;
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4)]), undefined, undefined)).toBe('list');
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4), reflection(4)]), 'cosets', undefined)).toBe(
        'cosets',
    );
    expect(checkAgainstBruteForce(familyGroup(4, cells, [rotation(4), reflection(4)]), 'descent', undefined)).toBe(
        'descent',
    );
});

test('a rotation that changes a value on its way, so that an element nearly fixes some states', () => {
    const sample = { domainSizes: [3, 3, 3], generators: [[3, 4, 5, 8, 6, 7, 0, 1, 2]] };
    for (const force of ['list', 'descent'] as const) {
        expect(checkAgainstBruteForce(sample, force, 1n)).toBe(force);
    }
});

test('the image of a state is that of the definition', () => {
    fc.assert(
        fc.property(literalGroups(), ({ domainSizes, generators }) => {
            const target = new Int32Array(domainSizes.length);
            const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators) };
            const canonicalizer = createCanonicalizer(group);
            for (const state of allStates(domainSizes, -1)) {
                generators.forEach((images, i) => {
                    canonicalizer.imageInto(target, Int32Array.from(state), group.generators[i]!);
                    expect([...target]).toEqual(imageOfState(state, domainSizes, images));
                });
            }
        }),
        { numRuns: 30 },
    );
});

describe('trees and wreath products', () => {
    const trees: Record<string, LiteralGroupSample> = {
        'two servers with two clients': treeGroup([2, 2], [2, 2]),
        'two servers with three clients, the servers without a cell': treeGroup([2, 3], [1, 2]),
        'three servers with two clients': treeGroup([3, 2], [1, 2]),
        'a binary tree of depth three': treeGroup([2, 2, 2], [1, 1, 2]),
    };
    test.each(Object.entries(trees))('%s: sorting inside, then the blocks', (_, sample) => {
        expect(checkAgainstBruteForce(sample, 'sort', 1n)).toBe('sort');
    });
    test.each(Object.entries(trees))('%s: the other ways agree', (_, sample) => {
        checkAgainstBruteForce(sample, undefined, undefined);
        checkAgainstBruteForce(sample, 'cosets', undefined);
        checkAgainstBruteForce(sample, 'descent', undefined);
    });
});

describe('large groups', () => {
    function factorial(n: number): bigint {
        return n < 2 ? 1n : BigInt(n) * factorial(n - 1);
    }

    test.each([
        ['ten servers with ten clients', treeGroup([10, 10], [2, 3]), factorial(10) ** 11n],
        ['a binary tree of depth eight', treeGroup([2, 2, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2, 2]), 2n ** 255n],
    ])('%s: images of a state have one representative', (_, sample, order) => {
        const { domainSizes, generators } = sample;
        const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators), order };
        const canonicalizer = createCanonicalizer(group);
        expect(canonicalizer.strategy).toMatchObject({ name: 'sort', unique: true });
        let state = Int32Array.from(domainSizes, (size, cell) => (cell * cell) % size);
        const representative = new Int32Array(state.length);
        const other = new Int32Array(state.length);
        canonicalizer.canonicalizeInto(representative, state);
        group.generators.forEach((generator, i) => {
            if (i % 7 < 3) {
                const image = new Int32Array(state.length);
                canonicalizer.imageInto(image, state, generator);
                state = image;
            }
        });
        canonicalizer.canonicalizeInto(other, state);
        expect(other).toEqual(representative);
    });

    test('two thousand processes are sorted', () => {
        const domainSizes = Array.from({ length: 4000 }, () => 2);
        const generators = Array.from({ length: 1999 }, (_, i) => {
            const points = [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3];
            const all = [...points, ...points.map(point => point + 4000)];
            return {
                points: Int32Array.from(all),
                images: Int32Array.from(all, (point, k) => (k % 4 < 2 ? point + 2 : point - 2)),
            };
        });
        const group = { cellCount: 4000, domainSizes, generators, order: factorial(2000) };
        const canonicalizer = createCanonicalizer(group);
        const state = Int32Array.from(domainSizes, (_, cell) => (cell * 7919) % 2);
        const target = new Int32Array(4000);
        canonicalizer.canonicalizeInto(target, state);
        expect(canonicalizer.strategy.name).toBe('sort');
        expect(canonicalizer.strategy.factors[0]!.structure.name).toBe('S2000');
        const pairs = Array.from({ length: 2000 }, (_, i) => 2 * state[i]! + state[i + 2000]!).sort();
        expect(Array.from({ length: 2000 }, (_, i) => 2 * target[i]! + target[i + 2000]!)).toEqual(pairs);
    });
});

test('a budget that is too small is admitted', () => {
    // A directed cycle of pointers: no element differs from another, so the search has to branch.
    const sample = familyGroup(9, shapes['pointers between elements']!, neighborSwaps(9));
    const { domainSizes, generators } = sample;
    const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators) };
    const canonicalizer = createCanonicalizer(group, { workPerState: 10 });
    const cycle = Int32Array.from({ length: 9 }, (_, i) => 1 + ((i + 1) % 9));
    expect(canonicalizer.canonicalizeInto(new Int32Array(9), cycle)).toBe(false);
    expect(canonicalizer.transformation(cycle)).toBeUndefined();
    // Who no longer wants the representative need not wait for it.
    const isCancelled = (): boolean => {
        throw new OperationCancelled();
    };
    for (const force of ['refine', 'descent'] as const) {
        const cancelled = createCanonicalizer(group, { force, workLimit: { isExhausted: isCancelled } });
        expect(() => cancelled.canonicalizeInto(new Int32Array(9), cycle)).toThrow(OperationCancelled);
    }
});

// It had no budget: with many cells it ordered one state for minutes.
test('local search ends within its budget, in a state of the orbit', () => {
    const cellCount = 100;
    const generators = Array.from({ length: cellCount - 1 }, (_, i) => ({
        points: Int32Array.of(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3),
        images: Int32Array.of(2 * i + 2, 2 * i + 3, 2 * i, 2 * i + 1),
    }));
    const group = { cellCount, domainSizes: new Array<number>(cellCount).fill(2), generators };
    const workPerState = 10_000;
    const canonicalizer = createCanonicalizer(group, { force: 'local', workPerState });
    const state = Int32Array.from({ length: cellCount }, (_, cell) => (cell < 50 ? 1 : 0));
    const target = new Int32Array(cellCount);
    canonicalizer.canonicalizeInto(target, state);
    // It needs 50 × 50 exchanges, each of which reads 100 cells.
    expect(canonicalizer.meter.steps).toBeLessThan(workPerState + cellCount + 4);
    expect(target.reduce((sum, content) => sum + content, 0)).toBe(50);
    const image = new Int32Array(cellCount);
    canonicalizer.imageInto(image, state, canonicalizer.transformation(state)!);
    expect(image).toEqual(target);
});

describe("Peterson's algorithm, where turn[level] holds a process", () => {
    /** pc[i] 0 … 4, k[i] 1 … n - 1 as code 0 …, flag[i] 0 … n - 1, turn[level] none or a process; all 0 initially. */
    function countRepresentatives(n: number, force: StrategyName | undefined): { count: number; strategy: string } {
        const cells: CellShape[] = [
            { kind: 'array', plainValues: 5, namesElements: false },
            { kind: 'array', plainValues: n - 1, namesElements: false },
            { kind: 'array', plainValues: n, namesElements: false },
            ...Array.from({ length: n - 1 }, (): CellShape => ({
                kind: 'single',
                plainValues: 1,
                namesElements: true,
            })),
        ];
        const { domainSizes, generators } = familyGroup(n, cells, neighborSwaps(n));
        const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators) };
        const canonicalizer = createCanonicalizer(group, force === undefined ? {} : { force });
        const [pc, k, flag, turn] = [0, n, 2 * n, 3 * n];
        const seen = new Set<string>();
        const queue: Int32Array[] = [];
        const target = new Int32Array(domainSizes.length);
        let isDecided = true;
        const add = (state: Int32Array): void => {
            isDecided &&= canonicalizer.canonicalizeInto(target, state);
            const key = String.fromCharCode(...target);
            if (!seen.has(key)) {
                seen.add(key);
                queue.push(target.slice());
            }
        };
        add(new Int32Array(domainSizes.length));
        for (const state of queue) {
            for (let i = 0; i < n; i++) {
                const next = state.slice();
                const level = state[k + i]! + 1;
                const othersAreLower = state.subarray(flag, flag + n).every((f, j) => j === i || f < level);
                switch (state[pc + i]!) {
                    case 0:
                        next[flag + i] = level;
                        next[pc + i] = 1;
                        break;
                    case 1:
                        next[turn + level - 1] = i + 1;
                        next[pc + i] = 2;
                        break;
                    case 2:
                        if (state[turn + level - 1] === i + 1 && !othersAreLower) {
                            continue;
                        }
                        next[level + 1 < n ? k + i : pc + i] = level + 1 < n ? level : 3;
                        next[pc + i] = level + 1 < n ? 0 : 3;
                        break;
                    case 3:
                        next[pc + i] = 4;
                        break;
                    default:
                        next[flag + i] = next[k + i] = next[pc + i] = 0;
                }
                add(next);
            }
        }
        expect(isDecided).toBe(true);
        return { count: seen.size, strategy: canonicalizer.strategy.name };
    }

    test('four and five processes have as many representatives by refinement as by listing and by descent', () => {
        for (const n of [4, 5]) {
            const listed = countRepresentatives(n, 'list');
            expect(countRepresentatives(n, 'refine')).toEqual({ count: listed.count, strategy: 'refine' });
        }
        expect(countRepresentatives(4, 'descent').count).toBe(countRepresentatives(4, 'list').count);
    });

    test('seven processes have 60375', { tags: 'thorough' }, () => {
        // Counted by two independent programs for the collection of published systems.
        expect(countRepresentatives(7, undefined)).toEqual({ count: 60375, strategy: 'refine' });
    });
});
