/** What reduction promises, and what `auto` makes of it. */
import { describe, expect, test } from 'vitest';
import { chooseReduction } from '../../engine/verdict/choose-reduction.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { estimateGain, pays, savesMemory } from '../../engine/explore/reduction-choice.js';
import { FIRST_WALK, SAMPLE_WALKS } from '../../engine/explore/random-walks.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { Model } from '../../engine/model/model.js';
import { analyze, startExploration, type Reduction } from '../../engine/pipeline.js';
import { familyGroup, neighborSwaps, toSparseGenerators } from '../arbitrary/literal-groups.js';
import { diningPhilosophers } from '../arbitrary/published-models.js';
import { modelOf } from '../model-of-text.js';
import { analysisOf } from '../model-of-text.js';

/** A counter, and three bits that always say whether it is odd. */
const TOGETHER = await modelOf(`
    var x: 0 .. 99 = 0
    var y: 0 .. 1[0 .. 2] = 0
    process Counter {
        loop {
            when x < 99 { x := x + 1; for i in 0 .. 2 { y[i] := x mod 2 } }
        }
    }`);

function explore(text: Model, reduction: Reduction) {
    const analysis = analyze(text, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const { exploration, choice, group } = startExploration(
        analysis,
        { reduction, continueAfterViolation: true },
        UNLIMITED,
    );
    exploration.advance(UNLIMITED);
    return { report: exploration.result().report, choice, group };
}

describe('auto', () => {
    test('uses symmetries that save states', async () => {
        const { report, choice, group } = explore(await diningPhilosophers(6), 'auto');
        expect(choice).toMatchObject({ uses: 'group' });
        // Nearly all states of the philosophers have six images.
        expect(choice?.statesPerOrbit).toBeGreaterThan(4);
        expect(choice?.statesPerOrbit).toBeLessThanOrEqual(6);
        expect(group?.order).toBe(6n);
        expect(report?.states).toBe(explore(await diningPhilosophers(6), 'unique').report?.states);
    });

    test('leaves out those that save none, and says so', () => {
        const { report, choice, group } = explore(TOGETHER, 'auto');
        expect(choice).toMatchObject({ uses: 'nothing', statesPerOrbit: 1 });
        expect(group).toBeUndefined();
        expect(report).toMatchObject({ states: 100 });
        expect(report?.reduction).toBeUndefined();
        const unique = explore(TOGETHER, 'unique');
        expect(unique.choice).toBeUndefined();
        expect(unique.group?.order).toBe(6n);
    });

    test('knows whole orbits of a group that has too many elements to list', async () => {
        const analysis = await analysisOf(`
            model Stack
            type Item = 1 .. 5
            type Color = 1 .. 4
            var next: Item?[Item] = none
            var color: Color?[Item] = none
            var head: Item? = none
            process P[i: Item] {
                loop {
                    choose { push: when next[i] == none && head != i { next[i] := head; head := i } }
                    or c in Color { paint: when color[i] == none && head == i
                                      { if !(exists j in Item: color[j] == c) { color[i] := c } } }
                    or { pop: when head == i && color[i] != none { head := next[i]; next[i] := none; color[i] := none } }
                }
            }`);
        expect(analysis.symmetry?.group.order).toBe(2880n);
        const { choice } = startExploration(analysis, { reduction: 'auto' }, UNLIMITED);
        expect(choice).toMatchObject({ uses: 'group' });
        expect(choice?.statesPerOrbit).toBeGreaterThan(50);
    });

    test('knows that walks are often where orbits are small', async () => {
        // Bits that are only ever set: 531,441 states in 5,053 orbits, 105 in one.
        const analysis = await analysisOf(`
            model GrowOnlySet
            type Replica = 1 .. 3
            type Element = 1 .. 4
            var has: bool[Replica, Element] = false
            var gone: bool[Replica, Element] = false
            process Client[r: Replica] {
                loop {
                    choose e in Element { add: when !has[r, e] { has[r, e] := true } }
                    or e in Element { remove: when has[r, e] { gone[r, e] := true } }
                }
            }
            process Merge[r: Replica, s: Replica where r != s] {
                loop {
                    merge: { for e in Element { has[r, e] := has[r, e] || has[s, e]; gone[r, e] := gone[r, e] || gone[s, e] } }
                }
            }`);
        expect(analysis.symmetry?.group.order).toBe(144n);
        const { choice } = startExploration(analysis, { reduction: 'auto' }, UNLIMITED);
        expect(choice).toMatchObject({ uses: 'group' });
        expect(choice?.statesPerOrbit).toBeGreaterThan(50);
        expect(choice?.statesPerOrbit).toBeLessThanOrEqual(144);
    });

    test('looks no further than one walk where that shows clearly that it pays, and goes on where it does not', async () => {
        const looksAt = (text: Model) => {
            const { sequential, symmetry } = analyze(text, { now: () => 0, workLimit: UNLIMITED, explain: false });
            // The limit is asked before each walk, and nowhere else for groups as small as these.
            let walks = 0;
            const limit = { isExhausted: (): boolean => ++walks < 0 };
            const { choice } = chooseReduction(sequential!, symmetry!.explorationGroup, limit);
            return { uses: choice?.uses, walks };
        };
        const one = FIRST_WALK.walks;
        const more = one + SAMPLE_WALKS.walks;
        expect(looksAt(await diningPhilosophers(12))).toEqual({ uses: 'group', walks: one });
        // Some six states in an orbit pay, but not three times over.
        expect(looksAt(await diningPhilosophers(6))).toEqual({ uses: 'group', walks: more });
        expect(looksAt(TOGETHER)).toEqual({ uses: 'nothing', walks: more });
    });

    // Some hundred elements of such a group show hundreds of images, and a representative costs about as many steps.
    test.each([143, 256])('knows whole orbits of %i equal processes', async count => {
        const text = await modelOf(`
type Proc = 1 .. ${count}
var free: bool = true
process P[i: Proc] { loop { n: skip; t: when free { free := false } c: free := true } }
`);
        const { report, choice } = explore(text, 'auto');
        expect(choice).toMatchObject({ uses: 'group' });
        // By how many are at `t`: 0 .. count while it is free, 0 .. count - 1 beside the one at `c`.
        expect(report?.states).toBe(2 * count + 1);
    });

    test('chooses the same again', async () => {
        expect(explore(await diningPhilosophers(5), 'auto').choice).toEqual(
            explore(await diningPhilosophers(5), 'auto').choice,
        );
    });
});

describe('the estimate', () => {
    const { domainSizes, generators } = familyGroup(
        4,
        [{ kind: 'array', plainValues: 4, namesElements: false }],
        neighborSwaps(4),
    );
    const group = { cellCount: 4, domainSizes, generators: toSparseGenerators(generators), order: 24n };
    const states = (...codes: number[][]): Int32Array[] => codes.map(each => Int32Array.from(each));

    test('counts the states of orbits', () => {
        const canonicalizer = createCanonicalizer(group);
        expect(estimateGain(canonicalizer, [])).toBeUndefined();
        expect(estimateGain(canonicalizer, states([0, 1, 2, 3]))?.statesPerOrbit).toBe(24);
        expect(estimateGain(canonicalizer, states([0, 0, 0, 0]))?.statesPerOrbit).toBe(1);
        // A state among 24 and one for itself: two orbits for each two such states, so the mean is harmonic.
        expect(estimateGain(canonicalizer, states([0, 1, 2, 3], [0, 0, 0, 0]))?.statesPerOrbit).toBe(2 / (1 + 1 / 24));
    });

    test('costs more where generated code cannot do it', () => {
        const sorted = estimateGain(createCanonicalizer(group), states([3, 2, 1, 0]));
        const descended = estimateGain(createCanonicalizer(group, { force: 'descent' }), states([3, 2, 1, 0]));
        expect(descended!.cost).toBeGreaterThan(4 * sorted!.cost);
    });

    test('pays where more is saved than it costs', () => {
        expect(pays({ statesPerOrbit: 1, cost: 0.01 })).toBe(false);
        expect(pays({ statesPerOrbit: 2, cost: 0.5 })).toBe(true);
        expect(pays({ statesPerOrbit: 2, cost: 1 })).toBe(false);
    });

    test('saves memory where it leaves a tenth of the states in up to three times the time', () => {
        expect(savesMemory({ statesPerOrbit: 10, cost: 29 })).toBe(true);
        expect(savesMemory({ statesPerOrbit: 9, cost: 20 })).toBe(false);
        expect(savesMemory({ statesPerOrbit: 10, cost: 30 })).toBe(false);
    });
});
