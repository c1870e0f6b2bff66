/** Variables with too many values to list: nothing that depends on one may move. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/csp/encode.js';
import { toStaticSingleAssignment } from '../../engine/ssa/static-single-assignment.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { binary, constant, toyModel, type Toy } from '../arbitrary/toys.js';

function orderOf(toy: Toy): bigint {
    const problem = encode(toStaticSingleAssignment(toyModel(toy)), UNLIMITED);
    return detectSymmetries(problem, [], [], UNLIMITED).group.order;
}

test.each([
    ['one variable', (read: Read) => read('x')],
    ['two variables', (read: Read) => binary(read('x'), '+', read('c'))],
])('a guard over %s with too many values pins what its summand writes', (_, left) => {
    // Without the two guards a and b could be exchanged.
    const order = orderOf({
        cells: { x: 100_000, c: 2, a: 2, b: 2 },
        initial: { x: 0, c: 0, a: 0, b: 0 },
        rules: ({ read, set }) => [
            { when: [], then: [set('x', binary(binary(read('x'), '+', constant(1)), 'mod', constant(100_000)))] },
            { when: [binary(left(read), '>', constant(500))], then: [set('a', 1)] },
            { when: [binary(left(read), '>', constant(600))], then: [set('b', 1)] },
        ],
    });
    expect(order).toBe(1n);
});

type Read = Parameters<Toy['rules']>[0]['read'];
