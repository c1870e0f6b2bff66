/** Steps that begin with the same test, which the interpreter asks once for all of them. */
import { expect, test } from 'vitest';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { faultUnless, toyModel, type Rule } from '../arbitrary/toys.js';

function firings(rules: readonly Rule[], state: readonly number[]): [number, readonly number[] | string][] {
    const found: [number, readonly number[] | string][] = [];
    const model = toyModel({ cells: { turn: 3, done: 4 }, rules: () => rules });
    interpretedSuccessors(model).forEachFiring(Int32Array.from(state), {
        fired: (summand, successor) => found.push([summand, [...successor]]) > 0,
        faulted: (summand, { kind }) => found.push([summand, kind]) > 0,
    });
    return found;
}

function rulesOf(make: Parameters<typeof toyModel>[0]['rules']): readonly Rule[] {
    let rules: readonly Rule[] = [];
    toyModel({ cells: { turn: 3, done: 4 }, rules: names => (rules = make(names)) });
    return rules;
}

test('each step with a test that others begin with does its own', () => {
    const rules = rulesOf(({ is, set }) => {
        const isFirst = is('turn', 0);
        return [
            { when: [isFirst], then: [set('done', 1)] },
            { when: [isFirst, is('done', 3)], then: [set('done', 2)] },
            { when: [is('turn', 1)], then: [set('done', 3)] },
            { when: [isFirst], then: [set('turn', 2)] },
            { when: [], then: [set('turn', 1)] },
        ];
    });
    expect(firings(rules, [0, 0])).toEqual([
        [0, [0, 1]],
        [3, [2, 0]],
        [4, [1, 0]],
    ]);
    expect(firings(rules, [1, 3])).toEqual([
        [2, [1, 3]],
        [4, [1, 3]],
    ]);
});

test('a test that is a fault is the fault of each step that begins with it', () => {
    const rules = rulesOf(({ is, set }) => {
        const faulty = faultUnless(is('turn', 0), 'index');
        return [
            { when: [faulty], then: [set('done', 1)] },
            { when: [faulty, is('done', 3)], then: [set('done', 2)] },
            { when: [is('done', 0)], then: [set('done', 3)] },
        ];
    });
    expect(firings(rules, [1, 0])).toEqual([
        [0, 'index'],
        [1, 'index'],
        [2, [1, 3]],
    ]);
    expect(firings(rules, [0, 0])).toEqual([
        [0, [0, 1]],
        [2, [0, 3]],
    ]);
});
