/** Which values can occur: none too few, and none that a guard rules out. */
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/csp/encode.js';
import { toStaticSingleAssignment } from '../../engine/ssa/static-single-assignment.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';

function domainsOf(toy: Toy): readonly (readonly number[])[] {
    return encode(toStaticSingleAssignment(toyModel(toy)), UNLIMITED).domains;
}

test('a step whose guard never holds writes nothing', () => {
    const domains = domainsOf({
        cells: { x: 3, y: 3 },
        initial: { x: 0, y: 0 },
        rules: ({ is, set }) => [
            { when: [is('y', 1)], then: [set('x', 2)] },
            { when: [is('x', 0)], then: [set('y', 2)] },
        ],
    });
    expect(domains).toEqual([[0], [0, 2]]);
});

test('a choice over more assignments than are tried writes what its branches write', () => {
    const domains = domainsOf({
        cells: { a: 5, b: 5, c: 5, x: 4 },
        initial: { x: 0 },
        rules: ({ read, set }) => {
            const condition = binary(binary(binary(read('a'), '+', read('b')), '+', read('c')), '>', constant(6));
            const value = { kind: 'conditional', condition, then: constant(3), otherwise: read('x') } as const;
            return [{ when: [], then: [set('x', { ...value, range: NOWHERE })] }];
        },
    });
    expect(domains[3]).toEqual([0, 3]);
});
