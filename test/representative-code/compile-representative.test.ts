/**
 * Representatives in generated code beside those of the canonicalizer with the same plan, and these beside the definition in
 * test/group: every image of every state.
 */
// @module-tag long
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { compileRepresentative } from '../../engine/representative-code/compile-representative.js';
import { IMPORT_MODULE, MEMORY_NAME, ModuleWriter } from '../../engine/webassembly/module-writer.js';
import { StaticData } from '../../engine/codegen/static-data.js';
import { webAssembly } from '../../engine/webassembly/host.js';
import { StateLayout } from '../../engine/explore/state-layout.js';
import { createCanonicalizer, type Canonicalizer } from '../../engine/representative/representative.js';
import type { StrategyName } from '../../engine/representative/strategy.js';
import { renamePlan } from '../../engine/representative/representative-plan.js';
import type { Model } from '../../engine/model/model.js';
import type { PassName } from '../../engine/passes/pass-names.js';
import { analyze, startExploration } from '../../engine/pipeline.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import {
    callerGroup,
    familyGroup,
    graphGroup,
    literalGroups,
    neighborSwaps,
    reflection,
    rotation,
    toSparseGenerators,
    treeGroup,
    type CellShape,
    type LiteralGroupSample,
} from '../arbitrary/literal-groups.js';
import { diningPhilosophers, tokenRing } from '../arbitrary/published-models.js';
import { cases, drawsAll } from '../cases.js';
import { allStates, imageOfState } from '../reference/brute-force-group.js';
import { modelOf } from '../model-of-text.js';

const STATE = 64;

/** What generated code makes of states; `undefined` for one that it leaves. */
interface Compiled {
    readonly isSelfContained: boolean;
    readonly replace: (state: readonly number[]) => number[] | undefined;
}

/**
 * `undefined` where there is no plan, or it cannot be compiled. Generated code knows the codes of states as those of `gapped`.
 */
function compile(canonicalizer: Canonicalizer, layout: StateLayout, gap: number): Compiled | undefined {
    const ownPlan = canonicalizer.plan();
    const plan = ownPlan && renamePlan(ownPlan, { cell: cell => cell, held: (cell, code) => gapped(cell, code, gap) });
    const module = new ModuleWriter();
    const data = new StaticData(STATE + 8 * layout.longCount);
    const compiled = plan && compileRepresentative(plan, layout, data, module);
    if (compiled === undefined) {
        return undefined;
    }
    data.writeTo(module);
    module.export('replace', compiled.target);
    const host = webAssembly();
    invariant(host !== undefined, 'tests run where there is WebAssembly');
    const memory = new host.Memory({ initial: Math.ceil(data.end / 65536), maximum: 65536, shared: false });
    const bytes = module.toBytes(65536, false);
    expect(host.validate(bytes)).toBe(true);
    const { exports } = new host.Instance(new host.Module(bytes), { [IMPORT_MODULE]: { [MEMORY_NAME]: memory } });
    const replace = exports['replace'] as (address: number) => number;
    const words = new Uint32Array(memory.buffer);
    return {
        isSelfContained: compiled.isSelfContained,
        replace(state): number[] | undefined {
            layout.packLong(
                Int32Array.from(state, (code, cell) => gapped(cell, code, gap)),
                words,
                STATE / 4,
            );
            // The mark of a state that is stored, in the lowest bit of the last long word, must survive.
            const mark = STATE / 4 + 2 * (layout.longCount - 1);
            words[mark] = words[mark]! | 1;
            const before = words.slice(STATE / 4, STATE / 4 + 2 * layout.longCount);
            const hasGivenUp = replace(STATE) === 1;
            const after = words.slice(STATE / 4, STATE / 4 + 2 * layout.longCount);
            expect(words[mark] & 1).toBe(1);
            if (hasGivenUp) {
                expect(after).toEqual(before);
                return undefined;
            }
            const image = new Int32Array(state.length);
            layout.unpackLong(words, STATE / 4, image);
            return Array.from(image, (code, cell) => {
                const own = Math.floor(code / gap);
                return gapped(cell, own, gap) === code ? own : NaN;
            });
        },
    };
}

/** Of the codes of a type every so many-th occurs, not the same in all cells: 4, 9, 14, … with a gap of 5, or 3, 8, 13, … */
function gapped(cell: number, code: number, gap: number): number {
    return code < 0 ? code : gap * code + gap - 1 - (cell % gap);
}

function layoutFor(domainSizes: readonly number[], mayBeAbsent: boolean): StateLayout {
    return new StateLayout(
        domainSizes.map(size => ({
            domain: { kind: 'range', low: 0, high: size - 1 } as const,
            mayBeAbsent,
            kind: 'shared' as const,
        })),
    );
}

/** Compares on these states; how many the generated code has left, or `undefined` where there is none. */
function compare(
    { domainSizes, generators }: LiteralGroupSample,
    states: readonly (readonly number[])[],
    {
        force,
        order,
        mayBeAbsent = true,
        gap = 1,
    }: { force?: StrategyName; order?: bigint; mayBeAbsent?: boolean; gap?: number },
): { left: number; strategy: string; isSelfContained: boolean } | undefined {
    const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators), order };
    const canonicalizer = createCanonicalizer(group, force === undefined ? {} : { force });
    const compiled = compile(
        canonicalizer,
        layoutFor(
            domainSizes.map(size => gap * size),
            mayBeAbsent,
        ),
        gap,
    );
    if (compiled === undefined) {
        return undefined;
    }
    let left = 0;
    const target = new Int32Array(domainSizes.length);
    for (const state of states) {
        canonicalizer.canonicalizeInto(target, Int32Array.from(state));
        const actual = compiled.replace(state);
        if (actual === undefined) {
            left++;
        } else {
            expect(actual, `of ${state.join()}`).toEqual([...target]);
        }
    }
    expect(!compiled.isSelfContained || left === 0, 'what is self-contained leaves no state').toBe(true);
    return { left, strategy: canonicalizer.strategy.name, isSelfContained: compiled.isSelfContained };
}

/** States with a few values in many cells, so that parts of them are often alike. */
function randomStates(domainSizes: readonly number[], count: number, lowest: 0 | -1): number[][] {
    const random = createRandom(domainSizes.length);
    return Array.from({ length: count }, () => {
        const range = 1 + random.below(6);
        return domainSizes.map(size => lowest + random.below(Math.min(range, size - lowest)));
    });
}

/** Elements with a bit each, a bit for each pair of them, and the exchange of both in all pairs. */
function matrixWithTransposition(count: number): LiteralGroupSample {
    const array: CellShape = { kind: 'array', plainValues: 2, namesElements: false };
    const { domainSizes, generators } = familyGroup(count, [array, { ...array, kind: 'pairs' }], neighborSwaps(count));
    // The cells are 0, 1, …, then (0, 1), (0, 2), …, (1, 0), (1, 2), …
    const owners = Array.from({ length: count }, (_, i) => i).flatMap(i =>
        Array.from({ length: count }, (_, j) => [i, j]).filter(([a, b]) => a !== b),
    );
    const targets = owners.map(([i, j]) => count + owners.findIndex(([a, b]) => a === j && b === i));
    const images = [...Array.from({ length: count }, (_, i) => i), ...targets].flatMap(to => [2 * to, 2 * to + 1]);
    return { domainSizes, generators: [...generators, images] };
}

const STRATEGIES: readonly StrategyName[] = ['sort', 'refine', 'list', 'cosets'];

describe('for any small group', () => {
    test.each([undefined, ...STRATEGIES])('generated code finds the same (strategy %s)', force => {
        fc.assert(
            fc.property(
                literalGroups().filter(({ domainSizes }) => domainSizes.length < 4 || Math.max(...domainSizes) < 3),
                fc.boolean(),
                fc.constantFrom(1, 4, 5),
                (sample, mayBeAbsent, gap) => {
                    const states = allStates(sample.domainSizes, mayBeAbsent ? -1 : 0);
                    compare(sample, states, { ...(force && { force }), mayBeAbsent, gap });
                },
            ),
            { numRuns: cases(60) },
        );
    });
});

/** The same behind a cell that nothing moves. */
function behindAnother({ domainSizes, generators }: LiteralGroupSample): LiteralGroupSample {
    return {
        domainSizes: [2, ...domainSizes],
        generators: generators.map(images => [0, 1, ...images.map(image => image + 2)]),
    };
}

const shapes: Record<string, readonly CellShape[]> = {
    'blocks without index values': [
        { kind: 'array', plainValues: 2, namesElements: false },
        { kind: 'array', plainValues: 3, namesElements: false },
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
    'pointers, a matrix of pointers and a shared index': [
        { kind: 'array', plainValues: 3, namesElements: false },
        { kind: 'array', plainValues: 2, namesElements: true },
        { kind: 'pairs', plainValues: 1, namesElements: true },
        { kind: 'single', plainValues: 1, namesElements: true },
    ],
};

describe.each(Object.entries(shapes))('the symmetric group on %s', (name, cells) => {
    test.each([undefined, ...STRATEGIES])('is compiled to the same (strategy %s)', force => {
        for (const count of [2, 3, 5, 12]) {
            if (count === 12 && force === 'list') {
                continue;
            }
            const sample = familyGroup(count, cells, neighborSwaps(count));
            for (const mayBeAbsent of [false, true]) {
                const states = randomStates(sample.domainSizes, 100, mayBeAbsent ? -1 : 0);
                compare(sample, states, { ...(force && { force }), mayBeAbsent, gap: 2 });
                const found = compare(sample, states, { ...(force && { force }), mayBeAbsent });
                if (found?.strategy === 'refine' && count >= 5) {
                    const isWithoutRelations = ['blocks without index values', 'an index value in a cell that stays'];
                    expect(found.isSelfContained).toBe(isWithoutRelations.includes(name));
                    expect(found.left).toBeLessThan(states.length);
                }
            }
        }
    });
});

describe('every strategy for which there are plans is compiled', () => {
    const index = shapes['an index value in a cell that stays']!;
    const plain = shapes['blocks without index values']!;
    const cases: readonly (readonly [string, StrategyName, LiteralGroupSample, bigint | undefined])[] = [
        ['sorting of few blocks', 'sort', familyGroup(6, plain, neighborSwaps(6)), undefined],
        ['sorting of many blocks', 'sort', familyGroup(40, plain, neighborSwaps(40)), undefined],
        ['ordering', 'refine', familyGroup(20, index, neighborSwaps(20)), undefined],
        [
            'ordering with relations',
            'refine',
            familyGroup(9, shapes['pointers between elements']!, neighborSwaps(9)),
            undefined,
        ],
        [
            'ordering with relations in some cells only',
            'refine',
            behindAnother(familyGroup(9, shapes['pointers between elements']!, neighborSwaps(9))),
            undefined,
        ],
        ['listing of rotations', 'list', familyGroup(9, plain, [rotation(9)]), undefined],
        [
            'listing of rotations and reflections with index values',
            'list',
            familyGroup(8, index, [rotation(8), reflection(8)]),
            undefined,
        ],
        ['listing of 120 elements with index values', 'list', familyGroup(5, index, neighborSwaps(5)), undefined],
        ['listing of 384 elements', 'list', treeGroup([4, 2], [2, 3]), 2n ** 4n * 24n],
        ['cosets', 'cosets', matrixWithTransposition(5), undefined],
        ['blocks of blocks', 'sort', treeGroup([3, 3], [2, 3]), 6n ** 4n],
        ['blocks of blocks of blocks', 'sort', treeGroup([3, 2, 3], [1, 2, 4]), (6n ** 2n * 2n) ** 3n * 6n],
    ];
    test.each(cases)('%s', (_, force, sample, order) => {
        const states = randomStates(sample.domainSizes, 300, 0);
        const found = compare(sample, states, { force, ...(order && { order }), mayBeAbsent: false });
        expect(found?.strategy).toBe(force);
    });
});

describe('listing is compiled whatever the leading cells can hold', () => {
    const many: CellShape = { kind: 'array', plainValues: 2000, namesElements: false };
    const some: CellShape = { kind: 'array', plainValues: 3, namesElements: true };
    const presence: CellShape = { kind: 'pairs', plainValues: 1, namesElements: false };
    const cases: readonly (readonly [string, LiteralGroupSample])[] = [
        ['one of many values', familyGroup(6, [many], [rotation(6), reflection(6)])],
        ['many cells of one value', familyGroup(5, [some, presence, some], neighborSwaps(5))],
        ['many cells of one value, rotated', familyGroup(12, [presence, some], [rotation(12), reflection(12)])],
        ['index values that stay', familyGroup(5, shapes['an index value in a cell that stays']!, neighborSwaps(5))],
    ];
    test.each(cases)('%s', (_, sample) => {
        for (const [index, gap] of [1, 4, 5, 100].entries()) {
            // Few cases are one for each gap.
            for (const mayBeAbsent of drawsAll ? [false, true] : [index % 2 === 0]) {
                const states = randomStates(sample.domainSizes, 200, mayBeAbsent ? -1 : 0);
                expect(compare(sample, states, { force: 'list', mayBeAbsent, gap })?.left).toBe(0);
            }
        }
    });
});

/** Of a whole exploration, by generated code and by the interpreter. */
function reportsOf(model: Model, maxStates: number, passes: readonly PassName[] = []): readonly unknown[] {
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    return [true, false].map(isInterpreted => {
        const options = {
            reduction: 'unique',
            continueAfterViolation: true,
            maxStates,
            isInterpreted,
            passes,
        } as const;
        const { exploration } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        const { report } = exploration.result();
        invariant(report !== undefined, 'there is a report');
        return { ...report, bytesPerState: 0, peakBytes: 0 };
    });
}

test.each([
    // 25, 60 and 100 bits: one word and two.
    ['5 philosophers', await diningPhilosophers(5), 2000],
    ['12 philosophers', await diningPhilosophers(12), 4000],
    ['20 philosophers', await diningPhilosophers(20), 1500],
    // Values move with the cells.
    ['5 agents with two labels', await tokenRing(5), 4000],
])('the exploration of %s is the same', (_name, model, maxStates) => {
    const { sequential, symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
    const canonicalizer = createCanonicalizer(literalGroup(symmetry.explorationGroup));
    expect(compileModel(sequential, { canonicalizer })).toMatchObject({ kind: 'compiled', leavesStates: false });
    const [expected, actual] = reportsOf(model, maxStates);
    expect(actual).toEqual(expected);
    expect(actual).toMatchObject({ reduction: { strategy: 'list', unique: true } });
});

test('a strategy that searches gets from generated code what needs no search', async () => {
    const file = 'models/mcs-lock.orbit';
    const model = await modelOf(readFileSync(file, 'utf8'), [['N', '7']]);
    const { sequential, symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
    const canonicalizer = createCanonicalizer(literalGroup(symmetry.explorationGroup));
    expect(compileModel(sequential, { canonicalizer })).toMatchObject({ kind: 'compiled', leavesStates: true });
    const [expected, actual] = reportsOf(model, 1500);
    expect(actual).toEqual(expected);
    expect(actual).toMatchObject({ states: 1500, reduction: { strategy: 'refine', unique: true } });
});

test('classes of elements are split by what relates them, and few states are left', () => {
    // 1, 2, … up to a random element point to the next one, all others to none: no keys tell those on the way apart.
    const count = 9;
    const sample = familyGroup(count, shapes['pointers between elements']!, neighborSwaps(count));
    const random = createRandom(1);
    const states = Array.from({ length: 200 }, () => {
        const elements = Array.from({ length: count }, (_, element) => element);
        elements.sort(() => random.below(3) - 1);
        const next = new Array<number>(count).fill(0);
        for (let i = 0; i < random.below(count); i++) {
            next[elements[i]!] = 1 + elements[i + 1]!;
        }
        return next;
    });
    expect(compare(sample, states, { force: 'refine', mayBeAbsent: false })).toMatchObject({ left: 0 });
});

/** Images of a state under products of generators. */
function someImages(
    { domainSizes, generators }: LiteralGroupSample,
    state: readonly number[],
    count: number,
): number[][] {
    const random = createRandom(count);
    return Array.from({ length: count }, () => {
        let image = [...state];
        for (let i = 0; i < 40; i++) {
            image = imageOfState(image, domainSizes, generators[random.below(generators.length)]!);
        }
        return image;
    });
}

function representativesOf({ domainSizes, generators }: LiteralGroupSample, states: readonly number[][]): Set<string> {
    const group = { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators) };
    const canonicalizer = createCanonicalizer(group, { force: 'refine' });
    const target = new Int32Array(domainSizes.length);
    return new Set(
        states.map(state => {
            canonicalizer.canonicalizeInto(target, Int32Array.from(state));
            return target.join();
        }),
    );
}

describe('elements that are exchanged together', () => {
    test('callers with a function each need no search', () => {
        for (const count of [2, 3, 5, 8]) {
            const sample = callerGroup(count, 3);
            const random = createRandom(count);
            const states = Array.from({ length: 200 }, () => {
                const callers = Array.from({ length: count }, (_, caller) => 1 + caller);
                callers.sort(() => random.below(3) - 1);
                // Few values, and some functions without a caller.
                const values = Array.from({ length: 2 * count }, () => random.below(1 + random.below(3)));
                return [...values, ...callers.map(caller => (random.below(4) === 0 ? 0 : caller))];
            });
            expect(compare(sample, states, { force: 'refine', mayBeAbsent: false })).toMatchObject({ left: 0 });
        }
    });

    test('some callers with several functions need none either', () => {
        const sample = callerGroup(3, 2);
        const states = allStates(sample.domainSizes, 0);
        expect(compare(sample, states, { force: 'refine', mayBeAbsent: false })).toMatchObject({ left: 0 });
    });

    test('two rings of three are not one of six, directed', () => {
        const sample = familyGroup(6, shapes['pointers between elements']!, neighborSwaps(6));
        const six = someImages(sample, [2, 3, 4, 5, 6, 1], 50);
        const three = someImages(sample, [2, 3, 1, 5, 6, 4], 50);
        const [ofSix, ofThree] = [six, three].map(states => representativesOf(sample, states));
        expect([ofSix?.size, ofThree?.size]).toEqual([1, 1]);
        expect(ofSix).not.toEqual(ofThree);
        // To turn a ring exchanges no two of its elements.
        expect(compare(sample, [...six, ...three], { force: 'refine', mayBeAbsent: false })).toMatchObject({
            left: 100,
        });
    });

    test('two rings of three are not one of six, undirected', () => {
        const sample = graphGroup(6);
        const edges = ['01', '02', '03', '04', '05', '12', '13', '14', '15', '23', '24', '25', '34', '35', '45'];
        const graph = (held: string): number[] => [
            ...Array.from({ length: 6 }, () => 0),
            ...edges.map(edge => (held.split(' ').includes(edge) ? 1 : 0)),
        ];
        const six = someImages(sample, graph('01 12 23 34 45 05'), 50);
        const three = someImages(sample, graph('01 12 02 34 45 35'), 50);
        const [ofSix, ofThree] = [six, three].map(states => representativesOf(sample, states));
        expect([ofSix?.size, ofThree?.size]).toEqual([1, 1]);
        expect(ofSix).not.toEqual(ofThree);
        expect(compare(sample, [...six, ...three], { force: 'refine', mayBeAbsent: false })?.left).toBeLessThan(100);
    });

    test('in random graphs and in random pointers it makes no difference who is settled', () => {
        for (const sample of [graphGroup(6), familyGroup(7, shapes['pointers between elements']!, neighborSwaps(7))]) {
            for (const state of randomStates(sample.domainSizes, 60, 0)) {
                const images = someImages(sample, state, 12);
                expect(representativesOf(sample, images).size).toBe(1);
                compare(sample, images, { force: 'refine', mayBeAbsent: false });
            }
        }
    });
});

/** Messages of processes come in a queue of each other process, so no variable of a process ever names the process. */
const ASKING = `
model Asking
param N: 2 .. 8 = 6
type Proc = 1 .. N
channel asked[Proc]: 2 of Proc
var waits: Proc?[Proc] = none
process P[i: Proc] {
    loop {
        choose j in Proc where j != i {
            ask: when waits[i] == none asked[j] ! i { waits[i] := j }
        } or {
            var j: Proc
            asked[i] ? j;
            answer: waits[j] := none
        }
    }
}
`;

test.each([[['narrow']], [[]]] as const)(
    'who names others only is ordered by generated code (passes %j)',
    async passes => {
        const model = await modelOf(ASKING);
        const { sequential, symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
        invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
        const canonicalizer = createCanonicalizer(literalGroup(symmetry.explorationGroup));
        expect(compile(canonicalizer, new StateLayout(sequential.cells), 1)).toMatchObject({ isSelfContained: false });
        const [expected, actual] = reportsOf(model, 2000, passes);
        expect(actual).toEqual(expected);
        expect(actual).toMatchObject({ states: 2000, reduction: { strategy: 'refine', unique: true } });
    },
);

/** Who is locked by whom names a row and a column, which is more than what ordering in generated code knows of. */
const GRID = `
model Grid
type Cell = { row: 0 .. 2, column: 0 .. 3 }
var lock: Cell?[Cell] = none
process P[c: Cell] {
    loop {
        choose d in Cell where d.row == c.row || d.column == c.column {
            take: when lock[d] == none { lock[d] := c }
        } or {
            give: when forall d in Cell where d.row == c.row || d.column == c.column: lock[d] == c
                  { for d in Cell { if lock[d] == c { lock[d] := none } } }
        }
    }
}
`;

test('few elements are listed where generated code cannot order what they permute', async () => {
    const model = await modelOf(GRID);
    const { sequential, symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
    expect(symmetry.explorationGroup.order).toBe(6n * 24n);
    const canonicalizer = createCanonicalizer(literalGroup(symmetry.explorationGroup));
    expect(canonicalizer.strategy.name).toBe('list');
    expect(compileModel(sequential, { canonicalizer })).toMatchObject({ kind: 'compiled', leavesStates: false });
    const [expected, actual] = reportsOf(model, 500);
    expect(actual).toEqual(expected);
    const forced = createCanonicalizer(literalGroup(symmetry.explorationGroup), { force: 'refine' });
    expect(forced.strategy).toMatchObject({ name: 'refine', unique: true });
});
