import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnionFind } from '../../engine/common/union-find.js';

test('sets are the connected components of the pairs joined', () => {
    const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 12 });
    fc.assert(
        fc.property(pairs, list => {
            const sets = new UnionFind(10);
            // The definition: relabel one whole component at each pair.
            const component = Array.from({ length: 10 }, (_, x) => x);
            for (const [x, y] of list) {
                const [from, to] = [component[x]!, component[y]!];
                expect(sets.union(x, y)).toBe(from !== to);
                component.forEach((c, i) => (component[i] = c === from ? to : c));
            }
            for (let x = 0; x < 10; x++) {
                for (let y = 0; y < 10; y++) {
                    expect(sets.find(x) === sets.find(y)).toBe(component[x] === component[y]);
                }
            }
            expect(sets.setCount).toBe(new Set(component).size);
            expect(sets.sets().map(set => set[0])).toEqual(
                component.flatMap((c, x) => (component.indexOf(c) === x ? [x] : [])),
            );
        }),
    );
});
