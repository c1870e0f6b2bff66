/** The same behavior is told by firings as they are fired, also where one state stands for all. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { behaviorOf, effectOf } from '../../engine/mutate/behavior.js';
import { commonSymmetries } from '../../engine/mutate/common-symmetries.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import type { Effect } from '../../engine/mutate/mutation.js';
import { mutationsOf } from '../../engine/mutate/mutations.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { invariant } from '../../engine/common/assert.js';
import { createTextOf } from '../../engine/common/source-text.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { modelOf, sequentialOf, symmetryOf } from '../model-of-text.js';

const RING = `
    var x: 0 .. 4 = any
    process P { loop {
        choose { a: x := (x + 1) mod 5 } or { b: x := (x + 1) mod 5 } or { c: x := (x + 2) mod 5 }
    } }`;

/** Up to the symmetries that both have. */
async function quotientEffect(one: string, other: string): Promise<Effect & { readonly stored: number }> {
    const common = commonSymmetries(await symmetryOf(one), await symmetryOf(other));
    invariant(common !== undefined, 'they have a symmetry in common');
    const places = new Map<string, number>();
    const [before, after] = await Promise.all(
        [one, other].map(async text =>
            behaviorOf(await sequentialOf(text), 100, UNLIMITED, places, { canonicalizer: common }),
        ),
    );
    invariant(before !== undefined && after !== undefined, 'both are small');
    const effect = effectOf(before, after);
    invariant(effect !== undefined, 'all states are known to be reached');
    return { ...effect, stored: before.states.size };
}

test('five alike values, one stored state: steps by 1, 1, 2 are not steps by 1, 4, 2', async () => {
    const mutant = RING.replace('b: x := (x + 1)', 'b: x := (x + 4)');
    expect(await quotientEffect(RING, RING)).toMatchObject({ kind: 'same', stored: 1 });
    // As many states and firings; only the successors as fired differ.
    expect(await quotientEffect(RING, mutant)).toMatchObject({ kind: 'other', stored: 1, states: 0, firings: 0 });
});

test('one of two starts is not the other', async () => {
    const text = `
        var x: 0 .. 1 = 0
        process P { loop { a: x := 1 - x } }`;
    const places = new Map<string, number>();
    const [one, other] = await Promise.all(
        [text, text.replace('= 0', '= 1')].map(async each =>
            behaviorOf(await sequentialOf(each), 9, UNLIMITED, places),
        ),
    );
    invariant(one !== undefined && other !== undefined, 'both are small');
    expect(effectOf(one, other)).toMatchObject({ kind: 'other', states: 0, firings: 0 });
});

test('places of the text are told apart whatever their names are', async () => {
    // The two words have one 32-bit hash by FNV-1a.
    const text = 'process P { first: skip; declinate: skip }';
    const places = new Map<string, number>();
    const [one, other] = await Promise.all(
        [text, text.replace('declinate', 'macallums')].map(async each =>
            behaviorOf(await sequentialOf(each), 9, UNLIMITED, places),
        ),
    );
    invariant(one !== undefined && other !== undefined, 'both are small');
    const isInBoth = [...one.states.keys()].map(state => other.states.has(state));
    // At `first`, at the second label, at the end.
    expect(isInBoth).toEqual([true, false, true]);
});

test('symmetries that exchange steps in one model alone are not used', async () => {
    // Each of x, y and their exchange is a symmetry of both; what it does to a and b differs. All steps end at one column.
    const textWith = (a: string, b: string): string => `
        var x: bool = any
        var y: bool = any
        process P { loop { choose { a: ${a} } or { b: ${b} } } }`;
    const one = textWith('when x == x { x := !x          }', 'when x == x { y := !y          }');
    const other = textWith('when x == y { x := !x; y := !y }', 'when x != y { x := !x; y := !y }');
    expect(one.length).toBe(other.length);
    const [symmetries, others] = [await symmetryOf(one), await symmetryOf(other)];
    expect(commonSymmetries(symmetries, symmetries)).toBeDefined();
    expect(symmetries.group.generators.length).toBeGreaterThan(0);
    expect(others.group.order).toBe(symmetries.group.order);
    expect(commonSymmetries(symmetries, others)).toBeUndefined();
});

/** All states and firings as texts: the definition. */
function graphOf(model: SequentialModel): readonly string[] {
    const result = exploreStateGraph(model, 1000);
    invariant(result.kind === 'graph', 'the model is small');
    const { states, initial, edges } = result.graph;
    const stepOf = (summand: number): string =>
        JSON.stringify(
            model.summands[summand]?.participants.map(({ instance, range, choice }) => [instance, range, choice]),
        );
    return [
        ...initial.map(state => `start ${states[state]?.join()}`),
        ...edges.map(({ from, summand, to }) => {
            const end = typeof to === 'number' ? states[to]?.join() : to;
            return `${states[from]?.join()} ${stepOf(summand)} ${end}`;
        }),
    ].sort();
}

test('what hashes say is what the graphs say, of all mutants of a model', async () => {
    const text = `
        type Id = 1 .. 2
        var x: 0 .. 3[Id] = 0
        var on: bool = false
        process P[i: Id] { loop {
            choose { up: when x[i] < 2 && x[i] <= 2 { x[i] := x[i] + 1 } }
            or { down: when x[i] > 0 && (on || x[i] == 2) { x[i] := x[i] - 1; on := !on } }
            or { flip: when !on && x[1] != x[2] { on := true } }
        } }`;
    const model = await modelOf(text);
    const sequential = linearize(model).sequential;
    const places = new Map<string, number>();
    const before = sequential && behaviorOf(sequential, 1000, UNLIMITED, places);
    invariant(sequential !== undefined && before !== undefined, 'the model is small');
    const graph = graphOf(sequential);
    const kinds = mutationsOf(
        model,
        createTextOf(() => text),
    ).map(({ changed }) => {
        const mutant = linearize(changed()).sequential;
        const after = mutant && behaviorOf(mutant, 1000, UNLIMITED, places);
        invariant(mutant !== undefined && after !== undefined, 'a mutant is small, too');
        const other = graphOf(mutant);
        const [has, is] = [new Set(other), new Set(graph)];
        const [isLess, isMore] = [other.every(fact => is.has(fact)), graph.every(fact => has.has(fact))];
        const effect = effectOf(before, after);
        expect(effect?.kind).toBe(isLess ? (isMore ? 'same' : 'less') : isMore ? 'more' : 'other');
        return effect?.kind;
    });
    expect([...new Set(kinds)].sort()).toEqual(['less', 'more', 'other', 'same']);
});
