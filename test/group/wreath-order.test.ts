import { expect, test } from 'vitest';
import { mayBeSomeWreathOrder, mayBeWreathOrder } from '../../engine/group/wreath-order.js';

/** By the definition: h^k · q with h from 2 on, where k divides q and q divides k!. */
function isOfWreathProduct(order: number, copies: number): boolean {
    let factorial = 1;
    for (let i = 2; i <= copies; i++) {
        factorial *= i;
    }
    for (let h = 2; h ** copies <= order; h++) {
        const q = order / h ** copies;
        if (Number.isInteger(q) && q % copies === 0 && factorial % q === 0) {
            return true;
        }
    }
    return false;
}

test('an order is that of a wreath product of so many copies exactly if it can be written as one', () => {
    let found = 0;
    for (let order = 1; order <= 4000; order++) {
        const allCopies = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        for (const copies of allCopies) {
            const expected = isOfWreathProduct(order, copies);
            expect([order, copies, mayBeWreathOrder(BigInt(order), order, copies)]).toEqual([order, copies, expected]);
            found += expected ? 1 : 0;
        }
        const some = allCopies.some(copies => isOfWreathProduct(order, copies));
        expect([order, mayBeSomeWreathOrder(BigInt(order), order)]).toEqual([order, some]);
    }
    expect(found).toBeGreaterThan(90);
});
