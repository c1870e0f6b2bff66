/** Symmetries on literals and markers, by their definition on all reachable states of small models. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { appendTo } from '../../engine/common/list-map.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode, nothingOf } from '../../engine/constraints/encode.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { domainSize } from '../../engine/model/domain.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { StrategyName } from '../../engine/representative/strategy.js';
import type {
    Marker,
    SequentialExpression,
    SequentialModel,
    TemporalAtom,
} from '../../engine/sequential/sequential-model.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { markerOrbits, symmetriesWithMarkers, type MarkedGroup } from '../../engine/symmetry/marked-symmetry.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import type { ParameterTexts } from '../../language-server/load-model.js';
import { sequentialOf } from '../model-of-text.js';
import { MarkedSpace } from './marked-space.js';

/** The summands of one instance, with a label if one is given. */
function summandsOf(model: SequentialModel, instance: string, label?: string): number[] {
    const number = model.instances.findIndex(({ name }) => name === instance);
    return [...model.summands.keys()].filter(summand =>
        model.summands[summand]!.participants.some(
            participant => participant.instance === number && (label === undefined || participant.label === label),
        ),
    );
}

/** As `fair process` and `fair label:` say it. */
function weaklyFair(summands: readonly number[]): Marker {
    return {
        skeleton: 'weak',
        atoms: [
            { kind: 'enabled', summands },
            { kind: 'taken', summands },
        ],
    };
}

function isIn(model: SequentialModel, cell: string, value: number): TemporalAtom {
    return { kind: 'state', expression: equals(model, cell, value) };
}

function equals(model: SequentialModel, cell: string, value: number): SequentialExpression {
    const left = { kind: 'cell', cell: cellNamed(model, cell), range: NOWHERE } as const;
    return { kind: 'binary', operator: '==', left, right: { kind: 'constant', value }, range: NOWHERE };
}

function cellNamed({ cells }: SequentialModel, name: string): number {
    const cell = cells.findIndex(each => each.name === name);
    invariant(cell >= 0, `there is a cell ${name}`);
    return cell;
}

/** The group, all of whose generators are symmetries by the definition. */
function checked(
    model: SequentialModel,
    markers: readonly Marker[],
    candidates: readonly SparsePermutation[] = [],
): MarkedGroup {
    const group = symmetriesWithMarkers(encode(model, UNLIMITED), markers, candidates, UNLIMITED);
    const space = new MarkedSpace(model, markers, 500);
    for (const generator of group.generators) {
        expect(space.objectionTo(group, generator)).toBeUndefined();
    }
    return group;
}

const SEMAPHORE = `
model Semaphore
param N: 1 .. 9 = 3
type Proc = 1 .. N
var free: bool = true
process P[i: Proc] {
    loop {
        try: skip;
        enter: when free { free := false }
        leave: free := true
    }
}`;

const PROCESSES = ['P[1]', 'P[2]', 'P[3]'];

test('interchangeable processes with a constraint each stay interchangeable', async () => {
    const model = await sequentialOf(SEMAPHORE);
    const markers = PROCESSES.map(name => weaklyFair(summandsOf(model, name)));
    const group = checked(model, markers);
    expect(group.order).toBe(6n);
    expect(group.complete).toBe(true);
    expect(group.markerCount).toBe(3);
    expect(markerOrbits(group, 0)).toEqual([0, 0, 0]);
});

test('a member of a property keeps its process, and its orbit has all members', async () => {
    const model = await sequentialOf(SEMAPHORE);
    const fairness = PROCESSES.map(name => weaklyFair(summandsOf(model, name)));
    const members = PROCESSES.map((name): Marker => {
        const taken = (label: string): TemporalAtom => ({ kind: 'taken', summands: summandsOf(model, name, label) });
        return { skeleton: 'leads to', atoms: [taken('enter'), taken('leave')] };
    });
    const all = checked(model, [...fairness, ...members]);
    expect(all.order).toBe(6n);
    expect(markerOrbits(all, 3)).toEqual([0, 0, 0]);
    for (const member of members) {
        const stabilizer = checked(model, [...fairness, member], all.generators);
        expect(stabilizer.order).toBe(2n);
        expect(markerOrbits(stabilizer, 3)).toEqual([0]);
    }
});

test('one process that is fair is unlike the others', async () => {
    const model = await sequentialOf(SEMAPHORE);
    expect(checked(model, [weaklyFair(summandsOf(model, 'P[2]'))]).order).toBe(2n);
    const [first, second, third] = PROCESSES.map(name => weaklyFair(summandsOf(model, name)));
    expect(checked(model, [first!, second!, { ...third!, skeleton: 'strong' }]).order).toBe(2n);
});

test('a property of every process of a ring is rotated with the ring', async () => {
    const model = await sequentialOf(`
model Ring
type Place = 0 .. 4
var token: Place = any
process P[i: Place] {
    loop { pass: when token == i { token := (i + 1) mod 5 } }
}`);
    const places = [0, 1, 2, 3, 4];
    const members = places.map((place): Marker => ({ skeleton: 'often', atoms: [isIn(model, 'token', place)] }));
    const group = checked(model, members);
    expect(group.order).toBe(5n);
    expect(markerOrbits(group, 0)).toEqual([0, 0, 0, 0, 0]);
    expect(checked(model, members.slice(0, 1)).order).toBe(1n);
    const named = places.map((place): Marker => ({ skeleton: `often ${place}`, atoms: [isIn(model, 'token', place)] }));
    expect(checked(model, named).order).toBe(1n);
});

const FLIP = `
model Flip
type I = 0 .. 1
var x: bool = any
process P[i: I] { loop { flip: x := !x } }`;

test('two processes that do the same to a shared bit are exchanged by a symmetry that moves no literal', async () => {
    const model = await sequentialOf(FLIP);
    const cellCount = model.cells.length;
    expect(cellCount).toBe(1);
    const problem = encode(model, UNLIMITED);
    expect(detectSymmetries(problem, [], [], UNLIMITED).group.order).toBe(2n);
    // The bit may be turned over, too: without a word about its values, nothing tells them apart.
    const markers = ['P[0]', 'P[1]'].map(name => weaklyFair(summandsOf(model, name)));
    expect(checked(model, markers).order).toBe(4n);
    const isTrue: Marker = { skeleton: 'x', atoms: [isIn(model, 'x', 1)] };
    const group = checked(model, [...markers, isTrue]);
    expect(group.order).toBe(2n);
    expect(group.generators.map(({ points, images }) => [[...points], [...images]])).toEqual([
        [
            [2, 3],
            [3, 2],
        ],
    ]);
    expect(markerOrbits(group, 0)).toEqual([0, 0, 2]);
    // Only one of the two is observed.
    const [first] = markers;
    expect(checked(model, [first!, isTrue]).order).toBe(1n);
});

test('atoms are not exchanged within a marker', async () => {
    const model = await sequentialOf(FLIP);
    const both: Marker = { skeleton: 'or', atoms: [isIn(model, 'x', 1), isIn(model, 'x', 0)] };
    expect(checked(model, [both]).order).toBe(1n);
    const other: Marker = { ...both, atoms: [...both.atoms].reverse() };
    expect(checked(model, [both, other]).order).toBe(2n);
});

test('two steps that do the same are not one step that counts for both', async () => {
    const model = await sequentialOf(`
model Both
var x: bool = any
var y: bool = any
process A { loop { flip: x := !x } }
process B { loop { flip: x := !x } }
process C { loop { flip: y := !y } }`);
    const [a, b, c] = ['A', 'B', 'C'].map(name => summandsOf(model, name));
    const markers = [a, b].map((own): Marker => ({
        skeleton: '',
        atoms: [{ kind: 'taken', summands: [...own!, ...c!] }],
    }));
    // Each bit may be turned over, and A and B may be exchanged.
    expect(checked(model, markers).order).toBe(8n);
});

test('who takes a step first is not who takes it second', async () => {
    const model = await sequentialOf(`
model Two
var x: bool[0 .. 1] = any
process P[i: 0 .. 1] { loop { flip: x[i] := !x[i] } }`);
    const taken = ['P[0]', 'P[1]'].map((name): TemporalAtom => ({ kind: 'taken', summands: summandsOf(model, name) }));
    const enabled = taken.map((atom): TemporalAtom => ({ ...atom, kind: 'enabled' }) as TemporalAtom);
    for (const atoms of [taken, enabled]) {
        // Each bit may be turned over.
        const marker: Marker = { skeleton: 'until', atoms };
        expect(checked(model, [marker]).order).toBe(4n);
        expect(checked(model, [marker, { ...marker, atoms: [...atoms].reverse() }]).order).toBe(8n);
    }
});

test('what is always true is not what never happens', async () => {
    const model = await sequentialOf(FLIP);
    const always: TemporalAtom = { kind: 'state', expression: { kind: 'constant', value: 1 } };
    for (const kind of ['taken', 'enabled'] as const) {
        const never: TemporalAtom = { kind, summands: [] };
        expect(
            checked(
                model,
                [always, never].map(atom => ({ skeleton: '', atoms: [atom] })),
            ).order,
        ).toBe(2n);
    }
});

test('a step that nobody observes counts if it does the same as one that is observed', async () => {
    const text = (other: string): string => `
model Unobserved
var x: bool = any
var y: bool = any
process A { loop { flip: x := !x } }
process B { loop { flip: y := !y } }
process C { loop { flip: ${other} } }`;
    const orderOf = async (other: string): Promise<bigint> => {
        const model = await sequentialOf(text(other));
        const markers = ['A', 'B'].map(name => weaklyFair(summandsOf(model, name)));
        return checked(model, markers).order;
    };
    // Each bit may be turned over. Without A, C still turns x over, but nothing turns y over without B.
    expect(await orderOf('x := !x')).toBe(4n);
    expect(await orderOf('skip')).toBe(8n);
});

test('markers that say the same keep their order', async () => {
    const model = await sequentialOf(SEMAPHORE);
    const [first, second, third] = PROCESSES.map(name => weaklyFair(summandsOf(model, name)));
    expect(checked(model, [first!, first!]).order).toBe(2n);
    const twice = checked(model, [first!, second!, second!, third!, first!, third!]);
    expect(twice.order).toBe(6n);
    expect(markerOrbits(twice, 0)).toEqual([0, 0, 2, 0, 2, 2]);
});

test('a condition that can be reached is told apart by what it says of the atoms before it', async () => {
    const model = await sequentialOf(FLIP);
    const possible = (isNegated: boolean, value: number): Marker => ({
        skeleton: 'possible',
        atoms: [isIn(model, 'x', value), { kind: 'possible', condition: { kind: 'atom', atom: 0, isNegated } }],
    });
    expect(checked(model, [possible(false, 1), possible(false, 0)]).order).toBe(2n);
    expect(checked(model, [possible(false, 1), possible(true, 0)]).order).toBe(1n);
});

test('a fault of a condition is kept', async () => {
    const model = await sequentialOf(`
model Quotient
var x: 0 .. 1 = any
process P { loop { flip: x := 1 - x } }`);
    const left: SequentialExpression = { kind: 'constant', value: 1 };
    const right: SequentialExpression = { kind: 'cell', cell: cellNamed(model, 'x'), range: NOWHERE };
    const quotient = { kind: 'binary', operator: 'div', left, right, range: NOWHERE } as const;
    const isOne: SequentialExpression = { kind: 'binary', operator: '==', left: quotient, right: left, range: NOWHERE };
    const faulty: Marker = { skeleton: 'x', atoms: [{ kind: 'state', expression: isOne }] };
    expect(checked(model, []).order).toBe(2n);
    expect(checked(model, [faulty]).order).toBe(1n);
    expect(checked(model, [faulty, { skeleton: 'x', atoms: [isIn(model, 'x', 1)] }]).order).toBe(1n);
});

test('a step that is too large to be compared keeps its markers', async () => {
    const model = await sequentialOf(`
model Large
type I = 0 .. 1
var small: bool[I] = false
var large: 0 .. 9999999[I] = 0
process Flip[i: I] { loop { flip: small[i] := !small[i] } }
process Grow[i: I] { loop { grow: large[i] := (large[i] * 7 + 3) mod 10000000 } }`);
    const problem = encode(model, UNLIMITED);
    expect(problem.tooLarge.map(({ kind, index }) => [kind, index])).toEqual(
        ['Grow[0]', 'Grow[1]'].flatMap(name => summandsOf(model, name)).map(summand => ['summand', summand]),
    );
    const taking = (...names: string[]): Marker => ({
        skeleton: 'often',
        atoms: [{ kind: 'taken', summands: names.flatMap(name => summandsOf(model, name)).sort((a, b) => a - b) }],
    });
    const enabling = (...names: string[]): Marker => ({
        skeleton: 'enabled',
        atoms: [{ kind: 'enabled', summands: names.flatMap(name => summandsOf(model, name)).sort((a, b) => a - b) }],
    });
    expect(
        checked(
            model,
            ['Flip[0]', 'Flip[1]'].map(name => taking(name)),
        ).order,
    ).toBe(2n);
    expect(
        checked(
            model,
            ['Grow[0]', 'Grow[1]'].map(name => taking(name)),
        ).order,
    ).toBe(2n);
    expect(
        checked(
            model,
            [0, 1].map(i => taking(`Flip[${i}]`, `Grow[${i}]`)),
        ).order,
    ).toBe(1n);
    expect(
        checked(
            model,
            [0, 1].map(i => taking(`Flip[${i}]`, 'Grow[0]')),
        ).order,
    ).toBe(2n);
    expect(
        checked(
            model,
            [0, 1].map(i => enabling(`Flip[${i}]`, `Grow[${i}]`)),
        ).order,
    ).toBe(1n);
    expect(
        checked(
            model,
            [0, 1].map(i => enabling(`Flip[${i}]`, 'Grow[1]')),
        ).order,
    ).toBe(2n);
    // A condition with too many values fixes what it reads.
    const isLess = (i: number): Marker => {
        const [small, large] = [`small[${i}]`, `large[${i}]`].map(name => cellNamed(model, name));
        const left = { kind: 'cell', cell: large!, range: NOWHERE } as const;
        const right = { kind: 'cell', cell: small!, range: NOWHERE } as const;
        return {
            skeleton: 'less',
            atoms: [{ kind: 'state', expression: { kind: 'binary', operator: '<', left, right, range: NOWHERE } }],
        };
    };
    expect(checked(model, [isLess(0), isLess(1)]).order).toBe(1n);
});

test('a model that is too large, or a limit, leaves no symmetries and says so', async () => {
    const model = await sequentialOf(SEMAPHORE);
    const markers = PROCESSES.map(name => weaklyFair(summandsOf(model, name)));
    const spent = { isExhausted: () => true };
    for (const group of [
        symmetriesWithMarkers(nothingOf(model).problem, markers, [], UNLIMITED),
        symmetriesWithMarkers(encode(model, UNLIMITED), [{ skeleton: '', atoms: [isIn(model, 'free', 1)] }], [], spent),
    ]) {
        expect([group.generators, group.order, group.complete]).toEqual([[], 1n, false]);
        expect(group.cellCount).toBe(model.cells.length + group.markerCount);
        expect(group.firstPoint[group.cellCount]).toBe(group.cellOfPoint.length);
        expect(markerOrbits(group, 0)).toEqual([...Array(group.markerCount).keys()]);
    }
});

/** Systems with few states, for few values of their parameters. */
const SMALL: readonly (readonly [string, ParameterTexts])[] = [
    [
        'alternating-bit',
        [
            ['M', '2'],
            ['K', '1'],
        ],
    ],
    ['chang-roberts', [['N', '3']]],
    ['dekker', []],
    ['dining-philosophers', [['N', '3']]],
    ['elevator', [['N', '3']]],
    ['leader-election-complete', [['N', '3']]],
    ['milner-scheduler', [['N', '3']]],
    ['peterson', [['N', '3']]],
    ['readers-writers', []],
    ['resource-allocator', [['clients', '[2, 2]']]],
    ['semaphore-mutex', [['N', '4']]],
    ['token-mutex', [['N', '4']]],
    ['token-ring', [['N', '3']]],
    ['treiber-stack', []],
    ['two-phase-commit', []],
];

async function publishedModel(name: string, parameters: ParameterTexts): Promise<SequentialModel> {
    return sequentialOf(readFileSync(join(import.meta.dirname, `../../models/${name}.orbit`), 'utf8'), parameters);
}

/** Atoms that belong together: one for each instance of a process, or for each cell and value of one variable. */
function familiesOf(model: SequentialModel): (readonly TemporalAtom[])[] {
    const families = new Map<string, TemporalAtom[]>();
    const labels = new Set(model.summands.flatMap(({ participants }) => participants.map(({ label }) => label)));
    for (const { name, process } of model.instances) {
        for (const label of [...labels, undefined]) {
            const summands = summandsOf(model, name, label);
            if (summands.length > 0) {
                appendTo(families, `${process} ${label} taken`, { kind: 'taken', summands });
                appendTo(families, `${process} ${label} enabled`, { kind: 'enabled', summands });
            }
        }
    }
    // A local that is not live holds nothing: a property that names it would keep it alive.
    for (const { name, domain, kind, mayBeAbsent, variable } of model.cells) {
        const isAlwaysThere = kind === 'channel' || !mayBeAbsent;
        for (let value = 0; isAlwaysThere && value < Math.min(3, domainSize(domain)); value++) {
            appendTo(families, `${kind} ${variable} ${value}`, isIn(model, name, value));
        }
    }
    return [...families.values()];
}

/** Of one or two families some members each, all or few; one or two atoms to a marker. */
function markersOf(families: readonly (readonly TemporalAtom[])[]): fc.Arbitrary<Marker[]> {
    const members = (family: readonly TemporalAtom[]): fc.Arbitrary<Marker[]> => {
        const skeletons = fc.constantFrom('weak', 'strong');
        const some = fc.oneof(fc.constant([...family]), fc.subarray([...family]), fc.shuffledSubarray([...family]));
        const partners = fc.option(fc.constantFrom(...families), { nil: undefined });
        return fc.tuple(skeletons, some, partners).map(([skeleton, chosen, others]) =>
            chosen.slice(0, 12).map((atom, index): Marker => {
                const other = others?.[index];
                return { skeleton, atoms: other === undefined ? [atom] : [atom, other] };
            }),
        );
    };
    const family = fc.constantFrom(...families).chain(members);
    return fc.array(family, { minLength: 1, maxLength: 2 }).map(lists => lists.flat());
}

describe.each(SMALL)('%s', (name, parameters) => {
    test('any markers are mapped to those that say the same of images', async () => {
        const model = await publishedModel(name, parameters);
        const problem = encode(model, UNLIMITED);
        fc.assert(
            fc.property(markersOf(familiesOf(model)), markers => {
                const group = symmetriesWithMarkers(problem, markers, [], UNLIMITED);
                expect(group.complete).toBe(true);
                const space = new MarkedSpace(model, markers, 150);
                for (const generator of group.generators) {
                    expect(space.objectionTo(group, generator)).toBeUndefined();
                }
                const aided = symmetriesWithMarkers(problem, markers, group.generators, UNLIMITED);
                expect(aided.order).toBe(group.order);
                expect(markerOrbits(aided, 0)).toEqual(markerOrbits(group, 0));
            }),
            { numRuns: 15 },
        );
    });
});

const STRATEGIES: readonly StrategyName[] = ['sort', 'refine', 'list', 'cosets', 'descent', 'local'];

test('every way to representatives carries the markers along', async () => {
    const used = new Set<StrategyName>();
    const cases = [
        { model: await sequentialOf(FLIP), moved: 'markers only' },
        { model: await sequentialOf(SEMAPHORE, [['N', '5']]), moved: 'markers and literals' },
        { model: await publishedModel('peterson', [['N', '3']]), moved: 'markers and literals' },
        { model: await publishedModel('resource-allocator', [['clients', '[2, 2]']]), moved: 'markers and literals' },
        { model: await publishedModel('token-ring', [['N', '3']]), moved: 'markers and literals' },
    ];
    for (const { model, moved } of cases) {
        const markers = model.instances.map(({ name }) => weaklyFair(summandsOf(model, name)));
        const group = checked(model, markers);
        const firstMarker = group.firstPoint[model.cells.length]!;
        expect(group.generators.some(({ points }) => points.at(-1)! >= firstMarker)).toBe(true);
        expect(group.generators.some(({ points }) => points[0]! >= firstMarker)).toBe(moved === 'markers only');
        const space = new MarkedSpace(model, markers, 100);
        const states = space.states.filter((_, index) => index % Math.ceil(space.states.length / 10) === 0);
        for (const force of STRATEGIES) {
            const canonicalizer = createCanonicalizer(literalGroup(group), { force });
            canonicalizer.strategy.factors.forEach(({ strategy }) => used.add(strategy));
            const [target, image] = [new Int32Array(group.cellCount), new Int32Array(group.cellCount)];
            for (const state of states) {
                const marked = Int32Array.of(...state, ...markers.map(() => 0));
                expect(canonicalizer.canonicalizeInto(target, marked)).toBe(true);
                expect([...target.subarray(model.cells.length)]).toEqual(markers.map(() => 0));
                const transformation = canonicalizer.transformation(marked)!;
                canonicalizer.imageInto(image, marked, transformation);
                expect(image).toEqual(target);
                expect(space.objectionTo(group, transformation)).toBeUndefined();
            }
        }
    }
    expect([...used].sort()).toEqual([...STRATEGIES].sort());
});
